#!/bin/sh
# SPDX-License-Identifier: MIT
# Run a program for Windows: tools/wine.sh PROGRAM ARGUMENTS...
# Wine keeps its registry and drives in build/wine and not in the user's home, and prints nothing of
# its own.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
export WINEPREFIX="${WINEPREFIX:-$root/build/wine}" WINEDEBUG="${WINEDEBUG:--all}"
# No menu entries on the desktop of whoever runs this, and no offers to download Mono or Gecko.
# In the C locale wine takes only ASCII for names of files.
export LC_ALL=C.UTF-8
export WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-winemenubuilder.exe,mscoree,mshtml=}"
if [ ! -e "$WINEPREFIX/system.reg" ]; then
    mkdir -p "$WINEPREFIX"
    wineboot --init >/dev/null 2>&1 || true
fi
exec wine "$@"
