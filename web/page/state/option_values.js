// SPDX-License-Identifier: MIT
//
// Values of the options of a scene. Pure.

/** "inPlace": "In place". @param {{ name: string }} option */
export function titleOf({ name }) {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words[0].toUpperCase() + words.slice(1);
}

/** Whether a value, undefined for none, is what the library takes without one. */
export function isDefault(option, value) {
  return value === undefined || value === null || JSON.stringify(value) === JSON.stringify(option.default);
}

/** Options without those that are as the library has them, unless others would take their place.
 * @param {any[]} list @param {object} chosen @param {object} others */
export function withoutDefaults(list, chosen, others) {
  const known = new Map(list.map((option) => [option.name, option]));
  const differs = ([name, value]) => name in others || !known.has(name) || !isDefault(known.get(name), value);
  return Object.fromEntries(Object.entries(chosen).filter(differs));
}
