// SPDX-License-Identifier: MIT
//
// The bones as an indented list, and the current values of the selected one.

import { byId, el } from '../window/dom.js';
import { icon } from '../window/icons.js';
import { List } from './list.js';
import { setUpSearch } from './search.js';

/** The bones in the order of the tree, each with its depth. */
function bonesInOrder(bones) {
  const children = new Map();
  bones.forEach((bone, index) => {
    if (!children.has(bone.parent)) children.set(bone.parent, []);
    children.get(bone.parent).push(index);
  });
  const rows = [];
  const waiting = (children.get(-1) ?? []).map((index) => ({ index, depth: 0 })).reverse();
  while (waiting.length > 0) {
    const { index, depth } = waiting.pop();
    rows.push({ index, depth, name: bones[index].name });
    for (const child of [...(children.get(index) ?? [])].reverse())
      waiting.push({ index: child, depth: depth + 1 });
  }
  return rows;
}

export class BonesPanel {
  #session;
  #list;
  #rows = [];

  constructor(session) {
    this.#session = session;
    this.#list = new List(byId('bones-list'), {
      label: 'Bones',
      row: (row) => {
        const indent = el('span', { class: 'indent' });
        indent.style.width = `${Math.min(row.depth, 16) * 12}px`;
        return [
          indent,
          icon('bone'),
          el('span', { class: 'name', text: row.name }),
          el('span', { class: 'aside', text: String(row.index) }),
        ];
      },
      choose: (row) => session.setBone(row.index),
    });
    setUpSearch(byId('bones-search'), this.#list, () => this.#show());
    session.on('scene', () => {
      this.#rows = session.scene ? bonesInOrder(session.scene.bones) : [];
      this.#show();
      this.moved();
    });
    session.on('bone', () => {
      this.#list.choose(this.#list.items.findIndex((row) => row.index === session.bone));
      this.moved();
    });
    session.on('tab', () => this.moved());
  }

  #show() {
    const sought = byId('bones-search').value.trim().toLowerCase();
    const rows = sought
      ? this.#rows
          .filter((row) => row.name.toLowerCase().includes(sought))
          .map((row) => ({ ...row, depth: 0 }))
      : this.#rows;
    this.#list.set(
      rows,
      rows.findIndex((row) => row.index === this.#session.bone),
    );
  }

  /** The pose has changed. */
  moved() {
    const box = byId('bone-values');
    if (box.offsetParent === null) return;
    const { scene, pose, bone } = this.#session;
    if (!scene || bone < 0) {
      box.replaceChildren(
        el('p', {
          class: 'quiet',
          text: scene ? 'Select a bone to see its values.' : 'No figure is shown.',
        }),
      );
      return;
    }
    const local = pose.locals.subarray(bone * 10, bone * 10 + 10);
    const model = pose.matrices.subarray(bone * 16 + 12, bone * 16 + 15);
    const row = (name, values) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row', text: name }),
        ...[...values].map((value) => el('td', { text: value.toFixed(4) })),
      );
    box.replaceChildren(
      el(
        'table',
        {},
        row('translation', local.subarray(0, 3)),
        row('rotation', local.subarray(3, 7)),
        row('scale', local.subarray(7, 10)),
        row('in the model', model),
      ),
      pose.visible[bone] ? '' : el('p', { class: 'quiet', text: 'Hidden at this frame.' }),
    );
  }
}
