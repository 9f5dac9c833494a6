// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  canChain,
  eventText,
  markersOf,
  successor,
  TimeScale,
  typedFrame,
} from '../../../web/page/play/timeline_scale.js';

test('frames have positions, and positions frames', () => {
  const scale = new TimeScale(23, 500, 20);
  assert.equal(scale.x(0), 20);
  assert.equal(scale.x(23), 480);
  for (let frame = 0; frame <= 23; frame++) assert.equal(scale.frameAt(scale.x(frame)), frame);
  assert.equal(scale.frameAt(-50), 0);
  assert.equal(scale.frameAt(9999), 23);
  assert.equal(new TimeScale(0, 500, 20).frameAt(250), 0);
});

test('numbers are round, whole, far enough apart, and within the clip', () => {
  for (const last of [1, 2, 3, 7, 23, 47, 100, 999, 12345]) {
    for (const width of [200, 390, 1000, 2500]) {
      const scale = new TimeScale(last, width, 20);
      const { numbered, plain } = scale.ticks();
      assert.equal(numbered[0], 0);
      for (const [i, frame] of numbered.entries()) {
        assert.ok(Number.isInteger(frame) && frame <= last, `${frame} of ${last}`);
        if (i > 0) assert.ok(scale.x(frame) - scale.x(numbered[i - 1]) >= 40, `${last} on ${width}`);
      }
      for (const frame of plain) assert.ok(Number.isInteger(frame) && !numbered.includes(frame));
      assert.ok(numbered.length + plain.length <= width / 4);
    }
  }
  assert.deepEqual(new TimeScale(3, 1000, 20).ticks().numbered, [0, 1, 2, 3]);
  assert.deepEqual(new TimeScale(47, 1000, 20).ticks().numbered, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
});

test('seconds are at their frames, with the digits that they need', () => {
  const scale = new TimeScale(30, 1000, 20);
  const found = scale.seconds(15);
  assert.equal(found[0].text, '0.5 s');
  for (const { seconds, frame, text } of found) {
    assert.equal(frame, seconds * 15);
    assert.equal(Number.parseFloat(text), seconds);
  }
  assert.deepEqual(new TimeScale(0, 1000, 20).seconds(15), []);
});

test('what is typed is a frame, a step, or seconds', () => {
  const clock = { frame: 10, lastFrame: 40, fps: 20 };
  for (const [text, frame] of [
    ['12', 12],
    [' 12 ', 12],
    ['+5', 15],
    ['-5', 5],
    ['- 20', 0],
    ['99', 40],
    ['1 s', 20],
    ['0,5s', 10],
    ['.5S', 10],
    ['+.5 s', 20],
    ['12.4', 12],
    ['', null],
    ['x', null],
    ['1e3', null],
    ['--5', null],
    ['s', null],
  ])
    assert.equal(typedFrame(String(text), clock), frame, `'${text}'`);
});

test('events: one marker per frame, in order; none without events', () => {
  assert.deepEqual(markersOf(undefined, 10), []);
  assert.deepEqual(markersOf([], 10), []);
  const markers = markersOf(
    [
      { frame: 7, kind: 'step', field: 'step_sounds[0]' },
      { frame: 2, kind: 'hit', field: 'hit_frame' },
      { frame: 7, kind: 'hit', field: 'other' },
      { frame: 99, kind: 'step', field: 'late' },
      { frame: NaN, kind: 'step', field: 'nowhere' },
    ],
    10,
  );
  assert.deepEqual(
    markers.map(({ frame, sort }) => [frame, sort]),
    [[2, 1], [7, 0], [10, 0]],
  );
  assert.equal(markers[1].text, 'Frame 7\na foot comes down (step_sounds[0])\na blow lands (other)');
  assert.equal(eventText({ frame: 2, kind: 'of the future', field: 'x' }), 'of the future (x)');
});

test('a clip is followed by the one that it names', () => {
  const clips = [{ next: 1 }, { next: 1 }, { next: -1 }, {}, { next: 99 }];
  assert.deepEqual(clips.map((_, i) => successor(clips, i)), [1, 1, -1, -1, -1]);
  assert.equal(successor(clips, -1), -1);
  assert.equal(canChain(clips), true);
  assert.equal(canChain(clips.slice(2)), false);
});
