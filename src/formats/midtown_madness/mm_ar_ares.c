/* SPDX-License-Identifier: MIT
 *
 * The archive of the first game: a tree of folders.
 *
 *     0x00  char[4]  magic        "ARES"
 *     0x04  u32      node_count
 *     0x08  u32      root_count   the first nodes are those outside all folders
 *     0x0C  u32      names_size
 *     0x10  node_count times
 *           u32 place           of the data; of a folder, the index of its first child
 *           u32 size_extension  low 23 bits: size of the data, or how many children;
 *                               high 9: offset of the extension in the names, 0 for none
 *           u32 name_number     bit 0: is a folder; 1-13: a number; 14-31: offset of the name
 *     names_size bytes          NUL-terminated names
 *
 * The children of a folder are consecutive nodes. In a name the byte 1 stands for the number, in
 * decimal. The game finds a name by binary search, so the names in a folder are sorted; they are in
 * upper case because that is how it asks for them. */
#include "formats/midtown_madness/mm_ar.h"

#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER_SIZE = 16,
    NODE_WORDS = 3,
    NODE_SIZE = 4 * NODE_WORDS,
    DEEPEST = 16, /* levels of folders; the game has two or three */
    NUMBER = 1,   /* the byte that stands for it */
};

static const struct ossa__shape shape_node = {
    OSSA_FIELD_TYPE_U32, NODE_WORDS, {"place", "size_extension", "name_number"}};

/* The parts of a node. */
struct node {
    bool is_folder;
    uint32_t place; /* of the data in the file; of a folder, its first child's index */
    uint32_t size;  /* of the data; of a folder, how many children it has */
    uint32_t number;
    uint32_t name_offset;
    uint32_t extension_offset; /* 0: there is none */
};

static struct node split_node(const uint32_t words[NODE_WORDS])
{
    return (struct node){.is_folder = (words[2] & 1) != 0,
                         .place = words[0],
                         .size = words[1] & 0x7fffff,
                         .number = words[2] >> 1 & 0x1fff,
                         .name_offset = words[2] >> 14,
                         .extension_offset = words[1] >> 23};
}

bool ossa__ares_fits(const uint8_t *data, uint64_t size)
{
    uint64_t nodes = ossa__peek_u32(data, size, 4);
    uint64_t roots = ossa__peek_u32(data, size, 8);
    uint64_t names = ossa__peek_u32(data, size, 12);
    return HEADER_SIZE + NODE_SIZE * nodes + names <= size && roots <= nodes;
}

/* A folder whose children are being visited. */
struct folder {
    uint32_t next; /* the child to visit */
    uint32_t end;
    size_t path_size;     /* size of the path to it, including the trailing / */
    size_t previous_size; /* size of the name of the previous child, still in `path` */
};

/* The tree being walked. */
struct tree {
    struct ossa__ar_reader *r;
    struct ossa__ar_names names;
    struct ossa__coverage seen; /* one bit per node */
    struct folder folders[DEEPEST];
    unsigned depth;
    char path[DEEPEST * (OSSA__AR_LONGEST_NAME + 1)];
};

static uint64_t word_at(uint32_t node, uint32_t word)
{
    return HEADER_SIZE + NODE_SIZE * (uint64_t)node + 4ULL * word;
}

/* ---- each node by itself ------------------------------------------------------------------- */

static void check_names(struct tree *t, uint32_t index, const struct node *node)
{
    size_t size;
    (void)ossa__ar_name(t->r, &t->names, node->name_offset, "name", "name_number",
                        word_at(index, 2), &size);
    if (node->extension_offset == 0) return;
    (void)ossa__ar_name(t->r, &t->names, node->extension_offset, "extension", "size_extension",
                        word_at(index, 1), &size);
}

static void check_folder(struct tree *t, uint32_t index, const struct node *node)
{
    if ((uint64_t)node->place + node->size <= t->r->ar->record_count) return;
    ossa__fail(t->r->context, OSSA_CODE_BAD_OFFSET, word_at(index, 0), "place",
               "the children are nodes %" PRIu32 " to %" PRIu64 ", but there are only %" PRIu32
               " nodes",
               node->place, (uint64_t)node->place + node->size - 1, t->r->ar->record_count);
}

static bool is_outside(const struct tree *t, const struct node *node)
{
    return node->size > 0 && (uint64_t)node->place + node->size > t->r->ar->image_size;
}

static void check_place(struct tree *t, uint32_t index, const struct node *node)
{
    struct ossa__ar_reader *r = t->r;
    if (node->is_folder) check_folder(t, index, node);
    if (node->is_folder || node->size == 0) return;
    if (is_outside(t, node)) {
        (void)ossa__ar_is_missing(r, word_at(index, 0), "place", node->place, node->size);
        return;
    }
    struct ossa__reader data =
        ossa__reader_window(&r->file, node->place, node->size, "place", word_at(index, 0));
    (void)ossa__read_bytes(&data, "data", OSSA_FIELD_TYPE_UNKNOWN, node->size);
    ossa__ar_cover(r, node->place, node->size, "data");
}

static struct node node_at(const struct tree *t, uint32_t index)
{
    return split_node(t->r->ar->records + (size_t)NODE_WORDS * index);
}

static void check_nodes(struct tree *t, void (*check)(struct tree *, uint32_t, const struct node *))
{
    struct ossa__context *context = t->r->context;
    for (uint32_t i = 0; i < t->r->ar->record_count && !context->failed; i++) {
        struct node node = node_at(t, i);
        ossa__enter(context, "nodes", i);
        check(t, i, &node);
        ossa__leave(context);
    }
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* A name being built, at the end of the path. */
struct label {
    char *text;
    size_t size;
    bool is_too_long;
};

static void put_text(struct label *label, const char *bytes, size_t size)
{
    char text[8];
    for (size_t i = 0; i < size; i++) {
        size_t length = ossa__name_text(bytes + i, 1, ossa__latin_to_unicode, text) - 1;
        label->is_too_long = label->is_too_long || length > OSSA__AR_LONGEST_NAME - label->size;
        if (label->is_too_long) return;
        memcpy(label->text + label->size, text, length);
        label->size += length;
    }
}

/* Write the name of a node after the first `at` bytes of the path and return its length. */
static size_t put_name(struct tree *t, uint32_t index, const struct node *node, size_t at)
{
    const char *names = (const char *)t->r->file.data + t->names.begin;
    struct label label = {.text = t->path + at};
    char number[8];
    int digits = snprintf(number, sizeof number, "%" PRIu32, node->number);
    for (const char *c = names + node->name_offset; *c != '\0'; c++) {
        if (*c == NUMBER) put_text(&label, number, (size_t)digits);
        else put_text(&label, c, 1);
    }
    if (node->extension_offset != 0) {
        const char *extension = names + node->extension_offset;
        put_text(&label, ".", 1);
        put_text(&label, extension, strlen(extension));
    }
    if (label.is_too_long) {
        ossa__fail(t->r->context, OSSA_CODE_BAD_VALUE, word_at(index, 2), "name_number",
                   "the name is longer than %d bytes", OSSA__AR_LONGEST_NAME);
    }
    return label.size;
}

/* The game asks for names in upper case and uses a binary search. */
static void check_name(struct tree *t, const struct folder *folder, const char *previous,
                       size_t size, uint64_t at)
{
    const char *name = t->path + folder->path_size;
    size_t common = size < folder->previous_size ? size : folder->previous_size;
    int order = memcmp(previous, name, common);
    bool is_after = order > 0 || (order == 0 && folder->previous_size > size);
    bool is_lower = false;
    for (size_t i = 0; i < size; i++) is_lower = is_lower || (name[i] >= 'a' && name[i] <= 'z');
    if (size == 0) {
        ossa__issue(t->r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, at, "name_number",
                    "the name is empty");
    } else if (is_lower) {
        ossa__issue(t->r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at,
                    "name_number",
                    "the name has lower-case letters; the game looks for upper case only");
    } else if (is_after) {
        ossa__issue(t->r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, at, "name_number",
                    "the name sorts before that of the previous node; the game may not find it");
    }
}

static void enter_folder(struct tree *t, const struct node *node, size_t path_size, uint64_t at)
{
    if (t->depth == DEEPEST) {
        ossa__fail(t->r->context, OSSA_CODE_LIMIT, at, "place",
                   "folders are nested more than %d deep", DEEPEST);
        return;
    }
    t->folders[t->depth++] = (struct folder){
        .next = node->place, .end = node->place + node->size, .path_size = path_size};
}

static void visit_node(struct tree *t, struct folder *folder, uint32_t index)
{
    struct ossa__ar_reader *r = t->r;
    struct node node = node_at(t, index);
    if (ossa__coverage_touches(&t->seen, index, 1)) {
        ossa__fail(r->context, OSSA_CODE_OVERLAP, word_at(index, 0), "",
                   "is in two folders, or inside itself");
        return;
    }
    ossa__coverage_mark(&t->seen, index, 1);
    char previous[OSSA__AR_LONGEST_NAME];
    memcpy(previous, t->path + folder->path_size, folder->previous_size);
    size_t size = put_name(t, index, &node, folder->path_size);
    check_name(t, folder, previous, size, word_at(index, 2));
    folder->previous_size = size;
    size_t end = folder->path_size + size;
    if (node.is_folder && node.size > 0) {
        t->path[end] = '/';
        enter_folder(t, &node, end + 1, word_at(index, 0));
    } else if (node.is_folder) { /* there is nothing else that would show it */
        t->path[end] = '/';
        ossa__ar_add(r, (ossa_entry){0}, t->path, end + 1,
                     (struct ossa__ar_detail){.at = word_at(index, 0), .record = index});
    } else {
        ossa__ar_add(r,
                     (ossa_entry){.offset = node.place,
                                  .stored_size = node.size,
                                  .size = node.size,
                                  .is_missing = is_outside(t, &node)},
                     t->path, end,
                     (struct ossa__ar_detail){.at = word_at(index, 0), .record = index});
    }
}

/* Visits every node at most once, so it ends whatever the nodes say. */
static void walk_tree(struct tree *t)
{
    struct ossa__context *context = t->r->context;
    t->folders[t->depth++] = (struct folder){.next = 0, .end = t->r->ar->header[1]};
    while (t->depth > 0 && !context->failed) {
        struct folder *folder = &t->folders[t->depth - 1];
        if (folder->next == folder->end) {
            t->depth--;
            continue;
        }
        uint32_t index = folder->next++;
        ossa__enter(context, "nodes", index);
        visit_node(t, folder, index);
        ossa__leave(context);
    }
    if (context->failed) return;
    uint64_t first = 0;
    uint64_t size;
    uint64_t lost = 0;
    uint64_t first_lost = 0;
    for (; ossa__coverage_next_gap(&t->seen, &first, &size); first += size) {
        if (lost == 0) first_lost = first;
        lost += size;
    }
    if (lost == 0) return;
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, word_at((uint32_t)first_lost, 0),
                "nodes", "%" PRIu64 " of %" PRIu32 " are in no folder, the first being %" PRIu64,
                lost, t->r->ar->record_count, first_lost);
}

/* ---- the file ------------------------------------------------------------------------------ */

static void read_header(struct ossa__ar_reader *r)
{
    uint32_t *header = r->ar->header;
    (void)ossa__read_bytes(&r->file, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    header[0] = ossa__read_u32(&r->file, "node_count");
    header[1] = ossa__read_u32(&r->file, "root_count");
    header[2] = ossa__read_u32(&r->file, "names_size");
    if (r->context->failed) return;
    uint64_t left = ossa__left(&r->file);
    uint64_t nodes = NODE_SIZE * (uint64_t)header[0];
    if (nodes > left) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, 4, "node_count",
                   "%" PRIu32 " nodes of %d bytes cannot fit in the %" PRIu64 " bytes left",
                   header[0], NODE_SIZE, left);
    } else if (header[1] > header[0]) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, 8, "root_count",
                   "%" PRIu32 ", but there are only %" PRIu32 " nodes", header[1], header[0]);
    } else if (header[2] > left - nodes) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, 12, "names_size",
                   "%" PRIu32 " bytes cannot fit in the %" PRIu64 " bytes left", header[2],
                   left - nodes);
    }
}

void ossa__ares_read(struct ossa__ar_reader *r)
{
    struct ossa__context *context = r->context;
    read_header(r);
    struct tree *t = ossa__take(context, 1, sizeof *t);
    if (t == NULL) return;
    const uint32_t count = r->ar->header[0];
    uint64_t nodes = NODE_SIZE * (uint64_t)count;
    if (!ossa__need(context, 0, HEADER_SIZE + nodes + r->ar->header[2])) return;
    *t = (struct tree){.r = r};
    r->ar->record_count = count;
    r->ar->records = ossa__read_array(&r->file, "nodes", &shape_node, count, 0);
    t->names = (struct ossa__ar_names){.begin = r->file.position, .size = r->ar->header[2]};
    if (context->failed) return;
    ossa__coverage_mark(&r->coverage, 0, t->names.begin);
    check_nodes(t, check_names);
    check_nodes(t, check_place);
    if (!ossa__ar_room(r, count) || !ossa__coverage_init(&t->seen, context, count)) return;
    walk_tree(t);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_node(struct ossa__json *json, const ossa_mm_ar *ar, const uint32_t *words)
{
    const uint8_t *names = ar->image + HEADER_SIZE + NODE_SIZE * (uint64_t)ar->record_count;
    struct node node = split_node(words);
    ossa__json_begin_object(json);
    ossa__ar_dump_name(json, "name", names + node.name_offset);
    ossa__member_uint(json, "name_offset", node.name_offset);
    if (node.extension_offset != 0) {
        ossa__ar_dump_name(json, "extension", names + node.extension_offset);
        ossa__member_uint(json, "extension_offset", node.extension_offset);
    }
    ossa__member_uint(json, "number", node.number);
    if (node.is_folder) {
        ossa__member_uint(json, "first", node.place);
        ossa__member_uint(json, "count", node.size);
    } else {
        ossa__member_uint(json, "offset", node.place);
        ossa__ar_dump_bytes(json, ar, "size", node.place, node.size);
    }
    ossa__json_end_object(json);
}

void ossa__ares_dump(struct ossa__json *json, const ossa_mm_ar *ar)
{
    ossa__member_uint(json, "root_count", ar->header[1]);
    ossa__member_uint(json, "names_size", ar->header[2]);
    ossa__json_key(json, "nodes");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < ar->record_count; i++)
        dump_node(json, ar, ar->records + (size_t)NODE_WORDS * i);
    ossa__json_end_array(json);
}

static void build_node(struct ossa__image *image, const struct ossa__value *node, uint64_t at,
                       uint64_t names)
{
    enum { MOST_SIZE = 0x7fffff, MOST_NUMBER = 0x1fff, MOST_NAME = 0x3ffff, MOST_EXTENSION = 511 };
    ossa__value_allow(node, "name name_offset extension extension_offset number first count offset "
                            "size data");
    bool is_folder = ossa__value_optional(node, "first").node != NULL;
    bool has_extension = ossa__value_optional(node, "extension").node != NULL;
    uint32_t name = ossa__ar_build_number(node, "name_offset", MOST_NAME);
    uint32_t number = ossa__ar_build_number(node, "number", MOST_NUMBER);
    uint32_t extension = 0;
    ossa__ar_build_name(image, node, "name", names + name);
    if (has_extension) {
        extension = ossa__ar_build_number(node, "extension_offset", MOST_EXTENSION);
        ossa__ar_build_name(image, node, "extension", names + extension);
    }
    uint32_t place = ossa__ar_build_number(node, is_folder ? "first" : "offset", UINT32_MAX);
    uint32_t size = is_folder ? ossa__ar_build_number(node, "count", MOST_SIZE)
                              : ossa__ar_build_bytes(image, node, "size", place, MOST_SIZE);
    ossa__image_put_u32(image, at, place, node);
    ossa__image_put_u32(image, at + 4, size | extension << 23, node);
    ossa__image_put_u32(image, at + 8, (is_folder ? 1U : 0U) | number << 1 | name << 14, node);
}

void ossa__ares_build(struct ossa__image *image, const struct ossa__value *data)
{
    ossa__value_allow(data, "kind root_count names_size nodes gaps");
    struct ossa__value nodes = ossa__value_member(data, "nodes");
    size_t count = ossa__value_length(&nodes);
    uint64_t names = HEADER_SIZE + NODE_SIZE * (uint64_t)count;
    ossa__image_put(image, 0, (const uint8_t *)"ARES", 4, data);
    ossa__image_put_u32(image, 4, (uint32_t)count, &nodes);
    ossa__ar_build_word(image, data, "root_count", 8);
    ossa__ar_build_word(image, data, "names_size", 12);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value node = ossa__value_item(&nodes, i);
        build_node(image, &node, HEADER_SIZE + NODE_SIZE * (uint64_t)i, names);
    }
}
