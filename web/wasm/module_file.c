/* SPDX-License-Identifier: MIT
 *
 * One file that was read: its contents, its bytes, and its entries if it is an archive. */
#include "module.h"

WEB_EXPORT(file_free) void web_file_free(ossa_file *file);
void web_file_free(ossa_file *file)
{
    ossa_file_free(file);
}

WEB_EXPORT(file_open)
ossa_file *web_file_open(ossa_workspace *workspace, const char *path, const char *format,
                         const char *dialect, bool strict);
ossa_file *web_file_open(ossa_workspace *workspace, const char *path, const char *format,
                         const char *dialect, bool strict)
{
    ossa_error error;
    web_begin();
    const ossa_options options = {.format = format,
                                  .dialect = dialect,
                                  .strict = strict,
                                  .check_values = true,
                                  .on_group = web_on_issue};
    ossa_file *file = ossa_workspace_open(workspace, path, &options, &error);
    if (file == NULL) (void)web_fail(&error);
    return file;
}

WEB_EXPORT(file_about) bool web_file_about(const ossa_file *file);
bool web_file_about(const ossa_file *file)
{
    web_begin();
    struct web_json json = web_start_result();
    web_json_open(&json, '{');
    web_member_text(&json, "format", file->format->id);
    web_member_text(&json, "confidence", ossa_confidence_name(file->confidence));
    web_member_number(&json, "size", file->size);
    web_member_number(&json, "warningCount", file->warning_count);
    web_member_number(&json, "errorCount", file->error_count);
    web_write_issues(&json, "issues", file->issues, file->issue_count);
    web_json_close(&json, '}');
    return web_finish_result(&json);
}

WEB_EXPORT(file_facts) bool web_file_facts(const ossa_file *file);
bool web_file_facts(const ossa_file *file)
{
    ossa_error error;
    web_begin();
    return ossa_describe_json(file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(&error);
}

WEB_EXPORT(file_dump) bool web_file_dump(const ossa_file *file, bool pretty);
bool web_file_dump(const ossa_file *file, bool pretty)
{
    ossa_error error;
    web_begin();
    ossa_json_style style = pretty ? OSSA_JSON_STYLE_PRETTY : OSSA_JSON_STYLE_LINE;
    return ossa_dump(file, style, ossa_buffer_sink(&web_result), &error) || web_fail_output(&error);
}

WEB_EXPORT(file_write) bool web_file_write(const ossa_file *file);
bool web_file_write(const ossa_file *file)
{
    ossa_error error;
    web_begin();
    return ossa_write(file, ossa_buffer_sink(&web_result), &error) || web_fail_output(&error);
}

/* ---- entries ------------------------------------------------------------------------------- */

WEB_EXPORT(file_entries) bool web_file_entries(const ossa_file *file);
bool web_file_entries(const ossa_file *file)
{
    web_begin();
    struct web_json json = web_start_result();
    web_json_open(&json, '[');
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        web_json_open(&json, '{');
        web_member_text(&json, "name", entry->name);
        web_member_number(&json, "offset", entry->offset);
        web_member_number(&json, "size", entry->size);
        web_member_number(&json, "storedSize", entry->stored_size);
        web_member_flag(&json, "isPacked", entry->is_packed);
        web_member_flag(&json, "isMissing", entry->is_missing);
        web_member_optional(&json, "time", entry->has_time, entry->time);
        web_json_close(&json, '}');
    }
    web_json_close(&json, ']');
    return web_finish_result(&json);
}

WEB_EXPORT(file_entry_bytes) bool web_file_entry_bytes(const ossa_file *file, size_t index);
bool web_file_entry_bytes(const ossa_file *file, size_t index)
{
    ossa_bytes bytes;
    ossa_error error;
    web_begin();
    if (index >= ossa_entry_count(file)) {
        return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such entry");
    }
    if (!ossa_entry_bytes(file, index, NULL, &bytes, &error)) return web_fail(&error);
    bool ok = web_give_bytes(bytes.data, bytes.size);
    ossa_bytes_free(&bytes);
    return ok;
}
