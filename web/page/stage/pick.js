// SPDX-License-Identifier: MIT
//
// The bone below the pointer: a joint that is near, or the bone that moves the surface there. The graphics
// card moves the vertices, so they are computed here once more, at most once per pose.

import { Box3, FrontSide, Raycaster, Vector2, Vector3 } from 'three';
import { isSurface } from './surfaces.js';

const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];

/**
 * The bone that moves a vertex most.
 * @param {any} object a mesh; `userData.bone` is its bone, `userData.vertexBones` those of its vertices
 * @param {number} vertex @returns {number} -1: none
 */
export function boneOf(object, vertex) {
  const { bone = -1, vertexBones } = object.userData;
  if (vertexBones) return vertexBones[vertex] ?? -1;
  const weights = object.geometry.getAttribute('skinWeight');
  if (!weights) return bone;
  const bones = object.geometry.getAttribute('skinIndex');
  let best = 0;
  for (let i = 1; i < weights.itemSize; i++)
    if (weights.getComponent(vertex, i) > weights.getComponent(vertex, best)) best = i;
  return bones.getComponent(vertex, best);
}

export class Picker {
  #places = new Map(); // of the vertices of each mesh in the current pose, and their box
  #caster = new Raycaster();

  /** There is another pose, or another figure. */
  forget() {
    this.#places.clear();
  }

  /**
   * @param {import('three').Object3D} root @param {import('three').Camera} camera
   * @param {{ x: number, y: number }} unit of the view, from -1 to 1
   * @returns {number} the bone; -1: none
   */
  pick(root, camera, unit) {
    camera.updateMatrixWorld();
    this.#caster.setFromCamera(new Vector2(unit.x, unit.y), camera);
    const { ray } = this.#caster;
    // A flat view also shows what is behind its camera.
    if (/** @type {any} */ (camera).isOrthographicCamera)
      ray.origin.addScaledVector(ray.direction, -(/** @type {any} */ (camera).far));
    let found = { distance: Infinity, bone: -1 };
    root.traverseVisible((object) => {
      if (!isSurface(object)) return;
      const hit = this.#hit(object, ray);
      if (hit && hit.distance < found.distance)
        found = { distance: hit.distance, bone: boneOf(object, hit.vertex) };
    });
    return found.bone;
  }

  #placesOf(object) {
    const known = this.#places.get(object);
    if (known) return known;
    object.updateWorldMatrix(true, false);
    const { count } = object.geometry.getAttribute('position');
    const points = new Float32Array(count * 3);
    const box = new Box3();
    for (let v = 0; v < count; v++) {
      object.getVertexPosition(v, a).applyMatrix4(object.matrixWorld).toArray(points, v * 3);
      if (Number.isFinite(a.x + a.y + a.z)) box.expandByPoint(a);
    }
    this.#places.set(object, { points, box });
    return this.#places.get(object);
  }

  #hit(object, ray) {
    const { points, box } = this.#placesOf(object);
    if (!ray.intersectsBox(box)) return null;
    const index = object.geometry.getIndex()?.array;
    const count = index?.length ?? points.length / 3;
    const vertex = (i) => (index ? index[i] : i);
    const isOneSided = object.material.side === FrontSide;
    const place = new Vector3();
    let best = null;
    for (let i = 0; i + 2 < count; i += 3) {
      a.fromArray(points, vertex(i) * 3);
      b.fromArray(points, vertex(i + 1) * 3);
      c.fromArray(points, vertex(i + 2) * 3);
      if (!ray.intersectTriangle(a, b, c, isOneSided, place)) continue;
      const distance = place.distanceTo(ray.origin);
      if (best && distance >= best.distance) continue;
      const away = [a, b, c].map((corner) => corner.distanceToSquared(place));
      best = { distance, vertex: vertex(i + away.indexOf(Math.min(...away))) };
    }
    return best;
  }
}
