// SPDX-License-Identifier: MIT
//
// Pictures of at most 256 colours: each pixel becomes the index of the nearest colour of a palette that
// all frames share, so that nothing flickers. Pure.

/** A pixel is seen if at least half of it is: GIF knows no more. */
const SEEN = 128;

/**
 * Pixels for choosing the palette: at most about `most`, spread over the picture, only those that are
 * seen. @param {Uint8ClampedArray} rgba @param {number} most
 */
export function samplePixels(rgba, most) {
  const all = rgba.length / 4;
  const step = Math.max(1, Math.floor(all / most));
  const found = new Uint8Array(Math.ceil(all / step) * 4);
  let size = 0;
  for (let row = 0, pixel = 0; pixel < all; row++, pixel = row * step + (row * 7919) % step) {
    if (rgba[pixel * 4 + 3] < SEEN) continue;
    found.set(rgba.subarray(pixel * 4, pixel * 4 + 3), size);
    found[size + 3] = 255;
    size += 4;
  }
  return found.subarray(0, size);
}

export class Indexer {
  #palette;
  #known = new Map();

  /** @param {number[][]} palette red, green and blue of each colour */
  constructor(palette) {
    this.#palette = palette;
  }

  /**
   * @param {Uint8ClampedArray} rgba @param {number} transparent the index of pixels that are not seen;
   *   -1: all are @returns {Uint8Array}
   */
  indices(rgba, transparent) {
    const words = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
    const result = new Uint8Array(words.length);
    let before = -1;
    let index = 0;
    for (let i = 0; i < words.length; i++) {
      const word = words[i];
      if (word !== before) {
        before = word;
        index =
          transparent >= 0 && rgba[i * 4 + 3] < SEEN
            ? transparent
            : this.#nearest(rgba[i * 4], rgba[i * 4 + 1], rgba[i * 4 + 2]);
      }
      result[i] = index;
    }
    return result;
  }

  #nearest(red, green, blue) {
    const key = (red << 16) | (green << 8) | blue;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let best = 0;
    let least = Infinity;
    this.#palette.forEach(([r, g, b], index) => {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [best, least] = [index, distance];
    });
    this.#known.set(key, best);
    return best;
  }
}

/** What has not changed becomes transparent, which compresses well. */
export function onlyChanged(before, now, transparent) {
  return now.map((index, i) => (before && before[i] === index ? transparent : index));
}
