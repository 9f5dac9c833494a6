// SPDX-License-Identifier: MIT
//
// What the page says about what is shown: titles, lines on the stage, the empty page.

import assert from 'node:assert/strict';
import test from 'node:test';

import { hintText } from '../../../web/page/window/hint.js';
import { stride, strobe } from '../../../web/page/window/strobe.js';
import { titleText } from '../../../web/page/window/title.js';
import { gamesOf } from '../../../web/page/window/welcome.js';

test('titles: figure and clip; a title of the page itself comes first', () => {
  const title = (own, figure, clip) => titleText({ own, figure, clip });
  assert.equal(title(null, null, null), 'Ossa viewer');
  assert.equal(title(null, 'rabbit', 'walk1'), 'rabbit, walk1 - Ossa');
  assert.equal(title(null, 'rabbit', null), 'rabbit - Ossa');
  assert.equal(title(null, 'flight', 'flight'), 'flight - Ossa');
  assert.equal(title('My figures', 'rabbit', 'walk1'), 'My figures, rabbit, walk1 - Ossa');
  assert.equal(title('rabbit', 'rabbit', 'walk1'), 'rabbit, walk1 - Ossa');
});

const format = (kind, extension, can = ['read', 'assemble']) => ({ kind, extensions: [extension], can });
const formats = [
  format('animation', 'one'),
  format('skeleton', 'two'),
  format('model', 'three'),
  format('model', 'raw', ['read']),
  format('camera', 'four'),
];
const bone = (...rest) => ({ rest });
const scene = (more) => ({ bones: [], clips: [], meshes: [], cameras: [], ...more });

test('a figure that moves needs no explanation', () => {
  assert.equal(hintText(scene({ bones: [bone(0, 1, 0)], clips: [{}] }), formats), '');
  assert.equal(hintText(scene({}), formats), '');
});

test('what cannot move: what it is, and the files to add, by the kinds of the formats', () => {
  const add = 'Add ONE files to see it move.';
  const [low, high] = [bone(0, 0, 0), bone(0, 1, 0)];
  const say = (more, from = formats) => hintText(scene(more), from);
  assert.equal(say({ meshes: [{}] }), `A model alone, without bones. ${add}`);
  assert.equal(say({ bones: [low, high] }), `A skeleton alone, at rest. ${add}`);
  assert.equal(say({ bones: [low, high], meshes: [{}] }), `A figure at rest, without clips. ${add}`);
  assert.match(say({ bones: [low, low], meshes: [{}] }), /all at the same point.* Add ONE files/);
  assert.equal(
    say({ cameras: [{}] }),
    'A camera path alone: it moves the view, and there is no figure to look at. Add TWO and THREE files of a figure.',
  );
  assert.equal(say({ meshes: [{}] }, []), 'A model alone, without bones.');
});

test('games: each once, with its years, the files to open and all extensions', () => {
  assert.deepEqual(
    gamesOf([
      { game: 'A game (1999, 2000)', open: 'this', extensions: ['one', 'two'] },
      { game: 'Discs', open: 'that', extensions: ['x'] },
      { game: 'A game (1999, 2000)', open: 'this', extensions: ['two', 'three'] },
    ]),
    [
      { name: 'A game', years: '1999, 2000', open: 'this', extensions: ['ONE', 'TWO', 'THREE'] },
      { name: 'Discs', years: '', open: 'that', extensions: ['X'] },
    ],
  );
});

test('the drawing: legs that reach the ground and stay above it, inside of the picture', () => {
  for (let phase = 0; phase < 7; phase += 0.1) {
    const { limbs } = stride(phase, 100);
    const feet = limbs.slice(0, 2).map((leg) => leg[2][1]);
    assert.ok(Math.max(...feet) > 108 && Math.max(...feet) < 120, `${phase}: ${feet}`);
  }
  assert.ok(!/NaN|undefined/.test(strobe()));
  for (const [x, y] of [...strobe().matchAll(/cx="([\d.-]+)" cy="([\d.-]+)"/g)].map(([, ...at]) => at.map(Number)))
    assert.ok(x > 0 && x < 420 && y > 0 && y < 120, `${x} ${y}`);
});
