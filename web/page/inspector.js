// SPDX-License-Identifier: MIT
//
// The panel at the right: tabs, and what is said of the figure and of the file that is looked at.

import { byId, el, lastName } from './dom.js';
import { figureFacts, fileFacts } from './facts.js';
import { IssueList } from './issues.js';
import { readPicture } from './picture.js';

const TABS = ['library', 'info', 'issues', 'bones', 'curves', 'bytes'];

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
        // On a phone the panel is a sheet: its open tab makes it taller, and lower again.
        if (tab === this.tab) document.body.classList.toggle('tall');
        this.open(tab);
      });
      byId(`tab-${tab}`).addEventListener('keydown', (event) => this.#key(event, tab));
    }
    session.on('scene', () => this.#refresh());
    session.on('clip', () => this.#refresh());
    session.on('files', () => {
      this.#about = { word: null };
      this.#refresh();
    });
    session.on('file', (detail) => this.#fileChosen(detail));
    this.open('info');
    if (window.matchMedia('(max-width: 699px)').matches) this.open('library');
    this.#refresh();
  }

  open(tab) {
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

  // What the library says of a file; kept for the one that is looked at.
  #read(word) {
    if (this.#about.word === word) return this.#about;
    const about = {
      word,
      size: this.#session.items.get(word)?.size,
      info: '',
      format: null,
      issues: [],
      error: null,
      disc: this.#session.items.get(word)?.disc ?? null,
      picture: null,
    };
    if (!about.disc) this.#readFile(word, about);
    this.#about = about;
    return about;
  }

  #readFile(word, about) {
    try {
      const file = this.#session.workspace.open(word);
      Object.assign(about, {
        info: file.info(),
        format: file.format,
        issues: [...file.issues],
      });
      file.free();
      if (about.format.kind === 'texture')
        about.picture = readPicture(this.#session.workspace, word);
    } catch (error) {
      Object.assign(about, { error, issues: error.issues ?? [] });
    }
  }

  #refresh() {
    const word = this.#session.file?.word ?? null;
    const about = word !== null ? this.#read(word) : null;
    const ofFigure = figureFacts(this.#session, this.#stats().vertices);
    const ofFile = about ? fileFacts(this.#session, about, () => this.open('bytes')) : [];
    // Who chooses a texture wants to see it.
    const facts = about?.picture ? [...ofFile, ...ofFigure] : [...ofFigure, ...ofFile];
    const nothing = el('p', { class: 'quiet', text: 'What a file is and holds is said here.' });
    byId('panel-info').replaceChildren(...(facts.length > 0 ? facts : [nothing]));
    const issues = new IssueList(this.#session, about);
    byId('panel-issues').replaceChildren(...issues.parts);
    const badge = byId('issues-badge');
    badge.hidden = issues.count === 0;
    badge.textContent = String(issues.count);
    badge.classList.toggle('error', issues.hasErrors);
  }
}
