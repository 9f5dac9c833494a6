/* SPDX-License-Identifier: MIT
 *
 * Files by their paths, in memory: what the tool's rules find in place of a disk. */
#ifndef OSSA_WEB_OS_MEMORY_H
#define OSSA_WEB_OS_MEMORY_H

#include "os.h"

struct web_named {
    char *path;    /* normalised: no . and .., no / at the ends or twice; from malloc */
    uint8_t *data; /* of web_bytes_new */
    size_t order;  /* of adding: of two with one path the later one counts */
};

struct web_disk {
    struct web_named *files;
    size_t count;
    size_t capacity;
    size_t added;
    bool is_sorted;
};

/* The disk that the calls of os.h see from now on; NULL: one without files. */
void web_disk_use(struct web_disk *disk);

/* Bytes that are shared: they stay until the last who has them lets go. NULL where there is no
 * memory. Zero bytes are possible. */
uint8_t *web_bytes_new(size_t size);
void web_bytes_keep(uint8_t *data);
void web_bytes_drop(uint8_t *data);

/* Take the bytes over, also when that fails for want of memory or of a name. */
bool web_disk_add(struct web_disk *disk, const char *path, uint8_t *data);
bool web_disk_remove(struct web_disk *disk, const char *path);
const struct web_named *web_disk_find(struct web_disk *disk, const char *path);
/* Put the files in order, each path once. */
void web_disk_sort(struct web_disk *disk);
void web_disk_clear(struct web_disk *disk);

#endif
