// SPDX-License-Identifier: MIT
//
// The icons, 16 by 16 units, stroked in the colour of the text.

const PATHS = {
  play: '<path d="M5 3l8 5-8 5z" fill="currentColor"/>',
  pause: '<path d="M5 3v10M11 3v10" stroke-width="2.5"/>',
  next: '<path d="M4 3l6 5-6 5z" fill="currentColor"/><path d="M12.5 3v10"/>',
  previous: '<path d="M12 3L6 8l6 5z" fill="currentColor"/><path d="M3.5 3v10"/>',
  first: '<path d="M8 3L2 8l6 5zM14 3L8 8l6 5z" fill="currentColor"/>',
  last: '<path d="M8 3l6 5-6 5zM2 3l6 5-6 5z" fill="currentColor"/>',
  loop: '<path d="M3 8a5 5 0 0 1 9-3M13 8a5 5 0 0 1-9 3"/><path d="M12.5 1.5V5H9M3.5 14.5V11H7"/>',
  'ping-pong': '<path d="M2 8h12M5 5L2 8l3 3M11 5l3 3-3 3"/>',
  once: '<path d="M2 8h9M8 5l3 3-3 3M14 3v10"/>',
  chain:
    '<path d="M6.5 9.5l3-3M7.5 4.5l1-1a2.8 2.8 0 0 1 4 4l-1 1M8.5 11.5l-1 1a2.8 2.8 0 0 1-4-4l1-1"/>',
  reverse: '<path d="M11 3L3 8l8 5z"/>',
  'range-start': '<path d="M4 3v10M4 3h3M4 13h3M14 8H8M10.5 5.5L8 8l2.5 2.5"/>',
  'range-end': '<path d="M12 3v10M12 3H9M12 13H9M2 8h6M5.5 5.5L8 8l-2.5 2.5"/>',
  'range-clear': '<path d="M5 3H3v10h2M11 3h2v10h-2M6 6l4 4M10 6l-4 4"/>',
  'clip-previous': '<path d="M10.5 3l-5 5 5 5"/>',
  'clip-next': '<path d="M5.5 3l5 5-5 5"/>',
  place: '<path d="M8 2v12M2 8h12"/><circle cx="8" cy="8" r="3.5"/>',
  bone: '<path d="M3 13l2.2-5.2L13 3 8.2 10.8z"/><path d="M5.2 7.8l3 3"/>',
  names: '<path d="M2 4h7l5 4-5 4H2z"/><circle cx="5" cy="8" r="1" fill="currentColor"/>',
  trail:
    '<path d="M2 12c3-9 5 3 7-3s3-4 5-5" stroke-dasharray="2 1.6"/><circle cx="14" cy="4" r="1.3" fill="currentColor"/>',
  grid: '<path d="M2 5.5h12M2 10.5h12M5.5 2v12M10.5 2v12"/>',
  cube: '<path d="M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 8l5.5-3.2M8 8v6.2"/>',
  flat: '<path d="M2.5 5.5l3-3h8v8l-3 3h-8zM2.5 5.5h8v8M10.5 5.5l3-3"/>',
  follow:
    '<circle cx="8" cy="8" r="2" fill="currentColor"/><path d="M2 5.5A6.5 6.5 0 0 1 5.5 2M10.5 2A6.5 6.5 0 0 1 14 5.5M14 10.5a6.5 6.5 0 0 1-3.5 3.5M5.5 14A6.5 6.5 0 0 1 2 10.5"/>',
  full: '<path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4M2 2l4 4M14 2l-4 4M14 14l-4-4M2 14l4-4"/>',
  fit: '<path d="M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"/><rect x="5" y="5" width="6" height="6"/>',
  compare: '<path d="M2.5 5.5h7v8h-7z"/><path d="M6.5 3.2v-.7h7v8h-2" stroke-dasharray="2 1.5"/>',
  light:
    '<circle cx="8" cy="8" r="3"/><path d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5L13 13M13 3l-1.5 1.5M4.5 11.5L3 13"/>',
  dark: '<path d="M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z"/>',
  open: '<path d="M2 13V3h4l1.5 2H14v8z"/><path d="M8 11V7.5M6.2 9.2L8 7.4l1.8 1.8"/>',
  folder: '<path d="M2 13V3h4l1.5 2H14v8z"/>',
  save: '<path d="M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11"/>',
  help: '<circle cx="8" cy="8" r="6.2"/><path d="M6 6.2a2 2 0 1 1 2.6 2c-.5.2-.6.5-.6 1.2M8 11.3v.4"/>',
  camera: '<rect x="1.5" y="4.5" width="9" height="7"/><path d="M10.5 7.5l4-2v5l-4-2"/>',
  file: '<path d="M4 2h5l3 3v9H4z"/><path d="M9 2v3h3"/>',
  archive: '<rect x="2" y="3" width="12" height="3"/><path d="M3 6v7h10V6M6.5 8.5h3"/>',
  figure: '<circle cx="8" cy="3.5" r="1.8"/><path d="M8 5.5v4M3.5 7.5h9M8 9.5L5 14M8 9.5l3 4.5"/>',
  texture: '<rect x="2" y="3" width="12" height="10"/><path d="M2 11.5l4-4 3 3 2-2 3 3"/>',
  clip: '<path d="M2 3.5h12v9H2zM2 6h12M2 10h12M5 3.5V6M8 3.5V6M11 3.5V6M5 10v2.5M8 10v2.5M11 10v2.5"/>',
  warning: '<path d="M8 2l6.5 11.5h-13z"/><path d="M8 6.5v3.2M8 11.3v.4"/>',
  error: '<circle cx="8" cy="8" r="6"/><path d="M5.5 5.5l5 5M10.5 5.5l-5 5"/>',
  'left-pane': '<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M6.5 3v10"/>',
  'right-pane': '<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M9.5 3v10"/>',
  more: '<path d="M3.2 8h.1M8 8h.1M12.8 8h.1" stroke-width="2.4"/>',
  down: '<path d="M3.5 6L8 10.5 12.5 6"/>',
  info: '<circle cx="8" cy="8" r="6.2"/><path d="M8 7.2v4M8 4.6v.3"/>',
  look: '<path d="M5.5 2.5L2 5l1.5 2.5L5 6.7v6.8h6V6.7l1.5.8L14 5l-3.5-2.5a2.6 2.6 0 0 1-5 0z"/>',
  curves: '<path d="M2 2v12h12"/><path d="M4 10.5c2-8 4-6 5.5-3s2.5 2 4.5-2.5"/>',
  bytes: '<path d="M2.5 4h3v3.5h-3zM8.5 3.8v3.9M12 4v3.5M2.8 10v3.5M6 10.5h3V14M6 10.5V14h3M12.3 10v3.5"/>',
  close: '<path d="M3.5 3.5l9 9M12.5 3.5l-9 9"/>',
};

/** @param {string} name @returns {SVGElement} */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [attribute, value] of Object.entries({
    viewBox: '0 0 16 16',
    width: '16',
    height: '16',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.4',
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
    'aria-hidden': 'true',
    class: 'icon',
  }))
    svg.setAttribute(attribute, value);
  svg.innerHTML = PATHS[name] ?? '';
  return svg;
}
