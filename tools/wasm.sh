#!/bin/sh
# SPDX-License-Identifier: MIT
# Compile the library to WebAssembly: tools/wasm.sh [JOBS] makes build/web/ossa.wasm, and puts the
# JavaScript and the licences of what the module contains beside it.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
jobs=${1:-$(nproc 2>/dev/null || echo 1)}
build=${OSSA_WEB_BUILD:-$root/build/web}

mkdir -p "$build"
make --no-print-directory -C "$root/web/wasm" -j "$jobs" BUILD="$build"
cp "$root/web/api/ossa.js" "$root/web/api/ossa.d.ts" "$build/"

# The version is stated once, in the public header.
part() {
    awk -v name="OSSA_VERSION_$1" '$2 == name { print $3 }' "$root/include/ossa/api.h"
}
version=$(part MAJOR).$(part MINOR).$(part PATCH)
sed "s/^  \"name\": .*/&\n  \"version\": \"$version\",/" "$root/web/api/package.json" >"$build/package.json"

# The module works without them, but whoever passes it on needs them.
if "$root/tools/notices.sh" wasi-libc compiler-rt >"$build/NOTICES-wasm.txt.new"; then
    mv "$build/NOTICES-wasm.txt.new" "$build/NOTICES-wasm.txt"
else
    rm -f "$build/NOTICES-wasm.txt.new" "$build/NOTICES-wasm.txt"
    echo "wasm: the licences of the C library are not known; do not pass the module on" >&2
fi
