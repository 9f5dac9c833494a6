// SPDX-License-Identifier: MIT
//
// Files that `ossa view` has embedded in the page. They are treated like dropped files.

import { restoreChoices } from './choices.js';
import { byId } from '../window/dom.js';

/** The data follows the script, so it exists once the page is complete. @returns {Promise<string|null>} */
async function embeddedText() {
  if (document.readyState === 'loading') {
    await new Promise((done) =>
      document.addEventListener('DOMContentLoaded', done, { once: true }),
    );
  }
  return document.getElementById('ossa-data')?.textContent ?? null;
}

/** @param {import('./session.js').Session} session @returns {Promise<string>} a link to what is shown first */
export async function openEmbedded(session) {
  const text = await embeddedText();
  if (text === null) return '';
  // In the worker: this may be hundreds of megabytes.
  const data = await session.client.call('unpackEmbedded', text);
  for (const failure of data.failures) session.emit('notice', { kind: 'error', text: failure });
  if (data.files.length === 0) return '';
  document.body.classList.remove('empty');
  if (data.title) {
    document.title = `${data.title} - Ossa`;
    byId('title').textContent = data.title;
  }
  session.embedded = new Set(data.files.map(({ path }) => path));
  session.options = data.options ?? {};
  await session.add(data.files, { pins: data.scenes ?? [] });
  const changed = restoreChoices(session.figures, data.choices ?? []);
  if (changed.includes(session.figure)) await session.showFigure(session.figure);
  return data.start ?? '';
}
