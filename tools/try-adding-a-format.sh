#!/bin/sh
# SPDX-License-Identifier: MIT
# Follows docs/adding-a-format.md with the two formats of tests/toy_formats, in a copy of the tree: fails if
# the page leaves out a file that has to change, or names a step or a test that does not work.
# Usage: tools/try-adding-a-format.sh FOLDER [CMAKE ARGUMENTS...]     FOLDER is kept, for the next time
set -eu
export LC_ALL=C
test $# -ge 1 || { echo "usage: $0 FOLDER [CMAKE ARGUMENTS...]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
copy=$work/ossa
toys=$root/tests/toy_formats
page=$root/docs/adding-a-format.md
game=shadow_of_the_colossus
ids='sotc-dots sotc-note'
fail() { echo "$0: $*" >&2; exit 1; }

# Files keep their times, so that only what changed is compiled again.
rm -rf "$copy"
mkdir "$copy"
for part in CMakeLists.txt LICENSE README.md cli cmake docs examples fuzz include samples src tests tools web; do
    cp -Rp "$root/$part" "$copy"
done
rm -r "$copy/tests/toy_formats"

# The files that the page names, in its table.
# shellcheck disable=SC2016 # these are the backquotes of Markdown
sed -n 's/^| [^|]* | `\([^`]*\)` |$/\1/p' "$page" >"$work/named"
test "$(wc -l <"$work/named")" -ge 5 || fail "found no table of files in $page"
for id in $ids; do
    name=$(echo "$id" | tr - _)
    while read -r path; do
        case $path in
        docs/*) file=$(echo "$path" | sed -e "s/<id>/$id/") ;;
        *) file=$(echo "$path" | sed -e "s/<game>/$game/" -e "s/<id>/$name/") ;;
        esac
        edit=$toys/edits/${file##*/}
        if [ -e "$toys/$file" ]; then
            test ! -e "$copy/$file" || fail "$file is there already"
            cp -p "$toys/$file" "$copy/$file"
        elif [ ! -e "$edit" ]; then
            fail "the page names $path, but tests/toy_formats has no such file for $id"
        elif ! grep -q "$name" "$copy/$file"; then
            # Before the last lines: the end of the list, of the header.
            awk -v edit="$edit" '/^(#undef OSSA__FORMAT|OSSA_END)$/ {
                while ((getline line <edit) > 0) if (line !~ /SPDX/) print line
                if (/END/) print ""
            } { print }' "$copy/$file" >"$work/edited"
            touch -r "$edit" "$work/edited"
            cp -p "$work/edited" "$copy/$file"
        fi
    done <"$work/named"
done
(cd "$toys" && find src tests docs -type f) | while read -r file; do
    test -e "$copy/$file" || fail "$file was needed, but the page does not name it"
done

# The commands of the page: make fixtures, make readme, make check. The tests are those it names.
tests=$(sed -n 's/`/\n/gp' "$page" | sed -n '/^test_[a-z_]*$/p; s/^\(test_[a-z_]*\.\)<id>$/\1/p' | sort -u)
cmake -S "$copy" -B "$work/build" -G Ninja -DOSSA_BUILD_TESTS=ON -DOSSA_WERROR=ON \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 "$@" >"$work/log" || fail "see $work/log"
cmake --build "$work/build" --target ossa make_fixtures >>"$work/log" || fail "see $work/log"
"$work/build/tests/make_fixtures" "$copy/tests/fixtures"
"$copy/tools/readme.sh" "$work/build/ossa"
for id in $ids; do
    grep -q "^| $id |" "$copy/README.md" || fail "$id is not in the table of README.md"
    grep -q "\[$id\]($id.md)" "$copy/docs/formats/README.md" || fail "$id is not in docs/formats/README.md"
done
cmake --build "$work/build" --target test_all test_formats test_scene >>"$work/log" || fail "see $work/log"
wanted='layers readme'
for test in $tests; do
    case $test in
    *.) for id in $ids; do wanted="$wanted $(echo "$test" | sed 's/\./\\./')$id"; done ;;
    *) wanted="$wanted $test" ;;
    esac
done
for id in $ids; do wanted="$wanted test_$(echo "$id" | tr - _)"; done
cd "$work/build"
for test in $wanted; do
    ctest -N -R "^$test\$" | grep -q 'Total Tests: [1-9]' || fail "there is no test $test"
done
ctest --output-on-failure -R "^($(echo "$wanted" | tr ' ' '|'))\$" >"$work/tests" || {
    cat "$work/tests"
    fail "the tests that the page names do not pass"
}
sed -n 's/^100% tests passed, /adding a format: /p' "$work/tests"
