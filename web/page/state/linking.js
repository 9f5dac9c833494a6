// SPDX-License-Identifier: MIT
//
// Follows the link in the page's address, and makes one to what is shown. A link leads somewhere only if
// the page has its files inside, as those from `ossa view` have.

import { formatLink, parseLink } from './link.js';
import { chosenByLink, linkOfChoices } from './choices.js';

export class Linking {
  #session;
  #player;
  #show;
  #stage;

  constructor(session, player, show, stage) {
    this.#session = session;
    this.#player = player;
    this.#show = show;
    this.#stage = stage;
    window.addEventListener('hashchange', () => this.follow());
  }

  /** Show what the address says. What it does not name, or what is not there, stays as it is. */
  async follow(hash = window.location.hash) {
    const session = this.#session;
    const link = parseLink(hash);
    const figure = session.figures.find(({ name }) => name === link.figure);
    if (figure && figure !== session.figure) await session.showFigure(figure);
    if (!session.scene) return;
    await this.#choose(link); // first: clips may be joined
    if (!session.scene) return;
    const isUnknown =
      (link.figure && !figure) || (link.clip && !session.scene.clips.some(({ name }) => name === link.clip));
    if (isUnknown)
      session.emit('notice', { kind: 'warning', text: 'The link leads to a figure or a clip that is not in this page.' });
    const clip = session.scene.clips.findIndex(({ name }) => name === link.clip);
    if ((clip >= 0 || link.clip === '') && clip !== session.clip) await session.setClip(clip);
    const bone = session.scene.bones.findIndex(({ name }) => name === link.bone);
    if (bone >= 0) session.setBone(bone);
    if (link.frame !== null) {
      this.#player.pause();
      this.#player.seekFrame(link.frame);
      this.#show.moved();
    }
    if (link.view !== null) this.#look(link.view);
  }

  async #choose(link) {
    const session = this.#session;
    const { options, parts, variant, unknown } = chosenByLink(link, session);
    if (parts.size > 0 || Object.keys(options).length > 0) await session.choose(options, parts);
    if (variant >= 0 && variant !== session.variant) session.setVariant(variant);
    if (unknown.length > 0)
      session.emit('notice', { kind: 'warning', text: `The link has choices that this figure does not offer: ${unknown.join(', ')}.` });
  }

  #look(view) {
    if (!this.#stage || this.#session.camera >= 0) return;
    if (typeof view === 'string') this.#stage.orbit.look(view, false);
    else this.#stage.orbit.place(view);
  }

  /** The part of the address that leads to what is shown. */
  hash() {
    const { figure, scene, clip, bone, camera } = this.#session;
    const { round, up, distance, target } = this.#stage?.orbit.view ?? {};
    return formatLink({
      figure: figure?.name ?? null,
      clip: scene ? (scene.clips[clip]?.name ?? '') : null,
      frame: scene && clip >= 0 ? this.#player.frame : null,
      bone: scene?.bones[bone]?.name ?? null,
      view: this.#stage && camera < 0 ? { round, up, distance, target: target.toArray() } : null,
      ...linkOfChoices(this.#session),
    });
  }

  /** Put the link into the address and, where that is allowed, into the clipboard. */
  async copy() {
    window.history.replaceState(null, '', this.hash());
    const isCopied = await navigator.clipboard?.writeText(window.location.href).then(
      () => true,
      () => false,
    );
    const text = isCopied
      ? 'The link to this moment is in the clipboard.'
      : 'The address of the page now leads to this moment: copy it from there.';
    this.#session.emit('notice', { kind: 'info', text });
  }
}
