/* SPDX-License-Identifier: MIT
 *
 * Everything below a path: folders, files, and what lies in archives, to any depth that archives
 * may have. */
#include "workspace/look.h"

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
};

/* What an archive is. */
static const char *title_of(const struct ossa__look *look)
{
    return look->node == NULL ? NULL : look->node->file->format->title;
}

static ossa_step tell(struct walk *walk, struct ossa__look *look)
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

static void enter(struct walk *walk, struct ossa__look *look);

/* ---- entries ------------------------------------------------------------------------------- */

/* There is more than the archive allows for. Of what lies where it is, nothing more is visited;
 * where only formats are wanted, what has to be unpacked is no longer looked at. */
static bool is_too_much(struct walk *walk, struct ossa__look *look)
{
    bool is_quick = walk->options->detail <= OSSA_DETAIL_FORMATS;
    if (walk->is_unpacking_over && is_quick) return true;
    if (ossa__spend(&walk->budget, look->visit.entry, look->item.path, &look->error)) return false;
    ossa__look_fail(look);
    if (is_quick && walk->budget.left > 0) {
        walk->is_unpacking_over = true;
        return true;
    }
    walk->is_full = true;
    ossa__look_report(look);
    return true;
}

static void visit_entry(struct walk *walk, struct ossa__node *archive, size_t index, bool is_named,
                        bool enters, const char *named)
{
    struct ossa__look look = ossa__look_start(walk->workspace, walk->options);
    if (!ossa__look_name(&look, archive, index, is_named, named)) {
        walk->failed = !ossa__workspace_fail(&walk->error, OSSA_CODE_OUT_OF_MEMORY, archive->path,
                                             "no memory for the name of an entry");
        walk->is_over = true;
        ossa__look_free(&look);
        return;
    }
    if (!is_too_much(walk, &look)) ossa__look_at_entry(&look);
    ossa_step step = tell(walk, &look);
    if (step == OSSA_STEP_INTO && look.node != NULL && enters) enter(walk, &look);
    ossa__look_free(&look);
}

/* What is in an archive that was visited. */
static void enter(struct walk *walk, struct ossa__look *look)
{
    for (size_t i = 0; i < look->node->count && !walk->is_over && !walk->is_full; i++) {
        visit_entry(walk, look->node, i, false, walk->options->deep, NULL);
    }
    if (walk->options->leave != NULL) walk->options->leave(walk->options->user, &look->visit);
}

/* ---- files of the file system -------------------------------------------------------------- */

static void visit_file(struct walk *walk, const char *path, bool is_named, const ossa_error *error)
{
    struct ossa__look look = ossa__look_start(walk->workspace, walk->options);
    look.item = (struct ossa__readable){.path = path, .is_named = is_named};
    look.visit =
        (ossa_visit){.path = path, .tree = path, .name = path, .hint = path, .is_named = is_named};
    if (error != NULL) {
        look.error = *error;
        ossa__look_fail(&look);
        ossa__look_report(&look);
    } else {
        ossa__look_at_file(&look);
    }
    ossa_step step = tell(walk, &look);
    if (step == OSSA_STEP_INTO && look.node != NULL) {
        walk->budget = ossa__budget_of(walk->workspace, look.node);
        walk->is_unpacking_over = false;
        walk->is_full = false;
        enter(walk, &look);
    }
    ossa__look_free(&look);
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
    struct ossa__look look = ossa__look_start(walk->workspace, walk->options);
    look.item = (struct ossa__readable){.path = at->archive->path, .is_named = true};
    bool is_one = at->kind == OSSA__AT_ENTRY;
    look.node = ossa__node_keep(at->archive);
    look.visit = (ossa_visit){.path = at->archive->path,
                              .tree = at->archive->tree,
                              .name = at->archive->path,
                              .hint = at->archive->path,
                              .depth = at->archive->depth,
                              .is_part = true,
                              .is_archive = true,
                              .is_search = ossa__node_is_searched(at->archive),
                              .entry_count = is_one ? 1 : at->count};
    look.visit.format = at->archive->file->format;
    walk->budget = ossa__budget_of(walk->workspace, at->archive);
    if (tell(walk, &look) == OSSA_STEP_INTO) {
        if (is_one) visit_entry(walk, look.node, at->entry, true, true, path);
        for (size_t i = 0; !is_one && i < at->count && !walk->is_over && !walk->is_full; i++) {
            visit_entry(walk, look.node, at->entries[i], at->figure != NULL, true, NULL);
        }
        if (walk->options->leave != NULL) walk->options->leave(walk->options->user, &look.visit);
    }
    ossa__look_free(&look);
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
        if (!is_folder && !is_out && walk->options->detail == OSSA_DETAIL_NAMES) {
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
