/* SPDX-License-Identifier: MIT
 *
 * sotc-skb as JSON and back. Everything is where its offset says: building puts each value in its
 * place in an image, and what no field covers comes from `gaps`. */
#include "formats/shadow_of_the_colossus/sotc_skb.h"

#include "base/json.h"
#include "codec/reader.h"

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_joint(struct ossa__json *json, const ossa_sotc_joint *joint)
{
    ossa__json_begin_object(json);
    ossa__xff_dump_name(json, joint->name, joint->name_size, joint->name_position);
    ossa__member_uint(json, "record_offset", joint->record_offset);
    ossa__member_uint(json, "unknown", joint->unknown);
    ossa__json_key(json, "words");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < 2; i++) ossa__json_int(json, joint->words[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "floats");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < OSSA__SKB_FLOATS; i++) ossa__json_float(json, joint->floats[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "links");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < OSSA__SKB_LINKS; i++) ossa__json_int(json, joint->links[i]);
    ossa__json_end_array(json);
    ossa__member_float(json, "last", joint->last);
    ossa__json_end_object(json);
}

void ossa__skb_dump(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_skb *skb = contents;
    ossa__json_key(json, "joints");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < skb->joint_count; i++) dump_joint(json, &skb->joints[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    for (unsigned i = 2; i < OSSA_SOTC_SKB_WORDS; i++) {
        ossa__member_uint(json, ossa__skb_words[i], skb->header[i]);
    }
    ossa__json_end_object(json);
    ossa__xff_dump(&skb->container, json);
}

/* ---- build --------------------------------------------------------------------------------- */

/* The file being put together. */
struct builder {
    struct ossa__image image;
    uint64_t section; /* where section 1 starts */
    uint64_t table;   /* where the offsets of the records start */
    uint64_t strings;
};

static void build_header(struct builder *b, const struct ossa__value *data, uint64_t at)
{
    struct ossa__value joints = ossa__value_member(data, "joints");
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "unknown_2 string_table unknown_4 unknown_5 unknown_6 unknown_7 "
                               "unknown_8 unknown_9 unknown_10");
    ossa__image_put_u32(&b->image, at, OSSA__SKB_KIND, &header);
    ossa__image_put_u32(&b->image, at + 4, (uint32_t)ossa__value_length(&joints), &joints);
    for (unsigned i = 2; i < OSSA_SOTC_SKB_WORDS; i++) {
        struct ossa__value word = ossa__value_member(&header, ossa__skb_words[i]);
        uint32_t number = ossa__value_u32(&word);
        if (i == OSSA__SKB_STRINGS) b->strings = b->section + number;
        ossa__image_put_u32(&b->image, at + 4ULL * i, number, &word);
    }
}

static void build_integers(struct builder *b, const struct ossa__value *joint, const char *key,
                           size_t count, uint64_t at)
{
    struct ossa__value array = ossa__value_member(joint, key);
    int64_t numbers[OSSA__SKB_LINKS];
    ossa__value_integers(&array, count, INT32_MIN, INT32_MAX, numbers);
    for (size_t i = 0; i < count; i++)
        ossa__image_put_u32(&b->image, at + 4 * i, (uint32_t)numbers[i], &array);
}

static void build_joint(struct builder *b, const struct ossa__value *joint, size_t index)
{
    ossa__value_allow(joint, "name name_position record_offset unknown words floats links last");
    struct ossa__value record = ossa__value_member(joint, "record_offset");
    struct ossa__value unknown = ossa__value_member(joint, "unknown");
    struct ossa__value floats = ossa__value_member(joint, "floats");
    struct ossa__value last = ossa__value_member(joint, "last");
    uint32_t offset = ossa__value_u32(&record);
    uint64_t entry = b->table + (uint64_t)index * OSSA__SKB_ENTRY_SIZE;
    uint64_t at = b->section + offset;
    ossa__image_put_u32(&b->image, entry, offset, &record);
    ossa__image_put_u32(&b->image, entry + 4, ossa__value_u32(&unknown), &unknown);
    ossa__xff_build_name(&b->image, joint, b->strings, at);
    build_integers(b, joint, "words", 2, at + OSSA__SKB_WORDS_AT);
    build_integers(b, joint, "links", OSSA__SKB_LINKS, at + OSSA__SKB_LINKS_AT);
    float numbers[OSSA__SKB_FLOATS];
    ossa__value_floats(&floats, OSSA__SKB_FLOATS, numbers);
    for (unsigned i = 0; i < OSSA__SKB_FLOATS; i++) {
        ossa__image_put_u32(&b->image, at + OSSA__SKB_FLOATS_AT + 4ULL * i,
                            ossa__bits_from_f32(numbers[i]), &floats);
    }
    uint32_t bits = ossa__bits_from_f32(ossa__value_f32(&last));
    ossa__image_put_u32(&b->image, at + OSSA__SKB_LAST_AT, bits, &last);
}

void *ossa__skb_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b = {0};
    ossa__value_allow(data, "joints header container gaps");
    ossa_sotc_skb *skb = ossa__take(context, 1, sizeof *skb);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    /* The image is all there is to write: no joint of this struct has anything to put back. */
    *skb = (ossa_sotc_skb){0};
    ossa__xff_build(&b.image, data, &skb->container);
    if (!ossa__xff_build_data(data, &skb->container, &b.section)) return NULL;
    uint64_t header = b.section + skb->container.words[OSSA__XFF_ENTRY];
    b.table = header + OSSA__SKB_HEADER_SIZE;
    build_header(&b, data, header);
    struct ossa__value joints = ossa__value_member(data, "joints");
    size_t count = ossa__value_length(&joints);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value joint = ossa__value_item(&joints, i);
        build_joint(&b, &joint, i);
    }
    ossa__image_finish(&b.image, data);
    return skb;
}
