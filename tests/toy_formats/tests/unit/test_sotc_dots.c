/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

static void dots_are_what_the_bytes_say(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-dots/plain");
    ossa_file *file = read_fixture(fixture);
    const ossa_sotc_dots *dots = ossa_as_sotc_dots(file);
    assert_non_null(dots);
    assert_int_equal(dots->dot_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(bits_of_f32(dots->dots[i].position[1]),
                         get_u32(&fixture->bytes, 8 + 16 * i + 4));
        assert_int_equal(dots->dots[i].colour, 0xff000000U + i);
    }
    ossa_file_free(file);
}

TEST_GROUP(test_sotc_dots)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dots_are_what_the_bytes_say)};
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
