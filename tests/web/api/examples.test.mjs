// SPDX-License-Identifier: MIT
//
// The example, and the program in the documentation, run.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { root, run, samples, wasm } from './support.mjs';

function runNode(words, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root, input, env: { ...process.env, OSSA_WASM: wasm }, encoding: 'utf8',
  });
  return { status, text: stdout, complaints: stderr };
}

test('examples/node/pose.mjs prints where the bones are', () => {
  const shown = runNode(['examples/node/pose.mjs', 'samples/troll', '0.5']);
  assert.equal(shown.status, 0, shown.complaints);
  const [, ...lines] = shown.text.trim().split('\n');
  const { bones } = JSON.parse(run(samples, 'pose', '--json', 'troll', '--clip', 'dance', '--time', '0.5').text);
  assert.equal(lines.length, bones.length);
  for (const [i, { name, translation }] of bones.entries()) {
    const [found, ...place] = lines[i].split(/ +/);
    assert.equal(found, name);
    for (const [k, number] of place.entries()) assert.ok(Math.abs(Number(number) - translation[k]) < 0.001);
  }
  const refused = runNode(['examples/node/pose.mjs', 'samples/README.md']);
  assert.equal(refused.status, 1);
  assert.match(refused.complaints, /^README\.md: not a file of a known format/);
});

test('the programs for Node in docs/javascript.md run', () => {
  const page = readFileSync(join(root, 'docs/javascript.md'), 'utf8');
  const [first, disc] = [...page.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
  const program = `${first}${disc}`
    .replace("'./build/web/ossa.js'", JSON.stringify(new URL('../../../web/api/ossa.js', import.meta.url).href))
    .replace('load()', `load(${JSON.stringify(new URL(`file://${wasm}`).href)})`);
  const shown = runNode(['--input-type=module', '-'], program);
  assert.equal(shown.status, 0, shown.complaints);
  assert.match(shown.text, /^Shadow of the Colossus .* 0\n/);
  assert.match(shown.text, / bytes of glTF\n/);
  assert.match(shown.text, /bird\/fly\.anb: ei-anm: .*\n/);
  assert.match(shown.text, /\nNICO\.DAT \d+\n/);
});
