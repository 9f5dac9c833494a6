// SPDX-License-Identifier: MIT
//
// Bytes for the containers that the page writes: numbers of either byte order, names, and the checksum
// of PNG and ZIP. Pure.

/** @param {number} value @param {number} size in bytes, at most 6 */
export function littleEndian(value, size) {
  const bytes = new Uint8Array(size);
  for (let i = 0, rest = value; i < size; i++, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
  return bytes;
}

/** @param {number} value @param {number} size in bytes, at most 6 */
export function bigEndian(value, size) {
  return littleEndian(value, size).reverse();
}

/** @param {string} text */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

/** @param {(Uint8Array|number[])[]} parts */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The CRC-32 of PNG and ZIP. @param {...Uint8Array} parts of the data, in order */
export function crc32(...parts) {
  let value = 0xffffffff;
  for (const part of parts)
    for (let i = 0; i < part.length; i++) value = TABLE[(value ^ part[i]) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
