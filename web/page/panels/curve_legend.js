// SPDX-License-Identifier: MIT
//
// The head of each plot: its title, and a button per axis with the value at the playhead. The button
// hides the axis or shows it.

import { el } from '../window/dom.js';
import { valueText } from './curve_scale.js';

export class CurveLegend {
  #root;
  #plots;
  #changed;
  #heads = [];

  /** @param {HTMLElement} root @param {import('./curve_plots.js').Plots} plots @param {() => void} changed */
  constructor(root, plots, changed) {
    this.#root = root;
    this.#plots = plots;
    this.#changed = changed;
  }

  /** Make the heads of other plots. */
  build() {
    this.#heads = this.#plots.list.map((one) => {
      const axes = [...one.axes].map((axis) => this.#button(one, axis));
      const title = el('span', { class: 'plot-title', text: one.title });
      const head = el('div', { class: 'plot-head', role: 'group', 'aria-label': one.title }, title, ...axes);
      return { one, head, axes };
    });
    const focused = this.#root.contains(document.activeElement) ? document.activeElement.id : '';
    this.#root.replaceChildren(...this.#heads.map(({ head }) => head));
    if (focused) document.getElementById(focused)?.focus();
  }

  #button(one, axis) {
    const isShown = !this.#plots.isHidden(one, axis);
    const button = el(
      'button',
      {
        type: 'button',
        class: `axis axis-${axis}`,
        id: `curve-${one.channel}-${axis}`,
        'aria-pressed': isShown,
        title: `Hide or show ${axis}`,
        onclick: () => {
          this.#plots.toggle(one, axis);
          button.setAttribute('aria-pressed', String(!this.#plots.isHidden(one, axis)));
          this.#changed();
        },
      },
      axis,
      ' ',
      el('span', { class: 'value' }),
    );
    button.setAttribute('aria-pressed', String(isShown));
    return button;
  }

  /** Place the heads above their plots, with the values of a frame. */
  update(frame) {
    for (const { one, head, axes } of this.#heads) {
      head.style.bottom = `calc(100% - ${one.box.y}px)`;
      axes.forEach((button, index) => {
        button.lastChild.textContent = valueText(this.#plots.value(one, frame, index));
      });
    }
  }
}
