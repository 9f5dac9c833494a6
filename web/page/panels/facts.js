// SPDX-License-Identifier: MIT
//
// The Info tab: the figure that is shown and the selected file, as elements.

import { describe, discRows, number, valueText } from '../state/describe.js';
import { bytesText, el, lastName, plural } from '../window/dom.js';
import { eventList } from './events.js';
import { icon } from '../window/icons.js';
import { pictureElement } from './picture.js';
import { isPlayable } from './tree.js';

export function figureFacts(session, vertices) {
  const { scene, figure, failure, clip } = session;
  if (!figure) return [];
  const parts = [el('h2', {}, icon('figure'), figure.name)];
  if (failure) parts.push(el('p', { class: 'error-line', text: failure.message }));
  if (!scene) return parts;
  const facts = [
    ...sceneFacts(session, vertices),
    ...(clip >= 0 ? clipFacts(scene.clips[clip]) : []),
  ];
  if (figure.note) parts.push(el('p', { class: 'quiet', text: figure.note }));
  return [...parts, definition(facts), ...eventList(session)];
}

function sceneFacts(session, vertices) {
  const { scene } = session;
  const { meshes, textures, variants, cameras } = scene;
  const facts = [
    ['game', scene.game],
    ['bones', scene.bones.length],
    [
      'meshes',
      meshes.length === 0 ? 'none' : `${meshes.length}, ${plural(vertices, 'vertex', 'vertices')}`,
    ],
    ['textures', textures.length === 0 ? noTexture(session) : textures.map(textureText).join(', ')],
    ['clips', scene.clips.length],
  ];
  if (variants.length > 0)
    facts.push(['variants', `${variants.length}, ${variants[session.variant]?.name ?? 'none'} shown`]);
  if (cameras.length > 0) facts.push(['cameras', cameras.length]);
  return facts;
}

// If the game has texture files, a material without a texture lacks such a file.
function noTexture({ scene, formats }) {
  const isWanted = scene.materials.some((material) => material.texture < 0);
  const format = formats(scene.game).find(
    ({ kind, can }) => kind === 'texture' && can.includes('assemble'),
  );
  if (!isWanted || !format) return 'none';
  return `none; add its ${extension(format)} file or the archive that contains it`;
}

function textureText({ name, width, height }) {
  return `${name} ${width} × ${height}`;
}

function clipFacts(clip) {
  const duration = number(clip.frameCount / clip.fps);
  const facts = [
    ['clip', clip.name],
    ['frames', `${clip.frameCount} at ${number(clip.fps)} per second, ${duration} s`],
    ['loops', clip.loop ? 'yes, says the file' : 'not specified'],
  ];
  if (clip.velocity?.some((part) => part !== 0)) {
    facts.push(['velocity', `${clip.velocity.map(number).join(', ')} m/s`]);
  }
  for (const [name, value] of Object.entries(clip.extras ?? {}))
    facts.push([name, valueText(value)]);
  facts.push(['from', clip.source]);
  return facts;
}

/** @param {any} session @param {any} about what the library says about the file @param {() => void} openBytes */
export function fileFacts(session, about, openBytes) {
  const picture = icon(about.picture ? 'texture' : 'file');
  const parts = [el('h2', { title: about.word }, picture, lastName(about.word))];
  if (about.error) parts.push(el('p', { class: 'error-line', text: about.error.message }));
  if (about.picture) parts.push(pictureElement(about.picture, lastName(about.word)));
  if (about.found)
    parts.push(
      definition([
        ['size', bytesText(about.size)],
        ...discRows(about.found, (id) => session.format(id), session.figures),
      ]),
    );
  else if (about.facts) parts.push(...factParts(about));
  else if (about.size !== undefined)
    parts.push(el('p', { class: 'quiet', text: bytesText(about.size) }));
  const show = el('button', {
    type: 'button',
    text: 'Show this alone',
    onclick: () => session.showWord(about.word),
  });
  const bytes = el('button', { type: 'button', text: 'Bytes', onclick: openBytes });
  return [
    ...parts,
    el('p', { class: 'buttons' }, canShowAlone(session, about) ? show : null, ' ', bytes),
  ];
}

/** The models of an archive, to choose one. */
export function modelFacts({ word, models, modelCount }) {
  if (!models) return [];
  const text = `${plural(modelCount, 'model')} in ${lastName(word)}`;
  return [el('h2', { title: word }, icon('archive'), text), models.element];
}

function canShowAlone(session, { word, format, modelCount, error }) {
  if (error || !isPlayable(format)) return false;
  return modelCount < 2 && !session.figure?.words.includes(word);
}

function factParts({ format, confidence, size, facts }) {
  const { rows, tables } = describe(facts);
  return [
    definition([
      ['format', `${format.title} (${format.id})`],
      ['game', format.game],
      ['recognised by', confidence],
      ['size', `${size.toLocaleString('en')} bytes`],
      ...rows,
    ]),
    ...tables.map(tableElement),
  ];
}

function tableElement({ title, columns, rows, more }) {
  const cells = (tag, texts) => texts.map((text) => el(tag, { text }));
  return el(
    'div',
    { class: 'fact-table', tabindex: '0', role: 'region', 'aria-label': title },
    el(
      'table',
      {},
      el('caption', { text: title }),
      el('thead', {}, el('tr', {}, ...cells('th', columns))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...cells('td', row)))),
    ),
    more > 0 ? el('p', { class: 'quiet', text: `and ${more} more` }) : null,
  );
}

function definition(facts) {
  const rows = facts.flatMap(([name, value]) => [
    el('dt', { text: name }),
    el('dd', { text: String(value) }),
  ]);
  return el('dl', { class: 'facts' }, ...rows);
}

function extension({ extensions }) {
  return (extensions[0] ?? '').replace(/^\./, '').toUpperCase();
}
