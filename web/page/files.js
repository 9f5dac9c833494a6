// SPDX-License-Identifier: MIT
//
// What people drop or choose, as a list of paths and blobs: files, and folders to any depth.

/** @typedef {{ path: string, blob: Blob }} Dropped */

/**
 * Whether a drop is left to the input under it. On a page from file:// Chromium's entries fail and
 * its handles leave out files that a system might run, LNK among them, which Evil Islands' trees
 * are; what its input for folders takes in is whole. It takes one folder, and nothing else.
 * @param {DataTransfer} transfer @param {boolean} isOverInput
 */
export function isForInput(transfer, isOverInput) {
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === 'file');
  return (
    isOverInput &&
    window.location.protocol === 'file:' &&
    items.length === 1 &&
    'getAsFileSystemHandle' in items[0] &&
    items[0].webkitGetAsEntry?.()?.isDirectory === true
  );
}

/**
 * What was dropped, folders entered. Everything must be taken from the event before anything is
 * waited for: the browser empties the list as soon as the event is over. There are two ways into a
 * folder: entries, which give all of it, and handles, which Chromium has for pages from file://.
 * @param {DataTransfer} transfer
 * @param {(name: string, isPartly: boolean) => void} refused told of a folder that the browser does not let
 *   us read, or not all of
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
  try {
    return await walkEntry(entry);
  } catch {
    /* the other way, then */
  }
  try {
    const found = await walkHandle(handle);
    const lacksTree = entry?.isDirectory && found.some(({ path }) => /\.bon$/i.test(path));
    if (lacksTree) refused(entry?.name ?? 'this', true);
    return found;
  } catch {
    /* no way */
  }
  if (file && !entry?.isDirectory) return [{ path: file.name, blob: file }];
  refused(entry?.name ?? 'this', false);
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
