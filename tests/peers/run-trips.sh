#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The samples out of the game's files, through Blender, and back: without an edit every byte is what it
# was, whatever the settings; with one, only what was edited is not.
#
#   tests/peers/run-trips.sh OSSA FOLDER
#
# Exit status: 0 all fine, 1 not, 77 Blender is not there, 2 the call is wrong.
set -eu

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo 'usage: run-trips.sh OSSA FOLDER' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
binary=$(absolute "$1")
samples=$(absolute "$here/../../samples")
rm -rf "$2"
mkdir -p "$2"
cd "$2"
need_command blender
blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1 ||
    skip 'blender has no numpy, which its glTF import needs (package python3-numpy)'

ossa() { "$binary" "$@"; }

# A trip: SAMPLE NAME FPS BASE HEURISTIC SETTINGS [EDIT]
job() {
    printf '{"from":"%s/%s.glb","to":"%s/%s-%s.glb","fps":%s,"base":%s,"heuristic":"%s","settings":{%s}%s}\n' \
        "$PWD" "$1" "$PWD" "$1" "$2" "$3" "$4" "$5" "$6" "${7:+,\"edit\":$7}" >>jobs
}

# The rates that Blender's scene has to have. Evil Islands: frames are 55 ms. The rabbit has clips of 20
# and of 30 frames per second. Blender 3.4 cannot export lines with colours of vertices.
rate_of() {
    case $1 in
    troll | wyvern) echo 1000 55 ;;
    rabbit) echo 60 1 ;;
    *) echo 30 1 ;;
    esac
}
more_of() {
    case $1 in
    rabbit) echo ',"export_colors":false' ;;
    esac
}

for sample in troll wyvern pedestrian rabbit bird; do
    ossa convert -q "$samples/$sample" -o $sample.glb 2>/dev/null
    # shellcheck disable=SC2046 # two words
    set -- $(rate_of $sample)
    more=$(more_of $sample)
    for heuristic in TEMPERANCE BLENDER; do
        job $sample default-$heuristic "$1" "$2" $heuristic "\"export_yup\":true$more"
        job $sample optimised-$heuristic "$1" "$2" $heuristic "\"export_optimize_animation_size\":true$more"
        job $sample unsampled-$heuristic "$1" "$2" $heuristic "\"export_force_sampling\":false$more"
    done
done
job pedestrian wrong 24 1 TEMPERANCE ''
# Every frame of the game as a frame of Blender, at Blender's own rate.
ossa convert -q "$samples/troll" --fps 24 -o slow.glb
job slow default 24 1 TEMPERANCE ''
edit='"frames":[5,6,7,8,9],"degrees":30,"axis":[0.6,0,0.8]}'
job slow edited 24 1 TEMPERANCE '' "{\"clip\":\"walk\",\"bone\":\"rh1\",$edit"
job pedestrian edited 30 1 BLENDER '' "{\"clip\":\"walk\",\"bone\":\"larm\",$edit"
# A small one, that the constants of the bone suffice for.
job bird edited 30 1 TEMPERANCE '' "{\"clip\":\"fly\",\"bone\":\"lwing1\",\"frames\":[5,6,7,8,9],\"degrees\":3,\"axis\":[0.6,0,0.8]}"
blender -b --factory-startup --python-exit-code 1 -P "$here/blender_trip.py" -- jobs >log 2>&1 || {
    tail -20 log >&2
    exit 1
}

failed=0
complain() {
    echo "$*" >&2
    failed=1
}

for trip in *-default-*.glb *-optimised-*.glb *-unsampled-*.glb; do
    sample=${trip%%-*}
    rm -rf out
    if ! ossa import -q "$trip" --over "$samples/$sample" -o out; then complain "$trip is refused"
    elif ! diff -r "$samples/$sample" out >/dev/null; then complain "$trip changes the files"
    fi
done
rm -rf out
ossa import -q slow-default.glb --fps 24 --over "$samples/troll" -o out || complain 'slow is refused'
diff -r "$samples/troll" out >/dev/null || complain 'slow changes the files'

# At the wrong rate nothing is written, and the message says what to do.
rm -rf out
if ossa import -q pedestrian-wrong.glb --over "$samples/pedestrian" -o out 2>message; then
    complain 'keys of another rate are not refused'
fi
[ ! -e out ] || complain 'a refused edit is written'
grep -q 'set the frame rate of the scene' message || complain "no advice in: $(cat message)"

# An edit: CLIP BONE SAMPLE FILE, the files that differ, and where the pose is now.
edited() {
    rm -rf out
    ossa import -q "$1" $5 --over "$samples/$2" -o out || complain "$1 is refused"
    diff -rq "$samples/$2" out | sed 's/.* and out.\(.*\) differ/\1/' >differing || true
    [ "$(tr '\n' ' ' <differing)" = "$3 " ] || complain "$1 changes: $(tr '\n' ' ' <differing)"
    # Frames around the edit are as they were.
    for frame in 4 10; do
        ossa pose --json $5 --clip "$4" --frame $frame "$samples/$2" >before
        ossa pose --json $5 --clip "$4" --frame $frame out >after
        cmp -s before after || complain "$1 changes frame $frame"
    done
    ossa pose --json $5 --clip "$4" --frame 7 "$samples/$2" >before
    ossa pose --json $5 --clip "$4" --frame 7 out >after
    ! cmp -s before after || complain "$1 does not change frame 7"
}
edited slow-edited.glb troll 'walk/rh1.anm walk/rh2.anm' walk '--fps 24'
edited pedestrian-edited.glb pedestrian walk.anim walk ''
edited bird-edited.glb bird fly.anb fly ''

[ $failed = 0 ] && echo "$(grep -c . jobs) trips through Blender"
exit $failed
