// SPDX-License-Identifier: MIT
//
// The part of the ground that the shadows of some objects may cover at this moment.

import { Box3, DetachedBindMode, Matrix4, Vector3 } from 'three';

const box = new Box3();
const point = new Vector3();
const matrix = new Matrix4();
const versions = new WeakMap(); // of the positions that a geometry was measured with

/** Skinned vertices are about where their bones are; the caller allows for that with a margin. */
function addSkinned(object, out) {
  if (object.bindMode === DetachedBindMode) matrix.copy(object.matrixWorld);
  else matrix.identity(); // its bones are in the graph
  for (const bone of object.skeleton.bones)
    addPoint(point.setFromMatrixPosition(bone.matrixWorld).applyMatrix4(matrix), out);
}

function addInstances(object, out) {
  for (let i = 0; i < object.count; i++) {
    object.getMatrixAt(i, matrix);
    addPoint(point.setFromMatrixPosition(matrix).applyMatrix4(object.matrixWorld), out);
  }
}

function addPoint(place, out) {
  if (Number.isFinite(place.x + place.y + place.z)) out.expandByPoint(place);
}

// Vertices may be written anew for each pose.
function addGeometry(object, out) {
  const { geometry } = object;
  const version = geometry.getAttribute('position')?.version;
  if (!object.isLineSegments2 && versions.get(geometry) !== version) {
    geometry.computeBoundingBox();
    versions.set(geometry, version);
  }
  if (!geometry.boundingBox) return;
  box.copy(geometry.boundingBox).applyMatrix4(object.matrixWorld);
  addPoint(box.min, out);
  addPoint(box.max, out);
}

/**
 * The square on the ground that contains all shadows: its middle and half its side.
 * @param {any[]} casters meshes of three.js
 * @param {{ ground: number, slope: number[], margin: number }} how the height of the ground, how far a
 * shadow moves per height, and what to add on each side
 * @returns {{ x: number, z: number, reach: number } | null} null: there is none
 */
export function groundArea(casters, { ground, slope, margin }) {
  const all = new Box3();
  for (const object of casters) {
    object.updateWorldMatrix(true, false);
    if (object.isInstancedMesh) addInstances(object, all);
    else if (object.isSkinnedMesh) addSkinned(object, all);
    else addGeometry(object, all);
  }
  if (all.isEmpty()) return null;
  const [low, high] = [Math.max(0, all.min.y - ground), Math.max(0, all.max.y - ground)];
  const span = (from, to, s) => {
    const shifts = [low * s, high * s];
    const [a, b] = [from + Math.min(...shifts), to + Math.max(...shifts)];
    return { middle: (a + b) / 2, half: (b - a) / 2 };
  };
  const x = span(all.min.x, all.max.x, slope[0]);
  const z = span(all.min.z, all.max.z, slope[1]);
  const reach = Math.max(x.half, z.half) + margin;
  return reach > 0 && Number.isFinite(reach) ? { x: x.middle, z: z.middle, reach } : null;
}
