// SPDX-License-Identifier: MIT
//
// The files that `ossa view` has put into the page, unpacked. Pure.

/** @typedef {{ title?: string, options?: object,
 *   scenes?: {name: string, words: string[], options?: object}[], choices?: any[], start?: string,
 *   files: {path: string, blob: Blob}[], failures: string[] }} Embedded `failures`: files that are
 *   damaged */

/** @param {string} text JSON, see README.md @returns {Embedded} */
export function unpackEmbedded(text) {
  const data = JSON.parse(text);
  const files = [];
  const failures = [];
  for (const { path, base64 } of data.files ?? []) {
    try {
      files.push({ path, blob: new Blob([fromBase64(base64)]) });
    } catch (error) {
      failures.push(`${path}: ${error.message}`);
    }
  }
  return { ...data, files, failures };
}

function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
