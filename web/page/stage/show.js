// SPDX-License-Identifier: MIT
//
// Draws what is played: puts the session's scene on the stage, runs the clock, and applies the pose of
// each moment to the figure.

import { Vector3 } from 'three';
import { byId } from '../window/dom.js';
import { Fade } from '../play/fade.js';
import { Figure } from './figure.js';
import { groundOf } from '../play/ground.js';
import { drawLabels } from './labels.js';
import { sampleCamera } from '../play/motion.js';
import { Pointing } from './pointing.js';
import { travel } from '../play/travel.js';

// What becomes of a clip's root motion: see travel.js.
const MOTIONS = ['inPlace', 'travel', 'treadmill'];

export class Show {
  figure = null;
  /** @type {import('../compare/beside.js').Beside|null} what it is compared with */
  #beside = null;
  #session;
  #player;
  #stage;
  #after;
  #last = 0;
  #isRunning = false;
  #isDark = true;
  #bonesWanted = null; // with meshes, which hide them until the user asks
  #pointing = null;
  #fade = new Fade();
  #played = null; // { scene, motion, time, wrap } of the last pose

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
      this.#pointing = new Pointing(session, stage, this);
    }
  }

  get #isInPlace() {
    const { inPlace, treadmill } = this.#session.view;
    return inPlace || treadmill;
  }

  get vertices() {
    return this.figure?.vertexCount ?? 0;
  }

  setTheme(isDark) {
    this.#isDark = isDark;
    this.figure?.setTheme(isDark);
    this.#beside?.setTheme(isDark);
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
      this.#session.view.bones = !this.figure.hasMeshes || (this.#bonesWanted ?? false);
    }
    this.#showGroups();
    this.#session.emit('view', null);
    if (isSame) {
      this.#reload();
      this.#measure(false);
      this.#newBone();
      return;
    }
    this.#newClip(true);
    if (this.#session.camera >= 0) this.#newCamera();
  }

  // The same clip made anew may have another rate, or other keys in the same time.
  #reload() {
    const { motion, camera } = this.#session;
    const { frameCount, fps, frame, range, playing } = this.#player;
    if (camera >= 0 || (motion && motion.frameCount === frameCount && motion.fps === fps)) return;
    this.#player.load(motion?.frameCount ?? 0, motion?.fps ?? 30);
    const scale = frameCount > 1 ? this.#player.lastFrame / (frameCount - 1) : 1;
    if (range) this.#player.range = { first: range.first * scale, last: range.last * scale };
    this.#player.seekFrame(Math.round(frame * scale));
    if (playing) this.#player.play();
  }

  #showGroups() {
    this.#stage?.show(...(this.figure ? [this.figure, this.#beside] : []).flatMap((one) => one?.group ?? []));
  }

  /** Show something beside the figure, or end that. @param {import('../compare/beside.js').Beside|null} beside */
  setBeside(beside) {
    this.#beside = beside;
    beside?.setTheme(this.#isDark);
    this.#showGroups();
    this.besideChanged();
  }

  /** It stands somewhere else, or is drawn otherwise. */
  besideChanged() {
    this.#measure(false);
    if (this.#session.camera < 0) this.#stage?.orbit.fit();
    this.moved();
  }

  #newClip(isNewScene) {
    const { scene, clip, question } = this.#session;
    const playing = isNewScene
      ? !isStill()
      : this.#player.playing;
    this.#player.pause();
    this.#player.load(
      scene && clip >= 0 && !question ? scene.clips[clip].frameCount : 0,
      scene?.clips[clip]?.fps ?? 30,
    );
    if (playing) this.#player.play();
    this.#fadeFrom(playing ? this.#played : null);
    this.#stage?.orbit.lookThrough(null);
    this.#measure(isNewScene);
    this.#describe();
    this.#newBone();
  }

  // From a clip of the same figure to the next, both of which play.
  #fadeFrom(played) {
    const { scene, motion, view } = this.#session;
    this.#fade.stop();
    if (!played?.motion || !motion || played.scene !== scene || view.travel || view.treadmill || isStill()) return;
    this.#fade.start(scene.bones, played.motion, played.time, played.wrap);
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
    const { motion, view } = this.#session;
    const before = this.#stage.orbit.box.clone();
    const box = this.figure.measure(motion, this.#isInPlace || view.follow);
    const all = this.#beside?.stand(box, this.#session.scene.viewpoint, this.#isInPlace || view.follow);
    this.#stage.setBox(all ?? box, view.follow ? this.#rootPlace() : null);
    if (isFitted) this.#stage.orbit.look('home', false);
    else this.#stage.orbit.refit(before);
    byId('legend').textContent = `grid ${gridText(this.#stage.grid.spacing)}`;
  }

  // Where the figure is, which the view may follow.
  #rootPlace() {
    const [x = 0, y = 0, z = 0] = this.#session.pose?.matrices.subarray(12, 15) ?? [];
    return new Vector3(x, y, z);
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
    if (!isStill()) this.#player.play();
    this.moved();
  }

  #newVariant() {
    const { scene, variant } = this.#session;
    this.figure?.showVariant(scene.variants[variant]);
    this.moved();
  }

  #newBone() {
    const { bone, motion, view } = this.#session;
    this.figure?.skeleton.choose(bone);
    this.figure?.showTrail(view.trail ? motion : null, bone, this.#isInPlace);
    this.moved();
  }

  #newView(name) {
    const { view } = this.#session;
    if (name === 'bones' && this.figure?.hasMeshes) this.#bonesWanted = view.bones;
    if (MOTIONS.includes(name)) this.#fade.stop();
    if (MOTIONS.includes(name) || name === 'follow') this.#measure(false);
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
    if (name === 'trail' || MOTIONS.includes(name)) this.#newBone();
    else this.moved();
  }

  /** Fit the figure into the view, from the same direction or as a named view. Looking through a
   * camera ends. */
  fit(name = null) {
    if (this.#session.camera >= 0) this.#session.setClip(this.#session.clip);
    else if (this.figure && name) this.#stage?.orbit.look(name);
    else if (this.figure) this.#stage?.orbit.fit();
  }

  /** The bone below the pointer; -1: none. */
  get hovered() {
    return this.#pointing?.hovered ?? -1;
  }

  get isPlaying() {
    return this.#player.playing;
  }

  /** Show the current time of the player, and continue if it plays. */
  moved() {
    if (!this.#player.playing) this.#fade.stop(); // a frame that is looked at is that frame
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
    const seconds = Math.min(Math.max(0, now - this.#last) / 1000, 0.25);
    this.#player.tick(seconds);
    this.#fade.tick(seconds * this.#player.speed);
    this.#last = now;
    this.#pose(this.#player.time, seconds);
    this.#stage?.draw();
    this.#after();
    if (!this.#player.playing) return;
    this.#isRunning = true;
    requestAnimationFrame((then) => this.#run(then));
  }

  /** Pose for a moment without moving the player, for exports. `moved` returns to it. */
  poseAt(seconds) {
    this.#fade.stop();
    this.#pose(seconds);
  }

  // `passed`: seconds since the last pose, if it plays.
  #pose(time = this.#player.time, passed = null) {
    const { pose, scene, motion, camera, bone, view, question } = this.#session;
    if (!pose || !scene || question) return;
    const wrap = this.#player.mode === 'loop' || camera >= 0 ? 'loop' : 'clamp';
    pose.sample(motion, time, wrap);
    const start = groundOf(pose.locals);
    const floor = motion ? this.#travel(pose, motion, time) : [0, 0];
    this.#fade.apply(pose, (before) => view.inPlace && before.stayInPlace());
    this.#played = { scene, motion, time, wrap };
    pose.update();
    if (!this.figure) return;
    this.#stage.grid.move(...floor);
    this.figure.follow(pose);
    this.#beside?.follow({ time, wrap, length: this.#player, view, start, now: groundOf(pose.locals) });
    if (bone >= 0) this.figure.trail.moveTo(...pose.matrices.subarray(bone * 16 + 12, bone * 16 + 15));
    this.#stage.posed();
    this.#pointing.posed();
    if (view.follow) this.#stage.follow(this.#rootPlace(), passed);
    if (camera >= 0) this.#stage.orbit.lookThrough(sampleCamera(scene.cameras[camera].keys, time));
  }

  #travel(pose, motion, time) {
    const { scene, clip, view } = this.#session;
    const { rounds } = this.#player;
    return travel(pose, motion, { time, rounds, speed: scene.clips[clip].travel }, view);
  }

  #labels() {
    this.drawNames(byId('labels'), (x, y, z) => this.#stage.project(x, y, z));
  }

  /** Draw the names on a canvas. @param {any} canvas @param {(x: number, y: number, z: number) => any} project
   * @param {{ width: number, height: number, ratio: number }} [size] of what is no element of the page */
  drawNames(canvas, project, size) {
    const { bone, view } = this.#session;
    const names = this.figure?.names ?? [];
    const hovered = size ? -1 : this.hovered;
    const isWanted = names.length > 0 && (view.names || bone >= 0 || hovered >= 0);
    const places = isWanted
      ? this.figure.skeleton.positions().map(([x, y, z]) => {
          const at = project(x, y, z);
          return at ? { x: at.x, y: at.y } : null;
        })
      : [];
    const what = {
      names: isWanted ? names : [],
      places,
      chosen: isWanted ? bone : -1,
      hovered: isWanted ? hovered : -1,
      all: view.names,
      isDark: this.#isDark,
    };
    drawLabels(canvas, what, size);
  }
}

function isStill() {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function gridText(spacing) {
  if (spacing >= 1000) return `${spacing / 1000} km`;
  if (spacing >= 1) return `${spacing} m`;
  return spacing >= 0.01
    ? `${Math.round(spacing * 100)} cm`
    : `${Number((spacing * 1000).toPrecision(2))} mm`;
}
