// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';

import { formatLink, parseLink } from '../../../web/page/state/link.js';

test('a link says what is shown, and is read back', () => {
  const link = { figure: 'bird & co', clip: 'fly#1', frame: 12, bone: null, view: 'front' };
  assert.equal(formatLink(link), '#figure=bird+%26+co&clip=fly%231&frame=12&view=front');
  assert.deepEqual(parseLink(formatLink(link)), link);
  const view = { round: Math.PI / 2, up: -0.25, distance: 3.5, target: [0, 1.25, -2] };
  const text = formatLink({ figure: null, clip: '', frame: null, bone: 'hd', view });
  assert.equal(text, '#clip=&bone=hd&view=90,-14.324,3.5,0,1.25,-2');
  const back = /** @type {any} */ (parseLink(text));
  assert.deepEqual([back.clip, back.figure, back.frame], ['', null, null]);
  assert.ok(Math.abs(back.view.round - view.round) < 1e-4 && Math.abs(back.view.up - view.up) < 1e-4);
});

test('what makes no sense is left out', () => {
  const nothing = { figure: null, clip: null, frame: null, bone: null, view: null };
  for (const hash of ['', '#', '#frame=-3&view=1,2,3', '#frame=x&view=sideways', '#view=0,0,0,0,0,0', '#view=,,,,,'])
    assert.deepEqual(parseLink(hash), nothing);
});
