// SPDX-License-Identifier: MIT
//
// The page's side of the worker: calls of the methods of Backend, as promises.

/** What the answers to open calls become when the worker is stopped. */
export class Stopped extends Error {}

export class Client {
  #make;
  #module;
  #worker = null;
  #waiting = new Map();
  #last = 0;

  /**
   * @param {() => any} make a worker: postMessage, terminate, onmessage, onerror
   * @param {any} module what `start` of the worker takes
   */
  constructor(make, module) {
    this.#make = make;
    this.#module = module;
  }

  /** Start, or start again with an empty library. Nothing else ends a call that takes too long.
   * @returns {Promise<{ version: string, formats: any[] }>} */
  restart() {
    this.#worker?.terminate();
    this.#refuse(new Stopped('stopped'));
    this.#worker = this.#make();
    this.#worker.onmessage = ({ data }) => this.#heard(data);
    this.#worker.onerror = (event) => this.#refuse(new Error(event.message ?? 'the worker failed'));
    return this.call('start', this.#module);
  }

  /** Call a method of Backend. @param {string} name @param {any[]} values @returns {Promise<any>} */
  call(name, ...values) {
    return this.watch(() => {}, name, ...values);
  }

  /** The same; `progress` is called with what the method reports meanwhile.
   * @param {(...values: any[]) => void} progress @param {string} name @param {any[]} values
   * @returns {Promise<any>} */
  watch(progress, name, ...values) {
    return new Promise((done, failed) => {
      const id = ++this.#last;
      this.#waiting.set(id, { done, failed, progress });
      this.#worker.postMessage({ id, name, values });
    });
  }

  /** Whether no answer is waited for. */
  get isIdle() {
    return this.#waiting.size === 0;
  }

  #heard({ id, result, error, progress }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (progress) {
      waiting.progress(...progress);
      return;
    }
    this.#waiting.delete(id);
    if (error) waiting.failed(Object.assign(new Error(error.message), error));
    else waiting.done(result);
  }

  #refuse(error) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { failed } of waiting) failed(error);
  }
}
