/* SPDX-License-Identifier: MIT */
#include "os.h"

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

/* `size` is 0 if it is not known. */
static bool fail_limit(struct os_why *why, uint64_t size, uint64_t limit)
{
    char amount[32] = "";
    if (size > 0) (void)snprintf(amount, sizeof amount, "%" PRIu64 " bytes, ", size);
    (void)os_fail(why, "has %smore than the limit of %" PRIu64 " bytes", amount, limit);
    why->is_limit = true;
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Read to the end of the file; the buffer grows if the size is not known. */
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
            return os_fail(why, "cannot be read: %s", strerror(errno));
        }
        size += (size_t)n;
        if (n == 0 || (expected > 0 && size == expected)) break;
        if (size > limit) {
            free(data);
            return fail_limit(why, 0, limit);
        }
        if (size == capacity) {
            uint8_t *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(data, capacity * 2);
            if (larger == NULL) free(data);
            data = larger;
            capacity *= 2;
        }
    }
    if (data == NULL) return os_fail(why, "does not fit in memory");
    bytes->data = data;
    bytes->size = size;
    return true;
}

static bool check_kind(const struct stat *status, uint64_t limit, struct os_why *why)
{
    if (S_ISDIR(status->st_mode)) return os_fail(why, "is a folder, expected a file");
    if (S_ISFIFO(status->st_mode)) {
        return os_fail(why, "is a pipe; use standard input instead: ossa VERB - < PIPE");
    }
    if (!S_ISREG(status->st_mode)) return os_fail(why, "is not a regular file");
    if ((uint64_t)status->st_size > limit) {
        return fail_limit(why, (uint64_t)status->st_size, limit);
    }
    return true;
}

bool os_read_file(const char *path, uint64_t limit, struct os_bytes *bytes, struct os_why *why)
{
    struct stat status;
    *bytes = (struct os_bytes){0};
    if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, 0, limit, bytes, why);
    /* Without O_NONBLOCK, opening a pipe would wait for a writer. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &status) == 0;
    if (!ok) (void)os_fail(why, "cannot be opened: %s", strerror(errno));
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

bool os_same_id(const struct os_file_id *a, const struct os_file_id *b)
{
    return a->device == b->device && a->number == b->number;
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
    if (errno == EEXIST) return os_fail(why, "is not a folder");
    return os_fail(why, "cannot be created: %s", strerror(errno));
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
    size_t base = strlen(folder);
    while (base > 1 && folder[base - 1] == '/') base--;
    size_t size = base + strlen(relative) + 2;
    char *path = malloc(size);
    if (path == NULL) {
        (void)os_fail(why, "cannot be created: out of memory");
        return NULL;
    }
    (void)snprintf(path, size, "%.*s/%s", (int)base, folder, relative);
    bool ok = true;
    for (char *c = path + base + 1; ok && (c = strchr(c, '/')) != NULL; c++) {
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

uint32_t os_time(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || status.st_mtime < 0) return 0;
    return (uint64_t)status.st_mtime > UINT32_MAX ? 0 : (uint32_t)status.st_mtime;
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
    pthread_t *threads = calloc(count, sizeof *threads);
    unsigned started = 0;
    for (unsigned i = 1; threads != NULL && i < count; i++) {
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
