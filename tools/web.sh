#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the viewer: tools/web.sh [JOBS] makes build/web/ossa.wasm, ossa.js and, of those and of what
# comes from npm, the page build/web/ossa-viewer.html.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/web
npm=$build/npm

"$root/tools/wasm.sh" "$@"

"$root/tools/npm.sh" "$root/web" "$npm"
OSSA_MODULES=$npm/node_modules node "$root/web/build.mjs"
