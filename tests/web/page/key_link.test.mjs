// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { keyText, keyToShow, storedText } from '../../../web/page/panels/key_link.js';

const CHANNELS = ['rotation', 'translation', 'scale'];
/** @returns {any} */
const use = (more) => ({ clip: 0, bone: 0, channel: 'rotation', role: 'key', firstFrame: 0, frameStep: 1, frameCount: 1, ...more });

test('where a value is stored, or why it is not', () => {
  /** @type {any} */
  const stored = { role: 'key', path: 'a/figures.res#fly', offset: 255, size: 6, isAdjusted: false };
  assert.equal(storedText(stored), '6 bytes from 0xff of fly');
  assert.match(storedText({ ...stored, role: 'constant', size: 1 }), /^1 byte from 0xff of fly, stored once/);
  assert.match(storedText({ ...stored, isAdjusted: true }), /in place$/);
  for (const role of ['rest', 'omitted', 'resampled', 'untraced', 'of the future'])
    assert.match(storedText({ ...stored, role, path: null }), /^(Not stored:|Where) .*\.$/);
});

test('of several values, that of the selected clip and bone', () => {
  const now = { clip: 1, bone: 2, channel: null, frame: 7 };
  assert.equal(keyToShow([], now, CHANNELS), null);
  assert.equal(keyToShow([use({ channel: 'visible' })], now, CHANNELS), null);
  const uses = [use({ bone: 2 }), use({ clip: 1, bone: 5 }), use({ clip: 1, bone: 2, channel: 'scale', firstFrame: 3 })];
  assert.deepEqual(keyToShow(uses, now, CHANNELS), { clip: 1, bone: 2, channel: 'scale', frame: 3 });
  assert.deepEqual(keyToShow(uses.slice(0, 2), now, CHANNELS), { clip: 1, bone: 5, channel: 'rotation', frame: 0 });
});

test('of several frames, the nearest', () => {
  const now = { clip: 1, bone: 2, channel: null, frame: 7 };
  const held = use({ clip: 1, firstFrame: 2, frameCount: 4 });
  assert.equal(keyToShow([held], now, CHANNELS).frame, 5);
  assert.equal(keyToShow([held], { ...now, frame: 3 }, CHANNELS).frame, 3);
  assert.equal(keyToShow([held], { ...now, frame: 0 }, CHANNELS).frame, 2);
  assert.equal(keyToShow([{ ...held, frameStep: 3 }], now, CHANNELS).frame, 8);
  assert.equal(keyToShow([{ ...held, clip: 4 }], now, CHANNELS).frame, 2, 'in another clip, the first');
  assert.equal(keyToShow([{ ...held, frameStep: 0, frameCount: 1 }], now, CHANNELS).frame, 2);
});

test('a value in words', () => {
  const scene = { bones: [{ name: 'hip' }, { name: 'head' }], clips: [{ name: 'fly' }] };
  const key = { clip: 0, bone: 1, channel: 'rotation', frame: 3 };
  assert.equal(keyText(key, scene), 'rotation of head, frame 3 of fly');
});
