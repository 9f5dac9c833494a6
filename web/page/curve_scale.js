// SPDX-License-Identifier: MIT
//
// The arithmetic of the curves: ranges, marks on the axes, and rotations as numbers that can be drawn.
// Pure.

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
export function turns(rotations) {
  const result = new Float32Array((rotations.length / 4) * 3);
  for (let i = 0; i * 4 + 3 < rotations.length; i++) {
    const [x, y, z, w] = rotations.subarray(i * 4, i * 4 + 4);
    const length = Math.hypot(x, y, z);
    const angle = (2 * Math.atan2(length, w) * 180) / Math.PI;
    const factor = length > 1e-12 ? angle / length : 0;
    result.set([x * factor, y * factor, z * factor], i * 3);
  }
  return result;
}

/** How much a component changes if the angle changes by a step. In a quaternion it is half of that. */
export function stepOfComponent(radians, isTurn) {
  return isTurn ? (radians * 180) / Math.PI : Math.sin(radians / 2);
}
