// SPDX-License-Identifier: MIT
//
// What the user drops or chooses, as a list of paths and blobs. Folders are read to any depth.

/** @typedef {{ path: string, blob: Blob }} Dropped */

/**
 * Whether a drop is left to the input under it. On a page from file://, Chromium's entries fail and
 * its handles leave out types of files that a system might run, and games use some of these. Its
 * input for folders leaves out nothing, but takes only a single folder.
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
 * What was dropped, including everything in folders. All of it must be taken from the event before
 * the first await, because the browser then empties the list. A folder is read through entries or,
 * where they fail, through handles, which may leave out files.
 * @param {DataTransfer} transfer
 * @param {(name: string, isPartial: boolean) => void} refused called for each folder that cannot be
 *   read, or of which files may be missing
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
    // try the handle
  }
  try {
    const found = await walkHandle(handle);
    if (entry?.isDirectory) refused(entry.name, true);
    return found;
  } catch {
    // try the file itself
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

// Each call returns up to a hundred entries; the last one returns none.
async function children(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** What was chosen with a button. `webkitRelativePath` is set for files of a folder. */
export function fromInput(input) {
  const files = [...(input.files ?? [])];
  input.value = ''; // so that the same files can be chosen again
  return sorted(files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
}

// By code units, like the tool: the order of clips depends on it.
function sorted(dropped) {
  return dropped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
