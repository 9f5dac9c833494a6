// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

import { load } from '../../../web/api/ossa.js';
import { moduleBytes, root, run, samples, start, wasm } from './support.mjs';

test('the module imports only what reads sources, so that it runs wherever WebAssembly does', async () => {
  const module = await WebAssembly.compile(moduleBytes);
  const names = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
  const wanted = ['close', 'list', 'open', 'read', 'size'].map((name) => `ossa.source_${name}`);
  assert.deepEqual(names.sort(), wanted);
});

test('it exports nothing that ossa.js does not call', async () => {
  const module = await WebAssembly.compile(moduleBytes);
  const source = readFileSync(join(root, 'web/api/ossa.js'), 'utf8');
  const isCalled = (name) =>
    source.includes(`'${name}'`) || (name.endsWith('_free') && source.includes(`'${name.slice(0, -5)}')`));
  const names = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => name !== 'memory');
  assert.ok(names.length > 20);
  assert.deepEqual(names.filter((name) => !isCalled(name)), []);
});

// The header of the library states it, and nothing else does.
test('the package has the version of the library', async () => {
  const { version } = await start();
  const built = JSON.parse(readFileSync(join(dirname(wasm), 'package.json'), 'utf8'));
  assert.deepEqual([built.name, built.version], ['ossa', version]);
  for (const path of ['api/package.json', 'package.json', 'package-lock.json']) {
    const { version: own, packages } = JSON.parse(readFileSync(join(root, 'web', path), 'utf8'));
    assert.deepEqual([own, packages?.[''].version], [undefined, undefined], path);
  }
});

test('its memory cannot grow beyond 2 GiB', () => {
  // The memory section: id 5, its size, one memory, limits with a maximum, the least, the most.
  const read = (from) => {
    let value = 0;
    for (let shift = 0, at = from; ; shift += 7, at++) {
      value |= (moduleBytes[at] & 0x7f) << shift;
      if (moduleBytes[at] < 0x80) return [value, at + 1];
    }
  };
  let most = null;
  for (let at = 8; at < moduleBytes.length;) {
    const id = moduleBytes[at];
    const [size, content] = read(at + 1);
    if (id === 5) {
      assert.deepEqual([moduleBytes[content], moduleBytes[content + 1]], [1, 1]);
      [most] = read(read(content + 2)[1]);
    }
    at = content + size;
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
    assert.notEqual(format.open, '', format.id);
    assert.equal(format.can.includes('read'), row.read);
    assert.equal(format.can.includes('write'), row.write);
    assert.equal(format.can.includes('dump'), row.dump);
    assert.equal(format.can.includes('assemble'), row.pose);
    if (format.can.includes('list')) assert.equal(row.kind, 'archive');
  }
});
