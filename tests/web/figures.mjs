// SPDX-License-Identifier: MIT
//
// Figures with a choice, made from the fixtures as the tests of the tool make them: an officer with
// six suits in `officer`, and a human with 20 parts for each slot in `figures.res`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** @param {string} folder to put them into @param {string} tool */
export function makeFigures(folder, tool) {
  const script = `ossa() { "$OSSA" "$@"; }
    . "$SOURCE/tests/cli/lib.sh"
    mm1_pedestrian officer
    make_human work && pack_folder work figures.res`;
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    cwd: folder,
    env: { ...process.env, OSSA: tool, SOURCE: root, FIXTURES: join(root, 'tests/fixtures'), LC_ALL: 'C' },
  });
  assert.equal(status, 0, stderr.toString());
}
