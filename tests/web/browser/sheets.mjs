// SPDX-License-Identifier: MIT
//
// References: many pictures of one thing, small, on one sheet (references/NAME.jpg). They are compared
// picture by picture, blurred, so that neither the edges of letters nor those of triangles count; a
// part that is missing, elsewhere or in another colour does.
//
// A sheet that differs fails its test and leaves what came, what was expected and where they differ in
// build/web/tests/pictures. UPDATE_REFERENCES=1 writes those that have changed anew (make pictures-web).

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openPage, root } from './support.mjs';

const references = join(root, 'tests/web/browser/references');
const SCALE = 1 / 3;
const WIDTH = 1240; // of a sheet; then a new row begins
const PLAIN = 24; // of 255: a difference that counts
const MOST = 0.012; // the part of a picture's pixels that may differ plainly
const MOST_MEAN = 3; // of 255, over a picture

let desk = null; // a page that decodes, draws and encodes

/**
 * Put pictures on a sheet, and compare it with another: in the page.
 * @param {{ pictures: string[], reference: string | null, scale: number, rowWidth: number, plain: number,
 *   most: number, mostMean: number }} work
 */
async function compose({ pictures, reference, scale, rowWidth, plain, most, mostMean }) {
  const GAP = 6;
  const read = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  };
  const toBase64 = async (canvas, type, quality) => {
    const blob = await canvas.convertToBlob({ type, quality });
    const reader = new FileReader();
    await new Promise((done) => {
      reader.onload = done;
      reader.readAsDataURL(blob);
    });
    return String(reader.result).split(',')[1];
  };
  const blurred = (canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.filter = 'blur(2px)';
    context.drawImage(canvas, 0, 0);
    return context;
  };

  const images = await Promise.all(pictures.map((base64) => read(`data:image/png;base64,${base64}`)));
  const [across, places] = [rowWidth, []];
  let [x, y, rowHeight] = [GAP, GAP, 0];
  for (const image of images) {
    const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
    if (x + width + GAP > across && x > GAP) [x, y, rowHeight] = [GAP, y + rowHeight + GAP, 0];
    places.push({ x, y, width, height });
    x += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  const sheet = new OffscreenCanvas(across, y + rowHeight + GAP);
  const context = sheet.getContext('2d');
  context.fillStyle = '#808080';
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.imageSmoothingQuality = 'high';
  for (const [i, place] of places.entries()) context.drawImage(images[i], place.x, place.y, place.width, place.height);
  const toJpeg = () => toBase64(sheet, 'image/jpeg', 0.82);
  if (reference === null) return { wrong: null, jpeg: await toJpeg() };

  const other = await read(`data:image/jpeg;base64,${reference}`);
  const expected = new OffscreenCanvas(other.width, other.height);
  expected.getContext('2d').drawImage(other, 0, 0);
  const isSameSize = other.width === sheet.width && other.height === sheet.height;
  const [mine, theirs] = [blurred(sheet), blurred(expected)];
  const marked = new OffscreenCanvas(sheet.width, sheet.height);
  const marks = marked.getContext('2d');
  marks.globalAlpha = 0.25;
  marks.drawImage(sheet, 0, 0);
  marks.globalAlpha = 1;
  const differences = places.map((place) => {
    if (!isSameSize) return { share: 1, mean: 255 };
    /** @type {[number, number, number, number]} */
    const part = [place.x, place.y, place.width, place.height];
    const [a, b] = [mine, theirs].map((from) => from.getImageData(...part).data);
    const shown = marks.getImageData(...part);
    let [count, sum] = [0, 0];
    for (let i = 0; i < a.length; i += 4) {
      let strongest = 0;
      for (let j = i; j < i + 3; j++) {
        const apart = Math.abs(a[j] - b[j]);
        sum += apart;
        strongest = Math.max(strongest, apart);
      }
      if (strongest <= plain) continue;
      count += 1;
      shown.data.set([255, 0, 0, 255], i);
    }
    marks.putImageData(shown, place.x, place.y);
    return { share: (4 * count) / a.length, mean: (4 * sum) / (3 * a.length) };
  });
  const wrong = differences.map(({ share, mean }, i) => ({ share, mean, i })).filter(({ share, mean }) => share > most || mean > mostMean);
  if (wrong.length === 0) return { wrong };
  const pngs = [];
  for (const canvas of [sheet, expected, marked]) pngs.push(await toBase64(canvas, 'image/png'));
  return { wrong, jpeg: await toJpeg(), actual: pngs[0], expected: pngs[1], difference: pngs[2] };
}

/** Compare pictures (PNG) with the sheet of that name. @param {string} name @param {[string, Buffer][]} pictures */
export async function assertSheet(name, pictures) {
  desk ??= await openPage('about:blank');
  const path = join(references, `${name}.jpg`);
  const isThere = existsSync(path);
  const isUpdate = Boolean(process.env.UPDATE_REFERENCES);
  const allowed = isUpdate ? 0.25 : 1; // what has drifted is renewed, too
  const made = await desk.evaluate(compose, {
    pictures: pictures.map(([, png]) => png.toString('base64')),
    reference: isThere ? readFileSync(path).toString('base64') : null,
    scale: SCALE,
    rowWidth: WIDTH,
    plain: PLAIN,
    most: MOST * allowed,
    mostMean: MOST_MEAN * allowed,
  });
  if (made.wrong?.length === 0) return;
  if (isUpdate) {
    mkdirSync(references, { recursive: true });
    writeFileSync(path, Buffer.from(made.jpeg, 'base64'));
    return;
  }
  assert.ok(isThere, `there is no reference ${name}.jpg: make pictures-web makes it`);
  const lines = made.wrong.map(({ share, mean, i }) =>
    `${pictures[i][0]}: ${(share * 100).toFixed(2)} % plainly, ${mean.toFixed(2)} of 255 on average`);
  assert.fail(`${name} looks different${keep(name, made)}\n${lines.join('\n')}`);
}

function keep(name, made) {
  const folder = process.env.OSSA_PICTURES;
  if (!folder) return '';
  mkdirSync(folder, { recursive: true });
  for (const kind of ['actual', 'expected', 'difference'])
    writeFileSync(join(folder, `${name}-${kind}.png`), Buffer.from(made[kind], 'base64'));
  return `: see ${join(folder, name)}-{actual,expected,difference}.png`;
}
