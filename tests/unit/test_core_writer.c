/* SPDX-License-Identifier: MIT
 *
 * Little-endian fields into a sink. */
#include "test_core.h"

#include "codec/writer.h"

/* A writer into a sink that fails at a given call. */
struct setup {
    struct ossa__context context;
    struct sink sink;
    struct ossa__writer writer;
};

static void start(struct setup *s, size_t fail_at)
{
    ossa__context_init(&s->context, NULL, 0);
    s->sink = (struct sink){.fail_at = fail_at};
    ossa__writer_init(&s->writer, &s->context, failing(&s->sink));
}

static void fields_are_little_endian(void **state)
{
    (void)state;
    const int16_t halves[2] = {-2, 0x1234};
    const float floats[2] = {1.0F, -2.5F};
    const uint8_t expected[] = {0xfe, 0x34, 0x12, 0x78, 0x56, 0x34, 0x92, 0x00, 0x00,
                                0x80, 0x3f, 'a',  'b',  0xfe, 0xff, 0x34, 0x12, 0x00,
                                0x00, 0x80, 0x3f, 0x00, 0x00, 0x20, 0xc0};
    struct setup s;
    start(&s, NEVER);
    ossa__write_u8(&s.writer, 0xfe);
    ossa__write_u16(&s.writer, 0x1234);
    ossa__write_u32(&s.writer, 0x92345678);
    ossa__write_f32(&s.writer, 1.0F);
    ossa__write_bytes(&s.writer, "ab", 2);
    ossa__write_bytes(&s.writer, NULL, 0);
    ossa__write_scalars(&s.writer, halves, 2, 2);
    ossa__write_scalars(&s.writer, floats, 2, 4);
    ossa__write_scalars(&s.writer, NULL, 0, 4);
    assert_int_equal(s.sink.calls, 0); /* small fields are gathered */
    assert_true(ossa__writer_finish(&s.writer));
    assert_int_equal(s.sink.calls, 1);
    assert_int_equal(s.sink.buffer.size, sizeof expected);
    assert_memory_equal(s.sink.buffer.data, expected, sizeof expected);
    assert_true(ossa__writer_finish(&s.writer)); /* nothing is written twice */
    assert_int_equal(s.sink.buffer.size, sizeof expected);
    ossa_buffer_free(&s.sink.buffer);
}

static void nothing_written_is_nothing_sent(void **state)
{
    (void)state;
    struct setup s;
    start(&s, 0);
    assert_true(ossa__writer_finish(&s.writer));
    assert_int_equal(s.sink.calls, 0);
}

enum { BUFFER = sizeof((struct ossa__writer *)0)->buffer };

/* Pieces of all sizes around the buffer's own, against plain concatenation. Those that are short
 * are sometimes written as text. */
static void pieces_come_out_in_order(void **state)
{
    (void)state;
    enum { SIZE = 100 * BUFFER };
    uint8_t *model = malloc(SIZE);
    assert_non_null(model);
    uint64_t seed = 4;
    for (size_t i = 0; i < SIZE; i++) model[i] = (uint8_t)random_u32(&seed);
    struct setup s;
    start(&s, NEVER);
    for (size_t used = 0; used < SIZE;) {
        static const size_t around[] = {1,          3,      500,        OSSA__ROOM,
                                        BUFFER - 1, BUFFER, BUFFER + 1, 3 * BUFFER};
        size_t size = around[random_below(&seed, COUNT_OF(around))];
        if (size > SIZE - used) size = SIZE - used;
        if (size <= OSSA__ROOM && random_below(&seed, 2) == 0) {
            char *at = ossa__write_begin(&s.writer);
            memcpy(at, model + used, size);
            ossa__write_end(&s.writer, at + size);
        } else {
            ossa__write_bytes(&s.writer, model + used, size);
        }
        used += size;
    }
    assert_true(ossa__writer_finish(&s.writer));
    assert_int_equal(s.sink.buffer.size, SIZE);
    assert_memory_equal(s.sink.buffer.data, model, SIZE);
    ossa_buffer_free(&s.sink.buffer);
    free(model);
}

static void write_some(struct ossa__writer *writer)
{
    static const uint8_t large[2 * BUFFER];
    for (unsigned i = 0; i < BUFFER / 2; i++) ossa__write_u32(writer, i);
    ossa__write_bytes(writer, large, sizeof large);
    ossa__write_u8(writer, 1);
}

static void a_refusal_sticks(void **state)
{
    (void)state;
    struct setup s;
    start(&s, NEVER);
    write_some(&s.writer);
    assert_true(ossa__writer_finish(&s.writer));
    size_t calls = s.sink.calls;
    assert_true(calls >= 4);
    ossa_buffer_free(&s.sink.buffer);
    for (size_t fail_at = 0; fail_at < calls; fail_at++) {
        start(&s, fail_at);
        write_some(&s.writer);
        assert_false(ossa__writer_finish(&s.writer));
        assert_int_equal(s.context.error.code, OSSA_CODE_IO);
        assert_int_equal(s.sink.calls, fail_at + 1); /* it is not asked again */
        ossa_buffer_free(&s.sink.buffer);
    }
}

static void nothing_is_sent_after_a_failure(void **state)
{
    (void)state;
    struct setup s;
    start(&s, NEVER);
    ossa__write_u32(&s.writer, 1);
    ossa__fail_nowhere(&s.context, OSSA_CODE_LIMIT, "", "too long");
    write_some(&s.writer);
    assert_false(ossa__writer_finish(&s.writer));
    assert_int_equal(s.sink.calls, 0);
    assert_int_equal(s.context.error.code, OSSA_CODE_LIMIT);
}

TEST_GROUP(test_core_writer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_little_endian),
        cmocka_unit_test(nothing_written_is_nothing_sent),
        cmocka_unit_test(pieces_come_out_in_order),
        cmocka_unit_test(a_refusal_sticks),
        cmocka_unit_test(nothing_is_sent_after_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
