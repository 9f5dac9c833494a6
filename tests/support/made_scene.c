/* SPDX-License-Identifier: MIT */
#include "support/made_scene.h"
#include "support/byte_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *made_memory(struct made_scene *made, size_t size)
{
    bool is_full = (made->memory_count & (made->memory_count - 1)) == 0; /* 0, 1, 2, 4, ... */
    size_t capacity = made->memory_count == 0 ? 1 : 2 * made->memory_count;
    void **larger = is_full ? realloc(made->memory, capacity * sizeof *larger) : made->memory;
    size_t room = size > 0 ? size : 1; /* exact, so that the sanitizer sees more */
    void *memory = calloc(room, 1);
    if (larger == NULL || memory == NULL) abort();
    made->memory = larger;
    made->memory[made->memory_count++] = memory;
    return memory;
}

char *made_text(struct made_scene *made, const char *text)
{
    char *copy = made_memory(made, strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static void next_rotation(struct random *random, float xyzw[4])
{
    float wxyz[4];
    next_unit(random, wxyz);
    for (unsigned k = 0; k < 4; k++) xyzw[k] = wxyz[(k + 1) % 4];
}

static ossa_transform next_transform(struct random *random, bool is_rigid)
{
    ossa_transform t;
    next_rotation(random, t.rotation);
    for (unsigned k = 0; k < 3; k++) {
        t.translation[k] = next_float(random, 2);
        t.scale[k] = is_rigid ? 1.0F : 1.5F + next_float(random, 1);
    }
    return t;
}

/* Tracks for every `step`th bone, the last left out. */
static uint32_t *list_bones(struct made_scene *made, uint32_t step, uint32_t *count)
{
    uint32_t *bones = made_memory(made, made->scene.bone_count * sizeof *bones);
    *count = 0;
    for (uint32_t b = 0; step > 0 && b + 1 < made->scene.bone_count; b += step) {
        bones[(*count)++] = b;
    }
    return bones;
}

static void make_tracks(struct made_scene *made, struct random *random, uint32_t step,
                        unsigned width, uint32_t frames, ossa_tracks *tracks)
{
    tracks->bones = list_bones(made, step, &tracks->count);
    size_t keys = (size_t)frames * tracks->count;
    float *values = made_memory(made, keys * width * sizeof *values);
    for (size_t i = 0; i < keys; i++) {
        ossa_transform t = next_transform(random, false);
        memcpy(values + i * width, width == 4 ? t.rotation : t.scale, width * sizeof *values);
    }
    tracks->keys = values;
}

static void make_clip(struct made_scene *made, struct random *random, const struct made_plan *plan,
                      uint32_t index)
{
    ossa_clip *clip = &made->clips[index];
    char name[32];
    (void)snprintf(name, sizeof name, "clip%u", (unsigned)index);
    clip->name = made_text(made, name);
    clip->source = made_text(made, "source");
    clip->source_format = "made";
    clip->fps = plan->fps > 0.0 ? plan->fps : 30.0;
    clip->frame_count = plan->frames[index];
    ossa_transform *constant = made_memory(made, plan->bones * sizeof *constant);
    uint8_t *visible = made_memory(made, plan->bones);
    for (uint32_t b = 0; b < plan->bones; b++) {
        constant[b] = next_transform(random, plan->is_rigid);
        visible[b] = 1;
    }
    clip->constant = constant;
    clip->constant_visible = visible;
    make_tracks(made, random, 1, 4, clip->frame_count, &clip->rotations);
    make_tracks(made, random, 2, 3, clip->frame_count, &clip->translations);
    make_tracks(made, random, plan->is_rigid ? 0 : 3, 3, clip->frame_count, &clip->scales);
    ossa_flag_tracks *flags = &clip->visibilities;
    flags->bones = list_bones(made, plan->is_rigid ? 0 : 4, &flags->count);
    uint8_t *keys = made_memory(made, (size_t)clip->frame_count * flags->count);
    for (size_t i = 0; i < (size_t)clip->frame_count * flags->count; i++) {
        keys[i] = next_random(random) >> 9 & 1;
    }
    flags->keys = keys;
}

static void make_mesh(struct made_scene *made, struct random *random, uint32_t bone,
                      ossa_mesh_kind kind)
{
    static const uint32_t order[3] = {0, 1, 2};
    uint32_t corners = kind == OSSA_MESH_LINES ? 2 : 3;
    ossa_mesh *mesh = &made->meshes[made->scene.mesh_count++];
    float(*positions)[3] = made_memory(made, corners * sizeof *positions);
    float(*normals)[3] = made_memory(made, corners * sizeof *normals);
    uint8_t(*colours)[4] = made_memory(made, corners * sizeof *colours);
    uint32_t *indices = made_memory(made, sizeof order);
    memcpy(indices, order, sizeof order);
    for (uint32_t v = 0; v < corners; v++) {
        for (unsigned k = 0; k < 3; k++) positions[v][k] = next_float(random, 1);
        for (unsigned k = 0; k < 4; k++) colours[v][k] = (uint8_t)next_random(random);
        normals[v][v] = 1.0F;
    }
    *mesh = (ossa_mesh){.name = made->bones[bone].name,
                        .bone = bone,
                        .kind = kind,
                        .vertex_count = corners,
                        .positions = (const float(*)[3])positions,
                        .index_count = corners,
                        .indices = indices};
    if (kind == OSSA_MESH_LINES) mesh->colours = (const uint8_t(*)[4])colours;
    else mesh->normals = (const float(*)[3])normals;
}

static void make_camera(struct made_scene *made, struct random *random, uint32_t index)
{
    ossa_camera *camera = &made->cameras[index];
    uint32_t keys = index % 2 == 1 ? 1 : 4 + index;
    char name[32];
    (void)snprintf(name, sizeof name, "camera %u", (unsigned)index); /* not a name for three.js */
    float *times = made_memory(made, keys * sizeof *times);
    float(*positions)[3] = made_memory(made, keys * sizeof *positions);
    float(*rotations)[4] = made_memory(made, keys * sizeof *rotations);
    float *views = made_memory(made, keys * sizeof *views);
    ossa_extra *extras = made_memory(made, 3 * sizeof *extras);
    for (uint32_t k = 0; k < keys; k++) {
        times[k] = k == 0 ? 0.0F : times[k - 1] + 0.25F + 0.125F * (float)(k % 3);
        for (unsigned i = 0; i < 3; i++) positions[k][i] = next_float(random, 2);
        next_rotation(random, rotations[k]);
        views[k] = 1.0F + 0.125F * (float)(index % 4 == 0 ? k : 0);
    }
    extras[0] = (ossa_extra){.key = "many", .number_count = keys, .numbers = times};
    extras[1] = (ossa_extra){.key = "one", .number_count = 1, .numbers = views};
    extras[2] = (ossa_extra){.key = "text", .text = "as \"it\" is"};
    *camera = (ossa_camera){.name = made_text(made, name),
                            .source = "path.cam",
                            .source_format = "ei-cam",
                            .key_count = keys,
                            .times = times,
                            .positions = (const float(*)[3])positions,
                            .rotations = (const float(*)[4])rotations,
                            .fields_of_view = views,
                            .aspect = index % 2 == 0 ? 1.5F : 0.0F,
                            .extra_count = 3,
                            .extras = extras};
}

void make_scene(struct made_scene *made, const struct made_plan *plan)
{
    struct random random = {plan->seed};
    *made = (struct made_scene){0};
    ossa_scene *scene = &made->scene;
    made->bones = made_memory(made, plan->bones * sizeof *made->bones);
    made->clips = made_memory(made, plan->clips * sizeof *made->clips);
    made->meshes = made_memory(made, 2 * (size_t)plan->bones * sizeof *made->meshes);
    made->cameras = made_memory(made, plan->cameras * sizeof *made->cameras);
    scene->camera_count = plan->cameras;
    scene->cameras = made->cameras;
    scene->name = "made";
    scene->game = "none";
    scene->bone_count = plan->bones;
    scene->bones = made->bones;
    scene->clip_count = plan->clips;
    scene->clips = made->clips;
    scene->meshes = made->meshes;
    for (uint32_t b = 0; b < plan->bones; b++) {
        char name[32];
        (void)snprintf(name, sizeof name, "b%u", (unsigned)b);
        made->bones[b].name = made_text(made, name);
        made->bones[b].parent = -1;
        if (b > 0 && !plan->is_flat) {
            uint32_t back = next_random(&random) % (b < 3 ? b : 3); /* long limbs */
            made->bones[b].parent = (int32_t)(b - 1 - back);
        }
        made->bones[b].rest = next_transform(&random, plan->is_rigid);
    }
    for (uint32_t c = 0; c < plan->clips; c++) make_clip(made, &random, plan, c);
    for (uint32_t b = 0; b < plan->bones && plan->has_mesh; b++) {
        make_mesh(made, &random, b, OSSA_MESH_TRIANGLES);
        if (b % 2 == 1) make_mesh(made, &random, b, OSSA_MESH_LINES);
    }
    for (uint32_t i = 0; i < plan->cameras; i++) make_camera(made, &random, i);
}

void free_made_scene(struct made_scene *made)
{
    for (size_t i = 0; i < made->memory_count; i++) free(made->memory[i]);
    free(made->memory);
    *made = (struct made_scene){0};
}
