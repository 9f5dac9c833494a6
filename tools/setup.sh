#!/bin/sh
# SPDX-License-Identifier: MIT
# Install the Debian packages that are missing for the named groups:
#     tools/setup.sh GROUP...    (need_group has them all)
# Silent, and without a call to apt, when all is there. CC=clang adds clang to build and check;
# FAST=1 takes the other programs that open our files, node, npm, Blender and assimp, what builds and
# shows the viewer, GNU parallel, and what makes and lists disc images out of check.
set -eu

# What counts is whether a thing works, not which package it came from.
has_command() { command -v "$1" >/dev/null 2>&1; }
has_daemon() { (PATH=$PATH:/usr/sbin && has_command "$1"); }
has_module() { has_command pkg-config && pkg-config --exists "$1"; }
has_firefox() { has_command firefox-esr || has_command firefox; }
# Other programs are called convert, too.
has_magick() { has_command magick || has_command convert-im6.q16 || { convert -version 2>/dev/null | grep -q ImageMagick; }; }
has_dejavu() { [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ]; }
has_header() { [ -e "/usr/include/$1" ]; }
# A compiler can be there without the C library's headers or the sanitizer runtimes.
compiles() { # COMPILER FLAGS...
    has_command "$1" || return 1
    object=$(mktemp) || return 1
    if printf '#include <stdio.h>\nint %s(void) { return 0; }\n' "${entry:-main}" |
        "$@" -x c - -o "$object" >/dev/null 2>&1; then
        status=0
    else
        status=1
    fi
    rm -f "$object"
    return $status
}

missing=''
need() { # PACKAGE TEST...
    package=$1
    shift
    "$@" && return 0
    case " $missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac
}

need_clang() {
    need clang has_command clang
    need clang has_command clang++
    need libclang-rt-dev compiles clang -fsanitize=address,undefined
}

need_cross() { # MACHINE AS GCC, QEMU AND DEBIAN CALL IT
    need qemu-user has_command "qemu-$2"
    need "gcc-$1-linux-gnu" has_command "$1-linux-gnu-gcc"
    need "g++-$1-linux-gnu" has_command "$1-linux-gnu-g++"
    need "libc6-dev-$3-cross" compiles "$1-linux-gnu-gcc"
    need dpkg-dev has_command dpkg-source
}

need_group() {
    case $1 in
    build)
        need make has_command make
        need cmake has_command cmake
        need ninja-build has_command ninja
        need pkg-config has_command pkg-config
        need libpng-dev has_module libpng
        need zlib1g-dev has_module zlib
        need libstb-dev has_header stb/stb_dxt.h
        case ${CC:-gcc} in
        *clang*) need clang has_command clang ;;
        *) need gcc has_command gcc ;;
        esac
        need libc6-dev compiles_c
        ;;
    check)
        need_group build
        need libcmocka-dev has_module cmocka
        need libjansson-dev has_module jansson
        case ${CC:-gcc} in
        *clang*) need_clang ;;
        *) need g++ has_command g++ ;;
        esac
        if [ -z "${FAST-}" ]; then
            need_group web
            need_group browser
            need_group amalgamation
            need libassimp-dev has_module assimp
            need qemu-user has_command qemu-aarch64
            need gcc-aarch64-linux-gnu has_command aarch64-linux-gnu-gcc
            need libc6-dev-arm64-cross links_arm64
            need parallel has_command parallel
            need genisoimage has_command genisoimage
            need genisoimage has_command isoinfo
            need xorriso has_command xorriso
            need libarchive-tools has_command bsdtar
            need p7zip-full has_command 7z
            need_group blender
            need_group pictures
        fi
        ;;
    amalgamation | mutants)
        need python3 has_command python3
        ;;
    windows)
        need_group build
        need gcc-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-gcc-posix
        need g++-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-g++-posix
        need dpkg-dev has_command dpkg-source
        need wine64 has_command wine
        need wine has_command wine
        ;;
    platforms)
        need_group build
        for platform in ${PLATFORMS:-native musl i386 arm64 riscv64 s390x wasm web windows}; do
            case $platform in
            musl) need musl-tools has_command musl-gcc ;;
            i386) need_cross i686 i386 i386 ;;
            arm64) need_cross aarch64 aarch64 arm64 ;;
            riscv64) need_cross riscv64 riscv64 riscv64 ;;
            s390x) need_cross s390x s390x s390x ;;
            windows) need_group windows ;;
            wasm | web)
                need_group web
                need llvm has_command llvm-ar
                ;;
            esac
        done
        ;;
    cluster)
        need slurm-wlm has_daemon slurmctld
        ;;
    web)
        need make has_command make
        need clang has_command clang
        need lld has_command wasm-ld
        need wasi-libc compiles_wasm
        need libclang-rt-dev-wasm32 compiles_wasm
        need binaryen has_command wasm-opt
        need_group data
        ;;
    data)
        need nodejs has_command node
        need npm has_command npm
        ;;
    browser)
        need chromium has_command chromium
        need fonts-dejavu-core has_dejavu # tests/web/browser/fonts.conf
        need firefox-esr has_firefox
        need xvfb has_command Xvfb
        # What looks at the pictures and videos that the page saves.
        need ffmpeg has_command ffprobe
        need imagemagick has_magick
        need unzip has_command unzip
        ;;
    pictures)
        need blender has_command blender
        need python3-numpy blender_has_numpy
        ;;
    blender)
        need python3 has_command python3
        ;;
    valgrind)
        need valgrind has_command valgrind
        ;;
    format)
        need clang-format has_command clang-format
        ;;
    lint)
        need_group format
        need clang-tidy has_command clang-tidy
        need cppcheck has_command cppcheck
        ;;
    coverage)
        need gcovr has_command gcovr
        need gcc has_command gcov
        ;;
    docs)
        need doxygen has_command doxygen
        ;;
    abi)
        need_group build
        need git has_command git
        need abigail-tools has_command abidiff
        need abigail-tools has_command abidw
        ;;
    fuzz)
        need_group build
        need_clang
        need libclang-rt-dev links_fuzzer
        need libjansson-dev has_module jansson
        ;;
    dist)
        need git has_command git
        need dpkg-dev has_command dpkg-buildpackage
        need debhelper has_command dh
        need musl-tools has_command musl-gcc
        need gcc-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-gcc-posix
        need zip has_command zip
        need groff-base has_command nroff
        need bsdextrautils has_command col
        ;;
    check-dist)
        need debootstrap has_daemon debootstrap
        need lintian has_command lintian
        need unzip has_command unzip
        need wine64 has_command wine
        need wine has_command wine
        ;;
    *)
        echo "setup: unknown group '$1'" >&2
        exit 2
        ;;
    esac
}

# A C library is needed whichever compiler there is, and no compiler can tell before it is there.
compiles_c() {
    case ${CC:-gcc} in
    *clang*) compiles clang ;;
    *) compiles gcc ;;
    esac
}
# All of it, library and runtime: Debian has wasm-ld under its plain name only with the package lld.
compiles_wasm() {
    has_command wasm-ld && compiles clang --target=wasm32-wasi -mexec-model=command
}
# Blender's glTF add-on needs it; which Python has to have it, only Blender knows.
blender_has_numpy() {
    has_command blender && blender -b --factory-startup --python-exit-code 1 \
        --python-expr 'import numpy' >/dev/null 2>&1
}
links_arm64() { has_command aarch64-linux-gnu-gcc && compiles aarch64-linux-gnu-gcc; }
links_fuzzer() { entry=LLVMFuzzerTestOneInput compiles clang -fsanitize=fuzzer; }

find_missing() {
    missing=''
    for group in "$@"; do need_group "$group"; done
}

# Debian 12 and later have the sanitizer runtimes in a package of their own; older releases ship
# them with clang itself and do not know that name.
known_packages() {
    known=''
    for package in $missing; do
        if [ "$package" = libclang-rt-dev ] &&
            ! apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            continue
        fi
        known="$known $package"
    done
}

find_missing "$@"
[ -n "$missing" ] || exit 0

if ! has_command apt-get; then
    echo "setup: missing; please install the equivalent of these Debian packages:$missing" >&2
    exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=''
elif has_command sudo && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    known_packages
    echo "setup: some packages are missing. As root, run:" >&2
    echo "    apt-get update && apt-get install -y --no-install-recommends$known" >&2
    exit 1
fi

apt() {
    # Another apt may be at work: wait for its lock.
    # shellcheck disable=SC2086 # an empty $as_root must vanish
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=600 "$@"
}

echo "setup: installing$missing"
# An outdated index may still do, so a failed update is not the end.
apt update || echo "setup: apt-get update failed, trying with the index at hand" >&2
known_packages
# shellcheck disable=SC2086 # a list of words
apt install -y --no-install-recommends $known

find_missing "$@"
if [ -n "$missing" ]; then
    echo "setup: still missing after the installation:$missing" >&2
    exit 1
fi
