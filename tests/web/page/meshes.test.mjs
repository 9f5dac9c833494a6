// SPDX-License-Identifier: MIT
//
// Weighted vertices and materials as three.js gets them, of a scene made here: no file of a game is
// needed. What it draws of the samples is in browser/samples.test.mjs.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(process.env.OSSA_WEB ?? join(here, '../../../build/web'), 'npm/node_modules');
const esbuild = createRequire(join(modules, 'x.js'))('esbuild');

// The page's modules name three.js as a browser's bundle does.
const built = await esbuild.build({
  stdin: {
    contents: "export * from './meshes.js'; export * as THREE from 'three';",
    resolveDir: join(here, '../../../web/page/stage'),
  },
  bundle: true,
  write: false,
  format: 'esm',
  nodePaths: [modules],
});
const { MeshView, Skin, Textures, THREE } = await import(
  `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`
);

// Three bones in a row, each turned against the one before.
const RESTS = [0, 1, 2].map((i) =>
  new THREE.Matrix4().compose(
    new THREE.Vector3(0.1 * i, 0.5 * i, 0),
    new THREE.Quaternion().setFromEuler(new THREE.Euler(0.3 * i, 0.2, -0.4 * i)),
    new THREE.Vector3(1, 1, 1),
  ),
);
const POSES = RESTS.map((rest, i) =>
  new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(0.7 * i, -0.2, 0.5)).setPosition(i, 0.2, -1).multiply(rest),
);
const numbersOf = (matrices) => new Float32Array(matrices.flatMap((matrix) => matrix.toArray()));

const MESH = {
  name: 'sleeve',
  bone: 0,
  kind: 'triangles',
  vertexCount: 3,
  positions: new Float32Array([0, 0, 0, 0.5, 1, 0, -0.5, 2, 0.25]),
  normals: new Float32Array([0, 0, 1, 0, 1, 0, 1, 0, 0]),
  colours: null,
  texcoords: new Float32Array(6),
  texcoords2: null,
  vertexBones: null,
  joints: new Uint32Array([2, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0]),
  weights: new Float32Array([1, 0, 0, 0, 0.75, 0.25, 0, 0, 0.5, 0.3, 0.2, 0]),
  indices: new Uint32Array([0, 1, 2]),
  material: 0,
  targetCount: 0,
  targets: null,
};

const material = (more) => ({
  name: 'm',
  texture: 0,
  colour: [1, 1, 1, 1],
  isTransparent: false,
  isDoubleSided: false,
  isUnlit: false,
  isClamped: [false, false],
  alphaCutoff: 0,
  ...more,
});

const SCENE = {
  bones: RESTS.map((_, i) => ({ name: `b${i}`, parent: i - 1 })),
  inverseBinds: numbersOf(RESTS.map((rest) => rest.clone().invert())),
  meshes: [MESH],
  materials: [
    material({}),
    material({ isClamped: [true, false], alphaCutoff: 0.25 }),
    material({ isClamped: [true, false] }),
  ],
  textures: [{ name: 't', width: 1, height: 1, pixels: new Uint8Array(4) }],
};

function view(mesh = MESH) {
  const skin = new Skin(SCENE);
  const textures = new Textures(SCENE);
  return { skin, textures, made: new MeshView(SCENE, mesh, 0, textures, skin) };
}

test('weighted vertices are the mean of where their bones take them', () => {
  const { skin, made } = view();
  assert.ok(made.object.isSkinnedMesh);
  // Wherever the figure is on the stage, the vertices are in its space.
  const stage = new THREE.Group();
  stage.position.set(5, 6, 7);
  stage.add(made.object);
  stage.updateMatrixWorld(true);
  for (const [matrices, isRest] of [[RESTS, true], [POSES, false]]) {
    skin.follow(numbersOf(matrices));
    made.follow({ matrices: numbersOf(matrices), visible: new Uint8Array([0, 1, 1]), morphs: [] });
    made.drawn().forEach((found, v) => {
      const from = new THREE.Vector3().fromArray(MESH.positions, 3 * v);
      const wanted = new THREE.Vector3();
      for (let j = 4 * v; j < 4 * v + 4; j++) {
        const bone = MESH.joints[j];
        const move = matrices[bone].clone().multiply(RESTS[bone].clone().invert());
        wanted.addScaledVector(from.clone().applyMatrix4(move), MESH.weights[j]);
      }
      if (isRest) wanted.copy(from);
      assert.ok(wanted.distanceTo(new THREE.Vector3(...found)) < 1e-5, `vertex ${v}: ${found}`);
    });
  }
  assert.ok(made.object.visible, 'the bone that only orders the meshes does not hide one');
});

test('textures are clamped and cut as the material says', () => {
  const { made, textures } = view();
  const plain = made.object.material;
  assert.deepEqual([plain.map.wrapS, plain.map.wrapT], [THREE.RepeatWrapping, THREE.RepeatWrapping]);
  assert.deepEqual([plain.alphaTest, plain.transparent], [0, false]);
  made.setMaterial(1);
  const cut = made.object.material;
  assert.deepEqual([cut.map.wrapS, cut.map.wrapT], [THREE.ClampToEdgeWrapping, THREE.RepeatWrapping]);
  assert.deepEqual([cut.alphaTest, cut.transparent], [0.25, false]);
  assert.equal(textures.of(SCENE.materials[2]), cut.map, 'one texture for all that show it alike');
  assert.notEqual(textures.of(SCENE.materials[0]), cut.map);
});
