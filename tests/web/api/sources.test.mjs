// SPDX-License-Identifier: MIT
//
// Files whose bytes stay outside of the module: an image of a disc of more than 4 GiB, read in slices.

import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { load, sourceOfBlob } from '../../../web/api/ossa.js';
import { makeSparseDisc, SECTOR } from '../disc.mjs';
import { addFolder, failureOf, inTemporaryFolder, moduleBytes, run, samples, start, startWatched } from './support.mjs';

const GIB = 2 ** 30;
const birdNames = ['bird.nmo', 'bird.nto', 'bird.skb', 'fly.anb', 'glide.anb'];
const bird = new Map(birdNames.map((name) => [name, readFileSync(join(samples, 'bird', name))]));
const nico = readFileSync(join(samples, 'packed/NICO.DAT'));

const sectorAt = (bytes) => bytes / SECTOR;
/** @type {{ name: string, sector: number, bytes: Buffer, size?: number }[]} */
const discFiles = [
  ...[...bird].map(([name, bytes], i) => ({ name: name.toUpperCase(), sector: sectorAt(5 * GIB) + 64 * i, bytes })),
  { name: 'HUGE.BIN', sector: sectorAt(GIB), bytes: Buffer.from('begins'), size: 3.5 * GIB },
  { name: 'NICO.DAT', sector: sectorAt(4 * GIB) - 1, bytes: nico }, // across the 4 GiB
].sort((a, b) => (a.name < b.name ? -1 : 1));

/** A file on the disk, read in slices that are counted. */
function sourceOfFile(path) {
  const file = openSync(path, 'r');
  const source = {
    size: fstatSync(file).size,
    bytesRead: 0,
    readAt(offset, length) {
      const bytes = new Uint8Array(length);
      const count = readSync(file, bytes, 0, length, offset);
      source.bytesRead += count;
      return bytes.subarray(0, count);
    },
    close: () => closeSync(file),
  };
  return source;
}

/** A source of bytes in memory. */
function sourceOf(bytes) {
  return { size: bytes.length, readAt: (offset, length) => bytes.subarray(offset, offset + length) };
}

test('a disc of more than 4 GiB is listed and converted, without a copy in memory', async () => {
  const { ossa, memory } = await startWatched();
  inTemporaryFolder((folder) => {
    const path = join(folder, 'game.iso');
    makeSparseDisc(path, sectorAt(6 * GIB), discFiles);
    const source = sourceOfFile(path);
    const files = ossa.workspace();
    files.addSource('./discs/game.iso', source);
    assert.deepEqual(files.paths(), ['discs/game.iso']);

    const listed = JSON.parse(run(folder, 'list', '--json', 'game.iso').text);
    const entries = files.entries('discs/game.iso');
    assert.deepEqual(entries.map(({ name, offset, size, format }) => [name, offset, size, format]),
      listed.map(({ name, offset, size, type }) => [name, offset, size, type]));
    assert.deepEqual(entries.map(({ name }) => name), discFiles.map(({ name }) => name));

    for (const { name, bytes, size } of discFiles) {
      if (size !== undefined) continue;
      assert.deepEqual(Buffer.from(files.bytes(`discs/game.iso#${name}`)), bytes, name);
    }
    assert.equal(failureOf(() => files.bytes('discs/game.iso#HUGE.BIN')).code, 'too-large');
    const inside = files.walk('discs/game.iso#NICO.DAT').map(({ path: word }) => word);
    assert.ok(inside.some((word) => word.startsWith('discs/game.iso#NICO.DAT#0x')));
    const word = inside.find((entry) => entry.endsWith('.skb'));
    assert.deepEqual(Buffer.from(files.bytes(word)), nico.subarray(0x4d5, 0x4d5 + 1436));

    const words = ['BIRD.SKB', 'BIRD.NMO', 'FLY.ANB'].map((name) => `game.iso#${name}`);
    const scene = files.scene(words.map((entry) => `discs/${entry}`));
    assert.ok(run(folder, 'convert', ...words, '--to', 'json', '-o', '-').bytes.equals(scene.json()));
    assert.ok(files.figures('discs').some(({ name }) => /bird/i.test(name)));
    assert.ok(files.figures().length >= 1);
    scene.free();
    files.free();
    source.close();
    assert.ok(source.bytesRead < 64e6, `${source.bytesRead} bytes were read`);
    assert.ok(memory.buffer.byteLength < 32e6, `${memory.buffer.byteLength} bytes of memory`);
    assert.ok(statSync(path).size > 4 * GIB);
  });
});

test('sources are files like others: in folders, replaced and removed', async () => {
  const ossa = await start();
  const [plain, files] = [ossa.workspace(), ossa.workspace()];
  addFolder(plain, join(samples, 'bird'));
  for (const [name, bytes] of bird) {
    if (name.endsWith('.anb')) files.add(name, bytes); // some of both
    else files.addSource(name, sourceOf(bytes));
  }
  assert.deepEqual(files.paths(), plain.paths());
  for (const detail of /** @type {const} */ (['names', 'formats', 'files'])) {
    assert.deepEqual(files.walk('.', { detail }), plain.walk('.', { detail }));
  }
  assert.deepEqual(files.figures(), plain.figures());
  assert.deepEqual(files.figures('.').map((figure) => figure.files), plain.figures('.').map((figure) => figure.files));
  const [scene, wanted] = [files, plain].map((workspace) => workspace.scene(['.']));
  assert.deepEqual(scene.json(), wanted.json());
  assert.deepEqual(scene.messages, wanted.messages);

  files.addSource('fly.anb', sourceOf(Uint8Array.of(1, 2, 3))); // instead of bytes
  assert.deepEqual(files.bytes('fly.anb'), Uint8Array.of(1, 2, 3));
  files.add('fly.anb', Uint8Array.of(4)); // and back
  assert.deepEqual(files.bytes('fly.anb'), Uint8Array.of(4));
  files.addSource('fly.anb', sourceOf(Uint8Array.of(5, 6)));
  files.addSource('fly.anb', sourceOf(Uint8Array.of(7)));
  assert.deepEqual(files.bytes('fly.anb'), Uint8Array.of(7));
  files.remove('fly.anb');
  assert.equal(files.has('fly.anb'), false);
  assert.equal(failureOf(() => files.bytes('fly.anb')).code, 'io');
  files.addSource('a/b/empty', sourceOf(new Uint8Array(0)));
  assert.equal(files.bytes('a/b/empty').length, 0);
  assert.deepEqual(files.walk('a', { detail: 'names' }).map(({ path }) => path), ['a/b/empty']);
});

test('an image beside its cue sheet is found, both as sources', async () => {
  const ossa = await start();
  inTemporaryFolder((folder) => {
    const path = join(folder, 'game.bin');
    makeSparseDisc(path, 4096, [{ name: 'FLY.ANB', sector: 100, bytes: bird.get('fly.anb') }]);
    const files = ossa.workspace();
    const sheet = 'FILE "GAME.BIN" BINARY\r\n  TRACK 01 MODE1/2048\r\n    INDEX 01 00:00:00\r\n';
    files.addSource('discs/game.bin', sourceOf(readFileSync(path)));
    files.add('discs/game.cue', Buffer.from(sheet));
    assert.deepEqual(Buffer.from(files.bytes('discs/game.cue#FLY.ANB')), bird.get('fly.anb'));
  });
});

test('what readAt throws is an I/O error of the call, and its cause', async () => {
  const ossa = await start();
  const files = ossa.workspace();
  /** @type {(offset: number, length: number) => any} */
  let answer = () => { throw new Error('the disc was ejected'); };
  const fly = bird.get('fly.anb');
  files.addSource('fly.anb', { size: fly.length, readAt: (offset, length) => answer(offset, length) });
  /** @type {[typeof answer, RegExp][]} */
  const failing = [
    [answer, /ejected/],
    [(offset, length) => fly.subarray(offset, offset + length - 1), /returned \d+ bytes/],
    [() => 'text', /expected bytes/],
    [() => files.paths().map((path) => files.bytes(path))[0], /must not use the module/],
  ];
  for (const [readAt, why] of failing) {
    answer = readAt;
    for (const call of [() => files.bytes('fly.anb'), () => files.open('fly.anb'), () => files.scene(['fly.anb'])]) {
      const failure = failureOf(call);
      assert.equal(failure.code, 'io');
      assert.match(/** @type {Error} */ (failure.cause).message, why);
    }
  }
  const [visit] = files.walk('fly.anb', { detail: 'files' });
  assert.equal(visit.error.code, 'io');
  answer = (offset, length) => fly.subarray(offset, offset + length);
  assert.deepEqual(Buffer.from(files.bytes('fly.anb')), fly); // and works again
  const failure = failureOf(() => files.open('fly.anb', { format: 'ei-anm' }));
  assert.deepEqual([failure.code === 'io', failure.cause], [false, undefined]);
});

test('a file that reads from a source outlives its workspace', async () => {
  const ossa = await start();
  inTemporaryFolder((folder) => {
    const path = join(folder, 'game.iso');
    makeSparseDisc(path, sectorAt(6 * GIB), discFiles);
    const source = sourceOfFile(path);
    const files = ossa.workspace();
    files.addSource('game.iso', source);
    const disc = files.open('game.iso');
    files.free();
    const index = disc.entries().findIndex(({ name }) => name === 'GLIDE.ANB');
    assert.deepEqual(Buffer.from(disc.entryBytes(index)), bird.get('glide.anb'));
    disc.free();
    source.close();
  });
});

test('bad sources are refused', async () => {
  const files = (await load(moduleBytes)).workspace();
  const readAt = () => new Uint8Array(0);
  for (const size of /** @type {any[]} */ ([-1, 1.5, 2 ** 53, NaN, '3', undefined])) {
    assert.throws(() => files.addSource('a', { size, readAt }), RangeError);
  }
  assert.throws(() => files.addSource('a', /** @type {any} */ ({ size: 1 })), TypeError);
  assert.throws(() => files.addSource('a/..', { size: 1, readAt }), TypeError);
  assert.deepEqual(files.paths(), []);
  assert.throws(() => sourceOfBlob(new Blob(['abc'])), TypeError); // Node reads no Blob synchronously
});
