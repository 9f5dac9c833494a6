// SPDX-License-Identifier: MIT
//
// What others make of the films and pictures that the page saves: ffmpeg, ImageMagick and unzip. A test
// that lacks one of them is skipped, or fails if OSSA_PEERS_REQUIRED is set.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

function run(program, ...words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { maxBuffer: 1 << 30 });
  if (error) throw error;
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

const isThere = (program, word, answer) => {
  const { status, stdout } = spawnSync(program, [word], { encoding: 'utf8' });
  return status === 0 && stdout.includes(answer);
};
const hasFfmpeg = isThere('ffmpeg', '-version', 'ffmpeg') && isThere('ffprobe', '-version', 'ffprobe');
// ImageMagick 7, or 6 under the name that no other program has.
const magick = ['magick', 'convert-im6.q16', 'convert'].find((name) => isThere(name, '-version', 'ImageMagick'));
const hasUnzip = isThere('unzip', '-v', 'UnZip');
const missing = Object.entries({ ffmpeg: hasFfmpeg, ImageMagick: magick, unzip: hasUnzip })
  .filter(([, is]) => !is)
  .map(([name]) => name);

/** A test that needs these programs. */
export function peerTest(name, work) {
  const isSkipped = missing.length > 0 && !process.env.OSSA_PEERS_REQUIRED;
  test(name, { skip: isSkipped && `there is no ${missing.join(', ')}` }, async () => {
    assert.deepEqual(missing, [], 'OSSA_PEERS_REQUIRED is set');
    await work();
  });
}

/** Size, format, and the time of each frame in seconds, as ffprobe finds them. */
export function probe(path) {
  const { streams, frames } = JSON.parse(
    run('ffprobe', '-v', 'error', '-show_streams', '-show_frames', '-of', 'json', path).toString(),
  );
  const [{ codec_name: codec, width, height }] = streams;
  const times = frames.map((frame) => Number(frame.pts_time ?? frame.pkt_pts_time));
  const last = frames.at(-1);
  const lasts = Number(last.pkt_duration_time ?? last.duration_time);
  return { codec, width, height, times, seconds: times.at(-1) + lasts };
}

/** All frames as red, green, blue and alpha. */
export function framesByFfmpeg(path) {
  const { width, height } = probe(path);
  const raw = run('ffmpeg', '-v', 'error', '-i', path, '-fps_mode', 'passthrough', '-pix_fmt', 'rgba', '-f', 'rawvideo', '-');
  return cut(raw, width, height);
}

/** The same by ImageMagick, and the delays in hundredths of a second. */
export function framesByMagick(path) {
  const words = path.endsWith('.png') ? ['-depth', '8'] : ['-coalesce', '-depth', '8'];
  const facts = run(magick, path, '-format', '%w %h %T %W %H\n', 'info:').toString().trim().split('\n').map((line) => line.split(' ').map(Number));
  const [width, height] = facts[0].slice(3);
  const delays = facts.map(([, , delay]) => delay);
  return { width, height, delays, frames: cut(run(magick, path, ...words, 'rgba:-'), width, height) };
}

function cut(raw, width, height) {
  const size = width * height * 4;
  assert.equal(raw.length % size, 0);
  return Array.from({ length: raw.length / size }, (_, f) => ({ width, height, data: raw.subarray(f * size, (f + 1) * size) }));
}

/** Check an archive, and take it apart. @returns {string[]} names */
export function unzip(path, folder) {
  assert.match(run('unzip', '-t', path).toString(), /No errors detected/);
  run('unzip', '-q', '-o', path, '-d', folder);
  return run('unzip', '-Z1', path).toString().trim().split('\n');
}

/** How far two pictures are apart: on average, of 255, and the part that is plainly different. What is
 * transparent has no colour. */
export function apart(one, other) {
  assert.deepEqual([one.width, one.height], [other.width, other.height]);
  let sum = 0;
  let strong = 0;
  for (let i = 0; i < one.data.length; i += 4) {
    let most = 0;
    for (let c = 0; c < 4; c++) {
      const [a, b] = [one, other].map(({ data }) => (c === 3 ? data[i + 3] : (data[i + c] * data[i + 3]) / 255));
      sum += Math.abs(a - b);
      most = Math.max(most, Math.abs(a - b));
    }
    if (most > 40) strong += 1;
  }
  return { mean: sum / one.data.length, strong: strong / (one.data.length / 4) };
}

/** How many pixels are transparent, soft and opaque. */
export function alphas({ data }) {
  const counts = { clear: 0, soft: 0, solid: 0 };
  for (let i = 3; i < data.length; i += 4) counts[data[i] === 0 ? 'clear' : data[i] === 255 ? 'solid' : 'soft'] += 1;
  return counts;
}

/** A rectangle of a picture. */
export function part({ width, data }, x, y, across, down) {
  const rows = Array.from({ length: down }, (_, row) => data.subarray(((y + row) * width + x) * 4, ((y + row) * width + x + across) * 4));
  return { width: across, height: down, data: Buffer.concat(rows) };
}
