#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the viewer: tools/web.sh [JOBS] makes build/web/ossa.wasm, ossa.js and, of those and of what
# comes from npm, the page build/web/ossa-viewer.html.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/web
npm=$build/npm

"$root/tools/wasm.sh" "$@"

mkdir -p "$npm"
if ! cmp -s "$root/web/package-lock.json" "$npm/installed.json"; then
    rm -f "$npm/installed.json"
    cp "$root/web/package.json" "$root/web/package-lock.json" "$npm/"
    (cd "$npm" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error)
    cp "$root/web/package-lock.json" "$npm/installed.json"
fi
OSSA_MODULES=$npm/node_modules node "$root/web/build.mjs"
