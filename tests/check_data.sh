#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/check_data.sh CHECK_DATA FOLDER: what `make check-data` counts, and what its report must not contain.
set -eu
program=$1
work=$2
samples=$(CDPATH='' cd -- "$(dirname -- "$0")/../samples" && pwd)

fail() {
    echo "check_data: $*" >&2
    exit 1
}

rm -rf "$work"
mkdir -p "$work/data" "$work/glb"
cp -R "$samples/troll" "$samples/packed" "$work/data/"
"$program" "$work/data" "$work/report.json" "$work/glb" >"$work/table" || fail "status $? for sound files"
grep -q '^  ei-anm  *\([0-9]*\)  *\1  *0  *0  *0  *0  *\1/\1  *\1/\1$' "$work/table" || fail 'the row of ei-anm is wrong'
# Found loose and packed, and each written.
figures=$(sed -n 's/^  figures converted: \([0-9]*\)\/\1$/\1/p' "$work/table" | awk '{ n += $1 } END { print n }')
[ "$figures" -ge 5 ] || fail "$figures figures"
[ "$(find "$work/glb" -name '*.glb' | wc -l)" -eq "$figures" ] || fail 'not every figure has a GLB'

# A cut file is unreadable, named below DATA, and described without a message.
head -c 50 "$samples/troll/walk/hp.anm" >"$work/data/cut.anm"
"$program" "$work/data" "$work/report.json" >"$work/table" || fail "status $? for a damaged file"
grep -q '^  ei-anm  *[0-9]*  *[0-9]*  *0  *0  *0  *1 ' "$work/table" || fail 'the cut file is not counted'
grep -q '"path": "cut.anm"' "$work/report.json" || fail 'the cut file is not in the report'
! grep -q "$work" "$work/report.json" || fail 'the report has the path of the folder'
! grep -q '"message"' "$work/report.json" || fail 'the report has messages'
echo 'check_data: fine'
