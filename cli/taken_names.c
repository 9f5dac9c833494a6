/* SPDX-License-Identifier: MIT */
#include "taken_names.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

struct taken_slot {
    uint64_t hash; /* of the path without regard to case; 0: free */
    bool is_folder;
    uint32_t number; /* to try next for a file that wants the same name */
    uint32_t folder; /* the same for a folder: the one it has got, which others share */
};

static struct taken_slot *find_slot(struct taken_slot *slots, size_t capacity, uint64_t hash)
{
    size_t slot = (size_t)hash & (capacity - 1);
    while (slots[slot].hash != 0 && slots[slot].hash != hash) slot = (slot + 1) & (capacity - 1);
    return &slots[slot];
}

static bool grow(struct taken_names *taken)
{
    if (2 * (taken->count + 1) <= taken->capacity) return true;
    size_t capacity = taken->capacity == 0 ? 64 : 2 * taken->capacity;
    struct taken_slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t i = 0; i < taken->capacity; i++) {
        const struct taken_slot *old = &taken->slots[i];
        if (old->hash != 0) *find_slot(slots, capacity, old->hash) = *old;
    }
    free(taken->slots);
    taken->slots = slots;
    taken->capacity = capacity;
    return true;
}

/* The slot of a path; one that is free becomes that of `path`, and `*is_new` is set. NULL where
 * there is no memory. */
static struct taken_slot *take(struct taken_names *taken, const char *path, bool is_folder,
                               bool *is_new)
{
    if (!grow(taken)) return NULL;
    uint64_t hash = ossa__hash_path(path) | 1; /* never 0 */
    struct taken_slot *slot = find_slot(taken->slots, taken->capacity, hash);
    *is_new = slot->hash == 0;
    if (*is_new) {
        *slot = (struct taken_slot){hash, is_folder, 2, 2};
        taken->count++;
    }
    return slot;
}

/* Where a number goes into a path: before the extension of a file, so that it stays what it is. */
static size_t place_of_number(const char *path, bool is_folder)
{
    size_t size = strlen(path);
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *dot = is_folder ? NULL : strrchr(name, '.');
    return dot == NULL || dot == name ? size : (size_t)(dot - path);
}

/* Take the path that ends here, with a number in it if need be. Folders share theirs. The numbers
 * go on where the last one for this name ended, so that many of one name stay quick. */
static bool take_part(struct taken_names *taken, char *path, size_t capacity, bool is_folder)
{
    bool is_new;
    struct taken_slot *slot = take(taken, path, is_folder, &is_new);
    if (slot == NULL || is_new || (is_folder && slot->is_folder)) return slot != NULL;
    uint64_t hash = slot->hash;
    uint32_t number = is_folder ? slot->folder : slot->number;
    size_t place = place_of_number(path, is_folder);
    char *extension = strdup(path + place);
    if (extension == NULL) return false;
    while (true) {
        (void)snprintf(path + place, capacity - place, "_%u%s", (unsigned)number, extension);
        slot = take(taken, path, is_folder, &is_new);
        if (slot == NULL || is_new || (is_folder && slot->is_folder)) break;
        number++;
    }
    free(extension);
    struct taken_slot *first = find_slot(taken->slots, taken->capacity, hash);
    if (is_folder) first->folder = number;
    else first->number = number + 1;
    return slot != NULL;
}

char *take_path(struct taken_names *taken, const char *name, bool for_folder)
{
    enum { NUMBER = 12 }; /* room for one, in each part of the path */
    size_t size = ossa_entry_path(name, NULL, 0) + 1;
    char *safe = malloc(size);
    size_t parts = 1;
    if (safe == NULL) return NULL;
    (void)ossa_entry_path(name, safe, size);
    for (const char *c = safe; *c != '\0'; c++) parts += *c == '/';
    size_t capacity = size + parts * NUMBER;
    char *path = calloc(capacity, 1);
    bool ok = path != NULL;
    for (const char *part = safe; ok && *part != '\0';) {
        size_t length = strcspn(part, "/");
        bool is_folder = part[length] == '/';
        size_t used = strlen(path);
        (void)snprintf(path + used, capacity - used, "%s%.*s", used > 0 ? "/" : "", (int)length,
                       part);
        ok = take_part(taken, path, capacity, is_folder || for_folder);
        part += length + (is_folder ? 1 : 0);
    }
    free(safe);
    if (ok) return path;
    free(path);
    return NULL;
}

void taken_free(struct taken_names *taken)
{
    free(taken->slots);
    *taken = (struct taken_names){0};
}
