// SPDX-License-Identifier: MIT
//
// The arithmetic of the byte view: rows, and how a scroll bar of limited height goes over files of
// any size. Browsers do not make elements of more than some 17 million pixels, a file of 100 MB has
// 6 million rows; so the bar's way is cut and rows are found by proportion. Pure.

export const TALLEST = 8_000_000;

/** How many bytes go into a row of a width: 16, 8 or 4. */
export function bytesPerRow(width, charWidth) {
  // 8 digits, two blanks, "xx " a byte, a blank, a character a byte, and a little air.
  const fits = (count) => (8 + 2 + count * 3 + 1 + count) * charWidth + 24 <= width;
  return [16, 8].find(fits) ?? 4;
}

export function rowCount(size, perRow) {
  return Math.ceil(size / perRow);
}

/** The height of all rows, as far as an element can have it. */
export function spacerHeight(rows, rowHeight) {
  return Math.min(rows * rowHeight, TALLEST);
}

/** The topmost row that may be scrolled to. */
export function lastTopRow(rows, rowHeight, viewHeight) {
  return Math.max(0, rows - Math.floor(viewHeight / rowHeight));
}

/** Which row is topmost when the bar is at `scrollTop`; not rounded. */
export function rowAtScroll(scrollTop, rows, rowHeight, viewHeight) {
  const way = spacerHeight(rows, rowHeight) - viewHeight;
  if (way <= 0) return 0;
  if (rows * rowHeight <= TALLEST) return scrollTop / rowHeight;
  return (Math.min(scrollTop, way) / way) * lastTopRow(rows, rowHeight, viewHeight);
}

/** Where the bar is when a row is topmost. */
export function scrollOfRow(row, rows, rowHeight, viewHeight) {
  const way = spacerHeight(rows, rowHeight) - viewHeight;
  if (way <= 0) return 0;
  if (rows * rowHeight <= TALLEST) return row * rowHeight;
  return (row / Math.max(1, lastTopRow(rows, rowHeight, viewHeight))) * way;
}

/** Which field an offset is in, of fields in the order of their offsets; -1: in none. */
export function fieldIndexAt(fields, offset) {
  let low = 0;
  let high = fields.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (fields[middle].offset <= offset) low = middle + 1;
    else high = middle - 1;
  }
  // Of fields that begin at the same place, or one in another, the innermost that reaches here.
  for (let i = high; i >= 0 && i > high - 8; i--) {
    if (offset < fields[i].offset + fields[i].size) return i;
  }
  return -1;
}

export function fieldAt(fields, offset) {
  return fields[fieldIndexAt(fields, offset)] ?? null;
}

export function hex(value, digits) {
  return value.toString(16).padStart(digits, '0');
}
