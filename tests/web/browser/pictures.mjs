// SPDX-License-Identifier: MIT
//
// Pictures are compared by the browser, which can read PNG, with room for what drivers do otherwise
// along edges. UPDATE_REFERENCES=1 writes the references anew.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './support.mjs';

const references = join(root, 'tests/web/browser/references');
const MOST_MEAN = 1.5; // of 255, over all pixels
const MOST_STRONG = 0.015; // the part of the pixels that may be plainly different

/**
 * How far two pictures are apart, and how much of the first is more than its ground. Any page decodes them.
 * @returns {Promise<{sizes: string[], mean: number, strong: number, filled: number}>}
 */
export function difference(page, one, other = one) {
  return page.evaluate(
    async (pictures) => {
      const read = async (base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      };
      const [a, b] = [await read(pictures[0]), await read(pictures[1])];
      const sizes = [a, b].map(({ width, height }) => `${width}x${height}`);
      const counts = new Map();
      for (const pixel of new Uint32Array(a.data.buffer))
        counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      const filled = 1 - Math.max(...counts.values()) / (a.width * a.height);
      if (sizes[0] !== sizes[1]) return { sizes, mean: 255, strong: 1, filled };
      let sum = 0;
      let strong = 0;
      for (let i = 0; i < a.data.length; i += 4) {
        let most = 0;
        for (let j = i; j < i + 3; j++) {
          const apart = Math.abs(a.data[j] - b.data[j]);
          sum += apart;
          most = Math.max(most, apart);
        }
        if (most > 40) strong += 1;
      }
      const pixels = a.data.length / 4;
      return { sizes, mean: sum / (3 * pixels), strong: strong / pixels, filled };
    },
    [one, other].map((bytes) => bytes.toString('base64')),
  );
}

/** More than plain ground. */
export async function assertNotEmpty(page, picture) {
  const { filled } = await difference(page, picture);
  assert.ok(filled > 0.004, `only ${filled} of the picture is more than its ground`);
}

export async function assertDiffer(page, one, other, why) {
  const { strong, sizes } = await difference(page, one, other);
  assert.equal(sizes[0], sizes[1]);
  assert.ok(strong > 0.001, `${why}: the pictures are the same (${strong} of the pixels differ)`);
}

export async function assertSame(page, one, other, why) {
  const { strong, mean } = await difference(page, one, other);
  assert.ok(strong < 0.001 && mean < 0.2, `${why}: ${strong} of the pixels differ, ${mean} on average`);
}

/** Compare with the committed picture of that name. */
export async function assertLooksLike(page, picture, name) {
  const path = join(references, `${name}.png`);
  if (process.env.UPDATE_REFERENCES) {
    mkdirSync(references, { recursive: true });
    writeFileSync(path, picture);
    return;
  }
  assert.ok(existsSync(path), `there is no reference ${name}.png: UPDATE_REFERENCES=1 makes it`);
  const { sizes, mean, strong } = await difference(page, picture, readFileSync(path));
  const kept = () => {
    const folder = process.env.OSSA_PICTURES;
    if (!folder) return '';
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.png`), picture);
    return `; what came is ${join(folder, `${name}.png`)}`;
  };
  assert.equal(sizes[0], sizes[1], `${name}: another size${sizes[0] === sizes[1] ? '' : kept()}`);
  const isSame = mean <= MOST_MEAN && strong <= MOST_STRONG;
  assert.ok(isSame, `${name}: ${mean.toFixed(2)} of 255 apart on average, ${(strong * 100).toFixed(2)} % of the pixels plainly${isSame ? '' : kept()}`);
}
