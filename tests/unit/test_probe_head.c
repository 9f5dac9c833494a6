/* SPDX-License-Identifier: MIT
 *
 * What a format claims, it does not refuse by the beginning. */
#include "support/ar_fixture.h"
#include "support/group.h"
#include "support/testing.h"

#include "codec/format.h"

#include <stdlib.h>
#include <string.h>

/* Of all formats; the beginning alone is there. */
static unsigned require_no_refusal(const char *name, const struct bytes *bytes)
{
    unsigned claims = 0;
    if (bytes->size <= OSSA__HEAD) return 0;
    uint8_t *head = malloc(OSSA__HEAD);
    assert_non_null(head);
    memcpy(head, bytes->data, OSSA__HEAD);
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        require(format->may_begin != NULL, format->about.id, "reads files of no format whole");
        if (format->may_begin == NULL) continue;
        bool may_be = format->may_begin(head, bytes->size);
        bool is_claimed = format->probe(bytes->data, bytes->size) != OSSA_CONFIDENCE_NONE;
        require(may_be || !is_claimed, name, "is refused by %s", format->about.id);
        claims += is_claimed;
    }
    free(head);
    return claims;
}

/* Fixtures are small: with more behind them, with bytes that differ, and many times over. */
static void what_is_claimed_is_not_refused(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    unsigned claims = 0;
    uint32_t random = 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        claims += require_no_refusal(fixture->name, &fixture->bytes);
        for (unsigned kind = 0; kind < 12; kind++) {
            struct bytes bytes = {0};
            put_bytes(&bytes, fixture->bytes.data, fixture->bytes.size);
            if (kind < 3) put_repeated(&bytes, kind == 0 ? 0 : kind == 1 ? ' ' : 'x', 80000);
            while (kind >= 3 && bytes.size < 100000) {
                put_bytes(&bytes, fixture->bytes.data, fixture->bytes.size);
                if (fixture->bytes.size == 0) put_u8(&bytes, 0);
            }
            for (unsigned k = 4; k < kind; k++) {
                random = random * 1664525U + 1013904223U;
                set_u8(&bytes, (random >> 8) % (k < 8 ? 32 : bytes.size), (uint8_t)(random >> 24));
            }
            claims += require_no_refusal(fixture->name, &bytes);
            bytes_free(&bytes);
        }
    }
    assert_true(claims > all->count);
}

static unsigned take(const char *name, struct bytes bytes)
{
    assert_true(bytes.size > OSSA__HEAD);
    unsigned claims = require_no_refusal(name, &bytes);
    bytes_free(&bytes);
    return claims;
}

static struct bytes make_anm(uint32_t rotations, uint32_t translations, uint32_t frames)
{
    struct bytes bytes = {0};
    put_u32(&bytes, rotations);
    for (uint32_t i = 0; i < rotations; i++) {
        put_u32(&bytes, 0x3f800000);
        put_repeated(&bytes, 0, 12);
    }
    put_u32(&bytes, translations);
    put_repeated(&bytes, 0, (size_t)translations * 12);
    put_u32(&bytes, frames);
    if (frames == 0) return bytes;
    put_u32(&bytes, 100);
    put_repeated(&bytes, 0, (size_t)frames * 1200);
    return bytes;
}

static struct bytes make_anim(uint32_t channels, uint32_t frames)
{
    struct bytes bytes = {0};
    put_u32(&bytes, channels);
    put_u32(&bytes, frames);
    for (uint32_t i = 0; i < channels; i++) {
        put_u32(&bytes, 6);
        put_u32(&bytes, 0x3f800000);
        put_u8(&bytes, 1);
        put_repeated(&bytes, 0, (size_t)frames * 24);
    }
    return bytes;
}

/* Files of each format that is known by its arithmetic, with the numbers that decide at the
 * beginning and behind it. */
static void large_files_are_not_refused(void **state)
{
    (void)state;
    assert_true(take("lnk", make_big_lnk(LNK_RANDOM, 10000)) > 0);
    assert_true(take("skel", make_big_skel(LNK_CHAIN, 10000)) > 0);
    assert_true(take("csv", make_big_csv(10000, false)) > 0);
    assert_true(take("mod", make_big_mod(100, 10000)) > 0);
    assert_true(take("anb", make_big_anb(10000, 3)) > 0);
    assert_true(take("ares", make_big_ares(10000)) > 0);
    assert_true(take("zip", make_big_zip(10000)) > 0);
    assert_true(take("anm", make_anm(10000, 10000, 0)) > 0);
    assert_true(take("anm, translations", make_anm(10, 10000, 0)) > 0);
    assert_true(take("anm, morphs", make_anm(10, 10, 100)) > 0);
    assert_true(take("anm, morphs behind", make_anm(4094, 0, 100)) > 0);
    assert_true(take("anim", make_anim(1, 10000)) > 0);
    assert_true(take("anim, channels", make_anim(100, 100)) > 0);
    struct bytes cam = {0};
    for (uint32_t i = 0; i < 10000; i++) {
        put_repeated(&cam, 0, 20);
        put_u32(&cam, 0x3f800000);
        put_repeated(&cam, 0, 12);
    }
    assert_true(take("cam", cam) > 0);
    struct bytes pak = {0};
    put_u32(&pak, 1);
    put_u32(&pak, 8);
    put_text(&pak, "one");
    put_u8(&pak, 0);
    put_u32(&pak, 100000);
    put_repeated(&pak, 7, 100000);
    assert_true(take("pak", pak) > 0);
    struct bytes var = {0};
    put_u32(&var, 256);
    put_u32(&var, 256);
    put_repeated(&var, 9, 256 * 256 * 4);
    assert_true(take("var", var) > 0);
}

TEST_GROUP(test_probe_head)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_claimed_is_not_refused),
        cmocka_unit_test(large_files_are_not_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
