// SPDX-License-Identifier: MIT
//
// The arithmetic of the byte view: rows, and how a scroll bar of limited height covers a file of any
// size. Browsers limit elements to about 17 million pixels, but a file of 100 MB has 6 million rows. So
// the height is limited, and rows are found by proportion. Pure.

export const TALLEST = 8_000_000;

/** How many bytes fit into a row: 16, 8 or 4. */
export function bytesPerRow(width, charWidth) {
  // 8 digits, two blanks, "xx " per byte, a blank, one character per byte, and some space.
  const fits = (count) => (8 + 2 + count * 3 + 1 + count) * charWidth + 24 <= width;
  return [16, 8].find(fits) ?? 4;
}

export function rowCount(size, perRow) {
  return Math.ceil(size / perRow);
}

/** The height of all rows, up to the limit of an element. */
export function spacerHeight(rows, rowHeight) {
  return Math.min(rows * rowHeight, TALLEST);
}

/** The last row that can be at the top. */
export function lastTopRow(rows, rowHeight, viewHeight) {
  return Math.max(0, rows - Math.floor(viewHeight / rowHeight));
}

/** The row at the top if the bar is at `scrollTop`; not rounded. */
export function rowAtScroll(scrollTop, rows, rowHeight, viewHeight) {
  const way = spacerHeight(rows, rowHeight) - viewHeight;
  if (way <= 0) return 0;
  if (rows * rowHeight <= TALLEST) return scrollTop / rowHeight;
  return (Math.min(scrollTop, way) / way) * lastTopRow(rows, rowHeight, viewHeight);
}

/** The position of the bar if a row is at the top. */
export function scrollOfRow(row, rows, rowHeight, viewHeight) {
  const way = spacerHeight(rows, rowHeight) - viewHeight;
  if (way <= 0) return 0;
  if (rows * rowHeight <= TALLEST) return row * rowHeight;
  return (row / Math.max(1, lastTopRow(rows, rowHeight, viewHeight))) * way;
}

/** The field at an offset, in a list that is sorted by offset; -1: none. */
export function fieldIndexAt(fields, offset) {
  let low = 0;
  let high = fields.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (fields[middle].offset <= offset) low = middle + 1;
    else high = middle - 1;
  }
  // Of nested fields, the innermost that reaches the offset.
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
