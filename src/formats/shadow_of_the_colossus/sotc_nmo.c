/* SPDX-License-Identifier: MIT
 *
 * sotc-nmo: a model of Shadow of the Colossus, in an XFF container. Offsets count from the start of
 * section 1; the header is at the `entry` of the container:
 *
 *     0x00  char [4]  "NMO\0"
 *     0x04  u32       version     3
 *     0x08  u32 [6]   unknown
 *     0x20  f32 [4]   unknown
 *     0x30  five times { u32 offset, u32 count, u32 [2] unknown }: boxes, textures, surfaces,
 *           draws, name
 *
 *     box      f32 [4] minimum, f32 [4] maximum, i32 [4] links: two boxes in it (-1: none), ?, ?
 *     texture  "TEX\0", u32 name, u32 [4] unknown, u16 number, u16 unknown, u16 width, u16 height
 *     surface  "SRF\0", u32 triangles, u32 strips, u32 name, u8 [4] tint, f32 alpha, u32 flags,
 *              u32 texture mode, two stages { u8 [4], f32, u32, u32 texture }, u32 [8] unknown,
 *              u32 [48] packet
 *     draw     u32 chain size, u32 0, u32 surface, u32 3, u32 chain offset, u32 triangles,
 *              u32 strips, u32 0
 *
 * The number of boxes is not the count in the header: they go on up to the last one that a link
 * names. sotc_chain.c reads what a draw leads to. The file is kept as its image; most of the words
 * are not understood. */
#include "formats/shadow_of_the_colossus/sotc_nmo.h"
#include "formats/shadow_of_the_colossus/sotc_vif.h"

#include "codec/numbers.h"
#include "codec/reader.h"

#include <inttypes.h>
#include <string.h>

enum {
    ENTRY_AT = 4 * OSSA__XFF_ENTRY, /* where the offset of the header is */
    TWO_TEXTURES = 2,               /* a texture mode */
    NO_BOX = -1,
    BOX_LINKS_AT = 32,
};

const char *const ossa__nmo_table_names[OSSA__NMO_TABLES] = {"boxes", "textures", "surfaces",
                                                             "draws", "name"};

static const struct ossa__shape shape_u32x2 = {OSSA_FIELD_TYPE_U32, 2, {NULL}};
static const struct ossa__shape shape_u32x4 = {OSSA_FIELD_TYPE_U32, 4, {NULL}};
static const struct ossa__shape shape_u32x6 = {OSSA_FIELD_TYPE_U32, 6, {NULL}};
static const struct ossa__shape shape_u32x8 = {OSSA_FIELD_TYPE_U32, 8, {NULL}};
static const struct ossa__shape shape_i32x4 = {OSSA_FIELD_TYPE_I32, 4, {NULL}};
static const struct ossa__shape shape_f32x4 = {OSSA_FIELD_TYPE_F32, 4, {NULL}};
static const struct ossa__shape shape_u8x4 = {OSSA_FIELD_TYPE_U8, 4, {NULL}};

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_nmo(const uint8_t *data, uint64_t size)
{
    return ossa__xff_kind(data, size) == OSSA__XFF_NMO ? OSSA_CONFIDENCE_SIGNATURE
                                                       : OSSA_CONFIDENCE_NONE;
}

/* ---- header -------------------------------------------------------------------------------- */

static void read_mark(struct ossa__reader *reader, const char *expected)
{
    uint64_t at = reader->position;
    const uint8_t *mark = ossa__read_bytes(reader, "mark", OSSA_FIELD_TYPE_TEXT, 4);
    if (mark == NULL || memcmp(mark, expected, 4) == 0) return;
    ossa__fail(reader->context, OSSA_CODE_BAD_MAGIC, at, "mark",
               "found 0x%08" PRIx32 ", expected \"%s\\0\"", ossa__load_u32(mark), expected);
}

static void read_header(struct ossa__nmo_reader *r)
{
    uint32_t *words = r->nmo->header;
    struct ossa__reader header =
        ossa__xff_part(&r->section, r->nmo->container.words[OSSA__XFF_ENTRY], OSSA__NMO_HEADER_SIZE,
                       "container.entry", ENTRY_AT, &r->coverage);
    r->header_at = header.begin;
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    read_mark(&header, "NMO");
    words[0] = ossa__peek_u32(header.data, header.end, header.begin);
    words[1] = ossa__read_u32(&header, "version");
    if (!r->context->failed && words[1] != OSSA__NMO_VERSION) {
        ossa__fail(r->context, OSSA_CODE_BAD_VALUE, r->header_at + 4, "version",
                   "version %" PRIu32 ", not read: only version 3 is known", words[1]);
    }
    ossa__read_element(&header, "unknown", &shape_u32x6, words + OSSA__NMO_UNKNOWN);
    ossa__read_element(&header, "floats", &shape_f32x4, words + OSSA__NMO_FLOATS);
    for (unsigned i = 0; i < OSSA__NMO_TABLES; i++) {
        uint32_t *table = words + OSSA__NMO_TABLE + 4 * (size_t)i;
        ossa__enter(r->context, ossa__nmo_table_names[i], OSSA__NO_INDEX);
        table[0] = ossa__read_u32(&header, "offset");
        table[1] = ossa__read_u32(&header, "count");
        ossa__read_element(&header, "unknown", &shape_u32x2, table + 2);
        ossa__leave(r->context);
    }
    ossa__leave(r->context);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* A part of the section that should be nobody else's. */
static struct ossa__reader take_part(struct ossa__nmo_reader *r, uint64_t offset, uint64_t size,
                                     uint64_t at)
{
    struct ossa__reader part = ossa__reader_window(&r->section, offset, size, "offset", at);
    if (r->context->failed) return part;
    if (ossa__coverage_touches(&r->coverage, part.begin, size)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "offset",
                    "the %" PRIu64 " bytes at 0x%" PRIx64 " overlap another field", size, offset);
    }
    ossa__coverage_mark(&r->coverage, part.begin, size);
    return part;
}

static uint64_t table_at(const struct ossa__nmo_reader *r, enum ossa__nmo_table table)
{
    return r->header_at + 4ULL * (OSSA__NMO_TABLE + 4U * (unsigned)table);
}

static const uint32_t *table_words(const struct ossa__nmo_reader *r, enum ossa__nmo_table table)
{
    return r->nmo->header + OSSA__NMO_TABLE + 4 * (size_t)table;
}

/* The offset of an empty table may be anything. */
static struct ossa__reader read_table(struct ossa__nmo_reader *r, enum ossa__nmo_table table,
                                      uint64_t count, uint64_t record)
{
    uint64_t offset = count == 0 ? 0 : table_words(r, table)[0];
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    ossa__enter(r->context, ossa__nmo_table_names[table], OSSA__NO_INDEX);
    struct ossa__reader part = take_part(r, offset, count * record, table_at(r, table));
    ossa__leave(r->context);
    ossa__leave(r->context);
    return part;
}

static void read_textures(struct ossa__nmo_reader *r)
{
    uint32_t count = table_words(r, OSSA__NMO_TEXTURES)[1];
    struct ossa__reader table = read_table(r, OSSA__NMO_TEXTURES, count, OSSA__NMO_TEXTURE_SIZE);
    ossa_sotc_model_texture *textures = ossa__take(r->context, count, sizeof *textures);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa_sotc_model_texture *texture = &textures[i];
        *texture = (ossa_sotc_model_texture){.name = ""};
        ossa__enter(r->context, "textures", i);
        read_mark(&table, "TEX");
        texture->name_offset = ossa__read_u32(&table, "name_position");
        ossa__read_element(&table, "words", &shape_u32x4, texture->words);
        texture->number = ossa__read_u16(&table, "number");
        texture->unknown = ossa__read_u16(&table, "unknown");
        texture->width = ossa__read_u16(&table, "width");
        texture->height = ossa__read_u16(&table, "height");
        ossa__leave(r->context);
    }
    if (r->context->failed) return;
    r->nmo->texture_count = count;
    r->nmo->textures = r->textures = textures;
}

static void read_stage(struct ossa__reader *table, ossa_sotc_stage *stage, uint64_t index)
{
    ossa__enter(table->context, "stages", index);
    ossa__read_element(table, "bytes", &shape_u8x4, stage->bytes);
    stage->number = ossa__read_f32(table, "number");
    stage->word = ossa__read_u32(table, "word");
    stage->texture = ossa__read_u32(table, "texture");
    ossa__leave(table->context);
}

/* One GIF tag and what follows it, in words: pairs of a value and the register that it goes to. */
static void read_registers(ossa_sotc_surface *surface, const uint32_t *words, uint64_t count)
{
    enum { CLAMP_1 = 0x08, ALPHA_1 = 0x42, ADDRESS_AND_DATA = 0xE };
    if (count < 4 || (words[2] & 0xf) != ADDRESS_AND_DATA || (words[1] & 0x0c000000) != 0) return;
    uint64_t pairs = words[0] & 0x7fff;
    for (uint64_t i = 1; i <= pairs && 4 * i + 4 <= count; i++) {
        const uint32_t *pair = words + 4 * i;
        if (pair[2] == CLAMP_1) {
            surface->has_clamp = true;
            surface->is_clamped[0] = (pair[0] & 3) != 0;
            surface->is_clamped[1] = (pair[0] >> 2 & 3) != 0;
        } else if (pair[2] == ALPHA_1) {
            surface->has_blend = true;
            surface->blend = (uint64_t)pair[1] << 32 | pair[0];
        }
    }
}

/* Codes, of which those of the command DIRECT say how to draw. */
static void read_packet(ossa_sotc_surface *surface)
{
    uint64_t size = 4ULL * OSSA__NMO_PACKET_WORDS;
    for (uint64_t at = 0; at < size;) {
        struct ossa__vif_code code;
        if (!ossa__vif_decode(surface->packet[at / 4], &code)) return;
        uint64_t step = ossa__vif_size(&code, size - at);
        if (step == 0) return;
        if (code.command == OSSA__VIF_DIRECT || code.command == OSSA__VIF_DIRECT + 1) {
            read_registers(surface, surface->packet + at / 4 + 1, code.payload / 4);
        }
        at += step;
    }
}

static void check_stage(struct ossa__nmo_reader *r, const ossa_sotc_surface *surface,
                        unsigned index, uint64_t at)
{
    bool is_used = (surface->flags & OSSA_SOTC_SURFACE_TEXTURE) != 0 &&
                   (index == 0 || surface->texture_mode == TWO_TEXTURES);
    uint32_t texture = surface->stages[index].texture;
    if (!is_used || texture < r->nmo->texture_count) return;
    ossa__enter(r->context, "stages", index);
    ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE,
                at + OSSA__NMO_STAGE_AT + (uint64_t)OSSA__NMO_STAGE_SIZE * index +
                    OSSA__NMO_STAGE_TEXTURE_AT,
                "texture", "texture %" PRIu32 ", but the model has only %" PRIu32, texture,
                r->nmo->texture_count);
    ossa__leave(r->context);
}

static void read_surface(struct ossa__nmo_reader *r, struct ossa__reader *table,
                         ossa_sotc_surface *surface)
{
    uint64_t at = table->position;
    *surface = (ossa_sotc_surface){.name = ""};
    read_mark(table, "SRF");
    surface->triangle_count = ossa__read_u32(table, "triangles");
    surface->strip_count = ossa__read_u32(table, "strips");
    surface->name_offset = ossa__read_u32(table, "name_position");
    ossa__read_element(table, "tint", &shape_u8x4, surface->tint);
    surface->alpha = ossa__read_f32(table, "alpha");
    surface->flags = ossa__read_u32(table, "flags");
    surface->texture_mode = ossa__read_u32(table, "texture_mode");
    for (unsigned i = 0; i < 2; i++) read_stage(table, &surface->stages[i], i);
    ossa__read_element(table, "words", &shape_u32x8, surface->words);
    surface->packet =
        ossa__read_array(table, "packet", &ossa__shape_u32, OSSA__NMO_PACKET_WORDS, 0);
    if (r->context->failed) return;
    read_packet(surface);
    for (unsigned i = 0; i < 2; i++) check_stage(r, surface, i, at);
}

static void read_surfaces(struct ossa__nmo_reader *r)
{
    uint32_t count = table_words(r, OSSA__NMO_SURFACES)[1];
    struct ossa__reader table = read_table(r, OSSA__NMO_SURFACES, count, OSSA__NMO_SURFACE_SIZE);
    ossa_sotc_surface *surfaces = ossa__take(r->context, count, sizeof *surfaces);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa__enter(r->context, "surfaces", i);
        read_surface(r, &table, &surfaces[i]);
        ossa__leave(r->context);
    }
    if (r->context->failed) return;
    r->nmo->surface_count = count;
    r->nmo->surfaces = r->surfaces = surfaces;
}

static void warn_unless(struct ossa__nmo_reader *r, uint64_t at, const char *field, uint32_t found,
                        uint32_t expected)
{
    if (found == expected) return;
    ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, field,
                "%" PRIu32 ", expected %" PRIu32, found, expected);
}

static void read_draws(struct ossa__nmo_reader *r)
{
    uint32_t count = table_words(r, OSSA__NMO_DRAWS)[1];
    struct ossa__reader table = read_table(r, OSSA__NMO_DRAWS, count, OSSA__NMO_DRAW_SIZE);
    ossa_sotc_draw *draws = ossa__take(r->context, count, sizeof *draws);
    r->draws_at = table.begin;
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa_sotc_draw *draw = &draws[i];
        uint64_t at = table.position;
        *draw = (ossa_sotc_draw){0};
        ossa__enter(r->context, "draws", i);
        draw->chain_size = ossa__read_u32(&table, "chain_size");
        draw->unknown = ossa__read_u32(&table, "unknown");
        draw->surface = ossa__read_u32(&table, "surface");
        draw->three = ossa__read_u32(&table, "three");
        draw->chain_offset = ossa__read_u32(&table, "chain_offset");
        draw->triangle_count = ossa__read_u32(&table, "triangles");
        draw->strip_count = ossa__read_u32(&table, "strips");
        draw->last = ossa__read_u32(&table, "last");
        warn_unless(r, at + 4, "unknown", draw->unknown, 0);
        warn_unless(r, at + 12, "three", draw->three, 3);
        warn_unless(r, at + 28, "last", draw->last, 0);
        if (draw->surface >= r->nmo->surface_count) {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE,
                        at + OSSA__NMO_DRAW_SURFACE_AT, "surface",
                        "surface %" PRIu32 ", but the model has only %" PRIu32, draw->surface,
                        r->nmo->surface_count);
        }
        ossa__leave(r->context);
    }
    if (r->context->failed) return;
    r->nmo->draw_count = count;
    r->nmo->draws = r->draws = draws;
}

/* ---- names --------------------------------------------------------------------------------- */

static const char *read_name(struct ossa__nmo_reader *r, uint32_t offset, uint64_t at,
                             uint32_t *size)
{
    const char *name = ossa__xff_read_name(&r->section, offset, at, size);
    uint64_t name_at = r->section.begin + offset;
    if (!r->context->failed && ossa__coverage_touches(&r->coverage, name_at, *size + 1U)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, name_at, "name",
                    "the name overlaps something that is not a name");
    }
    return name;
}

/* Names may share bytes with each other, so they are marked only after all have been checked. */
static void read_names(struct ossa__nmo_reader *r)
{
    ossa_sotc_nmo *nmo = r->nmo;
    ossa_sotc_model_texture *textures = r->textures;
    ossa_sotc_surface *surfaces = r->surfaces;
    const uint32_t *own = table_words(r, OSSA__NMO_NAME);
    uint64_t textures_at = r->section.begin + table_words(r, OSSA__NMO_TEXTURES)[0];
    uint64_t surfaces_at = r->section.begin + table_words(r, OSSA__NMO_SURFACES)[0];
    for (uint32_t i = 0; i < nmo->texture_count && !r->context->failed; i++) {
        uint64_t at = textures_at + (uint64_t)OSSA__NMO_TEXTURE_SIZE * i;
        ossa__enter(r->context, "textures", i);
        textures[i].name = read_name(r, textures[i].name_offset, at + OSSA__NMO_TEXTURE_NAME_AT,
                                     &textures[i].name_size);
        ossa__leave(r->context);
    }
    for (uint32_t i = 0; i < nmo->surface_count && !r->context->failed; i++) {
        uint64_t at = surfaces_at + (uint64_t)OSSA__NMO_SURFACE_SIZE * i;
        ossa__enter(r->context, "surfaces", i);
        surfaces[i].name = read_name(r, surfaces[i].name_offset, at + OSSA__NMO_SURFACE_NAME_AT,
                                     &surfaces[i].name_size);
        ossa__leave(r->context);
    }
    nmo->name = "";
    if (own[1] != 0) nmo->name = read_name(r, own[0], table_at(r, OSSA__NMO_NAME), &nmo->name_size);
    if (r->context->failed) return;
    uint64_t begin = r->section.begin;
    for (uint32_t i = 0; i < nmo->texture_count; i++) {
        ossa__coverage_mark(&r->coverage, begin + textures[i].name_offset,
                            textures[i].name_size + 1U);
    }
    for (uint32_t i = 0; i < nmo->surface_count; i++) {
        ossa__coverage_mark(&r->coverage, begin + surfaces[i].name_offset,
                            surfaces[i].name_size + 1U);
    }
    if (own[1] != 0) ossa__coverage_mark(&r->coverage, begin + own[0], nmo->name_size + 1U);
}

/* ---- boxes --------------------------------------------------------------------------------- */

/* They go on up to the last one that a link names, as far as the section has room. */
static uint32_t count_boxes(const struct ossa__nmo_reader *r)
{
    const uint32_t *words = table_words(r, OSSA__NMO_BOXES);
    uint64_t size = r->section.end - r->section.begin;
    uint64_t room = words[0] <= size ? (size - words[0]) / OSSA__NMO_BOX_SIZE : 0;
    uint64_t count = words[1] > 0 ? 1 : 0;
    for (uint64_t i = 0; i < count && i < room; i++) {
        uint64_t at = r->section.begin + words[0] + i * OSSA__NMO_BOX_SIZE + BOX_LINKS_AT;
        for (unsigned k = 0; k < 2; k++) {
            uint64_t link = ossa__peek_u32(r->section.data, r->section.end, at + 4ULL * k);
            if (link < room && link >= count) count = link + 1;
        }
    }
    return (uint32_t)count;
}

static void check_links(struct ossa__nmo_reader *r, const ossa_sotc_box *box, uint32_t count,
                        uint64_t at, struct ossa__coverage *seen)
{
    for (unsigned k = 0; k < 2; k++) {
        int32_t link = box->links[k];
        uint64_t link_at = at + BOX_LINKS_AT + 4ULL * k;
        if (link == NO_BOX) continue;
        if (link < 0 || (uint32_t)link >= count) {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, link_at, "links",
                        "box %" PRId32 " is not in the section", link);
        } else if (ossa__coverage_touches(seen, (uint32_t)link, 1)) {
            ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, link_at, "links",
                        "box %" PRId32 " is the first one or already in another", link);
        } else {
            ossa__coverage_mark(seen, (uint32_t)link, 1);
        }
    }
}

static void read_boxes(struct ossa__nmo_reader *r)
{
    uint32_t count = count_boxes(r);
    struct ossa__coverage seen;
    struct ossa__reader table = read_table(r, OSSA__NMO_BOXES, count, OSSA__NMO_BOX_SIZE);
    ossa_sotc_box *boxes = ossa__take(r->context, count, sizeof *boxes);
    if (!ossa__coverage_init(&seen, r->context, count)) return;
    if (count > 0) ossa__coverage_mark(&seen, 0, 1);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        uint64_t at = table.position;
        ossa__enter(r->context, "boxes", i);
        ossa__read_element(&table, "minimum", &shape_f32x4, boxes[i].minimum);
        ossa__read_element(&table, "maximum", &shape_f32x4, boxes[i].maximum);
        ossa__read_element(&table, "links", &shape_i32x4, boxes[i].links);
        check_links(r, &boxes[i], count, at, &seen);
        if (r->context->options.check_values) {
            ossa__check_finite(r->context, "minimum", at, boxes[i].minimum, 4);
            ossa__check_finite(r->context, "maximum", at + 16, boxes[i].maximum, 4);
        }
        ossa__leave(r->context);
    }
    r->nmo->box_count = count;
    r->nmo->boxes = boxes;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void *read_nmo(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader file;
    struct ossa__nmo_reader r = {.context = context};
    ossa__reader_init(&file, context, data, size);
    r.nmo = ossa__take(context, 1, sizeof *r.nmo);
    if (!ossa__coverage_init(&r.coverage, context, size)) return NULL;
    *r.nmo = (ossa_sotc_nmo){.name = ""};
    ossa_sotc_xff *xff = &r.nmo->container;
    ossa__xff_read(&file, xff, &r.coverage);
    r.section = ossa__xff_data(&file, xff);
    r.nmo->section_offset = r.section.begin;
    read_header(&r);
    if (context->failed) return NULL;
    read_textures(&r);
    read_surfaces(&r);
    read_draws(&r);
    if (!context->failed) read_names(&r);
    if (!context->failed) ossa__nmo_read_chains(&r);
    /* Last, since how many there are is the least certain. */
    if (!context->failed) read_boxes(&r);
    xff->gaps = ossa__gaps_of(context, &r.coverage, &xff->gap_count);
    return r.nmo;
}

static void write_nmo(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_sotc_nmo *nmo = contents;
    (void)context;
    ossa__write_bytes(writer, nmo->container.image, nmo->container.image_size);
}

ossa_sotc_nmo *ossa_as_sotc_nmo(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_nmo);
}

const struct ossa__format ossa__format_sotc_nmo = {
    .about = {.id = "sotc-nmo",
              .title = "Shadow of the Colossus model",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "nmo",
              .kind = OSSA_KIND_MODEL},
    .game = &ossa__game_shadow_of_the_colossus,
    .role = OSSA__ROLE_PART,
    .scattered = true,
    .probe = probe_nmo,
    .may_begin = ossa__xff_is_container,
    .read = read_nmo,
    .write = write_nmo,
    .dump = ossa__nmo_dump,
    .build = OSSA__BUILT_BY(ossa__nmo_build),
    .describe = ossa__nmo_describe,
};
