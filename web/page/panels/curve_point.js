// SPDX-License-Identifier: MIT
//
// The selected point of a curve: which one it is, its value, and the bytes that it comes from.

import { byId, el } from '../window/dom.js';
import { valueText } from './curve_scale.js';
import { keyBytes, storedText } from './key_link.js';

export class CurvePoint {
  #session;
  #player;
  #plots;
  #changed;
  #point = null; // { channel, axis, frame }; axis null: all of them
  /** @type {any} where its bytes are, or why not; null: not known yet */
  #stored = null;
  #asked = 0;
  /** @type {Promise<any>} */
  #answer = Promise.resolve();
  #button = el('button', {
    type: 'button',
    id: 'curves-bytes',
    title: 'Show the bytes of this point (Enter on the curves, or double-click it)',
    text: 'Show bytes',
    onclick: () => this.open(),
  });

  /** @param {any} session @param {any} player @param {import('./curve_plots.js').Plots} plots @param {() => void} changed */
  constructor(session, player, plots, changed) {
    this.#session = session;
    this.#player = player;
    this.#plots = plots;
    this.#changed = changed;
  }

  get state() {
    return this.#point && { ...this.#point };
  }

  /** Select a point. `axis` null: those of all axes, which one key holds. */
  choose(channel, axis, frame) {
    const isSame =
      this.#point?.channel === channel && this.#point.frame === frame && this.#stored !== null;
    this.#point = { channel, axis, frame };
    if (!isSame) this.#ask();
    this.#show();
    this.#changed();
  }

  leave() {
    this.#point = null;
    this.#show();
    this.#changed();
  }

  /** The curves are those of another bone or clip: the point stays if it can. */
  renew() {
    if (!this.#point) return;
    const { channel, axis, frame } = this.#point;
    const one = this.#plots.list.find((plot) => plot.channel === channel);
    if (!one || frame >= one.frames) this.leave();
    else if (axis && !one.axes.includes(axis)) this.choose(channel, null, frame);
    else {
      this.#ask();
      this.#show();
    }
  }

  /** The playhead is at a frame: the point goes along when it is moved step by step. */
  follow(frame) {
    if (!this.#point || this.#point.frame === frame || this.#player.playing) return;
    this.#point = { ...this.#point, frame };
    this.#ask();
    this.#show();
  }

  /** Select the next curve (1) or the previous one (-1), at the playhead. */
  along(by) {
    const curves = this.#plots.list.flatMap((one) =>
      this.#plots.axesOf(one).map((index) => ({ channel: one.channel, axis: one.axes[index] })),
    );
    if (curves.length === 0) return;
    const { channel, axis } = this.#point ?? {};
    const at = curves.findIndex((one) => one.channel === channel && (!axis || one.axis === axis));
    const to = at < 0 ? (by > 0 ? 0 : curves.length - 1) : (at + by + curves.length) % curves.length;
    this.choose(curves[to].channel, curves[to].axis, this.#player.frame);
  }

  /** Show the bytes of the point. */
  async open() {
    if (!this.#point) return;
    await this.#answer;
    if (!this.#stored?.path) return;
    const { path, offset, size } = this.#stored;
    this.#session.selectFile(path, offset, 'bytes', size);
  }

  // The last question counts.
  #ask() {
    const { clip, bone } = this.#session;
    const { channel, frame } = this.#point;
    const asked = ++this.#asked;
    this.#stored = null;
    this.#answer = keyBytes(this.#session, { clip, bone, channel, frame })
      .catch(() => ({ role: 'untraced', path: null })) // the library has started again
      .then((stored) => {
        if (asked !== this.#asked) return;
        this.#stored = stored;
        this.#show();
      });
  }

  #show() {
    const box = byId('curves-point');
    box.hidden = !this.#point;
    if (!this.#point) return;
    const { channel, axis, frame } = this.#point;
    const one = this.#plots.list.find((plot) => plot.channel === channel);
    if (!one) return;
    const values = [...one.axes]
      .map((name, i) => [name, this.#plots.value(one, frame, i)])
      .filter(([name]) => !axis || name === axis)
      .map(([name, value]) => `${name} ${valueText(Number(value))}`);
    const stored = this.#stored;
    box.replaceChildren(
      el(
        'span',
        { class: 'grow' },
        el('b', { text: `${one.title}, frame ${frame}` }),
        ` ${values.join(', ')}`,
        el('span', { class: 'aside', text: stored ? storedText(stored) : '…' }),
      ),
      stored?.path ? this.#button : '',
    );
  }
}
