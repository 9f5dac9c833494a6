// SPDX-License-Identifier: MIT
//
// Which of the two side panels are open, for every width of the window. Pure.
//
// two: both fit beside the stage. one: one fits. That is the right one if it is open; then the left one
// comes as a drawer, which covers a part of the stage. drawers: none fits. sheet: the panels are a sheet
// below the stage, see SHEET.

/** A phone held upright: a media query. */
export const SHEET = '(max-width: 699px) and (orientation: portrait)';

const FOR_TWO = 1000; // pixels of the window
const FOR_ONE = 620;

/** @typedef {'left'|'right'} Side */
/** @typedef {'two'|'one'|'drawers'|'sheet'} Mode */
/** @typedef {'docked'|'drawer'|'closed'} Place */

/** @param {number} width of the window @param {boolean} isSheet @returns {Mode} */
export function modeOf(width, isSheet) {
  if (isSheet) return 'sheet';
  if (width >= FOR_TWO) return 'two';
  return width >= FOR_ONE ? 'one' : 'drawers';
}

const other = (side) => (side === 'left' ? 'right' : 'left');

export class Panes {
  /** @type {Mode} */
  #mode = 'two';
  #wanted = { left: true, right: true }; // by the user, wherever there is room
  #open = { left: true, right: true };
  /** @type {Side} used last: it stays if there is room for one */
  #last = 'left';
  /** @type {Side|null} */
  #drawer = null;

  get mode() {
    return this.#mode;
  }

  /** The window has another size. Returns whether that changes anything. @param {Mode} mode */
  setMode(mode) {
    if (mode === this.#mode) return false;
    this.#mode = mode;
    this.#drawer = null;
    this.#open = { ...this.#wanted };
    if (mode === 'one' && this.#open.left && this.#open.right) this.#open[other(this.#last)] = false;
    if (mode === 'drawers') this.#open = { left: false, right: false };
    return true;
  }

  /** @param {Side} side @returns {Place} */
  place(side) {
    if (!this.#open[side]) return 'closed';
    return this.#drawer === side ? 'drawer' : 'docked';
  }

  /** @param {Side} side */
  isOpen(side) {
    return this.#open[side];
  }

  /** The user opens or closes a panel. @param {Side} side @param {boolean} isOpen */
  set(side, isOpen) {
    const isDrawer = this.#drawer === side;
    if (isOpen || !isDrawer) this.#wanted[side] = isOpen; // a drawer is closed to see the stage
    if (isOpen) this.use(side);
    if (isOpen === this.#open[side]) return;
    this.#open[side] = isOpen;
    if (this.#mode === 'drawers') {
      this.#open[other(side)] = false;
      this.#drawer = isOpen ? side : null;
    } else if (this.#mode === 'one') {
      if (side === 'right') this.#open.left = isOpen ? false : this.#wanted.left;
      this.#drawer = side === 'left' && isOpen && this.#open.right ? 'left' : null;
    }
  }

  /** The user does something in a panel. @param {Side} side */
  use(side) {
    this.#last = side;
  }

  /** The drawer, if one is open. */
  get drawer() {
    return this.#drawer;
  }
}
