// SPDX-License-Identifier: MIT
//
// Values of the options of a scene. Pure.

// The library takes numbers that no page can show: figures smaller than a dot, thousands of keys per frame.
const SENSIBLE = {
  fps: { min: 0.1, max: 1000 },
  scale: { min: 0.001, max: 1000 },
  resample: { min: 1, max: 60 },
};

/** The least and the greatest number that the page offers, within what the library accepts.
 * @param {{ name: string, min: number|null, max: number|null }} option */
export function boundsOf({ name, min, max }) {
  const sensible = SENSIBLE[name] ?? {};
  return {
    min: Math.max(min ?? -Infinity, sensible.min ?? -Infinity),
    max: Math.min(max ?? Infinity, sensible.max ?? Infinity),
  };
}

/** Why a number is not taken; '' if it is. @param {any} option @param {number} value */
export function refusalText(option, value) {
  const { min, max } = boundsOf(option);
  const isTaken = value >= min && value <= max && (!option.isWhole || Number.isInteger(value));
  return isTaken ? '' : `${titleOf(option)} must be a ${option.isWhole ? 'whole ' : ''}number from ${min} to ${max}.`;
}

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

/** A value in a link. @param {any} value undefined: as stored */
export function textOfValue(value) {
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
}

/** The value that a link means. @param {any} option @param {string} text
 * @returns {{ value: any }|null} null: the option has no such value */
export function valueOfText(option, text) {
  const isTaken = (number) => refusalText(option, number) === '';
  const read = {
    flag: () => (['true', 'false'].includes(text) ? { value: text === 'true' } : null),
    choice: () => (option.values.some(({ value }) => value === text) ? { value: text } : null),
    number: () => {
      if (text === '') return { value: option.default ?? undefined };
      return isTaken(Number(text)) ? { value: Number(text) } : null;
    },
    vector: () => {
      const value = text.split(',').map((part) => (part === '' ? NaN : Number(part)));
      return value.length === option.values.length && value.every(isTaken) ? { value } : null;
    },
  };
  return read[option.kind]?.() ?? null;
}
