// SPDX-License-Identifier: MIT
//
// The directions from which a figure is seen, and how a box lies in the view (pure). Angles are in
// radians: around the vertical axis from +Z, and up.

const HOME = [0.55, 0.25, 0.8]; // viewpoint of a scene that has none
const MARGIN = 1.12; // of the view around a box that fits into it
const SAMPLES = 5; // per edge of a box

/** @typedef {{ x: number, y: number, z: number }} Point */
/** @typedef {{ min: Point, max: Point }} Box */
/** @typedef {{ round: number, up: number }} Angles */

/** The named views: what is added to the angle of the front, and the height. */
const NAMED = {
  front: [0, 0],
  back: [2, 0],
  right: [1, 0],
  left: [3, 0],
  top: [0, 1],
  bottom: [0, -1],
};

/** @param {number[]} direction from the figure to the viewer @returns {Angles} */
export function anglesOf([x, y, z]) {
  return { round: x === 0 && z === 0 ? 0 : Math.atan2(x, z), up: Math.atan2(y, Math.hypot(x, z)) };
}

/**
 * Where the viewer stands who sees a figure first.
 * @param {number[]} viewpoint of a scene; 0 0 0: unknown
 */
export function homeOf(viewpoint) {
  return anglesOf(viewpoint.some((part) => part !== 0) ? viewpoint : HOME);
}

/**
 * The angles of a named view. The viewpoint is a little to the side of the face; the front is the axis
 * that is nearest to it. Right and left are the viewer's.
 * @param {string} name front, back, right, left, top, bottom or home
 * @param {number[]} viewpoint of the scene
 */
export function namedView(name, viewpoint) {
  const home = homeOf(viewpoint);
  if (name === 'home') return home;
  const quarter = Math.PI / 2;
  const front = Math.round(home.round / quarter);
  const [turn, up] = NAMED[name];
  return { round: wrapped((front + turn) * quarter), up: up * quarter };
}

/** The same angle between -pi and pi. */
export function wrapped(angle) {
  const whole = 2 * Math.PI;
  return angle - whole * Math.round(angle / whole);
}

/** The directions to the viewer, to the right and up, of a view from these angles. */
export function axesOf({ round, up }) {
  const [sr, cr, su, cu] = [Math.sin(round), Math.cos(round), Math.sin(up), Math.cos(up)];
  return {
    away: { x: sr * cu, y: su, z: cr * cu },
    right: { x: cr, y: 0, z: -sr },
    up: { x: -sr * su, y: cu, z: -cr * su },
  };
}

const dot = (a, b) => a.x * b.x + a.y * b.y + a.z * b.z;

/**
 * How far away to look at the centre of a box, so that all its corners are just in view: a bounding
 * sphere would waste half of it.
 * @param {Box} box @param {Angles} angles
 * @param {{ tall: number, wide: number, isFlat: boolean }} lens the tangents of half the angles of
 * view; a flat (orthographic) view is as large as the other at the distance
 */
export function distanceTo(box, angles, { tall, wide, isFlat }) {
  const { away, right, up } = axesOf(angles);
  const half = {
    x: (box.max.x - box.min.x) / 2,
    y: (box.max.y - box.min.y) / 2,
    z: (box.max.z - box.min.z) / 2,
  };
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const point = {
      x: corner & 1 ? half.x : -half.x,
      y: corner & 2 ? half.y : -half.y,
      z: corner & 4 ? half.z : -half.z,
    };
    const need = Math.max(Math.abs(dot(point, right)) / wide, Math.abs(dot(point, up)) / tall);
    distance = Math.max(distance, need + (isFlat ? 0 : dot(point, away)));
  }
  return distance * MARGIN;
}

/**
 * How much of a box is in view: 0 to 1.
 * @param {Box} box @param {ArrayLike<number>} matrix projection times view, by columns
 */
export function partInView({ min, max }, matrix) {
  const m = matrix;
  let seen = 0;
  const at = (low, high, i) => low + ((high - low) * i) / (SAMPLES - 1);
  for (let i = 0; i < SAMPLES ** 3; i++) {
    const x = at(min.x, max.x, i % SAMPLES);
    const y = at(min.y, max.y, Math.floor(i / SAMPLES) % SAMPLES);
    const z = at(min.z, max.z, Math.floor(i / SAMPLES ** 2));
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    const [a, b] = [m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13]];
    if (w > 0 && Math.abs(a) <= w && Math.abs(b) <= w) seen += 1;
  }
  return seen / SAMPLES ** 3;
}

const sizeOf = ({ min, max }) => Math.hypot(max.x - min.x, max.y - min.y, max.z - min.z);

/**
 * Whether the view has to change when another box takes the place of one: because its size is another,
 * or because less of it is in view. Somebody who looks at a detail keeps doing so.
 * @param {Box} before @param {Box} after @param {ArrayLike<number>} matrix
 */
export function needsFit(before, after, matrix) {
  const ratio = sizeOf(after) / (sizeOf(before) || 1);
  if (!(ratio < 1.3 && ratio > 1 / 1.3)) return true;
  return partInView(after, matrix) < Math.min(0.85, 0.8 * partInView(before, matrix));
}

/** A view between two others, for a change that can be followed: the shorter way around. */
export function between(from, to, part) {
  const eased = part * part * (3 - 2 * part);
  const mix = (a, b) => a + (b - a) * eased;
  return {
    round: from.round + wrapped(to.round - from.round) * eased,
    up: mix(from.up, to.up),
    distance: from.distance * (to.distance / from.distance) ** eased,
    target: {
      x: mix(from.target.x, to.target.x),
      y: mix(from.target.y, to.target.y),
      z: mix(from.target.z, to.target.z),
    },
  };
}
