// SPDX-License-Identifier: MIT
//
// The state of the page: the files, the figures that the library finds in them, the figure that is
// shown and what is selected. All parts of the page read it and change it through its methods. Events
// report changes: files, figures, scene, clip, camera, bone, variant, parts, file, view, notice, busy.

import { Emitter } from './emitter.js';
import { question } from './asking.js';
import { ByteSource } from './bytes.js';
import { patternsOf, slotsToChoose, variantCalled } from './choices.js';
import { bytesText, lastName, ownMessage, plural } from './dom.js';
import { examine } from './examine.js';
import { figureNote } from './describe.js';

const LARGE = 16_000_000; // bytes; a larger file is read in parts, with progress
const BATCH = 64; // files that are read before the page draws again

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
  /** What to ask the user for; null: nothing, or the user accepted placeholders. */
  question = null;
  clip = -1;
  camera = -1;
  bone = -1;
  /** The variant of the scene that is shown; -1: the materials of its meshes. */
  variant = -1;
  /** @type {import('./choices.js').Slot[]} of the figure, those with a choice of parts */
  slots = [];
  #shown = new Set(); // names of the meshes of the scene
  /** @type {{ word: string, offset: number|null }|null} the selected file */
  file = null;
  view = { bones: true, names: false, trail: false, grid: true, inPlace: false };
  /** Options for all scenes. */
  options = {};
  #hasCrashed = false;
  #reading = new AbortController(); // for all files that are being read
  #addCount = 0; // calls of `add` that are running
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

  /** The formats of a game. */
  formats = (game) => [...this.#formats.values()].filter((format) => format.game === game);

  /** Whether files of a format contain other files. */
  opens(id) {
    return this.format(id)?.can.includes('list') ?? false;
  }

  /**
   * Add files, find the figures in all files, and show one that is new.
   * @param {import('./files.js').Dropped[]} dropped
   * @param {(done: number, all: number) => void} [progress]
   */
  async add(dropped, progress = () => {}) {
    const added = [];
    const { signal } = this.#reading;
    const all = dropped.length;
    this.emit('adding');
    this.#addCount += 1;
    for (const [index, { path, blob }] of dropped.entries()) {
      progress(index, all);
      try {
        await this.#read(path, blob, signal);
        added.push(path);
      } catch (error) {
        if (signal.aborted) break;
        const text =
          error.code === 'out-of-memory' ? tooLargeText(path, blob.size) : `${path}: ${error.message}`;
        this.emit('notice', { kind: 'error', text });
      }
      if (index % BATCH === BATCH - 1)
        await this.#showBusy({ text: `Reading ${plural(all, 'file')}`, done: index, all });
    }
    progress(all, all);
    this.#examineSheets();
    const kept = added.filter((path) => this.items.has(path));
    if (kept.length > 0) this.arrange(kept);
    else this.emit('files');
    this.#addCount -= 1;
    if (this.#addCount === 0) this.emit('busy', null);
  }

  get isReading() {
    return this.#addCount > 0;
  }

  /** Stop reading. Files that have been read stay. */
  cancel() {
    this.#reading.abort();
    this.#reading = new AbortController();
  }

  async #read(path, blob, signal) {
    if (blob.size <= LARGE) {
      const bytes = new Uint8Array(await blob.arrayBuffer());
      signal.throwIfAborted();
      this.put(path, bytes, blob);
      return;
    }
    const what = `${lastName(path)}, ${bytesText(blob.size)}`;
    const onProgress = (done, all) => this.emit('busy', { text: `Reading ${what}`, done, all });
    await this.workspace.addBlob(path, blob, { signal, onProgress });
    await this.#showBusy({ text: `Examining ${what}` });
    if (signal.aborted) this.workspace.remove(path);
    signal.throwIfAborted();
    this.#examine(path, blob.size, blob);
  }

  // Report what is being done, and let the page draw it.
  #showBusy(work) {
    this.emit('busy', work);
    return new Promise((next) => setTimeout(next, 10));
  }

  /** Find the figures again after files were added, and show one that has some of them. */
  arrange(added) {
    this.emit('files');
    this.#findFigures();
    this.#showNew(added);
  }

  /** Add one file, without looking for figures. */
  put(path, bytes, blob = null) {
    this.workspace.add(path, bytes);
    this.#examine(path, bytes.length, blob);
  }

  #examine(path, size, blob) {
    const item = examine(this.workspace, path, (id) => this.format(id));
    if (item.error) this.#noteCrash(item.error);
    this.items.set(path, { ...item, path, size, blob });
  }

  // A sheet may have come before the image that it names.
  #examineSheets() {
    for (const { path, size, blob } of [...this.items.values()].filter(lacksImage))
      this.#examine(path, size, blob);
  }

  /** Remove everything. */
  clear() {
    this.cancel();
    this.showFigure(null);
    for (const path of this.workspace.paths()) this.workspace.remove(path);
    this.items.clear();
    this.figures = [];
    this.file = null;
    this.emit('adding');
    this.emit('files');
    this.emit('figures');
    this.emit('file', {});
  }

  /** Add a figure that is specified by the embedded data and stays when others are found. */
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

  /** The entries of an archive or a disc. Throws what the library throws. */
  entries(word) {
    return this.items.get(word)?.found ?? this.workspace.entries(word);
  }

  /** The figures below a path, or in all files. */
  findFigures(path) {
    try {
      return this.workspace.figures(path).map((figure) => ({
        name: figure.name,
        words: figure.paths,
        paths: figure.files,
        missing: figure.missing,
        note: figureNote(figure),
        boneCount: figure.boneCount,
        clipCount: figure.clipCount,
        options: {},
      }));
    } catch (error) {
      this.#noteCrash(error);
      return [];
    }
  }

  #findFigures() {
    // A pinned figure that lacks something may find it among the new files.
    const pinned = this.figures.filter((figure) => figure.isPinned && !figure.isAsking);
    const settled = new Set(pinned.flatMap((figure) => figure.paths));
    const extras = this.figures.filter((figure) => figure.isExtra);
    // A figure that has not changed stays the same object, so that it need not be shown again.
    const known = this.figures.filter((figure) => !figure.isExtra && !pinned.includes(figure));
    const before = new Map(known.map((figure) => [figure.words.join('\n'), figure]));
    const found = this.findFigures()
      .filter((figure) => !figure.paths.every((path) => settled.has(path)))
      .map((figure) => {
        const same = before.get(figure.words.join('\n'));
        return same ? Object.assign(same, figure, { isPinned: false }) : figure;
      });
    this.figures = [...pinned, ...found, ...extras];
    this.emit('figures');
  }

  // A module that has crashed answers no more calls. Report that once.
  #noteCrash(error) {
    if (error.code !== 'crashed' || this.#hasCrashed) return;
    this.#hasCrashed = true;
    this.emit('notice', {
      kind: 'error',
      stays: true,
      text: 'The library crashed on one of these files. This is a defect of Ossa: please report it, with the file. Reload the page to continue.',
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
      this.selectFile(first.path, null, 'info'); // the tab shows the picture
      return;
    }
    this.selectFile(first.path);
    const items = added.map((path) => this.items.get(path));
    const disc = items.find((item) => item.found);
    const sheet = items.find(lacksImage);
    const text = sheet
      ? `${lastName(sheet.path)}: ${ownMessage(sheet.error, sheet.path)}. Add it, too.`
      : disc
      ? `${lastName(disc.path)} contains no skeleton. Everything that was found in it is listed under Files.`
      : unknown.length === added.length
        ? `The format of ${unknown.length === 1 ? lastName(unknown[0]) : `these ${unknown.length} files`} is not known. The Bytes tab shows the content.`
        : 'There is nothing to play in these files. The Info tab says what they are.';
    this.emit('notice', { kind: 'warning', text });
  }

  #tellBroken(broken, isAside) {
    const first = broken[0];
    const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
    this.emit('notice', {
      kind: 'error',
      word: first.path,
      text: `${lastName(first.path)} is damaged${more}: ${first.error ? ownMessage(first.error, first.path) : 'it breaks rules of its format, see the Issues tab'}`,
    });
    if (!isAside) this.selectFile(first.path, first.error?.offset ?? null, 'bytes');
  }

  /** @param {any} figure one of `figures`, or null for none */
  showFigure(figure) {
    this.#dropScene();
    this.figure = figure;
    if (figure) {
      try {
        this.#takeScene(this.#makeScene(figure));
        const survey = this.workspace.survey(figure.words);
        this.slots = slotsToChoose(survey.slots);
        this.question = this.#ask(figure, survey);
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

  // Patterns of the user come after those of the embedded data: the last one that matches decides.
  #makeScene({ words, options, parts = new Map() }) {
    const all = { ...this.options, ...options };
    const patterns = [...(all.parts ?? []), ...patternsOf(parts)];
    const scene = this.workspace.scene(words, { ...all, parts: patterns });
    try {
      return { scene, pose: scene.pose() };
    } catch (error) {
      scene.free(); // there was no memory for the pose
      throw error;
    }
  }

  #takeScene({ scene, pose }) {
    this.pose?.free();
    this.scene?.free();
    Object.assign(this, { scene, pose });
    this.variant = variantCalled(scene.variants, this.figure.variant ?? null);
    this.#shown = new Set(scene.meshes.map((mesh) => mesh.name.toLowerCase()));
  }

  #ask({ paths }, survey) {
    const present = new Set(paths.map((path) => this.items.get(path)?.format));
    return question(this.scene, survey, this.formats(this.scene.game), present);
  }

  #dropScene() {
    this.pose?.free();
    this.scene?.free();
    this.pose = this.scene = this.failure = this.question = null;
    this.variant = -1;
    this.slots = [];
  }

  /** Show one word, for example an entry of an archive, as a figure of its own. */
  showWord(word) {
    const isSame = ({ words }) => words.length === 1 && words[0] === word;
    const paths = [word.split('#')[0]];
    this.#showExtra({ name: lastName(word), words: [word], options: {}, paths }, isSame);
  }

  /** Show a figure that `findFigures` has found in one file. */
  showModel(model) {
    this.#showExtra(model, (figure) => this.isModel(figure, model));
  }

  /** Whether a figure is a model that `findFigures` has found in one file. Of all files together, it
   * may have more words: textures in another archive, for example. */
  isModel(figure, model) {
    return figure?.words[0].toLowerCase() === model.words[0].toLowerCase();
  }

  #showExtra(figure, isSame) {
    const there = this.figures.find(isSame);
    if (!there) {
      this.figures.push({ ...figure, isExtra: true });
      this.emit('figures');
    }
    this.showFigure(there ?? this.figures.at(-1));
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

  setVariant(index) {
    this.variant = index;
    this.figure.variant = this.scene.variants[index]?.name ?? null;
    this.emit('variant');
  }

  /** Whether a part is shown. The library may show one instead of another: the meshes say so. */
  shows(part) {
    return this.figure?.parts?.get(part) ?? this.#shown.has(part.toLowerCase());
  }

  setPart(name, isShown) {
    this.#changeParts(new Map(this.figure.parts).set(name, isShown));
  }

  resetParts() {
    this.#changeParts(new Map());
  }

  // The same figure with other parts, at the same time of the same clip. If that fails, nothing changes.
  #changeParts(parts) {
    const { figure, scene: before } = this;
    const old = figure.parts;
    figure.parts = parts;
    try {
      const made = this.#makeScene(figure);
      const { clips, bones } = made.scene;
      const like = (list, other) => (other ? list.findIndex(({ name }) => name === other.name) : -1);
      this.clip = like(clips, before.clips[this.clip]);
      this.bone = like(bones, before.bones[this.bone]);
      this.#takeScene(made);
    } catch (error) {
      figure.parts = old;
      this.#noteCrash(error);
      this.emit('notice', { kind: 'error', text: error.message });
      this.emit('parts');
      return;
    }
    this.emit('scene', { isSame: true });
  }

  setView(name, value) {
    this.view[name] = value;
    this.emit('view', name);
  }

  /** Select a file; `tab` also opens that tab of the inspector. */
  selectFile(word, offset = null, tab = null) {
    this.file = { word, offset };
    this.emit('file', { tab });
  }

  /** @returns {ByteSource} of a file or an entry. Throws what the library throws. */
  byteSource(word) {
    const blob = this.items.get(word)?.blob;
    return new ByteSource(blob ?? this.workspace.bytes(word));
  }
}

function lacksImage(item) {
  return item.error?.code === 'io';
}

function tooLargeText(path, size) {
  const name = lastName(path);
  return (
    `${name} has ${bytesText(size)}, which do not fit into the memory of a page. ` +
    `Convert what is in it with the tool (ossa list ${name}, then ossa convert ${name}#ENTRY), ` +
    `or take the files out with ossa extract ${name} and drop those here.`
  );
}

function isUnknown(item) {
  return item.format === null && !item.isBroken && !item.found;
}
