// SPDX-License-Identifier: MIT
//
// What people drop or choose, as a list of paths and blobs: files, and folders to any depth.

/** @typedef {{ path: string, blob: Blob }} Dropped */

/**
 * What was dropped, folders entered. The entries must be taken from the event before anything is
 * waited for: the browser empties the list as soon as the event is over.
 * @param {DataTransfer} transfer
 * @returns {Promise<Dropped[]>}
 */
export async function fromDrop(transfer) {
  const entries = [];
  const plain = [];
  for (const item of transfer.items ?? []) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry?.();
    if (entry) entries.push(entry);
    else plain.push(item.getAsFile());
  }
  const dropped = plain.filter(Boolean).map((file) => ({ path: file.name, blob: file }));
  for (const entry of entries) await walk(entry, dropped);
  return sorted(dropped);
}

/** What was chosen with a button: `webkitRelativePath` is set where that was a folder. */
export function fromInput(input) {
  const files = [...(input.files ?? [])];
  input.value = ''; // so that the same files can be chosen again
  return sorted(files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
}

async function walk(top, dropped) {
  const waiting = [top];
  while (waiting.length > 0) {
    const entry = waiting.pop();
    if (entry.isDirectory) {
      waiting.push(...(await contents(entry)));
    } else {
      const blob = await new Promise((done) => entry.file(done, () => done(null)));
      if (blob) dropped.push({ path: entry.fullPath.replace(/^\/+/, ''), blob });
    }
  }
}

// A reader gives a hundred at a time, until it gives none.
async function contents(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

// By plain code units, as the tool goes through a folder: the order of clips depends on it.
function sorted(dropped) {
  return dropped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
