// SPDX-License-Identifier: MIT
//
// WebM from encoded pictures: the few elements of Matroska that players ask for. Times are in
// milliseconds, the usual unit of the format. Pure.

import { bigEndian, joined, utf8 } from './binary.js';

const ID = {
  ebml: 0x1a45dfa3, version: 0x4286, readVersion: 0x42f7, idLength: 0x42f2, sizeLength: 0x42f3,
  docType: 0x4282, docVersion: 0x4287, docReadVersion: 0x4285,
  segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489, muxer: 0x4d80, writer: 0x5741,
  tracks: 0x1654ae6b, track: 0xae, number: 0xd7, uid: 0x73c5, type: 0x83, lacing: 0x9c, codec: 0x86,
  defaultDuration: 0x23e383, video: 0xe0, width: 0xb0, height: 0xba,
  index: 0x1c53bb6b, point: 0xbb, pointTime: 0xb3, places: 0xb7, placeTrack: 0xf7, placeCluster: 0xf1,
  cluster: 0x1f43b675, time: 0xe7, block: 0xa3,
};

const CLUSTER_MS = 5000; // a block says its time within a cluster by 16 bits

const idBytes = (id) => bigEndian(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1);

// Always eight bytes, so that positions do not depend on sizes.
const sizeBytes = (size) => joined([0x01, 0], bigEndian(size, 6));

/** @param {number} id @param {...(Uint8Array|number[])} parts */
export function element(id, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return joined(idBytes(id), sizeBytes(length), ...parts);
}

const unsigned = (id, value) => element(id, bigEndian(value, 6));
const string = (id, text) => element(id, utf8(text));

function float(id, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

/**
 * @param {{ codec: 'V_VP8'|'V_VP9', width: number, height: number, duration: number, fps: number }} what
 *   `duration` in milliseconds
 * @param {{ bytes: Uint8Array, time: number, isKey: boolean }[]} pictures `time` in milliseconds
 * @returns {Uint8Array<ArrayBuffer>[]}
 */
export function webm({ codec, width, height, duration, fps }, pictures) {
  const head = element(
    ID.ebml,
    unsigned(ID.version, 1), unsigned(ID.readVersion, 1), unsigned(ID.idLength, 4), unsigned(ID.sizeLength, 8),
    string(ID.docType, 'webm'), unsigned(ID.docVersion, 4), unsigned(ID.docReadVersion, 2),
  );
  const info = element(
    ID.info,
    unsigned(ID.scale, 1_000_000), float(ID.duration, duration), string(ID.muxer, 'Ossa'), string(ID.writer, 'Ossa'),
  );
  const tracks = element(
    ID.tracks,
    element(
      ID.track,
      unsigned(ID.number, 1), unsigned(ID.uid, 1), unsigned(ID.type, 1), unsigned(ID.lacing, 0),
      string(ID.codec, codec), unsigned(ID.defaultDuration, Math.round(1e9 / fps)),
      element(ID.video, unsigned(ID.width, width), unsigned(ID.height, height)),
    ),
  );
  const clusters = clustersOf(pictures);
  let at = info.length + tracks.length;
  const points = clusters.map(({ time, size }) => {
    const point = element(
      ID.point,
      unsigned(ID.pointTime, time),
      element(ID.places, unsigned(ID.placeTrack, 1), unsigned(ID.placeCluster, at)),
    );
    at += size;
    return point;
  });
  const index = element(ID.index, ...points);
  const length = at + index.length;
  const segment = joined(idBytes(ID.segment), sizeBytes(length));
  return [head, segment, info, tracks, ...clusters.flatMap(({ parts }) => parts), index];
}

// A cluster begins with a key picture, so that a player can start there.
function clustersOf(pictures) {
  const groups = [];
  for (const picture of pictures) {
    const open = groups.at(-1);
    if (!open || (picture.isKey && picture.time - open[0].time >= CLUSTER_MS)) groups.push([picture]);
    else open.push(picture);
  }
  return groups.map((group) => {
    const { time } = group[0];
    const blocks = group.map((picture) =>
      element(
        ID.block,
        [0x81],
        bigEndian(picture.time - time, 2),
        [picture.isKey ? 0x80 : 0],
        picture.bytes,
      ),
    );
    const cluster = element(ID.cluster, unsigned(ID.time, time), ...blocks);
    return { time, size: cluster.length, parts: [cluster] };
  });
}
