// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  continuous,
  eulerAngles,
  FORMS,
  inForm,
  rotationVectors,
} from '../../../web/page/panels/curve_rotation.js';

const ORDERS = Object.keys(FORMS).filter((form) => /^[XYZ]{3}$/.test(form));

function near(actual, expected, within = 1e-5) {
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
}

function about(axis, degrees) {
  const half = (degrees * Math.PI) / 360;
  const q = [0, 0, 0, Math.cos(half)];
  q['XYZ'.indexOf(axis)] = Math.sin(half);
  return q;
}

/** @param {number[]} a @param {number[]} b */
function times(a, b) {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The rotation of angles x, y, z in an order, by what the order means. */
function composed(order, angles) {
  return [...order].map((axis) => about(axis, angles['XYZ'.indexOf(axis)])).reduce(times);
}

/** The angle between two rotations, in degrees. */
function apart(a, b) {
  const dot = Math.abs(a.reduce((sum, value, i) => sum + value * b[i], 0));
  return (2 * Math.acos(Math.min(1, dot)) * 180) / Math.PI;
}

test('a sign that flips does not show', () => {
  const smooth = continuous(new Float32Array([0, 0, 0, 1, 0, 0, -0.1, -0.99, 0, 0, 0.2, 0.97]));
  near(smooth[7], 0.99);
  near(smooth[6], 0.1);
  near(smooth[11], 0.97);
  near(continuous(new Float32Array([0.6, 0, 0, -0.8]))[3], 0.8);
});

test('rotation vectors are axis times angle in degrees', () => {
  const half = Math.SQRT1_2;
  const [x, y, z] = rotationVectors(new Float32Array([0, half, 0, half]));
  near(x, 0);
  near(y, 90, 1e-3);
  near(z, 0);
  assert.deepEqual([...rotationVectors(new Float32Array([0, 0, 0, 1]))], [0, 0, 0]);
});

test('Euler angles of every order mean the rotation that they come from', () => {
  for (const order of ORDERS) {
    for (const angles of [[10, 20, 30], [-100, 40, 170], [89, -5, 3], [0, 0, 0], [5, 90, 20], [90, 10, 10], [10, 20, -90], [179, 91, -179]]) {
      const rotation = composed(order, angles);
      const found = [...eulerAngles(new Float32Array(rotation), order)];
      assert.ok(apart(composed(order, found), rotation) < 0.6, `${order} ${angles}: ${found}`);
    }
  }
  const [x, y, z] = eulerAngles(new Float32Array(composed('ZXY', [10, 20, 30])), 'ZXY');
  near(x, 10, 1e-3);
  near(y, 20, 1e-3);
  near(z, 30, 1e-3);
});

test('Euler angles do not jump, and full rotations add up', () => {
  for (const order of ORDERS) {
    for (const axis of [0, 1, 2]) {
      const degrees = Array.from({ length: 150 }, (_, i) => i * 5);
      const rotations = degrees.flatMap((value) => about('XYZ'[axis], value));
      const angles = eulerAngles(continuous(new Float32Array(rotations)), order);
      near(angles[149 * 3 + axis], 745, 0.3);
      for (let i = 3; i < angles.length; i++)
        assert.ok(Math.abs(angles[i] - angles[i - 3]) < 6, `${order}, about ${axis}: a jump at ${i}`);
    }
  }
});

test('a step of an angle is half as much of a component', () => {
  const still = new Float32Array([0, 0, 0, 1]);
  near(inForm(still, 'quaternion', 0.01).bands[0], 0.005, 1e-7);
  near(inForm(still, 'vector', Math.PI / 180).bands[0], 1);
  near(inForm(still, 'ZXY', Math.PI / 180).bands[1], 1);
  for (const form of Object.keys(FORMS)) {
    assert.equal(inForm(still, form, 0).bands, null);
    assert.equal(inForm(still, form, null).bands, null);
    assert.equal(inForm(still, form, 0.1).values.length, FORMS[form].axes.length);
  }
});

test('a band is as wide as a step can make a difference', () => {
  // A rotation by a step about any axis moves no number by more than the band, and some nearly by that.
  const step = 0.2 * (Math.PI / 180);
  const rotation = composed('ZXY', [50, -30, 70]);
  for (const form of Object.keys(FORMS)) {
    const { values, bands } = inForm(new Float32Array(rotation), form, step);
    let most = 0;
    for (let i = 0; i < 400; i++) {
      const height = 1 - (2 * i + 1) / 400;
      const flat = Math.sqrt(1 - height * height);
      const axis = [flat * Math.cos(i * 2.4), flat * Math.sin(i * 2.4), height];
      const little = [...axis.map((part) => part * Math.sin(step / 2)), Math.cos(step / 2)];
      const moved = inForm(new Float32Array(times(rotation, little)), form, step).values;
      moved.forEach((value, n) => {
        const part = Math.abs(value - values[n]) / bands[n];
        assert.ok(part < 1.03, `${form}: ${part} of the band`);
        most = Math.max(most, part);
      });
    }
    assert.ok(most > 0.9, `${form}: at most ${most} of the band`);
  }
});
