/* SPDX-License-Identifier: MIT
 *
 * The stable sort, against the simplest one. */
#include "test_core.h"

#include "codec/sort.h"

struct item {
    uint32_t key;
    uint32_t place; /* before sorting */
};

static bool key_before(const void *a, const void *b, void *user)
{
    const struct item *x = a;
    const struct item *y = b;
    (*(size_t *)user)++;
    return x->key < y->key;
}

/* Insertion: what it does cannot be doubted. */
static void sort_simply(struct item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && items[k].key < items[k - 1].key; k--) {
            struct item swap = items[k];
            items[k] = items[k - 1];
            items[k - 1] = swap;
        }
    }
}

static void check_sort(uint64_t *seed, size_t count, size_t keys)
{
    struct item items[300];
    struct item model[300];
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct item){(uint32_t)random_below(seed, keys), (uint32_t)i};
        model[i] = items[i];
    }
    struct ossa__context context;
    size_t comparisons = 0;
    ossa__context_init(&context, NULL, 0);
    assert_true(ossa__sort(&context, items, count, sizeof items[0], key_before, &comparisons));
    sort_simply(model, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(items[i].key, model[i].key);
        assert_int_equal(items[i].place, model[i].place); /* equals keep their order */
    }
    ossa__arena_free(&context.arena);
}

static void every_length(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (size_t count = 0; count <= 140; count++) {
        check_sort(&seed, count, 1);
        check_sort(&seed, count, 3);
        check_sort(&seed, count, 1000);
    }
    for (unsigned round = 0; round < 100; round++)
        check_sort(&seed, random_below(&seed, 301), 1 + random_below(&seed, 400));
}

/* No order of the input makes it slow. */
static void comparisons_are_bounded(void **state)
{
    (void)state;
    enum { COUNT = 4096, LEVELS = 12 };
    struct item *items = malloc((size_t)COUNT * sizeof *items);
    assert_non_null(items);
    for (unsigned shape = 0; shape < 4; shape++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t keys[4] = {i, COUNT - i, 7, i ^ 0x555};
            items[i] = (struct item){keys[shape], i};
        }
        struct ossa__context context;
        size_t comparisons = 0;
        ossa__context_init(&context, NULL, 0);
        assert_true(ossa__sort(&context, items, COUNT, sizeof *items, key_before, &comparisons));
        assert_true(comparisons <= (size_t)COUNT * LEVELS);
        for (uint32_t i = 1; i < COUNT; i++) assert_true(items[i - 1].key <= items[i].key);
        ossa__arena_free(&context.arena);
    }
    free(items);
}

static bool byte_before(const void *a, const void *b, void *user)
{
    (void)user;
    return *(const uint8_t *)a < *(const uint8_t *)b;
}

/* Items of an odd size move whole. */
static void odd_sizes(void **state)
{
    (void)state;
    char items[] = "cxxaxxbyyazz";
    struct ossa__context context;
    ossa__context_init(&context, NULL, 0);
    assert_true(ossa__sort(&context, items, 4, 3, byte_before, NULL));
    assert_string_equal(items, "axxazzbyycxx");
    ossa__arena_free(&context.arena);
}

static void without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_options options = {.allocator = counted(&memory)};
    struct ossa__context context;
    char items[] = "cba";
    ossa__context_init(&context, &options, 0);
    assert_false(ossa__sort(&context, items, 3, 1, byte_before, NULL));
    assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
    assert_string_equal(items, "cba"); /* left as they were */
}

TEST_GROUP(test_core_sort)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(comparisons_are_bounded),
        cmocka_unit_test(odd_sizes),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
