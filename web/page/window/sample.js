// SPDX-License-Identifier: MIT
//
// The figure that the empty page offers. build.mjs chooses and packs it: a line of JSON with the paths
// and sizes of the files, and then the files, compressed.

import packed from 'ossa.sample';

/** @param {Uint8Array} bytes unpacked @returns {{ path: string, blob: Blob }[]} */
export function splitSample(bytes) {
  const end = bytes.indexOf(0x0a);
  const list = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  let from = end + 1;
  return list.map(({ path, size }) => {
    const blob = new Blob([bytes.slice(from, from + size)]);
    from += size;
    return { path, blob };
  });
}

/** Its files, as if they were dropped. */
export async function sampleFiles() {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return splitSample(new Uint8Array(await new Response(stream).arrayBuffer()));
}
