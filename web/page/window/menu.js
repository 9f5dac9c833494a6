// SPDX-License-Identifier: MIT
//
// A button that opens a panel: a menu, or a few controls. One implementation of opening, closing, arrow
// keys and the focus for all of them. The panel is placed inside the window, wherever its button is.

import { byId } from './dom.js';
import { placeBeside } from './menu_place.js';

/**
 * Connects a button with the panel that it opens. A panel with role="menu" has menu items: the arrow
 * keys, Home and End move between them, and choosing one closes it. Any other panel has controls that
 * stay open: Tab moves, and leaving it closes it. Escape or a press elsewhere closes both.
 * Only one is open at a time.
 */
export class Menu {
  /** @type {Menu|null} */
  static #open = null;
  #button;
  #panel;
  #opening;
  #otherwise;

  /**
   * @param {string|HTMLElement} button an element or its id
   * @param {string|HTMLElement} panel
   * @param {{ opening?: () => void, choose?: (item: HTMLElement) => void, otherwise?: HTMLElement }} [options]
   *   `opening` brings the panel up to date, `choose` gets the clicked menu item, `otherwise` takes the
   *   place of the button while that is hidden
   */
  constructor(button, panel, { opening = () => {}, choose, otherwise } = {}) {
    this.#button = typeof button === 'string' ? byId(button) : button;
    this.#panel = typeof panel === 'string' ? byId(panel) : panel;
    this.#opening = opening;
    this.#otherwise = otherwise;
    const isMenu = this.#panel.getAttribute('role') === 'menu';
    this.#button.setAttribute('aria-haspopup', isMenu ? 'menu' : 'dialog');
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.setAttribute('aria-controls', this.#panel.id);
    this.#button.addEventListener('click', () => this.toggle());
    this.#panel.addEventListener('keydown', (event) => this.#key(event, isMenu));
    this.#panel.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget && !this.#has(relatedTarget)) this.close(false);
    });
    if (isMenu)
      this.#panel.addEventListener('click', (event) => {
        const item = event.target.closest('[role^="menuitem"]');
        if (!item || item.disabled) return;
        this.close(true);
        choose?.(item);
      });
  }

  get isOpen() {
    return Menu.#open === this;
  }

  toggle() {
    if (this.isOpen) this.close(true);
    else this.open();
  }

  open() {
    if (this.isOpen || !this.#anchor) return;
    Menu.#open?.close(false);
    Menu.#open = this;
    this.#opening();
    this.#panel.hidden = false;
    this.#panel.classList.add('open');
    this.#button.setAttribute('aria-expanded', 'true');
    this.place();
    this.#items()[0]?.focus();
  }

  /** @param {boolean} isFocused whether the focus returns to the button */
  close(isFocused = false) {
    if (!this.isOpen) return;
    Menu.#open = null;
    this.#panel.classList.remove('open');
    this.#panel.hidden = true;
    this.#panel.style.cssText = '';
    this.#button.setAttribute('aria-expanded', 'false');
    if (isFocused) this.#anchor?.focus();
  }

  /** Where the panel is: beside the button, or what takes its place; null: both are hidden. */
  get #anchor() {
    return [this.#button, this.#otherwise].find((button) => button && button.offsetParent !== null) ?? null;
  }

  /** Put the panel beside the button again, after its content has changed. */
  place() {
    const style = this.#panel.style;
    style.cssText = 'position: fixed; left: 0; top: 0';
    const { width, height } = this.#panel.getBoundingClientRect();
    const size = { width: window.innerWidth, height: window.innerHeight };
    const at = placeBeside((this.#anchor ?? this.#button).getBoundingClientRect(), { width, height }, size);
    style.left = `${at.left}px`;
    style.top = `${at.top}px`;
    style.maxHeight = `${at.maxHeight}px`;
  }

  #has(element) {
    return this.#panel.contains(element) || this.#button.contains(element);
  }

  #items() {
    const usable = 'button, input, select, [tabindex="0"]';
    return [...this.#panel.querySelectorAll(usable)].filter(
      (item) => !item.disabled && item.offsetParent !== null,
    );
  }

  #key(event, isMenu) {
    const items = this.#items();
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Escape') this.close(true);
    else if (isMenu && event.key === 'Tab') {
      this.close(true);
      return; // and the focus moves on from the button
    } else if (isMenu && to !== undefined) items.at(to % items.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  static {
    globalThis.document?.addEventListener('pointerdown', ({ target }) => {
      const open = Menu.#open;
      if (open && !open.#has(target)) open.close(false);
    });
    globalThis.window?.addEventListener('resize', () => {
      const open = Menu.#open;
      if (!open) return;
      if (!open.#anchor) open.close(false);
      else open.place();
    });
  }
}
