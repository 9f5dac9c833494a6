#!/bin/sh
# SPDX-License-Identifier: MIT
# Run every fuzzer of a build for some seconds. Usage: tools/fuzz.sh BUILD_DIR SECONDS
# The seeds in fuzz/corpus/NAME are only read; new inputs and crashes stay in BUILD_DIR.
set -eu
cd "$(dirname "$0")/.."
build=$1
seconds=$2

mkdir -p "$build/crashes"
for fuzzer in "$build"/fuzzers/*; do
    test -x "$fuzzer" || { echo "fuzz: no fuzzers in $build/fuzzers" >&2; exit 1; }
    name=${fuzzer##*/}
    mkdir -p "$build/corpus/$name"
    set -- "$build/corpus/$name"
    if [ -d "fuzz/corpus/$name" ]; then set -- "$@" "fuzz/corpus/$name"; fi
    if [ -f "fuzz/$name.dict" ]; then
        # The words of the fuzzer, and the ids of the formats.
        {
            cat "fuzz/$name.dict"
            "$build/ossa" formats | sed -e 1d -e 's/ .*//' -e 's/.*/"\\"&\\""/'
        } >"$build/$name.dict"
        set -- "-dict=$build/$name.dict" "$@"
    fi
    echo "== $name, $seconds s"
    "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="$build/crashes/$name-" "$@"
done
echo "fuzz: no crash found"
