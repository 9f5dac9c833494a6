// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';

import { load } from '../../../web/api/ossa.js';
import { moduleBytes, run, samples, start, wasm } from './support.mjs';

test('the module imports nothing, so that it runs wherever WebAssembly does', async () => {
  const module = await WebAssembly.compile(moduleBytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('its memory cannot grow beyond 2 GiB', () => {
  // The memory section: id 5, its size, one memory, limits with a maximum, the least, the most.
  const read = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7, at++) {
      value |= (moduleBytes[at] & 0x7f) << shift;
      if (moduleBytes[at] < 0x80) return [value, at + 1];
    }
  };
  let most = null;
  for (let at = 8; at < moduleBytes.length;) {
    const id = moduleBytes[at];
    const [size, start] = read(at + 1);
    if (id === 5) {
      assert.deepEqual([moduleBytes[start], moduleBytes[start + 1]], [1, 1]);
      [most] = read(read(start + 2)[1]);
    }
    at = start + size;
  }
  assert.equal(most, 32768);
});

test('it can be loaded from bytes, a compiled module, a path and a URL', async () => {
  const url = new URL(`file://${wasm}`);
  const shared = new ArrayBuffer(moduleBytes.length);
  new Uint8Array(shared).set(moduleBytes);
  const compiled = await WebAssembly.compile(moduleBytes);
  for (const given of [moduleBytes, shared, compiled, url, url.href]) {
    const ossa = await load(given);
    assert.match(ossa.version, /^\d+\.\d+\.\d+$/);
  }
  await assert.rejects(load(new URL('nothing.wasm', url)));
});

test('version and formats are those of the tool', async () => {
  const ossa = await start();
  assert.equal(run(samples, '--version').text, `ossa ${ossa.version}\n`);
  const table = JSON.parse(run(samples, 'formats', '--json').text);
  const formats = ossa.formats();
  assert.deepEqual(formats.map(({ id }) => id), table.map(({ id }) => id));
  for (const [i, format] of formats.entries()) {
    const row = table[i];
    assert.deepEqual(
      [format.title, format.game, format.kind, format.extensions.join(' ')],
      [row.title, row.game, row.kind, row.extensions]);
    assert.equal(format.can.includes('read'), row.read);
    assert.equal(format.can.includes('write'), row.write);
    assert.equal(format.can.includes('dump'), row.dump);
    assert.equal(format.can.includes('assemble'), row.pose);
    if (format.can.includes('list')) assert.equal(row.kind, 'archive');
  }
});
