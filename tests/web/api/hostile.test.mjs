// SPDX-License-Identifier: MIT
//
// Files that are cut short or changed: told of as the tool does, and never the end of the module.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

import { load } from '../../../web/api/ossa.js';
import {
  addFolder, asInModule, failureOf, fixtures, inTemporaryFolder, listFiles, moduleBytes, run, sampleFiles, samples,
  sampleWorkspace, start,
} from './support.mjs';

const ossa = await start();

/** Cut each sample at several places; of the parts of a model one is enough. */
function cutFiles() {
  const chosen = sampleFiles.filter((path) => !/\/(bon|fig|walk|idle|dance|fly|rest)\//.test(path)
    || /\/hd\.(anm|bon|fig)$/.test(path));
  return chosen.flatMap((path) => {
    const bytes = readFileSync(join(samples, path));
    const places = [0, 1, 3, 4, 11, 16, bytes.length >> 2, bytes.length >> 1, bytes.length - 5, bytes.length - 1];
    return [...new Set(places)].filter((size) => size >= 0 && size < bytes.length)
      .map((size) => {
        const name = path.split('/').at(-1);
        return { path: `${dirname(path)}/${size}/${name}`, bytes: bytes.subarray(0, size) };
      });
  });
}

test('a file that is cut short is told of as the tool does, with its place', () => {
  inTemporaryFolder((folder) => {
    const files = ossa.workspace();
    const cuts = cutFiles();
    for (const { path, bytes } of cuts) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
      files.add(path, bytes);
    }
    // Named one by one, so that none is passed over.
    const found = JSON.parse(run(folder, 'check', '--json', ...cuts.map(({ path }) => path)).text);
    const fatal = new Map(found.filter(({ severity, file }) => severity === 'unreadable' && !file.includes('#'))
      .map((issue) => [issue.file, issue]));
    assert.ok(fatal.size > 50);
    for (const { path } of cuts) {
      let file = null;
      const failure = failureOf(() => { file = files.open(path); });
      const wanted = fatal.get(path);
      file?.free();
      assert.equal(failure === null, wanted === undefined, path);
      if (failure === null) continue;
      assert.deepEqual(
        [failure.code, failure.offset ?? 0, failure.field, failure.issues.at(-1).message],
        [wanted.code, wanted.offset, wanted.field, wanted.message], path);
      // The fields up to there are shown, and the same failure comes with them.
      const { fields, error } = files.fields(path);
      assert.deepEqual([error.code, error.offset], [failure.code, failure.offset], path);
      if (failure.format !== null && fields.length > 0) {
        const last = fields.at(-1);
        assert.ok(last.offset + last.size <= files.bytes(path).length);
      }
    }
    for (const { path } of cuts.filter((cut, i) => i % 7 === 0)) {
      const said = run(folder, 'dump', path);
      const failure = failureOf(() => files.open(path).free());
      if (failure !== null) assert.deepEqual([failure.message], said.complaints.map(asInModule), path);
    }
    files.free();
  });
});

test('a scene with a damaged file names the file and the place', () => {
  const files = sampleWorkspace(ossa);
  const bytes = readFileSync(join(samples, 'bird/fly.anb'));
  files.add('bird/fly.anb', bytes.subarray(0, 600));
  const scene = files.scene(['bird']);
  assert.deepEqual(scene.clips.map((clip) => clip.name), ['glide']);
  const [issue] = scene.fileIssues.filter(({ severity }) => severity === 'error');
  assert.equal(issue.path, 'bird/fly.anb');
  assert.equal(issue.format, 'sotc-anb');
  assert.ok(issue.offset !== null);
  inTemporaryFolder((folder) => {
    mkdirSync(join(folder, 'bird'));
    for (const path of ['bird/bird.skb', 'bird/glide.anb', 'bird/fly.anb']) {
      writeFileSync(join(folder, path), files.bytes(path));
    }
    assert.deepEqual(scene.messages, run(folder, 'convert', 'bird', '-o', '-').complaints.map(asInModule));
  });
  scene.free();
  files.free();
});

/** Numbers that look random and are the same in every run. */
/** @returns {Generator<number, never>} */
function* numbers(seed) {
  let state = seed >>> 0;
  while (true) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

/** All that can be done with a file, whatever comes of it. */
function tryEverything(files, path) {
  files.fields(path, { limit: 200 });
  failureOf(() => {
    const file = files.open(path);
    try {
      file.facts();
      file.dump();
      file.write();
      for (const index of file.entries().keys()) failureOf(() => file.entryBytes(index));
    } finally {
      file.free();
    }
  });
  failureOf(() => files.walk(path, { detail: 'files', deep: true, search: true }));
  failureOf(() => files.survey([path]));
  files.figures();
}

test('bytes that are changed at random never end the module', () => {
  const random = numbers(1);
  const next = (limit) => random.next().value % limit;
  const files = ossa.workspace();
  const sources = [
    ...sampleFiles.filter((path) => !path.startsWith('troll/') || path.includes('/hd.')).map((path) => join(samples, path)),
    ...listFiles(fixtures).filter((path) => !/\.(c|json|md|txt)$/.test(path)).map((path) => join(fixtures, path)),
  ].map((path) => ({ name: path.split('/').at(-1), bytes: readFileSync(path) }))
    .filter(({ bytes }) => bytes.length > 0);
  const rounds = Number(process.env.OSSA_FUZZ_ROUNDS ?? 3);
  const odd = [0, 1, 0x7f, 0x80, 0xff];
  for (let round = 0; round < rounds; round++) {
    for (const { name, bytes } of sources) {
      const changed = Uint8Array.from(bytes);
      for (let i = 1 + next(4); i > 0; i--) {
        const at = next(2) === 0 ? next(Math.min(changed.length, 64)) : next(changed.length);
        if (next(3) === 0) changed.fill(odd[next(odd.length)], at, at + 4);
        else changed[at] = next(2) === 0 ? next(256) : odd[next(odd.length)];
      }
      files.add(name, changed);
      tryEverything(files, name);
      files.remove(name);
    }
  }
  files.free();
});

test('scenes of changed files never end the module', () => {
  const random = numbers(7);
  const next = (limit) => random.next().value % limit;
  const files = sampleWorkspace(ossa);
  const words = [['troll'], ['rabbit', 'more/stage.anc'], ['bird'], ['pedestrian', 'more/ped.csv'], ['wyvern'],
    ['packed/figures.res#wyvern', 'packed/textures.res'], ['packed/rabbit.pak'], ['packed/ped.ar']];
  for (let round = 0; round < 120; round++) {
    const list = words[round % words.length];
    const folder = list[0].split('#')[0];
    const near = sampleFiles.filter((path) => path.startsWith(folder));
    const path = near[next(near.length)];
    const bytes = readFileSync(join(samples, path));
    const changed = Uint8Array.from(bytes);
    for (let i = 1 + next(3); i > 0; i--) changed[next(changed.length)] = next(256);
    files.add(path, changed);
    failureOf(() => {
      const scene = files.scene(list, { inPlace: next(2) === 1, join: next(4) === 0, boxes: next(2) === 1 });
      const pose = scene.pose();
      try {
        for (let clip = -1; clip < scene.clips.length; clip++) pose.sample(clip, next(100) / 10, 'loop');
        pose.stayInPlace();
        scene.glb({ skin: next(2) === 1 });
        scene.json();
      } finally {
        pose.free();
        scene.free();
      }
    });
    files.add(path, bytes);
  }
  files.free();
});

test('a file of more than 256 MiB is refused', () => {
  const files = ossa.workspace();
  files.add('large.anm', new Uint8Array((256 << 20) + 1));
  const failure = failureOf(() => files.open('large.anm'));
  assert.equal(failure.code, 'too-large');
  files.free();
});

/** The module with less memory than it could have: so many pages of 64 KiB. */
function withMemory(pages) {
  const most = Buffer.from([0x80, 0x80, 0x02]); // 32768 pages
  const place = moduleBytes.indexOf(most, 8);
  assert.ok(place > 0 && place < 5000);
  const bytes = Uint8Array.from(moduleBytes);
  bytes.set([0x80 | (pages & 0x7f), 0x80 | (pages >> 7 & 0x7f), pages >> 14], place);
  return load(bytes);
}

test('without memory calls fail and say so, and all goes on when there is some again', async () => {
  const small = await withMemory(96);
  const files = sampleWorkspace(small);
  const words = [['wyvern'], ['packed/figures.res#troll'], ['packed/rabbit.pak'], ['bird']];
  const ballast = [];
  for (let size = 1 << 20; size >= 256; size >>= 1) {
    const piece = new Uint8Array(size);
    while (failureOf(() => files.add(`ballast/${ballast.length}`, piece)) === null) {
      ballast.push(`ballast/${ballast.length}`);
    }
  }
  const seen = new Set();
  const attempt = (call) => {
    const failure = failureOf(call);
    seen.add(failure?.code ?? 'fine');
    return failure === null;
  };
  const tryAll = () => {
    const done = words.map((list) => attempt(() => {
      const scene = files.scene(list);
      try {
        scene.pose().free();
        scene.glb();
        scene.json();
        scene.curves(0, 0);
      } finally {
        scene.free();
      }
    }));
    done.push(attempt(() => {
      const file = files.open('packed/figures.res');
      try {
        file.facts();
        file.dump();
        file.entries();
        file.write();
      } finally {
        file.free();
      }
    }));
    done.push(attempt(() => files.fields('bird/fly.anb')));
    done.push(attempt(() => files.entries('packed/NICO.DAT')));
    attempt(() => files.paths());
    return done.every(Boolean);
  };
  assert.equal(tryAll(), false);
  let rounds = 0;
  while (!tryAll()) {
    assert.ok(ballast.length > 0);
    files.remove(ballast.pop()); // the small ones first
    rounds++;
  }
  assert.ok(rounds > 5);
  assert.ok(seen.has('out-of-memory'));
  // Where there is not even memory for a name, no file of that name is found.
  assert.deepEqual([...seen].filter((code) => !['fine', 'out-of-memory', 'io'].includes(code)), []);
});

test('archives that lie in themselves, or share bytes, end', () => {
  const files = ossa.workspace();
  addFolder(files, fixtures, listFiles(fixtures).filter((path) => /^(ei-res|mm-ar|vib-pak)\//.test(path)));
  for (const path of files.paths()) failureOf(() => files.scene([path]).free());
  files.free();
});
