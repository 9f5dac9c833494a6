// SPDX-License-Identifier: MIT
//
// Comparing the figure that is shown with another clip, another figure or a GLB: what is compared, and
// how far joints of the same name are apart. Events: `change`, and `distance` with another frame.

import { Beside } from './beside.js';
import { farthest, pairsOf } from './distances.js';
import { Emitter } from '../state/emitter.js';
import { FigureActor } from './figure_actor.js';
import { GlbActor } from './glb_actor.js';
import { loadGlb } from './glb_load.js';
import { Joints } from './joints.js';

const SLICE = 8; // milliseconds of measuring between two pictures

/** @typedef {{ metres: number, joint: string, frame: number }} Distance */

export class Comparison extends Emitter {
  /** 'side' or 'ghost' */
  mode = 'side';
  /** 'same' or 'part': see beside.js */
  time = 'same';
  /** @type {Beside|null} what is shown; null: nothing is compared */
  beside = null;
  /** The figure that it is; null: a GLB. */
  figure = null;
  /** @type {{ name: string, index: number }[]} that it may play */
  clips = [];
  /** The clip that it plays; -1: the rest pose; null: that of the same name, for a GLB. @type {number|null} */
  clip = -1;
  name = '';
  /** @type {Distance|null} at the frame that is shown; null: no joints have the same name */
  now = null;
  /** @type {Distance|null} the largest of all frames, once they are measured */
  worst = null;
  #parts;
  #glb = null; // the GlbActor
  #main = null; // the Joints of the figure that is shown
  #pairs = [];
  #turn = 0; // of the last request
  #round = 0; // of measuring
  #key = ''; // of what `now` was measured for

  /** @param {{ session: any, player: any, show: any, stage: any }} parts `stage`: null without WebGL */
  constructor(parts) {
    super();
    this.#parts = parts;
    const { session } = parts;
    session.on('figures', () => this.#keep());
    session.on('scene', (detail) => {
      // A figure that is made otherwise is compared with itself made so, too.
      if (detail?.isSame && this.figure !== null && this.figure === session.figure) this.showFigure(this.figure, this.clip);
      this.#newSource();
    });
    session.on('clip', () => this.#newSource());
    session.on('compare', (file) => this.openGlb(file));
    session.on('view', (name) => this.beside && ['inPlace', 'treadmill'].includes(name) && this.#measure());
  }

  get canStart() {
    const { stage, show } = this.#parts;
    return stage !== null && show.figure !== null;
  }

  /** @param {any} figure of the session @param {number} clip -1: the rest pose */
  async showFigure(figure, clip) {
    const { session } = this.#parts;
    const turn = ++this.#turn;
    try {
      const { scene, variant } = await session.sceneOf(figure);
      const motion = await session.motionOf(scene, clip);
      if (turn !== this.#turn || !this.canStart) return;
      const clips = scene.clips.map(({ name }, index) => ({ name, index }));
      Object.assign(this, { figure, clip, clips, name: figure.name });
      this.#show(new FigureActor(scene, motion, variant));
    } catch (error) {
      if (turn === this.#turn) this.#complain(`${figure.name} cannot be shown: ${error.message}`);
    }
  }

  /** @param {File} file */
  async openGlb(file) {
    const turn = ++this.#turn;
    try {
      const glb = await loadGlb(file);
      const actor = new GlbActor(glb);
      actor.measure(false); // what throws does so now
      if (turn !== this.#turn || !this.canStart) {
        actor.dispose();
        return;
      }
      const clips = actor.animations.map((name, index) => ({ name, index }));
      Object.assign(this, { figure: null, clip: null, clips, name: file.name });
      this.#choose(actor);
      this.#show(actor);
    } catch (error) {
      if (turn === this.#turn) this.#complain(`${file.name} was not opened: ${error.message}.`);
    }
  }

  /** Let what is compared play another of its clips. @param {number|null} clip */
  setClip(clip) {
    if (this.figure) return this.showFigure(this.figure, clip ?? -1);
    this.clip = clip;
    this.#newSource();
    return Promise.resolve();
  }

  setMode(mode) {
    this.mode = mode;
    if (!this.beside) return;
    this.beside.mode = mode;
    this.#parts.show.besideChanged();
    this.emit('change');
  }

  setTime(time) {
    this.time = time;
    if (!this.beside) return;
    this.beside.time = time;
    this.#parts.show.moved();
    this.#measure();
  }

  end() {
    this.#turn += 1;
    if (!this.beside) return;
    const { beside } = this;
    Object.assign(this, { beside: null, figure: null, clips: [], now: null, worst: null });
    this.#glb = this.#main = null;
    this.#round += 1;
    this.#parts.show.setBeside(null);
    beside.dispose();
    this.emit('change');
  }

  #show(actor) {
    const before = this.beside;
    this.beside = new Beside(actor, this);
    this.#glb = actor instanceof GlbActor ? actor : null;
    this.#parts.show.setBeside(this.beside);
    before?.dispose();
    this.#measure();
    this.emit('change');
  }

  // The animation of a GLB that belongs to the clip of the figure, unless another is chosen.
  #choose(actor) {
    const { session, player } = this.#parts;
    const { scene } = session;
    const same = scene?.clips[session.clip]?.name ?? null;
    const name = this.clip === null ? same : (this.clips[this.clip]?.name ?? null);
    actor.choose(name, { fps: player.fps, rootName: scene?.bones[0]?.name ?? '' });
  }

  #newSource() {
    if (!this.beside || !this.#parts.session.scene) return;
    if (this.#glb) {
      this.#choose(this.#glb);
      this.#parts.show.besideChanged();
    }
    this.#measure();
    this.emit('change');
  }

  #keep() {
    const { figures } = this.#parts.session;
    if (figures.length === 0 || (this.figure && !figures.includes(this.figure))) this.end();
  }

  #complain(text) {
    this.#parts.session.emit('notice', { kind: 'error', text });
  }

  // ---- distances --------------------------------------------------------------------------------

  // Begin again.
  #measure() {
    const { scene, motion } = this.#parts.session;
    this.#main = scene ? new Joints(scene.bones, motion) : null;
    this.#pairs = this.#main ? pairsOf(this.#main.names, this.beside.actor.names) : [];
    this.#key = '';
    this.worst = null;
    this.moved();
    this.#measureAll();
  }

  /** @returns {Distance|null} */
  #at(frame) {
    const { player, session } = this.#parts;
    if (!this.#main || this.#pairs.length === 0) return null;
    const isInPlace = session.view.inPlace || session.view.treadmill;
    const wrap = player.mode === 'loop' ? 'loop' : 'clamp';
    const seconds = frame / player.fps;
    const own = this.#main.at(seconds, wrap, isInPlace);
    const other = this.beside.actor.at(this.beside.timeAt(seconds, player, wrap), wrap, isInPlace);
    const { metres, joint } = farthest(own, other, this.#pairs);
    return { metres, joint: this.#main.names[joint], frame };
  }

  /** The player shows another moment. */
  moved() {
    if (!this.beside) return;
    const { frame, mode } = this.#parts.player;
    const key = `${frame} ${mode}`;
    if (key === this.#key) return;
    this.#key = key;
    this.now = this.#at(frame);
    this.emit('distance');
  }

  async #measureAll() {
    const round = ++this.#round;
    const { player } = this.#parts;
    let worst = null;
    let start = performance.now();
    for (let frame = 0; frame < Math.max(1, player.frameCount); frame++) {
      if (performance.now() - start > SLICE) {
        await new Promise((next) => setTimeout(next));
        if (round !== this.#round) return;
        start = performance.now();
      }
      const found = this.#at(frame);
      if (found && !(worst && found.metres <= worst.metres)) worst = found;
    }
    this.worst = worst;
    this.emit('distance');
  }

  // ---- for tests --------------------------------------------------------------------------------

  describe() {
    if (!this.beside) return null;
    const { mode, time, name, now, worst } = this;
    const inMillimetres = (distance) => distance && { millimetres: distance.metres * 1000, joint: distance.joint, frame: distance.frame };
    return {
      name,
      clip: this.playing,
      mode,
      time,
      isGlb: this.#glb !== null,
      joints: this.#pairs.length,
      now: inMillimetres(now),
      worst: inMillimetres(worst),
    };
  }

  /** The name of the clip that is compared; null: at rest. */
  get playing() {
    return this.#glb ? this.#glb.animation : (this.clips[this.clip ?? -1]?.name ?? null);
  }

  /** Where the joints of both are in the view, in CSS pixels. */
  places() {
    if (!this.beside) return null;
    const { session, player, stage } = this.#parts;
    const { group, actor } = this.beside;
    const wrap = player.mode === 'loop' ? 'loop' : 'clamp';
    const time = this.beside.timeAt(player.time, player, wrap);
    group.updateMatrixWorld(true);
    const project = (list, move) =>
      Array.from({ length: list.length / 3 }, (_, i) => {
        const at = stage.orbit.camera.position.clone().fromArray(list, i * 3);
        if (move) at.applyMatrix4(group.matrixWorld);
        const { x, y } = stage.project(at.x, at.y, at.z) ?? { x: NaN, y: NaN };
        return [x, y];
      });
    return {
      figure: project(this.#main.at(player.time, wrap, session.view.inPlace).places, false),
      other: project(actor.at(time, wrap, session.view.inPlace).places, true),
    };
  }
}
