// SPDX-License-Identifier: MIT
//
// From the stage to a picture of another size: the height is scaled, and at the sides there is more or
// less to see. Pure.

const TILE = 2048; // pixels, of each side

/** Of the text: in a small picture it stays readable. */
export function scale(stage, picture) {
  return Math.max(1, picture.height / Math.max(1, stage.height));
}

/** A point of the stage in a picture. @param {{ x: number, y: number }} at */
export function scaledPlace({ x, y }, stage, picture) {
  const factor = picture.height / stage.height;
  return { x: picture.width / 2 + (x - stage.width / 2) * factor, y: y * factor };
}

/** All tiles but those at the right and at the bottom have the same size. */
export function tiles(width, height, most = TILE) {
  const found = [];
  for (let y = 0; y < height; y += most)
    for (let x = 0; x < width; x += most)
      found.push({ x, y, width: Math.min(most, width - x), height: Math.min(most, height - y) });
  return found;
}
