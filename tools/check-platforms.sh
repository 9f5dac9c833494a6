#!/bin/sh
# SPDX-License-Identifier: MIT
# Show that the library and the tool give the same bytes on every machine:
#     tools/check-platforms.sh JOBS TARGET...
# TARGET is native, a file in cmake/toolchains, or web, the module for browsers. Each is compiled in
# build/platforms/TARGET, without libpng, zlib and stb: so nothing but our code decides what is written.
#     library    everything of tests/platforms/hashes.txt
#     tool       the outputs of tools/outputs.sh for one sample of each kind and all figures, compared
#                with those of native
#     unit tests the quick ones, on a big-endian, a 32-bit and a third machine
# With UPDATE=1, native writes hashes.txt anew. Docs: docs/platforms.md.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
jobs=${1:?usage: tools/check-platforms.sh JOBS TARGET...}
shift
work=build/platforms
mkdir -p "$work"
unit_targets='arm64 s390x i386'
unit_runners='test_core test_formats test_scene test_export
    test_core_archive test_core_layout test_core_locale test_sample_runtime'
# Those in them, without what takes minutes under an emulator.
unit_tests='^test_(core|inflate|read_from|ei|mm|vib|sotc|disc|scene|sample|model_pose|gltf|bvh|csv|png|export)'
unit_left_out='hostile|limits|_pack$|test_inflate_plain|test_gltf_(skin|morphs)|simd'

is_one_of() { case " $2 " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
say() { echo "check-platforms: $*" >&2; }

# The compiler and what runs its programs, from a toolchain file.
ask_toolchain() { # TARGET
    cat >"$work/ask.cmake" <<END
include($root/cmake/toolchains/$1.cmake)
string(REPLACE ";" " " emulator "\${CMAKE_CROSSCOMPILING_EMULATOR}")
message("\${CMAKE_C_COMPILER}:\${emulator}")
END
    cmake -P "$work/ask.cmake" 2>&1
}

compile() { # TARGET: into $work/TARGET
    set -- "$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O2 -DOSSA_WERROR=ON \
        -DOSSA_WITH_PNG=OFF -DOSSA_WITH_ZLIB=OFF -DOSSA_WITH_STB=OFF -DOSSA_BUILD_SHARED=OFF -DOSSA_INSTALL=OFF
    programs='platform_hashes ossa'
    case $1 in
    native) set -- "$@" -DCMAKE_C_COMPILER="${CC:-gcc}" ;;
    wasm) set -- "$@" -DOSSA_BUILD_TOOL=OFF && programs=platform_hashes ;;
    esac
    [ "$1" = native ] || set -- "$@" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchains/$1.cmake"
    # An emulator then needs no libraries of its machine.
    is_one_of "$1" 'native wasm windows' || set -- "$@" -DCMAKE_EXE_LINKER_FLAGS=-static
    if is_one_of "$1" "$unit_targets"; then
        ./tools/dependencies.sh "$1" cmocka jansson
        set -- "$@" -DOSSA_BUILD_TESTS=ON
        programs="$programs $unit_runners"
    fi
    target=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    cmake -G Ninja -S . -B "$work/$target" "$@" && cmake --build "$work/$target" -j "$jobs" --target $programs
}

# A command that runs the tool, whatever it is compiled for.
write_runner() { # FILE COMMAND...
    file=$1
    shift
    printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$file"
    chmod +x "$file"
}

compare_tool() { # TARGET COMMAND...: prints how many files are the same; the first that differ on fd 2
    target=$1
    shift
    write_runner "$work/$target/run" "$@"
    find samples -type f ! -path '*/generate/*' ! -name '*.md' ! -name '*.txt' | LC_ALL=C sort |
        awk -F . '!seen[$NF]++' >"$work/samples.txt"
    rm -rf "$work/$target/outputs"
    ./tools/outputs.sh "$work/$target/run" "$work/$target/outputs" "$work/samples.txt"
    # A hash of the times of files, which Windows keeps in other units.
    sed -i '/"made_of"/d' "$work/$target/outputs/all/report.json"
    find "$work/$target/outputs" -type f | wc -l
    [ "$target" != native ] || return 0
    diff -rq --no-dereference "$work/native/outputs" "$work/$target/outputs" >"$work/$target/differences" ||
        { head -n 5 "$work/$target/differences" >&2 && return 1; }
}

run_unit_tests() { # TARGET: prints how many passed
    if ! ctest --test-dir "$work/$1" -j "$jobs" -R "$unit_tests" -E "$unit_left_out" \
        --no-tests=error --output-on-failure >"$work/$1/unit.log" 2>&1; then
        sed -n '/tests FAILED/,/^Errors/p' "$work/$1/unit.log" | head -n 6 >&2
        return 1
    fi
    sed -n 's/.*tests passed.* out of \([0-9]*\)$/\1/p' "$work/$1/unit.log"
}

row() { printf '| %-8s | %-34s | %7s | %6s | %10s | %-9s |\n' "$@" >>"$work/table.txt"; }

check() { # TARGET
    target=$1
    result=same
    tool=- units=-
    case $target in
    native) compiler=${CC:-gcc} && emulator='' ;;
    web) compiler=clang && emulator='' ;;
    *) answer=$(ask_toolchain "$target") && compiler=${answer%%:*} && emulator=${answer#*:} ;;
    esac
    say "$target: compiling"
    if [ "$target" = web ]; then
        set -- node tests/platforms/api.mjs build/web
        ./tools/wasm.sh "$jobs" >"$work/web.log" 2>&1 || result=fails
    else
        mkdir -p "$work/$target"
        compile "$target" >"$work/$target/compile.log" 2>&1 || result=fails
        suffix=''
        [ "$target" != windows ] || suffix=.exe
        # shellcheck disable=SC2086 # a command and its arguments
        set -- $emulator "$root/$work/$target/platform_hashes$suffix"
    fi
    version=$($compiler -dumpversion 2>/dev/null || echo '?')
    version=${version%-posix} # MinGW's has a suffix
    if [ $result = fails ]; then
        say "$target: does not compile; see $work"
        row "$target" "$compiler $version" - - - fails
        return 1
    fi
    if [ -n "${UPDATE-}" ] && [ "$target" = native ]; then tests/platforms/run.sh --update "$@"; fi
    say "$target: the library"
    tests/platforms/run.sh "$@" >"$work/library.txt" || result=different
    [ $result = same ] || sed "s/^/  /" "$work/library.txt" >&2
    library=$(sed -n '$s/ .*//p' "$work/library.txt")
    if [ -e "$work/$target/ossa$suffix" ] && [ "$target" != web ]; then
        say "$target: the tool"
        # shellcheck disable=SC2086
        tool=$(compare_tool "$target" $emulator "$root/$work/$target/ossa$suffix") || result=different
    fi
    if is_one_of "$target" "$unit_targets"; then
        say "$target: unit tests"
        units=$(run_unit_tests "$target") || { units=failed && result=different; }
    fi
    row "$target" "$compiler $version" "$library" "$tool" "$units" "$result"
    [ $result = same ]
}

: >"$work/table.txt"
row target compiler library tool 'unit tests' result
row --- --- ---: ---: ---: ---
status=0
is_one_of native "$*" || set -- native "$@" # the others are compared with it
for target in "$@"; do
    check "$target" || status=1
done
cat "$work/table.txt"
exit $status
