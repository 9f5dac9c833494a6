/* SPDX-License-Identifier: MIT */
#include "os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool say(struct os_why *why, const char *text)
{
    *why = (struct os_why){0};
    (void)snprintf(why->text, sizeof why->text, "%s", text);
    return false;
}

/* `size` is 0 when nobody knows how much there is. */
static bool say_limit(struct os_why *why, uint64_t size, uint64_t limit)
{
    char amount[32] = "";
    if (size > 0) (void)snprintf(amount, sizeof amount, "%" PRIu64 " bytes, ", size);
    *why = (struct os_why){.is_limit = true};
    (void)snprintf(why->text, sizeof why->text, "has %smore than the limit of %" PRIu64 " bytes",
                   amount, limit);
    return false;
}

static bool say_errno(struct os_why *why, const char *what)
{
    *why = (struct os_why){0};
    (void)snprintf(why->text, sizeof why->text, "%s: %s", what, strerror(errno));
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Read up to the end of the file, in a buffer that grows when the size is not known before. */
static bool read_all(int file, size_t expected, uint64_t limit, struct os_bytes *bytes,
                     struct os_why *why)
{
    size_t capacity = expected > 0 ? expected : 65536;
    uint8_t *data = malloc(capacity);
    size_t size = 0;
    while (data != NULL) {
        ssize_t n = read(file, data + size, capacity - size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            free(data);
            return say_errno(why, "cannot be read");
        }
        size += (size_t)n;
        if (n == 0 || (expected > 0 && size == expected)) break;
        if (size > limit) {
            free(data);
            return say_limit(why, 0, limit);
        }
        if (size == capacity) {
            uint8_t *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(data, capacity * 2);
            if (larger == NULL) free(data);
            data = larger;
            capacity *= 2;
        }
    }
    if (data == NULL) return say(why, "does not fit in memory");
    bytes->data = data;
    bytes->size = size;
    return true;
}

static bool check_kind(const struct stat *status, uint64_t limit, struct os_why *why)
{
    if (S_ISDIR(status->st_mode)) return say(why, "is a folder, expected a file");
    if (S_ISFIFO(status->st_mode)) {
        return say(why, "is a pipe; give it as standard input instead: ossa VERB - < PIPE");
    }
    if (!S_ISREG(status->st_mode)) return say(why, "is not a regular file");
    if ((uint64_t)status->st_size > limit) {
        return say_limit(why, (uint64_t)status->st_size, limit);
    }
    return true;
}

bool os_read_file(const char *path, uint64_t limit, struct os_bytes *bytes, struct os_why *why)
{
    struct stat status;
    *bytes = (struct os_bytes){0};
    if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, 0, limit, bytes, why);
    /* Without O_NONBLOCK opening a pipe would wait for somebody to write to it. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &status) == 0;
    if (!ok) (void)say_errno(why, "cannot be opened");
    ok = ok && check_kind(&status, limit, why);
    if (ok && status.st_size > 0) ok = read_all(file, (size_t)status.st_size, limit, bytes, why);
    if (file >= 0) (void)close(file);
    return ok;
}

void os_free_bytes(struct os_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct os_bytes){0};
}

/* ---- folders ------------------------------------------------------------------------------- */

char *os_full_path(const char *path)
{
    return realpath(path, NULL);
}

bool os_identify(const char *path, struct os_file_id *id)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    *id = (struct os_file_id){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    return true;
}

bool os_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

bool os_starts_with(const char *path, const char *text)
{
    char bytes[64];
    size_t size = strlen(text);
    struct os_file_id id;
    FILE *stream = size <= sizeof bytes && os_identify(path, &id) ? fopen(path, "rb") : NULL;
    if (stream == NULL) return false;
    bool same = fread(bytes, 1, size, stream) == size && memcmp(bytes, text, size) == 0;
    (void)fclose(stream);
    return same;
}

bool os_is_same_file(const char *a, const char *b)
{
    struct os_file_id x;
    struct os_file_id y;
    return os_identify(a, &x) && os_identify(b, &y) && x.device == y.device && x.number == y.number;
}

bool os_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool os_make_folder(const char *path, struct os_why *why)
{
    if (os_is_folder(path)) return true;
    if (mkdir(path, 0777) == 0) return true;
    if (errno == EEXIST) return say(why, "is not a folder");
    return say_errno(why, "cannot be made");
}

/* A growing list of names. */
struct names {
    char **items;
    size_t count;
    size_t capacity;
};

static bool add_name(struct names *names, char *name)
{
    if (name != NULL && names->count == names->capacity) {
        size_t capacity = names->capacity == 0 ? 64 : names->capacity * 2;
        char **items = realloc(names->items, capacity * sizeof *items);
        if (items == NULL) {
            free(name);
            return false;
        }
        names->items = items;
        names->capacity = capacity;
    }
    if (name == NULL) return false;
    names->items[names->count++] = name;
    return true;
}

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++) free(names->items[i]);
    free(names->items);
}

static char *join(const char *folder, const char *name)
{
    size_t a = strlen(folder);
    while (a > 1 && folder[a - 1] == '/') a--;
    size_t b = strlen(name);
    char *path = malloc(a + b + 2);
    if (path == NULL) return NULL;
    memcpy(path, folder, a);
    size_t used = a;
    if (path[used - 1] != '/') path[used++] = '/';
    memcpy(path + used, name, b + 1);
    return path;
}

static int by_name_backwards(const void *a, const void *b)
{
    return -strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of a folder's entries, last name first. */
static bool list_folder(const char *folder, struct names *names, struct os_why *why)
{
    DIR *stream = opendir(folder);
    if (stream == NULL) return say_errno(why, "cannot be opened");
    bool ok = true;
    while (ok) {
        errno = 0;
        struct dirent *entry = readdir(stream);
        if (entry == NULL) {
            if (errno != 0) ok = say_errno(why, "cannot be read");
            break;
        }
        bool is_dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (is_dots) continue;
        ok = add_name(names, join(folder, entry->d_name));
        if (!ok) (void)say(why, "has too many entries for the memory");
    }
    (void)closedir(stream);
    if (names->count > 1) {
        qsort(names->items, names->count, sizeof *names->items, by_name_backwards);
    }
    return ok;
}

bool os_walk(const char *folder, void (*found)(void *user, const char *path),
             void (*failed)(void *user, const char *path, const struct os_why *why), void *user)
{
    /* What is still to be visited, the next one last: no recursion, whatever the depth. */
    struct names open = {0};
    bool ok = true;
    char *start = strdup(folder);
    if (!add_name(&open, start)) return false;
    bool is_start = true;
    while (open.count > 0) {
        char *path = open.items[--open.count];
        struct stat status;
        struct os_why why;
        bool is_there = is_start || lstat(path, &status) == 0;
        bool is_folder = is_start || (is_there && S_ISDIR(status.st_mode));
        if (is_there && !is_folder) is_there = stat(path, &status) == 0; /* where a link leads */
        is_start = false;
        /* A link that leads nowhere, or round in a circle, is no file; anything else is told. */
        bool leads_nowhere = !is_there && (errno == ENOENT || errno == ELOOP);
        if (!is_there && !leads_nowhere) {
            (void)say_errno(&why, "cannot be opened");
            failed(user, path, &why);
            ok = false;
        } else if (is_folder) {
            struct names inside = {0};
            if (!list_folder(path, &inside, &why)) {
                failed(user, path, &why);
                ok = false;
            }
            for (size_t i = 0; i < inside.count; i++) {
                if (!add_name(&open, inside.items[i])) ok = false;
            }
            free(inside.items);
        } else if (is_there && S_ISREG(status.st_mode)) {
            found(user, path);
        }
        free(path);
    }
    free_names(&open);
    return ok;
}

/* ---- the rest ------------------------------------------------------------------------------ */

bool os_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

double os_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0.0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

const char *os_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
