// SPDX-License-Identifier: MIT
//
// Which parts, options and variant of a figure the user has chosen, and how links and pages keep them. Pure.

import { textOfValue, valueOfText } from './option_values.js';

/** @typedef {{ name: string, parts: { name: string, isShown: boolean }[] }} Slot */

/** The slots that leave a choice. @param {Slot[]} slots @returns {Slot[]} */
export function slotsToChoose(slots) {
  return slots.filter(({ parts }) => parts.length > 1 || parts.some((part) => !part.isShown));
}

/**
 * Choices as patterns for the library. A name may contain characters that mean something in a pattern.
 * @param {Map<string, boolean>} choices by part: whether it is shown
 * @returns {string[]}
 */
export function patternsOf(choices) {
  return [...choices].map(([name, isShown]) => {
    const plain = name.replaceAll('*', '?');
    return isShown ? plain.replace(/^!/, '?') : `!${plain}`;
  });
}

/** The variant with a name, or else the one that the meshes have; -1: none.
 * @param {{ name: string, replacements: any[] }[]} variants @param {string|null} name */
export function variantCalled(variants, name) {
  const found = variants.findIndex((variant) => variant.name === name);
  return found >= 0 ? found : variants.findIndex(({ replacements }) => replacements.length === 0);
}

/** What is chosen for the figure that is shown, as members of a link: of its options those of the Look tab.
 * @param {any} shown see shown.js */
export function linkOfChoices({ figure, sceneOptions }) {
  const chosen = figure?.options ?? {};
  const names = sceneOptions.map(({ name }) => name).filter((name) => name in chosen);
  return {
    variant: figure?.variant ?? null,
    parts: new Map(figure?.parts ?? []),
    options: new Map(names.map((name) => [name, textOfValue(chosen[name])])),
  };
}

/** What a link chooses for the figure that is shown, and the names of what that does not have.
 * @param {import('./link.js').Link} link @param {any} shown see shown.js */
export function chosenByLink(link, { scene, slots, sceneOptions }) {
  const unknown = [];
  const options = {};
  for (const [name, text] of link.options) {
    const option = sceneOptions.find((one) => one.name === name);
    const found = option && valueOfText(option, text);
    if (found) options[option.name] = found.value;
    else unknown.push(`${name} ${text}`);
  }
  const known = new Set(slots.flatMap((slot) => slot.parts.map(({ name }) => name)));
  const parts = new Map([...link.parts].filter(([name]) => known.has(name)));
  unknown.push(...[...link.parts.keys()].filter((name) => !known.has(name)));
  const variant = scene.variants.findIndex(({ name }) => name === link.variant);
  if (link.variant !== null && variant < 0) unknown.push(link.variant);
  return { options, parts, variant, unknown };
}

/** The choices for all figures, for a page that is saved. The options of a pinned figure are kept with it.
 * @param {any[]} figures */
export function savedChoices(figures) {
  return figures
    .map(({ words, options, parts = new Map(), variant = null, isPinned = false }) => ({
      words,
      options: isPinned ? {} : Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value ?? null])),
      parts: [...parts],
      variant,
    }))
    .filter(({ options, parts, variant }) => Object.keys(options).length > 0 || parts.length > 0 || variant !== null);
}

/** Choose for figures what was saved. Returns those that have changed. @param {any[]} figures @param {any[]} saved */
export function restoreChoices(figures, saved) {
  const changed = [];
  for (const { words, options = {}, parts = [], variant = null } of saved) {
    const figure = figures.find((one) => one.words.join('\n') === words.join('\n'));
    if (!figure) continue;
    const values = Object.entries(options).map(([name, value]) => [name, value ?? undefined]);
    Object.assign(figure, { options: { ...figure.options, ...Object.fromEntries(values) }, parts: new Map(parts), variant });
    changed.push(figure);
  }
  return changed;
}
