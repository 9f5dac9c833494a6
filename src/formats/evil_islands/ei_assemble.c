/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: a tree (LNK), bind positions (BON) and folders of part animations (ANM) as a scene.
 * Cameras (CAM) stand beside the figure: see ei_camera.c; textures (MMP) too: see ei_texture.c.
 *
 * With q a part's rotation in a frame and b its bind position, the game has
 *
 *     root:   Q = q               P = b + t      t: the root's translation in the frame
 *     child:  Q = q * Q_parent    P = P_parent + rot(Q_parent, b)
 *
 * so a part's own turn comes after its parent's. As an ordinary local rotation that is
 * Q_parent* q Q_parent, frame by frame: the curve of a child depends on its parent's, and between
 * frames the scene's curve is not quite the game's, which interpolates q first. The translations of
 * other parts are used by no known player and not applied. Z is up: (x, y, z) becomes (x, z, -y).
 */
#include "core/sort.h"
#include "core/text.h"
#include "ossa/evil_islands.h"
#include "formats/evil_islands/ei_camera.h"
#include "formats/evil_islands/ei_texture.h"
#include "formats/modules.h"
#include "scene/assembly.h"
#include "scene/quaternion.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct figure {
    struct ossa__assembly *assembly;
    const struct ossa__part *tree; /* NULL: the bones are placeholders */
    uint32_t bone_count;
    uint32_t *by_name; /* bones in the order of their names */
    double (*bind)[3]; /* in the game's axes, scaled */
};

/* One clip being read. */
struct clip {
    const struct figure *figure;
    const struct ossa__part *first;
    const struct ossa__part **parts; /* by bone; NULL: none */
    uint32_t frame_count;
    struct ossa__quat *turns; /* by bone: Q of the frame at work */
};

static bool name_before(const void *a, const void *b, void *user)
{
    const char *const *names = user;
    return ossa__compare_names(names[*(const uint32_t *)a], names[*(const uint32_t *)b]) < 0;
}

/* The indices of `count` names in the order of the names, equal ones in their own order; NULL after
 * a failure. */
static uint32_t *sort_names(struct ossa__context *context, const char **names, uint32_t count)
{
    uint32_t *order = ossa__take(context, count, sizeof *order);
    for (uint32_t i = 0; order != NULL && i < count; i++) order[i] = i;
    if (order == NULL) return NULL;
    return ossa__sort(context, order, count, sizeof *order, name_before, names) ? order : NULL;
}

static bool index_bones(struct figure *figure)
{
    const ossa_scene *scene = figure->assembly->scene;
    struct ossa__context *context = &figure->assembly->context;
    const char **names = ossa__take(context, figure->bone_count, sizeof *names);
    for (uint32_t i = 0; names != NULL && i < figure->bone_count; i++) {
        names[i] = scene->bones[i].name;
    }
    figure->by_name = names == NULL ? NULL : sort_names(context, names, figure->bone_count);
    return figure->by_name != NULL;
}

/* The bone of that name, letter case ignored; -1: none. */
static int64_t find_bone(const struct figure *figure, const char *name)
{
    const ossa_scene *scene = figure->assembly->scene;
    uint32_t low = 0;
    uint32_t high = figure->bone_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *found = scene->bones[figure->by_name[middle]].name;
        if (ossa__compare_names(found, name) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == figure->bone_count) return -1;
    uint32_t bone = figure->by_name[low];
    return ossa__compare_names(scene->bones[bone].name, name) == 0 ? (int64_t)bone : -1;
}

/* ---- the skeleton -------------------------------------------------------------------------- */

static void bones_of_tree(struct figure *figure, const ossa_ei_lnk *lnk)
{
    ossa_bone *bones = ossa__take_bones(figure->assembly, lnk->link_count);
    for (uint32_t i = 0; i < lnk->link_count && bones != NULL; i++) {
        const ossa_ei_link *link = &lnk->links[i];
        size_t size = ossa_ei_name_utf8(&link->child, NULL, 0);
        char *name = ossa__take(&figure->assembly->context, size + 1, 1);
        if (name == NULL) return;
        (void)ossa_ei_name_utf8(&link->child, name, size + 1);
        bones[i].name = name;
        bones[i].parent = link->parent_index;
    }
    figure->bone_count = lnk->link_count;
}

/* Everything but cameras and textures is of the figure. */
static bool is_of_figure(const struct ossa__part *part)
{
    return strcmp(part->format, "ei-cam") != 0 && strcmp(part->format, "ei-mmp") != 0;
}

static const struct ossa__part *first_of_figure(const struct ossa__assembly *assembly)
{
    size_t i = 0;
    while (i < assembly->part_count && !is_of_figure(&assembly->parts[i])) i++;
    return i < assembly->part_count ? &assembly->parts[i] : NULL;
}

/* Without a tree every part that moves or has a place is a bone on its own, in the order of the
 * inputs. */
static void bones_of_parts(struct figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    const char **names = ossa__take(&assembly->context, assembly->part_count, sizeof *names);
    uint32_t count = 0;
    for (size_t i = 0; names != NULL && i < assembly->part_count; i++) {
        if (is_of_figure(&assembly->parts[i])) names[count++] = assembly->parts[i].stem;
    }
    ossa_bone *bones = ossa__take_bones(assembly, count);
    uint8_t *is_first = ossa__take(&assembly->context, count, 1);
    if (is_first == NULL) return;
    const uint32_t *order = sort_names(&assembly->context, names, count);
    for (uint32_t i = 0; order != NULL && i < count; i++) {
        is_first[order[i]] =
            i == 0 || ossa__compare_names(names[order[i - 1]], names[order[i]]) != 0;
    }
    for (uint32_t i = 0; order != NULL && i < count; i++) {
        if (is_first[i]) bones[figure->bone_count++].name = names[i];
    }
    assembly->scene->bone_count = figure->bone_count;
    ossa__assembly_warn(assembly, first_of_figure(assembly), OSSA_MISSING_PART,
                        "there is no tree (LNK); every part is a bone of its own");
}

static void place_bones(struct figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    ossa_bone *bones = (ossa_bone *)(uintptr_t)assembly->scene->bones;
    uint8_t *placed = ossa__take(&assembly->context, figure->bone_count, 1);
    figure->bind = ossa__take(&assembly->context, figure->bone_count, sizeof *figure->bind);
    if (figure->bind == NULL) return;
    memset(placed, 0, figure->bone_count);
    memset(figure->bind, 0, figure->bone_count * sizeof *figure->bind);
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "ei-bon") != 0) continue;
        int64_t bone = find_bone(figure, part->stem);
        if (bone < 0) {
            ossa__assembly_warn(assembly, part, OSSA_MISFIT,
                                "the tree has no part '%s'; its position is left out", part->stem);
            continue;
        }
        if (placed[bone]) {
            (void)ossa__misfit(assembly, part, "the part '%s' has a bind position already",
                               part->stem);
            return;
        }
        const ossa_ei_bon *bon = part->contents;
        float position[3];
        ossa_ei_complexion(bon->positions, bon->position_count, assembly->options->complexion,
                           position);
        for (unsigned k = 0; k < 3; k++) {
            figure->bind[bone][k] = (double)position[k] * assembly->options->scale;
        }
        placed[bone] = 1;
    }
    uint32_t missing = 0;
    const char *first = "";
    for (uint32_t i = 0; i < figure->bone_count; i++) {
        const double *b = figure->bind[i];
        bones[i].rest.translation[0] = (float)b[0];
        bones[i].rest.translation[1] = (float)b[2];
        bones[i].rest.translation[2] = (float)(0.0 - b[1]); /* never -0 */
        if (placed[i] == 0 && missing++ == 0) first = bones[i].name;
    }
    if (missing > 0) {
        ossa__assembly_warn(assembly, figure->tree, OSSA_MISSING_PART,
                            "parts without a bind position (BON), which stand at 0: %" PRIu32
                            " of %" PRIu32 ", the first is '%s'",
                            missing, figure->bone_count, first);
    }
}

/* ---- clips --------------------------------------------------------------------------------- */

static uint32_t frames_of(const ossa_ei_anm *anm)
{
    return anm->rotation_count > anm->translation_count ? anm->rotation_count
                                                        : anm->translation_count;
}

/* A frame of a track of `count`: the whole one before, the one after, and how far between. A track
 * that is too short holds its last. */
static void find_keys(double frame, uint32_t count, uint32_t *from, uint32_t *to, double *part)
{
    uint32_t last = count - 1;
    if (frame >= (double)last) {
        *from = *to = last;
        *part = 0.0;
        return;
    }
    *from = (uint32_t)frame;
    *to = *from + 1;
    *part = frame - (double)*from;
}

static bool rotation_at(const struct clip *clip, uint32_t bone, double frame, struct ossa__quat *q)
{
    *q = (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
    const struct ossa__part *part = clip->parts[bone];
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    if (anm == NULL || anm->rotation_count == 0) return true;
    uint32_t at[2];
    double between;
    struct ossa__quat keys[2];
    find_keys(frame, anm->rotation_count, &at[0], &at[1], &between);
    for (unsigned i = 0; i < 2; i++) {
        const float *wxyz = anm->rotations[at[i]];
        keys[i] =
            (struct ossa__quat){(double)wxyz[1], (double)wxyz[2], (double)wxyz[3], (double)wxyz[0]};
        if (!ossa__quat_normalise(&keys[i])) {
            return ossa__misfit(clip->figure->assembly, part,
                                "rotations[%" PRIu32 "] is no rotation: its length is 0 or not "
                                "finite",
                                at[i]);
        }
    }
    *q = between == 0.0 ? keys[0] : ossa__quat_slerp(keys[0], keys[1], between);
    return true;
}

static void translation_at(const struct clip *clip, uint32_t bone, double frame, double t[3])
{
    const struct ossa__part *part = clip->parts[bone];
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    t[0] = t[1] = t[2] = 0.0;
    if (anm == NULL || anm->translation_count == 0) return;
    uint32_t from;
    uint32_t to;
    double between;
    find_keys(frame, anm->translation_count, &from, &to, &between);
    for (unsigned k = 0; k < 3; k++) {
        double a = (double)anm->translations[from][k];
        double b = (double)anm->translations[to][k];
        double value = between == 0.0 ? a : a + (b - a) * between;
        t[k] = value * clip->figure->assembly->options->scale;
    }
}

static bool pose(void *user, double frame, ossa_transform *locals, uint8_t *visible)
{
    struct clip *clip = user;
    const struct figure *figure = clip->figure;
    for (uint32_t i = 0; i < figure->bone_count; i++) {
        int32_t parent = figure->assembly->scene->bones[i].parent;
        struct ossa__quat q;
        double place[3];
        if (!rotation_at(clip, i, frame, &q)) return false;
        for (unsigned k = 0; k < 3; k++) place[k] = figure->bind[i][k];
        struct ossa__quat local = q;
        if (parent < 0) {
            double t[3];
            translation_at(clip, i, frame, t);
            for (unsigned k = 0; k < 3; k++) place[k] += t[k];
            clip->turns[i] = q;
        } else {
            struct ossa__quat above = clip->turns[parent];
            struct ossa__quat turn = ossa__quat_multiply(q, above);
            /* A part that does not turn is at rest to the last bit: rounding must not make a
             * curve of it. */
            bool turns = q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
            if (turns) local = ossa__quat_multiply(ossa__quat_conjugate(above), turn);
            (void)ossa__quat_normalise(&turn);
            (void)ossa__quat_normalise(&local);
            clip->turns[i] = turn;
        }
        locals[i] = ossa__no_transform;
        ossa__quat_store((struct ossa__quat){local.x, local.z, 0.0 - local.y, local.w},
                         locals[i].rotation);
        locals[i].translation[0] = (float)place[0];
        locals[i].translation[1] = (float)place[2];
        locals[i].translation[2] = (float)(0.0 - place[1]);
        visible[i] = 1;
    }
    return true;
}

/* The order of the folders that parts lie in; both separators are one. */
static int compare_folders(const struct ossa__part *a, const struct ossa__part *b)
{
    size_t size = a->folder_size < b->folder_size ? a->folder_size : b->folder_size;
    for (size_t i = 0; i < size; i++) {
        char x = a->input->path[i] == '\\' ? '/' : a->input->path[i];
        char y = b->input->path[i] == '\\' ? '/' : b->input->path[i];
        if (x != y) return x < y ? -1 : 1;
    }
    return (a->folder_size > b->folder_size) - (a->folder_size < b->folder_size);
}

static bool is_anm(const struct ossa__part *part)
{
    return strcmp(part->format, "ei-anm") == 0;
}

static bool add_part(struct clip *clip, const struct ossa__part *part)
{
    struct ossa__assembly *assembly = clip->figure->assembly;
    int64_t bone = find_bone(clip->figure, part->stem);
    const struct ossa__part *tree = clip->figure->tree;
    if (bone < 0) { /* never without a tree: then every part has a bone */
        return ossa__misfit(assembly, part, "the clip '%s' moves a part '%s', which %s has not",
                            part->folder, part->stem, tree == NULL ? "" : tree->shown);
    }
    if (clip->parts[bone] != NULL) {
        return ossa__misfit(assembly, part, "the part '%s' is moved by %s too", part->stem,
                            clip->parts[bone]->shown);
    }
    clip->parts[bone] = part;
    uint32_t frames = frames_of(part->contents);
    if (frames > clip->frame_count) clip->frame_count = frames;
    return true;
}

static void warn_of_parts(const struct clip *clip)
{
    uint32_t resting = 0;
    uint32_t shorter = 0;
    const char *names[2] = {"", ""};
    for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
        const struct ossa__part *part = clip->parts[i];
        const char *name = clip->figure->assembly->scene->bones[i].name;
        if (part == NULL && resting++ == 0) names[0] = name;
        if (part != NULL && frames_of(part->contents) < clip->frame_count && shorter++ == 0) {
            names[1] = name;
        }
    }
    const char *folder = clip->first->folder;
    if (resting > 0) {
        ossa__assembly_warn(clip->figure->assembly, clip->first, OSSA_MISSING_PART,
                            "parts of the clip '%s' without an animation, which stay at rest: "
                            "%" PRIu32 ", the first is '%s'",
                            folder, resting, names[0]);
    }
    if (shorter > 0) {
        ossa__assembly_warn(clip->figure->assembly, clip->first, OSSA_UNEQUAL_TRACKS,
                            "parts of the clip '%s' with fewer than %" PRIu32
                            " frames, which hold their last: %" PRIu32 ", the first is '%s'",
                            folder, clip->frame_count, shorter, names[1]);
    }
}

static bool folder_before(const void *a, const void *b, void *user)
{
    const struct ossa__part *parts = user;
    return compare_folders(&parts[*(const uint32_t *)a], &parts[*(const uint32_t *)b]) < 0;
}

/* The animations that lie in one folder: a run of the sorted ones. */
struct group {
    const uint32_t *members; /* parts, in the order of the inputs */
    uint32_t count;
};

static bool group_before(const void *a, const void *b, void *user)
{
    (void)user;
    return ((const struct group *)a)->members[0] < ((const struct group *)b)->members[0];
}

/* The clips' parts, by folder, in the order in which the folders first appear. */
static struct group *group_parts(struct ossa__assembly *assembly, uint32_t *count)
{
    struct ossa__context *context = &assembly->context;
    struct ossa__part *parts = assembly->parts;
    uint32_t *order = ossa__take(context, assembly->part_count, sizeof *order);
    struct group *groups = ossa__take(context, assembly->part_count, sizeof *groups);
    if (groups == NULL) return NULL;
    uint32_t used = 0;
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        if (is_anm(&parts[i])) order[used++] = i;
    }
    if (!ossa__sort(context, order, used, sizeof *order, folder_before, parts)) return NULL;
    *count = 0;
    for (uint32_t i = 0; i < used; i++) {
        bool is_new = i == 0 || compare_folders(&parts[order[i - 1]], &parts[order[i]]) != 0;
        if (is_new) groups[(*count)++] = (struct group){.members = &order[i]};
        groups[*count - 1].count++;
    }
    bool sorted = ossa__sort(context, groups, *count, sizeof *groups, group_before, NULL);
    return sorted ? groups : NULL;
}

static void add_clips(struct figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    struct ossa__context *context = &assembly->context;
    struct clip clip = {.figure = figure};
    uint32_t count;
    struct group *groups = group_parts(assembly, &count);
    clip.parts = ossa__take(context, figure->bone_count, sizeof *clip.parts);
    clip.turns = ossa__take(context, figure->bone_count, sizeof *clip.turns);
    if (groups == NULL || !ossa__take_clips(assembly, count)) return;
    double fps = assembly->options->fps > 0.0 ? assembly->options->fps : OSSA_EI_FPS;
    for (uint32_t g = 0; g < count && !context->failed; g++) {
        struct ossa__part *first = &assembly->parts[groups[g].members[0]];
        clip.first = first;
        clip.frame_count = 0;
        memset(clip.parts, 0, figure->bone_count * sizeof *clip.parts);
        for (uint32_t i = 0; i < groups[g].count; i++) {
            if (!add_part(&clip, &assembly->parts[groups[g].members[i]])) return;
        }
        warn_of_parts(&clip);
        first->is_folder = true;
        ossa__add_clip(assembly,
                       &(struct ossa__clip_plan){.name = first->folder,
                                                 .part = first,
                                                 .fps = fps,
                                                 .frame_count = clip.frame_count,
                                                 .keys_a_frame = assembly->options->resample,
                                                 .pose = pose,
                                                 .user = &clip});
    }
}

static void assemble_figure(struct ossa__assembly *assembly, const struct ossa__part *tree)
{
    struct figure figure = {.assembly = assembly, .tree = tree};
    if (first_of_figure(assembly) ==
        NULL) { /* cameras or textures alone: no bones, no clips, and all is well */
        (void)ossa__take_bones(assembly, 0);
        (void)ossa__take_clips(assembly, 0);
        return;
    }
    if (tree != NULL) bones_of_tree(&figure, tree->contents);
    else bones_of_parts(&figure);
    if (assembly->context.failed || !index_bones(&figure)) return;
    place_bones(&figure);
    if (!assembly->context.failed) add_clips(&figure);
}

void ossa__assemble_evil_islands(struct ossa__assembly *assembly)
{
    const struct ossa__part *tree = ossa__only_part(assembly, "ei-lnk");
    if (assembly->context.failed) return;
    const struct ossa__part *named = tree != NULL ? tree : &assembly->parts[0];
    if (named->stem[0] != '\0') assembly->scene->name = named->stem;
    assemble_figure(assembly, tree);
    ossa__ei_add_cameras(assembly);
    ossa__add_ei_textures(assembly);
}
