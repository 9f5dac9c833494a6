// SPDX-License-Identifier: MIT
//
// The elements of the byte view: a row of bytes, and the words about a field.

import { el, plural } from '../window/dom.js';
import { hex } from './hex_rows.js';

const MOST_SHOWN = 64; // characters of a value

/**
 * A row of bytes, as numbers and as text.
 * @param {number} from @param {number} to
 * @param {{ source: any, fields: any, field: any, cursor: number, marked: { from: number, to: number } }} look
 *   `field` is the one that is named; `marked` bytes are what the user was led to
 */
export function hexRow(from, to, { source, fields, field, cursor, marked }) {
  const bytes = el('span', { class: 'hex-bytes' });
  const text = el('span', { class: 'hex-text' });
  // One byte is where something is wrong; more are the value that was sought.
  const mark = marked.to - marked.from > 1 ? 'marked sought' : 'marked';
  for (let at = from; at < to; at++) {
    const value = source.at(at);
    const own = fields.indexAt(at);
    const classes = [own < 0 ? 'none' : own % 2 ? 'odd' : 'even'];
    if (field && at >= field.offset && at < field.offset + field.size) classes.push('in-field');
    if (at === cursor) classes.push('cursor');
    if (at >= marked.from && at < marked.to) classes.push(mark);
    const cell = (shown) => el('span', { class: classes.join(' '), 'data-at': at, text: shown });
    bytes.append(cell(value === null || value === undefined ? '··' : hex(value, 2)));
    text.append(cell(value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : '·'));
  }
  return el('div', { class: 'hex-row' }, el('span', { class: 'hex-at', text: hex(from, 8) }), bytes, text);
}

/** What the field at an offset is. @param {any} field null: none @param {number} offset */
export function fieldParts(field, offset) {
  const place = `0x${hex(offset, 1)} (${offset})`;
  if (!field) return [el('b', { text: 'no field' }), el('span', { class: 'aside', text: `at ${place}` })];
  const { path, value, type, size } = field;
  return [
    el('b', { text: path || '(no name)' }),
    ` = ${value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value}`,
    el('span', {
      class: 'aside',
      text: `${type}, ${plural(size, 'byte')} from 0x${hex(field.offset, 1)}; here ${place}`,
    }),
  ];
}
