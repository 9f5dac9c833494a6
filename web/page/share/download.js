// SPDX-License-Identifier: MIT
//
// Hands a finished file to the browser, with a name that every system accepts. A file appears whole or
// not at all.

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {string} text */
export function cleaned(text) {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, '_');
}

/** What files of the shown figure are called. @param {any} session */
export function figureName(session) {
  return cleaned(session.figure?.name || session.scene?.name || 'ossa');
}

/** ... of the chosen clip, if there is one. @param {any} session */
export function clipName(session) {
  const clip = session.scene?.clips[session.clip];
  return clip ? `${figureName(session)}-${cleaned(clip.name)}` : figureName(session);
}
