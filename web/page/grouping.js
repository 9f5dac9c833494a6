// SPDX-License-Identifier: MIT
//
// What belongs together of all that was dropped. The library's own rules decide: a group is what it
// makes a scene of. First everything is tried as one; what does not fit together is split by game,
// then by folder, then by skeleton.
// Archives with models give a figure a model, files of a disc a figure a skeleton.
// Pure: what asks the library comes in as `models` and `fits`.

import { discFigures } from './disc.js';

/**
 * @typedef {object} Item a file, and what a look at it says
 * @property {string} path
 * @property {string|null} format null: unknown
 * @property {string} game
 * @property {string} kind of its format
 * @property {boolean} isBroken it cannot be read, or has errors: no scene takes it
 * @property {boolean} isCompanion an archive of nothing but textures and data bases
 * @property {import('./disc.js').Disc|null} [disc] what was found in a file of a disc
 *
 * @typedef {object} Figure
 * @property {string} name
 * @property {string[]} words
 * @property {string[]} paths the files that are in it
 *
 * @typedef {object} Library
 * @property {(path: string) => {name: string}[]} models
 * @property {(words: string[]) => {name: string}|null} fits the scene's name, or null for a misfit
 */

// So many attempts at one group and no more: a folder of thousands that fit nowhere must not hang.
const MOST_ATTEMPTS = 400;

/**
 * @param {Item[]} items all files, in the order they came
 * @param {Library} library
 * @returns {{ figures: Figure[], unplaced: string[] }}
 */
export function group(items, library) {
  const usable = items.filter((item) => item.format !== null && !item.isBroken);
  const whole = new FolderIndex(items);
  const figures = [];
  const unplaced = [];
  const companions = usable.filter((item) => item.isCompanion);
  const rest = [];
  const takesCompanions = usable.some((item) => modelsOf(item, library).length > 0);
  for (const item of usable) {
    const models = modelsOf(item, library);
    if (models.length > 0)
      figures.push(...models.map((model) => ofModel(item, model, usable, companions)));
    else if (!(item.isCompanion && takesCompanions)) rest.push(item);
  }
  const attempts = { left: MOST_ATTEMPTS };
  split(rest, { library, whole, figures, unplaced, attempts });
  figures.push(...discFigures(items.filter((item) => item.disc)));
  return { figures, unplaced };
}

function modelsOf(item, library) {
  return item.kind === 'archive' && !item.isCompanion ? library.models(item.path) : [];
}

// A model of an archive, with the textures and data bases that were dropped along; the library
// takes of an archive only what is named like the model, of loose files this does.
function ofModel(item, model, usable, companions) {
  const loose = usable.filter(
    (other) =>
      ['ei-mmp', 'ei-adb'].includes(other.format) &&
      stem(other.path).startsWith(model.name.toLowerCase()),
  );
  const along = [...companions, ...loose].map((other) => other.path);
  return {
    name: model.name,
    words: [`${item.path}#${model.name}`, ...along],
    paths: [item.path, ...along],
  };
}

function split(items, work) {
  if (items.length === 0) return;
  if (take(items, work)) return;
  const parts = byGame(items) ?? byFolder(items);
  if (parts) for (const part of parts) split(part, work);
  else bySkeleton(items, work);
}

function take(items, work) {
  if (work.attempts.left <= 0) return false;
  work.attempts.left -= 1;
  const words = work.whole.words(items);
  const scene = work.library.fits(words);
  if (!scene) return false;
  const paths = items.map((item) => item.path);
  work.figures.push({ name: figureName(paths, scene.name), words, paths });
  return true;
}

function byGame(items) {
  const games = grouped(items, (item) => item.game);
  return games.length > 1 ? games : null;
}

// At the first folder where the paths part: one group for each folder, one for all loose files.
function byFolder(items) {
  const common = commonFolder(items.map((item) => item.path));
  const groups = grouped(items, (item) => {
    const below = item.path.slice(common.length);
    const slash = below.indexOf('/');
    return slash < 0 ? '' : below.slice(0, slash);
  });
  return groups.length > 1 ? groups : null;
}

// Files side by side that do not fit together: each archive by itself, each skeleton or model with
// the animations that fit it, and what is left by itself.
function bySkeleton(items, work) {
  const archives = items.filter((item) => item.kind === 'archive');
  const bodies = items.filter((item) => item.kind === 'skeleton' || item.kind === 'model');
  let others = items.filter((item) => !archives.includes(item) && !bodies.includes(item));
  for (const archive of archives) takeAlone(archive, work);
  for (const body of bodies.length > 1 || archives.length > 0 ? bodies : []) {
    const fitting = others.filter(
      (other) => work.attempts.left-- > 0 && work.library.fits([body.path, other.path]),
    );
    if (take([body, ...fitting], work)) others = others.filter((other) => !fitting.includes(other));
    else takeAlone(body, work);
  }
  const left =
    bodies.length > 1 || archives.length > 0
      ? others
      : items.filter((item) => !archives.includes(item));
  if (left.length > 0 && left.length < items.length && take(left, work)) return;
  for (const item of left) takeAlone(item, work);
}

function takeAlone(item, work) {
  if (!take([item], work)) work.unplaced.push(item.path);
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return [...groups.values()];
}

/** Which files lie in which folder, so that a whole folder can be said as one word. */
class FolderIndex {
  #countBelow = new Map();

  constructor(items) {
    for (const item of items) {
      // What no format knows is passed over in a folder; a broken file must not come back in with it,
      // nor a disc that begins like a file.
      if (item.format === null && !item.isBroken && !item.disc) continue;
      for (const folder of foldersOf(item.path)) {
        this.#countBelow.set(folder, (this.#countBelow.get(folder) ?? 0) + 1);
      }
    }
  }

  words(items) {
    const here = new Map();
    for (const item of items)
      for (const folder of foldersOf(item.path)) here.set(folder, (here.get(folder) ?? 0) + 1);
    const words = [];
    for (const item of items) {
      const word =
        foldersOf(item.path).find((folder) => here.get(folder) === this.#countBelow.get(folder)) ??
        item.path;
      if (!words.includes(word)) words.push(word);
    }
    return words;
  }
}

// From the outermost to the innermost.
function foldersOf(path) {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** Up to and with the last slash that all have in common; '' for none. */
export function commonFolder(paths) {
  if (paths.length === 0) return '';
  let common = paths[0].slice(0, paths[0].lastIndexOf('/') + 1);
  for (const path of paths) {
    while (!path.startsWith(common))
      common = common.slice(0, common.slice(0, -1).lastIndexOf('/') + 1);
  }
  return common;
}

function figureName(paths, sceneName) {
  if (sceneName) return sceneName;
  if (paths.length === 1) return stem(paths[0]);
  return commonFolder(paths).replace(/\/$/, '').split('/').pop() || stem(paths[0]);
}

function stem(path) {
  return path
    .split(/[/#]/)
    .pop()
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
}
