// SPDX-License-Identifier: MIT
//
// What the share dialog decides: moments, delays, sizes, layouts; and the page that is saved.

import assert from 'node:assert/strict';
import test from 'node:test';

import { scale, scaledPlace, tiles } from '../../../web/page/share/film_scale.js';
import { changedArea, delayFraction, delaysOf, evenArea, momentsOf, samplesOf, sizeFor } from '../../../web/page/share/frames.js';
import { emptyPage, pageWith } from '../../../web/page/share/page_file.js';
import { estimateText, PRESETS, presetSize, ratesFor, side, timesOf } from '../../../web/page/share/share_form.js';
import { sheetLayout } from '../../../web/page/share/sheet.js';

const walk = { frameCount: 24, fps: 18 };

test('at the rate of the clip every frame is shown once, at its time', () => {
  const times = momentsOf(walk, 18);
  assert.equal(times.length, 24);
  times.forEach((time, f) => assert.ok(Math.abs(time - f / 18) < 1e-12));
});

test('at another rate the moments are f / rate, as long as the clip lasts', () => {
  assert.equal(momentsOf(walk, 12).length, 16);
  assert.equal(momentsOf(walk, 10).length, 14, '1.33 s begin a 14th picture');
  assert.equal(momentsOf({ frameCount: 30, fps: 29.97 }, 29.97).length, 30, 'no picture too many by rounding');
  assert.equal(momentsOf(walk, 12)[15], 15 / 12);
  assert.deepEqual(momentsOf({ frameCount: 0, fps: 30 }, 30), [0]);
  assert.deepEqual(momentsOf({ frameCount: 1, fps: 30 }, 60), [0]);
});

test('a range has its frames, and the way back leaves out both ends', () => {
  assert.deepEqual(momentsOf({ frameCount: 10, fps: 1 }, 1, { first: 3, last: 5 }), [3, 4, 5]);
  assert.deepEqual(momentsOf({ frameCount: 10, fps: 1 }, 1, { first: 8, last: 50 }), [8, 9]);
  assert.deepEqual(momentsOf({ frameCount: 4, fps: 1 }, 1, null, true), [0, 1, 2, 3, 2, 1]);
});

test('frames of a sheet are spread evenly, and whole frames', () => {
  assert.deepEqual(samplesOf({ frameCount: 24, fps: 1 }, 4), [0, 6, 12, 18]);
  assert.deepEqual(samplesOf({ frameCount: 3, fps: 1 }, 12), [0, 1, 2]);
  assert.deepEqual(samplesOf({ frameCount: 24, fps: 2 }, 2, { first: 10, last: 13 }), [5, 6]);
  assert.deepEqual(samplesOf({ frameCount: 0, fps: 30 }, 12), [0]);
});

test('delays are whole and never add up to another time', () => {
  const delays = delaysOf(30, 30, 100);
  assert.ok(delays.every((delay) => [3, 4].includes(delay)));
  assert.equal(delays.reduce((sum, delay) => sum + delay), 100);
  assert.equal(delaysOf(60, 50, 100).reduce((sum, delay) => sum + delay), 120);
  assert.deepEqual(delayFraction(30), [1, 30]);
  assert.deepEqual(delayFraction(30000 / 1001), [1001, 30000]);
  assert.deepEqual(delayFraction(12.5), [2, 25]);
  assert.deepEqual(delayFraction(200 / 11), [11, 200]);
});

test('the changed rectangle, and the same from even places on', () => {
  const before = new Uint8ClampedArray(10 * 8 * 4);
  const now = before.slice();
  now[(3 * 10 + 7) * 4 + 1] = 1;
  now[(5 * 10 + 3) * 4] = 1;
  assert.deepEqual(changedArea(null, now, 10, 8), { x: 0, y: 0, width: 10, height: 8 });
  assert.deepEqual(changedArea(before, now, 10, 8), { x: 3, y: 3, width: 5, height: 3 });
  assert.deepEqual(changedArea(now, now, 10, 8), { x: 0, y: 0, width: 1, height: 1 });
  assert.deepEqual(evenArea({ x: 3, y: 3, width: 5, height: 3 }), { x: 2, y: 2, width: 6, height: 4 });
});

test('sizes keep the proportions and the limits', () => {
  assert.deepEqual(sizeFor(1.5, { width: 300 }, 4096), { width: 300, height: 200 });
  assert.deepEqual(sizeFor(1.5, { height: 10_000 }, 4096), { width: 4096, height: 2731 });
  const view = { width: 400, height: 600 };
  const preset = (id) => presetSize(PRESETS.find((one) => one.id === id), view, 4096);
  assert.deepEqual(preset('view'), view);
  assert.deepEqual(preset('360'), { width: 240, height: 360 });
  assert.deepEqual(preset('1280x720'), { width: 1280, height: 720 });
  assert.deepEqual(['', '0', '12.6', '99999', '-4', 'x'].map((text) => side(text, 8192, false)), [1, 1, 13, 8192, 1, 1]);
  assert.deepEqual(['1', '13', '14', '9001'].map((text) => side(text, 8191, true)), [2, 12, 14, 8190]);
});

test('rates: the own one first, none above the limit of the format', () => {
  assert.deepEqual(ratesFor(25).slice(0, 3), [25, 10, 12]);
  assert.equal(ratesFor(25).filter((rate) => rate === 25).length, 1);
  assert.ok(!ratesFor(60, 50).includes(60));
  assert.ok(ratesFor(18.18, 50).includes(18.18));
});

test('what is chosen becomes moments and an estimate', () => {
  const given = { clip: walk, rate: 18, range: null, isBack: false, count: 4, now: 0.7 };
  assert.deepEqual(timesOf('picture', given), [0.7]);
  assert.equal(timesOf('frames', given).length, 4);
  assert.equal(timesOf('film', given).length, 24);
  const size = { width: 480, height: 360 };
  assert.equal(estimateText('film', 24, 18, size), '24 frames, 1.33 s, 480 × 360');
  assert.equal(estimateText('frames', 1, 18, size), '1 frame of 480 × 360');
  assert.equal(estimateText('picture', 1, 18, size), '480 × 360');
});

test('a sheet holds all cells, without overlap, in a handy shape', () => {
  const cell = { width: 160, height: 120 };
  for (const count of [1, 2, 5, 8, 12, 13, 24, 48]) {
    const { width, height, columns, rows, cells } = sheetLayout(count, cell, { gap: 2 });
    assert.equal(cells.length, count);
    assert.ok(columns * rows >= count && columns * (rows - 1) < count);
    assert.equal(new Set(cells.map(({ x, y }) => `${x},${y}`)).size, count);
    for (const { x, y } of cells) assert.ok(x + cell.width + 2 <= width && y + cell.height + 2 <= height);
    if (count >= 8) assert.ok(width / height > 0.8 && width / height < 3, `${count}: ${width} x ${height}`);
  }
  assert.equal(sheetLayout(12, cell, { columns: 5 }).rows, 3);
});

test('tiles cover a picture once', () => {
  const found = tiles(5000, 2049, 2048);
  assert.equal(found.length, 6);
  assert.equal(found.reduce((sum, { width, height }) => sum + width * height, 0), 5000 * 2049);
  assert.deepEqual(found.at(-1), { x: 4096, y: 2048, width: 904, height: 1 });
});

test('a point of the stage stays at its height, and in the middle', () => {
  const stage = { width: 400, height: 600 };
  assert.deepEqual(scaledPlace({ x: 200, y: 150 }, stage, { width: 1000, height: 1200 }), { x: 500, y: 300 });
  assert.deepEqual(scaledPlace({ x: 300, y: 0 }, stage, { width: 1000, height: 1200 }), { x: 700, y: 0 });
  assert.equal(scale(stage, { height: 1200 }), 2);
  assert.equal(scale(stage, { height: 100 }), 1, 'text stays readable');
});

const shell = `<meta http-equiv="Content-Security-Policy" content="script-src ossa:hash">
<!-- ossa:style --><pre>ossa:notices</pre>
<!-- ossa:script -->
<!-- ossa:data -->
</body>`;

test('the page is put together as it was built, whatever is in it', () => {
  const parts = { policy: "script-src 'sha256-x'", style: 'a{$&}', script: 'f("ossa:notices", "$1")', notices: 'A & B <c>' };
  const page = emptyPage(shell, parts);
  assert.equal(page, `<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-x'">
<style>a{$&}</style><pre>A &amp; B &lt;c></pre>
<script>f("ossa:notices", "$1")</script>
<!-- ossa:data -->
</body>`);
});

test('data is put into the page as the tool does, and nothing in it can end its element', () => {
  const files = [{ path: 'a</script>', base64: ['QUJD', 'RA=='] }, { path: 'b', base64: [] }];
  const text = pageWith('x<!-- ossa:data -->y', { title: '<b>', options: {} }, files).join('');
  assert.equal(
    text,
    'x<script type="application/json" id="ossa-data">{"title":"\\u003cb>","options":{},"files":[' +
      '\n{"path":"a\\u003c/script>","base64":"QUJDRA=="},\n{"path":"b","base64":""}]}</script>y',
  );
  const data = JSON.parse(/<script[^>]*>([^]*?)<\/script>/.exec(text)[1]);
  assert.deepEqual(data.files[0], { path: 'a</script>', base64: 'QUJDRA==' });
  assert.throws(() => pageWith('nothing', {}, []), /no place/);
});
