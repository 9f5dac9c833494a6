#!/bin/sh
# SPDX-License-Identifier: MIT
# Fail for names of files that Windows refuses: devices, forbidden characters, dots and spaces at the
# end, and names that differ only in letter case. Usage: tools/check-file-names.sh [SOURCE FOLDER]
set -eu
export LC_ALL=C
cd "${1:-$(dirname "$0")/..}"

# What git has, or in a tarball everything that was not built; and all folders that it is in.
names() {
    { git -c core.quotepath=off ls-files 2>/dev/null || find . -path ./build -prune -o -type f -print; } |
        awk '{ print; while (sub("/[^/]*$", "")) print }' | sort -u
}

bad=$(
    names | grep -iE '(^|/)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.[^/]*)?$' || true
    names | grep -E '[:*?"<>|\\]|[^.][. ]$' || true
    names | tr '[:upper:]' '[:lower:]' | sort | uniq -d
)
test -n "$(names)" || bad="no files found"
test -z "$bad" || { printf '%s\n' "$bad" | sed 's/^/not a file name on Windows: /'; exit 1; }
