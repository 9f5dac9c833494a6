// SPDX-License-Identifier: MIT
//
// What nobody should drop: nothing at all, noise, too much, and names that are code.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { openViewer, run, samples, until, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const viewer = await openViewer();
const { page } = viewer;
const EVIL = '<img src=x onerror="window.hurt=1">';

beforeEach(() => viewer.clear());

async function stillWorks() {
  await viewer.show('bird', 'bird');
  assert.equal((await viewer.positions()).length, 15);
}

// The same noise on every machine.
function noise(size) {
  const blocks = Array.from({ length: Math.ceil(size / 64) }, (_, i) =>
    createHash('sha512').update(`noise ${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, size);
}

test('a file of no bytes', async () => {
  await viewer.drop(writeInto(folder, 'empty.anm', ''));
  await viewer.until((state) => state.file?.word === 'empty.anm');
  await viewer.says('#notices', /empty\.anm/);
  await page.click('#tab-bytes');
  await viewer.says('#hex-field', /no bytes/);
  await stillWorks();
});

test('a file of something else', async () => {
  await viewer.drop(writeInto(folder, 'notes.txt', 'Nothing to see here.\n'));
  await viewer.until((state) => state.file?.word === 'notes.txt');
  await viewer.says('#notices', /The format of notes\.txt is not known/);
  await page.click('#tab-bytes');
  await page.locator('#hex .hex-text [data-at="0"]', { hasText: /^N$/ }).waitFor();
  await stillWorks();
});

test('5 MB of noise, under the name of every kind of file', async () => {
  const bytes = noise(5 << 20);
  const paths = ['anm', 'anb', 'skb', 'tmd', 'res', 'ar', 'pak', 'anim'].map((end, i) =>
    writeInto(folder, `noise.${end}`, i === 0 ? bytes : bytes.subarray(i, 100_000)),
  );
  await viewer.drop(...paths);
  await viewer.until((state) => state.file !== null && !state.reading);
  assert.deepEqual((await viewer.state()).figures, []);
  await page.locator('#files-list').getByText('noise.anm').click();
  await page.click('#tab-bytes');
  await page.locator('#hex .hex-bytes [data-at="0"]', { hasText: bytes[0].toString(16).padStart(2, '0') }).waitFor();
  await page.locator('#hex').focus();
  await page.keyboard.press('End');
  assert.equal((await viewer.state()).cursor, bytes.length - 1);
  await page.locator(`#hex .hex-bytes .cursor[data-at="${bytes.length - 1}"]`).waitFor();
  await stillWorks();
});

test('the same file 300 times', async () => {
  const tree = readFileSync(join(samples, 'rabbit/rabbit.tmd'));
  const clip = readFileSync(join(samples, 'rabbit/hop.anm'));
  const paths = Array.from({ length: 300 }, (_, i) => writeInto(folder, `copies/hop${i}.anm`, clip));
  const started = Date.now();
  await viewer.show('rabbit', writeInto(folder, 'copies/rabbit.tmd', tree), ...paths);
  const { scene } = await viewer.state();
  assert.equal(scene.clips.length, 300);
  assert.ok((await page.locator('#clips-list .list-row').count()) < 100, 'only rows that can be seen exist');
  await page.locator('#clips-list').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  assert.equal((await viewer.state()).clip, scene.clips[299]);
  console.log(`300 files in ${Date.now() - started} ms`);
});

test('names that are code stay names', async () => {
  const copy = (from, name) => ({ path: name, bytes: [...readFileSync(join(samples, from))] });
  const files = [
    copy('bird/bird.skb', `${EVIL}/${EVIL}.skb`),
    copy('bird/fly.anb', `${EVIL}/"><script>window.hurt=2</script>.anb`),
    { path: `${EVIL}.bin`, bytes: [1, 2, 3] },
    { path: `javascript:window.hurt=3.anb`, bytes: [...readFileSync(join(samples, 'bird/fly.anb')).subarray(0, 900)] },
  ];
  await page.evaluate(
    (list) => window.ossaViewer.open(list.map(({ path, bytes }) => ({ path, bytes: new Uint8Array(bytes) }))),
    files,
  );
  await viewer.until((state) => state.figures.length > 0 && !state.reading);
  for (const tab of ['info', 'issues', 'bones', 'curves', 'bytes']) await page.click(`#tab-${tab}`);
  await viewer.settle();
  assert.deepEqual(
    await page.evaluate(() => [window.hurt, document.querySelectorAll('img, body script ~ script:not([id])').length]),
    [undefined, 0],
  );
  assert.ok((await viewer.text('#library')).includes('<img src=x'), 'the name is shown as it is');
  const saved = await Promise.all([page.waitForEvent('download'), (async () => {
    await page.click('#save');
    await page.locator('[data-save=glb]').click();
  })()]);
  assert.match(saved[0].suggestedFilename(), /^[\p{L}\p{N}._-]+\.glb$/u);
});

test('very long names do not push the page apart', async () => {
  const name = `${'long'.repeat(50)}.skb`;
  const long = writeInto(folder, name, readFileSync(join(samples, 'bird/bird.skb')));
  await viewer.drop(long);
  await viewer.until((state) => state.scene !== null);
  assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= window.innerWidth));
  for (const id of ['save', 'help', 'play', 'speed'])
    assert.ok((await page.locator(`#${id}`).boundingBox()).x < 1000, id);
});

// A tree of Evil Islands: a number of names with their parents; arms of 20 parts on the first one.
function bigTree(count) {
  const parts = [];
  const number = (value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const text = (value) => [number(value.length + 1), Buffer.from(`${value}\0`)];
  parts.push(number(count));
  for (let i = 0; i < count; i++)
    parts.push(...text(`b${i}`), ...(i === 0 ? [number(0)] : text(`b${i % 20 === 1 ? 0 : i - 1}`)));
  return Buffer.concat(parts);
}

test('2,000 bones', async () => {
  const lnk = writeInto(folder, 'big/big.lnk', bigTree(2000));
  const bone = readFileSync(join(samples, 'troll/bon/hp.bon'));
  const bones = Array.from({ length: 2000 }, (_, i) => writeInto(folder, `big/bon/b${i}.bon`, bone));
  assert.equal(run('check', lnk, bones[0]).status, 0, run('check', lnk).text);
  await viewer.show('big', join(folder, 'big'));
  await viewer.until((state) => state.scene?.bones === 2000);
  await page.click('#tab-bones');
  await page.fill('#bones-search', 'b1999');
  await until(async () => assert.equal(await page.locator('#bones-list .list-row').count(), 1));
  await page.fill('#bones-search', '');
  await page.locator('#picture').focus();
  await page.keyboard.press('n');
  await viewer.settle();
  await page.keyboard.press('n');
  assert.equal((await viewer.positions()).length, 2000);
});

test('a browser without WebGL: no picture, but everything else', async () => {
  const blind = await openViewer({ hasWebGl: false });
  await blind.show('bird', 'bird');
  assert.match(await blind.text('#notices'), /no WebGL/);
  await blind.page.keyboard.press('Space');
  await blind.until((state) => state.playing && state.time > 0);
  await blind.page.keyboard.press('Space');
  await blind.page.click('#tab-bones');
  await blind.page.locator('#bones-list .list-row').nth(2).click();
  await blind.page.click('#tab-curves');
  assert.ok(await blind.page.locator('#curves-canvas').isVisible());
  assert.ok((await blind.saved('glb')).length > 1000);
  for (const key of ['f', '1', '4', '+', 'n', 't', 'g', 'b', 'i', 'd']) await blind.page.keyboard.press(key);
  await blind.close();
});

test('a page of `ossa view` with such names inside', async () => {
  const evil = '<img src=x onerror=window.hurt=1>';
  for (const name of ['bird.skb', 'fly.anb'])
    writeInto(folder, `inside/${evil}/${name}`, readFileSync(join(samples, 'bird', name)));
  const out = join(folder, 'inside.html');
  const { status, complaints } = run('view', '-q', join(folder, 'inside', evil), '-o', out);
  assert.equal(status, 0, complaints);
  const other = await openViewer({ file: out });
  await other.until((state) => state.figures.length === 1);
  assert.equal(await other.page.evaluate(() => window.hurt), undefined);
  assert.equal(await other.page.locator('img').count(), 0);
  await other.close();
});
