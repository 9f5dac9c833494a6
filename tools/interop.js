#!/usr/bin/env node
// SPDX-License-Identifier: MIT
//
// node tools/interop.js [--check] RESULTS PAGE : writes the compatibility table into PAGE, from the results
// of tests/peers. With --check it only reports whether the page is up to date, and ignores the versions of
// the programs, which differ between systems.
'use strict';

const fs = require('fs');
const path = require('path');

const BEGIN = '<!-- table: make interop -->';
const END = '<!-- end of table -->';
const VERSIONS = 'Tested with ';
const VALIDATOR = 'Khronos validator';
const COLUMNS = ['Blender, glTF', 'Blender, BVH', 'assimp, glTF', 'assimp, BVH', 'three.js, glTF',
    'three.js, BVH'];
// The facts that the tests report, in the order of the table.
const ROWS = [
    'all clips by name', 'frame rate and duration', 'bones in every frame', 'bones between frames',
    'rotations and scales', 'hidden objects', 'step interpolation', 'steps after re-export',
    'bone names', 'skeleton without a mesh', 'skinned vertices', 'lines', 'colours', 'unlit material', 'cameras',
    'clip extras',
];

function readResults(folder) {
    const files = fs.readdirSync(folder).filter((file) => file.endsWith('.jsonl')).sort();
    const results = files.flatMap((file) => fs.readFileSync(path.join(folder, file), 'utf8')
        .split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)));
    for (const { program, fact } of results) {
        if (program === VALIDATOR) continue;
        if (!COLUMNS.includes(program)) throw new Error(`no column for the program '${program}'`);
        if (!ROWS.includes(fact)) throw new Error(`no row for the fact '${fact}'`);
    }
    return results;
}

// One outcome, or every outcome with the figures it applies to.
function cell(results, program, fact) {
    const subjects = new Map();
    for (const one of results.filter((line) => line.program === program && line.fact === fact)) {
        subjects.set(one.outcome, [...(subjects.get(one.outcome) ?? []), one.subject]);
    }
    if (subjects.size === 0) return '–';
    if (subjects.size === 1) return [...subjects.keys()][0];
    return [...subjects].map(([outcome, names]) => `${outcome} (${names.join(', ')})`).sort().join('; ');
}

function validatorLine(results) {
    const files = results.filter((line) => line.program === VALIDATOR);
    const bad = files.filter((line) => line.outcome !== 'yes');
    if (files.length === 0) throw new Error('no results from the validator');
    return bad.length === 0
        ? `The Khronos validator reports no errors and no warnings for any of the ${files.length} files.`
        : `The Khronos validator reports problems in ${bad.map((line) => line.subject).join(', ')}.`;
}

function versionsLine(results) {
    const versions = new Map(results.map((line) => [line.program.replace(/,.*/, ''), line.version]));
    const list = [...versions].map(([program, version]) => `${program} ${version}`).sort();
    return `${VERSIONS}${list.join(', ')}.`;
}

function table(results) {
    const subjects = new Set(results.filter((line) => line.program !== VALIDATOR).map((line) => line.subject));
    const rows = ROWS.map((fact) => [fact, ...COLUMNS.map((program) => cell(results, program, fact))]);
    return [
        ['', ...COLUMNS], COLUMNS.concat('').map(() => '---'), ...rows,
    ].map((row) => `| ${row.join(' | ')} |`).concat('',
        `Figures tested: ${[...subjects].sort().join(', ')}. – means not applicable or not tested.`,
        validatorLine(results), versionsLine(results));
}

function main(check, folder, page) {
    const old = fs.readFileSync(page, 'utf8');
    const begin = old.indexOf(BEGIN);
    const end = old.indexOf(END);
    if (begin < 0 || end < begin) throw new Error(`${page} has no '${BEGIN}' before '${END}'`);
    const made = `${old.slice(0, begin)}${BEGIN}\n\n${table(readResults(folder)).join('\n')}\n\n${old.slice(end)}`;
    if (!check) {
        fs.writeFileSync(page, made);
        return 0;
    }
    const lines = (text) => text.split('\n').filter((line) => !line.startsWith(VERSIONS));
    const [here, there] = [lines(old), lines(made)];
    const first = there.findIndex((line, i) => line !== here[i]);
    if (here.length === there.length && first < 0) return 0;
    console.error(`${page} does not match the test results; review it and run \`make interop\`:`);
    console.error(`- ${here[first < 0 ? there.length : first]}\n+ ${there[first] ?? ''}`);
    return 1;
}

const args = process.argv.slice(2);
const check = args[0] === '--check';
if (check) args.shift();
if (args.length !== 2) {
    console.error('usage: interop.js [--check] RESULTS PAGE');
    process.exitCode = 2;
} else {
    process.exitCode = main(check, ...args);
}
