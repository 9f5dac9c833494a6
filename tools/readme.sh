#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts real output into README.md and docs/formats/README.md: the block after `<!-- run: COMMAND -->` becomes what COMMAND prints,
# the lines between `<!-- table: COMMAND -->` and `<!-- end of table -->` likewise.
# usage: tools/readme.sh [--check] [OSSA]     --check: only say whether it is up to date
set -eu

check=no
if [ "${1-}" = --check ]; then
    check=yes
    shift
fi
binary=$(cd "$(dirname "${1-build/ossa}")" && pwd)/ossa
cd "$(dirname "$0")/.."
mkdir -p build # where the examples write
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ossa() { "$binary" "$@"; }

# The command of a marker line, without the comment around it.
command_of() { printf '%s\n' "$1" | sed -e 's/^<!-- [a-z]*: //' -e 's/ -->$//'; }

# The page $1, with its output as it is now.
renewed() {
    state=text
    while IFS= read -r line; do
        case $state in
        skip-block) # between ``` and ```: old output
            [ "$line" = '```' ] && state=text && printf '%s\n' "$line"
            continue ;;
        skip-table)
            [ "$line" = '<!-- end of table -->' ] || continue
            state=text ;;
        open-block) # the line must be the opening ```
            printf '%s\n' "$line"
            printf '$ %s\n' "$shown"
            (eval "$command") 2>&1 || true
            state=skip-block
            continue ;;
        esac
        printf '%s\n' "$line"
        case $line in
        '<!-- run: '*)
            command=$(command_of "$line")
            shown=${command##*; } # what prepares the input is not shown
            state=open-block ;;
        '<!-- table: '*)
            command=$(command_of "$line")
            printf '\n'
            (eval "$command")
            printf '\n'
            state=skip-table ;;
        esac
    done <"$1"
}

status=0
for page in README.md docs/formats/README.md; do
    renewed "$page" >"$work/page"
    if cmp -s "$page" "$work/page"; then continue; fi
    if [ $check = yes ]; then
        diff -u "$page" "$work/page" || true
        echo "$page is not up to date: run \`make readme\`" >&2
        status=1
    else
        cp "$work/page" "$page"
    fi
done
exit $status
