/* SPDX-License-Identifier: MIT
 *
 * mm-ar as JSON and back. Everything is where its offset says: building puts each value in its
 * place in an image, and what no value covers comes from `gaps`. Of a ZIP that is all of it. */
#include "formats/midtown_madness/mm_ar.h"

#include "base/json.h"
#include "base/text.h"

#include <string.h>

/* ---- dump ---------------------------------------------------------------------------------- */

/* A name that a NUL closes: a byte a character, so that any byte survives. */
static void dump_name(struct ossa__json *json, const char *key, const uint8_t *name)
{
    ossa__json_key(json, key);
    ossa__json_begin_text(json);
    for (; *name != 0; name++) ossa__json_character(json, *name);
    ossa__json_end_text(json);
}

/* The data, or its size where it is not all there. */
static void dump_bytes(struct ossa__json *json, const ossa_mm_ar *ar, const char *size_key,
                       uint32_t offset, uint32_t size)
{
    if (size > 0 && (uint64_t)offset + size > ar->image_size) {
        ossa__member_uint(json, size_key, size);
    } else {
        ossa__member_hex(json, "data", size == 0 ? ar->image : ar->image + offset, size);
    }
}

static void dump_node(struct ossa__json *json, const ossa_mm_ar *ar, const uint32_t *words)
{
    const uint8_t *names =
        ar->image + OSSA__ARES_HEADER_SIZE + OSSA__ARES_NODE_SIZE * (uint64_t)ar->record_count;
    struct ossa__ares_node node = ossa__ares_node(words);
    ossa__json_begin_object(json);
    dump_name(json, "name", names + node.name_offset);
    ossa__member_uint(json, "name_offset", node.name_offset);
    if (node.extension_offset != 0) {
        dump_name(json, "extension", names + node.extension_offset);
        ossa__member_uint(json, "extension_offset", node.extension_offset);
    }
    ossa__member_uint(json, "number", node.number);
    if (node.is_folder) {
        ossa__member_uint(json, "first", node.place);
        ossa__member_uint(json, "count", node.size);
    } else {
        ossa__member_uint(json, "offset", node.place);
        dump_bytes(json, ar, "size", node.place, node.size);
    }
    ossa__json_end_object(json);
}

static void dump_ares(struct ossa__json *json, const ossa_mm_ar *ar)
{
    ossa__member_uint(json, "root_count", ar->header[1]);
    ossa__member_uint(json, "names_size", ar->header[2]);
    ossa__json_key(json, "nodes");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < ar->record_count; i++)
        dump_node(json, ar, ar->records + (size_t)OSSA__ARES_NODE_WORDS * i);
    ossa__json_end_array(json);
}

static void dump_dave(struct ossa__json *json, const ossa_mm_ar *ar)
{
    const uint8_t *names = ar->image + OSSA__DAVE_TABLE + (uint64_t)ar->header[1];
    ossa__member_uint(json, "table_size", ar->header[1]);
    ossa__member_uint(json, "names_size", ar->header[2]);
    ossa__json_key(json, "entries");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < ar->record_count; i++) {
        const uint32_t *words = ar->records + (size_t)OSSA__DAVE_ENTRY_WORDS * i;
        ossa__json_begin_object(json);
        dump_name(json, "name", names + words[0]);
        ossa__member_uint(json, "name_offset", words[0]);
        ossa__member_uint(json, "offset", words[1]);
        ossa__member_uint(json, "size", words[2]);
        dump_bytes(json, ar, "stored_size", words[1], words[3]);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

void ossa__ar_dump(const void *contents, struct ossa__json *json)
{
    const ossa_mm_ar *ar = contents;
    const ossa_gap all = {.offset = 0, .size = ar->image_size};
    ossa__member_text(json, "kind", ossa_mm_ar_kind_name(ar->kind));
    switch (ar->kind) {
    case OSSA_MM_AR_KIND_ARES: dump_ares(json, ar); break;
    case OSSA_MM_AR_KIND_DAVE: dump_dave(json, ar); break;
    case OSSA_MM_AR_KIND_ZIP: ossa__gaps_dump(json, &all, 1, ar->image); return;
    }
    ossa__gaps_dump(json, ar->gaps, ar->gap_count, ar->image);
}

/* ---- build --------------------------------------------------------------------------------- */

/* A member that is a number of at most so much, and where it stands in the JSON. */
static uint32_t build_number(const struct ossa__value *object, const char *key, uint32_t most)
{
    struct ossa__value value = ossa__value_member(object, key);
    return (uint32_t)ossa__value_integer(&value, 0, most);
}

static void build_word(struct ossa__image *image, const struct ossa__value *object, const char *key,
                       uint64_t at)
{
    struct ossa__value value = ossa__value_member(object, key);
    ossa__image_put_u32(image, at, ossa__value_u32(&value), &value);
}

static void build_name(struct ossa__image *image, const struct ossa__value *object, const char *key,
                       uint64_t at)
{
    struct ossa__value value = ossa__value_member(object, key);
    uint8_t name[OSSA__AR_LONGEST_NAME + 1];
    size_t used = 0;
    size_t size;
    const char *text = ossa__value_text(&value, &size);
    for (size_t i = 0; i < size && !image->context->failed;) {
        uint32_t character;
        i += ossa__utf8_decode(text + i, size - i, &character);
        if (character == 0 || character > UINT8_MAX) {
            ossa__value_fail(&value, "has a character that is not one byte");
        } else if (used == OSSA__AR_LONGEST_NAME) {
            ossa__value_fail(&value, "is longer than %d bytes", OSSA__AR_LONGEST_NAME);
        } else {
            name[used++] = (uint8_t)character;
        }
    }
    name[used] = 0;
    ossa__image_put(image, at, name, used + 1, &value);
}

/* Gives the size of the data, whether it is there or not. */
static uint32_t build_bytes(struct ossa__image *image, const struct ossa__value *object,
                            const char *size_key, uint32_t offset, uint32_t most)
{
    if (ossa__value_optional(object, size_key).node != NULL) {
        return build_number(object, size_key, most);
    }
    struct ossa__value value = ossa__value_member(object, "data");
    size_t size;
    const uint8_t *bytes = ossa__value_hex(&value, &size);
    if (size > most) ossa__value_fail(&value, "has more than %u bytes", (unsigned)most);
    if (size > 0) ossa__image_put(image, offset, bytes, size, &value);
    return (uint32_t)size;
}

static void build_node(struct ossa__image *image, const struct ossa__value *node, uint64_t at,
                       uint64_t names)
{
    enum { MOST_SIZE = 0x7fffff, MOST_NUMBER = 0x1fff, MOST_NAME = 0x3ffff, MOST_EXTENSION = 511 };
    ossa__value_allow(node, "name name_offset extension extension_offset number first count offset "
                            "size data");
    bool is_folder = ossa__value_optional(node, "first").node != NULL;
    bool has_extension = ossa__value_optional(node, "extension").node != NULL;
    uint32_t name = build_number(node, "name_offset", MOST_NAME);
    uint32_t number = build_number(node, "number", MOST_NUMBER);
    uint32_t extension = 0;
    build_name(image, node, "name", names + name);
    if (has_extension) {
        extension = build_number(node, "extension_offset", MOST_EXTENSION);
        build_name(image, node, "extension", names + extension);
    }
    uint32_t place = build_number(node, is_folder ? "first" : "offset", UINT32_MAX);
    uint32_t size = is_folder ? build_number(node, "count", MOST_SIZE)
                              : build_bytes(image, node, "size", place, MOST_SIZE);
    ossa__image_put_u32(image, at, place, node);
    ossa__image_put_u32(image, at + 4, size | extension << 23, node);
    ossa__image_put_u32(image, at + 8, (is_folder ? 1U : 0U) | number << 1 | name << 14, node);
}

static void build_ares(struct ossa__image *image, const struct ossa__value *data)
{
    ossa__value_allow(data, "kind root_count names_size nodes gaps");
    struct ossa__value nodes = ossa__value_member(data, "nodes");
    size_t count = ossa__value_length(&nodes);
    uint64_t names = OSSA__ARES_HEADER_SIZE + OSSA__ARES_NODE_SIZE * (uint64_t)count;
    ossa__image_put(image, 0, (const uint8_t *)"ARES", 4, data);
    ossa__image_put_u32(image, 4, (uint32_t)count, &nodes);
    build_word(image, data, "root_count", 8);
    build_word(image, data, "names_size", 12);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value node = ossa__value_item(&nodes, i);
        build_node(image, &node, OSSA__ARES_HEADER_SIZE + OSSA__ARES_NODE_SIZE * (uint64_t)i,
                   names);
    }
}

static void build_dave(struct ossa__image *image, const struct ossa__value *data)
{
    ossa__value_allow(data, "kind table_size names_size entries gaps");
    struct ossa__value entries = ossa__value_member(data, "entries");
    size_t count = ossa__value_length(&entries);
    uint64_t names = OSSA__DAVE_TABLE + (uint64_t)build_number(data, "table_size", UINT32_MAX);
    ossa__image_put(image, 0, (const uint8_t *)"DAVE", 4, data);
    ossa__image_put_u32(image, 4, (uint32_t)count, &entries);
    build_word(image, data, "table_size", 8);
    build_word(image, data, "names_size", 12);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value entry = ossa__value_item(&entries, i);
        uint64_t at = OSSA__DAVE_TABLE + OSSA__DAVE_ENTRY_SIZE * (uint64_t)i;
        ossa__value_allow(&entry, "name name_offset offset size stored_size data");
        build_name(image, &entry, "name", names + build_number(&entry, "name_offset", UINT32_MAX));
        build_word(image, &entry, "name_offset", at);
        build_word(image, &entry, "offset", at + 4);
        build_word(image, &entry, "size", at + 8);
        uint32_t offset = build_number(&entry, "offset", UINT32_MAX);
        uint32_t size = build_bytes(image, &entry, "stored_size", offset, UINT32_MAX);
        ossa__image_put_u32(image, at + 12, size, &entry);
    }
}

void *ossa__ar_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    struct ossa__ar_contents *contents = ossa__take(context, 1, sizeof *contents);
    if (!ossa__image_init(&image, context, size)) return NULL;
    struct ossa__value kind = ossa__value_member(data, "kind");
    const char *word = ossa__value_word(&kind);
    if (context->failed) return NULL;
    if (strcmp(word, "ares") == 0) build_ares(&image, data);
    else if (strcmp(word, "dave") == 0) build_dave(&image, data);
    else if (strcmp(word, "zip") == 0) ossa__value_allow(data, "kind gaps");
    else ossa__value_fail(&kind, "must be ares, dave or zip");
    ossa__image_put_gaps(&image, data);
    ossa__image_finish(&image, data);
    /* The image is all there is to write: this struct has no entries. */
    *contents = (struct ossa__ar_contents){.ar = {.image = image.bytes, .image_size = size}};
    return contents;
}
