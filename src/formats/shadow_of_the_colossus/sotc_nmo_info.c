/* SPDX-License-Identifier: MIT
 *
 * What people want to know of a sotc-nmo. */
#include "formats/shadow_of_the_colossus/sotc_nmo.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct totals {
    uint64_t vertices;
    uint64_t triangles;
    uint64_t skinned; /* strips */
    uint64_t others;  /* strips with the stream that nobody understands */
};

static struct totals count_all(const ossa_sotc_nmo *nmo)
{
    struct totals totals = {0};
    for (uint32_t i = 0; i < nmo->strip_count; i++) {
        const ossa_sotc_strip *strip = &nmo->strips[i];
        totals.vertices += strip->vertex_count;
        totals.triangles += strip->vertex_count > 2 ? strip->vertex_count - 2 : 0;
        totals.skinned += strip->skin != NULL;
        totals.others += strip->others != NULL;
    }
    return totals;
}

static void describe_textures(const ossa_sotc_nmo *nmo, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"texture", "texture", 7},
                                                  {"width", "width", 6},
                                                  {"height", "height", 7},
                                                  {"name", "name", -1}};
    if (nmo->texture_count == 0 && report->json == NULL) return;
    ossa__report_begin_table(report, "texture_table", columns, 4);
    for (uint32_t i = 0; i < nmo->texture_count; i++) {
        const ossa_sotc_model_texture *texture = &nmo->textures[i];
        char name[OSSA__XFF_NAME_LIMIT];
        ossa__xff_show_name(texture->name, texture->name_size, name);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], texture->width);
        ossa__report_cell_integer(report, &columns[2], texture->height);
        ossa__report_cell_text(report, &columns[3], name);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

/* What the flags and the packet say; all but the first three words are likely, not certain. */
static void show_surface(const ossa_sotc_surface *surface, char *text, size_t capacity)
{
    static const struct {
        uint32_t bit;
        const char *word;
    } words[] = {{OSSA_SOTC_SURFACE_NORMALS, "normals"},
                 {OSSA_SOTC_SURFACE_TEXTURE, "texture"},
                 {OSSA_SOTC_SURFACE_COLOURS, "colours"},
                 {OSSA_SOTC_SURFACE_BLENDS, "blends"},
                 {0x4000, "sky"},
                 {0x10000, "culling"}};
    /* These pick the layer that it is drawn in, nobody knows which. */
    const uint32_t layers = 0x200 | 0x400 | 0x8000 | 0x20000 | 0x800000 | 0x1000000 | 0x2000000;
    const uint32_t water = 0x2200;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((surface->flags & words[i].bit) == 0) continue;
        used += (size_t)snprintf(text + used, capacity - used, " %s", words[i].word);
    }
    if ((surface->flags & water) == water) {
        used += (size_t)snprintf(text + used, capacity - used, " water");
    } else if ((surface->flags & layers) != 0) {
        used += (size_t)snprintf(text + used, capacity - used, " layer-%" PRIx32,
                                 surface->flags & layers);
    }
    if (surface->has_clamp) {
        used += (size_t)snprintf(text + used, capacity - used, " %s-%s",
                                 surface->is_clamped[0] ? "clamp" : "repeat",
                                 surface->is_clamped[1] ? "clamp" : "repeat");
    }
    if (surface->has_blend) {
        (void)snprintf(text + used, capacity - used, " alpha-%" PRIx32, (uint32_t)surface->blend);
    }
}

/* Which texture it has; -1: none. */
static int64_t texture_of(const ossa_sotc_surface *surface, unsigned stage)
{
    bool is_used = (surface->flags & OSSA_SOTC_SURFACE_TEXTURE) != 0 &&
                   (stage == 0 || surface->texture_mode == 2);
    return is_used ? (int64_t)surface->stages[stage].texture : -1;
}

static void describe_surfaces(const ossa_sotc_nmo *nmo, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {
        {"surface", "surface", 7}, {"texture", "texture", 8}, {"second", "second", 7},
        {"flags", "flags", 10},    {"name", "name", -24},     {"look", "look", -1}};
    ossa__report_begin_table(report, "surface_table", columns, 6);
    for (uint32_t i = 0; i < nmo->surface_count; i++) {
        const ossa_sotc_surface *surface = &nmo->surfaces[i];
        char name[OSSA__XFF_NAME_LIMIT];
        char look[160];
        ossa__xff_show_name(surface->name, surface->name_size, name);
        show_surface(surface, look, sizeof look);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], texture_of(surface, 0));
        ossa__report_cell_integer(report, &columns[2], texture_of(surface, 1));
        ossa__report_cell_integer(report, &columns[3], surface->flags);
        ossa__report_cell_text(report, &columns[4], name);
        ossa__report_cell_text(report, &columns[5], look[0] == ' ' ? look + 1 : look);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

void ossa__nmo_describe(const void *contents, struct ossa__report *report)
{
    const ossa_sotc_nmo *nmo = contents;
    struct totals totals = count_all(nmo);
    char name[OSSA__XFF_NAME_LIMIT];
    const char *skin = "no";
    ossa__xff_show_name(nmo->name, nmo->name_size, name);
    if (totals.skinned > 0) skin = totals.skinned == nmo->strip_count ? "yes" : "partly";
    ossa__report_text(report, "name", "name", name);
    ossa__report_integer(report, "draws", "draws", nmo->draw_count);
    ossa__report_integer(report, "strips", "strips", nmo->strip_count);
    ossa__report_integer(report, "vertices", "vertices", totals.vertices);
    ossa__report_integer(report, "triangles", "triangles", totals.triangles);
    ossa__report_text(report, "skinned", "skinned", skin);
    ossa__report_integer(report, "boxes", "boxes", nmo->box_count);
    ossa__report_integer(report, "textures", "textures", nmo->texture_count);
    ossa__report_integer(report, "surfaces", "surfaces", nmo->surface_count);
    ossa__xff_describe(&nmo->container, report);
    ossa__report_note(report,
                      "triangles include those without an area, which join parts of strips");
    ossa__report_note(report, "which side of a triangle is the front is not known for certain");
    if (totals.skinned > 0) {
        ossa__report_note(report, "colours of skinned strips may mean something else");
    }
    if (totals.others > 0) {
        ossa__report_note(report,
                          "%" PRIu64 " strips have another vector per vertex, "
                          "likely of another shape, which is not used",
                          totals.others);
    }
    describe_textures(nmo, report);
    describe_surfaces(nmo, report);
}
