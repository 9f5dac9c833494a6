// SPDX-License-Identifier: MIT
//
// Ossa in JavaScript: the C library as WebAssembly, in browsers and in Node, without dependencies.
//
//     import { load } from './ossa.js';
//     const ossa = await load();                        // ossa.wasm, from beside ossa.js
//     const files = ossa.workspace();
//     files.add('troll/troll.lnk', bytes);              // as many as there are
//     const scene = files.scene(['troll']);             // by the rules of the tool
//     const pose = scene.pose();
//     pose.sample(0, 0.5, 'loop');
//     pose.matrices;                                    // Float32Array, in the module's memory
//
// What has a free() holds memory of the module until that is called; using it afterwards throws.
// Conventions are those of ossa/scene.h, which are glTF's: +Y up, metres, x y z w, column-major.

export interface Format {
  id: string; // "ei-anm"
  title: string;
  game: string;
  extensions: string[];
  kind: 'animation' | 'skeleton' | 'model' | 'texture' | 'camera' | 'table' | 'archive';
  can: Ability[];
}
export type Ability = 'read' | 'write' | 'dump' | 'assemble' | 'list';

export interface Issue {
  severity: 'warning' | 'error' | 'unreadable';
  code: string; // pinned, for programs: "truncated"
  format: string;
  offset: number | null; // in bytes from the start of the file
  field: string; // the path of the field; in a scene, the input that is meant; may be ''
  message: string;
  text: string; // all of it as one line, as the tool prints it
}

/** What every call throws that the data is to blame for. `message` is the line of `messages` that
 * tells of the failure. A call that is wrong in itself throws a RangeError or a TypeError, and one
 * on something that was freed an Error. */
export class OssaError extends Error {
  /** As of an issue; "out-of-memory" when the module's 2 GiB are full; "crashed" after a bug of the
   * library, when this module cannot be used any more and every call throws: load a new one. */
  code: string;
  format: string | null;
  offset: number | null;
  field: string;
  /** Of the scene or file, up to the failure. */
  issues: Issue[];
  /** What the tool would have printed on the way, a line each, without its "ossa: ". */
  messages: string[];
}

/** One number or text of a file. */
export interface Field {
  offset: number;
  size: number;
  type: string; // "f32", "u16", "char", "unknown", "padding", "unread", ...
  path: string; // "rotations[3].w"
  value: string;
}

export interface Entry {
  name: string;
  ownName: string | null; // what it calls itself, of one that was found on a disc
  offset: number;
  size: number; // unpacked
  storedSize: number;
  isPacked: boolean;
  isMissing: boolean;
  time: number | null; // seconds since 1970
  format: string | null; // what a look at it says; null: unknown
}

/** One file, read. */
export interface File {
  readonly format: Format;
  readonly confidence: string;
  readonly size: number;
  readonly issues: Issue[]; // up to 1000
  readonly warningCount: number;
  readonly errorCount: number;
  /** What `ossa info` says of it, for people, below the file's name. */
  info(): string;
  /** The same for programs: the document of `ossa info --json`. */
  facts(): any;
  /** The document of `ossa dump`. */
  dump(pretty?: boolean): string;
  /** The bytes as written back: the same as were read. */
  write(): Uint8Array;
  /** What an archive holds; none for any other file. */
  entries(): Entry[];
  entryBytes(index: number): Uint8Array;
  free(): void;
}

export interface ReadOptions {
  format?: string;
  dialect?: string;
  strict?: boolean;
}

export interface SceneOptions {
  fps?: number;
  scale?: number;
  complexion?: [number, number, number];
  euler?: 'xyz' | 'zyx';
  missing?: 'identity' | 'hold';
  morph?: 'all' | 'clip' | 'none';
  inPlace?: boolean;
  join?: boolean;
  boxes?: boolean;
  resample?: number;
}

/** Files by their paths, as if they lay on a disk. Every path may go on into an archive:
 * `figures.res#unmotr.anm#cwalk#hd`, and `figures.res#unmotr` is the whole model. */
export interface Workspace {
  /** Add a file, or replace it. The bytes are copied. */
  add(path: string, bytes: Uint8Array): void;
  remove(path: string): void;
  paths(): string[];
  has(path: string): boolean;
  /** The bytes of a file or an entry: a copy. */
  bytes(word: string): Uint8Array;
  open(word: string, options?: ReadOptions): File;
  /** What claims the bytes, best first; never throws for what is in them. */
  probe(word: string): { format: string; confidence: string }[];
  /** What is in an archive, or in a large file of a disc of Shadow of the Colossus (NICO.DAT, XAB):
   * that is searched, and what is found is named by its place, `0x00012800.anb`. As `ossa list` shows
   * it; throws for any other file. */
  entries(word: string): Entry[];
  /** Every field of a file that begins in a range of its bytes, in order, at most `limit` of them
   * (all); `total` is how many there are in the range. Values of more than 64 bytes are cut. Works up
   * to the failure for a file that cannot be read; `error` is that failure. */
  fields(word: string, options?: ReadOptions & { from?: number; to?: number; limit?: number }):
    { fields: Field[]; total: number; error: OssaError | null };
  /** The models of an Evil Islands archive, as `ossa info` lists them; [] for others. */
  models(word: string): { name: string; parts: number; meshes: number;
    clips: { name: string; frames: number }[] }[];
  /** One scene of files, folders and entries, as `ossa convert WORDS...` would make it. */
  scene(words: string[], options?: SceneOptions): Scene;
  free(): void;
}

export interface Bone { name: string; parent: number; rest: Float32Array /* 10: t r s */ }

export interface Clip {
  name: string;
  source: string;
  sourceFormat: string;
  fps: number;
  frameCount: number;
  keysAFrame: number;
  loop: boolean;
  inPlace: boolean;
  velocity: [number, number, number];
  extras: Record<string, string | number | number[]>;
}

/** The arrays are views of the module's memory: see Pose about how long they are good. */
export interface Mesh {
  name: string;
  bone: number;
  kind: 'triangles' | 'lines';
  vertexCount: number;
  positions: Float32Array; // 3 a vertex, in the space of the bone
  normals: Float32Array | null;
  colours: Uint8Array | null; // 4 a vertex
  texcoords: Float32Array | null; // 2 a vertex, from the top left
  vertexBones: Uint32Array | null; // a bone a vertex instead of one for all
  indices: Uint32Array;
  material: number; // -1: none
  targetCount: number;
  targets: Float32Array | null; // [target][vertex][3]: added to the positions
}

export interface Material {
  name: string;
  texture: number; // -1: none
  colour: [number, number, number, number];
  isTransparent: boolean;
  isDoubleSided: boolean;
}

export interface Texture { name: string; width: number; height: number; pixels: Uint8Array /* RGBA */ }

export interface Camera {
  name: string;
  source: string;
  sourceFormat: string;
  keyCount: number;
  duration: number; // seconds
  aspect: number; // 0: not known
}

export type Wrap = 'clamp' | 'loop' | 'ping-pong';

export interface Scene {
  readonly name: string;
  readonly game: string;
  readonly bones: Bone[];
  readonly clips: Clip[];
  readonly meshes: Mesh[];
  readonly materials: Material[];
  readonly textures: Texture[];
  readonly cameras: Camera[];
  readonly issues: Issue[];
  /** What the tool prints to stderr when it makes the scene, a line each, without its "ossa: ".
   * glb() adds what glTF cannot hold. */
  readonly messages: string[];
  pose(): Pose;
  /** The curve of one bone through a clip, at each frame: rotation 4, translation and scale 3
   * numbers a frame, visible 1. Copies. */
  curves(clip: number, bone: number):
    { rotation: Float32Array; translation: Float32Array; scale: Float32Array; visible: Uint8Array };
  /** How coarse the file stores the rotations of a clip, as the largest step of an angle in
   * radians; 0: as floats, so that no step shows; null: not known, as of joined clips. */
  rotationStep(clip: number, bone: number): number | null;
  /** The bytes that `ossa convert -o x.glb` writes; textures are packed otherwise. */
  glb(options?: { skin?: boolean; clips?: number[] }): Uint8Array;
  /** The bytes that `ossa convert -o x.json` writes. */
  json(): Uint8Array;
  free(): void;
}

/** The pose of all bones at a time, in the module's memory. Get the arrays anew after other calls:
 * the properties are cheap, and an array from before may be of memory that has moved. */
export interface Pose {
  /** clip -1: the rest pose. */
  sample(clip: number, seconds: number, wrap?: Wrap): void;
  sampleFrame(clip: number, frame: number): void;
  /** Take the root's way over the ground out of what was sampled. */
  stayInPlace(): void;
  readonly locals: Float32Array; // [bone][10]: translation 3, rotation 4, scale 3
  readonly models: Float32Array; // the same, from the model's origin
  readonly matrices: Float32Array; // [bone][16] from the model's origin
  readonly visible: Uint8Array; // [bone]
  /** Of a mesh with targets, at the time that was sampled: a copy. */
  morphWeights(mesh: number): Float32Array;
  camera(index: number, seconds: number, wrap?: Wrap):
    { translation: Float32Array; rotation: Float32Array; fieldOfView: number };
  free(): void;
}

export interface Ossa {
  readonly version: string;
  formats(): Format[];
  workspace(): Workspace;
  /** One file from bytes; `name` breaks ties between formats. */
  open(bytes: Uint8Array, name?: string, options?: ReadOptions): File;
}

/** Start the module: from bytes, a compiled module, or a URL; nothing: `ossa.wasm` beside this file. */
export function load(wasm?: Uint8Array | ArrayBuffer | WebAssembly.Module | URL | string): Promise<Ossa>;
