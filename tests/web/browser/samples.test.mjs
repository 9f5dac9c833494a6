// SPDX-License-Identifier: MIT
//
// Every sample, dropped: what is found, where the bones are, what is saved and how it looks, against
// the tool and against committed pictures.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { sampleWorkspace, start } from '../api/support.mjs';
import { assertDiffer, assertNotEmpty, difference } from './pictures.mjs';
import { assertSheet } from './sheets.mjs';
import { ask, openViewer, run, useBrowser } from './support.mjs';

const shared = await useBrowser();
const files = sampleWorkspace(await start());
const SMALL = { width: 760, height: 460 };
let viewer;

// What is dropped, the words of the same call of the tool, and what must come of it.
const SAMPLES = [
  { name: 'troll', drop: ['troll'], clips: ['dance', 'idle', 'walk'], bones: 15 },
  { name: 'pedestrian', drop: ['pedestrian'], figure: 'ped', clips: ['run', 'stand', 'walk'], bones: 18 },
  { name: 'rabbit', drop: ['rabbit'], clips: ['hop', 'walk0', 'walk1'], bones: 17 },
  { name: 'bird', drop: ['bird'], clips: ['fly', 'glide'], bones: 15, isTextured: true },
  { name: 'wyvern', drop: ['wyvern'], clips: ['fly', 'rest'], seen: 'fly', bones: 9, isTextured: true },
  {
    name: 'packed-troll',
    drop: ['packed/figures.res', 'packed/textures.res', 'packed/database.res'],
    words: ['packed/figures.res#troll', 'packed/textures.res', 'packed/database.res'],
    figure: 'troll',
    figures: ['troll', 'wyvern'],
    clips: ['walk', 'idle', 'dance'],
    bones: 15,
    isTextured: true,
  },
  {
    name: 'packed-wyvern',
    words: ['packed/figures.res#wyvern', 'packed/textures.res', 'packed/database.res'],
    figure: 'wyvern',
    figures: ['troll', 'wyvern'],
    clips: ['fly', 'rest'],
    seen: 'fly',
    bones: 9,
    isTextured: true,
  },
  { name: 'packed-rabbit', drop: ['packed/rabbit.pak'], figure: 'rabbit', clips: ['hop', 'walk0', 'walk1'], bones: 17 },
  {
    name: 'packed-pedestrian',
    drop: ['packed/ped.ar'],
    figure: 'PED',
    clips: ['STAND', 'STAND_WALK', 'WALK', 'WALK_STAND', 'RUN', 'BACKUP'],
    bones: 18,
  },
  {
    name: 'disc',
    drop: ['packed/NICO.DAT'],
    words: ['0x4d5', '0xcd4', '0x1f59'].map((place) => `packed/NICO.DAT#${place}`),
    figure: '0x000004d5',
    clips: ['0x00000cd4', '0x00001f59'],
    bones: 15,
  },
  {
    name: 'colossus',
    drop: ['packed/colossus.iso'],
    words: ['packed/colossus.iso#NICO.DAT#bird_A'],
    figure: 'bird_A',
    clips: ['bird_A_fly', 'bird_A_glide'],
    bones: 15,
    isTextured: true,
  },
  {
    name: 'states',
    drop: ['more/ped.csv', 'pedestrian/ped.skel', 'pedestrian/walk.anim'],
    words: ['more/ped.csv', 'pedestrian/ped.skel', 'pedestrian/walk.anim'],
    figure: 'ped',
    clips: ['STAND_WALK', 'WALK', 'WALK_STAND', 'BACKUP'],
    bones: 18,
  },
];

test('the page starts with nothing on it', async () => {
  viewer = await openViewer({ size: SMALL });
  const state = await viewer.state();
  assert.deepEqual([state.figures, state.scene, state.playing], [[], null, false]);
  assert.ok(await viewer.page.locator('#welcome').isVisible());
  const rows = await viewer.page.locator('#welcome tr').evaluateAll((list) =>
    list.map((row) => [...row.children].map((cell) => cell.textContent)));
  const known = ask('formats', '--json');
  for (const { game, extensions } of known) {
    const row = rows.find(([title]) => title === game.replace(/ \((.*)\)$/, '$1'));
    assert.ok(row[1].length > 10, 'what to open');
    for (const extension of extensions.split(' ')) assert.ok(row[2].split(' ').includes(extension.toUpperCase()), extension);
  }
  assert.equal(rows.length, new Set(known.map(({ game }) => game)).size);
});

for (const sample of SAMPLES) {
  const { name, drop, words = drop, figure = name, figures = [figure], clips, bones, isTextured } = sample;
  const { seen = clips[clips.length - 1] } = sample; // the clip of the picture
  test(`${name}: figures, clips, poses, files, pictures`, async (t) => {
    if (drop) {
      await viewer.clear();
      await viewer.show(figure, ...drop);
    } else {
      await viewer.page.locator('#figures-list').getByText(figure, { exact: true }).click();
      await viewer.until((state, wanted) => state.figure === wanted, figure);
    }
    const state = await viewer.state();
    assert.deepEqual(state.figures, figures);
    assert.deepEqual(state.scene.clips, clips);
    assert.equal(state.scene.bones, bones);
    assert.equal(state.question, null);
    assert.equal(state.failure, null);

    await t.test('bones stand where the tool says', () => comparePoses(words, clips));
    await t.test('vertices are where the library has them', () => compareVertices(words, clips));
    await t.test('the JSON is the tool\'s', async () => {
      const mine = JSON.parse((await viewer.saved('json')).toString());
      assert.deepEqual(withoutFolders(mine), withoutFolders(JSON.parse(converted(words, 'json').toString())));
    });
    await t.test('the GLB is the tool\'s, byte for byte', async () => {
      const mine = await viewer.saved('glb');
      const tools = converted(words, 'glb');
      if (isTextured) await compareTextured(mine, tools);
      else assert.ok(mine.equals(tools), `first other byte at ${mine.findIndex((byte, i) => byte !== tools[i])}`);
    });
    await t.test('the picture', () => comparePictures(name, seen));
  });
}

async function comparePoses(words, clips) {
  for (const clip of clips) {
    await viewer.call('setClip', clip);
    const { frames } = await viewer.state();
    assert.ok(frames > 0, `${clip} has no frames`);
    for (const frame of new Set([0, Math.floor(frames / 2), frames - 1])) {
      await viewer.call('seekFrame', frame);
      const state = await viewer.state();
      assert.deepEqual([state.clip, state.frame, state.playing], [clip, frame, false]);
      const tools = ask('pose', '--json', '--clip', clip, '--frame', String(frame), ...words);
      assert.equal(tools.space, 'model');
      assertNear(await viewer.positions(), tools.bones.map((bone) => bone.translation), `${clip}, frame ${frame}`);
    }
  }
}

function assertNear(mine, tools, where) {
  assert.equal(mine.length, tools.length);
  const size = Math.max(...[0, 1, 2].map((axis) => {
    const values = tools.map((position) => position[axis]);
    return Math.max(...values) - Math.min(...values);
  }));
  assert.ok(size > 0, 'the figure has no size');
  for (const [bone, position] of tools.entries())
    for (const axis of [0, 1, 2])
      assert.ok(
        Math.abs(mine[bone][axis] - position[axis]) <= 1e-5 * size,
        `${where}, bone ${bone}: drawn at ${mine[bone]}, the tool says ${position}`,
      );
}

// What the page draws, moved by the graphics card or not, against ossa_skin_mesh.
async function compareVertices(words, clips) {
  const scene = files.scene(words);
  const pose = scene.pose();
  for (const [index, clip] of clips.entries()) {
    assert.equal(scene.clips[index].name, clip);
    await viewer.call('setClip', clip);
    const frame = Math.floor((await viewer.state()).frames / 2);
    await viewer.call('seekFrame', frame);
    pose.sampleFrame(index, frame);
    const drawn = await viewer.vertices();
    assert.equal(drawn.length, scene.meshes.length);
    const wanted = scene.meshes.map((_, mesh) => new Float32Array(scene.skin(mesh, pose).positions));
    const size = sizeOf(wanted);
    for (const [mesh, { name, kind, vertexCount }] of scene.meshes.entries()) {
      if (kind === 'lines' || !pose.visible[scene.meshes[mesh].bone]) continue;
      assert.equal(drawn[mesh].length, vertexCount, name);
      drawn[mesh].flat().forEach((number, i) => assert.ok(
        Math.abs(number - wanted[mesh][i]) <= 1e-5 * size,
        `${clip}, frame ${frame}, ${name}: number ${i} is ${number}, not ${wanted[mesh][i]}`,
      ));
    }
  }
  pose.free();
  scene.free();
}

function sizeOf(arrays) {
  let size = 1e-9;
  for (const array of arrays) for (const number of array) size = Math.max(size, Math.abs(number));
  return size;
}

function converted(words, kind) {
  const path = join(shared.folder, `converted.${kind}`);
  const { status, complaints } = run('convert', '-q', ...words, '-o', path);
  assert.equal(status, 0, complaints);
  return readFileSync(path);
}

// The tool was called from outside of the folders that were dropped alone.
function withoutFolders(scene) {
  return JSON.parse(JSON.stringify(scene).replaceAll(/"(packed|more|pedestrian)\//g, '"'));
}

// The module packs pictures with another compressor, so their bytes differ, and with them the places
// of what comes after: everything else is the same byte for byte, and the pictures pixel for pixel.
async function compareTextured(mine, tools) {
  const [a, b] = [partsOf(mine), partsOf(tools)];
  assert.deepEqual(a.json, b.json);
  assert.equal(a.views.length, b.views.length);
  assert.ok(a.pictures.size > 0);
  for (const [index, view] of a.views.entries()) {
    if (!a.pictures.has(index)) assert.ok(view.equals(b.views[index]), `buffer view ${index}`);
    else {
      const { sizes, mean } = await difference(viewer.page, view, b.views[index]);
      assert.deepEqual([sizes[0], mean], [sizes[1], 0]);
    }
  }
}

function partsOf(glb) {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, 20 + length).toString());
  const data = glb.subarray(20 + length + 8);
  const views = json.bufferViews.map(({ byteOffset = 0, byteLength }) =>
    data.subarray(byteOffset, byteOffset + byteLength),
  );
  const pictures = new Set(json.images.map((image) => image.bufferView));
  for (const view of json.bufferViews) delete view.byteOffset;
  for (const index of pictures) delete json.bufferViews[index].byteLength;
  delete json.buffers;
  return { json, views, pictures };
}

const album = []; // a picture of each figure

async function comparePictures(name, clip) {
  await viewer.call('setClip', clip);
  await viewer.page.keyboard.press('f');
  const isGrounded = name === 'troll';
  if ((await viewer.state()).view.grid !== isGrounded) await viewer.page.keyboard.press('g');
  await viewer.call('seekFrame', 0);
  const first = await viewer.picture();
  const { frames } = await viewer.state();
  await viewer.call('seekFrame', Math.floor(frames * 0.4));
  const later = await viewer.picture();
  await assertNotEmpty(viewer.page, first);
  await assertDiffer(viewer.page, first, later, `${name}, frames 0 and ${Math.floor(frames * 0.4)} of ${clip}`);
  album.push([name, later]);
}

test('the wind fills the wyvern\'s wings: morphs are drawn', async () => {
  await viewer.clear();
  await viewer.show('wyvern', 'wyvern');
  await viewer.call('setClip', 'fly');
  await viewer.call('seekFrame', 3);
  if ((await viewer.state()).view.grid) await viewer.page.keyboard.press('g');
  await viewer.page.keyboard.press('1');
  for (let i = 0; i < 4; i++) await viewer.page.keyboard.press('+');
  album.push(['wings', await viewer.picture()]);
});

test('all figures look as they did', () => assertSheet('figures', album));

test('cameras: looked through, by the frames of the file', async () => {
  await viewer.clear();
  await viewer.show('flight', 'more');
  let state = await viewer.state();
  assert.deepEqual(state.figures, ['flight', 'stage']);
  assert.deepEqual([state.camera, state.scene.cameras, state.scene.bones], [0, 1, 0]);
  assert.ok(state.frames > 1);
  await viewer.call('setFigure', 'stage');
  state = await viewer.state();
  assert.deepEqual([state.figure, state.camera, state.scene.cameras], ['stage', 0, 1]);
  for (const [figure, word] of [['flight', 'more/flight.cam'], ['stage', 'more/stage.anc']]) {
    await viewer.call('setFigure', figure);
    assert.ok((await viewer.saved('glb')).equals(converted([word], 'glb')), `${word} as GLB`);
  }
});

test('a piece of a disc: what is found in it plays, and lies in a tree', async () => {
  await viewer.clear();
  await viewer.show('0x000004d5', 'packed/NICO.DAT');
  const { figures, scene } = await viewer.state();
  assert.deepEqual(figures, ['0x000004d5']);
  assert.deepEqual([scene.bones, scene.clips], [15, ['0x00000cd4', '0x00001f59']]);
  const words = ['0x4d5', '0xcd4', '0x1f59'].map((place) => `packed/NICO.DAT#${place}`);
  assert.ok((await viewer.saved('glb')).equals(converted(words, 'glb')), 'as GLB');
  const rows = viewer.page.locator('#files-list .list-row');
  await rows.first().locator('.twisty').click();
  await viewer.settle();
  assert.equal(await rows.count(), 4);
  await viewer.page.fill('#files-search', '1f59');
  await rows.filter({ hasText: '1f59' }).click();
  assert.equal((await viewer.state()).file.word, 'NICO.DAT#0x00001f59.anb');
  await viewer.page.fill('#files-search', '');
});

test('a texture alone is a picture under Info', async () => {
  await viewer.clear();
  await viewer.drop('packed/textures.res');
  const rows = viewer.page.locator('#files-list .list-row');
  await rows.first().locator('.twisty').click();
  await rows.nth(1).click(); // it comes when the library has answered
  if (!(await viewer.page.locator('#tab-info').isVisible())) await viewer.page.click('#toggle-inspector');
  await viewer.page.click('#tab-info');
  const picture = viewer.page.getByRole('img', { name: 'Texture troll00.mmp, 32 × 32 pixels' });
  await picture.waitFor();
  const drawn = await picture.evaluate((canvas) => [
    canvas.width,
    canvas.height,
    ...canvas.getContext('2d').getImageData(0, 0, 1, 1).data.slice(3),
  ]);
  assert.deepEqual(drawn, [32, 32, 255]);
});

test('nothing was asked of the network, and nothing complained', () => viewer.close());
