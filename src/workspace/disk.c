/* SPDX-License-Identifier: MIT
 *
 * The file system of a workspace that names no other: the disk. On POSIX files are read with pread,
 * so that threads share them; elsewhere with the C library's streams, one thread at a time, and
 * folders cannot be listed. */
#if defined(__linux__)
#define _GNU_SOURCE /* for SEEK_DATA */
#elif defined(__unix__)
#define _XOPEN_SOURCE 700
#endif
#include "workspace/workspace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool say(ossa_error *error, const char *what, const char *why)
{
    return ossa__workspace_fail(error, OSSA_CODE_IO, "", "%s%s", what, why);
}

#if defined(OSSA_WITHOUT_DISK)

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user;
    (void)path;
    *size = 0;
    (void)say(error, "does not exist", "");
    return NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    (void)user;
    (void)file;
    (void)offset;
    (void)bytes;
    (void)size;
    return false;
}

static void close_file(void *user, void *file)
{
    (void)user;
    (void)file;
}

const ossa_filesystem ossa__disk = {
    .open = open_file, .read_at = read_file, .close = close_file, .is_disk = true};

char *ossa__disk_full_path(struct ossa__arena *arena, const char *path)
{
    (void)arena;
    (void)path;
    return NULL;
}

#elif defined(__unix__) || defined(__APPLE__)

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
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
    struct stat status;
    (void)user;
    /* Without O_NONBLOCK opening a pipe would wait for somebody to write to it. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &status) == 0;
    if (!ok) {
        (void)say(error, "cannot be opened: ", strerror(errno));
    } else {
        const char *wrong = wrong_kind(&status);
        *size = (uint64_t)status.st_size;
        if (wrong != NULL) ok = say(error, wrong, "");
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
        struct stat status; /* it may have become shorter */
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
    struct stat status;
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
    if (stream == NULL) return say(error, "cannot be opened: ", strerror(errno));
    bool ok = true;
    while (ok) {
        errno = 0;
        struct dirent *entry = readdir(stream);
        bool is_folder;
        if (entry == NULL) {
            if (errno != 0) ok = say(error, "cannot be read: ", strerror(errno));
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

#else

#ifdef _WIN32
#define seek_to(stream, offset, whence) _fseeki64(stream, (long long)(offset), whence)
#define position_in(stream)             _ftelli64(stream)
#else
#define seek_to(stream, offset, whence) fseek(stream, (long)(offset), whence)
#define position_in(stream)             ftell(stream)
#endif

/* A stream has one position, so that threads take turns. */
struct stream {
    FILE *file;
    atomic_flag busy;
};

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user;
    struct stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for a file");
        return NULL;
    }
    atomic_flag_clear(&stream->busy);
    stream->file = fopen(path, "rb");
    bool ok = stream->file != NULL && seek_to(stream->file, 0, SEEK_END) == 0;
    long long end = ok ? (long long)position_in(stream->file) : -1;
    if (end >= 0) {
        *size = (uint64_t)end;
        return stream;
    }
    (void)say(error, "cannot be opened: ", strerror(errno));
    if (stream->file != NULL) (void)fclose(stream->file);
    free(stream);
    return NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    struct stream *stream = file;
    (void)user;
    while (atomic_flag_test_and_set(&stream->busy)) {
        /* It is held for a few instructions only. */
    }
    bool ok =
        seek_to(stream->file, offset, SEEK_SET) == 0 && fread(bytes, 1, size, stream->file) == size;
    atomic_flag_clear(&stream->busy);
    return ok;
}

static void close_file(void *user, void *file)
{
    struct stream *stream = file;
    (void)user;
    (void)fclose(stream->file);
    free(stream);
}

const ossa_filesystem ossa__disk = {
    .open = open_file, .read_at = read_file, .close = close_file, .is_disk = true};

char *ossa__disk_full_path(struct ossa__arena *arena, const char *path)
{
    (void)arena;
    (void)path;
    return NULL;
}

#endif
