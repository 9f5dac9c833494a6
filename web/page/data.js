// SPDX-License-Identifier: MIT
//
// Files that `ossa view` has embedded in the page. They are treated like dropped files.

import { byId } from './dom.js';

/** @typedef {{ title?: string, options?: object,
 *   scenes?: {name: string, words: string[], options?: object}[],
 *   files?: {path: string, base64: string}[] }} Embedded */

/** The data follows the script, so it exists once the page is complete.
 * @returns {Promise<Embedded|null>} */
async function embedded() {
  if (document.readyState === 'loading') {
    await new Promise((done) =>
      document.addEventListener('DOMContentLoaded', done, { once: true }),
    );
  }
  const element = document.getElementById('ossa-data');
  return element ? JSON.parse(element.textContent) : null;
}

/** @param {string} text @returns {Uint8Array} */
function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// If a file cannot be added, the others still are.
function put(session, { path, base64 }) {
  try {
    session.put(path, fromBase64(base64));
    return true;
  } catch (error) {
    session.emit('notice', { kind: 'error', text: `${path}: ${error.message}` });
    return false;
  }
}

/** @param {any} session */
export async function openEmbedded(session) {
  const data = await embedded();
  if (!data?.files?.length) return;
  document.body.classList.remove('empty');
  if (data.title) {
    document.title = `${data.title} - Ossa`;
    byId('title').textContent = data.title;
  }
  session.options = data.options ?? {};
  const there = data.files.filter((file) => put(session, file)).map((file) => file.path);
  for (const { name, words, options } of data.scenes ?? [])
    session.pin({ name, words, options: options ?? {} });
  if (session.figures.length === 0) {
    session.arrange(there);
  } else {
    session.emit('files');
    session.showFigure(session.figures[0]);
  }
}
