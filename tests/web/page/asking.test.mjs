// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { question } from '../../../web/page/asking.js';

const scene = (format, message, bones = 41) => ({
  issues: [{ code: 'missing-part', format, message }],
  bones: { length: bones },
});

test('a scene that lacks nothing asks nothing', () => {
  assert.equal(question({ issues: [], bones: [] }), null);
  assert.equal(question(scene('ei-adb', 'records without a clip: 3 of 4')), null);
  assert.equal(
    question({
      issues: [{ code: 'misfit', format: 'x', message: 'there is no skeleton (SKB)' }],
      bones: [],
    }),
    null,
  );
});

test('each game asks for its own', () => {
  assert.equal(
    question(scene('sotc-anb', 'there is no skeleton (SKB); using 41 placeholder bones in a row')),
    'This ANB has 41 bones: drop its SKB, or show placeholders.',
  );
  assert.equal(
    question(
      scene('mm-anim', 'there is no skeleton (SKEL); using 1 placeholder bones in a row', 1),
    ),
    'This ANIM has 1 bone: drop its SKEL, or show placeholders.',
  );
  assert.match(
    question(scene('ei-anm', 'there is no tree (LNK); every part becomes a bone without a parent')),
    /41 parts: drop their LNK and BON/,
  );
  assert.match(
    question(scene('vib-anm', 'there is no model (TMD); 17 objects have no shape', 17)),
    /17 objects: drop its TMD/,
  );
});

test('places are asked for only when all are missing', () => {
  assert.match(
    question(
      scene(
        'ei-lnk',
        "parts without a bind position (BON), which stay at the origin: 15 of 15, the first is 'bd'",
        15,
      ),
    ),
    /BON files/,
  );
  assert.equal(
    question(
      scene(
        'ei-lnk',
        "parts without a bind position (BON), which stay at the origin: 2 of 15, the first is 'bd'",
        15,
      ),
    ),
    null,
  );
});
