/* SPDX-License-Identifier: MIT
 *
 * The PNG writer, as the glTF export calls it: from the public header, or where that is not there
 * a stand-in (png_absent.c) that says so. */
#ifndef OSSA_EXPORT_PNG_H
#define OSSA_EXPORT_PNG_H

#include "ossa/scene.h"

#ifdef __has_include
#if __has_include("ossa/png.h")
#include "ossa/png.h"
#define OSSA__HAS_PNG_HEADER
#endif
#endif

#ifndef OSSA__HAS_PNG_HEADER
typedef struct ossa_png_options {
    ossa_allocator allocator;
} ossa_png_options;
bool ossa_png_available(void);
bool ossa_write_png(const ossa_texture *texture, const ossa_png_options *options, ossa_sink sink,
                    ossa_error *error);
#endif

#endif
