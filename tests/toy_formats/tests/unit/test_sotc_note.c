/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

static void lines_are_what_the_text_says(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-note/plain"));
    const ossa_sotc_note *note = ossa_as_sotc_note(file);
    assert_non_null(note);
    assert_int_equal(note->line_count, 2);
    assert_int_equal(note->lines[1].word_size, 3);
    assert_memory_equal(note->lines[1].word, "bow", 3);
    assert_int_equal(note->lines[1].number, 12);
    ossa_file_free(file);
}

TEST_GROUP(test_sotc_note)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_what_the_text_says)};
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
