// SPDX-License-Identifier: MIT
//
// Meshes of a scene as objects of three.js. A rigid mesh moves with the matrix of its bone, and the
// graphics card moves vertices that have bones of their own. Morph targets are mixed here: of all targets
// of a mesh, two at most count at a time, and a mesh that has targets is small.

import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  DataTexture,
  DetachedBindMode,
  DoubleSide,
  FrontSide,
  LinearFilter,
  LinearMipmapLinearFilter,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RepeatWrapping,
  RGBAFormat,
  Skeleton,
  SkinnedMesh,
  SRGBColorSpace,
  UnsignedByteType,
  Vector3,
} from 'three';
import { morphed, moved } from './shape.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export const PLAIN = 0xb9b2a6; // surfaces without a texture

/** The textures that materials show, each made when it is first asked for. */
export class Textures {
  #scene;
  #maps = new Map();

  constructor(scene) {
    this.#scene = scene;
  }

  /** @param {any} material of the scene, or null */
  of(material) {
    if (!material || material.texture < 0) return null;
    const key = [material.texture, ...material.isClamped].join();
    if (!this.#maps.has(key)) this.#maps.set(key, this.#make(material));
    return this.#maps.get(key);
  }

  #make({ texture: index, isClamped }) {
    const texture = this.#scene.textures[index];
    const map = new DataTexture(
      texture.pixels,
      texture.width,
      texture.height,
      RGBAFormat,
      UnsignedByteType,
    );
    map.colorSpace = SRGBColorSpace;
    map.flipY = false;
    map.wrapS = isClamped[0] ? ClampToEdgeWrapping : RepeatWrapping;
    map.wrapT = isClamped[1] ? ClampToEdgeWrapping : RepeatWrapping;
    map.magFilter = LinearFilter;
    map.minFilter = LinearMipmapLinearFilter;
    map.generateMipmaps = true;
    map.anisotropy = 4;
    map.needsUpdate = true;
    return map;
  }

  dispose() {
    for (const map of this.#maps.values()) map.dispose();
  }
}

/** The bones that vertices move with. They are in model space, and so not in the graph. Weighted vertices
 * are stored in the space of the model at rest, those with one bone each in the space of that bone. */
export class Skin {
  #bones;
  #inverses;
  #weighted = null;
  #single = null;

  constructor({ bones, inverseBinds }) {
    this.#bones = bones.map(() => new Bone());
    this.#inverses = inverseBinds;
  }

  get weighted() {
    this.#weighted ??= new Skeleton(
      this.#bones,
      this.#bones.map((_, i) => new Matrix4().fromArray(this.#inverses, 16 * i)),
    );
    return this.#weighted;
  }

  get single() {
    this.#single ??= new Skeleton(
      this.#bones,
      this.#bones.map(() => new Matrix4()),
    );
    return this.#single;
  }

  /** @param {Float32Array} matrices of a pose */
  follow(matrices) {
    this.#bones.forEach((bone, i) => bone.matrixWorld.fromArray(matrices, 16 * i));
  }

  dispose() {
    this.#weighted?.dispose();
    this.#single?.dispose();
  }
}

/** The object of one mesh of a scene, and how it follows a pose. */
export class MeshView {
  #scene;
  #mesh;
  #colours = null;
  #isDark = true;
  #textures;
  #material; // its index in the scene
  #shape = '-1'; // what it was morphed to
  #ends = null; // of lines that do not move with one bone

  /** @param {any} scene @param {any} mesh @param {number} index of the mesh @param {Textures} textures
   * @param {Skin} skin for vertices with bones of their own */
  constructor(scene, mesh, index, textures, skin) {
    this.#scene = scene;
    this.#mesh = mesh;
    this.index = index;
    this.#textures = textures;
    this.#material = mesh.material;
    this.bone = mesh.bone;
    this.isLines = mesh.kind === 'lines';
    this.isSkinned = !this.isLines && Boolean(mesh.joints ?? mesh.vertexBones);
    this.vertexCount = mesh.vertexCount;
    this.indices = mesh.indices;
    this.#colours = mesh.colours;
    /** @type {any} */
    this.object = this.isLines ? this.#lines(mesh) : this.#triangles(mesh, skin);
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
    this.object.name = mesh.name;
    this.object.castShadow = true;
    this.object.userData = { bone: mesh.bone, vertexBones: mesh.vertexBones?.slice() }; // for pick.js
  }

  #triangles(mesh, skin) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(mesh.positions.slice(), 3));
    geometry.setIndex(new BufferAttribute(this.indices, 1));
    if (mesh.texcoords)
      geometry.setAttribute('uv', new BufferAttribute(mesh.texcoords, 2));
    if (mesh.normals)
      geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
    if (this.#colours)
      geometry.setAttribute('color', new BufferAttribute(linearColours(this.#colours, false), 4));
    const surface = this.#surface(Boolean(mesh.normals));
    if (!this.isSkinned) return new Mesh(geometry, surface);
    const { joints, weights } = mesh.joints ? mesh : singleJoints(mesh.vertexBones);
    geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(joints), 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
    const object = new SkinnedMesh(geometry, surface);
    object.bindMode = DetachedBindMode; // the bones are where the object is
    object.bind(mesh.joints ? skin.weighted : skin.single, new Matrix4());
    return object;
  }

  #surface(hasNormals) {
    const material = this.#scene.materials[this.#material] ?? null;
    const map = this.#textures.of(material);
    const usesAlpha = material?.isTransparent || material?.alphaCutoff > 0;
    // The colour of a material multiplies the texture and the colours of vertices; plain white is grey.
    /** @type {[number, number, number]} */
    const tint = material ? material.colour.slice(0, 3) : [1, 1, 1];
    const isPlain = !map && !this.#colours && tint.every((part) => part === 1);
    const colour = isPlain ? new Color(PLAIN) : new Color().setRGB(...tint);
    const options = {
      color: colour,
      map,
      vertexColors: Boolean(this.#colours),
      side: !material || material.isDoubleSided ? DoubleSide : FrontSide,
      transparent: Boolean(material?.isTransparent),
      alphaTest: material?.isTransparent ? 0.02 : (material?.alphaCutoff ?? 0),
      opacity: usesAlpha ? material.colour[3] : 1,
    };
    // Coloured vertices without a material are not lit, as on the console.
    const isLit = material ? !material.isUnlit : !this.#colours;
    return isLit
      ? new MeshLambertMaterial({ ...options, flatShading: !hasNormals })
      : new MeshBasicMaterial(options);
  }

  /** Show another material of the scene. Lines have none. */
  setMaterial(material) {
    if (this.isLines || material === this.#material) return;
    this.#material = material;
    this.object.material.dispose();
    this.object.material = this.#surface(this.object.geometry.hasAttribute('normal'));
  }

  #lines(mesh) {
    const geometry = new LineSegmentsGeometry();
    const object = new LineSegments2(
      geometry,
      new LineMaterial({ linewidth: 2, vertexColors: Boolean(this.#colours) }),
    );
    this.#fillLines(geometry, mesh.positions);
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

  /** White lines belong on a dark background. On a light one they are drawn dark, and so are surfaces
   * that have only a colour. */
  setTheme(isDark) {
    if (this.#isDark === isDark) return;
    this.#isDark = isDark;
    if (this.isLines) {
      if (this.#colours) this.#colourLines(this.object.geometry);
      else this.object.material.color.set(isDark ? 0xffffff : 0x222222);
    } else if (this.#colours && this.object.material.isMeshBasicMaterial) {
      this.object.geometry.setAttribute(
        'color',
        new BufferAttribute(linearColours(this.#colours, !isDark), 4),
      );
    }
  }

  /** @param {import('../play/pose.js').Pose} pose */
  follow({ matrices, visible, morphs }) {
    if (this.#mesh.joints) return; // its skin does, and its bone only orders the meshes
    const hasBone = this.bone >= 0 && this.bone < visible.length;
    if (hasBone) this.object.visible = visible[this.bone] !== 0;
    if (this.isSkinned) return;
    if (this.#mesh.vertexBones) this.#move((out) => moved(this.#mesh, matrices, out));
    else if (hasBone) {
      this.object.matrix.fromArray(matrices, this.bone * 16);
      this.object.matrixWorldNeedsUpdate = true;
    }
    if (this.#mesh.targetCount > 0) this.#morph(morphs.find(({ mesh }) => mesh === this.index));
  }

  #morph(morph = { from: -1, to: -1, part: 0 }) {
    const key = morph.from === morph.to ? String(morph.from) : [morph.from, morph.to, morph.part].join();
    if (key === this.#shape) return;
    this.#shape = key;
    this.#move((out) => morphed(this.#mesh, morph, out));
  }

  /** The vertices as they are drawn, in the space of the object's parent: for tests. */
  drawn() {
    const { object } = this;
    const point = new Vector3();
    const count = this.isLines ? 0 : this.vertexCount;
    if (this.isSkinned) object.skeleton.update();
    object.updateMatrixWorld();
    return Array.from({ length: count }, (_, v) =>
      object.getVertexPosition(v, point).applyMatrix4(object.matrix).toArray(),
    );
  }

  #move(write) {
    const { geometry } = this.object;
    if (this.isLines) {
      this.#ends ??= new Float32Array(this.#mesh.positions.length);
      write(this.#ends);
      this.#fillLines(geometry, this.#ends);
      return;
    }
    const attribute = geometry.getAttribute('position');
    write(attribute.array);
    attribute.needsUpdate = true;
  }

  dispose() {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

// One bone per vertex, as four of which only the first counts.
function singleJoints(bones) {
  const joints = new Uint16Array(bones.length * 4);
  const weights = new Float32Array(bones.length * 4);
  bones.forEach((bone, v) => {
    joints[v * 4] = bone;
    weights[v * 4] = 1;
  });
  return { joints, weights };
}

// Colours for three.js; `isInverted` makes light ones dark, with the same hue.
function linearColours(bytes, isInverted) {
  const linear = new Float32Array(bytes.length);
  const colour = new Color();
  const hsl = { h: 0, s: 0, l: 0 };
  for (let i = 0; i < bytes.length; i += 4) {
    colour.setRGB(bytes[i] / 255, bytes[i + 1] / 255, bytes[i + 2] / 255, SRGBColorSpace);
    colour.getHSL(hsl, SRGBColorSpace);
    if (isInverted && hsl.l > 0.5) colour.setHSL(hsl.h, hsl.s, 1 - hsl.l, SRGBColorSpace);
    colour.toArray(linear, i);
    linear[i + 3] = bytes[i + 3] / 255;
  }
  return linear;
}
