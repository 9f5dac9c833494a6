// SPDX-License-Identifier: MIT
//
// The path of one bone during a clip: a line, a dot per frame, and a larger one at the current time.

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  Group,
  LinearFilter,
  Points,
  PointsMaterial,
} from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { Pose } from '../play/pose.js';

const MOST_POINTS = 4000;

/**
 * The positions of a bone at each frame of a clip.
 * @param {any[]} bones @param {import('../play/motion.js').Motion} motion
 * @returns {Float32Array}
 */
export function path(bones, motion, bone, isInPlace) {
  const frames = Math.min(motion.frameCount, MOST_POINTS);
  const points = new Float32Array(frames * 3);
  const pose = new Pose(bones);
  for (let frame = 0; frame < frames; frame++) {
    pose.sample(motion, frame / motion.fps);
    if (isInPlace) pose.stayInPlace();
    pose.update();
    points.set(pose.matrices.subarray(bone * 16 + 12, bone * 16 + 15), frame * 3);
  }
  return points;
}

export class Trail {
  group = new Group();
  #parts = [];
  #now = null;
  #isDark = true;

  show(points) {
    this.clear();
    if (points.length < 3) return;
    const colour = this.#isDark ? 0xffb454 : 0xd9730d;
    if (points.length >= 6) {
      const line = new LineGeometry();
      line.setPositions(points);
      this.#add(
        new Line2(
          line,
          new LineMaterial({ color: colour, linewidth: 2, transparent: true, opacity: 0.85 }),
        ),
      );
    }
    this.#add(dots(points, colour, 5));
    this.#now = this.#add(dots(points.slice(0, 3), colour, 12));
  }

  moveTo(x, y, z) {
    if (!this.#now) return;
    const attribute = this.#now.geometry.getAttribute('position');
    attribute.setXYZ(0, x, y, z);
    attribute.needsUpdate = true;
  }

  setTheme(isDark) {
    this.#isDark = isDark;
    for (const part of this.#parts) part.material.color.set(isDark ? 0xffb454 : 0xd9730d);
  }

  #add(part) {
    part.frustumCulled = false;
    part.renderOrder = 20;
    part.material.depthTest = false;
    this.#parts.push(part);
    this.group.add(part);
    return part;
  }

  clear() {
    for (const part of this.#parts) {
      this.group.remove(part);
      part.geometry.dispose();
      part.material.dispose();
    }
    this.#parts = [];
    this.#now = null;
  }
}

// A white disc with a soft edge: dots without a texture are squares.
function disc() {
  const size = 32;
  const pixels = new Uint8Array(size * size * 4).fill(255);
  for (let i = 0; i < size * size; i++) {
    const away = Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2);
    pixels[i * 4 + 3] = Math.round((255 * Math.min(Math.max(size / 2 - away, 0), 1.5)) / 1.5);
  }
  const texture = new DataTexture(pixels, size, size);
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

let round = null;

function dots(points, colour, size) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  round ??= disc();
  return new Points(
    geometry,
    new PointsMaterial({
      color: colour,
      map: round,
      size: size * (window.devicePixelRatio || 1),
      sizeAttenuation: false,
      transparent: true,
    }),
  );
}
