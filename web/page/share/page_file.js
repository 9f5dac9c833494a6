// SPDX-License-Identifier: MIT
//
// The page as a file: put together again from what the browser has made of it, and given other data.
// What `ossa view` writes in cli/page.c is written here in the same way. Pure.

const MARK = '<!-- ossa:data -->';
const POLICY = /(http-equiv="Content-Security-Policy" content=")[^"]*/;

/**
 * The empty page, byte for byte as it was built: see web/build.mjs.
 * @param {string} shell index.html @param {{ policy: string, style: string, script: string, notices: string }} parts
 */
export function emptyPage(shell, { policy, style, script, notices }) {
  const escaped = notices.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return shell
    .replace(POLICY, (_, start) => `${start}${policy}`)
    .replace('<!-- ossa:style -->', () => `<style>${style}</style>`)
    .replace('ossa:notices', () => escaped)
    .replace('<!-- ossa:script -->', () => `<script>${script}</script>`);
}

const json = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * The page with files in it, in parts.
 * @param {string} page an empty one @param {Record<string, any>} data without the files
 * @param {{ path: string, base64: string[] }[]} files `base64` in parts
 */
export function pageWith(page, data, files) {
  const at = page.lastIndexOf(MARK);
  if (at < 0) throw new Error('this page has no place for data');
  const parts = [
    page.slice(0, at),
    `<script type="application/json" id="ossa-data">${json(data).slice(0, -1)},"files":[`,
  ];
  files.forEach(({ path, base64 }, index) => {
    parts.push(`${index > 0 ? ',' : ''}\n{"path":${json(path)},"base64":"`, ...base64, '"}');
  });
  parts.push(']}</script>', page.slice(at + MARK.length));
  return parts;
}
