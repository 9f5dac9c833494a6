/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <math.h>
#include <string.h>

enum { MOST_CLIPS = 8 }; /* of a scene: what one shows, the others show, too */

static uint32_t clip_count(const ossa_scene *scene)
{
    return scene->clip_count < MOST_CLIPS ? scene->clip_count : MOST_CLIPS;
}

static void require_finite(const ossa_transform *t)
{
    for (unsigned k = 0; k < 4; k++) REQUIRE(isfinite(t->rotation[k]), "a turn without end");
    for (unsigned k = 0; k < 3; k++) {
        REQUIRE(isfinite(t->translation[k]) && isfinite(t->scale[k]), "a pose without end");
    }
}

/* A pose blended with the rest, added to it, taken out of its place: always a pose. */
static void combine(const ossa_scene *scene, ossa_transform *locals, ossa_transform *rest)
{
    const ossa_layer layers[] = {
        {locals, 0.3F, NULL}, {rest, 1e30F, NULL}, {rest, NAN, NULL}, {rest, 0.1F, NULL}};
    const ossa_layer added = {locals, -7.5F, NULL};
    ossa_transform ground;
    ossa_rest_pose(scene, rest);
    ossa_blend(scene, layers, 2, locals);
    ossa_blend(scene, layers, sizeof layers / sizeof layers[0], locals);
    for (uint32_t b = 0; b < scene->bone_count; b++) require_finite(&locals[b]);
    ossa_make_additive(scene, locals, rest, locals);
    ossa_add_pose(scene, rest, &added, locals);
    ossa_stay_in_place(scene, locals, &ground);
    require_finite(&ground);
    for (uint32_t b = 0; b < scene->bone_count; b++) require_finite(&locals[b]);
}

static void sample(const ossa_scene *scene)
{
    static const double times[] = {0.0, 0.05, -1.0, 1e9, -1e300, NAN, INFINITY, -INFINITY};
    static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
    ossa_transform *locals = malloc((scene->bone_count + 1U) * sizeof *locals);
    ossa_transform *rest = malloc((scene->bone_count + 1U) * sizeof *rest);
    float(*matrices)[16] = malloc((scene->bone_count + 1U) * sizeof *matrices);
    uint8_t *visible = malloc(scene->bone_count + 1U);
    REQUIRE(locals != NULL && rest != NULL && matrices != NULL && visible != NULL, "no memory");
    for (uint32_t c = 0; c < clip_count(scene); c++) {
        for (size_t t = 0; t < 3 * sizeof times / sizeof times[0]; t++) {
            ossa_transform motion;
            ossa_sample(scene, &scene->clips[c], times[t / 3], wraps[t % 3], locals, visible);
            for (uint32_t b = 0; b < scene->bone_count; b++) {
                REQUIRE(isfinite(locals[b].rotation[3]), "a sample that is not finite");
            }
            ossa_root_motion(scene, &scene->clips[c], 0.02, times[t / 3], wraps[t % 3], &motion);
            require_finite(&motion);
        }
        combine(scene, locals, rest);
    }
    ossa_rest_pose(scene, locals);
    ossa_model_matrices(scene, locals, matrices);
    ossa_model_pose(scene, locals, locals);
    free(locals);
    free(rest);
    free(matrices);
    free(visible);
}

/* The shapes of the meshes, in every clip. */
static void look_at_shapes(const ossa_scene *scene)
{
    static const double times[] = {0.0, 0.05, -1.0, 1e9, NAN};
    for (uint32_t c = 0; c < clip_count(scene); c++) {
        const ossa_morph_tracks *tracks = &scene->clips[c].morphs;
        for (uint32_t t = 0; t < tracks->count; t++) {
            uint32_t mesh = tracks->meshes[t];
            REQUIRE(mesh < scene->mesh_count, "a shape of no mesh");
            REQUIRE(t == 0 || mesh > tracks->meshes[t - 1], "meshes that do not rise");
            const ossa_mesh *shown = &scene->meshes[mesh];
            for (uint32_t f = 0; f < scene->clips[c].frame_count; f++) {
                int32_t key = tracks->keys[(size_t)f * tracks->count + t];
                REQUIRE(key >= -1 && key < (int64_t)shown->target_count,
                        "a shape that is none of the mesh's");
            }
            float *weights = malloc((shown->target_count + 1U) * sizeof *weights);
            float(*positions)[3] = malloc((shown->vertex_count + 1U) * sizeof *positions);
            REQUIRE(weights != NULL && positions != NULL, "no memory");
            for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
                float sum = 0.0F;
                ossa_sample_morphs(scene, &scene->clips[c], times[i], OSSA_WRAP_LOOP, mesh,
                                   weights);
                for (uint32_t w = 0; w < shown->target_count; w++) sum += weights[w];
                REQUIRE(sum >= 0.0F && sum < 1.00001F, "more than one shape");
                ossa_morph_mesh(shown, weights, positions);
            }
            free(weights);
            free(positions);
        }
    }
}

static void look_at_meshes(const ossa_scene *scene)
{
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        REQUIRE(mesh->material >= -1 && mesh->material < (int64_t)scene->material_count,
                "a material that there is not");
        REQUIRE(mesh->target_count == 0 || mesh->targets != NULL, "targets that are nowhere");
        for (uint32_t v = 0; mesh->normals != NULL && v < mesh->vertex_count; v++) {
            const float *n = mesh->normals[v];
            float length = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            REQUIRE(length > 0.999F && length < 1.001F, "a normal that is none");
        }
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        REQUIRE(scene->materials[i].name[0] != '\0', "a material without a name");
        REQUIRE(scene->materials[i].texture < (int32_t)scene->texture_count, "no such texture");
    }
}

static void look_at_cameras(const ossa_scene *scene)
{
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const ossa_camera *camera = &scene->cameras[i];
        REQUIRE(camera->key_count > 0 && camera->times[0] == 0.0F, "a camera without a start");
        for (uint32_t k = 0; k < camera->key_count; k++) {
            const float *q = camera->rotations[k];
            float length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            float view = camera->fields_of_view[k];
            REQUIRE(k == 0 || camera->times[k] > camera->times[k - 1], "times that do not rise");
            REQUIRE(length > 0.9999F && length < 1.0001F, "a camera's rotation that is none");
            REQUIRE(view > 0.0F && view < 3.1415927F, "a field of view that is none");
            for (unsigned c = 0; c < 3; c++) {
                REQUIRE(isfinite(camera->positions[k][c]), "a camera that is nowhere");
            }
        }
        for (uint32_t e = 0; e < camera->extra_count; e++) {
            for (uint32_t n = 0; n < camera->extras[e].number_count; n++) {
                REQUIRE(isfinite(camera->extras[e].numbers[n]), "an extra that is not finite");
            }
        }
    }
}

/* A clip laid out for playing gives the bits of ossa_sample. */
static void play(const ossa_scene *scene, const ossa_clip *clip)
{
    size_t count = scene->bone_count;
    ossa_error error;
    ossa_runtime *runtime = ossa_runtime_new(scene, clip, NULL, &error);
    REQUIRE(runtime != NULL, error.message);
    ossa_transform *locals = malloc((2 * count + 1) * sizeof *locals);
    float(*matrices)[16] = malloc((2 * count + 1) * sizeof *matrices);
    ossa_soa *pose = malloc((OSSA_SOA_COUNT(count) + 1) * sizeof *pose);
    REQUIRE(locals != NULL && matrices != NULL && pose != NULL, "no memory");
    const ossa_soa_layer layers[] = {{pose, 0.5F, NULL}, {pose, 2.0F, NULL}};
    static const double times[] = {0.0, 0.013, 1e9, -0.5, NAN};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        ossa_wrap wrap = (ossa_wrap)(i % 3);
        ossa_sample(scene, clip, times[i], wrap, locals, NULL);
        ossa_runtime_locals(runtime, times[i], wrap, locals + count);
        REQUIRE(memcmp(locals, locals + count, count * sizeof *locals) == 0, "another pose");
        ossa_model_matrices(scene, locals, matrices);
        ossa_runtime_matrices(runtime, times[i], wrap, matrices + count);
        REQUIRE(memcmp(matrices, matrices + count, count * sizeof *matrices) == 0,
                "other matrices");
        ossa_runtime_sample(runtime, times[i], wrap, pose);
        ossa_runtime_blend(runtime, layers, 2, pose);
        ossa_runtime_model(runtime, pose, matrices);
    }
    free(pose);
    free(matrices);
    free(locals);
    ossa_runtime_free(runtime);
}

static void skin(const ossa_scene *scene)
{
    size_t count = scene->bone_count + 1U;
    ossa_transform *locals = malloc(count * sizeof *locals);
    float(*matrices)[16] = malloc(2 * count * sizeof *matrices);
    REQUIRE(locals != NULL && matrices != NULL, "no memory");
    ossa_rest_pose(scene, locals);
    ossa_model_matrices(scene, locals, matrices);
    ossa_bind_matrices(scene, matrices + count);
    for (uint32_t m = 0; m < scene->mesh_count && m < MOST_CLIPS; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        float(*vertices)[3] = malloc((2 * (size_t)mesh->vertex_count + 1) * sizeof *vertices);
        REQUIRE(vertices != NULL, "no memory");
        float(*normals)[3] = vertices + mesh->vertex_count;
        ossa_skin_mesh(scene, mesh, (const float(*)[16])matrices, NULL, vertices, normals);
        ossa_skin_mesh_bound(scene, mesh, (const float(*)[16])matrices,
                             (const float(*)[16])(matrices + count), NULL, vertices, normals);
        free(vertices);
    }
    free(matrices);
    free(locals);
}

/* Every value comes from bytes, or there is a reason why not. */
static void look_at_keys(const ossa_scene *scene)
{
    enum { MOST_FRAMES = 4, MOST_BONES = 16, CHANNELS = 4, ROOM = 4 };
    for (uint32_t c = 0; c < clip_count(scene); c++) {
        for (uint32_t i = 0; i < MOST_FRAMES * MOST_BONES * CHANNELS; i++) {
            uint32_t bone = i / CHANNELS % MOST_BONES;
            uint32_t frame = i / CHANNELS / MOST_BONES;
            ossa_key_bytes found[ROOM];
            ossa_key_use use;
            size_t count = ossa_find_key_bytes(scene, c, bone, (ossa_key_channel)(i % CHANNELS),
                                               frame, found, ROOM);
            bool exists = bone < scene->bone_count && frame < scene->clips[c].frame_count;
            REQUIRE((count > 0) == exists, "a key that is not there");
            for (size_t k = 0; k < count && k < ROOM; k++) {
                REQUIRE((found[k].path == NULL) == (found[k].layout == NULL), "a key of no file");
                if (found[k].path == NULL) continue;
                REQUIRE(ossa_find_keys_at(scene, found[k].path, found[k].offset, &use, 1) > 0,
                        "a key whose bytes are of no key");
            }
        }
    }
}

static void export_scene(const ossa_scene *scene, bool as_glb)
{
    ossa_error error;
    ossa_buffer text = {0};
    ossa_buffer bin = {0};
    ossa_export_options options = {.bin_uri = as_glb ? NULL : "a b.bin"};
    bool ok =
        ossa_write_gltf(scene, &options, ossa_buffer_sink(&text), ossa_buffer_sink(&bin), &error);
    REQUIRE(ok || error.code == OSSA_CODE_BAD_SCENE, "glTF fails without a rule that is broken");
    ossa_buffer_free(&text);
    ossa_buffer_free(&bin);
    ok = ossa_write_scene_json(scene, NULL, ossa_buffer_sink(&text), &error);
    REQUIRE(ok, "a scene that is no JSON");
    ossa_buffer_free(&text);
}

/* Texts with a line for every frame grow without end, and nobody looks at them. */
enum { ENOUGH = 1 << 20 };

static bool write_some(void *user, const void *bytes, size_t size)
{
    size_t *written = user;
    (void)bytes;
    *written += size;
    return *written < ENOUGH;
}

static void export_tables(const ossa_scene *scene, bool is_local)
{
    ossa_error error;
    for (uint32_t c = 0; c <= clip_count(scene); c++) {
        const ossa_export_options table = {.space = is_local ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL};
        size_t written = 0;
        ossa_sink sink = {write_some, &written};
        bool ok = c < clip_count(scene)
                      ? ossa_write_bvh(scene, &scene->clips[c], NULL, sink, &error)
                      : ossa_write_csv(scene, &table, sink, &error);
        bool had_enough = error.code == OSSA_CODE_IO && written >= ENOUGH;
        REQUIRE(ok || had_enough || error.code == OSSA_CODE_BAD_SCENE,
                "a table fails without a rule that is broken");
    }
}

void check_scene(const ossa_scene *scene, bool is_second)
{
    ossa_error error;
    REQUIRE(ossa_scene_validate(scene, &error), "a scene that breaks the rules");
    sample(scene);
    for (uint32_t c = 0; c < clip_count(scene); c++) play(scene, &scene->clips[c]);
    skin(scene);
    look_at_shapes(scene);
    look_at_meshes(scene);
    look_at_cameras(scene);
    look_at_keys(scene);
    export_scene(scene, is_second);
    export_tables(scene, is_second);
}
