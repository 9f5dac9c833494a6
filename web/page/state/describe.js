// SPDX-License-Identifier: MIT
//
// Facts from the library as text: figures, discs, and the contents of files. Pure.

import { plural } from '../window/dom.js';

const MOST_ROWS = 500; // of a table

/**
 * What the user should know about a figure whose animations were chosen only by the number of bones.
 * @param {{ isGuess: boolean, boneCount: number, clipCount: number, paths: string[] }} figure
 * @returns {string} '' for other figures
 */
export function figureNote({ isGuess, boneCount, clipCount, paths }) {
  if (!isGuess) return '';
  const bones = plural(boneCount, 'bone');
  if (clipCount === 0) return `No animation with ${bones} was found for it.`;
  const taken = paths.length - 1;
  const those =
    taken < clipCount
      ? `the first ${taken} of the ${clipCount} animations`
      : clipCount === 1
        ? 'the one animation'
        : `the ${clipCount} animations`;
  const subject = clipCount === 1 ? 'Its clip is' : 'Its clips are';
  return `${subject} ${those} with ${bones}, the same number as the skeleton. Nothing on the disc says which belong to it.`;
}

/**
 * What was found on a disc: names and values.
 * @param {{ name: string, path: string, format: string|null, errorCount: number, error: any }[]} found
 * @param {(id: string|null) => any} formatOf
 * @param {{ words: string[] }[]} figures
 */
export function discRows(found, formatOf, figures) {
  const counts = new Map();
  for (const { name } of found) {
    const extension = name.slice(name.lastIndexOf('.') + 1).toUpperCase();
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const used = new Set(figures.flatMap((figure) => figure.words));
  const broken = found.filter(isBroken);
  const alone = found.filter(
    (entry) =>
      formatOf(entry.format)?.kind === 'animation' && !isBroken(entry) && !used.has(entry.path),
  );
  return [
    ['type', 'disc file without a directory, searched for game files'],
    ['found', plural(found.length, 'file')],
    ...counts,
    ...(alone.length > 0 ? [['without skeleton', plural(alone.length, 'animation')]] : []),
    ...(broken.length > 0 ? [['damaged', plural(broken.length, 'file')]] : []),
  ];
}

/** Whether an entry that a walk has visited is damaged. */
export function isBroken({ error, errorCount }) {
  return Boolean(error) || errorCount > 0;
}

/**
 * The facts of a file as rows and tables.
 * @param {Record<string, any>} facts
 * @returns {{ rows: [string, string][], tables: { title: string, columns: string[], rows: string[][], more: number }[] }}
 */
export function describe(facts) {
  const rows = [];
  const tables = [];
  for (const [key, value] of Object.entries(facts)) {
    if (Array.isArray(value) && value.some(isObject)) tables.push(table(key, value));
    else rows.push(...rowsOf(words(key), value));
  }
  return { rows, tables };
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// An object of ranges or numbers is one row; anything deeper is one row per member.
function rowsOf(name, value) {
  if (!isObject(value)) return [[name, valueText(value)]];
  const members = Object.entries(value);
  if (members.some(([, member]) => isObject(member)))
    return members.flatMap(([key, member]) => rowsOf(`${name}, ${words(key)}`, member));
  return [[name, members.map(([key, member]) => `${words(key)} ${rangeText(member)}`).join(', ')]];
}

function table(key, items) {
  const keys = [...new Set(items.flatMap((item) => (isObject(item) ? Object.keys(item) : [])))];
  return {
    title: words(key),
    columns: keys.map(words),
    rows: items.slice(0, MOST_ROWS).map((item) => keys.map((name) => cell(name, item?.[name]))),
    more: Math.max(0, items.length - MOST_ROWS),
  };
}

function cell(name, value) {
  if (value === undefined) return '';
  if (name === 'time' && typeof value === 'number')
    return new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return isObject(value) || (Array.isArray(value) && value.some(isObject))
    ? JSON.stringify(value)
    : valueText(value);
}

function rangeText(value) {
  if (!Array.isArray(value) || value.length !== 2) return valueText(value);
  return `${valueText(value[0])} to ${valueText(value[1])}`;
}

function words(key) {
  return key.replaceAll('_', ' ');
}

/** A value as text: numbers have 6 digits, and long texts are cut. */
export function valueText(value) {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return 'none';
  const text = Array.isArray(value) ? value.map(valueText).join(', ') : String(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** @param {number} value */
export function number(value) {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
