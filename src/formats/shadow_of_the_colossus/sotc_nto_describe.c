/* SPDX-License-Identifier: MIT
 *
 * What a texture of Shadow of the Colossus is, for people and programs. */
#include "formats/shadow_of_the_colossus/sotc_nto.h"

#include "base/bytes.h"
#include "codec/report.h"
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include <inttypes.h>
#include <stdio.h>

static const char *kind_text(ossa_sotc_texels kind)
{
    switch (kind) {
    case OSSA_SOTC_TEXELS_RGBA32: return "32 bits: red green blue alpha";
    case OSSA_SOTC_TEXELS_8: return "8 bits: 256 colours";
    case OSSA_SOTC_TEXELS_4: return "4 bits: 16 colours";
    default: return "not known";
    }
}

/* Filters and tests have the numbers of the graphics chip. */
static const char *filter_text(const uint8_t *word)
{
    static const char *const filters[] = {
        "nearest",
        "linear",
        "nearest, in the nearest level",
        "nearest, between levels",
        "linear, in the nearest level",
        "linear, between levels",
    };
    uint32_t filter = ossa__load_u32(word);
    return filter < sizeof filters / sizeof filters[0] ? filters[filter] : "not known";
}

static void describe_test(const ossa_sotc_nto *nto, struct ossa__report *report)
{
    static const char *const tests[] = {"never passes", "always passes", "less than",
                                        "at most",      "equal to",      "at least",
                                        "greater than", "not equal to"};
    char text[64];
    uint32_t test = nto->alpha_test;
    if (test > 7) (void)snprintf(text, sizeof text, "not known: %" PRIu32, test);
    else if (test < 2) (void)snprintf(text, sizeof text, "%s", tests[test]);
    else (void)snprintf(text, sizeof text, "%s %" PRIu32, tests[test], nto->alpha_reference);
    ossa__report_text(report, "alpha_test", "alpha test", text);
}

static void describe_levels(const ossa_sotc_nto *nto, const uint32_t size[2],
                            struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"level", "level", 6},
                                                  {"width", "width", 7},
                                                  {"height", "height", 7},
                                                  {"bytes", "bytes", 9},
                                                  {"order", "  order", -1}};
    ossa__report_begin_table(report, "level_table", columns, 5);
    for (uint32_t i = 0; i < nto->level_count; i++) {
        const char *order = nto->levels[i].is_swizzled ? "  swizzled" : "  rows";
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], ossa__nto_side(size[0], i));
        ossa__report_cell_integer(report, &columns[2], ossa__nto_side(size[1], i));
        ossa__report_cell_integer(report, &columns[3], nto->levels[i].size);
        ossa__report_cell_text(report, &columns[4], report->json == NULL ? order : order + 2);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

void ossa__nto_describe(const void *contents, struct ossa__report *report)
{
    const ossa_sotc_nto *nto = contents;
    uint32_t size[2];
    (void)ossa__nto_size(nto, NULL, NULL, size);
    if (nto->name != NULL) {
        char name[OSSA__XFF_NAME_LIMIT];
        ossa__xff_show_name(nto->name, nto->name_size, name);
        ossa__report_text(report, "name", "name", name);
    }
    ossa__report_integer(report, "width", "width", size[0]);
    ossa__report_integer(report, "height", "height", size[1]);
    ossa__report_integer(report, "levels", "levels", nto->level_count);
    ossa__report_text(report, "texels", "texels", kind_text(nto->kind));
    if (nto->kind == OSSA_SOTC_TEXELS_8) {
        ossa__report_text(report, "palette_order", "palette order",
                          ossa__nto_is_csm1(nto, size, NULL) ? "csm1" : "plain");
    }
    describe_test(nto, report);
    ossa__report_text(report, "magnify", "magnify", filter_text(nto->header + OSSA__NTO_MAGNIFY));
    ossa__report_text(report, "minify", "minify", filter_text(nto->header + OSSA__NTO_MINIFY));
    ossa__xff_describe(&nto->container, report);
    if (size[0] != size[1]) {
        ossa__report_note(report, "which side is the width is not known for certain, unless a "
                                  "model (NMO) states it");
    }
    if (nto->kind == OSSA_SOTC_TEXELS_8) {
        ossa__report_note(report,
                          "the palette's order is not known for certain: this is the one in "
                          "which neighbouring texels differ less");
    }
    describe_levels(nto, size, report);
}
