/* SPDX-License-Identifier: MIT
 *
 * Textures of Evil Islands: what the header says, and every kind of texel as exact colours that
 * were worked out by hand. */
#include "support/mmp_fixture.h"
#include "support/refusals.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

enum { PIXELS = 64 };

static ossa_file *read_bytes(const char *name, const struct bytes *bytes)
{
    ossa_options options = {.format = "ei-mmp"};
    return read_or_fail(name, bytes->data, bytes->size, &options);
}

/* A level must be these pixels, 0xRRGGBBAA, the top row first. */
static void require_pixels(const char *name, const struct bytes *bytes, uint32_t level,
                           const uint32_t *expected, size_t count)
{
    uint8_t pixels[PIXELS][4];
    ossa_error error;
    ossa_file *file = read_bytes(name, bytes);
    const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    memset(pixels, 0xee, sizeof pixels);
    require(count < PIXELS, name, "too many pixels for this test");
    require(ossa_ei_mmp_decode(mmp, level, pixels, count, &error), name, "%s", error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    for (size_t i = 0; i < count; i++) {
        uint32_t found = (uint32_t)pixels[i][0] << 24 | (uint32_t)pixels[i][1] << 16 |
                         (uint32_t)pixels[i][2] << 8 | pixels[i][3];
        require(found == expected[i], name, "pixel %zu is %08x, expected %08x", i, (unsigned)found,
                (unsigned)expected[i]);
    }
    require(pixels[count][0] == 0xee, name, "more than the level was written");
    ossa_file_free(file);
}

static void require_fixture(const char *name, const uint32_t *expected, size_t count)
{
    require_pixels(name, &fixture_find(name)->bytes, 0, expected, count);
}

/* ---- blocks -------------------------------------------------------------------------------- */

enum { RED = 0xff0000, BLUE = 0x0000ff, NEAR_RED = 0xaa0055, NEAR_BLUE = 0x5500aa };
#define OPAQUE(rgb) ((uint32_t)(rgb) << 8 | 0xff)

static void dxt1_has_four_colours(void **state)
{
    (void)state;
    /* Rows of picks in the file: 0 1 2 3, 0 0 0 0, 1 1 1 1, 3 2 1 0; the last is the top one. */
    static const uint32_t expected[16] = {
        OPAQUE(NEAR_BLUE), OPAQUE(NEAR_RED), OPAQUE(BLUE),     OPAQUE(RED),
        OPAQUE(BLUE),      OPAQUE(BLUE),     OPAQUE(BLUE),     OPAQUE(BLUE),
        OPAQUE(RED),       OPAQUE(RED),      OPAQUE(RED),      OPAQUE(RED),
        OPAQUE(RED),       OPAQUE(BLUE),     OPAQUE(NEAR_RED), OPAQUE(NEAR_BLUE)};
    require_fixture("ei-mmp/dxt1", expected, 16);
}

static void dxt1_has_holes_if_its_colours_do_not_fall(void **state)
{
    (void)state;
    const uint32_t half = OPAQUE(0x800080);
    const uint32_t expected[16] = {0,
                                   half,
                                   OPAQUE(RED),
                                   OPAQUE(BLUE),
                                   OPAQUE(RED),
                                   OPAQUE(RED),
                                   OPAQUE(RED),
                                   OPAQUE(RED),
                                   OPAQUE(BLUE),
                                   OPAQUE(BLUE),
                                   OPAQUE(BLUE),
                                   OPAQUE(BLUE),
                                   OPAQUE(BLUE),
                                   OPAQUE(RED),
                                   half,
                                   0};
    require_fixture("ei-mmp/dxt1-holes", expected, 16);
    /* Equal colours do not fall either. */
    static const uint8_t picks[4] = {0xe4, 0xe4, 0xe4, 0xe4};
    struct bytes file = begin_mmp(4, 1, 1, MMP_DXT1);
    put_dxt1(&file, 0xffff, 0xffff, picks);
    static const uint32_t row[4] = {0xffffffff, 0xffffffff, 0xffffffff, 0};
    require_pixels("equal", &file, 0, row, 4);
    bytes_free(&file);
}

/* The same block as above, but here it has four colours all the same. */
static void dxt3_has_alpha_and_always_four_colours(void **state)
{
    (void)state;
    /* Between blue and red: 2 is nearer to the first, blue. */
    static const uint32_t expected[16] = {0xaa0055cc, 0x5500aadd, 0xff0000ee, 0x0000ffff,
                                          0xff000088, 0xff000099, 0xff0000aa, 0xff0000bb,
                                          0x0000ff44, 0x0000ff55, 0x0000ff66, 0x0000ff77,
                                          0x0000ff00, 0xff000011, 0x5500aa22, 0xaa005533};
    require_fixture("ei-mmp/dxt3", expected, 16);
}

/* Widened to 8 bits, then mixed: 5 bits of 1 are 8, of 3 are 24; 6 bits of 1 are 4, of 2 are 8. */
static void colours_between_are_rounded(void **state)
{
    (void)state;
    static const uint8_t picks[4] = {0xe4, 0xe4, 0xe4, 0xe4};
    struct bytes file = begin_mmp(4, 1, 1, MMP_DXT1);
    put_dxt1(&file, 3 << 11 | 1 << 5, 1 << 11 | 2 << 5 | 1, picks);
    /* Red 24 and 8: 18.67, 13.33. Green 4 and 8: 5.33, 6.67. Blue 0 and 8: 2.67, 5.33. */
    static const uint32_t row[4] = {0x180400ff, 0x080808ff, 0x130503ff, 0x0d0705ff};
    require_pixels("thirds", &file, 0, row, 4);
    bytes_free(&file);
    file = begin_mmp(4, 1, 1, MMP_DXT1);
    put_dxt1(&file, 1 << 11 | 2 << 5 | 1, 3 << 11 | 1 << 5 | 2, picks);
    static const uint32_t halves[4] = {0x080808ff, 0x180410ff, 0x10060cff, 0};
    require_pixels("halves", &file, 0, halves, 4);
    bytes_free(&file);
}

/* 6 x 5 has 2 x 2 blocks: the first ones in the file are the bottom ones. */
static void blocks_lie_from_the_bottom_up(void **state)
{
    (void)state;
    static const uint8_t none[4] = {0, 0, 0, 0};
    static const uint16_t colours[4] = {0xf800, 0x07e0, 0x001f, 0xffff};
    struct bytes file = begin_mmp(6, 5, 1, MMP_DXT1);
    for (size_t i = 0; i < 4; i++) put_dxt1(&file, colours[i], 0, none);
    uint32_t expected[30];
    for (size_t i = 0; i < 30; i++) {
        bool is_right = i % 6 >= 4;
        bool is_top = i < 6;
        if (is_top) expected[i] = is_right ? 0xffffffff : 0x0000ffff;
        else expected[i] = is_right ? 0x00ff00ff : 0xff0000ff;
    }
    require_pixels("uneven", &file, 0, expected, 30);
    bytes_free(&file);
}

/* ---- single texels ------------------------------------------------------------------------- */

static void few_bits_are_repeated(void **state)
{
    (void)state;
    static const struct {
        uint32_t fourcc;
        uint32_t texel;
        uint32_t expected;
    } cases[] = {
        {MMP_4444, 0x0000, 0x00000000},
        {MMP_4444, 0xf000, 0x000000ff},
        {MMP_4444, 0x1234, 0x22334411},
        {MMP_4444, 0xffff, 0xffffffff},
        {MMP_5551, 0x0000, 0x00000000},
        {MMP_5551, 0x8000, 0x000000ff},
        {MMP_5551, 0x7fff, 0xffffff00}, /* 21 is 10101: 10101101; 10 is 01010: 01010010 */
        {MMP_5551, 0x8000 | 21 << 10 | 10 << 5 | 1, 0xad5208ff},
        {MMP_5650, 0x0000, 0x000000ff},
        {MMP_5650, 0xffff, 0xffffffff},
        {MMP_5650, 21 << 11 | 42 << 5 | 16, 0xadaa84ff}, /* 42 is 101010: 10101010 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "0x%x 0x%04x", (unsigned)cases[i].fourcc,
                       (unsigned)cases[i].texel);
        struct bytes file = begin_mmp(1, 1, 1, cases[i].fourcc);
        put_u16(&file, cases[i].texel);
        require_pixels(name, &file, 0, &cases[i].expected, 1);
        bytes_free(&file);
    }
}

/* The rows of 16 bits lie from the bottom up, those of 32 from the top down. */
static void rows_are_turned_where_they_must_be(void **state)
{
    (void)state;
    static const uint32_t argb[6] = {0x01020304, 0x11121314, 0x21222324,
                                     0x31323334, 0x41424344, 0x51525354};
    static const uint32_t rgba[6] = {0x02030401, 0x12131411, 0x22232421,
                                     0x32333431, 0x42434441, 0x52535451};
    struct bytes plain = make_8888(2, 3, argb);
    require_pixels("8888", &plain, 0, rgba, 6);
    bytes_free(&plain);
    struct bytes turned = begin_mmp(2, 3, 1, MMP_4444);
    for (uint32_t i = 0; i < 6; i++) put_u16(&turned, i);
    static const uint32_t expected[6] = {0x00004400, 0x00005500, 0x00002200,
                                         0x00003300, 0x00000000, 0x00001100};
    require_pixels("4444", &turned, 0, expected, 6);
    bytes_free(&turned);
}

/* ---- levels -------------------------------------------------------------------------------- */

static void levels_halve_down_to_one(void **state)
{
    (void)state;
    static const uint32_t sizes[4][2] = {{8, 2}, {4, 1}, {2, 1}, {1, 1}};
    const struct fixture *fixture = fixture_find("ei-mmp/8888-mips");
    ossa_file *file = read_fixture(fixture);
    const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    assert_int_equal(file->format->kind, OSSA_KIND_TEXTURE);
    assert_int_equal(mmp->level_count, 4);
    const uint8_t *place = fixture->bytes.data + MMP_HEADER;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(mmp->levels[i].width, sizes[i][0]);
        assert_int_equal(mmp->levels[i].height, sizes[i][1]);
        assert_int_equal(mmp->levels[i].size, 4 * sizes[i][0] * sizes[i][1]);
        assert_ptr_equal(mmp->levels[i].texels, place);
        place += mmp->levels[i].size;
    }
    assert_int_equal(mmp->tail_size, 0);
    assert_null(ossa_as_ei_cam(file));
    ossa_file_free(file);
    uint32_t last = get_u32(&fixture->bytes, fixture->bytes.size - 4);
    const uint32_t expected = last << 8 | last >> 24;
    require_pixels(fixture->name, &fixture->bytes, 3, &expected, 1);
}

/* 5 x 3, 2 x 1, 1 x 1: half of an odd side is rounded down. */
static void odd_levels_are_rounded_down(void **state)
{
    (void)state;
    static const uint32_t sides[3][2] = {{5, 3}, {2, 1}, {1, 1}};
    struct bytes texture = begin_mmp(5, 3, 3, MMP_4444);
    for (uint32_t i = 0; i < 5 * 3; i++) put_u16(&texture, 0);
    put_u16(&texture, 0xf123);
    put_u16(&texture, 0xf456);
    put_u16(&texture, 0x0789);
    ossa_file *file = read_bytes("odd", &texture);
    const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    assert_int_equal(file->error_count, 0);
    assert_int_equal(mmp->level_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(mmp->levels[i].width, sides[i][0]);
        assert_int_equal(mmp->levels[i].height, sides[i][1]);
    }
    ossa_file_free(file);
    static const uint32_t second[2] = {0x112233ff, 0x445566ff};
    static const uint32_t third[1] = {0x77889900};
    require_pixels("odd", &texture, 1, second, 2);
    require_pixels("odd", &texture, 2, third, 1);
    bytes_free(&texture);
}

static void blocks_of_small_levels_are_whole(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-mmp/dxt1-mips"));
    const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    static const size_t sizes[4] = {16, 8, 8, 8};
    assert_int_equal(mmp->level_count, 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(mmp->levels[i].size, sizes[i]);
    ossa_file_free(file);
}

/* ---- PNT3 ---------------------------------------------------------------------------------- */

static void runs_are_zeros(void **state)
{
    (void)state;
    /* As stored, 4 x 3: one texel, five of nothing, 0, one, four of nothing. */
    static const uint32_t expected[12] = {0, 0, 0, 0, 0, 0, 0, 0xffffff80, 0x102030ff, 0, 0, 0};
    require_fixture("ei-mmp/pnt3", expected, 12);
}

static void a_run_ends_anywhere_and_is_never_longer_than_a_million(void **state)
{
    (void)state;
    /* 1000001 is 0x000f4241, a texel. Four single bytes make one; then a texel and one of zeros;
     * what the words do not fill is zero, too. */
    static const uint32_t expected[8] = {0x0f424100, 0, 0xffffffff, 0, 0, 0, 0, 0};
    require_fixture("ei-mmp/pnt3-limits", expected, 8);
    /* Three zero bytes, and the texel 33 22 11 ff begins with the alpha of the first. */
    static const uint32_t uneven[8] = {0, 0, 0, 0, 0x00000033, 0xff112200, 0, 0};
    require_fixture("ei-mmp/pnt3-uneven", uneven, 8);
}

static void texels_that_are_not_packed_are_plain(void **state)
{
    (void)state;
    static const uint32_t expected[4] = {0x00000300, 0x03020104, 0x00000100, 0x00000200};
    require_fixture("ei-mmp/pnt3-plain", expected, 4);
}

static void a_run_past_the_end_is_refused(void **state)
{
    (void)state;
    uint8_t pixels[PIXELS][4];
    ossa_error error;
    static const struct {
        const char *name;
        uint64_t offset;
        const char *field;
    } cases[] = {{"ei-mmp/pnt3-run-over", MMP_HEADER + 8, "levels[0].words[2]"},
                 {"ei-mmp/pnt3-texel-over", MMP_HEADER + 8, "levels[0].words[2]"}};
    for (size_t i = 0; i < 2; i++) {
        ossa_file *file = read_fixture(fixture_find(cases[i].name));
        memset(pixels, 0xee, sizeof pixels);
        assert_false(ossa_ei_mmp_decode(ossa_as_ei_mmp(file), 0, pixels, 8, &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_COUNT);
        assert_true(error.has_offset);
        assert_int_equal(error.offset, cases[i].offset);
        assert_string_equal(error.field, cases[i].field);
        assert_int_equal(pixels[8][0], 0xee);
        ossa_file_free(file);
    }
}

/* ---- what cannot be decoded ---------------------------------------------------------------- */

static void require_refusal(const ossa_ei_mmp *mmp, uint32_t level, uint64_t capacity,
                            ossa_code code)
{
    uint8_t pixels[PIXELS][4];
    ossa_error error = {0};
    assert_false(ossa_ei_mmp_decode(mmp, level, pixels, capacity, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.format, "ei-mmp");
    assert_true(error.message[0] != '\0');
    assert_false(ossa_ei_mmp_decode(mmp, level, pixels, capacity, NULL));
}

static void a_wrong_call_is_refused(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-mmp/4444"));
    ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    require_refusal(mmp, 1, PIXELS, OSSA_CODE_BAD_ARGUMENT);
    require_refusal(mmp, 0, 15, OSSA_CODE_BAD_ARGUMENT);
    /* Somebody's own level, which is too short. */
    ossa_ei_level own = mmp->levels[0];
    own.size--;
    mmp->levels = &own;
    require_refusal(mmp, 0, 16, OSSA_CODE_TRUNCATED);
    ossa_file_free(file);
    file = read_fixture(fixture_find("ei-mmp/unknown-fourcc"));
    require_refusal(ossa_as_ei_mmp(file), 0, PIXELS, OSSA_CODE_UNKNOWN_FLAG);
    ossa_file_free(file);
    /* Sixteen gigabytes in a file of 84 bytes: room is what the caller says it is. */
    file = read_fixture(fixture_find("ei-mmp/pnt3-bomb"));
    require_refusal(ossa_as_ei_mmp(file), 0, PIXELS, OSSA_CODE_BAD_ARGUMENT);
    ossa_file_free(file);
    file = read_fixture(fixture_find("ei-mmp/zero-width"));
    assert_true(ossa_ei_mmp_decode(ossa_as_ei_mmp(file), 0, NULL, 0, NULL));
    ossa_file_free(file);
}

/* ---- writing, JSON, fields ----------------------------------------------------------------- */

static void changes_are_written(void **state)
{
    (void)state;
    static const uint8_t texels[4] = {1, 2, 3, 4};
    static const ossa_ei_level level = {1, 1, texels, 4};
    ossa_file *file = read_fixture(fixture_find("ei-mmp/4444"));
    ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    *mmp = (ossa_ei_mmp){.width = 1,
                         .height = 1,
                         .mips = 1,
                         .fourcc = OSSA_EI_FOURCC_8888,
                         .bits = 32,
                         .alpha = {0xff000000, 24, 8},
                         .red = {0xff0000, 16, 8},
                         .green = {0xff00, 8, 8},
                         .blue = {0xff, 0, 8},
                         .level_count = 1,
                         .levels = &level};
    struct bytes expected = make_8888(1, 1, (const uint32_t[]){0x04030201});
    require_written("changed", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
}

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-mmp/5551-one"));
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"ei-mmp\",\"size\":78,\"data\":{\"width\":1,\"height\":1,"
        "\"mips\":1,\"fourcc\":\"5551\",\"bits\":16,"
        "\"alpha\":{\"mask\":32768,\"shift\":15,\"count\":1},"
        "\"red\":{\"mask\":31744,\"shift\":10,\"count\":5},"
        "\"green\":{\"mask\":992,\"shift\":5,\"count\":5},"
        "\"blue\":{\"mask\":31,\"shift\":0,\"count\":5},\"unused\":0,\"levels\":[\"41d5\"]}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
    file = read_fixture(fixture_find("ei-mmp/unknown-fourcc"));
    json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    put_u8(&json, 0);
    assert_non_null(strstr((const char *)json.data, "\"fourcc\":894720068,"));
    bytes_free(&json);
    ossa_file_free(file);
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
#define CHANNEL  "{\"mask\":0,\"shift\":0,\"count\":0}"
#define CHANNELS "\"alpha\":" CHANNEL ",\"red\":" CHANNEL ",\"green\":" CHANNEL ",\"blue\":" CHANNEL
#define HEADER(fourcc)                                                                             \
    "\"width\":1,\"height\":1,\"mips\":1,\"fourcc\":" fourcc ",\"bits\":0,\"unused\":0," CHANNELS
    static const struct {
        const char *data;
        const char *field;
    } cases[] = {
        {"{}", "data.width"},
        {"{" HEADER("\"DXT1\"") "}", "data.levels"},
        {"{" HEADER("\"DXT1\"") ",\"levels\":[]}", "data.levels"},
        {"{" HEADER("\"DXT1\"") ",\"levels\":[7]}", "data.levels[0]"},
        {"{" HEADER("\"DXT1\"") ",\"levels\":[\"0\"]}", "data.levels[0]"},
        {"{" HEADER("\"DXT1\"") ",\"levels\":[\"0g\"]}", "data.levels[0]"},
        {"{" HEADER("\"DXT2\"") ",\"levels\":[\"\"]}", "data.fourcc"},
        {"{" HEADER("-1") ",\"levels\":[\"\"]}", "data.fourcc"},
        {"{" HEADER("null") ",\"levels\":[\"\"]}", "data.fourcc"},
        {"{" HEADER("\"DXT1\"") ",\"levels\":[\"\"],\"more\":1}", "data.more"},
        {"{\"width\":1,\"height\":1,\"mips\":4294967296}", "data.mips"},
        {"{\"width\":1,\"height\":1,\"mips\":1,\"fourcc\":1,\"bits\":1,\"alpha\":{\"mask\":0}}",
         "data.alpha.shift"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_data_refused("ei-mmp", 76, cases[i].data, OSSA_CODE_BAD_JSON, cases[i].field);
}

struct lookup {
    const char *path;
    uint64_t offset;
    ossa_field_type type;
    size_t count;
};

static void look_for(void *user, const ossa_field *field)
{
    struct lookup *lookup = user;
    if (strcmp(field->path, lookup->path) != 0) return;
    assert_int_equal(field->offset, lookup->offset);
    assert_int_equal(field->type, lookup->type);
    lookup->count++;
}

static void texels_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *fixture;
        struct lookup lookup;
    } cases[] = {
        {"ei-mmp/dxt1", {"magic", 0, OSSA_FIELD_TYPE_TEXT, 0}},
        {"ei-mmp/dxt1", {"green.shift", 52, OSSA_FIELD_TYPE_U32, 0}},
        {"ei-mmp/dxt1-mips", {"levels[1].blocks[0].colours[1]", 94, OSSA_FIELD_TYPE_U16, 0}},
        {"ei-mmp/dxt3-mips", {"levels[0].blocks[1].picks[0]", 104, OSSA_FIELD_TYPE_U16, 0}},
        {"ei-mmp/5650-mips", {"levels[1].texels[3]", 114, OSSA_FIELD_TYPE_U16, 0}},
        {"ei-mmp/8888", {"levels[0].texels[5].red", 98, OSSA_FIELD_TYPE_U8, 0}},
        {"ei-mmp/pnt3", {"levels[0].words[2]", 84, OSSA_FIELD_TYPE_U32, 0}},
        {"ei-mmp/pnt3-plain", {"levels[0].texels[0].alpha", 79, OSSA_FIELD_TYPE_U8, 0}},
        {"ei-mmp/pnt3-too-plain", {"levels[0].rest", 92, OSSA_FIELD_TYPE_UNKNOWN, 0}},
        {"ei-mmp/unknown-fourcc", {"levels[0].texels", 76, OSSA_FIELD_TYPE_UNKNOWN, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fixture *fixture = fixture_find(cases[i].fixture);
        struct lookup lookup = cases[i].lookup;
        ossa_options options = {.format = "ei-mmp", .on_field = look_for, .user = &lookup};
        ossa_file_free(
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options));
        require(lookup.count == 1, lookup.path, "told %zu times", lookup.count);
    }
}

static void info_tells_what_there_is(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ei-mmp/dxt1-mips", "  levels         4\n"},
        {"ei-mmp/dxt1-mips", "  texels         DXT1, blocks of 4 x 4 texels, 4 bits per texel\n"},
        {"ei-mmp/5650", "  alpha          none\n"},
        {"ei-mmp/5650", "the bottom row is stored first\n"},
        {"ei-mmp/8888", "the top row is stored first\n"},
        {"ei-mmp/pnt3-plain", "the texels are not packed"},
        {"ei-mmp/pnt3-longest-run", "  texel bytes    4\n"},
        {"ei-mmp/unknown-fourcc", "the fourcc 0x35545844 is not known"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_described(cases[i][0], cases[i][1]);
}

TEST_GROUP(test_ei_mmp)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dxt1_has_four_colours),
        cmocka_unit_test(dxt1_has_holes_if_its_colours_do_not_fall),
        cmocka_unit_test(dxt3_has_alpha_and_always_four_colours),
        cmocka_unit_test(colours_between_are_rounded),
        cmocka_unit_test(blocks_lie_from_the_bottom_up),
        cmocka_unit_test(few_bits_are_repeated),
        cmocka_unit_test(rows_are_turned_where_they_must_be),
        cmocka_unit_test(levels_halve_down_to_one),
        cmocka_unit_test(odd_levels_are_rounded_down),
        cmocka_unit_test(blocks_of_small_levels_are_whole),
        cmocka_unit_test(runs_are_zeros),
        cmocka_unit_test(a_run_ends_anywhere_and_is_never_longer_than_a_million),
        cmocka_unit_test(texels_that_are_not_packed_are_plain),
        cmocka_unit_test(a_run_past_the_end_is_refused),
        cmocka_unit_test(a_wrong_call_is_refused),
        cmocka_unit_test(changes_are_written),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(texels_have_names),
        cmocka_unit_test(info_tells_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
