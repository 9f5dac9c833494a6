#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The samples as glTF, written again by other programs than Blender, and back: without an edit every
# byte is what it was, unless the program has changed the motion.
#
#   tests/peers/run-writers.sh OSSA FOLDER
#
# In FOLDER, outside of the source tree, npm/ has the programs (see run-peer.sh); what they write is
# left in writers/ to be looked at.
#
# Exit status: 0 all fine, 1 not, 77 the programs are not there, 2 the call is wrong.
set -eu

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo 'usage: run-writers.sh OSSA FOLDER' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
binary=$(absolute "$1")
samples=$(absolute "$here/../../samples")
need_command node
[ -f "$2/npm/installed.json" ] || skip 'nothing is installed from npm'
rm -rf "$2/writers"
mkdir "$2/writers"
cd "$2/writers"

for sample in troll pedestrian rabbit bird wyvern; do
    ossa convert -q "$samples/$sample" -o "$sample.glb"
done
node "$here/writers.mjs" ../npm/node_modules troll pedestrian rabbit bird wyvern >log 2>&1 || {
    tail -20 log >&2
    exit 1
}

failed=0
count=0
complain() {
    echo "$*" >&2
    failed=1
}

# SAMPLE WRITER: report and message are what import prints.
import() {
    rm -rf out
    count=$((count + 1))
    ossa import --json "$1-$2.glb" --over "$samples/$1" -o out >report 2>message
}

# SAMPLE WRITER: no byte changes.
same() {
    if ! import "$1" "$2"; then complain "$1-$2 is refused: $(cat message)"
    elif ! diff -r "$samples/$1" out >/dev/null; then complain "$1-$2 changes the files"
    fi
}

# SAMPLE WRITER ADVICE: nothing is written, and the message says what to do.
refused() {
    if import "$1" "$2"; then complain "$1-$2 is not refused"; fi
    [ ! -e out ] || complain "$1-$2 is refused and written"
    grep -q "$3" message || complain "$1-$2: no advice in: $(cat message)"
}

# WHAT FILE LIMIT MEMBER: the largest number that a member has in a file of JSON.
within() {
    largest=$(grep -o "\"$4\":[0-9.e+-]*" "$2" | cut -d: -f2 | sort -g | tail -1)
    [ -n "$largest" ] || complain "$1: no $4 in $2"
    awk "BEGIN { exit !(${largest:-0} <= $3) }" || complain "$1: $2 has $largest $4, more than $3"
}

# SAMPLE WRITER DEGREES MILLIMETRES: the files are as near as that to what the program wrote, and to
# what they were.
near() {
    if ! import "$1" "$2"; then
        complain "$1-$2 is refused: $(cat message)"
        return
    fi
    within "$1-$2" report "$3" degrees
    within "$1-$2" report "$4" millimetres
    if ossa diff --json "$samples/$1" out >difference; then return; fi
    within "$1-$2" difference "$3" degrees
    within "$1-$2" difference "$4" millimetres
    ! grep -q '_differs":true' difference || complain "$1-$2 changes more than rotations and positions"
}

for sample in troll pedestrian rabbit bird wyvern; do
    same $sample three
    same $sample transform
    for function in dedup flatten prune sparse quantize unweighted; do
        same $sample transform-$function
    done
    # It leaves out keys that are within 0.0001 of the line between others, number by number: measured
    # up to 0.15 degrees and 0.57 mm, at the end of the pedestrian's arms.
    near $sample transform-resample 0.2 0.8
    near $sample transform-all 0.2 0.8
    # Rotations become integers of 16 bits, whatever its options: measured up to 0.011 degrees and 0.18 mm.
    near $sample gltfpack-plain 0.02 0.3
    near $sample gltfpack-quantize 0.02 0.3
    refused $sample gltfpack-compressed 'export it again without compression'
done

# A file whose clips have no weights says nothing of shapes. three.js ignores those of a mesh on a bone.
for writer in three transform-unweighted; do
    same wyvern $writer
    grep -q 'no clip of the edit moves its shape keys' message || complain "wyvern-$writer: no remark in: $(cat message)"
done

# gltfpack samples at 30 per second if it is not told otherwise.
for sample in pedestrian bird; do near $sample gltfpack-default 0.02 0.3; done
for sample in troll rabbit wyvern; do refused $sample gltfpack-default 'has keys at a rate of 30.*--resample'; done

[ $failed = 0 ] && echo "$count files of other writers"
exit $failed
