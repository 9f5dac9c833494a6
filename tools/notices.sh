#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the licences of the libraries that a program contains: tools/notices.sh LIBRARY...
# The texts are those that come with the libraries on this machine. What the page contains of npm is
# added by web/build.mjs.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
sources=$root/build/dependencies/sources

fail() { echo "notices: $1" >&2; exit 1; }

debian_version() { # PACKAGE
    dpkg-query -W -f '${Version}' "$1" 2>/dev/null || fail "the package $1 is not installed"
}
debian_text() { # PACKAGE
    text=/usr/share/doc/$1/copyright
    [ -s "$text" ] || fail "$text is missing"
    cat "$text"
}
# Of a source package of tools/dependencies.sh.
source_version() { dpkg-parsechangelog -l "$sources/$1/debian/changelog" -S Version; }
source_text() {
    [ -s "$sources/$1/LICENSE" ] || fail "$sources/$1/LICENSE is missing (tools/dependencies.sh)"
    cat "$sources/$1/LICENSE"
}
# The lines from the first that matches FROM to the next that matches TO, without that.
part() { # FROM TO
    found=$(awk -v from="$1" -v to="$2" '!on && $0 ~ from { on = 1; print; next } on && $0 ~ to { exit } on')
    [ -n "$found" ] || fail "no text starts with $1"
    printf '%s\n' "$found"
}

title() { # NAME debian|source PACKAGE WHAT
    version=$("$2_version" "$3")
    printf '%s\n%s %s\n%s\n%s\n\n' "$line" "$1" "$version" "$4" "$line"
}
line=------------------------------------------------------------------------

notice() {
    case $1 in
    wasi-libc)
        title wasi-libc debian wasi-libc 'The C library of ossa.wasm.'
        debian_text wasi-libc
        ;;
    compiler-rt)
        package=$(dpkg-query -W -f '${Depends}' libclang-rt-dev-wasm32 | sed 's/[ ,(].*//')
        title compiler-rt debian "$package" 'Arithmetic of ossa.wasm that the machine lacks.'
        debian_text "$package" | part '^Files: [*]$' '^$'
        ;;
    zlib)
        title zlib source zlib 'Unpacks and packs entries of archives.'
        source_text zlib
        ;;
    libpng)
        title libpng source libpng1.6 'Reads and packs PNGs.'
        source_text libpng1.6
        ;;
    stb)
        title stb_dxt.h debian libstb-dev 'Packs textures into DXT blocks.'
        part '^This software is available' '^[*]/' </usr/include/stb/stb_dxt.h
        ;;
    musl)
        title musl debian musl-dev 'The C library.'
        debian_text musl-dev
        ;;
    mingw-w64)
        title mingw-w64 debian mingw-w64-x86-64-dev 'The C runtime and winpthreads.'
        debian_text mingw-w64-x86-64-dev
        ;;
    gcc | gcc-mingw-w64)
        case $1 in
        gcc) package=libgcc-$(gcc -dumpversion | sed 's/[.].*//')-dev ;;
        *) package=gcc-mingw-w64-x86-64-posix-runtime ;;
        esac
        title libgcc debian "$package" \
            'Startup code and arithmetic of GCC, under the GNU General Public License 3 with this exception.'
        debian_text "$package" | part '^GCC RUNTIME LIBRARY EXCEPTION' '^lib[a-z]*/'
        ;;
    *) fail "unknown library '$1'" ;;
    esac
    printf '\n'
}

for library in "$@"; do notice "$library"; done
