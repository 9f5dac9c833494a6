/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"

#include <string.h>

/* Where the floats of a fixture's first channel start. */
struct known {
    const char *name;
    ossa_mm_dialect dialect;
    size_t values_at;
    uint32_t frames;
    uint32_t width;
    uint8_t type;
    uint32_t unknown;
};

static const struct known known[] = {
    {"mm-anim/mm1", OSSA_MM_DIALECT_MM1, 8, 6, 12, 1, 0},
    {"mm-anim/legacy", OSSA_MM_DIALECT_LEGACY, 13, 6, 12, 1, 0x3fc00000},
    {"mm-anim/documented", OSSA_MM_DIALECT_DOCUMENTED, 17, 6, 12, 1, 0x3fc00000},
    {"mm-anim/retail", OSSA_MM_DIALECT_RETAIL, 17, 6, 12, 1, 0x3fc00000},
    {"mm-anim/odd-floats", OSSA_MM_DIALECT_RETAIL, 17, 4, 12, 1, 0x7f8000ab},
    {"mm-anim/type-legacy", OSSA_MM_DIALECT_LEGACY, 13, 3, 6, 0, 0x3fc00000},
    {"mm-anim/no-frames-retail", OSSA_MM_DIALECT_RETAIL, 17, 0, 12, 1, 0x3fc00000},
    {"mm-anim/no-frames-legacy", OSSA_MM_DIALECT_LEGACY, 13, 0, 18, 1, 0x3fc00000},
    {"mm-anim/no-frames-mm1", OSSA_MM_DIALECT_MM1, 8, 0, 18, 1, 0},
    {"mm-anim/ambiguous-37", OSSA_MM_DIALECT_DOCUMENTED, 17, 1, 5, 1, 0x3fc00000},
    {"mm-anim/ambiguous-49", OSSA_MM_DIALECT_DOCUMENTED, 17, 2, 4, 1, 0x3fc00000},
    {"mm-anim/forced-legacy", OSSA_MM_DIALECT_LEGACY, 13, 1, 6, 0, 5},
};

static void require_known(const struct known *expected, const struct bytes *bytes, ossa_file *file)
{
    const ossa_mm_anim *anim = ossa_as_mm_anim(file);
    require(anim->dialect == expected->dialect, expected->name, "dialect %s",
            ossa_mm_dialect_name(anim->dialect));
    require(anim->frame_count == expected->frames, expected->name, "frames");
    require(anim->channel_count == 1, expected->name, "channels");
    const ossa_mm_channel *channel = &anim->channels[0];
    require(channel->floats_per_frame == expected->width, expected->name, "width");
    require(channel->type == expected->type, expected->name, "type");
    require(bits_of_f32(channel->unknown) == expected->unknown, expected->name, "unknown");
    for (size_t i = 0; i < (size_t)expected->frames * expected->width; i++) {
        uint32_t bits = get_u32(bytes, expected->values_at + 4 * i);
        require(bits_of_f32(channel->values[i]) == bits, expected->name, "float %zu", i);
    }
}

static void every_dialect_reads_as_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct fixture *fixture = fixture_find(known[i].name);
        ossa_file *file = read_fixture(fixture);
        require_known(&known[i], &fixture->bytes, file);
        /* Only mm1 leaves the floats aligned. */
        const ossa_mm_channel *channel = &ossa_as_mm_anim(file)->channels[0];
        bool aligned = OSSA__LITTLE_ENDIAN && known[i].dialect == OSSA_MM_DIALECT_MM1;
        require(channel->borrowed == aligned, fixture->name, "borrowed or not");
        if (aligned) assert_ptr_equal(channel->values, fixture->bytes.data + 8);
        assert_int_equal((uintptr_t)channel->values % sizeof(float), 0);
        ossa_file_free(file);
    }
}

/* Three bytes further on it is the other way round. */
static void alignment_is_that_of_the_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct fixture *fixture = fixture_find(known[i].name);
        struct bytes shifted;
        ossa_file *file = read_shifted(fixture, 3, &shifted);
        require_known(&known[i], &fixture->bytes, file);
        const ossa_mm_channel *channel = &ossa_as_mm_anim(file)->channels[0];
        bool aligned = OSSA__LITTLE_ENDIAN && (3 + known[i].values_at) % 4 == 0;
        require(channel->borrowed == aligned, fixture->name, "borrowed or not");
        ossa_file_free(file);
        bytes_free(&shifted);
    }
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find(known[0].name);
    ossa_file *file = read_and_lose_input(fixture);
    require_known(&known[0], &fixture->bytes, file);
    assert_false(ossa_as_mm_anim(file)->channels[0].borrowed);
    ossa_file_free(file);
}

static void several_channels_follow_each_other(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-anim/other-types");
    static const uint32_t widths[] = {5, 6, 1};
    static const uint8_t types[] = {2, 1, 0};
    ossa_file *file = read_fixture(fixture);
    const ossa_mm_anim *anim = ossa_as_mm_anim(file);
    assert_int_equal(anim->channel_count, 3);
    assert_int_equal(anim->frame_count, 3);
    size_t at = 8;
    for (size_t c = 0; c < 3; c++) {
        const ossa_mm_channel *channel = &anim->channels[c];
        assert_int_equal(channel->floats_per_frame, widths[c]);
        assert_int_equal(channel->type, types[c]);
        at += 9;
        for (size_t i = 0; i < 3 * (size_t)widths[c]; i++, at += 4)
            assert_int_equal(bits_of_f32(channel->values[i]), get_u32(&fixture->bytes, at));
    }
    assert_int_equal(at, fixture->bytes.size);
    ossa_file_free(file);
}

/* ---- which channel poses ------------------------------------------------------------------- */

static void require_pose(const char *name, int channel, uint32_t bones)
{
    ossa_file *file = read_fixture(fixture_find(name));
    const ossa_mm_anim *anim = ossa_as_mm_anim(file);
    uint32_t found_bones = 999;
    const ossa_mm_channel *pose = ossa_mm_pose_channel(anim, &found_bones);
    if (channel < 0) {
        require(pose == NULL, name, "a channel poses");
    } else {
        require(pose == &anim->channels[channel], name, "another channel poses");
        require(found_bones == bones, name, "%u bones", (unsigned)found_bones);
        assert_ptr_equal(ossa_mm_pose_channel(anim, NULL), pose);
    }
    ossa_file_free(file);
}

static void the_pose_channel_is_found(void **state)
{
    (void)state;
    require_pose("mm-anim/mm1", 0, 3);
    require_pose("mm-anim/root-only", 0, 0);
    require_pose("mm-anim/type-legacy", 0, 1); /* the type counts in documented only */
    require_pose("mm-anim/other-types", 1, 1);
    require_pose("mm-anim/two-channels", 0, 2);
    require_pose("mm-anim/odd-width", -1, 0);
    require_pose("mm-anim/ambiguous-37", -1, 0);
    require_pose("mm-anim/forced-documented", -1, 0); /* has no channels */
}

/* ---- forced dialects ----------------------------------------------------------------------- */

static void a_dialect_can_be_forced(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-anim/eight-zeros");
    static const struct {
        const char *dialect;
        ossa_code code;
        ossa_mm_dialect result;
    } cases[] = {{"mm1", OSSA_CODE_OK, OSSA_MM_DIALECT_MM1},
                 {"documented", OSSA_CODE_OK, OSSA_MM_DIALECT_DOCUMENTED},
                 {"legacy", OSSA_CODE_SIZE_MISMATCH, OSSA_MM_DIALECT_MM1},
                 {"retail", OSSA_CODE_SIZE_MISMATCH, OSSA_MM_DIALECT_MM1},
                 {"MM1", OSSA_CODE_BAD_ARGUMENT, OSSA_MM_DIALECT_MM1},
                 {"", OSSA_CODE_BAD_ARGUMENT, OSSA_MM_DIALECT_MM1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_error error;
        ossa_options options = {.dialect = cases[i].dialect};
        ossa_file *file = ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error);
        assert_int_equal(error.code, cases[i].code);
        assert_int_equal(file != NULL, cases[i].code == OSSA_CODE_OK);
        if (file == NULL) continue;
        assert_int_equal(ossa_as_mm_anim(file)->dialect, cases[i].result);
        assert_int_equal(file->issue_count, 0); /* nothing is ambiguous any more */
        require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
        ossa_file_free(file);
    }
}

/* What JSON says is the dialect, whatever the bytes alone would be taken for. */
static void build_keeps_the_dialect_of_the_document(void **state)
{
    (void)state;
    static const char *const names[] = {"mm-anim/forced-legacy", "mm-anim/forced-documented"};
    for (size_t i = 0; i < 2; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        ossa_file *file = read_fixture(fixture);
        struct bytes json = dump_or_fail(fixture->name, file, OSSA_JSON_STYLE_LINE);
        ossa_file *built = build_or_fail(fixture->name, &json);
        assert_int_equal(ossa_as_mm_anim(built)->dialect, ossa_as_mm_anim(file)->dialect);
        ossa_file_free(built);
        bytes_free(&json);
        ossa_file_free(file);
    }
}

static void the_message_lists_what_each_dialect_needs(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-anim/too-short"); /* 4 frames, 2 bones */
    ossa_options options = {.format = "mm-anim"};
    ossa_error error;
    assert_null(ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error));
    assert_non_null(strstr(error.message, "151 bytes"));
    assert_non_null(strstr(error.message, "mm1 152"));
    assert_non_null(strstr(error.message, "legacy 157"));
    assert_non_null(strstr(error.message, "retail not possible"));
}

static void dialects_have_names(void **state)
{
    (void)state;
    assert_string_equal(ossa_mm_dialect_name(OSSA_MM_DIALECT_MM1), "mm1");
    assert_string_equal(ossa_mm_dialect_name(OSSA_MM_DIALECT_LEGACY), "legacy");
    assert_string_equal(ossa_mm_dialect_name(OSSA_MM_DIALECT_DOCUMENTED), "documented");
    assert_string_equal(ossa_mm_dialect_name(OSSA_MM_DIALECT_RETAIL), "retail");
    assert_string_equal(ossa_mm_dialect_name((ossa_mm_dialect)99), "unknown");
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void a_changed_channel_changes_only_its_bytes(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-anim/two-channels");
    ossa_file *file = read_fixture(fixture);
    ossa_mm_anim *anim = ossa_as_mm_anim(file);
    ossa_mm_channel channels[2] = {anim->channels[0], anim->channels[1]};
    float values[24];
    memcpy(values, channels[1].values, sizeof values);
    values[7] = -2.5F;
    channels[1].values = values;
    channels[1].unknown = f32_of_bits(0x7fc0dead);
    channels[0].type = 9;
    anim->channels = channels;
    struct bytes expected = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    const size_t second = 8 + 9 + 144; /* four frames of nine */
    set_u8(&expected, 16, 9);
    set_u32(&expected, second + 4, 0x7fc0dead);
    set_f32(&expected, second + 9 + 28, -2.5F);
    require_written(fixture->name, file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

/* A file can be turned into another dialect, as far as that one can hold it. */
static void the_dialect_can_be_changed(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-anim/legacy"));
    ossa_mm_anim *anim = ossa_as_mm_anim(file);
    anim->dialect = OSSA_MM_DIALECT_RETAIL;
    struct bytes written = write_or_fail("legacy to retail", file);
    ossa_file *again = read_or_fail("legacy to retail", written.data, written.size, NULL);
    assert_int_equal(ossa_as_mm_anim(again)->dialect, OSSA_MM_DIALECT_RETAIL);
    assert_memory_equal(ossa_as_mm_anim(again)->channels[0].values, anim->channels[0].values,
                        sizeof(float) * 72);
    ossa_file_free(again);
    bytes_free(&written);
    ossa_file_free(file);
}

static void what_a_dialect_cannot_hold_is_refused(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-anim/two-channels"));
    ossa_as_mm_anim(file)->dialect = OSSA_MM_DIALECT_RETAIL;
    require_write_refused(file, "channels");
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-anim/odd-width"));
    ossa_as_mm_anim(file)->dialect = OSSA_MM_DIALECT_MM1;
    require_write_refused(file, "channels[0].floats_per_frame");
    ossa_file_free(file);
}

/* The second game ignores what follows the last frame: it is kept, and changes nothing else. */
static void bytes_after_the_last_frame_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ossa_mm_dialect dialect;
        uint32_t frames;
        uint32_t bones;
        size_t tail;
    } cases[] = {{"mm-anim/tail-retail", OSSA_MM_DIALECT_RETAIL, 4, 1, 1},
                 {"mm-anim/tail-mm1", OSSA_MM_DIALECT_MM1, 4, 2, 11},
                 {"mm-anim/tail-legacy", OSSA_MM_DIALECT_LEGACY, 4, 2, 6},
                 {"mm-anim/tail-documented", OSSA_MM_DIALECT_DOCUMENTED, 3, 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_file *file = read_fixture(fixture_find(cases[i].name));
        const ossa_mm_anim *anim = ossa_as_mm_anim(file);
        uint32_t bones = 0;
        assert_int_equal(anim->dialect, cases[i].dialect);
        assert_int_equal(anim->frame_count, cases[i].frames);
        assert_non_null(ossa_mm_pose_channel(anim, &bones));
        assert_int_equal(bones, cases[i].bones);
        assert_int_equal(anim->tail_size, cases[i].tail);
        assert_int_equal(anim->tail[0], 1);
        assert_int_equal(file->warning_count + file->error_count, 0);
        ossa_file_free(file);
    }
}

/* As shipped: 60 channels, the cycle distance, a byte of 1. */
static void a_pedestrian_of_the_second_game(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-anim/mm2-pedestrian"));
    const ossa_mm_anim *anim = ossa_as_mm_anim(file);
    const ossa_mm_channel *channel = &anim->channels[0];
    assert_int_equal(anim->dialect, OSSA_MM_DIALECT_RETAIL);
    assert_int_equal(channel->floats_per_frame, 60);
    assert_int_equal(channel->type, 1);
    const float *z = channel->values + 2;
    uint32_t n = anim->frame_count;
    assert_true(channel->unknown == -(2 * z[60 * (n - 1)] - z[60 * (n - 2)] - z[0]));
    struct bytes text = describe_or_fail("the second game", file);
    assert_non_null(strstr((const char *)text.data, "cycle distance"));
    bytes_free(&text);
    ossa_file_free(file);
}

TEST_GROUP(test_mm_anim)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dialect_reads_as_it_should),
        cmocka_unit_test(alignment_is_that_of_the_memory),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(several_channels_follow_each_other),
        cmocka_unit_test(the_pose_channel_is_found),
        cmocka_unit_test(a_dialect_can_be_forced),
        cmocka_unit_test(build_keeps_the_dialect_of_the_document),
        cmocka_unit_test(the_message_lists_what_each_dialect_needs),
        cmocka_unit_test(dialects_have_names),
        cmocka_unit_test(a_changed_channel_changes_only_its_bytes),
        cmocka_unit_test(the_dialect_can_be_changed),
        cmocka_unit_test(what_a_dialect_cannot_hold_is_refused),
        cmocka_unit_test(bytes_after_the_last_frame_are_kept),
        cmocka_unit_test(a_pedestrian_of_the_second_game),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
