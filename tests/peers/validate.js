// SPDX-License-Identifier: MIT
//
// node validate.js RESULTS FILE... : every glTF file by the Khronos validator, and by rules of ours that it has
// no eye for. An error or a warning fails; what is only information does not.
'use strict';

const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

const INFORMATION = 2; // severities of the validator: 0 error, 1 warning, 2 information, 3 hint
const FLOAT = 5126;

// The document and its one buffer.
function load(file) {
    const bytes = fs.readFileSync(file);
    if (bytes.toString('latin1', 0, 4) !== 'glTF') {
        const document = JSON.parse(bytes.toString('utf8'));
        const uri = document.buffers ? document.buffers[0].uri : null;
        const buffer = uri && fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)));
        return { document, buffer };
    }
    const size = bytes.readUInt32LE(12);
    return {
        document: JSON.parse(bytes.toString('utf8', 20, 20 + size)),
        buffer: bytes.subarray(20 + size + 8),
    };
}

// The floats of an accessor, a row for each element.
function rows(gltf, index, width) {
    const accessor = gltf.document.accessors[index];
    const view = gltf.document.bufferViews[accessor.bufferView];
    if (accessor.componentType !== FLOAT) throw new Error(`accessor ${index} has no floats`);
    const start = (view.byteOffset || 0) + (accessor.byteOffset || 0);
    const list = [];
    for (let i = 0; i < accessor.count; i++) {
        const row = [];
        for (let k = 0; k < width; k++) row.push(gltf.buffer.readFloatLE(start + 4 * (i * width + k)));
        list.push(row);
    }
    return list;
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

function checkRotations(keys, where, complaints) {
    keys.forEach((key, i) => {
        const length = Math.sqrt(dot(key, key));
        if (!(Math.abs(length - 1) < 1e-5)) complaints.push(`${where}: key ${i} has length ${length}`);
        if (i > 0 && dot(key, keys[i - 1]) < 0) complaints.push(`${where}: key ${i} goes the long way`);
    });
}

function checkAnimations(gltf, complaints) {
    const channels = new Set();
    for (const animation of gltf.document.animations || []) {
        const paths = [];
        for (const channel of animation.channels) {
            const sampler = animation.samplers[channel.sampler];
            const where = `${animation.name}: node ${channel.target.node} ${channel.target.path}`;
            const times = rows(gltf, sampler.input, 1);
            paths.push(`${channel.target.node} ${channel.target.path}`);
            if (times.length < 2) complaints.push(`${where}: ${times.length} keys`);
            if (times[0][0] !== 0) complaints.push(`${where}: begins at ${times[0][0]}`);
            if (channel.target.path === 'rotation') {
                checkRotations(rows(gltf, sampler.output, 4), where, complaints);
            }
        }
        channels.add(paths.sort().join());
    }
    if (channels.size > 1) complaints.push('animations have different channels');
}

function checkNames(gltf, complaints) {
    const seen = new Set();
    for (const node of gltf.document.nodes || []) {
        if (!node.name || /[[\].:/\s]/.test(node.name)) complaints.push(`node name '${node.name}'`);
        if (seen.has(node.name)) complaints.push(`two nodes are called '${node.name}'`);
        if (node.matrix) complaints.push(`node '${node.name}' has a matrix`);
        seen.add(node.name);
    }
}

async function check(file) {
    const complaints = [];
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
        uri: path.basename(file),
        writeTimestamp: false,
        maxIssues: 0,
        externalResourceFunction: (uri) => fs.promises
            .readFile(path.join(path.dirname(file), decodeURIComponent(uri)))
            .then((bytes) => new Uint8Array(bytes)),
    });
    const counts = new Map();
    for (const message of report.issues.messages) {
        if (message.severity < INFORMATION) {
            complaints.push(`${message.code} at ${message.pointer}: ${message.message}`);
        } else {
            counts.set(message.code, (counts.get(message.code) || 0) + 1);
        }
    }
    try {
        const gltf = load(file);
        checkAnimations(gltf, complaints);
        checkNames(gltf, complaints);
    } catch (error) {
        complaints.push(error.message);
    }
    const infos = [...counts].map(([code, count]) => `, ${count} ${code}`).join('');
    console.log(`${complaints.length === 0 ? 'fine  ' : 'FAILED'} ${path.basename(file)}${infos}`);
    for (const complaint of complaints.slice(0, 20)) console.log(`       ${complaint}`);
    if (complaints.length > 20) console.log(`       and ${complaints.length - 20} more`);
    return complaints.length === 0;
}

async function main(results, files) {
    let failed = 0;
    const lines = [];
    for (const file of files) {
        const fine = await check(file);
        if (!fine) failed++;
        lines.push(JSON.stringify({
            program: 'Khronos validator',
            version: validator.version(),
            subject: path.basename(file),
            fact: 'no error and no warning',
            outcome: fine ? 'yes' : 'no',
            worst: null,
        }));
    }
    fs.writeFileSync(results, lines.map((line) => `${line}\n`).join(''));
    console.log(`${files.length} files, ${failed} failed (validator ${validator.version()})`);
    return files.length > 0 && failed === 0 ? 0 : 1;
}

main(process.argv[2], process.argv.slice(3)).then((status) => { process.exitCode = status; });
