/* SPDX-License-Identifier: MIT */
#include "file_names.h"

#include "base/fold.h"
#include "ossa/archive.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 200, /* bytes, without the end; most file systems take 255 in all */
    ROOM = LONGEST + 32,
    NUMBER = 24, /* the longest _ and number that may have to be put behind it */
};

struct entry {
    const char *name;
    size_t index;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int difference = ossa__compare_names(x->name, y->name);
    if (difference != 0) return difference;
    return (x->index > y->index) - (x->index < y->index);
}

static int compare_to_name(const void *key, const void *entry)
{
    return ossa__compare_names(key, ((const struct entry *)entry)->name);
}

/* Of names that are the same but for case the first keeps it; the others get a number that no name
 * as it was has. `sorted` are copies, so that numbering does not disturb the order. */
static void number_names(char **names, struct entry *sorted, size_t count)
{
    size_t number = 2;
    for (size_t i = 1; i < count; i++) {
        if (ossa__compare_names(sorted[i].name, sorted[i - 1].name) != 0) {
            number = 2;
            continue;
        }
        char *name = names[sorted[i].index];
        size_t size = strlen(name);
        do {
            (void)snprintf(name + size, NUMBER, "_%zu", number++);
        } while (bsearch(name, sorted, count, sizeof *sorted, compare_to_name) != NULL);
    }
}

/* A cleaned name with room for a number and the end; NULL where there is no memory. */
static char *make_name(const char *name, const char *end)
{
    char cleaned[ROOM];
    (void)ossa_file_name(name, cleaned, sizeof cleaned);
    size_t size = strlen(cleaned);
    char *made = malloc(size + NUMBER + strlen(end) + 1);
    if (made != NULL) memcpy(made, cleaned, size + 1);
    return made;
}

/* The names in order, with copies of them behind the list, from malloc. */
static struct entry *sort_names(char *const *names, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) size += strlen(names[i]) + 1;
    struct entry *sorted = malloc((count + 1) * sizeof *sorted + size);
    if (sorted == NULL) return NULL;
    char *copy = (char *)(sorted + count + 1);
    for (size_t i = 0; i < count; i++) {
        size = strlen(names[i]) + 1;
        memcpy(copy, names[i], size);
        sorted[i] = (struct entry){copy, i};
        copy += size;
    }
    if (count > 0) qsort(sorted, count, sizeof *sorted, compare_entries);
    return sorted;
}

char **make_file_names(const char *const *names, size_t count, const char *end)
{
    char **made = calloc(count + 1, sizeof *made);
    bool ok = made != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        made[i] = make_name(names[i], end);
        ok = made[i] != NULL;
    }
    struct entry *sorted = ok ? sort_names(made, count) : NULL;
    if (sorted == NULL) {
        free_file_names(made, count);
        return NULL;
    }
    number_names(made, sorted, count);
    for (size_t i = 0; i < count; i++) memcpy(made[i] + strlen(made[i]), end, strlen(end) + 1);
    free(sorted);
    return made;
}

void free_file_names(char **names, size_t count)
{
    for (size_t i = 0; names != NULL && i < count; i++) free(names[i]);
    free(names);
}
