/* SPDX-License-Identifier: MIT */
/** @file
 * Textures back into files of games: read a picture, and give a texture file its pixels.
 *
 *     ok = ossa_repaint_png(original, bytes, size, NULL, sink, &error);
 *
 * The other direction is ossa_write_png, with a texture of a scene. */
#ifndef OSSA_TEXTURE_H
#define OSSA_TEXTURE_H

#include "ossa/scene.h"

OSSA_BEGIN

/** Do bytes begin like a PNG? */
OSSA_API bool ossa_is_png(const void *data, size_t size);

/** Read a PNG of any kind as 8 bits per channel, red green blue alpha, without any change of
 * colours. Returns NULL on failure.
 *
 * Of the options, `name` becomes that of the texture, `max_input` limits the size of the file and
 * that of the pixels in memory (256 MiB each by default), and `allocator` is used by libpng, too. A
 * build without libpng reads none (OSSA_CODE_BAD_ARGUMENT). Free the texture with
 * ossa_texture_free. */
OSSA_API ossa_texture *ossa_read_png(const void *data, size_t size, const ossa_options *options,
                                     ossa_error *error);
/** Free what ossa_read_png returned. NULL is allowed. */
OSSA_API void ossa_texture_free(ossa_texture *texture);

/** Write a texture file again with the pixels of a picture. Its format must have
 * OSSA_ABILITY_REPAINT.
 *
 * The way in which the file stores texels stays. Where a pixel is what the file has already, the
 * stored bytes stay, too, so that an unchanged picture gives the same file. Mip levels are computed
 * anew where the pixels that they are made of have changed. The picture may have another size, of
 * up to 4096 x 4096; then all texels are new. A texture of Shadow of the Colossus keeps its size,
 * because models state it.
 *
 * Colours that a palette lacks replace those that no texel uses any more. If there are too many for
 * that, the palette is made anew from the picture: exactly if its colours fit, otherwise from those
 * that come closest, and all texels are new.
 *
 * Fails with OSSA_CODE_LOST if the picture is transparent and the texels cannot be, and with
 * OSSA_CODE_BAD_ARGUMENT if the size cannot change, or if texels are blocks (DXT) and this build
 * cannot pack them. Of the options, only `allocator` is used. */
OSSA_API bool ossa_repaint(const ossa_file *file, const ossa_texture *texture,
                           const ossa_options *options, ossa_sink sink, ossa_error *error);
/** ossa_read_png and ossa_repaint in one: a picture of a size that the texture cannot have is
 * refused before there is memory for its pixels. `error->format` is "png" if the picture cannot be
 * read, and otherwise the format of the file. The options are those of ossa_read_png. */
OSSA_API bool ossa_repaint_png(const ossa_file *file, const void *data, size_t size,
                               const ossa_options *options, ossa_sink sink, ossa_error *error);

OSSA_END

#endif
