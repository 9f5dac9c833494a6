/* SPDX-License-Identifier: MIT */
#include "page_names.h"

#include <stdlib.h>
#include <string.h>

/* Append a name to a path; .. removes the last one. */
static size_t add_name(char *path, size_t used, const char *name, size_t size)
{
    if (size == 0 || (size == 1 && name[0] == '.')) return used;
    if (size == 2 && name[0] == '.' && name[1] == '.') {
        while (used > 0 && path[--used] != '/') {
        }
        return used;
    }
    if (used > 0) path[used++] = '/';
    memcpy(path + used, name, size);
    return used + size;
}

char *plain_path(const char *path)
{
    char *here = path[0] == '/' ? NULL : os_full_path(".");
    const char *parts[2] = {here == NULL ? "" : here, path};
    char *plain = malloc(strlen(parts[0]) + strlen(parts[1]) + 2);
    size_t used = 0;
    for (size_t i = 0; plain != NULL && i < 2; i++) {
        for (const char *name = parts[i]; *name != '\0';) {
            size_t size = strcspn(name, "/");
            used = add_name(plain, used, name, size);
            name += size + (name[size] == '/' ? 1 : 0);
        }
    }
    if (plain != NULL) plain[used] = '\0';
    free(here);
    return plain;
}

/* The size of the parent folder, without the separator. */
static size_t parent_size(const char *path, size_t size)
{
    while (size > 0 && path[size - 1] != '/') size--;
    return size > 0 ? size - 1 : 0;
}

/* ---- roots --------------------------------------------------------------------------------- */

bool roots_add(struct roots *roots, const char *path, bool alone, size_t *size)
{
    *size = parent_size(path, strlen(path));
    if (!alone) *size = parent_size(path, *size);
    /* Files of one folder follow each other. */
    const char *last = roots->count == 0 ? NULL : roots->folders[roots->count - 1];
    if (last != NULL && strlen(last) == *size && memcmp(last, path, *size) == 0) return true;
    if (roots->count == roots->capacity) {
        size_t capacity = roots->capacity == 0 ? 16 : roots->capacity * 2;
        char **larger = realloc(roots->folders, capacity * sizeof *larger);
        if (larger == NULL) return false;
        roots->folders = larger;
        roots->capacity = capacity;
    }
    char *folder = strndup(path, *size);
    if (folder == NULL) return false;
    roots->folders[roots->count++] = folder;
    return true;
}

void roots_free(struct roots *roots)
{
    for (size_t i = 0; i < roots->count; i++) free(roots->folders[i]);
    free(roots->folders);
    *roots = (struct roots){0};
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_once(struct roots *roots)
{
    if (roots->count == 0) return;
    qsort(roots->folders, roots->count, sizeof *roots->folders, compare_texts);
    size_t kept = 1;
    for (size_t i = 1; i < roots->count; i++) {
        if (strcmp(roots->folders[i], roots->folders[kept - 1]) == 0) free(roots->folders[i]);
        else roots->folders[kept++] = roots->folders[i];
    }
    roots->count = kept;
}

/* The size of the common start of two folders, in whole names. */
static size_t alike(const char *a, size_t size, const char *b)
{
    size_t same = 0;
    for (size_t i = 0; i <= size; i++) {
        bool ends = (i == size || a[i] == '/') && (b[i] == '\0' || b[i] == '/');
        if (ends) same = i;
        if (i == size || b[i] == '\0' || a[i] != b[i]) break;
    }
    return same;
}

static const char *last_name(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    const char *name = slash == NULL ? folder : slash + 1;
    return *name == '\0' ? "top" : name;
}

static bool settle_labels(struct roots *roots)
{
    const char **labels = calloc(roots->count, sizeof *labels);
    if (labels == NULL) return false;
    for (size_t i = 0; i < roots->count; i++) labels[i] = last_name(roots->folders[i]);
    qsort(labels, roots->count, sizeof *labels, compare_texts);
    for (size_t i = 1; i < roots->count; i++) {
        if (strcmp(labels[i - 1], labels[i]) == 0) roots->are_numbered = true;
    }
    free(labels);
    return true;
}

bool roots_settle(struct roots *roots)
{
    sort_once(roots);
    if (roots->count == 0) return true;
    roots->common = strlen(roots->folders[0]);
    for (size_t i = 1; i < roots->count; i++) {
        roots->common = alike(roots->folders[0], roots->common, roots->folders[i]);
    }
    /* One more name is useful; a long path across the user's disk is not. */
    for (size_t i = 0; i < roots->count; i++) {
        const char *rest = roots->folders[i] + roots->common;
        if (roots->common > 0 && *rest == '/') rest++;
        if (strchr(rest, '/') != NULL) roots->are_far = true;
    }
    return !roots->are_far || settle_labels(roots);
}

static size_t find_root(const struct roots *roots, const char *path, size_t size)
{
    size_t low = 0;
    size_t high = roots->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *folder = roots->folders[middle];
        int order = strncmp(folder, path, size);
        if (order == 0 && folder[size] != '\0') order = 1;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

char *page_name(const struct roots *roots, const char *path, size_t size)
{
    if (!roots->are_far) return strdup(path + (roots->common == 0 ? 0 : roots->common + 1));
    size_t root = find_root(roots, path, size);
    const char *label = last_name(roots->folders[root]);
    const char *rest = path + (size == 0 ? 0 : size + 1);
    size_t capacity = strlen(label) + strlen(rest) + 32;
    char *name = malloc(capacity);
    if (name == NULL) return NULL;
    if (roots->are_numbered) (void)snprintf(name, capacity, "%zu-%s/%s", root + 1, label, rest);
    else (void)snprintf(name, capacity, "%s/%s", label, rest);
    return name;
}
