/* SPDX-License-Identifier: MIT */
#include "cli.h"
#include "fold_names.h"

/* Goes back to the last * only, so it is never slow. */
bool matches(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* The bytes of a character in UTF-8, or one where it is none. */
static size_t character_size(const char *text)
{
    size_t size = 1;
    while (((unsigned char)text[0] & 0xC0) == 0xC0 && ((unsigned char)text[size] & 0xC0) == 0x80) {
        size++;
    }
    return size;
}

bool matches_entry(const char *pattern, const char *name)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*name != '\0') {
        unsigned wanted;
        unsigned found;
        size_t pattern_size = fold_letter(pattern, &wanted);
        size_t name_size = fold_letter(name, &found);
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == '?') {
            pattern++;
            name += character_size(name);
        } else if (wanted == found) {
            pattern += pattern_size;
            name += name_size;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}
