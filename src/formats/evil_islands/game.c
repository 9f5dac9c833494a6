/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: a tree (LNK), bind positions (BON), meshes (FIG), folders of part animations (ANM),
 * an animation database (ADB), textures (MMP) and camera paths (CAM) as a scene. The options are
 * here; game.h says where the rest is. */
#include "formats/evil_islands/game.h"

#include <math.h>
#include <string.h>

/* ---- the figure ---------------------------------------------------------------------------- */

static void assemble_figure(struct ossa__assembly *assembly, const struct ossa__part *tree,
                            bool has_other_trees)
{
    struct ossa__ei_figure figure = {
        .assembly = assembly, .tree = tree, .has_other_trees = has_other_trees, .root_scale = 1.0};
    if (tree == NULL && !ossa__ei_has_parts(assembly)) {
        /* Only cameras: no bones, no clips. */
        (void)ossa__take_bones(assembly, 0);
        (void)ossa__take_clips(assembly, 0);
        return;
    }
    if (!ossa__ei_add_bones(&figure)) return;
    if (ossa__ei_add_meshes(&figure)) ossa__ei_add_clips(&figure);
}

/* ---- options ------------------------------------------------------------------------------- */

const ossa_ei_options *ossa__ei_options(const struct ossa__assembly *assembly)
{
    static const ossa_ei_options defaults;
    return assembly->options->ei == NULL ? &defaults : assembly->options->ei;
}

uint32_t ossa__ei_resample(const struct ossa__assembly *assembly)
{
    uint32_t resample = ossa__ei_options(assembly)->resample;
    return resample == 0 ? 1 : resample;
}

bool ossa__ei_has_complexion(const ossa_ei_options *ei)
{
    return ei->has_complexion || ei->complexion[0] != 0.0F || ei->complexion[1] != 0.0F ||
           ei->complexion[2] != 0.0F;
}

double ossa__ei_root_scale(const struct ossa__assembly *assembly, const ossa_ei_adb *adb)
{
    const ossa_ei_options *ei = ossa__ei_options(assembly);
    if (adb == NULL || !ossa__ei_has_complexion(ei)) return 1.0;
    double height = (double)ei->complexion[2];
    double least = (double)adb->min_height;
    double scale = (height * ((double)adb->max_height - least) + least) / (double)adb->mid_height;
    return isfinite(scale) && scale > 0.0 ? scale : 1.0;
}

static bool has_options(const ossa_scene_options *options)
{
    const ossa_ei_options *ei = options->ei;
    if (ei == NULL) return false;
    bool is_shaped = ossa__ei_has_complexion(ei) || ei->morphing != OSSA_EI_MORPHING_ALL ||
                     ei->texture != NULL || ei->part_count > 0;
    return is_shaped || ei->look != OSSA_EI_LOOK_GAME || ei->resample > 1 ||
           ei->root != OSSA_EI_ROOT_SUM;
}

/* The texture that the options name must be one of the inputs. */
static bool check_texture(struct ossa__assembly *assembly, const char *name)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->input->path, name) == 0 || strcmp(part->shown, name) == 0) return true;
    }
    return ossa__fail_nowhere(&assembly->context, OSSA_CODE_BAD_ARGUMENT, "",
                              "the texture '%s' is not among the inputs", name);
}

static bool check_options(struct ossa__assembly *assembly)
{
    const ossa_ei_options *options = ossa__ei_options(assembly);
    bool fine = options->resample <= 1000;
    for (unsigned i = 0; i < 3; i++) {
        fine = fine && options->complexion[i] >= 0.0F && options->complexion[i] <= 1.0F;
    }
    if (!fine) {
        return ossa__fail_nowhere(&assembly->context, OSSA_CODE_BAD_ARGUMENT, "",
                                  "complexion must be from 0 to 1, resample at most 1000");
    }
    switch (options->morphing) {
    case OSSA_EI_MORPHING_FIRST: assembly->morphs = OSSA__MORPHS_FIRST; break;
    case OSSA_EI_MORPHING_NONE: assembly->morphs = OSSA__MORPHS_NONE; break;
    default: assembly->morphs = OSSA__MORPHS_ALL; break;
    }
    return options->texture == NULL || check_texture(assembly, options->texture);
}

/* ---- the game ------------------------------------------------------------------------------ */

static void assemble(struct ossa__assembly *assembly)
{
    size_t others = 0;
    if (!check_options(assembly)) return;
    const struct ossa__part *tree = ossa__ei_find_tree(assembly, &others);
    if (assembly->context.failed) return;
    const struct ossa__part *named = tree != NULL ? tree : &assembly->parts[0];
    if (named->stem[0] != '\0') assembly->scene->name = named->stem;
    assemble_figure(assembly, tree, others > 0);
    ossa__ei_add_cameras(assembly);
    ossa__ei_add_textures(assembly);
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    if (format == &ossa__format_ei_lnk) {
        facts->bone_count = ((const ossa_ei_lnk *)contents)->link_count;
    } else if (format == &ossa__format_ei_fig) {
        facts->mesh_count = 1;
        facts->bone_count = 1;
    } else if (format == &ossa__format_ei_anm) {
        const ossa_ei_anm *anm = contents;
        bool is_longer = anm->translation_count > anm->rotation_count;
        facts->frame_count = is_longer ? anm->translation_count : anm->rotation_count;
    }
}

static const char *const figure_endings[] = {".mod", ".bon", ".anm", NULL};
static const char *const single_endings[] = {".fig", ".bon", ".anm", NULL};

const struct ossa__game ossa__game_evil_islands = {
    .title = "Evil Islands (2000)",
    .name = "Evil Islands",
    .open = "figures.res with textures.res and database.res, or the folder of an unpacked figure",
    .viewpoint = {0.553F, 0.199F, 0.809F},
    .assemble = assemble,
    .examine = ossa__ei_examine,
    .options = ossa__ei_option_list,
    .has_options = has_options,
    .keep_options = ossa__ei_keep_options,
    .set_option = OSSA__IMPORTED_BY(ossa__ei_set_option),
    .survey = survey,
    .clips_are_folders = true,
    .names_have_dots = true,
    .figure_endings = figure_endings,
    .single_endings = single_endings,
    .link_ending = ".lnk",
    .read_link = ossa__ei_read_link,
    .link_of = ossa__ei_link_of,
    .survey_slots = ossa__ei_survey_slots,
};
