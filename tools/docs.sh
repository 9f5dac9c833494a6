#!/bin/sh
# SPDX-License-Identifier: MIT
# Generate the reference of the C interface in build/docs/api; say what is undocumented.
set -eu
cd "$(dirname "$0")/.."
out=build/docs/api

version=$(sed -n 's/^#define OSSA_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/ossa/api.h | paste -s -d .)
pages=include/ossa
main=''
if [ -f docs/api.md ]; then
    pages="$pages docs/api.md"
    main=docs/api.md
fi

rm -rf "$out"
mkdir -p "$out"
{
    cat docs/Doxyfile
    echo "PROJECT_NUMBER = $version"
    echo "OUTPUT_DIRECTORY = $out"
    echo "INPUT = $pages"
    echo "USE_MDFILE_AS_MAINPAGE = $main"
    echo "WARN_LOGFILE = $out/warnings.txt"
} | doxygen -

# Members of structs whose name says all need no comment; functions should have one. Anything else that
# Doxygen finds is an error.
members=$(grep -c '(variable).*is not documented' "$out/warnings.txt" || true)
if grep -v 'is not documented' "$out/warnings.txt" | grep 'warning:\|error:' >&2; then
    echo "docs: Doxygen has complaints" >&2
    exit 1
fi
grep '(function).*is not documented' "$out/warnings.txt" >&2 || true
echo "docs: $out/index.html; $members members of structs have no comment ($out/warnings.txt)"
