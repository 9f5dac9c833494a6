// SPDX-License-Identifier: MIT
//
// Every control, by mouse and by key: what it changes in the state, and in the picture.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';

import { assertDiffer, assertSame, difference } from './pictures.mjs';
import { openViewer, root, samples, until, useBrowser } from './support.mjs';

await useBrowser();
const viewer = await openViewer({ size: { width: 1000, height: 560 } });
const { page } = viewer;
await viewer.show('troll', 'troll');

beforeEach(async () => {
  await viewer.call('setClip', 'walk');
  await viewer.call('seekFrame', 5);
  await page.locator('#picture').focus();
});

const press = (key) => page.keyboard.press(key);
const frame = async () => (await viewer.state()).frame;

test('play and pause, by button and by Space', async () => {
  for (const act of [() => page.click('#play'), () => press('Space')]) {
    await viewer.call('seekFrame', 0);
    const before = await viewer.positions();
    await act();
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
    await viewer.until((state) => state.playing && state.time > 0);
    await act();
    await viewer.until((state) => !state.playing);
    const { time } = await viewer.state();
    await viewer.settle();
    assert.equal((await viewer.state()).time, time, 'it goes on after a pause');
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
    assert.notDeepEqual(await viewer.positions(), before);
  }
});

test('steps: a frame, ten, the ends, and round in a loop', async () => {
  for (const [act, expected] of /** @type {[() => Promise<void>, number][]} */ ([
    [() => page.click('#next'), 6],
    [() => press('ArrowRight'), 7],
    [() => page.click('#previous'), 6],
    [() => press('ArrowLeft'), 5],
    [() => press('Shift+ArrowRight'), 15],
    [() => press('Shift+ArrowLeft'), 5],
    [() => press('End'), 23],
    [() => press('ArrowRight'), 0],
    [() => press('ArrowLeft'), 23],
    [() => press('Home'), 0],
    [() => page.click('#last'), 23],
    [() => page.click('#first'), 0],
  ])) {
    await act();
    assert.equal(await frame(), expected, String(act));
  }
  await viewer.says('#counter', /^\/ 23 · 0\.00 s$/);
});

test('the slider: dragged, and by keys', async () => {
  await page.locator('#scrub').hover(); // its middle
  await page.mouse.down();
  const middle = await frame();
  assert.ok(middle >= 10 && middle <= 13, `the middle of 24 frames is not ${middle}`);
  const box = await page.locator('#scrub').boundingBox();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  assert.equal(await frame(), 23);
  await page.locator('#scrub').focus();
  await press('Home');
  assert.equal(await frame(), 0);
  assert.match(await page.getAttribute('#scrub', 'aria-valuetext'), /^frame 0 of 23/);
});

test('speed: the list, and the keys [ and ]', async () => {
  await page.selectOption('#speed', '2');
  assert.equal((await viewer.state()).speed, 2);
  await page.locator('#picture').focus();
  await press(']');
  assert.equal((await viewer.state()).speed, 4);
  await press(']');
  assert.equal((await viewer.state()).speed, 4, 'there is nothing faster');
  for (const expected of [2, 1.5, 1]) {
    await press('[');
    assert.equal((await viewer.state()).speed, expected);
  }
  assert.equal(await page.inputValue('#speed'), '1');
});

test('loop, ping-pong, once: what happens at the end', async () => {
  await page.selectOption('#speed', '4');
  await page.locator('#picture').focus();
  const fromEnd = async () => {
    await viewer.call('seekFrame', 22);
    await press('Space');
  };
  assert.equal((await viewer.state()).mode, 'loop');
  await fromEnd();
  await viewer.until((state) => state.frame < 20);
  assert.ok((await viewer.state()).playing);
  await press('Space');

  await page.click('#mode');
  assert.equal((await viewer.state()).mode, 'ping-pong');
  assert.equal(await page.getAttribute('#mode', 'aria-label'), 'Ping-pong');
  await page.selectOption('#speed', '0.25');
  await page.locator('#picture').focus();
  await viewer.call('seekFrame', 22);
  // Watched from inside the page, which sees every frame that is drawn, however slow the machine is.
  const next = page.evaluate((patience) => new Promise((done) => {
    const look = () => {
      const { frame: shown } = window.ossaViewer.state();
      if (shown < 22) done(shown);
      else requestAnimationFrame(look);
    };
    look();
    setTimeout(() => done(null), patience);
  }), 20_000);
  await press('Space');
  assert.ok((await next) > 11, `it turns round at the end, and does not go to frame ${await next}`);
  await press('Space');

  await press('l');
  assert.equal((await viewer.state()).mode, 'once');
  await fromEnd();
  await viewer.until((state) => !state.playing);
  assert.equal(await frame(), 23, 'once: it stops on the last frame');
  await press('ArrowRight');
  assert.equal(await frame(), 23, 'and does not go round');
  await page.selectOption('#speed', '0.1');
  await page.locator('#picture').focus();
  await press('Space');
  await viewer.until((state) => state.playing && state.frame < 23);
  await press('Space');
  await press('l');
  await page.selectOption('#speed', '1');
  assert.equal((await viewer.state()).mode, 'loop');
});

// The pedestrian walks away: the way along the ground is what in place takes out.
test('in place: the root stays, by button and by key', async () => {
  await viewer.clear();
  await viewer.show('ped', 'pedestrian');
  await viewer.call('setClip', 'walk');
  const hips = async (at) => {
    await viewer.call('seekFrame', at);
    return (await viewer.positions())[0];
  };
  const { frames } = await viewer.state();
  const way = async () => {
    const [a, b] = [await hips(0), await hips(frames - 1)];
    return Math.hypot(a[0] - b[0], a[2] - b[2]);
  };
  assert.ok((await way()) > 0.3, 'with root motion it gets somewhere');
  await page.click('#in-place');
  assert.equal(await page.getAttribute('#in-place', 'aria-pressed'), 'true');
  assert.ok((await way()) < 1e-5, 'in place it stays');
  const heights = [await hips(0), await hips(Math.floor(frames / 4))].map((at) => at[1]);
  await page.locator('#picture').focus();
  await press('i');
  assert.equal((await viewer.state()).view.inPlace, false);
  assert.ok((await way()) > 0.3);
  assert.deepEqual([await hips(0), await hips(Math.floor(frames / 4))].map((at) => at[1]), heights, 'up and down stays');
  await viewer.clear();
  await viewer.show('troll', 'troll');
});

test('bones, names, trail, grid: by button and by key, seen in the picture', async () => {
  await viewer.call('setBone', 'lh3');
  for (const [name, key] of [['bones', 'b'], ['names', 'n'], ['trail', 't'], ['grid', 'g']]) {
    const was = (await viewer.state()).view[name];
    const before = await viewer.picture('#stage', name !== 'names');
    await press(key);
    assert.equal((await viewer.state()).view[name], !was, name);
    const button = page.locator(`button[data-view=${name}]`);
    assert.equal(await button.getAttribute('aria-pressed'), String(!was));
    await assertDiffer(page, before, await viewer.picture('#stage', name !== 'names'), `with and without ${name}`);
    await button.click();
    assert.equal((await viewer.state()).view[name], was, name);
    await assertSame(page, before, await viewer.picture('#stage', name !== 'names'), `${name} twice`);
  }
  await viewer.call('setBone', 'none of them');
});

test('fit, by button and by key, brings the figure back', async () => {
  await press('f');
  const fitted = await viewer.picture();
  for (const act of [() => page.click('#fit'), () => press('f')]) {
    for (let i = 0; i < 8; i++) await press('-');
    await assertDiffer(page, fitted, await viewer.picture(), 'farther away');
    await act();
    await assertSame(page, fitted, await viewer.picture(), 'fitted again');
  }
});

test('the camera, by mouse: drag, wheel, right button, Shift', async () => {
  const box = await page.locator('#picture').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async (button) => {
    await page.mouse.move(x, y);
    await page.mouse.down({ button });
    await page.mouse.move(x + 60, y + 20, { steps: 4 });
    await page.mouse.up({ button });
  };
  await press('f');
  const seen = [await viewer.picture()];
  const record = async (why) => {
    const now = await viewer.picture();
    for (const before of seen) await assertDiffer(page, before, now, why);
    seen.push(now);
  };
  await drag('left');
  await record('a drag turns');
  await drag('right');
  await record('the right button moves');
  await page.keyboard.down('Shift');
  await drag('left');
  await page.keyboard.up('Shift');
  await record('Shift and a drag move');
  await page.mouse.wheel(0, -400);
  await record('the wheel zooms');
  assert.equal((await viewer.state()).bone, -1, 'a drag chooses no bone');
});

test('the camera, by keys: every one of them changes the picture', async () => {
  for (const [there, back] of [
    ['4', '6'],
    ['8', '2'],
    ['Shift+4', 'Shift+6'],
    ['Shift+8', 'Shift+2'],
    ['+', '-'],
  ]) {
    await press('f');
    const before = await viewer.picture();
    await press(there);
    await assertDiffer(page, before, await viewer.picture(), there);
    await press(back);
    await assertSame(page, before, await viewer.picture(), `${there} and ${back}`);
  }
  const views = [];
  for (const key of ['1', '3', '7']) {
    await press(key);
    const now = await viewer.picture();
    for (const before of views) await assertDiffer(page, before, now, key);
    views.push(now);
  }
  await press('f');
});

test('a click on a joint chooses its bone; on nothing, none', async () => {
  await press('1');
  await viewer.settle();
  const box = await page.locator('#picture').boundingBox();
  const places = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7];
  let chosen = -1;
  for (const down of places)
    for (const along of places) {
      if (chosen >= 0) break;
      await page.mouse.click(box.x + box.width * along, box.y + box.height * down);
      chosen = (await viewer.state()).bone;
    }
  assert.ok(chosen >= 0, 'no joint was hit');
  await page.click('#tab-bones');
  await until(async () => assert.equal(await page.locator('#bones-list [aria-selected=true]').count(), 1));
  await page.click('#tab-info');
  await page.mouse.click(box.x + 5, box.y + box.height - 5);
  assert.equal((await viewer.state()).bone, -1);
});

test('light and dark, by button and by key', async () => {
  const dark = await viewer.picture();
  await page.click('#theme');
  assert.equal((await viewer.state()).theme, 'light');
  const light = await viewer.picture();
  assert.ok((await difference(page, dark, light)).mean > 60, 'the picture is light now');
  await press('d');
  assert.equal((await viewer.state()).theme, 'dark');
  await assertSame(page, dark, await viewer.picture(), 'dark again');
});

test('tabs: by mouse, by C and H, by arrows', async () => {
  for (const tab of ['look', 'issues', 'bones', 'curves', 'bytes', 'info']) {
    await page.click(`#tab-${tab}`);
    assert.equal((await viewer.state()).tab, tab);
    assert.ok(await page.locator(`#panel-${tab}`).isVisible());
    assert.equal(await page.locator('[role=tabpanel]:visible').count(), 1);
  }
  await page.locator('#picture').focus();
  for (const [key, tab] of [['c', 'curves'], ['h', 'bytes'], ['h', 'info'], ['c', 'curves'], ['c', 'info']]) {
    await press(key);
    assert.equal((await viewer.state()).tab, tab);
  }
  await page.locator('#tab-info').focus();
  await press('ArrowRight');
  assert.equal((await viewer.state()).tab, 'look');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-look');
  await press('ArrowLeft');
  assert.equal((await viewer.state()).tab, 'info');
});

test('clips: clicked, by arrows; the rest pose is there', async () => {
  const clips = page.locator('#clips-list');
  await clips.getByText('idle', { exact: true }).click();
  assert.equal((await viewer.state()).clip, 'idle');
  await clips.focus();
  await press('ArrowDown');
  assert.equal((await viewer.state()).clip, 'walk');
  await press('Home');
  assert.equal((await viewer.state()).clip, 'dance');
  await press('End');
  const { clip, frames } = await viewer.state();
  assert.deepEqual([clip, frames], [null, 0]);
  assert.ok(await page.locator('#play').isDisabled());
  assert.ok((await viewer.positions()).length === 15);
});

// A press takes longer with people than with programs; the list may be drawn meanwhile.
test('a slow click in a list that was not in focus', async () => {
  const row = page.locator('#clips-list').getByText('idle', { exact: true });
  await viewer.settle(); // the last key may still be moving the list
  await row.hover({ position: { x: 4, y: 4 } });
  await page.mouse.down();
  await viewer.settle();
  await viewer.settle();
  await page.mouse.up();
  await viewer.until((state) => state.clip === 'idle');
});

test('open: the buttons and the key O ask for files', async () => {
  await page.setViewportSize({ width: 1100, height: 560 });
  for (const [name, act, isFolder] of /** @type {[string, () => Promise<void>, boolean][]} */ ([
    ['the button', () => page.click('#open-files'), false],
    ['O', () => press('o'), false],
    ['the other button', () => page.click('#open-folder'), true],
  ])) {
    await page.locator('#picture').focus();
    const asked = page.waitForEvent('filechooser').catch(() => assert.fail(`${name} asks for nothing`));
    await act();
    const chooser = await asked;
    assert.equal(await chooser.element().evaluate((input) => input.webkitdirectory), isFolder);
    assert.equal(chooser.isMultiple(), !isFolder);
    await chooser.setFiles(isFolder ? join(samples, 'troll') : join(samples, 'troll/troll.lnk'));
  }
  await viewer.until((state) => state.figure === 'troll' && !state.reading);
});

test('help: by button and by key; it lists every key that does something', async () => {
  await page.click('#help');
  assert.ok(await page.locator('#help-dialog').isVisible());
  await press('Escape');
  assert.ok(!(await page.locator('#help-dialog').isVisible()));
  await page.locator('#picture').focus();
  await press('?');
  assert.ok(await page.locator('#help-dialog').isVisible());
  const listed = await page.locator('#help-keys kbd').allTextContents();
  await page.locator('#help-dialog button').click();
  const documented = readFileSync(join(root, 'docs/viewer.md'), 'utf8').match(/(?<=^\| `)[^`]+(?=` \|)/gm);
  assert.deepEqual(documented, listed, 'docs/viewer.md has the same');
  const other = await openViewer();
  await other.show('troll', 'troll');
  assert.deepEqual([...listed].sort(), (await keysThatWork(other.page)).sort());
  await other.close();
});

// Every key of a keyboard, pressed on the stage: those that the page takes for itself.
async function keysThatWork(tried) {
  const shown = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→' };
  const keys = [
    ...'abcdefghijklmnopqrstuvwxyz0123456789[]-=+?;\',./`'.split(''),
    ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown',
    'Enter', 'Backspace', 'Delete', 'F1', 'F2',
  ];
  const pressed = [
    ...keys.map((key) => ({ key, shiftKey: false })),
    ...['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].map((key) => ({ key, shiftKey: true })),
    ...[...'!#$%^&*('].map((key, i) => ({ key, shiftKey: true, code: `Digit${[1, 3, 4, 5, 6, 7, 8, 9][i]}` })),
    { key: '@', shiftKey: true, code: 'Digit2' },
    // A letter with Shift means the letter unless it has a meaning of its own: so by their places alone.
    ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((key) => ({ key: '\u00a7', shiftKey: true, code: `Key${key}` })),
  ];
  const taken = await tried.evaluate((events) => {
    const input = HTMLInputElement.prototype;
    const { click } = input;
    input.click = () => {}; // no file chooser
    const found = events.filter(({ key, shiftKey, code }) => {
      const digit = /^\d$/.test(key) ? `Digit${key}` : '';
      const event = new KeyboardEvent('keydown', { key, shiftKey, code: code ?? digit, bubbles: true, cancelable: true });
      document.getElementById('picture').dispatchEvent(event);
      for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
      return event.defaultPrevented;
    });
    input.click = click;
    return found;
  }, pressed);
  const names = taken.map(({ key, shiftKey, code }) => {
    const name = code ? code.slice(-1) : (shown[key] ?? (key.length === 1 ? key.toUpperCase() : key));
    return shiftKey ? `Shift ${name}` : name;
  });
  return names.filter((name) => name !== '='); // the key of + without Shift
}

test('letters in a search field are letters', async () => {
  await viewer.call('seekFrame', 3);
  await page.locator('#files-search').fill('');
  await page.locator('#files-search').pressSequentially('bdg ');
  assert.equal(await page.inputValue('#files-search'), 'bdg ');
  const { theme, playing, view } = await viewer.state();
  assert.deepEqual([theme, playing, view.grid], ['dark', false, true]);
  await page.locator('#files-search').fill('');
});
