// SPDX-License-Identifier: MIT
//
// The edges of the side panels can be dragged, or moved with the arrow keys. The stage keeps a useful
// width: the columns of the page give way in page.css, and here.

import { byId } from './dom.js';

const LEAST_STAGE = 340; // pixels, as in layout.css

/** @param {string} id of the edge @param {string} variable its width @param {number} direction 1 or -1 */
export function setUpEdge(id, variable, direction) {
  const edge = byId(id);
  const low = Number(edge.getAttribute('aria-valuemin'));
  const high = Number(edge.getAttribute('aria-valuemax'));
  const root = document.documentElement;
  const width = () => parseFloat(getComputedStyle(root).getPropertyValue(variable));
  const set = (value) => {
    const room = byId('stage').clientWidth - LEAST_STAGE + width();
    const most = Math.max(low, Math.min(high, room));
    root.style.setProperty(variable, `${Math.round(Math.min(Math.max(low, value), most))}px`);
    edge.setAttribute('aria-valuenow', String(Math.round(width())));
  };
  edge.setAttribute('aria-valuenow', String(width()));
  edge.addEventListener('pointerdown', (event) => {
    edge.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const start = width();
    const move = (moved) => set(start + (moved.clientX - from) * direction);
    const stop = () => edge.removeEventListener('pointermove', move);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', stop, { once: true });
  });
  edge.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
    if (!by) return;
    set(width() + by * direction);
    event.preventDefault();
  });
}
