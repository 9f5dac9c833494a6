// SPDX-License-Identifier: MIT
//
// An image of a disc (ISO 9660) that is larger than 4 GiB and mostly a hole: its files are at the
// sectors that a test names, and nothing else is written.

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export const SECTOR = 2048;
const ROOT = 18; // its sector

function both32(view, at, value) {
  view.setUint32(at, value, true);
  view.setUint32(at + 4, value, false);
}

function both16(view, at, value) {
  view.setUint16(at, value, true);
  view.setUint16(at + 2, value, false);
}

/** A directory record; `name` has one character per byte. */
function record(name, sector, size, isFolder) {
  const bytes = Buffer.alloc(33 + name.length + (name.length % 2 === 0 ? 1 : 0));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes[0] = bytes.length;
  both32(view, 2, sector);
  both32(view, 10, size);
  bytes.set([100, 1, 1, 0, 0, 0, 0], 18); // the first day of 2000
  bytes[25] = isFolder ? 2 : 0;
  both16(view, 28, 1);
  bytes[32] = name.length;
  bytes.write(name, 33, 'latin1');
  return bytes;
}

/**
 * @param {string} path of the image
 * @param {number} sectors of the image
 * @param {{ name: string, sector: number, bytes: Uint8Array, size?: number }[]} files in the order of
 *   their names; one with a `size` is that large, and has only its first bytes
 */
export function makeSparseDisc(path, sectors, files) {
  const volume = Buffer.alloc(SECTOR);
  const view = new DataView(volume.buffer, volume.byteOffset, SECTOR);
  volume.fill(' ', 8, 190);
  volume.write('\x01CD001\x01\x00', 0, 'latin1');
  volume.write('SPARSE', 40, 'latin1');
  volume.fill(0, 72, 190);
  both32(view, 80, sectors);
  both16(view, 120, 1);
  both16(view, 124, 1);
  both16(view, 128, SECTOR);
  record('\0', ROOT, SECTOR, true).copy(volume, 156);
  volume[881] = 1;
  const end = Buffer.alloc(SECTOR);
  end.write('\xffCD001\x01', 0, 'latin1');
  const folder = Buffer.alloc(SECTOR);
  Buffer.concat([
    record('\0', ROOT, SECTOR, true),
    record('\x01', ROOT, SECTOR, true),
    ...files.map(({ name, sector, bytes, size }) => record(`${name};1`, sector, size ?? bytes.length, false)),
  ]).copy(folder);
  const image = openSync(path, 'w');
  ftruncateSync(image, sectors * SECTOR);
  writeSync(image, volume, 0, SECTOR, 16 * SECTOR);
  writeSync(image, end, 0, SECTOR, 17 * SECTOR);
  writeSync(image, folder, 0, SECTOR, ROOT * SECTOR);
  for (const { sector, bytes } of files) writeSync(image, bytes, 0, bytes.length, sector * SECTOR);
  closeSync(image);
}
