/* SPDX-License-Identifier: MIT
 *
 * Which files belong together. Every game says what its files are to a figure (enum ossa__role) and
 * which clips fit a body; the rest is where they are, unless names say it (figure_stored.c and
 * figure_pairs.c):
 *
 *   - in a folder, or an archive, with one body, all that fits is of that body (where the game says
 *     so, the figure is called after the folder);
 *   - with several, each folder is looked at by itself, and within one folder each body takes the
 *     clips that fit and that no body before it has taken, unless files list the clips of bodies
 *     (figure_lists.c);
 *   - what was found by searching a file is in no folder: a body goes with all clips that have as
 *     many bones, which is a guess.
 *
 * Whether a clip fits depends on numbers of bones alone. A file of so many bones has as many bytes,
 * so that comparing each number with each number takes no longer than reading the files. */
#include "workspace/figures.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_FOUND_CLIPS = 250, /* of a figure that was found by a search: all of them are loaded */
    MOST_FOUND_BODIES = 2000,
    MOST_SPLITS = 64, /* of folders in folders */
};

static size_t count_role(const struct ossa__group *group, enum ossa__role role)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        count += group->files[i]->format->role == role && !group->files[i]->is_damaged;
    }
    return count;
}

bool ossa__is_in_companion_archive(const struct ossa__member *file)
{
    return file->holder != NULL && !file->holder->has_more;
}

static bool clip_fits(struct ossa__maker *maker, const struct ossa__member *body,
                      const struct ossa__member *clip)
{
    const struct ossa__game *game = clip->format->game;
    maker->compared++;
    return game->fits == NULL || game->fits(body->facts.bone_count, clip->facts.bone_count);
}

/* ---- groups -------------------------------------------------------------------------------- */

static struct ossa__group new_group(struct ossa__maker *maker, size_t capacity)
{
    return (struct ossa__group){ossa__maker_take(maker, capacity, sizeof(struct ossa__member *)),
                                0};
}

static void put(struct ossa__group *group, struct ossa__member *file)
{
    group->files[group->count++] = file;
}

/* The files of each owner, in their order; NULL: no memory. */
static struct ossa__group *distribute(struct ossa__maker *maker, const struct ossa__group *group,
                                      const size_t *owners, size_t owner_count)
{
    struct ossa__group *parts = ossa__maker_take(maker, owner_count, sizeof *parts);
    struct ossa__group all = new_group(maker, group->count);
    if (!maker->ok) return NULL;
    for (size_t i = 0; i < owner_count; i++) parts[i].count = 0;
    for (size_t i = 0; i < group->count; i++) parts[owners[i]].count++;
    for (size_t i = 0, used = 0; i < owner_count; i++) {
        parts[i].files = all.files + used;
        used += parts[i].count;
        parts[i].count = 0;
    }
    for (size_t i = 0; i < group->count; i++) put(&parts[owners[i]], group->files[i]);
    return parts;
}

/* The number of a text among those of a table, from 1 on in the order of their coming; 0: no
 * memory. */
static size_t number_in(struct ossa__maker *maker, struct ossa__table *table, const char *text,
                        size_t size)
{
    struct ossa__cell *cell = ossa__table_put(table, &maker->scratch, text, size);
    if (cell == NULL) {
        maker->ok = false;
        return 0;
    }
    if (cell->value == 0) cell->value = table->count;
    return cell->value;
}

static size_t bones_in(struct ossa__maker *maker, struct ossa__table *table,
                       const struct ossa__member *file)
{
    return number_in(maker, table, (const char *)&file->facts.bone_count,
                     sizeof file->facts.bone_count);
}

/* ---- one figure ---------------------------------------------------------------------------- */

/* The folder that a file is in, or NULL: in none, or no memory. */
static const char *folder_name(struct ossa__maker *maker, const char *path)
{
    size_t size = strlen(path) - strlen(ossa__last_name(path));
    if (size < 2) return NULL;
    char *folder = ossa__copy(&maker->scratch, path, size - 1);
    if (folder == NULL) maker->ok = false;
    return folder == NULL || folder[0] == '\0' ? NULL : ossa__last_name(folder);
}

/* Is there something to be seen? Parts and tables alone are not, but meshes without bones are. */
static bool is_shown(const struct ossa__group *group)
{
    bool is = count_role(group, OSSA__ROLE_BODY) + count_role(group, OSSA__ROLE_CLIP) > 0;
    for (size_t i = 0; i < group->count && !is; i++) is = group->files[i]->facts.mesh_count > 0;
    return is;
}

/* The folder of a figure whose body is the only one there, if it is called after it: all of the
 * figure is in it, it is known, which a folder above the path of the caller is not, and it has a
 * name. */
static const char *figure_folder(struct ossa__maker *maker, const struct ossa__group *group)
{
    const struct ossa__member *body = group->files[0];
    size_t end = strlen(body->path) - strlen(ossa__last_name(body->path));
    if (body->format->game->body_ending == NULL || end <= body->base) return NULL;
    if (body->path[end - 1] == '#') return NULL;
    for (size_t i = 1; i < group->count; i++) {
        if (strncmp(group->files[i]->path, body->path, end) != 0) return NULL;
    }
    const char *folder = folder_name(maker, body->path);
    return folder == NULL || folder[strspn(folder, ".")] == '\0' ? NULL : folder;
}

/* The files of a group, and behind the first of them what belongs to it by name. */
static struct ossa__group with_mates(struct ossa__maker *maker, const struct ossa__group *group)
{
    const struct ossa__member *first = group->files[0];
    if (first->mate_count == 0) return *group;
    struct ossa__group all = new_group(maker, group->count + first->mate_count);
    if (!maker->ok) return *group;
    put(&all, group->files[0]);
    for (size_t i = 0; i < first->mate_count; i++) put(&all, first->mates[i]);
    for (size_t i = 1; i < group->count; i++) put(&all, group->files[i]);
    return all;
}

/* Files as a figure, with what belongs to the first of them by name; a body is that first one.
 * Without one it is called after that file. `alias`: what it is called instead, or NULL. */
void ossa__make_figure(struct ossa__maker *maker, const struct ossa__group *files,
                       const char *alias)
{
    const struct ossa__group all = with_mates(maker, files);
    const struct ossa__group *group = &all;
    const struct ossa__member *first = group->files[0];
    bool has_body = first->format->role == OSSA__ROLE_BODY;
    const char *name = alias != NULL ? alias : first->name;
    if (alias == NULL && !has_body && group->count > 1 && first->format->game->clips_are_folders) {
        /* Parts are called alike in every figure: their folder says more. */
        const char *folder = folder_name(maker, first->path);
        if (folder != NULL) name = folder;
    }
    ossa_figure *figure =
        name == NULL ? NULL : ossa__add_figure(maker, name, first->format->game->title);
    if (figure == NULL) {
        maker->ok = false;
        return;
    }
    struct ossa__figure_state *state = &maker->states[maker->count - 1];
    state->is_bare = !is_shown(group);
    state->files = new_group(maker, group->count); /* the caller may use its own again */
    if (!maker->ok) return;
    for (size_t i = 0; i < group->count; i++) put(&state->files, group->files[i]);
    figure->bone_count = first->facts.bone_count;
    figure->clip_count = count_role(group, OSSA__ROLE_CLIP);
    for (size_t i = 0; i < group->count; i++) {
        struct ossa__member *file = group->files[i];
        file->figure = maker->count;
        if (file->format->role == OSSA__ROLE_COMPANION) {
            state->own |= ossa__format_bit(file->format);
        }
    }
    ossa__add_figure_paths(maker, figure, group);
    if (!has_body && figure->clip_count > 0) ossa__add_missing(maker, figure, "skeleton");
    if (has_body && figure->clip_count == 0) ossa__add_missing(maker, figure, "animation");
}

/* ---- files without a body ------------------------------------------------------------------ */

/* A camera has nothing that companions are for: they are left for others. */
static void leave_companions(struct ossa__group *group)
{
    size_t kept = 0;
    for (size_t i = 0; i < group->count; i++) {
        bool is_companion = group->files[i]->format->role == OSSA__ROLE_COMPANION;
        if (!is_companion) group->files[kept++] = group->files[i];
    }
    group->count = kept;
}

/* Clips of one skeleton have as many bones; all else is with the first of them. */
static void group_loose(struct ossa__maker *maker, const struct ossa__group *group)
{
    struct ossa__table bones = {0};
    size_t *owners = ossa__maker_take(maker, group->count, sizeof *owners);
    if (!maker->ok || group->count == 0) return;
    for (size_t i = 0; i < group->count; i++) {
        const struct ossa__format *format = group->files[i]->format;
        bool is_clip = format->role == OSSA__ROLE_CLIP && format->game->fits != NULL &&
                       !group->files[i]->is_damaged;
        size_t number = is_clip ? bones_in(maker, &bones, group->files[i]) : 1;
        if (number == 0) return;
        owners[i] = number - 1;
    }
    size_t count = bones.count == 0 ? 1 : bones.count;
    struct ossa__group *parts = distribute(maker, group, owners, count);
    for (size_t i = 0; i < count && maker->ok; i++) {
        bool has_camera = count_role(&parts[i], OSSA__ROLE_CAMERA) > 0;
        if (!is_shown(&parts[i])) leave_companions(&parts[i]);
        if (is_shown(&parts[i]) || has_camera) ossa__make_figure(maker, &parts[i], NULL);
    }
}

/* ---- bodies in one folder ------------------------------------------------------------------ */

/* Each clip is of the first body that it fits; only the first body of each number of bones can be
 * that. */
static void match_clips(struct ossa__maker *maker, const struct ossa__group *bodies,
                        const struct ossa__group *files, size_t *owners)
{
    struct ossa__table body_bones = {0};
    struct ossa__table clip_bones = {0};
    size_t *takers = ossa__maker_take(maker, bodies->count, sizeof *takers);
    size_t *found = ossa__maker_take(maker, files->count, sizeof *found); /* by number of bones */
    size_t taker_count = 0;
    size_t known = 0;
    for (size_t i = 0; i < bodies->count && maker->ok; i++) {
        if (bones_in(maker, &body_bones, bodies->files[i]) > taker_count) takers[taker_count++] = i;
    }
    for (size_t i = 0; i < files->count && maker->ok; i++) {
        const struct ossa__member *clip = files->files[i];
        if (clip->format->role != OSSA__ROLE_CLIP) continue;
        if (clip->is_damaged) { /* nobody knows; the first reports it */
            owners[i] = 0;
            continue;
        }
        size_t number = bones_in(maker, &clip_bones, clip);
        if (number > known) {
            size_t k = 0;
            while (k < taker_count && !clip_fits(maker, bodies->files[takers[k]], clip)) k++;
            found[known++] = k < taker_count ? takers[k] : bodies->count;
        }
        if (number > 0) owners[i] = found[number - 1];
    }
}

/* Each body of one folder with what fits it and no body before it has taken. A single body takes
 * all that is not a clip, too. */
static void group_bodies(struct ossa__maker *maker, const struct ossa__group *group,
                         size_t body_count)
{
    struct ossa__group bodies = new_group(maker, body_count);
    struct ossa__group rest = new_group(maker, group->count);
    size_t *owners = ossa__maker_take(maker, group->count, sizeof *owners);
    if (!maker->ok) return;
    for (size_t i = 0; i < group->count; i++) {
        bool is_body = group->files[i]->format->role == OSSA__ROLE_BODY;
        put(is_body ? &bodies : &rest, group->files[i]);
    }
    if (body_count > 1 && ossa__make_listed(maker, &bodies, &rest)) {
        group_loose(maker, &rest);
        return;
    }
    for (size_t i = 0; i < rest.count; i++) owners[i] = body_count == 1 ? 0 : body_count;
    match_clips(maker, &bodies, &rest, owners);
    if (body_count > 1) ossa__match_companions(maker, &bodies, &rest, owners);
    struct ossa__group own = new_group(maker, rest.count + 1);
    struct ossa__group *parts = maker->ok ? distribute(maker, &rest, owners, body_count + 1) : NULL;
    if (parts == NULL) return;
    for (size_t i = 0; i < body_count && maker->ok; i++) {
        own.count = 0;
        put(&own, bodies.files[i]);
        for (size_t k = 0; k < parts[i].count; k++) put(&own, parts[i].files[k]);
        ossa__make_figure(maker, &own, body_count == 1 ? figure_folder(maker, &own) : NULL);
    }
    if (maker->ok) group_loose(maker, &parts[body_count]);
}

/* ---- folders ------------------------------------------------------------------------------- */

/* Where the names of the next folders begin: behind all folders that the files have in common. */
static size_t skip_common(const struct ossa__group *group, size_t start)
{
    const char *first = group->files[0]->path;
    for (size_t end; (end = ossa__folder_end(first, start)) > 0; start = end + 1) {
        for (size_t i = 1; i < group->count; i++) {
            const char *path = group->files[i]->path;
            if (ossa__folder_end(path, start) != end) return start;
            if (memcmp(path + start, first + start, end - start) != 0) return start;
        }
    }
    return start;
}

static void split(struct ossa__maker *maker, const struct ossa__group *group, size_t start,
                  unsigned depth);

/* Each folder by itself, and what is in none; false: there are no folders. */
static bool split_folders(struct ossa__maker *maker, const struct ossa__group *group, size_t start,
                          unsigned depth)
{
    struct ossa__table folders = {0};
    bool has_folders = false;
    size_t *owners = ossa__maker_take(maker, group->count, sizeof *owners);
    start = skip_common(group, start);
    for (size_t i = 0; i < group->count && maker->ok; i++) {
        const char *path = group->files[i]->path;
        size_t end = ossa__folder_end(path, start);
        bool is_nameless = end == start && end > 0; /* a//b: not the same as no folder */
        size_t size = end == 0 ? 0 : end - start;
        has_folders = has_folders || end > 0;
        owners[i] =
            number_in(maker, &folders, is_nameless ? "/" : path + start, is_nameless ? 1 : size) -
            1;
    }
    if (!maker->ok) return true;
    if (!has_folders || depth == MOST_SPLITS) return false;
    const struct ossa__group *parts = distribute(maker, group, owners, folders.count);
    for (size_t i = 0; i < folders.count && maker->ok; i++) {
        split(maker, &parts[i], start, depth + 1);
    }
    return true;
}

/* Files of one game, whose paths begin alike up to `start`. */
static void split(struct ossa__maker *maker, const struct ossa__group *group, size_t start,
                  unsigned depth)
{
    size_t bodies = count_role(group, OSSA__ROLE_BODY);
    if (!maker->ok || group->count == 0) return;
    if (bodies == 0) group_loose(maker, group);
    else if (bodies == 1 || !split_folders(maker, group, start, depth))
        group_bodies(maker, group, bodies);
}

/* ---- what was found by searching ----------------------------------------------------------- */

static int by_origin(const void *a, const void *b)
{
    const struct ossa__member *x = *(struct ossa__member *const *)a;
    const struct ossa__member *y = *(struct ossa__member *const *)b;
    size_t first = x->origin->number;
    size_t second = y->origin->number;
    if (first != second) return first < second ? -1 : 1;
    return (x > y) - (x < y);
}

static void sort_by_origin(struct ossa__group *group)
{
    if (group->count > 1) {
        qsort(group->files, group->count, sizeof(struct ossa__member *), by_origin);
    }
}

/* Clips by their numbers of bones. */
struct found_clips {
    struct ossa__group *parts;
    size_t part_count;
};

static void list_found(struct ossa__maker *maker, const struct ossa__group *clips,
                       struct found_clips *found)
{
    struct ossa__table bones = {0};
    size_t *owners = ossa__maker_take(maker, clips->count, sizeof *owners);
    for (size_t i = 0; i < clips->count && maker->ok; i++) {
        owners[i] = bones_in(maker, &bones, clips->files[i]) - 1;
    }
    found->part_count = bones.count;
    found->parts = maker->ok ? distribute(maker, clips, owners, bones.count) : NULL;
}

/* All clips that fit a body, in the order of their files. */
static struct ossa__group clips_for(struct ossa__maker *maker, const struct found_clips *found,
                                    const struct ossa__member *body, size_t clip_count)
{
    struct ossa__group clips = {NULL, 0};
    for (size_t i = 0; i < found->part_count && maker->ok; i++) {
        const struct ossa__group *part = &found->parts[i];
        if (!clip_fits(maker, body, part->files[0])) continue;
        if (clips.count == 0) {
            clips = *part; /* mostly there is one */
            continue;
        }
        struct ossa__group both = new_group(maker, clip_count);
        if (!maker->ok) break;
        for (size_t k = 0; k < clips.count; k++) put(&both, clips.files[k]);
        for (size_t k = 0; k < part->count; k++) put(&both, part->files[k]);
        clips = both;
        sort_by_origin(&clips);
    }
    return clips;
}

static void make_found(struct ossa__maker *maker, const struct ossa__member *body,
                       const struct ossa__group *clips)
{
    ossa_figure *figure = ossa__add_figure(maker, body->name, body->format->game->title);
    if (figure == NULL) return;
    figure->bone_count = body->facts.bone_count;
    figure->is_guess = true;
    figure->clip_count = clips->count;
    ossa__add_figure_path(maker, figure, body->path, body->origin);
    /* Those of the body's own file come first. */
    size_t own = 0;
    for (size_t end = clips->count; own < end;) {
        size_t middle = own + (end - own) / 2;
        if (clips->files[middle]->origin->number < body->origin->number) own = middle + 1;
        else end = middle;
    }
    size_t end = own;
    size_t left = MOST_FOUND_CLIPS;
    for (; end < clips->count && clips->files[end]->origin == body->origin && left > 0; end++) {
        ossa__add_figure_path(maker, figure, clips->files[end]->path, body->origin);
        left--;
    }
    for (size_t i = 0; i < clips->count && left > 0 && maker->ok; i++) {
        if (i >= own && i < end) continue;
        ossa__add_figure_path(maker, figure, clips->files[i]->path, clips->files[i]->origin);
        left--;
    }
    if (clips->count == 0) ossa__add_missing(maker, figure, "animation");
}

static void group_found(struct ossa__maker *maker, const struct ossa__game *game)
{
    struct ossa__table bones = {0};
    struct found_clips found;
    struct ossa__group bodies = new_group(maker, maker->file_count);
    struct ossa__group clips = new_group(maker, maker->file_count);
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        struct ossa__member *file = &maker->files[i];
        if (!file->is_found || file->format->game != game) continue;
        if (file->format->role == OSSA__ROLE_CLIP) put(&clips, file);
        if (file->format->role == OSSA__ROLE_BODY && bodies.count < MOST_FOUND_BODIES) {
            put(&bodies, file);
        }
    }
    if (!maker->ok || bodies.count == 0) return;
    sort_by_origin(&clips);
    list_found(maker, &clips, &found);
    struct ossa__group *lists = ossa__maker_take(maker, bodies.count, sizeof *lists);
    size_t known = 0; /* lists, by number of bones */
    for (size_t i = 0; i < bodies.count && maker->ok; i++) {
        size_t number = bones_in(maker, &bones, bodies.files[i]);
        if (number > known) lists[known++] = clips_for(maker, &found, bodies.files[i], clips.count);
        if (number > 0) make_found(maker, bodies.files[i], &lists[number - 1]);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void group_game(struct ossa__maker *maker, const struct ossa__game *game)
{
    struct ossa__group group = new_group(maker, maker->file_count);
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        struct ossa__member *file = &maker->files[i];
        if (file->format->game != game || file->is_found) continue;
        if (!ossa__is_in_companion_archive(file)) put(&group, file);
    }
    if (maker->ok) ossa__make_stored(maker, &group);
    if (maker->ok) ossa__make_paired(maker, &group);
    split(maker, &group, 0, 0);
    group_found(maker, game);
}

void ossa__group_files(struct ossa__maker *maker)
{
    struct ossa__table games = {0};
    ossa__order_paths(maker);
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        const struct ossa__game *game = maker->files[i].format->game;
        size_t known = games.count;
        (void)number_in(maker, &games, game->title, strlen(game->title));
        if (games.count > known) group_game(maker, game);
    }
    ossa__add_companions(maker);
}
