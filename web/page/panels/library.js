// SPDX-License-Identifier: MIT
//
// The lists of figures and of clips, with search. The cameras of a scene are in the list of clips;
// selecting one looks through it.

import { byId, el, plural } from '../window/dom.js';
import { icon } from '../window/icons.js';
import { List } from './list.js';
import { setUpSearch } from './search.js';

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
    byId('figures-list').style.height = `calc(${Math.max(1, rows.length)} * var(--row))`;
    list.set(rows, rows.indexOf(session.figure));
  };
  setUpSearch(search, list, show);
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

/** @returns {{ step: (by: number) => void }} to the next clip of the list (1), or to the previous one (-1) */
export function setUpClips(session) {
  const search = byId('clips-search');
  let rows = [];
  const isChosen = (row) =>
    session.camera >= 0
      ? row.type === 'camera' && row.index === session.camera
      : row.type === 'clip' && row.index === session.clip;
  const go = (row) =>
    row.type === 'camera' ? session.setCamera(row.index) : session.setClip(row.index);
  const choose = (row) => {
    if (!isChosen(row)) go(row);
  };
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
    choose,
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
  setUpSearch(search, list, show);
  session.on('scene', fill);
  for (const event of ['clip', 'camera']) {
    session.on(event, () => list.choose(list.items.findIndex(isChosen)));
  }
  // Through what is listed, and round. The rest pose is not a clip.
  let asked = null; // the row that is on its way: quick steps count from there
  const step = async (by) => {
    const played = list.items.filter((row) => row.index >= 0);
    if (played.length === 0) return;
    const at = played.includes(asked) ? played.indexOf(asked) : played.findIndex(isChosen);
    const to = at < 0 ? (by > 0 ? 0 : played.length - 1) : at + by + played.length;
    const row = played[to % played.length];
    asked = row;
    await go(row);
    if (asked === row) asked = null;
  };
  byId('clip-previous').addEventListener('click', () => step(-1));
  byId('clip-next').addEventListener('click', () => step(1));
  return { step };
}
