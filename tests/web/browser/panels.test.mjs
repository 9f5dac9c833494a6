// SPDX-License-Identifier: MIT
//
// The panels: curves, bytes, issues, bones, files; what is damaged, what is missing, what is packed.

import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { makeSparseDisc, SECTOR } from '../disc.mjs';
import { assertDiffer, assertNotEmpty } from './pictures.mjs';
import { ask, openViewer, run, samples, until, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer();
const { page } = viewer;

beforeEach(async () => {
  await viewer.clear();
  await page.evaluate(() => document.getElementById('tab-info').click()); // the empty page has no tabs
});

const press = (key) => page.keyboard.press(key);

test('curves: drawn, the playhead moves, a click takes it along', async () => {
  await viewer.show('bird', 'bird');
  await viewer.call('setClip', 'fly');
  await page.locator('#picture').focus();
  await press('c');
  assert.match(await viewer.text('#curves-empty'), /Select a bone/);
  await chooseBone(3);
  await viewer.call('seekFrame', 0);
  const first = await viewer.picture('#curves-canvas');
  await assertNotEmpty(page, first);
  await viewer.call('seekFrame', 20);
  await assertDiffer(page, first, await viewer.picture('#curves-canvas'), 'the playhead');
  await until(async () => assert.match(await page.getAttribute('#curves-canvas', 'aria-label'), /^Curves at frame 20\. Rotation/));
  const canvas = page.locator('#curves-canvas');
  const width = await canvas.evaluate((element) => element.clientWidth);
  await canvas.click({ position: { x: width - 10, y: 60 } });
  const { frame, frames } = await viewer.state();
  assert.ok(frame >= frames - 2, `a click at the right end goes to frame ${frame}`);
  const degrees = await viewer.picture('#curves-canvas');
  await page.selectOption('#curves-as', 'quaternion');
  await assertDiffer(page, degrees, await viewer.picture('#curves-canvas'), 'degrees and quaternions');
  await canvas.hover({ position: { x: width / 2, y: 60 } });
  const whole = await viewer.picture('#curves-canvas');
  await page.mouse.wheel(0, -600);
  await assertDiffer(page, whole, await viewer.picture('#curves-canvas'), 'the wheel enlarges');
  await page.selectOption('#curves-as', 'vector');
});

async function chooseBone(row) {
  const { tab } = await viewer.state();
  await page.click('#tab-bones');
  await page.locator('#bones-list .list-row').nth(row).click();
  await page.click(`#tab-${tab}`);
}

test('curves: how wide a step of the file is, where it packs rotations', async () => {
  for (const [figure, said] of /** @type {[string, RegExp][]} */ ([
    ['bird', /one step of the file is \d[\d.]*°/],
    ['rabbit', /one step of the file is \d[\d.]*°/],
    ['troll', /stored as floats/],
  ])) {
    await viewer.clear();
    await viewer.show(figure, figure);
    await chooseBone(1);
    await page.click('#tab-curves');
    await viewer.says('#curves-step', said);
  }
});

test('the values of a bone, and the search for one', async () => {
  await viewer.show('troll', 'troll');
  await viewer.call('setClip', 'walk');
  await viewer.call('seekFrame', 7);
  await page.click('#tab-bones');
  await page.locator('#bones-search').fill('lh3');
  await until(async () => assert.equal(await page.locator('#bones-list .list-row').count(), 1));
  await page.locator('#bones-list .list-row').click();
  const { bones } = ask('pose', '--json', '--clip', 'walk', '--frame', '7', 'troll');
  const bone = bones.find(({ name }) => name === 'lh3');
  const row = page.locator('#bone-values tr', { hasText: 'in the model' });
  await until(async () =>
    assert.deepEqual(
      await row.locator('td').allTextContents(),
      bone.translation.map((value) => value.toFixed(4)),
    ),
  );
  await page.locator('#bones-search').fill('');
});

test('bytes: a click names the field that the tool names there', async () => {
  await viewer.show('rabbit', 'rabbit/hop.anm', 'rabbit/rabbit.tmd');
  await page.locator('#files-list').getByText('hop.anm').click();
  await page.locator('#picture').focus();
  await press('h');
  const { fields } = ask('fields', '--json', 'rabbit/hop.anm');
  const bytes = readFileSync(join(samples, 'rabbit/hop.anm'));
  for (const offset of [0, 3, 7, 40, 101]) {
    const digits = bytes[offset].toString(16).padStart(2, '0');
    await page.locator(`#hex .hex-bytes [data-at="${offset}"]`, { hasText: digits }).click();
    const field = fields.find((one) => offset >= one.offset && offset < one.offset + one.size);
    await page.waitForFunction((text) => document.querySelector('#hex-field b')?.textContent === text, field.field);
    assert.match(await viewer.text('#hex-field'), new RegExp(`${field.type}, ${field.size} byte`));
    assert.equal((await viewer.state()).cursor, offset);
  }
  await page.fill('#hex-offset', '0x1f0');
  await press('Enter');
  assert.equal((await viewer.state()).cursor, 0x1f0);
  await page.locator('#hex').focus();
  for (const [key, at] of /** @type {[string, number][]} */ ([['ArrowRight', 0x1f1], ['ArrowLeft', 0x1f0], ['Home', 0], ['End', bytes.length - 1]])) {
    await press(key);
    assert.equal((await viewer.state()).cursor, at, key);
  }
  await press('Home');
  await assertNotEmpty(page, await viewer.picture('#hex'));
});

test('a damaged file: the library\'s words, the place, and the page goes on', async () => {
  for (const [path, part] of /** @type {[string, number][]} */ ([
    ['rabbit/hop.anm', 0.5],
    ['bird/fly.anb', 0.6],
    ['pedestrian/walk.anim', 0.4],
    ['troll/walk/hp.anm', 0.5],
    ['packed/figures.res', 0.7],
  ])) {
    await viewer.clear();
    const bytes = readFileSync(join(samples, path));
    const name = path.split('/').pop();
    const cut = writeInto(folder, name, bytes.subarray(0, Math.floor(bytes.length * part)));
    await viewer.drop(cut);
    await viewer.until((state) => state.tab === 'bytes' && state.file !== null && !state.reading);
    const issues = JSON.parse(run('check', '--json', cut).text);
    const issue = issues.find(({ severity }) => severity === 'unreadable');
    await until(async () => {
      const shown = await viewer.text('#hex-error');
      assert.ok(shown.includes(issue.message), `${path}: '${shown}', but the tool says '${issue.message}'`);
    });
    const { file, cursor } = await viewer.state();
    assert.equal(file.offset, issue.offset ?? null, path);
    if (issue.offset !== undefined && issue.offset !== null) {
      assert.equal(cursor, Math.min(issue.offset, bytes.length * part - 1 | 0), path);
      await page.locator(`#hex .hex-bytes .cursor[data-at="${cursor}"]`).waitFor();
    }
    assert.match(await viewer.text('#notices'), /damaged/);
    await page.click('#tab-issues');
    await until(async () => {
      const listed = await viewer.text('#panel-issues');
      for (const { message } of issues) assert.ok(listed.includes(message), message);
    });
  }
  await viewer.show('bird', 'bird');
  assert.equal((await viewer.state()).failure, null);
});

test('a damaged file among good ones is set aside', async () => {
  const bad = readFileSync(join(samples, 'rabbit/hop.anm')).subarray(0, 300);
  await viewer.show('rabbit', 'rabbit/rabbit.tmd', 'rabbit/walk0.anm', writeInto(folder, 'aside.anm', bad));
  const state = await viewer.state();
  assert.deepEqual(state.scene.clips, ['walk0']);
  assert.match(await viewer.text('#notices'), /aside\.anm is damaged/);
  await page.locator('#notices').getByRole('button', { name: 'Show' }).click();
  assert.deepEqual([(await viewer.state()).file.word, (await viewer.state()).tab], ['aside.anm', 'bytes']);
});

test('a damaged file that breaks several rules has a button to its issues', async () => {
  await viewer.drop(join(samples, '../tests/fixtures/sotc-skb/no-root.skb'));
  await viewer.until((state) => state.file?.word === 'no-root.skb' && state.tab === 'issues');
  await page.click('#tab-info');
  await page.locator('.notice', { hasText: 'it breaks 2 rules of its format' }).getByRole('button', { name: 'Show issues' }).click();
  await viewer.until((state) => state.tab === 'issues');
  await page.locator('#panel-issues .issue').first().waitFor();
});

test('missing parts: asked for, shown with placeholders, joined when they come', async () => {
  await viewer.show('fly', 'bird/fly.anb');
  assert.ok(await page.locator('#banner').isVisible());
  assert.match(await viewer.text('#banner-text'), /This clip has 15 bones but no skeleton\. Add the SKB file/);
  assert.deepEqual(await viewer.positions(), []);
  await page.click('#banner-placeholders');
  await viewer.until((state) => state.question === null && state.frames === 40);
  assert.equal((await viewer.positions()).length, 15);
  assert.ok(!(await page.locator('#banner').isVisible()));
  await viewer.show('bird', 'bird/bird.skb');
  assert.deepEqual((await viewer.state()).figures, ['bird']);
  assert.deepEqual((await viewer.state()).scene.clips, ['fly']);

  await viewer.clear();
  await viewer.show('fly', 'bird/fly.anb');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#banner-choose')]);
  await chooser.setFiles(join(samples, 'bird/bird.skb'));
  await viewer.until((state) => state.figure === 'bird' && state.question === null);
});

test('an archive: a tree to click through, to search, and entries to show', async () => {
  await viewer.drop('packed/figures.res', 'packed/textures.res', 'packed/database.res');
  await viewer.until((state) => state.figures.length === 2 && !state.reading);
  const tree = page.locator('#files-list');
  const row = (word) => tree.locator(`.list-row[title="${word}"]`);
  for (const word of ['figures.res', 'figures.res#troll.anm', 'figures.res#troll.anm#walk'])
    await row(word).locator('.twisty').click();
  await row('figures.res#troll.anm#walk#hp').click();
  assert.equal((await viewer.state()).file.word, 'figures.res#troll.anm#walk#hp');
  await viewer.says('#panel-info', /ei-anm/);
  await page.click('#tab-bytes');
  const { fields } = ask('fields', '--json', 'packed/figures.res#troll.anm#walk#hp');
  await page.locator('#hex .hex-bytes [data-at="0"]').click();
  await page.waitForFunction((text) => document.querySelector('#hex-field b')?.textContent === text, fields[0].field);
  // The same by keys: fold what is unfolded, and go on.
  await tree.focus();
  await press('ArrowLeft');
  assert.equal((await viewer.state()).file.word, 'figures.res#troll.anm#walk');
  await press('ArrowLeft');
  await row('figures.res#troll.anm#walk#hp').waitFor({ state: 'detached' });
  await press('ArrowRight');
  await press('ArrowRight');
  assert.match((await viewer.state()).file.word, /^figures\.res#troll\.anm#walk#/);
  await page.fill('#files-search', 'idle#h');
  await row('figures.res#troll.anm#idle#hd').waitFor();
  await until(async () => assert.equal(await tree.locator('.list-row').count(), 2));
  await page.fill('#files-search', '');
  await page.locator('#figures-list').getByText('wyvern').click();
  assert.equal((await viewer.state()).scene.clips[0], 'fly');
});

test('the models of an archive are listed under Info; a click shows one', async () => {
  await viewer.drop('packed/figures.res', 'packed/textures.res', 'packed/database.res');
  await viewer.until((state) => state.figures.length === 2 && state.figure === 'troll' && !state.reading);
  const info = page.locator('#panel-info');
  const rows = info.getByRole('listbox', { name: 'Models' }).getByRole('option');
  await info.getByText('2 models in figures.res').waitFor();
  await rows.filter({ hasText: 'troll' }).filter({ hasText: '15 bones, 3 clips' }).waitFor();
  await rows.filter({ hasText: 'wyvern' }).filter({ hasText: '9 bones, 2 clips' }).waitFor();
  await rows.and(page.locator('[aria-selected=true]')).filter({ hasText: 'troll' }).waitFor();
  await rows.filter({ hasText: 'wyvern' }).click();
  await viewer.until((state) => state.figure === 'wyvern');
  assert.equal((await viewer.state()).file.word, 'figures.res');
  await rows.and(page.locator('[aria-selected=true]')).filter({ hasText: 'wyvern' }).waitFor();
  // The list keeps the focus although the tab was drawn again.
  await press('ArrowUp');
  await viewer.until((state) => state.figure === 'troll');
  assert.deepEqual((await viewer.state()).figures, ['troll', 'wyvern']);
  await viewer.clear();
  await viewer.show('PED', 'packed/ped.ar');
  await rows.filter({ hasText: 'PED' }).filter({ hasText: '18 bones, 3 clips' }).waitFor();
  await viewer.clear();
  await viewer.show('bird', 'bird');
  await page.locator('#panel-info').getByText('Shadow of the Colossus (2005)').first().waitFor();
  await until(async () => assert.equal(await rows.count(), 0));
});

test('a large file: its progress is shown, the page works meanwhile, and it can be cancelled', async () => {
  await viewer.show('bird', 'bird');
  await viewer.call('setClip', 'glide');
  const path = join(folder, 'DISC');
  writeFileSync(path, '');
  truncateSync(path, 3 * 2 ** 30); // all of it is searched
  await page.setInputFiles('#choose-files', path);
  const notice = page.locator('#notices .busy');
  await notice.filter({ hasText: 'Reading DISC, 3.2 GB' }).waitFor();
  await page.waitForFunction(() => document.querySelector('#notices progress')?.value > 0);
  await viewer.call('seekFrame', 7); // the page works
  assert.equal((await viewer.stateNow()).frame, 7);
  await notice.getByRole('button', { name: 'Cancel' }).click();
  await viewer.until((state) => !state.reading);
  await viewer.settle();
  assert.equal(await notice.count(), 0);
  const { figures, clip } = await viewer.state();
  assert.deepEqual([figures, clip], [['bird'], 'glide']);
  await viewer.says('#files-count', /^5 files$/);
});

test('an entry of an archive, shown alone by a double click', async () => {
  await viewer.drop('packed/rabbit.pak');
  await viewer.until((state) => state.figure === 'rabbit' && !state.reading);
  const before = await viewer.state();
  await page.locator('#files-list .twisty').first().click();
  const entry = page.locator('#files-list .list-row', { hasText: 'TMD' }).or(page.locator('#files-list .list-row', { hasText: 'tmd' })).first();
  await entry.dblclick();
  await viewer.until((state, count) => state.figures.length === count + 1 && state.scene?.clips.length === 0, before.figures.length);
});

test('an image of a disc opens into the archives in it', async () => {
  await viewer.drop('packed/colossus.iso');
  await viewer.until((state) => state.figure === 'bird_A' && !state.reading);
  for (const name of ['colossus.iso', 'NICO.DAT'])
    await page.locator('#files-list .list-row', { hasText: name }).locator('.twisty').click();
  await page.locator('#files-list .list-row', { hasText: 'bird_A_fly.anb' }).dblclick();
  await viewer.until((state) => state.figure !== 'bird_A' && state.scene?.clips.length === 1);
  await viewer.clear();
});

test('an image of a disc that is larger than the memory of the library is read in slices', async () => {
  const path = join(folder, 'game.iso');
  makeSparseDisc(path, 5 * 2 ** 30 / SECTOR, []);
  await page.setInputFiles('#choose-files', [path, join(samples, 'packed/rabbit.pak')]);
  await viewer.until((state) => state.figure === 'rabbit' && !state.reading);
  await page.locator('#files-list .list-row', { hasText: 'game.iso' }).click();
  await page.locator('#panel-info').getByText('iso9660').first().waitFor();
  await viewer.clear();
});

test('files by the buttons, a folder by its own', async () => {
  await page.setInputFiles('#choose-files', ['bird.skb', 'fly.anb'].map((name) => join(samples, 'bird', name)));
  await viewer.until((state) => state.figure === 'bird' && !state.reading);
  await viewer.clear();
  await page.setInputFiles('#choose-folder', join(samples, 'troll'));
  await viewer.until((state) => state.figure === 'troll' && !state.reading);
  await viewer.says('#files-count', /^61 files$/);
  await page.setInputFiles('#choose-folder', join(samples, 'bird'));
  await viewer.until((state) => state.figures.length === 2 && state.figure === 'bird' && !state.reading);
  await page.locator('#figures-list').getByText('troll').click();
  assert.equal((await viewer.state()).figure, 'troll');
});

test('folders together, and files of all games: every figure is found', async () => {
  await viewer.drop('pedestrian', 'rabbit', 'bird');
  await viewer.until((state) => state.figures.length === 3 && !state.reading);
  assert.deepEqual((await viewer.state()).figures.sort(), ['bird', 'ped', 'rabbit']);
});

// Chromium leaves out LNK files then: see web/page/state/files.js.
test('two folders dropped together, of which the browser leaves out the skeletons: the page says so', async () => {
  await viewer.drop('troll', 'wyvern');
  await page.locator('#notices', { hasText: 'There is no skeleton in troll. This browser leaves out' }).waitFor();
  await viewer.clear();
  await viewer.drop('troll');
  await viewer.until((state) => state.figure === 'troll' && !state.reading);
  await viewer.drop('wyvern');
  await viewer.until((state) => state.figures.length === 2 && state.figure === 'wyvern' && !state.reading);
  assert.equal(await viewer.text('#notices'), '');
});

test('clips can be searched where they are many', async () => {
  const clip = readFileSync(join(samples, 'rabbit/walk0.anm'));
  const many = Array.from({ length: 30 }, (_, i) => writeInto(folder, `many/step${i}.anm`, clip));
  await viewer.show('rabbit', join(samples, 'rabbit/rabbit.tmd'), ...many);
  assert.equal((await viewer.state()).scene.clips.length, 30);
  await page.fill('#clips-search', 'step17');
  const rows = page.locator('#clips-list .list-row');
  await until(async () => assert.equal(await rows.count(), 1));
  await rows.click();
  assert.equal((await viewer.state()).clip, 'step17');
  await page.fill('#clips-search', '');
});
