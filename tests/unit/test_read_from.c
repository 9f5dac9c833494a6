/* SPDX-License-Identifier: MIT
 *
 * A file that is read from somewhere is the same as one in memory: what is said of it, what is in
 * it, what becomes of it; and it can fail at any moment. */
#include "support/counting.h"
#include "support/packing.h"
#include "support/testing.h"

#include "codec/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are read, and how often that works. */
struct disk {
    const struct bytes *bytes;
    size_t calls;
    size_t fail_at; /* this call and all after it fail; 0: none */
    uint64_t read;  /* bytes */
};

/* Has a call failed since there were so many? */
static bool was_cut(const struct disk *disk, size_t before)
{
    return disk->calls > before && disk->calls >= disk->fail_at;
}

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct disk *disk = user;
    disk->calls++;
    if (offset > disk->bytes->size || size > disk->bytes->size - offset) fail();
    if (disk->fail_at > 0 && disk->calls >= disk->fail_at) return false;
    disk->read += size;
    if (size > 0) memcpy(bytes, disk->bytes->data + offset, size);
    return true;
}

static ossa_source source_of(struct disk *disk)
{
    return (ossa_source){read_at, disk, disk->bytes->size};
}

/* Memory that is full of something else, so that nobody takes what was not read for zeros. */
static void *take_dirty(void *user, size_t size)
{
    (void)user;
    void *memory = malloc(size);
    if (memory != NULL) memset(memory, 0xa5, size);
    return memory;
}

static void give_back(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

static const ossa_allocator dirty = {take_dirty, give_back, NULL};

static bool same_issue(const ossa_issue *a, const ossa_issue *b)
{
    return a->severity == b->severity && a->code == b->code && a->has_offset == b->has_offset &&
           a->offset == b->offset && strcmp(a->field, b->field) == 0 &&
           strcmp(a->message, b->message) == 0;
}

static void require_same_entries(const char *name, const ossa_file *a, const ossa_file *b)
{
    ossa_options options = {.allocator = dirty};
    require(ossa_entry_count(a) == ossa_entry_count(b), name, "not as many entries");
    for (size_t i = 0; i < ossa_entry_count(a); i++) {
        ossa_bytes x;
        ossa_bytes y;
        ossa_error wrong_x;
        ossa_error wrong_y;
        require(strcmp(ossa_entry_at(a, i)->name, ossa_entry_at(b, i)->name) == 0, name, "a name");
        require(ossa_entry_at(a, i)->offset == ossa_entry_at(b, i)->offset, name, "an offset");
        bool is_there = ossa_entry_bytes(a, i, &options, &x, &wrong_x);
        require(ossa_entry_bytes(b, i, &options, &y, &wrong_y) == is_there, name, "entry %zu", i);
        require(is_there || strcmp(wrong_x.message, wrong_y.message) == 0, name, "the reason");
        if (!is_there) continue;
        require(x.size == y.size, name, "the size of entry %zu", i);
        require(x.size == 0 || memcmp(x.data, y.data, x.size) == 0, name, "entry %zu's bytes", i);
        ossa_bytes_free(&x);
        ossa_bytes_free(&y);
    }
}

static void require_same_description(const char *name, const ossa_file *a, const ossa_file *b)
{
    ossa_buffer x = {0};
    ossa_buffer y = {0};
    require(ossa_describe(a, ossa_buffer_sink(&x), NULL), name, "describe");
    require(ossa_describe(b, ossa_buffer_sink(&y), NULL), name, "describe");
    require(x.size == y.size && memcmp(x.data, y.data, x.size) == 0, name, "description");
    ossa_buffer_free(&x);
    ossa_buffer_free(&y);
}

static void require_same_file(const char *name, const ossa_file *a, const ossa_file *b)
{
    require(a->format == b->format && a->confidence == b->confidence, name, "another format");
    require(a->size == b->size, name, "another size");
    require(a->issue_count == b->issue_count, name, "%zu issues, not %zu", b->issue_count,
            a->issue_count);
    for (size_t i = 0; i < a->issue_count; i++) {
        require(same_issue(&a->issues[i], &b->issues[i]), name, "issue %zu", i);
    }
    /* Entries first: all the rest may read the whole file. */
    require_same_entries(name, a, b);
    require_same_description(name, a, b);
    if (has_json(a->format)) {
        struct bytes x = dump_or_fail(name, a, OSSA_JSON_STYLE_LINE);
        struct bytes y = dump_or_fail(name, b, OSSA_JSON_STYLE_LINE);
        require_same(name, &y, x.data, x.size);
        bytes_free(&x);
        bytes_free(&y);
    }
    struct bytes x = write_or_fail(name, a);
    struct bytes y = write_or_fail(name, b);
    require_same(name, &y, x.data, x.size);
    bytes_free(&x);
    bytes_free(&y);
}

/* Read it both ways and compare; gives whether it could be read. */
static bool compare(const char *name, const struct bytes *bytes, ossa_options options)
{
    struct disk disk = {.bytes = bytes};
    ossa_source source = source_of(&disk);
    ossa_error wrong_a;
    ossa_error wrong_b;
    options.allocator = dirty;
    ossa_file *a = ossa_read(bytes->data, bytes->size, &options, &wrong_a);
    ossa_file *b = ossa_read_from(&source, &options, &wrong_b);
    bool is_there = a != NULL;
    require(is_there == (b != NULL), name, "one can be read");
    if (a != NULL && b != NULL) {
        require_same_file(name, a, b);
    } else {
        bool is_same = wrong_a.code == wrong_b.code && wrong_a.offset == wrong_b.offset &&
                       strcmp(wrong_a.message, wrong_b.message) == 0;
        require(is_same, name, "'%s', not '%s'", wrong_b.message, wrong_a.message);
    }
    ossa_file_free(a);
    ossa_file_free(b);
    return is_there;
}

static void every_fixture_is_the_same(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        ossa_options options = fixture_options(fixture);
        seen += compare(fixture->name, &fixture->bytes, options) ? 1U : 0U;
        options.format = fixture->format;
        options.name = NULL;
        (void)compare(fixture->name, &fixture->bytes, options);
    }
    assert_true(seen > 80);
}

static bool is_small_archive(const struct fixture *fixture)
{
    bool is_archive = ossa_format_can(ossa_format_find(fixture->format), OSSA_ABILITY_LIST);
    return is_archive && fixture->bytes.size <= COMMITTED_SIZE && fixture->bytes.size > 0;
}

/* Tables that say anything: what they lead to is asked for before it is looked at. */
static void every_broken_archive_is_the_same(void **state)
{
    (void)state;
    enum { ROUNDS = 60 };
    const struct fixtures *all = fixtures_all();
    struct random random = {.state = 5};
    size_t seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_small_archive(fixture)) continue;
        for (unsigned round = 0; round < ROUNDS; round++) {
            struct bytes bytes = bytes_copy(fixture->bytes.data, fixture->bytes.size);
            for (unsigned k = 0; k <= round % 3; k++) {
                size_t at = next_random(&random) % bytes.size;
                /* Half of them behind the signature, in the header. */
                if (k % 2 == 0 && bytes.size > 4) at = 4 + at % (bytes.size < 20 ? 1 : 16);
                set_u8(&bytes, at, next_random(&random) & 0xff);
            }
            seen += compare(fixture->name, &bytes, (ossa_options){0}) ? 1U : 0U;
            bytes_free(&bytes);
        }
    }
    assert_true(seen > 100);
}

/* Whatever read fails, in whatever call, it is an error and nothing else. */
static void every_read_can_fail(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t failed = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_small_archive(fixture)) continue;
        struct counting counting = {0};
        ossa_options options = fixture_options(fixture);
        options.allocator = counting_allocator(&counting);
        bool done = false;
        for (size_t at = 1; !done && at < 200; at++) {
            struct disk disk = {.bytes = &fixture->bytes, .fail_at = at};
            ossa_source source = source_of(&disk);
            ossa_error error = {0};
            ossa_file *file = ossa_read_from(&source, &options, &error);
            if (file == NULL && disk.calls >= at) {
                require(error.code == OSSA_CODE_IO, fixture->name, "%s", error.message);
                failed++;
            }
            for (size_t k = 0; file != NULL && k < ossa_entry_count(file); k++) {
                ossa_bytes bytes;
                size_t before = disk.calls;
                bool ok = ossa_entry_bytes(file, k, &options, &bytes, &error);
                bool is_cut = was_cut(&disk, before);
                require(!ok || !is_cut, fixture->name, "entry %zu without its bytes", k);
                require(!is_cut || error.code == OSSA_CODE_IO, fixture->name, "%s", error.message);
                if (ok) ossa_bytes_free(&bytes);
            }
            if (file != NULL) {
                ossa_buffer buffer = {0};
                size_t before = disk.calls;
                bool ok = ossa_write(file, ossa_buffer_sink(&buffer), &error);
                bool is_cut = was_cut(&disk, before);
                require(ok != is_cut, fixture->name, "written without all of it");
                bool is_there = ossa_as_ei_res(file) != NULL || ossa_as_mm_ar(file) != NULL ||
                                ossa_as_vib_pak(file) != NULL || ossa_as_cue(file) != NULL;
                /* What is never read as a whole has none. */
                bool has_struct = ossa__format_of(file)->read_from == NULL;
                require(!has_struct || is_there != is_cut, fixture->name, "a torn struct");
                ossa_buffer_free(&buffer);
            }
            done = file != NULL && disk.calls < at;
            ossa_file_free(file);
            require(counting.live == 0 && !counting.wrong_release, fixture->name, "a leak");
        }
        require(done || !fixture_is_readable(fixture), fixture->name, "never done");
    }
    assert_true(failed > 20);
}

/* ---- how much is read ---------------------------------------------------------------------- */

enum { ENTRIES = 4000, ENTRY_SIZE = 1000 };

static struct bytes make_large(void)
{
    static uint8_t data[ENTRY_SIZE];
    static char names[ENTRIES][16];
    static ossa_packing entries[ENTRIES];
    memset(data, 7, sizeof data);
    for (unsigned i = 0; i < ENTRIES; i++) {
        (void)snprintf(names[i], sizeof names[i], "n%u", i);
        entries[i] = (ossa_packing){names[i], data, ENTRY_SIZE - i % 16, 1};
    }
    return pack_or_fail("ei-res", "large", entries, ENTRIES);
}

static void only_the_table_is_read(void **state)
{
    (void)state;
    struct bytes archive = make_large();
    struct disk disk = {.bytes = &archive};
    ossa_source source = source_of(&disk);
    ossa_error error;
    ossa_file *file = ossa_read_from(&source, NULL, &error);
    assert_non_null(file);
    assert_int_equal(file->issue_count, 0);
    /* 22 for the record, 5 for the name, at most 15 of padding. */
    assert_true(disk.read <= 32 + ENTRIES * (22 + 5 + 15));
    disk.read = 0;
    ossa_bytes bytes;
    assert_true(ossa_entry_bytes(file, 3, NULL, &bytes, &error));
    assert_int_equal(disk.read, ENTRY_SIZE - 3);
    ossa_bytes_free(&bytes);
    ossa_file_free(file);
    bytes_free(&archive);
}

/* Beside room for the file that nobody fills, little is needed, and less is kept. */
static void memory_goes_with_the_entries(void **state)
{
    (void)state;
    struct bytes archive = make_large();
    struct disk disk = {.bytes = &archive};
    ossa_source source = source_of(&disk);
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting)};
    ossa_file *file = ossa_read_from(&source, &options, NULL);
    assert_non_null(file);
    assert_true(counting.peak < archive.size + ENTRIES * 300U);
    assert_true(counting.live < archive.size + ENTRIES * 160U);
    ossa_file_free(file);
    assert_int_equal(counting.live, 0);
    /* In memory it is the same without the room. */
    counting = (struct counting){0};
    file = ossa_read(archive.data, archive.size, &options, NULL);
    assert_non_null(file);
    assert_true(counting.peak < ENTRIES * 300U);
    ossa_file_free(file);
    bytes_free(&archive);
}

static void limits_are_kept(void **state)
{
    (void)state;
    struct bytes archive = make_large();
    struct disk disk = {.bytes = &archive};
    ossa_source source = source_of(&disk);
    ossa_error error;
    ossa_options options = {.max_input = archive.size - 1};
    assert_null(ossa_read_from(&source, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_true(disk.read < 1000); /* to see what it is */
    source.size = 0;
    assert_null(ossa_read_from(&source, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_EMPTY_FILE);
    bytes_free(&archive);
}

/* Whoever asks for bytes behind the end gets none, and the source is not asked. */
static void a_source_ends(void **state)
{
    (void)state;
    struct bytes archive = make_large();
    struct disk disk = {.bytes = &archive};
    ossa_source source = source_of(&disk);
    uint8_t bytes[64];
    source.size = 32;
    for (uint64_t offset = 0; offset < 36; offset++) {
        for (uint64_t size = 0; size < 36; size++) {
            disk.read = 0;
            bool is_inside = offset + size <= 32;
            assert_int_equal(ossa__source_get(&source, offset, bytes, size), is_inside);
            assert_int_equal(disk.read, is_inside ? size : 0);
        }
    }
    assert_false(ossa__source_get(&source, UINT64_MAX, bytes, 2));
    assert_false(ossa__source_get(&source, 2, bytes, UINT64_MAX));
    bytes_free(&archive);
}

TEST_GROUP(test_read_from)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture_is_the_same),
        cmocka_unit_test(every_broken_archive_is_the_same),
        cmocka_unit_test(every_read_can_fail),
        cmocka_unit_test(only_the_table_is_read),
        cmocka_unit_test(memory_goes_with_the_entries),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(a_source_ends),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fixtures_free();
    return failed;
}
