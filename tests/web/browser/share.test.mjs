// SPDX-License-Identifier: MIT
//
// What the share dialog saves, decoded by others: the right number of frames of the right size at the
// right times, transparent where it was asked for, and with the picture of the stage in them. And the
// dialog itself: it can be cancelled, and leaves the stage as it was.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { alphas, apart, framesByFfmpeg, framesByMagick, part, peerTest, probe, unzip } from './decoders.mjs';
import { assertSame } from './pictures.mjs';
import { assertAccessible, openViewer, run, samples, useBrowser, viewerPage, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer({ size: { width: 800, height: 560 } });
const { page } = viewer;
const FPS = 200 / 11; // of the troll
const FRAMES = 6; // of the range

await viewer.show('troll', ...['figures', 'textures', 'database'].map((name) => join(samples, `packed/${name}.res`)));
await viewer.call('setClip', 'walk');
await page.locator('#picture').focus();
await viewer.call('seekFrame', 5);
await page.keyboard.press('e');
await viewer.call('seekFrame', 0);
await page.keyboard.press('a');

/** Set some controls of the dialog; the others stay. It is open afterwards. */
async function choose(kind, settings = {}) {
  if (!(await page.locator('#share-dialog').isVisible())) await page.keyboard.press('m');
  await page.check(`#share-kind-${kind}`);
  for (const [id, value] of Object.entries(settings)) {
    const control = page.locator(`#share-${id}`);
    if (typeof value === 'boolean') await control.setChecked(value);
    else if (typeof value === 'number') await control.fill(String(value));
    else await control.selectOption(value);
  }
}

let count = 0;
/** Save with these settings; the path of the file. */
async function saved(kind, settings) {
  await choose(kind, settings);
  const { name, bytes } = await viewer.downloaded(() => page.click('#share-save'));
  await page.locator('#share-save:enabled').waitFor();
  await viewer.says('#share-status', new RegExp(`^${name} was saved`));
  return writeInto(folder, `${count++}/${name}`, bytes);
}

const TINY = { width: 120, height: 90 };
const differ = (frames) => {
  for (let f = 1; f < frames.length; f++)
    assert.ok(apart(frames[f - 1], frames[f]).mean > 0.05, `frames ${f - 1} and ${f} are the same`);
};
const close = (one, other, mean, why) => {
  const found = apart(one, other);
  assert.ok(found.mean < mean && found.strong < 0.01, `${why}: ${JSON.stringify(found)}`);
};
const close2 = (value, wanted, room) => assert.ok(Math.abs(value - wanted) <= room, `${value} instead of ${wanted}`);

peerTest('the first frame is what the stage shows', async () => {
  const stage = writeInto(folder, 'stage.png', await viewer.picture('#picture'));
  // The upper part has buttons over it.
  /** @type {(pictures: any[]) => any} */
  const lower = ([picture]) => part(picture, 0, Math.floor(picture.height / 2), picture.width, Math.floor(picture.height / 2));
  const seen = lower(framesByFfmpeg(stage));
  close(lower(framesByFfmpeg(await saved('gif', { size: 'view', range: 'range' }))), seen, 3, 'GIF');
  close(lower(framesByFfmpeg(await saved('picture', { size: 'view' }))), seen, 0.1, 'PNG');
});

let pictures; // transparent ones, to compare with

peerTest('a PNG sequence: a file per frame, transparent', async () => {
  const path = await saved('sequence', { lock: false, ...TINY, background: 'none', grid: false, shadow: false });
  const names = unzip(path, join(folder, 'sequence'));
  assert.deepEqual(names, Array.from({ length: FRAMES }, (_, f) => `troll-walk-000${f}.png`));
  pictures = names.map((name) => framesByFfmpeg(join(folder, 'sequence', name))[0]);
  differ(pictures);
  for (const picture of pictures) {
    assert.deepEqual([picture.width, picture.height], [120, 90]);
    const { clear, soft, solid } = alphas(picture);
    assert.ok(clear > 0.6 * 120 * 90 && solid > 400 && soft > 50, JSON.stringify({ clear, soft, solid }));
  }
});

peerTest('APNG: the same pixels exactly, at the rate of the clip', async () => {
  const path = await saved('apng', {});
  const { codec, width, height, times } = probe(path);
  assert.deepEqual([codec, width, height, times.length], ['apng', 120, 90, FRAMES]);
  times.forEach((time, f) => close2(time, f / FPS, 0.001));
  framesByFfmpeg(path).forEach((frame, f) => assert.deepEqual(apart(frame, pictures[f]), { mean: 0, strong: 0 }, `frame ${f}`));
});

peerTest('WebP: soft transparency, whole milliseconds that add up', async () => {
  const { width, height, delays, frames } = framesByMagick(await saved('webp', { quality: 'best' }));
  assert.deepEqual([width, height, frames.length], [120, 90, FRAMES]);
  close2(delays.reduce((sum, delay) => sum + delay), (100 * FRAMES) / FPS, FRAMES); // in whole hundredths
  frames.forEach((frame, f) => close(frame, pictures[f], 2, `frame ${f}`));
  assert.ok(alphas(frames[3]).soft > 50);
});

peerTest('GIF: transparent or not, hundredths that add up, at most 50 per second', async () => {
  const path = await saved('gif', {});
  const { delays, frames } = framesByMagick(path);
  assert.equal(frames.length, FRAMES);
  assert.equal(delays.reduce((sum, delay) => sum + delay), Math.round((100 * FRAMES) / FPS));
  frames.forEach((frame, f) => {
    const { soft, clear } = alphas(frame);
    assert.equal(soft, 0);
    close2(clear / (120 * 90), alphas(pictures[f]).clear / (120 * 90), 0.05); // and nothing is left behind
  });
  const rates = await page.locator('#share-rate option').evaluateAll((options) => options.map((option) => Number(option.value)));
  assert.ok(Math.max(...rates) === 50);
  const opaque = framesByMagick(await saved('gif', { background: '#ffffff', rate: '50' }));
  assert.deepEqual(new Set(opaque.delays), new Set([2]));
  assert.equal(opaque.frames.length, Math.ceil((FRAMES / FPS) * 50));
  await page.locator('#share-rate').selectOption({ index: 0 });
  for (const { data } of opaque.frames) assert.deepEqual([...data.subarray(0, 4)], [255, 255, 255, 255]);
});

peerTest('WebM: exact times, and colours within what video keeps', async () => {
  const path = await saved('webm', { background: '#000000', quality: 'best', width: 121 });
  const { codec, width, height, times, seconds } = probe(path);
  assert.deepEqual([codec, width, height, times.length], ['vp9', 120, 90, FRAMES], 'odd sides become even');
  times.forEach((time, f) => close2(time, f / FPS, 0.001));
  close2(seconds, FRAMES / FPS, 0.005);
  const frames = framesByFfmpeg(path);
  differ(frames);
  const black = (picture) => ({ ...picture, data: picture.data.map((value, i) => (i % 4 === 3 ? 255 : (value * picture.data[i - (i % 4) + 3]) / 255)) });
  frames.forEach((frame, f) => close(frame, black(pictures[f]), 8, `frame ${f}`));
  assert.ok(await page.locator('#share-background [value=none]').isDisabled());
});

peerTest('a contact sheet: cell by cell the frames', async () => {
  const path = await saved('sheet', { background: 'none', width: 120, count: '4', numbers: false });
  const [sheet] = framesByFfmpeg(path);
  assert.deepEqual([sheet.width, sheet.height], [240, 180]);
  for (const [cell, f] of [0, 1, 3, 4].entries())
    close(part(sheet, (cell % 2) * 120, Math.floor(cell / 2) * 90, 120, 90), pictures[f], 0.1, `cell ${cell}`);
  const [numbered] = framesByFfmpeg(await saved('sheet', { numbers: true }));
  assert.ok(apart(sheet, numbered).mean > 0.05);
});

peerTest('a large picture is drawn in tiles that fit together', async () => {
  const [large] = framesByFfmpeg(await saved('picture', { background: 'theme', grid: true, lock: false, width: 2400, height: 240 }));
  const [small] = framesByFfmpeg(await saved('picture', { width: 600, height: 240 }));
  assert.deepEqual([large.width, large.height], [2400, 240]);
  close(part(large, 900, 0, 600, 240), small, 0.5, 'the middle');
  const columns = [2046, 2047, 2048, 2049].map((x) => part(large, x, 0, 1, 240));
  close(columns[1], columns[2], 6, 'the seam');
});

test('rates, ranges and the estimate', async () => {
  const estimate = async (settings) => {
    await choose('gif', settings);
    return viewer.text('#share-estimate');
  };
  const size = { lock: false, width: 64, height: 48 };
  const rate = await page.locator('#share-rate option').first().getAttribute('value');
  assert.equal(await estimate({ ...size, rate, range: 'range' }), '6 frames, 0.33 s, 64 × 48');
  assert.equal(await estimate({ ...size, rate, range: 'all' }), '24 frames, 1.32 s, 64 × 48');
  assert.equal(await estimate({ ...size, rate: '12', range: 'all' }), '16 frames, 1.33 s, 64 × 48');
  assert.equal(await estimate({ ...size, rate, range: 'back' }), '46 frames, 2.53 s, 64 × 48');
  await choose('gif', { size: '480x360' });
  assert.ok(!(await page.isChecked('#share-lock')));
  await page.check('#share-lock');
  const [width, height] = await page.evaluate(() => {
    const { clientWidth, clientHeight } = document.getElementById('picture');
    return [clientWidth, clientHeight];
  });
  assert.equal(await page.inputValue('#share-width'), String(Math.round((360 * width) / height)));
});

test('the preview shows what is chosen', async () => {
  const preview = () => page.locator('#share-preview').screenshot();
  await choose('gif', { size: '240', range: 'range', bones: false, background: '#ffffff' });
  await viewer.settle();
  const plain = await preview();
  await choose('gif', { bones: true, background: '#ffffff' });
  await viewer.settle();
  assert.ok(!plain.equals(await preview()), 'bones');
  const state = await viewer.state();
  assert.equal(state.view.bones, false, 'the stage keeps its own choice');
  await assertAccessible(viewer, 'the share dialog');
});

test('Escape cancels the work, then closes; nothing is saved and the stage is as it was', async () => {
  const downloads = [];
  page.on('download', (download) => downloads.push(download));
  await choose('apng', { size: '1920x1080', range: 'all', bones: true });
  const before = await viewer.state();
  await page.click('#share-save');
  await page.waitForFunction(() => document.getElementById('share-progress').value > 0);
  assert.ok(await page.locator('#share-width').isDisabled());
  await page.keyboard.press('Escape');
  await page.locator('#share-save:enabled').waitFor();
  await viewer.says('#share-status', /^Cancelled\. Nothing was saved\.$/);
  assert.ok(await page.locator('#share-dialog').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!(await page.locator('#share-dialog').isVisible()));
  await viewer.settle();
  const { view, frame, range } = await viewer.state();
  assert.deepEqual({ view, frame, range }, { view: before.view, frame: before.frame, range: before.range });
  assert.equal(downloads.length, 0);
});

test('the same settings give the same bytes, also in the middle of a change of clips', async () => {
  const settings = { lock: false, ...TINY, range: 'all', rate: '10', background: 'theme', grid: true, shadow: true, bones: false };
  await choose('apng', settings);
  const one = await viewer.downloaded(() => page.click('#share-save'));
  await page.locator('#share-save:enabled').waitFor();
  await page.keyboard.press('Escape');
  await viewer.call('setClip', 'idle');
  await page.locator('#picture').focus();
  await page.keyboard.press('Space');
  await viewer.until(({ frame }) => frame > 1);
  await viewer.call('setClip', 'walk'); // fades
  await choose('apng', settings);
  const other = await viewer.downloaded(() => page.click('#share-save'));
  assert.ok(one.bytes.equals(other.bytes));
  await page.locator('#share-save:enabled').waitFor();
});

peerTest('without WebCodecs the film is recorded, and the dialog says so', async () => {
  await page.evaluate(() => Reflect.deleteProperty(window, 'VideoEncoder'));
  await choose('webm', { rate: '10' });
  await viewer.says('#share-note', /real time/);
  const path = await saved('webm', {});
  const { codec, width, height, times } = probe(path);
  assert.match(codec, /^vp[89]$/);
  assert.deepEqual([width, height], [120, 90]);
  assert.ok(times.length >= 2, 'frames that a slow machine has managed');
  await page.keyboard.press('Escape');
});

test('this page: the same page with the files in it, showing the same; and again from there', async () => {
  await viewer.call('setClip', 'idle');
  await viewer.call('setBone', 'hd');
  await viewer.call('seekFrame', 7);
  await page.locator('#picture').focus();
  for (const key of ['4', '4', '8', '+']) await page.keyboard.press(key);
  const original = readFileSync(viewerPage, 'utf8');
  const saveIt = (from) =>
    from.downloaded(async () => {
      await from.page.click('#save');
      await from.page.click('#save-menu [data-save=page]');
    });
  const { name, bytes } = await saveIt(viewer);
  assert.equal(name, 'troll.html');
  const text = bytes.toString();
  const start = original.lastIndexOf('<!-- ossa:data -->');
  assert.ok(text.startsWith(original.slice(0, start)), 'what comes before the data');
  assert.ok(text.endsWith(original.slice(start + '<!-- ossa:data -->'.length)), 'what follows it');
  const other = await openViewer({ file: writeInto(folder, 'saved/troll.html', bytes), size: { width: 800, height: 560 } });
  const mine = await viewer.state();
  const theirs = await other.state();
  for (const key of ['figures', 'figure', 'scene', 'clip', 'frame', 'bone']) assert.deepEqual(theirs[key], mine[key], key);
  await assertSame(page, await other.picture(), await viewer.picture(), 'the stage');
  const again = await saveIt(other);
  assert.ok(again.bytes.equals(bytes), 'saved again, it is the same file');
  await other.close();
});

test('a page of the tool, saved again, has the same title, options and files', async () => {
  const path = join(folder, 'tool.html');
  const { status, complaints } = run('view', 'bird', '-o', path);
  assert.equal(status, 0, complaints);
  const other = await openViewer({ file: path, size: { width: 800, height: 560 } });
  const { bytes } = await other.downloaded(async () => {
    await other.page.click('#save');
    await other.page.click('#save-menu [data-save=page]');
  });
  const dataOf = (file) => JSON.parse(/.*<script type="application\/json" id="ossa-data">([^<]*)<\/script>/s.exec(file.toString())[1]);
  const { start, ...data } = dataOf(bytes);
  assert.deepEqual(data, dataOf(readFileSync(path)));
  assert.match(start, /^#figure=bird&clip=fly&frame=0/);
  await other.close();
});
