// SPDX-License-Identifier: MIT
//
// node three_check.mjs NODE_MODULES FILES RESULTS : every GLB and BVH of FILES, which prepare.sh made, loaded
// and played by three.js, without a browser, and compared with what `ossa pose` says. The results go to
// the folder RESULTS.

import fs from 'node:fs';
import path from 'node:path';
import { Problem, THREE, files, readFigure, readLines } from './three_peer.mjs';
import { checkBvh } from './three_bvh.mjs';
import { checkGltf } from './three_gltf.mjs';
import { checkShapes } from './three_shapes.mjs';
import { checkWeights } from './three_weights.mjs';

async function run(program, check, file) {
    const results = [];
    let failed = 0;
    const names = readLines(path.join(files, 'subjects'));
    for (const name of names) {
        const say = (fact, outcome, worst = null) => {
            results.push({ program, version: THREE.REVISION, subject: name, fact, outcome, worst });
            console.log(`${name}: ${fact}: ${outcome}${worst === null ? '' : ` (worst ${worst.toExponential(1)})`}`);
        };
        try {
            await check(readFigure(name), say);
        } catch (error) {
            console.log(`${name}: FAILED (${program}): ${error instanceof Problem ? error.message : error.stack}`);
            failed++;
        }
    }
    fs.writeFileSync(path.join(process.argv[4], file), results.map((line) => `${JSON.stringify(line)}\n`).join(''));
    console.log(`${program} ${THREE.REVISION}: ${names.length} figures, ${failed} failures`);
    return names.length > 0 && failed === 0;
}

const gltf = await run('three.js, glTF', checkGltf, 'three-gltf.jsonl');
const bvh = await run('three.js, BVH', checkBvh, 'three-bvh.jsonl');
await checkShapes();
await checkWeights();
process.exitCode = gltf && bvh ? 0 : 1;
