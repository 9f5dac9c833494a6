// SPDX-License-Identifier: MIT
//
// The panel in which the user chooses what to compare, and the card on the stage that says how far it
// is from the figure.

import { millimetresText } from './distances.js';
import { byId, el } from '../window/dom.js';
import { Menu } from '../window/menu.js';

const GLB = 'glb'; // among the figures: the file that was opened
const SAME_PLACE = 0.00001; // metres
const SAME = 'same'; // among the clips of a GLB: that with the name of the figure's

/** @param {any} session @param {any} player @param {any} show @param {import('./compare.js').Comparison} comparison */
export function setUpComparing(session, player, show, comparison) {
  const [figures, clips] = [byId('compare-figure'), byId('compare-clip')];
  const radios = (name) => /** @type {any[]} */ ([...document.querySelectorAll(`input[name=${name}]`)]);
  const menu = new Menu('compare', 'compare-panel', { opening: () => fill(), otherwise: byId('more') });

  const fill = () => {
    const chosen = comparison.beside ? comparison.figure : session.figure;
    const list = session.figures.map((figure, index) => option(index, figure.name, figure === chosen));
    const isGlb = comparison.beside !== null && comparison.figure === null;
    if (isGlb) list.push(option(GLB, comparison.name, true));
    figures.replaceChildren(...list);
    fillClips(isGlb);
    for (const radio of radios('compare-mode')) radio.checked = radio.value === comparison.mode;
    for (const radio of radios('compare-time')) radio.checked = radio.value === comparison.time;
    byId('compare-toggle').textContent = comparison.beside ? 'Stop comparing' : 'Compare';
    for (const id of ['compare-toggle', 'compare-open', 'compare-figure', 'compare-clip'])
      byId(id).disabled = !comparison.canStart;
  };

  const fillClips = (isGlb) => {
    const names = comparison.beside ? comparison.clips.map(({ name }) => name) : session.scene?.clips.map(({ name }) => name) ?? [];
    const chosen = comparison.beside ? comparison.clip : other(session);
    const rows = names.map((name, index) => option(index, name, index === chosen));
    if (isGlb) rows.unshift(option(SAME, 'the clip of the figure', chosen === null));
    rows.push(option(-1, 'rest pose', chosen === -1));
    clips.replaceChildren(...rows);
  };

  const start = () => {
    const clip = clips.value === SAME ? null : Number(clips.value);
    if (figures.value === GLB) return comparison.setClip(clip);
    return comparison.showFigure(session.figures[Number(figures.value)], clip ?? -1);
  };
  // Of another figure: the clip of the same name, or its first.
  const startFigure = async () => {
    if (figures.value === GLB) return;
    const figure = session.figures[Number(figures.value)];
    const name = session.scene?.clips[session.clip]?.name;
    if (figure === session.figure) await comparison.showFigure(figure, other(session));
    else {
      const { scene } = await session.sceneOf(figure).catch(() => ({ scene: null }));
      const index = scene?.clips.findIndex((clip) => clip.name === name) ?? -1;
      await comparison.showFigure(figure, index >= 0 || !scene ? index : Math.min(0, scene.clips.length - 1));
    }
  };

  figures.addEventListener('change', startFigure);
  clips.addEventListener('change', start);
  for (const radio of radios('compare-mode')) radio.addEventListener('change', () => comparison.setMode(radio.value));
  for (const radio of radios('compare-time')) radio.addEventListener('change', () => comparison.setTime(radio.value));
  byId('compare-toggle').addEventListener('click', () => (comparison.beside ? comparison.end() : start()));
  byId('compare-open').addEventListener('click', () => byId('compare-file').click());
  byId('compare-file').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    target.value = ''; // so that the same file can be chosen again
    if (file) await comparison.openGlb(file);
  });
  byId('compare-close').addEventListener('click', () => {
    comparison.end();
    byId('picture').focus({ preventScroll: true });
  });
  byId('compare-worst').addEventListener('click', () => {
    player.pause();
    player.seekFrame(comparison.worst.frame);
    show.moved();
  });

  comparison.on('change', () => {
    const isOn = comparison.beside !== null;
    byId('compare').classList.toggle('on', isOn);
    byId('compare-card').hidden = !isOn;
    byId('compare-card').classList.toggle('ghost', comparison.mode === 'ghost');
    if (menu.isOpen) fill();
    if (!isOn) return;
    const what = `${comparison.name}, ${comparison.playing ?? 'rest pose'}`;
    byId('compare-with').textContent = comparison.mode === 'ghost' ? `Ghost: ${what}` : `Beside: ${what}`;
    byId('compare-with').title = what;
    tell(comparison);
  });
  comparison.on('distance', () => tell(comparison));
  return { open: () => (menu.isOpen ? menu.close(true) : menu.open()) };
}

function tell(comparison) {
  const { now, worst } = comparison;
  const isSame = worst !== null && worst.metres < SAME_PLACE;
  byId('compare-worst').hidden = !worst || isSame;
  byId('compare-now').textContent = !now
    ? 'No joints have the same name.'
    : isSame
      ? `The same: joints are ${millimetresText(worst.metres)} apart in the whole clip.`
      : `Joints are up to ${millimetresText(now.metres)} apart${now.metres > 0 ? `: ${now.joint}` : '.'}`;
  if (worst)
    byId('compare-worst').textContent = `In the whole clip ${millimetresText(worst.metres)}, frame ${worst.frame}`;
}

function option(value, text, isSelected) {
  return el('option', { value, text, selected: isSelected });
}

/** Another clip of the figure than the one that is shown; -1: there is none. */
function other({ scene, clip }) {
  const count = scene?.clips.length ?? 0;
  return count < 2 ? -1 : clip + 1 < count ? clip + 1 : clip - 1;
}
