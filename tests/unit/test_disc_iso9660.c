/* SPDX-License-Identifier: MIT
 *
 * Disc images: what is listed and read must be the same however the sectors are stored. */
#include "support/disc_fixture.h"
#include "support/testing.h"

#include "formats/disc/edc.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"EMPTY", "HELLO.TXT", "SUB/DEEP/XAB", "SUB/NUMBERS.BIN",
                                    "SUB/SONG.XA"};
enum { READABLE = 4, FILES = 5 };

/* A disc that is read from where it is. */
struct opened {
    struct bytes image;
    ossa_file *file;
};

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct bytes *image = user;
    if (offset > image->size || size > image->size - offset) fail();
    memcpy(bytes, image->data + offset, size);
    return true;
}

static ossa_file *open_bytes(struct bytes *image)
{
    const ossa_source source = {read_at, image, image->size};
    ossa_error error;
    ossa_file *file = ossa_read_from(&source, NULL, &error);
    require(file != NULL, "disc", "%s", error.message);
    return file;
}

static void close_disc(struct opened *disc)
{
    ossa_file_free(disc->file);
    bytes_free(&disc->image);
    free(disc);
}

static struct opened *open_disc(struct disc_plan plan, enum disc_layout layout)
{
    struct opened *disc = calloc(1, sizeof *disc);
    assert_non_null(disc);
    disc->image = sample_image(plan, layout);
    disc->file = open_bytes(&disc->image);
    return disc;
}

static void require_entry(const ossa_file *file, size_t index, const void *data, size_t size)
{
    const ossa_entry *entry = ossa_entry_at(file, index);
    ossa_bytes bytes;
    ossa_error error;
    require(entry->size == size && entry->stored_size == size, entry->name, "size");
    require(!entry->is_packed && !entry->is_missing, entry->name, "packed or missing");
    require(entry->has_time && entry->time == 972520200, entry->name, "time %u",
            (unsigned)entry->time);
    require(ossa_entry_bytes(file, index, NULL, &bytes, &error), entry->name, "%s", error.message);
    require(bytes.size == size && (size == 0 || memcmp(bytes.data, data, size) == 0), entry->name,
            "bytes");
    ossa_bytes_free(&bytes);
}

static void require_files(const ossa_file *file, const char *const *expected)
{
    const struct disc_contents contents = disc_contents();
    for (size_t i = 0; i < READABLE; i++) {
        assert_string_equal(ossa_entry_at(file, i)->name, expected[i]);
    }
    require_entry(file, 0, "", 0);
    require_entry(file, 1, "hi\n", 3);
    require_entry(file, 2, contents.xab, DISC_XAB);
    require_entry(file, 3, contents.numbers, DISC_NUMBERS);
}

static void every_layout_has_the_same_files(void **state)
{
    (void)state;
    static const struct disc_plan plans[] = {
        {0}, {.piece_size = DISC_SECTOR}, {.piece_size = 4096, .attribute_sectors = 1}};
    for (int layout = 0; layout < DISC_LAYOUTS; layout++) {
        for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
            struct opened *disc = open_disc(plans[i], (enum disc_layout)layout);
            assert_int_equal(ossa_entry_count(disc->file), READABLE);
            assert_int_equal(disc->file->issue_count, 0);
            require_files(disc->file, names);
            close_disc(disc);
        }
    }
}

static void every_range_can_be_read(void **state)
{
    (void)state;
    const struct disc_contents contents = disc_contents();
    const struct disc_plan plan = {.piece_size = 4096};
    for (int layout = 0; layout < DISC_LAYOUTS; layout++) {
        struct opened *disc = open_disc(plan, (enum disc_layout)layout);
        for (size_t begin = 0; begin < DISC_NUMBERS; begin += 97) {
            for (size_t size = 0; size <= DISC_NUMBERS - begin; size += 331) {
                uint8_t bytes[DISC_NUMBERS + 1];
                bytes[size] = 0x77;
                assert_true(ossa_entry_read(disc->file, 3, begin, bytes, size));
                assert_memory_equal(bytes, contents.numbers + begin, size);
                assert_int_equal(bytes[size], 0x77);
            }
        }
        uint8_t byte;
        assert_false(ossa_entry_read(disc->file, 3, DISC_NUMBERS, &byte, 1));
        close_disc(disc);
    }
}

static void joliet_names_go_first(void **state)
{
    (void)state;
    static const char *const joliet[] = {"empty", "hello.txt", "sub/deep/XAB", "sub/numbers.bin"};
    struct opened *disc = open_disc((struct disc_plan){.has_joliet = true}, DISC_MODE_1);
    require_files(disc->file, joliet);
    assert_int_equal(ossa_find_entry(disc->file, "SUB\\NUMBERS.BIN"), 3);
    close_disc(disc);

    static const char name[] = "d\xc3\xa4/\xe3\x83\x93\xe3\x83\x96.txt";
    const struct disc_file file = {name, "x", 1, 0};
    const struct disc_plan plan = {.files = &file, .count = 1, .has_joliet = true};
    struct disc made = make_disc(&plan);
    ossa_file *read = open_bytes(&made.image);
    assert_string_equal(ossa_entry_at(read, 0)->name, name);
    ossa_file_free(read);
    bytes_free(&made.image);
}

static void sound_is_listed_and_refused(void **state)
{
    (void)state;
    for (int layout = 0; layout < DISC_LAYOUTS; layout++) {
        struct opened *disc =
            open_disc((struct disc_plan){.has_xa = true}, (enum disc_layout)layout);
        assert_int_equal(ossa_entry_count(disc->file), FILES);
        require_files(disc->file, names);
        const ossa_entry *song = ossa_entry_at(disc->file, 4);
        assert_string_equal(song->name, names[4]);
        assert_int_equal(song->size, DISC_NUMBERS);
        ossa_bytes bytes;
        ossa_error error;
        uint8_t byte;
        assert_false(ossa_entry_bytes(disc->file, 4, NULL, &bytes, &error));
        assert_int_equal(error.code, OSSA_CODE_PASSED_OVER);
        assert_non_null(strstr(error.message, "sound or film in Form 2 sectors"));
        assert_false(ossa_entry_read(disc->file, 4, 0, &byte, 1));
        close_disc(disc);
    }
}

/* Without an attribute that says so, the sectors do. */
static void a_sector_of_form_2_is_not_read(void **state)
{
    (void)state;
    static const enum disc_layout layouts[] = {DISC_MODE_2, DISC_2336, DISC_MODE_2_2448};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        struct opened *disc = open_disc((struct disc_plan){0}, layouts[i]);
        uint8_t bytes[DISC_NUMBERS];
        /* The subheader is right before the data, and its third byte says so. */
        size_t at = (size_t)ossa_entry_at(disc->file, 3)->offset + 2 * disc_stride(layouts[i]);
        disc->image.data[at - 6] |= 0x20;
        assert_true(ossa_entry_read(disc->file, 3, 0, bytes, 4096));
        assert_false(ossa_entry_read(disc->file, 3, 0, bytes, 4097));
        assert_false(ossa_entry_read(disc->file, 3, 4096, bytes, 1));
        assert_false(ossa_entry_read(disc->file, 3, 0, bytes, DISC_NUMBERS));
        assert_true(ossa_entry_read(disc->file, 3, 6144, bytes, 1));
        close_disc(disc);
    }
}

static void names_stay_names(void **state)
{
    (void)state;
    static const char *const odd[][2] = {{"iso9660/name-separator", ".._A.TXT_"},
                                         {"iso9660/name-nul", "HEL\xe2\x90\x80O.TXT"},
                                         {"iso9660/name-up", "_"},
                                         {"iso9660/name-none", "_"}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ossa_file *file = read_fixture(fixture_find(odd[i][0]));
        assert_string_equal(ossa_entry_at(file, 1)->name, odd[i][1]);
        ossa_file_free(file);
    }
}

/* The record of the root ends with its room in the descriptor, and so must its length. */
static void the_root_has_a_record_of_its_size(void **state)
{
    (void)state;
    struct bytes image = sample_image((struct disc_plan){0}, DISC_2048);
    uint8_t *length = image.data + DISC_DESCRIPTORS * DISC_SECTOR + DISC_ROOT;
    assert_int_equal(*length, 34);
    ossa_file_free(open_bytes(&image));
    static const uint8_t others[] = {32, 33, 35, 36};
    for (size_t i = 0; i < sizeof others; i++) {
        ossa_error error;
        *length = others[i];
        assert_null(ossa_read(image.data, image.size, NULL, &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_VALUE);
    }
    bytes_free(&image);
}

/* A name that ends with its record is fine, one that is a byte longer is not. */
static void names_end_with_their_records(void **state)
{
    (void)state;
    for (unsigned longer = 0; longer < 2; longer++) {
        struct bytes image = sample_image((struct disc_plan){0}, DISC_2048);
        size_t record = disc_record(&image, "HELLO.TXT;1", 0);
        image.data[record + 32] = (uint8_t)(image.data[record] - 33 + longer);
        ossa_file *file = open_bytes(&image);
        require(file->error_count == longer, "disc", "%zu errors", (size_t)file->error_count);
        ossa_file_free(file);
        bytes_free(&image);
    }
}

static void raw_sectors_without_files_are_refused(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("iso9660/raw-sectors");
    ossa_error error;
    assert_null(ossa_read(fixture->bytes.data, fixture->bytes.size, NULL, &error));
    assert_string_equal(error.format, "iso9660");
    assert_non_null(strstr(error.message, "raw CD sectors without an ISO 9660 file system"));
}

static void it_has_no_json(void **state)
{
    (void)state;
    struct opened *disc = open_disc((struct disc_plan){0}, DISC_2048);
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_dump(disc->file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_int_equal(buffer.size, 0);
    static const char json[] = "{\"ossa\":1,\"format\":\"iso9660\",\"size\":1,\"data\":{}}";
    assert_null(ossa_build(json, sizeof json - 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_JSON);
    close_disc(disc);
}

static void it_is_described(void **state)
{
    (void)state;
    struct opened *disc = open_disc((struct disc_plan){.has_xa = true}, DISC_MODE_2);
    struct bytes text = describe_or_fail("disc", disc->file);
    static const char *const words[] = {"CD sectors of 2352 bytes (Mode 2)", "TEST_DISC",
                                        "PLAYSTATION", "CD-ROM XA", "2000-10-26 00:30:00"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        require(strstr((const char *)text.data, words[i]) != NULL, words[i], "is not described");
    }
    bytes_free(&text);
    close_disc(disc);
}

/* ---- checksums ----------------------------------------------------------------------------- */

static struct issue_log verify(const ossa_file *file)
{
    struct issue_log log = {0};
    const ossa_options options = {.on_issue = log_issue, .user = &log};
    ossa_error error;
    require(ossa_verify(file, &options, &error), "verify", "%s", error.message);
    return log;
}

static void the_checksum_is_that_of_a_bit_at_a_time(void **state)
{
    (void)state;
    const struct disc_contents contents = disc_contents();
    struct ossa__edc *edc = malloc(sizeof *edc);
    assert_non_null(edc);
    ossa__edc_init(edc);
    for (size_t begin = 0; begin < 9; begin++) {
        for (size_t size = 0; size < 300; size++) {
            assert_int_equal(ossa__edc_of(edc, contents.numbers + begin, size),
                             disc_edc(contents.numbers + begin, size));
        }
    }
    free(edc);
}

static void whole_discs_have_no_damage(void **state)
{
    (void)state;
    for (int layout = 0; layout < DISC_LAYOUTS; layout++) {
        struct opened *disc =
            open_disc((struct disc_plan){.has_xa = true}, (enum disc_layout)layout);
        assert_int_equal(verify(disc->file).count, 0);
        close_disc(disc);
    }
}

/* Every byte of a sector that has a checksum, a bit each. */
static void every_changed_bit_is_damage(void **state)
{
    (void)state;
    for (int layout = DISC_MODE_1; layout < DISC_LAYOUTS; layout++) {
        struct opened *disc = open_disc((struct disc_plan){0}, (enum disc_layout)layout);
        size_t stride = disc_stride((enum disc_layout)layout);
        size_t sector = (size_t)ossa_entry_at(disc->file, 1)->offset / stride * stride;
        bool is_mode_1 = layout == DISC_MODE_1 || layout == DISC_MODE_1_2448;
        size_t end = is_mode_1 ? 2068 : stride == 2336 ? 2060 : 2076;
        for (size_t i = 0; i < end; i++) {
            bool is_address = stride != 2336 && !is_mode_1 && i >= 12 && i < 15;
            if (is_address) continue; /* has no checksum in Mode 2 */
            disc->image.data[sector + i] ^= (uint8_t)(1U << i % 8);
            struct issue_log log = verify(disc->file);
            require(log.count == 1 && log.items[0].code == OSSA_CODE_DAMAGED_SECTOR, "bit",
                    "%zu issues for byte %zu of %s", log.count, i, disc_layout_names[layout]);
            assert_string_equal(log.items[0].field, "HELLO.TXT");
            assert_int_equal(log.items[0].severity, OSSA_SEVERITY_ERROR);
            assert_int_equal(log.items[0].offset, sector);
            disc->image.data[sector + i] ^= (uint8_t)(1U << i % 8);
        }
        close_disc(disc);
    }
}

static void damage_is_reported_by_file(void **state)
{
    (void)state;
    const size_t stride = disc_stride(DISC_MODE_2);
    struct opened *disc = open_disc((struct disc_plan){.has_xa = true}, DISC_MODE_2);
    size_t numbers = (size_t)ossa_entry_at(disc->file, 3)->offset;
    size_t song = (size_t)ossa_entry_at(disc->file, 4)->offset;
    disc->image.data[numbers] ^= 1;
    disc->image.data[numbers + 3 * stride] ^= 1;
    for (size_t i = 0; i < 2; i++) disc->image.data[song + i * stride] ^= 1; /* one has no EDC */
    disc->image.data[100] ^= 1;         /* in the system area */
    disc->image.data[17 * stride] ^= 1; /* a sync pattern */
    struct issue_log log = verify(disc->file);
    assert_int_equal(log.count, 3);
    assert_string_equal(log.items[0].field, "SUB/NUMBERS.BIN");
    assert_non_null(strstr(log.items[0].message, "damaged sectors: 2 of 5"));
    assert_int_equal(log.items[0].offset, numbers - 24);
    assert_string_equal(log.items[1].field, "SUB/SONG.XA");
    assert_non_null(strstr(log.items[1].message, "damaged sectors: 1 of 5"));
    assert_int_equal(log.items[2].severity, OSSA_SEVERITY_WARNING);
    assert_non_null(strstr(log.items[2].message, "2 damaged sectors that are in no file"));
    assert_int_equal(log.items[2].offset, 0);
    close_disc(disc);
}

static bool refuse_to_read(void *user, uint64_t offset, void *bytes, size_t size)
{
    (void)user;
    (void)offset;
    (void)bytes;
    (void)size;
    return false;
}

static void sectors_that_cannot_be_read_are_a_failure(void **state)
{
    (void)state;
    struct bytes image = sample_image((struct disc_plan){0}, DISC_MODE_1);
    struct gate {
        ossa_source source;
    } gate = {{read_at, &image, image.size}};
    ossa_file *file = open_bytes(&image);
    ossa_file_free(file);
    gate.source.read_at = refuse_to_read;
    ossa_error error;
    const ossa_options options = {.format = "iso9660"};
    assert_null(ossa_read_from(&gate.source, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_IO);
    bytes_free(&image);
}

TEST_GROUP(test_disc_iso9660)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_has_the_same_files),
        cmocka_unit_test(every_range_can_be_read),
        cmocka_unit_test(joliet_names_go_first),
        cmocka_unit_test(sound_is_listed_and_refused),
        cmocka_unit_test(a_sector_of_form_2_is_not_read),
        cmocka_unit_test(names_stay_names),
        cmocka_unit_test(the_root_has_a_record_of_its_size),
        cmocka_unit_test(names_end_with_their_records),
        cmocka_unit_test(raw_sectors_without_files_are_refused),
        cmocka_unit_test(it_has_no_json),
        cmocka_unit_test(it_is_described),
        cmocka_unit_test(the_checksum_is_that_of_a_bit_at_a_time),
        cmocka_unit_test(whole_discs_have_no_damage),
        cmocka_unit_test(every_changed_bit_is_damage),
        cmocka_unit_test(damage_is_reported_by_file),
        cmocka_unit_test(sectors_that_cannot_be_read_are_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
