/* SPDX-License-Identifier: MIT
 *
 * A file put together from pieces. */
#include "test_core.h"

#include "codec/image.h"

/* An image of 16 bytes, and a document to blame. */
struct setup {
    struct ossa__context context;
    struct ossa__document *document;
    struct ossa__value root;
    struct ossa__value where;
    struct ossa__image image;
};

enum { SIZE = 16 };

static void start(struct setup *s)
{
    const char *json = "{\"bones\":[]}";
    ossa__context_init(&s->context, NULL, SIZE);
    s->document = ossa__document_parse(&s->context, json, strlen(json));
    s->root = ossa__document_root(&s->context, s->document);
    s->where = ossa__value_member(&s->root, "bones");
    assert_true(ossa__image_init(&s->image, &s->context, SIZE));
}

static void start_again(struct setup *s)
{
    assert_true(ossa__image_init(&s->image, &s->context, SIZE));
}

static void stop(struct setup *s)
{
    ossa__document_free(s->document);
    ossa__arena_free(&s->context.scratch);
    ossa__arena_free(&s->context.arena);
}

static void stop_bad(struct setup *s, const char *message)
{
    assert_true(s->context.failed);
    assert_int_equal(s->context.error.code, OSSA_CODE_BAD_JSON);
    assert_string_equal(s->context.error.field, "bones");
    assert_string_equal(s->context.error.message, message);
    stop(s);
}

static void pieces_in_any_order(void **state)
{
    (void)state;
    struct setup s;
    start(&s);
    ossa__image_put_u32(&s.image, 12, 0x44434241, &s.where);
    ossa__image_put(&s.image, 0, (const uint8_t *)"0123456789", 10, &s.where);
    ossa__image_put_u16(&s.image, 10, 0x5958, &s.where);
    ossa__image_put(&s.image, 16, NULL, 0, &s.where); /* nothing, at the very end */
    assert_memory_equal(s.image.bytes, "0123456789XYABCD", SIZE);
    start_again(&s);
    for (size_t i = 0; i < SIZE; i++)
        ossa__image_put(&s.image, i, (const uint8_t *)"0123456789XYABCD" + i, 1, &s.where);
    ossa__image_finish(&s.image, &s.where);
    assert_false(s.context.failed);
    assert_memory_equal(s.image.bytes, "0123456789XYABCD", SIZE);
    stop(&s);
}

static void the_same_bytes_twice(void **state)
{
    (void)state;
    struct setup s;
    start(&s);
    ossa__image_put(&s.image, 0, (const uint8_t *)"0123456789abcdef", SIZE, &s.where);
    ossa__image_put(&s.image, 4, (const uint8_t *)"456", 3, &s.where);
    ossa__image_finish(&s.image, &s.where);
    assert_false(s.context.failed);
    stop(&s);
}

/* A piece that is half new is good where the old half agrees. */
static void half_shared_pieces(void **state)
{
    (void)state;
    struct setup s;
    start(&s);
    ossa__image_put(&s.image, 4, (const uint8_t *)"456", 3, &s.where);
    ossa__image_put(&s.image, 2, (const uint8_t *)"23456789", 8, &s.where);
    assert_false(s.context.failed);
    assert_memory_equal(s.image.bytes, "\0\00023456789", 10);
    ossa__image_put(&s.image, 0, (const uint8_t *)"01x", 3, &s.where);
    stop_bad(&s, "differs from another field at 0x2");
}

/* A byte that was never given may be anything, even where it reads as 0 until then. */
static void zeros_that_nobody_gave(void **state)
{
    (void)state;
    struct setup s;
    start(&s);
    ossa__image_put(&s.image, 4, (const uint8_t *)"\0\0", 2, &s.where);
    ossa__image_put(&s.image, 3, (const uint8_t *)"a\0\0b", 4, &s.where);
    assert_false(s.context.failed);
    ossa__image_put(&s.image, 3, (const uint8_t *)"a\0c", 3, &s.where);
    stop_bad(&s, "differs from another field at 0x5");
}

static void pieces_outside(void **state)
{
    (void)state;
    static const struct {
        uint64_t offset;
        uint64_t size;
        const char *message;
    } table[] = {
        {16, 1, "would be at 0x10, past the end of the file (0x10)"},
        {15, 2, "would be at 0xf, past the end of the file (0x10)"},
        {17, 0, "would be at 0x11, past the end of the file (0x10)"},
        {UINT64_MAX, 2, "would be at 0xffffffffffffffff, past the end of the file (0x10)"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct setup s;
        start(&s);
        ossa__image_put(&s.image, table[i].offset, (const uint8_t *)"ab", table[i].size, &s.where);
        stop_bad(&s, table[i].message);
    }
}

static void bytes_that_nothing_gives(void **state)
{
    (void)state;
    struct setup s;
    start(&s);
    ossa__image_put(&s.image, 0, (const uint8_t *)"0123", 4, &s.where);
    ossa__image_put(&s.image, 7, (const uint8_t *)"789abcdef", 9, &s.where);
    ossa__image_finish(&s.image, &s.where);
    stop_bad(&s, "no field and no gap covers the 3 bytes at 0x4");
}

static void the_first_refusal_sticks(void **state)
{
    (void)state;
    struct setup s;
    start(&s);
    ossa__image_put(&s.image, 20, (const uint8_t *)"a", 1, &s.where);
    ossa__image_put(&s.image, 0, (const uint8_t *)"a", 1, &s.where);
    assert_int_equal(s.image.bytes[0], 0);
    ossa__image_finish(&s.image, &s.where);
    stop_bad(&s, "would be at 0x14, past the end of the file (0x10)");
}

/* A size in a document is no reason to take gigabytes. */
static void hostile_sizes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {UINT64_C(1) << 32, INT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct memory memory = {.fail_from = NEVER};
        ossa_options options = {.allocator = counted(&memory)};
        struct ossa__context context;
        struct ossa__image image;
        ossa__context_init(&context, &options, 100);
        assert_false(ossa__image_init(&image, &context, sizes[i]));
        assert_true(context.failed);
        assert_int_equal(memory.calls, 0);
    }
}

/* ---- gaps ---------------------------------------------------------------------------------- */

static void gaps_go_out_and_in(void **state)
{
    (void)state;
    static const uint8_t bytes[SIZE + 1] = "0123456789abcdef";
    struct setup s;
    start(&s);
    struct ossa__coverage coverage;
    assert_true(ossa__coverage_init(&coverage, &s.context, SIZE));
    ossa__coverage_mark(&coverage, 3, 4);
    ossa__coverage_mark(&coverage, 9, 7);
    size_t count = 0;
    const ossa_gap *gaps = ossa__gaps_of(&s.context, &coverage, &count);
    assert_int_equal(count, 2);
    assert_true(gaps[0].offset == 0 && gaps[0].size == 3);
    assert_true(gaps[1].offset == 7 && gaps[1].size == 2);
    ossa_buffer buffer = {0};
    struct ossa__json json;
    ossa__json_start(&json, ossa_buffer_sink(&buffer), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__gaps_dump(&json, gaps, count, bytes);
    ossa__json_end_object(&json);
    assert_true(ossa__json_finish(&json));
    assert_string_equal(text_of(&buffer), "{\"gaps\":[{\"offset\":0,\"bytes\":\"303132\"},"
                                          "{\"offset\":7,\"bytes\":\"3738\"}]}");
    struct ossa__document *document =
        ossa__document_parse(&s.context, (const char *)buffer.data, buffer.size);
    struct ossa__value data = ossa__document_root(&s.context, document);
    ossa__image_put_gaps(&s.image, &data);
    ossa__image_put(&s.image, 3, bytes + 3, 4, &s.where);
    ossa__image_put(&s.image, 9, bytes + 9, 7, &s.where);
    ossa__image_finish(&s.image, &s.where);
    assert_false(s.context.failed);
    assert_memory_equal(s.image.bytes, bytes, SIZE);
    ossa__document_free(document);
    ossa_buffer_free(&buffer);
    stop(&s);
}

static void gaps_outside_are_refused(void **state)
{
    (void)state;
    const char *json = "{\"gaps\":[{\"offset\":15,\"bytes\":\"0001\"}]}";
    struct setup s;
    start(&s);
    struct ossa__document *document = ossa__document_parse(&s.context, json, strlen(json));
    struct ossa__value data = ossa__document_root(&s.context, document);
    ossa__image_put_gaps(&s.image, &data);
    assert_int_equal(s.context.error.code, OSSA_CODE_BAD_JSON);
    assert_string_equal(s.context.error.field, "gaps[0].bytes");
    ossa__document_free(document);
    stop(&s);
}

/* ---- patches ------------------------------------------------------------------------------- */

/* Only what differs from the bytes that were read is put into the copy: a value that was not
 * changed does not undo one that was. */
static void patches_put_changes_only(void **state)
{
    (void)state;
    const uint8_t bytes[8] = {1, 0, 2, 0, 3, 0, 4, 0};
    uint8_t copy[8] = {1, 0, 9, 9, 3, 0, 4, 0}; /* the second one is already another */
    const int16_t values[3] = {1, 2, -1};
    assert_true(ossa__patch(copy, bytes, sizeof bytes, 0, values, 3, 2));
    const uint8_t expected[8] = {1, 0, 9, 9, 0xff, 0xff, 4, 0};
    assert_memory_equal(copy, expected, sizeof expected);
}

static void patches_stay_inside(void **state)
{
    (void)state;
    const uint8_t bytes[8] = {0};
    uint8_t copy[8] = {0};
    const uint32_t values[3] = {1, 2, 3};
    assert_true(ossa__patch(copy, bytes, 8, 8, values, 0, 4));
    assert_false(ossa__patch(copy, bytes, 8, 9, values, 0, 4));
    assert_false(ossa__patch(copy, bytes, 8, 5, values, 1, 4));
    assert_false(ossa__patch(copy, bytes, 8, 0, values, 3, 4));
    assert_false(ossa__patch(copy, bytes, 8, 0, values, UINT64_MAX / 2, 4));
    assert_false(ossa__patch(copy, bytes, 8, UINT64_MAX, values, 1, 4));
    assert_memory_equal(copy, bytes, 8); /* nothing was put */
    assert_true(ossa__patch(copy, bytes, 8, 4, values, 1, 4));
    assert_int_equal(copy[4], 1);
}

TEST_GROUP(test_core_image)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_in_any_order),      cmocka_unit_test(the_same_bytes_twice),
        cmocka_unit_test(half_shared_pieces),       cmocka_unit_test(zeros_that_nobody_gave),
        cmocka_unit_test(pieces_outside),           cmocka_unit_test(bytes_that_nothing_gives),
        cmocka_unit_test(the_first_refusal_sticks), cmocka_unit_test(hostile_sizes),
        cmocka_unit_test(gaps_go_out_and_in),       cmocka_unit_test(gaps_outside_are_refused),
        cmocka_unit_test(patches_put_changes_only), cmocka_unit_test(patches_stay_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
