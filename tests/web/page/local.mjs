// SPDX-License-Identifier: MIT
//
// A session without a page: the worker's side runs here, and messages are copied as a worker's are.

import { Client } from '../../../web/page/worker/client.js';
import { Session } from '../../../web/page/state/session.js';
import { serve } from '../../../web/page/worker/worker.js';
import { moduleBytes } from '../api/support.mjs';

const compiled = await WebAssembly.compile(moduleBytes);

/** A worker of this thread. `calls` gets the names of all methods that are called. */
export function localWorker(calls = []) {
  const worker = { onmessage: null, terminate: () => (worker.onmessage = null) };
  const heard = serve(
    (message, buffers = []) => {
      const data = structuredClone(message, { transfer: buffers });
      setTimeout(() => worker.onmessage?.({ data }));
    },
    async () => compiled,
  );
  worker.postMessage = (message) => {
    calls.push(message.name);
    heard({ data: message.name === 'start' ? message : structuredClone(message) });
  };
  return worker;
}

/** A session of its own, and the names of the methods that it has called. */
export async function startSession(calls = []) {
  const client = new Client(() => localWorker(calls), null);
  return new Session(client, await client.restart());
}
