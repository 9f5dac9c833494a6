#!/bin/sh
# SPDX-License-Identifier: MIT
# The checkers that `make check` has no time for. Usage: tools/sanitize.sh JOBS [memory|thread|valgrind|analyzer]...
#
#   memory    MemorySanitizer: values that nobody has set, in the library
#   thread    ThreadSanitizer: sampling, workspaces and convert --all from several threads
#   valgrind  the tool, as users build it, on every sample
#   analyzer  gcc -fanalyzer and clang's analyser over src/ and cli/
set -eu
cd "$(dirname "$0")/.."
jobs=$1
shift
[ $# -gt 0 ] || set -- memory thread valgrind analyzer

run_memory() {
    ./tools/configure.sh memory >/dev/null
    cmake --build --preset memory -j "$jobs" >/dev/null
    # It does not see what jansson writes, so tests that read with jansson would fail for nothing.
    with_jansson=$(grep -lE 'jansson|json_peer|support/(glb|drawn)' tests/unit/test_*.c |
        sed 's,.*/\(.*\)\.c,^\1$,' | paste -sd '|')
    ctest --preset memory -j "$jobs" -R '^(test_|corpus_)' -E "$with_jansson|^corpus_json$|^test_tool_memory$"
}

run_thread() {
    ./tools/configure.sh thread >/dev/null
    cmake --build --preset thread -j "$jobs" >/dev/null
    ctest --preset thread -j "$jobs" -R '^(test_workspace_threads|test_sample_runtime|test_scene_sample|cli_convert-all.*|cli_.*jobs.*)$'
}

# Everything that the tool does with a sample, in an empty folder.
use_sample() { # OSSA FIGURE...
    ossa=$1
    shift
    memcheck() { valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite "$ossa" "$@" >/dev/null; }
    for verb in info check; do memcheck "$verb" "$@"; done
    memcheck pose --frame 1 --json "$@"
    memcheck convert -q "$@" -o a.glb
    memcheck convert -q "$@" --to bvh -o bvh/
    memcheck import a.glb --over "$@" --dry-run
    find "$@" -type f | head -3 | while read -r file; do
        memcheck fields "$file"
        memcheck dump "$file" -o a.json
        memcheck build a.json -o a.bin --force
    done
}

run_valgrind() {
    ./tools/configure.sh check-gcc >/dev/null
    cmake --build --preset check-gcc -j "$jobs" --target ossa >/dev/null
    here=$PWD
    for figure in troll pedestrian rabbit bird; do
        folder=$(mktemp -d)
        (cd "$folder" && use_sample "$here/build/check-gcc/ossa" "$here/samples/$figure") || {
            rm -rf "$folder"
            echo "valgrind: $figure failed" >&2
            exit 1
        }
        rm -rf "$folder"
        echo "valgrind: $figure: clean"
    done
}

# gcc 12 does not follow vectors (src/lanes), nor arrays that a loop of constant length sets: for
# values that nobody has set, there is MemorySanitizer.
run_analyzer() {
    find src cli -name '*.c' ! -name '*windows*' ! -path 'src/lanes/*' -print0 |
        xargs -0 -n 8 -P "$jobs" sh -c 'for file; do
            gcc -std=c11 -O1 -fanalyzer -Wno-analyzer-use-of-uninitialized-value -Werror -Iinclude -Isrc -Icli \
                -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -c "$file" -o /dev/null || exit 255; done' sh
    ./tools/configure.sh check-gcc >/dev/null
    # .clang-tidy says which of its checks are left out. One file per process: clang 14 confuses the
    # va_lists of several.
    find src cli -name '*.c' ! -name '*windows*' -print0 |
        xargs -0 -n 1 -P "$jobs" clang-tidy --quiet -p build/check-gcc --checks='-bugprone-*,-cert-*,-misc-*,-performance-*,-portability-*,-readability-*'
    echo 'analyzer: clean'
}

for kind; do
    echo "== $kind"
    case $kind in
    memory | thread | valgrind | analyzer) "run_$kind" ;;
    *)
        echo "sanitize.sh: '$kind' is none of memory, thread, valgrind and analyzer" >&2
        exit 2
        ;;
    esac
done
