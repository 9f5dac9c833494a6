// SPDX-License-Identifier: MIT
//
// PNG pictures: rows with their filters, compressed by the browser. Pure but for CompressionStream.

import { bigEndian, crc32, joined, utf8 } from './binary.js';

export const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @param {string} type @param {...(Uint8Array|number[])} parts */
export function chunk(type, ...parts) {
  const name = utf8(type);
  const data = joined(...parts);
  return joined(bigEndian(data.length, 4), name, data, bigEndian(crc32(name, data), 4));
}

/** @param {number} width @param {number} height @param {boolean} hasAlpha */
export function header(width, height, hasAlpha) {
  return chunk('IHDR', bigEndian(width, 4), bigEndian(height, 4), [8, hasAlpha ? 6 : 2, 0, 0, 0]);
}

/**
 * A part of a picture as it is stored: rows of RGB or RGBA, each with the filter that leaves the
 * smallest differences.
 * @param {Uint8Array|Uint8ClampedArray} rgba @param {number} stride pixels per row of the picture
 * @param {{ x: number, y: number, width: number, height: number }} area @param {boolean} hasAlpha
 */
export function filteredRows(rgba, stride, area, hasAlpha) {
  const step = hasAlpha ? 4 : 3;
  const length = area.width * step;
  const result = new Uint8Array(area.height * (length + 1));
  let above = new Uint8Array(length);
  let row = new Uint8Array(length);
  const tries = [1, 2, 4].map((type) => ({ type, bytes: new Uint8Array(length) }));
  for (let y = 0; y < area.height; y++) {
    let from = ((area.y + y) * stride + area.x) * 4;
    for (let i = 0; i < length; i += step, from += 4)
      for (let c = 0; c < step; c++) row[i + c] = rgba[from + c];
    let best = null;
    let least = Infinity;
    for (const { type, bytes } of tries) {
      const sum = filter(type, row, above, step, bytes);
      if (sum < least) [best, least] = [{ type, bytes }, sum];
    }
    result[y * (length + 1)] = best.type;
    result.set(best.bytes, y * (length + 1) + 1);
    [row, above] = [above, row];
  }
  return result;
}

// 1: the pixel to the left, 2: the one above, 4: Paeth's choice. Returns the sum of the differences.
function filter(type, row, above, step, result) {
  let sum = 0;
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step];
    let guess = left;
    if (type === 2) guess = above[i];
    else if (type === 4) guess = paeth(left, above[i], i < step ? 0 : above[i - step]);
    const value = (row[i] - guess) & 255;
    result[i] = value;
    sum += value < 128 ? value : 256 - value;
  }
  return sum;
}

function paeth(left, above, corner) {
  const byLeft = Math.abs(above - corner);
  const byAbove = Math.abs(left - corner);
  const byCorner = Math.abs(left + above - 2 * corner);
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

/** A picture. @param {Uint8ClampedArray} rgba @param {{ width: number, height: number, hasAlpha: boolean }} size */
export async function png(rgba, { width, height, hasAlpha }) {
  const rows = filteredRows(rgba, width, { x: 0, y: 0, width, height }, hasAlpha);
  return joined(SIGNATURE, header(width, height, hasAlpha), chunk('sRGB', [0]), chunk('IDAT', await deflated(rows)), chunk('IEND'));
}

/** Compressed as PNG wants it. @param {Uint8Array<ArrayBuffer>} bytes */
export async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
