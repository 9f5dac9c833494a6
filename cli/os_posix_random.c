/* SPDX-License-Identifier: MIT
 *
 * Files that are read here and there, whatever their size. */
#ifdef __linux__
#define _GNU_SOURCE /* for SEEK_DATA */
#endif
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool os_open_random(const char *path, struct os_random *file, struct os_why *why)
{
    struct stat status;
    *why = (struct os_why){.is_limit = false};
    *file = (struct os_random){.handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    bool ok = file->handle >= 0 && fstat(file->handle, &status) == 0;
    if (!ok) {
        (void)snprintf(why->text, sizeof why->text, "cannot be opened: %s", strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        (void)snprintf(why->text, sizeof why->text, "is not a regular file");
        ok = false;
    } else {
        file->size = (uint64_t)status.st_size;
    }
    if (!ok) os_close_random(file);
    return ok;
}

/* Where nothing was ever written there are zeros, which the disk need not be asked for: the image
 * of a disc may be mostly that. */
static bool is_in_hole(struct os_random *file, uint64_t offset, size_t size)
{
#ifdef SEEK_DATA
    bool is_known = offset >= file->hole && offset < file->hole_end;
    if (!is_known) {
        off_t data = lseek(file->handle, (off_t)offset, SEEK_DATA);
        bool is_last = data < 0 && errno == ENXIO; /* up to the end of the file */
        file->hole = offset;
        file->hole_end = data >= 0 ? (uint64_t)data : is_last ? file->size : offset;
    }
#endif
    return offset <= file->hole_end && size <= file->hole_end - offset;
}

bool os_read_shared(const struct os_random *file, uint64_t offset, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    while (size > 0) {
        ssize_t n = pread(file->handle, to, size, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false; /* also where the file has become shorter */
        to += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

bool os_read_at(struct os_random *file, uint64_t offset, void *bytes, size_t size)
{
    if (size == 0 || !is_in_hole(file, offset, size)) {
        return os_read_shared(file, offset, bytes, size);
    }
    memset(bytes, 0, size);
    return true;
}

void os_close_random(struct os_random *file)
{
    if (file->handle >= 0) (void)close(file->handle);
    *file = (struct os_random){.handle = -1};
}
