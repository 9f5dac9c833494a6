/* SPDX-License-Identifier: MIT
 *
 * The fixtures in the repository are the ones that the generators make: none differs, none is
 * missing, none is left over. After a wanted change: make_fixtures tests/fixtures. */
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

static void path_of(const struct fixture *fixture, char *path, size_t capacity)
{
    (void)snprintf(path, capacity, "fixtures/%s.%s", fixture->name,
                   fixture_extension(fixture).text);
}

static void every_file_is_what_its_generator_makes(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (fixture->bytes.size > COMMITTED_SIZE) continue;
        char path[256];
        path_of(fixture, path, sizeof path);
        struct bytes file = load_test_file(path);
        require_same(path, &file, fixture->bytes.data, fixture->bytes.size);
        bytes_free(&file);
        seen++;
    }
    assert_true(seen > 100);
}

static bool is_made(const char *format, const char *file_name)
{
    const struct fixtures *all = fixtures_all();
    char wanted[512];
    (void)snprintf(wanted, sizeof wanted, "fixtures/%s/%s", format, file_name);
    for (size_t i = 0; i < all->count; i++) {
        char path[256];
        path_of(&all->items[i], path, sizeof path);
        if (strcmp(path, wanted) == 0) return all->items[i].bytes.size <= COMMITTED_SIZE;
    }
    return false;
}

struct folder {
    const char *format;
    size_t *count;
};

static void require_made(void *user, const char *name)
{
    const struct folder *folder = user;
    require(is_made(folder->format, name), name, "no generator makes it");
    ++*folder->count;
}

static void visit_format(void *user, const char *format)
{
    char path[512];
    struct folder folder = {format, user};
    (void)snprintf(path, sizeof path, "fixtures/%.200s", format);
    (void)visit_test_folder(path, require_made, &folder); /* make_fixtures.c is no folder */
}

static void no_file_is_left_over(void **state)
{
    (void)state;
    size_t count = 0;
    assert_true(visit_test_folder("fixtures", visit_format, &count));
    assert_true(count > 100);
}

TEST_GROUP(test_fixture_files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_what_its_generator_makes),
        cmocka_unit_test(no_file_is_left_over),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
