// SPDX-License-Identifier: MIT
//
// What can be posted between the page and its worker. Pure.

/** Errors lose their members when they are posted, so they become plain objects, at any depth. */
export function plain(value) {
  if (value instanceof Error) {
    const { message, code, path, format, offset, field, issues } = /** @type {any} */ (value);
    return { message, code, path, format, offset, field, issues };
  }
  if (Array.isArray(value)) return value.map(plain);
  if (isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  return value;
}

function isPlain(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The buffers of all arrays in a value, each once: they are given away instead of being copied. */
export function buffersOf(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (Array.isArray(value)) for (const member of value) buffersOf(member, found);
  else if (isPlain(value)) for (const member of Object.values(value)) buffersOf(member, found);
  return [...found];
}
