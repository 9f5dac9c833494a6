#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the programs of this folder with Ossa, in one of the ways of docs/using.md, and compares what
# they print. Usage: run.sh WAY BUILD WORK
#     BUILD   a build of Ossa, which is installed       WORK   a folder that all ways share
# The environment says CC, CXX, and LAUNCHER, which may be ccache or nothing.
set -eu
export LC_ALL=C
test $# -eq 3 || { echo "usage: $0 WAY BUILD WORK" >&2; exit 2; }
way=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$3"
work=$(cd "$3" && pwd)
launcher=${LAUNCHER:-}
both=$work/both/moved
static_only=$work/static-only
fail() { echo "$0: $way: $*" >&2; exit 1; }

# passes PROGRAM...: each prints what is expected.
passes() {
    for program in "$@"; do
        "$program" "$root/samples" >"$work/$way.out" || fail "$program fails"
        diff "$here/expected.txt" "$work/$way.out" || fail "$program prints something else"
    done
}

# needs PROGRAM / needs_none PROGRAM: the shared library, when it runs.
needs() { readelf -d "$1" | grep -q 'NEEDED.*libossa\.so'; }
needs_none() { ! needs "$1" || fail "$1 needs libossa.so"; }

configure() { # SOURCES FOLDER CMAKE_ARGUMENTS...
    sources=$1
    folder=$2
    shift 2
    rm -f "$folder/CMakeCache.txt"
    cmake -S "$sources" -B "$folder" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
        -DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
        "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; fail "configuring fails"; }
}

compile() { # FOLDER CMAKE_ARGUMENTS...
    cmake --build "$@" >>"$1.log" 2>&1 || { cat "$1.log"; fail "building fails"; }
}

case $way in
install)
    # Moved after it was installed: nothing may depend on where it was.
    rm -rf "$work/both"
    cmake --install "$build" --prefix "$work/both/first" >"$work/install.log"
    mv "$work/both/first" "$both"
    ;;

subdirectory)
    # A generator with several configurations, and the static library alone, which is also installed.
    folder=$work/subdirectory
    configure "$here/$way" "$folder" -G 'Ninja Multi-Config' -DCMAKE_CONFIGURATION_TYPES='Debug;Release' \
        -DOSSA="$root" -DOSSA_INSTALL=ON
    compile "$folder" --config Debug
    passes "$folder/Debug/figures" "$folder/Debug/figures_cpp"
    needs_none "$folder/Debug/figures"
    rm -rf "$static_only"
    cmake --install "$folder" --config Debug --prefix "$static_only" >>"$folder.log"
    test ! -e "$static_only/bin" || fail "the tool is installed"
    ;;

fetch)
    folder=$work/fetch
    configure "$here/$way" "$folder" -G Ninja -DFETCHCONTENT_SOURCE_DIR_OSSA="$root" -DBUILD_SHARED_LIBS=ON \
        -DCMAKE_BUILD_TYPE=Debug
    compile "$folder"
    passes "$folder/figures" "$folder/figures_cpp"
    needs "$folder/figures" || fail "the library is not shared"
    cmake --install "$folder" --prefix "$work/nothing" >>"$folder.log"
    test ! -e "$work/nothing" || fail "a project that did not ask installs Ossa"
    ;;

package)
    for language in C CXX; do
        for kind in shared static ''; do
            folder=$work/package-$language${kind:+-$kind}
            prefix=$both
            test -n "$kind" || prefix=$static_only
            configure "$here/$way" "$folder" -G Ninja -DLANGUAGE="$language" -DKIND="$kind" \
                -DCMAKE_PREFIX_PATH="$prefix"
            compile "$folder"
            passes "$folder/figures"
            if [ "$kind" = shared ]; then
                needs "$folder/figures" || fail "the library is not shared"
            else
                needs_none "$folder/figures"
            fi
        done
    done
    ;;

pkg-config)
    cd "$work"
    cp "$here/figures.c" main.c
    cp "$here/figures.cpp" main.cpp
    lib=$(cd "$(dirname "$(find "$both" -name ossa.pc)")/.." && pwd)
    export PKG_CONFIG_PATH="$lib/pkgconfig"
    # shellcheck disable=SC2046 # lists of words
    {
        $CC main.c -o figures-shared $(pkg-config --cflags --libs ossa)
        $CXX main.cpp -o figures-shared-cpp $(pkg-config --cflags --libs ossa)
        $CC -static main.c -o figures-static $(pkg-config --cflags --static --libs ossa)
    }
    needs figures-shared || fail "the library is not shared"
    LD_LIBRARY_PATH=$lib passes ./figures-shared ./figures-shared-cpp
    passes ./figures-static
    lib=$(cd "$(dirname "$(find "$static_only" -name ossa.pc)")/.." && pwd)
    export PKG_CONFIG_PATH="$lib/pkgconfig"
    # shellcheck disable=SC2046
    $CXX main.cpp -o figures-static-only $(pkg-config --cflags --libs ossa)
    needs_none figures-static-only
    passes ./figures-static-only
    ;;

amalgamation)
    python3 "$root/tools/amalgamate.py" "$work/amalgamation"
    cd "$work/amalgamation"
    cp "$here/figures.c" main.c
    cp "$here/figures.cpp" main.cpp
    # shellcheck disable=SC2086 # two words
    {
        CC="$launcher $CC"
        $CC -std=c11 -O2 -Wall -Wextra -Werror -c ossa.c
    }
    $CC -DTWO_FILES main.c ossa.o -lm -o figures
    $CXX -DTWO_FILES main.cpp ossa.o -lm -o figures-cpp
    passes ./figures ./figures-cpp
    ;;

portable)
    # A compiler that has none of GNU's extensions, for which clang passes.
    command -v clang >/dev/null || exit 77
    python3 "$root/tools/amalgamate.py" "$work/portable"
    cd "$work/portable"
    plain='-fgnuc-version=0 -Wall -Wextra -Werror -pedantic-errors'
    # glibc's own HUGE_VALF is too large for it.
    # shellcheck disable=SC2086 # a list of words
    {
        clang -std=c11 $plain -Wno-literal-range -c ossa.c
        clang -std=c11 $plain -DTWO_FILES -I. -c "$here/figures.c"
        printf '#include "ossa.h"\n' | clang -x c++ -std=c++11 $plain -I. -fsyntax-only -
    }
    clang figures.o ossa.o -lm -o figures
    passes ./figures
    ;;

recipes)
    python3 "$here/check_recipes.py" "$root" "$build" "$both" || fail "see above"
    # What Conan takes of the tree is enough to configure it.
    rm -rf "$work/exported"
    mkdir "$work/exported"
    for part in $(sed -n 's/.*for pattern in (\(.*\)):.*/\1/p' "$root/packaging/conan/conanfile.py" |
        tr -d '",*'); do
        cp -R "$root/${part%/}" "$work/exported"
    done
    configure "$work/exported" "$work/recipes" -G Ninja -DOSSA_BUILD_TOOL=OFF
    # Its program, with an installed Ossa.
    folder=$work/recipes-test
    configure "$root/packaging/conan/test_package" "$folder" -G Ninja -DCMAKE_PREFIX_PATH="$both"
    compile "$folder"
    "$folder/version"
    ;;

*)
    echo "$0: unknown way '$way'" >&2
    exit 2
    ;;
esac
