// SPDX-License-Identifier: MIT
//
// The figure that is shown, and what is chosen of it: clip, camera, bone, variant, parts, options and the
// view. Events report changes: scene, clip, camera, bone, variant, parts, view.
//
// The library is in a worker, so methods that ask it are asynchronous. What they change, they change at
// once when all answers are there; if the user has chosen something else meanwhile, nothing.

import { patternsOf, slotsToChoose, variantCalled } from './choices.js';
import { Emitter } from './emitter.js';
import { withoutDefaults } from './option_values.js';
import { Pose } from '../play/pose.js';
import { Scenes } from './scenes.js';

const MOTIONS = ['inPlace', 'travel', 'treadmill']; // of the view: at most one

export class Shown extends Emitter {
  /** @type {any} the figure that is shown */
  figure = null;
  /** @type {any} its scene, plain data: see scene_data.js; null: none, or it failed (see `failure`) */
  scene = null;
  /** @type {import('../play/motion.js').Motion|null} the keys of the clip; null: the rest pose */
  motion = null;
  /** @type {Pose|null} */
  pose = null;
  failure = null;
  /** What to ask the user for; null: nothing, or the user accepted placeholders. */
  question = null;
  clip = -1;
  camera = -1;
  bone = -1;
  /** The variant of the scene that is shown; -1: the materials of its meshes. */
  variant = -1;
  /** @type {import('./choices.js').Slot[]} of the figure, those with a choice of parts */
  slots = [];
  #shown = new Set(); // names of the meshes of the scene
  view = {
    bones: true,
    names: false,
    trail: false,
    grid: true,
    inPlace: false,
    travel: false,
    treadmill: false,
    shadow: true,
    follow: false,
    flat: false,
    wireframe: false,
    normals: false,
  };
  /** Options for all scenes. */
  options = {};
  /** Of the last request for a figure or a clip: earlier ones are out of date. */
  turn = 0;
  #scenes;
  #ask;

  /**
   * @param {import('../worker/client.js').Client} client
   * @param {(figure: any, scene: any, survey: any) => string|null} ask what to ask the user for
   */
  constructor(client, ask) {
    super();
    this.#scenes = new Scenes(client);
    this.#ask = ask;
  }

  /**
   * Show a figure, with the clip that it was left with; null: none.
   * @param {any} figure @param {boolean} isSame at the same time, seen from the same side
   * @returns {Promise<boolean>} false: the user has chosen something else meanwhile
   */
  async show(figure, isSame) {
    const turn = ++this.turn;
    let made = null;
    let failure = null;
    try {
      if (figure) made = await this.#make(figure);
    } catch (error) {
      failure = error;
    }
    if (turn !== this.turn) return false;
    this.#take(figure, made, failure, isSame);
    this.emit('scene', { isSame });
    return true;
  }

  /** Show nothing. It is for the caller to report that. */
  leave() {
    this.turn += 1;
    this.#drop();
    this.figure = null;
  }

  /** Files have changed. @param {string[]|null} paths null: the library has started again */
  forget(paths) {
    if (paths) this.#scenes.forget(paths);
    else this.#scenes.clear();
  }

  // Patterns of the user come after those of the embedded data: the last one that matches decides.
  async #make(figure) {
    const { words, paths, options, parts = new Map() } = figure;
    const all = { ...this.options, ...options };
    const made = await this.#scenes.make(words, paths, { ...all, parts: [...(all.parts ?? []), ...patternsOf(parts)] });
    const { scene } = made;
    const index = scene.clips.findIndex(({ name }) => name === figure.clipName);
    const clip = figure.clipName === null ? -1 : index < 0 && scene.clips.length > 0 ? 0 : index;
    return { ...made, clip, motion: await this.#scenes.motion(scene, clip) };
  }

  /** The scene of a figure, which is not shown by that, and the variant that is chosen for it. */
  async sceneOf(figure) {
    const { scene } = await this.#make(figure);
    return { scene, variant: scene.variants[variantCalled(scene.variants, figure.variant ?? null)] };
  }

  /** The keys of a clip of such a scene; null for the rest pose. */
  motionOf(scene, clip) {
    return this.#scenes.motion(scene, clip);
  }

  #take(figure, made, failure, isSame) {
    const bone = isSame ? this.scene?.bones[this.bone]?.name : undefined;
    const before = this.slots;
    this.#drop();
    Object.assign(this, { figure, failure });
    if (!made) return;
    const { scene, survey, clip, motion } = made;
    Object.assign(this, { scene, clip, motion, pose: new Pose(scene.bones) });
    this.bone = scene.bones.findIndex(({ name }) => name === bone);
    this.camera = scene.bones.length === 0 && scene.cameras.length > 0 ? 0 : -1;
    // The same slots stay the same object, so that what is open in their list stays open.
    const slots = slotsToChoose(survey.slots);
    this.slots = isSame && JSON.stringify(slots) === JSON.stringify(before) ? before : slots;
    this.variant = variantCalled(scene.variants, figure.variant ?? null);
    this.#shown = new Set(scene.meshes.map((mesh) => mesh.name.toLowerCase()));
    this.question = this.#ask(figure, scene, survey);
    figure.isAsking = this.question !== null;
    if (figure.wantsPlaceholders) this.question = null;
  }

  #drop() {
    this.pose = this.scene = this.motion = this.failure = this.question = null;
    this.clip = this.camera = this.bone = this.variant = -1;
    this.slots = [];
  }

  usePlaceholders() {
    this.question = null;
    if (this.figure) this.figure.wantsPlaceholders = true;
    this.emit('scene', {});
  }

  /** @param {number} index -1: the rest pose @returns {Promise<boolean>} false: as with `show` */
  async setClip(index) {
    const turn = ++this.turn;
    const { scene, figure } = this;
    const motion = await this.#scenes.motion(scene, index);
    if (turn !== this.turn || scene !== this.scene) return false;
    Object.assign(this, { clip: index, camera: -1, motion });
    figure.clipName = scene.clips[index]?.name ?? null;
    this.emit('clip');
    return true;
  }

  /** The file that the clip comes from, or the first of them; null: not known. */
  async fileOfClip() {
    const { scene, clip } = this;
    if (!scene || clip < 0) return null;
    const word = await this.#scenes.fileOf(scene, clip).catch(() => null);
    return scene === this.scene && clip === this.clip ? word : null;
  }

  setCamera(index) {
    this.camera = index;
    this.emit('camera');
  }

  setBone(index) {
    this.bone = index;
    this.emit('bone');
  }

  setVariant(index) {
    this.variant = index;
    this.figure.variant = this.scene.variants[index]?.name ?? null;
    this.emit('variant');
  }

  /** Whether a part is shown. The library may show one instead of another: the meshes say so. */
  shows(part) {
    return this.figure?.parts?.get(part) ?? this.#shown.has(part.toLowerCase());
  }

  setPart(name, isShown) {
    return this.choose({}, new Map([[name, isShown]]));
  }

  resetParts() {
    return this.#change({ parts: new Map() });
  }

  /** The options that make a difference for the figure, as the library lists them. */
  get sceneOptions() {
    return this.scene?.options ?? [];
  }

  /** Those that are chosen. */
  get chosenOptions() {
    return { ...this.options, ...this.figure?.options };
  }

  /** Choose other options for the figure. @param {object} options see SceneOptions in ossa.d.ts */
  setOptions(options) {
    return this.choose(options, new Map());
  }

  /** Choose options and parts at once. Others stay as they are. @param {object} options @param {Map<string, boolean>} parts */
  choose(options, parts) {
    const { figure } = this;
    const all = withoutDefaults(this.sceneOptions, { ...figure.options, ...options }, this.options);
    return this.#change({ options: all, parts: new Map([...(figure.parts ?? []), ...parts]) });
  }

  /** All options as the library takes them by itself. */
  resetOptions() {
    const defaults = this.sceneOptions.map((option) => [option.name, option.default ?? undefined]);
    return this.setOptions(Object.fromEntries(defaults));
  }

  // The same figure made otherwise, at the same time of the same clip. If that fails, nothing changes.
  async #change(members) {
    const { figure } = this;
    const before = { parts: figure.parts, options: figure.options };
    const turn = ++this.turn;
    Object.assign(figure, members);
    try {
      const made = await this.#make(figure);
      if (turn !== this.turn) return;
      this.#take(figure, made, null, true);
    } catch (error) {
      Object.assign(figure, before);
      this.emit('notice', { kind: 'error', text: error.message });
      this.emit('parts');
      return;
    }
    this.emit('scene', { isSame: true });
  }

  setView(name, value) {
    if (value && MOTIONS.includes(name)) for (const other of MOTIONS) this.view[other] = false;
    this.view[name] = value;
    this.emit('view', name);
    if (name === 'travel' && value && !this.view.follow) this.setView('follow', true); // or it walks out of sight
  }

  /** Where a key of the scene is stored. @param {{ clip: number, bone: number, channel: string, frame: number }} key
   * @returns {Promise<any>} KeyBytes in ossa.d.ts */
  keyBytes(key) {
    return this.#scenes.keyBytes(this.scene, key);
  }

  /** The keys of the scene that are stored in a byte. @returns {Promise<any[]>} KeyUse in ossa.d.ts */
  keysAt(word, offset) {
    return this.#scenes.keysAt(this.scene, word, offset);
  }

  /** What `Scene` in ossa.d.ts exports: "glb", "json", "bvh", "csv". @returns {Promise<Uint8Array>} */
  export(kind, options = {}) {
    return this.#scenes.export(this.scene, kind, options);
  }
}
