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
    uint32_t corners = kind == OSSA_MESH_KIND_LINES ? 2 : 3;
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
                        .material = -1,
                        .index_count = corners,
                        .indices = indices};
    if (kind == OSSA_MESH_KIND_LINES) mesh->colours = (const uint8_t(*)[4])colours;
    else mesh->normals = (const float(*)[3])normals;
}

/* ---- materials and textures ----------------------------------------------------------------- */

/* Alpha: all there; there or not; half there, most of it; for nothing. */
static void make_textures(struct made_scene *made, struct random *random)
{
    static const struct {
        const char *name;
        uint32_t width, height;
        uint8_t alpha[2];
    } plans[MADE_TEXTURES] = {{"skin", 3, 2, {255, 255}},
                              {"leaves \xd0\xb8", 4, 4, {0, 255}},
                              {"ghost", 1, 5, {100, 150}},
                              {"unused", 2, 2, {255, 255}}};
    for (unsigned i = 0; i < MADE_TEXTURES; i++) {
        uint32_t count = plans[i].width * plans[i].height;
        uint8_t(*pixels)[4] = made_memory(made, count * sizeof *pixels);
        for (uint32_t p = 0; p < count; p++) {
            for (unsigned k = 0; k < 3; k++) pixels[p][k] = (uint8_t)(next_random(random) >> 8);
            pixels[p][3] = plans[i].alpha[p % 2];
        }
        made->textures[i] = (ossa_texture){.name = plans[i].name,
                                           .width = plans[i].width,
                                           .height = plans[i].height,
                                           .pixels = (const uint8_t(*)[4])pixels};
    }
}

static void make_materials(struct made_scene *made)
{
    static const ossa_material materials[MADE_MATERIALS] = {
        {.name = "skin", .texture = 0, .colour = {1, 1, 1, 1}},
        {.name = "leaves",
         .texture = 1,
         .colour = {0.5F, 1, 0.25F, 1},
         .is_transparent = true,
         .is_double_sided = true},
        {.name = "glass", .texture = -1, .colour = {1, 1, 1, 0.25F}},
        {.name = "ghost", .texture = 2, .colour = {1, 1, 1, 1}, .is_transparent = true},
        {.name = "unused", .texture = 3, .colour = {1, 1, 1, 1}},
    };
    memcpy(made->materials, materials, sizeof materials);
}

/* The material of each bone's meshes; on every eleventh bone they have no texture coordinates,
 * though the first of these has a texture. */
static void use_materials(struct made_scene *made, struct random *random)
{
    for (uint32_t i = 0; i < made->scene.mesh_count; i++) {
        ossa_mesh *mesh = &made->meshes[i];
        mesh->material = (int32_t)(mesh->bone % 5) - 1;
        if (mesh->bone % 11 == 6) continue;
        float(*texcoords)[2] = made_memory(made, mesh->vertex_count * sizeof *texcoords);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            for (unsigned k = 0; k < 2; k++) texcoords[v][k] = next_float(random, 2);
        }
        mesh->texcoords = (const float(*)[2])texcoords;
        if (mesh->joints == NULL) continue;
        float(*second)[2] = made_memory(made, mesh->vertex_count * sizeof *second);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            for (unsigned k = 0; k < 2; k++) second[v][k] = next_float(random, 2);
        }
        mesh->texcoords2 = (const float(*)[2])second;
    }
    make_textures(made, random);
    make_materials(made);
    made->scene.texture_count = MADE_TEXTURES;
    made->scene.material_count = MADE_MATERIALS;
}

/* ---- morph targets -------------------------------------------------------------------------- */

static bool has_targets(const struct made_plan *plan, uint32_t bone, ossa_mesh_kind kind)
{
    if (plan->targets == 0) return false;
    return kind == OSSA_MESH_KIND_TRIANGLES ? bone % 4 == 0 : bone % 4 == 3;
}

static void add_targets(struct made_scene *made, struct random *random, ossa_mesh *mesh,
                        uint32_t count)
{
    size_t places = (size_t)count * mesh->vertex_count;
    float(*targets)[3] = made_memory(made, places * sizeof *targets);
    for (size_t i = 0; i < places; i++) {
        for (unsigned k = 0; k < 3; k++) targets[i][k] = next_float(random, 1);
    }
    mesh->target_count = count;
    mesh->targets = (const float(*)[3])targets;
}

/* Of every three meshes with targets one keeps its shape all through the clip, and one is not in
 * it; which, goes round from clip to clip. */
static void make_morphs(struct made_scene *made, struct random *random, uint32_t index)
{
    ossa_clip *clip = &made->clips[index];
    const ossa_scene *scene = &made->scene;
    uint32_t *meshes = made_memory(made, scene->mesh_count * sizeof *meshes);
    uint8_t *is_constant = made_memory(made, scene->mesh_count);
    uint32_t count = 0;
    for (uint32_t i = 0, nth = index; i < scene->mesh_count; i++) {
        if (made->meshes[i].target_count == 0) continue;
        uint32_t turn = nth++ % 3;
        if (turn == 2) continue;
        is_constant[count] = turn == 1;
        meshes[count++] = i;
    }
    int32_t *keys = made_memory(made, (size_t)clip->frame_count * count * sizeof *keys);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t shapes = made->meshes[meshes[i]].target_count + 1;
            int32_t *key = &keys[(size_t)f * count + i];
            *key = is_constant[i] ? 0 : (int32_t)((next_random(random) >> 8) % shapes) - 1;
        }
    }
    clip->morphs = (ossa_morph_tracks){.count = count, .meshes = meshes, .keys = keys};
}

static void add_joints(struct made_scene *made)
{
    for (uint32_t i = 0; i < made->scene.mesh_count; i++) {
        ossa_mesh *mesh = &made->meshes[i];
        bool is_meant = mesh->kind == OSSA_MESH_KIND_TRIANGLES && mesh->target_count == 0;
        if (!is_meant || mesh->bone % 2 == 0) continue;
        uint32_t *bones = made_memory(made, mesh->vertex_count * sizeof *bones);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            bones[v] = (mesh->bone + v) % made->scene.bone_count;
        }
        mesh->vertex_bones = bones;
    }
}

/* Vertex v has v % 4 + 1 bones, from that of the mesh on. */
static void weigh(const struct made_scene *made, uint32_t bone, uint32_t joints[8][4],
                  float weights[8][4])
{
    static const float parts[4][4] = {
        {1.0F}, {0.75F, 0.25F}, {0.5F, 0.3F, 0.2F}, {0.4F, 0.3F, 0.2F, 0.1F}};
    for (uint32_t v = 0; v < 8; v++) {
        uint32_t count = v % 4 + 1;
        if (count > made->scene.bone_count) count = 1;
        for (uint32_t k = 0; k < count; k++) {
            joints[v][k] = (bone + k) % made->scene.bone_count;
            weights[v][k] = parts[count - 1][k];
        }
    }
}

static void make_weighted_box(struct made_scene *made, ossa_mesh *mesh)
{
    static const uint32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float(*positions)[3] = made_memory(made, 8 * sizeof *positions);
    float(*normals)[3] = made_memory(made, 8 * sizeof *normals);
    uint32_t(*joints)[4] = made_memory(made, 8 * sizeof *joints);
    float(*weights)[4] = made_memory(made, 8 * sizeof *weights);
    for (uint32_t v = 0; v < 8; v++) {
        for (unsigned k = 0; k < 3; k++) {
            float side = (v >> k & 1) != 0 ? 1.0F : -1.0F;
            positions[v][k] = (float)(k + 1) * 0.25F * side + 0.125F * (float)mesh->bone;
            normals[v][k] = side * 0.57735027F;
        }
    }
    weigh(made, mesh->bone, joints, weights);
    mesh->vertex_count = 8;
    mesh->positions = (const float(*)[3])positions;
    mesh->normals = (const float(*)[3])normals;
    mesh->joints = (const uint32_t(*)[4])joints;
    mesh->weights = (const float(*)[4])weights;
    mesh->index_count = 36;
    mesh->indices = faces;
}

static void add_weights(struct made_scene *made)
{
    for (uint32_t i = 0; i < made->scene.mesh_count; i++) {
        ossa_mesh *mesh = &made->meshes[i];
        if (mesh->kind == OSSA_MESH_KIND_TRIANGLES && mesh->bone % 4 == 2) {
            make_weighted_box(made, mesh);
        }
    }
}

static void make_meshes(struct made_scene *made, struct random *random,
                        const struct made_plan *plan)
{
    for (uint32_t b = 0; b < plan->bones && plan->has_mesh; b++) {
        bool line_alone = has_targets(plan, b, OSSA_MESH_KIND_LINES);
        if (!line_alone) make_mesh(made, random, b, OSSA_MESH_KIND_TRIANGLES);
        if (b % 2 == 1) make_mesh(made, random, b, OSSA_MESH_KIND_LINES);
    }
    for (uint32_t i = 0; i < made->scene.mesh_count; i++) {
        ossa_mesh *mesh = &made->meshes[i];
        if (!has_targets(plan, mesh->bone, mesh->kind)) continue;
        add_targets(made, random, mesh, plan->targets + i % 3);
    }
    if (plan->has_joints) add_joints(made);
    if (plan->has_weights) add_weights(made);
    if (plan->has_materials) use_materials(made, random);
    if (plan->has_materials && plan->has_weights) {
        made->materials[0].is_clamped[0] = made->materials[1].is_clamped[1] = true;
        made->materials[0].alpha_cutoff = 0.25F;
    }
    for (uint32_t c = 0; c < plan->clips && plan->targets > 0; c++) make_morphs(made, random, c);
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
    double *numbers = made_memory(made, (keys + 1) * sizeof *numbers);
    for (uint32_t k = 0; k < keys; k++) numbers[k] = (double)times[k];
    numbers[keys] = 16777217.0 + index; /* no float holds the first */
    extras[0] = (ossa_extra){.key = "many", .number_count = keys, .numbers = numbers};
    extras[1] = (ossa_extra){.key = "one", .number_count = 1, .numbers = numbers + keys};
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
    made->materials = made_memory(made, MADE_MATERIALS * sizeof *made->materials);
    made->textures = made_memory(made, MADE_TEXTURES * sizeof *made->textures);
    scene->materials = made->materials;
    scene->textures = made->textures;
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
    make_meshes(made, &random, plan);
    for (uint32_t i = 0; i < plan->cameras; i++) make_camera(made, &random, i);
}

void free_made_scene(struct made_scene *made)
{
    for (size_t i = 0; i < made->memory_count; i++) free(made->memory[i]);
    free(made->memory);
    *made = (struct made_scene){0};
}
