/* SPDX-License-Identifier: MIT
 *
 * Textures as PNG, through libpng: a build without that has none. */
#ifndef OSSA_PNG_H
#define OSSA_PNG_H

#include "ossa/scene.h"

OSSA_BEGIN

typedef struct ossa_png_options {
    ossa_allocator allocator; /* for libpng and zlib, too */
} ossa_png_options;

/* Can this build write PNG? */
OSSA_API bool ossa_png_available(void);

/* Red, green, blue and alpha, 8 bits each; without the alpha where all of it is 255. The same
 * texture gives the same bytes with the same zlib (another one may pack otherwise), and the same
 * pixels always. */
OSSA_API bool ossa_write_png(const ossa_texture *texture, const ossa_png_options *options,
                             ossa_sink sink, ossa_error *error);

OSSA_END

#endif
