// SPDX-License-Identifier: MIT
//
// The formats that the library knows, on the page before any file is opened.

import { byId, el } from './dom.js';

/** @param {{ game: string, extensions: string[] }[]} formats */
export function listFormats(formats) {
  const games = new Map();
  for (const { game, extensions } of formats)
    for (const extension of extensions)
      games.set(game, (games.get(game) ?? new Set()).add(extension.toUpperCase()));
  const row = ([game, extensions]) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', text: game }),
      el('td', { text: [...extensions].join(', ') }),
    );
  byId('welcome-formats').replaceChildren(...[...games].map(row));
}
