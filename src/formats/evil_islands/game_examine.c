/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: do the files of a figure fit together? The tree (LNK) names the parts. A part has a
 * bind position (BON), mostly a mesh (FIG), and one track (ANM) in each clip, which are of the same
 * length; the database (ADB) has a record for each clip.
 *
 * Of a slot with variants the tree names one: `hr.00`. The others, `hr.01`, are not strangers. */
#include "formats/evil_islands/game.h"

#include "base/fold.h"
#include "codec/sort.h"
#include "scene/examine.h"

#include <inttypes.h>
#include <string.h>

struct figure {
    struct ossa__assembly *assembly;
    const struct ossa__part *tree;
    bool has_other_trees;         /* whose parts are among the inputs, too */
    struct ossa__name_list parts; /* of the tree, in its order */
    struct ossa__name_list slots; /* what comes before the dot of those that have one */
    const char **names;           /* by input: the part that it is of */
    /* For one kind of files, or one clip, at a time. */
    const struct ossa__part **owners; /* by part of the tree */
    uint8_t *is_slot_file;            /* by part of the tree: its file is called like its slot */
    uint32_t *owned;                  /* the parts that have one, in the order of the files */
    uint32_t owned_count;
    struct mesh {
        const struct ossa__part *part; /* NULL: none */
        uint32_t offset_count;         /* of a morph frame, that it uses */
    } * meshes;                        /* by part of the tree */
};

static bool is_kind(const struct ossa__part *part, const char *format)
{
    return strcmp(part->format, format) == 0;
}

/* ---- names --------------------------------------------------------------------------------- */

/* The part that a file is of. A tree of one link names the end of it: weapon is swordweapon. */
static const char *name_of(const struct figure *figure, const struct ossa__part *part)
{
    const char *only = figure->parts.count == 1 ? figure->parts.names[0] : NULL;
    size_t used = only == NULL ? 0
                               : ossa__begins_with(part->stem, figure->tree->stem,
                                                   strlen(figure->tree->stem));
    return used > 0 && ossa__compare_names(part->stem + used, only) == 0 ? only : part->stem;
}

static bool list_tree(struct figure *figure)
{
    struct ossa__context *context = &figure->assembly->context;
    const ossa_ei_lnk *lnk = figure->tree->contents;
    if (!ossa__name_list_take(context, lnk->link_count, &figure->parts)) return false;
    if (!ossa__name_list_take(context, lnk->link_count, &figure->slots)) return false;
    for (uint32_t i = 0; i < lnk->link_count; i++) {
        size_t size = ossa_ei_name_utf8(&lnk->links[i].child, NULL, 0);
        char *name = ossa__take(context, size + 1, 1);
        if (name == NULL) return false;
        (void)ossa_ei_name_utf8(&lnk->links[i].child, name, size + 1);
        figure->parts.names[figure->parts.count++] = name;
        const char *dot = strchr(name, '.');
        const char *slot =
            dot == NULL ? name : ossa__copy_text(figure->assembly, name, (size_t)(dot - name));
        if (slot == NULL) return false;
        figure->slots.names[figure->slots.count++] = slot;
    }
    return ossa__name_list_sort(context, &figure->parts) &&
           ossa__name_list_sort(context, &figure->slots);
}

static bool name_inputs(struct figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    figure->names = ossa__take(&assembly->context, assembly->part_count, sizeof *figure->names);
    for (size_t i = 0; figure->names != NULL && i < assembly->part_count; i++) {
        figure->names[i] = name_of(figure, &assembly->parts[i]);
    }
    return figure->names != NULL;
}

/* Is it a variant of a slot that the tree has? False as well after a failure. */
static bool is_variant(struct figure *figure, const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot == NULL) return false;
    char *slot = ossa__copy_text(figure->assembly, name, (size_t)(dot - name));
    return slot != NULL && ossa__name_list_find(&figure->slots, slot) >= 0;
}

/* ---- bind positions and meshes ------------------------------------------------------------- */

/* Clears only what was set: a tree may have many parts, and a figure many clips of a few. */
static void forget_owners(struct figure *figure)
{
    while (figure->owned_count > 0) figure->owners[figure->owned[--figure->owned_count]] = NULL;
}

/* Find out which part a file is of; false: of none, or of one that has such a file. */
static bool find_owner(struct figure *figure, size_t input)
{
    struct ossa__assembly *assembly = figure->assembly;
    const struct ossa__part *part = &assembly->parts[input];
    int64_t at = ossa__name_list_find(&figure->parts, figure->names[input]);
    bool is_of_slot = at < 0; /* hr is that of hr.00, unless that has its own */
    if (is_of_slot) at = ossa__name_list_find(&figure->slots, figure->names[input]);
    if (at < 0) {
        if (is_variant(figure, figure->names[input])) return false;
        ossa_severity severity = OSSA_SEVERITY_WARNING;
        if (is_kind(part, "ei-anm")) severity = OSSA_SEVERITY_ERROR;
        else if (figure->has_other_trees) severity = OSSA_SEVERITY_REMARK; /* it may be of those */
        ossa__finding(assembly, part, severity, OSSA_CODE_MISFIT, -1, "",
                      "the tree has no part '%s'", figure->names[input]);
        return false;
    }
    if (figure->owners[at] != NULL && is_of_slot) return false;
    if (figure->owners[at] != NULL && figure->is_slot_file[at]) {
        figure->owners[at] = part;
        figure->is_slot_file[at] = 0;
        return true;
    }
    if (figure->owners[at] != NULL) {
        ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, -1, "",
                      "the part '%s' also has %s", figure->names[input], figure->owners[at]->shown);
        return false;
    }
    figure->owners[at] = part;
    figure->is_slot_file[at] = is_of_slot;
    figure->owned[figure->owned_count++] = (uint32_t)at;
    return true;
}

/* Files of a kind that each part has one of. */
static void examine_kind(struct figure *figure, const char *format, ossa_severity severity,
                         const char *what)
{
    const struct ossa__assembly *assembly = figure->assembly;
    bool any = false;
    forget_owners(figure);
    for (size_t i = 0; i < assembly->part_count; i++) {
        if (!is_kind(&assembly->parts[i], format)) continue;
        any = true;
        (void)find_owner(figure, i);
    }
    if (!any) return; /* a tree alone is not a figure that lacks everything */
    for (uint32_t i = 0; i < figure->parts.count; i++) {
        if (figure->owners[i] != NULL) continue;
        ossa__finding(figure->assembly, figure->tree, severity, OSSA_CODE_MISSING_PART, -1,
                      figure->parts.names[i], "this part has no %s", what);
    }
}

/* The meshes, while they are the owners. */
static void list_meshes(struct figure *figure)
{
    for (uint32_t i = 0; i < figure->parts.count; i++) {
        struct mesh *mesh = &figure->meshes[i];
        *mesh = (struct mesh){.part = figure->owners[i]};
        const ossa_ei_fig *fig = mesh->part == NULL ? NULL : mesh->part->contents;
        for (uint32_t k = 0; fig != NULL && k < fig->morph_component_count; k++) {
            uint32_t end = (uint32_t)fig->morph_components[k].morph + 1;
            if (end > mesh->offset_count) mesh->offset_count = end;
        }
    }
}

/* ---- clips --------------------------------------------------------------------------------- */

static uint32_t frames_of(const ossa_ei_anm *anm)
{
    return anm->rotation_count > anm->translation_count ? anm->rotation_count
                                                        : anm->translation_count;
}

/* Do the morph frames of a track have the offsets that its mesh uses? */
static void examine_morphs(struct figure *figure, const struct ossa__part *part,
                           const struct mesh *mesh)
{
    const ossa_ei_anm *anm = part->contents;
    if (mesh->part == NULL || anm->morph_frame_count == 0) return;
    if (mesh->offset_count > 0 && mesh->offset_count <= anm->morph_vertex_count) return;
    ossa__finding(figure->assembly, part, OSSA_SEVERITY_WARNING, OSSA_CODE_MISFIT, -1, "",
                  "has morph frames of %" PRIu32 " offsets, but %s uses %" PRIu32,
                  anm->morph_vertex_count, mesh->part->shown, mesh->offset_count);
}

/* The tracks of a clip: a run of the sorted ones. */
static void examine_clip(struct figure *figure, const uint32_t *tracks, uint32_t count)
{
    struct ossa__assembly *assembly = figure->assembly;
    const struct ossa__part *longest = &assembly->parts[tracks[0]];
    uint32_t most = 0;
    forget_owners(figure);
    for (uint32_t i = 0; i < count; i++) {
        const struct ossa__part *part = &assembly->parts[tracks[i]];
        uint32_t frames = frames_of(part->contents);
        if (!find_owner(figure, tracks[i]) || frames <= most) continue;
        most = frames;
        longest = part;
    }
    for (uint32_t i = 0; i < figure->owned_count; i++) {
        const struct ossa__part *part = figure->owners[figure->owned[i]];
        uint32_t frames = frames_of(part->contents);
        examine_morphs(figure, part, &figure->meshes[figure->owned[i]]);
        if (frames == most) continue;
        ossa__finding(assembly, part, OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS, -1, "",
                      "has %" PRIu32 " of the %" PRIu32 " frames that %s of the same clip has",
                      frames, most, longest->shown);
    }
    if (figure->owned_count == figure->parts.count) return;
    uint32_t missing = 0;
    while (figure->owners[missing] != NULL) missing++;
    const struct ossa__part *first = &assembly->parts[tracks[0]];
    ossa__finding(assembly, first, OSSA_SEVERITY_WARNING, OSSA_CODE_MISSING_PART, -1,
                  figure->parts.names[missing],
                  "the clip '%s' has no track for this part, which stays at rest (first of %" PRIu32
                  ")",
                  first->folder, figure->parts.count - figure->owned_count);
}

static int compare_folders(const struct ossa__part *a, const struct ossa__part *b)
{
    size_t size = a->folder_size < b->folder_size ? a->folder_size : b->folder_size;
    int order = memcmp(a->input->path, b->input->path, size);
    if (order != 0) return order;
    return (a->folder_size > b->folder_size) - (a->folder_size < b->folder_size);
}

static bool folder_before(const void *a, const void *b, void *user)
{
    const struct ossa__part *parts = user;
    return compare_folders(&parts[*(const uint32_t *)a], &parts[*(const uint32_t *)b]) < 0;
}

/* Examine each clip, and list the first track of each in `clips`; how many there are. */
static uint32_t examine_clips(struct figure *figure, uint32_t *clips)
{
    struct ossa__assembly *assembly = figure->assembly;
    struct ossa__part *parts = assembly->parts;
    uint32_t *order = ossa__take(&assembly->context, assembly->part_count, sizeof *order);
    uint32_t count = 0;
    uint32_t clip_count = 0;
    for (uint32_t i = 0; order != NULL && i < assembly->part_count; i++) {
        if (is_kind(&parts[i], "ei-anm")) order[count++] = i;
    }
    if (order == NULL) return 0;
    if (!ossa__sort(&assembly->context, order, count, sizeof *order, folder_before, parts))
        return 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; end++) {
            if (compare_folders(&parts[order[i]], &parts[order[end]]) != 0) break;
        }
        clips[clip_count++] = order[i];
        examine_clip(figure, order + i, end - i);
    }
    return clip_count;
}

/* ---- the database -------------------------------------------------------------------------- */

static bool list_records(struct ossa__assembly *assembly, const ossa_ei_adb *adb,
                         struct ossa__name_list *records)
{
    if (!ossa__name_list_take(&assembly->context, adb->record_count, records)) return false;
    for (uint32_t i = 0; i < adb->record_count; i++) {
        ossa_ei_name name = ossa_ei_adb_name(&adb->records[i]);
        size_t size = ossa_ei_name_utf8(&name, NULL, 0);
        char *text = ossa__take(&assembly->context, size + 1, 1);
        if (text == NULL) return false;
        (void)ossa_ei_name_utf8(&name, text, size + 1);
        records->names[records->count++] = text;
    }
    return ossa__name_list_sort(&assembly->context, records);
}

/* Has each clip a record, and each record a clip? */
static void examine_records(struct ossa__assembly *assembly, const uint32_t *clips, uint32_t count)
{
    struct ossa__name_list records;
    struct ossa__name_list names;
    const struct ossa__part *database = ossa__main_part(assembly, "ei-adb");
    const ossa_ei_adb *adb = database == NULL ? NULL : database->contents;
    if (count == 0 || adb == NULL || adb->record_count == 0) return; /* a stub says nothing */
    if (!list_records(assembly, adb, &records)) return;
    if (!ossa__name_list_take(&assembly->context, count, &names)) return;
    for (uint32_t i = 0; i < count; i++) {
        const struct ossa__part *clip = &assembly->parts[clips[i]];
        names.names[names.count++] = clip->folder;
        if (ossa__name_list_find(&records, clip->folder) >= 0) continue;
        ossa__finding(assembly, clip, OSSA_SEVERITY_WARNING, OSSA_CODE_MISSING_PART, -1, "",
                      "the clip '%s' has no record in %s", clip->folder, database->shown);
    }
    if (!ossa__name_list_sort(&assembly->context, &names)) return;
    for (uint32_t i = 0; i < records.count; i++) {
        if (ossa__name_list_find(&names, records.names[i]) >= 0) continue;
        ossa__finding(assembly, database, OSSA_SEVERITY_WARNING, OSSA_CODE_MISSING_PART, -1,
                      records.names[i], "there is no clip of this name");
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

void ossa__ei_examine(struct ossa__assembly *assembly)
{
    struct ossa__context *context = &assembly->context;
    const struct ossa__part *other;
    size_t others;
    struct figure figure = {.assembly = assembly};
    figure.tree = ossa__ei_own_tree(assembly, &others, &other);
    figure.has_other_trees = figure.tree != NULL;
    if (figure.tree == NULL) figure.tree = ossa__main_part(assembly, "ei-lnk");
    uint32_t *clips = ossa__take(context, assembly->part_count, sizeof *clips);
    if (figure.tree == NULL || clips == NULL) return;
    if (!list_tree(&figure) || !name_inputs(&figure)) return;
    figure.owners = ossa__take(context, figure.parts.count, sizeof *figure.owners);
    figure.owned = ossa__take(context, figure.parts.count, sizeof *figure.owned);
    figure.is_slot_file = ossa__take(context, figure.parts.count, 1);
    figure.meshes = ossa__take(context, figure.parts.count, sizeof *figure.meshes);
    if (figure.owners == NULL || figure.owned == NULL) return;
    if (figure.is_slot_file == NULL || figure.meshes == NULL) return;
    memset(figure.owners, 0, figure.parts.count * sizeof *figure.owners);
    examine_kind(&figure, "ei-bon", OSSA_SEVERITY_WARNING,
                 "bind position (BON) and stays at the origin");
    examine_kind(&figure, "ei-fig", OSSA_SEVERITY_REMARK, "mesh (FIG)");
    list_meshes(&figure);
    uint32_t clip_count = examine_clips(&figure, clips);
    examine_records(assembly, clips, clip_count);
}
