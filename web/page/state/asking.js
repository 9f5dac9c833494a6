// SPDX-License-Identifier: MIT
//
// What to ask the user for if a scene uses placeholders. Pure.

import { plural } from '../window/dom.js';

/**
 * The question, or null if nothing is missing.
 * @param {{ issues: {code: string}[], bones: {rest: ArrayLike<number>}[] }} scene
 * @param {{ boneCount: number, clips: any[] }} survey of the files of the scene
 * @param {{ kind: string, id: string, extensions: string[] }[]} formats of the game
 * @param {Set<string>} present ids of the formats of the files that are there
 * @returns {string|null}
 */
export function question(scene, survey, formats, present) {
  const { bones, issues } = scene;
  if (bones.length === 0 || !issues.some((issue) => issue.code === 'missing-part')) return null;
  if (survey.boneCount === 0) {
    const count = survey.clips.length;
    const what = count === 0 ? 'This figure has' : count === 1 ? 'This clip has' : 'These clips have';
    const lacks = `${what} ${plural(bones.length, 'bone')} but no skeleton.`;
    return `${lacks} Add the ${wanted(formats, present)}, or show placeholders.`;
  }
  if (bones.length > 1 && bones.every(({ rest }) => !rest[0] && !rest[1] && !rest[2]))
    return `This figure has ${bones.length} bones, all at the same point. Add the ${wanted(formats, present)}, or show it as it is.`;
  return null;
}

// If a game has no skeleton files, its models contain the bones.
function wanted(formats, present) {
  const ofKind = (kind) => formats.filter((format) => format.kind === kind);
  const all = ofKind('skeleton').length > 0 ? ofKind('skeleton') : ofKind('model');
  const absent = all.filter((format) => !present.has(format.id));
  const names = (absent.length > 0 ? absent : all).map(({ extensions }) =>
    (extensions[0] ?? '').replace(/^\./, '').toUpperCase(),
  );
  return names.length === 0
    ? 'skeleton'
    : `${names.join(' and ')} ${names.length === 1 ? 'file' : 'files'}`;
}
