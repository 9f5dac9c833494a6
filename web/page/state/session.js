// SPDX-License-Identifier: MIT
//
// The state of the page: the open files (opened.js), the figures that the library finds in them
// (figure_list.js), and the figure that is shown (shown.js). All parts of the page read it and change it
// through its methods. Events report changes: files, figures, file, notice, busy, and those of shown.js.

import { question } from './asking.js';
import { isGlb } from '../compare/glb_check.js';
import { Stopped } from '../worker/client.js';
import { lastName } from '../window/dom.js';
import { figureOf, mergedFigures, nextFigure, pinnedFigure } from './figure_list.js';
import { brokenText, glbText, unplayedText } from './notices.js';
import { Opened } from './opened.js';
import { Shown } from './shown.js';

const PATIENCE = 150; // milliseconds before the page says that it is building a figure

export class Session extends Shown {
  /** @type {any[]} */
  figures = [];
  /** @type {{ word: string, offset: number|null, size: number }|null} the selected file */
  file = null;
  /** Paths of the files that the page itself contains. */
  embedded = new Set();
  #formats;
  #opened;

  /**
   * @param {import('../worker/client.js').Client} client
   * @param {{ version: string, formats: any[] }} about the library
   */
  constructor(client, { version, formats }) {
    super(client, (figure, scene, survey) => {
      const present = new Set(figure.paths.map((path) => this.items.get(path)?.format));
      return question(scene, survey, this.formats(scene.game), present);
    });
    this.client = client;
    this.version = version;
    this.#formats = new Map(formats.map((format) => [format.id, format]));
    this.#opened = new Opened(client, {
      emit: (name, detail) => this.emit(name, detail),
      arrived: (paths, pins) => this.#filesArrived(paths, pins),
      restarting: () => this.forget(null),
    });
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

  /** All files, by path: see examine.js. @returns {Map<string, any>} */
  get items() {
    return this.#opened.items;
  }

  get isReading() {
    return this.#opened.isReading;
  }

  /**
   * Add files, find the figures in all files, and show one that is new.
   * @param {import('./files.js').Dropped[]} dropped
   * @param {import('./opened.js').How} [how]
   */
  add(dropped, how = {}) {
    return this.#opened.add(dropped, how);
  }

  async #filesArrived(paths, pins) {
    for (const pin of pins) this.figures.push(pinnedFigure(pin, this.items.keys()));
    this.emit('files');
    if (paths.length === 0) return;
    this.forget(paths);
    await this.#arrange(paths);
  }

  /** Stop reading. Files that have been read stay. */
  async cancel() {
    this.#opened.stop();
    if (!this.isReading) return;
    const restarted = this.#opened.restart();
    if (this.scene) await this.showFigure(this.figure, { isSame: true });
    await restarted;
  }

  /** Remove everything. */
  async clear() {
    this.#opened.stop();
    this.leave();
    this.items.clear();
    this.figures = [];
    this.file = null;
    this.emit('adding');
    this.emit('files');
    this.emit('figures');
    this.emit('scene');
    this.emit('file', {});
    await this.#opened.restart();
  }

  /** The entries of an archive or a disc. Throws what the library throws. */
  entries(word) {
    return this.#opened.entries(word);
  }

  /** The bytes of a file or an entry. Throws what the library throws. */
  byteSource(word) {
    return this.#opened.byteSource(word);
  }

  /** Select a file; `tab` also opens that tab of the inspector; `size` bytes at the offset are marked. */
  selectFile(word, offset = null, tab = null, size = 1) {
    this.file = { word, offset, size };
    this.emit('file', { tab });
  }

  // ---- figures ----------------------------------------------------------------------------------

  // Find the figures again after files were added, and show one that has some of them.
  async #arrange(added) {
    const before = new Set(this.figures);
    this.figures = mergedFigures(this.figures, await this.findFigures());
    this.emit('figures');
    const stays = this.figures.includes(this.figure);
    const next = nextFigure(this.figures, before, this.figure, added);
    const items = added.map((path) => this.items.get(path)).filter(Boolean);
    const broken = items.filter((item) => item.isBroken);
    if (next) await this.showFigure(next, { isSame: next === this.figure && this.scene !== null && !this.question });
    else if (this.figure && !stays) await this.showFigure(this.figures[0] ?? null);
    if (broken.length > 0) this.#tellBroken(broken, Boolean(next));
    const glbs = await glbsAmong(items);
    if (broken.length === 0 && !next) this.#tellUnplayed(items.filter((item) => !glbs.includes(item)));
    if (glbs.length > 0) this.#tellGlb(glbs[0]);
    if (glbs.length > 0 && glbs.length === items.length) this.selectFile(glbs[0].path);
  }

  #tellGlb({ path, blob }) {
    const compare = () => this.emit('compare', new File([blob], lastName(path)));
    const action = this.scene ? { label: 'Compare', run: compare } : undefined;
    this.emit('notice', { kind: 'info', text: glbText(path, this.scene !== null), action });
  }

  /** The figures below a path, or in all files. */
  async findFigures(path) {
    const figures = await this.client.call('figures', path);
    return figures.map(figureOf);
  }

  #tellUnplayed(items) {
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
    const tab = first.error ? 'bytes' : 'issues';
    this.emit('notice', { kind: 'error', word: first.path, tab, text: brokenText(broken) });
    if (!isAside) this.selectFile(first.path, first.error?.offset ?? null, tab);
  }

  /**
   * Show one of `figures`, with the clip that it was left with; null: none.
   * @param {any} figure
   * @param {{ isSame?: boolean }} [how] `isSame`: at the same time, seen from the same side
   */
  async showFigure(figure, { isSame = false } = {}) {
    const before = this.figure;
    const shown = this.show(figure, isSame);
    const { turn } = this;
    const busy = setTimeout(() => {
      if (figure && turn === this.turn) this.emit('busy', { text: `Building ${figure.name}`, isWaiting: true });
    }, PATIENCE);
    const isShown = await shown;
    clearTimeout(busy);
    if (!this.isReading) this.emit('busy', null);
    if (!isShown) return;
    const { failure } = this;
    if (failure && !(failure instanceof Stopped)) {
      if (failure.code === 'crashed') await this.#opened.recover();
      else this.emit('notice', { kind: 'error', text: failure.message });
    }
    const first = figure?.paths[0];
    const isOther = before !== null && before !== figure && !figure?.paths.includes(this.file?.word);
    if (first && (!this.file || isOther || !figure.paths.includes(this.file.word.split('#')[0]))) this.selectFile(first);
  }

  /** Also selects the file of the clip. @param {number} index -1: the rest pose */
  async setClip(index) {
    const isShown = await super.setClip(index);
    const word = isShown ? await this.fileOfClip() : null;
    if (word !== null && word !== this.file?.word) this.selectFile(word);
    return isShown;
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
}

async function glbsAmong(items) {
  const glbs = [];
  for (const item of items) if (item.error?.code === 'not-original' && (await isGlb(item.blob))) glbs.push(item);
  return glbs;
}
