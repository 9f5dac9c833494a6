// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  continuous,
  marks,
  markText,
  range,
  stepOfComponent,
  turns,
} from '../../../web/page/curve_scale.js';

function near(actual, expected, within = 1e-5) {
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
}

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

test('a sign that flips does not show', () => {
  const smooth = continuous(new Float32Array([0, 0, 0, 1, 0, 0, -0.1, -0.99, 0, 0, 0.2, 0.97]));
  near(smooth[7], 0.99);
  near(smooth[6], 0.1);
  near(smooth[11], 0.97);
  near(continuous(new Float32Array([0.6, 0, 0, -0.8]))[3], 0.8);
});

test('turns are axis times angle in degrees', () => {
  const half = Math.SQRT1_2;
  const [x, y, z] = turns(new Float32Array([0, half, 0, half]));
  near(x, 0);
  near(y, 90, 1e-3);
  near(z, 0);
  assert.deepEqual([...turns(new Float32Array([0, 0, 0, 1]))], [0, 0, 0]);
});

test('a step of an angle is half as much of a component', () => {
  near(stepOfComponent(0.01, false), 0.005, 1e-7);
  near(stepOfComponent(Math.PI / 180, true), 1);
});
