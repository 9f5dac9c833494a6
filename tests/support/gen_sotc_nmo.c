/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/nmo_fixture.h"

#include <stdio.h>
#include <string.h>

/* ---- one section of data ------------------------------------------------------------------- */

enum { V2_16 = 0x65, V3_32 = 0x68, V4_32 = 0x6C, V4_16 = 0x6D, V4_8 = 0x6E };

static void put_code(struct bytes *data, uint32_t immediate, uint32_t number, uint32_t command)
{
    put_u32(data, immediate | (number & 0xff) << 16 | command << 24);
}

static void put_shorts(struct bytes *data, struct random *random, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) put_u16(data, (uint32_t)next_between(random, -4096, 8192));
}

static void put_floats(struct bytes *data, struct random *random, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) put_f32(data, next_float(random, 8));
}

/* One bone, two, or three of them. */
static void put_skin(struct bytes *data, uint32_t vertex)
{
    static const float bones[3][3] = {
        {2.99999F, 0.0F, 0.0F}, {0.75F, 3.25F, 0.0F}, {1.5F, 2.25F, 0.25F}};
    for (unsigned i = 0; i < 3; i++) put_f32(data, bones[vertex % 3][i]);
    put_u32(data, vertex % 3 + 1);
}

/* Note where the codes of the first strip are. */
static void put_unpack(struct bytes *data, struct nmo_places *places, uint32_t *address,
                       uint32_t number, uint32_t command)
{
    if (places->start == 0 && *address < NMO_KNOWN_CODES) places->code[*address] = data->size;
    put_code(data, 0x8000U | (command == V4_8 ? 0x4000U : 0U) | *address, number, command);
    (*address)++;
}

static void put_strip(struct bytes *data, const struct nmo_plan *plan, struct random *random,
                      struct nmo_places *places)
{
    uint32_t address = 0;
    uint32_t count = plan->vertices;
    put_unpack(data, places, &address, 1, V4_32);
    put_u32(data, count | 0x8000);
    put_u32(data, 0x303e4000);
    put_u32(data, 0x412);
    put_u32(data, plan->is_skinned ? 0x2ca : 0x142);
    put_unpack(data, places, &address, count, V3_32);
    put_floats(data, random, 3 * count);
    if ((plan->flags & 1) != 0) {
        put_unpack(data, places, &address, count, plan->float_normals ? V3_32 : V4_16);
        if (plan->float_normals) put_floats(data, random, 3 * count);
        else put_shorts(data, random, 4 * count);
    }
    if ((plan->flags & 2) != 0) {
        put_unpack(data, places, &address, count, plan->two_pairs ? V4_16 : V2_16);
        put_shorts(data, random, plan->two_pairs ? 4 * count : 2 * count);
    }
    if ((plan->flags & 4) != 0) {
        put_unpack(data, places, &address, count, V4_8);
        for (uint32_t i = 0; i < 4 * count; i++) put_u8(data, next_random(random) & 0xff);
    }
    if (plan->is_skinned) {
        put_unpack(data, places, &address, count, V4_32);
        for (uint32_t i = 0; i < count; i++) put_skin(data, i);
    }
    if (plan->has_others) {
        put_unpack(data, places, &address, count, V3_32);
        put_floats(data, random, 3 * count);
    }
    if (places->start == 0) places->start = data->size;
    put_code(data, 0, 0, 0x17);
}

static uint32_t streams_of(const struct nmo_plan *plan)
{
    return 1 + (plan->flags & 1) + (plan->flags >> 1 & 1) + (plan->flags >> 2 & 1) +
           (plan->is_skinned ? 1 : 0) + (plan->has_others ? 1 : 0);
}

static void put_chain(struct bytes *data, const struct nmo_plan *plan, struct random *random,
                      struct nmo_places *places)
{
    size_t begin = data->size;
    put_code(data, 0, 0, 0);
    put_code(data, 0, 0, 0);
    put_code(data, 0x100 | streams_of(plan), 0, 0x01);
    for (uint32_t i = 0; i < plan->strips; i++) put_strip(data, plan, random, places);
    while ((data->size - begin) % 16 != 0) put_code(data, 0, 0, 0);
}

static void put_texture(struct bytes *data, const struct nmo_plan *plan, uint32_t index)
{
    put_bytes(data, "TEX", 4);
    put_u32(data, 0);
    put_repeated(data, plan->fill, 16);
    put_u16(data, index);
    put_u16(data, plan->fill);
    put_u16(data, 32);
    put_u16(data, 16U << index % 3);
}

static void put_surface(struct bytes *data, const struct nmo_plan *plan, uint32_t index)
{
    size_t begin = data->size;
    put_bytes(data, "SRF", 4);
    put_u32(data, plan->strips * (plan->vertices - 2));
    put_u32(data, plan->strips);
    put_u32(data, 0);
    put_repeated(data, 0xff, 4);
    put_f32(data, 1.0F);
    put_u32(data, plan->flags);
    put_u32(data, plan->two_pairs ? 2 : 1);
    for (uint32_t i = 0; i < 2; i++) {
        put_repeated(data, plan->fill, 12);
        put_u32(data, plan->textures == 0 ? 0 : (index + i) % plan->textures);
    }
    put_repeated(data, plan->fill, 32);
    for (unsigned i = 0; i < 3; i++) put_code(data, 0, 0, 0);
    put_code(data, 3, 0, 0x50);
    put_u32(data, 0x8002); /* two pairs of value and register */
    put_u32(data, 0x10000000);
    put_u32(data, 0xe);
    put_u32(data, 0);
    put_u32(data, 0x44); /* how to blend */
    put_u32(data, 0x80);
    put_u32(data, 0x42);
    put_u32(data, 0);
    put_u32(data, index % 4 == 3 ? 5 : index % 4); /* u or v or both clamp */
    put_u32(data, 0);
    put_u32(data, 0x08);
    put_u32(data, 0);
    put_repeated(data, 0, begin + NMO_SURFACE_SIZE - data->size);
}

static void put_draw(struct bytes *data, const struct nmo_plan *plan, uint32_t index, size_t chain,
                     size_t size)
{
    put_u32(data, (uint32_t)size);
    put_u32(data, 0);
    put_u32(data, plan->surfaces == 0 ? 0 : index % plan->surfaces);
    put_u32(data, 3);
    put_u32(data, (uint32_t)chain);
    put_u32(data, plan->strips * (plan->vertices - 2));
    put_u32(data, plan->strips);
    put_u32(data, 0);
}

/* Box i has boxes 2i + 1 and 2i + 2. */
static void put_box(struct bytes *data, struct random *random, uint32_t index, uint32_t count)
{
    put_floats(data, random, 8);
    for (uint32_t link = 2 * index + 1; link <= 2 * index + 2; link++)
        put_u32(data, link < count ? link : 0xffffffff);
    put_u32(data, 0);
    put_u32(data, 0);
}

static void put_header(struct bytes *data, const struct nmo_plan *plan,
                       const struct nmo_places *places)
{
    const size_t offsets[5] = {places->boxes, places->textures, places->surfaces, places->draws, 0};
    const uint32_t counts[5] = {plan->boxes > 0, plan->textures, plan->surfaces, plan->draws,
                                plan->is_nameless ? 0 : 1};
    put_bytes(data, "NMO", 4);
    put_u32(data, 3);
    put_repeated(data, plan->fill, 24);
    for (unsigned i = 0; i < 4; i++) put_f32(data, plan->fill == 0 ? 0.0F : 1.5F);
    for (unsigned i = 0; i < 5; i++) {
        put_u32(data, (uint32_t)offsets[i]);
        put_u32(data, counts[i]);
        put_repeated(data, plan->fill, 8);
    }
}

static void put_name(struct bytes *data, size_t position_at, const char *name)
{
    set_u32(data, position_at, (uint32_t)data->size);
    put_bytes(data, name, strlen(name) + 1);
}

static void put_names(struct bytes *data, const struct nmo_plan *plan,
                      const struct nmo_places *places)
{
    char name[32];
    for (uint32_t i = 0; i < plan->textures; i++) {
        (void)snprintf(name, sizeof name, "tex%u", (unsigned)i);
        put_name(data, places->textures + (size_t)NMO_TEXTURE_SIZE * i + 4, name);
    }
    for (uint32_t i = 0; i < plan->surfaces; i++) {
        (void)snprintf(name, sizeof name, "srf_stone_%u", (unsigned)i);
        put_name(data, places->surfaces + (size_t)NMO_SURFACE_SIZE * i + 12, name);
    }
    size_t own = places->header + NMO_TABLES_AT + 4 * (size_t)NMO_TABLE_SIZE;
    if (!plan->is_nameless) put_name(data, own, "own.nmo");
}

/* Offsets in `places` count from the start of the section here. The draws come before their chains
 * have been put, and are filled in then. */
static struct bytes make_section(const struct nmo_plan *plan, struct nmo_places *places)
{
    struct random random = {plan->seed};
    struct bytes data = {0};
    struct bytes draws = {0};
    *places = (struct nmo_places){0};
    put_repeated(&data, plan->fill, plan->before);
    for (uint32_t i = 0; i < plan->draws; i++) {
        size_t chain = data.size;
        if (i < NMO_KNOWN_DRAWS) places->chain[i] = chain;
        put_chain(&data, plan, &random, places);
        put_draw(&draws, plan, i, chain, data.size - chain);
    }
    places->textures = data.size;
    for (uint32_t i = 0; i < plan->textures; i++) put_texture(&data, plan, i);
    places->surfaces = data.size;
    for (uint32_t i = 0; i < plan->surfaces; i++) put_surface(&data, plan, i);
    places->draws = data.size;
    put_bytes(&data, draws.data, draws.size);
    bytes_free(&draws);
    places->boxes = data.size;
    for (uint32_t i = 0; i < plan->boxes; i++) put_box(&data, &random, i, plan->boxes);
    places->header = data.size;
    put_header(&data, plan, places);
    places->names = data.size;
    put_names(&data, plan, places);
    return data;
}

struct bytes make_nmo(const struct nmo_plan *plan, struct nmo_places *places)
{
    struct bytes data = make_section(plan, places);
    struct xff_places container;
    struct xff_plan around = {.magic = plan->magic,
                              .count = plan->sections,
                              .entry = (uint32_t)places->header,
                              .misalignment = plan->misalignment,
                              .fill = plan->fill};
    size_t size = data.size;
    struct bytes file = wrap_in_xff(around, data, &container);
    size_t section = container.data[1];
    size_t *offsets[] = {&places->header, &places->boxes, &places->textures, &places->surfaces,
                         &places->draws,  &places->names, &places->start};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) *offsets[i] += section;
    for (size_t i = 0; i < NMO_KNOWN_DRAWS; i++) places->chain[i] += section;
    for (size_t i = 0; i < NMO_KNOWN_CODES; i++) places->code[i] += section;
    places->section = section;
    places->end = section + size;
    return file;
}

/* ---- good files ---------------------------------------------------------------------------- */

static const struct nmo_plan plain = {.seed = 501,
                                      .textures = 2,
                                      .surfaces = 2,
                                      .draws = 2,
                                      .strips = 2,
                                      .vertices = 4,
                                      .flags = 0x86,
                                      .boxes = 3};

static const struct nmo_plan skinned = {.seed = 502,
                                        .textures = 1,
                                        .surfaces = 1,
                                        .draws = 1,
                                        .strips = 2,
                                        .vertices = 5,
                                        .flags = 0x87,
                                        .is_skinned = true,
                                        .boxes = 1};

/* For what would be reported for every strip. */
static const struct nmo_plan single = {.seed = 504,
                                       .textures = 1,
                                       .surfaces = 1,
                                       .draws = 1,
                                       .strips = 1,
                                       .vertices = 4,
                                       .flags = 0x86,
                                       .boxes = 1};

static void add_plan(struct fixtures *all, const char *name, struct nmo_plan plan)
{
    struct nmo_places places;
    fixture_add(all, name, make_nmo(&plan, &places), OSSA_CONFIDENCE_SIGNATURE);
}

static void add_good(struct fixtures *all)
{
    struct nmo_plan plan = plain;
    struct nmo_places places;
    add_plan(all, "sotc-nmo/plain", plain);
    add_plan(all, "sotc-nmo/skinned", skinned);
    plan.fill = 0x5a;
    plan.before = 16;
    plan.magic = "xff2";
    add_plan(all, "sotc-nmo/garbage", plan);
    plan = skinned;
    plan.misalignment = 3;
    add_plan(all, "sotc-nmo/unaligned", plan);
    plan.misalignment = 0;
    plan.has_others = true;
    add_plan(all, "sotc-nmo/others", plan);
    plan = plain;
    plan.flags = 0x87;
    plan.float_normals = true;
    add_plan(all, "sotc-nmo/float-normals", plan);
    plan = plain;
    plan.flags = 0x2386; /* blends, water */
    plan.two_pairs = true;
    add_plan(all, "sotc-nmo/two-pairs", plan);
    plan = plain;
    plan.flags = 0x84;
    plan.textures = 0;
    add_plan(all, "sotc-nmo/bare", plan);
    plan.vertices = 256;
    plan.draws = plan.strips = 1;
    add_plan(all, "sotc-nmo/longest-strip", plan);
    add_plan(all, "sotc-nmo/nothing",
             (struct nmo_plan){.seed = 503, .vertices = 2, .is_nameless = true});
    plan = plain;
    plan.strips = 0;
    plan.boxes = 9;
    add_plan(all, "sotc-nmo/no-strips", plan);
    plan = plain;
    plan.surfaces = 4;
    plan.draws = 40;
    add_plan(all, "sotc-nmo/many-draws", plan);

    struct bytes file = make_nmo(&plain, &places);
    put_repeated(&file, 0x22, 30);
    fixture_add(all, "sotc-nmo/after-size", file, OSSA_CONFIDENCE_SIGNATURE);
    /* The name of the second texture is the end of the first one's. */
    file = make_nmo(&plain, &places);
    set_u32(&file, places.textures + NMO_TEXTURE_SIZE + 4,
            (uint32_t)(places.names + 1 - places.section));
    fixture_add(all, "sotc-nmo/shared-names", file, OSSA_CONFIDENCE_SIGNATURE)->shares_bytes = true;
    /* The second texture is drawn in the other context of the chip. */
    file = make_nmo(&plain, &places);
    set_u32(&file, places.code[0] + 8, 0x313e4000);
    fixture_add(all, "sotc-nmo/second-context", file, OSSA_CONFIDENCE_SIGNATURE);
}

/* ---- files that break a rule --------------------------------------------------------------- */

static struct fixture *add_changed(struct fixtures *all, const char *name,
                                   const struct nmo_plan *plan, size_t offset, uint32_t word,
                                   struct expected_issue issue)
{
    struct nmo_places places;
    struct bytes file = make_nmo(plan, &places);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE, issue);
}

static void add_bad_container(struct fixtures *all, const struct nmo_places *p)
{
    struct nmo_places places;
    struct nmo_plan three = plain;
    three.sections = 3;
    add_changed(all, "sotc-nmo/one-section", &plain, XFF_COUNT_AT, 1,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, XFF_COUNT_AT,
                                        "container.section_count"})
        ->confidence = OSSA_CONFIDENCE_NONE;
    fixture_add_broken(all, "sotc-nmo/three-sections", make_nmo(&three, &places),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               XFF_COUNT_AT, "container.section_count"});
    add_changed(all, "sotc-nmo/header-outside", &plain, XFF_ENTRY_AT,
                (uint32_t)(p->end - p->section) - NMO_HEADER_SIZE + 1,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        XFF_ENTRY_AT, "container.entry"})
        ->confidence = OSSA_CONFIDENCE_NONE;
    add_changed(all, "sotc-nmo/other-mark", &plain, p->header, 0x324f4d4e,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, p->header,
                                        "header.mark"})
        ->confidence = OSSA_CONFIDENCE_NONE;
    add_changed(all, "sotc-nmo/version", &plain, p->header + 4, 2,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                        p->header + 4, "header.version"});
}

static void add_bad_tables(struct fixtures *all, const struct nmo_places *p)
{
    static const char *const names[4] = {"sotc-nmo/boxes-outside", "sotc-nmo/textures-outside",
                                         "sotc-nmo/surfaces-outside", "sotc-nmo/draws-outside"};
    static const char *const many[4] = {NULL, "sotc-nmo/too-many-textures",
                                        "sotc-nmo/too-many-surfaces", "sotc-nmo/too-many-draws"};
    static const char *const offsets[4] = {"header.boxes.offset", "header.textures.offset",
                                           "header.surfaces.offset", "header.draws.offset"};
    static const uint32_t sizes[4] = {NMO_BOX_SIZE, NMO_TEXTURE_SIZE, NMO_SURFACE_SIZE,
                                      NMO_DRAW_SIZE};
    for (size_t i = 0; i < 4; i++) {
        size_t at = p->header + NMO_TABLES_AT + NMO_TABLE_SIZE * i;
        uint32_t count = i == 0 ? 1 : 2;
        struct expected_issue issue = {OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, at,
                                       offsets[i]};
        uint32_t room = (uint32_t)(p->end - p->section);
        add_changed(all, names[i], &plain, at, room - count * sizes[i] + 1, issue);
        if (i > 0) add_changed(all, many[i], &plain, at + 4, 0xffffffff, issue);
    }
    const size_t mark = p->textures + NMO_TEXTURE_SIZE;
    add_changed(all, "sotc-nmo/texture-mark", &plain, mark, 0x54455854,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, mark,
                                        "textures[1].mark"});
    const size_t surface = p->surfaces + NMO_SURFACE_SIZE;
    add_changed(all, "sotc-nmo/surface-mark", &plain, surface, 0,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, surface,
                                        "surfaces[1].mark"});
    add_changed(all, "sotc-nmo/texture-name-outside", &plain, mark + 4,
                (uint32_t)(p->end - p->section),
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, mark + 4,
                                        "textures[1].name_position"});
    add_changed(all, "sotc-nmo/surface-name-outside", &plain, surface + 12, 0xfffffff0,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        surface + 12, "surfaces[1].name_position"});
    add_changed(all, "sotc-nmo/name-in-table", &plain, mark + 4,
                (uint32_t)(p->textures - p->section),
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, p->textures,
                                        "textures[1].name"})
        ->shares_bytes = true;
    struct nmo_places places;
    struct bytes file = make_nmo(&plain, &places);
    set_u8(&file, places.end - 1, '!'); /* the last NUL, and nothing follows */
    file.size = places.end;
    set_u32(&file, XFF_SIZE_AT, (uint32_t)file.size);
    fixture_add_broken(
        all, "sotc-nmo/name-without-nul", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, p->end - 8, "name"});
}

static void add_bad_indices(struct fixtures *all, const struct nmo_places *p)
{
    const size_t texture = p->surfaces + NMO_SURFACE_SIZE + 44;
    add_changed(all, "sotc-nmo/texture-index", &plain, texture, 2,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, texture,
                                        "surfaces[1].stages[0].texture"});
    struct nmo_plan two = plain;
    two.two_pairs = true;
    struct nmo_places places;
    struct bytes file = make_nmo(&two, &places);
    size_t second = places.surfaces + 60;
    set_u32(&file, second, 0xffffffff);
    fixture_add_broken(all, "sotc-nmo/second-texture-index", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, second,
                                               "surfaces[0].stages[1].texture"});
    const size_t surface = p->draws + NMO_DRAW_SIZE + 8;
    add_changed(all, "sotc-nmo/surface-index", &plain, surface, 2,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, surface,
                                        "draws[1].surface"});
    const size_t link = p->boxes + NMO_BOX_SIZE + 32;
    add_changed(
        all, "sotc-nmo/box-outside", &plain, link, 1000000,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, link, "boxes[1].links"});
    add_changed(
        all, "sotc-nmo/box-negative", &plain, link, 0xfffffffe,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, link, "boxes[1].links"});
    add_changed(all, "sotc-nmo/box-loop", &plain, link, 0,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, link,
                                        "boxes[1].links"});
    /* Box 3 would be the start of the header, whose floats then are its links. */
    file = make_nmo(&plain, &places);
    set_u32(&file, link, 3);
    for (size_t i = 0; i < 2; i++) set_u32(&file, p->header + 0x20 + 4 * i, 0xffffffff);
    fixture_add_broken(all, "sotc-nmo/box-over-header", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                                               p->header + NMO_TABLES_AT, "header.boxes.offset"})
        ->shares_bytes = true;
}

static void add_odd_draws(struct fixtures *all, const struct nmo_places *p)
{
    static const struct {
        const char *name;
        uint32_t at;
        uint32_t word;
        const char *field;
    } unusual[] = {{"sotc-nmo/draw-unknown", 4, 7, "draws[1].unknown"},
                   {"sotc-nmo/draw-three", 12, 2, "draws[1].three"},
                   {"sotc-nmo/draw-last", 28, 1, "draws[1].last"}};
    const size_t draw = p->draws + NMO_DRAW_SIZE;
    for (size_t i = 0; i < 3; i++) {
        add_changed(all, unusual[i].name, &plain, draw + unusual[i].at, unusual[i].word,
                    (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                            draw + unusual[i].at, unusual[i].field});
    }
    add_changed(all, "sotc-nmo/triangle-count", &plain, draw + 20, 99,
                (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, draw + 20,
                                        "draws[1].triangles"});
    add_changed(all, "sotc-nmo/strip-count", &plain, draw + 24, 99,
                (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, draw + 24,
                                        "draws[1].strips"});
    add_changed(all, "sotc-nmo/chain-outside", &plain, draw + 16, 0xfffffff0,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, draw + 16,
                                        "draws[1].chain_offset"});
    add_changed(all, "sotc-nmo/chain-twice", &plain, draw + 16,
                (uint32_t)(p->chain[0] - p->section),
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, draw + 16,
                                        "draws[1].chain_offset"});
    add_changed(all, "sotc-nmo/chain-in-table", &plain, draw + 16,
                (uint32_t)(p->textures - p->section),
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, draw + 16,
                                        "draws[1].chain_offset"});
}

static void add_bad_chains(struct fixtures *all, const struct nmo_places *p)
{
    const size_t cycle = p->chain[0] + 8;
    add_changed(all, "sotc-nmo/data-outside", &single, p->code[1], 0x68ff8001,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, p->code[1],
                                        "draws[0].chain[4].code"});
    add_changed(all, "sotc-nmo/unknown-command", &single, p->start, 0x18000000,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, p->start,
                                        "draws[0].chain[7].code"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                   p->code[0] + 4, "draws[0].chain[3].tag");
    add_changed(all, "sotc-nmo/no-such-unpack", &single, p->start, 0x63000000,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, p->start,
                                        "draws[0].chain[7].code"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                   p->code[0] + 4, "draws[0].chain[3].tag");
    add_changed(all, "sotc-nmo/cycle-zero", &single, cycle, 0x01000100,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, cycle,
                                        "draws[0].chain[2].code"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                   p->code[0] + 4, "draws[0].chain[3].tag");
    add_changed(all, "sotc-nmo/cycle-writes-none", &single, cycle, 0x01000003,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, cycle,
                                        "draws[0].chain[2].code"});
    add_changed(all, "sotc-nmo/cycle-missing", &single, cycle, 0,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                        p->code[0] + 4, "draws[0].chain[3].tag"});
    add_changed(all, "sotc-nmo/not-started", &single, p->start, 0,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                        p->code[0] + 4, "draws[0].chain[3].tag"});
    struct nmo_places places;
    struct bytes file = make_nmo(&single, &places);
    set_u32(&file, p->draws, get_u32(&file, p->draws) - 2);
    /* It ends in the code that starts the program. */
    fixture_add_broken(all, "sotc-nmo/odd-chain-size", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p->draws, "draws[0].chain_size"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                   p->code[0] + 4, "draws[0].chain[3].tag");
}

/* The codes of the streams of the only strip. */
static const char *const fields[4] = {"draws[0].chain[3].code", "draws[0].chain[4].code",
                                      "draws[0].chain[5].code", "draws[0].chain[6].code"};

static void expect_streams(struct fixture *fixture, ossa_code code, const struct nmo_places *p,
                           size_t from)
{
    for (size_t i = from; i < 4; i++)
        fixture_expect(fixture, OSSA_SEVERITY_ERROR, code, p->code[i], fields[i]);
}

static void add_bad_strips(struct fixtures *all, const struct nmo_places *p)
{
    struct fixture *fixture;
    const size_t tag = p->code[0] + 4;
    /* 3 or 2 vertices, but streams of 4. */
    struct nmo_places places;
    struct bytes file = make_nmo(&single, &places);
    set_u32(&file, tag, 0x8003);
    set_u32(&file, p->draws + 20, 1);
    fixture =
        fixture_add_broken(all, "sotc-nmo/stream-count", file, OSSA_CONFIDENCE_SIGNATURE,
                           (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH,
                                                   p->code[1], fields[1]});
    expect_streams(fixture, OSSA_CODE_SIZE_MISMATCH, p, 2);
    file = make_nmo(&single, &places);
    set_u32(&file, tag, 0x8002);
    set_u32(&file, p->draws + 20, 0);
    fixture =
        fixture_add_broken(all, "sotc-nmo/two-vertices", file, OSSA_CONFIDENCE_SIGNATURE,
                           (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                                   tag, "draws[0].chain[3].tag[0]"});
    expect_streams(fixture, OSSA_CODE_SIZE_MISMATCH, p, 1);
    add_changed(all, "sotc-nmo/primitive", &single, tag + 4, 0x303d4000,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, tag + 4,
                                        "draws[0].chain[3].tag[1]"});
    /* Without a tag the streams belong to no strip. */
    file = make_nmo(&single, &places);
    set_u32(&file, p->code[0], 0x6c018010);
    set_u32(&file, p->draws + 20, 0);
    set_u32(&file, p->draws + 24, 0);
    fixture = fixture_add_broken(
        all, "sotc-nmo/no-tag", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, p->code[0], fields[0]});
    expect_streams(fixture, OSSA_CODE_BAD_ORDER, p, 1);
    add_changed(all, "sotc-nmo/address", &single, p->code[2], 0x65048009,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, p->code[2],
                                        "draws[0].chain[5].code"});
    /* As large as the colours. */
    fixture = add_changed(all, "sotc-nmo/unknown-stream", &single, p->code[3], 0x6004c003,
                          (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG,
                                                  p->code[3], "draws[0].chain[6].code"});
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, tag,
                   "draws[0].chain[3].tag");
    const size_t flags = p->surfaces + 24;
    add_changed(all, "sotc-nmo/flags-differ", &single, flags, 0x82,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, tag,
                                        "draws[0].chain[3].tag"});
}

static void add_odd_skins(struct fixtures *all)
{
    static const struct {
        const char *name;
        unsigned word;
        uint32_t bits;
    } cases[] = {{"sotc-nmo/negative-weight", 0, 0xbe800000},
                 {"sotc-nmo/nan-weight", 0, 0x7fc00000},
                 {"sotc-nmo/huge-bone", 0, 0x4f800000},
                 {"sotc-nmo/no-weight", 0, 0x40400000},
                 {"sotc-nmo/no-bones", 3, 0},
                 {"sotc-nmo/four-bones", 3, 4}};
    struct nmo_places p;
    struct bytes file = make_nmo(&skinned, &p);
    bytes_free(&file);
    size_t at = p.code[5] + 4 + 16 * 3; /* vertex 3 has one bone */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        add_changed(all, cases[i].name, &skinned, at + 4 * (size_t)cases[i].word, cases[i].bits,
                    (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at,
                                            "draws[0].chain[8].skin"});
    }
    struct nmo_places places;
    file = make_nmo(&plain, &places);
    size_t nan = places.code[1] + 4 + 12;
    set_u32(&file, nan, 0x7fc00000);
    fixture_add_broken(all, "sotc-nmo/nan-position", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, nan,
                                               "draws[0].chain[4].positions"})
        ->check_values = true;
    file = make_nmo(&plain, &places);
    set_u32(&file, places.boxes + 20, 0x7f800000);
    fixture_add_broken(all, "sotc-nmo/infinite-box", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE,
                                               places.boxes + 20, "boxes[0].maximum"})
        ->check_values = true;
}

void generate_sotc_nmo(struct fixtures *all)
{
    struct nmo_places places;
    struct bytes file = make_nmo(&plain, &places);
    bytes_free(&file);
    add_good(all);
    add_bad_container(all, &places);
    add_bad_tables(all, &places);
    add_bad_indices(all, &places);
    add_odd_draws(all, &places);
    file = make_nmo(&single, &places);
    bytes_free(&file);
    add_bad_chains(all, &places);
    add_bad_strips(all, &places);
    add_odd_skins(all);
}
