/* SPDX-License-Identifier: MIT */
#include "names.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER = 12 }; /* room for "_4294967295" */

struct name_slot {
    uint64_t hash; /* of the path, ignoring case; 0: free */
    bool is_folder;
    uint32_t number; /* to try next for a file that wants this path */
    uint32_t folder; /* the number that folders of this path share */
};

static struct name_slot *find_slot(struct name_slot *slots, size_t capacity, uint64_t hash)
{
    size_t slot = (size_t)hash & (capacity - 1);
    while (slots[slot].hash != 0 && slots[slot].hash != hash) slot = (slot + 1) & (capacity - 1);
    return &slots[slot];
}

static bool grow(struct names *names)
{
    if (2 * (names->count + 1) <= names->capacity) return true;
    size_t capacity = names->capacity == 0 ? 64 : 2 * names->capacity;
    struct name_slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t i = 0; i < names->capacity; i++) {
        const struct name_slot *old = &names->slots[i];
        if (old->hash != 0) *find_slot(slots, capacity, old->hash) = *old;
    }
    free(names->slots);
    names->slots = slots;
    names->capacity = capacity;
    return true;
}

/* The slot of a path, NULL if memory runs out; `*is_ours`: it was free, or is a folder that can be
 * shared. */
static struct name_slot *take(struct names *names, const char *path, bool is_folder, bool *is_ours)
{
    if (!grow(names)) return NULL;
    uint64_t hash = ossa__hash_path(path) | 1; /* never 0 */
    struct name_slot *slot = find_slot(names->slots, names->capacity, hash);
    *is_ours = slot->hash == 0 || (is_folder && slot->is_folder);
    if (slot->hash == 0) {
        *slot = (struct name_slot){hash, is_folder, 2, 2};
        names->count++;
    }
    return slot;
}

/* Take a path, with a number before its extension if it is in use. `path` has room for that. The
 * next number is remembered, so that many equal names stay fast. */
static bool take_numbered(struct names *names, char *path, bool is_folder)
{
    bool is_ours;
    const struct name_slot *slot = take(names, path, is_folder, &is_ours);
    if (slot == NULL || is_ours) return slot != NULL;
    uint64_t hash = slot->hash;
    uint32_t number = is_folder ? slot->folder : slot->number;
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *dot = is_folder ? NULL : strrchr(name, '.');
    char *extension = strdup(dot == NULL || dot == name ? "" : dot);
    if (extension == NULL) return false;
    size_t stem = strlen(path) - strlen(extension);
    while (true) {
        (void)snprintf(path + stem, strlen(extension) + NUMBER, "_%u%s", (unsigned)number,
                       extension);
        slot = take(names, path, is_folder, &is_ours);
        if (slot == NULL || is_ours) break;
        number++;
    }
    free(extension);
    struct name_slot *first = find_slot(names->slots, names->capacity, hash);
    if (is_folder) first->folder = number;
    else first->number = number + 1;
    return slot != NULL;
}

char *take_path(struct names *names, const char *entry, bool for_folder)
{
    size_t size = ossa_entry_path(entry, NULL, 0) + 1;
    char *safe = malloc(size);
    if (safe == NULL) return NULL;
    (void)ossa_entry_path(entry, safe, size);
    size_t capacity = size + NUMBER;
    for (const char *c = safe; *c != '\0'; c++) capacity += *c == '/' ? NUMBER : 0;
    char *path = calloc(capacity, 1);
    bool ok = path != NULL;
    for (const char *part = safe; ok && *part != '\0';) {
        size_t length = strcspn(part, "/");
        bool is_folder = part[length] == '/';
        size_t used = strlen(path);
        (void)snprintf(path + used, capacity - used, "%s%.*s", used > 0 ? "/" : "", (int)length,
                       part);
        ok = take_numbered(names, path, is_folder || for_folder);
        part += length + (is_folder ? 1 : 0);
    }
    free(safe);
    if (ok) return path;
    free(path);
    return NULL;
}

void names_free(struct names *names)
{
    free(names->slots);
    *names = (struct names){0};
}

/* ---- one name per clip or figure ----------------------------------------------------------- */

static char *clean_name(const char *name, const char *end)
{
    size_t size = ossa_file_name(name, NULL, 0) + 1;
    char *clean = malloc(size + NUMBER + strlen(end));
    if (clean == NULL) return NULL;
    (void)ossa_file_name(name, clean, size);
    memcpy(clean + size - 1, end, strlen(end) + 1);
    return clean;
}

char **make_file_names(const char *const *names, size_t count, const char *end)
{
    struct names used = {0};
    char **made = calloc(count + 1, sizeof *made);
    bool *is_first = calloc(count + 1, sizeof *is_first);
    bool ok = made != NULL && is_first != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        made[i] = clean_name(names[i], end);
        ok = made[i] != NULL && take(&used, made[i], false, &is_first[i]) != NULL;
    }
    /* After all names as they are: a number never takes the name of a later one. */
    for (size_t i = 0; ok && i < count; i++) {
        ok = is_first[i] || take_numbered(&used, made[i], false);
    }
    names_free(&used);
    free(is_first);
    if (ok) return made;
    free_texts(made, count);
    return NULL;
}
