#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures of the samples, rendered by Blender: FOLDER/NAME.png, and FOLDER/NAME.glb beside it.
#
#   tools/pictures.sh OSSA FOLDER [COMMITTED]
#
# With COMMITTED, a folder of such pictures, it fails when they look otherwise; without, there are also
# those of docs/modding.md, modding-NAME.png, one of the viewer in a browser, viewer.png, and a film that it saves, wyvern.gif. Exit status: 77 when there is no Blender, or one that
# cannot work.
set -eu

if [ $# -lt 2 ] || [ ! -x "$1" ]; then
    echo 'usage: pictures.sh OSSA FOLDER [COMMITTED]' >&2
    exit 2
fi
ossa=$1
out=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

if ! command -v blender >/dev/null; then
    echo 'there is no blender'
    exit 77
fi
if ! blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1; then
    echo 'blender has no numpy, which its glTF import needs (package python3-numpy)'
    exit 77
fi

mkdir -p "$out"
for figure in pedestrian rabbit bird; do
    "$ossa" convert -q "$here/../samples/$figure" -o "$out/$figure.glb"
done
packed=$here/../samples/packed
for figure in troll wyvern; do
    "$ossa" convert -q "$packed/figures.res#$figure" "$packed/textures.res" "$packed/database.res" \
        -o "$out/$figure.glb"
done

shift
if ! blender -b --factory-startup --python-exit-code 1 -P "$here/pictures.py" -- "$@" \
    >"$out/blender.log" 2>&1; then
    cat "$out/blender.log"
    exit 1
fi
grep '^[a-z]*: ' "$out/blender.log" || true

# The guide, followed to the letter: each figure before and after.
if [ $# -eq 1 ]; then
    guide=$out/guide
    sh "$here/../tests/peers/run-guide.sh" "$ossa" "$guide"
    convert() { "$ossa" convert -q "$@"; }
    convert "$guide/figures.res#troll" "$packed/textures.res" --fps 24 -o "$guide/troll.glb"
    convert "$guide/figures.new.res#troll" "$packed/textures.res" --fps 24 -o "$guide/troll-new.glb"
    convert "$guide/ped.ar" -o "$guide/pedestrian.glb"
    convert "$guide/ped.new.ar" -o "$guide/pedestrian-new.glb"
    convert "$guide/rabbit.new.pak" --clip hop -o "$guide/rabbit-new.glb"
    convert --boxes "$guide/NICO.DAT#0x4d5" "$guide/NICO.DAT#0xcd4" -o "$guide/bird.glb"
    convert --boxes "$guide/NEW.DAT#0x4d5" "$guide/NEW.DAT#0xcd4" -o "$guide/bird-new.glb"
    blender -b --factory-startup --python-exit-code 1 -P "$here/guide_pictures.py" -- "$guide" "$out" \
        >"$out/blender.log" 2>&1 || {
        cat "$out/blender.log"
        exit 1
    }
fi

# What the viewer looks like is compared by tests/web/browser.
if [ $# -eq 1 ]; then
    for made in 'picture viewer.png' 'film wyvern.gif'; do
        OSSA=$ossa OSSA_WEB=$here/../build/web OSSA_WEB_NPM=$here/../build/web/tests \
            sh "$here/../tests/web/run-web.sh" "${made% *}" "$out/${made#* }" || [ $? -eq 77 ]
    done
fi
