// SPDX-License-Identifier: MIT
//
// Animated WebP from still pictures that the browser has encoded: their data is put into one container.
// Pure.

import { joined, littleEndian, utf8 } from './binary.js';

const ANIMATION = 0x02;
const ALPHA = 0x10;
const REPLACE = 0x02; // a frame is not blended with the one before
const CLEAR = 0x01; // it is cleared before the next one

const [EXTENDED, CONTROL, FRAME] = 'VP8XANIMANMF'.match(/.{4}/g); // names of chunks

const three = (value) => littleEndian(value, 3);

function riffChunk(type, ...parts) {
  const data = joined(...parts);
  return joined(utf8(type), littleEndian(data.length, 4), data, data.length % 2 ? [0] : []);
}

/** The chunks of a still picture that hold its pixels. @param {Uint8Array} file */
export function pictureChunks(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const name = (at) => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.length < 12 || name(0) !== 'RIFF' || name(8) !== 'WEBP')
    throw new Error('this browser does not write WebP');
  const found = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (['ALPH', 'VP8 ', 'VP8L'].includes(name(at)))
      found.push(riffChunk(name(at), file.subarray(at + 8, end)));
    at = end + (end % 2);
  }
  return found;
}

/**
 * @param {{ width: number, height: number, hasAlpha: boolean, repeats: boolean }} options
 * @param {{ file: Uint8Array, milliseconds: number,
 *   area: { x: number, y: number, width: number, height: number } }[]} frames each replaces its area
 */
export function animatedWebp({ width, height, hasAlpha, repeats }, frames) {
  const flags = ANIMATION | (hasAlpha ? ALPHA : 0);
  const parts = [
    riffChunk(EXTENDED, littleEndian(flags, 4), three(width - 1), three(height - 1)),
    riffChunk(CONTROL, [0, 0, 0, 0], littleEndian(repeats ? 0 : 1, 2)),
    ...frames.map(({ file, milliseconds, area }) =>
      riffChunk(
        FRAME,
        ...[area.x / 2, area.y / 2, area.width - 1, area.height - 1, milliseconds].map(three),
        [hasAlpha ? REPLACE | CLEAR : REPLACE],
        ...pictureChunks(file),
      ),
    ),
  ];
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return [joined(utf8('RIFF'), littleEndian(length, 4), utf8('WEBP')), ...parts];
}
