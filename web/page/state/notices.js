// SPDX-License-Identifier: MIT
//
// What the page says about files that were added. Pure.

import { bytesText, lastName, ownMessage, plural } from '../window/dom.js';

/** Whether an item is a sheet whose image is not there. */
export function lacksImage(item) {
  return item.error?.code === 'io';
}

function isUnknown(item) {
  return item.format === null && !item.isBroken && !item.found;
}

/** @param {any[]} items of which no figure is made, at least one */
export function unplayedText(items) {
  const disc = items.find((item) => item.found);
  const sheet = items.find(lacksImage);
  const unknown = items.filter(isUnknown);
  if (sheet) return `${lastName(sheet.path)}: ${ownMessage(sheet.error, sheet.path)}. Add it, too.`;
  if (disc)
    return `${lastName(disc.path)} contains no skeleton. Everything that was found in it is listed under Files.`;
  if (unknown.length < items.length)
    return 'There is nothing to play in these files. The Info tab says what they are.';
  const what = unknown.length === 1 ? lastName(unknown[0].path) : `these ${unknown.length} files`;
  return `The format of ${what} is not known. The Bytes tab shows the content.`;
}

/** @param {any[]} broken items, at least one */
export function brokenText([first, ...others]) {
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const why = first.error
    ? ownMessage(first.error, first.path)
    : `it breaks ${plural(first.errors, 'rule')} of its format`;
  return `${lastName(first.path)} is damaged${more}: ${why}`;
}

/** @param {string} path of a GLB @param {boolean} hasFigure one is shown */
export function glbText(path, hasFigure) {
  const what = `${lastName(path)} is a GLB, not a file of a game.`;
  return hasFigure
    ? `${what} Compare (Y) opens it beside the figure.`
    : `${what} Open the files that it was made from: Compare (Y) then opens it beside them.`;
}

/** @param {string[]} names of files that are there already @param {string} folder in which the others are kept */
export function apartText(names, folder) {
  const what =
    names.length === 1 ? `Another ${names[0]} is there already.` : `Files with ${names.length} of these names are there already.`;
  return `${what} What you have added is kept apart, in the folder "${folder}".`;
}

/** Why a file could not be added. */
export function failureText(error, path, size) {
  if (error.code !== 'out-of-memory') return `${path}: ${error.message}`;
  const name = lastName(path);
  return (
    `${name} has ${bytesText(size)}, which do not fit into the memory of a page. ` +
    `Convert what is in it with the tool (ossa list ${name}, then ossa convert ${name}#ENTRY), ` +
    `or take the files out with ossa extract ${name} and drop those here.`
  );
}
