/* SPDX-License-Identifier: MIT
 *
 * The container as JSON and back: for sotc-xff itself, and for the formats that live in one. */
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include "base/json.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- dump ---------------------------------------------------------------------------------- */

void ossa__xff_dump_name(struct ossa__json *json, const char *name, uint32_t size,
                         uint32_t position)
{
    ossa__json_key(json, "name");
    ossa__json_begin_text(json); /* a byte a character, so that any byte survives */
    for (uint32_t i = 0; i < size; i++) ossa__json_character(json, (uint8_t)name[i]);
    ossa__json_end_text(json);
    ossa__member_uint(json, "name_position", position);
}

static void dump_section(struct ossa__json *json, const ossa_sotc_section *section)
{
    ossa__json_begin_object(json);
    ossa__xff_dump_name(json, section->name, section->name_size, section->name_position);
    for (unsigned w = 0; w < 8; w++) {
        ossa__member_uint(json, ossa__xff_section_words[w], section->words[w]);
    }
    ossa__json_end_object(json);
}

void ossa__xff_dump(const ossa_sotc_xff *xff, struct ossa__json *json)
{
    ossa__json_key(json, "container");
    ossa__json_begin_object(json);
    ossa__member_text(json, "magic", (xff->words[0] >> 24) == 0 ? "xff" : "xff2");
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == OSSA__XFF_SECTION_COUNT) continue; /* as many as there are in `sections` */
        ossa__member_uint(json, ossa__xff_words[i], xff->words[i]);
    }
    ossa__json_key(json, "sections");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < xff->section_count; i++) dump_section(json, &xff->sections[i]);
    ossa__json_end_array(json);
    ossa__json_end_object(json);
    ossa__gaps_dump(json, xff->gaps, xff->gap_count, xff->image);
}

/* ---- build --------------------------------------------------------------------------------- */

static void build_header(struct ossa__image *image, const struct ossa__value *container,
                         ossa_sotc_xff *xff)
{
    struct ossa__value magic = ossa__value_member(container, "magic");
    const char *text = ossa__value_word(&magic);
    bool is_plain = strcmp(text, "xff") == 0;
    if (!is_plain && strcmp(text, "xff2") != 0) ossa__value_fail(&magic, "must be xff or xff2");
    const char *bytes = is_plain ? "xff\0" : "xff2";
    ossa__image_put(image, 0, (const uint8_t *)bytes, 4, &magic);
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == OSSA__XFF_SECTION_COUNT) continue;
        struct ossa__value word = ossa__value_member(container, ossa__xff_words[i]);
        xff->words[i] = ossa__value_u32(&word);
        ossa__image_put_u32(image, 4ULL * i, xff->words[i], &word);
    }
}

void ossa__xff_build_name(struct ossa__image *image, const struct ossa__value *object,
                          uint64_t strings, uint64_t position_at)
{
    struct ossa__value position = ossa__value_member(object, "name_position");
    struct ossa__value value = ossa__value_member(object, "name");
    uint32_t number = ossa__value_u32(&position);
    ossa__image_put_u32(image, position_at, number, &position);
    size_t length;
    const char *text = ossa__value_text(&value, &length);
    uint8_t name[OSSA__XFF_NAME_LIMIT];
    size_t used = 0;
    for (size_t i = 0; i < length && !image->context->failed;) {
        uint32_t character;
        i += ossa__utf8_decode(text + i, length - i, &character);
        if (character == 0 || character > 0xff) {
            ossa__value_fail(&value, "has a character that is not one byte");
        } else if (used == OSSA__XFF_NAME_LIMIT - 1) {
            ossa__value_fail(&value, "is longer than %d bytes", OSSA__XFF_NAME_LIMIT - 1);
        } else {
            name[used++] = (uint8_t)character;
        }
    }
    name[used] = 0;
    ossa__image_put(image, strings + number, name, used + 1, &value);
}

static void build_sections(struct ossa__image *image, const struct ossa__value *container,
                           ossa_sotc_xff *xff)
{
    struct ossa__value list = ossa__value_member(container, "sections");
    size_t count = ossa__value_length(&list);
    ossa_sotc_section *sections = ossa__take(image->context, count, sizeof *sections);
    ossa__image_put_u32(image, 4ULL * OSSA__XFF_SECTION_COUNT, (uint32_t)count, &list);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value section = ossa__value_item(&list, i);
        ossa__value_allow(&section, "name name_position address image_address size alignment "
                                    "type flags state offset");
        uint64_t at = xff->words[OSSA__XFF_SECTIONS] + (uint64_t)i * OSSA__XFF_SECTION_SIZE;
        for (unsigned w = 0; w < 8; w++) {
            struct ossa__value word = ossa__value_member(&section, ossa__xff_section_words[w]);
            sections[i].words[w] = ossa__value_u32(&word);
            ossa__image_put_u32(image, at + 4ULL * w, sections[i].words[w], &word);
        }
        ossa__xff_build_name(image, &section, xff->words[OSSA__XFF_STRINGS],
                             xff->words[OSSA__XFF_NAME_POSITIONS] + 4 * (uint64_t)i);
    }
    xff->section_count = (uint32_t)count;
    xff->sections = sections;
}

void ossa__xff_build(struct ossa__image *image, const struct ossa__value *data, ossa_sotc_xff *xff)
{
    *xff = (ossa_sotc_xff){.image = image->bytes, .image_size = image->size};
    struct ossa__value container = ossa__value_member(data, "container");
    char keys[768];
    size_t used = (size_t)snprintf(keys, sizeof keys, "sections");
    for (unsigned i = 0; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == OSSA__XFF_SECTION_COUNT) continue;
        used += (size_t)snprintf(keys + used, sizeof keys - used, " %s", ossa__xff_words[i]);
    }
    ossa__value_allow(&container, keys);
    build_header(image, &container, xff);
    build_sections(image, &container, xff);
    ossa__image_put_gaps(image, data);
}

bool ossa__xff_build_data(const struct ossa__value *data, const ossa_sotc_xff *xff,
                          uint64_t *section)
{
    *section = 0;
    if (data->context->failed) return false;
    if (xff->section_count < 2) {
        struct ossa__value container = ossa__value_member(data, "container");
        struct ossa__value sections = ossa__value_member(&container, "sections");
        return ossa__value_fail(&sections, "has fewer than 2 items: the data is in the second");
    }
    *section = xff->sections[1].words[OSSA__XFF_SECTION_OFFSET];
    return true;
}

/* ---- sotc-xff itself ----------------------------------------------------------------------- */

void ossa__xff_dump_file(const void *contents, struct ossa__json *json)
{
    ossa__xff_dump(contents, json);
}

void *ossa__xff_build_file(struct ossa__context *context, const struct ossa__value *data,
                           uint64_t size)
{
    struct ossa__image image;
    ossa_sotc_xff *xff = ossa__take(context, 1, sizeof *xff);
    ossa__value_allow(data, "container gaps");
    if (!ossa__image_init(&image, context, size)) return NULL;
    ossa__xff_build(&image, data, xff);
    ossa__image_finish(&image, data);
    return xff;
}
