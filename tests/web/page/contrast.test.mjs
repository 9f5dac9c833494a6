// SPDX-License-Identifier: MIT
//
// Text can be read on what it stands on, in both themes: 4.5 to 1, as WCAG's level AA wants.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const css = readFileSync(new URL('../../../web/page/style/page.css', import.meta.url), 'utf8');

function coloursOf(selector) {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

function light(colour) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const PAIRS = [
  ['ink', 'panel'], ['ink', 'raised'], ['ink', 'chosen'], ['ink', 'hover'], ['ink', 'error-ground'], ['ink-2', 'panel'],
  ['error', 'panel'], ['error-chosen', 'chosen'], ['accent-ink', 'accent'],
];

for (const [theme, selector] of [['dark', ':root'], ['light', ':root[data-theme="light"]']]) {
  test(`texts can be read in the ${theme} theme`, () => {
    const colours = coloursOf(selector);
    for (const [ink, ground] of PAIRS) {
      const found = contrast(colours[ink], colours[ground]);
      assert.equal(found >= 4.5, true, `${ink} on ${ground}: ${found.toFixed(2)}`);
    }
  });
}
