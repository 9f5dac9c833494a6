// SPDX-License-Identifier: MIT
//
// The clock of a clip. Frame f is at f / fps seconds, and a clip of F frames lasts F / fps: in a loop the
// last frame is shown for as long as the others, while it blends into the first. Pure.

export const MODES = ['loop', 'ping-pong', 'once'];
export const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

// A time this near to a frame counts as that frame, because sums of steps are not exact.
const SAME_FRAME = 1e-4;

export class Player {
  frameCount = 0;
  fps = 30;
  time = 0;
  playing = false;
  /** 1, or -1 while ping-pong runs backwards. */
  direction = 1;
  #mode = 'loop';
  #speed = 1;

  /** Start another clip. */
  load(frameCount, fps) {
    this.frameCount = Math.max(0, Math.floor(frameCount) || 0);
    this.fps = fps > 0 && Number.isFinite(fps) ? fps : 30;
    this.time = 0;
    this.direction = 1;
    if (this.frameCount < 2) this.playing = false;
  }

  get mode() {
    return this.#mode;
  }

  set mode(mode) {
    if (!MODES.includes(mode)) throw new RangeError(`no such mode: ${mode}`);
    this.#mode = mode;
    this.direction = 1;
    this.time = Math.min(this.time, this.end);
  }

  nextMode() {
    this.mode = MODES[(MODES.indexOf(this.#mode) + 1) % MODES.length];
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

  get lastFrame() {
    return Math.max(0, this.frameCount - 1);
  }

  get duration() {
    return this.frameCount / this.fps;
  }

  /** The last time that can be shown. A loop continues after the last frame, other modes do not. */
  get end() {
    return this.#mode === 'loop' ? this.duration : this.lastFrame / this.fps;
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
    if (this.#mode === 'once' && this.time >= this.end - SAME_FRAME / this.fps) this.time = 0;
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

  /** Move by whole frames and pause. A loop wraps around. */
  step(frames) {
    this.pause();
    if (this.frameCount === 0) return;
    const from = frames < 0 ? Math.ceil(this.position - SAME_FRAME) : this.frame;
    let to = from + frames;
    if (this.#mode === 'loop') to = ((to % this.frameCount) + this.frameCount) % this.frameCount;
    this.seekFrame(to);
  }

  /** Advance by some seconds. Returns whether the time has changed. */
  tick(seconds) {
    if (!this.playing || !(seconds > 0) || this.frameCount < 2) return false;
    const elapsed = seconds * this.#speed;
    if (this.#mode === 'loop') {
      this.time = (this.time + elapsed) % this.duration;
    } else if (this.#mode === 'once') {
      this.time = Math.min(this.time + elapsed, this.end);
      if (this.time >= this.end) this.playing = false;
    } else {
      this.#swing(elapsed);
    }
    return true;
  }

  // Forwards and backwards together are one period, so that a long interval needs no loop.
  #swing(elapsed) {
    const period = 2 * this.end;
    const done = this.direction > 0 ? this.time : period - this.time;
    const now = (done + elapsed) % period;
    this.direction = now <= this.end ? 1 : -1;
    this.time = this.direction > 0 ? now : period - now;
  }
}

/** "12 / 24 · 0.80 s": frames count from 0, as in the files and in the tool. */
export function counterText(player) {
  if (player.frameCount === 0) return 'no frames';
  return `${player.frame} / ${player.lastFrame} · ${player.time.toFixed(2)} s`;
}
