// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { besidePoint, marks, markText, panned, range, valueText, zoomed } from '../../../web/page/panels/curve_scale.js';

test('a range holds all values, with room for a flat curve', () => {
  const { low, high } = range([1, 3, 2], 0.1);
  assert.ok(low < 1 && high > 3 && low > 0.8 && high < 3.2);
  const flat = range([5, 5], 1);
  assert.ok(flat.high - flat.low >= 1 && flat.low < 5 && flat.high > 5);
  assert.ok(range([NaN, Infinity], 2).high > 0);
});

test('marks are round numbers inside the range', () => {
  assert.deepEqual(
    marks(0, 1, 5).map((value) => markText(value, 0.2)),
    ['0', '0.2', '0.4', '0.6', '0.8', '1.0'],
  );
  assert.deepEqual(marks(-130, 130, 3), [-100, 0, 100]);
  assert.deepEqual(marks(1, 1, 3), []);
  assert.deepEqual(marks(0, NaN, 3), []);
  for (const value of marks(-0.013, 0.0171, 4)) assert.ok(value >= -0.013 && value <= 0.0171);
});

test('marks have as many digits as they need', () => {
  assert.equal(markText(0.25, 0.05), '0.25');
  assert.equal(markText(20, 10), '20');
  assert.equal(markText(0.001, 0.001), '0.001');
});

test('zoom keeps the value under the pointer, and stays inside', () => {
  const all = { low: 0, high: 100 };
  const half = zoomed(all, 25, 0.5, { least: 1, all });
  assert.deepEqual(half, { low: 12.5, high: 62.5 });
  assert.deepEqual(zoomed(half, 25, 100, { least: 1, all }), all);
  const close = zoomed(all, 100, 1e-9, { least: 4, all });
  assert.deepEqual(close, { low: 96, high: 100 });
  assert.deepEqual(panned(half, 1000, all), { low: 50, high: 100 });
  assert.deepEqual(panned(half, -1000, all), { low: 0, high: 50 });
});

test('values have the digits that help', () => {
  assert.deepEqual([0.12345, 12.345, -123.45, NaN].map(valueText), ['0.123', '12.35', '-123.5', '?']);
});

test('what is said about a point is beside it, and all of it is in the panel', () => {
  assert.deepEqual([besidePoint(50, 100, 300), besidePoint(250, 100, 300)], [60, 140]);
  for (const x of [0, 100, 149, 150, 151, 200, 300])
    for (const width of [100, 200, 290, 300]) {
      const left = besidePoint(x, width, 300);
      assert.ok(left >= 0 && left + width <= 300, `${width} wide at ${x}: from ${left}`);
    }
  assert.equal(besidePoint(100, 400, 300), 0);
});
