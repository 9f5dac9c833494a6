// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { describe, discRows, figureNote } from '../../../web/page/state/describe.js';

const guess = (boneCount, clipCount, paths = clipCount + 1) =>
  figureNote({ isGuess: true, boneCount, clipCount, paths: Array(paths).fill('') });

test('a figure that is a guess says so', () => {
  assert.equal(figureNote({ isGuess: false, boneCount: 3, clipCount: 2, paths: [] }), '');
  assert.match(guess(15, 2), /^Its clips are the 2 animations with 15 bones, .* Nothing on the disc says/);
  assert.match(guess(7, 1), /^Its clip is the one animation with 7 bones/);
  assert.match(guess(3, 0), /^No animation with 3 bones was found/);
  assert.match(guess(5, 252, 251), /^Its clips are the first 250 of the 252 animations/);
});

test('what was found on a disc is counted', () => {
  const entry = (name, format, more = {}) => ({ name, path: `D#${name}`, format, error: null, errorCount: 0, ...more });
  const kinds = { anb: { kind: 'animation' }, skb: { kind: 'skeleton' } };
  const rows = new Map(
    /** @type {[string, any][]} */ (discRows(
      [
        entry('1.skb', 'skb'),
        entry('2.anb', 'anb'),
        entry('3.anb', 'anb'),
        entry('4.anb', 'anb', { errorCount: 1 }),
        entry('5.anb', 'anb', { error: new Error('cut') }),
        entry('6.nto', null),
      ],
      (id) => kinds[id] ?? null,
      [{ words: ['D#1.skb', 'D#2.anb'] }],
    )),
  );
  assert.equal(rows.get('found'), '6 files');
  assert.deepEqual([rows.get('SKB'), rows.get('ANB'), rows.get('NTO')], [1, 4, 1]);
  assert.equal(rows.get('without skeleton'), '1 animation');
  assert.equal(rows.get('damaged'), '2 files');
});

test('facts become rows and tables', () => {
  const { rows, tables } = describe({
    frames: 40,
    duration: 1.33333337,
    unnamed_bytes: 0,
    ranges: { x: [0, 1.5], y: [-2, 2] },
    nested: { head: { size: 1 }, tail: 2 },
    offset: [1, 2, 3],
    is_packed: true,
    nothing: null,
    bone_table: [{ bone: 0, step: 0.25 }, { bone: 1, name: 'hp' }],
    entry_table: [{ time: 972300000, tree: [{ a: 1 }] }],
    empty: [],
  });
  assert.deepEqual(rows, [
    ['frames', '40'],
    ['duration', '1.33333'],
    ['unnamed bytes', '0'],
    ['ranges', 'x 0 to 1.5, y -2 to 2'],
    ['nested, head', 'size 1'],
    ['nested, tail', '2'],
    ['offset', '1, 2, 3'],
    ['is packed', 'yes'],
    ['nothing', 'none'],
    ['empty', ''],
  ]);
  assert.deepEqual(tables, [
    { title: 'bone table', columns: ['bone', 'step', 'name'], rows: [['0', '0.25', ''], ['1', '', 'hp']], more: 0 },
    { title: 'entry table', columns: ['time', 'tree'], rows: [['2000-10-23 11:20:00', '[{"a":1}]']], more: 0 },
  ]);
});

test('long tables and texts are cut', () => {
  const { rows, tables } = describe({ list: Array.from({ length: 501 }, () => ({ a: 1 })), text: 'x'.repeat(200) });
  assert.deepEqual([tables[0].rows.length, tables[0].more], [500, 1]);
  assert.equal(rows[0][1].length, 161);
});
