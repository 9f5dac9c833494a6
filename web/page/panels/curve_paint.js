// SPDX-License-Identifier: MIT
//
// Draws the plots of the curves.

import { markText, marks } from './curve_scale.js';

const APART = 7; // pixels between two frames from which each has a dot

/**
 * @typedef {object} Scene
 * @property {import('./curve_plots.js').Plots} plots
 * @property {number} position of the playhead, in frames
 * @property {{ plot: any, frame: number, axis: string|null }|null} hover
 * @property {{ channel: string, axis: string|null, frame: number }|null} point that is selected
 */

/** @param {CanvasRenderingContext2D} context @param {CSSStyleDeclaration} style @param {Scene} scene */
export function paintPlots(context, style, scene) {
  const colour = (name) => style.getPropertyValue(name);
  context.textBaseline = 'middle';
  for (const one of scene.plots.list) {
    context.font = `11px ${style.fontFamily}`;
    paintAxes(context, colour, scene.plots, one);
    context.save();
    context.beginPath();
    context.rect(one.box.x - 5, one.box.y - 2, one.box.width + 10, one.box.height + 4);
    context.clip();
    if (scene.hover?.plot === one) paintHair(context, colour, scene, one);
    paintPlayhead(context, colour, scene, one);
    for (const index of scene.plots.axesOf(one))
      paintCurve(context, axisColour(colour, one, index), scene.plots, one, index);
    paintPoints(context, colour, scene, one);
    context.restore();
  }
}

function axisColour(colour, one, index) {
  return colour(`--axis-${one.axes[index]}`);
}

function paintAxes(context, colour, plots, one) {
  const { box, shown } = one;
  context.lineWidth = 1;
  context.strokeStyle = colour('--line');
  context.fillStyle = colour('--ink-2');
  const rows = marks(shown.low, shown.high, Math.max(1, Math.floor(box.height / 26)));
  const step = rows.length > 1 ? rows[1] - rows[0] : shown.high - shown.low;
  context.textAlign = 'right';
  for (const value of rows) {
    const y = Math.round(plots.y(one, value)) + 0.5;
    line(context, box.x, y, box.x + box.width, y);
    context.fillText(markText(value, step), box.x - 8, y);
  }
  context.textAlign = 'center';
  const { low, high } = plots.window;
  const columns = marks(low, high, Math.max(1, Math.floor(box.width / 60))).filter(Number.isInteger);
  for (const frame of columns) {
    const x = Math.round(plots.x(one, frame)) + 0.5;
    line(context, x, box.y, x, box.y + box.height);
    context.fillText(String(frame), x, box.y + box.height + 9);
  }
}

function paintPlayhead(context, colour, { plots, position }, one) {
  const x = Math.round(plots.x(one, Math.min(position, Math.max(1, one.frames - 1)))) + 0.5;
  context.strokeStyle = colour('--accent');
  context.lineWidth = 1.5;
  line(context, x, one.box.y, x, one.box.y + one.box.height);
}

function paintHair(context, colour, { plots, hover }, one) {
  const x = Math.round(plots.x(one, hover.frame)) + 0.5;
  context.strokeStyle = colour('--ink-2');
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  line(context, x, one.box.y, x, one.box.y + one.box.height);
  context.setLineDash([]);
}

// Only what is in the window, with one frame more on both sides.
function paintCurve(context, colour, plots, one, index) {
  const first = Math.max(0, Math.floor(plots.window.low) - 1);
  const last = Math.min(one.frames - 1, Math.ceil(plots.window.high) + 1);
  const at = (frame) => one.values[frame * one.axes.length + index];
  const band = (frame) => one.bands[frame * one.axes.length + index] / 2;
  const x = (frame) => plots.x(one, frame);
  context.strokeStyle = context.fillStyle = colour;
  if (one.bands) {
    context.globalAlpha = 0.22;
    context.beginPath();
    for (let frame = first; frame <= last; frame++)
      context.lineTo(x(frame), plots.y(one, at(frame) + band(frame)));
    for (let frame = last; frame >= first; frame--)
      context.lineTo(x(frame), plots.y(one, at(frame) - band(frame)));
    context.fill();
    context.globalAlpha = 1;
  }
  context.lineWidth = 1.5;
  context.beginPath();
  for (let frame = first; frame <= last; frame++) context.lineTo(x(frame), plots.y(one, at(frame)));
  if (one.frames === 1) {
    context.moveTo(x(0), plots.y(one, at(0)));
    context.lineTo(x(1), plots.y(one, at(0)));
  }
  context.stroke();
  if (x(1) - x(0) < APART) return;
  for (let frame = first; frame <= last; frame++) dot(context, x(frame), plots.y(one, at(frame)), 2);
}

// The points at the pointer, and the selected one.
function paintPoints(context, colour, { plots, hover, point }, one) {
  const place = (frame, index) => [plots.x(one, frame), plots.y(one, plots.value(one, frame, index))];
  for (const index of plots.axesOf(one)) {
    context.fillStyle = axisColour(colour, one, index);
    if (hover?.plot === one)
      dot(context, ...place(hover.frame, index), hover.axis === one.axes[index] ? 4.5 : 3);
    const isChosen =
      point?.channel === one.channel && (point.axis === null || point.axis === one.axes[index]);
    if (!isChosen) continue;
    const [x, y] = place(point.frame, index);
    dot(context, x, y, 3.5);
    context.strokeStyle = colour('--ink');
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.stroke();
  }
}

function dot(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
