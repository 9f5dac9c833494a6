/* SPDX-License-Identifier: MIT
 *
 * Parsed JSON: what is accepted, and refusals that name their place. */
#include "test_core.h"

#include "codec/reader.h"
#include "codec/value.h"

#include <math.h>
#include <stdio.h>

/* A parsed document and its root. */
struct setup {
    struct ossa__context context;
    struct ossa__document *document;
    struct ossa__value root;
};

static void start_sized(struct setup *s, const char *json, size_t size)
{
    ossa__context_init(&s->context, NULL, size);
    s->document = ossa__document_parse(&s->context, json, size);
    s->root = (struct ossa__value){.context = &s->context};
    if (s->document != NULL) s->root = ossa__document_root(&s->context, s->document);
}

static void start(struct setup *s, const char *json)
{
    start_sized(s, json, strlen(json));
}

static void stop(struct setup *s)
{
    if (s->document != NULL) ossa__document_free(s->document);
    ossa__arena_free(&s->context.arena);
}

static void stop_good(struct setup *s)
{
    if (s->context.failed) fail_msg("%s: %s", s->context.error.field, s->context.error.message);
    stop(s);
}

static void stop_bad(struct setup *s, const char *field, const char *message)
{
    assert_true(s->context.failed);
    assert_int_equal(s->context.error.code, OSSA_CODE_BAD_JSON);
    assert_false(s->context.error.has_offset);
    assert_string_equal(s->context.error.field, field);
    assert_string_equal(s->context.error.message, message);
    stop(s);
}

static void malformed_documents(void **state)
{
    (void)state;
    static const char *const table[] = {"",
                                        "{",
                                        "[1,]",
                                        "{\"a\":1,\"a\":2}",
                                        "[1] x",
                                        "nul",
                                        "[01]",
                                        "[\"\x01\"]",
                                        "[NaN]",
                                        "[Infinity]",
                                        "[1e999]",
                                        "[\"\xff\"]",
                                        "[\"\\ud800\"]",
                                        "{a:1}",
                                        "5",
                                        "\"text\""};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct setup s;
        start(&s, table[i]);
        assert_null(s.document);
        assert_int_equal(s.context.error.code, OSSA_CODE_BAD_JSON);
        assert_int_equal(strncmp(s.context.error.message, "JSON line ", 10), 0);
        stop(&s);
    }
}

static void the_place_of_a_syntax_error(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "{\n \"a\": 1,\n \"b\": ?\n}");
    assert_non_null(strstr(s.context.error.message, "JSON line 3"));
    stop(&s);
    start(&s, "[]\n[]");
    stop_bad(&s, "", "JSON line 2, column 1: more text follows, expected one document");
}

/* Depth has a limit, which is not the end of the stack. */
static void deep_documents(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *json = malloc(DEPTH);
    assert_non_null(json);
    memset(json, '[', DEPTH);
    struct setup s;
    start_sized(&s, json, DEPTH);
    assert_null(s.document);
    assert_int_equal(s.context.error.code, OSSA_CODE_BAD_JSON);
    stop(&s);
    free(json);
}

static void members(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "{\"a\":{\"b\":7},\"none\":null}");
    struct ossa__value a = ossa__value_member(&s.root, "a");
    struct ossa__value b = ossa__value_member(&a, "b");
    assert_int_equal(ossa__value_integer(&b, 0, 10), 7);
    assert_null(ossa__value_optional(&s.root, "none").node);
    assert_null(ossa__value_optional(&s.root, "missing").node);
    assert_non_null(ossa__value_optional(&s.root, "a").node);
    ossa__value_allow(&s.root, "none a");
    ossa__value_allow(&a, "b");
    stop_good(&s);
}

static void missing_members(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "{\"a\":{\"b\":7},\"none\":null}");
    struct ossa__value a = ossa__value_member(&s.root, "a");
    (void)ossa__value_member(&a, "c");
    stop_bad(&s, "a.c", "is missing");
    start(&s, "{\"none\":null}");
    (void)ossa__value_member(&s.root, "none");
    stop_bad(&s, "none", "is missing");
    start(&s, "[1]");
    (void)ossa__value_member(&s.root, "a");
    stop_bad(&s, "", "found an array, expected an object");
}

static void unknown_members(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "{\"rate\":1}");
    ossa__value_allow(&s.root, "frames rates arate");
    stop_bad(&s, "rate", "is not a known member (known: frames rates arate)");
    start(&s, "{\"\":1}");
    ossa__value_allow(&s.root, "a b");
    stop_bad(&s, "", "is not a known member (known: a b)");
    start(&s, "{\"a b\":1}");
    ossa__value_allow(&s.root, "a bc");
    stop_bad(&s, "a b", "is not a known member (known: a bc)");
    start(&s, "{\"b\":1,\"rate\":2}");
    ossa__value_allow(&s.root, "arate rate b");
    stop_good(&s);
    start(&s, "[]");
    ossa__value_allow(&s.root, "a");
    stop_bad(&s, "", "found an array, expected an object");
}

/* One after the other, with what is inside of them, and in any order. */
static void members_in_order(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "{\"o\":{\"a\":[1,{\"x\":2}],\"\\u0062\":3 , \"c\":{}},\"e\":{},\"n\":1}");
    struct ossa__value object = ossa__value_member(&s.root, "o");
    assert_int_equal(ossa__value_member_count(&object), 3);
    static const char *const keys[] = {"a", "b", "c"};
    static const size_t order[] = {0, 1, 2, 1, 0, 2, 2};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        struct ossa__value member = ossa__value_member_at(&object, order[i]);
        assert_string_equal(member.key, keys[order[i]]);
        assert_int_equal(*member.node, "[3{"[order[i]]);
    }
    struct ossa__value list = ossa__value_member_at(&object, 0);
    struct ossa__value item = ossa__value_item(&list, 1);
    struct ossa__value inner = ossa__value_member_at(&item, 0);
    assert_int_equal(ossa__value_integer(&inner, 0, 9), 2);
    assert_null(ossa__value_member_at(&object, 3).node);
    struct ossa__value empty = ossa__value_member(&s.root, "e");
    assert_int_equal(ossa__value_member_count(&empty), 0);
    assert_null(ossa__value_member_at(&empty, 0).node);
    assert_false(s.context.failed);
    assert_int_equal(ossa__value_member_count(&list), 0);
    stop_bad(&s, "o.a", "found an array, expected an object");
}

static void places_in_arrays(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "{\"data\":{\"bones\":[0,{\"keys\":[1,70000]}]}}");
    struct ossa__value data = ossa__value_member(&s.root, "data");
    struct ossa__value bones = ossa__value_member(&data, "bones");
    assert_int_equal(ossa__value_length(&bones), 2);
    struct ossa__value bone = ossa__value_item(&bones, 1);
    struct ossa__value keys = ossa__value_member(&bone, "keys");
    struct ossa__value key = ossa__value_item(&keys, 1);
    assert_int_equal(ossa__value_integer(&key, INT16_MIN, INT16_MAX), 0);
    stop_bad(&s, "data.bones[1].keys[1]", "70000 is not an integer from -32768 to 32767");
}

static void items_that_are_not_there(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "[[1,2],7,{\"a\":[]}]");
    struct ossa__value array = ossa__value_item(&s.root, 0);
    struct ossa__value number = ossa__value_item(&s.root, 1);
    struct ossa__value object = ossa__value_item(&s.root, 2);
    struct ossa__value missing = ossa__value_optional(&object, "b");
    assert_non_null(ossa__value_item(&array, 1).node);
    assert_null(ossa__value_item(&array, 2).node);
    assert_null(ossa__value_item(&s.root, SIZE_MAX).node);
    assert_null(ossa__value_item(&number, 0).node);
    assert_null(ossa__value_item(&object, 0).node);
    assert_null(ossa__value_item(&missing, 0).node);
    stop_good(&s);
}

/* An array inside another does not send the outer one back to its start. */
static void nested_arrays_keep_their_positions(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "[[1,2,3],[4,5,6],[7,8,9]]");
    for (size_t i = 0; i < 3; i++) {
        struct ossa__value row = ossa__value_item(&s.root, i);
        for (size_t k = 0; k < 3; k++) {
            struct ossa__value item = ossa__value_item(&row, k);
            assert_int_equal(ossa__value_integer(&item, 0, 9), 3 * i + k + 1);
            assert_int_equal(s.document->cursors[0].index, i);
            assert_int_equal(s.document->cursors[1].index, k);
        }
    }
    stop_good(&s);
}

/* A key is compared without its escapes, however many there are. */
static void keys_with_escapes(void **state)
{
    (void)state;
    enum { LENGTH = 1000 };
    struct setup s;
    char json[6 * LENGTH + 32];
    int used = sprintf(json, "{\"");
    for (unsigned i = 0; i < LENGTH; i++) used += sprintf(json + used, "\\u0061");
    (void)sprintf(json + used, "\":1,\"\\u0062\\u0063\":2}");
    start(&s, json);
    struct ossa__value member = ossa__value_member(&s.root, "bc");
    assert_int_equal(ossa__value_integer(&member, 0, 9), 2);
    assert_null(ossa__value_optional(&s.root, "b").node);
    assert_null(ossa__value_optional(&s.root, "bcd").node);
    stop_good(&s);
}

static void long_places_are_cut(void **state)
{
    (void)state;
    char json[600] = "{\"";
    memset(json + 2, 'k', 300);
    memcpy(json + 302, "\":[[[0]]]}", sizeof "\":[[[0]]]}");
    char key[301];
    memset(key, 'k', 300);
    key[300] = '\0';
    struct setup s;
    start(&s, json);
    struct ossa__value a = ossa__value_member(&s.root, key);
    struct ossa__value b = ossa__value_item(&a, 0);
    struct ossa__value c = ossa__value_item(&b, 0);
    (void)ossa__value_bool(&c);
    assert_int_equal(strlen(s.context.error.field), OSSA_FIELD_CAPACITY - 1);
    stop(&s);
}

static void first_refusal_sticks(void **state)
{
    (void)state;
    struct setup s;
    size_t size = 9;
    float floats_out[2] = {5, 5};
    int64_t integers_out[2] = {5, 5};
    uint32_t count = 9;
    start(&s, "{\"a\":5,\"b\":[1,2],\"c\":\"x\",\"d\":true}");
    (void)ossa__value_member(&s.root, "missing");
    struct ossa__value a = ossa__value_member(&s.root, "a");
    struct ossa__value b = ossa__value_member(&s.root, "b");
    struct ossa__value c = ossa__value_member(&s.root, "c");
    struct ossa__value d = ossa__value_member(&s.root, "d");
    assert_int_equal(ossa__value_integer(&a, 0, 9), 0);
    assert_int_equal(ossa__value_length(&b), 0);
    assert_false(ossa__value_expect_length(&b, 0));
    assert_false(ossa__value_bool(&d));
    assert_true(ossa__value_f32(&a) == 0.0F);
    assert_string_equal(ossa__value_text(&c, &size), "");
    assert_int_equal(size, 0);
    assert_null(ossa__value_hex(&c, &size));
    ossa__value_floats(&b, 2, floats_out);
    ossa__value_integers(&b, 2, 0, 9, integers_out);
    assert_true(floats_out[0] == 0.0F && floats_out[1] == 0.0F);
    assert_true(integers_out[0] == 0 && integers_out[1] == 0);
    assert_null(ossa__value_float_rows(&b, 1, &count));
    assert_int_equal(count, 0);
    stop_bad(&s, "missing", "is missing");
}

/* The integer in `[JSON]`, with its limits. */
static int64_t integer_in(struct setup *s, const char *json, int64_t least, int64_t most)
{
    start(s, json);
    struct ossa__value item = ossa__value_item(&s->root, 0);
    return ossa__value_integer(&item, least, most);
}

static void integers(void **state)
{
    (void)state;
    struct setup s;
    assert_int_equal(integer_in(&s, "[-5]", -5, 5), -5);
    stop_good(&s);
    assert_int_equal(integer_in(&s, "[9223372036854775807]", 0, INT64_MAX), INT64_MAX);
    stop_good(&s);
    assert_int_equal(integer_in(&s, "[-6]", -5, 5), 0);
    stop_bad(&s, "[0]", "-6 is not an integer from -5 to 5");
    assert_int_equal(integer_in(&s, "[6]", -5, 5), 0);
    stop_bad(&s, "[0]", "6 is not an integer from -5 to 5");
    assert_int_equal(integer_in(&s, "[1.0]", -5, 5), 0);
    stop_bad(&s, "[0]", "found a number, expected an integer");
    assert_int_equal(integer_in(&s, "[\"1\"]", -5, 5), 0);
    stop_bad(&s, "[0]", "found a string, expected an integer");
    assert_int_equal(integer_in(&s, "[null]", -5, 5), 0);
    stop_bad(&s, "[0]", "found null, expected an integer");
    start(&s, "[4294967295,4294967296]");
    struct ossa__value most = ossa__value_item(&s.root, 0);
    struct ossa__value more = ossa__value_item(&s.root, 1);
    assert_int_equal(ossa__value_u32(&most), UINT32_MAX);
    assert_int_equal(ossa__value_u32(&more), 0);
    stop_bad(&s, "[1]", "4294967296 is not an integer from 0 to 4294967295");
}

static void good_floats(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        uint32_t bits;
    } table[] = {{"[0]", 0},
                 {"[-0]", 0}, /* an integer */
                 {"[-0.0]", 0x80000000},
                 {"[-0e1]", 0x80000000},
                 {"[1]", 0x3f800000},
                 {"[-1]", 0xbf800000},
                 {"[0.100000001]", 0x3dcccccd},
                 {"[16777217]", 0x4b800000}, /* rounded to even */
                 /* The nearest double is the middle between two floats. */
                 {"[1.00000005960464477539062500001]", 0x3f800000},
                 {"[1.0000000596046448]", 0x3f800000},
                 {"[1.0000000596046450]", 0x3f800001},
                 {"[3.402823567797336e38]", 0x7f7fffff},
                 {"[3.40282347e+38]", 0x7f7fffff},
                 {"[1.40129846e-45]", 1},
                 {"[1e-60]", 0},
                 {"[\"0x7fc00000\"]", 0x7fc00000},
                 {"[\"0xff800001\"]", 0xff800001},
                 {"[\"0x3f800000\"]", 0x3f800000}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct setup s;
        start(&s, table[i].json);
        struct ossa__value item = ossa__value_item(&s.root, 0);
        float value = ossa__value_f32(&item);
        assert_int_equal(ossa__bits_from_f32(value), table[i].bits);
        stop_good(&s);
    }
}

static void bad_floats(void **state)
{
    (void)state;
    static const char *const strings[] = {
        "[\"\"]",           "[\"1\"]",          "[\"0x7fc0000\"]",       "[\"0x7fc000000\"]",
        "[\"0x7FC00000\"]", "[\"0X7fc00000\"]", "[\"0x7fc0000g\"]",      "[\"1x7fc00000\"]",
        "[\"  7fc00000\"]", "[\"nan\"]",        "[\"0x7fc0000\\u0000\"]"};
    for (size_t i = 0; i < COUNT_OF(strings); i++) {
        struct setup s;
        start(&s, strings[i]);
        struct ossa__value item = ossa__value_item(&s.root, 0);
        assert_true(ossa__value_f32(&item) == 0.0F);
        stop_bad(&s, "[0]", "found a string, expected a number or bits such as \"0x7fc00000\"");
    }
    struct setup s;
    start(&s, "[3.5e38]");
    struct ossa__value large = ossa__value_item(&s.root, 0);
    assert_true(ossa__value_f32(&large) == 0.0F);
    stop_bad(&s, "[0]", "3.5e+38 is too large for a 32-bit float");
    start(&s, "[true]");
    struct ossa__value boolean = ossa__value_item(&s.root, 0);
    assert_true(ossa__value_f32(&boolean) == 0.0F);
    stop_bad(&s, "[0]", "found a boolean, expected a number");
}

static void booleans_and_texts(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "[true,false,\"a\\u0000\\u0451\"]");
    struct ossa__value yes = ossa__value_item(&s.root, 0);
    struct ossa__value no = ossa__value_item(&s.root, 1);
    struct ossa__value text = ossa__value_item(&s.root, 2);
    assert_true(ossa__value_bool(&yes));
    assert_false(ossa__value_bool(&no));
    size_t size;
    assert_memory_equal(ossa__value_text(&text, &size), "a\0\xd1\x91", 5);
    assert_int_equal(size, 4);
    stop_good(&s);
    start(&s, "[0]");
    struct ossa__value number = ossa__value_item(&s.root, 0);
    assert_false(ossa__value_bool(&number));
    stop_bad(&s, "[0]", "found an integer, expected true or false");
    start(&s, "[{}]");
    struct ossa__value object = ossa__value_item(&s.root, 0);
    (void)ossa__value_text(&object, &size);
    stop_bad(&s, "[0]", "found an object, expected a string");
}

static void words(void **state)
{
    (void)state;
    struct setup s;
    start(&s, "[\"0123456789abcdef\",\"a\\u0062\",\"\",\"a\\u0000b\"]");
    struct ossa__value items[4];
    for (size_t i = 0; i < COUNT_OF(items); i++) items[i] = ossa__value_item(&s.root, i);
    const char *word = ossa__value_word(&items[0]);
    memset(ossa__take(&s.context, 1, 64), 0xee, 64); /* the next in the arena is apart */
    assert_string_equal(word, "0123456789abcdef");
    assert_string_equal(ossa__value_word(&items[1]), "ab");
    assert_string_equal(ossa__value_word(&items[2]), "");
    assert_string_equal(ossa__value_word(&items[3]), "");
    stop_bad(&s, "[3]", "contains a NUL");
}

/* A document that is there, and no memory for what is asked of it. */
static void no_memory_for_texts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct setup s;
        start(&s, "[\"\\u0061\"]");
        struct ossa__value item = ossa__value_item(&s.root, 0);
        struct memory memory = {.fail_from = 0};
        s.context.arena.allocator = counted(&memory);
        size_t size = 9;
        uint32_t short_size = 9;
        if (i == 0) assert_string_equal(ossa__value_word(&item), "");
        if (i == 1) assert_string_equal(ossa__value_text(&item, &size), "");
        if (i == 1) assert_int_equal(size, 0);
        if (i == 2) assert_null(ossa__value_text_1251(&item, &short_size));
        assert_int_equal(s.context.error.code, OSSA_CODE_OUT_OF_MEMORY);
        stop(&s);
    }
}

static void hexadecimal(void **state)
{
    (void)state;
    struct setup s;
    size_t size = 9;
    start(&s, "[\"00ffA9b0000102030405060708090a0b0c0d0e0f1011\",\"\"]");
    struct ossa__value item = ossa__value_item(&s.root, 0);
    struct ossa__value empty = ossa__value_item(&s.root, 1);
    const uint8_t *bytes = ossa__value_hex(&item, &size);
    assert_int_equal(size, 22);
    assert_non_null(ossa__value_hex(&empty, &size));
    assert_int_equal(size, 0);
    memset(ossa__take(&s.context, 1, 64), 0xee, 64); /* the next in the arena is apart */
    assert_memory_equal(bytes, "\x00\xff\xa9\xb0\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf\x10\x11",
                        22);
    stop_good(&s);
    start(&s, "[\"abc\"]");
    struct ossa__value odd = ossa__value_item(&s.root, 0);
    assert_null(ossa__value_hex(&odd, &size));
    assert_int_equal(size, 0);
    stop_bad(&s, "[0]", "has an odd number of hexadecimal digits");
    start(&s, "[\"00g0\"]");
    struct ossa__value high = ossa__value_item(&s.root, 0);
    assert_null(ossa__value_hex(&high, &size));
    stop_bad(&s, "[0]", "character 2 is not a hexadecimal digit");
    start(&s, "[\"000\\u0000\"]");
    struct ossa__value low = ossa__value_item(&s.root, 0);
    assert_null(ossa__value_hex(&low, &size));
    stop_bad(&s, "[0]", "character 3 is not a hexadecimal digit");
}

static void lists_of_a_length(void **state)
{
    (void)state;
    struct setup s;
    int64_t integers_out[3];
    float floats_out[3];
    start(&s, "[[1,-2,3],[0.5,1,-2]]");
    struct ossa__value first = ossa__value_item(&s.root, 0);
    struct ossa__value second = ossa__value_item(&s.root, 1);
    ossa__value_integers(&first, 3, -2, 3, integers_out);
    ossa__value_floats(&second, 3, floats_out);
    assert_true(integers_out[0] == 1 && integers_out[1] == -2 && integers_out[2] == 3);
    assert_true(floats_out[0] == 0.5F && floats_out[1] == 1.0F && floats_out[2] == -2.0F);
    stop_good(&s);
    start(&s, "[[1,2]]");
    struct ossa__value two = ossa__value_item(&s.root, 0);
    ossa__value_integers(&two, 3, -2, 3, integers_out);
    stop_bad(&s, "[0]", "has 2 items, expected 3");
    start(&s, "[[1,2,3,4]]");
    struct ossa__value four = ossa__value_item(&s.root, 0);
    ossa__value_floats(&four, 3, floats_out);
    stop_bad(&s, "[0]", "has 4 items, expected 3");
    start(&s, "[[1,2,9]]");
    struct ossa__value nine = ossa__value_item(&s.root, 0);
    ossa__value_integers(&nine, 3, -2, 3, integers_out);
    stop_bad(&s, "[0][2]", "9 is not an integer from -2 to 3");
}

static void rows_of_floats(void **state)
{
    (void)state;
    struct setup s;
    uint32_t count = 9;
    start(&s, "[[1,2],[3,\"0x80000000\"]]");
    const float *rows = ossa__value_float_rows(&s.root, 2, &count);
    assert_int_equal(count, 2);
    assert_true(rows[0] == 1.0F && rows[1] == 2.0F && rows[2] == 3.0F);
    assert_true(rows[3] == 0.0F && signbit(rows[3]));
    stop_good(&s);
    start(&s, "[[-0,-0.0]]"); /* the integer is 0 */
    rows = ossa__value_float_rows(&s.root, 2, &count);
    assert_true(!signbit(rows[0]) && signbit(rows[1]));
    stop_good(&s);
    start(&s, "[]");
    assert_non_null(ossa__value_float_rows(&s.root, 2, &count));
    assert_int_equal(count, 0);
    stop_good(&s);
    start(&s, "[[1,2],[3]]");
    (void)ossa__value_float_rows(&s.root, 2, &count);
    stop_bad(&s, "[1]", "has 1 items, expected 2");
    start(&s, "{}");
    (void)ossa__value_float_rows(&s.root, 2, &count);
    stop_bad(&s, "", "found an object, expected an array");
}

TEST_GROUP(test_core_value)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_documents),
        cmocka_unit_test(the_place_of_a_syntax_error),
        cmocka_unit_test(deep_documents),
        cmocka_unit_test(members),
        cmocka_unit_test(missing_members),
        cmocka_unit_test(unknown_members),
        cmocka_unit_test(members_in_order),
        cmocka_unit_test(places_in_arrays),
        cmocka_unit_test(long_places_are_cut),
        cmocka_unit_test(first_refusal_sticks),
        cmocka_unit_test(integers),
        cmocka_unit_test(items_that_are_not_there),
        cmocka_unit_test(nested_arrays_keep_their_positions),
        cmocka_unit_test(keys_with_escapes),
        cmocka_unit_test(words),
        cmocka_unit_test(no_memory_for_texts),
        cmocka_unit_test(good_floats),
        cmocka_unit_test(bad_floats),
        cmocka_unit_test(booleans_and_texts),
        cmocka_unit_test(hexadecimal),
        cmocka_unit_test(lists_of_a_length),
        cmocka_unit_test(rows_of_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
