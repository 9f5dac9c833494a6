// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { commonFolder, group } from '../../../web/page/grouping.js';

const GAMES = {
  ei: 'Evil Islands',
  mm: 'Midtown Madness',
  vib: 'Vib-Ribbon',
  sotc: 'Shadow of the Colossus',
};
const KINDS = {
  lnk: 'skeleton',
  bon: 'skeleton',
  anm: 'animation',
  skb: 'skeleton',
  anb: 'animation',
  skel: 'skeleton',
  anim: 'animation',
  tmd: 'model',
  res: 'archive',
  pak: 'archive',
  mmp: 'texture',
  adb: 'table',
  csv: 'table',
  cam: 'camera',
};

// "sotc:bird/fly.anb" is a file of that game; "?:x" is of no format, "!sotc:x.anb" broken.
function item(text) {
  const [mark, path] = text.split(':');
  const game = mark.replace('!', '');
  const end = path.split('.').pop();
  return {
    path,
    format: game === '?' ? null : `${game}-${end}`,
    game: GAMES[game] ?? '',
    kind: KINDS[end] ?? 'unknown',
    isBroken: mark.startsWith('!'),
    isCompanion: path.includes('textures'),
  };
}

// A library for which files fit when they are of one game, with at most one body (LNK, SKB, TMD), and
// animations that are named for another body do not.
function library(items, models = {}) {
  const asked = [];
  const below = (word) => items.filter(({ path }) => path === word || path.startsWith(`${word}/`));
  return {
    asked,
    models: (path) => (models[path] ?? []).map((name) => ({ name })),
    fits: (words) => {
      asked.push(words);
      const files = words.flatMap(below).filter(({ format }) => format !== null);
      const bodies = files.filter(({ format }) => /lnk|skb|tmd|skel$/.test(format));
      if (files.some(({ isBroken }) => isBroken)) return null;
      if (new Set(files.map(({ game }) => game)).size > 1 || bodies.length > 1) return null;
      if (files.every(({ kind }) => kind === 'table' || kind === 'texture')) return null;
      const own = bodies[0]?.path.split('/').pop()[0];
      const isForeign = files.some(
        ({ kind, path }) =>
          kind === 'animation' &&
          own &&
          /^[A-Z]-/.test(path.split('/').pop()) &&
          path.split('/').pop()[0].toLowerCase() !== own,
      );
      return isForeign ? null : { name: '' };
    },
  };
}

function grouped(texts, models) {
  const items = texts.map(item);
  const made = library(items, models);
  const result = group(items, made);
  return {
    words: result.figures.map((figure) => figure.words),
    names: result.figures.map((figure) => figure.name),
    unplaced: result.unplaced,
    asked: made.asked,
  };
}

test('nothing gives nothing', () => {
  assert.deepEqual(grouped([]).words, []);
  assert.deepEqual(grouped(['?:readme.txt']).words, []);
});

test('loose files that fit are one figure', () => {
  const { words } = grouped(['sotc:bird.skb', 'sotc:fly.anb']);
  assert.deepEqual(words, [['bird.skb', 'fly.anb']]);
});

test('a whole folder is one word, also with files in it that no format knows', () => {
  const { words, names } = grouped([
    'ei:troll/troll.lnk',
    'ei:troll/walk/hd.anm',
    '?:troll/readme.txt',
  ]);
  assert.deepEqual(words, [['troll']]);
  assert.deepEqual(names, ['troll']);
});

test('a broken file is left out, and with it the word for its folder', () => {
  const { words } = grouped(['sotc:bird/bird.skb', 'sotc:bird/fly.anb', '!sotc:bird/glide.anb']);
  assert.deepEqual(words, [['bird/bird.skb', 'bird/fly.anb']]);
});

test('games are told apart before folders are', () => {
  const { words } = grouped(['sotc:bird.skb', 'vib:rabbit.tmd', 'sotc:fly.anb', 'vib:hop.anm']);
  assert.deepEqual(words, [
    ['bird.skb', 'fly.anb'],
    ['rabbit.tmd', 'hop.anm'],
  ]);
});

test('what belongs together may lie in several folders', () => {
  const { words } = grouped([
    'sotc:x/bird.skb',
    'vib:x/rabbit.tmd',
    'sotc:y/fly.anb',
    'vib:y/hop.anm',
  ]);
  assert.deepEqual(words, [
    ['x/bird.skb', 'y/fly.anb'],
    ['x/rabbit.tmd', 'y/hop.anm'],
  ]);
});

test('folders of one game that do not fit together are a figure each', () => {
  const { words, names } = grouped([
    'ei:game/troll/troll.lnk',
    'ei:game/troll/walk/hd.anm',
    'ei:game/wyvern/wyvern.lnk',
    'ei:game/wyvern/fly/hd.anm',
  ]);
  assert.deepEqual(words, [['game/troll'], ['game/wyvern']]);
  assert.deepEqual(names, ['troll', 'wyvern']);
});

test('skeletons side by side get the animations that fit them', () => {
  const { words, unplaced } = grouped([
    'sotc:a.skb',
    'sotc:b.skb',
    'sotc:A-run.anb',
    'sotc:B-run.anb',
    'sotc:A-walk.anb',
  ]);
  assert.deepEqual(words, [
    ['a.skb', 'A-run.anb', 'A-walk.anb'],
    ['b.skb', 'B-run.anb'],
  ]);
  assert.deepEqual(unplaced, []);
});

test('an archive of models gives a figure each, with the textures that came along', () => {
  const { words, names } = grouped(
    ['ei:packed/figures.res', 'ei:packed/textures.res', 'ei:troll00.mmp', 'vib:packed/rabbit.pak'],
    { 'packed/figures.res': ['troll', 'wyvern'] },
  );
  assert.deepEqual(names.slice(0, 2), ['troll', 'wyvern']);
  assert.deepEqual(words[0], ['packed/figures.res#troll', 'packed/textures.res', 'troll00.mmp']);
  assert.deepEqual(words[1], ['packed/figures.res#wyvern', 'packed/textures.res']);
  assert.deepEqual(words[2], ['packed/rabbit.pak']);
});

test('what fits nowhere is said to', () => {
  const { words, unplaced } = grouped(['mm:states.csv']);
  assert.deepEqual(words, []);
  assert.deepEqual(unplaced, ['states.csv']);
});

test('thousands of files that fit nowhere end after so many attempts', () => {
  const { asked } = grouped(
    Array.from({ length: 3000 }, (_, i) => `sotc:${i % 50}.${i < 1500 ? 'skb' : 'anb'}`).map(
      (text, i) => text.replace(':', `:d${i}x`),
    ),
  );
  assert.ok(asked.length <= 400, `${asked.length} attempts`);
});

test('the folder that paths have in common', () => {
  assert.equal(commonFolder([]), '');
  assert.equal(commonFolder(['a.anm']), '');
  assert.equal(commonFolder(['x/y/a', 'x/y/b']), 'x/y/');
  assert.equal(commonFolder(['x/yy/a', 'x/y/b']), 'x/');
  assert.equal(commonFolder(['x/a', 'y/b']), '');
});
