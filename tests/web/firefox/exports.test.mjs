// SPDX-License-Identifier: MIT
//
// What Share saves in Firefox, decoded by others: as many frames as the clip has, of that size, and with
// something moving in them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { alphas, apart, framesByFfmpeg, framesByMagick, peerTest, probe, unzip } from '../browser/decoders.mjs';
import { openViewer, useBrowser, writeInto } from '../browser/support.mjs';

const { folder } = await useBrowser('firefox');
const viewer = await openViewer({ size: { width: 800, height: 560 } });
const { page } = viewer;
const FRAMES = 6; // of the range
const SIZE = [120, 90];

await viewer.choose('troll', ...['figures', 'textures', 'database'].map((name) => `packed/${name}.res`));
await viewer.call('setClip', 'walk');
await page.locator('#picture').focus();
await viewer.call('seekFrame', FRAMES - 1);
await page.keyboard.press('e');
await viewer.call('seekFrame', 0);
await page.keyboard.press('a');
await page.keyboard.press('m');
await page.locator('#share-dialog').waitFor();
await page.check('#share-kind-gif');
await page.locator('#share-lock').setChecked(false);
for (const [id, value] of [['width', SIZE[0]], ['height', SIZE[1]]]) await page.locator(`#share-${id}`).fill(String(value));
await page.selectOption('#share-range', 'range');
await page.locator('#share-grid').setChecked(false);

async function saved(kind, background) {
  await page.check(`#share-kind-${kind}`);
  await page.selectOption('#share-background', background);
  const { name, bytes } = await viewer.downloaded(() => page.click('#share-save'));
  await page.locator('#share-save:enabled').waitFor();
  return writeInto(folder, name, bytes);
}

function assertFilm(frames, isClear) {
  assert.equal(frames.length, FRAMES);
  for (const [f, frame] of frames.entries()) {
    assert.deepEqual([frame.width, frame.height], SIZE);
    assert.equal(alphas(frame).clear > 0.5 * SIZE[0] * SIZE[1], isClear);
    if (f > 0) assert.ok(apart(frames[f - 1], frame).mean > 0.05, `frames ${f - 1} and ${f} are the same`);
  }
}

peerTest('GIF', async () => assertFilm(framesByMagick(await saved('gif', 'none')).frames, true));

peerTest('WebP', async () => assertFilm(framesByMagick(await saved('webp', 'none')).frames, true));

peerTest('APNG, and a PNG sequence with the same pixels', async () => {
  const frames = framesByFfmpeg(await saved('apng', 'none'));
  assertFilm(frames, true);
  const names = unzip(await saved('sequence', 'none'), join(folder, 'sequence'));
  assert.equal(names.length, FRAMES);
  names.forEach((name, f) =>
    assert.deepEqual(apart(framesByFfmpeg(join(folder, 'sequence', name))[0], frames[f]), { mean: 0, strong: 0 }));
});

peerTest('WebM', async () => {
  const path = await saved('webm', '#000000');
  const { width, height, times } = probe(path);
  assert.deepEqual([width, height, times.length], [...SIZE, FRAMES]);
  assertFilm(framesByFfmpeg(path), false);
});

peerTest('a contact sheet and a picture', async () => {
  const [sheet] = framesByFfmpeg(await saved('sheet', '#ffffff'));
  assert.equal(sheet.width * sheet.height, FRAMES * SIZE[0] * SIZE[1]);
  const [picture] = framesByFfmpeg(await saved('picture', 'none'));
  assert.deepEqual([picture.width, picture.height], SIZE);
  assert.ok(alphas(picture).clear > 0.5 * SIZE[0] * SIZE[1]);
});

test('the page itself', async () => {
  await page.click('#share-close');
  const { bytes } = await viewer.downloaded(async () => {
    await page.click('#save');
    await page.click('#save-menu [data-save=page]');
  });
  const other = await openViewer({ file: writeInto(folder, 'saved/troll.html', bytes) });
  const { figure, clip, figures } = await other.state();
  assert.deepEqual([figure, clip, figures], ['troll', 'walk', ['troll', 'wyvern']]);
  await other.close();
});

test('nothing was asked of the network, and nothing complained', () => viewer.close());
