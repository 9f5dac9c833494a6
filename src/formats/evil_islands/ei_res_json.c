/* SPDX-License-Identifier: MIT
 *
 * ei-res as JSON and back. Everything is where its offset says: building puts each value in its
 * place in an image, and what nothing covers comes from `gaps`. The bytes of an entry are given
 * once: one that shares some with another has none of its own here. */
#include "formats/evil_islands/ei_res.h"

#include "base/json.h"

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_name(struct ossa__json *json, const ossa_ei_res_entry *entry)
{
    ossa__json_key(json, "name");
    if (entry->name.size != entry->name_length) { /* it is outside the block */
        ossa__json_null(json);
        ossa__member_uint(json, "name_length", entry->name_length);
        return;
    }
    ossa__json_text_1251(json, entry->name.bytes, entry->name.size);
}

static void dump_entry(struct ossa__json *json, const ossa_ei_res_entry *entry)
{
    ossa__json_begin_object(json);
    dump_name(json, entry);
    ossa__member_uint(json, "name_offset", entry->name_offset);
    ossa__member_int(json, "next", entry->next);
    ossa__member_uint(json, "time", entry->time);
    ossa__member_uint(json, "offset", entry->offset);
    ossa__json_key(json, "data");
    if (entry->data == NULL || entry->shares_bytes) {
        ossa__json_null(json);
        ossa__member_uint(json, "size", entry->size);
    } else {
        ossa__json_hex(json, entry->data, entry->size);
    }
    ossa__json_end_object(json);
}

void ossa__res_dump(const void *contents, struct ossa__json *json)
{
    const ossa_ei_res *res = contents;
    ossa__member_uint(json, "table_offset", res->table_offset);
    ossa__member_uint(json, "names_size", res->names_size);
    ossa__json_key(json, "entries");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < res->entry_count; i++) dump_entry(json, &res->entries[i]);
    ossa__json_end_array(json);
    ossa__gaps_dump(json, res->gaps, res->gap_count, res->image);
}

/* ---- build --------------------------------------------------------------------------------- */

/* The file being put together. */
struct builder {
    struct ossa__image image;
    uint64_t names_at;
};

static uint32_t build_word(struct builder *b, const struct ossa__value *object, const char *key,
                           uint64_t at)
{
    struct ossa__value member = ossa__value_member(object, key);
    uint32_t number = ossa__value_u32(&member);
    ossa__image_put_u32(&b->image, at, number, &member);
    return number;
}

static void build_name(struct builder *b, const struct ossa__value *entry, uint64_t record)
{
    struct ossa__value name = ossa__value_optional(entry, "name");
    uint64_t length_at = record + OSSA__RES_NAME_LENGTH;
    uint32_t offset = build_word(b, entry, "name_offset", record + OSSA__RES_NAME_OFFSET);
    if (name.node == NULL) {
        struct ossa__value length = ossa__value_member(entry, "name_length");
        int64_t number = ossa__value_integer(&length, 0, UINT16_MAX);
        ossa__image_put_u16(&b->image, length_at, (uint16_t)number, &length);
        return;
    }
    uint32_t size;
    const char *bytes = ossa__value_text_1251(&name, &size);
    if (size > UINT16_MAX) ossa__value_fail(&name, "has more than %d characters", UINT16_MAX);
    ossa__image_put_u16(&b->image, length_at, (uint16_t)size, &name);
    /* An empty one may be anywhere. */
    if (size > 0)
        ossa__image_put(&b->image, b->names_at + offset, (const uint8_t *)bytes, size, &name);
}

static void build_data(struct builder *b, const struct ossa__value *entry, uint64_t record)
{
    struct ossa__value data = ossa__value_optional(entry, "data");
    uint32_t offset = build_word(b, entry, "offset", record + OSSA__RES_OFFSET);
    if (data.node == NULL) {
        (void)build_word(b, entry, "size", record + OSSA__RES_SIZE);
        return;
    }
    size_t size;
    const uint8_t *bytes = ossa__value_hex(&data, &size);
    if (size > UINT32_MAX) ossa__value_fail(&data, "has more than 4 GiB");
    ossa__image_put_u32(&b->image, record + OSSA__RES_SIZE, (uint32_t)size, &data);
    if (size > 0) ossa__image_put(&b->image, offset, bytes, size, &data);
}

static void build_entry(struct builder *b, const struct ossa__value *entry, uint64_t record)
{
    ossa__value_allow(entry, "name name_length name_offset next time offset data size");
    struct ossa__value next = ossa__value_member(entry, "next");
    int64_t link = ossa__value_integer(&next, INT32_MIN, INT32_MAX);
    ossa__image_put_u32(&b->image, record + OSSA__RES_NEXT, (uint32_t)link, &next);
    (void)build_word(b, entry, "time", record + OSSA__RES_TIME);
    build_data(b, entry, record);
    build_name(b, entry, record);
}

void *ossa__res_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b;
    ossa__value_allow(data, "table_offset names_size entries gaps");
    ossa_ei_res *res = ossa__take(context, 1, sizeof *res);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    struct ossa__value entries = ossa__value_member(data, "entries");
    size_t count = ossa__value_length(&entries);
    ossa__image_put_u32(&b.image, 0, OSSA__RES_SIGNATURE, data);
    ossa__image_put_u32(&b.image, 4, (uint32_t)count, &entries);
    uint64_t table = build_word(&b, data, "table_offset", 8);
    (void)build_word(&b, data, "names_size", 12);
    b.names_at = table + (uint64_t)count * OSSA__RES_RECORD_SIZE;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value entry = ossa__value_item(&entries, i);
        build_entry(&b, &entry, table + (uint64_t)i * OSSA__RES_RECORD_SIZE);
    }
    ossa__image_put_gaps(&b.image, data);
    ossa__image_finish(&b.image, data);
    /* The image is all there is to write. */
    *res = (ossa_ei_res){.image = b.image.bytes, .image_size = size};
    return res;
}
