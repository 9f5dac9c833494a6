/* SPDX-License-Identifier: MIT
 *
 * The cursor that cannot leave its window. */
#include "test_core.h"

#include "codec/reader.h"

#include <math.h>

/* A context and a reader over bytes. */
struct setup {
    struct memory memory;
    struct ossa__context context;
    struct ossa__reader reader;
};

static void start(struct setup *setup, const void *data, uint64_t size)
{
    setup->memory = (struct memory){.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&setup->memory)};
    ossa__context_init(&setup->context, &options, size);
    setup->context.format = "test";
    ossa__reader_init(&setup->reader, &setup->context, data, size);
}

static void stop(struct setup *setup)
{
    ossa__arena_free(&setup->context.arena);
    assert_int_equal(setup->memory.live_blocks, 0);
}

static void assert_failure(const struct setup *setup, ossa_code code, uint64_t offset,
                           const char *field)
{
    assert_true(setup->context.failed);
    assert_int_equal(setup->context.error.code, code);
    assert_true(setup->context.error.has_offset);
    assert_int_equal(setup->context.error.offset, offset);
    assert_string_equal(setup->context.error.field, field);
}

static void scalars_are_little_endian(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0xfe, 0x34, 0x12, 0xfe, 0xff, 0x78, 0x56, 0x34, 0x92,
                             0x00, 0x00, 0x20, 0xc0, 0x01, 0x00, 0xc0, 0xff};
    struct setup s;
    start(&s, bytes, sizeof bytes);
    assert_int_equal(ossa__left(&s.reader), sizeof bytes);
    assert_int_equal(ossa__read_u8(&s.reader, "a"), 0xfe);
    assert_int_equal(ossa__read_u16(&s.reader, "b"), 0x1234);
    assert_int_equal(ossa__read_i16(&s.reader, "c"), -2);
    assert_int_equal(ossa__read_u32(&s.reader, "d"), 0x92345678);
    assert_true(ossa__read_f32(&s.reader, "e") == -2.5F);
    float nan = ossa__read_f32(&s.reader, "f");
    assert_int_equal(ossa__bits_from_f32(nan), 0xffc00001); /* a NaN keeps its bits */
    assert_int_equal(ossa__left(&s.reader), 0);
    assert_false(s.context.failed);
    stop(&s);
}

static void reading_past_the_end_sticks(void **state)
{
    (void)state;
    const uint8_t bytes[] = {1, 2, 3, 4, 5};
    struct setup s;
    start(&s, bytes, sizeof bytes);
    (void)ossa__read_u16(&s.reader, "first");
    assert_int_equal(ossa__read_u32(&s.reader, "second"), 0);
    assert_failure(&s, OSSA_CODE_TRUNCATED, 2, "second");
    assert_string_equal(s.context.error.message, "needs 4 bytes, 3 left");
    /* The bytes are there, but nothing is read after a failure. */
    assert_int_equal(ossa__read_u8(&s.reader, "third"), 0);
    assert_int_equal(ossa__read_u16(&s.reader, "third"), 0);
    assert_int_equal(ossa__read_i16(&s.reader, "third"), 0);
    assert_true(ossa__read_f32(&s.reader, "third") == 0.0F);
    assert_int_equal(ossa__read_count(&s.reader, "third", 1), 0);
    assert_null(ossa__read_bytes(&s.reader, "third", OSSA_FIELD_TYPE_TEXT, 1));
    assert_null(ossa__read_array(&s.reader, "third", &ossa__shape_u8, 0, 0));
    int16_t element[3] = {1, 2, 3};
    static const struct ossa__shape triple = {OSSA_FIELD_TYPE_I16, 3, {NULL}};
    ossa__read_element(&s.reader, "third", &triple, element);
    assert_true(element[0] == 0 && element[1] == 0 && element[2] == 0);
    size_t tail = 9;
    assert_null(ossa__read_tail(&s.reader, &tail));
    assert_int_equal(tail, 0);
    assert_int_equal(s.context.error_count, 0);
    assert_failure(&s, OSSA_CODE_TRUNCATED, 2, "second");
    stop(&s);
}

/* A count and `left` bytes behind it. */
static uint32_t count_with(struct setup *s, uint32_t count, uint64_t left, uint64_t stride)
{
    static uint8_t bytes[64];
    memset(bytes, 0, sizeof bytes);
    for (unsigned i = 0; i < 4; i++) bytes[2 + i] = (uint8_t)(count >> 8 * i);
    start(s, bytes, 6 + left);
    (void)ossa__read_u16(&s->reader, "before");
    return ossa__read_count(&s->reader, "count", stride);
}

static void counts_must_fit(void **state)
{
    (void)state;
    struct setup s;
    assert_int_equal(count_with(&s, 3, 24, 8), 3);
    assert_false(s.context.failed);
    assert_int_equal(count_with(&s, 3, 23, 8), 0);
    assert_failure(&s, OSSA_CODE_BAD_COUNT, 2, "count");
    assert_string_equal(s.context.error.message,
                        "3 items of at least 8 bytes cannot fit in the 23 bytes left");
    assert_int_equal(count_with(&s, UINT32_MAX, 24, UINT64_MAX), 0);
    assert_failure(&s, OSSA_CODE_BAD_COUNT, 2, "count");
    assert_int_equal(count_with(&s, UINT32_MAX, 24, 1), 0);
    assert_failure(&s, OSSA_CODE_BAD_COUNT, 2, "count");
    assert_int_equal(count_with(&s, 0, 0, 8), 0);
    assert_false(s.context.failed);
    assert_int_equal(s.memory.calls, 0); /* a refused count costs nothing */
}

static void arrays_stay_where_they_are(void **state)
{
    (void)state;
    skip_unless_little_endian();
    const uint32_t words[4] = {1, 2, 3, 4};
    struct setup s;
    start(&s, words, sizeof words);
    const uint32_t *first = ossa__read_array(&s.reader, "a", &ossa__shape_u32, 2, 0);
    const uint32_t *second = ossa__read_array(&s.reader, "b", &ossa__shape_u32, 2, 0);
    assert_ptr_equal(first, words);
    assert_ptr_equal(second, words + 2);
    assert_true(ossa__is_borrowed(&s.reader, first));
    assert_true(ossa__is_borrowed(&s.reader, second));
    assert_int_equal(s.memory.calls, 0);
    const void *none = ossa__read_array(&s.reader, "c", &ossa__shape_vec3, 0, 0);
    assert_non_null(none);
    assert_true(ossa__is_borrowed(&s.reader, none));
    assert_false(s.context.failed);
    stop(&s);
}

/* With options.copy the bytes are the result's own: nothing is borrowed from the caller. */
static void copies_are_not_borrowed(void **state)
{
    (void)state;
    const uint32_t words[2] = {1, 2};
    struct setup s;
    start(&s, words, sizeof words);
    s.context.options.copy = true;
    assert_false(ossa__is_borrowed(&s.reader, words));
    stop(&s);
}

static void crooked_arrays_are_copied(void **state)
{
    (void)state;
    enum { WORDS = 20 };
    _Alignas(8) uint8_t bytes[1 + 4 * WORDS + 6];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)i;
    struct setup s;
    start(&s, bytes, sizeof bytes);
    (void)ossa__read_u8(&s.reader, "shift");
    const uint32_t *words = ossa__read_array(&s.reader, "words", &ossa__shape_u32, WORDS, 0);
    const int16_t *halves = ossa__read_array(&s.reader, "halves", &ossa__shape_i16, 3, 0);
    assert_false(ossa__is_borrowed(&s.reader, words));
    assert_int_equal((uintptr_t)words % 4, 0);
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t b = 1 + 4 * i;
        assert_int_equal(words[i], b | (b + 1) << 8 | (b + 2) << 16 | (b + 3) << 24);
    }
    assert_int_equal(halves[2], (1 + 4 * WORDS + 4) | (1 + 4 * WORDS + 5) << 8);
    stop(&s);
    /* Bytes have no alignment to miss. */
    start(&s, bytes, sizeof bytes);
    (void)ossa__read_u8(&s.reader, "shift");
    assert_ptr_equal(ossa__read_array(&s.reader, "bytes", &ossa__shape_u8, 5, 0), bytes + 1);
    stop(&s);
}

static void crooked_arrays_need_memory(void **state)
{
    (void)state;
    _Alignas(8) uint8_t bytes[9] = {0};
    struct setup s;
    start(&s, bytes, sizeof bytes);
    s.memory.fail_from = 0;
    (void)ossa__read_u8(&s.reader, "shift");
    assert_null(ossa__read_array(&s.reader, "words", &ossa__shape_u32, 2, 0));
    assert_int_equal(s.context.error.code, OSSA_CODE_OUT_OF_MEMORY);
}

static void arrays_that_do_not_fit(void **state)
{
    (void)state;
    const uint32_t words[4] = {1, 2, 3, 4};
    const uint64_t counts[] = {5, UINT32_MAX, UINT64_MAX / 4, UINT64_MAX / 4 + 2, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct setup s;
        start(&s, words, sizeof words);
        assert_null(ossa__read_array(&s.reader, "a", &ossa__shape_u32, counts[i], 0));
        assert_failure(&s, OSSA_CODE_TRUNCATED, 0, "a");
        assert_int_equal(s.memory.calls, 0);
    }
}

static void elements_are_copied_out(void **state)
{
    (void)state;
    const uint8_t bytes[] = {9, 1, 0, 0xff, 0xff, 0x00, 0x80};
    static const struct ossa__shape xyz = {OSSA_FIELD_TYPE_I16, 3, {"x", "y", "z"}};
    struct setup s;
    int16_t out[4] = {7, 7, 7, 7};
    start(&s, bytes, sizeof bytes);
    (void)ossa__read_u8(&s.reader, "shift");
    ossa__read_element(&s.reader, "rotation", &xyz, out);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], -1);
    assert_int_equal(out[2], INT16_MIN);
    assert_int_equal(out[3], 7);
    stop(&s);
}

static void windows_count_from_their_start(void **state)
{
    (void)state;
    uint8_t bytes[20];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)i;
    struct setup s;
    start(&s, bytes, sizeof bytes);
    struct ossa__reader outer = ossa__reader_window(&s.reader, 4, 10, "offset", 1);
    struct ossa__reader inner = ossa__reader_window(&outer, 3, 2, "offset", 1);
    assert_int_equal(ossa__left(&outer), 10);
    assert_int_equal(inner.begin, 7);
    assert_int_equal(ossa__read_u8(&inner, "a"), 7); /* offsets stay those of the file */
    assert_int_equal(ossa__read_u8(&inner, "b"), 8);
    assert_int_equal(ossa__read_u8(&inner, "c"), 0); /* the next byte is not in the window */
    assert_failure(&s, OSSA_CODE_TRUNCATED, 9, "c");
    start(&s, bytes, sizeof bytes);
    struct ossa__reader whole = ossa__reader_window(&s.reader, 0, 20, "offset", 1);
    struct ossa__reader nothing = ossa__reader_window(&s.reader, 20, 0, "offset", 1);
    assert_int_equal(ossa__left(&whole), 20);
    assert_int_equal(ossa__left(&nothing), 0);
    assert_false(s.context.failed);
}

static void windows_outside_are_refused(void **state)
{
    (void)state;
    const uint8_t bytes[20] = {0};
    const uint64_t places[][2] = {{21, 0},         {0, 11},         {10, 1},
                                  {UINT64_MAX, 2}, {2, UINT64_MAX}, {11, 0},
                                  {9, 2},          {UINT64_MAX, 0}, {5, UINT64_MAX - 4}};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct setup s;
        start(&s, bytes, sizeof bytes);
        struct ossa__reader outer = ossa__reader_window(&s.reader, 4, 10, "outer", 1);
        struct ossa__reader window =
            ossa__reader_window(&outer, places[i][0], places[i][1], "offset", 77);
        assert_failure(&s, OSSA_CODE_BAD_OFFSET, 77, "offset");
        assert_int_equal(ossa__left(&window), 0);
    }
}

static void bytes_and_tails(void **state)
{
    (void)state;
    const uint8_t bytes[] = {'a', 'b', 'c', 1, 2};
    struct setup s;
    size_t size = 9;
    start(&s, bytes, sizeof bytes);
    assert_ptr_equal(ossa__read_bytes(&s.reader, "name", OSSA_FIELD_TYPE_TEXT, 3), bytes);
    assert_ptr_equal(ossa__read_tail(&s.reader, &size), bytes + 3);
    assert_int_equal(size, 2);
    assert_int_equal(s.context.error_count, 1);
    const ossa_issue *issue = ossa__issue_array(&s.context);
    assert_int_equal(issue->code, OSSA_CODE_TRAILING_BYTES);
    assert_int_equal(issue->severity, OSSA_SEVERITY_ERROR);
    assert_int_equal(issue->offset, 3);
    assert_string_equal(issue->field, "tail");
    (void)ossa__read_tail(&s.reader, &size); /* now there is none, and nothing to report */
    assert_int_equal(size, 0);
    assert_int_equal(s.context.error_count, 1);
    assert_false(s.context.failed);
    stop(&s);
}

static void peeking_outside_gives_zero(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff, 0x81, 0x82, 0x83, 0x84};
    assert_int_equal(ossa__peek_u16(bytes, 8, 6), 0x8483);
    assert_int_equal(ossa__peek_u16(bytes, 8, 7), 0);
    assert_int_equal(ossa__peek_u16(bytes, 1, 0), 0);
    assert_int_equal(ossa__peek_u16(bytes, 8, UINT64_MAX), 0);
    assert_int_equal(ossa__peek_u32(bytes, 8, 4), 0x84838281);
    assert_int_equal(ossa__peek_u32(bytes, 8, 5), 0);
    assert_int_equal(ossa__peek_u32(bytes, 3, 0), 0);
    assert_int_equal(ossa__peek_u32(bytes, 8, UINT64_MAX - 1), 0);
    assert_int_equal(ossa__peek_u32(NULL, 0, 0), 0);
    assert_true(isnan(ossa__peek_f32(bytes, 8, 0)));
    assert_true(ossa__peek_f32(bytes, 8, 6) == 0.0F);
}

static void float_bits_go_both_ways(void **state)
{
    (void)state;
    const uint32_t bits[] = {0, 0x80000000, 0x3f800000, 0x7f800000, 0x7fc00000, 0xffffffff, 1};
    for (size_t i = 0; i < COUNT_OF(bits); i++)
        assert_int_equal(ossa__bits_from_f32(ossa__f32_from_bits(bits[i])), bits[i]);
    assert_true(ossa__f32_from_bits(0x3f800000) == 1.0F);
}

TEST_GROUP(test_core_reader)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_little_endian),
        cmocka_unit_test(reading_past_the_end_sticks),
        cmocka_unit_test(counts_must_fit),
        cmocka_unit_test(arrays_stay_where_they_are),
        cmocka_unit_test(copies_are_not_borrowed),
        cmocka_unit_test(crooked_arrays_are_copied),
        cmocka_unit_test(crooked_arrays_need_memory),
        cmocka_unit_test(arrays_that_do_not_fit),
        cmocka_unit_test(elements_are_copied_out),
        cmocka_unit_test(windows_count_from_their_start),
        cmocka_unit_test(windows_outside_are_refused),
        cmocka_unit_test(bytes_and_tails),
        cmocka_unit_test(peeking_outside_gives_zero),
        cmocka_unit_test(float_bits_go_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
