/* SPDX-License-Identifier: MIT
 *
 * The files that a scene is made of: from the file system, from folders and from archives. */
#include "workspace/workspace.h"

#include "base/fold.h"
#include "codec/context.h"

#include <stdio.h>
#include <string.h>

/* An entry that is taken only if it belongs to the figure, which is known at the end. */
struct ossa__deferred {
    struct ossa__node *archive; /* kept */
    size_t entry;
};

void ossa__collection_free(struct ossa__collection *c)
{
    for (size_t i = 0; i < c->count; i++) ossa_file_free(c->inputs[i].file);
    for (size_t i = 0; i < c->deferred_count; i++) ossa__node_release(c->deferred[i].archive);
    ossa_figures_free(c->named);
    ossa__arena_free(&c->arena);
}

/* ---- reports ------------------------------------------------------------------------------- */

static void report(const struct ossa__collection *c, const ossa_issue *issue)
{
    if (c->options->on_issue != NULL) c->options->on_issue(c->options->user, issue);
}

static void report_error(const struct ossa__collection *c, ossa_severity severity, const char *path,
                         const ossa_error *error)
{
    char message[OSSA_MESSAGE_CAPACITY + 32];
    bool goes_on = severity == OSSA_SEVERITY_ERROR;
    (void)snprintf(message, sizeof message, "%s%s", goes_on ? "left out: " : "", error->message);
    ossa_issue issue = {.severity = severity,
                        .code = error->code,
                        .path = path,
                        .format = error->format == NULL ? "" : error->format,
                        .has_offset = error->has_offset,
                        .offset = error->offset,
                        .field = error->field,
                        .message = message};
    report(c, &issue);
}

/* The first failure is the one that the call fails with, unless another ends it; all are reported,
 * but that the caller cancels is no news. */
static void fail(struct ossa__collection *c, const char *path, const ossa_error *error)
{
    c->unreadable++;
    if (!c->failed || ossa__is_fatal(error->code)) {
        c->error = *error;
        ossa__error_path(&c->error, path);
    }
    if (!c->tolerant || ossa__is_fatal(error->code)) c->failed = true;
    if (error->code != OSSA_CODE_CANCELLED) {
        report_error(c, OSSA_SEVERITY_UNREADABLE, path, error);
    }
}

static void fail_memory(struct ossa__collection *c)
{
    ossa_error error;
    const char *path = ossa__path_for_error(c->workspace, NULL);
    (void)ossa__workspace_fail(&error, OSSA_CODE_OUT_OF_MEMORY, path,
                               "no memory for the list of files");
    fail(c, path, &error);
}

static void pass_over(struct ossa__collection *c, const char *path)
{
    ossa_issue issue = {.severity = OSSA_SEVERITY_REMARK,
                        .code = OSSA_CODE_PASSED_OVER,
                        .path = path,
                        .format = "",
                        .field = "",
                        .message = "has no part in a scene and is left out"};
    c->passed_over++;
    report(c, &issue);
}

/* Called before each file; false: the caller cancels. */
static bool go_on(struct ossa__collection *c, const char *path)
{
    ossa_error error;
    if (ossa__workspace_progress(c->workspace, path, c->seen++, 0, &error)) return true;
    fail(c, path, &error);
    return false;
}

/* No more is to be read: not even to report what else is wrong. */
static bool is_over(const struct ossa__collection *c)
{
    return c->failed && ossa__is_fatal(c->error.code);
}

/* ---- files that are left out --------------------------------------------------------------- */

/* Can a scene do without a file that cannot be read? It can do without a clip or a part. What was
 * named is known to be one only if its format is. */
static bool is_dispensable(const struct ossa__readable *item, const ossa_error *error,
                           const struct ossa__format *format)
{
    if (ossa__is_fatal(error->code) || error->code == OSSA_CODE_NO_ENTRY) return false;
    if (error->code == OSSA_CODE_LIMIT) return false; /* there may be no end of them */
    if (ossa__is_body_entry(item)) return false;
    if (!item->is_named) return true;
    if (format == NULL || format->role == OSSA__ROLE_NONE || format->role == OSSA__ROLE_BODY)
        return false;
    /* An entry that only its name makes a file of another game may be anything in its own. */
    const ossa_file *archive = item->archive == NULL ? NULL : item->archive->file;
    return archive == NULL || ossa__format_of(archive)->game == format->game;
}

/* Is it a body, or would it be one by its name? Of an empty file nothing else is known. */
static bool is_body(const struct ossa__readable *item, const struct ossa__format *format)
{
    if (format != NULL) return format->role == OSSA__ROLE_BODY;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa__formats[i]->role != OSSA__ROLE_BODY) continue;
        if (ossa_format_fits_name(&ossa__formats[i]->about, item->path)) return true;
    }
    return false;
}

/* A file that cannot be read: skipped, left out with an error, or the end of it. */
static void lose(struct ossa__collection *c, const struct ossa__readable *item,
                 const ossa_error *error)
{
    const struct ossa__format *format =
        error->format == NULL ? NULL : (const struct ossa__format *)ossa_format_find(error->format);
    bool is_strict = c->options->read != NULL && c->options->read->strict;
    if (ossa__is_stray(c->workspace, item, error->code, error->format)) {
        pass_over(c, item->path);
    } else if (c->tolerant || is_strict || !is_dispensable(item, error, format)) {
        fail(c, item->path, error);
    } else if (is_body(item, format) && c->lost_body == NULL) {
        ossa_error *kept = ossa__arena_take(&c->arena, sizeof *kept);
        if (kept == NULL) {
            fail_memory(c);
            return;
        }
        *kept = *error;
        ossa__error_path(kept, item->path);
        c->lost_body = kept; /* reported when it is known whether there is another */
    } else {
        c->unreadable++;
        report_error(c, OSSA_SEVERITY_ERROR, item->path, error);
    }
}

/* A damaged body is left out only if there is another. */
static void check_body(struct ossa__collection *c)
{
    if (c->lost_body == NULL || c->failed) return;
    for (size_t i = 0; i < c->count; i++) {
        if (ossa__format_of(c->inputs[i].file)->role != OSSA__ROLE_BODY) continue;
        c->unreadable++;
        report_error(c, OSSA_SEVERITY_ERROR, c->lost_body->path, c->lost_body);
        return;
    }
    fail(c, c->lost_body->path, c->lost_body);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Take over a file that was read, or pass it over. */
static void add_file(struct ossa__collection *c, ossa_file *file, const char *path,
                     const char *shown)
{
    char *copy = ossa__copy(&c->arena, shown, strlen(shown));
    struct ossa__input *inputs = ossa__grow(&c->arena, c->inputs, c->count, sizeof *inputs);
    if (copy == NULL || path == NULL || inputs == NULL) {
        ossa_file_free(file);
        fail_memory(c);
        return;
    }
    c->inputs = inputs;
    c->inputs[c->count++] = (struct ossa__input){.file = file, .path = path, .shown = copy};
    /* A file with errors is refused with the first of them. */
    for (size_t i = 0; i < file->issue_count && file->error_count == 0; i++) {
        ossa_issue issue = file->issues[i];
        issue.path = copy;
        report(c, &issue);
    }
    if (c->options->on_file != NULL) c->options->on_file(c->options->user, copy);
}

/* A clip is named after its file or folder: "-", "./hp.anm" and "../hp.anm" do not say which. */
static const char *naming_path(struct ossa__collection *c, const char *path)
{
    if (strcmp(path, "-") == 0) return "standard input";
    bool is_here = strncmp(path, "./", 2) == 0 && strchr(path + 2, '/') == NULL;
    bool is_above = strncmp(path, "../", 3) == 0 && strchr(path + 3, '/') == NULL;
    char *full = NULL;
    if ((is_here || is_above) && c->workspace->filesystem.is_disk) {
        full = ossa__disk_full_path(&c->arena, path);
    }
    return full != NULL ? full : ossa__copy(&c->arena, path, strlen(path));
}

static ossa_options reading_options(const struct ossa__collection *c)
{
    ossa_options options = {0};
    if (c->options->read != NULL) options = *c->options->read;
    options.on_group = NULL;
    options.on_issue = NULL; /* issues are reported from what was kept of them */
    options.on_field = NULL;
    return options;
}

static bool is_archive(const ossa_file *file)
{
    return ossa_format_can(file->format, OSSA_ABILITY_LIST);
}

static bool has_part(const ossa_file *file)
{
    return ossa_format_can(file->format, OSSA_ABILITY_ASSEMBLE);
}

/* ---- archives ------------------------------------------------------------------------------ */

static void enter_archive(struct ossa__collection *c, struct ossa__node *node);
static void add_archive(struct ossa__collection *c, struct ossa__node *node, const char *path);

/* Things for many figures are stored together: only this figure's own are wanted. */
static bool is_companion(const ossa_guess *guess)
{
    const struct ossa__format *format = (const struct ossa__format *)guess->format;
    return format != NULL && format->role == OSSA__ROLE_COMPANION;
}

static void defer(struct ossa__collection *c, struct ossa__node *archive, size_t entry)
{
    struct ossa__deferred *deferred =
        ossa__grow(&c->arena, c->deferred, c->deferred_count, sizeof *deferred);
    if (deferred == NULL) {
        fail_memory(c);
        return;
    }
    c->deferred = deferred;
    c->deferred[c->deferred_count++] = (struct ossa__deferred){ossa__node_keep(archive), entry};
}

/* A file that was read, from an archive: it is entered, passed over, or taken. */
static void take_entry(struct ossa__collection *c, const struct ossa__readable *item,
                       ossa_file *file)
{
    ossa_error error;
    const char *name = ossa__node_entry(item->archive, item->entry)->name;
    if (is_archive(file)) {
        struct ossa__node *node = ossa__node_adopt(c->workspace, item, file, &error);
        if (node == NULL) {
            ossa_file_free(file);
            lose(c, item, &error);
            return;
        }
        /* A large one was searched, which is not to happen twice. */
        const ossa_options options = reading_options(c);
        if (ossa__reads_for_others(&options) && ossa__node_streams(item->archive, item->entry)) {
            node = ossa__cache_offer(c->workspace, node);
        }
        /* That of a disc holds thousands of files that are of no figure. */
        const struct ossa__budget budget = c->budget;
        if (node->pairs != NULL) add_archive(c, node, node->path);
        else enter_archive(c, node);
        if (node->pairs != NULL) c->budget = budget;
        ossa__node_release(node);
    } else if (!has_part(file) && !item->is_named) {
        ossa_file_free(file);
        pass_over(c, item->path);
    } else {
        add_file(c, file, ossa__join(&c->arena, item->archive->tree, "/", name), item->path);
    }
}

/* One that is read like a file, together with what it goes on in. */
static void add_stream(struct ossa__collection *c, const struct ossa__readable *item)
{
    ossa_error error = {0};
    const ossa_options options = reading_options(c);
    const char *name = ossa__node_entry(item->archive, item->entry)->name;
    if (!item->is_named && ossa__is_continuation(c->workspace, item->archive, name)) return;
    ossa_file *file = ossa__read_item(c->workspace, item, &options, &error);
    if (file != NULL) take_entry(c, item, file);
    else lose(c, item, &error);
}

/* An entry of an archive. What belongs to many figures is left for later, unless it was named.
 * `named`: how the caller calls it; NULL: as the archive does. */
static void add_entry(struct ossa__collection *c, struct ossa__node *archive, size_t entry,
                      bool is_named, bool may_defer, const char *named)
{
    struct ossa__arena arena; /* of what is needed for this one only */
    ossa_guess guess = {0};
    ossa_error error = {0};
    const ossa_options options = reading_options(c);
    const ossa_entry *about = ossa__node_entry(archive, entry);
    if (may_defer && ossa__node_knows(archive, entry, &guess) && is_companion(&guess)) {
        defer(c, archive, entry);
        return;
    }
    ossa__arena_init(&arena, c->workspace->allocator, UINT64_MAX);
    struct ossa__readable item = {.archive = archive, .entry = entry, .is_named = is_named};
    item.path = named != NULL ? named : ossa__join(&arena, archive->path, "#", about->name);
    ossa_bytes bytes = {0};
    if (item.path == NULL) {
        fail_memory(c);
    } else if (!go_on(c, item.path)) {
        /* cancelled */
    } else if (!ossa__spend(&c->budget, about, item.path, &error)) {
        fail(c, item.path, &error);
    } else if (ossa__node_streams(archive, entry)) {
        add_stream(c, &item);
    } else if (!ossa__node_bytes(c->workspace, archive, entry, &bytes, &error)) {
        lose(c, &item, &error);
    } else {
        guess = ossa__node_guess(archive, entry, &bytes);
        if (may_defer && is_companion(&guess)) {
            ossa_bytes_free(&bytes);
            defer(c, archive, entry);
        } else {
            ossa_file *file =
                ossa__read_entry(c->workspace, &item, &guess, &bytes, &options, &error);
            if (file != NULL) take_entry(c, &item, file);
            else lose(c, &item, &error);
        }
    }
    ossa__arena_free(&arena);
}

/* Everything in an archive, as if it were a folder. It cannot go deeper than archives may lie. */
static void enter_archive(struct ossa__collection *c, struct ossa__node *node)
{
    for (size_t i = 0; i < node->count && !c->failed; i++) add_entry(c, node, i, false, true, NULL);
}

static void add_location(struct ossa__collection *c, const char *path);

/* Of an archive whose entries pair by name only those of its figure; false: that does not say what
 * is in it. */
static bool add_only_figure(struct ossa__collection *c, const struct ossa__node *node,
                            const char *path)
{
    size_t size = 0;
    const char *name = NULL;
    for (size_t i = 0; node->pairs != NULL && i < node->count && name == NULL; i++) {
        name = ossa__figure_name(node, i, &size);
    }
    if (name == NULL) return false;
    const char *copy = ossa__copy(&c->arena, name, size);
    const char *whole = copy == NULL ? NULL : ossa__join(&c->arena, path, "#", copy);
    if (whole == NULL) fail_memory(c);
    else add_location(c, whole);
    return true;
}

/* An archive that was named, or found in a folder. One of several figures is not one figure. */
static void add_archive(struct ossa__collection *c, struct ossa__node *node, const char *path)
{
    size_t figures = ossa__figure_count(node);
    if (figures > 1) {
        ossa_error error;
        (void)ossa__workspace_fail(&error, OSSA_CODE_SEVERAL_FIGURES, path,
                                   "holds %zu figures: choose one, %s#NAME", figures, path);
        fail(c, path, &error);
        return;
    }
    if (add_only_figure(c, node, path)) return;
    c->budget = ossa__budget_of(c->workspace, node);
    enter_archive(c, node);
}

/* ---- what belongs to the figure ------------------------------------------------------------ */

static const char *base_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') name = c + 1;
    }
    return name;
}

static size_t stem_size(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
}

/* Those that a file lists, by name. False: no memory. */
static bool choose_listed(struct ossa__collection *c, const struct ossa__input *input,
                          struct ossa__sorted_names *names, bool *is_wanted)
{
    const struct ossa__format *format = ossa__format_of(input->file);
    const void *contents = ossa__contents(input->file, format);
    const char *name;
    size_t size;
    for (uint32_t i = 0;
         contents != NULL &&
         (name = format->game->listed_companion(format, contents, i, &size)) != NULL;
         i++) {
        size_t first;
        struct ossa__mark mark = ossa__arena_mark(&c->arena);
        char *start = ossa__arena_take(&c->arena, (uint64_t)size + 1);
        if (start == NULL) return false;
        memcpy(start, name, size);
        start[size] = '.';
        if (ossa__names_find_new(names, start, size + 1, &first) > 0) {
            is_wanted[names->items[first].number] = true;
        }
        ossa__arena_release(&c->arena, mark);
    }
    return true;
}

/* Which of the entries are wanted: those that parts list, those whose names begin with that of a
 * body, or all where there is no body. NULL: no memory. */
static bool *choose_deferred(struct ossa__collection *c)
{
    size_t bodies = 0;
    struct ossa__sorted_names names = {
        .items = ossa__arena_take(&c->arena, (c->deferred_count + 1) * sizeof *names.items),
        .count = c->deferred_count};
    bool *is_wanted = ossa__arena_take(&c->arena, c->deferred_count + 1);
    if (names.items == NULL || is_wanted == NULL) return NULL;
    for (size_t i = 0; i < c->deferred_count; i++) {
        const struct ossa__deferred *deferred = &c->deferred[i];
        const char *entry = ossa__node_entry(deferred->archive, deferred->entry)->name;
        names.items[i] = (struct ossa__sorted_name){.text = base_name(entry), .number = i};
        is_wanted[i] = false;
    }
    ossa__names_sort(&names);
    for (size_t i = 0; i < c->count; i++) {
        const struct ossa__format *format = ossa__format_of(c->inputs[i].file);
        if (format->game->listed_companion != NULL) {
            bodies++;
            if (!choose_listed(c, &c->inputs[i], &names, is_wanted)) return NULL;
            continue;
        }
        if (format->role != OSSA__ROLE_BODY) continue;
        const char *body = base_name(c->inputs[i].path);
        size_t first;
        size_t count = ossa__names_find_new(&names, body, stem_size(body), &first);
        bodies++;
        for (size_t k = first; k < first + count; k++) is_wanted[names.items[k].number] = true;
    }
    /* A figure of one part has no body, but a name. */
    for (size_t i = 0; i < c->figure_count; i++) {
        const char *name = base_name(c->figures[i]);
        size_t first;
        size_t count = ossa__names_find_new(&names, name, strlen(name), &first);
        bodies++;
        for (size_t k = first; k < first + count; k++) is_wanted[names.items[k].number] = true;
    }
    if (bodies == 0) memset(is_wanted, true, c->deferred_count);
    c->compared += names.compared;
    return is_wanted;
}

static void add_deferred(struct ossa__collection *c)
{
    const bool *is_wanted = choose_deferred(c);
    if (is_wanted == NULL) {
        fail_memory(c);
        return;
    }
    for (size_t i = 0; i < c->deferred_count && !c->failed; i++) {
        const struct ossa__deferred *deferred = &c->deferred[i];
        if (!is_wanted[i]) continue;
        c->budget = ossa__budget_of(c->workspace, deferred->archive); /* it was counted before */
        add_entry(c, deferred->archive, deferred->entry, false, false, NULL);
    }
}

/* ---- paths --------------------------------------------------------------------------------- */

/* Found in a folder, what else is there is for every figure of an archive, but the others are not.
 */
static bool is_of_others(const struct ossa__node *node, bool is_named)
{
    return !is_named && ossa__figure_count(node) > 1;
}

static void take_archive(struct ossa__collection *c, const struct ossa__readable *item,
                         struct ossa__node *node)
{
    if (is_of_others(node, item->is_named)) {
        c->several = ossa__copy(&c->arena, item->path, strlen(item->path));
        if (c->several == NULL) fail_memory(c);
        pass_over(c, item->path);
    } else {
        add_archive(c, node, item->path);
    }
    ossa__node_release(node);
}

/* A file of the file system or of memory. Archives stay open: the next scene may want them, too. */
static void add_path(struct ossa__collection *c, const char *path, bool is_named)
{
    const ossa_options options = reading_options(c);
    const struct ossa__readable item = {.path = path, .is_named = is_named};
    ossa_error error = {0};
    bool is_shared = ossa__reads_for_others(&options);
    if (!go_on(c, path)) return;
    if (!is_named && ossa__is_continuation(c->workspace, NULL, path)) return;
    struct ossa__node *node = is_shared ? ossa__cache_file(c->workspace, path) : NULL;
    if (node != NULL) {
        take_archive(c, &item, node);
        return;
    }
    ossa_file *file = ossa__read_item(c->workspace, &item, &options, &error);
    if (file == NULL) {
        lose(c, &item, &error);
    } else if (is_archive(file)) {
        node = ossa__node_adopt(c->workspace, &item, file, &error);
        if (node == NULL) {
            ossa_file_free(file);
            lose(c, &item, &error);
        } else {
            if (is_shared) node = ossa__cache_offer(c->workspace, node);
            take_archive(c, &item, node);
        }
    } else if (!is_named && !has_part(file)) {
        ossa_file_free(file);
        pass_over(c, path);
    } else {
        add_file(c, file, naming_path(c, path), path);
    }
}

static bool found_file(void *context, const char *path, const ossa_error *error)
{
    struct ossa__collection *c = context;
    if (error != NULL) fail(c, path, error);
    else add_path(c, path, false);
    return !is_over(c);
}

static void note_figure(struct ossa__collection *c, const char *name)
{
    const char **figures = ossa__grow(&c->arena, c->figures, c->figure_count, sizeof *figures);
    const char *copy = ossa__copy(&c->arena, name, strlen(name));
    if (figures == NULL || copy == NULL) {
        fail_memory(c);
        return;
    }
    c->figures = figures;
    figures[c->figure_count++] = copy;
}

/* What was named in an archive: one entry, which may be an archive that is open, or several. */
static void add_located(struct ossa__collection *c, const struct ossa__location *at,
                        const char *path)
{
    struct ossa__node *inner = NULL;
    ossa_guess guess;
    if (at->archive == NULL) return;
    if (at->kind == OSSA__AT_ENTRIES && at->figure != NULL) note_figure(c, at->figure);
    for (size_t i = 0; at->kind == OSSA__AT_ENTRIES && i < at->count && !is_over(c); i++) {
        add_entry(c, at->archive, at->entries[i], false, false, NULL);
    }
    if (at->kind != OSSA__AT_ENTRY) return;
    if (ossa__node_knows(at->archive, at->entry, &guess) && guess.format != NULL &&
        ossa_format_can(guess.format, OSSA_ABILITY_LIST)) {
        inner = ossa__node_enter(c->workspace, at->archive, at->entry, NULL);
    }
    if (inner != NULL) add_archive(c, inner, path);
    else add_entry(c, at->archive, at->entry, true, false, path);
    ossa__node_release(inner);
}

static void add_location(struct ossa__collection *c, const char *path)
{
    struct ossa__arena arena;
    ossa_error error = {0};
    bool is_folder = false;
    ossa__arena_init(&arena, c->workspace->allocator, UINT64_MAX);
    struct ossa__location at = ossa__locate(c->workspace, path, &arena, &error);
    if (at.archive != NULL) c->budget = ossa__budget_of(c->workspace, at.archive);
    switch (at.kind) {
    case OSSA__AT_FILE:
        if (!ossa__source_exists(c->workspace, path)) {
            bool ok =
                ossa__walk_folder(c->workspace, path, &arena, found_file, c, &is_folder, &error);
            if (is_folder && !ok && !c->failed) fail(c, path, &error);
        }
        if (error.code == OSSA_CODE_OUT_OF_MEMORY) fail(c, path, &error);
        else if (!is_folder) add_path(c, path, true);
        break;
    case OSSA__AT_ENTRY:
    case OSSA__AT_ENTRIES: add_located(c, &at, path); break;
    case OSSA__AT_NO_ENTRY:
    case OSSA__AT_FAILED: fail(c, path, &error); break;
    }
    ossa__node_release(at.archive);
    ossa__arena_free(&arena);
}

bool ossa__collect(struct ossa__collection *c, const char *const *paths, size_t count)
{
    ossa__arena_init(&c->arena, c->workspace->allocator, UINT64_MAX);
    for (size_t i = 0; i < count && !is_over(c); i++) add_location(c, paths[i]);
    if (!c->failed) add_deferred(c);
    check_body(c);
    return !c->failed;
}
