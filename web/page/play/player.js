// SPDX-License-Identifier: MIT
//
// The clock of a clip. Frame f is at f / fps seconds, and a clip of F frames lasts F / fps: in a loop the
// last frame is shown for as long as the others, while it blends into the first. In a range and in a
// chain it does not blend: it is held for that long. Pure.

import { framesWithin } from './timeline_scale.js';

export const MODES = ['loop', 'ping-pong', 'once'];
export const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

// A time this near to a frame counts as that frame, because sums of steps are not exact.
const SAME_FRAME = 1e-4;

export class Player {
  frameCount = 0;
  fps = 30;
  playing = false;
  /** 1, or -1 while the time runs backwards. */
  direction = 1;
  /** Whether the clips of the scene name successors: only then is 'chain' among the modes. */
  canChain = false;
  /** At the end of a clip in a chain. Returns whether another clip comes; it is then loaded, perhaps
   * later, and until that the last frame stays. @type {() => boolean} */
  ended = () => false;
  /** How often a loop has begun again since the playhead was moved; less than 0 backwards. */
  rounds = 0;
  #time = 0; // seconds
  #held = 0; // seconds for which the last frame of a range or a chain has been shown
  #mode = 'loop';
  #speed = 1;
  #isReversed = false;
  #isEnded = false;
  /** @type {{ first: number, last: number }|null} */
  #range = null;

  /** Start another clip. Its range is all of it. */
  load(frameCount, fps) {
    this.frameCount = Math.max(0, Math.floor(frameCount) || 0);
    this.fps = fps > 0 && Number.isFinite(fps) ? fps : 30;
    this.#range = null;
    this.rewind();
    if (this.frameCount < 2) this.playing = false;
  }

  /** Go to where playing starts. */
  rewind() {
    this.#isEnded = false;
    this.direction = this.#isReversed ? -1 : 1;
    this.seekFrame(this.#isReversed ? this.last : this.first);
  }

  /** Seconds that are shown. */
  get time() {
    return this.#time;
  }

  set time(seconds) {
    this.#time = seconds;
    this.#held = 0;
    this.rounds = 0;
    this.#isEnded = false;
  }

  // Whether the last frame does not blend into the first.
  get #holds() {
    return this.#mode !== 'loop' || this.#range !== null;
  }

  get modes() {
    return this.canChain ? [...MODES, 'chain'] : MODES;
  }

  get mode() {
    return this.#mode;
  }

  set mode(mode) {
    if (!this.modes.includes(mode)) throw new RangeError(`no such mode: ${mode}`);
    this.#mode = mode;
    this.direction = this.#isReversed ? -1 : 1;
    this.time = Math.min(this.#time, this.end);
  }

  nextMode() {
    this.mode = this.modes[(this.modes.indexOf(this.#mode) + 1) % this.modes.length];
  }

  /** Offer chains, or not. A chain that is no longer possible becomes a loop. */
  offerChain(isOffered) {
    this.canChain = isOffered;
    if (!isOffered && this.#mode === 'chain') this.mode = 'loop';
  }

  get isReversed() {
    return this.#isReversed;
  }

  set isReversed(isReversed) {
    if (isReversed !== this.#isReversed) this.reverse();
  }

  /** Play in the other direction from now on. */
  reverse() {
    this.#isReversed = !this.#isReversed;
    this.direction = -this.direction;
    this.#isEnded = false;
  }

  get speed() {
    return this.#speed;
  }

  set speed(speed) {
    if (!(speed > 0) || !Number.isFinite(speed)) throw new RangeError(`no such speed: ${speed}`);
    this.#speed = speed;
  }

  /** Choose the next speed up (1) or down (-1). */
  changeSpeed(by) {
    const faster = SPEEDS.filter((speed) => speed > this.#speed + 1e-9);
    const slower = SPEEDS.filter((speed) => speed < this.#speed - 1e-9);
    if (by > 0 && faster.length > 0) this.#speed = faster[0];
    if (by < 0 && slower.length > 0) this.#speed = slower[slower.length - 1];
  }

  /** The frames that are played, at least two, both ends included; null: all of them. */
  get range() {
    return this.#range && { ...this.#range };
  }

  set range(range) {
    this.#range = range && framesWithin(range, this.lastFrame);
  }

  /** Let the range start or end at a frame. An end on the wrong side of it moves to the end of the clip. */
  startRange(frame = this.frame) {
    this.range = { first: frame, last: this.last > frame ? this.last : this.lastFrame };
  }

  endRange(frame = this.frame) {
    this.range = { first: this.first < frame ? this.first : 0, last: frame };
  }

  /** The first frame that is played, and the last. */
  get first() {
    return this.#range?.first ?? 0;
  }

  get last() {
    return this.#range?.last ?? this.lastFrame;
  }

  get lastFrame() {
    return Math.max(0, this.frameCount - 1);
  }

  get duration() {
    return this.frameCount / this.fps;
  }

  /** The last time of the clip that can be shown. A loop continues after the last frame, unless it is of
   * a range; other modes do not. */
  get end() {
    return this.#holds ? this.lastFrame / this.fps : this.duration;
  }

  /** The frame that is shown, not rounded. */
  get position() {
    const position = this.time * this.fps;
    const whole = Math.round(position);
    return Math.abs(position - whole) < SAME_FRAME ? whole : position;
  }

  /** The last frame that was reached. */
  get frame() {
    return Math.min(this.lastFrame, Math.floor(this.position));
  }

  play() {
    if (this.frameCount < 2) return;
    const isOutside = this.position < this.first || (this.#range && this.position > this.last);
    const goal = this.direction > 0 ? this.last : this.first;
    const isDone = Math.abs(this.position - goal) < SAME_FRAME || this.#isEnded;
    if (isOutside || (isDone && (this.#mode === 'once' || this.#mode === 'chain'))) this.rewind();
    this.playing = true;
  }

  pause() {
    this.playing = false;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  seek(seconds) {
    this.time = Math.min(Math.max(0, Number.isFinite(seconds) ? seconds : 0), this.end);
  }

  seekFrame(frame) {
    this.time = Math.min(Math.max(0, frame), this.lastFrame) / this.fps;
  }

  /** To the first frame of the range, and from there to that of the clip. */
  toFirst() {
    this.seekFrame(this.position > this.first ? this.first : 0);
  }

  toLast() {
    this.seekFrame(this.position < this.last ? this.last : this.lastFrame);
  }

  /** Move by whole frames and pause. A loop wraps around, in its range if the playhead is there. */
  step(frames) {
    this.pause();
    if (this.frameCount === 0) return;
    const from = frames < 0 ? Math.ceil(this.position - SAME_FRAME) : this.frame;
    const isInside = from >= this.first && from <= this.last;
    const [first, last] = isInside ? [this.first, this.last] : [0, this.lastFrame];
    const to = from + frames;
    this.seekFrame(this.#mode === 'loop' ? first + modulo(to - first, last - first + 1) : to);
  }

  /** Advance by some seconds. Returns whether the time has changed. */
  tick(seconds) {
    if (!this.playing || !(seconds > 0) || this.frameCount < 2 || this.#isEnded) return false;
    const start = this.first / this.fps;
    const frames = this.last - this.first;
    const elapsed = seconds * this.#speed;
    if (this.#mode === 'loop') {
      const period = (frames + 1) / this.fps;
      const place = this.#inside - start + this.direction * elapsed;
      this.rounds += Math.floor(place / period);
      this.#runTo(start + modulo(place, period));
    } else if (this.#mode === 'ping-pong') {
      this.#swing(elapsed, start, frames / this.fps);
    } else {
      this.#runOut(elapsed, start, start + frames / this.fps);
    }
    return true;
  }

  // The time, or the nearer end of the range if it is outside.
  get #inside() {
    const last = this.#range ? (this.last + 1) / this.fps : this.duration;
    return Math.min(Math.max(this.#time + this.#held, this.first / this.fps), last);
  }

  #runTo(seconds) {
    this.#time = this.#holds ? Math.min(seconds, this.last / this.fps) : seconds;
    this.#held = seconds - this.#time;
  }

  // Forwards and backwards together are one period, so that a long interval needs no loop.
  #swing(elapsed, start, length) {
    const period = 2 * length;
    const at = Math.min(this.#inside - start, length);
    const done = this.direction > 0 ? at : period - at;
    const now = (done + elapsed) % period;
    this.direction = now <= length ? 1 : -1;
    this.#runTo(start + (this.direction > 0 ? now : period - now));
  }

  // Once, and chains: to the end. In a chain the last frame lasts as long as the others.
  #runOut(elapsed, start, end) {
    const isChain = this.#mode === 'chain' && this.direction > 0;
    const goal = this.direction < 0 ? start : isChain ? end + 1 / this.fps : end;
    const now = this.#inside + this.direction * elapsed;
    const isDone = this.direction > 0 ? now >= goal : now <= goal;
    this.#runTo(isDone ? goal : now);
    if (!isDone) return;
    this.#isEnded = true;
    if (!isChain || !this.ended()) this.playing = false;
  }
}

function modulo(value, by) {
  return ((value % by) + by) % by;
}
