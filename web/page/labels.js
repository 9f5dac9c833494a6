// SPDX-License-Identifier: MIT
//
// The names of bones, on a canvas over the 3D view. Names that would overlap an earlier one are omitted;
// the selected bone comes first.

import { sizeCanvas } from './dom.js';

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
 * @param {{ names: string[], places: ({x: number, y: number}|null)[], chosen: number, all: boolean, isDark: boolean }} what
 */
export function drawLabels(canvas, what) {
  if (!sizeCanvas(canvas)) return;
  const ratio = window.devicePixelRatio || 1;
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const order = what.all ? what.names.keys() : [];
  const room = new Room();
  context.font = FONT;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const draw = (bone) => {
    const place = what.places[bone];
    if (
      !place ||
      place.x < -100 ||
      place.y < -20 ||
      place.x > canvas.clientWidth + 20 ||
      place.y > canvas.clientHeight + 20
    )
      return;
    const width = context.measureText(what.names[bone]).width;
    if (bone === what.chosen) dot(context, place, what.isDark);
    const x = place.x + 8;
    const y = place.y - 8;
    if (!room.take(x - 2, y - 7, width + 4, 14)) return;
    context.lineWidth = 3;
    context.strokeStyle = what.isDark ? 'rgba(20,23,27,0.85)' : 'rgba(255,255,255,0.9)';
    context.strokeText(what.names[bone], x, y);
    context.fillStyle =
      bone === what.chosen
        ? what.isDark
          ? '#ffc67d'
          : '#a34f00'
        : what.isDark
          ? '#e6eaf0'
          : '#1d242c';
    context.fillText(what.names[bone], x, y);
  };
  if (what.chosen >= 0) draw(what.chosen);
  let tried = 0;
  for (const bone of order) {
    if (bone !== what.chosen) draw(bone);
    if (++tried > MOST_TRIED) break;
  }
}

// The selected bone is marked even if bones are not drawn.
function dot(context, place, isDark) {
  context.beginPath();
  context.arc(place.x, place.y, 3.5, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = isDark ? 'rgba(20,23,27,0.85)' : 'rgba(255,255,255,0.9)';
  context.stroke();
  context.fillStyle = isDark ? '#ffb454' : '#d9730d';
  context.fill();
}
