// SPDX-License-Identifier: MIT
//
// What is done to the curves with a mouse, fingers and the wheel. Positions are those in the canvas.

const STILL = 4; // pixels; less is a click, not a drag
const NOTCH = 1.2; // zoom of one notch of the wheel

/**
 * @typedef {object} Does
 * @property {(x: number) => void} scrub
 * @property {(x: number, y: number, isOpened: boolean) => void} pick a click; `isOpened`: with Ctrl, Command or Alt
 * @property {(x: number, y: number) => void} twice a double click
 * @property {(at: {x: number, y: number}|null) => void} hover
 * @property {(x: number, y: number, time: number, value: number) => void} zoom
 * @property {(dx: number, dy: number, y: number) => void} pan
 * @property {(x: number) => boolean} isBeside whether that is left of the curves, on the numbers
 */

/** @param {HTMLCanvasElement} canvas @param {Does} does */
export function listenToCurves(canvas, does) {
  const at = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const pressed = new Map(); // by pointer: where it is
  let isPanning = false;
  let start = null; // where a click began; null: it is a drag, or something else

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 1) return;
    if (event.button === 1) event.preventDefault(); // no scrolling by the middle button
    canvas.setPointerCapture(event.pointerId);
    const here = at(event);
    pressed.set(event.pointerId, here);
    isPanning = event.shiftKey || event.button === 1 || pressed.size > 1;
    start = isPanning ? null : here;
    if (!isPanning && !hasModifier(event)) does.scrub(here.x);
  });

  canvas.addEventListener('pointermove', (event) => {
    const here = at(event);
    const before = pressed.get(event.pointerId);
    if (!before) {
      does.hover(event.pointerType === 'touch' ? null : here);
      return;
    }
    if (start && Math.hypot(here.x - start.x, here.y - start.y) > STILL) start = null;
    const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
    if (other) pinch(before, here, other);
    else if (isPanning) does.pan(here.x - before.x, here.y - before.y, here.y);
    else if (!start) does.scrub(here.x);
    pressed.set(event.pointerId, here);
  });

  // Two fingers: their middle moves the curves, their distance zooms, in each direction on its own.
  function pinch(before, here, other) {
    const apart = (axis) => {
      const was = Math.abs(before[axis] - other[axis]);
      const is = Math.abs(here[axis] - other[axis]);
      return was > 30 && is > 30 ? was / is : 1;
    };
    const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 };
    does.zoom(middle.x, middle.y, apart('x'), apart('y'));
    does.pan((here.x - before.x) / 2, (here.y - before.y) / 2, middle.y);
  }

  const release = (event) => {
    if (!pressed.delete(event.pointerId)) return;
    if (start && event.type === 'pointerup') does.pick(start.x, start.y, hasModifier(event));
    start = null;
    if (pressed.size > 0) isPanning = true; // a finger that is left does not jump to another frame
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => does.hover(null));
  canvas.addEventListener('dblclick', (event) => does.twice(at(event).x, at(event).y));

  // The wheel zooms in time; with Shift, or over the numbers, in height. A pinch on a touchpad comes
  // as a wheel with Ctrl. Sideways it moves.
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const { x, y } = at(event);
    const by = event.shiftKey ? event.deltaY || event.deltaX : event.deltaY;
    if (!event.shiftKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      does.pan(-event.deltaX, 0, y);
      return;
    }
    const factor = event.ctrlKey ? Math.exp(by / 100) : by < 0 ? 1 / NOTCH : NOTCH;
    const isHeight = event.shiftKey || does.isBeside(x);
    does.zoom(x, y, isHeight ? 1 : factor, isHeight || event.ctrlKey ? factor : 1);
  }, { passive: false });
}

function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
