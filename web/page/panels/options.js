// SPDX-License-Identifier: MIT
//
// The options of the scene, on the Look tab: those that make a difference for this figure, as the library
// lists them. A change makes the scene anew, at the same time of the same clip.

import { byId, el } from '../window/dom.js';
import { boundsOf, isDefault, refusalText, titleOf } from '../state/option_values.js';

const REST = 200; // milliseconds without a change, before the scene is made

export class Options {
  #session;
  #shown = null; // the list that has elements
  #fields = new Map(); // by name: (value) => void, which shows a value
  #waiting = {};
  /** @type {ReturnType<typeof setTimeout>} */
  #timer;

  /** @param {any} session */
  constructor(session) {
    this.#session = session;
    byId('options-reset').addEventListener('click', () => {
      clearTimeout(this.#timer);
      this.#waiting = {};
      session.resetOptions();
      byId('options-list').querySelector('input, select')?.focus(); // the button is disabled now
    });
    for (const event of ['scene', 'parts']) session.on(event, () => this.#update());
    this.#update();
  }

  #update() {
    const list = this.#session.sceneOptions;
    byId('look-options').hidden = list.length === 0;
    const key = JSON.stringify(list);
    if (key !== this.#shown) {
      this.#shown = key;
      this.#fields.clear();
      byId('options-list').replaceChildren(...list.map((option) => this.#field(option)));
    }
    const chosen = { ...this.#session.chosenOptions, ...this.#waiting };
    for (const option of list) this.#fields.get(option.name)(chosen[option.name] ?? option.default);
    byId('options-reset').disabled = list.every((option) => isDefault(option, chosen[option.name]));
  }

  #set(name, value, isAtOnce) {
    this.#waiting[name] = value;
    clearTimeout(this.#timer);
    const apply = () => {
      const changed = this.#waiting;
      this.#waiting = {};
      this.#session.setOptions(changed);
    };
    if (isAtOnce) apply();
    else this.#timer = setTimeout(apply, REST);
  }

  #field(option) {
    const make = { flag, choice, number, vector }[option.kind];
    const { element, show } = make(option, (value, isAtOnce = true) => this.#set(option.name, value, isAtOnce));
    this.#fields.set(option.name, show);
    const open = option.isOpen ? ' Nobody knows for certain which is right.' : '';
    return el('div', { class: 'option' }, element, el('p', { class: 'quiet', text: option.text + open }));
  }
}

function flag(option, set) {
  const input = el('input', { type: 'checkbox', onchange: () => set(input.checked) });
  const element = el('label', {}, input, el('span', { text: titleOf(option) }));
  return { element, show: (value) => (input.checked = Boolean(value)) };
}

function choice(option, set) {
  const select = el('select', { onchange: () => set(select.value) });
  select.append(...option.values.map(({ value, text }) => el('option', { value, text })));
  const element = el('label', {}, el('span', { text: titleOf(option) }), select);
  return { element, show: (value) => (select.value = String(value)) };
}

// Empty is what the files say.
function number(option, set) {
  const { min, max } = boundsOf(option);
  let shown = '';
  const refusal = el('p', { class: 'option-refusal', role: 'alert' });
  const input = el('input', {
    type: 'number',
    min,
    max,
    step: option.isWhole ? 1 : 'any',
    placeholder: 'as stored',
    onchange: () => {
      const isEmpty = input.value === '' && !input.validity.badInput;
      refusal.textContent = isEmpty ? '' : refusalText(option, input.valueAsNumber);
      if (refusal.textContent !== '') input.value = shown;
      else set(isEmpty ? (option.default ?? undefined) : input.valueAsNumber);
    },
  });
  const label = el('label', {}, el('span', { text: titleOf(option) }), input);
  const element = el('div', {}, label, refusal);
  return { element, show: (value) => (input.value = shown = value === null ? '' : String(value)) };
}

function vector(option, set) {
  const names = option.values.map(({ text }) => text);
  const read = () => inputs.map((input) => Number(input.value));
  const inputs = names.map((name) =>
    el('input', {
      type: 'range',
      min: option.min,
      max: option.max,
      step: 0.01,
      'aria-label': `${titleOf(option)}: ${name}`,
      oninput: () => {
        write(read());
        set(read(), false);
      },
    }),
  );
  const outputs = names.map(() => el('output'));
  const write = (value) =>
    inputs.forEach((input, i) => {
      input.value = String(value[i]);
      outputs[i].textContent = Number(value[i]).toFixed(2);
    });
  const rows = names.map((name, i) => el('label', {}, el('span', { text: name }), inputs[i], outputs[i]));
  const element = el('fieldset', {}, el('legend', { text: titleOf(option) }), ...rows);
  return { element, show: write };
}
