/* SPDX-License-Identifier: MIT
 *
 * Files that get their name when they are complete, and signals. */
#include "os_parts.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the end ------------------------------------------------------------------------------- */

static void (*_Atomic clean_up_at_end)(void);

static void end_by_signal(int number)
{
    void (*clean_up)(void) = clean_up_at_end;
    clean_up();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void os_at_end(void (*clean_up)(void))
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGXCPU};
    clean_up_at_end = clean_up;
    (void)signal(SIGXFSZ, SIG_IGN); /* report files that get too large as errors */
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) != 0 || old.sa_handler != SIG_DFL) continue;
        (void)signal(numbers[i], end_by_signal);
    }
}

void os_hold_end(struct os_hold *hold)
{
    static_assert(sizeof(sigset_t) <= sizeof hold->state, "signals must fit");
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    memcpy(hold->state, &before, sizeof before);
}

void os_let_end(const struct os_hold *hold)
{
    sigset_t before;
    memcpy(&before, hold->state, sizeof before);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void os_end_now(int status)
{
    _exit(status);
}

void os_wait_for_end(void)
{
    while (true) (void)pause();
}

/* ---- files --------------------------------------------------------------------------------- */

/* The file that a link leads to, so that the link itself is kept. */
static char *final_target(const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
        char *real = realpath(path, NULL);
        if (real != NULL) return real;
    }
    return copy_text(path);
}

/* umask() can only be read by changing it, for all threads, so it is read once, at the start. */
static mode_t mask_of_process = 022;

bool os_find_place(const char *path, struct os_place *place, struct os_why *why)
{
    struct stat status;
    bool is_device = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    (void)why;
    place->target = is_device ? NULL : final_target(path);
    place->temporary = is_device ? copy_text(path) : format_text("%s.XXXXXX", place->target);
    return true;
}

/* Without O_NONBLOCK, opening a pipe would wait for a reader; writing may wait. */
static int open_device(const char *path, struct os_why *why)
{
    struct stat status;
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    int flags = file < 0 ? -1 : fcntl(file, F_GETFL);
    if (flags != -1) (void)fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    if (file >= 0) return file;
    int problem = errno;
    if (problem == ENXIO && stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
        (void)os_fail(why, "is a pipe without a reader; start the reader first");
    } else {
        (void)os_fail(why, "cannot be written: %s", strerror(problem));
    }
    return -1;
}

/* A new file beside the target. */
static int open_beside(const struct os_place *place, struct os_why *why)
{
    struct stat old;
    mode_t mode = 0666 & ~mask_of_process;
    if (stat(place->target, &old) == 0) mode = old.st_mode & 0777;
    int file = mkstemp(place->temporary);
    if (file < 0) (void)os_fail(why, "cannot be written: %s", strerror(errno));
    else (void)fchmod(file, mode);
    return file;
}

FILE *os_create(struct os_place *place, struct os_why *why)
{
    bool is_device = place->target == NULL;
    int file = is_device ? open_device(place->temporary, why) : open_beside(place, why);
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (stream == NULL && file >= 0) {
        (void)os_fail(why, "does not fit in memory");
        (void)close(file);
        if (!is_device) (void)unlink(place->temporary);
    }
    return stream;
}

bool os_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void os_remove(const char *path)
{
    (void)unlink(path);
}

/* ---- the start ----------------------------------------------------------------------------- */

/* NOLINTNEXTLINE(readability-non-const-parameter): another system changes them */
void os_start(int *count, char ***arguments)
{
    enum { STREAM_BUFFER = 64 << 10 }; /* a stream's own is 4 KiB */
    static char buffer[STREAM_BUFFER];
    (void)count; /* the shell has done all there is to do */
    (void)arguments;
    if (!os_is_terminal(stdout)) (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    mask_of_process = umask(0);
    (void)umask(mask_of_process);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) != -1 || errno != EBADF) continue;
        /* Opened in the wrong direction, so that using a missing stream is still an error. open()
         * returns the lowest free number, which is this one. */
        int mode = file == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
        if (open("/dev/null", mode) != file) return;
    }
}
