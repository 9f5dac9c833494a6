// SPDX-License-Identifier: MIT
//
// A bar with more buttons than fit: first the buttons lose their words, then a group of them moves into
// a panel that a button opens. It is measured, so a bar may get more buttons at any time.

import { Menu } from './menu.js';

const LEVELS = [[], ['short'], ['short', 'folded']]; // classes of the bar

/**
 * @param {HTMLElement} bar
 * @param {HTMLElement} button opens the panel; it is only there if the panel is folded
 * @param {HTMLElement} panel part of the bar while there is room for it
 */
export function foldIfNarrow(bar, button, panel) {
  const menu = new Menu(button, panel);
  const apply = (to) => {
    const isFolded = LEVELS[to].includes('folded');
    for (const name of LEVELS.at(-1)) bar.classList.toggle(name, LEVELS[to].includes(name));
    if (!isFolded) menu.close();
    panel.classList.toggle('menu', isFolded);
    panel.hidden = isFolded && !menu.isOpen;
    button.hidden = !isFolded;
  };
  const fit = () => {
    if (menu.isOpen && bar.scrollWidth <= bar.clientWidth) return;
    const focused = document.activeElement;
    for (let level = 0; level < LEVELS.length; level++) {
      apply(level);
      if (bar.scrollWidth <= bar.clientWidth || level === LEVELS.length - 1) break;
    }
    if (focused !== document.activeElement) /** @type {HTMLElement} */ (focused).focus();
  };
  // Opening the panel, and what is done here, is no reason to measure again.
  const isOwn = ({ target }) => target === panel || target === button;
  const changes = new MutationObserver((records) => {
    if (!records.every(isOwn)) fit();
    changes.takeRecords();
  });
  changes.observe(bar, { subtree: true, childList: true, attributeFilter: ['hidden'] });
  changes.observe(document.body, { attributeFilter: ['class'] }); // it may hide some of the buttons
  new ResizeObserver(fit).observe(bar);
  fit();
}
