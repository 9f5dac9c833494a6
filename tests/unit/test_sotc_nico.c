/* SPDX-License-Identifier: MIT
 *
 * NICO.DAT: every container is listed, with the path that is certain and with no other, however the
 * archive is read. */
#include "support/nico_fixture.h"
#include "support/sotc_fixture.h"
#include "support/testing.h"

#include "codec/format.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- archives that are read in pieces ------------------------------------------------------ */

struct disk {
    const struct bytes *bytes;
    size_t calls;
    uint64_t read; /* bytes */
};

static bool read_disk(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct disk *disk = user;
    assert_true(offset <= disk->bytes->size && size <= disk->bytes->size - offset);
    disk->calls++;
    disk->read += size;
    memcpy(bytes, disk->bytes->data + offset, size);
    return true;
}

static ossa_file *read_from_disk(struct disk *disk, const ossa_options *options)
{
    ossa_error error;
    ossa_source source = {read_disk, disk, disk->bytes->size};
    disk->calls = 0;
    disk->read = 0;
    ossa_file *file = ossa_read_from(&source, options, &error);
    require(file != NULL, "archive", "%s", error.message);
    return file;
}

static struct ossa__listing list(const ossa_file *file)
{
    return ossa__format_of(file)->list(ossa__contents_in_parts(file));
}

static void require_same_entries(const char *name, const ossa_file *a, const ossa_file *b)
{
    struct ossa__listing x = list(a);
    struct ossa__listing y = list(b);
    require(x.count == y.count, name, "%zu and %zu entries", x.count, y.count);
    for (size_t i = 0; i < x.count; i++) {
        const char *own_x = x.hints[i].own_name;
        const char *own_y = y.hints[i].own_name;
        require(strcmp(x.entries[i].name, y.entries[i].name) == 0, name, "%s and %s",
                x.entries[i].name, y.entries[i].name);
        require(x.entries[i].offset == y.entries[i].offset, name, "the offset of %zu", i);
        require(x.entries[i].size == y.entries[i].size, name, "the size of %zu", i);
        require(x.hints[i].format == y.hints[i].format, name, "the format of %zu", i);
        require((own_x == NULL) == (own_y == NULL), name, "the own name of %zu", i);
        require(own_x == NULL || strcmp(own_x, own_y) == 0, name, "the own name of %zu", i);
    }
}

static void require_names(const ossa_file *file, const char *const *names, size_t count)
{
    assert_int_equal(ossa_entry_count(file), count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(ossa_entry_at(file, i)->name, names[i]);
    }
}

/* ---- what others made ---------------------------------------------------------------------- */

static void require_vector(const char *name)
{
    char path[64];
    (void)snprintf(path, sizeof path, "vectors/sotc-models/%s", name);
    struct bytes bytes = load_test_file(path);
    (void)snprintf(path, sizeof path, "vectors/sotc-models/%s.json", name);
    struct bytes text = load_test_file(path);
    json_t *json = json_loadb((const char *)text.data, text.size, 0, NULL);
    const json_t *wanted = json_object_get(json_object_get(json, "data"), "entries");
    assert_true(json_array_size(wanted) >= 5);
    struct disk disk = {.bytes = &bytes};
    ossa_file *file = read_or_fail(name, bytes.data, bytes.size, NULL);
    ossa_file *from = read_from_disk(&disk, NULL);
    assert_string_equal(file->format->id, "sotc-nico");
    assert_int_equal(ossa_entry_count(file), json_array_size(wanted));
    for (size_t i = 0; i < json_array_size(wanted); i++) {
        const json_t *item = json_array_get(wanted, i);
        const ossa_entry *entry = ossa_entry_at(file, i);
        const char *found = json_string_value(json_object_get(item, "name"));
        char by_offset[32];
        (void)snprintf(by_offset, sizeof by_offset, "0x%08llx.nto",
                       (unsigned long long)entry->offset);
        assert_string_equal(entry->name, found != NULL ? found : by_offset);
        assert_int_equal(entry->offset, json_integer_value(json_object_get(item, "offset")));
        assert_int_equal(entry->size, json_integer_value(json_object_get(item, "size")));
    }
    require_same_entries(name, file, from);
    require_rebuilt(name, from, OSSA_JSON_STYLE_LINE, bytes.data, bytes.size);
    ossa_file_free(from);
    ossa_file_free(file);
    json_decref(json);
    bytes_free(&text);
    bytes_free(&bytes);
}

static void streams_of_others(void **state)
{
    (void)state;
    require_vector("own_nico.dat");
    require_vector("own_sheet.seg");
}

/* ---- names --------------------------------------------------------------------------------- */

static void paths_are_names(void **state)
{
    (void)state;
    static const char *const whole[] = {"sheet/hill.xff",          "anim/bird_A_fly.anb",
                                        "nmo/bird_A.nmo",          "nto/feather.nto",
                                        "sheet/hill.xff",          "anim/bird_A_fly.anb",
                                        "world/c3_4/nmo/rock.nmo", "world/c3_4/nmo/tree.nmo"};
    static const char *const odd[] = {"sheet/hill.xff", "../../up.anb", "/abs\\olute.nmo",
                                      "caf\xc3\xa9/x.nto", "sheet/hill.xff"};
    ossa_file *file = read_fixture(fixture_find("sotc-nico/whole"));
    require_names(file, whole, sizeof whole / sizeof whole[0]);
    struct ossa__listing listing = list(file);
    assert_string_equal(listing.hints[1].format->id, "sotc-anb");
    assert_string_equal(listing.hints[1].own_name, "fly");
    assert_string_equal(listing.hints[0].format->id, "sotc-xff");
    assert_null(listing.hints[0].own_name);
    assert_int_equal(ossa_find_entry(file, "ANIM\\bird_a_FLY.anb"), 1);
    ossa_file_free(file);
    file = read_fixture(fixture_find("sotc-nico/odd-paths"));
    require_names(file, odd, sizeof odd / sizeof odd[0]);
    ossa_file_free(file);
    file = read_fixture(fixture_find("sotc-nico/row"));
    char second[32];
    const ossa_entry *entry = ossa_entry_at(file, 0);
    (void)snprintf(second, sizeof second, "0x%08x.nmo", (unsigned)entry->size + 100);
    const char *const row[] = {"0x00000000.nmo", second};
    require_names(file, row, 2);
    ossa_file_free(file);
    require_described("sotc-nico/whole", "the directory and a search");
    require_described("sotc-nico/odd-paths", "listed by      a search\n  with a path    5\n  anim");
}

/* A record around a container, with these numbers; NULL: it has no name. */
static void require_name(const struct bytes *before, const char *name)
{
    struct bytes bytes = bytes_copy(before->data, before->size);
    struct bytes container = make_nico_container("NMO\0");
    put_bytes(&bytes, container.data, container.size);
    char by_offset[32];
    (void)snprintf(by_offset, sizeof by_offset, "0x%08zx.nmo", before->size);
    ossa_options options = {.format = "sotc-nico"};
    ossa_file *file = read_or_fail("record", bytes.data, bytes.size, &options);
    assert_int_equal(ossa_entry_count(file), 1);
    assert_string_equal(ossa_entry_at(file, 0)->name, name != NULL ? name : by_offset);
    ossa_file_free(file);
    bytes_free(&container);
    bytes_free(&bytes);
}

static void a_name_needs_both_numbers(void **state)
{
    (void)state;
    struct bytes container = make_nico_container("NMO\0");
    const uint32_t size = (uint32_t)container.size;
    const struct {
        uint32_t path_size;
        uint32_t size;
        bool is_good;
    } cases[] = {{10, size, true},          {9, size, false},       {11, size, false},
                 {10, size + 1, false},     {10, 0, false},         {0, size, false},
                 {0xffffffff, size, false}, {10 + 256, size, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes sheet = {0};
        struct bytes cell = {0};
        put_u32(&sheet, cases[i].path_size);
        put_u32(&sheet, cases[i].size);
        put_bytes(&sheet, "nmo/a.nmo", 10);
        require_name(&sheet, cases[i].is_good ? "nmo/a.nmo" : NULL);
        put_u32(&cell, cases[i].path_size);
        put_bytes(&cell, "nmo/a.nmo", 10);
        put_u32(&cell, cases[i].size);
        require_name(&cell, cases[i].is_good ? "nmo/a.nmo" : NULL);
        bytes_free(&sheet);
        bytes_free(&cell);
    }
    bytes_free(&container);
}

static void paths_have_a_longest(void **state)
{
    (void)state;
    struct bytes container = make_nico_container("NMO\0");
    char path[1100];
    for (size_t length = 1; length < sizeof path; length += length < 4 || length > 1018 ? 1 : 97) {
        struct bytes bytes = {0};
        memset(path, 'p', sizeof path);
        path[length] = '\0';
        put_text(&bytes, "0123456789");
        put_u32(&bytes, (uint32_t)length + 1);
        put_u32(&bytes, (uint32_t)container.size);
        put_bytes(&bytes, path, length + 1);
        require_name(&bytes, length < 1024 ? path : NULL);
        path[length / 2] = '\n'; /* no path has that */
        bytes.size -= length + 1;
        put_bytes(&bytes, path, length + 1);
        require_name(&bytes, NULL);
        bytes_free(&bytes);
    }
    bytes_free(&container);
}

/* ---- the directory ------------------------------------------------------------------------- */

/* With and without it, the same is found. */
static void the_directory_only_saves_time(void **state)
{
    (void)state;
    static const char *const names[] = {"sotc-nico/whole", "sotc-nico/directory",
                                        "sotc-nico/odd-part"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        struct bytes bytes = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        ossa_file *file = read_fixture(fixture);
        set_u8(&bytes, NICO_POOL_AT, 1); /* no name begins like that */
        ossa_file *other = read_or_fail(names[i], bytes.data, bytes.size, NULL);
        require_same_entries(names[i], file, other);
        assert_true(ossa_entry_count(file) >= 4);
        assert_int_equal(other->issue_count, 0);
        ossa_file_free(other);
        ossa_file_free(file);
        bytes_free(&bytes);
    }
}

/* A sheet with a large file that is not a container: nobody reads that. */
static void parts_are_not_searched(void **state)
{
    (void)state;
    enum { LARGE = 3 << 20 };
    struct bytes large = {0};
    put_repeated(&large, 'x', LARGE);
    struct bytes animation = make_nico_animation("walk", 3);
    const struct nico_file files[2] = {{"movie/intro.pss", large}, {"anim/walk.anb", animation}};
    struct bytes sheet = make_sheet(&(struct nico_sheet){.primary = files, .primary_count = 2});
    struct nico_places places;
    struct bytes bytes =
        make_nico(&(struct nico_plan){.sheets = &sheet, .sheet_count = 1}, &places);
    struct disk disk = {.bytes = &bytes};
    ossa_file *file = read_from_disk(&disk, NULL);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(ossa_entry_count(file), 1);
    assert_string_equal(ossa_entry_at(file, 0)->name, "anim/walk.anb");
    assert_true(disk.read < 100000);
    ossa_file_free(file);
    /* One number that does not fit, and all is searched. */
    set_u32(&bytes, places.sheets + 12, 1 + get_u32(&bytes, places.sheets + 12));
    file = read_from_disk(&disk, &(ossa_options){.format = "sotc-nico"});
    assert_int_equal(file->issue_count, 1);
    assert_int_equal(ossa_entry_count(file), 1);
    assert_string_equal(ossa_entry_at(file, 0)->name, "anim/walk.anb");
    assert_true(disk.read > LARGE);
    ossa_file_free(file);
    bytes_free(&bytes);
    bytes_free(&sheet);
    bytes_free(&animation);
    bytes_free(&large);
}

/* What lies between parts, or is led to twice, is listed once. */
static void parts_may_leave_gaps_and_repeat(void **state)
{
    (void)state;
    struct bytes animation = make_nico_animation("walk", 3);
    const struct nico_file file = {"anim/walk.anb", animation};
    struct bytes sheet = make_sheet(&(struct nico_sheet){.primary = &file, .primary_count = 1});
    const struct bytes sheets[3] = {sheet, sheet, sheet};
    struct nico_places places;
    struct bytes bytes =
        make_nico(&(struct nico_plan){.sheets = sheets, .sheet_count = 3}, &places);
    set_u32(&bytes, places.reference + 8, get_u32(&bytes, places.reference)); /* the first again */
    ossa_file *archive = read_or_fail("repeated", bytes.data, bytes.size, NULL);
    assert_int_equal(archive->issue_count, 0);
    assert_int_equal(ossa_entry_count(archive), 3);
    ossa_file_free(archive);
    /* Of two that overlap, the second is not gone through again. */
    set_u32(&bytes, places.reference + 12, get_u32(&bytes, places.reference + 12) + 1);
    archive = read_or_fail("overlapping", bytes.data, bytes.size, NULL);
    assert_int_equal(archive->issue_count, 1);
    assert_int_equal(ossa_entry_count(archive), 3);
    ossa_file_free(archive);
    bytes_free(&bytes);
    bytes_free(&sheet);
    bytes_free(&animation);
}

/* ---- large archives ------------------------------------------------------------------------ */

/* Records at all distances from the ends of windows. */
static void windows_hide_nothing(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    struct bytes container = make_nico_container("NTO2");
    for (unsigned i = 0; bytes.size < 3 << 20; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "nto/texture_%u.nto", i);
        const struct nico_file file = {path, container};
        if (i % 2 == 0) put_sheet_record(&bytes, &file);
        else put_cell_record(&bytes, &file);
        put_repeated(&bytes, (uint8_t)i, i % 61);
    }
    struct disk disk = {.bytes = &bytes};
    ossa_file *whole = read_or_fail("whole", bytes.data, bytes.size, NULL);
    ossa_file *parts = read_from_disk(&disk, NULL);
    assert_int_equal(whole->issue_count, 0);
    assert_true(ossa_entry_count(whole) > 8000);
    require_same_entries("windows", whole, parts);
    assert_true(disk.read < bytes.size + bytes.size / 50);
    ossa_file_free(parts);
    ossa_file_free(whole);
    bytes_free(&container);
    bytes_free(&bytes);
}

static void one_is_found_without_a_search(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-nico/whole");
    struct disk disk = {.bytes = &fixture->bytes};
    ossa_source source = {read_disk, &disk, fixture->bytes.size};
    ossa_options options = {.format = "sotc-nico"};
    ossa_file *all = read_fixture(fixture);
    for (uint64_t at = 0; at < fixture->bytes.size + 3; at++) {
        ossa_file *file = ossa__read_only_at(&source, &at, &options, NULL);
        assert_non_null(file);
        size_t count = ossa_entry_count(file);
        bool is_there = false;
        for (size_t i = 0; i < ossa_entry_count(all); i++) {
            if (ossa_entry_at(all, i)->offset != at) continue;
            is_there = true;
            assert_int_equal(count, 1);
            assert_string_equal(ossa_entry_at(file, 0)->name, ossa_entry_at(all, i)->name);
        }
        assert_int_equal(count, is_there ? 1 : 0);
        ossa_file_free(file);
    }
    ossa_file_free(all);
}

/* ---- what it is ---------------------------------------------------------------------------- */

static const char *format_of(const struct bytes *bytes)
{
    ossa_guess guesses[2];
    struct disk disk = {.bytes = bytes};
    ossa_source source = {read_disk, &disk, bytes->size};
    const struct ossa__format *nico = (const struct ossa__format *)ossa_format_find("sotc-nico");
    size_t count = ossa_probe(bytes->data, bytes->size, NULL, guesses, 2);
    bool is_nico = nico->probe(bytes->data, bytes->size) == OSSA_CONFIDENCE_SIGNATURE;
    assert_int_equal(nico->probe_from(&source) == OSSA_CONFIDENCE_SIGNATURE, is_nico);
    return count == 0 ? "" : guesses[0].format->id;
}

static void one_container_is_not_an_archive(void **state)
{
    (void)state;
    struct bytes container = make_nico_container("\5\0\0\0");
    for (size_t distance = 0; distance < 10000; distance += 499) {
        struct bytes bytes = bytes_copy(container.data, container.size);
        put_repeated(&bytes, 0, distance);
        assert_string_equal(format_of(&bytes), "sotc-xff");
        put_bytes(&bytes, container.data, container.size);
        assert_string_equal(format_of(&bytes), distance < 4096 ? "sotc-nico" : "sotc-xff");
        /* The same if the data of the first one cannot be reached. */
        set_u32(&bytes, XFF_ENTRY_AT, 0xfffffff);
        assert_string_equal(format_of(&bytes), distance < 4096 ? "sotc-nico" : "sotc-xff");
        bytes_free(&bytes);
    }
    bytes_free(&container);
}

static void discs_are_not_claimed(void **state)
{
    (void)state;
    static const size_t places[] = {16 * 2048 + 1, 16 * 2336 + 9};
    const struct fixture *stream = fixture_find("sotc-nico/stream");
    for (size_t i = 0; i < 2; i++) {
        struct bytes bytes = {0};
        put_repeated(&bytes, 0, 48 << 10);
        put_bytes(&bytes, stream->bytes.data, stream->bytes.size);
        assert_string_equal(format_of(&bytes), "sotc-nico");
        memcpy(bytes.data + places[i], "CD001", 5);
        assert_string_not_equal(format_of(&bytes), "sotc-nico");
        memset(bytes.data + places[i], 0, 5);
        memset(bytes.data + 1, 0xff, 10);
        assert_string_not_equal(format_of(&bytes), "sotc-nico");
        /* Nor a ZIP, which is known by its end. */
        memcpy(bytes.data, "PK\3\4", 4);
        assert_string_not_equal(format_of(&bytes), "sotc-nico");
        bytes_free(&bytes);
    }
    /* Nor what is behind the beginning. */
    struct bytes bytes = {0};
    put_repeated(&bytes, 0, 64 << 10);
    put_bytes(&bytes, stream->bytes.data, stream->bytes.size);
    assert_string_equal(format_of(&bytes), "");
    bytes_free(&bytes);
}

/* Raw sectors would come out of it with their headers inside. */
static void raw_sectors_are_refused(void **state)
{
    (void)state;
    const struct fixture *stream = fixture_find("sotc-nico/stream");
    struct bytes bytes = {0};
    put_u8(&bytes, 0);
    put_repeated(&bytes, 0xff, 10);
    put_u8(&bytes, 0);
    put_bytes(&bytes, stream->bytes.data, stream->bytes.size);
    ossa_error error;
    ossa_options options = {.format = "sotc-nico"};
    assert_null(ossa_read(bytes.data, bytes.size, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_MAGIC);
    assert_non_null(strstr(error.message, "raw sectors"));
    bytes.data[11] = 1;
    ossa_file *file = read_or_fail("not raw", bytes.data, bytes.size, &options);
    assert_int_equal(ossa_entry_count(file), 3);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* An archive in another one is that one's entry, even if it begins where this one looks. */
static void archives_of_others_are_not_claimed(void **state)
{
    (void)state;
    const struct fixture *stream = fixture_find("sotc-nico/stream");
    const ossa_packing entry = {"nico.dat", stream->bytes.data, stream->bytes.size, 1};
    static const char *const formats[] = {"ei-res", "mm-ar"};
    for (size_t i = 0; i < 2; i++) {
        ossa_buffer buffer = {0};
        ossa_error error;
        ossa_options options = {.dialect = i == 1 ? "ares" : NULL};
        assert_true(ossa_pack(formats[i], &entry, 1, &options, ossa_buffer_sink(&buffer), &error));
        struct bytes bytes = bytes_copy(buffer.data, buffer.size);
        struct disk disk = {.bytes = &bytes};
        assert_string_equal(format_of(&bytes), formats[i]);
        ossa_file *file = read_from_disk(&disk, NULL);
        assert_string_equal(file->format->id, formats[i]);
        ossa_file_free(file);
        file = read_or_fail("packed", bytes.data, bytes.size, NULL);
        assert_string_equal(file->format->id, formats[i]);
        ossa_file_free(file);
        bytes_free(&bytes);
        ossa_buffer_free(&buffer);
    }
}

static void it_goes_on_in_other_files(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"NICO.DAT", "XAB"}, {"nico.dat", "xab"},
                                           {"Nico.dat", "XAB"}, {"NICO.DAT;1", "XAB"},
                                           {"NICO", "XAB"},     {"NICO.DAT.", "XAB"},
                                           {"XAA", "XAB"},      {"NICO2.DAT", NULL},
                                           {"XAB", NULL},       {"", NULL}};
    const struct ossa__format *nico = (const struct ossa__format *)ossa_format_find("sotc-nico");
    char text[8];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool ok = nico->continues(names[i][0], 1, text, sizeof text);
        require(ok == (names[i][1] != NULL), names[i][0], "continues");
        if (ok) assert_string_equal(text, names[i][1]);
    }
    assert_true(nico->continues("NICO.DAT", 4, text, sizeof text));
    assert_string_equal(text, "XAE");
    assert_true(nico->continues("nico.dat", 25, text, sizeof text));
    assert_string_equal(text, "xaz");
    assert_false(nico->continues("NICO.DAT", 26, text, sizeof text));
    assert_false(nico->continues("NICO.DAT", 0, text, sizeof text));
    assert_false(nico->continues("NICO.DAT", 1, text, 3));
}

TEST_GROUP(test_sotc_nico)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_others),
        cmocka_unit_test(paths_are_names),
        cmocka_unit_test(a_name_needs_both_numbers),
        cmocka_unit_test(paths_have_a_longest),
        cmocka_unit_test(the_directory_only_saves_time),
        cmocka_unit_test(parts_are_not_searched),
        cmocka_unit_test(parts_may_leave_gaps_and_repeat),
        cmocka_unit_test(windows_hide_nothing),
        cmocka_unit_test(one_is_found_without_a_search),
        cmocka_unit_test(one_container_is_not_an_archive),
        cmocka_unit_test(discs_are_not_claimed),
        cmocka_unit_test(raw_sectors_are_refused),
        cmocka_unit_test(archives_of_others_are_not_claimed),
        cmocka_unit_test(it_goes_on_in_other_files),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
