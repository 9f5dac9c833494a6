// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';

import { isDefault, titleOf, withoutDefaults } from '../../../web/page/state/option_values.js';

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
