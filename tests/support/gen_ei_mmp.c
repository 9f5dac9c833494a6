/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/mmp_fixture.h"

enum {
    WIDTH = 4,
    HEIGHT = 8,
    MIPS = 12,
    FOURCC = 16,
    BITS = 20,
    ALPHA = 24,
    RED = 36,
    UNUSED = 72
};

struct bytes begin_mmp(uint32_t width, uint32_t height, uint32_t mips, uint32_t fourcc)
{
    static const struct {
        uint32_t fourcc;
        uint32_t bits;
        uint32_t words[12];
    } kinds[] = {
        {MMP_4444, 16, {0xf000, 12, 4, 0x0f00, 8, 4, 0x00f0, 4, 4, 0x000f, 0, 4}},
        {MMP_5551, 16, {0x8000, 15, 1, 0x7c00, 10, 5, 0x03e0, 5, 5, 0x001f, 0, 5}},
        {MMP_5650, 16, {0, 0, 0, 0xf800, 11, 5, 0x07e0, 5, 6, 0x001f, 0, 5}},
        {MMP_8888, 32, {0xff000000, 24, 8, 0x00ff0000, 16, 8, 0x0000ff00, 8, 8, 0x000000ff, 0, 8}},
    };
    struct bytes file = {0};
    put_text(&file, "MMP");
    put_u8(&file, 0);
    put_u32(&file, width);
    put_u32(&file, height);
    put_u32(&file, mips);
    put_u32(&file, fourcc);
    size_t kind = 0;
    while (kind < 4 && kinds[kind].fourcc != fourcc) kind++;
    put_u32(&file, kind == 4 ? 0 : kinds[kind].bits);
    for (size_t i = 0; i < 12; i++) put_u32(&file, kind == 4 ? 0 : kinds[kind].words[i]);
    put_u32(&file, 0);
    return file;
}

void put_dxt1(struct bytes *file, uint32_t first, uint32_t second, const uint8_t picks[4])
{
    put_u16(file, first);
    put_u16(file, second);
    put_bytes(file, picks, 4);
}

struct bytes make_pnt3(uint32_t width, uint32_t height, const uint32_t *words, size_t count)
{
    struct bytes file = begin_mmp(width, height, (uint32_t)(4 * count), MMP_PNT3);
    for (size_t i = 0; i < count; i++) put_u32(&file, words[i]);
    return file;
}

struct bytes make_8888(uint32_t width, uint32_t height, const uint32_t *argb)
{
    struct bytes file = begin_mmp(width, height, 1, MMP_8888);
    for (size_t i = 0; i < (size_t)width * height; i++) put_u32(&file, argb[i]);
    return file;
}

/* Texels of no meaning, as many bytes as wanted. */
static struct bytes make(uint32_t seed, uint32_t width, uint32_t height, uint32_t mips,
                         uint32_t fourcc, size_t bytes)
{
    struct random random = {seed};
    struct bytes file = begin_mmp(width, height, mips, fourcc);
    for (size_t i = 0; i < bytes; i++) put_u8(&file, next_random(&random) & 0xff);
    return file;
}

/* ---- good ones ----------------------------------------------------------------------------- */

static void add_blocks(struct fixtures *all)
{
    static const uint8_t picks[4] = {0xe4, 0x00, 0x55, 0x1b};
    static const uint8_t alphas[8] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
    struct bytes opaque = begin_mmp(4, 4, 1, MMP_DXT1);
    put_dxt1(&opaque, 0xf800, 0x001f, picks);
    fixture_add(all, "ei-mmp/dxt1", opaque, OSSA_CONFIDENCE_SIGNATURE);
    struct bytes holes = begin_mmp(4, 4, 1, MMP_DXT1);
    put_dxt1(&holes, 0x001f, 0xf800, picks);
    fixture_add(all, "ei-mmp/dxt1-holes", holes, OSSA_CONFIDENCE_SIGNATURE);
    struct bytes alpha = begin_mmp(4, 4, 1, MMP_DXT3);
    put_bytes(&alpha, alphas, 8);
    put_dxt1(&alpha, 0x001f, 0xf800, picks);
    fixture_add(all, "ei-mmp/dxt3", alpha, OSSA_CONFIDENCE_SIGNATURE);
    /* 8 x 4, 4 x 2, 2 x 1, 1 x 1: two blocks, then one each. */
    fixture_add(all, "ei-mmp/dxt1-mips", make(201, 8, 4, 4, MMP_DXT1, 8 * 5),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/dxt3-mips", make(202, 8, 4, 2, MMP_DXT3, 16 * 3),
                OSSA_CONFIDENCE_SIGNATURE);
    /* Blocks that reach over the edge: 2 x 2 of them, and a single one. */
    fixture_add(all, "ei-mmp/dxt1-uneven", make(203, 6, 5, 1, MMP_DXT1, 8 * 4),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/dxt3-uneven", make(204, 3, 2, 1, MMP_DXT3, 16),
                OSSA_CONFIDENCE_SIGNATURE);
}

static void add_plain(struct fixtures *all)
{
    struct bytes one = begin_mmp(1, 1, 1, MMP_5551);
    put_u16(&one, 0x8000 | 21 << 10 | 10 << 5 | 1);
    fixture_add(all, "ei-mmp/5551-one", one, OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/4444", make(205, 4, 4, 1, MMP_4444, 32), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/5551", make(206, 4, 4, 1, MMP_5551, 32), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/5650", make(207, 8, 4, 1, MMP_5650, 64), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/8888", make(208, 4, 4, 1, MMP_8888, 64), OSSA_CONFIDENCE_SIGNATURE);
    /* 8 x 2, 4 x 1, 2 x 1, 1 x 1: 23 texels. */
    fixture_add(all, "ei-mmp/5650-mips", make(209, 8, 2, 4, MMP_5650, 46),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/8888-mips", make(210, 8, 2, 4, MMP_8888, 92),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/big", make(211, 64, 64, 7, MMP_8888, 21844),
                OSSA_CONFIDENCE_SIGNATURE);
}

static void add_packed(struct fixtures *all)
{
    /* 4 x 3: a texel, 5 transparent ones, two texels (zero is one, too), 4 transparent ones. */
    static const uint32_t runs[] = {0xff102030, 20, 0, 0x80ffffff, 16};
    static const uint32_t zeros[] = {1000000};
    /* One more than the longest run is a texel; a run may be as short as a byte. */
    static const uint32_t limits[] = {1000001, 1, 1, 1, 1, 0xffffffff, 4};
    static const uint32_t plain[] = {1, 2, 3, 0x04030201};
    fixture_add(all, "ei-mmp/pnt3", make_pnt3(4, 3, runs, 5), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-mmp/pnt3-longest-run", make_pnt3(500, 500, zeros, 1),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add_broken(all, "ei-mmp/pnt3-limits", make_pnt3(8, 1, limits, 7),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               MMP_HEADER + 4, "levels[0].words[1]"});
    struct fixture *fixture = &all->items[all->count - 1];
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, MIPS, "mips");
    fixture_add(all, "ei-mmp/pnt3-plain", make_pnt3(2, 2, plain, 4), OSSA_CONFIDENCE_SIGNATURE);
}

/* ---- rules --------------------------------------------------------------------------------- */

static void add_header_faults(struct fixtures *all)
{
    struct bytes file = make(221, 4, 4, 1, 0x35545844, 16);
    fixture_add_broken(
        all, "ei-mmp/unknown-fourcc", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, FOURCC, "fourcc"});
    fixture_add_broken(
        all, "ei-mmp/zero-width", make(222, 0, 4, 1, MMP_4444, 0), OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, WIDTH, "width"});
    fixture_add_broken(
        all, "ei-mmp/zero-height", make(223, 4, 0, 1, MMP_DXT1, 0), OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, HEIGHT, "height"});
    file = make(224, 2, 2, 1, MMP_5551, 8);
    set_u32(&file, BITS, 15);
    fixture_add_broken(
        all, "ei-mmp/wrong-bits", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, BITS, "bits"});
    file = make(225, 2, 2, 1, MMP_5650, 8);
    set_u32(&file, RED, 0x7c00);
    fixture_add_broken(
        all, "ei-mmp/wrong-mask", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, RED, "red"});
    file = make(226, 2, 2, 1, MMP_8888, 16);
    set_u32(&file, ALPHA + 4, 0);
    fixture_add_broken(
        all, "ei-mmp/wrong-shift", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, ALPHA, "alpha"});
    file = make(227, 2, 2, 1, MMP_4444, 8);
    set_u32(&file, ALPHA + 8, 0);
    fixture_add_broken(
        all, "ei-mmp/wrong-count", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, ALPHA, "alpha"});
    /* What nobody asks for: the shift of no bits, the channels of blocks, the unused word. */
    file = make(228, 2, 2, 1, MMP_5650, 8);
    set_u32(&file, ALPHA + 4, 15);
    set_u32(&file, UNUSED, 0xdeadbeef);
    fixture_add(all, "ei-mmp/no-alpha-shift", file, OSSA_CONFIDENCE_SIGNATURE);
    file = make(229, 4, 4, 1, MMP_DXT1, 8);
    set_u32(&file, BITS, 32);
    set_u32(&file, ALPHA, 0xff000000);
    fixture_add(all, "ei-mmp/dxt1-with-masks", file, OSSA_CONFIDENCE_SIGNATURE);
}

static void add_size_faults(struct fixtures *all)
{
    fixture_add_broken(
        all, "ei-mmp/no-levels", make(231, 4, 4, 0, MMP_4444, 32), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, MIPS, "mips"});
    fixture_add_broken(
        all, "ei-mmp/too-many-levels", make(232, 4, 4, 4, MMP_DXT1, 24), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, MIPS, "mips"});
    fixture_add_broken(
        all, "ei-mmp/endless-levels", make(233, 1, 1, UINT32_MAX, MMP_5551, 2),
        OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, MIPS, "mips"});
    fixture_add_broken(all, "ei-mmp/trailing-bytes", make(234, 4, 4, 1, MMP_4444, 35),
                       OSSA_CONFIDENCE_DAMAGED,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES,
                                               MMP_HEADER + 32, "tail"});
    fixture_add_broken(all, "ei-mmp/cut-level", make(235, 8, 4, 2, MMP_DXT1, 23),
                       OSSA_CONFIDENCE_DAMAGED,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                                               MMP_HEADER + 16, "levels[1].blocks"});
    fixture_add_broken(
        all, "ei-mmp/huge", make(236, UINT32_MAX, UINT32_MAX, 33, MMP_8888, 64),
        OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, WIDTH, "width"});
    struct fixture *huge = &all->items[all->count - 1];
    fixture_expect(huge, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, HEIGHT, "height");
    fixture_expect(huge, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, MMP_HEADER,
                   "levels[0].texels");
    struct bytes cut = make(237, 4, 4, 1, MMP_DXT1, 0);
    cut.size = UNUSED;
    fixture_add_broken(
        all, "ei-mmp/cut-header", cut, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, UNUSED, "unused"});
    struct bytes other = make(238, 4, 4, 1, MMP_DXT1, 8);
    set_u8(&other, 3, 'X');
    fixture_add_broken(
        all, "ei-mmp/bad-magic", other, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "magic"});
}

static void add_packing_faults(struct fixtures *all)
{
    static const uint32_t run_over[] = {0xff000000, 24, 8, 0xffffffff};
    static const uint32_t texel_over[] = {28, 2, 0xff00ff00};
    static const uint32_t little[] = {8, 0xff000000};
    static const uint32_t uneven[] = {3, 0xff112233, 25};
    static const uint32_t bomb[] = {1000000, 1000000, 1};
    fixture_add_broken(all, "ei-mmp/pnt3-run-over", make_pnt3(4, 2, run_over, 4),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT,
                                               MMP_HEADER + 8, "levels[0].words[2]"});
    fixture_add_broken(all, "ei-mmp/pnt3-texel-over", make_pnt3(4, 2, texel_over, 3),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               MMP_HEADER + 4, "levels[0].words[1]"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT,
                   MMP_HEADER + 8, "levels[0].words[2]");
    fixture_add_broken(
        all, "ei-mmp/pnt3-little", make_pnt3(4, 2, little, 2), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, MIPS, "mips"});
    fixture_add_broken(all, "ei-mmp/pnt3-uneven", make_pnt3(4, 2, uneven, 3),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               MMP_HEADER, "levels[0].words[0]"});
    struct bytes odd = make_pnt3(4, 2, (const uint32_t[]){32}, 1);
    put_u8(&odd, 7);
    set_u32(&odd, MIPS, 5);
    fixture_add_broken(
        all, "ei-mmp/pnt3-odd-size", odd, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, MIPS, "mips"});
    struct bytes more = make(241, 2, 2, 18, MMP_PNT3, 18);
    fixture_add_broken(
        all, "ei-mmp/pnt3-too-plain", more, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, MIPS, "mips"});
    fixture_add_broken(all, "ei-mmp/pnt3-cut", make(242, 4, 4, 12, MMP_PNT3, 11),
                       OSSA_CONFIDENCE_DAMAGED,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                                               MMP_HEADER, "levels[0].words"});
    fixture_add_broken(
        all, "ei-mmp/pnt3-bomb", make_pnt3(1, UINT32_MAX, bomb, 2), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, HEIGHT, "height"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH,
                   MIPS, "mips");
}

void generate_ei_mmp(struct fixtures *all)
{
    add_blocks(all);
    add_plain(all);
    add_packed(all);
    add_header_faults(all);
    add_size_faults(all);
    add_packing_faults(all);
}
