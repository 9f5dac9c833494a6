/* SPDX-License-Identifier: MIT
 *
 * A claim as a struct takes 112 bytes for what is often a scalar of two. Most claims begin where
 * the one before ended, and have its path, so they are kept as runs of bytes:
 *
 *   run    u64 offset, u32 number of the run, u16 size of what follows
 *   claim  label and flags; with HAS_PATH, depth and for each step a label and its index + 1; with
 *          HAS_COUNT, the count; with IS_INDEXED, the inner count
 *
 * Numbers have 7 bits per byte, low ones first. A run ends with its block. Runs may overlap, so
 * those that are under way are merged. */
#include "codec/claims.h"

#include "codec/sort.h"
#include "codec/trace.h"

#include <string.h>

enum {
    BLOCK_SIZE = 4000,
    RUN_HEAD = 14,
    NUMBER_SIZE = 10, /* at most */
    CLAIM_SIZE = (3 + 2 * OSSA__PATH_DEPTH) * NUMBER_SIZE + 1,
    IS_INDEXED = 1,
    HAS_PATH = 2,
    HAS_COUNT = 4, /* one that is not 1 */
    FLAG_BITS = 3,
    PROBES = 8,
};

struct ossa__claim_block {
    struct ossa__claim_block *next;
    size_t used;
    uint8_t bytes[BLOCK_SIZE];
};

struct ossa__claim_label {
    const char *name;
    const struct ossa__shape *shape; /* NULL: a step of a path */
};

/* Where a run is being given back: small, because many runs may begin at the same offset. */
struct ossa__claim_cursor {
    const uint8_t *at;   /* the next claim */
    const uint8_t *path; /* the depth and the steps that it has, too, if it says nothing */
    struct ossa__claim_cursor *next; /* spare one */
    uint64_t offset;                 /* of the next claim */
    uint32_t number;                 /* of the run */
    uint16_t left;                   /* bytes of it */
};

/* ---- keeping ------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *to, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) *to++ = (uint8_t)(number | 0x80);
    *to++ = (uint8_t)number;
    return to;
}

static size_t hash_of(const char *name, const struct ossa__shape *shape)
{
    uint64_t sum = (uint64_t)(uintptr_t)name * 31 + (uint64_t)(uintptr_t)shape;
    return (size_t)((sum * UINT64_C(0x9e3779b97f4a7c15)) >> 56); /* OSSA__KNOWN_LABELS */
}

static bool grow_labels(struct ossa__context *context, struct ossa__claims *claims)
{
    uint32_t capacity = claims->label_capacity == 0 ? 64 : 2 * claims->label_capacity;
    struct ossa__claim_label *labels = ossa__take(context, capacity, sizeof *labels);
    if (labels == NULL) return false;
    if (claims->label_count > 0) {
        memcpy(labels, claims->labels, claims->label_count * sizeof *labels);
    }
    claims->labels = labels;
    claims->label_capacity = capacity;
    return true;
}

/* The number of a label. Names are told apart by their addresses, and one that is forgotten is made
 * again. */
static uint32_t label_of(struct ossa__context *context, struct ossa__claims *claims,
                         const char *name, const struct ossa__shape *shape)
{
    size_t home = hash_of(name, shape);
    size_t slot = home;
    for (unsigned i = 0; i < PROBES; i++) {
        size_t probed = (home + i) % OSSA__KNOWN_LABELS;
        uint32_t known = claims->known[probed];
        if (known == 0) {
            slot = probed;
            break;
        }
        const struct ossa__claim_label *label = &claims->labels[known - 1];
        if (label->name == name && label->shape == shape) return known - 1;
    }
    if (claims->label_count == claims->label_capacity && !grow_labels(context, claims)) return 0;
    claims->labels[claims->label_count++] = (struct ossa__claim_label){name, shape};
    claims->known[slot] = claims->label_count;
    return claims->label_count - 1;
}

/* Room for a claim at the end of the last block, or in a new one. */
static bool make_room(struct ossa__context *context, struct ossa__claims *claims, bool *is_new)
{
    struct ossa__claim_block *last = claims->last;
    if (last != NULL && BLOCK_SIZE - last->used >= RUN_HEAD + CLAIM_SIZE) return true;
    struct ossa__claim_block *block = ossa__take(context, 1, sizeof *block);
    if (block == NULL) return false;
    block->next = NULL;
    block->used = 0;
    if (last == NULL) claims->first = block;
    else last->next = block;
    claims->last = block;
    *is_new = true;
    return true;
}

static void start_run(struct ossa__claims *claims, uint64_t offset)
{
    struct ossa__claim_block *block = claims->last;
    claims->run = block->used;
    memcpy(block->bytes + block->used, &offset, 8);
    memcpy(block->bytes + block->used + 8, &claims->run_count, 4);
    memset(block->bytes + block->used + 12, 0, 2);
    block->used += RUN_HEAD;
    claims->run_count++;
}

static bool has_path_of(const struct ossa__claim *a, const struct ossa__claim *b)
{
    bool is_same = a->depth == b->depth;
    for (unsigned i = 0; is_same && i < a->depth; i++) {
        is_same = a->path[i].name == b->path[i].name && a->path[i].index == b->path[i].index;
    }
    return is_same;
}

void ossa__claims_add(struct ossa__context *context, struct ossa__claims *claims,
                      const struct ossa__claim *claim, uint64_t size)
{
    bool is_new = claims->run_count == 0 || claims->end != claim->offset;
    uint32_t label = label_of(context, claims, claim->field, claim->shape);
    uint32_t steps[OSSA__PATH_DEPTH];
    for (unsigned i = 0; i < claim->depth; i++) {
        steps[i] = label_of(context, claims, claim->path[i].name, NULL);
    }
    if (context->failed || !make_room(context, claims, &is_new)) return;
    if (is_new) start_run(claims, claim->offset);
    bool has_path = is_new || !has_path_of(claim, &claims->latest);
    unsigned flags = (claim->indexed ? IS_INDEXED : 0) | (has_path ? HAS_PATH : 0) |
                     (claim->count != 1 ? HAS_COUNT : 0);
    struct ossa__claim_block *block = claims->last;
    uint8_t *to = block->bytes + block->used;
    to = put(to, (uint64_t)label << FLAG_BITS | flags);
    if (has_path) *to++ = claim->depth;
    for (unsigned i = 0; has_path && i < claim->depth; i++) {
        to = put(put(to, steps[i]), claim->path[i].index + 1); /* OSSA__NO_INDEX is 0 */
    }
    if (claim->count != 1) to = put(to, claim->count);
    if (claim->indexed) to = put(to, claim->inner);
    block->used = (size_t)(to - block->bytes);
    uint16_t length = (uint16_t)(block->used - claims->run - RUN_HEAD);
    memcpy(block->bytes + claims->run + 12, &length, 2);
    claims->latest = *claim;
    claims->end = claim->offset + size;
}

/* ---- giving back --------------------------------------------------------------------------- */

static uint64_t take(const uint8_t **at)
{
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return number;
    }
}

/* Returns what follows the path. */
static const uint8_t *decode_path(const struct ossa__claims *claims, const uint8_t *at,
                                  struct ossa__claim *claim)
{
    claim->depth = *at++;
    for (unsigned i = 0; i < claim->depth; i++) {
        claim->path[i].name = claims->labels[take(&at)].name;
        claim->path[i].index = take(&at) - 1;
    }
    return at;
}

/* The claim at the cursor, which goes on to the next: it begins where this one ends. */
static void decode(const struct ossa__claims *claims, struct ossa__claim_cursor *cursor,
                   struct ossa__claim *claim)
{
    const uint8_t *at = cursor->at;
    uint64_t head = take(&at);
    const struct ossa__claim_label *label = &claims->labels[head >> FLAG_BITS];
    if ((head & HAS_PATH) != 0) cursor->path = at;
    const uint8_t *behind = decode_path(claims, cursor->path, claim);
    if ((head & HAS_PATH) != 0) at = behind;
    claim->offset = cursor->offset;
    claim->field = label->name;
    claim->shape = label->shape;
    claim->indexed = (head & IS_INDEXED) != 0;
    claim->count = (head & HAS_COUNT) != 0 ? take(&at) : 1;
    claim->inner = claim->indexed ? take(&at) : 0;
    cursor->left = (uint16_t)(cursor->left - (at - cursor->at));
    cursor->at = at;
    cursor->offset += claim->count * ossa__shape_size(claim->shape);
}

static uint64_t offset_of(const uint8_t *run)
{
    uint64_t offset;
    memcpy(&offset, run, 8);
    return offset;
}

static bool run_before(const void *a, const void *b, void *user)
{
    (void)user;
    const uint8_t *const *x = a;
    const uint8_t *const *y = b;
    return offset_of(*x) < offset_of(*y);
}

bool ossa__claims_sort(struct ossa__context *context, struct ossa__claims *claims)
{
    const uint8_t **order = ossa__take(context, claims->run_count, sizeof *order);
    size_t count = 0;
    if (order == NULL) return false;
    for (const struct ossa__claim_block *b = claims->first; b != NULL; b = b->next) {
        for (size_t at = 0; at < b->used; count++) {
            uint16_t length;
            memcpy(&length, b->bytes + at + 12, 2);
            order[count] = b->bytes + at;
            at += RUN_HEAD + (size_t)length;
        }
    }
    claims->order = order;
    return ossa__sort(context, order, count, sizeof *order, run_before, NULL);
}

static bool cursor_before(const struct ossa__claim_cursor *a, const struct ossa__claim_cursor *b)
{
    return a->offset != b->offset ? a->offset < b->offset : a->number < b->number;
}

static void sink(struct ossa__claims *claims)
{
    struct ossa__claim_cursor **heap = claims->heap;
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < claims->heap_count; child++) {
            if (cursor_before(heap[child], heap[least])) least = child;
        }
        if (least == i) return;
        struct ossa__claim_cursor *swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

static bool push(struct ossa__context *context, struct ossa__claims *claims,
                 struct ossa__claim_cursor *cursor)
{
    if (claims->heap_count == claims->heap_capacity) {
        uint32_t capacity = claims->heap_capacity == 0 ? 8 : 2 * claims->heap_capacity;
        struct ossa__claim_cursor **heap = ossa__take(context, capacity, sizeof(void *));
        if (heap == NULL) return false;
        if (claims->heap_count > 0) {
            memcpy(heap, claims->heap, claims->heap_count * sizeof(void *));
        }
        claims->heap = heap;
        claims->heap_capacity = capacity;
    }
    size_t i = claims->heap_count++;
    for (; i > 0 && cursor_before(cursor, claims->heap[(i - 1) / 2]); i = (i - 1) / 2) {
        claims->heap[i] = claims->heap[(i - 1) / 2];
    }
    claims->heap[i] = cursor;
    return true;
}

/* Does the next run begin before what is under way goes on? */
static bool is_due(const struct ossa__claims *claims)
{
    struct ossa__claim_cursor start;
    if (claims->next == claims->run_count) return false;
    if (claims->heap_count == 0) return true;
    start.offset = offset_of(claims->order[claims->next]);
    memcpy(&start.number, claims->order[claims->next] + 8, 4);
    return cursor_before(&start, claims->heap[0]);
}

static bool open_run(struct ossa__context *context, struct ossa__claims *claims)
{
    const uint8_t *run = claims->order[claims->next];
    struct ossa__claim_cursor *cursor = claims->spare;
    if (cursor != NULL) claims->spare = cursor->next;
    else cursor = ossa__take(context, 1, sizeof *cursor);
    if (cursor == NULL) return false;
    cursor->offset = offset_of(run);
    memcpy(&cursor->number, run + 8, 4);
    memcpy(&cursor->left, run + 12, 2);
    cursor->at = run + RUN_HEAD;
    cursor->path = cursor->at; /* until the first claim, which has one */
    claims->next++;
    return push(context, claims, cursor);
}

bool ossa__claims_next(struct ossa__context *context, struct ossa__claims *claims,
                       struct ossa__claim *claim)
{
    if (is_due(claims) && !open_run(context, claims)) return false;
    if (claims->heap_count == 0) return false;
    struct ossa__claim_cursor *cursor = claims->heap[0];
    decode(claims, cursor, claim);
    if (cursor->left == 0) {
        claims->heap[0] = claims->heap[--claims->heap_count];
        cursor->next = claims->spare;
        claims->spare = cursor;
    }
    sink(claims);
    return true;
}
