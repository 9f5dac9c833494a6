// SPDX-License-Identifier: MIT
//
// Makes the file that was ordered in the share dialog. The stage is as before afterwards, whatever
// happens.

import { clipName, figureName } from './download.js';
import { Job } from './exports.js';
import { Film } from './film.js';

/**
 * @param {{ session: any, player: any, show: any, stage: any }} parts
 * @param {{ kind: import('./exports.js').Kind, shot: import('./film.js').Shot, times: number[], rate: number,
 *   repeats: boolean, hasNumbers: boolean, quality: number, bitsPerPixel: number }} order
 * @param {AbortSignal} signal @param {(part: number) => void} progress from 0 to 1
 * @returns {Promise<{ file: string, blob: Blob }>}
 */
export async function written(parts, order, signal, progress) {
  const { kind, shot, times, hasNumbers } = order;
  const { session, player } = parts;
  const name = kind.shows === 'picture' ? figureName(session) : clipName(session);
  const frameOf = (seconds) => String(Math.round(seconds * player.fps));
  const job = new Job({
    ...order,
    name,
    labels: hasNumbers ? times.map(frameOf) : null,
    signal,
    progress: (done) => progress(done / times.length),
  });
  const film = new Film(parts, shot);
  film.start();
  try {
    const blob = new Blob(await kind.make(film, job), { type: kind.type });
    signal.throwIfAborted();
    return { file: `${name}${kind.suffix ?? ''}${kind.ending}`, blob };
  } finally {
    film.end();
  }
}

/**
 * One picture of a film, small. @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} most CSS pixels
 * @param {any} parts @param {import('./film.js').Shot} shot @param {number} seconds
 */
export function drawPreview(canvas, most, parts, shot, seconds) {
  const ratio = window.devicePixelRatio || 1;
  const zoom = Math.min(most.width / shot.width, most.height / shot.height, 1 / ratio) * ratio;
  const film = new Film(parts, shot, zoom);
  film.start();
  film.draw(seconds);
  film.end();
  Object.assign(canvas, { width: film.width, height: film.height });
  canvas.style.width = `${film.width / ratio}px`;
  canvas.getContext('2d').drawImage(film.canvas, 0, 0);
}
