// SPDX-License-Identifier: MIT
//
// The scenes that the library has made, and the motions of their clips. Each is made once: going back to
// a figure or a clip is immediate. The oldest are forgotten.

import { Motion } from '../play/motion.js';

const MOST_SCENES = 6;
const MOST_MOTIONS = 60; // of a scene

export class Scenes {
  #client;
  /** @type {Map<string, { paths: string[], promise: Promise<{ scene: any, survey: any }> }>} */
  #made = new Map();
  #motions = new WeakMap(); // by scene: Map of promises by clip

  /** @param {import('../worker/client.js').Client} client */
  constructor(client) {
    this.#client = client;
  }

  /** @param {string[]} words @param {string[]} paths of the files that it is made from @param {object} options */
  async make(words, paths, options) {
    const key = JSON.stringify([words, options]);
    const there = this.#made.get(key);
    this.#made.delete(key); // the last used is the last in the map
    const made = there ?? { paths, promise: this.#ask(words, options) };
    this.#made.set(key, made);
    if (!there) made.promise.catch(() => this.#made.get(key) === made && this.#made.delete(key));
    for (const oldest of [...this.#made.keys()].slice(0, -MOST_SCENES)) this.#free(oldest);
    return made.promise;
  }

  async #ask(words, options) {
    const [scene, survey] = await Promise.all([
      this.#client.call('scene', words, { ...options, traceKeys: true }),
      this.#client.call('survey', words),
    ]);
    return { scene, survey };
  }

  #free(key) {
    const { promise } = this.#made.get(key);
    this.#made.delete(key);
    promise.then(
      ({ scene }) => this.#client.call('free', scene.number),
      () => {},
    );
  }

  /** The keys of a clip; null for the rest pose. @returns {Promise<Motion|null>} */
  async motion(scene, clip) {
    if (clip < 0) return null;
    const motions = this.#motions.get(scene) ?? new Map();
    this.#motions.set(scene, motions);
    const motion = motions.get(clip) ?? this.#client.call('motion', scene.number, clip).then((data) => new Motion(data));
    motions.delete(clip);
    motions.set(clip, motion);
    motion.catch(() => motions.delete(clip));
    for (const oldest of [...motions.keys()].slice(0, -MOST_MOTIONS)) motions.delete(oldest);
    return motion;
  }

  /** The file that a clip comes from, or the first of them; null: not known. */
  fileOf(scene, clip) {
    return this.#client.call('fileOf', scene.number, clip);
  }

  /** See ossa.d.ts. */
  keyBytes(scene, key) {
    return this.#client.call('keyBytes', scene.number, key);
  }

  keysAt(scene, path, offset) {
    return this.#client.call('keysAt', scene.number, path, offset);
  }

  export(scene, kind, options) {
    return this.#client.call('export', scene.number, kind, options);
  }

  /** Files have changed: what is made from them is made again. @param {string[]} paths */
  forget(paths) {
    const changed = new Set(paths);
    for (const [key, made] of [...this.#made]) if (made.paths.some((path) => changed.has(path))) this.#free(key);
  }

  /** The library has started again. */
  clear() {
    this.#made.clear();
    this.#motions = new WeakMap();
  }
}
