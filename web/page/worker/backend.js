// SPDX-License-Identifier: MIT
//
// What the page asks of the library. It runs in a worker (worker.js), so that no file, however large,
// stops the page; in tests it runs without one. Every answer is plain data that can be posted.

import { sourceOfBlob } from '../../api/ossa.js';
import { unpackEmbedded } from './embedded.js';
import { examine } from './examine.js';
import { readPicture } from './picture_reader.js';
import { sceneData } from './scene_data.js';

const LARGE = 16_000_000; // bytes; a larger file is not copied into the module, but read in slices
const STEP = 4_000_000; // bytes between two reports of progress
const canReadSlices = globalThis.FileReaderSync !== undefined;

export class Backend {
  #ossa;
  #workspace;
  #formats;
  #scenes = new Map(); // by number
  #last = 0;
  /** Called with bytes while a large file is read. @type {(done: number, all: number) => void} */
  progress = () => {};

  /** @param {any} ossa the library, see ossa.d.ts */
  constructor(ossa) {
    this.#ossa = ossa;
    this.#workspace = ossa.workspace();
    this.#formats = new Map(ossa.formats().map((format) => [format.id, format]));
  }

  about() {
    return { version: this.#ossa.version, formats: [...this.#formats.values()] };
  }

  // ---- files ------------------------------------------------------------------------------------

  /**
   * Add files and say what they are.
   * @param {{ path: string, blob: Blob }[]} files
   * @returns {Promise<any[]>} for each the item, see examine.js, or { failure }
   */
  async add(files) {
    const items = [];
    // Small files are all read at once: each has to wait for the disk.
    const contents = files.map(({ blob }) => (blob.size <= LARGE ? blob.arrayBuffer() : null));
    for (const content of contents) content?.catch(() => {}); // put() reports it
    for (const [i, { path, blob }] of files.entries()) items.push(await this.#addOne(path, blob, contents[i]));
    return items;
  }

  async #addOne(path, blob, content) {
    try {
      await this.put(path, blob, content);
    } catch (failure) {
      return { failure };
    }
    return this.examine(path);
  }

  /** Add a file without a look at it. */
  async put(path, blob, content = null) {
    if (blob.size <= LARGE) this.#workspace.add(path, new Uint8Array(await (content ?? blob.arrayBuffer())));
    else if (canReadSlices) this.#workspace.addSource(path, this.#watched(sourceOfBlob(blob)));
    else await this.#workspace.addBlob(path, blob, { onProgress: (done, all) => this.progress(done, all) });
  }

  // The module reads a large file from its start to its end, and jumps back at times.
  #watched(source) {
    let most = 0;
    const readAt = (offset, length) => {
      const bytes = source.readAt(offset, length);
      const end = offset + length;
      if (end >= most + STEP || (end === source.size && most < end)) {
        most = end;
        this.progress(most, source.size);
      }
      return bytes;
    };
    return { size: source.size, readAt };
  }

  /** What a file is, and what is wrong with it. */
  examine(path) {
    return examine(this.#workspace, path, (id) => this.#formats.get(id) ?? null);
  }

  unpackEmbedded(text) {
    return unpackEmbedded(text);
  }

  remove(path) {
    this.#workspace.remove(path);
  }

  paths() {
    return this.#workspace.paths();
  }

  /** The bytes of a file or an entry. */
  bytes(word) {
    return this.#workspace.bytes(word);
  }

  entries(word) {
    return this.#workspace.entries(word);
  }

  fields(word, options) {
    const { fields, total } = this.#workspace.fields(word, options);
    return { fields, total };
  }

  /** Everything that the inspector shows of a file. */
  read(word) {
    const about = { size: undefined, format: null, confidence: '', facts: null, issues: [], error: null, picture: null };
    try {
      const file = this.#workspace.open(word);
      const { format, confidence, size } = file;
      const { facts } = file.facts();
      Object.assign(about, { format, confidence, size, facts, issues: [...file.issues] });
      file.free();
      if (format.kind === 'texture') about.picture = readPicture(this.#workspace, word);
    } catch (error) {
      Object.assign(about, { error, issues: error.issues ?? [] });
    }
    return about;
  }

  // ---- figures ----------------------------------------------------------------------------------

  figures(path) {
    return this.#workspace.figures(path);
  }

  survey(words) {
    return this.#workspace.survey(words);
  }

  /** Make a scene. It stays here until it is freed; the answer has its number. */
  scene(words, options) {
    const scene = this.#workspace.scene(words, options);
    try {
      const data = sceneData(scene);
      this.#scenes.set(++this.#last, scene);
      return { ...data, number: this.#last };
    } catch (error) {
      scene.free();
      throw error;
    }
  }

  free(number) {
    this.#scenes.get(number)?.free();
    this.#scenes.delete(number);
  }

  sceneCount() {
    return this.#scenes.size;
  }

  #scene(number) {
    const scene = this.#scenes.get(number);
    if (!scene) throw new Error('this figure is not there any more');
    return scene;
  }

  /** The keys of a clip. */
  motion(number, clip) {
    return this.#scene(number).motion(clip);
  }

  /** Where a key is stored, and what is stored in a byte: see ossa.d.ts. */
  keyBytes(number, key) {
    return this.#scene(number).keyBytes(key);
  }

  keysAt(number, path, offset) {
    return this.#scene(number).keysAt(path, offset);
  }

  /** The file that a clip comes from, or the first of them; null: none has a key of it. */
  fileOf(number, clip) {
    const scene = this.#scene(number);
    for (const bone of scene.bones.keys())
      for (const channel of ['rotation', 'translation', 'visible', 'scale']) {
        const { path } = scene.keyBytes({ clip, bone, channel, frame: 0 });
        if (path !== null) return path;
      }
    return null;
  }

  /** A scene as the bytes of a file: "glb", "json", "bvh", "csv". */
  export(number, kind, options) {
    return this.#scene(number)[kind](options);
  }
}
