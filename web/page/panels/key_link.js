// SPDX-License-Identifier: MIT
//
// Between a point of a curve and its bytes: where the value of a bone at a frame is stored, and which
// values the bytes at an offset are for. The library answers; the page knows no format.

import { lastName, plural } from '../window/dom.js';

/**
 * @typedef {import('../../api/ossa.js').KeyBytes} KeyBytes
 * @typedef {import('../../api/ossa.js').KeyUse} KeyUse
 * @typedef {{ clip: number, bone: number, channel: any, frame: number }} Key
 */

/** @param {any} session @param {Key} key @returns {Promise<KeyBytes & { scaling: KeyBytes|null }>} */
export function keyBytes(session, key) {
  return session.client.call('keyBytes', session.scene.number, key);
}

/** @param {any} session @param {string} word @param {number} offset @returns {Promise<KeyUse[]>} */
export function keysAt(session, word, offset) {
  return session.client.call('keysAt', session.scene.number, word, offset);
}

const ROLES = {
  held: 'stored for an earlier frame',
  first: 'stored for the frame in which the bone is first drawn',
  constant: 'stored once for all frames',
  scaling: 'what all keys of the bone are computed with',
  rest: 'Not stored: the clip has no such track, so it is the value of the rest pose.',
  omitted: 'Not stored: the clip has none in this frame, so it is the default of the game.',
  resampled: 'Not stored: computed from two neighbouring keys.',
  untraced: 'Where this is stored is not known.',
};

/** Where a value is stored, in words, or why it is not. @param {KeyBytes} stored */
export function storedText({ role, path, offset, size, isAdjusted }) {
  if (path === null) return ROLES[role] ?? ROLES.untraced;
  return [
    `${plural(size, 'byte')} from 0x${offset.toString(16)} of ${lastName(path)}`,
    ROLES[role],
    isAdjusted ? 'changed, so that the figure stays in place' : null,
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * Of all values that a byte is for, the one to show: of the clip and the bone that are selected, if it
 * is for them, and of the frame nearest to the current one.
 * @param {KeyUse[]} uses @param {Key} now what is selected; its channel does not matter
 * @param {string[]} channels those that can be shown
 * @returns {Key|null}
 */
export function keyToShow(uses, now, channels) {
  const shown = uses.filter(({ channel }) => channels.includes(channel));
  if (shown.length === 0) return null;
  const near = ({ clip, bone, role }) =>
    (clip === now.clip ? 4 : 0) + (bone === now.bone ? 2 : 0) + (role === 'key' ? 1 : 0);
  const best = shown.reduce((one, other) => (near(other) > near(one) ? other : one));
  const { firstFrame, frameStep, frameCount, clip, bone, channel } = best;
  const steps = clip === now.clip ? Math.round((now.frame - firstFrame) / (frameStep || 1)) : 0;
  const frame = firstFrame + Math.min(Math.max(0, steps), frameCount - 1) * frameStep;
  return { clip, bone, channel, frame };
}

/** "rotation of head, frame 3 of fly". @param {Key} key @param {any} scene */
export function keyText({ clip, bone, channel, frame }, scene) {
  return `${channel} of ${scene.bones[bone].name}, frame ${frame} of ${scene.clips[clip].name}`;
}
