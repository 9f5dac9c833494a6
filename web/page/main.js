// SPDX-License-Identifier: MIT
//
// The viewer: starts the library, connects the parts of the page, and opens embedded files.

import wasm from 'ossa.wasm';
import workerScript from 'ossa.worker';
import { BonesPanel } from './panels/bones_panel.js';
import { Client } from './worker/client.js';
import { Comparison } from './compare/compare.js';
import { setUpComparing } from './compare/compare_panel.js';
import { CHANNELS, Curves } from './panels/curves.js';
import { openEmbedded } from './state/data.js';
import { byId } from './window/dom.js';
import { fromDrop, fromInput } from './state/files.js';
import { HexView } from './panels/hex.js';
import { HexKey } from './panels/hex_key.js';
import { setUpHint } from './window/hint.js';
import { icon } from './window/icons.js';
import { Inspector } from './panels/inspector.js';
import { fillHelp, listen } from './window/keys.js';
import { setUpClips, setUpFigures } from './panels/library.js';
import { setUpLayout } from './window/layout.js';
import { Linking } from './state/linking.js';
import { Look } from './panels/look.js';
import { setUpDropping, setUpNotices, setUpQuestion, setUpTheme } from './window/panels.js';
import { Options } from './panels/options.js';
import { Player } from './play/player.js';
import { setUpSaving } from './share/save.js';
import { sampleFiles } from './window/sample.js';
import { Session } from './state/session.js';
import { shortcuts } from './window/shortcuts.js';
import { Show } from './stage/show.js';
import { Stage } from './stage/stage.js';
import { FileTree } from './panels/tree.js';
import { Transport } from './play/transport.js';
import { setUpViews } from './stage/view_bar.js';
import { setUpTitle } from './window/title.js';
import { listFormats, setUpTrying } from './window/welcome.js';

for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll('button[data-icon]')
))
  button.prepend(icon(button.dataset.icon));

// First, so that the page does not flash in the other theme.
/** @type {(isDark: boolean) => void} */
let themeChanged = () => {};
const changeTheme = setUpTheme((isDark) => themeChanged(isDark));

/** Null without WebGL: everything but the 3D view works. */
function makeStage() {
  try {
    return new Stage(byId('picture'));
  } catch {
    byId('picture').hidden = true;
    return null;
  }
}

/** What to say about a folder that the browser did not hand over; null: nothing is missing. */
function refusalText(session, folder, isPartial) {
  if (!isPartial)
    return `This browser does not let the page read the dropped folder ${folder}. Use Open a folder.`;
  const lacksSkeleton = session.figures.some(
    ({ missing, paths }) =>
      missing?.includes('skeleton') && paths.some((path) => path.startsWith(`${folder}/`)),
  );
  return lacksSkeleton
    ? `There is no skeleton in ${folder}. This browser leaves out some files if several folders are dropped together: use Open a folder, or drop it on its own.`
    : null;
}

function setUpOpening(session) {
  const open = async (files) => {
    const found = await files;
    if (found.length === 0) return;
    document.body.classList.remove('empty');
    const progress = (done, all) => {
      byId('files-count').textContent = done < all ? `${done} of ${all}` : '';
    };
    await session.add(found, { progress });
  };
  const ask = (input) => () => byId(input).click();
  for (const id of ['open-files', 'welcome-files'])
    byId(id).addEventListener('click', ask('choose-files'));
  for (const id of ['open-folder', 'welcome-folder'])
    byId(id).addEventListener('click', ask('choose-folder'));
  for (const id of ['choose-files', 'choose-folder', 'drop-folder'])
    byId(id).addEventListener('change', (event) => open(fromInput(event.target)));
  byId('clear').addEventListener('click', () => session.clear());
  setUpDropping(async (transfer) => {
    const refusals = [];
    await open(fromDrop(transfer, (...refusal) => refusals.push(refusal)));
    for (const refusal of refusals) {
      const text = refusalText(session, ...refusal);
      if (text) session.emit('notice', { kind: 'warning', text });
    }
  });
  return { open, chooseFiles: ask('choose-files') };
}

function setUpViewButtons(session) {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-view]')]);
  for (const button of buttons)
    button.addEventListener('click', () =>
      session.setView(button.dataset.view, !session.view[button.dataset.view]),
    );
  session.on('view', () => {
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(session.view[button.dataset.view]));
  });
}

/** The library, in a worker whose script is in the page. */
function startClient() {
  const address = URL.createObjectURL(new Blob([workerScript], { type: 'text/javascript' }));
  return new Client(() => new Worker(address), wasm);
}

async function start() {
  const client = startClient();
  const about = await client.restart();
  listFormats(about.formats);
  const session = new Session(client, about);
  const player = new Player();
  const stage = makeStage();
  let parts = [];
  const show = new Show(session, player, stage, () => parts.forEach((part) => part()));
  themeChanged = (isDark) => show.setTheme(isDark);
  themeChanged(document.documentElement.dataset.theme === 'dark');
  const transport = new Transport(player, () => show.moved(), session);
  const curves = new Curves(session, player);
  const bones = new BonesPanel(session);
  const hex = new HexView(session);
  new FileTree(session);
  setUpFigures(session);
  const clips = setUpClips(session);
  new Look(session);
  new Options(session);
  const inspector = new Inspector(session, hex, () => ({ vertices: show.vertices }));
  const hexKey = new HexKey(session, player, CHANNELS, async (key) => {
    await curves.showKey(key);
    inspector.open('curves');
    byId('curves-canvas').focus();
  });
  hex.cursorMoved = (word, offset) => hexKey.at(word, offset);
  parts = [() => transport.update(), () => curves.moved(), () => bones.moved()];
  session.on('tab', () => curves.moved());
  setUpViewButtons(session);
  setUpNotices(session);
  const opening = setUpOpening(session);
  setUpTrying(sampleFiles, opening.open);
  setUpQuestion(session, opening.chooseFiles);
  setUpTitle(session);
  setUpHint(session);
  const layout = setUpLayout(session);
  const linking = new Linking(session, player, show, stage);
  const saving = setUpSaving({ session, player, show, stage, linking });
  byId('fit').addEventListener('click', () => show.fit());
  byId('theme').addEventListener('click', changeTheme);
  byId('help').addEventListener('click', () => byId('help-dialog').showModal());
  byId('help-version').textContent = `Ossa ${about.version}. Nothing leaves your computer.`;
  const views = setUpViews(session, show, stage);
  const comparison = new Comparison({ session, player, show, stage });
  const comparing = setUpComparing(session, player, show, comparison);
  parts.push(() => comparison.moved());
  const keys = shortcuts({
    session,
    player,
    show,
    stage,
    inspector,
    clips,
    saving,
    opening,
    changeTheme,
    comparing,
    views,
    layout,
  });
  listen(keys);
  fillHelp(keys);
  if (!stage)
    session.emit('notice', {
      kind: 'error',
      stays: true,
      text: 'This browser has no WebGL, so there is no 3D view. Everything else works.',
    });
  const first = await openEmbedded(session);
  await linking.follow(window.location.hash || first);
  return { session, player, show, stage, opening, saving, inspector, hex, views, curves, comparison };
}

const started = start();
started.catch((error) => {
  byId('welcome').replaceChildren(`The page could not start: ${error.message}`);
});

// For tests and for other scripts on the page; see README.md.
window.ossaViewer = {
  ready: started.then(() => undefined),
  state: null,
};
started.then(({ session, player, show, opening, inspector, hex, saving, views, curves, stage, comparison }) => {
  Object.assign(window.ossaViewer, {
    state: () => ({
      figures: session.figures.map((figure) => figure.name),
      figure: session.figure?.name ?? null,
      scene: session.scene
        ? {
            name: session.scene.name,
            game: session.scene.game,
            bones: session.scene.bones.length,
            meshes: session.scene.meshes.length,
            variants: session.scene.variants.map((variant) => variant.name),
            clips: session.scene.clips.map((clip) => clip.name),
            cameras: session.scene.cameras.length,
          }
        : null,
      clip: session.scene?.clips[session.clip]?.name ?? null,
      camera: session.camera,
      variant: session.scene?.variants[session.variant]?.name ?? null,
      parts: session.scene?.meshes.map((mesh) => mesh.name) ?? [],
      bone: session.bone,
      frame: player.frame,
      frames: player.frameCount,
      time: player.time,
      playing: player.playing,
      mode: player.mode,
      speed: player.speed,
      range: player.range,
      reversed: player.isReversed,
      view: { ...session.view },
      question: session.question,
      failure: session.failure?.message ?? null,
      reading: session.isReading,
      file: session.file,
      tab: inspector.tab,
      curves: curves.state,
      cursor: hex.cursor,
      theme: document.documentElement.dataset.theme,
      vertices: show.vertices,
      compare: comparison.describe(),
    }),
    settled: async () => {
      const frame = () => new Promise((next) => requestAnimationFrame(next));
      for (let quiet = 0; quiet < 2; quiet = session.client.isIdle && hex.isIdle ? quiet + 1 : 0) await frame();
    },
    stage: views.describe,
    bonePlaces: views.places,
    memory: () => ({ ...stage.renderer.info.memory }),
    comparePlaces: () => comparison.places(),
    bonePositions: () => show.figure?.skeleton.positions() ?? [],
    vertexPositions: () => show.figure?.drawn() ?? [],
    open: (files) =>
      opening.open(
        files.map((file) => (file.blob ? file : { path: file.path, blob: new Blob([file.bytes]) })),
      ),
    seekFrame: (frame) => {
      player.pause();
      player.seekFrame(frame);
      show.moved();
    },
    setClip: (name) => session.setClip(session.scene.clips.findIndex((clip) => clip.name === name)),
    setFigure: (name) => session.showFigure(session.figures.find((figure) => figure.name === name)),
    setBone: (name) => session.setBone(session.scene.bones.findIndex((bone) => bone.name === name)),
    saved: (what) => session.export(what, what === 'glb' ? { variant: session.variant } : {}),
    saving,
  });
});
