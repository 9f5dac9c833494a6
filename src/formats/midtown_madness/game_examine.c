/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: do the files of a figure fit together? Animations (ANIM) and the mesh (MOD) are
 * for as many bones as the skeleton (SKEL) has, and the table of states (CSV) names animations that
 * are there and frames that they have. */
#include "formats/midtown_madness/game_mesh.h"
#include "formats/modules.h"
#include "scene/examine.h"

#include <inttypes.h>
#include <string.h>

static void examine_anim(struct ossa__assembly *assembly, const struct ossa__part *part,
                         const struct ossa__part *skeleton)
{
    uint32_t bones = 0;
    uint32_t expected = ((const ossa_mm_skel *)skeleton->contents)->bone_count;
    if (ossa_mm_pose_channel(part->contents, &bones) == NULL) {
        ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_MISFIT, -1, "",
                      "has no channel that poses the bones of %s", skeleton->shown);
    } else if (bones != expected) {
        ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_MISFIT, -1, "",
                      "moves %" PRIu32 " bones, but %s has %" PRIu32, bones, skeleton->shown,
                      expected);
    }
}

static void examine_mod(struct ossa__assembly *assembly, const struct ossa__part *part,
                        const struct ossa__part *skeleton)
{
    const ossa_mm_mod *mod = part->contents;
    uint32_t bones = ossa__mod_bone_count(mod);
    uint32_t expected = ((const ossa_mm_skel *)skeleton->contents)->bone_count;
    if (bones <= expected && (bones == expected || mod->mtxv_count == 0)) return;
    ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_MISFIT, -1, "",
                  "is for %" PRIu32 " bones, but %s has %" PRIu32, bones, skeleton->shown,
                  expected);
}

/* ---- states -------------------------------------------------------------------------------- */

/* Frames are counted from 1. One past the end is common in the game's own tables. */
static void examine_frames(struct ossa__assembly *assembly, const struct ossa__part *table,
                           const ossa_mm_state *state, const struct ossa__part *part)
{
    int64_t frames = ((const ossa_mm_anim *)part->contents)->frame_count;
    int64_t most = state->first_frame > state->last_frame ? state->first_frame : state->last_frame;
    if (most <= frames) return;
    ossa__finding(assembly, table,
                  most == frames + 1 ? OSSA_SEVERITY_REMARK : OSSA_SEVERITY_WARNING,
                  OSSA_CODE_UNUSUAL_VALUE, (int64_t)state->line, "",
                  "plays frame %" PRId64 " of %s, which has %" PRId64, most, part->shown, frames);
}

static void examine_table(struct ossa__assembly *assembly, const struct ossa__part *table)
{
    const ossa_mm_csv *csv = table->contents;
    struct ossa__name_list anims;
    uint32_t *parts = ossa__take(&assembly->context, assembly->part_count, sizeof *parts);
    if (!ossa__name_list_take(&assembly->context, assembly->part_count, &anims)) return;
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        if (strcmp(assembly->parts[i].format, "mm-anim") != 0) continue;
        parts[anims.count] = i;
        anims.names[anims.count++] = assembly->parts[i].stem;
    }
    /* A table that lies alone is not one that lacks everything. */
    if (anims.count == 0 || !ossa__name_list_sort(&assembly->context, &anims)) return;
    for (uint32_t i = 0; i < csv->state_count && !assembly->context.failed; i++) {
        const ossa_mm_state *state = &csv->states[i];
        const char *name = ossa__latin_text(assembly, state->animation, state->animation_size);
        int64_t found = name == NULL ? -1 : ossa__name_list_find(&anims, name);
        ossa__enter(&assembly->context, "states", i);
        if (found >= 0) {
            examine_frames(assembly, table, state, &assembly->parts[parts[found]]);
        } else if (name != NULL) {
            ossa__finding(assembly, table, OSSA_SEVERITY_WARNING, OSSA_CODE_MISSING_PART,
                          (int64_t)state->line, "", "there is no animation '%s'", name);
        }
        ossa__leave(&assembly->context);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

void ossa__mm_examine(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__main_part(assembly, "mm-skel");
    const struct ossa__part *table = ossa__main_part(assembly, "mm-csv");
    for (size_t i = 0; skeleton != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "mm-anim") == 0) examine_anim(assembly, part, skeleton);
        if (strcmp(part->format, "mm-mod") == 0) examine_mod(assembly, part, skeleton);
    }
    if (table != NULL) examine_table(assembly, table);
}
