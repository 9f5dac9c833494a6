// SPDX-License-Identifier: MIT
//
// A texture as a picture: its pixels as stored, with transparent ones over a checkerboard.

import { el } from '../window/dom.js';

const WANTED = 256; // screen pixels that a small texture is enlarged to, by an integer factor

/** The size of one pixel of the texture in screen pixels. */
export function enlargement({ width, height }) {
  return Math.max(1, Math.floor(WANTED / Math.max(width, height)));
}

/** @param {any} picture see picture_reader.js @param {string} name */
export function pictureElement(picture, name) {
  const { width, height, pixels } = picture;
  const size = `${width} × ${height}`;
  const canvas = /** @type {HTMLCanvasElement} */ (
    el('canvas', {
      role: 'img',
      'aria-label': `Texture ${name}, ${size} pixels`,
      width,
      height,
    })
  );
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  canvas.style.width = `${width * enlargement(picture)}px`;
  const caption = `${size} pixels${picture.isOpaque ? '' : ', some transparent'}`;
  return el(
    'figure',
    { class: 'texture' },
    canvas,
    el('figcaption', { class: 'quiet', text: caption }),
  );
}
