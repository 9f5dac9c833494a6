/* SPDX-License-Identifier: MIT */
#include "fold_names.h"

/* A small letter of one or two bytes, as a number; gives how many bytes there were. */
static size_t fold(const char *text, unsigned *letter)
{
    unsigned char c = (unsigned char)text[0];
    unsigned char d = c == 0 ? 0 : (unsigned char)text[1];
    *letter = c;
    if (c >= 'A' && c <= 'Z') *letter = c + 32U;
    else if (c == '\\') *letter = '/';
    if ((c != 0xD0 && c != 0xD2) || (d & 0xC0) != 0x80) return 1;
    /* UTF-8: U+0400 to U+042F, and U+0490. */
    if (c == 0xD2) *letter = d == 0x90 ? 0xD291 : 0xD200U + d;
    else if (d < 0x90) *letter = 0xD100U + d + 0x10; /* small ones 80 further on */
    else if (d < 0xA0) *letter = 0xD000U + d + 0x20; /* 32 */
    else if (d < 0xB0) *letter = 0xD100U + d - 0x20;
    else *letter = 0xD000U + d;
    return 2;
}

/* The small ones that U+0420 and up have begin with D1, which stands for itself. */
size_t fold_letter(const char *text, unsigned *letter)
{
    unsigned char d = (unsigned char)text[0] == 0xD1 ? (unsigned char)text[1] : 0;
    if ((d & 0xC0) != 0x80) return fold(text, letter);
    *letter = 0xD100U + d;
    return 2;
}

bool same_folded(const char *a, const char *b)
{
    unsigned x;
    unsigned y;
    do {
        a += fold_letter(a, &x);
        b += fold_letter(b, &y);
    } while (x == y && x != 0);
    return x == y;
}

bool begins_folded(const char *path, const char *folder, size_t size)
{
    const char *end = folder + size;
    while (folder < end) {
        unsigned x;
        unsigned y;
        if (*path == '\0') return false;
        path += fold_letter(path, &x);
        folder += fold_letter(folder, &y);
        if (x != y) return false;
    }
    return true;
}

static uint64_t mix(uint64_t hash, unsigned letter)
{
    return (hash ^ letter) * UINT64_C(1099511628211);
}

uint64_t hash_folded(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    while (*name != '\0') {
        unsigned letter;
        name += fold_letter(name, &letter);
        hash = mix(hash, letter);
    }
    return hash ^ hash >> 32;
}

uint64_t hash_exactly(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++) hash = mix(hash, (unsigned char)*name);
    return hash ^ hash >> 32;
}
