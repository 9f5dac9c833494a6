// SPDX-License-Identifier: MIT
//
// Ossa in JavaScript: see ossa.d.ts for what there is, and docs/javascript.md for how to use it.
//
// The module (web/wasm/) does the work. Its calls leave results in its memory: small ones as JSON,
// large arrays as addresses, which become views here. Memory that grows is a new buffer, and a view
// of the old one is empty then: so views are made when they are asked for.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const MOST_BYTES = 0x7fffffff; // of a file: the module's memory has no more

const WRAPS = ['clamp', 'loop', 'ping-pong'];
const EULERS = ['xyz', 'zyx'];
const MISSINGS = ['identity', 'hold'];
const MORPHS = ['all', 'clip', 'none'];

export class OssaError extends Error {
  constructor(message, details = {}) {
    super(message);
    this.name = 'OssaError';
    this.code = details.code ?? 'bad-argument';
    this.format = details.format ?? null;
    this.offset = details.offset ?? null;
    this.field = details.field ?? '';
    this.issues = details.issues ?? [];
    this.messages = details.messages ?? [message];
  }
}

// ---- calling the module -----------------------------------------------------------------------

/** A started module. Everything goes through here, so that its end is noticed. */
class Engine {
  constructor(instance) {
    this.exports = instance.exports;
    this.memory = instance.exports.memory;
    this.crash = null;
    this.bytesView = null;
    this.formats = null;
    this.call('_initialize');
  }

  /** Call an export. What ends the module, a bug in it or a stack that is full, ends it for good:
   * nobody knows in which state its memory is. A value that is no number does not get that far. */
  call(name, ...values) {
    if (this.crash !== null) throw this.gone();
    try {
      return this.exports[name](...values);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      this.crash = error;
      throw this.gone();
    }
  }

  gone() {
    const message = `the module has crashed (${this.crash.message}); load a new one`;
    return new OssaError(message, { code: 'crashed' });
  }

  /** The memory as bytes; good until the next call. */
  get bytes() {
    if (this.bytesView === null || this.bytesView.buffer !== this.memory.buffer) {
      this.bytesView = new Uint8Array(this.memory.buffer);
    }
    return this.bytesView;
  }

  view(Type, address, count) {
    return new Type(this.memory.buffer, address, count);
  }

  // The results of the last call: 0 what it gives, 1 what it printed, 2 what it complained of.
  resultBytes(index = 0) {
    const [address, size] = this.view(Uint32Array, this.call('places') + 8 * index, 2);
    return this.bytes.subarray(address, address + size);
  }

  resultText(index = 0) {
    return decoder.decode(this.resultBytes(index));
  }

  resultCopy() {
    return this.resultBytes().slice();
  }

  messages() {
    const lines = this.resultText(2).split('\n');
    lines.pop();
    return lines.map((line) => line.replace(/^ossa: /, ''));
  }

  /** The failure of the last call, to be thrown. */
  failure() {
    const messages = this.messages();
    if (this.call('error') === 0) return this.noMemory();
    return this.makeError(JSON.parse(this.resultText()), messages);
  }

  makeError(details, messages) {
    const { line, message, ...rest } = details;
    return new OssaError(messages[line] ?? message, { ...rest, messages });
  }

  noMemory() {
    return new OssaError('the module has no memory left', { code: 'out-of-memory' });
  }

  /** A call that gives 0 when it fails. Then `read` gets its result, which is gone afterwards. */
  ask(name, values, read = () => undefined) {
    try {
      const given = this.call(name, ...values);
      if (given === 0) throw this.failure();
      return read(given);
    } finally {
      if (this.crash === null) this.call('end');
    }
  }

  askJson(name, ...values) {
    return this.ask(name, values, () => JSON.parse(this.resultText()));
  }

  /** Put bytes into memory for the time of a call. */
  withBytes(bytes, use) {
    if (bytes === null) return use(0);
    const address = this.call('allocate', bytes.length);
    if (address === 0) throw this.noMemory();
    try {
      this.bytes.set(bytes, address);
      return use(address);
    } finally {
      if (this.crash === null) this.call('release', address);
    }
  }

  withText(text, use) {
    return this.withBytes(text === null ? null : encodeText(text), use);
  }

  /** The texts of `read` options, and the number for `strict`. */
  withOptions(options, use) {
    const format = options.format ?? null;
    const dialect = options.dialect ?? null;
    return this.withText(format, (f) =>
      this.withText(dialect, (d) => use(f, d, options.strict ? 1 : 0)));
  }

  findFormat(id) {
    this.formats ??= readFormats(this);
    return this.formats.find((format) => format.id === id);
  }
}

function encodeText(text) {
  if (typeof text !== 'string') throw new TypeError(`expected a text, not ${typeof text}`);
  if (text.includes('\0')) throw new TypeError('there is a NUL in the text');
  return encoder.encode(`${text}\0`);
}

function readFormats(engine) {
  const formats = engine.askJson('formats');
  for (const format of formats) format.extensions = format.extensions.split(' ').filter(Boolean);
  return formats;
}

function toBytes(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('expected bytes: a Uint8Array');
}

function indexOfWord(words, word, name) {
  const index = words.indexOf(word);
  if (index < 0) throw new RangeError(`${name} is ${words.join(', ')}, not ${word}`);
  return index;
}

function checkNumber(value, name, least, most) {
  if (!(value >= least && value <= most)) {
    throw new RangeError(`${name} is a number from ${least} to ${most}, not ${value}`);
  }
  return value;
}

function checkIndex(index, count, name) {
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    throw new RangeError(`there is no ${name} ${index}; there are ${count}`);
  }
  return index;
}

/** What the module calls them, and people. */
const KINDS = { disk: 'workspace', file: 'file', scene: 'scene', pose: 'pose' };

/** What has memory in the module, until it is freed. */
class Held {
  #engine;
  #address;
  #kind;

  constructor(engine, address, kind) {
    this.#engine = engine;
    this.#address = address;
    this.#kind = kind;
  }

  get engine() {
    return this.#engine;
  }

  get address() {
    if (this.#address === 0) throw new Error(`this ${KINDS[this.#kind]} has been freed`);
    return this.#address;
  }

  /** Twice is fine. */
  free() {
    const address = this.#address;
    this.#address = 0;
    if (address !== 0 && this.#engine.crash === null) {
      this.#engine.call(`${this.#kind}_free`, address);
    }
  }
}

// ---- files ------------------------------------------------------------------------------------

class File {
  #held;
  #about = null;

  constructor(held) {
    this.#held = held;
  }

  get #facts() {
    const { engine, address } = this.#held;
    this.#about ??= engine.askJson('file_about', address);
    return this.#about;
  }

  get format() {
    return this.#held.engine.findFormat(this.#facts.format);
  }

  get confidence() {
    return this.#facts.confidence;
  }

  get size() {
    return this.#facts.size;
  }

  get issues() {
    return this.#facts.issues;
  }

  get warningCount() {
    return this.#facts.warningCount;
  }

  get errorCount() {
    return this.#facts.errorCount;
  }

  info() {
    const { engine, address } = this.#held;
    return engine.ask('file_info', [address, 0], () => engine.resultText(1));
  }

  facts() {
    const { engine, address } = this.#held;
    return engine.ask('file_info', [address, 1], () => JSON.parse(engine.resultText(1)));
  }

  dump(pretty = false) {
    const { engine, address } = this.#held;
    return engine.ask('file_dump', [address, pretty ? 1 : 0], () => engine.resultText());
  }

  write() {
    const { engine, address } = this.#held;
    return engine.ask('file_write', [address], () => engine.resultCopy());
  }

  entries() {
    const { engine, address } = this.#held;
    return engine.askJson('file_entries', address);
  }

  entryBytes(index) {
    const { engine, address } = this.#held;
    if (!Number.isInteger(index) || index < 0) throw new RangeError(`there is no entry ${index}`);
    return engine.ask('file_entry_bytes', [address, index], () => engine.resultCopy());
  }

  free() {
    this.#held.free();
  }
}

// ---- workspaces -------------------------------------------------------------------------------

function readSceneOptions(options) {
  const complexion = options.complexion ?? [0, 0, 0];
  if (complexion.length !== 3) throw new RangeError('complexion is three numbers from 0 to 1');
  const resample = options.resample ?? 0;
  if (!Number.isInteger(resample)) throw new RangeError('resample is a whole number');
  return [
    options.fps === undefined ? 0 : checkNumber(options.fps, 'fps', 1e-3, 1e6),
    options.scale === undefined ? 0 : checkNumber(options.scale, 'scale', 1e-9, 1e9),
    ...Array.from(complexion, (part) => checkNumber(part, 'complexion', 0, 1)),
    indexOfWord(EULERS, options.euler ?? 'xyz', 'euler'),
    indexOfWord(MISSINGS, options.missing ?? 'identity', 'missing'),
    indexOfWord(MORPHS, options.morph ?? 'all', 'morph'),
    (options.inPlace ? 1 : 0) | (options.join ? 2 : 0) | (options.boxes ? 4 : 0),
    checkNumber(resample, 'resample', 0, 1000),
  ];
}

/** Whether a path leads below the folder of all; a part that is .. takes the one before it away. */
function isFilePath(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length > 0;
}

class Workspace {
  #held;

  constructor(engine) {
    this.#held = new Held(engine, engine.ask('disk_new', [], (address) => address), 'disk');
  }

  add(path, data) {
    const { engine, address } = this.#held;
    let bytes = toBytes(data);
    if (bytes.buffer === engine.memory.buffer) bytes = bytes.slice(); // it may move on the way
    engine.withText(path, (text) => {
      if (!isFilePath(path)) throw new TypeError(`'${path}' is not the path of a file`);
      if (bytes.length > MOST_BYTES) throw engine.noMemory();
      const place = engine.ask('bytes_new', [address, bytes.length], (given) => given);
      engine.bytes.set(bytes, place);
      engine.ask('disk_add', [address, text, place]);
    });
  }

  remove(path) {
    const { engine, address } = this.#held;
    engine.withText(path, (text) => engine.call('disk_remove', address, text));
  }

  paths() {
    const { engine, address } = this.#held;
    return engine.askJson('disk_paths', address);
  }

  has(path) {
    const { engine, address } = this.#held;
    return engine.withText(path, (text) => engine.call('disk_has', address, text) !== 0);
  }

  bytes(word) {
    const { engine, address } = this.#held;
    return engine.withText(word, (text) =>
      engine.ask('disk_bytes', [address, text], () => engine.resultCopy()));
  }

  open(word, options = {}) {
    const { engine, address } = this.#held;
    const file = engine.withText(word, (text) =>
      engine.withOptions(options, (format, dialect, strict) =>
        engine.ask('file_open', [address, text, format, dialect, strict], (given) => given)));
    return new File(new Held(engine, file, 'file'));
  }

  probe(word) {
    const { engine, address } = this.#held;
    return engine.withText(word, (text) => engine.askJson('disk_probe', address, text));
  }

  entries(word) {
    const { engine, address } = this.#held;
    return engine.withText(word, (text) => engine.askJson('disk_entries', address, text));
  }

  fields(word, options = {}) {
    const { engine, address } = this.#held;
    const from = options.from ?? 0;
    const to = Math.min(options.to ?? Infinity, Number.MAX_SAFE_INTEGER);
    const limit = Math.min(options.limit ?? Infinity, 0xffffffff);
    const read = () => {
      const messages = engine.messages();
      const { fields, total, error } = JSON.parse(engine.resultText());
      return {
        fields: fields.map(([offset, size, type, path, value]) => ({ offset, size, type, path, value })),
        total,
        error: error === null ? null : engine.makeError(error, messages),
      };
    };
    return engine.withText(word, (text) =>
      engine.withOptions(options, (format, dialect, strict) =>
        engine.ask('disk_fields', [address, text, format, dialect, strict, from, to, limit], read)));
  }

  models(word) {
    const { engine, address } = this.#held;
    const models = engine.withText(word, (text) => engine.askJson('disk_models', address, text));
    return models.map(({ model, parts, meshes, clips }) => ({
      name: model,
      parts,
      meshes,
      clips: clips.map(({ clip, frames }) => ({ name: clip, frames })),
    }));
  }

  scene(words, options = {}) {
    const { engine, address } = this.#held;
    const list = [...words];
    const values = readSceneOptions(options);
    let messages;
    const read = (given) => {
      messages = engine.messages();
      return given;
    };
    const texts = list.map(encodeText);
    const together = new Uint8Array(texts.reduce((size, text) => size + text.length, 0));
    let used = 0;
    for (const text of texts) {
      together.set(text, used);
      used += text.length;
    }
    const scene = engine.withBytes(together, (text) =>
      engine.ask('scene_new', [address, text, list.length, ...values], read));
    const held = new Held(engine, scene, 'scene');
    try {
      return new Scene(held, messages);
    } catch (error) {
      held.free(); // there was no memory to tell of it
      throw error;
    }
  }

  free() {
    this.#held.free();
  }
}

// ---- scenes -----------------------------------------------------------------------------------

/** Views of the arrays of a mesh, made when they are asked for. */
class Mesh {
  #held;
  #about;

  constructor(held, about) {
    const { name, bone, kind, vertexCount, material, targetCount } = about;
    this.#held = held;
    this.#about = about;
    Object.assign(this, { name, bone, kind, vertexCount, material, targetCount });
  }

  #array(Type, key, count) {
    const { engine, address } = this.#held; // throws if it has been freed
    const place = this.#about[key];
    return place === 0 || address === 0 ? null : engine.view(Type, place, count);
  }

  get positions() {
    return this.#array(Float32Array, 'positions', 3 * this.vertexCount) ?? new Float32Array(0);
  }

  get normals() {
    return this.#array(Float32Array, 'normals', 3 * this.vertexCount);
  }

  get colours() {
    return this.#array(Uint8Array, 'colours', 4 * this.vertexCount);
  }

  get texcoords() {
    return this.#array(Float32Array, 'texcoords', 2 * this.vertexCount);
  }

  get vertexBones() {
    return this.#array(Uint32Array, 'vertexBones', this.vertexCount);
  }

  get indices() {
    return this.#array(Uint32Array, 'indices', this.#about.indexCount) ?? new Uint32Array(0);
  }

  get targets() {
    return this.#array(Float32Array, 'targets', 3 * this.vertexCount * this.targetCount);
  }
}

class Texture {
  #held;
  #place;

  constructor(held, { name, width, height, pixels }) {
    this.#held = held;
    this.#place = pixels;
    Object.assign(this, { name, width, height });
  }

  get pixels() {
    const { engine, address } = this.#held;
    return engine.view(Uint8Array, address === 0 ? 0 : this.#place, 4 * this.width * this.height);
  }
}

class Scene {
  #held;

  constructor(held, messages) {
    const { engine, address } = held;
    this.#held = held;
    const about = engine.askJson('scene_about', address);
    this.name = about.name;
    this.game = about.game;
    this.bones = about.bones.map(({ name, parent, rest }) =>
      ({ name, parent, rest: engine.view(Float32Array, rest, 10).slice() }));
    this.clips = about.clips.map((clip) => {
      const [fps] = engine.view(Float64Array, clip.fps, 1);
      return { ...clip, fps };
    });
    this.meshes = about.meshes.map((mesh) => new Mesh(held, mesh));
    this.materials = about.materials;
    this.textures = about.textures.map((texture) => new Texture(held, texture));
    this.cameras = about.cameras;
    this.issues = about.issues;
    this.messages = messages;
  }

  pose() {
    return new Pose(this.#held, this);
  }

  curves(clip, bone) {
    const { engine, address } = this.#held;
    const frames = this.clips[checkIndex(clip, this.clips.length, 'clip')].frameCount;
    checkIndex(bone, this.bones.length, 'bone');
    return engine.ask('scene_curves', [address, clip, bone], () => {
      const start = engine.resultBytes().byteOffset;
      return {
        rotation: engine.view(Float32Array, start, 4 * frames).slice(),
        translation: engine.view(Float32Array, start + 16 * frames, 3 * frames).slice(),
        scale: engine.view(Float32Array, start + 28 * frames, 3 * frames).slice(),
        visible: engine.view(Uint8Array, start + 40 * frames, frames).slice(),
      };
    });
  }

  rotationStep(clip, bone) {
    const { engine, address } = this.#held;
    checkIndex(clip, this.clips.length, 'clip');
    checkIndex(bone, this.bones.length, 'bone');
    const step = engine.call('scene_step', address, clip, bone);
    return step < 0 ? null : step;
  }

  glb(options = {}) {
    const { engine, address } = this.#held;
    let flags = null;
    if (options.clips !== undefined) {
      flags = new Uint8Array(this.clips.length + 1);
      for (const clip of options.clips) flags[checkIndex(clip, this.clips.length, 'clip')] = 1;
    }
    const read = () => {
      // What glTF cannot hold is told of once, however often it is made.
      for (const line of engine.messages()) {
        if (!this.messages.includes(line)) this.messages.push(line);
      }
      return engine.resultCopy();
    };
    return engine.withBytes(flags, (place) =>
      engine.ask('scene_glb', [address, place, options.skin ? 1 : 0], read));
  }

  json() {
    const { engine, address } = this.#held;
    return engine.ask('scene_json', [address], () => engine.resultCopy());
  }

  free() {
    this.#held.free();
  }
}

// ---- poses ------------------------------------------------------------------------------------

class Pose {
  #held;
  #owner; // the memory of the scene, which it reads
  #scene;
  #places;
  #views = {};

  constructor(owner, scene) {
    const { engine, address } = owner;
    const pose = engine.ask('pose_new', [address], (given) => given);
    this.#held = new Held(engine, pose, 'pose');
    this.#owner = owner;
    this.#scene = scene;
    const [locals, models, matrices, visible, weights] = engine.view(Uint32Array, pose, 5);
    this.#places = { locals, models, matrices, visible, weights };
  }

  get #address() {
    return this.#owner.address === 0 ? 0 : this.#held.address; // both throw if they are freed
  }

  #checkClip(clip) {
    if (clip !== -1) checkIndex(clip, this.#scene.clips.length, 'clip');
  }

  sample(clip, seconds, wrap = 'clamp') {
    const mode = indexOfWord(WRAPS, wrap, 'wrap');
    this.#checkClip(clip);
    this.#held.engine.call('pose_sample', this.#address, clip, seconds, mode);
  }

  sampleFrame(clip, frame) {
    if (!(frame >= 0)) throw new RangeError(`there is no frame ${frame}`);
    this.#checkClip(clip);
    const number = Math.min(Math.floor(Number(frame)), 0xffffffff);
    this.#held.engine.call('pose_frame', this.#address, clip, number);
  }

  stayInPlace() {
    this.#held.engine.call('pose_stay', this.#address);
  }

  #array(Type, key, count) {
    const { engine } = this.#held;
    const address = this.#address; // throws if it has been freed
    const known = this.#views[key];
    if (address !== 0 && known?.buffer === engine.memory.buffer) return known;
    this.#views[key] = engine.view(Type, this.#places[key], count);
    return this.#views[key];
  }

  get locals() {
    return this.#array(Float32Array, 'locals', 10 * this.#scene.bones.length);
  }

  get models() {
    return this.#array(Float32Array, 'models', 10 * this.#scene.bones.length);
  }

  get matrices() {
    return this.#array(Float32Array, 'matrices', 16 * this.#scene.bones.length);
  }

  get visible() {
    return this.#array(Uint8Array, 'visible', this.#scene.bones.length);
  }

  morphWeights(mesh) {
    checkIndex(mesh, this.#scene.meshes.length, 'mesh');
    this.#held.engine.call('pose_weights', this.#address, mesh);
    const count = this.#scene.meshes[mesh].targetCount;
    return this.#held.engine.view(Float32Array, this.#places.weights, count).slice();
  }

  camera(index, seconds, wrap = 'clamp') {
    const { engine } = this.#held;
    const mode = indexOfWord(WRAPS, wrap, 'wrap');
    checkIndex(index, this.#scene.cameras.length, 'camera');
    const place = engine.call('pose_camera', this.#address, index, seconds, mode);
    const numbers = engine.view(Float32Array, place, 11);
    return {
      translation: numbers.slice(0, 3),
      rotation: numbers.slice(3, 7),
      fieldOfView: numbers[10],
    };
  }

  free() {
    this.#held.free();
  }
}

// ---- the library ------------------------------------------------------------------------------

class Ossa {
  #engine;

  constructor(engine) {
    this.#engine = engine;
    this.version = engine.askJson('version');
  }

  formats() {
    return readFormats(this.#engine);
  }

  workspace() {
    return new Workspace(this.#engine);
  }

  open(bytes, name = 'file', options = {}) {
    const files = this.workspace();
    try {
      files.add(name, bytes);
      return files.open(name, options); // it keeps the bytes
    } finally {
      files.free();
    }
  }
}

/** The bytes of a module, from where they are: in Node a file is not fetched but read. */
async function readModule(place) {
  const url = place instanceof URL ? place : new URL(place, import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node !== undefined) {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

export async function load(wasm = new URL('ossa.wasm', import.meta.url)) {
  const isPlace = typeof wasm === 'string' || wasm instanceof URL;
  const code = isPlace ? await readModule(wasm) : wasm;
  const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
  return new Ossa(new Engine(await WebAssembly.instantiate(module, {})));
}
