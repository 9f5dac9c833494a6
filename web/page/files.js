// SPDX-License-Identifier: MIT
//
// What people drop or choose, as a list of paths and blobs: files, and folders to any depth.

/** @typedef {{ path: string, blob: Blob }} Dropped */

/**
 * What was dropped, folders entered. Everything must be taken from the event before anything is
 * waited for: the browser empties the list as soon as the event is over. There are two ways into a
 * folder: Chromium's entries fail on a page from file://, its handles do not; others have entries only.
 * @param {DataTransfer} transfer
 * @param {(name: string) => void} refused told of a folder that the browser does not let us read
 * @returns {Promise<Dropped[]>}
 */
export async function fromDrop(transfer, refused) {
  const items = [...(transfer.items ?? [])]
    .filter((item) => item.kind === 'file')
    .map((item) => ({
      handle: item.getAsFileSystemHandle?.(),
      entry: item.webkitGetAsEntry?.(),
      file: item.getAsFile(),
    }));
  const dropped = [];
  for (const item of items) dropped.push(...(await contentsOf(item, refused)));
  return sorted(dropped);
}

async function contentsOf({ handle, entry, file }, refused) {
  for (const walk of [() => walkHandle(handle), () => walkEntry(entry)]) {
    try {
      return await walk();
    } catch {
      /* the other way, then */
    }
  }
  if (file && !entry?.isDirectory) return [{ path: file.name, blob: file }];
  refused(entry?.name ?? 'this');
  return [];
}

async function walkHandle(promised) {
  const top = await promised;
  const found = [];
  const waiting = [{ handle: top, path: top.name }];
  while (waiting.length > 0) {
    const { handle, path } = waiting.pop();
    if (handle.kind === 'file') found.push({ path, blob: await handle.getFile() });
    else
      for await (const [name, inside] of handle.entries())
        waiting.push({ handle: inside, path: `${path}/${name}` });
  }
  return found;
}

async function walkEntry(top) {
  const found = [];
  const waiting = [top];
  while (waiting.length > 0) {
    const entry = waiting.pop();
    if (entry.isDirectory) waiting.push(...(await children(entry)));
    else
      found.push({
        path: entry.fullPath.replace(/^\/+/, ''),
        blob: await new Promise((done, failed) => entry.file(done, failed)),
      });
  }
  return found;
}

// A reader gives a hundred at a time, until it gives none.
async function children(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** What was chosen with a button: `webkitRelativePath` is set where that was a folder. */
export function fromInput(input) {
  const files = [...(input.files ?? [])];
  input.value = ''; // so that the same files can be chosen again
  return sorted(files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
}

// By plain code units, as the tool goes through a folder: the order of clips depends on it.
function sorted(dropped) {
  return dropped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
