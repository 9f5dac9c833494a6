// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import { MODES, Player, SPEEDS } from '../../../web/page/play/player.js';
import { counterText } from '../../../web/page/play/timeline_scale.js';

function player(frames = 24, fps = 15, mode = 'loop') {
  const made = new Player();
  made.load(frames, fps);
  made.mode = mode;
  made.play();
  return made;
}

function near(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

test('a loop lasts frames / fps and begins again', () => {
  const one = player(24, 15);
  near(one.duration, 1.6);
  assert.equal(one.tick(1.5), true);
  near(one.time, 1.5);
  assert.equal(one.frame, 22);
  one.tick(0.2);
  near(one.time, 0.1);
  assert.ok(one.playing);
});

test('past the last frame a loop is on its way back, and the frame stays the last', () => {
  const one = player(4, 1);
  one.tick(3.5);
  assert.equal(one.frame, 3);
  near(one.position, 3.5);
});

test('once stops on the last frame, and plays from the start after that', () => {
  const one = player(24, 15, 'once');
  one.tick(10);
  near(one.time, 23 / 15);
  assert.equal(one.frame, 23);
  assert.equal(one.playing, false);
  assert.equal(one.tick(1), false);
  one.play();
  assert.equal(one.time, 0);
});

test('ping-pong turns at both ends, whatever the step', () => {
  const one = player(11, 10, 'ping-pong'); // a second there, a second back
  one.tick(0.75);
  near(one.time, 0.75);
  one.tick(0.5);
  near(one.time, 0.75);
  assert.equal(one.direction, -1);
  one.tick(1);
  near(one.time, 0.25);
  assert.equal(one.direction, 1);
  one.tick(20);
  near(one.time, 0.25);
});

test('the speed is a factor, and changes along the list', () => {
  const one = player(100, 10);
  one.speed = 0.5;
  one.tick(1);
  near(one.time, 0.5);
  one.changeSpeed(1);
  assert.equal(one.speed, 1);
  for (let i = 0; i < 20; i++) one.changeSpeed(1);
  assert.equal(one.speed, SPEEDS[SPEEDS.length - 1]);
  for (let i = 0; i < 20; i++) one.changeSpeed(-1);
  assert.equal(one.speed, SPEEDS[0]);
  assert.throws(() => {
    one.speed = 0;
  }, RangeError);
  assert.throws(() => {
    one.speed = NaN;
  }, RangeError);
});

test('a step pauses on a whole frame and goes round in a loop only', () => {
  const one = player(24, 15);
  one.tick(0.1); // frame 1.5
  one.step(1);
  assert.equal(one.playing, false);
  assert.equal(one.position, 2);
  one.seek(0.1);
  one.step(-1);
  assert.equal(one.position, 1);
  one.step(-2);
  assert.equal(one.position, 23);
  one.step(1);
  assert.equal(one.position, 0);
  one.mode = 'once';
  one.step(-1);
  assert.equal(one.position, 0);
  one.step(100);
  assert.equal(one.position, 23);
});

test('a step back from each frame lands on the one before, at any rate', () => {
  for (const fps of [15, 20, 29.97, 30, 60]) {
    const one = player(200, fps, 'once');
    for (let frame = 1; frame < 200; frame++) {
      one.seekFrame(frame);
      assert.equal(one.frame, frame);
      one.step(-1);
      assert.equal(one.frame, frame - 1);
    }
  }
});

test('seeking stays inside', () => {
  const one = player(24, 15, 'once');
  one.seek(99);
  assert.equal(one.frame, 23);
  one.seek(-1);
  assert.equal(one.time, 0);
  one.seek(NaN);
  assert.equal(one.time, 0);
  one.seekFrame(1000);
  assert.equal(one.frame, 23);
});

test('no frames and one frame do not play', () => {
  for (const frames of [0, 1, -3, NaN]) {
    const one = player(frames, 15);
    assert.equal(one.playing, false);
    assert.equal(one.tick(1), false);
    one.step(1);
    assert.equal(one.frame, 0);
  }
  assert.equal(player(10, 0).fps, 30);
});

test('the modes go round, and a shorter end pulls the time in', () => {
  const one = player(10, 10);
  one.time = 0.95;
  const seen = MODES.map(() => {
    one.nextMode();
    return one.mode;
  });
  assert.deepEqual(seen, ['ping-pong', 'once', 'loop']);
  near(one.time, 0.9);
  assert.throws(() => {
    one.mode = 'backwards';
  }, RangeError);
});

test('the counter counts from 0, as the files do', () => {
  const one = player(25, 15);
  one.seekFrame(12);
  assert.equal(counterText(one), '/ 24 · 0.80 s');
  assert.equal(counterText(new Player()), 'no frames');
});

test('a range: a loop stays in it and holds its last frame', () => {
  const one = player(20, 10);
  one.range = { first: 5, last: 9 };
  assert.deepEqual([one.first, one.last], [5, 9]);
  one.seekFrame(5);
  one.tick(0.35);
  near(one.time, 0.85);
  one.tick(0.1); // half a frame after the last one, which does not blend into frame 10
  near(one.time, 0.9);
  assert.equal(one.frame, 9);
  one.tick(0.1);
  near(one.time, 0.55);
  one.tick(0.5 * 1000);
  near(one.time, 0.55);
});

test('a range: once and ping-pong have its ends', () => {
  const one = player(20, 10, 'once');
  one.range = { first: 5, last: 9 };
  one.play(); // from outside
  assert.equal(one.frame, 5);
  one.tick(9);
  assert.equal(one.frame, 9);
  assert.equal(one.playing, false);
  one.play();
  assert.equal(one.frame, 5);
  one.mode = 'ping-pong';
  one.tick(0.6);
  near(one.time, 0.7);
  assert.equal(one.direction, -1);
  one.tick(0.3);
  near(one.time, 0.6);
  assert.equal(one.direction, 1);
});

test('a range is made of two frames of the clip, in any order; all of them are none', () => {
  const one = player(20, 10);
  one.range = { first: 9, last: 5 };
  assert.deepEqual(one.range, { first: 5, last: 9 });
  one.range = { first: -4, last: 7.4 };
  assert.deepEqual(one.range, { first: 0, last: 7 });
  one.range = { first: 0, last: 99 };
  assert.equal(one.range, null);
  one.range = { first: 6, last: 6 };
  assert.deepEqual(one.range, { first: 6, last: 7 });
  one.range = { first: 19, last: 19 };
  assert.deepEqual(one.range, { first: 18, last: 19 });
  one.load(10, 10);
  assert.equal(one.range, null, 'another clip has another one');
  one.load(1, 10);
  one.range = { first: 0, last: 0 };
  assert.equal(one.range, null);
});

test('a range starts and ends at the playhead; an end on the wrong side gives way', () => {
  const one = player(20, 10);
  one.seekFrame(6);
  one.startRange();
  assert.deepEqual(one.range, { first: 6, last: 19 });
  one.seekFrame(12);
  one.endRange();
  assert.deepEqual(one.range, { first: 6, last: 12 });
  one.seekFrame(15);
  one.startRange();
  assert.deepEqual(one.range, { first: 15, last: 19 });
  one.seekFrame(3);
  one.endRange();
  assert.deepEqual(one.range, { first: 0, last: 3 });
});

test('steps go round in the range, and outside of it in the clip', () => {
  const one = player(20, 10);
  one.range = { first: 5, last: 9 };
  one.seekFrame(9);
  one.step(1);
  assert.equal(one.frame, 5);
  one.step(-1);
  assert.equal(one.frame, 9);
  one.seekFrame(19);
  one.step(1);
  assert.equal(one.frame, 0);
  one.step(-1);
  assert.equal(one.frame, 19);
  one.toFirst();
  assert.equal(one.frame, 5);
  one.toFirst();
  assert.equal(one.frame, 0);
  one.toLast();
  assert.equal(one.frame, 9);
  one.toLast();
  assert.equal(one.frame, 19);
});

test('reversed: a loop goes down and comes again from the end', () => {
  const one = player(20, 10);
  one.seekFrame(5);
  one.reverse();
  one.tick(0.3);
  near(one.time, 0.2);
  one.tick(0.3);
  near(one.time, 1.9);
  assert.equal(one.frame, 19);
  one.range = { first: 5, last: 9 };
  one.tick(0.05); // from outside: in at the end
  near(one.time, 0.9);
  one.tick(0.15);
  near(one.time, 0.8);
  one.isReversed = false;
  one.tick(0.1);
  near(one.time, 0.9);
});

test('reversed: once stops on the first frame, and plays from the last after that', () => {
  const one = player(20, 10, 'once');
  one.seekFrame(5);
  one.reverse();
  one.tick(2);
  assert.equal(one.time, 0);
  assert.equal(one.playing, false);
  one.play();
  assert.equal(one.frame, 19);
  one.range = { first: 5, last: 9 };
  one.pause();
  one.play();
  assert.equal(one.frame, 9);
  one.tick(2);
  assert.equal(one.frame, 5);
  one.load(8, 10);
  assert.equal(one.frame, 7, 'another clip starts at its end');
});

test('reversed: ping-pong turns at once, and stays ping-pong', () => {
  const one = player(11, 10, 'ping-pong');
  one.tick(0.4);
  one.reverse();
  one.tick(0.3);
  near(one.time, 0.1);
  one.tick(0.3);
  near(one.time, 0.2);
  assert.equal(one.direction, 1);
  one.reverse();
  assert.equal(one.direction, -1);
});

test('a chain is offered, asks for the next clip once, and goes on with it', () => {
  const one = player(10, 10);
  assert.throws(() => {
    one.mode = 'chain';
  }, RangeError);
  one.offerChain(true);
  for (let i = 0; i < 3; i++) one.nextMode();
  assert.equal(one.mode, 'chain');
  let asked = 0;
  one.ended = () => {
    asked += 1;
    return true;
  };
  one.tick(0.95); // the last frame lasts as long as the others
  assert.equal(asked, 0);
  assert.equal(one.frame, 9);
  near(one.time, 0.9);
  one.tick(0.1);
  assert.equal(one.tick(0.1), false, 'the next clip is awaited');
  assert.equal(asked, 1);
  assert.equal(one.playing, true);
  one.load(5, 10);
  one.tick(0.1);
  assert.equal(one.frame, 1);
  one.ended = () => false;
  one.tick(1);
  assert.equal(one.playing, false, 'the last one stops');
  one.play();
  assert.equal(one.frame, 0);
  one.reverse();
  one.ended = () => assert.fail('backwards there is no next clip');
  one.tick(1);
  assert.equal(one.playing, false);
  one.offerChain(false);
  assert.equal(one.mode, 'loop');
});
