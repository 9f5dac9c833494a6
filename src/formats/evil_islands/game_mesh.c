/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: the meshes of the parts (FIG), each in its bone's own space.
 *
 * A corner that a triangle uses is a vertex of the scene; its position is that of the complexion.
 * The file's triangles are counter-clockwise from outside and stay so: changing the axes is a
 * rotation. A texture's v counts from the bottom (likely: ports of the game hand it to OpenGL and
 * Blender as it is), the scene's from the top: it becomes 1 - v. */
#include "formats/evil_islands/game.h"

#include "base/text.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One mesh being made. */
struct gatherer {
    struct ossa__ei_figure *figure;
    const ossa_ei_fig *fig;
    uint32_t *places;   /* of the figure's corners in the mesh + 1; 0: not used */
    uint16_t *vertices; /* of the figure, by vertex of the mesh */
    ossa_mesh mesh;
};

/* ---- vertices ------------------------------------------------------------------------------ */

/* Of length 1, in the scene's axes. What has no length shows up. */
static void direction_of(const float normal[3], float out[3])
{
    double v[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 1e-12) || !isfinite(length)) {
        out[0] = out[2] = 0.0F;
        out[1] = 1.0F;
        return;
    }
    for (unsigned k = 0; k < 3; k++) v[k] /= length;
    ossa__ei_to_scene(v, out);
}

static void fill_vertices(struct gatherer *g, float (*positions)[3], float (*normals)[3],
                          float (*texcoords)[2])
{
    const struct ossa__assembly *assembly = g->figure->assembly;
    const ossa_ei_fig *fig = g->fig;
    for (uint32_t c = 0; c < fig->vertex_component_count; c++) {
        if (g->places[c] == 0) continue;
        uint32_t at = g->places[c] - 1;
        const ossa_ei_vertex_component *corner = &fig->vertex_components[c];
        float place[3];
        float normal[3];
        double scaled[3];
        ossa_ei_fig_vertex(fig, corner->vertex, ossa__ei_options(assembly)->complexion, place);
        for (unsigned k = 0; k < 3; k++) scaled[k] = (double)place[k] * assembly->options->scale;
        ossa__ei_to_scene(scaled, positions[at]);
        ossa_ei_fig_normal(fig, corner->normal, normal);
        direction_of(normal, normals[at]);
        texcoords[at][0] = fig->texcoords[corner->texcoord][0];
        texcoords[at][1] = (float)(1.0 - (double)fig->texcoords[corner->texcoord][1]);
        g->vertices[at] = corner->vertex;
    }
}

/* Which corners are used, in their order; gives how many. */
static uint32_t place_corners(struct gatherer *g)
{
    const ossa_ei_fig *fig = g->fig;
    uint32_t count = 0;
    memset(g->places, 0, fig->vertex_component_count * sizeof *g->places);
    for (uint32_t i = 0; i < fig->index_count; i++) g->places[fig->indices[i]] = 1;
    for (uint32_t c = 0; c < fig->vertex_component_count; c++) {
        if (g->places[c] != 0) g->places[c] = ++count;
    }
    return count;
}

static void gather(struct gatherer *g)
{
    struct ossa__context *context = &g->figure->assembly->context;
    const ossa_ei_fig *fig = g->fig;
    g->places = ossa__take(context, fig->vertex_component_count, sizeof *g->places);
    if (g->places == NULL) return;
    uint32_t count = place_corners(g);
    float(*positions)[3] = ossa__take(context, count, sizeof *positions);
    float(*normals)[3] = ossa__take(context, count, sizeof *normals);
    float(*texcoords)[2] = ossa__take(context, count, sizeof *texcoords);
    uint32_t *indices = ossa__take(context, fig->index_count, sizeof *indices);
    g->vertices = ossa__take(context, count, sizeof *g->vertices);
    if (g->vertices == NULL) return;
    fill_vertices(g, positions, normals, texcoords);
    for (uint32_t i = 0; i < fig->index_count; i++) indices[i] = g->places[fig->indices[i]] - 1;
    g->mesh.kind = OSSA_MESH_KIND_TRIANGLES;
    g->mesh.vertex_count = count;
    g->mesh.positions = (const float(*)[3])positions;
    g->mesh.normals = (const float(*)[3])normals;
    g->mesh.texcoords = (const float(*)[2])texcoords;
    g->mesh.index_count = fig->index_count;
    g->mesh.indices = indices;
}

/* ---- materials ----------------------------------------------------------------------------- */

/* Meshes by what they look like. */
static bool looks_before(const void *a, const void *b, void *user)
{
    const ossa_ei_fig *const *figs = user;
    const ossa_ei_fig *x = figs[*(const uint32_t *)a];
    const ossa_ei_fig *y = figs[*(const uint32_t *)b];
    if (x->texture_number != y->texture_number) return x->texture_number < y->texture_number;
    return x->group < y->group;
}

/* In which groups the texture's alpha makes holes or glass. Likely: it is what a port of the game
 * does; other groups are solid. */
static bool is_transparent(uint32_t group)
{
    return group == 17 || group == 18 || group == 21 || group == 23 || group == 25;
}

/* "unmotr 1"; where another group has that number too, "unmotr 1 group 18". */
static char *name_material(struct ossa__assembly *assembly, const ossa_ei_fig *fig, bool is_second)
{
    const char *model = assembly->scene->name;
    size_t size = strlen(model) + 40;
    char *name = ossa__take(&assembly->context, size, 1);
    if (name == NULL) return NULL;
    int used = snprintf(name, size, "%s %" PRIu32, model, fig->texture_number);
    if (is_second && used > 0) {
        (void)snprintf(name + used, size - (size_t)used, " group %" PRIu32, fig->group);
    }
    return name;
}

/* What the file says of a material: what it is made of, and its texture's number. */
static const ossa_extra *material_extras(struct ossa__assembly *assembly, const ossa_ei_fig *fig)
{
    ossa_extra *extras = ossa__take(&assembly->context, 2, sizeof *extras);
    double *numbers = ossa__take(&assembly->context, 2, sizeof *numbers);
    if (extras == NULL || numbers == NULL) return NULL;
    numbers[0] = fig->group;
    numbers[1] = fig->texture_number;
    extras[0] = (ossa_extra){.key = ossa_ei_fig_is_material(fig) ? "material" : "group",
                             .number_count = 1,
                             .numbers = &numbers[0]};
    extras[1] = (ossa_extra){.key = "texture_number", .number_count = 1, .numbers = &numbers[1]};
    return extras;
}

/* One for each texture number in each group. The figure does not say which picture that is, so that
 * there is none yet: whoever knows the pictures sets `texture`. */
static void add_materials(struct ossa__ei_figure *figure, ossa_mesh *meshes,
                          const ossa_ei_fig **figs)
{
    struct ossa__context *context = &figure->assembly->context;
    ossa_scene *scene = figure->assembly->scene;
    uint32_t *order = ossa__take(context, scene->mesh_count, sizeof *order);
    ossa_material *materials = ossa__take(context, scene->mesh_count, sizeof *materials);
    if (materials == NULL) return;
    for (uint32_t i = 0; i < scene->mesh_count; i++) order[i] = i;
    if (!ossa__sort(context, order, scene->mesh_count, sizeof *order, looks_before, figs)) return;
    scene->materials = materials;
    for (uint32_t i = 0; i < scene->mesh_count && !context->failed; i++) {
        const ossa_ei_fig *fig = figs[order[i]];
        const ossa_ei_fig *before = i == 0 ? NULL : figs[order[i - 1]];
        bool same_number = before != NULL && before->texture_number == fig->texture_number;
        if (!same_number || before->group != fig->group) {
            materials[scene->material_count++] =
                (ossa_material){.name = name_material(figure->assembly, fig, same_number),
                                .texture = -1,
                                .colour = {1.0F, 1.0F, 1.0F, 1.0F},
                                .is_transparent = is_transparent(fig->group),
                                .extra_count = 2,
                                .extras = material_extras(figure->assembly, fig)};
        }
        meshes[order[i]].material = (int32_t)scene->material_count - 1;
    }
}

/* ---- parts --------------------------------------------------------------------------------- */

/* The mesh of each bone, NULL where it has none or is not to be shown; NULL after a failure. */
static const struct ossa__part **find_figs(struct ossa__ei_figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    struct ossa__ei_strays strays = {0};
    const struct ossa__part **figs =
        ossa__take(&assembly->context, figure->bone_count, sizeof *figs);
    if (figs == NULL) return NULL;
    memset(figs, 0, figure->bone_count * sizeof *figs);
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "ei-fig") != 0) continue;
        figure->has_figs = true;
        int64_t bone = ossa__ei_find_bone(figure, part->stem);
        bool is_stray = bone < 0 && part->stem[ossa__ei_slot_size(part->stem)] == '\0' &&
                        ossa__ei_find_slot(figure, part->stem) < 0;
        if (is_stray && strays.count++ == 0) strays.first = part;
        if (bone < 0) continue; /* a variant that nobody asked for */
        if (figs[bone] != NULL) {
            (void)ossa__misfit(assembly, part, "the part '%s' already has a mesh, %s", part->stem,
                               figs[bone]->shown);
            ossa__leave_out(assembly, "the mesh");
            if (assembly->context.failed) return NULL;
            continue;
        }
        figs[bone] = part;
    }
    ossa__ei_report_strays(figure, &strays, "mesh");
    for (uint32_t i = 0; i < figure->bone_count; i++) {
        if (!figure->is_shown[i]) figs[i] = NULL;
    }
    return figs;
}

bool ossa__ei_add_meshes(struct ossa__ei_figure *figure)
{
    struct ossa__context *context = &figure->assembly->context;
    ossa_scene *scene = figure->assembly->scene;
    uint32_t bones = figure->bone_count;
    const struct ossa__part **parts = find_figs(figure);
    if (parts == NULL || !figure->has_figs) return parts != NULL;
    ossa_mesh *meshes = ossa__take(context, bones, sizeof *meshes);
    const ossa_ei_fig **figs = ossa__take(context, bones, sizeof *figs);
    figure->shapes = ossa__take(context, bones, sizeof *figure->shapes);
    figure->mesh_of = ossa__take(context, bones, sizeof *figure->mesh_of);
    if (figure->mesh_of == NULL) return false;
    memset(figure->mesh_of, 0, bones * sizeof *figure->mesh_of);
    scene->meshes = meshes;
    for (uint32_t b = 0; b < bones && !context->failed; b++) {
        const ossa_ei_fig *fig = parts[b] == NULL ? NULL : parts[b]->contents;
        if (fig == NULL || fig->index_count == 0) continue; /* nothing to show */
        struct gatherer g = {.figure = figure, .fig = fig};
        gather(&g);
        if (context->failed) return false;
        g.mesh.name = scene->bones[b].name;
        g.mesh.bone = b;
        ossa__ei_shapes_start(context, fig, g.vertices, g.mesh.vertex_count,
                              &figure->shapes[scene->mesh_count]);
        figs[scene->mesh_count] = fig;
        meshes[scene->mesh_count++] = g.mesh;
        figure->mesh_of[b] = scene->mesh_count;
    }
    if (!context->failed) add_materials(figure, meshes, figs);
    return !context->failed;
}

/* ---- textures ------------------------------------------------------------------------------ */

/* A figure's parts only have a number for their texture, the game's data base says the rest. What
 * is known without it: textures are named like the model, with digits or letters behind (`unmotr`
 * has `unmotr00`). So the figure gets, in this order, the texture of exactly its name, the first
 * whose name begins with it, or the only one there is. options.ei->texture goes before all that. */

static bool is_texture(const struct ossa__part *part)
{
    return strcmp(part->format, "ei-mmp") == 0;
}

static void add_texture(struct ossa__assembly *assembly, const struct ossa__part *part,
                        ossa_texture *textures)
{
    const ossa_ei_mmp *mmp = part->contents;
    uint32_t number = assembly->options->texture_level;
    const ossa_ei_level *level = &mmp->levels[number < mmp->level_count ? number : 0];
    uint64_t count = (uint64_t)level->width * level->height;
    /* A file may be far smaller than its picture: the assembly's limit is what bounds it. */
    ossa__blame(assembly, part);
    uint8_t(*pixels)[4] = ossa__take(&assembly->context, count, sizeof *pixels);
    ossa_error error;
    if (pixels == NULL) return;
    ossa__blame(assembly, NULL);
    if (!ossa_ei_mmp_decode(mmp, number, pixels, count, &error)) {
        (void)ossa__misfit(assembly, part, "%s", error.message);
        ossa__leave_out(assembly, "the texture");
        return;
    }
    textures[assembly->scene->texture_count++] =
        (ossa_texture){.name = part->stem[0] == '\0' ? "texture" : part->stem,
                       .width = level->width,
                       .height = level->height,
                       .pixels = (const uint8_t(*)[4])pixels};
}

/* How well a texture's name fits the model's: 2 the same, 1 that and more behind, 0 not at all. */
static unsigned fits(const char *model, const char *texture)
{
    if (ossa__compare_names(model, texture) == 0) return 2;
    size_t used = ossa__begins_with(texture, model, strlen(model));
    if (used == 0) return 0;
    char next = texture[used];
    bool is_letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                     (uint8_t)next >= 0x80; /* Cyrillic */
    return is_letter || next == '_' || (next >= '0' && next <= '9') ? 1 : 0;
}

/* The texture of the figure by its name; -1: not known. */
static int32_t find_texture(const ossa_scene *scene)
{
    int32_t best = scene->texture_count == 1 ? 0 : -1;
    unsigned most = 0;
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        unsigned fit = fits(scene->name, scene->textures[i].name);
        if (fit <= most) continue;
        most = fit;
        best = (int32_t)i;
    }
    return best;
}

static bool has_alpha(const ossa_texture *texture)
{
    uint64_t count = (uint64_t)texture->width * texture->height;
    for (uint64_t i = 0; i < count; i++) {
        if (texture->pixels[i][3] != 255) return true;
    }
    return false;
}

static void dress_materials(struct ossa__assembly *assembly, int32_t chosen)
{
    ossa_scene *scene = assembly->scene;
    ossa_material *materials = (ossa_material *)(uintptr_t)scene->materials;
    int32_t texture = chosen >= 0 ? chosen : find_texture(scene);
    if (texture < 0) {
        ossa__assembly_warn(assembly, NULL, OSSA_CODE_MISSING_PART,
                            "none of the %" PRIu32 " textures is named after the model '%s', so it "
                            "has no texture",
                            scene->texture_count, scene->name);
        return;
    }
    bool shows_through = has_alpha(&scene->textures[texture]);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        materials[i].texture = texture;
        /* What is drawn solid may have anything in its alpha. */
        materials[i].is_transparent = materials[i].is_transparent && shows_through;
    }
}

/* The part that options.ei->texture names; NULL: none is named. */
static const struct ossa__part *chosen_part(const struct ossa__assembly *assembly)
{
    const char *name = ossa__ei_options(assembly)->texture;
    for (size_t i = 0; name != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->input->path, name) == 0 || strcmp(part->shown, name) == 0) return part;
    }
    return NULL;
}

void ossa__ei_add_textures(struct ossa__assembly *assembly)
{
    struct ossa__context *context = &assembly->context;
    size_t count = 0;
    const struct ossa__part *wanted = chosen_part(assembly);
    int32_t chosen = -1;
    if (context->failed) return;
    if (wanted != NULL && !is_texture(wanted)) {
        (void)ossa__misfit(assembly, wanted, "is not a texture (MMP)");
        return;
    }
    for (size_t i = 0; i < assembly->part_count; i++) count += is_texture(&assembly->parts[i]);
    if (count == 0 || assembly->options->no_textures) return;
    ossa_texture *textures = ossa__take(context, count, sizeof *textures);
    if (textures == NULL) return;
    assembly->scene->textures = textures;
    for (size_t i = 0; i < assembly->part_count && !context->failed; i++) {
        if (!is_texture(&assembly->parts[i])) continue;
        if (&assembly->parts[i] == wanted) chosen = (int32_t)assembly->scene->texture_count;
        add_texture(assembly, &assembly->parts[i], textures);
    }
    if (!context->failed && assembly->scene->material_count > 0) dress_materials(assembly, chosen);
}
