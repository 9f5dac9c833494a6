/* SPDX-License-Identifier: MIT
 *
 * A texture as PNG: packed by libpng, or in a build without it as it is, by png_plain.c.
 *
 * libpng reports a failure by a jump out of itself. All that must outlive the jump is in one
 * struct, and one function sets it up (write_picture): nothing of ours is on the stack in between
 * but the callbacks below, which hold nothing. */
#include "ossa/export.h"

#include "codec/context.h"
#include "export/png_plain.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SIDE = 0x7fffffff }; /* of a PNG */

static bool has_pixels(const ossa_texture *texture)
{
    return texture->pixels != NULL && texture->width > 0 && texture->height > 0 &&
           texture->width <= MOST_SIDE && texture->height <= MOST_SIDE;
}
static const char no_pixels[] = "the texture has no pixels";

static bool is_opaque(const ossa_texture *texture)
{
    uint64_t count = (uint64_t)texture->width * texture->height;
    for (uint64_t i = 0; i < count; i++) {
        if (texture->pixels[i][3] != 255) return false;
    }
    return true;
}

#ifdef OSSA_WITH_PNG

#include <png.h>
#include <setjmp.h>

enum { LEVEL = 6 }; /* zlib's usual one, stated so that it stays */

struct work {
    const ossa_texture *texture;
    ossa_allocator allocator;
    ossa_sink sink;
    png_structp png;
    png_infop info;
    jmp_buf failed;
    bool out_of_memory;
    bool sink_failed;
    char message[OSSA_MESSAGE_CAPACITY];
};

/* ---- callbacks ----------------------------------------------------------------------------- */

/* The allocator wants a size back that libpng does not have: it stands before the memory. */
union header {
    size_t size;
    max_align_t aligned;
};

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    struct work *work = png_get_mem_ptr(png);
    union header *memory = NULL;
    if (size <= SIZE_MAX - sizeof *memory) {
        memory = work->allocator.allocate(work->allocator.user, sizeof *memory + size);
    }
    if (memory == NULL) {
        work->out_of_memory = true;
        return NULL;
    }
    memory->size = sizeof *memory + size;
    return memory + 1;
}

static void release(png_structp png, png_voidp place)
{
    struct work *work = png_get_mem_ptr(png);
    union header *memory = (union header *)place - 1;
    work->allocator.release(work->allocator.user, memory, memory->size);
}

static void on_error(png_structp png, png_const_charp message)
{
    struct work *work = png_get_error_ptr(png);
    (void)snprintf(work->message, sizeof work->message, "%s", message);
    longjmp(work->failed, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message; /* of what is missing later on, or does not matter */
}

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct work *work = png_get_io_ptr(png);
    if (work->sink.write(work->sink.user, bytes, size)) return;
    work->sink_failed = true;
    png_error(png, "the output could not be written");
}

static void flush(png_structp png)
{
    (void)png;
}

/* ---- the picture --------------------------------------------------------------------------- */

static void write_rows(struct work *work)
{
    const ossa_texture *texture = work->texture;
    bool opaque = is_opaque(texture);
    png_set_user_limits(work->png, MOST_SIDE, MOST_SIDE);
    png_set_write_fn(work->png, work, write_bytes, flush);
    png_set_compression_level(work->png, LEVEL);
    png_set_filter(work->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    png_set_IHDR(work->png, work->info, texture->width, texture->height, 8,
                 opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(work->png, work->info);
    if (opaque) png_set_filler(work->png, 0, PNG_FILLER_AFTER); /* leaves each fourth byte out */
    for (uint64_t y = 0; y < texture->height; y++) {
        png_write_row(work->png, texture->pixels[y * texture->width]);
    }
    png_write_end(work->png, work->info);
}

static bool write_picture(struct work *work)
{
    if (setjmp(work->failed) != 0) return false;
    work->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, work, on_error, on_warning, work,
                                          allocate, release);
    if (work->png != NULL) work->info = png_create_info_struct(work->png);
    if (work->info == NULL) {
        (void)snprintf(work->message, sizeof work->message, "libpng could not be started");
        return false;
    }
    write_rows(work);
    return true;
}

static ossa_code code_of(const struct work *work)
{
    if (work->out_of_memory) return OSSA_CODE_OUT_OF_MEMORY;
    return work->sink_failed ? OSSA_CODE_IO : OSSA_CODE_BAD_ARGUMENT;
}

bool ossa_write_png(const ossa_texture *texture, const ossa_export_options *options, ossa_sink sink,
                    ossa_error *error)
{
    ossa_allocator allocator = {0};
    if (options != NULL) allocator = options->allocator;
    struct work work = {
        .texture = texture, .allocator = ossa__allocator_or_default(allocator), .sink = sink};
    bool is_fine = has_pixels(texture) && ossa__is_allocator(allocator);
    if (!is_fine) {
        (void)snprintf(work.message, sizeof work.message, "%s",
                       has_pixels(texture) ? OSSA__HALF_ALLOCATOR : no_pixels);
    }
    /* Memory that libpng did without is a failure all the same: the bytes might be others. */
    bool ok = is_fine && write_picture(&work) && !work.out_of_memory;
    png_destroy_write_struct(&work.png, &work.info);
    if (error == NULL) return ok;
    *error = (ossa_error){0};
    if (!ok) {
        error->code = code_of(&work);
        memcpy(error->message, work.message, sizeof error->message);
        if (work.out_of_memory) {
            (void)snprintf(error->message, sizeof error->message, "no memory for the PNG");
        }
    }
    return ok;
}

#else

bool ossa_write_png(const ossa_texture *texture, const ossa_export_options *options, ossa_sink sink,
                    ossa_error *error)
{
    (void)options;
    bool is_fine = has_pixels(texture);
    bool ok = is_fine && ossa__write_plain_png(texture, is_opaque(texture), sink);
    if (error == NULL) return ok;
    *error = (ossa_error){0};
    if (!ok) {
        error->code = is_fine ? OSSA_CODE_IO : OSSA_CODE_BAD_ARGUMENT;
        (void)snprintf(error->message, sizeof error->message, "%s",
                       is_fine ? "the output could not be written" : no_pixels);
    }
    return ok;
}

#endif
