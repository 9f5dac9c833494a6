/* SPDX-License-Identifier: MIT
 *
 * sotc-anb as JSON and back. Everything is where its offset says: building puts each value in its
 * place in an image, and what no field covers comes from `gaps`. `quaternions` is for people and
 * programs that only look: building ignores it. */
#include "formats/shadow_of_the_colossus/sotc_anb.h"

#include "base/json.h"
#include "codec/reader.h"

#include <inttypes.h>

enum { KIND = 12 };

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_keys(struct ossa__json *json, const ossa_sotc_anb *anb, const ossa_sotc_bone *bone,
                      const struct ossa__anb_flag *flag)
{
    ossa__json_begin_row(json);
    for (uint32_t p = 0; flag != NULL && flag->members > 0 && p < anb->pose_count; p++) {
        if (flag->packed) {
            ossa__json_uint(json, bone->keys.packed[p]);
        } else if (flag->members == 1) {
            ossa__json_int(json, bone->keys.angle[p]);
        } else {
            ossa__json_begin_row(json);
            for (unsigned c = 0; c < 3; c++) ossa__json_int(json, bone->keys.triple[p][c]);
            ossa__json_end_array(json);
        }
    }
    ossa__json_end_array(json);
}

static void dump_bone(struct ossa__json *json, const ossa_sotc_anb *anb, const ossa_sotc_bone *bone)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    ossa__json_begin_object(json);
    ossa__member_uint(json, "flag", bone->flag);
    ossa__member_uint(json, "record_offset", bone->record_offset);
    if (flag != NULL && flag->members > 0) {
        ossa__member_uint(json, "keys_offset", bone->keys_offset);
    }
    ossa__json_key(json, "constants");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < bone->constant_count; i++) ossa__json_float(json, bone->constants[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "keys");
    dump_keys(json, anb, bone, flag);
    ossa__json_end_object(json);
}

static void dump_quaternions(struct ossa__json *json, const ossa_sotc_anb *anb, uint32_t bone)
{
    bool is_constant = anb->bones[bone].flag == 0;
    ossa__json_begin_array(json);
    for (uint32_t p = 0; p < anb->pose_count; p++) {
        double ijks[4];
        if (!ossa_sotc_quaternion(anb, bone, p, ijks)) break;
        ossa__json_begin_row(json);
        for (unsigned c = 0; c < 4; c++) ossa__json_float(json, (float)ijks[c]);
        ossa__json_end_array(json);
        if (is_constant) break;
    }
    ossa__json_end_array(json);
}

static void dump_header(struct ossa__json *json, const ossa_sotc_anb *anb)
{
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    ossa__member_uint(json, "poses_high", anb->header[1] >> 16);
    ossa__member_uint(json, "flags_offset", anb->header[2]);
    ossa__member_uint(json, "records_offset", anb->header[4]);
    ossa__json_key(json, "unknown");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < OSSA__ANB_UNKNOWN_WORDS; i++) {
        ossa__json_uint(json, anb->header[ossa__anb_unknown_word(i)]);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

void ossa__anb_dump(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_anb *anb = contents;
    ossa__member_uint(json, "poses", anb->pose_count);
    ossa__json_key(json, "bones");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anb->bone_count; i++) dump_bone(json, anb, &anb->bones[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "quaternions");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anb->bone_count; i++) dump_quaternions(json, anb, i);
    ossa__json_end_array(json);
    dump_header(json, anb);
    ossa__xff_dump(&anb->container, json);
}

/* ---- build --------------------------------------------------------------------------------- */

/* The file being put together. */
struct builder {
    struct ossa__image image;
    uint64_t section; /* where section 1 starts */
    uint32_t poses;
    uint32_t flags_offset;
    uint32_t records_offset;
};

static void build_header(struct builder *b, const struct ossa__value *data, uint64_t at)
{
    struct ossa__value poses = ossa__value_member(data, "poses");
    struct ossa__value bones = ossa__value_member(data, "bones");
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "poses_high flags_offset records_offset unknown");
    struct ossa__value high = ossa__value_member(&header, "poses_high");
    struct ossa__value flags = ossa__value_member(&header, "flags_offset");
    struct ossa__value records = ossa__value_member(&header, "records_offset");
    struct ossa__value unknown = ossa__value_member(&header, "unknown");
    b->poses = (uint32_t)ossa__value_integer(&poses, 0, UINT16_MAX);
    uint32_t top = (uint32_t)ossa__value_integer(&high, 0, UINT16_MAX);
    b->flags_offset = ossa__value_u32(&flags);
    b->records_offset = ossa__value_u32(&records);
    int64_t words[OSSA__ANB_UNKNOWN_WORDS];
    ossa__value_integers(&unknown, OSSA__ANB_UNKNOWN_WORDS, 0, UINT32_MAX, words);
    ossa__image_put_u32(&b->image, at, KIND, &header);
    ossa__image_put_u32(&b->image, at + 4, top << 16 | b->poses, &poses);
    ossa__image_put_u32(&b->image, at + 8, b->flags_offset, &flags);
    ossa__image_put_u32(&b->image, at + 16, b->records_offset, &records);
    ossa__image_put_u32(&b->image, at + 20, (uint32_t)ossa__value_length(&bones), &bones);
    for (unsigned i = 0; i < OSSA__ANB_UNKNOWN_WORDS; i++) {
        uint64_t place = at + 4ULL * ossa__anb_unknown_word(i);
        ossa__image_put_u32(&b->image, place, (uint32_t)words[i], &unknown);
    }
}

static void build_keys(struct builder *b, const struct ossa__value *keys,
                       const struct ossa__anb_flag *flag, uint64_t at)
{
    for (uint32_t p = 0; p < b->poses && !b->image.context->failed; p++) {
        struct ossa__value key = ossa__value_item(keys, p);
        uint64_t place = at + (uint64_t)p * ossa__anb_key_size(flag);
        if (flag->packed) {
            ossa__image_put_u32(&b->image, place, ossa__value_u32(&key), &key);
        } else if (flag->members == 1) {
            int64_t number = ossa__value_integer(&key, INT16_MIN, INT16_MAX);
            ossa__image_put_u16(&b->image, place, (uint16_t)number, &key);
        } else {
            int64_t numbers[3];
            ossa__value_integers(&key, 3, INT16_MIN, INT16_MAX, numbers);
            for (unsigned c = 0; c < 3; c++) {
                ossa__image_put_u16(&b->image, place + 2ULL * c, (uint16_t)numbers[c], &key);
            }
        }
    }
}

static void build_bone(struct builder *b, const struct ossa__value *bone, size_t index)
{
    ossa__value_allow(bone, "flag record_offset keys_offset constants keys");
    struct ossa__value flag_value = ossa__value_member(bone, "flag");
    struct ossa__value record = ossa__value_member(bone, "record_offset");
    struct ossa__value keys_offset = ossa__value_optional(bone, "keys_offset");
    struct ossa__value constants = ossa__value_member(bone, "constants");
    struct ossa__value keys = ossa__value_member(bone, "keys");
    uint8_t number = (uint8_t)ossa__value_integer(&flag_value, 0, UINT8_MAX);
    uint32_t record_offset = ossa__value_u32(&record);
    const struct ossa__anb_flag *flag = ossa__anb_flag(number);
    ossa__image_put(&b->image, b->section + b->flags_offset + index, &number, 1, &flag_value);
    ossa__image_put_u32(&b->image, b->section + b->records_offset + 4 * index, record_offset,
                        &record);
    /* The record of an unknown flag is in the gaps. */
    size_t floats = flag == NULL ? 0 : flag->constants;
    bool has_keys = flag != NULL && flag->members > 0;
    if (has_keys != (keys_offset.node != NULL)) {
        ossa__value_fail(&keys_offset, has_keys ? "is missing" : "does not belong to this flag");
    }
    if (!ossa__value_expect_length(&constants, floats)) return;
    if (!ossa__value_expect_length(&keys, has_keys ? b->poses : 0)) return;
    uint64_t at = b->section + record_offset;
    for (size_t i = 0; i < floats; i++) {
        struct ossa__value constant = ossa__value_item(&constants, i);
        uint32_t bits = ossa__bits_from_f32(ossa__value_f32(&constant));
        ossa__image_put_u32(&b->image, at + 4 * i, bits, &constant);
    }
    if (has_keys) {
        uint32_t offset = ossa__value_u32(&keys_offset);
        ossa__image_put_u32(&b->image, at + 4 * floats, offset, &keys_offset);
        build_keys(b, &keys, flag, b->section + offset);
    }
}

void *ossa__anb_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b;
    ossa__value_allow(data, "poses bones quaternions header container gaps");
    ossa_sotc_anb *anb = ossa__take(context, 1, sizeof *anb);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    /* The image is all there is to write: no bone of this struct has anything to put back. */
    *anb = (ossa_sotc_anb){0};
    ossa__xff_build(&b.image, data, &anb->container);
    if (!ossa__xff_build_data(data, &anb->container, &b.section)) return NULL;
    build_header(&b, data, b.section + anb->container.words[OSSA__XFF_ENTRY]);
    struct ossa__value bones = ossa__value_member(data, "bones");
    size_t count = ossa__value_length(&bones);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value bone = ossa__value_item(&bones, i);
        build_bone(&b, &bone, i);
    }
    ossa__image_finish(&b.image, data);
    return anb;
}
