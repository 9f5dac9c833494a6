// SPDX-License-Identifier: MIT
//
// Morph targets in three.js: the files of `make_gltf --shapes`, see there. Only those in a skin: the weights
// of a mesh on a bone are ignored, see docs/interop.md.

import fs from 'node:fs';
import path from 'node:path';
import { GLTFLoader, files, need, playerOf } from './three_peer.mjs';

const target = (frame, count) => (7 * frame) % (count + 1) - 1;

async function checkFile(count) {
    const bytes = fs.readFileSync(path.join(files, `shapes-skin-${count}.glb`));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    const meshes = [];
    gltf.scene.traverse((object) => { if (object.isMesh) meshes.push(object); });
    need(meshes.length === 1 && gltf.animations.length === 2, `${meshes.length} meshes in shapes of ${count}`);
    const weights = meshes[0].morphTargetInfluences;
    need(weights.length === count, `${weights.length} targets instead of ${count}`);
    gltf.animations.forEach((clip, moves) => {
        const player = playerOf(gltf.scene, clip);
        const frames = moves === 0 ? count : 3;
        for (let frame = 0; frame < frames; frame++) {
            for (const part of frame + 1 < frames ? [0, 0.25] : [0]) {
                player.show((frame + part) / 25);
                weights.forEach((weight, i) => {
                    const here = moves === 0 && target(frame, count) === i ? 1 - part : 0;
                    const next = moves === 0 && target(frame + 1, count) === i ? part : 0;
                    need(Math.abs(weight - here - next) < 1e-3,
                        `${clip.name} of ${count}: target ${i} has the weight ${weight} in frame ${frame + part}`);
                });
            }
        }
        player.stop();
    });
    console.log(`${count} shapes: every weight in every frame`);
}

export async function checkShapes() {
    for (const count of [60, 600]) await checkFile(count);
}
