/* SPDX-License-Identifier: MIT
 *
 * What a listener is told of a file's fields. */
#include "test_core.h"

#include "codec/reader.h"

#include <inttypes.h>
#include <stdio.h>

/* A file under way, and what was told of it: a line a field, "OFFSET SIZE TYPE PATH". */
struct setup {
    struct memory memory;
    struct ossa__context context;
    struct ossa__trace trace;
    struct ossa__reader reader;
    const uint8_t *data;
    ossa_buffer told;
};

static void on_field(void *user, const ossa_field *field)
{
    struct setup *s = user;
    char line[OSSA_FIELD_CAPACITY + 64];
    assert_ptr_equal(field->bytes, s->data + field->offset);
    int n = snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %s %s\n", field->offset,
                     field->size, ossa_field_type_name(field->type), field->path);
    ossa_sink sink = ossa_buffer_sink(&s->told);
    assert_true(sink.write(sink.user, line, (size_t)n));
}

static void start(struct setup *s, const void *data, uint64_t size, bool scattered)
{
    memset(s, 0, sizeof *s);
    s->memory.fail_from = NEVER;
    s->data = data;
    ossa_options options = {.allocator = counted(&s->memory),
                            .max_memory = UINT64_MAX,
                            .on_field = on_field,
                            .user = s};
    ossa__context_init(&s->context, &options, size);
    ossa__reader_init(&s->reader, &s->context, data, size);
    ossa__trace_start(&s->context, &s->trace, data, size, scattered);
}

static void finish(struct setup *s, const char *expected)
{
    ossa__trace_finish(&s->context);
    assert_string_equal(text_of(&s->told), expected);
    ossa_buffer_free(&s->told);
    ossa__arena_free(&s->context.arena);
    assert_int_equal(s->memory.live_blocks, 0);
}

static void shapes_have_sizes(void **state)
{
    (void)state;
    assert_int_equal(ossa__shape_size(&ossa__shape_u8), 1);
    assert_int_equal(ossa__shape_size(&ossa__shape_u16), 2);
    assert_int_equal(ossa__shape_size(&ossa__shape_i16), 2);
    assert_int_equal(ossa__shape_size(&ossa__shape_u32), 4);
    assert_int_equal(ossa__shape_size(&ossa__shape_f32), 4);
    assert_int_equal(ossa__shape_size(&ossa__shape_vec3), 12);
    assert_int_equal(ossa__type_size(OSSA_FIELD_TYPE_I32), 4);
    assert_int_equal(ossa__type_size(OSSA_FIELD_TYPE_TEXT_1251), 1);
    assert_int_equal(ossa__type_size(OSSA_FIELD_TYPE_UNKNOWN), 1);
}

static void every_kind_of_read_is_told(void **state)
{
    (void)state;
    static const struct ossa__shape triple = {OSSA_FIELD_TYPE_I16, 3, {NULL}};
    _Alignas(4) const uint8_t bytes[64] = {0};
    struct setup s;
    start(&s, bytes, 59, false);
    int16_t out[3];
    (void)ossa__read_u32(&s.reader, "count");
    ossa__enter(&s.context, "links", 3);
    (void)ossa__read_u16(&s.reader, "a");
    (void)ossa__read_i16(&s.reader, "b");
    ossa__read_element(&s.reader, "rotation", &triple, out);
    ossa__leave(&s.context);
    (void)ossa__read_array(&s.reader, "v", &ossa__shape_vec3, 2, 0);
    (void)ossa__read_array(&s.reader, "keys", &triple, 1, 0);
    (void)ossa__read_array(&s.reader, "grid", &ossa__shape_u8, 4, 2);
    (void)ossa__read_array(&s.reader, "nothing", &ossa__shape_u8, 0, 0);
    (void)ossa__read_bytes(&s.reader, "name", OSSA_FIELD_TYPE_TEXT_1251, 3);
    (void)ossa__read_bytes(&s.reader, "empty", OSSA_FIELD_TYPE_TEXT, 0);
    (void)ossa__read_f32(&s.reader, "f");
    (void)ossa__read_u8(&s.reader, "g");
    size_t tail;
    (void)ossa__read_tail(&s.reader, &tail);
    finish(&s, "0 4 u32 count\n"
               "4 2 u16 links[3].a\n"
               "6 2 i16 links[3].b\n"
               "8 2 i16 links[3].rotation[0]\n"
               "10 2 i16 links[3].rotation[1]\n"
               "12 2 i16 links[3].rotation[2]\n"
               "14 4 f32 v[0].x\n"
               "18 4 f32 v[0].y\n"
               "22 4 f32 v[0].z\n"
               "26 4 f32 v[1].x\n"
               "30 4 f32 v[1].y\n"
               "34 4 f32 v[1].z\n"
               "38 2 i16 keys[0][0]\n"
               "40 2 i16 keys[0][1]\n"
               "42 2 i16 keys[0][2]\n"
               "44 1 u8 grid[0][0]\n"
               "45 1 u8 grid[0][1]\n"
               "46 1 u8 grid[1][0]\n"
               "47 1 u8 grid[1][1]\n"
               "48 3 char name\n"
               "51 4 f32 f\n"
               "55 1 u8 g\n"
               "56 3 unknown tail\n");
}

static void what_is_passed_over_is_told_too(void **state)
{
    (void)state;
    const uint8_t bytes[12] = {1, 0, 0, 0, 2, 0, 9, 0, 3};
    struct setup s;
    start(&s, bytes, 12, false);
    (void)ossa__read_u8(&s.reader, "a");
    s.reader.position = 4;
    (void)ossa__read_u8(&s.reader, "b");
    s.reader.position = 8;
    (void)ossa__read_u8(&s.reader, "c");
    finish(&s, "0 1 u8 a\n"
               "1 3 padding \n"
               "4 1 u8 b\n"
               "5 3 unknown \n"
               "8 1 u8 c\n"
               "9 3 padding \n");
}

static void after_a_failure_the_rest_is_unread(void **state)
{
    (void)state;
    const uint8_t bytes[7] = {0};
    struct setup s;
    start(&s, bytes, 7, false);
    (void)ossa__read_u32(&s.reader, "a");
    (void)ossa__read_u32(&s.reader, "b");
    finish(&s, "0 4 u32 a\n"
               "4 3 unread \n");
}

static void nobody_listens(void **state)
{
    (void)state;
    const uint8_t bytes[4] = {0};
    struct ossa__context context;
    struct ossa__trace trace;
    struct ossa__reader reader;
    ossa__context_init(&context, NULL, 4);
    ossa__trace_start(&context, &trace, bytes, 4, true);
    assert_null(context.trace);
    ossa__reader_init(&reader, &context, bytes, 4);
    (void)ossa__read_u32(&reader, "a");
    ossa__trace_finish(&context);
    assert_null(context.arena.chunks); /* it cost nothing */
}

static void scattered_fields_are_told_in_order(void **state)
{
    (void)state;
    const uint8_t bytes[12] = {0, 0, 0, 0, 5};
    struct setup s;
    start(&s, bytes, 12, true);
    struct ossa__reader late = ossa__reader_window(&s.reader, 8, 4, "", 0);
    struct ossa__reader early = ossa__reader_window(&s.reader, 0, 4, "", 0);
    ossa__enter(&s.context, "late", 1);
    (void)ossa__read_u16(&late, "a"); /* the path of this moment counts */
    ossa__leave(&s.context);
    (void)ossa__read_u32(&early, "b");
    (void)ossa__read_u16(&late, "c");
    assert_int_equal(s.told.size, 0); /* nothing is told before the end */
    finish(&s, "0 4 u32 b\n"
               "4 4 unknown \n"
               "8 2 u16 late[1].a\n"
               "10 2 u16 c\n");
}

/* Fields that share bytes: both are told, in the order in which they were read. */
static void shared_bytes_are_told_twice(void **state)
{
    (void)state;
    const uint8_t bytes[6] = {0};
    struct setup s;
    start(&s, bytes, 6, true);
    struct ossa__reader first = ossa__reader_window(&s.reader, 2, 2, "", 0);
    struct ossa__reader second = ossa__reader_window(&s.reader, 2, 4, "", 0);
    (void)ossa__read_u16(&first, "first");
    (void)ossa__read_u32(&second, "second");
    finish(&s, "0 2 padding \n"
               "2 2 u16 first\n"
               "2 4 u32 second\n");
}

/* A field inside of another: what follows the longer one is told once, and from its end on. */
static void a_field_inside_another(void **state)
{
    (void)state;
    const uint8_t bytes[12] = {0};
    for (unsigned scattered = 0; scattered < 2; scattered++) {
        struct setup s;
        start(&s, bytes, 12, scattered == 1);
        struct ossa__reader outer = ossa__reader_window(&s.reader, 0, 8, "", 0);
        struct ossa__reader inner = ossa__reader_window(&s.reader, 2, 2, "", 0);
        struct ossa__reader last = ossa__reader_window(&s.reader, 10, 2, "", 0);
        (void)ossa__read_array(&outer, "outer", &ossa__shape_u32, 2, 0);
        (void)ossa__read_u16(&inner, "inner");
        (void)ossa__read_u16(&last, "last");
        finish(&s, "0 4 u32 outer[0]\n"
                   "4 4 u32 outer[1]\n"
                   "2 2 u16 inner\n"
                   "8 2 padding \n"
                   "10 2 u16 last\n");
    }
}

/* Enough claims for several blocks, at shuffled places. */
static void many_scattered_fields(void **state)
{
    (void)state;
    enum { FIELDS = 1000 };
    static uint8_t bytes[FIELDS * 2];
    size_t order[FIELDS] = {0};
    uint64_t seed = 3;
    for (size_t i = 0; i < FIELDS; i++) {
        size_t other = random_below(&seed, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    struct setup s;
    start(&s, bytes, sizeof bytes, true);
    for (size_t i = 0; i < FIELDS; i++) {
        struct ossa__reader place = ossa__reader_window(&s.reader, order[i] * 2, 2, "", 0);
        ossa__enter(&s.context, "f", order[i]);
        (void)ossa__read_u16(&place, "");
        ossa__leave(&s.context);
    }
    ossa_buffer expected = {0};
    ossa_sink sink = ossa_buffer_sink(&expected);
    for (size_t i = 0; i < FIELDS; i++) {
        char line[64];
        int n = snprintf(line, sizeof line, "%zu 2 u16 f[%zu]\n", 2 * i, i);
        assert_true(sink.write(sink.user, line, (size_t)n));
    }
    finish(&s, text_of(&expected));
    ossa_buffer_free(&expected);
}

static void scattered_and_failed(void **state)
{
    (void)state;
    const uint8_t bytes[6] = {0};
    struct setup s;
    start(&s, bytes, 6, true);
    struct ossa__reader place = ossa__reader_window(&s.reader, 2, 2, "", 0);
    (void)ossa__read_u16(&place, "a");
    (void)ossa__read_u16(&place, "b");
    assert_true(s.context.failed);
    ossa__trace_finish(&s.context);
    assert_true(s.context.failed); /* telling does not heal */
    assert_int_equal(s.context.error.code, OSSA_CODE_TRUNCATED);
    finish(&s, "0 2 unread \n"
               "2 2 u16 a\n"
               "4 2 unread \n");
}

/* Use up what the arena has, but for `spare` blocks, and let it get no more. */
static void starve(struct setup *s, size_t spare)
{
    struct ossa__arena before = s->context.arena;
    size_t blocks = 0;
    s->memory.fail_from = s->memory.calls;
    while (ossa__arena_take(&s->context.arena, 1) != NULL) blocks++;
    s->context.arena = before;
    for (size_t i = spare; i < blocks; i++) assert_non_null(ossa__arena_take(&s->context.arena, 1));
}

/* The failure of the file is what is reported, not that the telling had no memory either: neither
 * for the list of claims, nor for sorting it. */
static void scattered_failed_and_without_memory(void **state)
{
    (void)state;
    const uint8_t bytes[6] = {0};
    for (size_t spare = 0; spare < 2; spare++) {
        struct setup s;
        start(&s, bytes, 6, true);
        struct ossa__reader place = ossa__reader_window(&s.reader, 2, 2, "", 0);
        (void)ossa__read_u16(&place, "a");
        (void)ossa__read_u16(&place, "b");
        starve(&s, spare);
        ossa__trace_finish(&s.context);
        assert_true(s.context.failed);
        assert_int_equal(s.context.error.code, OSSA_CODE_TRUNCATED);
        assert_string_equal(s.context.error.field, "b");
        assert_int_equal(s.context.error.offset, 4);
        finish(&s, "0 6 unread \n");
    }
}

static void scattered_without_memory(void **state)
{
    (void)state;
    const uint8_t bytes[6] = {0};
    struct setup s;
    start(&s, bytes, 6, true);
    s.memory.fail_from = 0;
    struct ossa__reader place = ossa__reader_window(&s.reader, 2, 2, "", 0);
    (void)ossa__read_u16(&place, "a");
    assert_int_equal(s.context.error.code, OSSA_CODE_OUT_OF_MEMORY);
    finish(&s, "0 6 unread \n");
}

/* A path as long as there is room for is cut, never overrun. */
static void long_paths_are_cut(void **state)
{
    (void)state;
    const uint8_t bytes[24] = {0};
    char name[OSSA_FIELD_CAPACITY + 20];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    for (size_t length = OSSA_FIELD_CAPACITY - 12; length < sizeof name; length++) {
        struct setup s;
        start(&s, bytes, 24, false);
        (void)ossa__read_array(&s.reader, name + sizeof name - 1 - length, &ossa__shape_vec3, 2, 0);
        ossa__trace_finish(&s.context);
        const char *line = text_of(&s.told);
        for (unsigned i = 0; i < 6; i++) {
            const char *path = strstr(line, "f32 ") + 4;
            size_t size = strcspn(path, "\n");
            size_t whole = length + strlen("[0].x");
            assert_int_equal(size, whole < OSSA_FIELD_CAPACITY ? whole : OSSA_FIELD_CAPACITY - 1);
            line = path + size + 1;
        }
        ossa_buffer_free(&s.told);
        ossa__arena_free(&s.context.arena);
    }
}

TEST_GROUP(test_core_trace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_sizes),
        cmocka_unit_test(every_kind_of_read_is_told),
        cmocka_unit_test(what_is_passed_over_is_told_too),
        cmocka_unit_test(after_a_failure_the_rest_is_unread),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(scattered_fields_are_told_in_order),
        cmocka_unit_test(shared_bytes_are_told_twice),
        cmocka_unit_test(a_field_inside_another),
        cmocka_unit_test(many_scattered_fields),
        cmocka_unit_test(scattered_and_failed),
        cmocka_unit_test(scattered_failed_and_without_memory),
        cmocka_unit_test(scattered_without_memory),
        cmocka_unit_test(long_paths_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
