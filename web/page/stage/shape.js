// SPDX-License-Identifier: MIT
//
// Vertices that no graphics card moves: those of morph targets and of lines. Pure.

/**
 * The positions of a mesh between two of its targets; -1 is the mesh itself. Written to `out`.
 * @param {{ positions: Float32Array, targets: Float32Array|null }} mesh
 * @param {{ from: number, to: number, part: number }} morph
 */
export function morphed({ positions, targets }, { from, to, part }, out) {
  out.set(positions);
  const add = (target, weight) => {
    if (target < 0 || weight === 0) return;
    const at = target * positions.length;
    for (let i = 0; i < positions.length; i++) out[i] += weight * targets[at + i];
  };
  if (from === to) add(from, 1);
  else {
    add(from, 1 - part);
    add(to, part);
  }
}

/**
 * The positions of a mesh with one bone per vertex, in model space. Written to `out`.
 * @param {{ positions: Float32Array, vertexBones: Uint32Array }} mesh @param {Float32Array} matrices
 */
export function moved({ positions, vertexBones }, matrices, out) {
  vertexBones.forEach((bone, v) => {
    const m = bone * 16;
    const [x, y, z] = positions.subarray(v * 3, v * 3 + 3);
    for (let r = 0; r < 3; r++)
      out[v * 3 + r] = matrices[m + r] * x + matrices[m + 4 + r] * y + matrices[m + 8 + r] * z + matrices[m + 12 + r];
  });
}
