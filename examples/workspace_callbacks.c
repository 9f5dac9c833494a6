/* SPDX-License-Identifier: MIT
 *
 * Files that are not on the disk: an engine has its own file system, say one large file of assets.
 * Here it is a table of files that were loaded before; the library asks for the parts it needs.
 *
 *     workspace_callbacks FIGURE FILE... */
#include "file_io.h"

#include <string.h>

/* The engine's files. */
struct asset {
    const char *path;
    const uint8_t *data;
    size_t size;
    size_t bytes_read;
};
struct assets {
    struct asset *items;
    size_t count;
};

static void *open_asset(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    const struct assets *assets = user;
    for (size_t i = 0; i < assets->count; i++) {
        if (strcmp(assets->items[i].path, path) != 0) continue;
        *size = assets->items[i].size;
        return &assets->items[i];
    }
    *error = (ossa_error){.code = OSSA_CODE_IO, .message = "there is no such asset"};
    return NULL;
}

static bool read_asset(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    struct asset *asset = file;
    (void)user;
    if (offset > asset->size || size > asset->size - offset) return false;
    if (size > 0) memcpy(bytes, asset->data + offset, size);
    asset->bytes_read += size;
    return true;
}

static void close_asset(void *user, void *file)
{
    (void)user;
    (void)file;
}

/* The figure of that name, in all assets together. */
static bool load_figure(struct assets *assets, const char *name)
{
    ossa_error error = {0};
    const ossa_filesystem files = {
        .open = open_asset, .read_at = read_asset, .close = close_asset, .user = assets};
    const ossa_workspace_options options = {.filesystem = &files};
    ossa_workspace *workspace = ossa_workspace_new(&options, &error);
    bool ok = workspace != NULL;
    for (size_t i = 0; ok && i < assets->count; i++) {
        ok = ossa_workspace_add(workspace, assets->items[i].path, &error);
    }
    ossa_scene *scene = ok ? ossa_workspace_scene(workspace, &name, 1, NULL, &error) : NULL;
    if (scene != NULL) {
        printf("%s: %u bones, %u meshes, %u textures, %u clips\n", scene->name, scene->bone_count,
               scene->mesh_count, scene->texture_count, scene->clip_count);
    } else {
        print_error(name, &error);
    }
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
    return scene != NULL;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: workspace_callbacks FIGURE FILE...\n", stderr);
        return 2;
    }
    struct assets assets = {.items = calloc((size_t)argc, sizeof *assets.items)};
    bool ok = assets.items != NULL;
    for (int i = 2; ok && i < argc; i++) {
        struct asset *asset = &assets.items[assets.count++];
        asset->path = argv[i];
        asset->data = load_file(argv[i], &asset->size);
        ok = asset->data != NULL;
    }
    ok = ok && load_figure(&assets, argv[1]);
    for (size_t i = 0; i < assets.count; i++) {
        if (ok)
            printf("%s: %zu of %zu bytes read\n", assets.items[i].path, assets.items[i].bytes_read,
                   assets.items[i].size);
        free((void *)(uintptr_t)assets.items[i].data);
    }
    free(assets.items);
    return ok ? 0 : 1;
}
