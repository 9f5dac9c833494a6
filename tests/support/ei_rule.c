/* SPDX-License-Identifier: MIT */
#include "support/ei_rule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The file "FOLDER/NAME.EXTENSION", of any folder where that is NULL. */
static ossa_file *find_file(const struct scene_files *files, const char *folder, const char *name,
                            const char *extension)
{
    char end[200];
    (void)snprintf(end, sizeof end, "%s%s/%s.%s", folder == NULL ? "" : "/",
                   folder == NULL ? "" : folder, name, extension);
    for (size_t i = 0; i < files->count; i++) {
        char path[200];
        (void)snprintf(path, sizeof path, "/%s", files->paths[i]);
        size_t size = strlen(path);
        if (size >= strlen(end) && strcmp(path + size - strlen(end), end) == 0) {
            return files->inputs[i].file;
        }
    }
    return NULL;
}

/* Two keys and the way between them; the last key holds. */
static double split(double frame, uint32_t count, uint32_t *from, uint32_t *to)
{
    double whole = floor(frame);
    *from = whole >= count - 1 ? count - 1 : (uint32_t)whole;
    *to = *from + 1 < count ? *from + 1 : *from;
    return *from == *to ? 0.0 : frame - whole;
}

static struct rotation rotation_at(const ossa_ei_anm *anm, double frame)
{
    struct rotation keys[2] = {{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0, 1.0}};
    if (anm == NULL || anm->rotation_count == 0) return keys[0];
    uint32_t at[2];
    double part = split(frame, anm->rotation_count, &at[0], &at[1]);
    for (unsigned i = 0; i < 2; i++) {
        const float *q = anm->rotations[at[i]];
        keys[i] = (struct rotation){(double)q[1], (double)q[2], (double)q[3], (double)q[0]};
    }
    return rotation_between(keys[0], keys[1], part);
}

static void translation_at(const ossa_ei_anm *anm, double frame, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    if (anm == NULL || anm->translation_count == 0) return;
    uint32_t from;
    uint32_t to;
    double part = split(frame, anm->translation_count, &from, &to);
    for (unsigned k = 0; k < 3; k++) {
        out[k] = (1.0 - part) * (double)anm->translations[from][k] +
                 part * (double)anm->translations[to][k];
    }
}

void ei_rule_pose(const struct scene_files *files, const ossa_scene *scene, const char *clip,
                  double frame, struct ei_place *places)
{
    /* In the game's axes first: a child needs its parent there. */
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const ossa_bone *bone = &scene->bones[i];
        ossa_file *anm_file = find_file(files, clip, bone->name, "anm");
        ossa_file *bon_file = find_file(files, NULL, bone->name, "bon");
        const ossa_ei_anm *anm = anm_file == NULL ? NULL : ossa_as_ei_anm(anm_file);
        const ossa_ei_bon *bon = bon_file == NULL ? NULL : ossa_as_ei_bon(bon_file);
        double bind[3] = {0.0, 0.0, 0.0};
        for (unsigned k = 0; k < 3 && bon != NULL; k++) bind[k] = (double)bon->positions[0][k];
        struct rotation q = rotation_at(anm, frame);
        if (bone->parent < 0) {
            double moved[3];
            translation_at(anm, frame, moved);
            places[i].turn = q;
            for (unsigned k = 0; k < 3; k++) places[i].position[k] = bind[k] + moved[k];
        } else {
            const struct ei_place *above = &places[bone->parent];
            double turned[3];
            rotation_apply(above->turn, bind, turned);
            places[i].turn = rotation_product(q, above->turn);
            for (unsigned k = 0; k < 3; k++) {
                places[i].position[k] = above->position[k] + turned[k];
            }
        }
    }
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        struct ei_place *p = &places[i];
        p->turn = (struct rotation){p->turn.x, p->turn.z, -p->turn.y, p->turn.w};
        double y = p->position[1];
        p->position[1] = p->position[2];
        p->position[2] = -y;
    }
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* A vertex of the figure, blended. With 8 variants each number of a complexion acts on one bit of a
 * variant's number. */
static void blend_vertex(const ossa_ei_fig *fig, uint32_t vertex, const float complexion[3],
                         double out[3])
{
    static const unsigned bits[3] = {1, 0, 2};
    const float *block = (const float *)fig->vertices;
    block += (size_t)(vertex / 4) * 3 * fig->variant_count * 4;
    for (uint32_t axis = 0; axis < 3; axis++) {
        out[axis] = 0.0;
        for (uint32_t v = 0; v < fig->variant_count; v++) {
            double weight = v == 0 ? 1.0 : 0.0;
            if (fig->variant_count == 8) {
                weight = 1.0;
                for (unsigned n = 0; n < 3; n++) {
                    double part = (double)complexion[n];
                    weight *= (v >> bits[n] & 1) != 0 ? part : 1.0 - part;
                }
            }
            out[axis] += weight * (double)block[(axis * fig->variant_count + v) * 4 + vertex % 4];
        }
    }
}

/* Add what the morph frames do to a vertex. */
static void add_morph(const ossa_ei_fig *fig, const ossa_ei_anm *anm, uint32_t vertex, double frame,
                      double out[3])
{
    uint32_t from;
    uint32_t to;
    if (anm == NULL || anm->morph_frame_count == 0) return;
    double part = split(frame, anm->morph_frame_count, &from, &to);
    for (uint32_t i = 0; i < fig->morph_component_count; i++) {
        const ossa_ei_morph_component *component = &fig->morph_components[i];
        if (component->vertex != vertex) continue;
        const float *a = anm->morphs[from * anm->morph_vertex_count + component->morph];
        const float *b = anm->morphs[to * anm->morph_vertex_count + component->morph];
        for (unsigned k = 0; k < 3; k++) {
            out[k] += (1.0 - part) * (double)a[k] + part * (double)b[k];
        }
        return;
    }
}

void ei_rule_corner(const struct scene_files *files, const char *clip, const char *part,
                    double frame, const float complexion[3], uint32_t corner,
                    const struct ei_place *place, double out[3])
{
    ossa_file *anm_file = find_file(files, clip, part, "anm");
    ossa_file *fig_file = find_file(files, NULL, part, "fig");
    const ossa_ei_fig *fig = ossa_as_ei_fig(fig_file);
    uint32_t vertex = fig->vertex_components[corner].vertex;
    double v[3];
    blend_vertex(fig, vertex, complexion, v);
    add_morph(fig, anm_file == NULL ? NULL : ossa_as_ei_anm(anm_file), vertex, frame, v);
    const double turned[3] = {v[0], v[2], -v[1]};
    memcpy(out, turned, sizeof turned);
    if (place == NULL) return;
    rotation_apply(place->turn, turned, out);
    for (unsigned k = 0; k < 3; k++) out[k] += place->position[k];
}
