/* SPDX-License-Identifier: MIT */
#include "support/nto_fixture.h"
#include "support/testing.h"
#include "formats/shadow_of_the_colossus/sotc_swizzle.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the graphics memory ------------------------------------------------------------------- */

/* The order of blocks in a page, of 32- and 8-bit texels and of 4-bit ones, and of words in a
 * column, as the chip's manual lists them. */
static const uint8_t blocks_32[4][8] = {{0, 1, 4, 5, 16, 17, 20, 21},
                                        {2, 3, 6, 7, 18, 19, 22, 23},
                                        {8, 9, 12, 13, 24, 25, 28, 29},
                                        {10, 11, 14, 15, 26, 27, 30, 31}};
static const uint8_t blocks_4[4][4] = {
    {0, 2, 8, 10}, {1, 3, 9, 11}, {4, 6, 12, 14}, {5, 7, 13, 15}};
static const uint8_t words[2][8] = {{0, 1, 4, 5, 8, 9, 12, 13}, {2, 3, 6, 7, 10, 11, 14, 15}};

/* Addresses of words: 2048 per page, 64 per block, 16 per column. */
static uint32_t address_32(uint32_t x, uint32_t y, uint32_t pages)
{
    uint32_t page = y / 32 * pages + x / 64;
    uint32_t block = blocks_32[y / 8 % 4][x / 8 % 8];
    return page * 2048 + block * 64 + y / 2 % 4 * 16 + words[y % 2][x % 8];
}

/* The word of a texel, and its position in that. */
static uint32_t address_of(unsigned bits, uint32_t width, uint32_t x, uint32_t y, uint32_t *part)
{
    uint32_t pages = width < 128 ? 1 : width / 128;
    uint32_t column = y / 4 % 4;
    uint32_t in_column = y % 4;
    uint32_t word = (in_column / 2 + column) % 2 == 1 ? (x % 8) ^ 4 : x % 8;
    uint32_t page = y / (bits == 8 ? 64 : 128) * pages + x / 128;
    uint32_t block = bits == 8 ? blocks_32[y / 16 % 4][x / 16 % 8]
                               : 16 * (y / 64 % 2) + blocks_4[y / 16 % 4][x / 32 % 4];
    *part = 2 * (x / 8 % (bits == 8 ? 2 : 4)) + in_column / 2;
    return page * 2048 + block * 64 + column * 16 + words[in_column % 2][word];
}

/* Send numbered words to the memory and look where the texels find them. */
static void require_memory(unsigned bits, uint32_t width, uint32_t height)
{
    uint32_t words_wide = bits == 8 ? width / 2 : height / 2;
    uint32_t words_high = bits == 8 ? height / 2 : width / 4;
    uint32_t pages = words_wide < 64 ? 1 : words_wide / 64;
    uint32_t room = 2048 * pages * ((words_high + 31) / 32);
    uint32_t *memory = malloc(sizeof *memory * room);
    uint8_t *used = calloc(1, (size_t)width * height);
    assert_non_null(memory);
    assert_non_null(used);
    memset(memory, 0xff, sizeof *memory * room);
    for (uint32_t y = 0; y < words_high; y++) {
        for (uint32_t x = 0; x < words_wide; x++) {
            memory[address_32(x, y, pages)] = y * words_wide + x;
        }
    }
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t part;
        uint32_t x = i % width;
        uint32_t y = i / width;
        uint32_t address = address_of(bits, width, x, y, &part);
        assert_true(address < room);
        uint32_t wanted = memory[address] * (32 / bits) + part;
        uint32_t found = ossa__sotc_swizzled(bits, width, height, x, y);
        require(found == wanted, "swizzle", "%u bits, %u x %u: %u, %u is at %u, not %u", bits,
                width, height, x, y, found, wanted);
        require(found < width * height && used[found] == 0, "swizzle", "%u is used twice", found);
        used[found] = 1;
        uint32_t rest = x % 256;
        assert_int_equal(found, ossa__sotc_swizzled(bits, width, height, x - rest, y) ^
                                    ossa__sotc_swizzled(bits, width, height, rest, 0));
    }
    free(memory);
    free(used);
}

static void texels_are_where_the_memory_has_them(void **state)
{
    (void)state;
    for (uint32_t width = 4; width <= 10; width++) {
        for (uint32_t height = 2; height <= 10; height++) {
            for (unsigned bits = 4; bits <= 8; bits += 4) {
                bool can = bits == 8 || (width >= 5 && height >= 4);
                assert_int_equal(ossa__sotc_can_swizzle(bits, 1U << width, 1U << height), can);
                if (can) require_memory(bits, 1U << width, 1U << height);
            }
        }
    }
    assert_false(ossa__sotc_can_swizzle(8, 8, 64));
    assert_false(ossa__sotc_can_swizzle(8, 64, 2));
    assert_false(ossa__sotc_can_swizzle(4, 16, 64));
    assert_false(ossa__sotc_can_swizzle(4, 64, 8));
}

/* ---- vectors ------------------------------------------------------------------------------- */

static unsigned digit_of(char character)
{
    return (unsigned)(character <= '9' ? character - '0' : character - 'a' + 10);
}

static void require_pixels(const char *name, const json_t *rows, const ossa_sotc_nto *nto,
                           uint32_t level, const uint32_t sides[2])
{
    uint32_t size[2];
    require(ossa_sotc_pixels(nto, level, sides, NULL, NULL, size), name, "level %u", level);
    assert_int_equal(json_array_size(rows), size[1]);
    uint8_t(*pixels)[4] = malloc((size_t)size[0] * size[1] * 4);
    assert_non_null(pixels);
    assert_true(ossa_sotc_pixels(nto, level, sides, NULL, pixels, NULL));
    for (uint32_t y = 0; y < size[1]; y++) {
        const char *row = json_string_value(json_array_get(rows, y));
        assert_int_equal(strlen(row), 8 * (size_t)size[0]);
        for (uint32_t i = 0; i < 4 * size[0]; i++) {
            unsigned wanted = digit_of(row[2 * i]) << 4 | digit_of(row[2 * i + 1]);
            unsigned found = pixels[y * size[0] + i / 4][i % 4];
            require(found == wanted, name, "level %u, pixel %u, %u: %u, not %u", level, i / 4, y,
                    found, wanted);
        }
    }
    free(pixels);
}

static void require_facts(const char *name, const json_t *data, const ossa_sotc_nto *nto)
{
    uint32_t sides[2] = {(uint32_t)json_integer_value(json_object_get(data, "width")),
                         (uint32_t)json_integer_value(json_object_get(data, "height"))};
    bool needs_sides = json_is_true(json_object_get(data, "sides_by_TEX"));
    const json_t *levels = json_object_get(data, "levels");
    const json_t *swizzled = json_object_get(data, "swizzled");
    const json_t *test = json_object_get(data, "alpha_test");
    const char *text = json_string_value(json_object_get(data, "name"));
    assert_int_equal(nto->name_size, strlen(text));
    assert_memory_equal(nto->name, text, nto->name_size);
    text = json_string_value(json_object_get(data, "kind"));
    assert_int_equal(nto->kind, strcmp(text, "rgba32") == 0  ? OSSA_SOTC_TEXELS_RGBA32
                                : strcmp(text, "8-bit") == 0 ? OSSA_SOTC_TEXELS_8
                                                             : OSSA_SOTC_TEXELS_4);
    assert_int_equal(nto->alpha_test, json_integer_value(json_array_get(test, 0)));
    assert_int_equal(nto->alpha_reference, json_integer_value(json_array_get(test, 1)));
    assert_int_equal(nto->alpha_fail, json_integer_value(json_array_get(test, 2)));
    assert_int_equal(nto->level_count, json_array_size(levels));
    for (uint32_t i = 0; i < nto->level_count; i++) {
        assert_int_equal(nto->levels[i].is_swizzled, json_is_true(json_array_get(swizzled, i)));
        require_pixels(name, json_array_get(levels, i), nto, i, needs_sides ? sides : NULL);
    }
}

static void require_vector(const char *name)
{
    char path[128];
    json_error_t error;
    (void)snprintf(path, sizeof path, "vectors/sotc-models/%s.nto", name);
    struct bytes bytes = load_test_file(path);
    (void)snprintf(path, sizeof path, "vectors/sotc-models/%s.nto.json", name);
    struct bytes text = load_test_file(path);
    json_t *expected = json_loadb((const char *)text.data, text.size, 0, &error);
    assert_non_null(expected);
    ossa_file *file = read_or_fail(name, bytes.data, bytes.size, NULL);
    assert_string_equal(file->format->id, "sotc-nto");
    assert_int_equal(file->issue_count, 0);
    const json_t *data = json_object_get(expected, "data");
    require_facts(name, data, ossa_as_sotc_nto(file));
    struct bytes described = describe_json_or_fail(name, file);
    bool is_csm1 = strstr((const char *)described.data, "csm1") != NULL;
    const char *order = json_string_value(json_object_get(data, "palette_order"));
    assert_int_equal(is_csm1, strcmp(order, "csm1") == 0);
    require_written(name, file, bytes.data, bytes.size);
    require_rebuilt(name, file, OSSA_JSON_STYLE_LINE, bytes.data, bytes.size);
    bytes_free(&described);
    ossa_file_free(file);
    json_decref(expected);
    bytes_free(&text);
    bytes_free(&bytes);
}

static void vectors_mean_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"plain4", "swz4", "wide4", "tall4", "levels4",
                                        "plain8", "swz8", "csm8",  "rgba32"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) require_vector(names[i]);
}

/* ---- values -------------------------------------------------------------------------------- */

static ossa_file *make_file(const struct nto_plan *plan, struct bytes *bytes)
{
    struct nto_places places;
    *bytes = make_nto(plan, &places);
    return read_or_fail("made", bytes->data, bytes->size, NULL);
}

static void alpha_is_opaque_from_0x80(void **state)
{
    (void)state;
    static const uint8_t texels[16] = {1, 2, 3, 0, 4, 5, 6, 1, 7, 8, 9, 0x7f, 10, 11, 12, 0xff};
    static const uint8_t wanted[4][4] = {
        {1, 2, 3, 0}, {4, 5, 6, 2}, {7, 8, 9, 253}, {10, 11, 12, 255}};
    struct nto_plan plan = {.seed = 1, .kind = NTO_RGBA32, .width = 2, .texels = texels};
    struct bytes bytes;
    ossa_file *file = make_file(&plan, &bytes);
    uint8_t pixels[4][4];
    assert_true(ossa_sotc_pixels(ossa_as_sotc_nto(file), 0, NULL, NULL, pixels, NULL));
    assert_memory_equal(pixels, wanted, sizeof wanted);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* The low half of a byte is the left texel. */
static void sides_and_levels_are_those_asked_for(void **state)
{
    (void)state;
    static const uint8_t texels[5] = {0x10, 0x32, 0x54, 0x76, 0x98};
    uint8_t palette[16][4];
    for (unsigned i = 0; i < 16; i++) memset(palette[i], (int)(i * 8), 4);
    struct nto_plan plan = {.seed = 1,
                            .kind = NTO_4,
                            .width = 2,
                            .height = 1,
                            .levels = 2,
                            .texels = texels,
                            .palette = (const uint8_t(*)[4])palette};
    struct bytes bytes;
    ossa_file *file = make_file(&plan, &bytes);
    const ossa_sotc_nto *nto = ossa_as_sotc_nto(file);
    const ossa_sotc_options high = {.sides = OSSA_SOTC_SIDES_HIGH};
    uint8_t pixels[8][4];
    uint32_t size[2];
    assert_true(ossa_sotc_pixels(nto, 0, NULL, NULL, pixels, size));
    assert_int_equal(size[0], 4);
    assert_int_equal(size[1], 2);
    for (unsigned i = 0; i < 8; i++) assert_int_equal(pixels[i][0], 8 * i);
    assert_true(ossa_sotc_pixels(nto, 1, NULL, NULL, pixels, size));
    assert_int_equal(size[0], 2);
    assert_int_equal(size[1], 1);
    assert_int_equal(pixels[1][0], 8 * 9);
    assert_true(ossa_sotc_pixels(nto, 0, NULL, &high, NULL, size));
    assert_int_equal(size[0], 2);
    assert_int_equal(size[1], 4);
    assert_true(ossa_sotc_pixels(nto, 0, (const uint32_t[]){2, 4}, NULL, NULL, size));
    assert_int_equal(size[0], 2);
    assert_true(ossa_sotc_pixels(nto, 0, (const uint32_t[]){4, 2}, &high, NULL, size));
    assert_int_equal(size[0], 4);
    assert_false(ossa_sotc_pixels(nto, 0, (const uint32_t[]){4, 4}, NULL, NULL, size));
    assert_false(ossa_sotc_pixels(nto, 0, (const uint32_t[]){8, 1}, NULL, NULL, size));
    assert_false(ossa_sotc_pixels(nto, 2, NULL, NULL, NULL, size));
    assert_false(ossa_sotc_pixels(nto, 40, NULL, NULL, NULL, size));
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* A swizzled level decides which side is the width, if it is too small the other way. */
static void swizzled_levels_decide_the_width(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-nto/swizzled-tall"));
    const ossa_sotc_nto *nto = ossa_as_sotc_nto(file);
    const uint32_t wrong[2] = {32, 64};
    uint32_t size[2];
    assert_true(ossa_sotc_pixels(nto, 1, NULL, NULL, NULL, size));
    assert_int_equal(size[0], 32);
    assert_int_equal(size[1], 16);
    assert_true(ossa_sotc_pixels(nto, 0, wrong, NULL, NULL, NULL));
    assert_false(ossa_sotc_pixels(nto, 1, wrong, NULL, NULL, NULL));
    ossa_file_free(file);
}

/* 256 shades in a row, in both orders: smoothness finds the right one, and options go before it. */
static void the_smoother_order_of_a_palette_is_taken(void **state)
{
    (void)state;
    uint8_t texels[256];
    uint8_t palettes[2][256][4];
    for (unsigned i = 0; i < 256; i++) {
        unsigned exchanged = (i & 0x18) == 0x08 || (i & 0x18) == 0x10 ? i ^ 0x18 : i;
        texels[i] = (uint8_t)i;
        memset(palettes[0][i], (int)i, 4);
        memset(palettes[1][i], (int)exchanged, 4);
    }
    for (unsigned is_csm1 = 0; is_csm1 < 2; is_csm1++) {
        struct nto_plan plan = {.seed = 1,
                                .kind = NTO_8,
                                .width = 8,
                                .texels = texels,
                                .palette = (const uint8_t(*)[4])palettes[is_csm1]};
        struct bytes bytes;
        ossa_file *file = make_file(&plan, &bytes);
        const ossa_sotc_nto *nto = ossa_as_sotc_nto(file);
        const ossa_sotc_options orders[] = {{.palette = OSSA_SOTC_PALETTE_SMOOTH},
                                            {.palette = OSSA_SOTC_PALETTE_PLAIN},
                                            {.palette = OSSA_SOTC_PALETTE_CSM1}};
        uint8_t pixels[256][4];
        for (unsigned i = 0; i < 3; i++) {
            assert_true(ossa_sotc_pixels(nto, 0, NULL, &orders[i], pixels, NULL));
            bool is_right = i == 0 || i == is_csm1 + 1;
            assert_int_equal(pixels[8][0], is_right ? 8 : 16);
            assert_int_equal(pixels[16][0], is_right ? 16 : 8);
            assert_int_equal(pixels[31][0], 31);
        }
        ossa_file_free(file);
        bytes_free(&bytes);
    }
}

/* ---- errors -------------------------------------------------------------------------------- */

static void what_has_errors_has_no_pixels(void **state)
{
    (void)state;
    static const char *const names[] = {"no-levels", "unknown-kind", "too-small-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "sotc-nto/%s", names[i]);
        ossa_file *file = read_fixture(fixture_find(name));
        require(!ossa_sotc_pixels(ossa_as_sotc_nto(file), 0, NULL, NULL, NULL, NULL), name,
                "has pixels");
        ossa_file_free(file);
    }
}

/* Every value of every byte of the header that matters: what can be read is decoded into just as
 * much memory as it needs, with both readings of the sides and both orders, and painted. */
static void any_header_stays_within_bounds(void **state)
{
    (void)state;
    static const char *const names[] = {"swizzled-4", "swizzled-8", "rgba-levels"};
    static const ossa_sotc_options options[] = {
        {.sides = OSSA_SOTC_SIDES_LOW},
        {.sides = OSSA_SOTC_SIDES_HIGH, .palette = OSSA_SOTC_PALETTE_CSM1}};
    size_t decoded = 0;
    for (size_t i = 0; i < 3 * (size_t)12 * 256; i++) {
        char name[64];
        size_t at = NTO_PIXELS_AT + i / 256 % 12;
        (void)snprintf(name, sizeof name, "sotc-nto/%s", names[i / 256 / 12]);
        const struct fixture *fixture = fixture_find(name);
        struct bytes bytes = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        set_u8(&bytes, 0x110 + at, (uint32_t)(i % 256));
        const ossa_options read = {.format = "sotc-nto"};
        ossa_file *file = ossa_read(bytes.data, bytes.size, &read, NULL);
        const ossa_sotc_nto *nto = file == NULL ? NULL : ossa_as_sotc_nto(file);
        for (uint32_t level = 0; nto != NULL && level < 16; level++) {
            for (size_t k = 0; k < 2; k++) {
                uint32_t size[2];
                if (!ossa_sotc_pixels(nto, level, NULL, &options[k], NULL, size)) continue;
                uint8_t(*pixels)[4] = malloc((size_t)size[0] * size[1] * 4);
                assert_non_null(pixels);
                assert_true(ossa_sotc_pixels(nto, level, NULL, &options[k], pixels, NULL));
                decoded++;
                pixels[0][0] ^= 1;
                const ossa_texture texture = {"t", size[0], size[1], (const uint8_t(*)[4])pixels};
                ossa_buffer buffer = {0};
                ossa_error error;
                (void)ossa_repaint(file, &texture, NULL, ossa_buffer_sink(&buffer), &error);
                ossa_buffer_free(&buffer);
                free(pixels);
            }
        }
        ossa_file_free(file);
        bytes_free(&bytes);
    }
    assert_true(decoded > 5000);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void changed_bytes_change_only_themselves(void **state)
{
    (void)state;
    struct nto_plan plan = {.seed = 5, .kind = NTO_8, .width = 2, .height = 1, .levels = 2};
    struct nto_places places;
    struct bytes bytes = make_nto(&plan, &places);
    ossa_file *file = read_or_fail("made", bytes.data, bytes.size, NULL);
    ossa_sotc_nto *nto = ossa_as_sotc_nto(file);
    ossa_sotc_level levels[2] = {nto->levels[0], nto->levels[1]};
    const uint8_t texels[2] = {1, 2};
    uint8_t palette[256][4];
    uint8_t header[OSSA_SOTC_NTO_HEADER];
    memcpy(palette, nto->palette, sizeof palette);
    memcpy(header, nto->header, sizeof header);
    palette[255][3] ^= 1;
    header[NTO_TEST_AT] = 6;
    levels[1].texels = texels;
    nto->levels = levels;
    nto->palette = (const uint8_t(*)[4])palette;
    nto->header = header;
    struct bytes expected = bytes_copy(bytes.data, bytes.size);
    set_u8(&expected, places.header + NTO_TEST_AT, 6);
    set_u8(&expected, places.texels + 8, 1);
    set_u8(&expected, places.texels + 9, 2);
    set_u8(&expected, places.palette + 1023, palette[255][3]);
    require_written("made", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void files_are_described(void **state)
{
    (void)state;
    require_described("sotc-nto/swizzled-4", "4 bits: 16 colours");
    require_described("sotc-nto/swizzled-4", "which side is the width is not known");
    require_described("sotc-nto/swizzled-4", "at least 64");
    require_described("sotc-nto/swizzled-4", "linear, between levels");
    require_described("sotc-nto/plain-8", "the palette's order is not known");
    require_described("sotc-nto/rgba", "32 bits: red green blue alpha");
}

TEST_GROUP(test_sotc_nto)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_are_where_the_memory_has_them),
        cmocka_unit_test(vectors_mean_the_same),
        cmocka_unit_test(alpha_is_opaque_from_0x80),
        cmocka_unit_test(sides_and_levels_are_those_asked_for),
        cmocka_unit_test(swizzled_levels_decide_the_width),
        cmocka_unit_test(the_smoother_order_of_a_palette_is_taken),
        cmocka_unit_test(what_has_errors_has_no_pixels),
        cmocka_unit_test(any_header_stays_within_bounds),
        cmocka_unit_test(changed_bytes_change_only_themselves),
        cmocka_unit_test(files_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
