#!/bin/sh
# SPDX-License-Identifier: MIT
# Make the files of a release from the last commit: tools/dist.sh [FOLDER [JOBS]]
# FOLDER (build/dist) gets them, with SHA256SUMS; docs/releasing.md describes each. They have the same
# bytes whenever and wherever they are made with the same Debian: names in order, and the owners, modes
# and times are fixed. The time is that of the commit, or SOURCE_DATE_EPOCH.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p "${1:-build/dist}"
out=$(cd "${1:-build/dist}" && pwd)
jobs=${2:-$(nproc 2>/dev/null || echo 1)}
work=$out.work
log=$out.log

git rev-parse --verify -q HEAD >/dev/null || { echo "dist: needs a git checkout" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || echo "dist: changes that are not committed are left out" >&2
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
# debhelper has another home folder, where the cache would be empty.
if command -v ccache >/dev/null; then
    CCACHE_DIR=${CCACHE_DIR:-$(ccache -k cache_dir)}
    export CCACHE_DIR
fi

rm -rf "$out" "$work"
mkdir -p "$out" "$work"
git archive --prefix=source/ HEAD | tar -x -C "$work"
part() { awk -v name="OSSA_VERSION_$1" '$2 == name { print $3 }' "$work/source/include/ossa/api.h"; }
version=$(part MAJOR).$(part MINOR).$(part PATCH)
name=ossa-$version
source=$work/$name
mv "$work/source" "$source"
prebuilt=$source/web/prebuilt

: >"$log"
logged() { # COMMAND...
    "$@" >>"$log" 2>&1 || { tail -n 30 "$log" >&2; echo "dist: '$*' failed; see $log" >&2; exit 1; }
}
say() { echo "dist: $*"; }

tarball() { # FOLDER in $work
    tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --mtime="@$SOURCE_DATE_EPOCH" -cf - "$1" | gzip -9n >"$out/$1.tar.gz"
}
zipped() { # FOLDER in $work
    find "$work/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$work" && find "$1" -type f | sort | zip -9 -X -q "$out/$1.zip" -@)
}

# A page for offline use, in the tarball: whoever packages it needs neither npm nor clang.
make_source() {
    say "viewer page and source"
    # What is downloaded is shared with the working tree.
    mkdir -p "$source/build/web" build/web/npm build/dependencies
    ln -s "$root/build/web/npm" "$source/build/web/npm"
    logged "$source/tools/web.sh" "$jobs"
    mkdir "$prebuilt"
    for file in ossa-viewer.html ossa.wasm ossa.js ossa.d.ts package.json NOTICES-page.txt NOTICES-wasm.txt; do
        cp "$source/build/web/$file" "$prebuilt/"
    done
    rm -rf "$source/build"
    tarball "$name"
    # From here on, programs are built in it.
    mkdir "$source/build"
    ln -s "$root/build/dependencies" "$source/build/dependencies"
}

build_tool() { # PRESET
    logged tools/dependencies.sh "$1" zlib libpng
    (cd "$source" && logged cmake --preset "$1" &&
        logged cmake --build --preset "$1" -j "$jobs" --target ossa)
    (cd "$source" && logged cmake --install "build/$1" --component tool --strip --prefix "$work/$1")
}

# The add-on for Blender with a program and the licences of what that contains. NOTICES gets those and the
# page's, for the archive that contains both.
add_on() { # ZIP PROGRAM NOTICES LIBRARY...
    addon=$1
    program=$2
    all=$3
    shift 3
    "$source/tools/notices.sh" "$@" >"$work/program.txt"
    python3 "$source/blender/package.py" "$addon" "$program" "$work/program.txt"
    { cat "$prebuilt/NOTICES-page.txt" && echo && cat "$work/program.txt"; } >"$all"
}

documents() { # FOLDER
    mkdir -p "$1/docs" "$1/samples"
    cp "$source/README.md" "$source/CHANGELOG.md" "$1/"
    cp -R "$source"/docs/*.md "$source/docs/formats" "$source/docs/pictures" "$1/docs/"
    cp -R "$source/samples/packed" "$source/samples/README.md" "$1/samples/" # the guides use them
}

make_linux() {
    say "static program for Linux"
    build_tool musl
    folder=$name-linux-x86_64
    mv "$work/musl" "$work/$folder"
    documents "$work/$folder/share/doc/ossa"
    add_on "$out/$name-blender-linux-x86_64.zip" "$work/$folder/bin/ossa" \
        "$work/$folder/share/doc/ossa/NOTICES.txt" zlib libpng stb musl gcc
    tarball "$folder"
}

make_windows() {
    say "program for Windows"
    build_tool windows
    folder=$name-windows-x86_64
    mkdir "$work/$folder"
    cp "$work/windows/bin/ossa.exe" "$prebuilt/ossa-viewer.html" "$work/$folder/"
    cp "$source/LICENSE" "$work/$folder/LICENSE.txt"
    documents "$work/$folder"
    add_on "$work/$folder/ossa-blender.zip" "$work/$folder/ossa.exe" \
        "$work/$folder/NOTICES.txt" zlib libpng stb mingw-w64 gcc-mingw-w64
    nroff -man -Tascii "$source/docs/ossa.1" | col -bx >"$work/$folder/docs/ossa.txt"
    zipped "$folder"
}

# Built as a packager would: from the tarball, by debhelper. The revision sorts before Debian's own.
make_debian() {
    say "Debian packages"
    mkdir "$work/debian"
    tar -xzf "$out/$name.tar.gz" -C "$work/debian"
    tree=$work/debian/$name
    mv "$tree/packaging/debian" "$tree/debian"
    printf '%s\n' "ossa ($version-0upstream1) unstable; urgency=medium" '' "  * Release $version." '' \
        " -- $(sed -n 's/^Maintainer: //p' "$tree/debian/control")  $(date -u -R -d "@$SOURCE_DATE_EPOCH")" \
        >"$tree/debian/changelog"
    (cd "$tree" && DEB_BUILD_OPTIONS="noautodbgsym parallel=$jobs" logged dpkg-buildpackage -b -us -uc)
    mv "$work/debian"/*.deb "$out/"
}

make_npm() {
    say "npm package"
    package=$work/npm
    mkdir "$package"
    cp "$prebuilt/package.json" "$prebuilt/ossa.js" "$prebuilt/ossa.d.ts" "$prebuilt/ossa.wasm" \
        "$source/web/api/README.md" "$source/LICENSE" "$package/"
    cp "$prebuilt/NOTICES-wasm.txt" "$package/NOTICES.txt"
    (cd "$package" && logged npm pack --pack-destination "$out")
}

# What a file needs of others, as it says itself.
needs() { # FILE
    case $1 in
    *.deb) dpkg-deb -f "$1" Depends ;;
    *-windows-*.zip) objdump -p "$work/$name-windows-x86_64/ossa.exe" |
        sed -n 's/.*DLL Name: //p' | sort -f | paste -sd ' ' ;;
    *-linux-*.tar.gz) objdump -p "$work/$name-linux-x86_64/bin/ossa" |
        sed -n 's/^ *NEEDED *//p' | paste -sd ' ' | grep . || echo 'Linux' ;;
    *-blender-*) echo 'Blender 3.4 or later' ;;
    *.tgz) echo 'Node 16.4 or a browser' ;;
    *) echo 'a C11 compiler, CMake 3.22' ;;
    esac
}
table() {
    printf '| file | bytes | needs |\n| --- | --- | --- |\n'
    for file in "$out"/*; do
        printf '| %s | %s | %s |\n' "${file##*/}" "$(stat -c %s "$file")" "$(needs "$file")"
    done
}

make_source
make_linux
make_windows
make_debian
make_npm
table
(cd "$out" && sha256sum -- * >SHA256SUMS)
rm -rf "$work" "$log"
say "$out"
