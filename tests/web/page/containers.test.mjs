// SPDX-License-Identifier: MIT
//
// The containers of shared films, taken apart again: chunks and checksums of PNG and APNG, RIFF of WebP,
// elements of WebM, entries of ZIP. tests/web/browser/share.test.mjs has them decoded by others.

import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 as zlibCrc, inflateSync } from 'node:zlib';

import { ApngWriter } from '../../../web/page/share/apng.js';
import { bigEndian, crc32, littleEndian, utf8 } from '../../../web/page/share/binary.js';
import { Indexer, onlyChanged, samplePixels } from '../../../web/page/share/indexed.js';
import { png } from '../../../web/page/share/png.js';
import { element, webm } from '../../../web/page/share/webm.js';
import { animatedWebp, pictureChunks } from '../../../web/page/share/webp.js';
import { zip } from '../../../web/page/share/zip.js';

const whole = (parts) => Buffer.concat(parts);

// Pixels that are neither flat nor noise.
function pattern(width, height, seed = 0) {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    rgba.set([(x * 7 + seed) & 255, (y * 5) & 255, (x * y) & 255, 255 - ((x + seed) & 127)], i * 4);
  }
  return rgba;
}

function chunksOf(file) {
  assert.equal(file.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = [];
  for (let at = 8; at < file.length; ) {
    const size = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + size);
    assert.equal(file.readUInt32BE(at + 8 + size), checksum(file.subarray(at + 4, at + 8 + size)), `CRC of ${type}`);
    chunks.push({ type, data });
    at += 12 + size;
  }
  return chunks;
}

// Bit by bit, from the definition.
function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return ~value >>> 0;
}

// The inverse of the filters, from the PNG specification.
function unfiltered(rows, width, height, step) {
  const length = width * step;
  const pixels = new Uint8Array(height * length);
  for (let y = 0; y < height; y++) {
    const type = rows[y * (length + 1)];
    for (let i = 0; i < length; i++) {
      const a = i >= step ? pixels[y * length + i - step] : 0;
      const b = y > 0 ? pixels[(y - 1) * length + i] : 0;
      const c = i >= step && y > 0 ? pixels[(y - 1) * length + i - step] : 0;
      const p = a + b - c;
      const [pa, pb, pc] = [a, b, c].map((value) => Math.abs(p - value));
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const guess = [0, a, b, (a + b) >> 1, paeth][type];
      pixels[y * length + i] = rows[y * (length + 1) + 1 + i] + guess;
    }
  }
  return pixels;
}

test('numbers of both byte orders, and the checksum', () => {
  assert.deepEqual([...littleEndian(0x123456, 3)], [0x56, 0x34, 0x12]);
  assert.deepEqual([...bigEndian(2 ** 40 + 5, 6)], [1, 0, 0, 0, 0, 5]);
  assert.equal(crc32(utf8('123456789')), 0xcbf43926);
  assert.equal(crc32(utf8('1234'), utf8('56789')), 0xcbf43926);
  if (zlibCrc) assert.equal(crc32(utf8('some text')), zlibCrc(Buffer.from('some text')));
});

test('a PNG has the pixels it was made from, with and without alpha', async () => {
  const [width, height] = [37, 23];
  const rgba = pattern(width, height);
  for (const hasAlpha of [true, false]) {
    const chunks = chunksOf(Buffer.from(await png(rgba, { width, height, hasAlpha })));
    assert.deepEqual(chunks.map(({ type }) => type), ['IHDR', 'sRGB', 'IDAT', 'IEND']);
    assert.deepEqual([chunks[0].data.readUInt32BE(0), chunks[0].data.readUInt32BE(4), chunks[0].data[9]], [width, height, hasAlpha ? 6 : 2]);
    const step = hasAlpha ? 4 : 3;
    const pixels = unfiltered(inflateSync(chunks[2].data), width, height, step);
    for (let i = 0; i < width * height; i++)
      for (let c = 0; c < step; c++) assert.equal(pixels[i * step + c], rgba[i * 4 + c]);
  }
});

test('an APNG counts its frames, numbers its chunks, and holds only what changes', async () => {
  const [width, height] = [20, 10];
  const first = pattern(width, height);
  const second = first.slice();
  second.set([1, 2, 3, 255], (4 * width + 6) * 4);
  second.set([1, 2, 3, 255], (5 * width + 8) * 4);
  const writer = new ApngWriter({ width, height, hasAlpha: true, repeats: true });
  for (const rgba of [first, second, second]) await writer.add(rgba, [1, 30]);
  const chunks = chunksOf(whole(writer.finish()));
  assert.deepEqual(chunks.map(({ type }) => type), ['IHDR', 'sRGB', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND']);
  assert.deepEqual([chunks[2].data.readUInt32BE(0), chunks[2].data.readUInt32BE(4)], [3, 0]);
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => ({
    area: [4, 8, 12, 16].map((at) => data.readUInt32BE(at)),
    delay: [data.readUInt16BE(20), data.readUInt16BE(22)],
  }));
  assert.deepEqual(controls.map(({ area }) => area), [[20, 10, 0, 0], [3, 2, 6, 4], [1, 1, 0, 0]]);
  assert.deepEqual(controls[0].delay, [1, 30]);
  const numbers = chunks.filter(({ type }) => /fcTL|fdAT/.test(type)).map(({ data }) => data.readUInt32BE(0));
  assert.deepEqual(numbers, [0, 1, 2, 3, 4]);
  const part = unfiltered(inflateSync(chunks[6].data.subarray(4)), 3, 2, 4);
  assert.deepEqual([...part.subarray(0, 4)], [1, 2, 3, 255]);
  assert.deepEqual([...part.subarray(20, 24)], [1, 2, 3, 255]);
});

const riff = (type, data) => Buffer.concat([Buffer.from(type), littleEndian(data.length, 4), data, Buffer.alloc(data.length % 2)]);

test('an animated WebP has the picture data of the stills', () => {
  const still = (data) => {
    const body = Buffer.concat([Buffer.from('WEBP'), riff('VP8X', Buffer.alloc(10)), riff('ALPH', Buffer.from([9])), riff('VP8 ', data)]);
    return Buffer.concat([Buffer.from('RIFF'), littleEndian(body.length, 4), body]);
  };
  assert.equal(whole(pictureChunks(still(Buffer.from('abc')))).toString('latin1'), 'ALPH\x01\0\0\0\x09\0VP8 \x03\0\0\0abc\0');
  const file = whole(animatedWebp({ width: 300, height: 200, hasAlpha: true, repeats: false }, [
    { file: still(Buffer.from('abc')), milliseconds: 40, area: { x: 0, y: 0, width: 300, height: 200 } },
    { file: still(Buffer.from('defg')), milliseconds: 41, area: { x: 10, y: 20, width: 30, height: 40 } },
  ]));
  assert.equal(file.readUInt32LE(4), file.length - 8);
  assert.equal(file.toString('latin1', 8, 16), 'WEBPVP8X');
  assert.equal(file[20], 0x12, 'animated, with alpha');
  assert.deepEqual([file.readUIntLE(24, 3), file.readUIntLE(27, 3)], [299, 199]);
  assert.equal(file.toString('latin1', 30, 34), 'ANIM');
  assert.equal(file.readUInt16LE(42), 1, 'played once');
  const second = file.indexOf('ANMF', file.indexOf('ANMF') + 1) + 8;
  assert.deepEqual([0, 3, 6, 9, 12].map((at) => file.readUIntLE(second + at, 3)), [5, 10, 29, 39, 41]);
  assert.throws(() => pictureChunks(Buffer.from('\x89PNG, because it cannot')), /does not write WebP/);
});

// An element's id, data and end.
function readElement(file, at) {
  const idSize = Math.clz32(file[at]) - 24 + 1;
  const size = Number(file.readBigUInt64BE(at + idSize) & 0xffffffffffffffn);
  const start = at + idSize + 8;
  return { id: file.readUIntBE(at, idSize), data: file.subarray(start, start + size), start, end: start + size };
}

function elementsOf(file) {
  const found = [];
  for (let at = 0; at < file.length; at = found.at(-1).end) found.push(readElement(file, at));
  assert.equal(found.at(-1)?.end ?? 0, file.length);
  return found;
}

test('a WebM is nested as its sizes say, and its index leads to clusters', () => {
  assert.deepEqual([...element(0x42f7, [7])], [0x42, 0xf7, 1, 0, 0, 0, 0, 0, 0, 1, 7]);
  const pictures = Array.from({ length: 8 }, (_, f) => ({ bytes: new Uint8Array([f, f]), time: f * 1000, isKey: f % 2 === 0 }));
  const file = whole(webm({ codec: 'V_VP9', width: 64, height: 48, duration: 8000, fps: 1 }, pictures));
  const [head, segment] = elementsOf(file);
  assert.equal(head.id, 0x1a45dfa3);
  const parts = elementsOf(segment.data);
  assert.deepEqual(parts.map(({ id }) => id), [0x1549a966, 0x1654ae6b, 0x1f43b675, 0x1f43b675, 0x1c53bb6b]);
  const clusters = parts.filter(({ id }) => id === 0x1f43b675).map(({ data }) => elementsOf(data));
  assert.deepEqual(clusters.map(([time, ...blocks]) => [time.data.readUIntBE(0, 6), blocks.length]), [[0, 6], [6000, 2]]);
  const block = clusters[1][2].data;
  assert.deepEqual([...block], [0x81, 0x03, 0xe8, 0, 7, 7], 'track, 1000 ms after the cluster, no key, data');
  const places = elementsOf(parts[4].data).map(({ data }) => elementsOf(elementsOf(data)[1].data)[1].data.readUIntBE(0, 6));
  for (const place of places) assert.equal(segment.data.readUInt32BE(place), 0x1f43b675);
});

test('a ZIP lists its files where they are', () => {
  const files = [{ name: 'a-0000.png', bytes: utf8('first') }, { name: 'ä.png', bytes: utf8('second one') }];
  const file = whole(zip(files));
  const end = file.length - 22;
  assert.equal(file.readUInt32LE(end), 0x06054b50);
  assert.equal(file.readUInt16LE(end + 10), 2);
  let at = file.readUInt32LE(end + 16);
  for (const { name, bytes } of files) {
    assert.equal(file.readUInt32LE(at), 0x02014b50);
    const length = file.readUInt16LE(at + 28);
    assert.equal(file.toString('utf8', at + 46, at + 46 + length), name);
    const local = file.readUInt32LE(at + 42);
    assert.equal(file.readUInt32LE(local), 0x04034b50);
    assert.equal(file.readUInt32LE(local + 14), checksum(bytes));
    const data = local + 30 + file.readUInt16LE(local + 26);
    assert.deepEqual(file.subarray(data, data + bytes.length), Buffer.from(bytes));
    at += 46 + length;
  }
  assert.equal(at, end);
});

test('pixels get the nearest colour, the unseen ones the transparent index', () => {
  const indexer = new Indexer([[0, 0, 0], [255, 0, 0], [250, 250, 250]]);
  const rgba = new Uint8ClampedArray([10, 0, 0, 255, 200, 30, 0, 255, 255, 255, 255, 127, 255, 255, 255, 128]);
  assert.deepEqual([...indexer.indices(rgba, 9)], [0, 1, 9, 2]);
  assert.deepEqual([...indexer.indices(rgba, -1)], [0, 1, 2, 2]);
  assert.deepEqual([...onlyChanged(new Uint8Array([1, 2, 3]), new Uint8Array([1, 5, 3]), 7)], [7, 5, 7]);
  assert.deepEqual([...onlyChanged(null, new Uint8Array([1, 5]), 7)], [1, 5]);
});

test('sampled pixels are spread, and only those that are seen', () => {
  const rgba = pattern(100, 100);
  const found = samplePixels(rgba, 500);
  assert.ok(found.length / 4 >= 450 && found.length / 4 <= 520, String(found.length / 4));
  assert.ok(new Set(found.filter((_, i) => i % 4 === 1)).size > 30, 'of many rows');
  assert.equal(samplePixels(new Uint8ClampedArray(4000), 100).length, 0);
});
