/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: how an archive stores figures, and the slots and variants of one. */
#include "formats/evil_islands/game.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

/* ---- figures of one part ------------------------------------------------------------------- */

/* sword.lnk has one link, weapon: the files of the figure are swordweapon.fig and .bon. */
uint32_t ossa__ei_read_link(const uint8_t *data, size_t size, char word[OSSA__LINK_CAPACITY])
{
    uint32_t count = ossa__peek_u32(data, size, 0);
    uint64_t length = ossa__peek_u32(data, size, 4);
    word[0] = '\0';
    if (ossa__format_ei_lnk.probe(data, size) <= OSSA_CONFIDENCE_EMPTY) return 0;
    if (count != 1) return count;
    const ossa_ei_name name = {.bytes = (const char *)data + 8, .size = (uint32_t)length};
    ossa_ei_name cut = name;
    if (cut.size > 0 && cut.bytes[cut.size - 1] == '\0') cut.size--;
    if (ossa_ei_name_utf8(&cut, word, OSSA__LINK_CAPACITY) >= OSSA__LINK_CAPACITY) return 0;
    return strlen(word) == 0 ? 0 : 1;
}

uint32_t ossa__ei_link_of(const struct ossa__format *format, const void *contents,
                          char word[OSSA__LINK_CAPACITY])
{
    const ossa_ei_lnk *tree = contents;
    word[0] = '\0';
    if (format != &ossa__format_ei_lnk) return 0;
    if (tree->link_count != 1) return tree->link_count;
    const ossa_ei_name *name = &tree->links[0].child;
    if (ossa_ei_name_utf8(name, word, OSSA__LINK_CAPACITY) >= OSSA__LINK_CAPACITY) return 0;
    return word[0] == '\0' ? 0 : 1;
}

/* ---- slots --------------------------------------------------------------------------------- */

struct mesh {
    const char *name;
    size_t size;      /* of the name */
    size_t slot_size; /* of its slot */
};

static const char *base_of(const char *path, const char **folder, size_t *folder_size)
{
    const char *base = path;
    *folder = path;
    *folder_size = 0;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c != '/' && *c != '\\') continue;
        *folder = base;
        *folder_size = (size_t)(c - base);
        base = c + 1;
    }
    return base;
}

static size_t stem_size(const struct ossa__survey_input *input, const char *base)
{
    size_t size = strlen(base);
    if (!ossa_format_fits_name(&input->format->about, base)) return size;
    return (size_t)(strrchr(base, '.') - base);
}

/* The tree of the figure: the only one, or the one that is named like its archive. */
static const ossa_ei_lnk *own_tree(const struct ossa__survey_input *inputs, size_t count)
{
    const ossa_ei_lnk *first = NULL;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].format != &ossa__format_ei_lnk) continue;
        const char *folder;
        size_t folder_size;
        const char *base = base_of(inputs[i].path, &folder, &folder_size);
        size_t size = stem_size(&inputs[i], base);
        bool is_archive =
            folder_size > 4 && ossa__same_word(folder + folder_size - 4, 4, ".mod", 4);
        if (is_archive) folder_size -= 4;
        if (ossa__compare_sized_names(base, size, folder, folder_size) == 0) {
            return inputs[i].contents;
        }
        if (first == NULL) first = inputs[i].contents;
    }
    return first;
}

static char *copy_name(struct ossa__arena *arena, const char *text, size_t size)
{
    char *made = ossa__arena_take(arena, size + 1);
    if (made == NULL) return NULL;
    memcpy(made, text, size);
    made[size] = '\0';
    return made;
}

/* The names of a tree, and its slots, both sorted. */
struct names {
    const char **items;
    const char **slots;
    size_t count; /* of either */
};

static int compare_texts(const void *a, const void *b)
{
    return ossa__compare_names(*(const char *const *)a, *(const char *const *)b);
}

static bool list_names(const ossa_ei_lnk *tree, struct ossa__arena *arena, struct names *names)
{
    size_t count = tree == NULL ? 0 : tree->link_count;
    names->items = ossa__arena_take(arena, (count + 1) * sizeof *names->items);
    names->slots = ossa__arena_take(arena, (count + 1) * sizeof *names->slots);
    if (names->items == NULL || names->slots == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        size_t size = ossa_ei_name_utf8(&tree->links[i].child, NULL, 0);
        char *name = ossa__arena_take(arena, size + 1);
        if (name == NULL) return false;
        (void)ossa_ei_name_utf8(&tree->links[i].child, name, size + 1);
        names->items[names->count] = name;
        names->slots[names->count] = copy_name(arena, name, ossa__ei_slot_size(name));
        if (names->slots[names->count++] == NULL) return false;
    }
    qsort(names->items, count, sizeof *names->items, compare_texts);
    qsort(names->slots, count, sizeof *names->slots, compare_texts);
    return true;
}

/* Is a part shown without being asked for? A figure without a tree shows all it has. */
static bool is_default(const struct names *names, const char *name)
{
    if (names->count == 0) return true;
    bool is_plain = name[ossa__ei_slot_size(name)] == '\0';
    const char **list = is_plain ? names->slots : names->items;
    return bsearch(&name, list, names->count, sizeof name, compare_texts) != NULL;
}

/* Can a part of this slot be shown? What the tree has no slot for belongs to another tree. */
static bool is_of_tree(const struct names *names, const struct mesh *mesh)
{
    size_t low = 0;
    size_t high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *slot = names->slots[middle];
        int order = ossa__compare_sized_names(slot, strlen(slot), mesh->name, mesh->slot_size);
        if (order == 0) return true;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return names->count == 0;
}

/* Slots in the order of their names, and in each the parts in the order of theirs. */
static int compare_meshes(const void *a, const void *b)
{
    const struct mesh *x = a;
    const struct mesh *y = b;
    int order = ossa__compare_sized_names(x->name, x->slot_size, y->name, y->slot_size);
    return order != 0 ? order : ossa__compare_sized_names(x->name, x->size, y->name, y->size);
}

static bool fill_slots(struct ossa__arena *arena, const struct mesh *meshes, size_t count,
                       const struct names *names, ossa_survey_slot *slots, size_t *slot_count)
{
    ossa_survey_part *parts = ossa__arena_take(arena, count * sizeof *parts);
    if (parts == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        const struct mesh *mesh = &meshes[i];
        bool is_new =
            i == 0 || ossa__compare_sized_names(meshes[i - 1].name, meshes[i - 1].slot_size,
                                                mesh->name, mesh->slot_size) != 0;
        char *name = copy_name(arena, mesh->name, mesh->size);
        if (name == NULL) return false;
        parts[i] = (ossa_survey_part){name, is_default(names, name)};
        if (is_new) {
            slots[(*slot_count)++] = (ossa_survey_slot){
                .name = copy_name(arena, mesh->name, mesh->slot_size), .parts = &parts[i]};
        }
        slots[*slot_count - 1].part_count++;
        if (slots[*slot_count - 1].name == NULL) return false;
    }
    return true;
}

bool ossa__ei_survey_slots(const struct ossa__survey_input *inputs, size_t count,
                           struct ossa__arena *arena, ossa_survey *survey)
{
    const ossa_ei_lnk *tree = own_tree(inputs, count);
    struct mesh *meshes = ossa__arena_take(arena, (count + 1) * sizeof *meshes);
    ossa_survey_slot *slots = ossa__arena_take(arena, (count + 1) * sizeof *slots);
    struct names names = {NULL, NULL, 0};
    size_t found = 0;
    if (meshes == NULL || slots == NULL || !list_names(tree, arena, &names)) return false;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].format != &ossa__format_ei_fig) continue;
        const char *folder;
        size_t folder_size;
        struct mesh mesh = {.name = base_of(inputs[i].path, &folder, &folder_size)};
        mesh.size = stem_size(&inputs[i], mesh.name);
        mesh.slot_size = ossa__ei_slot_size(mesh.name);
        if (mesh.slot_size > mesh.size) mesh.slot_size = mesh.size;
        if (is_of_tree(&names, &mesh)) meshes[found++] = mesh;
    }
    qsort(meshes, found, sizeof *meshes, compare_meshes);
    survey->slots = slots;
    return fill_slots(arena, meshes, found, &names, slots, &survey->slot_count);
}
