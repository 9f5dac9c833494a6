// SPDX-License-Identifier: MIT
//
// Where a panel goes so that all of it is inside the window. Pure.

const GAP = 4; // pixels between the button and the panel
const EDGE = 6; // pixels that stay free at the edges of the window

/**
 * Below the button if there is room, otherwise above it or where there is more room; flush with the
 * right or the left edge of the button, whichever is nearer to that edge of the window.
 * @param {{ left: number, right: number, top: number, bottom: number }} button
 * @param {{ width: number, height: number }} panel
 * @param {{ width: number, height: number }} size of the window
 */
export function placeBeside(button, panel, size) {
  const below = size.height - EDGE - (button.bottom + GAP);
  const above = button.top - GAP - EDGE;
  const isBelow = panel.height <= below || below >= above;
  const maxHeight = Math.max(0, Math.floor(isBelow ? below : above));
  const height = Math.min(panel.height, maxHeight);
  const isRight = button.left + button.right > size.width;
  const wanted = isRight ? button.right - panel.width : button.left;
  const left = Math.max(EDGE, Math.min(wanted, size.width - EDGE - panel.width));
  const top = isBelow ? button.bottom + GAP : button.top - GAP - height;
  return { left: Math.round(left), top: Math.round(top), maxHeight };
}
