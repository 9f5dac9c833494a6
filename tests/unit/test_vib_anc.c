/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

enum { HEADER = 6, KEY = 16 };

static int16_t number_at(const struct bytes *bytes, size_t offset)
{
    return (int16_t)(uint16_t)get_u16(bytes, offset);
}

static void require_keys(const struct fixture *fixture, const ossa_vib_anc *anc)
{
    const struct bytes *bytes = &fixture->bytes;
    assert_int_equal(anc->rate, number_at(bytes, 2));
    assert_int_equal(anc->key_count, get_u16(bytes, 4));
    for (size_t i = 0; i < anc->key_count; i++) {
        const ossa_vib_camera_key *key = &anc->keys[i];
        const int16_t numbers[8] = {key->eye[0],    key->eye[1],    key->eye[2], key->target[0],
                                    key->target[1], key->target[2], key->twist,  key->view};
        for (size_t k = 0; k < 8; k++) {
            size_t at = HEADER + KEY * i + 2 * k;
            require(numbers[k] == number_at(bytes, at), fixture->name, "number at 0x%zx", at);
        }
    }
}

/* Also where nothing is aligned. */
static void every_key_is_what_stands_in_the_file(void **state)
{
    (void)state;
    static const char *const names[] = {"vib-anc/eight-keys", "vib-anc/one-key",
                                        "vib-anc/extremes",   "vib-anc/big",
                                        "vib-anc/no-keys",    "vib-anc/unusual-rate"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        for (size_t shift = 0; shift < 2; shift++) {
            struct bytes moved;
            ossa_file *file = read_shifted(fixture, shift, &moved);
            assert_int_equal(file->format->kind, OSSA_KIND_CAMERA);
            require_keys(fixture, ossa_as_vib_anc(file));
            assert_null(ossa_as_vib_anm(file));
            ossa_file_free(file);
            bytes_free(&moved);
        }
    }
}

static void numbers_are_signed(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-anc/extremes"));
    const ossa_vib_anc *anc = ossa_as_vib_anc(file);
    assert_int_equal(anc->keys[0].eye[0], -32768);
    assert_int_equal(anc->keys[0].eye[1], 32767);
    assert_int_equal(anc->keys[0].eye[2], -1);
    assert_int_equal(anc->keys[0].twist, -32768);
    assert_int_equal(anc->keys[0].view, 32767);
    ossa_file_free(file);
}

static void the_keys_lie_in_the_input(void **state)
{
    (void)state;
    skip_unless_little_endian();
    const struct fixture *fixture = fixture_find("vib-anc/eight-keys");
    ossa_file *file = read_fixture(fixture);
    assert_ptr_equal(ossa_as_vib_anc(file)->keys, fixture->bytes.data + HEADER);
    ossa_file_free(file);
}

static void changed_keys_are_written(void **state)
{
    (void)state;
    static const ossa_vib_camera_key mine = {{1, -2, 3}, {-4, 5, -6}, 7, -8};
    ossa_file *file = read_fixture(fixture_find("vib-anc/eight-keys"));
    ossa_vib_anc *anc = ossa_as_vib_anc(file);
    anc->keys = &mine;
    anc->key_count = 1;
    anc->rate = -2;
    static const uint8_t expected[] = {0x00, 0x80, 0xfe, 0xff, 0x01, 0x00, 0x01, 0x00,
                                       0xfe, 0xff, 0x03, 0x00, 0xfc, 0xff, 0x05, 0x00,
                                       0xfa, 0xff, 0x07, 0x00, 0xf8, 0xff};
    require_written("changed", file, expected, sizeof expected);
    ossa_file_free(file);
}

static void the_rate_is_that_of_animations(void **state)
{
    (void)state;
    static const int16_t rates[] = {15, 20, 30, 60};
    static const int16_t others[] = {1, 0, -1, 14, 16, 25, 61, -30, INT16_MIN, INT16_MAX};
    for (size_t i = 0; i < 4; i++) assert_int_equal(ossa_vib_fps(rates[i]), rates[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(ossa_vib_fps(others[i]), 30);
    }
}

/* As many keys as the count can say. */
static void the_largest_file_is_read(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, 60);
    put_u16(&file, 0xffff);
    put_repeated(&file, 0x11, 0xffffUL * KEY);
    ossa_file *read = read_or_fail("largest", file.data, file.size, NULL);
    const ossa_vib_anc *anc = ossa_as_vib_anc(read);
    assert_non_null(anc);
    assert_int_equal(anc->key_count, 0xffff);
    assert_int_equal(anc->keys[0xfffe].view, 0x1111);
    assert_int_equal(read->issue_count, 0);
    require_written("largest", read, file.data, file.size);
    ossa_file_free(read);
    bytes_free(&file);
}

/* ---- fields -------------------------------------------------------------------------------- */

struct found {
    size_t count;
    size_t matches;
};

static void compare_field(void *user, const ossa_field *field)
{
    static const char *const header[3] = {"magic", "rate", "key_count"};
    static const char *const names[8] = {"eye.x",    "eye.y",    "eye.z", "target.x",
                                         "target.y", "target.z", "twist", "view"};
    struct found *found = user;
    char path[64];
    if (found->count < 3) {
        (void)snprintf(path, sizeof path, "%s", header[found->count]);
    } else {
        size_t number = found->count - 3;
        (void)snprintf(path, sizeof path, "keys[%zu].%s", number / 8, names[number % 8]);
    }
    bool same = strcmp(field->path, path) == 0 && field->offset == 2 * found->count &&
                (found->count < 3 || field->type == OSSA_FIELD_TYPE_I16);
    found->matches += same ? 1 : 0;
    found->count++;
}

static void every_number_has_a_name(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-anc/extremes");
    struct found found = {0};
    ossa_options options = {.on_field = compare_field, .user = &found};
    ossa_file_free(read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options));
    assert_int_equal(found.count, 19);
    assert_int_equal(found.matches, 19);
}

/* ---- a camera or a model's animation ------------------------------------------------------- */

static size_t guess(const struct bytes *file, const char *name, ossa_guess guesses[4])
{
    ossa_options options = {.name = name};
    size_t count = ossa_probe(file->data, file->size, &options, guesses, 4);
    assert_true(count <= 4);
    return count;
}

/* The sizes fit a camera, and still these are animations, whatever the name says. */
static void an_animation_as_long_as_a_camera_is_none(void **state)
{
    (void)state;
    static const char *const names[] = {"vib-anm/one-like-a-camera", "vib-anm/two-like-a-camera",
                                        "vib-anm/nine-like-a-camera"};
    for (size_t i = 0; i < 3; i++) {
        const struct bytes *file = &fixture_find(names[i])->bytes;
        ossa_guess guesses[4];
        assert_int_equal(file->size, HEADER + KEY * (size_t)get_u16(file, 4));
        assert_int_equal(guess(file, "x.anc", guesses), 1);
        assert_string_equal(guesses[0].format->id, "vib-anm");
        /* Forced, it reads as a camera. */
        ossa_options options = {.format = "vib-anc"};
        ossa_file *forced = read_or_fail(names[i], file->data, file->size, &options);
        assert_int_equal(ossa_as_vib_anc(forced)->key_count, get_u16(file, 4));
        ossa_file_free(forced);
    }
}

/* And the other way round: cameras are none of the animations, whatever the name says. */
static void a_camera_is_no_animation(void **state)
{
    (void)state;
    static const char *const names[] = {"vib-anc/eight-keys", "vib-anc/one-key",
                                        "vib-anc/like-a-first-offset"};
    for (size_t i = 0; i < 3; i++) {
        const struct bytes *file = &fixture_find(names[i])->bytes;
        ossa_guess guesses[4];
        assert_true(guess(file, "x.anm", guesses) >= 1);
        assert_string_equal(guesses[0].format->id, "vib-anc");
        assert_int_equal(guesses[0].confidence, OSSA_CONFIDENCE_SIGNATURE);
    }
}

/* A camera of one key whose eye is just the table that an animation of one frame would have. */
static struct bytes make_with_table(const uint32_t rest[6])
{
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, 30);
    put_u16(&file, 1);
    put_u16(&file, 5);
    put_u16(&file, 11);
    for (unsigned i = 0; i < 6; i++) put_u16(&file, rest[i]);
    return file;
}

/* Where no good keys of an animation follow, the name tells. */
static void what_could_be_both_is_told_by_its_name(void **state)
{
    (void)state;
    static const uint32_t unknown_flag[6] = {0x0800, 1, 2, 3, 4, 5};
    static const uint32_t cut_key[6] = {0, 1, 2, 3, 4, 0x0105};
    const uint32_t *const cases[2] = {unknown_flag, cut_key};
    ossa_guess guesses[4];
    for (size_t i = 0; i < 2; i++) {
        struct bytes file = make_with_table(cases[i]);
        assert_int_equal(guess(&file, NULL, guesses), 2);
        assert_int_equal(guesses[0].confidence, guesses[1].confidence);
        assert_int_equal(guess(&file, "x.anc", guesses), 2);
        assert_string_equal(guesses[0].format->id, "vib-anc");
        assert_int_equal(guess(&file, "x.anm", guesses), 2);
        assert_string_equal(guesses[0].format->id, "vib-anm");
        bytes_free(&file);
    }
    /* With six keys of no parts it is an animation, for sure. */
    static const uint32_t keys[6] = {0, 1, 2, 3, 4, 5};
    struct bytes file = make_with_table(keys);
    assert_int_equal(guess(&file, "x.anc", guesses), 1);
    assert_string_equal(guesses[0].format->id, "vib-anm");
    bytes_free(&file);
}

/* A damaged file is one or the other, so that its own reader says what is wrong. */
static void a_damaged_file_is_only_one_of_both(void **state)
{
    (void)state;
    const struct bytes *camera = &fixture_find("vib-anc/eight-keys")->bytes;
    const struct bytes *animation = &fixture_find("vib-anm/walk")->bytes;
    ossa_guess guesses[4];
    for (size_t size = 8; size < camera->size; size++) {
        const struct bytes cut = {.data = camera->data, .size = size};
        assert_int_equal(guess(&cut, NULL, guesses), 1);
        assert_string_equal(guesses[0].format->id, "vib-anc");
        assert_int_equal(guesses[0].confidence, OSSA_CONFIDENCE_DAMAGED);
    }
    for (size_t size = 8; size < animation->size; size++) {
        const struct bytes cut = {.data = animation->data, .size = size};
        if (size == HEADER + KEY * (size_t)get_u16(animation, 4)) continue; /* just a camera */
        assert_int_equal(guess(&cut, NULL, guesses), 1);
        assert_string_equal(guesses[0].format->id, "vib-anm");
        assert_int_equal(guesses[0].confidence, OSSA_CONFIDENCE_DAMAGED);
    }
    /* Shorter ones could be anything of the kind. */
    const struct bytes header = {.data = camera->data, .size = 7};
    assert_int_equal(guess(&header, NULL, guesses), 0);
}

static void an_empty_camera_is_six_bytes(void **state)
{
    (void)state;
    const struct bytes *file = &fixture_find("vib-anc/no-keys")->bytes;
    ossa_guess guesses[4];
    assert_int_equal(file->size, HEADER);
    assert_int_equal(guess(file, NULL, guesses), 1);
    assert_int_equal(guesses[0].confidence, OSSA_CONFIDENCE_EMPTY);
    /* Two more bytes are an animation of no frames. */
    const struct bytes *empty = &fixture_find("vib-anm/no-frames")->bytes;
    assert_int_equal(empty->size, HEADER + 2);
    assert_int_equal(guess(empty, "x.anc", guesses), 1);
    assert_string_equal(guesses[0].format->id, "vib-anm");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-anc/extremes"));
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"vib-anc\",\"size\":38,\"data\":{\"rate\":60,\"keys\":["
        "{\"eye\":[-32768,32767,-1],\"target\":[32767,-32768,1],\"twist\":-32768,\"view\":32767},"
        "{\"eye\":[32767,-1,32767],\"target\":[-32768,1,-32768],\"twist\":32767,\"view\":-32768}"
        "]}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
#define GOOD_KEY "{\"eye\":[1,2,3],\"target\":[4,5,6],\"twist\":0,\"view\":1}"
    static const struct {
        const char *data;
        const char *field;
    } cases[] = {
        {"{\"keys\":[" GOOD_KEY "]}", "data.rate"},
        {"{\"rate\":30}", "data.keys"},
        {"{\"rate\":32768,\"keys\":[]}", "data.rate"},
        {"{\"rate\":30,\"keys\":{}}", "data.keys"},
        {"{\"rate\":30,\"keys\":[" GOOD_KEY ",{\"eye\":[1,2,3],\"target\":[4,5],\"twist\":0,"
         "\"view\":1}]}",
         "data.keys[1].target"},
        {"{\"rate\":30,\"keys\":[{\"eye\":[1,-32769,3],\"target\":[4,5,6],\"twist\":0,"
         "\"view\":1}]}",
         "data.keys[0].eye[1]"},
        {"{\"rate\":30,\"keys\":[{\"eye\":[1,2,3],\"target\":[4,5,6],\"twist\":0.5,\"view\":1}]}",
         "data.keys[0].twist"},
        {"{\"rate\":30,\"keys\":[{\"eye\":[1,2,3],\"target\":[4,5,6],\"twist\":0}]}",
         "data.keys[0].view"},
        {"{\"rate\":30,\"keys\":[{\"eye\":[1,2,3],\"target\":[4,5,6],\"twist\":0,\"view\":1,"
         "\"up\":1}]}",
         "data.keys[0].up"},
        {"{\"rate\":30,\"keys\":[" GOOD_KEY "],\"tail\":\"0\"}", "data.tail"},
        {"{\"rate\":30,\"keys\":[],\"gap\":\"\"}", "data.gap"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_data_refused("vib-anc", 22, cases[i].data, OSSA_CODE_BAD_JSON, cases[i].field);
}

static void more_keys_than_the_count_can_say_are_refused(void **state)
{
    (void)state;
    struct bytes data = {0};
    put_text(&data, "{\"rate\":30,\"keys\":[0");
    for (unsigned i = 0; i < 0xffff; i++) put_text(&data, ",0");
    put_text(&data, "]}");
    put_u8(&data, 0);
    require_data_refused("vib-anc", 22, (const char *)data.data, OSSA_CODE_BAD_JSON, "data.keys");
    bytes_free(&data);
}

/* ---- describe ------------------------------------------------------------------------------ */

static void info_tells_what_there_is(void **state)
{
    (void)state;
    require_described("vib-anc/eight-keys", "  keys           8\n");
    require_described("vib-anc/eight-keys", "  duration       0.266667 s\n");
    require_described("vib-anc/eight-keys", "  twists         yes\n");
    require_described("vib-anc/extremes",
                      "  eye            x -32768 .. 32767, y -1 .. 32767, z -1 .. 32767\n");
    require_described("vib-anc/extremes",
                      "  target         x -32768 .. 32767, y -32768 .. 1, z -32768 .. 1\n");
    require_described("vib-anc/extremes", "  twist          t -32768 .. 32767\n");
    require_described("vib-anc/extremes", "  view           v -32768 .. 32767\n");
    require_described("vib-anc/no-keys", "  twists         no\n");
    ossa_file *file = read_fixture(fixture_find("vib-anc/no-keys"));
    struct bytes text = describe_or_fail("no-keys", file);
    assert_null(strstr((const char *)text.data, "  eye "));
    bytes_free(&text);
    ossa_file_free(file);
    require_described("vib-anc/one-key", "30 is used instead");
}

TEST_GROUP(test_vib_anc)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_what_stands_in_the_file),
        cmocka_unit_test(numbers_are_signed),
        cmocka_unit_test(the_keys_lie_in_the_input),
        cmocka_unit_test(changed_keys_are_written),
        cmocka_unit_test(the_rate_is_that_of_animations),
        cmocka_unit_test(the_largest_file_is_read),
        cmocka_unit_test(every_number_has_a_name),
        cmocka_unit_test(an_animation_as_long_as_a_camera_is_none),
        cmocka_unit_test(a_camera_is_no_animation),
        cmocka_unit_test(what_could_be_both_is_told_by_its_name),
        cmocka_unit_test(a_damaged_file_is_only_one_of_both),
        cmocka_unit_test(an_empty_camera_is_six_bytes),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(more_keys_than_the_count_can_say_are_refused),
        cmocka_unit_test(info_tells_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
