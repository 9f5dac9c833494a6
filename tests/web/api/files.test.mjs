// SPDX-License-Identifier: MIT
//
// Every file of the samples and fixtures, through the module and through the tool: the same words,
// the same documents, the same bytes.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

import {
  addFolder, asInModule, failureOf, fixtures, inTemporaryFolder, listFiles, run, sampleFiles, samples, start,
} from './support.mjs';

const ossa = await start();
const fixtureFiles = listFiles(fixtures).filter((path) => !/\.(c|json|md|txt)$/.test(path));
const places = [
  { name: 'samples', folder: samples, paths: sampleFiles },
  { name: 'fixtures', folder: fixtures, paths: fixtureFiles },
];
for (const place of places) {
  place.files = ossa.workspace();
  addFolder(place.files, place.folder, place.paths);
}

/** What the tool says of all files, asked once: it is started a few times, not thousands. */
function askTool({ folder, paths }) {
  const facts = parseLines(run(folder, 'info', '--json', ...paths).text);
  const dumps = run(folder, 'dump', ...paths);
  const readable = paths.filter((path) => !isRefused(path, dumps.complaints));
  const lines = dumps.text.split(/(?<=\n)/);
  const pretty = run(folder, 'dump', '--pretty', ...paths).text.split(/(?<=^}\n)/m);
  assert.deepEqual([lines.length, pretty.length], [readable.length, readable.length]);
  return {
    facts: new Map(facts.map(({ models, ...document }) => [document.file, document])),
    dumps: new Map(readable.map((path, i) => [path, [lines[i], pretty[i]]])),
    issues: groupByFile(JSON.parse(run(folder, 'check', '--json', ...paths).text)),
    fields: new Map(parseLines(run(folder, 'fields', '--json', ...paths).text)
      .map((document) => [document.file, document])),
  };
}

function parseLines(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** Was there more than a warning? */
function isRefused(path, complaints) {
  return complaints.some((line) => line.startsWith(`${path}: `)
    && !/^(remark|warning|error|\d+ more kinds)\b/.test(line.slice(path.length + 2)));
}

function groupByFile(issues) {
  const groups = new Map();
  for (const issue of issues) groups.set(issue.file, [...(groups.get(issue.file) ?? []), issue]);
  return groups;
}

/** Check each file of both, in one test. */
function forEachFile(title, check) {
  for (const place of places) {
    test(`${title}: ${place.name}`, () => {
      place.said ??= askTool(place);
      for (const path of place.paths) {
        try {
          check(path, place.files, place.said, place.folder);
        } catch (error) {
          error.message = `${path}: ${error.message}`;
          throw error;
        }
      }
    });
  }
}

function withFile(files, path, use) {
  let file;
  const failure = failureOf(() => { file = files.open(path); });
  if (failure !== null) return failure;
  try {
    return use(file) ?? null;
  } finally {
    file.free();
  }
}

forEachFile('facts', (path, files, said) => {
  const failure = withFile(files, path, (file) => {
    const facts = said.facts.get(path);
    assert.deepEqual(file.facts(), facts);
    assert.deepEqual(
      [file.format.id, file.confidence, file.size, file.errorCount, file.warningCount],
      [facts.format, facts.confidence, facts.size, facts.errors, facts.warnings]);
  });
  assert.equal(failure === null, said.facts.has(path));
});

forEachFile('dump and write', (path, files, said, folder) => {
  withFile(files, path, (file) => {
    const canDump = file.format.can.includes('dump');
    assert.equal(said.dumps.has(path), canDump);
    if (canDump) assert.deepEqual([file.dump(), file.dump(true)], said.dumps.get(path));
    else assert.equal(failureOf(() => file.dump()).code, 'bad-argument');
    assert.deepEqual(Buffer.from(file.write()), readFileSync(join(folder, path)));
  });
});

forEachFile('issues', (path, files, said) => {
  // The tool also follows a sheet to its image, which is not there.
  const found = (said.issues.get(path) ?? []).filter(({ code }) => !['io', 'not-an-archive'].includes(code));
  const failure = withFile(files, path, (file) => {
    assert.deepEqual(file.issues.map(plain), found.map(plain));
    const wrong = file.issues.filter(({ severity }) => severity !== 'remark');
    const total = wrong.reduce((sum, issue) => sum + issue.count, 0);
    assert.equal(total, file.errorCount + file.warningCount);
    for (const issue of file.issues) {
      assert.ok(issue.text.includes(issue.message));
      assert.equal(issue.path, path);
    }
  });
  if (failure !== null) {
    assert.equal(failure.path, path);
    assert.ok(failure.issues.every((issue) => issue.path === path));
    assert.ok(failure.messages.includes(failure.message));
    assert.deepEqual(failure.issues.map(plain), found.map(plain));
    assert.equal(found.at(-1).severity, 'unreadable');
    assert.deepEqual([failure.code, failure.offset ?? 0], [found.at(-1).code, found.at(-1).offset]);
  }
});

function plain({ severity, code, offset, field, message }) {
  return { severity, code, offset: offset ?? 0, field, message }; // the tool has 0 for none
}

forEachFile('fields', (path, files, { fields: documents }) => {
  const said = documents.get(path);
  const { fields, total, error } = files.fields(path);
  const short = ({ offset, size, type, field, path: name }) => [offset, size, type, field ?? name];
  assert.deepEqual(fields.map(short), said.fields.map(short));
  assert.equal(total, fields.length);
  assert.equal(error === null, said.error === null);
  for (const [i, { type, value }] of fields.entries()) {
    if (/^[uif]\d/.test(type) && typeof said.fields[i].value === 'number') {
      assert.equal(Number(value), said.fields[i].value);
    }
  }
  // Every byte is in one: they are in order, and one begins where the one before ends. Tables that
  // share bytes overlap, so that one may also begin before.
  const size = files.bytes(path).length;
  if (said.format === null) {
    assert.deepEqual(fields, []); // nobody knows what it is
    return;
  }
  let covered = 0;
  for (const { offset, size: length } of fields) {
    assert.ok(offset <= covered, `nothing is at ${covered}`);
    covered = Math.max(covered, offset + length);
  }
  assert.equal(covered, size);
  // Pages of them are the same, in pieces.
  const half = Math.floor(size / 2);
  const first = files.fields(path, { to: half });
  const second = files.fields(path, { from: half, limit: 3 });
  assert.deepEqual(first.fields, fields.filter(({ offset }) => offset < half));
  assert.equal(first.total + second.total, total);
  assert.deepEqual(second.fields, fields.filter(({ offset }) => offset >= half).slice(0, 3));
});

forEachFile('entries', (path, files, _, folder) => {
  withFile(files, path, (file) => {
    const entries = file.entries();
    if (!file.format.can.includes('list')) {
      assert.deepEqual(entries, []);
      return;
    }
    const said = run(folder, 'list', '--json', path);
    let looked;
    const refusal = failureOf(() => { looked = files.entries(path); });
    if (refusal !== null) { // it leads to an image that is not there
      assert.equal(said.status, 1);
      assert.deepEqual(refusal.messages, said.complaints.map(asInModule));
      return;
    }
    const listed = JSON.parse(said.text);
    assert.deepEqual(looked.map((entry) => asListed(path, entry)), listed);
    // A look at all of them stops if they are far more than the archive.
    assert.deepEqual(looked.map(({ ownName, format, ...entry }) => entry), entries.slice(0, looked.length));
    for (const [i, entry] of entries.entries()) {
      const failure = failureOf(() => assert.equal(file.entryBytes(i).length, entry.size));
      if (failure === null) continue;
      assert.ok(entry.isMissing || failure.code === 'limit' || path.startsWith('mm-ar/'), failure.message);
    }
    assert.equal(failureOf(() => file.entryBytes(entries.length)).code, 'bad-argument');
  });
});

test('entries of archives are words like files', () => {
  const { files } = places[0];
  const outer = files.open('packed/figures.res#troll.anm');
  const names = outer.entries().map(({ name }) => name);
  assert.deepEqual(names.sort(), ['dance', 'idle', 'walk']);
  const word = 'packed/figures.res#troll.anm#walk#hd';
  const part = files.open(word);
  assert.equal(part.format.id, 'ei-anm');
  assert.deepEqual(part.facts(), JSON.parse(run(samples, 'info', '--json', word).text));
  assert.deepEqual(files.bytes(word), part.write());
  assert.deepEqual(files.fields(word).total, files.fields(word).fields.length);
  part.free();
  outer.free();
  const disc = files.open('packed/NICO.DAT#0x4d5');
  assert.equal(disc.format.game, 'Shadow of the Colossus (2005)');
  disc.free();
  const missing = failureOf(() => files.open('packed/figures.res#nothing'));
  assert.equal(missing.code, 'no-entry');
  assert.deepEqual(missing.messages, run(samples, 'dump', 'packed/figures.res#nothing').complaints.map(asInModule));
});

/** An entry, as `ossa list --json` tells of it. */
function asListed(word, { name, ownName, offset, size, isPacked, time, format }) {
  return {
    entry: `${word}#${name}`, name, type: format, size, offset, packed: isPacked, time,
    ...(ownName === null ? {} : { own_name: ownName }),
  };
}

const gap = Buffer.from('nothing xff\0 xff2 of this is one xx');

/** A file of a disc: containers at odd places, between bytes that mean nothing. */
function makeDisc() {
  const names = ['sotc-xff/named.xff', 'sotc-skb/plain.skb', 'sotc-anb/every-flag.anb', 'sotc-nmo/plain.nmo'];
  return Buffer.concat(names.flatMap((name) => [gap, readFileSync(join(fixtures, name))]).concat(gap));
}

test('a file of a disc is searched, as the tool does', () => {
  inTemporaryFolder((folder) => {
    const files = ossa.workspace();
    const contents = {
      'NICO.DAT': readFileSync(join(samples, 'packed/NICO.DAT')),
      XAB: makeDisc(),
      XAC: makeDisc().subarray(gap.length), // begins with a file, so that it looks like one
      'folder/XAD': makeDisc().subarray(0, 900), // ends in the middle of one
    };
    for (const [path, bytes] of Object.entries(contents)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
      files.add(path, bytes);
      const entries = files.entries(path);
      const listed = JSON.parse(run(folder, 'list', '--json', path).text);
      assert.ok(entries.length > 0);
      assert.deepEqual(entries.map((entry) => asListed(path, entry)), listed);
      for (const { name, offset, size, storedSize } of entries) {
        assert.equal(storedSize, size);
        assert.deepEqual(Buffer.from(files.bytes(`${path}#${name}`)), bytes.subarray(offset, offset + size));
      }
    }
    const [named, ...others] = files.entries('XAB');
    assert.ok(named.ownName.length > 0);
    assert.deepEqual(others.map(({ ownName, format }) => [ownName, format]),
      [[null, 'sotc-skb'], [null, 'sotc-anb'], [null, 'sotc-nmo']]);
    assert.equal(files.entries('XAC').length, 4);
    files.free();
  });
});

test('entries of what has none: the message of the tool', () => {
  const { files } = places[0];
  files.add('noise', new Uint8Array(5000).map((_, i) => i * i));
  for (const word of ['bird/bird.skb', 'packed/NICO.DAT#0x4d5', 'packed/figures.res#nothing', 'nothing']) {
    const said = run(samples, 'list', word);
    assert.equal(said.text, '');
    assert.deepEqual(failureOf(() => files.entries(word)).messages, said.complaints.map(asInModule), word);
  }
  const failure = failureOf(() => files.entries('noise'));
  assert.equal(failure.code, 'unknown-format');
  assert.match(failure.message, /no file of a game was found in it, either/);
  files.remove('noise');
});

test('a walk visits what the tool lists, and reads it', () => {
  const { files } = places[0];
  const word = 'packed/figures.res';
  const listed = JSON.parse(run(samples, 'list', '--json', '--flat', word).text);
  const [archive, ...inside] = files.walk(word, { deep: true });
  assert.deepEqual(
    [archive.path, archive.depth, archive.format, archive.isArchive, archive.isNamed, archive.entryCount, archive.figureCount],
    [word, 0, 'ei-res', true, true, 6, 2]);
  assert.deepEqual(inside.map(({ path, name, format, size, offset }) => [path, name, format, size, offset]),
    listed.map(({ entry, name, type, size, offset }) => [entry, name, type, size, offset]));
  assert.deepEqual(files.walk(word, { enter: false }), [archive]);
  assert.deepEqual(files.walk('.', { detail: 'names' }).map(({ path }) => path), files.paths());
  assert.equal(files.walk(word, { detail: 'names' })[0].isArchive, false);

  // Everything is read as open() reads it; what cannot be has the same error.
  files.add('walk/cut.anb', readFileSync(join(samples, 'bird/fly.anb')).subarray(0, 600));
  files.add('walk/odd.txt', new Uint8Array(9));
  for (const visit of files.walk('.', { detail: 'files', enter: false })) {
    let known = null;
    const failure = failureOf(() => {
      const { format: { id }, size, warningCount, errorCount, confidence } = files.open(visit.path);
      known = [id, size, warningCount, errorCount, confidence];
    });
    const { format, size, warningCount, errorCount, confidence, error } = visit;
    if (failure === null) assert.deepEqual([format, size, warningCount, errorCount, confidence], known);
    else assert.deepEqual([error.code, error.offset, error.path, error.message.slice(0, 40)],
      [failure.code, failure.offset, visit.path, failure.message.slice(0, 40)]);
    assert.equal(visit.isStray, failure?.code === 'unknown-format', visit.path);
  }
  const [disc, ...found] = files.walk('packed/NICO.DAT', { search: true });
  assert.deepEqual([disc.isSearch, disc.entryCount], [true, found.length]);
  assert.equal(failureOf(() => files.walk('packed/figures.res#nothing')).code, 'no-entry');
  assert.throws(() => files.walk('.', { detail: 'all' }), RangeError);
  assert.throws(() => files.walk('.', { enter: 'all' }), RangeError);
  const searched = { search: true, enter: 'searched' };
  assert.deepEqual(files.walk('packed/NICO.DAT', searched), [disc, ...found]);
  assert.equal(files.walk('packed/figures.res', searched).length, 1);
  for (const path of ['walk/cut.anb', 'walk/odd.txt']) files.remove(path);
});

test('figures can be made into scenes, and a survey counts what is in them', () => {
  const { files } = places[0];
  const folders = ['troll', 'wyvern', 'rabbit', 'bird', 'pedestrian', 'packed/figures.res', 'packed/rabbit.pak'];
  const figures = folders.flatMap((folder) => files.figures(folder));
  assert.ok(figures.length >= 8);
  assert.ok(files.figures().length >= 8);
  for (const { name, game, paths, files: used, missing } of figures) {
    assert.ok(name.length > 0 && used.every((path) => files.has(path)) && Array.isArray(missing));
    const scene = files.scene(paths);
    const { boneCount, clips } = files.survey(paths);
    assert.equal(scene.game, game);
    if (!missing.includes('skeleton')) assert.equal(boneCount, scene.bones.length, name);
    assert.deepEqual(clips.map(({ frameCount }) => frameCount).sort(), scene.clips.map(({ frameCount }) => frameCount).sort());
    scene.free();
  }
  const names = files.figures('packed/figures.res').map(({ name, paths }) => [name, paths]);
  assert.deepEqual(names.map(([name]) => name), ['troll', 'wyvern']);
  const scene = files.scene(['bird']);
  const [bird] = figures.filter(({ name }) => name === 'bird');
  assert.deepEqual([bird.boneCount, bird.clipCount], [scene.bones.length, scene.clips.length]);
  scene.free();
});

test('surveys of the figures in an archive are the models that info lists', () => {
  const { files } = places[0];
  const word = 'packed/figures.res';
  const { models } = JSON.parse(run(samples, 'info', '--json', word).text);
  const surveys = files.figures(word).map(({ name, paths }) => ({ name, ...files.survey(paths) }));
  assert.deepEqual(surveys, models.map(({ model, parts, meshes, unreadable, clips, slots }) => ({
    name: model,
    boneCount: parts,
    meshCount: meshes,
    unreadable,
    clips: clips.map(({ clip, frames, parts: count }) => ({ name: clip, frameCount: frames, fileCount: count })),
    slots: slots.map(({ slot, parts: list }) => ({ name: slot, parts: list.map(({ part, shown }) => ({ name: part, isShown: shown })) })),
  })));
  assert.equal(models.length, 2);
});

test('a file of bytes alone, by its name or as it is asked for', () => {
  const bytes = readFileSync(join(samples, 'pedestrian/walk.anim'));
  const file = ossa.open(bytes, 'walk.anim');
  assert.equal(file.format.id, 'mm-anim');
  assert.deepEqual(Buffer.from(file.write()), bytes);
  file.free();
  const forced = ossa.open(bytes, undefined, { format: 'mm-anim', dialect: 'documented' });
  assert.equal(forced.facts().facts.dialect, 'documented');
  forced.free();
  const refused = failureOf(() => ossa.open(bytes, 'walk.anim', { format: 'sotc-anb' }));
  assert.equal(refused.format, 'sotc-anb');
  assert.equal(failureOf(() => ossa.open(bytes, 'x', { format: 'nothing' })).code, 'bad-argument');
  assert.equal(failureOf(() => ossa.open(new Uint8Array(0), 'x.anm')).code, 'empty-file');
  assert.throws(() => ossa.open(/** @type {any} */ ('text')), TypeError);
  assert.throws(() => ossa.open(bytes, 'a\0b'), TypeError);
  assert.throws(() => ossa.open(bytes, '..'), TypeError);
});
