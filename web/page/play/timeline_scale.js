// SPDX-License-Identifier: MIT
//
// The arithmetic of the timeline: ticks, frames under the pointer, what is typed into the frame field,
// the events of a clip, and the clip that follows it. Pure.

import { marks } from '../panels/curve_scale.js';

const LABEL = 52; // pixels that a number needs, with some space
const TICK = 5; // pixels between two ticks, at least

/** How a clip of `lastFrame` is laid out on `width` pixels with a margin on both sides. */
export class TimeScale {
  constructor(lastFrame, width, margin) {
    this.lastFrame = lastFrame;
    this.margin = margin;
    this.length = Math.max(1, width - 2 * margin);
  }

  x(frame) {
    return this.margin + (this.lastFrame > 0 ? (frame / this.lastFrame) * this.length : 0);
  }

  /** The frame at a position, rounded, within the clip. */
  frameAt(x) {
    const frame = Math.round(((x - this.margin) / this.length) * this.lastFrame);
    return Math.min(Math.max(0, frame), this.lastFrame);
  }

  /** Frames with a number, and those with a tick only. */
  ticks() {
    const numbered = roundFrames(this.lastFrame, Math.floor(this.length / LABEL));
    const step = numbered.length > 1 ? numbered[1] - numbered[0] : 1;
    const fine = [step / 10, step / 5, step / 2].find(
      (size) => Number.isInteger(size) && (size / Math.max(1, this.lastFrame)) * this.length >= TICK,
    );
    const plain = [];
    for (let frame = 0; fine && frame <= this.lastFrame; frame += fine)
      if (frame % step !== 0) plain.push(frame);
    return { numbered, plain };
  }

  /** Round numbers of seconds, as {seconds, frame, text}. The zero is left out: it is frame 0. */
  seconds(fps) {
    const end = this.lastFrame / fps;
    const found = marks(0, end, Math.max(1, Math.floor(this.length / (2 * LABEL)))).filter(
      (value) => value > 0,
    );
    const digits = found.length > 0 ? Math.max(0, -Math.floor(Math.log10(found[0]) + 1e-9)) : 0;
    return found.map((seconds) => ({
      seconds,
      frame: seconds * fps,
      text: `${seconds.toFixed(digits)} s`,
    }));
  }
}

function roundFrames(last, count) {
  if (last <= 0) return [0];
  const whole = marks(0, last, Math.max(1, count)).filter(Number.isInteger);
  // Of a short clip every frame has a number.
  return marks(0, last, Math.max(1, count)).length > whole.length
    ? Array.from({ length: last + 1 }, (_, frame) => frame)
    : whole;
}

/**
 * The frame that a text means: "12", "+5" and "-5" from the current one, "0.8 s"; null: none. It is
 * within the clip.
 * @param {string} text @param {{ frame: number, lastFrame: number, fps: number }} clock
 */
export function typedFrame(text, { frame, lastFrame, fps }) {
  const parts = /^\s*([+-]?)\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*(s?)\s*$/i.exec(text);
  if (!parts) return null;
  const value = Number(parts[2].replace(',', '.')) * (parts[3] ? fps : 1);
  const from = parts[1] ? frame : 0;
  const to = Math.round(from + (parts[1] === '-' ? -value : value));
  return Math.min(Math.max(0, to), lastFrame);
}

/** @typedef {{ frame: number, kind: string, field: string }} ClipEvent see ossa.d.ts */

const KINDS = {
  step: 'a foot comes down',
  hit: 'a blow lands',
  show_hide: 'something is shown or hidden',
  special: 'a sound or an effect',
};

/** @param {ClipEvent} event */
export function eventText({ kind, field }) {
  return `${KINDS[kind] ?? kind} (${field})`;
}

/**
 * The events of a clip, one marker per frame, in order. `sort` counts the kinds in order of appearance.
 * @param {ClipEvent[]|undefined} events @param {number} lastFrame
 */
export function markersOf(events, lastFrame) {
  const kinds = [];
  const byFrame = new Map();
  for (const event of events ?? []) {
    if (!Number.isFinite(event.frame)) continue;
    if (!kinds.includes(event.kind)) kinds.push(event.kind);
    const frame = Math.min(Math.max(0, event.frame), lastFrame);
    if (!byFrame.has(frame)) byFrame.set(frame, []);
    byFrame.get(frame).push(event);
  }
  return [...byFrame.entries()]
    .sort(([a], [b]) => a - b)
    .map(([frame, all]) => ({
      frame,
      sort: kinds.indexOf(all[0].kind),
      text: `Frame ${Number(frame.toFixed(2))}\n${all.map(eventText).join('\n')}`,
    }));
}

/** The clip that follows a clip, which may be itself; -1: none. */
export function successor(clips, index) {
  const next = clips[index]?.next ?? -1;
  return clips[next] ? next : -1;
}

/** Whether any clip has a successor. */
export function canChain(clips) {
  return clips.some((_, index) => successor(clips, index) >= 0);
}

/**
 * A range of frames within a clip, at least two, in order; null: all of them, or there are not two.
 * @param {{ first: number, last: number }} range @param {number} lastFrame
 */
export function framesWithin(range, lastFrame) {
  const within = (frame) => Math.min(Math.max(0, Math.round(frame) || 0), lastFrame);
  let [first, last] = [within(range.first), within(range.last)].sort((a, b) => a - b);
  if (first === last && last < lastFrame) last += 1;
  else if (first === last && first > 0) first -= 1;
  return first > 0 || last < lastFrame ? { first, last } : null;
}

/** What follows the frame in its field, "/ 24 · 0.80 s": frames count from 0, as in the files and in the tool.
 * @param {{ frameCount: number, lastFrame: number, time: number }} player */
export function counterText({ frameCount, lastFrame, time }) {
  return frameCount === 0 ? 'no frames' : `/ ${lastFrame} · ${time.toFixed(2)} s`;
}
