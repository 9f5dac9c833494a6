// SPDX-License-Identifier: MIT
//
// Ossa in JavaScript: see ossa.d.ts for what there is, and docs/javascript.md for how to use it.
//
// The module (web/wasm/) does the work. Its calls leave results in its memory: small ones as JSON,
// arrays and exact numbers as addresses, which become views here. When the memory grows, its buffer
// is replaced and views of the old one become empty. So views are made on demand.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const MOST_BYTES = 0x7fffffff; // of a file: the module's memory has no more
const PART = 4 << 20; // bytes of a Blob that are read at a time

const WRAPS = ['clamp', 'loop', 'ping-pong'];
const ENTERS = [false, 'searched', true];
const SPACES = ['model', 'local'];
const CHANNELS = ['rotation', 'translation', 'scale', 'visible'];
const DETAILS = { names: 0, formats: 1, files: 3 }; // as ossa_detail; bytes are not visited here

export class OssaError extends Error {
  constructor(message, details = {}) {
    super(message);
    this.name = 'OssaError';
    this.code = details.code ?? 'bad-argument';
    this.path = details.path ?? '';
    this.format = details.format ?? null;
    this.offset = details.offset ?? null;
    this.field = details.field ?? '';
    this.issues = details.issues ?? [];
    this.messages = details.messages ?? [message];
  }
}

// ---- calling the module -----------------------------------------------------------------------

/** Files whose bytes stay here: what the module calls while it runs. Nothing is thrown through it;
 * what goes wrong is kept for the error of the call. */
class Sources {
  #engine = null;
  #workspaces = new Map(); // by number: its sources by path
  #opened = new Map(); // by number; a file may be open after its workspace was freed
  #last = 0;
  isReading = false;
  failure = null;

  imports = {
    ossa: {
      source_list: (workspace, folder) => this.#list(workspace, folder),
      source_open: (workspace, path) => this.#open(workspace, path),
      source_size: (file) => this.#opened.get(file).size,
      source_read: (file, offset, place, size) => this.#read(file, offset, place >>> 0, size >>> 0),
      source_close: (file) => void this.#opened.delete(file),
    },
  };

  start(engine) {
    this.#engine = engine;
  }

  addWorkspace() {
    this.#workspaces.set(++this.#last, new Map());
    return this.#last;
  }

  removeWorkspace(workspace) {
    this.#workspaces.delete(workspace);
  }

  of(workspace) {
    return this.#workspaces.get(workspace);
  }

  #pathAt(address) {
    const { bytes } = this.#engine;
    return plainPath(decoder.decode(bytes.subarray(address, bytes.indexOf(0, address))));
  }

  #list(workspace, folder) {
    const start = this.#pathAt(folder >>> 0);
    const above = start === '' ? '' : `${start}/`;
    const names = [...this.#workspaces.get(workspace)?.keys() ?? []]
      .filter((path) => path.startsWith(above))
      .map((path) => path.slice(above.length).replace(/\/.*$/s, '/'));
    if (names.length === 0) return 0;
    const list = encodeTexts([...new Set(names), '']);
    const place = this.#engine.exports.allocate(list.length);
    if (place !== 0) this.#engine.bytes.set(list, place >>> 0);
    return place;
  }

  #open(workspace, path) {
    const source = this.#workspaces.get(workspace)?.get(this.#pathAt(path >>> 0));
    if (source === undefined) return 0;
    this.#opened.set(++this.#last, source);
    return this.#last;
  }

  #read(file, offset, place, size) {
    this.isReading = true;
    try {
      const bytes = toBytes(this.#opened.get(file).readAt(offset, size));
      if (bytes.length !== size) {
        throw new RangeError(`readAt(${offset}, ${size}) returned ${bytes.length} bytes`);
      }
      this.#engine.bytes.set(bytes, place);
      return 1;
    } catch (error) {
      this.failure = error;
      return 0;
    } finally {
      this.isReading = false;
    }
  }
}

/** A started module. Everything goes through here, so that its end is noticed. */
class Engine {
  constructor(instance, sources) {
    this.exports = instance.exports;
    this.sources = sources;
    sources.start(this);
    this.memory = instance.exports.memory;
    this.crash = null;
    this.bytesView = null;
    this.formats = null;
    this.call('_initialize');
  }

  /** Call an export. Arguments become numbers first; objects are refused, because their `valueOf` may
   * throw, or free what the call is about to use. An error inside the module, such as a full stack,
   * ends it for good: the state of its memory is unknown. */
  call(name, ...values) {
    if (this.crash !== null) throw this.gone();
    if (this.sources.isReading) throw new Error('readAt must not use the module that calls it');
    if (values.some((value) => value instanceof Object)) throw new TypeError('expected a number, not an object');
    const numbers = values.map((value) => +value);
    try {
      return this.exports[name](...numbers);
    } catch (error) {
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

  // The outputs of the last call: 0 its result, 1 the issues that it met.
  output(index) {
    const [address, size] = this.view(Uint32Array, this.call('outputs') + 8 * index, 2);
    return this.bytes.subarray(address, address + size);
  }

  resultText() {
    return decoder.decode(this.output(0));
  }

  resultCopy() {
    return this.output(0).slice();
  }

  issues() {
    return JSON.parse(`[${decoder.decode(this.output(1))}]`);
  }

  /** The failure of the last call, to be thrown. */
  failure() {
    const issues = this.issues();
    if (this.call('error') === 0) return this.noMemory();
    const error = makeError(JSON.parse(this.resultText()), issues);
    if (this.sources.failure !== null) error.cause = this.sources.failure;
    return error;
  }

  noMemory() {
    return new OssaError('the module has no memory left', { code: 'out-of-memory' });
  }

  /** A call that gives 0 when it fails. Then `read` gets its result, which is gone afterwards.
   * @param {string} name @param {any[]} values @param {(given: any) => any} [read] */
  ask(name, values, read = () => undefined) {
    this.sources.failure = null;
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

/** An issue on one line. */
function lineOf({ severity, path, text }) {
  const words = severity === 'warning' || severity === 'error' ? `${severity}: ${text}` : text;
  return path === '' ? words : `${path}: ${words}`;
}

function makeError({ text, ...details }, issues = []) {
  const message = details.path === '' ? text : `${details.path}: ${text}`;
  const messages = issues.map(lineOf);
  if (!messages.includes(message)) messages.push(message);
  return new OssaError(message, { ...details, issues, messages });
}

function encodeText(text) {
  if (typeof text !== 'string') throw new TypeError(`expected a text, not ${typeof text}`);
  if (text.includes('\0')) throw new TypeError('there is a NUL in the text');
  return encoder.encode(`${text}\0`);
}

/** Texts one after another, each with its NUL. */
function encodeTexts(texts) {
  const parts = texts.map(encodeText);
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let used = 0;
  for (const part of parts) {
    bytes.set(part, used);
    used += part.length;
  }
  return bytes;
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

/** Memory of the module, until it is freed. `kind` is "workspace", "file", "scene" or "pose". */
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
    if (this.#address === 0) throw new Error(`this ${this.#kind} has been freed`);
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
  #path;
  #known = null;

  constructor(held, path) {
    this.#held = held;
    this.#path = path;
  }

  get #about() {
    const { engine, address } = this.#held;
    this.#known ??= engine.askJson('file_about', address);
    return this.#known;
  }

  get format() {
    return this.#held.engine.findFormat(this.#about.format);
  }

  get confidence() {
    return this.#about.confidence;
  }

  get size() {
    return this.#about.size;
  }

  get issues() {
    return this.#about.issues;
  }

  get warningCount() {
    return this.#about.warningCount;
  }

  get errorCount() {
    return this.#about.errorCount;
  }

  facts() {
    const { engine, address } = this.#held;
    const { id, title, game, kind } = this.format;
    const { confidence, size, errorCount, warningCount } = this.#about;
    return {
      ossa: 1,
      file: this.#path,
      format: id,
      title,
      game,
      kind,
      confidence,
      size,
      errors: errorCount,
      warnings: warningCount,
      facts: engine.askJson('file_facts', address),
    };
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

// The words of the options that are choices; the first is the default.
const CHOICES = {
  morph: ['all', 'clip', 'none'],
  root: ['b+t', 't', 'b'],
  look: ['game', 'y', 'z', 'up'],
  euler: ['xyz', 'zyx'],
  missing: ['identity', 'hold'],
  twist: ['degree', 'turn', 'none'],
  view: ['turn', 'distance', 'degree'],
  sides: ['low', 'high'],
  palette: ['smooth', 'plain', 'csm1'],
};

/** The numbers of all options but `parts`, in the order of the module. */
function readSceneOptions(options) {
  const complexion = options.complexion ?? [0, 0, 0];
  if (complexion.length !== 3) throw new RangeError('complexion is three numbers from 0 to 1');
  const resample = options.resample ?? 0;
  if (!Number.isInteger(resample)) throw new RangeError('resample is a whole number');
  const choice = (name) => indexOfWord(CHOICES[name], options[name] ?? CHOICES[name][0], name);
  return Float64Array.of(
    options.fps === undefined ? 0 : checkNumber(options.fps, 'fps', 1e-3, 1e6),
    options.scale === undefined ? 0 : checkNumber(options.scale, 'scale', 1e-9, 1e9),
    ...['inPlace', 'join', 'boxes', 'traceKeys'].map((name) => (options[name] ? 1 : 0)),
    ...Array.from(complexion, (part) => checkNumber(part, 'complexion', 0, 1)),
    choice('morph'),
    checkNumber(resample, 'resample', 0, 1000),
    ...['root', 'look', 'euler', 'missing', 'twist', 'view', 'sides', 'palette'].map(choice),
    options.unlit ? 1 : 0,
  );
}

/** A path without ., .. and needless slashes; '' if it does not lead to a file. */
function plainPath(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A path that a walk from `.` has found, as it was added: sources are below `.` there. */
function asAdded(path) {
  return path.replace(/^(\.\/+)+/, '');
}

/** The order in which folders are gone through: / comes before all other characters. */
function comparePaths(a, b) {
  const [x, y] = [a, b].map((path) => path.replaceAll('/', '\0'));
  return x < y ? -1 : Number(x > y);
}

class Workspace {
  #held;
  #number; // among those that have sources
  #paths = new Set();

  constructor(engine) {
    this.#number = engine.sources.addWorkspace();
    const address = engine.ask('workspace_new', [this.#number], (given) => given);
    this.#held = new Held(engine, address, 'workspace');
  }

  add(path, data) {
    const { engine } = this.#held;
    let bytes = toBytes(data);
    if (bytes.buffer === engine.memory.buffer) bytes = bytes.slice(); // allocating may move it
    const plain = this.#checkPath(path);
    const place = this.#allocate(bytes.length);
    engine.bytes.set(bytes, place);
    this.#adopt(plain, place, bytes.length);
  }

  /** @param {string} path @param {Blob} blob
   * @param {{ signal?: AbortSignal, onProgress?: (done: number, total: number) => void }} [options] */
  async addBlob(path, blob, { signal, onProgress } = {}) {
    const { engine } = this.#held;
    const plain = this.#checkPath(path);
    const { size } = blob;
    signal?.throwIfAborted();
    const place = this.#allocate(size);
    try {
      for (let done = 0; done < size; done += PART) {
        onProgress?.(done, size);
        const part = new Uint8Array(await blob.slice(done, done + PART).arrayBuffer());
        signal?.throwIfAborted();
        if (engine.crash !== null) throw engine.gone();
        engine.bytes.set(part, place + done);
      }
      onProgress?.(size, size);
      void this.#held.address; // throws if the workspace was freed meanwhile
    } catch (error) {
      if (engine.crash === null) engine.call('release', place);
      throw error;
    }
    this.#adopt(plain, place, size);
  }

  addSource(path, source) {
    const { size, readAt } = source;
    const { engine, address } = this.#held;
    const plain = this.#checkPath(path);
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is not a size`);
    if (typeof readAt !== 'function') throw new TypeError('readAt is not a function');
    engine.withText(plain, (text) => engine.ask('workspace_add', [address, text]));
    engine.sources.of(this.#number).set(plain, source);
    this.#paths.add(plain);
  }

  #checkPath(path) {
    encodeText(path); // throws if it is not a text
    const plain = plainPath(path);
    if (plain === '') throw new TypeError(`'${path}' is not the path of a file`);
    return plain;
  }

  #allocate(size) {
    const { engine, address } = this.#held;
    const place = address === 0 || size > MOST_BYTES ? 0 : engine.call('allocate', size);
    if (place === 0) throw engine.noMemory();
    return place;
  }

  /** Allocated bytes become a file: from now on they are the workspace's. */
  #adopt(plain, place, size) {
    const { engine, address } = this.#held;
    try {
      engine.withText(plain, (text) =>
        engine.ask('workspace_adopt', [address, text, place, size]));
    } catch (error) {
      if (engine.crash === null) engine.call('release', place);
      throw error;
    }
    engine.sources.of(this.#number).delete(plain);
    this.#paths.add(plain);
  }

  remove(path) {
    const { engine, address } = this.#held;
    const plain = plainPath(path);
    engine.withText(plain, (text) => engine.call('workspace_remove', address, text));
    engine.sources.of(this.#number).delete(plain);
    this.#paths.delete(plain);
  }

  paths() {
    return this.#held.address === 0 ? [] : [...this.#paths].sort(comparePaths);
  }

  has(path) {
    return this.#held.address !== 0 && this.#paths.has(plainPath(path));
  }

  bytes(word) {
    const { engine, address } = this.#held;
    return engine.withText(word, (text) =>
      engine.ask('workspace_bytes', [address, text], () => engine.resultCopy()));
  }

  open(word, options = {}) {
    const { engine, address } = this.#held;
    const file = engine.withText(word, (text) =>
      engine.withOptions(options, (format, dialect, strict) =>
        engine.ask('file_open', [address, text, format, dialect, strict], (given) => given)));
    return new File(new Held(engine, file, 'file'), word);
  }

  walk(path, options = {}) {
    const { engine, address } = this.#held;
    const detail = DETAILS[options.detail ?? 'formats'];
    if (detail === undefined) {
      throw new RangeError(`detail is ${Object.keys(DETAILS).join(', ')}, not ${options.detail}`);
    }
    const enter = indexOfWord(ENTERS, options.enter ?? true, 'enter');
    const flags = [options.deep, options.search].map((flag) => (flag ? 1 : 0));
    const visits = engine.withText(path, (text) =>
      engine.askJson('workspace_walk', address, text, detail, enter, ...flags));
    for (const visit of visits) {
      if (visit.error !== null) visit.error = makeError({ ...visit.error, path: asAdded(visit.error.path) });
      if (visit.depth === 0) visit.name = asAdded(visit.name);
      visit.path = asAdded(visit.path);
    }
    return visits;
  }

  entries(word) {
    const visits = this.walk(word, { detail: 'formats', search: true });
    const named = visits.filter(({ isNamed }) => isNamed);
    for (const { error } of named) if (error !== null) throw error;
    if (!named.some(({ isArchive }) => isArchive)) throw this.#notAnArchive(word, named[0]);
    return visits.filter(({ isNamed }) => !isNamed)
      .map(({ name, ownName, offset, size, storedSize, isPacked, isMissing, time, format }) =>
        ({ name, ownName, offset, size, storedSize, isPacked, isMissing, time, format }));
  }

  #notAnArchive(path, visit) {
    const { engine } = this.#held;
    const format = visit?.format ?? null;
    const what = visit === undefined ? 'folder'
      : engine.findFormat(format)?.title ?? 'unknown format';
    return makeError({ code: 'not-an-archive', path, format, text: `is not an archive (${what})` });
  }

  fields(word, options = {}) {
    const { engine, address } = this.#held;
    const from = options.from ?? 0;
    const to = Math.min(options.to ?? Infinity, Number.MAX_SAFE_INTEGER);
    const limit = Math.min(options.limit ?? Infinity, 0xffffffff);
    const read = () => {
      const { fields, total, error } = JSON.parse(engine.resultText());
      return {
        fields: fields.map(([offset, size, type, path, value]) => ({ offset, size, type, path, value })),
        total,
        error: error === null ? null : makeError(error, engine.issues()),
      };
    };
    return engine.withText(word, (text) =>
      engine.withOptions(options, (format, dialect, strict) =>
        engine.ask('workspace_fields', [address, text, format, dialect, strict, from, to, limit], read)));
  }

  figures(path = null) {
    const { engine, address } = this.#held;
    const figures = engine.withText(path, (text) => engine.askJson('workspace_figures', address, text));
    for (const figure of figures) {
      figure.paths = figure.paths.map(asAdded);
      figure.files = figure.files.map(asAdded);
    }
    return figures;
  }

  survey(paths) {
    const { engine, address } = this.#held;
    const list = [...paths];
    return engine.withBytes(encodeTexts(list), (texts) =>
      engine.askJson('workspace_survey', address, texts, list.length));
  }

  scene(words, options = {}) {
    const { engine, address } = this.#held;
    const list = [...words];
    const values = readSceneOptions(options);
    const parts = [...options.parts ?? []];
    let issues;
    const read = (given) => {
      issues = engine.issues();
      return given;
    };
    const scene = engine.withBytes(encodeTexts(list), (texts) =>
      engine.withBytes(encodeTexts(parts), (patterns) =>
        engine.withBytes(new Uint8Array(values.buffer), (numbers) =>
          engine.ask('scene_new', [address, texts, list.length, numbers, patterns, parts.length],
            read))));
    const held = new Held(engine, scene, 'scene');
    try {
      return new Scene(held, issues);
    } catch (error) {
      held.free(); // there was no memory to describe it
      throw error;
    }
  }

  free() {
    this.#held.free();
    this.#held.engine.sources.removeWorkspace(this.#number);
  }
}

// ---- scenes -----------------------------------------------------------------------------------

/** Views of the arrays of a mesh, made when they are asked for. */
class Mesh {
  #held;
  #about;

  constructor(held, about) {
    this.#held = held;
    this.#about = about;
    this.name = about.name;
    this.bone = about.bone;
    this.kind = about.kind;
    this.vertexCount = about.vertexCount;
    this.material = about.material;
    this.targetCount = about.targetCount;
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

  get texcoords2() {
    return this.#array(Float32Array, 'texcoords2', 2 * this.vertexCount);
  }

  get vertexBones() {
    return this.#array(Uint32Array, 'vertexBones', this.vertexCount);
  }

  get joints() {
    return this.#array(Uint32Array, 'joints', 4 * this.vertexCount);
  }

  get weights() {
    return this.#array(Float32Array, 'weights', 4 * this.vertexCount);
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
    this.name = name;
    this.width = width;
    this.height = height;
  }

  get pixels() {
    const { engine, address } = this.#held;
    return engine.view(Uint8Array, address === 0 ? 0 : this.#place, 4 * this.width * this.height);
  }
}

/** What a scene has no member for, by its key: a text, a number or several. */
function readExtras(engine, extras) {
  return Object.fromEntries(extras.map(({ key, text, count, numbers }) => {
    const list = [...engine.view(Float64Array, numbers, count)];
    return [key, text ?? (count === 1 ? list[0] : list)];
  }));
}

/** Keys of some bones or meshes, as plain copies. */
function readTracks(engine, { count, of, keys }, Type, width, frameCount) {
  return {
    of: engine.view(Uint32Array, of, count).slice(),
    width,
    keys: engine.view(Type, keys, frameCount * count * width).slice(),
  };
}

/** An option as the library describes it, under the name that it has in SceneOptions. */
function readOption(engine, { name, kind, text, words, least, most, initial, isWhole, isOpen }) {
  const number = (place) => engine.view(Float64Array, place, 1)[0];
  const isNumeric = kind === 'number' || kind === 'vector';
  const standard = {
    flag: () => false,
    number: () => (number(initial) === 0 ? null : number(initial)),
    choice: () => words[0].value,
    vector: () => words.map(() => number(initial)),
  };
  return {
    name: name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()),
    kind,
    text,
    values: words,
    min: isNumeric ? number(least) : null,
    max: isNumeric ? number(most) : null,
    default: standard[kind](),
    isWhole,
    isOpen,
  };
}

class Scene {
  #held;
  #cameraPlaces; // by camera: the addresses of its keys
  #steps; // by clip: the address of its rotation steps; 0: it stores floats
  #inverseBinds = null;

  constructor(held, fileIssues) {
    const { engine, address } = held;
    this.#held = held;
    const about = engine.askJson('scene_about', address);
    this.name = about.name;
    this.game = about.game;
    this.viewpoint = [...engine.view(Float32Array, about.viewpoint, 3)];
    this.bones = about.bones.map(({ name, parent, rest }) =>
      ({ name, parent, rest: engine.view(Float32Array, rest, 10).slice() }));
    const indices = new Map(about.clips.map(({ name }, index) => [name, index]));
    this.clips = about.clips.map(({ rotationSteps, ...clip }) => ({
      ...clip,
      next: clip.next === null ? -1 : indices.get(clip.next),
      fps: engine.view(Float64Array, clip.fps, 1)[0],
      velocity: [...engine.view(Float32Array, clip.velocity, 3)],
      travel: [...engine.view(Float32Array, clip.travel, 3)],
      extras: readExtras(engine, clip.extras),
    }));
    this.#steps = about.clips.map(({ rotationSteps }) => rotationSteps);
    this.meshes = about.meshes.map((mesh) => new Mesh(held, mesh));
    this.materials = about.materials.map((material) => ({
      ...material,
      colour: [...engine.view(Float32Array, material.colour, 4)],
      isClamped: [...engine.view(Uint8Array, material.isClamped, 2)].map(Boolean),
      alphaCutoff: engine.view(Float32Array, material.alphaCutoff, 1)[0],
    }));
    this.variants = about.variants.map(({ name, count, replacements }) => {
      const pairs = engine.view(Uint32Array, replacements, 2 * count);
      const pair = (_, index) => ({ material: pairs[2 * index], by: pairs[2 * index + 1] });
      return { name, replacements: Array.from({ length: count }, pair) };
    });
    this.textures = about.textures.map((texture) => new Texture(held, texture));
    this.#cameraPlaces = about.cameras;
    this.cameras = about.cameras.map(({ name, source, sourceFormat, keyCount, times, aspect }) => ({
      name,
      source,
      sourceFormat,
      keyCount,
      duration: engine.view(Float32Array, times, keyCount).at(-1) ?? 0,
      aspect: engine.view(Float32Array, aspect, 1)[0],
    }));
    this.options = about.options.map((option) => readOption(engine, option));
    this.issues = about.issues;
    this.fileIssues = fileIssues;
    this.messages = [...fileIssues, ...about.issues].map(lineOf);
  }

  pose() {
    return new Pose(this.#held, this);
  }

  curves(clip, bone) {
    const { engine, address } = this.#held;
    const frames = this.clips[checkIndex(clip, this.clips.length, 'clip')].frameCount;
    checkIndex(bone, this.bones.length, 'bone');
    return engine.ask('scene_curves', [address, clip, bone], () => {
      const start = engine.output(0).byteOffset;
      return {
        rotation: engine.view(Float32Array, start, 4 * frames).slice(),
        translation: engine.view(Float32Array, start + 16 * frames, 3 * frames).slice(),
        scale: engine.view(Float32Array, start + 28 * frames, 3 * frames).slice(),
        visible: engine.view(Uint8Array, start + 40 * frames, frames).slice(),
      };
    });
  }

  motion(clip) {
    const { engine, address } = this.#held;
    const { fps, frameCount } = this.clips[checkIndex(clip, this.clips.length, 'clip')];
    const about = engine.askJson('scene_motion', address, clip);
    const tracks = (key, Type, width) => readTracks(engine, about[key], Type, width, frameCount);
    const steps = this.#steps[clip];
    return {
      fps,
      frameCount,
      constant: engine.view(Float32Array, about.constant, 10 * this.bones.length).slice(),
      constantVisible: engine.view(Uint8Array, about.constantVisible, this.bones.length).slice(),
      rotations: tracks('rotations', Float32Array, 4),
      translations: tracks('translations', Float32Array, 3),
      scales: tracks('scales', Float32Array, 3),
      visibilities: tracks('visibilities', Uint8Array, 1),
      morphs: tracks('morphs', Int32Array, 1),
      rotationSteps: steps === 0 ? null : engine.view(Float32Array, steps, this.bones.length).slice(),
      ground: this.#ground(clip, frameCount),
    };
  }

  #ground(clip, frameCount) {
    const { engine, address } = this.#held;
    return engine.ask('scene_ground', [address, clip], () => {
      const numbers = new Float32Array(engine.resultCopy().buffer);
      const keys = numbers.slice(4);
      return { cycle: numbers.slice(0, 4), stride: keys.length === 4 * frameCount ? 4 : 0, keys };
    });
  }

  cameraKeys(index) {
    const { engine, address } = this.#held;
    checkIndex(index, this.cameras.length, 'camera');
    const { keyCount, times, positions, rotations, fieldsOfView } = this.#cameraPlaces[index];
    const copy = (place, width) =>
      engine.view(Float32Array, address === 0 ? 0 : place, width * keyCount).slice();
    return {
      times: copy(times, 1),
      translations: copy(positions, 3),
      rotations: copy(rotations, 4),
      fieldsOfView: copy(fieldsOfView, 1),
    };
  }

  keyBytes({ clip, bone, channel, frame }) {
    const { engine, address } = this.#held;
    const { frameCount } = this.clips[checkIndex(clip, this.clips.length, 'clip')];
    checkIndex(bone, this.bones.length, 'bone');
    checkIndex(frame, frameCount, 'frame');
    const which = indexOfWord(CHANNELS, channel, 'channel');
    const [value, scaling = null] = engine.askJson('scene_key_bytes', address, clip, bone, which, frame);
    return { ...value, scaling };
  }

  keysAt(path, offset) {
    const { engine, address } = this.#held;
    checkNumber(offset, 'offset', 0, Number.MAX_SAFE_INTEGER);
    return engine.withText(path, (text) => engine.askJson('scene_keys_at', address, text, offset));
  }

  rotationStep(clip, bone) {
    const { engine, address } = this.#held;
    checkIndex(clip, this.clips.length, 'clip');
    checkIndex(bone, this.bones.length, 'bone');
    if (this.#steps[clip] === 0 || address === 0) return 0;
    const [step] = engine.view(Float32Array, this.#steps[clip] + 4 * bone, 1);
    return step < 0 ? null : step;
  }

  get inverseBinds() {
    const { engine, address } = this.#held;
    this.#inverseBinds ??= engine.ask('scene_binds', [address], () =>
      new Float32Array(engine.resultCopy().buffer));
    return this.#inverseBinds;
  }

  skin(mesh, pose) {
    checkIndex(mesh, this.meshes.length, 'mesh');
    if (!(pose instanceof Pose)) throw new TypeError('expected a pose of this scene');
    return pose.skin(this, mesh);
  }

  /** A flag for each clip that is to be written; null: all of them. */
  #flags(clips) {
    if (clips === undefined) return null;
    const flags = new Uint8Array(this.clips.length + 1);
    for (const clip of clips) flags[checkIndex(clip, this.clips.length, 'clip')] = 1;
    return flags;
  }

  /** The bytes of a call that writes. What a format cannot hold is reported once, however often it
   * is written. */
  #write(name, ...values) {
    const { engine, address } = this.#held;
    return engine.ask(name, [address, ...values], () => {
      for (const { severity, message } of engine.issues()) {
        const line = `${severity}: ${message}`;
        if (!this.messages.includes(line)) this.messages.push(line);
      }
      return engine.resultCopy();
    });
  }

  glb(options = {}) {
    const variant = options.variant ?? -1;
    if (variant !== -1) checkIndex(variant, this.variants.length, 'variant');
    return this.#held.engine.withBytes(this.#flags(options.clips), (flags) =>
      this.#write('scene_glb', flags, options.skin ? 1 : 0, variant));
  }

  bvh({ clip = 0 } = {}) {
    return this.#write('scene_bvh', checkIndex(clip, this.clips.length, 'clip'));
  }

  csv({ clip = undefined, space = 'model' } = {}) {
    const clips = clip === undefined ? undefined : [clip];
    const mode = indexOfWord(SPACES, space, 'space');
    return this.#held.engine.withBytes(this.#flags(clips), (flags) =>
      this.#write('scene_csv', flags, mode));
  }

  json() {
    return this.#write('scene_json');
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

  /** For Scene.skin. */
  skin(scene, mesh) {
    if (scene !== this.#scene) throw new TypeError('expected a pose of this scene');
    const { engine } = this.#held;
    const numbers = engine.ask('pose_skin', [this.#address, mesh], () =>
      new Float32Array(engine.resultCopy().buffer));
    const { vertexCount, normals } = scene.meshes[mesh];
    return {
      positions: numbers.subarray(0, 3 * vertexCount),
      normals: normals === null ? null : numbers.subarray(3 * vertexCount),
    };
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
  const sources = new Sources();
  return new Ossa(new Engine(await WebAssembly.instantiate(module, sources.imports), sources));
}

export function sourceOfBlob(blob) {
  if (globalThis.FileReaderSync === undefined) {
    throw new TypeError('a Blob can be read in slices only by a worker');
  }
  const reader = new FileReaderSync();
  return {
    size: blob.size,
    readAt: (offset, length) =>
      new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length))),
  };
}
