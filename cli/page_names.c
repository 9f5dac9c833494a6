/* SPDX-License-Identifier: MIT */
#include "page_names.h"

#include <stdlib.h>
#include <string.h>

/* Add a name to a path; .. takes the last one away. */
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

/* The size of the folder that something lies in, without the separator. */
static size_t parent_size(const char *path, size_t size)
{
    while (size > 0 && path[size - 1] != '/') size--;
    return size > 0 ? size - 1 : 0;
}

void common_add(struct common *common, const char *path, bool alone)
{
    size_t size = parent_size(path, strlen(path));
    if (!alone) size = parent_size(path, size);
    if (common->folder == NULL) {
        common->folder = malloc(size + 1);
        common->ok = common->folder != NULL;
        if (!common->ok) return;
        memcpy(common->folder, path, size);
        common->folder[size] = '\0';
        common->size = size;
        return;
    }
    size_t same = 0; /* whole names only */
    for (size_t i = 0; i <= common->size && i <= size; i++) {
        bool ends =
            (i == common->size || common->folder[i] == '/') && (i == size || path[i] == '/');
        if (ends) same = i;
        if (i == common->size || i == size || common->folder[i] != path[i]) break;
    }
    common->size = same;
}

const char *without_common(const struct common *common, const char *path)
{
    return common->size == 0 ? path : path + common->size + 1;
}
