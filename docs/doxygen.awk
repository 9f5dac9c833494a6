# SPDX-License-Identifier: MIT
# Turns the plain comments of our headers into those that Doxygen reads: the first one is about the
# file, one behind a declaration about that, one before declarations about all of them up to an empty
# line. Files other than headers stay as they are.
FILENAME !~ /\.h$/ { print; next }
FNR == 1 && /^\/\* SPDX/ { print /\*\// ? "" : "/** @file"; next }
/^[ \t]*\/\* ----/ || /^[ \t]*#/ { print; said = ""; next }
/^[ \t]*$/ { print; said = ""; next }

# A comment of its own lines.
!inside && /^[ \t]*\/\*/ {
    sub(/\/\*+/, "/**")
    said = $0
    inside = !/\*\//
    print
    fresh = 1
    next
}
inside {
    said = said "\n" $0
    if (/\*\//) inside = 0
    print
    next
}

{
    # One that ends on a later line is still about what stands before it.
    behind = sub(/\/\*(\*<)? /, "/**< ")
    open = behind && !/\*\//
    is_start = !continued && !in_trailer
    if (is_start && !fresh && !behind && said != "" && /[;,]$|\($|,$/) print said
    fresh = 0
    continued = depth_open($0)
    in_trailer = in_trailer ? !/\*\// : open
    print
}

# Whether a call of several lines goes on.
function depth_open(line, plain) {
    plain = line
    gsub(/\/\*.*$/, "", plain)
    if (plain ~ /^(typedef|struct|enum|}|extern)/) { said = ""; return 0 }
    return plain ~ /[,(]$/ && plain ~ /\(/ && plain !~ /\)[,;]?[ \t]*$/
}
