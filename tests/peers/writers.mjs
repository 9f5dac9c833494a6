// SPDX-License-Identifier: MIT
//
// Other writers of glTF, on GLBs of ours.
//
//   node writers.mjs MODULES NAME...
//
// MODULES is a node_modules folder. Beside each NAME.glb it writes NAME-WRITER.glb for all writers
// below; run-writers.sh says what is expected of each.
//
// glTF-Transform's functions import sharp, 20 MB for pixels, which none of those used here needs.
// package.json puts a small package in its place.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, ...names] = process.argv.slice(2);
const module = (name) => import(pathToFileURL(path.resolve(modules, name)).href);

// three.js takes itself to be in a browser.
globalThis.self ??= globalThis;
globalThis.FileReader ??= class {
    readAsArrayBuffer(blob) {
        blob.arrayBuffer().then((buffer) => {
            this.result = buffer;
            this.onloadend();
        });
    }
};

const { GLTFLoader } = await module('three/examples/jsm/loaders/GLTFLoader.js');
const { GLTFExporter } = await module('three/examples/jsm/exporters/GLTFExporter.js');
const { NodeIO } = await module('@gltf-transform/core/dist/index.js');
const { ALL_EXTENSIONS } = await module('@gltf-transform/extensions/dist/index.js');
const {
    dedup, flatten, prune, quantize, resample, sparse,
} = await module('@gltf-transform/functions/dist/index.js');
const { pack } = await module('gltfpack/library.js');

async function three(from, to) {
    const bytes = fs.readFileSync(from);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    const written = await new GLTFExporter().parseAsync(gltf.scene, { binary: true, animations: gltf.animations });
    fs.writeFileSync(to, Buffer.from(written));
}

const transform = (...functions) => async (from, to) => {
    const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
    const document = await io.read(from);
    await document.transform(...functions);
    await io.write(to, document);
};

// As programs do that were told to leave out the animation of shape keys.
function dropWeights(document) {
    for (const animation of document.getRoot().listAnimations()) {
        for (const channel of animation.listChannels()) {
            if (channel.getTargetPath() === 'weights') channel.dispose();
        }
    }
}

const disk = { read: (name) => fs.readFileSync(name), write: (name, data) => fs.writeFileSync(name, data) };
const gltfpack = (...options) => (from, to) => pack(['-i', from, '-o', to, ...options], disk);

const writers = {
    three,
    'transform': transform(),
    'transform-dedup': transform(dedup()),
    'transform-flatten': transform(flatten()),
    'transform-prune': transform(prune()),
    'transform-sparse': transform(sparse({ ratio: 1 })),
    'transform-quantize': transform(quantize()),
    'transform-unweighted': transform(dropWeights),
    'transform-resample': transform(resample()),
    'transform-all': transform(dedup(), flatten(), resample(), prune(), sparse(), quantize()),
    'gltfpack-plain': gltfpack('-noq', '-af', '0'),
    'gltfpack-quantize': gltfpack('-af', '0'),
    'gltfpack-default': gltfpack(),
    'gltfpack-compressed': gltfpack('-c'),
};

for (const name of names) {
    for (const [writer, write] of Object.entries(writers)) await write(`${name}.glb`, `${name}-${writer}.glb`);
}
