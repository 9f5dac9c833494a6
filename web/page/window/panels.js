// SPDX-License-Identifier: MIT
//
// Around the stage: theme, messages, the question about missing files, and dropping.

import { byId, el } from './dom.js';
import { isForInput } from '../state/files.js';
import { icon } from './icons.js';

const MOST_NOTICES = 4;

/** @param {(isDark: boolean) => void} changed @returns {() => void} switches the theme */
export function setUpTheme(changed) {
  const system = window.matchMedia('(prefers-color-scheme: light)');
  let chosen = null;
  const apply = () => {
    const isDark = chosen === null ? !system.matches : chosen;
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    byId('theme').replaceChildren(icon(isDark ? 'light' : 'dark'));
    changed(isDark);
    return isDark;
  };
  system.addEventListener('change', apply);
  apply();
  return () => {
    chosen = document.documentElement.dataset.theme !== 'dark';
    apply();
  };
}

export function setUpNotices(session) {
  const box = byId('notices');
  session.on('adding', () => box.replaceChildren(...box.querySelectorAll('.stays')));
  setUpBusy(session, box);
  session.on('notice', ({ kind, text, word, tab, stays, action }) => {
    const notice = el(
      'div',
      { class: `notice ${kind}${stays ? ' stays' : ''}` },
      el('p', { text }),
    );
    if (word)
      notice.append(
        el('button', {
          type: 'button',
          text: tab === 'issues' ? 'Show issues' : 'Show',
          onclick: () => session.selectFile(word, session.items.get(word)?.error?.offset ?? null, tab),
        }),
      );
    if (action)
      notice.append(
        el('button', {
          type: 'button',
          text: action.label,
          onclick: () => {
            notice.remove();
            action.run();
          },
        }),
      );
    const close = el(
      'button',
      { type: 'button', 'aria-label': 'Close this message', onclick: () => notice.remove() },
      icon('close'),
    );
    close.dataset.icon = 'close';
    notice.append(close);
    box.prepend(notice);
    while (box.childElementCount > MOST_NOTICES) box.lastChild.remove();
  });
}

// What is being read, with its progress. Screen readers announce only the text.
function setUpBusy(session, box) {
  const text = el('p');
  const bar = el('progress', { 'aria-hidden': 'true', max: 1 });
  const cancel = el('button', { type: 'button', text: 'Cancel', onclick: () => session.cancel() });
  const notice = el('div', { class: 'notice busy' }, text, bar, cancel);
  session.on('busy', (work) => {
    if (work === null) {
      notice.remove();
      return;
    }
    if (text.textContent !== work.text) text.textContent = work.text;
    if (work.all) bar.value = work.done / work.all;
    else bar.removeAttribute('value');
    cancel.hidden = work.isWaiting === true;
    if (!notice.isConnected) box.prepend(notice);
  });
}

export function setUpQuestion(session, chooseFiles) {
  const show = () => {
    byId('banner').hidden = session.question === null;
    byId('banner-text').textContent = session.question ?? '';
  };
  session.on('scene', show);
  byId('banner-choose').addEventListener('click', chooseFiles);
  byId('banner-placeholders').addEventListener('click', () => session.usePlaceholders());
}

/**
 * Files and folders can be dropped anywhere on the page. While something is dragged over it, an input
 * for folders covers everything: see `isForInput`.
 */
export function setUpDropping(dropped) {
  let depth = 0;
  const shows = (is) => {
    byId('drop').hidden = !is;
  };
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  window.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth += 1;
    shows(true);
  });
  // The input accepts a single item unless the event is cancelled.
  window.addEventListener('dragover', (event) => {
    const isInput = event.target === byId('drop-folder');
    if (hasFiles(event) && !(isInput && event.dataTransfer.items.length === 1))
      event.preventDefault();
  });
  window.addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) shows(false);
  });
  window.addEventListener('drop', (event) => {
    depth = 0;
    setTimeout(() => shows(false)); // a hidden input would not take the drop
    if (!hasFiles(event) || isForInput(event.dataTransfer, event.target === byId('drop-folder')))
      return;
    event.preventDefault();
    dropped(event.dataTransfer);
  });
}
