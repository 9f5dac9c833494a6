#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job on the bundled samples: what they are, whether they are sound, what is in them, and
# that they come back byte for byte. Results go to build/demo/.
set -eu

ossa=build/ossa
out=build/demo
samples=samples
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }

say "what the samples are (ossa info $samples)"
"$ossa" info "$samples" | tee "$out/info.txt" | sed -n '1,24p'
printf '   ... all of it in %s\n' "$out/info.txt"

say "are they sound? (ossa check $samples)"
"$ossa" check "$samples"

say "every byte of one (ossa fields)"
"$ossa" fields "$samples"/hop.anm >"$out/fields.txt"
sed -n '1,12p' "$out/fields.txt"
printf '   ... all of it in %s\n' "$out/fields.txt"

say "to JSON and back, byte for byte (ossa dump, ossa build)"
"$ossa" dump --pretty "$samples"/* -o "$out/json/"
"$ossa" build "$out"/json/*.json -o "$out/rebuilt/"
for sample in "$samples"/*; do
    cmp "$sample" "$out/rebuilt/${sample##*/}"
    printf '%-14s %6d bytes, the same after dump and build\n' "${sample##*/}" "$(wc -c <"$sample")"
done

say "where is a damaged file broken? (the first half of one of them)"
head -c 300 "$samples/nod.anm" >"$out/damaged.anm"
"$ossa" check "$out/damaged.anm" || true

say "done"
printf 'Look at %s/info.txt, %s/fields.txt and the JSON in %s/json/.\n' "$out" "$out" "$out"
