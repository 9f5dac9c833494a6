/* SPDX-License-Identifier: MIT
 *
 * Several files of any kind put together: a scene that comes of them keeps the rules, can be
 * sampled at any time and exported, and a failure says why.
 *
 * Input: a byte of options, then for each file a byte that picks its path, a u16 of its size, and
 * its bytes; the last one takes what is left. */
#include "target.h"

#include "ossa/ossa.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 8 };

/* Names that mean something to one game or another, and some that are odd. */
static const char *const paths[] = {
    "a/hp.anm",   "a/bd.anm", "b\\hp.anm", "bon/hp.bon", "bd.bon", "t.lnk",     "p.skel",
    "w.anim",     "w2.anim",  "r.tmd",     "hop.anm",    "z.anb",  "s.skb",     "../\xff/x.anm",
    "",           "./-",      "a/v.cam",   "v.anc",      "t.mmp",  "t0.mmp",    "m.mod",
    "mod/hp.fig", "BD.fig",   "m.adb",     "p.csv",      "p.var",  "p.shaders", "t.nto"};

struct files {
    ossa_input inputs[MOST_FILES];
    uint8_t *bytes[MOST_FILES]; /* each in memory of its own, so that a stray read is seen */
    size_t count;
};

static void read_files(const uint8_t *data, size_t size, struct files *files)
{
    while (size > 3 && files->count < MOST_FILES) {
        const char *path = paths[data[0] % (sizeof paths / sizeof paths[0])];
        size_t wanted = (size_t)data[1] | (size_t)data[2] << 8;
        data += 3;
        size -= 3;
        if (wanted > size || files->count + 1 == MOST_FILES) wanted = size;
        uint8_t *copy = malloc(wanted + 1);
        REQUIRE(copy != NULL, "no memory");
        memcpy(copy, data, wanted);
        data += wanted;
        size -= wanted;
        ossa_options options = {.name = path};
        ossa_file *file = ossa_read(copy, wanted, &options, NULL);
        files->bytes[files->count] = copy;
        files->inputs[files->count] = (ossa_input){.path = path, .file = file};
        if (file == NULL) free(copy);
        else files->count++;
    }
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
    for (uint32_t c = 0; c < scene->clip_count; c++) {
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
    for (uint32_t c = 0; c < scene->clip_count; c++) {
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
    for (uint32_t c = 0; c <= scene->clip_count; c++) {
        const ossa_export_options table = {.space = is_local ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL};
        size_t written = 0;
        ossa_sink sink = {write_some, &written};
        bool ok = c < scene->clip_count
                      ? ossa_write_bvh(scene, &scene->clips[c], NULL, sink, &error)
                      : ossa_write_csv(scene, &table, sink, &error);
        bool had_enough = error.code == OSSA_CODE_IO && written >= ENOUGH;
        REQUIRE(ok || had_enough || error.code == OSSA_CODE_BAD_SCENE,
                "a table fails without a rule that is broken");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct files files = {.count = 0};
    if (size == 0) return 0;
    uint8_t flags = data[0];
    read_files(data + 1, size - 1, &files);
    const ossa_ei_options ei = {.look = (ossa_ei_look)(flags / 9 % 3), /* for cameras only */
                                .morphing = (ossa_ei_morphing)(flags / 27 % 3),
                                .resample = flags >> 6};
    const ossa_vib_options vib = {
        .euler = (flags & 4) != 0 ? OSSA_VIB_EULER_ZYX : OSSA_VIB_EULER_XYZ,
        .missing = (flags & 8) != 0 ? OSSA_VIB_MISSING_HOLD : OSSA_VIB_MISSING_IDENTITY,
        .twist = (ossa_vib_twist)(flags % 3), /* these two for cameras only */
        .view = (ossa_vib_view)(flags / 3 % 3)};
    ossa_scene_options options = {.join = (flags & 1) != 0,
                                  .boxes = (flags & 2) != 0,
                                  .ei = &ei,
                                  .vib = &vib,
                                  .scale = (flags & 16) != 0 ? 1e9 : 0.0,
                                  .max_memory = 16 << 20};
    ossa_error error;
    ossa_scene *scene = ossa_assemble(files.inputs, files.count, &options, &error);
    for (size_t i = 0; i < files.count; i++) {
        ossa_file_free(files.inputs[i].file); /* the scene has copies of all it needs */
        free(files.bytes[i]);
    }
    REQUIRE(scene != NULL || error.message[0] != '\0', "a failure that says nothing");
    if (scene == NULL) return 0;
    REQUIRE(ossa_scene_validate(scene, &error), "a scene that breaks the rules");
    sample(scene);
    look_at_shapes(scene);
    look_at_meshes(scene);
    look_at_cameras(scene);
    export_scene(scene, (flags & 32) != 0);
    export_tables(scene, (flags & 32) != 0);
    ossa_scene_free(scene);
    return 0;
}
