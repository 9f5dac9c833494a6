// SPDX-License-Identifier: MIT
//
// The lists of figures and of clips, with search. The cameras of a scene are in the list of clips;
// selecting one looks through it.

import { byId, el, plural } from './dom.js';
import { icon } from './icons.js';
import { List, ROW_HEIGHT } from './list.js';

const ENOUGH_TO_SEARCH = 12;

export function setUpFigures(session) {
  const search = byId('figures-search');
  const list = new List(byId('figures-list'), {
    label: 'Figures',
    row: (figure) => [
      icon('figure'),
      el('span', { class: 'name', text: figure.name }),
      el('span', { class: 'aside', text: origin(figure) }),
    ],
    describe: (figure) => ({ title: figure.words.join('\n') }),
    choose: (figure) => figure !== session.figure && session.showFigure(figure),
  });
  // The file that it comes from, for figures that share a name.
  const origin = (figure) =>
    session.figures.some(
      (other) => other !== figure && other.name.toLowerCase() === figure.name.toLowerCase(),
    )
      ? figure.words[0].split('#')[0].split('/').pop()
      : '';
  const show = () => {
    const sought = search.value.trim().toLowerCase();
    document.body.classList.toggle('no-figures', session.figures.length === 0);
    search.hidden = session.figures.length < ENOUGH_TO_SEARCH;
    const rows = session.figures.filter((figure) => figure.name.toLowerCase().includes(sought));
    byId('figures-count').textContent = session.figures.length > 1 ? session.figures.length : '';
    byId('figures-list').style.height = `${Math.max(1, rows.length) * ROW_HEIGHT}px`;
    list.set(rows, rows.indexOf(session.figure));
  };
  search.addEventListener('input', show);
  session.on('figures', show);
  session.on('scene', show);
}

function clipRows(scene) {
  if (!scene) return [];
  return [
    ...scene.clips.map((clip, index) => ({
      type: 'clip',
      index,
      name: clip.name,
      aside: `${clip.frameCount} f`,
    })),
    ...scene.cameras.map((camera, index) => ({
      type: 'camera',
      index,
      name: camera.name || `camera ${index}`,
      aside: `${camera.duration.toFixed(1)} s`,
    })),
    ...(scene.bones.length > 0 ? [{ type: 'clip', index: -1, name: 'Rest pose', aside: '' }] : []),
  ];
}

export function setUpClips(session) {
  const search = byId('clips-search');
  let rows = [];
  const isChosen = (row) =>
    session.camera >= 0
      ? row.type === 'camera' && row.index === session.camera
      : row.type === 'clip' && row.index === session.clip;
  const list = new List(byId('clips-list'), {
    label: 'Clips',
    row: (row) => [
      icon(row.type === 'camera' ? 'camera' : row.index < 0 ? 'figure' : 'clip'),
      el('span', { class: 'name', text: row.name }),
      el('span', { class: 'aside', text: row.aside }),
    ],
    describe: (row) => ({
      class: row.index < 0 ? 'muted' : '',
      title: row.type === 'camera' ? `Look through ${row.name}` : row.name,
    }),
    choose: (row) => {
      if (isChosen(row)) return;
      if (row.type === 'camera') session.setCamera(row.index);
      else session.setClip(row.index);
    },
  });
  const show = () => {
    const sought = search.value.trim().toLowerCase();
    const found = sought ? rows.filter((row) => row.name.toLowerCase().includes(sought)) : rows;
    list.set(found, found.findIndex(isChosen));
  };
  const fill = () => {
    rows = clipRows(session.scene);
    search.hidden = rows.length < ENOUGH_TO_SEARCH;
    if (search.hidden) search.value = '';
    const cameras = session.scene?.cameras.length ?? 0;
    byId('clips-count').textContent = !session.scene
      ? ''
      : `${session.scene.clips.length}${cameras > 0 ? `, ${plural(cameras, 'camera')}` : ''}`;
    show();
  };
  search.addEventListener('input', show);
  session.on('scene', fill);
  for (const event of ['clip', 'camera']) {
    session.on(event, () => list.choose(list.items.findIndex(isChosen)));
  }
}
