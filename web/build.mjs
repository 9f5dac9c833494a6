// SPDX-License-Identifier: MIT
//
// Builds the viewer into one HTML file that works from file:// and offline:
//
//     cd web && npm ci && cd .. && node web/build.mjs
//
// It needs build/web/ossa.wasm (see tools/wasm.sh) and writes build/web/ossa-viewer.html, or the path in
// its argument, with the licences of all that it contains, which also go to NOTICES-page.txt beside it.
// Environment:
//   OSSA_MODULES  the node_modules folder, if it is not web/node_modules
//   OSSA_WASM     the module, if it is elsewhere

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.resolve(process.env.OSSA_MODULES ?? path.join(here, 'node_modules'));
const wasm = path.resolve(process.env.OSSA_WASM ?? path.join(here, '../build/web/ossa.wasm'));
const output = path.resolve(process.argv[2] ?? path.join(here, '../build/web/ossa-viewer.html'));
const budget = 1_150_000; // bytes, which every file of `ossa view` contains

const esbuild = createRequire(path.join(modules, 'x.js'))('esbuild');

// The module is compressed: less than half the size. The page unpacks it, see unpack() in page/main.js.
const compressed = {
  name: 'ossa.wasm',
  setup(build) {
    build.onResolve({ filter: /^ossa\.wasm$/ }, () => ({ path: wasm, namespace: 'ossa' }));
    build.onLoad({ filter: /./, namespace: 'ossa' }, async () => ({
      contents: gzipSync(await readFile(wasm), { level: 9 }),
      loader: 'binary',
    }));
  },
};

const built = await esbuild.build({
  entryPoints: [path.join(here, 'page/main.js')],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife', // a classic script: it runs from file:// everywhere
  target: ['es2022', 'chrome100', 'firefox113', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'inline',
  plugins: [compressed],
  nodePaths: [modules],
  external: ['node:*'],
  define: { 'import.meta.url': '""' },
  logLevel: 'warning',
  metafile: true,
});

// The licences of what is bundled: of each package that a file comes from, and of what is in the module.
const line = '-'.repeat(72);
const packages = new Set();
for (const input of Object.keys(built.metafile.inputs)) {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  if (name !== undefined) packages.add(name);
}
const notices = [`Ossa\n\n${await readFile(path.join(here, '../LICENSE'), 'utf8')}`];
for (const name of [...packages].sort()) {
  const { version } = JSON.parse(await readFile(path.join(modules, name, 'package.json'), 'utf8'));
  const text = await readFile(path.join(modules, name, 'LICENSE'), 'utf8');
  notices.push(`${line}\n${name} ${version}\nPart of the viewer page.\n${line}\n\n${text}`);
}
try {
  notices.push(await readFile(path.join(path.dirname(wasm), 'NOTICES-wasm.txt'), 'utf8'));
} catch {
  console.error('the page is without the licences of the libraries in ossa.wasm; do not pass it on');
}
const notice = notices.map((text) => `${text.trim()}\n`).join('\n');

const css = await esbuild.transform(await readFile(path.join(here, 'page/page.css'), 'utf8'), {
  loader: 'css',
  minify: true,
});

// In a script element these would end it, or start a comment.
const script = built.outputFiles[0].text
  .replace(/<\/(script)/gi, '<\\/$1')
  .replace(/<!--/g, '<\\!--')
  .trim();

// The page may run only this script, whatever the names of files contain.
const hash = createHash('sha256').update(script).digest('base64');

let page = await readFile(path.join(here, 'page/index.html'), 'utf8');
for (const [place, text] of [
  ['<!-- ossa:style -->', `<style>${css.code.trim()}</style>`],
  ['<!-- ossa:script -->', `<script>${script}</script>`],
  ['ossa:hash', `'sha256-${hash}'`],
  ['ossa:notices', notice.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
]) {
  if (page.split(place).length !== 2) throw new Error(`index.html must have ${place} once`);
  page = page.replace(place, () => text);
}
if (page.split('<!-- ossa:data -->').length !== 2)
  throw new Error('the page must have <!-- ossa:data --> once');
if (/<(script|link|img)[^>]+(src|href)=["']?https?:/i.test(page))
  throw new Error('the page must not ask for anything');

await mkdir(path.dirname(output), { recursive: true });
await writeFile(output, page);
await writeFile(path.join(path.dirname(output), 'NOTICES-page.txt'), notice);
const size = Buffer.byteLength(page);
console.log(`${path.relative(process.cwd(), output)}: ${size} bytes`);
if (size > budget) {
  console.error(`larger than the budget of ${budget} bytes`);
  process.exitCode = 1;
}
