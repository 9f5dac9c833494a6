// SPDX-License-Identifier: MIT
//
// A panel that a button opens is inside the window, and does not cover the button.

import assert from 'node:assert/strict';
import test from 'node:test';

import { placeBeside } from '../../../web/page/window/menu_place.js';

const button = (left, top) => ({ left, right: left + 44, top, bottom: top + 44 });

test('below a button at the top, flush with its nearer edge', () => {
  const panel = { width: 200, height: 180 };
  const window = { width: 1440, height: 900 };
  assert.deepEqual(placeBeside(button(10, 2), panel, window), { left: 10, top: 50, maxHeight: 844 });
  assert.deepEqual(placeBeside(button(1380, 2), panel, window), { left: 1224, top: 50, maxHeight: 844 });
});

test('above a button at the bottom', () => {
  const at = placeBeside(button(300, 840), { width: 150, height: 200 }, { width: 1000, height: 900 });
  assert.equal(at.top, 840 - 4 - 200);
});

test('inside the window and beside the button, wherever that is', () => {
  const window = { width: 390, height: 390 };
  for (const width of [80, 300, 378])
    for (const height of [40, 200, 1000])
      for (let x = 0; x <= 346; x += 43)
        for (let y = 0; y <= 346; y += 43) {
          const from = button(x, y);
          const { left, top, maxHeight } = placeBeside(from, { width, height }, window);
          const bottom = top + Math.min(height, maxHeight);
          assert.ok(left >= 6 && left + width <= 384, `${x} ${width}: ${left}`);
          assert.ok(top >= 0 && bottom <= 390, `${y} ${height}: ${top} to ${bottom}`);
          assert.ok(top >= from.bottom || bottom <= from.top, 'it covers the button');
        }
});
