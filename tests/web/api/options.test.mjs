// SPDX-License-Identifier: MIT
//
// The options that a scene lists: those and no others make a difference for its files, and their
// values are what the tool takes.

import assert from 'node:assert/strict';
import test from 'node:test';

import { run, samples, sampleWorkspace, start } from './support.mjs';

const ossa = await start();
const files = sampleWorkspace(ossa);

const figures = {
  troll: ['troll'],
  'troll and a camera': ['troll', 'more/flight.cam'],
  wyvern: ['wyvern'],
  rabbit: ['rabbit'],
  stage: ['more/stage.anc'],
  bird: ['bird'],
  pedestrian: ['pedestrian', 'more/ped.csv'],
  skeleton: ['pedestrian/ped.skel'],
};

// Of every option, values that are not the default.
const others = {
  fps: [7],
  scale: [2.5],
  inPlace: [true],
  join: [true],
  boxes: [true],
  complexion: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  morph: ['clip', 'none'],
  resample: [3],
  root: ['t', 'b'],
  look: ['y', 'z', 'up'],
  euler: ['zyx'],
  missing: ['hold'],
  twist: ['turn', 'none'],
  view: ['distance', 'degree'],
  sides: ['high'],
  palette: ['plain', 'csm1'],
  unlit: [true],
};

/** What a scene shows, without how it was made. */
function contentsOf(scene) {
  const { options, ...document } = JSON.parse(new TextDecoder().decode(scene.json()));
  return JSON.stringify(document);
}

function contentsWith(words, options) {
  const scene = files.scene(words, options);
  try {
    return contentsOf(scene);
  } finally {
    scene.free();
  }
}

function listOf(words, options) {
  const scene = files.scene(words, options);
  scene.free();
  return scene.options;
}

for (const [name, words] of Object.entries(figures)) {
  test(`what is listed makes a difference, and nothing else does: ${name}`, () => {
    const plain = contentsWith(words);
    const listed = new Map(listOf(words).map((option) => [option.name, option]));
    for (const [option, values] of Object.entries(others)) {
      const differs = values.some((value) => contentsWith(words, { [option]: value }) !== plain);
      assert.equal(listed.has(option), differs, option);
    }
  });
}

test('an option that was used is still listed', () => {
  for (const words of Object.values(figures)) {
    const before = listOf(words);
    for (const { name } of before) {
      for (const value of others[name]) assert.deepEqual(listOf(words, { [name]: value }), before);
    }
  }
});

test('defaults are what a scene has without options', () => {
  for (const words of Object.values(figures)) {
    const plain = contentsWith(words);
    for (const { name, default: value } of listOf(words)) {
      assert.equal(contentsWith(words, { [name]: value ?? undefined }), plain);
    }
  }
});

test('values are those of the tool', () => {
  const flag = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  for (const words of Object.values(figures)) {
    for (const { name, kind, values, text, min, max } of listOf(words)) {
      assert.match(text, /^[A-Z].*\.$/);
      if (kind === 'choice') {
        assert.deepEqual(values.slice(1).map(({ value }) => value), others[name]);
      } else if (kind === 'vector') {
        assert.equal(values.length, others[name][0].length);
      } else {
        assert.deepEqual(values, []);
      }
      if (kind === 'number' || kind === 'vector') assert.ok(min < max);
      for (const value of others[name]) {
        const words2 = value === true ? [flag(name)] : [flag(name), String(value)];
        const told = run(samples, 'convert', ...words, ...words2, '--to', 'json', '-o', '-');
        const scene = files.scene(words, { [name]: value });
        assert.ok(told.bytes.equals(scene.json()), `${words} ${words2}`);
        scene.free();
      }
    }
  }
});

test('which options a figure has', () => {
  const names = (words) => listOf(words).map(({ name }) => name);
  assert.deepEqual(names(['wyvern']).slice(0, 4), ['complexion', 'morph', 'resample', 'root']);
  assert.deepEqual(names(['rabbit']), ['euler', 'fps', 'scale', 'join']);
  assert.deepEqual(names(['pedestrian', 'more/ped.csv']), ['fps', 'scale', 'inPlace', 'join']);
  assert.deepEqual(names(['pedestrian/ped.skel']), ['scale', 'boxes']);
  const complexion = listOf(['wyvern'])[0];
  assert.deepEqual(complexion.default, [0, 0, 0]);
  assert.deepEqual(complexion.values.map(({ value }) => value), ['first', 'second', 'height']);
  assert.ok(listOf(['rabbit']).find(({ name }) => name === 'euler').isOpen);
});
