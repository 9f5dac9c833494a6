// SPDX-License-Identifier: MIT
//
// The picture of the viewer in docs/viewer.md:
//
//   node tools/viewer_picture.mjs OUT.png
//
// By the environment, as for the tests in tests/web/browser: OSSA_WEB, OSSA_WEB_MODULES, CHROMIUM.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { launch, openViewer, samples } from '../tests/web/browser/support.mjs';

const browser = await launch();
try {
  const viewer = await openViewer({ size: { width: 1280, height: 800 } });
  const packed = ['figures', 'textures', 'database'].map((name) => join(samples, `packed/${name}.res`));
  await viewer.drop(...packed);
  await viewer.until((state) => state.figures.length === 2);
  await viewer.call('setFigure', 'wyvern');
  await viewer.call('setClip', 'fly');
  await viewer.call('setBone', 'lw2');
  await viewer.page.locator('#picture').focus();
  for (const key of ['b', 't', 'c', 'f', '+']) await viewer.page.keyboard.press(key);
  await viewer.call('seekFrame', 4);
  await viewer.settle();
  await viewer.page.evaluate(() => document.activeElement.blur());
  writeFileSync(process.argv[2], await viewer.page.screenshot());
} finally {
  await browser.close();
}
