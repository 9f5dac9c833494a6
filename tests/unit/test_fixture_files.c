/* SPDX-License-Identifier: MIT
 *
 * The fixtures in the repository are the ones that the generators make: none differs, none is
 * missing, none is left over. After a wanted change: make_fixtures tests/fixtures. */
#include "support/testing.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static void path_of(const struct fixture *fixture, char *path, size_t capacity)
{
    (void)snprintf(path, capacity, "fixtures/%s.%s", fixture->name, fixture_extension(fixture));
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

static DIR *open_folder(const char *path)
{
    char full[1024];
    (void)snprintf(full, sizeof full, "%s/%s", OSSA_TEST_DIR, path);
    return opendir(full);
}

static size_t require_folder(const char *format)
{
    char path[512];
    (void)snprintf(path, sizeof path, "fixtures/%.200s", format);
    DIR *folder = open_folder(path);
    if (folder == NULL) return 0; /* a file: make_fixtures.c */
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        require(is_made(format, entry->d_name), entry->d_name, "no generator makes it");
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void no_file_is_left_over(void **state)
{
    (void)state;
    DIR *folder = open_folder("fixtures");
    assert_non_null(folder);
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') count += require_folder(entry->d_name);
    }
    (void)closedir(folder);
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_what_its_generator_makes),
        cmocka_unit_test(no_file_is_left_over),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
