// SPDX-License-Identifier: MIT
//
// What is said of the figure that is shown, and of the file that is looked at, as elements.

import { discFacts } from './disc.js';
import { bytesText, el, lastName, plural } from './dom.js';
import { icon } from './icons.js';
import { pictureElement } from './picture.js';
import { isPlayable } from './tree.js';

export function figureFacts(session, vertices) {
  const { scene, figure, failure, clip } = session;
  if (!figure) return [];
  const parts = [el('h2', {}, icon('figure'), figure.name)];
  if (failure) parts.push(el('p', { class: 'error-line', text: failure.message }));
  if (!scene) return parts;
  const facts = [
    ...sceneFacts(scene, vertices),
    ...(clip >= 0 ? clipFacts(scene.clips[clip]) : []),
  ];
  if (figure.note) parts.push(el('p', { class: 'quiet', text: figure.note }));
  return [...parts, definition(facts)];
}

function sceneFacts(scene, vertices) {
  const { meshes, textures, cameras } = scene;
  const facts = [
    ['game', scene.game],
    ['bones', scene.bones.length],
    [
      'meshes',
      meshes.length === 0 ? 'none' : `${meshes.length}, ${plural(vertices, 'vertex', 'vertices')}`,
    ],
    ['textures', textures.length === 0 ? noTexture(scene) : textures.map(textureText).join(', ')],
    ['clips', scene.clips.length],
  ];
  if (cameras.length > 0) facts.push(['cameras', cameras.length]);
  return facts;
}

function noTexture(scene) {
  const isWanted = scene.meshes.length > 0 && scene.game.startsWith('Evil Islands');
  return isWanted ? 'none: drop textures.res, or its MMP' : 'none';
}

function textureText({ name, width, height }) {
  return `${name} ${width} × ${height}`;
}

function clipFacts(clip) {
  const duration = number(clip.frameCount / clip.fps);
  const facts = [
    ['clip', clip.name],
    ['frames', `${clip.frameCount} at ${number(clip.fps)} a second, ${duration} s`],
    ['loops', clip.loop ? 'yes, the file says' : 'not said'],
  ];
  if (clip.velocity?.some((part) => part !== 0)) {
    facts.push(['velocity', `${clip.velocity.map(number).join(', ')} m/s`]);
  }
  for (const [name, value] of Object.entries(clip.extras ?? {}))
    facts.push([name, valueText(value)]);
  facts.push(['from', clip.source]);
  return facts;
}

function valueText(value) {
  if (typeof value === 'number') return number(value);
  return shortened(Array.isArray(value) ? value.map(number).join(', ') : String(value));
}

/** @param {any} session @param {any} about what was read of it @param {() => void} openBytes */
export function fileFacts(session, about, openBytes) {
  const picture = icon(about.picture ? 'texture' : 'file');
  const parts = [el('h2', { title: about.word }, picture, lastName(about.word))];
  if (about.error) parts.push(el('p', { class: 'error-line', text: about.error.message }));
  if (about.picture) parts.push(pictureElement(about.picture, lastName(about.word)));
  if (about.disc)
    parts.push(definition([['size', bytesText(about.size)], ...discFacts(about.disc)]));
  else if (about.info) parts.push(...infoParts(about.info));
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

function canShowAlone(session, { word, format, error }) {
  if (error || !isPlayable(format)) return false;
  return session.models(word).length < 2 && !session.figure?.words.includes(word);
}

// The tool prints names and values in columns of a terminal's width; here the values may wrap.
// Tables, which are indented further or have a heading, stay as they are.
function infoParts(info) {
  const parts = [];
  let facts = [];
  let table = [];
  const flush = () => {
    if (facts.length > 0) parts.push(definition(facts));
    if (table.length > 0) parts.push(el('pre', { tabindex: '0', text: table.join('\n') }));
    [facts, table] = [[], []];
  };
  for (const line of info.replace(/\n+$/, '').split('\n')) {
    const fact = /^ {2}(\S+(?: \S+)*) {2,}(\S.*)$/.exec(line) ?? /^ {2}(.{14}) (\S.*)$/.exec(line);
    if (fact && !/^ {2}\s/.test(line)) {
      if (table.length > 0) flush();
      facts.push([fact[1].trim(), fact[2]]);
    } else {
      if (facts.length > 0) flush();
      table.push(line);
    }
  }
  flush();
  return parts;
}

function definition(facts) {
  const rows = facts.flatMap(([name, value]) => [
    el('dt', { text: name }),
    el('dd', { text: String(value) }),
  ]);
  return el('dl', { class: 'facts' }, ...rows);
}

function number(value) {
  return String(Number(value.toPrecision(6)));
}

function shortened(text) {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
