/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"
#include "support/skb_fixture.h"

#include <string.h>

/* The file of the fixture "plain", and where everything is in it. */
static struct bytes make_plain(struct skb_places *places)
{
    const struct skb_plan plan = {.seed = 181, .joints = 7};
    struct bytes file = make_skb(&plan, places);
    const struct fixture *fixture = fixture_find("sotc-skb/plain");
    require_same(fixture->name, &file, fixture->bytes.data, fixture->bytes.size);
    return file;
}

static void the_header_and_the_joints_are_found(void **state)
{
    (void)state;
    struct skb_places places;
    struct bytes bytes = make_plain(&places);
    ossa_file *file = read_or_fail("plain", bytes.data, bytes.size, NULL);
    const ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
    assert_null(ossa_as_sotc_xff(file));
    assert_null(ossa_as_sotc_anb(file));
    assert_int_equal(file->format->kind, OSSA_KIND_SKELETON);
    assert_int_equal(skb->joint_count, 7);
    assert_int_equal(skb->section_offset, places.section);
    for (unsigned i = 0; i < OSSA_SOTC_SKB_WORDS; i++)
        assert_int_equal(skb->header[i], get_u32(&bytes, places.header + 4 * (size_t)i));
    for (uint32_t i = 0; i < 7; i++) {
        const ossa_sotc_joint *joint = &skb->joints[i];
        size_t record = places.record[i];
        char name[] = {'j', (char)('0' + i)};
        assert_int_equal(joint->record_offset, record - places.section);
        assert_int_equal(joint->unknown, get_u32(&bytes, places.table + 8 * (size_t)i + 4));
        assert_int_equal(joint->name_position, get_u32(&bytes, record));
        assert_int_equal(joint->name_size, 2);
        assert_memory_equal(joint->name, name, 2);
        for (unsigned w = 0; w < 2; w++) assert_int_equal(joint->words[w], -1);
        for (size_t f = 0; f < 9; f++)
            assert_int_equal(bits_of_f32(joint->floats[f]),
                             get_u32(&bytes, record + SKB_FLOATS_AT + 4 * f));
        for (size_t k = 0; k < 3; k++)
            assert_int_equal((uint32_t)joint->links[k], get_u32(&bytes, record + 48 + 4 * k));
        assert_int_equal(bits_of_f32(joint->last), get_u32(&bytes, record + SKB_LAST_AT));
        assert_int_equal(joint->links[OSSA_SOTC_PARENT], i == 0 ? -1 : (int)(i - 1) / 2);
    }
    assert_true(skb->joints[3].floats[0] == 0.0F && skb->joints[3].floats[4] == 1.0F);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void aligned_data_is_not_copied(void **state)
{
    (void)state;
    skip_unless_little_endian();
    const struct fixture *fixture = fixture_find("sotc-skb/plain");
    ossa_file *file = read_fixture(fixture);
    const ossa_sotc_joint *joint = &ossa_as_sotc_skb(file)->joints[4];
    const uint8_t *begin = fixture->bytes.data;
    const uint8_t *place = (const uint8_t *)joint->floats;
    assert_true(place > begin && place < begin + fixture->bytes.size);
    assert_ptr_equal((const uint8_t *)joint->links, place + 36);
    assert_true((const uint8_t *)joint->name > place);
    ossa_file_free(file);
}

static void records_may_lie_in_any_order(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-skb/backwards"));
    const ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
    for (uint32_t i = 1; i < skb->joint_count; i++) {
        assert_true(skb->joints[i].record_offset < skb->joints[i - 1].record_offset);
        assert_int_equal(skb->joints[i].name[1], '0' + (int)i);
    }
    ossa_file_free(file);
}

static void names_are_bytes(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-skb/byte-names"));
    const ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
    assert_int_equal(skb->joints[0].name_size, 3);
    assert_memory_equal(skb->joints[0].name, "\xff\x80\x01", 3);
    assert_int_equal(skb->joints[1].name_size, 0);
    struct bytes json = dump_or_fail("names", file, OSSA_JSON_STYLE_LINE);
    put_u8(&json, 0);
    const char *text = (const char *)json.data;
    assert_non_null(strstr(text, "\"name\":\"\xc3\xbf\\u0080\\u0001\"")); /* a character a byte */
    assert_non_null(strstr(text, "\"name\":\"a \\\"joint\\\"\\n\""));
    bytes_free(&json);
    ossa_file_free(file);
    file = read_fixture(fixture_find("sotc-skb/shared-names"));
    skb = ossa_as_sotc_skb(file);
    assert_ptr_equal(skb->joints[4].name, skb->joints[3].name + 1);
    assert_int_equal(skb->joints[4].name_size, 1);
    ossa_file_free(file);
    file = read_fixture(fixture_find("sotc-skb/longest-name"));
    assert_int_equal(ossa_as_sotc_skb(file)->joints[0].name_size, 255);
    ossa_file_free(file);
}

/* A skeleton that others made, without a line of this library. */
static void a_vector_reads_cleanly(void **state)
{
    (void)state;
    static const int parents[] = {-1, 0, 1, 2, 1, 4, 1, 0, 7, 7};
    struct bytes bytes = load_test_file("vectors/pose/sotc-bird/bird.skb");
    ossa_options options = {.strict = true, .check_values = true};
    ossa_file *file = read_or_fail("bird", bytes.data, bytes.size, &options);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(file->confidence, OSSA_CONFIDENCE_SIGNATURE);
    const ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
    assert_int_equal(skb->joint_count, 10);
    for (uint32_t i = 0; i < 10; i++) {
        char name[] = {'b', (char)('0' + i)};
        assert_int_equal(skb->joints[i].name_size, 2);
        assert_memory_equal(skb->joints[i].name, name, 2);
        assert_int_equal(skb->joints[i].links[OSSA_SOTC_PARENT], parents[i]);
    }
    require_written("bird", file, bytes.data, bytes.size);
    require_rebuilt("bird", file, OSSA_JSON_STYLE_LINE, bytes.data, bytes.size);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void count_bytes(void *user, const ossa_field *field)
{
    *(uint64_t *)user += field->size;
}

/* The default limit on memory is enough for a large one, with all its fields told. */
static void a_large_skeleton_is_read(void **state)
{
    (void)state;
    struct skb_places places;
    struct bytes bytes = make_skb(&(struct skb_plan){.seed = 7, .joints = 50000}, &places);
    uint64_t told = 0;
    ossa_options options = {.check_values = true, .on_field = count_bytes, .user = &told};
    ossa_file *file = read_or_fail("large", bytes.data, bytes.size, &options);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(told, bytes.size);
    ossa_file_free(file);
    /* The same name again and again: each is told, and that takes no longer. */
    const uint32_t strings = (uint32_t)(places.strings - places.section);
    for (uint32_t i = 0; i < 50000; i++) {
        size_t record = get_u32(&bytes, places.table + 8 * (size_t)i) + places.section;
        set_u32(&bytes, record, 0);
    }
    assert_int_equal(get_u32(&bytes, places.header + 12), strings);
    file = read_or_fail("names", bytes.data, bytes.size, NULL);
    assert_int_equal(file->error_count, 49999);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void changed_floats_and_links_change_only_their_bytes(void **state)
{
    (void)state;
    struct skb_places places;
    struct bytes bytes = make_plain(&places);
    ossa_file *file = read_or_fail("plain", bytes.data, bytes.size, NULL);
    ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
    ossa_sotc_joint joints[7];
    float floats[9];
    int32_t links[3];
    memcpy(joints, skb->joints, sizeof joints);
    memcpy(floats, joints[2].floats, sizeof floats);
    memcpy(links, joints[6].links, sizeof links);
    floats[OSSA_SOTC_TRANSLATION + 1] = -0.25F;
    floats[OSSA_SOTC_ROTATION + 3] = 0.5F;
    links[OSSA_SOTC_PARENT] = 5;
    joints[2].floats = floats;
    joints[6].links = links;
    skb->joints = joints;
    struct bytes expected = bytes_copy(bytes.data, bytes.size);
    set_f32(&expected, places.record[2] + SKB_FLOATS_AT + 8, -0.25F);
    set_f32(&expected, places.record[2] + SKB_FLOATS_AT + 32, 0.5F);
    set_u32(&expected, places.record[6] + SKB_PARENT_AT, 5);
    require_written("plain", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* Two joints in one record: the one that was changed counts, in either order. */
static void a_change_to_shared_bytes_is_kept(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-skb/shared-record");
    for (unsigned changed = 5; changed <= 6; changed++) {
        ossa_file *file = read_fixture(fixture);
        ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
        ossa_sotc_joint joints[7];
        float floats[9];
        memcpy(joints, skb->joints, sizeof joints);
        memcpy(floats, joints[5].floats, sizeof floats);
        floats[3] = 0.375F;
        joints[changed].floats = floats;
        skb->joints = joints;
        struct bytes expected = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        set_f32(&expected, (size_t)skb->section_offset + joints[5].record_offset + 24, 0.375F);
        require_written(fixture->name, file, expected.data, expected.size);
        bytes_free(&expected);
        ossa_file_free(file);
    }
}

static void offsets_cannot_be_changed(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-skb/plain"));
    ossa_sotc_skb *skb = ossa_as_sotc_skb(file);
    ossa_sotc_joint joints[7];
    memcpy(joints, skb->joints, sizeof joints);
    joints[3].record_offset = 0xfffffff0;
    skb->joints = joints;
    require_write_refused(file, "joints");
    ossa_file_free(file);
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-skb/plain");
    ossa_file *file = read_and_lose_input(fixture);
    assert_memory_equal(ossa_as_sotc_skb(file)->joints[6].name, "j6", 3);
    require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
    ossa_file_free(file);
}

/* ---- JSON and text ------------------------------------------------------------------------- */

static void refuse_json(const char *from, const char *to, const char *place, const char *message)
{
    require_edit_refused("sotc-skb/one-joint", from, to, place, message);
}

static void json_that_is_no_skeleton_is_refused(void **state)
{
    (void)state;
    refuse_json("\"words\":[-1,", "\"words\":[", "data.joints[0].words", "has 1 items");
    refuse_json("\"words\":[-1,", "\"words\":[2147483648,", "data.joints[0].words[0]",
                "2147483648");
    refuse_json("\"floats\":[0,", "\"floats\":[", "data.joints[0].floats", "has 8 items");
    refuse_json("\"unknown\":0", "\"known\":0", "data.joints[0].known", "is not a known member");
    refuse_json("\"string_table\":", "\"strings\":", "data.header.strings",
                "is not a known member");
    refuse_json("\"unknown_10\":0", "\"unknown_10\":-1", "data.header.unknown_10", "-1");
    refuse_json("\"record_offset\":", "\"record_offset\":9", "data.joints[0].name_position",
                "past the end");
    refuse_json("\"name\":\"j0\"", "\"name\":\"j0\\u0000\"", "data.joints[0].name",
                "a NUL or a character above U+00FF");
    refuse_json("\"name\":\"j0\"", "\"name\":\"\\u0400\"", "data.joints[0].name",
                "a NUL or a character above U+00FF");
    refuse_json("\"sections\":[", "\"sections\":[],\"other\":[", "data.container.other",
                "is not a known member");
}

static void describe_lists_the_joints(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-skb/two-roots"));
    struct bytes text = describe_json_or_fail("two-roots", file);
    const char *json = (const char *)text.data;
    assert_non_null(strstr(json, "\"joints\":7,\"roots\":2,"));
    assert_non_null(strstr(json, "{\"joint\":6,\"parent\":2,"));
    assert_non_null(strstr(json, "\"name\":\"j6\"}"));
    bytes_free(&text);
    ossa_file_free(file);
}

TEST_GROUP(test_sotc_skb)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_and_the_joints_are_found),
        cmocka_unit_test(aligned_data_is_not_copied),
        cmocka_unit_test(records_may_lie_in_any_order),
        cmocka_unit_test(names_are_bytes),
        cmocka_unit_test(a_vector_reads_cleanly),
        cmocka_unit_test(a_large_skeleton_is_read),
        cmocka_unit_test(changed_floats_and_links_change_only_their_bytes),
        cmocka_unit_test(a_change_to_shared_bytes_is_kept),
        cmocka_unit_test(offsets_cannot_be_changed),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(json_that_is_no_skeleton_is_refused),
        cmocka_unit_test(describe_lists_the_joints),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
