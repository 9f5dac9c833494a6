// SPDX-License-Identifier: MIT
//
// The view: a camera that looks at a target from a distance. It is moved by pointer and by keys, by
// named views, with the figure, or by a camera of the scene.

import { Box3, Matrix4, Quaternion, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Flight } from './flight.js';
import { Lens, TALL } from './lens.js';
import { distanceTo, namedView, needsFit, partInView } from './views.js';

const POLE = 0.001; // the least angle from straight above or below
const HASTE = 9; // how fast the view follows the figure, per second

export class Orbit {
  viewpoint = [0, 0, 0];
  /** What is to be seen. */
  box = new Box3(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
  #lens = new Lens();
  #isFlat = false;
  #controls;
  #changed;
  #reach = 1;
  #flight = null; // on the way to another view
  #kept = null; // the view to return to from a camera of the scene
  #isFitted = true; // nobody has moved it since it was fitted
  #lead = null; // the point that the view follows

  /** @param {HTMLElement} element @param {() => void} changed is called after each change */
  constructor(element, changed) {
    this.#changed = changed;
    this.#controls = new OrbitControls(this.camera, element);
    this.#controls.enableDamping = false;
    this.#controls.screenSpacePanning = true;
    this.#controls.addEventListener('start', () => this.#take());
    this.#controls.addEventListener('change', () => this.#settle());
  }

  get camera() {
    return this.#lens.camera;
  }

  get target() {
    return this.#controls.target;
  }

  get isFlat() {
    return this.#isFlat;
  }

  get isThrough() {
    return this.#kept !== null;
  }

  get isFlying() {
    return this.#flight !== null;
  }

  /** The angles, the distance and the target of the view. */
  get view() {
    const offset = this.camera.position.clone().sub(this.target);
    const { theta, phi, radius } = new Spherical().setFromVector3(offset);
    return { round: theta, up: Math.PI / 2 - phi, distance: radius, target: this.target.clone() };
  }

  #setView({ round, up, distance, target }) {
    const phi = Math.min(Math.max(Math.PI / 2 - up, POLE), Math.PI - POLE);
    this.target.copy(target);
    this.camera.position.setFromSphericalCoords(distance, phi, round).add(this.target);
    this.#controls.update();
    this.#settle();
  }

  /** Look from these angles and this distance at a target, at once.
   * @param {{ round: number, up: number, distance: number, target: number[] }} view */
  place({ target, ...view }) {
    this.#move({ ...view, target: new Vector3(...target) });
  }

  // The controls zoom a flat camera. Here its distance is what counts, as with the other.
  #settle() {
    const { flat } = this.#lens;
    if (flat.zoom !== 1) flat.position.sub(this.target).divideScalar(flat.zoom).add(this.target);
    flat.zoom = 1;
    this.#project();
  }

  #project() {
    this.#lens.update(this.camera.position.distanceTo(this.target));
    this.#changed();
  }

  setAspect(aspect) {
    this.#lens.aspect = aspect;
    if (this.#isFitted && !this.isThrough && !this.isFlying) this.fit({ isSlow: false });
    else this.#project();
  }

  /** A camera with this view for a picture of another shape. */
  cameraFor(aspect) {
    return this.#lens.cameraFor(aspect);
  }

  /** Perspective, or not. */
  setFlat(isFlat) {
    if (this.#isFlat === isFlat) return;
    this.#isFlat = isFlat;
    if (this.isThrough) return;
    const { view } = this;
    this.#choose(isFlat);
    this.#setView(view);
    if (this.#isFitted) this.fit({ isSlow: false });
  }

  #choose(isFlat) {
    this.#lens.isFlat = isFlat;
    this.#controls.object = this.camera;
  }

  /**
   * Set what is to be seen. The view stays.
   * @param {Box3} box @param {Vector3 | null} [lead] where the figure is that the view follows: then
   * the box is that of the figure around x = z = 0
   */
  setBox(box, lead = null) {
    this.box.copy(box);
    this.#lead = lead ? lead.clone() : null;
    if (lead) {
      const { min, max } = this.box;
      const wide = Math.max(-min.x, max.x, -min.z, max.z);
      min.set(lead.x - wide, min.y, lead.z - wide);
      max.set(lead.x + wide, max.y, lead.z + wide);
    }
    this.#reach = this.box.getSize(new Vector3()).length() || 1;
    this.#lens.setReach(box.getSize(new Vector3()).length() || 1);
    this.#controls.minDistance = this.#reach / 50;
    this.#controls.maxDistance = this.#reach * 20;
    this.#project();
  }

  /** How much of the box is in view, 0 to 1. */
  partInView() {
    return partInView(this.box, this.#matrix());
  }

  #matrix() {
    const { camera } = this;
    camera.updateMatrixWorld();
    return new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
      .elements;
  }

  /** Fit the box after another one, `before`, unless it is in view as that was. */
  refit(before) {
    if (needsFit(before, this.box, this.#matrix())) this.fit({ isSlow: false });
  }

  /**
   * Fit the box into the view.
   * @param {{ round?: number | null, up?: number | null, isSlow?: boolean }} [how] null: from the
   * current direction
   */
  fit({ round = null, up = null, isSlow = true } = {}) {
    const now = this.#flight?.to ?? this.view;
    const angles = { round: round ?? now.round, up: up ?? now.up };
    const distance = Math.max(distanceTo(this.box, angles, this.#lens.shape), this.#reach / 40);
    this.#go({ ...angles, distance, target: this.box.getCenter(new Vector3()) }, isSlow);
    this.#isFitted = true;
  }

  /** @param {string} name of a view, see views.js @param {boolean} [isSlow] */
  look(name, isSlow = true) {
    this.fit({ ...namedView(name, this.viewpoint), isSlow });
  }

  /** Look from these angles, at the same target; null: the current one. */
  turn({ round = null, up = null }) {
    const now = this.#flight?.to ?? this.view;
    this.#go({ ...now, round: round ?? now.round, up: up ?? now.up }, true);
  }

  // There at once, or by a short flight that the eye can follow.
  #go(to, isSlow) {
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#flight?.stop();
    this.#flight = null;
    if (!isSlow || isStill || document.hidden) {
      this.#setView(to);
      return;
    }
    this.#flight = new Flight(this.view, to, (view, isThere) => {
      if (isThere) this.#flight = null;
      this.#setView(view);
    });
  }

  /** Rotate the view around the target, and up. */
  rotate(round, up) {
    const { view } = this;
    this.#move({ ...view, round: view.round + round, up: view.up + up });
  }

  zoom(factor) {
    const { view } = this;
    this.#move({ ...view, distance: view.distance * factor });
  }

  /** Move sideways and up, as fractions of the view. */
  pan(right, up) {
    const { view } = this;
    const step = new Vector3(right, up, 0)
      .multiplyScalar(view.distance * TALL * 2)
      .applyQuaternion(this.camera.quaternion);
    this.#move({ ...view, target: view.target.add(step) });
  }

  #move(view) {
    this.#take();
    this.#setView(view);
  }

  // Somebody moves the view.
  #take() {
    this.#flight?.stop();
    this.#flight = null;
    this.#isFitted = false;
  }

  /**
   * Move along the ground with a point of the figure: smoothly while it plays.
   * @param {Vector3} point @param {number | null} seconds since the last call; null: at once
   */
  follow(point, seconds) {
    if (this.#lead === null || this.isThrough) return;
    const way = point.clone().sub(this.#lead).setY(0);
    // A clip that starts again is not a move that the eye could follow.
    const isJump = seconds === null || way.length() > 0.5 * this.#reach;
    if (!isJump) way.multiplyScalar(1 - Math.exp(-HASTE * seconds));
    this.#lead.add(way);
    this.box.translate(way);
    this.#flight?.shift(way);
    this.target.add(way);
    this.camera.position.add(way);
    this.#controls.update();
  }

  /** Look through a camera of the scene: { translation, rotation, fieldOfView }. null: return to the
   * view before. */
  lookThrough(eye) {
    if (!eye && !this.isThrough) return;
    this.#controls.enabled = !eye;
    if (!eye) {
      const view = this.#kept;
      this.#kept = null;
      this.#lens.setField();
      this.#choose(this.#isFlat);
      this.#setView(view);
      return;
    }
    this.#kept ??= this.#flight?.to ?? this.view;
    this.#flight?.stop();
    this.#flight = null;
    this.#choose(false);
    this.camera.position.fromArray(eye.translation);
    this.camera.quaternion.copy(new Quaternion().fromArray(eye.rotation));
    this.#lens.setField((eye.fieldOfView * 180) / Math.PI);
    this.#project();
  }
}
