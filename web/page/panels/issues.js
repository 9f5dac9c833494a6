// SPDX-License-Identifier: MIT
//
// All warnings and errors: those of the figure, those of the selected file, and which other files have
// any. An issue with an offset has a button that shows the bytes.

import { el, lastName, ownMessage, plural } from '../window/dom.js';
import { icon } from '../window/icons.js';

const MOST = 1000; // per list; the library keeps no more per file

export class IssueList {
  /** @type {HTMLElement[]} */
  parts = [];
  count = 0;
  hasErrors = false;
  #session;

  /** @param {any} session @param {any} about what the library says about the file; null: no file */
  constructor(session, about) {
    this.#session = session;
    const { scene, failure, figure, items } = session;
    const left = scene?.fileIssues.filter((issue) => issue.severity === 'error') ?? [];
    const ofFigure = scene ? [...left, ...scene.issues] : failure ? [asIssue(failure)] : [];
    this.#section(`Figure ${figure?.name ?? ''}`, ofFigure, (issue) =>
      this.#row(issue, issue.path || null),
    );
    if (about)
      this.#section(lastName(about.word), ofFile(about), (issue) => this.#row(issue, about.word));
    const others = [...items.values()]
      .filter((item) => item.path !== about?.word && item.warnings + item.errors > 0)
      .map((item) => ({ severity: item.errors > 0 ? 'error' : 'warning', item }));
    this.#section('Other files', others, ({ severity, item }) => this.#fileRow(severity, item));
    if (this.count === 0)
      this.parts.push(el('p', { class: 'quiet', text: 'No warnings, no errors.' }));
  }

  #section(title, issues, toRow) {
    if (issues.length === 0) return;
    this.count += issues.length;
    this.hasErrors ||= issues.some(({ severity }) => severity === 'error' || severity === 'unreadable');
    this.parts.push(el('h2', { text: title }), ...issues.slice(0, MOST).map(toRow));
    const more = issues.length - MOST;
    if (more > 0) this.parts.push(el('p', { class: 'quiet', text: `and ${more} more` }));
  }

  #row(issue, word) {
    const at = issue.offset === null ? '' : `0x${issue.offset.toString(16)}`;
    const times = issue.count > 1 && `${issue.count} times`;
    const place = [issue.severity, issue.code, times, issue.format, at && `at ${at}`, issue.field]
      .filter(Boolean)
      .join(' · ');
    return row(issue.severity, issue.message, this.#button(issue, word, at), place);
  }

  #button(issue, word, at) {
    if (word === null) return null;
    if (at)
      return button(`Bytes at ${at}`, () => this.#session.selectFile(word, issue.offset, 'bytes'));
    if (word === this.#session.file?.word) return null;
    return button(lastName(word), () => this.#session.selectFile(word, null, 'info'));
  }

  #fileRow(severity, item) {
    const text = item.error
      ? ownMessage(item.error, item.path)
      : `${plural(item.errors, 'error')}, ${plural(item.warnings, 'warning')}`;
    const look = () =>
      this.#session.selectFile(
        item.path,
        item.error?.offset ?? null,
        item.error ? 'bytes' : 'issues',
      );
    return row(severity, `${lastName(item.path)}: ${text}`, button('Show', look), '');
  }
}

// The failure is also among the issues if the file was opened.
function ofFile({ issues, error }) {
  const isThere =
    error && issues.some((issue) => issue.code === error.code && issue.offset === error.offset);
  return error && !isThere ? [...issues, asIssue(error)] : issues;
}

function asIssue(error) {
  const { code = '', path = '', format, offset = null, field = '', message } = error;
  return { severity: 'unreadable', code, path, format: format ?? '', offset, field, message };
}

function row(severity, text, action, place) {
  return el(
    'div',
    { class: `issue ${severity}` },
    icon(severity === 'warning' ? 'warning' : 'error'),
    el('div', { text }),
    el('div', { class: 'aside' }, action, place),
  );
}

function button(text, onclick) {
  return el('button', { type: 'button', text, onclick });
}
