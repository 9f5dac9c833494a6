/* SPDX-License-Identifier: MIT
 *
 * vib-pak as JSON and back. Everything is where its offset says: building puts each value in its
 * place in an image, and what nothing covers comes from `gaps`. The bytes of an entry are given
 * once: one that shares some with another has none of its own here. */
#include "formats/vib_ribbon/vib_pak.h"

#include "base/json.h"
#include "base/text.h"

#include <inttypes.h>

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_entry(struct ossa__json *json, const ossa_vib_pak_entry *entry)
{
    bool has_data = entry->data != NULL && !entry->shares_bytes;
    ossa__json_begin_object(json);
    ossa__member_uint(json, "offset", entry->offset);
    ossa__json_key(json, "name");
    if (entry->name == NULL) {
        ossa__json_null(json);
    } else {
        ossa__json_begin_text(json);
        for (uint64_t i = 0; i < entry->name_size; i++) {
            ossa__json_character(json, ossa__latin_to_unicode((uint8_t)entry->name[i]));
        }
        ossa__json_end_text(json);
    }
    ossa__json_key(json, "data");
    if (has_data) ossa__json_hex(json, entry->data, entry->length);
    else ossa__json_null(json);
    if (!has_data && entry->has_length) {
        ossa__member_uint(json, "length", entry->length);
    }
    ossa__json_end_object(json);
}

void ossa__pak_dump(const void *contents, struct ossa__json *json)
{
    const ossa_vib_pak *pak = contents;
    ossa__json_key(json, "entries");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < pak->entry_count; i++) dump_entry(json, &pak->entries[i]);
    ossa__json_end_array(json);
    ossa__gaps_dump(json, pak->gaps, pak->gap_count, pak->image);
}

/* ---- build --------------------------------------------------------------------------------- */

/* Put a name and its NUL in place, and give how many bytes it has. */
static uint64_t build_name(struct ossa__image *image, const struct ossa__value *name, uint64_t at)
{
    size_t length;
    const char *utf8 = ossa__value_text(name, &length);
    uint8_t *bytes = ossa__take(name->context, (uint64_t)length + 1, 1); /* never more than that */
    uint64_t size = 0;
    for (size_t i = 0; i < length && bytes != NULL;) {
        uint32_t character;
        i += ossa__utf8_decode(utf8 + i, length - i, &character);
        int byte = ossa__latin_from_unicode(character);
        if (byte <= 0) {
            ossa__value_fail(name, "a name cannot have the character U+%04" PRIX32 " in it",
                             character);
            return 0;
        }
        bytes[size++] = (uint8_t)byte;
    }
    if (bytes == NULL) return 0;
    bytes[size] = 0;
    ossa__image_put(image, at, bytes, size + 1, name);
    return size;
}

static void build_entry(struct ossa__image *image, const struct ossa__value *entry, size_t index)
{
    ossa__value_allow(entry, "offset name data length");
    struct ossa__value offset = ossa__value_member(entry, "offset");
    struct ossa__value name = ossa__value_optional(entry, "name");
    struct ossa__value data = ossa__value_optional(entry, "data");
    struct ossa__value length = ossa__value_optional(entry, "length");
    uint64_t at = ossa__value_u32(&offset);
    ossa__image_put_u32(image, ossa__pak_offset_at(index), (uint32_t)at, &offset);
    if (name.node == NULL) {
        if (data.node != NULL) ossa__value_fail(&name, "is missing, but there is data");
        return;
    }
    uint64_t length_at = at + ossa__pak_name_room(build_name(image, &name, at));
    if (data.node != NULL) {
        size_t size;
        const uint8_t *bytes = ossa__value_hex(&data, &size);
        if (size > UINT32_MAX) ossa__value_fail(&data, "has more than 4 GiB");
        ossa__image_put_u32(image, length_at, (uint32_t)size, &data);
        ossa__image_put(image, length_at + OSSA__PAK_LENGTH_SIZE, bytes, size, &data);
    } else if (length.node != NULL) {
        ossa__image_put_u32(image, length_at, ossa__value_u32(&length), &length);
    }
}

void *ossa__pak_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    ossa__value_allow(data, "entries gaps");
    ossa_vib_pak *pak = ossa__take(context, 1, sizeof *pak);
    if (!ossa__image_init(&image, context, size)) return NULL;
    struct ossa__value entries = ossa__value_member(data, "entries");
    size_t count = ossa__value_length(&entries);
    ossa__image_put_u32(&image, 0, (uint32_t)count, &entries);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value entry = ossa__value_item(&entries, i);
        build_entry(&image, &entry, i);
    }
    ossa__image_put_gaps(&image, data);
    ossa__image_finish(&image, data);
    /* The image is all there is to write. */
    *pak = (ossa_vib_pak){.image = image.bytes, .image_size = size};
    return pak;
}
