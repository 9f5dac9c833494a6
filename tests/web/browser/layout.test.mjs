// SPDX-License-Identifier: MIT
//
// The page on a phone, upright and on its side, on a tablet and on a desk: nothing is cut, nothing
// covers anything else, fingers hit what they want, and the panels come and go.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNotEmpty } from './pictures.mjs';
import { assertAccessible, openViewer, useBrowser } from './support.mjs';

await useBrowser();

const SIZES = [
  { name: 'phone', width: 390, height: 844, touch: true },
  { name: 'phone on its side', width: 844, height: 390, touch: true },
  { name: 'tablet', width: 834, height: 1112, touch: true },
  { name: 'small window', width: 900, height: 700, touch: false },
  { name: 'desk', width: 1440, height: 900, touch: false },
];
const AXE = [SIZES[0], SIZES[4]]; // it takes a while
const LEAST_STAGE = 340;
const LEAST_TARGET = 44;

// One viewer per size for all tests, without files in the beginning.
const opened = new Map();
async function emptyViewer({ name, width, height, touch }, theme = 'dark') {
  const key = `${name} ${theme}`;
  if (!opened.has(key)) opened.set(key, await openViewer({ size: { width, height }, touch, theme }));
  const viewer = opened.get(key);
  await resize(viewer, { width, height });
  if (await isSeen(viewer, '#library')) await viewer.clear();
  else await viewer.page.evaluate(() => document.getElementById('clear').click());
  await viewer.until(({ figures, file }) => figures.length === 0 && file === null);
  return viewer;
}

async function resize(viewer, { width, height }) {
  await viewer.page.setViewportSize({ width, height });
  await viewer.settle();
}

/** What can be pressed and is seen: where it is, and what is wrong with that. */
function measure(viewer, least) {
  return viewer.page.evaluate((smallest) => {
    const wrong = [];
    const nameOf = (element) => element.id || element.getAttribute('aria-label') || element.textContent.trim().slice(0, 30);
    const scrolls = (element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      return [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll');
    };
    // The part of the window in which an element is seen; whoever scrolls may hide a part of it.
    const clip = (element) => {
      let box = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight, isScrolled: false };
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).position === 'fixed') break;
        if (scrolls(at)) return { ...box, isScrolled: true };
        if (getComputedStyle(at).overflow === 'hidden') {
          const { left, top, right, bottom } = at.getBoundingClientRect();
          box = { left: Math.max(left, box.left), top: Math.max(top, box.top), right: Math.min(right, box.right), bottom: Math.min(bottom, box.bottom), isScrolled: false };
        }
      }
      return box;
    };
    const kinds = 'button, select, input:not([type=file]), summary, .list-row, .counter, .bar h1, #timeline';
    const seen = [...document.querySelectorAll(kinds)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const boxes = seen.map((element) => ({ element, box: element.getBoundingClientRect(), within: clip(element) }));
    for (const { element, box, within } of boxes) {
      const where = `${nameOf(element)} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`;
      if (!within.isScrolled && (box.left < within.left - 0.5 || box.top < within.top - 0.5 || box.right > within.right + 0.5 || box.bottom > within.bottom + 0.5))
        wrong.push(`cut: ${where}`);
      if (element.matches('button') && element.scrollWidth > element.clientWidth + 1) wrong.push(`text cut: ${where}`);
      if (smallest && element.matches('button, select, input, summary, .list-row, #timeline') && Math.min(box.width, box.height) < smallest - 0.5)
        wrong.push(`small: ${where}`);
    }
    const still = boxes.filter(({ element, within }) => !within.isScrolled && !element.matches('.list-row'));
    still.forEach((one, index) => {
      for (const other of still.slice(index + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const over = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (over > 1 && down > 1) wrong.push(`overlap: ${nameOf(one.element)} and ${nameOf(other.element)}`);
      }
    });
    if (document.scrollingElement.scrollWidth > window.innerWidth) wrong.push('the page is too wide');
    return { wrong, count: seen.length };
  }, least);
}

async function assertFits(viewer, what, least) {
  const { wrong, count } = await measure(viewer, least);
  assert.deepEqual(wrong, [], what);
  assert.ok(count >= 5, `${what}: only ${count} controls are seen`);
}

const boxOf = (viewer, selector) => viewer.page.locator(selector).boundingBox();
const isSeen = (viewer, selector) => viewer.page.locator(selector).isVisible();

for (const size of SIZES) {
  const least = size.touch ? LEAST_TARGET : 0;
  test(`${size.name}: nothing is cut or covered, and the stage has room`, async () => {
    const viewer = await emptyViewer(size);
    await assertFits(viewer, 'empty', least);
    await viewer.show('wyvern', 'wyvern');
    await viewer.settle();
    await assertFits(viewer, 'a figure', least);
    const stage = await boxOf(viewer, '#stage');
    assert.ok(stage.width >= LEAST_STAGE && stage.height >= 200, JSON.stringify(stage));
    if (AXE.includes(size)) await assertAccessible(viewer, 'a figure');
    const picture = await viewer.picture('#picture');
    await assertNotEmpty(viewer.page, picture);
    for (const [button, panel] of [['more', 'more-panel'], ['playback', 'playback-panel']]) {
      if (!(await isSeen(viewer, `#${button}`))) continue;
      await viewer.page.click(`#${button}`);
      assert.ok(await isSeen(viewer, `#${panel}`));
      const box = await boxOf(viewer, `#${panel}`);
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height, JSON.stringify(box));
      if (least)
        for (const item of await viewer.page.locator(`#${panel} :is(button, select)`).all())
          assert.ok((await item.boundingBox()).height >= least, await item.getAttribute('id'));
      if (AXE.includes(size)) await assertAccessible(viewer, button);
      await viewer.page.keyboard.press('Escape');
      assert.ok(!(await isSeen(viewer, `#${panel}`)));
      assert.equal(await viewer.page.evaluate(() => document.activeElement.id), button, 'the focus returns');
    }
    });
}

test('every width: the invitation is seen whole, and the stage has room', async () => {
  const viewer = await emptyViewer(SIZES[3]);
  const { page } = viewer;
  const sizes = [[360, 740], [640, 360], [700, 600], [768, 1024], [844, 390], [999, 620], [1000, 700]];
  for (const [width, height] of sizes) {
    await resize(viewer, { width, height });
    for (const part of ['#welcome h2', '#welcome-files', '#welcome-folder']) {
      const box = await boxOf(viewer, part);
      const isInside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
      assert.ok(isInside, `${width} x ${height}: ${part} is cut: ${JSON.stringify(box)}`);
      const isTop = await page.locator(part).evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
      });
      assert.ok(isTop, `${width} x ${height}: ${part} is covered`);
    }
  }
  await viewer.show('bird', 'bird');
  for (const [width, height] of sizes) {
    await resize(viewer, { width, height });
    const stage = await boxOf(viewer, '#stage');
    assert.ok(stage.width >= Math.min(LEAST_STAGE, width), `${width} x ${height}: ${JSON.stringify(stage)}`);
    assert.ok(stage.height >= 180, `${width} x ${height}: ${JSON.stringify(stage)}`);
  }
});

test('light: the same, where words would be cut first', async () => {
  const viewer = await emptyViewer(SIZES[0], 'light');
  await assertFits(viewer, 'empty', LEAST_TARGET);
  await assertAccessible(viewer, 'empty, light');
  await viewer.show('wyvern', 'wyvern');
  await assertFits(viewer, 'a figure', LEAST_TARGET);
  await assertAccessible(viewer, 'a figure, light');
});

test('a desk: both panels are hidden and shown, by buttons and by keys', async () => {
  const viewer = await emptyViewer(SIZES[4]);
  await viewer.show('bird', 'bird');
  const { page } = viewer;
  const width = async () => (await boxOf(viewer, '#stage')).width;
  const before = await width();
  for (const [panel, button, key] of [['library', 'toggle-library', 'q'], ['inspector', 'toggle-inspector', 'p']])
    for (const act of [() => page.click(`#${button}`), () => page.keyboard.press(key)]) {
      await page.locator('#picture').focus();
      await act();
      assert.ok(!(await isSeen(viewer, `#${panel}`)), `${panel} is hidden`);
      assert.equal(await page.getAttribute(`#${button}`, 'aria-expanded'), 'false');
      assert.ok((await width()) > before + 100, 'the stage has its room');
      await act();
      assert.ok(await isSeen(viewer, `#${panel}`));
      assert.equal(await width(), before);
    }
  // With Shift a letter may be another key.
  const view = async () => (await viewer.state()).view;
  const { inPlace, travel } = await view();
  await page.keyboard.press('Shift+I');
  assert.deepEqual([(await view()).inPlace, (await view()).travel], [inPlace, !travel]);
  await page.keyboard.press('Shift+I');
  // A key that opens a tab shows the panel, too.
  await page.keyboard.press('p');
  await page.keyboard.press('c');
  assert.ok(await isSeen(viewer, '#panel-curves'));
  assert.equal((await viewer.state()).tab, 'curves');
});

test('a small window: one panel beside the stage, the library over it', async () => {
  const viewer = await emptyViewer(SIZES[3]);
  await viewer.show('bird', 'bird');
  const { page } = viewer;
  const stage = () => boxOf(viewer, '#stage');
  const seen = async () => [await isSeen(viewer, '#library'), await isSeen(viewer, '#inspector')];
  assert.deepEqual(await seen(), [true, false]);
  await page.click('#toggle-inspector');
  assert.deepEqual(await seen(), [false, true], 'one of them');
  const docked = await stage();
  assert.ok(docked.width >= LEAST_STAGE && docked.width < 900, JSON.stringify(docked));
  await page.click('#toggle-library');
  assert.deepEqual(await seen(), [true, true]);
  assert.deepEqual(await stage(), docked, 'a drawer takes no room from the stage');
  const drawer = await boxOf(viewer, '#library');
  assert.ok(drawer.x === 0 && drawer.width < docked.width, JSON.stringify(drawer));
  await assertAccessible(viewer, 'a drawer');
  await page.locator('#clips-list').focus();
  await page.keyboard.press('Escape');
  assert.deepEqual(await seen(), [false, true]);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'toggle-library');
  await page.click('#toggle-inspector');
  assert.deepEqual(await seen(), [true, false], 'what made room for it comes back');
  await page.click('#toggle-library');
  assert.equal((await stage()).width, 900);
  // What was hidden only for want of room comes back in a larger window.
  await page.click('#toggle-library');
  await page.click('#toggle-inspector');
  await resize(viewer, { width: 1440, height: 900 });
  assert.deepEqual(await seen(), [true, true]);
  await resize(viewer, { width: 900, height: 700 });
  assert.deepEqual(await seen(), [false, true], 'the one that was used last');
  await page.click('#toggle-inspector');
});

test('a phone is rotated: there is always a panel with something in it', async () => {
  const viewer = await emptyViewer(SIZES[0]);
  await viewer.show('troll', 'troll');
  const { page } = viewer;
  const [upright, aside] = SIZES.map(({ width, height }) => ({ width, height }));
  assert.equal((await viewer.state()).tab, 'library');
  await resize(viewer, aside);
  if (!(await isSeen(viewer, '.inspector'))) await page.click('#toggle-inspector');
  assert.equal(await page.locator('.inspector [role=tabpanel]:visible').count(), 1, 'the inspector is empty');
  assert.equal((await viewer.state()).tab, 'info');
  await viewer.says('#panel-info', /troll/);
  assert.equal(await page.locator('[role=tab][aria-selected=true]:visible').count(), 1);
  await page.click('#tab-bones');
  await resize(viewer, upright);
  assert.equal((await viewer.state()).tab, 'bones');
  assert.ok(await isSeen(viewer, '#bones-list'));
  await page.click('#tab-library');
  assert.ok(await isSeen(viewer, '#clips-list'));
  await resize(viewer, aside);
  assert.equal((await viewer.state()).tab, 'bones');
  await resize(viewer, upright);
  assert.equal((await viewer.state()).tab, 'library');
  // The sheet closes and opens; a tab opens it, too.
  const height = async () => (await boxOf(viewer, '#stage')).height;
  const before = await height();
  await page.click('#toggle-sheet');
  assert.ok((await height()) > before + 200);
  assert.ok(!(await isSeen(viewer, '#library')));
  await page.click('#tab-library');
  assert.equal(await height(), before);
});

test('what stands on the right of a row is flush', async () => {
  for (const size of [SIZES[0], SIZES[4]]) {
    const viewer = await emptyViewer(size);
    await viewer.show('wyvern', 'wyvern');
    const gaps = await viewer.page.evaluate(() =>
      [...document.querySelectorAll('.list-row .aside')]
        .filter((aside) => aside.checkVisibility() && aside.textContent)
        .map((aside) => {
          const range = document.createRange();
          range.selectNodeContents(aside);
          return Math.round(aside.closest('.list-row').getBoundingClientRect().right - range.getBoundingClientRect().right);
        }),
    );
    assert.ok(gaps.length >= 2, 'there are some');
    assert.deepEqual([...new Set(gaps)], [7], `${size.name}: ${gaps}`);
    }
});

test('the title of the window says what is shown', async () => {
  const viewer = await emptyViewer(SIZES[4]);
  assert.equal(await viewer.page.title(), 'Ossa viewer');
  await viewer.show('rabbit', 'rabbit');
  await viewer.call('setClip', 'walk1');
  await viewer.until(({ clip }) => clip === 'walk1');
  assert.equal(await viewer.page.title(), 'rabbit, walk1 - Ossa');
  await viewer.clear();
  assert.equal(await viewer.page.title(), 'Ossa viewer');
});

test('the empty page: what to open, and one to try', async () => {
  const viewer = await emptyViewer(SIZES[1]);
  const { page } = viewer;
  const games = await page.locator('#welcome-formats tr').allTextContents();
  assert.ok(games.length >= 5, 'every game of the library');
  for (const game of games) assert.match(game, /[A-Z]{2,}/);
  await page.click('#welcome-sample');
  await viewer.until(({ scene, reading }) => scene !== null && !reading);
  const { scene, frames } = await viewer.state();
  assert.ok(scene.meshes > 0 && scene.clips.length > 1 && frames > 1);
  assert.ok(!(await isSeen(viewer, '#welcome')));
  await assertNotEmpty(page, await viewer.picture('#picture'));
});

test('a model or a camera alone: what is seen, and what to add', async () => {
  const viewer = await emptyViewer(SIZES[3]);
  for (const [figure, path, said] of /** @type {[string, string, RegExp][]} */ ([
    ['rabbit', 'rabbit/rabbit.tmd', /same point.*Add ANM files to see it move/],
    ['flight', 'more/flight.cam', /camera path alone.*Add LNK, BON and FIG files/],
    ['ped', 'pedestrian/ped.skel', /skeleton alone.*Add ANIM files/],
  ])) {
    await viewer.show(figure, path);
    assert.ok(await isSeen(viewer, '#hint'), path);
    await viewer.says('#hint', said);
    const [hint, stage] = [await boxOf(viewer, '#hint'), await boxOf(viewer, '#stage')];
    assert.ok(hint.x >= stage.x && hint.x + hint.width <= stage.x + stage.width, path);
    await viewer.clear();
  }
  await viewer.show('rabbit', 'rabbit');
  assert.ok(!(await isSeen(viewer, '#hint')), 'with its clips nothing needs to be said');
});
