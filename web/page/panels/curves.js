// SPDX-License-Identifier: MIT
//
// The curves of the selected bone during the clip (rotation, translation, scale) with the playhead.
// If the file stores packed rotations, a band around each curve is as wide as one step of the file.
// A point of a curve can be selected; the library says which bytes it comes from.

import { byId, oncePerFrame, sizeCanvas } from '../window/dom.js';
import { listenToCurves } from './curve_input.js';
import { CurveLegend } from './curve_legend.js';
import { paintPlots } from './curve_paint.js';
import { LEFT, Plots } from './curve_plots.js';
import { CurvePoint } from './curve_point.js';
import { FORMS } from './curve_rotation.js';
import { besidePoint, valueText } from './curve_scale.js';

const HEAD = window.matchMedia('(pointer: coarse)').matches ? 46 : 26; // height of a legend
/** What has curves. */
export const CHANNELS = ['rotation', 'translation', 'scale'];

const STEP = 1.5; // zoom of a button or a key

export class Curves {
  #session;
  #player;
  #canvas = byId('curves-canvas');
  #plots = new Plots();
  #legend;
  #point;
  #hover = null;
  #draw = oncePerFrame(() => this.#paint());

  constructor(session, player) {
    this.#session = session;
    this.#player = player;
    for (const [value, { name }] of Object.entries(FORMS))
      byId('curves-as').append(new Option(`${name[0].toUpperCase()}${name.slice(1)}`, value));
    byId('curves-as').addEventListener('change', () => this.load());
    this.#legend = new CurveLegend(byId('curves-heads'), this.#plots, this.#draw);
    this.#point = new CurvePoint(session, player, this.#plots, this.#draw);
    session.on('scene', (detail) => {
      if (!detail?.isSame) this.#point.leave();
      this.load();
    });
    for (const event of ['clip', 'bone']) session.on(event, () => this.load());
    new ResizeObserver(this.#draw).observe(this.#canvas);
    this.#listen();
  }

  #listen() {
    listenToCurves(this.#canvas, {
      scrub: (x) => this.#seek(this.#plots.frameAt(x)),
      pick: (x, y, isOpened) => this.#pick(x, y, isOpened),
      twice: (x, y) => (this.#plots.pointAt(x, y)?.axis ? this.#point.open() : this.#fit()),
      hover: (at) => this.#showHover(at),
      zoom: (...how) => this.#zoom(...how),
      pan: (dx, dy, y) => this.#pan(dx, dy, y),
      isBeside: (x) => x < LEFT,
    });
    this.#canvas.addEventListener('keydown', (event) => this.#key(event));
    const middle = () => LEFT + this.#plots.list[0].box.width / 2;
    const zoomBy = (factor) => () => {
      const x = this.#plots.x(this.#plots.list[0], this.#player.position);
      const isSeen = x >= LEFT && x <= this.#canvas.clientWidth;
      this.#zoom(isSeen ? x : middle(), -1, factor, 1);
    };
    byId('curves-in').addEventListener('click', zoomBy(1 / STEP));
    byId('curves-out').addEventListener('click', zoomBy(STEP));
    byId('curves-fit').addEventListener('click', () => this.#fit());
  }

  /** Get the curves again. */
  load() {
    const { scene, clip, bone } = this.#session;
    const isChosen = scene && clip >= 0 && bone >= 0 && scene.clips[clip].frameCount > 0;
    const curves = isChosen ? curvesOf(this.#session) : null;
    this.#plots.clear();
    this.#hover = null;
    byId('curves-empty').hidden = Boolean(curves);
    byId('curves-body').hidden = !curves;
    if (!curves) {
      byId('curves-empty').textContent = emptyText(this.#session, isChosen);
      return;
    }
    const form = byId('curves-as').value;
    byId('curves-bone').textContent = scene.bones[bone].name;
    byId('curves-as').title = FORMS[form].about;
    this.#plots.set(curves, form, curves.step);
    byId('curves-step').textContent = stepText(curves.step);
    this.#legend.build();
    this.#point.renew();
    this.#draw();
  }

  /** Select a value, with its clip, its bone and its frame. @param {import('./key_link.js').Key} key */
  async showKey({ clip, bone, channel, frame }) {
    const session = this.#session;
    if (clip !== session.clip || session.camera >= 0) await session.setClip(clip);
    if (clip !== session.clip) return; // the user has chosen another one meanwhile
    if (bone !== session.bone) session.setBone(bone);
    this.#seek(frame);
    this.#plots.follow(frame);
    this.#point.choose(channel, null, frame);
  }

  /** What the tests ask for. */
  get state() {
    const { window, list } = this.#plots;
    return {
      point: this.#point.state,
      window: { ...window },
      plots: list.map((one) => ({ channel: one.channel, title: one.title, shown: { ...one.shown }, box: { ...one.box },
        hidden: [...one.axes].filter((axis) => this.#plots.isHidden(one, axis)) })),
    };
  }

  /** The playhead has moved. */
  moved() {
    if (this.#plots.list.length === 0 || this.#canvas.offsetParent === null) return;
    if (this.#player.playing) this.#plots.follow(this.#player.position);
    this.#draw();
  }

  #seek(frame) {
    this.#player.pause();
    this.#player.seekFrame(Math.round(frame));
    this.#session.emit('time');
  }

  #pick(x, y, isOpened) {
    this.#canvas.focus({ preventScroll: true });
    const at = this.#plots.pointAt(x, y);
    if (!at) return;
    if (at.axis) {
      this.#seek(at.frame);
      this.#point.choose(at.plot.channel, at.axis, at.frame);
      if (isOpened) this.#point.open();
    } else if (isOpened) {
      this.#seek(at.frame);
    } else {
      this.#point.leave();
    }
  }

  #zoom(x, y, time, value) {
    if (this.#plots.list.length === 0) return;
    if (time !== 1) this.#plots.zoomTime(this.#plots.frameAt(x), time);
    const one = value !== 1 ? this.#plots.plotAt(y) : null;
    if (one) this.#plots.zoomValue(one, this.#plots.valueAt(one, y), value);
    this.#draw();
  }

  #pan(dx, dy, y) {
    const one = this.#plots.plotAt(y) ?? this.#plots.list[0];
    if (!one) return;
    this.#plots.panTime(this.#plots.frameAt(0) - this.#plots.frameAt(dx));
    if (dy) this.#plots.panValue(one, this.#plots.valueAt(one, 0) - this.#plots.valueAt(one, dy));
    this.#draw();
  }

  #fit() {
    this.#plots.fit();
    this.#draw();
  }

  // Up and Down select a curve, Enter shows the bytes of its point.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const does = {
      '+': () => byId('curves-in').click(),
      '=': () => byId('curves-in').click(),
      '-': () => byId('curves-out').click(),
      0: () => this.#fit(),
      ArrowDown: () => this.#point.along(1),
      ArrowUp: () => this.#point.along(-1),
      Enter: () => this.#point.open(),
      Escape: () => this.#point.leave(),
    }[event.key];
    if (!does) return;
    does();
    event.preventDefault();
    event.stopPropagation();
  }

  // The frame and the values under the pointer.
  #showHover(at) {
    const found = at ? this.#plots.pointAt(at.x, at.y) : null;
    const tip = byId('curves-tip');
    this.#hover = found;
    tip.hidden = !found;
    this.#draw();
    if (!found) return;
    const { plot, frame, axis } = found;
    const values = this.#plots.axesOf(plot).map((i) => [plot.axes[i], this.#plots.value(plot, frame, i)]);
    const shown = axis ? values.filter(([name]) => name === axis) : values;
    tip.textContent = `frame ${frame} · ${(frame / this.#player.fps).toFixed(2)} s\n${shown
      .map(([name, value]) => `${name} ${valueText(value)}`)
      .join('  ')}`;
    const x = this.#plots.x(plot, frame);
    tip.style.left = '0'; // where it is as wide as it needs to be
    tip.style.left = `${besidePoint(x, tip.offsetWidth, this.#canvas.clientWidth)}px`;
    tip.style.top = `${Math.min(Math.max(plot.box.y, at.y - 46), plot.box.y + plot.box.height - 40)}px`;
  }

  #paint() {
    if (this.#plots.list.length === 0 || !sizeCanvas(this.#canvas)) return;
    const ratio = window.devicePixelRatio || 1;
    const context = this.#canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    context.clearRect(0, 0, width, height);
    this.#plots.layOut(width, height, HEAD);
    const { frame, position } = this.#player;
    this.#point.follow(frame);
    const scene = { plots: this.#plots, position, hover: this.#hover, point: this.#point.state };
    paintPlots(context, getComputedStyle(this.#canvas), scene);
    this.#legend.update(frame);
    byId('curves-fit').disabled = this.#plots.isWhole;
    this.#describe(frame);
  }

  // The same for screen readers.
  #describe(frame) {
    const parts = this.#plots.list.map(
      (one) =>
        `${one.title}: ${[...one.axes].map((axis, i) => `${axis} ${valueText(this.#plots.value(one, frame, i))}`).join(', ')}`,
    );
    this.#canvas.setAttribute('aria-label', `Curves at frame ${frame}. ${parts.join('. ')}`);
  }
}

/** The curves of the selected bone, with the step of its rotations; null: they are being fetched. */
function curvesOf({ motion, bone }) {
  return motion ? { ...motion.curve(bone), step: motion.rotationStep(bone) } : null;
}

function emptyText({ scene, clip }, isChosen) {
  if (isChosen) return 'The curves are being read.';
  if (!scene) return 'Nothing is shown.';
  if (scene.clips.length === 0) return 'This figure has no clip.';
  if (clip < 0) return 'The rest pose has no curves: choose a clip.';
  return 'Select a bone: click a joint, or use the Bones tab.';
}

function stepText(step) {
  if (step === null) return 'The precision of the stored rotations is not known.';
  if (step === 0) return 'Rotations are stored as floats, without visible steps.';
  const degrees = ((step * 180) / Math.PI).toPrecision(3);
  return `Quantised rotations: one step of the file is ${degrees}°. The band around each curve shows how much that changes its value.`;
}
