# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # what they use is set by the script that sources them
# The figures that the other programs are to open, a line each: subject NAME INPUT... [OPTION...]
# INPUT and OPTION go to `ossa convert` and to `ossa pose`. A new line here is all a new figure needs.

subject troll "$samples/troll"
subject pedestrian "$samples/pedestrian"
subject rabbit "$samples/rabbit"
subject bird "$samples/bird"
subject wyvern "$samples/wyvern"
subject packed_ped "$samples/packed/ped.ar"
subject packed "$samples/packed/figures.res#troll" "$samples/packed/textures.res" "$samples/packed/database.res"
subject states "$samples/pedestrian" "$samples/more/ped.csv" --in-place
subject flight "$samples/troll" "$samples/more/flight.cam"
subject stage "$samples/rabbit" "$samples/more/stage.anc"

# Pedestrians with the properties of the games' own files.
FIXTURES=$samples/../tests/fixtures
. "$samples/../tests/support/pedestrians.sh"
mm1_pedestrian "$made/officer"
subject officer "$made/officer"
mm2_pedestrians "$made/core"
subject clothes "$made/core/anim/pedmodel_man.skel" "$made/core/anim/pedmodel_man.mod" "$made/core/anim/pedmodel_man.csv" \
    "$made/core/anim/pedmodel_man.shaders" "$made/core/anim/pedanim_manstand.anim" "$made/core/anim/pedanim_manwalk.anim"

odd_names "$made/names" 'ходьба 1.5'
subject names "$made/names"
