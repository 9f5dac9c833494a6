/* SPDX-License-Identifier: MIT
 *
 * The search for containers in files of the disc. */
#ifndef OSSA_SOTC_SCAN_H
#define OSSA_SOTC_SCAN_H

#include "codec/format.h"
#include "ossa/games/shadow_of_the_colossus.h"

/* As ossa_sotc_scan and ossa_sotc_find_at, in the terms of struct ossa__game. */
bool ossa__sotc_search(ossa__read_at *read, void (*found)(void *, const struct ossa__finding *),
                       void *user, uint64_t size, ossa_allocator allocator, ossa_error *error);
bool ossa__sotc_search_at(ossa__read_at *read, void *user, uint64_t size, uint64_t offset,
                          struct ossa__finding *found);

/* With a window of any size: for tests. */
bool ossa__sotc_scan(ossa_read_at *read, void *user, uint64_t size, const ossa_options *options,
                     void (*found)(void *user, const ossa_sotc_found *found), size_t window,
                     ossa_error *error);

#endif
