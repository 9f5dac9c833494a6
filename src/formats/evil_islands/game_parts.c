/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: the bones of a figure, and which of its parts are shown.
 *
 * The archive of a human has hundreds of parts for 16 slots. Its tree names one part per slot; the
 * others are variants of the slot that their names begin with, up to a dot. A scene has what the
 * tree names and the parts without a dot. options.ei->parts adds variants and takes parts away. A
 * variant that is shown is a bone of its own beside that of its slot: it has the same parent, and
 * moves as its slot does unless it has a bind position or an animation of its own. */
#include "formats/evil_islands/game.h"

#include "base/fold.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------------- */

size_t ossa__ei_slot_size(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
}

static bool is_variant(const char *name)
{
    return name[ossa__ei_slot_size(name)] != '\0';
}

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

/* A figure of one part names what its tree adds to its own name: sword has the part weapon, whose
 * files are swordweapon. One of the game's own names the whole. */
static const char *short_name(const struct ossa__ei_figure *figure, const char *name)
{
    const struct ossa__part *tree = figure->tree;
    if (tree == NULL || figure->tree_count != 1) return name;
    size_t used = ossa__begins_with(name, tree->stem, strlen(tree->stem));
    const char *only = figure->assembly->scene->bones[0].name;
    return used > 0 && ossa__compare_names(name + used, only) == 0 ? only : name;
}

int64_t ossa__ei_find_bone(const struct ossa__ei_figure *figure, const char *name)
{
    const ossa_scene *scene = figure->assembly->scene;
    uint32_t low = 0;
    uint32_t high = figure->bone_count;
    name = short_name(figure, name);
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

int64_t ossa__ei_find_slot(const struct ossa__ei_figure *figure, const char *name)
{
    size_t size = ossa__ei_slot_size(name);
    uint32_t low = 0;
    uint32_t high = figure->by_slot == NULL ? 0 : figure->tree_count;
    uint32_t count = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *slot = figure->slots[figure->by_slot[middle]];
        if (ossa__compare_sized_names(slot, strlen(slot), name, size) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == count) return -1;
    const char *slot = figure->slots[figure->by_slot[low]];
    bool is_it = ossa__compare_sized_names(slot, strlen(slot), name, size) == 0;
    return is_it ? (int64_t)figure->by_slot[low] : -1;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* unmotr in unmotr.mod, or in a folder unmotr. */
static bool is_named_like_folder(const struct ossa__part *part)
{
    size_t size = strlen(part->folder);
    if (ossa__has_ending(part->folder, ".mod")) size -= 4;
    return ossa__compare_sized_names(part->stem, strlen(part->stem), part->folder, size) == 0;
}

static bool is_in_folder_of(const struct ossa__part *part, const struct ossa__part *other)
{
    return part->folder_size == other->folder_size &&
           memcmp(part->input->path, other->input->path, part->folder_size) == 0;
}

const struct ossa__part *ossa__ei_own_tree(const struct ossa__assembly *assembly, size_t *others,
                                           const struct ossa__part **first_other)
{
    const struct ossa__part *own = NULL;
    size_t own_count = 0;
    size_t count = 0;
    *first_other = NULL;
    *others = 0;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "ei-lnk") != 0) continue;
        bool is_own = is_named_like_folder(part);
        count++;
        own_count += is_own;
        if (is_own) own = part;
        else if (*first_other == NULL) *first_other = part;
    }
    if (count < 2 || own_count != 1) return NULL;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "ei-lnk") == 0 && !is_in_folder_of(part, own)) return NULL;
    }
    *others = count - 1;
    return own;
}

const struct ossa__part *ossa__ei_find_tree(struct ossa__assembly *assembly, size_t *others)
{
    const struct ossa__part *other;
    const struct ossa__part *own = ossa__ei_own_tree(assembly, others, &other);
    if (own == NULL) return ossa__only_part(assembly, "ei-lnk");
    ossa__assembly_remark(assembly, other, OSSA_CODE_PASSED_OVER,
                          "trees beside %s, which are left alone: %zu, this is the first",
                          own->shown, *others);
    return own;
}

/* ---- which parts --------------------------------------------------------------------------- */

static bool is_of(const struct ossa__part *part, const char *format)
{
    return strcmp(part->format, format) == 0;
}

/* Files of one part, named after it. */
static bool is_of_figure(const struct ossa__part *part)
{
    return is_of(part, "ei-anm") || is_of(part, "ei-bon") || is_of(part, "ei-fig");
}

static const struct ossa__part *first_of_figure(const struct ossa__assembly *assembly)
{
    size_t i = 0;
    while (i < assembly->part_count && !is_of_figure(&assembly->parts[i])) i++;
    return i < assembly->part_count ? &assembly->parts[i] : NULL;
}

bool ossa__ei_has_parts(const struct ossa__assembly *assembly)
{
    return first_of_figure(assembly) != NULL;
}

/* What the patterns say of a part: 1 it is added, -1 it is taken away, 0 nothing. The last one that
 * matches counts. */
static int ask_patterns(const struct ossa__assembly *assembly, const char *name, uint8_t *is_used)
{
    const ossa_ei_options *options = ossa__ei_options(assembly);
    int said = 0;
    for (size_t i = 0; i < options->part_count; i++) {
        const char *pattern = options->parts[i];
        bool is_against = pattern[0] == '!';
        if (!ossa__matches(pattern + (is_against ? 1 : 0), name)) continue;
        said = is_against ? -1 : 1;
        if (is_used != NULL) is_used[i] = 1;
    }
    return said;
}

static void warn_of_patterns(struct ossa__assembly *assembly, const uint8_t *is_used)
{
    const ossa_ei_options *options = ossa__ei_options(assembly);
    for (size_t i = 0; i < options->part_count; i++) {
        if (is_used[i]) continue;
        ossa__assembly_warn(assembly, NULL, OSSA_CODE_MISSING_PART, "no part matches '%s'",
                            options->parts[i]);
    }
}

/* ---- bones --------------------------------------------------------------------------------- */

static bool index_slots(struct ossa__ei_figure *figure)
{
    struct ossa__context *context = &figure->assembly->context;
    const ossa_scene *scene = figure->assembly->scene;
    figure->slots = ossa__take(context, figure->tree_count, sizeof *figure->slots);
    for (uint32_t i = 0; figure->slots != NULL && i < figure->tree_count; i++) {
        const char *name = scene->bones[i].name;
        figure->slots[i] = ossa__copy_text(figure->assembly, name, ossa__ei_slot_size(name));
    }
    if (context->failed) return false;
    figure->by_slot =
        ossa__ei_sort_names(context, (const char **)figure->slots, figure->tree_count);
    return figure->by_slot != NULL;
}

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
    figure->bone_count = figure->tree_count = lnk->link_count;
}

/* Meshes that are no bone of the tree but shown: without a dot, or wanted by a pattern. Gives their
 * names, each once, and how many; NULL after a failure. */
static const char **list_variants(struct ossa__ei_figure *figure, uint32_t *count)
{
    struct ossa__assembly *assembly = figure->assembly;
    struct ossa__context *context = &assembly->context;
    const ossa_ei_options *options = ossa__ei_options(assembly);
    const char **names = ossa__take(context, assembly->part_count, sizeof *names);
    uint8_t *is_used = ossa__take(context, options->part_count, 1);
    *count = 0;
    if (is_used == NULL) return NULL;
    memset(is_used, 0, options->part_count);
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_of(part, "ei-fig")) continue;
        int said = ask_patterns(assembly, part->stem, is_used);
        bool is_wanted = said > 0 || (said == 0 && !is_variant(part->stem));
        if (!is_wanted || ossa__ei_find_bone(figure, part->stem) >= 0) continue;
        if (ossa__ei_find_slot(figure, part->stem) >= 0) names[(*count)++] = part->stem;
    }
    warn_of_patterns(assembly, is_used);
    const uint32_t *order = ossa__ei_sort_names(context, names, *count);
    const char **sorted = ossa__take(context, *count, sizeof *sorted);
    uint32_t kept = 0;
    for (uint32_t i = 0; order != NULL && sorted != NULL && i < *count; i++) {
        const char *name = names[order[i]];
        if (kept == 0 || ossa__compare_names(sorted[kept - 1], name) != 0) sorted[kept++] = name;
    }
    *count = kept;
    return context->failed ? NULL : sorted;
}

/* The tree's bones again, and behind them the variants. */
static void append_variants(struct ossa__ei_figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    const ossa_bone *old = assembly->scene->bones;
    uint32_t count;
    const char **names = list_variants(figure, &count);
    if (names == NULL || count == 0) return;
    ossa_bone *bones = ossa__take_bones(assembly, figure->tree_count + count);
    if (bones == NULL) return;
    memcpy(bones, old, figure->tree_count * sizeof *bones);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t base = (uint32_t)ossa__ei_find_slot(figure, names[i]);
        ossa_bone *bone = &bones[figure->tree_count + i];
        bone->name = names[i];
        /* There is one root: its variants stay where it is. */
        bone->parent = bones[base].parent < 0 ? (int32_t)base : bones[base].parent;
    }
    figure->bone_count += count;
}

/* Which bone of the tree each shares its slot with, and whose meshes are shown. */
static void choose_parts(struct ossa__ei_figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    const ossa_bone *bones = assembly->scene->bones;
    figure->bases = ossa__take(&assembly->context, figure->bone_count, sizeof *figure->bases);
    figure->is_shown = ossa__take(&assembly->context, figure->bone_count, 1);
    if (figure->is_shown == NULL) return;
    for (uint32_t i = 0; i < figure->bone_count; i++) {
        figure->bases[i] = i;
        figure->is_shown[i] = 1;
    }
    for (uint32_t i = 0; i < figure->tree_count; i++) {
        figure->is_shown[i] = ask_patterns(assembly, bones[i].name, NULL) >= 0;
    }
    for (uint32_t i = figure->tree_count; figure->tree != NULL && i < figure->bone_count; i++) {
        uint32_t base = (uint32_t)ossa__ei_find_slot(figure, bones[i].name);
        figure->bases[i] = base;
        /* hr.00 gives way to hr.05, but rh3 is a hand that holds rh3.sword00. */
        bool gives_way = is_variant(bones[base].name) && is_variant(bones[i].name);
        bool is_asked_for = ask_patterns(assembly, bones[base].name, NULL) > 0;
        if (gives_way && !is_asked_for) figure->is_shown[base] = 0;
    }
}

/* Without a tree every part is a bone without a parent, in the order of the inputs. */
static void bones_of_parts(struct ossa__ei_figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    const char **names = ossa__take(&assembly->context, assembly->part_count, sizeof *names);
    uint32_t count = 0;
    bool has_mesh = false;
    for (size_t i = 0; names != NULL && i < assembly->part_count; i++) {
        if (is_of_figure(&assembly->parts[i])) names[count++] = assembly->parts[i].stem;
        has_mesh = has_mesh || is_of(&assembly->parts[i], "ei-fig");
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
    if (figure->bone_count == 1 && has_mesh) return; /* most figures are one mesh */
    ossa__assembly_warn(assembly, first_of_figure(assembly), OSSA_CODE_MISSING_PART,
                        "there is no tree (LNK); every part becomes a bone without a parent");
}

/* ---- bind positions ------------------------------------------------------------------------ */

void ossa__ei_report_strays(struct ossa__ei_figure *figure, const struct ossa__ei_strays *strays,
                            const char *what)
{
    struct ossa__assembly *assembly = figure->assembly;
    if (strays->count == 0) return;
    char more[64] = "";
    if (strays->count > 1) {
        (void)snprintf(more, sizeof more, " (the first of %" PRIu32 " such parts)", strays->count);
    }
    /* They may be those of the other trees. */
    if (figure->has_other_trees) {
        ossa__assembly_remark(assembly, strays->first, OSSA_CODE_PASSED_OVER,
                              "the tree has no part '%s'; its %s is ignored%s", strays->first->stem,
                              what, more);
    } else {
        ossa__assembly_warn(assembly, strays->first, OSSA_CODE_MISFIT,
                            "the tree has no part '%s'; its %s is ignored%s", strays->first->stem,
                            what, more);
    }
}

static void place_bone(struct ossa__ei_figure *figure, uint32_t bone, const ossa_ei_bon *bon)
{
    float position[3];
    ossa_ei_complexion(bon->positions, bon->position_count,
                       ossa__ei_options(figure->assembly)->complexion, position);
    for (unsigned k = 0; k < 3; k++) {
        figure->bind[bone][k] = (double)position[k] * figure->assembly->options->scale;
    }
}

/* Bind positions of the bones' own names. */
static bool place_named(struct ossa__ei_figure *figure, uint8_t *placed)
{
    struct ossa__assembly *assembly = figure->assembly;
    struct ossa__ei_strays strays = {0};
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_of(part, "ei-bon")) continue;
        int64_t bone = ossa__ei_find_bone(figure, part->stem);
        if (bone < 0 && !is_variant(part->stem) && ossa__ei_find_slot(figure, part->stem) < 0) {
            if (strays.count++ == 0) strays.first = part;
        }
        if (bone < 0) continue;
        if (placed[bone]) {
            (void)ossa__misfit(assembly, part, "the part '%s' already has a bind position",
                               part->stem);
            ossa__leave_out(assembly, "the bind position");
            if (assembly->context.failed) return false;
            continue;
        }
        placed[bone] = 1;
        place_bone(figure, (uint32_t)bone, part->contents);
    }
    ossa__ei_report_strays(figure, &strays, "bind position");
    return true;
}

/* hr.00 without one has that of hr, and a variant without one that of its slot. */
static void place_slots(struct ossa__ei_figure *figure, uint8_t *placed)
{
    const struct ossa__assembly *assembly = figure->assembly;
    const ossa_bone *bones = assembly->scene->bones;
    for (size_t i = 0; figure->tree != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_of(part, "ei-bon") || is_variant(part->stem)) continue;
        int64_t bone = ossa__ei_find_slot(figure, part->stem);
        if (bone < 0 || placed[bone]) continue;
        placed[bone] = 1;
        place_bone(figure, (uint32_t)bone, part->contents);
    }
    for (uint32_t i = figure->tree_count; figure->tree != NULL && i < figure->bone_count; i++) {
        uint32_t base = figure->bases[i];
        bool is_of_root = bones[i].parent == (int32_t)base;
        if (is_of_root) memset(figure->bind[i], 0, sizeof figure->bind[i]);
        else if (!placed[i]) memcpy(figure->bind[i], figure->bind[base], sizeof figure->bind[i]);
    }
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
    if (!place_named(figure, placed)) return;
    place_slots(figure, placed);
    uint32_t missing = 0;
    const char *first = "";
    uint32_t count = figure->tree == NULL ? figure->bone_count : figure->tree_count;
    for (uint32_t i = 0; i < figure->bone_count; i++) {
        ossa__ei_to_scene(figure->bind[i], bones[i].rest.translation);
        if (i < count && placed[i] == 0 && missing++ == 0) first = bones[i].name;
    }
    if (missing > 0) {
        ossa__assembly_warn(
            assembly, figure->tree, OSSA_CODE_MISSING_PART,
            "parts without a bind position (BON), which stay at the origin: %" PRIu32 " of %" PRIu32
            ", the first is '%s'",
            missing, count, first);
    }
}

bool ossa__ei_add_bones(struct ossa__ei_figure *figure)
{
    const struct ossa__context *context = &figure->assembly->context;
    if (figure->tree == NULL) {
        bones_of_parts(figure);
        if (context->failed || !index_bones(figure)) return false;
    } else {
        bones_of_tree(figure, figure->tree->contents);
        if (context->failed || !index_bones(figure) || !index_slots(figure)) return false;
        append_variants(figure);
        if (context->failed || !index_bones(figure)) return false;
    }
    choose_parts(figure);
    if (!context->failed) place_bones(figure);
    return !context->failed;
}
