// SPDX-License-Identifier: MIT
//
// What a scene lacks that somebody may still drop, from the warnings of the library, in words.

/**
 * The question for a scene that stands on placeholders; null: it needs nothing.
 * @param {{ issues: {code: string, format: string, message: string}[], bones: {length: number} }} scene
 * @returns {string|null}
 */
export function question(scene) {
  const missing = scene.issues.filter((issue) => issue.code === 'missing-part');
  for (const issue of missing) {
    const lacks = /there is no (?:skeleton|tree|model) \((\w+)\)/.exec(issue.message);
    if (lacks) return ask(issue.format, lacks[1], scene.bones.length);
  }
  for (const issue of missing) {
    const places = /bind position \(BON\).*?: (\d+) of (\d+)/.exec(issue.message);
    if (places && places[1] === places[2]) {
      return `This figure has ${count(scene.bones.length, 'part')}, and no word of where they sit: drop its BON files, or show all at one point.`;
    }
  }
  return null;
}

function ask(format, wanted, bones) {
  const placeholders = 'or show placeholders.';
  switch (format) {
    case 'ei-anm':
      return `These ANM files move ${count(bones, 'part')}: drop their LNK and BON files, ${placeholders}`;
    case 'ei-fig':
      return `These FIG files are ${count(bones, 'part')} of a figure: drop its LNK and BON files, ${placeholders}`;
    case 'vib-anm':
      return `This ANM moves ${count(bones, 'object')}: drop its TMD, ${placeholders}`;
    default: {
      const name = (format.split('-')[1] ?? format).toUpperCase();
      return `This ${name} has ${count(bones, 'bone')}: drop its ${wanted}, ${placeholders}`;
    }
  }
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
