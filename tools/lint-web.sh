#!/bin/sh
# SPDX-License-Identifier: MIT
# TypeScript and ESLint over our JavaScript; any finding is an error. They come from npm, by
# tools/lint/package-lock.json, into build/lint. Usage: tools/lint-web.sh
set -eu
cd "$(dirname "$0")/.."
here=tools/lint
build=$PWD/build/lint

./tools/npm.sh "$here" "$build"
./tools/npm.sh web build/web/npm # what the page is built with

status=0
for project in web tests/web; do
    echo "lint: tsc, $project"
    "$build/node_modules/.bin/tsc" -p "$project/tsconfig.json" || status=1
done
echo "lint: eslint"
OSSA_LINT_MODULES=$build/node_modules "$build/node_modules/.bin/eslint" --max-warnings 0 \
    -c "$here/eslint.config.mjs" web tests tools bench examples || status=1
if [ "$status" -ne 0 ]; then
    echo "lint: problems in our JavaScript" >&2
    exit 1
fi
echo "lint: JavaScript is clean"
