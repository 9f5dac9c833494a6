// SPDX-License-Identifier: MIT
//
// The side panels: shown and hidden by buttons and keys, as the width of the window allows. On a phone
// they are a sheet below the stage, which its tabs open and one button closes.

import { byId } from './dom.js';
import { setUpEdge } from './edges.js';
import { foldIfNarrow } from './fold.js';
import { modeOf, Panes, SHEET } from './panes.js';

const SIDES = {
  left: { panel: 'library', button: 'toggle-library', name: 'library', key: 'Q' },
  right: { panel: 'inspector', button: 'toggle-inspector', name: 'inspector', key: 'P' },
};
const sides = /** @type {[import('./panes.js').Side, typeof SIDES.left][]} */ (Object.entries(SIDES));

/** @param {any} session */
export function setUpLayout(session) {
  const panes = new Panes();
  const sheet = window.matchMedia(SHEET);
  const { body } = document;

  const show = () => {
    for (const [side, { panel, button, name, key }] of sides) {
      const isOpen = panes.isOpen(side);
      body.dataset[side] = panes.place(side);
      byId(button).setAttribute('aria-expanded', String(isOpen));
      byId(button).title = `${isOpen ? 'Hide' : 'Show'} the ${name} (${key})`;
      // What is hidden must not be reached with Tab; a sheet is not hidden.
      byId(panel).inert = panes.mode !== 'sheet' && !isOpen;
    }
    const isClosed = body.classList.contains('sheet-closed');
    byId('toggle-sheet').setAttribute('aria-expanded', String(!isClosed));
  };
  const set = (side, isOpen) => {
    panes.set(side, isOpen);
    show();
  };
  const toggle = (side) => {
    if (panes.mode === 'sheet') toggleSheet();
    else set(side, !panes.isOpen(side));
  };
  const toggleSheet = (isClosed) => {
    body.classList.toggle('sheet-closed', isClosed);
    show();
  };
  const resized = () => {
    if (panes.setMode(modeOf(window.innerWidth, sheet.matches))) show();
  };

  for (const [side, { panel, button }] of sides) {
    byId(button).addEventListener('click', () => toggle(side));
    byId(panel).addEventListener('pointerdown', () => panes.use(side));
    byId(panel).addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || panes.drawer !== side) return;
      set(side, false);
      byId(button).focus();
    });
  }
  byId('toggle-sheet').addEventListener('click', () => toggleSheet());
  // A tab of a closed sheet opens it; a second tap on the open tab makes it taller.
  byId('tabs').addEventListener(
    'click',
    (event) => {
      const tab = event.target.closest('[role=tab]');
      if (!tab || !sheet.matches || !body.classList.contains('sheet-closed')) return;
      toggleSheet(false);
      if (tab.getAttribute('aria-selected') === 'true') event.stopPropagation();
    },
    { capture: true },
  );
  // Whatever opens a tab wants it to be seen.
  session.on('tab', (tab) => {
    panes.use(tab === 'library' ? 'left' : 'right'); // which of the two stays where there is room for one
    if (panes.mode === 'sheet') toggleSheet(false);
    else if (tab !== 'library') set('right', true);
  });

  setUpEdge('left-edge', '--left', 1);
  setUpEdge('right-edge', '--right', -1);
  foldIfNarrow(byId('bar'), byId('more'), byId('more-panel'));
  foldIfNarrow(byId('transport'), byId('playback'), byId('playback-panel'));
  window.addEventListener('resize', resized);
  resized();
  show();
  return { toggle, isOpen: (side) => panes.mode === 'sheet' || panes.isOpen(side) };
}
