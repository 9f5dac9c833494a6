/* SPDX-License-Identifier: MIT
 *
 * Figures: walking through files for all that may be of one. An archive that stores figures by name
 * (struct ossa__game, figure_endings) has those; figure_groups.c finds the others. */
#include "workspace/figures.h"
#include "workspace/pairs.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

struct figures {
    ossa_figures figures; /* first */
    struct ossa__arena arena;
    uint64_t compared;
};

uint64_t ossa__figures_compared(const ossa_figures *figures)
{
    return ((const struct figures *)figures)->compared;
}

/* ---- memory and texts ---------------------------------------------------------------------- */

void *ossa__maker_take(struct ossa__maker *maker, size_t count, size_t size)
{
    uint64_t bytes;
    void *memory = ossa__multiply(count, size, &bytes) && bytes < UINT64_MAX
                       ? ossa__arena_take(&maker->scratch, bytes + 1)
                       : NULL;
    if (memory == NULL) maker->ok = false;
    return memory;
}

static const char *keep(struct ossa__maker *maker, struct ossa__arena *arena, const char *text)
{
    char *copy = ossa__copy(arena, text, strlen(text));
    if (copy == NULL) maker->ok = false;
    return copy;
}

const char *ossa__last_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\' || *c == '#') name = c + 1;
    }
    return name;
}

static char *stem(struct ossa__maker *maker, const char *path)
{
    const char *name = ossa__last_name(path);
    const char *dot = strrchr(name, '.');
    char *copy = ossa__copy(&maker->scratch, name,
                            dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
    if (copy == NULL) maker->ok = false;
    return copy;
}

static void note_other(struct ossa__maker *maker, const char *path)
{
    const char **others =
        ossa__grow(&maker->scratch, maker->others, maker->other_count, sizeof *others);
    const char *copy = keep(maker, &maker->scratch, path);
    if (others == NULL || copy == NULL) {
        maker->ok = false;
        return;
    }
    maker->others = others;
    maker->others[maker->other_count++] = copy;
}

/* Was it found by a search, and has no name? */
static bool is_nameless(const struct ossa__maker *maker, const ossa_visit *visit)
{
    if (!maker->is_search || visit->entry == NULL) return false;
    const struct ossa__pair pair = ossa__pair_of(visit->name, OSSA__ROLE_NONE);
    return ossa__is_nameless(&pair);
}

/* A file that cannot be used, and that is not of a figure which would report it. */
static void note_damage(struct ossa__maker *maker, const ossa_visit *visit, const ossa_issue *why)
{
    note_other(maker, visit->path);
    if (visit->is_stray || is_nameless(maker, visit)) return;
    ossa_issue *damaged =
        ossa__grow(&maker->arena, maker->damaged, maker->damaged_count, sizeof *damaged);
    if (damaged == NULL) maker->ok = false;
    if (!maker->ok) return;
    maker->damaged = damaged;
    ossa_issue *issue = &damaged[maker->damaged_count];
    *issue = *why;
    issue->path = keep(maker, &maker->arena, visit->path);
    issue->field = keep(maker, &maker->arena, why->field);
    issue->message = keep(maker, &maker->arena, why->message);
    issue->repeat_count = 0;
    issue->place_count = 0;
    issue->places = NULL;
    if (maker->ok) maker->damaged_count++;
}

static ossa_issue issue_of(const ossa_error *error)
{
    return (ossa_issue){.severity = OSSA_SEVERITY_UNREADABLE,
                        .code = error->code,
                        .format = error->format == NULL ? "" : error->format,
                        .has_offset = error->has_offset,
                        .offset = error->offset,
                        .field = error->field,
                        .message = error->message};
}

struct ossa__origin *ossa__find_origin(struct ossa__maker *maker, const char *path)
{
    struct ossa__table *table = &maker->origin_table;
    size_t known = table->count;
    struct ossa__cell *cell = ossa__table_put(table, &maker->scratch, path, strlen(path));
    if (cell == NULL) return NULL;
    if (table->count > known) {
        const char *copy = keep(maker, &maker->scratch, path);
        struct ossa__origin **origins =
            ossa__grow(&maker->scratch, maker->origins, known, sizeof(struct ossa__origin *));
        struct ossa__origin *origin = ossa__arena_take(&maker->scratch, sizeof *origin);
        if (copy == NULL || origins == NULL || origin == NULL) return NULL;
        cell->text = copy;
        cell->value = table->count;
        *origin = (struct ossa__origin){.path = copy, .number = cell->value};
        maker->origins = origins;
        origins[known] = origin;
    }
    return maker->origins[cell->value - 1];
}

/* Is nobody to take it in if it is damaged? A figure can do without a clip. */
static bool is_lost(const struct ossa__member *file)
{
    return file->is_found || file->format->role == OSSA__ROLE_BODY;
}

/* The first error of a file that was read, or why it was not. */
static void note_lost(struct ossa__maker *maker, const ossa_visit *visit, const ossa_file *read,
                      const ossa_error *error)
{
    ossa_issue why = issue_of(error);
    for (size_t i = 0; read != NULL && i < read->issue_count; i++) {
        why = read->issues[i];
        if (why.severity == OSSA_SEVERITY_ERROR) break;
    }
    note_damage(maker, visit, &why);
}

/* A body of one bone may be a link to the files of a figure. */
static void note_link(struct ossa__maker *maker, const void *contents, struct ossa__member *file)
{
    const struct ossa__game *game = file->format->game;
    char word[OSSA__LINK_CAPACITY];
    if (game->link_of == NULL || game->link_of(file->format, contents, word) != 1) return;
    file->link = keep(maker, &maker->scratch, word);
}

/* Read what has bones, for how many. False: it is damaged, and no scene takes it. */
static bool look_inside(struct ossa__maker *maker, const ossa_visit *visit,
                        struct ossa__member *file)
{
    const ossa_options options = {.name = visit->hint,
                                  .allocator = maker->workspace->allocator,
                                  .max_input = maker->workspace->options.max_input};
    const ossa_guess guess = {&file->format->about, OSSA_CONFIDENCE_PLAUSIBLE};
    ossa_file *own = NULL;
    ossa_error error = {0};
    const ossa_file *read = visit->file;
    if (read == NULL && visit->data != NULL) {
        own = ossa__read_guessed(visit->data, (size_t)visit->size, &guess, &options, &error);
        read = own;
    }
    if (error.code == OSSA_CODE_OUT_OF_MEMORY) maker->ok = false;
    bool ok = read != NULL && read->error_count == 0;
    const void *contents = ok ? ossa__contents((ossa_file *)(uintptr_t)read, file->format) : NULL;
    if (contents != NULL && file->format->game->survey != NULL) {
        file->format->game->survey(file->format, contents, &file->facts);
        ossa__note_listed(maker, contents, file);
        note_link(maker, contents, file);
    }
    if (!ok && is_lost(file)) note_lost(maker, visit, read, &error);
    ossa_file_free(own);
    return ok;
}

/* A file of that format, as far as it can be read. A body that cannot be read is nobody's. */
static void add_file(struct ossa__maker *maker, const ossa_visit *visit, const ossa_format *format)
{
    struct ossa__member file = {.format = (const struct ossa__format *)format,
                                .origin = maker->origin,
                                .base = maker->base,
                                .is_named = visit->is_named && maker->base > 0,
                                .is_found = is_nameless(maker, visit),
                                .is_damaged = visit->error != NULL};
    if (file.format == NULL || file.format->role == OSSA__ROLE_NONE) return;
    if (file.format->role != OSSA__ROLE_COMPANION && !file.is_damaged) {
        file.is_damaged = !look_inside(maker, visit, &file);
    } else if (file.is_damaged && is_lost(&file)) {
        note_lost(maker, visit, NULL, visit->error);
    }
    if (file.is_damaged && is_lost(&file)) return;
    bool is_inside = visit->entry != NULL && strchr(visit->path, '#') != NULL;
    if (is_inside) file.holder = ossa__find_holder(maker, visit->path, visit->name);
    bool is_first = file.holder != NULL && !file.holder->has_more;
    if (is_first && file.format->role != OSSA__ROLE_COMPANION) ossa__note_more(maker, visit);
    file.path = keep(maker, &maker->scratch, visit->path);
    file.name = visit->own_name != NULL ? keep(maker, &maker->scratch, visit->own_name)
                                        : stem(maker, visit->path);
    struct ossa__member *files =
        ossa__grow(&maker->scratch, maker->files, maker->file_count, sizeof *files);
    if (files == NULL) {
        maker->ok = false;
        return;
    }
    maker->files = files;
    maker->files[maker->file_count++] = file;
}

uint64_t ossa__format_bit(const struct ossa__format *format)
{
    unsigned index = 0;
    while (ossa__formats[index] != format) index++;
    return UINT64_C(1) << (index & 63U);
}

/* ---- figures ------------------------------------------------------------------------------- */

/* A figure being made. */
ossa_figure *ossa__add_figure(struct ossa__maker *maker, const char *name, const char *game)
{
    ossa_figure *items = ossa__grow(&maker->arena, maker->items, maker->count, sizeof *items);
    const char *copy = keep(maker, &maker->arena, name[0] == '\0' ? "figure" : name);
    struct ossa__figure_state *states =
        ossa__grow(&maker->scratch, maker->states, maker->count, sizeof *states);
    if (items == NULL || copy == NULL || states == NULL) {
        maker->ok = false;
        return NULL;
    }
    maker->states = states;
    maker->states[maker->count] = (struct ossa__figure_state){0};
    maker->items = items;
    ossa_figure *figure = &maker->items[maker->count++];
    *figure = (ossa_figure){.name = copy, .game = game};
    return figure;
}

static bool add_text(struct ossa__maker *maker, const char *const **list, size_t *count,
                     const char *text)
{
    const char **larger =
        ossa__grow(&maker->arena, (void *)(uintptr_t)*list, *count, sizeof *larger);
    const char *copy = keep(maker, &maker->arena, text);
    if (larger == NULL || copy == NULL) {
        maker->ok = false;
        return false;
    }
    larger[(*count)++] = copy;
    *list = larger;
    return true;
}

void ossa__add_figure_path(struct ossa__maker *maker, ossa_figure *figure, const char *path,
                           struct ossa__origin *origin)
{
    size_t number = (size_t)(figure - maker->items) + 1;
    struct ossa__cell *cell =
        path == NULL ? NULL : ossa__table_put(&maker->paths, &maker->scratch, path, strlen(path));
    if (cell == NULL) maker->ok = false;
    if (!maker->ok) return;
    if (cell->value != number) {
        cell->value = number;
        (void)add_text(maker, &figure->paths, &figure->path_count, path);
    }
    if (origin->figure != number) {
        origin->figure = number;
        (void)add_text(maker, &figure->files, &figure->file_count, origin->path);
    }
}

void ossa__add_missing(struct ossa__maker *maker, ossa_figure *figure, const char *what)
{
    (void)add_text(maker, &figure->missing, &figure->missing_count, what);
}

/* An archive that stores figures by name; false: it stores none. */
static bool add_stored(struct ossa__maker *maker, const ossa_visit *visit)
{
    const struct ossa__game *game = ossa__format_of(visit->file)->game;
    const struct ossa__node *node = ossa__visit_node(visit);
    size_t before = maker->count;
    /* Where a file lists the clips of a figure, names alone do not say what belongs to it. */
    if (game->listed_clip != NULL) return false;
    size_t count = node == NULL || node->file == NULL ? 0 : node->count;
    for (size_t i = 0; i < count && maker->ok; i++) {
        size_t size;
        const char *entry = ossa__figure_name(node, i, &size);
        if (entry == NULL) continue;
        char *name = ossa__copy(&maker->scratch, entry, size);
        char *path = name == NULL ? NULL : ossa__join(&maker->scratch, visit->path, "#", name);
        if (path != NULL && node->pairs != NULL) name += ossa__last_name(name) - name;
        ossa_figure *figure = path == NULL ? NULL : ossa__add_figure(maker, name, game->title);
        if (figure == NULL) {
            maker->ok = false;
            break;
        }
        ossa__add_figure_path(maker, figure, path, maker->origin);
        bool is_still = ossa__is_paired_body(node, i) && ossa__paired_clips(node, i) == 0;
        if (is_still) ossa__add_missing(maker, figure, "animation");
    }
    return maker->count > before;
}

/* What else a stored figure should have. */
static void note_missing_entries(struct ossa__maker *maker, const ossa_visit *visit, size_t first)
{
    struct ossa__node *node = ossa__visit_node(visit);
    const struct ossa__game *game = ossa__format_of(visit->file)->game;
    for (size_t i = first; game->figure_endings != NULL && i < maker->count && maker->ok; i++) {
        const char *name = maker->items[i].name;
        char *whole = ossa__join(&maker->scratch, name, "", game->figure_endings[0]);
        if (whole == NULL) maker->ok = false;
        /* A figure of one part may do without. */
        if (!maker->ok || ossa__node_find(node, whole) < 0) continue;
        for (size_t k = 1; game->figure_endings[k] != NULL; k++) {
            char *entry = ossa__join(&maker->scratch, name, "", game->figure_endings[k]);
            if (entry == NULL) maker->ok = false;
            else if (ossa__node_find(node, entry) < 0) {
                ossa__add_missing(maker, &maker->items[i], entry);
            }
        }
    }
}

/* ---- walking ------------------------------------------------------------------------------- */

static ossa_step visit(void *user, const ossa_visit *visit)
{
    struct ossa__maker *maker = user;
    if (!maker->ok) return OSSA_STEP_STOP;
    if (visit->entry == NULL) {
        size_t known = maker->origin_table.count;
        maker->origin = ossa__find_origin(maker, visit->path);
        maker->is_search = false;
        if (maker->origin == NULL) {
            maker->ok = false;
            return OSSA_STEP_STOP;
        }
        /* Paths that were added may lead to the same file. */
        if (maker->origin_table.count == known && !visit->is_part) return OSSA_STEP_OVER;
    }
    if (visit->error != NULL) {
        if (visit->error->code == OSSA_CODE_OUT_OF_MEMORY) maker->ok = false;
        /* A file that was added by itself may be a stray in its folder, as far as we care. */
        const struct ossa__readable item = {.path = visit->path};
        const char *id = visit->error->format;
        const ossa_format *format = id == NULL ? NULL : ossa_format_find(id);
        if (visit->entry == NULL &&
            ossa__is_stray(maker->workspace, &item, visit->error->code, id)) {
            return OSSA_STEP_OVER;
        }
        if (format != NULL && ossa_format_can(format, OSSA_ABILITY_ASSEMBLE)) {
            add_file(maker, visit, format);
        } else {
            const ossa_issue why = issue_of(visit->error);
            note_damage(maker, visit, &why);
        }
        return OSSA_STEP_OVER;
    }
    if (!visit->is_archive) {
        add_file(maker, visit, visit->format);
        return OSSA_STEP_OVER;
    }
    size_t first = maker->count;
    if (visit->is_search) note_other(maker, visit->path);
    if (!visit->is_part && visit->file != NULL && add_stored(maker, visit)) {
        ossa__note_more(maker, visit);
        note_missing_entries(maker, visit, first);
        return OSSA_STEP_OVER;
    }
    maker->is_search = visit->is_search;
    return OSSA_STEP_INTO;
}

static void leave(void *user, const ossa_visit *visit)
{
    (void)visit;
    ((struct ossa__maker *)user)->is_search = false;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool walk(struct ossa__maker *maker, const char *path, size_t base, ossa_error *error)
{
    const ossa_walk_options options = {.detail = OSSA_DETAIL_BYTES,
                                       .deep = true,
                                       .search = true,
                                       .visit = visit,
                                       .leave = leave,
                                       .user = maker};
    maker->base = base;
    while (maker->base > 1 && path[maker->base - 1] == '/') maker->base--;
    return ossa_workspace_walk(maker->workspace, path, &options, error);
}

static bool walk_roots(struct ossa__maker *maker, ossa_error *error)
{
    for (size_t i = 0; i < maker->workspace->root_count; i++) {
        const struct ossa__root *root = &maker->workspace->roots[i];
        if (root->is_removed) continue;
        /* The folders of files in memory are known, if they cannot be those of a disk as well. */
        bool is_known = root->block != NULL && !maker->workspace->filesystem.is_disk;
        size_t base = is_known ? 0 : strlen(root->path);
        /* That one root cannot be read is not the end of the others. */
        if (walk(maker, root->path, base, error)) continue;
        if (ossa__is_fatal(error->code)) return false;
    }
    return true;
}

ossa_figures *ossa_workspace_figures(ossa_workspace *workspace, const char *path, ossa_error *error)
{
    struct ossa__maker maker = {.workspace = workspace, .ok = true};
    ossa_error why = {0};
    ossa__arena_init(&maker.arena, workspace->allocator, UINT64_MAX);
    ossa__arena_init(&maker.scratch, workspace->allocator, UINT64_MAX);
    struct figures *figures = ossa__arena_take(&maker.arena, sizeof *figures);
    bool ok = path == NULL ? walk_roots(&maker, &why) : walk(&maker, path, strlen(path), &why);
    if (ok && maker.ok) ossa__group_files(&maker);
    if (figures == NULL || !maker.ok) {
        ok = ossa__workspace_fail(&why, OSSA_CODE_OUT_OF_MEMORY,
                                  ossa__path_for_error(workspace, path),
                                  "no memory for the figures");
    }
    ossa__arena_free(&maker.scratch);
    if (ok) why = (ossa_error){0};
    if (error != NULL) *error = why;
    if (!ok || figures == NULL) {
        ossa__arena_free(&maker.arena);
        return NULL;
    }
    *figures =
        (struct figures){.figures = {maker.count, maker.items, maker.damaged_count, maker.damaged},
                         .arena = maker.arena,
                         .compared = maker.compared};
    return &figures->figures;
}

void ossa_figures_free(ossa_figures *figures)
{
    if (figures == NULL) return;
    struct ossa__arena arena = ((struct figures *)figures)->arena;
    ossa__arena_free(&arena);
}
