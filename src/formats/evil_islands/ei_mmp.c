/* SPDX-License-Identifier: MIT
 *
 * ei-mmp: a texture of Evil Islands.
 *
 *     char[4]  magic      "MMP\0"
 *     u32      width, height
 *     u32      mips       how many levels; of PNT3: how many bytes of texels
 *     u32      fourcc     "DXT1", "DXT3", "PNT3", 0x4444, 0x5551, 0x5650 or 0x8888
 *     u32      bits       of a texel
 *     u32      mask, shift, count     four times: alpha, red, green, blue
 *     u32      unused
 *     texels, level after level, each half as wide and high as the one before
 *
 * PNT3 has one level. Its texels are 8888, plain if `mips` bytes are enough for that, else packed:
 * a word from 1 to 1000000 is that many zero bytes, any other is a texel. All but 8888 have
 * their bottom row first. What texels mean is in ei_mmp_texels.c. Not known: `unused`, and whether
 * a level that would be less than 1 wide is there at all (here it is 1 wide, as elsewhere). */
#include "formats/modules.h"

#include "base/bytes.h"
#include "base/json.h"
#include "formats/evil_islands/ei_mmp.h"

#include <inttypes.h>

#define MAGIC "MMP" /* and a NUL */

enum {
    WIDTH_AT = 4,
    HEIGHT_AT = 8,
    MIPS_AT = 12,
    FOURCC_AT = 16,
    BITS_AT = 20,
    CHANNELS_AT = 24,
    CHANNEL_SIZE = 12,
    USUAL_SIDE = 4096, /* machines of that time could not show more */
};

static const struct ossa__shape shape_bgra = {
    OSSA_FIELD_TYPE_U8, 4, {"blue", "green", "red", "alpha"}};

/* The channels in the order of the file. */
static const char *const channel_names[4] = {"alpha", "red", "green", "blue"};

static ossa_ei_channel *channel_of(ossa_ei_mmp *mmp, unsigned i)
{
    switch (i) {
    case 0: return &mmp->alpha;
    case 1: return &mmp->red;
    case 2: return &mmp->green;
    default: return &mmp->blue;
    }
}

static bool is_packed(const struct ossa__texel_kind *kind, const ossa_ei_mmp *mmp)
{
    return kind->fourcc == OSSA_EI_FOURCC_PNT3 &&
           mmp->mips < ossa__texel_bytes(kind, mmp->width, mmp->height);
}

/* The number of levels in the header, limited to what is possible. */
static uint32_t count_levels(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height,
                             uint32_t mips)
{
    uint32_t most = ossa__texel_levels(width, height);
    if (kind == NULL || kind->fourcc == OSSA_EI_FOURCC_PNT3 || mips == 0) return 1;
    return mips < most ? mips : most;
}

/* ---- probe --------------------------------------------------------------------------------- */

static bool fills_the_file(const uint8_t *data, uint64_t size)
{
    const struct ossa__texel_kind *kind = ossa__texel_kind(ossa__peek_u32(data, size, FOURCC_AT));
    uint32_t width = ossa__peek_u32(data, size, WIDTH_AT);
    uint32_t height = ossa__peek_u32(data, size, HEIGHT_AT);
    uint32_t mips = ossa__peek_u32(data, size, MIPS_AT);
    if (size < OSSA__MMP_HEADER_SIZE || kind == NULL || width == 0 || height == 0) return false;
    uint64_t left = size - OSSA__MMP_HEADER_SIZE;
    if (kind->fourcc == OSSA_EI_FOURCC_PNT3) return mips == left;
    for (uint32_t i = count_levels(kind, width, height, mips); i > 0; i--) {
        uint64_t bytes = ossa__texel_bytes(kind, width, height);
        if (bytes > left) return false;
        left -= bytes;
        width = ossa__texel_half(width);
        height = ossa__texel_half(height);
    }
    return left == 0;
}

static ossa_confidence probe_mmp(const uint8_t *data, uint64_t size)
{
    if (size < 4 || memcmp(data, MAGIC, 4) != 0) return OSSA_CONFIDENCE_NONE;
    return fills_the_file(data, size) ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    (void)size;
    return memcmp(start, MAGIC, 4) == 0;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_header(struct ossa__reader *reader, ossa_ei_mmp *mmp)
{
    struct ossa__context *context = reader->context;
    const uint8_t *found = ossa__read_bytes(reader, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    if (found != NULL && memcmp(found, MAGIC, 4) != 0) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "magic",
                   "found 0x%08" PRIx32 ", expected \"MMP\\0\" (0x00504d4d)",
                   ossa__load_u32(found));
        return;
    }
    mmp->width = ossa__read_u32(reader, "width");
    mmp->height = ossa__read_u32(reader, "height");
    mmp->mips = ossa__read_u32(reader, "mips");
    mmp->fourcc = ossa__read_u32(reader, "fourcc");
    mmp->bits = ossa__read_u32(reader, "bits");
    for (unsigned i = 0; i < 4; i++) {
        ossa_ei_channel *channel = channel_of(mmp, i);
        ossa__enter(context, channel_names[i], OSSA__NO_INDEX);
        channel->mask = ossa__read_u32(reader, "mask");
        channel->shift = ossa__read_u32(reader, "shift");
        channel->count = ossa__read_u32(reader, "count");
        ossa__leave(context);
    }
    mmp->unused = ossa__read_u32(reader, "unused");
}

static void check_side(struct ossa__context *context, const char *field, uint64_t at, uint32_t side)
{
    if (side == 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, at, field,
                    "is 0, expected at least 1");
    } else if (side > USUAL_SIDE) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, field,
                    "%" PRIu32 " texels, expected at most %d", side, USUAL_SIDE);
    }
}

/* What the header says twice. */
static void check_channels(struct ossa__context *context, ossa_ei_mmp *mmp,
                           const struct ossa__texel_kind *kind)
{
    if (!kind->has_channels) return;
    if (mmp->bits != 8 * kind->block_size) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, BITS_AT, "bits",
                    "%" PRIu32 " bits per texel, expected %" PRIu32 " for %s", mmp->bits,
                    8 * kind->block_size, kind->name);
    }
    for (unsigned i = 0; i < 4; i++) {
        const ossa_ei_channel *found = channel_of(mmp, i);
        const ossa_ei_channel *expected = &kind->channels[i];
        bool same = found->mask == expected->mask && found->count == expected->count &&
                    (found->shift == expected->shift || expected->count == 0);
        if (same) continue;
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    CHANNELS_AT + CHANNEL_SIZE * i, channel_names[i],
                    "mask 0x%" PRIx32 ", shift %" PRIu32 ", count %" PRIu32 ", expected 0x%" PRIx32
                    ", %" PRIu32 ", %" PRIu32 " for %s, which are used",
                    found->mask, found->shift, found->count, expected->mask, expected->shift,
                    expected->count, kind->name);
    }
}

static void check_mips(struct ossa__context *context, const ossa_ei_mmp *mmp)
{
    if (mmp->mips == 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, MIPS_AT, "mips",
                    "no levels, expected at least 1; one is assumed");
    } else if (mmp->mips > mmp->level_count) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, MIPS_AT, "mips",
                    "%" PRIu32 " levels, but %" PRIu32 " x %" PRIu32
                    " texels have at most %" PRIu32,
                    mmp->mips, mmp->width, mmp->height, mmp->level_count);
    }
}

static void check_pnt3(struct ossa__context *context, const ossa_ei_mmp *mmp,
                       const struct ossa__texel_kind *kind)
{
    uint64_t room = ossa__texel_bytes(kind, mmp->width, mmp->height);
    if (mmp->mips > room) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, MIPS_AT, "mips",
                    "%" PRIu32 " bytes, expected at most the %" PRIu64 " of unpacked texels",
                    mmp->mips, room);
    }
    if (mmp->mips >= room) return;
    if (mmp->mips % 4 != 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, MIPS_AT, "mips",
                    "%" PRIu32 " bytes, expected a multiple of 4", mmp->mips);
    }
    ossa__enter(context, "levels", 0);
    uint64_t filled = ossa__texel_check_runs(context, &mmp->levels[0], room);
    ossa__leave(context);
    if (filled < room) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, MIPS_AT, "mips",
                    "the packed texels fill %" PRIu64 " of %" PRIu64 " bytes, the rest is zero",
                    filled, room);
    }
}

/* The one level of PNT3: `mips` bytes, whatever they mean. */
static void read_pnt3(struct ossa__reader *reader, const ossa_ei_mmp *mmp, ossa_ei_level *level,
                      const struct ossa__texel_kind *kind)
{
    bool packed = is_packed(kind, mmp);
    uint64_t used = packed ? mmp->mips / 4 * 4 : ossa__texel_bytes(kind, mmp->width, mmp->height);
    level->size = mmp->mips;
    level->texels = packed ? ossa__read_raw(reader, "words", &ossa__shape_u32, used / 4)
                           : ossa__read_raw(reader, "texels", &shape_bgra, used / 4);
    (void)ossa__read_bytes(reader, "rest", OSSA_FIELD_TYPE_UNKNOWN, mmp->mips - used);
}

/* One level of blocks or of texels. */
static void read_level(struct ossa__reader *reader, ossa_ei_level *level,
                       const struct ossa__texel_kind *kind)
{
    static const struct ossa__shape dxt1 = {
        OSSA_FIELD_TYPE_U16, 4, {"colours[0]", "colours[1]", "picks[0]", "picks[1]"}};
    static const struct ossa__shape dxt3 = {OSSA_FIELD_TYPE_U16,
                                            8,
                                            {"alphas[0]", "alphas[1]", "alphas[2]", "alphas[3]",
                                             "colours[0]", "colours[1]", "picks[0]", "picks[1]"}};
    const struct ossa__shape *shape = &ossa__shape_u16;
    if (kind->fourcc == OSSA_EI_FOURCC_DXT1) shape = &dxt1;
    else if (kind->fourcc == OSSA_EI_FOURCC_DXT3) shape = &dxt3;
    else if (kind->fourcc == OSSA_EI_FOURCC_8888) shape = &shape_bgra;
    uint64_t count = ossa__texel_blocks(kind, level->width, level->height);
    level->texels = ossa__read_raw(reader, kind->side > 1 ? "blocks" : "texels", shape, count);
    level->size =
        reader->context->failed ? 0 : (size_t)ossa__texel_bytes(kind, level->width, level->height);
}

static void read_levels(struct ossa__reader *reader, ossa_ei_mmp *mmp,
                        const struct ossa__texel_kind *kind)
{
    struct ossa__context *context = reader->context;
    uint32_t count = count_levels(kind, mmp->width, mmp->height, mmp->mips);
    ossa_ei_level *levels = ossa__take(context, count, sizeof *levels);
    if (levels == NULL) return;
    mmp->levels = levels;
    mmp->level_count = count;
    uint32_t width = mmp->width;
    uint32_t height = mmp->height;
    for (uint32_t i = 0; i < count && !context->failed; i++) {
        levels[i] = (ossa_ei_level){.width = width, .height = height};
        ossa__enter(context, "levels", i);
        if (kind == NULL) {
            levels[i].size = (size_t)ossa__left(reader);
            levels[i].texels =
                ossa__read_bytes(reader, "texels", OSSA_FIELD_TYPE_UNKNOWN, levels[i].size);
        } else if (kind->fourcc == OSSA_EI_FOURCC_PNT3) {
            read_pnt3(reader, mmp, &levels[i], kind);
        } else {
            read_level(reader, &levels[i], kind);
        }
        ossa__leave(context);
        width = ossa__texel_half(width);
        height = ossa__texel_half(height);
    }
}

static void *read_mmp(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_mmp *mmp = ossa__take(context, 1, sizeof *mmp);
    if (mmp == NULL) return NULL;
    *mmp = (ossa_ei_mmp){0};
    read_header(&reader, mmp);
    if (context->failed) return NULL;
    const struct ossa__texel_kind *kind = ossa__texel_kind(mmp->fourcc);
    check_side(context, "width", WIDTH_AT, mmp->width);
    check_side(context, "height", HEIGHT_AT, mmp->height);
    if (kind == NULL) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, FOURCC_AT, "fourcc",
                    "0x%08" PRIx32 ", expected DXT1, DXT3, PNT3, 0x4444, 0x5551, 0x5650 or 0x8888",
                    mmp->fourcc);
    } else {
        check_channels(context, mmp, kind);
    }
    read_levels(&reader, mmp, kind);
    if (mmp->levels == NULL || context->failed) return NULL;
    if (kind != NULL && kind->fourcc == OSSA_EI_FOURCC_PNT3) check_pnt3(context, mmp, kind);
    else if (kind != NULL) check_mips(context, mmp);
    mmp->tail = ossa__read_tail(&reader, &mmp->tail_size);
    return mmp;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_mmp(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    ossa_ei_mmp mmp = *(const ossa_ei_mmp *)contents;
    (void)context;
    ossa__write_bytes(writer, MAGIC, 4);
    ossa__write_u32(writer, mmp.width);
    ossa__write_u32(writer, mmp.height);
    ossa__write_u32(writer, mmp.mips);
    ossa__write_u32(writer, mmp.fourcc);
    ossa__write_u32(writer, mmp.bits);
    for (unsigned i = 0; i < 4; i++) {
        const ossa_ei_channel *channel = channel_of(&mmp, i);
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

static void dump_mmp(const void *contents, struct ossa__json *json)
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
        const ossa_ei_channel *channel = channel_of(&mmp, i);
        ossa__json_key(json, channel_names[i]);
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

/* A name, or the number of an unknown one. */
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

static void *build_mmp(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
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
        struct ossa__value value = ossa__value_member(data, channel_names[i]);
        ossa__value_allow(&value, "mask shift count");
        *channel_of(mmp, i) = (ossa_ei_channel){.mask = build_number(&value, "mask"),
                                                .shift = build_number(&value, "shift"),
                                                .count = build_number(&value, "count")};
    }
    mmp->unused = build_number(data, "unused");
    build_levels(data, mmp);
    struct ossa__value tail = ossa__value_optional(data, "tail");
    if (tail.node != NULL) mmp->tail = ossa__value_hex(&tail, &mmp->tail_size);
    return mmp;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_mmp(const void *contents, struct ossa__report *report)
{
    const ossa_ei_mmp *mmp = contents;
    const struct ossa__texel_kind *kind = ossa__texel_kind(mmp->fourcc);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < mmp->level_count; i++) bytes += mmp->levels[i].size;
    ossa__report_integer(report, "width", "width", mmp->width);
    ossa__report_integer(report, "height", "height", mmp->height);
    ossa__report_integer(report, "levels", "levels", mmp->level_count);
    ossa__report_text(report, "texels", "texels", kind == NULL ? "not known" : kind->meaning);
    ossa__report_text(report, "alpha", "alpha", kind == NULL ? "not known" : kind->alpha);
    ossa__report_integer(report, "texel_bytes", "texel bytes", bytes);
    if (kind == NULL) {
        ossa__report_note(
            report, "the fourcc 0x%08" PRIx32 " is not known, so the texture cannot be decoded",
            mmp->fourcc);
        return;
    }
    if (kind->fourcc == OSSA_EI_FOURCC_PNT3 && !is_packed(kind, mmp)) {
        ossa__report_note(report,
                          "the texels are not packed: packing would not have made them smaller");
    }
    ossa__report_note(report, "the %s row is stored first", kind->is_from_top ? "top" : "bottom");
}

ossa_ei_mmp *ossa_as_ei_mmp(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_mmp);
}

const struct ossa__format ossa__format_ei_mmp = {
    .about = {.id = "ei-mmp",
              .title = "Evil Islands texture",
              .game = "Evil Islands (2000)",
              .extensions = "mmp",
              .kind = OSSA_KIND_TEXTURE},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_COMPANION,
    .probe = probe_mmp,
    .may_begin = may_begin,
    .read = read_mmp,
    .write = write_mmp,
    .dump = dump_mmp,
    .build = OSSA__BUILT_BY(build_mmp),
    .describe = describe_mmp,
    .repaint = OSSA__REPAINTED_BY(ossa__mmp_repaint),
};
