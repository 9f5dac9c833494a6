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
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.resolve(process.env.OSSA_MODULES ?? path.join(here, 'node_modules'));
const wasm = path.resolve(process.env.OSSA_WASM ?? path.join(here, '../build/web/ossa.wasm'));
const output = path.resolve(process.argv[2] ?? path.join(here, '../build/web/ossa-viewer.html'));
const budget = 1_600_000; // bytes, which every file of `ossa view` contains

const esbuild = createRequire(path.join(modules, 'x.js'))('esbuild');

// The module is compressed: less than half the size. The worker unpacks it, see page/worker/worker_main.js.
// So is index.html, from which the page can write itself: see page/share/page_source.js.
const compressed = {
  name: 'compressed',
  setup(build) {
    const files = { 'ossa.wasm': wasm, 'ossa.shell': path.join(here, 'page/index.html') };
    build.onResolve({ filter: /^ossa\.(wasm|shell)$/ }, (asked) => ({ path: files[asked.path], namespace: 'ossa' }));
    build.onLoad({ filter: /./, namespace: 'ossa' }, async (asked) => ({
      contents: gzipSync(await readFile(asked.path), { level: 9 }),
      loader: 'binary',
    }));
  },
};

// The figure that the empty page offers, packed as page/window/sample.js reads it.
const sample = { folder: path.join(here, '../samples'), name: 'wyvern' };
const packedSample = {
  name: 'ossa.sample',
  setup(build) {
    build.onResolve({ filter: /^ossa\.sample$/ }, () => ({ path: sample.name, namespace: 'sample' }));
    build.onLoad({ filter: /./, namespace: 'sample' }, async () => {
      const names = await readdir(path.join(sample.folder, sample.name), { recursive: true, withFileTypes: true });
      const files = [];
      for (const entry of names.filter((one) => one.isFile())) {
        const full = path.join(entry.parentPath ?? entry.path, entry.name);
        const bytes = await readFile(full);
        files.push({ path: path.relative(sample.folder, full).replaceAll('\\', '/'), size: bytes.length, bytes });
      }
      files.sort((a, b) => (a.path < b.path ? -1 : 1));
      const list = JSON.stringify(files.map(({ path: name, size }) => ({ path: name, size })));
      const whole = Buffer.concat([Buffer.from(`${list}\n`), ...files.map(({ bytes }) => bytes)]);
      return { contents: gzipSync(whole, { level: 9 }), loader: 'binary' };
    });
  },
};

const common = {
  bundle: true,
  minify: true,
  write: false,
  format: 'iife', // a classic script: it runs from file:// everywhere
  target: ['es2022', 'chrome100', 'firefox113', 'safari16.4'],
  charset: 'utf8',
  legalComments: 'inline',
  nodePaths: [modules],
  external: ['node:*'],
  define: { 'import.meta.url': '""' },
  logLevel: 'warning',
  metafile: true,
};

// The worker's script is a text in the page, which makes a blob of it.
const worker = await esbuild.build({ ...common, entryPoints: [path.join(here, 'page/worker/worker_main.js')] });
const workerScript = {
  name: 'ossa.worker',
  setup(build) {
    build.onResolve({ filter: /^ossa\.worker$/ }, () => ({ path: 'ossa.worker', namespace: 'worker' }));
    build.onLoad({ filter: /./, namespace: 'worker' }, () => ({
      contents: worker.outputFiles[0].text,
      loader: 'text',
    }));
  },
};

const built = await esbuild.build({
  ...common,
  entryPoints: [path.join(here, 'page/main.js')],
  plugins: [compressed, workerScript, packedSample],
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
  const file = (await readdir(path.join(modules, name))).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence`);
  const text = await readFile(path.join(modules, name, file), 'utf8');
  notices.push(`${line}\n${name} ${version}\nPart of the viewer page.\n${line}\n\n${text}`);
}
try {
  notices.push(await readFile(path.join(path.dirname(wasm), 'NOTICES-wasm.txt'), 'utf8'));
} catch {
  console.error('the page is without the licences of the libraries in ossa.wasm; do not pass it on');
}
const notice = notices.map((text) => `${text.trim()}\n`).join('\n');

const styles = await esbuild.build({
  entryPoints: [path.join(here, 'page/style/style.css')],
  bundle: true,
  minify: true,
  write: false,
});
const css = styles.outputFiles[0].text;

// In a script element these would end it, or start a comment.
const script = built.outputFiles[0].text
  .replace(/<\/(script)/gi, '<\\/$1')
  .replace(/<!--/g, '<\\!--')
  .trim();

// The page may run only this script, whatever the names of files contain.
const hash = createHash('sha256').update(script).digest('base64');

let page = await readFile(path.join(here, 'page/index.html'), 'utf8');
for (const [place, text] of [
  ['<!-- ossa:style -->', `<style>${css.trim()}</style>`],
  ['ossa:hash', `'sha256-${hash}'`],
  ['ossa:notices', notice.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
  ['<!-- ossa:script -->', `<script>${script}</script>`], // last: it knows these marks
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
