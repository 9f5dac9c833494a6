/* SPDX-License-Identifier: MIT */
#include "export/names.h"

#include "codec/sort.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

const struct ossa__name_rule ossa__gltf_name_rule = {.dropped = "[].:/"};
const struct ossa__name_rule ossa__bvh_name_rule = {.dropped = "[].:/{}\"\\",
                                                    .has_no_white_space = true};

static bool is_ascii_space(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* What Python or JavaScript split a line at, and what no program shows. */
static bool is_blank(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202f) || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static char *clean(struct ossa__context *context, const struct ossa__name_rule *rule,
                   const char *name)
{
    size_t size = strlen(name);
    char *text = ossa__take(context, size + 5, 1); /* room for "node" */
    if (text == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        uint32_t character;
        size_t length = ossa__utf8_decode(name + i, size - i, &character);
        if (is_ascii_space(character) || (rule->has_no_white_space && is_blank(character))) {
            text[used++] = '_';
        } else if (character >= 0x80 || strchr(rule->dropped, (int)character) == NULL) {
            memcpy(text + used, name + i, length);
            used += length;
        }
        i += length;
    }
    text[used] = '\0';
    if (used == 0) memcpy(text, "node", 5);
    return text;
}

static bool name_before(const void *a, const void *b, void *user)
{
    char *const *names = user;
    return strcmp(names[*(const size_t *)a], names[*(const size_t *)b]) < 0;
}

/* Is it one of the names as they were before any got a number? */
static bool is_taken(char *const *names, const size_t *order, size_t count, const char *name)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int difference = strcmp(names[order[middle]], name);
        if (difference == 0) return true;
        if (difference < 0) low = middle + 1;
        else high = middle;
    }
    return false;
}

char **ossa__clean_names(struct ossa__context *context, const struct ossa__name_rule *rule,
                         const char *const *names, size_t count)
{
    char **cleaned = ossa__take(context, count, sizeof *cleaned);
    char **unique = ossa__take(context, count, sizeof *unique);
    size_t *order = ossa__take(context, count, sizeof *order);
    if (order == NULL) return NULL;
    for (size_t i = 0; i < count; i++) {
        cleaned[i] = clean(context, rule, names[i]);
        if (cleaned[i] == NULL) return NULL;
        unique[i] = cleaned[i];
        order[i] = i;
    }
    if (!ossa__sort(context, order, count, sizeof *order, name_before, cleaned)) return NULL;
    /* Of equal names, which lie side by side and in their order, the first keeps it. */
    size_t number = 2;
    for (size_t i = 1; i < count; i++) {
        const char *name = cleaned[order[i]];
        if (strcmp(name, cleaned[order[i - 1]]) != 0) {
            number = 2;
            continue;
        }
        size_t size = strlen(name) + 24;
        char *numbered = ossa__take(context, size, 1);
        if (numbered == NULL) return NULL;
        do {
            (void)snprintf(numbered, size, "%s_%zu", name, number++);
        } while (is_taken(cleaned, order, count, numbered));
        unique[order[i]] = numbered;
    }
    return unique;
}
