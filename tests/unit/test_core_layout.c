/* SPDX-License-Identifier: MIT
 *
 * One table per layout: read, traced, checked, written, dumped and built from it alone. */
#include "test_core.h"

#include "codec/layout.h"

#include <math.h>
#include <stdio.h>

/* ---- a layout with every kind of item ------------------------------------------------------ */

struct record {
    uint8_t small;
    uint16_t half; /* padding before it in the struct, none in the file */
    uint64_t wide;
    char name[4];
    float weight;
};

struct point {
    int16_t x, y;
};

struct file {
    uint32_t record_count;
    uint32_t width;
    uint32_t point_count;
    uint32_t pair_count;
    uint32_t list_count;
    int16_t signs[2];
    int32_t deep;
    uint8_t has_list;
    bool is_odd;
    unsigned steps;
    const struct record *records;
    const struct point *points;
    const float (*pairs)[2];
    const uint16_t *list;
    const uint8_t *tail;
    size_t tail_size;
};

static uint32_t width_of(const void *object)
{
    return ((const struct file *)object)->width;
}

static bool has_list(const void *object)
{
    return ((const struct file *)object)->has_list != 0;
}

static void count_step(struct ossa__reader *reader, void *object)
{
    if (!reader->context->failed) ((struct file *)object)->steps++;
}

static const struct ossa__shape shape_signs = {OSSA_FIELD_TYPE_I16, 2, {"a", "b"}};
static const struct ossa__shape shape_i16 = {OSSA_FIELD_TYPE_I16, 1, {NULL}};
static const struct ossa__shape shape_i32 = {OSSA_FIELD_TYPE_I32, 1, {NULL}};
static const struct ossa__shape shape_pair = {OSSA_FIELD_TYPE_F32, 2, {NULL}};

static const struct ossa__item record_items[] = {
    OSSA__NUMBERS(struct record, small, "small", .shape = &ossa__shape_u8),
    OSSA__NUMBERS(struct record, half, "half", .shape = &ossa__shape_u16),
    OSSA__U64(struct record, wide, "wide"),
    OSSA__TEXT(struct record, name, "name"),
    OSSA__F32(struct record, weight, "weight"),
};
static const struct ossa__layout record_layout = OSSA__LAYOUT(struct record, record_items);

static const struct ossa__item point_items[] = {
    OSSA__NUMBERS(struct point, x, "x", .shape = &shape_i16),
    OSSA__NUMBERS(struct point, y, "y", .shape = &shape_i16),
};
static const struct ossa__layout point_layout = OSSA__LAYOUT(struct point, point_items);

enum { RECORDS_ITEM = 9, PAIRS_ITEM = 11 };

static const struct ossa__item items[] = {
    OSSA__MAGIC("magic", "LAY", 4),
    OSSA__COUNT(struct file, record_count, "record_count"),
    OSSA__NUMBERS(struct file, point_count, "point_count", .shape = &ossa__shape_u32,
                  .is_hidden = true),
    OSSA__COUNT(struct file, pair_count, "pair_count"),
    OSSA__U32(struct file, width, "width"),
    OSSA__NUMBERS(struct file, signs, "signs", .shape = &shape_signs),
    OSSA__NUMBERS(struct file, deep, "deep", .shape = &shape_i32),
    OSSA__NUMBERS(struct file, has_list, "has_list", .shape = &ossa__shape_u8),
    OSSA__STEP(count_step),
    OSSA__ARRAY(struct file, records, "records", record_count, .record = &record_layout),
    OSSA__ARRAY(struct file, points, "points", point_count, .record = &point_layout),
    OSSA__ARRAY(struct file, pairs, "pairs", pair_count, .shape = &shape_pair, .rows = width_of,
                .checks = OSSA__CHECK_FINITE | OSSA__CHECK_UNIT),
    OSSA__COUNT(struct file, list_count, "list_count"),
    OSSA__ARRAY(struct file, list, "list", list_count, .shape = &ossa__shape_u16,
                .is_stored = has_list),
    OSSA__BOOL(struct file, is_odd, "is_odd"),
    OSSA__TAIL(struct file),
};
static const struct ossa__layout layout = OSSA__LAYOUT(struct file, items);

/* clang-format off */
static const uint8_t bytes[] = {
    'L', 'A', 'Y', 0,
    2, 0, 0, 0,             /* 0x04 record_count */
    3, 0, 0, 0,             /* 0x08 point_count */
    1, 0, 0, 0,             /* 0x0c pair_count */
    2, 0, 0, 0,             /* 0x10 width */
    0xff, 0xff, 5, 0,       /* 0x14 signs */
    0xfe, 0xff, 0xff, 0xff, /* 0x18 deep */
    1,                      /* 0x1c has_list */
    7, 1, 2, 1, 0, 0, 0, 2, 0, 0, 0, 'a', 0xe0, 0, 0, 0, 0, 0x80, 0x3f,   /* 0x1d records[0] */
    8, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0x80, 'b', 0, 'x', 0, 0, 0, 0xc0, 0x7f, /* 0x30 records[1] */
    1, 0, 0xff, 0xff, 2, 0, 0xfe, 0xff, 3, 0, 0xfd, 0xff,                 /* 0x43 points */
    0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0x80, 0x7f,        /* 0x4f pairs */
    2, 0, 0, 0,             /* 0x5f list_count */
    9, 0, 10, 0,            /* 0x63 list */
    0xab,                   /* 0x67 tail */
};
/* clang-format on */

static const char json_text[] =
    "{\"width\":2,\"signs\":[-1,5],\"deep\":-2,\"has_list\":1,"
    "\"records\":[{\"small\":7,\"half\":513,\"wide\":[1,2],\"name\":\"a\xd0\xb0\",\"weight\":1},"
    "{\"small\":8,\"half\":1027,\"wide\":[3,2147483648],\"name\":\"b\",\"name_rest\":\"7800\","
    "\"weight\":\"0x7fc00000\"}],"
    "\"points\":[{\"x\":1,\"y\":-1},{\"x\":2,\"y\":-2},{\"x\":3,\"y\":-3}],"
    "\"pairs\":[[[1,0],[2,\"0x7f800000\"]]],\"list\":[9,10],\"is_odd\":false,\"tail\":\"ab\"}";

/* ---- reading ------------------------------------------------------------------------------- */

struct setup {
    struct ossa__context context;
    struct ossa__trace trace;
    struct ossa__reader reader;
    struct file file;
    uint64_t at[OSSA__LAYOUT_ITEMS];
    bool ok;
};

static void read_bytes(struct setup *s, const ossa_options *options, const uint8_t *data,
                       size_t size)
{
    memset(s, 0, sizeof *s);
    ossa__context_init(&s->context, options, size);
    ossa__trace_start(&s->context, &s->trace, data, size, false);
    ossa__reader_init(&s->reader, &s->context, data, size);
    s->ok = ossa__layout_read(&s->reader, &layout, &s->file, s->at);
    ossa__trace_finish(&s->context);
}

static void stop(struct setup *s)
{
    ossa__arena_free(&s->context.arena);
}

/* At `shift` bytes from an aligned address. */
static void check_values(size_t shift)
{
    _Alignas(16) uint8_t copy[sizeof bytes + 8];
    struct setup s;
    memcpy(copy + shift, bytes, sizeof bytes);
    read_bytes(&s, NULL, copy + shift, sizeof bytes);
    const struct file *file = &s.file;
    assert_true(s.ok);
    assert_int_equal(file->signs[0], -1);
    assert_int_equal(file->deep, -2);
    assert_int_equal(file->steps, 1);
    assert_int_equal(file->records[0].half, 0x201);
    assert_true(file->records[0].wide == UINT64_C(0x200000001));
    assert_memory_equal(file->records[1].name, "b\0x", 4);
    assert_true(isnan(file->records[1].weight));
    assert_int_equal(file->points[2].y, -3);
    assert_true(file->pairs[1][0] == 2.0F);
    assert_int_equal(file->list[1], 10);
    assert_int_equal(file->tail_size, 1);
    assert_int_equal(s.at[RECORDS_ITEM], 0x1d);
    assert_int_equal(s.at[PAIRS_ITEM], 0x4f);
    /* Records that are the bytes are borrowed where they are aligned, others never. */
    assert_int_equal(ossa__is_borrowed(&s.reader, file->points),
                     OSSA__LITTLE_ENDIAN && (0x43 + shift) % 2 == 0);
    assert_false(ossa__is_borrowed(&s.reader, file->records));
    stop(&s);
}

static void every_kind_is_read(void **state)
{
    (void)state;
    check_values(0);
    check_values(1);
}

static void padding_in_records_is_zero(void **state)
{
    (void)state;
    struct setup s;
    struct record expected;
    read_bytes(&s, NULL, bytes, sizeof bytes);
    memset(&expected, 0, sizeof expected);
    expected.small = 7;
    expected.half = 0x201;
    expected.wide = UINT64_C(0x200000001);
    memcpy(expected.name, "a\xe0\0", 4);
    expected.weight = 1.0F;
    assert_memory_equal(&s.file.records[0], &expected, sizeof expected);
    stop(&s);
}

static void add_field(void *user, const ossa_field *field)
{
    ossa_sink sink = ossa_buffer_sink(user);
    char line[100];
    int size = snprintf(line, sizeof line, "%u+%u %s\n", (unsigned)field->offset,
                        (unsigned)field->size, field->path);
    assert_true(sink.write(sink.user, line, (size_t)size));
}

static void every_field_is_traced(void **state)
{
    (void)state;
    ossa_buffer buffer = {0};
    const ossa_options options = {.on_field = add_field, .user = &buffer};
    struct setup s;
    read_bytes(&s, &options, bytes, sizeof bytes);
    assert_true(s.ok);
    assert_string_equal(
        text_of(&buffer),
        "0+4 magic\n4+4 record_count\n8+4 point_count\n12+4 pair_count\n16+4 width\n"
        "20+2 signs.a\n22+2 signs.b\n24+4 deep\n28+1 has_list\n"
        "29+1 records[0].small\n30+2 records[0].half\n32+4 records[0].wide[0]\n"
        "36+4 records[0].wide[1]\n40+4 records[0].name\n44+4 records[0].weight\n"
        "48+1 records[1].small\n49+2 records[1].half\n51+4 records[1].wide[0]\n"
        "55+4 records[1].wide[1]\n59+4 records[1].name\n63+4 records[1].weight\n"
        "67+2 points[0].x\n69+2 points[0].y\n71+2 points[1].x\n73+2 points[1].y\n"
        "75+2 points[2].x\n77+2 points[2].y\n79+4 pairs[0][0][0]\n83+4 pairs[0][0][1]\n"
        "87+4 pairs[0][1][0]\n91+4 pairs[0][1][1]\n95+4 list_count\n99+2 list[0]\n101+2 list[1]\n"
        "103+1 tail\n");
    ossa_buffer_free(&buffer);
    stop(&s);
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof bytes - 1; size++) {
        uint8_t *copy = malloc(size + 1); /* a byte too much read is found by the sanitizer */
        struct setup s;
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        read_bytes(&s, NULL, copy, size);
        assert_false(s.ok);
        stop(&s);
        free(copy);
    }
}

static void expect_failure(size_t patch, uint32_t word, ossa_code code, uint64_t offset,
                           const char *field, const char *message)
{
    uint8_t copy[sizeof bytes];
    struct setup s;
    memcpy(copy, bytes, sizeof copy);
    ossa__store_u32(copy + patch, word);
    read_bytes(&s, NULL, copy, sizeof copy);
    assert_false(s.ok);
    assert_int_equal(s.context.error.code, code);
    assert_int_equal(s.context.error.offset, offset);
    assert_string_equal(s.context.error.field, field);
    assert_string_equal(s.context.error.message, message);
    stop(&s);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    expect_failure(0, 0x58, OSSA_CODE_BAD_MAGIC, 0, "magic",
                   "found bytes 58000000, expected \"LAY\" and a NUL");
    expect_failure(4, 5, OSSA_CODE_BAD_COUNT, 4, "record_count",
                   "5 items of 19 bytes cannot fit in the 75 bytes left");
    /* A count that is a number like any other is not to blame, the array is. */
    expect_failure(8, UINT32_MAX, OSSA_CODE_TRUNCATED, 0x43, "points",
                   "needs 17179869180 bytes, 37 left");
    expect_failure(16, UINT32_MAX, OSSA_CODE_BAD_COUNT, 12, "pair_count",
                   "1 items of 34359738360 bytes cannot fit in the 25 bytes left");
}

static void values_are_checked(void **state)
{
    (void)state;
    struct setup s;
    read_bytes(&s, NULL, bytes, sizeof bytes);
    size_t before = s.context.issues.count; /* the tail */
    ossa__layout_check(&s.context, &layout, &s.file, s.at);
    const ossa_issue *issues = ossa__issue_array(&s.context);
    assert_int_equal(s.context.issues.count, before + 2);
    assert_string_equal(issues[before].field, "records[1].weight");
    assert_int_equal(issues[before].offset, 63);
    assert_int_equal(issues[before].code, OSSA_CODE_NON_FINITE);
    assert_string_equal(issues[before + 1].field, "pairs");
    assert_int_equal(issues[before + 1].offset, 91);
    stop(&s);
}

/* ---- writing and JSON ---------------------------------------------------------------------- */

static void check_written(const struct file *file)
{
    struct ossa__context context;
    struct ossa__writer writer;
    ossa_buffer buffer = {0};
    ossa__context_init(&context, NULL, 0);
    ossa__writer_init(&writer, &context, ossa_buffer_sink(&buffer));
    ossa__layout_write(&writer, &layout, file);
    assert_true(ossa__writer_finish(&writer));
    assert_int_equal(buffer.size, sizeof bytes);
    assert_memory_equal(buffer.data, bytes, sizeof bytes);
    ossa_buffer_free(&buffer);
}

static void what_was_read_is_written_and_dumped(void **state)
{
    (void)state;
    struct setup s;
    struct ossa__json json;
    ossa_buffer buffer = {0};
    read_bytes(&s, NULL, bytes, sizeof bytes);
    check_written(&s.file);
    ossa__json_start(&json, ossa_buffer_sink(&buffer), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__layout_dump(&json, &layout, &s.file);
    ossa__json_end_object(&json);
    assert_true(ossa__json_finish(&json));
    assert_string_equal(text_of(&buffer), json_text);
    ossa_buffer_free(&buffer);
    stop(&s);
}

/* Build from JSON in which `from` is replaced; NULL: as it is. */
static void build(struct ossa__context *context, struct file *file, const char *from,
                  const char *to)
{
    char text[1024];
    const char *found = from == NULL ? json_text : strstr(json_text, from);
    assert_non_null(found);
    int size = snprintf(text, sizeof text, "%.*s%s%s", (int)(found - json_text), json_text,
                        from == NULL ? "" : to, found + (from == NULL ? 0 : strlen(from)));
    ossa__context_init(context, NULL, 0);
    struct ossa__document *document = ossa__document_parse(context, text, (size_t)size);
    assert_non_null(document);
    struct ossa__value root = ossa__document_root(context, document);
    memset(file, 0, sizeof *file);
    ossa__layout_build(&root, &layout, file);
    ossa__document_free(document);
}

static void what_was_dumped_is_built(void **state)
{
    (void)state;
    struct ossa__context context;
    struct file file;
    build(&context, &file, NULL, NULL);
    if (context.failed) fail_msg("%s: %s", context.error.field, context.error.message);
    check_written(&file);
    ossa__arena_free(&context.arena);
}

static void refusals_name_their_place(void **state)
{
    (void)state;
    static const char *const table[][4] = {
        {"\"width\":2", "\"width\":3", "pairs[0]", "has 2 items, expected 3"},
        {"\"width\":2", "\"wide\":2", "wide",
         "is not a known member (known: width signs deep has_list records points pairs list "
         "is_odd tail)"},
        {"\"width\":2,", "", "width", "is missing"},
        {"[-1,5]", "[-32769,5]", "signs[0]", "-32769 is not an integer from -32768 to 32767"},
        {"[-1,5]", "[1]", "signs", "has 1 items, expected 2"},
        {"\"deep\":-2", "\"deep\":2147483648", "deep",
         "2147483648 is not an integer from -2147483648 to 2147483647"},
        {"\"small\":7", "\"small\":256", "records[0].small", "256 is not an integer from 0 to 255"},
        {"[1,2]", "[1,4294967296]", "records[0].wide[1]",
         "4294967296 is not an integer from 0 to 4294967295"},
        {"\"name\":\"b\"", "\"name\":\"abcde\"", "records[1].name",
         "has 5 characters, but only 4 fit"},
        {"\"name\":\"b\"", "\"name\":\"b\\u0000\"", "records[1].name", "contains a NUL"},
        {"\"7800\"", "\"78\"", "records[1].name_rest",
         "has 1 bytes, expected the rest of 4 after the text and a NUL"},
        {"\"x\":2", "\"z\":2", "points[1].z", "is not a known member (known: x y)"},
        {"\"is_odd\":false", "\"is_odd\":0", "is_odd", "found an integer, expected true or false"},
        {"[9,10]", "[9,65536]", "list[1]", "65536 is not an integer from 0 to 65535"},
        {"[9,10]", "9", "list", "found an integer, expected an array"},
        {"\"ab\"", "\"a\"", "tail", "has an odd number of hexadecimal digits"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct ossa__context context;
        struct file file;
        build(&context, &file, table[i][0], table[i][1]);
        assert_true(context.failed);
        assert_string_equal(context.error.field, table[i][2]);
        assert_string_equal(context.error.message, table[i][3]);
        ossa__arena_free(&context.arena);
    }
}

/* ---- arrays that end where the file does, or are as long as something else says ------------- */

struct open_file {
    uint32_t count;
    const float (*points)[3];
    const uint8_t *tail;
    size_t tail_size;
};

static const struct ossa__item open_items[] = {
    OSSA__ARRAY(struct open_file, points, "points", count, .shape = &ossa__shape_vec3,
                .to_end = true),
    OSSA__TAIL(struct open_file),
};
static const struct ossa__layout open_layout = OSSA__LAYOUT(struct open_file, open_items);

static void an_open_array_takes_what_is_there(void **state)
{
    (void)state;
    static const uint8_t zeros[30] = {0};
    for (size_t size = 0; size <= sizeof zeros; size++) {
        struct ossa__context context;
        struct ossa__reader reader;
        ossa__context_init(&context, NULL, size);
        ossa__reader_init(&reader, &context, zeros, size);
        struct open_file *file = ossa__layout_new(&context, &open_layout);
        assert_non_null(file);
        assert_int_equal(ossa__layout_read(&reader, &open_layout, file, NULL), size >= 12);
        assert_int_equal(file->count, size < 24 ? 1 : 2);
        if (size >= 12) assert_int_equal(file->tail_size, size % 12);
        ossa__arena_free(&context.arena);
    }
}

static const struct ossa__item fixed_items[] = {
    OSSA__U32(struct open_file, count, "count"),
    OSSA__ARRAY(struct open_file, points, "points", count, .shape = &ossa__shape_vec3,
                .is_fixed = true),
};
static const struct ossa__layout fixed_layout = OSSA__LAYOUT(struct open_file, fixed_items);

static void refuse(const struct ossa__layout *of, const char *text, const char *field,
                   const char *message)
{
    struct ossa__context context;
    struct open_file file = {0};
    ossa__context_init(&context, NULL, 0);
    struct ossa__document *document = ossa__document_parse(&context, text, strlen(text));
    struct ossa__value root = ossa__document_root(&context, document);
    ossa__layout_build(&root, of, &file);
    assert_true(context.failed);
    assert_string_equal(context.error.field, field);
    assert_string_equal(context.error.message, message);
    ossa__document_free(document);
    ossa__arena_free(&context.arena);
}

static void lengths_that_would_not_come_back_are_refused(void **state)
{
    (void)state;
    refuse(&open_layout, "{\"points\":[]}", "points", "is empty, expected at least one item");
    refuse(&open_layout, "{\"points\":[[1,2,3]],\"tail\":\"000000000000000000000000\"}", "tail",
           "has 12 bytes, expected fewer than the 12 bytes of an item");
    refuse(&fixed_layout, "{\"count\":2,\"points\":[[1,2,3]]}", "points",
           "has 1 items, expected 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(padding_in_records_is_zero),
        cmocka_unit_test(every_field_is_traced),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(what_was_read_is_written_and_dumped),
        cmocka_unit_test(what_was_dumped_is_built),
        cmocka_unit_test(refusals_name_their_place),
        cmocka_unit_test(an_open_array_takes_what_is_there),
        cmocka_unit_test(lengths_that_would_not_come_back_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
