/* SPDX-License-Identifier: MIT
 *
 * ossa pack: an archive from a folder, or from an archive with some entries replaced. */
#include "manifest.h"
#include "packing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- from a folder ------------------------------------------------------------------------- */

static bool gather_folder(struct packing *p, const char *folder, char format[32]);

static bool set_folder_data(struct packing *p, const char *path)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1, .output = p->output};
    char format[32] = "";
    bool ok = inner.depth <= DEEPEST_ARCHIVE;
    if (!ok) complain("%s: folders are nested too deeply", path);
    ok = ok && gather_folder(&inner, path, format);
    return packing_set_archive(p, &inner, format, path, ok);
}

/* Some archives store folders as empty entries whose names end in a separator. */
static bool is_folder_entry(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && (name[size - 1] == '/' || name[size - 1] == '\\');
}

static bool add_path(struct packing *p, const char *path, const char *name, uint32_t time)
{
    if (!packing_add(p, name, time)) return false;
    if (is_folder_entry(name) && os_is_folder(path)) return true; /* without bytes */
    return os_is_folder(path) ? set_folder_data(p, path) : packing_set_file(p, path);
}

/* Files that the manifest of a folder does not list, or all if there is no manifest. */
struct newcomers {
    struct packing *packing;
    const struct manifest *manifest;
    const char *folder;
    char *inner; /* the last folder that was packed as an archive; NULL: none yet */
    bool ok;
};

/* Does a folder have a manifest of its own? */
static bool is_archive_folder(const char *folder, const char *relative)
{
    char *path = path_in(folder, relative);
    char *manifest = path == NULL ? NULL : path_in(path, MANIFEST_NAME);
    bool is_archive = manifest != NULL && os_exists(manifest);
    free(manifest);
    free(path);
    return is_archive;
}

/* Does the manifest list a path, or an archive folder around it? */
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

/* The outermost folder around a file that is an archive of its own, from malloc; or NULL. */
static char *archive_around(const struct newcomers *n, const char *relative)
{
    for (const char *c = relative; (c = strchr(c, '/')) != NULL; c++) {
        char *folder = strndup(relative, (size_t)(c - relative));
        if (folder != NULL && is_archive_folder(n->folder, folder)) return folder;
        free(folder);
    }
    return NULL;
}

static bool is_in(const char *relative, const char *folder)
{
    size_t size = folder == NULL ? 0 : strlen(folder);
    return size > 0 && strncmp(relative, folder, size) == 0 && relative[size] == '/';
}

static bool add_new_path(struct newcomers *n, const char *relative)
{
    char *path = path_in(n->folder, relative);
    char *name = strdup(relative);
    for (char *c = name; c != NULL && *c != '\0'; c++) {
        if (*c == '/') *c = '\\'; /* as in the games */
    }
    bool ok = path != NULL && name != NULL ? add_path(n->packing, path, name, os_time(path))
                                           : packing_fail_memory();
    if (ok && n->manifest->count > 0 && !n->packing->cli->quiet) {
        complain("%s is a new entry", relative);
    }
    free(name);
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
    size_t base = strlen(n->folder);
    while (base > 1 && n->folder[base - 1] == '/') base--;
    const char *relative = path + base;
    while (*relative == '/') relative++;
    bool is_known = strcmp(relative, MANIFEST_NAME) == 0 || is_listed(n, relative);
    if (is_known || is_in(relative, n->inner) || packing_is_output(n->packing, path)) {
        return OSSA_STEP_OVER;
    }
    char *inner = archive_around(n, relative);
    n->ok = add_new_path(n, inner == NULL ? relative : inner) && n->ok;
    if (inner != NULL) {
        free(n->inner);
        n->inner = inner;
    }
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
    free(newcomers.inner);
    return ok && newcomers.ok;
}

static bool add_listed(struct packing *p, const char *path, const struct manifest_line *line)
{
    if (os_exists(path)) return add_path(p, path, line->name, line->time);
    complain("%s does not exist; remove its line from %s to leave it out", path, MANIFEST_NAME);
    return false;
}

static bool gather_folder(struct packing *p, const char *folder, char format[32])
{
    struct manifest manifest;
    if (!manifest_load(&manifest, folder)) return false;
    if (format[0] == '\0') (void)snprintf(format, 32, "%s", manifest.format);
    bool ok = true;
    for (size_t i = 0; ok && i < manifest.count; i++) {
        const struct manifest_line *line = &manifest.lines[i];
        char *path = path_in(folder, line->file);
        ok = path != NULL ? add_listed(p, path, line) : packing_fail_memory();
        free(path);
    }
    ok = ok && add_newcomers(p, folder, &manifest);
    manifest_free(&manifest);
    if (ok && format[0] == '\0') {
        complain("%s: unknown kind of archive; use --format", folder);
        ok = false;
    }
    return ok;
}

/* ---- the verb ------------------------------------------------------------------------------ */

static int write_archive(const struct cli *cli, const struct packing *p, const char *format)
{
    struct os_output output;
    if (!open_output(&output, cli->output)) return EXIT_BAD_DATA;
    bool ok = packing_write(p, format, (ossa_sink){os_write_output, &output}, cli->output);
    ok = close_output(&output, cli->output, ok);
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
        complain_not_archive(path, archive->format);
    } else if (!ossa_format_can(archive->format, OSSA_ABILITY_PACK)) {
        /* Checked before all entries are unpacked. */
        complain("%s: %s: this kind of archive can be read, but not packed", shown_name(path),
                 archive->format->title);
    } else if (packing_is_output(p, path)) {
        complain("%s would overwrite an input", cli->output);
        status = EXIT_BAD_CALL;
    } else if (gather_archive(p, archive, path, cli->replacements, cli->replacement_count)) {
        status = write_archive(cli, p, archive->format->id);
    }
    /* The entries point into the archive. */
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
        complain("--replace needs an archive; in a folder, replace the file itself");
        status = EXIT_BAD_CALL;
    } else {
        bool ok = gather_folder(&packing, cli->inputs[0], format);
        status = ok ? write_archive(cli, &packing, format) : EXIT_BAD_DATA;
    }
    packing_free(&packing);
    return status;
}
