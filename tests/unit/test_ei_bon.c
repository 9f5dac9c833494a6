/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

static void positions_are_what_the_bytes_say(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-bon/eight");
    ossa_file *file = read_fixture(fixture);
    const ossa_ei_bon *bon = ossa_as_ei_bon(file);
    assert_non_null(bon);
    assert_int_equal(file->format->kind, OSSA_KIND_SKELETON);
    assert_int_equal(bon->position_count, 8);
    for (size_t i = 0; i < 24; i++) {
        assert_int_equal(bits_of_f32(bon->positions[i / 3][i % 3]),
                         get_u32(&fixture->bytes, 4 * i));
    }
    assert_int_equal(bon->borrowed, OSSA__LITTLE_ENDIAN);
    if (bon->borrowed) assert_ptr_equal(bon->positions, fixture->bytes.data);
    assert_int_equal(bon->tail_size, 0);
    assert_null(ossa_as_ei_anm(file));
    ossa_file_free(file);
}

static void a_misaligned_file_is_copied(void **state)
{
    (void)state;
    struct bytes shifted = {0};
    put_u8(&shifted, 0);
    put_f32(&shifted, 1.0F);
    put_f32(&shifted, -2.0F);
    put_f32(&shifted, 0.5F);
    ossa_options options = {.format = "ei-bon"};
    ossa_file *file = read_or_fail("shifted", shifted.data + 1, 12, &options);
    const ossa_ei_bon *bon = ossa_as_ei_bon(file);
    assert_false(bon->borrowed);
    assert_true(bon->positions[0][1] == -2.0F);
    ossa_file_free(file);
    bytes_free(&shifted);
}

static void what_is_left_is_a_tail(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-bon/trailing-bytes"));
    const ossa_ei_bon *bon = ossa_as_ei_bon(file);
    assert_int_equal(bon->position_count, 8);
    assert_int_equal(bon->tail_size, 4);
    assert_memory_equal(bon->tail, "tail", 4);
    assert_int_equal(file->error_count, 1);
    ossa_file_free(file);
}

/* Nothing but the name says what such a file is. */
static void the_extension_leads_to_odd_files(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-bon/three");
    ossa_options options = {.name = "figures/troll/HP.BON"};
    ossa_file *file =
        read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
    assert_int_equal(ossa_as_ei_bon(file)->position_count, 3);
    assert_int_equal(file->warning_count, 1);
    ossa_file_free(file);
}

static void changed_positions_are_written(void **state)
{
    (void)state;
    static const float mine[2][3] = {{1.0F, 2.0F, 3.0F}, {-0.0F, 0.25F, 1e-3F}};
    ossa_file *file = read_fixture(fixture_find("ei-bon/eight"));
    ossa_ei_bon *bon = ossa_as_ei_bon(file);
    bon->positions = mine;
    bon->position_count = 2;
    struct bytes expected = {0};
    for (size_t i = 0; i < 6; i++) put_f32(&expected, mine[i / 3][i % 3]);
    require_written("changed", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x00, 0x00, 0x80, 0x3f, 0x00, 0x00,
                                    0x00, 0x80, 0x00, 0x00, 0x80, 0xbe};
    ossa_file *file = read_or_fail("json", bytes, sizeof bytes, NULL);
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] = "{\"ossa\":1,\"format\":\"ei-bon\",\"size\":12,"
                                   "\"data\":{\"positions\":[[1,-0.0,-0.25]]}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        const char *field;
    } cases[] = {{"{\"positions\":[]}", "data.positions"},
                 {"{\"positions\":[[1,2]]}", "data.positions[0]"},
                 {"{\"positions\":[[1,2,true]]}", "data.positions[0][2]"},
                 {"{\"positions\":[[1,2,3]],\"tail\":\"000102030405060708090a0b\"}", "data.tail"},
                 {"{\"positions\":[[1,2,3]],\"more\":1}", "data.more"},
                 {"{}", "data.positions"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_data_refused("ei-bon", 12, cases[i].data, OSSA_CODE_BAD_JSON, cases[i].field);
}

/* ---- complexion ---------------------------------------------------------------------------- */

/* The corners of a cube as a trilinear function has them, so that blending gives it back: of the
 * three numbers in the game's order. */
static double function(double a, double b, double c)
{
    return 1.0 + 2.0 * a - 3.0 * b + 5.0 * c + 7.0 * a * b - 11.0 * b * c + 0.5 * a * b * c;
}

static void fill_corners(float corners[8][3])
{
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < 3; k++)
            corners[i][k] = (float)((k + 1) * function(i >> 1 & 1, i & 1, i >> 2 & 1));
    }
}

static void every_corner_is_itself(void **state)
{
    (void)state;
    float corners[8][3];
    for (unsigned i = 0; i < 24; i++) corners[i / 3][i % 3] = NAN;
    for (unsigned i = 0; i < 8; i++) {
        /* The first number acts on bit 1, the second on bit 0. */
        const float numbers[3] = {(float)(i >> 1 & 1), (float)(i & 1), (float)(i >> 2 & 1)};
        const float mine[3] = {-0.0F, (float)i / 3.0F, 1e-30F};
        float out[3];
        memcpy(corners[i], mine, sizeof mine);
        ossa_ei_complexion((const float(*)[3])corners, 8, numbers, out);
        assert_memory_equal(out, mine, sizeof mine); /* and no NaN of the others leaks in */
        corners[i][0] = corners[i][1] = corners[i][2] = NAN;
    }
}

static void blending_is_trilinear(void **state)
{
    (void)state;
    float corners[8][3];
    fill_corners(corners);
    static const float points[][3] = {{0.5F, 0.0F, 0.0F},   {0.0F, 0.5F, 0.0F},
                                      {0.0F, 0.0F, 0.5F},   {0.25F, 0.5F, 0.75F},
                                      {1.0F, 0.125F, 0.5F}, {0.1F, 0.7F, 0.3F}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const float *at = points[i];
        float out[3];
        ossa_ei_complexion((const float(*)[3])corners, 8, at, out);
        for (unsigned k = 0; k < 3; k++) {
            double expected = (k + 1) * function((double)at[0], (double)at[1], (double)at[2]);
            assert_true(fabs((double)out[k] - expected) <= 1e-6 * (1.0 + fabs(expected)));
        }
    }
}

static void without_a_cube_the_first_counts(void **state)
{
    (void)state;
    float corners[8][3];
    float out[3];
    fill_corners(corners);
    const float numbers[3] = {0.5F, 0.5F, 0.5F};
    static const uint32_t counts[] = {1, 2, 4, 6, 7};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ossa_ei_complexion((const float(*)[3])corners, counts[i], numbers, out);
        assert_memory_equal(out, corners[0], sizeof out);
    }
    ossa_ei_complexion((const float(*)[3])corners, 8, NULL, out);
    assert_memory_equal(out, corners[0], sizeof out);
    ossa_ei_complexion(NULL, 0, numbers, out);
    assert_true(out[0] == 0.0F && out[1] == 0.0F && out[2] == 0.0F);
}

TEST_GROUP(test_ei_bon)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_what_the_bytes_say),
        cmocka_unit_test(a_misaligned_file_is_copied),
        cmocka_unit_test(what_is_left_is_a_tail),
        cmocka_unit_test(the_extension_leads_to_odd_files),
        cmocka_unit_test(changed_positions_are_written),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(every_corner_is_itself),
        cmocka_unit_test(blending_is_trilinear),
        cmocka_unit_test(without_a_cube_the_first_counts),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
