// SPDX-License-Identifier: MIT
//
// Places on the ground: x, z, and the sine and cosine of half a turn about Y, as the library has them
// (ossa_ground, and `ground` of Motion in ossa.d.ts). Pure.

/** @typedef {[number, number, number, number]} Ground */

/** @type {Ground} */
export const ORIGIN = [0, 0, 0, 1];

const NOTHING = 1e-6;

/** The place of a root: its x and z, and its rotation about Y. Upside down there is none.
 * @param {ArrayLike<number>} locals @returns {Ground} */
export function groundOf(locals) {
  const [x, z, sine, cosine] = [locals[0], locals[2], locals[4], locals[6]];
  if (!(sine * sine + cosine * cosine > NOTHING * NOTHING)) return [x, z, 0, 1];
  return normal(x, z, sine, cosine);
}

/** @returns {Ground} */
function normal(x, z, sine, cosine) {
  const length = Math.hypot(sine, cosine) * (cosine < 0 || (cosine === 0 && sine < 0) ? -1 : 1);
  return [x, z, sine / length, cosine / length];
}

/** @param {Ground} ground @returns {[number, number]} a point turned as a place is */
export function turned([, , sine, cosine], x, z) {
  const s = 2 * sine * cosine;
  const c = cosine * cosine - sine * sine;
  return [c * x + s * z, c * z - s * x];
}

/** First b, then a. @param {Ground} a @param {Ground} b @returns {Ground} */
export function multiply(a, b) {
  const [x, z] = turned(a, b[0], b[1]);
  return normal(a[0] + x, a[1] + z, a[2] * b[3] + a[3] * b[2], a[3] * b[3] - a[2] * b[2]);
}

/** @param {Ground} ground @returns {Ground} */
export function inverse([x, z, sine, cosine]) {
  const [backX, backZ] = turned([0, 0, -sine, cosine], -x, -z);
  return [backX, backZ, -sine, cosine];
}
