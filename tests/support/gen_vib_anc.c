/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

enum { HEADER = 6, KEY = 16, TARGET = 6 }; /* bytes; where the target is in a key */

static struct bytes begin(uint32_t rate, uint32_t keys)
{
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, rate);
    put_u16(&file, keys);
    return file;
}

static struct bytes make(uint32_t seed, uint32_t rate, uint32_t keys)
{
    struct random random = {seed};
    struct bytes file = begin(rate, keys);
    for (uint32_t i = 0; i < 8 * keys; i++) put_u16(&file, next_random(&random) & 0xffff);
    return file;
}

/* Both ends of the numbers. */
static struct bytes make_extremes(void)
{
    static const uint32_t numbers[8] = {0x8000, 0x7fff, 0xffff, 0x7fff, 0x8000, 1, 0x8000, 0x7fff};
    struct bytes file = begin(60, 2);
    for (unsigned i = 0; i < 16; i++) put_u16(&file, numbers[(i + i / 8) % 8]);
    return file;
}

/* One key whose eye begins like the table of offsets of an animation with one frame. */
static struct bytes make_like_a_table(uint32_t second)
{
    struct bytes file = make(125, 30, 1);
    set_u16(&file, HEADER, 5);
    set_u16(&file, HEADER + 2, second);
    return file;
}

static void add_good(struct fixtures *all)
{
    fixture_add(all, "vib-anc/eight-keys", make(121, 30, 8), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anc/one-key", make(122, 1, 1), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anc/extremes", make_extremes(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anc/big", make(123, 15, 1000), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anc/like-a-first-offset", make_like_a_table(12),
                OSSA_CONFIDENCE_SIGNATURE);
}

static void add_cut(struct fixtures *all, const char *name, size_t size, ossa_confidence confidence,
                    struct expected_issue issue)
{
    struct bytes file = make(124, 20, 3);
    file.size = size;
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_unreadable(struct fixtures *all)
{
    struct expected_issue cut = {OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "magic"};
    add_cut(all, "vib-anc/cut-magic", 1, OSSA_CONFIDENCE_NONE, cut);
    cut.offset = 2;
    cut.field = "rate";
    add_cut(all, "vib-anc/cut-rate", 3, OSSA_CONFIDENCE_NONE, cut);
    cut.offset = 4;
    cut.field = "key_count";
    add_cut(all, "vib-anc/cut-key-count", 5, OSSA_CONFIDENCE_NONE, cut);
    cut.offset = HEADER;
    cut.field = "keys";
    /* So short it may as well be an animation: then only a name tells. */
    add_cut(all, "vib-anc/header-only", HEADER, OSSA_CONFIDENCE_NONE, cut);
    add_cut(all, "vib-anc/cut-keys", HEADER + 2 * KEY + 5, OSSA_CONFIDENCE_DAMAGED, cut);
    struct bytes magic = make(126, 30, 2);
    set_u16(&magic, 0, 0x0080);
    fixture_add_broken(
        all, "vib-anc/bad-magic", magic, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "magic"});
}

static void add_rule_breakers(struct fixtures *all)
{
    struct bytes tail = make(127, 30, 2);
    put_text(&tail, "odd");
    fixture_add_broken(all, "vib-anc/trailing-bytes", tail, OSSA_CONFIDENCE_DAMAGED,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES,
                                               HEADER + 2ULL * KEY, "tail"});
    fixture_add_broken(
        all, "vib-anc/unusual-rate", make(128, 0xffff, 2), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 2, "rate"});
    fixture_add_broken(
        all, "vib-anc/no-keys", begin(30, 0), OSSA_CONFIDENCE_EMPTY,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 4, "key_count"});
    struct bytes nowhere = make(129, 30, 4);
    for (size_t key = 1; key < 4; key += 2) {
        size_t at = HEADER + key * KEY;
        for (size_t k = 0; k < 6; k += 2) {
            set_u16(&nowhere, at + TARGET + k, get_u16(&nowhere, at + k));
        }
    }
    fixture_add_broken(all, "vib-anc/looks-nowhere", nowhere, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               HEADER + KEY + TARGET, "keys[1].target"})
        ->check_values = true;
}

void generate_vib_anc(struct fixtures *all)
{
    add_good(all);
    add_unreadable(all);
    add_rule_breakers(all);
}
