/* SPDX-License-Identifier: MIT
 *
 * Making an ARES archive: header, nodes, names, data. The nodes of a folder are sorted and follow
 * each other, one level of folders after the other. An archive that is packed again keeps its
 * names, among them those with a number; other names are stored as they are. */
#include "formats/midtown_madness/mm_ar_pack.h"

#include "base/fold.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER_SIZE = 16,
    NODE_WORDS = 3,
    NODE_SIZE = 4 * NODE_WORDS,
    DEEPEST = 16,
    NUMBER = 1,
    MOST_SIZE = 0x7fffff,
    MOST_EXTENSION = 0x1ff,
    MOST_NAME = 0x3ffff,
    ALIGNMENT = 4, /* of data in a new archive */
};

#define NONE UINT32_MAX

/* A file or folder. The entries below it are `begin` to `end` of those that are sorted. */
struct node {
    uint32_t begin;
    uint32_t end;
    uint32_t skipped;   /* characters of their names up to its own name */
    uint32_t name_size; /* of its own name, there */
    bool is_folder;
    uint32_t depth;
    uint32_t parent; /* NONE: in no folder */
    uint32_t first;  /* child */
    uint32_t count;
    uint32_t record; /* of the archive that is packed again, which has its name; NONE: none */
    uint32_t words[2];
};

struct packer {
    struct ossa__ar_packer *p;
    uint32_t *sorted;
    struct node *nodes;
    uint32_t node_count;
    uint32_t node_room;
    uint32_t root_count;
    uint32_t *parents; /* by record of the old archive: the folder it is in; NONE */
    uint8_t *names;
    uint32_t names_size;
    uint32_t *slots; /* names by hash: offset + 1; 0: free */
    size_t slot_count;
};

/* ---- the order of names -------------------------------------------------------------------- */

/* A separator ends a name, so it sorts before everything. */
static int rank(uint8_t c)
{
    return c == '/' ? -1 : c;
}

static bool goes_before(const void *a, const void *b, void *user)
{
    const struct ossa__ar_item *items = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    int order = ossa__ar_compare(&items[*x], &items[*y], rank);
    return order != 0 ? order < 0 : *x < *y;
}

/* The game asks for upper case. */
static bool take_names(struct packer *k)
{
    struct ossa__ar_packer *p = k->p;
    ossa__ar_take_names(p);
    uint64_t most = 0;
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) {
        struct ossa__ar_item *item = &p->items[i];
        uint8_t *name = ossa__take(p->context, item->name_size, 1);
        if (name == NULL) return false;
        most++;
        for (size_t c = 0; c < item->name_size; c++) {
            uint8_t byte = item->name[c];
            name[c] = byte >= 'a' && byte <= 'z' ? (uint8_t)(byte - 'a' + 'A') : byte;
            if (byte == '\\') name[c] = '/';
            if (name[c] == '/') most++;
            if (byte != NUMBER) continue;
            (void)ossa__ar_refuse(p, i, "name", OSSA_CODE_BAD_VALUE,
                                  "has a character that the format gives a meaning to", NUMBER);
            return false;
        }
        item->name = name;
    }
    k->node_room = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
    k->sorted = ossa__take(p->context, p->count, sizeof *k->sorted);
    k->nodes = ossa__take(p->context, k->node_room, sizeof *k->nodes);
    if (k->sorted == NULL || k->nodes == NULL) return false;
    for (uint32_t i = 0; i < p->count; i++) k->sorted[i] = i;
    return ossa__sort(p->context, k->sorted, p->count, sizeof *k->sorted, goes_before, p->items);
}

/* ---- the old archive ----------------------------------------------------------------------- */

static const uint32_t *record_at(const struct packer *k, uint32_t record)
{
    return k->p->like->ar.records + (size_t)NODE_WORDS * record;
}

/* Which folder each record is in. The reader has made sure that no record is in two. */
static bool find_parents(struct packer *k)
{
    const struct ossa__ar_contents *like = k->p->like;
    uint32_t count = like == NULL ? 0 : like->ar.record_count;
    k->parents = ossa__take(k->p->context, count, sizeof *k->parents);
    uint32_t *stack = ossa__take_scratch(k->p->context, count, sizeof *stack);
    if (k->parents == NULL || stack == NULL) return false;
    for (uint32_t i = 0; i < count; i++) k->parents[i] = NONE;
    uint32_t used = 0;
    for (uint32_t i = 0; like != NULL && i < like->ar.header[1]; i++) stack[used++] = i;
    while (used > 0) {
        uint32_t record = stack[--used];
        const uint32_t *words = record_at(k, record);
        for (uint32_t i = 0; (words[2] & 1) != 0 && i < (words[1] & MOST_SIZE); i++) {
            k->parents[words[0] + i] = record;
            stack[used++] = words[0] + i;
        }
    }
    return true;
}

/* The whole name of a record. */
static size_t expand(const struct packer *k, const uint32_t *words,
                     char text[OSSA__AR_LONGEST_NAME + 1])
{
    const struct ossa__ar_contents *like = k->p->like;
    const char *names =
        (const char *)like->ar.image + HEADER_SIZE + NODE_SIZE * (size_t)like->ar.record_count;
    const uint32_t extension = words[1] >> 23;
    size_t used = 0;
    for (const char *c = names + (words[2] >> 14); *c != '\0'; c++) {
        size_t room = OSSA__AR_LONGEST_NAME + 1 - used;
        int size = *c == NUMBER ? snprintf(text + used, room, "%" PRIu32, words[2] >> 1 & 0x1fff)
                                : snprintf(text + used, room, "%c", *c);
        if (size < 0 || (size_t)size >= room) return 0;
        used += (size_t)size;
    }
    if (extension == 0) return used;
    size_t room = OSSA__AR_LONGEST_NAME + 1 - used;
    int size = snprintf(text + used, room, ".%s", names + extension);
    return size < 0 || (size_t)size >= room ? 0 : used + (size_t)size;
}

/* The record that a node has its name from: that of an old entry in it, or of a folder around
 * that. */
static uint32_t find_record(const struct packer *k, const struct node *node)
{
    char text[OSSA__AR_LONGEST_NAME + 1];
    for (uint32_t i = node->begin; i < node->end; i++) {
        uint32_t index = k->sorted[i];
        const struct ossa__ar_item *item = &k->p->items[index];
        if (index >= k->p->old_count) continue;
        uint32_t record = k->p->like->details[index].record;
        const uint8_t *rest = item->name + node->skipped + node->name_size;
        const uint8_t *end = item->name + item->name_size;
        if (end[-1] == '/') end--; /* an empty folder is its own record */
        for (; rest < end && record != NONE; rest++) {
            if (*rest == '/') record = k->parents[record];
        }
        if (record == NONE) return NONE;
        const uint32_t *words = record_at(k, record);
        size_t size = expand(k, words, text);
        bool is_same = size == node->name_size && ((words[2] & 1) != 0) == node->is_folder &&
                       memcmp(text, item->name + node->skipped, size) == 0;
        return is_same ? record : NONE;
    }
    return NONE;
}

/* ---- the tree ------------------------------------------------------------------------------ */

static uint32_t length_of_name(const struct ossa__ar_item *item, uint32_t at)
{
    uint32_t size = 0;
    while (at + size < item->name_size && item->name[at + size] != '/') size++;
    return size;
}

static bool refuse_name(struct packer *k, uint32_t place, const char *why)
{
    return ossa__ar_refuse(k->p, k->sorted[place], "name", OSSA_CODE_DUPLICATE_NAME, why,
                           k->sorted[place == 0 ? 0 : place - 1]);
}

/* Add what lies directly in a folder: the entries `begin` to `end`, after `skipped` characters. */
static bool add_children(struct packer *k, uint32_t begin, uint32_t end, uint32_t skipped,
                         uint32_t depth, uint32_t parent)
{
    const struct ossa__ar_item *items = k->p->items;
    if (depth >= DEEPEST) {
        return ossa__ar_refuse(k->p, k->sorted[begin], "name", OSSA_CODE_LIMIT,
                               "lies in more folders than an archive can have in each other",
                               DEEPEST);
    }
    for (uint32_t i = begin; i < end;) {
        const struct ossa__ar_item *item = &items[k->sorted[i]];
        struct node node = {
            .begin = i, .skipped = skipped, .depth = depth, .parent = parent, .record = NONE};
        node.name_size = length_of_name(item, skipped);
        uint32_t name_end = skipped + node.name_size;
        node.is_folder = name_end < item->name_size;
        if (node.name_size == 0) return refuse_name(k, i, "has a folder without a name");
        for (i++; i < end; i++) {
            const struct ossa__ar_item *next = &items[k->sorted[i]];
            if (length_of_name(next, skipped) != node.name_size ||
                memcmp(next->name + skipped, item->name + skipped, node.name_size) != 0)
                break;
            bool is_same =
                next->name_size == item->name_size && ossa__ar_compare(next, item, rank) == 0;
            if (!node.is_folder || is_same) {
                return refuse_name(k, i, "has the name of another entry, in upper case");
            }
        }
        node.end = i;
        node.record = find_record(k, &node);
        if (parent == NONE) k->root_count++;
        else k->nodes[parent].count++;
        k->nodes[k->node_count++] = node;
    }
    return true;
}

static bool grow_tree(struct packer *k)
{
    if (!add_children(k, 0, k->p->count, 0, 0, NONE)) return false;
    for (uint32_t i = 0; i < k->node_count; i++) {
        struct node *node = &k->nodes[i];
        if (!node->is_folder) continue;
        uint32_t skipped = node->skipped + node->name_size + 1;
        uint32_t begin = node->begin;
        /* "NAME/" is the folder itself, and comes first. */
        if (k->p->items[k->sorted[begin]].name_size == skipped) begin++;
        if (begin == node->end) continue;
        node->first = k->node_count;
        if (!add_children(k, begin, node->end, skipped, node->depth + 1, i)) return false;
    }
    return true;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Where a name is, or would be, among the slots. */
static uint32_t *find_slot(const struct packer *k, const uint8_t *name, size_t size)
{
    size_t i = (size_t)ossa__hash_bytes((const char *)name, size) & (k->slot_count - 1);
    for (; k->slots[i] != 0; i = (i + 1) & (k->slot_count - 1)) {
        const uint8_t *there = k->names + k->slots[i] - 1;
        if (memcmp(there, name, size) == 0 && there[size] == 0) break;
    }
    return &k->slots[i];
}

/* The offset of a name, which is added if it is not there. */
static uint32_t put_name(struct packer *k, const uint8_t *name, size_t size)
{
    uint32_t *slot = find_slot(k, name, size);
    if (*slot == 0) {
        memcpy(k->names + k->names_size, name, size);
        k->names[k->names_size + size] = 0;
        *slot = k->names_size + 1;
        k->names_size += (uint32_t)size + 1;
    }
    return *slot - 1;
}

/* Names of the old archive come first, as they were. */
static bool start_names(struct packer *k)
{
    const struct ossa__ar_contents *like = k->p->like;
    uint64_t old = like == NULL ? 1 : like->ar.header[2];
    uint64_t room = old + OSSA__AR_LONGEST_NAME; /* names are compared within it */
    for (uint32_t i = 0; i < k->node_count; i++) room += (uint64_t)k->nodes[i].name_size + 2;
    k->slot_count = 16;
    while (k->slot_count < 4 * (uint64_t)k->node_count + 2 * old) k->slot_count *= 2;
    k->names = ossa__take(k->p->context, room, 1);
    k->slots = ossa__take(k->p->context, k->slot_count, sizeof *k->slots);
    if (k->names == NULL || k->slots == NULL) return false;
    memset(k->names, 0, (size_t)room);
    memset(k->slots, 0, k->slot_count * sizeof *k->slots);
    if (like == NULL) {
        (void)put_name(k, (const uint8_t *)"", 0); /* an extension is never at 0 */
        return true;
    }
    memcpy(k->names, like->ar.image + HEADER_SIZE + NODE_SIZE * (size_t)like->ar.record_count,
           (size_t)old);
    for (uint32_t at = 0; at < old;) {
        const uint8_t *nul = memchr(k->names + at, 0, (size_t)(room - at));
        if (nul == NULL || nul >= k->names + old) break;
        size_t size = (size_t)(nul - k->names) - at;
        uint32_t *slot = find_slot(k, k->names + at, size);
        if (*slot == 0) *slot = at + 1;
        at += (uint32_t)size + 1;
    }
    k->names_size = (uint32_t)old;
    return true;
}

/* The length of a node's name without its extension; all of it if there is none. */
static size_t stem_of(const uint8_t *name, size_t size)
{
    for (size_t i = size; i-- > 0;) {
        if (name[i] == '.') return i + 1 < size ? i : size;
    }
    return size;
}

static const uint8_t *name_of(const struct packer *k, const struct node *node)
{
    return k->p->items[k->sorted[node->begin]].name + node->skipped;
}

/* Extensions first: there is little room for their offsets. One that does not fit is left in the
 * name, which is then the same. */
static bool take_offsets(struct packer *k)
{
    for (uint32_t i = 0; i < k->node_count; i++) {
        struct node *node = &k->nodes[i];
        const uint8_t *name = name_of(k, node);
        size_t stem = stem_of(name, node->name_size);
        bool is_new = node->record == NONE && !node->is_folder && stem < node->name_size;
        if (!is_new) continue;
        const uint8_t *extension = name + stem + 1;
        size_t size = node->name_size - stem - 1;
        uint32_t there = *find_slot(k, extension, size);
        uint32_t offset = there != 0 ? there - 1 : k->names_size;
        if (offset == 0 || offset > MOST_EXTENSION) continue;
        node->words[0] = put_name(k, extension, size);
    }
    for (uint32_t i = 0; i < k->node_count; i++) {
        struct node *node = &k->nodes[i];
        if (node->record != NONE) {
            const uint32_t *words = record_at(k, node->record);
            node->words[0] = words[1] & ~(uint32_t)MOST_SIZE;
            node->words[1] = words[2];
            continue;
        }
        const uint8_t *name = name_of(k, node);
        size_t size = node->words[0] != 0 ? stem_of(name, node->name_size) : node->name_size;
        uint32_t offset = put_name(k, name, size);
        if (offset > MOST_NAME) {
            return ossa__fail_nowhere(k->p->context, OSSA_CODE_LIMIT, "names_size",
                                      "the names total more than 256 KiB, which the archive "
                                      "cannot hold");
        }
        node->words[0] <<= 23;
        node->words[1] = offset << 14 | (node->is_folder ? 1 : 0);
    }
    return true;
}

/* ---- the archive --------------------------------------------------------------------------- */

static bool check_sizes(struct packer *k)
{
    for (uint32_t i = 0; i < k->p->count; i++) {
        uint64_t size = k->p->items[i].stored_size;
        if (size <= MOST_SIZE) continue;
        return ossa__ar_refuse(k->p, i, "size", OSSA_CODE_LIMIT,
                               "has more bytes than the 8388607 that an ARES archive can hold",
                               size);
    }
    return true;
}

static void write_tables(const struct packer *k)
{
    struct ossa__writer *writer = k->p->writer;
    ossa__write_text(writer, "ARES");
    ossa__write_u32(writer, k->node_count);
    ossa__write_u32(writer, k->root_count);
    ossa__write_u32(writer, k->names_size);
    for (uint32_t i = 0; i < k->node_count; i++) {
        const struct node *node = &k->nodes[i];
        const struct ossa__ar_item *item = &k->p->items[k->sorted[node->begin]];
        uint32_t size = node->is_folder ? node->count : (uint32_t)item->stored_size;
        ossa__write_u32(writer, node->is_folder ? node->first : (uint32_t)item->offset);
        ossa__write_u32(writer, node->words[0] | size);
        ossa__write_u32(writer, node->words[1]);
    }
    ossa__write_bytes(writer, k->names, k->names_size);
}

void ossa__ares_pack(struct ossa__ar_packer *p)
{
    struct packer k = {.p = p};
    if (p->like == NULL) p->alignment = ALIGNMENT;
    ossa__ar_take_data(p, false);
    if (!take_names(&k) || !find_parents(&k) || !grow_tree(&k)) return;
    if (!start_names(&k) || !take_offsets(&k) || !check_sizes(&k)) return;
    uint64_t begin = HEADER_SIZE + (uint64_t)NODE_SIZE * k.node_count + k.names_size;
    ossa__ar_lay_out(p, begin);
    if (p->context->failed) return;
    write_tables(&k);
    ossa__ar_write_data(p, begin);
}
