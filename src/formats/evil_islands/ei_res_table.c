/* SPDX-License-Identifier: MIT
 *
 * The hash table of a RES archive: where the game looks for a name.
 *
 * It begins in the slot that the name's hash gives and follows the links from there. An entry whose
 * slot is taken goes into the highest free one, at the end of the chain that it found. That slot
 * may be the first one of other names, whose chain then goes on from there: chains run together, so
 * an entry need not have the same hash as those before it. */
#include "formats/evil_islands/ei_res.h"

#include <inttypes.h>
#include <string.h>

/* The hash: the sum of a name's bytes as signed chars, ASCII letters lowered. */
static int32_t sum_of(const void *name, size_t size)
{
    const uint8_t *bytes = name;
    int32_t sum = 0; /* of at most 65535 bytes */
    for (size_t i = 0; i < size; i++) {
        bool is_upper = bytes[i] >= 'A' && bytes[i] <= 'Z';
        sum += bytes[i] - (bytes[i] >= 0x80 ? 0x100 : 0) + (is_upper ? 'a' - 'A' : 0);
    }
    return sum;
}

/* What the game does with a negative sum is not known. Here it wraps around to an unsigned number,
 * as it does in C where a signed sum is divided by an unsigned count. */
uint32_t ossa__res_first_slot(const void *name, size_t size, uint32_t count)
{
    return (uint32_t)sum_of(name, size) % count;
}

/* ---- check --------------------------------------------------------------------------------- */

/* Slots and their links as a forest, in which a slot's parent is the next one in its chain. One
 * slot leads to another if it is in the other's subtree. Slots on a loop are roots, and lead to
 * each other. */
struct forest {
    const ossa_ei_res *res;
    uint32_t *pending;  /* slots that lead straight to this one and were not peeled off yet */
    uint32_t *peeled;   /* slots before those they lead to; loops are not among them */
    uint32_t *size;     /* of the subtree */
    uint32_t *position; /* of the subtree; its slots have the positions from there on */
    uint32_t *loop;     /* that a slot leads to, numbered from 1; 0: none */
    uint8_t *on_loop;
    uint32_t peeled_count;
};

/* -1: there is none, or none such. */
static int64_t next_of(const ossa_ei_res *res, uint32_t slot)
{
    int32_t next = res->entries[slot].next;
    return next >= 0 && (uint32_t)next < res->entry_count ? next : -1;
}

static bool take_forest(struct ossa__context *context, struct forest *forest)
{
    uint32_t count = forest->res->entry_count;
    forest->pending = ossa__take_scratch(context, count, sizeof(uint32_t));
    forest->peeled = ossa__take_scratch(context, count, sizeof(uint32_t));
    forest->size = ossa__take_scratch(context, count, sizeof(uint32_t));
    forest->position = ossa__take_scratch(context, count, sizeof(uint32_t));
    forest->loop = ossa__take_scratch(context, count, sizeof(uint32_t));
    forest->on_loop = ossa__take_scratch(context, count, 1);
    return !context->failed;
}

/* Take off the ends of the chains where they begin, again and again: what stays is on loops. */
static void peel(struct forest *forest)
{
    uint32_t count = forest->res->entry_count;
    for (uint32_t i = 0; i < count; i++) {
        forest->pending[i] = 0;
        forest->size[i] = 1;
        forest->loop[i] = 0;
        forest->on_loop[i] = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t next = next_of(forest->res, i);
        if (next >= 0) forest->pending[next]++;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (forest->pending[i] == 0) forest->peeled[found++] = i;
    }
    for (uint32_t i = 0; i < found; i++) {
        uint32_t slot = forest->peeled[i];
        int64_t next = next_of(forest->res, slot);
        forest->on_loop[slot] = 0;
        if (next < 0) continue;
        forest->size[next] += forest->size[slot];
        if (--forest->pending[next] == 0) forest->peeled[found++] = (uint32_t)next;
    }
    forest->peeled_count = found;
}

static void number_loops(struct ossa__context *context, struct forest *forest)
{
    const ossa_ei_res *res = forest->res;
    uint32_t loops = 0;
    for (uint32_t i = 0; i < res->entry_count; i++) {
        if (forest->on_loop[i] == 0 || forest->loop[i] != 0) continue;
        uint32_t length = 0;
        loops++;
        for (uint32_t slot = i; forest->loop[slot] == 0; length++) {
            forest->loop[slot] = loops;
            slot = (uint32_t)next_of(res, slot);
        }
        ossa__enter(context, "entries", i);
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE,
                    ossa__res_record_at(res, i) + OSSA__RES_NEXT, "next",
                    "the chain returns to this entry after %" PRIu32
                    " steps, expected it to end with -1",
                    length);
        ossa__leave(context);
    }
}

/* Roots first; `pending` then says where the next child of a slot goes. */
static void give_positions(struct forest *forest)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < forest->res->entry_count; i++) {
        if (forest->on_loop[i] == 0) continue;
        forest->position[i] = used;
        forest->pending[i] = used + 1;
        used += forest->size[i];
    }
    for (uint32_t i = forest->peeled_count; i-- > 0;) {
        uint32_t slot = forest->peeled[i];
        int64_t next = next_of(forest->res, slot);
        uint32_t *place = next < 0 ? &used : &forest->pending[next];
        forest->position[slot] = *place;
        *place += forest->size[slot];
        forest->pending[slot] = forest->position[slot] + 1;
        if (next >= 0) forest->loop[slot] = forest->loop[next];
    }
}

static bool leads_to(const struct forest *forest, uint32_t from, uint32_t to)
{
    if (forest->on_loop[to] != 0) return forest->loop[from] == forest->loop[to];
    uint32_t begin = forest->position[to];
    return forest->position[from] >= begin && forest->position[from] - begin < forest->size[to];
}

static void check_next(struct ossa__context *context, const ossa_ei_res *res, uint32_t slot)
{
    int32_t next = res->entries[slot].next;
    if (next == OSSA__RES_LAST || next_of(res, slot) >= 0) return;
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE,
                ossa__res_record_at(res, slot) + OSSA__RES_NEXT, "next",
                "there is no entry %" PRId32 ", expected -1 or one of the %" PRIu32, next,
                res->entry_count);
}

static void check_reach(struct ossa__context *context, const struct forest *forest, uint32_t slot)
{
    const ossa_ei_res *res = forest->res;
    const ossa_ei_name *name = &res->entries[slot].name;
    if (name->size == 0) return; /* reported elsewhere */
    uint32_t first = ossa__res_first_slot(name->bytes, name->size, res->entry_count);
    if (leads_to(forest, first, slot)) return;
    if (sum_of(name->bytes, name->size) < 0) {
        ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_BAD_ORDER,
                    ossa__res_record_at(res, slot), "",
                    "whether the game finds it is not known: the hash of its name is negative");
        return;
    }
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, ossa__res_record_at(res, slot),
                "",
                "the game does not find it: its search for the name starts at entry %" PRIu32
                ", and that chain does not lead here",
                first);
}

void ossa__res_check_chains(struct ossa__context *context, const ossa_ei_res *res)
{
    struct forest forest = {.res = res};
    if (!take_forest(context, &forest)) return;
    peel(&forest);
    number_loops(context, &forest);
    give_positions(&forest);
    for (uint32_t i = 0; i < res->entry_count; i++) {
        ossa__enter(context, "entries", i);
        check_next(context, res, i);
        check_reach(context, &forest, i);
        ossa__leave(context);
    }
}

/* ---- fill ---------------------------------------------------------------------------------- */

/* The last slot of the chain that a slot is in. `ahead` has for each one a later one, or itself,
 * and learns: a long chain is not walked twice. */
static uint32_t find_last(uint32_t *ahead, uint32_t slot)
{
    uint32_t last = slot;
    while (ahead[last] != last) last = ahead[last];
    while (ahead[slot] != last) {
        uint32_t next = ahead[slot];
        ahead[slot] = last;
        slot = next;
    }
    return last;
}

void ossa__res_fill_table(struct ossa__context *context, uint32_t *slots, int32_t *next,
                          uint32_t count)
{
    uint32_t *ahead = ossa__take(context, count, sizeof *ahead);
    uint8_t *is_taken = ossa__take(context, count, 1);
    if (is_taken == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        ahead[i] = i;
        is_taken[i] = 0;
        next[i] = OSSA__RES_LAST;
    }
    uint32_t free_end = count; /* all slots from here on are taken */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = slots[i];
        if (is_taken[slot] != 0) {
            uint32_t last = find_last(ahead, slot);
            /* As many entries as slots: one is free. */
            while (is_taken[free_end - 1] != 0) free_end--;
            slot = --free_end;
            next[last] = (int32_t)slot;
            ahead[last] = slot;
        }
        is_taken[slot] = 1;
        slots[i] = slot;
    }
}
