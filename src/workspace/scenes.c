/* SPDX-License-Identifier: MIT
 *
 * Scenes and surveys of what paths lead to. */
#include "workspace/workspace.h"

#include "base/fold.h"

#include <string.h>

/* ---- scenes -------------------------------------------------------------------------------- */

/* Is there anything that moves, or is moved? Textures alone are what a figure left behind. */
static bool has_figure(const struct ossa__collection *c)
{
    for (size_t i = 0; i < c->count; i++) {
        enum ossa__role role = ossa__format_of(c->inputs[i].file)->role;
        if (role != OSSA__ROLE_COMPANION && role != OSSA__ROLE_NONE) return true;
    }
    return false;
}

/* The figure that a single path names, in what was added; NULL: it is a path, or there is none, or
 * the search for it failed (see the error). */
static const ossa_figure *find_figure(ossa_workspace *workspace, const char *name,
                                      ossa_figures **figures, ossa_error *error)
{
    bool is_named = workspace->root_count > 0 && strchr(name, '#') == NULL &&
                    !ossa__source_exists(workspace, name) && !ossa__is_folder(workspace, name);
    if (!is_named) return NULL;
    *figures = ossa_workspace_figures(workspace, NULL, error);
    for (size_t i = 0; *figures != NULL && i < (*figures)->count; i++) {
        const ossa_figure *figure = &(*figures)->items[i];
        if (ossa__compare_names(figure->name, name) == 0) return figure;
    }
    return NULL;
}

static bool check_collection(struct ossa__collection *c)
{
    bool is_left_out = c->several != NULL && !has_figure(c);
    if (c->failed || (c->count > 0 && !is_left_out)) return !c->failed;
    c->failed = true;
    if (is_left_out) {
        return ossa__workspace_fail(&c->error, OSSA_CODE_SEVERAL_FIGURES, c->several,
                                    "holds several figures: choose one, %s#NAME", c->several);
    }
    return ossa__workspace_fail(&c->error, OSSA_CODE_MISFIT, "",
                                "there is nothing here that a scene can be made of");
}

bool ossa__collect_scene(struct ossa__collection *c, const char *const *paths, size_t count)
{
    ossa_error why = {0};
    const ossa_figure *figure =
        count == 1 ? find_figure(c->workspace, paths[0], &c->named, &why) : NULL;
    if (figure == NULL && why.code != OSSA_CODE_OK) {
        c->failed = true;
        c->error = why;
        return false;
    }
    bool ok = figure != NULL ? ossa__collect(c, figure->paths, figure->path_count)
                             : ossa__collect(c, paths, count);
    return ok && check_collection(c);
}

static ossa_scene *assemble(struct ossa__collection *c, ossa_error *error)
{
    ossa_scene_options options = {0};
    if (c->options->scene != NULL) options = *c->options->scene;
    if (options.allocator.allocate == NULL && options.allocator.release == NULL)
        options.allocator = c->workspace->allocator;
    options.tolerant = c->options->read == NULL || !c->options->read->strict;
    ossa_input *inputs = ossa__arena_take(&c->arena, (uint64_t)c->count * sizeof *inputs);
    if (inputs == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for the inputs");
        return NULL;
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct ossa__input *input = &c->inputs[i];
        inputs[i] = (ossa_input){.path = input->path, .file = input->file, .shown = input->shown};
    }
    return ossa_assemble(inputs, c->count, &options, error);
}

ossa_scene *ossa_workspace_scene(ossa_workspace *workspace, const char *const *paths, size_t count,
                                 const ossa_load_options *options, ossa_error *error)
{
    const ossa_load_options defaults = {0};
    ossa_error why = {0};
    struct ossa__collection c = {.workspace = workspace,
                                 .options = options == NULL ? &defaults : options};
    ossa_scene *scene = NULL;
    if (ossa__collect_scene(&c, paths, count)) scene = assemble(&c, &why);
    else why = c.error;
    ossa__collection_free(&c);
    if (error != NULL) *error = why;
    return scene;
}

/* ---- surveys ------------------------------------------------------------------------------- */

/* A survey and its arena, which it lives in. */
struct survey {
    ossa_survey survey; /* first */
    struct ossa__arena arena;
    uint32_t part_bones; /* of files without a body */
};

static struct ossa_survey_clip *find_clip(ossa_survey_clip *clips, size_t count, const char *name,
                                          size_t size)
{
    /* The files of a clip follow each other. */
    for (size_t i = count; i-- > 0 && count - i <= 2;) {
        if (strlen(clips[i].name) == size && memcmp(clips[i].name, name, size) == 0) {
            return &clips[i];
        }
    }
    return NULL;
}

/* What the clip of a file is called: its folder, or the file itself. */
static const char *clip_name(const struct ossa__input *input, bool is_folder, size_t *size)
{
    const char *path = input->path;
    size_t end = strlen(path);
    size_t base = end;
    while (base > 0 && path[base - 1] != '/' && path[base - 1] != '\\') base--;
    if (is_folder && base > 1) {
        end = base - 1;
        base = end;
        while (base > 0 && path[base - 1] != '/' && path[base - 1] != '\\') base--;
    } else {
        for (size_t i = end; i > base + 1; i--) {
            if (path[i - 1] != '.') continue;
            end = i - 1;
            break;
        }
    }
    *size = end - base;
    return path + base;
}

static bool add_clip(struct survey *survey, ossa_survey_clip **clips,
                     const struct ossa__input *input, bool is_folder, uint32_t frames)
{
    size_t size;
    size_t count = survey->survey.clip_count;
    const char *name = clip_name(input, is_folder, &size);
    ossa_survey_clip *clip = is_folder ? find_clip(*clips, count, name, size) : NULL;
    if (clip == NULL) {
        char *copy = ossa__copy(&survey->arena, name, size);
        ossa_survey_clip *larger = ossa__grow(&survey->arena, *clips, count, sizeof *larger);
        if (copy == NULL || larger == NULL) return false;
        *clips = larger;
        clip = &larger[survey->survey.clip_count++];
        *clip = (ossa_survey_clip){.name = copy};
    }
    clip->file_count++;
    if (frames > clip->frame_count) clip->frame_count = frames;
    return true;
}

static bool survey_file(struct survey *survey, ossa_survey_clip **clips,
                        const struct ossa__input *input)
{
    const struct ossa__format *format = ossa__format_of(input->file);
    const void *contents = ossa__contents(input->file, format);
    struct ossa__facts facts = {0};
    if (contents == NULL || format->game->survey == NULL) return true;
    format->game->survey(format, contents, &facts);
    survey->survey.mesh_count += facts.mesh_count;
    if (format->role == OSSA__ROLE_PART) survey->part_bones += facts.bone_count;
    if (format->role == OSSA__ROLE_BODY && facts.bone_count > survey->survey.bone_count) {
        survey->survey.bone_count = facts.bone_count;
    }
    if (format->role != OSSA__ROLE_CLIP) return true;
    return add_clip(survey, clips, input, format->game->clips_are_folders, facts.frame_count);
}

static bool survey_slots(struct survey *survey, const struct ossa__collection *c)
{
    const struct ossa__game *game = c->count == 0 ? NULL : ossa__format_of(c->inputs[0].file)->game;
    if (game == NULL || game->survey_slots == NULL) return true;
    struct ossa__survey_input *inputs = ossa__arena_take(&survey->arena, c->count * sizeof *inputs);
    if (inputs == NULL) return false;
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct ossa__format *format = ossa__format_of(c->inputs[i].file);
        if (format->game != game) continue;
        inputs[count++] = (struct ossa__survey_input){c->inputs[i].path, format,
                                                      ossa__contents(c->inputs[i].file, format)};
    }
    return game->survey_slots(inputs, count, &survey->arena, &survey->survey);
}

ossa_survey *ossa_workspace_survey(ossa_workspace *workspace, const char *const *paths,
                                   size_t count, ossa_error *error)
{
    const ossa_load_options options = {0};
    struct ossa__collection c = {.workspace = workspace, .options = &options, .tolerant = true};
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    struct survey *survey = ossa__arena_take(&arena, sizeof *survey);
    ossa_survey_clip *clips = NULL;
    bool ok = ossa__collect(&c, paths, count);
    if (!ok && error != NULL) *error = c.error;
    if (ok && survey != NULL) {
        *survey = (struct survey){.arena = arena};
        for (size_t i = 0; ok && i < c.count; i++) ok = survey_file(survey, &clips, &c.inputs[i]);
        if (survey->survey.bone_count == 0) survey->survey.bone_count = survey->part_bones;
        ok = ok && survey_slots(survey, &c);
        survey->survey.clips = clips;
        survey->survey.unreadable = c.unreadable;
        arena = survey->arena;
    }
    if (survey == NULL || (!ok && !c.failed)) {
        ok = ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for a survey");
    }
    ossa__collection_free(&c);
    if (ok) {
        if (error != NULL) *error = (ossa_error){0};
        return &survey->survey;
    }
    ossa__arena_free(&arena);
    return NULL;
}

void ossa_survey_free(ossa_survey *survey)
{
    if (survey == NULL) return;
    struct ossa__arena arena = ((struct survey *)survey)->arena;
    ossa__arena_free(&arena);
}
