// SPDX-License-Identifier: MIT
//
// Keys for every command. A key that the focused element uses is left to it: letters in a text field,
// Space on a button or a box, arrows in a list.

import { byId, el } from './dom.js';

/**
 * @typedef {{ keys: string[], shown: string, does: string, run: (event: KeyboardEvent) => void }} Shortcut
 * `keys` are values of event.key, or of event.code with a leading colon. Both may follow "Shift+".
 */

const TYPED_INTO =
  'input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]';

function nameOf(event) {
  const shift =
    event.shiftKey && (event.key.length > 1 || event.code.startsWith('Digit')) ? 'Shift+' : '';
  return {
    byKey: `${shift}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`,
    byCode: `:${event.shiftKey ? 'Shift+' : ''}${event.code}`,
  };
}

/** @param {Shortcut[]} shortcuts */
export function listen(shortcuts) {
  const table = new Map();
  for (const shortcut of shortcuts)
    for (const key of shortcut.keys) {
      if (table.has(key)) throw new Error(`two actions have the key ${key}`);
      table.set(key, shortcut);
    }
  document.addEventListener('keydown', (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.isComposing
    )
      return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.(TYPED_INTO) || document.querySelector('dialog[open]')) return;
    // A slider has these keys.
    if (target.closest?.('[type=range]') && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    const { byKey, byCode } = nameOf(event);
    // With Shift, a letter may mean something else; if it does not, it means the same.
    const shifted = event.shiftKey ? table.get(byCode) : undefined;
    const shortcut = shifted ?? table.get(byKey) ?? table.get(byCode);
    if (!shortcut) return;
    if (
      (event.key === ' ' || event.key === 'Enter') &&
      target.closest?.('button, a, summary, [type=checkbox], [role=separator]')
    )
      return;
    if (event.key.startsWith('Arrow') && target.closest?.('[role=separator], [role=menu]')) return;
    event.preventDefault();
    shortcut.run(event);
  });
  // A clicked button would keep the focus and take the next Space: the focus returns to the stage.
  document.addEventListener('click', (event) => {
    // By composedPath: the click may have replaced the icon of the button.
    const path = /** @type {Element[]} */ (event.composedPath());
    const button = path.find((part) => part.matches?.('.bar button, .transport button'));
    if (event.detail > 0 && button && !button.closest('[aria-haspopup], .menu'))
      byId('picture').focus({ preventScroll: true });
  });
}

/** @param {Shortcut[]} shortcuts */
export function fillHelp(shortcuts) {
  byId('help-keys').replaceChildren(
    ...shortcuts.map(({ shown, does }) =>
      el('div', {}, el('span', { text: does }), el('kbd', { text: shown })),
    ),
  );
}
