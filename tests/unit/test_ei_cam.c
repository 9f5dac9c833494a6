/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

enum { KEY = 36 };

static void keys_are_what_the_bytes_say(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-cam/seven");
    ossa_file *file = read_fixture(fixture);
    const ossa_ei_cam *cam = ossa_as_ei_cam(file);
    assert_non_null(cam);
    assert_int_equal(file->format->kind, OSSA_KIND_CAMERA);
    assert_int_equal(cam->key_count, 7);
    for (size_t i = 0; i < 7; i++) {
        const ossa_ei_camera_key *key = &cam->keys[i];
        const float floats[9] = {key->time,        key->step,        key->position[0],
                                 key->position[1], key->position[2], key->rotation[0],
                                 key->rotation[1], key->rotation[2], key->rotation[3]};
        for (size_t k = 0; k < 9; k++) {
            assert_int_equal(bits_of_f32(floats[k]), get_u32(&fixture->bytes, KEY * i + 4 * k));
        }
    }
    assert_int_equal(cam->borrowed, OSSA__LITTLE_ENDIAN);
    if (cam->borrowed) assert_ptr_equal(cam->keys, fixture->bytes.data);
    assert_int_equal(cam->tail_size, 0);
    assert_null(ossa_as_ei_bon(file));
    assert_null(ossa_as_vib_anc(file));
    ossa_file_free(file);
}

static void a_misaligned_file_is_copied(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-cam/two");
    struct bytes shifted = {0};
    put_u8(&shifted, 0);
    put_bytes(&shifted, fixture->bytes.data, fixture->bytes.size);
    ossa_options options = {.format = "ei-cam"};
    ossa_file *file = read_or_fail("shifted", shifted.data + 1, fixture->bytes.size, &options);
    const ossa_ei_cam *cam = ossa_as_ei_cam(file);
    assert_false(cam->borrowed);
    assert_int_equal(cam->key_count, 2);
    assert_int_equal(bits_of_f32(cam->keys[1].rotation[3]), get_u32(&fixture->bytes, KEY + 32));
    ossa_file_free(file);
    bytes_free(&shifted);
}

static void what_is_left_is_a_tail(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-cam/trailing-bytes");
    ossa_options options = {.name = "menu/INTRO.CAM"}; /* nothing else says what it is */
    ossa_file *file =
        read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
    const ossa_ei_cam *cam = ossa_as_ei_cam(file);
    assert_int_equal(file->confidence, OSSA_CONFIDENCE_NAMED);
    assert_int_equal(cam->key_count, 3);
    assert_int_equal(cam->tail_size, 4);
    assert_memory_equal(cam->tail, "tail", 4);
    assert_int_equal(file->error_count, 1);
    ossa_file_free(file);
}

static void changed_keys_are_written(void **state)
{
    (void)state;
    static const ossa_ei_camera_key mine = {
        1.0F, -0.0F, {2.0F, 3.0F, 4.0F}, {0.5F, -0.5F, 0.5F, -0.5F}};
    ossa_file *file = read_fixture(fixture_find("ei-cam/seven"));
    ossa_ei_cam *cam = ossa_as_ei_cam(file);
    cam->keys = &mine;
    cam->key_count = 1;
    struct bytes expected = {0};
    static const float floats[9] = {1.0F, -0.0F, 2.0F, 3.0F, 4.0F, 0.5F, -0.5F, 0.5F, -0.5F};
    for (size_t i = 0; i < 9; i++) put_f32(&expected, floats[i]);
    require_written("changed", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

/* A path of no keys would be an empty file, which nothing reads. */
static void no_keys_are_not_written(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-cam/seven"));
    ossa_buffer buffer = {0};
    ossa_error error;
    ossa_as_ei_cam(file)->key_count = 0;
    assert_false(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_string_equal(error.field, "keys");
    assert_string_equal(error.message, "there are no keys, expected at least one");
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

/* ---- fields -------------------------------------------------------------------------------- */

struct found {
    size_t count;
    size_t matches;
};

static void compare_field(void *user, const ossa_field *field)
{
    static const char *const names[9] = {"time",       "step",       "position.x",
                                         "position.y", "position.z", "rotation.w",
                                         "rotation.x", "rotation.y", "rotation.z"};
    struct found *found = user;
    char path[64];
    (void)snprintf(path, sizeof path, "keys[%zu].%s", found->count / 9, names[found->count % 9]);
    bool same = strcmp(field->path, path) == 0 && field->type == OSSA_FIELD_TYPE_F32 &&
                field->offset == 4 * found->count;
    found->matches += same ? 1 : 0;
    found->count++;
}

static void every_float_has_a_name(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-cam/two");
    struct found found = {0};
    ossa_options options = {.format = "ei-cam", .on_field = compare_field, .user = &found};
    ossa_file_free(read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options));
    assert_int_equal(found.count, 18);
    assert_int_equal(found.matches, 18);
}

/* ---- a path or places ---------------------------------------------------------------------- */

/* Six variants of the place of a part that hangs 0.707 below: read as two keys they have rotations
 * of length 1 all the same. */
static struct bytes make_long_bone(float first_x, float fourth_x)
{
    struct bytes file = {0};
    for (unsigned i = 0; i < 6; i++) {
        put_f32(&file, i == 0 ? first_x : i == 3 ? fourth_x : 0.01F);
        put_f32(&file, 0.02F);
        put_f32(&file, 0.707F + 0.001F * (float)(i % 2));
    }
    return file;
}

static void what_could_be_both_is_told_by_its_name(void **state)
{
    (void)state;
    struct bytes file = make_long_bone(0.01F, 0.012F);
    ossa_guess guesses[4];
    assert_int_equal(ossa_probe(file.data, file.size, NULL, guesses, 4), 2);
    assert_int_equal(guesses[0].confidence, guesses[1].confidence);
    ossa_error error;
    assert_null(ossa_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_AMBIGUOUS_FORMAT);
    assert_non_null(strstr(error.message, "ei-bon, ei-cam"));
    static const char *const names[2][2] = {{"ll2.bon", "ei-bon"}, {"intro.cam", "ei-cam"}};
    for (size_t i = 0; i < 2; i++) {
        ossa_options options = {.name = names[i][0]};
        ossa_file *read = read_or_fail(names[i][0], file.data, file.size, &options);
        assert_string_equal(read->format->id, names[i][1]);
        ossa_file_free(read);
    }
    bytes_free(&file);
    /* Times never fall. */
    file = make_long_bone(0.012F, 0.01F);
    assert_int_equal(ossa_probe(file.data, file.size, NULL, guesses, 4), 1);
    assert_string_equal(guesses[0].format->id, "ei-bon");
    bytes_free(&file);
}

/* Numbers that look more like a path than like positions: the name and the folder say what they
 * are, and without either they are a path. */
static void a_position_that_looks_like_a_path_is_one_by_its_name(void **state)
{
    (void)state;
    static const char *const fixtures[] = {"ei-cam/two", "ei-cam/plain"};
    static const struct {
        const char *name;
        bool is_bon;
    } names[] = {{"hp.bon", true},
                 {"unmotr.bon/hp", true},
                 {"unmotr.bon\\rh3.sword00", true},
                 {"hp.cam", false},
                 {"hp", false},
                 {"unmotr.bon/intro.cam", false},
                 {"a/HP.BON", true},
                 {NULL, false}};
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
        const struct fixture *fixture = fixture_find(fixtures[i % 2]);
        assert_int_equal(fixture->bytes.size, 72);
        ossa_options options = {.name = names[i / 2].name};
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
        assert_true((ossa_as_ei_bon(file) != NULL) == names[i / 2].is_bon);
        assert_true((ossa_as_ei_cam(file) != NULL) != names[i / 2].is_bon);
        ossa_file_free(file);
    }
    const struct fixture *six = fixture_find("ei-bon/six"); /* which cannot be a path */
    ossa_options options = {.name = "intro.cam"};
    ossa_file *file = read_or_fail(six->name, six->bytes.data, six->bytes.size, &options);
    assert_non_null(ossa_as_ei_bon(file));
    ossa_file_free(file);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    static const float floats[9] = {0.5F, -0.0F, 1.0F, 2.0F, -3.0F, 1.0F, 0.0F, 0.0F, 0.0F};
    for (size_t i = 0; i < 9; i++) put_f32(&bytes, floats[i]);
    put_u8(&bytes, 0xab);
    ossa_options options = {.format = "ei-cam"};
    ossa_file *file = read_or_fail("json", bytes.data, bytes.size, &options);
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] = "{\"ossa\":1,\"format\":\"ei-cam\",\"size\":37,\"data\":{"
                                   "\"keys\":[{\"time\":0.5,\"step\":-0.0,\"position\":[1,2,-3],"
                                   "\"rotation\":[1,0,0,0]}],\"tail\":\"ab\"}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
#define GOOD_KEY "{\"time\":0,\"step\":0,\"position\":[1,2,3],\"rotation\":[1,0,0,0]}"
#define ZEROS    "000000000000000000000000"
    static const struct {
        const char *data;
        const char *field;
    } cases[] = {
        {"{}", "data.keys"},
        {"{\"keys\":[]}", "data.keys"},
        {"{\"keys\":[1]}", "data.keys[0]"},
        {"{\"keys\":[" GOOD_KEY ",{\"time\":0,\"step\":0,\"position\":[1,2,3]}]}",
         "data.keys[1].rotation"},
        {"{\"keys\":[{\"time\":true,\"step\":0,\"position\":[1,2,3],\"rotation\":[1,0,0,0]}]}",
         "data.keys[0].time"},
        {"{\"keys\":[{\"time\":0,\"step\":0,\"position\":[1,2],\"rotation\":[1,0,0,0]}]}",
         "data.keys[0].position"},
        {"{\"keys\":[{\"time\":0,\"step\":0,\"position\":[1,2,3],\"rotation\":[1,0,\"\",0]}]}",
         "data.keys[0].rotation[2]"},
        {"{\"keys\":[{\"fov\":1,\"time\":0,\"step\":0,\"position\":[1,2,3],\"rotation\":[1,0,0,0]}]"
         "}",
         "data.keys[0].fov"},
        {"{\"keys\":[" GOOD_KEY "],\"tail\":\"" ZEROS ZEROS ZEROS "\"}", "data.tail"},
        {"{\"keys\":[" GOOD_KEY "],\"more\":1}", "data.more"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_data_refused("ei-cam", 36, cases[i].data, OSSA_CODE_BAD_JSON, cases[i].field);
}

/* ---- describe ------------------------------------------------------------------------------ */

static void info_tells_what_there_is(void **state)
{
    (void)state;
    static const char *const lines[] = {"  keys           2\n", "  duration       1 s\n",
                                        "  time           t 0 .. 1\n",
                                        "  position       x 0 .. 2, y 0 .. 0, z 0 .. 0\n"};
    for (size_t i = 0; i < 4; i++) require_described("ei-cam/plain", lines[i]);
    /* What has no finite value has no range; the rest is told all the same. */
    ossa_file *file = read_fixture(fixture_find("ei-cam/odd-floats"));
    struct bytes text = describe_or_fail("odd-floats", file);
    assert_non_null(strstr((const char *)text.data, "  keys           2\n"));
    assert_null(strstr((const char *)text.data, "duration"));
    assert_null(strstr((const char *)text.data, "inf"));
    assert_null(strstr((const char *)text.data, "nan"));
    bytes_free(&text);
    ossa_file_free(file);
}

TEST_GROUP(test_ei_cam)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_what_the_bytes_say),
        cmocka_unit_test(a_misaligned_file_is_copied),
        cmocka_unit_test(what_is_left_is_a_tail),
        cmocka_unit_test(changed_keys_are_written),
        cmocka_unit_test(no_keys_are_not_written),
        cmocka_unit_test(every_float_has_a_name),
        cmocka_unit_test(what_could_be_both_is_told_by_its_name),
        cmocka_unit_test(a_position_that_looks_like_a_path_is_one_by_its_name),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(info_tells_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
