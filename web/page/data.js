// SPDX-License-Identifier: MIT
//
// Data that `ossa view` has embedded in the page: files, and the arguments of the call. They are treated
// like dropped files.

import { byId, lastName } from './dom.js';

/** @typedef {{ title?: string, options?: object, items?: {name: string, words: string[]}[],
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
  const title =
    data.title ??
    data.items
      ?.map((item) => item.name)
      .slice(0, 3)
      .join(', ');
  if (title) {
    document.title = `${title} - Ossa`;
    byId('title').textContent = title;
  }
  session.options = data.options ?? {};
  const there = data.files.filter((file) => put(session, file)).map((file) => file.path);
  for (const { name, words, options } of data.scenes ?? entryScenes(session, data))
    session.pin({ name, words, options: options ?? {} });
  if (session.figures.length === 0) {
    session.arrange(there);
  } else {
    session.emit('files');
    session.showFigure(session.figures[0]);
  }
}

// Arguments that continue into an archive name the figures. If at most one of them has a body, they are
// one figure, as for the tool. Otherwise each is a figure, with its companions.
function entryScenes(session, data) {
  const words = (data.items ?? []).flatMap((item) => item.words);
  const entries = words.filter((word) => word.includes('#') && !session.items.has(word));
  if (entries.length === 0) return [];
  const hasBody = (word) =>
    session.findFigures(word).some((figure) => !figure.missing.includes('skeleton'));
  if (entries.length === 1 || entries.filter(hasBody).length <= 1)
    return [{ name: lastName(entries[0]), words }];
  const figures = session.findFigures();
  const files = words.filter((word) => session.items.has(word));
  return entries.map(
    (word) =>
      figures.find((figure) => figure.words[0].toLowerCase() === word.toLowerCase()) ?? {
        name: lastName(word),
        words: [word, ...files],
      },
  );
}
