/* SPDX-License-Identifier: MIT
 *
 * Other pixels for a texture. Of each level the pixels wanted are compared with those that the old
 * ones would give, by the same filter, and where they are the same the old texels stay, however
 * their level was made.
 *
 * Colours that the palette lacks replace those that no texel uses any more. If there are too many,
 * the palette is made anew from all of the picture. Smaller levels get what comes closest: the
 * means of colours are too many to be stored. */
#include "formats/shadow_of_the_colossus/sotc_nto.h"

#include "formats/canvas.h"
#include "formats/modules.h"
#include "formats/shadow_of_the_colossus/sotc_palette.h"
#include "ossa/texture.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_LEVELS = 16 };

struct painter {
    struct ossa__context *context;
    const ossa_sotc_nto *nto;
    uint32_t size[2];
    bool is_csm1;
    struct ossa__canvas wanted[MOST_LEVELS];
    struct ossa__canvas old[MOST_LEVELS]; /* what the old first level would give */
    struct ossa__palette *before;         /* as pixels, by index */
    struct ossa__palette *palette;        /* the new one */
    bool is_used[256];                    /* colours of it */
    bool is_new[256];                     /* the same: they are not as they were */
    bool is_remade;                       /* no index is what it was */
    uint8_t *out;                         /* the texels of a level that is being painted */
};

/* ---- alpha --------------------------------------------------------------------------------- */

static uint8_t store_alpha(uint8_t alpha)
{
    return (uint8_t)((alpha * 128U + 127) / 255);
}

/* The pixels that a file can have: of the 256 steps of alpha it has 129. */
static void round_alphas(uint8_t (*pixels)[4], uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        pixels[i][3] = ossa__nto_alpha(store_alpha(pixels[i][3]));
    }
}

/* ---- levels -------------------------------------------------------------------------------- */

/* Called for a run of texels of a level. */
typedef void paint_run(struct painter *p, const struct ossa__nto_view *view, uint32_t level,
                       const uint32_t *positions, uint64_t first, uint32_t count);

/* `first` is the number of the run's first pixel. */
static void each_run(struct painter *p, uint32_t level, paint_run *paint)
{
    struct ossa__nto_view view;
    uint32_t steps[OSSA__NTO_RUN];
    if (!ossa__nto_view(p->nto, level, p->size, &view)) return;
    ossa__nto_steps(&view, steps);
    for (uint32_t y = 0; y < view.height; y++) {
        for (uint32_t x = 0; x < view.width; x += OSSA__NTO_RUN) {
            uint32_t positions[OSSA__NTO_RUN];
            uint32_t left = view.width - x;
            uint32_t count = left < OSSA__NTO_RUN ? left : OSSA__NTO_RUN;
            ossa__nto_positions(&view, steps, x, y, count, positions);
            paint(p, &view, level, positions, (uint64_t)y * view.width + x, count);
        }
    }
}

static bool is_same(const struct painter *p, uint32_t level, uint64_t pixel)
{
    return memcmp(p->wanted[level].pixels[pixel], p->old[level].pixels[pixel], 4) == 0;
}

static void take_levels(struct painter *p)
{
    for (uint32_t i = 1; i < p->nto->level_count && !p->context->failed; i++) {
        p->wanted[i] = ossa__canvas_halve(p->context, &p->wanted[i - 1]);
        p->old[i] = ossa__canvas_halve(p->context, &p->old[i - 1]);
    }
}

/* ---- the palette --------------------------------------------------------------------------- */

/* Mark the colours of texels that stay. */
static void mark_kept(struct painter *p, const struct ossa__nto_view *view, uint32_t level,
                      const uint32_t *positions, uint64_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (is_same(p, level, first + i)) p->is_used[ossa__nto_index(view, positions[i])] = true;
    }
}

/* The index of a colour that is in the palette; -1: it is not. */
static int find_exact(struct ossa__palette *palette, const uint8_t colour[4])
{
    uint8_t index = ossa__palette_nearest(palette, colour);
    return memcmp(palette->colours[index], colour, 4) == 0 ? index : -1;
}

/* Put the colours that are missing where none is used; false: there are too many. */
static bool add_missing(struct painter *p)
{
    struct ossa__palette *palette = p->palette;
    uint64_t count = (uint64_t)p->size[0] * p->size[1];
    uint32_t next = 0;
    for (uint64_t i = 0; i < count; i++) { /* those that are there must not be replaced */
        int index = is_same(p, 0, i) ? -1 : find_exact(palette, p->wanted[0].pixels[i]);
        if (index >= 0) p->is_used[index] = true;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *colour = p->wanted[0].pixels[i];
        if (is_same(p, 0, i) || find_exact(palette, colour) >= 0) continue;
        while (next < palette->count && p->is_used[next]) next++;
        if (next == palette->count) return false;
        memcpy(palette->colours[next], colour, 4);
        memset(palette->cache, 0, sizeof palette->cache);
        p->is_used[next] = true;
        p->is_new[next] = true;
    }
    return true;
}

static void remake(struct painter *p)
{
    struct ossa__palette *palette = p->palette;
    uint64_t count = (uint64_t)p->size[0] * p->size[1];
    memset(palette, 0, sizeof *palette);
    palette->count = ossa__palette_of(p->context, p->wanted[0].pixels, count, p->before->count,
                                      palette->colours);
    round_alphas(palette->colours, palette->count);
    memset(p->is_new, 1, p->before->count); /* those that are left are black and transparent */
    p->is_remade = true;
}

static void take_palette(struct painter *p)
{
    p->before = ossa__take_scratch(p->context, 2, sizeof *p->before);
    if (p->before == NULL) return;
    memset(p->before, 0, 2 * sizeof *p->before);
    p->before->count = ossa__nto_colours(p->nto->kind);
    for (unsigned i = 0; i < p->before->count; i++) {
        uint8_t *colour = p->before->colours[i];
        memcpy(colour, p->nto->palette[ossa__nto_entry(i, p->is_csm1)], 4);
        colour[3] = ossa__nto_alpha(colour[3]);
    }
    p->palette = p->before + 1;
    *p->palette = *p->before;
    for (uint32_t i = 0; i < p->nto->level_count; i++) each_run(p, i, mark_kept);
    if (!add_missing(p)) remake(p);
}

/* ---- texels -------------------------------------------------------------------------------- */

static void paint_colours(struct painter *p, const struct ossa__nto_view *view, uint32_t level,
                          const uint32_t *positions, uint64_t first, uint32_t count)
{
    (void)view;
    for (uint32_t i = 0; i < count; i++) {
        if (is_same(p, level, first + i)) continue;
        const uint8_t *pixel = p->wanted[level].pixels[first + i];
        uint8_t *texel = p->out + 4 * (size_t)positions[i];
        memcpy(texel, pixel, 3);
        texel[3] = store_alpha(pixel[3]);
    }
}

static void paint_indices(struct painter *p, const struct ossa__nto_view *view, uint32_t level,
                          const uint32_t *positions, uint64_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool stays = is_same(p, level, first + i);
        if (stays && !p->is_remade) continue;
        const uint8_t *pixel = stays ? p->before->colours[ossa__nto_index(view, positions[i])]
                                     : p->wanted[level].pixels[first + i];
        unsigned index = ossa__palette_nearest(p->palette, pixel);
        uint8_t *byte = p->out + positions[i] / (view->bits == 8 ? 1 : 2);
        if (view->bits == 8) *byte = (uint8_t)index;
        else if (positions[i] % 2 == 0) *byte = (uint8_t)((*byte & 0xf0) | index);
        else *byte = (uint8_t)((*byte & 0x0f) | index << 4);
    }
}

static void write_painted(struct painter *p, struct ossa__writer *writer)
{
    ossa_sotc_nto nto = *p->nto;
    ossa_sotc_level levels[MOST_LEVELS];
    uint8_t palette[256][4];
    bool has_palette = nto.palette_count > 0;
    for (uint32_t i = 0; i < nto.level_count; i++) {
        uint8_t *texels = ossa__take(p->context, nto.levels[i].size, 1);
        if (texels == NULL) return;
        memcpy(texels, nto.levels[i].texels, nto.levels[i].size);
        p->out = texels;
        each_run(p, i, has_palette ? paint_indices : paint_colours);
        levels[i] = nto.levels[i];
        levels[i].texels = texels;
    }
    nto.levels = levels;
    if (has_palette) memcpy(palette, nto.palette, 4 * (size_t)nto.palette_count);
    for (unsigned i = 0; i < nto.palette_count; i++) {
        uint8_t *entry = palette[ossa__nto_entry(i, p->is_csm1)];
        if (!p->is_new[i]) continue;
        memcpy(entry, p->palette->colours[i], 3);
        entry[3] = store_alpha(p->palette->colours[i][3]);
    }
    if (has_palette) nto.palette = (const uint8_t(*)[4])palette;
    ossa__format_sotc_nto.write(p->context, &nto, writer);
}

/* ---- the texture --------------------------------------------------------------------------- */

/* Which side is the width: that of the picture. */
static bool take_size(struct painter *p, const ossa_texture *texture)
{
    const ossa_sotc_nto *nto = p->nto;
    const uint32_t wanted[2] = {texture->width, texture->height};
    if (!ossa__nto_size(nto, wanted, NULL, p->size)) {
        (void)ossa__nto_size(nto, NULL, NULL, p->size);
        return ossa__fail_nowhere(p->context, OSSA_CODE_BAD_ARGUMENT, "",
                                  "the picture has %" PRIu32 " x %" PRIu32
                                  " pixels, but the texture %" PRIu32 " x %" PRIu32
                                  ": models state its size, so it cannot change",
                                  wanted[0], wanted[1], p->size[0], p->size[1]);
    }
    for (uint32_t i = 0; i < nto->level_count || i == 0; i++) {
        struct ossa__nto_view view;
        if (ossa__nto_view(nto, i, p->size, &view)) continue;
        return ossa__fail_nowhere(p->context, OSSA_CODE_BAD_VALUE, "",
                                  "level %" PRIu32 " cannot be decoded, so no texels can be made",
                                  i);
    }
    return true;
}

/* The picture as the file can store it, and what the file has; false after a failure. */
static bool take_pixels(struct painter *p, const ossa_texture *texture)
{
    uint64_t count = (uint64_t)p->size[0] * p->size[1];
    uint8_t(*wanted)[4] = ossa__take_scratch(p->context, count, sizeof *wanted);
    uint8_t(*old)[4] = ossa__take_scratch(p->context, count, sizeof *old);
    if (p->context->failed) return false;
    memcpy(wanted, texture->pixels, (size_t)count * 4);
    round_alphas(wanted, count);
    (void)ossa_sotc_pixels(p->nto, 0, p->size, NULL, old, NULL);
    p->wanted[0] = (struct ossa__canvas){p->size[0], p->size[1], (const uint8_t(*)[4])wanted};
    p->old[0] = (struct ossa__canvas){p->size[0], p->size[1], (const uint8_t(*)[4])old};
    return true;
}

void ossa__nto_repaint(struct ossa__context *context, const void *contents,
                       const struct ossa_texture *texture, struct ossa__writer *writer)
{
    struct painter p = {.context = context, .nto = contents};
    if (!take_size(&p, texture) || texture->pixels == NULL || !take_pixels(&p, texture)) return;
    p.is_csm1 = ossa__nto_is_csm1(p.nto, p.size, NULL);
    take_levels(&p);
    if (!context->failed && p.nto->palette_count > 0) take_palette(&p);
    if (!context->failed) write_painted(&p, writer);
}
