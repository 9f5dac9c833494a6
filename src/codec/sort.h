/* SPDX-License-Identifier: MIT
 *
 * A stable merge sort: n log n on every input, with memory that is given back (qsort promises
 * neither). */
#ifndef OSSA_CODEC_SORT_H
#define OSSA_CODEC_SORT_H

#include "codec/context.h"

/* Sort `count` items of `size` bytes by `before(a, b, user)`; false after a failure. */
bool ossa__sort(struct ossa__context *context, void *items, size_t count, size_t size,
                bool (*before)(const void *a, const void *b, void *user), void *user);

#endif
