// SPDX-License-Identifier: MIT
//
// The viewer: starts the library, connects the parts of the page, and opens embedded files.

import { load } from '../api/ossa.js';
import wasm from 'ossa.wasm';
import { BonesPanel } from './bones_panel.js';
import { Curves } from './curves.js';
import { openEmbedded } from './data.js';
import { byId } from './dom.js';
import { fromDrop, fromInput } from './files.js';
import { HexView } from './hex.js';
import { icon } from './icons.js';
import { Inspector } from './inspector.js';
import { fillHelp, listen } from './keys.js';
import { setUpClips, setUpFigures } from './library.js';
import { Look } from './look.js';
import { setUpDropping, setUpEdge, setUpNotices, setUpQuestion, setUpTheme } from './panels.js';
import { Player } from './player.js';
import { setUpSaving } from './save.js';
import { Session } from './session.js';
import { shortcuts } from './shortcuts.js';
import { Show } from './show.js';
import { Stage } from './stage.js';
import { FileTree } from './tree.js';
import { Transport } from './transport.js';
import { listFormats } from './welcome.js';

for (const button of document.querySelectorAll('button[data-icon]'))
  button.prepend(icon(button.dataset.icon));

// First, so that the page does not flash in the other theme.
let themeChanged = (_isDark) => {};
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
    await session.add(found, (done, all) => {
      byId('files-count').textContent = done < all ? `${done} of ${all}` : '';
    });
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
  const buttons = [...document.querySelectorAll('[data-view]')];
  for (const button of buttons)
    button.addEventListener('click', () =>
      session.setView(button.dataset.view, !session.view[button.dataset.view]),
    );
  session.on('view', () => {
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(session.view[button.dataset.view]));
  });
}

/** The module as the page holds it, compressed by build.mjs. */
async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

async function start() {
  const ossa = await load(await unpack(wasm));
  listFormats(ossa.formats());
  const session = new Session(ossa);
  const player = new Player();
  const stage = makeStage();
  let parts = [];
  const show = new Show(session, player, stage, () => parts.forEach((part) => part()));
  themeChanged = (isDark) => show.setTheme(isDark);
  themeChanged(document.documentElement.dataset.theme === 'dark');
  const transport = new Transport(player, () => show.moved());
  const curves = new Curves(session, player);
  const bones = new BonesPanel(session);
  const hex = new HexView(session);
  new FileTree(session);
  setUpFigures(session);
  setUpClips(session);
  new Look(session);
  const inspector = new Inspector(session, hex, () => ({ vertices: show.vertices }));
  parts = [() => transport.update(), () => curves.moved(), () => bones.moved()];
  session.on('tab', () => curves.moved());
  setUpViewButtons(session);
  setUpNotices(session);
  const opening = setUpOpening(session);
  setUpQuestion(session, opening.chooseFiles);
  setUpEdge('left-edge', '--left', 1);
  setUpEdge('right-edge', '--right', -1);
  const saving = setUpSaving(session, stage, byId('labels'));
  byId('fit').addEventListener('click', () => show.fit());
  byId('theme').addEventListener('click', changeTheme);
  byId('help').addEventListener('click', () => byId('help-dialog').showModal());
  byId('help-version').textContent = `Ossa ${ossa.version}. Nothing leaves your computer.`;
  const keys = shortcuts({ session, player, show, stage, inspector, saving, opening, changeTheme });
  listen(keys);
  fillHelp(keys);
  if (!stage)
    session.emit('notice', {
      kind: 'error',
      stays: true,
      text: 'This browser has no WebGL, so there is no 3D view. Everything else works.',
    });
  await openEmbedded(session);
  return { session, player, show, stage, opening, saving, inspector, hex };
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
started.then(({ session, player, show, opening, inspector, hex, saving }) => {
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
      view: { ...session.view },
      question: session.question,
      failure: session.failure?.message ?? null,
      reading: session.isReading,
      file: session.file,
      tab: inspector.tab,
      cursor: hex.cursor,
      theme: document.documentElement.dataset.theme,
      vertices: show.vertices,
    }),
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
    saved: (what) => 
      what === 'glb' ? session.scene.glb({ variant: session.variant }) : session.scene.json(),
    saving,
  });
});
