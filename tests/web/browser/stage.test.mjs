// SPDX-License-Identifier: MIT
//
// The stage: what is in view, from where, and how it is drawn; bones that are picked on the surface.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { assertDiffer, assertNotEmpty, assertSame, difference } from './pictures.mjs';
import { openViewer, samples, until, useBrowser, viewerPage, writeInto } from './support.mjs';

const { folder } = await useBrowser();
const SMALL = { width: 760, height: 460 };
const viewer = await openViewer({ size: SMALL });
const { page } = viewer;
const press = (key) => page.keyboard.press(key);
const stage = () => viewer.call('stage');
const close = (a, b, why, most = 1e-3) => assert.ok(Math.abs(a - b) < most, `${why}: ${a}, not ${b}`);
const turned = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

beforeEach(() => viewer.clear());

async function show(figure, clip, frame, ...drop) {
  await viewer.show(figure, ...(drop.length > 0 ? drop : [figure]));
  await viewer.call('setClip', clip);
  await viewer.settle();
  await viewer.call('seekFrame', frame);
  await page.locator('#picture').focus();
}

test('another clip that plays elsewhere is in view', async () => {
  await show('rabbit', 'walk1', 0);
  await press('g');
  await press('f');
  await viewer.call('setClip', 'walk0');
  await assertNotEmpty(page, await viewer.picture('#picture'));
  await press('g');
  assert.equal((await stage()).partInView, 1);
});

test('who looks at a detail keeps it in the next clip that has it', async () => {
  await show('ped', 'stand', 0, 'pedestrian');
  for (let i = 0; i < 6; i++) await press('+');
  const before = await stage();
  assert.ok(before.partInView < 0.9);
  await viewer.call('setClip', null); // the rest pose
  await viewer.settle();
  close((await stage()).distance, before.distance, 'the distance');
});

test('a figure without a mesh has bones, though they were switched off before', async () => {
  await show('ped', 'stand', 0, 'pedestrian');
  await press('b');
  await press('b');
  assert.equal((await viewer.state()).view.bones, false);
  await viewer.show('troll', 'troll');
  await press('g');
  await assertNotEmpty(page, await viewer.picture('#picture'));
  await press('g');
  assert.equal((await viewer.state()).view.bones, true);
  await viewer.call('setFigure', 'ped');
  await viewer.settle();
  assert.equal((await viewer.state()).view.bones, false, 'with a mesh, as it was');
});

test('the front is where the face is, at once and by keys and buttons', async () => {
  for (const [figure, drop, z] of /** @type {[string, string, number][]} */ ([['ped', 'pedestrian', -1], ['troll', 'troll', 1]])) {
    await show(figure, 'walk', 0, drop);
    const first = await stage();
    assert.ok(Math.cos(first.round) * z > 0.5, `${figure} faces the viewer`);
    const front = z > 0 ? 0 : Math.PI;
    for (const [key, name, round, up] of [
      ['1', 'front', front, 0],
      ['Shift+1', 'back', front + Math.PI, 0],
      ['3', 'right', front + Math.PI / 2, 0],
      ['Shift+3', 'left', front - Math.PI / 2, 0],
      ['7', 'top', front, Math.PI / 2],
      ['Shift+7', 'bottom', front, -Math.PI / 2],
      ['0', 'home', first.round, first.up],
    ]) {
      await press(key);
      const byKey = await stage();
      assert.ok(turned(byKey.round, round) < 0.01 && Math.abs(byKey.up - up) < 0.01, `${figure}, ${key}`);
      assert.equal(byKey.partInView, 1, `${figure}, ${key}`);
      await press('4');
      await page.click('#views');
      await page.click(`#views-panel [data-look=${name}]`);
      const byButton = await stage();
      assert.ok(turned(byButton.round, round) < 0.01 && Math.abs(byButton.up - up) < 0.01, `${figure}, ${name}`);
      await press('Escape');
      assert.ok(!(await page.locator('#views-panel').isVisible()));
      await page.locator('#picture').focus();
    }
  }
});

test('leaving a camera returns to the view before', async () => {
  const names = ['rabbit/rabbit.tmd', 'rabbit/hop.anm', 'more/stage.anc'];
  const files = names.map((path) => ({ path, base64: readFileSync(join(samples, path)).toString('base64') }));
  const data = { title: 'both', options: {}, files, scenes: [{ name: 'both', words: names, options: {} }] };
  const html = readFileSync(viewerPage, 'utf8').replace(
    '<!-- ossa:data -->',
    () => `<script type="application/json" id="ossa-data">${JSON.stringify(data)}</script>`,
  );
  const other = await openViewer({ size: SMALL, file: writeInto(folder, 'both.html', html) });
  await other.until(({ scene }) => scene?.cameras === 1 && scene.bones === 17);
  await other.call('seekFrame', 0);
  await other.page.locator('#picture').focus();
  for (const key of ['4', '4', '4', '8', '-', 'Shift+6']) await other.page.keyboard.press(key);
  const before = await other.picture('#picture');
  await other.page.locator('#clips-list [title^="Look through"]').click();
  await other.until((state) => state.camera === 0);
  await assertDiffer(other.page, before, await other.picture('#picture'), 'through the camera');
  await other.page.locator('#picture').focus();
  await other.page.keyboard.press('f');
  await other.until((state) => state.camera === -1);
  await other.call('seekFrame', 0);
  await assertSame(other.page, before, await other.picture('#picture'), 'as before');
  await other.close();
});

test('perspective and orthographic: the same place, and keys that work in both', async () => {
  await show('ped', 'stand', 0, 'pedestrian');
  await press('+');
  const before = await stage();
  assert.equal(before.projection, 'perspective');
  await press('5');
  const flat = await stage();
  assert.equal(flat.projection, 'orthographic');
  for (const name of ['round', 'up', 'distance']) close(flat[name], before[name], name);
  await page.locator('#picture').hover();
  for (const [there, back] of [['+', '-'], ['4', '6'], ['Shift+8', 'Shift+2']]) {
    const picture = await viewer.picture('#picture');
    await press(there);
    await assertDiffer(page, picture, await viewer.picture('#picture'), there);
    await press(back);
    await assertSame(page, picture, await viewer.picture('#picture'), `${there} and ${back}`);
  }
  await page.mouse.wheel(0, -300);
  await viewer.settle();
  assert.ok((await stage()).distance < flat.distance * 0.95, 'the wheel zooms');
  await page.click('[data-view=flat]');
  assert.equal((await stage()).projection, 'perspective');
  assert.ok((await stage()).distance < flat.distance * 0.95, 'and that stays');
});

test('shadow, wireframe, normals: by key and by button, seen in the picture', async () => {
  await show('ped', 'stand', 0, 'pedestrian');
  for (const [name, key] of [['shadow', 'Shift+G'], ['wireframe', 'w'], ['normals', 'u']]) {
    const was = (await viewer.state()).view[name];
    const before = await viewer.picture('#picture');
    await press(key);
    assert.equal((await viewer.state()).view[name], !was, name);
    const other = await viewer.picture('#picture');
    const { mean } = await difference(page, before, other); // a shadow is never a strong difference
    assert.ok(mean > 0.05, `with and without ${name}: ${mean} apart`);
    await page.click('#views');
    const button = page.locator(`#views-panel [data-view=${name}]`);
    assert.equal(await button.getAttribute('aria-pressed'), String(!was));
    await button.click();
    await press('Escape');
    await assertSame(page, before, await viewer.picture('#picture'), `${name} twice`);
    await page.locator('#picture').focus();
  }
});

test('no shadow from below', async () => {
  await show('ped', 'run', 0, 'pedestrian');
  assert.equal((await stage()).hasShadow, true);
  const pair = async () => {
    const one = await viewer.picture('#picture');
    await press('Shift+G');
    const other = await viewer.picture('#picture');
    await press('Shift+G');
    return (await difference(page, one, other)).mean;
  };
  assert.ok((await pair()) > 0.01, 'from above');
  await press('Shift+7');
  assert.equal(await pair(), 0, 'from below');
  await press('7');
  assert.ok((await pair()) > 0.01, 'from the top');
});

test('the view follows the figure', async () => {
  await show('ped', 'walk', 0, 'pedestrian');
  const { frames } = await viewer.state();
  const still = (await stage()).target;
  await viewer.call('seekFrame', frames - 1);
  assert.deepEqual((await stage()).target, still);
  await viewer.call('seekFrame', 0);
  await page.click('[data-view=follow]');
  assert.equal((await viewer.state()).view.follow, true);
  const middle = async (frame) => {
    await viewer.call('seekFrame', frame);
    await viewer.settle();
    const { target, partInView } = await stage();
    assert.equal(partInView, 1);
    const [x, , z] = (await viewer.positions())[0];
    return { target, away: [target[0] - x, target[2] - z], place: (await viewer.call('bonePlaces'))[0] };
  };
  const [first, last] = [await middle(0), await middle(frames - 1)];
  assert.ok(Math.hypot(first.target[0] - last.target[0], first.target[2] - last.target[2]) > 0.3);
  first.away.forEach((part, i) => close(part, last.away[i], 'relative to the figure'));
  first.place.forEach((part, i) => assert.ok(Math.abs(part - last.place[i]) < 12, 'in the same place of the view'));
  await press('Shift+F');
  assert.equal((await viewer.state()).view.follow, false);
});

// Halfway from a joint to the next, the surface moves with the first: whichever way its vertices are bound.
for (const [figure, drop, clip, pairs, view] of /** @type {[string, string, string, [string, number, number][], string][]} */ ([
  ['ped', 'pedestrian', 'stand', [['lshin', 11, 12], ['spine', 1, 2], ['rthigh', 14, 15]], '1'],
  ['wyvern', 'wyvern', 'rest', [['lw1', 5, 6], ['rw1', 7, 8]], '7'],
  ['bird', 'bird', 'glide', [['lwing2', 8, 9], ['rwing2', 12, 13]], '7'],
]))
  test(`the surface of ${figure}: its bones are named below the pointer, and selected by a click`, async () => {
    await show(figure, clip, 0, drop);
    await press(view);
    for (const [name, from, to] of pairs)
      for (const isFlat of [false, true]) {
        if ((await viewer.state()).view.flat !== isFlat) await press('5');
        await viewer.settle();
        const places = await viewer.call('bonePlaces');
        const [x, y] = [0, 1].map((i) => (places[from][i] + places[to][i]) / 2);
        const corner = await page.locator('#picture').boundingBox();
        await page.mouse.click(corner.x + 6, corner.y + 6); // on nothing
        const isFirst = from === pairs[0][1] && !isFlat;
        const before = isFirst ? await viewer.picture('#picture', false) : null;
        await page.mouse.move(x, y);
        await viewer.settle();
        assert.equal((await stage()).hovered, from, name);
        if (isFirst) {
          const { mean } = await difference(page, before, await viewer.picture('#picture', false));
          assert.ok(mean > 0, `${name} is marked`);
        }
        await page.mouse.click(x, y);
        assert.equal((await viewer.state()).bone, from, name);
      }
    await press('5');
    const box = await page.locator('#picture').boundingBox();
    await page.mouse.click(box.x + 6, box.y + 6);
    assert.equal((await viewer.state()).bone, -1, 'nothing is there');
    await viewer.settle();
    assert.equal((await stage()).hovered, -1);
  });

test('a joint that is drawn wins over the surface behind it', async () => {
  await show('ped', 'stand', 0, 'pedestrian');
  await press('1');
  if (!(await viewer.state()).view.bones) await press('b');
  await viewer.settle();
  const places = await viewer.call('bonePlaces');
  for (const bone of [5, 11, 15]) {
    await page.mouse.click(places[bone][0] + 2, places[bone][1] - 3);
    assert.equal((await viewer.state()).bone, bone);
  }
  await press('b');
});

test('the axes: a click on an end looks from there, a drag rotates', async () => {
  await show('troll', 'idle', 0);
  await press('0');
  const box = await page.locator('#gizmo').boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(middle[0], middle[1] - 27 * Math.cos((await stage()).up)); // the end of Y
  close((await stage()).up, Math.PI / 2, 'from above', 0.01);
  await press('1');
  const { distance } = await stage();
  await page.mouse.click(middle[0] + 27, middle[1]); // the end of X
  close((await stage()).round, Math.PI / 2, 'from the right', 0.01);
  close((await stage()).distance, distance, 'no zoom');
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 30, middle[1] + 10, { steps: 3 });
  await page.mouse.up();
  assert.ok((await stage()).round < Math.PI / 2 - 0.1);
  assert.ok((await stage()).up > 0.05);
});

test('full screen: the stage and the transport fill the window, and the figure is fitted again', async () => {
  await show('troll', 'idle', 0);
  const wide = () => page.locator('#picture').evaluate((canvas) => canvas.clientWidth);
  const before = await wide();
  await page.click('#full');
  await until(async () => assert.ok((await wide()) > before)); // the browser takes its time
  await viewer.settle();
  assert.ok(!(await page.locator('#library').isVisible()));
  assert.ok(await page.locator('#play').isVisible());
  assert.equal((await stage()).partInView, 1);
  await press('z');
  await page.waitForFunction(() => document.fullscreenElement === null);
  await until(async () => assert.equal(await wide(), before));
  await until(async () => assert.equal(await page.getAttribute('#full', 'aria-pressed'), 'false'));
});

test('a narrow window: the figure that was fitted is fitted again', async () => {
  await show('bird', 'fly', 0);
  for (const size of [{ width: 1300, height: 420 }, { width: 740, height: 760 }, SMALL]) {
    await page.setViewportSize(size);
    await viewer.settle();
    assert.equal((await stage()).partInView, 1, `${size.width} by ${size.height}`);
  }
});

// The driver can change the ratio, but reports it to no media query: so both are played here.
function playMonitors() {
  const queries = [];
  const { matchMedia } = window;
  let ratio = 1;
  Object.defineProperty(window, 'devicePixelRatio', { get: () => ratio });
  window.matchMedia = (text) => {
    if (!text.includes('resolution')) return matchMedia.call(window, text);
    const query = Object.assign(new EventTarget(), { text, matches: true });
    queries.push(query);
    return query;
  };
  window.moveToMonitor = (other) => {
    const before = ratio;
    ratio = other;
    for (const query of queries.splice(0))
      if (query.text.includes(`${before}dppx`)) query.dispatchEvent(new Event('change'));
  };
}

test('another pixel ratio: the picture has the pixels of the screen', async () => {
  const other = await openViewer({ size: SMALL, init: playMonitors });
  await other.show('troll', 'troll');
  const pixels = () =>
    other.page.locator('#picture').evaluate((canvas) => [canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight]);
  for (const ratio of [2, 1.5, 1]) {
    await other.page.evaluate((to) => window.moveToMonitor(to), ratio);
    await other.settle();
    for (const part of await pixels()) close(part, ratio, 'pixels per unit', 0.01);
  }
  await other.close();
});

test('views change by a short flight, unless motion is to be reduced', async () => {
  await show('troll', 'idle', 0);
  await press('1');
  assert.equal((await stage()).isFlying, false);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await press('3');
  assert.equal((await stage()).isFlying, true);
  await page.waitForFunction(() => !window.ossaViewer.stage().isFlying);
  close((await stage()).round, Math.PI / 2, 'it arrives');
  await page.emulateMedia({ reducedMotion: 'reduce' });
});
