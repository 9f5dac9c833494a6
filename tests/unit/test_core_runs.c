/* SPDX-License-Identifier: MIT
 *
 * The ranges that nobody spoke for, against an array of bytes. */
#include "test_core.h"

#include "archive/runs.h"

enum { LARGEST = 300 };

/* Runs and the plain array that they must agree with. */
struct setup {
    struct ossa__context context;
    struct ossa__runs runs;
    bool model[LARGEST];
    size_t size;
};

static void start(struct setup *s, size_t size, uint64_t most)
{
    memset(s, 0, sizeof *s);
    ossa__context_init(&s->context, NULL, size);
    assert_true(ossa__runs_init(&s->runs, &s->context, size, most));
    s->size = size;
}

static void stop(struct setup *s)
{
    ossa__arena_free(&s->context.scratch);
    ossa__arena_free(&s->context.arena);
}

static void mark(struct setup *s, size_t offset, size_t size)
{
    ossa__runs_mark(&s->runs, offset, size);
    for (size_t i = 0; i < size; i++) s->model[offset + i] = true;
}

static void assert_same(struct setup *s)
{
    struct ossa__gap_walk walk = {0};
    size_t count;
    const ossa_gap *gaps = ossa__runs_gaps(&s->runs, &count);
    size_t found = 0;
    for (size_t i = 0; i < s->size;) {
        size_t end = i;
        while (end < s->size && s->model[end] == s->model[i]) end++;
        if (!s->model[i]) {
            assert_true(ossa__runs_next_gap(&s->runs, &walk));
            assert_int_equal(walk.offset, i);
            assert_int_equal(walk.size, end - i);
            assert_true(found < count);
            assert_int_equal(gaps[found].offset, i);
            assert_int_equal(gaps[found++].size, end - i);
        }
        i = end;
    }
    assert_false(ossa__runs_next_gap(&s->runs, &walk));
    assert_int_equal(found, count);
}

/* In any order, on top of each other, with too little room at the start. */
static void random_ranges(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (unsigned round = 0; round < 400; round++) {
        struct setup s;
        start(&s, 1 + random_below(&seed, LARGEST), round % 4);
        for (unsigned step = 0; step < 12; step++) {
            size_t offset = random_below(&seed, s.size + 1);
            size_t size = random_below(&seed, s.size - offset + 1);
            mark(&s, offset, round % 2 == 0 ? size % 9 : size);
            if (step % 5 == 0) assert_same(&s); /* asked in between, it may be unsorted again */
        }
        assert_same(&s);
        stop(&s);
    }
}

/* What follows the one before is no run of its own. */
static void neighbours_are_one(void **state)
{
    (void)state;
    struct setup s;
    start(&s, 100, 1);
    for (size_t i = 10; i < 90; i += 4) mark(&s, i, 4);
    assert_int_equal(s.runs.count, 1);
    assert_same(&s);
    mark(&s, 0, 100);
    assert_same(&s);
    stop(&s);
}

static void nothing_at_all(void **state)
{
    (void)state;
    struct setup s;
    start(&s, 0, 0);
    mark(&s, 0, 0);
    assert_same(&s);
    stop(&s);
    start(&s, 7, 0);
    assert_same(&s);
    stop(&s);
}

static void without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_options options = {.allocator = counted(&memory)};
    struct ossa__context context;
    struct ossa__runs runs;
    ossa__context_init(&context, &options, 100);
    assert_false(ossa__runs_init(&runs, &context, 100, 5));
    assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
}

TEST_GROUP(test_core_runs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ranges),
        cmocka_unit_test(neighbours_are_one),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
