/* SPDX-License-Identifier: MIT
 *
 * Loaded into the tool with LD_PRELOAD, to let calls of the system fail when a test wants it.
 *
 *   OSSA_FAULT=CALL:WHEN:WHAT
 *     CALL  write, rename, create (a file), mkdir, read
 *     WHEN  N, the Nth call, from 1; N+, that and all later ones; N*, every Nth
 *     WHAT  kill: the process is gone; ENOSPC, EIO, EINTR, ...: the call fails; short: it does a
 * part of the work; run: OSSA_FAULT_RUN, a command of the shell, is run before it
 *   OSSA_FAULT_COUNT=FILE
 *     how often CALL was called is written there at the end
 *
 * Only files count, not the standard streams. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_ulong calls;
static atomic_bool is_inside; /* the command of the shell calls the same functions */

static const struct {
    const char *name;
    int number;
} problems[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},  {"EDQUOT", EDQUOT},
                {"EROFS", EROFS},   {"EACCES", EACCES}, {"EMFILE", EMFILE}};

/* What happens to this call: -1 nothing, 0 only a part of it, else errno. */
static int fault_of(const char *call)
{
    const char *fault = getenv("OSSA_FAULT");
    size_t size = strlen(call);
    if (fault == NULL || strncmp(fault, call, size) != 0 || fault[size] != ':') return -1;
    if (atomic_load(&is_inside)) return -1;
    unsigned long number = atomic_fetch_add(&calls, 1) + 1;
    char *end;
    unsigned long when = strtoul(fault + size + 1, &end, 10);
    bool is_now = *end == '+' ? number >= when : *end == '*' ? number % when == 0 : number == when;
    const char *what = strchr(end, ':');
    if (!is_now || what == NULL) return -1;
    what++;
    if (strcmp(what, "kill") == 0) (void)raise(SIGKILL);
    if (strcmp(what, "short") == 0) return 0;
    if (strcmp(what, "run") == 0) {
        atomic_store(&is_inside, true);
        (void)unsetenv("LD_PRELOAD");
        /* NOLINTNEXTLINE(cert-env33-c) ; a test says what */
        if (system(getenv("OSSA_FAULT_RUN")) != 0) abort();
        atomic_store(&is_inside, false);
        return -1;
    }
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        if (strcmp(what, problems[i].name) == 0) return problems[i].number;
    }
    abort();
}

/* As above, for calls that do not do things in part. */
static bool fails(const char *call)
{
    int fault = fault_of(call);
    if (fault > 0) errno = fault;
    return fault > 0;
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("OSSA_FAULT_COUNT");
    FILE *stream = path == NULL ? NULL : fopen(path, "w");
    if (stream == NULL) return;
    (void)fprintf(stream, "%lu\n", atomic_load(&calls));
    (void)fclose(stream);
}

/* The next definition of the function with this name. */
#define NEXT(type, name) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

ssize_t write(int file, const void *bytes, size_t size)
{
    static ssize_t (*next)(int, const void *, size_t);
    if (next == NULL) next = NEXT(ssize_t(*)(int, const void *, size_t), "write");
    int fault = file > STDERR_FILENO ? fault_of("write") : -1;
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    return next(file, bytes, fault == 0 && size > 1 ? size / 2 : size);
}

static ssize_t read_at(const char *name, int file, void *bytes, size_t size, off64_t offset)
{
    ssize_t (*next)(int, void *, size_t, off64_t) =
        NEXT(ssize_t(*)(int, void *, size_t, off64_t), name);
    int fault = fault_of("read");
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    return next(file, bytes, fault == 0 && size > 1 ? size / 2 : size, offset);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    return read_at("pread", file, bytes, size, offset);
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t offset)
{
    return read_at("pread64", file, bytes, size, offset);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    int (*next)(int, const char *, int, const char *) =
        NEXT(int (*)(int, const char *, int, const char *), "renameat");
    return fails("rename") ? -1 : next(from_folder, from, to_folder, to);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *) = NEXT(int (*)(const char *, const char *), "rename");
    return fails("rename") ? -1 : next(from, to);
}

static int open_at(const char *name, int folder, const char *path, int flags, mode_t mode)
{
    int (*next)(int, const char *, int, ...) = NEXT(int (*)(int, const char *, int, ...), name);
    if ((flags & O_CREAT) != 0 && fails("create")) return -1;
    return next(folder, path, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? (mode_t)va_arg(arguments, unsigned) : 0;
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_at("openat", folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_at("openat64", folder, path, flags, mode);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    int (*next)(int, const char *, mode_t) = NEXT(int (*)(int, const char *, mode_t), "mkdirat");
    return fails("mkdir") ? -1 : next(folder, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    int (*next)(const char *, mode_t) = NEXT(int (*)(const char *, mode_t), "mkdir");
    return fails("mkdir") ? -1 : next(path, mode);
}
