# SPDX-License-Identifier: MIT
#
# For the cases: read by run.sh before each.

. "$SOURCE/tests/support/pedestrians.sh"

# Run a command, with a line above what it prints, on both streams, and one below for its status.
try() {
    printf '$ %s\n' "$*"
    printf '$ %s\n' "$*" >&2
    "$@"
    printf '=> %d\n' $?
}

# The same, but only a status and what comes on standard error.
status_of() {
    printf '$ %s\n' "$*" >&2
    "$@" >/dev/null
    printf '%s => %d\n' "$*" $?
}

# Copy vectors here, under their own names: vector ei-anm/plain.anm ...
vector() {
    for vector_name in "$@"; do cp "$VECTORS/$vector_name" . || exit 99; done
}

# The paths of all, a line each.
all_vectors() { find "$VECTORS" -type f ! -name '*.json' | LC_ALL=C sort; }

# Copy figures here, each a folder: the vectors of tests/vectors/pose, without the poses that are
# expected of them, or the samples.
figure() {
    for figure_name in "$@"; do
        cp -R "$VECTORS/pose/$figure_name" . && rm -f "$figure_name"/*.json || exit 99
    done
}
sample() {
    for sample_name in "$@"; do cp -R "$SAMPLES/$sample_name" . || exit 99; done
}

# What `ossa --help` lists, and `ossa help VERB`: a word a line.
verbs() { ossa --help | sed -n 's/^  \([a-z-]*\)  *[a-z].*/\1/p' | grep -v '^-'; }
options_of() { ossa help "$1" | sed -n '/^options:/,/^$/s/^  .*\(--[a-z-]*\).*/\1/p'; }

skip() {
    echo "$*"
    exit 77
}
need_posix() { [ -z "$WINDOWS" ] || skip "$*"; }

# Run a command that the permissions of files hold for, which they do not for root.
without_privilege() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    else
        setpriv --bounding-set=-all --inh-caps=-all -- "$@"
    fi
}
need_permissions() {
    need_posix "permissions are not those of POSIX"
    : >probe
    chmod 0 probe
    without_privilege true 2>/dev/null || skip 'privileges cannot be dropped here'
    without_privilege sh -c ': <probe' 2>/dev/null && skip 'permissions do not hold here'
    rm -f probe
}

# In what follows the numbers are little-endian, as in the files.

# An LNK with a part b that hangs on c, which comes later: an error.
make_bad_order() {
    printf '\3\0\0\0\2\0\0\0a\0\0\0\0\0\2\0\0\0b\0\2\0\0\0c\0\2\0\0\0c\0\2\0\0\0a\0' >"$1"
}

# An ANIM that fits two dialects, which is a warning.
make_ambiguous() {
    printf '\0\0\0\0\0\0\0\0' >"$1"
}

# An ANM with 20000 frames of zeros, half a megabyte.
make_large() {
    {
        printf '\040\116\0\0'
        head -c 320000 /dev/zero
        printf '\040\116\0\0'
        head -c 240000 /dev/zero
        printf '\0\0\0\0\0\0\0\0'
    } >"$1"
}

# All files below a folder get one time, so that what is printed of it stays the same.
old() { find "$@" -exec env TZ=UTC0 touch -t 200010261130.00 {} +; }

# pack_folder FOLDER ARCHIVE: a RES of its files, and the folder is gone.
pack_folder() {
    old "$1" && ossa pack -q "$1" --format ei-res -o "$2" && rm -r "$1" || exit 99
    old "$2"
}

# The troll of the samples as the game has its models: make_model NAME FOLDER gives NAME.mod,
# NAME.bon and NAME.anm in the folder.
make_model() {
    mkdir -p "$2" work.mod work.bon work.anm || exit 99
    cp "$SAMPLES/troll/troll.lnk" "work.mod/$1" || exit 99
    for part in "$SAMPLES"/troll/bon/*.bon; do cp "$part" "work.bon/$(basename "$part" .bon)"; done
    for clip in idle walk; do
        mkdir work.clip || exit 99
        for part in "$SAMPLES/troll/$clip"/*.anm; do
            cp "$part" "work.clip/$(basename "$part" .anm)" || exit 99
        done
        pack_folder work.clip "work.anm/c$clip"
    done
    for kind in mod bon anm; do pack_folder work.$kind "$2/$1.$kind"; done
}

# figures.res with these models.
make_figures() {
    for model_name in "$@"; do make_model "$model_name" work; done
    pack_folder work figures.res
}

# A RES with these names, each with a byte of data; as they are, in octal if need be. The table is a
# hash table only for the one that looks for names: here every entry is a chain of its own.
make_names() {
    names_size=0 names_count=0
    : >names.part && : >table.part && : >data.part || exit 99
    for entry_name in "$@"; do
        before=$names_size
        names_count=$((names_count + 1))
        printf 'x\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >>data.part
        # shellcheck disable=SC2059 # it is a format
        printf "$entry_name" >>names.part
        names_size=$(wc -c <names.part)
        {
            printf '\377\377\377\377'
            u32 1
            u32 $((16 * names_count))
            u32 972300000
            u16 $((names_size - before))
            u32 "$before"
        } >>table.part
    done
    {
        printf '\074\342\234\001'
        u32 "$names_count"
        u32 $((16 + 16 * names_count))
        u32 "$names_size"
        cat data.part table.part names.part
    } >names.res
    rm -f data.part table.part names.part
}
u16() {
    # shellcheck disable=SC2059 # it is a format
    printf "\\$(printf %o $(($1 & 255)))\\$(printf %o $(($1 >> 8 & 255)))"
}

# A file of a disc with five files of Shadow of the Colossus in it, at 0x801, 0xd9d, 0x1821, 0x1901
# and 0x19e1.
make_disc() {
    {
        head -c 2049 /dev/zero
        cat "$SAMPLES/bird/bird.skb" "$SAMPLES/bird/fly.anb"
        cat "$FIXTURES/sotc-nmo/skinned.nmo" "$FIXTURES/sotc-nto/plain-4.nto"
        cat "$FIXTURES/sotc-xff/named.xff"
        printf 'xff2 is only a word'
    } >"$1"
}

# raw_sectors IMAGE OUT: sectors of 2048 bytes as a CD has them, in Mode 1; without checksums.
raw_sectors() {
    raw_count=$(($(wc -c <"$1") / 2048))
    raw_sector=0
    while [ $raw_sector -lt $raw_count ]; do
        printf '\0\377\377\377\377\377\377\377\377\377\377\0\0\2\0\1'
        dd if="$1" bs=2048 skip=$raw_sector count=1 2>/dev/null
        head -c 288 /dev/zero
        raw_sector=$((raw_sector + 1))
    done >"$2"
}

# make_bombs COUNT ARCHIVE: a ZIP with so many entries, b1, b2, ..., of a mebibyte of zeros each.
make_bombs() {
    head -c 1048576 /dev/zero | gzip -9n >bomb.part || exit 99
    bomb_size=$(($(wc -c <bomb.part) - 18)) # a header of 10 bytes before, sums of 8 behind
    tail -c 8 bomb.part | head -c 4 >sum.part
    tail -c +11 bomb.part | head -c $bomb_size >data.part
    : >local.part && : >central.part || exit 99
    bomb=0
    while [ $bomb -lt "$1" ]; do
        bomb=$((bomb + 1))
        bomb_name=b$bomb
        bomb_place=$(wc -c <local.part)
        {
            printf '\24\0\0\0\10\0\0\0\41\0' && cat sum.part
            u32 $bomb_size && u32 1048576
            u16 ${#bomb_name} && u16 0
        } >head.part
        { printf 'PK\3\4' && cat head.part && printf %s $bomb_name && cat data.part; } >>local.part
        {
            printf 'PK\1\2\24\0' && cat head.part
            printf '\0\0\0\0\0\0\0\0\0\0' && u32 "$bomb_place" && printf %s $bomb_name
        } >>central.part
    done
    {
        cat local.part central.part && printf 'PK\5\6\0\0\0\0'
        u16 "$1" && u16 "$1" && u32 "$(wc -c <central.part)" && u32 "$(wc -c <local.part)"
        u16 0
    } >"$2"
    rm -f ./*.part
}

# A number as four bytes, the lowest first.
u32() {
    # shellcheck disable=SC2059 # the bytes are in the format
    printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)))"
}

# An archive of the second Midtown Madness, of the files below a folder: dave FOLDER ARCHIVE.
dave() {
    (cd "$1" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >dave.list || exit 99
    dave_count=$(wc -l <dave.list)
    dave_names=$(wc -c <dave.list) # a line feed each, where the archive has a NUL
    dave_at=$((2048 + 16 * dave_count + dave_names))
    dave_name=0
    : >dave.table
    while read -r dave_file; do
        dave_size=$(wc -c <"$1/$dave_file")
        { u32 "$dave_name" && u32 "$dave_at" && u32 "$dave_size" && u32 "$dave_size"; } >>dave.table
        dave_name=$((dave_name + ${#dave_file} + 1))
        dave_at=$((dave_at + dave_size))
    done <dave.list
    {
        printf DAVE && u32 "$dave_count" && u32 $((16 * dave_count)) && u32 "$dave_names"
        dd if=/dev/zero bs=2032 count=1 2>/dev/null
        cat dave.table
        tr '\n' '\0' <dave.list
        while read -r dave_file; do cat "$1/$dave_file"; done <dave.list
    } >"$2"
    rm dave.list dave.table
}

# make_tree FILE CHILD PARENT ...: an LNK.
make_tree() {
    tree_file=$1
    shift
    tree_links=
    while [ $# -gt 0 ]; do
        tree_links="$tree_links${tree_links:+,}{\"child\":\"$1\",\"parent\":\"$2\",\"child_nul\":true,\"parent_nul\":false}"
        shift 2
    done
    echo "{\"ossa\":1,\"format\":\"ei-lnk\",\"size\":0,\"data\":{\"links\":[$tree_links]}}" |
        ossa build - -o "$tree_file" || exit 99
}

# A human as the game stores one: make_human FOLDER gives human.mod, with 16 slots, 20 variants for
# each, other trees and strays, human.bon, human.anm with two clips, and figures of one part.
make_human() {
    mkdir -p "$1" work.mod work.bon work.anm || exit 99
    make_tree work.mod/human hp '' bd hp hd bd hr.00 hd lh1 bd lh2 lh1 lh3 lh2 rh1 bd rh2 rh1 rh3 rh2 \
        ll1 hp ll2 ll1 ll3 ll2 rl1 hp rl2 rl1 rl3 rl2
    make_tree work.mod/humanold hp '' bd hp
    make_tree work.mod/jbr00 wall01 ''
    cp "$FIXTURES/ei-fig/fig1.fig" work.mod/wall01 || exit 99
    printf 'MZ this is a program, and no part of anybody' >work.mod/viewer.exe
    printf 'and so is this, without an extension' >work.mod/viewer
    for slot in hp bd hd hr.00 lh1 lh2 lh3 rh1 rh2 rh3 ll1 ll2 ll3 rl1 rl2 rl3; do
        cp "$FIXTURES/ei-bon/one.bon" "work.bon/$slot" || exit 99
        cp "$FIXTURES/ei-fig/fig1.fig" "work.mod/$slot" || exit 99
        number=0
        while [ $number -lt 20 ]; do
            case $slot in
            hr.00) variant=hr.$(printf %02d $number) ;;
            rh3) variant=rh3.sword$(printf %02d $number) ;;
            *) variant=$slot.armor$(printf %02d $number) ;;
            esac
            cp "$FIXTURES/ei-fig/fig1.fig" "work.mod/$variant" || exit 99
            number=$((number + 1))
        done
    done
    cp "$FIXTURES/ei-bon/two.bon" work.bon/rh3.sword07 # one has a position of its own
    for clip in cwalk udie; do
        mkdir work.clip || exit 99
        for slot in hp bd hd hr lh1 lh2 lh3 rh1 rh2 rh3 ll1 ll2 ll3 rl1 rl2 rl3; do
            cp "$FIXTURES/ei-anm/plain.anm" "work.clip/$slot" || exit 99
        done
        pack_folder work.clip work.anm/$clip
    done
    for kind in mod bon anm; do pack_folder work.$kind "$1/human.$kind"; done
    for name in barrel swordweapon oldshield; do
        cp "$FIXTURES/ei-fig/fig1.fig" "$1/$name.fig" && cp "$FIXTURES/ei-bon/one.bon" "$1/$name.bon" ||
            exit 99
    done
    make_tree "$1/sword.lnk" weapon ''     # of sword and weapon
    make_tree "$1/shield.lnk" oldshield '' # of the whole name
}

# Edit a scene, JSON of `ossa convert --pretty`: replace keys of a track in some frames.
# edit_keys CLIP rotations|translations|scales BONE FIRST LAST 'x, y, z, w' <before >after
edit_keys() {
    awk -v clip="$1" -v kind="$2" -v bone="$3" -v first="$4" -v last="$5" -v value="$6" '
    /^      "name": / { in_clip = $0 == "      \"name\": \"" clip "\","; in_kind = 0 }
    /^      "[a-z_]*": / { in_kind = in_clip && $1 == "\"" kind "\":" }
    in_kind && /^          "bone": / { row = $2 == bone "," ? 0 : -1; next_is_bone = 1 }
    in_kind && row >= 0 && /^            \[/ {
        if (row >= first && row <= last) sub(/\[.*\]/, "[" value "]")
        row++
    }
    /^          \]/ { row = -1 }
    { print }'
}
