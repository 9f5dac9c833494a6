// SPDX-License-Identifier: MIT
//
// The soft shadow on the ground. What casts it is drawn flat into a small texture, moved along the
// light by its height, with three channels for what is near the ground, higher, and anywhere. Each is
// blurred by its own width, so that feet have sharp shadows and heads soft ones. A plane that is seen
// only from above shows the result.

import {
  BufferGeometry,
  Camera,
  Color,
  CustomBlending,
  DoubleSide,
  Float32BufferAttribute,
  LinearFilter,
  LinearMipmapLinearFilter,
  MaxEquation,
  Mesh,
  NoBlending,
  OneFactor,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  WebGLRenderTarget,
} from 'three';
import { groundArea } from './shadow_area.js';
import * as shaders from './shadow_shaders.js';

function flatMaterial(vertexShader, uniforms) {
  return new ShaderMaterial({
    vertexShader,
    fragmentShader: shaders.FLAT_FRAGMENT,
    uniforms,
    side: DoubleSide,
    depthTest: false,
    depthWrite: false,
    blending: CustomBlending,
    blendEquation: MaxEquation,
    blendSrc: OneFactor,
    blendDst: OneFactor,
  });
}

function target(size, hasLevels) {
  return new WebGLRenderTarget(size, size, {
    depthBuffer: false,
    generateMipmaps: hasLevels,
    minFilter: hasLevels ? LinearMipmapLinearFilter : LinearFilter,
  });
}

export class GroundShadow {
  #uniforms = {
    slope: { value: new Vector2() },
    centre: { value: new Vector3() },
    reach: { value: 1 },
    tall: { value: 1 },
  };
  #mesh = flatMaterial(shaders.MESH_VERTEX, this.#uniforms);
  #line = flatMaterial(shaders.LINE_VERTEX, this.#uniforms);
  #blur = new ShaderMaterial({
    vertexShader: shaders.BLUR_VERTEX,
    fragmentShader: shaders.BLUR_FRAGMENT,
    uniforms: { source: { value: null } },
    depthTest: false,
    depthWrite: false,
    blending: NoBlending,
  });
  #flat = target(shaders.SIZE, true);
  #blurred = target(shaders.BLURRED, false);
  #camera = new Camera();
  #screen = new Scene();
  #material;
  #reach = 0;
  isStale = true;
  /** Whether nothing casts a shadow. */
  isEmpty = true;

  constructor() {
    this.#material = new ShaderMaterial({
      vertexShader: shaders.GROUND_VERTEX,
      fragmentShader: shaders.GROUND_FRAGMENT,
      uniforms: {
        source: { value: this.#blurred.texture },
        colour: { value: new Color() },
        strength: { value: 1 },
      },
      transparent: true,
      depthWrite: false,
    });
    this.object = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), this.#material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -2;
    const whole = new BufferGeometry();
    whole.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    const screen = new Mesh(whole, this.#blur);
    screen.frustumCulled = false;
    this.#screen.add(screen);
  }

  setTheme(isDark) {
    this.#material.uniforms.colour.value.set(isDark ? 0x05070a : 0x2b2d36);
    this.#material.uniforms.strength.value = isDark ? 0.95 : 0.8;
    this.isStale = true;
  }

  /**
   * Draw the shadow of what is there now.
   * @param {import('three').WebGLRenderer} renderer
   * @param {import('three').Object3D} root of what casts shadows: meshes with `castShadow`
   * @param {{ ground: number, tall: number, slope: [number, number] }} how the height of the ground,
   * the size of the figure, and how far a shadow moves with the height
   */
  update(renderer, root, { ground, tall, slope }) {
    this.isStale = false;
    const casters = [];
    root.traverseVisible((object) => {
      if (/** @type {any} */ (object).isMesh && object.castShadow) casters.push(object);
    });
    const area = groundArea(casters, { ground, slope, margin: 0.12 * tall });
    this.isEmpty = area === null;
    if (!area) return;
    // In steps, so that a moving figure does not change the sharpness of its shadow all the time.
    this.#reach = 1.15 ** Math.ceil(Math.log(area.reach * 1.25) / Math.log(1.15));
    this.#uniforms.slope.value.set(...slope);
    this.#uniforms.centre.value.set(area.x, ground, area.z);
    this.#uniforms.reach.value = this.#reach;
    this.#uniforms.tall.value = tall;
    this.object.position.set(area.x, ground, area.z);
    this.object.scale.set(this.#reach, 1, this.#reach);
    this.#draw(renderer, root, casters);
  }

  // The state of the renderer is as before, whoever draws next.
  #draw(renderer, root, casters) {
    const before = renderer.getRenderTarget();
    const colour = renderer.getClearColor(new Color());
    const alpha = renderer.getClearAlpha();
    const materials = casters.map((object) => object.material);
    const isCaster = new Set(casters);
    const others = [];
    root.traverseVisible((object) => {
      if (object.material && !isCaster.has(object)) others.push(object);
    });
    for (const object of casters) object.material = object.isLineSegments2 ? this.#line : this.#mesh;
    for (const object of others) object.visible = false;
    renderer.setClearColor(0x000000, 0);
    renderer.setRenderTarget(this.#flat);
    renderer.clear();
    renderer.render(root, this.#camera);
    casters.forEach((object, i) => (object.material = materials[i]));
    for (const object of others) object.visible = true;
    this.#blur.uniforms.source.value = this.#flat.texture;
    renderer.setRenderTarget(this.#blurred);
    renderer.render(this.#screen, this.#camera);
    renderer.setRenderTarget(before);
    renderer.setClearColor(colour, alpha);
  }
}
