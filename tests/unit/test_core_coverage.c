/* SPDX-License-Identifier: MIT
 *
 * Which bytes are spoken for, against an array of bytes. */
#include "test_core.h"

#include "codec/coverage.h"

enum { LARGEST = 300 };

/* A coverage and the plain array that it must agree with. */
struct setup {
    struct ossa__context context;
    struct ossa__coverage coverage;
    bool model[LARGEST];
    size_t size;
};

static void start(struct setup *s, size_t size)
{
    memset(s, 0, sizeof *s);
    ossa__context_init(&s->context, NULL, size);
    assert_true(ossa__coverage_init(&s->coverage, &s->context, size));
    s->size = size;
}

static void stop(struct setup *s)
{
    ossa__arena_free(&s->context.scratch);
    ossa__arena_free(&s->context.arena);
}

static void mark(struct setup *s, size_t offset, size_t size)
{
    ossa__coverage_mark(&s->coverage, offset, size);
    for (size_t i = 0; i < size; i++) s->model[offset + i] = true;
}

static bool model_touches(const struct setup *s, size_t offset, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (s->model[offset + i]) return true;
    }
    return false;
}

static void assert_same_gap(const struct setup *s, size_t from)
{
    size_t begin = from;
    while (begin < s->size && s->model[begin]) begin++;
    size_t end = begin;
    while (end < s->size && !s->model[end]) end++;
    uint64_t offset = from;
    uint64_t size = 0;
    bool found = ossa__coverage_next_gap(&s->coverage, &offset, &size);
    assert_int_equal(found, begin < s->size);
    if (!found) return;
    assert_int_equal(offset, begin);
    assert_int_equal(size, end - begin);
}

static void assert_same(const struct setup *s)
{
    for (size_t i = 0; i < s->size; i++)
        assert_int_equal(ossa__coverage_touches(&s->coverage, i, 1), s->model[i]);
    for (size_t i = 0; i <= s->size; i++) assert_same_gap(s, i);
}

/* Every single range in a file of a few words. */
static void every_range(void **state)
{
    (void)state;
    enum { SIZE = 140 };
    for (size_t offset = 0; offset <= SIZE; offset += 1 + offset % 3) {
        for (size_t size = 0; size <= SIZE - offset; size += 1 + size % 5) {
            struct setup s;
            start(&s, SIZE);
            mark(&s, offset, size);
            for (size_t i = 0; i < SIZE; i++) {
                bool inside = i >= offset && i < offset + size;
                assert_int_equal(ossa__coverage_touches(&s.coverage, i, 1), inside);
            }
            assert_same_gap(&s, 0);
            assert_same_gap(&s, offset);
            stop(&s);
        }
    }
}

static void random_ranges(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (unsigned round = 0; round < 400; round++) {
        struct setup s;
        start(&s, 1 + random_below(&seed, LARGEST));
        for (unsigned step = 0; step < 12; step++) {
            size_t offset = random_below(&seed, s.size + 1);
            size_t size = random_below(&seed, s.size - offset + 1);
            if (step % 2 == 0) size %= 9;
            assert_int_equal(ossa__coverage_touches(&s.coverage, offset, size),
                             model_touches(&s, offset, size));
            mark(&s, offset, size);
        }
        assert_same(&s);
        stop(&s);
    }
}

static void full_and_empty(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 127, 128, 129};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct setup s;
        start(&s, sizes[i]);
        assert_same(&s);
        assert_false(ossa__coverage_touches(&s.coverage, 0, sizes[i]));
        mark(&s, 0, sizes[i]);
        assert_same(&s);
        assert_int_equal(ossa__coverage_touches(&s.coverage, 0, sizes[i]), sizes[i] > 0);
        stop(&s);
    }
}

static void without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_options options = {.allocator = counted(&memory)};
    struct ossa__context context;
    struct ossa__coverage coverage;
    ossa__context_init(&context, &options, 100);
    assert_false(ossa__coverage_init(&coverage, &context, 100));
    assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
}

TEST_GROUP(test_core_coverage)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_range),
        cmocka_unit_test(random_ranges),
        cmocka_unit_test(full_and_empty),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
