// SPDX-License-Identifier: MIT
//
// The fields of the file whose bytes are shown. All fields of a file are fetched at once if there are not
// too many. Otherwise only those near the visible rows, after scrolling has stopped, because the library
// reads the whole file for each request.

import { fieldIndexAt } from './hex_rows.js';

const AROUND = 1 << 14;
const MOST_FIELDS = 20_000;
const REST = 120; // milliseconds

export class HexFields {
  #session;
  #changed;
  #word = null;
  #size = 0;
  #range = { from: 0, to: -1 };
  /** @type {ReturnType<typeof setTimeout>} */
  #waiting;
  #list = [];

  /** @param {any} session @param {() => void} changed there are other fields */
  constructor(session, changed) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Another file. */
  open(word, size) {
    clearTimeout(this.#waiting);
    this.#word = word;
    this.#size = size;
    this.#range = { from: 0, to: -1 };
    this.#list = [];
  }

  /** The number of the field at an offset; -1: none. */
  indexAt(offset) {
    return fieldIndexAt(this.#list, offset);
  }

  at(offset) {
    return this.#list[this.indexAt(offset)] ?? null;
  }

  /** Fetch the fields of a range, unless they are there. */
  want(from, to) {
    if (this.#word === null || (from >= this.#range.from && to <= this.#range.to)) return;
    clearTimeout(this.#waiting);
    const word = this.#word;
    this.#waiting = setTimeout(
      async () => {
        await this.#fetch(from, to);
        if (word === this.#word) this.#changed();
      },
      this.#range.to < 0 ? 0 : REST,
    );
  }

  async #fetch(from, to) {
    const word = this.#word;
    const fetch = async (start, end) => {
      const range = { from: start, to: end, limit: MOST_FIELDS };
      // A file of unknown format has no fields.
      const none = { fields: [], total: 0 };
      const { fields, total } = await this.#session.client.call('fields', word, range).catch(() => none);
      if (word === this.#word) {
        this.#range = { from: start, to: end };
        this.#list = fields;
      }
      return total <= fields.length;
    };
    if (this.#range.to < 0 && (await fetch(0, this.#size))) return;
    if (word === this.#word) await fetch(Math.max(0, from - AROUND), Math.min(this.#size, to + AROUND));
  }
}
