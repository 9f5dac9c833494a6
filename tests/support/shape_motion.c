/* SPDX-License-Identifier: MIT */
#include "support/shape_motion.h"

#include <stdlib.h>
#include <string.h>

/* Everything a motion has is one block after the other, freed together. */
struct block {
    struct block *next;
    max_align_t data[];
};

struct made {
    struct ossa__motion motion; /* first */
    struct block *blocks;
    const ossa_scene *scene;
    const struct shape_motion_options *options;
};

static void *take(struct made *made, size_t count, size_t size)
{
    struct block *block = calloc(1, sizeof *block + count * size + 1);
    if (block == NULL) abort();
    block->next = made->blocks;
    made->blocks = block;
    return block->data;
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* Where a bone is at rest: there are no rotations. */
static void add_rest(const ossa_scene *scene, uint32_t bone, float position[3])
{
    for (int64_t b = bone; b >= 0; b = scene->bones[b].parent) {
        for (unsigned k = 0; k < 3; k++) position[k] += scene->bones[b].rest.translation[k];
    }
}

/* The vertices of a scene's mesh, the last one first, `copies` times. */
static void fill_vertices(const struct made *made, const ossa_mesh *mesh, uint32_t copies,
                          float (*positions)[3])
{
    for (uint32_t i = 0; i < mesh->vertex_count * copies; i++) {
        uint32_t from = mesh->vertex_count - 1 - i / copies;
        memcpy(positions[i], mesh->positions[from], sizeof *positions);
        if (made->options->is_skin) add_rest(made->scene, mesh->bone, positions[i]);
    }
    if (made->options->is_nudged) positions[0][0] += 0.001F;
}

static void fill_target(const ossa_mesh *mesh, uint32_t target, uint32_t copies,
                        float (*offsets)[3])
{
    const float(*own)[3] = mesh->targets + (size_t)target * mesh->vertex_count;
    for (uint32_t i = 0; i < mesh->vertex_count * copies; i++) {
        memcpy(offsets[i], own[mesh->vertex_count - 1 - i / copies], sizeof *offsets);
    }
}

/* Meshes `first` to `last` of the scene as one of the motion; those without targets are left out.
 */
static void make_mesh(struct made *made, const char *name, uint32_t first, uint32_t last,
                      struct ossa__motion_mesh *mesh)
{
    uint32_t copies = made->options->is_split ? 2 : 1;
    const ossa_mesh *meshes = made->scene->meshes;
    *mesh = (struct ossa__motion_mesh){.name = name};
    for (uint32_t m = first; m <= last; m++) {
        if (meshes[m].target_count == 0) continue;
        mesh->vertex_count += meshes[m].vertex_count * copies;
        mesh->target_count += meshes[m].target_count;
    }
    float(*positions)[3] = take(made, mesh->vertex_count, sizeof *positions);
    float(*targets)[3] =
        take(made, (size_t)mesh->target_count * mesh->vertex_count, sizeof *targets);
    float *weights = take(made, mesh->target_count, sizeof *weights);
    uint32_t vertex = 0;
    uint32_t target = 0;
    for (uint32_t m = first; m <= last; m++) {
        if (meshes[m].target_count == 0) continue;
        fill_vertices(made, &meshes[m], copies, positions + vertex);
        for (uint32_t t = 0; t < meshes[m].target_count; t++, target++) {
            fill_target(&meshes[m], t, copies,
                        targets + (size_t)target * mesh->vertex_count + vertex);
        }
        vertex += meshes[m].vertex_count * copies;
    }
    mesh->positions = (const float(*)[3])positions;
    mesh->targets = (const float(*)[3])targets;
    mesh->weights = weights;
}

/* ---- clips --------------------------------------------------------------------------------- */

/* The weights of meshes `first` to `last` in all frames of a clip: 1 for the shape that each has.
 */
static struct ossa__motion_curve make_curve(struct made *made, const ossa_clip *clip, uint32_t node,
                                            uint32_t first, uint32_t last)
{
    const ossa_mesh *meshes = made->scene->meshes;
    uint32_t width = 0;
    for (uint32_t m = first; m <= last; m++) width += meshes[m].target_count;
    float *times = take(made, clip->frame_count, sizeof *times);
    float *values = take(made, (size_t)clip->frame_count * width, sizeof *values);
    for (uint32_t f = 0; f < clip->frame_count; f++) times[f] = (float)(f / clip->fps);
    for (uint32_t i = 0; i < clip->morphs.count; i++) {
        uint32_t mesh = clip->morphs.meshes[i];
        size_t before = 0;
        if (mesh < first || mesh > last) continue;
        for (uint32_t m = first; m < mesh; m++) before += meshes[m].target_count;
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            int32_t key = clip->morphs.keys[(size_t)f * clip->morphs.count + i];
            if (key >= 0) values[(size_t)f * width + before + (size_t)key] = 1.0F;
        }
    }
    return (struct ossa__motion_curve){.node = node,
                                       .target = OSSA__MOTION_WEIGHTS,
                                       .key_count = clip->frame_count,
                                       .width = width,
                                       .times = times,
                                       .values = values};
}

static void make_clips(struct made *made)
{
    const ossa_scene *scene = made->scene;
    struct ossa__motion *motion = &made->motion;
    motion->clip_count = scene->clip_count;
    motion->clips = take(made, scene->clip_count, sizeof *motion->clips);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        struct ossa__motion_curve *curves = take(made, motion->node_count, sizeof *curves);
        struct ossa__motion_clip *clip = &motion->clips[c];
        *clip = (struct ossa__motion_clip){.name = scene->clips[c].name, .curves = curves};
        if (made->options->is_bare) continue;
        if (made->options->is_skin) {
            curves[clip->curve_count++] =
                make_curve(made, &scene->clips[c], 0, 0, scene->mesh_count - 1);
            continue;
        }
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            if (scene->meshes[m].target_count == 0) continue;
            curves[clip->curve_count++] = make_curve(made, &scene->clips[c], m, m, m);
        }
    }
}

struct ossa__motion *make_shape_motion(const ossa_scene *scene,
                                       const struct shape_motion_options *options)
{
    struct made *made = calloc(1, sizeof *made);
    if (made == NULL) abort();
    struct ossa__motion *motion = &made->motion;
    made->scene = scene;
    made->options = options;
    motion->format = "gltf";
    motion->node_count = options->is_skin ? 1 : scene->mesh_count;
    motion->nodes = take(made, motion->node_count, sizeof *motion->nodes);
    motion->meshes = take(made, motion->node_count, sizeof *motion->meshes);
    for (uint32_t n = 0; n < motion->node_count; n++) {
        uint32_t last = options->is_skin ? scene->mesh_count - 1 : n;
        const char *name = options->is_skin ? "figure" : scene->bones[scene->meshes[n].bone].name;
        struct ossa__motion_node *node = &motion->nodes[n];
        *node = (struct ossa__motion_node){.name = name, .parent = -1, .mesh = -1};
        make_mesh(made, name, n, last, &motion->meshes[motion->mesh_count]);
        if (motion->meshes[motion->mesh_count].target_count == 0) continue;
        node->mesh = (int32_t)motion->mesh_count++;
    }
    make_clips(made);
    return motion;
}

void free_shape_motion(struct ossa__motion *motion)
{
    struct made *made = (struct made *)motion;
    for (struct block *block = made->blocks; block != NULL;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    free(made);
}

const struct ossa__motion_clip *find_motion_clip(const struct ossa__motion *motion,
                                                 const char *name)
{
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        if (strcmp(motion->clips[c].name, name) == 0) return &motion->clips[c];
    }
    return NULL;
}
