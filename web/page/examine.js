// SPDX-License-Identifier: MIT
//
// What a look at a file says. It is read once as a whole, so that a damaged one is known before it
// spoils a scene for the others.

import { searchDisc } from './disc.js';

/** Formats that come in archives for all models together, and are nothing to look at alone. */
export const COMPANIONS = new Set(['ei-mmp', 'ei-adb']);

/**
 * @param {any} workspace
 * @param {string} path
 * @param {(id: string|null) => any} formatOf
 */
export function examine(workspace, path, formatOf) {
  const look = read(workspace, path, formatOf);
  if (!mayBeDisc(look)) return look;
  try {
    const disc = searchDisc(workspace, path);
    if (disc === null) return look;
    const { game } = formatOf('sotc-xff');
    return { ...look, ...SOUND, format: null, game, kind: 'archive', disc };
  } catch (error) {
    return { ...look, error };
  }
}

const SOUND = { warnings: 0, errors: 0, isBroken: false, isCompanion: false, error: null };

// One begins like the first file in it, or like nothing at all; the library knows, once it is asked.
function mayBeDisc({ format, error }) {
  return error ? error.code !== 'crashed' : format.startsWith('sotc-');
}

function read(workspace, path, formatOf) {
  try {
    const file = workspace.open(path);
    const { format, warningCount, errorCount } = file;
    const isCompanion = format.kind === 'archive' && holdsCompanions(workspace.entries(path));
    file.free();
    return {
      format: format.id,
      game: format.game,
      kind: format.kind,
      warnings: warningCount,
      errors: errorCount,
      isBroken: errorCount > 0,
      isCompanion,
      error: null,
      disc: null,
    };
  } catch (error) {
    return unread(workspace, path, formatOf, error);
  }
}

function holdsCompanions(entries) {
  return entries.length > 0 && entries.every((entry) => COMPANIONS.has(entry.format));
}

// It is damaged where a format claims it all the same; else it is a file of something else.
function unread(workspace, path, formatOf, error) {
  const hasCrashed = error.code === 'crashed';
  const claimed = hasCrashed ? null : error.format || probe(workspace, path);
  const format = formatOf(claimed);
  const isBroken = claimed !== null || error.code === 'empty-file';
  return {
    format: claimed,
    game: format?.game ?? '',
    kind: format?.kind ?? 'unknown',
    warnings: 0,
    errors: isBroken ? 1 : 0,
    isBroken,
    isCompanion: false,
    error,
    disc: null,
  };
}

function probe(workspace, path) {
  try {
    return workspace.probe(path)[0]?.format ?? null;
  } catch {
    return null; // it is too large
  }
}
