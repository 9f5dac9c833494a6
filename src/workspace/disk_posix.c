/* SPDX-License-Identifier: MIT
 *
 * The disk as POSIX has it. Files are read with pread, so that threads share them. */
#define _FILE_OFFSET_BITS 64 /* images of discs, on 32-bit machines too */
#if defined(__linux__)
#define _GNU_SOURCE /* for SEEK_DATA */
#elif defined(__unix__)
#define _XOPEN_SOURCE 700
#endif
#include "workspace/disk.h"

#if defined(OSSA_DISK_POSIX)

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files --------------------------------------------------------------------------------- */

static const char *wrong_kind(const struct stat *status)
{
    if (S_ISREG(status->st_mode)) return NULL;
    if (S_ISDIR(status->st_mode)) return "is a folder, expected a file";
    if (S_ISFIFO(status->st_mode))
        return "is a pipe, expected a file; pass what comes through it as standard input";
    return "is not a regular file";
}

/* A handle is its number + 1, so that none is NULL. */
static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    struct stat status = {0};
    (void)user;
    /* Without O_NONBLOCK opening a pipe would wait for somebody to write to it. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &status) == 0;
    if (!ok) {
        (void)ossa__disk_fail(error, "cannot be opened: ", strerror(errno));
    } else {
        const char *wrong = wrong_kind(&status);
        *size = (uint64_t)status.st_size;
        if (wrong != NULL) ok = ossa__disk_fail(error, wrong, "");
    }
    if (ok) return (void *)(intptr_t)(file + 1); /* NOLINT(performance-no-int-to-ptr) */
    if (file >= 0) (void)close(file);
    return NULL;
}

static int number_of(const void *file)
{
    return (int)(intptr_t)file - 1;
}

/* Where nothing was ever written there are zeros, which need not be read: the image of a disc may
 * be mostly that. */
static bool is_hole(int file, uint64_t offset, size_t size)
{
#ifdef SEEK_DATA
    enum { WORTH_ASKING = 64 << 10 };
    if (size < WORTH_ASKING) return false;
    off_t data = lseek(file, (off_t)offset, SEEK_DATA); /* pread does not use the position */
    if (data < 0) return errno == ENXIO;                /* a hole up to the end */
    return (uint64_t)data >= offset + size;
#else
    (void)file;
    (void)offset;
    (void)size;
    return false;
#endif
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    int number = number_of(file);
    uint8_t *to = bytes;
    (void)user;
    if (is_hole(number, offset, size)) {
        struct stat status = {0}; /* it may have become shorter */
        bool is_there = fstat(number, &status) == 0 && (uint64_t)status.st_size >= offset + size;
        if (is_there) memset(bytes, 0, size);
        return is_there;
    }
    while (size > 0) {
        ssize_t n = pread(number, to, size, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

static void close_file(void *user, void *file)
{
    (void)user;
    (void)close(number_of(file));
}

/* ---- folders ------------------------------------------------------------------------------- */

/* Links to files are files; links to folders are not followed, so that nothing goes in circles. */
static bool look_at(int folder, const char *name, bool *is_folder)
{
    struct stat status = {0};
    *is_folder = false;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return errno == EACCES;
    *is_folder = S_ISDIR(status.st_mode);
    if (*is_folder || S_ISREG(status.st_mode)) return true;
    return S_ISLNK(status.st_mode) && fstatat(folder, name, &status, 0) == 0 &&
           S_ISREG(status.st_mode);
}

static bool list_folder(void *user, const char *folder, ossa_list_entry *found, void *context,
                        ossa_error *error)
{
    (void)user;
    DIR *stream = opendir(folder);
    if (stream == NULL) return ossa__disk_fail(error, "cannot be opened: ", strerror(errno));
    bool ok = true;
    while (ok) {
        errno = 0;
        struct dirent *entry = readdir(stream);
        bool is_folder;
        if (entry == NULL) {
            if (errno != 0) ok = ossa__disk_fail(error, "cannot be read: ", strerror(errno));
            break;
        }
        bool is_dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (!is_dots && look_at(dirfd(stream), entry->d_name, &is_folder)) {
            found(context, entry->d_name, is_folder);
        }
    }
    (void)closedir(stream);
    return ok;
}

const ossa_filesystem ossa__disk = {.list = list_folder,
                                    .open = open_file,
                                    .read_at = read_file,
                                    .close = close_file,
                                    .is_disk = true};

char *ossa__disk_full_path(struct ossa__arena *arena, const char *path)
{
    char *full = realpath(path, NULL);
    char *copy = full == NULL ? NULL : ossa__copy(arena, full, strlen(full));
    free(full);
    return copy;
}

#endif
