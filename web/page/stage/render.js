// SPDX-License-Identifier: MIT
//
// The view as a picture of any size. A large one is drawn in tiles, because graphics cards have limits.
// The vertical field of view stays that of the stage.

import { Color } from 'three';
import { tiles } from '../share/film_scale.js';

/**
 * @param {{ renderer: any, scene: any, camera: any, paint: (how: object) => void }} stage
 * @param {{ width: number, height: number, background?: string|null, hasGrid?: boolean, hasShadow?: boolean }} wanted
 *   `background`: a colour of CSS, null for none, undefined for that of the scene; grid and shadow are
 *   those of the page unless given; without a background, there is no shadow
 * @param {CanvasRenderingContext2D} context of a canvas of that size, which is overwritten
 */
export function renderView(stage, wanted, context) {
  const { renderer, scene, camera } = stage;
  const { width, height, background, hasGrid, hasShadow } = wanted;
  const before = {
    background: scene.background,
    clearAlpha: renderer.getClearAlpha(),
    shape: { aspect: camera.aspect, left: camera.left, right: camera.right },
  };
  if (background !== undefined) scene.background = background === null ? null : new Color(background);
  if (background === null) renderer.setClearAlpha(0);
  if (camera.isOrthographicCamera) widen(camera, width / height);
  try {
    context.clearRect(0, 0, width, height);
    for (const tile of tiles(width, height)) {
      renderer.setDrawingBufferSize(tile.width, tile.height, 1);
      const { drawingBufferWidth, drawingBufferHeight } = renderer.getContext();
      if (drawingBufferWidth !== tile.width || drawingBufferHeight !== tile.height)
        throw new Error('the graphics memory does not suffice for this size');
      camera.setViewOffset(width, height, tile.x, tile.y, tile.width, tile.height);
      stage.paint({ hasGrid, hasShadow });
      context.drawImage(renderer.domElement, tile.x, tile.y);
    }
  } finally {
    scene.background = before.background;
    renderer.setClearAlpha(before.clearAlpha);
    camera.clearViewOffset();
    Object.assign(camera, before.shape);
    camera.updateProjectionMatrix();
  }
}

// The height of a parallel projection stays, as the field of view of the other one does.
function widen(camera, aspect) {
  const middle = (camera.left + camera.right) / 2;
  const half = ((camera.top - camera.bottom) / 2) * aspect;
  camera.left = middle - half;
  camera.right = middle + half;
}
