/* SPDX-License-Identifier: MIT
 *
 * One file, read: what it says, its bytes, and its entries if it is an archive. */
#include "info.h"
#include "module.h"
#include "walk_archive.h"

#include <stdlib.h>
#include <string.h>

struct web_file {
    struct archives archives; /* that it lies in: it may use their bytes */
    struct cli cli;
    struct loaded loaded;
    struct archive archive; /* what was loaded, if it is one */
    char *word;
    char *format; /* of the options; NULL: none */
    char *dialect;
};

static const ossa_file *file_of(const struct web_file *file)
{
    return file->archive.file == NULL ? file->loaded.file : file->archive.file;
}

static void close_file(struct web_file *file)
{
    close_archive(&file->archive);
    unload(&file->loaded);
    archives_free(&file->archives);
    free(file->word);
    free(file->format);
    free(file->dialect);
    free(file);
}

WEB_EXPORT(file_free) void web_file_free(struct web_file *file);
void web_file_free(struct web_file *file)
{
    web_begin(NULL);
    close_file(file);
}

static bool copy_text(const char *text, char **copy)
{
    if (text == NULL) return true;
    *copy = strdup(text);
    return *copy != NULL;
}

static bool open_file(struct web_file *file)
{
    ossa_error error;
    if (!load(&file->cli, file->word, &file->cli.read, &file->loaded, &error)) {
        return web_fail_error(file->word, &error);
    }
    if (!ossa_format_can(file->loaded.file->format, OSSA_ABILITY_LIST)) return true;
    if (!open_loaded(&file->cli, file->word, &file->loaded, &file->archive, &error)) {
        return web_fail_error(file->word, &error);
    }
    return index_entries(&file->archive) ||
           web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the names of its entries");
}

WEB_EXPORT(file_open)
struct web_file *web_file_open(struct web_disk *disk, const char *word, const char *format,
                               const char *dialect, bool strict);
struct web_file *web_file_open(struct web_disk *disk, const char *word, const char *format,
                               const char *dialect, bool strict)
{
    web_begin(disk);
    struct web_file *file = calloc(1, sizeof *file);
    bool ok = file != NULL && copy_text(word, &file->word) && copy_text(format, &file->format) &&
              copy_text(dialect, &file->dialect);
    if (!ok) {
        (void)web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for a file");
    } else {
        file->cli.archives = &file->archives;
        file->cli.read = (ossa_options){.format = file->format,
                                        .dialect = file->dialect,
                                        .strict = strict,
                                        .check_values = true,
                                        .on_issue = web_on_issue};
        ok = open_file(file);
    }
    if (ok || file == NULL) return file;
    close_file(file);
    return NULL;
}

WEB_EXPORT(file_about) bool web_file_about(const struct web_file *handle);
bool web_file_about(const struct web_file *handle)
{
    const ossa_file *file = file_of(handle);
    struct ossa__json json;
    web_begin(NULL);
    web_start_result(&json);
    ossa__json_begin_object(&json);
    web_write_key(&json, "format", file->format->id);
    web_write_key(&json, "confidence", ossa_confidence_name(file->confidence));
    web_write_number(&json, "size", file->size);
    web_write_number(&json, "warningCount", file->warning_count);
    web_write_number(&json, "errorCount", file->error_count);
    ossa__json_key(&json, "issues");
    web_write_issues(&json, file->issues, file->issue_count);
    ossa__json_end_object(&json);
    return web_finish_result(&json);
}

/* What `ossa info` prints goes to web_out. */
WEB_EXPORT(file_info) bool web_file_info(const struct web_file *handle, bool as_json);
bool web_file_info(const struct web_file *handle, bool as_json)
{
    const ossa_file *file = file_of(handle);
    struct catalogue catalogue = {.count = 0};
    ossa_error error;
    web_begin(NULL);
    if (handle->archive.file != NULL &&
        !make_catalogue(&handle->cli, &handle->archive, &catalogue)) {
        return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for its models");
    }
    bool ok = as_json ? info_json(handle->word, file, &catalogue, &error)
                      : info_text(file, &catalogue, &error);
    free_catalogue(&catalogue);
    if (web_out.has_failed) return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the result");
    return ok || web_fail_error(handle->word, &error);
}

WEB_EXPORT(file_dump) bool web_file_dump(const struct web_file *handle, bool pretty);
bool web_file_dump(const struct web_file *handle, bool pretty)
{
    ossa_error error;
    web_begin(NULL);
    ossa_json_style style = pretty ? OSSA_JSON_STYLE_PRETTY : OSSA_JSON_STYLE_LINE;
    return ossa_dump(file_of(handle), style, ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(handle->word, &error);
}

WEB_EXPORT(file_write) bool web_file_write(const struct web_file *handle);
bool web_file_write(const struct web_file *handle)
{
    ossa_error error;
    web_begin(NULL);
    return ossa_write(file_of(handle), ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(handle->word, &error);
}

/* ---- entries ------------------------------------------------------------------------------- */

static bool note_format(void *user, const struct visit *visit)
{
    const ossa_format **formats = user;
    formats[visit->index] = visit->format;
    return false;
}

/* What it calls itself, where it was found on a disc. */
static const char *own_name(const struct archive *archive, size_t index)
{
    const char *name = archive->scan == NULL ? "" : scan_found(archive->scan, index)->name;
    return name[0] == '\0' ? NULL : name;
}

static void write_entry(struct ossa__json *json, const struct archive *archive, size_t index,
                        const ossa_format *format)
{
    const ossa_entry *entry = archive_entry(archive, index);
    ossa__json_begin_object(json);
    web_write_key(json, "name", entry->name);
    web_write_key(json, "ownName", own_name(archive, index));
    web_write_number(json, "offset", entry->offset);
    web_write_number(json, "size", entry->size);
    web_write_number(json, "storedSize", entry->stored_size);
    ossa__json_key(json, "isPacked");
    ossa__json_bool(json, entry->is_packed);
    ossa__json_key(json, "isMissing");
    ossa__json_bool(json, entry->is_missing);
    ossa__json_key(json, "time");
    if (entry->has_time) ossa__json_uint(json, entry->time);
    else ossa__json_null(json);
    web_write_key(json, "format", format == NULL ? NULL : format->id);
    ossa__json_end_object(json);
}

/* Those of an archive; none of what is not open. */
static bool write_entries(const struct cli *cli, const struct archive *archive)
{
    struct ossa__json json;
    bool is_open = archive->file != NULL || archive->scan != NULL;
    size_t count = is_open ? archive_count(archive) : 0;
    const ossa_format **formats = calloc(count + 1, sizeof *formats);
    if (formats == NULL) return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for its entries");
    struct archive_walk walk = {.cli = cli, .quick = true, .visit = note_format, .user = formats};
    if (count > 0) walk_archive(&walk, archive);
    web_start_result(&json);
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < count; i++) write_entry(&json, archive, i, formats[i]);
    ossa__json_end_array(&json);
    free(formats);
    return web_finish_result(&json);
}

WEB_EXPORT(file_entries) bool web_file_entries(const struct web_file *handle);
bool web_file_entries(const struct web_file *handle)
{
    web_begin(NULL);
    return write_entries(&handle->cli, &handle->archive);
}

/* As `ossa list` opens a word: what is no archive may be a file of a disc, which is searched. */
WEB_EXPORT(disk_entries) bool web_disk_entries(struct web_disk *disk, const char *word);
bool web_disk_entries(struct web_disk *disk, const char *word)
{
    struct archives archives = {0};
    struct cli cli = {.archives = &archives};
    struct archive opened;
    web_begin(disk);
    const struct archive *archive = open_word(&cli, word, &opened);
    bool ok = archive != NULL && write_entries(&cli, archive);
    close_archive(&opened);
    archives_free(&archives);
    return ok;
}

WEB_EXPORT(file_entry_bytes)
bool web_file_entry_bytes(const struct web_file *handle, size_t index);
bool web_file_entry_bytes(const struct web_file *handle, size_t index)
{
    const struct archive *archive = &handle->archive;
    const ossa_options options = {.max_input = DEFAULT_MAX_INPUT};
    ossa_bytes bytes;
    ossa_error error;
    web_begin(NULL);
    if (archive->file == NULL || index >= archive_count(archive)) {
        return web_fail(OSSA_CODE_BAD_ARGUMENT, "there is no such entry");
    }
    if (!archive_bytes(archive, index, &options, &bytes, &error)) {
        char *word = entry_word(archive, archive_entry(archive, index)->name);
        (void)web_fail_error(word, &error);
        free(word);
        return false;
    }
    ossa_sink sink = ossa_buffer_sink(&web_result);
    bool ok = bytes.size == 0 || sink.write(sink.user, bytes.data, bytes.size);
    ossa_bytes_free(&bytes);
    return ok || web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the bytes");
}
