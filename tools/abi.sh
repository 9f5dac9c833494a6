#!/bin/sh
# SPDX-License-Identifier: MIT
# Compare the binary interface of the shared library with that of the last release tag.
# Usage: tools/abi.sh [JOBS]
#
# An incompatible change is fine when the SONAME has changed with it. Exit status: 0 compatible, or a new
# SONAME, or no release yet; 1 an incompatible change under the same SONAME, or a failure.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-1}
root=$(pwd)
work=$root/build/abi
mkdir -p "$work"

# What both are built with; -Og keeps the types that abidiff reads from the debug information.
build_library() { # SOURCE BUILD
    cmake -G Ninja -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-Og -g' >/dev/null
    cmake --build "$2" -j "$jobs" --target ossa_shared >/dev/null
}
soname_of() { objdump -p "$1" | sed -n 's/^ *SONAME *//p'; }

rm -rf "$work/now"
build_library "$root" "$work/now"
now=$work/now/libossa.so

tag=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
if [ -z "$tag" ]; then
    abidw --headers-dir include "$now" >"$work/now.abi"
    echo "abi: there is no release tag (v*) to compare with; $(soname_of "$now") can be read:" \
        "$(grep -c '<elf-symbol ' "$work/now.abi") symbols"
    exit 0
fi

# A worktree of its own, so that nothing here is touched.
git worktree prune
rm -rf "$work/released" "$work/then"
git worktree add --quiet --detach "$work/released" "$tag"
trap 'git worktree remove --force "$work/released"' EXIT
build_library "$work/released" "$work/then"
then=$work/then/libossa.so

status=0
abidiff --headers-dir1 "$work/released/include" --headers-dir2 include "$then" "$now" \
    >"$work/report.txt" || status=$?
cat "$work/report.txt"
# The bits of abidiff's exit status: 1 error, 2 usage, 4 change, 8 incompatible change.
if [ $((status & 3)) -ne 0 ]; then
    echo "abi: abidiff failed" >&2
    exit 1
fi
old=$(soname_of "$then")
new=$(soname_of "$now")
if [ "$old" != "$new" ]; then
    echo "abi: $tag was $old, this is $new: programs are linked anew"
elif [ "$status" -eq 0 ]; then
    echo "abi: the same as $tag, $old"
# What only adds functions is compatible; structs that grew are not, whatever abidiff calls them.
elif [ $((status & 8)) -eq 0 ] && grep -q 'Functions changes summary: 0 Removed, 0 Changed' "$work/report.txt"; then
    echo "abi: compatible with $tag, $old"
else
    echo "abi: incompatible with $tag, but still $old: raise the version" >&2
    exit 1
fi
