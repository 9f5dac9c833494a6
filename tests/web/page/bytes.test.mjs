// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';

import { ByteSource } from '../../../web/page/state/bytes.js';

test('bytes of a blob come block by block, and the source says while some are coming', async () => {
  const source = new ByteSource(new Blob([new Uint8Array(100_000).fill(7)]));
  assert.deepEqual([source.size, source.at(5), source.isComing], [100_000, null, false]);
  await new Promise((done) => {
    let left = 2;
    source.want(0, 100_000, () => (left -= 1) === 0 && done(null));
    assert.equal(source.isComing, true);
  });
  assert.deepEqual([source.at(5), source.at(99_999), source.isComing], [7, 7, false]);
});

test('bytes that are there are there at once', () => {
  const source = new ByteSource(Uint8Array.of(1, 2, 3));
  source.want(0, 3, () => assert.fail());
  assert.deepEqual([source.at(2), source.isComing], [3, false]);
});
