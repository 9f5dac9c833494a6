// SPDX-License-Identifier: MIT
//
// The 3D view: renderer, light, ground and what stands on it. It draws only when something has changed.
// What the viewer does with the camera is in orbit.js.

import { Box3, Color, Group, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { Grid } from './grid.js';
import { Lights } from './lights.js';
import { Orbit } from './orbit.js';
import { renderView } from './render.js';
import { GroundShadow } from './shadow.js';
import { Surfaces } from './surfaces.js';
import { homeOf } from './views.js';

const BACKGROUNDS = { dark: 0x2a2e34, light: 0xf1f1ef };

/**
 * @typedef {object} Painting what to draw otherwise than on the page
 * @property {import('three').Camera} [camera]
 * @property {import('three').WebGLRenderTarget | null} [target] null: the canvas
 * @property {import('three').Color | null} [background] null: transparent
 * @property {boolean} [hasGrid]
 * @property {boolean} [hasShadow]
 */

export class Stage {
  grid = new Grid();
  shadow = new GroundShadow();
  surfaces = new Surfaces();
  /** What is shown: the groups of the figures. */
  figures = new Group();
  scene = new Scene();
  box = new Box3(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
  /** Called after each drawing, for what is drawn over it. */
  afterDrawing = () => {};
  hasShadow = true;
  #watchers = [];
  #eyes = new Group(); // where the camera is: what lights from there
  #lights = new Lights(this.#eyes);
  #asked = false;
  #size = { width: 1, height: 1 };
  #isOtherSize = false; // of the last export

  /** Throws if the browser has no WebGL. */
  constructor(canvas) {
    this.canvas = canvas;
    // Transparent, for exports; on the page the background is opaque.
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.scene.add(this.shadow.object, this.grid.object, this.figures);
    this.scene.add(this.#lights.group, this.#eyes);
    this.orbit = new Orbit(canvas, () => this.ask());
    this.setHome([0, 0, 0]);
    canvas.addEventListener('webglcontextrestored', () => this.posed());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.#watchPixelRatio();
    this.resize();
  }

  /** The camera of the view, perspective or orthographic. */
  get camera() {
    return this.orbit.camera;
  }

  // Another monitor or another zoom of the browser: the canvas covers as much, with other pixels.
  #watchPixelRatio() {
    window
      .matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
      .addEventListener('change', () => (this.resize(), this.#watchPixelRatio()), { once: true });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.#size = { width, height };
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.renderer.setSize(width, height, false);
    this.orbit.setAspect(width / height);
    this.draw(); // at once: a canvas that changes its size becomes empty
  }

  setTheme(isDark) {
    this.scene.background = new Color(BACKGROUNDS[isDark ? 'dark' : 'light']);
    this.grid.setTheme(isDark);
    this.shadow.setTheme(isDark);
    this.ask();
  }

  /** Show figures (groups) instead of the current ones. */
  show(...groups) {
    this.figures.clear();
    for (const group of groups) this.figures.add(group);
    this.posed();
  }

  /** Something moves, appears or is hidden: its shadow is another. */
  posed() {
    this.shadow.isStale = true;
    this.ask();
  }

  /** Set the space that the figure needs. The view stays; see Orbit.setBox. */
  setBox(box, lead = null) {
    this.box.copy(box);
    this.grid.fit(box);
    this.orbit.setBox(box, lead);
    this.posed();
  }

  /** Set the direction from which figures are seen first; 0 0 0: any. */
  setHome(viewpoint) {
    this.orbit.viewpoint = viewpoint;
    this.#lights.aim(homeOf(viewpoint));
    this.posed();
  }

  /** Move the view with a point of the figure; see Orbit.follow. */
  follow(point, seconds) {
    this.orbit.follow(point, seconds);
    this.grid.centreOn(this.orbit.target.x, this.orbit.target.z);
  }

  /** The position of a point of the model in the view, in CSS pixels; null: behind the camera. */
  project(x, y, z, result = new Vector3()) {
    result.set(x, y, z).project(this.camera);
    if (result.z > 1 || result.z < -1) return null;
    result.x = (result.x * 0.5 + 0.5) * this.#size.width;
    result.y = (0.5 - result.y * 0.5) * this.#size.height;
    return result;
  }

  /** A point of the view, in CSS pixels, from -1 to 1 as three.js has it. */
  unit(x, y) {
    return { x: (x / this.#size.width) * 2 - 1, y: 1 - (y / this.#size.height) * 2 };
  }

  /** Call `work` after each drawing. */
  watch(work) {
    this.#watchers.push(work);
  }

  ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => this.draw());
  }

  /** Draw the view into a 2D context, at any size: see render.js. The next `draw` is of the stage again. */
  render(wanted, context) {
    this.#isOtherSize = true;
    renderView(this, wanted, context);
  }

  /** The largest side of a picture that the graphics card draws in one piece. */
  get largestSide() {
    return this.renderer.capabilities.maxTextureSize;
  }

  draw() {
    this.#asked = false;
    if (this.#isOtherSize) {
      const { width, height } = this.#size;
      this.renderer.setDrawingBufferSize(width, height, window.devicePixelRatio || 1);
      this.#isOtherSize = false;
    }
    this.paint();
    this.afterDrawing();
    for (const work of this.#watchers) work();
  }

  /**
   * Draw the scene. Afterwards everything is as before, for the next drawing of the page.
   * @param {Painting} [how] a transparent picture has a shadow only if that is asked for
   */
  paint(how = {}) {
    const { camera = this.camera, target = null, background = this.scene.background } = how;
    const { hasShadow = background !== null && this.hasShadow } = how;
    const { hasGrid = this.grid.object.visible } = how;
    const { renderer, scene, grid } = this;
    const before = { background: scene.background, hasGrid: grid.object.visible };
    if (hasShadow && this.shadow.isStale) this.#castShadow();
    this.shadow.object.visible = hasShadow && !this.shadow.isEmpty;
    grid.object.visible = hasGrid;
    scene.background = background;
    this.#eyes.position.copy(camera.position);
    this.#eyes.quaternion.copy(camera.quaternion);
    const old = renderer.getRenderTarget();
    renderer.setRenderTarget(target);
    this.surfaces.during(this.figures, () => renderer.render(scene, camera));
    renderer.setRenderTarget(old);
    scene.background = before.background;
    grid.object.visible = before.hasGrid;
  }

  #castShadow() {
    const { x, y, z } = this.box.getSize(new Vector3());
    this.shadow.update(this.renderer, this.figures, {
      ground: this.grid.height,
      tall: Math.min(y, Math.max(x, z) * 3) || Math.max(x, y, z) || 1,
      slope: this.#lights.slope,
    });
  }
}
