// SPDX-License-Identifier: MIT
//
// node three_check.mjs NODE_MODULES FILES RESULT : every GLB of FILES, which prepare.sh made, loaded and
// played by three.js, without a browser, and compared with what `ossa pose` says.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, files, resultFile] = process.argv.slice(2);
const module = (name) => import(pathToFileURL(path.resolve(modules, 'three', name)).href);
globalThis.self ??= globalThis; // three.js takes itself to be in a browser
const THREE = await module('build/three.module.js');
const { GLTFLoader } = await module('examples/jsm/loaders/GLTFLoader.js');

const TOLERANCE = 1e-4; // of the figure's size
const SMALL = 1e-6;
const LINES = 1;

class Problem extends Error {}
function need(condition, message) {
    if (!condition) throw new Problem(message);
}

// ---- what prepare.sh made ---------------------------------------------------------------------------

const readLines = (file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n');
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

function readFigure(name) {
    const bytes = fs.readFileSync(path.join(files, `${name}.glb`));
    const frames = readPoses(`${name}.frames.jsonl`);
    const clips = new Map();
    for (const clip of new Set(frames.map((pose) => pose.clip))) {
        const poses = frames.filter((pose) => pose.clip === clip);
        clips.set(clip, { poses, size: sizeOf(poses) });
    }
    const scene = JSON.parse(fs.readFileSync(path.join(files, `${name}.json`), 'utf8'));
    const between = readPoses(`${name}.between.jsonl`);
    return { name, bytes, clips, document: readDocument(bytes), scene, between };
}

// ---- three.js ---------------------------------------------------------------------------------------

function load(bytes) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, '', resolve, reject));
}

// The object of each bone, by the game's own name: that of the node, unless it had to be cleaned.
function findBones(gltf, names) {
    const found = new Map();
    gltf.scene.traverse((object) => {
        const own = object.userData.name ?? object.name;
        if (object.isBone) found.set(own, object);
    });
    return names.map((name) => {
        need(found.has(name), `no bone '${name}' in ${[...found.keys()]}`);
        return found.get(name);
    });
}

// Shows a clip at any time; a clip that has reached its end stays there. Times are float32 in the GLB
// and in what `ossa pose` prints: a step must not come a rounding error late.
function playerOf(gltf, name) {
    const clip = THREE.AnimationClip.findByName(gltf.animations, name);
    need(clip, `no clip '${name}' in ${gltf.animations.map((one) => one.name)}`);
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    return {
        clip,
        show(time) {
            action.reset();
            mixer.setTime(Math.fround(time));
            gltf.scene.updateMatrixWorld(true);
        },
        stop() { mixer.stopAllAction(); },
    };
}

const axis = new THREE.Vector3();
const meantAxis = new THREE.Vector3();
const meant = new THREE.Matrix4();

function comparePose(bones, pose, size, worst) {
    const at = `${pose.clip}, frame ${pose.frame}`;
    pose.bones.forEach((bone, i) => {
        const { matrixWorld } = bones[i];
        const label = `${at}, ${bone.name}`;
        if (!bone.visible) {
            compareHidden(bones[i], label);
            worst.hidden++;
            return;
        }
        meant.compose(new THREE.Vector3(...bone.translation), new THREE.Quaternion(...bone.rotation),
            new THREE.Vector3(...bone.scale));
        const distance = axis.setFromMatrixPosition(matrixWorld)
            .distanceTo(meantAxis.setFromMatrixPosition(meant)) / size;
        need(distance <= TOLERANCE, `${label}: ${distance} of the size away from where ossa pose has it`);
        worst.places = Math.max(worst.places, distance);
        const largest = Math.max(1, ...bone.scale.map(Math.abs));
        for (let k = 0; k < 3; k++) {
            const off = axis.setFromMatrixColumn(matrixWorld, k)
                .distanceTo(meantAxis.setFromMatrixColumn(meant, k)) / largest;
            need(off <= TOLERANCE, `${label}: an axis is ${off} off, by rotation or scale`);
            worst.axes = Math.max(worst.axes, off);
        }
        need(bone.scale.every((factor) => factor === 0) || matrixWorld.getMaxScaleOnAxis() > SMALL,
            `${label}: visible, but without a size`);
    });
}

// What is hidden is drawn together to a point by its parent NAME_visible.
function compareHidden(bone, label) {
    need(bone.matrixWorld.getMaxScaleOnAxis() < SMALL, `${label}: hidden, but it has a size`);
    need(bone.parent.name === `${bone.name}_visible`, `${label}: the parent is ${bone.parent.name}`);
    need(bone.parent.scale.length() < SMALL, `${label}: ${bone.parent.name} has a size`);
}

async function checkMotion(figure, bytes) {
    const gltf = await load(bytes);
    const worst = { places: 0, axes: 0, hidden: 0, between: 0 };
    for (const [name, { poses, size }] of figure.clips) {
        const bones = findBones(gltf, poses[0].bones.map((bone) => bone.name));
        const player = playerOf(gltf, name);
        for (const pose of poses) {
            player.show(pose.time);
            comparePose(bones, pose, size, worst);
        }
        for (const pose of figure.between.filter((one) => one.clip === name)) {
            player.show(pose.time);
            const here = { places: 0, axes: 0, hidden: 0 };
            comparePose(bones, pose, size, here);
            worst.between = Math.max(worst.between, here.places);
        }
        player.stop();
    }
    return { gltf, worst };
}

// ---- the facts --------------------------------------------------------------------------------------

function checkClips(figure, gltf) {
    need(gltf.animations.length === figure.document.animations.length, `${gltf.animations.length} clips`);
    for (const [name, { poses }] of figure.clips) {
        const { clip } = playerOf(gltf, name);
        const { fps } = clip.userData;
        need(clip.userData.frames === poses.length, `${name} has ${clip.userData.frames} frames in its extras`);
        const length = Math.max(poses.length - 1, 1) / fps;
        need(Math.abs(clip.duration - length) < 1e-5 * length, `${name} lasts ${clip.duration}, not ${length}`);
    }
}

function checkMeshes(figure, gltf, say) {
    const objects = [];
    gltf.scene.traverse((object) => { if (object.isMesh || object.isLine) objects.push(object); });
    const parts = (figure.document.meshes ?? []).flatMap((mesh) => mesh.primitives);
    need(objects.length === parts.length, `${objects.length} meshes, not ${parts.length}`);
    const lines = parts.filter((part) => part.mode === LINES).length;
    const shown = objects.filter((object) => object.isLineSegments);
    need(shown.length === lines, `${shown.length} of ${lines} are lines`);
    if (lines === 0) return;
    say('lines', 'yes');
    need(shown.every((object) => object.material.vertexColors), 'lines without their colours');
    say('colours', 'yes');
    need(objects.every((object) => object.isLine || object.material.isMeshBasicMaterial), 'a mesh is lit');
    say('unlit material', 'yes');
}

// A camera goes its way in an animation of its own, and looks along its -Z with +Y up.
function checkCameras(figure, gltf, say) {
    const { cameras } = figure.scene;
    need(gltf.cameras.length === cameras.length, `${gltf.cameras.length} cameras, not ${cameras.length}`);
    let worst = 0;
    for (const camera of cameras) {
        const shown = gltf.scene.getObjectByName(camera.name);
        need(shown?.isPerspectiveCamera, `no camera ${camera.name}`);
        const degrees = THREE.MathUtils.radToDeg(camera.fields_of_view[0]);
        need(Math.abs(shown.fov - degrees) < 1e-4, `${camera.name} sees ${shown.fov} degrees, not ${degrees}`);
        const player = playerOf(gltf, camera.name);
        camera.times.forEach((time, i) => {
            player.show(time);
            meant.compose(new THREE.Vector3(...camera.positions[i]),
                new THREE.Quaternion(...camera.rotations[i]), new THREE.Vector3(1, 1, 1));
            for (let k = 0; k < 4; k++) {
                const off = axis.setFromMatrixColumn(shown.matrixWorld, k)
                    .distanceTo(meantAxis.setFromMatrixColumn(meant, k));
                need(off <= TOLERANCE, `${camera.name}, key ${i}: ${off} off`);
                worst = Math.max(worst, off);
            }
        });
        player.stop();
    }
    if (cameras.length > 0) say('cameras', 'within 1e-4', worst);
}

// Damage is done to one number of the first clip: the comparison has to be able to fail.
async function checkDamage(figure) {
    const { document } = figure;
    const animation = document.animations[0];
    const channel = animation.channels.find(({ target }) => target.path === 'translation')
        ?? animation.channels.find(({ target }) => target.path === 'rotation');
    const accessor = document.accessors[animation.samplers[channel.sampler].output];
    const view = document.bufferViews[accessor.bufferView];
    const width = accessor.type === 'VEC4' ? 4 : 3;
    const place = 20 + figure.bytes.readUInt32LE(12) + 8 + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
        + 4 * width * Math.floor(accessor.count / 2);
    const bytes = Buffer.from(figure.bytes);
    bytes.writeFloatLE(bytes.readFloatLE(place) + 0.01, place);
    const problem = await checkMotion(figure, bytes).then(() => null, (error) => error);
    need(problem instanceof Problem, `one key was changed, and nobody noticed (${problem})`);
    console.log(`${figure.name}: damage is found: ${problem.message}`);
}

async function check(figure, say) {
    const { gltf, worst } = await checkMotion(figure, figure.bytes);
    say('bones in every frame', 'within 1e-4', worst.places);
    say('bones between frames', 'within 1e-4', worst.between);
    say('rotations and scales', 'within 1e-4', worst.axes);
    if (worst.hidden > 0) {
        say('hidden objects', 'yes');
        say('steps stay steps', 'yes'); // between frames they were as in the frame before
    }
    checkClips(figure, gltf);
    say('all clips by name', 'yes');
    say('rate and length', 'yes');
    say('extras of clips', 'yes');
    if (figure.document.nodes.some((node) => node.extras?.name)) {
        say('names of bones', 'yes, the own ones in userData');
    }
    if (!figure.document.meshes) say('skeleton without a mesh', 'yes, as bones');
    checkMeshes(figure, gltf, say);
    checkCameras(figure, gltf, say);
    await checkDamage(figure);
}

const results = [];
let failed = 0;
const names = readLines(path.join(files, 'subjects'));
for (const name of names) {
    const say = (fact, outcome, worst = null) => {
        results.push({ program: 'three.js', version: THREE.REVISION, subject: name, fact, outcome, worst });
        console.log(`${name}: ${fact}: ${outcome}${worst === null ? '' : ` (worst ${worst.toExponential(1)})`}`);
    };
    try {
        await check(readFigure(name), say);
    } catch (error) {
        console.log(`${name}: FAILED: ${error instanceof Problem ? error.message : error.stack}`);
        failed++;
    }
}
fs.writeFileSync(resultFile, results.map((line) => `${JSON.stringify(line)}\n`).join(''));
console.log(`three.js ${THREE.REVISION}: ${names.length} figures, ${failed} failures`);
process.exitCode = names.length > 0 && failed === 0 ? 0 : 1;
