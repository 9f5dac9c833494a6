/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

#include <string.h>

/* The example of docs/formats/ei-anm.md. */
static const uint8_t documented[] = {
    0x02, 0,    0,    0,    0,    0,    0x80, 0x3f, 0, 0, 0, 0,    0, 0, 0,    0,
    0,    0,    0,    0,    0xf3, 0x04, 0x35, 0x3f, 0, 0, 0, 0,    0, 0, 0,    0,
    0xf3, 0x04, 0x35, 0x3f, 0x02, 0,    0,    0,    0, 0, 0, 0,    0, 0, 0,    0,
    0,    0,    0x80, 0x3f, 0,    0,    0,    0,    0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f,
    0x02, 0,    0,    0,    0x01, 0,    0,    0,    0, 0, 0, 0,    0, 0, 0,    0,
    0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0,    0, 0, 0x80, 0xbe};

static void the_documented_example_reads_as_documented(void **state)
{
    (void)state;
    assert_int_equal(sizeof documented, 96);
    ossa_file *file = read_or_fail("example", documented, sizeof documented, NULL);
    assert_string_equal(file->format->id, "ei-anm");
    const ossa_ei_anm *anm = ossa_as_ei_anm(file);
    assert_int_equal(anm->rotation_count, 2);
    assert_int_equal(anm->translation_count, 2);
    assert_int_equal(anm->morph_frame_count, 2);
    assert_int_equal(anm->morph_vertex_count, 1);
    assert_true(anm->rotations[0][0] == 1.0F);
    assert_int_equal(bits_of_f32(anm->rotations[1][3]), 0x3f3504f3);
    assert_true(anm->translations[1][1] == 0.5F);
    assert_true(anm->morphs[1][2] == -0.25F);
    assert_false(anm->short_tail);
    assert_int_equal(anm->tail_size, 0);
    struct bytes json = dump_or_fail("example", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"ei-anm\",\"size\":96,\"data\":{"
        "\"rotations\":[[1,0,0,0],[0.707106769,0,0,0.707106769]],"
        "\"translations\":[[0,0,1],[0,0.5,1]],"
        "\"morph_vertices\":1,\"morphs\":[[[0,0,0]],[[0,0,-0.25]]],\"short_tail\":false}}\n";
    require_same("example", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
}

/* All arrays hold the bits that stand in the file. */
static void require_values(const struct fixture *fixture, const ossa_ei_anm *anm)
{
    const struct bytes *bytes = &fixture->bytes;
    size_t at = 0;
    assert_int_equal(anm->rotation_count, get_u32(bytes, at));
    at += 4;
    for (size_t i = 0; i < 4 * (size_t)anm->rotation_count; i++, at += 4)
        assert_int_equal(bits_of_f32(anm->rotations[i / 4][i % 4]), get_u32(bytes, at));
    assert_int_equal(anm->translation_count, get_u32(bytes, at));
    at += 4;
    for (size_t i = 0; i < 3 * (size_t)anm->translation_count; i++, at += 4)
        assert_int_equal(bits_of_f32(anm->translations[i / 3][i % 3]), get_u32(bytes, at));
    assert_int_equal(anm->morph_frame_count, get_u32(bytes, at));
    at += 4;
    if (anm->short_tail) {
        assert_int_equal(at, bytes->size);
        return;
    }
    assert_int_equal(anm->morph_vertex_count, get_u32(bytes, at));
    at += 4;
    size_t offsets = (size_t)anm->morph_frame_count * anm->morph_vertex_count;
    for (size_t i = 0; i < 3 * offsets; i++, at += 4)
        assert_int_equal(bits_of_f32(anm->morphs[i / 3][i % 3]), get_u32(bytes, at));
    assert_int_equal(at + anm->tail_size, bytes->size);
}

static const char *const names[] = {
    "ei-anm/plain",         "ei-anm/morphs",        "ei-anm/short-tail",
    "ei-anm/one-frame",     "ei-anm/one-morph",     "ei-anm/nothing",
    "ei-anm/odd-floats",    "ei-anm/many-vertices", "ei-anm/fewer-translations",
    "ei-anm/trailing-bytes"};
enum { NAMES = sizeof names / sizeof names[0] };

static void an_aligned_file_is_not_copied(void **state)
{
    (void)state;
    skip_unless_little_endian();
    for (size_t i = 0; i < NAMES; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        ossa_file *file = read_fixture(fixture);
        const ossa_ei_anm *anm = ossa_as_ei_anm(file);
        const uint8_t *data = fixture->bytes.data;
        size_t translations = 4 + 16 * (size_t)anm->rotation_count + 4;
        require(anm->borrowed, fixture->name, "not borrowed");
        assert_ptr_equal(anm->rotations, data + 4);
        assert_ptr_equal(anm->translations, data + translations);
        if (!anm->short_tail)
            assert_ptr_equal(anm->morphs,
                             data + translations + 12 * (size_t)anm->translation_count + 8);
        require_values(fixture, anm);
        ossa_file_free(file);
    }
}

static void a_misaligned_file_is_copied(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        for (size_t shift = 1; shift < 4; shift++) {
            struct bytes shifted;
            ossa_file *file = read_shifted(fixture, shift, &shifted);
            const ossa_ei_anm *anm = ossa_as_ei_anm(file);
            require(!anm->borrowed, fixture->name, "borrowed from a misaligned place");
            assert_int_equal((uintptr_t)anm->rotations % sizeof(float), 0);
            require_values(fixture, anm);
            ossa_file_free(file);
            bytes_free(&shifted);
        }
    }
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-anm/trailing-bytes");
    ossa_file *file = read_and_lose_input(fixture);
    const ossa_ei_anm *anm = ossa_as_ei_anm(file);
    assert_false(anm->borrowed);
    require_values(fixture, anm);
    assert_int_equal(anm->tail_size, 3);
    assert_int_equal(anm->tail[2], 0xa5);
    ossa_file_free(file);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void a_changed_array_changes_only_its_bytes(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-anm/morphs");
    ossa_file *file = read_fixture(fixture);
    ossa_ei_anm *anm = ossa_as_ei_anm(file);
    float rotations[5][4];
    memcpy(rotations, anm->rotations, sizeof rotations);
    rotations[3][2] = 0.125F;
    anm->rotations = (const float(*)[4])rotations;
    struct bytes expected = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    set_f32(&expected, 4 + 16 * 3 + 8, 0.125F);
    require_written(fixture->name, file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

static void a_track_can_be_shortened(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-anm/plain");
    ossa_file *file = read_fixture(fixture);
    ossa_ei_anm *anm = ossa_as_ei_anm(file);
    anm->rotation_count = 2;
    anm->translation_count = 0;
    struct bytes expected = {0};
    put_u32(&expected, 2);
    put_bytes(&expected, fixture->bytes.data + 4, 32);
    put_repeated(&expected, 0, 12);
    require_written(fixture->name, file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

/* Morphs need their count of vertices, whatever the file was like before. */
static void morphs_can_be_added_to_a_short_tail(void **state)
{
    (void)state;
    static const float morphs[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    const struct fixture *fixture = fixture_find("ei-anm/short-tail");
    ossa_file *file = read_fixture(fixture);
    ossa_ei_anm *anm = ossa_as_ei_anm(file);
    assert_true(anm->short_tail);
    anm->morph_frame_count = 4;
    anm->morph_vertex_count = 1;
    anm->morphs = morphs;
    struct bytes expected = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    set_u32(&expected, expected.size - 4, 4);
    put_u32(&expected, 1);
    for (int i = 1; i <= 12; i++) put_f32(&expected, (float)i);
    require_written(fixture->name, file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

/* ---- values -------------------------------------------------------------------------------- */

/* One report an array, at its first bad value; rows with a NaN are not called too long. */
static void bad_values_are_reported_once_an_array(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-anm/odd-floats");
    ossa_options options = {.format = "ei-anm", .check_values = true};
    ossa_file *file =
        read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
    assert_int_equal(file->issue_count, 4);
    assert_int_equal(file->issues[0].code, OSSA_CODE_NON_FINITE);
    assert_int_equal(file->issues[0].offset, 4 + 16);
    assert_non_null(strstr(file->issues[0].message, "5 of 20"));
    /* Rotation 2 is inf, -0, a denormal: not finite; 3 is the largest float: not of length 1. */
    assert_int_equal(file->issues[1].code, OSSA_CODE_NOT_UNIT);
    assert_int_equal(file->issues[1].offset, 4 + 16 * 3);
    assert_non_null(strstr(file->issues[1].message, "1 of 5"));
    assert_string_equal(file->issues[2].field, "translations");
    assert_string_equal(file->issues[3].field, "morphs");
    ossa_file_free(file);
}

/* A length within about 1 % is what old tools leave. */
static void nearly_unit_rotations_are_fine(void **state)
{
    (void)state;
    static const float scales[] = {0.995F, 1.005F, 0.98F, 1.02F};
    for (size_t i = 0; i < 4; i++) {
        struct bytes file = bytes_copy(documented, sizeof documented);
        set_f32(&file, 4, scales[i]);
        ossa_options options = {.check_values = true, .format = "ei-anm"};
        ossa_file *read = read_or_fail("scaled", file.data, file.size, &options);
        assert_int_equal(read->issue_count, i < 2 ? 0 : 1);
        ossa_file_free(read);
        bytes_free(&file);
    }
}

static void contents_belong_to_one_format(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-anm/plain"));
    assert_non_null(ossa_as_ei_anm(file));
    assert_null(ossa_as_ei_lnk(file));
    assert_null(ossa_as_mm_anim(file));
    assert_null(ossa_as_vib_anm(file));
    assert_null(ossa_as_sotc_anb(file));
    assert_null(ossa_as_sotc_xff(file));
    assert_null(ossa_as_ei_anm(NULL));
    ossa_file_free(file);
    file = read_fixture(fixture_find("vib-anm/walk"));
    assert_null(ossa_as_ei_anm(file));
    ossa_file_free(file);
}

TEST_GROUP(test_ei_anm)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documented_example_reads_as_documented),
        cmocka_unit_test(an_aligned_file_is_not_copied),
        cmocka_unit_test(a_misaligned_file_is_copied),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(a_changed_array_changes_only_its_bytes),
        cmocka_unit_test(a_track_can_be_shortened),
        cmocka_unit_test(morphs_can_be_added_to_a_short_tail),
        cmocka_unit_test(bad_values_are_reported_once_an_array),
        cmocka_unit_test(nearly_unit_rotations_are_fine),
        cmocka_unit_test(contents_belong_to_one_format),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
