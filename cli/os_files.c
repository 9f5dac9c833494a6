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

static bool make_one_folder(const char *path, struct os_why *why)
{
    if (os_is_folder(path)) return true;
    if (os_create_folder(path)) return true;
    int problem = errno;
    if (problem == EEXIST && os_is_folder(path)) return true; /* another program was faster */
    if (problem == EEXIST || problem == ENOTDIR) return os_fail(why, "is not a folder");
    errno = problem;
    return os_fail(why, "cannot be created: %s", os_reason());
}

bool os_make_folder(const char *path, struct os_why *why)
{
    char *part = copy_text(path);
    char *end = part + strlen(part);
    /* Back to one that exists: a drive or a share cannot be created, nor what is before it. */
    while (!os_is_folder(part)) {
        char *slash = strrchr(part, '/');
        if (slash == NULL || slash == part) break;
        *slash = '\0';
    }
    bool ok = make_one_folder(part, why);
    for (char *c = part + strlen(part); ok && c < end; c += strlen(c)) {
        *c = '/';
        ok = make_one_folder(part, why);
    }
    free(part);
    return ok;
}

/* ---- below a folder, for names from archives ------------------------------------------------ */

/* A real folder, not a link: what is written below it stays below it. */
static bool make_real_folder(const char *path, struct os_why *why)
{
    if (os_create_folder(path)) return true;
    if (errno != EEXIST) return os_fail(why, "a folder cannot be created: %s", os_reason());
    return os_is_real_folder(path) ||
           os_fail(why, "%s exists and is not a folder (links are not followed)", path);
}

bool os_may_write(const char *path, struct os_why *why)
{
    return os_is_file_or_nothing(path) ||
           os_fail(why, "exists and is not a file (links are not followed)");
}

char *os_prepare_below(const char *folder, const char *relative, bool is_folder, struct os_why *why)
{
    char *path = path_in(folder, relative);
    bool ok = true;
    for (char *c = path + strlen(path) - strlen(relative); ok && (c = strchr(c, '/')) != NULL;
         c++) {
        *c = '\0';
        ok = make_real_folder(path, why);
        *c = '/';
    }
    if (ok && is_folder) ok = make_real_folder(path, why);
    else if (ok && !os_is_file_or_nothing(path))
        ok = os_fail(why, "%s exists and is not a file (links are not followed)", path);
    if (ok) return path;
    free(path);
    return NULL;
}
