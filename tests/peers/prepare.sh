#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes what the other programs open, and what they must show.
#
#   tests/peers/prepare.sh OSSA FOLDER MAKE_GLTF
#
# For every figure of subjects.sh, in FOLDER, which is made anew:
#   NAME.glb            all clips and cameras, from `ossa convert`
#   NAME.json           the scene: what cameras must do is in it
#   NAME.frames.jsonl   `ossa pose --json` of every frame of every clip, a line each
#   NAME.between.jsonl  the same at some times between frames
#   NAME/CLIP.bvh       every clip as BVH
#   NAME.vertices.jsonl where vertices with several bones are, of a figure that has some (make_gltf.c)
#   subjects            the names
# and shapes-*.glb and weighted.* of MAKE_GLTF (make_gltf.c), which no file of a game gives.
set -eu
export LC_ALL=C # numbers with points, and awk that does not mind UTF-8

if [ $# -ne 3 ] || [ ! -x "$1" ] || [ ! -x "$3" ]; then
    echo 'usage: prepare.sh OSSA FOLDER MAKE_GLTF' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
binary=$(absolute "$1")
maker=$(absolute "$3")
samples=$here/../../samples
rm -rf "$2"
mkdir -p "$2"
cd "$2"
made=made

# Run ossa; what it says matters only if it fails: quiet ARGUMENT...
quiet() {
    if ! ossa "$@" 2>messages.txt; then
        echo "ossa $* failed:"
        cat messages.txt
        exit 1
    fi
}

# Times between the frames of a clip, in seconds: between FRAMES FPS
between() {
    awk -v frames="$1" -v fps="$2" 'BEGIN {
        steps = frames < 7 ? frames - 1 : 6
        for (i = 0; i < steps; i++) {
            printf "%.6f\n", (int(i * (frames - 1) / steps) + 0.2 + 0.11 * i) / fps
        }
    }'
}

# Every clip of the figure, by the list that `ossa convert` prints: poses NAME INPUT... <LIST
poses() {
    name=$1
    shift
    tab=$(printf '\t')
    sed -n "s/^  \\(.*\\): \\([0-9]*\\) frames at \\([0-9.]*\\) fps, .*/\\2$tab\\3$tab\\1/p" >clips.txt
    if [ ! -s clips.txt ]; then
        echo "$name: ossa convert lists no clips"
        exit 1
    fi
    while IFS=$tab read -r frames fps clip; do
        frame=0
        while [ $frame -lt "$frames" ]; do
            quiet pose --json "$@" --clip "$clip" --frame $frame >>"$name.frames.jsonl"
            frame=$((frame + 1))
        done
        for time in $(between "$frames" "$fps"); do
            quiet pose --json "$@" --clip "$clip" --time "$time" >>"$name.between.jsonl"
        done
        motion "$name" "$clip" "$@"
    done <clips.txt
}

# A clip alone must be the file that all clips together give: motion NAME CLIP INPUT...
motion() {
    figure=$1
    only=$2
    shift 2
    quiet convert -q "$@" --clip "$only" -o clip.bvh
    if ! cmp clip.bvh "$figure/$only.bvh"; then
        echo "$figure: $only.bvh is not what --clip gives"
        exit 1
    fi
}

subject() {
    figure=$1
    shift
    quiet convert "$@" -o "$figure.glb" >made.txt
    quiet convert -q "$@" -o "$figure.json"
    quiet convert -q "$@" --to bvh -o "$figure/"
    if grep -q '"joints"' "$figure.json"; then "$maker" --vertices "$figure.vertices.jsonl" "$@" || exit 1; fi
    poses "$figure" "$@" <made.txt
    echo "$figure" >>subjects
    echo "$figure: $(wc -l <clips.txt) clips, $(wc -l <"$figure.frames.jsonl") frames," \
        "$(wc -l <"$figure.between.jsonl") times between"
}

"$maker" --shapes .
"$maker" --weights .
. "$here/subjects.sh"
rm -f clip.bvh clips.txt made.txt messages.txt
