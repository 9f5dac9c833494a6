/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

#include <string.h>

/* The example of docs/formats/vib-anm.md. */
static const uint8_t documented[] = {0x00, 0x80, 0x1e, 0x00, 0x02, 0x00, 0x06, 0x00, 0x0e,
                                     0x00, 0x12, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x04,
                                     0x00, 0x00, 0x64, 0x00, 0x38, 0xff, 0x00, 0x00, 0x01,
                                     0x00, 0x00, 0x02, 0x00, 0x10, 0x00, 0x08, 0x00, 0x10};

static void the_documented_example_reads_as_documented(void **state)
{
    (void)state;
    ossa_file *file = read_or_fail("example", documented, sizeof documented, NULL);
    const ossa_vib_anm *anm = ossa_as_vib_anm(file);
    assert_int_equal(anm->rate, 30);
    assert_int_equal(anm->frame_count, 2);
    assert_int_equal(anm->key_count, 3);
    assert_int_equal(anm->frames[0].key_count, 2);
    assert_int_equal(anm->frames[1].first_key, 2);
    static const int16_t rotation[3] = {0, 1024, 0};
    static const int16_t position[3] = {100, -200, 0};
    static const int16_t scale[3] = {4096, 2048, 4096};
    static const int16_t none[3] = {0};
    assert_int_equal(anm->keys[0].flags, OSSA_VIB_KEY_ROTATION | OSSA_VIB_KEY_POSITION);
    assert_memory_equal(anm->keys[0].rotation, rotation, 6);
    assert_memory_equal(anm->keys[0].position, position, 6);
    assert_memory_equal(anm->keys[0].scale, none, 6);
    assert_int_equal(anm->keys[1].object, 1);
    assert_int_equal(anm->keys[1].flags, 0);
    assert_memory_equal(anm->keys[2].scale, scale, 6);
    struct bytes json = dump_or_fail("example", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"vib-anm\",\"size\":36,\"data\":{\"rate\":30,\"frames\":["
        "[{\"object\":0,\"flags\":5,\"rotation\":[0,1024,0],\"position\":[100,-200,0]},"
        "{\"object\":1,\"flags\":0}],"
        "[{\"object\":0,\"flags\":2,\"scale\":[4096,2048,4096]}]]}}\n";
    require_same("example", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
}

static int16_t number_at(const struct bytes *bytes, size_t offset)
{
    return (int16_t)(uint16_t)get_u16(bytes, offset);
}

/* Check a part against the file and pass over it. */
static size_t require_part(const struct fixture *fixture, size_t at, bool there,
                           const int16_t xyz[3])
{
    for (size_t i = 0; i < 3; i++) {
        int16_t expected = there ? number_at(&fixture->bytes, at + 2 * i) : 0;
        require(xyz[i] == expected, fixture->name, "number at 0x%zx", at + 2 * i);
    }
    return there ? at + 6 : at;
}

static void require_keys(const struct fixture *fixture, const ossa_vib_anm *anm)
{
    const struct bytes *bytes = &fixture->bytes;
    uint32_t used = 0;
    assert_int_equal(anm->frame_count, get_u16(bytes, 4));
    for (uint32_t f = 0; f < anm->frame_count; f++) {
        size_t at = 2 * (size_t)get_u16(bytes, 6 + 2 * (size_t)f);
        assert_int_equal(anm->frames[f].first_key, used);
        for (uint32_t k = 0; k < anm->frames[f].key_count; k++) {
            const ossa_vib_key *key = &anm->keys[used++];
            assert_int_equal(key->object, bytes->data[at]);
            assert_int_equal(key->flags, bytes->data[at + 1]);
            at += 2;
            at = require_part(fixture, at, (key->flags & 1) != 0, key->rotation);
            at = require_part(fixture, at, (key->flags & 2) != 0, key->scale);
            at = require_part(fixture, at, (key->flags & 4) != 0, key->position);
        }
        assert_int_equal(at, 2 * (size_t)get_u16(bytes, 6 + 2 * (size_t)(f + 1)));
    }
    assert_int_equal(anm->key_count, used);
}

static void every_key_is_what_stands_in_the_file(void **state)
{
    (void)state;
    static const char *const names[] = {
        "vib-anm/all-flags",    "vib-anm/walk",    "vib-anm/no-frames", "vib-anm/empty-frames",
        "vib-anm/many-objects", "vib-anm/largest", "vib-anm/gap",       "vib-anm/unknown-flag"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        for (size_t shift = 0; shift < 2; shift++) {
            struct bytes moved;
            ossa_file *file = read_shifted(fixture, shift, &moved);
            require_keys(fixture, ossa_as_vib_anm(file));
            ossa_file_free(file);
            bytes_free(&moved);
        }
    }
    assert_int_equal(fixture_find("vib-anm/largest")->bytes.size, 131070);
}

static void numbers_are_signed(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-anm/all-flags"));
    const ossa_vib_anm *anm = ossa_as_vib_anm(file);
    const ossa_vib_key *key = &anm->keys[anm->frames[2].first_key];
    assert_int_equal(key->object, 255);
    assert_int_equal(key->rotation[0], -32768);
    assert_int_equal(key->rotation[1], 32767);
    assert_int_equal(key->rotation[2], -1);
    assert_int_equal(anm->frames[1].key_count, 0);
    ossa_file_free(file);
    file = read_fixture(fixture_find("vib-anm/unusual-rate"));
    assert_int_equal(ossa_as_vib_anm(file)->rate, -1);
    ossa_file_free(file);
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-anm/gap");
    ossa_file *file = read_and_lose_input(fixture);
    const ossa_vib_anm *anm = ossa_as_vib_anm(file);
    require_keys(fixture, anm);
    assert_int_equal(anm->gap_size, 4);
    assert_memory_equal(anm->gap, "gap!", 4);
    ossa_file_free(file);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void a_changed_number_changes_only_its_bytes(void **state)
{
    (void)state;
    ossa_file *file = read_or_fail("example", documented, sizeof documented, NULL);
    ossa_vib_anm *anm = ossa_as_vib_anm(file);
    ossa_vib_key keys[3];
    memcpy(keys, anm->keys, sizeof keys);
    keys[0].position[1] = 0x1234;
    keys[1].object = 77;
    anm->keys = keys;
    anm->rate = -2;
    struct bytes expected = bytes_copy(documented, sizeof documented);
    set_u16(&expected, 2, 0xfffe);
    set_u16(&expected, 0x16, 0x1234);
    set_u8(&expected, 0x1a, 77);
    require_written("example", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

/* A flag more makes the key longer, and all offsets behind it move. */
static void offsets_follow_the_keys(void **state)
{
    (void)state;
    ossa_file *file = read_or_fail("example", documented, sizeof documented, NULL);
    ossa_vib_anm *anm = ossa_as_vib_anm(file);
    ossa_vib_key keys[3];
    memcpy(keys, anm->keys, sizeof keys);
    keys[1].flags = OSSA_VIB_KEY_SCALE;
    keys[1].scale[2] = -7;
    anm->keys = keys;
    struct bytes expected = {0};
    put_bytes(&expected, documented, 0x1a);
    put_u16(&expected, 0x0201);
    put_repeated(&expected, 0, 4);
    put_u16(&expected, 0xfff9);
    put_bytes(&expected, documented + 0x1c, 8);
    set_u16(&expected, 8, 14 + 3);
    set_u16(&expected, 10, 18 + 3);
    require_written("example", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

static void require_limit(const ossa_file *file, const char *field)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_string_equal(error.field, field);
    ossa_buffer_free(&buffer);
}

/* The largest file is just full: two bytes more cannot be pointed at. */
static void what_offsets_cannot_reach_is_refused(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-anm/largest"));
    ossa_vib_anm *anm = ossa_as_vib_anm(file);
    static const uint8_t gap[3] = {1, 2, 3};
    anm->gap = gap;
    anm->gap_size = 2;
    require_limit(file, "frames[299]");
    anm->gap_size = 3; /* an odd place cannot be pointed at either */
    require_limit(file, "frames[0]");
    ossa_file_free(file);
}

TEST_GROUP(test_vib_anm)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documented_example_reads_as_documented),
        cmocka_unit_test(every_key_is_what_stands_in_the_file),
        cmocka_unit_test(numbers_are_signed),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(a_changed_number_changes_only_its_bytes),
        cmocka_unit_test(offsets_follow_the_keys),
        cmocka_unit_test(what_offsets_cannot_reach_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
