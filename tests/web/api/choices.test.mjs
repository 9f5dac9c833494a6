// SPDX-License-Identifier: MIT
//
// Figures with a choice: variants of materials, and parts of slots.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { makeFigures } from '../figures.mjs';
import { addFolder, failureOf, run, start, tool } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ossa-choices-'));
after(() => rmSync(folder, { recursive: true }));
makeFigures(folder, tool);
const ossa = await start();
const files = ossa.workspace();
addFolder(files, folder);

function documentOf(glb) {
  const bytes = Buffer.from(glb);
  return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}

const primitivesOf = (document) => document.meshes.flatMap(({ primitives }) => primitives);

test('variants are those of the tool', () => {
  const scene = files.scene(['officer']);
  const { variants } = JSON.parse(run(folder, 'convert', 'officer', '--to', 'json', '-o', '-').text);
  assert.equal(variants.length, 6);
  assert.deepEqual(scene.variants, variants);
  assert.ok(scene.variants.slice(1).every(({ replacements }) => replacements.length > 0));
  scene.free();
  const human = files.scene(['figures.res#human']);
  assert.deepEqual(human.variants, []);
  human.free();
});

test('a GLB shows the variant that was chosen, and still has all of them', () => {
  const scene = files.scene(['officer']);
  const plain = documentOf(scene.glb());
  assert.deepEqual(scene.glb({ variant: -1 }), scene.glb());
  assert.ok(run(folder, 'convert', 'officer', '--to', 'glb', '-o', '-').bytes.equals(scene.glb()));
  for (const skin of [false, true]) {
    scene.variants.forEach(({ name }, variant) => {
      const document = documentOf(scene.glb({ variant, skin }));
      assert.deepEqual(document.extensions, plain.extensions);
      for (const { material, extensions } of primitivesOf(document)) {
        const { mappings } = extensions.KHR_materials_variants;
        assert.equal(mappings.find(({ variants }) => variants.includes(variant)).material, material, name);
      }
    });
  }
  assert.throws(() => scene.glb({ variant: 6 }), RangeError);
  assert.throws(() => scene.glb({ variant: 0.5 }), RangeError);
  scene.free();
});

test('a survey lists slots and parts, as info does', () => {
  const { models } = JSON.parse(run(folder, 'info', '--json', 'figures.res').text);
  const human = models.find(({ model }) => model === 'human');
  const { slots } = files.survey(['figures.res#human']);
  assert.deepEqual(
    slots,
    human.slots.map(({ slot, parts }) => ({
      name: slot,
      parts: parts.map(({ part, shown }) => ({ name: part, isShown: shown })),
    })),
  );
  assert.equal(slots.length, 16);
  assert.deepEqual(files.survey(['officer']).slots, []);
});

test('what a survey says is shown is shown, and every other part can be', () => {
  const { slots } = files.survey(['figures.res#human']);
  const parts = slots.flatMap((slot) => slot.parts);
  const shown = (patterns) => {
    const scene = files.scene(['figures.res#human'], { parts: patterns });
    const names = scene.meshes.map(({ name }) => name).sort();
    scene.free();
    return names;
  };
  const named = (list) => list.map(({ name }) => name).sort();
  assert.deepEqual(shown([]), named(parts.filter(({ isShown }) => isShown)));
  assert.deepEqual(shown(parts.map(({ name }) => name)), named(parts));
  assert.equal(failureOf(() => shown(parts.map(({ name }) => `!${name}`))), null);
});
