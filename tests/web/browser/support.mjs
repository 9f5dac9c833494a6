// SPDX-License-Identifier: MIT
//
// What the tests in the browser share: the browser, a page that is watched, real drops, the tool.
// OSSA is the tool, OSSA_WEB what tools/web.sh has built, OSSA_WEB_MODULES what comes from npm,
// CHROMIUM and FIREFOX the browsers.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const samples = join(root, 'samples');
export const tool = resolve(process.env.OSSA ?? join(root, 'build/ossa'));
export const web = resolve(process.env.OSSA_WEB ?? join(root, 'build/web'));
export const viewerPage = join(web, 'ossa-viewer.html');
const modules = resolve(process.env.OSSA_WEB_MODULES ?? join(root, 'build/web-tests/node_modules'));
const { chromium, firefox } = createRequire(join(modules, 'of-the-tests.js'))('playwright-core');

const WIDE = { width: 1000, height: 700 };
const PATIENCE = 90_000; // a slow machine is not a failure

let browser = null;
let downloads = null; // a folder, if the driver does not report downloads
const viewers = [];

/** Start the browser: it draws in software, the same everywhere. */
export async function launch() {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    // Only WebGL is left to the software that draws triangles; the page itself is drawn much faster without.
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing',
      '--font-render-hinting=none'],
    env: { ...process.env, FONTCONFIG_FILE: join(root, 'tests/web/browser/fonts.conf') },
  });
  return browser;
}

/**
 * Start Firefox as it is installed, over WebDriver BiDi. Without a display it has no WebGL, so it gets
 * one that nobody sees, on which Mesa draws in software.
 */
async function launchFirefox(folder) {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((done, fail) => {
    display.on('error', fail);
    display.on('exit', (status) => fail(new Error(`Xvfb has ended: ${status}`)));
    let text = '';
    display.stdio[3].on('data', (data) => {
      text += data;
      if (text.endsWith('\n')) done(text.trim());
    });
  });
  downloads = join(folder, 'downloads');
  mkdirSync(downloads);
  browser = await firefox.launch({
    executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr',
    channel: 'moz-firefox',
    headless: false,
    downloadsPath: downloads,
    env: { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: '1' },
  });
  return display;
}

/**
 * Call once in a file of tests: one browser for all of it, and a folder that is gone afterwards. In
 * the end no viewer may have asked anything of the network, or have had a complaint.
 * @param {'chromium' | 'firefox'} [engine]
 */
export async function useBrowser(engine = 'chromium') {
  const folder = mkdtempSync(join(tmpdir(), 'ossa-browser-'));
  const display = engine === 'firefox' ? await launchFirefox(folder) : null;
  if (engine === 'chromium') await launch();
  after(async () => {
    await browser.close();
    display?.kill();
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
  init = null,
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
  if (init) await page.addInitScript(init); // before any script of the page
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

  /** The state when the library has answered all questions. */
  async state() {
    await this.settle();
    return this.stateNow();
  }

  stateNow() {
    return this.page.evaluate(() => window.ossaViewer.state());
  }

  /** Wait until a function of the state, and of `value`, is true; the state is that of this moment. */
  async until(isSo, value) {
    const end = Date.now() + PATIENCE;
    let state;
    do {
      state = await this.stateNow();
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

  /** Choose files as the button Open files does, and wait for the figure that comes of it. */
  async choose(figure, ...paths) {
    await this.page.setInputFiles('#choose-files', paths.map((path) => resolve(samples, path)));
    await this.#comes(figure);
  }

  /** Hand files and folders over as if they had been dropped, for where real drops cannot be made. */
  async give(...paths) {
    const files = paths.flatMap((path) => {
      const full = resolve(samples, path);
      return filesBelow(full).map((file) => ({
        path: relative(dirname(full), file),
        base64: readFileSync(file).toString('base64'),
      }));
    });
    await this.page.evaluate((given) => {
      const decode = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      return window.ossaViewer.open(given.map((file) => ({ path: file.path, bytes: decode(file.base64) })));
    }, files);
  }

  /** The same, and wait for the figure that comes of it. */
  async open(figure, ...paths) {
    await this.give(...paths);
    await this.#comes(figure);
  }

  #comes(figure) {
    return this.until((state, name) => state.figure === name && state.scene !== null && !state.reading, figure);
  }

  /** Do something, and wait for the file that the page saves then. */
  async downloaded(act) {
    if (downloads === null) {
      const [download] = await Promise.all([this.page.waitForEvent('download'), act()]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    }
    const before = new Set(readdirSync(downloads));
    await act();
    const end = Date.now() + PATIENCE;
    do {
      // While a file is written, there is another beside it.
      const names = readdirSync(downloads).filter((one) => !before.has(one));
      const path = join(downloads, names[0] ?? '');
      if (names.length === 1 && !names[0].endsWith('.part') && statSync(path).size > 0)
        return { name: names[0], bytes: readFileSync(path) };
      await new Promise((next) => setTimeout(next, 20));
    } while (Date.now() < end);
    return assert.fail('no file has come');
  }

  /** Drop and wait for the figure that comes of it. */
  async show(figure, ...paths) {
    await this.drop(...paths);
    await this.#comes(figure);
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
      const bytes = await window.ossaViewer.saved(kind);
      const url = await new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result);
        reader.readAsDataURL(new Blob([bytes]));
      });
      return url.slice(url.indexOf(',') + 1);
    }, what);
    return Buffer.from(base64, 'base64');
  }

  /** The library is idle and two pictures are drawn later: whatever was asked for is on the screen. */
  settle() {
    return this.page.evaluate(() => window.ossaViewer.settled());
  }

  /** What is drawn, without the writing over it: fonts differ from machine to machine. */
  async picture(selector = '#stage', isBare = true) {
    await this.settle();
    return this.page.locator(selector).screenshot({
      animations: 'disabled',
      style: `#stage * { outline: none !important; caret-color: transparent }
        ${isBare ? '#legend, #labels, #notices, #banner, #hint, #view-bar, #compare-card { visibility: hidden !important }' : ''}`,
    });
  }

  text(selector) {
    return this.page.locator(selector).textContent();
  }

  /** Wait until an element says something. @param {string} selector @param {RegExp} pattern */
  says(selector, pattern) {
    return until(async () => assert.match(await this.text(selector), pattern));
  }
}

// How fast software draws is no concern of the page.
function isOfDriver(text) {
  return /GPU stall due to ReadPixels|GL Driver Message|Error creating WebGL context|Automatic fallback to software WebGL/.test(text);
}

/** axe-core finds nothing wrong with the page as it is now. */
export async function assertAccessible(viewer, what) {
  const source = readFileSync(join(modules, 'axe-core/axe.min.js'), 'utf8');
  await viewer.page.evaluate(source);
  const found = await viewer.page.evaluate(async () => {
    const { axe } = /** @type {any} */ (window);
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
  assert.deepEqual(found, [], what);
}

/** Wait until what is asserted is so: lists and panels are drawn after the state has changed. @param {() => Promise<void>} assertion */
export async function until(assertion) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((next) => setTimeout(next, 20));
  }
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
