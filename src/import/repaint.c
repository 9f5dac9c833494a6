/* SPDX-License-Identifier: MIT */
#include "ossa/texture.h"

#include "codec/format.h"

static void repaint(struct ossa__context *context, const ossa_file *file,
                    const ossa_texture *texture, struct ossa__writer *writer)
{
    const struct ossa__format *format = ossa__format_of(file);
    if (format->repaint == NULL) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                           "%s: this kind of file has no pixels to replace", format->about.title);
    } else if (texture->width == 0 || texture->height == 0 || texture->pixels == NULL) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "", "the picture has no pixels");
    } else {
        format->repaint(context, ossa__contents_in_parts(file), texture, writer);
    }
}

bool ossa_repaint(const ossa_file *file, const ossa_texture *texture, const ossa_options *options,
                  ossa_sink sink, ossa_error *error)
{
    struct ossa__context context;
    struct ossa__writer writer;
    ossa_options plain = {.max_memory = UINT64_MAX};
    if (options != NULL) plain.allocator = options->allocator;
    ossa__context_init(&context, &plain, 0);
    ossa__writer_init(&writer, &context, sink);
    context.format = file->format->id;
    repaint(&context, file, texture, &writer);
    ossa__arena_free(&context.scratch);
    (void)ossa__writer_finish(&writer);
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.arena);
    return !context.failed;
}
