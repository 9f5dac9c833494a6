#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh OSSA SHIM TEST: run TEST.sh, a test of what the tool does when the system lets it down, in an
# empty folder. lib.sh has what the tests share, shim.c what makes calls of the system fail.
#
# Exit status: 0 passed, 1 failed, 77 skipped, 99 the test itself is broken.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$work/bin" "$work/here" && ln -s "$1" "$work/bin/ossa" || exit 99
SHIM=$2
SOURCE=$(CDPATH='' cd -- "$here/../.." && pwd)
SAMPLES=$SOURCE/samples
FIXTURES=$SOURCE/tests/fixtures
PATH=$work/bin:$PATH
LC_ALL=C
export SHIM SOURCE SAMPLES FIXTURES PATH LC_ALL
umask 022
cd "$work/here" || exit 99
. "$here/lib.sh"
. "$here/$3.sh"
[ $failures -eq 0 ]
