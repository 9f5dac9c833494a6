// SPDX-License-Identifier: MIT
//
// What is shown stays when files are added; what is chosen in one place is chosen in all; and what is
// damaged in an archive leaves the rest of the figure.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { openViewer, run, samples, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer();
const { page } = viewer;

const file = (path, from = path) => ({ path, base64: readFileSync(join(samples, from)).toString('base64') });

async function open(...files) {
  await page.evaluate(
    (given) =>
      window.ossaViewer.open(
        given.map(({ path, base64 }) => ({ path, bytes: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)) })),
      ),
    files,
  );
}

async function choose(list, name) {
  await page.locator(list).getByText(name, { exact: true }).click();
}

test('textures for the figure that is shown leave it and its clip where they are', async () => {
  await open(file('figures.res', 'packed/figures.res'), file('database.res', 'packed/database.res'));
  await choose('#figures-list', 'wyvern');
  await viewer.until((state) => state.figure === 'wyvern' && state.scene !== null);
  await choose('#clips-list', 'rest');
  await viewer.until((state) => state.clip === 'rest');
  await viewer.call('seekFrame', 7);
  await open(file('textures.res', 'packed/textures.res'));
  const { figure, clip, frame } = await viewer.state();
  assert.deepEqual([figure, clip, frame], ['wyvern', 'rest', 7]);
  await choose('#figures-list', 'troll');
  await viewer.until((state) => state.figure === 'troll');
  await choose('#figures-list', 'wyvern');
  await viewer.until((state) => state.figure === 'wyvern');
  assert.equal((await viewer.state()).clip, 'rest');
});

test('a clip that is chosen is the selected file, in Files, Info and Bytes', async () => {
  await viewer.clear();
  await viewer.show('bird', 'bird');
  await choose('#clips-list', 'glide');
  await viewer.until((state) => state.file?.word === 'bird/glide.anb');
  await viewer.settle();
  await viewer.says('#files-list [aria-selected="true"]', /glide\.anb/);
  await viewer.says('#panel-info', /glide\.anb/);
  await page.click('#tab-bytes');
  assert.equal(await viewer.text('#hex-name'), 'glide.anb');
  await page.click('#tab-info');
});

test('loose files of the same name are kept apart, or replaced by a button', async () => {
  await viewer.clear();
  await open(file('hd.bon', 'troll/bon/hd.bon'), file('bd.bon', 'troll/bon/bd.bon'));
  await open(file('hd.bon', 'wyvern/bon/hd.bon'));
  await viewer.settle();
  const rows = () => page.locator('#files-list [role="treeitem"] .name').allTextContents();
  assert.deepEqual((await rows()).map((name) => name.trim()), ['hd.bon', 'bd.bon', 'drop 2', 'hd.bon']);
  await page.getByRole('button', { name: 'Replace instead' }).click();
  await viewer.until((state) => !state.reading);
  await viewer.settle();
  assert.deepEqual((await rows()).map((name) => name.trim()), ['hd.bon', 'bd.bon']);
});

test('a bad key in an archive leaves the figure, and has a button to its bytes', async () => {
  await viewer.clear();
  const bytes = readFileSync(join(samples, 'packed/figures.res'));
  const key = readFileSync(join(samples, 'troll/walk/hd.anm'));
  const at = bytes.indexOf(key.subarray(0, 64));
  assert.ok(at > 0);
  bytes.set([255, 255, 255, 127], at); // the number of its rotations
  await viewer.show('troll', writeInto(folder, 'figures.res', bytes));
  const { scene } = await viewer.state();
  assert.deepEqual([scene.bones, scene.clips], [15, ['walk', 'idle', 'dance']]);
  await page.click('#tab-issues');
  const button = page.locator('#panel-issues').getByRole('button', { name: 'Bytes at 0x0' });
  await button.waitFor();
  await button.click();
  await viewer.until((state) => state.tab === 'bytes' && state.cursor === 0);
  const state = await viewer.state();
  assert.equal(state.file.word, 'figures.res#troll.anm#walk#hd');
  await viewer.says('#hex-error', /2147483647/);
});

test('a link leads to a figure, a clip, a frame and a view', async () => {
  const { status, complaints } = run('view', join(samples, 'bird'), join(samples, 'rabbit'), '-o', join(folder, 'both.html'));
  assert.equal(status, 0, complaints);
  const other = await openViewer({ file: join(folder, 'both.html') });
  await other.page.evaluate(() => (window.location.hash = '#figure=rabbit&clip=walk1&frame=9&bone=body&view=back'));
  await other.until((state) => state.figure === 'rabbit' && state.clip === 'walk1' && state.frame === 9);
  await other.page.keyboard.press('s');
  await other.page.getByRole('menuitem', { name: 'A link to this moment' }).click();
  await other.until(() => true);
  const hash = await other.page.evaluate(() => window.location.hash);
  assert.match(hash, /^#figure=rabbit&clip=walk1&frame=9&.*view=-?180,0,/);
  await other.close();
});
