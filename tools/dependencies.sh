#!/bin/sh
# SPDX-License-Identifier: MIT
# Compile the libraries that the tool and its tests use, for another machine:
#     tools/dependencies.sh TARGET [LIBRARY...]
# TARGET is a file in cmake/toolchains, LIBRARY zlib, libpng, cmocka or jansson (none: all of them).
# They come from Debian's source packages and end up, static, in build/dependencies/TARGET. What is
# there is not made again.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
target=${1:?usage: tools/dependencies.sh TARGET [LIBRARY...]}
shift
toolchain=$root/cmake/toolchains/$target.cmake
test -e "$toolchain" || { echo "dependencies: no toolchain $target" >&2; exit 2; }
[ $# -gt 0 ] || set -- zlib libpng cmocka jansson
sources=$root/build/dependencies/sources
prefix=$root/build/dependencies/$target
mkdir -p "$sources" "$prefix"

# apt's own list of sources, asked for source packages, beside the system's: nothing of it changes.
apt_state=$sources/apt
apt_with_sources() {
    command=$1
    shift
    "$command" -q -o Dir::Etc::SourceList="$apt_state/sources.list" \
        -o Dir::Etc::SourceParts="$apt_state/parts" -o Dir::State::Lists="$apt_state/lists" \
        -o Dir::Cache="$apt_state/cache" -o APT::Sandbox::User= "$@"
}
update_lists() {
    [ ! -e "$apt_state/updated" ] || return 0
    mkdir -p "$apt_state/parts" "$apt_state/lists/partial" "$apt_state/cache/archives/partial"
    : >"$apt_state/sources.list"
    if [ -e /etc/apt/sources.list ]; then
        sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt_state/sources.list"
    fi
    for file in /etc/apt/sources.list.d/*; do
        name=${file##*/}
        case $name in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt_state/parts/$name" ;;
        *.list) sed -n 's/^deb /deb-src /p' "$file" >"$apt_state/parts/$name" ;;
        esac
    done
    apt_with_sources apt-get update >"$apt_state/update.log" 2>&1 ||
        echo "dependencies: apt-get update failed, trying with what it got" >&2
    touch "$apt_state/updated"
}

# A source package, newest version first: a mirror may lag behind its own list.
fetch() { # PACKAGE
    [ ! -e "$sources/$1/CMakeLists.txt" ] || return 0
    update_lists
    for version in $(apt_with_sources apt-cache showsrc "$1" | awk '/^Version:/ { print $2 }' | sort -rV); do
        rm -rf "$sources/$1" "$sources/$1-download"
        mkdir "$sources/$1-download"
        (cd "$sources/$1-download" &&
            apt_with_sources apt-get source --download-only "$1=$version" >"$sources/$1.log" 2>&1 &&
            dpkg-source --no-check -x ./*.dsc "$sources/$1" >>"$sources/$1.log" 2>&1) || continue
        rm -rf "$sources/$1-download"
        echo "dependencies: $1 $version"
        return 0
    done
    echo "dependencies: the source of $1 cannot be had; see $sources/$1.log" >&2
    exit 1
}

build() { # PACKAGE CMAKE ARGUMENTS...
    package=$1
    shift
    [ ! -e "$prefix/$package.done" ] || return 0
    fetch "$package"
    work=$prefix/build-$package
    rm -rf "$work"
    log=$prefix/$package.log
    if ! { cmake -G Ninja -S "${rules:-$sources/$package}" -B "$work" -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
        -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DBUILD_SHARED_LIBS=OFF "$@" &&
        cmake --build "$work" && cmake --install "$work"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "dependencies: $package does not compile for $target; see $log" >&2
        exit 1
    fi
    rm -rf "$work"
    touch "$prefix/$package.done"
}

# Its own rules make a DLL in any case, for which Debian leaves out the files.
zlib_rules() {
    mkdir -p "$sources/zlib-rules"
    cat >"$sources/zlib-rules/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(zlib LANGUAGES C)
file(GLOB files $sources/zlib/*.c)
list(FILTER files EXCLUDE REGEX "/gz[a-z]*.c\$")
add_library(z STATIC \${files})
install(TARGETS z DESTINATION lib)
install(FILES $sources/zlib/zlib.h $sources/zlib/zconf.h DESTINATION include)
END
}

for library in "$@"; do
    case $library in
    zlib) zlib_rules; rules=$sources/zlib-rules build zlib ;;
    libpng) build libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DPNG_EXECUTABLES=OFF ;;
    cmocka) build cmocka -DWITH_EXAMPLES=OFF -DWITH_STATIC_LIB=ON
        # The shared one is made in any case, and would be found first.
        [ ! -e "$prefix/lib/libcmocka-static.a" ] ||
            mv "$prefix/lib/libcmocka-static.a" "$prefix/lib/libcmocka.a"
        rm -f "$prefix"/lib/libcmocka.so* "$prefix/lib/libcmocka.dll.a" "$prefix"/bin/*cmocka.dll ;;
    jansson) build jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON ;;
    *) echo "dependencies: unknown library $library" >&2; exit 2 ;;
    esac
done
# All of it is one header.
if [ -e /usr/include/stb/stb_dxt.h ]; then
    mkdir -p "$prefix/include/stb"
    cp /usr/include/stb/stb_dxt.h "$prefix/include/stb/"
fi
