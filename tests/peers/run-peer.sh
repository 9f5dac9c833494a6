#!/bin/sh
# SPDX-License-Identifier: MIT
#
# One of the other programs, on what prepare.sh made.
#
#   tests/peers/run-peer.sh npm|three|blender|addon|versions|pictures|assimp|interop OSSA FOLDER [ASSIMP_CHECK]
#
# FOLDER is outside of the source tree; in it are files/ of prepare.sh, npm/ with what comes from npm
# (once with the network, afterwards without), and results/, which tools/interop.js makes a table of.
#
# Exit status: 0 all fine, 1 not, 77 the program is not there, 2 the call is wrong.
set -eu

if [ $# -lt 3 ] || [ ! -x "$2" ]; then
    echo 'usage: run-peer.sh PEER OSSA FOLDER [ASSIMP_CHECK]' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
peer=$1
binary=$(absolute "$2")
assimp_check=${4-}
mkdir -p "$3/results"
cd "$3"

# The copy of the lock file is made last: it stands for a whole installation.
install_npm() {
    need_command node npm
    mkdir -p npm
    if cmp -s "$here/package-lock.json" npm/installed.json; then return; fi
    rm -f npm/installed.json
    cp "$here/package.json" "$here/package-lock.json" npm/
    if ! (cd npm && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error); then
        echo 'what comes from npm cannot be installed; make check FAST=1 goes without it' >&2
        exit 1
    fi
    cp "$here/package-lock.json" npm/installed.json
}

need_npm() {
    need_command node
    [ -f npm/installed.json ] || skip 'nothing is installed from npm'
}

run_three() {
    rm -f results/three-*.jsonl
    need_npm
    node "$here/three_check.mjs" npm/node_modules files results
}

run_blender() {
    rm -rf blender results/blender-*.jsonl
    need_command blender
    blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1 ||
        skip 'blender has no numpy, which its glTF import needs (package python3-numpy)'
    blender -b --factory-startup --python-exit-code 1 -P "$here/blender_check.py" -- files blender results
}

run_addon() {
    rm -rf addon
    need_command blender
    blender -b --factory-startup --python-exit-code 1 -P "$here/blender_addon.py" -- "$binary" files addon
    BLENDER_USER_SCRIPTS=$PWD/addon/scripts BLENDER_USER_CONFIG=$PWD/addon/config \
        blender -b --factory-startup --python-exit-code 1 -P "$here/blender_addon_install.py" -- "$binary" "$PWD/addon"
}

run_versions() {
    need_command python3
    OSSA=$binary python3 -B -m unittest discover -s "$here/../blender"
}

run_pictures() {
    status=0
    "$here/../../tools/pictures.sh" "$binary" pictures "$here/../../docs/pictures" || status=$?
    [ $status -ne 77 ] || skip 'no pictures without a Blender that works'
    exit $status
}

run_assimp() {
    rm -f results/assimp-*.jsonl
    [ -n "$assimp_check" ] || skip 'assimp was not there when the tests were configured (libassimp-dev)'
    "$assimp_check" files results
}

run_interop() {
    need_command node
    for results in validator blender-gltf blender-bvh assimp-gltf assimp-bvh three-gltf three-bvh; do
        [ -f "results/$results.jsonl" ] || skip "there are no results of $results"
    done
    node "$here/../../tools/interop.js" --check results "$here/../../docs/interop.md"
}

case $peer in
npm) install_npm ;;
three) run_three ;;
blender) run_blender ;;
addon) run_addon ;;
versions) run_versions ;;
pictures) run_pictures ;;
assimp) run_assimp ;;
interop) run_interop ;;
*)
    echo "run-peer.sh: '$peer' is none of npm, three, blender, addon, versions, pictures, assimp and interop" >&2
    exit 2
    ;;
esac
