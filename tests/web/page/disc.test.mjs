// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { load } from '../../../web/api/ossa.js';
import {
  discFacts,
  discFigures,
  MOST_BODIES,
  MOST_MOVES,
  readParts,
  searchDisc,
} from '../../../web/page/disc.js';
import { group } from '../../../web/page/grouping.js';
import { enlargement, readPicture } from '../../../web/page/picture.js';
import { Session } from '../../../web/page/session.js';

const root = new URL('../../../', import.meta.url);
const sample = (path) => readFileSync(new URL(`samples/${path}`, root));
const fixture = (path) => readFileSync(new URL(`tests/fixtures/${path}`, root));
const wasm = process.env.OSSA_WASM ?? fileURLToPath(new URL('build/web/ossa.wasm', root));
const ossa = await load(readFileSync(wasm));

// "15" is a part with that many bones, at a place of its own.
function disc(path, bodies, moves) {
  const part = (kind) => (bones, i) => ({
    word: `${path}#${kind}${i}`,
    name: `${kind}${i}`,
    bones,
  });
  return {
    path,
    disc: {
      entries: [],
      bodies: bodies.map(part('skb')),
      moves: moves.map(part('anb')),
      broken: new Set(),
    },
  };
}

function wordsOf(items) {
  return discFigures(items).map((figure) => figure.words.map((word) => word.replace(/.*#/, '')));
}

test('every skeleton has the animations with as many bones', () => {
  assert.deepEqual(wordsOf([disc('D', [15, 7, 15, 3], [7, 15, 9, 15])]), [
    ['skb0', 'anb1', 'anb3'],
    ['skb1', 'anb0'],
    ['skb2', 'anb1', 'anb3'],
    ['skb3'],
  ]);
});

test('a figure says how little is known', () => {
  const notes = discFigures([disc('D', [15, 7, 3], [7, 15, 15])]).map((figure) => figure.note);
  assert.match(notes[0], /^Its clips are the 2 animations found with 15 bones/);
  assert.match(notes[1], /^Its clip is the one animation found with 7 bones/);
  assert.match(notes[2], /^No animation was found that has 3 bones/);
});

test('its own disc comes first, then the others', () => {
  const [first, second] = discFigures([disc('A', [5], [5]), disc('B', [5, 6], [5, 5])]);
  assert.deepEqual(first.words, ['A#skb0', 'A#anb0', 'B#anb0', 'B#anb1']);
  assert.deepEqual(first.paths, ['A', 'B']);
  assert.deepEqual(second.words, ['B#skb0', 'B#anb0', 'B#anb1', 'A#anb0']);
  assert.deepEqual(discFigures([disc('A', [4], []), disc('B', [], [5])])[0].paths, ['A']);
});

test('there are only so many animations, and figures', () => {
  const many = disc('A', [5], Array(MOST_MOVES - 1).fill(5));
  const [figure] = discFigures([many, disc('B', [], [5, 5, 5])]);
  assert.equal(figure.words.length, 1 + MOST_MOVES);
  assert.match(figure.note, new RegExp(`the first ${MOST_MOVES} of the ${MOST_MOVES + 2} `));
  assert.equal(discFigures([disc('A', Array(MOST_BODIES + 5).fill(1), [])]).length, MOST_BODIES);
});

test('they come after the figures of other files, and keep a folder from being one word', () => {
  const inFolder = { ...disc('x/D', [15], [15]), format: null, kind: 'archive', isBroken: false };
  const file = (path, kind) => ({ path, kind, format: 'sotc-skb', game: 'g', isBroken: false });
  const library = { models: () => [], fits: () => ({ name: '' }) };
  const { figures } = group(
    [inFolder, file('x/a.skb', 'skeleton'), file('x/b.anb', 'animation')],
    library,
  );
  assert.deepEqual(
    figures.map((figure) => figure.words),
    [
      ['x/a.skb', 'x/b.anb'],
      ['x/D#skb0', 'x/D#anb0'],
    ],
  );
});

// ---- with the library ---------------------------------------------------------------------------

async function sessionOf(files) {
  const session = new Session(ossa);
  const notices = [];
  session.on('notice', (notice) => notices.push(notice.text));
  const busy = [];
  session.on('busy', (work) => busy.push(work));
  await session.add(
    Object.entries(files).map(([path, bytes]) => ({ path, blob: new Blob([bytes]) })),
  );
  return { session, notices, busy };
}

test('a file of a disc becomes a figure that plays', async () => {
  const { session, notices } = await sessionOf({ 'NICO.DAT': sample('packed/NICO.DAT') });
  assert.deepEqual(
    session.figures.map((figure) => figure.words),
    [['NICO.DAT#0x000004d5.skb', 'NICO.DAT#0x00000cd4.anb', 'NICO.DAT#0x00001f59.anb']],
  );
  assert.equal(session.scene.bones.length, 15);
  assert.deepEqual(
    session.scene.clips.map((clip) => clip.name),
    ['0x00000cd4', '0x00001f59'],
  );
  assert.deepEqual(notices, []);
  const item = session.items.get('NICO.DAT');
  assert.deepEqual([item.kind, item.format, item.isBroken], ['archive', null, false]);
  assert.equal(session.entries('NICO.DAT'), item.disc.entries); // it is searched once
  session.showWord('NICO.DAT#0x00001f59.anb');
  assert.equal(session.scene.clips.length, 1);
  session.clear();
});

test('what is damaged on a disc is left out, and known', async () => {
  const noise = Buffer.from('between them');
  const bytes = Buffer.concat([
    fixture('sotc-skb/plain.skb'), // it begins like a file
    noise,
    fixture('sotc-anb/every-flag.anb'),
    fixture('sotc-anb/record-outside.anb'), // cannot be read
    fixture('sotc-anb/unknown-flag.anb'), // breaks a rule
    fixture('sotc-xff/named.xff'),
  ]);
  const { session } = await sessionOf({ XAB: bytes });
  const { disc: found } = session.items.get('XAB');
  assert.equal(found.entries.length, 5);
  assert.deepEqual([found.bodies.length, found.moves.length, found.broken.size], [1, 1, 2]);
  assert.equal(session.figure.words.length, 2);
  assert.equal(session.failure, null);
  const facts = new Map(discFacts(found));
  assert.equal(facts.get('animations'), 3);
  assert.equal(facts.get('damaged'), 2);
  session.clear();
});

test('a disc without skeletons says so; what no format knows is no disc', async () => {
  const moves = Buffer.concat([Buffer.from('junk'), fixture('sotc-anb/every-flag.anb')]);
  const { session, notices } = await sessionOf({ XAC: moves });
  assert.deepEqual(session.figures, []);
  assert.match(notices[0], /no skeleton in XAC/);
  assert.ok(discFacts(session.items.get('XAC').disc).some(([name]) => name === 'no skeleton'));
  session.clear();
  const other = await sessionOf({ junk: new Uint8Array(100_000).fill(120) });
  assert.equal(other.session.items.get('junk').disc, null);
  assert.match(other.notices[0], /No format is known/);
});

test('a single file is no disc', async () => {
  const { session } = await sessionOf({ 'bird.skb': sample('bird/bird.skb') });
  assert.equal(session.items.get('bird.skb').disc, null);
  assert.equal(session.items.get('bird.skb').format, 'sotc-skb');
  assert.deepEqual(
    ['ei-res', 'sotc-xff', 'sotc-skb', null].map((id) => session.opens(id)),
    [true, false, false, false],
  );
  session.clear();
});

test('what takes long is told of, and that it is over', async () => {
  const { busy } = await sessionOf({ JUNK: new Uint8Array(17_000_000) });
  assert.match(busy[0].text, /^Reading JUNK, 17 MB$/);
  assert.equal(busy.at(-1), null);
});

test('a disc with much in it is read in turns, and may be removed meanwhile', async () => {
  const bytes = Buffer.concat(Array(3000).fill(fixture('sotc-anb/every-flag.anb')));
  const session = new Session(ossa);
  const turns = [];
  session.on('busy', (work) => {
    turns.push(work);
    if (work?.done > 0 && session.items.size > 0) session.clear();
  });
  await session.add([{ path: 'XAB', blob: new Blob([bytes]) }]);
  const counted = turns.filter((work) => work?.done > 0);
  assert.equal(counted.length, 1);
  assert.ok(counted[0].done < counted[0].all);
  assert.equal(turns.at(-1), null);
  assert.deepEqual([session.items.size, session.figures, session.figure], [0, [], null]);
  assert.deepEqual(session.workspace.paths(), []);
});

test('the parts of a disc are read in steps', () => {
  const files = ossa.workspace();
  files.add('D', sample('packed/NICO.DAT'));
  const found = searchDisc(files, 'D');
  assert.deepEqual([...readParts(files, 'D', found)].at(-1), { done: 3, all: 3 });
  assert.deepEqual(
    [...found.bodies, ...found.moves].map((part) => [part.name, part.bones]),
    [
      ['0x000004d5', 15],
      ['0x00000cd4', 15],
      ['0x00001f59', 15],
    ],
  );
  assert.equal(searchDisc(files, 'nothing'), null);
  files.free();
});

// ---- textures -----------------------------------------------------------------------------------

test('a texture alone has a picture, also in an archive', async () => {
  const files = ossa.workspace();
  files.add('textures.res', sample('packed/textures.res'));
  files.add('bird.skb', sample('bird/bird.skb'));
  const [entry] = files.entries('textures.res');
  const picture = readPicture(files, `textures.res#${entry.name}`);
  assert.equal(picture.pixels.length, 4 * picture.width * picture.height);
  files.add('skin.mmp', files.bytes(`textures.res#${entry.name}`));
  assert.deepEqual(readPicture(files, 'skin.mmp'), picture);
  assert.equal(picture.isOpaque, true);
  files.add('glass.mmp', fixture('ei-mmp/8888.mmp'));
  assert.equal(readPicture(files, 'glass.mmp').isOpaque, false);
  assert.equal(readPicture(files, 'bird.skb'), null);
  assert.equal(readPicture(files, 'nothing'), null);
  const { session, notices } = await sessionOf({ 'skin.mmp': files.bytes('skin.mmp') });
  assert.equal(session.file.word, 'skin.mmp');
  assert.deepEqual([session.figures, notices], [[], []]);
  files.free();
});

test('small pictures are enlarged by whole numbers', () => {
  assert.equal(enlargement({ width: 32, height: 32 }), 8);
  assert.equal(enlargement({ width: 100, height: 20 }), 2);
  assert.equal(enlargement({ width: 1024, height: 4 }), 1);
});
