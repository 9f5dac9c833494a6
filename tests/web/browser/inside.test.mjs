// SPDX-License-Identifier: MIT
//
// Pages that `ossa view` writes, the library as a module of another page, and how fast it samples.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { makeSparseDisc, SECTOR } from '../disc.mjs';
import { assertNotEmpty } from './pictures.mjs';
import { ask, openPage, openViewer, run, samples, useBrowser, viewerPage, web } from './support.mjs';

const { folder } = await useBrowser();

function view(name, ...words) {
  const out = join(folder, `${name}.html`);
  const { status, complaints } = run('view', '-q', ...words, '-o', out);
  assert.equal(status, 0, complaints);
  return out;
}

test('ossa view: every figure of a call is in the page', async () => {
  const viewer = await openViewer({ file: view('all', 'troll', 'pedestrian', 'rabbit', 'bird', 'wyvern') });
  await viewer.until((state) => state.scene !== null);
  const { figures } = await viewer.state();
  assert.deepEqual([...figures].sort(), ['bird', 'ped', 'rabbit', 'troll', 'wyvern']);
  assert.ok(!(await viewer.page.locator('#welcome').isVisible()));
  for (const figure of figures) {
    await viewer.page.locator('#figures-list').getByText(figure, { exact: true }).click();
    await viewer.until((state, name) => state.figure === name && state.scene !== null, figure);
    await assertNotEmpty(viewer.page, await viewer.picture());
  }
  await viewer.close();
});

test('ossa view: entries of archives, with their textures', async () => {
  const words = ['packed/figures.res#wyvern', 'packed/textures.res', 'packed/database.res'];
  const viewer = await openViewer({ file: view('wyvern', ...words) });
  await viewer.until((state) => state.scene !== null);
  const state = await viewer.state();
  assert.deepEqual([state.figures, state.scene.meshes], [['wyvern'], 9]);
  await viewer.call('setClip', 'fly');
  await viewer.call('seekFrame', 9);
  const { bones } = ask('pose', '--json', '--clip', 'fly', '--frame', '9', ...words);
  const drawn = await viewer.positions();
  for (const [index, bone] of bones.entries())
    for (const axis of [0, 1, 2])
      assert.ok(Math.abs(drawn[index][axis] - bone.translation[axis]) < 1e-5, bone.name);
  await viewer.drop('bird');
  await viewer.until(({ figures }) => figures.length === 2);
  await viewer.close();
});

const TYPES = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };

// Only this machine can reach it.
async function serve(files, use) {
  const server = createServer((request, response) => {
    const file = files[request.url];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[request.url.split('.').pop()] ?? 'application/octet-stream' });
    response.end(file);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the library as a module of any page: opens a sample and samples it', async () => {
  const files = {
    '/index.html': '<!DOCTYPE html><title>A page</title>',
    '/ossa.js': readFileSync(join(web, 'ossa.js')),
    '/ossa.wasm': readFileSync(join(web, 'ossa.wasm')),
    '/bird.skb': readFileSync(join(samples, 'bird/bird.skb')),
    '/fly.anb': readFileSync(join(samples, 'bird/fly.anb')),
  };
  await serve(files, async (address) => {
    const page = await openPage(`${address}/index.html`);
    const positions = await page.evaluate(async () => {
      const { load } = await import(/** @type {any} */ ('/ossa.js'));
      const ossa = await load(await (await fetch('/ossa.wasm')).arrayBuffer());
      const workspace = ossa.workspace();
      for (const name of ['bird.skb', 'fly.anb'])
        workspace.add(name, new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer()));
      const scene = workspace.scene(['bird.skb', 'fly.anb']);
      const pose = scene.pose();
      pose.sampleFrame(0, 11);
      return scene.bones.map((_, i) => [...pose.models.subarray(i * 10, i * 10 + 3)]);
    });
    const { bones } = ask('pose', '--json', '--frame', '11', 'bird/bird.skb', 'bird/fly.anb');
    assert.deepEqual(positions.map((at) => at.map(Math.fround)), bones.map((bone) => bone.translation.map(Math.fround)));
    await page.context().close();
  });
});

const WORKER = `
  import { load, sourceOfBlob } from '/ossa.js';
  async function convert(blob) {
    const files = (await load()).workspace();
    files.addSource('game.iso', sourceOfBlob(blob));
    const scene = files.scene(['game.iso#BIRD.SKB', 'game.iso#FLY.ANB']);
    return { size: blob.size, names: files.entries('game.iso').map(({ name }) => name), glb: scene.glb() };
  }
  onmessage = ({ data }) => convert(data).then(postMessage, (error) => postMessage({ error: error.message }));
`;

test('a worker reads a disc of more than 4 GiB in slices', async () => {
  const path = join(folder, 'game.iso');
  const far = 5 * 2 ** 30 / SECTOR;
  const [skeleton, clip] = ['bird.skb', 'fly.anb'].map((name) => readFileSync(join(samples, 'bird', name)));
  makeSparseDisc(path, far + 1000, [
    { name: 'BIRD.SKB', sector: far, bytes: skeleton },
    { name: 'FLY.ANB', sector: far + 100, bytes: clip },
  ]);
  const files = {
    '/index.html': '<!DOCTYPE html><title>A page</title><input type="file">',
    '/worker.js': WORKER,
    '/ossa.js': readFileSync(join(web, 'ossa.js')),
    '/ossa.wasm': readFileSync(join(web, 'ossa.wasm')),
  };
  await serve(files, async (address) => {
    const page = await openPage(`${address}/index.html`);
    await page.setInputFiles('input', path);
    const { size, names, glb } = await page.evaluate(() => new Promise((done, failed) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) =>
        data.error === undefined ? done({ ...data, glb: [...data.glb] }) : failed(new Error(data.error));
      worker.onerror = (event) => failed(new Error(event.message));
      worker.postMessage(document.querySelector('input').files[0]);
    }));
    const said = run('convert', `${path}#BIRD.SKB`, `${path}#FLY.ANB`, '--to', 'glb', '-o', '-');
    assert.deepEqual([size, names], [(far + 1000) * SECTOR, ['BIRD.SKB', 'FLY.ANB']]);
    assert.ok(Buffer.from(glb).equals(said.bytes));
    await page.context().close();
  });
});

// 300 bones: twenty birds are sampled one after the other, as one moment of a crowd.
test('how long 300 bones take (printed, not judged)', async () => {
  const files = {
    '/index.html': '<!DOCTYPE html><title>A page</title>',
    '/ossa.js': readFileSync(join(web, 'ossa.js')),
    '/ossa.wasm': readFileSync(join(web, 'ossa.wasm')),
    '/bird.skb': readFileSync(join(samples, 'bird/bird.skb')),
    '/fly.anb': readFileSync(join(samples, 'bird/fly.anb')),
  };
  await serve(files, async (address) => {
    const page = await openPage(`${address}/index.html`);
    const { milliseconds, bones } = await page.evaluate(async () => {
      const { load } = await import(/** @type {any} */ ('/ossa.js'));
      const ossa = await load(await (await fetch('/ossa.wasm')).arrayBuffer());
      const workspace = ossa.workspace();
      for (const name of ['bird.skb', 'fly.anb'])
        workspace.add(name, new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer()));
      const scene = workspace.scene(['bird.skb', 'fly.anb']);
      const poses = Array.from({ length: 20 }, () => scene.pose());
      const moment = (time) => poses.forEach((pose, i) => pose.sample(0, time + i * 0.03, 'loop'));
      for (let i = 0; i < 200; i++) moment(i * 0.01);
      const rounds = 200;
      const from = performance.now();
      for (let i = 0; i < rounds; i++) moment(i * 0.013);
      return {
        milliseconds: (performance.now() - from) / rounds,
        bones: scene.bones.length * poses.length,
      };
    });
    assert.equal(bones, 300);
    console.log(`sampling ${bones} bones in the browser: ${milliseconds.toFixed(3)} ms`);
    await page.context().close();
  });
});

test('nothing in the page points outside', () => {
  const text = readFileSync(viewerPage, 'utf8');
  assert.match(text, /Content-Security-Policy" content="default-src 'none'/);
  assert.doesNotMatch(text, /<(script|link|img|iframe)[^>]+(src|href)="?https?:/);
});
