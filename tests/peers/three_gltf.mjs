// SPDX-License-Identifier: MIT
//
// A GLB in three.js: bones, visibility, clips, meshes and cameras.

import {
    GLTFLoader, Problem, THREE, compareBody, compareMatrix, comparePose, isDrawn, need, noDifference, playerOf,
} from './three_peer.mjs';

const LINES = 1;

function load(bytes) {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, '', resolve, reject));
}

// The object of each bone: that of its joint, which carries the game's own name unless it had to be cleaned or made unique.
function findBones(gltf, figure, names) {
    const found = new Map();
    gltf.scene.traverse((object) => { if (object.isBone) found.set(object.name, object); });
    return names.map((name, i) => {
        const bone = found.get(figure.joints[i].name);
        need(bone, `no bone '${figure.joints[i].name}' in ${[...found.keys()]}`);
        const own = bone.userData.name ?? bone.name;
        need(own === name, `bone ${i} has the name '${own}', not '${name}'`);
        return bone;
    });
}

function findClip(gltf, name) {
    const clip = THREE.AnimationClip.findByName(gltf.animations, name);
    need(clip, `no clip '${name}' in ${gltf.animations.map((one) => one.name)}`);
    return clip;
}

// What is hidden is drawn together to a point by its parent NAME_visible.
function compareHidden(bone, label) {
    need(!isDrawn(bone), `${label}: hidden, but it has a size`);
    need(bone.parent.name === `${bone.name}_visible`, `${label}: the parent is ${bone.parent.name}`);
    need(!isDrawn(bone.parent), `${label}: ${bone.parent.name} has a size`);
}

// The object of a mesh that is bound to the bones.
function findBody(gltf, body) {
    const found = [];
    gltf.scene.traverse((object) => {
        if (object.isSkinnedMesh && object.material.name === body.material) found.push(object);
    });
    need(found.length === 1, `${found.length} bound meshes of ${body.material}, not one`);
    const { count } = found[0].geometry.attributes.position;
    need(count === body.positions.length, `${body.material} has ${count} vertices, not ${body.positions.length}`);
    return found[0];
}

async function checkMotion(figure, bytes) {
    const gltf = await load(bytes);
    const bodies = figure.bodies.map((body) => [body, findBody(gltf, body)]);
    const [worst, between] = [noDifference(), noDifference()];
    for (const [name, { poses, size }] of figure.clips) {
        const bones = findBones(gltf, figure, poses[0].bones.map((bone) => bone.name));
        const player = playerOf(gltf.scene, findClip(gltf, name));
        for (const pose of poses) {
            player.show(pose.time);
            comparePose(bones, pose, size, true, compareHidden, worst);
            for (const [body, object] of bodies) compareBody(body, object, pose, size, worst);
        }
        for (const pose of figure.between.filter((one) => one.clip === name)) {
            player.show(pose.time);
            comparePose(bones, pose, size, true, compareHidden, between);
        }
        player.stop();
    }
    return { gltf, worst, between };
}

function checkClips(figure, gltf) {
    need(gltf.animations.length === figure.document.animations.length, `${gltf.animations.length} clips`);
    for (const [name, { poses }] of figure.clips) {
        const clip = findClip(gltf, name);
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
    const { cameras } = figure;
    need(gltf.cameras.length === cameras.length, `${gltf.cameras.length} cameras, not ${cameras.length}`);
    const worst = noDifference();
    for (const camera of cameras) {
        const shown = gltf.scene.getObjectByName(camera.name);
        need(shown?.isPerspectiveCamera, `no camera ${camera.name}`);
        const degrees = THREE.MathUtils.radToDeg(camera.fields_of_view[0]);
        need(Math.abs(shown.fov - degrees) < 1e-4, `${camera.name} sees ${shown.fov} degrees, not ${degrees}`);
        const player = playerOf(gltf.scene, findClip(gltf, camera.name));
        camera.times.forEach((time, i) => {
            player.show(time);
            compareMatrix(shown.matrixWorld, camera.positions[i], camera.rotations[i], [1, 1, 1], 1, worst,
                `${camera.name}, key ${i}`);
        });
        player.stop();
    }
    if (cameras.length > 0) say('cameras', 'within 1e-4', Math.max(worst.places, worst.axes));
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

export async function checkGltf(figure, say) {
    const { gltf, worst, between } = await checkMotion(figure, figure.bytes);
    say('bones in every frame', 'within 1e-4', worst.places);
    say('bones between frames', 'within 1e-4', between.places);
    say('rotations and scales', 'within 1e-4', worst.axes);
    if (figure.bodies.length > 0) say('skinned vertices', 'within 1e-4', worst.vertices);
    if (worst.hidden > 0) {
        say('hidden objects', 'yes');
        say('step interpolation', 'yes'); // between frames they were as in the frame before
    }
    checkClips(figure, gltf);
    say('all clips by name', 'yes');
    say('frame rate and duration', 'yes');
    say('clip extras', 'yes');
    if (figure.document.nodes.some((node) => node.extras?.name)) {
        say('bone names', 'yes, the originals in userData');
    }
    if (!figure.document.meshes) say('skeleton without a mesh', 'yes, as bones');
    checkMeshes(figure, gltf, say);
    checkCameras(figure, gltf, say);
    await checkDamage(figure);
}

