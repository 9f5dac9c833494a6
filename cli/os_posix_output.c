/* SPDX-License-Identifier: MIT
 *
 * Files that get their name when they are complete, and signals. */
#include "os_posix.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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
    place->temporary = is_device ? copy_text(path) : os_unfinished_path(place->target);
    return true;
}

bool os_find_place_below(const struct os_folder *folder, const char *relative,
                         struct os_place *place, struct os_why *why)
{
    struct stat status;
    const char *name;
    int at = os_enter(folder, relative, &place->made, &name);
    if (at < 0) return os_explain_below(folder, relative, name, why);
    bool is_there = fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    os_leave(at);
    if (is_there && !S_ISREG(status.st_mode)) {
        return os_fail(why, "exists and is not a file (links are not followed)");
    }
    place->folder = folder;
    place->target = copy_text(relative);
    place->temporary = os_unfinished_path(relative);
    return true;
}

void os_leave_place(struct os_place *place)
{
    (void)place; /* the folder belongs to the caller */
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
        errno = problem;
        (void)os_fail_to_write(why);
    }
    return -1;
}

/* Names only have to differ from those in use. */
static void change_name(char *name)
{
    static const char letters[] = OS_LETTERS;
    static _Atomic uint64_t calls;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t mixed =
        ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 40) +
        atomic_fetch_add(&calls, 1);
    mixed = (mixed * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (char *c = name + strlen(name) - 6; *c != '\0'; c++, mixed >>= 5) *c = letters[mixed & 31];
}

/* A new file beside the target. */
static int open_beside(const struct os_place *place, struct os_why *why)
{
    enum { TRIES = 100 };
    struct stat old;
    mode_t mode = 0666 & ~mask_of_process;
    const char *name;
    int file = -1;
    int at = os_enter(place->folder, place->target, NULL, &name);
    bool is_there = at != -1;
    if (is_there && fstatat(at, name, &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode)) {
        mode = old.st_mode & 0777;
    }
    const char *temporary = place->temporary + (name - place->target);
    for (unsigned i = 0; is_there && file < 0 && i < TRIES; i++) {
        change_name(place->temporary);
        file = openat(at, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST) break;
    }
    if (file < 0) (void)os_fail_to_write(why);
    else (void)fchmod(file, mode);
    if (is_there && file < 0) os_leave_and_remove(at, place->target, name, place->made);
    else if (is_there) os_leave(at);
    return file;
}

int os_create(struct os_place *place, struct os_why *why)
{
    return place->target == NULL ? open_device(place->temporary, why) : open_beside(place, why);
}

int os_write_some(int file, const void *bytes, unsigned size)
{
    return (int)write(file, bytes, size);
}

bool os_close(int file)
{
    /* After EINTR it is closed, too, or another thread may have got its number. */
    return close(file) == 0 || errno == EINTR;
}

bool os_replace(const struct os_place *place)
{
    const char *name;
    int at = os_enter(place->folder, place->target, NULL, &name);
    if (at == -1) return false;
    bool ok = renameat(at, place->temporary + (name - place->target), at, name) == 0;
    int problem = errno;
    os_leave(at);
    errno = problem;
    return ok;
}

void os_withdraw(const struct os_place *place)
{
    const char *name;
    int at = os_enter(place->folder, place->target, NULL, &name);
    if (at == -1) return;
    (void)unlinkat(at, place->temporary + (name - place->target), 0);
    os_leave_and_remove(at, place->target, name, place->made);
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
