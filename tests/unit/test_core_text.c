/* SPDX-License-Identifier: MIT
 *
 * Code page 1251 and UTF-8, and words without case. */
#include "test_core.h"

#include "base/text.h"

/* ---- code page 1251 ------------------------------------------------------------------------ */

/* The upper half as it is printed; 0x98 has no character. */
static const char upper_half[] = "ЂЃ‚ѓ„…†‡"
                                 "€‰Љ‹ЊЌЋЏ"
                                 "ђ‘’“”•–—"
                                 "\xc2\x98™љ›њќћџ"
                                 "\xc2\xa0ЎўЈ¤Ґ¦§"
                                 "Ё©Є«¬\xc2\xad®Ї"
                                 "°±Ііґµ¶·"
                                 "ё№є»јЅѕї"
                                 "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
                                 "абвгдежзийклмнопрстуфхцчшщъыьэюя";

static void every_byte_has_its_character(void **state)
{
    (void)state;
    const char *at = upper_half;
    size_t left = sizeof upper_half - 1;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint32_t expected = byte;
        if (byte >= 0x80) {
            assert_true(left > 0);
            size_t used = ossa__utf8_decode(at, left, &expected);
            at += used;
            left -= used;
        }
        assert_int_equal(ossa__cp1251_to_unicode((uint8_t)byte), expected);
        assert_int_equal(ossa__cp1251_from_unicode(expected), byte);
    }
    assert_int_equal(left, 0);
}

static void other_characters_have_no_byte(void **state)
{
    (void)state;
    unsigned found = 0;
    for (uint32_t character = 0; character <= 0x10ffff; character++) {
        int byte = ossa__cp1251_from_unicode(character);
        if (byte < 0) continue;
        assert_in_range(byte, 0, 255);
        assert_int_equal(ossa__cp1251_to_unicode((uint8_t)byte), character);
        found++;
    }
    assert_int_equal(found, 256);
    assert_int_equal(ossa__cp1251_from_unicode(UINT32_MAX), -1);
}

/* The small letter of a character in Unicode's Latin and Cyrillic blocks, by their layout. */
static uint32_t unicode_lower(uint32_t character)
{
    if (character >= 'A' && character <= 'Z') return character + 0x20;
    if (character >= 0x400 && character <= 0x40f) return character + 0x50;
    if (character >= 0x410 && character <= 0x42f) return character + 0x20;
    return character == 0x490 ? 0x491 : character;
}

static void case_is_unicodes(void **state)
{
    (void)state;
    unsigned capitals = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint32_t character = ossa__cp1251_to_unicode((uint8_t)byte);
        uint32_t lower = unicode_lower(character);
        uint8_t found = ossa__cp1251_lower[byte];
        assert_int_equal(ossa__cp1251_to_unicode(found), lower);
        assert_int_equal(ossa__cp1251_lower[found], found);
        capitals += found != byte;
    }
    assert_int_equal(capitals, 26 + 32 + 15);
}

/* ---- UTF-8 --------------------------------------------------------------------------------- */

static void characters_go_both_ways(void **state)
{
    (void)state;
    for (uint32_t character = 0; character <= 0x10ffff; character++) {
        if (character >= 0xd800 && character <= 0xdfff) continue;
        char bytes[4];
        uint32_t back = UINT32_MAX;
        size_t size = ossa__utf8_encode(character, bytes);
        size_t expected = character < 0x80      ? 1
                          : character < 0x800   ? 2
                          : character < 0x10000 ? 3
                                                : 4;
        assert_int_equal(size, expected);
        assert_int_equal(ossa__utf8_decode(bytes, size, &back), size);
        assert_int_equal(back, character);
    }
}

static void known_encodings(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t character;
    } table[] = {{"A", 'A'},
                 {"\xc2\x80", 0x80},
                 {"\xdf\xbf", 0x7ff},
                 {"\xe0\xa0\x80", 0x800},
                 {"\xed\x9f\xbf", 0xd7ff},
                 {"\xee\x80\x80", 0xe000},
                 {"\xef\xbf\xbf", 0xffff},
                 {"\xf0\x90\x80\x80", 0x10000},
                 {"\xf4\x8f\xbf\xbf", 0x10ffff}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        uint32_t character = 0;
        size_t size = strlen(table[i].bytes);
        assert_int_equal(ossa__utf8_decode(table[i].bytes, size, &character), size);
        assert_int_equal(character, table[i].character);
        char bytes[4];
        assert_int_equal(ossa__utf8_encode(character, bytes), size);
        assert_memory_equal(bytes, table[i].bytes, size);
    }
}

static void malformed_sequences_are_replaced(void **state)
{
    (void)state;
    static const char *const table[] = {
        "\x80",             /* a lone continuation */
        "\xbf\xbf",         /* two of them */
        "\xc0\x80",         /* NUL, too long */
        "\xc1\xbf",         /* DEL, too long */
        "\xc2",             /* cut short */
        "\xc2\x41",         /* no continuation */
        "\xe0\x9f\xbf",     /* too long */
        "\xe2\x82",         /* cut short */
        "\xe2\x82\x41",     /* no continuation at the end */
        "\xed\xa0\x80",     /* a surrogate */
        "\xed\xbf\xbf",     /* a surrogate */
        "\xf0\x8f\xbf\xbf", /* too long */
        "\xf0\x90\x80",     /* cut short */
        "\xf4\x90\x80\x80", /* past the last character */
        "\xf5\x80\x80\x80", /* no such lead */
        "\xff",
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        uint32_t character = 0;
        assert_int_equal(ossa__utf8_decode(table[i], strlen(table[i]), &character), 1);
        assert_int_equal(character, 0xfffd);
    }
    uint32_t character = 0;
    /* What lies behind the size given is not looked at. */
    assert_int_equal(ossa__utf8_decode("\xe2\x82\xac", 2, &character), 1);
    assert_int_equal(character, 0xfffd);
}

/* Whatever the bytes, decoding moves on and never gives what is no character. */
static void decoding_always_ends(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (unsigned round = 0; round < 20000; round++) {
        char bytes[8];
        size_t size = 1 + random_below(&seed, sizeof bytes);
        for (size_t i = 0; i < size; i++) bytes[i] = (char)random_u32(&seed);
        uint32_t character = UINT32_MAX;
        size_t used = ossa__utf8_decode(bytes, size, &character);
        assert_in_range(used, 1, size < 4 ? size : 4);
        assert_true(character <= 0x10ffff && !(character >= 0xd800 && character <= 0xdfff));
        char again[4];
        if (character != 0xfffd) {
            assert_int_equal(ossa__utf8_encode(character, again), used);
            assert_memory_equal(again, bytes, used); /* there is one way to write it */
        }
    }
}

/* ---- words --------------------------------------------------------------------------------- */

static void words_without_case(void **state)
{
    (void)state;
    assert_true(ossa__same_word("AnM", 3, "aNm", 3));
    assert_true(ossa__same_word("", 0, "", 0));
    assert_true(ossa__same_word("anm more", 3, "anm", 3));
    assert_false(ossa__same_word("anm", 3, "anb", 3));
    assert_false(ossa__same_word("anm", 3, "an", 2));
    assert_false(ossa__same_word("[", 1, "{", 1)); /* 0x20 apart, but no letters */
    assert_false(ossa__same_word("@", 1, "`", 1));
    assert_false(ossa__same_word("\xc0", 1, "\xe0", 1));
}

static void names_without_case(void **state)
{
    (void)state;
    assert_int_equal(ossa__compare_names("Hand", "hAND"), 0);
    assert_int_equal(ossa__compare_names("", ""), 0);
    assert_int_equal(ossa__compare_names("ЁЖИК Ґ", "ёжик ґ"), 0);
    assert_int_equal(ossa__compare_names("\xf0\x9f\xa6\xb4", "\xf0\x9f\xa6\xb4"), 0);
    assert_true(ossa__compare_names("hand", "HANDS") < 0);
    assert_true(ossa__compare_names("B", "a") > 0);
    assert_int_not_equal(ossa__compare_names("hand", "hands"), 0);
    assert_int_not_equal(ossa__compare_names("hands", "hand"), 0);
    assert_int_not_equal(ossa__compare_names("ёж", "еж"), 0);
    assert_int_not_equal(ossa__compare_names("[", "{"), 0);
}

TEST_GROUP(test_core_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_has_its_character),
        cmocka_unit_test(other_characters_have_no_byte),
        cmocka_unit_test(case_is_unicodes),
        cmocka_unit_test(characters_go_both_ways),
        cmocka_unit_test(known_encodings),
        cmocka_unit_test(malformed_sequences_are_replaced),
        cmocka_unit_test(decoding_always_ends),
        cmocka_unit_test(words_without_case),
        cmocka_unit_test(names_without_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
