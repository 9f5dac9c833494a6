// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  bytesPerRow,
  fieldAt,
  hex,
  lastTopRow,
  rowAtScroll,
  rowCount,
  scrollOfRow,
  spacerHeight,
  TALLEST,
} from '../../../web/page/panels/hex_rows.js';

test('rows are as wide as the view allows', () => {
  assert.equal(bytesPerRow(700, 7.2), 16);
  assert.equal(bytesPerRow(350, 7.2), 8);
  assert.equal(bytesPerRow(200, 7.2), 4);
});

test('the last row may be short', () => {
  assert.equal(rowCount(0, 16), 0);
  assert.equal(rowCount(16, 16), 1);
  assert.equal(rowCount(17, 16), 2);
});

test('a small file scrolls pixel by pixel', () => {
  const rows = rowCount(10_000, 16);
  assert.equal(spacerHeight(rows, 19), rows * 19);
  assert.equal(rowAtScroll(190, rows, 19, 400), 10);
  assert.equal(scrollOfRow(10, rows, 19, 400), 190);
});

test('a file that fits has no way to scroll', () => {
  assert.equal(rowAtScroll(50, 3, 19, 400), 0);
  assert.equal(scrollOfRow(2, 3, 19, 400), 0);
  assert.equal(lastTopRow(3, 19, 400), 0);
});

test('a large file fits a bar that is cut, from the first row to the last', () => {
  const rows = rowCount(200_000_000, 16);
  const height = spacerHeight(rows, 19);
  assert.equal(height, TALLEST);
  const last = lastTopRow(rows, 19, 400);
  assert.equal(rowAtScroll(0, rows, 19, 400), 0);
  assert.equal(Math.round(rowAtScroll(height - 400, rows, 19, 400)), last);
  for (const row of [0, 1, 12_345, 6_000_000, last]) {
    assert.equal(Math.round(rowAtScroll(scrollOfRow(row, rows, 19, 400), rows, 19, 400)), row);
  }
  assert.ok(last + Math.floor(400 / 19) >= rows, 'the last row can be seen');
});

test('the field at an offset', () => {
  const fields = [
    { offset: 0, size: 4 },
    { offset: 4, size: 2 },
    { offset: 8, size: 100 },
    { offset: 10, size: 2 },
  ];
  assert.equal(fieldAt(fields, 0), fields[0]);
  assert.equal(fieldAt(fields, 3), fields[0]);
  assert.equal(fieldAt(fields, 5), fields[1]);
  assert.equal(fieldAt(fields, 6), null);
  assert.equal(fieldAt(fields, 11), fields[3]);
  assert.equal(fieldAt(fields, 12), fields[2]);
  assert.equal(fieldAt(fields, 108), null);
  assert.equal(fieldAt([], 0), null);
});

test('digits', () => {
  assert.equal(hex(255, 8), '000000ff');
  assert.equal(hex(0x1f40, 1), '1f40');
});
