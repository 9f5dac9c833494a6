// SPDX-License-Identifier: MIT
//
// The curves: forms of rotations, hidden axes, zoom; from a point to its bytes, and back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertDiffer } from './pictures.mjs';
import { ask, openViewer, useBrowser } from './support.mjs';

await useBrowser();
const viewer = await openViewer();
const { page } = viewer;
const press = (key) => page.keyboard.press(key);
const curves = async () => (await viewer.state()).curves;
const canvas = page.locator('#curves-canvas');

async function show(figure, bone) {
  await viewer.clear();
  await viewer.show(figure, figure);
  await viewer.call('setBone', bone);
  await page.click('#tab-curves');
  await viewer.settle();
}

/** Where a point is on the screen, by the same numbers that draw it. */
async function place(channel, frame, value) {
  const { window: time, plots } = await curves();
  const { box, shown } = plots.find((one) => one.channel === channel);
  const { x, y } = await canvas.boundingBox();
  return {
    x: x + box.x + ((frame - time.low) / (time.high - time.low)) * box.width,
    y: y + box.y + box.height - ((value - shown.low) / (shown.high - shown.low)) * box.height,
  };
}

const valueOf = async (channel, axis) =>
  Number(await page.locator(`#curve-${channel}-${axis} .value`).textContent());

test('rotations: every form says what it is, and Euler angles mean the rotation of the tool', async () => {
  await show('troll', 'hd');
  const names = await page.locator('#curves-as option').allTextContents();
  assert.deepEqual([names[0], names[1], names.at(-1)], ['Rotation vector', 'Euler angles ZXY', 'Quaternion']);
  await page.selectOption('#curves-as', 'ZXY');
  await viewer.call('seekFrame', 7);
  await viewer.settle();
  assert.equal((await curves()).plots[0].title, 'Euler angles ZXY (°)');
  assert.match(await page.getAttribute('#curves-as', 'title'), /Rz · Rx · Ry/);
  const { rotation } = ask('pose', '--json', '--space', 'local', '--clip', (await viewer.state()).clip, '--frame', '7', 'troll').bones.find(({ name }) => name === 'hd');
  const half = (degrees) => (degrees * Math.PI) / 360;
  const [x, y, z] = [await valueOf('rotation', 'x'), await valueOf('rotation', 'y'), await valueOf('rotation', 'z')].map(half);
  // q = qz · qx · qy
  const [sx, cx, sy, cy, sz, cz] = [x, y, z].flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
  const q = [cz * sx * cy - sz * cx * sy, sz * sx * cy + cz * cx * sy, cz * sx * sy + sz * cx * cy, cz * cx * cy - sz * sx * sy];
  const dot = Math.abs(q.reduce((sum, part, i) => sum + part * rotation[i], 0));
  assert.ok(dot > 1 - 1e-6, `${q} is not ${rotation}`);
  await page.selectOption('#curves-as', 'vector');
});

test('an axis is hidden by its name, with the mouse and the keyboard', async () => {
  const before = await viewer.picture('#curves-canvas');
  const x = page.locator('#curve-rotation-x');
  await x.click();
  assert.equal(await x.getAttribute('aria-pressed'), 'false');
  await assertDiffer(page, before, await viewer.picture('#curves-canvas'), 'a hidden axis');
  assert.deepEqual((await curves()).plots[0].hidden, ['x']);
  await x.focus();
  await press('Enter');
  assert.equal(await x.getAttribute('aria-pressed'), 'true');
  assert.deepEqual((await curves()).plots[0].hidden, []);
});

test('zoom: the wheel in time, with Shift in height; drag with Shift; all again', async () => {
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 80);
  await page.mouse.wheel(0, -300);
  const near = await curves();
  assert.ok(near.window.high - near.window.low < 47, JSON.stringify(near.window));
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, -300);
  const high = await curves();
  assert.deepEqual(high.window, near.window);
  assert.ok(high.plots[0].shown.high < near.plots[0].shown.high);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + 80, { steps: 2 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const moved = await curves();
  assert.ok(moved.window.low < high.window.low);
  await page.click('#curves-fit');
  assert.deepEqual((await curves()).window, { low: 0, high: 47 });
  await viewer.settle();
  assert.ok(await page.locator('#curves-fit').isDisabled());
  await canvas.focus();
  await press('+');
  assert.ok((await curves()).window.high - (await curves()).window.low < 47);
  await press('0');
  assert.deepEqual((await curves()).window, { low: 0, high: 47 });
  await page.click('#curves-in');
  await page.click('#curves-out');
  assert.deepEqual((await curves()).window, { low: 0, high: 47 });
});

test('the pointer reads a frame and its values', async () => {
  const { x, y } = await place('rotation', 20, 0);
  await page.mouse.move(x, y);
  const tip = page.locator('#curves-tip');
  await tip.filter({ hasText: 'frame 20' }).waitFor();
  assert.match(await viewer.text('#curves-tip'), /^frame 20 · 1\.10 s\n([xyz] -?\d+\.\d+( {2})?)+$/);
  await page.mouse.move(5, 5);
  await tip.waitFor({ state: 'hidden' });
});

test('what the pointer reads is never cut off', async () => {
  await page.selectOption('#curves-as', 'quaternion');
  await viewer.settle();
  const panel = await canvas.boundingBox();
  const { box } = (await curves()).plots[0];
  let most = 0; // values in one line: away from the curves there are those of all axes
  for (const along of [0.02, 0.3, 0.45, 0.49, 0.51, 0.7, 0.98])
    for (const down of [0.2, 0.4, 0.6, 0.8]) {
      await page.mouse.move(panel.x + box.x + along * box.width, panel.y + box.y + down * box.height);
      await page.locator('#curves-tip').filter({ hasText: /frame \d+ / }).waitFor();
      await viewer.settle();
      const tip = await page.locator('#curves-tip').boundingBox();
      assert.ok(tip.x >= panel.x && tip.x + tip.width <= panel.x + panel.width + 0.5, `${along}: ${JSON.stringify({ tip, panel })}`);
      most = Math.max(most, (await viewer.text('#curves-tip')).match(/[xyzw] /g).length);
    }
  assert.equal(most, 4);
  await page.selectOption('#curves-as', 'vector');
  await page.mouse.move(5, 5);
  await viewer.settle();
});

// Of each game, a value that its clip stores, and the bytes of it by the tool's own fields.
for (const { figure, from = figure, bone, channel, axis, frame } of [
  { figure: 'troll', bone: 'hd', channel: 'rotation', axis: 'x', frame: 12 },
  { figure: 'rabbit', bone: null, channel: 'translation', axis: 'y', frame: 5 },
  { figure: 'bird', bone: 'head', channel: 'rotation', axis: 'y', frame: 9 },
  { figure: 'ped', from: 'pedestrian', bone: null, channel: 'rotation', axis: 'x', frame: 4 },
]) {
  test(`${figure}: from a point to its bytes, and back`, async () => {
    await viewer.clear();
    await viewer.show(figure, from);
    if (bone) await viewer.call('setBone', bone);
    else {
      await page.click('#tab-bones');
      await page.locator('#bones-list .list-row').nth(3).click();
    }
    const chosen = (await viewer.state()).bone;
    await page.click('#tab-curves');
    await viewer.call('seekFrame', frame);
    await viewer.settle();
    const at = await place(channel, frame, await valueOf(channel, axis));
    await viewer.call('seekFrame', 0);
    await page.mouse.click(at.x, at.y);
    await viewer.until((state, wanted) => state.frame === wanted && state.curves.point?.frame === wanted, frame);
    assert.equal((await curves()).point.channel, channel);
    await page.locator('#curves-bytes').waitFor();
    const said = /(\d+) bytes? from 0x([0-9a-f]+) of/.exec(await viewer.text('#curves-point .aside'));
    await page.click('#curves-bytes');
    const offset = parseInt(said[2], 16);
    const { file } = await viewer.until((state, wanted) => state.tab === 'bytes' && state.cursor === wanted, offset);
    await page.locator('.hex-bytes .sought').first().waitFor();
    assert.equal(await page.locator('.hex-bytes .sought').count(), Number(said[1]), 'all bytes of the key are marked');
    const { fields } = ask('fields', '--json', file.word);
    assert.ok(fields.some((one) => one.offset <= offset && offset < one.offset + one.size), `no field at ${offset}`);

    // Back, from another clip, another bone and another frame. The selected file follows the clip.
    const { clip, scene } = await viewer.state();
    await viewer.call('setBone', 'no such bone');
    await viewer.call('setClip', scene.clips.find((name) => name !== clip));
    if ((await viewer.state()).file.word !== file.word)
      await page.locator('#files-list .list-row', { hasText: file.word.split('/').pop() }).click();
    await viewer.until((state, word) => state.file.word === word, file.word);
    await page.fill('#hex-offset', `0x${offset.toString(16)}`);
    await press('Enter');
    await page.locator('#hex-key').waitFor();
    assert.match(await viewer.text('#hex-key'), new RegExp(`^${channel} of .*, frame ${frame} of ${clip}`));
    await page.click('#hex-curves');
    const now = await viewer.until((state) => state.tab === 'curves' && state.curves.point !== null);
    assert.deepEqual([now.clip, now.bone, now.frame, now.curves.point], [clip, chosen, frame, { channel, axis: null, frame }]);
  });
}

test('by the keyboard: a curve is selected, Enter shows its bytes', async () => {
  await show('troll', 'hd');
  await viewer.call('seekFrame', 3);
  await canvas.focus();
  await press('ArrowDown');
  assert.deepEqual((await curves()).point, { channel: 'rotation', axis: 'x', frame: 3 });
  await press('ArrowRight');
  await viewer.until((state) => state.curves.point?.frame === 4);
  for (let i = 0; i < 3; i++) await press('ArrowDown');
  assert.equal((await curves()).point.channel, 'translation');
  await page.waitForFunction(() => /Not stored/.test(document.getElementById('curves-point').textContent));
  assert.equal(await page.locator('#curves-bytes').count(), 0);
  await press('ArrowUp');
  await press('Enter');
  await viewer.until((state) => state.tab === 'bytes' && state.cursor > 0);
  await page.click('#tab-curves');
  await canvas.focus();
  await press('Escape');
  assert.equal((await curves()).point, null);
});

test('a double click: on a point its bytes, elsewhere everything', async () => {
  await viewer.call('seekFrame', 10);
  await viewer.settle();
  await page.click('#curves-in');
  await viewer.settle();
  const { plots } = await curves();
  const box = await canvas.boundingBox();
  await page.mouse.dblclick(box.x + 100, box.y + plots[0].box.y + plots[0].box.height + 10);
  assert.deepEqual((await curves()).window, { low: 0, high: 47 });
  await viewer.settle();
  await viewer.call('seekFrame', 10);
  await viewer.settle();
  const { x, y } = await place('rotation', 10, await valueOf('rotation', 'z'));
  await page.mouse.dblclick(x, y);
  await viewer.until((state) => state.tab === 'bytes');
});
