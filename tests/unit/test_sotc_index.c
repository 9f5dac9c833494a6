/* SPDX-License-Identifier: MIT
 *
 * An index saves the search and changes nothing else, whatever is in it. */
#include "support/counting.h"
#include "support/nico_fixture.h"
#include "support/testing.h"

#include "archive/inflate_plain.h"
#include "codec/format.h"

#include <stdio.h>
#include <string.h>

enum {
    CRC_AT = 0x0c, /* of the archive, in an index */
    COUNT_AT = 0x18,
    ROWS_AT = 0x20,
    ROW_SIZE = 28,
    SEARCHED = 3 << 20, /* bytes of an archive without a directory */
    GAP = 50000,
};

struct disk {
    const struct bytes *bytes;
    uint64_t read; /* bytes */
};

static bool read_disk(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct disk *disk = user;
    assert_true(offset <= disk->bytes->size && size <= disk->bytes->size - offset);
    disk->read += size;
    memcpy(bytes, disk->bytes->data + offset, size);
    return true;
}

/* Containers with and without a path, far from each other. */
static struct bytes make_archive(void)
{
    struct bytes bytes = {0};
    struct bytes animation = make_nico_animation("own_name", 9);
    for (unsigned i = 0; bytes.size < SEARCHED; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "anim/%u_own_name", i);
        const struct nico_file file = {path, animation};
        if (i % 5 == 4) put_bytes(&bytes, animation.data, animation.size);
        else put_sheet_record(&bytes, &file);
        put_repeated(&bytes, 0x11, GAP);
    }
    bytes_free(&animation);
    return bytes;
}

static ossa_file *read_with(struct disk *disk, const void *index, size_t size)
{
    ossa_error error;
    ossa_source source = {read_disk, disk, disk->bytes->size};
    ossa_options options = {.index = index, .index_size = size, .format = "sotc-nico"};
    disk->read = 0;
    ossa_file *file = ossa_read_from(&source, &options, &error);
    require(file != NULL, "archive", "%s", error.message);
    return file;
}

static struct bytes make_index(const ossa_file *file)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    require(ossa_write_index(file, ossa_buffer_sink(&buffer), &error), "index", "%s",
            error.message);
    struct bytes index = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return index;
}

/* As if it had been written so. */
static void seal(struct bytes *index)
{
    set_u32(index, index->size - 4, ossa__crc32(0, index->data, index->size - 4));
}

static struct ossa__listing list(const ossa_file *file)
{
    return ossa__format_of(file)->list(ossa__contents_in_parts(file));
}

static void require_same_entries(const ossa_file *a, const ossa_file *b)
{
    struct ossa__listing x = list(a);
    struct ossa__listing y = list(b);
    assert_int_equal(x.count, y.count);
    for (size_t i = 0; i < x.count; i++) {
        const char *own_x = x.hints[i].own_name;
        const char *own_y = y.hints[i].own_name;
        assert_string_equal(x.entries[i].name, y.entries[i].name);
        assert_int_equal(x.entries[i].offset, y.entries[i].offset);
        assert_int_equal(x.entries[i].size, y.entries[i].size);
        assert_int_equal(x.entries[i].stored_size, y.entries[i].stored_size);
        assert_ptr_equal(x.hints[i].format, y.hints[i].format);
        assert_int_equal(own_x == NULL, own_y == NULL);
        if (own_x != NULL) assert_string_equal(own_x, own_y);
    }
}

static void require_entries_can_be_read(const ossa_file *file)
{
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        ossa_bytes bytes;
        ossa_error error;
        bool ok = ossa_entry_bytes(file, i, NULL, &bytes, &error);
        require(ok, ossa_entry_at(file, i)->name, "%s", error.message);
        assert_true(bytes.size == ossa_entry_at(file, i)->size);
        assert_int_equal(memcmp(bytes.data, "xff", 3), 0);
        ossa_bytes_free(&bytes);
    }
}

/* Not used, which is one warning, and nothing is missing. */
static void require_refused(struct disk *disk, const struct bytes *index, const ossa_file *all,
                            const char *why)
{
    ossa_file *file = read_with(disk, index->data, index->size);
    require(file->warning_count == all->warning_count + 1, why, "no warning");
    require(strstr(file->issues[0].message, why) != NULL, why, "%s", file->issues[0].message);
    assert_int_equal(file->issues[0].code, OSSA_CODE_MISFIT);
    require_same_entries(all, file);
    ossa_file_free(file);
}

static void an_index_saves_the_search(void **state)
{
    (void)state;
    struct bytes bytes = make_archive();
    struct disk disk = {.bytes = &bytes};
    ossa_file *all = read_with(&disk, NULL, 0);
    assert_true(disk.read >= bytes.size);
    const size_t count = ossa_entry_count(all);
    assert_true(count > 50);
    struct bytes index = make_index(all);
    assert_true(index.size < count * 64 + 512);
    ossa_file *file = read_with(&disk, index.data, index.size);
    assert_int_equal(file->issue_count, all->issue_count);
    assert_string_equal(file->issues[0].message, all->issues[0].message);
    assert_true(disk.read < 400 << 10);
    require_same_entries(all, file);
    /* What was made of the index is kept, not the index. */
    struct bytes again = make_index(file);
    require_same("again", &again, index.data, index.size);
    memset(index.data, 0, index.size);
    require_same_entries(all, file);
    require_entries_can_be_read(file);
    bytes_free(&again);
    ossa_file_free(file);
    ossa_file_free(all);
    bytes_free(&index);
    bytes_free(&bytes);
}

static void a_damaged_index_is_not_used(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-nico/odd-paths");
    struct disk disk = {.bytes = &fixture->bytes};
    ossa_file *all = read_with(&disk, NULL, 0);
    struct bytes index = make_index(all);
    for (size_t i = 0; i < index.size; i++) {
        struct bytes changed = bytes_copy(index.data, index.size);
        changed.data[i] ^= 0x20;
        require_refused(&disk, &changed, all,
                        i < 8    ? "not an index"
                        : i < 12 ? "another version"
                                 : "damaged");
        changed.data[i] ^= 0x20;
        changed.size = i;
        require_refused(&disk, &changed, all, i < 36 ? "not an index" : "damaged");
        bytes_free(&changed);
    }
    put_u8(&index, 0);
    require_refused(&disk, &index, all, "damaged");
    bytes_free(&index);
    ossa_file_free(all);
}

/* One that was written by somebody who means harm. */
static void a_hostile_index_is_checked(void **state)
{
    (void)state;
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x80000002};
    const struct fixture *fixture = fixture_find("sotc-nico/odd-paths");
    const uint64_t size = fixture->bytes.size;
    struct disk disk = {.bytes = &fixture->bytes};
    ossa_file *all = read_with(&disk, NULL, 0);
    struct bytes index = make_index(all);
    size_t used = 0;
    for (size_t i = CRC_AT; i + 8 <= index.size; i++) {
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            struct bytes changed = bytes_copy(index.data, index.size);
            set_u32(&changed, i, words[w]);
            seal(&changed);
            ossa_file *file = read_with(&disk, changed.data, changed.size);
            bool is_refused = file->warning_count > all->warning_count;
            if (is_refused) require_same_entries(all, file);
            else used++;
            for (size_t k = 0; k < ossa_entry_count(file); k++) {
                const ossa_entry *entry = ossa_entry_at(file, k);
                ossa_bytes bytes;
                assert_true(entry->offset <= size && entry->size <= size - entry->offset);
                assert_true(entry->name[0] != '\0');
                /* What is not there cannot be had. */
                bool ok = ossa_entry_bytes(file, k, NULL, &bytes, NULL);
                if (ok && bytes.size >= 3) assert_int_equal(memcmp(bytes.data, "xff", 3), 0);
                if (ok) ossa_bytes_free(&bytes);
            }
            ossa_file_free(file);
            bytes_free(&changed);
        }
    }
    assert_true(used > 100);
    /* Entries that go back, and more than there are. */
    struct bytes changed = bytes_copy(index.data, index.size);
    set_u32(&changed, ROWS_AT + ROW_SIZE, get_u32(&changed, ROWS_AT));
    seal(&changed);
    require_refused(&disk, &changed, all, "damaged");
    set_u32(&changed, COUNT_AT, 0x10000000);
    seal(&changed);
    require_refused(&disk, &changed, all, "damaged");
    bytes_free(&changed);
    /* A name of its own that would begin before the whole one, of entries that store no other. */
    unsigned tried = 0;
    for (size_t row = ROWS_AT; row < ROWS_AT + get_u32(&index, COUNT_AT) * (size_t)ROW_SIZE;
         row += ROW_SIZE) {
        uint32_t own_size = get_u32(&index, row + 20);
        if (own_size > 0 && own_size < 0x80000000) continue;
        changed = bytes_copy(index.data, index.size);
        set_u32(&changed, row + 20, 0x80000000 | (get_u32(&index, row + 16) + 1));
        seal(&changed);
        require_refused(&disk, &changed, all, "damaged");
        bytes_free(&changed);
        tried++;
    }
    assert_true(tried > 0);
    bytes_free(&index);
    ossa_file_free(all);
}

static void an_index_of_another_file_is_not_used(void **state)
{
    (void)state;
    struct bytes bytes = make_archive();
    struct disk disk = {.bytes = &bytes};
    ossa_file *all = read_with(&disk, NULL, 0);
    struct bytes index = make_index(all);
    ossa_file_free(all);
    const size_t changes[] = {bytes.size - 1, bytes.size - 60000, 5, 60000, (64 << 10) + 4095};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        bytes.data[changes[i]] ^= 1;
        all = read_with(&disk, NULL, 0);
        require_refused(&disk, &index, all, "has changed");
        bytes.data[changes[i]] ^= 1;
        ossa_file_free(all);
    }
    put_u8(&bytes, 0);
    all = read_with(&disk, NULL, 0);
    require_refused(&disk, &index, all, "another size");
    ossa_file_free(all);
    bytes_free(&index);
    bytes_free(&bytes);
}

/* The pieces that are compared are not all of the file. */
static void entries_are_checked_when_they_are_read(void **state)
{
    (void)state;
    struct bytes bytes = make_archive();
    struct disk disk = {.bytes = &bytes};
    ossa_file *all = read_with(&disk, NULL, 0);
    struct bytes index = make_index(all);
    size_t unseen = 0;
    for (size_t i = 0; i < ossa_entry_count(all); i++) {
        const ossa_entry *entry = ossa_entry_at(all, i);
        ossa_bytes got;
        ossa_error error;
        bytes.data[entry->offset] ^= 1;
        ossa_file *file = read_with(&disk, index.data, index.size);
        if (file->warning_count == 0) {
            unseen++;
            assert_false(ossa_entry_bytes(file, i, NULL, &got, &error));
            assert_int_equal(error.code, OSSA_CODE_IO);
            assert_true(
                ossa_entry_bytes(file, (i + 1) % ossa_entry_count(all), NULL, &got, &error));
            ossa_bytes_free(&got);
        }
        ossa_file_free(file);
        bytes.data[entry->offset] ^= 1;
    }
    assert_true(unseen > 30);
    ossa_file_free(all);
    bytes_free(&index);
    bytes_free(&bytes);
}

static bool refuse(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return --*(int *)user > 0;
}

static void what_has_no_index(void **state)
{
    (void)state;
    ossa_error error;
    ossa_buffer buffer = {0};
    ossa_file *res = read_fixture(fixture_find("ei-res/parts"));
    assert_false(ossa_write_index(res, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    ossa_file_free(res);
    const struct fixture *fixture = fixture_find("sotc-nico/whole");
    struct disk disk = {.bytes = &fixture->bytes};
    ossa_source source = {read_disk, &disk, fixture->bytes.size};
    const uint64_t at = 0;
    ossa_file *file = ossa__read_only_at(&source, &at, NULL, &error);
    assert_non_null(file);
    assert_false(ossa_write_index(file, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    ossa_file_free(file);
    file = read_fixture(fixture);
    for (int left = 1; left < 20; left++) {
        int writes = left;
        assert_false(ossa_write_index(file, (ossa_sink){refuse, &writes}, &error));
        assert_int_equal(error.code, OSSA_CODE_IO);
    }
    ossa_file_free(file);
    assert_int_equal(buffer.size, 0);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-nico/odd-paths");
    struct disk disk = {.bytes = &fixture->bytes};
    ossa_source source = {read_disk, &disk, fixture->bytes.size};
    ossa_file *all = read_with(&disk, NULL, 0);
    struct bytes index = make_index(all);
    bool is_done = false;
    for (size_t n = 1; !is_done && n < 100; n++) {
        struct counting counting = {.fail_at = n};
        ossa_options options = {.allocator = counting_allocator(&counting),
                                .index = index.data,
                                .index_size = index.size};
        ossa_error error;
        ossa_file *file = ossa_read_from(&source, &options, &error);
        is_done = file != NULL;
        assert_true(is_done || error.code == OSSA_CODE_OUT_OF_MEMORY);
        ossa_file_free(file);
        assert_int_equal(counting.live, 0);
    }
    assert_true(is_done);
    bytes_free(&index);
    ossa_file_free(all);
}

TEST_GROUP(test_sotc_index)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_saves_the_search),
        cmocka_unit_test(a_damaged_index_is_not_used),
        cmocka_unit_test(a_hostile_index_is_checked),
        cmocka_unit_test(an_index_of_another_file_is_not_used),
        cmocka_unit_test(entries_are_checked_when_they_are_read),
        cmocka_unit_test(what_has_no_index),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
