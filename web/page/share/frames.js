// SPDX-License-Identifier: MIT
//
// Which moments of a clip an export shows, how long each is shown, and what changes between two
// pictures. Pure.

export const RATES = [10, 12, 15, 20, 24, 25, 30, 50, 60];

// Sums of steps are not exact: a time this near to the end of a clip is the end.
const NEARLY = 1e-6;

/**
 * @typedef {{ frameCount: number, fps: number }} Clip no frames: a pose that does not move
 * @typedef {{ first: number, last: number }} Range frames of the clip
 */

/**
 * The times that are shown, in seconds: every f / rate from the first frame until the last one has been
 * shown as long as the others.
 * @param {Clip} clip @param {number} rate pictures per second
 * @param {Range|null} range null: the whole clip @param {boolean} isBack then back to the start
 */
export function momentsOf({ frameCount, fps }, rate, range = null, isBack = false) {
  if (frameCount < 2) return [0];
  const first = Math.min(Math.max(range?.first ?? 0, 0), frameCount - 1);
  const last = Math.min(Math.max(range?.last ?? frameCount - 1, first), frameCount - 1);
  const count = Math.max(1, Math.ceil(((last - first + 1) / fps) * rate - NEARLY));
  const times = Array.from({ length: count }, (_, f) => first / fps + f / rate);
  return isBack ? [...times, ...times.slice(1, -1).reverse()] : times;
}

/** Some frames of a clip, evenly: their times. @param {Clip} clip @param {number} count @param {Range|null} range */
export function samplesOf({ frameCount, fps }, count, range = null) {
  const first = range?.first ?? 0;
  const all = Math.max(1, (range?.last ?? frameCount - 1) - first + 1);
  const wanted = Math.min(count, all);
  return Array.from({ length: wanted }, (_, i) => (first + Math.floor((i * all) / wanted)) / fps);
}

/**
 * How long each picture is shown, in whole units. Rounding never adds up: after any number of pictures
 * the sum is the nearest to the exact time.
 * @param {number} count @param {number} rate @param {number} unitsPerSecond
 */
export function delaysOf(count, rate, unitsPerSecond) {
  const until = (f) => Math.round((f * unitsPerSecond) / rate);
  return Array.from({ length: count }, (_, f) => until(f + 1) - until(f));
}

/** A frame rate as a fraction of small integers: 1 / 30, or 1001 / 30000. @returns {[number, number]} */
export function delayFraction(rate) {
  for (const seconds of [...Array(100).keys(), 1000].map((n) => n + 1)) {
    const per = Math.round(rate * seconds);
    if (per <= 0xffff && Math.abs(per / seconds - rate) < 2e-6) return [seconds, per];
  }
  return [1000, Math.min(0xffff, Math.round(rate * 1000))];
}

/**
 * The rectangle in which two pictures differ; of equal ones a single pixel. Without a picture before:
 * everything.
 * @param {Uint8ClampedArray|null} before @param {Uint8ClampedArray} now @param {number} width @param {number} height
 */
export function changedArea(before, now, width, height) {
  if (!before) return { x: 0, y: 0, width, height };
  const a = new Uint32Array(before.buffer, before.byteOffset, width * height);
  const b = new Uint32Array(now.buffer, now.byteOffset, width * height);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (a[at] === b[at]) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  if (bottom < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The same rectangle from an even column and row on, as WebP wants it. */
export function evenArea({ x, y, width, height }) {
  return { x: x - (x % 2), y: y - (y % 2), width: width + (x % 2), height: height + (y % 2) };
}

/**
 * A size with the proportions of the view. @param {number} aspect width / height
 * @param {{ width?: number, height?: number }} given one of them
 */
export function sizeFor(aspect, { width, height }, most) {
  const wide = width ?? height * aspect;
  const tall = height ?? width / aspect;
  const scale = Math.min(1, most / Math.max(wide, tall)); // the proportions stay
  const round = (value) => Math.min(Math.max(1, Math.round(value * scale)), most);
  return { width: round(wide), height: round(tall) };
}
