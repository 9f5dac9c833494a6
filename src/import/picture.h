/* SPDX-License-Identifier: MIT
 *
 * A PNG for a texture whose size is known: what does not fit is refused by its header. */
#ifndef OSSA_IMPORT_PICTURE_H
#define OSSA_IMPORT_PICTURE_H

#include "ossa/texture.h"

#include "codec/context.h"

struct ossa__wanted_size {
    /* False after a failure. */
    bool (*check)(struct ossa__context *context, const ossa_file *file, uint32_t width,
                  uint32_t height);
    const ossa_file *file;
};

/* `wanted` is NULL for any size. */
ossa_texture *ossa__read_png(const void *data, size_t size, const ossa_options *options,
                             const struct ossa__wanted_size *wanted, ossa_error *error);

#endif
