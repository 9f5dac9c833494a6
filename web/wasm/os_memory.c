/* SPDX-License-Identifier: MIT
 *
 * What the tool wants from the operating system, of files in memory. There are no links and no
 * devices, nothing is written, and a folder is there when a file is in it. */
#include "os_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes --------------------------------------------------------------------------------- */

/* Stands before the bytes; as large as what malloc aligns to. */
struct head {
    size_t size;
    size_t users;
    size_t unused[2];
};

static struct head *head_of(uint8_t *data)
{
    return (struct head *)(void *)(data - sizeof(struct head));
}

uint8_t *web_bytes_new(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct head)) return NULL;
    struct head *head = malloc(sizeof *head + size);
    if (head == NULL) return NULL;
    *head = (struct head){.size = size, .users = 1};
    return (uint8_t *)head + sizeof *head;
}

void web_bytes_keep(uint8_t *data)
{
    head_of(data)->users++;
}

void web_bytes_drop(uint8_t *data)
{
    if (data != NULL && --head_of(data)->users == 0) free(head_of(data));
}

/* ---- paths --------------------------------------------------------------------------------- */

/* A path without . and .., in one way of writing; from malloc. "" is the folder of all. */
static char *normalise(const char *path)
{
    char *clean = malloc(strlen(path) + 1);
    size_t used = 0;
    while (clean != NULL && *path != '\0') {
        size_t size = strcspn(path, "/");
        bool is_up = size == 2 && path[0] == '.' && path[1] == '.';
        bool is_here = size == 0 || (size == 1 && path[0] == '.');
        if (is_up) {
            while (used > 0 && clean[used - 1] != '/') used--;
            if (used > 0) used--;
        } else if (!is_here) {
            if (used > 0) clean[used++] = '/';
            memcpy(clean + used, path, size);
            used += size;
        }
        path += size;
        if (*path == '/') path++;
    }
    if (clean != NULL) clean[used] = '\0';
    return clean;
}

/* The end of a name comes before all that goes on: then files come in the order in which a walk
 * through sorted folders meets them. */
static int rank_of(char c)
{
    if (c == '\0') return 0;
    return c == '/' ? 1 : (int)(unsigned char)c + 2;
}

static int compare_paths(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return rank_of(*a) - rank_of(*b);
}

/* ---- the files ----------------------------------------------------------------------------- */

static struct web_disk no_disk;
static struct web_disk *in_use = &no_disk;

void web_disk_use(struct web_disk *disk)
{
    in_use = disk == NULL ? &no_disk : disk;
}

static void free_named(struct web_named *file)
{
    free(file->path);
    web_bytes_drop(file->data);
}

static int compare_files(const void *a, const void *b)
{
    const struct web_named *x = a;
    const struct web_named *y = b;
    int difference = compare_paths(x->path, y->path);
    return difference != 0 ? difference : (x->order > y->order) - (x->order < y->order);
}

void web_disk_sort(struct web_disk *disk)
{
    if (disk->is_sorted) return;
    if (disk->count > 1) qsort(disk->files, disk->count, sizeof *disk->files, compare_files);
    size_t kept = 0;
    for (size_t i = 0; i < disk->count; i++) {
        bool is_replaced =
            i + 1 < disk->count && strcmp(disk->files[i].path, disk->files[i + 1].path) == 0;
        if (is_replaced) free_named(&disk->files[i]);
        else disk->files[kept++] = disk->files[i];
    }
    disk->count = kept;
    disk->is_sorted = true;
}

void web_disk_clear(struct web_disk *disk)
{
    for (size_t i = 0; i < disk->count; i++) free_named(&disk->files[i]);
    free(disk->files);
    *disk = (struct web_disk){0};
}

bool web_disk_add(struct web_disk *disk, const char *path, uint8_t *data)
{
    char *clean = normalise(path);
    bool ok = clean != NULL && clean[0] != '\0';
    if (ok && disk->count == disk->capacity) {
        size_t capacity = disk->capacity == 0 ? 16 : disk->capacity * 2;
        struct web_named *larger = realloc(disk->files, capacity * sizeof *larger);
        ok = larger != NULL;
        if (ok) {
            disk->files = larger;
            disk->capacity = capacity;
        }
    }
    if (!ok) {
        free(clean);
        web_bytes_drop(data);
        return false;
    }
    disk->files[disk->count++] = (struct web_named){clean, data, disk->added++};
    disk->is_sorted = false;
    return true;
}

/* The first file that does not come before a path. */
static size_t lower_bound(struct web_disk *disk, const char *path)
{
    web_disk_sort(disk);
    size_t low = 0;
    size_t high = disk->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_paths(disk->files[middle].path, path) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

static const struct web_named *find_clean(struct web_disk *disk, const char *clean)
{
    size_t at = lower_bound(disk, clean);
    bool is_there = at < disk->count && strcmp(disk->files[at].path, clean) == 0;
    return is_there ? &disk->files[at] : NULL;
}

const struct web_named *web_disk_find(struct web_disk *disk, const char *path)
{
    char *clean = normalise(path);
    const struct web_named *file = clean == NULL ? NULL : find_clean(disk, clean);
    free(clean);
    return file;
}

bool web_disk_remove(struct web_disk *disk, const char *path)
{
    const struct web_named *file = web_disk_find(disk, path);
    if (file == NULL) return false;
    size_t at = (size_t)(file - disk->files);
    free_named(&disk->files[at]);
    disk->count--;
    memmove(&disk->files[at], &disk->files[at + 1], (disk->count - at) * sizeof *disk->files);
    return true;
}

/* Is a file below that folder? */
static bool is_below(const char *path, const char *folder, size_t size)
{
    return size == 0 || (strncmp(path, folder, size) == 0 && path[size] == '/');
}

/* The files of a folder follow each other, behind its own name. */
static bool find_folder(struct web_disk *disk, const char *clean, size_t *first)
{
    size_t size = strlen(clean);
    size_t at = lower_bound(disk, clean);
    if (at < disk->count && strcmp(disk->files[at].path, clean) == 0) return false;
    *first = at;
    return at < disk->count && is_below(disk->files[at].path, clean, size);
}

/* ---- os.h ---------------------------------------------------------------------------------- */

static bool say(struct os_why *why, const char *text)
{
    *why = (struct os_why){0};
    (void)snprintf(why->text, sizeof why->text, "%s", text);
    return false;
}

static bool say_missing(const char *path, struct os_why *why)
{
    if (os_is_folder(path)) return say(why, "is a folder, expected a file");
    return say(why, "cannot be opened: No such file or directory");
}

bool os_read_file(const char *path, uint64_t limit, struct os_bytes *bytes, struct os_why *why)
{
    *bytes = (struct os_bytes){0};
    const struct web_named *file = web_disk_find(in_use, path);
    if (file == NULL) return say_missing(path, why);
    size_t size = head_of(file->data)->size;
    if (size > limit) {
        *why = (struct os_why){.is_limit = true};
        (void)snprintf(why->text, sizeof why->text,
                       "has %zu bytes, more than the limit of %" PRIu64 " bytes", size, limit);
        return false;
    }
    if (size == 0) return true;
    web_bytes_keep(file->data);
    *bytes = (struct os_bytes){file->data, size};
    return true;
}

void os_free_bytes(struct os_bytes *bytes)
{
    web_bytes_drop(bytes->data);
    *bytes = (struct os_bytes){0};
}

/* The handle is the address of the bytes, which are kept as long as it is open. */
bool os_open_random(const char *path, struct os_random *file, struct os_why *why)
{
    const struct web_named *named = web_disk_find(in_use, path);
    *file = (struct os_random){.handle = -1};
    if (named == NULL) return say_missing(path, why);
    web_bytes_keep(named->data);
    file->handle = (int)((uintptr_t)named->data >> 1); /* never negative */
    file->size = head_of(named->data)->size;
    return true;
}

/* Files are in memory as a whole: there is nothing to be won by reading them in parts. */
bool os_open_limited(const char *path, uint64_t limit, struct os_random *file, struct os_why *why)
{
    (void)path;
    (void)limit;
    *file = (struct os_random){.handle = -1};
    return say(why, "is read as a whole");
}

static uint8_t *data_of(const struct os_random *file)
{
    return (uint8_t *)((uintptr_t)file->handle << 1);
}

bool os_read_shared(const struct os_random *file, uint64_t offset, void *bytes, size_t size)
{
    if (offset > file->size || size > file->size - offset) return false;
    if (size > 0) memcpy(bytes, data_of(file) + (size_t)offset, size);
    return true;
}

bool os_read_at(struct os_random *file, uint64_t offset, void *bytes, size_t size)
{
    return os_read_shared(file, offset, bytes, size);
}

void os_close_random(struct os_random *file)
{
    if (file->handle >= 0) web_bytes_drop(data_of(file));
    *file = (struct os_random){.handle = -1};
}

char *os_full_path(const char *path)
{
    char *clean = normalise(path);
    size_t size = clean == NULL ? 0 : strlen(clean) + 2;
    char *full = clean == NULL ? NULL : malloc(size);
    if (full != NULL) (void)snprintf(full, size, "/%s", clean);
    free(clean);
    return full;
}

bool os_identify(const char *path, struct os_file_id *id)
{
    const struct web_named *file = web_disk_find(in_use, path);
    if (file == NULL) return false;
    *id = (struct os_file_id){0, (uint64_t)(uintptr_t)file->data};
    return true;
}

bool os_is_folder(const char *path)
{
    size_t first;
    char *clean = path[0] == '\0' ? NULL : normalise(path);
    bool is_folder = clean != NULL && (clean[0] == '\0' || find_folder(in_use, clean, &first));
    free(clean);
    return is_folder;
}

bool os_exists(const char *path)
{
    return web_disk_find(in_use, path) != NULL || os_is_folder(path);
}

/* The folder as it was written, and what lies in it. */
static char *join(const char *folder, const char *name)
{
    size_t size = strlen(folder);
    while (size > 0 && folder[size - 1] == '/') size--;
    size_t capacity = size + strlen(name) + 2;
    char *path = malloc(capacity);
    if (path != NULL) (void)snprintf(path, capacity, "%.*s/%s", (int)size, folder, name);
    return path;
}

bool os_walk(const char *folder, void (*found)(void *user, const char *path),
             void (*failed)(void *user, const char *path, const struct os_why *why), void *user)
{
    (void)failed;
    char *clean = normalise(folder);
    if (clean == NULL) return false;
    size_t size = strlen(clean);
    size_t i = 0;
    bool ok = true;
    if (size > 0 && !find_folder(in_use, clean, &i)) i = in_use->count;
    web_disk_sort(in_use);
    for (; ok && i < in_use->count && is_below(in_use->files[i].path, clean, size); i++) {
        char *path = join(folder, in_use->files[i].path + (size == 0 ? 0 : size + 1));
        ok = path != NULL;
        if (ok) found(user, path);
        free(path);
    }
    free(clean);
    return ok;
}

bool os_is_terminal(FILE *stream)
{
    (void)stream;
    return false;
}

double os_seconds(void)
{
    return 0.0;
}

const char *os_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
