# SPDX-License-Identifier: MIT
# Makes a C file of every ```c block in the pages: each becomes a function, which main.c calls. The compiler
# reports the lines of the page. A block of any language after `<!-- excerpt: FILE -->` must stand in FILE
# as it is, but for its indentation.
#     awk -v root=FOLDER -f extract.awk PAGES
BEGIN { print "#include \"given.h\"" }
function fail(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message >"/dev/stderr"
    failed = 1
    exit 1
}
function plain(line) {
    sub(/^[ \t]+/, "", line)
    return line
}
function load(path, text, line) {
    while ((getline line <path) > 0) text = text plain(line) "\n"
    close(path)
    return text
}
FNR == 1 { excerpt = "" }
/^<!-- excerpt: .* -->$/ { excerpt = $3; next }
/^```c$/ || (/^```[a-z]+$/ && excerpt != "") {
    inside = 1
    block = ""
    start = FNR + 1
    next
}
inside && /^```$/ {
    inside = 0
    blocks++
    if (excerpt != "") {
        if (index(load(root "/" excerpt), block) == 0) fail("the block is not in " excerpt)
    } else {
        if (block ~ /int main\(/) fail("complete programs belong in examples/")
        printf "static int snippet_%d(void)\n{\n#line %d \"%s\"\n%sreturn 0;\n}\n", ++count, start, FILENAME, block
        table = table sprintf("    {\"%s:%d\", snippet_%d},\n", FILENAME, start, count)
    }
    excerpt = ""
    next
}
inside { block = block (excerpt == "" ? $0 : plain($0)) "\n" }
END {
    if (failed) exit 1
    printf "const struct snippet snippets[] = {\n%s    {NULL, NULL},\n};\n", table
}
