/* SPDX-License-Identifier: MIT
 *
 * Other pixels for textures of Shadow of the Colossus: what stays the same keeps its bytes, new
 * colours find room in the palette, and too many become those that come closest. */
#include "support/counting.h"
#include "support/nto_fixture.h"
#include "support/testing.h"

#include "formats/shadow_of_the_colossus/sotc_palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps --------------------------------------------------------------------------------- */

static uint8_t (*decode(const ossa_file *file, uint32_t level, uint32_t size[2]))[4]
{
    const ossa_sotc_nto *nto = ossa_as_sotc_nto((ossa_file *)(uintptr_t)file);
    assert_true(ossa_sotc_pixels(nto, level, NULL, NULL, NULL, size));
    uint8_t(*pixels)[4] = malloc((size_t)size[0] * size[1] * 4);
    assert_non_null(pixels);
    assert_true(ossa_sotc_pixels(nto, level, NULL, NULL, pixels, NULL));
    return pixels;
}

static struct bytes paint(const char *name, const ossa_file *file, uint32_t width, uint32_t height,
                          uint8_t (*pixels)[4])
{
    const ossa_texture texture = {"x", width, height, (const uint8_t(*)[4])pixels};
    ossa_buffer buffer = {0};
    ossa_error error;
    require(ossa_repaint(file, &texture, NULL, ossa_buffer_sink(&buffer), &error), name, "%s",
            error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

static struct fixture fixture_of(const char *name)
{
    char whole[64];
    (void)snprintf(whole, sizeof whole, "sotc-nto/%s", name);
    return *fixture_find(whole);
}

/* Bytes that differ in a part of two files of the same size. */
static size_t count_changes(const struct bytes *a, const uint8_t *b, size_t begin, size_t end)
{
    size_t count = 0;
    for (size_t i = begin; i < end; i++) count += a->data[i] != b[i];
    return count;
}

/* ---- nothing changes ----------------------------------------------------------------------- */

static void unchanged_pictures_give_the_same_files(void **state)
{
    (void)state;
    static const char *const good[] = {
        "plain-4", "plain-8",    "rgba",       "one-texel",      "all-levels", "rgba-levels",
        "xff2",    "swizzled-4", "swizzled-8", "swizzled-tall",  "garbage",    "byte-name",
        "entry",   "big",        "gap",        "swizzled-above", "after-size", "name-without-nul"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct fixture fixture = fixture_of(good[i]);
        ossa_file *file = read_fixture(&fixture);
        uint32_t size[2];
        uint8_t(*pixels)[4] = decode(file, 0, size);
        struct bytes same = paint(good[i], file, size[0], size[1], pixels);
        require_same(good[i], &same, fixture.bytes.data, fixture.bytes.size);
        bytes_free(&same);
        free(pixels);
        ossa_file_free(file);
    }
}

/* ---- one pixel changes --------------------------------------------------------------------- */

/* It takes the colour of another pixel: one texel of each level changes at most, and the palette
 * stays. */
static void one_pixel_changes_one_texel(void **state)
{
    (void)state;
    static const struct nto_plan plans[] = {
        {.seed = 31, .kind = NTO_4, .width = 6, .height = 5, .levels = 4, .swizzled = 3},
        {.seed = 32, .kind = NTO_8, .width = 5, .height = 4, .levels = 4, .swizzled = 3},
        {.seed = 33, .kind = NTO_RGBA32, .width = 4, .height = 3, .levels = 4},
        {.seed = 34, .kind = NTO_4, .width = 3, .height = 3, .levels = 3}};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct nto_places places;
        struct bytes bytes = make_nto(&plans[i], &places);
        ossa_file *file = read_or_fail("one", bytes.data, bytes.size, NULL);
        uint32_t size[2];
        uint8_t(*pixels)[4] = decode(file, 0, size);
        uint32_t at = 2 * size[0] + 5;
        uint32_t other = at + 1;
        while (memcmp(pixels[other], pixels[at], 4) == 0) other++;
        memcpy(pixels[at], pixels[other], 4);
        struct bytes painted = paint("one", file, size[0], size[1], pixels);
        assert_int_equal(painted.size, bytes.size);
        assert_int_equal(count_changes(&painted, bytes.data, 0, places.texels), 0);
        assert_int_equal(count_changes(&painted, bytes.data, places.palette, bytes.size), 0);
        ossa_file *again = read_or_fail("one", painted.data, painted.size, NULL);
        for (uint32_t level = 0; level < plans[i].levels; level++) {
            uint8_t(*before)[4] = decode(file, level, size);
            uint8_t(*after)[4] = decode(again, level, size);
            for (uint32_t k = 0; k < size[0] * size[1]; k++) {
                bool is_it = k == (2U >> level) * size[0] + (5U >> level);
                if (level == 0 && is_it) assert_memory_equal(after[k], pixels[at], 4);
                else if (!is_it) assert_memory_equal(after[k], before[k], 4);
            }
            free(before);
            free(after);
        }
        ossa_file_free(again);
        bytes_free(&painted);
        free(pixels);
        ossa_file_free(file);
        bytes_free(&bytes);
    }
}

/* The level above is the mean of the four below, where they have changed. */
static void levels_are_means(void **state)
{
    (void)state;
    uint8_t texels[(4 + 1) * 4];
    memset(texels, 0x40, sizeof texels);
    struct nto_plan plan = {
        .seed = 1, .kind = NTO_RGBA32, .width = 1, .height = 1, .levels = 2, .texels = texels};
    struct nto_places places;
    struct bytes bytes = make_nto(&plan, &places);
    ossa_file *file = read_or_fail("means", bytes.data, bytes.size, NULL);
    uint8_t pixels[4][4] = {{0, 0, 0, 0}, {4, 8, 255, 255}, {1, 0, 255, 0}, {2, 0, 255, 0}};
    struct bytes painted = paint("means", file, 2, 2, pixels);
    static const uint8_t mean[4] = {2, 2, 191, 32};
    assert_memory_equal(painted.data + places.texels + 16, mean, 4);
    bytes_free(&painted);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- colours ------------------------------------------------------------------------------- */

/* Texels of colours 0 and 1 only: 14 colours have room. */
static void new_colours_replace_unused_ones(void **state)
{
    (void)state;
    static const uint8_t texels[32] = {0x10, 0x01};
    uint8_t palette[16][4];
    for (unsigned i = 0; i < 16; i++) memset(palette[i], (int)i, 4);
    palette[0][3] = 0xf0; /* more than opaque stays so */
    struct nto_plan plan = {.seed = 1,
                            .kind = NTO_4,
                            .width = 3,
                            .height = 3,
                            .texels = texels,
                            .palette = (const uint8_t(*)[4])palette};
    struct nto_places places;
    struct bytes bytes = make_nto(&plan, &places);
    ossa_file *file = read_or_fail("new", bytes.data, bytes.size, NULL);
    uint32_t size[2];
    uint8_t(*pixels)[4] = decode(file, 0, size);
    for (uint8_t i = 0; i < 14; i++) {
        const uint8_t colour[4] = {(uint8_t)(200 + i), i, 3, 255};
        memcpy(pixels[20 + i], colour, 4);
    }
    memcpy(pixels[40], (const uint8_t[]){7, 7, 7, 14}, 4); /* it is there, but not in use */
    for (unsigned count = 13; count <= 14; count++) {
        memcpy(pixels[33], pixels[count == 13 ? 32 : 33], 4);
        if (count == 14) memcpy(pixels[33], (const uint8_t[]){99, 98, 97, 255}, 4);
        struct bytes painted = paint("new", file, 8, 8, pixels);
        ossa_file *again = read_or_fail("new", painted.data, painted.size, NULL);
        uint8_t(*found)[4] = decode(again, 0, size);
        if (count == 13) {
            for (unsigned i = 0; i < 64; i++) assert_memory_equal(found[i], pixels[i], 4);
            assert_int_equal(painted.data[places.palette + 3], 0xf0);
            assert_int_equal(painted.data[places.texels], 0x10); /* as it was */
            assert_int_equal(painted.data[places.texels + 20], 0x07);
        } else { /* 17 colours: one is lost */
            unsigned wrong = 0;
            for (unsigned i = 0; i < 64; i++) wrong += memcmp(found[i], pixels[i], 4) != 0;
            assert_in_range(wrong, 1, 3);
        }
        free(found);
        ossa_file_free(again);
        bytes_free(&painted);
    }
    free(pixels);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* A picture with slopes and edges. */
static void draw(uint8_t (*pixels)[4], uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t x = i % width;
        uint32_t y = i / width;
        pixels[i][0] = (uint8_t)(x * 255 / width);
        pixels[i][1] = (uint8_t)(y * 255 / height);
        pixels[i][2] = x / 8 % 2 == y / 8 % 2 ? 200 : 40;
        pixels[i][3] = 255;
    }
}

/* In decibels. */
static double psnr(uint8_t (*a)[4], uint8_t (*b)[4], size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (unsigned c = 0; c < 4; c++) sum += pow((double)a[i][c] - b[i][c], 2);
    }
    return sum == 0 ? 99 : 10 * log10(255.0 * 255.0 / (sum / (4.0 * (double)count)));
}

static void another_picture_comes_close(void **state)
{
    (void)state;
    enum { WIDTH = 64, HEIGHT = 32 };
    static const struct {
        struct nto_plan plan;
        double least[2]; /* decibels, of the first two levels */
    } cases[] = {
        {{.seed = 41, .kind = NTO_4, .width = 6, .height = 5, .levels = 2, .swizzled = 3},
         {21.5, 21.5}},
        {{.seed = 42, .kind = NTO_8, .width = 6, .height = 5, .levels = 2, .swizzled = 3},
         {38, 41}},
        {{.seed = 43, .kind = NTO_RGBA32, .width = 6, .height = 5, .levels = 2}, {98, 98}}};
    uint8_t pixels[WIDTH * HEIGHT][4];
    uint8_t half[WIDTH * HEIGHT / 4][4];
    draw(pixels, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < WIDTH * HEIGHT / 4; i++) {
        uint32_t corner = i / (WIDTH / 2) * 2 * WIDTH + i % (WIDTH / 2) * 2;
        for (unsigned c = 0; c < 4; c++) {
            half[i][c] = (uint8_t)((pixels[corner][c] + pixels[corner + 1][c] +
                                    pixels[corner + WIDTH][c] + pixels[corner + WIDTH + 1][c] + 2) /
                                   4);
        }
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct nto_places places;
        struct bytes bytes = make_nto(&cases[i].plan, &places);
        ossa_file *file = read_or_fail("draw", bytes.data, bytes.size, NULL);
        struct bytes painted = paint("draw", file, WIDTH, HEIGHT, pixels);
        ossa_file *again = read_or_fail("draw", painted.data, painted.size, NULL);
        assert_int_equal(again->issue_count, 0);
        assert_int_equal(count_changes(&painted, bytes.data, 0, places.texels), 0);
        for (uint32_t level = 0; level < 2; level++) {
            uint32_t size[2];
            uint8_t(*found)[4] = decode(again, level, size);
            double quality = psnr(found, level == 0 ? pixels : half, (size_t)size[0] * size[1]);
            if (getenv("OSSA_TEST_VERBOSE") != NULL)
                print_message("%u: %.1f dB\n", (unsigned)i, quality);
            require(quality >= cases[i].least[level], "draw", "%zu: only %.1f dB", i, quality);
            free(found);
        }
        /* Once more: nothing is lost again. */
        uint32_t size[2];
        uint8_t(*found)[4] = decode(again, 0, size);
        struct bytes same = paint("draw", again, WIDTH, HEIGHT, found);
        require_same("draw", &same, painted.data, painted.size);
        bytes_free(&same);
        free(found);
        ossa_file_free(again);
        bytes_free(&painted);
        ossa_file_free(file);
        bytes_free(&bytes);
    }
}

/* A palette of the chip's order keeps it. */
static void the_order_of_a_palette_stays(void **state)
{
    (void)state;
    struct bytes bytes = load_test_file("vectors/sotc-models/csm8.nto");
    ossa_file *file = read_or_fail("csm8", bytes.data, bytes.size, NULL);
    uint32_t size[2];
    uint8_t(*pixels)[4] = decode(file, 0, size);
    for (uint32_t i = 0; i < size[0] * size[1]; i++) pixels[i][0] /= 2; /* all colours are new */
    struct bytes painted = paint("csm8", file, size[0], size[1], pixels);
    ossa_file *again = read_or_fail("csm8", painted.data, painted.size, NULL);
    const ossa_sotc_options csm1 = {.palette = OSSA_SOTC_PALETTE_CSM1};
    uint8_t(*found)[4] = decode(again, 0, size);
    size_t count = (size_t)size[0] * size[1];
    assert_memory_equal(found, pixels, count * 4);
    assert_true(ossa_sotc_pixels(ossa_as_sotc_nto(again), 0, NULL, &csm1, found, NULL));
    assert_memory_equal(found, pixels, count * 4);
    free(found);
    ossa_file_free(again);
    bytes_free(&painted);
    free(pixels);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* 129 steps come back as they are, the others next to themselves. */
static void alpha_is_rounded(void **state)
{
    (void)state;
    struct nto_plan plan = {.seed = 51, .kind = NTO_RGBA32, .width = 8};
    struct nto_places places;
    struct bytes bytes = make_nto(&plan, &places);
    ossa_file *file = read_or_fail("alpha", bytes.data, bytes.size, NULL);
    uint8_t pixels[256][4];
    for (unsigned i = 0; i < 256; i++) {
        memset(pixels[i], 9, 3);
        pixels[i][3] = (uint8_t)i;
    }
    struct bytes painted = paint("alpha", file, 256, 1, pixels);
    ossa_file *again = read_or_fail("alpha", painted.data, painted.size, NULL);
    uint32_t size[2];
    uint8_t(*found)[4] = decode(again, 0, size);
    unsigned same = 0;
    for (unsigned i = 0; i < 256; i++) {
        same += found[i][3] == i;
        assert_in_range(found[i][3], i == 0 ? 0 : i - 1, i + 1);
    }
    assert_int_equal(same, 129);
    struct bytes twice = paint("alpha", again, 256, 1, found);
    require_same("alpha", &twice, painted.data, painted.size);
    bytes_free(&twice);
    free(found);
    ossa_file_free(again);
    bytes_free(&painted);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void require_refused(const char *name, uint32_t width, uint32_t height, ossa_code code,
                            const char *words)
{
    static const uint8_t pixels[64 * 64][4];
    const ossa_texture texture = {"x", width, height, pixels};
    struct fixture fixture = fixture_of(name);
    ossa_file *file = read_fixture(&fixture);
    ossa_buffer buffer = {0};
    ossa_error error;
    require(!ossa_repaint(file, &texture, NULL, ossa_buffer_sink(&buffer), &error), name,
            "was painted");
    assert_int_equal(error.code, code);
    require(strstr(error.message, words) != NULL, name, "%s", error.message);
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

static void what_cannot_be_painted_is_refused(void **state)
{
    (void)state;
    require_refused("plain-4", 4, 4, OSSA_CODE_BAD_ARGUMENT, "4 x 4 pixels, but the texture 8 x 4");
    require_refused("plain-4", 16, 8, OSSA_CODE_BAD_ARGUMENT, "models state its size");
    require_refused("no-levels", 8, 4, OSSA_CODE_BAD_VALUE, "level 0 cannot be decoded");
    require_refused("unknown-kind", 8, 4, OSSA_CODE_BAD_VALUE, "level 0 cannot be decoded");
    require_refused("too-small-8", 16, 2, OSSA_CODE_BAD_VALUE, "level 0 cannot be decoded");
    require_refused("swizzled-tall", 32, 64, OSSA_CODE_BAD_VALUE, "level 1 cannot be decoded");
}

/* The other side may be the width: the picture says so. */
static void the_picture_decides_the_width(void **state)
{
    (void)state;
    struct fixture fixture = fixture_of("plain-4");
    ossa_file *file = read_fixture(&fixture);
    const ossa_sotc_options high = {.sides = OSSA_SOTC_SIDES_HIGH};
    uint8_t pixels[32][4];
    assert_true(ossa_sotc_pixels(ossa_as_sotc_nto(file), 0, NULL, &high, pixels, NULL));
    struct bytes same = paint("high", file, 4, 8, pixels);
    require_same("high", &same, fixture.bytes.data, fixture.bytes.size);
    bytes_free(&same);
    ossa_file_free(file);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const names[] = {"swizzled-4", "rgba-levels", "plain-8"};
    static uint8_t pixels[64 * 32][4];
    draw(pixels, 64, 32);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct fixture fixture = fixture_of(names[i]);
        ossa_file *file = read_fixture(&fixture);
        uint32_t size[2];
        free(decode(file, 0, size));
        const ossa_texture texture = {"x", size[0], size[1], (const uint8_t(*)[4])pixels};
        for (size_t fail_at = 1;; fail_at++) {
            struct counting counting = {.fail_at = fail_at};
            ossa_options options = {.allocator = counting_allocator(&counting)};
            ossa_buffer buffer = {0};
            ossa_error error;
            bool ok = ossa_repaint(file, &texture, &options, ossa_buffer_sink(&buffer), &error);
            ossa_buffer_free(&buffer);
            assert_int_equal(counting.live, 0);
            assert_false(counting.wrong_release);
            if (!counting.failed) {
                assert_true(ok);
                assert_true(fail_at > 1);
                break;
            }
            assert_false(ok);
            assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        }
        ossa_file_free(file);
    }
}

/* A colour for several is their mean, by how many pixels have them, rounded to the nearest. */
static void colours_that_are_one_are_their_mean(void **state)
{
    (void)state;
    static const uint8_t pixels[4][4] = {
        {0, 10, 255, 0}, {1, 20, 254, 3}, {1, 20, 254, 3}, {1, 20, 254, 3}};
    uint8_t colours[256][4];
    struct ossa__context context;
    ossa__context_init(&context, NULL, 0);
    assert_int_equal(ossa__palette_of(&context, pixels, 2, 1, colours), 1);
    assert_memory_equal(colours[0], "\x01\x0f\xff\x02", 4); /* halves up */
    assert_int_equal(ossa__palette_of(&context, pixels, 4, 1, colours), 1);
    assert_memory_equal(colours[0], "\x01\x12\xfe\x02", 4); /* 0.75, 17.5, 254.25, 2.25 */
    assert_int_equal(ossa__palette_of(&context, pixels, 4, 2, colours), 2);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
}

TEST_GROUP(test_sotc_nto_repaint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_pictures_give_the_same_files),
        cmocka_unit_test(one_pixel_changes_one_texel),
        cmocka_unit_test(levels_are_means),
        cmocka_unit_test(colours_that_are_one_are_their_mean),
        cmocka_unit_test(new_colours_replace_unused_ones),
        cmocka_unit_test(another_picture_comes_close),
        cmocka_unit_test(the_order_of_a_palette_stays),
        cmocka_unit_test(alpha_is_rounded),
        cmocka_unit_test(what_cannot_be_painted_is_refused),
        cmocka_unit_test(the_picture_decides_the_width),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
