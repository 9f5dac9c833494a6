// SPDX-License-Identifier: MIT
//
// The kinds of files that Share writes, and how each is made from the pictures of a film.

import { ApngWriter } from './apng.js';
import { blobOf } from './film.js';
import { changedArea, delayFraction, delaysOf, evenArea } from './frames.js';
import { GifWriter, paletteOf } from './gif.js';
import { png } from './png.js';
import { sheetLayout } from './sheet.js';
import { video, videoSupport } from './video.js';
import { animatedWebp } from './webp.js';
import { zip } from './zip.js';

const PALETTE_FRAMES = 12; // that the colours of a GIF are chosen from

/**
 * @typedef {object} Kind
 * @property {string} id
 * @property {string} name
 * @property {string} [suffix] of the names of its files
 * @property {string} ending
 * @property {string} type of its files
 * @property {'film'|'frames'|'picture'} shows a film, a few frames, or one picture
 * @property {boolean} [hasAlpha] whether it can be transparent
 * @property {boolean} [hasQuality] whether there is a choice of quality
 * @property {boolean} [repeats] whether it can say that it is played again and again
 * @property {number} [mostRate] pictures per second
 * @property {boolean} [isEven] whether sides must be even
 * @property {string} note
 * @property {(film: any, job: Job) => Promise<BlobPart[]>} make
 */

/** @type {Kind[]} */
export const KINDS = [
  {
    id: 'gif', name: 'GIF', ending: '.gif', type: 'image/gif', shows: 'film', hasAlpha: true, repeats: true, mostRate: 50,
    note: 'Plays everywhere. 256 colours; transparent without soft edges; at most 50 frames per second.',
    make: gif,
  },
  {
    id: 'webp', name: 'WebP', ending: '.webp', type: 'image/webp', shows: 'film', hasAlpha: true, repeats: true, hasQuality: true,
    note: 'All colours and soft transparency. All current browsers play it.',
    make: webp,
  },
  {
    id: 'apng', name: 'APNG', ending: '.png', type: 'image/png', shows: 'film', hasAlpha: true, repeats: true,
    note: 'Every pixel exact, soft transparency. Larger than WebP; programs without APNG show the first frame.',
    make: apng,
  },
  {
    id: 'webm', name: 'WebM', ending: '.webm', type: 'video/webm', shows: 'film', hasQuality: true, isEven: true,
    note: 'A video: the smallest file.',
    make: video,
  },
  {
    id: 'sequence', name: 'PNG sequence', ending: '.zip', type: 'application/zip', shows: 'film', hasAlpha: true,
    note: 'One PNG per frame, in a ZIP archive.',
    make: sequence,
  },
  {
    id: 'sheet', name: 'Contact sheet', suffix: '-sheet', ending: '.png', type: 'image/png', shows: 'frames', hasAlpha: true,
    note: 'Rows of frames in one PNG. The size is that of one frame.',
    make: sheet,
  },
  {
    id: 'picture', name: 'Picture', ending: '.png', type: 'image/png', shows: 'picture', hasAlpha: true,
    note: 'A PNG of the current frame, as large as you like.',
    make: picture,
  },
];

/** Why a kind cannot be written here, or how it differs; null: as usual. @param {Kind} kind */
export function remark(kind) {
  if (kind.id !== 'webm' || videoSupport() === 'exact') return null;
  return videoSupport()
    ? 'This browser can only record in real time, so the frame times are approximate.'
    : 'This browser cannot write it.';
}

/** What to make of a film: its times, and how to go through them. */
export class Job {
  /**
   * @param {{ times: number[], rate: number, repeats: boolean, quality: number, bitsPerPixel: number, name: string,
   *   labels: string[]|null, signal: AbortSignal, progress: (done: number) => void }} what
   */
  constructor(what) {
    this.times = what.times;
    this.rate = what.rate;
    this.repeats = what.repeats;
    this.quality = what.quality;
    this.bitsPerPixel = what.bitsPerPixel;
    this.name = what.name;
    this.labels = what.labels;
    this.signal = what.signal;
    this.progress = what.progress;
  }

  /** Let the page draw and react. */
  async breathe() {
    await new Promise((next) => {
      const { port1, port2 } = new MessageChannel(); // timers are slow in the background
      port1.onmessage = next;
      port2.postMessage(0);
    });
    this.signal.throwIfAborted();
  }

  /** Draw all pictures in order, and take each. @param {any} film @param {(f: number) => any} take */
  async each(film, take) {
    for (const [f, seconds] of this.times.entries()) {
      film.draw(seconds);
      await this.breathe();
      await take(f);
      this.progress(f + 1);
      await this.breathe();
    }
  }
}

async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}

const sizeOf = ({ width, height, isTransparent }) => ({ width, height, hasAlpha: isTransparent });

/** @param {any} film @param {Job} job */
async function gif(film, job) {
  const { times, rate, repeats } = job;
  const samples = [];
  for (let i = 0; i < Math.min(PALETTE_FRAMES, times.length); i++) {
    film.draw(times[Math.floor((i * times.length) / Math.min(PALETTE_FRAMES, times.length))]);
    samples.push(film.pixels());
    await job.breathe();
  }
  const writer = new GifWriter({ ...sizeOf(film), repeats, palette: paletteOf(samples, film.isTransparent) });
  const delays = delaysOf(times.length, rate, 100);
  await job.each(film, (f) => writer.add(film.pixels(), delays[f]));
  return writer.finish();
}

/** @param {any} film @param {Job} job */
async function apng(film, job) {
  const writer = new ApngWriter({ ...sizeOf(film), repeats: job.repeats });
  const delay = delayFraction(job.rate);
  await job.each(film, () => writer.add(film.pixels(), delay));
  return writer.finish();
}

// Each frame is the rectangle that has changed, from even places on. Transparent ones are whole: some
// programs would leave traces.
/** @param {any} film @param {Job} job */
async function webp(film, job) {
  const frames = [];
  const delays = delaysOf(job.times.length, job.rate, 1000);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  let before = null;
  await job.each(film, async (f) => {
    const now = film.pixels();
    const area = evenArea(changedArea(film.isTransparent ? null : before, now, film.width, film.height));
    Object.assign(canvas, { width: area.width, height: area.height });
    context.drawImage(film.canvas, -area.x, -area.y);
    const blob = await blobOf(canvas, 'image/webp', job.quality);
    frames.push({ file: await bytesOf(blob), area, milliseconds: delays[f] });
    before = now;
  });
  return animatedWebp({ ...sizeOf(film), repeats: job.repeats }, frames);
}

/** @param {any} film @param {Job} job */
async function sequence(film, job) {
  const files = [];
  const digits = Math.max(4, String(job.times.length - 1).length);
  await job.each(film, async (f) =>
    files.push({
      name: `${job.name}-${String(f).padStart(digits, '0')}.png`,
      bytes: await png(film.pixels(), sizeOf(film)),
    }),
  );
  return zip(files);
}

/** @param {any} film @param {Job} job */
async function sheet(film, job) {
  const { width, height, cells } = sheetLayout(job.times.length, film);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  await job.each(film, (f) => {
    context.drawImage(film.canvas, cells[f].x, cells[f].y);
    if (job.labels) writeNumber(context, job.labels[f], cells[f], film);
  });
  return [await blobOf(canvas, 'image/png')];
}

function writeNumber(context, text, { x, y }, { width, height }) {
  const size = Math.max(10, Math.round(Math.min(width, height) / 18));
  context.font = `${size}px ui-sans-serif, system-ui, sans-serif`;
  context.lineJoin = 'round';
  context.lineWidth = size / 4;
  context.strokeStyle = 'rgba(20,23,27,0.85)';
  context.strokeText(text, x + size / 2, y + height - size / 2);
  context.fillStyle = '#fff';
  context.fillText(text, x + size / 2, y + height - size / 2);
}

/** @param {any} film @param {Job} job */
async function picture(film, job) {
  film.draw(job.times[0]);
  await job.breathe();
  job.progress(1);
  return [await film.blob('image/png')];
}
