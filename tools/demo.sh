#!/bin/sh
# SPDX-License-Identifier: MIT
# The main jobs on the bundled samples: what they are, whether they are sound, what is in them, that
# they come back byte for byte, where the bones are, all of them as glTF, whole figures out of archives,
# when Blender is there pictures of them, and a page in which all of them move. Results go to
# build/demo/.
set -eu

ossa=build/ossa
out=build/demo
samples=samples
figures='troll pedestrian rabbit bird'
rm -rf "$out"
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }
files() { for figure in $figures more; do find "$samples/$figure" -type f | sort; done; }

say "what the samples are (ossa info $samples/*)"
for figure in $figures; do "$ossa" info "$samples/$figure"; done >"$out/info.txt"
sed -n '1,24p' "$out/info.txt"
printf '   ... all of it in %s\n' "$out/info.txt"

say "are they sound? (ossa check)"
for figure in $figures more; do "$ossa" check "$samples/$figure"; done

say "every byte of one (ossa fields $samples/rabbit/hop.anm)"
"$ossa" fields "$samples/rabbit/hop.anm" >"$out/fields.txt"
sed -n '1,12p' "$out/fields.txt"
printf '   ... all of it in %s\n' "$out/fields.txt"

say "to JSON and back, byte for byte (ossa dump, ossa build)"
count=0
for file in $(files); do
    json=$out/json/${file#"$samples/"}.json
    mkdir -p "${json%/*}"
    "$ossa" dump --pretty "$file" -o "$json"
    "$ossa" build "$json" --force -o "$out/rebuilt"
    cmp "$file" "$out/rebuilt"
    count=$((count + 1))
done
rm "$out/rebuilt"
printf '%d files are the same after dump and build; their JSON is in %s/json/\n' "$count" "$out"

say "where is a damaged file broken? (the first half of one of them)"
head -c 300 "$samples/troll/walk/hp.anm" >"$out/damaged.anm"
"$ossa" check "$out/damaged.anm" || true

say "where are the bones? (ossa pose $samples/bird --clip fly --time 0.5)"
"$ossa" pose "$samples/bird" --clip fly --time 0.5 | cut -c 1-84,117-

say "all clips of each for Blender, browsers and engines (ossa convert)"
for figure in $figures; do
    # Boxes along the bones where there is no mesh: only the rabbit has one.
    "$ossa" convert --boxes "$samples/$figure" -o "$out/$figure.glb"
    printf '  %d bytes\n' "$(wc -c <"$out/$figure.glb")"
done

say "from an archive of the game: what is in it (ossa list)"
packed=$samples/packed
"$ossa" list "$packed/figures.res"

say "a part of a figure taken out, archives inside as folders (ossa extract)"
"$ossa" extract "$packed/figures.res" --to "$out/parts" 'wyvern.anm#fly'
ls "$out/parts/wyvern.anm/fly"

say "a figure by its name, with its texture and its database; then every figure (--all)"
"$ossa" convert "$packed/figures.res#wyvern" "$packed/textures.res" "$packed/database.res" -o "$out/wyvern.glb"
"$ossa" convert "$packed/figures.res" "$packed/textures.res" "$packed/database.res" --all -o "$out/all/"
ls "$out/all"

say "a table of states, clips in place, and a camera beside a figure"
"$ossa" convert "$samples/pedestrian" "$samples/more/ped.csv" --boxes --in-place -o "$out/states.glb"
"$ossa" convert "$samples/rabbit" "$samples/more/stage.anc" -o "$out/stage.glb"

say "motion capture, one file per clip, and a table of the poses"
"$ossa" convert "$samples/troll" --to bvh -o "$out/bvh/"
"$ossa" convert "$samples/bird" --clip fly -o "$out/fly.csv"
sed -n '1,3p' "$out/fly.csv" | cut -c 1-100

say "and back: a clip as a new one of the wyvern, and what differs then (ossa import, ossa diff)"
"$ossa" convert -q "$samples/packed/figures.res#wyvern" --clip fly -o "$out/swoop.glb"
"$ossa" import "$out/swoop.glb" --as swoop --over "$samples/packed/figures.res#wyvern" -o "$out/figures.res"
"$ossa" diff "$samples/packed/figures.res" "$out/figures.res" || [ $? -eq 1 ]

say "pictures of them, by Blender"
echo 'this can take a minute'
status=0
./tools/pictures.sh "$ossa" "$out" || status=$?
case $status in
0) ls "$out"/*.png ;;
77) echo 'no pictures then; docs/pictures/ has those that it would make' ;;
*) exit $status ;;
esac

say "see them move, in the browser (ossa view)"
# shellcheck disable=SC2046 # a list of words
"$ossa" view $(for figure in $figures; do echo "$samples/$figure"; done) "$packed/figures.res" \
    "$packed/textures.res" "$packed/database.res" -o "$out/samples.html"

say "done"
cat <<END
Look at them: open $PWD/$out/samples.html in a browser: all the samples are in it, and it takes more
files when they are dropped on it. Or in Blender, File > Import > glTF 2.0: $out/*.glb; the clips are
the animations in them.
END
