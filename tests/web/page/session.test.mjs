// SPDX-License-Identifier: MIT
//
// What the page has before it, without a page: files that come while others are on their way.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Session } from '../../../web/page/session.js';
import { samples, start } from '../api/support.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function dropped(folder) {
  return readdirSync(join(samples, folder)).sort().map((name) => ({
    path: `${folder}/${name}`,
    blob: new Blob([readFileSync(join(samples, folder, name))]),
  }));
}

const namesOf = (session) => session.figures.map((figure) => figure.name).sort();

test('who removes everything while files are being read is rid of those as well', async () => {
  const session = new Session(await start());
  await session.add(dropped('rabbit'));
  const coming = session.add([...dropped('bird'), ...dropped('rabbit')]);
  session.clear();
  await coming;
  assert.deepEqual([session.items.size, session.figures.length, session.workspace.paths().length], [0, 0, 0]);
  await session.add(dropped('bird'));
  assert.deepEqual(namesOf(session), ['bird']);
});

test('files that come at the same time are all there', async () => {
  const session = new Session(await start());
  await Promise.all([session.add(dropped('rabbit')), session.add(dropped('bird')), session.add(dropped('rabbit'))]);
  const other = new Session(await start());
  await other.add([...dropped('rabbit'), ...dropped('bird')]);
  assert.deepEqual(namesOf(session), namesOf(other));
});

test('scenes that are shown one after the other are freed', async () => {
  const session = new Session(await start());
  let most = 0;
  const scene = session.workspace.scene.bind(session.workspace);
  let alive = 0;
  session.workspace.scene = (...values) => {
    const made = scene(...values);
    const free = made.free.bind(made);
    most = Math.max(most, (alive += 1));
    made.free = () => {
      alive -= 1;
      free();
    };
    return made;
  };
  await session.add([...dropped('rabbit'), ...dropped('bird')]);
  for (let i = 0; i < 20; i++) session.showFigure(session.figures[i % session.figures.length]);
  assert.equal(most <= 2, true);
  session.clear();
  assert.equal(alive, 0);
});

// ---- what was added -----------------------------------------------------------------------------

const sample = (path) => readFileSync(join(samples, path));
const fixture = (path) => readFileSync(join(samples, '../tests/fixtures', path));

async function sessionOf(files) {
  const session = new Session(await start());
  const notices = [];
  session.on('notice', (notice) => notices.push(notice.text));
  const busy = [];
  session.on('busy', (work) => busy.push(work));
  await session.add(Object.entries(files).map(([path, bytes]) => ({ path, blob: new Blob([bytes]) })));
  return { session, notices, busy };
}

test('a figure stays as it is when files of others are added', async () => {
  const session = new Session(await start());
  await session.add(dropped('bird'));
  session.setClip(1);
  const { figure, scene } = session;
  await session.add([{ path: 'notes.txt', blob: new Blob(['nothing']) }]);
  assert.deepEqual([session.figure === figure, session.scene === scene, session.clip], [true, true, 1]);
  assert.deepEqual(namesOf(session), ['bird']);
  await session.add(dropped('rabbit'));
  assert.equal(session.figure.name, 'rabbit');
  assert.equal(session.figures.includes(figure), true);
  session.clear();
});

test('no scene is made to find the figures', async () => {
  const session = new Session(await start());
  let made = 0;
  const scene = session.workspace.scene.bind(session.workspace);
  session.workspace.scene = (...values) => {
    made += 1;
    return scene(...values);
  };
  await session.add([...dropped('rabbit'), ...dropped('bird')]);
  assert.deepEqual([session.figures.length, made], [2, 1]);
  session.clear();
});

test('a disc becomes a figure that plays', async () => {
  const { session, notices } = await sessionOf({ 'NICO.DAT': sample('packed/NICO.DAT') });
  assert.deepEqual(
    session.figures.map((figure) => figure.words),
    [['NICO.DAT#0x000004d5.skb', 'NICO.DAT#0x00000cd4.anb', 'NICO.DAT#0x00001f59.anb']],
  );
  assert.match(session.figure.note, /^Its clips are the 2 animations with 15 bones/);
  assert.equal(session.scene.bones.length, 15);
  assert.deepEqual(session.scene.clips.map((clip) => clip.name), ['0x00000cd4', '0x00001f59']);
  assert.deepEqual(notices, []);
  const item = session.items.get('NICO.DAT');
  assert.deepEqual([item.kind, item.isBroken, item.found.length], ['archive', false, 3]);
  assert.equal(session.entries('NICO.DAT'), item.found); // it is searched once
  session.showWord('NICO.DAT#0x00001f59.anb');
  assert.equal(session.scene.clips.length, 1);
  session.clear();
});

test('damaged files on a disc are left out, and marked', async () => {
  const bytes = Buffer.concat([
    fixture('sotc-skb/plain.skb'), // it begins like a file
    Buffer.from('between them'),
    fixture('sotc-anb/every-flag.anb'),
    fixture('sotc-anb/record-outside.anb'), // cannot be read
    fixture('sotc-anb/unknown-flag.anb'), // breaks a rule
    fixture('sotc-xff/named.xff'),
  ]);
  const { session } = await sessionOf({ XAB: bytes });
  const { found } = session.items.get('XAB');
  assert.equal(found.length, 5);
  assert.equal(found.filter((entry) => entry.error !== null || entry.errorCount > 0).length, 2);
  assert.equal(session.figure.words.length, 2);
  assert.equal(session.failure, null);
  session.clear();
});

test('a disc without skeletons says so; a file of no format is not a disc', async () => {
  const clips = Buffer.concat([Buffer.from('junk'), fixture('sotc-anb/every-flag.anb')]);
  const { session, notices } = await sessionOf({ XAC: clips });
  assert.deepEqual(session.figures, []);
  assert.match(notices[0], /XAC contains no skeleton/);
  session.clear();
  const other = await sessionOf({ junk: new Uint8Array(100_000).fill(120) });
  assert.equal(other.session.items.get('junk').found, null);
  assert.match(other.notices[0], /The format of junk is not known/);
});

test('a single file is not a disc', async () => {
  const { session } = await sessionOf({ 'bird.skb': sample('bird/bird.skb') });
  const { found, format, isBroken } = session.items.get('bird.skb');
  assert.deepEqual([found, format, isBroken], [null, 'sotc-skb', false]);
  assert.deepEqual(
    ['ei-res', 'sotc-xff', 'sotc-skb', null].map((id) => session.opens(id)),
    [true, false, false, false],
  );
  session.clear();
});

test('a large file is read in parts, with progress, and then examined', async () => {
  const { session, busy } = await sessionOf({ DISC: disc(17_000_000) });
  assert.ok(busy.length > 4);
  assert.deepEqual(busy[0], { text: 'Reading DISC, 17 MB', done: 0, all: 17_000_000 });
  assert.deepEqual(busy.at(-3), { text: 'Reading DISC, 17 MB', done: 17_000_000, all: 17_000_000 });
  assert.deepEqual(busy.slice(-2), [{ text: 'Examining DISC, 17 MB' }, null]);
  assert.deepEqual([session.items.get('DISC').found.length, session.scene.bones.length], [3, 15]);
  session.clear();
});

// A disc of any size, with files of a game at its end.
function disc(size) {
  const bytes = new Uint8Array(size);
  const files = sample('packed/NICO.DAT');
  bytes.set(files, size - files.length);
  return bytes;
}

for (const [name, stop, left] of [
  ['cancelled', (session) => session.cancel(), ['bird/bird.nmo', 'bird/bird.nto', 'bird/bird.skb', 'bird/fly.anb', 'bird/glide.anb']],
  ['ended by removing everything', (session) => session.clear(), []],
]) {
  for (const text of ['Reading', 'Examining']) {
    test(`reading is ${name} while the page shows ${text}`, async () => {
      const session = new Session(await start());
      const notices = [];
      session.on('notice', (notice) => notices.push(notice.text));
      const busy = [];
      session.on('busy', (work) => {
        busy.push(work);
        if (work?.text.startsWith(text) && work.done !== 0) stop(session);
      });
      const large = { path: 'DISC', blob: new Blob([disc(17_000_000)]) };
      await session.add([...dropped('bird'), large, ...dropped('rabbit')]);
      assert.deepEqual([...session.items.keys()], left);
      assert.deepEqual(session.workspace.paths(), left);
      assert.equal(session.figure?.name ?? null, left.length > 0 ? 'bird' : null);
      assert.deepEqual([busy.at(-1), notices], [null, []]);
      await session.add(dropped('rabbit'));
      assert.equal(session.figure.name, 'rabbit');
      session.clear();
    });
  }
}

test('a file that the module has no memory for is reported, and the others are read', async () => {
  const session = new Session(await start());
  const notices = [];
  session.on('notice', (notice) => notices.push(notice.text));
  await session.add([{ path: 'discs/game.iso', blob: { size: 3 * 2 ** 30 } }, ...dropped('bird')]);
  assert.match(notices[0], /^game\.iso has 3\.2 GB, which do not fit .* ossa convert game\.iso#ENTRY.* ossa extract game\.iso /);
  assert.equal(notices.length, 1);
  assert.equal(session.figure.name, 'bird');
  session.clear();
});

const sheet = Buffer.from('FILE "GAME.BIN" BINARY\r\n  TRACK 01 MODE1/2048\r\n    INDEX 01 00:00:00\r\n');

test('an image of a disc: its figures, and archives in it', async () => {
  const { session } = await sessionOf({ 'colossus.iso': sample('packed/colossus.iso') });
  assert.deepEqual([namesOf(session), session.figure.name], [['bird_A'], 'bird_A']);
  assert.deepEqual(session.scene.clips.length, 2);
  assert.ok(session.scene.meshes.length > 0 && session.scene.meshes.every(({ weights }) => weights !== null));
  assert.equal(session.entries('colossus.iso').find(({ name }) => name === 'NICO.DAT').format, 'sotc-nico');
  assert.ok(session.opens('iso9660') && session.opens('sotc-nico') && session.opens('cue'));
  assert.ok(session.entries('colossus.iso#NICO.DAT').some(({ name }) => name === 'anim/bird_A_fly.anb'));
  session.clear();
});

test('a sheet finds its image, whichever comes first, and asks for one that is not there', async () => {
  const image = sample('packed/colossus.iso');
  for (const names of [['a.cue', 'game.bin'], ['game.bin', 'z.cue']]) {
    const { session, notices } = await sessionOf(Object.fromEntries(
      names.map((name) => [name, name.endsWith('.cue') ? sheet : image])));
    assert.deepEqual(notices, []);
    assert.equal(session.figure.name, 'bird_A');
    const { error, isBroken } = session.items.get(names.find((name) => name.endsWith('.cue')));
    assert.deepEqual([error, isBroken], [null, false]);
    assert.ok(session.entries(names[0]).some(({ name }) => name === 'NICO.DAT'));
    session.clear();
  }
  const { session, notices } = await sessionOf({ 'game.cue': sheet });
  assert.deepEqual(notices, ["game.cue: the image 'GAME.BIN' that it names does not exist. Add it, too."]);
  await session.add([{ path: 'game.bin', blob: new Blob([image]) }]); // later
  assert.equal(session.items.get('game.cue').error, null);
  assert.equal(session.figure.name, 'bird_A');
  session.clear();
});

test('the models of an archive, and one of them shown', async () => {
  const files = Object.fromEntries(['figures', 'textures', 'database'].map((name) =>
    [`${name}.res`, sample(`packed/${name}.res`)]));
  const { session } = await sessionOf(files);
  const models = session.findFigures('figures.res');
  assert.deepEqual(models.map(({ name }) => name), ['troll', 'wyvern']);
  assert.equal(session.isModel(session.figure, models[0]), true);
  session.showModel(models[1]);
  assert.equal(session.isModel(session.figure, models[1]), true);
  assert.equal(session.scene.textures.length, 1, 'with what other archives have for it');
  assert.deepEqual(namesOf(session), ['troll', 'wyvern']);
  session.clear();
});

test('missing files are asked for, by what the library says', async () => {
  const { session } = await sessionOf({ 'fly.anb': sample('bird/fly.anb') });
  assert.equal(session.question, 'This clip has 15 bones but no skeleton. Add the SKB file, or show placeholders.');
  session.clear();
  for (const [path, from, asked] of [
    ['walk.anim', 'pedestrian/walk.anim', /^This clip has 18 bones but no skeleton\. Add the SKEL file/],
    ['hop.anm', 'rabbit/hop.anm', /^This clip has 17 bones but no skeleton\. Add the TMD file/],
    ['walk/hp.anm', 'troll/walk/hp.anm', /^This clip has 1 bone but no skeleton\. Add the LNK and BON files/],
    ['troll.lnk', 'troll/troll.lnk', /^This figure has 15 bones, all at the same point\. Add the BON file/],
    ['lw1.fig', 'wyvern/fig/lw1.fig', /^null$/], // a mesh alone is a figure of one part
  ]) {
    const one = await sessionOf({ [path]: sample(from) });
    assert.match(String(one.session.question), asked);
    one.session.clear();
  }
});

test('a damaged file is set aside, with the reason', async () => {
  const { session, notices } = await sessionOf({
    'bird.skb': sample('bird/bird.skb'),
    'cut.anb': sample('bird/fly.anb').subarray(0, 900),
    'empty.anm': Buffer.alloc(0),
  });
  assert.deepEqual(session.figure.words, ['bird.skb', 'cut.anb']); // it reports what it has to leave out
  assert.equal(session.items.get('cut.anb').isBroken, true);
  assert.notEqual(session.items.get('cut.anb').error, null);
  assert.equal(session.items.get('empty.anm').isBroken, true);
  assert.match(notices[0], /^cut\.anb is damaged \(and 1 more\): /);
  session.clear();
});

test('a texture alone is not a figure, and is shown under Info', async () => {
  const { session, notices } = await sessionOf({ 'skin.mmp': sample('wyvern/wyvern00.mmp') });
  assert.equal(session.file.word, 'skin.mmp');
  assert.deepEqual([session.figures, notices], [[], []]);
  session.clear();
});
