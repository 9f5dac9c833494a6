/* SPDX-License-Identifier: MIT
 *
 * ossa extract: files from an archive. Names are hostile: nothing is written outside the folder,
 * and nothing is lost because two names differ only in case. */
#include "base/fold.h"
#include "manifest.h"

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
    char *archive;         /* its path, from malloc */
    char *folder;          /* the output folder, from malloc */
    struct os_folder *out; /* the same, open; NULL: not yet */
    bool has_no_folder;    /* it cannot be opened */
    struct level *levels;
    size_t depth; /* number of levels; the last is being filled */
    struct progress progress;
    size_t files;
    uint64_t bytes;
    size_t kept;           /* files that were there with other contents */
    size_t lossy;          /* archives of which packing leaves something out */
    struct names written;  /* files by their identity */
    bool *has_matched;     /* the patterns, by input; from malloc */
    bool is_archive_named; /* the input is an archive, not an entry of one */
    bool cannot_write;     /* one of the files */
    bool failed;
};

/* ---- names --------------------------------------------------------------------------------- */

static bool is_folder(const ossa_entry *entry)
{
    return is_folder_name(entry->name) && entry->size == 0;
}

/* Is the path the name in the archive, apart from the kind of separator? */
static bool is_as_named(const char *path, const char *name)
{
    for (; *path != '\0' && *name != '\0'; path++, name++) {
        if (*path != (*name == '\\' ? '/' : *name)) return false;
    }
    if (*path == '\0' && is_folder_name(name) && name[1] == '\0') name++;
    return *path == *name;
}

/* The default output folder: the name of the archive without its extension. */
static char *default_folder(const char *word)
{
    const char *base = os_base_name(word);
    const char *mark = strrchr(base, '#');
    if (mark != NULL) base = mark + 1;
    size_t size = ossa_file_name(base, NULL, 0) + sizeof "archive";
    char *name = allocate(size, 1);
    (void)ossa_file_name(strcmp(word, "-") == 0 ? "archive" : base, name, size);
    const char *dot = strrchr(name, '.');
    bool has_dot = dot != NULL && dot != name;
    char *folder =
        has_dot ? format_text("%.*s", (int)(dot - name), name) : format_text("%s_files", name);
    free(name);
    return folder;
}

/* ---- levels -------------------------------------------------------------------------------- */

/* "troll.anm/walk" for "walk" in "troll.anm", from malloc. */
static char *join_relative(const struct level *level, const char *name)
{
    return level->relative[0] == '\0' ? copy_text(name) : path_in(level->relative, name);
}

/* `name` is that of the folder in the level above; "" for the first level. */
static void begin_level(struct extractor *x, const char *name, bool is_wanted,
                        const ossa_format *format, const ossa_file *archive)
{
    x->levels = make_room(x->levels, x->depth, sizeof *x->levels);
    struct level *level = &x->levels[x->depth++];
    *level = (struct level){.name = copy_text(name), .is_wanted = is_wanted};
    level->relative = x->depth == 1 ? copy_text("") : join_relative(&level[-1], name);
    if (format == NULL) return;
    level->can_pack = ossa_format_can(format, OSSA_ABILITY_PACK);
    const char *dialect = archive == NULL ? NULL : ossa_packing_dialect(archive);
    (void)snprintf(level->manifest.kind, sizeof level->manifest.kind, "%s%s%s", format->id,
                   dialect == NULL ? "" : " ", dialect == NULL ? "" : dialect);
    free(names_take_path(&level->names, MANIFEST_NAME, false)); /* no entry may overwrite it */
}

/* The output folder is created when there is something to put into it. */
static bool prepare_folder(struct extractor *x)
{
    if (x->out == NULL && !x->has_no_folder) {
        x->out = open_folder(x->folder);
        x->has_no_folder = x->out == NULL;
    }
    return !x->has_no_folder;
}

/* Write the manifest of a level. */
static bool save_level(struct extractor *x, struct level *level)
{
    struct os_why why;
    if (!prepare_folder(x)) return false;
    bool is_first = level->relative[0] == '\0';
    if (!is_first && !os_make_below(x->out, level->relative, &why)) {
        return complain_output(level->relative, &why);
    }
    if (!level->can_pack) return true;
    char *path = is_first ? copy_text(x->folder) : path_in(x->folder, level->relative);
    bool ok = manifest_save(&level->manifest, x->out, level->relative, path, x->cli->force);
    free(path);
    return ok;
}

/* `entry` is that of the archive in the level above; NULL: there is none. */
static void end_level(struct extractor *x, const ossa_entry *entry)
{
    struct level *level = &x->levels[--x->depth];
    /* Even if it is empty, but not if that is because nothing could be written. */
    bool is_there = level->manifest.count > 0 || (level->is_wanted && !x->cannot_write);
    if (is_there && !save_level(x, level)) x->failed = true;
    if (is_there && entry != NULL) {
        manifest_add(&level[-1].manifest, entry->has_time ? entry->time : 0, level->name,
                     entry->name);
    }
    manifest_free(&level->manifest);
    names_free(&level->names);
    free(level->relative);
    free(level->name);
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

/* Does a pattern match the entry? It may match its name, the name without folders, or the path
 * after the archive. */
static bool matches(const struct extractor *x, const char *pattern, const ossa_visit *visit)
{
    const char *name = visit->entry->name;
    const char *word = visit->path + strlen(x->archive);
    if (*word == '#') word++;
    return ossa__matches(pattern, name) || ossa__matches(pattern, word) ||
           ossa__matches(pattern, last_part(name));
}

/* Does a pattern match the entry, or an archive that it is in? Every pattern that does is noted. */
static bool is_wanted(const struct extractor *x, const ossa_visit *visit)
{
    bool wanted = x->cli->input_count < 2 || x->levels[x->depth - 1].is_wanted;
    for (size_t i = 1; i < x->cli->input_count; i++) {
        if (wanted && x->has_matched[i]) continue;
        if (!matches(x, x->cli->inputs[i], visit)) continue;
        wanted = x->has_matched[i] = true;
    }
    return wanted;
}

/* Large entries are not in memory: they are compared and written in pieces. */
enum { PIECE = 256 << 10 };

static bool read_piece(const ossa_visit *visit, uint64_t offset, void *bytes, size_t size)
{
    if (visit->is_large) return ossa_visit_read(visit, offset, bytes, size);
    memcpy(bytes, visit->data + offset, size);
    return true;
}

struct comparison {
    const ossa_visit *visit;
    uint64_t at;
    uint64_t left;
    uint8_t *bytes; /* PIECE */
};

/* Takes what a file has as long as the entry has the same. */
static bool compare_piece(void *user, const void *bytes, size_t size)
{
    struct comparison *c = user;
    const uint8_t *found = bytes;
    while (size > 0) {
        size_t n = size < PIECE ? size : PIECE;
        /* cppcheck-suppress knownConditionTrueFalse ; it takes the size for a constant */
        if (n > c->left || !read_piece(c->visit, c->at, c->bytes, n)) return false;
        if (memcmp(found, c->bytes, n) != 0) return false;
        found += n;
        c->at += n;
        c->left -= n;
        size -= n;
    }
    return true;
}

/* Does the file have the bytes of the entry? */
static bool is_the_same(const char *path, const ossa_visit *visit)
{
    if (!visit->is_large) return os_has_bytes(path, visit->data, (size_t)visit->size);
    struct os_why why;
    struct comparison c = {.visit = visit, .left = visit->size, .bytes = allocate(PIECE, 1)};
    bool is_same = os_copy_file(path, (ossa_sink){compare_piece, &c}, &why) && c.left == 0;
    free(c.bytes);
    return is_same;
}

/* False: the entry cannot be read. That the output cannot be written is reported at its end. */
static bool write_pieces(struct os_output *output, const ossa_visit *visit)
{
    uint8_t *bytes = allocate(PIECE, 1);
    bool is_written = true;
    bool is_read = true;
    for (uint64_t at = 0; is_read && is_written && at < visit->size;) {
        size_t n = visit->size - at < PIECE ? (size_t)(visit->size - at) : PIECE;
        is_read = read_piece(visit, at, bytes, n);
        if (is_read) is_written = os_write_output(output, bytes, n);
        else complain("%s: cannot be read at offset %" PRIu64, visit->path, at);
        at += n;
    }
    free(bytes);
    return is_read;
}

static uint64_t hash_of_file(const struct os_file_id *id)
{
    const uint64_t words[] = {id->device, id->number};
    return ossa__hash_bytes((const char *)words, sizeof words);
}

/* A disk may take two names for the same that differ for us, such as Š and š. */
static bool is_of_this_run(const struct extractor *x, const struct os_file_id *id)
{
    return names_has(&x->written, hash_of_file(id));
}

static bool write_new(struct extractor *x, const char *relative, const char *path,
                      const ossa_visit *visit)
{
    struct os_output output;
    struct os_why why;
    if (!os_open_output_below(&output, x->out, relative, &why)) {
        progress_hide(&x->progress);
        return complain_output(path, &why);
    }
    bool ok = true;
    if (visit->is_large) ok = write_pieces(&output, visit);
    else (void)os_write_output(&output, visit->data, (size_t)visit->size);
    return close_output(&output, path, ok);
}

/* A file that is there may have been edited since it was extracted: it stays, unless --force is
 * given, and counts as the entry, so that packing the folder uses it. */
static bool write_file(struct extractor *x, const char *relative, const char *path,
                       const ossa_visit *visit)
{
    struct os_file_id id;
    struct os_why why;
    /* In this order: another run may be writing the same file. */
    bool is_there = os_may_write(path, &why) && os_identify(path, &id);
    bool is_same = is_there && is_the_same(path, visit);
    if (!is_same && is_there && is_of_this_run(x, &id)) {
        progress_hide(&x->progress);
        complain("%s: this disk takes %s for the name of an entry that is there", visit->path,
                 path);
        return false;
    }
    if (!is_same && is_there && !x->cli->force) {
        progress_hide(&x->progress);
        complain("%s exists with other contents and stays as it is; --force overwrites it", path);
        x->kept++;
        x->failed = true;
        return true;
    }
    if (!is_same && !write_new(x, relative, path, visit)) return false;
    if (os_identify(path, &id)) (void)names_add(&x->written, hash_of_file(&id));
    x->files++;
    x->bytes += visit->size;
    if (visit->entry->has_time) os_set_time_below(x->out, relative, visit->entry->time);
    return true;
}

/* Is an entry called by its offset, but calls itself something? */
static bool has_only_own_name(const ossa_visit *visit)
{
    return visit->own_name != NULL && strncmp(visit->entry->name, "0x", 2) == 0;
}

/* The name to write an entry under, from malloc. Behind an offset comes the file's own name. */
static char *name_of(struct level *level, const ossa_visit *visit)
{
    const char *dot = strrchr(visit->entry->name, '.');
    char clean[256];
    char name[512];
    if (!has_only_own_name(visit) || dot == NULL) {
        return names_take_path(&level->names, visit->entry->name, is_folder(visit->entry));
    }
    (void)ossa_file_name(visit->own_name, clean, sizeof clean);
    (void)snprintf(name, sizeof name, "%.*s-%s%s", (int)(dot - visit->entry->name),
                   visit->entry->name, clean, dot);
    return names_take_path(&level->names, name, false);
}

static bool extract_file(struct extractor *x, const ossa_visit *visit, const char *name)
{
    struct level *level = &x->levels[x->depth - 1];
    const ossa_entry *entry = visit->entry;
    struct os_why why;
    char *relative = join_relative(level, name);
    char *path = path_in(x->folder, relative);
    bool ok = is_folder(entry) ? os_make_below(x->out, relative, &why)
                               : write_file(x, relative, path, visit);
    if (is_folder(entry) && !ok) {
        progress_hide(&x->progress);
        (void)complain_output(path, &why);
    }
    if (ok) manifest_add(&level->manifest, entry->has_time ? entry->time : 0, name, entry->name);
    free(path);
    free(relative);
    return ok;
}

static void begin_archive(struct extractor *x, const ossa_visit *visit)
{
    const struct cli *cli = x->cli;
    x->archive = copy_text(visit->path);
    x->folder = cli->to == NULL ? default_folder(visit->path) : copy_text(cli->to);
    progress_start(&x->progress, visit->entry_count);
    begin_level(x, "", cli->input_count < 2, visit->format, visit->file);
}

/* What an archive lacks is missing from its folder. */
static void report_lacks(struct extractor *x, const ossa_visit *visit)
{
    progress_hide(&x->progress);
    complain_issues(visit->path, visit->file);
    if (visit->file->error_count > 0) x->failed = true;
}

enum { SHOWN_LOSSES = 10 };

/* Packing makes an archive of its entries: bytes between and behind them are in no file. */
static void warn_of_loss(struct extractor *x, const ossa_visit *visit)
{
    const ossa_file *file = visit->file;
    bool is_inside = x->depth > 1;
    size_t i = 0;
    while (i < file->issue_count && file->issues[i].code != OSSA_CODE_GAP &&
           file->issues[i].code != OSSA_CODE_TRAILING_BYTES) {
        i++;
    }
    const struct level *level = &x->levels[x->depth - 1];
    if (i == file->issue_count || !level->can_pack || !level->is_wanted) return;
    if (x->lossy++ >= SHOWN_LOSSES) return;
    progress_hide(&x->progress);
    ossa_issue issue = file->issues[i];
    issue.path = visit->path;
    if (is_inside && file->error_count == 0) complain_issue(&issue); /* else it has been told */
    complain("warning: %s: packing its folder leaves these bytes out%s", shown_name(visit->path),
             is_inside ? "; --raw keeps it as a file" : "");
}

/* The first visit: the archive itself. */
static ossa_step begin(struct extractor *x, const ossa_visit *visit)
{
    progress_hide(&x->cli->search);
    if (visit->error != NULL) complain_error(visit->path, visit->error);
    else if (!visit->is_archive) {
        complain_not_archive(visit->path, visit->format);
    } else {
        if (visit->file != NULL) report_lacks(x, visit);
        begin_archive(x, visit);
        if (visit->file != NULL) warn_of_loss(x, visit);
        return OSSA_STEP_INTO;
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
    if (x->depth == 1) progress_step(&x->progress);
    if (visit->is_continuation && !x->cli->raw) return OSSA_STEP_OVER; /* its entries are there */
    if (visit->error != NULL) {
        progress_hide(&x->progress);
        complain_error(visit->path, visit->error);
        x->failed = true;
    }
    bool wanted = is_wanted(x, visit);
    if (visit->data == NULL && visit->size > 0 && !visit->is_large) return OSSA_STEP_OVER;
    bool enters = visit->is_archive && !x->cli->raw;
    if (!wanted && !enters) return OSSA_STEP_OVER;
    if (wanted && !prepare_folder(x)) {
        x->failed = true;
        return OSSA_STEP_STOP;
    }
    char *name = name_of(&x->levels[x->depth - 1], visit);
    if (wanted && !has_only_own_name(visit) && !is_as_named(name, visit->entry->name)) {
        progress_hide(&x->progress);
        complain("warning: %s: written as %s", visit->path, name);
    }
    if (enters && wanted && visit->file != NULL && visit->file->error_count > 0) {
        report_lacks(x, visit);
    }
    /* An archive becomes a folder, even if only entries in it may match. */
    if (enters) begin_level(x, name, wanted, visit->format, visit->file);
    else if (!extract_file(x, visit, name)) x->failed = x->cannot_write = true;
    if (enters && visit->file != NULL) warn_of_loss(x, visit);
    free(name);
    if (disk_is_full()) return OSSA_STEP_STOP;
    return enters ? OSSA_STEP_INTO : OSSA_STEP_OVER;
}

static void leave_archive(void *user, const ossa_visit *visit)
{
    struct extractor *x = user;
    if (x->depth > 1) end_level(x, visit->entry); /* not the archive itself, nor one around it */
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

/* Is there a pattern that has matched nothing? Not known if the disk was full before the end. */
static bool report_misses(struct extractor *x)
{
    bool has_missed = false;
    for (size_t i = 1; i < x->cli->input_count && !disk_is_full(); i++) {
        if (x->has_matched[i]) continue;
        complain("nothing in %s matches '%s'; `ossa list --flat` shows all entries",
                 shown_name(x->cli->inputs[0]), x->cli->inputs[i]);
        has_missed = x->failed = true;
    }
    return has_missed;
}

/* Summarize, or explain why nothing was extracted. */
static void print_result(struct extractor *x)
{
    const struct cli *cli = x->cli;
    if (x->has_no_folder) return; /* already reported */
    if (x->lossy > SHOWN_LOSSES) {
        size_t more = x->lossy - SHOWN_LOSSES;
        complain("warning: packing leaves bytes of %zu more archive%s out", more, plural(more));
    }
    bool has_missed = report_misses(x);
    if (!cli->quiet && (x->files > 0 || !has_missed)) {
        char kept[64] = "";
        if (x->kept > 0) (void)snprintf(kept, sizeof kept, ", %zu not overwritten", x->kept);
        print_line("%s: %zu file%s, %" PRIu64 " bytes%s", x->folder, x->files, plural(x->files),
                   x->bytes, kept);
    }
}

static int run(struct cli *cli)
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
    if (os_is_folder(word)) {
        complain("%s: is a folder, expected a file", word);
        return EXIT_BAD_DATA;
    }
    x.is_archive_named = is_archive_named(cli, word);
    x.has_matched = allocate(cli->input_count, sizeof *x.has_matched);
    bool ok = ossa_workspace_walk(cli->workspace, word, &walk, &error);
    progress_hide(&x.progress);
    if (!ok) {
        complain_error(word, &error);
        x.failed = true;
    }
    bool has_begun = x.depth > 0;
    while (x.depth > 0) end_level(&x, NULL); /* more than one if the walk ended early */
    if (has_begun) print_result(&x);
    os_close_folder(x.out);
    names_free(&x.written);
    free(x.levels);
    free(x.has_matched);
    free(x.archive);
    free(x.folder);
    return x.failed ? EXIT_BAD_DATA : EXIT_FINE;
}

const struct verb verb_extract = {
    .name = "extract",
    .summary = "extract files from an archive",
    .inputs = "[OPTIONS] ARCHIVE [PATTERN...]",
    .details =
        "Writes every entry, or those that match a pattern, to a folder. In a pattern, * and ?\n"
        "are wildcards and letter case is ignored. ARCHIVE#NAME is the entry, figure or folder of\n"
        "that name. Archives inside become folders, unless --raw is given. Names are made safe:\n"
        "nothing is written outside the folder. A file that is there with other contents is not\n"
        "overwritten without --force. Each folder gets a file ossa-archive.txt with what\n"
        "`ossa pack` needs to make the same archive again, if that kind can be packed.",
    .example = "ossa extract figures.res --to figures\n  ossa extract figures.res '*.bon'\n"
               "  ossa extract figures.res#unmotr --to troll",
    .needs_input = true,
    .has_patterns = true,
    .run = run,
};
