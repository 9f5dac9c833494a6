/* SPDX-License-Identifier: MIT */
#include "scene/edit.h"

#include <float.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

double ossa__angle_between(struct ossa__quat a, struct ossa__quat b)
{
    struct ossa__quat d = ossa__quat_multiply(ossa__quat_conjugate(a), b);
    /* Not acos(w), which cannot tell small angles from none. */
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

bool ossa__same_rotation(struct ossa__quat a, struct ossa__quat b)
{
    return ossa__angle_between(a, b) <= OSSA__KEPT_DEGREES * DEGREE;
}

bool ossa__same_position(const struct ossa__assembly *assembly, const double a[3],
                         const double b[3])
{
    double square = 0.0;
    double size = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        square += (a[k] - b[k]) * (a[k] - b[k]);
        size = fmax(size, fmax(fabs(a[k]), fabs(b[k])));
    }
    /* Far from the origin, floats are not as fine. */
    double kept =
        fmax(OSSA__KEPT_METRES * assembly->options->scale, 4.0 * (double)FLT_EPSILON * size);
    return sqrt(square) <= kept;
}

/* ---- files --------------------------------------------------------------------------------- */

/* One more item for an array in the arena, which doubles at powers of two; NULL after a failure. */
static void *make_room(struct ossa__assembly *assembly, void *items, size_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0) return items;
    void *larger = ossa__take(&assembly->context, count == 0 ? 1 : 2 * (uint64_t)count, size);
    if (larger != NULL && count > 0) memcpy(larger, items, count * size);
    return larger;
}

static bool list_parts(struct ossa__edit *edit)
{
    uint64_t count = 2 * (uint64_t)edit->assembly->part_count;
    size_t *by_part = ossa__take(&edit->assembly->context, count, sizeof *by_part);
    if (by_part == NULL) return false;
    memset(by_part, 0, (size_t)count * sizeof *by_part);
    edit->editing->by_part = by_part;
    return true;
}

static void *add_file(struct ossa__edit *edit, const struct ossa__part *part, const char *new_path,
                      size_t size)
{
    struct ossa__editing *editing = edit->editing;
    if (editing->by_part == NULL && !list_parts(edit)) return NULL;
    size_t at = 2 * (size_t)(part - edit->assembly->parts) + (new_path != NULL ? 1 : 0);
    if (editing->by_part[at] > 0) return editing->files[editing->by_part[at] - 1].contents;
    void *contents = ossa__take(&edit->assembly->context, 1, size);
    struct ossa__edited_file *files =
        make_room(edit->assembly, editing->files, editing->file_count, sizeof *files);
    if (contents == NULL || files == NULL) return NULL;
    memcpy(contents, part->contents, size);
    editing->files = files;
    files[editing->file_count++] =
        (struct ossa__edited_file){.part = part, .contents = contents, .new_path = new_path};
    editing->by_part[at] = editing->file_count;
    return contents;
}

/* A path of an input with another name in place of that of its clip: the folder's, or the file's
 * own without its extension. NULL after a failure. */
static const char *path_of_new(struct ossa__edit *edit, const struct ossa__part *part,
                               const char *shown)
{
    const char *path = part->input->path;
    size_t size = strlen(path);
    size_t begin = part->folder_size;
    size_t end = size;
    if (strlen(shown) != size) { /* else the same but for # where the path has / */
        (void)ossa__fail_nowhere(&edit->assembly->context, OSSA_CODE_BAD_ARGUMENT, "",
                                 "the new clip '%s' cannot be put beside %s, which has no name but "
                                 "an offset; extract it and give that file instead",
                                 edit->name, part->shown);
        return NULL;
    }
    if (ossa__format_of(part->input->file)->game->clips_are_folders) {
        end = begin > 0 ? begin - 1 : 0;
        begin = end;
        while (begin > 0 && path[begin - 1] != '/' && path[begin - 1] != '\\') begin--;
    } else {
        for (size_t i = size; i > begin + 1; i--) {
            if (path[i - 1] != '.') continue;
            end = i - 1;
            break;
        }
    }
    size_t name = strlen(edit->name);
    char *text = ossa__take(&edit->assembly->context, size + name + 1, 1);
    if (text == NULL) return NULL;
    memcpy(text, shown, begin);
    memcpy(text + begin, edit->name, name);
    memcpy(text + begin + name, shown + end, size - end + 1);
    return text;
}

void *ossa__edit_contents(struct ossa__edit *edit, const struct ossa__part *part, size_t size)
{
    struct ossa__editing *editing = edit->editing;
    size_t known = editing->file_count;
    edit->file_count++;
    if (!edit->is_new) return add_file(edit, part, NULL, size);
    const char *path = path_of_new(edit, part, part->input->path);
    const char *shown = path_of_new(edit, part, part->shown);
    void *contents = path == NULL || shown == NULL ? NULL : add_file(edit, part, path, size);
    if (contents != NULL && editing->file_count > known) editing->files[known].new_shown = shown;
    return contents;
}

void *ossa__edit_series(struct ossa__edit *edit, const struct ossa__part *part, const char *name,
                        size_t size)
{
    struct ossa__edit piece = *edit;
    size_t *by_part = edit->editing->by_part;
    piece.name = name;
    if (by_part != NULL)
        by_part[2 * (part - edit->assembly->parts) + 1] = 0; /* not the one before */
    edit->file_count++;
    return ossa__edit_contents(&piece, part, size);
}

void *ossa__edit_shared(struct ossa__edit *edit, const struct ossa__part *part, size_t size)
{
    return add_file(edit, part, NULL, size);
}

/* ---- losses -------------------------------------------------------------------------------- */

void ossa__edit_lose(struct ossa__edit *edit, enum ossa__loss what, uint32_t bone, uint32_t frame,
                     double size)
{
    struct ossa__editing *editing = edit->editing;
    size_t known = editing->loss_count;
    for (size_t i = 0; i < known && i < OSSA__LOSS_COUNT; i++) { /* those of a bone are together */
        struct ossa__edit_loss *loss = &editing->losses[known - 1 - i];
        if (loss->clip != edit->name || loss->what != what || loss->bone != bone) continue;
        loss->count++;
        if (size > loss->size) {
            loss->size = size;
            loss->frame = frame;
        }
        return;
    }
    struct ossa__edit_loss *losses =
        make_room(edit->assembly, editing->losses, editing->loss_count, sizeof *losses);
    if (losses == NULL) return;
    editing->losses = losses;
    losses[editing->loss_count++] =
        (struct ossa__edit_loss){what, edit->name, bone, frame, size, 1};
}

void ossa__edit_expect_rotations(struct ossa__edit *edit, bool roots_move)
{
    const struct ossa__assembly *assembly = edit->assembly;
    const double one = 1.0;
    for (uint32_t b = 0; b < assembly->scene->bone_count; b++) {
        const ossa_bone *bone = &assembly->scene->bones[b];
        double rest[3];
        for (unsigned k = 0; k < 3; k++) rest[k] = (double)bone->rest.translation[k];
        bool moves = roots_move && bone->parent < 0;
        for (uint32_t f = 0; f < edit->frame_count; f++) {
            const struct ossa__edit_pose *pose = ossa__edit_at(edit, f, b);
            double scale = 0.0;
            for (unsigned k = 0; k < 3; k++) scale = fmax(scale, fabs(pose->scale[k] - one));
            if (scale > 1e-4) ossa__edit_lose(edit, OSSA__LOSS_SCALE, b, f, scale);
            if (!moves && !ossa__same_position(assembly, rest, pose->translation)) {
                double d[3];
                for (unsigned k = 0; k < 3; k++) d[k] = pose->translation[k] - rest[k];
                ossa__edit_lose(edit, OSSA__LOSS_TRANSLATION, b, f,
                                sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
            }
            if (!pose->is_visible) ossa__edit_lose(edit, OSSA__LOSS_VISIBILITY, b, f, 1.0);
        }
    }
}
