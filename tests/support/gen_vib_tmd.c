/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/tmd_fixture.h"

#include <stdlib.h>
#include <string.h>

const struct tmd_kind tmd_kinds[TMD_KINDS] = {
    {0, 0x20, 3, "C.nvvv"},
    {0, 0x28, 4, "C.nvvvv-"},
    {0, 0x30, 4, "C.nvnvnv"},
    {0, 0x38, 5, "C.nvnvnvnv"},
    {4, 0x20, 5, "C.C.C.nvvv"},
    {4, 0x28, 7, "C.C.C.C.nvvvv-"},
    {4, 0x30, 6, "C.C.C.nvnvnv"},
    {4, 0x38, 8, "C.C.C.C.nvnvnvnv"},
    {0, 0x24, 5, "U.U.U.nvvv"},
    {0, 0x2c, 7, "U.U.U.U.nvvvv-"},
    {0, 0x34, 6, "U.U.U.nvnvnv"},
    {0, 0x3c, 8, "U.U.U.U.nvnvnvnv"},
    {1, 0x21, 3, "C.vvv-"},
    {1, 0x29, 3, "C.vvvv"},
    {1, 0x31, 5, "C.C.C.vvv-"},
    {1, 0x39, 6, "C.C.C.C.vvvv"},
    {1, 0x25, 6, "U.U.U.C.vvv-"},
    {1, 0x2d, 7, "U.U.U.U.C.vvvv"},
    {1, 0x35, 8, "U.U.U.C.C.C.vvv-"},
    {1, 0x3d, 10, "U.U.U.U.C.C.C.C.vvvv"},
    {1, 0x40, 2, "C.vv"},
    {1, 0x50, 3, "C.C.vv"},
};

enum { LINE = 20 };

/* ---- a model ------------------------------------------------------------------------------- */

size_t tmd_object_word(uint32_t object, uint32_t word)
{
    return TMD_TABLE_AT + TMD_OBJECT_SIZE * (size_t)object + 4 * (size_t)word;
}

static void put_packet(struct bytes *file, struct random *random, const struct tmd_plan *plan,
                       uint32_t index)
{
    const struct tmd_kind *kind = &tmd_kinds[plan->every_kind ? index % TMD_KINDS : LINE];
    uint32_t variant = plan->every_kind ? index / TMD_KINDS : 0;
    if (strlen(kind->layout) != 2 * (size_t)kind->ilen) abort();
    put_u8(file, kind->ilen + 1U);
    put_u8(file, kind->ilen);
    put_u8(file, kind->flag | (variant & 2U));        /* double-sided */
    put_u8(file, kind->mode | (variant & 1U) * 0x02); /* translucent */
    uint32_t vertex = next_random(random) % plan->vertices;
    for (const char *c = kind->layout; *c != '\0'; c++) {
        if (*c == 'C' || *c == 'U') {
            put_u32(file, next_random(random));
        } else if (*c == 'n') {
            put_u16(file, next_random(random) % plan->normals);
        } else if (*c == 'v') {
            put_u16(file, vertex);
            vertex = (vertex + 1 + next_random(random) % (plan->vertices - 1)) % plan->vertices;
        } else if (*c == '-') {
            put_u16(file, plan->fill * 0x0101U);
        }
    }
}

static void put_vertices(struct bytes *file, struct random *random, uint32_t count, uint8_t fill)
{
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned c = 0; c < 3; c++) put_u16(file, next_random(random) & 0xffff);
        put_u16(file, fill * 0x0101U);
    }
}

struct bytes make_tmd(const struct tmd_plan *plan, struct tmd_places *places)
{
    struct random random = {plan->seed};
    struct bytes file = {0};
    const size_t base = plan->absolute ? 0 : TMD_TABLE_AT;
    *places = (struct tmd_places){0};
    put_u32(&file, 0x41);
    put_u32(&file, plan->absolute ? 1 : 0);
    put_u32(&file, plan->objects);
    put_repeated(&file, 0, TMD_OBJECT_SIZE * (size_t)plan->objects);
    for (uint32_t i = 0; i < plan->objects; i++) {
        size_t at[3]; /* vertices, normals, packets */
        put_repeated(&file, plan->fill, plan->gap);
        at[0] = file.size;
        put_vertices(&file, &random, plan->vertices, plan->fill);
        put_repeated(&file, plan->fill, plan->gap);
        at[1] = file.size;
        put_vertices(&file, &random, plan->normals, plan->fill);
        put_repeated(&file, plan->fill, plan->gap);
        at[2] = file.size;
        for (uint32_t k = 0; k < plan->packets; k++) {
            places->last_packet = file.size;
            put_packet(&file, &random, plan, k);
        }
        const uint32_t counts[3] = {plan->vertices, plan->normals, plan->packets};
        for (uint32_t k = 0; k < 3; k++) {
            set_u32(&file, tmd_object_word(i, 2 * k), (uint32_t)(at[k] - base));
            set_u32(&file, tmd_object_word(i, 2 * k + 1), counts[k]);
        }
        set_u32(&file, tmd_object_word(i, 6), 0U - plan->fill); /* a negative scale, or 0 */
        if (i >= TMD_KNOWN_OBJECTS) continue;
        places->vertices[i] = at[0];
        places->normals[i] = at[1];
        places->packets[i] = at[2];
    }
    return file;
}

/* ---- a solid ------------------------------------------------------------------------------- */

static const int solid_least[3] = {-100, -50, -400};
static const int solid_most[3] = {300, 150, 200};

/* Vertex i has the larger x if bit 0 is set, y with bit 1, z with bit 2. Side 2 * axis is the one
 * of the smaller coordinate. Corners in Z order, so that 0 1 2 goes clockwise from outside: for a
 * side that faces along an axis, first along the last of the three axes and then along the one
 * after it. */
static unsigned solid_corner(unsigned side, unsigned corner)
{
    unsigned axis = side / 2;
    unsigned is_far = side % 2;
    unsigned first = (axis + (is_far ? 2U : 1U)) % 3;
    unsigned second = (axis + (is_far ? 1U : 2U)) % 3;
    return is_far << axis | (corner & 1U) << first | (corner >> 1 & 1U) << second;
}

/* Texture coordinates of a corner, with the palette in the first and the page in the second. */
static uint32_t solid_texture(unsigned side, unsigned corner)
{
    unsigned vertex = solid_corner(side, corner);
    uint32_t u = (vertex & 1U) != 0 ? 255 : 0;
    uint32_t v = (vertex & 4U) != 0 ? 128 : 64;
    uint32_t high = corner == 0 ? 0x7800 : corner == 1 ? 0x001c : 0;
    return u | v << 8 | high << 16;
}

static void put_solid_packet(struct bytes *file, unsigned index)
{
    const struct tmd_kind *kind = &tmd_kinds[index % LINE];
    const bool is_gouraud = strstr(kind->layout, "nvn") != NULL;
    const unsigned side = index % 6;
    unsigned textures = 0;
    unsigned colours = 0;
    unsigned corner = 0;
    put_u8(file, kind->ilen + 1U);
    put_u8(file, kind->ilen);
    put_u8(file, kind->flag | (index >= LINE ? 2U : 0U)); /* the second time double-sided */
    put_u8(file, kind->mode);
    for (const char *c = kind->layout; *c != '\0'; c++) {
        unsigned vertex = solid_corner(side, corner);
        if (*c == 'U') put_u32(file, solid_texture(side, textures++));
        if (*c == 'C') put_u32(file, 0x00204060U + 0x00101010U * colours++);
        if (*c == 'n') put_u16(file, is_gouraud ? 6 + vertex : side);
        if (*c == '-') put_u16(file, 0);
        if (*c != 'v') continue;
        put_u16(file, vertex);
        corner++;
    }
}

struct bytes make_solid_tmd(struct tmd_places *places)
{
    struct bytes file = {0};
    *places = (struct tmd_places){0};
    put_u32(&file, 0x41);
    put_u32(&file, 0);
    put_u32(&file, 1);
    put_repeated(&file, 0, TMD_OBJECT_SIZE);
    places->vertices[0] = file.size;
    for (unsigned i = 0; i < TMD_SOLID_VERTICES; i++) {
        for (unsigned k = 0; k < 3; k++) {
            put_u16(&file, (uint16_t)((i >> k & 1U) != 0 ? solid_most[k] : solid_least[k]));
        }
        put_u16(&file, 0);
    }
    places->normals[0] = file.size;
    for (unsigned i = 0; i < 6; i++) { /* of the sides */
        for (unsigned k = 0; k < 3; k++) {
            int part = i % 2 == 1 ? 4096 : -4096;
            put_u16(&file, (uint16_t)(k == i / 2 ? part : 0));
        }
        put_u16(&file, 0);
    }
    for (unsigned i = 0; i < TMD_SOLID_VERTICES; i++) {
        for (unsigned k = 0; k < 3; k++) { /* 4096 / sqrt(3) */
            put_u16(&file, (uint16_t)((i >> k & 1U) != 0 ? 2365 : -2365));
        }
        put_u16(&file, 0);
    }
    places->packets[0] = file.size;
    for (unsigned i = 0; i < TMD_SOLID_PACKETS; i++) {
        places->last_packet = file.size;
        put_solid_packet(&file, i);
    }
    const size_t at[3] = {places->vertices[0], places->normals[0], places->packets[0]};
    const uint32_t counts[3] = {TMD_SOLID_VERTICES, TMD_SOLID_NORMALS, TMD_SOLID_PACKETS};
    for (uint32_t k = 0; k < 3; k++) {
        set_u32(&file, tmd_object_word(0, 2 * k), (uint32_t)(at[k] - TMD_TABLE_AT));
        set_u32(&file, tmd_object_word(0, 2 * k + 1), counts[k]);
    }
    return file;
}

/* ---- good files ---------------------------------------------------------------------------- */

/* Two objects of lines, 12 bytes each; the last packet ends the file. */
static const struct tmd_plan plain = {
    .seed = 281, .objects = 2, .vertices = 5, .normals = 3, .packets = 4};
enum { LINE_SIZE = 12 };

static void add_plan(struct fixtures *all, const char *name, struct tmd_plan plan)
{
    struct tmd_places places;
    fixture_add(all, name, make_tmd(&plan, &places), OSSA_CONFIDENCE_SIGNATURE);
}

static void add_good(struct fixtures *all)
{
    const struct tmd_plan every = {.seed = 282,
                                   .objects = 1,
                                   .vertices = 9,
                                   .normals = 6,
                                   .packets = 4 * TMD_KINDS,
                                   .every_kind = true};
    struct tmd_plan plan = every;
    add_plan(all, "vib-tmd/lines", plain);
    add_plan(all, "vib-tmd/every-packet", every);
    struct tmd_places solid;
    fixture_add(all, "vib-tmd/solid", make_solid_tmd(&solid), OSSA_CONFIDENCE_SIGNATURE);
    plan.absolute = true;
    add_plan(all, "vib-tmd/absolute", plan);
    plan = plain;
    plan.gap = 7;
    plan.fill = 0x9d;
    add_plan(all, "vib-tmd/unaligned", plan);
    plan.gap = 6;
    add_plan(all, "vib-tmd/half-aligned", plan);
    add_plan(all, "vib-tmd/no-objects", (struct tmd_plan){.seed = 283});
    add_plan(all, "vib-tmd/only-vertices",
             (struct tmd_plan){.seed = 284, .objects = 3, .vertices = 2});
    plan = every;
    plan.packets = 400;
    plan.objects = 3;
    plan.every_kind = false;
    add_plan(all, "vib-tmd/big", plan);

    struct tmd_places places;
    struct bytes tail = make_tmd(&plain, &places);
    put_text(&tail, "what is this?");
    fixture_add(all, "vib-tmd/tail", tail, OSSA_CONFIDENCE_SIGNATURE);

    /* An object of nothing, whose offsets are nowhere. */
    struct bytes empty = make_tmd(&(struct tmd_plan){.seed = 285, .objects = 2}, &places);
    for (uint32_t k = 0; k < 3; k++) set_u32(&empty, tmd_object_word(1, 2 * k), 0xfffffff0 + k);
    fixture_add(all, "vib-tmd/empty-objects", empty, OSSA_CONFIDENCE_SIGNATURE);
}

/* ---- files that break a rule --------------------------------------------------------------- */

static void add_cut(struct fixtures *all, const char *name, size_t size, ossa_confidence confidence,
                    struct expected_issue issue)
{
    struct tmd_places places;
    struct bytes file = make_tmd(&plain, &places);
    file.size = size;
    fixture_add_broken(all, name, file, confidence, issue);
}

static struct fixture *add_changed(struct fixtures *all, const char *name, size_t offset,
                                   uint32_t word, ossa_confidence confidence,
                                   struct expected_issue issue)
{
    struct tmd_places places;
    struct bytes file = make_tmd(&plain, &places);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, confidence, issue);
}

static void add_bad_header(struct fixtures *all)
{
    add_cut(all, "vib-tmd/cut-id", 3, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "id"});
    add_cut(all, "vib-tmd/cut-flags", 7, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 4, "flags"});
    add_cut(
        all, "vib-tmd/cut-object-count", 11, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 8, "object_count"});
    add_cut(
        all, "vib-tmd/cut-table", TMD_TABLE_AT + 2 * TMD_OBJECT_SIZE - 1, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 8, "object_count"});
    add_changed(all, "vib-tmd/bad-magic", 0, 0x40, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "id"});
    add_changed(all, "vib-tmd/unknown-flags", 4, 0x80000000, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, 4, "flags"});
}

/* The second object's arrays, each past the end by its offset and by its count. */
static void add_outside(struct fixtures *all, size_t size, const struct tmd_places *p)
{
    static const char *const names[3][2] = {
        {"vib-tmd/vertices-outside", "vib-tmd/too-many-vertices"},
        {"vib-tmd/normals-outside", "vib-tmd/too-many-normals"},
        {"vib-tmd/primitives-outside", "vib-tmd/too-many-primitives"}};
    static const char *const fields[3][2] = {
        {"objects[1].vertices_offset", "objects[1].vertex_count"},
        {"objects[1].normals_offset", "objects[1].normal_count"},
        {"objects[1].primitives_offset", "objects[1].primitive_count"}};
    const size_t starts[3] = {p->vertices[1], p->normals[1], p->packets[1]};
    for (uint32_t k = 0; k < 3; k++) {
        size_t at = tmd_object_word(1, 2 * k);
        size_t least = k == 2 ? 4 : 8;
        add_changed(all, names[k][0], at, (uint32_t)(size - TMD_TABLE_AT + 1),
                    OSSA_CONFIDENCE_DAMAGED,
                    (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, at,
                                            fields[k][0]});
        add_changed(all, names[k][1], at + 4, (uint32_t)((size - starts[k]) / least + 1),
                    OSSA_CONFIDENCE_DAMAGED,
                    (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, at + 4,
                                            fields[k][1]});
    }
    add_changed(all, "vib-tmd/countless-vertices", tmd_object_word(0, 1), 0xffffffff,
                OSSA_CONFIDENCE_DAMAGED,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT,
                                        tmd_object_word(0, 1), "objects[0].vertex_count"});
}

static void add_cut_packets(struct fixtures *all, size_t size, const struct tmd_places *p)
{
    add_changed(all, "vib-tmd/one-packet-too-many", tmd_object_word(1, 5), 5,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, size,
                                        "objects[1].primitives[4]"});
    struct tmd_places places;
    struct bytes file = make_tmd(&plain, &places);
    set_u8(&file, p->last_packet + 1, 3);
    fixture_add_broken(all, "vib-tmd/packet-too-long", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                                               p->last_packet, "objects[1].primitives[3]"});
}

/* 256 vertices in `objects` objects, which all have the same ones. */
static struct bytes make_shared(uint32_t objects)
{
    struct tmd_places places;
    struct bytes file = make_tmd(&(struct tmd_plan){.seed = 286, .objects = objects}, &places);
    struct random random = {287};
    for (uint32_t i = 0; i < objects; i++) {
        set_u32(&file, tmd_object_word(i, 0), (uint32_t)(file.size - TMD_TABLE_AT));
        set_u32(&file, tmd_object_word(i, 1), 256);
    }
    put_vertices(&file, &random, 256, 0);
    return file;
}

static void add_shared(struct fixtures *all)
{
    /* 12 + 5 * 28 + 2048 bytes: four times that is more than 4 arrays and less than 5. */
    fixture_add_broken(all, "vib-tmd/shared-too-often", make_shared(5), OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                               tmd_object_word(4, 0),
                                               "objects[4].vertices_offset"});
    struct bytes file = make_shared(2);
    fixture_add_broken(all, "vib-tmd/shared-vertices", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                                               TMD_TABLE_AT + 2 * TMD_OBJECT_SIZE,
                                               "objects[1].vertices"})
        ->shares_bytes = true;
    /* Packets of no words: each takes 4 bytes, but they add up all the same. */
    struct tmd_places places;
    file = make_tmd(&(struct tmd_plan){.seed = 288, .objects = 5}, &places);
    for (uint32_t i = 0; i < 5; i++) {
        set_u32(&file, tmd_object_word(i, 4), (uint32_t)(file.size - TMD_TABLE_AT));
        set_u32(&file, tmd_object_word(i, 5), 512);
    }
    put_repeated(&file, 0, 2048);
    fixture_add_broken(all, "vib-tmd/shared-packets", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                               tmd_object_word(4, 4),
                                               "objects[4].primitives_offset"});
    /* The normals of object 0 are the head of the table. */
    add_changed(all, "vib-tmd/normals-in-table", tmd_object_word(0, 2), 0,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, TMD_TABLE_AT,
                                        "objects[0].normals"})
        ->shares_bytes = true;
}

static void add_bad_packet(struct fixtures *all, const char *name, size_t offset, uint32_t word,
                           ossa_severity severity, ossa_code code)
{
    struct tmd_places p;
    struct bytes file = make_tmd(&plain, &p);
    const size_t packet = p.packets[1] + LINE_SIZE; /* objects[1].primitives[1] */
    set_u32(&file, packet + offset, word);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){severity, code, packet, "objects[1].primitives[1]"});
}

static void add_bad_packets(struct fixtures *all)
{
    add_bad_packet(all, "vib-tmd/vertex-out-of-range", 8, 0x00050000, OSSA_SEVERITY_ERROR,
                   OSSA_CODE_BAD_VALUE);
    add_bad_packet(all, "vib-tmd/same-ends", 8, 0x00030003, OSSA_SEVERITY_WARNING,
                   OSSA_CODE_UNUSUAL_VALUE);
    add_bad_packet(all, "vib-tmd/sprite", 0, 0x64010203, OSSA_SEVERITY_WARNING,
                   OSSA_CODE_UNKNOWN_FLAG);
    add_bad_packet(all, "vib-tmd/unlit-flag", 0, 0x40000203, OSSA_SEVERITY_WARNING,
                   OSSA_CODE_UNKNOWN_FLAG);
    /* A flat triangle with a word too few. */
    add_bad_packet(all, "vib-tmd/other-length", 0, 0x21010203, OSSA_SEVERITY_WARNING,
                   OSSA_CODE_UNKNOWN_FLAG);

    struct tmd_places p;
    struct tmd_plan plan = {.seed = 289,
                            .objects = 1,
                            .vertices = 4,
                            .normals = 2,
                            .packets = 3, /* F3 and F4, then G3 */
                            .every_kind = true};
    struct bytes file = make_tmd(&plan, &p);
    size_t packet = p.packets[0] + 16 + 20;
    set_u16(&file, packet + 8 + 8, 2); /* the normal of the last corner */
    fixture_add_broken(all, "vib-tmd/normal-out-of-range", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, packet,
                                               "objects[0].primitives[2]"});
    /* A packet without words, as the last thing in the file. */
    file = make_tmd(&plain, &p);
    size_t end = file.size;
    put_u32(&file, 0);
    set_u32(&file, tmd_object_word(1, 5), 5);
    fixture_add_broken(all, "vib-tmd/no-words", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, end,
                                               "objects[1].primitives[4]"});
}

void generate_vib_tmd(struct fixtures *all)
{
    struct tmd_places places;
    struct bytes file = make_tmd(&plain, &places);
    const size_t size = file.size;
    bytes_free(&file);
    add_good(all);
    add_bad_header(all);
    add_outside(all, size, &places);
    add_cut_packets(all, size, &places);
    add_shared(all);
    add_bad_packets(all);
}
