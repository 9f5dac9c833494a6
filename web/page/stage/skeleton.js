// SPDX-License-Identifier: MIT
//
// The skeleton: an octahedron from each bone to its child, as in Blender, and a ball at each joint. Both
// are instanced, so that thousands of bones are two draw calls.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  MeshLambertMaterial,
  Vector3,
} from 'three';

// From 0 to 1 along +Y, widest near the start. The radius is 1, so that the scale sets the width.
function octahedron() {
  const ring = 0.14;
  const corners = [
    [0, 0, 0],
    [1, ring, 0],
    [0, ring, 1],
    [-1, ring, 0],
    [0, ring, -1],
    [0, 1, 0],
  ];
  const faces = [
    [0, 1, 2],
    [0, 2, 3],
    [0, 3, 4],
    [0, 4, 1],
    [5, 2, 1],
    [5, 3, 2],
    [5, 4, 3],
    [5, 1, 4],
  ];
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    'position',
    new BufferAttribute(new Float32Array(faces.flat().flatMap((i) => corners[i])), 3),
  );
  geometry.computeVertexNormals();
  return geometry;
}

const THEMES = {
  dark: { bone: 0x8fa6c4, joint: 0xd7e1ee, chosen: 0xffb454, hovered: 0xffdcae, dim: 0x4a525e },
  light: { bone: 0x5f7696, joint: 0x2f4a6e, chosen: 0xd9730d, hovered: 0xe8a15c, dim: 0xb4bcc6 },
};

export class Skeleton {
  group = new Group();
  #parents;
  #bones;
  #joints;
  #linked; // the bones that have a parent, in the order of the instances
  #chosen = -1;
  #hovered = -1;
  #colours = THEMES.dark;
  #visible = null;
  #size = 1;
  #radius = 0.01;

  /** @param {{parent: number}[]} bones @param {boolean} isInFront drawn over what hides it */
  constructor(bones, isInFront) {
    this.#parents = bones.map((bone) => bone.parent);
    this.#linked = this.#parents.flatMap((parent, bone) => (parent >= 0 ? [bone] : []));
    const material = () =>
      new MeshLambertMaterial({
        flatShading: true,
        depthTest: !isInFront,
        depthWrite: !isInFront,
        transparent: isInFront,
        opacity: isInFront ? 0.9 : 1,
      });
    this.#bones = new InstancedMesh(octahedron(), material(), Math.max(1, this.#linked.length));
    this.#joints = new InstancedMesh(
      new IcosahedronGeometry(1, bones.length > 400 ? 0 : 1),
      material(),
      Math.max(1, bones.length),
    );
    this.#bones.count = this.#linked.length;
    this.#joints.count = bones.length;
    for (const [order, mesh] of [this.#bones, this.#joints].entries()) {
      mesh.frustumCulled = false;
      mesh.castShadow = !isInFront; // what it is in front of casts one
      mesh.renderOrder = isInFront ? 10 + order : 0;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      this.group.add(mesh);
    }
    this.setTheme(true);
  }

  /** Set the sizes of the model and of a typical bone, from which joints and bones get their widths. */
  setSize(size, usual) {
    this.#size = size > 0 ? size : 1;
    this.#radius = Math.min(this.#size * 0.008, usual > 0 ? usual * 0.12 : Infinity);
  }

  /** The median length of the bones in a pose; 0: no bone has a length. */
  usualLength(matrices) {
    const lengths = this.#linked
      .map((bone) => {
        const [from, to] = [this.#parents[bone] * 16 + 12, bone * 16 + 12];
        return Math.hypot(
          matrices[to] - matrices[from],
          matrices[to + 1] - matrices[from + 1],
          matrices[to + 2] - matrices[from + 2],
        );
      })
      .filter((length) => length > 0)
      .sort((a, b) => a - b);
    return lengths[lengths.length >> 1] ?? 0;
  }

  setTheme(isDark) {
    this.#colours = isDark ? THEMES.dark : THEMES.light;
    this.#colour();
  }

  choose(bone) {
    this.#chosen = bone;
    this.#colour();
  }

  /** Show which bone a click would select; -1: none. */
  hover(bone) {
    this.#hovered = bone;
    this.#colour();
  }

  #colour() {
    const colour = new Color();
    const paint = (mesh, instance, bone, plain) => {
      const isDim = this.#visible && this.#visible[bone] === 0;
      const { chosen, hovered, dim } = this.#colours;
      if (bone === this.#chosen) colour.set(chosen);
      else if (bone === this.#hovered) colour.set(hovered);
      else colour.set(isDim ? dim : plain);
      mesh.setColorAt(instance, colour);
    };
    // The octahedron belongs to the bone at its start, as in other programs: that bone rotates it.
    this.#linked.forEach((bone, instance) =>
      paint(this.#bones, instance, this.#parents[bone], this.#colours.bone),
    );
    this.#parents.forEach((_, bone) => paint(this.#joints, bone, bone, this.#colours.joint));
    for (const mesh of [this.#bones, this.#joints])
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  /** @param {Float32Array} matrices @param {Uint8Array} visible */
  follow(matrices, visible) {
    const radius = this.#radius;
    const joints = this.#joints.instanceMatrix.array;
    for (let bone = 0; bone < this.#parents.length; bone++) {
      writeBall(
        joints,
        bone * 16,
        matrices,
        bone * 16 + 12,
        bone === this.#chosen ? radius * 1.5 : radius,
      );
    }
    const from = new Vector3();
    const to = new Vector3();
    const bones = this.#bones.instanceMatrix.array;
    this.#linked.forEach((bone, instance) => {
      from.fromArray(matrices, this.#parents[bone] * 16 + 12);
      to.fromArray(matrices, bone * 16 + 12);
      writeBone(bones, instance * 16, from, to, this.#size * 0.03);
    });
    this.#joints.instanceMatrix.needsUpdate = true;
    this.#bones.instanceMatrix.needsUpdate = true;
    if (!this.#visible || visible.some((seen, bone) => seen !== this.#visible[bone])) {
      this.#visible = new Uint8Array(visible);
      this.#colour();
    }
  }

  /** Where the joints are drawn: [x, y, z] each. */
  positions() {
    const array = this.#joints.instanceMatrix.array;
    return this.#parents.map((_, bone) => [
      array[bone * 16 + 12],
      array[bone * 16 + 13],
      array[bone * 16 + 14],
    ]);
  }

  dispose() {
    for (const mesh of [this.#bones, this.#joints]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.dispose();
    }
  }
}

function writeBall(out, at, matrices, from, radius) {
  out.fill(0, at, at + 16);
  out[at] = out[at + 5] = out[at + 10] = radius;
  out[at + 12] = matrices[from];
  out[at + 13] = matrices[from + 1];
  out[at + 14] = matrices[from + 2];
  out[at + 15] = 1;
}

const along = new Vector3();
const side = new Vector3();
const other = new Vector3();

function writeBone(out, at, from, to, widest) {
  along.subVectors(to, from);
  const length = along.length();
  const width = Math.min(length * 0.11, widest);
  // Any perpendicular direction is fine if it does not flip between frames for most bones.
  side.set(0, 0, 1);
  if (Math.abs(along.z) > 0.9 * length) side.set(1, 0, 0);
  other.crossVectors(side, along).normalize().multiplyScalar(width);
  side.crossVectors(other, along).normalize().multiplyScalar(-width);
  side.negate();
  out.set(
    [
      other.x,
      other.y,
      other.z,
      0,
      along.x,
      along.y,
      along.z,
      0,
      side.x,
      side.y,
      side.z,
      0,
      from.x,
      from.y,
      from.z,
      1,
    ],
    at,
  );
}
