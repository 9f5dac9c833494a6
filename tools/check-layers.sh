#!/bin/sh
# SPDX-License-Identifier: MIT
# Fail where a file reaches over its layer. Usage: tools/check-layers.sh [SOURCE FOLDER]
#
#   base <- codec <- archive <- scene <- formats, export, import <- workspace
#
# lanes stands on base and the public headers alone, sample on these and lanes; cli on src/base and the public headers; web/wasm,
# bindings and examples on the public headers. Within formats, a module (what defines an ossa__format)
# knows nothing of scenes, and no game knows another one. Nothing in src/ prints, and nobody but its own
# game knows a format by its id. The web page knows no format and no game at all.
set -eu
export LC_ALL=C
cd "${1:-$(dirname "$0")/..}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Debts, to be paid: LAYER FOLDER allows an #include, FILE ID an id. One that is no longer needed is an
# error, too, so that the list cannot outlive its reasons.
cat >"$work/debts" <<'DEBTS'
DEBTS

files=$(find include src cli tools web/wasm bindings examples fuzz -name '*.[ch]' 2>/dev/null | sort)

# Every quoted #include as FILE LINE HEADER.
# shellcheck disable=SC2086 # a list of names without spaces
awk '/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\""); print FILENAME, FNR, part[2]
}' $files >"$work/includes"

# Every format as ID FOLDER, where it is registered.
find src/formats -name '*.c' -exec awk 'match($0, /\.id = "[a-z0-9-]+"/) {
    folder = FILENAME
    sub(/\/[^\/]*$/, "", folder)
    print substr($0, RSTART + 7, RLENGTH - 8), folder
}' {} + >"$work/formats"

# What the page must not contain: ids and extensions of formats, names of games.
find src/formats -name '*.c' -exec awk '
/^    \.name = "/ && FILENAME ~ /\/game\.c$/ { split($0, part, "\""); print "game " part[2] }
match($0, /\.extensions = "[a-z0-9 ]+"/) {
    count = split(substr($0, RSTART + 15, RLENGTH - 16), part, " ")
    for (i = 1; i <= count; i++) print "extension " part[i]
}' {} + | sort -u >"$work/words"
sed 's/^\([^ ]*\) .*/id \1/' "$work/formats" >>"$work/words"
page=$(find web/page -type f | sort)

# The modules, which must not know scenes.
find src/formats -name '*.c' -exec grep -l '^const struct ossa__format ossa__format_' {} + >"$work/modules"

# shellcheck disable=SC2086 # a list of names without spaces
awk -v debts="$work/debts" -v formats="$work/formats" -v modules="$work/modules" '
BEGIN {
    allowed["include"] = "ossa"
    allowed["base"] = "ossa base"
    allowed["codec"] = "ossa base codec"
    allowed["archive"] = "ossa base codec archive"
    allowed["scene"] = "ossa base lanes codec archive scene"
    allowed["formats"] = "ossa base lanes codec archive scene formats"
    allowed["lanes"] = "ossa base lanes"
    allowed["sample"] = "ossa base lanes sample"
    allowed["export"] = "ossa base codec archive scene export"
    allowed["import"] = "ossa base codec archive scene import"
    allowed["workspace"] = "ossa base codec archive scene formats export import workspace"
    allowed["cli"] = "ossa base cli"
    allowed["tools"] = "ossa base tools"
    allowed["web/wasm"] = "ossa web/wasm"
    allowed["bindings"] = "ossa bindings"
    allowed["examples"] = "ossa examples"
    allowed["fuzz"] = "ossa base codec archive import fuzz support" # it tests single parts, too
    while ((getline line <debts) > 0) debt[line] = 1
    while ((getline line <formats) > 0) { split(line, part, " "); home[part[1]] = part[2] }
    while ((getline line <modules) > 0) is_module[line] = 1
    for (id in home) ids++
    if (ids == 0) complain("tools/check-layers.sh", 1, "found no formats: it looks for .id = \"...\"")
}
function complain(file, line, message) {
    printf "%s:%d: %s\n", file, line, message
    failed = 1
}
function layer_of(file) {
    if (file ~ /^web\/wasm\//) return "web/wasm"
    if (file ~ /^src\//) sub(/^src\//, "", file)
    sub(/\/.*$/, "", file)
    return file
}
# A header without a folder lies beside the file, except that web/wasm also looks into cli.
function target_of(file, header, folder, line, found) {
    if (header ~ /\//) { sub(/\/.*$/, "", header); return header }
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    found = (getline line <(folder "/" header)) >= 0
    close(folder "/" header)
    return found ? layer_of(file) : "cli"
}
function is_allowed(layer, target) { return index(" " allowed[layer] " ", " " target " ") > 0 }
function owes(entry) {
    if (!(entry in debt)) return 0
    paid[entry] = 1
    return 1
}
FILENAME ~ /\/includes$/ {
    file = $1; header = $3
    layer = layer_of(file)
    target = target_of(file, header)
    count++
    if (!(layer in allowed)) {
        complain(file, $2, "the folder " layer " has no place among the layers of tools/check-layers.sh")
    } else if (!is_allowed(layer, target) && !owes(layer " " target)) {
        complain(file, $2, layer " must not include \"" header "\" of " target)
    } else if (file in is_module && target == "scene") {
        complain(file, $2, "a format module must not know scenes")
    } else if (file ~ /^src\/formats\/[^\/]*\// && header ~ /^formats\/[^\/]*\//) {
        own = file; other = "src/" header
        sub(/\/[^\/]*$/, "", own); sub(/\/[^\/]*$/, "", other)
        if (own != other) complain(file, $2, "one game must not know another one: \"" header "\"")
    }
    next
}
# The public headers may name ids in comments; examples and fuzzers have to name some.
FILENAME ~ /^(include|examples|fuzz)\// { next }
{
    text = $0
    while (match(text, /"[^"]*"/)) {
        literal = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        for (id in home) {
            if (literal !~ ("(^|[^a-z0-9-])" id "($|[^a-z0-9-])")) continue
            if (index(FILENAME, home[id] "/") == 1 || owes(FILENAME " " id)) continue
            complain(FILENAME, FNR, "only " home[id] " may know the id " id)
        }
    }
}
FILENAME ~ /^src\// && /(^|[^a-z_])(printf|fprintf|puts|putchar|perror|fputs) ?\(|(^|[^a-z_])(stderr|stdout)([^a-z_]|$)/ {
    complain(FILENAME, FNR, "the library does not print")
}
END {
    for (entry in debt) {
        if (!(entry in paid)) complain("tools/check-layers.sh", 1, "this debt is paid, delete it: " entry)
    }
    if (count < 100) complain("tools/check-layers.sh", 1, "found only " count " includes")
    if (!failed) printf "layers: %d includes, %d formats, clean\n", count, ids
    exit failed
}' "$work/includes" $files

# An extension is a word in capitals, or lower case after a dot. In code, a dot after a name, a bracket or
# a question mark is a member instead, unless it is in a text.
# shellcheck disable=SC2086 # a list of names without spaces
awk -v words="$work/words" -v quote="'" '
BEGIN {
    while ((getline line <words) > 0) {
        kind = line; sub(/ .*/, "", kind)
        word = line; sub(/^[^ ]* /, "", word)
        kinds[kind]++
        if (kind != "extension") known[word] = 1
        else extension[word] = 1
    }
    delete extension["csv"] # a game has such files, but the library also writes them for other programs
    if (kinds["id"] < 10 || kinds["game"] < 4 || kinds["extension"] < 10) {
        print "tools/check-layers.sh:1: found too few ids, games or extensions"
        failed = 1
    }
}
function complain(word) {
    printf "%s:%d: the page must not know %s: ask the library\n", FILENAME, FNR, word
    failed = 1
}
{
    count++
    for (word in known) {
        if (tolower($0) ~ ("(^|[^a-z0-9-])" tolower(word) "($|[^a-z0-9-])")) complain(word)
    }
    texts = ""
    rest = $0
    while (match(rest, "\"[^\"]*\"|" quote "[^" quote "]*" quote "|`[^`]*`|/[^/ ]+/")) {
        texts = texts " " substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
    }
    for (word in extension) {
        ends = "([^A-Za-z0-9_]|$)"
        if ($0 ~ ("(^|[^A-Za-z0-9_])" toupper(word) ends) || texts ~ ("[.]" word ends) ||
            $0 ~ ("(^|[^A-Za-z0-9_)\\]?])[.]" word ends)) {
            complain("." word)
        }
    }
}
END {
    if (count < 1000) { print "tools/check-layers.sh:1: found only " count " lines of web/page"; failed = 1 }
    exit failed
}' $page
