/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool os_fail(struct os_why *why, const char *format, ...)
{
    va_list arguments;
    *why = (struct os_why){0};
    va_start(arguments, format);
    (void)vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

bool os_read_stdin(uint64_t limit, ossa_buffer *bytes, struct os_why *why)
{
    uint8_t chunk[65536];
    const ossa_sink sink = ossa_buffer_sink(bytes);
    while (true) {
        ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return os_fail(why, "cannot be read: %s", strerror(errno));
        if (n == 0) return true;
        if (bytes->size + (size_t)n > limit) {
            (void)os_fail(why, "has more than the limit of %" PRIu64 " bytes", limit);
            why->is_limit = true;
            return false;
        }
        if (!sink.write(sink.user, chunk, (size_t)n)) return os_fail(why, "does not fit in memory");
    }
}

/* ---- folders ------------------------------------------------------------------------------- */

char *os_full_path(const char *path)
{
    return realpath(path, NULL);
}

static uint32_t time_of(const struct stat *status)
{
    bool is_known = status->st_mtime >= 0 && (uint64_t)status->st_mtime <= UINT32_MAX;
    return is_known ? (uint32_t)status->st_mtime : 0;
}

bool os_identify(const char *path, struct os_file_id *id)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    *id = (struct os_file_id){.device = (uint64_t)status.st_dev,
                              .number = (uint64_t)status.st_ino,
                              .size = (uint64_t)status.st_size,
                              .time = (uint64_t)status.st_mtim.tv_sec * 1000000000 +
                                      (uint64_t)status.st_mtim.tv_nsec};
    return true;
}

uint32_t os_time(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? time_of(&status) : 0;
}

bool os_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

size_t os_read_start(const char *path, char *bytes, size_t capacity)
{
    struct os_file_id id;
    FILE *stream = os_identify(path, &id) ? fopen(path, "rb") : NULL;
    if (stream == NULL) return 0;
    size_t size = fread(bytes, 1, capacity, stream);
    (void)fclose(stream);
    return size;
}

bool os_has_bytes(const char *path, const void *bytes, size_t size)
{
    char chunk[16384];
    const char *expected = bytes;
    struct os_file_id id;
    FILE *stream = os_identify(path, &id) ? fopen(path, "rb") : NULL;
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
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) return os_fail(why, "cannot be opened: %s", strerror(errno));
    bool ok = true;
    size_t n = 0;
    while (ok && (n = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        ok = sink.write(sink.user, chunk, n);
    }
    if (!ok) (void)os_fail(why, "its copy cannot be written");
    else if (ferror(stream) != 0) ok = os_fail(why, "cannot be read: %s", strerror(errno));
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
    struct os_file_id id;
    struct comparison comparison = {os_identify(a, &id) ? fopen(a, "rb") : NULL, true};
    if (comparison.stream == NULL) return false;
    bool is_same = os_copy_file(b, (ossa_sink){compare_next, &comparison}, &why) &&
                   fgetc(comparison.stream) == EOF;
    (void)fclose(comparison.stream);
    return is_same;
}

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

bool os_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool os_is_same_folder(const char *a, const char *b)
{
    struct stat x;
    struct stat y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISDIR(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static bool make_one_folder(const char *path, struct os_why *why)
{
    if (os_is_folder(path)) return true;
    if (mkdir(path, 0777) == 0) return true;
    if (errno == EEXIST && os_is_folder(path)) return true; /* another program was faster */
    if (errno == EEXIST || errno == ENOTDIR) return os_fail(why, "is not a folder");
    return os_fail(why, "cannot be created: %s", strerror(errno));
}

bool os_make_folder(const char *path, struct os_why *why)
{
    if (os_is_folder(path)) return true;
    char *part = copy_text(path);
    bool ok = true;
    for (char *c = part; ok && *c != '\0' && (c = strchr(c + 1, '/')) != NULL;) {
        *c = '\0';
        ok = make_one_folder(part, why);
        *c = '/';
    }
    free(part);
    return ok && make_one_folder(path, why);
}

/* ---- below a folder, for names from archives ------------------------------------------------ */

/* A real folder, not a link: what is written below it stays below it. */
static bool make_real_folder(const char *path, struct os_why *why)
{
    struct stat status;
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST) return os_fail(why, "a folder cannot be created: %s", strerror(errno));
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) return true;
    return os_fail(why, "%s exists and is not a folder (links are not followed)", path);
}

static bool is_file_or_nothing(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

bool os_may_write(const char *path, struct os_why *why)
{
    return is_file_or_nothing(path) ||
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
    else if (ok && !is_file_or_nothing(path))
        ok = os_fail(why, "%s exists and is not a file (links are not followed)", path);
    if (ok) return path;
    free(path);
    return NULL;
}

void os_remove_empty_folder(const char *path)
{
    (void)rmdir(path); /* refuses any other */
}

void os_set_time(const char *path, uint32_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = (time_t)seconds}, {.tv_sec = (time_t)seconds}};
    (void)utimensat(AT_FDCWD, path, times, 0); /* failing to set a time is harmless */
}

/* ---- threads ------------------------------------------------------------------------------ */

unsigned os_core_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 256 ? 256 : (unsigned)count;
}

struct job {
    void (*work)(void *user);
    void *user;
};

static void *run_job(void *argument)
{
    struct job *job = argument;
    job->work(job->user);
    return NULL;
}

void os_run_threads(unsigned count, void (*work)(void *user), void *user)
{
    struct job job = {work, user};
    pthread_t *threads = allocate(count, sizeof *threads);
    unsigned started = 0;
    for (unsigned i = 1; i < count; i++) {
        if (pthread_create(&threads[started], NULL, run_job, &job) != 0) break;
        started++;
    }
    work(user); /* on this thread too, in case no other can be started */
    for (unsigned i = 0; i < started; i++) (void)pthread_join(threads[i], NULL);
    free(threads);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void os_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void os_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
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
