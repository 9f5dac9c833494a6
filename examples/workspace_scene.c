/* SPDX-License-Identifier: MIT
 *
 * A figure out of the archives of its game, with its texture and its animation database:
 *
 *     workspace_scene OUT.glb samples/packed/figures.res#wyvern samples/packed/textures.res ... */
#include "file_io.h"

int main(int argc, char **argv)
{
    ossa_error error = {0};
    FILE *out = argc > 2 ? fopen(argv[1], "wb") : NULL;
    ossa_workspace *workspace = out == NULL ? NULL : ossa_workspace_new(NULL, &error);
    ossa_scene *scene = NULL;
    if (workspace != NULL) {
        const char *const *paths = (const char *const *)argv + 2;
        scene = ossa_workspace_scene(workspace, paths, (size_t)argc - 2, NULL, &error);
    }
    bool ok =
        scene != NULL && ossa_write_gltf(scene, NULL, stream_sink(out), (ossa_sink){0}, &error);
    if (ok) printf("%s: %u bones, %u clips\n", argv[1], scene->bone_count, scene->clip_count);
    else if (out == NULL) fputs("usage: workspace_scene OUT.glb PATH...\n", stderr);
    else print_error(error.path[0] == '\0' ? argv[1] : error.path, &error);
    if (out != NULL && fclose(out) != 0) ok = false;
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
    return ok ? 0 : 1;
}
