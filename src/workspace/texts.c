/* SPDX-License-Identifier: MIT
 *
 * Finding texts among many: the same one, and those that begin with one. */
#include "workspace/workspace.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

/* ---- the same ------------------------------------------------------------------------------ */

static struct ossa__cell *find_cell(const struct ossa__table *table, const char *text, size_t size)
{
    size_t slot = (size_t)ossa__hash_bytes(text, size) & (table->capacity - 1);
    for (;; slot = (slot + 1) & (table->capacity - 1)) {
        struct ossa__cell *cell = &table->cells[slot];
        if (cell->text == NULL) return cell;
        if (cell->size == size && memcmp(cell->text, text, size) == 0) return cell;
    }
}

struct ossa__cell *ossa__table_put(struct ossa__table *table, struct ossa__arena *arena,
                                   const char *text, size_t size)
{
    if (2 * table->count >= table->capacity) {
        struct ossa__table larger = {.capacity = table->capacity == 0 ? 16 : 2 * table->capacity};
        larger.cells = ossa__arena_take(arena, (uint64_t)larger.capacity * sizeof *larger.cells);
        if (larger.cells == NULL) return NULL;
        memset(larger.cells, 0, larger.capacity * sizeof *larger.cells);
        larger.count = table->count;
        for (size_t i = 0; i < table->capacity; i++) {
            const struct ossa__cell *cell = &table->cells[i];
            if (cell->text != NULL) *find_cell(&larger, cell->text, cell->size) = *cell;
        }
        *table = larger;
    }
    struct ossa__cell *cell = find_cell(table, text, size);
    if (cell->text == NULL) {
        *cell = (struct ossa__cell){.text = text, .size = size};
        table->count++;
    }
    return cell;
}

/* ---- the same beginning -------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const struct ossa__sorted_name *x = a;
    const struct ossa__sorted_name *y = b;
    int order = ossa__compare_names(x->text, y->text);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

void ossa__names_sort(struct ossa__sorted_names *names)
{
    if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, by_text);
}

/* Where a name stands to those that begin with a text: -1 before, 0 among, 1 behind them. */
static int compare_start(struct ossa__sorted_names *names, size_t index, const char *start,
                         size_t size)
{
    const char *text = names->items[index].text;
    size_t length = strlen(text);
    names->compared++;
    if (ossa__common_start(start, size, text, length).a == size) return 0;
    return ossa__compare_sized_names(text, length, start, size) < 0 ? -1 : 1;
}

size_t ossa__names_find(struct ossa__sorted_names *names, const char *start, size_t size,
                        size_t *first)
{
    size_t low = 0;
    for (size_t end = names->count; low < end;) {
        size_t middle = low + (end - low) / 2;
        if (compare_start(names, middle, start, size) < 0) low = middle + 1;
        else end = middle;
    }
    *first = low;
    if (low == names->count) return 0;
    for (size_t end = names->count; low < end;) {
        size_t middle = low + (end - low) / 2;
        if (compare_start(names, middle, start, size) <= 0) low = middle + 1;
        else end = middle;
    }
    return low - *first;
}

size_t ossa__names_find_new(struct ossa__sorted_names *names, const char *start, size_t size,
                            size_t *first)
{
    size_t count = ossa__names_find(names, start, size, first);
    if (count == 0 || names->items[*first].found >= count) return 0;
    names->items[*first].found = count;
    names->compared += count;
    return count;
}
