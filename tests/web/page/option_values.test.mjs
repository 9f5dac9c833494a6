// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';

import { boundsOf, isDefault, refusalText, textOfValue, titleOf, valueOfText, withoutDefaults } from '../../../web/page/state/option_values.js';

const LIST = [
  { name: 'inPlace', default: false },
  { name: 'complexion', default: [0.5, 0.5, 0.5] },
];

test('options have titles, and values of their own or none', () => {
  assert.deepEqual(LIST.map(titleOf), ['In place', 'Complexion']);
  assert.ok(isDefault(LIST[1], undefined) && isDefault(LIST[1], [0.5, 0.5, 0.5]) && !isDefault(LIST[1], [0, 0.5, 1]));
});

test('what is as the library has it is not given, unless it must take the place of something', () => {
  const chosen = { inPlace: false, complexion: [1, 0, 0], scale: 2 };
  assert.deepEqual(withoutDefaults(LIST, chosen, {}), { complexion: [1, 0, 0], scale: 2 });
  assert.deepEqual(withoutDefaults(LIST, chosen, { inPlace: true }), chosen);
});

test('numbers that no page can show are refused, within what the library accepts', () => {
  const scale = { name: 'scale', min: 1e-9, max: 1e9 };
  const resample = { name: 'resample', min: 1, max: 1000, isWhole: true };
  assert.deepEqual([boundsOf(scale), boundsOf(resample)], [{ min: 0.001, max: 1000 }, { min: 1, max: 60 }]);
  assert.deepEqual(boundsOf({ name: 'scale', min: 0.5, max: 2 }), { min: 0.5, max: 2 });
  assert.deepEqual(boundsOf({ name: 'other', min: 0, max: 7 }), { min: 0, max: 7 });
  for (const value of [1e-9, 0, -1, 1e9, NaN]) assert.equal(refusalText(scale, value), 'Scale must be a number from 0.001 to 1000.');
  for (const value of [1000, 0, 1.5]) assert.equal(refusalText(resample, value), 'Resample must be a whole number from 1 to 60.');
  assert.deepEqual([refusalText(scale, 39.37), refusalText(resample, 60)], ['', '']);
});

test('values are written into links and read back; what an option does not take is not', () => {
  const list = {
    flag: { name: 'inPlace', kind: 'flag', default: false },
    choice: { name: 'root', kind: 'choice', values: [{ value: 'b+t' }, { value: 't' }], default: 'b+t' },
    number: { name: 'scale', kind: 'number', min: 1e-9, max: 1e9, default: 1 },
    vector: { name: 'complexion', kind: 'vector', min: 0, max: 1, values: [{}, {}, {}], default: [0, 0, 0] },
  };
  for (const [kind, value] of /** @type {[string, any][]} */ ([['flag', true], ['choice', 't'], ['number', 2.5], ['vector', [1, 0.25, 0]]]))
    assert.deepEqual(valueOfText(list[kind], textOfValue(value)), { value });
  assert.deepEqual(valueOfText({ ...list.number, default: null }, textOfValue(undefined)), { value: undefined });
  for (const [kind, text] of [['flag', 'yes'], ['choice', 'x'], ['number', '1e-9'], ['number', 'x'], ['vector', '1,0'], ['vector', '0,0,2'], ['vector', '0,,0']])
    assert.equal(valueOfText(list[kind], text), null, `${kind} ${text}`);
});
