// SPDX-License-Identifier: MIT
//
// A scene as a group of three.js (meshes, skeleton and trail), and the box that it fills during a clip.

import { Box3, Group, Vector3 } from 'three';
import { MeshView, Skin, Textures } from './meshes.js';
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
    this.#skin = scene.meshes.some((mesh) => mesh.joints) ? new Skin(scene) : null;
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

  /** Apply the pose that was sampled. */
  follow(pose) {
    // Copies: skinning a mesh may move the module's memory.
    const matrices = new Float32Array(pose.matrices);
    const visible = new Uint8Array(pose.visible);
    this.#skin?.follow(matrices);
    for (const mesh of this.#meshes) mesh.follow(pose, matrices, visible);
    this.skeleton.follow(matrices, visible);
  }

  /** The vertices of each mesh as they are drawn. */
  drawn() {
    return this.#meshes.map((mesh) => mesh.drawn());
  }

  /** The box around all bones and vertices during a clip; -1: in the rest pose. */
  measure(clip, isInPlace) {
    const pose = this.#scene.pose();
    pose.sample(-1, 0);
    const usual = this.skeleton.usualLength(new Float32Array(pose.matrices));
    const box = new Box3();
    const frames = clip < 0 ? 1 : Math.max(1, this.#scene.clips[clip].frameCount);
    const moments = Math.min(MOMENTS, frames);
    for (let i = 0; i < moments; i++) {
      if (clip < 0) pose.sample(-1, 0);
      else
        pose.sampleFrame(clip, moments === 1 ? 0 : Math.round((i * (frames - 1)) / (moments - 1)));
      if (isInPlace) pose.stayInPlace();
      this.#enclose(box, pose);
    }
    pose.free();
    if (box.isEmpty()) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
    if (box.getSize(new Vector3()).length() < 1e-6) box.expandByScalar(0.5); // a single point
    const size = box.getSize(new Vector3());
    this.skeleton.setSize(Math.max(size.x, size.y, size.z) || 1, usual);
    return box;
  }

  #enclose(box, pose) {
    const matrices = new Float32Array(pose.matrices);
    const point = new Vector3();
    for (let i = 12; i < matrices.length; i += 16) {
      if (Number.isFinite(matrices[i] + matrices[i + 1] + matrices[i + 2]))
        box.expandByPoint(point.fromArray(matrices, i));
    }
    for (const mesh of this.#meshes) {
      if (mesh.isRigid && mesh.bone < 0) continue;
      const shape = mesh.shape(pose);
      for (let v = 0; v + 2 < shape.length; v += 3) {
        point.fromArray(shape, v);
        if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
      }
    }
  }

  showTrail(clip, bone, isInPlace) {
    if (clip < 0 || bone < 0) this.trail.clear();
    else this.trail.show(path(this.#scene, clip, bone, isInPlace));
  }

  dispose() {
    for (const mesh of this.#meshes) mesh.dispose();
    this.#textures.dispose();
    this.#skin?.dispose();
    this.skeleton.dispose();
    this.trail.clear();
  }
}
