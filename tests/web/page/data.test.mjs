// SPDX-License-Identifier: MIT
//
// Files inside of the page: what is wrong with one does not keep the others out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { openEmbedded } from '../../../web/page/state/data.js';
import { samples } from '../api/support.mjs';
import { startSession } from './local.mjs';

// As much of a page as it asks for.
function pretendPage(data) {
  globalThis.document = /** @type {any} */ ({
    readyState: 'complete',
    body: { classList: { remove() {} } },
    getElementById: (id) => ({ textContent: id === 'ossa-data' ? JSON.stringify(data) : '' }),
  });
}

const fileOf = (path) => ({ path, base64: readFileSync(join(samples, path)).toString('base64') });

test('a file that cannot be taken in is told of, and the others are shown', async () => {
  const session = await startSession();
  const notices = [];
  session.on('notice', ({ text }) => notices.push(text));
  const good = ['bird/bird.skb', 'bird/fly.anb'].map(fileOf);
  pretendPage({ files: [{ path: 'x/..', base64: 'AAAA' }, ...good, { path: 'y', base64: '?' }] });
  await openEmbedded(session);
  assert.deepEqual([...session.items.keys()], ['bird/bird.skb', 'bird/fly.anb']);
  assert.equal(session.scene?.name, 'bird');
  assert.equal(notices.length, 2);
  await session.clear();
});
