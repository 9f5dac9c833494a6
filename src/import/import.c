/* SPDX-License-Identifier: MIT
 *
 * The originals are assembled three times: to know what they are, to put the edit into them, and,
 * with the files that came out, to see what they are now. So what is reported is measured on the
 * bytes that are written. */
#include "base/fold.h"
#include "import/cameras.h"
#include "import/importing.h"
#include "ossa/archive.h"

#include <inttypes.h>
#include <string.h>

void ossa__import_blame(struct ossa__importing *im, int32_t motion)
{
    im->context->path_text = motion < 0 ? "" : im->call->motion_paths[motion];
    im->context->format = motion < 0 ? NULL : im->call->motions[motion]->format;
}

const char *ossa__import_keep(struct ossa__importing *im, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = ossa__take(im->context, size, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

bool ossa__import_fail(struct ossa__importing *im, const ossa_error *error)
{
    if (im->context->failed) return false;
    im->context->failed = true;
    im->context->error = *error;
    return false;
}

/* ---- what belongs together ----------------------------------------------------------------- */

/* Programs add bones of their own, such as ends of chains. */
static void remark_unknown(struct ossa__importing *im, size_t motion)
{
    const struct ossa__motion *of = im->call->motions[motion];
    uint32_t count = 0;
    const char *first = "";
    for (uint32_t n = 0; n < of->node_count; n++) {
        if (im->matches[motion].is_unknown[n] && count++ == 0) first = of->nodes[n].name;
    }
    if (count == 0) return;
    ossa__issue_nowhere(im->context, OSSA_SEVERITY_REMARK, OSSA_CODE_UNKNOWN_BONE, "",
                        "bones that the originals do not have are ignored: %" PRIu32
                        ", the first is '%s'",
                        count, first);
}

/* From the clips of a motion to those of the originals, which may have been joined for it. */
static void take_sources(struct ossa__importing *im, size_t motion, const int32_t *found,
                         const struct ossa__joined_clip *places)
{
    for (uint32_t c = 0; c < im->before->clip_count; c++) {
        uint32_t named = im->joined == NULL ? c : places[c].clip;
        struct ossa__edit_source source = {.motion = (int32_t)motion, .clip = found[named]};
        if (source.clip < 0) continue;
        if (im->sources[c].motion >= 0) {
            ossa__issue_nowhere(im->context, OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME, "",
                                "the clip '%s' is also in %s, which is used instead of this",
                                im->before->clips[c].name,
                                im->call->motion_paths[im->sources[c].motion]);
            continue;
        }
        if (im->joined != NULL) {
            source.fps = im->joined->clips[named].fps;
            source.start = places[c].first_frame / source.fps;
            source.left = im->joined->clips[named].frame_count - places[c].first_frame;
        }
        im->sources[c] = source;
    }
}

static bool match_motion(struct ossa__importing *im, size_t motion, const ossa_scene *named,
                         int32_t *found)
{
    const struct ossa__import_call *call = im->call;
    double scale = call->scene->scale > 0.0 ? call->scene->scale : 1.0;
    uint32_t clips = call->motions[motion]->clip_count;
    uint8_t *is_known = ossa__take(im->context, clips, 1);
    if (is_known == NULL ||
        !ossa__match_bones(im->context, im->before, call->motions[motion], scale,
                           &im->matches[motion]) ||
        !ossa__match_clips(im->context, named, call->motions[motion], found)) {
        return false;
    }
    remark_unknown(im, motion);
    /* A single clip, such as a BVH, may be called as it likes, if there is only one that it can be.
     */
    bool is_only = named->clip_count == 1 && clips == 1 && call->options->as == NULL;
    if (is_only && found[0] < 0) found[0] = 0;
    memset(is_known, 0, clips);
    for (uint32_t c = 0; c < named->clip_count; c++) {
        if (found[c] >= 0) is_known[found[c]] = 1;
    }
    im->is_known[motion] = is_known;
    return true;
}

static bool match_motions(struct ossa__importing *im)
{
    const struct ossa__import_call *call = im->call;
    const ossa_scene *named = im->joined != NULL ? im->joined : im->before;
    uint32_t clips = im->before->clip_count;
    im->matches = ossa__take(im->context, call->motion_count, sizeof *im->matches);
    im->sources = ossa__take(im->context, clips, sizeof *im->sources);
    im->is_known = ossa__take(im->context, call->motion_count, sizeof *im->is_known);
    im->shapes = ossa__take(im->context, call->motion_count, sizeof(struct ossa__shapes *));
    int32_t *found = ossa__take(im->context, clips, sizeof *found);
    struct ossa__joined_clip *places = ossa__take(im->context, clips, sizeof *places);
    if (im->context->failed) return false;
    if (im->joined != NULL && !ossa__find_joined(im->context, im->before, places)) return false;
    for (size_t i = 0; i < call->motion_count; i++) im->shapes[i] = NULL;
    for (uint32_t c = 0; c < clips; c++) {
        im->sources[c] = (struct ossa__edit_source){.motion = -1, .clip = -1};
    }
    for (size_t i = 0; i < call->motion_count; i++) {
        ossa__import_blame(im, (int32_t)i);
        if (!match_motion(im, i, named, found)) return false;
        take_sources(im, i, found, places);
    }
    ossa__import_blame(im, -1);
    return true;
}

/* The clip of the edit that becomes a new one: that of its name, or the only one. False: there is
 * none. */
static bool find_new_source(struct ossa__importing *im, const char *name)
{
    const struct ossa__import_call *call = im->call;
    size_t count = 0;
    for (size_t i = 0; i < call->motion_count; i++) {
        for (uint32_t c = 0; c < call->motions[i]->clip_count; c++) {
            im->new_source = (struct ossa__edit_source){.motion = (int32_t)i, .clip = (int32_t)c};
            if (strcmp(call->motions[i]->clips[c].name, name) == 0) return true;
            count++;
        }
    }
    if (count == 1) return true;
    im->new_source.motion = -1;
    return ossa__fail_nowhere(im->context, OSSA_CODE_BAD_ARGUMENT, "",
                              "the edit has %zu clips and none of them is called '%s': there must "
                              "be one of that name, or only one",
                              count, name);
}

/* A new clip gets files of its name: it must not lead to another folder or into an archive, nor be
 * that of another clip for games and systems that ignore case. */
static bool check_new_name(struct ossa__importing *im, const char *name)
{
    char clean[256]; /* longer ones are cut before */
    (void)ossa_file_name(name, clean, sizeof clean);
    if (strcmp(clean, name) != 0 || strchr(name, '#') != NULL) {
        return ossa__fail_nowhere(im->context, OSSA_CODE_BAD_ARGUMENT, "",
                                  "'%.200s' cannot be the name of a new clip, whose files are "
                                  "called like it: it is not a plain file name",
                                  name);
    }
    for (uint32_t c = 0; c < im->before->clip_count; c++) {
        if (ossa__compare_names(im->before->clips[c].name, name) != 0) continue;
        return ossa__fail_nowhere(im->context, OSSA_CODE_DUPLICATE_NAME, "",
                                  "the originals have a clip '%s' already",
                                  im->before->clips[c].name);
    }
    return true;
}

static bool find_new(struct ossa__importing *im)
{
    const ossa_import_options *options = im->call->options;
    im->new_source = (struct ossa__edit_source){.motion = -1, .clip = -1};
    if (options->as == NULL) return true;
    if (!check_new_name(im, options->as) || !find_new_source(im, options->as)) return false;
    const ossa_clip *like =
        options->like == NULL ? im->before->clips : ossa_scene_find_clip(im->before, options->like);
    if (like == NULL || im->before->clip_count == 0) {
        return ossa__fail_nowhere(im->context, OSSA_CODE_BAD_ARGUMENT, "",
                                  "the originals have no clip %s%s%s to model a new one on",
                                  options->like == NULL ? "" : "'",
                                  options->like == NULL ? "" : options->like,
                                  options->like == NULL ? "" : "'");
    }
    im->like = (uint32_t)(like - im->before->clips);
    return true;
}

/* ---- the result ---------------------------------------------------------------------------- */

static bool is_wanted(const ossa_scene_options *options, const char *clip)
{
    return options->wants_clip == NULL || options->wants_clip(options->user, clip);
}

/* All clips: of the originals, and of the edit alone. */
static bool list_new(struct ossa__importing *im)
{
    const struct ossa__import_call *call = im->call;
    uint64_t room = (uint64_t)im->before->clip_count + 1;
    for (size_t i = 0; i < call->motion_count; i++) room += call->motions[i]->clip_count;
    im->clips = ossa__take(im->context, room, sizeof *im->clips);
    im->touched = ossa__take(im->context, room, sizeof *im->touched);
    if (im->context->failed) return false;
    memset(im->touched, 0, (size_t)room * sizeof *im->touched);
    for (uint32_t c = 0; c < im->before->clip_count; c++) {
        const ossa_clip *clip = &im->before->clips[c];
        bool is_edited = im->sources[c].motion >= 0;
        im->clips[c] = (ossa_import_clip){
            .name = clip->name,
            .state = is_edited ? OSSA_IMPORT_STATE_UNCHANGED : OSSA_IMPORT_STATE_MISSING,
            .frame_count = (clip->frame_count - 1) / clip->keys_per_frame + 1,
            .worst_bone = -1};
    }
    im->clip_count = im->before->clip_count;
    for (size_t i = 0; i < call->motion_count; i++) {
        const struct ossa__motion *motion = call->motions[i];
        for (uint32_t c = 0; c < motion->clip_count; c++) {
            bool is_made = im->new_source.motion == (int32_t)i && im->new_source.clip == (int32_t)c;
            bool is_path = ossa__is_camera_clip(im->before, motion, &motion->clips[c]);
            bool is_other =
                im->is_known[i][c] || is_path || !is_wanted(call->scene, motion->clips[c].name);
            if (is_other && !is_made) continue;
            im->clips[im->clip_count++] =
                (ossa_import_clip){.name = is_made ? call->options->as : motion->clips[c].name,
                                   .state = OSSA_IMPORT_STATE_NEW,
                                   .frame_count = motion->clips[c].frame_count,
                                   .worst_bone = -1};
        }
    }
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* What was found while the edit was applied. All else was reported with the originals, in the same
 * order. */
static void report_issues(struct ossa__importing *im, const ossa_scene *scene)
{
    size_t known = 0;
    for (size_t i = 0; i < scene->issue_count; i++) {
        const ossa_issue *issue = &scene->issues[i];
        const ossa_issue *old = &im->before->issues[known];
        bool is_old = known < im->before->issue_count &&
                      strcmp(issue->message, old->message) == 0 &&
                      strcmp(issue->path, old->path) == 0;
        known += is_old;
        if (is_old) continue;
        im->context->path_text = issue->path;
        ossa__issue_nowhere(im->context, issue->severity, issue->code, issue->field, "%s",
                            issue->message);
    }
    ossa__import_blame(im, -1);
}

/* What was edited, into the files, and what they are then. */
static bool apply_all(struct ossa__importing *im, ossa_import *result)
{
    ossa_error error;
    ossa_scene_options quiet = *im->call->scene;
    quiet.on_issue = NULL; /* they were reported before */
    quiet.on_group = NULL;
    im->editing.on_clip = ossa__import_clip;
    im->editing.on_camera = ossa__import_camera;
    ossa_scene *scene = ossa__assemble_edited(im->call->inputs, im->call->input_count, &quiet,
                                              &im->editing, &error);
    if (scene == NULL) {
        return ossa__import_fail(im, &error);
    }
    report_issues(im, scene);
    bool ok =
        !im->context->failed && ossa__import_losses(im, result) && ossa__import_write(im, result);
    bool is_changed = false;
    for (size_t i = 0; ok && i < result->file_count; i++) {
        is_changed = is_changed || result->files[i].data != NULL;
    }
    if (ok && is_changed) {
        ossa_scene *after = ossa__import_read_back(im, result);
        ok = after != NULL && ossa__import_measure(im, after);
        ossa_scene_free(after);
    } else if (ok) {
        ok = ossa__import_measure(im, im->before);
    }
    ossa_scene_free(scene); /* the files that were changed lived in it */
    return ok;
}

/* The names in the result must live as long as it. */
static bool keep_names(struct ossa__importing *im)
{
    for (size_t c = 0; c < im->clip_count; c++) {
        ossa_import_clip *clip = &im->clips[c];
        clip->name = ossa__import_keep(im, clip->name);
        if (clip->worst_bone < 0) continue;
        clip->worst_name = ossa__import_keep(im, im->before->bones[clip->worst_bone].name);
    }
    return !im->context->failed;
}

/* The scenes of the originals as they are; false after a failure. */
static bool assemble(struct ossa__importing *im, const ossa_scene_options *options)
{
    ossa_error error;
    ossa_scene_options joined = *options;
    joined.join = true;
    joined.on_issue = NULL;
    joined.on_group = NULL;
    im->before = ossa_assemble(im->call->inputs, im->call->input_count, options, &error);
    if (im->before == NULL) return ossa__import_fail(im, &error);
    if (!im->is_joined || im->before->clip_count < 2) return true;
    im->joined = ossa_assemble(im->call->inputs, im->call->input_count, &joined, &error);
    return im->joined != NULL || ossa__import_fail(im, &error);
}

bool ossa__import(struct ossa__context *context, const struct ossa__import_call *call,
                  ossa_import *result)
{
    /* Clips are put back one by one, and boxes into no file. */
    ossa_scene_options options = *call->scene;
    options.join = false;
    options.boxes = false;
    struct ossa__import_call plain = *call;
    plain.scene = &options;
    struct ossa__importing im = {
        .context = context, .call = &plain, .is_joined = call->scene->join};
    bool ok = assemble(&im, &options) && match_motions(&im) && find_new(&im) && list_new(&im) &&
              apply_all(&im, result) && keep_names(&im);
    ossa_scene_free(im.joined);
    ossa_scene_free(im.before);
    result->clips = im.clips;
    result->clip_count = im.clip_count;
    return ok && !context->failed;
}
