// SPDX-License-Identifier: MIT
//
// Which key does what.

import { byId } from './dom.js';

const STEP = Math.PI / 12; // rotation of the view per key

/** @returns {import('./keys.js').Shortcut[]} */
export function shortcuts({
  session,
  player,
  show,
  stage,
  inspector,
  saving,
  opening,
  changeTheme,
}) {
  const move = (work) => () => {
    work();
    show.moved();
  };
  const toggle = (name) => () => session.setView(name, !session.view[name]);
  const tab = (name) => () => inspector.open(inspector.tab === name ? 'info' : name);
  const look = (work) => () => {
    if (stage && session.camera < 0) work();
  };
  return [
    { keys: [' '], shown: 'Space', does: 'Play or pause', run: move(() => player.toggle()) },
    {
      keys: ['ArrowRight'],
      shown: '→',
      does: 'One frame forward',
      run: move(() => player.step(1)),
    },
    { keys: ['ArrowLeft'], shown: '←', does: 'One frame back', run: move(() => player.step(-1)) },
    {
      keys: ['Shift+ArrowRight'],
      shown: 'Shift →',
      does: '10 frames forward',
      run: move(() => player.step(10)),
    },
    {
      keys: ['Shift+ArrowLeft'],
      shown: 'Shift ←',
      does: '10 frames back',
      run: move(() => player.step(-10)),
    },
    { keys: ['Home'], shown: 'Home', does: 'First frame', run: move(() => player.seekFrame(0)) },
    {
      keys: ['End'],
      shown: 'End',
      does: 'Last frame',
      run: move(() => player.seekFrame(player.lastFrame)),
    },
    { keys: ['['], shown: '[', does: 'Slower', run: move(() => player.changeSpeed(-1)) },
    { keys: [']'], shown: ']', does: 'Faster', run: move(() => player.changeSpeed(1)) },
    {
      keys: ['l'],
      shown: 'L',
      does: 'Loop, ping-pong or once',
      run: move(() => player.nextMode()),
    },
    { keys: ['i'], shown: 'I', does: 'In place or with root motion', run: toggle('inPlace') },
    { keys: ['b'], shown: 'B', does: 'Bones', run: toggle('bones') },
    { keys: ['n'], shown: 'N', does: 'Bone names', run: toggle('names') },
    { keys: ['t'], shown: 'T', does: 'Trail of the selected bone', run: toggle('trail') },
    { keys: ['g'], shown: 'G', does: 'Ground grid', run: toggle('grid') },
    {
      keys: ['f'],
      shown: 'F',
      does: 'Fit the figure to the view; leave a camera',
      run: () => show.fit(),
    },
    { keys: ['1'], shown: '1', does: 'Front view', run: look(() => show.fit(0, 0)) },
    { keys: ['3'], shown: '3', does: 'Side view', run: look(() => show.fit(Math.PI / 2, 0)) },
    { keys: ['7'], shown: '7', does: 'Top view', run: look(() => show.fit(0, Math.PI / 2)) },
    {
      keys: ['4'],
      shown: '4',
      does: 'Rotate the view left',
      run: look(() => stage.orbit(-STEP, 0)),
    },
    {
      keys: ['6'],
      shown: '6',
      does: 'Rotate the view right',
      run: look(() => stage.orbit(STEP, 0)),
    },
    { keys: ['8'], shown: '8', does: 'Rotate the view up', run: look(() => stage.orbit(0, STEP)) },
    {
      keys: ['2'],
      shown: '2',
      does: 'Rotate the view down',
      run: look(() => stage.orbit(0, -STEP)),
    },
    {
      keys: [':Shift+Digit4'],
      shown: 'Shift 4',
      does: 'Move the view left',
      run: look(() => stage.pan(-0.1, 0)),
    },
    {
      keys: [':Shift+Digit6'],
      shown: 'Shift 6',
      does: 'Move the view right',
      run: look(() => stage.pan(0.1, 0)),
    },
    {
      keys: [':Shift+Digit8'],
      shown: 'Shift 8',
      does: 'Move the view up',
      run: look(() => stage.pan(0, 0.1)),
    },
    {
      keys: [':Shift+Digit2'],
      shown: 'Shift 2',
      does: 'Move the view down',
      run: look(() => stage.pan(0, -0.1)),
    },
    { keys: ['+', '='], shown: '+', does: 'Zoom in', run: look(() => stage.zoom(1 / 1.15)) },
    { keys: ['-'], shown: '-', does: 'Zoom out', run: look(() => stage.zoom(1.15)) },
    { keys: ['d'], shown: 'D', does: 'Light or dark theme', run: changeTheme },
    { keys: ['v'], shown: 'V', does: 'Look: variants and parts', run: tab('look') },
    { keys: ['c'], shown: 'C', does: 'Curves', run: tab('curves') },
    { keys: ['h'], shown: 'H', does: 'Bytes of the file', run: tab('bytes') },
    { keys: ['o'], shown: 'O', does: 'Open files', run: opening.chooseFiles },
    { keys: ['s'], shown: 'S', does: 'Save', run: () => saving.open() },
    {
      keys: ['?'],
      shown: '?',
      does: 'Show these keys',
      run: () => byId('help-dialog').showModal(),
    },
  ];
}
