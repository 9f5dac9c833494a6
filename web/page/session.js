// SPDX-License-Identifier: MIT
//
// What the page has before it: the files, the figures made of them, the one that is shown and what
// is chosen of it. All parts of the page ask this, change it through its methods, and hear of
// changes by its events: files, figures, scene, clip, camera, bone, file, view, notice, busy.

import { Emitter } from './emitter.js';
import { group } from './grouping.js';
import { question } from './asking.js';
import { ByteSource } from './bytes.js';
import { bytesText, lastName, ownMessage } from './dom.js';
import { readParts } from './disc.js';
import { COMPANIONS, examine } from './examine.js';

const LARGE = 16_000_000; // bytes that are not taken in without a word
const PATIENCE = 60; // milliseconds of work, until the page has its turn

export class Session extends Emitter {
  /** @type {Map<string, any>} by path: see examine.js */
  items = new Map();
  /** @type {any[]} */
  figures = [];
  /** @type {any} the figure that is shown */
  figure = null;
  /** @type {any} its scene; null: none, or it failed (then `failure` says why) */
  scene = null;
  pose = null;
  failure = null;
  /** What the scene lacks, in words, until placeholders are wanted. */
  question = null;
  clip = -1;
  camera = -1;
  bone = -1;
  /** @type {{ word: string, offset: number|null }|null} the file that is looked at */
  file = null;
  view = { bones: true, names: false, trail: false, grid: true, inPlace: false };
  /** For every scene that is made. */
  options = {};
  #modelsOf = new Map();
  #hasCrashed = false;
  #round = 0; // everything was removed so often: what is still being read then is not wanted
  #formats;

  constructor(ossa) {
    super();
    this.ossa = ossa;
    this.workspace = ossa.workspace();
    this.#formats = new Map(ossa.formats().map((format) => [format.id, format]));
  }

  format(id) {
    return this.#formats.get(id) ?? null;
  }

  /** Whether something lies in files of a format; a container of sections is no archive. */
  opens(id) {
    return this.format(id)?.can.includes('list') ?? false;
  }

  /**
   * Take in files, join them with those that are there, and show what has come of it.
   * @param {import('./files.js').Dropped[]} dropped
   * @param {(done: number, all: number) => void} [progress]
   */
  async add(dropped, progress = () => {}) {
    const added = [];
    const round = this.#round;
    this.emit('adding');
    for (const [index, { path, blob }] of dropped.entries()) {
      progress(index, dropped.length);
      try {
        if (blob.size > LARGE) await this.#pause(path, blob.size);
        const bytes = new Uint8Array(await blob.arrayBuffer());
        if (round !== this.#round) break;
        const steps = this.#takeIn(path, bytes, blob);
        await this.#inTurns(path, blob.size, steps);
        added.push(path);
      } catch (error) {
        this.emit('notice', { kind: 'error', text: `${path}: ${error.message}` });
      }
      if (index % 64 === 63) await new Promise((next) => setTimeout(next)); // the page stays alive
    }
    this.emit('busy', null);
    progress(dropped.length, dropped.length);
    this.arrange(round === this.#round ? added : []);
  }

  /** Join what belongs together, after files were put in, and show what has come of the new ones. */
  arrange(added) {
    this.emit('files');
    this.#regroup();
    this.#showNew(added);
  }

  /** Take in one file without looking for what it belongs to. */
  put(path, bytes, blob = null) {
    const steps = this.#takeIn(path, bytes, blob);
    while (!steps.next().done);
  }

  // In steps, of which only a disc has many; each says how many are done of how many, once known.
  *#takeIn(path, bytes, blob) {
    this.workspace.add(path, bytes);
    yield {};
    this.#modelsOf.delete(path);
    const look = examine(this.workspace, path, (id) => this.format(id));
    if (look.error) this.#noteCrash(look.error);
    this.items.set(path, { ...look, path, size: bytes.length, blob });
    if (!look.disc) return;
    try {
      yield* readParts(this.workspace, path, look.disc);
    } catch (error) {
      this.#noteCrash(error);
    }
  }

  async #inTurns(path, size, steps) {
    const round = this.#round;
    let until = performance.now() + PATIENCE;
    for (const { done, all } of steps) {
      if (performance.now() < until) continue;
      await this.#pause(path, size, done, all);
      if (round !== this.#round) return;
      until = performance.now() + PATIENCE;
    }
  }

  // Say what takes so long, and let the page show it.
  #pause(path, size, done, all) {
    this.emit('busy', { text: `Reading ${lastName(path)}, ${bytesText(size)}`, done, all });
    return new Promise((next) => setTimeout(next, 10));
  }

  /** Away with everything. */
  clear() {
    this.#round += 1;
    this.showFigure(null);
    for (const path of this.workspace.paths()) this.workspace.remove(path);
    this.items.clear();
    this.#modelsOf.clear();
    this.figures = [];
    this.file = null;
    this.emit('adding');
    this.emit('files');
    this.emit('figures');
    this.emit('file', {});
  }

  /** Whether these words are a scene together. */
  fits(words) {
    return this.#tryScene(words) !== null;
  }

  /** Archives and files that are there for all figures: textures and data bases. */
  companions() {
    return [...this.items.values()]
      .filter((item) => item.isCompanion || COMPANIONS.has(item.format))
      .map((item) => item.path);
  }

  /** A figure that is given and stays, whatever else comes. */
  pin(figure) {
    this.figures.push({
      options: {},
      paths: this.#pathsOf(figure.words),
      ...figure,
      isPinned: true,
    });
    this.emit('figures');
  }

  #pathsOf(words) {
    return [...this.items.keys()].filter((path) =>
      words.some(
        (word) =>
          word === path ||
          path.startsWith(`${word.replace(/\/$/, '')}/`) ||
          word.startsWith(`${path}#`),
      ),
    );
  }

  /** What is in an archive, or was found in a file of a disc; throws what the library throws. */
  entries(word) {
    return this.items.get(word)?.disc?.entries ?? this.workspace.entries(word);
  }

  models(path) {
    if (!this.#modelsOf.has(path)) {
      let models = [];
      try {
        models = this.workspace.models(path);
      } catch {
        /* not such an archive */
      }
      this.#modelsOf.set(path, models);
    }
    return this.#modelsOf.get(path);
  }

  #regroup() {
    // A given figure that lacks something is grouped anew: what was dropped may be just that.
    const pinned = this.figures.filter((figure) => figure.isPinned && !figure.isAsking);
    const settled = new Set(pinned.flatMap((figure) => figure.paths));
    const items = [...this.items.values()].filter((item) => !settled.has(item.path));
    const { figures } = group(items, {
      models: (path) => this.models(path),
      fits: (words) => this.#tryScene(words),
    });
    const extras = this.figures.filter((figure) => figure.isExtra);
    const before = new Map(this.figures.map((figure) => [figure.words.join('\n'), figure]));
    this.figures = [
      ...pinned,
      ...figures.map((figure) => ({
        options: {},
        ...figure,
        wantsPlaceholders: before.get(figure.words.join('\n'))?.wantsPlaceholders ?? false,
      })),
      ...extras,
    ];
    this.emit('figures');
  }

  #tryScene(words) {
    try {
      const scene = this.workspace.scene(words, this.options);
      const name = scene.name;
      const isSomething = scene.bones.length + scene.meshes.length + scene.cameras.length > 0;
      scene.free();
      return isSomething ? { name } : null;
    } catch (error) {
      this.#noteCrash(error);
      return null;
    }
  }

  // A module that has crashed answers nothing any more. That is a defect of ours; it is said once.
  #noteCrash(error) {
    if (error.code !== 'crashed' || this.#hasCrashed) return;
    this.#hasCrashed = true;
    this.emit('notice', {
      kind: 'error',
      stays: true,
      text: 'The library has crashed on one of these files. That is a defect of Ossa: please report it, with the file. Load the page again to go on.',
    });
  }

  #showNew(added) {
    const isNew = new Set(added);
    const broken = added.map((path) => this.items.get(path)).filter((item) => item.isBroken);
    const unknown = added.filter((path) => isUnknown(this.items.get(path)));
    const shown = this.figures.find((figure) => figure.paths.some((path) => isNew.has(path)));
    if (shown) this.showFigure(shown);
    else if (this.figure && !this.figures.includes(this.figure))
      this.showFigure(this.figures[0] ?? null);
    if (broken.length > 0) this.#tellBroken(broken, Boolean(shown));
    else if (!shown && added.length > 0) this.#tellUnplayed(added, unknown);
  }

  #tellUnplayed(added, unknown) {
    const first = this.items.get(added[0]);
    if (added.length === 1 && first.kind === 'texture') {
      this.selectFile(first.path, null, 'info'); // where its picture is
      return;
    }
    this.selectFile(first.path);
    const disc = added.map((path) => this.items.get(path)).find((item) => item.disc);
    const text = disc
      ? `There is no skeleton in ${lastName(disc.path)}; what else was found is listed under Files.`
      : unknown.length === added.length
        ? `No format is known for ${unknown.length === 1 ? lastName(unknown[0]) : `these ${unknown.length} files`}: the bytes can be looked at.`
        : 'There is nothing to play in this; what it is stands under Info.';
    this.emit('notice', { kind: 'warning', text });
  }

  #tellBroken(broken, isAside) {
    const first = broken[0];
    const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
    this.emit('notice', {
      kind: 'error',
      word: first.path,
      text: `${lastName(first.path)} is damaged${more}: ${first.error ? ownMessage(first.error, first.path) : 'it breaks rules of its format, see Issues'}`,
    });
    if (!isAside) this.selectFile(first.path, first.error?.offset ?? null, 'bytes');
  }

  /** @param {any} figure one of `figures`, or null for none */
  showFigure(figure) {
    this.#dropScene();
    this.figure = figure;
    if (figure) {
      try {
        this.scene = this.workspace.scene(figure.words, {
          ...this.options,
          ...figure.options,
        });
        this.pose = this.scene.pose();
        this.question = question(this.scene);
        figure.isAsking = this.question !== null;
        if (figure.wantsPlaceholders) this.question = null;
      } catch (error) {
        this.#dropScene();
        this.failure = error;
        this.emit('notice', { kind: 'error', text: error.message });
      }
    }
    this.clip = this.scene?.clips.length > 0 ? 0 : -1;
    this.camera =
      this.scene && this.scene.bones.length === 0 && this.scene.cameras.length > 0 ? 0 : -1;
    this.bone = -1;
    this.emit('scene');
    const first = figure?.paths[0];
    if (first && (!this.file || !figure.paths.includes(this.file.word))) this.selectFile(first);
  }

  #dropScene() {
    this.pose?.free();
    this.scene?.free();
    this.pose = this.scene = this.failure = this.question = null;
  }

  /** A scene of one word, say of an entry in an archive, as a figure of its own. */
  showWord(word) {
    const there = this.figures.find(
      (figure) => figure.words.length === 1 && figure.words[0] === word,
    );
    if (there) return this.showFigure(there);
    const name = lastName(word);
    const figure = {
      name,
      words: [word],
      options: {},
      paths: [word.split('#')[0]],
      isExtra: true,
    };
    this.figures.push(figure);
    this.emit('figures');
    return this.showFigure(figure);
  }

  usePlaceholders() {
    this.question = null;
    if (this.figure) this.figure.wantsPlaceholders = true;
    this.emit('scene');
  }

  setClip(index) {
    this.clip = index;
    this.camera = -1;
    this.emit('clip');
  }

  setCamera(index) {
    this.camera = index;
    this.emit('camera');
  }

  setBone(index) {
    this.bone = index;
    this.emit('bone');
  }

  setView(name, value) {
    this.view[name] = value;
    this.emit('view', name);
  }

  /** Look at a file; `tab` also opens that tab of the inspector. */
  selectFile(word, offset = null, tab = null) {
    this.file = { word, offset };
    this.emit('file', { tab });
  }

  /** @returns {ByteSource} of a file or an entry; throws what the library throws */
  byteSource(word) {
    const blob = this.items.get(word)?.blob;
    return new ByteSource(blob ?? this.workspace.bytes(word));
  }
}

function isUnknown(item) {
  return item.format === null && !item.isBroken && !item.disc;
}
