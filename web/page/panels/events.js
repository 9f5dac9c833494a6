// SPDX-License-Identifier: MIT
//
// The events of the clip, listed in the Info tab: a button goes to the frame of each.

import { el, plural } from '../window/dom.js';
import { eventText } from '../play/timeline_scale.js';

const MOST = 100; // a clip with more has them on the timeline

/** @param {any} session @returns {HTMLElement[]} none if the clip has no events */
export function eventList(session) {
  const events = session.scene?.clips[session.clip]?.events ?? [];
  if (events.length === 0) return [];
  const row = (event) => {
    const button = el('button', {
      type: 'button',
      class: 'small',
      text: `Frame ${event.frame}`,
      onclick: () => session.emit('seek', event.frame),
    });
    return el('li', {}, button, ` ${eventText(event)}`);
  };
  const more = events.length - MOST;
  return [
    el('h2', { text: 'Events of the clip' }),
    el('ul', { class: 'events' }, ...events.slice(0, MOST).map(row)),
    ...(more > 0 ? [el('p', { class: 'quiet', text: `and ${plural(more, 'other')}` })] : []),
  ];
}
