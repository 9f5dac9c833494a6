// SPDX-License-Identifier: MIT
//
// "This page with its files": the same page with what was opened in it, as `ossa view -o` writes it. It
// works from a page that was saved, too.

import shell from 'ossa.shell';
import { savedChoices } from '../state/choices.js';
import { emptyPage, pageWith } from './page_file.js';

const MOST_BYTES = 384 * 1024 * 1024; // as in cli/cmd_view.c
const PART = 3 << 20; // bytes; a multiple of three, so that parts of Base64 can be joined

// The script that runs, as the browser has read it. Its hash is in the policy of the page.
const script = globalThis.document?.currentScript?.textContent ?? '';

/** @param {any} session @param {string} start a link to what is shown first @returns {Promise<Blob>} */
export async function savedPage(session, start) {
  const items = [...session.items.values()];
  if (items.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
    throw new Error('a page holds up to 384 MiB of files');
  const files = [];
  for (const { path, blob } of items) files.push({ path, base64: await base64Of(blob) });
  const stream = new Blob([shell]).stream().pipeThrough(new DecompressionStream('gzip'));
  const page = emptyPage(await new Response(stream).text(), {
    policy: document.querySelector('meta[http-equiv]').getAttribute('content'),
    style: document.querySelector('head style').textContent,
    script,
    notices: document.querySelector('#help-dialog pre').textContent,
  });
  return new Blob(pageWith(page, dataOf(session, start), files), { type: 'text/html' });
}

function dataOf(session, start) {
  const title = session.figure?.name ?? 'Ossa';
  const pinned = session.figures.filter((figure) => figure.isPinned);
  const scenes = pinned.map(({ name, words, options }) => ({ name, words, options }));
  const choices = savedChoices(session.figures.filter((figure) => !figure.isExtra));
  return {
    title,
    options: session.options,
    ...(scenes.length > 0 ? { scenes } : {}),
    ...(choices.length > 0 ? { choices } : {}),
    start,
  };
}

async function base64Of(blob) {
  const parts = [];
  for (let at = 0; at < blob.size; at += PART) {
    const url = await new Promise((done, failed) => {
      const reader = new FileReader();
      reader.onload = () => done(/** @type {string} */ (reader.result));
      reader.onerror = () => failed(reader.error);
      reader.readAsDataURL(blob.slice(at, at + PART));
    });
    parts.push(url.slice(url.indexOf(',') + 1));
  }
  return parts;
}
