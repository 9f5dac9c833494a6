# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# For the scripts that need files of Midtown Madness; $FIXTURES is tests/fixtures.

# Pedestrians with the properties of the games' own files, from the fixtures. One of the first game:
# mm1_pedestrian FOLDER. Those of the second game, with strays: mm2_pedestrians FOLDER.
mm1_pedestrian() {
    mkdir -p "$1" || exit 99
    for mm_end in skel mod csv var; do
        cp "$FIXTURES/mm-$mm_end/mm1-pedestrian.$mm_end" "$1/officer.$mm_end" || exit 99
    done
    for mm_clip in stand walk; do
        cp "$FIXTURES/mm-anim/mm1-pedestrian.anim" "$1/officer_$mm_clip.anim" || exit 99
    done
}
mm2_pedestrians() {
    mkdir -p "$1/anim" "$1/tune" || exit 99
    for mm_name in man manw; do # both use the animations of man
        for mm_end in skel mod csv shaders; do
            cp "$FIXTURES/mm-$mm_end/mm2-pedestrian.$mm_end" "$1/anim/pedmodel_$mm_name.$mm_end" || exit 99
        done
    done
    cp "$FIXTURES/mm-skel/mm2-pedestrian.skel" "$1/anim/pedmodel_wolf.skel" || exit 99
    for mm_clip in stand walk; do
        cp "$FIXTURES/mm-anim/mm2-pedestrian.anim" "$1/anim/pedanim_man$mm_clip.anim" || exit 99
    done
    cp "$FIXTURES/mm-anim/text.anim" "$1/anim/pedanim_manantrnch.anim" || exit 99
    printf '1\n0 0 0 0 0\n0\n' >"$1/anim/pedmodel_man.rays"
    for mm_table in cars races opponents sounds; do
        cp "$FIXTURES/mm-csv/$mm_table.csv" "$1/tune" || exit 99
    done
}
