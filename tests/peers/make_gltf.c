/* SPDX-License-Identifier: MIT
 *
 * make_gltf FOLDER: files of scenes made by hand, with what no sample has (materials, textures,
 * morph targets), for programs of others to look at. */
#include "support/made_scene.h"
#include "ossa/export.h"

#include <stdio.h>

static bool write_bytes(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static void warn(void *user, const ossa_issue *issue)
{
    (void)fprintf(stderr, "%s: %s\n", (const char *)user, issue->message);
}

static bool write_file(const char *folder, const char *name, const struct made_plan *plan,
                       bool skin)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s%s.glb", folder, name, skin ? ", skin" : "");
    struct made_scene made;
    ossa_error error = {.message = "it cannot be written"};
    ossa_export_options options = {.skin = skin, .on_issue = warn, .user = path};
    FILE *stream = fopen(path, "wb");
    make_scene(&made, plan);
    bool ok =
        stream != NULL && ossa_write_gltf(&made.scene, &options, (ossa_sink){write_bytes, stream},
                                          (ossa_sink){0}, &error);
    if (stream != NULL && fclose(stream) != 0) ok = false;
    free_made_scene(&made);
    if (!ok) (void)fprintf(stderr, "%s: %s\n", path, error.message);
    return ok;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        struct made_plan plan;
    } files[] = {
        {"made meshes", {.seed = 1, .bones = 9, .clips = 2, .frames = {5, 1}, .has_mesh = true}},
        {"made joints",
         {.seed = 6,
          .bones = 12,
          .clips = 2,
          .frames = {5, 1},
          .has_mesh = true,
          .has_joints = true,
          .has_materials = true,
          .targets = 2}},
        {"made materials",
         {.seed = 2,
          .bones = 13,
          .clips = 1,
          .frames = {4},
          .has_mesh = true,
          .has_materials = true}},
        {"made targets",
         {.seed = 3, .bones = 9, .clips = 3, .frames = {5, 1, 4}, .has_mesh = true, .targets = 3}},
        {"made everything",
         {.seed = 4,
          .bones = 300,
          .clips = 3,
          .frames = {5, 3, 0},
          .is_rigid = true,
          .has_mesh = true,
          .has_materials = true,
          .targets = 2}},
        {"made hidden",
         {.seed = 5,
          .bones = 12,
          .clips = 1,
          .frames = {8},
          .is_flat = true,
          .has_mesh = true,
          .has_materials = true,
          .targets = 1}},
    };
    if (count != 2) {
        (void)fputs("usage: make_gltf FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!write_file(arguments[1], files[i].name, &files[i].plan, false)) return 1;
        if (!write_file(arguments[1], files[i].name, &files[i].plan, true)) return 1;
    }
    return 0;
}
