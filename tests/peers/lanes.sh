#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels of src/lanes give the same bits at every width on every machine: this one, 64-bit ARM
# (NEON, under qemu) and WebAssembly (under node). Usage: tests/peers/lanes.sh SOURCE FOLDER COMPILER
#
# Exit status: 0 all agree, 1 they do not, 77 one of the machines is not there, 2 the call is wrong.
set -eu
test $# -eq 3 || { echo 'usage: lanes.sh SOURCE FOLDER COMPILER' >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
source=$1
mkdir -p "$2"
cd "$2"
rm -f ./*.txt

compile() { # OUTPUT COMPILER...
    to=$1
    shift
    "$@" -std=c11 -O2 -Werror -ffp-contract=off -I"$source/include" -I"$source/src" "$here/lanes_check.c" \
        "$source"/src/lanes/*.c "$source/src/base/quaternion.c" -lm -o "$to"
}

compile native "$3"
./native >native.txt
missing=''
if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
    compile arm64 aarch64-linux-gnu-gcc -static
    qemu-aarch64 ./arm64 >arm64.txt
else
    missing="$missing aarch64-linux-gnu-gcc or qemu-aarch64"
fi
if command -v clang >/dev/null && command -v node >/dev/null && command -v wasm-ld >/dev/null; then
    compile lanes.wasm clang --target=wasm32-wasi -msimd128
    node --no-warnings "$here/run_wasi.mjs" lanes.wasm >wasm.txt
else
    missing="$missing clang, wasm-ld or node"
fi

# Each line: machine, width, result.
for machine in *.txt; do sed "s/^/${machine%.txt} /" "$machine"; done | tee all
if [ "$(cut -d ' ' -f 3 all | sort -u | wc -l)" -ne 1 ]; then
    echo 'the results differ'
    exit 1
fi
test -z "$missing" || skip "there is no$missing"
