/* SPDX-License-Identifier: MIT
 *
 * The pixels of sotc-nto. Two things are open, and both are up to the options: which of the two
 * sides is the width, and the order of a palette of 256 colours. The graphics chip wants colours 8
 * to 15 and 16 to 23 of every 32 exchanged (CSM1); some readers of the game's files find them so,
 * others do not. In the wrong order a picture is noisy, so the default is the order in which
 * neighbouring texels differ less. */
#include "formats/shadow_of_the_colossus/sotc_nto.h"

#include "formats/shadow_of_the_colossus/sotc_swizzle.h"

#include <string.h>

unsigned ossa__nto_bits(ossa_sotc_texels kind)
{
    switch (kind) {
    case OSSA_SOTC_TEXELS_RGBA32: return 32;
    case OSSA_SOTC_TEXELS_8: return 8;
    case OSSA_SOTC_TEXELS_4: return 4;
    default: return 0;
    }
}

uint32_t ossa__nto_colours(ossa_sotc_texels kind)
{
    unsigned bits = ossa__nto_bits(kind);
    return bits == 8 || bits == 4 ? 1U << bits : 0;
}

uint32_t ossa__nto_side(uint32_t side, uint32_t level)
{
    uint32_t smaller = level < 32 ? side >> level : 0;
    return smaller > 0 ? smaller : 1;
}

uint64_t ossa__nto_level_bytes(unsigned bits, const uint32_t sides[2], uint32_t level)
{
    uint64_t texels = (uint64_t)ossa__nto_side(sides[0], level) * ossa__nto_side(sides[1], level);
    return (texels * bits + 7) / 8;
}

/* ---- size ---------------------------------------------------------------------------------- */

/* Whether all levels that are swizzled can be, with these sides. */
static bool can_be(const ossa_sotc_nto *nto, uint32_t width, uint32_t height)
{
    unsigned bits = ossa__nto_bits(nto->kind);
    for (uint32_t i = 0; i < nto->level_count && bits < 32; i++) {
        if (nto->levels[i].is_swizzled &&
            !ossa__sotc_can_swizzle(bits, ossa__nto_side(width, i), ossa__nto_side(height, i))) {
            return false;
        }
    }
    return true;
}

bool ossa__nto_size(const ossa_sotc_nto *nto, const uint32_t sides[2],
                    const ossa_sotc_options *options, uint32_t size[2])
{
    const uint32_t *own = nto->sides;
    bool is_high = options != NULL && options->sides == OSSA_SOTC_SIDES_HIGH;
    if (sides == NULL) {
        bool can_be_low = can_be(nto, own[0], own[1]);
        bool can_be_high = can_be(nto, own[1], own[0]);
        if (can_be_low != can_be_high) is_high = can_be_high;
    } else {
        bool is_low = sides[0] == own[0] && sides[1] == own[1];
        is_high = sides[0] == own[1] && sides[1] == own[0];
        if (!is_low && !is_high) return false;
    }
    size[0] = own[is_high ? 1 : 0];
    size[1] = own[is_high ? 0 : 1];
    return true;
}

bool ossa__nto_view(const ossa_sotc_nto *nto, uint32_t level, const uint32_t size[2],
                    struct ossa__nto_view *view)
{
    if (level >= nto->level_count) return false;
    const ossa_sotc_level *stored = &nto->levels[level];
    *view = (struct ossa__nto_view){.texels = stored->texels,
                                    .bits = ossa__nto_bits(nto->kind),
                                    .width = ossa__nto_side(size[0], level),
                                    .height = ossa__nto_side(size[1], level)};
    view->is_swizzled = stored->is_swizzled && view->bits < 32;
    if (view->bits == 0 || nto->palette_count < ossa__nto_colours(nto->kind)) return false;
    if (stored->size < ossa__nto_level_bytes(view->bits, size, level)) return false;
    return !view->is_swizzled || ossa__sotc_can_swizzle(view->bits, view->width, view->height);
}

/* ---- texels -------------------------------------------------------------------------------- */

void ossa__nto_steps(const struct ossa__nto_view *view, uint32_t steps[OSSA__NTO_RUN])
{
    for (uint32_t i = 0; i < OSSA__NTO_RUN; i++) {
        bool is_used = view->is_swizzled && i < view->width;
        steps[i] = is_used ? ossa__sotc_swizzled(view->bits, view->width, view->height, i, 0) : i;
    }
}

void ossa__nto_positions(const struct ossa__nto_view *view, const uint32_t steps[OSSA__NTO_RUN],
                         uint32_t x, uint32_t y, uint32_t count, uint32_t positions[OSSA__NTO_RUN])
{
    if (view->is_swizzled) {
        uint32_t first = ossa__sotc_swizzled(view->bits, view->width, view->height, x, y);
        for (uint32_t i = 0; i < count; i++) positions[i] = first ^ steps[i];
    } else {
        for (uint32_t i = 0; i < count; i++) positions[i] = y * view->width + x + i;
    }
}

/* The indices of one row from `x` on. */
static void fetch(const struct ossa__nto_view *view, const uint32_t steps[OSSA__NTO_RUN],
                  uint32_t x, uint32_t y, uint32_t count, uint8_t indices[OSSA__NTO_RUN])
{
    uint32_t positions[OSSA__NTO_RUN];
    ossa__nto_positions(view, steps, x, y, count, positions);
    for (uint32_t i = 0; i < count; i++) indices[i] = ossa__nto_index(view, positions[i]);
}

static uint32_t run_at(const struct ossa__nto_view *view, uint32_t x)
{
    return view->width - x < OSSA__NTO_RUN ? view->width - x : OSSA__NTO_RUN;
}

/* ---- order of the palette ------------------------------------------------------------------ */

/* How often texels of two colours are neighbours does not depend on the order, so one pass over the
 * texels adds up both. */
struct roughness {
    const uint8_t (*palette)[4];
    uint64_t plain;
    uint64_t csm1;
};

static unsigned difference(const uint8_t a[4], const uint8_t b[4])
{
    unsigned sum = 0;
    for (unsigned c = 0; c < 4; c++) sum += a[c] > b[c] ? a[c] - b[c] : b[c] - a[c];
    return sum;
}

static void compare(struct roughness *r, uint8_t a, uint8_t b)
{
    if (a == b) return;
    r->plain += difference(r->palette[a], r->palette[b]);
    r->csm1 +=
        difference(r->palette[ossa__nto_entry(a, true)], r->palette[ossa__nto_entry(b, true)]);
}

static void add_columns(struct roughness *r, const struct ossa__nto_view *view,
                        const uint32_t steps[OSSA__NTO_RUN], uint32_t x)
{
    uint8_t rows[2][OSSA__NTO_RUN];
    uint32_t count = run_at(view, x);
    for (uint32_t y = 0; y < view->height; y++) {
        uint8_t *row = rows[y % 2];
        const uint8_t *above = rows[(y + 1) % 2];
        fetch(view, steps, x, y, count, row);
        for (uint32_t i = 1; i < count; i++) compare(r, row[i - 1], row[i]);
        for (uint32_t i = 0; i < count && y > 0; i++) compare(r, above[i], row[i]);
    }
}

bool ossa__nto_is_csm1(const ossa_sotc_nto *nto, const uint32_t size[2],
                       const ossa_sotc_options *options)
{
    struct ossa__nto_view view;
    uint32_t steps[OSSA__NTO_RUN];
    struct roughness r = {.palette = nto->palette};
    if (nto->kind != OSSA_SOTC_TEXELS_8) return false;
    if (options != NULL && options->palette != OSSA_SOTC_PALETTE_SMOOTH) {
        return options->palette == OSSA_SOTC_PALETTE_CSM1;
    }
    if (!ossa__nto_view(nto, 0, size, &view)) return false;
    ossa__nto_steps(&view, steps);
    for (uint32_t x = 0; x < view.width; x += OSSA__NTO_RUN) add_columns(&r, &view, steps, x);
    return r.csm1 < r.plain;
}

/* ---- pixels -------------------------------------------------------------------------------- */

static void decode_colours(const struct ossa__nto_view *view, uint8_t (*rgba)[4])
{
    uint64_t count = (uint64_t)view->width * view->height;
    memcpy(rgba, view->texels, (size_t)count * 4);
    for (uint64_t i = 0; i < count; i++) rgba[i][3] = ossa__nto_alpha(rgba[i][3]);
}

static void decode_indices(const struct ossa__nto_view *view, const uint8_t palette[256][4],
                           uint8_t (*rgba)[4])
{
    uint32_t steps[OSSA__NTO_RUN];
    ossa__nto_steps(view, steps);
    for (uint32_t y = 0; y < view->height; y++) {
        for (uint32_t x = 0; x < view->width; x += OSSA__NTO_RUN) {
            uint8_t indices[OSSA__NTO_RUN];
            uint32_t count = run_at(view, x);
            fetch(view, steps, x, y, count, indices);
            for (uint32_t i = 0; i < count; i++, rgba++) memcpy(*rgba, palette[indices[i]], 4);
        }
    }
}

bool ossa_sotc_pixels(const ossa_sotc_nto *nto, uint32_t level, const uint32_t sides[2],
                      const ossa_sotc_options *options, uint8_t (*rgba)[4], uint32_t size[2])
{
    uint32_t first[2];
    struct ossa__nto_view view;
    if (!ossa__nto_size(nto, sides, options, first)) return false;
    if (!ossa__nto_view(nto, level, first, &view)) return false;
    if (size != NULL) {
        size[0] = view.width;
        size[1] = view.height;
    }
    if (rgba == NULL) return true;
    if (view.bits == 32) {
        decode_colours(&view, rgba);
        return true;
    }
    uint8_t palette[256][4];
    bool is_csm1 = ossa__nto_is_csm1(nto, first, options);
    for (unsigned i = 0; i < ossa__nto_colours(nto->kind); i++) {
        memcpy(palette[i], nto->palette[ossa__nto_entry(i, is_csm1)], 4);
        palette[i][3] = ossa__nto_alpha(palette[i][3]);
    }
    decode_indices(&view, (const uint8_t(*)[4])palette, rgba);
    return true;
}
