// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { question } from '../../../web/page/state/asking.js';

const MISSING = [{ code: 'missing-part' }];
const format = (id, kind) => ({ id, kind, extensions: [id.split('-')[1]] });
const bones = (count, y) => Array.from({ length: count }, () => ({ rest: [0, y, 0, 0, 0, 0, 1, 1, 1, 1] }));
const clips = (count) => Array.from({ length: count }, (_, i) => ({ name: `clip${i}` }));
const none = new Set();

test('a scene that lacks nothing asks nothing', () => {
  const formats = [format('a-skb', 'skeleton')];
  const survey = { boneCount: 0, clips: clips(1) };
  assert.equal(question({ issues: [], bones: bones(3, 0) }, survey, formats, none), null);
  assert.equal(question({ issues: [{ code: 'misfit' }], bones: bones(3, 0) }, survey, formats, none), null);
  assert.equal(question({ issues: MISSING, bones: [] }, survey, formats, none), null);
  const whole = { boneCount: 3, clips: clips(1) };
  assert.equal(question({ issues: MISSING, bones: bones(3, 1) }, whole, formats, none), null);
});

test('animations without a skeleton ask for the files of their game', () => {
  const ask = (count, number, ...formats) =>
    question({ issues: MISSING, bones: bones(count, 1) }, { boneCount: 0, clips: clips(number) }, formats, none);
  assert.equal(
    ask(41, 1, format('a-anb', 'animation'), format('a-skb', 'skeleton')),
    'This clip has 41 bones but no skeleton. Add the SKB file, or show placeholders.',
  );
  assert.equal(
    ask(1, 3, format('b-lnk', 'skeleton'), format('b-bon', 'skeleton'), format('b-fig', 'model')),
    'These clips have 1 bone but no skeleton. Add the LNK and BON files, or show placeholders.',
  );
  assert.match(ask(17, 1, format('c-tmd', 'model')), /Add the TMD file/);
  assert.match(ask(2, 0), /^This figure has 2 bones but no skeleton\. Add the skeleton,/);
});

test('positions are asked for only if all are missing', () => {
  const formats = [format('b-lnk', 'skeleton'), format('b-bon', 'skeleton')];
  const survey = { boneCount: 15, clips: [] };
  assert.equal(
    question({ issues: MISSING, bones: bones(15, 0) }, survey, formats, new Set(['b-lnk'])),
    'This figure has 15 bones, all at the same point. Add the BON file, or show it as it is.',
  );
  const some = [...bones(14, 0), ...bones(1, 1)];
  assert.equal(question({ issues: MISSING, bones: some }, survey, formats, new Set(['b-lnk'])), null);
  assert.equal(question({ issues: MISSING, bones: bones(1, 0) }, survey, formats, none), null);
});
