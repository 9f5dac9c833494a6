// SPDX-License-Identifier: MIT
//
// What the tests in the browser share: the browser, a page that is watched, real drops, the tool.
// OSSA is the tool, OSSA_WEB what tools/web.sh has built, OSSA_WEB_MODULES what comes from npm,
// CHROMIUM the browser.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const samples = join(root, 'samples');
export const tool = resolve(process.env.OSSA ?? join(root, 'build/ossa'));
export const web = resolve(process.env.OSSA_WEB ?? join(root, 'build/web'));
export const viewerPage = join(web, 'ossa-viewer.html');
const modules = resolve(process.env.OSSA_WEB_MODULES ?? join(root, 'build/web-tests/node_modules'));
const { chromium } = createRequire(join(modules, 'of-the-tests.js'))('playwright-core');

const WIDE = { width: 1000, height: 700 };
const PATIENCE = 90_000; // a slow machine is not a failure

let browser = null;
const viewers = [];

/** Start the browser: it draws in software, the same everywhere. */
export async function launch() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  return browser;
}

/**
 * Call once in a file of tests: one browser for all of it, and a folder that is gone afterwards. In
 * the end no viewer may have asked anything of the network, or have had a complaint.
 */
export async function useBrowser() {
  const folder = mkdtempSync(join(tmpdir(), 'ossa-browser-'));
  await launch();
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
    for (const viewer of viewers) viewer.assertQuiet();
  });
  return { folder };
}

/** A viewer in a window of its own, which is watched. */
export async function openViewer({
  size = WIDE,
  theme = 'dark',
  file = viewerPage,
  touch = false,
  hasWebGl = true,
} = {}) {
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: 1,
    colorScheme: theme,
    reducedMotion: 'reduce',
    acceptDownloads: true,
    hasTouch: touch,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const viewer = new Viewer(context, page, address);
  viewers.push(viewer);
  if (!hasWebGl) await page.addInitScript(takeWebGlAway);
  await page.goto(address);
  await page.evaluate(() => window.ossaViewer.ready);
  return viewer;
}

function takeWebGlAway() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
  };
}

/** Any other page; the test looks after it. */
export async function openPage(address) {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

export class Viewer {
  requests = [];
  complaints = [];
  #session = null;

  constructor(context, page, address) {
    this.context = context;
    this.page = page;
    context.on('request', (request) => {
      if (request.url() !== address && !/^(blob|data):/.test(request.url()))
        this.requests.push(request.url());
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isOfDriver(message.text()))
        this.complaints.push(message.text());
    });
    page.on('filechooser', () => {}); // from the first one on, none opens a dialogue of its own
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  async close() {
    await this.context.close();
    this.assertQuiet();
  }

  assertQuiet() {
    const { requests, complaints } = this;
    assert.deepEqual({ requests, complaints }, { requests: [], complaints: [] });
  }

  state() {
    return this.page.evaluate(() => window.ossaViewer.state());
  }

  /** Wait until a function of the state, and of `value`, is true; the state is that of this moment. */
  async until(isSo, value) {
    const end = Date.now() + PATIENCE;
    let state;
    do {
      state = await this.state();
      if (isSo(state, value)) return state;
      await new Promise((next) => setTimeout(next, 20));
    } while (Date.now() < end);
    return assert.fail(`still not so: ${isSo} of ${JSON.stringify({ ...state, figures: state.figures.slice(0, 5) })}`);
  }

  /** Drop real files and folders of this machine on the stage, as a person does. */
  async drop(...paths) {
    this.#session ??= await this.context.newCDPSession(this.page);
    const box = await this.page.locator('#stage').boundingBox();
    const data = { items: [], files: paths.map((path) => resolve(samples, path)), dragOperationsMask: 1 };
    // A hand is over the page for a while: what lies there by then is what things are dropped on.
    for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop']) {
      await this.#session.send('Input.dispatchDragEvent', {
        type,
        x: Math.round(box.x + box.width / 2),
        y: Math.round(box.y + box.height / 2),
        data,
      });
      if (type === 'dragOver') await this.page.locator('#drop').waitFor({ state: 'visible' });
    }
  }

  /** Drop and wait for the figure that comes of it. */
  async show(figure, ...paths) {
    await this.drop(...paths);
    await this.until((state, name) => state.figure === name && state.scene !== null && !state.reading, figure);
  }

  async clear() {
    if (await this.page.locator('#clear').isVisible()) await this.page.click('#clear');
    await this.until((state) => state.figures.length === 0 && state.file === null && !state.reading);
  }

  /** Call one of window.ossaViewer's functions. */
  call(name, ...values) {
    return this.page.evaluate(
      ([called, given]) => window.ossaViewer[called](...given),
      [name, values],
    );
  }

  positions() {
    return this.page.evaluate(() => window.ossaViewer.bonePositions());
  }

  vertices() {
    return this.page.evaluate(() => window.ossaViewer.vertexPositions());
  }

  async saved(what) {
    const base64 = await this.page.evaluate(async (kind) => {
      const url = await new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result);
        reader.readAsDataURL(new Blob([window.ossaViewer.saved(kind)]));
      });
      return url.slice(url.indexOf(',') + 1);
    }, what);
    return Buffer.from(base64, 'base64');
  }

  /** Two pictures are drawn later: whatever was asked for by now is on the screen. */
  settle() {
    return this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  /** What is drawn, without the writing over it: fonts differ from machine to machine. */
  async picture(selector = '#stage', isBare = true) {
    await this.settle();
    return this.page.locator(selector).screenshot({
      animations: 'disabled',
      style: `#stage * { outline: none !important; caret-color: transparent }
        ${isBare ? '#legend, #labels, #notices, #banner { visibility: hidden !important }' : ''}`,
    });
  }

  text(selector) {
    return this.page.locator(selector).textContent();
  }
}

// How fast software draws is no concern of the page.
function isOfDriver(text) {
  return /GPU stall due to ReadPixels|GL Driver Message|Error creating WebGL context|Automatic fallback to software WebGL/.test(text);
}

/** Run the tool among the samples. */
export function run(...words) {
  const { status, stdout, stderr, error } = spawnSync(tool, words, {
    cwd: samples,
    maxBuffer: 1 << 30,
    env: { ...process.env, NO_COLOR: '1', OSSA_VIEWER: viewerPage },
  });
  if (error) throw error;
  return { status, bytes: stdout, text: stdout.toString(), complaints: stderr.toString() };
}

/** What the tool prints as JSON; it must succeed. */
export function ask(...words) {
  const { status, text, complaints } = run(...words);
  assert.equal(status, 0, `ossa ${words.join(' ')}: ${complaints}`);
  return JSON.parse(text);
}

/** Write a file for a test; `path` may go into folders. */
export function writeInto(folder, path, bytes) {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, bytes);
  return full;
}

/** Every file below a folder, or the file itself. */
export function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => filesBelow(join(path, name)));
}
