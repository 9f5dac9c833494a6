/* SPDX-License-Identifier: MIT */
#include "support/fig_fixture.h"
#include "support/fixtures.h"

#include <stdio.h>

enum { COUNTS_AT = 4, ZERO_AT = 28 };

/* ---- a figure ------------------------------------------------------------------------------ */

struct fig_places find_fig_places(const struct fig_plan *plan)
{
    struct fig_places at;
    at.center = 40;
    at.radius = at.center + (size_t)36 * plan->variants;
    at.vertices = at.radius + (size_t)4 * plan->variants;
    at.normals = at.vertices + (size_t)48 * plan->variants * plan->vertex_blocks;
    at.texcoords = at.normals + (size_t)64 * plan->normal_blocks;
    at.indices = at.texcoords + (size_t)8 * plan->texcoords;
    at.corners = at.indices + (size_t)6 * plan->triangles + (size_t)2 * plan->loose_indices;
    at.morphs = at.corners + (size_t)6 * plan->corners;
    at.end = at.morphs + (size_t)4 * plan->morphs;
    return at;
}

static void put_floats(struct bytes *file, struct random *random, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) put_f32(file, next_float(random, 2));
}

/* Four x, four y, four z, and four w that are not 0. */
static void put_normals(struct bytes *file, struct random *random, uint32_t blocks)
{
    for (uint32_t b = 0; b < blocks; b++) {
        put_floats(file, random, 12);
        for (uint32_t lane = 0; lane < 4; lane++) {
            put_f32(file, 0.5F + (float)next_between(random, 0, 8) * 0.25F);
        }
    }
}

static uint32_t inside(uint32_t index, uint32_t count)
{
    return count == 0 ? 0 : index % count;
}

struct bytes make_fig(const struct fig_plan *plan)
{
    struct random random = {plan->seed};
    struct bytes file = {0};
    uint32_t vertices = 4 * plan->vertex_blocks;
    uint32_t indices = 3 * plan->triangles + plan->loose_indices;
    put_text(&file, "FIG");
    put_u8(&file, '0' + plan->variants);
    put_u32(&file, plan->vertex_blocks);
    put_u32(&file, plan->normal_blocks);
    put_u32(&file, plan->texcoords);
    put_u32(&file, indices);
    put_u32(&file, plan->corners);
    put_u32(&file, plan->morphs);
    put_u32(&file, 0);
    put_u32(&file, plan->group);
    put_u32(&file, plan->texture_number);
    put_floats(&file, &random, 10 * plan->variants);
    put_floats(&file, &random, 12 * plan->variants * plan->vertex_blocks);
    put_normals(&file, &random, plan->normal_blocks);
    put_floats(&file, &random, 2 * plan->texcoords);
    for (uint32_t i = 0; i < indices; i++) {
        put_u16(&file, inside(i < plan->corners ? i : next_random(&random) >> 8, plan->corners));
    }
    for (uint32_t i = 0; i < plan->corners; i++) {
        put_u16(&file, inside(i, vertices));
        put_u16(&file, inside(i, 4 * plan->normal_blocks));
        put_u16(&file, inside(i, plan->texcoords));
    }
    for (uint32_t m = 0; m < plan->morphs; m++) {
        put_u16(&file, m);
        put_u16(&file, inside(7 * m + 3, vertices));
    }
    return file;
}

/* ---- fixtures ------------------------------------------------------------------------------ */

static const struct fig_plan usual = {.seed = 311,
                                      .variants = 8,
                                      .vertex_blocks = 2,
                                      .normal_blocks = 1,
                                      .texcoords = 5,
                                      .triangles = 3,
                                      .corners = 9,
                                      .morphs = 4,
                                      .group = 19,
                                      .texture_number = 1};

static struct fig_plan of_variants(uint32_t variants)
{
    struct fig_plan plan = usual;
    plan.variants = variants;
    plan.seed += variants;
    return plan;
}

static void add_good(struct fixtures *all)
{
    static const uint32_t variants[] = {1, 2, 4, 6, 8};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        char name[32];
        struct fig_plan plan = of_variants(variants[i]);
        (void)snprintf(name, sizeof name, "ei-fig/fig%u", (unsigned)variants[i]);
        fixture_add(all, name, make_fig(&plan), OSSA_CONFIDENCE_SIGNATURE);
    }
    struct fig_plan still = of_variants(1);
    still.morphs = 0;
    fixture_add(all, "ei-fig/still", make_fig(&still), OSSA_CONFIDENCE_SIGNATURE);
    struct fig_plan big = {.seed = 99,
                           .variants = 8,
                           .vertex_blocks = 80,
                           .normal_blocks = 60,
                           .texcoords = 300,
                           .triangles = 500,
                           .corners = 320,
                           .morphs = 320,
                           .group = 18,
                           .texture_number = 2};
    fixture_add(all, "ei-fig/big", make_fig(&big), OSSA_CONFIDENCE_SIGNATURE);
}

/* Some parts of the game's figures have nothing to show, and bounds that are no numbers. */
static void add_empty(struct fixtures *all)
{
    static const uint32_t odd[] = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x7f800001};
    struct fig_plan plan = {.seed = 1, .variants = 8, .group = 19, .texture_number = 1};
    struct fig_places at = find_fig_places(&plan);
    struct bytes file = make_fig(&plan);
    for (size_t i = 0; at.center + 4 * i < at.vertices; i++) {
        set_u32(&file, at.center + 4 * i, odd[i % 5]);
    }
    fixture_add(all, "ei-fig/nothing", file, OSSA_CONFIDENCE_SIGNATURE)->check_values = true;
}

static void add_odd_floats(struct fixtures *all)
{
    static const uint32_t odd[] = {0x80000000, 0x00000001, 0x807fffff, 0x7f7fffff, 0x00800000,
                                   0x7fc00000, 0x7f800001, 0xffc12345, 0x7f800000, 0xff800000};
    struct fig_plan plan = of_variants(1);
    struct fig_places at = find_fig_places(&plan);
    struct bytes file = make_fig(&plan);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        set_u32(&file, at.vertices + 4 * i, odd[i]);
        set_u32(&file, at.texcoords + 4 * (i % 8), odd[i]);
    }
    fixture_add(all, "ei-fig/odd-floats", file, OSSA_CONFIDENCE_SIGNATURE);
}

static struct bytes with_u32(const struct fig_plan *plan, size_t at, uint32_t value)
{
    struct bytes file = make_fig(plan);
    set_u32(&file, at, value);
    return file;
}

static struct bytes with_u16(const struct fig_plan *plan, size_t at, uint32_t value)
{
    struct bytes file = make_fig(plan);
    set_u16(&file, at, value);
    return file;
}

static struct expected_issue issue(ossa_severity severity, ossa_code code, size_t at,
                                   const char *field)
{
    return (struct expected_issue){severity, code, at, field};
}

static void add_unreadable(struct fixtures *all)
{
    static const char *const fields[] = {"vertex_block_count",     "normal_block_count",
                                         "texcoord_count",         "index_count",
                                         "vertex_component_count", "morph_component_count"};
    static const char *const names[] = {"vertices", "normals", "texcoords",
                                        "indices",  "corners", "morphs"};
    struct fig_plan plan = of_variants(4);
    struct fig_places at = find_fig_places(&plan);
    for (size_t i = 0; i < 6; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "ei-fig/many-%s", names[i]);
        fixture_add_broken(
            all, name, with_u32(&plan, COUNTS_AT + 4 * i, 0xffffffff), OSSA_CONFIDENCE_DAMAGED,
            issue(OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, COUNTS_AT + 4 * i, fields[i]));
    }
    struct bytes cut = make_fig(&plan);
    cut.size = at.end - 1; /* the last count is then one too many */
    fixture_add_broken(all, "ei-fig/cut", cut, OSSA_CONFIDENCE_DAMAGED,
                       issue(OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, COUNTS_AT + 20,
                             "morph_component_count"));
    struct bytes bounds = make_fig(&plan);
    bounds.size = at.vertices - 1;
    fixture_add_broken(all, "ei-fig/cut-bounds", bounds, OSSA_CONFIDENCE_DAMAGED,
                       issue(OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 40, "center"));
    struct bytes header = make_fig(&plan);
    header.size = 39;
    fixture_add_broken(all, "ei-fig/cut-header", header, OSSA_CONFIDENCE_DAMAGED,
                       issue(OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 36, "texture_number"));
    static const char digits[] = {'0', '3', '5', '7', '9', 'x'};
    for (size_t i = 0; i < sizeof digits; i++) {
        char name[40];
        struct bytes file = make_fig(&plan);
        set_u8(&file, 3, (uint8_t)digits[i]);
        (void)snprintf(name, sizeof name, "ei-fig/signature-%c", digits[i]);
        fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE,
                           issue(OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "signature"));
    }
}

static void add_rule_breakers(struct fixtures *all)
{
    struct fig_plan plan = of_variants(1);
    struct fig_places at = find_fig_places(&plan);
    fixture_add_broken(all, "ei-fig/zero", with_u32(&plan, ZERO_AT, 7), OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, ZERO_AT, "zero"));
    fixture_add_broken(all, "ei-fig/bad-index", with_u16(&plan, at.indices + 8, 9),
                       OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, at.indices + 8, "indices"));
    static const char *const fields[3] = {"vertex_components[2].vertex",
                                          "vertex_components[2].normal",
                                          "vertex_components[2].texcoord"};
    static const char *const names[3] = {"ei-fig/bad-vertex", "ei-fig/bad-normal",
                                         "ei-fig/bad-texcoord"};
    static const uint32_t limits[3] = {8, 4, 5};
    for (size_t m = 0; m < 3; m++) {
        size_t place = at.corners + 12 + 2 * m;
        fixture_add_broken(all, names[m], with_u16(&plan, place, limits[m]),
                           OSSA_CONFIDENCE_SIGNATURE,
                           issue(OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, place, fields[m]));
    }
    fixture_add_broken(all, "ei-fig/bad-morph", with_u16(&plan, at.morphs + 10, 8),
                       OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, at.morphs + 10,
                             "morph_components[2].vertex"));
    fixture_add_broken(all, "ei-fig/vertex-twice", with_u16(&plan, at.morphs + 14, 3),
                       OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at.morphs + 14,
                             "morph_components[3].vertex"));
    struct fig_plan loose = plan;
    loose.loose_indices = 2;
    fixture_add_broken(
        all, "ei-fig/no-triangles", make_fig(&loose), OSSA_CONFIDENCE_SIGNATURE,
        issue(OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, COUNTS_AT + 12, "index_count"));
    struct bytes tail = make_fig(&plan);
    put_text(&tail, "tail");
    fixture_add_broken(all, "ei-fig/trailing-bytes", tail, OSSA_CONFIDENCE_DAMAGED,
                       issue(OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, at.end, "tail"));
}

static void add_bad_values(struct fixtures *all)
{
    struct fig_plan plan = of_variants(1);
    struct fig_places at = find_fig_places(&plan);
    const struct {
        const char *name;
        size_t place;
        const char *field;
    } cases[] = {{"ei-fig/nan-center", at.center + 8, "center"},
                 {"ei-fig/nan-radius", at.radius, "radius"},
                 {"ei-fig/nan-vertex", at.vertices + 4, "vertices"},
                 {"ei-fig/nan-normal", at.normals + 12, "normals"},
                 {"ei-fig/nan-texcoord", at.texcoords + 12, "texcoords"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_add_broken(
            all, cases[i].name, with_u32(&plan, cases[i].place, 0x7fc00000),
            OSSA_CONFIDENCE_SIGNATURE,
            issue(OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, cases[i].place, cases[i].field))
            ->check_values = true;
    }
    size_t w = at.normals + 48 + 8; /* of the third normal */
    fixture_add_broken(all, "ei-fig/no-w", with_u32(&plan, w, 0x80000000),
                       OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, w, "normals"))
        ->check_values = true;
    struct fig_plan unused = of_variants(1); /* and nobody minds one that no corner has */
    unused.normal_blocks = 3;
    fixture_add(all, "ei-fig/unused-w",
                with_u32(&unused, find_fig_places(&unused).normals + 184, 0),
                OSSA_CONFIDENCE_SIGNATURE)
        ->check_values = true;
}

void generate_ei_fig(struct fixtures *all)
{
    add_good(all);
    add_empty(all);
    add_odd_floats(all);
    add_unreadable(all);
    add_rule_breakers(all);
    add_bad_values(all);
}
