/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include "archive/inflate_plain.h"

#include <string.h>

enum { MOST_FIGURES = 8, MOST_FILES = 100, MOST_EXPORT = 1 << 20, LARGE = 1 << 14 };

/* A file of the figure, by its path there. */
struct member {
    char path[200];
    const struct sample *sample;
};

/* The figure that a format is tried in. The first member is the one that inputs replace. */
struct figure {
    const ossa_format *format; /* NULL: not chosen yet */
    char folder[100];
    struct member members[MOST_FILES];
    size_t count;
};
static struct figure known[MOST_FIGURES];

static const ossa_scene_options scene_options = {.max_memory = 16 << 20, .trace_keys = true};

/* Add all files of a figure to a workspace, from the first on or without it. */
static void add_figure(ossa_workspace *workspace, const struct figure *figure, size_t first)
{
    for (size_t i = first; i < figure->count; i++) {
        const struct member *member = &figure->members[i];
        REQUIRE(ossa_workspace_add_memory(workspace, member->path, member->sample->data,
                                          member->sample->size, NULL),
                "no memory");
    }
}

struct use {
    const char *path;
    bool is_used;
};

static void on_file(void *user, const char *path)
{
    struct use *use = user;
    if (strcmp(path, use->path) == 0) use->is_used = true;
}

/* A scene of the figure that the first member has a part in, or NULL. */
static ossa_scene *try_figure(const struct figure *figure)
{
    struct use use = {.path = figure->members[0].path};
    const ossa_load_options options = {.scene = &scene_options, .on_file = on_file, .user = &use};
    const char *path = figure->folder;
    ossa_workspace *workspace = new_workspace();
    add_figure(workspace, figure, 0);
    ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, &options, NULL);
    ossa_workspace_free(workspace);
    if (scene == NULL || use.is_used) return scene;
    ossa_scene_free(scene);
    return NULL;
}

static void add_member(struct figure *figure, const char *path, const struct sample *sample)
{
    REQUIRE(figure->count < MOST_FILES, "a sample of too many files");
    struct member *member = &figure->members[figure->count++];
    int n = snprintf(member->path, sizeof member->path, "%s", path);
    REQUIRE(n > 0 && (size_t)n < sizeof member->path, "a sample with a long path");
    member->sample = sample;
}

static const char *name_of(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (strchr("/\\#", *c) != NULL) name = c + 1;
    }
    return name;
}

/* The sample in the folder of another one (NULL: alone), with all files that lie there, and called
 * as that one if it is `renamed`. */
static ossa_scene *place(struct figure *figure, const struct sample *sample,
                         const struct sample *beside, bool renamed)
{
    char path[200];
    size_t count = 0;
    const struct sample *all = load_samples(&count);
    const char *name = name_of(renamed && beside != NULL ? beside->path : sample->path);
    size_t stem = renamed ? strcspn(name, ".") : strlen(name);
    const char *ending = renamed ? strrchr(sample->path, '.') : NULL;
    bool is_home = beside == sample;
    figure->count = 0;
    (void)snprintf(figure->folder, sizeof figure->folder, "%.*s",
                   (int)(beside == NULL ? 5 : beside->folder_size),
                   beside == NULL ? "alone" : beside->path);
    (void)snprintf(path, sizeof path, "%s/%.*s%s", figure->folder, (int)stem, name,
                   ending == NULL ? "" : ending);
    add_member(figure, is_home ? sample->path : path, sample);
    for (size_t i = 0; beside != NULL && i < count; i++) {
        if (&all[i] == sample || strchr(all[i].path, '#') != NULL) continue;
        if (strncmp(all[i].path, beside->path, beside->folder_size + 1) != 0) continue;
        add_member(figure, all[i].path, &all[i]);
    }
    return try_figure(figure);
}

static bool is_as_rich(const ossa_scene *scene, const ossa_scene *full)
{
    bool ok = scene->bone_count == full->bone_count &&
              (scene->clip_count > 0) == (full->clip_count > 0) &&
              (scene->mesh_count > 0) == (full->mesh_count > 0) &&
              (scene->texture_count > 0) == (full->texture_count > 0);
    for (uint32_t i = 0; ok && i < full->bone_count; i++) {
        ok = scene->bones[i].parent == full->bones[i].parent;
    }
    return ok;
}

/* Leave out what can be left out: a small figure is tried more often. */
static void shrink(struct figure *figure, const ossa_scene *full)
{
    for (size_t i = figure->count; i-- > 1;) {
        struct member member = figure->members[i];
        figure->members[i] = figure->members[--figure->count];
        ossa_scene *scene = try_figure(figure);
        if (scene == NULL || !is_as_rich(scene, full)) {
            figure->members[figure->count++] = figure->members[i];
            figure->members[i] = member;
        }
        ossa_scene_free(scene);
    }
}

/* A sample of the format, where it has a part in a scene: in its own folder, beside the files of
 * another one, or alone. One in an archive comes last. */
static void choose_figure(struct figure *figure, const ossa_format *format)
{
    size_t count = 0;
    const struct sample *all = load_samples(&count);
    const struct sample *sample = NULL;
    for (size_t i = count; i-- > 0;) {
        bool is_entry = strchr(all[i].path, '#') != NULL;
        if (all[i].format == format && (sample == NULL || !is_entry)) sample = &all[i];
    }
    figure->format = format;
    if (sample == NULL) return;
    ossa_scene *scene = place(figure, sample, sample, false);
    for (size_t i = 0; scene == NULL && i < 2 * count; i++) {
        const struct sample *beside = &all[i / 2];
        bool is_of_game = strcmp(beside->format->game, format->game) == 0;
        if (is_of_game && strchr(beside->path, '#') == NULL) {
            scene = place(figure, sample, beside, i % 2 == 1);
        }
    }
    if (scene == NULL) scene = place(figure, sample, NULL, false);
    if (scene == NULL) figure->count = 0;
    else shrink(figure, scene);
    ossa_scene_free(scene);
}

static const struct figure *find_figure(const ossa_format *format)
{
    size_t i = 0;
    while (i < MOST_FIGURES && known[i].format != NULL && known[i].format != format) i++;
    REQUIRE(i < MOST_FIGURES, "too many figures");
    if (known[i].format == NULL) choose_figure(&known[i], format);
    return &known[i];
}

const char *add_sample_figure(ossa_workspace *workspace, const ossa_format *format)
{
    const struct figure *figure = find_figure(format);
    add_figure(workspace, figure, 0);
    return figure->count == 0 ? NULL : figure->folder;
}

/* What is put back without an edit is what was there. */
static void put_back(ossa_workspace *workspace, const ossa_scene *scene, const char *path,
                     unsigned kind)
{
    static const char *const names[] = {"edit.glb", "edit.json", "edit.bvh"};
    const ossa_load_options load = {.scene = &scene_options};
    const ossa_import_options options = {.load = &load, .drop = true};
    ossa_buffer out = {0};
    ossa_sink sink = ossa_buffer_sink(&out);
    ossa_error error;
    bool ok = kind == 0   ? ossa_write_gltf(scene, NULL, sink, (ossa_sink){0}, NULL)
              : kind == 1 ? ossa_write_scene_json(scene, NULL, sink, NULL)
                          : scene->clip_count > 0 &&
                                ossa_write_bvh(scene, &scene->clips[0], NULL, sink, NULL);
    if (ok && out.size <= MOST_EXPORT) {
        REQUIRE(ossa_workspace_add_memory(workspace, names[kind], out.data, out.size, NULL),
                "no memory");
        ossa_import *import =
            ossa_workspace_import(workspace, &names[kind], 1, &path, 1, &options, &error);
        REQUIRE(import != NULL || error.code == OSSA_CODE_LIMIT, error.message);
        for (size_t i = 0; kind < 2 && import != NULL && i < import->file_count; i++) {
            REQUIRE(import->files[i].data == NULL, "an import changes what was not edited");
        }
        ossa_import_free(import);
    }
    ossa_buffer_free(&out);
}

/* Returns whether a scene came of it that nothing was left out of. */
static bool check_paths(ossa_workspace *workspace, const char *const *paths, size_t count,
                        unsigned variety)
{
    const ossa_load_options options = {.scene = &scene_options};
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, &options, &error);
    REQUIRE(scene != NULL || (error.code != OSSA_CODE_OK && error.message[0] != '\0'),
            "a scene fails without a reason");
    if (scene == NULL) return false;
    check_scene(scene, variety % 2 == 1);
    if (count == 1) put_back(workspace, scene, paths[0], variety / 2 % 3);
    bool is_whole = scene->error_count == 0;
    ossa_scene_free(scene);
    return is_whole;
}

static ossa_step count_visits(void *user, const ossa_visit *visit)
{
    size_t *count = user;
    REQUIRE(visit->path != NULL && visit->name != NULL && visit->tree != NULL, "a nameless file");
    REQUIRE(visit->error == NULL || visit->error->message[0] != '\0', "an error without words");
    return ++*count < 2000 ? OSSA_STEP_INTO : OSSA_STEP_STOP;
}

/* Everything in an archive, and in those inside; and the figures in it. */
static void check_archive(ossa_workspace *workspace, const char *path)
{
    size_t visits = 0;
    const ossa_walk_options options = {
        .detail = OSSA_DETAIL_FILES, .deep = true, .visit = count_visits, .user = &visits};
    ossa_error error;
    REQUIRE(ossa_workspace_walk(workspace, path, &options, &error), error.message);
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &error);
    REQUIRE(figures != NULL, error.message);
    for (size_t i = 0; i < figures->count && i < 2; i++) {
        (void)check_paths(workspace, figures->items[i].paths, figures->items[i].path_count,
                          (unsigned)i);
    }
    ossa_figures_free(figures);
}

static bool check_in_figure(const uint8_t *data, size_t size, const struct figure *figure,
                            unsigned variety)
{
    const char *root = figure->folder;
    ossa_workspace *workspace = new_workspace();
    bool ok = ossa_workspace_add_memory(workspace, figure->members[0].path, data, size, NULL);
    REQUIRE(ok, "no memory");
    add_figure(workspace, figure, 1);
    ok = check_paths(workspace, &root, 1, variety);
    ossa_workspace_free(workspace);
    return ok;
}

static void check_alone(const uint8_t *data, size_t size, const ossa_format *format,
                        unsigned variety)
{
    char text[64];
    const char *path = text;
    (void)snprintf(text, sizeof text, "alone/input.%.*s", (int)strcspn(format->extensions, " "),
                   format->extensions);
    ossa_workspace *workspace = new_workspace();
    REQUIRE(ossa_workspace_add_memory(workspace, path, data, size, NULL), "no memory");
    if (ossa_format_can(format, OSSA_ABILITY_LIST)) check_archive(workspace, path);
    (void)check_paths(workspace, &path, 1, variety);
    ossa_workspace_free(workspace);
}

void check_figure(const uint8_t *data, size_t size, const ossa_format *format)
{
    const struct figure *figure = find_figure(format);
    uint32_t sum = ossa__crc32(0, data, size); /* chooses what is done with it */
    size_t others = 0;
    for (size_t i = 1; i < figure->count; i++) others += figure->members[i].sample->size;
    /* A large figure takes its time: more inputs are worth more. */
    bool is_tried = figure->count > 0 && (others <= LARGE || sum % 4 == 0);
    if (is_tried && check_in_figure(data, size, figure, sum / 4)) return;
    check_alone(data, size, format, sum / 4);
}
