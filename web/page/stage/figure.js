// SPDX-License-Identifier: MIT
//
// A scene as a group of three.js (meshes, skeleton and trail), and the box that it fills during a clip.

import { Box3, Group, Matrix4, Vector3 } from 'three';
import { MeshView, Skin, Textures } from './meshes.js';
import { Pose } from '../play/pose.js';
import { Skeleton } from './skeleton.js';
import { path, Trail } from './trail.js';

// Number of times in a clip at which the figure is measured.
const MOMENTS = 24;

export class Figure {
  group = new Group();
  trail = new Trail();
  #scene;
  #meshes;
  #textures;
  #skin;

  constructor(scene) {
    this.#scene = scene;
    this.#textures = new Textures(scene);
    this.#skin = new Skin(scene);
    this.#meshes = scene.meshes.map(
      (mesh, index) => new MeshView(scene, mesh, index, this.#textures, this.#skin),
    );
    this.names = scene.bones.map((bone) => bone.name);
    this.hasMeshes = this.#meshes.length > 0;
    this.skeleton = new Skeleton(scene.bones, this.hasMeshes);
    for (const mesh of this.#meshes) this.group.add(mesh.object);
    this.group.add(this.skeleton.group, this.trail.group);
  }

  get vertexCount() {
    return this.#meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0);
  }

  setTheme(isDark) {
    for (const mesh of this.#meshes) mesh.setTheme(isDark);
    this.skeleton.setTheme(isDark);
    this.trail.setTheme(isDark);
  }

  /** @param {{ replacements: { material: number, by: number }[] }} [variant] none: as the meshes are */
  showVariant(variant) {
    const replacements = variant?.replacements ?? [];
    const others = new Map(replacements.map(({ material, by }) => [material, by]));
    this.#scene.meshes.forEach(({ material }, index) =>
      this.#meshes[index].setMaterial(others.get(material) ?? material),
    );
  }

  /** Apply a pose. @param {Pose} pose */
  follow(pose) {
    this.#skin.follow(pose.matrices);
    for (const mesh of this.#meshes) mesh.follow(pose);
    this.skeleton.follow(pose.matrices, pose.visible);
  }

  /** The vertices of each mesh as they are drawn. */
  drawn() {
    return this.#meshes.map((mesh) => mesh.drawn());
  }

  /** The box around all bones and vertices during a clip; null: in the rest pose.
   * @param {import('../play/motion.js').Motion|null} motion @param {boolean} isInPlace */
  measure(motion, isInPlace) {
    const pose = new Pose(this.#scene.bones);
    const usual = this.skeleton.usualLength(pose.matrices);
    const box = new Box3();
    const frames = Math.max(1, motion?.frameCount ?? 1);
    const moments = Math.min(MOMENTS, frames);
    for (let i = 0; i < moments; i++) {
      const frame = moments === 1 ? 0 : Math.round((i * (frames - 1)) / (moments - 1));
      pose.sample(motion, motion ? frame / motion.fps : 0);
      if (isInPlace) pose.stayInPlace();
      pose.update();
      this.#enclose(box, pose.matrices);
    }
    if (box.isEmpty()) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
    if (box.getSize(new Vector3()).length() < 1e-6) box.expandByScalar(0.5); // a single point
    const size = box.getSize(new Vector3());
    this.skeleton.setSize(Math.max(size.x, size.y, size.z) || 1, usual);
    return box;
  }

  #enclose(box, matrices) {
    const point = new Vector3();
    const matrix = new Matrix4();
    const add = () => Number.isFinite(point.x + point.y + point.z) && box.expandByPoint(point);
    for (let i = 12; i < matrices.length; i += 16) {
      point.fromArray(matrices, i);
      add();
    }
    for (const { bone, points } of this.#scene.hulls) {
      if (bone >= 0) matrix.fromArray(matrices, bone * 16);
      else matrix.identity();
      for (let i = 0; i < points.length; i += 3) {
        point.fromArray(points, i).applyMatrix4(matrix);
        add();
      }
    }
  }

  /** @param {import('../play/motion.js').Motion|null} motion */
  showTrail(motion, bone, isInPlace) {
    if (!motion || bone < 0) this.trail.clear();
    else this.trail.show(path(this.#scene.bones, motion, bone, isInPlace));
  }

  dispose() {
    for (const mesh of this.#meshes) mesh.dispose();
    this.#textures.dispose();
    this.#skin.dispose();
    this.skeleton.dispose();
    this.trail.clear();
  }
}
