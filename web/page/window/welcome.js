// SPDX-License-Identifier: MIT
//
// The page before any file is opened: a drawing, what to open for each game, and a figure to try. What
// is said about games comes from the library.

import { byId, el } from './dom.js';
import { strobe } from './strobe.js';

/**
 * The games of the library, each with the files to open and the extensions of its formats. Pure.
 * @param {{ game: string, open: string, extensions: string[] }[]} formats
 * @returns {{ name: string, years: string, open: string, extensions: string[] }[]}
 */
export function gamesOf(formats) {
  const games = new Map();
  for (const { game, open, extensions } of formats) {
    const [, name, years = ''] = /^(.*?)(?: \(([^)]*)\))?$/.exec(game);
    if (!games.has(game)) games.set(game, { name, years, open, extensions: new Set() });
    for (const extension of extensions) games.get(game).extensions.add(extension.toUpperCase());
  }
  return [...games.values()].map((game) => ({ ...game, extensions: [...game.extensions] }));
}

/** @param {Parameters<typeof gamesOf>[0]} formats */
export function listFormats(formats) {
  const row = ({ name, years, open, extensions }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, name, years ? el('small', { text: years }) : null),
      el('td', { text: open }),
      el('td', { class: 'endings', text: extensions.join(' ') }),
    );
  byId('welcome-formats').replaceChildren(...gamesOf(formats).map(row));
  byId('welcome-art').innerHTML = strobe();
}

/**
 * The button that opens the bundled figure.
 * @param {() => Promise<import('../state/files.js').Dropped[]>} sample
 * @param {(files: Promise<import('../state/files.js').Dropped[]>) => Promise<void>} open
 */
export function setUpTrying(sample, open) {
  byId('welcome-sample').addEventListener('click', () => open(sample()));
}
