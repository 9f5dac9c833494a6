/* SPDX-License-Identifier: MIT
 *
 * ossa extract: files out of an archive. Names are hostile: nothing is written outside of the
 * folder, and nothing is lost because two names are the same but for case. */
#include "chosen_entries.h"
#include "manifest.h"
#include "taken_names.h"
#include "walk_archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One folder that is being filled: the archive's own, or that of an archive inside. It is made when
 * there is something to put into it. */
struct level {
    char *relative; /* from the folder of the call; "" for that itself */
    char *name;     /* of the entry, as a path in the level above */
    bool is_wanted; /* also when nothing is in it */
    struct taken_names taken;
    struct manifest manifest;
    bool can_pack; /* else the manifest would be for nobody */
};

struct extractor {
    const struct cli *cli;
    const struct archive *archive;
    const char *folder;
    struct level levels[DEEPEST_ARCHIVE + 2];
    size_t depth; /* levels[depth] is being filled */
    struct progress progress;
    size_t files;
    uint64_t bytes;
    bool failed;
};

/* ---- names --------------------------------------------------------------------------------- */

/* Is the path what the archive says, but for the kind of separator? */
static bool is_as_named(const char *path, const char *name)
{
    for (; *path != '\0' && *name != '\0'; path++, name++) {
        if (*path != (*name == '\\' ? '/' : *name)) return false;
    }
    if (*path == '\0' && is_folder_entry(name) && name[1] == '\0') name++; /* of a folder */
    return *path == *name;
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
    if (relative == NULL || name == NULL) {
        free(relative);
        free(name);
        complain("no memory for a name");
        return false;
    }
    struct level *level = &x->levels[x->depth];
    *level = (struct level){.relative = relative, .name = name, .is_wanted = is_wanted};
    level->can_pack = format != NULL && ossa_format_can(format, OSSA_ABILITY_PACK);
    if (format == NULL) return true;
    (void)snprintf(level->manifest.format, sizeof level->manifest.format, "%s", format->id);
    free(take_path(&level->taken, MANIFEST_NAME, false)); /* no entry may be written over it */
    return true;
}

/* Gives whether there is a folder of it now. */
static bool end_level(struct extractor *x)
{
    struct level *level = &x->levels[x->depth];
    struct os_why why = {.text = "no memory"};
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
    taken_free(&level->taken);
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

/* Does a pattern mean the entry, or an archive that it lies in? */
static bool is_wanted(const struct extractor *x, const struct visit *visit)
{
    if (x->cli->input_count < 2 || (x->depth > 0 && x->levels[x->depth].is_wanted)) return true;
    /* What a pattern may mean: the name itself, without its folders too, and the word behind the
     * archive. */
    const char *name = visit->entry->name;
    const char *word = visit->word + strlen(x->archive->shown);
    if (*word == '#') word++;
    for (size_t i = 1; i < x->cli->input_count; i++) {
        const char *pattern = x->cli->inputs[i];
        if (matches_entry(pattern, name) || matches_entry(pattern, word)) return true;
        if (matches_entry(pattern, last_part(name))) return true;
    }
    return false;
}

static bool write_file(const char *path, const struct visit *visit)
{
    struct os_output output;
    struct os_why why;
    bool ok = os_open_output(&output, path, &why);
    if (ok) {
        if (visit->bytes->size > 0) {
            (void)os_write_output(&output, visit->bytes->data, visit->bytes->size);
        }
        ok = os_commit_output(&output, &why);
    }
    if (!ok) complain("%s: %s", path, why.text);
    else if (visit->entry->has_time) os_set_time(path, visit->entry->time);
    return ok;
}

/* The name to write an entry under, from malloc: of a file of a disc, with what it calls itself. */
static char *name_of(struct extractor *x, const struct visit *visit)
{
    const char *dot = strrchr(visit->entry->name, '.');
    char clean[256];
    char name[512];
    if (visit->own_name == NULL || dot == NULL) {
        bool is_folder = is_folder_entry(visit->entry->name) && visit->entry->size == 0;
        return take_path(&x->levels[x->depth].taken, visit->entry->name, is_folder);
    }
    (void)ossa_file_name(visit->own_name, clean, sizeof clean);
    (void)snprintf(name, sizeof name, "%.*s-%s%s", (int)(dot - visit->entry->name),
                   visit->entry->name, clean, dot);
    return take_path(&x->levels[x->depth].taken, name, false);
}

static bool extract_file(struct extractor *x, const struct visit *visit, const char *name)
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
        complain("%s: %s", visit->word, relative == NULL ? "no memory" : why.text);
    }
    ok = ok && (is_folder || write_file(path, visit)) &&
         manifest_add(&level->manifest, time, name, visit->entry->name);
    if (ok && !is_folder) x->files++;
    if (ok) x->bytes += visit->bytes->size;
    free(path);
    free(relative);
    return ok;
}

/* An archive inside is a folder: it is entered also to look for what patterns mean. */
static bool enter_archive(struct extractor *x, const struct visit *visit, const char *name,
                          bool wanted)
{
    char *relative = join_relative(&x->levels[x->depth], name);
    x->depth++;
    bool ok = begin_level(x, relative, strdup(name), wanted, visit->format);
    if (!ok) x->depth--;
    return ok;
}

static bool extract_entry(void *user, const struct visit *visit)
{
    struct extractor *x = user;
    if (x->depth == 0) progress_step(&x->progress);
    if (visit->bytes == NULL) return false; /* told */
    bool wanted = is_wanted(x, visit);
    bool enters = visit->is_archive && !x->cli->raw;
    if (!wanted && !enters) return false;
    char *name = name_of(x, visit);
    bool ok = name != NULL;
    if (!ok) complain("no memory for a name");
    if (ok && wanted && visit->own_name == NULL && !is_as_named(name, visit->entry->name)) {
        progress_hide(&x->progress);
        complain("warning: %s: is written as %s", visit->word, name);
    }
    ok = ok && (enters ? enter_archive(x, visit, name, wanted) : extract_file(x, visit, name));
    if (!ok) x->failed = true;
    free(name);
    return ok && enters;
}

static void leave_archive(void *user, const struct visit *visit)
{
    struct extractor *x = user;
    uint32_t time = visit->entry->has_time ? visit->entry->time : 0;
    char *name = strdup(x->levels[x->depth].name);
    bool is_there = end_level(x);
    struct level *above = &x->levels[--x->depth];
    if (is_there &&
        (name == NULL || !manifest_add(&above->manifest, time, name, visit->entry->name))) {
        complain("no memory for a name");
        x->failed = true;
    }
    free(name);
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Where to, when nobody says: beside us, named like the archive without its extension. */
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

/* Everything into the folder of the extractor. Gives the exit status. */
static int extract_all(struct extractor *x, const struct chosen *chosen)
{
    const struct cli *cli = x->cli;
    const struct archive *archive = x->archive;
    if (!begin_level(x, strdup(""), strdup(""), cli->input_count < 2,
                     archive->file == NULL ? NULL : archive->file->format)) {
        return EXIT_BAD_DATA;
    }
    struct archive_walk walk = {.cli = cli,
                                .deep = !cli->raw,
                                .only = chosen->entries,
                                .visit = extract_entry,
                                .leave = leave_archive,
                                .user = x};
    progress_start(&x->progress, chosen->entries == NULL ? archive_count(archive) : chosen->count);
    walk_archive(&walk, archive);
    progress_hide(&x->progress);
    (void)end_level(x);
    if (x->files == 0 && cli->input_count > 1 && !x->failed && !walk.failed) {
        complain("nothing in %s is meant by the pattern%s; `ossa list --flat` shows what there is",
                 shown_name(cli->inputs[0]), plural(cli->input_count - 1));
        x->failed = true;
    } else if (!cli->quiet) {
        print_plain(stdout, x->folder);
        (void)printf(": %zu file%s, %" PRIu64 " bytes\n", x->files, plural(x->files), x->bytes);
    }
    return x->failed || walk.failed ? EXIT_BAD_DATA : EXIT_FINE;
}

int cmd_extract(struct cli *cli)
{
    struct archive opened = {0};
    struct chosen chosen;
    struct os_why why;
    struct extractor x = {.cli = cli};
    int status = EXIT_BAD_DATA;
    if (!choose_entries(cli, cli->inputs[0], &chosen)) return status;
    x.archive = chosen.archive;
    if (x.archive == NULL) x.archive = open_word(cli, cli->inputs[0], &opened);
    char *folder = NULL;
    if (x.archive != NULL) {
        folder = cli->to == NULL ? default_folder(x.archive->shown) : strdup(cli->to);
        if (folder == NULL) complain("no memory for a name");
    }
    x.folder = folder;
    bool is_new = folder != NULL && !os_exists(folder);
    if (folder != NULL && !os_make_folder(folder, &why)) complain("%s: %s", folder, why.text);
    else if (folder != NULL) status = extract_all(&x, &chosen);
    /* Nothing is left of patterns that meant nothing. */
    if (is_new && cli->input_count > 1 && status != EXIT_FINE) os_remove_empty_folder(folder);
    free(folder);
    free_chosen(&chosen);
    close_archive(&opened);
    return status;
}
