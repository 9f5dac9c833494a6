// SPDX-License-Identifier: MIT
//
// The panel at the right: tabs, and what is said of the figure and of the file that is looked at.

import { byId, bytesText, el, lastName, ownMessage, plural } from './dom.js';
import { icon } from './icons.js';
import { isPlayable } from './tree.js';

const TABS = ['library', 'info', 'issues', 'bones', 'curves', 'bytes'];
const MOST_ISSUES = 300;

export class Inspector {
  tab = 'info';
  #session;
  #hex;
  #about = { word: null };
  #stats;

  /** @param {any} session @param {any} hex @param {() => {vertices: number}} stats */
  constructor(session, hex, stats) {
    this.#session = session;
    this.#hex = hex;
    this.#stats = stats;
    for (const tab of TABS) {
      byId(`tab-${tab}`).addEventListener('click', () => {
        // On a phone the panel is a sheet: its open tab makes it taller, and lower again.
        if (tab === this.tab) document.body.classList.toggle('tall');
        this.open(tab);
      });
      byId(`tab-${tab}`).addEventListener('keydown', (event) => this.#key(event, tab));
    }
    session.on('scene', () => this.#refresh());
    session.on('clip', () => this.#refresh());
    session.on('files', () => this.#refresh());
    session.on('file', (detail) => this.#fileChosen(detail));
    this.open('info');
    if (window.matchMedia('(max-width: 699px)').matches) this.open('library');
    this.#refresh();
  }

  open(tab) {
    this.tab = tab;
    document.body.dataset.sheet = tab === 'library' ? 'library' : 'inspector';
    for (const name of TABS) {
      const isOpen = name === tab;
      byId(`tab-${name}`).setAttribute('aria-selected', String(isOpen));
      byId(`tab-${name}`).tabIndex = isOpen ? 0 : -1;
      if (name !== 'library') byId(`panel-${name}`).hidden = !isOpen;
    }
    if (tab === 'bytes') this.#showBytes();
    this.#session.emit('tab', tab);
  }

  #key(event, tab) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const seen = TABS.filter((name) => byId(`tab-${name}`).offsetParent !== null);
    const next = seen[(seen.indexOf(tab) + by + seen.length) % seen.length];
    this.open(next);
    byId(`tab-${next}`).focus();
    event.preventDefault();
    event.stopPropagation();
  }

  #fileChosen({ tab }) {
    if (tab) this.open(tab);
    else if (this.tab === 'bytes') this.#showBytes();
    this.#refresh();
  }

  #showBytes() {
    const file = this.#session.file;
    byId('hex-name').textContent = file ? lastName(file.word) : 'No file';
    byId('hex-name').title = file?.word ?? '';
    this.#hex.show(file?.word ?? null, file?.offset ?? null);
    const error = file ? this.#read(file.word).error : null;
    byId('hex-error').hidden = !error;
    byId('hex-error').textContent = error?.message ?? '';
  }

  // What the library says of a file; kept for the one that is looked at.
  #read(word) {
    if (this.#about.word === word && this.#about.size === this.#session.items.get(word)?.size)
      return this.#about;
    const about = {
      word,
      size: this.#session.items.get(word)?.size,
      info: '',
      format: null,
      issues: [],
      error: null,
      count: 0,
    };
    try {
      const file = this.#session.workspace.open(word);
      Object.assign(about, {
        info: file.info(),
        format: file.format,
        issues: [...file.issues],
        count: file.warningCount + file.errorCount,
      });
      file.free();
    } catch (error) {
      Object.assign(about, { error, issues: error.issues ?? [] });
    }
    this.#about = about;
    return about;
  }

  #refresh() {
    const word = this.#session.file?.word ?? null;
    const about = word !== null ? this.#read(word) : null;
    byId('panel-info').replaceChildren(
      ...this.#figureFacts(),
      ...(about ? this.#fileFacts(about) : []),
    );
    if (byId('panel-info').childElementCount === 0)
      byId('panel-info').append(
        el('p', { class: 'quiet', text: 'What a file is and holds is said here.' }),
      );
    this.#refreshIssues(about);
  }

  #figureFacts() {
    const { scene, figure, failure, clip: clipIndex } = this.#session;
    if (!figure) return [];
    const parts = [el('h2', {}, icon('figure'), figure.name)];
    if (failure) parts.push(el('p', { class: 'error-line', text: failure.message }));
    if (!scene) return parts;
    const clip = scene.clips[clipIndex];
    const facts = [
      ['game', scene.game],
      ['bones', scene.bones.length],
      [
        'meshes',
        scene.meshes.length === 0
          ? 'none'
          : `${scene.meshes.length}, ${plural(this.#stats().vertices, 'vertex', 'vertices')}`,
      ],
      [
        'textures',
        scene.textures.length === 0
          ? scene.meshes.length > 0 && scene.game.startsWith('Evil Islands')
            ? 'none: drop textures.res, or its MMP'
            : 'none'
          : scene.textures
              .map((texture) => `${texture.name} ${texture.width} × ${texture.height}`)
              .join(', '),
      ],
      ['clips', scene.clips.length],
    ];
    if (scene.cameras.length > 0) facts.push(['cameras', scene.cameras.length]);
    if (clip) {
      facts.push(
        ['clip', clip.name],
        [
          'frames',
          `${clip.frameCount} at ${number(clip.fps)} a second, ${number(clip.frameCount / clip.fps)} s`,
        ],
        ['loops', clip.loop ? 'yes, the file says' : 'not said'],
      );
      if (clip.velocity?.some((v) => v !== 0))
        facts.push(['velocity', `${clip.velocity.map(number).join(', ')} m/s`]);
      for (const [name, value] of Object.entries(clip.extras ?? {}))
        facts.push([
          name,
          Array.isArray(value)
            ? shortened(value.map(number).join(', '))
            : typeof value === 'number'
              ? number(value)
              : shortened(String(value)),
        ]);
      facts.push(['from', clip.source]);
    }
    parts.push(definition(facts));
    return parts;
  }

  #fileFacts(about) {
    const parts = [el('h2', { title: about.word }, icon('file'), lastName(about.word))];
    if (about.error) parts.push(el('p', { class: 'error-line', text: about.error.message }));
    if (about.info) parts.push(...infoParts(about.info));
    else
      parts.push(
        el('p', { class: 'quiet', text: about.size === undefined ? '' : bytesText(about.size) }),
      );
    const buttons = el('p', { class: 'buttons' });
    if (
      about.format &&
      isPlayable(about.format.kind) &&
      !about.error &&
      this.#session.models(about.word).length < 2 &&
      !this.#session.figure?.words.includes(about.word)
    ) {
      buttons.append(
        el('button', {
          type: 'button',
          text: 'Show this alone',
          onclick: () => this.#session.showWord(about.word),
        }),
        ' ',
      );
    }
    buttons.append(
      el('button', { type: 'button', text: 'Bytes', onclick: () => this.open('bytes') }),
    );
    parts.push(buttons);
    return parts;
  }

  #refreshIssues(about) {
    const { scene, failure, figure } = this.#session;
    const parts = [];
    let count = 0;
    let isError = false;
    const section = (title, issues, toRow) => {
      if (issues.length === 0) return;
      count += issues.length;
      isError ||= issues.some((issue) => issue.severity !== 'warning');
      parts.push(el('h2', { text: title }), ...issues.slice(0, MOST_ISSUES).map(toRow));
      if (issues.length > MOST_ISSUES)
        parts.push(el('p', { class: 'quiet', text: `and ${issues.length - MOST_ISSUES} more` }));
    };
    const sceneIssues = scene?.issues.length ? scene.issues : failure ? [asIssue(failure)] : [];
    section(`The figure ${figure?.name ?? ''}`, sceneIssues, (issue) =>
      this.#issueRow(issue, this.#session.items.has(issue.field) ? issue.field : null),
    );
    if (about) {
      const own =
        about.error &&
        !about.issues.some(
          (issue) => issue.code === about.error.code && issue.offset === about.error.offset,
        )
          ? [...about.issues, asIssue(about.error)]
          : about.issues;
      section(lastName(about.word), own, (issue) => this.#issueRow(issue, about.word));
    }
    const others = [...this.#session.items.values()].filter(
      (item) => item.path !== about?.word && item.warnings + item.errors > 0,
    );
    section(
      'Other files',
      others.map((item) => ({ severity: item.errors > 0 ? 'error' : 'warning', item })),
      ({ severity, item }) => this.#fileRow(severity, item),
    );
    if (parts.length === 0)
      parts.push(el('p', { class: 'quiet', text: 'No warnings, no errors.' }));
    byId('panel-issues').replaceChildren(...parts);
    const badge = byId('issues-badge');
    badge.hidden = count === 0;
    badge.textContent = String(count);
    badge.classList.toggle('error', isError);
  }

  #issueRow(issue, word) {
    const place = [
      issue.severity,
      issue.code,
      issue.format,
      issue.offset === null ? '' : `at 0x${issue.offset.toString(16)}`,
      word === null || issue.field !== word ? issue.field : '',
    ]
      .filter(Boolean)
      .join(' · ');
    return el(
      'div',
      { class: `issue ${issue.severity}` },
      icon(issue.severity === 'warning' ? 'warning' : 'error'),
      el('div', { text: issue.message }),
      el(
        'div',
        { class: 'aside' },
        word !== null && issue.offset !== null
          ? el('button', {
              type: 'button',
              text: `Bytes at 0x${issue.offset.toString(16)}`,
              onclick: () => this.#session.selectFile(word, issue.offset, 'bytes'),
            })
          : null,
        word !== null && issue.offset === null && word !== this.#session.file?.word
          ? el('button', {
              type: 'button',
              text: lastName(word),
              onclick: () => this.#session.selectFile(word, null, 'info'),
            })
          : null,
        place,
      ),
    );
  }

  #fileRow(severity, item) {
    const text = item.error
      ? ownMessage(item.error, item.path)
      : `${plural(item.errors, 'error')}, ${plural(item.warnings, 'warning')}`;
    return el(
      'div',
      { class: `issue ${severity}` },
      icon(severity === 'warning' ? 'warning' : 'error'),
      el('div', { text: `${lastName(item.path)}: ${text}` }),
      el(
        'div',
        { class: 'aside' },
        el('button', {
          type: 'button',
          text: 'Look at it',
          onclick: () =>
            this.#session.selectFile(
              item.path,
              item.error?.offset ?? null,
              item.error ? 'bytes' : 'issues',
            ),
        }),
      ),
    );
  }
}

function asIssue(error) {
  return {
    severity: 'unreadable',
    code: error.code ?? '',
    format: error.format ?? '',
    offset: error.offset ?? null,
    field: error.field ?? '',
    message: error.message,
  };
}

function definition(facts) {
  return el(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([name, value]) => [
      el('dt', { text: name }),
      el('dd', { text: String(value) }),
    ]),
  );
}

// The tool prints names and values in columns of a terminal's width; here the values may wrap.
// Tables, which are indented further or have a heading, stay as they are.
function infoParts(info) {
  const parts = [];
  let facts = [];
  let table = [];
  const flush = () => {
    if (facts.length > 0) parts.push(definition(facts));
    if (table.length > 0) parts.push(el('pre', { tabindex: '0', text: table.join('\n') }));
    [facts, table] = [[], []];
  };
  for (const line of info.replace(/\n+$/, '').split('\n')) {
    const fact = /^ {2}(\S+(?: \S+)*) {2,}(\S.*)$/.exec(line) ?? /^ {2}(.{14}) (\S.*)$/.exec(line);
    if (fact && !/^ {2}\s/.test(line)) {
      if (table.length > 0) flush();
      facts.push([fact[1].trim(), fact[2]]);
    } else {
      if (facts.length > 0) flush();
      table.push(line);
    }
  }
  flush();
  return parts;
}

function number(value) {
  return String(Number(value.toPrecision(6)));
}

function shortened(text) {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
