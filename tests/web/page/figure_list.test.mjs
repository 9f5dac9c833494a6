// SPDX-License-Identifier: MIT
//
// The list of figures when files come: what stays, what is new, and which one is shown.

import assert from 'node:assert/strict';
import test from 'node:test';

import { mergedFigures, nextFigure, pinnedFigure } from '../../../web/page/state/figure_list.js';

/** @returns {any} */
const figure = (name, words, more = {}) => ({ name, words, paths: words.map((word) => word.split('#')[0]), options: {}, ...more });

test('a figure that is found again is the same one, with what was chosen for it', () => {
  const old = figure('bird', ['bird.a'], { options: { scale: 2 }, clipName: 'fly' });
  const [same, other, ...none] = mergedFigures([old], [figure('bird', ['bird.a', 'fly.b']), figure('hare', ['hare.a'])]);
  assert.equal(same, old);
  assert.deepEqual([same.words, same.options, same.clipName, other.name, none], [['bird.a', 'fly.b'], { scale: 2 }, 'fly', 'hare', []]);
});

test('pinned figures keep their files, unless they lack some; those opened by hand stay', () => {
  const pinned = pinnedFigure({ name: 'mine', words: ['dir/', 'pack#one'] }, ['dir/a', 'pack', 'direct']);
  assert.deepEqual([pinned.paths, pinned.options], [['dir/a', 'pack'], {}]);
  const extra = figure('entry', ['pack#two'], { isExtra: true });
  const found = [figure('found', ['dir/a']), figure('more', ['direct'])];
  assert.deepEqual(mergedFigures([pinned, extra], found).map(({ name }) => name), ['mine', 'more', 'entry']);
  const asking = { ...pinned, isAsking: true };
  assert.deepEqual(mergedFigures([asking], [figure('whole', ['dir/', 'skeleton'])]).map(({ name, isPinned }) => [name, isPinned]), [['whole', false]]);
});

test('files that come show a new figure, else the one that has them, else none', () => {
  const [a, b] = [figure('a', ['a']), figure('b', ['b'])];
  const next = (before, shown, ...added) => nextFigure([a, b], new Set(before), shown, added)?.name ?? null;
  assert.equal(next([a], a, 'b'), 'b');
  assert.equal(next([a, b], b, 'a', 'b'), 'b');
  assert.equal(next([a, b], a, 'b'), 'b');
  assert.equal(next([a, b], a, 'notes'), null);
  assert.equal(next([a, b], null, 'a'), 'a');
});
