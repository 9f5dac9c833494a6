/* SPDX-License-Identifier: MIT
 *
 * The JSON parser: what it accepts and what it finds is compared with jansson's; and the places of
 * its refusals, its limits and its memory. */
#include "test_core.h"

#include "base/number_parse.h"
#include "codec/value.h"
#include "support/json_peer.h"

#include <stdio.h>

/* ---- like jansson --------------------------------------------------------------------------- */

/* True if both accept the text. */
static bool compare(const char *json, size_t size)
{
    bool is_accepted;
    const char *difference = compare_with_jansson(json, size, &is_accepted);
    if (difference != NULL) fail_msg("%.*s: %s", (int)size, json, difference);
    return is_accepted;
}

static const char *const samples[] = {
    "{\"ossa\":1,\"format\":\"ei-anm\",\"data\":{\"rotations\":[[1,0,0.5,-2.5e-3],[0,1,2,3]]}}",
    " [ 1 , -2 , 0 , -0 , -0.0 , 1e5 , 1E-5 , 12345678901234567890.5 , 1e-400 ] ",
    "[9223372036854775807,-9223372036854775808,123456789012345678,0.1]",
    "{\"a\":{},\"b\":[],\"c\":[{}],\"d\":[[[]]],\"e\":\"\",\"\":null,\"f\":true,\"g\":false}",
    "[\"\\u0000\\u0041\\ud83e\\uddb4\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\xd0\x81\xf0\x9f\xa6\xb4\x7f\"]",
    "{\"\\u0061\":1,\"b\":{\"\\ud83e\\uddb4\":[1,{\"c\":2}]},\"d\\\"\":\"e\"}",
    "\t\r\n[\n[1,\n2],\n[\"x\"]\n]\n",
    "[\"\\ud800\\udc00\\udbff\\udfff\\ud7ff\\ue000\\uABCD\\uefEF\"]",
};

static void samples_like_jansson(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        assert_true(compare(samples[i], strlen(samples[i])));
        for (size_t cut = 0; cut < strlen(samples[i]); cut++) (void)compare(samples[i], cut);
    }
}

static void refusals_like_jansson(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "1",
                                        "\"a\"",
                                        "null",
                                        "nul",
                                        "[1]x",
                                        "[1,]",
                                        "[,1]",
                                        "[1 2]",
                                        "[1}",
                                        "{1:2}",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1,}",
                                        "{,}",
                                        "{\"a\" 1}",
                                        "[01]",
                                        "[-]",
                                        "[-01]",
                                        "[+1]",
                                        "[.5]",
                                        "[1.]",
                                        "[1.e5]",
                                        "[1e]",
                                        "[1e+]",
                                        "[0x10]",
                                        "[1e999]",
                                        "[-1e999]",
                                        "[NaN]",
                                        "[Infinity]",
                                        "[True]",
                                        "[truefalse]",
                                        "[nullx]",
                                        "[\"\\x\"]",
                                        "[\"\\u12\"]",
                                        "[\"\\u123g\"]",
                                        "[\"\\\"]",
                                        "[\"a",
                                        "[\"\n\"]",
                                        "[\"\x1f\"]",
                                        "[\"\xff\"]",
                                        "[\"\xc0\x80\"]",
                                        "[\xc3\xa9]",
                                        "\xef\xbb\xbf[]",
                                        "[\"\\ud800\"]",
                                        "[\"\\udc00\"]",
                                        "[\"\\ud800\\u0041\"]",
                                        "[\"\\ud800x\"]",
                                        "[\"\\ud800\\ud800\"]",
                                        "[\"\\ud800\\udbff\"]",
                                        "[\"\\ud800\\ue000\"]",
                                        "[\"\\udc00\\udc00\"]",
                                        "[\"\\udfff\\udfff\"]",
                                        "[\"\xed\xa0\x80\"]",
                                        "[\"\xf4\x90\x80\x80\"]",
                                        "[\"\xe2\x82\"]",
                                        "{\"a\":1,\"b\":2,\"a\":3}",
                                        "{\"a\":1,\"\\u0061\":3}",
                                        "{\"\\u0000\":1}",
                                        "[9223372036854775808]",
                                        "[-9223372036854775809]",
                                        "[12345678901234567890]",
                                        "{\"\xff\":1}",
                                        "[] []",
                                        "[]]",
                                        "{}}",
                                        "[[]",
                                        "/**/[]",
                                        "[1]//",
                                        "['a']",
                                        "[1,\v2]",
                                        "[\"\\u00e9\", ]"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (compare(texts[i], strlen(texts[i]))) fail_msg("%s is accepted", texts[i]);
    }
}

/* jansson passes over a NUL behind a number. */
static void nuls_are_refused(void **state)
{
    (void)state;
    static const char texts[][6] = {"[1\0]",   "[\0\0\0]",   "[\"\0\"]",
                                    "[1\0,2]", "\0\0\0\0\0", "{}\0\0\0"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct ossa__context context;
        ossa__context_init(&context, NULL, 0);
        assert_null(ossa__document_parse(&context, texts[i], 5));
        assert_int_equal(context.error.code, OSSA_CODE_BAD_JSON);
    }
}

/* Samples with some bytes replaced, removed or repeated. */
static void changed_samples_like_jansson(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]\",:\\ 019.-+eEuntrfalse\n\x01\x80\xc3\xff";
    uint64_t seed = 11;
    unsigned accepted = 0;
    for (unsigned round = 0; round < 150000; round++) {
        char text[512];
        const char *sample = samples[random_below(&seed, COUNT_OF(samples))];
        size_t size = strlen(sample);
        memcpy(text, sample, size);
        size_t changes = 1 + random_below(&seed, 3);
        for (size_t i = 0; i < changes; i++) {
            size_t at = random_below(&seed, size);
            size_t what = random_below(&seed, 4);
            if (what == 0) {
                memmove(text + at, text + at + 1, size - at - 1);
                size--;
            } else if (what == 1) {
                memmove(text + at + 1, text + at, size - at);
                size++;
            } else {
                text[at] = bytes[random_below(&seed, sizeof bytes - 1)];
            }
        }
        if (compare(text, size)) accepted++;
    }
    assert_true(accepted > 5000);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void places_of_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *message;
    } table[] = {
        {"[1,\n 2,\n x]", "line 3, column 2: found 'x', expected a value"},
        {"[\"\xd0\x81\xd0\x81\" 1]", "line 1, column 7: found '1', expected ',' or ']'"},
        {"{\"a\":1", "line 1, column 7: the text ends, expected ',' or '}'"},
        {"{", "line 1, column 2: the text ends, expected a key or '}'"},
        {"{\"a\":1,}", "line 1, column 8: found '}', expected a key"},
        {"{\"a\" 1}", "line 1, column 6: found '1', expected ':'"},
        {"[\"abc", "line 1, column 6: the text ends, expected '\"'"},
        {"[\"a\x01\"]", "line 1, column 4: control character 0x01 in a string"},
        {"[\"a\xff\"]", "line 1, column 4: byte 0xff is not UTF-8"},
        {"\xff", "line 1, column 1: found byte 0xff, expected '{' or '['"},
        {"[\"\\q\"]", "line 1, column 3: not an escape of JSON"},
        {"{\"\\u0000\":1}", "line 1, column 3: a key contains a NUL"},
        {"{\"a\":1,\n\"\\u0061\":2}", "line 2, column 1: the object has the key 'a' twice"},
        {"{\"0123456789012345678901234567890123456789x\":1,"
         "\"0123456789012345678901234567890123456789x\":2}",
         "line 1, column 48: the object has the key "
         "'0123456789012345678901234567890123456789' twice"},
        {"{\"012345678901234567890123456789012345678\xd0\x81\":1,"
         "\"012345678901234567890123456789012345678\xd0\x81\":2}",
         "line 1, column 47: the object has the key "
         "'012345678901234567890123456789012345678' twice"},
        {"[1.x]", "line 1, column 4: found 'x', expected a digit"},
        {"[12", "line 1, column 4: the text ends, expected ',' or ']'"},
        {"[1e999]", "line 1, column 2: the number is too large"},
        {"[99999999999999999999]", "line 1, column 2: the integer does not fit in 64 bits"},
        {"[]\n[]", "line 2, column 1: more text follows, expected one document"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct ossa__context context;
        ossa__context_init(&context, NULL, 0);
        assert_null(ossa__document_parse(&context, table[i].json, strlen(table[i].json)));
        assert_int_equal(context.error.code, OSSA_CODE_BAD_JSON);
        assert_int_equal(strncmp(context.error.message, "JSON ", 5), 0);
        assert_string_equal(context.error.message + 5, table[i].message);
    }
}

/* ---- limits --------------------------------------------------------------------------------- */

static void depths(void **state)
{
    (void)state;
    enum { MOST = 2048 };
    char text[2 * MOST + 2];
    memset(text, '[', MOST);
    memset(text + MOST, ']', MOST);
    assert_true(compare(text, (size_t)2 * MOST));
    memset(text, '[', MOST + 1);
    memset(text + MOST + 1, ']', MOST + 1);
    assert_false(compare(text, (size_t)2 * MOST + 2));
}

/* Objects of few and of many keys; the last key is one of the others, or is not. */
static void many_keys(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 2, 23, 24, 25, 26, 3000};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (unsigned twin = 0; twin < 3; twin++) {
            char *text = malloc((size_t)counts[i] * 32 + 64);
            assert_non_null(text);
            int used = sprintf(text, "{");
            for (unsigned k = 0; k < counts[i]; k++) {
                unsigned number = k * 7919 % counts[i];
                used += sprintf(text + used, "\"%sy%u\":[%u],", k % 3 == 0 ? "ke" : "k\\u0065",
                                number, k);
            }
            const char *last = twin == 0 ? "other" : twin == 1 ? "key0" : "k\\u0065y0";
            used += sprintf(text + used, "\"%s\":1}", last);
            assert_int_equal(compare(text, (size_t)used), twin == 0);
            free(text);
        }
    }
}

/* The order in which many keys are compared puts those that begin alike apart. */
static void keys_that_begin_alike(void **state)
{
    (void)state;
    enum { KEYS = 40 };
    for (unsigned twin = 0; twin < 2; twin++) {
        char text[KEYS * (KEYS + 8) + 64];
        char letters[KEYS + 1];
        memset(letters, 'a', KEYS);
        letters[KEYS] = '\0';
        int used = sprintf(text, "{");
        for (int i = 0; i < KEYS; i++) {
            used += sprintf(text + used, "\"%.*s\":0,", i * 7 % KEYS, letters);
        }
        used += sprintf(text + used, "\"%s\":1}", twin ? "aaa" : "b");
        assert_int_equal(compare(text, (size_t)used), twin == 0);
    }
}

/* Without an exponent a number needs more than 308 digits to be too large. */
static void long_reals(void **state)
{
    (void)state;
    for (unsigned digits = 298; digits < 320; digits++) {
        for (unsigned sign = 0; sign < 2; sign++) {
            char text[400] = "[-";
            memset(text + 1 + sign, '2', digits);
            memcpy(text + 1 + sign + digits, ".5]", 4);
            assert_int_equal(compare(text, strlen(text)), digits < 309);
        }
    }
}

#if SIZE_MAX > UINT32_MAX
/* Refused before a byte of it is read. */
static void more_than_offsets_hold(void **state)
{
    (void)state;
    struct ossa__context context;
    ossa__context_init(&context, NULL, 0);
    assert_null(ossa__document_parse(&context, "[]", (size_t)UINT32_MAX + 1));
    assert_int_equal(context.error.code, OSSA_CODE_LIMIT);
}
#endif

/* Objects of `keys` long keys with escapes, for which memory is taken meanwhile. */
static char *objects_of_keys(unsigned objects, unsigned keys)
{
    enum { LENGTH = 500 };
    char *text = malloc((size_t)objects * keys * (LENGTH + 32) + 16);
    assert_non_null(text);
    char *at = text;
    *at++ = '[';
    for (unsigned i = 0; i < objects; i++) {
        *at++ = '{';
        for (unsigned k = 0; k < keys; k++) {
            at += sprintf(at, "\"\\u006b%u", k);
            memset(at, 'x', LENGTH);
            at += LENGTH;
            at += sprintf(at, "\":%u%s", k, k + 1 < keys ? "," : "}");
        }
        *at++ = i + 1 < objects ? ',' : ']';
    }
    *at = '\0';
    return text;
}

static struct ossa__document *parse_counted(struct ossa__context *context, struct memory *memory,
                                            const char *text)
{
    ossa_options options = {.allocator = counted(memory)};
    ossa__context_init(context, &options, strlen(text));
    return ossa__document_parse(context, text, strlen(text));
}

/* Without memory there is a failure, and nothing is kept. */
static void failing_allocations(void **state)
{
    (void)state;
    static const struct {
        unsigned objects;
        unsigned keys;
    } table[] = {{60, 3}, {2, 40}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        char *text = objects_of_keys(table[i].objects, table[i].keys);
        struct ossa__context context;
        struct memory memory = {.fail_from = NEVER};
        struct ossa__document *document = parse_counted(&context, &memory, text);
        assert_non_null(document);
        ossa__document_free(document);
        size_t calls = memory.calls;
        assert_true(calls > 3);
        for (size_t fail_from = 0; fail_from < calls; fail_from++) {
            memory = (struct memory){.fail_from = fail_from};
            assert_null(parse_counted(&context, &memory, text));
            assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
            assert_int_equal(memory.live_bytes, 0);
        }
        free(text);
    }
}

/* What comparing the keys of one object takes is there again for the next. */
static void memory_of_keys(void **state)
{
    (void)state;
    char *text = objects_of_keys(200, 30);
    struct ossa__context context;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__document *document = parse_counted(&context, &memory, text);
    assert_non_null(document);
    assert_true(memory.peak_bytes < strlen(text) / 4);
    ossa__document_free(document);
    free(text);
}

/* A document of numbers needs less memory than its text has bytes. */
static void memory_of_numbers(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    char *text = malloc((size_t)ROWS * 40 + 8);
    assert_non_null(text);
    int used = sprintf(text, "[");
    for (unsigned i = 0; i < ROWS; i++) {
        used += sprintf(text + used, "%s[0.%u,0.5,%u]", i > 0 ? "," : "", 1000000 + i, i);
    }
    used += sprintf(text + used, "]");
    struct memory memory = {.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&memory)};
    struct ossa__context context;
    ossa__context_init(&context, &options, (uint64_t)used);
    struct ossa__document *document = ossa__document_parse(&context, text, (size_t)used);
    assert_non_null(document);
    assert_true(memory.calls == 2 && memory.peak_bytes < (size_t)used);
    ossa__document_free(document);
    assert_int_equal(memory.live_bytes, 0);
    free(text);
}

/* The whole of building keeps to a multiple of the text: nodes, contents, bytes and result. */
static void memory_of_building(void **state)
{
    (void)state;
    enum { FRAMES = 3000, FLOATS = 195 };
    char *text = malloc((size_t)FRAMES * FLOATS * 12 + 256);
    assert_non_null(text);
    int used = sprintf(text,
                       "{\"ossa\":1,\"format\":\"mm-anim\",\"size\":0,\"data\":{\"dialect\":"
                       "\"mm1\",\"frames\":%d,\"channels\":[{\"floats_per_frame\":%d,"
                       "\"unknown\":null,\"type\":null,\"frames\":[",
                       FRAMES, FLOATS);
    for (unsigned i = 0; i < FRAMES; i++) {
        used += sprintf(text + used, i > 0 ? ",[" : "[");
        for (unsigned k = 0; k < FLOATS; k++) {
            used += sprintf(text + used, "%s0.%u", k > 0 ? "," : "", 1000000 + i * FLOATS + k);
        }
        used += sprintf(text + used, "]");
    }
    used += sprintf(text + used, "]}]}}");
    struct memory memory = {.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&memory)};
    ossa_error error;
    ossa_file *file = ossa_build(text, (size_t)used, &options, &error);
    if (file == NULL) fail_msg("%s", error.message);
    assert_true(memory.peak_bytes < (size_t)used * 2); /* 3 times with the text itself */
    ossa_file_free(file);
    assert_int_equal(memory.live_bytes, 0);
    free(text);
}

/* The "size" of a document is memory that it asks for: 32 bytes for each of its own, and a MiB. */
static void memory_that_a_document_asks_for(void **state)
{
    (void)state;
    static const unsigned sizes[] = {900000, 1000000, 2000000000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        char text[160];
        int size = sprintf(text,
                           "{\"ossa\":1,\"format\":\"ei-res\",\"size\":%u,\"data\":"
                           "{\"entries\":[],\"gaps\":[]}}",
                           sizes[i]);
        struct memory memory = {.fail_from = NEVER};
        ossa_options options = {.allocator = counted(&memory)};
        ossa_error error;
        assert_null(ossa_build(text, (size_t)size, &options, &error));
        assert_int_equal(error.code, i == 1 ? OSSA_CODE_LIMIT : OSSA_CODE_BAD_JSON);
        assert_string_equal(error.field, i == 2 ? "size" : i == 1 ? "" : "data.table_offset");
        assert_true(memory.peak_bytes <= (1 << 20) + 32 * (size_t)size);
        assert_int_equal(memory.live_bytes, 0);
    }
}

/* Memory for a large file is not taken for a document that cannot give it all, however long. */
static void sizes_that_a_document_cannot_give(void **state)
{
    (void)state;
    enum { LONG = 4 << 20 };
    char *text = malloc(LONG);
    assert_non_null(text);
    memset(text, ' ', LONG);
    for (unsigned times = 4; times < 20; times += 12) {
        int used = sprintf(text,
                           "{\"ossa\":1,\"format\":\"ei-res\",\"size\":%u,\"data\":"
                           "{\"entries\":[],\"gaps\":[]}}",
                           times * LONG);
        text[used] = ' ';
        struct memory memory = {.fail_from = NEVER};
        ossa_options options = {.allocator = counted(&memory)};
        ossa_error error;
        assert_null(ossa_build(text, LONG, &options, &error));
        assert_string_equal(error.field, times == 4 ? "data.table_offset" : "size");
        if (times > 4) assert_true(memory.peak_bytes < 1 << 20);
        assert_int_equal(memory.live_bytes, 0);
    }
    free(text);
}

TEST_GROUP(test_core_document)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_like_jansson),
        cmocka_unit_test(refusals_like_jansson),
        cmocka_unit_test(nuls_are_refused),
        cmocka_unit_test(changed_samples_like_jansson),
        cmocka_unit_test(places_of_refusals),
        cmocka_unit_test(depths),
        cmocka_unit_test(many_keys),
        cmocka_unit_test(keys_that_begin_alike),
        cmocka_unit_test(long_reals),
#if SIZE_MAX > UINT32_MAX
        cmocka_unit_test(more_than_offsets_hold),
#endif
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(memory_of_keys),
        cmocka_unit_test(memory_of_numbers),
        cmocka_unit_test(memory_of_building),
        cmocka_unit_test(memory_that_a_document_asks_for),
        cmocka_unit_test(sizes_that_a_document_cannot_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
