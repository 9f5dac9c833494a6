#!/bin/sh
# SPDX-License-Identifier: MIT
#
# docs/modding.md, followed to the letter with the packed samples: Blender does the edits, and every
# command prints what the page says.
#
#   tests/peers/run-guide.sh OSSA FOLDER
#
# Exit status: 0 all fine, 1 not, 77 Blender is not there, 2 the call is wrong.
set -eu

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo 'usage: run-guide.sh OSSA FOLDER' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
page=$(CDPATH='' cd -- "$here/../../docs" && pwd)/modding.md
. "$here/lib.sh"
. "$here/../support/guide.sh"
binary=$(absolute "$1")
rm -rf "$2"
mkdir -p "$2"
cp "$here"/../../samples/packed/* "$2"
cd "$2"
need_command blender
blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1 ||
    skip 'blender has no numpy, which its glTF import needs (package python3-numpy)'

guide_edit() { # FROM TO FPS EDIT...
    blender -b --factory-startup --python-exit-code 1 -P "$here/blender_guide.py" -- "$@" >blender.log 2>&1 ||
        tail -5 blender.log
}

set +e # some commands report differences
guide_session "$page" >actual 2>&1
guide_compare "$page" actual || exit 1
echo "$(grep -c '^\$ ' actual) commands of docs/modding.md print what it says"
