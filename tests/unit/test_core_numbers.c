/* SPDX-License-Identifier: MIT
 *
 * Checks on arrays of floats: one report an array, at the first place. */
#include "test_core.h"

#include "codec/numbers.h"

#include <math.h>

/* Run a check and keep what it reports. */
struct setup {
    struct ossa__context context;
    const ossa_issue *issues;
};

static void start(struct setup *s)
{
    ossa__context_init(&s->context, NULL, 0);
    s->context.format = "test";
}

static void stop(struct setup *s)
{
    ossa__arena_free(&s->context.arena);
}

static void assert_silent(struct setup *s)
{
    assert_int_equal(s->context.warning_count, 0);
    assert_int_equal(s->context.error_count, 0);
    stop(s);
}

static void assert_warning(struct setup *s, ossa_code code, uint64_t offset, const char *message)
{
    assert_int_equal(s->context.warning_count, 1);
    assert_int_equal(s->context.error_count, 0);
    const ossa_issue *issue = ossa__issue_array(&s->context);
    assert_int_equal(issue->code, code);
    assert_int_equal(issue->offset, offset);
    assert_string_equal(issue->field, "values");
    assert_string_equal(issue->message, message);
    stop(s);
}

static void finite_values(void **state)
{
    (void)state;
    const float values[] = {0, -0.0F, 3.4e38F, 1e-45F};
    struct setup s;
    start(&s);
    ossa__check_finite(&s.context, "values", 100, values, 4);
    ossa__check_finite(&s.context, "values", 100, NULL, 0);
    assert_silent(&s);
}

static void values_that_are_not_finite(void **state)
{
    (void)state;
    const float values[] = {0, 1, -INFINITY, 2, NAN, INFINITY};
    struct setup s;
    start(&s);
    ossa__check_finite(&s.context, "values", 100, values, 6);
    assert_warning(&s, OSSA_CODE_NON_FINITE, 108,
                   "3 of 6 values are not finite; this is the first");
    start(&s);
    ossa__check_finite(&s.context, "values", 100, values + 2, 1);
    assert_warning(&s, OSSA_CODE_NON_FINITE, 100,
                   "1 of 1 values are not finite; this is the first");
}

static void what_is_of_length_one(void **state)
{
    (void)state;
    const float half[4] = {0.5F, -0.5F, 0.5F, -0.5F};
    const float axis[3] = {0, -1, 0};
    const float nearly[3] = {0, 0.995F, 0};
    const float nearly_more[3] = {1.005F, 0, 0};
    const float less[3] = {0, 0.98F, 0};
    const float more[3] = {1.02F, 0, 0};
    const float zero[3] = {0, 0, 0};
    const float bad[3] = {NAN, 0, 1};
    assert_true(ossa__is_unit(half, 4));
    assert_false(ossa__is_unit(half, 3)); /* only what it is told to look at */
    assert_true(ossa__is_unit(axis, 3));
    assert_true(ossa__is_unit(nearly, 3));
    assert_true(ossa__is_unit(nearly_more, 3));
    assert_false(ossa__is_unit(less, 3));
    assert_false(ossa__is_unit(more, 3));
    assert_false(ossa__is_unit(zero, 3));
    assert_false(ossa__is_unit(bad, 3));
}

static void rows_of_length_one(void **state)
{
    (void)state;
    const float rows[] = {1, 0, 0, 0, 0, 1, 0, NAN, 0, INFINITY, 0, 0};
    struct setup s;
    start(&s);
    ossa__check_unit(&s.context, "values", 100, rows, 4,
                     3); /* the last two are reported elsewhere */
    ossa__check_unit(&s.context, "values", 100, NULL, 0, 3);
    assert_silent(&s);
}

static void rows_of_other_lengths(void **state)
{
    (void)state;
    const float rows[] = {1, 0, 0, 0, 3, 4, 0, 1, 0, 0, 0, 0};
    struct setup s;
    start(&s);
    ossa__check_unit(&s.context, "values", 100, rows, 4, 3);
    assert_warning(&s, OSSA_CODE_NOT_UNIT, 112,
                   "2 of 4 do not have length 1; the first has length 5");
    start(&s);
    ossa__check_unit(&s.context, "values", 100, rows + 3, 1, 3);
    assert_warning(&s, OSSA_CODE_NOT_UNIT, 100, "has length 5, expected 1");
}

TEST_GROUP(test_core_numbers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_values),         cmocka_unit_test(values_that_are_not_finite),
        cmocka_unit_test(what_is_of_length_one), cmocka_unit_test(rows_of_length_one),
        cmocka_unit_test(rows_of_other_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
