// SPDX-License-Identifier: MIT
//
// Files inside of the page: what is wrong with one does not keep the others out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { openEmbedded } from '../../../web/page/state/data.js';
import { chosenByLink, linkOfChoices, restoreChoices, savedChoices } from '../../../web/page/state/choices.js';
import { formatLink, parseLink } from '../../../web/page/state/link.js';
import { samples } from '../api/support.mjs';
import { startSession } from './local.mjs';

// As much of a page as it asks for.
function pretendPage(data) {
  globalThis.document = /** @type {any} */ ({
    readyState: 'complete',
    body: { classList: { remove() {} } },
    getElementById: (id) => ({ textContent: id === 'ossa-data' ? JSON.stringify(data) : '' }),
  });
}

const fileOf = (path) => ({ path, base64: readFileSync(join(samples, path)).toString('base64') });

test('a file that cannot be taken in is told of, and the others are shown', async () => {
  const session = await startSession();
  const notices = [];
  session.on('notice', ({ text }) => notices.push(text));
  const good = ['bird/bird.skb', 'bird/fly.anb'].map(fileOf);
  pretendPage({ files: [{ path: 'x/..', base64: 'AAAA' }, ...good, { path: 'y', base64: '?' }] });
  await openEmbedded(session);
  assert.deepEqual([...session.items.keys()], ['bird/bird.skb', 'bird/fly.anb']);
  assert.equal(session.scene?.name, 'bird');
  assert.equal(notices.length, 2);
  await session.clear();
});

const heightOf = ({ scene }) => Math.max(...scene.bones.map(({ rest }) => Math.abs(rest[1])));

test('what was chosen for each figure is in a page that is saved, and in a link', async () => {
  const files = ['bird/bird.skb', 'bird/fly.anb', 'rabbit/rabbit.tmd', 'rabbit/hop.anm'].map(fileOf);
  const session = await startSession();
  pretendPage({ files, options: { fps: 15 } });
  await openEmbedded(session);
  const height = {};
  for (const figure of session.figures) {
    await session.showFigure(figure);
    height[figure.name] = heightOf(session);
    await session.setOptions({ scale: 4, fps: undefined });
    assert.equal(session.scene.clips[0].fps !== 15, true);
  }
  const link = formatLink({ ...parseLink(''), ...linkOfChoices(session) });
  assert.equal(link, '#option.fps=&option.scale=4');
  assert.deepEqual(chosenByLink(parseLink(link), session), {
    options: { fps: undefined, scale: 4 }, parts: new Map(), variant: -1, unknown: [],
  });
  const wrong = chosenByLink(parseLink('#option.scale=1e-9&option.x=1&part=hat&variant=night'), session);
  assert.deepEqual(wrong.unknown, ['scale 1e-9', 'x 1', 'hat', 'night']);
  const choices = JSON.parse(JSON.stringify(savedChoices(session.figures)));
  await session.clear();

  const other = await startSession();
  pretendPage({ files, options: { fps: 15 }, choices });
  await openEmbedded(other);
  for (const figure of other.figures) {
    if (figure !== other.figure) await other.showFigure(figure);
    assert.ok(Math.abs(heightOf(other) - 4 * height[figure.name]) < 1e-5, figure.name);
    assert.equal(other.scene.clips[0].fps !== 15, true);
  }
  await other.clear();
});

test('parts and variants are saved, too', () => {
  const plain = { words: ['a'], options: {} };
  const pinned = { words: ['c'], options: { scale: 2 }, isPinned: true };
  const chosen = { words: ['b'], options: {}, parts: new Map([['hat', true]]), variant: 'night' };
  assert.deepEqual(savedChoices([plain, chosen, pinned]), [{ words: ['b'], options: {}, parts: [['hat', true]], variant: 'night' }]);
  const figures = [{ words: ['b'], options: {} }, { words: ['d'], options: {} }];
  assert.deepEqual(restoreChoices(figures, savedChoices([chosen])), [figures[0]]);
  assert.deepEqual(figures[0], chosen);
});
