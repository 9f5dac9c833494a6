/* SPDX-License-Identifier: MIT
 *
 * Workspaces: files by their paths, and what words mean there. */
#include "module.h"
#include "catalogue.h"

#include <stdlib.h>

WEB_EXPORT(disk_new) struct web_disk *web_disk_new(void);
struct web_disk *web_disk_new(void)
{
    web_begin(NULL);
    struct web_disk *disk = calloc(1, sizeof *disk);
    if (disk == NULL) (void)web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for a workspace");
    return disk;
}

WEB_EXPORT(disk_free) void web_disk_free(struct web_disk *disk);
void web_disk_free(struct web_disk *disk)
{
    web_begin(NULL);
    web_disk_clear(disk);
    free(disk);
}

/* Room for the bytes of a file, to be filled and given to disk_add. Files that were replaced go
 * when the disk is sorted: that may be the room that is wanted. */
WEB_EXPORT(bytes_new) uint8_t *web_export_bytes_new(struct web_disk *disk, size_t size);
uint8_t *web_export_bytes_new(struct web_disk *disk, size_t size)
{
    web_begin(NULL);
    uint8_t *data = web_bytes_new(size);
    if (data == NULL) {
        web_disk_sort(disk);
        data = web_bytes_new(size);
    }
    if (data == NULL) (void)web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the bytes of a file");
    return data;
}

WEB_EXPORT(disk_add)
bool web_export_disk_add(struct web_disk *disk, const char *path, uint8_t *data);
bool web_export_disk_add(struct web_disk *disk, const char *path, uint8_t *data)
{
    web_begin(NULL);
    if (web_disk_add(disk, path, data)) return true;
    return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for a file");
}

WEB_EXPORT(disk_remove) bool web_export_disk_remove(struct web_disk *disk, const char *path);
bool web_export_disk_remove(struct web_disk *disk, const char *path)
{
    web_begin(NULL);
    return web_disk_remove(disk, path);
}

WEB_EXPORT(disk_has) bool web_disk_has(struct web_disk *disk, const char *path);
bool web_disk_has(struct web_disk *disk, const char *path)
{
    web_begin(NULL);
    return web_disk_find(disk, path) != NULL;
}

WEB_EXPORT(disk_paths) bool web_disk_paths(struct web_disk *disk);
bool web_disk_paths(struct web_disk *disk)
{
    struct ossa__json json;
    web_begin(NULL);
    web_disk_sort(disk);
    web_start_result(&json);
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < disk->count; i++) ossa__json_string(&json, disk->files[i].path);
    ossa__json_end_array(&json);
    return web_finish_result(&json);
}

/* A file or an entry, found by its word. */
struct found {
    struct archives archives;
    struct cli cli;
    struct loaded loaded;
    const uint8_t *data;
    size_t size;
};

/* It is to be let go of in any case. */
static bool find_bytes(struct found *found, const char *word)
{
    ossa_error error;
    *found = (struct found){.cli.archives = &found->archives};
    return load_bytes(&found->cli, word, &found->loaded, &found->data, &found->size, &error) ||
           web_fail_error(word, &error);
}

static void let_go(struct found *found)
{
    unload(&found->loaded);
    archives_free(&found->archives);
}

/* The bytes of a file or an entry, as the result. */
WEB_EXPORT(disk_bytes) bool web_disk_bytes(struct web_disk *disk, const char *word);
bool web_disk_bytes(struct web_disk *disk, const char *word)
{
    struct found found;
    web_begin(disk);
    bool ok = find_bytes(&found, word);
    if (ok && found.size > 0) {
        ossa_sink sink = ossa_buffer_sink(&web_result);
        ok = sink.write(sink.user, found.data, found.size) ||
             web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the bytes");
    }
    let_go(&found);
    return ok;
}

/* A name for the probes, from malloc: an entry without an extension has that of its archive. */
static char *hint_of(const struct cli *cli, const char *word)
{
    ossa_error error;
    struct place place = find_place(cli, word, &error);
    if (place.kind != PLACE_ENTRY) return NULL;
    return entry_hint(place.archive, archive_entry(place.archive, place.entry)->name);
}

WEB_EXPORT(disk_probe) bool web_disk_probe(struct web_disk *disk, const char *word);
bool web_disk_probe(struct web_disk *disk, const char *word)
{
    enum { MOST = 64 };
    struct found found;
    web_begin(disk);
    bool ok = find_bytes(&found, word);
    if (ok) {
        struct ossa__json json;
        ossa_guess guesses[MOST];
        char *hint = hint_of(&found.cli, word);
        const ossa_options options = {.name = hint == NULL ? word : hint};
        size_t count = ossa_probe(found.data, found.size, &options, guesses, MOST);
        web_start_result(&json);
        ossa__json_begin_array(&json);
        for (size_t i = 0; i < count && i < MOST; i++) {
            ossa__json_begin_object(&json);
            web_write_key(&json, "format", guesses[i].format->id);
            web_write_key(&json, "confidence", ossa_confidence_name(guesses[i].confidence));
            ossa__json_end_object(&json);
        }
        ossa__json_end_array(&json);
        ok = web_finish_result(&json);
        free(hint);
    }
    let_go(&found);
    return ok;
}

/* ---- fields -------------------------------------------------------------------------------- */

struct lister {
    struct ossa__json json;
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
        size_t used = 0;
        while (value[used] != '\0') used++;
        (void)snprintf(value + used, sizeof value - used, "...");
    }
    struct ossa__json *json = &lister->json;
    ossa__json_begin_row(json);
    ossa__json_uint(json, field->offset);
    ossa__json_uint(json, field->size);
    ossa__json_string(json, ossa_field_type_name(field->type));
    ossa__json_string(json, field->path);
    ossa__json_string(json, value);
    ossa__json_end_array(json);
}

WEB_EXPORT(disk_fields)
bool web_disk_fields(struct web_disk *disk, const char *word, const char *format,
                     const char *dialect, bool strict, double from, double to, size_t limit);
bool web_disk_fields(struct web_disk *disk, const char *word, const char *format,
                     const char *dialect, bool strict, double from, double to, size_t limit)
{
    struct archives archives = {0};
    struct cli cli = {.archives = &archives};
    struct lister *lister = calloc(1, sizeof *lister);
    struct loaded loaded;
    ossa_error error;
    web_begin(disk);
    if (lister == NULL) return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the fields");
    lister->from = (uint64_t)from;
    lister->to = (uint64_t)to;
    lister->limit = limit;
    ossa_options options = {.format = format,
                            .dialect = dialect,
                            .strict = strict,
                            .on_field = on_field,
                            .user = lister};
    struct ossa__json *json = &lister->json;
    web_start_result(json);
    ossa__json_begin_object(json);
    ossa__json_key(json, "fields");
    ossa__json_begin_array(json);
    bool ok = load(&cli, word, &options, &loaded, &error);
    ossa__json_end_array(json);
    web_write_number(json, "total", lister->total);
    ossa__json_key(json, "error");
    if (ok) {
        ossa__json_null(json);
    } else {
        (void)web_fail_error(word, &error);
        web_write_failure(json);
    }
    ossa__json_end_object(json);
    ok = web_finish_result(json);
    unload(&loaded);
    archives_free(&archives);
    free(lister);
    return ok;
}

/* ---- models -------------------------------------------------------------------------------- */

static bool write_models(const struct cli *cli, const char *word, struct loaded *loaded)
{
    struct archive archive = {0};
    struct catalogue catalogue = {.count = 0};
    ossa_error error;
    struct ossa__json json;
    bool ok = true;
    if (ossa_format_can(loaded->file->format, OSSA_ABILITY_LIST)) {
        ok = open_loaded(cli, word, loaded, &archive, &error) || web_fail_error(word, &error);
        ok = ok && ((index_entries(&archive) && make_catalogue(cli, &archive, &catalogue)) ||
                    web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for its models"));
    }
    if (ok) {
        web_start_result(&json);
        catalogue_json(&catalogue, &json);
        ok = web_finish_result(&json);
    }
    free_catalogue(&catalogue);
    close_archive(&archive);
    return ok;
}

WEB_EXPORT(disk_models) bool web_disk_models(struct web_disk *disk, const char *word);
bool web_disk_models(struct web_disk *disk, const char *word)
{
    struct archives archives = {0};
    struct cli cli = {.archives = &archives};
    struct loaded loaded;
    ossa_error error;
    web_begin(disk);
    bool ok = load(&cli, word, &cli.read, &loaded, &error) || web_fail_error(word, &error);
    if (ok) ok = write_models(&cli, word, &loaded);
    unload(&loaded);
    archives_free(&archives);
    return ok;
}
