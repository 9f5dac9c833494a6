/* SPDX-License-Identifier: MIT
 *
 * Whatever can be read is written back byte for byte, by itself and by way of its JSON. */
#include "support/testing.h"

#include <string.h>

static void require_json_round_trip(const struct fixture *fixture, const ossa_file *file,
                                    ossa_json_style style)
{
    if (!has_json(file->format)) return;
    struct bytes json = dump_or_fail(fixture->name, file, style);
    require(json.size > 0 && json.data[json.size - 1] == '\n', fixture->name, "no newline");
    if (style == OSSA_JSON_STYLE_LINE) {
        const uint8_t *newline = memchr(json.data, '\n', json.size);
        require(newline == json.data + json.size - 1, fixture->name, "more than one line");
    }
    ossa_file *built = build_or_fail(fixture->name, &json);
    require(built->format == file->format, fixture->name, "built as %s", built->format->id);
    require(built->size == file->size, fixture->name, "built with another size");
    require_written(fixture->name, built, fixture->bytes.data, fixture->bytes.size);

    /* The JSON of what was built is the same JSON. */
    struct bytes again = dump_or_fail(fixture->name, built, style);
    require_same(fixture->name, &again, json.data, json.size);
    bytes_free(&again);
    ossa_file_free(built);
    bytes_free(&json);
}

static void every_readable_fixture_comes_back_the_same(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!fixture_is_readable(fixture)) continue;
        ossa_file *file = read_fixture(fixture);
        require(file->size == fixture->bytes.size, fixture->name, "its size");
        require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
        require_json_round_trip(fixture, file, OSSA_JSON_STYLE_LINE);
        require_json_round_trip(fixture, file, OSSA_JSON_STYLE_PRETTY);
        ossa_file_free(file);
        seen++;
    }
    assert_true(seen > 80);
}

/* A misaligned buffer makes every array a copy; nothing may depend on that. */
static void a_misaligned_buffer_gives_the_same_file(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!fixture_is_readable(fixture)) continue;
        struct bytes shifted;
        ossa_file *file = read_shifted(fixture, 1, &shifted);
        require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
        if (fixture->bytes.size <= COMMITTED_SIZE)
            require_json_round_trip(fixture, file, OSSA_JSON_STYLE_LINE);
        ossa_file_free(file);
        bytes_free(&shifted);
    }
}

TEST_GROUP(test_roundtrip)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_readable_fixture_comes_back_the_same),
        cmocka_unit_test(a_misaligned_buffer_gives_the_same_file),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
