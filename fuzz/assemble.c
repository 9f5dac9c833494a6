/* SPDX-License-Identifier: MIT
 *
 * Several files of any kind put together: a scene that comes of them keeps the rules, can be
 * sampled at any time and exported, and a failure says why.
 *
 * Input: a byte of options, then for each file a byte that picks its path, a u16 of its size, and
 * its bytes; the last one takes what is left. */
#include "checks.h"

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
    check_scene(scene, (flags & 32) != 0);
    ossa_scene_free(scene);
    return 0;
}
