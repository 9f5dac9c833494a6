// SPDX-License-Identifier: MIT
//
// Which parts and which variant of a figure the user has chosen. Pure.

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
