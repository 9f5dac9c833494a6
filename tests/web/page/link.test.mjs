// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';

import { formatLink, parseLink } from '../../../web/page/state/link.js';

const plain = { variant: null, parts: new Map(), options: new Map() };

test('a link says what is shown, and is read back', () => {
  const link = { figure: 'bird & co', clip: 'fly#1', frame: 12, bone: null, view: 'front', ...plain };
  assert.equal(formatLink(link), '#figure=bird+%26+co&clip=fly%231&frame=12&view=front');
  assert.deepEqual(parseLink(formatLink(link)), link);
  const view = { round: Math.PI / 2, up: -0.25, distance: 3.5, target: [0, 1.25, -2] };
  const text = formatLink({ figure: null, clip: '', frame: null, bone: 'hd', view, ...plain });
  assert.equal(text, '#clip=&bone=hd&view=90,-14.324,3.5,0,1.25,-2');
  const back = /** @type {any} */ (parseLink(text));
  assert.deepEqual([back.clip, back.figure, back.frame], ['', null, null]);
  assert.ok(Math.abs(back.view.round - view.round) < 1e-4 && Math.abs(back.view.up - view.up) < 1e-4);
});

test('what makes no sense is left out', () => {
  const nothing = { figure: null, clip: null, frame: null, bone: null, view: null, ...plain };
  for (const hash of ['', '#', '#frame=-3&view=1,2,3', '#frame=x&view=sideways', '#view=0,0,0,0,0,0', '#view=,,,,,'])
    assert.deepEqual(parseLink(hash), nothing);
});

test('a link keeps what was chosen on the Look tab, in its order', () => {
  const link = {
    ...parseLink(''),
    variant: 'night & day',
    parts: new Map([['hr.05', true], ['!bd', false], ['hat=1', true]]),
    options: new Map([['view', 'distance'], ['complexion', '1,0.5,0'], ['root', 'b+t'], ['fps', '']]),
  };
  const text = formatLink(link);
  assert.equal(
    text,
    '#variant=night+%26+day&part=hr.05&without=%21bd&part=hat%3D1&option.view=distance&option.complexion=1,0.5,0&option.root=b%2Bt&option.fps=',
  );
  assert.deepEqual(parseLink(text), link);
  assert.deepEqual([...parseLink(text).parts], [...link.parts]);
});
