// SPDX-License-Identifier: MIT
//
// Other ways to see the surfaces of a figure: as wires, or coloured by their normals. Materials are
// exchanged only while something is drawn, so nobody else needs to know.

import { FrontSide, MeshNormalMaterial } from 'three';

export class Surfaces {
  isWireframe = false;
  hasNormals = false;
  #materials = new Map();

  /** Run `draw` with the surfaces below `root` as they are to be seen. */
  during(root, draw) {
    if (!this.isWireframe && !this.hasNormals) {
      draw();
      return;
    }
    const changed = [];
    root.traverseVisible((object) => {
      if (!isSurface(object)) return;
      const { material } = object;
      changed.push({ object, material });
      if (this.hasNormals) object.material = this.#normals(object, material);
      object.material.wireframe = this.isWireframe;
    });
    draw();
    for (const { object, material } of changed) {
      object.material = material;
      material.wireframe = false;
    }
  }

  #normals({ geometry }, { side, flatShading }) {
    const isFlat = flatShading || !geometry.hasAttribute('normal');
    const key = `${side} ${isFlat}`;
    if (!this.#materials.has(key))
      this.#materials.set(
        key,
        new MeshNormalMaterial({ side: side ?? FrontSide, flatShading: isFlat }),
      );
    return this.#materials.get(key);
  }
}

/** Whether an object of a figure is a surface of it: not a bone, a trail, a line or part of a ghost. */
export function isSurface(object) {
  const { isInstancedMesh, isLineSegments2, userData } = object;
  return object.isMesh === true && !isInstancedMesh && !isLineSegments2 && !userData.isGhost;
}
