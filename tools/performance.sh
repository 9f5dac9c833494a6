#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the tables of docs/performance.md, measured by the programs of `make bench-peers`, and with
# UPDATE=1 put them there: tools/performance.sh FOLDER [ARGUMENTS OF THE PROGRAMS]
set -eu
page=$(dirname "$0")/../docs/performance.md
programs=$1
shift
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

measure() { # NAME COMMAND...
    name=$1
    shift
    "$@" >"$results/$name"
    cat "$results/$name"
    echo
}
measure play "$programs/play" --markdown "$@"
measure play-4 env OSSA_SIMD=4 "$programs/play" --markdown "$@"
measure convert "$programs/convert" --markdown "$@"

[ -n "${UPDATE-}" ] || exit 0
# A table is between its mark and the next end.
awk -v results="$results" '
    /^<!-- end of / { skip = 0 }
    !skip { print }
    /^<!-- measured: / {
        skip = 1
        print ""
        while ((getline line <(results "/" $3)) > 0) print line
        print ""
    }' "$page" >"$results/page"
cp "$results/page" "$page"
