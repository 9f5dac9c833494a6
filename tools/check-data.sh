#!/bin/sh
# SPDX-License-Identifier: MIT
# Try Ossa on a copy of a game: tools/check-data.sh PROGRAM DATA [FOLDER]
#
# PROGRAM is build/check_data. Its tables are printed; the report, the GLBs and the result of the Khronos validator go to
# FOLDER (build/check-data). Exit status: 0 every file is written back byte by byte and every GLB is valid, 1 not,
# 2 the call is wrong.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -x "$1" ] || [ ! -e "$2" ]; then
    echo 'usage: make check-data DATA=FOLDER-OR-FILE' >&2
    [ $# -lt 2 ] || [ -e "$2" ] || echo "check-data: there is no '$2'" >&2
    exit 2
fi
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
program=$1
data=$2
folder=${3:-$root/build/check-data}

# Only what this script made before is removed.
mkdir -p "$folder/glb"
rm -f "$folder"/glb/*.glb "$folder/report.json"

status=0
"$program" "$data" "$folder/report.json" "$folder/glb" || status=$?
[ -f "$folder/report.json" ] || exit 1

if command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1; then
    npm=$folder/npm
    mkdir -p "$npm"
    if ! cmp -s "$root/tests/peers/package-lock.json" "$npm/installed.json"; then
        rm -f "$npm/installed.json"
        cp "$root/tests/peers/package.json" "$root/tests/peers/package-lock.json" "$npm/"
        (cd "$npm" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error)
        cp "$root/tests/peers/package-lock.json" "$npm/installed.json"
    fi
    NODE_PATH=$npm/node_modules node "$root/tools/check-data.js" "$folder/report.json" "$folder/glb" || status=1
else
    echo 'validator: not run, because node and npm are missing'
fi

echo
echo "report: $folder/report.json (names, sizes, offsets and codes; no contents of files)"
exit $status
