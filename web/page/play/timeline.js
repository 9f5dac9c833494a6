// SPDX-License-Identifier: MIT
//
// The timeline: ticks, the playhead, the range that is played, and the events of the clip. The playhead
// and the ends of the range are sliders for the keyboard and for screen readers.

import { byId, el, oncePerFrame, sizeCanvas } from '../window/dom.js';
import { markersOf, TimeScale } from './timeline_scale.js';

const MARGIN = 22; // pixels at both ends, where the handles of the range are
const NUMBERS = 9; // heights in the picture
const TRACK = 23;
const SECONDS = 36;

export class Timeline {
  #player;
  #moved;
  #root = byId('timeline');
  #canvas = byId('timeline-ticks');
  #scrub = byId('scrub');
  #handles = { first: byId('range-first'), last: byId('range-last') };
  #hover = byId('timeline-hover');
  #width = 0;
  #shownAs = '';
  #events = [];
  #draw = oncePerFrame(() => this.#paint());

  /** @param {import('./player.js').Player} player @param {() => void} moved the playhead was moved */
  constructor(player, moved) {
    this.#player = player;
    this.#moved = moved;
    this.#root.addEventListener('pointerdown', (event) => this.#press(event));
    this.#root.addEventListener('pointermove', (event) => this.#point(event));
    this.#root.addEventListener('pointerleave', () => this.#point(null));
    this.#scrub.addEventListener('keydown', (event) => this.#scrubKey(event));
    for (const [end, handle] of Object.entries(this.#handles))
      handle.addEventListener('keydown', (event) => this.#handleKey(event, end));
    new ResizeObserver(() => {
      this.#width = this.#root.clientWidth;
      this.#shownAs = '';
      this.update();
    }).observe(this.#root);
    // The colours are those of the theme.
    const theme = { attributes: true, attributeFilter: ['data-theme'] };
    new MutationObserver(this.#draw).observe(document.documentElement, theme);
  }

  /** @param {import('./timeline_scale.js').ClipEvent[]|undefined} events of the clip */
  setEvents(events) {
    this.#events = events ?? [];
    this.#shownAs = '';
    this.update();
  }

  get #scale() {
    return new TimeScale(this.#player.lastFrame, this.#width, MARGIN);
  }

  /** Something about the player has changed. */
  update() {
    const player = this.#player;
    const scale = this.#scale;
    // After the last frame of a loop the playhead waits at the end.
    const at = scale.x(Math.min(player.position, player.lastFrame));
    byId('playhead').style.transform = `translateX(${at}px)`;
    describe(this.#scrub, player.frame, 0, player.lastFrame, player);
    const state = [player.frameCount, player.fps, player.first, player.last, this.#width].join();
    if (state === this.#shownAs) return;
    this.#shownAs = state;
    this.#root.classList.toggle('idle', player.frameCount === 0);
    this.#root.classList.toggle('ranged', player.range !== null);
    for (const [end, handle] of Object.entries(this.#handles)) {
      const frame = player[end];
      handle.hidden = player.frameCount < 2;
      handle.style.transform = `translateX(${scale.x(frame)}px)`;
      const [least, most] = end === 'first' ? [0, player.last - 1] : [player.first + 1, player.lastFrame];
      describe(handle, frame, least, Math.max(least, most), player);
    }
    this.#placeMarkers(scale);
    this.#draw();
  }

  #placeMarkers(scale) {
    const markers = markersOf(this.#events, this.#player.lastFrame).map(({ frame, sort, text }) => {
      const marker = el('span', { class: `marker sort${sort % 3}`, title: text });
      marker.style.transform = `translateX(${scale.x(frame)}px)`;
      return marker;
    });
    byId('markers').replaceChildren(...(this.#player.frameCount > 0 ? markers : []));
  }

  #frameAt(event) {
    return this.#scale.frameAt(event.clientX - this.#root.getBoundingClientRect().left);
  }

  #press(event) {
    if (event.button !== 0 || this.#player.frameCount === 0) return;
    const handle = event.target.closest('[role=slider].handle');
    const end = handle === this.#handles.first ? 'first' : handle ? 'last' : null;
    event.preventDefault();
    (handle ?? this.#scrub).focus({ preventScroll: true });
    this.#root.setPointerCapture(event.pointerId);
    const drag = (now) => (end ? this.#pull(end, this.#frameAt(now)) : this.#seek(this.#frameAt(now)));
    const release = () => {
      this.#root.removeEventListener('pointermove', drag);
      this.#root.removeEventListener('pointerup', release);
      this.#root.removeEventListener('pointercancel', release);
    };
    this.#root.addEventListener('pointermove', drag);
    this.#root.addEventListener('pointerup', release);
    this.#root.addEventListener('pointercancel', release);
    if (!end) drag(event);
  }

  #seek(frame) {
    this.#player.pause();
    this.#player.seekFrame(frame);
    this.#moved();
  }

  // An end of the range stops one frame before the other one.
  #pull(end, frame) {
    const { first, last } = this.#player;
    this.#player.range =
      end === 'first'
        ? { first: Math.min(frame, last - 1), last }
        : { first, last: Math.max(frame, first + 1) };
    this.#moved();
  }

  // The frame under the pointer.
  #point(event) {
    this.#hover.hidden = !event || event.pointerType === 'touch' || this.#player.frameCount === 0;
    if (this.#hover.hidden) return;
    const frame = this.#frameAt(event);
    this.#hover.textContent = `${frame}`;
    this.#hover.style.transform = `translateX(${this.#scale.x(frame)}px) translateX(-50%)`;
  }

  // Left, Right, Home and End are keys of the whole page.
  #scrubKey(event) {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#player.step(by);
    this.#moved();
  }

  #handleKey(event, end) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { lastFrame } = this.#player;
    const far = event.shiftKey ? 10 : 1;
    const by = {
      ArrowRight: far, ArrowUp: far, ArrowLeft: -far, ArrowDown: -far, PageUp: 10, PageDown: -10, Home: -lastFrame, End: lastFrame,
    }[event.key];
    if (by !== undefined) this.#pull(end, Math.min(Math.max(0, this.#player[end] + by), lastFrame));
    else if (event.key === 'Delete' || event.key === 'Backspace') this.#player.range = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#moved();
  }

  #paint() {
    if (!sizeCanvas(this.#canvas)) return;
    const ratio = window.devicePixelRatio || 1;
    const context = this.#canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#canvas.clientHeight);
    const { first, last, frameCount, lastFrame, fps, range } = this.#player;
    const scale = this.#scale;
    const style = getComputedStyle(this.#canvas);
    const colour = (name) => style.getPropertyValue(name);
    const bar = (from, to, fill) => {
      context.fillStyle = fill;
      context.beginPath();
      context.roundRect(scale.x(from) - 2, TRACK - 2, scale.x(to) - scale.x(from) + 4, 4, 2);
      context.fill();
    };
    bar(0, lastFrame || 1, colour('--line'));
    if (frameCount === 0) return;
    if (range) bar(first, last, colour('--accent'));
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = `11px ${style.fontFamily}`;
    const { numbered, plain } = scale.ticks();
    const tick = (frame, height) =>
      context.fillRect(Math.round(scale.x(frame) - 0.5), TRACK - 4 - height, 1, height);
    context.fillStyle = colour('--line');
    for (const frame of plain) tick(frame, 3);
    context.fillStyle = colour('--ink-2');
    for (const frame of numbered) {
      tick(frame, 4);
      context.fillText(String(frame), scale.x(frame), NUMBERS);
    }
    context.font = `10px ${style.fontFamily}`;
    for (const { frame, text } of scale.seconds(fps)) {
      context.fillRect(Math.round(scale.x(frame) - 0.5), TRACK + 4, 1, 3);
      context.fillText(text, scale.x(frame), SECONDS);
    }
  }
}

// What a slider says about itself.
function describe(slider, frame, least, most, { fps, lastFrame, frameCount }) {
  const attributes = {
    'aria-valuemin': least,
    'aria-valuemax': most,
    'aria-valuenow': frame,
    'aria-valuetext': `frame ${frame} of ${lastFrame}, ${(frame / fps).toFixed(2)} seconds`,
    'aria-disabled': frameCount === 0,
  };
  for (const [name, value] of Object.entries(attributes))
    if (slider.getAttribute(name) !== String(value)) slider.setAttribute(name, String(value));
}
