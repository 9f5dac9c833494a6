/* SPDX-License-Identifier: MIT
 *
 * make_gltf FOLDER: files of scenes made by hand, with what no sample has (materials, textures,
 * morph targets), for programs of others to look at.
 *
 * make_gltf --shapes FOLDER: shapes-COUNT.glb of a mesh on a bone and shapes-skin-COUNT.glb of one
 * in a skin, with COUNT targets and two clips at 25 frames a second. Frame f of the first, of COUNT
 * frames, shows target 7 * f mod (COUNT + 1) - 1, where -1 is none; the other shows none. The
 * weights of the larger COUNT are sparse.
 *
 * make_gltf --weights FOLDER: weighted.glb, weighted.json (the scene) and weighted.vertices.jsonl
 * of a scene with weighted vertices beside meshes on one bone and one bone per vertex.
 *
 * make_gltf --vertices OUT INPUT...: the vertices of the scene of these inputs.
 *
 * Files of vertices have a line for each mesh that moves with several bones, in frames of each
 * clip: {"clip":s,"frame":n,"time":s,"mesh":n,"positions":[[x,y,z]..]}, from ossa_skin_mesh. */
#include "support/made_scene.h"
#include "ossa/export.h"
#include "ossa/sample.h"
#include "ossa/workspace.h"

#include <stdio.h>
#include <stdlib.h>
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

/* ---- vertices ------------------------------------------------------------------------------ */

struct posed {
    const ossa_scene *scene;
    const ossa_clip *clip;
    uint32_t frame;
    const float (*matrices)[16];
};

static bool print_vertices(FILE *stream, const struct posed *posed, uint32_t index)
{
    const ossa_mesh *mesh = &posed->scene->meshes[index];
    float(*positions)[3] = calloc(mesh->vertex_count + (size_t)1, sizeof *positions);
    if (positions == NULL) return false;
    ossa_skin_mesh(posed->scene, mesh, posed->matrices, NULL, positions, NULL);
    /* Names of clips in samples need no escapes. */
    (void)fprintf(stream, "{\"clip\":\"%s\",\"frame\":%u,\"time\":%.9g,\"mesh\":%u,\"positions\":[",
                  posed->clip->name, (unsigned)posed->frame, posed->frame / posed->clip->fps,
                  (unsigned)index);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        (void)fprintf(stream, "%s[%.9g,%.9g,%.9g]", v > 0 ? "," : "", (double)positions[v][0],
                      (double)positions[v][1], (double)positions[v][2]);
    }
    free(positions);
    return fputs("]}\n", stream) >= 0;
}

static bool print_frame(FILE *stream, const ossa_scene *scene, const ossa_clip *clip,
                        uint32_t frame)
{
    ossa_transform *locals = calloc(scene->bone_count, sizeof *locals);
    float(*matrices)[16] = calloc(scene->bone_count, sizeof *matrices);
    bool ok = locals != NULL && matrices != NULL;
    if (ok) {
        ossa_sample_frame(scene, clip, frame, locals, NULL);
        ossa_model_matrices(scene, locals, matrices);
    }
    const struct posed posed = {scene, clip, frame, (const float(*)[16])matrices};
    for (uint32_t i = 0; i < scene->mesh_count && ok; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->joints != NULL || mesh->vertex_bones != NULL) {
            ok = print_vertices(stream, &posed, i);
        }
    }
    free(locals);
    free(matrices);
    return ok;
}

/* Up to four frames of each clip, the first and the last among them. */
static bool write_vertices(const char *path, const ossa_scene *scene)
{
    FILE *stream = fopen(path, "w");
    bool ok = stream != NULL;
    for (uint32_t c = 0; c < scene->clip_count && ok; c++) {
        const ossa_clip *clip = &scene->clips[c];
        uint32_t before = UINT32_MAX;
        for (uint32_t k = 0; k < 4 && clip->frame_count > 0 && ok; k++) {
            uint32_t frame = (uint32_t)((uint64_t)(clip->frame_count - 1) * k / 3);
            if (frame != before) ok = print_frame(stream, scene, clip, frame);
            before = frame;
        }
    }
    if (stream != NULL && fclose(stream) != 0) ok = false;
    if (!ok) (void)fprintf(stderr, "%s: it cannot be written\n", path);
    return ok;
}

static bool write_json(const char *path, const ossa_scene *scene)
{
    FILE *stream = fopen(path, "wb");
    bool ok = stream != NULL &&
              ossa_write_scene_json(scene, NULL, (ossa_sink){write_bytes, stream}, NULL);
    if (stream != NULL && fclose(stream) != 0) ok = false;
    if (!ok) (void)fprintf(stderr, "%s: it cannot be written\n", path);
    return ok;
}

static bool write_weights(const char *folder)
{
    const struct made_plan plan = {.seed = 21,
                                   .bones = 14,
                                   .clips = 2,
                                   .frames = {7, 2},
                                   .is_rigid = true,
                                   .has_mesh = true,
                                   .has_joints = true,
                                   .has_weights = true,
                                   .has_materials = true};
    char path[1024];
    struct made_scene made;
    make_scene(&made, &plan);
    (void)snprintf(path, sizeof path, "%s/weighted.glb", folder);
    bool ok = write_scene(path, &made.scene, false);
    (void)snprintf(path, sizeof path, "%s/weighted.json", folder);
    ok = ok && write_json(path, &made.scene);
    (void)snprintf(path, sizeof path, "%s/weighted.vertices.jsonl", folder);
    ok = ok && write_vertices(path, &made.scene);
    free_made_scene(&made);
    return ok;
}

static bool write_vertices_of(const char *path, const char *const *inputs, size_t count)
{
    ossa_error error = {0};
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    for (size_t i = 0; i < count && workspace != NULL; i++) {
        if (!ossa_workspace_add(workspace, inputs[i], &error)) break;
    }
    ossa_scene *scene = NULL;
    if (workspace != NULL && error.code == OSSA_CODE_OK) {
        scene = ossa_workspace_scene(workspace, inputs, count, NULL, &error);
    }
    if (scene == NULL) (void)fprintf(stderr, "%s: %s\n", inputs[0], error.message);
    bool ok = scene != NULL && write_vertices(path, scene);
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
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
        {"made weights",
         {.seed = 9,
          .bones = 12,
          .clips = 2,
          .frames = {5, 1},
          .has_mesh = true,
          .has_joints = true,
          .has_weights = true,
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
    if (count == 3 && strcmp(arguments[1], "--weights") == 0) {
        return write_weights(arguments[2]) ? 0 : 1;
    }
    if (count > 3 && strcmp(arguments[1], "--vertices") == 0) {
        const char *const *inputs = (const char *const *)arguments + 3;
        return write_vertices_of(arguments[2], inputs, (size_t)count - 3) ? 0 : 1;
    }
    if (count != 2 && !shapes) {
        (void)fputs("usage: make_gltf [--shapes | --weights] FOLDER, or --vertices OUT INPUT...\n",
                    stderr);
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
