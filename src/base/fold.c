/* SPDX-License-Identifier: MIT */
#include "base/fold.h"

#include "base/text.h"

#include <string.h>

uint32_t ossa__fold(uint32_t character)
{
    if (character < 0x80) {
        return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
    }
    if (character >= 0xc0 && character <= 0xde && character != 0xd7) return character + 0x20;
    if (character < 0x400 || character > 0x4bf) return character;
    if (character < 0x410) return character + 0x50;
    if (character < 0x430) return character + 0x20;
    /* From here on capitals and small letters alternate, but for signs in the middle. */
    bool is_paired = (character >= 0x460 && character < 0x482) || character >= 0x48a;
    return is_paired ? character | 1 : character;
}

/* The first character of a text that is not empty, folded; moves on behind it. */
static uint32_t next(const char **text, size_t *size, bool is_path)
{
    uint32_t character;
    size_t used = ossa__utf8_decode(*text, *size, &character);
    *text += used;
    *size -= used;
    return is_path && character == '\\' ? '/' : ossa__fold(character);
}

static int compare(const char *a, size_t a_size, const char *b, size_t b_size, bool is_path)
{
    while (a_size > 0 && b_size > 0) {
        uint32_t x = next(&a, &a_size, is_path);
        uint32_t y = next(&b, &b_size, is_path);
        if (x != y) return x < y ? -1 : 1;
    }
    return (a_size > 0) - (b_size > 0);
}

int ossa__compare_sized_names(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return compare(a, a_size, b, b_size, false);
}

int ossa__compare_names(const char *a, const char *b)
{
    return compare(a, strlen(a), b, strlen(b), false);
}

int ossa__compare_paths(const char *a, const char *b)
{
    return compare(a, strlen(a), b, strlen(b), true);
}

bool ossa__same_path(const char *a, const char *b)
{
    return ossa__compare_paths(a, b) == 0;
}

size_t ossa__begins_with(const char *path, const char *start, size_t size)
{
    const char *rest = path;
    size_t left = strlen(path);
    while (size > 0) {
        if (left == 0 || next(&rest, &left, true) != next(&start, &size, true)) return 0;
    }
    return (size_t)(rest - path);
}

struct ossa__common ossa__common_start(const char *a, size_t a_size, const char *b, size_t b_size)
{
    struct ossa__common common = {0, 0};
    const char *x = a;
    const char *y = b;
    while (a_size > 0 && b_size > 0 && next(&x, &a_size, false) == next(&y, &b_size, false)) {
        common = (struct ossa__common){(size_t)(x - a), (size_t)(y - b)};
    }
    return common;
}

/* FNV-1a. */
#define HASH_START UINT64_C(14695981039346656037)

static uint64_t mix(uint64_t hash, uint32_t value)
{
    return (hash ^ value) * UINT64_C(1099511628211);
}

uint64_t ossa__hash_path(const char *path)
{
    uint64_t hash = HASH_START;
    size_t size = strlen(path);
    while (size > 0) hash = mix(hash, next(&path, &size, true));
    return hash ^ hash >> 32;
}

uint64_t ossa__hash_bytes(const char *text, size_t size)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < size; i++) hash = mix(hash, (uint8_t)text[i]);
    return hash ^ hash >> 32;
}

static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool ossa__same_word(const char *a, size_t a_size, const char *b, size_t b_size)
{
    if (a_size != b_size) return false;
    for (size_t i = 0; i < a_size; i++) {
        if (ascii_lower(a[i]) != ascii_lower(b[i])) return false;
    }
    return true;
}

bool ossa__has_ending(const char *name, const char *ending)
{
    size_t size = strlen(name);
    size_t end = strlen(ending);
    return size > end && ossa__same_word(name + size - end, end, ending, end);
}

bool ossa__matches(const char *pattern, const char *name)
{
    const char *star = NULL; /* the last * that was met, and where it was met */
    const char *mark = NULL;
    size_t pattern_size = strlen(pattern);
    size_t name_size = strlen(name);
    size_t star_size = 0;
    size_t mark_size = 0;
    while (name_size > 0) {
        if (pattern_size > 0 && *pattern == '*') {
            star = ++pattern;
            star_size = --pattern_size;
            mark = name;
            mark_size = name_size;
            continue;
        }
        bool is_any = pattern_size > 0 && *pattern == '?';
        uint32_t letter = next(&name, &name_size, true);
        if (pattern_size > 0 && (next(&pattern, &pattern_size, true) == letter || is_any)) continue;
        if (star == NULL) return false;
        pattern = star;
        pattern_size = star_size;
        name = mark;
        name_size = mark_size;
        (void)next(&name, &name_size, true); /* the * takes one more */
        mark = name;
        mark_size = name_size;
    }
    while (pattern_size > 0 && *pattern == '*') {
        pattern++;
        pattern_size--;
    }
    return pattern_size == 0;
}
