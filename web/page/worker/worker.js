// SPDX-License-Identifier: MIT
//
// The worker's side of client.js. Messages are { id, name, values }; answers { id, result } or
// { id, error }, and { id, progress } before that.

import { load } from '../../api/ossa.js';
import { Backend } from './backend.js';
import { buffersOf, plain } from './messages.js';

/** @param {(message: any, buffers?: any[]) => void} post @param {(module: any) => Promise<any>} unpack */
export function serve(post, unpack) {
  let backend = null;
  const start = async (module) => {
    backend = new Backend(await load(await unpack(module)));
    return backend.about();
  };
  const answer = async ({ id, name, values }) => {
    try {
      if (name !== 'start') backend.progress = (...progress) => post({ id, progress });
      const result = plain(await (name === 'start' ? start(values[0]) : backend[name](...values)));
      post({ id, result }, buffersOf(result));
    } catch (error) {
      post({ id, error: plain(error) });
    }
  };
  // One after the other: no scene is made while files are being added.
  let last = Promise.resolve();
  return ({ data }) => {
    last = last.then(() => answer(data));
  };
}
