// SPDX-License-Identifier: MIT
//
// Files of the same name: a drop whose files would replace others that differ is kept apart, in a
// folder of its own. Pure.

const PART = 1 << 20;

/** Whether two blobs have the same bytes. @param {Blob} a @param {Blob} b */
export async function isSame(a, b) {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (let at = 0; at < a.size; at += PART) {
    const [one, other] = await Promise.all(
      [a, b].map(async (blob) => new Uint8Array(await blob.slice(at, at + PART).arrayBuffer())),
    );
    if (one.some((byte, i) => byte !== other[i])) return false;
  }
  return true;
}

/**
 * Where the files of a drop go.
 * @param {{ path: string, blob: Blob }[]} dropped
 * @param {Map<string, { blob: Blob }>} items what is there
 * @returns {Promise<{ files: { path: string, blob: Blob }[], known: string[], folder: string|null }>}
 *   those to be added, those that are there already, and the folder if they are kept apart
 */
export async function place(dropped, items) {
  const known = new Set();
  let clash = false;
  for (const { path, blob } of dropped) {
    const there = items.get(path);
    if (!there) continue;
    if (await isSame(blob, there.blob)) known.add(path);
    else clash = true;
  }
  if (!clash) {
    const files = dropped.filter(({ path }) => !known.has(path));
    return { files, known: [...known], folder: null };
  }
  for (let number = 2; ; number++) {
    const folder = `drop ${number}`;
    const files = dropped.map(({ path, blob }) => ({ path: `${folder}/${path}`, blob }));
    if (![...items.keys()].some((path) => path.startsWith(`${folder}/`))) return { files, known: [], folder };
    if (await areThere(files, items)) return { files: [], known: files.map(({ path }) => path), folder: null };
  }
}

async function areThere(files, items) {
  for (const { path, blob } of files) {
    const there = items.get(path);
    if (!there || !(await isSame(blob, there.blob))) return false;
  }
  return true;
}
