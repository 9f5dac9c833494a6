/* SPDX-License-Identifier: MIT
 *
 * Textures as PNG: through libpng, or in a build without that not packed, so that they are as large
 * as their pixels. */
#ifndef OSSA_PNG_H
#define OSSA_PNG_H

#include "ossa/scene.h"

OSSA_BEGIN

typedef struct ossa_png_options {
    ossa_allocator allocator; /* for libpng and zlib, too */
} ossa_png_options;

/* Red, green, blue and alpha, 8 bits each; without the alpha where all of it is 255. The same
 * texture gives the same bytes with the same zlib (another one may pack otherwise), and the same
 * pixels always. */
OSSA_API bool ossa_write_png(const ossa_texture *texture, const ossa_png_options *options,
                             ossa_sink sink, ossa_error *error);

OSSA_END

#endif
