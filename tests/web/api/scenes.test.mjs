// SPDX-License-Identifier: MIT
//
// Scenes by the words of the tool: the same bones, poses, files and messages.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

import {
  asInModule, failureOf, inTemporaryFolder, run, samples, sampleWorkspace, start,
} from './support.mjs';

const ossa = await start();
const files = sampleWorkspace(ossa);

const calls = [
  { words: ['troll'] },
  { words: ['troll/'], options: { complexion: [0.25, 0.5, 0.75] }, flags: ['--complexion', '0.25,0.5,0.75'] },
  { words: ['troll/bon', 'troll/walk', 'troll/troll.lnk', 'more/flight.cam'] },
  { words: ['./troll'], options: { resample: 3, scale: 2.5 }, flags: ['--resample', '3', '--scale', '2.5'] },
  { words: ['wyvern'], hasTexture: true },
  { words: ['wyvern'], options: { parts: ['!l*', 'lw2'], root: 't' }, flags: ['--parts', '!l*', '--parts', 'lw2', '--root', 't'],
    hasTexture: true },
  { words: ['wyvern'], options: { morph: 'none' }, flags: ['--morph', 'none'], hasTexture: true },
  { words: ['wyvern/fig', 'wyvern/bon', 'wyvern/wyvern.lnk', 'wyvern/fly'], options: { morph: 'clip' }, flags: ['--morph', 'clip'] },
  { words: ['rabbit'] },
  { words: ['rabbit/rabbit.tmd', 'rabbit/walk1.anm', 'rabbit/walk0.anm', 'more/stage.anc'],
    options: { euler: 'zyx', missing: 'hold', join: true }, flags: ['--euler', 'zyx', '--missing', 'hold', '--join'] },
  { words: ['bird'], hasTexture: true },
  { words: ['bird'], options: { boxes: true, fps: 12.5 }, flags: ['--boxes', '--fps', '12.5'],
    hasTexture: true },
  { words: ['bird/fly.anb'] },
  { words: ['pedestrian'] },
  { words: ['pedestrian', 'more/ped.csv'], options: { inPlace: true }, flags: ['--in-place'] },
  { words: ['packed/figures.res#troll'] },
  { words: ['packed/figures.res#wyvern', 'packed/textures.res', 'packed/database.res'], hasTexture: true },
  { words: ['packed/figures.res#troll.mod', 'packed/figures.res#troll.bon', 'packed/figures.res#troll.anm#walk'] },
  { words: ['packed/rabbit.pak'] },
  { words: ['packed/ped.ar'] },
  { words: ['packed/NICO.DAT#0x4d5', 'packed/NICO.DAT#0xcd4'] },
  { words: ['more/stage.anc'], hasNoBones: true },
];

function convert(call, end) {
  return run(samples, 'convert', ...call.words, ...(call.flags ?? []), '--to', end, '-o', '-');
}

for (const call of calls) {
  const name = [...call.words, ...(call.flags ?? [])].join(' ');

  test(`files: ${name}`, () => {
    const scene = files.scene(call.words, call.options);
    const json = convert(call, 'json');
    assert.deepEqual(scene.messages, json.complaints);
    assert.ok(json.bytes.equals(scene.json()));
    checkAbout(scene, JSON.parse(json.text));
    for (const skin of [false, true]) {
      const glb = convert({ ...call, flags: [...(call.flags ?? []), ...(skin ? ['--skin'] : [])] }, 'glb');
      const made = scene.glb({ skin });
      if (call.hasTexture) assert.deepEqual(withoutImages(made), withoutImages(glb.bytes));
      else assert.ok(glb.bytes.equals(made));
      assert.deepEqual(scene.messages, glb.complaints);
    }
    scene.free();
  });

  if (call.hasNoBones) continue;
  test(`tables and motions: ${name}`, () => {
    const scene = files.scene(call.words, call.options);
    const same = (flags, end, write) => {
      const made = files.scene(call.words, call.options); // it has said nothing yet
      const told = convert({ ...call, flags: [...(call.flags ?? []), ...flags] }, end);
      assert.equal(told.status, 0);
      assert.ok(told.bytes.equals(write(made)), `${flags} ${end}`);
      if (flags.length === 0) assert.deepEqual(made.messages, told.complaints);
      else assert.deepEqual(made.messages.filter((line) => told.complaints.includes(line)), told.complaints);
      made.free();
    };
    same([], 'csv', (made) => made.csv());
    // With joined clips, the words of the tool choose what is joined.
    const first = call.options?.join ? [] : scene.clips.slice(0, 3);
    for (const [clip, { name: word }] of first.entries()) {
      same(['--clip', word], 'csv', (made) => made.csv({ clip }));
      same(['--clip', word, '--space', 'local'], 'csv', (made) => made.csv({ clip, space: 'local' }));
      same(['--clip', word], 'bvh', (made) => made.bvh({ clip }));
    }
    if (scene.clips.length === 1) same([], 'bvh', (made) => made.bvh());
    scene.free();
  });

  test(`poses: ${name}`, () => {
    const scene = files.scene(call.words, call.options);
    const pose = scene.pose();
    const flags = (call.flags ?? []).filter((flag, i, all) =>
      !['--boxes', '--morph'].includes(flag) && all[i - 1] !== '--morph');
    const moments = scene.clips.length === 0 ? [[null, 'frame', 0]] : scene.clips.flatMap((clip, i) => [
      [i, 'frame', 0], [i, 'frame', Math.floor(clip.frameCount / 2)], [i, 'frame', clip.frameCount - 1],
      [i, 'time', 0.3], [i, 'time', 1 / 3], [i, 'time', 1e6], [i, 'time', -1],
    ]);
    for (const [clip, kind, value] of moments) {
      const chosen = clip === null ? [] : ['--clip', scene.clips[clip].name];
      for (const space of ['local', 'model']) {
        const said = run(samples, 'pose', '--json', ...call.words, ...flags, ...chosen,
          `--${kind}=${value}`, '--space', space);
        assert.equal(said.status, 0, said.complaints.join('\n'));
        if (clip === null) pose.sample(-1, 0);
        else if (kind === 'frame') pose.sampleFrame(clip, value);
        else pose.sample(clip, value);
        comparePose(scene, space === 'local' ? pose.locals : pose.models, pose.visible,
          JSON.parse(said.text).bones);
      }
    }
    pose.free();
    scene.free();
  });
}

/** Bit for bit. */
function comparePose(scene, transforms, visible, bones) {
  assert.equal(bones.length, scene.bones.length);
  const wanted = bones.flatMap((bone) => [...bone.translation, ...bone.rotation, ...bone.scale]);
  assert.equal(transforms.length, wanted.length);
  for (const [i, number] of wanted.entries()) {
    assert.ok(Object.is(transforms[i], Math.fround(number)), `${i}: ${transforms[i]}, not ${number}`);
  }
  assert.deepEqual([...visible], bones.map((bone) => (bone.visible ? 1 : 0)));
}

/** The chunk of JSON without sizes and places, which differ with how textures are packed. */
function withoutImages(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const size = view.getUint32(12, true);
  const document = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size)));
  delete document.buffers;
  for (const place of document.bufferViews) {
    delete place.byteOffset;
    delete place.byteLength;
  }
  return document;
}

/** Numbers in JSON are rounded, here they are exact: whole numbers, or 32-bit floats. */
function roundExtras(extras) {
  const round = (value) => (typeof value !== 'number' || Number.isInteger(value) ? value : Math.fround(value));
  return Object.fromEntries(Object.entries(extras)
    .map(([key, value]) => [key, Array.isArray(value) ? value.map(round) : round(value)]));
}

function checkAbout(scene, document) {
  const round = (numbers) => numbers && numbers.flat(Infinity).map(Math.fround);
  const plainArray = (array) => (array === null ? undefined : [...array]);
  assert.equal(scene.name, document.scene);
  assert.equal(scene.game, document.game);
  assert.deepEqual(
    scene.bones.map(({ name, parent, rest }) => [name, parent, ...rest]),
    document.bones.map(({ name, parent, translation, rotation, scale }) =>
      [name, parent, ...round([translation, rotation, scale])]));
  assert.deepEqual(
    scene.clips.map((clip) => [clip.name, clip.source, clip.sourceFormat, Math.fround(clip.fps),
      clip.frameCount, clip.loop, clip.inPlace, clip.velocity, clip.extras]),
    document.clips.map((clip) => [clip.name, clip.source, clip.source_format, Math.fround(clip.fps),
      clip.frames, clip.loop, clip.in_place, round(clip.velocity), roundExtras(clip.extras ?? {})]));
  assert.deepEqual(
    scene.meshes.map((mesh) => [mesh.name, mesh.bone, mesh.kind, plainArray(mesh.positions),
      plainArray(mesh.normals), plainArray(mesh.texcoords), plainArray(mesh.indices),
      plainArray(mesh.colours), mesh.material, plainArray(mesh.targets), mesh.targetCount,
      plainArray(mesh.vertexBones), plainArray(mesh.texcoords2), plainArray(mesh.joints),
      plainArray(mesh.weights)]),
    (document.meshes ?? []).map((mesh) => [mesh.name, mesh.bone, mesh.kind, round(mesh.positions),
      round(mesh.normals), round(mesh.texcoords), mesh.indices.flat(),
      mesh.colours?.flat(), mesh.material ?? -1, round(mesh.targets), mesh.targets?.length ?? 0,
      mesh.vertex_bones, round(mesh.texcoords2), mesh.joints?.flat(), round(mesh.weights)]));
  assert.deepEqual(
    scene.materials.map(({ name, texture, isTransparent, isDoubleSided, isUnlit, colour, isClamped, alphaCutoff }) =>
      [name, texture, isTransparent, isDoubleSided, isUnlit, colour, isClamped, alphaCutoff]),
    (document.materials ?? []).map((material) =>
      [material.name, material.texture ?? -1, material.transparent, material.double_sided, material.unlit,
        round(material.colour), material.clamped ?? [false, false], Math.fround(material.alpha_cutoff ?? 0)]));
  assert.deepEqual(
    scene.textures.map(({ name, width, height, pixels }) =>
      [name, width, height, Buffer.from(pixels).toString('hex')]),
    (document.textures ?? []).map(({ name, width, height, pixels }) => [name, width, height, pixels.join('')]));
  assert.deepEqual(
    scene.cameras.map(({ name, source, sourceFormat, keyCount, duration }) =>
      [name, source, sourceFormat, keyCount, duration]),
    (document.cameras ?? []).map((camera) => [camera.name, camera.source, camera.source_format,
      camera.times.length, Math.fround(camera.times.at(-1))]));
}

test('what the tool refuses is refused, in the same words', () => {
  const refused = [
    ['nothing'], ['packed/figures.res'], ['packed/figures.res#nothing'], ['more/ped.csv'],
    ['troll', 'rabbit'], ['troll/walk', 'bird'], ['packed/NICO.DAT'], ['packed/NICO.DAT#0x3000'],
    ['troll/walk/hd.anm', 'nothing', 'more/nothing'], ['wyvern/wyvern00.mmp'],
    ['packed/textures.res'], [],
  ];
  for (const words of refused) {
    const said = words.length === 0 ? { status: 1, complaints: ['there is nothing here that a scene can be made of'] }
      : run(samples, 'convert', ...words, '-o', '-');
    let made = null;
    const failure = failureOf(() => { made = files.scene(words); })
      ?? failureOf(() => made.glb());
    if (failure === null) {
      assert.equal(said.status, 0, words.join(' '));
      continue;
    }
    assert.notEqual(said.status, 0, words.join(' '));
    assert.deepEqual([...(made?.messages ?? []), ...failure.messages], said.complaints.map(asInModule));
    assert.ok(failure.messages.includes(failure.message));
  }
});

test('folders are gone through in the order of the tool, whatever the names', () => {
  const bytes = readFileSync(join(samples, 'troll/walk/hd.anm'));
  const names = ['a/x.anm', 'a-b.anm', 'a.anm', 'a b/y.anm', 'a/b/c.anm', 'a/b.anm', 'a/b-c/d.anm', 'A/z.anm',
    'é/1.anm', 'zz.anm', 'a!/q.anm', 'Ω.anm', '.hidden.anm'];
  inTemporaryFolder((folder) => {
    const own = ossa.workspace();
    for (const name of names) {
      mkdirSync(dirname(join(folder, 'f', name)), { recursive: true });
      writeFileSync(join(folder, 'f', name), bytes);
      own.add(`f/${name}`, bytes);
    }
    for (const word of ['f', './f/', 'f/a', '.']) {
      const met = run(folder, 'info', '--json', word).text.trim().split('\n')
        .map((line) => JSON.parse(line).file);
      const clean = (path) => path.replace(/^\.\//, '');
      const below = word.startsWith('f/') ? 'f/a/' : 'f/';
      assert.deepEqual(own.paths().filter((path) => path.startsWith(below)), met.map(clean));
    }
    own.free();
  });
});

test('the same files make the same scene wherever they lie', () => {
  inTemporaryFolder((folder) => {
    const own = ossa.workspace();
    for (const path of ['walk/hd.anm', 'walk/hp.anm', 'idle/hp.anm']) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      const bytes = readFileSync(join(samples, 'troll', path));
      writeFileSync(join(folder, path), bytes);
      own.add(path, bytes);
    }
    for (const words of [['.'], ['walk', 'idle'], ['walk/hp.anm'], ['./walk/../walk/hp.anm'], ['idle//hp.anm']]) {
      const json = run(folder, 'convert', ...words, '--to', 'json', '-o', '-');
      const scene = own.scene(words);
      assert.ok(json.bytes.equals(scene.json()), words.join(' '));
      scene.free();
    }
    own.free();
  });
});

test('paths are found in every way of writing, replaced and removed', () => {
  const own = ossa.workspace();
  const one = Uint8Array.of(1);
  const two = Uint8Array.of(2, 2);
  own.add('a/b.bin', one);
  own.add('/a//./c/../b.bin', two);
  own.add('a/z.bin', one);
  assert.deepEqual(own.paths(), ['a/b.bin', 'a/z.bin']);
  assert.deepEqual(own.bytes('./a/b.bin'), two);
  assert.ok(own.has('/a/b.bin') && !own.has('a') && !own.has('b.bin'));
  own.remove('a/b.bin');
  own.remove('a/b.bin');
  assert.deepEqual(own.paths(), ['a/z.bin']);
  assert.equal(failureOf(() => own.bytes('a/b.bin')).code, 'io');
  own.add('empty', new Uint8Array(0));
  assert.equal(own.bytes('empty').length, 0);
  own.free();
});

test('options that mean nothing are refused', () => {
  for (const options of [
    { fps: 0 }, { fps: NaN }, { scale: -1 }, { complexion: [0, 2, 0] }, { complexion: [0] },
    { euler: 'yxz' }, { missing: 'x' }, { morph: 'x' }, { resample: 1.5 }, { resample: 1001 },
  ]) {
    assert.throws(() => files.scene(['troll'], options), RangeError);
  }
});

test('chosen clips are those in the file', () => {
  const scene = files.scene(['troll']);
  const walk = scene.clips.findIndex(({ name }) => name === 'walk');
  const glb = convert({ words: ['troll'], flags: ['--clip', 'walk'] }, 'glb');
  assert.ok(glb.bytes.equals(scene.glb({ clips: [walk] })));
  assert.throws(() => scene.glb({ clips: [3] }), RangeError);
  scene.free();
});

test('a motion or table of a clip that is not there is refused', () => {
  const scene = files.scene(['troll']);
  assert.throws(() => scene.bvh({ clip: scene.clips.length }), RangeError);
  assert.throws(() => scene.csv({ clip: -1 }), RangeError);
  assert.throws(() => scene.csv({ space: 'world' }), RangeError);
  scene.free();
  assert.throws(() => scene.bvh({ clip: 0 }), /freed/);
  const rest = files.scene(['troll/bon', 'troll/troll.lnk']);
  assert.equal(rest.clips.length, 0);
  assert.throws(() => rest.bvh(), RangeError);
  const camera = files.scene(['more/stage.anc']);
  const refused = convert({ words: ['more/stage.anc'] }, 'csv');
  assert.deepEqual(failureOf(() => camera.csv())?.messages, refused.complaints);
  camera.free();
  assert.equal(new TextDecoder().decode(rest.csv()).trim().split('\n').length, 1 + rest.bones.length);
  rest.free();
});

test('a folder of many files is added quickly', () => {
  const own = ossa.workspace();
  const started = performance.now();
  for (let i = 0; i < 20000; i++) own.add(`f/${(i * 7919) % 20000}.bin`, Uint8Array.of(i & 255));
  assert.equal(own.paths().length, 20000);
  assert.ok(performance.now() - started < 5000);
  own.free();
});
