/* SPDX-License-Identifier: MIT
 *
 * Which files belong together. Every game says what its files are to a figure (enum ossa__role) and
 * which clips fit a body; the rest is where they lie:
 *
 *   - an archive that stores figures by name (struct ossa__game, figure_endings) has those;
 *   - in a folder, or an archive, with one body, all that fits is of that body;
 *   - with several, each folder is looked at by itself, and within one folder each body takes the
 *     clips that fit and that no body before it has taken;
 *   - what was found by searching a file lies nowhere: a body goes with all clips that have as many
 *     bones, which is a guess;
 *   - companions, which are stored with those of others, go with all figures of their game that
 *     have no such archive of their own. Loading a scene takes what belongs to the figure. */
#include "workspace/workspace.h"

#include "base/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FOUND_CLIPS = 250, /* of a figure that was found by a search: all of them are loaded */
    MOST_FOUND_BODIES = 2000,
    MOST_SPLITS = 64, /* of folders in folders */
};

/* A file of the file system. */
struct root {
    const char *path;
    size_t figure;  /* that lists it, from 1 on; of several the last */
    bool has_more;  /* than companions */
    bool is_listed; /* as one of companions only */
};

/* A file that may be of a figure. */
struct file {
    const char *path;  /* "ped.ar#anim/walk.anim" */
    struct root *root; /* "ped.ar" */
    size_t figure;     /* which one takes it in, from 1 on; 0: none yet */
    size_t base;       /* bytes of the path that the caller gave: nothing above it is known */
    const char *name; /* what a file that was found calls itself; else its own, without extension */
    const struct ossa__format *format;
    struct ossa__facts facts;
    bool is_found; /* by a search */
};

struct figures {
    ossa_figures figures; /* first */
    struct ossa__arena arena;
};

/* Texts, each once, with a number for each; in an arena. */
struct table {
    struct cell {
        const char *text; /* NULL: free */
        size_t size;
        size_t value; /* 0: none yet */
    } * cells;
    size_t count;
    size_t capacity; /* a power of two, or 0 */
};

struct maker {
    ossa_workspace *workspace;
    struct ossa__arena arena;   /* of the result */
    struct ossa__arena scratch; /* of everything else */
    ossa_figure *items;
    uint64_t *own; /* by figure: the formats of the companions that it has taken, see bit_of */
    size_t count;
    struct file *files;
    size_t file_count;
    const char **others; /* paths of files that no figure may take in: damaged ones, and discs */
    size_t other_count;
    struct table paths; /* of figures; with the number of the last that has it */
    struct table roots;
    struct root **root_list; /* by number */
    struct root *root;       /* that is being walked through */
    size_t base;             /* the size of the path of the walk */
    bool is_search;
    bool ok; /* false: no memory */
};

/* ---- tables -------------------------------------------------------------------------------- */

static struct cell *find_cell(const struct table *table, const char *text, size_t size)
{
    size_t slot = (size_t)ossa__hash_bytes(text, size) & (table->capacity - 1);
    for (;; slot = (slot + 1) & (table->capacity - 1)) {
        struct cell *cell = &table->cells[slot];
        if (cell->text == NULL) return cell;
        if (cell->size == size && memcmp(cell->text, text, size) == 0) return cell;
    }
}

/* The cell of a text, which is the caller's; a new one has no value. NULL: no memory. */
static struct cell *put(struct table *table, struct ossa__arena *arena, const char *text,
                        size_t size)
{
    if (2 * table->count >= table->capacity) {
        struct table larger = {.capacity = table->capacity == 0 ? 16 : 2 * table->capacity};
        larger.cells = ossa__arena_take(arena, (uint64_t)larger.capacity * sizeof *larger.cells);
        if (larger.cells == NULL) return NULL;
        memset(larger.cells, 0, larger.capacity * sizeof *larger.cells);
        larger.count = table->count;
        for (size_t i = 0; i < table->capacity; i++) {
            const struct cell *cell = &table->cells[i];
            if (cell->text != NULL) *find_cell(&larger, cell->text, cell->size) = *cell;
        }
        *table = larger;
    }
    struct cell *cell = find_cell(table, text, size);
    if (cell->text == NULL) {
        *cell = (struct cell){.text = text, .size = size};
        table->count++;
    }
    return cell;
}

/* ---- what there is ------------------------------------------------------------------------- */

static const char *keep(struct maker *maker, struct ossa__arena *arena, const char *text)
{
    char *copy = ossa__copy(arena, text, strlen(text));
    if (copy == NULL) maker->ok = false;
    return copy;
}

static const char *base_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\' || *c == '#') name = c + 1;
    }
    return name;
}

static char *stem(struct maker *maker, const char *path)
{
    const char *name = base_name(path);
    const char *dot = strrchr(name, '.');
    char *copy = ossa__copy(&maker->scratch, name,
                            dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
    if (copy == NULL) maker->ok = false;
    return copy;
}

static void note_other(struct maker *maker, const char *path)
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

/* The root of that path, known or new; NULL: no memory. */
static struct root *find_root(struct maker *maker, const char *path)
{
    const char *copy = keep(maker, &maker->scratch, path);
    struct cell *cell =
        copy == NULL ? NULL : put(&maker->roots, &maker->scratch, copy, strlen(copy));
    if (cell == NULL) return NULL;
    if (cell->value == 0) {
        struct root **list =
            ossa__grow(&maker->scratch, maker->root_list, maker->roots.count - 1, sizeof *list);
        struct root *root = ossa__arena_take(&maker->scratch, sizeof *root);
        if (list == NULL || root == NULL) return NULL;
        *root = (struct root){.path = copy};
        maker->root_list = list;
        cell->value = maker->roots.count;
        list[cell->value - 1] = root;
    }
    return maker->root_list[cell->value - 1];
}

/* Read what has bones, for how many. False: it is damaged, and no scene takes it. */
static bool look_inside(struct maker *maker, const ossa_visit *visit, struct file *file)
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
    }
    ossa_file_free(own);
    return ok;
}

static void add_file(struct maker *maker, const ossa_visit *visit)
{
    struct file file = {.format = (const struct ossa__format *)visit->format,
                        .root = maker->root,
                        .base = maker->base,
                        .is_found = maker->is_search && visit->entry != NULL};
    if (file.format == NULL || file.format->role == OSSA__ROLE_NONE) return;
    if (file.format->role != OSSA__ROLE_COMPANION && !look_inside(maker, visit, &file)) {
        note_other(maker, visit->path);
        return;
    }
    if (file.format->role != OSSA__ROLE_COMPANION) file.root->has_more = true;
    file.path = keep(maker, &maker->scratch, visit->path);
    file.name = visit->own_name != NULL ? keep(maker, &maker->scratch, visit->own_name)
                                        : stem(maker, visit->path);
    struct file *files =
        ossa__grow(&maker->scratch, maker->files, maker->file_count, sizeof *files);
    if (files == NULL) {
        maker->ok = false;
        return;
    }
    maker->files = files;
    maker->files[maker->file_count++] = file;
}

static uint64_t bit_of(const struct ossa__format *format)
{
    unsigned index = 0;
    while (ossa__formats[index] != format) index++;
    return UINT64_C(1) << (index & 63U);
}

/* ---- figures ------------------------------------------------------------------------------- */

/* A figure being made. */
static ossa_figure *add_figure(struct maker *maker, const char *name, const char *game)
{
    ossa_figure *items = ossa__grow(&maker->arena, maker->items, maker->count, sizeof *items);
    const char *copy = keep(maker, &maker->arena, name[0] == '\0' ? "figure" : name);
    uint64_t *own = ossa__grow(&maker->scratch, maker->own, maker->count, sizeof *own);
    if (items == NULL || copy == NULL || own == NULL) {
        maker->ok = false;
        return NULL;
    }
    maker->own = own;
    maker->own[maker->count] = 0;
    maker->items = items;
    ossa_figure *figure = &maker->items[maker->count++];
    *figure = (ossa_figure){.name = copy, .game = game};
    return figure;
}

static bool add_text(struct maker *maker, const char *const **list, size_t *count, const char *text)
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

/* A path for the figure, once: several files may have the same folder. `path`: from the scratch
 * memory; NULL where there was none. */
static void add_path(struct maker *maker, ossa_figure *figure, const char *path, struct root *root)
{
    size_t number = (size_t)(figure - maker->items) + 1;
    struct cell *cell =
        path == NULL ? NULL : put(&maker->paths, &maker->scratch, path, strlen(path));
    if (cell == NULL) maker->ok = false;
    if (!maker->ok) return;
    if (cell->value != number) {
        cell->value = number;
        (void)add_text(maker, &figure->paths, &figure->path_count, path);
    }
    if (root->figure != number) {
        root->figure = number;
        (void)add_text(maker, &figure->files, &figure->file_count, root->path);
    }
}

static void add_missing(struct maker *maker, ossa_figure *figure, const char *what)
{
    (void)add_text(maker, &figure->missing, &figure->missing_count, what);
}

/* An archive that stores figures by name; false: it stores none. */
static bool add_stored(struct maker *maker, const ossa_visit *visit)
{
    const struct ossa__game *game = ossa__format_of(visit->file)->game;
    size_t before = maker->count;
    if (game->figure_endings == NULL) return false;
    size_t count = ossa_entry_count(visit->file);
    for (size_t i = 0; i < count && maker->ok; i++) {
        const char *entry = ossa_entry_at(visit->file, i)->name;
        if (!ossa__has_ending(entry, game->figure_endings[0])) continue;
        size_t size = strlen(entry) - strlen(game->figure_endings[0]);
        char *name = ossa__copy(&maker->scratch, entry, size);
        char *path = name == NULL ? NULL : ossa__join(&maker->scratch, visit->path, "#", name);
        ossa_figure *figure = path == NULL ? NULL : add_figure(maker, name, game->title);
        if (figure == NULL) {
            maker->ok = false;
            break;
        }
        add_path(maker, figure, path, maker->root);
    }
    return maker->count > before;
}

/* What else a stored figure should have; asked when the archive is open by its name. */
static void note_missing_entries(struct maker *maker, const ossa_visit *visit, size_t first)
{
    const struct ossa__game *game = ossa__format_of(visit->file)->game;
    for (size_t i = first; i < maker->count && maker->ok; i++) {
        for (size_t k = 1; game->figure_endings[k] != NULL; k++) {
            char *entry =
                ossa__join(&maker->scratch, maker->items[i].name, "", game->figure_endings[k]);
            if (entry == NULL) maker->ok = false;
            else if (ossa_find_entry(visit->file, entry) < 0) {
                add_missing(maker, &maker->items[i], entry);
            }
        }
    }
}

/* ---- walking ------------------------------------------------------------------------------- */

static ossa_step visit(void *user, const ossa_visit *visit)
{
    struct maker *maker = user;
    if (!maker->ok) return OSSA_STEP_STOP;
    if (visit->entry == NULL) {
        size_t known = maker->roots.count;
        maker->root = find_root(maker, visit->path);
        maker->is_search = visit->is_search;
        if (maker->root == NULL) {
            maker->ok = false;
            return OSSA_STEP_STOP;
        }
        /* Paths that were added may lead to the same file. */
        if (maker->roots.count == known && !visit->is_part) return OSSA_STEP_OVER;
        if (visit->is_search) note_other(maker, visit->path);
    }
    if (visit->error != NULL) {
        if (visit->error->code == OSSA_CODE_OUT_OF_MEMORY) maker->ok = false;
        /* A file that was added by itself may be a stray in its folder, as far as we care. */
        const struct ossa__item item = {.path = visit->path};
        if (!ossa__is_stray(&item, visit->error->code)) note_other(maker, visit->path);
        return OSSA_STEP_OVER;
    }
    if (!visit->is_archive) {
        add_file(maker, visit);
        return OSSA_STEP_OVER;
    }
    if (visit->is_search || visit->is_part || visit->file == NULL) return OSSA_STEP_INTO;
    size_t first = maker->count;
    if (!add_stored(maker, visit)) return OSSA_STEP_INTO;
    if (maker->count - first <= 256) note_missing_entries(maker, visit, first);
    return OSSA_STEP_OVER;
}

/* ---- grouping ------------------------------------------------------------------------------ */

/* Files of one game that may belong together: pointers, in the order of the walk. */
struct group {
    struct file **files;
    size_t count;
};

/* Where the first folder of a path ends behind `start`; 0: there is none. # leads into an archive,
 * which is a folder, too. */
static size_t folder_end(const char *path, size_t start)
{
    size_t end = start == 0 ? strspn(path, "/\\") : start; /* /games is the first of /games/x */
    end += strcspn(path + end, "/\\#");
    return path[end] == '\0' ? 0 : end;
}

static size_t count_role(const struct group *group, enum ossa__role role)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) count += group->files[i]->format->role == role;
    return count;
}

static bool begins_alike(const char *figure, const char *path)
{
    return ossa__begins_with(base_name(path), figure, strlen(figure)) > 0;
}

/* Is it in an archive of nothing but companions, which no figure takes apart? */
static bool is_in_companion_archive(const struct file *file)
{
    return !file->root->has_more && strcmp(file->path, file->root->path) != 0;
}

static bool fits(const struct file *body, const struct file *clip)
{
    const struct ossa__game *game = clip->format->game;
    return body == NULL || game->fits == NULL ||
           game->fits(body->facts.bone_count, clip->facts.bone_count);
}

/* How many bytes two paths share, as far as both lie in the same folders: in every folder of `path`
 * that ends within them lies `other`. `is_inside`: one that is the folder itself counts, too. */
static size_t shared_folders(const char *path, const char *other, bool is_inside)
{
    size_t size = 0;
    while (path[size] != '\0' && path[size] == other[size]) size++;
    bool is_end = other[size] == '\0' ? is_inside : strchr("/\\#", other[size]) != NULL;
    return is_end || size == 0 ? size : size - 1;
}

/* The outermost folder of a file that holds nothing but files of its figure, or the file; NULL: no
 * memory. */
static const char *shortest_path(struct maker *maker, const struct file *file)
{
    enum { WORTH_IT = 4096 }; /* files; each is compared with each */
    size_t shared = 0;
    if (file->is_found || maker->file_count + maker->other_count > WORTH_IT) return file->path;
    for (size_t i = 0; i < maker->file_count; i++) {
        if (maker->files[i].figure == file->figure) continue;
        size_t size = shared_folders(file->path, maker->files[i].path, true);
        if (size > shared) shared = size;
    }
    for (size_t i = 0; i < maker->other_count; i++) {
        size_t size = shared_folders(file->path, maker->others[i], false);
        if (size > shared) shared = size;
    }
    for (size_t end = folder_end(file->path, 0); end > 0; end = folder_end(file->path, end + 1)) {
        if (end >= file->base && end > shared) return ossa__copy(&maker->scratch, file->path, end);
    }
    return file->path;
}

/* The folder that files lie in, or NULL: in none, or no memory. */
static const char *folder_name(struct maker *maker, const char *path)
{
    size_t size = strlen(path) - strlen(base_name(path));
    if (size < 2) return NULL;
    char *folder = ossa__copy(&maker->scratch, path, size - 1);
    if (folder == NULL) maker->ok = false;
    return folder == NULL || folder[0] == '\0' ? NULL : base_name(folder);
}

/* Files as a figure with a body, which is not among them; without one (NULL) it is called after the
 * first of them. */
static void make_figure(struct maker *maker, const struct group *group, struct file *body)
{
    struct file *first = body != NULL ? body : group->files[0];
    const char *name = first->name;
    if (body == NULL && group->count > 1 && first->format->game->clips_are_folders) {
        /* Parts are called alike in every figure: their folder says more. */
        const char *folder = folder_name(maker, first->path);
        if (folder != NULL) name = folder;
    }
    ossa_figure *figure = name == NULL ? NULL : add_figure(maker, name, first->format->game->title);
    if (figure == NULL) {
        maker->ok = false;
        return;
    }
    figure->bone_count = first->facts.bone_count;
    first->figure = maker->count;
    for (size_t i = 0; i < group->count; i++) group->files[i]->figure = maker->count;
    add_path(maker, figure, shortest_path(maker, first), first->root);
    for (size_t i = 0; i < group->count && maker->ok; i++) {
        const struct file *file = group->files[i];
        figure->clip_count += file->format->role == OSSA__ROLE_CLIP;
        if (file->format->role == OSSA__ROLE_COMPANION) {
            maker->own[maker->count - 1] |= bit_of(file->format);
        }
        if (file != first) add_path(maker, figure, shortest_path(maker, file), file->root);
    }
    if (body == NULL && figure->clip_count > 0) add_missing(maker, figure, "skeleton");
    if (body != NULL && figure->clip_count == 0) add_missing(maker, figure, "animation");
}

static struct group new_group(struct maker *maker, size_t capacity)
{
    struct group group = {ossa__arena_take(&maker->scratch, (capacity + 1) * sizeof *group.files),
                          0};
    if (group.files == NULL) maker->ok = false;
    return group;
}

/* Is there something to be seen? Parts and tables alone are not. */
static bool is_shown(const struct group *group)
{
    return count_role(group, OSSA__ROLE_BODY) + count_role(group, OSSA__ROLE_CLIP) +
               count_role(group, OSSA__ROLE_CAMERA) >
           0;
}

/* Those of a group's files that one figure takes in, and the others, which stay in the group. */
static void take_loose(struct group *group, struct group *same)
{
    const struct file *clip = NULL;
    size_t kept = 0;
    same->count = 0;
    for (size_t i = 0; i < group->count; i++) {
        struct file *file = group->files[i];
        bool is_clip = file->format->role == OSSA__ROLE_CLIP;
        if (is_clip && clip == NULL) clip = file;
        bool differs = is_clip && clip->facts.bone_count != file->facts.bone_count &&
                       file->format->game->fits != NULL;
        if (differs) group->files[kept++] = file;
        else same->files[same->count++] = file;
    }
    group->count = kept;
}

/* Files without a body, which are taken out of the group. Clips of one skeleton have as many bones.
 */
static void group_loose(struct maker *maker, struct group *group)
{
    struct group same = new_group(maker, group->count);
    while (group->count > 0 && maker->ok) {
        take_loose(group, &same);
        /* Meshes without bones are still something to be seen. */
        bool has_meshes = false;
        for (size_t i = 0; i < same.count; i++) {
            has_meshes = has_meshes || same.files[i]->facts.mesh_count > 0;
        }
        if (is_shown(&same) || has_meshes) make_figure(maker, &same, NULL);
    }
}

/* Each body of one folder with what fits it and no body before it has taken. A single body takes
 * all that is not a clip, too. */
static void group_bodies(struct maker *maker, const struct group *group, size_t body_count)
{
    struct group bodies = new_group(maker, body_count);
    struct group rest = new_group(maker, group->count);
    struct group own = new_group(maker, group->count);
    if (!maker->ok) return;
    for (size_t i = 0; i < group->count; i++) {
        bool is_body = group->files[i]->format->role == OSSA__ROLE_BODY;
        struct group *to = is_body ? &bodies : &rest;
        to->files[to->count++] = group->files[i];
    }
    for (size_t i = 0; i < bodies.count && maker->ok; i++) {
        size_t kept = 0;
        own.count = 0;
        for (size_t k = 0; k < rest.count; k++) {
            struct file *file = rest.files[k];
            bool is_clip = file->format->role == OSSA__ROLE_CLIP;
            bool is_companion = file->format->role == OSSA__ROLE_COMPANION;
            bool is_own = is_clip ? fits(bodies.files[i], file) : body_count == 1;
            if (is_companion && begins_alike(bodies.files[i]->name, file->path)) is_own = true;
            if (is_own) own.files[own.count++] = file;
            else rest.files[kept++] = file;
        }
        rest.count = kept;
        make_figure(maker, &own, bodies.files[i]);
    }
    group_loose(maker, &rest);
}

/* Where the names of the next folders begin: behind all folders that the files have in common. */
static size_t skip_common(const struct group *group, size_t start)
{
    const char *first = group->files[0]->path;
    for (size_t end; (end = folder_end(first, start)) > 0; start = end + 1) {
        for (size_t i = 1; i < group->count; i++) {
            const char *path = group->files[i]->path;
            if (folder_end(path, start) != end) return start;
            if (memcmp(path + start, first + start, end - start) != 0) return start;
        }
    }
    return start;
}

static void split(struct maker *maker, struct group *group, size_t start, unsigned depth);

/* The files of each folder, and those that lie in none, as groups in the order of their first
 * files; how many there are. */
static size_t part_folders(struct maker *maker, const struct group *group, size_t start,
                           struct group *parts)
{
    struct table folders = {0};
    size_t count = 0;
    size_t *owners = ossa__arena_take(&maker->scratch, (uint64_t)group->count * sizeof *owners);
    struct group all = new_group(maker, group->count);
    if (owners == NULL) maker->ok = false;
    for (size_t i = 0; i < group->count && maker->ok; i++) {
        const char *path = group->files[i]->path;
        size_t end = folder_end(path, start);
        bool is_nameless = end == start && end > 0; /* a//b: not the same as no folder */
        size_t size = end == 0 ? 0 : end - start;
        struct cell *cell = put(&folders, &maker->scratch, is_nameless ? "/" : path + start,
                                is_nameless ? 1 : size);
        if (cell == NULL) {
            maker->ok = false;
            break;
        }
        if (cell->value == 0) {
            parts[count] = (struct group){NULL, 0};
            cell->value = ++count;
        }
        owners[i] = cell->value - 1;
        parts[owners[i]].count++;
    }
    if (!maker->ok) return 0;
    for (size_t i = 0, used = 0; i < count; i++) {
        parts[i].files = all.files + used;
        used += parts[i].count;
        parts[i].count = 0;
    }
    for (size_t i = 0; i < group->count; i++) {
        struct group *part = &parts[owners[i]];
        part->files[part->count++] = group->files[i];
    }
    return count;
}

/* Each folder by itself, and what lies in none; false: there are no folders. */
static bool split_folders(struct maker *maker, const struct group *group, size_t start,
                          unsigned depth)
{
    bool has_folders = false;
    start = skip_common(group, start);
    for (size_t i = 0; i < group->count; i++) {
        has_folders = has_folders || folder_end(group->files[i]->path, start) > 0;
    }
    if (!has_folders || depth == MOST_SPLITS) return false;
    struct group *parts = ossa__arena_take(&maker->scratch, (uint64_t)group->count * sizeof *parts);
    if (parts == NULL) maker->ok = false;
    size_t count = maker->ok ? part_folders(maker, group, start, parts) : 0;
    for (size_t i = 0; i < count && maker->ok; i++) split(maker, &parts[i], start, depth + 1);
    return true;
}

/* Files of one game, whose paths begin alike up to `start`. */
static void split(struct maker *maker, struct group *group, size_t start, unsigned depth)
{
    size_t bodies = count_role(group, OSSA__ROLE_BODY);
    if (!maker->ok || group->count == 0) return;
    if (bodies == 0) group_loose(maker, group);
    else if (bodies == 1 || !split_folders(maker, group, start, depth))
        group_bodies(maker, group, bodies);
}

/* ---- searches ------------------------------------------------------------------------------ */

static void group_found(struct maker *maker, const struct ossa__game *game)
{
    size_t bodies = 0;
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        struct file *body = &maker->files[i];
        if (!body->is_found || body->format->game != game) continue;
        if (body->format->role != OSSA__ROLE_BODY || bodies++ == MOST_FOUND_BODIES) continue;
        ossa_figure *figure = add_figure(maker, body->name, game->title);
        if (figure == NULL) return;
        figure->bone_count = body->facts.bone_count;
        figure->is_guess = true;
        add_path(maker, figure, body->path, body->root);
        /* Those of the body's own file come first. */
        for (unsigned round = 0; round < 2; round++) {
            for (size_t k = 0; k < maker->file_count && maker->ok; k++) {
                const struct file *clip = &maker->files[k];
                bool is_own = clip->root == body->root;
                if (!clip->is_found || clip->format->role != OSSA__ROLE_CLIP) continue;
                if (clip->format->game != game || is_own != (round == 0)) continue;
                if (!fits(body, clip)) continue;
                if (figure->clip_count++ < MOST_FOUND_CLIPS) {
                    add_path(maker, figure, clip->path, clip->root);
                }
            }
        }
        if (figure->clip_count == 0) add_missing(maker, figure, "animation");
    }
}

/* ---- companions ---------------------------------------------------------------------------- */

/* Archives of companions go with all figures of the game that have none of their own, other files
 * that no figure has taken with those they are called like. */
static void add_companions(struct maker *maker)
{
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        const struct file *file = &maker->files[i];
        if (file->format->role != OSSA__ROLE_COMPANION || file->figure != 0) continue;
        bool is_stored = is_in_companion_archive(file);
        if (is_stored && file->root->is_listed) continue;
        file->root->is_listed = is_stored;
        for (size_t k = 0; k < maker->count && maker->ok; k++) {
            ossa_figure *figure = &maker->items[k];
            bool has_own = (maker->own[k] & bit_of(file->format)) != 0;
            if (figure->game != file->format->game->title || has_own) continue;
            if (!is_stored && !begins_alike(figure->name, file->path)) continue;
            add_path(maker, figure, is_stored ? file->root->path : file->path, file->root);
        }
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void group_files(struct maker *maker)
{
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        const struct ossa__game *game = maker->files[i].format->game;
        bool is_first = true;
        for (size_t k = 0; k < i && is_first; k++) is_first = maker->files[k].format->game != game;
        if (!is_first) continue;
        struct group group = new_group(maker, maker->file_count);
        for (size_t k = i; k < maker->file_count && maker->ok; k++) {
            struct file *file = &maker->files[k];
            if (file->format->game != game || file->is_found) continue;
            if (is_in_companion_archive(file)) continue;
            group.files[group.count++] = file;
        }
        split(maker, &group, 0, 0);
        group_found(maker, game);
    }
    add_companions(maker);
}

static bool walk(struct maker *maker, const char *path, size_t base, ossa_error *error)
{
    const ossa_walk_options options = {
        .detail = OSSA_DETAIL_BYTES, .deep = true, .search = true, .visit = visit, .user = maker};
    maker->base = base;
    while (maker->base > 1 && path[maker->base - 1] == '/') maker->base--;
    return ossa_workspace_walk(maker->workspace, path, &options, error);
}

static bool walk_roots(struct maker *maker, ossa_error *error)
{
    for (size_t i = 0; i < maker->workspace->root_count; i++) {
        const struct ossa__root *root = &maker->workspace->roots[i];
        if (root->is_removed) continue;
        /* The folders of files in memory are known, if they cannot be those of a disk as well. */
        bool is_known = root->block != NULL && !maker->workspace->has_disk;
        size_t base = is_known ? 0 : strlen(root->path);
        /* That one root cannot be read is not the end of the others. */
        if (walk(maker, root->path, base, error)) continue;
        bool is_end = error->code == OSSA_CODE_CANCELLED || error->code == OSSA_CODE_OUT_OF_MEMORY;
        if (is_end) return false;
    }
    return true;
}

ossa_figures *ossa_workspace_figures(ossa_workspace *workspace, const char *path, ossa_error *error)
{
    struct maker maker = {.workspace = workspace, .ok = true};
    ossa_error why = {0};
    ossa__arena_init(&maker.arena, workspace->allocator, UINT64_MAX);
    ossa__arena_init(&maker.scratch, workspace->allocator, UINT64_MAX);
    struct figures *figures = ossa__arena_take(&maker.arena, sizeof *figures);
    bool ok = path == NULL ? walk_roots(&maker, &why) : walk(&maker, path, strlen(path), &why);
    if (ok && maker.ok) group_files(&maker);
    if (figures == NULL || !maker.ok) {
        ok = ossa__workspace_fail(&why, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for the figures");
    }
    ossa__arena_free(&maker.scratch);
    if (ok) why = (ossa_error){0};
    if (error != NULL) *error = why;
    if (!ok || figures == NULL) {
        ossa__arena_free(&maker.arena);
        return NULL;
    }
    *figures = (struct figures){.figures = {maker.count, maker.items}, .arena = maker.arena};
    return &figures->figures;
}

void ossa_figures_free(ossa_figures *figures)
{
    if (figures == NULL) return;
    struct ossa__arena arena = ((struct figures *)figures)->arena;
    ossa__arena_free(&arena);
}
