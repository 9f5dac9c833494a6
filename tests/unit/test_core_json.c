/* SPDX-License-Identifier: MIT
 *
 * The streaming JSON writer. What it writes is also parsed by jansson. */
#include "test_core.h"

#include "base/bytes.h"
#include "base/json.h"
#include "base/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* A writer into a sink. */
struct setup {
    struct ossa__json json;
    struct sink sink;
};

static void start_failing(struct setup *s, ossa_json_style style, size_t fail_at)
{
    s->sink = (struct sink){.fail_at = fail_at};
    ossa__json_start(&s->json, failing(&s->sink), style);
}

static void start(struct setup *s, ossa_json_style style)
{
    start_failing(s, style, NEVER);
}

static json_t *parse(struct setup *s)
{
    json_error_t problem;
    json_t *root = json_loadb((const char *)s->sink.buffer.data, s->sink.buffer.size,
                              JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &problem);
    if (root == NULL) fail_msg("not JSON: %s, in: %s", problem.text, text_of(&s->sink.buffer));
    return root;
}

/* What was written must be `expected`, and JSON. */
static void finish(struct setup *s, const char *expected)
{
    assert_true(ossa__json_finish(&s->json));
    assert_string_equal(text_of(&s->sink.buffer), expected);
    json_decref(parse(s));
    ossa_buffer_free(&s->sink.buffer);
}

static void write_everything(struct ossa__json *json)
{
    ossa__json_begin_object(json);
    ossa__json_key(json, "none");
    ossa__json_null(json);
    ossa__json_key(json, "yes");
    ossa__json_bool(json, true);
    ossa__json_key(json, "no");
    ossa__json_bool(json, false);
    ossa__json_key(json, "empty");
    ossa__json_begin_object(json);
    ossa__json_end_object(json);
    ossa__json_key(json, "list");
    ossa__json_begin_array(json);
    ossa__json_begin_array(json);
    ossa__json_end_array(json);
    ossa__json_begin_row(json);
    ossa__json_uint(json, UINT64_MAX / 2);
    ossa__json_begin_row(json);
    ossa__json_int(json, INT64_MIN);
    ossa__json_end_array(json);
    ossa__json_begin_object(json);
    ossa__json_key(json, "in");
    ossa__json_int(json, -1);
    ossa__json_end_object(json);
    ossa__json_end_array(json);
    ossa__json_string(json, "after");
    ossa__json_end_array(json);
    ossa__json_key(json, "hex");
    ossa__json_hex(json, (const uint8_t *)"\x00\x7f\xff", 3);
    ossa__json_end_object(json);
}

static void on_one_line(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_LINE);
    write_everything(&s.json);
    finish(&s, "{\"none\":null,\"yes\":true,\"no\":false,\"empty\":{},"
               "\"list\":[[],[9223372036854775807,[-9223372036854775808],{\"in\":-1}],\"after\"],"
               "\"hex\":\"007fff\"}");
}

static void indented(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_PRETTY);
    write_everything(&s.json);
    finish(&s, "{\n"
               "  \"none\": null,\n"
               "  \"yes\": true,\n"
               "  \"no\": false,\n"
               "  \"empty\": {},\n"
               "  \"list\": [\n"
               "    [],\n"
               "    [9223372036854775807, [-9223372036854775808], {\"in\": -1}],\n"
               "    \"after\"\n"
               "  ],\n"
               "  \"hex\": \"007fff\"\n"
               "}");
}

/* Both styles say the same. */
static void styles_agree(void **state)
{
    (void)state;
    json_t *roots[2];
    for (unsigned i = 0; i < 2; i++) {
        struct setup s;
        start(&s, i == 0 ? OSSA_JSON_STYLE_LINE : OSSA_JSON_STYLE_PRETTY);
        write_everything(&s.json);
        assert_true(ossa__json_finish(&s.json));
        roots[i] = parse(&s);
        ossa_buffer_free(&s.sink.buffer);
    }
    assert_true(json_equal(roots[0], roots[1]));
    json_decref(roots[0]);
    json_decref(roots[1]);
}

static void documents_after_each_other(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_LINE);
    for (unsigned i = 0; i < 2; i++) {
        ossa__json_begin_array(&s.json);
        ossa__json_uint(&s.json, i);
        ossa__json_end_array(&s.json);
        ossa__json_raw(&s.json, "\n");
    }
    assert_true(ossa__json_finish(&s.json));
    assert_string_equal(text_of(&s.sink.buffer), "[0]\n[1]\n");
    ossa_buffer_free(&s.sink.buffer);
}

static void texts_are_escaped(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_LINE);
    ossa__json_begin_array(&s.json);
    ossa__json_string(&s.json, "\"\\/\n\t\r\x01\x1f\x7f");
    ossa__json_text(&s.json, "a\0b", 3);
    ossa__json_text(&s.json, "", 0);
    ossa__json_string(&s.json, "\xc2\x98\xc2\x9f\xc2\xa0\xd0\x81\xf0\x9f\xa6\xb4");
    ossa__json_string(&s.json, "bad \xff\xe2\x82 \xed\xa0\x80");
    ossa__json_end_array(&s.json);
    finish(&s, "[\"\\\"\\\\/\\n\\t\\u000d\\u0001\\u001f\\u007f\",\"a\\u0000b\",\"\","
               "\"\\u0098\\u009f\xc2\xa0\xd0\x81\xf0\x9f\xa6\xb4\","
               "\"bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"]");
}

static void keys_are_escaped(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&s.json);
    ossa__json_key(&s.json, "a\"\n\xff");
    ossa__json_null(&s.json);
    ossa__json_end_object(&s.json);
    finish(&s, "{\n  \"a\\\"\\n\xef\xbf\xbd\": null\n}");
}

/* Every character survives the way through a parser; what is none becomes U+FFFD. */
static void every_character_survives(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_LINE);
    ossa__json_begin_text(&s.json);
    for (uint32_t c = 0; c <= 0x10ffff; c += c < 0x3000 ? 1 : 61) ossa__json_character(&s.json, c);
    ossa__json_character(&s.json, 0xdfff);
    ossa__json_character(&s.json, 0x110000);
    ossa__json_character(&s.json, UINT32_MAX);
    ossa__json_end_text(&s.json);
    assert_true(ossa__json_finish(&s.json));
    json_t *root = parse(&s);
    const char *text = json_string_value(root);
    size_t left = json_string_length(root);
    for (uint32_t c = 0; c <= 0x10ffff; c += c < 0x3000 ? 1 : 61) {
        bool surrogate = c >= 0xd800 && c <= 0xdfff;
        uint32_t found = UINT32_MAX;
        size_t used = ossa__utf8_decode(text, left, &found);
        assert_int_equal(found, surrogate ? 0xfffd : c);
        text += used;
        left -= used;
    }
    assert_int_equal(left, 9);
    assert_memory_equal(text, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 9);
    json_decref(root);
    ossa_buffer_free(&s.sink.buffer);
}

/* The size of a text is what is written of it, whatever has to be escaped. */
static void sizes_of_texts(void **state)
{
    (void)state;
    for (uint32_t c = 1; c <= 0x10ffff; c += c < 0x3000 ? 1 : 61) {
        char text[8] = "a";
        text[1 + ossa__utf8_encode(c, text + 1)] = '\0';
        struct setup s;
        start(&s, OSSA_JSON_STYLE_LINE);
        ossa__json_string(&s.json, text);
        assert_true(ossa__json_finish(&s.json));
        assert_int_equal(ossa__json_text_size(text) + 2, s.sink.buffer.size);
        ossa_buffer_free(&s.sink.buffer);
    }
    assert_int_equal(ossa__json_text_size(""), 0);
    assert_int_equal(ossa__json_text_size("\xff\xc3"), 6); /* malformed: U+FFFD, twice */
}

static void floats(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_row(&s.json);
    const uint32_t bits[] = {0x00000000, 0x80000000, 0x3f800000, 0x3dcccccd, 0x00000001, 0x7f7fffff,
                             0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001};
    for (size_t i = 0; i < COUNT_OF(bits); i++)
        ossa__json_float(&s.json, ossa__f32_from_bits(bits[i]));
    ossa__json_end_array(&s.json);
    finish(&s, "[0, -0.0, 1, 0.100000001, 1.40129846e-45, 3.40282347e+38, \"0x7f800000\", "
               "\"0xff800000\", \"0x7fc00000\", \"0xffc00001\", \"0x7f800001\"]");
}

/* The bits of a float that a program reads out of a parsed value. */
static uint32_t bits_in(const json_t *value)
{
    if (json_is_string(value)) return (uint32_t)strtoul(json_string_value(value), NULL, 16);
    return ossa__bits_from_f32((float)json_number_value(value));
}

static void random_floats_read_back(void **state)
{
    (void)state;
    enum { FLOATS = 100000 };
    struct setup s;
    uint64_t seed = 7;
    start(&s, OSSA_JSON_STYLE_LINE);
    ossa__json_begin_array(&s.json);
    for (unsigned i = 0; i < FLOATS; i++)
        ossa__json_float(&s.json, ossa__f32_from_bits(random_u32(&seed)));
    ossa__json_end_array(&s.json);
    assert_true(ossa__json_finish(&s.json));
    json_t *root = parse(&s);
    assert_int_equal(json_array_size(root), FLOATS);
    seed = 7;
    for (unsigned i = 0; i < FLOATS; i++) {
        assert_int_equal(bits_in(json_array_get(root, i)), random_u32(&seed));
    }
    json_decref(root);
    ossa_buffer_free(&s.sink.buffer);
}

enum { LONG = 12000 };

static void write_long(struct ossa__json *json)
{
    ossa__json_begin_array(json);
    for (unsigned i = 0; i < LONG; i++) ossa__json_uint(json, i);
    ossa__json_string(json, "end");
    ossa__json_end_array(json);
}

/* What is longer than the writer's buffer comes out whole. */
static void long_documents(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_PRETTY);
    write_long(&s.json);
    assert_true(ossa__json_finish(&s.json));
    assert_true(s.sink.calls > 3);
    json_t *root = parse(&s);
    assert_int_equal(json_array_size(root), LONG + 1);
    for (unsigned i = 0; i < LONG; i++)
        assert_int_equal(json_integer_value(json_array_get(root, i)), i);
    json_decref(root);
    ossa_buffer_free(&s.sink.buffer);
}

/* Whatever comes where the writer's buffer ends is whole. */
static void values_at_the_end_of_the_buffer(void **state)
{
    (void)state;
    static const char after[] = ",[1.5,\"0x7fc00000\"],18446744073709551615,\"00ff\",[],{\"\\n\":"
                                "true}]";
    enum { BUFFER = sizeof((struct ossa__json *)NULL)->buffer };
    char *text = malloc(BUFFER + sizeof after + 8);
    assert_non_null(text);
    const float numbers[] = {1.5F, ossa__f32_from_bits(0x7fc00000)};
    for (size_t length = BUFFER - 100; length < BUFFER + 4; length++) {
        struct setup s;
        start(&s, OSSA_JSON_STYLE_LINE);
        memset(text, 'x', length);
        ossa__json_begin_array(&s.json);
        ossa__json_text(&s.json, text, length);
        ossa__json_floats(&s.json, numbers, COUNT_OF(numbers));
        ossa__json_uint(&s.json, UINT64_MAX);
        ossa__json_hex(&s.json, (const uint8_t *)"\x00\xff", 2);
        ossa__json_begin_array(&s.json);
        ossa__json_end_array(&s.json);
        ossa__json_begin_object(&s.json);
        ossa__json_key(&s.json, "\n");
        ossa__json_bool(&s.json, true);
        ossa__json_end_object(&s.json);
        ossa__json_end_array(&s.json);
        assert_true(ossa__json_finish(&s.json));
        memcpy(text, "[\"", 2);
        memset(text + 2, 'x', length);
        text[length + 2] = '"';
        memcpy(text + length + 3, after, sizeof after);
        assert_string_equal(text_of(&s.sink.buffer), text);
        ossa_buffer_free(&s.sink.buffer);
    }
    free(text);
}

static void a_refusal_sticks(void **state)
{
    (void)state;
    struct setup s;
    start(&s, OSSA_JSON_STYLE_LINE);
    write_long(&s.json);
    assert_true(ossa__json_finish(&s.json));
    size_t calls = s.sink.calls;
    ossa_buffer_free(&s.sink.buffer);
    for (size_t fail_at = 0; fail_at < calls; fail_at++) {
        start_failing(&s, OSSA_JSON_STYLE_LINE, fail_at);
        write_long(&s.json);
        assert_false(ossa__json_finish(&s.json));
        assert_false(ossa__json_finish(&s.json));
        assert_int_equal(s.sink.calls, fail_at + 1); /* it is not asked again */
        ossa_buffer_free(&s.sink.buffer);
    }
}

TEST_GROUP(test_core_json)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_one_line),
        cmocka_unit_test(indented),
        cmocka_unit_test(styles_agree),
        cmocka_unit_test(documents_after_each_other),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(keys_are_escaped),
        cmocka_unit_test(every_character_survives),
        cmocka_unit_test(sizes_of_texts),
        cmocka_unit_test(floats),
        cmocka_unit_test(random_floats_read_back),
        cmocka_unit_test(long_documents),
        cmocka_unit_test(values_at_the_end_of_the_buffer),
        cmocka_unit_test(a_refusal_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
