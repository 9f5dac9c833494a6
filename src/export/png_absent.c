/* SPDX-License-Identifier: MIT
 *
 * Stands in for the PNG writer in a tree that has none. */
#include "export/png.h"

#ifndef OSSA__HAS_PNG_HEADER

bool ossa_png_available(void)
{
    return false;
}

bool ossa_write_png(const ossa_texture *texture, const ossa_png_options *options, ossa_sink sink,
                    ossa_error *error)
{
    (void)texture;
    (void)options;
    (void)sink;
    if (error != NULL) {
        *error = (ossa_error){.code = OSSA_BAD_ARGUMENT, .message = "built without PNG"};
    }
    return false;
}

#endif
