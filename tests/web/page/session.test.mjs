// SPDX-License-Identifier: MIT
//
// What the page has before it, without a page: files that come while others are on their way.

import assert from 'node:assert/strict';
import test from 'node:test';

import { samples } from '../api/support.mjs';
import { startSession } from './local.mjs';
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
  const session = await startSession();
  await session.add(dropped('rabbit'));
  const coming = session.add([...dropped('bird'), ...dropped('rabbit')]);
  await session.clear();
  await coming;
  assert.deepEqual([session.items.size, session.figures.length, (await session.client.call('paths')).length], [0, 0, 0]);
  await session.add(dropped('bird'));
  assert.deepEqual(namesOf(session), ['bird']);
});

test('files that come at the same time are all there', async () => {
  const session = await startSession();
  await Promise.all([session.add(dropped('rabbit')), session.add(dropped('bird')), session.add(dropped('rabbit'))]);
  const other = await startSession();
  await other.add([...dropped('rabbit'), ...dropped('bird')]);
  assert.deepEqual(namesOf(session), namesOf(other));
});

test('each scene is made once, and few are kept', async () => {
  const calls = [];
  const session = await startSession(calls);
  await session.add([...dropped('rabbit'), ...dropped('bird')]);
  for (let i = 0; i < 20; i++) await session.showFigure(session.figures[i % session.figures.length]);
  assert.equal(calls.filter((name) => name === 'scene').length, 2);
  for (const scale of [1, 2, 3, 4, 5, 6, 7, 8]) await session.setOptions({ scale });
  assert.equal(await session.client.call('sceneCount'), 6);
  await session.clear();
  assert.equal(await session.client.call('sceneCount'), 0);
});

// ---- what was added -----------------------------------------------------------------------------

const sample = (path) => readFileSync(join(samples, path));
const fixture = (path) => readFileSync(join(samples, '../tests/fixtures', path));

async function sessionOf(files) {
  const session = await startSession();
  const notices = [];
  session.on('notice', (notice) => notices.push(notice.text));
  const busy = [];
  session.on('busy', (work) => busy.push(work));
  await session.add(Object.entries(files).map(([path, bytes]) => ({ path, blob: new Blob([bytes]) })));
  return { session, notices, busy };
}

test('a figure stays as it is when files of others are added', async () => {
  const session = await startSession();
  await session.add(dropped('bird'));
  await session.setClip(1);
  const { figure, scene } = session;
  await session.add([{ path: 'notes.txt', blob: new Blob(['nothing']) }]);
  assert.deepEqual([session.figure === figure, session.scene === scene, session.clip], [true, true, 1]);
  assert.deepEqual(namesOf(session), ['bird']);
  await session.add(dropped('rabbit'));
  assert.equal(session.figure.name, 'rabbit');
  assert.equal(session.figures.includes(figure), true);
  await session.clear();
});

test('no scene is made to find the figures', async () => {
  const calls = [];
  const session = await startSession(calls);
  await session.add([...dropped('rabbit'), ...dropped('bird')]);
  assert.deepEqual([session.figures.length, calls.filter((name) => name === 'scene').length], [2, 1]);
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
  assert.equal(await session.entries('NICO.DAT'), item.found); // it is searched once
  await session.showWord('NICO.DAT#0x00001f59.anb');
  assert.equal(session.scene.clips.length, 1);
  await session.clear();
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
  await session.clear();
});

test('a disc without skeletons says so; a file of no format is not a disc', async () => {
  const clips = Buffer.concat([Buffer.from('junk'), fixture('sotc-anb/every-flag.anb')]);
  const { session, notices } = await sessionOf({ XAC: clips });
  assert.deepEqual(session.figures, []);
  assert.match(notices[0], /XAC contains no skeleton/);
  await session.clear();
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
  await session.clear();
});

test('a large file is read in parts, with progress', async () => {
  const { session, busy } = await sessionOf({ DISC: disc(17_000_000) });
  assert.ok(busy.length > 4);
  assert.deepEqual(busy[0], { text: 'Reading DISC, 17 MB', done: 0, all: 17_000_000 });
  const reports = busy.filter((work) => work?.all);
  assert.deepEqual(reports.at(-1), { text: 'Reading DISC, 17 MB', done: 17_000_000, all: 17_000_000 });
  assert.equal(busy.at(-1), null);
  assert.deepEqual([session.items.get('DISC').found.length, session.scene.bones.length], [3, 15]);
  await session.clear();
});

// A disc of any size, with files of a game at its end.
function disc(size) {
  const bytes = new Uint8Array(size);
  const files = sample('packed/NICO.DAT');
  bytes.set(files, size - files.length);
  return bytes;
}

for (const [name, stop, left] of /** @type {[string, (session: any) => void, string[]][]} */ ([
  ['cancelled', (session) => session.cancel(), ['bird/bird.nmo', 'bird/bird.nto', 'bird/bird.skb', 'bird/fly.anb', 'bird/glide.anb']],
  ['ended by removing everything', (session) => session.clear(), []],
])) {
    test(`reading is ${name}`, async () => {
      const session = await startSession();
      const notices = [];
      session.on('notice', (notice) => notices.push(notice.text));
      const busy = [];
      let isStopped = false;
      session.on('busy', (work) => {
        busy.push(work);
        if (work?.done > 0 && !isStopped) {
          isStopped = true;
          stop(session);
        }
      });
      const large = { path: 'DISC', blob: new Blob([disc(17_000_000)]) };
      await session.add([...dropped('bird'), large, ...dropped('rabbit')]);
      assert.deepEqual([...session.items.keys()], left);
      assert.deepEqual(await session.client.call('paths'), left);
      assert.equal(session.figure?.name ?? null, left.length > 0 ? 'bird' : null);
      assert.deepEqual([busy.at(-1), notices], [null, []]);
      await session.add(dropped('rabbit'));
      assert.equal(session.figure.name, 'rabbit');
      await session.clear();
    });
}

test('a file that the module has no memory for is reported, and the others are read', async () => {
  const session = await startSession();
  const notices = [];
  session.on('notice', (notice) => notices.push(notice.text));
  await session.add([{ path: 'discs/game.iso', blob: /** @type {any} */ ({ size: 3 * 2 ** 30 }) }, ...dropped('bird')]);
  assert.match(notices[0], /^game\.iso has 3\.2 GB, which do not fit .* ossa convert game\.iso#ENTRY.* ossa extract game\.iso /);
  assert.equal(notices.length, 1);
  assert.equal(session.figure.name, 'bird');
  await session.clear();
});

const sheet = Buffer.from('FILE "GAME.BIN" BINARY\r\n  TRACK 01 MODE1/2048\r\n    INDEX 01 00:00:00\r\n');

test('an image of a disc: its figures, and archives in it', async () => {
  const { session } = await sessionOf({ 'colossus.iso': sample('packed/colossus.iso') });
  assert.deepEqual([namesOf(session), session.figure.name], [['bird_A'], 'bird_A']);
  assert.deepEqual(session.scene.clips.length, 2);
  assert.ok(session.scene.meshes.length > 0 && session.scene.meshes.every(({ weights }) => weights !== null));
  assert.equal((await session.entries('colossus.iso')).find(({ name }) => name === 'NICO.DAT').format, 'sotc-nico');
  assert.ok(session.opens('iso9660') && session.opens('sotc-nico') && session.opens('cue'));
  assert.ok((await session.entries('colossus.iso#NICO.DAT')).some(({ name }) => name === 'anim/bird_A_fly.anb'));
  await session.clear();
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
    assert.ok((await session.entries(names[0])).some(({ name }) => name === 'NICO.DAT'));
    await session.clear();
  }
  const { session, notices } = await sessionOf({ 'game.cue': sheet });
  assert.deepEqual(notices, ["game.cue: the image 'GAME.BIN' that it names does not exist. Add it, too."]);
  await session.add([{ path: 'game.bin', blob: new Blob([image]) }]); // later
  assert.equal(session.items.get('game.cue').error, null);
  assert.equal(session.figure.name, 'bird_A');
  await session.clear();
});

test('the models of an archive, and one of them shown', async () => {
  const files = Object.fromEntries(['figures', 'textures', 'database'].map((name) =>
    [`${name}.res`, sample(`packed/${name}.res`)]));
  const { session } = await sessionOf(files);
  const models = await session.findFigures('figures.res');
  assert.deepEqual(models.map(({ name }) => name), ['troll', 'wyvern']);
  assert.equal(session.isModel(session.figure, models[0]), true);
  await session.showModel(models[1]);
  assert.equal(session.isModel(session.figure, models[1]), true);
  assert.equal(session.scene.textures.length, 1, 'with what other archives have for it');
  assert.deepEqual(namesOf(session), ['troll', 'wyvern']);
  await session.clear();
});

test('missing files are asked for, by what the library says', async () => {
  const { session } = await sessionOf({ 'fly.anb': sample('bird/fly.anb') });
  assert.equal(session.question, 'This clip has 15 bones but no skeleton. Add the SKB file, or show placeholders.');
  await session.clear();
  for (const [path, from, asked] of /** @type {[string, string, RegExp][]} */ ([
    ['walk.anim', 'pedestrian/walk.anim', /^This clip has 18 bones but no skeleton\. Add the SKEL file/],
    ['hop.anm', 'rabbit/hop.anm', /^This clip has 17 bones but no skeleton\. Add the TMD file/],
    ['walk/hp.anm', 'troll/walk/hp.anm', /^This clip has 1 bone but no skeleton\. Add the LNK and BON files/],
    ['troll.lnk', 'troll/troll.lnk', /^This figure has 15 bones, all at the same point\. Add the BON file/],
    ['lw1.fig', 'wyvern/fig/lw1.fig', /^null$/], // a mesh alone is a figure of one part
  ])) {
    const one = await sessionOf({ [path]: sample(from) });
    assert.match(String(one.session.question), asked);
    await one.session.clear();
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
  await session.clear();
});

test('a damaged file that breaks several rules leads to its issues', async () => {
  const session = await startSession();
  const notices = [];
  const tabs = [];
  session.on('notice', (notice) => notices.push(notice));
  session.on('file', ({ tab }) => tabs.push(tab));
  await session.add([{ path: 'no-root.skb', blob: new Blob([fixture('sotc-skb/no-root.skb')]) }]);
  const [{ text, word, tab }] = notices;
  assert.deepEqual([text, word, tab], ['no-root.skb is damaged: it breaks 2 rules of its format', 'no-root.skb', 'issues']);
  assert.equal(tabs.at(-1), 'issues');
  await session.clear();
});

test('a GLB is not played: the page says where it can be compared', async () => {
  const glb = Buffer.concat([Buffer.from('glTF'), Buffer.alloc(40)]);
  const { session, notices } = await sessionOf({ 'x/bird.glb': glb });
  assert.deepEqual(notices, [
    'bird.glb is a GLB, not a file of a game. Open the files that it was made from: Compare (Y) then opens it beside them.',
  ]);
  assert.equal(session.file.word, 'x/bird.glb');
  await session.clear();
  await session.add(dropped('bird'));
  let notice = null;
  let compared = null;
  session.on('notice', (given) => (notice = given));
  session.on('compare', (file) => (compared = file));
  await session.add([{ path: 'x/bird.glb', blob: new Blob([glb]) }]);
  assert.equal(notice.text, 'bird.glb is a GLB, not a file of a game. Compare (Y) opens it beside the figure.');
  notice.action.run();
  assert.deepEqual([compared.name, compared.size, session.figure.name], ['bird.glb', 44, 'bird']);
  await session.clear();
  await session.add([...dropped('bird'), { path: 'bird.glb', blob: new Blob([glb]) }]);
  assert.match(notice.text, /Compare \(Y\) opens it beside the figure/);
  await session.clear();
});

test('a texture alone is not a figure, and is shown under Info', async () => {
  const { session, notices } = await sessionOf({ 'skin.mmp': sample('wyvern/wyvern00.mmp') });
  assert.equal(session.file.word, 'skin.mmp');
  assert.deepEqual([session.figures, notices], [[], []]);
  await session.clear();
});

// ---- what stays when something is added ----------------------------------------------------------

test('files that belong to the figure that is shown leave it and its clip where they are', async () => {
  const { session } = await sessionOf({
    'figures.res': sample('packed/figures.res'),
    'database.res': sample('packed/database.res'),
  });
  const wyvern = session.figures.find(({ name }) => name === 'wyvern');
  await session.showFigure(wyvern);
  await session.setClip(1);
  assert.equal(session.scene.textures.length, 0);
  await session.add([{ path: 'textures.res', blob: new Blob([sample('packed/textures.res')]) }]);
  assert.deepEqual([session.figure.name, session.clip, session.scene.textures.length], ['wyvern', 1, 1]);
  assert.equal(session.figure, wyvern);
});

test('a figure is shown again with the clip that it was left with', async () => {
  const session = await startSession();
  await session.add([...dropped('bird'), ...dropped('rabbit')]);
  const [first, second] = session.figures;
  await session.showFigure(first);
  await session.setClip(1);
  const { clips } = session.scene;
  await session.showFigure(second);
  assert.equal(session.clip, 0);
  await session.showFigure(first);
  assert.deepEqual([session.scene.clips[session.clip].name, session.motion.frameCount], [clips[1].name, clips[1].frameCount]);
  await session.setClip(-1);
  await session.showFigure(second);
  await session.showFigure(first);
  assert.equal(session.clip, -1);
});

test('loose files of the same name do not replace each other', async () => {
  const { session, notices } = await sessionOf({ 'hd.bon': sample('troll/bon/hd.bon'), 'bd.bon': sample('troll/bon/bd.bon') });
  const other = [{ path: 'hd.bon', blob: new Blob([sample('wyvern/bon/hd.bon')]) }];
  let action = null;
  session.on('notice', (notice) => (action ??= notice.action ?? null));
  await session.add(other);
  assert.deepEqual([...session.items.keys()], ['hd.bon', 'bd.bon', 'drop 2/hd.bon']);
  assert.deepEqual(Buffer.from(await session.client.call('bytes', 'hd.bon')), sample('troll/bon/hd.bon'));
  assert.ok(notices.some((text) => /^Another hd\.bon is there already/.test(text)));
  await session.add(other);
  assert.equal(session.items.size, 3, 'these are in the folder already');
  await session.add([{ path: 'hd.bon', blob: new Blob(['a third one']) }]);
  assert.equal([...session.items.keys()].at(-1), 'drop 3/hd.bon');
  await action.run();
  assert.deepEqual([...session.items.keys()].sort(), ['bd.bon', 'drop 3/hd.bon', 'hd.bon']);
  assert.deepEqual(Buffer.from(await session.client.call('bytes', 'hd.bon')), sample('wyvern/bon/hd.bon'));
});

test('the same files again change nothing', async () => {
  const session = await startSession();
  await session.add(dropped('rabbit'));
  const calls = [];
  const { watch } = session.client;
  session.client.watch = (...values) => (calls.push(values[1]), watch.call(session.client, ...values));
  await session.add(dropped('rabbit'));
  assert.ok(!calls.includes('add'));
  assert.equal(session.items.size, dropped('rabbit').length);
  assert.equal(session.figure.name, 'rabbit');
});

test('choosing a clip selects its file, in archives too', async () => {
  const session = await startSession();
  await session.add(dropped('bird'));
  await session.setClip(1);
  assert.equal(session.file.word, 'bird/glide.anb');
  await session.setClip(0);
  assert.equal(session.file.word, 'bird/fly.anb');
  const { session: packed } = await sessionOf({ 'figures.res': sample('packed/figures.res') });
  await packed.setClip(packed.scene.clips.findIndex(({ name }) => name === 'dance'));
  assert.match(packed.file.word, /^figures\.res#troll\.anm#dance#\w+$/);
});

test('the last figure that was asked for is shown, whatever was slower', async () => {
  const session = await startSession();
  await session.add([...dropped('bird'), ...dropped('rabbit')]);
  const [first, second] = session.figures;
  await Promise.all([session.showFigure(first), session.showFigure(second), session.showFigure(first)]);
  assert.equal(session.figure, first);
  await Promise.all([session.setClip(1), session.setClip(0)]);
  assert.equal(session.clip, 0);
  await Promise.all([session.setClip(1), session.showFigure(second)]);
  assert.equal(session.figure, second);
});

test('removing everything again and again is one thing', async () => {
  const session = await startSession();
  await session.add(dropped('bird'));
  await Promise.all([session.clear(), session.clear(), session.clear()]);
  assert.deepEqual([session.items.size, (await session.client.call('paths')).length], [0, 0]);
  await session.add(dropped('bird'));
  assert.equal(session.scene.bones.length, 15);
});
