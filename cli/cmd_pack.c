/* SPDX-License-Identifier: MIT
 *
 * ossa pack: an archive from a folder, or from an archive with some entries replaced. */
#include "base/fold.h"
#include "manifest.h"
#include "packing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- from a folder ------------------------------------------------------------------------- */

static bool gather_folder(struct packing *p, const char *folder, char kind[32]);

static bool set_folder_data(struct packing *p, const char *path)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1};
    char kind[32] = "";
    bool ok = inner.depth <= DEEPEST_ARCHIVE;
    if (!ok) complain("%s: folders are nested too deeply", path);
    ok = ok && gather_folder(&inner, path, kind);
    return packing_set_archive(p, &inner, kind, path, ok);
}

static bool add_path(struct packing *p, const char *path, const char *name, uint32_t time)
{
    packing_add(p, name, time);
    if (!os_is_folder(path)) return packing_set_file(p, path);
    return is_folder_name(name) || set_folder_data(p, path); /* the former without bytes */
}

/* Files that the manifest of a folder does not list, or all if there is no manifest. */
struct newcomers {
    struct packing *packing;
    const struct manifest *manifest;
    const char *folder;
    char *last; /* the last one that was added, from malloc; NULL: none yet */
    bool ok;
};

/* Does a folder have a manifest of its own? */
static bool is_archive_folder(const char *folder, const char *relative)
{
    char *path = format_text("%s/%s/%s", folder, relative, MANIFEST_NAME);
    bool is_archive = os_exists(path);
    free(path);
    return is_archive;
}

/* Does the manifest list a path, or an archive folder around it? */
static bool is_listed(const struct newcomers *n, const char *relative)
{
    char *path = copy_text(relative);
    bool is_there = manifest_has(n->manifest, path);
    for (char *c = path; !is_there && (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        is_there = manifest_has(n->manifest, path) && is_archive_folder(n->folder, path);
        *c = '/';
    }
    free(path);
    return is_there;
}

/* The outermost folder around a file that is an archive of its own, or the file itself; from
 * malloc. */
static char *entry_around(const struct newcomers *n, const char *relative)
{
    char *path = copy_text(relative);
    for (char *c = path; (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        if (is_archive_folder(n->folder, path)) break;
        *c = '/';
    }
    return path;
}

/* Folders are separated by /: a format that knows another separator writes that. */
static bool add_new_path(struct newcomers *n, const char *relative)
{
    char *path = path_in(n->folder, relative);
    bool ok = add_path(n->packing, path, relative, os_time(path));
    if (ok && n->manifest->count > 0 && !n->packing->cli->quiet) {
        complain("%s is a new entry", relative);
    }
    free(path);
    return ok;
}

static ossa_step add_newcomer(void *user, const ossa_visit *visit)
{
    struct newcomers *n = user;
    const char *path = visit->path;
    if (visit->error != NULL) {
        complain_error(path, visit->error);
        n->ok = false;
        return OSSA_STEP_OVER;
    }
    const char *relative = path + strlen(n->folder);
    while (*relative == '/') relative++;
    bool is_known = strcmp(relative, MANIFEST_NAME) == 0 || is_listed(n, relative);
    if (is_known || os_is_same_file(path, n->packing->cli->output)) return OSSA_STEP_OVER;
    char *entry = entry_around(n, relative);
    /* Files of one archive folder follow each other. */
    if (n->last == NULL || strcmp(n->last, entry) != 0) n->ok = add_new_path(n, entry) && n->ok;
    free(n->last);
    n->last = entry;
    return n->ok ? OSSA_STEP_OVER : OSSA_STEP_STOP;
}

static bool add_newcomers(struct packing *p, const char *folder, const struct manifest *manifest)
{
    struct newcomers newcomers = {p, manifest, folder, NULL, true};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_NAMES, .visit = add_newcomer, .user = &newcomers};
    ossa_error error;
    bool ok = ossa_workspace_walk(p->cli->workspace, folder, &walk, &error);
    if (!ok) complain_error(folder, &error);
    free(newcomers.last);
    return ok && newcomers.ok;
}

/* The name that an archive of this kind has for an entry; NULL: unknown. From malloc. */
static char *name_when_packed(struct cli *cli, const char *kind, const char *name)
{
    struct packing packing = {.cli = cli};
    ossa_buffer buffer = {0};
    ossa_file *file = NULL;
    ossa_error error;
    char *found = NULL;
    packing_add(&packing, name, 0);
    if (packing_write(&packing, kind, ossa_buffer_sink(&buffer), &error)) {
        char *format = format_text("%.*s", (int)strcspn(kind, " "), kind);
        file = ossa_read(buffer.data, buffer.size, &(ossa_options){.format = format}, &error);
        free(format);
    }
    if (file != NULL && ossa_entry_count(file) == 1)
        found = copy_text(ossa_entry_at(file, 0)->name);
    ossa_file_free(file);
    ossa_buffer_free(&buffer);
    packing_free(&packing);
    return found;
}

/* Some archives have names that ours of the same kind cannot have, such as one with / in a RES. */
static void warn_of_new_name(struct cli *cli, const char *kind, const char *path, const char *name)
{
    char *packed = name_when_packed(cli, kind, name);
    if (packed != NULL && strcmp(packed, name) != 0) {
        complain("warning: %s: the entry was called %s, and is called %s now", path, name, packed);
    }
    free(packed);
}

static bool add_listed(struct packing *p, const char *path, const struct manifest_line *line)
{
    if (os_exists(path)) return add_path(p, path, line->name, line->time);
    complain("%s does not exist; remove its line from %s to leave it out", path, MANIFEST_NAME);
    return false;
}

static bool gather_folder(struct packing *p, const char *folder, char kind[32])
{
    struct manifest manifest;
    if (!manifest_load(&manifest, folder)) return false;
    /* The manifest also knows the dialect of what is asked for by its format. */
    size_t size = strlen(kind);
    bool is_same = strncmp(manifest.kind, kind, size) == 0 && manifest.kind[size] == ' ';
    if (size == 0 || is_same) (void)snprintf(kind, 32, "%s", manifest.kind);
    bool ok = true;
    for (size_t i = 0; ok && i < manifest.count; i++) {
        const struct manifest_line *line = &manifest.lines[i];
        char *path = path_in(folder, line->file);
        /* In another kind of archive, separators are others anyway. */
        if (strcmp(kind, manifest.kind) == 0) warn_of_new_name(p->cli, kind, path, line->name);
        ok = add_listed(p, path, line);
        free(path);
    }
    ok = ok && add_newcomers(p, folder, &manifest);
    manifest_free(&manifest);
    if (ok && kind[0] == '\0') {
        complain("%s: unknown kind of archive; use --format", folder);
        ok = false;
    }
    return ok;
}

/* What the library finds in a folder. */
struct found {
    const char *folder;
    struct names names;
    struct texts *folders;
};

static void note_found(void *context, const char *name, bool is_folder)
{
    struct found *found = context;
    (void)names_add(&found->names, ossa__hash_bytes(name, strlen(name)));
    if (is_folder) texts_add(found->folders, path_in(found->folder, name));
}

/* What else there is cannot be an entry. */
static void warn_of_others(const char *folder, struct texts *folders)
{
    const ossa_filesystem disk = ossa_disk_filesystem();
    struct found found = {.folder = folder, .folders = folders};
    struct texts all = {0};
    ossa_error error;
    os_list_folder(folder, &all);
    bool ok = disk.list(disk.user, folder, note_found, &found, &error);
    for (size_t i = 0; ok && i < all.count; i++) {
        const char *name = all.items[i];
        if (names_has(&found.names, ossa__hash_bytes(name, strlen(name)))) continue;
        complain("warning: %s/%s: is left out: it is neither a file nor a folder, nor a link to a "
                 "file",
                 folder, name);
    }
    texts_free(&all);
    names_free(&found.names);
}

/* Pipes, links to folders and links to nowhere, in a folder and those below it. */
static void warn_of_skipped(const char *folder)
{
    struct texts folders = {0};
    texts_add(&folders, copy_text(folder));
    for (size_t i = 0; i < folders.count; i++) warn_of_others(folders.items[i], &folders);
    texts_free(&folders);
}

/* ---- the verb ------------------------------------------------------------------------------ */

static int write_archive(const struct packing *p, const char *kind)
{
    const struct cli *cli = p->cli;
    struct os_output output;
    char *format = format_text("%.*s", (int)strcspn(kind, " "), kind);
    const struct output_kind wanted = {kind, .format = ossa_format_find(format)};
    free(format);
    if (overwrites_input(cli, cli->output)) return EXIT_BAD_CALL;
    /* An unknown format is reported when it is packed. */
    if (wanted.format != NULL && !may_replace(cli, cli->output, &wanted)) return EXIT_BAD_CALL;
    if (!open_output(&output, cli->output)) return EXIT_BAD_DATA;
    ossa_error error;
    bool ok = packing_write(p, kind, output_sink(&output), &error);
    if (!ok && output.problem == 0) complain_error(cli->output, &error);
    ok = close_output(&output, cli->output, ok);
    if (ok && !cli->quiet && strcmp(cli->output, "-") != 0) {
        print_line("%s: %zu entr%s, %s", cli->output, p->count, plural_y(p->count), kind);
    }
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}

static int pack_folder(struct cli *cli, struct packing *p)
{
    char kind[32] = "";
    const char *folder = cli->inputs[0];
    const ossa_format *named = ossa_packing_format(cli->output);
    const char *chosen = cli->read.format != NULL ? cli->read.format
                         : named != NULL          ? named->id
                                                  : "";
    if (cli->replace.count > 0) {
        complain("--replace needs an archive; in a folder, replace the file itself");
        return EXIT_BAD_CALL;
    }
    (void)snprintf(kind, sizeof kind, "%s", chosen);
    bool ok = gather_folder(p, folder, kind);
    size_t size = strcspn(kind, " ");
    if (cli->read.dialect != NULL) {
        (void)snprintf(kind + size, sizeof kind - size, " %s", cli->read.dialect);
    }
    if (ok) warn_of_skipped(folder);
    int status = ok ? write_archive(p, kind) : EXIT_BAD_DATA;
    packing_free(p);
    return status;
}

static int run(struct cli *cli)
{
    struct packing packing = {.cli = cli};
    if (cli->output == NULL) {
        complain("pack needs an output: -o ARCHIVE");
        return EXIT_BAD_CALL;
    }
    if (cli->input_count != 1) {
        complain("pack takes one folder or archive");
        return EXIT_BAD_CALL;
    }
    for (size_t i = 0; i < cli->replace.count; i++) {
        if (strchr(cli->replace.items[i], '=') != NULL) continue;
        complain("--replace needs NAME=FILE, not '%s'", cli->replace.items[i]);
        return EXIT_BAD_CALL;
    }
    return os_is_folder(cli->inputs[0]) ? pack_folder(cli, &packing) : pack_archive(cli);
}

const struct verb verb_pack = {
    .name = "pack",
    .summary = "make an archive from a folder, or change one",
    .inputs = "[OPTIONS] FOLDER|ARCHIVE -o ARCHIVE",
    .details =
        "The inverse of extract: the same entries in the same order with the same times, followed\n"
        "by new files. If the input is an archive, its entries are packed again, and --replace\n"
        "gives some of them new contents, which must have the format of the old ones; NAME may\n"
        "lead into archives inside, as in unmotr.anm#cwalk#hd. A PNG for a texture becomes a\n"
        "texture of the same kind. In a file without a directory, such as NICO.DAT, NAME is an\n"
        "offset as `ossa list` shows it, and what replaces the file there may be smaller, not\n"
        "larger. --format or the name of the output selects the kind of archive.",
    .example = "ossa pack figures/ -o figures.res\n"
               "  ossa pack figures.res --replace unmotr.mod=new.mod -o out.res",
    .needs_input = true,
    .run = run,
};
