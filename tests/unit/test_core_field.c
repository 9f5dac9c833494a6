/* SPDX-License-Identifier: MIT
 *
 * A traced field in words and as JSON. */
#include "test_core.h"

/* A field, what it reads as, and its JSON. */
struct example {
    ossa_field_type type;
    const char *bytes;
    size_t size;
    const char *type_name;
    const char *value;
    const char *json;
};

static const struct example examples[] = {
    {OSSA_FIELD_TYPE_U8, "\xff", 1, "u8", "255", "255"},
    {OSSA_FIELD_TYPE_U16, "\xff\xfe", 2, "u16", "65279", "65279"},
    {OSSA_FIELD_TYPE_I16, "\xff\xfe", 2, "i16", "-257", "-257"},
    {OSSA_FIELD_TYPE_U32, "\xff\xff\xff\xff", 4, "u32", "4294967295", "4294967295"},
    {OSSA_FIELD_TYPE_I32, "\xff\xff\xff\xff", 4, "i32", "-1", "-1"},
    {OSSA_FIELD_TYPE_I32, "\0\0\0\x80", 4, "i32", "-2147483648", "-2147483648"},
    {OSSA_FIELD_TYPE_F32, "\0\0\x20\xc0", 4, "f32", "-2.5", "-2.5"},
    {OSSA_FIELD_TYPE_F32, "\0\0\0\x80", 4, "f32", "-0.0", "-0.0"},
    {OSSA_FIELD_TYPE_F32, "\0\0\xc0\x7f", 4, "f32", "nan 0x7fc00000", "\"0x7fc00000\""},
    {OSSA_FIELD_TYPE_F32, "\0\0\x80\xff", 4, "f32", "inf 0xff800000", "\"0xff800000\""},
    {OSSA_FIELD_TYPE_TEXT, "xff\0", 4, "char", "\"xff\\0\"", "\"xff\\u0000\""},
    {OSSA_FIELD_TYPE_TEXT, "", 0, "char", "\"\"", "\"\""},
    {OSSA_FIELD_TYPE_TEXT, "\"\\\n\x1b\x7f\xe9", 6, "char", "\"\\\"\\\\\\x0a\\x1b\\x7f\xc3\xa9\"",
     "\"\\\"\\\\\\n\\u001b\\u007f\xc3\xa9\""},
    {OSSA_FIELD_TYPE_TEXT_1251, "\xc0\xb8\x88", 3, "char", "\"\xd0\x90\xd1\x91\xe2\x82\xac\"",
     "\"\xd0\x90\xd1\x91\xe2\x82\xac\""},
    {OSSA_FIELD_TYPE_TEXT_1251, "\x98", 1, "char", "\"\\x98\"", "\"\\u0098\""},
    {OSSA_FIELD_TYPE_UNKNOWN, "\x00\xab\xff", 3, "unknown", "00abff", "\"00abff\""},
    {OSSA_FIELD_TYPE_PADDING, "\0\0", 2, "padding", "0000", "\"0000\""},
    {OSSA_FIELD_TYPE_UNREAD, "\x12", 1, "unread", "12", "\"12\""},
    {OSSA_FIELD_TYPE_UNREAD, "", 0, "unread", "", "\"\""},
};

static ossa_field field_of(const struct example *example)
{
    return (ossa_field){.size = example->size,
                        .type = example->type,
                        .path = "",
                        .bytes = (const uint8_t *)example->bytes};
}

static void values(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        ossa_field field = field_of(&examples[i]);
        char text[100];
        size_t size = ossa_field_value(&field, text, sizeof text);
        assert_string_equal(text, examples[i].value);
        assert_int_equal(size, strlen(examples[i].value));
        assert_string_equal(ossa_field_type_name(field.type), examples[i].type_name);
    }
    assert_string_equal(ossa_field_type_name((ossa_field_type)99), "?");
}

static bool is_inside_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Whatever the room: terminated, a start of the whole, cut between characters, the full length
 * given, and nothing written beyond. */
static void values_are_cut_to_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        ossa_field field = field_of(&examples[i]);
        const char *whole = examples[i].value;
        for (size_t capacity = 0; capacity <= strlen(whole) + 2; capacity++) {
            char text[100];
            memset(text, 'x', sizeof text);
            assert_int_equal(ossa_field_value(&field, text, capacity), strlen(whole));
            assert_int_equal(text[capacity], 'x');
            if (capacity == 0) continue;
            assert_true(strlen(text) < capacity);
            assert_memory_equal(text, whole, strlen(text));
            assert_false(is_inside_character(whole[strlen(text)]));
            assert_true(strlen(text) + 5 > capacity || strlen(text) == strlen(whole));
        }
    }
}

static void json(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        ossa_field field = field_of(&examples[i]);
        ossa_buffer buffer = {0};
        assert_true(ossa_field_json(&field, ossa_buffer_sink(&buffer)));
        assert_string_equal(text_of(&buffer), examples[i].json);
        ossa_buffer_free(&buffer);
    }
}

TEST_GROUP(test_core_field)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(values_are_cut_to_fit),
        cmocka_unit_test(json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
