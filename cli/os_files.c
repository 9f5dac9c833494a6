/* SPDX-License-Identifier: MIT
 *
 * Files and folders, as far as all systems have them alike. */
#include "os_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool os_fail(struct os_why *why, const char *format, ...)
{
    va_list arguments;
    *why = (struct os_why){0};
    va_start(arguments, format);
    (void)vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

const char *os_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool os_read_stdin(uint64_t limit, ossa_buffer *bytes, struct os_why *why)
{
    uint8_t chunk[65536];
    const ossa_sink sink = ossa_buffer_sink(bytes);
    while (true) {
        int n = os_read_some(chunk, sizeof chunk);
        if (n < 0) return os_fail(why, "cannot be read: %s", os_reason());
        if (n == 0) return true;
        if (bytes->size + (size_t)n > limit) {
            (void)os_fail(why, "has more than the limit of %" PRIu64 " bytes", limit);
            why->is_limit = true;
            return false;
        }
        if (!sink.write(sink.user, chunk, (size_t)n)) return os_fail(why, "does not fit in memory");
    }
}

/* ---- contents ------------------------------------------------------------------------------ */

size_t os_read_start(const char *path, char *bytes, size_t capacity)
{
    FILE *stream = os_open_file(path);
    if (stream == NULL) return 0;
    size_t size = fread(bytes, 1, capacity, stream);
    (void)fclose(stream);
    return size;
}

bool os_has_bytes(const char *path, const void *bytes, size_t size)
{
    char chunk[16384];
    const char *expected = bytes;
    FILE *stream = os_open_file(path);
    if (stream == NULL) return false;
    bool same = true;
    size_t n = 0;
    while (same && (n = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        same = n <= size && memcmp(chunk, expected, n) == 0;
        expected += same ? n : 0;
        size -= same ? n : 0;
    }
    same = same && size == 0 && ferror(stream) == 0;
    (void)fclose(stream);
    return same;
}

bool os_copy_file(const char *path, ossa_sink sink, struct os_why *why)
{
    char chunk[65536];
    struct os_file_id id;
    if (!os_identify(path, &id)) return os_fail(why, "is not a file");
    FILE *stream = os_open_file(path);
    if (stream == NULL) return os_fail(why, "cannot be opened: %s", os_reason());
    bool ok = true;
    size_t n = 0;
    while (ok && (n = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        ok = sink.write(sink.user, chunk, n);
    }
    if (!ok) (void)os_fail(why, "its copy cannot be written");
    else if (ferror(stream) != 0) ok = os_fail(why, "cannot be read: %s", os_reason());
    (void)fclose(stream);
    return ok;
}

/* What is left of the first file to compare. */
struct comparison {
    FILE *stream;
    bool is_same;
};

static bool compare_next(void *user, const void *bytes, size_t size)
{
    char chunk[65536];
    struct comparison *comparison = user;
    comparison->is_same =
        fread(chunk, 1, size, comparison->stream) == size && memcmp(chunk, bytes, size) == 0;
    return comparison->is_same;
}

bool os_same_contents(const char *a, const char *b)
{
    struct os_why why;
    struct comparison comparison = {os_open_file(a), true};
    if (comparison.stream == NULL) return false;
    bool is_same = os_copy_file(b, (ossa_sink){compare_next, &comparison}, &why) &&
                   fgetc(comparison.stream) == EOF;
    (void)fclose(comparison.stream);
    return is_same;
}

/* ---- identity ------------------------------------------------------------------------------ */

bool os_same_id(const struct os_file_id *a, const struct os_file_id *b)
{
    return a->device == b->device && a->number == b->number;
}

bool os_is_same_file(const char *a, const char *b)
{
    struct os_file_id x;
    struct os_file_id y;
    return os_identify(a, &x) && os_identify(b, &y) && os_same_id(&x, &y);
}

/* ---- folders ------------------------------------------------------------------------------- */

/* Sets `made` to whether it was created. */
static bool make_one_folder(const char *path, bool *made, struct os_why *why)
{
    *made = false;
    if (os_is_folder(path)) return true;
    *made = os_create_folder(path);
    if (*made) return true;
    int problem = errno;
    if (problem == EEXIST && os_is_folder(path)) return true; /* another program was faster */
    if (problem == EEXIST || problem == ENOTDIR) return os_fail(why, "is not a folder");
    errno = problem;
    (void)os_fail(why, "cannot be created: %s", os_reason());
    why->is_gone = problem == ENOENT;
    return false;
}

/* Remove the innermost folders of a path. */
static void remove_folders(const char *path, size_t count)
{
    char *part = copy_text(path);
    for (size_t size = strlen(part); count > 0 && size > 0; count--) {
        while (size > 0 && part[size - 1] == '/') size--;
        part[size] = '\0';
        os_remove_empty_folder(part);
        while (size > 0 && part[size - 1] != '/') size--;
    }
    free(part);
}

/* Create a folder, and those around it, unless they exist; `made` is how many. */
static bool make_folders(const char *path, size_t *made, struct os_why *why)
{
    char *part = copy_text(path);
    char *end = part + strlen(part);
    bool is_new;
    *made = 0;
    /* Back to one that exists: a drive or a share cannot be created, nor what is before it. */
    while (!os_is_folder(part)) {
        char *slash = strrchr(part, '/');
        if (slash == NULL || slash == part) break;
        *slash = '\0';
    }
    bool ok = make_one_folder(part, &is_new, why);
    *made += is_new ? 1 : 0;
    for (char *c = part + strlen(part); ok && c < end; c += strlen(c)) {
        *c = '/';
        ok = make_one_folder(part, &is_new, why);
        *made += is_new ? 1 : 0;
    }
    char *last = strrchr(part, '/'); /* the one that cannot be created is behind it */
    if (!ok && last != NULL) {
        *last = '\0';
        remove_folders(part, *made);
    }
    free(part);
    return ok;
}

/* Create a folder and open it. */
static bool make_and_hold(struct os_folder *folder, struct os_why *why)
{
    if (!make_folders(folder->path, &folder->made, why)) return false;
    if (os_hold_folder(folder)) return true;
    bool is_gone = errno == ENOENT;
    (void)os_fail(why, "cannot be opened: %s", os_reason());
    why->is_gone = is_gone;
    remove_folders(folder->path, folder->made);
    return false;
}

struct os_folder *os_open_folder(const char *path, struct os_why *why)
{
    struct os_folder *folder = allocate(1, sizeof *folder);
    folder->path = copy_text(path);
    for (unsigned tries = 0; tries < OS_TRIES; tries++) {
        if (make_and_hold(folder, why)) return folder;
        if (!why->is_gone) break;
    }
    free(folder->path);
    free(folder);
    return NULL;
}

bool os_restore_folder(const struct os_folder *folder)
{
    size_t made;
    struct os_why why;
    return (make_folders(folder->path, &made, &why) || why.is_gone) && os_hold_again(folder);
}

void os_close_folder(struct os_folder *folder)
{
    if (folder == NULL) return;
    os_let_folder(folder);
    remove_folders(folder->path, folder->made);
    free(folder->path);
    free(folder);
}

bool os_may_write(const char *path, struct os_why *why)
{
    return os_is_file_or_nothing(path) ||
           os_fail(why, "exists and is not a file (links are not followed)");
}
