/* SPDX-License-Identifier: MIT
 *
 * Workspaces: files by their paths, what is below them, and the figures in them. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEB_EXPORT(workspace_free) void web_workspace_free(ossa_workspace *workspace);
void web_workspace_free(ossa_workspace *workspace)
{
    ossa_workspace_free(workspace);
}

/* Takes over `data`, which comes from `allocate`; if it fails, the caller releases it. */
WEB_EXPORT(workspace_adopt)
bool web_workspace_adopt(ossa_workspace *workspace, const char *path, void *data, size_t size);
bool web_workspace_adopt(ossa_workspace *workspace, const char *path, void *data, size_t size)
{
    ossa_error error;
    web_begin();
    return ossa_workspace_adopt_memory(workspace, path, data, size, &error) || web_fail(&error);
}

WEB_EXPORT(workspace_remove)
bool web_workspace_remove(ossa_workspace *workspace, const char *path);
bool web_workspace_remove(ossa_workspace *workspace, const char *path)
{
    return ossa_workspace_remove(workspace, path);
}

WEB_EXPORT(workspace_bytes)
bool web_workspace_bytes(ossa_workspace *workspace, const char *path);
bool web_workspace_bytes(ossa_workspace *workspace, const char *path)
{
    ossa_bytes bytes;
    ossa_error error;
    web_begin();
    if (!ossa_workspace_bytes(workspace, path, &bytes, &error)) return web_fail(&error);
    bool ok = web_give_bytes(bytes.data, bytes.size);
    ossa_bytes_free(&bytes);
    return ok;
}

/* ---- fields -------------------------------------------------------------------------------- */

struct lister {
    struct web_json json;
    uint64_t from;
    uint64_t to;
    size_t limit;
    size_t total;
};

static void on_field(void *user, const ossa_field *field)
{
    enum { SHOWN_BYTES = 64 };
    struct lister *lister = user;
    if (field->offset < lister->from || field->offset >= lister->to) return;
    if (lister->total++ >= lister->limit) return;
    char value[4 * SHOWN_BYTES + 16];
    ossa_field shown = *field;
    bool is_run = field->type >= OSSA_FIELD_TYPE_TEXT;
    if (is_run && shown.size > SHOWN_BYTES) shown.size = SHOWN_BYTES;
    (void)ossa_field_value(&shown, value, sizeof value - 4);
    if (shown.size < field->size) {
        size_t used = strlen(value);
        (void)snprintf(value + used, sizeof value - used, "...");
    }
    struct web_json *json = &lister->json;
    web_json_open(json, '[');
    web_json_number(json, field->offset);
    web_json_number(json, field->size);
    web_json_text(json, ossa_field_type_name(field->type));
    web_json_text(json, field->path);
    web_json_text(json, value);
    web_json_close(json, ']');
}

WEB_EXPORT(workspace_fields)
bool web_workspace_fields(ossa_workspace *workspace, const char *path, const char *format,
                          const char *dialect, bool strict, double from, double to, size_t limit);
bool web_workspace_fields(ossa_workspace *workspace, const char *path, const char *format,
                          const char *dialect, bool strict, double from, double to, size_t limit)
{
    ossa_error error;
    web_begin();
    struct lister lister = {
        .json = web_start_result(), .from = (uint64_t)from, .to = (uint64_t)to, .limit = limit};
    const ossa_options options = {.format = format,
                                  .dialect = dialect,
                                  .strict = strict,
                                  .on_field = on_field,
                                  .user = &lister,
                                  .on_group = web_on_issue};
    struct web_json *json = &lister.json;
    web_json_open(json, '{');
    web_json_key(json, "fields");
    web_json_open(json, '[');
    ossa_file *file = ossa_workspace_open(workspace, path, &options, &error);
    web_json_close(json, ']');
    web_member_number(json, "total", lister.total);
    web_write_error(json, "error", file == NULL ? &error : NULL);
    web_json_close(json, '}');
    ossa_file_free(file);
    return web_finish_result(json);
}

/* ---- walks --------------------------------------------------------------------------------- */

static void write_entry(struct web_json *json, const ossa_entry *entry)
{
    web_member_number(json, "offset", entry == NULL ? 0 : entry->offset);
    web_member_optional(json, "storedSize", entry != NULL, entry == NULL ? 0 : entry->stored_size);
    web_member_flag(json, "isPacked", entry != NULL && entry->is_packed);
    web_member_flag(json, "isMissing", entry != NULL && entry->is_missing);
    bool has_time = entry != NULL && entry->has_time;
    web_member_optional(json, "time", has_time, has_time ? entry->time : 0);
}

static void write_visit(struct web_json *json, const ossa_visit *visit)
{
    const ossa_file *file = visit->file;
    web_json_open(json, '{');
    web_member_text(json, "path", visit->path);
    web_member_text(json, "name", visit->name);
    web_member_text(json, "ownName", visit->own_name);
    web_member_number(json, "depth", visit->depth);
    web_member_flag(json, "isNamed", visit->is_named);
    web_member_text(json, "format", visit->format == NULL ? NULL : visit->format->id);
    web_member_text(json, "confidence",
                    file == NULL ? NULL : ossa_confidence_name(file->confidence));
    web_member_flag(json, "isArchive", visit->is_archive);
    web_member_flag(json, "isSearch", visit->is_search);
    web_member_flag(json, "isStray", visit->is_stray);
    web_member_text(json, "title", visit->title);
    web_member_number(json, "entryCount", visit->entry_count);
    web_member_number(json, "figureCount", visit->figure_count);
    web_member_number(json, "size", visit->size);
    write_entry(json, visit->entry);
    web_member_number(json, "warningCount", file == NULL ? 0 : file->warning_count);
    web_member_number(json, "errorCount", file == NULL ? 0 : file->error_count);
    web_write_error(json, "error", visit->error);
    web_json_close(json, '}');
}

enum { ENTER_NONE, ENTER_SEARCHED, ENTER_ALL }; /* archives */

struct walker {
    struct web_json json;
    uint32_t enters;
};

static ossa_step visit_file(void *user, const ossa_visit *visit)
{
    struct walker *walker = user;
    if (visit->is_part) return OSSA_STEP_INTO; /* around what the path means */
    write_visit(&walker->json, visit);
    if (walker->json.has_failed) return OSSA_STEP_STOP;
    bool is_entered =
        walker->enters == ENTER_ALL || (walker->enters == ENTER_SEARCHED && visit->is_search);
    return is_entered ? OSSA_STEP_INTO : OSSA_STEP_OVER;
}

WEB_EXPORT(workspace_walk)
bool web_workspace_walk(ossa_workspace *workspace, const char *path, uint32_t detail,
                        uint32_t enters, bool deep, bool search);
bool web_workspace_walk(ossa_workspace *workspace, const char *path, uint32_t detail,
                        uint32_t enters, bool deep, bool search)
{
    ossa_error error;
    web_begin();
    struct walker walker = {.json = web_start_result(), .enters = enters};
    const ossa_options read = {.check_values = true};
    const ossa_walk_options walk = {.detail = (ossa_detail)detail,
                                    .deep = deep,
                                    .search = search,
                                    .read = &read,
                                    .visit = visit_file,
                                    .user = &walker};
    web_json_open(&walker.json, '[');
    if (!ossa_workspace_walk(workspace, path, &walk, &error)) return web_fail(&error);
    web_json_close(&walker.json, ']');
    return web_finish_result(&walker.json);
}

/* ---- figures ------------------------------------------------------------------------------- */

static void write_figure(struct web_json *json, const ossa_figure *figure)
{
    web_json_open(json, '{');
    web_member_text(json, "name", figure->name);
    web_member_text(json, "game", figure->game);
    web_member_texts(json, "paths", figure->paths, figure->path_count);
    web_member_texts(json, "files", figure->files, figure->file_count);
    web_member_texts(json, "missing", figure->missing, figure->missing_count);
    web_member_number(json, "boneCount", figure->bone_count);
    web_member_number(json, "clipCount", figure->clip_count);
    web_member_flag(json, "isGuess", figure->is_guess);
    web_json_close(json, '}');
}

/* `path` NULL: in all files. */
WEB_EXPORT(workspace_figures)
bool web_workspace_figures(ossa_workspace *workspace, const char *path);
bool web_workspace_figures(ossa_workspace *workspace, const char *path)
{
    ossa_error error;
    web_begin();
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &error);
    if (figures == NULL) return web_fail(&error);
    struct web_json json = web_start_result();
    web_json_open(&json, '[');
    for (size_t i = 0; i < figures->count; i++) write_figure(&json, &figures->items[i]);
    web_json_close(&json, ']');
    ossa_figures_free(figures);
    return web_finish_result(&json);
}

static void write_slot(struct web_json *json, const ossa_survey_slot *slot)
{
    web_json_open(json, '{');
    web_member_text(json, "name", slot->name);
    web_json_key(json, "parts");
    web_json_open(json, '[');
    for (size_t i = 0; i < slot->part_count; i++) {
        web_json_open(json, '{');
        web_member_text(json, "name", slot->parts[i].name);
        web_member_flag(json, "isShown", slot->parts[i].is_shown);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
    web_json_close(json, '}');
}

static bool write_survey(const ossa_survey *survey)
{
    struct web_json json = web_start_result();
    web_json_open(&json, '{');
    web_member_number(&json, "boneCount", survey->bone_count);
    web_member_number(&json, "meshCount", survey->mesh_count);
    web_member_number(&json, "unreadable", survey->unreadable);
    web_json_key(&json, "clips");
    web_json_open(&json, '[');
    for (size_t i = 0; i < survey->clip_count; i++) {
        const ossa_survey_clip *clip = &survey->clips[i];
        web_json_open(&json, '{');
        web_member_text(&json, "name", clip->name);
        web_member_number(&json, "frameCount", clip->frame_count);
        web_member_number(&json, "fileCount", clip->file_count);
        web_json_close(&json, '}');
    }
    web_json_close(&json, ']');
    web_json_key(&json, "slots");
    web_json_open(&json, '[');
    for (size_t i = 0; i < survey->slot_count; i++) write_slot(&json, &survey->slots[i]);
    web_json_close(&json, ']');
    web_json_close(&json, '}');
    return web_finish_result(&json);
}

WEB_EXPORT(workspace_survey)
bool web_workspace_survey(ossa_workspace *workspace, const char *paths, size_t count);
bool web_workspace_survey(ossa_workspace *workspace, const char *paths, size_t count)
{
    ossa_error error;
    web_begin();
    const char **list = web_split_paths(paths, count);
    if (list == NULL) return false;
    ossa_survey *survey = ossa_workspace_survey(workspace, list, count, &error);
    bool ok = survey == NULL ? web_fail(&error) : write_survey(survey);
    ossa_survey_free(survey);
    free(list);
    return ok;
}
