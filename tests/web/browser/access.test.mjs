// SPDX-License-Identifier: MIT
//
// The page without a mouse, for those who hear it, and on a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNotEmpty } from './pictures.mjs';
import { assertAccessible, openViewer, useBrowser } from './support.mjs';

await useBrowser();
const viewer = await openViewer();
const { page } = viewer;
await viewer.show('troll', 'troll');

// What can be reached and used, and is seen.
const CONTROLS = 'button, input:not([type=file]), select, [tabindex="0"]';

function visibleControls(within) {
  return within.evaluate((selector) => {
    const seen = [...document.querySelectorAll(selector)].filter(
      (element) => element.checkVisibility() && !element.disabled && element.tabIndex >= 0,
    );
    return seen.map((element) => element.id || element.dataset.view || element.outerHTML.slice(0, 60));
  }, CONTROLS);
}

test('Tab reaches every control, and where it is can be seen', async () => {
  for (const tab of ['info', 'bones', 'curves', 'bytes', 'issues']) {
    await page.click(`#tab-${tab}`);
    await page.evaluate(() => {
      document.activeElement.blur();
      window.getSelection().removeAllRanges();
      document.getElementById('title').tabIndex = -1;
      document.getElementById('title').focus();
    });
    const wanted = await visibleControls(page);
    const reached = [];
    for (let i = 0; i < wanted.length + 3; i++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        const look = () => {
          const { outlineStyle, boxShadow, backgroundColor, borderColor } = getComputedStyle(element);
          return [outlineStyle, boxShadow, backgroundColor, borderColor].join();
        };
        const inFocus = look();
        element.blur();
        const isSeen = look() !== inFocus;
        element.focus();
        const name = element.id || element.dataset.view || element.outerHTML.slice(0, 60);
        return { name, isSeen: isSeen || element === document.body };
      });
      assert.ok(at.isSeen, `the focus on ${at.name} cannot be seen`);
      reached.push(at.name);
    }
    assert.deepEqual(wanted.filter((name) => !reached.includes(name)), [], `not reached with ${tab} open`);
  }
});

test('everything that can be used has a name and a role', async () => {
  const nameless = await page.evaluate(() => {
    const text = (element) => element?.textContent.trim() ?? '';
    const nameOf = (element) =>
      element.getAttribute('aria-label') ||
      (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => text(document.getElementById(id))).join(' ').trim() ||
      (element.labels && [...element.labels].map(text).join(' ').trim()) ||
      text(element);
    return [...document.querySelectorAll('button, input:not([type=file]), select, canvas, [tabindex="0"], [role]')]
      .filter((element) => !element.closest('[aria-hidden=true], [role=presentation]'))
      .filter((element) => !['presentation', 'option', 'treeitem'].includes(element.getAttribute('role')))
      .filter((element) => !['alert', 'status'].includes(element.getAttribute('role')))
      .filter((element) => !nameOf(element))
      .map((element) => element.outerHTML.slice(0, 100));
  });
  assert.deepEqual(nameless, []);
  const snapshot = await page.locator('body').ariaSnapshot();
  for (const part of ['button "Play"', 'slider "Frame"', 'tree "Files"', 'listbox "Clips"', 'tablist "Inspector"', 'toolbar "View"', 'combobox "Speed"', 'img "troll, clip'])
    assert.ok(snapshot.includes(part), `${part} is not in\n${snapshot}`);
});

test('axe-core finds nothing, on every tab, in both themes, in the help', async () => {
  await viewer.call('setBone', 'lh3');
  for (const tab of ['info', 'issues', 'bones', 'curves', 'bytes']) {
    await page.click(`#tab-${tab}`);
    await assertAccessible(viewer, tab);
  }
  await page.click('#theme');
  await assertAccessible(viewer, 'light');
  await page.click('#help');
  await assertAccessible(viewer, 'help');
  await page.keyboard.press('Escape');
  await page.click('#theme');
  await viewer.call('setBone', '');
});

test('axe-core finds nothing in a comparison', async () => {
  await page.click('#compare');
  await page.click('#compare-toggle');
  await viewer.until(({ compare }) => Boolean(compare?.worst));
  await assertAccessible(viewer, 'comparing');
  await page.keyboard.press('Escape');
  await page.click('#theme');
  await assertAccessible(viewer, 'a comparison in the light theme');
  await page.click('#theme');
  await page.click('#compare-close');
});

test('ids are there once, headings go down in order, labels point at something', async () => {
  const wrong = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    const dangling = [...document.querySelectorAll('[aria-controls], [aria-labelledby], [for]')].flatMap((element) =>
      ['aria-controls', 'aria-labelledby', 'for']
        .map((name) => element.getAttribute(name))
        .filter((id) => id && !document.getElementById(id)),
    );
    return { twice, dangling, mains: document.querySelectorAll('main').length, tops: document.querySelectorAll('h1').length };
  });
  assert.deepEqual(wrong, { twice: [], dangling: [], mains: 1, tops: 1 });
});

test('the edges of the panels: dragged, and by arrows', async () => {
  for (const [edge, toWider] of [['left-edge', 'ArrowRight'], ['right-edge', 'ArrowLeft']]) {
    const width = async () => Number(await page.getAttribute(`#${edge}`, 'aria-valuenow'));
    const before = await width();
    await page.locator(`#${edge}`).focus();
    await page.keyboard.press(toWider);
    assert.equal(await width(), before + 24);
    const box = await page.locator(`#${edge}`).boundingBox();
    const by = toWider === 'ArrowRight' ? -24 : 24;
    await page.mouse.move(box.x + box.width / 2, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + by, box.y + 200, { steps: 2 });
    await page.mouse.up();
    assert.equal(await width(), before);
  }
});

test('light: words can be told from what is behind them', async () => {
  const light = await openViewer({ theme: 'light' });
  await light.show('bird', 'bird');
  assert.equal((await light.state()).theme, 'light');
  const poor = await light.page.evaluate(() => {
    const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
    const shine = ([r, g, b]) => {
      const line = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b);
    };
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = numbers(getComputedStyle(at).backgroundColor);
        if (colour.length === 3 || colour[3] === 1) return colour;
      }
      return [255, 255, 255];
    };
    return [...document.querySelectorAll('button, h2, .name, dt, dd, .count, .counter')]
      .filter((element) => element.checkVisibility() && element.textContent.trim() && !element.disabled)
      .map((element) => {
        const [a, b] = [shine(numbers(getComputedStyle(element).color)), shine(ground(element))];
        return [element.textContent.trim().slice(0, 20), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
      })
      .filter(([, ratio]) => Number(ratio) < 4);
  });
  assert.deepEqual(poor, []);
  await light.close();
});

test('a phone: every panel can be reached, nothing sticks out', async () => {
  const phone = await openViewer({ size: { width: 390, height: 844 }, touch: true });
  await phone.page.setInputFiles('#choose-files', []);
  const overflow = () =>
    phone.page.evaluate(() => document.scrollingElement.scrollWidth - window.innerWidth);
  assert.ok((await overflow()) <= 0, 'the empty page is too wide');
  await phone.show('troll', 'troll');
  for (const tab of ['library', 'info', 'issues', 'bones', 'curves', 'bytes']) {
    await phone.page.locator(`#tab-${tab}`).tap();
    assert.equal((await phone.state()).tab, tab);
    const panel = phone.page.locator(tab === 'library' ? '#library' : `#panel-${tab}`);
    const box = await panel.boundingBox();
    assert.ok(box && box.width > 200 && box.height > 60, `${tab}: ${JSON.stringify(box)}`);
    assert.ok(box.x >= 0 && box.x + box.width <= 391, `${tab} sticks out: ${JSON.stringify(box)}`);
    assert.ok((await overflow()) <= 0, tab);
  }
  const folded = { mode: 'playback', speed: 'playback', theme: 'more' }; // by the button that opens them
  for (const control of ['play', 'next', 'save', 'open-files', 'scrub', 'mode', 'speed', 'theme']) {
    if (folded[control] && !(await phone.page.locator(`#${control}`).isVisible()))
      await phone.page.locator(`#${folded[control]}`).tap();
    const box = await phone.page.locator(`#${control}`).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390.5, `${control}: ${JSON.stringify(box)}`);
    assert.ok(box.y >= 0 && box.y + box.height <= 844.5, `${control}: ${JSON.stringify(box)}`);
  }
  await phone.page.keyboard.press('Escape');
  await phone.page.locator('#tab-library').tap();
  await phone.page.locator('#clips-list').getByText('walk', { exact: true }).tap();
  await phone.until(({ clip }) => clip === 'walk');
  await phone.page.locator('#play').tap();
  await phone.until((state) => state.playing && state.time > 0);
  await phone.page.locator('#play').tap();
  await phone.call('seekFrame', 8);
  const picture = await phone.picture();
  await assertNotEmpty(phone.page, picture);
  await phone.close();
});
