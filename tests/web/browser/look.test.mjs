// SPDX-License-Identifier: MIT
//
// The Look tab: it is there only for figures with a choice, works by keys, and what is saved is what
// was chosen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { makeFigures } from '../figures.mjs';
import { assertDiffer, difference } from './pictures.mjs';
import { openViewer, run, tool, until, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
makeFigures(folder, tool);
const viewer = await openViewer();
const { page } = viewer;
const press = (key) => page.keyboard.press(key);

beforeEach(() => viewer.clear());

function converted(...words) {
  const path = join(folder, words.pop());
  const { status, complaints } = run('convert', '-q', ...words, '-o', path);
  assert.equal(status, 0, complaints);
  return readFileSync(path);
}

async function downloaded(what) {
  await page.click('#save');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`#save-menu [data-save=${what}]`),
  ]);
  return readFileSync(await download.path());
}

test('no choice, no tab', async () => {
  await viewer.show('officer', join(folder, 'officer'));
  await page.click('#tab-look');
  assert.equal((await viewer.state()).tab, 'look');
  await viewer.clear();
  assert.equal((await viewer.state()).tab, 'info');
  assert.ok(!(await page.locator('#tab-look').isVisible()));
  await page.locator('#picture').focus();
  await press('v');
  assert.equal((await viewer.state()).tab, 'info');
});

test('remarks are counted, but are not errors', async () => {
  await viewer.show('officer', join(folder, 'officer'));
  await viewer.says('#issues-badge', /^\d+$/);
  assert.ok(!(await page.locator('#issues-badge').evaluate((badge) => badge.classList.contains('error'))));
});

test('variants: each has its own colours, chosen by keys, and is what the GLB shows', async () => {
  await viewer.show('officer', join(folder, 'officer'));
  const state = await viewer.state();
  assert.deepEqual([state.scene.variants.length, state.variant], [6, 'variant 1']);
  assert.ok((await viewer.saved('glb')).equals(converted(join(folder, 'officer'), 'officer.glb')));
  await page.locator('#picture').focus();
  await press('v');
  assert.ok(await page.locator('#variant').isVisible());
  assert.ok(!(await page.locator('#look-parts').isVisible()));
  const pictures = [await viewer.picture('#picture')];
  await page.locator('#variant').focus();
  for (let i = 2; i <= 6; i++) {
    await press('ArrowDown');
    await viewer.until(({ variant }, name) => variant === name, `variant ${i}`);
    pictures.push(await viewer.picture('#picture'));
    await assertDiffer(page, pictures[0], pictures.at(-1), `variants 1 and ${i}`);
    const { mean } = await difference(page, pictures.at(-2), pictures.at(-1)); // their colours are close
    assert.ok(mean > 0, `variants ${i - 1} and ${i} look the same`);
  }
  for (const what of ['glb', 'clip']) {
    const glb = await downloaded(what);
    const { meshes, materials } = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)));
    for (const { primitives } of meshes)
      for (const { material } of primitives) assert.match(materials[material].name, /variant 6/);
  }
  await page.selectOption('#variant', { label: 'variant 1' });
  const { strong } = await difference(page, pictures[0], await viewer.picture('#picture'));
  assert.equal(strong, 0);
});

test('options: those of the figure; each makes another scene of the same moment, and Reset undoes them', async () => {
  await viewer.clear();
  await viewer.show('wyvern', 'wyvern');
  await viewer.call('setClip', 'rest');
  await viewer.call('seekFrame', 9);
  await page.click('#tab-look');
  const before = await viewer.vertices();
  const options = page.locator('#options-list');
  assert.ok(await page.locator('#options-reset').isDisabled());
  const height = options.getByLabel('Complexion: Height');
  await height.focus();
  await press('End');
  // The slider rests for a moment before the scene is made.
  await until(async () => assert.notDeepEqual(await viewer.vertices(), before));
  assert.ok(await page.locator('#options-reset').isEnabled());
  const state = await viewer.state();
  assert.deepEqual([state.clip, state.frame, state.tab], ['rest', 9, 'look']);
  await options.getByLabel('Fps').fill('15');
  await press('Enter');
  await viewer.until(({ time }) => Math.abs(time - 9 / 15) < 1e-6);
  await page.click('#options-reset');
  await until(async () => assert.deepEqual(await viewer.vertices(), before));
  assert.ok(await page.locator('#options-reset').isDisabled());
});

test('options: a number that no page can show is refused, and the field says which are taken', async () => {
  await viewer.clear();
  await viewer.show('wyvern', 'wyvern');
  await page.click('#tab-look');
  const before = await viewer.vertices();
  const options = page.locator('#options-list');
  for (const [name, wrong, said] of [
    ['Scale', '1e-9', 'Scale must be a number from 0.001 to 1000.'],
    ['Resample', '1000', 'Resample must be a whole number from 1 to 60.'],
  ]) {
    const field = options.getByLabel(name);
    const refusal = options.locator('.option').filter({ has: page.getByLabel(name) }).getByRole('alert');
    await field.fill(wrong);
    await press('Enter');
    await refusal.filter({ hasText: said }).waitFor();
    assert.equal(await field.inputValue(), '1');
    await viewer.settle();
    assert.deepEqual(await viewer.vertices(), before);
    await field.fill('2');
    await press('Enter');
    await refusal.waitFor({ state: 'hidden' });
    await page.locator('#options-reset:enabled').click();
    await until(async () => assert.deepEqual(await viewer.vertices(), before));
  }
});

test('links and saved pages keep options, parts and variants', async () => {
  const archive = join(folder, 'figures.res');
  await viewer.drop(archive);
  await viewer.until(({ figures, reading }) => figures.length === 4 && !reading);
  await viewer.call('setFigure', 'human');
  await page.click('#tab-look');
  await page.locator('#parts-list summary', { hasText: 'hr' }).first().click();
  await page.getByLabel('hr.05', { exact: true }).check();
  await viewer.until(({ parts }) => parts.includes('hr.05'));
  await viewer.settle();
  const box = (list) => Math.max(...list.flat().map(([, y]) => Math.abs(y)));
  const low = box(await viewer.vertices());
  await page.locator('#options-list').getByLabel('Scale').fill('3');
  await press('Enter');
  await until(async () => assert.ok(box(await viewer.vertices()) > 2.5 * low));
  const [high, { parts }] = [box(await viewer.vertices()), await viewer.state()];
  const { bytes } = await viewer.downloaded(async () => {
    await page.click('#save');
    await page.click('#save-menu [data-save=page]');
  });
  const other = await openViewer({ file: writeInto(folder, 'human.html', bytes) });
  await other.until(({ figure, scene }) => figure === 'human' && scene !== null);
  assert.deepEqual((await other.state()).parts, parts);
  await until(async () => assert.ok(Math.abs(box(await other.vertices()) - high) < 1e-4));
  await other.page.click('#save');
  await other.page.click('#save-menu [data-save=link]');
  await other.page.waitForFunction(() => window.location.hash !== '');
  const hash = await other.page.evaluate(() => window.location.hash);
  assert.match(hash, /&part=hr\.05&option\.scale=3$/);
  await other.page.evaluate(() => (window.location.hash = '#figure=human&option.scale=1&without=bd'));
  await other.until((state) => !state.parts.includes('bd') && state.parts.includes('hr.05'));
  await until(async () => assert.ok(Math.abs(box(await other.vertices()) * 3 - high) < 0.2 * high));
  await other.close();
});

test('parts: shown and taken away by keys, and what is saved has them', async () => {
  const archive = join(folder, 'figures.res');
  await viewer.drop(archive);
  await viewer.until(({ figures, reading }) => figures.length === 4 && !reading);
  await viewer.call('setFigure', 'human');
  await viewer.call('setClip', 'udie');
  await viewer.call('seekFrame', 5);
  await page.click('#tab-look');
  assert.ok(!(await page.locator('#look-variants').isVisible()));
  const slots = page.locator('#parts-list details');
  assert.equal(await slots.count(), 16);
  const hair = slots.filter({ hasText: 'hr' }).first();
  assert.match(await hair.locator('summary').textContent(), /^hr\s*hr\.00$/);
  await hair.locator('summary').focus();
  await press('Enter');
  await hair.getByRole('checkbox').nth(19).waitFor();
  assert.equal(await hair.getByRole('checkbox').count(), 20);
  for (let i = 0; i < 6; i++) await press('Tab');
  await press('Space');
  await viewer.until(({ parts }) => parts.includes('hr.05') && !parts.includes('hr.00'));
  assert.ok(!(await hair.getByLabel('hr.00').isChecked()), 'hr.00 has given way');
  assert.ok(await hair.getByLabel('hr.05').evaluate((box) => box === document.activeElement));
  const { clip, frame, playing } = await viewer.state();
  assert.deepEqual([clip, frame, playing], ['udie', 5, false]);
  await page.fill('#parts-search', 'sword07');
  await until(async () => assert.equal(await slots.count(), 1));
  await page.getByLabel('rh3.sword07').check();
  await page.fill('#parts-search', '');
  await slots.filter({ hasText: 'bd' }).first().locator('summary').click();
  await page.getByLabel('bd', { exact: true }).uncheck();
  await viewer.until(({ parts }) => parts.includes('rh3.sword07') && !parts.includes('bd'));
  const chosen = ['--parts', 'hr.05', '--parts', 'rh3.sword07', '--parts', '!bd'];
  assert.ok((await viewer.saved('glb')).equals(converted(`${archive}#human`, ...chosen, 'human.glb')));
  assert.ok((await viewer.saved('json')).equals(converted(`${archive}#human`, ...chosen, 'human.json')));
  await page.click('#parts-reset');
  await viewer.until(({ parts }) => parts.length === 16 && parts.includes('hr.00'));
  assert.ok(await page.locator('#parts-reset').isDisabled());
  assert.ok((await viewer.saved('glb')).equals(converted(`${archive}#human`, 'plain.glb')));
});
