// SPDX-License-Identifier: MIT
//
// Large files of a disc of Shadow of the Colossus. They have no directory: the library finds what is
// in them, and nothing says what belongs together. What can be known is the number of bones, so that
// every skeleton is offered with the animations that have as many.
// Pure, but for the workspace that is handed in.

import { plural } from './dom.js';

/**
 * @typedef {object} Part a skeleton or an animation
 * @property {string} word
 * @property {string} name what it calls itself, or its place
 * @property {number} bones
 *
 * @typedef {object} Disc
 * @property {any[]} entries as the library lists them
 * @property {Part[]} bodies skeletons
 * @property {Part[]} moves animations
 * @property {Set<string>} broken names of entries that are damaged
 */

const BODY = 'sotc-skb';
const MOVE = 'sotc-anb';
/** Of a figure: all of them are made into a scene at once. */
export const MOST_MOVES = 250;
/** Figures, of all discs; the others can be had from the tree. */
export const MOST_BODIES = 2000;

/**
 * What is found in a file; null: it is no such file.
 * @returns {Disc|null}
 */
export function searchDisc(workspace, path) {
  try {
    const entries = workspace.entries(path);
    return { entries, bodies: [], moves: [], broken: new Set() };
  } catch (error) {
    if (error.code === 'crashed') throw error;
    return null;
  }
}

/** Read what has bones, for how many: a step for each, so that the page can have its turn. */
export function* readParts(workspace, path, disc) {
  const parts = disc.entries.filter(({ format }) => format === BODY || format === MOVE);
  for (const [index, entry] of parts.entries()) {
    const word = `${path}#${entry.name}`;
    const bones = countBones(workspace, word, entry.format);
    const part = { word, name: entry.ownName ?? entry.name.replace(/\.\w+$/, ''), bones };
    if (bones === 0) disc.broken.add(entry.name);
    else (entry.format === BODY ? disc.bodies : disc.moves).push(part);
    yield { done: index + 1, all: parts.length };
  }
}

// 0 where it cannot be read, or breaks rules of its format: no scene takes it then.
function countBones(workspace, word, format) {
  let file = null;
  try {
    file = workspace.open(word);
    const { facts } = file.facts();
    return file.errorCount > 0 ? 0 : format === BODY ? facts.joints : facts.bones;
  } catch (error) {
    if (error.code === 'crashed') throw error;
    return 0;
  } finally {
    file?.free();
  }
}

/**
 * The figures of all discs together: a skeleton may lie on one, and its animations on another.
 * @param {{ path: string, disc: Disc }[]} items
 */
export function discFigures(items) {
  const figures = [];
  const moves = new Map(items.map(({ path, disc }) => [path, byBones(disc.moves)]));
  for (const { path, disc } of items) {
    for (const body of disc.bodies) {
      if (figures.length === MOST_BODIES) return figures;
      figures.push(figureOf(path, body, moves));
    }
  }
  return figures;
}

// Animations of the skeleton's own file come first.
function figureOf(path, body, moves) {
  const words = [body.word];
  const paths = [path];
  let count = 0;
  for (const other of [path, ...[...moves.keys()].filter((key) => key !== path)]) {
    const fitting = moves.get(other).get(body.bones) ?? [];
    count += fitting.length;
    const taken = fitting.slice(0, MOST_MOVES + 1 - words.length);
    words.push(...taken.map((move) => move.word));
    if (taken.length > 0 && other !== path) paths.push(other);
  }
  return { name: body.name, words, paths, note: noteOf(body.bones, words.length - 1, count) };
}

// A number is all that joins them, and whoever sees it must know.
function noteOf(bones, taken, fitting) {
  if (fitting === 0) return `No animation was found that has ${bones} bones, like it.`;
  const those = taken < fitting ? `the first ${taken} of the ${fitting}` : `the ${fitting}`;
  const clips =
    fitting === 1 ? 'Its clip is the one animation' : `Its clips are ${those} animations`;
  return `${clips} found with ${bones} bones, like it; nothing on the disc says which are its own.`;
}

function byBones(parts) {
  const groups = new Map();
  for (const part of parts) {
    if (!groups.has(part.bones)) groups.set(part.bones, []);
    groups.get(part.bones).push(part);
  }
  return groups;
}

const KINDS = [
  ['skeletons', /\.skb$/],
  ['animations', /\.anb$/],
  ['models', /\.nmo$/],
  ['textures', /\.nto$/],
  ['others', /\.xff$/],
];

/** How many there are of what, for people: names and values. */
export function discFacts({ entries, bodies, moves, broken }) {
  const counts = KINDS.map(([name, pattern]) => [
    name,
    entries.filter((entry) => pattern.test(entry.name)).length,
  ]).filter(([, count]) => count > 0);
  const known = new Set(bodies.map((body) => body.bones));
  const alone = moves.filter((move) => !known.has(move.bones)).length;
  return [
    ['what', `a file of a disc: ${plural(entries.length, 'file')} of Shadow of the Colossus in it`],
    ...counts,
    ...(alone > 0 ? [['no skeleton', `for ${plural(alone, 'animation')}, by their bones`]] : []),
    ...(broken.size > 0 ? [['damaged', broken.size]] : []),
  ];
}
