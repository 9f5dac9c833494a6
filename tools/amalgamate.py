#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the library as two files, ossa.c and ossa.h: tools/amalgamate.py FOLDER

What is static in one file may have the name of something in another. So every name that a file of
src/ defines for itself gets the file's name in front, and every macro of a file ends with it. That
takes the tokens of C, which is why this is Python and not awk.

ossa.h holds include/ossa; ossa.c holds the headers of src/, then the files. A header without a guard,
and what only such a header includes, is text that is repeated wherever it is included: so the kernels
of src/lanes are compiled once per width. What cannot be placed so is an error, never a guess.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
INCLUDE = ROOT / "include"

ISO_HEADERS = set(
    """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string time uchar wchar wctype""".split()
)
KEYWORDS = set(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert _Thread_local bool""".split()
)
# Names before a parenthesis that declare nothing.
SPECIFIERS = {"__attribute__", "__declspec", "_Atomic", "_Alignas", "OSSA_PRINTF"}

TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n]|\\\n|/\*.*?\*/|//[^\n]*)+)
      | (?P<text>L?"(?:\\.|[^"\\\n])*"|L?'(?:\\.|[^'\\\n])*')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
      | (?P<sign>->|\.\.\.|\#\#|.)""",
    re.S | re.X,
)
WINDOWS_LINE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<windows\.h>", re.M | re.I)
INCLUDE_LINE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([\w./-]+)[">][^\n]*\n', re.M)


def fail(message):
    sys.exit(f"amalgamate: {message}")


class Token:
    __slots__ = ("kind", "text", "directive")

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text
        self.directive = None  # the number of the directive that it is part of


def tokens_of(text):
    """All tokens, spaces included, each with the directive it is in."""
    tokens = [Token(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]
    at_start = True
    current = None
    count = 0
    for token in tokens:
        if token.kind == "space":
            plain = re.sub(r"/\*.*?\*/", " ", token.text, flags=re.S).replace("\\\n", "")
            if "\n" in plain:
                at_start = True
                current = None
            continue
        if token.text == "#" and at_start and current is None:
            count += 1
            current = count
        at_start = False
        token.directive = current
    return tokens


# ---- files and what they include ------------------------------------------------------------------


def find_header(name):
    for folder in (INCLUDE, SRC):
        if (folder / name).is_file():
            return folder / name
    return None


def is_guarded(path):
    return re.search(r"^#ifndef (OSSA\w*_H)\n#define \1\n", path.read_text(), re.M) is not None


def includes_of(path):
    found = (find_header(name) for name in INCLUDE_LINE.findall(path.read_text()))
    return [header for header in found if header is not None]


def collect_shared(path, order, seen):
    """The guarded headers that `path` needs, each after those that it needs itself."""
    for header in includes_of(path):
        if header in seen or not is_guarded(header):
            continue
        seen.add(header)
        collect_shared(header, order, seen)
        order.append(header)


def inline(text, shared, system):
    """The text of a file without the includes of what was placed before."""
    out = []
    for line in text.splitlines(keepends=True):
        include = INCLUDE_LINE.match(line)
        if include is None:
            out.append(line)
            continue
        header = find_header(include.group(1))
        if header is None:
            # What every compiler has comes first, once; what depends on the system stays in its place.
            if include.group(1).removesuffix(".h") in ISO_HEADERS:
                system.add(include.group(1))
            else:
                out.append(line)
        elif header not in shared:
            out.append(inline(header.read_text(), shared, system))
    return "".join(out)


# ---- what a file defines for itself ----------------------------------------------------------------


class Names:
    def __init__(self):
        self.ordinary = set()
        self.tags = set()
        self.macros = []


CLOSING = {"(": ")", "[": "]", "{": "}"}


def group_tokens(tokens, path):
    """Tokens without spaces and directives; what is in brackets becomes a list that begins with them."""
    stack = [[]]
    for token in tokens:
        if token.kind == "space" or token.directive is not None:
            continue
        if token.text in CLOSING:
            stack.append([token])
        elif token.text in CLOSING.values() and token.kind == "sign":
            if len(stack) < 2 or CLOSING[stack[-1][0].text] != token.text:
                fail(f"{path}: brackets do not match")
            group = stack.pop()
            stack[-1].append(group)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        fail(f"{path}: brackets do not match")
    return stack[0]


def is_name(item):
    return isinstance(item, Token) and item.kind == "name" and item.text not in KEYWORDS


def is_sign(item, signs):
    return isinstance(item, Token) and item.text in signs


def opens(item, sign):
    return isinstance(item, list) and item[0].text == sign


def find_tags(items, names):
    """Tags and enumerators, also of structs within structs: in C they have the scope of the outer one."""
    for i, item in enumerate(items):
        if not opens(item, "{") or i == 0:
            continue
        named = i >= 2 and is_name(items[i - 1]) and is_sign(items[i - 2], ("struct", "union", "enum"))
        word = items[i - 2] if named else items[i - 1]
        if not is_sign(word, ("struct", "union", "enum")):
            continue
        if named:
            names.tags.add(items[i - 1].text)
        if word.text == "enum":
            starts = [item[1]] + [b for a, b in zip(item[1:], item[2:]) if is_sign(a, (",",))]
            names.ordinary.update(start.text for start in starts)
        else:
            find_tags(item[1:], names)


def declared(items):
    """The names that a declaration declares."""
    # A function or a pointer to one: its name is before, or in, the first parentheses.
    for before, item in zip(items, items[1:]):
        if is_sign(item, ("=",)) or is_sign(before, ("=",)):
            break
        if not opens(item, "("):
            continue
        if is_sign(item[1], ("*",)) and not is_sign(before, SPECIFIERS):
            return [[token.text for token in item if is_name(token)][-1]]
        if is_name(before) and before.text not in SPECIFIERS:
            return [before.text]
    found = []
    following = items[1:] + [None]
    is_value = False
    for item, after in zip(items, following):
        if is_sign(item, ("=",)):
            is_value = True
        elif is_sign(item, (",",)):
            is_value = False
        elif is_name(item) and not is_value:
            if after is None or is_sign(after, ("=", ",", "__attribute__")) or opens(after, "["):
                found.append(item.text)
    return found


def external_declarations(items):
    start = 0
    for i, item in enumerate(items):
        is_body = opens(item, "{") and i > 0 and not is_sign(items[i - 1], ("=",))
        if is_body:
            # A struct has a body, too; a function has parentheses and nothing after it.
            head = [x for x in items[start:i]]
            is_body = any(opens(x, "(") for x in head) and not is_sign(head[-1], ("struct", "union", "enum"))
            is_body = is_body and not (len(head) > 1 and is_sign(head[-2], ("struct", "union", "enum")))
        if is_body or is_sign(item, (";",)):
            yield items[start:i]
            start = i + 1
    if items[start:]:
        fail("a declaration does not end: " + " ".join(t.text for t in items[start:] if isinstance(t, Token)))


def names_of(text, path):
    names = Names()
    tokens = tokens_of(text)
    plain = [token for token in tokens if token.kind != "space"]
    static_words = {"static"}
    for a, b, c in zip(plain, plain[1:], plain[2:]):
        if a.text == "#" and b.text == "define" and a.directive is not None:
            names.macros.append(c.text)
    for name, body in re.findall(r"^#define (\w+)[ \t]+([^\n]*)", text, re.M):
        if body.startswith("static"):
            static_words.add(name)
    for items in external_declarations(group_tokens(tokens, path)):
        find_tags(items, names)
        if not items or is_sign(items[0], ("_Static_assert",)):
            continue
        found = declared(items)
        words = {item.text for item in items if isinstance(item, Token)}
        if words & static_words or "typedef" in words:
            names.ordinary.update(name for name in found if name not in static_words)
        else:
            for name in found:
                if not name.lower().startswith("ossa_") and name not in names.macros:
                    fail(f"{path}: {name} is neither static nor called ossa_*")
    # What is called ossa_* is shared, or already has a name of its own.
    for found in (names.ordinary, names.tags):
        found.difference_update({name for name in found if name.lower().startswith("ossa_")})
    return names


# ---- renaming -------------------------------------------------------------------------------------


def arguments_of(plain, at):
    """The arguments of a call whose opening parenthesis is plain[at], as lists of positions."""
    depth = 0
    arguments = [[]]
    for i in range(at, len(plain)):
        text = plain[i].text
        if text in CLOSING:
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return arguments
        if depth == 1 and text == ",":
            arguments.append([])
        elif not (depth == 1 and i == at):
            arguments[-1].append(i)
    fail("a call does not end")


def member_parameters(text, known):
    """Which parameters of macros are names of members: those of offsetof, and after a dot."""
    for name, parameters, body in re.findall(
        r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:\\\n|[^\n])*)", text, re.M
    ):
        parameters = [p.strip() for p in parameters.split(",")]
        plain = [t for t in tokens_of(body) if t.kind != "space"]
        members = {b.text for a, b in zip(plain, plain[1:]) if a.text in (".", "->")}
        pasted = {b.text for a, b in zip(plain, plain[1:]) if a.text in ("#", "##")}
        pasted |= {a.text for a, b in zip(plain, plain[1:]) if b.text == "##"}
        for i, token in enumerate(plain[:-1]):
            if token.text in known and plain[i + 1].text == "(":
                arguments = arguments_of(plain, i + 1)
                for position in known[token.text]:
                    if position < len(arguments):
                        members.update(plain[j].text for j in arguments[position])
        known[name] = {i for i, p in enumerate(parameters) if p in members | pasted}


def rename(text, names, prefix, member_macros):
    tokens = tokens_of(text)
    plain = [token for token in tokens if token.kind != "space"]
    kept = set()  # positions
    for i, token in enumerate(plain[:-1]):
        following = plain[i + 1]
        if token.text in member_macros and following.text == "(":
            if i > 0 and plain[i - 1].text == "define":
                continue
            arguments = arguments_of(plain, i + 1)
            for position in member_macros[token.text]:
                if position < len(arguments):
                    kept.update(arguments[position])
        # Parameters of a macro are its own.
        if token.text == "define" and token.directive is not None and i + 2 < len(plain):
            if plain[i + 2].text == "(" and f"{following.text}(" in text:
                own = {plain[j].text for a in arguments_of(plain, i + 2) for j in a}
                j = i + 2
                while j < len(plain) and plain[j].directive == token.directive:
                    if plain[j].text in own:
                        kept.add(j)
                    j += 1
    stack = []  # the brackets around, "s" for the body of a struct
    for i, token in enumerate(plain):
        before = plain[i - 1].text if i > 0 else ""
        after = plain[i + 1].text if i + 1 < len(plain) else ""
        if token.directive is None and token.kind == "sign":
            if token.text == "{":
                words = [t.text for t in plain[max(i - 2, 0) : i]]
                is_struct = bool({"struct", "union"} & set(words)) and ")" not in words
                stack.append("s" if is_struct else "{")
            elif token.text in "([":
                stack.append(token.text)
            elif token.text in ")]}":
                stack.pop()
        if token.kind != "name" or i in kept:
            continue
        if before in ("struct", "union", "enum"):
            if token.text in names.tags:
                token.text = prefix + token.text
            continue
        if token.text not in names.ordinary or before in (".", "->"):
            continue
        if "s" in stack and token.directive is None:
            inner = stack[len(stack) - stack[::-1].index("s") :]
            if "[" not in inner and "{" not in inner and after in (";", ",", "[", ":", ")"):
                continue
        token.text = prefix + token.text
    return "".join(token.text for token in tokens)


# ---- the two files --------------------------------------------------------------------------------


def without_licence(text):
    """One licence is enough."""
    text = text.replace("/* SPDX-License-Identifier: MIT */\n", "")
    return text.replace("/* SPDX-License-Identifier: MIT\n *\n * ", "/* ")


def banner(path):
    name = path.relative_to(ROOT).as_posix()
    return f"\n/* ==== {name} {'=' * (88 - len(name))} */\n\n"


def feature_macros(text):
    """What a file defines before its first include, for the system's headers; and the file without it."""
    head = re.match(r"(?:/\*.*?\*/\s*)?(.*?)(?=^#include)", text, re.S | re.M)
    if head is None or not re.search(r"#define _[A-Z]", head.group(1)):
        return "", text
    if len(re.findall(r"^#if", head.group(1), re.M)) != len(re.findall(r"^#endif", head.group(1), re.M)):
        fail("a file includes a header under a condition before it defines _*: " + head.group(1))
    lines = re.sub(
        r"^#define (_\w+)(.*)$", r"#ifndef \1\n#define \1\2\n#endif", head.group(1), flags=re.M
    )
    return lines, text[: head.start(1)] + text[head.end(1) :]


PROLOGUE = """
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1 /* printf as C11 has it; Windows' old one lacks %zu */
#endif
#if defined(_MSC_VER) && !defined(_CRT_SECURE_NO_WARNINGS)
#define _CRT_SECURE_NO_WARNINGS /* it means the functions of C */
#endif
"""

# Where a multiplication and an addition may become one, bytes that are written depend on the machine. With
# -std=c11, gcc does not do it.
NO_CONTRACTION = """
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)

    api = (INCLUDE / "ossa/api.h").read_text()
    version = ".".join(re.search(rf"OSSA_VERSION_{p} (\d+)", api).group(1) for p in ("MAJOR", "MINOR", "PATCH"))
    licence = "".join(f" * {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines())
    start = f"/* SPDX-License-Identifier: MIT\n *\n * Ossa {version} in two files: %s\n *\n{licence} */\n"

    public, seen = [], set()
    for header in sorted(INCLUDE.rglob("*.h")):
        if header not in seen:
            seen.add(header)
            collect_shared(header, public, seen)
            public.append(header)
    system = set()
    body = "".join(banner(h) + without_licence(inline(h.read_text(), seen, system)) for h in public)
    headers = "".join(f"#include <{name}>\n" for name in sorted(system))
    text = (
        start % "the interface. Generated by tools/amalgamate.py; edit the sources."
        + f"#ifndef OSSA_AMALGAMATION_H\n#define OSSA_AMALGAMATION_H\n\n{headers}{body}\n#endif\n"
    )
    (folder / "ossa.h").write_text(text)

    files = sorted(SRC.rglob("*.c"))
    private = []
    for path in files:
        collect_shared(path, private, seen)
    shared = set(seen)
    system = set()
    parts = []
    features = ""
    member_macros = {"offsetof": {1}}
    for header in public + private:
        member_parameters(header.read_text(), member_macros)
    for header in private:
        text = inline(header.read_text(), shared, system)
        names = names_of(text, header)
        for name in sorted(names.ordinary | names.tags | set(names.macros)):
            if not name.lower().startswith("ossa_"):
                fail(f"{header}: {name} is shared, but not called ossa__*")
        parts.append(banner(header) + without_licence(text))
    texts = []
    for path in files:
        lines, text = feature_macros(path.read_text())
        features += lines
        texts.append((path, inline(text, shared, system)))
    # The headers of a system define what they like, so what needs them comes last; Windows' most of all.
    texts.sort(key=lambda pair: [f(pair[1]) is not None for f in (WINDOWS_LINE.search, INCLUDE_LINE.search)])
    prefixes = set()
    for path, text in texts:
        name = "_".join(path.relative_to(SRC).with_suffix("").parts[-2:])
        if name in prefixes:
            fail(f"two files are called {name}")
        prefixes.add(name)
        names = names_of(text, path)
        local_macros = dict(member_macros)
        member_parameters(text, local_macros)
        text = rename(text, names, name + "_", local_macros)
        ends = "".join(f"#undef {macro}\n" for macro in dict.fromkeys(names.macros))
        parts.append(banner(path) + without_licence(text) + ends)

    headers = "".join(f"#include <{name}>\n" for name in sorted(system))
    text = (
        start % "the library. Generated by tools/amalgamate.py; edit the sources."
        + f"{PROLOGUE}{features}\n#include \"ossa.h\"\n\n{headers}{NO_CONTRACTION}"
        + "".join(parts)
    )
    (folder / "ossa.c").write_text(text)


main()
