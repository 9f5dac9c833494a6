#!/bin/sh
# SPDX-License-Identifier: MIT
# Fail if a shared library exports anything but the public interface: names that start with
# `ossa_`, where `ossa__` is private. Usage: tools/check-exports.sh LIBRARY
set -eu
test $# -eq 1 || { echo "usage: $0 LIBRARY" >&2; exit 2; }

symbols=$(nm -D --defined-only "$1" | awk '{ sub(/@.*/, "", $NF); print $NF }')
if [ -z "$symbols" ]; then
    echo "$1 exports nothing" >&2
    exit 1
fi
wrong=$(printf '%s\n' "$symbols" | grep -v '^ossa_[^_]' || true)
if [ -n "$wrong" ]; then
    echo "$1 exports what is not public:" >&2
    printf '%s\n' "$wrong" >&2
    exit 1
fi
echo "$(printf '%s\n' "$symbols" | wc -l) exported symbols, all public"
