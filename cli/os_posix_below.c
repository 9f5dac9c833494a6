/* SPDX-License-Identifier: MIT
 *
 * Names below a folder that is open. Each folder on the way down is opened from the one around it,
 * and none through a link. So it does not matter what somebody puts in its place meanwhile, and the
 * time is that of the length of a name, not of its square. Nothing is kept open between two calls:
 * there may be more outputs than files that may be open. */
#if defined(__linux__)
#define _GNU_SOURCE /* for O_PATH */
#endif
#include "os_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* A folder that may be entered but not listed will do. */
#if defined(O_PATH)
enum { TO_ENTER = O_PATH | O_DIRECTORY | O_CLOEXEC };
#elif defined(O_SEARCH)
enum { TO_ENTER = O_SEARCH | O_DIRECTORY | O_CLOEXEC };
#else
enum { TO_ENTER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif

bool os_hold_folder(struct os_folder *folder)
{
    int file = open(folder->path, TO_ENTER); /* the user may have named a link */
    folder->handle = file;
    return file >= 0;
}

/* Under the same number, which other threads may be about to use. */
bool os_hold_again(const struct os_folder *folder)
{
    struct stat status;
    int number = (int)folder->handle;
    if (fstat(number, &status) == 0 && status.st_nlink > 0) return true;
    int file = open(folder->path, TO_ENTER);
    bool ok = file >= 0 && dup2(file, number) == number && fcntl(number, F_SETFD, FD_CLOEXEC) == 0;
    if (file >= 0) (void)close(file);
    return ok || (file < 0 && errno == ENOENT);
}

void os_let_folder(struct os_folder *folder)
{
    (void)close((int)folder->handle);
}

/* ---- down and up --------------------------------------------------------------------------- */

struct part {
    char name[NAME_MAX + 1];
};

static bool copy_part(struct part *part, const char *start, const char *end)
{
    size_t size = (size_t)(end - start);
    errno = ENAMETOOLONG;
    if (size > NAME_MAX) return false;
    memcpy(part->name, start, size);
    part->name[size] = '\0';
    return true;
}

/* The next folder on the way down, created if `made` is given and it is missing. */
static int step_down(int at, const char *name, size_t *made)
{
    int next = openat(at, name, TO_ENTER | O_NOFOLLOW);
    if (next >= 0 || errno != ENOENT || made == NULL) return next;
    if (mkdirat(at, name, 0777) == 0) ++*made;
    else if (errno != EEXIST) return -1; /* else another program was faster */
    return openat(at, name, TO_ENTER | O_NOFOLLOW);
}

/* Remove the innermost folders that lead to `end` of a path, from the one that is open, which is
 * closed. Not by their path, on which there may be a link by now. */
static void remove_upwards(int at, const char *path, const char *end, size_t count)
{
    struct part part;
    for (; at >= 0 && count > 0; count--) {
        const char *start = --end; /* the separator behind its name */
        while (start > path && start[-1] != '/') start--;
        int up = openat(at, "..", TO_ENTER);
        (void)close(at);
        at = up;
        if (at >= 0 && copy_part(&part, start, end)) (void)unlinkat(at, part.name, AT_REMOVEDIR);
        end = start;
    }
    if (at >= 0) (void)close(at);
}

int os_enter(const struct os_folder *folder, const char *path, size_t *made, const char **name)
{
    struct part part;
    *name = path;
    if (folder == NULL) return AT_FDCWD;
    if (made != NULL) *made = 0;
    /* Other calls take the whole path: do not even begin with one that is too long for them. */
    size_t size = strlen(folder->path) + strlen(path) + sizeof "/" OS_UNFINISHED;
    errno = ENAMETOOLONG;
    if (size > PATH_MAX) return -1;
    int at = fcntl((int)folder->handle, F_DUPFD_CLOEXEC, 0);
    for (const char *slash; at >= 0 && (slash = strchr(*name, '/')) != NULL; *name = slash + 1) {
        int next = copy_part(&part, *name, slash) ? step_down(at, part.name, made) : -1;
        int problem = errno;
        if (next < 0 && made != NULL) remove_upwards(at, path, *name, *made);
        else (void)close(at);
        errno = problem;
        if (next < 0) return -1;
        at = next;
    }
    return at;
}

void os_leave(int at)
{
    if (at != AT_FDCWD) (void)close(at);
}

void os_leave_and_remove(int at, const char *path, const char *name, size_t made)
{
    if (at != AT_FDCWD) remove_upwards(at, path, name, made);
}

bool os_explain_below(const struct os_folder *folder, const char *path, const char *name,
                      struct os_why *why)
{
    if (errno == ENAMETOOLONG) return os_fail(why, "the path is too long for this system");
    if (errno != ENOTDIR && errno != ELOOP && errno != EEXIST) return os_fail_to_write(why);
    const char *slash = strchr(name, '/');
    size_t size = slash == NULL ? strlen(path) : (size_t)(slash - path);
    char *shown = path_in(folder->path, path);
    (void)os_fail(why, "%.*s exists and is not a folder (links are not followed)",
                  (int)(strlen(shown) - strlen(path) + size), shown);
    free(shown);
    return false;
}

/* ---- calls --------------------------------------------------------------------------------- */

bool os_make_below(const struct os_folder *folder, const char *relative, struct os_why *why)
{
    struct stat status;
    size_t made = 0;
    const char *name;
    int at = os_enter(folder, relative, &made, &name);
    if (at < 0) return os_explain_below(folder, relative, name, why);
    bool ok = mkdirat(at, name, 0777) == 0 ||
              (errno == EEXIST && fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
               (S_ISDIR(status.st_mode) || (errno = EEXIST, false)));
    if (ok) {
        os_leave(at);
        return true;
    }
    (void)os_explain_below(folder, relative, name, why);
    os_leave_and_remove(at, relative, name, made);
    return false;
}

void os_set_time_below(const struct os_folder *folder, const char *relative, uint32_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = (time_t)seconds}, {.tv_sec = (time_t)seconds}};
    const char *name;
    int at = os_enter(folder, relative, NULL, &name);
    if (at < 0) return; /* failing to set a time is harmless */
    (void)utimensat(at, name, times, AT_SYMLINK_NOFOLLOW);
    os_leave(at);
}
