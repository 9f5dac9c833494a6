#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails when what the generator makes differs from the committed samples: in a byte, or in a file
# too many or too few. Usage: check.sh BINARY SAMPLES_DIR
set -eu

if [ $# -ne 2 ]; then
    echo "usage: check.sh BINARY SAMPLES_DIR" >&2
    exit 2
fi
binary=$1
samples=$2
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
trap 'exit 1' HUP INT TERM

"$binary" "$made"
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
    echo "check.sh: $samples is not what $binary makes; if that is meant: $binary $samples" >&2
fi
exit "$status"
