// SPDX-License-Identifier: MIT
//
// A scene of the library as plain data: arrays are copies, so that the page owns them.

import { hullsOf } from './hulls.js';

const ARRAYS = ['positions', 'normals', 'colours', 'texcoords', 'vertexBones', 'joints', 'weights', 'indices', 'targets'];

/** @param {any} scene see Scene in ossa.d.ts */
export function sceneData(scene) {
  const { name, game, viewpoint, bones, clips, materials, variants, issues, fileIssues, messages } = scene;
  const hasWeights = scene.meshes.some((mesh) => mesh.joints);
  const data = {
    name,
    game,
    viewpoint,
    bones,
    clips,
    options: scene.options,
    materials,
    variants,
    issues,
    fileIssues,
    messages,
    meshes: scene.meshes.map(meshData),
    textures: scene.textures.map((texture) => ({
      name: texture.name,
      width: texture.width,
      height: texture.height,
      pixels: texture.pixels.slice(),
    })),
    cameras: scene.cameras.map((camera, index) => ({ ...camera, keys: scene.cameraKeys(index) })),
    inverseBinds: hasWeights ? scene.inverseBinds : null,
  };
  return { ...data, hulls: hullsOf(data) };
}

function meshData(mesh) {
  const { name, bone, kind, vertexCount, material, targetCount } = mesh;
  const arrays = ARRAYS.map((key) => [key, mesh[key]?.slice() ?? null]);
  return { name, bone, kind, vertexCount, material, targetCount, ...Object.fromEntries(arrays) };
}
