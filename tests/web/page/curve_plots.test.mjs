// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { Plots } from '../../../web/page/panels/curve_plots.js';

const FRAMES = 41;
const by = (width, value) =>
  Float32Array.from({ length: FRAMES * width }, (_, i) => value(Math.floor(i / width), i % width));

function made() {
  const plots = new Plots();
  const curves = {
    rotation: by(4, (frame, axis) => (axis === 3 ? Math.cos(frame / 100) : axis === 0 ? Math.sin(frame / 100) : 0)),
    translation: by(3, (frame, axis) => axis * 10 + frame),
    scale: by(3, () => 1),
  };
  plots.set(curves, 'vector', 0.01);
  plots.layOut(400, 500, 20);
  return { plots, curves };
}

test('plots are below each other, constants are low', () => {
  const { plots } = made();
  const [rotation, translation, scale] = plots.list;
  assert.equal(scale.isFlat, true);
  assert.ok(scale.box.height < translation.box.height);
  assert.equal(rotation.box.height, translation.box.height);
  assert.ok(rotation.box.y + rotation.box.height < translation.box.y);
  assert.ok(scale.box.y + scale.box.height <= 500);
});

test('a point is found where it is drawn, and only near to it', () => {
  const { plots } = made();
  const translation = plots.list[1];
  for (const [frame, index] of [[0, 0], [17, 1], [40, 2]]) {
    const x = plots.x(translation, frame);
    const y = plots.y(translation, plots.value(translation, frame, index));
    const found = plots.pointAt(x + 2, y - 2);
    assert.deepEqual([found.plot, found.frame, found.axis], [translation, frame, 'xyz'[index]]);
  }
  const x = plots.x(translation, 10);
  const y = plots.y(translation, plots.value(translation, 10, 0));
  assert.equal(plots.pointAt(x, y + 30)?.axis ?? null, null);
  assert.equal(plots.pointAt(x, 9999), null);
  plots.toggle(translation, 'x');
  assert.notEqual(plots.pointAt(x, plots.y(translation, 10)).axis, 'x', 'what is hidden is not found');
});

test('a hidden axis leaves its room to the others', () => {
  const { plots, curves } = made();
  const translation = plots.list[1];
  const before = translation.all;
  plots.toggle(translation, 'z');
  assert.ok(translation.all.high < before.high);
  assert.deepEqual(plots.axesOf(translation), [0, 1]);
  plots.set(curves, 'quaternion', 0);
  assert.ok(plots.isHidden(plots.list[1], 'z'), 'it stays hidden for the next bone');
  plots.toggle(plots.list[1], 'z');
  assert.deepEqual(plots.list[1].all, before);
});

test('zoom and pan, and everything again', () => {
  const { plots, curves } = made();
  assert.ok(plots.isWhole);
  plots.zoomTime(20, 0.25);
  assert.deepEqual(plots.window, { low: 15, high: 25 });
  assert.equal(Math.round(plots.frameAt(plots.x(plots.list[0], 22))), 22);
  plots.panTime(100);
  assert.deepEqual(plots.window, { low: 30, high: 40 });
  plots.follow(5);
  assert.ok(plots.window.low <= 5 && plots.window.high >= 5);
  plots.set(curves, 'ZXY', 0.01);
  assert.ok(!plots.isWhole, 'another form of as many frames leaves the window');
  const [rotation] = plots.list;
  const middle = plots.valueAt(rotation, rotation.box.y + rotation.box.height / 2);
  plots.zoomValue(rotation, middle, 0.5);
  assert.ok(rotation.shown.high < rotation.all.high);
  assert.ok(Math.abs(plots.valueAt(rotation, plots.y(rotation, middle)) - middle) < 1e-6);
  plots.fit();
  assert.ok(plots.isWhole);
  plots.zoomTime(20, 1e-9);
  assert.ok(plots.window.high - plots.window.low >= 3.9);
});

test('a clip of one frame has plots, too', () => {
  const plots = new Plots();
  plots.set(
    { rotation: new Float32Array([0, 0, 0, 1]), translation: new Float32Array(3), scale: new Float32Array([1, 1, 1]) },
    'XYZ',
    null,
  );
  plots.layOut(300, 300, 20);
  plots.zoomTime(0, 0.5);
  assert.deepEqual(plots.window, { low: 0, high: 1 });
  assert.equal(plots.pointAt(plots.x(plots.list[0], 0), plots.y(plots.list[0], 0)).frame, 0);
});
