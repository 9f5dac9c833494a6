/* SPDX-License-Identifier: MIT */
#include "names.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

struct name_slot {
    uint64_t hash; /* of the path, ignoring case; 0: free */
    bool is_folder;
    char *spelling;  /* of a folder's last part, when it was first taken; from malloc */
    uint32_t number; /* to try next for a file that wants this path */
    uint32_t folder; /* the number that folders of this path share */
};

static struct name_slot *find_slot(struct name_slot *slots, size_t capacity, uint64_t hash)
{
    size_t slot = (size_t)hash & (capacity - 1);
    while (slots[slot].hash != 0 && slots[slot].hash != hash) slot = (slot + 1) & (capacity - 1);
    return &slots[slot];
}

static void grow(struct names *names)
{
    if (2 * (names->count + 1) <= names->capacity) return;
    size_t capacity = names->capacity == 0 ? 64 : 2 * names->capacity;
    struct name_slot *slots = allocate(capacity, sizeof *slots);
    for (size_t i = 0; i < names->capacity; i++) {
        const struct name_slot *old = &names->slots[i];
        if (old->hash != 0) *find_slot(slots, capacity, old->hash) = *old;
    }
    free(names->slots);
    names->slots = slots;
    names->capacity = capacity;
}

/* The slot of a hash; `*is_ours`: it was free, or is a folder that can be shared. */
static struct name_slot *take(struct names *names, uint64_t hash, bool is_folder, bool *is_ours)
{
    grow(names);
    hash |= 1; /* never 0 */
    struct name_slot *slot = find_slot(names->slots, names->capacity, hash);
    *is_ours = slot->hash == 0 || (is_folder && slot->is_folder);
    if (slot->hash == 0) {
        *slot = (struct name_slot){.hash = hash, .is_folder = is_folder, .number = 2, .folder = 2};
        names->count++;
    }
    return slot;
}

bool names_add(struct names *names, uint64_t hash)
{
    bool is_new;
    (void)take(names, hash, false, &is_new);
    return is_new;
}

bool names_has(const struct names *names, uint64_t hash)
{
    hash |= 1;
    return names->count > 0 && find_slot(names->slots, names->capacity, hash)->hash == hash;
}

/* A folder has one spelling: where letter case does not count, it would get only the first, and the
 * paths of files in it would not be found again where it does. */
static char *spell(struct name_slot *slot, char *name)
{
    if (!slot->is_folder) return name;
    if (slot->spelling == NULL) {
        slot->spelling = copy_text(name);
        return name;
    }
    free(name);
    return copy_text(slot->spelling);
}

/* The hash of a name in a folder, by the hash of the folder, so that nothing is hashed twice; 0 is
 * that of the top. */
static uint64_t hash_in(uint64_t folder, const char *name)
{
    const uint64_t both[] = {folder, ossa__hash_path(name)};
    return folder == 0 ? both[1] : ossa__hash_bytes((const char *)both, sizeof both);
}

/* Take a name in a folder, from malloc, with a number before its extension if it is in use. The
 * next number is remembered, so that many equal names stay fast. The folder becomes what was taken.
 */
static char *take_numbered(struct names *names, uint64_t *folder, char *name, bool is_folder)
{
    bool is_ours;
    uint64_t hash = hash_in(*folder, name);
    struct name_slot *slot = take(names, hash, is_folder, &is_ours);
    if (is_ours) {
        *folder = hash;
        return spell(slot, name);
    }
    const uint64_t wanted = slot->hash;
    uint32_t number = is_folder ? slot->folder : slot->number;
    const char *dot = is_folder ? NULL : strrchr(name, '.');
    size_t stem = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
    char *numbered = NULL;
    while (!is_ours) {
        free(numbered);
        numbered = format_text("%.*s_%u%s", (int)stem, name, (unsigned)number++, name + stem);
        hash = hash_in(*folder, numbered);
        slot = take(names, hash, is_folder, &is_ours);
    }
    numbered = spell(slot, numbered);
    struct name_slot *first = find_slot(names->slots, names->capacity, wanted);
    if (is_folder) first->folder = number - 1;
    else first->number = number;
    free(name);
    *folder = hash;
    return numbered;
}

char *names_take_path(struct names *names, const char *entry, bool for_folder)
{
    size_t size = ossa_entry_path(entry, NULL, 0) + 1;
    char *safe = allocate(size, 1);
    (void)ossa_entry_path(entry, safe, size);
    char *path = NULL;
    size_t used = 0;
    size_t capacity = 0;
    uint64_t folder = 0;
    for (const char *part = safe; *part != '\0';) {
        size_t length = strcspn(part, "/");
        bool is_folder = part[length] == '/';
        char *name = take_numbered(names, &folder, format_text("%.*s", (int)length, part),
                                   is_folder || for_folder);
        size_t longer = strlen(name) + 1;
        if (used + longer > capacity) { /* twice as much, so that long paths stay fast */
            char *larger = allocate(2 * (used + longer), 1);
            if (path != NULL) memcpy(larger, path, used);
            free(path);
            path = larger;
            capacity = 2 * (used + longer);
        }
        if (used > 0) path[used - 1] = '/';
        memcpy(path + used, name, longer);
        used += longer;
        free(name);
        part += length + (is_folder ? 1 : 0);
    }
    free(safe);
    return path == NULL ? copy_text("") : path;
}

void make_file_names(struct names *names, struct texts *list, const char *end)
{
    bool *is_new = allocate(list->count, sizeof *is_new);
    for (size_t i = 0; i < list->count; i++) {
        char *name = list->items[i];
        size_t size = ossa_file_name(name, NULL, 0) + 1;
        char *clean = allocate(size, 1);
        (void)ossa_file_name(name, clean, size);
        list->items[i] = format_text("%s%s", clean, end);
        is_new[i] = names_add(names, ossa__hash_path(list->items[i]));
        free(clean);
        free(name);
    }
    /* After all names as they are: a number never takes the name of a later one. */
    for (size_t i = 0; i < list->count; i++) {
        uint64_t top = 0;
        if (!is_new[i]) list->items[i] = take_numbered(names, &top, list->items[i], false);
    }
    free(is_new);
}

void names_free(struct names *names)
{
    for (size_t i = 0; i < names->capacity; i++) free(names->slots[i].spelling);
    free(names->slots);
    *names = (struct names){0};
}
