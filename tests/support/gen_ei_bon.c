/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

static struct bytes make(uint32_t seed, uint32_t positions)
{
    struct random random = {seed};
    struct bytes file = {0};
    for (uint32_t i = 0; i < 3 * positions; i++) put_f32(&file, next_float(&random, 2));
    return file;
}

static struct bytes make_of_bits(const uint32_t *bits, size_t count)
{
    struct bytes file = {0};
    for (size_t i = 0; i < count; i++) put_u32(&file, bits[i]);
    return file;
}

static void add_good(struct fixtures *all)
{
    /* -0, and the least and the most that still look like a place: 1e-6 and 1e4. */
    static const uint32_t limits[] = {0x80000000, 0x358637bd, 0xb58637bd,
                                      0x461c4000, 0xc61c4000, 0x00000000};
    static const uint32_t origin[] = {0, 0, 0};
    fixture_add(all, "ei-bon/eight", make(91, 8), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-bon/six", make(92, 6), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-bon/four", make(93, 4), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-bon/two", make(94, 2), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-bon/one", make(95, 1), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-bon/origin", make_of_bits(origin, 3), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-bon/limits", make_of_bits(limits, 6), OSSA_CONFIDENCE_PLAUSIBLE);
}

/* Readable, but nothing that a probe would take for a place. */
static void add_odd(struct fixtures *all)
{
    static const uint32_t odd[] = {0x7fc00000, 0x7f800001, 0xffc12345, 0x7f800000,
                                   0xff800000, 0x80000000, 0x00000001, 0x807fffff,
                                   0x7f7fffff, 0x00800000, 0x3f800000, 0xbf800000};
    static const uint32_t small[] = {0x3f800000, 0x358637bc, 0x3f800000}; /* just below 1e-6 */
    static const uint32_t large[] = {0x3f800000, 0xc61c4001, 0x3f800000}; /* just above 1e4 */
    fixture_add(all, "ei-bon/odd-floats", make_of_bits(odd, 12), OSSA_CONFIDENCE_NONE);
    fixture_add(all, "ei-bon/too-small", make_of_bits(small, 3), OSSA_CONFIDENCE_NONE);
    fixture_add(all, "ei-bon/too-large", make_of_bits(large, 3), OSSA_CONFIDENCE_NONE);
}

static void add_rule_breakers(struct fixtures *all)
{
    const struct expected_issue unusual = {OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0,
                                           "positions"};
    fixture_add_broken(all, "ei-bon/three", make(96, 3), OSSA_CONFIDENCE_NONE, unusual);
    fixture_add_broken(all, "ei-bon/big", make(97, 3000), OSSA_CONFIDENCE_NONE, unusual);
    struct bytes tail = make(98, 8);
    put_text(&tail, "tail");
    fixture_add_broken(
        all, "ei-bon/trailing-bytes", tail, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, 96, "tail"});
    struct bytes both = make(99, 3);
    put_repeated(&both, 0, 11);
    struct fixture *fixture = fixture_add_broken(
        all, "ei-bon/three-and-tail", both, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, 36, "tail"});
    fixture_expect(fixture, unusual.severity, unusual.code, unusual.offset, unusual.field);
    struct bytes cut = make(100, 1);
    cut.size = 11;
    fixture_add_broken(
        all, "ei-bon/cut", cut, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "positions"});
}

static void add_bad_values(struct fixtures *all)
{
    const size_t at = 12 * 5 + 4; /* y of the sixth */
    static const uint32_t bits[] = {0x7fc00000, 0xff800000};
    static const char *const names[] = {"ei-bon/nan", "ei-bon/infinite"};
    for (size_t i = 0; i < 2; i++) {
        struct bytes file = make(101, 8);
        set_u32(&file, at, bits[i]);
        fixture_add_broken(
            all, names[i], file, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, at, "positions"})
            ->check_values = true;
    }
}

void generate_ei_bon(struct fixtures *all)
{
    add_good(all);
    add_odd(all);
    add_rule_breakers(all);
    add_bad_values(all);
}
