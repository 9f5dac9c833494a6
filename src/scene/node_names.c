/* SPDX-License-Identifier: MIT */
#include "scene/node_names.h"

#include "base/text.h"
#include "codec/names.h"

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

char **ossa__clean_names(struct ossa__context *context, const struct ossa__name_rule *rule,
                         const char *const *names, size_t count)
{
    struct ossa__names taken;
    char **cleaned = ossa__take(context, count, sizeof *cleaned);
    if (cleaned == NULL || !ossa__names_start(&taken, context, count)) return NULL;
    for (size_t i = 0; i < count; i++) {
        cleaned[i] = clean(context, rule, names[i]);
        if (cleaned[i] == NULL) return NULL;
        ossa__names_reserve(&taken, cleaned[i]);
    }
    /* Of equal names the first keeps it. */
    for (size_t i = 0; i < count; i++) {
        cleaned[i] = ossa__names_add(&taken, context, cleaned[i], "_");
        if (cleaned[i] == NULL) return NULL;
    }
    return cleaned;
}
