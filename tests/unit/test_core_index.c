/* SPDX-License-Identifier: MIT
 *
 * Names are found again, whatever they are and wherever the hash puts them. */
#include "support/group.h"
#include "support/testing.h"

#include "base/index.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 200000 };

/* An index for so many names; in one slot, all of them are in one tree. */
static struct ossa__index start(uint64_t capacity, const uint8_t *fold, bool is_one_slot)
{
    struct ossa__index index;
    void *memory = malloc((size_t)ossa__index_size(capacity));
    assert_non_null(memory);
    ossa__index_start(&index, memory, capacity, fold);
    if (is_one_slot) index.slot_mask = 0;
    return index;
}

static void finish(struct ossa__index *index)
{
    free(index->keys);
}

/* Every text of up to `length` letters of `letters`, one after the other; false at the end. */
static bool next_text(char *text, const char *letters, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *letter = text[i] == '\0' ? NULL : strchr(letters, text[i]);
        if (letter == NULL || letter[1] != '\0') {
            text[i] = letter == NULL ? letters[0] : letter[1];
            return true;
        }
        text[i] = letters[0];
    }
    return false;
}

/* Whether names begin alike, end early or differ in one bit: each is itself and no other. */
static void every_name_is_found(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        static char texts[1 << 10][8];
        struct ossa__index index = start(1 << 10, NULL, one == 1);
        uint32_t count = 0;
        char text[8] = "";
        do memcpy(texts[count++], text, sizeof text);
        while (next_text(text, "ab\x7f\xff", 4));
        assert_int_equal(count, 1 + 4 + 16 + 64 + 256);
        for (uint32_t i = 0; i < 2 * count; i++) {
            const char *name = texts[i % count];
            uint32_t size = (uint32_t)strlen(name);
            int64_t expected = i < count ? OSSA__NOT_FOUND : (int64_t)(i - count);
            assert_int_equal(ossa__index_find(&index, name, size), expected);
            assert_int_equal(ossa__index_add(&index, name, size, i), i % count);
            assert_int_equal(ossa__index_find(&index, name, size), i % count);
            assert_int_equal(ossa__index_find(&index, "abaab", 5), OSSA__NOT_FOUND);
        }
        assert_int_equal(index.key_count, count);
        finish(&index);
    }
}

static void a_name_may_contain_any_byte(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        static const char zeros[4] = "";
        struct ossa__index index = start(8, NULL, one == 1);
        for (uint32_t size = 0; size < 4; size++) {
            assert_int_equal(ossa__index_add(&index, zeros, size, 10 + size), 10 + size);
        }
        for (uint32_t size = 0; size < 4; size++) {
            assert_int_equal(ossa__index_find(&index, zeros, size), 10 + size);
        }
        assert_int_equal(ossa__index_find(&index, "\0\0\0\1", 4), OSSA__NOT_FOUND);
        finish(&index);
    }
}

static void case_is_what_the_table_says(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        struct ossa__index index = start(8, ossa__cp1251_lower, one == 1);
        assert_int_equal(ossa__index_add(&index, "Head.\xc0", 6, 0), 0);
        assert_int_equal(ossa__index_add(&index, "tail", 4, 1), 1);
        assert_int_equal(ossa__index_add(&index, "hEAD.\xe0", 6, 2), 0);
        assert_int_equal(ossa__index_find(&index, "HEAD.\xe0", 6), 0);
        assert_int_equal(ossa__index_find(&index, "TAIL", 4), 1);
        assert_int_equal(ossa__index_find(&index, "head.\xe1", 6), OSSA__NOT_FOUND);
        finish(&index);
    }
}

/* A symbol has nine bits, and a name one more than it has bytes. */
static void require_few_steps(const struct ossa__index *index, uint64_t names, uint32_t size)
{
    require(index->passed <= 9 * names * (size + 1), "steps", "%llu for %llu names",
            (unsigned long long)index->passed, (unsigned long long)names);
    assert_true(index->passed >= names);
}

/* As if somebody had made them so. */
static void names_in_one_slot_stay_fast(void **state)
{
    (void)state;
    struct ossa__index index = start(MANY, NULL, true);
    char(*names)[8] = calloc(MANY, sizeof *names);
    assert_non_null(names);
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof names[i], "%u", i);
        assert_int_equal(ossa__index_add(&index, names[i], (uint32_t)strlen(names[i]), i), i);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(ossa__index_find(&index, names[i], (uint32_t)strlen(names[i])), i);
    }
    require_few_steps(&index, MANY, 6);
    free(names);
    finish(&index);
}

/* Names that begin alike make a deep tree, which short ones do not climb down. */
static void long_names_do_not_slow_short_ones(void **state)
{
    (void)state;
    enum { DEEP = 1000 };
    char(*names)[DEEP] = calloc(DEEP, sizeof *names);
    assert_non_null(names);
    struct ossa__index index = start(DEEP, NULL, true);
    for (uint32_t i = 1; i < DEEP; i++) {
        memset(names[i], 'a', i);
        names[i][i] = 'c'; /* parts from 'a' where the end of a name does not */
        assert_int_equal(ossa__index_add(&index, names[i], i + 1, i), i);
    }
    index.passed = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(ossa__index_find(&index, i % 2 == 0 ? "a" : "b", 1), OSSA__NOT_FOUND);
    }
    require_few_steps(&index, MANY, 1);
    for (uint32_t i = 1; i < DEEP; i++) {
        assert_int_equal(ossa__index_find(&index, names[i], i + 1), i);
    }
    free(names);
    finish(&index);
}

static void too_many_names_are_refused(void **state)
{
    (void)state;
    assert_true(ossa__index_size(0) > 0);
    assert_true(ossa__index_size(1) > ossa__index_size(0));
    assert_int_equal(ossa__index_size(1U << 30), 0);
    assert_int_equal(ossa__index_size(UINT64_MAX), 0);
}

TEST_GROUP(test_core_index)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_found),
        cmocka_unit_test(a_name_may_contain_any_byte),
        cmocka_unit_test(case_is_what_the_table_says),
        cmocka_unit_test(names_in_one_slot_stay_fast),
        cmocka_unit_test(long_names_do_not_slow_short_ones),
        cmocka_unit_test(too_many_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
