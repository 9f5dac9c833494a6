# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Follow a page: its plain blocks (```) hold commands, `$ COMMAND`, and what they print. A step in
# Blender is a comment: `<!-- blender: FROM TO FPS EDIT... -->`, where EDIT is one of
#
#   rotations CLIP BONES SOURCE FRAME    in all frames, the rotations that another clip has in one
#   scales CLIP BONES FACTOR             in all frames, this scale
#
# Whoever sources this has a function guide_edit, which gets these words.

# What stands in the blocks.
guide_blocks() { # PAGE
    awk '/^```/ { is_in = $0 == "```" && !is_fenced; is_fenced = !is_fenced; next } is_in' "$1"
}

# What really happens. Each command is also passed to the function guide_ran, if there is one.
guide_session() { # PAGE
    awk '/^<!-- blender: / { sub(/^<!-- blender: /, "! "); sub(/ -->$/, ""); print; next }
        /^```/ { is_in = $0 == "```" && !is_fenced; is_fenced = !is_fenced; next }
        is_in && /^\$ /' "$1" >guide.steps
    while read -r guide_kind guide_line <&3; do
        case $guide_kind in
        !) eval "guide_edit $guide_line" 3<&- ;;
        *)
            printf '$ %s\n' "$guide_line"
            eval "$guide_line" 3<&-
            if command -v guide_ran >/dev/null; then guide_ran "$guide_line" 3<&-; fi
            ;;
        esac
    done 3<guide.steps
}

# Does the page say what happens? How near files are to an edit depends on the rounding of whoever
# made it, and does not count.
guide_compare() { # PAGE ACTUAL
    guide_blocks "$1" | guide_rounded >guide.expected
    guide_rounded <"$2" >guide.actual
    diff -u guide.expected guide.actual
}
guide_rounded() { sed 's/within [^ ]* degrees and [^ ]* mm of the edit (.*)/within .../'; }
