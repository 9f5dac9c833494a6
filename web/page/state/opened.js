// SPDX-License-Identifier: MIT
//
// The files that are open: reading them one drop after the other, with progress; cancelling; and giving
// them to a new worker. What comes of them is the session's business: it is told which files arrived.

import { ByteSource } from './bytes.js';
import { Stopped } from '../worker/client.js';
import { bytesText, lastName, plural } from '../window/dom.js';
import { place } from './drops.js';
import { apartText, failureText, lacksImage } from './notices.js';

const LARGE = 16_000_000; // bytes; a larger file is read by itself, with progress
const BATCH = 64; // files that are read with one call

/**
 * @typedef {{ progress?: (done: number, all: number) => void, pins?: any[], replaces?: boolean }} How
 *   `pins`: figures that the embedded data specifies; `replaces`: files of the same name
 */

export class Opened {
  /** @type {Map<string, any>} by path: see examine.js */
  items = new Map();
  #client;
  #emit;
  #arrived;
  #restarting;
  #adding = Promise.resolve(); // one drop after the other
  #addCount = 0; // calls of `add` that are not finished
  #stops = 0; // how often reading was cancelled

  /**
   * @param {import('../worker/client.js').Client} client
   * @param {object} session
   * @param {(name: string, detail?: any) => void} session.emit
   * @param {(paths: string[], pins: any[]) => Promise<void>} session.arrived called once per drop, before the next one
   * @param {() => void} session.restarting called when the worker is about to be replaced
   */
  constructor(client, { emit, arrived, restarting }) {
    this.#client = client;
    this.#emit = emit;
    this.#arrived = arrived;
    this.#restarting = restarting;
  }

  /** @param {import('./files.js').Dropped[]} dropped @param {How} how */
  async add(dropped, how) {
    this.#emit('adding');
    this.#addCount += 1;
    const stops = this.#stops;
    this.#adding = this.#adding.then(() => this.#addNow(dropped, how, stops)).catch((error) => {
      this.#emit('notice', { kind: 'error', text: error.message });
    });
    await this.#adding;
    this.#addCount -= 1;
    if (this.#addCount === 0) this.#emit('busy', null);
  }

  /** `stops`: of the time when it was asked for.
   * @param {any[]} dropped @param {How} how @param {number} stops */
  async #addNow(dropped, { progress = () => {}, pins = [], replaces = false }, stops) {
    if (stops !== this.#stops) return;
    const { files, known, folder } = replaces
      ? { files: dropped, known: [], folder: null }
      : await place(dropped, this.items);
    if (folder !== null) this.#tellApart(dropped, folder);
    const added = [...known];
    for (const batch of batches(files)) {
      progress(added.length, files.length);
      if (stops !== this.#stops) break;
      added.push(...(await this.#read(batch, added.length, files.length)));
    }
    progress(files.length, files.length);
    await this.#examineSheets();
    await this.#arrived(added.filter((path) => this.items.has(path)), pins);
  }

  get isReading() {
    return this.#addCount > 0;
  }

  // Returns the paths of those that were read.
  async #read(batch, done, all) {
    const [{ path, size }] = batch;
    const isLarge = size > LARGE;
    const text = isLarge ? `Reading ${lastName(path)}, ${bytesText(size)}` : `Reading ${plural(all, 'file')}`;
    if (isLarge || all > BATCH)
      this.#emit('busy', isLarge ? { text, done: 0, all: size } : { text, done, all });
    const stops = this.#stops;
    const items = await this.#client
      .watch((part, whole) => isLarge && this.#emit('busy', { text, done: part, all: whole }), 'add', batch)
      .catch((error) => {
        if (error instanceof Stopped) return [];
        throw error;
      });
    if (stops !== this.#stops) return [];
    let hasCrashed = false;
    const read = [];
    for (const [index, item] of items.entries()) {
      const { path: name, blob, size: bytes } = batch[index];
      const failure = item.failure ?? item.error;
      hasCrashed ||= failure?.code === 'crashed';
      if (item.failure) this.#emit('notice', { kind: 'error', text: failureText(item.failure, name, bytes) });
      else {
        this.items.set(name, { ...item, path: name, size: bytes, blob });
        read.push(name);
      }
    }
    if (hasCrashed) await this.recover();
    return read;
  }

  // A sheet may have come before the image that it names.
  async #examineSheets() {
    for (const item of [...this.items.values()].filter(lacksImage))
      Object.assign(item, await this.#client.call('examine', item.path));
  }

  #tellApart(dropped, folder) {
    const names = dropped.filter(({ path }) => this.items.has(path)).map(({ path }) => lastName(path));
    const replace = async () => {
      await this.#remove((path) => path.startsWith(`${folder}/`));
      await this.add(dropped, { replaces: true });
    };
    const action = { label: 'Replace instead', run: replace };
    this.#emit('notice', { kind: 'info', text: apartText(names, folder), action });
  }

  async #remove(isMeant) {
    for (const path of [...this.items.keys()].filter(isMeant)) {
      this.items.delete(path);
      await this.#client.call('remove', path);
    }
  }

  /** Read no more of what was asked for. */
  stop() {
    this.#stops += 1;
  }

  /** A module that has crashed answers no more calls. */
  async recover() {
    this.#emit('notice', {
      kind: 'error',
      stays: true,
      text: 'The library crashed on one of these files. This is a defect of Ossa: please report it, with the file.',
    });
    await this.restart();
  }

  /** Nothing but its end stops a worker that is busy. All files are given to the next one, before
   * anything else is asked of it. */
  async restart() {
    this.#restarting();
    const started = this.#client.restart();
    const given = [...this.items.values()].map(({ path, blob }) => this.#client.call('put', path, blob));
    await Promise.all([started, ...given]).catch((error) => {
      if (!(error instanceof Stopped)) throw error; // it was started once more
    });
  }

  /** The entries of an archive or a disc. Throws what the library throws. */
  async entries(word) {
    return this.items.get(word)?.found ?? this.#client.call('entries', word);
  }

  /** The bytes of a file or an entry. Throws what the library throws. */
  async byteSource(word) {
    const blob = this.items.get(word)?.blob;
    return new ByteSource(blob ?? (await this.#client.call('bytes', word)));
  }
}

// Large files are read by themselves: each has its own progress. To know a size, a browser may have to
// ask the disk, and the page waits: so it is asked for once per file, a batch at a time.
function* batches(files) {
  let batch = [];
  for (const { path, blob } of files) {
    const { size } = blob;
    if (batch.length > 0 && (batch.length === BATCH || size > LARGE || batch[0].size > LARGE)) {
      yield batch;
      batch = [];
    }
    batch.push({ path, blob, size });
  }
  if (batch.length > 0) yield batch;
}
