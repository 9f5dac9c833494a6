/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: a tree (LNK), bind positions (BON), meshes (FIG), folders of part animations (ANM),
 * an animation database (ADB), textures (MMP) and camera paths (CAM) as a scene. The skeleton and
 * the cameras are here; game.h says where the rest is. */
#include "formats/evil_islands/game.h"

#include "base/quaternion.h"
#include "base/text.h"
#include "codec/sort.h"
#include "scene/camera_keys.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- bones by name ------------------------------------------------------------------------- */

static bool name_before(const void *a, const void *b, void *user)
{
    const char *const *names = user;
    return ossa__compare_names(names[*(const uint32_t *)a], names[*(const uint32_t *)b]) < 0;
}

uint32_t *ossa__ei_sort_names(struct ossa__context *context, const char **names, uint32_t count)
{
    uint32_t *order = ossa__take(context, count, sizeof *order);
    for (uint32_t i = 0; order != NULL && i < count; i++) order[i] = i;
    if (order == NULL) return NULL;
    return ossa__sort(context, order, count, sizeof *order, name_before, names) ? order : NULL;
}

static bool index_bones(struct ossa__ei_figure *figure)
{
    const ossa_scene *scene = figure->assembly->scene;
    struct ossa__context *context = &figure->assembly->context;
    const char **names = ossa__take(context, figure->bone_count, sizeof *names);
    for (uint32_t i = 0; names != NULL && i < figure->bone_count; i++) {
        names[i] = scene->bones[i].name;
    }
    figure->by_name =
        names == NULL ? NULL : ossa__ei_sort_names(context, names, figure->bone_count);
    return figure->by_name != NULL;
}

int64_t ossa__ei_find_bone(const struct ossa__ei_figure *figure, const char *name)
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

static void bones_of_tree(struct ossa__ei_figure *figure, const ossa_ei_lnk *lnk)
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

/* Files of one part, named after it. */
static bool is_of_figure(const struct ossa__part *part)
{
    return strcmp(part->format, "ei-anm") == 0 || strcmp(part->format, "ei-bon") == 0 ||
           strcmp(part->format, "ei-fig") == 0;
}

static const struct ossa__part *first_of_figure(const struct ossa__assembly *assembly)
{
    size_t i = 0;
    while (i < assembly->part_count && !is_of_figure(&assembly->parts[i])) i++;
    return i < assembly->part_count ? &assembly->parts[i] : NULL;
}

/* Without a tree every part is a bone without a parent, in the order of the inputs. */
static void bones_of_parts(struct ossa__ei_figure *figure)
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
    const uint32_t *order = ossa__ei_sort_names(&assembly->context, names, count);
    for (uint32_t i = 0; order != NULL && i < count; i++) {
        is_first[order[i]] =
            i == 0 || ossa__compare_names(names[order[i - 1]], names[order[i]]) != 0;
    }
    for (uint32_t i = 0; order != NULL && i < count; i++) {
        if (is_first[i]) bones[figure->bone_count++].name = names[i];
    }
    assembly->scene->bone_count = figure->bone_count;
    ossa__assembly_warn(assembly, first_of_figure(assembly), OSSA_CODE_MISSING_PART,
                        "there is no tree (LNK); every part becomes a bone without a parent");
}

static void place_bones(struct ossa__ei_figure *figure)
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
        int64_t bone = ossa__ei_find_bone(figure, part->stem);
        if (bone < 0) {
            ossa__assembly_warn(assembly, part, OSSA_CODE_MISFIT,
                                "the tree has no part '%s'; its bind position is ignored",
                                part->stem);
            continue;
        }
        if (placed[bone]) {
            (void)ossa__misfit(assembly, part, "the part '%s' already has a bind position",
                               part->stem);
            ossa__leave_out(assembly, "the bind position");
            if (assembly->context.failed) return;
            continue;
        }
        const ossa_ei_bon *bon = part->contents;
        float position[3];
        ossa_ei_complexion(bon->positions, bon->position_count,
                           ossa__ei_options(assembly)->complexion, position);
        for (unsigned k = 0; k < 3; k++) {
            figure->bind[bone][k] = (double)position[k] * assembly->options->scale;
        }
        placed[bone] = 1;
    }
    uint32_t missing = 0;
    const char *first = "";
    for (uint32_t i = 0; i < figure->bone_count; i++) {
        ossa__ei_to_scene(figure->bind[i], bones[i].rest.translation);
        if (placed[i] == 0 && missing++ == 0) first = bones[i].name;
    }
    if (missing > 0) {
        ossa__assembly_warn(
            assembly, figure->tree, OSSA_CODE_MISSING_PART,
            "parts without a bind position (BON), which stay at the origin: %" PRIu32 " of %" PRIu32
            ", the first is '%s'",
            missing, figure->bone_count, first);
    }
}

static void assemble_figure(struct ossa__assembly *assembly, const struct ossa__part *tree)
{
    struct ossa__ei_figure figure = {.assembly = assembly, .tree = tree};
    if (tree == NULL && first_of_figure(assembly) == NULL) {
        /* Only cameras: no bones, no clips. */
        (void)ossa__take_bones(assembly, 0);
        (void)ossa__take_clips(assembly, 0);
        return;
    }
    if (tree != NULL) bones_of_tree(&figure, tree->contents);
    else bones_of_parts(&figure);
    if (assembly->context.failed || !index_bones(&figure)) return;
    place_bones(&figure);
    if (!assembly->context.failed && ossa__ei_add_meshes(&figure)) ossa__ei_add_clips(&figure);
}

/* ---- cameras ------------------------------------------------------------------------------- */

/* Z is up, as in the figures: (x, y, z) becomes (x, z, -y), C for short. An unrotated
 * camera looks along +Y with Z up. The scene's camera looks along -Z with Y up, so its rotation is
 * the same one in other axes, C q C*. Whether the game means that is not known, hence
 * options.ei->look: with another rest direction a fixed rotation is applied first.
 *
 * A CAM has no field of view. Its times are likely seconds. */

#define HALF 0.70710678118654752440 /* the square root of 1/2 */

/* From the scene's camera to the game's, both at rest. */
static struct ossa__quat rest_of(ossa_ei_look look)
{
    switch (look) {
    case OSSA_EI_LOOK_Z: return (struct ossa__quat){-HALF, 0.0, 0.0, HALF};  /* 90 degrees down */
    case OSSA_EI_LOOK_UP: return (struct ossa__quat){0.0, HALF, -HALF, 0.0}; /* 180 degrees more */
    case OSSA_EI_LOOK_Y: break;
    }
    return (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
}

/* A path shorter than this, in seconds, does not hold times: integers, read as floats, are almost
 * zero. */
static const float least_duration = 1e-6F;

static bool read_times(const ossa_ei_cam *cam, struct ossa__camera_keys *keys)
{
    for (uint32_t i = 0; i < keys->count; i++) {
        keys->times[i] = (float)((double)cam->keys[i].time - (double)cam->keys[0].time);
    }
    if (!ossa__times_rise(keys->times, keys->count)) return false;
    return keys->count == 1 || keys->times[keys->count - 1] >= least_duration;
}

static void fill_times(const ossa_ei_cam *cam, struct ossa__camera_keys *keys)
{
    double fps = keys->assembly->options->fps;
    if (fps == 0.0 && read_times(cam, keys)) return;
    if (fps == 0.0) {
        fps = OSSA_EI_FPS;
        ossa__assembly_warn(keys->assembly, keys->part, OSSA_CODE_BAD_ORDER,
                            "the times do not increase from key to key; %d keys per second are "
                            "assumed instead",
                            OSSA_EI_FPS);
    }
    ossa__even_times(keys, fps);
}

static bool fill_position(const ossa_ei_camera_key *key, struct ossa__camera_keys *keys, uint32_t i)
{
    double scale = keys->assembly->options->scale;
    float *position = keys->positions[i];
    position[0] = (float)((double)key->position[0] * scale);
    position[1] = (float)((double)key->position[2] * scale);
    position[2] = (float)(0.0 - (double)key->position[1] * scale); /* never -0 */
    bool is_finite = isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
    return is_finite || ossa__misfit(keys->assembly, keys->part,
                                     "keys[%" PRIu32 "].position is not finite or too large", i);
}

static bool fill_rotation(const ossa_ei_camera_key *key, struct ossa__camera_keys *keys, uint32_t i)
{
    const float *wxyz = key->rotation;
    struct ossa__quat q = {(double)wxyz[1], (double)wxyz[3], 0.0 - (double)wxyz[2],
                           (double)wxyz[0]};
    if (!ossa__quat_normalise(&q)) {
        return ossa__misfit(keys->assembly, keys->part,
                            "keys[%" PRIu32 "].rotation is not a rotation: its length is 0 or not "
                            "finite",
                            i);
    }
    q = ossa__quat_multiply(q, rest_of(ossa__ei_options(keys->assembly)->look));
    ossa__quat_store(q, keys->rotations[i]);
    return true;
}

static void add_camera(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    const ossa_ei_cam *cam = part->contents;
    struct ossa__camera_keys keys;
    if (!ossa__take_camera_keys(assembly, part, cam->key_count, &keys)) return;
    double *times = ossa__take(&assembly->context, keys.count, sizeof *times);
    double *steps = ossa__take(&assembly->context, keys.count, sizeof *steps);
    if (steps == NULL) return;
    for (uint32_t i = 0; i < keys.count; i++) {
        const ossa_ei_camera_key *key = &cam->keys[i];
        if (!fill_position(key, &keys, i) || !fill_rotation(key, &keys, i)) return;
        keys.views[i] = (float)OSSA__PLAIN_VIEW;
        times[i] = (double)key->time;
        steps[i] = (double)key->step;
    }
    fill_times(cam, &keys);
    ossa__add_camera_extra(&keys, "time", times);
    ossa__add_camera_extra(&keys, "step", steps);
    ossa__finish_camera(&keys, 0.0F);
}

/* A camera of the scene for every CAM among the inputs. */
static void add_cameras(struct ossa__assembly *assembly)
{
    if (!ossa__take_cameras_of(assembly, "ei-cam")) return;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "ei-cam") == 0) add_camera(assembly, part);
    }
}

/* ---- the scene ----------------------------------------------------------------------------- */

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

static bool has_options(const ossa_scene_options *options)
{
    const ossa_ei_options *ei = options->ei;
    if (ei == NULL) return false;
    bool is_shaped = ei->complexion[0] != 0.0F || ei->complexion[1] != 0.0F ||
                     ei->complexion[2] != 0.0F || ei->morphing != OSSA_EI_MORPHING_ALL;
    return is_shaped || ei->look != OSSA_EI_LOOK_Y || ei->resample > 1 || ei->texture != NULL;
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
    if (!check_options(assembly)) return;
    const struct ossa__part *tree = ossa__only_part(assembly, "ei-lnk");
    if (assembly->context.failed) return;
    const struct ossa__part *named = tree != NULL ? tree : &assembly->parts[0];
    if (named->stem[0] != '\0') assembly->scene->name = named->stem;
    assemble_figure(assembly, tree);
    add_cameras(assembly);
    ossa__ei_add_textures(assembly);
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    if (format == &ossa__format_ei_lnk) {
        facts->bone_count = ((const ossa_ei_lnk *)contents)->link_count;
    } else if (format == &ossa__format_ei_fig) {
        facts->mesh_count = 1;
    } else if (format == &ossa__format_ei_anm) {
        const ossa_ei_anm *anm = contents;
        bool is_longer = anm->translation_count > anm->rotation_count;
        facts->frame_count = is_longer ? anm->translation_count : anm->rotation_count;
    }
}

static const char *const figure_endings[] = {".mod", ".bon", ".anm", NULL};

const struct ossa__game ossa__game_evil_islands = {
    .title = "Evil Islands (2000)",
    .name = "Evil Islands",
    .viewpoint = {0.553F, 0.199F, 0.809F},
    .assemble = assemble,
    .examine = ossa__ei_examine,
    .has_options = has_options,
    .survey = survey,
    .clips_are_folders = true,
    .figure_endings = figure_endings,
};
