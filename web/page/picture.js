// SPDX-License-Identifier: MIT
//
// A texture as a picture: its pixels as stored, with transparent ones over a checkerboard.

import { el } from './dom.js';

const WANTED = 256; // screen pixels that a small texture is enlarged to, by an integer factor

/**
 * The pixels of a texture; null: its kind of pixels is not supported.
 * @returns {{ width: number, height: number, pixels: Uint8ClampedArray, isOpaque: boolean }|null}
 */
export function readPicture(workspace, word) {
  let scene = null;
  try {
    scene = workspace.scene([word]);
    const [texture] = scene.textures;
    if (!texture || texture.width === 0 || texture.height === 0) return null;
    const pixels = new Uint8ClampedArray(texture.pixels); // a copy: the scene is freed
    return { width: texture.width, height: texture.height, pixels, isOpaque: isOpaque(pixels) };
  } catch {
    return null; // whoever reads the file reports why
  } finally {
    scene?.free();
  }
}

function isOpaque(pixels) {
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 255) return false;
  return true;
}

/** The size of one pixel of the texture in screen pixels. */
export function enlargement({ width, height }) {
  return Math.max(1, Math.floor(WANTED / Math.max(width, height)));
}

/** @param {NonNullable<ReturnType<typeof readPicture>>} picture @param {string} name */
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
