/* SPDX-License-Identifier: MIT
 *
 * From files to a scene: sorts the inputs out, lets their game assemble them, checks the result. */
#include "scene/edit.h"
#include "scene/examine.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const ossa_transform ossa__no_transform = {
    {0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 1.0F, 1.0F}};

/* What stands behind an ossa_scene; it lives in its own arena. */
struct scene_result {
    ossa_scene scene; /* first: a pointer to it is a pointer to this */
    struct ossa__arena arena;
};

/* ---- for the assemblers -------------------------------------------------------------------- */

const struct ossa__part *ossa__only_part(struct ossa__assembly *assembly, const char *format)
{
    const struct ossa__part *only = NULL;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, format) != 0) continue;
        if (only != NULL) {
            (void)ossa__misfit(assembly, part, "a second skeleton, model or table beside %s",
                               only->shown);
            assembly->context.error.code = OSSA_CODE_SEVERAL_FIGURES;
            return NULL;
        }
        only = part;
    }
    return only;
}

bool ossa__has_part(const struct ossa__assembly *assembly, const char *format)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        if (strcmp(assembly->parts[i].format, format) == 0) return true;
    }
    return false;
}

void ossa__blame(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    assembly->context.format = part == NULL ? NULL : part->format;
    assembly->context.path_text = part == NULL ? "" : part->shown;
}

bool ossa__misfit(struct ossa__assembly *assembly, const struct ossa__part *part,
                  const char *message, ...)
{
    char text[OSSA_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    ossa__blame(assembly, part);
    return ossa__fail_nowhere(&assembly->context, OSSA_CODE_MISFIT, "", "%s", text);
}

static void report(struct ossa__assembly *assembly, const struct ossa__part *part,
                   ossa_severity severity, ossa_code code, const char *message, va_list arguments)
{
    const ossa_issue issue = {.severity = severity, .code = code};
    ossa__blame(assembly, part);
    ossa__issue_list(&assembly->context, issue, "", message, arguments);
    ossa__blame(assembly, NULL);
}

void ossa__assembly_warn(struct ossa__assembly *assembly, const struct ossa__part *part,
                         ossa_code code, const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    report(assembly, part, OSSA_SEVERITY_WARNING, code, message, arguments);
    va_end(arguments);
}

void ossa__assembly_remark(struct ossa__assembly *assembly, const struct ossa__part *part,
                           ossa_code code, const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    report(assembly, part, OSSA_SEVERITY_REMARK, code, message, arguments);
    va_end(arguments);
}

/* Did it fail because of how the inputs fit together? */
static bool is_misfit(const struct ossa__context *context)
{
    ossa_code code = context->error.code;
    return context->failed && (code == OSSA_CODE_MISFIT || code == OSSA_CODE_SEVERAL_FIGURES);
}

void ossa__leave_out(struct ossa__assembly *assembly, const char *what)
{
    struct ossa__context *context = &assembly->context;
    if (!is_misfit(context) || !assembly->options->tolerant || assembly->is_edit_refused) return;
    const ossa_error error = context->error;
    context->failed = false;
    context->error = (ossa_error){0};
    context->format = error.format;
    context->path_text = error.path;
    ossa__issue_nowhere(context, OSSA_SEVERITY_ERROR, error.code, error.field, "%s; %s is left out",
                        error.message, what);
    ossa__blame(assembly, NULL);
}

char *ossa__copy_text(struct ossa__assembly *assembly, const char *text, size_t size)
{
    char *copy = ossa__take(&assembly->context, size + 1, 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

char *ossa__numbered_name(struct ossa__assembly *assembly, const char *stem, uint32_t number)
{
    char text[80];
    int n = snprintf(text, sizeof text, "%s%" PRIu32, stem, number);
    return ossa__copy_text(assembly, text, n < 0 ? 0 : (size_t)n);
}

char *ossa__latin_text(struct ossa__assembly *assembly, const char *bytes, size_t size)
{
    char *text = ossa__take(&assembly->context, 2 * (uint64_t)size + 1, 1);
    if (text == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        char encoded[4];
        size_t length = ossa__utf8_encode((uint8_t)bytes[i], encoded);
        memcpy(text + used, encoded, length);
        used += length;
    }
    text[used] = '\0';
    return text;
}

/* The number may be a mere claim, of a file of a few bytes without a frame: what no game comes near
 * is not made up, of a million bones nothing could be seen, and all that is done with them is slow.
 */
enum { MOST_PLACEHOLDERS = 65536 };

void ossa__take_placeholders(struct ossa__assembly *assembly, uint32_t count)
{
    const float step = 0.1F;
    if (count > MOST_PLACEHOLDERS) {
        ossa__fail_nowhere(&assembly->context, OSSA_CODE_LIMIT, "",
                           "%" PRIu32 " placeholder bones would be too many, at most %d are made",
                           count, MOST_PLACEHOLDERS);
        return;
    }
    ossa_bone *bones = ossa__take_bones(assembly, count);
    for (uint32_t i = 0; i < count && bones != NULL; i++) {
        bones[i].name = ossa__numbered_name(assembly, "bone", i);
        bones[i].rest.translation[0] = step * (float)i;
    }
}

/* Options of another game were given: they change nothing. */
static void warn_of_options(struct ossa__assembly *assembly, const struct ossa__game *game)
{
    const struct ossa__game *last = NULL;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__game *other = ossa__formats[i]->game;
        if (other == last || other == game || other->has_options == NULL) continue;
        last = other; /* the formats of a game follow each other */
        if (!other->has_options(assembly->options)) continue;
        ossa__assembly_warn(assembly, &assembly->parts[0], OSSA_CODE_UNUSUAL_VALUE,
                            "options of %s do not apply to files of %s", other->name, game->name);
    }
}

ossa_bone *ossa__take_bones(struct ossa__assembly *assembly, uint32_t count)
{
    ossa_bone *bones = ossa__take(&assembly->context, count, sizeof *bones);
    if (bones == NULL) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        bones[i] = (ossa_bone){.name = "", .parent = -1, .rest = ossa__no_transform};
    }
    assembly->scene->bone_count = count;
    assembly->scene->bones = bones;
    return bones;
}

static void report_issue(struct ossa__context *context, ossa_issue issue, const char *field,
                         const char *message, ...) OSSA_PRINTF(4, 5);
static void report_issue(struct ossa__context *context, ossa_issue issue, const char *field,
                         const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    ossa__issue_list(context, issue, field, message, arguments);
    va_end(arguments);
}

/* ---- inputs -------------------------------------------------------------------------------- */

/* A piece of a path as UTF-8. What is not, an old tool may have unpacked in the code page of the
 * game's own machines. */
static char *path_text(struct ossa__assembly *assembly, const char *bytes, size_t size)
{
    if (ossa__utf8_is_valid(bytes, size)) return ossa__copy_text(assembly, bytes, size);
    char *text = ossa__take(&assembly->context, 3 * (uint64_t)size + 1, 1);
    size_t used = 0;
    for (size_t i = 0; text != NULL && i < size; i++) {
        char encoded[4];
        size_t length = ossa__utf8_encode(ossa__cp1251_to_unicode((uint8_t)bytes[i]), encoded);
        memcpy(text + used, encoded, length);
        used += length;
    }
    if (text != NULL) text[used] = '\0';
    return text;
}

/* Where the extension of a file begins. */
static size_t find_extension(const struct ossa__part *part, const char *path, size_t base)
{
    const struct ossa__game *game = ossa__format_of(part->input->file)->game;
    size_t size = strlen(path);
    size_t end = size;
    while (end > base + 1 && path[end - 1] != '.') end--;
    if (end <= base + 1) return size;
    if (!game->names_have_dots) return end - 1;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->game == game && ossa_format_fits_name(&format->about, path + base)) {
            return end - 1;
        }
    }
    return size;
}

/* The parts of a path that names come from; both separators count. */
static void split_path(struct ossa__assembly *assembly, struct ossa__part *part)
{
    const char *path = part->input->path;
    size_t size = strlen(path);
    size_t base = size;
    while (base > 0 && path[base - 1] != '/' && path[base - 1] != '\\') base--;
    size_t end = find_extension(part, path, base);
    size_t folder_end = base > 0 ? base - 1 : 0;
    size_t folder = folder_end;
    while (folder > 0 && path[folder - 1] != '/' && path[folder - 1] != '\\') folder--;
    size_t folder_name = folder_end - folder;
    /* "." and ".." name nothing. */
    bool is_nameless = folder_name <= 2 && strncmp("..", path + folder, folder_name) == 0;
    part->stem = path_text(assembly, path + base, end - base);
    part->folder = is_nameless ? ossa__copy_text(assembly, "animation", 9)
                               : path_text(assembly, path + folder, folder_name);
    part->folder_size = base;
}

const char *ossa__source_name(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    if (part->is_folder) return part->folder;
    const char *name = part->input->path + part->folder_size;
    return path_text(assembly, name, strlen(name));
}

/* Report a file with errors that is left out, with the first of them. */
static void leave_out(struct ossa__assembly *assembly, const struct ossa__part *part,
                      const ossa_issue *first)
{
    struct ossa__context *context = &assembly->context;
    const ossa_issue issue = {.severity = OSSA_SEVERITY_ERROR,
                              .code = first->code,
                              .has_offset = first->has_offset,
                              .offset = first->offset};
    ossa__blame(assembly, part);
    report_issue(context, issue, first->field, "left out: %s", first->message);
    ossa__blame(assembly, NULL);
    assembly->left_out++;
}

/* Fails for a file with errors, unless a scene can do without it: then it is false as well. */
static bool check_input(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    if (part->input->file->error_count == 0) return true;
    const ossa_issue *first = NULL;
    for (size_t i = 0; i < part->input->file->issue_count && first == NULL; i++) {
        const ossa_issue *issue = &part->input->file->issues[i];
        if (issue->severity == OSSA_SEVERITY_ERROR) first = issue;
    }
    bool is_body = ossa__format_of(part->input->file)->role == OSSA__ROLE_BODY;
    if (first != NULL && assembly->options->tolerant && !is_body) {
        leave_out(assembly, part, first);
        return false;
    }
    if (first == NULL) return ossa__misfit(assembly, part, "has errors and cannot be posed");
    return ossa__misfit(assembly, part, "has errors and cannot be posed: %s: %s", first->field,
                        first->message);
}

/* The game of all inputs; NULL after a failure. */
static const struct ossa__game *gather(struct ossa__assembly *assembly, const ossa_input *inputs,
                                       size_t count)
{
    assembly->parts = ossa__take(&assembly->context, count, sizeof *assembly->parts);
    if (assembly->parts == NULL) return NULL;
    const struct ossa__part *first = NULL;
    for (size_t i = 0; i < count; i++) {
        struct ossa__part *part = &assembly->parts[assembly->part_count];
        const struct ossa__format *format = ossa__format_of(inputs[i].file);
        *part = (struct ossa__part){.input = &inputs[i], .format = format->about.id};
        part->shown = inputs[i].shown == NULL ? inputs[i].path : inputs[i].shown;
        part->contents = ossa__contents(inputs[i].file, format);
        split_path(assembly, part);
        bool is_fine = !assembly->context.failed && check_input(assembly, part);
        if (assembly->context.failed) return NULL;
        if (!is_fine) continue;
        assembly->part_count++;
        if (format->role == OSSA__ROLE_NONE) {
            (void)ossa__misfit(assembly, part, "is a %s, of which no scene can be made",
                               format->about.title);
            return NULL;
        }
        if (first == NULL) first = part;
        if (format->game != ossa__format_of(first->input->file)->game) {
            (void)ossa__misfit(assembly, part, "is of %s, but %s is of %s; give one game's files",
                               format->about.game, first->shown, first->input->file->format->game);
            return NULL;
        }
    }
    if (first == NULL) {
        (void)ossa__misfit(assembly, NULL,
                           assembly->left_out > 0 ? "no input is left" : "there is no input");
        return NULL;
    }
    const struct ossa__game *game = ossa__format_of(first->input->file)->game;
    assembly->scene->game = first->input->file->format->game;
    memcpy(assembly->scene->viewpoint, game->viewpoint, sizeof game->viewpoint);
    return game;
}

const ossa_clip *ossa_scene_find_clip(const ossa_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (strcmp(scene->clips[i].name, name) == 0) return &scene->clips[i];
    }
    return NULL;
}

/* ---- the entry ----------------------------------------------------------------------------- */

static void start(struct ossa__assembly *assembly, ossa_scene_options *options,
                  const ossa_input *inputs, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].file != NULL) total += inputs[i].file->size;
    }
    /* A file of a few bytes may be the largest texture that a game has, of 4096 x 4096. */
    uint64_t many = ossa__size_times(total, 64);
    if (options->max_memory == 0) options->max_memory = ossa__size_plus(many, UINT64_C(80) << 20);
    ossa_options plain = {.max_memory = options->max_memory,
                          .max_issues = options->max_issues,
                          .allocator = options->allocator,
                          .on_issue = options->on_issue,
                          .on_group = options->on_group,
                          .user = options->user};
    memset(assembly, 0, sizeof *assembly);
    ossa__context_init(&assembly->context, &plain, total);
    assembly->options = options;
    assembly->max_poses = ossa__size_plus(many, UINT64_C(1) << 26);
}

static bool check_call(struct ossa__assembly *assembly, const ossa_input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].file != NULL && inputs[i].path != NULL) continue;
        return ossa__fail_nowhere(&assembly->context, OSSA_CODE_BAD_ARGUMENT, "",
                                  "inputs[%zu] has no file or no path", i);
    }
    const ossa_scene_options *o = assembly->options;
    bool fine = o->fps >= 0.0 && o->fps <= 1e6 && o->scale > 0.0 && o->scale <= 1e9;
    return fine || ossa__fail_nowhere(&assembly->context, OSSA_CODE_BAD_ARGUMENT, "",
                                      "fps and scale must be positive");
}

ossa_scene *ossa__assemble_edited(const ossa_input *inputs, size_t count,
                                  const ossa_scene_options *options, struct ossa__editing *editing,
                                  ossa_error *error)
{
    struct ossa__assembly assembly;
    ossa_scene_options filled = {0};
    if (options != NULL) filled = *options;
    if (filled.scale == 0.0) filled.scale = 1.0;
    start(&assembly, &filled, inputs, count);
    assembly.editing = editing;
    struct ossa__context *context = &assembly.context;
    struct scene_result *result = ossa__take(context, 1, sizeof *result);
    if (result != NULL && check_call(&assembly, inputs, count)) {
        memset(result, 0, sizeof *result);
        assembly.scene = &result->scene;
        assembly.scene->name = "scene";
        const struct ossa__game *game = gather(&assembly, inputs, count);
        if (game != NULL) warn_of_options(&assembly, game);
        if (game != NULL) game->assemble(&assembly);
        if (!context->failed) ossa__keep_options(&assembly);
        if (!context->failed && game != NULL && game->keep_options != NULL) {
            game->keep_options(&assembly);
        }
        if (!context->failed && game != NULL) ossa__list_options(&assembly, game->options);
        if (!context->failed && filled.in_place) ossa__remove_drift(&assembly);
        if (!context->failed && filled.join) ossa__join_clips(&assembly);
        if (!context->failed) ossa__settle_next(&assembly);
        if (!context->failed && filled.boxes) ossa__add_boxes(&assembly);
    }
    if (result != NULL && !context->failed) {
        result->scene.warning_count = context->warning_count;
        result->scene.error_count = context->error_count;
        result->scene.issues = ossa__issue_array(context);
        result->scene.issue_count = context->issues.count;
    }
    if (result != NULL && !context->failed &&
        !ossa_scene_validate(&result->scene, &context->error)) {
        context->failed = true;
    }
    ossa__report_groups(context);
    ossa__hand_over_error(context, error);
    ossa__arena_free(&context->scratch); /* what a failure left there */
    if (result == NULL || context->failed) {
        ossa__arena_free(&context->arena);
        return NULL;
    }
    result->arena = context->arena;
    return &result->scene;
}

ossa_scene *ossa_assemble(const ossa_input *inputs, size_t count, const ossa_scene_options *options,
                          ossa_error *error)
{
    return ossa__assemble_edited(inputs, count, options, NULL, error);
}

bool ossa__examine(const ossa_input *inputs, size_t count, const ossa_options *options,
                   size_t *warning_count, size_t *error_count, ossa_error *error)
{
    struct ossa__assembly assembly;
    ossa_scene scene = {.name = ""};
    ossa_scene_options plain = {.scale = 1.0,
                                .max_issues = options->max_issues,
                                .allocator = options->allocator,
                                .on_issue = options->on_issue,
                                .user = options->user,
                                .on_group = options->on_group};
    start(&assembly, &plain, inputs, count);
    struct ossa__context *context = &assembly.context;
    context->options.strict = options->strict;
    assembly.scene = &scene;
    const struct ossa__game *game = gather(&assembly, inputs, count);
    if (game != NULL && game->examine != NULL) game->examine(&assembly);
    ossa__report_groups(context);
    *warning_count += context->warning_count;
    *error_count += context->error_count;
    bool ok = !context->failed || is_misfit(context);
    if (!ok && error != NULL) *error = context->error;
    ossa__arena_free(&context->scratch);
    ossa__arena_free(&context->arena);
    return ok;
}

void ossa_scene_free(ossa_scene *scene)
{
    if (scene != NULL) ossa__arena_free(&((struct scene_result *)scene)->arena);
}
