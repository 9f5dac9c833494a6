// SPDX-License-Identifier: MIT
//
// Events: listeners are called in the order in which they were added.

export class Emitter {
  #listeners = new Map();

  /** @param {string} event @param {(detail?: any) => void} listener */
  on(event, listener) {
    const list = this.#listeners.get(event) ?? [];
    list.push(listener);
    this.#listeners.set(event, list);
  }

  emit(event, detail) {
    for (const listener of this.#listeners.get(event) ?? []) listener(detail);
  }
}
