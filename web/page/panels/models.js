// SPDX-License-Identifier: MIT
//
// The models in an archive, as a list on the Info tab. A click shows the model. What each contains is
// counted when its row is drawn, one model at a time, because that reads the model's files.

import { el, plural } from '../window/dom.js';
import { icon } from '../window/icons.js';
import { List } from './list.js';

const MOST_ROWS = 8; // without scrolling

export class ModelList {
  element = el('div', { class: 'models' });
  #session;
  #models;
  #list;
  #waiting = new Set();
  #timer = null; // of the next count

  /** @param {any} session @param {any[]} models of `session.findFigures`, at least one */
  constructor(session, models) {
    this.#session = session;
    this.#models = models.map((model) => ({ ...model, contents: contentsOf(model) }));
    this.#list = new List(this.element, {
      label: 'Models',
      row: (model) => this.#row(model),
      describe: (model) => ({ title: model.words.join('\n') }),
      choose: (model) => this.#isShown(model) || session.showModel(model),
    });
    this.element.style.height = `calc(${Math.min(models.length, MOST_ROWS)} * var(--row))`;
  }

  /** Mark the model that is shown. */
  update() {
    this.#list.set(
      this.#models,
      this.#models.findIndex((model) => this.#isShown(model)),
    );
  }

  /** Stop counting. */
  close() {
    clearTimeout(this.#timer);
    this.#timer = 0; // not null: no other is started
  }

  /** Run `change`, which may remove the list from the page and insert it again. */
  keep(change) {
    const { element } = this;
    const { scrollTop } = element;
    const hasFocus = document.activeElement === element;
    change();
    element.scrollTop = scrollTop;
    if (hasFocus) element.focus({ preventScroll: true });
  }

  #isShown(model) {
    return this.#session.isModel(this.#session.figure, model);
  }

  #row(model) {
    if (model.contents === null) this.#want(model);
    return [
      icon('figure'),
      el('span', { class: 'name', text: model.name }),
      el('span', { class: 'aside', text: model.contents ?? '' }),
    ];
  }

  #want(model) {
    this.#waiting.add(model);
    this.#timer ??= setTimeout(() => this.#count());
  }

  async #count() {
    const [model] = this.#waiting;
    try {
      const { boneCount, clips } = await this.#session.client.call('survey', model.words);
      model.contents = contentsOf({ boneCount, clipCount: clips.length }) ?? '';
    } catch {
      model.contents = ''; // the reason is shown with the model itself
    }
    if (this.#timer === 0) return; // closed
    this.#waiting.delete(model);
    this.update();
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => this.#count()) : null;
  }
}

// Null: it has to be counted.
function contentsOf({ boneCount, clipCount }) {
  if (boneCount === 0 && clipCount === 0) return null;
  return `${plural(boneCount, 'bone')}, ${plural(clipCount, 'clip')}`;
}
