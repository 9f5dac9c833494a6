/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/mm_pedestrian.h"

#include <string.h>

enum { BYTES = 0x80 };

static void put_name(struct bytes *file, const char *name)
{
    put_u8(file, (uint32_t)strlen(name));
    put_text(file, name);
}

/* Floats of a colour from 0 to 1, with few digits. */
static void put_colours(struct bytes *file, struct random *random, unsigned count)
{
    for (unsigned i = 0; i < count; i++) put_f32(file, (float)(next_random(random) % 65) / 64.0F);
}

static struct bytes make_floats(uint32_t seed, uint32_t variants, uint32_t materials,
                                const char *name)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, variants);
    put_u32(&file, materials);
    for (uint32_t i = 0; i < variants * materials; i++) {
        put_name(&file, i % 2 == 0 ? name : "");
        put_colours(&file, &random, 17);
    }
    return file;
}

static struct bytes make_byte_colours(uint32_t seed, uint32_t variants, uint32_t materials)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, variants | BYTES);
    put_u32(&file, materials);
    for (uint32_t i = 0; i < variants * materials; i++) {
        put_name(&file, i % 3 == 1 ? "jacket" : "");
        for (unsigned k = 0; k < 12; k++) put_u8(&file, next_random(&random) & 0xff);
        put_f32(&file, 0.5F);
    }
    return file;
}

static void add_unreadable(struct fixtures *all)
{
    struct bytes cut = make_floats(7, 2, 2, "skirt");
    cut.size--;
    fixture_add_broken(all, "mm-shaders/cut", cut, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                                               8 + 3 * 69 + 10 + 65,
                                               "variants[1].materials[1].power"});
    struct bytes fewer = make_floats(8, 1, 2, "");
    set_u32(&fewer, 0, 2);
    fixture_add_broken(
        all, "mm-shaders/too-many", fewer, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "variant_count"});
    struct bytes countless = make_floats(9, 1, 1, "");
    set_u32(&countless, 0, 0xffffffff);
    set_u32(&countless, 4, 0xffffffff);
    fixture_add_broken(
        all, "mm-shaders/countless", countless, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "variant_count"});
    struct bytes none = make_floats(10, 0, 0, "");
    set_u32(&none, 0, 0x7f);
    fixture_add_broken(all, "mm-shaders/no-materials", none, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_ZERO_WIDTH, 4,
                                               "material_count"});
    struct bytes name = make_floats(11, 1, 1, "a");
    set_u8(&name, 8, 255);
    fixture_add_broken(all, "mm-shaders/long-name", name, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 9,
                                               "variants[0].materials[0].name"});
}

void generate_mm_shaders(struct fixtures *all)
{
    fixture_add(all, "mm-shaders/mm2-pedestrian", make_mm2_shaders(), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-shaders/floats", make_floats(1, 3, 2, "coat"), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-shaders/one", make_floats(2, 1, 1, ""), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-shaders/bytes", make_byte_colours(3, 4, 3), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-shaders/big", make_floats(4, 48, 18, ""), OSSA_CONFIDENCE_PLAUSIBLE);
    /* Names of any bytes; one with a NUL at its end is still plausible. */
    struct bytes nul = make_floats(12, 1, 1, "ab");
    set_u8(&nul, 10, 0);
    fixture_add(all, "mm-shaders/nul-in-name", nul, OSSA_CONFIDENCE_PLAUSIBLE);
    struct bytes odd = make_floats(13, 1, 1, "\x01\xe9\n");
    fixture_add(all, "mm-shaders/odd-name", odd, OSSA_CONFIDENCE_NONE);
    fixture_add_broken(all, "mm-shaders/no-variants", make_byte_colours(14, 0, 7),
                       OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0,
                                               "variant_count"});
    struct bytes tail = make_floats(5, 2, 2, "hat");
    uint64_t end = tail.size;
    put_repeated(&tail, 0xa5, 5);
    fixture_add_broken(
        all, "mm-shaders/tail", tail, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_TRAILING_BYTES, end, "tail"});
    struct bytes wild = make_floats(6, 1, 2, "");
    set_u32(&wild, 8 + 69 + 1 + 4 * 16, 0x7fc00123);
    fixture_add_broken(all, "mm-shaders/nan", wild, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, 8 + 69,
                                               "variants[0].materials[1]"})
        ->check_values = true;
    add_unreadable(all);
}
