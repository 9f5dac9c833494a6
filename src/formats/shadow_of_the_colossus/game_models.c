/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus: which models (NMO) of the inputs are shown, and on which bones.
 *
 * With a skeleton, models are its figure: their vertices have weights, and those without move with
 * the root. Without one they are scenery: each has a bone of its own, or that of the object of its
 * name in an animation of objects. */
#include "formats/shadow_of_the_colossus/game.h"
#include "formats/shadow_of_the_colossus/game_mesh.h"

#include "base/fold.h"

#include <inttypes.h>
#include <string.h>

static bool is_nmo(const struct ossa__part *part)
{
    return strcmp(part->format, "sotc-nmo") == 0;
}

/* A model that is to be shown. */
struct placement {
    uint32_t part;
    uint32_t bone;
};

/* ---- weights ------------------------------------------------------------------------------- */

static bool is_odd(const ossa_sotc_strip *strip, uint32_t bone_count)
{
    uint32_t bones[3];
    float weights[3];
    for (uint32_t i = 0; i < strip->vertex_count; i++) {
        if (ossa_sotc_weights(&strip->skin[i], bone_count, bones, weights) == 0) return true;
    }
    return false;
}

/* Heads have weights that nobody understands: such strips are shown without. A model of which no
 * weight can be used is that of another skeleton. */
static bool find_odd_strips(struct ossa__sotc_model *model, const struct ossa__part *skeleton)
{
    struct ossa__assembly *assembly = model->assembly;
    const ossa_sotc_nmo *nmo = model->nmo;
    uint32_t bones = assembly->scene->bone_count;
    uint32_t skinned = 0;
    uint32_t odd = 0;
    uint32_t beyond = 0;
    uint32_t first = 0;
    uint8_t *marks = ossa__take_scratch(&assembly->context, nmo->strip_count, 1);
    if (assembly->context.failed) return false;
    for (uint32_t i = 0; i < nmo->strip_count; i++) {
        const ossa_sotc_strip *strip = &nmo->strips[i];
        marks[i] = strip->skin != NULL && is_odd(strip, bones);
        skinned += strip->skin != NULL;
        odd += marks[i];
        /* Of those that no skeleton fits, reading has warned. */
        if (marks[i] != 0 && !is_odd(strip, UINT32_MAX) && beyond++ == 0) first = i;
    }
    model->is_odd = marks;
    if (beyond == 0) return true;
    if (odd == skinned) {
        return ossa__misfit(assembly, model->part,
                            "its weights do not fit the %" PRIu32
                            " bones of %s: it has a skeleton of its own",
                            bones, skeleton->shown);
    }
    ossa__assembly_warn(assembly, model->part, OSSA_CODE_UNUSUAL_VALUE,
                        "strips whose weights are of bones that %s does not have: %" PRIu32
                        ", the first is strips[%" PRIu32 "]; they move with the root '%s'",
                        skeleton->shown, beyond, first, assembly->scene->bones[0].name);
    return true;
}

/* Scenery has none; a figure is shown as it is stored. */
static void remark_weights(const struct ossa__sotc_model *model)
{
    for (uint32_t i = 0; i < model->nmo->strip_count; i++) {
        if (model->nmo->strips[i].skin == NULL) continue;
        ossa__assembly_remark(model->assembly, model->part, OSSA_CODE_MISSING_PART,
                              "has weights, but there is no skeleton (SKB): it cannot move");
        return;
    }
}

/* ---- one model ----------------------------------------------------------------------------- */

/* Reading has made sure of it, but a program may have changed the model since. */
static bool has_valid_strips(const struct ossa__sotc_model *model)
{
    const ossa_sotc_nmo *nmo = model->nmo;
    for (uint32_t i = 0; i < nmo->strip_count; i++) {
        const ossa_sotc_strip *strip = &nmo->strips[i];
        if (strip->draw >= nmo->draw_count ||
            nmo->draws[strip->draw].surface >= nmo->surface_count || strip->positions == NULL) {
            return ossa__misfit(model->assembly, model->part,
                                "strips[%" PRIu32 "] is of no surface, or has no positions", i);
        }
    }
    return true;
}

static void add_model(struct ossa__sotc_looks *looks, const struct placement *placement,
                      const struct ossa__part *skeleton, ossa_mesh *meshes)
{
    struct ossa__assembly *assembly = looks->assembly;
    const struct ossa__part *part = &assembly->parts[placement->part];
    struct ossa__mark mark = ossa__scratch_mark(&assembly->context);
    struct ossa__sotc_model model = {.assembly = assembly,
                                     .part = part,
                                     .nmo = part->contents,
                                     .is_skinned = skeleton != NULL,
                                     .looks = looks};
    if (skeleton == NULL) remark_weights(&model);
    if (has_valid_strips(&model) && (skeleton == NULL || find_odd_strips(&model, skeleton))) {
        ossa__sotc_add_meshes(&model, placement->bone, meshes);
    }
    if (model.missing_count > 0 && !assembly->context.failed) {
        ossa__assembly_warn(assembly, part, OSSA_CODE_MISSING_PART,
                            "surfaces whose texture (NTO) is missing: %" PRIu32
                            ", the first needs '%s'",
                            model.missing_count, model.missing);
    }
    ossa__scratch_release(&assembly->context, mark);
    ossa__leave_out(assembly, "the model");
}

/* ---- all models ---------------------------------------------------------------------------- */

/* Models on the bones of objects that have their name; NULL after a failure. */
static struct placement *place_on_objects(struct ossa__assembly *assembly, uint32_t *count)
{
    struct ossa__context *context = &assembly->context;
    const ossa_scene *scene = assembly->scene;
    struct ossa__index index;
    void *memory = ossa__take_scratch(context, 1, ossa__index_size(assembly->part_count));
    struct placement *placements =
        ossa__take_scratch(context, scene->bone_count, sizeof *placements);
    uint8_t *is_used = ossa__take_scratch(context, assembly->part_count, 1);
    if (context->failed) return NULL;
    uint8_t fold[256];
    for (unsigned i = 0; i < 256; i++) fold[i] = i < 0x80 ? (uint8_t)ossa__fold(i) : (uint8_t)i;
    ossa__index_start(&index, memory, assembly->part_count, fold);
    memset(is_used, 0, assembly->part_count);
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (is_nmo(part)) {
            (void)ossa__index_add(&index, part->stem, (uint32_t)strlen(part->stem), i);
        }
    }
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const char *name = scene->bones[b].name;
        int64_t found = ossa__index_find(&index, name, (uint32_t)strlen(name));
        if (found < 0) continue;
        is_used[found] = 1;
        placements[(*count)++] = (struct placement){(uint32_t)found, b};
    }
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        if (!is_nmo(&assembly->parts[i]) || is_used[i] != 0) continue;
        ossa__assembly_warn(assembly, &assembly->parts[i], OSSA_CODE_MISFIT,
                            "the animation has no object of this name; the model is left out");
    }
    return placements;
}

/* All models one after the other: on the skeleton, or on a bone for each. */
static struct placement *place_in_order(struct ossa__assembly *assembly, bool have_bones,
                                        uint32_t *count)
{
    struct placement *placements =
        ossa__take_scratch(&assembly->context, assembly->part_count, sizeof *placements);
    for (uint32_t i = 0; placements != NULL && i < assembly->part_count; i++) {
        if (!is_nmo(&assembly->parts[i])) continue;
        placements[*count] = (struct placement){i, have_bones ? *count : 0};
        (*count)++;
    }
    return placements;
}

void ossa__sotc_add_models(struct ossa__assembly *assembly, const struct ossa__part *skeleton,
                           const struct ossa__part *objects)
{
    struct ossa__context *context = &assembly->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint32_t count = 0;
    const struct placement *placements = objects != NULL
                                             ? place_on_objects(assembly, &count)
                                             : place_in_order(assembly, skeleton == NULL, &count);
    uint64_t capacity = 0;
    if (placements == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        const ossa_sotc_nmo *nmo = assembly->parts[placements[i].part].contents;
        capacity += nmo->surface_count;
    }
    struct ossa__sotc_looks looks;
    ossa_mesh *meshes = ossa__take(context, capacity, sizeof *meshes);
    if (count > 0 && meshes != NULL && ossa__sotc_start_looks(&looks, assembly, capacity)) {
        assembly->scene->meshes = meshes;
        for (uint32_t i = 0; i < count && !context->failed; i++) {
            add_model(&looks, &placements[i], skeleton, meshes);
        }
    }
    ossa__scratch_release(context, mark);
}

/* ---- without a skeleton -------------------------------------------------------------------- */

void ossa__sotc_take_model_bones(struct ossa__assembly *assembly)
{
    uint32_t count = 0;
    for (size_t i = 0; i < assembly->part_count; i++) count += is_nmo(&assembly->parts[i]);
    ossa_bone *bones = ossa__take_bones(assembly, count);
    uint32_t number = 0;
    for (size_t i = 0; bones != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_nmo(part)) continue;
        bones[number++].name = part->stem[0] == '\0' ? "model" : part->stem;
    }
}

void ossa__sotc_refuse_models(struct ossa__assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        if (!is_nmo(&assembly->parts[i])) continue;
        ossa__assembly_warn(assembly, &assembly->parts[i], OSSA_CODE_MISSING_PART,
                            "there is no skeleton (SKB) for the animations, so the model is left "
                            "out");
    }
}
