/* SPDX-License-Identifier: MIT
 *
 * Calls of the public functions in any order, on whatever earlier calls have left: the input is a
 * program of one byte per call and one byte per argument. Nothing is passed that the headers do not
 * allow, so nothing may crash, leak, or fail without a reason. */
#include "checks.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 4, MOST_CALLS = 40, MOST_BONES = 512, MOST_BUFFER = 1 << 18 };

struct machine {
    const uint8_t *code;
    size_t size;
    ossa_workspace *workspaces[SLOTS];
    ossa_file *files[SLOTS];
    ossa_scene *scenes[SLOTS];
    ossa_runtime *runtimes[SLOTS];
    ossa_buffer buffers[SLOTS];
    ossa_error error;
};

static uint8_t next(struct machine *m)
{
    if (m->size == 0) return 0;
    m->size--;
    return *m->code++;
}

static size_t slot(struct machine *m)
{
    return next(m) % SLOTS;
}

static void require_reason(const struct machine *m, bool ok)
{
    REQUIRE(ok == (m->error.code == OSSA_CODE_OK), "a code that does not fit the result");
    REQUIRE(ok || m->error.message[0] != '\0', "a failure without a message");
}

static const struct sample *choose_sample(struct machine *m)
{
    size_t count = 0;
    const struct sample *samples = load_samples(&count);
    return &samples[(next(m) | (size_t)next(m) << 8) % count];
}

static const char *choose_path(struct machine *m)
{
    static const char *const paths[] = {"d",         "d/a.anm",       "d/b.lnk",   "d/a.res",
                                        "d/a.res#x", "e/ped.skel",    "e",         "e/w.anim",
                                        "edit.glb",  "edit.bvh",      "edit.json", "d/a.ar#b#c",
                                        "",          "no/such/thing", "troll",     "bird"};
    uint8_t choice = next(m);
    /* Half of them are those of samples, so that figures can come together. */
    if (choice % 2 == 0) return paths[choice / 2 % (sizeof paths / sizeof paths[0])];
    const struct sample *sample = choose_sample(m);
    return strchr(sample->path, '#') == NULL ? sample->path : paths[0];
}

static ossa_sink empty_buffer(struct machine *m, size_t i)
{
    ossa_buffer_free(&m->buffers[i]);
    return ossa_buffer_sink(&m->buffers[i]);
}

/* ---- files --------------------------------------------------------------------------------- */

static void keep_file(struct machine *m, size_t i, ossa_file *file)
{
    require_reason(m, file != NULL);
    ossa_file_free(m->files[i]);
    m->files[i] = file;
}

static void call_read(struct machine *m)
{
    const struct sample *sample = choose_sample(m);
    uint8_t flags = next(m);
    const ossa_options options = {
        .strict = (flags & 1) != 0,
        .check_values = (flags & 2) != 0,
        .copy = (flags & 4) != 0,
        .name = (flags & 8) != 0 ? sample->path : NULL,
        .format = (flags & 16) != 0 ? ossa_format_at(flags % ossa_format_count())->id : NULL,
        .max_memory = (flags & 32) != 0 ? 4096 : 0};
    size_t size = (flags & 64) != 0 ? sample->size / 2 : sample->size;
    keep_file(m, slot(m), ossa_read(sample->data, size, &options, &m->error));
}

static void call_read_buffer(struct machine *m)
{
    const ossa_options options = {.copy = true};
    const ossa_buffer *buffer = &m->buffers[slot(m)];
    keep_file(m, slot(m), ossa_read(buffer->data, buffer->size, &options, &m->error));
}

static void call_build(struct machine *m)
{
    const ossa_buffer *buffer = &m->buffers[slot(m)];
    keep_file(m, slot(m), ossa_build((const char *)buffer->data, buffer->size, NULL, &m->error));
}

static void call_write(struct machine *m)
{
    const ossa_file *file = m->files[slot(m)];
    uint8_t kind = next(m);
    ossa_sink sink = empty_buffer(m, slot(m));
    ossa_json_style style = kind % 8 < 4 ? OSSA_JSON_STYLE_LINE : OSSA_JSON_STYLE_PRETTY;
    if (file == NULL) return;
    bool ok = kind % 4 == 0   ? ossa_write(file, sink, &m->error)
              : kind % 4 == 1 ? ossa_dump(file, style, sink, &m->error)
              : kind % 4 == 2 ? ossa_describe(file, sink, &m->error)
                              : ossa_describe_json(file, style, sink, &m->error);
    require_reason(m, ok);
}

static void call_entries(struct machine *m)
{
    const ossa_options options = {.max_input = MOST_BUFFER};
    const ossa_file *file = m->files[slot(m)];
    size_t index = next(m);
    ossa_bytes bytes;
    uint8_t byte;
    if (file == NULL) return;
    const ossa_entry *entry = ossa_entry_at(file, index);
    REQUIRE((entry != NULL) == (index < ossa_entry_count(file)), "an entry too many");
    if (entry != NULL) REQUIRE(ossa_find_entry(file, entry->name) >= 0, "an entry cannot be found");
    require_reason(m, ossa_entry_bytes(file, index, &options, &bytes, &m->error));
    ossa_bytes_free(&bytes);
    (void)ossa_entry_read(file, index, next(m), &byte, 1);
    (void)ossa_packing_dialect(file);
    require_reason(m, ossa_verify(file, NULL, &m->error));
    require_reason(m, ossa_write_index(file, empty_buffer(m, slot(m)), &m->error));
}

static void call_pack(struct machine *m)
{
    ossa_packing entries[3];
    size_t count = next(m) % 4;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = choose_sample(m);
        size_t from = next(m) % SLOTS;
        bool is_buffer = m->buffers[from].size > 0 && m->buffers[from].size < MOST_BUFFER / 8;
        entries[i] =
            (ossa_packing){choose_path(m), is_buffer ? m->buffers[from].data : sample->data,
                           is_buffer ? m->buffers[from].size : sample->size, next(m)};
    }
    const ossa_format *format = ossa_format_at(next(m) % ossa_format_count());
    ossa_buffer out = {0};
    bool ok = ossa_pack(format->id, entries, count, NULL, ossa_buffer_sink(&out), &m->error);
    require_reason(m, ok);
    size_t to = slot(m);
    (void)empty_buffer(m, to);
    m->buffers[to] = out;
}

/* ---- workspaces ---------------------------------------------------------------------------- */

static void call_add(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    const struct sample *sample = choose_sample(m);
    const ossa_buffer *buffer = &m->buffers[slot(m)];
    uint8_t kind = next(m);
    const char *path = choose_path(m);
    if (workspace == NULL) return;
    if (kind % 4 == 0) {
        require_reason(m, ossa_workspace_add(workspace, path, &m->error));
    } else if (kind % 4 == 1) {
        require_reason(
            m, ossa_workspace_add_memory(workspace, path, buffer->data, buffer->size, &m->error));
    } else {
        path = kind % 4 == 2 || strchr(sample->path, '#') != NULL ? path : sample->path;
        require_reason(
            m, ossa_workspace_add_memory(workspace, path, sample->data, sample->size, &m->error));
    }
}

/* All files of a sample figure, as a short cut. */
static void call_add_figure(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    const struct sample *sample = choose_sample(m);
    if (workspace != NULL && sample->format->kind == OSSA_KIND_ANIMATION) {
        (void)add_sample_figure(workspace, sample->format);
    }
}

static ossa_step look(void *user, const ossa_visit *visit)
{
    ossa_workspace *workspace = user;
    ossa_bytes bytes;
    if (ossa_workspace_bytes(workspace, visit->path, &bytes, NULL)) ossa_bytes_free(&bytes);
    return visit->depth > 2 ? OSSA_STEP_OVER : OSSA_STEP_INTO;
}

static void call_search(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    uint8_t kind = next(m);
    const char *path = choose_path(m);
    if (workspace == NULL) return;
    if (kind % 4 == 0) {
        const ossa_walk_options options = {.detail = (ossa_detail)(kind / 4 % 4),
                                           .deep = (kind & 16) != 0,
                                           .search = (kind & 32) != 0,
                                           .visit = look,
                                           .user = workspace};
        require_reason(m, ossa_workspace_walk(workspace, path, &options, &m->error));
    } else if (kind % 4 == 1) {
        ossa_figures *figures =
            ossa_workspace_figures(workspace, kind < 128 ? path : NULL, &m->error);
        require_reason(m, figures != NULL);
        ossa_figures_free(figures);
    } else if (kind % 4 == 2) {
        ossa_survey *survey = ossa_workspace_survey(workspace, &path, 1, &m->error);
        require_reason(m, survey != NULL);
        ossa_survey_free(survey);
    } else {
        ossa_check check;
        require_reason(
            m, ossa_workspace_check(workspace, kind < 128 ? path : NULL, NULL, &check, &m->error));
    }
}

static void call_open(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    const char *path = choose_path(m);
    size_t to = slot(m);
    if (workspace != NULL) {
        keep_file(m, to, ossa_workspace_open(workspace, path, NULL, &m->error));
    }
}

static void call_replace(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    const char *path = choose_path(m);
    const struct sample *sample = choose_sample(m);
    const ossa_entry_change change = {choose_path(m), sample->data, sample->size, next(m)};
    size_t count = next(m) % 2;
    ossa_sink sink = empty_buffer(m, slot(m));
    if (workspace == NULL) return;
    require_reason(m, ossa_workspace_replace(workspace, path, &change, count, sink, &m->error));
}

static void call_diff(struct machine *m)
{
    const ossa_scene_options scene = {.max_memory = 16 << 20};
    const ossa_diff_options options = {.scene = &scene};
    ossa_workspace *workspace = m->workspaces[slot(m)];
    uint8_t kind = next(m);
    const char *a = choose_path(m);
    const char *b = choose_path(m);
    const ossa_scene *old = m->scenes[kind % SLOTS];
    const ossa_scene *new = m->scenes[kind / SLOTS % SLOTS];
    ossa_diff diff;
    if (workspace != NULL) {
        require_reason(m, ossa_workspace_diff(workspace, kind % 8 == 0 ? NULL : a, b, &options,
                                              &diff, &m->error));
    }
    if (old == NULL || new == NULL) return;
    require_reason(m, ossa_diff_scenes(old, new, NULL, &diff, &m->error));
    REQUIRE(old != new || diff.is_same, "a scene differs from itself");
}

static void call_import(struct machine *m)
{
    const ossa_scene_options scene = {.max_memory = 16 << 20};
    const ossa_load_options load = {.scene = &scene};
    ossa_workspace *workspace = m->workspaces[slot(m)];
    uint8_t flags = next(m);
    const ossa_import_options options = {.load = &load,
                                         .drop = (flags & 1) != 0,
                                         .retime = (flags & 2) != 0,
                                         .resample = (flags & 4) != 0,
                                         .as = (flags & 8) != 0 ? "new" : NULL,
                                         .like = (flags & 16) != 0 ? "walk" : NULL};
    const char *edited = choose_path(m);
    const char *originals[] = {choose_path(m), choose_path(m)};
    if (workspace == NULL) return;
    ossa_import *import = ossa_workspace_import(workspace, &edited, 1, originals, 1 + flags / 128,
                                                &options, &m->error);
    require_reason(m, import != NULL);
    ossa_import_free(import);
}

/* ---- scenes -------------------------------------------------------------------------------- */

static void keep_scene(struct machine *m, size_t i, ossa_scene *scene)
{
    require_reason(m, scene != NULL);
    if (scene != NULL) REQUIRE(ossa_scene_validate(scene, NULL), "a scene that breaks the rules");
    ossa_scene_free(m->scenes[i]);
    m->scenes[i] = scene;
}

static ossa_scene_options choose_options(struct machine *m)
{
    uint8_t flags = next(m);
    return (ossa_scene_options){.max_memory = 16 << 20,
                                .join = (flags & 1) != 0,
                                .boxes = (flags & 2) != 0,
                                .in_place = (flags & 4) != 0,
                                .tolerant = (flags & 8) != 0,
                                .trace_keys = (flags & 16) != 0,
                                .fps = (flags & 32) != 0 ? 1e-3 : 0.0,
                                .scale = (flags & 64) != 0 ? 100.0 : 0.0,
                                .texture_level = flags >> 7};
}

static void call_scene(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    const ossa_scene_options scene = choose_options(m);
    const ossa_load_options options = {.scene = &scene};
    const char *paths[] = {choose_path(m), choose_path(m)};
    size_t count = next(m) % 3;
    size_t to = slot(m);
    if (workspace == NULL) return;
    keep_scene(m, to, ossa_workspace_scene(workspace, paths, count, &options, &m->error));
}

static void call_assemble(struct machine *m)
{
    const ossa_scene_options options = choose_options(m);
    ossa_input inputs[SLOTS];
    size_t count = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        if (m->files[i] == NULL) continue;
        inputs[count++] = (ossa_input){.path = choose_path(m), .file = m->files[i]};
    }
    keep_scene(m, slot(m), ossa_assemble(inputs, count, &options, &m->error));
}

static void call_export(struct machine *m)
{
    const ossa_scene *scene = m->scenes[slot(m)];
    uint8_t kind = next(m);
    const ossa_export_options options = {.skin = (kind & 8) != 0,
                                         .space =
                                             (kind & 16) != 0 ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL,
                                         .variant = (kind & 32) != 0 ? "no such" : NULL};
    ossa_sink sink = empty_buffer(m, slot(m));
    if (scene == NULL) return;
    bool ok = kind % 4 == 0   ? ossa_write_gltf(scene, &options, sink, (ossa_sink){0}, &m->error)
              : kind % 4 == 1 ? ossa_write_scene_json(scene, &options, sink, &m->error)
              : kind % 4 == 2 ? ossa_write_csv(scene, &options, sink, &m->error)
                              : ossa_write_bvh(scene, scene->clips, &options, sink, &m->error);
    require_reason(m, ok);
}

static double choose_time(struct machine *m)
{
    static const double times[] = {0.0, 0.04, 0.5, 1.0, -1.0, 1e9, -1e300, NAN, INFINITY};
    return times[next(m) % (sizeof times / sizeof times[0])];
}

static void call_sample(struct machine *m)
{
    static ossa_transform a[MOST_BONES];
    static ossa_transform b[MOST_BONES];
    static float matrices[MOST_BONES][16];
    const ossa_scene *scene = m->scenes[slot(m)];
    size_t choice = next(m);
    ossa_wrap wrap = (ossa_wrap)(next(m) % 3);
    const ossa_layer layers[] = {
        {a, (float)next(m) / 64.0F, NULL}, {NULL, 1.0F, NULL}, {b, 1, NULL}};
    ossa_transform motion;
    if (scene == NULL || scene->bone_count > MOST_BONES) return;
    ossa_rest_pose(scene, a);
    ossa_rest_pose(scene, b);
    if (scene->clip_count > 0) {
        const ossa_clip *clip = &scene->clips[choice % scene->clip_count];
        ossa_sample(scene, clip, choose_time(m), wrap, b, NULL);
        ossa_root_motion(scene, clip, choose_time(m), choose_time(m), wrap, &motion);
    }
    ossa_blend(scene, layers, 3, a);
    ossa_make_additive(scene, a, b, a);
    ossa_add_pose(scene, b, &layers[0], b);
    ossa_stay_in_place(scene, b, &motion);
    ossa_model_matrices(scene, b, matrices);
    ossa_model_pose(scene, b, b);
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        ossa_sample_camera(&scene->cameras[i], choose_time(m), wrap, &motion, NULL);
    }
}

static void call_runtime(struct machine *m)
{
    const ossa_scene *scene = m->scenes[slot(m)];
    size_t choice = next(m);
    size_t to = slot(m);
    if (scene == NULL || scene->clip_count == 0) return;
    ossa_runtime *runtime =
        ossa_runtime_new(scene, &scene->clips[choice % scene->clip_count], NULL, &m->error);
    require_reason(m, runtime != NULL);
    ossa_runtime_free(m->runtimes[to]);
    m->runtimes[to] = runtime;
}

static void call_play(struct machine *m)
{
    static ossa_soa pose[OSSA_SOA_COUNT(MOST_BONES)];
    static float matrices[2][MOST_BONES][16];
    const ossa_runtime *runtime = m->runtimes[slot(m)];
    double seconds = choose_time(m);
    ossa_wrap wrap = (ossa_wrap)(next(m) % 3);
    const ossa_soa_layer layers[] = {{pose, (float)next(m) / 64.0F, NULL}, {NULL, 1.0F, NULL}};
    if (runtime == NULL || ossa_runtime_bone_count(runtime) > MOST_BONES) return;
    const ossa_runtime_job jobs[] = {{runtime, seconds, wrap, matrices[0]},
                                     {runtime, 0.1, OSSA_WRAP_LOOP, matrices[1]}};
    ossa_runtime_crowd(jobs, next(m) % 3);
    ossa_runtime_sample(runtime, seconds, wrap, pose);
    ossa_runtime_blend(runtime, layers, next(m) % 3, pose);
    ossa_runtime_model(runtime, pose, matrices[0]);
}

/* ---- what frees, and the rest -------------------------------------------------------------- */

/* Files, scenes and runtime clips outlive what they came from. */
static void call_free(struct machine *m)
{
    uint8_t kind = next(m);
    size_t i = slot(m);
    if (kind % 4 == 0) {
        ossa_workspace_free(m->workspaces[i]);
        m->workspaces[i] = NULL;
    } else if (kind % 4 == 1) {
        ossa_file_free(m->files[i]);
        m->files[i] = NULL;
    } else if (kind % 4 == 2) {
        ossa_scene_free(m->scenes[i]);
        m->scenes[i] = NULL;
    } else {
        ossa_runtime_free(m->runtimes[i]);
        m->runtimes[i] = NULL;
    }
}

static void call_workspace(struct machine *m)
{
    size_t i = slot(m);
    ossa_workspace_free(m->workspaces[i]);
    m->workspaces[i] = new_workspace();
}

static void call_remove(struct machine *m)
{
    ossa_workspace *workspace = m->workspaces[slot(m)];
    size_t index = next(m);
    if (workspace == NULL) return;
    const char *path = ossa_workspace_path(workspace, index);
    if (path != NULL) REQUIRE(ossa_workspace_remove(workspace, path), "a path that was not added");
    (void)ossa_workspace_remove(workspace, "no such");
    require_reason(m, ossa_workspace_index(workspace, empty_buffer(m, slot(m)), &m->error));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(struct machine * m) = {
        call_read,   call_read_buffer, call_build,      call_write,     call_entries, call_pack,
        call_add,    call_search,      call_add_figure, call_open,      call_replace, call_diff,
        call_import, call_scene,       call_assemble,   call_export,    call_sample,  call_runtime,
        call_play,   call_free,        call_remove,     call_workspace, call_scene,   call_add};
    struct machine m = {.code = data, .size = size};
    m.workspaces[0] = new_workspace();
    for (unsigned i = 0; i < MOST_CALLS && m.size > 0; i++) {
        calls[next(&m) % (sizeof calls / sizeof calls[0])](&m);
        /* What grows on and on is only slow. */
        for (size_t k = 0; k < SLOTS; k++) {
            if (m.buffers[k].size > MOST_BUFFER) ossa_buffer_free(&m.buffers[k]);
        }
    }
    for (size_t i = 0; i < SLOTS; i++) {
        ossa_workspace_free(m.workspaces[i]);
        ossa_file_free(m.files[i]);
        ossa_scene_free(m.scenes[i]);
        ossa_runtime_free(m.runtimes[i]);
        ossa_buffer_free(&m.buffers[i]);
    }
    return 0;
}
