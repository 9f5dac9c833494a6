// SPDX-License-Identifier: MIT
//
// Vertices that move with several bones, in three.js: each where ossa_skin_mesh has it. Files of vertices come from
// make_gltf: of a scene made by hand, and of every figure that has weighted vertices.

import fs from 'node:fs';
import path from 'node:path';
import { GLTFLoader, Problem, THREE, files, need, playerOf, readLines } from './three_peer.mjs';

const TOLERANCE = 1e-5; // of the figure's size
const ENDING = '.vertices.jsonl';

// What meshes and primitives are alike by: the material and the kinds of numbers of a vertex.
function keyOfMesh(scene, mesh) {
    const own = mesh.colours ? 'colours' : 'plain';
    const material = mesh.material === undefined ? own : scene.materials[mesh.material].name;
    return [material, ...['normals', 'colours', 'texcoords', 'texcoords2'].map((name) => name in mesh)].join();
}

function keyOfPrimitive(document, { material, attributes }) {
    return [document.materials[material].name,
        ...['NORMAL', 'COLOR_0', 'TEXCOORD_0', 'TEXCOORD_1'].map((name) => name in attributes)].join();
}

// For each mesh that is bound to the skin, its object and its first vertex there: meshes that are alike follow each other.
function findVertices(gltf, document, scene) {
    const objects = new Map();
    gltf.scene.traverse((object) => {
        if (!object.isSkinnedMesh) return;
        const { meshes, primitives = 0 } = gltf.parser.associations.get(object);
        const key = keyOfPrimitive(document, document.meshes[meshes].primitives[primitives]);
        need(!objects.has(key), `two primitives of ${key}`);
        objects.set(key, { object, used: 0 });
    });
    const found = new Map();
    scene.meshes.forEach((mesh, index) => {
        if (!mesh.joints && !mesh.vertex_bones) return;
        const place = objects.get(keyOfMesh(scene, mesh));
        need(place, `no primitive for ${mesh.name}`);
        found.set(index, { object: place.object, first: place.used });
        place.used += mesh.positions.length;
    });
    for (const [key, { object, used }] of objects) {
        need(object.geometry.attributes.position.count === used, `${key} has other vertices than the scene`);
    }
    return found;
}

function sizeOf(lines) {
    const box = new THREE.Box3();
    for (const { positions } of lines) {
        for (const position of positions) box.expandByPoint(new THREE.Vector3(...position));
    }
    return box.min.distanceTo(box.max);
}

async function compare(name, bytes, lines) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const document = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
    const scene = JSON.parse(fs.readFileSync(path.join(files, `${name}.json`), 'utf8'));
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    const places = findVertices(gltf, document, scene);
    const size = sizeOf(lines);
    const [shown, wanted] = [new THREE.Vector3(), new THREE.Vector3()];
    let worst = 0;
    for (const clip of new Set(lines.map((line) => line.clip))) {
        const player = playerOf(gltf.scene, THREE.AnimationClip.findByName(gltf.animations, clip));
        for (const line of lines.filter((one) => one.clip === clip)) {
            const { object, first } = places.get(line.mesh);
            player.show(line.time);
            line.positions.forEach((position, v) => {
                object.getVertexPosition(first + v, shown).applyMatrix4(object.matrixWorld);
                const off = shown.distanceTo(wanted.fromArray(position)) / size;
                worst = Math.max(worst, off);
                need(off <= TOLERANCE, `${name}: ${clip}, frame ${line.frame}, mesh ${line.mesh}: vertex ${v} is ${off} of `
                    + 'the size off');
            });
        }
        player.stop();
    }
    return worst;
}

// A weight moved from one joint to another, in the middle of the file: the comparison has to be able to fail.
function damage(bytes) {
    const document = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
    const { mesh } = document.nodes.find((node) => 'skin' in node);
    const accessor = document.accessors[document.meshes[mesh].primitives.at(-1).attributes.WEIGHTS_0];
    const place = 20 + bytes.readUInt32LE(12) + 8 + document.bufferViews[accessor.bufferView].byteOffset
        + 16 * Math.floor(accessor.count / 2);
    const copy = Buffer.from(bytes);
    copy.writeFloatLE(copy.readFloatLE(place) - 0.05, place);
    copy.writeFloatLE(copy.readFloatLE(place + 4) + 0.05, place + 4);
    return copy;
}

export async function checkWeights() {
    const names = fs.readdirSync(files).filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
    need(names.includes('weighted'), 'there are no vertices of make_gltf --weights');
    for (const name of names) {
        const bytes = fs.readFileSync(path.join(files, `${name}.glb`));
        const lines = readLines(path.join(files, name + ENDING)).map((line) => JSON.parse(line));
        const worst = await compare(name, bytes, lines);
        console.log(`${name}: weighted vertices: within ${TOLERANCE} (worst ${worst.toExponential(1)})`);
        const problem = await compare(name, damage(bytes), lines).then(() => null, (error) => error);
        need(problem instanceof Problem, `a weight was changed, and nobody noticed (${problem})`);
    }
}
