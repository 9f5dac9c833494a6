/* SPDX-License-Identifier: MIT
 *
 * Other pixels for textures: an unchanged picture gives the same file, a changed pixel changes its
 * texel or block and what is above it, and nothing else. */
#include "support/counting.h"
#include "support/mmp_fixture.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const good[] = {"4444",
                                   "5551",
                                   "5551-one",
                                   "5650",
                                   "5650-mips",
                                   "8888",
                                   "8888-mips",
                                   "big",
                                   "dxt1",
                                   "dxt1-holes",
                                   "dxt1-mips",
                                   "dxt1-uneven",
                                   "dxt3",
                                   "dxt3-mips",
                                   "dxt3-uneven",
                                   "pnt3",
                                   "pnt3-plain",
                                   "pnt3-longest-run",
                                   "pnt3-limits",
                                   "pnt3-uneven",
                                   "pnt3-little",
                                   "no-alpha-shift",
                                   "dxt1-with-masks",
                                   "no-levels"};
enum { GOOD = sizeof good / sizeof good[0] };

static const struct fixture *fixture_of(const char *name)
{
    char whole[64];
    (void)snprintf(whole, sizeof whole, "ei-mmp/%s", name);
    return fixture_find(whole);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* The pixels of a level, from malloc. */
static uint8_t (*decode(const ossa_ei_mmp *mmp, uint32_t level))[4]
{
    uint64_t count = (uint64_t)mmp->levels[level].width * mmp->levels[level].height;
    uint8_t(*pixels)[4] = malloc((size_t)count * 4);
    ossa_error error;
    assert_non_null(pixels);
    require(ossa_ei_mmp_decode(mmp, level, pixels, count, &error), "decode", "%s", error.message);
    return pixels;
}

static bool try_paint(const ossa_file *file, uint32_t width, uint32_t height,
                      const uint8_t (*pixels)[4], ossa_buffer *buffer, ossa_error *error)
{
    const ossa_texture texture = {"x", width, height, pixels};
    return ossa_repaint(file, &texture, NULL, ossa_buffer_sink(buffer), error);
}

static struct bytes paint(const char *name, const ossa_file *file, uint32_t width, uint32_t height,
                          uint8_t (*pixels)[4])
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = try_paint(file, width, height, (const uint8_t(*)[4])pixels, &buffer, &error);
    require(ok, name, "%s", error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

/* ---- nothing changes ----------------------------------------------------------------------- */

static void unchanged_pictures_give_the_same_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOOD; i++) {
        const struct fixture *fixture = fixture_of(good[i]);
        ossa_file *file = read_fixture(fixture);
        const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
        uint8_t(*pixels)[4] = decode(mmp, 0);
        struct bytes same = paint(fixture->name, file, mmp->width, mmp->height, pixels);
        require_same(fixture->name, &same, fixture->bytes.data, fixture->bytes.size);
        bytes_free(&same);
        free(pixels);
        ossa_file_free(file);
    }
}

/* ---- one pixel changes --------------------------------------------------------------------- */

static bool has_blocks(const ossa_ei_mmp *mmp)
{
    return mmp->fourcc == OSSA_EI_FOURCC_DXT1 || mmp->fourcc == OSSA_EI_FOURCC_DXT3;
}

/* Of each level, only what is within a block of the pixel, halved, may differ. */
static void require_local(const char *name, const ossa_ei_mmp *before, const ossa_ei_mmp *after,
                          uint32_t x, uint32_t y)
{
    uint32_t side = has_blocks(before) ? 4 : 1;
    assert_int_equal(after->level_count, before->level_count);
    for (uint32_t level = 0; level < before->level_count; level++) {
        const ossa_ei_level *old = &before->levels[level];
        uint8_t(*a)[4] = decode(before, level);
        uint8_t(*b)[4] = decode(after, level);
        for (uint32_t i = 0; i < old->width * old->height; i++) {
            uint32_t column = i % old->width;
            uint32_t row = old->height - 1 - i / old->width; /* blocks begin at the bottom */
            bool is_near = column / side == x / side && row / side == (old->height - 1 - y) / side;
            require(is_near || memcmp(a[i], b[i], 4) == 0, name, "level %u, pixel %u, %u", level,
                    column, i / old->width);
        }
        free(a);
        free(b);
        x = x / 2 < old->width / 2 ? x / 2 : x / 2 == 0 ? 0 : x / 2 - 1;
        y = y / 2 < old->height / 2 ? y / 2 : y / 2 == 0 ? 0 : y / 2 - 1;
    }
}

static void one_pixel_changes_one_texel(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOOD; i++) {
        const struct fixture *fixture = fixture_of(good[i]);
        ossa_file *file = read_fixture(fixture);
        const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
        uint8_t(*pixels)[4] = decode(mmp, 0);
        uint32_t x = mmp->width / 3;
        uint32_t y = mmp->height / 2;
        uint8_t *pixel = pixels[y * mmp->width + x];
        /* A colour that every kind can store. */
        const uint8_t changed[4] = {255, 0, pixel[2] < 128 ? 255 : 0, 255};
        memcpy(pixel, changed, 4);
#ifndef OSSA_WITH_STB
        if (has_blocks(mmp)) {
            free(pixels);
            ossa_file_free(file);
            continue;
        }
#endif
        struct bytes painted = paint(fixture->name, file, mmp->width, mmp->height, pixels);
        ossa_file *again = read_or_fail(fixture->name, painted.data, painted.size, NULL);
        const ossa_ei_mmp *after = ossa_as_ei_mmp(again);
        uint8_t(*found)[4] = decode(after, 0);
        if (!has_blocks(mmp)) {
            require(memcmp(found[y * mmp->width + x], changed, 4) == 0, fixture->name,
                    "the pixel is not what it should be");
        }
        assert_int_equal(again->error_count, file->error_count);
        require_local(fixture->name, mmp, after, x, y);
        free(found);
        ossa_file_free(again);
        bytes_free(&painted);
        free(pixels);
        ossa_file_free(file);
    }
}

/* The level above is the mean of the four below, where they have changed. */
static void levels_are_means(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_of("8888-mips"); /* 8 x 2, 4 x 1, 2 x 1, 1 x 1 */
    ossa_file *file = read_fixture(fixture);
    const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    uint8_t(*pixels)[4] = decode(mmp, 0);
    const uint8_t four[4][4] = {{0, 0, 0, 0}, {4, 8, 255, 255}, {1, 0, 255, 1}, {2, 0, 255, 0}};
    memcpy(pixels[2], four[0], 4);
    memcpy(pixels[3], four[1], 4);
    memcpy(pixels[10], four[2], 4);
    memcpy(pixels[11], four[3], 4);
    struct bytes painted = paint("means", file, 8, 2, pixels);
    ossa_file *again = read_or_fail("means", painted.data, painted.size, NULL);
    uint8_t(*level)[4] = decode(ossa_as_ei_mmp(again), 1);
    const uint8_t mean[4] = {2, 2, 191, 64};
    assert_memory_equal(level[1], mean, 4);
    uint8_t(*before)[4] = decode(mmp, 1);
    assert_memory_equal(level[0], before[0], 4);
    assert_memory_equal(level[2], before[2], 4);
    free(before);
    free(level);
    ossa_file_free(again);
    bytes_free(&painted);
    free(pixels);
    ossa_file_free(file);
}

/* ---- everything changes -------------------------------------------------------------------- */

/* A picture with slopes and edges, opaque. */
static void draw(uint8_t (*pixels)[4], uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t x = i % width;
        uint32_t y = i / width;
        bool is_inside = (x - width / 2) * (x - width / 2) + (y - height / 2) * (y - height / 2) <
                         width * height / 8;
        pixels[i][0] = (uint8_t)(x * 255 / width);
        pixels[i][1] = (uint8_t)(y * 255 / height);
        pixels[i][2] = is_inside ? 200 : 40;
        pixels[i][3] = 255;
    }
}

/* In decibels. */
static double psnr(const uint8_t (*a)[4], const uint8_t (*b)[4], size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (unsigned c = 0; c < 3; c++) sum += pow((double)a[i][c] - b[i][c], 2);
    }
    return sum == 0 ? 99 : 10 * log10(255.0 * 255.0 / (sum / (3.0 * (double)count)));
}

static void another_size_gives_other_levels(void **state)
{
    (void)state;
    enum { WIDTH = 64, HEIGHT = 32 };
    static const struct {
        const char *name;
        uint32_t levels;
        double least; /* decibels */
    } cases[] = {{"4444", 1, 29},       {"5551", 1, 36},      {"5650-mips", 7, 37},
                 {"8888-mips", 7, 98},  {"8888", 1, 98},      {"pnt3", 1, 98},
                 {"pnt3-plain", 1, 98}, {"dxt1-mips", 7, 36}, {"dxt3-mips", 2, 36}};
    uint8_t pixels[WIDTH * HEIGHT][4];
    draw(pixels, WIDTH, HEIGHT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fixture *fixture = fixture_of(cases[i].name);
        ossa_file *file = read_fixture(fixture);
#ifndef OSSA_WITH_STB
        if (has_blocks(ossa_as_ei_mmp(file))) {
            ossa_file_free(file);
            continue;
        }
#endif
        struct bytes painted = paint(fixture->name, file, WIDTH, HEIGHT, pixels);
        ossa_file *again = read_or_fail(fixture->name, painted.data, painted.size, NULL);
        const ossa_ei_mmp *mmp = ossa_as_ei_mmp(again);
        assert_int_equal(again->error_count + again->warning_count, 0);
        assert_int_equal(mmp->width, WIDTH);
        assert_int_equal(mmp->height, HEIGHT);
        assert_int_equal(mmp->fourcc, ossa_as_ei_mmp(file)->fourcc);
        assert_int_equal(mmp->level_count, cases[i].levels);
        uint8_t(*found)[4] = decode(mmp, 0);
        double quality =
            psnr((const uint8_t(*)[4])pixels, (const uint8_t(*)[4])found, WIDTH * HEIGHT);
        if (getenv("OSSA_TEST_VERBOSE") != NULL) {
            print_message("%s: %.1f dB\n", cases[i].name, quality);
        }
        require(quality >= cases[i].least, fixture->name, "only %.1f dB", quality);
        free(found);
        ossa_file_free(again);
        bytes_free(&painted);
        ossa_file_free(file);
    }
}

/* What was widened from fewer bits is stored as those bits. */
static void every_stored_value_comes_back(void **state)
{
    (void)state;
    static const uint32_t kinds[] = {MMP_4444, MMP_5551, MMP_5650};
    for (size_t k = 0; k < 3; k++) {
        struct bytes texels = begin_mmp(256, 256, 1, kinds[k]);
        struct bytes black = begin_mmp(256, 256, 1, kinds[k]);
        for (uint32_t i = 0; i < 65536; i++) put_u16(&texels, i);
        put_repeated(&black, 0, (size_t)2 * 65536);
        ossa_file *file = read_or_fail("all", texels.data, texels.size, NULL);
        ossa_file *other = read_or_fail("black", black.data, black.size, NULL);
        uint8_t(*pixels)[4] = decode(ossa_as_ei_mmp(file), 0);
        struct bytes painted = paint("black", other, 256, 256, pixels);
        require_same("all", &painted, texels.data, texels.size);
        bytes_free(&painted);
        free(pixels);
        ossa_file_free(file);
        ossa_file_free(other);
        bytes_free(&texels);
        bytes_free(&black);
    }
}

#ifdef OSSA_WITH_STB

static void holes_and_alpha_of_blocks(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_of("dxt1"));
    uint8_t pixels[16][4];
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t texel[4] = {(uint8_t)(i % 4 < 2 ? 255 : 0), 0, 0, (uint8_t)(i < 5 ? 0 : 255)};
        memcpy(pixels[i], texel, 4);
    }
    struct bytes painted = paint("holes", file, 4, 4, pixels);
    ossa_file *again = read_or_fail("holes", painted.data, painted.size, NULL);
    uint8_t(*found)[4] = decode(ossa_as_ei_mmp(again), 0);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(found[i][3], i < 5 ? 0 : 255);
        if (i >= 5) assert_memory_equal(found[i], pixels[i], 3);
    }
    free(found);
    ossa_file_free(again);
    bytes_free(&painted);
    ossa_file_free(file);

    file = read_fixture(fixture_of("dxt3"));
    for (unsigned i = 0; i < 16; i++) pixels[i][3] = (uint8_t)(i * 17);
    painted = paint("alpha", file, 4, 4, pixels);
    again = read_or_fail("alpha", painted.data, painted.size, NULL);
    found = decode(ossa_as_ei_mmp(again), 0);
    assert_memory_equal(found, pixels, sizeof pixels);
    free(found);
    ossa_file_free(again);
    bytes_free(&painted);
    ossa_file_free(file);
}

#endif

/* ---- PNT3 ---------------------------------------------------------------------------------- */

static void packed_texels_stay_packed(void **state)
{
    (void)state;
    /* 4 x 3 from the bottom: a texel, 5 zeros, two texels, 4 zeros. */
    ossa_file *file = read_fixture(fixture_of("pnt3"));
    uint8_t(*pixels)[4] = decode(ossa_as_ei_mmp(file), 0);
    const uint8_t white[4] = {255, 255, 255, 255};
    memcpy(pixels[2 * 4 + 3], white, 4); /* the fourth texel: in the middle of the first run */
    struct bytes painted = paint("pnt3", file, 4, 3, pixels);
    static const uint32_t words[] = {0xff102030, 8, 0xffffffff, 8, 0, 0x80ffffff, 16};
    struct bytes expected = make_pnt3(4, 3, words, 7);
    require_same("pnt3", &painted, expected.data, expected.size);
    bytes_free(&painted);
    bytes_free(&expected);
    /* A texel that would be taken for a run: it can only be stored as it is. */
    const uint8_t dark[4] = {0, 0, 5, 0};
    memcpy(pixels[0], dark, 4);
    painted = paint("pnt3", file, 4, 3, pixels);
    assert_int_equal(painted.size, MMP_HEADER + 48);
    ossa_file *again = read_or_fail("pnt3", painted.data, painted.size, NULL);
    uint8_t(*found)[4] = decode(ossa_as_ei_mmp(again), 0);
    assert_memory_equal(found, pixels, 48);
    free(found);
    ossa_file_free(again);
    bytes_free(&painted);
    free(pixels);
    ossa_file_free(file);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void require_refused(const char *name, uint32_t width, uint32_t height, uint8_t (*pixels)[4],
                            ossa_code code, const char *message)
{
    ossa_file *file = read_fixture(fixture_find(name));
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(try_paint(file, width, height, (const uint8_t(*)[4])pixels, &buffer, &error));
    require(error.code == code, name, "%s: %s", ossa_code_name(error.code), error.message);
    require(strstr(error.message, message) != NULL, name, "%s", error.message);
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

static void what_cannot_be_painted(void **state)
{
    (void)state;
    uint8_t pixels[32][4];
    memset(pixels, 255, sizeof pixels);
    require_refused("ei-mmp/unknown-fourcc", 4, 4, pixels, OSSA_CODE_UNKNOWN_FLAG, "not known");
    require_refused("ei-bon/eight", 4, 4, pixels, OSSA_CODE_BAD_ARGUMENT, "no pixels to replace");
    require_refused("ei-mmp/4444", 0, 4, pixels, OSSA_CODE_BAD_ARGUMENT, "no pixels");
    require_refused("ei-mmp/4444", 4, 4, NULL, OSSA_CODE_BAD_ARGUMENT, "no pixels");
    require_refused("ei-mmp/pnt3-run-over", 4, 2, pixels, OSSA_CODE_BAD_COUNT, "past the end");
    pixels[9][3] = 254;
    pixels[12][3] = 0;
    require_refused("ei-mmp/5650", 8, 4, pixels, OSSA_CODE_LOST,
                    "2 pixels of the picture are transparent, the first at 1, 1");
#ifndef OSSA_WITH_STB
    require_refused("ei-mmp/dxt1", 4, 4, pixels, OSSA_CODE_BAD_ARGUMENT, "stb_dxt");
#endif
}

static void painting_survives_without_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"8888-mips", "pnt3", "5650-mips"};
    for (size_t i = 0; i < 3; i++) {
        ossa_file *file = read_fixture(fixture_of(names[i]));
        const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
        uint8_t(*pixels)[4] = decode(mmp, 0);
        memset(pixels[0], 255, 4);
        bool done = false;
        for (size_t n = 1; !done; n++) {
            struct counting counting = {.fail_at = n};
            const ossa_options options = {.allocator = counting_allocator(&counting)};
            const ossa_texture texture = {"x", mmp->width, mmp->height,
                                          (const uint8_t(*)[4])pixels};
            ossa_buffer buffer = {0};
            ossa_error error;
            bool ok = ossa_repaint(file, &texture, &options, ossa_buffer_sink(&buffer), &error);
            done = !counting.failed;
            assert_int_equal(ok, done);
            if (!ok) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            assert_int_equal(counting.live, 0);
            ossa_buffer_free(&buffer);
        }
        free(pixels);
        ossa_file_free(file);
    }
}

/* Whatever the file is: painted or refused, and what is painted can be read. */
static void hostile_files_are_painted_or_refused(void **state)
{
    (void)state;
    uint8_t pixels[16][4];
    memset(pixels, 255, sizeof pixels);
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (strcmp(fixture->format, "ei-mmp") != 0 || !fixture_is_readable(fixture)) continue;
        ossa_file *file = read_fixture(fixture);
        ossa_buffer buffer = {0};
        ossa_error error;
        if (try_paint(file, 4, 4, (const uint8_t(*)[4])pixels, &buffer, &error)) {
            ossa_file *again = read_or_fail(fixture->name, buffer.data, buffer.size, NULL);
            uint8_t(*found)[4] = decode(ossa_as_ei_mmp(again), 0);
            assert_memory_equal(found, pixels, sizeof pixels);
            free(found);
            ossa_file_free(again);
        }
        ossa_buffer_free(&buffer);
        ossa_file_free(file);
    }
}

TEST_GROUP(test_ei_mmp_repaint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_pictures_give_the_same_files),
        cmocka_unit_test(one_pixel_changes_one_texel),
        cmocka_unit_test(levels_are_means),
        cmocka_unit_test(another_size_gives_other_levels),
        cmocka_unit_test(every_stored_value_comes_back),
#ifdef OSSA_WITH_STB
        cmocka_unit_test(holes_and_alpha_of_blocks),
#endif
        cmocka_unit_test(packed_texels_stay_packed),
        cmocka_unit_test(what_cannot_be_painted),
        cmocka_unit_test(painting_survives_without_memory),
        cmocka_unit_test(hostile_files_are_painted_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
