// SPDX-License-Identifier: MIT
//
// The buttons on the stage: named views, projection, how the figure is drawn, full screen.

import { byId } from '../window/dom.js';
import { Gizmo } from './gizmo.js';
import { Menu } from '../window/menu.js';

/** What a change of session.view means for the stage. */
const EFFECTS = {
  shadow: (stage, is) => (stage.hasShadow = is),
  flat: (stage, is) => stage.orbit.setFlat(is),
  wireframe: (stage, is) => (stage.surfaces.isWireframe = is),
  normals: (stage, is) => (stage.surfaces.hasNormals = is),
};

/** @param {any} session @param {any} show @param {any} stage null without WebGL */
export function setUpViews(session, show, stage) {
  const bar = byId('view-bar');
  const toggleFull = setUpFull();
  if (!stage) {
    bar.hidden = true;
    return { toggleFull, describe: () => null, places: () => [] };
  }
  const gizmo = new Gizmo(byId('gizmo'), stage);
  session.on('scene', () => gizmo.draw()); // it may have been hidden
  const apply = () => {
    for (const [name, work] of Object.entries(EFFECTS)) work(stage, session.view[name]);
    stage.posed();
  };
  session.on('view', apply);
  apply();
  new Menu('views', 'views-panel');
  byId('views-panel').addEventListener('click', (event) => {
    const button = event.target.closest('[data-look]');
    if (button && session.camera < 0) show.fit(button.dataset.look);
  });
  // The next Space plays; it does not press the button again.
  bar.addEventListener('click', (event) => {
    if (event.detail > 0 && event.target.closest('[data-view], #full') && !event.target.closest('#views-panel'))
      byId('picture').focus({ preventScroll: true });
  });
  return { toggleFull, describe: () => describe(stage, show), places: () => places(stage, show) };
}

/** What tests may know of the view. */
function describe(stage, show) {
  const { orbit, camera, renderer, shadow } = stage;
  const { round, up, distance, target } = orbit.view;
  return {
    projection: camera.isOrthographicCamera ? 'orthographic' : 'perspective',
    round,
    up,
    distance,
    target: target.toArray(),
    position: camera.position.toArray(),
    partInView: orbit.partInView(),
    box: [orbit.box.min.toArray(), orbit.box.max.toArray()],
    isThrough: orbit.isThrough,
    isFlying: orbit.isFlying,
    hasShadow: stage.hasShadow && !shadow.isEmpty && shadow.object.visible,
    hovered: show.hovered,
    pixelRatio: renderer.getPixelRatio(),
  };
}

/** Where the joints are in the window. */
function places(stage, show) {
  const { left, top } = stage.canvas.getBoundingClientRect();
  return (show.figure?.skeleton.positions() ?? []).map((position) => {
    const at = stage.project(...position);
    return at ? [at.x + left, at.y + top] : null;
  });
}

/** Full screen: the stage and the transport alone, on the whole screen where the browser allows it. */
function setUpFull() {
  const set = (is) => {
    document.body.classList.toggle('full', is);
    byId('full').setAttribute('aria-pressed', String(is));
  };
  const toggle = () => {
    const is = !document.body.classList.contains('full');
    set(is);
    if (is) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  };
  document.addEventListener('fullscreenchange', () => set(document.fullscreenElement !== null));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
      set(false);
  });
  byId('full').addEventListener('click', toggle);
  return toggle;
}
