// SPDX-License-Identifier: MIT
//
// Animated GIF, by gifenc: 256 colours chosen over the whole clip, no dithering, 1-bit transparency.

import { GIFEncoder, quantize } from 'gifenc';
import { joined } from './binary.js';
import { Indexer, onlyChanged, samplePixels } from './indexed.js';

const COLOURS = 255; // one index is for transparent pixels
const MOST_SAMPLES = 400_000; // pixels, of all sampled frames together
const STAY = 1;
const CLEAR = 2;

/**
 * Colours for all frames. The colour of the first pixel, usually the background, is among them exactly.
 * @param {Uint8ClampedArray[]} frames some of them @param {boolean} isTransparent
 */
export function paletteOf(frames, isTransparent) {
  const each = Math.floor(MOST_SAMPLES / Math.max(1, frames.length));
  const pixels = joined(...frames.map((rgba) => samplePixels(rgba, each)));
  const exact = isTransparent ? [] : [[...frames[0].subarray(0, 3)]];
  if (pixels.length === 0) return [[0, 0, 0]];
  return [...exact, ...quantize(pixels, COLOURS - exact.length, { format: 'rgb565' })];
}

export class GifWriter {
  #encoder = GIFEncoder();
  #size;
  #indexer;
  #palette;
  #hasAlpha;
  #repeats;
  #before = null;

  /** @param {{ width: number, height: number, hasAlpha: boolean, repeats: boolean, palette: number[][] }} options */
  constructor({ width, height, hasAlpha, repeats, palette }) {
    this.#size = { width, height };
    this.#hasAlpha = hasAlpha;
    this.#repeats = repeats;
    this.#indexer = new Indexer(palette);
    this.#palette = [...palette, [0, 0, 0]];
  }

  /** @param {Uint8ClampedArray} rgba @param {number} delay in hundredths of a second */
  add(rgba, delay) {
    const unseen = this.#palette.length - 1;
    const now = this.#indexer.indices(rgba, this.#hasAlpha ? unseen : -1);
    // A transparent picture is cleared before the next one, so every frame is whole.
    const pixels = this.#hasAlpha ? now : onlyChanged(this.#before, now, unseen);
    this.#encoder.writeFrame(pixels, this.#size.width, this.#size.height, {
      palette: this.#before ? undefined : this.#palette,
      transparent: true,
      transparentIndex: unseen,
      delay: delay * 10,
      repeat: this.#repeats ? 0 : -1,
      dispose: this.#hasAlpha ? CLEAR : STAY,
    });
    this.#before = now;
  }

  /** @returns {Uint8Array<ArrayBuffer>[]} */
  finish() {
    this.#encoder.finish();
    return [this.#encoder.bytes()];
  }
}
