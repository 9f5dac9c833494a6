/* SPDX-License-Identifier: MIT */
#include "os_parts.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *os_reason(void)
{
    return strerror(errno);
}

int os_read_some(void *bytes, unsigned size)
{
    ssize_t n;
    do n = read(STDIN_FILENO, bytes, size);
    while (n < 0 && errno == EINTR);
    return (int)n;
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

FILE *os_open_file(const char *path)
{
    struct os_file_id id; /* opening a pipe would wait for somebody to write to it */
    return os_identify(path, &id) ? fopen(path, "rb") : NULL;
}

bool os_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
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

bool os_create_folder(const char *path)
{
    return mkdir(path, 0777) == 0;
}

bool os_is_file_or_nothing(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

void os_remove_empty_folder(const char *path)
{
    (void)rmdir(path); /* refuses any other */
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

/* glibc would keep for each thread as much as it has had at once, after the first large block. */
static void return_large_blocks(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void os_run_threads(unsigned count, void (*work)(void *user), void *user)
{
    if (count > 1) return_large_blocks();
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

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void os_begin_turn(void)
{
    (void)pthread_mutex_lock(&turn);
}

void os_end_turn(void)
{
    (void)pthread_mutex_unlock(&turn);
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

bool os_is_drop(int count, char **arguments)
{
    (void)count; /* desktops start what their files say, which names a verb */
    (void)arguments;
    return false;
}

void os_stop(bool has_message)
{
    (void)has_message;
}

bool os_has_lost_reader(FILE *stream)
{
    (void)stream; /* a signal has ended this program, then */
    return false;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): another system changes it */
void os_clean_path(char *path)
{
    (void)path;
}

bool os_find_matches(const char *pattern, struct texts *matches)
{
    (void)pattern;
    (void)matches;
    return false;
}
