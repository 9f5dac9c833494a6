// SPDX-License-Identifier: MIT
// Run a WASI program, which sees the files of the current folder. Usage: node run_wasi.mjs MODULE
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: argv.slice(2), preopens: { '.': '.' } });
const module = await WebAssembly.compile(await readFile(argv[2]));
// Node 18 has no getImportObject().
wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
