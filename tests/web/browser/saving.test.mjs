// SPDX-License-Identifier: MIT
//
// The menu of saving: a file with the right name comes, and its bytes are those of the tool.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertNotEmpty, difference } from './pictures.mjs';
import { openViewer, run, useBrowser } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer();
const { page } = viewer;
await viewer.show('troll', 'troll');
await viewer.call('setClip', 'walk');
await viewer.call('seekFrame', 6);

const item = (what) => page.locator(`#save-menu [data-save=${what}]`);

async function downloaded(act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

function converted(...words) {
  const path = join(folder, words.pop());
  const { status, complaints } = run('convert', '-q', ...words, '-o', path);
  assert.equal(status, 0, complaints);
  return readFileSync(path);
}

test('GLB of all clips, by mouse', async () => {
  const { name, bytes } = await downloaded(async () => {
    await page.click('#save');
    assert.equal(await page.getAttribute('#save', 'aria-expanded'), 'true');
    await item('glb').click();
  });
  assert.equal(name, 'troll.glb');
  assert.ok(bytes.equals(converted('troll', 'all.glb')));
  assert.ok(!(await page.locator('#save-menu').isVisible()));
});

test('GLB of this clip and JSON, by keys', async () => {
  await page.locator('#picture').focus();
  const clip = await downloaded(async () => {
    for (const key of ['s', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  });
  assert.equal(clip.name, 'troll-walk.glb');
  assert.ok(clip.bytes.equals(converted('troll', '--clip', 'walk', 'walk.glb')));
  await page.locator('#picture').focus();
  const scene = await downloaded(async () => {
    for (const key of ['s', 'End', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  });
  assert.equal(scene.name, 'troll.json');
  assert.ok(scene.bytes.equals(converted('troll', 'scene.json')));
});

test('BVH and CSV of this clip', async () => {
  for (const what of ['bvh', 'csv']) {
    const { name, bytes } = await downloaded(async () => {
      await page.click('#save');
      await item(what).click();
    });
    assert.equal(name, `troll-walk.${what}`);
    assert.ok(bytes.equals(converted('troll', '--clip', 'walk', `walk.${what}`)), what);
  }
});

test('PNG: what is seen, as large as the canvas', async () => {
  const { name, bytes } = await downloaded(async () => {
    await page.click('#save');
    await item('png').click();
  });
  assert.equal(name, 'troll.png');
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const size = await page.evaluate(() => {
    const { width, height } = document.getElementById('picture');
    return [width, height];
  });
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], size);
  await assertNotEmpty(page, bytes);
  const { strong } = await difference(page, bytes, await viewer.picture('#picture'));
  assert.ok(strong < 0.01, `${strong} of the pixels are not what is seen`);
});

test('the menu closes by Escape and by a click elsewhere, and offers only what can be', async () => {
  await page.click('#save');
  await page.keyboard.press('Escape');
  assert.ok(!(await page.locator('#save-menu').isVisible()));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'save');
  await page.click('#save');
  await page.mouse.click(500, 300);
  assert.ok(!(await page.locator('#save-menu').isVisible()));
  await page.locator('#clips-list').getByText('Rest pose').click();
  await page.click('#save');
  for (const what of ['clip', 'bvh', 'csv']) assert.ok(await item(what).isDisabled(), what);
  assert.ok(await item('glb').isEnabled());
  await page.keyboard.press('Escape');
  await viewer.clear();
  await page.click('#save');
  for (const what of ['share', 'glb', 'clip', 'bvh', 'csv', 'json', 'page']) assert.ok(await item(what).isDisabled(), what);
  await page.keyboard.press('Escape');
});
