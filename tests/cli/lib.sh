# SPDX-License-Identifier: MIT
#
# For the cases: read by run.sh before each.

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
verbs() { ossa --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'; }
options_of() { ossa help "$1" | sed -n '/^options:/,/^$/s/^  .*\(--[a-z-]*\).*/\1/p'; }

skip() {
    echo "$*"
    exit 77
}

# Run a command that the permissions of files hold for, which they do not for root.
without_privilege() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    else
        setpriv --bounding-set=-all --inh-caps=-all -- "$@"
    fi
}
need_permissions() {
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

# A file of a disc with five files of Shadow of the Colossus in it, at 0x801, 0xd9d, 0x1821, 0x1901
# and 0x19e1.
make_disc() {
    {
        head -c 2049 /dev/zero
        cat "$SAMPLES/bird/bird.skb" "$SAMPLES/bird/fly.anb"
        cat "$FIXTURES/sotc-xff/model.xff" "$FIXTURES/sotc-xff/texture.xff"
        cat "$FIXTURES/sotc-xff/named.xff"
        printf 'xff2 is only a word'
    } >"$1"
}
