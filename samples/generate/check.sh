#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails when what the generator makes differs from the committed samples: in a byte, or in a file
# too many or too few. Usage: check.sh SAMPLES_DIR COMMAND...
set -eu

if [ $# -lt 2 ]; then
    echo "usage: check.sh SAMPLES_DIR COMMAND..." >&2
    exit 2
fi
samples=$1
shift
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
trap 'exit 1' HUP INT TERM

"$@" "$made"
status=0
count=0
for folder in "$made"/*/; do
    name=$(basename "$folder")
    diff -r "$samples/$name" "$folder" || status=1
    count=$((count + 1))
done
# A generator that makes nothing must not pass.
if [ "$count" -ne 7 ]; then
    echo "check.sh: $count folders made, not 7" >&2
    status=1
fi
if [ "$status" -ne 0 ]; then
    echo "check.sh: $samples is not what the generator makes; if that is meant: $* $samples" >&2
fi
exit "$status"
