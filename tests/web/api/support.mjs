// SPDX-License-Identifier: MIT
//
// What the tests of the JavaScript interface share: the module, the samples, and the tool, which is
// what everything is compared with. OSSA is the tool, OSSA_WASM the module.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { load, OssaError } from '../../../web/api/ossa.js';

export { OssaError };

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const samples = join(root, 'samples');
export const fixtures = join(root, 'tests/fixtures');
export const tool = resolve(process.env.OSSA ?? join(root, 'build/ossa'));
export const wasm = resolve(process.env.OSSA_WASM ?? join(root, 'build/web/ossa.wasm'));

export const moduleBytes = readFileSync(wasm);
const compiled = await WebAssembly.compile(moduleBytes);

/** A module of one's own, so that tests do not share its memory. */
export function start() {
  return load(compiled);
}

/** The memory of modules that are started while `use` runs, to look at from outside. */
export async function startWatched() {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = /** @type {any} */ (async (module, imports) => {
    const instance = /** @type {any} */ (await instantiate(module, imports));
    memory = (instance.instance ?? instance).exports.memory;
    return instance;
  });
  try {
    return { ossa: await start(), memory };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

/** Run the tool in a folder. */
export function run(folder, ...words) {
  const { status, stdout, stderr, error } = spawnSync(tool, words, {
    cwd: folder,
    maxBuffer: 1 << 30,
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (error) throw error;
  return { status, bytes: stdout, text: stdout.toString(), complaints: lines(stderr.toString()) };
}

function lines(text) {
  return text.split('\n').filter(Boolean).map((line) => line.replace(/^ossa: /, ''));
}

/** A line of the tool as the module has it: without the hint for those who type commands, and without
 * what the system says. */
export function asInModule(line) {
  return line.replace(/; (--max-size|use --format ID|choose one with --format|`ossa list`|`ossa info`).*$/, '')
    .replace(/cannot be opened: No such file or directory$/, 'does not exist');
}

/** Every file below a folder, relative to it. */
export function listFiles(folder, from = folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path, from) : [relative(from, path)];
  }).sort();
}

/** The samples that are files of a game, not about them. */
export const sampleFiles = listFiles(samples)
  .filter((path) => !path.startsWith('generate') && !/(README\.md|CMakeLists\.txt)$/.test(path));

export function addFolder(files, folder, paths = listFiles(folder)) {
  for (const path of paths) files.add(path, readFileSync(join(folder, path)));
}

export function sampleWorkspace(ossa) {
  const files = ossa.workspace();
  addFolder(files, samples, sampleFiles);
  return files;
}

export function inTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'ossa-api-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a call throws, which must be about the data. */
export function failureOf(call) {
  try {
    call();
  } catch (error) {
    if (error instanceof OssaError && error.code !== 'crashed') return error;
    throw error;
  }
  return null;
}

for (const path of [tool, wasm]) {
  if (!existsSync(path)) throw new Error(`${path} is not there: build it first`);
}
