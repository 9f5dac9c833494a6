// SPDX-License-Identifier: MIT
//
// The film of README.md, made with the viewer's own Share:
//
//   node tools/viewer_film.mjs OUT.gif
//
// By the environment, as for the tests in tests/web/browser: OSSA_WEB, OSSA_WEB_MODULES, CHROMIUM.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { launch, openViewer, samples } from '../tests/web/browser/support.mjs';

const browser = await launch();
try {
  const viewer = await openViewer({ size: { width: 1280, height: 800 } });
  const { page } = viewer;
  const packed = ['figures', 'textures', 'database'].map((name) => join(samples, `packed/${name}.res`));
  await viewer.drop(...packed);
  await viewer.until((state) => state.figures.length === 2 && !state.reading);
  await viewer.call('setFigure', 'wyvern');
  await viewer.call('setClip', 'fly');
  await page.locator('#picture').focus();
  for (const key of ['f', '+', '+']) await page.keyboard.press(key);
  await viewer.settle();
  await page.keyboard.press('m');
  await page.check('#share-kind-gif');
  await page.selectOption('#share-size', '480x360');
  const { bytes } = await viewer.downloaded(() => page.click('#share-save'));
  writeFileSync(process.argv[2], bytes);
} finally {
  await browser.close();
}
