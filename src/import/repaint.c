/* SPDX-License-Identifier: MIT */
#include "ossa/texture.h"

#include "codec/format.h"
#include "import/picture.h"

static bool check_kind(struct ossa__context *context, const struct ossa__format *format)
{
    if (format->repaint != NULL) return true;
    return ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                              "%s: this kind of file has no pixels to replace",
                              format->about.title);
}

static void repaint(struct ossa__context *context, const ossa_file *file,
                    const ossa_texture *texture, struct ossa__writer *writer)
{
    const struct ossa__format *format = ossa__format_of(file);
    if (!check_kind(context, format)) return;
    if (texture->width == 0 || texture->height == 0 || texture->pixels == NULL) {
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

/* May the picture have this size? Formats say so of a texture without pixels. */
static bool check_size(struct ossa__context *context, const ossa_file *file, uint32_t width,
                       uint32_t height)
{
    const struct ossa__format *format = ossa__format_of(file);
    const char *shown = context->format;
    const ossa_texture texture = {.width = width, .height = height};
    context->format = format->about.id;
    if (check_kind(context, format))
        format->repaint(context, ossa__contents_in_parts(file), &texture, NULL);
    if (!context->failed) context->format = shown;
    return !context->failed;
}

bool ossa_repaint_png(const ossa_file *file, const void *data, size_t size,
                      const ossa_options *options, ossa_sink sink, ossa_error *error)
{
    const struct ossa__wanted_size wanted = {check_size, file};
    ossa_texture *picture = ossa__read_png(data, size, options, &wanted, error);
    bool ok = picture != NULL && ossa_repaint(file, picture, options, sink, error);
    ossa_texture_free(picture);
    return ok;
}
