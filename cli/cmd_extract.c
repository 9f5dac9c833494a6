/* SPDX-License-Identifier: MIT
 *
 * ossa extract: files from an archive. Names are hostile: nothing is written outside the folder,
 * and nothing is lost because two names differ only in case. */
#include "base/fold.h"
#include "manifest.h"
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A folder that is being filled: that of the archive, or of an archive inside. It is created when
 * there is something to put into it. */
struct level {
    char *relative; /* to the output folder; "" for that itself */
    char *name;     /* of the entry, relative to the level above */
    bool is_wanted; /* even if it stays empty */
    struct names names;
    struct manifest manifest;
    bool can_pack; /* otherwise a manifest is useless */
};

struct extractor {
    struct cli *cli;
    char *archive; /* its path, from malloc */
    char *folder;  /* the output folder, from malloc */
    bool is_new;   /* the folder did not exist before */
    struct level *levels;
    size_t depth; /* of the level that is being filled */
    size_t capacity;
    struct progress progress;
    size_t files;
    uint64_t bytes;
    bool is_archive_named; /* the input is an archive, not an entry of one */
    bool failed;
};

/* ---- names --------------------------------------------------------------------------------- */

/* Some archives store folders as empty entries whose names end in a separator. */
static bool is_folder_entry(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && (name[size - 1] == '/' || name[size - 1] == '\\');
}

/* Is the path the name in the archive, apart from the kind of separator? */
static bool is_as_named(const char *path, const char *name)
{
    for (; *path != '\0' && *name != '\0'; path++, name++) {
        if (*path != (*name == '\\' ? '/' : *name)) return false;
    }
    if (*path == '\0' && is_folder_entry(name) && name[1] == '\0') name++; /* a folder */
    return *path == *name;
}

/* The default output folder: the name of the archive without its extension. */
static char *default_folder(const char *word)
{
    const char *base = os_base_name(word);
    const char *mark = strrchr(base, '#');
    if (mark != NULL) base = mark + 1;
    size_t size = ossa_file_name(base, NULL, 0) + 16;
    char *folder = malloc(size);
    if (folder == NULL) return NULL;
    (void)ossa_file_name(strcmp(word, "-") == 0 ? "archive" : base, folder, size);
    char *dot = strrchr(folder, '.');
    if (dot != NULL && dot != folder) *dot = '\0';
    else (void)strncat(folder, "_files", size - strlen(folder) - 1);
    return folder;
}

/* ---- levels -------------------------------------------------------------------------------- */

/* "troll.anm/walk" for "walk" in "troll.anm", from malloc. */
static char *join_relative(const struct level *level, const char *name)
{
    return level->relative[0] == '\0' ? strdup(name) : path_in(level->relative, name);
}

static bool begin_level(struct extractor *x, char *relative, char *name, bool is_wanted,
                        const ossa_format *format)
{
    bool ok = relative != NULL && name != NULL;
    if (ok && x->depth == x->capacity) {
        struct level *larger = realloc(x->levels, (x->capacity + 4) * sizeof *larger);
        if (larger != NULL) {
            x->levels = larger;
            x->capacity += 4;
        } else {
            ok = false;
        }
    }
    if (!ok) {
        free(relative);
        free(name);
        complain("out of memory for a name");
        return false;
    }
    struct level *level = &x->levels[x->depth];
    *level = (struct level){.relative = relative, .name = name, .is_wanted = is_wanted};
    level->can_pack = format != NULL && ossa_format_can(format, OSSA_ABILITY_PACK);
    if (format == NULL) return true;
    (void)snprintf(level->manifest.format, sizeof level->manifest.format, "%s", format->id);
    free(take_path(&level->names, MANIFEST_NAME, false)); /* no entry may overwrite it */
    return true;
}

/* Returns whether its folder exists now. */
static bool end_level(struct extractor *x)
{
    struct level *level = &x->levels[x->depth];
    struct os_why why = {.text = "out of memory"};
    bool is_there = level->is_wanted || level->manifest.count > 0;
    char *path = NULL;
    if (is_there) {
        path = level->relative[0] == '\0'
                   ? strdup(x->folder)
                   : os_prepare_below(x->folder, level->relative, true, &why);
        if (path == NULL) complain("%s: %s", level->relative, why.text);
        bool ok = path != NULL && (!level->can_pack || manifest_save(&level->manifest, path));
        if (!ok) x->failed = true;
    }
    free(path);
    manifest_free(&level->manifest);
    names_free(&level->names);
    free(level->relative);
    free(level->name);
    *level = (struct level){.relative = NULL};
    return is_there;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* "walk.anim" of "anim/walk.anim". */
static const char *last_part(const char *name)
{
    const char *part = name;
    for (const char *c = name; *c != '\0'; c++) {
        if ((*c == '/' || *c == '\\') && c[1] != '\0') part = c + 1;
    }
    return part;
}

/* Does a pattern match the entry, or an archive that it is in? */
static bool is_wanted(const struct extractor *x, const ossa_visit *visit)
{
    if (x->cli->input_count < 2 || (x->depth > 0 && x->levels[x->depth].is_wanted)) return true;
    /* A pattern may match the name, the name without folders, or the path after the archive. */
    const char *name = visit->entry->name;
    const char *word = visit->path + strlen(x->archive);
    if (*word == '#') word++;
    for (size_t i = 1; i < x->cli->input_count; i++) {
        const char *pattern = x->cli->inputs[i];
        if (ossa__matches(pattern, name) || ossa__matches(pattern, word)) return true;
        if (ossa__matches(pattern, last_part(name))) return true;
    }
    return false;
}

static bool write_file(const char *path, const ossa_visit *visit)
{
    struct os_output output;
    if (!open_output(&output, path)) return false;
    if (visit->size > 0) (void)os_write_output(&output, visit->data, (size_t)visit->size);
    if (!close_output(&output, path, true)) return false;
    if (visit->entry->has_time) os_set_time(path, visit->entry->time);
    return true;
}

/* The name to write an entry under, from malloc. A file found by a search adds its own name. */
static char *name_of(struct extractor *x, const ossa_visit *visit)
{
    const char *dot = strrchr(visit->entry->name, '.');
    char clean[256];
    char name[512];
    if (visit->own_name == NULL || dot == NULL) {
        bool is_folder = is_folder_entry(visit->entry->name) && visit->entry->size == 0;
        return take_path(&x->levels[x->depth].names, visit->entry->name, is_folder);
    }
    (void)ossa_file_name(visit->own_name, clean, sizeof clean);
    (void)snprintf(name, sizeof name, "%.*s-%s%s", (int)(dot - visit->entry->name),
                   visit->entry->name, clean, dot);
    return take_path(&x->levels[x->depth].names, name, false);
}

static bool extract_file(struct extractor *x, const ossa_visit *visit, const char *name)
{
    struct level *level = &x->levels[x->depth];
    struct os_why why;
    char *relative = join_relative(level, name);
    bool is_folder = is_folder_entry(visit->entry->name) && visit->entry->size == 0;
    char *path = relative == NULL ? NULL : os_prepare_below(x->folder, relative, is_folder, &why);
    uint32_t time = visit->entry->has_time ? visit->entry->time : 0;
    bool ok = path != NULL;
    if (!ok) {
        progress_hide(&x->progress);
        complain("%s: %s", visit->path, relative == NULL ? "out of memory" : why.text);
    }
    ok = ok && (is_folder || write_file(path, visit)) &&
         manifest_add(&level->manifest, time, name, visit->entry->name);
    if (ok && !is_folder) x->files++;
    if (ok) x->bytes += visit->size;
    free(path);
    free(relative);
    return ok;
}

/* An archive inside becomes a folder. It is entered even if only entries in it may match. */
static bool enter_archive(struct extractor *x, const ossa_visit *visit, const char *name,
                          bool wanted)
{
    char *relative = join_relative(&x->levels[x->depth], name);
    x->depth++;
    bool ok = begin_level(x, relative, strdup(name), wanted, visit->format);
    if (!ok) x->depth--;
    return ok;
}

/* Prepare the output folder for the archive. */
static bool begin_archive(struct extractor *x, const ossa_visit *visit)
{
    struct os_why why;
    const struct cli *cli = x->cli;
    x->archive = strdup(visit->path);
    x->folder = cli->to == NULL ? default_folder(visit->path) : strdup(cli->to);
    if (x->archive == NULL || x->folder == NULL) {
        complain("out of memory for a name");
        return false;
    }
    x->is_new = !os_exists(x->folder);
    if (!os_make_folder(x->folder, &why)) {
        complain("%s: %s", x->folder, why.text);
        return false;
    }
    progress_start(&x->progress, visit->entry_count);
    return begin_level(x, strdup(""), strdup(""), cli->input_count < 2, visit->format);
}

/* The first visit: the archive itself. */
static ossa_step begin(struct extractor *x, const ossa_visit *visit)
{
    progress_hide(&x->cli->search);
    if (visit->error != NULL) complain_error(visit->path, visit->error);
    else if (!visit->is_archive) {
        complain_not_archive(visit->path, visit->format);
    } else {
        if (visit->file != NULL) complain_issues(visit->path, visit->file);
        if (begin_archive(x, visit)) return OSSA_STEP_INTO;
    }
    x->failed = true;
    return OSSA_STEP_STOP;
}

static ossa_step extract_entry(void *user, const ossa_visit *visit)
{
    struct extractor *x = user;
    if (x->folder == NULL) {
        /* If the input is an archive inside another, skip the archive around it. */
        bool is_around = visit->is_part && x->is_archive_named;
        if (is_around) return OSSA_STEP_INTO;
        return begin(x, visit);
    }
    if (x->depth == 0) progress_step(&x->progress);
    if (visit->error != NULL) {
        progress_hide(&x->progress);
        complain_error(visit->path, visit->error);
        x->failed = true;
    }
    if (visit->data == NULL && visit->size > 0) return OSSA_STEP_OVER;
    bool wanted = is_wanted(x, visit);
    bool enters = visit->is_archive && !x->cli->raw;
    if (!wanted && !enters) return OSSA_STEP_OVER;
    char *name = name_of(x, visit);
    bool ok = name != NULL;
    if (!ok) complain("out of memory for a name");
    if (ok && wanted && visit->own_name == NULL && !is_as_named(name, visit->entry->name)) {
        progress_hide(&x->progress);
        complain("warning: %s: written as %s", visit->path, name);
    }
    ok = ok && (enters ? enter_archive(x, visit, name, wanted) : extract_file(x, visit, name));
    if (!ok) x->failed = true;
    free(name);
    return ok && enters ? OSSA_STEP_INTO : OSSA_STEP_OVER;
}

static void leave_archive(void *user, const ossa_visit *visit)
{
    struct extractor *x = user;
    if (x->depth == 0) return; /* the archive itself, or one around it */
    uint32_t time = visit->entry->has_time ? visit->entry->time : 0;
    char *name = strdup(x->levels[x->depth].name);
    bool is_there = end_level(x);
    struct level *above = &x->levels[--x->depth];
    if (is_there &&
        (name == NULL || !manifest_add(&above->manifest, time, name, visit->entry->name))) {
        complain("out of memory for a name");
        x->failed = true;
    }
    free(name);
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Does a path lead to an archive, or to entries of one? */
static ossa_step note_archive(void *user, const ossa_visit *visit)
{
    bool *is_archive = user;
    if (visit->is_part) {
        *is_archive = visit->entry_count == 1;
        return OSSA_STEP_INTO;
    }
    *is_archive = *is_archive && visit->is_archive;
    return OSSA_STEP_STOP;
}

static bool is_archive_named(const struct cli *cli, const char *word)
{
    bool is_archive = true;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .visit = note_archive, .user = &is_archive};
    if (strchr(word, '#') == NULL) return true;
    return ossa_workspace_walk(cli->workspace, word, &walk, NULL) && is_archive;
}

int cmd_extract(struct cli *cli)
{
    struct extractor x = {.cli = cli};
    ossa_error error;
    const char *word = cli->inputs[0];
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_BYTES,
                                    .deep = !cli->raw,
                                    .search = true,
                                    .read = &cli->read,
                                    .visit = extract_entry,
                                    .leave = leave_archive,
                                    .user = &x};
    x.is_archive_named = is_archive_named(cli, word);
    if (os_is_folder(word)) {
        complain("%s: is a folder, expected a file", word);
        return EXIT_BAD_DATA;
    }
    if (!ossa_workspace_walk(cli->workspace, word, &walk, &error)) {
        progress_hide(&x.progress);
        complain_error(word, &error);
        x.failed = true;
    }
    progress_hide(&x.progress);
    if (x.levels != NULL) {
        while (x.depth > 0) {
            (void)end_level(&x); /* the walk ended early */
            x.depth--;
        }
        (void)end_level(&x);
    }
    if (x.levels != NULL && x.files == 0 && cli->input_count > 1 && !x.failed) {
        complain("nothing in %s matches the pattern%s; `ossa list --flat` shows all entries",
                 shown_name(word), plural(cli->input_count - 1));
        x.failed = true;
    } else if (x.levels != NULL && !cli->quiet) {
        print_plain(stdout, x.folder);
        (void)printf(": %zu file%s, %" PRIu64 " bytes\n", x.files, plural(x.files), x.bytes);
    }
    /* Leave no empty folder if nothing matched. */
    if (x.is_new && cli->input_count > 1 && x.failed) os_remove_empty_folder(x.folder);
    free(x.levels);
    free(x.archive);
    free(x.folder);
    return x.failed ? EXIT_BAD_DATA : EXIT_FINE;
}
