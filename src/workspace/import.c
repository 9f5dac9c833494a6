/* SPDX-License-Identifier: MIT
 *
 * Edited files and their originals, from what paths lead to. */
#include "import/import.h"
#include "scene/options.h"
#include "workspace/workspace.h"

#include <string.h>

/* What stands behind an ossa_import; it lives in its own arena. */
struct import_result {
    ossa_import import; /* first: a pointer to it is a pointer to this */
    struct ossa__arena arena;
};

/* Poses of an edit are far larger than what a file stores of them; a hostile file may ask for those
 * of hours. */
#define MOST_MEMORY(size) ((UINT64_C(512) << 20) + 64 * (size))

/* What was read, to be freed at the end. */
struct reading {
    ossa_workspace *workspace;
    struct ossa__context *context;
    ossa_bytes *files; /* those edited, and what they refer to */
    size_t file_count;
    uint64_t size;    /* of them all */
    const char *path; /* of the one that is read */
};

static ossa_bytes *read_file(struct reading *r, const char *path, ossa_error *error)
{
    ossa_bytes *files = ossa__grow(&r->context->arena, r->files, r->file_count, sizeof *files);
    if (files == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory");
        return NULL;
    }
    r->files = files;
    if (!ossa_workspace_bytes(r->workspace, path, &files[r->file_count], error)) return NULL;
    r->size += files[r->file_count].size;
    return &files[r->file_count++];
}

/* A file beside the edited one. */
static bool fetch(void *user, const char *name, const uint8_t **data, size_t *size)
{
    struct reading *r = user;
    ossa_error error;
    size_t folder = strlen(r->path);
    while (folder > 0 && strchr("/\\#", r->path[folder - 1]) == NULL) folder--;
    size_t length = strlen(name);
    char *path = ossa__take(r->context, folder + length + 1, 1);
    if (path == NULL) return false;
    memcpy(path, r->path, folder);
    memcpy(path + folder, name, length + 1);
    const ossa_bytes *bytes = read_file(r, path, &error);
    if (bytes == NULL) return false;
    *data = bytes->data;
    *size = bytes->size;
    return true;
}

static struct ossa__motion *read_motion(struct reading *r, const char *path)
{
    ossa_error error;
    const ossa_bytes *bytes = read_file(r, path, &error);
    if (bytes == NULL) {
        r->context->failed = true;
        r->context->error = error;
        return NULL;
    }
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (strchr("/\\#", *c) != NULL) name = c + 1;
    }
    r->path = path;
    r->context->path_text = path;
    r->context->options.max_memory = MOST_MEMORY(r->size);
    struct ossa__motion *motion =
        ossa__read_motion(r->context, bytes->data, bytes->size, name, fetch, r);
    r->context->path_text = "";
    r->context->format = NULL;
    return r->context->failed ? NULL : motion;
}

/* All edited files; NULL after a failure. */
static struct ossa__motion **read_motions(struct reading *r, const char *const *paths, size_t count)
{
    struct ossa__motion **motions = ossa__take(r->context, count, sizeof *motions);
    for (size_t i = 0; i < count && motions != NULL; i++) {
        motions[i] = read_motion(r, paths[i]);
        if (motions[i] == NULL) return NULL;
    }
    return motions;
}

static void free_reading(struct reading *r)
{
    for (size_t i = 0; i < r->file_count; i++) ossa_bytes_free(&r->files[i]);
}

/* ---- originals ----------------------------------------------------------------------------- */

/* What the edited files say of the options that they were made with. */
static void set_options(struct ossa__option_set *set, const struct ossa__game *game,
                        const struct ossa__import_call *call)
{
    for (size_t i = 0; i < call->motion_count; i++) {
        for (uint32_t o = 0; o < call->motions[i]->option_count; o++) {
            const struct ossa__motion_option *from = &call->motions[i]->options[o];
            const struct ossa__option_text option = {from->key, from->text, from->number};
            ossa__set_option(set, &option);
            if (game->set_option != NULL) game->set_option(set, &option);
        }
    }
}

static bool import(struct reading *r, struct ossa__collection *c,
                   const struct ossa__import_call *edits, ossa_import *result)
{
    struct ossa__context *context = r->context;
    struct ossa__option_set set;
    ossa__option_set_start(&set, context, c->options->scene);
    set_options(&set, ossa__format_of(c->inputs[0].file)->game, edits);
    if (set.scene.allocator.allocate == NULL && set.scene.allocator.release == NULL)
        set.scene.allocator = c->workspace->allocator;
    set.scene.no_textures = true; /* nothing of them is edited this way */
    set.scene.tolerant = c->options->read == NULL || !c->options->read->strict;
    ossa_input *inputs = ossa__take(context, c->count, sizeof *inputs);
    if (inputs == NULL) return false;
    uint64_t size = r->size; /* of all that was read */
    for (size_t i = 0; i < c->count; i++) {
        const struct ossa__input *input = &c->inputs[i];
        inputs[i] = (ossa_input){.path = input->path, .file = input->file, .shown = input->shown};
        size += input->file->size;
    }
    context->options.max_memory = MOST_MEMORY(size);
    struct ossa__import_call call = *edits;
    call.scene = &set.scene;
    call.inputs = inputs;
    call.input_count = c->count;
    return ossa__import(context, &call, result);
}

static void take_error(struct ossa__context *context, const ossa_error *error)
{
    if (context->failed) return;
    context->failed = true;
    context->error = *error;
}

static bool run(struct reading *r, struct ossa__import_call *call, const char *const *edited,
                const char *const *originals, size_t count, ossa_import *result)
{
    const ossa_load_options defaults = {0};
    const ossa_load_options *load = call->options->load;
    struct ossa__collection c = {.workspace = r->workspace,
                                 .options = load == NULL ? &defaults : load};
    call->motions = read_motions(r, edited, call->motion_count);
    call->motion_paths = edited;
    if (call->motions == NULL) return false;
    bool ok = ossa__collect_scene(&c, originals, count);
    if (!ok) take_error(r->context, &c.error);
    ok = ok && import(r, &c, call, result);
    ossa__collection_free(&c);
    return ok;
}

ossa_import *ossa_workspace_import(ossa_workspace *workspace, const char *const *edited,
                                   size_t edited_count, const char *const *originals, size_t count,
                                   const ossa_import_options *options, ossa_error *error)
{
    static const ossa_import_options defaults;
    struct ossa__context context;
    if (options == NULL) options = &defaults;
    const ossa_options plain = {.max_memory = UINT64_MAX,
                                .allocator = workspace->allocator,
                                .on_issue = options->on_issue,
                                .user = options->user};
    ossa__context_init(&context, &plain, 0);
    struct import_result *result = ossa__take(&context, 1, sizeof *result);
    struct reading r = {.workspace = workspace, .context = &context};
    struct ossa__import_call call = {.options = options, .motion_count = edited_count};
    if (result != NULL) {
        memset(result, 0, sizeof *result);
        (void)run(&r, &call, edited, originals, count, &result->import);
    }
    free_reading(&r);
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.scratch);
    if (result == NULL || context.failed) {
        ossa__arena_free(&context.arena);
        return NULL;
    }
    result->arena = context.arena;
    return &result->import;
}

void ossa_import_free(ossa_import *import)
{
    if (import == NULL) return;
    struct ossa__arena arena = ((struct import_result *)import)->arena;
    ossa__arena_free(&arena);
}
