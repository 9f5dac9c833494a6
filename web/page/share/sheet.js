// SPDX-License-Identifier: MIT
//
// A contact sheet: rows of frames in one picture. Pure.

const SHAPE = 16 / 10; // of the sheet, roughly, unless the number of columns is given

/**
 * @param {number} count of frames @param {{ width: number, height: number }} cell
 * @param {{ columns?: number, gap?: number }} [options]
 */
export function sheetLayout(count, cell, { columns = 0, gap = 0 } = {}) {
  const across = Math.min(count, columns || bestColumns(count, cell));
  const rows = Math.ceil(count / across);
  const step = { x: cell.width + gap, y: cell.height + gap };
  return {
    columns: across,
    rows,
    width: across * step.x + gap,
    height: rows * step.y + gap,
    cells: Array.from({ length: count }, (_, i) => ({
      x: gap + (i % across) * step.x,
      y: gap + Math.floor(i / across) * step.y,
    })),
  };
}

// Few empty cells, and a shape that is neither a strip nor a tower.
function bestColumns(count, { width, height }) {
  let best = 1;
  let least = Infinity;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const shape = (columns * width) / (rows * height);
    const cost = Math.abs(Math.log(shape / SHAPE)) + (rows * columns - count) / count;
    if (cost < least - 1e-9) [best, least] = [columns, cost];
  }
  return best;
}
