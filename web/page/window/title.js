// SPDX-License-Identifier: MIT
//
// The title of the window: what is shown. Pure but for `setUpTitle`.

import { byId } from './dom.js';

/**
 * "rabbit, walk1 - Ossa". A page with a title of its own keeps it in front.
 * @param {{ own: string|null, figure: string|null, clip: string|null }} what
 */
export function titleText({ own, figure, clip }) {
  const names = [own, figure, clip].filter(Boolean);
  const shown = names.filter((name, index) => names.indexOf(name) === index).join(', ');
  return shown ? `${shown} - Ossa` : 'Ossa viewer';
}

/** @param {any} session */
export function setUpTitle(session) {
  const plain = byId('title').textContent;
  const show = () => {
    const { scene, figure, clip, camera } = session;
    const heading = byId('title').textContent; // of the embedded data, if it is another one
    document.title = titleText({
      own: heading === plain ? null : heading,
      figure: figure?.name ?? null,
      clip: (camera >= 0 ? scene?.cameras[camera]?.name : scene?.clips[clip]?.name) ?? null,
    });
  };
  for (const event of ['scene', 'clip', 'camera']) session.on(event, show);
}
