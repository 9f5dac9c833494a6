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
  clips,
  saving,
  opening,
  changeTheme,
  comparing,
  views,
  layout,
}) {
  const move = (work) => () => {
    work();
    show.moved();
  };
  const toggle = (name) => () => session.setView(name, !session.view[name]);
  const tab = (name) => () =>
    inspector.open(inspector.tab === name && layout.isOpen('right') ? 'info' : name);
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
    { keys: ['Home'], shown: 'Home', does: 'First frame', run: move(() => player.toFirst()) },
    {
      keys: ['End'],
      shown: 'End',
      does: 'Last frame',
      run: move(() => player.toLast()),
    },
    { keys: ['j'], shown: 'J', does: 'Next clip', run: () => clips.step(1) },
    { keys: ['k'], shown: 'K', does: 'Previous clip', run: () => clips.step(-1) },
    { keys: ['a'], shown: 'A', does: 'Range from here', run: move(() => player.startRange()) },
    { keys: ['e'], shown: 'E', does: 'Range to here', run: move(() => player.endRange()) },
    { keys: ['x'], shown: 'X', does: 'Play the whole clip', run: move(() => (player.range = null)) },
    { keys: ['r'], shown: 'R', does: 'Play backwards', run: move(() => player.reverse()) },
    { keys: ['['], shown: '[', does: 'Slower', run: move(() => player.changeSpeed(-1)) },
    { keys: [']'], shown: ']', does: 'Faster', run: move(() => player.changeSpeed(1)) },
    {
      keys: ['l'],
      shown: 'L',
      does: 'Loop, ping-pong, once or chain',
      run: move(() => player.nextMode()),
    },
    { keys: ['i'], shown: 'I', does: 'In place or with root motion', run: toggle('inPlace') },
    { keys: [':Shift+KeyI'], shown: 'Shift I', does: 'Walk on from one repetition to the next', run: toggle('travel') },
    { keys: [':Shift+KeyT'], shown: 'Shift T', does: 'Treadmill: in place, over a floor that moves', run: toggle('treadmill') },
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
    { keys: ['0'], shown: '0', does: 'View as at the start', run: look(() => show.fit('home')) },
    { keys: ['1'], shown: '1', does: 'Front view', run: look(() => show.fit('front')) },
    {
      keys: [':Shift+Digit1'],
      shown: 'Shift 1',
      does: 'Back view',
      run: look(() => show.fit('back')),
    },
    { keys: ['3'], shown: '3', does: 'View from the right', run: look(() => show.fit('right')) },
    {
      keys: [':Shift+Digit3'],
      shown: 'Shift 3',
      does: 'View from the left',
      run: look(() => show.fit('left')),
    },
    { keys: ['7'], shown: '7', does: 'Top view', run: look(() => show.fit('top')) },
    {
      keys: [':Shift+Digit7'],
      shown: 'Shift 7',
      does: 'View from below',
      run: look(() => show.fit('bottom')),
    },
    { keys: ['5'], shown: '5', does: 'Perspective or orthographic', run: toggle('flat') },
    { keys: [':Shift+KeyF'], shown: 'Shift F', does: 'Follow the figure', run: toggle('follow') },
    { keys: [':Shift+KeyG'], shown: 'Shift G', does: 'Ground shadow', run: toggle('shadow') },
    { keys: ['w'], shown: 'W', does: 'Wireframe', run: toggle('wireframe') },
    { keys: ['u'], shown: 'U', does: 'Surface normals', run: toggle('normals') },
    { keys: ['z'], shown: 'Z', does: 'Full screen', run: () => views.toggleFull() },
    {
      keys: ['4'],
      shown: '4',
      does: 'Rotate the view left',
      run: look(() => stage.orbit.rotate(-STEP, 0)),
    },
    {
      keys: ['6'],
      shown: '6',
      does: 'Rotate the view right',
      run: look(() => stage.orbit.rotate(STEP, 0)),
    },
    { keys: ['8'], shown: '8', does: 'Rotate the view up', run: look(() => stage.orbit.rotate(0, STEP)) },
    {
      keys: ['2'],
      shown: '2',
      does: 'Rotate the view down',
      run: look(() => stage.orbit.rotate(0, -STEP)),
    },
    {
      keys: [':Shift+Digit4'],
      shown: 'Shift 4',
      does: 'Move the view left',
      run: look(() => stage.orbit.pan(-0.1, 0)),
    },
    {
      keys: [':Shift+Digit6'],
      shown: 'Shift 6',
      does: 'Move the view right',
      run: look(() => stage.orbit.pan(0.1, 0)),
    },
    {
      keys: [':Shift+Digit8'],
      shown: 'Shift 8',
      does: 'Move the view up',
      run: look(() => stage.orbit.pan(0, 0.1)),
    },
    {
      keys: [':Shift+Digit2'],
      shown: 'Shift 2',
      does: 'Move the view down',
      run: look(() => stage.orbit.pan(0, -0.1)),
    },
    { keys: ['+', '='], shown: '+', does: 'Zoom in', run: look(() => stage.orbit.zoom(1 / 1.15)) },
    { keys: ['-'], shown: '-', does: 'Zoom out', run: look(() => stage.orbit.zoom(1.15)) },
    { keys: ['y'], shown: 'Y', does: 'Compare', run: () => comparing.open() },
    { keys: ['d'], shown: 'D', does: 'Light or dark theme', run: changeTheme },
    { keys: ['v'], shown: 'V', does: 'Look: variants, parts and options', run: tab('look') },
    { keys: ['c'], shown: 'C', does: 'Curves', run: tab('curves') },
    { keys: ['h'], shown: 'H', does: 'Bytes of the file', run: tab('bytes') },
    { keys: ['q'], shown: 'Q', does: 'Hide or show the library', run: () => layout.toggle('left') },
    { keys: ['p'], shown: 'P', does: 'Hide or show the inspector', run: () => layout.toggle('right') },
    { keys: ['o'], shown: 'O', does: 'Open files', run: opening.chooseFiles },
    { keys: ['s'], shown: 'S', does: 'Save', run: () => saving.open() },
    { keys: ['m'], shown: 'M', does: 'Share a film or a picture', run: () => saving.share() },
    {
      keys: ['?'],
      shown: '?',
      does: 'Show these keys',
      run: () => byId('help-dialog').showModal(),
    },
  ];
}
