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
};

/* A file that may be of a figure. */
struct file {
    const char *path; /* "ped.ar#anim/walk.anim" */
    const char *root; /* of the file system: "ped.ar" */
    size_t base;      /* bytes of the path that the caller gave: nothing above it is known */
    const char *name; /* what a file that was found calls itself; else its own, without extension */
    const struct ossa__format *format;
    struct ossa__facts facts;
    bool is_found; /* by a search */
    bool is_taken;
};

struct figures {
    ossa_figures figures; /* first */
    struct ossa__arena arena;
};

struct maker {
    ossa_workspace *workspace;
    struct ossa__arena arena;   /* of the result */
    struct ossa__arena scratch; /* of everything else */
    ossa_figure *items;
    size_t count;
    struct file *files;
    size_t file_count;
    const char **others; /* paths of files that no figure may take in: damaged ones, and discs */
    size_t other_count;
    const char *root; /* that is being walked through */
    size_t base;      /* the size of the path of the walk */
    bool is_search;
    bool ok; /* false: no memory */
};

/* ---- what there is -----------------------------------------------------------------------------
 */

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

/* Read what has bones, for how many. False: it is damaged, and no scene takes it. */
static bool look_inside(struct maker *maker, const ossa_visit *visit, struct file *file)
{
    const ossa_options options = {.name = visit->hint,
                                  .allocator = maker->workspace->allocator,
                                  .max_input = maker->workspace->options.max_input};
    const ossa_guess guess = {&file->format->about, OSSA_CONFIDENCE_PLAUSIBLE};
    ossa_file *own = NULL;
    const ossa_file *read = visit->file;
    if (read == NULL && visit->data != NULL) {
        own = ossa__read_guessed(visit->data, (size_t)visit->size, &guess, &options, NULL);
        read = own;
    }
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

/* ---- figures -----------------------------------------------------------------------------------
 */

/* A figure being made. */
static ossa_figure *add_figure(struct maker *maker, const char *name, const char *game)
{
    ossa_figure *items = ossa__grow(&maker->arena, maker->items, maker->count, sizeof *items);
    const char *copy = keep(maker, &maker->arena, name[0] == '\0' ? "figure" : name);
    if (items == NULL || copy == NULL) {
        maker->ok = false;
        return NULL;
    }
    maker->items = items;
    ossa_figure *figure = &maker->items[maker->count++];
    *figure = (ossa_figure){.name = copy, .game = game};
    return figure;
}

static bool add_text(struct maker *maker, const char *const **list, size_t *count, const char *text)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp((*list)[i], text) == 0) return true;
    }
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

static void add_path(struct maker *maker, ossa_figure *figure, const char *path, const char *root)
{
    (void)(add_text(maker, &figure->paths, &figure->path_count, path) &&
           add_text(maker, &figure->files, &figure->file_count, root));
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

/* ---- walking -----------------------------------------------------------------------------------
 */

static ossa_step visit(void *user, const ossa_visit *visit)
{
    struct maker *maker = user;
    if (!maker->ok) return OSSA_STEP_STOP;
    if (visit->entry == NULL) {
        const char *root = keep(maker, &maker->scratch, visit->path);
        if (root == NULL) return OSSA_STEP_STOP;
        maker->root = root;
        maker->is_search = visit->is_search;
        if (visit->is_search) note_other(maker, visit->path);
    }
    if (visit->error != NULL) {
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

/* ---- grouping ----------------------------------------------------------------------------------
 */

/* Files of one game that may belong together: pointers, in the order of the walk. */
struct group {
    struct file **files;
    size_t count;
};

/* Where the first folder of a path ends behind `start`; 0: there is none. # leads into an archive,
 * which is a folder, too. */
static size_t folder_end(const char *path, size_t start)
{
    size_t size = strcspn(path + start, "/\\#");
    return path[start + size] == '\0' ? 0 : start + size;
}

static size_t count_role(const struct group *group, enum ossa__role role)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) count += group->files[i]->format->role == role;
    return count;
}

static bool fits(const struct file *body, const struct file *clip)
{
    const struct ossa__game *game = clip->format->game;
    return body == NULL || game->fits == NULL ||
           game->fits(body->facts.bone_count, clip->facts.bone_count);
}

/* How many files there are below a folder that a figure would take in with it. */
static size_t count_below(const struct maker *maker, const char *folder, size_t size,
                          bool only_taken, const struct group *group)
{
    size_t count = 0;
    size_t files = only_taken ? group->count : maker->file_count;
    for (size_t i = 0; i < files; i++) {
        const char *path = only_taken ? group->files[i]->path : maker->files[i].path;
        if (strncmp(path, folder, size) == 0 && strchr("/\\#", path[size]) != NULL) count++;
    }
    for (size_t i = 0; i < maker->other_count && !only_taken; i++) {
        const char *path = maker->others[i];
        if (strncmp(path, folder, size) == 0 && path[size] != '\0' &&
            strchr("/\\#", path[size]) != NULL) {
            count++;
        }
    }
    return count;
}

/* The outermost folder of a file that holds nothing but files of the group, or the file. */
static const char *shortest_path(struct maker *maker, const struct group *group,
                                 const struct file *file)
{
    enum { WORTH_IT = 4096 }; /* files; each is compared with each */
    if (file->is_found || maker->file_count > WORTH_IT) return file->path;
    for (size_t end = folder_end(file->path, 0); end > 0; end = folder_end(file->path, end + 1)) {
        if (end < file->base) continue;
        size_t here = count_below(maker, file->path, end, true, group);
        if (here == count_below(maker, file->path, end, false, group)) {
            return ossa__copy(&maker->scratch, file->path, end);
        }
    }
    return file->path;
}

/* Files as a figure, the body first; without a body it is called after the first of them. */
static void make_figure(struct maker *maker, const struct group *group, const struct file *body)
{
    const struct file *first = body != NULL ? body : group->files[0];
    const char *name = first->name;
    if (body == NULL && group->count > 1 && first->format->game->clips_are_folders) {
        /* Parts are called alike in every figure: their folder says more. */
        size_t size = strlen(first->path) - strlen(base_name(first->path));
        char *folder = ossa__copy(&maker->scratch, first->path, size > 0 ? size - 1 : 0);
        if (folder != NULL && folder[0] != '\0') name = base_name(folder);
    }
    ossa_figure *figure = name == NULL ? NULL : add_figure(maker, name, first->format->game->title);
    if (figure == NULL) {
        maker->ok = false;
        return;
    }
    figure->bone_count = first->facts.bone_count;
    add_path(maker, figure, shortest_path(maker, group, first), first->root);
    for (size_t i = 0; i < group->count && maker->ok; i++) {
        struct file *file = group->files[i];
        file->is_taken = true;
        figure->clip_count += file->format->role == OSSA__ROLE_CLIP;
        if (file != first) {
            add_path(maker, figure, shortest_path(maker, group, file), file->root);
        }
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

/* Files without a body. Clips of one skeleton have as many bones. */
static void group_loose(struct maker *maker, const struct group *group)
{
    if (group->count == 0 || !maker->ok) return;
    struct group same = new_group(maker, group->count);
    struct group rest = new_group(maker, group->count);
    if (!maker->ok) return;
    const struct file *clip = NULL;
    for (size_t i = 0; i < group->count; i++) {
        struct file *file = group->files[i];
        bool is_clip = file->format->role == OSSA__ROLE_CLIP;
        if (is_clip && clip == NULL) clip = file;
        bool differs = is_clip && clip->facts.bone_count != file->facts.bone_count &&
                       file->format->game->fits != NULL;
        if (differs) rest.files[rest.count++] = file;
        else same.files[same.count++] = file;
    }
    /* Meshes without bones are still something to be seen. */
    bool has_meshes = false;
    for (size_t i = 0; i < same.count; i++) {
        has_meshes = has_meshes || same.files[i]->facts.mesh_count > 0;
    }
    if (is_shown(&same) || has_meshes) make_figure(maker, &same, NULL);
    group_loose(maker, &rest);
}

/* A body and what fits it; gives what does not. */
static struct group group_body(struct maker *maker, const struct group *group, struct file *body,
                               bool takes_all)
{
    struct group own = new_group(maker, group->count);
    struct group rest = new_group(maker, group->count);
    if (!maker->ok) return rest;
    for (size_t i = 0; i < group->count; i++) {
        struct file *file = group->files[i];
        enum ossa__role role = file->format->role;
        bool is_own = file == body || (role == OSSA__ROLE_CLIP && fits(body, file)) ||
                      (takes_all && role != OSSA__ROLE_BODY && role != OSSA__ROLE_CLIP);
        if (is_own) own.files[own.count++] = file;
        else rest.files[rest.count++] = file;
    }
    make_figure(maker, &own, body);
    return rest;
}

static void split(struct maker *maker, const struct group *group, size_t start);

/* Each folder at this depth by itself, and what lies in none; false: all lie in one at. */
static bool split_folders(struct maker *maker, const struct group *group, size_t start)
{
    const char *first = group->files[0]->path;
    size_t end = folder_end(first, start);
    bool is_same = end > 0;
    bool has_folders = false;
    for (size_t i = 0; i < group->count; i++) {
        const char *path = group->files[i]->path;
        has_folders = has_folders || folder_end(path, start) > 0;
        is_same = is_same && folder_end(path, start) == end && strncmp(path, first, end) == 0;
    }
    if (is_same) {
        split(maker, group, end + 1);
        return true;
    }
    if (!has_folders) return false;
    struct group part = new_group(maker, group->count);
    bool *is_done = ossa__arena_take(&maker->scratch, group->count);
    if (!maker->ok || is_done == NULL) {
        maker->ok = false;
        return true;
    }
    memset(is_done, 0, group->count);
    for (size_t i = 0; i < group->count && maker->ok; i++) {
        if (is_done[i]) continue;
        const char *path = group->files[i]->path;
        size_t size = folder_end(path, start);
        part.count = 0;
        for (size_t k = i; k < group->count; k++) {
            const char *other = group->files[k]->path;
            if (is_done[k] || folder_end(other, start) != size) continue;
            if (size > 0 && strncmp(path, other, size) != 0) continue;
            part.files[part.count++] = group->files[k];
            is_done[k] = true;
        }
        struct group copy = new_group(maker, part.count);
        if (!maker->ok) return true;
        memcpy(copy.files, part.files, part.count * sizeof *part.files);
        copy.count = part.count;
        split(maker, &copy, start);
    }
    return true;
}

/* Files of one game, whose paths begin alike up to `start`. */
static void split(struct maker *maker, const struct group *group, size_t start)
{
    size_t bodies = count_role(group, OSSA__ROLE_BODY);
    if (!maker->ok || group->count == 0) return;
    if (bodies == 0) {
        group_loose(maker, group);
        return;
    }
    struct group rest = *group;
    if (bodies > 1 && split_folders(maker, group, start)) return;
    for (size_t i = 0; i < group->count && maker->ok; i++) {
        if (group->files[i]->format->role != OSSA__ROLE_BODY) continue;
        rest = group_body(maker, &rest, group->files[i], bodies == 1);
    }
    group_loose(maker, &rest);
}

/* ---- searches ----------------------------------------------------------------------------------
 */

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
                bool is_own = strcmp(clip->root, body->root) == 0;
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

/* ---- companions --------------------------------------------------------------------------------
 */

/* A file of the file system with nothing in it but companions; each is listed once. */
static bool is_companion_root(const struct maker *maker, size_t index)
{
    const struct file *file = &maker->files[index];
    for (size_t i = 0; i < maker->file_count; i++) {
        const struct file *other = &maker->files[i];
        if (strcmp(other->root, file->root) != 0) continue;
        if (other->format->role != OSSA__ROLE_COMPANION || i < index) return false;
    }
    return true;
}

static bool begins_alike(const char *figure, const char *path)
{
    return ossa__begins_with(base_name(path), figure, strlen(figure)) > 0;
}

/* Archives of companions for all figures of the game, loose ones for those they are called like. */
static void add_companions(struct maker *maker)
{
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        const struct file *file = &maker->files[i];
        if (file->format->role != OSSA__ROLE_COMPANION) continue;
        bool is_loose = strcmp(file->path, file->root) == 0;
        if (!is_loose && !is_companion_root(maker, i)) continue;
        for (size_t k = 0; k < maker->count && maker->ok; k++) {
            ossa_figure *figure = &maker->items[k];
            if (figure->game != file->format->game->title) continue;
            if (is_loose && !begins_alike(figure->name, file->path)) continue;
            add_path(maker, figure, is_loose ? file->path : file->root, file->root);
        }
    }
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

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
            bool is_companion = file->format->role == OSSA__ROLE_COMPANION;
            if (file->format->game != game || file->is_found || is_companion) continue;
            group.files[group.count++] = file;
        }
        split(maker, &group, 0);
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
        if (!walk(maker, root->path, base, error) && error->code == OSSA_CODE_CANCELLED) {
            return false;
        }
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
    if (error != NULL) *error = ok ? (ossa_error){0} : why;
    if (!ok) {
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
