// SPDX-License-Identifier: MIT
//
// The timeline: the playhead, the frame field, the range, the direction, the next clip; and searching
// without the mouse.

import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertDiffer, assertNotEmpty } from './pictures.mjs';
import { openViewer, samples, until, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer();
const { page } = viewer;
const press = (key) => page.keyboard.press(key);
const frame = async () => (await viewer.state()).frame;
const valueNow = (id) => page.getAttribute(`#${id}`, 'aria-valuenow');

await viewer.show('troll', 'troll'); // dance 48, idle 60, walk 24 frames
await viewer.call('setClip', 'walk');
await page.locator('#picture').focus();

test('ticks are drawn, and differ from clip to clip', async () => {
  const walk = await viewer.picture('#timeline');
  await assertNotEmpty(page, walk);
  await viewer.call('setClip', 'idle');
  await assertDiffer(page, walk, await viewer.picture('#timeline'), 'the ticks of 24 and of 60 frames');
  await viewer.call('setClip', 'walk');
});

test('the playhead is a slider: by the mouse and by keys', async () => {
  const box = await page.locator('#scrub').boundingBox();
  await page.mouse.click(box.x + 1, box.y + box.height / 2 - 14);
  assert.equal(await frame(), 0);
  await page.mouse.move(box.x + box.width / 2, box.y + 8);
  await viewer.says('#timeline-hover', /^1[12]$/);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, box.y + 300, { steps: 2 });
  await page.mouse.up();
  assert.equal(await frame(), 23);
  await page.locator('#scrub').focus();
  for (const [key, expected] of [['Home', 0], ['ArrowUp', 1], ['PageUp', 11], ['ArrowDown', 10], ['PageDown', 0], ['ArrowRight', 1], ['End', 23]]) {
    await press(key);
    assert.equal(await frame(), expected, `${key}`);
    assert.equal(await valueNow('scrub'), String(expected));
  }
  assert.match(await page.getAttribute('#scrub', 'aria-valuetext'), /^frame 23 of 23, \d\.\d\d seconds$/);
});

test('the frame field: Enter goes there, Escape restores, nonsense is refused', async () => {
  const field = page.locator('#frame');
  await field.fill('12');
  await press('Enter');
  assert.equal(await frame(), 12);
  await field.fill('+5');
  await press('Enter');
  assert.equal(await frame(), 17);
  assert.equal(await field.inputValue(), '17');
  await field.fill('3');
  await press('Escape');
  assert.equal(await field.inputValue(), '17');
  assert.equal(await frame(), 17);
  await field.fill('b'); // a letter is typed, and is no key of the page
  await press('Enter');
  assert.equal(await field.inputValue(), '17');
  await field.fill('999');
  await page.locator('#picture').focus();
  assert.equal(await frame(), 23);
  await viewer.says('#counter', /^\/ 23 · \d\.\d\d s$/);
});

test('a range: by keys, by handles, and played', async () => {
  await viewer.call('seekFrame', 6);
  await press('a');
  await viewer.call('seekFrame', 12);
  await press('e');
  assert.deepEqual((await viewer.state()).range, { first: 6, last: 12 });
  assert.equal(await valueNow('range-first'), '6');
  assert.equal(await valueNow('range-last'), '12');
  await press('ArrowRight');
  assert.equal(await frame(), 6, 'a step goes round in the range');
  await page.locator('#range-first').focus();
  await press('ArrowLeft');
  await press('Shift+ArrowLeft');
  assert.equal((await viewer.state()).range.first, 0);
  for (let i = 0; i < 3; i++) await press('ArrowRight');
  assert.equal((await viewer.state()).range.first, 3);
  const handle = await page.locator('#range-last').boundingBox();
  const box = await page.locator('#scrub').boundingBox();
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 2, handle.y, { steps: 3 });
  await page.mouse.up();
  assert.deepEqual((await viewer.state()).range, { first: 3, last: 4 }, 'it stops before the other end');
  await page.locator('#picture').focus();
  // Every frame that is drawn while the range plays is one of it.
  await page.locator('#range-last').focus();
  await press('ArrowRight');
  await page.selectOption('#speed', '4');
  await page.locator('#picture').focus();
  await viewer.call('seekFrame', 20);
  await press('Space');
  const seen = await page.evaluate(() => new Promise((done) => {
    const frames = new Set();
    const look = () => {
      frames.add(window.ossaViewer.state().frame);
      if (frames.size >= 3) done([...frames].sort((a, b) => a - b));
      else requestAnimationFrame(look);
    };
    look();
  }));
  assert.deepEqual(seen, [3, 4, 5]);
  await press('Space');
  await press('x');
  assert.equal((await viewer.state()).range, null);
  assert.ok(await page.locator('#range-clear').isDisabled());
  await page.click('#range-start');
  assert.notEqual((await viewer.state()).range, null);
  await viewer.call('setClip', 'idle');
  assert.equal((await viewer.state()).range, null, 'another clip is played whole');
  await viewer.call('setClip', 'walk');
  await page.selectOption('#speed', '1');
});

test('backwards: to the start, once', async () => {
  await page.locator('#picture').focus();
  while ((await viewer.state()).mode !== 'once') await press('l');
  await press('r');
  assert.ok((await viewer.state()).reversed);
  assert.equal(await page.getAttribute('#reverse', 'aria-pressed'), 'true');
  await page.selectOption('#speed', '4');
  await viewer.call('seekFrame', 20);
  await page.locator('#picture').focus();
  await press('Space');
  await viewer.until((state) => !state.playing);
  assert.equal(await frame(), 0);
  await page.click('#reverse');
  assert.equal((await viewer.state()).reversed, false);
  await page.selectOption('#speed', '1');
  await page.locator('#picture').focus();
  while ((await viewer.state()).mode !== 'loop') await press('l');
});

test('the next clip and the previous one, round', async () => {
  const becomes = (name) => viewer.until((state, wanted) => state.clip === wanted, name);
  const { clips } = (await viewer.state()).scene;
  await viewer.call('setClip', clips[0]);
  await press('j');
  await becomes(clips[1]);
  await press('k');
  await becomes(clips[0]);
  await press('k');
  await becomes(clips.at(-1));
  await page.click('#clip-next');
  await becomes(clips[0]);
  await page.click('#clip-previous');
  await becomes(clips.at(-1));
});

test('nothing of the events is shown where there are none', async () => {
  assert.equal(await page.locator('#markers .marker').count(), 0);
});

test('events of the clip: markers with their text, and a list that goes there', async () => {
  const copy = join(folder, 'wyvern');
  cpSync(join(samples, 'wyvern'), copy, { recursive: true });
  const path = join(copy, 'wyvern.adb');
  const record = readFileSync(path); // steps at 20 and 8, a hit at 23, in the first record, of "fly"
  for (const [offset, value] of [[48, 20], [52, 8], [64, 24]]) record.writeUInt32LE(value, 44 + offset);
  writeFileSync(path, record);
  await viewer.clear();
  await viewer.show('wyvern', copy);
  await viewer.call('setClip', 'fly');
  await page.click('#tab-info');
  const markers = page.locator('#markers .marker');
  await until(async () =>
    assert.deepEqual(
      await markers.evaluateAll((all) => all.map((one) => one.getAttribute('title').split('\n')[0])),
      ['Frame 8', 'Frame 20', 'Frame 23'],
    ),
  );
  assert.match(await markers.first().getAttribute('title'), /a foot comes down/);
  await page.locator('.events button', { hasText: 'Frame 20' }).click();
  assert.equal(await frame(), 20);
  await markers.first().click();
  assert.equal(await frame(), 8);
  await viewer.call('setClip', 'rest');
  await until(async () => assert.equal(await markers.count(), 0));
  await until(async () => assert.equal(await page.locator('.events').count(), 0));
});

test('a chain: at the end of a clip the one that it names follows', async () => {
  await viewer.clear();
  assert.doesNotMatch(await page.getAttribute('#mode', 'aria-label'), /Chain/);
  await viewer.show('ped', 'pedestrian', 'more/ped.csv');
  await page.locator('#picture').focus();
  await page.selectOption('#speed', '4');
  await viewer.call('setClip', 'WALK_STAND');
  await page.locator('#picture').focus();
  const seen = new Set();
  while ((await viewer.state()).mode !== 'chain') {
    const { mode } = await viewer.state();
    assert.ok(!seen.has(mode), 'a chain is among the modes');
    seen.add(mode);
    await press('l');
  }
  assert.match(await page.getAttribute('#mode', 'aria-label'), /^Chain/);
  await press('Space');
  await viewer.until((state) => state.clip === 'STAND' && state.playing && state.frame > 0);
  await press('Space');
  await page.selectOption('#speed', '1');
  await viewer.clear();
  assert.equal((await viewer.state()).mode, 'loop', 'without successors it is a loop');
});

test('a search: Enter takes the first result, Down goes into the list, Escape clears', async () => {
  const bytes = readFileSync(join(samples, 'rabbit/walk0.anm'));
  const many = Array.from({ length: 20 }, (_, i) => writeInto(folder, `many/step${i}.anm`, bytes));
  await viewer.clear();
  await viewer.show('rabbit', join(samples, 'rabbit/rabbit.tmd'), ...many);
  const search = page.locator('#clips-search');
  const becomes = (name) => viewer.until((state, wanted) => state.clip === wanted, name);
  const found = page.locator('#clips-list .list-row .name');
  await search.fill('step1');
  await until(async () => assert.equal(await found.first().textContent(), 'step1'));
  await press('Enter');
  await becomes('step1');
  assert.ok(await search.evaluate((element) => element === document.activeElement));
  await search.fill('step17');
  await press('ArrowDown');
  assert.ok(await page.locator('#clips-list').evaluate((element) => element === document.activeElement));
  await becomes('step17');
  await search.fill('step3');
  await press('Escape');
  assert.equal(await search.inputValue(), '');
  await until(async () => assert.ok((await found.count()) > 5));
  await search.fill('no such clip');
  await press('Enter');
  assert.equal((await viewer.state()).clip, 'step17', 'no result, no change');
  await press('Escape');
});
