// SPDX-License-Identifier: MIT
//
// The page as it was built: one script, which nothing can be added to, nothing that it asks for, and the
// licences of what it contains.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const place = process.env.OSSA_VIEWER ?? new URL('../../../build/web/ossa-viewer.html', import.meta.url);
const page = readFileSync(place, 'utf8');
const policy = new Map(
  /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)[1]
    .split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
);

test('the only script that runs is the one of the page', () => {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text);
  assert.equal(scripts.length, 1);
  const hash = createHash('sha256').update(scripts[0]).digest('base64');
  assert.deepEqual(policy.get('script-src'), [`'sha256-${hash}'`, "'wasm-unsafe-eval'"]);
  assert.equal(/[\r\0]/.test(scripts[0]), false, 'a parser would change it, and the hash with it');
});

test('nothing is asked for and nothing sent', () => {
  assert.deepEqual(policy.get('default-src'), ["'none'"]);
  assert.deepEqual(policy.get('connect-src'), ["'none'"]);
  assert.deepEqual(policy.get('form-action'), ["'none'"]);
  assert.equal(/<(script|link|img|iframe)[^>]+(src|href)=["']?(https?:|\/\/)/i.test(page), false);
});

test('the page has the licences of what it contains', () => {
  const [, text] = /<summary>Licences<\/summary><pre[^>]*>([^<]*)<\/pre>/.exec(page);
  for (const holder of ['the Ossa authors', 'three.js authors', 'Rich Felker', 'LLVM Exceptions'])
    assert.ok(text.includes(holder), holder);
});
