/* SPDX-License-Identifier: MIT
 *
 * Everything below a path: folders, files, and what lies in archives, to any depth that archives
 * may have. */
#include "workspace/workspace.h"

#include "codec/context.h"
#include "codec/probe.h"

#include <stdio.h>
#include <string.h>

struct walk {
    ossa_workspace *workspace;
    const ossa_walk_options *options;
    struct ossa__budget budget; /* for what is in the archive that is walked through */
    bool is_unpacking_over;     /* it was too much; formats are no longer looked at */
    bool is_full;               /* it was too much; nothing more of it is visited */
    bool is_over;
    bool failed;
    uint64_t visited;
    ossa_error error;
    /* of the file that is being read, for on_issue */
    const struct ossa__item *item;
};

/* What is known of one file on the way. */
struct look {
    ossa_visit visit; /* first: a pointer to it is a pointer to the look */
    struct ossa__arena arena;
    struct ossa__item item;
    ossa_bytes bytes;
    ossa_file *file;
    ossa_error error;
    struct ossa__node *node; /* what it is as an archive */
};

struct ossa__node *ossa__visit_node(const ossa_visit *visit)
{
    return ((const struct look *)visit)->node;
}

/* ---- issues -------------------------------------------------------------------------------- */

/* Nobody meant a stray: that it cannot be read is not to be reported. */
static bool is_reported(const struct walk *walk, const ossa_issue *issue)
{
    bool is_unreadable = issue->severity == OSSA_SEVERITY_UNREADABLE;
    return !is_unreadable ||
           !ossa__is_stray(walk->workspace, walk->item, issue->code, issue->format);
}

static void on_issue(void *user, const ossa_issue *issue)
{
    const struct walk *walk = user;
    const ossa_options *read = walk->options->read;
    if (is_reported(walk, issue)) read->on_issue(read->user, issue);
}

static void on_group(void *user, const ossa_issue *issue)
{
    const struct walk *walk = user;
    const ossa_options *read = walk->options->read;
    if (is_reported(walk, issue)) read->on_group(read->user, issue);
}

static void on_field(void *user, const ossa_field *field)
{
    const struct walk *walk = user;
    walk->options->read->on_field(walk->options->read->user, field);
}

static ossa_options reading_options(struct walk *walk)
{
    ossa_options options = {0};
    if (walk->options->read != NULL) options = *walk->options->read;
    if (options.on_issue != NULL) options.on_issue = on_issue;
    if (options.on_group != NULL) options.on_group = on_group;
    if (options.on_field != NULL) options.on_field = on_field;
    options.user = walk;
    return options;
}

/* ---- one file ------------------------------------------------------------------------------ */

static void free_look(struct look *look)
{
    ossa_file_free(look->file);
    ossa_bytes_free(&look->bytes);
    ossa__node_release(look->node);
    ossa__arena_free(&look->arena);
}

static bool is_archive(const ossa_format *format)
{
    return format != NULL && ossa_format_can(format, OSSA_ABILITY_LIST);
}

static ossa_detail detail_of(const struct walk *walk)
{
    return walk->options->detail;
}

/* Something is wrong with this file; the walk goes on. */
static void note_error(struct walk *walk, struct look *look)
{
    ossa__error_path(&look->error, look->item.path);
    look->visit.error = &look->error;
    look->visit.is_stray =
        ossa__is_stray(walk->workspace, &look->item, look->error.code, look->error.format);
}

/* What an archive is. */
static const char *title_of(struct look *look)
{
    if (look->node == NULL) return NULL;
    if (look->node->search == NULL) return look->node->file->format->title;
    const char *game = look->node->search->game->name;
    const char *title = ossa__join(&look->arena, "files of ", "", game);
    return title == NULL ? game : title;
}

static ossa_step tell(struct walk *walk, struct look *look)
{
    if (walk->is_over) return OSSA_STEP_STOP;
    look->visit.title = title_of(look);
    if (look->node != NULL) look->visit.figure_count = ossa__figure_count(look->node);
    bool is_cancelled = look->visit.error != NULL && look->error.code == OSSA_CODE_CANCELLED;
    if (is_cancelled) walk->error = look->error;
    if (is_cancelled || !ossa__workspace_progress(walk->workspace, look->item.path, ++walk->visited,
                                                  0, &walk->error)) {
        walk->failed = true;
        walk->is_over = true;
        return OSSA_STEP_STOP;
    }
    ossa_step step = walk->options->visit(walk->options->user, &look->visit);
    if (step == OSSA_STEP_STOP) walk->is_over = true;
    return step;
}

static void enter(struct walk *walk, struct look *look);

static void take_file(struct walk *walk, struct look *look)
{
    const ossa_options options = reading_options(walk);
    walk->item = &look->item;
    look->file = ossa__read_item(walk->workspace, &look->item, &options, &look->error);
    walk->item = NULL;
    if (look->file == NULL) {
        note_error(walk, look);
        return;
    }
    look->visit.file = look->file;
    look->visit.format = look->file->format;
    look->visit.size = look->file->size;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* `named`: how the caller calls it; NULL: as the archive does. */
static bool name_entry(struct look *look, struct ossa__node *archive, size_t index, bool is_named,
                       const char *named)
{
    const ossa_entry *entry = ossa__node_entry(archive, index);
    const char *path =
        named != NULL ? named : ossa__join(&look->arena, archive->path, "#", entry->name);
    look->item = (struct ossa__item){archive, index, path, is_named};
    look->visit = (ossa_visit){.path = path,
                               .tree = ossa__join(&look->arena, archive->tree, "/", entry->name),
                               .name = entry->name,
                               .hint = ossa__node_hint(&look->arena, archive, entry->name),
                               .depth = archive->depth + 1,
                               .is_named = is_named,
                               .entry = entry,
                               .index = index,
                               .size = entry->size};
    if (archive->search != NULL) {
        look->visit.format = ossa__search_format(archive, index, &look->visit.own_name);
    }
    return path != NULL && look->visit.tree != NULL && look->visit.hint != NULL;
}

/* The bytes of an entry and what they are. */
static void take_bytes(struct walk *walk, struct look *look)
{
    struct ossa__node *archive = look->item.archive;
    if (!ossa__node_bytes(walk->workspace, archive, look->item.entry, &look->bytes, &look->error)) {
        note_error(walk, look);
        return;
    }
    look->visit.data = look->bytes.data;
    look->visit.format = ossa__node_guess(archive, look->item.entry, &look->bytes).format;
}

/* An archive that the walk has come to; the look owns it. */
static void take_archive(struct look *look, struct ossa__node *node)
{
    look->node = node;
    look->visit.is_archive = true;
    look->visit.entry_count = node->count;
    look->visit.file = node->file;
    look->visit.format = node->file->format;
    if (node->bytes.data != NULL) look->visit.data = node->bytes.data;
    if (look->item.archive == NULL) look->visit.size = node->file->size;
}

/* Files are what others have seen them as, if they are only looked at. */
static bool may_be_kept(struct walk *walk)
{
    const ossa_options options = reading_options(walk);
    return detail_of(walk) < OSSA_DETAIL_FILES && ossa__reads_plainly(&options);
}

/* Of the archives inside others, only those that were named are worth keeping: there may be
 * thousands of the others. */
static bool is_kept(const struct look *look)
{
    return look->item.archive == NULL || look->item.is_named;
}

/* What was read or fetched as an archive, which takes over what it needs. */
static void open_archive(struct walk *walk, struct look *look)
{
    struct ossa__node *parent = look->item.archive;
    struct ossa__node *node = NULL;
    const ossa_options options = reading_options(walk);
    if (look->file != NULL) {
        node = ossa__node_adopt(walk->workspace, &look->item, look->file, &look->error);
        if (node != NULL) look->file = NULL;
    } else {
        node = ossa__node_enter_bytes(walk->workspace, parent, look->item.entry, &look->bytes,
                                      &look->error);
        look->visit.data = NULL; /* the node has them, or they are gone */
    }
    if (node != NULL && is_kept(look) && ossa__reads_for_others(&options)) {
        /* What others see instead may lack issues that this walk has asked for. */
        ossa__node_release(ossa__cache_offer(walk->workspace, ossa__node_keep(node)));
    }
    if (node != NULL) {
        take_archive(look, node);
        return;
    }
    note_error(walk, look);
    /* Its bytes may still be wanted, as those of a file. */
    bool is_wanted = detail_of(walk) == OSSA_DETAIL_BYTES && look->bytes.data == NULL;
    if (is_wanted && parent != NULL &&
        ossa__node_bytes(walk->workspace, parent, look->item.entry, &look->bytes, NULL)) {
        look->visit.data = look->bytes.data;
    }
}

/* There is more than the archive allows for. Of what lies where it is, nothing more is visited;
 * where only formats are wanted, what has to be unpacked is no longer looked at. */
static bool is_too_much(struct walk *walk, struct look *look)
{
    bool is_quick = detail_of(walk) <= OSSA_DETAIL_FORMATS;
    if (walk->is_unpacking_over && is_quick) return true;
    if (ossa__spend(&walk->budget, look->visit.entry, look->item.path, &look->error)) return false;
    note_error(walk, look);
    if (is_quick && look->visit.entry->stored_size <= walk->budget.left) {
        walk->is_unpacking_over = true;
        return true;
    }
    walk->is_full = true;
    if (detail_of(walk) == OSSA_DETAIL_FILES) {
        const ossa_options options = reading_options(walk);
        walk->item = &look->item;
        (void)ossa__report_failure(&options, look->item.path, &look->error);
        walk->item = NULL;
    }
    return true;
}

static void look_at_entry(struct walk *walk, struct look *look)
{
    bool is_known = look->item.archive->search != NULL && detail_of(walk) <= OSSA_DETAIL_FORMATS;
    if (detail_of(walk) == OSSA_DETAIL_NAMES || is_known) return;
    struct ossa__node *kept = NULL;
    if (is_kept(look) && may_be_kept(walk)) {
        kept = ossa__cache_entry(walk->workspace, look->item.archive, look->item.entry);
    }
    if (kept != NULL) {
        take_archive(look, kept);
        return;
    }
    if (detail_of(walk) == OSSA_DETAIL_FILES) take_file(walk, look);
    else take_bytes(walk, look);
    if (is_archive(look->visit.format) && look->visit.error == NULL) open_archive(walk, look);
}

static void visit_entry(struct walk *walk, struct ossa__node *archive, size_t index, bool is_named,
                        bool enters, const char *named)
{
    struct look look = {.visit.depth = 0};
    ossa__arena_init(&look.arena, walk->workspace->allocator, UINT64_MAX);
    if (!name_entry(&look, archive, index, is_named, named)) {
        walk->failed = !ossa__workspace_fail(&walk->error, OSSA_CODE_OUT_OF_MEMORY, archive->path,
                                             "no memory for the name of an entry");
        walk->is_over = true;
        free_look(&look);
        return;
    }
    if (!is_too_much(walk, &look)) look_at_entry(walk, &look);
    ossa_step step = tell(walk, &look);
    if (step == OSSA_STEP_INTO && look.node != NULL && enters) enter(walk, &look);
    free_look(&look);
}

/* What is in an archive that was visited. */
static void enter(struct walk *walk, struct look *look)
{
    for (size_t i = 0; i < look->node->count && !walk->is_over && !walk->is_full; i++) {
        visit_entry(walk, look->node, i, false, walk->options->deep, NULL);
    }
    if (walk->options->leave != NULL) walk->options->leave(walk->options->user, &look->visit);
}

/* ---- files of the file system -------------------------------------------------------------- */

/* Is it worth searching for files without a directory? A file of a disc begins like the first file
 * in it, or like nothing at all, or it is too large to be read. */
static bool may_be_searched(const struct walk *walk, const struct look *look)
{
    ossa_code code = look->error.code;
    const ossa_options *read = walk->options->read;
    bool is_forced = read != NULL && read->format != NULL;
    if (!walk->options->search || is_forced || look->item.archive != NULL) return false;
    if (look->visit.format != NULL && look->visit.error == NULL) {
        return ((const struct ossa__format *)look->visit.format)->game->search != NULL;
    }
    return code == OSSA_CODE_UNKNOWN_FORMAT || code == OSSA_CODE_AMBIGUOUS_FORMAT ||
           code == OSSA_CODE_TOO_LARGE;
}

static void take_search(struct look *look, struct ossa__node *node)
{
    look->node = node;
    look->visit.error = NULL;
    look->visit.file = NULL;
    look->visit.size = node->source.size;
    look->visit.is_stray = false;
    look->visit.is_archive = true;
    look->visit.is_search = true;
    look->visit.format = NULL;
    look->visit.entry_count = node->count;
}

/* Search it; a single file that is all there is counts for nothing. */
static void search(struct walk *walk, struct look *look)
{
    ossa_error why = {0};
    struct ossa__node *node = ossa__node_search(walk->workspace, look->item.path, &why);
    if (node == NULL) {
        look->error = why;
        note_error(walk, look);
        return;
    }
    if (node->count > 1 || (node->count == 1 && look->visit.error != NULL)) {
        take_search(look, node);
        return;
    }
    if (look->visit.error != NULL) {
        size_t used = strlen(look->error.message);
        (void)snprintf(look->error.message + used, sizeof look->error.message - used,
                       "; no file of %s is in it, either", node->search->game->name);
    }
    ossa__node_release(node);
}

/* What another call has opened or searched; false: none has. */
static bool take_kept(struct walk *walk, struct look *look)
{
    struct ossa__node *node = NULL;
    if (!may_be_kept(walk)) return false;
    if (walk->options->search) {
        node = ossa__cache_search(walk->workspace, look->item.path);
        if (node != NULL && node->count > 1) {
            take_search(look, node);
            return true;
        }
        ossa__node_release(node);
    }
    node = ossa__cache_file(walk->workspace, look->item.path);
    if (node != NULL) take_archive(look, node);
    return node != NULL;
}

/* The bytes of a whole file, and what they are. */
static void take_whole(struct walk *walk, struct look *look)
{
    ossa_guess guess;
    if (!ossa_workspace_bytes(walk->workspace, look->item.path, &look->bytes, &look->error)) {
        note_error(walk, look);
        return;
    }
    guess = ossa__guess(look->bytes.data, look->bytes.size, look->item.path);
    look->visit.data = look->bytes.data;
    look->visit.size = look->bytes.size;
    look->visit.format = guess.format;
    if (guess.format == NULL) {
        look->visit.is_stray =
            ossa__is_stray(walk->workspace, &look->item, OSSA_CODE_UNKNOWN_FORMAT, NULL);
    }
}

static void look_at_file(struct walk *walk, struct look *look)
{
    ossa_detail detail = detail_of(walk);
    if (detail == OSSA_DETAIL_NAMES) return;
    bool is_whole = detail == OSSA_DETAIL_BYTES && !walk->options->search;
    if (!is_whole && take_kept(walk, look)) return;
    if (is_whole) take_whole(walk, look);
    bool is_shut = is_whole && look->visit.error == NULL && is_archive(look->visit.format);
    if (!is_whole || is_shut) take_file(walk, look);
    if (look->error.code == OSSA_CODE_CANCELLED) return;
    if (may_be_searched(walk, look)) search(walk, look);
    else if (look->visit.error != NULL)
        ossa__hint_at_search(walk->workspace, &look->item, &look->error);
    bool is_read = look->file != NULL && is_archive(look->visit.format);
    if (look->node == NULL && is_read) open_archive(walk, look);
}

static void visit_file(struct walk *walk, const char *path, bool is_named, const ossa_error *error)
{
    struct look look = {.item = {.path = path, .is_named = is_named}};
    ossa__arena_init(&look.arena, walk->workspace->allocator, UINT64_MAX);
    look.visit =
        (ossa_visit){.path = path, .tree = path, .name = path, .hint = path, .is_named = is_named};
    if (error != NULL) {
        look.error = *error;
        note_error(walk, &look);
        if (detail_of(walk) == OSSA_DETAIL_FILES) {
            const ossa_options options = reading_options(walk);
            walk->item = &look.item;
            (void)ossa__report_failure(&options, path, error);
            walk->item = NULL;
        }
    } else {
        look_at_file(walk, &look);
    }
    ossa_step step = tell(walk, &look);
    if (step == OSSA_STEP_INTO && look.node != NULL) {
        walk->budget = ossa__budget_of(walk->workspace, look.node);
        walk->is_unpacking_over = false;
        walk->is_full = false;
        enter(walk, &look);
    }
    free_look(&look);
}

/* ---- places -------------------------------------------------------------------------------- */

static bool found_file(void *context, const char *path, const ossa_error *error)
{
    struct walk *walk = context;
    visit_file(walk, path, error != NULL, error);
    return !walk->is_over;
}

/* An entry or several of them: the archive that they lie in is visited first, as a part. */
static void visit_entries(struct walk *walk, struct ossa__location *at, const char *path)
{
    struct look look = {.item = {.path = at->archive->path, .is_named = true}};
    ossa__arena_init(&look.arena, walk->workspace->allocator, UINT64_MAX);
    bool is_one = at->kind == OSSA__AT_ENTRY;
    look.node = ossa__node_keep(at->archive);
    look.visit = (ossa_visit){.path = at->archive->path,
                              .tree = at->archive->tree,
                              .name = at->archive->path,
                              .hint = at->archive->path,
                              .depth = at->archive->depth,
                              .is_part = true,
                              .is_archive = true,
                              .is_search = at->archive->search != NULL,
                              .entry_count = is_one ? 1 : at->count};
    if (at->archive->file != NULL) look.visit.format = at->archive->file->format;
    walk->budget = ossa__budget_of(walk->workspace, at->archive);
    if (tell(walk, &look) == OSSA_STEP_INTO) {
        if (is_one) visit_entry(walk, look.node, at->entry, true, true, path);
        for (size_t i = 0; !is_one && i < at->count && !walk->is_over && !walk->is_full; i++) {
            visit_entry(walk, look.node, at->entries[i], !at->is_folder, true, NULL);
        }
        if (walk->options->leave != NULL) walk->options->leave(walk->options->user, &look.visit);
    }
    free_look(&look);
}

/* A file or a folder of the file system. */
static void walk_files(struct walk *walk, const char *path, struct ossa__arena *arena)
{
    bool is_folder = false;
    if (!ossa__source_exists(walk->workspace, path)) {
        struct ossa__source source;
        bool ok = ossa__walk_folder(walk->workspace, path, arena, found_file, walk, &is_folder,
                                    &walk->error);
        bool is_out = walk->error.code == OSSA_CODE_OUT_OF_MEMORY;
        if (!ok && !walk->is_over && (is_folder || is_out)) walk->failed = true;
        /* Nobody reads it, so nobody else notices that it is not there. */
        if (!is_folder && !is_out && detail_of(walk) == OSSA_DETAIL_NAMES) {
            walk->failed = !ossa__source_open(walk->workspace, path, &source, &walk->error);
            if (!walk->failed) ossa__source_close(&source);
        }
    }
    if (!is_folder && !walk->failed) visit_file(walk, path, true, NULL);
}

bool ossa_workspace_walk(ossa_workspace *workspace, const char *path,
                         const ossa_walk_options *options, ossa_error *error)
{
    struct walk walk = {.workspace = workspace, .options = options};
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    struct ossa__location at = ossa__locate(workspace, path, &arena, &walk.error);
    switch (at.kind) {
    case OSSA__AT_FILE: walk_files(&walk, path, &arena); break;
    case OSSA__AT_ENTRY:
    case OSSA__AT_ENTRIES: visit_entries(&walk, &at, path); break;
    case OSSA__AT_NO_ENTRY:
    case OSSA__AT_FAILED: walk.failed = true; break;
    }
    ossa__node_release(at.archive);
    ossa__arena_free(&arena);
    if (!walk.failed) walk.error = (ossa_error){0};
    if (error != NULL) *error = walk.error;
    return !walk.failed;
}
