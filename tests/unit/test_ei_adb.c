/* SPDX-License-Identifier: MIT
 *
 * ei-adb: every number of a record, names that fill their field, and what writing makes of
 * changes. */
#include "support/adb_fixture.h"
#include "support/testing.h"

#include <string.h>

static void values_are_what_the_bytes_say(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-adb/troll"));
    const ossa_ei_adb *adb = ossa_as_ei_adb(file);
    assert_non_null(adb);
    assert_null(ossa_as_ei_fig(file));
    assert_int_equal(file->format->kind, OSSA_KIND_TABLE);
    assert_memory_equal(adb->model, "unmotr\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
    assert_true(adb->min_height == 1.5F && adb->mid_height == 1.75F && adb->max_height == 2.0F);
    assert_int_equal(adb->record_count, 5);
    const ossa_ei_adb_record *attack = &adb->records[2];
    assert_string_equal(attack->name, "uattack1");
    assert_int_equal(attack->index, 2);
    assert_true(attack->packed == UINT64_C(0x1020178021));
    assert_int_equal(attack->probability, 50);
    assert_int_equal(attack->duration, 22);
    assert_true(adb->records[1].speed == 1.25F);
    static const uint32_t show_hide[2] = {0, 0};
    static const uint32_t steps[4] = {6, 9, 12, 15};
    static const uint32_t sounds[4] = {1000, 1001, 1002, 1003};
    assert_memory_equal(attack->show_hide, show_hide, sizeof show_hide);
    assert_memory_equal(attack->step_sounds, steps, sizeof steps);
    assert_int_equal(attack->hit_frame, 12);
    assert_int_equal(attack->special_frame, 11);
    assert_memory_equal(attack->sound_ids, sounds, sizeof sounds);
    ossa_file_free(file);
}

static void packed_is_two_words(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-adb/every-bit"));
    const ossa_ei_adb *adb = ossa_as_ei_adb(file);
    assert_true(adb->records[0].packed == UINT64_C(0xfedcba98fedcba98));
    assert_int_equal(bits_of_f32(adb->records[0].speed), 0xfedcba98);
    assert_int_equal(adb->records[0].sound_ids[3], 0xfedcba98);
    assert_memory_equal(adb->model, "twenty_four_letters_of_m", 24); /* and no NUL */
    ossa_file_free(file);
}

static void names_and_stages(void **state)
{
    (void)state;
    static const char *const names[5] = {"cidle", "cwalk", "uattack1", "sixteen_letters_",
                                         "\xd1\x81\xd0\xbc\xd0\xb5\xd1\x80\xd1\x82\xd1\x8c"};
    static const char *const stages[5] = {"cycle", "cycle", "unique", "start", "end"};
    ossa_file *file = read_fixture(fixture_find("ei-adb/troll"));
    const ossa_ei_adb *adb = ossa_as_ei_adb(file);
    for (unsigned i = 0; i < 5; i++) {
        char text[64];
        ossa_ei_name name = ossa_ei_adb_name(&adb->records[i]);
        assert_int_equal(ossa_ei_name_utf8(&name, text, sizeof text), strlen(names[i]));
        assert_string_equal(text, names[i]);
        assert_true(name.has_nul == (i != 3));
        assert_string_equal(ossa_ei_stage_name(ossa_ei_adb_stage(&adb->records[i])), stages[i]);
    }
    assert_string_equal(ossa_ei_stage_name((ossa_ei_stage)7), "unknown");
    ossa_file_free(file);
}

static void changed_records_are_written(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-adb/troll");
    ossa_file *file = read_fixture(fixture);
    ossa_ei_adb *adb = ossa_as_ei_adb(file);
    ossa_ei_adb_record mine = adb->records[4];
    mine.packed = UINT64_C(0x1122334455667788);
    mine.hit_frame = 3;
    adb->records = &mine;
    adb->record_count = 1;
    struct bytes expected = bytes_copy(fixture->bytes.data, 44);
    set_u32(&expected, 4, 1);
    put_bytes(&expected, fixture->bytes.data + 44 + 4 * (size_t)88, 88);
    set_u32(&expected, 44 + 20, 0x55667788);
    set_u32(&expected, 44 + 24, 0x11223344);
    set_u32(&expected, 44 + 64, 3);
    require_written("changed", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

static void short_records_stay_short(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-adb/short-records");
    ossa_file *file = read_fixture(fixture);
    ossa_ei_adb *adb = ossa_as_ei_adb(file);
    assert_true(adb->has_short_records);
    assert_int_equal(adb->record_count, 5);
    const ossa_ei_adb_record *attack = &adb->records[2];
    assert_string_equal(attack->name, "uattack1");
    assert_int_equal(attack->probability, 0);
    assert_int_equal(attack->duration, 22);
    assert_int_equal(attack->hit_frame, 12);
    assert_int_equal(ossa_ei_adb_forms(attack), 0x10);
    struct bytes json = dump_or_fail("short", file, OSSA_JSON_STYLE_LINE);
    put_u8(&json, 0);
    assert_non_null(strstr((const char *)json.data, "\"short_records\":true,\"records\":[{"));
    assert_null(strstr((const char *)json.data, "probability"));
    bytes_free(&json);
    /* A change is written in the same dialect. */
    ossa_ei_adb_record mine = *attack;
    mine.hit_frame = 3;
    adb->records = &mine;
    adb->record_count = 1;
    struct bytes expected = bytes_copy(fixture->bytes.data, 44);
    set_u32(&expected, 4, 1);
    put_bytes(&expected, fixture->bytes.data + 44 + 2 * (size_t)84, 84);
    set_u32(&expected, 44 + 60, 3);
    require_written("short", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

static void a_stub_has_no_records(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-adb/stub-of-one"));
    const ossa_ei_adb *adb = ossa_as_ei_adb(file);
    assert_true(adb->is_stub);
    assert_int_equal(adb->record_count, 0);
    assert_int_equal(adb->stub_count, 1);
    assert_int_equal(adb->stub[8], 0x08080808);
    assert_true(adb->max_height == 2.0F);
    assert_int_equal(file->error_count + file->warning_count, 0);
    ossa_file_free(file);
}

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    struct bytes file = begin_adb("tr");
    (void)add_adb_record(&file, &(struct adb_record){.name = "go", .duration = 7, .stage = 2});
    set_u8(&file, 8 + 5, 0xab);          /* behind the NUL of the model */
    set_u8(&file, 44 + 15, 0x01);        /* and of the name */
    set_u32(&file, 44 + 36, 0x7fc00000); /* speed */
    ossa_file *read = read_or_fail("json", file.data, file.size, NULL);
    struct bytes json = dump_or_fail("json", read, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"ei-adb\",\"size\":132,\"data\":{\"model\":\"tr\","
        "\"model_rest\":\"0000ab000000000000000000000000000000000000\",\"min_height\":1.5,"
        "\"mid_height\":1.75,\"max_height\":2,\"records\":[{\"name\":\"go\","
        "\"name_rest\":\"00000000000000000000000001\",\"index\":0,\"packed\":[2685894689,16],"
        "\"probability\":0,\"duration\":7,\"speed\":\"0x7fc00000\",\"show_hide\":[0,0],"
        "\"step_sounds\":[6,9,12,15],\"hit_frame\":0,\"special_frame\":11,"
        "\"sound_ids\":[1000,1001,1002,1003]}]}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    ossa_file *built = build_or_fail("json", &json);
    require_written("json", built, file.data, file.size);
    bytes_free(&json);
    ossa_file_free(built);
    ossa_file_free(read);
    bytes_free(&file);
}

static void people_see_no_control_characters(void **state)
{
    (void)state;
    struct bytes file = begin_adb("\x1b[31m");
    (void)add_adb_record(&file, &(struct adb_record){.name = "a\x07\x98z"});
    ossa_file *read = read_or_fail("names", file.data, file.size, NULL);
    struct bytes text = describe_or_fail("names", read);
    for (size_t i = 0; i + 1 < text.size; i++) {
        assert_true(text.data[i] == '\n' || (text.data[i] >= 0x20 && text.data[i] < 0x7f));
    }
    bytes_free(&text);
    ossa_file_free(read);
    bytes_free(&file);
}

TEST_GROUP(test_ei_adb)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_what_the_bytes_say),
        cmocka_unit_test(packed_is_two_words),
        cmocka_unit_test(names_and_stages),
        cmocka_unit_test(changed_records_are_written),
        cmocka_unit_test(short_records_stay_short),
        cmocka_unit_test(a_stub_has_no_records),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(people_see_no_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
