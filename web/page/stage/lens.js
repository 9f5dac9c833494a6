// SPDX-License-Identifier: MIT
//
// The two cameras of the view, perspective and flat (orthographic). At the distance of the target both
// show the same.

import { OrthographicCamera, PerspectiveCamera } from 'three';

const FIELD_OF_VIEW = 35;
/** Half the height of the view at distance 1. */
export const TALL = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);

export class Lens {
  perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  flat = new OrthographicCamera();
  isFlat = false;
  aspect = 1;

  get camera() {
    return this.isFlat ? this.flat : this.perspective;
  }

  /** What `distanceTo` of views.js needs to know. */
  get shape() {
    return { tall: TALL, wide: TALL * this.aspect, isFlat: this.isFlat };
  }

  /** Set what is drawn at most: a model of this size. */
  setReach(reach) {
    this.perspective.near = reach / 500;
    this.perspective.far = reach * 60;
    this.flat.near = -reach * 60;
    this.flat.far = reach * 60;
  }

  /** @param {number} [degrees] another field of view */
  setField(degrees = FIELD_OF_VIEW) {
    this.perspective.fov = Math.min(Math.max(degrees, 1), 170);
  }

  /** @param {number} distance of the target */
  update(distance) {
    shape(this.perspective, 0, this.aspect);
    shape(this.flat, distance * TALL, this.aspect);
  }

  /** A copy of the current camera for a picture of another shape. */
  cameraFor(aspect) {
    const copy = this.camera.clone();
    shape(copy, this.flat.top, aspect);
    return copy;
  }
}

function shape(camera, half, aspect) {
  if (camera.isOrthographicCamera) {
    camera.top = half;
    camera.bottom = -half;
    camera.left = -half * aspect;
    camera.right = half * aspect;
  } else camera.aspect = aspect;
  camera.updateProjectionMatrix();
}
