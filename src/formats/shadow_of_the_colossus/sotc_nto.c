/* SPDX-License-Identifier: MIT
 *
 * sotc-nto: a texture of Shadow of the Colossus, in an XFF container. The header is at the `entry`
 * of the container; offsets count from the header:
 *
 *     0x00  char[4]  magic            "NTO2"
 *     0x04  u32      version          3
 *     0x14  u32      pixels           offset of the first level: 0xB0
 *     0x18  u32      palette          offset
 *     0x1C  u8       kind             low 6 bits: 0 = RGBA, 0x13 = 8 bits, 0x14 = 4 bits
 *     0x1D  u8       levels_byte      high half: how many levels
 *     0x1E  u8       sides_byte       log2 of both sides, one per half
 *     0x1F  u8       swizzled_bits    bit n: level n is swizzled (sotc_swizzle.c)
 *     0x74  u32 [2]  magnify, minify  filters
 *     0x80  u32 [3]  alpha_test, alpha_reference, alpha_fail
 *     0xB0  levels, the largest first, each half as wide and high as the one before
 *           palette of 16 or 256 times red green blue alpha
 *           name, NUL-terminated
 *
 * Not known: the other words of the header, which half of sides_byte is the width, the order of a
 * palette of 256 colours (sotc_pixels.c), and the last 4 bytes of the file. The file is kept as its
 * image. In the JSON everything is where its offset says, and `gaps` holds the bytes that no field
 * covers. */
#include "formats/shadow_of_the_colossus/sotc_nto.h"

#include "base/json.h"
#include "codec/reader.h"
#include "formats/shadow_of_the_colossus/sotc_swizzle.h"
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include <inttypes.h>
#include <string.h>

#define MAGIC "NTO2"

enum {
    VERSION = 3,
    ENTRY_AT = 4 * OSSA__XFF_ENTRY, /* where the offset of the header is */
    /* offsets in the header */
    VERSION_AT = 0x04,
    PIXELS_AT = 0x14,
    PALETTE_AT = 0x18,
    KIND_AT = 0x1C,
    LEVELS_AT = 0x1D,
    SIDES_AT = 0x1E,
    SWIZZLED_AT = 0x1F,
    TEST_AT = 0x80,
    REFERENCE_AT = 0x84,
    FAIL_AT = 0x88,
    SWIZZLE_BITS = 8, /* levels that can be swizzled */
    LAST_TEST = 7,
};

/* A member of the header behind the magic: numbers of `size` bytes. */
struct member {
    const char *name;
    uint8_t at;
    uint8_t count;
    uint8_t size;
};

static const struct member members[] = {
    {"version", VERSION_AT, 1, 4},
    {"unknown_08", 0x08, 3, 4},
    {"pixels", PIXELS_AT, 1, 4},
    {"palette", PALETTE_AT, 1, 4},
    {"kind", KIND_AT, 1, 1},
    {"levels_byte", LEVELS_AT, 1, 1},
    {"sides_byte", SIDES_AT, 1, 1},
    {"swizzled_bits", SWIZZLED_AT, 1, 1},
    {"unknown_20", 0x20, 21, 4},
    {"magnify", OSSA__NTO_MAGNIFY, 1, 4},
    {"minify", OSSA__NTO_MINIFY, 1, 4},
    {"unknown_7c", 0x7C, 1, 4},
    {"alpha_test", TEST_AT, 1, 4},
    {"alpha_reference", REFERENCE_AT, 1, 4},
    {"alpha_fail", FAIL_AT, 1, 4},
    {"unknown_8c", 0x8C, 9, 4},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static uint32_t load_member(const uint8_t *header, const struct member *member, unsigned i)
{
    const uint8_t *at = header + member->at + (size_t)i * member->size;
    return member->size == 1 ? *at : ossa__load_u32(at);
}

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_nto(const uint8_t *data, uint64_t size)
{
    return ossa__xff_kind(data, size) == OSSA__XFF_NTO ? OSSA_CONFIDENCE_SIGNATURE
                                                       : OSSA_CONFIDENCE_NONE;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* One file being read. */
struct nto_reader {
    struct ossa__context *context;
    struct ossa__reader section; /* the whole of section 1 */
    struct ossa__coverage coverage;
    ossa_sotc_nto *nto;
    uint64_t header_at;
    uint64_t palette_at; /* from the header, as the next */
    uint64_t next;       /* where what was read last ends */
    uint64_t texel_bytes;
};

static void report(struct nto_reader *r, ossa_severity severity, ossa_code code, uint64_t at,
                   const char *field, const char *message, uint32_t number)
{
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    ossa__issue(r->context, severity, code, r->header_at + at, field, message, number);
    ossa__leave(r->context);
}

static void read_header(struct nto_reader *r)
{
    ossa_sotc_nto *nto = r->nto;
    struct ossa__reader header =
        ossa__xff_part(&r->section, nto->container.words[OSSA__XFF_ENTRY], OSSA_SOTC_NTO_HEADER,
                       "container.entry", ENTRY_AT, &r->coverage);
    if (r->context->failed) return;
    r->header_at = header.begin;
    nto->header = header.data + header.begin;
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    const uint8_t *magic = ossa__read_bytes(&header, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    if (memcmp(magic, MAGIC, 4) != 0) {
        ossa__fail(r->context, OSSA_CODE_BAD_MAGIC, r->header_at, "magic",
                   "found 0x%08" PRIx32 ", expected \"NTO2\"", ossa__load_u32(magic));
    }
    for (unsigned i = 0; i < MEMBERS && !r->context->failed; i++) {
        const struct member *m = &members[i];
        if (m->count > 1) (void)ossa__read_raw(&header, m->name, &ossa__shape_u32, m->count);
        else if (m->size == 1) (void)ossa__read_u8(&header, m->name);
        else (void)ossa__read_u32(&header, m->name);
    }
    ossa__leave(r->context);
    nto->kind = (ossa_sotc_texels)(nto->header[KIND_AT] & 0x3f);
    nto->sides[0] = 1U << (nto->header[SIDES_AT] & 0x0f);
    nto->sides[1] = 1U << (nto->header[SIDES_AT] >> 4);
    nto->alpha_test = ossa__load_u32(nto->header + TEST_AT);
    nto->alpha_reference = ossa__load_u32(nto->header + REFERENCE_AT);
    nto->alpha_fail = ossa__load_u32(nto->header + FAIL_AT);
    r->palette_at = ossa__load_u32(nto->header + PALETTE_AT);
    r->next = ossa__load_u32(nto->header + PIXELS_AT);
}

/* The number of levels in the header, limited to what is possible. */
static uint32_t count_levels(struct nto_reader *r)
{
    const ossa_sotc_nto *nto = r->nto;
    uint32_t stated = nto->header[LEVELS_AT] >> 4;
    uint32_t longer = nto->sides[0] > nto->sides[1] ? nto->sides[0] : nto->sides[1];
    uint32_t most = 1;
    while (longer >> most > 0) most++;
    if (stated == 0) {
        report(r, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, LEVELS_AT, "levels_byte",
               "%" PRIu32 " levels, expected at least 1", stated);
    } else if (stated > most) {
        report(r, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, LEVELS_AT, "levels_byte",
               "%" PRIu32 " levels, but the last that these sides allow is 1 x 1", stated);
    }
    return stated < most ? stated : most;
}

static void check_header(struct nto_reader *r)
{
    const uint8_t *header = r->nto->header;
    uint32_t version = ossa__load_u32(header + VERSION_AT);
    uint32_t pixels = ossa__load_u32(header + PIXELS_AT);
    uint32_t above = r->nto->level_count < SWIZZLE_BITS
                         ? (uint32_t)header[SWIZZLED_AT] >> r->nto->level_count
                         : 0;
    if (version != VERSION) {
        report(r, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, VERSION_AT, "version",
               "version %" PRIu32 ", expected 3", version);
    }
    if (pixels > OSSA_SOTC_NTO_HEADER) {
        report(r, OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, PIXELS_AT, "pixels",
               "0x%" PRIx32 ", expected 0xb0, the end of the header", pixels);
    }
    if (above != 0) {
        report(r, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, SWIZZLED_AT, "swizzled_bits",
               "bits of levels that do not exist: 0x%" PRIx32, header[SWIZZLED_AT]);
    } else if (header[SWIZZLED_AT] != 0 && r->nto->kind == OSSA_SOTC_TEXELS_RGBA32) {
        report(r, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, SWIZZLED_AT, "swizzled_bits",
               "0x%" PRIx32 ", but texels of 32 bits are never swizzled", header[SWIZZLED_AT]);
    }
    if (r->nto->alpha_test > LAST_TEST) {
        report(r, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, TEST_AT, "alpha_test",
               "%" PRIu32 ", expected 0 to 7", r->nto->alpha_test);
    }
}

/* A part of the data after the header; it must not share bytes with what was read before. */
static struct ossa__reader take_part(struct nto_reader *r, uint64_t offset, uint64_t size,
                                     const char *field, uint64_t at)
{
    uint64_t entry = r->header_at - r->section.begin;
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    struct ossa__reader part =
        ossa__reader_window(&r->section, entry + offset, size, field, r->header_at + at);
    if (!r->context->failed && ossa__coverage_touches(&r->coverage, part.begin, size)) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, r->header_at + at, field,
                    "the %" PRIu64 " bytes at 0x%" PRIx64 " overlap another field", size,
                    part.begin);
    }
    ossa__leave(r->context);
    ossa__coverage_mark(&r->coverage, part.begin, part.end - part.begin);
    r->next = offset + size;
    return part;
}

static void check_swizzled(struct nto_reader *r, uint32_t level)
{
    const uint32_t *sides = r->nto->sides;
    unsigned bits = ossa__nto_bits(r->nto->kind);
    uint32_t low = ossa__nto_side(sides[0], level);
    uint32_t high = ossa__nto_side(sides[1], level);
    if (bits == 32 || ossa__sotc_can_swizzle(bits, low, high) ||
        ossa__sotc_can_swizzle(bits, high, low)) {
        return;
    }
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, r->header_at + SWIZZLED_AT,
                "swizzled_bits",
                "level %" PRIu32 " of %" PRIu32 " x %" PRIu32 " texels is too small to be swizzled",
                level, low, high);
    ossa__leave(r->context);
}

static void read_levels(struct nto_reader *r, unsigned bits)
{
    static const struct ossa__shape rgba = {
        OSSA_FIELD_TYPE_U8, 4, {"red", "green", "blue", "alpha"}};
    ossa_sotc_nto *nto = r->nto;
    uint32_t count = count_levels(r);
    for (uint32_t i = 0; i < count; i++)
        r->texel_bytes += ossa__nto_level_bytes(bits, nto->sides, i);
    struct ossa__reader part = take_part(r, r->next, r->texel_bytes, "pixels", PIXELS_AT);
    ossa_sotc_level *levels = ossa__take(r->context, count, sizeof *levels);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        /* It fits in the file, and so in 32 bits: a section has no more. */
        uint32_t size = (uint32_t)ossa__nto_level_bytes(bits, nto->sides, i);
        levels[i] = (ossa_sotc_level){.size = size};
        levels[i].is_swizzled = i < SWIZZLE_BITS && (nto->header[SWIZZLED_AT] >> i & 1) != 0;
        ossa__enter(r->context, "levels", i);
        levels[i].texels = bits == 32 ? ossa__read_raw(&part, "texels", &rgba, size / 4)
                                      : ossa__read_raw(&part, "texels", &ossa__shape_u8, size);
        ossa__leave(r->context);
        if (levels[i].is_swizzled) check_swizzled(r, i);
    }
    if (r->context->failed) return;
    nto->levels = levels;
    nto->level_count = count;
}

static void read_palette(struct nto_reader *r)
{
    static const struct ossa__shape rgba = {
        OSSA_FIELD_TYPE_U8, 4, {"red", "green", "blue", "alpha"}};
    uint32_t count = ossa__nto_colours(r->nto->kind);
    uint64_t expected = r->next;
    if (count == 0 || r->context->failed) return;
    struct ossa__reader part = take_part(r, r->palette_at, 4ULL * count, "palette", PALETTE_AT);
    r->nto->palette = (const uint8_t(*)[4])ossa__read_raw(&part, "palette", &rgba, count);
    r->nto->palette_count = r->context->failed ? 0 : count;
    if (!r->context->failed && r->palette_at > expected) {
        report(r, OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, PALETTE_AT, "palette",
               "the palette does not follow the last level, which ends at 0x%" PRIx32,
               (uint32_t)expected);
    }
}

/* What the file calls itself is no reason to refuse it. */
static void read_name(struct nto_reader *r)
{
    if (r->context->failed) return;
    uint64_t offset = r->header_at - r->section.begin + r->next;
    uint64_t room = r->section.end - r->section.begin - offset;
    const uint8_t *name = r->section.data + r->section.begin + offset;
    if (room > OSSA__XFF_NAME_LIMIT) room = OSSA__XFF_NAME_LIMIT;
    const uint8_t *nul = room == 0 ? NULL : memchr(name, 0, (size_t)room);
    uint64_t at = r->section.begin + offset;
    if (nul == NULL) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, at, "name",
                    "no name that ends with a NUL within %" PRIu64 " bytes follows the texels",
                    room);
        return;
    }
    r->nto->name_size = (uint32_t)(nul - name);
    if (ossa__coverage_touches(&r->coverage, at, r->nto->name_size + 1ULL)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "name",
                    "the name overlaps another field");
    }
    r->nto->name = ossa__xff_read_name(&r->section, offset, at, &r->nto->name_size);
    ossa__coverage_mark(&r->coverage, at, r->nto->name_size + 1ULL);
}

static uint64_t round_up(uint64_t number, uint64_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

/* The law that all textures of one disc obey: it follows from the length of the name how large the
 * tables of the container are. */
static void check_size(struct nto_reader *r)
{
    const ossa_sotc_nto *nto = r->nto;
    if (r->context->failed || nto->name == NULL) return;
    uint64_t data = OSSA_SOTC_NTO_HEADER + r->texel_bytes + 4ULL * nto->palette_count;
    uint64_t before = round_up(0x103ULL + nto->name_size, 16);
    uint64_t expected = round_up(before + data + nto->name_size + 1, 4) + 4;
    uint32_t size = nto->container.words[OSSA__XFF_SIZE];
    if (size == expected) return;
    ossa__issue(r->context, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, 4ULL * OSSA__XFF_SIZE,
                "container.size",
                "%" PRIu32 " bytes, where a texture of the game with these texels and this name "
                "has %" PRIu64,
                size, expected);
}

static void *read_nto(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader file;
    struct nto_reader r = {.context = context};
    ossa__reader_init(&file, context, data, size);
    r.nto = ossa__take(context, 1, sizeof *r.nto);
    if (!ossa__coverage_init(&r.coverage, context, size)) return NULL;
    *r.nto = (ossa_sotc_nto){0};
    ossa_sotc_xff *xff = &r.nto->container;
    ossa__xff_read(&file, xff, &r.coverage);
    r.section = ossa__xff_data(&file, xff);
    r.nto->section_offset = r.section.begin;
    if (!context->failed) read_header(&r);
    if (context->failed) return NULL;
    unsigned bits = ossa__nto_bits(r.nto->kind);
    if (bits == 0) {
        report(&r, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, KIND_AT, "kind",
               "texels of kind 0x%" PRIx32 " are not known; they are kept as bytes", r.nto->kind);
    } else {
        read_levels(&r, bits);
        read_palette(&r);
        read_name(&r);
        check_size(&r);
    }
    if (!context->failed) check_header(&r);
    xff->gaps = ossa__gaps_of(context, &r.coverage, &xff->gap_count);
    return r.nto;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_nto(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_sotc_nto *nto = contents;
    const ossa_sotc_xff *xff = &nto->container;
    uint64_t size = xff->image_size;
    uint8_t *image = ossa__take(context, size, 1);
    if (image == NULL) return;
    memcpy(image, xff->image, (size_t)size);
    uint64_t header = nto->section_offset + xff->words[OSSA__XFF_ENTRY];
    bool fits = true;
    if (nto->header != NULL) { /* built from JSON, it is all in the image */
        uint64_t at = header + ossa__load_u32(xff->image + header + PIXELS_AT);
        uint64_t palette = header + ossa__load_u32(xff->image + header + PALETTE_AT);
        fits = ossa__patch(image, xff->image, size, header, nto->header, OSSA_SOTC_NTO_HEADER, 1);
        for (uint32_t i = 0; i < nto->level_count && fits; i++) {
            const ossa_sotc_level *level = &nto->levels[i];
            fits = ossa__patch(image, xff->image, size, at, level->texels, level->size, 1);
            at += level->size;
        }
        fits = fits &&
               (nto->palette_count == 0 || ossa__patch(image, xff->image, size, palette,
                                                       nto->palette, 4ULL * nto->palette_count, 1));
    }
    if (!fits) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "levels",
                           "a size was changed; only the bytes of the header, of texels and of the "
                           "palette may change");
        return;
    }
    ossa__write_bytes(writer, image, size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_header(const uint8_t *header, struct ossa__json *json)
{
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    for (unsigned i = 0; i < MEMBERS; i++) {
        const struct member *m = &members[i];
        ossa__json_key(json, m->name);
        if (m->count > 1) ossa__json_begin_row(json);
        for (unsigned k = 0; k < m->count; k++) ossa__json_uint(json, load_member(header, m, k));
        if (m->count > 1) ossa__json_end_array(json);
    }
    ossa__json_end_object(json);
}

static void dump_nto(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_nto *nto = contents;
    ossa__json_key(json, "name");
    if (nto->name == NULL) {
        ossa__json_null(json);
    } else {
        ossa__xff_dump_text(json, nto->name, nto->name_size);
    }
    dump_header(nto->header, json);
    ossa__json_key(json, "levels");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < nto->level_count; i++) {
        ossa__json_hex(json, nto->levels[i].texels, nto->levels[i].size);
    }
    ossa__json_end_array(json);
    ossa__member_hex(json, "palette", nto->palette == NULL ? NULL : nto->palette[0],
                     4 * (size_t)nto->palette_count);
    ossa__xff_dump(&nto->container, json);
}

/* The header of a file being built; false after a failure. */
static bool build_header(struct ossa__image *image, const struct ossa__value *data, uint64_t at,
                         uint32_t *pixels, uint32_t *palette)
{
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "version unknown_08 pixels palette kind levels_byte sides_byte "
                               "swizzled_bits unknown_20 magnify minify unknown_7c alpha_test "
                               "alpha_reference alpha_fail unknown_8c");
    ossa__image_put(image, at, (const uint8_t *)MAGIC, 4, &header);
    for (unsigned i = 0; i < MEMBERS && !image->context->failed; i++) {
        const struct member *m = &members[i];
        struct ossa__value value = ossa__value_member(&header, m->name);
        int64_t numbers[32] = {0};
        int64_t most = m->size == 1 ? UINT8_MAX : UINT32_MAX;
        if (m->count > 1) ossa__value_integers(&value, m->count, 0, most, numbers);
        else numbers[0] = ossa__value_integer(&value, 0, most);
        for (unsigned k = 0; k < m->count; k++) {
            uint8_t bytes[4];
            ossa__store_u32(bytes, (uint32_t)numbers[k]);
            ossa__image_put(image, at + m->at + (uint64_t)k * m->size, bytes, m->size, &value);
        }
        if (m->at == PIXELS_AT) *pixels = (uint32_t)numbers[0];
        if (m->at == PALETTE_AT) *palette = (uint32_t)numbers[0];
    }
    return !image->context->failed;
}

/* Bytes given as hexadecimal digits; gives where they end. */
static uint64_t build_bytes(struct ossa__image *image, const struct ossa__value *value, uint64_t at)
{
    size_t size = 0;
    const uint8_t *bytes = ossa__value_hex(value, &size);
    if (image->context->failed || size == 0) return at;
    ossa__image_put(image, at, bytes, size, value);
    return at + size;
}

static void *build_nto(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    uint64_t section;
    uint32_t pixels = 0;
    uint32_t palette_at = 0;
    ossa__value_allow(data, "name header levels palette container gaps");
    ossa_sotc_nto *nto = ossa__take(context, 1, sizeof *nto);
    if (!ossa__image_init(&image, context, size)) return NULL;
    /* Writing needs only the image. */
    *nto = (ossa_sotc_nto){0};
    ossa__xff_build(&image, data, &nto->container);
    if (!ossa__xff_build_data(data, &nto->container, &section)) return NULL;
    uint64_t header = section + nto->container.words[OSSA__XFF_ENTRY];
    if (!build_header(&image, data, header, &pixels, &palette_at)) return NULL;
    struct ossa__value levels = ossa__value_member(data, "levels");
    struct ossa__value palette = ossa__value_member(data, "palette");
    struct ossa__value name = ossa__value_optional(data, "name");
    uint64_t at = header + pixels;
    size_t count = ossa__value_length(&levels);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value level = ossa__value_item(&levels, i);
        at = build_bytes(&image, &level, at);
    }
    uint64_t end = build_bytes(&image, &palette, header + palette_at);
    if (end > header + palette_at) at = end;
    if (name.node != NULL) ossa__xff_build_text(&image, &name, at);
    ossa__image_finish(&image, data);
    return nto;
}

ossa_sotc_nto *ossa_as_sotc_nto(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_nto);
}

const struct ossa__format ossa__format_sotc_nto = {
    .about = {.id = "sotc-nto",
              .title = "Shadow of the Colossus texture",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "nto",
              .kind = OSSA_KIND_TEXTURE},
    .game = &ossa__game_shadow_of_the_colossus,
    .role = OSSA__ROLE_COMPANION,
    .scattered = true,
    .probe = probe_nto,
    .may_begin = ossa__xff_is_container,
    .read = read_nto,
    .write = write_nto,
    .dump = dump_nto,
    .build = OSSA__BUILT_BY(build_nto),
    .describe = ossa__nto_describe,
    .repaint = OSSA__REPAINTED_BY(ossa__nto_repaint),
};
