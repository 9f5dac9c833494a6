# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # what they use is set by the script that sources them
# What the scripts of this folder share. They set `binary`, the ossa to test, and then source it.

ossa() { "$binary" "$@"; }

absolute() { printf '%s/%s\n' "$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)" "$(basename -- "$1")"; }

# The other program is not there: 77 tells CTest that the test was skipped. `make check` has installed
# all of them before, so there it is a failure.
skip() { # WHY
    if [ -n "${OSSA_PEERS_REQUIRED-}" ]; then
        echo "failed: $1, and OSSA_PEERS_REQUIRED is set (make check FAST=1 goes without it)"
        exit 1
    fi
    echo "skipped: $1"
    exit 77
}

need_command() { # NAME...
    for command in "$@"; do
        command -v "$command" >/dev/null || skip "there is no $command"
    done
}

# Make a file of a game from its JSON: document FORMAT DATA OUTPUT
document() { printf '{"ossa":1,"format":"%s","size":0,"data":%s}' "$1" "$2" | ossa build - -o "$3"; }

# A figure whose names change when they are cleaned, are equal then, or equal that of another node:
# odd_names FOLDER CLIP
odd_names() {
    mkdir -p "$1/$2"
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
        {"child":"правая рука","parent":"ab","child_nul":true,"parent_nul":true}]}' "$1/names.lnk"
    for part in 'a b' a.b ab '...'; do
        cp "$samples/troll/walk/hp.anm" "$1/$2/$part.anm"
    done
    # A place for each, so that one taken for another shows; the slash of the fifth cannot be in a
    # file's name, so it stays at 0.
    place=0
    for part in 'a b' a_b a.b ab '...' node names ab_2 'правая рука'; do
        place=$((place + 1))
        document ei-bon "{\"positions\":[[0.$place,0.$((place * 7 % 10)),1]]}" "$1/$part.bon"
    done
}
