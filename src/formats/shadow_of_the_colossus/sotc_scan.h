/* SPDX-License-Identifier: MIT
 *
 * The search for containers in files of the disc. */
#ifndef OSSA_SOTC_SCAN_H
#define OSSA_SOTC_SCAN_H

#include "codec/format.h"
#include "ossa/games/shadow_of_the_colossus.h"

/* A file of any size, and the part of it that is in memory. */
struct ossa__sotc_view {
    ossa_source source;
    const uint8_t *window; /* NULL: none */
    uint64_t window_at;
    size_t window_size;
    bool failed; /* bytes inside the file could not be read */
    uint64_t failed_at;
    size_t failed_size;
    /* What looks like a container is looked at, wherever its tables are. A file may be full of what
     * only looks like one, so there is an end to it. */
    uint64_t got;      /* bytes so far; a read of the source counts as some more */
    uint64_t searched; /* bytes */
    uint64_t examined; /* of `got`, what was spent on what looks like containers in them */
    bool is_over;      /* that is far more than was searched: the search has ended */
};

/* All of it in memory; `read_at` of the source is not used. */
struct ossa__sotc_view ossa__sotc_view_of(const uint8_t *data, uint64_t size);
/* Bytes from the window, or else from the source; false if they are not all in the file or cannot
 * be read. */
bool ossa__sotc_get(struct ossa__sotc_view *view, uint64_t offset, void *bytes, size_t size);

/* A container. */
struct ossa__sotc_hit {
    ossa_sotc_found found;
    uint32_t stated_size; /* of it, which the end of the file may cut */
    uint64_t end;         /* of its last table or section */
};

/* Is there one at this offset? */
bool ossa__sotc_container_at(struct ossa__sotc_view *view, uint64_t at, struct ossa__sotc_hit *hit);

/* Find those that begin in a range, in the order of offsets, until `found` returns false. The
 * window is `buffer`, of at least 4 bytes; NULL: that of the view, which has it all. Returns the
 * offset from which nothing was searched: that of `end`, or where the last one ends behind it. The
 * view may be `failed` or `is_over` afterwards. */
typedef bool ossa__sotc_found(void *user, struct ossa__sotc_view *view,
                              const struct ossa__sotc_hit *hit);
uint64_t ossa__sotc_find(struct ossa__sotc_view *view, uint64_t begin, uint64_t end,
                         uint8_t *buffer, size_t capacity, ossa__sotc_found *found, void *user);

/* Fail because a search is over. */
void ossa__sotc_fail_over(struct ossa__context *context);

/* Does the file begin with a container behind which another one follows closely, or more than
 * padding? Then it is not one container but an archive of them. */
bool ossa__sotc_is_row(struct ossa__sotc_view *view);

/* With a window of any size: for tests. */
bool ossa__sotc_scan(ossa_read_at *read, void *user, uint64_t size, const ossa_options *options,
                     void (*found)(void *user, const ossa_sotc_found *found), size_t window,
                     ossa_error *error);

#endif
