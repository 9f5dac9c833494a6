#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that the tool writes for every sample and fixture, one file per call, to compare two
# builds: run it with each and `diff -r` the folders. Usage: tools/outputs.sh TOOL FOLDER [FILES]
# FILES lists the files that are taken one by one; without it, all are.
set -eu
test $# -eq 2 || test $# -eq 3 || { echo "usage: $0 TOOL FOLDER [FILES]" >&2; exit 2; }
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
files=${3:+$(cd "$(dirname "$3")" && pwd)/$(basename "$3")}
# Inputs and outputs have the same names whatever the folder is called.
cd "$out"
ln -sfn "$root/samples" samples
mkdir -p tests
ln -sfn "$root/tests/fixtures" tests/fixtures

# run NAME ARGUMENTS...: what is printed, what is complained of and the exit status.
run() {
    to=$1
    shift
    status=0
    "$tool" "$@" >"$to.out" 2>"$to.err" </dev/null || status=$?
    echo "$status" >"$to.status"
    test -s "$to.err" || rm "$to.err"
}

# scene NAME INPUTS...: all that a scene can become.
scene() {
    scene_name=$1
    shift
    run "$scene_name.pose" pose --json "$@"
    run "$scene_name.local" pose --space local --frame 1 "$@"
    for target in glb json csv; do
        run "$scene_name.$target" convert "$@" --to "$target" -o -
    done
    mkdir -p "$scene_name.gltf"
    run "$scene_name.gltf" convert "$@" -o "$scene_name.gltf/scene.gltf" --quiet
    run "$scene_name.bvh" convert "$@" --to bvh -o "$scene_name.bvh" --quiet
    run "$scene_name.skin" convert "$@" --skin --boxes --to glb -o -
    run "$scene_name.join" convert "$@" --join --in-place --to glb -o -
}

if [ -n "$files" ]; then
    cp "$files" files.txt
else
    find samples/ tests/fixtures/ -type f ! -name '*.c' ! -name '*.h' ! -name '*.md' ! -name '*.sh' \
        ! -name CMakeLists.txt | sed 's#//*#/#g' | LC_ALL=C sort >"files.txt"
fi
while read -r file; do
    name=$(echo "$file" | tr '/' '~')
    run "$name.info" info --json "$file"
    run "$name.text" info "$file"
    run "$name.check" check --json "$file"
    run "$name.fields" fields "$file"
    run "$name.dump" dump "$file"
    if test -s "$name.dump.out"; then
        run "$name.build" build "$name.dump.out" -o -
        cmp -s "$name.build.out" "$file" || echo "$file" >>"not-rebuilt.txt"
    fi
    run "$name.list" list --json "$file"
    run "$name.flat" list --flat "$file"
    scene "$name" "$file"
done <"files.txt"

for folder in samples/bird samples/pedestrian samples/rabbit samples/troll samples/wyvern; do
    scene "$(basename "$folder")" "$folder"
done
packed=samples/packed
for model in unmotr troll wyvern; do
    scene "packed-$model" "$packed/figures.res#$model" "$packed/textures.res" "$packed/database.res"
done
scene states samples/pedestrian samples/more/ped.csv
scene cameras samples/more/flight.cam
scene stage samples/rabbit samples/more/stage.anc
run all convert "$packed/figures.res" "$packed/textures.res" "$packed/database.res" --all \
    -o "all" --force
run check-all check samples tests/fixtures
run check-all-json check --json samples tests/fixtures
for archive in figures.res textures.res database.res ped.ar rabbit.pak NICO.DAT; do
    run "extract-$archive" extract "$packed/$archive" --to "extract-$archive"
done
