// SPDX-License-Identifier: MIT
//
// What the controls of the share dialog offer and mean. Pure.

import { momentsOf, RATES, samplesOf, sizeFor } from './frames.js';

/** Heights and sizes that are offered; the view's own comes first. */
export const PRESETS = [
  { id: 'view', name: 'As the view' },
  { id: '240', name: '240 high', height: 240 },
  { id: '360', name: '360 high', height: 360 },
  { id: '480', name: '480 high', height: 480 },
  { id: '720', name: '720 high', height: 720 },
  { id: '1080', name: '1080 high', height: 1080 },
  { id: '480x360', name: '480 × 360', width: 480, height: 360 },
  { id: '512x512', name: '512 × 512', width: 512, height: 512 },
  { id: '1080x1080', name: '1080 × 1080', width: 1080, height: 1080 },
  { id: '1280x720', name: '1280 × 720', width: 1280, height: 720 },
  { id: '1920x1080', name: '1920 × 1080', width: 1920, height: 1080 },
  { id: '3840x2160', name: '3840 × 2160', width: 3840, height: 2160 },
];

export const QUALITIES = [
  { id: 'best', name: 'Best', quality: 1, bitsPerPixel: 0.3 },
  { id: 'good', name: 'Good', quality: 0.9, bitsPerPixel: 0.14 },
  { id: 'small', name: 'Small', quality: 0.7, bitsPerPixel: 0.06 },
];

export const SHEET_FRAMES = [4, 6, 8, 9, 12, 16, 20, 24, 36, 48];

/** @param {typeof PRESETS[number]} preset @param {{ width: number, height: number }} view @param {number} most */
export function presetSize(preset, view, most) {
  if (preset.id === 'view') return { width: view.width, height: view.height };
  if (preset.width) return { width: preset.width, height: preset.height };
  return sizeFor(view.width / view.height, { height: preset.height }, most);
}

/** The rates that a kind allows; the clip's own is first, if it does.
 * @param {number} own @param {number} [most] */
export function ratesFor(own, most = Infinity) {
  const others = RATES.filter((rate) => rate <= most && Math.abs(rate - own) > 1e-6);
  return own <= most && own >= 1 ? [own, ...others] : others;
}

/**
 * The moments of an export. @param {'film'|'frames'|'picture'} shows
 * @param {{ clip: import('./frames.js').Clip, rate: number, range: import('./frames.js').Range|null,
 *   isBack: boolean, count: number, now: number }} given
 */
export function timesOf(shows, { clip, rate, range, isBack, count, now }) {
  if (shows === 'picture') return [now];
  if (shows === 'frames') return samplesOf(clip, count, range);
  return momentsOf(clip, rate, range, isBack);
}

/** "24 frames, 0.80 s, 480 × 360". @param {'film'|'frames'|'picture'} shows */
export function estimateText(shows, count, rate, { width, height }) {
  const size = `${width} × ${height}`;
  if (shows === 'picture') return size;
  const frames = `${count} ${count === 1 ? 'frame' : 'frames'}`;
  if (shows === 'frames') return `${frames} of ${size}`;
  return `${frames}, ${(count / rate).toFixed(2)} s, ${size}`;
}

/** A side as it was typed: a whole number that is possible. */
export function side(text, most, isEven) {
  const value = Math.min(Math.max(isEven ? 2 : 1, Math.round(Number(text)) || 1), most);
  return isEven ? value - (value % 2) : value;
}
