/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/mm_pedestrian.h"

static struct bytes make_var(uint32_t seed, uint32_t variants, uint32_t materials, uint32_t stored)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, variants);
    put_u32(&file, materials);
    for (uint32_t i = 0; i < stored; i++) put_u8(&file, next_random(&random) & 0xff);
    return file;
}

static void add_unreadable(struct fixtures *all)
{
    struct bytes cut = make_var(4, 2, 3, 23);
    fixture_add_broken(
        all, "mm-var/cut", cut, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "variant_count"});
    fixture_add_broken(
        all, "mm-var/countless", make_var(5, 0xffffffff, 0xffffffff, 16), OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "variant_count"});
    fixture_add_broken(all, "mm-var/no-materials", make_var(6, 0xffffffff, 0, 0),
                       OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_ZERO_WIDTH, 4,
                                               "material_count"});
    struct bytes header = make_var(7, 1, 1, 0);
    header.size = 7;
    fixture_add_broken(all, "mm-var/cut-header", header, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 4,
                                               "material_count"});
}

void generate_mm_var(struct fixtures *all)
{
    fixture_add(all, "mm-var/mm1-pedestrian", make_mm1_var(), OSSA_CONFIDENCE_ARITHMETIC);
    fixture_add(all, "mm-var/one", make_var(1, 1, 1, 4), OSSA_CONFIDENCE_ARITHMETIC);
    fixture_add(all, "mm-var/many", make_var(2, 48, 18, 48 * 18 * 4), OSSA_CONFIDENCE_DAMAGED);
    /* More than a pedestrian has. */
    fixture_add(all, "mm-var/too-many", make_var(3, 1000, 1, 4000), OSSA_CONFIDENCE_NONE);
    /* Any number of materials where no variant has them. (Eight bytes alone are an animation.) */
    struct fixture *none = fixture_add_broken(
        all, "mm-var/no-variants", make_var(8, 0, 0xffffffff, 2), OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0,
                                "variant_count"});
    fixture_expect(none, OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, 8, "tail");
    fixture_add_broken(
        all, "mm-var/tail", make_var(9, 2, 2, 17), OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, 24, "tail"});
    add_unreadable(all);
}
