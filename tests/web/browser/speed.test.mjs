// SPDX-License-Identifier: MIT
//
// While much is read, the page's own thread stays free: a worker reads. What is asserted is who works
// and that the page goes on; the times are only written down, in build/web/tests/speed.md (make bench-web).

import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { makeSparseDisc, SECTOR } from '../disc.mjs';
import { openViewer, samples, useBrowser, web, writeInto } from './support.mjs';
import { trace } from './traces.mjs';

const { folder } = await useBrowser();
const nico = readFileSync(join(samples, 'packed/NICO.DAT'));
const GIB = 2 ** 30;
const rows = [];

/** Bytes without a meaning, and the files of a figure at the end. */
function makeLarge(path, size) {
  const noise = new Uint8Array(1_000_000);
  let state = 1;
  for (let i = 0; i < noise.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    noise[i] = state >>> 24;
  }
  const file = openSync(path, 'w');
  for (let done = 0; done < size; done += noise.length) writeSync(file, noise);
  writeSync(file, nico);
  closeSync(file);
  return path;
}

function makeDisc(path) {
  const files = ['bird.nmo', 'bird.nto', 'bird.skb', 'fly.anb', 'glide.anb'].map((name, i) => ({
    name: name.toUpperCase(),
    sector: (5 * GIB) / SECTOR + 64 * i,
    bytes: readFileSync(join(samples, 'bird', name)),
  }));
  makeSparseDisc(path, (6 * GIB) / SECTOR, files);
  return path;
}

function makeClips(count) {
  for (const name of ['ped.skel', 'ped.mod']) writeInto(folder, `clips/${name}`, readFileSync(join(samples, 'pedestrian', name)));
  const clip = readFileSync(join(samples, 'pedestrian/run.anim'));
  for (let i = 0; i < count; i++) writeInto(folder, `clips/run${String(i).padStart(4, '0')}.anim`, clip);
  return join(folder, 'clips');
}

const CASES = [
  { name: 'a file of 200 MB, searched', path: makeLarge(join(folder, 'NICO.DAT'), 200_000_000), clips: 2, reports: 3 },
  { name: 'a disc image of 6 GiB', path: makeDisc(join(folder, 'game.iso')), clips: 2, reports: 0 },
  { name: '3,000 clips in files', path: makeClips(3000), clips: 3000, reports: 3 },
];

for (const { name, path, clips, reports } of CASES) {
  test(`${name}: a worker reads, and the page goes on`, async () => {
    const viewer = await openViewer({ size: { width: 800, height: 500 } });
    const figures = await trace(viewer, async () => {
      await viewer.drop(path);
      await viewer.until(({ scene, reading }) => scene !== null && !reading);
    });
    rows.push({ name, ...figures });
    assert.equal((await viewer.state()).scene.clips.length, clips);
    assert.ok(figures.worker > 0, 'no worker has done anything');
    assert.ok(figures.reports >= reports, `progress was shown ${figures.reports} times`);
    assert.ok(figures.frames > 2, `the page drew ${figures.frames} times`);
    await viewer.close();
  });
}

after(() => {
  const number = (value) => value.toFixed(0);
  const lines = rows.map(({ name, elapsed, longest, freezes, page, worker, frames }) =>
    `| ${[name, (elapsed / 1000).toFixed(1), number(longest), freezes, number(page), number(worker), frames].join(' | ')} |`);
  const text = ['| opened | until it is shown, s | longest task of the page, ms | tasks above 50 ms | the page, ms | the worker, ms | pictures drawn |',
    '| --- | --- | --- | --- | --- | --- | --- |', ...lines, ''].join('\n');
  const path = join(web, 'tests/speed.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(text);
});
