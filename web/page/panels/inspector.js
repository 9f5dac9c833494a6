// SPDX-License-Identifier: MIT
//
// The panel on the right: its tabs, and the facts and issues of the figure and the selected file.

import { byId, el, lastName } from '../window/dom.js';
import { figureFacts, fileFacts, modelFacts } from './facts.js';
import { IssueList } from './issues.js';
import { ModelList } from './models.js';
import { SHEET } from '../window/panes.js';

const TABS = ['library', 'info', 'look', 'issues', 'bones', 'curves', 'bytes'];

export class Inspector {
  #inner = 'info'; // of the tabs but the library
  #isLibrary = false; // the sheet of a phone shows it
  #sheet = window.matchMedia(SHEET);
  #session;
  #hex;
  /** @type {any} */
  #about = { word: null, promise: null };
  #turn = 0;
  #stats;

  /** @param {any} session @param {any} hex @param {() => {vertices: number}} stats */
  constructor(session, hex, stats) {
    this.#session = session;
    this.#hex = hex;
    this.#stats = stats;
    for (const tab of TABS) {
      byId(`tab-${tab}`).addEventListener('click', () => {
        // On a phone the panel is a sheet: tapping its open tab changes the height.
        if (tab === this.tab) document.body.classList.toggle('tall');
        this.open(tab);
      });
      byId(`tab-${tab}`).addEventListener('keydown', (event) => this.#key(event, tab));
    }
    session.on('scene', () => this.#offerLook());
    for (const event of ['scene', 'clip', 'variant']) session.on(event, () => this.#refresh());
    session.on('files', () => {
      this.#forget();
      this.#refresh();
    });
    session.on('file', (detail) => this.#fileChosen(detail));
    this.open('info');
    this.#isLibrary = true; // first, wherever there is room for one only
    this.#sheet.addEventListener('change', () => this.#mark());
    this.#mark();
    this.#refresh();
  }

  // The tab is there only if the figure has a choice.
  #offerLook() {
    const { scene, slots, sceneOptions } = this.#session;
    byId('tab-look').hidden = slots.length === 0 && sceneOptions.length === 0 && !(scene?.variants.length > 0);
    if (this.tab === 'look' && byId('tab-look').hidden) this.open('info');
  }

  /** The tab that is seen. The library is one on a phone; elsewhere it has its own panel. */
  get tab() {
    return this.#isLibrary && this.#sheet.matches ? 'library' : this.#inner;
  }

  open(tab) {
    if (byId(`tab-${tab}`).hidden) return;
    this.#isLibrary = tab === 'library';
    if (!this.#isLibrary) this.#inner = tab;
    this.#mark();
    if (tab === 'bytes') this.#showBytes();
    this.#session.emit('tab', tab);
  }

  // Also when a phone is rotated: one tab is selected and its panel is there, with or without the sheet.
  #mark() {
    document.body.dataset.sheet = this.#isLibrary ? 'library' : 'inspector';
    for (const name of TABS) {
      const isOpen = name === this.tab;
      byId(`tab-${name}`).setAttribute('aria-selected', String(isOpen));
      byId(`tab-${name}`).tabIndex = isOpen ? 0 : -1;
      if (name !== 'library') byId(`panel-${name}`).hidden = name !== this.#inner;
    }
  }

  #key(event, tab) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const seen = TABS.filter((name) => byId(`tab-${name}`).offsetParent !== null);
    const next = seen[(seen.indexOf(tab) + by + seen.length) % seen.length];
    this.open(next);
    byId(`tab-${next}`).focus();
    event.preventDefault();
    event.stopPropagation();
  }

  #fileChosen({ tab }) {
    if (tab) this.open(tab);
    else if (this.tab === 'bytes') this.#showBytes();
    this.#refresh();
  }

  async #showBytes() {
    const file = this.#session.file;
    byId('hex-name').textContent = file ? lastName(file.word) : 'No file';
    byId('hex-name').title = file?.word ?? '';
    await this.#hex.show(file?.word ?? null, file?.offset ?? null, file?.size);
    const about = file && (await this.#read(file.word));
    if (file !== this.#session.file) return;
    byId('hex-error').hidden = !about?.error;
    byId('hex-error').textContent = about?.error?.message ?? '';
  }

  #forget() {
    this.#about.models?.close();
    this.#about = { word: null, promise: null };
  }

  // What the library says about the selected file.
  #read(word) {
    if (this.#about.word === word) return this.#about.promise;
    this.#forget();
    const about = { word, promise: null, models: null };
    this.#about = about;
    about.promise = this.#ask(word, about);
    return about.promise;
  }

  async #ask(word, holder) {
    const item = this.#session.items.get(word);
    const found = item?.found ?? null;
    const nothing = { size: item?.size, format: null, facts: null, issues: [], error: null, picture: null };
    let about = { word, ...nothing, found, modelCount: 0, models: null };
    try {
      if (!found) about = { ...about, ...(await this.#session.client.call('read', word)) };
      about.size ??= item?.size;
      const isArchive = found || about.format?.can.includes('list');
      const models = isArchive ? await this.#findModels(word, found) : [];
      about.modelCount = models.length;
      if (models.length > 0) about.models = new ModelList(this.#session, models);
    } catch (error) {
      about.error ??= error;
    }
    holder.models = about.models;
    if (this.#about !== holder) about.models?.close();
    return about;
  }

  async #findModels(word, found) {
    // A disc has been searched already.
    return found
      ? this.#session.figures.filter(({ paths }) => paths[0] === word)
      : this.#session.findFigures(word);
  }

  async #refresh() {
    const word = this.#session.file?.word ?? null;
    const turn = ++this.#turn;
    const about = word !== null ? await this.#read(word) : null;
    if (turn !== this.#turn) return; // a later one shows more
    const ofFigure = figureFacts(this.#session, this.#stats().vertices);
    const ofFile = about ? fileFacts(this.#session, about, () => this.open('bytes')) : [];
    // The picture of a texture comes first.
    const facts = about?.picture ? [...ofFile, ...ofFigure] : [...ofFigure, ...ofFile];
    if (about) facts.unshift(...modelFacts(about));
    const nothing = el('p', { class: 'quiet', text: 'Details of the figure and of the selected file appear here.' });
    const show = () =>
      byId('panel-info').replaceChildren(...(facts.length > 0 ? facts : [nothing]));
    if (about?.models) about.models.keep(show);
    else show();
    about?.models?.update();
    const issues = new IssueList(this.#session, about);
    byId('panel-issues').replaceChildren(...issues.parts);
    const badge = byId('issues-badge');
    badge.hidden = issues.count === 0;
    badge.textContent = String(issues.count);
    badge.classList.toggle('error', issues.hasErrors);
  }
}
