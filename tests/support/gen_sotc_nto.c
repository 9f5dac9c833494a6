/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/nto_fixture.h"
#include "support/sotc_fixture.h"

#include <string.h>

/* ---- a file -------------------------------------------------------------------------------- */

static void pad_to(struct bytes *file, size_t multiple, uint8_t fill)
{
    while (file->size % multiple != 0) put_u8(file, fill);
}

/* What the game's linker puts before the data: tables whose size depends on nothing but the name,
 * which is the one symbol that the file exports. */
static void put_container(struct bytes *file, const struct nto_plan *plan, const char *name)
{
    enum { POSITIONS = 0x70, SECTIONS = 0x78, VALUES = 0xb8, SYMBOLS = 0xc4, STRINGS = 0xf4 };
    static const uint32_t words[][2] = {{0x24, 3},
                                        {XFF_COUNT_AT, 2},
                                        {0x50, SYMBOLS},
                                        {0x54, SYMBOLS},
                                        {0x58, 0x100},
                                        {XFF_SECTIONS_AT, SECTIONS},
                                        {0x60, VALUES},
                                        {0x64, SYMBOLS},
                                        {XFF_POSITIONS_AT, POSITIONS},
                                        {XFF_STRINGS_AT, STRINGS}};
    put_bytes(file, plan->magic == NULL ? "xff\0" : plan->magic, 4);
    put_repeated(file, 0, 8);
    put_repeated(file, plan->fill, STRINGS - 12);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        set_u32(file, words[i][0], words[i][1]);
    }
    set_u32(file, XFF_ENTRY_AT, plan->before);
    set_u32(file, POSITIONS, 0);
    set_u32(file, POSITIONS + 4, 1);
    for (size_t i = 0; i < 2 * XFF_SECTION_SIZE; i += 4) set_u32(file, SECTIONS + i, 0);
    set_u32(file, SECTIONS + 12, 1);
    set_u32(file, SECTIONS + 16, 8);
    set_u32(file, SECTIONS + XFF_SECTION_SIZE + 12, 16);
    set_u32(file, SECTIONS + XFF_SECTION_SIZE + 16, 1);
    put_bytes(file, "\0.rodata\0\0\0", 12);
    put_bytes(file, "\0", 2);
    put_bytes(file, name, strlen(name) + 1);
    pad_to(file, 16, plan->fill);
    set_u32(file, SECTIONS + XFF_SECTION_SIZE + 28, (uint32_t)file->size);
}

static size_t level_bytes(const struct nto_plan *plan, uint32_t level)
{
    size_t width = (size_t)1 << (plan->width > level ? plan->width - level : 0);
    size_t height = (size_t)1 << (plan->height > level ? plan->height - level : 0);
    size_t bits = plan->kind == NTO_RGBA32 ? 32 : plan->kind == NTO_8 ? 8 : 4;
    return (width * height * bits + 7) / 8;
}

static void put_random(struct bytes *file, struct random *random, size_t size)
{
    for (size_t i = 0; i < size; i++) put_u8(file, next_random(random) >> 24);
}

struct bytes make_nto(const struct nto_plan *plan, struct nto_places *places)
{
    struct random random = {plan->seed};
    struct bytes file = {0};
    const char *name = plan->name == NULL ? "tex" : plan->name;
    uint32_t levels = plan->levels == 0 ? 1 : plan->levels;
    size_t colours = plan->kind == NTO_8 ? 256 : plan->kind == NTO_4 ? 16 : 0;
    size_t texels = 0;
    for (uint32_t i = 0; i < levels; i++) texels += level_bytes(plan, i);
    put_container(&file, plan, name);
    *places = (struct nto_places){.section = file.size, .header = file.size + plan->before};
    put_repeated(&file, plan->fill, plan->before);
    put_text(&file, "NTO2");
    put_u32(&file, 3);
    put_repeated(&file, plan->fill, NTO_HEADER_SIZE - 8);
    set_u32(&file, places->header + NTO_PIXELS_AT, NTO_HEADER_SIZE);
    set_u32(&file, places->header + NTO_PALETTE_AT, (uint32_t)(NTO_HEADER_SIZE + texels));
    set_u8(&file, places->header + NTO_KIND_AT, plan->kind);
    set_u8(&file, places->header + NTO_LEVELS_AT, levels << 4);
    set_u8(&file, places->header + NTO_SIDES_AT, plan->height << 4 | plan->width);
    set_u8(&file, places->header + NTO_SWIZZLED_AT, plan->swizzled);
    set_u32(&file, places->header + 0x74, 1);
    set_u32(&file, places->header + 0x78, 5);
    set_u32(&file, places->header + NTO_TEST_AT, 5);
    set_u32(&file, places->header + NTO_TEST_AT + 4, 64);
    places->texels = file.size;
    if (plan->texels != NULL) put_bytes(&file, plan->texels, texels);
    else put_random(&file, &random, texels);
    places->palette = file.size;
    if (plan->palette != NULL) put_bytes(&file, plan->palette, 4 * colours);
    else put_random(&file, &random, 4 * colours);
    places->name = file.size;
    put_bytes(&file, name, strlen(name) + 1);
    pad_to(&file, 4, plan->fill);
    places->end = file.size;
    set_u32(&file, 0x78 + XFF_SECTION_SIZE + 8, (uint32_t)(file.size - places->section));
    put_repeated(&file, plan->fill, 4);
    set_u32(&file, XFF_SIZE_AT, (uint32_t)file.size);
    return file;
}

/* ---- good files ---------------------------------------------------------------------------- */

static void add_plan(struct fixtures *all, const char *name, struct nto_plan plan)
{
    struct nto_places places;
    fixture_add(all, name, make_nto(&plan, &places), OSSA_CONFIDENCE_SIGNATURE);
}

static const struct nto_plan plain = {.seed = 701, .kind = NTO_4, .width = 3, .height = 2};

static void add_good(struct fixtures *all)
{
    static char long_name[256];
    memset(long_name, 'n', 255);
    add_plan(all, "sotc-nto/plain-4", plain);
    add_plan(all, "sotc-nto/plain-8",
             (struct nto_plan){.seed = 702, .kind = NTO_8, .width = 2, .height = 3});
    add_plan(all, "sotc-nto/rgba",
             (struct nto_plan){.seed = 703, .kind = NTO_RGBA32, .width = 3, .height = 1});
    add_plan(all, "sotc-nto/one-texel", (struct nto_plan){.seed = 704, .kind = NTO_4});
    add_plan(all, "sotc-nto/all-levels",
             (struct nto_plan){.seed = 705, .kind = NTO_4, .width = 3, .height = 1, .levels = 4});
    add_plan(
        all, "sotc-nto/rgba-levels",
        (struct nto_plan){.seed = 706, .kind = NTO_RGBA32, .width = 2, .height = 2, .levels = 3});
    add_plan(all, "sotc-nto/swizzled-4",
             (struct nto_plan){
                 .seed = 707, .kind = NTO_4, .width = 6, .height = 5, .levels = 3, .swizzled = 3});
    add_plan(all, "sotc-nto/swizzled-8",
             (struct nto_plan){
                 .seed = 708, .kind = NTO_8, .width = 5, .height = 3, .levels = 3, .swizzled = 3});
    /* Only as 32 x 64 are both levels large enough. */
    add_plan(all, "sotc-nto/swizzled-tall",
             (struct nto_plan){
                 .seed = 709, .kind = NTO_4, .width = 5, .height = 6, .levels = 2, .swizzled = 3});
    add_plan(
        all, "sotc-nto/xff2",
        (struct nto_plan){.seed = 710, .kind = NTO_4, .width = 2, .height = 2, .magic = "xff2"});
    add_plan(all, "sotc-nto/garbage",
             (struct nto_plan){.seed = 711, .kind = NTO_4, .width = 2, .height = 2, .fill = 0xc3});
    add_plan(all, "sotc-nto/byte-name",
             (struct nto_plan){
                 .seed = 712, .kind = NTO_4, .width = 1, .height = 1, .name = "\xff \"\n"});
    add_plan(all, "sotc-nto/no-name",
             (struct nto_plan){.seed = 713, .kind = NTO_4, .width = 1, .height = 1, .name = ""});
    add_plan(
        all, "sotc-nto/longest-name",
        (struct nto_plan){.seed = 714, .kind = NTO_4, .width = 1, .height = 1, .name = long_name});
    add_plan(all, "sotc-nto/big",
             (struct nto_plan){
                 .seed = 715, .kind = NTO_8, .width = 8, .height = 7, .levels = 4, .swizzled = 15});

    struct nto_places places;
    struct bytes tail = make_nto(&plain, &places);
    put_repeated(&tail, 0x22, 30);
    fixture_add(all, "sotc-nto/after-size", tail, OSSA_CONFIDENCE_SIGNATURE);

    /* Texels of 32 bits need no palette, wherever its offset leads. */
    struct nto_plan rgba = {.seed = 716, .kind = NTO_RGBA32, .width = 1, .height = 1};
    struct bytes nowhere = make_nto(&rgba, &places);
    set_u32(&nowhere, places.header + NTO_PALETTE_AT, 0xffffffff);
    fixture_add(all, "sotc-nto/no-palette", nowhere, OSSA_CONFIDENCE_SIGNATURE);
}

/* ---- files that break a rule --------------------------------------------------------------- */

/* A byte (or a word, for `size` 4) of the header is another. */
static struct fixture *add_header(struct fixtures *all, const char *name,
                                  const struct nto_plan *plan, size_t at, unsigned size,
                                  uint32_t value, ossa_severity severity, ossa_code code,
                                  const char *field)
{
    struct nto_places places;
    struct bytes file = make_nto(plan, &places);
    if (size == 1) set_u8(&file, places.header + at, value);
    else set_u32(&file, places.header + at, value);
    return fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE,
                              (struct expected_issue){severity, code, places.header + at, field});
}

static void add_bad_container(struct fixtures *all)
{
    struct nto_places p;
    struct bytes file = make_nto(&plain, &p);
    set_u32(&file, XFF_COUNT_AT, 1);
    fixture_add_broken(all, "sotc-nto/one-section", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                               XFF_COUNT_AT, "container.section_count"});
    file = make_nto(&plain, &p);
    set_u32(&file, XFF_ENTRY_AT, (uint32_t)(p.end - p.section) - NTO_HEADER_SIZE + 1);
    fixture_add_broken(all, "sotc-nto/header-outside", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                               XFF_ENTRY_AT, "container.entry"});
    file = make_nto(&plain, &p);
    set_u8(&file, p.header + 3, '3');
    fixture_add_broken(all, "sotc-nto/other-magic", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC,
                                               p.header, "header.magic"});
    /* Nothing that the game's textures have, but nothing that matters. */
    struct nto_plan late = plain;
    late.before = 32;
    fixture_add_broken(all, "sotc-nto/entry", make_nto(&late, &p), OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH,
                                               XFF_SIZE_AT, "container.size"});
}

static void add_bad_sizes(struct fixtures *all)
{
    const struct nto_plan levels = {
        .seed = 717, .kind = NTO_4, .width = 1, .height = 2, .levels = 3};
    struct nto_places p;
    struct bytes huge = make_nto(&plain, &p);
    set_u8(&huge, p.header + NTO_SIDES_AT, 0xff);
    fixture_add_broken(all, "sotc-nto/huge-sides", huge, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                               p.header + NTO_PIXELS_AT, "header.pixels"});
    add_header(all, "sotc-nto/pixels-outside", &plain, NTO_PIXELS_AT, 4, 0xfffffff0,
               OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, "header.pixels");
    add_header(all, "sotc-nto/palette-outside", &plain, NTO_PALETTE_AT, 4, 0xffffffff,
               OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, "header.palette");
    struct fixture *none =
        add_header(all, "sotc-nto/no-levels", &plain, NTO_LEVELS_AT, 1, 0x07, OSSA_SEVERITY_ERROR,
                   OSSA_CODE_BAD_COUNT, "header.levels_byte");
    fixture_expect(none, OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, p.header + NTO_PALETTE_AT,
                   "header.palette");
    fixture_expect(none, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, XFF_SIZE_AT,
                   "container.size");
    add_header(all, "sotc-nto/too-many-levels", &levels, NTO_LEVELS_AT, 1, 0xf0,
               OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, "header.levels_byte");
    add_header(all, "sotc-nto/unknown-kind", &plain, NTO_KIND_AT, 1, 0x1b, OSSA_SEVERITY_ERROR,
               OSSA_CODE_UNKNOWN_FLAG, "header.kind");
    /* What follows the palette is then taken for the name. */
    struct fixture *shared =
        add_header(all, "sotc-nto/palette-in-pixels", &plain, NTO_PALETTE_AT, 4,
                   NTO_HEADER_SIZE + 8, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, "header.palette");
    fixture_expect(shared, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, XFF_SIZE_AT,
                   "container.size");
    shared->shares_bytes = true;
    shared =
        add_header(all, "sotc-nto/pixels-in-header", &plain, NTO_PIXELS_AT, 4, NTO_HEADER_SIZE - 8,
                   OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, "header.pixels");
    fixture_expect(shared, OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, p.header + NTO_PALETTE_AT,
                   "header.palette");
    shared->shares_bytes = true;
}

static void add_odd(struct fixtures *all)
{
    const struct nto_plan small = {.seed = 718, .kind = NTO_8, .width = 4, .height = 1};
    const struct nto_plan small_4 = {
        .seed = 719, .kind = NTO_4, .width = 5, .height = 4, .levels = 2, .swizzled = 1};
    const struct nto_plan rgba = {.seed = 720, .kind = NTO_RGBA32, .width = 1, .height = 1};
    add_header(all, "sotc-nto/too-small-8", &small, NTO_SWIZZLED_AT, 1, 1, OSSA_SEVERITY_ERROR,
               OSSA_CODE_BAD_VALUE, "header.swizzled_bits");
    add_header(all, "sotc-nto/too-small-4", &small_4, NTO_SWIZZLED_AT, 1, 3, OSSA_SEVERITY_ERROR,
               OSSA_CODE_BAD_VALUE, "header.swizzled_bits");
    add_header(all, "sotc-nto/swizzled-above", &small_4, NTO_SWIZZLED_AT, 1, 5,
               OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "header.swizzled_bits");
    add_header(all, "sotc-nto/swizzled-rgba", &rgba, NTO_SWIZZLED_AT, 1, 1, OSSA_SEVERITY_WARNING,
               OSSA_CODE_UNUSUAL_VALUE, "header.swizzled_bits");
    add_header(all, "sotc-nto/version", &plain, NTO_VERSION_AT, 4, 2, OSSA_SEVERITY_ERROR,
               OSSA_CODE_BAD_VALUE, "header.version");
    add_header(all, "sotc-nto/alpha-test", &plain, NTO_TEST_AT, 4, 8, OSSA_SEVERITY_WARNING,
               OSSA_CODE_UNUSUAL_VALUE, "header.alpha_test");

    struct nto_places p;
    struct bytes file = make_nto(&plain, &p);
    set_u8(&file, p.end - 1, 'x'); /* "tex" and its NUL, and nothing follows */
    fixture_add_broken(
        all, "sotc-nto/name-without-nul", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, p.name, "name"});
    /* A smaller texture: the palette comes later than it could. */
    file = make_nto(&plain, &p);
    set_u8(&file, p.header + NTO_SIDES_AT, 0x22);
    struct fixture *fixture =
        fixture_add_broken(all, "sotc-nto/gap", file, OSSA_CONFIDENCE_SIGNATURE,
                           (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_GAP,
                                                   p.header + NTO_PALETTE_AT, "header.palette"});
    fixture_expect(fixture, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, XFF_SIZE_AT,
                   "container.size");
}

void generate_sotc_nto(struct fixtures *all)
{
    add_good(all);
    add_bad_container(all);
    add_bad_sizes(all);
    add_odd(all);
}
