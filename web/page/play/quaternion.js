// SPDX-License-Identifier: MIT
//
// Quaternions (x y z w) in arrays. Pure.

const ALMOST_SAME = 1e-6; // radians; nearer ones are mixed without an arc

/** From one rotation to another by the short arc, at constant speed. `out` may be one of the inputs. */
export function slerp(from, i, to, j, part, out, o) {
  const [ax, ay, az, aw] = [from[i], from[i + 1], from[i + 2], from[i + 3]];
  let [bx, by, bz, bw] = [to[j], to[j + 1], to[j + 2], to[j + 3]];
  if (ax * bx + ay * by + az * bz + aw * bw < 0) [bx, by, bz, bw] = [-bx, -by, -bz, -bw];
  // The half angle from the chord and its complement is exact at any angle.
  const chord = Math.hypot(ax - bx, ay - by, az - bz, aw - bw);
  const sum = Math.hypot(ax + bx, ay + by, az + bz, aw + bw);
  const angle = 2 * Math.atan2(chord, sum);
  let a = 1 - part;
  let b = part;
  if (angle > ALMOST_SAME) {
    const sine = Math.sin(angle);
    a = Math.sin(a * angle) / sine;
    b = Math.sin(b * angle) / sine;
  }
  const [x, y, z, w] = [a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw];
  const length = Math.hypot(x, y, z, w) || 1;
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = w / length;
}

/** Turn q about Y: (0 sine 0 cosine) * q. */
export function turnAboutY(sine, cosine, q, at) {
  const [x, y, z, w] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  q[at] = cosine * x + sine * z;
  q[at + 1] = cosine * y + sine * w;
  q[at + 2] = cosine * z - sine * x;
  q[at + 3] = cosine * w - sine * y;
}
