#!/bin/sh
# SPDX-License-Identifier: MIT
# Compare what COMMAND prints for every sample and fixture with hashes.txt, or write that anew:
#     tests/platforms/run.sh [--update] COMMAND...
# COMMAND is platform_hashes (hashes.c), with an emulator before it if it needs one, or api.mjs. It
# runs at the top of the tree, so that paths in messages are the same everywhere. What it cannot make
# it leaves out as KIND:none; glb:png is not compared either.
#
# Exit status: 0 all are the same, 1 some differ or COMMAND failed, 2 the call is wrong.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
update=no
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
[ $# -gt 0 ] || { echo 'usage: run.sh [--update] COMMAND...' >&2; exit 2; }
cd "$here/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

inputs() {
    find samples tests/fixtures -type f ! -name '*.c' ! -name '*.h' ! -name '*.md' ! -name '*.sh' \
        ! -name CMakeLists.txt | LC_ALL=C sort
    printf '%s\n' samples/bird samples/pedestrian samples/rabbit samples/troll samples/wyvern
    for figure in troll wyvern; do
        echo "samples/packed/figures.res#$figure samples/packed/textures.res samples/packed/database.res"
    done
    echo 'samples/pedestrian samples/more/ped.csv'
    echo 'samples/rabbit samples/more/stage.anc'
}

inputs >"$work/inputs"
status=0
"$@" <"$work/inputs" >"$work/raw" || status=$?
tr -d '\r' <"$work/raw" >"$work/hashes"
if [ $status -ne 0 ]; then
    echo "exit status $status after $(wc -l <"$work/hashes") inputs"
    exit 1
fi
if [ $update = yes ]; then
    if grep -q ':png\|:none' "$work/hashes"; then
        echo 'run.sh: not all is there: update with a build without libpng (make check-platforms)' >&2
        exit 2
    fi
    cp "$work/hashes" "$here/hashes.txt"
    exit 0
fi

# Compared by input and kind, so that a difference names both.
awk -v reference="$here/hashes.txt" '
function differ(what) { if (++different <= 5) print what }
function input_of(line) { sub(/ [a-z]+:.*/, "", line); return line }
function kind_of(output) { sub(/:.*/, "", output); return output }
BEGIN { while ((getline line <reference) > 0) expected[input_of(line)] = line }
{
    input = input_of($0)
    if (!(input in expected)) { differ(input ": is new"); next }
    n = split(substr($0, length(input) + 2), found, " ")
    m = split(substr(expected[input], length(input) + 2), wanted, " ")
    delete expected[input]
    for (i = 1; i <= n || i <= m; i++) {
        left_out = found[i] ~ /:(none|png)$/ && kind_of(found[i]) == kind_of(wanted[i])
        if (left_out) continue
        outputs++
        if (found[i] != wanted[i]) differ(input ": found " found[i] ", expected " wanted[i])
    }
}
END {
    for (input in expected) differ(input ": is missing")
    if (different > 5) print "and " different - 5 " more"
    if (different) print "if this is meant: make check-platforms PLATFORMS=native UPDATE=1"
    print outputs " outputs of " NR " inputs: " (different ? "different" : "same")
    exit different > 0
}' "$work/hashes"
