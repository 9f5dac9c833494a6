/* SPDX-License-Identifier: MIT
 *
 * The disk of a system of which only the C library is known: one thread reads at a time, and
 * folders cannot be listed. With OSSA_WITHOUT_DISK there are no files at all. */
#include "workspace/disk.h"

#if !defined(OSSA_DISK_POSIX) && !defined(OSSA_DISK_WINDOWS)

#if defined(OSSA_WITHOUT_DISK)

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user;
    (void)path;
    *size = 0;
    (void)ossa__disk_fail(error, "does not exist", "");
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

#else

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    bool ok = stream->file != NULL && fseek(stream->file, 0, SEEK_END) == 0;
    long end = ok ? ftell(stream->file) : -1;
    if (end >= 0) {
        *size = (uint64_t)end;
        return stream;
    }
    (void)ossa__disk_fail(error, "cannot be opened: ", strerror(errno));
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
    bool ok = fseek(stream->file, (long)offset, SEEK_SET) == 0 &&
              fread(bytes, 1, size, stream->file) == size;
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

#endif

const ossa_filesystem ossa__disk = {
    .open = open_file, .read_at = read_file, .close = close_file, .is_disk = true};

char *ossa__disk_full_path(struct ossa__arena *arena, const char *path)
{
    (void)arena;
    (void)path;
    return NULL;
}

#endif
