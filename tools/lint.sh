#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-tidy and cppcheck over our C files, tools/lint-web.sh over the JavaScript; any finding is an error. Usage: tools/lint.sh [JOBS]
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-1}
database=build/check-gcc

# Configured only: both tools need the compile commands, not the objects.
./tools/configure.sh check-gcc >/dev/null

# Only files in the compile commands: for others clang-tidy would guess the flags. Generated files
# are not ours to tidy.
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$database/compile_commands.json" |
    grep '\.c$' | grep -v "/$database/" | sort -u >"$database/lint-files"
test -s "$database/lint-files" || { echo "lint: no files found" >&2; exit 1; }

echo "lint: clang-tidy, $(wc -l <"$database/lint-files") files"
# Files whose path matches, or with -v does not: tidy [-v] PATTERN [OPTION...]
tidy() {
    invert=
    if [ "$1" = -v ]; then
        invert=-v
        shift
    fi
    pattern=$1
    shift
    grep $invert "$pattern" "$database/lint-files" | tr '\n' '\0' |
        xargs -0r -P "$jobs" -n 1 clang-tidy --quiet -p "$database" "$@" 2>"$database/lint-errors"
}
# The count of warnings in system headers goes to stderr, and only matters when there is an error.
# tools/sanitize.sh runs the analyser, which takes ten times as long as all other checks.
# The shim has functions of the C library, whose headers call the parameters otherwise, as web/wasm has.
shim='/tests/faults/shim\.c$'
if ! tidy -v "$shim" '--checks=-clang-analyzer-*' ||
    ! tidy "$shim" '--checks=-clang-analyzer-*,-readability-inconsistent-declaration-parameter-name'; then
    cat "$database/lint-errors" >&2
    echo "lint: clang-tidy found problems" >&2
    exit 1
fi

# The module for browsers is built by a make of its own, with other flags. It has such functions, too.
echo "lint: clang-tidy, web/wasm"
if ! find web/wasm -name '*.c' -print0 |
    xargs -0 -P "$jobs" -n 1 sh -c 'clang-tidy --quiet --checks=-readability-inconsistent-declaration-parameter-name "$1" -- --target=wasm32-wasi -std=c11 \
        -D_GNU_SOURCE -Iinclude' tidy 2>"$database/lint-errors"; then
    cat "$database/lint-errors" >&2
    echo "lint: clang-tidy found problems in web/wasm" >&2
    exit 1
fi

echo "lint: cppcheck"
folders=''
for folder in src cli tests bench examples fuzz samples; do
    if [ -d "$folder" ]; then folders="$folders $folder"; fi
done
# That a call in between changes a condition, cppcheck does not see (duplicateCondition).
# Whether a parameter is a pointer to const is a promise of the interface, not for cppcheck to say.
# bench/peers is C++, for libraries that are not there; tests/consumers has C++, too.
# shellcheck disable=SC2086 # a list of words
cppcheck --quiet -j "$jobs" --language=c --std=c11 --library=posix \
    --enable=warning,style,performance,portability --inline-suppr \
    --suppress=variableScope --suppress=unusedStructMember \
    --suppress=readdirCalled --suppress=duplicateCondition --suppress=constParameter --suppress=constParameterPointer \
    --error-exitcode=1 -ibench/peers -itests/consumers -Iinclude -Isrc -DOSSA_API= $folders

./tools/lint-web.sh

echo "lint: clean"
