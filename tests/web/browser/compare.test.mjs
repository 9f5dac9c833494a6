// SPDX-License-Identifier: MIT
//
// Comparing: another clip, another figure or a GLB beside the figure or as a ghost, and how far apart
// they are. What the tool computes is the measure.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { assertDiffer, difference } from './pictures.mjs';
import { ask, openViewer, run, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer();
const { page } = viewer;
const press = (key) => page.keyboard.press(key);

beforeEach(async () => {
  if ((await viewer.state()).view.inPlace) await page.click('#in-place');
  while ((await viewer.state()).mode !== 'loop') await page.click('#mode');
  await viewer.clear();
  assert.equal((await viewer.state()).compare, null, 'it ends when everything is removed');
});

/** Make a GLB with the tool. */
function converted(name, ...words) {
  const path = join(folder, name);
  const { status, complaints } = run('convert', '-q', ...words, '-o', path);
  assert.equal(status, 0, complaints);
  return path;
}

/** The largest distance between joints in two poses of the tool, in millimetres. */
function distance(one, other) {
  const [a, b] = [one, other].map((words) => ask('pose', '--json', ...words.map(String)).bones);
  const apart = (bone, i) => Math.hypot(...bone.translation.map((part, k) => part - b[i].translation[k]));
  return Math.max(...a.map(apart)) * 1000;
}

function near(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 0.01, `${actual} mm, not ${expected} mm`);
}

/** What is compared, once it is measured and `isSo`. @param {(compare: any) => boolean} [isSo] */
const measured = (isSo = () => true) =>
  viewer.until(({ compare }, wanted) => compare?.worst && wanted(compare), isSo).then(({ compare }) => compare);

/** Choose in the panel, which stays open. @param {Record<string, string>} wanted */
async function choose({ figure, clip, mode, time }) {
  if (await page.locator('#compare-panel').isHidden()) await page.click('#compare');
  if (figure) await page.selectOption('#compare-figure', { label: figure });
  if (clip) await page.selectOption('#compare-clip', { label: clip });
  for (const [name, value] of [['mode', mode], ['time', time]])
    if (value) await page.check(`input[name=compare-${name}][value=${value}]`);
}

async function openGlb(path) {
  await page.setInputFiles('#compare-file', path);
}

const memory = () => viewer.call('memory');

test('a ghost of another clip, by keys; what it needed is given back', async () => {
  await viewer.show('bird', 'bird');
  await viewer.call('seekFrame', 10);
  const before = await viewer.picture('#picture');
  const held = await memory();
  await page.locator('#picture').focus();
  await press('y');
  assert.ok(await page.locator('#compare-figure').evaluate((element) => element === document.activeElement));
  assert.equal(await page.inputValue('#compare-clip'), '1', 'another clip than the one that is shown');
  for (let i = 0; i < 4; i++) await press('Tab'); // clip, how, time, the button
  await press('Enter');
  const { name, clip, mode, joints } = await measured();
  assert.deepEqual([name, clip, mode, joints], ['bird', 'glide', 'side', 15]);
  await page.locator('input[name=compare-mode][value=side]').focus();
  await press('ArrowRight');
  await measured((compare) => compare.mode === 'ghost');
  await press('Escape');
  assert.ok(await page.locator('#compare').evaluate((element) => element === document.activeElement));
  const ghost = await viewer.picture('#picture');
  await assertDiffer(page, before, ghost, 'a ghost');
  await page.click('#compare-close');
  await viewer.until(({ compare }) => compare === null);
  await viewer.call('seekFrame', 10);
  assert.equal((await difference(page, before, await viewer.picture('#picture'))).strong, 0, 'as before');
  assert.deepEqual(await memory(), held);
});

test('the distances are those of the poses that the tool prints', async () => {
  await viewer.show('bird', 'bird');
  await choose({ clip: 'glide' });
  await measured();
  await viewer.call('seekFrame', 10);
  const pose = (clip, how, at) => ['bird', '--clip', clip, `--${how}`, at];
  const first = await measured(({ now }) => now.frame === 10);
  near(first.now.millimetres, distance(pose('fly', 'frame', 10), pose('glide', 'frame', 10)));
  assert.ok(first.worst.millimetres >= first.now.millimetres);
  await page.click('#compare-worst');
  const worst = await measured(({ now }) => now.frame === first.worst.frame);
  assert.deepEqual(worst.now, first.worst);
  assert.match(await viewer.text('#compare-now'), new RegExp(worst.now.joint));
  // The last of 40 frames and the last of 60.
  await choose({ time: 'part' });
  await page.click('#mode'); // a loop has no last frame
  await viewer.call('seekFrame', 39);
  const last = await measured(({ now, time }) => now.frame === 39 && time === 'part');
  near(last.now.millimetres, distance(pose('fly', 'frame', 39), pose('glide', 'frame', 59)));
  await choose({ time: 'same' });
});

test('another figure side by side: both are in view, and apart', async () => {
  await viewer.show('bird', 'bird');
  await viewer.show('rabbit', 'rabbit');
  const { width, height } = await page.locator('#picture').boundingBox();
  await choose({ figure: 'bird', mode: 'side' });
  const { joints } = await viewer.until(({ compare }) => compare?.name === 'bird').then(({ compare }) => compare);
  assert.equal(joints, 0);
  assert.match(await viewer.text('#compare-now'), /No joints/);
  const places = await viewer.call('comparePlaces');
  for (const [x, y] of [...places.figure, ...places.other])
    assert.ok(x > 0 && x < width && y > 0 && y < height, `${x}, ${y} is not in view`);
  const rightOf = (list) => Math.max(...list.map(([x]) => x));
  const leftOf = (list) => Math.min(...list.map(([x]) => x));
  assert.ok(rightOf(places.figure) < leftOf(places.other), 'the other is on the right');
  await viewer.call('setFigure', 'bird'); // and now two of the same
  const compare = await measured(({ joints: shared }) => shared === 15);
  near(compare.worst.millimetres, 0);
});

test('a ghost of a figure that has only bones', async () => {
  await viewer.show('troll', 'troll');
  const before = await viewer.picture('#picture');
  await choose({ clip: 'walk', mode: 'ghost' });
  await measured();
  await press('Escape');
  await assertDiffer(page, before, await viewer.picture('#picture'), 'a ghost of bones');
});

for (const name of ['bird', 'wyvern', 'troll', 'rabbit'])
  test(`a GLB of the same: ${name}`, async () => {
    await viewer.show(name, name);
    const { clip } = await viewer.state();
    const held = await memory();
    await openGlb(converted(`${name}.glb`, name));
    const compare = await measured(({ isGlb }) => isGlb);
    assert.equal(compare.name, `${name}.glb`);
    assert.equal(compare.clip, clip);
    assert.ok(compare.worst.millimetres < 0.01, `${compare.worst.millimetres} mm at ${compare.worst.joint}`);
    assert.match(await viewer.text('#compare-now'), /^The same/);
    await viewer.settle();
    assert.ok((await memory()).geometries > held.geometries);
    await page.click('#compare-close');
    await viewer.settle();
    assert.deepEqual(await memory(), held);
  });

test('a GLB looks like its source, and moves with it from clip to clip', async () => {
  await viewer.show('ped', 'pedestrian');
  await viewer.call('setClip', 'walk');
  await viewer.call('seekFrame', 7);
  await choose({ mode: 'side' });
  await openGlb(converted('ped.glb', 'pedestrian'));
  await measured(({ clip }) => clip === 'walk');
  await press('Escape');
  await page.locator('#in-place').click();
  const { worst } = await measured(({ now }) => now.frame === 7);
  assert.ok(worst.millimetres < 0.01, `in place, ${worst.millimetres} mm`);
  await viewer.call('setClip', 'run');
  const running = await measured(({ clip }) => clip === 'run');
  assert.ok(running.worst.millimetres < 0.01);
  const beside = await viewer.picture('#picture');
  await choose({ figure: 'ped', clip: 'run' });
  await viewer.until(({ compare }) => compare.isGlb === false && compare.clip === 'run');
  await press('Escape');
  const { mean } = await difference(page, beside, await viewer.picture('#picture'));
  assert.ok(mean < 0.6, `the GLB looks different from its source: ${mean}`);
});

test('a GLB of another clip is far away', async () => {
  await viewer.show('bird', 'bird');
  await openGlb(converted('glide.glb', 'bird', '--clip', 'glide'));
  const { clip, now } = await measured(({ isGlb }) => isGlb);
  assert.equal(clip, 'glide', 'its only one');
  near(now.millimetres, distance(['bird', '--clip', 'fly'], ['bird', '--clip', 'glide']));
  assert.match(await viewer.text('#compare-now'), /^Joints are up to/);
});

test('a GLB that is dropped is offered for comparing', async () => {
  await viewer.show('bird', 'bird');
  await viewer.drop(converted('dropped.glb', 'bird'));
  const notice = page.locator('.notice', { hasText: 'dropped.glb is a GLB' });
  await notice.waitFor();
  assert.match(await notice.textContent(), /Compare \(Y\) opens it beside the figure/);
  await notice.getByRole('button', { name: 'Compare' }).click();
  const { name, isGlb } = await measured();
  assert.deepEqual([name, isGlb], ['dropped.glb', true]);
});

test('what cannot be opened is refused with a message, and the page goes on', async () => {
  await viewer.show('bird', 'bird');
  const whole = readFileSync(converted('whole.glb', 'bird'));
  const length = whole.readUInt32LE(12);
  const text = whole.toString('utf8', 20, 20 + length);
  const changed = (from, to) => {
    const json = text.replace(from, to);
    assert.notEqual(json, text);
    const padded = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
    const bytes = Buffer.concat([whole.subarray(0, 20), padded, whole.subarray(20 + length)]);
    bytes.writeUInt32LE(bytes.length, 8);
    bytes.writeUInt32LE(padded.length, 12);
    return bytes;
  };
  /** @type {Record<string, [Buffer, RegExp]>} */
  const files = {
    'cut.glb': [whole.subarray(0, 30_000), /ends after 30000 of/],
    'other.glb': [Buffer.from('a text that is not a GLB at all'), /not a GLB/],
    'fetch.glb': [changed(/"buffers":\s*\[\{/, '$&"uri":"https://example.org/x.bin",'), /another file, https/],
    'circle.glb': [changed(/"children":\s*\[1\]/, '"children":[0]'), /damaged/],
    'accessor.glb': [changed(/"count":\s*(\d+)/, '"count":9$1$1'), /damaged/],
    'joint.glb': [changed(/"joints":\s*\[/, '$&9999,'), /damaged/],
    'empty.glb': [Buffer.alloc(0), /not a GLB/],
  };
  for (const [name, [bytes, message]] of Object.entries(files)) {
    await openGlb(writeInto(folder, name, bytes));
    const notice = page.locator('.notice.error', { hasText: name });
    await notice.waitFor();
    assert.match(await notice.textContent(), message);
    assert.equal((await viewer.state()).compare, null, name);
    await notice.getByRole('button').click();
  }
  await openGlb(join(folder, 'whole.glb'));
  await measured(({ isGlb }) => isGlb);
});
