#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What `ossa convert` makes is put to the Khronos validator.
#
#   tests/peers/run-validator.sh OSSA FOLDER [MAKE_GLTF]
#
# OSSA is the program to test. In FOLDER, outside of the source tree, npm/ has the validator (see
# run-peer.sh); the glTF files are left in validator/ to be looked at. MAKE_GLTF (make_gltf.c)
# adds files that no input of OSSA gives.
#
# Exit status: 0 all fine, 1 not, 77 there is no validator, 2 the call is wrong.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -x "$1" ]; then
    echo 'usage: run-validator.sh OSSA FOLDER [MAKE_GLTF]' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
binary=$(absolute "$1")
samples=$here/../../samples
vectors=$here/../vectors
maker=${3:+$(CDPATH='' cd -- "$(dirname -- "$3")" && pwd)/$(basename -- "$3")}
mkdir -p "$2/results"
work=$(CDPATH='' cd -- "$2" && pwd)
results=$work/results/validator.jsonl
rm -rf "$work/validator" "$results"
need_command node
[ -f "$work/npm/installed.json" ] || skip 'nothing is installed from npm'
mkdir -p "$work/validator/inputs" "$work/validator/out"
cd "$work/validator"

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

for figure in bird pedestrian rabbit troll wyvern; do convert $figure "$samples/$figure"; done
packed=$samples/packed
for figure in troll wyvern; do
    convert "packed $figure" "$packed/figures.res#$figure" "$packed/textures.res" "$packed/database.res"
done
convert 'packed rabbit' "$packed/rabbit.pak"
convert 'packed pedestrian' "$packed/ped.ar"
ossa convert -q "$packed/figures.res" "$packed/textures.res" "$packed/database.res" --all -o all/ || exit 1
for figure in troll wyvern; do cp "all/$figure.glb" "out/all, $figure.glb"; done
for figure in ei-complexion ei-troll mm-ped sotc-bird vib-rabbit; do
    convert $figure "$vectors/pose/$figure"
done
convert 'every packet' "$here/../fixtures/vib-tmd/every-packet.tmd"
convert 'solid' "$here/../fixtures/vib-tmd/solid.tmd"
# A human with its variants, and figures of one part.
(
    SOURCE=$here/../..
    FIXTURES=$here/../fixtures
    . "$here/../cli/lib.sh"
    make_human work && pack_folder work inputs/figures.res
) || exit 1
convert human 'inputs/figures.res#human'
convert 'armed human' 'inputs/figures.res#human' --parts '*.armor0?' --parts rh3.sword07 --parts '!bd'
convert sword 'inputs/figures.res#sword'
convert barrel 'inputs/figures.res#barrel'
convert joined "$samples/rabbit/rabbit.tmd" "$samples/rabbit/walk0.anm" "$samples/rabbit/walk1.anm" --join
convert resampled "$samples/troll" --resample 3 --clip 'w*'
convert huge "$samples/pedestrian" --scale 1e9 --fps 1e6
convert tiny "$samples/troll" --scale 1e-9 --fps 0.001

# Pedestrians with the properties of the games' own files, with clothes to choose from.
FIXTURES=$here/../fixtures
. "$here/../support/pedestrians.sh"
mm1_pedestrian inputs/officer
convert officer inputs/officer
mm2_pedestrians inputs/core
for figure in man manw; do
    convert "pedestrian, $figure" "inputs/core/anim/pedmodel_$figure.skel" "inputs/core/anim/pedmodel_$figure.mod" \
        "inputs/core/anim/pedmodel_$figure.csv" "inputs/core/anim/pedmodel_$figure.shaders" \
        inputs/core/anim/pedanim_manstand.anim inputs/core/anim/pedanim_manwalk.anim
done

# ---- oddities ---------------------------------------------------------------------------------------

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

odd_names inputs/names 'ходьба 1.5'
convert 'имена #1 100%.v2' inputs/names

if [ -n "$maker" ]; then "$maker" out; fi

NODE_PATH=$work/npm/node_modules node "$here/validate.js" "$results" out/*.glb out/*.gltf
