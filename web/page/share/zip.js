// SPDX-License-Identifier: MIT
//
// A ZIP archive of files that are compressed already: they are stored. Pure.

import { crc32, joined, littleEndian, utf8 } from './binary.js';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const IS_UTF8 = 0x800;
const MOST_BYTES = 0xffffffff; // without ZIP64
const MOST_FILES = 0xffff;
// The same archive every time: no clock, the first day that ZIP can name.
const DAY = (1 << 5) | 1;

const two = (value) => littleEndian(value, 2);
const four = (value) => littleEndian(value, 4);

/**
 * The parts of an archive, for a Blob. Throws RangeError if it would need ZIP64.
 * @param {{ name: string, bytes: Uint8Array }[]} files
 * @returns {Uint8Array<ArrayBuffer>[]}
 */
export function zip(files) {
  const parts = [];
  const entries = [];
  let size = 0;
  const put = (part) => {
    parts.push(part);
    size += part.length;
  };
  for (const { name, bytes } of files) {
    const title = utf8(name);
    const facts = joined(
      ...[VERSION, IS_UTF8, 0, 0, DAY].map(two),
      ...[crc32(bytes), bytes.length, bytes.length].map(four),
      two(title.length),
      two(0),
    );
    entries.push(
      joined(four(CENTRAL), two(VERSION), facts, two(0), two(0), two(0), four(0), four(size), title),
    );
    put(joined(four(LOCAL), facts, title));
    put(bytes);
  }
  const start = size;
  for (const entry of entries) put(entry);
  const length = size - start;
  if (size > MOST_BYTES || files.length > MOST_FILES)
    throw new RangeError('the pictures need more than 4 GB');
  const count = two(files.length);
  put(joined(four(END), two(0), two(0), count, count, four(length), four(start), two(0)));
  return parts;
}
