// SPDX-License-Identifier: MIT
//
// Which side panels are open, and where.

import assert from 'node:assert/strict';
import test from 'node:test';

import { modeOf, Panes } from '../../../web/page/window/panes.js';

const places = (panes) => [panes.place('left'), panes.place('right')];

test('the width of the window decides how many panels fit', () => {
  assert.deepEqual([1440, 1000, 999, 620, 619, 320].map((width) => modeOf(width, false)), ['two', 'two', 'one', 'one', 'drawers', 'drawers']);
  assert.equal(modeOf(390, true), 'sheet');
});

test('two fit: both are open, and each can be closed', () => {
  const panes = new Panes();
  assert.deepEqual(places(panes), ['docked', 'docked']);
  panes.set('left', false);
  assert.deepEqual(places(panes), ['closed', 'docked']);
  panes.set('left', true);
  assert.deepEqual(places(panes), ['docked', 'docked']);
});

test('one fits: the one that was used last stays, and what was closed for it comes back', () => {
  const panes = new Panes();
  assert.equal(panes.setMode('one'), true);
  assert.equal(panes.setMode('one'), false);
  assert.deepEqual(places(panes), ['docked', 'closed']);
  panes.set('right', true);
  assert.deepEqual(places(panes), ['closed', 'docked'], 'it does not cover the figure');
  panes.set('right', false);
  assert.deepEqual(places(panes), ['docked', 'closed']);
  panes.set('right', true);
  panes.setMode('two');
  assert.deepEqual(places(panes), ['docked', 'docked'], 'nobody has closed it');
  panes.use('right');
  panes.setMode('one');
  assert.deepEqual(places(panes), ['closed', 'docked']);
});

test('one fits: the left one is a drawer beside the right one', () => {
  const panes = new Panes();
  panes.setMode('one');
  panes.set('right', true);
  panes.set('left', true);
  assert.deepEqual(places(panes), ['drawer', 'docked']);
  assert.equal(panes.drawer, 'left');
  panes.set('left', false);
  assert.deepEqual(places(panes), ['closed', 'docked']);
  assert.equal(panes.drawer, null);
  panes.set('right', false);
  assert.deepEqual(places(panes), ['docked', 'closed'], 'it has its room again');
  panes.set('left', false);
  panes.set('right', true);
  panes.set('right', false);
  assert.deepEqual(places(panes), ['closed', 'closed'], 'the user did not want it');
});

test('what the user has closed stays closed in every window', () => {
  const panes = new Panes();
  panes.set('left', false);
  panes.setMode('one');
  assert.deepEqual(places(panes), ['closed', 'docked']);
  panes.setMode('sheet');
  panes.setMode('two');
  assert.deepEqual(places(panes), ['closed', 'docked']);
});

test('none fits: one drawer at a time, none in the beginning', () => {
  const panes = new Panes();
  panes.setMode('drawers');
  assert.deepEqual(places(panes), ['closed', 'closed']);
  panes.set('left', true);
  assert.deepEqual(places(panes), ['drawer', 'closed']);
  panes.set('right', true);
  assert.deepEqual(places(panes), ['closed', 'drawer']);
  panes.set('right', false);
  assert.deepEqual(places(panes), ['closed', 'closed']);
  assert.equal(panes.drawer, null);
});
