/* SPDX-License-Identifier: MIT
 *
 * Textures as PNG: what is written is read again by libpng. Bytes are compared only with bytes of
 * the same run, for another zlib packs otherwise. */
#include "support/counting.h"
#include "support/testing.h"

#include "export/png_plain.h"
#include "ossa/export.h"

#include <stdlib.h>
#include <string.h>

#ifdef OSSA_WITH_PNG

#include <png.h>

enum { COLOUR_TYPE_AT = 25, RGB = 2, RGB_ALPHA = 6 };

/* Pixels of no meaning; their alpha is anything, too, or always 255. */
static uint8_t (*make_pixels(uint32_t seed, uint32_t count, bool opaque))[4]
{
    uint8_t(*pixels)[4] = malloc((size_t)count * 4);
    struct random random = {seed};
    assert_non_null(pixels);
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 4; k++) pixels[i][k] = (uint8_t)(next_random(&random) >> 8);
        if (opaque) pixels[i][3] = 255;
    }
    return pixels;
}

static ossa_texture texture_of(uint32_t width, uint32_t height, uint8_t (*pixels)[4])
{
    return (ossa_texture){
        .name = "t", .width = width, .height = height, .pixels = (const uint8_t(*)[4])pixels};
}

static ossa_buffer write_or_complain(const ossa_texture *texture)
{
    ossa_buffer file = {0};
    ossa_error error;
    bool ok = ossa_write_png(texture, NULL, ossa_buffer_sink(&file), &error);
    require(ok, "png", "%s", error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    return file;
}

static void require_read_back(const ossa_buffer *file, const ossa_texture *texture)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, file->data, file->size));
    assert_int_equal(image.width, texture->width);
    assert_int_equal(image.height, texture->height);
    assert_false(image.warning_or_error);
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, texture->pixels, PNG_IMAGE_SIZE(image));
    free(pixels);
}

/* Nothing that changes from day to day: just what a PNG must have. */
static void require_plain_chunks(const ossa_buffer *file)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    assert_true(file->size > 8);
    assert_memory_equal(file->data, signature, 8);
    size_t at = 8;
    while (at < file->size) {
        const uint8_t *chunk = file->data + at;
        size_t size = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 |
                      (size_t)chunk[3];
        bool is_known = memcmp(chunk + 4, "IHDR", 4) == 0 || memcmp(chunk + 4, "IDAT", 4) == 0 ||
                        memcmp(chunk + 4, "IEND", 4) == 0;
        require(is_known, "png", "has a chunk %.4s", (const char *)chunk + 4);
        at += 12 + size;
    }
    assert_int_equal(at, file->size);
}

static void pixels_survive(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {4, 4}, {37, 21}, {256, 256}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned opaque = 0; opaque < 2; opaque++) {
            uint32_t count = sizes[i][0] * sizes[i][1];
            uint8_t(*pixels)[4] = make_pixels(301, count, opaque == 1);
            ossa_texture texture = texture_of(sizes[i][0], sizes[i][1], pixels);
            ossa_buffer file = write_or_complain(&texture);
            require_read_back(&file, &texture);
            require_plain_chunks(&file);
            assert_int_equal(file.data[COLOUR_TYPE_AT], opaque == 1 ? RGB : RGB_ALPHA);
            ossa_buffer again = write_or_complain(&texture);
            assert_int_equal(again.size, file.size);
            assert_memory_equal(again.data, file.data, file.size);
            ossa_buffer_free(&again);
            ossa_buffer_free(&file);
            free(pixels);
        }
    }
}

/* One pixel that is not quite opaque, the last, is enough. */
static void alpha_is_kept_where_there_is_any(void **state)
{
    (void)state;
    uint8_t(*pixels)[4] = make_pixels(302, 35, true);
    pixels[34][3] = 254;
    ossa_texture texture = texture_of(7, 5, pixels);
    ossa_buffer file = write_or_complain(&texture);
    assert_int_equal(file.data[COLOUR_TYPE_AT], RGB_ALPHA);
    require_read_back(&file, &texture);
    ossa_buffer_free(&file);
    free(pixels);
}

static void what_has_no_pixels_is_refused(void **state)
{
    (void)state;
    uint8_t pixel[1][4] = {{1, 2, 3, 4}};
    static const uint32_t sizes[][2] = {{0, 1}, {1, 0}, {0x80000000, 1}, {1, 0x80000000}};
    for (size_t i = 0; i <= sizeof sizes / sizeof sizes[0]; i++) {
        bool has_size = i < sizeof sizes / sizeof sizes[0];
        ossa_texture texture = texture_of(has_size ? sizes[i][0] : 1, has_size ? sizes[i][1] : 1,
                                          has_size ? pixel : NULL);
        ossa_buffer file = {0};
        ossa_error error;
        assert_false(ossa_write_png(&texture, NULL, ossa_buffer_sink(&file), &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
        assert_string_equal(error.message, "the texture has no pixels");
        assert_int_equal(file.size, 0);
        assert_false(ossa_write_png(&texture, NULL, ossa_buffer_sink(&file), NULL));
    }
}

/* ---- without packing ----------------------------------------------------------------------- */

/* Builds without libpng write this: another program reads the same pixels. */
static void plain_pictures_are_read_too(void **state)
{
    (void)state;
    /* One row of the last but one ends with a block; the last needs many. */
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {37, 21}, {21844, 3}, {300, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned opaque = 0; opaque < 2; opaque++) {
            uint8_t(*pixels)[4] = make_pixels(305, sizes[i][0] * sizes[i][1], opaque == 1);
            ossa_texture texture = texture_of(sizes[i][0], sizes[i][1], pixels);
            ossa_buffer file = {0};
            assert_true(ossa__write_plain_png(&texture, opaque == 1, ossa_buffer_sink(&file)));
            require_read_back(&file, &texture);
            require_plain_chunks(&file);
            assert_int_equal(file.data[COLOUR_TYPE_AT], opaque == 1 ? RGB : RGB_ALPHA);
            ossa_buffer_free(&file);
            free(pixels);
        }
    }
}

/* libpng does not mind a wrong one; other programs do. RFC 1950 defines it, and names its base. */
static uint32_t adler32_of(const uint8_t *bytes, size_t size)
{
    uint64_t a = 1;
    uint64_t b = 0;
    for (size_t i = 0; i < size; i++) {
        a += bytes[i];
        b = (b + a) % 65521;
    }
    return (uint32_t)(b << 16 | a % 65521);
}

static void the_checksum_of_the_rows_is_right(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {50, 7}, {300, 200}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t width = sizes[i][0];
        const uint32_t height = sizes[i][1];
        const size_t row = 1 + 4 * (size_t)width;
        uint8_t(*pixels)[4] = make_pixels(77, width * height, false);
        uint8_t *rows = malloc(row * height);
        assert_non_null(rows);
        for (uint32_t y = 0; y < height; y++) {
            rows[y * row] = 0;
            memcpy(rows + y * row + 1, pixels[(size_t)y * width], row - 1);
        }
        const uint32_t wanted = adler32_of(rows, row * height);
        ossa_texture texture = texture_of(width, height, pixels);
        ossa_buffer file = {0};
        assert_true(ossa__write_plain_png(&texture, false, ossa_buffer_sink(&file)));
        /* The last chunk but IEND is an IDAT of just the checksum, and has one of its own. */
        const uint8_t *sum = file.data + file.size - 12 - 4 - 4;
        assert_memory_equal(sum - 8, "\0\0\0\4IDAT", 8);
        const uint8_t bytes[4] = {(uint8_t)(wanted >> 24), (uint8_t)(wanted >> 16),
                                  (uint8_t)(wanted >> 8), (uint8_t)wanted};
        assert_memory_equal(sum, bytes, 4);
        ossa_buffer_free(&file);
        free(rows);
        free(pixels);
    }
}

/* ---- failures ------------------------------------------------------------------------------ */

struct tap {
    size_t left; /* bytes that it still takes */
};

static bool take_some(void *user, const void *bytes, size_t size)
{
    struct tap *tap = user;
    (void)bytes;
    if (size > tap->left) return false;
    tap->left -= size;
    return true;
}

static void a_sink_may_fail_at_any_byte(void **state)
{
    (void)state;
    uint8_t(*pixels)[4] = make_pixels(303, 400, false);
    ossa_texture texture = texture_of(20, 20, pixels);
    ossa_buffer whole = write_or_complain(&texture);
    for (size_t room = 0; room <= whole.size; room++) {
        struct counting counting = {0};
        struct tap tap = {room};
        ossa_export_options options = {.allocator = counting_allocator(&counting)};
        ossa_error error;
        bool ok = ossa_write_png(&texture, &options, (ossa_sink){take_some, &tap}, &error);
        assert_int_equal(ok, room == whole.size);
        assert_int_equal(error.code, ok ? OSSA_CODE_OK : OSSA_CODE_IO);
        assert_int_equal(counting.live, 0);
        assert_false(counting.wrong_release);
        assert_true(counting.calls > 0);
    }
    ossa_buffer_free(&whole);
    free(pixels);
}

static void a_plain_sink_may_fail_at_any_byte(void **state)
{
    (void)state;
    uint8_t(*pixels)[4] = make_pixels(303, 400, false);
    ossa_texture texture = texture_of(20, 20, pixels);
    ossa_buffer whole = {0};
    assert_true(ossa__write_plain_png(&texture, false, ossa_buffer_sink(&whole)));
    for (size_t room = 0; room <= whole.size; room++) {
        struct tap tap = {room};
        bool ok = ossa__write_plain_png(&texture, false, (ossa_sink){take_some, &tap});
        assert_int_equal(ok, room == whole.size);
    }
    ossa_buffer_free(&whole);
    free(pixels);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (unsigned opaque = 0; opaque < 2; opaque++) {
        uint8_t(*pixels)[4] = make_pixels(304, 400, opaque == 1);
        ossa_texture texture = texture_of(20, 20, pixels);
        size_t calls = 1;
        for (size_t n = 0; n <= calls; n++) {
            struct counting counting = {.fail_at = n};
            struct tap tap = {SIZE_MAX};
            ossa_export_options options = {.allocator = counting_allocator(&counting)};
            ossa_error error;
            bool ok = ossa_write_png(&texture, &options, (ossa_sink){take_some, &tap}, &error);
            require(ok == (n == 0), "png", "allocation %zu", n);
            assert_int_equal(error.code, ok ? OSSA_CODE_OK : OSSA_CODE_OUT_OF_MEMORY);
            require(counting.live == 0, "png", "%zu bytes leak when allocation %zu fails",
                    counting.live, n);
            assert_false(counting.wrong_release);
            if (n == 0) calls = counting.calls;
        }
        assert_true(calls > 5); /* libpng's own and zlib's */
        free(pixels);
    }
}

/* From the file of a game to a picture. */
static void a_decoded_texture_survives(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-mmp/dxt1-holes"));
    uint8_t pixels[16][4];
    assert_true(ossa_ei_mmp_decode(ossa_as_ei_mmp(file), 0, pixels, 16, NULL));
    ossa_texture texture = texture_of(4, 4, pixels);
    ossa_buffer png = write_or_complain(&texture);
    require_read_back(&png, &texture);
    ossa_buffer_free(&png);
    ossa_file_free(file);
}

TEST_GROUP(test_png)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_survive),
        cmocka_unit_test(alpha_is_kept_where_there_is_any),
        cmocka_unit_test(what_has_no_pixels_is_refused),
        cmocka_unit_test(plain_pictures_are_read_too),
        cmocka_unit_test(the_checksum_of_the_rows_is_right),
        cmocka_unit_test(a_plain_sink_may_fail_at_any_byte),
        cmocka_unit_test(a_sink_may_fail_at_any_byte),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_decoded_texture_survives),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}

#else

/* The pixels stand in the file as they are, and the checksums are those of the format. */
static void a_build_without_libpng_does_not_pack(void **state)
{
    (void)state;
    static const uint8_t pixel[1][4] = {{1, 2, 3, 4}};
    static const uint8_t wanted[] = {
        0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', /* signature */
        0,    0,   0,   13,  'I',  'H',  'D',  'R',  0,    0,    0,    1,    0,    0,    0, 1,
        8,    6,   0,   0,   0,    0x1f, 0x15, 0xc4, 0x89, /* IHDR */
        0,    0,   0,   2,   'I',  'D',  'A',  'T',  0x78, 0x01, 0xec, 0x1a, 0x7e, 0xd2, 0, 0,
        0,    10,  'I', 'D', 'A',  'T',  1,    5,    0,    0xfa, 0xff, 0,    1,    2,    3, 4};
    static const uint8_t sum[] = {0, 0, 0, 4, 'I', 'D', 'A', 'T', 0, 0x19, 0, 0x0b};
    const ossa_texture texture = {.name = "t", .width = 1, .height = 1, .pixels = pixel};
    ossa_buffer file = {0};
    ossa_error error;
    assert_true(ossa_write_png(&texture, NULL, ossa_buffer_sink(&file), &error));
    assert_true(file.size > sizeof wanted);
    assert_memory_equal(file.data, wanted, sizeof wanted);
    assert_int_equal(file.size, sizeof wanted + 4 + sizeof sum + 4 + 12);
    assert_memory_equal(file.data + sizeof wanted + 4, sum, sizeof sum);
    ossa_buffer_free(&file);
}

TEST_GROUP(test_png)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_build_without_libpng_does_not_pack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
