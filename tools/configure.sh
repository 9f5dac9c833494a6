#!/bin/sh
# SPDX-License-Identifier: MIT
# Configure a preset of CMakePresets.json: tools/configure.sh PRESET [CMAKE ARGUMENTS]
set -eu
cd "$(dirname "$0")/.."
preset=$1

folder=build/$preset
if [ "$preset" = release ]; then folder=build; fi

# CMake refuses a folder that another generator has configured, such as that of an older checkout.
if [ -f "$folder/CMakeCache.txt" ] &&
    ! grep -q '^CMAKE_GENERATOR:INTERNAL=Ninja$' "$folder/CMakeCache.txt"; then
    rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
fi

shift
exec cmake --preset "$preset" "$@"
