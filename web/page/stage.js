// SPDX-License-Identifier: MIT
//
// The 3D view: renderer, lights, camera and ground. It draws only when something has changed.

import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  PerspectiveCamera,
  Quaternion,
  Scene,
  Sphere,
  Spherical,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Grid } from './grid.js';

const FIELD_OF_VIEW = 35;
const HOME = [0.55, 0.25, 0.8]; // viewpoint of a scene that has none

export class Stage {
  camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  grid = new Grid();
  box = new Box3(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
  /** Called after each drawing, for what is drawn over it. */
  afterDrawing = () => {};
  #renderer;
  #scene = new Scene();
  #controls;
  #shown = null;
  #asked = false;
  #through = false;
  #size = { width: 1, height: 1 };
  #home = HOME;

  /** Throws if the browser has no WebGL. */
  constructor(canvas) {
    this.canvas = canvas;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.#renderer.outputColorSpace = SRGBColorSpace;
    this.#light();
    this.#scene.add(this.grid.object, this.camera);
    this.#controls = new OrbitControls(this.camera, canvas);
    this.#controls.enableDamping = false;
    this.#controls.screenSpacePanning = true;
    this.#controls.addEventListener('change', () => this.ask());
    canvas.addEventListener('webglcontextrestored', () => this.ask());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  // A key light that moves with the camera, from above its left shoulder, and ambient light.
  #light() {
    const key = new DirectionalLight(0xffffff, 2.1);
    key.position.set(-0.6, 1, 1.2);
    this.camera.add(key, key.target);
    key.target.position.set(0, 0, -1);
    this.#scene.add(new AmbientLight(0xffffff, 1.15));
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.#size = { width, height };
    this.#renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw(); // at once: a canvas that changes its size becomes empty
  }

  setTheme(isDark) {
    this.#scene.background = new Color(isDark ? 0x22262b : 0xe9ecf0);
    this.grid.setTheme(isDark);
    this.ask();
  }

  /** Show a figure (a group) instead of the current one. */
  show(group) {
    if (this.#shown) this.#scene.remove(this.#shown);
    this.#shown = group;
    if (group) this.#scene.add(group);
    this.ask();
  }

  setBox(box) {
    this.box.copy(box);
    this.grid.fit(box);
    const reach = box.getSize(new Vector3()).length() || 1;
    this.camera.near = reach / 500;
    this.camera.far = reach * 60;
    this.#controls.minDistance = reach / 50;
    this.#controls.maxDistance = reach * 20;
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  /** Fit the figure into the view, from the current direction or from angles in radians: around the
   * vertical axis, and up. */
  fit(round = null, up = null) {
    const sphere = this.box.getBoundingSphere(new Sphere());
    const direction = new Spherical().setFromVector3(
      this.camera.position.clone().sub(this.#controls.target),
    );
    if (round !== null) direction.theta = round;
    if (up !== null) direction.phi = Math.min(Math.max(Math.PI / 2 - up, 0.001), Math.PI - 0.001);
    const half = (FIELD_OF_VIEW * Math.PI) / 360;
    direction.radius = this.#distance(sphere, direction, half);
    this.#controls.target.copy(sphere.center);
    this.camera.position.setFromSpherical(direction).add(sphere.center);
    this.#controls.update();
    this.ask();
  }

  /** Set the direction from which figures are seen first; 0 0 0: any. */
  setHome(viewpoint) {
    this.#home = viewpoint.some((part) => part !== 0) ? viewpoint : HOME;
  }

  goHome() {
    const [x, y, z] = this.#home;
    this.fit(Math.atan2(x, z), Math.atan2(y, Math.hypot(x, z)));
  }

  // As near as the corners of the box allow: a bounding sphere would waste half the view.
  #distance(sphere, direction, half) {
    const away = new Vector3().setFromSpherical(new Spherical(1, direction.phi, direction.theta));
    const right = new Vector3(0, 1, 0).cross(away).normalize();
    const up = away.clone().cross(right);
    const tall = Math.tan(half);
    const wide = tall * this.camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const point = new Vector3(
        corner & 1 ? this.box.max.x : this.box.min.x,
        corner & 2 ? this.box.max.y : this.box.min.y,
        corner & 4 ? this.box.max.z : this.box.min.z,
      ).sub(sphere.center);
      const need = Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall);
      distance = Math.max(distance, need + point.dot(away));
    }
    return Math.max(distance * 1.12, this.camera.near * 4);
  }

  /** Rotate the view around the figure, and up. */
  orbit(round, up) {
    const offset = new Spherical().setFromVector3(
      this.camera.position.clone().sub(this.#controls.target),
    );
    offset.theta += round;
    offset.phi = Math.min(Math.max(offset.phi - up, 0.001), Math.PI - 0.001);
    this.camera.position.setFromSpherical(offset).add(this.#controls.target);
    this.#controls.update();
  }

  zoom(factor) {
    this.camera.position
      .sub(this.#controls.target)
      .multiplyScalar(factor)
      .add(this.#controls.target);
    this.#controls.update();
  }

  /** Move sideways and up, as fractions of the view. */
  pan(right, up) {
    const distance = this.camera.position.distanceTo(this.#controls.target);
    const step = new Vector3(right, up, 0)
      .multiplyScalar(distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * 2)
      .applyQuaternion(this.camera.quaternion);
    this.camera.position.add(step);
    this.#controls.target.add(step);
    this.#controls.update();
  }

  /** Look through a camera of the scene: { translation, rotation, fieldOfView }. null: stop that. */
  lookThrough(eye) {
    if (!eye) {
      if (!this.#through) return;
      this.#through = false;
      this.#controls.enabled = true;
      this.camera.fov = FIELD_OF_VIEW;
      this.camera.updateProjectionMatrix();
      this.goHome();
      return;
    }
    this.#through = true;
    this.#controls.enabled = false;
    this.camera.position.fromArray(eye.translation);
    this.camera.quaternion.copy(new Quaternion().fromArray(eye.rotation));
    this.camera.fov = Math.min(Math.max((eye.fieldOfView * 180) / Math.PI, 1), 170);
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  /** The position of a point of the model in the view, in CSS pixels; null: behind the camera. */
  project(x, y, z, result = new Vector3()) {
    result.set(x, y, z).project(this.camera);
    if (result.z > 1 || result.z < -1) return null;
    result.x = (result.x * 0.5 + 0.5) * this.#size.width;
    result.y = (0.5 - result.y * 0.5) * this.#size.height;
    return result;
  }

  ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.#asked = false;
    this.#renderer.render(this.#scene, this.camera);
    this.afterDrawing();
  }
}
