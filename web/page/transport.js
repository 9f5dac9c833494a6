// SPDX-License-Identifier: MIT
//
// The bar below the stage: play, step, scrub, mode, speed.

import { byId, el } from './dom.js';
import { icon } from './icons.js';
import { counterText, SPEEDS } from './player.js';

const MODE_NAMES = { loop: 'Loop', 'ping-pong': 'Ping-pong', once: 'Once' };

export class Transport {
  #player;
  #moved;
  #scrub = byId('scrub');
  #shownAs = '';

  /** @param {import('./player.js').Player} player @param {() => void} moved the playhead was moved */
  constructor(player, moved) {
    this.#player = player;
    this.#moved = moved;
    const act = (id, work) =>
      byId(id).addEventListener('click', () => {
        work();
        moved();
      });
    act('play', () => player.toggle());
    act('first', () => player.seekFrame(0));
    act('last', () => player.seekFrame(player.lastFrame));
    act('previous', () => player.step(-1));
    act('next', () => player.step(1));
    act('mode', () => player.nextMode());
    for (const speed of SPEEDS)
      byId('speed').append(el('option', { value: speed, text: `${speed}×` }));
    byId('speed').addEventListener('change', (event) => {
      player.speed = Number(event.target.value);
      moved();
    });
    this.#scrub.addEventListener('input', () => {
      player.pause();
      player.seekFrame(Math.round(Number(this.#scrub.value)));
      moved();
    });
    this.update();
  }

  update() {
    const player = this.#player;
    const last = String(player.lastFrame); // after the last frame of a loop the thumb waits at the end
    if (this.#scrub.max !== last) this.#scrub.max = last;
    this.#scrub.value = String(player.position);
    this.#scrub.setAttribute(
      'aria-valuetext',
      `frame ${player.frame} of ${player.lastFrame}, ${player.time.toFixed(2)} seconds`,
    );
    byId('counter').textContent = counterText(player);
    const state = [player.playing, player.mode, player.speed, player.frameCount > 0].join();
    if (state === this.#shownAs) return;
    this.#shownAs = state;
    const isThere = player.frameCount > 0;
    for (const id of ['play', 'first', 'last', 'previous', 'next', 'scrub'])
      byId(id).disabled = !isThere;
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
