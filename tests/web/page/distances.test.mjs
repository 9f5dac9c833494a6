// SPDX-License-Identifier: MIT
//
// What a comparison computes: which joints belong together, how far they are apart, which time belongs
// to which.

import assert from 'node:assert/strict';
import test from 'node:test';

import { farthest, millimetresText, otherTime, pairsOf, snapped } from '../../../web/page/compare/distances.js';

test('joints of the same name belong together, in their order', () => {
  assert.deepEqual(pairsOf(['a', 'b', 'c'], ['c', 'x', 'a']), [[0, 2], [2, 0]]);
  assert.deepEqual(pairsOf(['a', 'a', 'a'], ['a', 'b', 'a']), [[0, 0], [1, 2]]);
  assert.deepEqual(pairsOf(['a', '__proto__'], ['__proto__']), [[1, 0]]);
  assert.deepEqual(pairsOf([], ['a']), []);
});

test('the farthest pair', () => {
  const of = (places, visible = new Array(places.length / 3).fill(1)) => ({ places, visible });
  const places = of([0, 0, 0, 1, 0, 0, 5, 5, 5]);
  const others = of([1, 4, 0, 0, 0, 3]);
  assert.deepEqual(farthest(places, others, [[0, 1], [1, 0]]), { metres: 4, joint: 1 });
  assert.deepEqual(farthest(places, places, [[0, 0], [2, 2]]), { metres: 0, joint: 0 });
  assert.deepEqual(farthest(places, others, []), { metres: 0, joint: -1 });
  const hidden = of([1, 4, 0, 0, 0, 3], [0, 1]);
  assert.deepEqual(farthest(places, hidden, [[0, 1], [1, 0]]), { metres: 3, joint: 0 });
  assert.deepEqual(farthest(hidden, places, [[0, 1], [1, 0]]), { metres: 3, joint: 1 });
  assert.deepEqual(farthest(places, of([NaN, 0, 0]), [[1, 0]]), { metres: Infinity, joint: 1 }, 'not hidden by a comparison');
});

test('millimetres for people', () => {
  const texts = [0, 1e-9, 0.00001, 0.001234, 0.0123456, 1.0114, 12345.6, Infinity].map(millimetresText);
  const expected = ['0.00 mm', 'less than 0.01 mm', '0.01 mm', '1.23 mm', '12.3 mm', '1,011 mm', '12,345,600 mm', 'not a number'];
  assert.deepEqual(texts.map((text) => text.replaceAll('\u00a0', ' ')), expected);
});

test('a time next to a key is that of the key', () => {
  const times = Float32Array.from([0, 1 / 30, 2 / 30, 1.9666667]);
  assert.equal(snapped(59 / 30, times), times[3]);
  assert.equal(snapped(1 / 30, times), times[1]);
  assert.equal(snapped(0.05, times), 0.05);
  assert.equal(snapped(3, times), 3);
  assert.equal(snapped(3, []), 3);
});

test('the same time, or the same part', () => {
  const long = { frameCount: 41, fps: 20 };
  const short = { frameCount: 11, fps: 10 };
  assert.equal(otherTime(0.7, long, short, 'same', 'loop'), 0.7);
  assert.equal(otherTime(2, long, short, 'part', 'clamp'), 1, 'last frame to last frame');
  assert.equal(otherTime(2.05, long, short, 'part', 'loop'), 1.1, 'whole loop to whole loop');
  assert.equal(otherTime(0.5, { frameCount: 0, fps: 30 }, short, 'part', 'loop'), 0.5, 'at rest');
  assert.equal(otherTime(0, { frameCount: 1, fps: 30 }, short, 'part', 'clamp'), 0);
});
