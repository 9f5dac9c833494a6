/* SPDX-License-Identifier: MIT
 *
 * Damaged discs. The sweep over all fixtures looks at few bytes of large files, and most of a disc
 * is data: this one changes every byte of the descriptors and folders. */
#include "support/counting.h"
#include "support/disc_fixture.h"
#include "support/testing.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEBIBYTE = 1 << 20,
    PRIMARY = DISC_DESCRIPTORS * DISC_SECTOR,
};

struct view {
    struct bytes image;
    size_t calls;
    size_t fail_at; /* this call and all after it fail; 0: none */
};

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct view *view = user;
    if (offset > view->image.size || size > view->image.size - offset) fail();
    view->calls++;
    if (view->fail_at != 0 && view->calls >= view->fail_at) return false;
    memcpy(bytes, view->image.data + offset, size);
    return true;
}

/* Everything that can be done with a disc; true: it could be read. */
static bool go_through(struct view *view, struct counting *counting, ossa_error *error)
{
    const ossa_source source = {read_at, view, view->image.size};
    const ossa_options options = {.allocator = counting_allocator(counting), .format = "iso9660"};
    ossa_file *file = ossa_read_from(&source, &options, error);
    bool ok = file != NULL;
    for (size_t i = 0; ok && i < ossa_entry_count(file); i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        ossa_bytes bytes;
        assert_true(entry->name[0] != '\0' && entry->name[0] != '/');
        assert_null(strstr(entry->name, "//"));
        assert_true(entry->is_missing || entry->size <= view->image.size);
        if (ossa_entry_bytes(file, i, &options, &bytes, error)) {
            assert_false(entry->is_missing);
            assert_int_equal(bytes.size, entry->size);
            ossa_bytes_free(&bytes);
        } else {
            assert_true(error->code != OSSA_CODE_OK);
            ok = entry->is_missing;
        }
    }
    ok = ok && ossa_verify(file, &options, error);
    ossa_file_free(file);
    assert_int_equal(counting->live, 0);
    assert_false(counting->wrong_release);
    assert_true(counting->peak <= 2 * MEBIBYTE + 32 * view->image.size);
    return ok;
}

static const struct disc_plan plans[] = {
    {.has_xa = true}, {.has_joliet = true}, {.piece_size = DISC_SECTOR}};
enum { PLANS = sizeof plans / sizeof plans[0] };

/* The end of what is not data: the first sector of a file. */
static size_t folders_end(const struct bytes *image)
{
    return get_u32(image, disc_record(image, "HELLO.TXT;1", 0) + 2) * (size_t)DISC_SECTOR;
}

static void every_byte_of_folders_may_change(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    size_t readable = 0;
    for (size_t p = 0; p < PLANS; p++) {
        struct view view = {.image = sample_image(plans[p], DISC_2048)};
        size_t end = folders_end(&view.image);
        for (size_t at = PRIMARY; at < end; at++) {
            uint8_t original = view.image.data[at];
            /* Zeros that nobody looks at are tried here and there. */
            if (original == 0 && view.image.data[at - 1] == 0 && at % 13 != 0) continue;
            for (size_t i = 0; i < sizeof values; i++) {
                struct counting counting = {0};
                ossa_error error;
                view.image.data[at] = values[i];
                readable += go_through(&view, &counting, &error) ? 1U : 0U;
            }
            view.image.data[at] = original;
        }
        bytes_free(&view.image);
    }
    assert_true(readable > 10000);
}

static void every_cut_is_survived(void **state)
{
    (void)state;
    size_t readable = 0;
    for (int layout = 0; layout < DISC_LAYOUTS; layout++) {
        struct view view = {.image = sample_image(plans[0], (enum disc_layout)layout)};
        size_t size = view.image.size;
        for (size_t cut = 1; cut < size; cut += 61) {
            struct counting counting = {0};
            ossa_error error;
            view.image.size = size - cut;
            readable += go_through(&view, &counting, &error) ? 1U : 0U;
        }
        bytes_free(&view.image);
    }
    assert_true(readable > 1000);
}

static void every_allocation_and_every_read_may_fail(void **state)
{
    (void)state;
    for (size_t p = 0; p < PLANS; p++) {
        struct view view = {.image = sample_image(plans[p], DISC_MODE_2)};
        struct counting counting = {0};
        ossa_error error;
        assert_true(go_through(&view, &counting, &error));
        size_t allocations = counting.calls;
        size_t reads = view.calls;
        for (size_t n = 1; n <= allocations; n++) {
            counting = (struct counting){.fail_at = n};
            assert_false(go_through(&view, &counting, &error));
            assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        }
        for (size_t n = 1; n <= reads; n++) {
            counting = (struct counting){0};
            view.calls = 0;
            view.fail_at = n;
            assert_false(go_through(&view, &counting, &error));
            assert_int_equal(error.code, OSSA_CODE_IO);
        }
        bytes_free(&view.image);
    }
}

/* ---- discs that are made to be slow -------------------------------------------------------- */

/* A root of so many sectors, all of them full of the same record. */
static struct bytes fill_root(const char *name, uint32_t flags, uint32_t sectors)
{
    struct bytes image = sample_image((struct disc_plan){0}, DISC_2048);
    uint32_t root = (uint32_t)(image.size / DISC_SECTOR);
    size_t length = 33 + strlen(name) + (strlen(name) % 2 == 0 ? 1 : 0);
    disc_set_both(&image, PRIMARY + DISC_ROOT + 2, root);
    disc_set_both(&image, PRIMARY + DISC_ROOT + 10, sectors * DISC_SECTOR);
    struct bytes record = {0};
    put_u8(&record, (uint32_t)length);
    put_repeated(&record, 0, length - 1);
    disc_set_both(&record, 2, root);
    disc_set_both(&record, 10, sectors * DISC_SECTOR);
    set_u8(&record, 25, flags);
    set_u8(&record, 32, (uint32_t)strlen(name));
    memcpy(record.data + 33, name, strlen(name));
    for (uint32_t i = 0; i < sectors; i++) {
        size_t end = image.size + DISC_SECTOR;
        while (image.size + length <= end) put_bytes(&image, record.data, record.size);
        put_repeated(&image, 0, end - image.size);
    }
    bytes_free(&record);
    return image;
}

static ossa_file *read_made(struct view *view, struct counting *counting, ossa_error *error)
{
    const ossa_source source = {read_at, view, view->image.size};
    const ossa_options options = {.allocator = counting_allocator(counting)};
    return ossa_read_from(&source, &options, error);
}

/* Each of a hundred thousand records leads back to the folder that it is in. */
static void folders_are_entered_once(void **state)
{
    (void)state;
    struct view view = {.image = fill_root("D", 2, 2000)};
    struct counting counting = {0};
    ossa_error error;
    ossa_file *file = read_made(&view, &counting, &error);
    assert_non_null(file);
    assert_int_equal(ossa_entry_count(file), 0);
    assert_int_equal(file->issue_count, 1);
    assert_true(view.calls < 2100);
    ossa_file_free(file);
    bytes_free(&view.image);
}

/* The same name everywhere, and all of them the whole folder: listed, found and paid for once. */
static void many_files_cost_what_their_folder_costs(void **state)
{
    (void)state;
    struct view view = {.image = fill_root("F", 0, 2000)};
    struct counting counting = {0};
    ossa_error error;
    ossa_file *file = read_made(&view, &counting, &error);
    assert_non_null(file);
    assert_int_equal(ossa_entry_count(file), 2000 * (DISC_SECTOR / 34));
    assert_true(counting.peak < (size_t)24 * 2000 * DISC_SECTOR);
    ossa_file_free(file);
    bytes_free(&view.image);
}

/* A file of a hundred thousand pieces that would be a terabyte. */
static void a_file_is_not_larger_than_its_disc(void **state)
{
    (void)state;
    struct view view = {.image = fill_root("F", 0x80, 2000)};
    struct counting counting = {0};
    ossa_error error;
    ossa_file *file = read_made(&view, &counting, &error);
    assert_non_null(file);
    assert_int_equal(ossa_entry_count(file), 1);
    assert_true(ossa_entry_at(file, 0)->is_missing);
    ossa_file_free(file);
    bytes_free(&view.image);
}

static void there_is_a_limit_of_files(void **state)
{
    (void)state;
    struct view view = {.image = fill_root("F", 0, 18000)};
    struct counting counting = {0};
    ossa_error error;
    assert_null(read_made(&view, &counting, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_int_equal(counting.live, 0);
    bytes_free(&view.image);
}

/* Folders with long names, in each other, and in the last one many files: the paths of all of them
 * would be a hundred times the disc. */
static void long_paths_have_a_limit(void **state)
{
    (void)state;
    enum { DEPTH = 28, FILES = 4000, NAME = 60 };
    static char paths[FILES][DEPTH * (NAME + 1) + 8];
    static struct disc_file files[FILES];
    for (int i = 0; i < FILES; i++) {
        char *at = paths[i];
        for (int k = 0; k < DEPTH; k++, at += NAME + 1) {
            memset(at, 'A', NAME);
            at[NAME] = '/';
        }
        for (int digit = 1000; digit > 0; digit /= 10) *at++ = (char)('0' + i / digit % 10);
        *at = '\0';
        files[i] = (struct disc_file){paths[i], "", 0, 0};
    }
    const struct disc_plan plan = {.files = files, .count = FILES};
    struct disc disc = make_disc(&plan);
    struct view view = {.image = disc.image};
    struct counting counting = {0};
    ossa_error error;
    assert_null(read_made(&view, &counting, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_non_null(strstr(error.message, "paths"));
    bytes_free(&view.image);
}

TEST_GROUP(test_disc_hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_folders_may_change),
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(every_allocation_and_every_read_may_fail),
        cmocka_unit_test(folders_are_entered_once),
        cmocka_unit_test(many_files_cost_what_their_folder_costs),
        cmocka_unit_test(a_file_is_not_larger_than_its_disc),
        cmocka_unit_test(there_is_a_limit_of_files),
        cmocka_unit_test(long_paths_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
