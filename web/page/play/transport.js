// SPDX-License-Identifier: MIT
//
// The bar below the stage: the timeline, play, step, the frame, the range, direction, mode, speed.

import { byId, el } from '../window/dom.js';
import { icon } from '../window/icons.js';
import { SPEEDS } from './player.js';
import { Timeline } from './timeline.js';
import { canChain, counterText, successor, typedFrame } from './timeline_scale.js';

const MODE_NAMES = {
  loop: 'Loop',
  'ping-pong': 'Ping-pong',
  once: 'Once',
  chain: 'Chain: each clip is followed by the one that it names',
};

export class Transport {
  #player;
  #moved;
  #timeline;
  #frame = byId('frame');
  #shownAs = '';

  /**
   * @param {import('./player.js').Player} player
   * @param {() => void} moved the playhead was moved
   * @param {any} session
   */
  constructor(player, moved, session) {
    this.#player = player;
    this.#moved = moved;
    this.#timeline = new Timeline(player, moved);
    const act = (id, work) =>
      byId(id).addEventListener('click', () => {
        work();
        moved();
      });
    act('play', () => player.toggle());
    act('first', () => player.toFirst());
    act('last', () => player.toLast());
    act('previous', () => player.step(-1));
    act('next', () => player.step(1));
    act('range-start', () => player.startRange());
    act('range-end', () => player.endRange());
    act('range-clear', () => (player.range = null));
    act('reverse', () => player.reverse());
    act('mode', () => player.nextMode());
    for (const speed of SPEEDS)
      byId('speed').append(el('option', { value: speed, text: `${speed}×` }));
    byId('speed').addEventListener('change', (event) => {
      player.speed = Number(event.target.value);
      moved();
    });
    session.on('seek', (frame) => {
      player.pause();
      player.seekFrame(frame);
      moved();
    });
    this.#setUpFrame();
    this.#followChain(session);
    this.update();
  }

  // Enter and leaving the field go to the frame, Escape restores it.
  #setUpFrame() {
    const player = this.#player;
    let isTyped = false;
    const take = () => {
      const frame = typedFrame(this.#frame.value, player);
      if (isTyped && frame !== null) {
        player.pause();
        player.seekFrame(frame);
        this.#moved();
      }
      this.#frame.value = String(player.frame);
      isTyped = false;
    };
    this.#frame.addEventListener('focus', () => this.#frame.select());
    this.#frame.addEventListener('input', () => (isTyped = true));
    this.#frame.addEventListener('blur', take);
    this.#frame.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        take();
        this.#frame.select();
      } else if (event.key === 'Escape') {
        isTyped = false;
        this.#frame.value = String(player.frame);
        byId('picture').focus({ preventScroll: true });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  // The clips of a scene may name their successors.
  #followChain(session) {
    const player = this.#player;
    player.ended = () => {
      const next = successor(session.scene?.clips ?? [], session.clip);
      if (next < 0 || session.camera >= 0) return false;
      if (next === session.clip) player.rewind();
      else session.setClip(next).catch(() => player.pause());
      return true;
    };
    session.on('scene', () => player.offerChain(canChain(session.scene?.clips ?? [])));
    for (const event of ['scene', 'clip', 'camera'])
      session.on(event, () => {
        const clip = session.camera >= 0 ? null : session.scene?.clips[session.clip];
        this.#timeline.setEvents(clip?.events);
      });
  }

  update() {
    const player = this.#player;
    this.#timeline.update();
    if (document.activeElement !== this.#frame) this.#frame.value = String(player.frame);
    byId('counter').textContent = counterText(player);
    const isThere = player.frameCount > 0;
    const hasRange = player.range !== null;
    const state = [player.playing, player.mode, player.modes.length, player.isReversed, player.speed, isThere, hasRange].join();
    if (state === this.#shownAs) return;
    this.#shownAs = state;
    for (const id of ['play', 'first', 'last', 'previous', 'next', 'frame', 'range-start', 'range-end'])
      byId(id).disabled = !isThere;
    this.#frame.classList.toggle('none', !isThere);
    byId('range-clear').disabled = !hasRange;
    byId('reverse').setAttribute('aria-pressed', String(player.isReversed));
    set('play', player.playing ? 'pause' : 'play', player.playing ? 'Pause' : 'Play', 'Space');
    set('mode', player.mode, MODE_NAMES[player.mode], 'L changes it');
    byId('speed').value = String(player.speed);
  }
}

function set(id, picture, name, key) {
  const button = byId(id);
  button.replaceChildren(icon(picture));
  button.setAttribute('aria-label', name);
  button.title = `${name} (${key})`;
}
