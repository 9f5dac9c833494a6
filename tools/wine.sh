#!/bin/sh
# SPDX-License-Identifier: MIT
# Run a program for Windows: tools/wine.sh PROGRAM ARGUMENTS...
# Wine keeps its registry and drives in build/wine and not in the user's home, and prints nothing of
# its own. With --keep-running only its server is started, which then waits two minutes for the next
# program: many programs in a row start faster.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
export WINEPREFIX="${WINEPREFIX:-$root/build/wine}" WINEDEBUG="${WINEDEBUG:--all}"
# No menu entries on the desktop of whoever runs this, and no offers to download Mono or Gecko.
export WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-winemenubuilder.exe,mscoree,mshtml=}"
# In the C locale wine takes only ASCII for names of files.
export LC_ALL=C.UTF-8
if [ ! -e "$WINEPREFIX/system.reg" ]; then
    mkdir -p "$WINEPREFIX"
    wineboot --init >/dev/null 2>&1 || true
fi
if [ "$1" = --keep-running ]; then
    # Where Debian has it.
    server=$(PATH=$PATH:/usr/lib/wine command -v wineserver64 || PATH=$PATH:/usr/lib/wine command -v wineserver)
    "$server" -p120 >/dev/null 2>&1 || true # it may be running
    exit 0
fi
exec wine "$@"
