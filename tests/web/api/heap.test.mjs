// SPDX-License-Identifier: MIT
//
// The module's own malloc, through its exports: nothing overlaps, nothing is lost.

import assert from 'node:assert/strict';
import test from 'node:test';

import { moduleBytes } from './support.mjs';

// What would read sources; there are none.
const unused = Object.fromEntries(['list', 'open', 'size', 'read', 'close'].map((name) => [`source_${name}`, () => 0]));

/** @returns {Promise<any>} */
async function startRaw() {
  const { instance } = await WebAssembly.instantiate(moduleBytes, { ossa: unused });
  const { exports } = /** @type {any} */ (instance);
  exports._initialize();
  return exports;
}

/** @returns {Generator<number, never>} */
function* numbers(seed) {
  let state = seed >>> 0;
  while (true) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

test('pieces of all sizes are aligned, keep their bytes and do not overlap', async () => {
  const { allocate, release, memory } = await startRaw();
  const random = numbers(3);
  const next = (limit) => random.next().value % limit;
  const held = [];
  const check = ({ address, size, mark }) => {
    const bytes = new Uint8Array(memory.buffer, address, size);
    assert.ok(bytes.every((byte) => byte === mark), `${size} bytes at ${address} were changed`);
  };
  for (let i = 0; i < 60000; i++) {
    if (held.length > 0 && (next(2) === 0 || held.length > 400)) {
      const [piece] = held.splice(next(held.length), 1);
      check(piece);
      release(piece.address);
      continue;
    }
    const size = next(20) === 0 ? next(300000) : next(3) === 0 ? next(5000) : next(200);
    const address = allocate(size);
    assert.ok(address > 0 && address % 16 === 0);
    const mark = 1 + (i % 255);
    new Uint8Array(memory.buffer, address, size).fill(mark);
    held.push({ address, size, mark });
  }
  held.sort((a, b) => a.address - b.address);
  for (const [i, piece] of held.entries()) {
    check(piece);
    if (i > 0) assert.ok(held[i - 1].address + held[i - 1].size <= piece.address);
  }
  // All given back is one piece again: as much can be had at once, and nothing more is needed.
  for (const { address } of held) release(address);
  const before = memory.buffer.byteLength;
  const whole = allocate(before - (2 << 20));
  assert.ok(whole > 0);
  assert.equal(memory.buffer.byteLength, before);
  release(whole);
});

test('what is too much is refused, and does no harm', async () => {
  const { allocate, release, memory } = await startRaw();
  for (const size of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 9]) assert.equal(allocate(size), 0);
  const start = memory.buffer.byteLength;
  const large = allocate(100 << 20);
  assert.ok(large > 0);
  // No more than needed, and an eighth: a large file does not take twice its size.
  assert.ok(memory.buffer.byteLength < start + (115 << 20));
  release(large);
  const again = allocate((100 << 20) - 16);
  assert.equal(again, large);
  release(again);
});
