// SPDX-License-Identifier: MIT
//
// The bytes of a file, 4, 8 or 16 per row. Only visible rows exist. Fields differ in tint, and the one
// at the cursor is named below.

import { byId, el, oncePerFrame } from '../window/dom.js';
import { HexFields } from './hex_fields.js';
import { fieldParts, hexRow } from './hex_parts.js';
import {
  bytesPerRow,
  lastTopRow,
  rowAtScroll,
  rowCount,
  scrollOfRow,
  spacerHeight,
} from './hex_rows.js';

const ROW = 19;

export class HexView {
  #session;
  #root = byId('hex');
  #spacer = el('div', { class: 'hex-spacer' });
  #rows = el('div', { class: 'hex-rows', 'aria-hidden': 'true' });
  #source = null;
  #word = null;
  #perRow = 16;
  #top = 0;
  #cursor = 0;
  #hover = -1;
  #marked = { from: -1, to: -1 };
  #fields;
  #charWidth = 7.2;
  #scrollSet = -1;
  #isMouse = false; // whether the last press was with a mouse
  #draw = oncePerFrame(() => this.#paint());

  /** Called when the cursor is at another byte. @type {(word: string|null, offset: number) => void} */
  cursorMoved = () => {};

  constructor(session) {
    this.#session = session;
    this.#fields = new HexFields(session, () => {
      this.#name(this.#hover >= 0 ? this.#hover : this.#cursor);
      this.#draw();
    });
    this.#spacer.append(this.#rows);
    this.#root.append(this.#spacer);
    this.#root.addEventListener('scroll', () => this.#scrolled());
    this.#root.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#root.addEventListener('keydown', (event) => this.#key(event));
    this.#root.addEventListener('pointermove', (event) => this.#pointed(event));
    this.#root.addEventListener('pointerleave', () => this.#hovered(-1));
    // A mouse sets the cursor on pointerdown: the rows may be redrawn before the button is released, and
    // then there is no click. A finger may be about to scroll, so touch waits for the click.
    this.#root.addEventListener('pointerdown', (event) => {
      this.#isMouse = event.pointerType === 'mouse';
      if (this.#isMouse && event.button === 0) this.#place(event);
    });
    this.#root.addEventListener('click', (event) => {
      if (!this.#isMouse) this.#place(event);
    });
    byId('hex-go').addEventListener('submit', (event) => {
      event.preventDefault();
      const text = byId('hex-offset').value.trim();
      const offset = /^(0x)?[0-9a-f]+$/i.test(text)
        ? parseInt(text, text.startsWith('0x') || /[a-f]/i.test(text) ? 16 : 10)
        : NaN;
      if (Number.isFinite(offset)) this.goTo(offset);
    });
    new ResizeObserver(() => this.#resize()).observe(this.#root);
  }

  /** Show the bytes of a word, with the cursor at `offset` if it is given, and so many bytes marked. */
  async show(word, offset, size = 1) {
    if (word !== this.#word) {
      this.#word = word;
      this.#source = null;
      this.#cursor = this.#top = 0;
      this.#marked = { from: -1, to: -1 };
      this.#fields.open(null, 0);
      try {
        const source = word === null ? null : await this.#session.byteSource(word);
        if (word !== this.#word) return;
        this.#source = source;
        this.#fields.open(word, source?.size ?? 0);
      } catch (error) {
        byId('hex-field').textContent = error.message;
      }
      this.#resize();
    }
    if (offset !== null && offset !== undefined) {
      this.#marked = { from: offset, to: offset + size };
      this.goTo(offset);
    } else if (this.#source) {
      this.#name(this.#cursor);
    }
  }

  /** Move the cursor to a byte, and scroll that to the middle of the view. */
  goTo(offset) {
    if (!this.#source) return;
    this.#cursor = Math.min(Math.max(0, offset), Math.max(0, this.#source.size - 1));
    const seen = this.#root.clientHeight / ROW;
    this.#setTop(Math.floor(this.#cursor / this.#perRow) - Math.floor(seen / 3));
    this.#moveTo(this.#cursor);
  }

  /** Whether all bytes that are seen have been read. */
  get isIdle() {
    return !this.#source?.isComing;
  }

  get cursor() {
    return this.#cursor;
  }

  #count() {
    return rowCount(this.#source?.size ?? 0, this.#perRow);
  }

  #resize() {
    const width = this.#root.clientWidth;
    if (width === 0) return;
    const probe = el('span', { class: 'hex-probe', text: '0000000000' });
    this.#rows.append(probe);
    this.#charWidth = probe.getBoundingClientRect().width / 10 || 7.2;
    probe.remove();
    const first = this.#top * this.#perRow;
    this.#perRow = bytesPerRow(width, this.#charWidth);
    this.#spacer.style.height = `${spacerHeight(this.#count(), ROW)}px`;
    this.#setTop(Math.floor(first / this.#perRow));
    this.#seeCursor();
  }

  #setTop(row) {
    const rows = this.#count();
    const height = this.#root.clientHeight;
    this.#top = Math.min(Math.max(0, row), lastTopRow(rows, ROW, height));
    this.#root.scrollTop = scrollOfRow(this.#top, rows, ROW, height);
    this.#scrollSet = this.#root.scrollTop;
    this.#draw();
  }

  // If the bar is not where #setTop has put it, the user has moved it.
  #scrolled() {
    if (Math.abs(this.#root.scrollTop - this.#scrollSet) >= 1) {
      this.#scrollSet = -1;
      this.#top = Math.round(
        rowAtScroll(this.#root.scrollTop, this.#count(), ROW, this.#root.clientHeight),
      );
    }
    this.#draw();
  }

  // In a large file, one notch of the wheel would skip thousands of rows: rows are counted instead.
  #wheel(event) {
    if (event.ctrlKey || this.#count() * ROW <= this.#root.clientHeight) return;
    event.preventDefault();
    const pixels =
      event.deltaMode === 1
        ? event.deltaY * ROW
        : event.deltaMode === 2
          ? event.deltaY * this.#root.clientHeight
          : event.deltaY;
    this.#setTop(this.#top + Math.sign(pixels) * Math.max(1, Math.round(Math.abs(pixels) / ROW)));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !this.#source) return;
    const page = Math.max(1, Math.floor(this.#root.clientHeight / ROW) - 1) * this.#perRow;
    const moves = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -this.#perRow,
      ArrowDown: this.#perRow,
      PageUp: -page,
      PageDown: page,
      Home: -Infinity,
      End: Infinity,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#moveTo(
      Math.min(Math.max(0, this.#cursor + moves[event.key]), Math.max(0, this.#source.size - 1)),
    );
  }

  #moveTo(offset) {
    this.#cursor = offset;
    this.cursorMoved(this.#word, offset);
    this.#seeCursor();
    this.#name(offset);
    this.#draw();
  }

  #seeCursor() {
    const row = Math.floor(this.#cursor / this.#perRow);
    const seen = Math.max(1, Math.floor(this.#root.clientHeight / ROW));
    if (row < this.#top) this.#setTop(row);
    else if (row >= this.#top + seen) this.#setTop(row - seen + 1);
  }

  #offsetAt(event) {
    const cell = event.target.closest?.('[data-at]');
    return cell ? Number(cell.dataset.at) : -1;
  }

  #place(event) {
    const offset = this.#offsetAt(event);
    if (offset >= 0) this.#moveTo(offset);
  }

  #pointed(event) {
    this.#hovered(this.#offsetAt(event));
  }

  #hovered(offset) {
    if (offset === this.#hover) return;
    this.#hover = offset;
    this.#name(offset >= 0 ? offset : this.#cursor);
    this.#draw();
  }

  // Name the field at an offset, below the bytes.
  #name(offset) {
    if (!this.#source || this.#source.size === 0) {
      byId('hex-field').textContent = this.#source ? 'The file has no bytes.' : '';
      return;
    }
    this.#fields.want(offset, offset + 1);
    byId('hex-field').replaceChildren(...fieldParts(this.#fields.at(offset), offset));
  }

  #paint() {
    if (!this.#source || this.#root.clientHeight === 0) {
      this.#rows.replaceChildren();
      return;
    }
    const seen = Math.ceil(this.#root.clientHeight / ROW) + 1;
    const first = this.#top * this.#perRow;
    const last = Math.min(this.#source.size, first + seen * this.#perRow);
    this.#source.want(first, last, this.#draw);
    this.#fields.want(first, last);
    const field = this.#fields.at(this.#hover >= 0 ? this.#hover : this.#cursor);
    const look = { source: this.#source, fields: this.#fields, field, cursor: this.#cursor, marked: this.#marked };
    const rows = [];
    for (let at = first; at < last; at += this.#perRow)
      rows.push(hexRow(at, Math.min(last, at + this.#perRow), look));
    this.#rows.style.transform = `translateY(${this.#root.scrollTop}px)`;
    this.#rows.replaceChildren(...rows);
  }
}
