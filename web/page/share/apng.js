// SPDX-License-Identifier: MIT
//
// Animated PNG. Each frame holds the rectangle that has changed; every pixel is exact. Pure but for the
// browser's compression.

import { bigEndian, joined } from './binary.js';
import { changedArea } from './frames.js';
import { chunk, deflated, filteredRows, header, SIGNATURE } from './png.js';

export class ApngWriter {
  #size;
  #hasAlpha;
  #repeats;
  #parts = [];
  #before = null;
  #sequence = 0;
  #count = 0;

  /** @param {{ width: number, height: number, hasAlpha: boolean, repeats: boolean }} options */
  constructor({ width, height, hasAlpha, repeats }) {
    this.#size = { width, height };
    this.#hasAlpha = hasAlpha;
    this.#repeats = repeats;
  }

  /** @param {Uint8ClampedArray} rgba not premultiplied @param {[number, number]} delay seconds, as a fraction */
  async add(rgba, [seconds, per]) {
    const { width, height } = this.#size;
    const area = changedArea(this.#before, rgba, width, height);
    const data = await deflated(filteredRows(rgba, width, area, this.#hasAlpha));
    this.#parts.push(
      chunk(
        'fcTL',
        ...[this.#sequence++, area.width, area.height, area.x, area.y].map((n) => bigEndian(n, 4)),
        bigEndian(seconds, 2),
        bigEndian(per, 2),
        [0, 0], // the picture stays, and the rectangle replaces what was there
      ),
      this.#count === 0
        ? chunk('IDAT', data)
        : chunk('fdAT', bigEndian(this.#sequence++, 4), data),
    );
    this.#before = rgba;
    this.#count += 1;
  }

  /** The file, in parts. @returns {Uint8Array<ArrayBuffer>[]} */
  finish() {
    const { width, height } = this.#size;
    return [
      joined(
        SIGNATURE,
        header(width, height, this.#hasAlpha),
        chunk('sRGB', [0]),
        chunk('acTL', bigEndian(this.#count, 4), bigEndian(this.#repeats ? 0 : 1, 4)),
      ),
      ...this.#parts,
      chunk('IEND'),
    ];
  }
}
