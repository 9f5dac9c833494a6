// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { shortcuts } from '../../../web/page/window/shortcuts.js';

/** @type {any} */
const nothing = new Proxy(() => {}, { get: () => nothing });

test('no key does two things', () => {
  const seen = new Map();
  for (const { keys, shown, does } of shortcuts(nothing)) {
    for (const key of keys) {
      assert.ok(!seen.has(key), `${shown}: "${does}" and "${seen.get(key)}"`);
      seen.set(key, does);
    }
  }
});

test('a key is shown as what is pressed', () => {
  for (const { keys, shown } of shortcuts(nothing)) {
    const [first] = keys;
    const code = /^:(Shift\+)?(?:Key|Digit)(.)$/.exec(first);
    if (code) assert.equal(shown, `${code[1] ? 'Shift ' : ''}${code[2]}`);
    else if (first.length === 1 && first !== ' ') assert.equal(shown, first.toUpperCase());
  }
});
