// SPDX-License-Identifier: MIT
//
// Reads a GLB with the loader of three.js, from memory: the page's policy blocks every request. Its
// surfaces get the page's kind of material, so that figures beside each other look alike.

import { Color, DoubleSide, FrontSide, MeshBasicMaterial, MeshLambertMaterial, TextureLoader } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { bytesText } from '../window/dom.js';
import { checkGlb, MOST_BYTES } from './glb_check.js';
import { PLAIN } from '../stage/meshes.js';

const MOST_PIXELS = 64_000_000; // of a texture
const PATIENCE = 30_000; // milliseconds; a damaged file may leave the loader waiting

/** @typedef {{ root: any, animations: any[], boneCount: number,
 *   joints: { name: string, object: any, parent: number }[] }} Glb
 * `joints`: all nodes, the bones first, because meshes may have the same names; `parent` among them, or -1 */

/** @param {Blob} blob @returns {Promise<Glb>} Throws an error for people. */
export async function loadGlb(blob) {
  if (blob.size > MOST_BYTES)
    throw new Error(`it has ${bytesText(blob.size)}; the most is ${bytesText(MOST_BYTES)}`);
  const buffer = await blob.arrayBuffer();
  const json = checkGlb(buffer);
  const gltf = await parse(buffer).catch((error) => {
    throw new Error(`it is damaged (${error.message})`);
  });
  const root = gltf.scene ?? gltf.scenes[0];
  const { joints, boneCount } = jointsOf(json, root, gltf.parser.associations);
  const others = [];
  root.traverse((object) => {
    object.frustumCulled = false;
    if (object.isLight || object.isCamera) others.push(object);
    if (object.material) object.material = plain(object);
    if (object.isMesh) object.castShadow = true;
    if (object.isSkinnedMesh) checkSkin(object);
  });
  for (const object of others) object.removeFromParent(); // the stage has its own
  return { root, animations: gltf.animations, joints, boneCount };
}

function checkSkin({ geometry, skeleton }) {
  const { skinIndex, skinWeight } = geometry.attributes;
  const count = skeleton?.bones.length ?? 0;
  if (!skinIndex || !skinWeight || skinIndex.array.some((bone) => bone >= count))
    throw new Error('it is damaged (the joints of a mesh)');
}

async function parse(buffer) {
  const loader = new GLTFLoader();
  // It would decode images by requests.
  loader.register((parser) => {
    parser.textureLoader = new Pictures();
    return { name: 'OSSA_pictures' };
  });
  let timer;
  const late = new Promise((_, refuse) => {
    timer = setTimeout(() => refuse(new Error('it cannot be read to its end')), PATIENCE);
  });
  return Promise.race([loader.parseAsync(buffer, ''), late]).finally(() => clearTimeout(timer));
}

class Pictures extends TextureLoader {
  /** @param {string} url @param {any} done @param {any} [progress] @param {any} [failed] */
  load(url, done, progress, failed) {
    const isSmall = ({ image }) => image.width * image.height <= MOST_PIXELS;
    return super.load(
      url,
      (texture) => (isSmall(texture) ? done(texture) : failed?.(new Error('too large'))),
      progress,
      failed,
    );
  }
}

function plain({ material, geometry, isMesh }) {
  if (!isMesh) return material; // lines and points
  const { color, map, vertexColors, side, transparent, opacity, alphaTest } = material;
  const isPlain = !map && !vertexColors && color.getHex() === 0xffffff;
  const options = {
    color: isPlain ? new Color(PLAIN) : color,
    map,
    vertexColors,
    side: side === DoubleSide ? DoubleSide : FrontSide,
    transparent,
    opacity,
    alphaTest,
  };
  return material.isMeshBasicMaterial
    ? new MeshBasicMaterial(options)
    : new MeshLambertMaterial({ ...options, flatShading: !geometry.hasAttribute('normal') });
}

function jointsOf(json, root, associations) {
  const objects = new Map(); // by node
  root.traverse((object) => {
    const node = associations.get(object)?.nodes;
    if (node !== undefined && !objects.has(node)) objects.set(node, object);
  });
  const isThere = (node) => objects.has(node);
  const inSkins = [...new Set((json.skins ?? []).flatMap(({ joints }) => joints))].filter(isThere);
  const nodes = [...new Set([...inSkins, ...objects.keys()])];
  const places = new Map(nodes.map((node, place) => [objects.get(node), place]));
  const joints = nodes.map((node) => {
    const object = objects.get(node);
    let above = object.parent;
    while (above && !places.has(above)) above = above.parent;
    return { name: String(json.nodes[node].name ?? ''), object, parent: above ? places.get(above) : -1 };
  });
  return { joints, boneCount: inSkins.length || nodes.length };
}
