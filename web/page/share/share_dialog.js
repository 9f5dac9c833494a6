// SPDX-License-Identifier: MIT
//
// The share dialog: what to write, how large, on which background; a preview, and the work itself with
// its progress.

import { byId, bytesText, el, oncePerFrame } from '../window/dom.js';
import { download } from './download.js';
import { KINDS, remark } from './exports.js';
import { sizeFor } from './frames.js';
import { estimateText, presetSize, PRESETS, QUALITIES, ratesFor, SHEET_FRAMES, side, timesOf } from './share_form.js';
import { drawPreview, written } from './share_work.js';

const SHOWN = ['bones', 'names', 'grid', 'shadow'];
const PREVIEW = { width: 300, height: 260 }; // pixels of CSS

export class ShareDialog {
  #parts;
  #dialog = byId('share-dialog');
  #kind = KINDS[0];
  #work = null; // the AbortController of what is being written
  #preview = oncePerFrame(() => this.#drawPreview());
  #resized = oncePerFrame(() => this.#followView());

  /** @param {{ session: any, player: any, show: any, stage: any }} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#fill();
    const form = byId('share-form');
    form.addEventListener('input', (event) => this.#changed(event.target));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#work) this.#write();
    });
    byId('share-close').addEventListener('click', () => this.#leave());
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault(); // Escape: the work first, then the dialog
      this.#leave();
    });
    parts.session.on('scene', () => this.#work?.abort());
    // The background may be that of the theme, and the size that of the view.
    const theme = { attributes: true, attributeFilter: ['data-theme'] };
    new MutationObserver(this.#preview).observe(document.documentElement, theme);
    window.addEventListener('resize', this.#resized);
  }

  get canOpen() {
    return this.#parts.stage !== null && this.#parts.show.figure !== null;
  }

  open() {
    if (!this.canOpen || this.#dialog.open) return;
    const { session, player } = this.#parts;
    player.pause();
    this.#parts.show.moved();
    for (const name of SHOWN) byId(`share-${name}`).checked = session.view[name];
    byId('share-status').textContent = '';
    byId('share-range').value = player.range ? 'range' : 'all';
    this.#setPreset();
    this.#setKind(this.#kind);
    this.#dialog.showModal();
    byId(`share-kind-${this.#kind.id}`).focus();
  }

  #fill() {
    const option = (value, text) => el('option', { value, text });
    byId('share-kinds').append(
      ...KINDS.map(({ id, name }) =>
        el(
          'label',
          { class: 'chip' },
          el('input', { type: 'radio', name: 'share-kind', value: id, id: `share-kind-${id}` }),
          el('span', { text: name }),
        ),
      ),
    );
    byId('share-size').append(
      ...PRESETS.map(({ id, name }) => option(id, name)),
      option('own', 'Other'),
    );
    byId('share-quality').append(...QUALITIES.map(({ id, name }) => option(id, name)));
    byId('share-quality').value = 'good';
    byId('share-count').append(...SHEET_FRAMES.map((count) => option(count, String(count))));
    byId('share-count').value = '12';
  }

  // ---- what was chosen --------------------------------------------------------------------------

  get #clip() {
    const { frameCount, fps } = this.#parts.player;
    return { frameCount, fps };
  }

  get #view() {
    const { clientWidth: width, clientHeight: height } = this.#parts.stage.canvas;
    return { width, height };
  }

  get #size() {
    const most = this.#parts.stage.largestSide;
    return {
      width: side(byId('share-width').value, most, this.#kind.isEven),
      height: side(byId('share-height').value, most, this.#kind.isEven),
    };
  }

  get #background() {
    const chosen = byId('share-background').value;
    if (chosen === 'theme') return undefined;
    if (chosen === 'none') return null;
    return chosen === 'own' ? byId('share-colour').value : chosen;
  }

  get #shot() {
    const [bones, names, grid, shadow] = SHOWN.map((name) => byId(`share-${name}`).checked);
    return { ...this.#size, background: this.#background, view: { bones, names, grid, shadow } };
  }

  get #times() {
    const range = byId('share-range').value;
    return timesOf(this.#kind.shows, {
      clip: this.#clip,
      rate: this.#rate,
      range: range === 'range' ? this.#parts.player.range : null,
      isBack: range === 'back',
      count: Number(byId('share-count').value),
      now: this.#parts.player.time,
    });
  }

  get #order() {
    return {
      kind: this.#kind,
      shot: this.#shot,
      times: this.#times,
      rate: this.#rate,
      repeats: byId('share-repeat').checked,
      hasNumbers: byId('share-numbers').checked,
      ...QUALITIES.find(({ id }) => id === byId('share-quality').value),
    };
  }

  get #rate() {
    return Number(byId('share-rate').value) || 30;
  }

  // ---- the controls -----------------------------------------------------------------------------

  #changed(control) {
    const { id, name, value } = control;
    if (name === 'share-kind') this.#setKind(KINDS.find((kind) => kind.id === value));
    if (id === 'share-size') this.#setPreset();
    if (id === 'share-width' || id === 'share-height') this.#setSide(id);
    if (id === 'share-lock' && control.checked) this.#setSide('share-height');
    this.#update();
  }

  #setKind(kind) {
    this.#kind = kind;
    byId(`share-kind-${kind.id}`).checked = true;
    const { fps, frameCount } = this.#clip;
    const rates = ratesFor(fps, kind.mostRate);
    const before = byId('share-rate').value;
    byId('share-rate').replaceChildren(
      ...rates.map((rate) =>
        el('option', { value: rate, text: rate === fps ? `${Number(rate.toFixed(3))} (the clip's)` : String(rate) }),
      ),
    );
    byId('share-rate').value = rates.includes(Number(before)) ? before : String(nearest(rates, fps));
    const canBe = { 'share-rate': kind.shows === 'film', 'share-range': kind.shows !== 'picture' && frameCount > 1,
      'share-repeat': kind.repeats, 'share-quality': kind.hasQuality, 'share-count': kind.shows === 'frames',
      'share-numbers': kind.shows === 'frames' };
    for (const [id, is] of Object.entries(canBe)) byId(id).closest('.field').hidden = !is;
    const none = byId('share-background').querySelector('[value=none]');
    none.disabled = !kind.hasAlpha;
    if (none.selected && none.disabled) byId('share-background').value = 'theme';
    byId('share-range').querySelector('[value=back]').disabled = kind.shows === 'frames';
    byId('share-range').querySelector('[value=range]').hidden = !this.#parts.player.range;
    if (byId('share-range').selectedOptions[0]?.disabled || byId('share-range').selectedOptions[0]?.hidden)
      byId('share-range').value = 'all';
    this.#update();
  }

  #setPreset() {
    const preset = PRESETS.find(({ id }) => id === byId('share-size').value);
    if (!preset) return;
    const { width, height } = presetSize(preset, this.#view, this.#parts.stage.largestSide);
    byId('share-width').value = String(width);
    byId('share-height').value = String(height);
    byId('share-lock').checked = !preset.width;
  }

  #followView() {
    if (!this.#dialog.open || this.#work) return;
    this.#setPreset();
    this.#update();
  }

  #setSide(id) {
    byId('share-size').value = 'own';
    if (!byId('share-lock').checked) return;
    const aspect = this.#view.width / this.#view.height;
    const given = id === 'share-width' ? { width: this.#size.width } : { height: this.#size.height };
    const { width, height } = sizeFor(aspect, given, this.#parts.stage.largestSide);
    if (id === 'share-width') byId('share-height').value = String(height);
    else byId('share-width').value = String(width);
  }

  #update() {
    byId('share-colour').hidden = byId('share-background').value !== 'own';
    byId('share-note').textContent = [this.#kind.note, remark(this.#kind)].filter(Boolean).join(' ');
    byId('share-estimate').textContent = estimateText(this.#kind.shows, this.#times.length, this.#rate, this.#size);
    this.#preview();
  }

  #drawPreview() {
    if (!this.#dialog.open || this.#work) return;
    drawPreview(byId('share-preview'), PREVIEW, this.#parts, this.#shot, this.#times[0]);
  }

  // ---- the work ---------------------------------------------------------------------------------

  #leave() {
    if (this.#work) this.#work.abort();
    else this.#dialog.close();
  }

  async #write() {
    const work = new AbortController();
    this.#work = work;
    this.#setBusy(true);
    const progress = (part) => (byId('share-progress').value = part);
    let text;
    try {
      const { file, blob } = await written(this.#parts, this.#order, work.signal, progress);
      download(file, blob);
      text = `${file} was saved: ${bytesText(blob.size)}.`;
    } catch (error) {
      text = work.signal.aborted ? 'Cancelled. Nothing was saved.' : `Not saved: ${error.message}.`;
    }
    this.#work = null;
    this.#setBusy(false);
    byId('share-status').textContent = text;
    this.#preview();
  }

  #setBusy(isBusy) {
    byId('share-fields').disabled = isBusy;
    byId('share-save').disabled = isBusy;
    byId('share-progress').hidden = !isBusy;
    byId('share-progress').value = 0;
    byId('share-close').textContent = isBusy ? 'Cancel' : 'Close';
    byId('share-status').textContent = isBusy ? 'Drawing …' : '';
    (isBusy ? byId('share-close') : byId('share-save')).focus();
  }
}

function nearest(rates, wanted) {
  return rates.reduce((best, rate) => (Math.abs(rate - wanted) < Math.abs(best - wanted) ? rate : best));
}
