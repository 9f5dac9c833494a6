/* SPDX-License-Identifier: MIT
 *
 * Outputs that appear complete or not at all, however the program ends. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STREAM_BUFFER = 64 << 10 }; /* what goes to the system at once; a stream's own is 4 KiB */

/* Outputs that are not complete, to be removed if a signal ends the program. */
enum { OUTPUTS = 512 }; /* two per thread */
static _Atomic(const char *) unfinished[OUTPUTS];

/* The number of threads that are creating, renaming or forgetting an output. Signals wait for them;
 * once the program is ending, no thread may start. */
static atomic_uint busy;
static atomic_bool is_ending;

static void begin_busy(sigset_t *before)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, before);
    (void)atomic_fetch_add(&busy, 1);
    if (!atomic_load(&is_ending)) return;
    (void)atomic_fetch_sub(&busy, 1);
    while (true) (void)pause(); /* until the other thread ends the program */
}

static void end_busy(const sigset_t *before)
{
    (void)atomic_fetch_sub(&busy, 1);
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void remove_unfinished(void)
{
    atomic_store(&is_ending, true);
    while (atomic_load(&busy) > 0) {
        /* Never this thread, and never for long. */
    }
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *path = atomic_load(&unfinished[i]);
        if (path != NULL) (void)unlink(path);
    }
}

static void end_by_signal(int number)
{
    remove_unfinished();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void os_give_up(int status)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    remove_unfinished();
    _exit(status);
}

static void replace_unfinished(const char *old, const char *new)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *expected = old;
        if (atomic_compare_exchange_strong(&unfinished[i], &expected, new)) return;
    }
}

bool os_is_unfinished(const char *path)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *known = atomic_load(&unfinished[i]);
        if (known != NULL && os_is_same_file(path, known)) return true;
    }
    return false;
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGXCPU};
    (void)signal(SIGXFSZ, SIG_IGN); /* report files that get too large as errors */
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) != 0 || old.sa_handler != SIG_DFL) continue;
        (void)signal(numbers[i], end_by_signal);
    }
}

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

/* A new file beside the target, open for writing. */
static int open_beside(const char *target, const struct stat *old, char **temporary)
{
    *temporary = format_text("%s.XXXXXX", target);
    watch_signals();
    /* A signal between creating the file and noting it would leave the file behind. */
    sigset_t before;
    begin_busy(&before);
    int file = mkstemp(*temporary);
    if (file >= 0) replace_unfinished(NULL, *temporary);
    end_busy(&before);
    if (file < 0) return -1;
    mode_t mode = old != NULL ? old->st_mode & 0777 : 0666 & ~mask_of_process;
    (void)fchmod(file, mode);
    return file;
}

/* Without O_NONBLOCK, opening a pipe would wait for a reader; writing may wait. */
static int open_device(const char *path)
{
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    int flags = file < 0 ? -1 : fcntl(file, F_GETFL);
    if (flags != -1) (void)fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    return file;
}

bool os_open_output(struct os_output *output, const char *path, struct os_why *why)
{
    *output = (struct os_output){0};
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
        return true;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) return os_fail(why, "is a folder");
    int file;
    if (exists && !S_ISREG(status.st_mode)) {
        file = open_device(path); /* nothing to rename */
    } else {
        output->target = final_target(path);
        file = open_beside(output->target, exists ? &status : NULL, &output->temporary);
    }
    if (file < 0) {
        bool is_unread = errno == ENXIO && exists && S_ISFIFO(status.st_mode);
        if (is_unread) (void)os_fail(why, "is a pipe without a reader; start the reader first");
        else (void)os_fail(why, "cannot be written: %s", strerror(errno));
        free(output->target);
        free(output->temporary);
        *output = (struct os_output){0};
        return false;
    }
    output->stream = fdopen(file, "wb");
    if (output->stream == NULL) {
        (void)close(file);
        os_discard_output(output);
        return os_fail(why, "does not fit in memory");
    }
    output->buffer = malloc(STREAM_BUFFER); /* without it, writing is only slower */
    if (output->buffer != NULL) {
        (void)setvbuf(output->stream, output->buffer, _IOFBF, STREAM_BUFFER);
    }
    return true;
}

bool os_write_output(void *output, const void *bytes, size_t size)
{
    struct os_output *o = output;
    if (fwrite(bytes, 1, size, o->stream) == size) return true;
    if (o->problem == 0) o->problem = errno;
    return false;
}

static void forget_output(struct os_output *output)
{
    sigset_t before;
    begin_busy(&before);
    if (output->temporary != NULL) replace_unfinished(output->temporary, NULL);
    free(output->buffer);
    free(output->target);
    free(output->temporary);
    end_busy(&before);
    *output = (struct os_output){0};
}

bool os_finish_output(struct os_output *output, struct os_why *why)
{
    if (output->stream == stdout) return true;
    if (output->stream != NULL && fclose(output->stream) != 0 && output->problem == 0) {
        output->problem = errno;
    }
    output->stream = NULL;
    if (output->problem == 0) return true;
    errno = output->problem;
    return os_fail(why, "cannot be written: %s", strerror(errno));
}

bool os_commit_output(struct os_output *output, struct os_why *why)
{
    bool ok = os_finish_output(output, why);
    if (ok && output->temporary != NULL) {
        ok = rename(output->temporary, output->target) == 0;
        if (!ok) (void)os_fail(why, "cannot be written: %s", strerror(errno));
    }
    if (!ok && output->temporary != NULL) (void)unlink(output->temporary);
    forget_output(output);
    return ok;
}

void os_discard_output(struct os_output *output)
{
    if (output->stream != NULL && output->stream != stdout) (void)fclose(output->stream);
    if (output->temporary != NULL) (void)unlink(output->temporary);
    forget_output(output);
}

void os_start(void)
{
    static char buffer[STREAM_BUFFER];
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
