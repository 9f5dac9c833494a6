// SPDX-License-Identifier: MIT
//
// A quiet line on the stage for a figure that cannot move: what is seen, and what to add. Pure but for
// `setUpHint`.

import { byId } from './dom.js';

/**
 * @param {{ bones: { rest: ArrayLike<number> }[], clips: any[], meshes: any[], cameras: any[] }} scene
 * @param {{ kind: string, extensions: string[], can: string[] }[]} formats of its game
 * @returns {string} '' if nothing needs to be said
 */
export function hintText({ bones, clips, meshes, cameras }, formats) {
  if (clips.length > 0) return '';
  if (bones.length === 0 && meshes.length === 0)
    return cameras.length > 0
      ? `A camera path alone: it moves the view, and there is no figure to look at.${adding(formats, ['skeleton', 'model'], 'of a figure')}`
      : '';
  return `${whatIsSeen(bones, meshes)}.${adding(formats, ['animation'], 'to see it move')}`;
}

function whatIsSeen(bones, meshes) {
  if (bones.length === 0) return 'A model alone, without bones';
  if (meshes.length === 0) return 'A skeleton alone, at rest';
  const isPile = bones.length > 1 && bones.every(({ rest }) => !rest[0] && !rest[1] && !rest[2]);
  return isPile
    ? 'The parts of a model, all at the same point: only its clips put them in place'
    : 'A figure at rest, without clips';
}

// The first extension of each format is the usual one.
function adding(formats, kinds, why) {
  const endings = formats
    .filter(({ kind, can }) => kinds.includes(kind) && can.includes('assemble'))
    .map(({ extensions }) => (extensions[0] ?? '').toUpperCase())
    .filter(Boolean);
  const names = [...new Set(endings)];
  if (names.length === 0) return '';
  const list =
    names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return ` Add ${list} files ${why}.`;
}

/** @param {any} session */
export function setUpHint(session) {
  session.on('scene', () => {
    const { scene, question } = session;
    const text = scene && !question ? hintText(scene, session.formats(scene.game)) : '';
    byId('hint').hidden = text === '';
    byId('hint').textContent = text;
  });
}
