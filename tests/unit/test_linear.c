/* SPDX-License-Identifier: MIT
 *
 * Large files are read with work and memory in proportion to their size. No clock is asked: the
 * allocator counts, and a quadratic reader would not end within the test's patience. */
#include "support/ar_fixture.h"
#include "support/counting.h"
#include "support/testing.h"

#include <stdlib.h>

enum { LINKS = 100000, BONES = 10000 };

/* Bytes of memory for reading it; it is written back too. */
static size_t memory_for(const char *name, const struct bytes *bytes, size_t *calls)
{
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting), .check_values = true};
    ossa_file *file = read_or_fail(name, bytes->data, bytes->size, &options);
    size_t peak = counting.peak;
    *calls = counting.calls;
    require(file->issue_count == 0, name, "%s",
            file->issue_count > 0 ? file->issues[0].message : "");
    require_written(name, file, bytes->data, bytes->size);
    ossa_file_free(file);
    require(counting.live == 0, name, "a leak");
    return peak;
}

static void require_linear(const char *name, struct bytes small, struct bytes large)
{
    size_t calls;
    size_t more_calls;
    size_t memory = memory_for(name, &small, &calls);
    size_t more_memory = memory_for(name, &large, &more_calls);
    double ratio = (double)large.size / (double)small.size;
    require(more_memory <= (1U << 20) + 32 * large.size, name, "%zu bytes of memory", more_memory);
    require((double)more_memory <= 1.25 * ratio * (double)memory, name,
            "%zu bytes of memory for %zu, %zu for %zu", memory, small.size, more_memory,
            large.size);
    /* Chunks double up to a point: there are never many of them. */
    require(more_calls < 100 + more_memory / (64U << 10), name, "%zu allocations", more_calls);
    bytes_free(&small);
    bytes_free(&large);
}

static void a_long_chain(void **state)
{
    (void)state;
    require_linear("chain", make_big_lnk(LNK_CHAIN, LINKS / 10), make_big_lnk(LNK_CHAIN, LINKS));
}

static void a_wide_star(void **state)
{
    (void)state;
    require_linear("star", make_big_lnk(LNK_STAR, LINKS / 10), make_big_lnk(LNK_STAR, LINKS));
}

static void a_large_random_tree(void **state)
{
    (void)state;
    require_linear("random", make_big_lnk(LNK_RANDOM, LINKS / 10), make_big_lnk(LNK_RANDOM, LINKS));
}

static void deep_and_wide_skeletons(void **state)
{
    (void)state;
    require_linear("deep", make_big_skel(LNK_CHAIN, LINKS / 10), make_big_skel(LNK_CHAIN, LINKS));
    require_linear("wide", make_big_skel(LNK_STAR, LINKS / 10), make_big_skel(LNK_STAR, LINKS));
}

static void a_long_table_of_states(void **state)
{
    (void)state;
    require_linear("states", make_big_csv(LINKS / 10, false), make_big_csv(LINKS, false));
    struct bytes alike = make_big_csv(LINKS, true); /* one name for all of them */
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting)};
    ossa_file *file = read_or_fail("alike", alike.data, alike.size, &options);
    assert_int_equal(file->warning_count, LINKS - 1);
    assert_int_equal(file->error_count, 0);
    assert_true(counting.peak <= (1U << 20) + 32 * alike.size);
    ossa_file_free(file);
    bytes_free(&alike);
}

static void count_bytes(void *user, const ossa_field *field)
{
    *(uint64_t *)user += field->size;
}

/* ---- archives ------------------------------------------------------------------------------ */

/* Names of five digits; of `same` ones the bytes have one sum, so that one chain has them all. */
static void make_name(char name[16], uint32_t number, bool same)
{
    for (size_t k = 0; k < 5; k++, number /= 10) {
        name[k] = (char)('0' + number % 10);
        name[k + 5] = (char)('9' - number % 10);
    }
    name[same ? 10 : 5] = '\0';
}

static struct bytes make_archive(const char *format, uint32_t count, bool same)
{
    ossa_packing *entries = calloc(count, sizeof *entries);
    char(*names)[16] = calloc(count, sizeof *names);
    if (entries == NULL || names == NULL) abort();
    for (uint32_t i = 0; i < count; i++) {
        make_name(names[i], i, same);
        entries[i] = (ossa_packing){names[i], (const uint8_t *)names[i], i % 6, i};
    }
    ossa_buffer buffer = {0};
    assert_true(ossa_pack(format, entries, count, NULL, ossa_buffer_sink(&buffer), NULL));
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    free(names);
    free(entries);
    return bytes;
}

static void archives_of_many_entries(void **state)
{
    (void)state;
    static const char *const formats[] = {"ei-res", "vib-pak"};
    for (size_t i = 0; i < 2; i++) {
        for (unsigned same = 0; same < 2; same++) {
            require_linear(formats[i], make_archive(formats[i], LINKS / 10, same != 0),
                           make_archive(formats[i], LINKS, same != 0));
        }
    }
}

/* Every entry has all of the bytes, from another place on: to walk over them for each would take
 * hours. Then JSON and fields must not repeat them either. */
static void entries_that_all_overlap(void **state)
{
    (void)state;
    struct bytes file = make_archive("ei-res", LINKS, true);
    uint32_t table = get_u32(&file, 8);
    for (uint32_t i = 0; i < LINKS; i++) {
        set_u32(&file, table + (size_t)i * 22 + 8, 16 + i);
        set_u32(&file, table + (size_t)i * 22 + 4, table - 16 - i);
    }
    struct counting counting = {0};
    uint64_t told = 0;
    ossa_options options = {
        .allocator = counting_allocator(&counting), .on_field = count_bytes, .user = &told};
    ossa_file *read = read_or_fail("overlapping", file.data, file.size, &options);
    assert_int_equal(read->warning_count, 1); /* of the alignment; that they overlap is a remark */
    assert_int_equal(told, file.size);
    struct bytes json = dump_or_fail("overlapping", read, OSSA_JSON_STYLE_LINE);
    assert_true(json.size < 12 * file.size);
    bytes_free(&json);
    ossa_file_free(read);
    bytes_free(&file);
}

/* Offsets that all lie in one name without an end, which must not be looked for again and again;
 * and in one with an end, which is too much together. */
static void entries_in_one_long_name(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_u32(&file, LINKS);
    for (uint32_t i = 0; i < LINKS; i++) put_u32(&file, 4 + 4 * LINKS + i);
    put_repeated(&file, 'x', 12 * LINKS);
    ossa_options options = {.format = "vib-pak"};
    ossa_file *read = read_or_fail("a long name", file.data, file.size, &options);
    assert_int_equal(read->error_count, LINKS);
    ossa_file_free(read);
    set_u8(&file, file.size - 1, 0);
    ossa_error error;
    assert_null(ossa_read(file.data, file.size, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_OVERLAP);
    bytes_free(&file);
}

static void a_model_of_many_triangles(void **state)
{
    (void)state;
    require_linear("model", make_big_mod(200, LINKS / 50), make_big_mod(2000, LINKS / 5));
    /* Materials without end, in a text where each takes seven bytes. */
    struct bytes small = {0};
    struct bytes large = {0};
    put_text(&small, "version: 1.09 verts: 0 ");
    put_text(&large, "version: 1.09 verts: 0 ");
    for (uint32_t i = 0; i < LINKS; i++) {
        if (i < LINKS / 10) put_text(&small, "mtl a{}");
        put_text(&large, "mtl a{}");
    }
    require_linear("materials", small, large);
}

/* All links are faulty: issues are counted, and kept by kind. */
static void a_large_tree_full_of_faults(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_u32(&file, LINKS);
    for (uint32_t i = 0; i < LINKS; i++) {
        put_u32(&file, 2);
        put_text(&file, "aa"); /* the same name again and again */
        put_u32(&file, i == 0 ? 0 : 2);
        if (i > 0) put_text(&file, "zz"); /* that nobody has */
    }
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting)};
    ossa_file *read = read_or_fail("faults", file.data, file.size, &options);
    assert_int_equal(read->error_count, 2 * (LINKS - 1));
    assert_int_equal(read->issue_count, 2);
    assert_int_equal(read->issues[0].repeat_count, LINKS - 2);
    assert_int_equal(read->issues[1].repeat_count, LINKS - 2);
    assert_true(counting.peak <= (1U << 20) + 32 * file.size);
    ossa_file_free(read);
    bytes_free(&file);
}

static void archives_of_midtown_madness(void **state)
{
    (void)state;
    require_linear("ares", make_big_ares(5000), make_big_ares(50000));
    require_linear("zip", make_big_zip(6553), make_big_zip(65535));
}

static void an_animation_of_many_bones(void **state)
{
    (void)state;
    require_linear("bones", make_big_anb(BONES / 10, 3), make_big_anb(BONES, 3));
    require_linear("bones without poses", make_big_anb(BONES / 10, 0), make_big_anb(BONES, 0));
}

/* Listening to the fields costs memory in proportion too, and every byte is told of. */
static void fields_of_many_bones(void **state)
{
    (void)state;
    struct bytes file = make_big_anb(BONES, 3);
    struct counting counting = {0};
    uint64_t told = 0;
    ossa_options options = {
        .allocator = counting_allocator(&counting), .on_field = count_bytes, .user = &told};
    ossa_file *read = read_or_fail("fields", file.data, file.size, &options);
    assert_int_equal(told, file.size);
    assert_true(counting.peak <= (1U << 20) + 32 * file.size);
    ossa_file_free(read);
    bytes_free(&file);
}

TEST_GROUP(test_linear)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(a_wide_star),
        cmocka_unit_test(a_large_random_tree),
        cmocka_unit_test(deep_and_wide_skeletons),
        cmocka_unit_test(a_long_table_of_states),
        cmocka_unit_test(archives_of_midtown_madness),
        cmocka_unit_test(entries_that_all_overlap),
        cmocka_unit_test(entries_in_one_long_name),
        cmocka_unit_test(a_model_of_many_triangles),
        cmocka_unit_test(a_large_tree_full_of_faults),
        cmocka_unit_test(archives_of_many_entries),
        cmocka_unit_test(an_animation_of_many_bones),
        cmocka_unit_test(fields_of_many_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
