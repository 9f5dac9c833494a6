// SPDX-License-Identifier: MIT
//
// The viewer in Firefox, as Debian has it: opens, plays, selects, looks inside and saves. What goes on
// in detail is tested in Chromium; this is what another engine may do otherwise.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertDiffer, assertNotEmpty } from '../browser/pictures.mjs';
import { ask, openViewer, run, samples, useBrowser } from '../browser/support.mjs';

const { folder } = await useBrowser('firefox');
const viewer = await openViewer();
const { page } = viewer;
const press = (key) => page.keyboard.press(key);

const BIRD = ['bird.skb', 'bird.nmo', 'bird.nto', 'fly.anb', 'glide.anb'].map((name) => `bird/${name}`);

function converted(...words) {
  const path = join(folder, words.pop());
  const { status, complaints } = run('convert', '-q', ...words, '-o', path);
  assert.equal(status, 0, complaints);
  return readFileSync(path);
}

function assertClose(mine, theirs, why) {
  assert.equal(mine.length, theirs.length);
  for (const [bone, point] of mine.entries()) {
    const apart = Math.hypot(...point.map((value, axis) => value - theirs[bone][axis]));
    assert.ok(apart < 1e-4, `${why}, bone ${bone}: ${apart}`);
  }
}

test('files that are chosen are shown, in 3D', async () => {
  assert.ok(await page.locator('#picture').isVisible(), 'this Firefox has no WebGL');
  await viewer.choose('bird', ...BIRD);
  const { scene, question, failure } = await viewer.state();
  assert.deepEqual([scene.bones, scene.clips], [15, ['fly', 'glide']]);
  assert.deepEqual([question, failure], [null, null]);
  await viewer.call('seekFrame', 10);
  await assertNotEmpty(page, await viewer.picture());
});

test('it plays and steps, and bones are where the tool says', async () => {
  await page.locator('#picture').focus();
  await viewer.call('seekFrame', 0);
  await press('Space');
  await viewer.until(({ playing, frame }) => playing && frame > 1);
  await press('Space');
  assert.equal((await viewer.state()).playing, false);
  for (const [key, frame] of [['Home', 0], ['ArrowRight', 1], ['Shift+ArrowRight', 11], ['ArrowLeft', 10]]) {
    await press(String(key));
    assert.equal((await viewer.state()).frame, frame, String(key));
  }
  const pose = ask('pose', '--json', 'bird', '--clip', 'fly', '--frame', '10');
  assertClose(await viewer.positions(), pose.bones.map(({ translation }) => translation), 'fly, frame 10');
  const before = await viewer.picture();
  await press('Shift+ArrowRight');
  await assertDiffer(page, before, await viewer.picture(), 'frames 10 and 20');
});

test('a bone is selected, and its curves are drawn', async () => {
  await page.click('#tab-bones');
  await page.locator('#bones-list .list-row').nth(3).click();
  assert.equal((await viewer.state()).bone, 3);
  await page.click('#tab-curves');
  await assertNotEmpty(page, await viewer.picture('#panel-curves'));
});

test('bytes have their fields', async () => {
  await page.locator('#files-list').getByText('fly.anb').click();
  await page.click('#tab-bytes');
  await page.locator('#hex .hex-bytes [data-at="8"]').click();
  const { fields } = ask('fields', '--json', 'bird/fly.anb');
  const field = fields.find(({ offset, size }) => offset <= 8 && 8 < offset + size);
  await page.waitForFunction((text) => document.querySelector('#hex-field b')?.textContent === text, field.field);
});

test('the GLB is the tool\'s', async () => {
  const { name, bytes } = await viewer.downloaded(async () => {
    await page.click('#save');
    await page.click('#save-menu [data-save=json]');
  });
  assert.equal(name, 'bird.json');
  assert.ok(bytes.length > 1000);
  await viewer.clear();
  await viewer.open('troll', 'troll');
  const glb = await viewer.downloaded(async () => {
    await page.click('#save');
    await page.click('#save-menu [data-save=glb]');
  });
  assert.equal(glb.name, 'troll.glb');
  assert.ok(glb.bytes.equals(converted('troll', 'troll.glb')));
});

test('an archive, and a damaged file: its bytes are shown, and the page goes on', async () => {
  await viewer.clear();
  await viewer.choose('troll', 'packed/figures.res', 'packed/textures.res');
  assert.deepEqual((await viewer.state()).figures, ['troll', 'wyvern']);
  await viewer.clear();
  const whole = readFileSync(join(samples, 'bird/fly.anb'));
  await page.setInputFiles('#choose-files', {
    name: 'fly.anb',
    mimeType: 'application/octet-stream',
    buffer: whole.subarray(0, whole.length / 2),
  });
  await viewer.until(({ tab, file }) => tab === 'bytes' && file !== null);
  await viewer.says('#hex-error', /./);
  await viewer.clear();
  await viewer.choose('bird', ...BIRD);
});

test('nothing was asked of the network, and nothing complained', () => viewer.close());
