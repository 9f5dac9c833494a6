// SPDX-License-Identifier: MIT
//
// Rotations as numbers that can be drawn: quaternions, rotation vectors or Euler angles; and how much
// each number changes if the rotation changes by one step of the file. Pure.

const DEGREES = 180 / Math.PI;
const LOCKED = 0.99999; // sine of the middle angle from which the outer two cannot be told apart
const MOST_TIMES = 20; // a band is not wider than that many steps, however near to the lock

/** How rotations may be shown. Orders of Euler angles are as in glossaries: XYZ is R = Rx · Ry · Rz. */
export const FORMS = {
  vector: { name: 'rotation vector', title: 'Rotation vector (°)', axes: 'xyz', about: 'the axis, as long as the angle' },
  ...Object.fromEntries(
    ['ZXY', 'XYZ', 'XZY', 'YXZ', 'YZX', 'ZYX'].map((order) => [
      order,
      {
        name: `Euler angles ${order}`,
        title: `Euler angles ${order} (°)`,
        axes: 'xyz',
        about: `R = ${[...order].map((axis) => `R${axis.toLowerCase()}`).join(' · ')}`,
      },
    ]),
  ),
  quaternion: { name: 'quaternion', title: 'Rotation quaternion', axes: 'xyzw', about: 'q and −q are the same rotation' },
};

/**
 * Rotations (x y z w) in a form.
 * @param {Float32Array} rotations @param {string} form one of FORMS
 * @param {number} step of the file, in radians; 0 or null: not known, or none
 * @returns {{ values: Float32Array, bands: Float32Array|null }} `bands`: the width of a step at each value
 */
export function inForm(rotations, form, step) {
  const smooth = continuous(rotations);
  if (form === 'quaternion') {
    const bands = step > 0 ? new Float32Array(smooth.length).fill(Math.sin(step / 2)) : null;
    return { values: smooth, bands };
  }
  if (form === 'vector') {
    const values = rotationVectors(smooth);
    return { values, bands: step > 0 ? vectorBands(values, step) : null };
  }
  const values = eulerAngles(smooth, form);
  return { values, bands: step > 0 ? eulerBands(values, form, step) : null };
}

/** q and -q are the same rotation. Takes the one nearer to its predecessor, and for the first one that
 * with the smaller angle. */
export function continuous(rotations) {
  const result = new Float32Array(rotations);
  for (let i = 0; i + 3 < result.length; i += 4) {
    let dot = i === 0 ? result[3] : 0;
    for (let c = 0; i > 0 && c < 4; c++) dot += result[i + c] * result[i - 4 + c];
    if (dot < 0) for (let c = 0; c < 4; c++) result[i + c] = -result[i + c];
  }
  return result;
}

/** Rotations (x y z w, continuous) as axis times angle, in degrees: three numbers each. */
export function rotationVectors(rotations) {
  const result = new Float32Array((rotations.length / 4) * 3);
  for (let i = 0; i * 4 + 3 < rotations.length; i++) {
    const [x, y, z, w] = rotations.subarray(i * 4, i * 4 + 4);
    const length = Math.hypot(x, y, z);
    const angle = 2 * Math.atan2(length, w) * DEGREES;
    const factor = length > 1e-12 ? angle / length : 0;
    result.set([x * factor, y * factor, z * factor], i * 3);
  }
  return result;
}

// Across the axis, a small rotation changes the vector by more than its own angle.
function vectorBands(values, step) {
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 3) {
    const half = Math.hypot(values[i], values[i + 1], values[i + 2]) / DEGREES / 2;
    const times = half > 1e-6 ? Math.abs(half / Math.sin(half)) : 1;
    result.fill(step * DEGREES * Math.min(Math.max(1, times), MOST_TIMES), i, i + 3);
  }
  return result;
}

/** The matrix of a unit quaternion: rows of columns. @param {ArrayLike<number>} rotation */
function matrixOf({ 0: x, 1: y, 2: z, 3: w }) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

function axesOf(order) {
  const [i, j, k] = [...order].map((axis) => 'XYZ'.indexOf(axis));
  return { i, j, k, sign: (j - i + 3) % 3 === 1 ? 1 : -1 };
}

/**
 * Rotations as Euler angles in degrees: x, y, z each, whatever the order. Of the equivalent angles, those
 * nearest to the frame before. If the outer two cannot be told apart, the last one keeps its value, as
 * in BVH files of the tool.
 * @param {Float32Array} rotations @param {string} order "XYZ": R = Rx · Ry · Rz
 */
export function eulerAngles(rotations, order) {
  const { i, j, k, sign } = axesOf(order);
  const result = new Float32Array((rotations.length / 4) * 3);
  let before = null; // radians, in the order's order
  for (let at = 0; at * 4 + 3 < rotations.length; at++) {
    const m = matrixOf(rotations.subarray(at * 4, at * 4 + 4));
    const sine = Math.min(Math.max(-1, sign * m[i][k]), 1);
    let angles;
    if (Math.abs(sine) > LOCKED) {
      const last = before?.[2] ?? 0;
      const sum = Math.atan2(sign * m[j][i], m[j][j]);
      angles = [sign * Math.sign(sine) * (sum - last), Math.asin(sine), last];
    } else {
      angles = [
        Math.atan2(-sign * m[j][k], m[k][k]),
        Math.asin(sine),
        Math.atan2(-sign * m[i][j], m[i][i]),
      ];
    }
    before = nearest(angles, before);
    for (const [n, axis] of [i, j, k].entries()) result[at * 3 + axis] = before[n] * DEGREES;
  }
  return result;
}

// Of all angles that mean the same rotation, those nearest to the ones before.
function nearest(angles, before) {
  if (!before) return angles;
  const [a, b, c] = angles;
  const candidates = [angles, [a + Math.PI, Math.PI - b, c + Math.PI]].map((some) =>
    some.map((angle, n) => angle - 2 * Math.PI * Math.round((angle - before[n]) / (2 * Math.PI))),
  );
  const [one, other] = candidates.map((some) =>
    some.reduce((sum, angle, n) => sum + Math.abs(angle - before[n]), 0),
  );
  return other < one ? candidates[1] : candidates[0];
}

// The outer angles change the more, the nearer the middle one is to 90°.
function eulerBands(values, order, step) {
  const { i, j, k } = axesOf(order);
  const result = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 3) {
    const cosine = Math.abs(Math.cos(values[at + j] / DEGREES));
    const outer = Math.min(1 / Math.max(cosine, 1e-6), MOST_TIMES);
    result[at + i] = result[at + k] = step * DEGREES * outer;
    result[at + j] = step * DEGREES;
  }
  return result;
}
