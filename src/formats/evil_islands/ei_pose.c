/* SPDX-License-Identifier: MIT
 *
 * How Evil Islands poses a figure.
 *
 * With q a part's rotation in a frame and b its bind position, the game has
 *
 *     root:   Q = q               P = b + t      t: the root's translation in the frame
 *     child:  Q = q * Q_parent    P = P_parent + rot(Q_parent, b)
 *     vertex: P + rot(Q, v + its morph offset)
 *
 * so a part's own turn comes after its parent's. As an ordinary local rotation that is
 * Q_parent* q Q_parent, frame by frame: the curve of a child depends on its parent's, and between
 * frames the scene's curve is not quite the game's, which interpolates q first. The translations of
 * other parts are used by no known player and not applied. Z is up: (x, y, z) becomes (x, z, -y).
 */
#include "formats/evil_islands/ei_clip.h"

#include "formats/evil_islands/ei_morph.h"

#include <inttypes.h>

void ossa__ei_find_keys(double frame, uint32_t count, uint32_t *from, uint32_t *to, double *part)
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

static bool rotation_at(const struct ossa__ei_clip *clip, uint32_t bone, double frame,
                        struct ossa__quat *q)
{
    *q = (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
    const struct ossa__part *part = clip->parts[bone];
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    if (anm == NULL || anm->rotation_count == 0) return true;
    uint32_t at[2];
    double between;
    struct ossa__quat keys[2];
    ossa__ei_find_keys(frame, anm->rotation_count, &at[0], &at[1], &between);
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

static void translation_at(const struct ossa__ei_clip *clip, uint32_t bone, double frame,
                           double t[3])
{
    const struct ossa__part *part = clip->parts[bone];
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    t[0] = t[1] = t[2] = 0.0;
    if (anm == NULL || anm->translation_count == 0) return;
    uint32_t from;
    uint32_t to;
    double between;
    ossa__ei_find_keys(frame, anm->translation_count, &from, &to, &between);
    for (unsigned k = 0; k < 3; k++) {
        double a = (double)anm->translations[from][k];
        double b = (double)anm->translations[to][k];
        double value = between == 0.0 ? a : a + (b - a) * between;
        t[k] = value * clip->figure->assembly->options->scale;
    }
}

bool ossa__ei_pose(void *user, double frame, ossa_transform *locals, uint8_t *visible)
{
    struct ossa__ei_clip *clip = user;
    const struct ossa__ei_figure *figure = clip->figure;
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
        ossa__ei_to_scene(place, locals[i].translation);
        visible[i] = 1;
    }
    return true;
}

bool ossa__ei_morph(void *user, double frame, int32_t *keys)
{
    const struct ossa__ei_clip *clip = user;
    const ossa_scene *scene = clip->figure->assembly->scene;
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        uint32_t mesh = clip->morph_meshes[i];
        const struct ossa__part *part = clip->parts[scene->meshes[mesh].bone];
        keys[i] = (int32_t)ossa__ei_note_shape(clip->figure, mesh, part->contents, frame) - 1;
    }
    return !clip->figure->assembly->context.failed;
}
