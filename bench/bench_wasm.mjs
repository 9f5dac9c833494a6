// SPDX-License-Identifier: MIT
//
// What a scene costs in the module for browsers, as a multiple of what it costs in the library. Both
// make the same scenes from the same files in memory, in turns; the best of each counts.
//
//     node bench/bench_wasm.mjs BENCH_LOAD WEB_BUILD [ROUNDS]
//
// BENCH_LOAD is the program of bench_load.c, WEB_BUILD the folder with ossa.wasm and ossa.js.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [native, build, rounds = '7'] = process.argv.slice(2);
const samples = path.join(import.meta.dirname ?? path.dirname(process.argv[1]), '../samples');
const SAMPLES = 30; // scenes per round

/** Write an Evil Islands figure of so many parts that all move. */
function makeFigure(folder, parts, frames) {
  const text = (name) => [name.length + 1, `${name}\0`];
  const links = [parts];
  for (let i = 0; i < parts; i++) {
    links.push(...text(`p${i}`), ...(i === 0 ? [0] : text(`p${i % 10 === 1 ? 0 : i - 1}`)));
  }
  fs.mkdirSync(path.join(folder, 'move'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'bon'));
  const bytes = links.map((item) => {
    if (typeof item === 'string') return Buffer.from(item);
    const word = Buffer.alloc(4);
    word.writeUInt32LE(item);
    return word;
  });
  fs.writeFileSync(path.join(folder, 'large.lnk'), Buffer.concat(bytes));
  for (let i = 0; i < parts; i++) {
    const clip = Buffer.alloc(12 + 28 * frames);
    let at = clip.writeUInt32LE(frames, 0);
    for (let f = 0; f < frames; f++) {
      const angle = Math.sin(f * 0.05 + i) / 2;
      for (const value of [Math.cos(angle), Math.sin(angle), 0, 0]) at = clip.writeFloatLE(value, at);
    }
    at = clip.writeUInt32LE(frames, at);
    for (let f = 0; f < frames; f++) {
      for (const value of [f / 100, i, 0]) at = clip.writeFloatLE(value, at);
    }
    fs.writeFileSync(path.join(folder, 'move', `p${i}.anm`), clip);
    const bind = Buffer.alloc(12);
    bind.writeFloatLE(1, 0);
    fs.writeFileSync(path.join(folder, 'bon', `p${i}.bon`), bind);
  }
}

const made = fs.mkdtempSync(path.join(os.tmpdir(), 'ossa-bench-'));
const folders = ['troll', 'bird', 'rabbit', 'pedestrian'].map((name) => path.join(samples, name));
folders.push(path.join(made, 'large'));
makeFigure(folders.at(-1), 64, 300);

const { load } = await import(pathToFileURL(path.join(build, 'ossa.js')));
const ossa = await load(fs.readFileSync(path.join(build, 'ossa.wasm')));
const figures = folders.map((folder) => {
  const workspace = ossa.workspace();
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    const file = path.join(folder, name);
    if (fs.statSync(file).isFile()) workspace.add(`figure/${name}`, fs.readFileSync(file));
  }
  return { folder, workspace, module: Infinity, library: Infinity };
});

/** The clock counts in large steps: several scenes in one sample. */
function bestOf(figure) {
  const begin = performance.now();
  figure.workspace.scene(['figure']).free();
  const one = performance.now() - begin;
  const calls = Math.max(1, Math.ceil(2 / one));
  let best = Infinity;
  for (let i = 0; i < SAMPLES; i++) {
    const start = performance.now();
    for (let k = 0; k < calls; k++) figure.workspace.scene(['figure']).free();
    best = Math.min(best, (performance.now() - start) / calls / 1e3);
  }
  return best;
}

for (let round = 0; round < Number(rounds); round++) {
  const times = execFileSync(native, ['--seconds', '--samples', String(3 * SAMPLES), ...folders]);
  times.toString().trim().split('\n').forEach((line, i) => {
    figures[i].library = Math.min(figures[i].library, Number(line));
  });
  for (const figure of figures) figure.module = Math.min(figure.module, bestOf(figure));
}
fs.rmSync(made, { recursive: true });

console.log(`A scene in the module of ${fs.statSync(path.join(build, 'ossa.wasm')).size} bytes, as a multiple of the library's time (best of ${rounds} rounds):`);
for (const { folder, module, library } of figures) {
  const name = path.basename(folder).padEnd(12);
  console.log(`${name} ${(library * 1e6).toFixed(0).padStart(8)} us ${(module / library).toFixed(2).padStart(6)} x`);
}
