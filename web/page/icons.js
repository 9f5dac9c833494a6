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
  place: '<path d="M8 2v12M2 8h12"/><circle cx="8" cy="8" r="3.5"/>',
  bone: '<path d="M3 13l2.2-5.2L13 3 8.2 10.8z"/><path d="M5.2 7.8l3 3"/>',
  names: '<path d="M2 4h7l5 4-5 4H2z"/><circle cx="5" cy="8" r="1" fill="currentColor"/>',
  trail:
    '<path d="M2 12c3-9 5 3 7-3s3-4 5-5" stroke-dasharray="2 1.6"/><circle cx="14" cy="4" r="1.3" fill="currentColor"/>',
  grid: '<path d="M2 5.5h12M2 10.5h12M5.5 2v12M10.5 2v12"/>',
  fit: '<path d="M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"/><rect x="5" y="5" width="6" height="6"/>',
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
