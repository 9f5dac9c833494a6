// SPDX-License-Identifier: MIT
//
// A list or a flattened tree of any length: only visible rows exist. It is one tab stop. Arrows, Home,
// End, Page Up and Page Down move, Enter opens, Left and Right fold and unfold.

import { el, oncePerFrame } from '../window/dom.js';

// Fingers need more space than a mouse. In page.css this is var(--row).
const coarse = window.matchMedia('(pointer: coarse)');
const rowHeightNow = () => (coarse.matches ? 44 : 26);

/** Pixels. */
let rowHeight = rowHeightNow();

/** @type {Set<WeakRef<List>>} */
const known = new Set();

coarse.addEventListener('change', () => {
  rowHeight = rowHeightNow();
  for (const reference of known) {
    const list = reference.deref();
    if (list) list.resize();
    else known.delete(reference);
  }
});

// Double clicks are detected here, because rows may be redrawn between the clicks, and then the browser
// reports none.
const TWICE = 400; // milliseconds

let lists = 0;

export class List {
  items = [];
  /** The row of the keyboard. */
  active = -1;
  #root;
  #spacer;
  #options;
  #id = `list${++lists}`;
  #chosen = -1;
  #render;
  #isHeld = false;
  #lastClick = { item: null, time: 0 };

  /**
   * @param {HTMLElement} root
   * @param {{ label: string, tree?: boolean, row: (item: any) => (Node|string)[],
   *   choose: (item: any, index: number) => void, take?: (item: any, index: number) => void,
   *   fold?: (item: any, open: boolean) => void, describe?: (item: any) => Record<string, any> }} options
   */
  constructor(root, options) {
    this.#root = root;
    this.#options = { take: options.choose, ...options };
    this.#spacer = el('div', { class: 'list-rows', role: 'presentation' });
    root.append(this.#spacer);
    root.classList.add('list');
    for (const [name, value] of Object.entries({
      role: options.tree ? 'tree' : 'listbox',
      tabindex: '0',
      'aria-label': options.label,
    }))
      root.setAttribute(name, value);
    this.#render = oncePerFrame(() => this.#draw());
    root.addEventListener('scroll', this.#render, { passive: true });
    root.addEventListener('pointerdown', (event) => this.#hold(event));
    root.addEventListener('click', (event) => this.#clicked(event));
    root.addEventListener('keydown', (event) => this.#key(event));
    root.addEventListener('focus', () => {
      if (this.active < 0 && this.items.length > 0) this.active = Math.max(0, this.#chosen);
      this.#render();
    });
    new ResizeObserver(this.#render).observe(root);
    known.add(new WeakRef(this));
  }

  /** @param {any[]} items @param {number} chosen */
  set(items, chosen = -1) {
    // The keyboard stays on its item, wherever that is now, unless another one was selected.
    const isOther = this.items[this.#chosen] !== items[chosen];
    const active = items.indexOf(this.items[this.active]);
    this.items = items;
    this.#chosen = chosen;
    this.active =
      isOther && chosen >= 0
        ? chosen
        : active >= 0
          ? active
          : Math.min(this.active, items.length - 1);
    this.resize();
  }

  /** The rows have another height. */
  resize() {
    this.#spacer.style.height = `${this.items.length * rowHeight}px`;
    this.#draw();
  }

  choose(index, isSeen = true) {
    this.#chosen = index;
    if (index >= 0) this.active = index;
    if (isSeen) this.#show(index);
    this.#draw();
  }

  /** Choose the first item, as a click on it does. */
  takeFirst() {
    if (this.items.length > 0) this.#go(0);
  }

  /** Give the keyboard to the list, on its selected item, or else on the first. */
  enter() {
    if (this.items.length === 0) return;
    this.#root.focus();
    if (this.#chosen < 0) this.#go(0);
    else this.#show(this.active);
  }

  #go(index) {
    this.active = index;
    this.#show(index);
    this.#options.choose(this.items[index], index);
    this.#draw();
  }

  #show(index) {
    if (index < 0) return;
    const top = index * rowHeight;
    const height = this.#root.clientHeight;
    if (top < this.#root.scrollTop) this.#root.scrollTop = top;
    else if (top + rowHeight > this.#root.scrollTop + height)
      this.#root.scrollTop = top + rowHeight - height;
  }

  // There is no click if the pressed element is gone at the release: until then, rows are not redrawn.
  #hold(event) {
    if (event.target === this.#root) return; // the scroll bar
    this.#isHeld = true;
    const release = () => {
      this.#isHeld = false;
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
      this.#render();
    };
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
  }

  #draw() {
    if (this.#isHeld) return;
    const { row, tree } = this.#options;
    const first = Math.max(0, Math.floor(this.#root.scrollTop / rowHeight) - 4);
    const last = Math.min(
      this.items.length,
      first + Math.ceil(this.#root.clientHeight / rowHeight) + 9,
    );
    const rows = [];
    const draw = (index) => {
      const item = this.items[index];
      const isChosen = index === this.#chosen;
      const described = this.#options.describe?.(item) ?? {};
      const { class: more = '', ...attributes } = described;
      const element = el(
        'div',
        {
          class: `list-row${isChosen ? ' chosen' : ''}${index === this.active ? ' active' : ''} ${more}`,
          role: tree ? 'treeitem' : 'option',
          id: `${this.#id}-${index}`,
          'aria-selected': String(isChosen),
          'aria-setsize': tree ? null : this.items.length,
          'aria-posinset': tree ? null : index + 1,
          ...attributes,
        },
        ...row(item),
      );
      element.style.top = `${index * rowHeight}px`;
      element.style.height = `${rowHeight}px`;
      rows.push(element);
    };
    for (let index = first; index < last; index++) draw(index);
    this.#spacer.replaceChildren(...rows);
    const isActiveSeen = this.active >= first && this.active < last;
    if (isActiveSeen)
      this.#root.setAttribute('aria-activedescendant', `${this.#id}-${this.active}`);
    else this.#root.removeAttribute('aria-activedescendant');
  }

  // By position, because the row of the event may have been redrawn.
  #at(event) {
    const index = Math.floor(
      (event.clientY - this.#spacer.getBoundingClientRect().top) / rowHeight,
    );
    return index >= 0 && index < this.items.length ? index : -1;
  }

  #clicked(event) {
    const index = this.#at(event);
    if (index < 0) return;
    this.active = index;
    const item = this.items[index];
    const isTwisty = event.target.closest?.('.twisty');
    const isTwice = this.#lastClick.item === item && event.timeStamp - this.#lastClick.time < TWICE;
    this.#lastClick = { item: isTwisty || isTwice ? null : item, time: event.timeStamp };
    if (isTwisty && this.#options.fold) this.#options.fold(item, !item.isOpen);
    else if (isTwice) this.#options.take(item, index);
    else this.#options.choose(item, index);
    this.#draw();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || this.items.length === 0)
      return;
    const page = Math.max(1, Math.floor(this.#root.clientHeight / rowHeight) - 1);
    const moves = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const item = this.items[this.active];
    if (event.key in moves) {
      const to = this.active + moves[event.key];
      this.#go(Math.min(Math.max(0, to), this.items.length - 1));
    } else if (event.key === 'Enter' && item) {
      this.#options.take(item, this.active);
    } else if (
      (event.key === 'ArrowRight' || event.key === 'ArrowLeft') &&
      this.#options.fold &&
      item
    ) {
      this.#alongTree(item, event.key === 'ArrowRight');
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Right unfolds, or moves to the first child. Left folds, or moves to the parent.
  #alongTree(item, isRight) {
    if (item.canOpen && item.isOpen !== isRight) {
      this.#options.fold(item, isRight);
      return;
    }
    let to = this.active;
    if (isRight) to = item.canOpen && this.items[to + 1]?.depth > item.depth ? to + 1 : to;
    else while (to > 0 && this.items[to].depth >= item.depth) to -= 1;
    if (to === this.active || (!isRight && this.items[to].depth >= item.depth)) return;
    this.#go(to);
  }
}
