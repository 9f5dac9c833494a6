/* SPDX-License-Identifier: MIT
 *
 * What a texture's file becomes: bytes again, and JSON. */
#include "formats/evil_islands/ei_mmp.h"

#include "base/json.h"
#include "formats/evil_islands/ei_texel.h"

/* ---- write --------------------------------------------------------------------------------- */

void ossa__mmp_write(struct ossa__context *context, const void *contents,
                     struct ossa__writer *writer)
{
    ossa_ei_mmp mmp = *(const ossa_ei_mmp *)contents;
    (void)context;
    ossa__write_bytes(writer, OSSA__MMP_MAGIC, 4);
    ossa__write_u32(writer, mmp.width);
    ossa__write_u32(writer, mmp.height);
    ossa__write_u32(writer, mmp.mips);
    ossa__write_u32(writer, mmp.fourcc);
    ossa__write_u32(writer, mmp.bits);
    for (unsigned i = 0; i < 4; i++) {
        const ossa_ei_channel *channel = ossa__mmp_channel(&mmp, i);
        ossa__write_u32(writer, channel->mask);
        ossa__write_u32(writer, channel->shift);
        ossa__write_u32(writer, channel->count);
    }
    ossa__write_u32(writer, mmp.unused);
    for (uint32_t i = 0; i < mmp.level_count; i++) {
        ossa__write_bytes(writer, mmp.levels[i].texels, mmp.levels[i].size);
    }
    ossa__write_bytes(writer, mmp.tail, mmp.tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__mmp_dump(const void *contents, struct ossa__json *json)
{
    ossa_ei_mmp mmp = *(const ossa_ei_mmp *)contents;
    const struct ossa__texel_kind *kind = ossa__texel_kind(mmp.fourcc);
    ossa__member_uint(json, "width", mmp.width);
    ossa__member_uint(json, "height", mmp.height);
    ossa__member_uint(json, "mips", mmp.mips);
    ossa__json_key(json, "fourcc");
    if (kind != NULL) ossa__json_string(json, kind->name);
    else ossa__json_uint(json, mmp.fourcc);
    ossa__member_uint(json, "bits", mmp.bits);
    for (unsigned i = 0; i < 4; i++) {
        const ossa_ei_channel *channel = ossa__mmp_channel(&mmp, i);
        ossa__json_key(json, ossa__mmp_channel_names[i]);
        ossa__json_begin_object(json);
        ossa__member_uint(json, "mask", channel->mask);
        ossa__member_uint(json, "shift", channel->shift);
        ossa__member_uint(json, "count", channel->count);
        ossa__json_end_object(json);
    }
    ossa__member_uint(json, "unused", mmp.unused);
    ossa__json_key(json, "levels");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < mmp.level_count; i++) {
        ossa__json_hex(json, mmp.levels[i].texels, mmp.levels[i].size);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, mmp.tail, mmp.tail_size);
}

static uint32_t build_number(const struct ossa__value *object, const char *key)
{
    struct ossa__value member = ossa__value_member(object, key);
    return ossa__value_u32(&member);
}

/* A name, or the number of one that nobody knows. */
static uint32_t build_fourcc(const struct ossa__value *data)
{
    struct ossa__value value = ossa__value_member(data, "fourcc");
    if (!ossa__value_is_text(&value)) return ossa__value_u32(&value);
    const char *name = ossa__value_word(&value);
    const struct ossa__texel_kind *kind = ossa__texel_kind_named(name);
    if (kind != NULL) return kind->fourcc;
    ossa__value_fail(&value,
                     "'%.20s' is not DXT1, DXT3, PNT3, 4444, 5551, 5650 or 8888, nor a "
                     "number",
                     name);
    return 0;
}

static void build_levels(const struct ossa__value *data, ossa_ei_mmp *mmp)
{
    struct ossa__value list = ossa__value_member(data, "levels");
    size_t count = ossa__value_length(&list);
    if (!data->context->failed && (count == 0 || count > UINT32_MAX)) {
        ossa__value_fail(&list, "has %zu items, expected at least one level", count);
    }
    ossa_ei_level *levels = ossa__take(data->context, count, sizeof *levels);
    if (levels == NULL) return;
    for (size_t i = 0; i < count && !data->context->failed; i++) {
        struct ossa__value texels = ossa__value_item(&list, i);
        levels[i] = (ossa_ei_level){0};
        levels[i].texels = ossa__value_hex(&texels, &levels[i].size);
    }
    mmp->levels = levels;
    mmp->level_count = (uint32_t)count;
}

void *ossa__mmp_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_mmp *mmp = ossa__take(context, 1, sizeof *mmp);
    if (mmp == NULL) return NULL;
    *mmp = (ossa_ei_mmp){0};
    ossa__value_allow(data,
                      "width height mips fourcc bits alpha red green blue unused levels tail");
    mmp->width = build_number(data, "width");
    mmp->height = build_number(data, "height");
    mmp->mips = build_number(data, "mips");
    mmp->fourcc = build_fourcc(data);
    mmp->bits = build_number(data, "bits");
    for (unsigned i = 0; i < 4; i++) {
        struct ossa__value value = ossa__value_member(data, ossa__mmp_channel_names[i]);
        ossa__value_allow(&value, "mask shift count");
        *ossa__mmp_channel(mmp, i) = (ossa_ei_channel){.mask = build_number(&value, "mask"),
                                                       .shift = build_number(&value, "shift"),
                                                       .count = build_number(&value, "count")};
    }
    mmp->unused = build_number(data, "unused");
    build_levels(data, mmp);
    struct ossa__value tail = ossa__value_optional(data, "tail");
    if (tail.node != NULL) mmp->tail = ossa__value_hex(&tail, &mmp->tail_size);
    return mmp;
}
