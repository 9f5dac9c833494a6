// SPDX-License-Identifier: MIT
//
// Makes elements, and has the few helpers that every part of the page uses.

/**
 * An element with attributes and children. `class`, `text` and `on<event>` (a listener, never an
 * inline handler) are special. Attributes that are null or false are omitted.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name === 'text') element.textContent = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element '${id}'`);
  return found;
}

/** Call `work` once in the next animation frame, however often that is requested. */
export function oncePerFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

/** Give a canvas as many pixels as it covers on the screen. Returns whether there are any. */
export function sizeCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  return width > 0 && height > 0;
}

/** A number of bytes for people. */
export function bytesText(size) {
  if (size < 1000) return `${size} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = size;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** The message of an error without the path of the file. */
export function ownMessage(error, path) {
  return error.message.startsWith(`${path}: `)
    ? error.message.slice(path.length + 2)
    : error.message;
}

/** The last name in a path, which may continue into archives. */
export function lastName(word) {
  return (
    word
      .replace(/[/\\]+$/, '')
      .split(/[/\\#]/)
      .pop() || word
  );
}
