// SPDX-License-Identifier: MIT
//
// The script of the worker: build.mjs puts it into the page as a text.

import { serve } from './worker.js';

/** The module as the page holds it, compressed by build.mjs. */
async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

self.onmessage = serve((message, buffers = []) => /** @type {any} */ (self).postMessage(message, buffers), unpack);
