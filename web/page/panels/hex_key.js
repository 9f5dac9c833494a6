// SPDX-License-Identifier: MIT
//
// Below the bytes: which value of the shown figure the byte at the cursor is for, with a button that shows
// it in the curves.

import { byId, el } from '../window/dom.js';
import { keysAt, keyText, keyToShow } from './key_link.js';

const REST = 60; // milliseconds; the cursor may be on its way

export class HexKey {
  #session;
  #player;
  #channels;
  #place = { word: null, offset: 0 };
  #asked = 0;
  /** @type {ReturnType<typeof setTimeout>} */
  #waiting;
  #key = null;
  #button;
  #text = el('span', { class: 'grow' });

  /**
   * @param {any} session @param {any} player
   * @param {string[]} channels that have curves
   * @param {(key: import('./key_link.js').Key) => void} show shows a value in the curves
   */
  constructor(session, player, channels, show) {
    this.#session = session;
    this.#player = player;
    this.#channels = channels;
    this.#button = el('button', {
      type: 'button',
      id: 'hex-curves',
      title: 'Show this value in the curves (Enter on the bytes)',
      text: 'Show in curves',
      onclick: () => this.#key && show(this.#key),
    });
    byId('hex-key').append(this.#text, this.#button);
    session.on('scene', () => this.at(this.#place.word, this.#place.offset));
    byId('hex').addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !this.#key) return;
      event.preventDefault();
      event.stopPropagation();
      show(this.#key);
    });
  }

  /** The cursor is at a byte. */
  at(word, offset) {
    this.#place = { word, offset };
    const asked = ++this.#asked;
    clearTimeout(this.#waiting);
    if (word === null || !this.#session.scene) this.#show(null);
    else this.#waiting = setTimeout(() => this.#ask(asked), REST);
  }

  async #ask(asked) {
    const { word, offset } = this.#place;
    // The library may have started again meanwhile.
    const uses = await keysAt(this.#session, word, offset).catch(() => []);
    if (asked !== this.#asked || !this.#session.scene) return;
    const { clip, bone } = this.#session;
    this.#show(keyToShow(uses, { clip, bone, channel: null, frame: this.#player.frame }, this.#channels));
  }

  #show(key) {
    this.#key = key;
    byId('hex-key').hidden = key === null;
    this.#text.textContent = key ? keyText(key, this.#session.scene) : '';
  }
}
