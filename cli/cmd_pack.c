/* SPDX-License-Identifier: MIT
 *
 * ossa pack: an archive of a folder, or of an archive with other files in it. */
#include "manifest.h"
#include "walk_archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Entries being gathered, with what they lie on. */
struct packing {
    const struct cli *cli;
    ossa_packing *entries;
    char **names;           /* from malloc */
    struct os_bytes *files; /* of files on the disk */
    ossa_buffer *packed;    /* of archives that were made for it */
    ossa_bytes *bytes;      /* of entries */
    size_t count;
    size_t capacity;
    unsigned depth;
};

static bool fail_memory(void)
{
    complain("no memory for the archive");
    return false;
}

static void free_packing(struct packing *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->names[i]);
        os_free_bytes(&p->files[i]);
        ossa_buffer_free(&p->packed[i]);
        ossa_bytes_free(&p->bytes[i]);
    }
    free(p->entries);
    free(p->names);
    free(p->files);
    free(p->packed);
    free(p->bytes);
}

static bool grow(struct packing *p)
{
    if (p->count < p->capacity) return true;
    size_t capacity = p->capacity == 0 ? 64 : 2 * p->capacity;
    void *entries = realloc(p->entries, capacity * sizeof *p->entries);
    if (entries != NULL) p->entries = entries;
    void *names = realloc(p->names, capacity * sizeof *p->names);
    if (names != NULL) p->names = names;
    void *files = realloc(p->files, capacity * sizeof *p->files);
    if (files != NULL) p->files = files;
    void *packed = realloc(p->packed, capacity * sizeof *p->packed);
    if (packed != NULL) p->packed = packed;
    void *bytes = realloc(p->bytes, capacity * sizeof *p->bytes);
    if (bytes != NULL) p->bytes = bytes;
    if (entries == NULL || names == NULL || files == NULL || packed == NULL || bytes == NULL) {
        return false;
    }
    p->capacity = capacity;
    return true;
}

/* Room for an entry of that name; its data is to be set. */
static bool add_entry(struct packing *p, const char *name, uint32_t time)
{
    char *copy = strdup(name);
    if (copy == NULL || !grow(p)) {
        free(copy);
        return fail_memory();
    }
    size_t i = p->count++;
    p->names[i] = copy;
    p->files[i] = (struct os_bytes){0};
    p->packed[i] = (ossa_buffer){0};
    p->bytes[i] = (ossa_bytes){0};
    p->entries[i] = (ossa_packing){.name = copy, .time = time};
    return true;
}

static void set_data(struct packing *p, const uint8_t *data, size_t size)
{
    p->entries[p->count - 1].data = data;
    p->entries[p->count - 1].size = size;
}

static bool set_file(struct packing *p, const char *path)
{
    struct os_why why;
    struct os_bytes *file = &p->files[p->count - 1];
    uint64_t limit = p->cli->read.max_input;
    if (!os_read_file(path, limit == 0 ? DEFAULT_MAX_INPUT : limit, file, &why)) {
        complain("%s: %s", path, why.text);
        return false;
    }
    set_data(p, file->data, file->size);
    return true;
}

static bool pack_into(const struct packing *p, const char *format, ossa_sink sink,
                      const char *shown)
{
    ossa_error error;
    if (ossa_pack(format, p->entries, p->count, NULL, sink, &error)) return true;
    if (error.code != OSSA_IO) complain_error(shown, &error);
    return false;
}

/* ---- of a folder --------------------------------------------------------------------------- */

static bool gather_folder(struct packing *p, const char *folder, char format[32]);

static bool set_folder_data(struct packing *p, const char *path)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1};
    char format[32] = "";
    bool ok = inner.depth <= DEEPEST_ARCHIVE;
    if (!ok) complain("%s: folders lie too deep in each other", path);
    ok = ok && gather_folder(&inner, path, format);
    ossa_buffer *buffer = &p->packed[p->count - 1];
    ok = ok && pack_into(&inner, format, ossa_buffer_sink(buffer), path);
    free_packing(&inner);
    if (ok) set_data(p, buffer->data, buffer->size);
    return ok;
}

static bool add_path(struct packing *p, const char *path, const char *name, uint32_t time)
{
    if (!add_entry(p, name, time)) return false;
    return os_is_folder(path) ? set_folder_data(p, path) : set_file(p, path);
}

/* Files of a folder that its manifest does not name, or all where there is none. */
struct newcomers {
    struct packing *packing;
    const struct manifest *manifest;
    const char *folder;
    bool ok;
};

static bool is_listed(const struct newcomers *n, const char *relative)
{
    for (size_t i = 0; i < n->manifest->count; i++) {
        const char *file = n->manifest->lines[i].file;
        size_t size = strlen(file);
        /* What lies in a folder that is an archive belongs to that. */
        if (strncmp(file, relative, size) == 0 && (relative[size] == '\0' || relative[size] == '/'))
            return true;
    }
    return false;
}

static void add_newcomer(void *user, const char *path)
{
    struct newcomers *n = user;
    size_t base = strlen(n->folder);
    while (base > 1 && n->folder[base - 1] == '/') base--;
    const char *relative = path + base + 1;
    if (!n->ok || strcmp(relative, MANIFEST_NAME) == 0 || is_listed(n, relative)) return;
    char *name = strdup(relative);
    for (char *c = name; c != NULL && *c != '\0'; c++) {
        if (*c == '/') *c = '\\'; /* as the games have it */
    }
    n->ok = name != NULL ? add_path(n->packing, path, name, os_time(path)) : fail_memory();
    if (n->manifest->count > 0 && n->ok) complain("%s is new in the archive", relative);
    free(name);
}

static void failed_folder(void *user, const char *path, const struct os_why *why)
{
    struct newcomers *n = user;
    complain("%s: %s", path, why->text);
    n->ok = false;
}

static bool gather_folder(struct packing *p, const char *folder, char format[32])
{
    struct manifest manifest;
    bool found;
    if (!manifest_load(&manifest, folder, &found)) return false;
    if (format[0] == '\0') (void)snprintf(format, 32, "%s", manifest.format);
    bool ok = true;
    for (size_t i = 0; ok && i < manifest.count; i++) {
        const struct manifest_line *line = &manifest.lines[i];
        char *path = path_in(folder, line->file);
        ok = path != NULL ? add_path(p, path, line->name, line->time) : fail_memory();
        free(path);
    }
    struct newcomers newcomers = {p, &manifest, folder, true};
    if (ok) ok = os_walk(folder, add_newcomer, failed_folder, &newcomers) && newcomers.ok;
    manifest_free(&manifest);
    if (ok && format[0] == '\0') {
        complain("%s: nothing says which archive to make of it: use --format", folder);
        ok = false;
    }
    return ok;
}

/* ---- of an archive ------------------------------------------------------------------------- */

/* The part of a replacement's name behind the entry's: "" for the entry itself, "hd" for
 * "cwalk#hd"; NULL when it means another. */
static const char *rest_behind(const char *name, const char *entry)
{
    size_t size = strlen(entry);
    if (strncmp(name, entry, size) != 0) return NULL;
    if (name[size] == '=') return "";
    return name[size] == '#' ? name + size + 1 : NULL;
}

static bool gather_archive(struct packing *p, const struct archive *archive,
                           const char *const *replacements, size_t count, bool *used);

/* An archive inside, with some of its entries replaced. */
static bool set_repacked(struct packing *p, const struct archive *archive, size_t entry,
                         const char *const *replacements, size_t count, bool *used)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1};
    struct loaded loaded;
    struct archive opened;
    ossa_error error;
    const char *name = ossa_entry_at(archive->file, entry)->name;
    const ossa_options options = {.max_input = DEFAULT_MAX_INPUT};
    if (!load_entry(archive, entry, &options, &loaded, &error) ||
        !open_loaded_entry(archive, name, &loaded, &opened, &error)) {
        complain_error(name, &error);
        return false;
    }
    ossa_buffer *buffer = &p->packed[p->count - 1];
    bool ok = gather_archive(&inner, &opened, replacements, count, used) &&
              pack_into(&inner, opened.file->format->id, ossa_buffer_sink(buffer), opened.shown);
    free_packing(&inner);
    close_archive(&opened);
    if (ok) set_data(p, buffer->data, buffer->size);
    return ok;
}

static bool add_archived(struct packing *p, const struct archive *archive, size_t entry,
                         const char *const *replacements, size_t count, bool *used)
{
    const ossa_entry *about = ossa_entry_at(archive->file, entry);
    const char **inside = calloc(count + 1, sizeof *inside);
    const char *file = NULL;
    size_t inside_count = 0;
    bool ok = inside != NULL && add_entry(p, about->name, about->has_time ? about->time : 0);
    for (size_t i = 0; ok && i < count; i++) {
        const char *rest = rest_behind(replacements[i], about->name);
        if (rest == NULL) continue;
        *used = true;
        if (rest[0] == '\0') file = strchr(replacements[i] + strlen(about->name), '=') + 1;
        else inside[inside_count++] = rest;
    }
    ossa_error error;
    if (ok && file != NULL) {
        p->entries[p->count - 1].time = os_time(file);
        ok = set_file(p, file);
    } else if (ok && inside_count > 0) {
        bool inner_used = false;
        ok = set_repacked(p, archive, entry, inside, inside_count, &inner_used);
        if (ok && !inner_used) {
            complain("%s has no entry '%s'", about->name, inside[0]);
            ok = false;
        }
    } else if (ok) {
        const ossa_options options = {.max_input = DEFAULT_MAX_INPUT};
        ossa_bytes *bytes = &p->bytes[p->count - 1];
        ok = ossa_entry_bytes(archive->file, entry, &options, bytes, &error);
        if (!ok) complain_error(about->name, &error);
        else set_data(p, bytes->data, bytes->size);
    }
    free(inside);
    return ok;
}

static bool gather_archive(struct packing *p, const struct archive *archive,
                           const char *const *replacements, size_t count, bool *used)
{
    bool ok = true;
    size_t entries = ossa_entry_count(archive->file);
    for (size_t i = 0; ok && i < entries; i++) {
        ok = add_archived(p, archive, i, replacements, count, used);
    }
    return ok;
}

/* Every replacement must find its place. */
static bool check_replacements(const struct cli *cli, const struct archive *archive)
{
    for (size_t r = 0; r < cli->replacement_count; r++) {
        bool found = false;
        size_t entries = ossa_entry_count(archive->file);
        for (size_t i = 0; i < entries && !found; i++) {
            const char *name = ossa_entry_at(archive->file, i)->name;
            found = rest_behind(cli->replacements[r], name) != NULL;
        }
        if (found) continue;
        complain("%s has no entry for --replace %s; `ossa list` shows what there is",
                 archive->shown, cli->replacements[r]);
        return false;
    }
    return true;
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* From the output's name; the game's containers of models end in .mod, .bon and .anm. */
static const char *format_of_name(const char *output)
{
    const char *dot = strrchr(os_base_name(output), '.');
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        if (ossa_format_can(format, OSSA_CAN_PACK) && ossa_format_fits_name(format, output)) {
            return format->id;
        }
    }
    bool is_container = dot != NULL && (strcmp(dot, ".mod") == 0 || strcmp(dot, ".bon") == 0 ||
                                        strcmp(dot, ".anm") == 0);
    return is_container ? "ei-res" : "";
}

static int write_archive(const struct cli *cli, const struct packing *p, const char *format)
{
    struct os_output output;
    struct os_why why;
    if (!os_open_output(&output, cli->output, &why)) {
        complain("%s: %s", cli->output, why.text);
        return EXIT_BAD_DATA;
    }
    bool ok = pack_into(p, format, (ossa_sink){os_write_output, &output}, cli->output);
    if (!ok) {
        os_discard_output(&output);
    } else if (!os_commit_output(&output, &why)) {
        complain("%s: %s", cli->output, why.text);
        ok = false;
    }
    if (ok && !cli->quiet && strcmp(cli->output, "-") != 0) {
        print_plain(stdout, cli->output);
        (void)printf(": %zu entr%s, %s\n", p->count, p->count == 1 ? "y" : "ies", format);
    }
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}

static int pack_archive(const struct cli *cli, struct packing *p, const char *format)
{
    struct archive opened;
    bool used = false;
    if (os_is_same_file(cli->inputs[0], cli->output)) {
        complain("%s would replace its own input", cli->output);
        return EXIT_BAD_CALL;
    }
    const struct archive *archive = open_word(cli, cli->inputs[0], &opened);
    int status = EXIT_BAD_DATA;
    if (archive != NULL && check_replacements(cli, archive) &&
        gather_archive(p, archive, cli->replacements, cli->replacement_count, &used)) {
        status = write_archive(cli, p, format[0] == '\0' ? archive->file->format->id : format);
    }
    if (archive != NULL) close_archive(&opened);
    return status;
}

int cmd_pack(struct cli *cli)
{
    if (cli->output == NULL) {
        complain("pack needs an output: -o ARCHIVE");
        return EXIT_BAD_CALL;
    }
    if (cli->input_count != 1) {
        complain("pack takes one folder or archive");
        return EXIT_BAD_CALL;
    }
    struct packing packing = {.cli = cli};
    char format[32] = "";
    bool is_folder = os_is_folder(cli->inputs[0]);
    const char *chosen = cli->read.format;
    if (chosen == NULL && is_folder) chosen = format_of_name(cli->output);
    (void)snprintf(format, sizeof format, "%s", chosen == NULL ? "" : chosen);
    int status;
    if (!is_folder) {
        status = pack_archive(cli, &packing, "");
    } else if (cli->replacement_count > 0) {
        complain("--replace is for an archive; in a folder, replace the file itself");
        status = EXIT_BAD_CALL;
    } else {
        bool ok = gather_folder(&packing, cli->inputs[0], format);
        status = ok ? write_archive(cli, &packing, format) : EXIT_BAD_DATA;
    }
    free_packing(&packing);
    return status;
}
