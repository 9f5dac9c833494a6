#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What `ossa convert` makes is put to the Khronos validator.
#
#   tests/gltf/run-validator.sh OSSA FOLDER [MAKE_GLTF]
#
# OSSA is the program to test. In FOLDER, outside of the source tree, the validator is installed (once:
# with the network, afterwards without) and the glTF files are left to be looked at. MAKE_GLTF (make_gltf.c)
# adds files that no input of OSSA gives.
#
# Exit status: 0 all fine, 1 not, 77 there is no node or npm, 2 the call is wrong.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -x "$1" ]; then
    echo 'usage: run-validator.sh OSSA FOLDER [MAKE_GLTF]' >&2
    exit 2
fi
binary=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
samples=$here/../../samples
vectors=$here/../vectors
for command in node npm; do
    command -v $command >/dev/null || { echo "skipped: there is no $command"; exit 77; }
done
maker=${3:+$(CDPATH='' cd -- "$(dirname -- "$3")" && pwd)/$(basename -- "$3")}
mkdir -p "$2"
cd "$2"

# The copy of the lock file is made last: it stands for a whole installation.
if ! cmp -s "$here/package-lock.json" installed.json; then
    echo 'installing the validator'
    rm -f installed.json
    cp "$here/package.json" "$here/package-lock.json" .
    if ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; then
        echo 'the validator cannot be installed; make check FAST=1 goes without it' >&2
        exit 1
    fi
    cp "$here/package-lock.json" installed.json
fi

rm -rf inputs out
mkdir inputs out
ossa() { "$binary" "$@"; }

# Convert to .glb and .gltf, with boxes and without: convert NAME INPUT... ; some make warnings.
convert() {
    name=$1
    shift
    for end in .glb .gltf; do
        ossa convert -q "$@" -o "out/$name$end" 2>messages.txt || fail
        ossa convert -q "$@" --boxes -o "out/$name, boxes$end" 2>messages.txt || fail
        ossa convert -q "$@" --boxes --skin -o "out/$name, skin$end" 2>messages.txt || fail
    done
}
fail() {
    echo "$name$end cannot be made:"
    cat messages.txt
    exit 1
}

# ---- samples and vectors ----------------------------------------------------------------------------

for figure in bird pedestrian rabbit troll; do convert $figure "$samples/$figure"; done
for figure in ei-complexion ei-troll mm-ped sotc-bird vib-rabbit; do
    convert $figure "$vectors/pose/$figure"
done
convert joined "$samples/rabbit/rabbit.tmd" "$samples/rabbit/walk0.anm" "$samples/rabbit/walk1.anm" --join
convert resampled "$samples/troll" --resample 3 --clip 'w*'
convert huge "$samples/pedestrian" --scale 1e9 --fps 1e6
convert tiny "$samples/troll" --scale 1e-9 --fps 0.001

# ---- oddities ---------------------------------------------------------------------------------------

# A document for `ossa build`: document FORMAT DATA OUTPUT
document() { printf '{"ossa":1,"format":"%s","size":0,"data":%s}' "$1" "$2" | ossa build - -o "$3"; }

# Midtown Madness with so many bones and frames: skeleton KIND BONES, animation BONES FRAMES
skeleton() {
    awk -v kind="$1" -v bones="$2" 'BEGIN {
        print "NumBones " bones
        for (i = 0; i < bones; i++) {
            print "bone b" i " {\n offset 0 " (i % 7) / 10 " 0.1"
            if (kind == "star" && i > 0) print "}"
        }
        for (i = 0; i < (kind == "star" ? 1 : bones); i++) print "}"
    }'
}
animation() {
    awk -v bones="$1" -v frames="$2" 'BEGIN {
        width = 3 * bones + 3
        printf "{\"dialect\":\"mm1\",\"frames\":%d,\"channels\":[{\"floats_per_frame\":%d,", frames, width
        printf "\"unknown\":null,\"type\":null,\"frames\":["
        for (f = 0; f < frames; f++) {
            printf "%s[", (f > 0 ? "," : "")
            for (i = 0; i < width; i++) printf "%s%.6f", (i > 0 ? "," : ""), sin(i + f * f)
            printf "]"
        }
        printf "]}]}"
    }'
}

skeleton chain 1 >inputs/one.skel
document mm-anim "$(animation 1 5)" inputs/five.anim
document mm-anim "$(animation 1 1)" inputs/one.anim
document mm-anim "$(animation 1 90)" inputs/ninety.anim
convert 'one bone' inputs/one.skel inputs/five.anim
convert 'one frame' inputs/one.skel inputs/one.anim
convert 'several lengths' inputs/one.skel inputs/one.anim inputs/five.anim inputs/ninety.anim
convert 'no clip' inputs/one.skel
for kind in chain star; do
    skeleton $kind 300 >inputs/$kind.skel
    document mm-anim "$(animation 300 4)" inputs/many.anim
    convert "300 bones in a $kind" inputs/$kind.skel inputs/many.anim
done

convert 'no frames' "$vectors/pose/vib-rabbit/rabbit.tmd" "$vectors/vib-anm/no-frames.anm"
convert 'no skeleton' "$samples/pedestrian/run.anim"
convert 'no skeleton, Colossus' "$samples/bird/fly.anb"
convert 'no model' "$samples/rabbit/hop.anm"
convert 'no tree' "$samples/troll/walk"
convert 'no positions' "$samples/troll/troll.lnk" "$samples/troll/walk"

# Of four objects one is always there, one now and then, one without size; the last is never shown.
document vib-anm '{"rate":30,"frames":[
    [{"object":0,"flags":4,"position":[1,2,3]},{"object":1,"flags":1,"rotation":[1,2,3]},
     {"object":2,"flags":2,"scale":[0,0,0]}],
    [{"object":0,"flags":4,"position":[4,5,6]}],
    [{"object":0,"flags":4,"position":[7,8,9]},{"object":1,"flags":1,"rotation":[2048,0,4095]},
     {"object":2,"flags":2,"scale":[-4096,4096,32767]}]]}' inputs/hiding.anm
convert 'never shown' "$vectors/pose/vib-rabbit/rabbit.tmd" inputs/hiding.anm
document vib-anm '{"rate":30,"frames":[[],[]]}' inputs/nothing.anm
convert 'nothing shown' "$vectors/pose/vib-rabbit/rabbit.tmd" inputs/nothing.anm

# Names that change when they are cleaned, are equal then, or equal that of another node.
document ei-lnk '{"links":[
    {"child":"a b","parent":"","child_nul":true,"parent_nul":true},
    {"child":"a_b","parent":"a b","child_nul":true,"parent_nul":true},
    {"child":"a.b","parent":"a b","child_nul":true,"parent_nul":true},
    {"child":"ab","parent":"a.b","child_nul":true,"parent_nul":true},
    {"child":"[a:b]/","parent":"ab","child_nul":true,"parent_nul":true},
    {"child":"...","parent":"ab","child_nul":true,"parent_nul":true},
    {"child":"node","parent":"ab","child_nul":true,"parent_nul":true},
    {"child":"names","parent":"ab","child_nul":true,"parent_nul":true},
    {"child":"ab_2","parent":"ab","child_nul":true,"parent_nul":true},
    {"child":"правая рука","parent":"ab","child_nul":true,"parent_nul":true}]}' inputs/names.lnk
mkdir 'inputs/ходьба 1.5'
for part in 'a b' a.b ab '...'; do
    cp "$samples/troll/walk/hp.anm" "inputs/ходьба 1.5/$part.anm"
done
convert 'имена #1 100%.v2' inputs/names.lnk 'inputs/ходьба 1.5'

if [ -n "$maker" ]; then "$maker" out; fi

NODE_PATH=$PWD/node_modules node "$here/validate.js" out/*.glb out/*.gltf
