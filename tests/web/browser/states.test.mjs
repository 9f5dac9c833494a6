// SPDX-License-Identifier: MIT
//
// How the page looks: every state, in four windows and both themes, against references (sheets.mjs).
// When a change of the look is meant, `make pictures-web` writes them anew; look at them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { makeFigures } from '../figures.mjs';
import { assertSheet } from './sheets.mjs';
import { openViewer, samples, tool, useBrowser, writeInto } from './support.mjs';

const { folder } = await useBrowser();
makeFigures(folder, tool);
const whole = readFileSync(join(samples, 'rabbit/hop.anm'));
const cut = writeInto(folder, 'cut/hop.anm', whole.subarray(0, whole.length / 2));

// A phone that is rotated, and a window that grows.
const WINDOWS = [
  [{ width: 390, height: 844 }, { width: 844, height: 390 }],
  [{ width: 900, height: 700 }, { width: 1440, height: 900 }],
];

// A click that neither a dialog nor the size of the window is in the way of.
const click = (viewer, id) => viewer.page.evaluate((name) => document.getElementById(name).click(), id);

async function clear(viewer) {
  await click(viewer, 'clear');
  await viewer.until(({ figures, file }) => figures.length === 0 && file === null);
}

async function pose(viewer, clip, frame) {
  await viewer.call('setClip', clip);
  await viewer.call('seekFrame', frame);
}

/** @type {Record<string, (viewer: import('./support.mjs').Viewer) => Promise<any>>} */
const states = {
  empty: async () => {},
  mesh: async (viewer) => {
    await viewer.open('wyvern', 'wyvern');
    await pose(viewer, 'fly', 3);
    await click(viewer, 'tab-info');
  },
  share: async (viewer) => {
    await viewer.page.evaluate(() => document.querySelector('[data-save=share]').click());
    await viewer.page.locator('#share-dialog').waitFor();
    return async () => {
      await click(viewer, 'share-close');
      await viewer.page.locator('#share-dialog').waitFor({ state: 'hidden' });
    };
  },
  views: async (viewer) => {
    await click(viewer, 'views');
    await viewer.page.locator('#views-panel').waitFor();
    return () => click(viewer, 'views');
  },
  save: async (viewer) => {
    await click(viewer, 'save');
    await viewer.page.locator('#save-menu').waitFor();
    return async () => {
      await viewer.page.keyboard.press('Escape');
      await viewer.page.locator('#save').blur(); // it has the focus again
    };
  },
  skeleton: async (viewer) => {
    await clear(viewer);
    await viewer.open('troll', 'troll');
    await pose(viewer, 'walk', 6);
    await click(viewer, 'tab-library');
  },
  bones: async (viewer) => {
    await viewer.call('setBone', 'lh3');
    for (const key of ['n', 't']) await viewer.page.keyboard.press(key);
    await click(viewer, 'tab-bones');
    return async () => {
      for (const key of ['n', 't']) await viewer.page.keyboard.press(key);
    };
  },
  curves: (viewer) => click(viewer, 'tab-curves'),
  help: async (viewer) => {
    await click(viewer, 'help');
    return () => viewer.page.keyboard.press('Escape');
  },
  question: async (viewer) => {
    await clear(viewer);
    await viewer.open('fly', 'bird/fly.anb');
    await pose(viewer, 'fly', 10);
  },
  archive: async (viewer) => {
    await clear(viewer);
    await viewer.open('troll', 'packed/figures.res', 'packed/textures.res');
    await pose(viewer, 'walk', 6);
    await viewer.page.locator('#files-list .twisty').first().evaluate((twisty) => twisty.click());
    await click(viewer, 'tab-info');
  },
  look: async (viewer) => {
    await clear(viewer);
    await viewer.open('officer', join(folder, 'officer'));
    await viewer.call('seekFrame', 3);
    await click(viewer, 'tab-look');
  },
  camera: async (viewer) => {
    await clear(viewer);
    await viewer.open('flight', 'more');
    await viewer.call('seekFrame', 20);
    await click(viewer, 'tab-library');
  },
  bytes: async (viewer) => {
    await clear(viewer);
    await viewer.open('rabbit', 'rabbit');
    await viewer.call('seekFrame', 5);
    await click(viewer, 'tab-bytes');
  },
  damaged: async (viewer) => {
    await clear(viewer);
    await viewer.give(cut);
    await viewer.until(({ tab, file, reading }) => tab === 'bytes' && file !== null && !reading);
    await viewer.settle();
  },
  issues: (viewer) => click(viewer, 'tab-issues'),
};

async function picturesOf(viewer) {
  const { page } = viewer;
  const pictures = [];
  for (let i = 0; i < 2; i++) {
    const { theme } = await viewer.state();
    await viewer.settle();
    pictures.push([
      `${theme}, ${Object.values(page.viewportSize()).join(' × ')}`,
      // Notices go away by themselves.
      await page.screenshot({
        animations: 'disabled',
        style: '* { caret-color: transparent !important } #notices { visibility: hidden !important }',
      }),
    ]);
    await click(viewer, 'theme');
  }
  return pictures.sort(([a], [b]) => (a < b ? -1 : 1));
}

const taken = Object.fromEntries(Object.keys(states).map((name) => [name, WINDOWS.map(() => [])]));
await Promise.all(WINDOWS.map(async (sizes, index) => {
  const viewer = await openViewer({ size: sizes[0], touch: index === 0 });
  const { page } = viewer;
  for (const [name, set] of Object.entries(states)) {
    const undo = await set(viewer);
    for (const size of sizes) {
      await page.setViewportSize(size);
      taken[name][index].push(await picturesOf(viewer));
    }
    await undo?.();
    await page.setViewportSize(sizes[0]);
  }
  await viewer.close();
}));

for (const [name, windows] of Object.entries(taken)) {
  test(`${name} looks as it did`, () =>
    assertSheet(`state-${name}`, [0, 1].flatMap((theme) => windows.flat().map((both) => both[theme]))));
}
