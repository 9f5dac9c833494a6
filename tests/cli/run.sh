#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the tool and compares what it prints and how it exits with what is written down.
#
#   tests/cli/run.sh [--update] OSSA [CASE...]
#
# OSSA is the program to test, CASE the name of a folder in cases/ (none: all of them). A case is
#
#   cmd      a piece of shell, run in a new empty folder
#   stdout   exactly what it prints; no such file: nothing
#   stderr   the same
#   exit     its exit status; no such file: 0
#   *.windows  one of these three for Windows, where it differs
#
# --update writes the last three from what happens now; look at the difference before you keep it.
# A case finds `ossa` in its PATH, tests/vectors, tests/fixtures and samples in $VECTORS, $FIXTURES and
# $SAMPLES, the top of the tree in $SOURCE, and the functions of lib.sh. $WINDOWS is empty unless OSSA is
# a program for Windows. A case exits with 77 when it cannot be run here.
#
# Exit status: 0 all as written, 1 some not, 77 all were skipped, 2 the call is wrong.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
update=no
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
if [ $# -eq 0 ] || [ ! -x "$1" ] || [ -d "$1" ]; then
    echo 'usage: run.sh [--update] OSSA [CASE...]' >&2
    exit 2
fi
binary=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
shift
if [ $# -eq 0 ]; then
    for folder in "$here"/cases/*/; do
        name=$(basename -- "$folder")
        case $name:$binary in windows-*.exe) ;; windows-*) continue ;; esac
        set -- "$@" "$name"
    done
fi

work=$(mktemp -d) || exit 2
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$work/bin" || exit 2
case $binary in
*.exe)
    # A program for Windows is run with wine, and a case that needs what Windows lacks is skipped.
    WINDOWS=yes
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$here/../../tools/wine.sh" "$binary" >"$work/bin/ossa" &&
        chmod +x "$work/bin/ossa" || exit 2
    ;;
*)
    WINDOWS=
    ln -s "$binary" "$work/bin/ossa" || exit 2
    ;;
esac
OSSA_EXE=$binary # for what has to name the program itself
export WINDOWS OSSA_EXE

PATH=$work/bin:$PATH
LC_ALL=C
SOURCE=$(CDPATH='' cd -- "$here/../.." && pwd)
FIXTURES=$SOURCE/tests/fixtures
VECTORS=$SOURCE/tests/vectors
SAMPLES=$SOURCE/samples
export PATH LC_ALL SOURCE FIXTURES VECTORS SAMPLES
unset NO_COLOR CDPATH
umask 022

# Compare one result, $1, of the case in $2; the contents that are expected without a file are in $3.
compare() {
    expected=$2/$1
    [ -z "$WINDOWS" ] || [ ! -e "$expected.windows" ] || expected=$expected.windows
    [ -e "$expected" ] || expected=$3
    cmp -s "$expected" "$work/$1" && return 0
    if [ $update = yes ]; then
        case $WINDOWS:$2 in :* | *:*/windows-*) ;; *) cp "$work/$1" "$2/$1.windows" && return 0 ;; esac
        if cmp -s "$3" "$work/$1"; then rm -f "$2/$1"; else cp "$work/$1" "$2/$1"; fi
        return 0
    fi
    diff -u -L "expected $1" -L "actual $1" "$expected" "$work/$1"
    return 1
}

run_case() {
    home=$here/cases/$1
    if [ ! -f "$home/cmd" ]; then
        echo "there is no case $1" >&2
        exit 2
    fi
    mkdir "$work/cwd"
    (cd "$work/cwd" && exec sh -c '. "$1"; . "$2"' case "$here/lib.sh" "$home/cmd") \
        </dev/null >"$work/stdout" 2>"$work/stderr"
    status=$?
    chmod -R u+rwx "$work/cwd"
    rm -rf "$work/cwd"
    if [ $status -eq 77 ]; then
        echo "skipped: $1: $(cat "$work/stdout" "$work/stderr")"
        skipped=$((skipped + 1))
        return
    fi
    echo $status >"$work/exit"
    ok=yes
    compare stdout "$home" "$work/nothing" || ok=no
    compare stderr "$home" "$work/nothing" || ok=no
    compare exit "$home" "$work/zero" || ok=no
    if [ $ok = yes ]; then
        passed=$((passed + 1))
    else
        echo "failed: $1"
        failed=$((failed + 1))
    fi
}

: >"$work/nothing"
echo 0 >"$work/zero"
passed=0 failed=0 skipped=0
for name in "$@"; do run_case "$name"; done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit 77
