// SPDX-License-Identifier: MIT
//
// The arithmetic of the curves: ranges, marks on the axes, zoom. Pure.

/** The lowest and the highest finite number, at least `least` apart. */
export function range(values, least) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return { low: -least / 2, high: least / 2 };
  const lacking = Math.max(0, least - (high - low)) / 2;
  const margin = (high - low + 2 * lacking) * 0.06;
  return { low: low - lacking - margin, high: high + lacking + margin };
}

/** Round numbers in a range, about `count` of them: steps are 1, 2 or 5 times a power of ten. */
export function marks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span) || !(count >= 1)) return [];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(i === 0 ? 0 : i * step);
  return found;
}

/** The text of a mark, with as many digits as the step needs. */
export function markText(value, step) {
  if (value === 0) return '0';
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  return value.toFixed(digits);
}

/**
 * Zoom into a window around a value, not closer than `least` and not wider than `all`, in which it stays.
 * @param {{ low: number, high: number }} window
 */
export function zoomed({ low, high }, at, factor, { least, all }) {
  const span = Math.min(Math.max((high - low) * factor, least), all.high - all.low);
  const part = high > low ? (at - low) / (high - low) : 0.5;
  return kept({ low: at - part * span, high: at + (1 - part) * span }, all);
}

/** Move a window, within `all`. */
export function panned({ low, high }, by, all) {
  return kept({ low: low + by, high: high + by }, all);
}

function kept({ low, high }, all) {
  const span = high - low;
  const start = Math.min(Math.max(low, all.low), all.high - span);
  return { low: start, high: start + span };
}

/** Where a box of a width goes: right of `x`, or left of it if there is more room, but never outside.
 * @param {number} x @param {number} width of the box @param {number} room */
export function besidePoint(x, width, room) {
  const wanted = x > room / 2 ? x - 10 - width : x + 10;
  return Math.max(0, Math.min(wanted, room - width));
}

/** A value with the digits that help. */
export function valueText(value) {
  return Number.isFinite(value)
    ? value.toFixed(Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3)
    : '?';
}
