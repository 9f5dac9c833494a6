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
static const char *const paths[16] = {"a/hp.anm", "a/bd.anm",      "b\\hp.anm", "bon/hp.bon",
                                      "bd.bon",   "t.lnk",         "p.skel",    "w.anim",
                                      "w2.anim",  "r.tmd",         "hop.anm",   "z.anb",
                                      "s.skb",    "../\xff/x.anm", "",          "./-"};

struct files {
    ossa_input inputs[MOST_FILES];
    uint8_t *bytes[MOST_FILES]; /* each in memory of its own, so that a stray read is seen */
    size_t count;
};

static void read_files(const uint8_t *data, size_t size, struct files *files)
{
    while (size > 3 && files->count < MOST_FILES) {
        const char *path = paths[data[0] % 16];
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
        files->inputs[files->count] = (ossa_input){path, file};
        if (file == NULL) free(copy);
        else files->count++;
    }
}

static void sample(const ossa_scene *scene)
{
    static const double times[] = {0.0, 0.05, -1.0, 1e9, -1e300, NAN, INFINITY, -INFINITY};
    ossa_transform *locals = malloc((scene->bone_count + 1U) * sizeof *locals);
    float(*matrices)[16] = malloc((scene->bone_count + 1U) * sizeof *matrices);
    uint8_t *visible = malloc(scene->bone_count + 1U);
    REQUIRE(locals != NULL && matrices != NULL && visible != NULL, "no memory");
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        for (size_t t = 0; t < 2 * sizeof times / sizeof times[0]; t++) {
            ossa_wrap wrap = t % 2 == 0 ? OSSA_CLAMP : OSSA_LOOP;
            ossa_sample(scene, &scene->clips[c], times[t / 2], wrap, locals, visible);
            for (uint32_t b = 0; b < scene->bone_count; b++) {
                REQUIRE(isfinite(locals[b].rotation[3]), "a sample that is not finite");
            }
        }
    }
    ossa_rest_pose(scene, locals);
    ossa_model_matrices(scene, locals, matrices);
    ossa_model_pose(scene, locals, locals);
    free(locals);
    free(matrices);
    free(visible);
}

static void export_scene(const ossa_scene *scene, bool as_glb)
{
    ossa_error error;
    ossa_buffer text = {0};
    ossa_buffer bin = {0};
    ossa_gltf_options options = {.bin_uri = as_glb ? NULL : "a b.bin"};
    bool ok = ossa_write_gltf(scene, NULL, &options, ossa_buffer_sink(&text),
                              ossa_buffer_sink(&bin), &error);
    REQUIRE(ok || error.code == OSSA_BAD_SCENE, "glTF fails without a rule that is broken");
    ossa_buffer_free(&text);
    ossa_buffer_free(&bin);
    ok = ossa_scene_json(scene, NULL, OSSA_JSON_LINE, ossa_buffer_sink(&text), &error);
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
        const ossa_csv_options table = {.is_local = is_local};
        size_t written = 0;
        ossa_sink sink = {write_some, &written};
        bool ok = c < scene->clip_count
                      ? ossa_write_bvh(scene, &scene->clips[c], NULL, sink, &error)
                      : ossa_write_csv(scene, NULL, &table, sink, &error);
        bool had_enough = error.code == OSSA_IO && written >= ENOUGH;
        REQUIRE(ok || had_enough || error.code == OSSA_BAD_SCENE,
                "a table fails without a rule that is broken");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct files files = {.count = 0};
    if (size == 0) return 0;
    uint8_t flags = data[0];
    read_files(data + 1, size - 1, &files);
    ossa_scene_options options = {.join = (flags & 1) != 0,
                                  .boxes = (flags & 2) != 0,
                                  .euler = (flags & 4) != 0 ? OSSA_EULER_ZYX : OSSA_EULER_XYZ,
                                  .missing =
                                      (flags & 8) != 0 ? OSSA_MISSING_HOLD : OSSA_MISSING_IDENTITY,
                                  .resample = flags >> 6,
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
    export_scene(scene, (flags & 32) != 0);
    export_tables(scene, (flags & 32) != 0);
    ossa_scene_free(scene);
    return 0;
}
