// SPDX-License-Identifier: MIT
//
// How far joints of the same name are apart, and which time of another clip belongs to a time of this
// one. Pure.

const SAME_TIME = 2e-5; // seconds

/** @typedef {{ frameCount: number, fps: number }} Length */

/**
 * Joints of the same name. If a name occurs several times, the first belongs to the first.
 * @param {string[]} names @param {string[]} others
 * @returns {[number, number][]} their indices
 */
export function pairsOf(names, others) {
  const free = new Map();
  others.forEach((name, index) => free.set(name, [...(free.get(name) ?? []), index]));
  return names.flatMap((name, index) => {
    const other = free.get(name)?.shift();
    return other === undefined ? [] : [/** @type {[number, number]} */ ([index, other])];
  });
}

/** @typedef {{ places: ArrayLike<number>, visible: ArrayLike<number> }} Places [joint][3], and whether each is visible */

/**
 * The pair that is farthest apart. What is hidden has no place.
 * @param {Places} one @param {Places} other @param {[number, number][]} pairs
 * @returns {{ metres: number, joint: number }} `joint` of the first; -1: there are no pairs
 */
export function farthest(one, other, pairs) {
  const most = { metres: 0, joint: pairs[0]?.[0] ?? -1 };
  for (const [a, b] of pairs) {
    if (!one.visible[a] || !other.visible[b]) continue;
    const along = (k) => one.places[a * 3 + k] - other.places[b * 3 + k];
    const metres = Math.hypot(along(0), along(1), along(2));
    if (metres <= most.metres) continue;
    most.joint = a;
    most.metres = Number.isNaN(metres) ? Infinity : metres;
  }
  return most;
}

/** A distance in millimetres, for people. */
export function millimetresText(metres) {
  const millimetres = metres * 1000;
  if (!Number.isFinite(millimetres)) return 'not a number';
  if (millimetres > 0 && millimetres < 0.01) return 'less than 0.01\u00a0mm';
  const digits = millimetres < 10 ? 2 : millimetres < 1000 ? 1 : 0;
  const text = millimetres.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text}\u00a0mm`;
}

/** A time that is next to one of some sorted times is that one: files store times less precisely, and a
 * step would come a frame late. @param {number} seconds @param {ArrayLike<number>} times */
export function snapped(seconds, times) {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle] < seconds - SAME_TIME) from = middle + 1;
    else to = middle;
  }
  return times[from] <= seconds + SAME_TIME ? times[from] : seconds;
}

/**
 * The time of another clip that is shown at a time of this one.
 * @param {number} seconds @param {Length} length of this clip @param {Length} other
 * @param {string} how 'same': the same time; 'part': the same part of the clip
 * @param {string} wrap 'loop': a last frame lasts as long as the others
 */
export function otherTime(seconds, length, other, how, wrap) {
  if (how !== 'part' || length.frameCount < 1 || other.frameCount < 1) return seconds;
  const whole = ({ frameCount, fps }) => (wrap === 'loop' ? frameCount : Math.max(1, frameCount - 1)) / fps;
  return (seconds / whole(length)) * whole(other);
}
