// SPDX-License-Identifier: MIT
//
// The panel on the right: its tabs, and the facts and issues of the figure and the selected file.

import { byId, el, lastName } from './dom.js';
import { figureFacts, fileFacts, modelFacts } from './facts.js';
import { IssueList } from './issues.js';
import { ModelList } from './models.js';
import { readPicture } from './picture.js';

const TABS = ['library', 'info', 'look', 'issues', 'bones', 'curves', 'bytes'];

export class Inspector {
  tab = 'info';
  #session;
  #hex;
  #about = { word: null };
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
    if (window.matchMedia('(max-width: 699px)').matches) this.open('library');
    this.#refresh();
  }

  // The tab is there only if the figure has a choice.
  #offerLook() {
    const { scene, slots } = this.#session;
    byId('tab-look').hidden = slots.length === 0 && !(scene?.variants.length > 0);
    if (this.tab === 'look' && byId('tab-look').hidden) this.open('info');
  }

  open(tab) {
    if (byId(`tab-${tab}`).hidden) return;
    this.tab = tab;
    document.body.dataset.sheet = tab === 'library' ? 'library' : 'inspector';
    for (const name of TABS) {
      const isOpen = name === tab;
      byId(`tab-${name}`).setAttribute('aria-selected', String(isOpen));
      byId(`tab-${name}`).tabIndex = isOpen ? 0 : -1;
      if (name !== 'library') byId(`panel-${name}`).hidden = !isOpen;
    }
    if (tab === 'bytes') this.#showBytes();
    this.#session.emit('tab', tab);
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

  #showBytes() {
    const file = this.#session.file;
    byId('hex-name').textContent = file ? lastName(file.word) : 'No file';
    byId('hex-name').title = file?.word ?? '';
    this.#hex.show(file?.word ?? null, file?.offset ?? null);
    const error = file ? this.#read(file.word).error : null;
    byId('hex-error').hidden = !error;
    byId('hex-error').textContent = error?.message ?? '';
  }

  #forget() {
    this.#about.models?.close();
    this.#about = { word: null };
  }

  // What the library says about the selected file.
  #read(word) {
    if (this.#about.word === word) return this.#about;
    this.#forget();
    const item = this.#session.items.get(word);
    const about = {
      word,
      size: item?.size,
      facts: null,
      format: null,
      confidence: '',
      modelCount: 0,
      models: null,
      issues: [],
      error: null,
      found: item?.found ?? null,
      picture: null,
    };
    if (!about.found) this.#readFile(word, about);
    if (about.found || about.format?.can.includes('list')) this.#findModels(word, about);
    this.#about = about;
    return about;
  }

  #readFile(word, about) {
    const { workspace } = this.#session;
    try {
      const file = workspace.open(word);
      const { format, confidence, size } = file;
      Object.assign(about, { format, confidence, size });
      Object.assign(about, { facts: file.facts().facts, issues: [...file.issues] });
      file.free();
      if (format.kind === 'texture') about.picture = readPicture(workspace, word);
    } catch (error) {
      Object.assign(about, { error, issues: error.issues ?? [] });
    }
  }

  #findModels(word, about) {
    // A disc has been searched already.
    const models = about.found
      ? this.#session.figures.filter(({ paths }) => paths[0] === word)
      : this.#session.findFigures(word);
    about.modelCount = models.length;
    if (models.length > 0) about.models = new ModelList(this.#session, models);
  }

  #refresh() {
    const word = this.#session.file?.word ?? null;
    const about = word !== null ? this.#read(word) : null;
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
