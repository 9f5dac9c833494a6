// SPDX-License-Identifier: MIT
//
// The state of the page: the files, the figures that the library finds in them, the figure that is
// shown and what is selected. All parts of the page read it and change it through its methods. Events
// report changes: files, figures, scene, clip, camera, bone, variant, parts, file, view, notice, busy.
//
// The library is in a worker, so methods that ask it are asynchronous. What they change, they change at
// once when all answers are there; if the user has chosen something else meanwhile, nothing.

import { Emitter } from './emitter.js';
import { question } from './asking.js';
import { ByteSource } from './bytes.js';
import { patternsOf, slotsToChoose, variantCalled } from './choices.js';
import { Stopped } from '../worker/client.js';
import { figureNote } from './describe.js';
import { bytesText, lastName, plural } from '../window/dom.js';
import { place } from './drops.js';
import { brokenText, failureText, lacksImage, unplayedText } from './notices.js';
import { withoutDefaults } from './option_values.js';
import { Pose } from '../play/pose.js';
import { Scenes } from './scenes.js';

const LARGE = 16_000_000; // bytes; a larger file is read by itself, with progress
const BATCH = 64; // files that are read with one call
const MOTIONS = ['inPlace', 'travel', 'treadmill']; // of the view: at most one
const PATIENCE = 150; // milliseconds before the page says that it is building a figure

export class Session extends Emitter {
  /** @type {Map<string, any>} by path: see examine.js */
  items = new Map();
  /** @type {any[]} */
  figures = [];
  /** @type {any} the figure that is shown */
  figure = null;
  /** @type {any} its scene, plain data: see scene_data.js; null: none, or it failed (see `failure`) */
  scene = null;
  /** @type {import('../play/motion.js').Motion|null} the keys of the clip; null: the rest pose */
  motion = null;
  /** @type {Pose|null} */
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
  /** @type {{ word: string, offset: number|null, size: number }|null} the selected file */
  file = null;
  view = {
    bones: true,
    names: false,
    trail: false,
    grid: true,
    inPlace: false,
    travel: false,
    treadmill: false,
    shadow: true,
    follow: false,
    flat: false,
    wireframe: false,
    normals: false,
  };
  /** Paths of the files that the page itself contains. */
  embedded = new Set();
  /** Options for all scenes. */
  options = {};
  #formats;
  #scenes;
  #turn = 0; // of the last request for a figure or a clip: earlier ones are out of date
  #adding = Promise.resolve(); // one drop after the other
  #addCount = 0; // calls of `add` that are not finished
  #stops = 0; // how often reading was cancelled

  /**
   * @param {import('../worker/client.js').Client} client
   * @param {{ version: string, formats: any[] }} about the library
   */
  constructor(client, { version, formats }) {
    super();
    this.client = client;
    this.version = version;
    this.#formats = new Map(formats.map((format) => [format.id, format]));
    this.#scenes = new Scenes(client);
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

  // ---- files ------------------------------------------------------------------------------------

  /**
   * Add files, find the figures in all files, and show one that is new.
   * @param {import('./files.js').Dropped[]} dropped
   * @param {{ progress?: (done: number, all: number) => void, pins?: any[], replaces?: boolean }} [how]
   *   `pins`: figures that the embedded data specifies; `replaces`: files of the same name
   */
  async add(dropped, how = {}) {
    this.emit('adding');
    this.#addCount += 1;
    const stops = this.#stops;
    this.#adding = this.#adding.then(() => this.#addNow(dropped, how, stops)).catch((error) => {
      this.emit('notice', { kind: 'error', text: error.message });
    });
    await this.#adding;
    this.#addCount -= 1;
    if (this.#addCount === 0) this.emit('busy', null);
  }

  /** `stops`: of the time when it was asked for.
   * @param {any[]} dropped @param {Parameters<Session['add']>[1]} how @param {number} stops */
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
    for (const pin of pins) this.#pin(pin);
    const kept = added.filter((path) => this.items.has(path));
    this.emit('files');
    if (kept.length === 0) return;
    this.#scenes.forget(kept);
    await this.#arrange(kept);
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
      this.emit('busy', isLarge ? { text, done: 0, all: size } : { text, done, all });
    const stops = this.#stops;
    const items = await this.client
      .watch((part, whole) => isLarge && this.emit('busy', { text, done: part, all: whole }), 'add', batch)
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
      if (item.failure) this.emit('notice', { kind: 'error', text: failureText(item.failure, name, bytes) });
      else {
        this.items.set(name, { ...item, path: name, size: bytes, blob });
        read.push(name);
      }
    }
    if (hasCrashed) await this.#recover();
    return read;
  }

  // A module that has crashed answers no more calls.
  async #recover() {
    this.emit('notice', {
      kind: 'error',
      stays: true,
      text: 'The library crashed on one of these files. This is a defect of Ossa: please report it, with the file.',
    });
    await this.#restart();
  }

  /** Stop reading. Files that have been read stay. */
  async cancel() {
    this.#stops += 1;
    if (!this.isReading) return;
    const restarted = this.#restart();
    if (this.scene) await this.showFigure(this.figure, { isSame: true });
    await restarted;
  }

  // Nothing but its end stops a worker that is busy. All files are given to the next one, before
  // anything else is asked of it.
  async #restart() {
    this.#scenes.clear();
    const started = this.client.restart();
    const given = [...this.items.values()].map(({ path, blob }) => this.client.call('put', path, blob));
    await Promise.all([started, ...given]).catch((error) => {
      if (!(error instanceof Stopped)) throw error; // it was started once more
    });
  }

  // A sheet may have come before the image that it names.
  async #examineSheets() {
    for (const item of [...this.items.values()].filter(lacksImage))
      Object.assign(item, await this.client.call('examine', item.path));
  }

  /** Remove everything. */
  async clear() {
    this.#stops += 1;
    this.#turn += 1;
    this.items.clear();
    this.figures = [];
    this.file = null;
    this.#drop();
    this.figure = null;
    this.emit('adding');
    this.emit('files');
    this.emit('figures');
    this.emit('scene');
    this.emit('file', {});
    await this.#restart();
  }

  // ---- figures ----------------------------------------------------------------------------------

  // Find the figures again after files were added, and show one that has some of them.
  async #arrange(added) {
    const before = new Set(this.figures);
    await this.#findFigures();
    const isNew = new Set(added);
    const hasNew = (figure) => figure.paths.some((path) => isNew.has(path));
    const starts = (figure) => isNew.has(figure.words[0]?.split('#')[0]);
    const stays = this.figures.includes(this.figure);
    const next =
      this.figures.find((figure) => !before.has(figure) && hasNew(figure)) ??
      (stays && hasNew(this.figure) ? this.figure : null) ??
      this.figures.find(starts) ??
      (this.figure ? null : this.figures.find(hasNew));
    const broken = added.map((path) => this.items.get(path)).filter((item) => item?.isBroken);
    if (next) await this.showFigure(next, { isSame: next === this.figure && this.scene !== null && !this.question });
    else if (this.figure && !stays) await this.showFigure(this.figures[0] ?? null);
    if (broken.length > 0) this.#tellBroken(broken, Boolean(next));
    else if (!next && this.items.size > 0) this.#tellUnplayed(added);
  }

  /** Add a figure that is specified by the embedded data and stays when others are found. */
  #pin({ name, words, options = {} }) {
    this.figures.push({ name, words, options, paths: this.#pathsOf(words), isPinned: true });
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
  async entries(word) {
    return this.items.get(word)?.found ?? this.client.call('entries', word);
  }

  /** The figures below a path, or in all files. */
  async findFigures(path) {
    const figures = await this.client.call('figures', path);
    return figures.map((figure) => ({
      name: figure.name,
      words: figure.paths,
      paths: figure.files,
      missing: figure.missing,
      note: figureNote(figure),
      boneCount: figure.boneCount,
      clipCount: figure.clipCount,
      options: {},
    }));
  }

  async #findFigures() {
    // A pinned figure that lacks something may find it among the new files.
    const pinned = this.figures.filter((figure) => figure.isPinned && !figure.isAsking);
    const settled = new Set(pinned.flatMap((figure) => figure.paths));
    const extras = this.figures.filter((figure) => figure.isExtra);
    const known = this.figures.filter((figure) => !figure.isExtra && !pinned.includes(figure));
    const found = (await this.findFigures()).filter(
      (figure) => !figure.paths.every((path) => settled.has(path)),
    );
    // A figure that was there stays the same object, with what the user has chosen for it, even if the
    // new files belong to it.
    const taken = new Set();
    const same = (figure) => {
      const old =
        known.find((other) => !taken.has(other) && other.words[0] === figure.words[0]) ??
        known.find((other) => !taken.has(other) && other.words.some((word) => figure.words.includes(word)));
      if (!old) return figure;
      taken.add(old);
      const { options } = old;
      return Object.assign(old, figure, { options, isPinned: false });
    };
    this.figures = [...pinned, ...found.map(same), ...extras];
    this.emit('figures');
  }

  #tellApart(dropped, folder) {
    const names = dropped.filter(({ path }) => this.items.has(path)).map(({ path }) => lastName(path));
    const text =
      names.length === 1
        ? `Another ${names[0]} is there already. What you have added is kept apart, in the folder "${folder}".`
        : `Files with ${names.length} of these names are there already. What you have added is kept apart, in the folder "${folder}".`;
    const replace = async () => {
      await this.#remove((path) => path.startsWith(`${folder}/`));
      await this.add(dropped, { replaces: true });
    };
    this.emit('notice', { kind: 'info', text, action: { label: 'Replace instead', run: replace } });
  }

  async #remove(isMeant) {
    for (const path of [...this.items.keys()].filter(isMeant)) {
      this.items.delete(path);
      await this.client.call('remove', path);
    }
  }

  #tellUnplayed(added) {
    const items = added.map((path) => this.items.get(path)).filter(Boolean);
    if (items.length === 0) return;
    if (this.figure && items.every((item) => item.kind !== 'unknown')) return; // it has them, or may have
    const [first] = items;
    if (items.length === 1 && first.kind === 'texture') {
      this.selectFile(first.path, null, 'info'); // the tab shows the picture
      return;
    }
    this.selectFile(first.path);
    this.emit('notice', { kind: 'warning', text: unplayedText(items) });
  }

  #tellBroken(broken, isAside) {
    const [first] = broken;
    this.emit('notice', { kind: 'error', word: first.path, text: brokenText(broken) });
    if (!isAside) this.selectFile(first.path, first.error?.offset ?? null, 'bytes');
  }

  // ---- the figure that is shown -----------------------------------------------------------------

  /**
   * Show one of `figures`, with the clip that it was left with; null: none.
   * @param {any} figure
   * @param {{ isSame?: boolean }} [how] `isSame`: at the same time, seen from the same side
   */
  async showFigure(figure, { isSame = false } = {}) {
    const turn = ++this.#turn;
    const before = this.figure;
    const busy = setTimeout(() => {
      if (figure && turn === this.#turn) this.emit('busy', { text: `Building ${figure.name}`, isWaiting: true });
    }, PATIENCE);
    let made = null;
    let failure = null;
    try {
      if (figure) made = await this.#make(figure);
    } catch (error) {
      failure = error;
    } finally {
      clearTimeout(busy);
      if (!this.isReading) this.emit('busy', null);
    }
    if (turn !== this.#turn) return;
    this.#take(figure, made, failure, isSame);
    this.emit('scene', { isSame });
    if (failure && !(failure instanceof Stopped)) {
      if (failure.code === 'crashed') await this.#recover();
      else this.emit('notice', { kind: 'error', text: failure.message });
    }
    const first = figure?.paths[0];
    const isOther = before !== null && before !== figure && !figure?.paths.includes(this.file?.word);
    if (first && (!this.file || isOther || !figure.paths.includes(this.file.word.split('#')[0]))) this.selectFile(first);
  }

  // Patterns of the user come after those of the embedded data: the last one that matches decides.
  async #make(figure) {
    const { words, paths, options, parts = new Map() } = figure;
    const all = { ...this.options, ...options };
    const made = await this.#scenes.make(words, paths, { ...all, parts: [...(all.parts ?? []), ...patternsOf(parts)] });
    const { scene } = made;
    const index = scene.clips.findIndex(({ name }) => name === figure.clipName);
    const clip = figure.clipName === null ? -1 : index < 0 && scene.clips.length > 0 ? 0 : index;
    return { ...made, clip, motion: await this.#scenes.motion(scene, clip) };
  }

  /** The scene of a figure, which is not shown by that, and the variant that is chosen for it. */
  async sceneOf(figure) {
    const { scene } = await this.#make(figure);
    return { scene, variant: scene.variants[variantCalled(scene.variants, figure.variant ?? null)] };
  }

  /** The keys of a clip of such a scene; null for the rest pose. */
  motionOf(scene, clip) {
    return this.#scenes.motion(scene, clip);
  }

  #take(figure, made, failure, isSame) {
    const bone = isSame ? this.scene?.bones[this.bone]?.name : undefined;
    const before = this.slots;
    this.#drop();
    Object.assign(this, { figure, failure });
    if (!made) return;
    const { scene, survey, clip, motion } = made;
    Object.assign(this, { scene, clip, motion, pose: new Pose(scene.bones) });
    this.bone = scene.bones.findIndex(({ name }) => name === bone);
    this.camera = scene.bones.length === 0 && scene.cameras.length > 0 ? 0 : -1;
    // The same slots stay the same object, so that what is open in their list stays open.
    const slots = slotsToChoose(survey.slots);
    this.slots = isSame && JSON.stringify(slots) === JSON.stringify(before) ? before : slots;
    this.variant = variantCalled(scene.variants, figure.variant ?? null);
    this.#shown = new Set(scene.meshes.map((mesh) => mesh.name.toLowerCase()));
    const present = new Set(figure.paths.map((path) => this.items.get(path)?.format));
    this.question = question(scene, survey, this.formats(scene.game), present);
    figure.isAsking = this.question !== null;
    if (figure.wantsPlaceholders) this.question = null;
  }

  #drop() {
    this.pose = this.scene = this.motion = this.failure = this.question = null;
    this.clip = this.camera = this.bone = this.variant = -1;
    this.slots = [];
  }

  /** Show one word, for example an entry of an archive, as a figure of its own. */
  showWord(word) {
    const isSame = ({ words }) => words.length === 1 && words[0] === word;
    const paths = [word.split('#')[0]];
    return this.#showExtra({ name: lastName(word), words: [word], options: {}, paths }, isSame);
  }

  /** Show a figure that `findFigures` has found in one file. */
  showModel(model) {
    return this.#showExtra(model, (figure) => this.isModel(figure, model));
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
    return this.showFigure(there ?? this.figures.at(-1));
  }

  usePlaceholders() {
    this.question = null;
    if (this.figure) this.figure.wantsPlaceholders = true;
    this.emit('scene', {});
  }

  /** @param {number} index -1: the rest pose */
  async setClip(index) {
    const turn = ++this.#turn;
    const { scene, figure } = this;
    const motion = await this.#scenes.motion(scene, index);
    if (turn !== this.#turn || scene !== this.scene) return;
    Object.assign(this, { clip: index, camera: -1, motion });
    figure.clipName = scene.clips[index]?.name ?? null;
    this.emit('clip');
    await this.#selectFileOfClip();
  }

  // What is selected in the list of files follows the clip.
  async #selectFileOfClip() {
    const { scene, clip } = this;
    if (!scene || clip < 0) return;
    const word = await this.#scenes.fileOf(scene, clip).catch(() => null);
    if (word !== null && scene === this.scene && clip === this.clip && word !== this.file?.word)
      this.selectFile(word);
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
    return this.#change({ parts: new Map(this.figure.parts).set(name, isShown) });
  }

  resetParts() {
    return this.#change({ parts: new Map() });
  }

  /** The options that make a difference for the figure, as the library lists them. */
  get sceneOptions() {
    return this.scene?.options ?? [];
  }

  /** Those that are chosen. */
  get chosenOptions() {
    return { ...this.options, ...this.figure?.options };
  }

  /** Choose other options for the figure. @param {object} options see SceneOptions in ossa.d.ts */
  setOptions(options) {
    const all = { ...this.figure.options, ...options };
    return this.#change({ options: withoutDefaults(this.sceneOptions, all, this.options) });
  }

  /** All options as the library takes them by itself. */
  resetOptions() {
    const defaults = this.sceneOptions.map((option) => [option.name, option.default ?? undefined]);
    return this.setOptions(Object.fromEntries(defaults));
  }

  // The same figure made otherwise, at the same time of the same clip. If that fails, nothing changes.
  async #change(members) {
    const { figure } = this;
    const before = { parts: figure.parts, options: figure.options };
    const turn = ++this.#turn;
    Object.assign(figure, members);
    try {
      const made = await this.#make(figure);
      if (turn !== this.#turn) return;
      this.#take(figure, made, null, true);
    } catch (error) {
      Object.assign(figure, before);
      this.emit('notice', { kind: 'error', text: error.message });
      this.emit('parts');
      return;
    }
    this.emit('scene', { isSame: true });
  }

  setView(name, value) {
    if (value && MOTIONS.includes(name)) for (const other of MOTIONS) this.view[other] = false;
    this.view[name] = value;
    this.emit('view', name);
    if (name === 'travel' && value && !this.view.follow) this.setView('follow', true); // or it walks out of sight
  }

  /** Select a file; `tab` also opens that tab of the inspector; `size` bytes at the offset are marked. */
  selectFile(word, offset = null, tab = null, size = 1) {
    this.file = { word, offset, size };
    this.emit('file', { tab });
  }

  /** The bytes of a file or an entry. Throws what the library throws. */
  async byteSource(word) {
    const blob = this.items.get(word)?.blob;
    return new ByteSource(blob ?? (await this.client.call('bytes', word)));
  }

  /** Where a key of the scene is stored. @param {{ clip: number, bone: number, channel: string, frame: number }} key
   * @returns {Promise<any>} KeyBytes in ossa.d.ts */
  keyBytes(key) {
    return this.#scenes.keyBytes(this.scene, key);
  }

  /** The keys of the scene that are stored in a byte. @returns {Promise<any[]>} KeyUse in ossa.d.ts */
  keysAt(word, offset) {
    return this.#scenes.keysAt(this.scene, word, offset);
  }

  /** What `Scene` in ossa.d.ts exports: "glb", "json", "bvh", "csv". @returns {Promise<Uint8Array>} */
  export(kind, options = {}) {
    return this.#scenes.export(this.scene, kind, options);
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
