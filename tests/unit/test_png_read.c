/* SPDX-License-Identifier: MIT
 *
 * PNGs as pixels: every kind of them, and hostile ones. */
#include "support/counting.h"
#include "support/png_fixture.h"
#include "support/testing.h"

#include "ossa/export.h"

#include <stdlib.h>
#include <string.h>

#ifdef OSSA_WITH_PNG

static ossa_texture *read_png(const struct bytes *png)
{
    ossa_error error;
    ossa_texture *texture = ossa_read_png(png->data, png->size, NULL, &error);
    require(texture != NULL, "png", "%s", error.message);
    return texture;
}

/* ---- kinds --------------------------------------------------------------------------------- */

/* One row of pixels of a kind, given as its bytes, and what they are. */
static void require_row(const struct png_kind *kind, const char *row, size_t row_size,
                        const char *palette, size_t palette_size, const char *alpha,
                        size_t alpha_size, const char *expected)
{
    struct bytes png = begin_png(kind);
    uint8_t raw[64] = {0};
    if (palette_size > 0) put_chunk(&png, "PLTE", palette, palette_size);
    if (alpha_size > 0) put_chunk(&png, "tRNS", alpha, alpha_size);
    memcpy(raw + 1, row, row_size);
    end_png(&png, raw, row_size + 1);
    ossa_texture *texture = read_png(&png);
    assert_int_equal(texture->width, kind->width);
    assert_int_equal(texture->height, 1);
    assert_memory_equal(texture->pixels, expected, 4 * (size_t)kind->width);
    ossa_texture_free(texture);
    bytes_free(&png);
}

static void every_kind_is_read(void **state)
{
    (void)state;
    const struct png_kind bit = {3, 1, 1, PNG_GREY, 0};
    require_row(&bit, "\xa0", 1, NULL, 0, NULL, 0, "\xff\xff\xff\xff\0\0\0\xff\xff\xff\xff\xff");
    const struct png_kind two_bits = {2, 1, 2, PNG_GREY, 0};
    require_row(&two_bits, "\x60", 1, NULL, 0, NULL, 0, "\x55\x55\x55\xff\xaa\xaa\xaa\xff");
    const struct png_kind four_bits = {2, 1, 4, PNG_GREY, 0};
    require_row(&four_bits, "\x1f", 1, NULL, 0, "\0\1", 2, "\x11\x11\x11\0\xff\xff\xff\xff");
    const struct png_kind grey = {2, 1, 8, PNG_GREY, 0};
    require_row(&grey, "\x12\xfe", 2, NULL, 0, NULL, 0, "\x12\x12\x12\xff\xfe\xfe\xfe\xff");
    const struct png_kind grey16 = {2, 1, 16, PNG_GREY, 0};
    require_row(&grey16, "\x12\x12\x7f\xff", 4, NULL, 0, NULL, 0,
                "\x12\x12\x12\xff\x7f\x7f\x7f\xff");
    const struct png_kind rgb = {2, 1, 8, PNG_RGB, 0};
    require_row(&rgb, "\1\2\3\4\5\6", 6, NULL, 0, "\0\4\0\5\0\6", 6, "\1\2\3\xff\4\5\6\0");
    const struct png_kind rgb16 = {1, 1, 16, PNG_RGB, 0};
    require_row(&rgb16, "\1\1\2\2\xff\xff", 6, NULL, 0, NULL, 0, "\1\2\xff\xff");
    const struct png_kind palette = {2, 1, 4, PNG_PALETTE, 0};
    require_row(&palette, "\x10", 1, "\1\2\3\4\5\6", 6, "\x80", 1, "\4\5\6\xff\1\2\3\x80");
    const struct png_kind grey_alpha = {2, 1, 8, PNG_GREY_ALPHA, 0};
    require_row(&grey_alpha, "\1\2\3\4", 4, NULL, 0, NULL, 0, "\1\1\1\2\3\3\3\4");
    const struct png_kind grey_alpha16 = {1, 1, 16, PNG_GREY_ALPHA, 0};
    require_row(&grey_alpha16, "\1\1\xff\xff", 4, NULL, 0, NULL, 0, "\1\1\1\xff");
    const struct png_kind rgba16 = {1, 1, 16, PNG_RGBA, 0};
    require_row(&rgba16, "\1\1\2\2\3\3\4\4", 8, NULL, 0, NULL, 0, "\1\2\3\4");
}

enum { SIDE = 11 };

static void fill(uint8_t (*pixels)[4], uint32_t seed)
{
    struct random random = {seed};
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        for (unsigned c = 0; c < 4; c++) pixels[i][c] = (uint8_t)(next_random(&random) >> 8);
    }
}

static void interlaced_or_not(void **state)
{
    (void)state;
    uint8_t pixels[SIDE * SIDE][4];
    fill(pixels, 5);
    for (unsigned interlaced = 0; interlaced < 2; interlaced++) {
        struct bytes png = make_rgba_png(SIDE, SIDE, (const uint8_t(*)[4])pixels, interlaced != 0);
        ossa_texture *texture = read_png(&png);
        assert_string_equal(texture->name, "texture");
        assert_memory_equal(texture->pixels, pixels, sizeof pixels);
        ossa_texture_free(texture);
        bytes_free(&png);
    }
}

/* Also alpha 0 with a colour, which some programs drop. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    uint8_t pixels[SIDE * SIDE][4];
    const ossa_options options = {.name = "skin"};
    fill(pixels, 6);
    for (unsigned opaque = 0; opaque < 2; opaque++) {
        ossa_buffer buffer = {0};
        for (unsigned i = 0; i < SIDE * SIDE && opaque; i++) pixels[i][3] = 255;
        const ossa_texture texture = {"x", SIDE, SIDE, (const uint8_t(*)[4])pixels};
        assert_true(ossa_write_png(&texture, NULL, ossa_buffer_sink(&buffer), NULL));
        assert_true(ossa_is_png(buffer.data, buffer.size));
        ossa_texture *read = ossa_read_png(buffer.data, buffer.size, &options, NULL);
        assert_non_null(read);
        assert_string_equal(read->name, "skin");
        assert_memory_equal(read->pixels, pixels, sizeof pixels);
        ossa_texture_free(read);
        ossa_buffer_free(&buffer);
    }
    ossa_texture_free(NULL);
}

/* ---- hostile ones -------------------------------------------------------------------------- */

static void require_refused(const struct bytes *png, const ossa_options *options, ossa_code code,
                            const char *message)
{
    ossa_error error;
    assert_null(ossa_read_png(png->data, png->size, options, &error));
    require(error.code == code, message, "%s: %s", ossa_code_name(error.code), error.message);
    require(strstr(error.message, message) != NULL, message, "%s", error.message);
    assert_string_equal(error.format, "png");
}

static void sizes_are_refused_before_there_is_memory(void **state)
{
    (void)state;
    const struct {
        struct png_kind kind;
        ossa_code code;
    } cases[] = {
        {{1000000, 1000000, 8, PNG_RGBA, 0}, OSSA_CODE_BAD_COUNT},
        {{1000000, 1000, 1, PNG_GREY, 1}, OSSA_CODE_BAD_COUNT},
        {{1, 1000000, 1, PNG_GREY, 0}, OSSA_CODE_BAD_COUNT},
        {{2000000, 1, 1, PNG_GREY, 0}, OSSA_CODE_BAD_VALUE}, /* libpng's limit, which we set */
        {{0, 1, 8, PNG_RGBA, 0}, OSSA_CODE_BAD_VALUE},
        {{1, 1, 3, PNG_RGBA, 0}, OSSA_CODE_BAD_VALUE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct counting counting = {0};
        const ossa_options options = {.allocator = counting_allocator(&counting)};
        struct bytes png = begin_png(&cases[i].kind);
        const uint8_t raw[64] = {0};
        end_png(&png, raw, sizeof raw);
        require_refused(&png, &options, cases[i].code, "");
        require(counting.peak < 1 << 20, "png", "case %zu took %zu bytes", i, counting.peak);
        assert_int_equal(counting.live, 0);
        bytes_free(&png);
    }
    /* A limit on the pixels, and on the file. */
    uint8_t pixels[SIDE * SIDE][4];
    fill(pixels, 7);
    struct bytes png = make_rgba_png(SIDE, SIDE, (const uint8_t(*)[4])pixels, false);
    const ossa_options enough = {.max_input = png.size};
    const ossa_options least = {.max_input = 100};
    ossa_texture *texture = ossa_read_png(png.data, png.size, &enough, NULL);
    assert_non_null(texture);
    ossa_texture_free(texture);
    require_refused(&png, &least, OSSA_CODE_TOO_LARGE, "limit of 100 bytes");
    struct bytes bit = begin_png(&(struct png_kind){100, 1, 1, PNG_GREY, 0});
    const uint8_t row[14] = {0};
    end_png(&bit, row, sizeof row);
    const ossa_options few = {.max_input = 399};
    require_refused(&bit, &few, OSSA_CODE_LIMIT, "100 x 1 pixels");
    bytes_free(&bit);
    bytes_free(&png);
}

/* By its header: a picture that is put into a texture of another size. */
static void sizes_that_a_texture_cannot_have(void **state)
{
    (void)state;
    const struct {
        const char *fixture;
        uint32_t width;
        uint32_t height;
        const char *message;
    } cases[] = {
        {"ei-mmp/5650", 4097, 4000, "the picture has 4097 x 4000 pixels, but the texture 8 x 4: "},
        {"ei-mmp/unknown-fourcc", 4000, 4000, "is not known, so no texels can be made"},
        {"sotc-nto/plain-8", 4000, 4000, "the picture has 4000 x 4000 pixels, but the texture "},
        {"ei-bon/eight", 4000, 4000, "no pixels to replace"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct counting counting = {0};
        const ossa_options options = {.allocator = counting_allocator(&counting)};
        const struct png_kind kind = {cases[i].width, cases[i].height, 8, PNG_RGBA, 0};
        struct bytes png = begin_png(&kind);
        const uint8_t raw[64] = {0};
        end_png(&png, raw, sizeof raw);
        ossa_file *file = read_fixture(fixture_find(cases[i].fixture));
        ossa_buffer buffer = {0};
        ossa_error error;
        assert_false(ossa_repaint_png(file, png.data, png.size, &options, ossa_buffer_sink(&buffer),
                                      &error));
        require(strstr(error.message, cases[i].message) != NULL, cases[i].fixture, "%s",
                error.message);
        assert_string_equal(error.format, file->format->id);
        require(counting.peak < 1 << 20, cases[i].fixture, "took %zu bytes", counting.peak);
        assert_int_equal(counting.live, 0);
        assert_int_equal(buffer.size, 0);
        ossa_file_free(file);
        bytes_free(&png);
    }
}

static void damage_is_reported(void **state)
{
    (void)state;
    uint8_t pixels[SIDE * SIDE][4];
    fill(pixels, 8);
    for (unsigned interlaced = 0; interlaced < 2; interlaced++) {
        struct bytes png = make_rgba_png(SIDE, SIDE, (const uint8_t(*)[4])pixels, interlaced != 0);
        const size_t size = png.size;
        for (png.size = 0; png.size < size; png.size++) {
            ossa_error error;
            assert_null(ossa_read_png(png.data, png.size, NULL, &error));
            assert_int_equal(error.code, png.size < 8 ? OSSA_CODE_BAD_MAGIC : OSSA_CODE_TRUNCATED);
        }
        /* Each byte patched: refused, or harmless; critical chunks have a checksum. */
        size_t accepted = 0;
        for (size_t i = 0; i < size; i++) {
            png.data[i] ^= 0x41;
            ossa_texture *texture = ossa_read_png(png.data, size, NULL, NULL);
            if (texture != NULL) accepted++;
            ossa_texture_free(texture);
            png.data[i] ^= 0x41;
        }
        require(accepted < 30, "png", "%zu patches were accepted", accepted);
        bytes_free(&png);
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    uint8_t pixels[SIDE * SIDE][4];
    fill(pixels, 9);
    struct bytes png = make_rgba_png(SIDE, SIDE, (const uint8_t(*)[4])pixels, true);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct counting counting = {.fail_at = n};
        const ossa_options options = {.allocator = counting_allocator(&counting)};
        ossa_error error;
        ossa_texture *texture = ossa_read_png(png.data, png.size, &options, &error);
        done = !counting.failed;
        assert_int_equal(texture != NULL, done);
        if (texture == NULL) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        ossa_texture_free(texture);
        assert_int_equal(counting.live, 0);
    }
    bytes_free(&png);
}

/* Texts are not unpacked, whatever they say, and unknown chunks are skipped. */
static void other_chunks_do_not_matter(void **state)
{
    (void)state;
    const struct png_kind kind = {1, 1, 8, PNG_RGBA, 0};
    struct bytes png = begin_png(&kind);
    put_chunk(&png, "zTXt", "a\0\0damaged", 10);
    put_chunk(&png, "iCCP", "b\0\0damaged", 10);
    put_chunk(&png, "gAMA", "\0\0\xb1\x8f", 4);
    put_chunk(&png, "prVt", "anything", 8);
    end_png(&png, (const uint8_t *)"\0\1\2\3\4", 5);
    ossa_texture *texture = read_png(&png);
    assert_memory_equal(texture->pixels, "\1\2\3\4", 4);
    ossa_texture_free(texture);
    put_bytes(&png, "behind the end", 14);
    texture = read_png(&png);
    ossa_texture_free(texture);
    bytes_free(&png);
}

TEST_GROUP(test_png_read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(interlaced_or_not),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(sizes_are_refused_before_there_is_memory),
        cmocka_unit_test(sizes_that_a_texture_cannot_have),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(other_chunks_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void it_says_that_it_cannot(void **state)
{
    (void)state;
    ossa_error error;
    assert_null(ossa_read_png("x", 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "libpng"));
}

TEST_GROUP(test_png_read)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_says_that_it_cannot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
