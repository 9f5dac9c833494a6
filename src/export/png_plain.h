/* SPDX-License-Identifier: MIT
 *
 * PNG that is not packed: for builds without libpng, such as the one for browsers. */
#ifndef OSSA_EXPORT_PNG_PLAIN_H
#define OSSA_EXPORT_PNG_PLAIN_H

#include "ossa/scene.h"

/* What ossa_write_png writes, but for its size: a little more than the pixels'. Nothing is
 * allocated. False when the sink fails. */
bool ossa__write_plain_png(const ossa_texture *texture, bool opaque, ossa_sink sink);

#endif
