// SPDX-License-Identifier: MIT
//
// Links to a moment, after the # of the page's address: figure=troll&clip=walk&frame=12&view=front. A view
// is a name, or angles in degrees (around, up), the distance and the target in metres. What was chosen on
// the Look tab follows: variant=night&part=hat&without=hair&option.scale=2. Pure.

const NAMES = ['home', 'front', 'back', 'left', 'right', 'top', 'bottom'];
const DEGREE = Math.PI / 180;
const IS_SHOWN = { part: true, without: false };
const OPTION = 'option.'; // before the names of options: one is called "view"

/**
 * @typedef {{ round: number, up: number, distance: number, target: number[] }} View angles in radians
 * @typedef {{ figure: string|null, clip: string|null, frame: number|null, bone: string|null,
 *   view: string|View|null, variant: string|null, parts: Map<string, boolean>, options: Map<string, string> }} Link
 *   what is null is not in it; clip '' is the rest pose; parts: whether each is shown
 */

/** @param {string} hash with # or without @returns {Link} */
export function parseLink(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const all = [...words];
  const frame = Number(words.get('frame') ?? NaN);
  return {
    figure: words.get('figure'),
    clip: words.get('clip'),
    frame: Number.isFinite(frame) && frame >= 0 ? frame : null,
    bone: words.get('bone'),
    view: parseView(words.get('view')),
    variant: words.get('variant'),
    parts: new Map(all.filter(([name]) => name in IS_SHOWN).map(([name, part]) => [part, IS_SHOWN[name]])),
    options: new Map(
      all.filter(([name]) => name.startsWith(OPTION)).map(([name, text]) => [name.slice(OPTION.length), text]),
    ),
  };
}

function parseView(text) {
  if (text === null || NAMES.includes(text)) return text;
  const numbers = text.split(',').map(Number);
  if (numbers.length !== 6 || !numbers.every(Number.isFinite) || !(numbers[2] > 0)) return null;
  const [round, up, distance, ...target] = numbers;
  return { round: round * DEGREE, up: up * DEGREE, distance, target };
}

/** @param {Link} link @returns {string} with # */
export function formatLink({ figure, clip, frame, bone, view, variant, parts, options }) {
  const words = new URLSearchParams();
  const entries = { figure, clip, frame, bone, view: view && viewText(view), variant };
  for (const [name, value] of Object.entries(entries)) if (value !== null) words.set(name, String(value));
  for (const [name, isShown] of parts) words.append(isShown ? 'part' : 'without', name);
  for (const [name, text] of options) words.append(`${OPTION}${name}`, text);
  return `#${words.toString().replaceAll('%2C', ',')}`;
}

function viewText(view) {
  if (typeof view === 'string') return view;
  const { round, up, distance, target } = view;
  return [round / DEGREE, up / DEGREE, distance, ...target].map((x) => Number(x.toPrecision(5))).join();
}
