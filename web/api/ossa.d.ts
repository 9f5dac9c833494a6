// SPDX-License-Identifier: MIT
//
// Ossa in JavaScript: the C library as WebAssembly, in browsers and in Node, without dependencies.
//
//     import { load } from './ossa.js';
//     const ossa = await load();                        // ossa.wasm, from beside ossa.js
//     const files = ossa.workspace();
//     files.add('troll/troll.lnk', bytes);              // as many as there are
//     const scene = files.scene(['troll']);             // as `ossa convert` makes it
//     const pose = scene.pose();
//     pose.sample(0, 0.5, 'loop');
//     pose.matrices;                                    // Float32Array, in the module's memory
//
// An object with free() holds memory of the module until you call it; using it afterwards throws.
// Conventions are those of ossa/scene.h, which are glTF's: +Y up, metres, x y z w, column-major.

export interface Format {
  id: string; // "ei-anm"
  title: string;
  game: string;
  open: string; // which files to open for figures of the game: "figures.res with ..."
  extensions: string[];
  kind: 'animation' | 'skeleton' | 'model' | 'texture' | 'camera' | 'table' | 'archive';
  can: Ability[];
}
export type Ability = 'read' | 'write' | 'dump' | 'assemble' | 'list';

export interface Issue {
  severity: 'remark' | 'warning' | 'error' | 'unreadable';
  code: string; // stable, for programs: "truncated"
  path: string; // of the file, into archives: "figures.res#unmotr.anm#walk#hd"; may be ''
  format: string; // id; '' if it is not known
  offset: number | null; // in bytes from the start of the file
  field: string; // path of the field; in a scene, the name of the input; may be ''
  message: string;
  count: number; // of issues of this kind; the first of them is here
  text: string; // format, field, message and offset on one line, and the positions of the next few
}

/** Thrown if the data is to blame. `message` is the path and what went wrong, on one line. A call
 * with bad arguments throws a RangeError or a TypeError, and a call on a freed object an Error. */
export class OssaError extends Error {
  /** As in an issue. "out-of-memory": the module's 2 GiB are full. "crashed": a bug in the library;
   * this module cannot be used any more and every call throws, so load a new one. */
  code: string;
  path: string; // as in an issue
  format: string | null;
  offset: number | null;
  field: string;
  /** Issues found before the failure. The last one is the failure itself if a file is to blame. */
  issues: Issue[];
  /** The issues, one line each, and `message`. */
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

/** An entry as its archive lists it. */
export interface StoredEntry {
  name: string;
  offset: number;
  size: number; // unpacked
  storedSize: number;
  isPacked: boolean;
  isMissing: boolean; // the archive is damaged and does not contain all of the bytes
  time: number | null; // seconds since 1970
}

export interface Entry extends StoredEntry {
  ownName: string | null; // the name inside a file that was found by a search
  format: string | null; // id, as the probes see it; null: unknown
}

/** A file that a walk has reached. */
export interface Visit {
  path: string; // "figures.res#unmotr.mod"
  name: string; // "unmotr.mod": the path itself, or the name of the entry
  ownName: string | null; // as in Entry
  depth: number; // number of archives that it is in
  isNamed: boolean; // the path of the call means this file, not only something around it
  format: string | null; // id; null: unknown
  confidence: string | null; // of a file that was read
  isArchive: boolean;
  isSearch: boolean; // an archive whose entries are found by searching it
  isStray: boolean; // not meant by the path, and no format claims its bytes or its name
  title: string | null; // of an archive: "Evil Islands archive"
  entryCount: number; // of an archive
  figureCount: number; // figures that an archive stores by name
  size: number; // 0 with detail 'names', except for entries
  offset: number; // in its archive; 0: not in an archive
  storedSize: number | null; // null: not in an archive
  isPacked: boolean;
  isMissing: boolean;
  time: number | null;
  warningCount: number; // of a file that was read
  errorCount: number;
  error: OssaError | null; // why it cannot be read
}

export interface WalkOptions {
  /** names: archives are not entered. formats (the default): also formats, as the probes see them.
   * files: also reads every file and checks its values. */
  detail?: 'names' | 'formats' | 'files';
  /** false: only the files themselves, not what is in archives. 'searched': only what a search
   * finds. */
  enter?: boolean | 'searched';
  deep?: boolean; // enter archives inside archives
  search?: boolean; // search files of unknown format for files of a game, as for discs
}

/** Files that belong together: a body, or what exists of it, and its animations. */
export interface Figure {
  name: string;
  game: string;
  paths: string[]; // for scene(): the body first
  files: string[]; // of the workspace, that the paths lead into
  missing: string[]; // kinds of files: "skeleton", "texture"
  boneCount: number; // 0: unknown
  clipCount: number; // animations among the paths; 0 if they are inside archives
  isGuess: boolean; // only the number of bones connects the animations to the skeleton
}

/** What files contain together. */
export interface Survey {
  boneCount: number; // of the largest body
  meshCount: number; // files with meshes
  unreadable: number; // files that cannot be read
  clips: { name: string; frameCount: number; fileCount: number }[];
  /** Slots of an Evil Islands figure, and the parts for each of them; of other figures none.
   * `isShown`: without being asked for in `SceneOptions.parts`. */
  slots: { name: string; parts: { name: string; isShown: boolean }[] }[];
}

/** One file, read. */
export interface File {
  readonly format: Format;
  readonly confidence: string;
  readonly size: number;
  readonly issues: Issue[]; // up to 1000
  readonly warningCount: number;
  readonly errorCount: number;
  /** What the file contains, in `facts`, and what it is: the document of `ossa info --json` without
   * `models`. */
  facts(): Facts;
  /** The document of `ossa dump`. */
  dump(pretty?: boolean): string;
  /** The bytes as written back: the same as were read. */
  write(): Uint8Array;
  /** The entries of an archive; [] for any other file. Workspace.entries also says what they are. */
  entries(): StoredEntry[];
  entryBytes(index: number): Uint8Array;
  free(): void;
}

export interface Facts {
  ossa: 1;
  file: string;
  format: string;
  title: string;
  game: string;
  kind: string;
  confidence: string;
  size: number;
  errors: number;
  warnings: number;
  facts: Record<string, any>; // each format has its own
}

export interface ReadOptions {
  format?: string;
  dialect?: string;
  strict?: boolean;
}

/** How files become a scene, as the options of `ossa convert`. Those of other games do nothing.
 * `Scene.options` lists the ones that make a difference. */
export interface SceneOptions {
  fps?: number;
  scale?: number;
  inPlace?: boolean;
  join?: boolean;
  boxes?: boolean;
  traceKeys?: boolean; // keep where the keys of clips are stored, for Scene.keyBytes and keysAt
  complexion?: [number, number, number];
  morph?: 'all' | 'clip' | 'none';
  resample?: number;
  root?: 'b+t' | 't' | 'b';
  look?: 'game' | 'y' | 'z' | 'up';
  parts?: string[]; // patterns of variants to be shown; with ! in front, of parts not to be shown
  euler?: 'xyz' | 'zyx';
  missing?: 'identity' | 'hold';
  twist?: 'degree' | 'turn' | 'none';
  view?: 'turn' | 'distance' | 'degree';
  sides?: 'low' | 'high';
  palette?: 'smooth' | 'plain' | 'csm1';
  unlit?: boolean;
}

/** An option that makes a difference for the files of a scene, for pages that offer options. */
export interface OptionInfo {
  name: keyof SceneOptions;
  kind: 'flag' | 'number' | 'choice' | 'vector';
  text: string; // what it does, for people
  /** Of a choice: its values, the default first. Of a vector: its numbers, by name. Others: []. */
  values: { value: string; text: string }[];
  min: number | null; // of a number, and of each number of a vector
  max: number | null;
  default: boolean | number | string | number[] | null; // null: of `fps`, the game's own rate
  isWhole: boolean; // only whole numbers
  isOpen: boolean; // the files do not say which value is right, and nobody knows for certain
}

/** Files by their paths, as on a disk. Every path may continue into an archive:
 * `figures.res#unmotr.anm#cwalk#hd`, and `figures.res#unmotr` is the whole figure. */
/** A file whose bytes stay where they are. */
export interface Source {
  size: number; // bytes, up to 2^53 - 1
  /** `length` bytes from `offset`, which are inside of it. Synchronous. If it throws, or returns more
   * or fewer, the call that needs them throws an OssaError with the code "io" and that `cause`. It
   * must not call the module. */
  readAt(offset: number, length: number): Uint8Array;
}

export interface Workspace {
  /** Add a file, or replace it. The bytes are copied. */
  add(path: string, bytes: Uint8Array): void;
  /** The same for a large file, such as a disc: it is read a part at a time, so that the page stays
   * responsive. The file exists once the promise is fulfilled. Aborting `signal` rejects the promise
   * with the signal's reason. */
  addBlob(path: string, blob: Blob, options?: {
    signal?: AbortSignal;
    onProgress?: (done: number, total: number) => void; // bytes
  }): Promise<void>;
  /** Add a file whose bytes are not copied, such as the image of a disc: `readAt` is called for
   * those that are needed, during later calls. Other files are read whole and may have 256 MiB. */
  addSource(path: string, source: Source): void;
  remove(path: string): void;
  /** All files, in the order in which folders are walked. */
  paths(): string[];
  has(path: string): boolean;
  /** The bytes of a file or an entry: a copy. */
  bytes(word: string): Uint8Array;
  open(word: string, options?: ReadOptions): File;
  /** Every file that a path leads to, in the order of names. What is in an archive follows the
   * archive. '.' is everything. Throws if the path leads nowhere inside an archive; a file that
   * cannot be read has an `error`. */
  walk(path: string, options?: WalkOptions): Visit[];
  /** The entries of an archive, as `ossa list` shows them. Large files of a disc of Shadow of the
   * Colossus (NICO.DAT, XAB) are searched, and what is found is named by its offset,
   * `0x00012800.anb`. Throws for any other file. */
  entries(word: string): Entry[];
  /** The fields of a file that begin in a range of its bytes, in order, at most `limit` of them
   * (default: all); `total` is their number in the range. Values of more than 64 bytes are cut. Of a
   * file that cannot be read, the fields before the failure; `error` is that failure. */
  fields(word: string, options?: ReadOptions & { from?: number; to?: number; limit?: number }):
    { fields: Field[]; total: number; error: OssaError | null };
  /** The figures below a path, or in all files. */
  figures(path?: string): Figure[];
  /** Count what files contain together, without making a scene. */
  survey(paths: string[]): Survey;
  /** One scene from files, folders and entries, as `ossa convert WORDS...` makes it. A single word
   * may also be the name of a figure. */
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
  keysPerFrame: number;
  loop: boolean;
  inPlace: boolean;
  velocity: [number, number, number];
  /** Metres per second at which the game moves the figure while it plays this clip; 0: unknown. */
  travel: [number, number, number];
  next: number; // clip that the files say is played after this one, maybe itself; -1: none
  events: ClipEvent[]; // in the order of their frames
  extras: Record<string, string | number | number[]>;
}

/** Something that a file says happens in a frame. */
export interface ClipEvent {
  frame: number;
  /** A foot comes down, a blow lands, something is shown or hidden (it is not known what and which),
   * or a sound or effect of its own. Others may be added. */
  kind: 'step' | 'hit' | 'show_hide' | 'special';
  field: string; // where the file says so, in the record of the clip: "step_sounds[1]"
}

/** The arrays are views of the module's memory: see Pose about how long they are good. */
export interface Mesh {
  name: string;
  bone: number;
  kind: 'triangles' | 'lines';
  vertexCount: number;
  positions: Float32Array; // 3 per vertex, in the space of the bone; weighted: of the model at rest
  normals: Float32Array | null;
  colours: Uint8Array | null; // 4 per vertex
  texcoords: Float32Array | null; // 2 per vertex, from the top left
  texcoords2: Float32Array | null; // a second set
  vertexBones: Uint32Array | null; // one bone per vertex instead of one for all
  joints: Uint32Array | null; // 4 bones per vertex, whose weights are:
  weights: Float32Array | null; // 4 per vertex, with a sum of 1
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
  isUnlit: boolean;
  isClamped: [boolean, boolean]; // the texture does not repeat along u, and along v
  alphaCutoff: number; // texels of less alpha are not drawn; 0: none
}

/** One of several looks of a figure, such as its clothes. */
export interface Variant {
  name: string;
  /** Meshes with this material show another one instead. Each material at most once. */
  replacements: { material: number; by: number }[];
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

/** Keys of those bones or meshes that change in a clip: keys[(frame * of.length + track) * width],
 * where `track` is the index of the bone or mesh in `of`. */
export interface Tracks<Keys> {
  of: Uint32Array; // bones or meshes, ascending
  width: number; // numbers per key
  keys: Keys; // [frame][track][width]
}

/** A whole clip as plain copies, for a program that samples for itself, such as a page whose module
 * is in a worker: no array is shared, so all of them can be transferred. It takes the memory that
 * the clip takes in the scene, and for `ground` 16 bytes per frame.
 *
 * A bone without a track has the values of `constant`. Between frames, rotations take the short arc
 * at constant speed, translations and scales are linear, and visibility is that of the earlier
 * frame: see docs/sampling.md. */
export interface Motion {
  fps: number;
  frameCount: number;
  constant: Float32Array; // [bone][10]: translation 3, rotation 4, scale 3
  constantVisible: Uint8Array; // [bone]
  rotations: Tracks<Float32Array>; // of bones, 4 numbers per key
  translations: Tracks<Float32Array>; // 3
  scales: Tracks<Float32Array>; // 3
  visibilities: Tracks<Uint8Array>; // 1: 0 or 1
  /** Of meshes, 1 per key: the target that has weight 1 in this frame; -1: none. Between frames, the
   * weight goes from that of the one to that of the other. A mesh without a track has no target. */
  morphs: Tracks<Int32Array>;
  /** [bone]: radians between neighbouring rotations that the file can store. 0: it stores floats;
   * -1: unknown. null: all 0. */
  rotationSteps: Float32Array | null;
  /** Where the figure stands, which is what Pose.stayInPlace removes: x and z of a displacement, then
   * the y and w of the quaternion of a rotation about +Y (its x and z are 0). */
  ground: {
    keys: Float32Array; // of frame f: keys[f * stride] and the next three
    stride: 0 | 4; // 0: the same in all frames, and stored once
    /** What one repetition of the clip adds when it loops, in the space of the ground of frame 0: the
     * repetition n stands at ground(0) * cycle^n * ground(0)^-1 * ground(frame). */
    cycle: Float32Array; // 4, like a key
  };
}

/** All keys of a camera, interpolated like the frames of a clip. Copies. */
export interface CameraKeys {
  times: Float32Array; // seconds, ascending from 0
  translations: Float32Array; // [key][3]
  rotations: Float32Array; // [key][4]
  fieldsOfView: Float32Array; // [key]: vertical, in radians
}

export type Wrap = 'clamp' | 'loop' | 'ping-pong';

export type Channel = 'rotation' | 'translation' | 'scale' | 'visible';

/** What bytes are to a value of a scene. Stored for
 * "key": this frame; "held": an earlier frame, and lasts until this one; "first": the frame in which
 * the bone is first drawn, and until then the bone is there, too; "constant": all frames.
 * "scaling": not the value, but what all keys of the bone are computed with.
 * Not stored: "rest": the clip has no such track, so it is the value of the rest pose; "omitted": the
 * clip has none in this frame, so it is the game's default; "resampled": it was computed from two
 * neighbouring keys; "untraced": the scene was made without `traceKeys`. */
export type KeyRole = 'key' | 'held' | 'first' | 'constant' | 'scaling' | 'rest' | 'omitted' |
  'resampled' | 'untraced';

/** One number of a stored key. */
export interface KeyPart {
  name: string; // as in the format's page: "w", "x", "angle"
  firstBit: number; // bit 0 is the lowest bit of the first byte
  bitCount: number;
  component: number; // of the scene's value, x y z w, if it is the only one that this changes; or -1
}

/** How a key is stored. */
export interface KeyLayout {
  offset: number; // of its first byte
  size: number; // bytes; 0: not stored
  parts: KeyPart[]; // bits that are in none of them have no known meaning
  isInherited: boolean; // the rotations of the bones below depend on it, too
  isStructure: boolean; // it says which bone a key is for, so other values depend on it, too
}

/** Where a value is stored. */
export interface KeyBytes extends KeyLayout {
  role: KeyRole;
  path: string | null; // for Workspace.bytes and fields; null: not stored
  isAdjusted: boolean; // `inPlace`: it depends on other keys of the file, too, such as the last one
}

/** Values that come from the same bytes: those of the frames firstFrame + i * frameStep, for i below
 * frameCount. */
export interface KeyUse extends KeyLayout {
  clip: number;
  bone: number;
  channel: Channel;
  role: KeyRole;
  firstFrame: number;
  frameStep: number;
  frameCount: number;
}

export interface Scene {
  readonly name: string;
  readonly game: string;
  /** Direction from the figure to a viewer who sees its face, of any length; 0 0 0: unknown. */
  readonly viewpoint: [number, number, number];
  readonly bones: Bone[];
  readonly clips: Clip[];
  readonly meshes: Mesh[];
  readonly materials: Material[];
  /** None, or all looks: the meshes have that without replacements, if there is one. */
  readonly variants: Variant[];
  readonly textures: Texture[];
  readonly cameras: Camera[];
  /** The options of Workspace.scene that make a difference for these files, whatever they were this
   * time. `parts` is not among them: see Survey.slots. */
  readonly options: OptionInfo[];
  readonly issues: Issue[];
  /** Issues of the files that the scene is made from, and files that are left out (remarks). */
  readonly fileIssues: Issue[];
  /** All of these on one line each. glb(), bvh() and csv() add what those formats cannot hold. */
  readonly messages: string[];
  /** The inverse of each bone's model matrix in the rest pose, [bone][16], for skinning on a GPU:
   * matrices[b] * inverseBinds[b] moves a vertex that is in model space at rest. */
  readonly inverseBinds: Float32Array;
  pose(): Pose;
  /** The curve of one bone through a clip, at each frame: rotation 4, translation and scale 3
   * numbers per frame, visible 1. Copies. */
  curves(clip: number, bone: number):
    { rotation: Float32Array; translation: Float32Array; scale: Float32Array; visible: Uint8Array };
  /** All keys of a clip. Copies. */
  motion(clip: number): Motion;
  cameraKeys(index: number): CameraKeys;
  /** The smallest range of bytes that a value comes from, or why it is not stored; `scaling` is what
   * it is computed with, if that is stored apart. Needs the option `traceKeys`. */
  keyBytes(key: { clip: number; bone: number; channel: Channel; frame: number }):
    KeyBytes & { scaling: KeyBytes | null };
  /** The values that come from a byte of a file, by the path that keyBytes returns. [] for a byte of
   * no key. */
  keysAt(path: string, offset: number): KeyUse[];
  /** The vertices of a mesh in a pose of this scene, in model space, morph targets included: 3
   * numbers per vertex. For programs without a GPU. Copies. */
  skin(mesh: number, pose: Pose): { positions: Float32Array; normals: Float32Array | null };
  /** Radians between neighbouring rotations that the file can store. 0: it stores floats; null:
   * unknown, as in joined clips. */
  rotationStep(clip: number, bone: number): number | null;
  /** The bytes that `ossa convert -o x.glb` writes; textures are packed otherwise. All variants are
   * in it; programs that do not know variants show `variant` (-1: the materials of the meshes). */
  glb(options?: { skin?: boolean; clips?: number[]; variant?: number }): Uint8Array;
  /** The bytes that `ossa convert --clip NAME -o x.bvh` writes: one clip, the first if not told. */
  bvh(options?: { clip?: number }): Uint8Array;
  /** The bytes that `ossa convert --clip NAME -o x.csv` writes; without `clip`, of all clips, or the
   * rest pose if there are none. `space`: of the transforms, the model's (default) or the parent's. */
  csv(options?: { clip?: number; space?: 'model' | 'local' }): Uint8Array;
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
  /** Remove the root's displacement along the ground from what was sampled. */
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

/** A source for a file that somebody chose. Only in a worker: elsewhere nothing reads a Blob
 * synchronously, and it throws a TypeError. */
export function sourceOfBlob(blob: Blob): Source;
