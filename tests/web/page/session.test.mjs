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
