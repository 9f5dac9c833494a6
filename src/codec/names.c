/* SPDX-License-Identifier: MIT */
#include "codec/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a. */
uint32_t ossa__name_hash(const char *text)
{
    uint32_t hash = 2166136261U;
    for (; *text != '\0'; text++) hash = (hash ^ (uint8_t)*text) * 16777619U;
    return hash;
}

bool ossa__names_start(struct ossa__names *names, struct ossa__context *context, size_t capacity)
{
    uint64_t slots = 4; /* at least twice as many as names: a search always ends */
    while (slots < 4 * (uint64_t)capacity) slots *= 2;
    *names = (struct ossa__names){0};
    if (slots > UINT32_MAX) {
        return ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "too many names: %zu", capacity);
    }
    names->names = ossa__take(context, 2 * (uint64_t)capacity, sizeof *names->names);
    names->slots = ossa__take(context, slots, sizeof *names->slots);
    names->slot_mask = (uint32_t)slots - 1;
    if (names->slots == NULL) return false;
    memset(names->slots, 0, (size_t)slots * sizeof *names->slots);
    return true;
}

/* The slot of a name, or the free one where it would be. */
static uint32_t find_slot(const struct ossa__names *names, const char *text)
{
    uint32_t slot = ossa__name_hash(text) & names->slot_mask;
    while (names->slots[slot] != 0 &&
           strcmp(names->names[names->slots[slot] - 1].text, text) != 0) {
        slot = (slot + 1) & names->slot_mask;
    }
    return slot;
}

/* The text must live as long as the names. */
void ossa__names_reserve(struct ossa__names *names, const char *text)
{
    uint32_t slot = find_slot(names, text);
    if (names->slots[slot] != 0) return;
    names->names[names->count++] = (struct ossa__name){text, 2, true};
    names->slots[slot] = names->count;
}

bool ossa__names_has(const struct ossa__names *names, const char *text)
{
    return names->slots[find_slot(names, text)] != 0;
}

char *ossa__names_add(struct ossa__names *names, struct ossa__context *context, const char *text,
                      const char *separator)
{
    enum { DIGITS = 10 };
    size_t size = strlen(text);
    size_t room = strlen(separator) + DIGITS + 1;
    char *name = ossa__take(context, (uint64_t)size + room, 1);
    if (name == NULL) return NULL;
    memcpy(name, text, size + 1);
    uint32_t slot = find_slot(names, name);
    if (names->slots[slot] != 0) {
        struct ossa__name *first = &names->names[names->slots[slot] - 1];
        if (first->is_reserved) {
            first->is_reserved = false;
            return name;
        }
        do {
            (void)snprintf(name + size, room, "%s%" PRIu32, separator, first->next_number++);
            slot = find_slot(names, name);
        } while (names->slots[slot] != 0);
    }
    names->names[names->count++] = (struct ossa__name){name, 2, false};
    names->slots[slot] = names->count;
    return name;
}
