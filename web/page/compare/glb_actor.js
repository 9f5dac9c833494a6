// SPDX-License-Identifier: MIT
//
// A GLB that is compared with the figure: see Actor in beside.js. Without meshes it is drawn as a
// skeleton.

import { AnimationMixer, Box3, Group, Quaternion, Vector3 } from 'three';
import { snapped } from './distances.js';
import { groundOf, inverse } from '../play/ground.js';
import { Skeleton } from '../stage/skeleton.js';

const MOMENTS = 24; // in a clip at which it is measured, as figures are
const MOST_VERTICES = 300_000; // that are measured, at all moments together

export class GlbActor {
  group = new Group();
  /** The name of the animation that plays; null: none, at rest. */
  animation = null;
  #inner = new Group(); // moves when the figure stays in place
  #root;
  #animations;
  #joints;
  #bones; // those that are drawn
  #mixer;
  #action = null;
  #times = new Float64Array(); // of its keys
  #skeleton;
  #meshes = [];
  #fps = 30;
  #rootName = '';
  /** @type {[number, string, boolean]} */
  #posed = [0, 'clamp', false];
  #matrices;
  #visible;

  /** @param {import('./glb_load.js').Glb} glb */
  constructor({ root, animations, joints, boneCount }) {
    this.#root = root;
    this.#animations = animations;
    this.#joints = joints;
    this.#mixer = new AnimationMixer(root);
    root.traverse((object) => object.geometry && this.#meshes.push(object));
    this.#bones = joints.slice(0, boneCount);
    const parents = this.#bones.map(({ parent }) => ({ parent: parent < boneCount ? parent : -1 }));
    this.#skeleton = new Skeleton(parents, this.#meshes.length > 0);
    this.#matrices = new Float32Array(joints.length * 16);
    this.#visible = new Uint8Array(joints.length).fill(1);
    this.#inner.add(root);
    this.#inner.matrixAutoUpdate = false;
    this.group.add(this.#inner, this.#skeleton.group);
    this.names = joints.map(({ name }) => name);
    this.animations = animations.map(({ name }) => name);
  }

  /** Play the animation of a name; if there is none, the only one. null: the rest pose.
   * @param {string|null} name
   * @param {{ fps: number, rootName: string }} source the frames and the first root of what it is compared with */
  choose(name, { fps, rootName }) {
    this.#fps = fps;
    this.#rootName = rootName;
    const find = (isSame) => this.#animations.find((clip) => isSame(clip.name));
    const clip =
      name === null
        ? undefined
        : (find((other) => other === name) ??
          find((other) => other.toLowerCase() === name.toLowerCase()) ??
          (this.#animations.length === 1 ? this.#animations[0] : undefined));
    this.#mixer.stopAllAction();
    this.#action = clip ? this.#mixer.clipAction(clip).play() : null;
    this.animation = clip?.name ?? null;
    this.#times = Float64Array.from(new Set((clip?.tracks ?? []).flatMap(({ times }) => [...times]))).sort();
  }

  get length() {
    const duration = this.#action?.getClip().duration ?? 0;
    return { frameCount: this.#action ? Math.round(duration * this.#fps) + 1 : 0, fps: this.#fps };
  }

  // The matrices of the joints are those in the model's space.
  #sample(seconds, wrap, isInPlace) {
    if (this.#action) {
      const { frameCount, fps } = this.length;
      const { duration } = this.#action.getClip();
      const inside = wrap === 'loop' ? modulo(seconds, frameCount / fps) : seconds;
      this.#action.time = Math.min(Math.max(0, snapped(inside, this.#times)), duration);
      this.#mixer.update(0);
    }
    this.#inner.matrix.identity();
    this.#read();
    if (isInPlace && this.#action) {
      this.#stay();
      this.#read();
    }
  }

  // Without where the group stands: that does not count.
  #read() {
    this.group.matrixWorld.identity();
    for (const child of this.group.children) child.updateMatrixWorld(true);
    this.#joints.forEach(({ object }, joint) => object.matrixWorld.toArray(this.#matrices, joint * 16));
    this.group.matrixWorldNeedsUpdate = true;
  }

  #stay() {
    const first = this.#joints[Math.max(0, this.names.indexOf(this.#rootName))]?.object ?? this.#root;
    const [place, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    first.matrixWorld.decompose(place, rotation, scale);
    const [x, z, sine, cosine] = inverse(groundOf([...place.toArray(), ...rotation.toArray()]));
    this.#inner.matrix.compose(new Vector3(x, 0, z), new Quaternion(0, sine, 0, cosine), new Vector3(1, 1, 1));
  }

  at(seconds, wrap, isInPlace) {
    this.#sample(seconds, wrap, isInPlace);
    const places = new Float32Array(this.names.length * 3);
    this.names.forEach((_, joint) => places.set(this.#matrices.subarray(joint * 16 + 12, joint * 16 + 15), joint * 3));
    this.#sample(...this.#posed);
    return { places, visible: this.#visible };
  }

  pose(seconds, wrap, { isInPlace, hasBones }) {
    this.#posed = [seconds, wrap, isInPlace];
    this.#sample(...this.#posed);
    this.#skeleton.group.visible = hasBones || this.#meshes.length === 0;
    if (this.#skeleton.group.visible)
      this.#skeleton.follow(this.#matrices, this.#visible.subarray(0, this.#bones.length));
  }

  measure(isInPlace) {
    const box = new Box3();
    const { frameCount, fps } = this.length;
    const vertices = this.#meshes.reduce((sum, { geometry }) => sum + (geometry.attributes.position?.count ?? 0), 0);
    const most = Math.max(1, Math.floor(MOST_VERTICES / vertices));
    const moments = Math.min(MOMENTS, Math.max(1, frameCount), most);
    const point = new Vector3();
    for (let i = 0; i < moments; i++) {
      const frame = moments === 1 ? 0 : Math.round((i * (frameCount - 1)) / (moments - 1));
      this.#sample(frame / fps, 'clamp', isInPlace);
      this.#bones.forEach((_, joint) => expand(box, point.fromArray(this.#matrices, joint * 16 + 12)));
      for (const mesh of this.#meshes) enclose(box, mesh);
    }
    if (box.isEmpty()) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
    const size = box.getSize(new Vector3());
    this.#skeleton.setSize(Math.max(size.x, size.y, size.z) || 1, this.#skeleton.usualLength(this.#matrices));
    return box;
  }

  setTheme(isDark) {
    this.#skeleton.setTheme(isDark);
  }

  dispose() {
    this.#mixer.stopAllAction();
    this.#mixer.uncacheRoot(this.#root);
    for (const { geometry, material, skeleton } of this.#meshes) {
      geometry.dispose();
      material.map?.dispose();
      material.dispose();
      skeleton?.dispose();
    }
    this.#skeleton.dispose();
  }
}

function enclose(box, mesh) {
  const { position } = mesh.geometry.attributes;
  const point = new Vector3();
  if (mesh.isSkinnedMesh) mesh.skeleton.update();
  for (let v = 0; v < (position?.count ?? 0); v++) {
    if (mesh.getVertexPosition) mesh.getVertexPosition(v, point);
    else point.fromBufferAttribute(position, v);
    expand(box, point.applyMatrix4(mesh.matrixWorld));
  }
}

function expand(box, point) {
  if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
}

function modulo(value, by) {
  return by > 0 ? ((value % by) + by) % by : 0;
}
