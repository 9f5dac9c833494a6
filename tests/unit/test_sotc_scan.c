/* SPDX-License-Identifier: MIT
 *
 * Containers found in large files: all of them, nothing else, wherever the windows end. */
#include "support/counting.h"
#include "support/sotc_fixture.h"
#include "support/testing.h"

#include "formats/shadow_of_the_colossus/sotc_scan.h"

#include <string.h>

enum { MOST = 16, WINDOW = 1 << 12 };

/* A file in memory, and what was found in it. */
struct disc {
    const struct bytes *bytes;
    size_t reads;
    size_t fail_at; /* this read fails, from 1 on */
    size_t largest; /* bytes asked for at once */
    size_t count;
    ossa_sotc_found found[MOST];
};

static bool read_disc(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct disc *disc = user;
    disc->reads++;
    if (size > disc->largest) disc->largest = size;
    if (disc->reads == disc->fail_at) return false;
    assert_true(offset <= disc->bytes->size && size <= disc->bytes->size - offset);
    memcpy(bytes, disc->bytes->data + offset, size);
    return true;
}

static void note(void *user, const ossa_sotc_found *found)
{
    struct disc *disc = user;
    assert_true(disc->count < MOST);
    disc->found[disc->count++] = *found;
}

static struct disc scan(const struct bytes *bytes, size_t window)
{
    struct disc disc = {.bytes = bytes};
    ossa_error error;
    bool ok = ossa__sotc_scan(read_disc, &disc, bytes->size, NULL, note, window, &error);
    require(ok, "scan", "%s", error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_true(disc.largest <= (window > (32 << 10) ? window : (32 << 10)));
    return disc;
}

static void require_found(const struct disc *disc, size_t index, uint64_t offset, uint64_t size,
                          const char *kind, const char *format)
{
    require(index < disc->count, kind, "only %zu were found", disc->count);
    const ossa_sotc_found *found = &disc->found[index];
    require(found->offset == offset && found->size == size, kind, "%llu bytes at %llu",
            (unsigned long long)found->size, (unsigned long long)found->offset);
    assert_string_equal(found->kind, kind);
    assert_string_equal(found->format->id, format);
}

/* One of each kind, at offsets that are multiples of nothing. */
static const char *const kinds[][3] = {{"sotc-anb/every-flag", "anb", "sotc-anb"},
                                       {"sotc-skb/plain", "skb", "sotc-skb"},
                                       {"sotc-nmo/skinned", "nmo", "sotc-nmo"},
                                       {"sotc-nto/plain-4", "nto", "sotc-nto"},
                                       {"sotc-xff/other", "xff", "sotc-xff"}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct bytes make_disc(size_t offsets[KINDS])
{
    struct bytes bytes = {0};
    for (size_t i = 0; i < KINDS; i++) {
        const struct fixture *fixture = fixture_find(kinds[i][0]);
        put_repeated(&bytes, (uint8_t)('w' + i), 7 + 13 * i); /* x among them */
        offsets[i] = bytes.size;
        put_bytes(&bytes, fixture->bytes.data, fixture->bytes.size);
    }
    put_text(&bytes, "xff");
    return bytes;
}

static void require_disc(const struct disc *disc, const size_t offsets[KINDS])
{
    assert_int_equal(disc->count, KINDS);
    for (size_t i = 0; i < KINDS; i++) {
        const struct fixture *fixture = fixture_find(kinds[i][0]);
        require_found(disc, i, offsets[i], get_u32(&fixture->bytes, XFF_SIZE_AT), kinds[i][1],
                      kinds[i][2]);
        assert_string_equal(disc->found[i].name, "");
    }
}

/* ---- finding ------------------------------------------------------------------------------- */

static void all_kinds_are_found_with_any_window(void **state)
{
    (void)state;
    size_t offsets[KINDS];
    struct bytes bytes = make_disc(offsets);
    for (size_t window = 4; window <= bytes.size + 4; window += window < 300 ? 1 : 97) {
        struct disc disc = scan(&bytes, window);
        require_disc(&disc, offsets);
    }
    struct disc disc = {.bytes = &bytes};
    ossa_error error;
    assert_true(ossa_sotc_scan(read_disc, &disc, bytes.size, NULL, note, &error));
    require_disc(&disc, offsets);
    assert_int_equal(disc.reads, 1);
    bytes_free(&bytes);
}

static void what_is_found_can_be_read(void **state)
{
    (void)state;
    size_t offsets[KINDS];
    struct bytes bytes = make_disc(offsets);
    struct disc disc = scan(&bytes, WINDOW);
    for (size_t i = 0; i < KINDS; i++) {
        const ossa_sotc_found *found = &disc.found[i];
        ossa_file *file =
            read_or_fail(kinds[i][0], bytes.data + found->offset, (size_t)found->size, NULL);
        assert_ptr_equal(file->format, found->format);
        ossa_file_free(file);
    }
    bytes_free(&bytes);
}

static void one_is_found_by_its_offset(void **state)
{
    (void)state;
    size_t offsets[KINDS];
    struct bytes bytes = make_disc(offsets);
    for (size_t at = 0; at <= bytes.size + 2; at++) {
        struct disc disc = {.bytes = &bytes};
        ossa_sotc_found found;
        bool is_one = false;
        for (size_t i = 0; i < KINDS; i++) is_one = is_one || at == offsets[i];
        bool ok = ossa_sotc_find_at(read_disc, &disc, bytes.size, at, &found);
        require(ok == is_one, "offset", "%zu", at);
    }
    struct disc disc = {.bytes = &bytes};
    ossa_sotc_found found;
    assert_true(ossa_sotc_find_at(read_disc, &disc, bytes.size, offsets[1], &found));
    assert_string_equal(found.kind, "skb");
    assert_false(ossa_sotc_find_at(read_disc, &disc, bytes.size, UINT64_MAX, &found));
    disc = (struct disc){.bytes = &bytes, .fail_at = 1};
    assert_false(ossa_sotc_find_at(read_disc, &disc, bytes.size, offsets[1], &found));
    bytes_free(&bytes);
}

/* What lies in the sections of one is its own business; what lies behind them is not. */
static void containers_in_containers(void **state)
{
    (void)state;
    const struct fixture *inner = fixture_find("sotc-nmo/skinned");
    struct xff_plan plan = {.magic = "xff2", .count = 2, .names = {"a", "b"}};
    struct xff_places places;
    plan.data[1] = bytes_copy(inner->bytes.data, inner->bytes.size);
    struct bytes outer = make_xff(&plan, &places);
    size_t end = outer.size;
    put_bytes(&outer, inner->bytes.data, inner->bytes.size);
    set_u32(&outer, XFF_SIZE_AT, (uint32_t)outer.size);
    struct disc disc = scan(&outer, 64);
    assert_int_equal(disc.count, 2);
    require_found(&disc, 0, 0, outer.size, "xff", "sotc-xff");
    require_found(&disc, 1, end, inner->bytes.size, "nmo", "sotc-nmo");
    bytes_free(&plan.data[1]);
    bytes_free(&outer);
}

/* ---- names --------------------------------------------------------------------------------- */

static void put_symbol(struct bytes *bytes, uint32_t name, uint32_t info, uint32_t section)
{
    put_u32(bytes, name);
    put_repeated(bytes, 0, 8);
    put_u8(bytes, info);
    put_u8(bytes, 0);
    put_u16(bytes, section);
}

static struct bytes make_named(const char *name)
{
    struct xff_plan plan = {.magic = "xff2", .count = 2, .names = {"a", "b"}};
    struct xff_places places;
    put_text(&plan.data[1], "NTO2");
    struct bytes file = make_xff(&plan, &places);
    set_u32(&file, 0x0c, 1); /* the first that is not local */
    set_u32(&file, 0x24, 4); /* symbols */
    set_u32(&file, 0x54, (uint32_t)file.size);
    put_symbol(&file, 0, 0x01, 1);
    put_symbol(&file, 1, 0x10, 0); /* imported */
    put_symbol(&file, 0, 0x11, 1); /* without a name */
    put_symbol(&file, 10, 0x11, 1);
    set_u32(&file, 0x58, (uint32_t)file.size);
    put_bytes(&file, "\0imported\0", 10);
    put_bytes(&file, name, strlen(name) + 1);
    set_u32(&file, XFF_SIZE_AT, (uint32_t)file.size);
    bytes_free(&plan.data[1]);
    return file;
}

static void names_are_those_of_symbols(void **state)
{
    (void)state;
    char longest[64];
    char too_long[65];
    memset(longest, 'n', sizeof longest);
    memset(too_long, 'n', sizeof too_long);
    longest[63] = '\0';
    too_long[64] = '\0';
    const char *const names[][2] = {{"kaleidoscope_tex", "kaleidoscope_tex"},
                                    {"", ""},
                                    {"two words", ""},
                                    {"\x1b[31m", ""},
                                    {"caf\xe9", ""},
                                    {longest, longest},
                                    {too_long, ""}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct bytes file = make_named(names[i][0]);
        struct disc disc = scan(&file, WINDOW);
        assert_int_equal(disc.count, 1);
        assert_string_equal(disc.found[0].name, names[i][1]);
        disc = scan(&file, 16);
        assert_string_equal(disc.found[0].name, names[i][1]);
        bytes_free(&file);
    }
    /* Symbols and strings elsewhere, cut off, or too many. */
    struct bytes file = make_named("name");
    static const size_t places[] = {0x54, 0x58, 0x0c};
    for (size_t i = 0; i < 3; i++) {
        struct bytes changed = bytes_copy(file.data, file.size);
        set_u32(&changed, places[i], 0xfffffff0);
        struct disc disc = scan(&changed, WINDOW);
        assert_int_equal(disc.count, 1);
        assert_string_equal(disc.found[0].name, "");
        bytes_free(&changed);
    }
    set_u32(&file, 0x24, 0xffffffff);
    set_u32(&file, 0x0c, 4);
    struct disc disc = scan(&file, WINDOW);
    assert_string_equal(disc.found[0].name, "");
    bytes_free(&file);
}

/* ---- what is none -------------------------------------------------------------------------- */

static void signatures_alone_are_nothing(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    struct random random = {31};
    for (unsigned i = 0; i < 2000; i++) {
        put_bytes(&bytes, i % 2 == 0 ? "xff2" : "xff\0", 4);
        for (unsigned k = 0; k < i % 40; k++) put_u32(&bytes, next_random(&random));
    }
    put_repeated(&bytes, 'x', 100);
    struct disc disc = scan(&bytes, WINDOW);
    assert_int_equal(disc.count, 0);
    bytes_free(&bytes);
}

static void headers_that_cannot_be(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-xff/other");
    const struct bytes *good = &fixture->bytes;
    const size_t table = get_u32(good, XFF_SECTIONS_AT);
    const struct {
        size_t at;
        uint32_t word;
    } changes[] = {
        {0, 0x33666678},
        {4, 1},
        {8, 0x80000000},
        {XFF_SIZE_AT, 111},
        {XFF_SIZE_AT, (uint32_t)good->size - 1},
        {XFF_COUNT_AT, 0},
        {XFF_COUNT_AT, 257},
        {XFF_COUNT_AT, 0xffffffff},
        {XFF_SECTIONS_AT, 0xffffffff},
        {XFF_SECTIONS_AT, 108},
        {XFF_POSITIONS_AT, 0xffffffff},
        {XFF_POSITIONS_AT, 0},
        {table + XFF_SECTION_SIZE + 8, 0xffffffff},
        {table + XFF_SECTION_SIZE + 28, 0xffffffff},
        {table + XFF_SECTION_SIZE + 28, 4},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct bytes bytes = bytes_copy(good->data, good->size);
        set_u32(&bytes, changes[i].at, changes[i].word);
        struct disc disc = scan(&bytes, WINDOW);
        require(disc.count == 0, "header", "change %zu is found", i);
        bytes_free(&bytes);
    }
    /* A section without bytes may be anywhere. */
    struct bytes bytes = bytes_copy(good->data, good->size);
    set_u32(&bytes, table + 8, 0x100000);
    set_u32(&bytes, table + 16, 8);
    struct disc disc = scan(&bytes, WINDOW);
    assert_int_equal(disc.count, 1);
    bytes_free(&bytes);
}

/* Headers that look good, one after the other, with a table far away that is wrong at its end: the
 * search has an end, and what was read until then is in proportion to what was searched. */
static void lures_have_an_end(void **state)
{
    (void)state;
    enum { SIZE = 4 << 20, TABLE = SIZE - 256 * XFF_SECTION_SIZE, LURES = TABLE / XFF_HEADER_SIZE };
    struct bytes bytes = {0};
    put_repeated(&bytes, 0, SIZE);
    for (uint32_t i = 0; i < LURES; i++) {
        const uint32_t at = i * XFF_HEADER_SIZE;
        memcpy(bytes.data + at, "xff2", 4);
        set_u32(&bytes, at + XFF_SIZE_AT, SIZE - at);
        set_u32(&bytes, at + XFF_COUNT_AT, 256);
        set_u32(&bytes, at + XFF_SECTIONS_AT, TABLE - at);
        set_u32(&bytes, at + XFF_POSITIONS_AT, XFF_HEADER_SIZE);
    }
    set_u32(&bytes, SIZE - XFF_SECTION_SIZE + 8, 1); /* the last section has a length, no offset */
    for (size_t window = WINDOW; window <= SIZE; window *= 32) {
        struct disc disc = {.bytes = &bytes};
        ossa_error error;
        assert_false(ossa__sotc_scan(read_disc, &disc, SIZE, NULL, note, window, &error));
        assert_int_equal(error.code, OSSA_CODE_LIMIT);
        assert_int_equal(disc.count, 0);
        require(disc.reads < 2000, "lures", "%zu reads", disc.reads);
    }
    bytes_free(&bytes);
}

/* Of a file that ends too early. */
static void the_last_may_be_cut_short(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-anb/every-flag");
    const size_t table = get_u32(&fixture->bytes, XFF_SECTIONS_AT) + 2 * XFF_SECTION_SIZE;
    for (size_t size = 0; size < fixture->bytes.size; size++) {
        struct bytes bytes = {0};
        put_text(&bytes, "before");
        put_bytes(&bytes, fixture->bytes.data, size);
        struct disc disc = scan(&bytes, 64);
        require(disc.count == (size < table ? 0 : 1), "cut", "%zu bytes: %zu", size, disc.count);
        if (disc.count == 1) assert_int_equal(disc.found[0].size, size);
        bytes_free(&bytes);
    }
}

/* One that says that it is 4 GiB hides nothing that follows. */
static void a_huge_size_hides_nothing(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-xff/other");
    struct bytes bytes = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    set_u32(&bytes, XFF_SIZE_AT, 0xffffffff);
    put_bytes(&bytes, fixture->bytes.data, fixture->bytes.size);
    struct disc disc = scan(&bytes, WINDOW);
    assert_int_equal(disc.count, 2);
    require_found(&disc, 0, 0, bytes.size, "xff", "sotc-xff");
    require_found(&disc, 1, fixture->bytes.size, fixture->bytes.size, "xff", "sotc-xff");
    bytes_free(&bytes);
}

static void files_of_hardly_anything(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    for (size_t size = 0; size < 8; size++) {
        struct disc disc = scan(&bytes, WINDOW);
        assert_int_equal(disc.count, 0);
        put_bytes(&bytes, &"xff2xff2"[size], 1);
    }
    bytes_free(&bytes);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void a_read_that_fails_ends_the_search(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    put_repeated(&bytes, 'a', 10 * 64);
    for (size_t n = 1; n <= 10; n++) {
        struct disc disc = {.bytes = &bytes, .fail_at = n};
        ossa_error error;
        assert_false(ossa__sotc_scan(read_disc, &disc, bytes.size, NULL, note, 64, &error));
        assert_int_equal(error.code, OSSA_CODE_IO);
        assert_int_equal(disc.reads, n);
        assert_non_null(strstr(error.message, n == 1 ? "64 bytes at 0x0 " : "could not be read"));
        disc.fail_at = disc.reads + 1;
        assert_false(ossa__sotc_scan(read_disc, &disc, bytes.size, NULL, note, 64, NULL));
    }
    bytes_free(&bytes);
}

static void memory_comes_from_the_caller(void **state)
{
    (void)state;
    size_t offsets[KINDS];
    struct bytes bytes = make_disc(offsets);
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting), .max_memory = 1};
    struct disc disc = {.bytes = &bytes};
    ossa_error error;
    assert_true(ossa_sotc_scan(read_disc, &disc, bytes.size, &options, note, &error));
    assert_int_equal(disc.count, KINDS);
    assert_int_equal(counting.live, 0);
    assert_true(counting.peak < 5 << 20);
    counting = (struct counting){.fail_at = 1};
    assert_false(ossa_sotc_scan(read_disc, &disc, bytes.size, &options, note, &error));
    assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
    assert_int_equal(counting.live, 0);
    bytes_free(&bytes);
}

TEST_GROUP(test_sotc_scan)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_found_with_any_window),
        cmocka_unit_test(what_is_found_can_be_read),
        cmocka_unit_test(one_is_found_by_its_offset),
        cmocka_unit_test(containers_in_containers),
        cmocka_unit_test(names_are_those_of_symbols),
        cmocka_unit_test(signatures_alone_are_nothing),
        cmocka_unit_test(headers_that_cannot_be),
        cmocka_unit_test(lures_have_an_end),
        cmocka_unit_test(the_last_may_be_cut_short),
        cmocka_unit_test(a_huge_size_hides_nothing),
        cmocka_unit_test(files_of_hardly_anything),
        cmocka_unit_test(a_read_that_fails_ends_the_search),
        cmocka_unit_test(memory_comes_from_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
