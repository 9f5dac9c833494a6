// SPDX-License-Identifier: MIT
//
// Directions, distances and what is in view, without a browser.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  anglesOf,
  axesOf,
  between,
  distanceTo,
  homeOf,
  namedView,
  needsFit,
  partInView,
  wrapped,
} from '../../../web/page/stage/views.js';

const close = (a, b, why) => assert.ok(Math.abs(a - b) < 1e-6, `${why}: ${a}, not ${b}`);
const box = (min, max) => {
  const [a, b] = [min, max].map(([x, y, z]) => ({ x, y, z }));
  return { min: a, max: b };
};
const direction = (name, viewpoint) => {
  const { x, y, z } = axesOf(namedView(name, viewpoint)).away;
  return [x, y, z].map((part) => Math.round(part * 1e6) / 1e6 + 0);
};

test('the front is where the face is', () => {
  assert.deepEqual(direction('front', [0.55, 0.2, 0.8]), [0, 0, 1]);
  assert.deepEqual(direction('front', [0.557, 0.159, -0.815]), [0, 0, -1]);
  assert.deepEqual(direction('front', [-0.9, 0, 0.3]), [-1, 0, 0]);
  assert.deepEqual(direction('front', [0, 0, 0]), [0, 0, 1]);
});

test('the other views are relative to the front; right and left are those of the viewer', () => {
  const away = [0.557, 0.159, -0.815];
  assert.deepEqual(direction('back', away), [0, 0, 1]);
  assert.deepEqual(direction('right', [0.5, 0.2, 0.8]), [1, 0, 0]);
  assert.deepEqual(direction('left', [0.5, 0.2, 0.8]), [-1, 0, 0]);
  assert.deepEqual(direction('right', away), [-1, 0, 0]);
  assert.deepEqual(direction('top', away), [0, 1, 0]);
  assert.deepEqual(direction('bottom', away), [0, -1, 0]);
});

test('angles, there and back', () => {
  for (const point of [[1, 0, 0], [0, 0, -1], [0.3, -0.8, 0.5], [0, 1, 0]]) {
    const { away, right, up } = axesOf(anglesOf(point));
    const long = Math.hypot(...point);
    [away.x, away.y, away.z].forEach((part, i) => close(part, point[i] / long, 'away'));
    close(right.x * up.x + right.y * up.y + right.z * up.z, 0, 'at right angles');
    close(away.x * up.x + away.y * up.y + away.z * up.z, 0, 'at right angles');
  }
  close(homeOf([0, 0, 2]).round, 0, 'any length');
  close(wrapped(1.5 * Math.PI), -0.5 * Math.PI, 'the shorter way');
});

// The matrix of a camera that looks at the centre of a box from these angles.
function matrixFor({ min, max }, angles, distance, { tall, wide, isFlat }) {
  const { away, right, up } = axesOf(angles);
  const centre = ['x', 'y', 'z'].map((k) => (min[k] + max[k]) / 2);
  const list = ({ x, y, z }) => [x, y, z];
  const at = (axis) => -list(axis).reduce((sum, part, i) => sum + part * centre[i], 0);
  const rows = isFlat
    ? [[right, wide * distance], [up, tall * distance]]
    : [[right, wide], [up, tall]];
  const m = new Array(16).fill(0);
  rows.forEach(([axis, by], row) => {
    list(axis).forEach((part, i) => (m[i * 4 + row] = part / by));
    m[12 + row] = at(axis) / by;
  });
  if (isFlat) m[15] = 1;
  else {
    list(away).forEach((part, i) => (m[i * 4 + 3] = -part));
    m[15] = -at(away) + distance;
  }
  return m;
}

for (const isFlat of [false, true])
  test(`a box at its distance is all in view, and not much smaller; ${isFlat ? 'flat' : 'perspective'}`, () => {
    const lens = { tall: 0.3, wide: 0.5, isFlat };
    const boxes = [box([-1, 0, -1], [1, 2, 1]), box([3, -1, -9], [3.2, 7, 9]), box([0, 0, 0], [8, 0.1, 0.1])];
    for (const one of boxes)
      for (const angles of [{ round: 0, up: 0 }, { round: 2.5, up: 0.4 }, { round: 1, up: -1.2 }]) {
        const distance = distanceTo(one, angles, lens);
        assert.equal(partInView(one, matrixFor(one, angles, distance, lens)), 1);
        const nearer = partInView(one, matrixFor(one, angles, distance * 0.7, lens));
        assert.ok(nearer < 1, 'much nearer, it does not fit');
      }
  });

test('when the view has to change', () => {
  const lens = { tall: 0.3, wide: 0.3, isFlat: false };
  const angles = { round: 0.5, up: 0.2 };
  const before = box([-1, 0, -1], [1, 2, 1]);
  const matrix = matrixFor(before, angles, distanceTo(before, angles, lens), lens);
  assert.equal(needsFit(before, before, matrix), false);
  assert.equal(needsFit(before, box([-1.1, 0, -1], [1, 2, 1]), matrix), false, 'hardly another');
  assert.equal(needsFit(before, box([4, 0, -1], [6, 2, 1]), matrix), true, 'elsewhere');
  assert.equal(needsFit(before, box([-9, 0, -9], [9, 9, 9]), matrix), true, 'larger');
  assert.equal(needsFit(before, box([-0.1, 0, -0.1], [0.1, 0.2, 0.1]), matrix), true, 'smaller');
  const detail = matrixFor(before, angles, 1.5, lens);
  assert.ok(partInView(before, detail) < 0.5);
  assert.equal(needsFit(before, before, detail), false, 'a detail stays in view');
  assert.equal(needsFit(before, box([9, 0, 9], [11, 2, 11]), detail), true, 'the detail is gone');
});

test('between two views: the shorter way around, and both ends', () => {
  const from = { round: 3, up: 0, distance: 1, target: { x: 0, y: 0, z: 0 } };
  const to = { round: -3, up: 1, distance: 4, target: { x: 2, y: 0, z: 0 } };
  assert.deepEqual(between(from, to, 0), from);
  const end = between(from, to, 1);
  close(wrapped(end.round - to.round), 0, 'there');
  close(end.distance, 4, 'there');
  const middle = between(from, to, 0.5);
  assert.ok(Math.abs(wrapped(middle.round - Math.PI)) < 1e-6, 'by the back');
  close(middle.distance, 2, 'each moment by the same factor');
  close(middle.target.x, 1, 'half the way');
});
