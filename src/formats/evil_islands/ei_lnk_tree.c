/* SPDX-License-Identifier: MIT
 *
 * The tree that the links of an ei-lnk make: who hangs on whom, whether the root comes first and
 * the rest depth first. All of it takes as long as sorting the names does. */
#include "formats/evil_islands/ei_lnk.h"

#include "codec/sort.h"
#include "base/text.h"
#include "formats/evil_islands/ei_text.h"

#include <inttypes.h>
#include <string.h>

/* Order of names without regard to case. */
static int compare_names(const ossa_ei_name *a, const ossa_ei_name *b)
{
    uint32_t size = a->size < b->size ? a->size : b->size;
    for (uint32_t i = 0; i < size; i++) {
        int difference =
            ossa__cp1251_lower((uint8_t)a->bytes[i]) - ossa__cp1251_lower((uint8_t)b->bytes[i]);
        if (difference != 0) return difference;
    }
    return (a->size > b->size) - (a->size < b->size);
}

struct tree {
    struct ossa__context *context;
    ossa_ei_link *links;
    const struct ossa__lnk_places *places;
    uint32_t count;
    uint32_t *sorted; /* indices of links, by child name, then index */
    uint32_t *path;   /* the links on the way to the current one, the root first */
    uint32_t path_size;
    uint32_t *place; /* place[i]: where link i stands, or stood, on the path */
};

static bool child_before(const void *a, const void *b, void *user)
{
    const ossa_ei_link *links = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    return compare_names(&links[*x].child, &links[*y].child) < 0;
}

/* The first link in the file whose child has that name; -1 where there is none. */
static int64_t find_child(const struct tree *tree, const ossa_ei_name *name)
{
    uint32_t low = 0;
    uint32_t high = tree->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const ossa_ei_name *child = &tree->links[tree->sorted[middle]].child;
        if (compare_names(child, name) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == tree->count) return -1;
    const ossa_ei_name *child = &tree->links[tree->sorted[low]].child;
    return compare_names(child, name) == 0 ? (int64_t)tree->sorted[low] : -1;
}

static void check_root(struct tree *tree, uint32_t index)
{
    const ossa_ei_link *link = &tree->links[index];
    if (index == 0 && link->parent.size > 0) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT,
                    tree->places[index].parent, "parent",
                    "the first part, '%s', has the parent '%s', expected the root without one",
                    ossa__ei_show(&link->child).text, ossa__ei_show(&link->parent).text);
    }
    if (index > 0 && link->parent.size == 0) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT,
                    tree->places[index].parent, "parent",
                    "'%s' has no parent, expected one: only the first part is the root",
                    ossa__ei_show(&link->child).text);
    }
}

/* Find the parent of a link and put the link on the path behind it. */
static void place_link(struct tree *tree, uint32_t index)
{
    ossa_ei_link *link = &tree->links[index];
    uint64_t at = tree->places[index].parent;
    /* A link without a place of its own goes on top of the path, and one in the wrong place takes
     * the path with it, so that one fault is told once. */
    uint32_t place = tree->path_size;
    link->parent_index = -1;
    link->depth = 0;
    if (link->parent.size > 0) {
        int64_t found = find_child(tree, &link->parent);
        if (found >= 0 && found < (int64_t)index) {
            uint32_t below = tree->place[found];
            bool on_path = below < tree->path_size && tree->path[below] == (uint32_t)found;
            link->parent_index = (int32_t)found;
            link->depth = tree->links[found].depth + 1;
            tree->path[below] = (uint32_t)found;
            place = below + 1;
            if (!on_path) {
                ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, at, "parent",
                            "'%s' hangs on '%s', which is not on the path from the root to here; "
                            "a part's children must follow it before its siblings do",
                            ossa__ei_show(&link->child).text, ossa__ei_show(&link->parent).text);
            }
        } else if (index > 0) {
            ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_PARENT, at, "parent",
                        "'%s' hangs on '%s', which was not named before%s",
                        ossa__ei_show(&link->child).text, ossa__ei_show(&link->parent).text,
                        found > (int64_t)index ? " (it comes later)"
                        : found >= 0           ? " (it is the part itself)"
                                               : "");
        }
    }
    tree->place[index] = place;
    tree->path[place] = index;
    tree->path_size = place + 1;
}

/* Which links are the last child of their parent, for drawing. */
static void mark_last_siblings(struct tree *tree, uint8_t *has_later_child)
{
    memset(has_later_child, 0, tree->count);
    for (uint32_t i = tree->count; i-- > 0;) {
        ossa_ei_link *link = &tree->links[i];
        link->last_sibling = true;
        if (link->parent_index < 0) continue;
        link->last_sibling = has_later_child[link->parent_index] == 0;
        has_later_child[link->parent_index] = 1;
    }
}

static void check_name(struct tree *tree, uint32_t index)
{
    const ossa_ei_link *link = &tree->links[index];
    if (link->child.size == 0) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME,
                    tree->places[index].child, "child", "a part without a name");
        return;
    }
    int64_t first = find_child(tree, &link->child);
    if (first >= 0 && first < (int64_t)index) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                    tree->places[index].child, "child",
                    "'%s' was named before, by links[%" PRId64 "] (letter case ignored)",
                    ossa__ei_show(&link->child).text, first);
    }
}

void ossa__lnk_check_tree(struct ossa__context *context, ossa_ei_link *links,
                          const struct ossa__lnk_places *places, uint32_t count)
{
    if (count == 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, 0, "link_count",
                    "there are no parts, expected at least the root");
        return;
    }
    struct tree tree = {.context = context, .links = links, .places = places, .count = count};
    tree.sorted = ossa__take(context, count, sizeof *tree.sorted);
    tree.path = ossa__take(context, count, sizeof *tree.path);
    tree.place = ossa__take(context, count, sizeof *tree.place);
    uint8_t *scratch = ossa__take(context, count, 1);
    if (scratch == NULL) return;
    for (uint32_t i = 0; i < count; i++) tree.sorted[i] = i;
    if (!ossa__sort(context, tree.sorted, count, sizeof *tree.sorted, child_before, links)) return;
    for (uint32_t i = 0; i < count; i++) {
        ossa__enter(context, "links", i);
        check_name(&tree, i);
        check_root(&tree, i);
        place_link(&tree, i);
        ossa__leave(context);
    }
    mark_last_siblings(&tree, scratch);
}
