/* SPDX-License-Identifier: MIT
 *
 * make_gltf FOLDER: files of scenes made by hand, with what no sample has (materials, textures,
 * morph targets), for programs of others to look at.
 *
 * make_gltf --shapes FOLDER: shapes-COUNT.glb of a mesh on a bone and shapes-skin-COUNT.glb of one
 * in a skin, with COUNT targets and two clips at 25 frames a second. Frame f of the first, of COUNT
 * frames, shows target 7 * f mod (COUNT + 1) - 1, where -1 is none; the other shows none. The
 * weights of the larger COUNT are sparse. */
#include "support/made_scene.h"
#include "ossa/export.h"

#include <stdio.h>
#include <string.h>

static bool write_bytes(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static void warn(void *user, const ossa_issue *issue)
{
    (void)fprintf(stderr, "%s: %s\n", (const char *)user, issue->message);
}

static bool write_scene(char *path, const ossa_scene *scene, bool skin)
{
    ossa_error error = {.message = "it cannot be written"};
    ossa_export_options options = {.skin = skin, .on_issue = warn, .user = path};
    FILE *stream = fopen(path, "wb");
    bool ok = stream != NULL && ossa_write_gltf(scene, &options, (ossa_sink){write_bytes, stream},
                                                (ossa_sink){0}, &error);
    if (stream != NULL && fclose(stream) != 0) ok = false;
    if (!ok) (void)fprintf(stderr, "%s: %s\n", path, error.message);
    return ok;
}

static bool write_file(const char *folder, const char *name, const struct made_plan *plan,
                       bool skin)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s%s.glb", folder, name, skin ? ", skin" : "");
    struct made_scene made;
    make_scene(&made, plan);
    bool ok = write_scene(path, &made.scene, skin);
    free_made_scene(&made);
    return ok;
}

static bool write_shapes(const char *folder, uint32_t count, bool skin)
{
    const struct made_plan plan = {.seed = 7,
                                   .bones = 1,
                                   .clips = 2,
                                   .frames = {count, 3},
                                   .fps = 25.0,
                                   .is_rigid = true,
                                   .has_mesh = true,
                                   .targets = count};
    static const uint32_t first = 0;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/shapes%s-%u.glb", folder, skin ? "-skin" : "",
                   (unsigned)count);
    struct made_scene made;
    make_scene(&made, &plan);
    int32_t *keys = made_memory(&made, count * sizeof *keys);
    for (uint32_t f = 0; f < count; f++) keys[f] = (int32_t)(7 * f % (count + 1)) - 1;
    made.clips[0].morphs = (ossa_morph_tracks){1, &first, keys};
    made.clips[1].morphs = (ossa_morph_tracks){0};
    made.scene.mesh_count = 1; /* the triangle; not the line */
    bool ok = write_scene(path, &made.scene, skin);
    free_made_scene(&made);
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
        {"made many targets",
         {.seed = 8,
          .bones = 9,
          .clips = 3,
          .frames = {301, 1, 4},
          .has_mesh = true,
          .targets = 400}},
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
    bool shapes = count == 3 && strcmp(arguments[1], "--shapes") == 0;
    if (count != 2 && !shapes) {
        (void)fputs("usage: make_gltf [--shapes] FOLDER\n", stderr);
        return 2;
    }
    for (unsigned skin = 0; skin < 2 && shapes; skin++) {
        if (!write_shapes(arguments[2], 60, skin == 1)) return 1;
        if (!write_shapes(arguments[2], 600, skin == 1)) return 1;
    }
    if (shapes) return 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!write_file(arguments[1], files[i].name, &files[i].plan, false)) return 1;
        if (!write_file(arguments[1], files[i].name, &files[i].plan, true)) return 1;
    }
    return 0;
}
