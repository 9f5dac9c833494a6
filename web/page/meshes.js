// SPDX-License-Identifier: MIT
//
// Meshes of a scene as objects of three.js. A mesh that sits on one bone is moved by its matrix;
// shapes that change (morph targets, a bone a vertex) are computed here, vertex by vertex: the
// models of these games have a few thousand.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RepeatWrapping,
  RGBAFormat,
  SRGBColorSpace,
  UnsignedByteType,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

const PLAIN = 0xb9b2a6; // of a surface without a texture

export function buildTextures(scene) {
  return scene.textures.map((texture) => {
    // A copy: the pixels are in the module's memory, which may move.
    const map = new DataTexture(
      new Uint8Array(texture.pixels),
      texture.width,
      texture.height,
      RGBAFormat,
      UnsignedByteType,
    );
    map.colorSpace = SRGBColorSpace;
    map.flipY = false;
    map.wrapS = map.wrapT = RepeatWrapping;
    map.magFilter = LinearFilter;
    map.minFilter = LinearMipmapLinearFilter;
    map.generateMipmaps = true;
    map.anisotropy = 4;
    map.needsUpdate = true;
    return map;
  });
}

/** What one mesh of a scene looks like, and how it follows a pose. */
export class MeshView {
  #base;
  #targets = null;
  #vertexBones = null;
  #normals = null;
  #colours = null;
  #isDark = true;

  constructor(mesh, scene, textures) {
    this.bone = mesh.bone;
    this.isLines = mesh.kind === 'lines';
    this.#base = new Float32Array(mesh.positions);
    this.vertexCount = mesh.vertexCount;
    this.indices = new Uint32Array(mesh.indices);
    if (mesh.targetCount > 0 && mesh.targets) this.#targets = new Float32Array(mesh.targets);
    if (mesh.vertexBones) this.#vertexBones = new Uint32Array(mesh.vertexBones);
    if (mesh.normals && !this.isLines) this.#normals = new Float32Array(mesh.normals);
    if (mesh.colours) this.#colours = new Uint8Array(mesh.colours);
    this.object = this.isLines ? this.#lines() : this.#triangles(mesh, scene, textures);
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
    this.object.name = mesh.name;
  }

  get isFree() {
    return this.#vertexBones !== null;
  }

  #triangles(mesh, scene, textures) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.#base), 3));
    geometry.setIndex(new BufferAttribute(this.indices, 1));
    if (mesh.texcoords)
      geometry.setAttribute('uv', new BufferAttribute(new Float32Array(mesh.texcoords), 2));
    if (mesh.normals)
      geometry.setAttribute('normal', new BufferAttribute(new Float32Array(mesh.normals), 3));
    if (this.#colours)
      geometry.setAttribute('color', new BufferAttribute(linearColours(this.#colours, false), 4));
    const material = scene.materials[mesh.material] ?? null;
    const map = material && material.texture >= 0 ? textures[material.texture] : null;
    // A material's colour goes with the texture and with colours of the vertices; plain white is grey.
    const tint = material ? material.colour.slice(0, 3) : [1, 1, 1];
    const isPlain = !map && !this.#colours && tint.every((part) => part === 1);
    const colour = isPlain ? new Color(PLAIN) : new Color().setRGB(...tint);
    const options = {
      color: colour,
      map,
      vertexColors: Boolean(this.#colours),
      side: !material || material.isDoubleSided ? DoubleSide : FrontSide,
      transparent: Boolean(material?.isTransparent),
      alphaTest: material?.isTransparent ? 0.02 : 0,
      opacity: material?.isTransparent ? material.colour[3] : 1,
    };
    // What has colours of its own and no material shines by itself, as on the game's console.
    const isLit = material !== null || !this.#colours;
    return new Mesh(
      geometry,
      isLit
        ? new MeshLambertMaterial({ ...options, flatShading: !mesh.normals })
        : new MeshBasicMaterial(options),
    );
  }

  #lines() {
    const geometry = new LineSegmentsGeometry();
    const object = new LineSegments2(
      geometry,
      new LineMaterial({ linewidth: 2, vertexColors: Boolean(this.#colours) }),
    );
    this.#fillLines(geometry, this.#base);
    return object;
  }

  #fillLines(geometry, positions) {
    const ends = new Float32Array(this.indices.length * 3);
    this.indices.forEach((vertex, i) =>
      ends.set(positions.subarray(vertex * 3, vertex * 3 + 3), i * 3),
    );
    geometry.setPositions(ends);
    this.#colourLines(geometry);
  }

  #colourLines(geometry) {
    if (!this.#colours) return;
    const linear = linearColours(this.#colours, !this.#isDark);
    const colours = new Float32Array(this.indices.length * 3);
    this.indices.forEach((vertex, i) =>
      colours.set(linear.subarray(vertex * 4, vertex * 4 + 3), i * 3),
    );
    geometry.setColors(colours);
  }

  /** White lines on a dark screen are how such a game looks; on a light ground they are drawn dark,
   * and so are surfaces that have nothing but a colour. */
  setTheme(isDark) {
    if (this.#isDark === isDark) return;
    this.#isDark = isDark;
    if (this.isLines) {
      if (this.#colours) this.#colourLines(this.object.geometry);
      else this.object.material.color.set(isDark ? 0xffffff : 0x222222);
    } else if (this.object.material.isMeshBasicMaterial) {
      this.object.geometry.setAttribute(
        'color',
        new BufferAttribute(linearColours(this.#colours, !isDark), 4),
      );
    }
  }

  /** @param {any} pose @param {Float32Array} matrices @param {Uint8Array} visible @param {number} index of the mesh */
  follow(pose, matrices, visible, index) {
    if (this.bone >= 0 && this.bone < visible.length) {
      this.object.visible = visible[this.bone] !== 0;
      if (!this.isFree) this.object.matrix.fromArray(matrices, this.bone * 16);
      this.object.matrixWorldNeedsUpdate = true;
    }
    if (this.#targets || this.isFree)
      this.#write(this.shape(this.#targets ? pose.morphWeights(index) : null, matrices));
    if (this.isFree && this.#normals) this.#turnNormals(matrices);
  }

  /** The vertices as they are now: in the bone's space, or in the model's where each has a bone. */
  shape(weights, matrices) {
    let positions = this.#base;
    if (weights) {
      positions = new Float32Array(this.#base);
      const size = positions.length;
      weights.forEach((weight, target) => {
        if (weight === 0) return;
        const at = target * size;
        for (let i = 0; i < size; i++) positions[i] += weight * this.#targets[at + i];
      });
    }
    return this.#vertexBones ? moved(positions, this.#vertexBones, matrices) : positions;
  }

  #write(positions) {
    if (this.isLines) {
      this.#fillLines(this.object.geometry, positions);
      return;
    }
    const attribute = this.object.geometry.getAttribute('position');
    attribute.array.set(positions);
    attribute.needsUpdate = true;
  }

  #turnNormals(matrices) {
    const attribute = this.object.geometry.getAttribute('normal');
    attribute.array.set(moved(this.#normals, this.#vertexBones, matrices, 0));
    attribute.needsUpdate = true;
  }

  dispose() {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

// Each vertex by the matrix of its bone; `shift` is 1 for places and 0 for directions.
function moved(positions, bones, matrices, shift = 1) {
  const result = new Float32Array(positions.length);
  for (let v = 0; v < bones.length; v++) {
    const m = bones[v] * 16;
    const x = positions[v * 3];
    const y = positions[v * 3 + 1];
    const z = positions[v * 3 + 2];
    for (let axis = 0; axis < 3; axis++) {
      result[v * 3 + axis] =
        matrices[m + axis] * x +
        matrices[m + 4 + axis] * y +
        matrices[m + 8 + axis] * z +
        matrices[m + 12 + axis] * shift;
    }
  }
  return result;
}

// As three.js wants them; `isTurned` makes light ones dark, of the same hue.
function linearColours(bytes, isTurned) {
  const linear = new Float32Array(bytes.length);
  const colour = new Color();
  const hsl = { h: 0, s: 0, l: 0 };
  for (let i = 0; i < bytes.length; i += 4) {
    colour.setRGB(bytes[i] / 255, bytes[i + 1] / 255, bytes[i + 2] / 255, SRGBColorSpace);
    colour.getHSL(hsl, SRGBColorSpace);
    if (isTurned && hsl.l > 0.5) colour.setHSL(hsl.h, hsl.s, 1 - hsl.l, SRGBColorSpace);
    colour.toArray(linear, i);
    linear[i + 3] = bytes[i + 3] / 255;
  }
  return linear;
}
