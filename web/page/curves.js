// SPDX-License-Identifier: MIT
//
// The curves of the selected bone during the clip (rotation, translation, scale) with the playhead.
// If the file stores packed rotations, a band around each curve is as wide as one step of the file.

import { byId, oncePerFrame, sizeCanvas } from './dom.js';
import { continuous, markText, marks, range, stepOfComponent, turns } from './curve_scale.js';

const COLOURS = { x: '--axis-x', y: '--axis-y', z: '--axis-z', w: '--axis-w' };
const LEFT = 46;
const RIGHT = 8;
const TITLE = 22;
const GAP = 14;
const FLAT = 64; // height of a plot of constants

export class Curves {
  #session;
  #player;
  #canvas = byId('curves-canvas');
  #plots = [];
  #step = null;
  #draw = oncePerFrame(() => this.#paint());

  constructor(session, player) {
    this.#session = session;
    this.#player = player;
    for (const event of ['scene', 'clip', 'bone']) session.on(event, () => this.load());
    byId('curves-as').addEventListener('change', () => this.load());
    new ResizeObserver(this.#draw).observe(this.#canvas);
    this.#canvas.addEventListener('pointerdown', (event) => {
      this.#canvas.setPointerCapture(event.pointerId);
      this.#scrub(event);
    });
    this.#canvas.addEventListener(
      'pointermove',
      (event) => event.buttons & 1 && this.#scrub(event),
    );
    this.#canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#canvas.addEventListener('dblclick', () => this.load());
  }

  /** Get the curves from the library again. */
  load() {
    const { scene, clip, bone } = this.#session;
    this.#plots = [];
    this.#step = null;
    const isThere = scene && clip >= 0 && bone >= 0 && scene.clips[clip].frameCount > 0;
    byId('curves-empty').hidden = Boolean(isThere);
    byId('curves-body').hidden = !isThere;
    if (!isThere) {
      byId('curves-empty').textContent = !scene
        ? 'Nothing is shown.'
        : scene.clips.length === 0
          ? 'This figure has no clip.'
          : clip < 0
            ? 'The rest pose has no curves: choose a clip.'
            : 'Select a bone: click a joint, or use the Bones tab.';
      return;
    }
    const curves = scene.curves(clip, bone);
    const isTurn = byId('curves-as').value === 'turn';
    this.#step = scene.rotationStep(clip, bone);
    const rotation = continuous(curves.rotation);
    byId('curves-bone').textContent = scene.bones[bone].name;
    this.#plots = [
      isTurn
        ? plot('Rotation', '°', turns(rotation), 'xyz', 1, this.#bandWidth(true))
        : plot('Rotation', '', rotation, 'xyzw', 0.02, this.#bandWidth(false)),
      plot('Translation', 'm', curves.translation, 'xyz', 1e-3, 0),
      plot('Scale', '', curves.scale, 'xyz', 0.02, 0),
    ];
    this.#sayStep();
    this.#draw();
  }

  #bandWidth(isTurn) {
    return this.#step ? stepOfComponent(this.#step, isTurn) : 0;
  }

  #sayStep() {
    const degrees = ((this.#step ?? 0) * 180) / Math.PI;
    byId('curves-step').textContent =
      this.#step === null
        ? 'The precision of the stored rotations is not known.'
        : this.#step === 0
          ? 'Rotations are stored as floats, without visible steps.'
          : `Quantised rotations: one step of the file is ${degrees.toPrecision(3)}°, the width of the band around each curve. Use the wheel to zoom, double-click to show everything.`;
  }

  /** The playhead has moved. */
  moved() {
    if (this.#plots.length > 0 && this.#canvas.offsetParent !== null) this.#draw();
  }

  // The wheel zooms a plot around the value under the pointer, until a step of the file is visible.
  #wheel(event) {
    const y = event.clientY - this.#canvas.getBoundingClientRect().top;
    const one = this.#plots.find(({ box }) => box && y >= box.y && y <= box.y + box.height);
    if (!one || event.ctrlKey) return;
    event.preventDefault();
    const at = one.high - ((y - one.box.y) / one.box.height) * (one.high - one.low);
    const factor = event.deltaY < 0 ? 1 / 1.2 : 1.2;
    if ((one.high - one.low) * factor < 1e-6) return;
    one.low = at - (at - one.low) * factor;
    one.high = at + (one.high - at) * factor;
    this.#draw();
  }

  #scrub(event) {
    const { left, width } = this.#canvas.getBoundingClientRect();
    const part = (event.clientX - left - LEFT) / Math.max(1, width - LEFT - RIGHT);
    this.#player.pause();
    this.#player.seekFrame(Math.round(part * this.#player.lastFrame));
    this.#session.emit('time');
  }

  #paint() {
    if (this.#plots.length === 0 || !sizeCanvas(this.#canvas)) return;
    const ratio = window.devicePixelRatio || 1;
    const context = this.#canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const width = this.#canvas.clientWidth;
    const height = this.#canvas.clientHeight;
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.#canvas);
    const flat = this.#plots.filter((one) => one.isFlat).length;
    const each =
      (height - GAP - (flat < this.#plots.length ? flat * FLAT : 0)) /
      (this.#plots.length - flat || flat);
    let top = 0;
    for (const one of this.#plots) {
      const room = one.isFlat && flat < this.#plots.length ? FLAT : each;
      this.#paintPlot(context, style, one, {
        x: LEFT,
        y: top + TITLE,
        width: width - LEFT - RIGHT,
        height: room - TITLE - GAP,
      });
      top += room;
    }
    this.#describe();
  }

  #paintPlot(context, style, one, box) {
    one.box = box;
    const last = Math.max(1, one.frames - 1);
    const toX = (frame) => box.x + (frame / last) * box.width;
    const toY = (value) =>
      box.y + box.height - ((value - one.low) / (one.high - one.low)) * box.height;
    context.font = '11px ui-sans-serif, system-ui, sans-serif';
    context.textBaseline = 'middle';
    paintAxes(context, style, one, box, toX, toY);
    const frame = Math.min(this.#player.frame, one.frames - 1);
    context.textAlign = 'left';
    context.fillStyle = style.getPropertyValue('--ink');
    context.fillText(one.title, box.x, box.y - 11);
    let legend = box.x + box.width;
    context.textAlign = 'right';
    for (const axis of [...one.axes].reverse()) {
      const value = one.values[frame * one.axes.length + one.axes.indexOf(axis)];
      const text = `${axis} ${format(value)}`;
      context.fillStyle = style.getPropertyValue(COLOURS[axis]);
      context.fillText(text, legend, box.y - 11);
      legend -= context.measureText('x -0.000').width + 8;
    }
    context.save();
    context.beginPath();
    context.rect(box.x, box.y - 1, box.width, box.height + 2);
    context.clip();
    for (const [index, axis] of [...one.axes].entries())
      paintCurve(context, style.getPropertyValue(COLOURS[axis]), one, index, toX, toY);
    context.restore();
    const x = Math.round(toX(Math.min(this.#player.position, last))) + 0.5;
    context.strokeStyle = style.getPropertyValue('--accent');
    context.lineWidth = 1.5;
    line(context, x, box.y, x, box.y + box.height);
  }

  // The same for screen readers.
  #describe() {
    const frame = this.#player.frame;
    const parts = this.#plots.map(
      (one) =>
        `${one.title}: ${[...one.axes].map((axis, i) => `${axis} ${format(one.values[Math.min(frame, one.frames - 1) * one.axes.length + i])}`).join(', ')}`,
    );
    this.#canvas.setAttribute('aria-label', `Curves at frame ${frame}. ${parts.join('. ')}`);
  }
}

function plot(title, unit, values, axes, least, band) {
  const { low, high } = range(values, Math.max(least, band * 3));
  const isFlat = values.every(
    (value, i) => i < axes.length || Math.abs(value - values[i - axes.length]) < least * 1e-3,
  );
  return {
    isFlat,
    title: unit ? `${title} (${unit})` : title,
    values,
    axes,
    low,
    high,
    band,
    frames: values.length / axes.length,
  };
}

function paintAxes(context, style, one, box, toX, toY) {
  context.lineWidth = 1;
  context.strokeStyle = style.getPropertyValue('--line');
  context.fillStyle = style.getPropertyValue('--ink-2');
  const rows = marks(one.low, one.high, Math.max(1, Math.floor(box.height / 26)));
  context.textAlign = 'right';
  for (const value of rows) {
    const y = Math.round(toY(value)) + 0.5;
    line(context, box.x, y, box.x + box.width, y);
    context.fillText(
      markText(value, rows.length > 1 ? rows[1] - rows[0] : one.high - one.low),
      box.x - 6,
      y,
    );
  }
  context.textAlign = 'center';
  const columns = marks(
    0,
    Math.max(1, one.frames - 1),
    Math.max(1, Math.floor(box.width / 60)),
  ).filter(Number.isInteger);
  for (const frame of columns) {
    const x = Math.round(toX(frame)) + 0.5;
    line(context, x, box.y, x, box.y + box.height);
    context.fillText(String(frame), x, box.y + box.height + 8);
  }
}

function paintCurve(context, colour, one, index, toX, toY) {
  const at = (frame) => one.values[frame * one.axes.length + index];
  const trace = (by) => {
    for (let frame = 0; frame < one.frames; frame++)
      context.lineTo(toX(frame), toY(at(frame) + by));
  };
  context.strokeStyle = context.fillStyle = colour;
  if (one.band > 0) {
    context.globalAlpha = 0.22;
    context.beginPath();
    trace(one.band / 2);
    for (let frame = one.frames - 1; frame >= 0; frame--)
      context.lineTo(toX(frame), toY(at(frame) - one.band / 2));
    context.fill();
    context.globalAlpha = 1;
  }
  context.lineWidth = 1.5;
  context.beginPath();
  if (one.frames === 1) {
    context.moveTo(toX(0), toY(at(0)));
    context.lineTo(toX(1), toY(at(0)));
  } else {
    trace(0);
  }
  context.stroke();
}

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

function format(value) {
  return Number.isFinite(value)
    ? value.toFixed(Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3)
    : '?';
}
