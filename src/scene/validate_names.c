/* SPDX-License-Identifier: MIT
 *
 * Names that must differ. Checking a scene takes no memory and little of the stack: names are
 * compared with a table of some of them at a time. */
#include "scene/validate.h"

#include "base/fold.h"

#include <string.h>

enum { TOGETHER = 1024, SLOTS = 2 * TOGETHER };

struct name_table {
    uint16_t slots[SLOTS]; /* index + 1 since `first`; 0: free */
    uint32_t first;
};

/* The slot of a name, which is free if the name is not in the table. */
static uint16_t *find_slot(struct name_table *table, const ossa_scene *scene, uint32_t index,
                           ossa__item_name name_of)
{
    const char *name = name_of(scene, index);
    uint32_t slot = (uint32_t)ossa__hash_bytes(name, strlen(name)) % SLOTS;
    while (table->slots[slot] != 0 &&
           strcmp(name_of(scene, table->first + table->slots[slot] - 1U), name) != 0) {
        slot = (slot + 1) % SLOTS;
    }
    return &table->slots[slot];
}

uint32_t ossa__find_repeated(const ossa_scene *scene, uint32_t count, ossa__item_name name_of)
{
    struct name_table table;
    for (table.first = 0; table.first < count; table.first += TOGETHER) {
        memset(table.slots, 0, sizeof table.slots);
        for (uint32_t i = table.first; i < count; i++) {
            uint16_t *slot = find_slot(&table, scene, i, name_of);
            if (*slot != 0) return i;
            if (i - table.first < TOGETHER) *slot = (uint16_t)(i - table.first + 1);
        }
    }
    return count;
}
