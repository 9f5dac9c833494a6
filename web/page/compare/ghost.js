// SPDX-License-Identifier: MIT
//
// A figure as a ghost: in one tint, translucent, over everything else. It is drawn last. Before it the
// depth of all others is cleared, so that no surface of it fights with one that is at the same place;
// and then its own depth is drawn, so that only its nearest surfaces are seen.

import { BufferGeometry, Color, InstancedMesh, Mesh, MeshBasicMaterial, SkinnedMesh } from 'three';

const OPACITY = 0.5;
const FIRST = 20; // renderOrder: skeletons in front of meshes have less
const TINTS = { dark: 0xb79cff, light: 0x6a3fd0 };

// Textures and colours of vertices keep the shape that they cut out, not their colours.
function tint(shader) {
  shader.fragmentShader = shader.fragmentShader.replace(
    '#include <color_fragment>',
    '#include <color_fragment>\ndiffuseColor.rgb = diffuse;',
  );
}

export class Ghost {
  #changed = [];
  #made = [];
  #nothing = new BufferGeometry();

  /** @param {any} group @param {boolean} isDark the theme */
  constructor(group, isDark) {
    const colour = new Color(TINTS[isDark ? 'dark' : 'light']);
    const objects = [];
    group.traverse((object) => object.material && objects.push(object));
    for (const object of objects) this.#change(object, colour);
    const first = this.#make(Mesh, this.#nothing, new MeshBasicMaterial({ transparent: true, colorWrite: false }));
    first.renderOrder = FIRST;
    first.frustumCulled = false;
    first.onBeforeRender = (renderer) => {
      renderer.state.buffers.depth.setMask(true); // or nothing is cleared
      renderer.clearDepth();
    };
    group.add(first);
  }

  #make(Kind, geometry, material, ...rest) {
    const object = new Kind(geometry, material, ...rest);
    object.userData.isGhost = true;
    this.#made.push(object);
    return object;
  }

  #change(object, colour) {
    const { material, renderOrder, castShadow } = object;
    this.#changed.push({ object, material, renderOrder, castShadow });
    const isHidden = object.isMesh && !object.isLineSegments2 && material.depthTest;
    object.material = tinted(material, colour);
    object.renderOrder = FIRST + (isHidden ? 2 : 3) + renderOrder;
    object.castShadow = false;
    object.userData.isGhost = true;
    if (isHidden) object.add(this.#twin(object, colour));
  }

  // The same shape, drawn before all colours, into the depth only.
  #twin(object, colour) {
    const material = tinted(this.#changed.at(-1).material, colour);
    material.colorWrite = false;
    material.depthWrite = true;
    const { geometry } = object;
    let twin;
    if (object.isInstancedMesh) {
      twin = this.#make(InstancedMesh, geometry, material, 0);
      const { instanceMatrix, instanceColor, count } = object;
      Object.assign(twin, { instanceMatrix, instanceColor, count });
    } else if (object.isSkinnedMesh) {
      twin = this.#make(SkinnedMesh, geometry, material);
      twin.bindMode = object.bindMode;
      twin.bind(object.skeleton, object.bindMatrix);
    } else twin = this.#make(Mesh, geometry, material);
    if (object.morphTargetInfluences) twin.morphTargetInfluences = object.morphTargetInfluences;
    twin.frustumCulled = false;
    twin.renderOrder = FIRST + 1;
    return twin;
  }

  /** Draw the figure as before. */
  dispose() {
    this.#nothing.dispose();
    for (const object of this.#made) {
      object.removeFromParent();
      object.material.dispose();
    }
    for (const { object, ...before } of this.#changed) {
      object.material.dispose();
      Object.assign(object, before);
      delete object.userData.isGhost;
    }
  }
}

function tinted(material, colour) {
  const ghost = material.clone();
  ghost.color?.copy(colour);
  ghost.transparent = true;
  ghost.opacity = OPACITY;
  ghost.alphaTest = material.alphaTest * OPACITY;
  ghost.depthWrite = false;
  ghost.onBeforeCompile = tint;
  return ghost;
}
