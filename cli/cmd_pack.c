/* SPDX-License-Identifier: MIT
 *
 * ossa pack: an archive of a folder, or of an archive with other files in it. */
#include "manifest.h"
#include "walk_archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    const struct os_file_id *output; /* the file that is there already; NULL: none */
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

static uint64_t limit_of(const struct cli *cli)
{
    return cli->read.max_input == 0 ? DEFAULT_MAX_INPUT : cli->read.max_input;
}

/* What goes in is never lost to what comes out. */
static bool is_output(const struct packing *p, const char *path)
{
    struct os_file_id id;
    return p->output != NULL && os_identify(path, &id) && id.device == p->output->device &&
           id.number == p->output->number;
}

static bool set_file(struct packing *p, const char *path)
{
    struct os_why why;
    if (is_output(p, path)) {
        complain("%s would replace its own input", path);
        return false;
    }
    struct os_bytes *file = &p->files[p->count - 1];
    if (!os_read_file(path, limit_of(p->cli), file, &why)) {
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
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1, .output = p->output};
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
    char *inner; /* the last folder that was packed as an archive; NULL: none yet */
    bool ok;
};

/* The folder, in a path, that the manifest names, or the whole path; what lies in a folder that is
 * an archive belongs to that. */
static bool is_listed(const struct newcomers *n, const char *relative)
{
    char *path = strdup(relative);
    bool is_there = path == NULL || manifest_names(n->manifest, path);
    for (char *c = path; !is_there && (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        is_there = manifest_names(n->manifest, path);
        *c = '/';
    }
    free(path);
    return is_there;
}

/* The outermost folder on the way to a file that is an archive by itself, from malloc; NULL where
 * there is none. */
static char *archive_on_way(const struct newcomers *n, const char *relative)
{
    for (const char *c = relative; (c = strchr(c, '/')) != NULL; c++) {
        char *folder = strndup(relative, (size_t)(c - relative));
        char *path = folder == NULL ? NULL : path_in(n->folder, folder);
        char *manifest = path == NULL ? NULL : path_in(path, MANIFEST_NAME);
        bool is_archive = manifest != NULL && os_exists(manifest);
        free(manifest);
        free(path);
        if (is_archive) return folder;
        free(folder);
    }
    return NULL;
}

static bool lies_in(const char *relative, const char *folder)
{
    size_t size = folder == NULL ? 0 : strlen(folder);
    return size > 0 && strncmp(relative, folder, size) == 0 && relative[size] == '/';
}

static bool add_new_path(struct newcomers *n, const char *relative)
{
    char *path = path_in(n->folder, relative);
    char *name = strdup(relative);
    for (char *c = name; c != NULL && *c != '\0'; c++) {
        if (*c == '/') *c = '\\'; /* as the games have it */
    }
    bool ok = path != NULL && name != NULL ? add_path(n->packing, path, name, os_time(path))
                                           : fail_memory();
    if (ok && n->manifest->count > 0 && !n->packing->cli->quiet) {
        complain("%s is new in the archive", relative);
    }
    free(name);
    free(path);
    return ok;
}

static void add_newcomer(void *user, const char *path)
{
    struct newcomers *n = user;
    size_t base = strlen(n->folder);
    while (base > 1 && n->folder[base - 1] == '/') base--;
    const char *relative = path + base;
    while (*relative == '/') relative++;
    if (!n->ok || strcmp(relative, MANIFEST_NAME) == 0 || is_listed(n, relative)) return;
    if (lies_in(relative, n->inner) || is_output(n->packing, path)) return;
    char *inner = archive_on_way(n, relative);
    n->ok = add_new_path(n, inner == NULL ? relative : inner);
    if (inner == NULL) return;
    free(n->inner);
    n->inner = inner;
}

static void failed_folder(void *user, const char *path, const struct os_why *why)
{
    struct newcomers *n = user;
    complain("%s: %s", path, why->text);
    n->ok = false;
}

static bool add_listed(struct packing *p, const char *path, const struct manifest_line *line)
{
    if (os_exists(path)) return add_path(p, path, line->name, line->time);
    complain("%s is not there; take its line out of %s if it is not to be in the archive", path,
             MANIFEST_NAME);
    return false;
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
        ok = path != NULL ? add_listed(p, path, line) : fail_memory();
        free(path);
    }
    struct newcomers newcomers = {p, &manifest, folder, NULL, true};
    if (ok) ok = os_walk(folder, add_newcomer, failed_folder, &newcomers) && newcomers.ok;
    free(newcomers.inner);
    manifest_free(&manifest);
    if (ok && format[0] == '\0') {
        complain("%s: nothing says which archive to make of it: use --format", folder);
        ok = false;
    }
    return ok;
}

/* ---- of an archive ------------------------------------------------------------------------- */

/* NAME=FILE of a call, in the archive that it leads to. */
struct replacement {
    size_t entry;
    const char
        *inside;      /* what it says behind the entry's name, "hd=FILE"; NULL: the entry itself */
    const char *file; /* then, what takes its place */
};

/* Names may have = and # in them: the longest that is an entry's is meant. */
static bool resolve(const struct archive *archive, const char *text, struct replacement *found)
{
    char *name = strdup(text);
    bool ok = false;
    for (size_t size = strlen(text); name != NULL && !ok && size-- > 0;) {
        if (text[size] != '=' && text[size] != '#') continue;
        name[size] = '\0';
        int64_t entry = find_entry(archive, name);
        ok = entry >= 0;
        *found = (struct replacement){.entry = ok ? (size_t)entry : 0};
        if (text[size] == '=') found->file = text + size + 1;
        else found->inside = text + size + 1;
    }
    free(name);
    if (!ok) {
        complain("%s has no entry for --replace %s; `ossa list %s` shows what there is",
                 archive->shown, text, archive->shown);
    }
    return ok;
}

static int compare_replacements(const void *a, const void *b)
{
    const struct replacement *x = a;
    const struct replacement *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Those for an archive, in the order of its entries and with one more at the end that is for none;
 * NULL after a message. */
static struct replacement *resolve_all(const struct archive *archive, const char *const *texts,
                                       size_t count)
{
    struct replacement *list = calloc(count + 1, sizeof *list);
    bool ok = list != NULL || fail_memory();
    for (size_t i = 0; ok && i < count; i++) ok = resolve(archive, texts[i], &list[i]);
    if (ok && count > 1) qsort(list, count, sizeof *list, compare_replacements);
    for (size_t i = 1; ok && i < count; i++) {
        bool is_whole = list[i].file != NULL || list[i - 1].file != NULL;
        if (list[i].entry != list[i - 1].entry || !is_whole) continue;
        complain("%s#%s is to be replaced twice", archive->shown,
                 ossa_entry_at(archive->file, list[i].entry)->name);
        ok = false;
    }
    if (ok) {
        list[count].entry = SIZE_MAX;
        return list;
    }
    free(list);
    return NULL;
}

static bool gather_archive(struct packing *p, const struct archive *archive,
                           const char *const *replacements, size_t count);

/* An archive inside, with some of its entries replaced. */
static bool set_repacked(struct packing *p, const struct archive *archive, size_t entry,
                         const struct replacement *replacements, size_t count)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1, .output = p->output};
    struct loaded loaded;
    struct archive opened;
    ossa_error error;
    const char *name = ossa_entry_at(archive->file, entry)->name;
    const ossa_options options = {.max_input = limit_of(p->cli)};
    const char **texts = calloc(count, sizeof *texts);
    if (texts == NULL) return fail_memory();
    for (size_t i = 0; i < count; i++) texts[i] = replacements[i].inside;
    if (!load_entry(archive, entry, &options, &loaded, &error) ||
        !open_loaded_entry(archive, name, &loaded, &opened, &error)) {
        char *word = entry_word(archive, name);
        complain_error(word == NULL ? name : word, &error);
        free(word);
        free(texts);
        return false;
    }
    ossa_buffer *buffer = &p->packed[p->count - 1];
    bool ok = index_entries(&opened) || fail_memory();
    ok = ok && gather_archive(&inner, &opened, texts, count) &&
         pack_into(&inner, opened.file->format->id, ossa_buffer_sink(buffer), opened.shown);
    free_packing(&inner);
    close_archive(&opened);
    free(texts);
    if (ok) set_data(p, buffer->data, buffer->size);
    return ok;
}

static bool set_entry(struct packing *p, const struct archive *archive, size_t entry)
{
    const ossa_options options = {.max_input = limit_of(p->cli)};
    ossa_bytes *bytes = &p->bytes[p->count - 1];
    ossa_error error;
    if (!ossa_entry_bytes(archive->file, entry, &options, bytes, &error)) {
        complain_error(archive->shown, &error);
        return false;
    }
    set_data(p, bytes->data, bytes->size);
    return true;
}

/* An entry as it is, or with the replacements for it. */
static bool add_archived(struct packing *p, const struct archive *archive, size_t entry,
                         const struct replacement *replacements, size_t count)
{
    const ossa_entry *about = ossa_entry_at(archive->file, entry);
    if (!add_entry(p, about->name, about->has_time ? about->time : 0)) return false;
    if (count == 0) return set_entry(p, archive, entry);
    if (replacements[0].file == NULL) {
        return set_repacked(p, archive, entry, replacements, count);
    }
    p->entries[p->count - 1].time = os_time(replacements[0].file);
    return set_file(p, replacements[0].file);
}

static bool gather_archive(struct packing *p, const struct archive *archive,
                           const char *const *replacements, size_t count)
{
    struct replacement *list = resolve_all(archive, replacements, count);
    const struct replacement *next = list;
    bool ok = list != NULL;
    size_t entries = ossa_entry_count(archive->file);
    for (size_t i = 0; ok && i < entries; i++) {
        size_t found = 0;
        while (next[found].entry == i) found++;
        ok = add_archived(p, archive, i, next, found);
        next += found;
    }
    free(list);
    return ok;
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
    bool is_container =
        dot != NULL && (strcasecmp(dot, ".mod") == 0 || strcasecmp(dot, ".bon") == 0 ||
                        strcasecmp(dot, ".anm") == 0);
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

/* Would the output replace the archive, or one that it lies in? */
static bool replaces_input(const struct packing *p, const char *word)
{
    bool replaces = is_output(p, word);
    for (size_t i = 0; i < p->cli->archives->count && !replaces; i++) {
        replaces = is_output(p, p->cli->archives->open[i]->shown);
    }
    if (replaces) complain("%s would replace its own input", p->cli->output);
    return replaces;
}

static int pack_archive(const struct cli *cli, struct packing *p)
{
    struct archive opened;
    const struct archive *archive = open_word(cli, cli->inputs[0], &opened);
    if (archive == NULL) return EXIT_BAD_DATA;
    int status = EXIT_BAD_DATA;
    if (replaces_input(p, cli->inputs[0])) {
        status = EXIT_BAD_CALL;
    } else if (!index_entries(&opened)) {
        (void)fail_memory();
    } else if (gather_archive(p, archive, cli->replacements, cli->replacement_count)) {
        status = write_archive(cli, p, archive->file->format->id);
    }
    /* What was gathered lies in the archive. */
    free_packing(p);
    *p = (struct packing){.cli = cli};
    close_archive(&opened);
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
    struct os_file_id output;
    if (os_identify(cli->output, &output)) packing.output = &output;
    char format[32] = "";
    bool is_folder = os_is_folder(cli->inputs[0]);
    const char *chosen = cli->read.format;
    if (chosen == NULL && is_folder) chosen = format_of_name(cli->output);
    (void)snprintf(format, sizeof format, "%s", chosen == NULL ? "" : chosen);
    int status;
    if (!is_folder) {
        status = pack_archive(cli, &packing);
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
