// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { enlargement } from '../../../web/page/panels/picture.js';
import { readPicture } from '../../../web/page/worker/picture_reader.js';
import { samples, start } from '../api/support.mjs';

const sample = (path) => readFileSync(join(samples, path));
const fixture = (path) => readFileSync(join(samples, '../tests/fixtures', path));

test('a texture alone has a picture, also in an archive', async () => {
  const files = (await start()).workspace();
  files.add('textures.res', sample('packed/textures.res'));
  files.add('bird.skb', sample('bird/bird.skb'));
  const [entry] = files.entries('textures.res');
  const picture = readPicture(files, `textures.res#${entry.name}`);
  assert.equal(picture.pixels.length, 4 * picture.width * picture.height);
  files.add('skin.mmp', files.bytes(`textures.res#${entry.name}`));
  assert.deepEqual(readPicture(files, 'skin.mmp'), picture);
  assert.equal(picture.isOpaque, true);
  files.add('glass.mmp', fixture('ei-mmp/8888.mmp'));
  assert.equal(readPicture(files, 'glass.mmp').isOpaque, false);
  assert.equal(readPicture(files, 'bird.skb'), null);
  assert.equal(readPicture(files, 'nothing'), null);
  files.free();
});

test('small pictures are enlarged by whole numbers', () => {
  assert.equal(enlargement({ width: 32, height: 32 }), 8);
  assert.equal(enlargement({ width: 100, height: 20 }), 2);
  assert.equal(enlargement({ width: 1024, height: 4 }), 1);
});
