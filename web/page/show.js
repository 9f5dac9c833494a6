// SPDX-License-Identifier: MIT
//
// Draws what is played: puts the session's scene on the stage, runs the clock, and applies the pose of
// each moment to the figure.

import { Vector3 } from 'three';
import { byId } from './dom.js';
import { Figure } from './figure.js';
import { drawLabels } from './labels.js';

const NEAR_ENOUGH = 18; // pixels between a click and the joint that it selects

export class Show {
  figure = null;
  #session;
  #player;
  #stage;
  #after;
  #last = 0;
  #isRunning = false;
  #isDark = true;
  #bonesWanted = null;

  /** @param {any} session @param {any} player @param {any} stage null without WebGL @param {() => void} after each new moment */
  constructor(session, player, stage, after) {
    this.#session = session;
    this.#player = player;
    this.#stage = stage;
    this.#after = after;
    session.on('scene', (detail) => this.#newScene(detail?.isSame === true));
    session.on('clip', () => this.#newClip(false));
    session.on('camera', () => this.#newCamera());
    session.on('bone', () => this.#newBone());
    session.on('variant', () => this.#newVariant());
    session.on('view', (name) => this.#newView(name));
    session.on('time', () => this.moved());
    if (stage) {
      stage.afterDrawing = () => this.#labels();
      this.#listenForClicks(stage.canvas);
    }
  }

  get vertices() {
    return this.figure?.vertexCount ?? 0;
  }

  setTheme(isDark) {
    this.#isDark = isDark;
    this.figure?.setTheme(isDark);
    this.#stage?.setTheme(isDark);
  }

  // `isSame`: other parts of the same figure, seen at the same time and from the same direction.
  #newScene(isSame) {
    this.figure?.dispose();
    this.figure = null;
    const { scene, question } = this.#session;
    if (scene && this.#stage && !question) {
      this.figure = new Figure(scene);
      this.figure.showVariant(scene.variants[this.#session.variant]);
      this.figure.setTheme(this.#isDark);
      this.#stage.setHome(scene.viewpoint);
      // Meshes hide the bones until the user asks for them.
      this.#session.view.bones = this.#bonesWanted ?? !this.figure.hasMeshes;
    }
    this.#stage?.show(this.figure?.group ?? null);
    this.#session.emit('view', null);
    if (isSame) {
      this.#measure(false);
      this.#newBone();
      return;
    }
    this.#newClip(true);
    if (this.#session.camera >= 0) this.#newCamera();
  }

  #newClip(isNewScene) {
    const { scene, clip, question } = this.#session;
    const playing = isNewScene
      ? !window.matchMedia('(prefers-reduced-motion: reduce)').matches
      : this.#player.playing;
    this.#player.pause();
    this.#player.load(
      scene && clip >= 0 && !question ? scene.clips[clip].frameCount : 0,
      scene?.clips[clip]?.fps ?? 30,
    );
    if (playing) this.#player.play();
    this.#stage?.lookThrough(null);
    this.#measure(isNewScene);
    this.#describe();
    this.#newBone();
  }

  #describe() {
    const { figure, scene, clip } = this.#session;
    const what = this.figure
      ? `${figure.name}, ${scene.clips[clip] ? `clip ${scene.clips[clip].name}` : 'rest pose'}, ${scene.bones.length} bones`
      : 'No figure is shown';
    byId('picture').setAttribute('aria-label', what);
  }

  #measure(isFitted) {
    if (!this.figure) return;
    const before = this.#stage.box.getSize(new Vector3()).length();
    this.#stage.setBox(this.figure.measure(this.#session.clip, this.#session.view.inPlace));
    const after = this.#stage.box.getSize(new Vector3()).length();
    if (isFitted) this.#stage.goHome();
    else if (after > before * 1.3 || after < before / 1.3) this.#stage.fit();
    byId('legend').textContent = `grid ${gridText(this.#stage.grid.spacing)}`;
  }

  #newCamera() {
    const { scene, camera } = this.#session;
    if (camera < 0 || !scene) {
      this.#newClip(false);
      return;
    }
    const { duration, keyCount } = scene.cameras[camera];
    const fps = duration > 0 && keyCount > 1 ? (keyCount - 1) / duration : 30; // its keys are its frames
    this.#player.load(Math.max(1, Math.round(duration * fps) + 1), fps);
    if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) this.#player.play();
    this.moved();
  }

  #newVariant() {
    const { scene, variant } = this.#session;
    this.figure?.showVariant(scene.variants[variant]);
    this.moved();
  }

  #newBone() {
    const { bone, clip, view } = this.#session;
    this.figure?.skeleton.choose(bone);
    this.figure?.showTrail(view.trail ? clip : -1, bone, view.inPlace);
    this.moved();
  }

  #newView(name) {
    const { view } = this.#session;
    if (name === 'bones') this.#bonesWanted = view.bones;
    if (name === 'inPlace') this.#measure(false);
    if (name === 'trail' && view.trail && this.figure && this.#session.bone < 0) {
      this.#session.emit('notice', {
        kind: 'info',
        text: 'Select the bone whose trail you want: click a joint, or use the Bones tab.',
      });
    }
    if (this.figure)
      this.figure.skeleton.group.visible =
        view.bones || (this.#session.bone >= 0 && view.trail && !this.figure.hasMeshes);
    const hasGround = view.grid && this.figure !== null;
    if (this.#stage) this.#stage.grid.object.visible = hasGround;
    byId('legend').hidden = !hasGround;
    if (name === 'trail' || name === 'inPlace') this.#newBone();
    else this.moved();
  }

  /** Fit the figure into the view. Looking through a camera ends. */
  fit(...angles) {
    if (this.#session.camera >= 0) this.#session.setClip(this.#session.clip);
    else if (this.figure) this.#stage?.fit(...angles);
  }

  /** Show the current time of the player, and continue if it plays. */
  moved() {
    this.#pose();
    this.#stage?.ask();
    this.#after();
    if (this.#player.playing && !this.#isRunning) {
      this.#isRunning = true;
      this.#last = performance.now();
      requestAnimationFrame((now) => this.#run(now));
    }
  }

  #run(now) {
    this.#isRunning = false;
    if (!this.#player.playing) return;
    // After a while in the background, the clip continues where it was.
    this.#player.tick(Math.min(Math.max(0, now - this.#last) / 1000, 0.25));
    this.#last = now;
    this.#pose();
    this.#stage?.draw();
    this.#after();
    if (!this.#player.playing) return;
    this.#isRunning = true;
    requestAnimationFrame((then) => this.#run(then));
  }

  #pose() {
    const { pose, scene, clip, camera, view, question } = this.#session;
    if (!pose || !scene || question) return;
    const wrap = this.#player.mode === 'loop' || camera >= 0 ? 'loop' : 'clamp';
    if (clip < 0) pose.sample(-1, 0);
    else pose.sample(clip, this.#player.time, wrap);
    if (view.inPlace && clip >= 0) pose.stayInPlace();
    if (!this.figure) return;
    this.figure.follow(pose);
    if (this.#session.bone >= 0)
      this.figure.trail.moveTo(
        ...pose.models.subarray(this.#session.bone * 10, this.#session.bone * 10 + 3),
      );
    if (camera >= 0) this.#stage.lookThrough(pose.camera(camera, this.#player.time, 'clamp'));
  }

  #labels() {
    const { bone, view } = this.#session;
    const names = this.figure?.names ?? [];
    const isWanted = names.length > 0 && (view.names || bone >= 0);
    const places = isWanted
      ? this.figure.skeleton.positions().map(([x, y, z]) => {
          const at = this.#stage.project(x, y, z);
          return at ? { x: at.x, y: at.y } : null;
        })
      : [];
    drawLabels(byId('labels'), {
      names: isWanted ? names : [],
      places,
      chosen: isWanted ? bone : -1,
      all: view.names,
      isDark: this.#isDark,
    });
  }

  // A click on a joint selects its bone, any other click selects none. A drag is not a click.
  #listenForClicks(canvas) {
    let from = null;
    canvas.addEventListener('pointerdown', (event) => {
      from = event.button === 0 ? [event.clientX, event.clientY] : null;
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener('pointerup', (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4 || !this.figure)
        return;
      const { left, top } = canvas.getBoundingClientRect();
      this.#session.setBone(this.#nearest(event.clientX - left, event.clientY - top));
    });
  }

  #nearest(x, y) {
    let best = -1;
    let least = NEAR_ENOUGH;
    this.figure.skeleton.positions().forEach((position, bone) => {
      const at = this.#stage.project(...position);
      const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (distance < least) [best, least] = [bone, distance];
    });
    return best;
  }
}

function gridText(spacing) {
  if (spacing >= 1000) return `${spacing / 1000} km`;
  if (spacing >= 1) return `${spacing} m`;
  return spacing >= 0.01
    ? `${Math.round(spacing * 100)} cm`
    : `${Number((spacing * 1000).toPrecision(2))} mm`;
}
