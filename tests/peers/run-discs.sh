#!/bin/sh
# SPDX-License-Identifier: MIT
# Disc images, ours and those of genisoimage and xorriso, against isoinfo, bsdtar and 7z: the same names and sizes, the
# same bytes, and the same again from every layout of sectors. Usage: run-discs.sh OSSA MAKE_DISC WORK
set -eu
export LC_ALL=C.UTF-8 TZ=UTC

binary=$1
make_disc=$2
work=$3
# shellcheck source=tests/peers/lib.sh
. "$(dirname -- "$0")/lib.sh"
need_command genisoimage xorriso isoinfo bsdtar 7z

binary=$(absolute "$binary")
make_disc=$(absolute "$make_disc")
if [ -d "$work" ]; then chmod -R u+w "$work" && rm -rf "$work"; fi
mkdir -p "$work/tree/GAME/CHARA/FROG" "$work/tree/TITLE" "$work/tree/A folder with a long name"
cd "$work"

seq 1 3000 >tree/GAME/NUMBERS.TXT
seq 1 100000 >tree/GAME/CHARA/FROG/MODEL.TMD
printf 'x' >tree/GAME/CHARA/ONE.BIN
: >tree/TITLE/EMPTY.DAT
head -c 2048 tree/GAME/NUMBERS.TXT >tree/TITLE/SECTOR.DAT
head -c 2049 tree/GAME/NUMBERS.TXT >tree/TITLE/MORE.DAT
printf 'no dot\n' >tree/XAB
printf 'long\n' >'tree/A folder with a long name/And a file.with.dots and spaces.text'
i=0
while [ $i -lt 100 ]; do # a folder of several sectors
    printf '%d\n' $i >"tree/TITLE/FILE$i.TXT"
    i=$((i + 1))
done

fail() {
    echo "failed: $*"
    exit 1
}

# SIZE NAME of each file, sorted.
ours() { ossa list --json "$1" | tr '{' '\n' | sed -n 's/.*"size":\([0-9]*\).*/\1 &/p' | sed 's/^\([0-9]*\) .*"name":"\([^"]*\)".*/\1 \2/' | sort; }
of_bsdtar() { bsdtar -tvf "$1" | sed -n 's/^-[^ ]* *[^ ]* *[^ ]* *[^ ]* *\([0-9]*\) [^ ]* *[^ ]* *[^ ]* /\1 /p' | sort; }
of_7z() { 7z l -slt "$1" | sed -n '/^----------/,$p' | awk '
    /^Path = / { name = substr($0, 8) }
    /^Folder = / { is_folder = $3 == "+" }
    /^Size = / && !is_folder { print $3, name }' | sort; }
# Without arguments the names of the standard, with -J those of Joliet.
of_isoinfo() { # IMAGE [-J]
    isoinfo -l -i "$@" | awk '
    /^Directory listing of / { folder = substr($0, 22); sub(/^\//, "", folder) }
    /^-/ {
        size = $5
        name = $0
        sub(/^.*\] */, "", name); sub(/ *$/, "", name); sub(/;[0-9]+$/, "", name); sub(/\.$/, "", name)
        print size, folder name
    }' | sort
}

same() { # WHAT A B
    if ! diff "$2" "$3" >difference; then
        head -20 difference
        fail "$1"
    fi
}

# The bytes of all files, from each layout.
compare_bytes() { # IMAGE EXPECTED
    for layout in 2048 mode1 mode2 2336 mode1-2448 mode2-2448; do
        "$make_disc" layout=$layout wrapped "$1"
        rm -rf extracted
        ossa extract -q --raw wrapped --to extracted || fail "extract $1 as $layout"
        diff -r extracted "$2" >difference || fail "the files of $1 as $layout: $(head -3 difference)"
        ossa check -q wrapped >difference || true
        if grep damaged-sector difference; then fail "the sectors of $1 as $layout"; fi
    done
}

compare() { # IMAGE [-J]
    ours "$1" >list.ours
    test -s list.ours || fail "nothing is in $1"
    of_bsdtar "$1" >list.bsdtar
    of_7z "$1" >list.7z
    of_isoinfo "$@" >list.isoinfo
    same "bsdtar lists $1 differently" list.bsdtar list.ours
    same "7z lists $1 differently" list.7z list.ours
    same "isoinfo lists $1 differently" list.isoinfo list.ours
    rm -rf expected
    mkdir expected
    bsdtar -xf "$1" -C expected
    chmod -R u+w expected
    find expected -type d -empty -delete
    compare_bytes "$1" expected
    echo "$1: $(wc -l <list.ours) files are the same for bsdtar, 7z and isoinfo, and in 6 layouts"
}

files() { (cd tree && find . -type f) | LC_ALL=C sort | sed 's/^..\(.*\)/\1=tree\/\1/'; }
make_ours() { # OUT OPTION...
    out=$1
    shift
    files >names
    # Names have spaces, and no newlines.
    set -- "$@" "$out"
    while IFS= read -r name; do set -- "$@" "$name"; done <names
    "$make_disc" "$@"
}

genisoimage -quiet -V PLAIN -o geniso.iso tree
genisoimage -quiet -V JOLIET -J -joliet-long -o geniso-joliet.iso tree
xorriso -as mkisofs --norock -quiet -V PLAIN -o xorriso.iso tree 2>/dev/null
xorriso -as mkisofs --norock -quiet -V JOLIET -J -joliet-long -o xorriso-joliet.iso tree 2>/dev/null
make_ours ours.iso
make_ours ours-joliet.iso joliet
make_ours ours-xa.iso xa

compare geniso.iso
compare geniso-joliet.iso -J
compare xorriso.iso
compare xorriso-joliet.iso -J
compare ours.iso
compare ours-joliet.iso -J
compare ours-xa.iso

# Several pieces: bsdtar joins them, too; 7z and isoinfo list each.
make_ours ours-pieces.iso pieces=4096
ours ours-pieces.iso >list.ours
ours ours.iso >list.plain
same "pieces are not joined" list.plain list.ours
rm -rf expected
mkdir expected
bsdtar -xf ours.iso -C expected
chmod -R u+w expected
find expected -type d -empty -delete
compare_bytes ours-pieces.iso expected
echo "ours-pieces.iso: pieces are joined"

# Before files with extended attributes, which other programs read as a part of the file.
make_ours ours-attributes.iso attributes=1
compare_bytes ours-attributes.iso expected
echo "ours-attributes.iso: attributes are left out"
