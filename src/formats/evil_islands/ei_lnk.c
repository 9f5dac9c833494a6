/* SPDX-License-Identifier: MIT
 *
 * ei-lnk: the parent of every part of an Evil Islands figure.
 *
 *     u32   link_count
 *     link_count times:
 *         u32   child_length
 *         char  child[child_length]       code page 1251
 *         u32   parent_length             0 for the root
 *         char  parent[parent_length]
 *
 * A length includes the terminating NUL, which may be missing. The root comes first, then
 * the tree depth first: a part's children follow it before its siblings do. Everything is known. */
#include "formats/modules.h"

#include "base/index.h"
#include "base/json.h"
#include "base/text.h"
#include "formats/evil_islands/ei_names.h"

#include <inttypes.h>
#include <string.h>

enum { LINK_SIZE = 8 }; /* two empty names */

/* ---- probe --------------------------------------------------------------------------------- */

static bool skip_name(const uint8_t *data, uint64_t size, uint64_t *at, bool *plain)
{
    if (size - *at < 4) return false;
    uint64_t length = ossa__peek_u32(data, size, *at);
    *at += 4;
    if (length > size - *at) return false;
    for (uint64_t i = 0; i + 1 < length; i++) {
        if (data[*at + i] < 0x20) *plain = false;
    }
    *at += length;
    return true;
}

static ossa_confidence probe_lnk(const uint8_t *data, uint64_t size)
{
    if (size < 4) return OSSA_CONFIDENCE_NONE;
    uint64_t count = ossa__peek_u32(data, size, 0);
    uint64_t at = 4;
    if (count > (size - at) / LINK_SIZE) return OSSA_CONFIDENCE_NONE;
    bool plain = true;
    uint32_t root_parent = 1;
    for (uint64_t i = 0; i < count; i++) {
        if (!skip_name(data, size, &at, &plain)) return OSSA_CONFIDENCE_NONE;
        if (i == 0) root_parent = ossa__peek_u32(data, size, at);
        if (!skip_name(data, size, &at, &plain)) return OSSA_CONFIDENCE_NONE;
    }
    if (at != size) return OSSA_CONFIDENCE_NONE;
    if (count == 0) return OSSA_CONFIDENCE_EMPTY;
    return plain && root_parent <= 1 ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_ARITHMETIC;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    uint64_t count = ossa__peek_u32(start, size, 0);
    uint64_t at = 4;
    if (count == 0 || count > (size - at) / LINK_SIZE) return false;
    for (uint64_t i = 0; i < 2 * count && at <= OSSA__HEAD - 4; i++) {
        uint64_t length = ossa__peek_u32(start, size, at);
        at += 4;
        if (length > size - at) return false;
        at += length;
    }
    return true;
}

/* ---- check the tree ------------------------------------------------------------------------ */

struct tree {
    struct ossa__context *context;
    ossa_ei_link *links;
    const uint8_t *data; /* the file, in which the names are */
    uint32_t count;
    struct ossa__index by_child; /* links by the names of their children, without regard to case */
    uint32_t *first;             /* first[i]: the first link with the child's name of link i */
    uint32_t *path;              /* from the root to the current link */
    uint32_t path_size;
    uint32_t *place; /* place[i]: the last position of link i on the path */
};

static uint64_t offset_of(const struct tree *tree, const ossa_ei_name *name)
{
    return (uint64_t)((const uint8_t *)name->bytes - tree->data);
}

static void check_root(struct tree *tree, uint32_t index)
{
    const ossa_ei_link *link = &tree->links[index];
    if (index == 0 && link->parent.size > 0) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT,
                    offset_of(tree, &link->parent), "parent",
                    "the first part, '%s', has the parent '%s', expected the root, which has none",
                    ossa__ei_show(&link->child).text, ossa__ei_show(&link->parent).text);
    }
    if (index > 0 && link->parent.size == 0) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT,
                    offset_of(tree, &link->parent), "parent",
                    "'%s' has no parent, expected one: only the first part is the root",
                    ossa__ei_show(&link->child).text);
    }
}

/* Find the parent of a link and put the link on the path behind it. */
static void place_link(struct tree *tree, uint32_t index)
{
    ossa_ei_link *link = &tree->links[index];
    uint64_t at = offset_of(tree, &link->parent);
    /* A link without a valid parent goes to the end of the path, and one in the wrong order takes
     * the path with it, so that a fault is reported only once. */
    uint32_t place = tree->path_size;
    link->parent_index = -1;
    link->depth = 0;
    if (link->parent.size > 0) {
        int64_t found = ossa__index_find(&tree->by_child, link->parent.bytes, link->parent.size);
        if (found >= 0 && found < (int64_t)index) {
            uint32_t below = tree->place[found];
            bool on_path = below < tree->path_size && tree->path[below] == (uint32_t)found;
            link->parent_index = (int32_t)found;
            link->depth = tree->links[found].depth + 1;
            tree->path[below] = (uint32_t)found;
            place = below + 1;
            if (!on_path) {
                ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, at, "parent",
                            "'%s' has the parent '%s', which is not on the path from the root to "
                            "here; a part's children must come before its siblings",
                            ossa__ei_show(&link->child).text, ossa__ei_show(&link->parent).text);
            }
        } else if (index > 0) {
            ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_PARENT, at, "parent",
                        "'%s' has the parent '%s', which no earlier link defines%s",
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
                    offset_of(tree, &link->child), "child", "the part has no name");
        return;
    }
    uint32_t first = tree->first[index];
    if (first < index) {
        ossa__issue(tree->context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                    offset_of(tree, &link->child), "child",
                    "'%s' is also the name of links[%" PRIu32 "] (ignoring case)",
                    ossa__ei_show(&link->child).text, first);
    }
}

static bool index_children(struct tree *tree)
{
    uint64_t size = ossa__index_size(tree->count);
    void *memory = size == 0 ? NULL : ossa__take_scratch(tree->context, size, 1);
    if (size == 0) {
        return ossa__fail_nowhere(tree->context, OSSA_CODE_LIMIT, "links",
                                  "%" PRIu32 " links are too many", tree->count);
    }
    if (memory == NULL) return false;
    ossa__index_start(&tree->by_child, memory, tree->count, ossa__cp1251_lower);
    for (uint32_t i = 0; i < tree->count; i++) {
        const ossa_ei_name *name = &tree->links[i].child;
        tree->first[i] = ossa__index_add(&tree->by_child, name->bytes, name->size, i);
    }
    return true;
}

/* Find the parents, and report what does not make a tree in the order that the game wants. */
static void check_tree(struct ossa__context *context, ossa_ei_link *links, uint32_t count,
                       const uint8_t *data)
{
    if (count == 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, 0, "link_count",
                    "there are no parts, expected at least the root");
        return;
    }
    struct tree tree = {.context = context, .links = links, .count = count, .data = data};
    tree.first = ossa__take_scratch(context, count, sizeof *tree.first);
    tree.path = ossa__take_scratch(context, count, sizeof *tree.path);
    tree.place = ossa__take_scratch(context, count, sizeof *tree.place);
    uint8_t *later = ossa__take_scratch(context, count, 1);
    if (later == NULL || !index_children(&tree)) return;
    for (uint32_t i = 0; i < count; i++) {
        ossa__enter(context, "links", i);
        check_name(&tree, i);
        check_root(&tree, i);
        place_link(&tree, i);
        ossa__leave(context);
    }
    mark_last_siblings(&tree, later);
}

/* ---- read ---------------------------------------------------------------------------------- */

static ossa_ei_name read_name(struct ossa__reader *reader, const char *length_field,
                              const char *field)
{
    uint32_t length = ossa__read_count(reader, length_field, 1);
    uint64_t at = reader->position;
    const uint8_t *bytes = ossa__read_bytes(reader, field, OSSA_FIELD_TYPE_TEXT_1251, length);
    ossa_ei_name name = {.bytes = (const char *)bytes, .size = length};
    if (bytes == NULL) return (ossa_ei_name){.bytes = ""};
    if (length > 0 && bytes[length - 1] == 0) {
        name.has_nul = true;
        name.size--;
    }
    const uint8_t *nul = name.size == 0 ? NULL : memchr(bytes, 0, name.size);
    if (nul != NULL) {
        ossa__issue(reader->context, OSSA_SEVERITY_ERROR, OSSA_CODE_EMBEDDED_NUL,
                    at + (uint64_t)(nul - bytes), field, "the name contains a NUL before its end");
    }
    return name;
}

static void *read_lnk(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_lnk *lnk = ossa__take(context, 1, sizeof *lnk);
    uint32_t count = ossa__read_count(&reader, "link_count", LINK_SIZE);
    ossa_ei_link *links = ossa__take(context, count, sizeof *links);
    for (uint32_t i = 0; i < count && !context->failed; i++) {
        ossa__enter(context, "links", i);
        links[i].child = read_name(&reader, "child_length", "child");
        links[i].parent = read_name(&reader, "parent_length", "parent");
        ossa__leave(context);
    }
    if (context->failed) return NULL;
    check_tree(context, links, count, data);
    *lnk = (ossa_ei_lnk){.link_count = count, .links = links};
    lnk->tail = ossa__read_tail(&reader, &lnk->tail_size);
    return lnk;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_name(struct ossa__writer *writer, const ossa_ei_name *name)
{
    ossa__write_u32(writer, name->size + (name->has_nul ? 1 : 0));
    ossa__write_bytes(writer, name->bytes, name->size);
    if (name->has_nul) ossa__write_u8(writer, 0);
}

static void write_lnk(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_lnk *lnk = contents;
    (void)context;
    ossa__write_u32(writer, lnk->link_count);
    for (uint32_t i = 0; i < lnk->link_count; i++) {
        write_name(writer, &lnk->links[i].child);
        write_name(writer, &lnk->links[i].parent);
    }
    ossa__write_bytes(writer, lnk->tail, lnk->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_name(struct ossa__json *json, const char *key, const ossa_ei_name *name)
{
    ossa__json_key(json, key);
    ossa__json_text_1251(json, name->bytes, name->size);
}

static void dump_lnk(const void *contents, struct ossa__json *json)
{
    const ossa_ei_lnk *lnk = contents;
    ossa__json_key(json, "links");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < lnk->link_count; i++) {
        const ossa_ei_link *link = &lnk->links[i];
        ossa__json_begin_object(json);
        dump_name(json, "child", &link->child);
        dump_name(json, "parent", &link->parent);
        ossa__member_bool(json, "child_nul", link->child.has_nul);
        ossa__member_bool(json, "parent_nul", link->parent.has_nul);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, lnk->tail, lnk->tail_size);
}

static ossa_ei_name build_name(const struct ossa__value *link, const char *key, const char *nul_key)
{
    struct ossa__value text = ossa__value_member(link, key);
    struct ossa__value nul = ossa__value_member(link, nul_key);
    ossa_ei_name name = {.bytes = "", .has_nul = ossa__value_bool(&nul)};
    const char *bytes = ossa__value_text_1251(&text, &name.size);
    if (bytes == NULL) return name;
    name.bytes = bytes;
    if (!name.has_nul && name.size > 0 && bytes[name.size - 1] == '\0') {
        ossa__value_fail(&nul, "must be true for a name that ends in a NUL");
    }
    return name;
}

static void *build_lnk(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "links tail");
    struct ossa__value list = ossa__value_member(data, "links");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    size_t count = ossa__value_length(&list);
    ossa_ei_lnk *lnk = ossa__take(context, 1, sizeof *lnk);
    ossa_ei_link *links = ossa__take(context, count, sizeof *links);
    if (links == NULL) return NULL;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value link = ossa__value_item(&list, i);
        ossa__value_allow(&link, "child parent child_nul parent_nul");
        links[i].child = build_name(&link, "child", "child_nul");
        links[i].parent = build_name(&link, "parent", "parent_nul");
    }
    *lnk = (ossa_ei_lnk){.link_count = (uint32_t)count, .links = links};
    if (tail.node != NULL) lnk->tail = ossa__value_hex(&tail, &lnk->tail_size);
    return lnk;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* Deeper parts are listed at this depth: longer lines are not readable. */
enum { DRAWN_DEPTH = 64 };

static void draw_link(struct ossa__report *report, const ossa_ei_lnk *lnk, uint32_t index)
{
    const ossa_ei_link *link = &lnk->links[index];
    bool bar[DRAWN_DEPTH] = {false}; /* a line continues downwards at that depth */
    if (link->depth < DRAWN_DEPTH) {
        const ossa_ei_link *at = link;
        while (at->parent_index >= 0) {
            bar[at->depth] = !at->last_sibling;
            at = &lnk->links[at->parent_index];
        }
    }
    uint32_t drawn = link->depth < DRAWN_DEPTH ? link->depth : DRAWN_DEPTH - 1;
    char line[DRAWN_DEPTH * 6 + 80] = "    ";
    size_t used = 4;
    for (uint32_t d = 1; d <= drawn; d++) {
        const char *piece = bar[d] ? "│  " : "   ";
        if (d == drawn) piece = bar[d] ? "├─ " : "└─ ";
        size_t size = strlen(piece);
        memcpy(line + used, piece, size);
        used += size;
    }
    ossa__report_bytes(report, line, used);
    ossa__report_line(report, "%s", ossa__ei_show(&link->child).text);
}

static void describe_lnk(const void *contents, struct ossa__report *report)
{
    const ossa_ei_lnk *lnk = contents;
    uint32_t deepest = 0;
    uint32_t without_nul = 0;
    for (uint32_t i = 0; i < lnk->link_count; i++) {
        const ossa_ei_link *link = &lnk->links[i];
        if (link->depth >= deepest) deepest = link->depth + 1;
        without_nul += link->child.has_nul ? 0 : 1;
    }
    ossa__report_integer(report, "parts", "parts", lnk->link_count);
    ossa__report_integer(report, "depth", "depth", deepest);
    if (without_nul > 0) {
        ossa__report_note(report, "%" PRIu32 " names are stored without a terminating NUL",
                          without_nul);
    }
    if (report->json == NULL) {
        for (uint32_t i = 0; i < lnk->link_count; i++) draw_link(report, lnk, i);
        return;
    }
    ossa__json_key(report->json, "tree");
    ossa__json_begin_array(report->json);
    for (uint32_t i = 0; i < lnk->link_count; i++) {
        ossa__json_begin_object(report->json);
        dump_name(report->json, "name", &lnk->links[i].child);
        ossa__member_int(report->json, "parent", lnk->links[i].parent_index);
        ossa__json_end_object(report->json);
    }
    ossa__json_end_array(report->json);
}

ossa_ei_lnk *ossa_as_ei_lnk(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_lnk);
}

const struct ossa__format ossa__format_ei_lnk = {
    .about = {.id = "ei-lnk",
              .title = "Evil Islands part tree",
              .game = "Evil Islands (2000)",
              .extensions = "lnk",
              .kind = OSSA_KIND_SKELETON},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_BODY,
    .probe = probe_lnk,
    .may_begin = may_begin,
    .read = read_lnk,
    .write = write_lnk,
    .dump = dump_lnk,
    .build = OSSA__BUILT_BY(build_lnk),
    .describe = describe_lnk,
};
