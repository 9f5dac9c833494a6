// SPDX-License-Identifier: MIT
//
// What the library says about a file when it is added.

/**
 * @typedef {object} Item
 * @property {string|null} format null: unknown
 * @property {string} kind of its format; "archive" also for a disc
 * @property {number} warnings
 * @property {number} errors
 * @property {boolean} isBroken it cannot be read, or breaks a rule of its format: no scene uses it
 * @property {any} error why it cannot be read; or null
 * @property {any[]|null} found what was found by searching a disc; null: it is not a disc
 */

// Failures that do not mean that the file is damaged.
// "io": a sheet names an image that is not here.
const NOT_DAMAGED = new Set(['unknown-format', 'foreign', 'not-original', 'too-large', 'out-of-memory', 'crashed', 'io']);

/**
 * @param {any} workspace
 * @param {string} path
 * @param {(id: string|null) => any} formatOf
 * @returns {Item}
 */
export function examine(workspace, path, formatOf) {
  try {
    // An archive with a directory is listed when the user opens it. A disc is searched here, once.
    const options = { detail: 'files', search: true, enter: 'searched' };
    const [file, ...inside] = workspace.walk(path, options);
    const { format, isSearch, errorCount, warningCount, error } = file;
    const item = itemOf(format, formatOf, errorCount, isSearch ? null : error);
    if (!isSearch) return { ...item, warnings: warningCount };
    return { ...item, kind: 'archive', warnings: warningCount, found: inside };
  } catch (error) {
    return itemOf(null, formatOf, 0, error);
  }
}

function itemOf(known, formatOf, errorCount, error) {
  const format = known ?? (error?.format || null);
  const isBroken = errorCount > 0 || (error !== null && !NOT_DAMAGED.has(error.code));
  return {
    format,
    kind: formatOf(format)?.kind ?? 'unknown',
    warnings: 0,
    errors: isBroken ? Math.max(1, errorCount) : 0,
    isBroken,
    error,
    found: null,
  };
}
