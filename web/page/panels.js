// SPDX-License-Identifier: MIT
//
// Around the stage: theme, messages, the question about missing files, dropping, and the edges that
// resize the panels.

import { byId, el } from './dom.js';
import { isForInput } from './files.js';
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
  session.on('notice', ({ kind, text, word, stays }) => {
    const notice = el(
      'div',
      { class: `notice ${kind}${stays ? ' stays' : ''}` },
      el('p', { text }),
    );
    if (word)
      notice.append(
        el('button', {
          type: 'button',
          text: 'Show',
          onclick: () =>
            session.selectFile(word, session.items.get(word)?.error?.offset ?? null, 'bytes'),
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

/** The edge of a panel can be dragged, or moved with the arrow keys. */
export function setUpEdge(id, variable, direction) {
  const edge = byId(id);
  const low = Number(edge.getAttribute('aria-valuemin'));
  const high = Number(edge.getAttribute('aria-valuemax'));
  const root = document.documentElement;
  const width = () => parseFloat(getComputedStyle(root).getPropertyValue(variable));
  const set = (value) => {
    const most = Math.max(low, Math.min(high, window.innerWidth * 0.6));
    root.style.setProperty(variable, `${Math.round(Math.min(Math.max(low, value), most))}px`);
    edge.setAttribute('aria-valuenow', String(Math.round(width())));
  };
  edge.setAttribute('aria-valuenow', String(width()));
  edge.addEventListener('pointerdown', (event) => {
    edge.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const start = width();
    const move = (moved) => set(start + (moved.clientX - from) * direction);
    edge.addEventListener('pointermove', move);
    edge.addEventListener(
      'lostpointercapture',
      () => edge.removeEventListener('pointermove', move),
      {
        once: true,
      },
    );
  });
  edge.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
    if (!by) return;
    set(width() + by * direction);
    event.preventDefault();
  });
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
