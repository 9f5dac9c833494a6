// SPDX-License-Identifier: MIT
//
// Data that `ossa view` has put into the page: files, and the scenes to make of them.

/** @returns {{ title?: string, scenes?: {name: string, words: string[], options?: object}[],
 *   files?: {path: string, base64: string}[] } | null} */
export function embedded() {
  const element = document.getElementById('ossa-data');
  return element ? JSON.parse(element.textContent) : null;
}

/** @param {string} text @returns {Uint8Array} */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
