/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

enum { KEY = 36, ROTATION = 20 }; /* bytes of a key; where its rotation is */

static struct bytes make(uint32_t seed, uint32_t keys)
{
    struct random random = {seed};
    struct bytes file = {0};
    for (uint32_t i = 0; i < keys; i++) {
        float wxyz[4];
        put_f32(&file, (float)i / 4.0F + 1.0F); /* time */
        put_f32(&file, next_float(&random, 1)); /* step */
        for (unsigned k = 0; k < 3; k++) put_f32(&file, next_float(&random, 50));
        next_unit(&random, wxyz);
        for (unsigned k = 0; k < 4; k++) put_f32(&file, wxyz[k]);
    }
    return file;
}

/* One key that is not turned, at a place that any BON could have: in 72 bytes only the rotations
 * tell. */
static void put_plain(struct bytes *file, float time, float x)
{
    const float key[9] = {time, 0.0F, x, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F};
    for (unsigned i = 0; i < 9; i++) put_f32(file, key[i]);
}

static struct bytes make_plain(void)
{
    struct bytes file = {0};
    put_plain(&file, 0.0F, 0.0F);
    put_plain(&file, 1.0F, 2.0F);
    return file;
}

static void add_good(struct fixtures *all)
{
    fixture_add(all, "ei-cam/seven", make(111, 7), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-cam/one", make(112, 1), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-cam/two", make(113, 2), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-cam/plain", make_plain(), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-cam/big", make(114, 300), OSSA_CONFIDENCE_PLAUSIBLE);
}

/* Readable, but nothing that a probe would take for a path. */
static void add_odd(struct fixtures *all)
{
    static const uint32_t bits[] = {0x7fc00000, 0x7f800001, 0xffc12345, 0x7f800000, 0x80000000,
                                    0x00000001, 0x807fffff, 0x7f7fffff, 0x3f800000};
    struct bytes odd = {0};
    for (unsigned i = 0; i < 18; i++) put_u32(&odd, bits[i % 9]);
    fixture_add(all, "ei-cam/odd-floats", odd, OSSA_CONFIDENCE_NONE);
    struct bytes zeros = {0};
    put_repeated(&zeros, 0, 5 * KEY);
    fixture_add(all, "ei-cam/zeros", zeros, OSSA_CONFIDENCE_NONE);
}

static void add_rule_breakers(struct fixtures *all)
{
    struct bytes tail = make(115, 3);
    put_text(&tail, "tail");
    fixture_add_broken(
        all, "ei-cam/trailing-bytes", tail, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, 3ULL * KEY, "tail"});
    struct bytes cut = make(116, 1);
    cut.size = KEY - 1;
    fixture_add_broken(
        all, "ei-cam/cut", cut, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "keys"});
}

static void add_value(struct fixtures *all, const char *name, size_t at, uint32_t bits,
                      ossa_confidence confidence, struct expected_issue issue)
{
    struct bytes file = make(117, 6);
    set_u32(&file, at, bits);
    fixture_add_broken(all, name, file, confidence, issue)->check_values = true;
}

static void add_bad_values(struct fixtures *all)
{
    const size_t third = 3UL * KEY;
    const struct expected_issue not_finite = {OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, 0,
                                              "keys"};
    struct expected_issue issue = not_finite;
    issue.offset = third;
    add_value(all, "ei-cam/nan-time", third, 0x7fc00000, OSSA_CONFIDENCE_NONE, issue);
    issue.offset = third + 4;
    add_value(all, "ei-cam/nan-step", third + 4, 0xffc00000, OSSA_CONFIDENCE_PLAUSIBLE, issue);
    issue.offset = third + 12;
    add_value(all, "ei-cam/infinite-position", third + 12, 0xff800000, OSSA_CONFIDENCE_NONE, issue);
    issue.offset = third + ROTATION + 8;
    add_value(all, "ei-cam/nan-rotation", third + ROTATION + 8, 0x7fc00000, OSSA_CONFIDENCE_NONE,
              issue);
    add_value(all, "ei-cam/not-unit", third + ROTATION, 0x40400000, OSSA_CONFIDENCE_NONE,
              (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, third + ROTATION,
                                      "keys[3].rotation"});
    add_value(
        all, "ei-cam/equal-times", third, bits_of_f32(1.5F), OSSA_CONFIDENCE_PLAUSIBLE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, third, "keys[3].time"});
    add_value(
        all, "ei-cam/falling-times", third, bits_of_f32(-1.0F), OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, third, "keys[3].time"});
}

void generate_ei_cam(struct fixtures *all)
{
    add_good(all);
    add_odd(all);
    add_rule_breakers(all);
    add_bad_values(all);
}
