// SPDX-License-Identifier: MIT
//
// The BVH files of a figure in three.js.

import fs from 'node:fs';
import path from 'node:path';
import { BVHLoader, Problem, comparePose, files, isDrawn, need, noDifference, playerOf } from './three_peer.mjs';

const readText = (figure, clip) => fs.readFileSync(path.join(files, figure.name, `${clip}.bvh`), 'utf8');

// By the names of glTF's nodes, among which the figure itself has one too and may have taken a bone's
// name from it.
function findBones(figure, skeleton) {
    return figure.joints.map((joint) => {
        const bone = skeleton.getBoneByName(joint.name) ?? skeleton.getBoneByName(joint.extras?.name);
        need(bone, `no bone ${joint.name} in ${skeleton.bones.map((one) => one.name)}`);
        return bone;
    });
}

function compareHidden(bone, label) {
    need(isDrawn(bone), `${label}: hidden, and it is not to be seen`);
}

function checkClip(figure, name, text, worst) {
    const { poses, size } = figure.clips.get(name);
    const { skeleton, clip } = new BVHLoader().parse(text);
    const last = poses[poses.length - 1].time;
    need(Math.abs(clip.duration - last) < 1e-5 * Math.max(last, 1), `${name} lasts ${clip.duration}, not ${last}`);
    const bones = findBones(figure, skeleton);
    const player = playerOf(skeleton.bones[0], clip);
    for (const pose of poses) {
        player.show(pose.time);
        comparePose(bones, pose, size, false, compareHidden, worst);
    }
}

// The first number of the middle frame a little larger: the comparison has to be able to fail.
function checkDamage(figure) {
    const [name] = figure.clips.keys();
    const lines = readText(figure, name).trimEnd().split('\n');
    const first = lines.findIndex((line) => line.startsWith('Frame Time:')) + 1;
    const middle = first + Math.floor((lines.length - first) / 2);
    const numbers = lines[middle].trim().split(/\s+/);
    numbers[0] = String(Number(numbers[0]) + 0.01);
    lines[middle] = numbers.join(' ');
    let problem = null;
    try {
        checkClip(figure, name, `${lines.join('\n')}\n`, noDifference());
    } catch (error) {
        problem = error;
    }
    need(problem instanceof Problem, `one number was changed, and nobody noticed (${problem})`);
    console.log(`${figure.name}: damage is found: ${problem.message}`);
}

export function checkBvh(figure, say) {
    const worst = noDifference();
    for (const name of figure.clips.keys()) checkClip(figure, name, readText(figure, name), worst);
    say('bones in every frame', 'within 1e-4', worst.places);
    say('rotations and scales', 'rotations only, within 1e-4', worst.axes);
    say('all clips by name', 'one file per clip');
    say('frame rate and duration', 'yes');
    say('skeleton without a mesh', 'yes, as bones');
    if (figure.joints.some((joint) => joint.extras?.name)) say('bone names', 'cleaned names only');
    if (worst.hidden > 0) say('hidden objects', 'no, they stay visible');
    checkDamage(figure);
}
