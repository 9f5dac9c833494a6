/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

static struct bytes make(uint32_t seed, uint32_t count)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_text(&file, "DOTS");
    put_u32(&file, count);
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 3; k++) put_f32(&file, next_float(&random, 2));
        put_u32(&file, 0xff000000U + i);
    }
    return file;
}

void generate_sotc_dots(struct fixtures *all)
{
    fixture_add(all, "sotc-dots/plain", make(1, 3), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-dots/none", make(2, 0), OSSA_CONFIDENCE_SIGNATURE);
    struct bytes magic = make(3, 1);
    set_u8(&magic, 3, 'X');
    fixture_add_broken(
        all, "sotc-dots/bad-magic", magic, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "magic"});
    struct bytes count = make(4, 2);
    set_u32(&count, 4, 3);
    fixture_add_broken(
        all, "sotc-dots/count-too-large", count, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "dot_count"});
    struct bytes tail = make(5, 1);
    put_text(&tail, "tail");
    fixture_add_broken(
        all, "sotc-dots/tail", tail, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, 24, "tail"});
    struct bytes nan = make(6, 2);
    set_u32(&nan, 28, 0x7fc00000);
    fixture_add_broken(all, "sotc-dots/nan", nan, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, 28,
                                               "dots[1].position"})
        ->check_values = true;
}
