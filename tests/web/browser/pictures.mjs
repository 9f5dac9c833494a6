// SPDX-License-Identifier: MIT
//
// Pictures are compared by the browser, which can read PNG. What is compared with references is in
// sheets.mjs.

import assert from 'node:assert/strict';

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
