// SPDX-License-Identifier: MIT
//
// A film as WebM. WebCodecs encodes picture by picture, at exact times; a browser without it records the
// canvas in real time.

import { webm } from './webm.js';

const KEY_SECONDS = 2; // between pictures that can be shown without those before
const MOST_WAITING = 4;
const CODECS = [
  { codec: 'vp09.00.51.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
];

/** 'exact', 'recorded' (in real time) or null: not at all. */
export function videoSupport() {
  if ('VideoEncoder' in globalThis) return 'exact';
  const canRecord =
    globalThis.MediaRecorder?.isTypeSupported('video/webm') &&
    'captureStream' in HTMLCanvasElement.prototype;
  return canRecord ? 'recorded' : null;
}

/**
 * @param {import('./film.js').Film} film
 * @param {import('./exports.js').Job} job
 * @returns {Promise<BlobPart[]>} the parts of the file
 */
export async function video(film, job) {
  const { width, height } = film;
  const bitrate = Math.round(width * height * job.rate * job.bitsPerPixel);
  const wanted = { width, height, bitrate, framerate: job.rate, latencyMode: /** @type {const} */ ('quality') };
  if (videoSupport() === 'exact')
    for (const { codec, name } of CODECS) {
      const { supported } = await VideoEncoder.isConfigSupported({ ...wanted, codec });
      if (supported) return encoded(film, job, { ...wanted, codec }, name);
    }
  return recorded(film, job, bitrate);
}

async function encoded(film, job, settings, codec) {
  const pictures = [];
  let failure = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ bytes, time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key' });
    },
    error: (error) => (failure = error),
  });
  try {
    encoder.configure(settings);
    const keys = Math.max(1, Math.round(job.rate * KEY_SECONDS));
    await job.each(film, async (f) => {
      const timestamp = Math.round((f * 1e6) / job.rate);
      const frame = new VideoFrame(film.canvas, { timestamp, alpha: 'discard' });
      encoder.encode(frame, { keyFrame: f % keys === 0 });
      frame.close();
      while (encoder.encodeQueueSize > MOST_WAITING && !failure) await job.breathe();
      if (failure) throw failure;
    });
    await encoder.flush();
    if (failure) throw failure;
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
  const { width, height, rate, times } = { ...settings, ...job };
  return webm({ codec, width, height, duration: (times.length * 1000) / rate, fps: rate }, pictures);
}

// Each picture is handed over at its time, as near as timers allow.
async function recorded(film, job, bitrate) {
  const stream = film.canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: bitrate });
  const parts = [];
  const stopped = new Promise((done, failed) => {
    recorder.onstop = done;
    recorder.onerror = (event) => failed(event.error ?? new Error('the browser could not record'));
  });
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const hand = () => (track.requestFrame ? track.requestFrame() : stream.requestFrame());
  const until = (time) => new Promise((next) => setTimeout(next, Math.max(0, time - performance.now())));
  recorder.start();
  try {
    const start = performance.now();
    await job.each(film, async (f) => {
      await until(start + (f * 1000) / job.rate);
      hand();
    });
    await until(start + (job.times.length * 1000) / job.rate);
  } finally {
    if (recorder.state !== 'inactive') recorder.stop();
    track.stop();
  }
  await stopped;
  return parts;
}
