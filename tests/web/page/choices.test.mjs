// SPDX-License-Identifier: MIT
//
// What the user has chosen of a figure: its variant and its parts, in the session and for the library.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { patternsOf, slotsToChoose, variantCalled } from '../../../web/page/state/choices.js';
import { listFiles, tool } from '../api/support.mjs';
import { makeFigures } from '../figures.mjs';
import { startSession } from './local.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ossa-choices-'));
after(() => rmSync(folder, { recursive: true }));
makeFigures(folder, tool);

async function sessionOf(figure, options = {}) {
  const session = await startSession();
  session.options = options;
  const notices = [];
  session.on('notice', ({ text }) => notices.push(text));
  await session.add(listFiles(folder).map((path) => ({ path, blob: new Blob([readFileSync(join(folder, path))]) })));
  await session.showFigure(session.figures.find(({ name }) => name === figure));
  return { session, notices };
}

const meshes = ({ scene }) => scene.meshes.map(({ name }) => name);
const slot = (name, ...parts) => ({ name, parts: parts.map(([part, isShown]) => ({ name: part, isShown })) });

test('slots with one part that is shown leave no choice', () => {
  const both = slot('hr', ['hr.00', true], ['hr.01', false]);
  const hidden = slot('sh', ['sh.big', false]);
  const shown = slot('rh', ['rh', true], ['rh.05', true]);
  assert.deepEqual(slotsToChoose([slot('bd', ['bd', true]), both, hidden, shown]), [both, hidden, shown]);
});

test('choices are patterns that mean these names alone', () => {
  const choices = new Map([['hr.05', true], ['bd', false], ['!odd', true], ['!odder', false], ['a*', true]]);
  assert.deepEqual(patternsOf(choices), ['hr.05', '!bd', '?odd', '!!odder', 'a?']);
});

test('without a choice, the variant is the one that the meshes have', () => {
  const variants = [{ name: 'a', replacements: [{}] }, { name: 'b', replacements: [] }];
  assert.deepEqual([null, 'a', 'b', 'c'].map((name) => variantCalled(variants, name)), [1, 0, 1, 1]);
  assert.equal(variantCalled(variants.slice(0, 1), null), -1);
  assert.equal(variantCalled([], 'a'), -1);
});

test('a variant stays chosen while other figures are shown', async () => {
  const { session } = await sessionOf('officer');
  const officer = session.figure;
  assert.deepEqual([session.scene.variants.length, session.variant, session.slots], [6, 0, []]);
  let reported = 0;
  session.on('variant', () => (reported += 1));
  session.setVariant(3);
  assert.deepEqual([session.variant, reported], [3, 1]);
  await session.showFigure(session.figures.find(({ name }) => name === 'human'));
  assert.deepEqual([session.variant, session.slots.length], [-1, 16]);
  await session.showFigure(officer);
  assert.equal(session.variant, 3);
  await session.clear();
  assert.deepEqual([session.variant, session.slots], [-1, []]);
});

test('parts are shown, take the place of others, and are taken away', async () => {
  const { session, notices } = await sessionOf('human');
  await session.setClip(1);
  session.setBone(session.scene.bones.findIndex(({ name }) => name === 'rh3'));
  const events = [];
  session.on('scene', (detail) => events.push(detail));
  await session.setPart('hr.05', true);
  assert.ok(meshes(session).includes('hr.05') && !meshes(session).includes('hr.00'));
  assert.deepEqual(['hr.05', 'hr.00', 'bd'].map((name) => session.shows(name)), [true, false, true]);
  await session.setPart('rh3.sword07', true);
  await session.setPart('bd', false);
  assert.ok(meshes(session).includes('rh3.sword07') && meshes(session).includes('rh3') && !meshes(session).includes('bd'));
  assert.deepEqual([session.clip, session.scene.bones[session.bone].name], [1, 'rh3']);
  await session.setPart('hr.05', false);
  assert.ok(session.shows('hr.00') && meshes(session).includes('hr.00'));
  const human = session.figure;
  await session.showFigure(session.figures.find(({ name }) => name === 'officer'));
  await session.showFigure(human);
  assert.ok(meshes(session).includes('rh3.sword07'));
  await session.resetParts();
  assert.ok(!meshes(session).includes('rh3.sword07') && meshes(session).includes('bd'));
  assert.deepEqual(events.filter(({ isSame }) => isSame), Array(5).fill({ isSame: true }));
  assert.deepEqual(notices, []);
});

test('choices come after the patterns of embedded data', async () => {
  const { session } = await sessionOf('human', { parts: ['*.armor03', '!l*'] });
  assert.ok(session.shows('bd.armor03') && !session.shows('lh1'));
  await session.setPart('bd.armor03', false);
  await session.setPart('lh1', true);
  assert.ok(!meshes(session).includes('bd.armor03') && meshes(session).includes('hd.armor03'));
  assert.ok(meshes(session).includes('lh1') && !meshes(session).includes('lh2'));
});

test('if the library refuses, everything stays as it is', async () => {
  const { session, notices } = await sessionOf('human');
  const { scene } = session;
  const { call } = session.client;
  session.client.call = (name, ...values) =>
    name === 'scene' ? Promise.reject(new Error('no')) : call.call(session.client, name, ...values);
  let restored = 0;
  session.on('parts', () => (restored += 1));
  await session.setPart('hr.05', true);
  assert.deepEqual([session.scene === scene, session.shows('hr.05'), restored, notices], [true, false, 1, ['no']]);
  session.client.call = call;
  await session.setPart('hr.06', true);
  assert.ok(session.shows('hr.06') && !meshes(session).includes('hr.05'));
});
