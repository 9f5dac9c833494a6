// SPDX-License-Identifier: MIT
//
// The Look tab: variants of the materials, and the parts in each slot. It exists only for figures
// that have such a choice.

import { byId, el, plural } from '../window/dom.js';

const MOST = 500; // slots, and parts of a slot; the others are found by searching
const ENOUGH_TO_SEARCH = 12;

export class Look {
  #session;
  #slots = null; // those that have elements
  #rows = []; // { slot, aside, fill, boxes: Map<string, HTMLInputElement> }

  /** @param {any} session */
  constructor(session) {
    this.#session = session;
    byId('variant').addEventListener('change', ({ target }) =>
      session.setVariant(Number(target.value)),
    );
    byId('parts-search').addEventListener('input', () => this.#fillSlots());
    byId('parts-reset').addEventListener('click', () => {
      session.resetParts();
      byId('parts-search').focus(); // the button is disabled now
    });
    session.on('scene', () => this.#newScene());
    session.on('variant', () => this.#chooseVariant());
    session.on('parts', () => this.#update());
    this.#newScene();
  }

  #newScene() {
    const { scene, slots } = this.#session;
    const variants = scene?.variants ?? [];
    byId('look-variants').hidden = variants.length === 0;
    byId('variants-count').textContent = String(variants.length);
    const options = variants.map(({ name }, index) => el('option', { value: index, text: name }));
    if (this.#session.variant < 0) options.unshift(el('option', { value: -1, text: 'as stored' }));
    byId('variant').replaceChildren(...options);
    this.#chooseVariant();
    byId('look-parts').hidden = slots.length === 0;
    if (this.#slots !== slots) {
      byId('parts-search').value = '';
      this.#fillSlots();
    } else {
      this.#update();
    }
  }

  #chooseVariant() {
    byId('variant').value = String(this.#session.variant);
  }

  #fillSlots() {
    const { slots } = this.#session;
    const sought = byId('parts-search').value.trim().toLowerCase();
    const isFound = ({ name }) => name.toLowerCase().includes(sought);
    const found = slots
      .map((slot) => ({ slot, parts: slot.parts.filter(isFound) }))
      .filter(({ parts }) => parts.length > 0);
    this.#slots = slots;
    this.#rows = [];
    byId('parts-search').hidden =
      slots.reduce((sum, { parts }) => sum + parts.length, 0) < ENOUGH_TO_SEARCH;
    byId('parts-list').replaceChildren(
      ...found.slice(0, MOST).map(({ slot, parts }) => this.#slot(slot, parts, sought !== '')),
      more(found.length - MOST, 'slot'),
    );
    this.#update();
  }

  // Its boxes are made when it is opened first.
  #slot(slot, parts, isOpen) {
    const aside = el('span', { class: 'aside' });
    const row = { slot, aside, boxes: new Map() };
    this.#rows.push(row);
    const summary = el('summary', {}, el('strong', { text: slot.name }), aside);
    const element = el('details', { class: 'slot' }, summary);
    const fill = () => {
      if (row.boxes.size > 0) return;
      element.append(
        ...parts.slice(0, MOST).map(({ name }) => this.#box(row, name)),
        more(parts.length - MOST, 'part'),
      );
    };
    element.addEventListener('toggle', () => {
      if (element.open) fill();
    });
    if (isOpen) {
      fill();
      element.open = true;
    }
    return element;
  }

  #box(row, name) {
    const box = el('input', {
      type: 'checkbox',
      onchange: () => this.#session.setPart(name, box.checked),
    });
    box.checked = this.#session.shows(name);
    row.boxes.set(name, box);
    return el('label', {}, box, el('span', { class: 'name', text: name, title: name }));
  }

  #update() {
    byId('parts-reset').disabled = !(this.#session.figure?.parts?.size > 0);
    for (const { slot, aside, boxes } of this.#rows) {
      const shown = slot.parts.filter(({ name }) => this.#session.shows(name));
      aside.textContent = shown.map(({ name }) => name).join(', ') || 'nothing';
      for (const [name, box] of boxes) box.checked = this.#session.shows(name);
    }
  }
}

function more(count, what) {
  return count > 0 ? el('p', { class: 'quiet', text: `and ${plural(count, what)} more` }) : '';
}
