// SPDX-License-Identifier: MIT
//
// The drawing of the empty page: somebody walks, at several moments at once, as in the earliest
// photographs of motion. Pure: it returns the content of an SVG element.

const MOMENTS = 9;
const HEIGHT = 120; // of the drawing; its width is 420
const LEG = 27; // thigh and shin each
const ARM = 19;
const BODY = 36;

/** @type {(from: number[], length: number, angle: number) => number[]} */
const point = ([x, y], length, angle) => [x + length * Math.sin(angle), y + length * Math.cos(angle)];
/** @type {(place: number[]) => string} */
const at = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const line = (...points) => `M${points.map(at).join('L')}`;

/** The joints of one moment of the walk. @param {number} phase of the step, in radians @param {number} x */
export function stride(phase, x) {
  const hip = [x, HEIGHT - 4 - 2 * LEG + 3.5 - 2.5 * Math.cos(2 * phase)];
  const neck = point(hip, -BODY, -0.1);
  const leg = (turn) => {
    const thigh = 0.5 * Math.sin(turn) + 0.12;
    const bend = 0.12 + 0.75 * Math.max(0, Math.cos(turn + 0.2)) ** 2;
    const knee = point(hip, LEG, thigh);
    return [hip, knee, point(knee, LEG, thigh - bend)];
  };
  const arm = (turn) => {
    const upper = -0.5 * Math.sin(turn);
    const elbow = point(neck, ARM, upper);
    return [neck, elbow, point(elbow, ARM, upper + 0.45)];
  };
  const head = point(neck, -11, -0.15);
  const limbs = [leg(phase), leg(phase + Math.PI), arm(phase), arm(phase + Math.PI)];
  return { hip, neck, head, limbs };
}

/** @returns {string} */
export function strobe() {
  const figures = [];
  for (let i = 0; i < MOMENTS; i++) {
    const isLast = i === MOMENTS - 1;
    const { hip, neck, head, limbs } = stride((i * Math.PI) / 4 + 0.6, 36 + i * 43);
    const bones = [line(hip, neck), ...limbs.map((limb) => line(...limb))].join('');
    const joints = [hip, neck, ...limbs.flatMap((limb) => limb.slice(1))];
    const dots = joints.map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${isLast ? 2.3 : 1.3}" fill="currentColor" stroke="none"/>`);
    const face = `<circle cx="${head[0].toFixed(1)}" cy="${head[1].toFixed(1)}" r="7"/>`;
    const opacity = isLast ? 1 : (0.1 + 0.42 * (i / MOMENTS) ** 1.5).toFixed(2);
    figures.push(
      `<g opacity="${opacity}" stroke-width="${isLast ? 2.2 : 1.4}"><path d="${bones}"/>${face}${dots.join('')}</g>`,
    );
  }
  return `<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">${figures.join('')}</g>`;
}
