/* SPDX-License-Identifier: MIT
 *
 * ossa pack: an archive of a folder, or of an archive with other files in it. */
#include "manifest.h"
#include "packing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    ok = ok && packing_write(&inner, format, ossa_buffer_sink(buffer), path);
    packing_free(&inner);
    if (ok) packing_set_data(p, buffer->data, buffer->size);
    return ok;
}

/* Some archives have their folders among the entries: no bytes, and a separator at the end. */
static bool is_folder_entry(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && (name[size - 1] == '/' || name[size - 1] == '\\');
}

static bool add_path(struct packing *p, const char *path, const char *name, uint32_t time)
{
    if (!packing_add(p, name, time)) return false;
    if (is_folder_entry(name) && os_is_folder(path)) return true; /* which has no bytes */
    return os_is_folder(path) ? set_folder_data(p, path) : packing_set_file(p, path);
}

/* Files of a folder that its manifest does not name, or all where there is none. */
struct newcomers {
    struct packing *packing;
    const struct manifest *manifest;
    const char *folder;
    char *inner; /* the last folder that was packed as an archive; NULL: none yet */
    bool ok;
};

/* Does a folder below another say what archive it is? */
static bool is_archive_folder(const char *folder, const char *relative)
{
    char *path = path_in(folder, relative);
    char *manifest = path == NULL ? NULL : path_in(path, MANIFEST_NAME);
    bool is_archive = manifest != NULL && os_exists(manifest);
    free(manifest);
    free(path);
    return is_archive;
}

/* The folder, in a path, that the manifest names, or the whole path; what lies in a folder that is
 * an archive belongs to that. */
static bool is_listed(const struct newcomers *n, const char *relative)
{
    char *path = strdup(relative);
    bool is_there = path == NULL || manifest_names(n->manifest, path);
    for (char *c = path; !is_there && (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        is_there = manifest_names(n->manifest, path) && is_archive_folder(n->folder, path);
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
        if (folder != NULL && is_archive_folder(n->folder, folder)) return folder;
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
                                           : packing_fail_memory();
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
    if (lies_in(relative, n->inner) || packing_is_output(n->packing, path)) return;
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
        ok = path != NULL ? add_listed(p, path, line) : packing_fail_memory();
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

/* ---- the verb ------------------------------------------------------------------------------ */

static int write_archive(const struct cli *cli, const struct packing *p, const char *format)
{
    struct os_output output;
    struct os_why why;
    if (!os_open_output(&output, cli->output, &why)) {
        complain("%s: %s", cli->output, why.text);
        return EXIT_BAD_DATA;
    }
    bool ok = packing_write(p, format, (ossa_sink){os_write_output, &output}, cli->output);
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

static int pack_archive(const struct cli *cli, struct packing *p)
{
    ossa_error error;
    const char *path = cli->inputs[0];
    ossa_file *archive = ossa_workspace_open(cli->workspace, path, &cli->read, &error);
    if (archive == NULL) {
        complain_error(path, &error);
        return EXIT_BAD_DATA;
    }
    int status = EXIT_BAD_DATA;
    complain_issues(path, archive);
    if (!ossa_format_can(archive->format, OSSA_ABILITY_LIST)) {
        complain("%s: is a file of %s, not an archive", shown_name(path), archive->format->title);
    } else if (!ossa_format_can(archive->format, OSSA_ABILITY_PACK)) {
        /* Before its entries are all unpacked for nothing. */
        complain("%s: %s: such an archive can be read, but not made", shown_name(path),
                 archive->format->title);
    } else if (packing_is_output(p, path)) {
        complain("%s would replace its own input", cli->output);
        status = EXIT_BAD_CALL;
    } else if (gather_archive(p, archive, path, cli->replacements, cli->replacement_count)) {
        status = write_archive(cli, p, archive->format->id);
    }
    /* What was gathered lies in the archive. */
    packing_free(p);
    *p = (struct packing){.cli = cli};
    ossa_file_free(archive);
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
    const ossa_format *named = ossa_packing_format(cli->output);
    if (chosen == NULL && is_folder && named != NULL) chosen = named->id;
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
    packing_free(&packing);
    return status;
}
