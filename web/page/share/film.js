// SPDX-License-Identifier: MIT
//
// Takes pictures of the stage: poses the figure for a moment, draws it at the wanted size, and writes the
// names over it. Nothing is recorded: each picture is drawn for itself, so it is the same every time.

import { scale, scaledPlace } from './film_scale.js';

/**
 * @typedef {{ width: number, height: number, background?: string|null,
 *   view: { bones: boolean, names: boolean, grid: boolean, shadow: boolean } }} Shot
 */

export class Film {
  canvas = document.createElement('canvas');
  #parts;
  #shot;
  #zoom;
  #context;
  #before = null;

  /**
   * @param {{ session: any, show: any, stage: any }} parts @param {Shot} shot
   * @param {number} [zoom] of a preview: its size by that of the picture
   */
  constructor(parts, shot, zoom = 1) {
    this.#parts = parts;
    this.#shot = shot;
    this.#zoom = zoom;
    this.canvas.width = Math.max(1, Math.round(shot.width * zoom));
    this.canvas.height = Math.max(1, Math.round(shot.height * zoom));
    this.#context = this.canvas.getContext('2d', { willReadFrequently: true });
    if (!this.#context) throw new Error('the browser has no memory for a picture of this size');
  }

  get width() {
    return this.canvas.width;
  }

  get height() {
    return this.canvas.height;
  }

  get isTransparent() {
    return this.#shot.background === null;
  }

  /** Show on the stage what the pictures show, until `end`. */
  start() {
    const { session } = this.#parts;
    this.#before = session.view;
    session.view = { ...session.view, ...this.#shot.view };
    session.emit('view', null);
  }

  /** The stage as it was. */
  end() {
    const { session, show } = this.#parts;
    session.view = this.#before;
    session.emit('view', null);
    show.moved();
  }

  /** @param {number} seconds of the clip */
  draw(seconds) {
    const { show, stage } = this.#parts;
    const { width, height } = this.canvas;
    const { background, view } = this.#shot;
    show.poseAt(seconds);
    stage.render({ width, height, background, hasGrid: view.grid, hasShadow: view.shadow }, this.#context);
    if (view.names) this.#names();
  }

  #names() {
    const { show, stage } = this.#parts;
    const { clientWidth, clientHeight } = stage.canvas;
    const from = { width: clientWidth, height: clientHeight };
    const ratio = scale(from, this.#shot) * this.#zoom;
    const size = { width: this.width / ratio, height: this.height / ratio, ratio };
    const project = (x, y, z) => {
      const at = stage.project(x, y, z);
      return at && scaledPlace(at, from, size);
    };
    this.#context.save();
    show.drawNames(this.canvas, project, size);
    this.#context.restore();
  }

  /** Red, green, blue and alpha, not premultiplied. */
  pixels() {
    return this.#context.getImageData(0, 0, this.width, this.height).data;
  }

  /** @param {string} type @param {number} [quality] @returns {Promise<Blob>} */
  blob(type, quality) {
    return blobOf(this.canvas, type, quality);
  }
}

/** @param {HTMLCanvasElement} canvas @param {string} type @param {number} [quality] @returns {Promise<Blob>} */
export function blobOf(canvas, type, quality) {
  return new Promise((done, failed) =>
    canvas.toBlob(
      (blob) =>
        blob && blob.type === type
          ? done(blob)
          : failed(new Error(blob ? `this browser does not write ${type}` : 'the picture is too large')),
      type,
      quality,
    ),
  );
}
