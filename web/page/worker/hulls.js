// SPDX-License-Identifier: MIT
//
// A few points of each bone's vertices that enclose all of them: the farthest in each of 26 directions.
// With these, the page measures a figure in any pose without moving its vertices. Pure.

const DIRECTIONS = [];
for (const x of [-1, 0, 1])
  for (const y of [-1, 0, 1])
    for (const z of [-1, 0, 1]) if (x !== 0 || y !== 0 || z !== 0) DIRECTIONS.push([x, y, z]);

class Extremes {
  #best = new Float64Array(DIRECTIONS.length).fill(-Infinity);
  points = new Float32Array(DIRECTIONS.length * 3);
  isEmpty = true;

  add(x, y, z) {
    if (!Number.isFinite(x + y + z)) return;
    this.isEmpty = false;
    for (let i = 0; i < DIRECTIONS.length; i++) {
      const [dx, dy, dz] = DIRECTIONS[i];
      const far = dx * x + dy * y + dz * z;
      if (far <= this.#best[i]) continue;
      this.#best[i] = far;
      this.points[i * 3] = x;
      this.points[i * 3 + 1] = y;
      this.points[i * 3 + 2] = z;
    }
  }
}

/**
 * @param {{ meshes: any[], bones: any[], inverseBinds: Float32Array|null }} scene plain data
 * @returns {{ bone: number, points: Float32Array }[]} in the space of the bone; bone -1: of the model
 */
export function hullsOf({ meshes, bones, inverseBinds }) {
  /** @type {Map<number, Extremes>} */
  const found = new Map();
  const add = (bone, x, y, z) => {
    if (!found.has(bone)) found.set(bone, new Extremes());
    found.get(bone).add(x, y, z);
  };
  for (const mesh of meshes) {
    if (mesh.joints) addWeighted(mesh, inverseBinds, add);
    else if (mesh.vertexBones) addPoints(mesh.positions, (v) => mesh.vertexBones[v], add);
    else if (mesh.bone >= 0 || bones.length === 0) {
      addPoints(mesh.positions, () => mesh.bone, add);
      addTargets(mesh, add);
    }
  }
  return [...found].filter(([, one]) => !one.isEmpty).map(([bone, { points }]) => ({ bone, points }));
}

function addPoints(positions, boneOf, add) {
  for (let v = 0; v * 3 < positions.length; v++)
    add(boneOf(v), positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
}

function addTargets({ bone, positions, targets, targetCount }, add) {
  for (let target = 0; target < targetCount; target++) {
    const at = target * positions.length;
    for (let i = 0; i < positions.length; i += 3)
      add(
        bone,
        positions[i] + targets[at + i],
        positions[i + 1] + targets[at + i + 1],
        positions[i + 2] + targets[at + i + 2],
      );
  }
}

function addWeighted({ positions, joints, weights }, binds, add) {
  for (let i = 0; i < joints.length; i++) {
    if (!(weights[i] > 0)) continue;
    const v = (i >> 2) * 3;
    const m = joints[i] * 16;
    const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
    const row = (r) => binds[m + r] * x + binds[m + 4 + r] * y + binds[m + 8 + r] * z + binds[m + 12 + r];
    add(joints[i], row(0), row(1), row(2));
  }
}
