// SPDX-License-Identifier: MIT
//
// The names of bones, on a canvas over the 3D view. Names that would overlap an earlier one are omitted;
// the selected bone and the one below the pointer come first.

import { sizeCanvas } from '../window/dom.js';

const FONT = '11px ui-sans-serif, system-ui, sans-serif';
const MOST_TRIED = 3000;

/** Rectangles that must not overlap, indexed by cells so that thousands of names are cheap. */
class Room {
  #cells = new Map();

  take(x, y, width, height) {
    const keys = [];
    for (let i = Math.floor(x / 64); i <= Math.floor((x + width) / 64); i++) {
      for (let j = Math.floor(y / 16); j <= Math.floor((y + height) / 16); j++)
        keys.push(`${i},${j}`);
    }
    for (const key of keys) {
      for (const [ox, oy, ow, oh] of this.#cells.get(key) ?? []) {
        if (x < ox + ow && ox < x + width && y < oy + oh && oy < y + height) return false;
      }
    }
    for (const key of keys) {
      if (!this.#cells.has(key)) this.#cells.set(key, []);
      this.#cells.get(key).push([x, y, width, height]);
    }
    return true;
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ names: string[], places: ({x: number, y: number}|null)[], chosen: number, hovered?: number, all: boolean, isDark: boolean }} what
 * @param {{ width: number, height: number, ratio: number }} [size] of a canvas that is not on the page:
 *   in units of the text, and pixels per unit; the names are drawn over what is there
 */
export function drawLabels(canvas, what, size) {
  if (!size && !sizeCanvas(canvas)) return;
  const { ratio, width: across, height: down } = size ?? {
    ratio: window.devicePixelRatio || 1,
    width: canvas.clientWidth,
    height: canvas.clientHeight,
  };
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!size) {
    context.clearRect(0, 0, across, down);
    // Chromium may go on showing names that were cleared, if nothing is drawn afterwards.
    canvas.style.visibility = what.names.length > 0 ? '' : 'hidden';
  }
  const order = what.all ? what.names.keys() : [];
  const room = new Room();
  context.font = FONT;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const { chosen, hovered = -1 } = what;
  const isMarked = (bone) => bone === chosen || bone === hovered;
  const draw = (bone) => {
    const place = what.places[bone];
    if (
      !place ||
      place.x < -100 ||
      place.y < -20 ||
      place.x > across + 20 ||
      place.y > down + 20
    )
      return;
    const width = context.measureText(what.names[bone]).width;
    if (isMarked(bone)) dot(context, place, what.isDark, bone === chosen);
    const x = place.x + 8;
    const y = place.y - 8;
    if (!room.take(x - 2, y - 7, width + 4, 14)) return;
    context.lineWidth = 3;
    context.strokeStyle = what.isDark ? 'rgba(20,23,27,0.85)' : 'rgba(255,255,255,0.9)';
    context.strokeText(what.names[bone], x, y);
    context.fillStyle =
      isMarked(bone)
        ? what.isDark
          ? '#ffc67d'
          : '#a34f00'
        : what.isDark
          ? '#e6eaf0'
          : '#1d242c';
    context.fillText(what.names[bone], x, y);
  };
  if (chosen >= 0) draw(chosen);
  if (hovered >= 0 && hovered !== chosen) draw(hovered);
  let tried = 0;
  for (const bone of order) {
    if (!isMarked(bone)) draw(bone);
    if (++tried > MOST_TRIED) break;
  }
}

// The selected bone is marked even if bones are not drawn, and the one below the pointer with a ring.
function dot(context, place, isDark, isChosen) {
  context.beginPath();
  context.arc(place.x, place.y, 3.5, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = isDark ? 'rgba(20,23,27,0.85)' : 'rgba(255,255,255,0.9)';
  context.stroke();
  context.strokeStyle = context.fillStyle = isDark ? '#ffb454' : '#d9730d';
  if (isChosen) context.fill();
  else {
    context.lineWidth = 1.2;
    context.stroke();
  }
}
