// SPDX-License-Identifier: MIT
//
// The list of figures: what the library has found, together with those that are specified or opened by
// hand, and which one is shown after files were added. Pure.

import { figureNote } from './describe.js';

/** A figure of the list, as the library has found it. */
export function figureOf(found) {
  return {
    name: found.name,
    words: found.paths,
    paths: found.files,
    missing: found.missing,
    note: figureNote(found),
    boneCount: found.boneCount,
    clipCount: found.clipCount,
    options: {},
  };
}

/** One that the embedded data specifies, which stays when others are found.
 * @param {{ name: string, words: string[], options?: object }} pin @param {Iterable<string>} paths of all files */
export function pinnedFigure({ name, words, options = {} }, paths) {
  return { name, words, options, paths: [...paths].filter((path) => words.some((word) => isOf(word, path))), isPinned: true };
}

function isOf(word, path) {
  return word === path || path.startsWith(`${word.replace(/\/$/, '')}/`) || word.startsWith(`${path}#`);
}

/** The list after the figures were found again. @param {any[]} before @param {any[]} found */
export function mergedFigures(before, found) {
  // A pinned figure that lacks something may find it among the new files.
  const pinned = before.filter((figure) => figure.isPinned && !figure.isAsking);
  const settled = new Set(pinned.flatMap((figure) => figure.paths));
  const extras = before.filter((figure) => figure.isExtra);
  const known = before.filter((figure) => !figure.isExtra && !pinned.includes(figure));
  // A figure that was there stays the same object, with what the user has chosen for it, even if the
  // new files belong to it.
  const taken = new Set();
  const same = (figure) => {
    const old =
      known.find((other) => !taken.has(other) && other.words[0] === figure.words[0]) ??
      known.find((other) => !taken.has(other) && other.words.some((word) => figure.words.includes(word)));
    if (!old) return figure;
    taken.add(old);
    const { options } = old;
    return Object.assign(old, figure, { options, isPinned: false });
  };
  const others = found.filter((figure) => !figure.paths.every((path) => settled.has(path)));
  return [...pinned, ...others.map(same), ...extras];
}

/**
 * The figure to show after files were added: one that has some of them; null or undefined: none.
 * @param {any[]} figures now @param {Set<any>} before those that were there @param {any} shown @param {string[]} added
 */
export function nextFigure(figures, before, shown, added) {
  const isNew = new Set(added);
  const hasNew = (figure) => figure.paths.some((path) => isNew.has(path));
  const starts = (figure) => isNew.has(figure.words[0]?.split('#')[0]);
  return (
    figures.find((figure) => !before.has(figure) && hasNew(figure)) ??
    (figures.includes(shown) && hasNew(shown) ? shown : null) ??
    figures.find(starts) ??
    (shown ? null : figures.find(hasNew))
  );
}
