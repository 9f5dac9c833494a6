// SPDX-License-Identifier: MIT
//
// three.js itself, what prepare.sh made, and the comparison of the two: for three_check.mjs, whose
// arguments are read here.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, folder] = process.argv.slice(2);
export const files = folder;
const module = (name) => import(pathToFileURL(path.resolve(modules, 'three', name)).href);
globalThis.self ??= globalThis; // three.js takes itself to be in a browser
export const THREE = await module('build/three.module.js');
export const { GLTFLoader } = await module('examples/jsm/loaders/GLTFLoader.js');
export const { BVHLoader } = await module('examples/jsm/loaders/BVHLoader.js');

const TOLERANCE = 1e-4; // of the figure's size
const SMALL = 1e-6;

export class Problem extends Error {}
export function need(condition, message) {
    if (!condition) throw new Problem(message);
}

// ---- what prepare.sh made ---------------------------------------------------------------------------

export const readLines = (file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n');
const readPoses = (file) => readLines(path.join(files, file)).map((line) => JSON.parse(line));

function readDocument(bytes) {
    return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}

// The diagonal of the box around all bones in all frames.
function sizeOf(poses) {
    const box = new THREE.Box3();
    const place = new THREE.Vector3();
    for (const pose of poses) {
        for (const bone of pose.bones) box.expandByPoint(place.fromArray(bone.translation));
    }
    return box.min.distanceTo(box.max) || 1;
}

export function readFigure(name) {
    const bytes = fs.readFileSync(path.join(files, `${name}.glb`));
    const document = readDocument(bytes);
    const frames = readPoses(`${name}.frames.jsonl`);
    const between = readPoses(`${name}.between.jsonl`);
    const clips = new Map();
    for (const clip of new Set(frames.map((pose) => pose.clip))) {
        const poses = frames.filter((pose) => pose.clip === clip);
        clips.set(clip, { poses, size: sizeOf(poses) });
    }
    const joints = document.skins[0].joints.map((joint) => document.nodes[joint]);
    const { cameras, meshes, materials } = JSON.parse(fs.readFileSync(path.join(files, `${name}.json`), 'utf8'));
    const bodies = meshes.filter((mesh) => mesh.vertex_bones)
        .map((mesh) => ({ ...mesh, material: materials[mesh.material].name }));
    return { name, bytes, document, joints, clips, between, cameras, bodies };
}

// ---- playing and comparing --------------------------------------------------------------------------

// Shows a clip at any time; a clip that has reached its end stays there. Times are float32 in the GLB
// and in what `ossa pose` prints: a step must not come a rounding error late.
export function playerOf(root, clip) {
    const mixer = new THREE.AnimationMixer(root);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    return {
        show(time) {
            action.reset();
            mixer.setTime(Math.fround(time));
            root.updateMatrixWorld(true);
        },
        stop() { mixer.stopAllAction(); },
    };
}

export const noDifference = () => ({ places: 0, axes: 0, vertices: 0, hidden: 0 });
const shown = new THREE.Vector3();
const wanted = new THREE.Vector3();
const meant = new THREE.Matrix4();

// The axes and the place of a matrix, against a translation, a rotation and a scale; places in `size`.
export function compareMatrix(matrix, translation, rotation, scale, size, worst, label) {
    meant.compose(new THREE.Vector3(...translation), new THREE.Quaternion(...rotation),
        new THREE.Vector3(...scale));
    const distance = shown.setFromMatrixPosition(matrix).distanceTo(wanted.setFromMatrixPosition(meant)) / size;
    need(distance <= TOLERANCE, `${label}: ${distance} of the size away from where it should be`);
    worst.places = Math.max(worst.places, distance);
    const largest = Math.max(1, ...scale.map(Math.abs));
    for (let k = 0; k < 3; k++) {
        const off = shown.setFromMatrixColumn(matrix, k).distanceTo(wanted.setFromMatrixColumn(meant, k)) / largest;
        need(off <= TOLERANCE, `${label}: an axis is ${off} off, by rotation or scale`);
        worst.axes = Math.max(worst.axes, off);
    }
}

// All bones of a pose. What hides is compared by `compareHidden`; without scales all have size 1.
export function comparePose(bones, pose, size, hasScale, compareHidden, worst) {
    pose.bones.forEach((bone, i) => {
        const label = `${pose.clip}, frame ${pose.frame}, ${bone.name}`;
        if (bone.visible) {
            compareMatrix(bones[i].matrixWorld, bone.translation, bone.rotation,
                hasScale ? bone.scale : [1, 1, 1], size, worst, label);
        } else {
            compareHidden(bones[i], label);
            worst.hidden++;
        }
    });
}

// A mesh whose vertices have bones of their own: each where its bone has it, without a bind pose.
export function compareBody(body, object, pose, size, worst) {
    const places = pose.bones.map((bone) => new THREE.Matrix4().compose(new THREE.Vector3(...bone.translation),
        new THREE.Quaternion(...bone.rotation), new THREE.Vector3(...bone.scale)));
    body.positions.forEach((position, v) => {
        object.getVertexPosition(v, shown).applyMatrix4(object.matrixWorld);
        wanted.fromArray(position).applyMatrix4(places[body.vertex_bones[v]]);
        const distance = shown.distanceTo(wanted) / size;
        need(distance <= TOLERANCE, `${pose.clip}, frame ${pose.frame}, ${body.name}: vertex ${v} is ${distance} of `
            + 'the size away from where its bone has it');
        worst.vertices = Math.max(worst.vertices, distance);
    });
}

export const isDrawn = (bone) => bone.matrixWorld.getMaxScaleOnAxis() > SMALL;
