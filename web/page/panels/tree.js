// SPDX-License-Identifier: MIT
//
// All files as a tree of folders, files and archives, which open like folders. The search covers all
// names, also in archives, which are listed a few at a time.

import { isBroken } from '../state/describe.js';
import { bytesText, byId, el, lastName, oncePerFrame, plural } from '../window/dom.js';
import { icon } from '../window/icons.js';
import { List } from './list.js';
import { setUpSearch } from './search.js';

/** @typedef {{ name: string, word: string, depth: number, kind: string, format: string|null, size: number,
 *   ownName?: string, isOpen: boolean, canOpen: boolean, children: Node[]|null, isBroken: boolean }} Node */

const MOST_FOUND = 2000;
const MOST_ASKED = 32; // archives that are listed at a time, for a search

export class FileTree {
  #session;
  #list;
  #roots = [];
  #open = new Set();
  #entries = new Map();
  #sought = '';
  #showSoon = oncePerFrame(() => this.#show());

  constructor(session) {
    this.#session = session;
    this.#list = new List(byId('files-list'), {
      label: 'Files',
      tree: true,
      row: (node) => row(node),
      describe: (node) => ({
        'aria-level': node.depth + 1,
        'aria-expanded': node.canOpen ? String(node.isOpen) : null,
        class: node.isBroken ? 'broken' : '',
        title: [node.word, node.ownName].filter(Boolean).join('\n'),
      }),
      choose: (node) => this.#choose(node),
      take: (node) => this.#take(node),
      fold: (node, open) => this.#fold(node, open),
    });
    const search = byId('files-search');
    setUpSearch(search, this.#list, () => {
      this.#sought = search.value.trim().toLowerCase();
      this.#show();
    });
    session.on('files', () => this.#rebuild());
    session.on('file', () => this.#reveal());
  }

  #choose(node) {
    if (node.kind !== 'folder') this.#session.selectFile(node.word);
    else this.#show();
  }

  // A double click opens what contains files, and shows what can be shown.
  #take(node) {
    if (node.canOpen) this.#fold(node, !node.isOpen);
    else if (isPlayable(this.#session.format(node.format))) this.#session.showWord(node.word);
  }

  #fold(node, open) {
    if (!node.canOpen) return;
    if (open) this.#open.add(node.word);
    else this.#open.delete(node.word);
    this.#show();
  }

  #rebuild() {
    this.#entries = new Map();
    if (this.#session.items.size === 0) this.#open.clear();
    const roots = [];
    const folders = new Map();
    for (const item of this.#session.items.values()) {
      let siblings = roots;
      const parts = item.path.split('/');
      parts.slice(0, -1).forEach((name, depth) => {
        const word = parts.slice(0, depth + 1).join('/');
        if (!folders.has(word)) {
          const folder = {
            name,
            word,
            depth,
            kind: 'folder',
            format: null,
            size: 0,
            isOpen: false,
            canOpen: true,
            children: [],
            isBroken: false,
          };
          folders.set(word, folder);
          siblings.push(folder);
          if (depth === 0) this.#open.add(word);
        }
        siblings = folders.get(word).children;
      });
      siblings.push({
        name: parts[parts.length - 1],
        word: item.path,
        depth: parts.length - 1,
        kind: item.kind,
        format: item.format,
        size: item.size,
        isOpen: false,
        canOpen: Boolean(item.found) || this.#session.opens(item.format),
        children: null,
        isBroken: item.isBroken,
      });
    }
    this.#roots = roots;
    byId('clear').hidden = this.#session.items.size === 0;
    document.body.classList.toggle('empty', this.#session.items.size === 0);
    byId('files-count').textContent =
      this.#session.items.size === 0 ? '' : plural(this.#session.items.size, 'file');
    this.#show();
  }

  // What an archive contains comes from the worker: until it is there, there is nothing.
  #childrenOf(node) {
    if (node.children) return node.children;
    if (!this.#entries.has(node.word)) {
      this.#entries.set(node.word, null);
      const entries = this.#entries;
      this.#readEntries(node).then((children) => {
        entries.set(node.word, children);
        this.#showSoon();
      });
    }
    return this.#entries.get(node.word) ?? [];
  }

  async #readEntries(node) {
    try {
      const entries = await this.#session.entries(node.word);
      return entries.map((entry) => {
        const kind = this.#session.format(entry.format)?.kind ?? 'unknown';
        return {
          name: entry.name,
          ownName: entry.ownName ?? '',
          word: `${node.word}#${entry.name}`,
          depth: node.depth + 1,
          kind,
          format: entry.format,
          size: entry.size,
          isOpen: false,
          canOpen: this.#session.opens(entry.format),
          children: null,
          isBroken: Boolean(entry.isMissing) || isBroken(entry),
        };
      });
    } catch {
      return []; // the inspector reports the error
    }
  }

  // Open what the selected file is in.
  #reveal() {
    const word = this.#session.file?.word ?? '';
    for (let at = 1; at < word.length; at++)
      if (word[at] === '/' || word[at] === '#') this.#open.add(word.slice(0, at));
    this.#show();
  }

  #show() {
    const rows = this.#sought ? this.#found() : this.#unfolded();
    const word = this.#session.file?.word;
    this.#list.set(
      rows,
      rows.findIndex((node) => node.word === word),
    );
  }

  #unfolded() {
    const rows = [];
    const waiting = [...this.#roots].reverse();
    while (waiting.length > 0) {
      const node = waiting.pop();
      node.isOpen = this.#open.has(node.word);
      rows.push(node);
      if (node.isOpen && node.canOpen)
        for (const child of [...this.#childrenOf(node)].reverse()) waiting.push(child);
    }
    return rows;
  }

  #found() {
    const rows = [];
    const waiting = [...this.#roots].reverse();
    let asked = 0;
    while (waiting.length > 0 && rows.length < MOST_FOUND) {
      const node = waiting.pop();
      const names = `${node.word} ${node.ownName ?? ''}`.toLowerCase();
      if (names.includes(this.#sought) && node.kind !== 'folder') rows.push(foundRow(node));
      if (!node.canOpen) continue;
      const isKnown = node.children !== null || this.#entries.has(node.word);
      if (!isKnown && ++asked > MOST_ASKED) continue; // they are asked for when these have come
      for (const child of [...this.#childrenOf(node)].reverse()) waiting.push(child);
    }
    return rows;
  }
}

// A row of the search: not indented, with the name of the folder or archive.
function foundRow(node) {
  const name = lastName(node.word);
  const within = node.word.slice(0, -name.length - 1);
  return { ...node, depth: 0, canOpen: false, name, within };
}

/** Whether something can be shown as a figure by itself. */
export function isPlayable(format) {
  if (format?.kind === 'archive') return format.can.includes('list');
  return ['animation', 'skeleton', 'model', 'camera'].includes(format?.kind);
}

const ICONS = {
  folder: 'folder',
  archive: 'archive',
  animation: 'clip',
  skeleton: 'bone',
  model: 'figure',
  camera: 'camera',
  texture: 'texture',
};

function row(node) {
  const twisty = el('span', {
    class: node.canOpen ? `twisty${node.isOpen ? ' open' : ''}` : 'no-twisty',
    'aria-hidden': 'true',
  });
  const indent = el('span', { class: 'indent' });
  indent.style.width = `${node.depth * 12}px`;
  return [
    indent,
    twisty,
    icon(node.isBroken ? 'error' : (ICONS[node.kind] ?? 'file')),
    el('span', {
      class: 'name',
      text: node.ownName ? `${node.name}  ${node.ownName}` : node.name,
    }),
    el('span', {
      class: 'aside',
      text: node.within ?? (node.kind === 'folder' ? '' : (node.format ?? bytesText(node.size))),
    }),
  ];
}
