/* SPDX-License-Identifier: MIT
 *
 * A PNG as pixels, by libpng.
 *
 * libpng reports a failure by a jump out of itself. All that must outlive the jump is in one
 * struct, and one function sets it up (read_picture). What a file says of its size is compared with
 * what its bytes can hold before there is memory for it, and what is no picture is skipped unread:
 * texts and profiles may be packed, and unpack to anything. */
#include "ossa/texture.h"

#include "codec/context.h"
#include "import/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

bool ossa_is_png(const void *data, size_t size)
{
    return size >= sizeof signature && memcmp(data, signature, sizeof signature) == 0;
}

/* What ossa_texture_free gets back. */
struct picture {
    ossa_texture texture; /* first: a pointer to it is a pointer to this */
    struct ossa__arena arena;
};

void ossa_texture_free(ossa_texture *texture)
{
    if (texture == NULL) return;
    struct ossa__arena arena = ((struct picture *)texture)->arena;
    ossa__arena_free(&arena);
}

#ifdef OSSA_WITH_PNG

#include <png.h>
#include <setjmp.h>

enum {
    MOST_SIDE = 1 << 20,
    MOST_UNPACKED = 1032, /* bytes that one byte of a DEFLATE stream can become */
    MOST_CHUNK = 1 << 20, /* bytes of memory for a chunk that is no picture */
};

struct work {
    struct ossa__context *context;
    const struct ossa__wanted_size *wanted;
    const uint8_t *data;
    size_t size;
    size_t at;
    png_structp png;
    png_infop info;
    jmp_buf failed;
    uint32_t width;
    uint32_t height;
    uint8_t (*pixels)[4];
};

/* ---- callbacks ----------------------------------------------------------------------------- */

/* libpng's memory is scratch memory of the call, and goes with it. */
static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    struct work *work = png_get_mem_ptr(png);
    return ossa__take_scratch(work->context, size, 1);
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    (void)memory;
}

static void on_error(png_structp png, png_const_charp message)
{
    struct work *work = png_get_error_ptr(png);
    ossa__fail(work->context, OSSA_CODE_BAD_VALUE, work->at, "", "%s", message);
    longjmp(work->failed, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message; /* of what does not matter to the pixels */
}

static void read_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct work *work = png_get_io_ptr(png);
    if (size > work->size - work->at) {
        ossa__fail(work->context, OSSA_CODE_TRUNCATED, work->at, "", "needs %zu bytes, %zu left",
                   size, work->size - work->at);
        png_error(png, "truncated");
    }
    memcpy(bytes, work->data + work->at, size);
    work->at += size;
}

/* ---- the picture --------------------------------------------------------------------------- */

static void skip_chunks(png_structp png)
{
    static const png_byte names[] = "tEXt\0zTXt\0iTXt\0iCCP\0sPLT\0eXIf\0hIST";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
    png_set_chunk_malloc_max(png, MOST_CHUNK);
}

/* Can so few bytes be so many pixels, and may they be? */
static bool check_size(struct work *work)
{
    const struct ossa__wanted_size *wanted = work->wanted;
    if (wanted != NULL && !wanted->check(work->context, wanted->file, work->width, work->height))
        return false;
    unsigned bits = (unsigned)png_get_bit_depth(work->png, work->info) *
                    png_get_channels(work->png, work->info);
    uint64_t pixels = (uint64_t)work->width * work->height; /* both below 2^31 */
    uint64_t bytes = pixels / 8 * bits + work->height;      /* with one for each filter, at least */
    uint64_t limit = work->context->options.max_input;
    if (bytes / MOST_UNPACKED > work->size) {
        return ossa__fail_nowhere(work->context, OSSA_CODE_BAD_COUNT, "",
                                  "%" PRIu32 " x %" PRIu32 " pixels cannot fit in %zu bytes",
                                  work->width, work->height, work->size);
    }
    if (pixels > limit / 4) {
        return ossa__fail_nowhere(work->context, OSSA_CODE_LIMIT, "",
                                  "%" PRIu32 " x %" PRIu32 " pixels are more than the limit of "
                                  "%" PRIu64 " bytes of memory",
                                  work->width, work->height, limit);
    }
    return true;
}

/* Anything as 8 bits of red, green, blue and alpha. */
static void set_kind(struct work *work)
{
    png_set_expand(work->png); /* palettes, few bits of grey, a transparent colour */
    png_set_scale_16(work->png);
    png_set_gray_to_rgb(work->png);
    png_set_add_alpha(work->png, 0xff, PNG_FILLER_AFTER);
}

static void read_rows(struct work *work)
{
    png_set_read_fn(work->png, work, read_bytes);
    png_set_user_limits(work->png, MOST_SIDE, MOST_SIDE);
    skip_chunks(work->png);
    png_read_info(work->png, work->info);
    work->width = png_get_image_width(work->png, work->info);
    work->height = png_get_image_height(work->png, work->info);
    if (!check_size(work)) return;
    set_kind(work);
    int passes = png_set_interlace_handling(work->png);
    png_read_update_info(work->png, work->info);
    uint64_t pixels = (uint64_t)work->width * work->height;
    work->pixels = ossa__take(work->context, pixels, sizeof *work->pixels);
    if (work->pixels == NULL) return;
    if (png_get_rowbytes(work->png, work->info) != (size_t)work->width * 4) {
        ossa__fail_nowhere(work->context, OSSA_CODE_BAD_VALUE, "", "has rows of an odd size");
        return;
    }
    memset(work->pixels, 0, (size_t)pixels * sizeof *work->pixels);
    for (int pass = 0; pass < passes; pass++) {
        for (uint64_t y = 0; y < work->height; y++) {
            png_read_row(work->png, work->pixels[y * work->width], NULL);
        }
    }
    png_read_end(work->png, NULL);
}

static void read_picture(struct work *work)
{
    if (setjmp(work->failed) != 0) return;
    work->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, work, on_error, on_warning, work,
                                         allocate, release);
    if (work->png != NULL) work->info = png_create_info_struct(work->png);
    if (work->info == NULL) {
        ossa__fail_nowhere(work->context, OSSA_CODE_OUT_OF_MEMORY, "", "libpng cannot be started");
        return;
    }
    read_rows(work);
}

static const ossa_texture *read_png(struct ossa__context *context, const void *data, size_t size,
                                    const struct ossa__wanted_size *wanted)
{
    struct work work = {.context = context, .wanted = wanted, .data = data, .size = size};
    if (!ossa_is_png(data, size)) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "", "is not a PNG");
        return NULL;
    }
    read_picture(&work);
    png_destroy_read_struct(&work.png, &work.info, NULL);
    struct picture *picture = ossa__take(context, 1, sizeof *picture);
    const char *name = context->options.name == NULL ? "texture" : context->options.name;
    char *copy = ossa__take(context, strlen(name) + 1, 1);
    if (context->failed) return NULL;
    memcpy(copy, name, strlen(name) + 1);
    picture->texture = (ossa_texture){copy, work.width, work.height, NULL};
    picture->texture.pixels = (const uint8_t(*)[4])work.pixels;
    return &picture->texture;
}

#else

static const ossa_texture *read_png(struct ossa__context *context, const void *data, size_t size,
                                    const struct ossa__wanted_size *wanted)
{
    (void)data;
    (void)size;
    (void)wanted;
    ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                       "this build cannot read PNGs: it has no libpng");
    return NULL;
}

#endif

ossa_texture *ossa__read_png(const void *data, size_t size, const ossa_options *options,
                             const struct ossa__wanted_size *wanted, ossa_error *error)
{
    struct ossa__context context;
    ossa_options plain = {.max_memory = UINT64_MAX};
    if (options != NULL) {
        plain.name = options->name;
        plain.path = options->path;
        plain.max_input = options->max_input;
        plain.allocator = options->allocator;
    }
    ossa__context_init(&context, &plain, 0);
    context.format = "png";
    struct picture *picture = NULL;
    if (size > context.options.max_input) {
        ossa__fail_nowhere(&context, OSSA_CODE_TOO_LARGE, "",
                           "has %zu bytes, more than the limit of %" PRIu64 " bytes", size,
                           context.options.max_input);
    } else {
        picture = (struct picture *)(uintptr_t)read_png(&context, data, size, wanted);
    }
    ossa__arena_free(&context.scratch);
    ossa__hand_over_error(&context, error);
    if (picture == NULL) {
        ossa__arena_free(&context.arena);
        return NULL;
    }
    picture->arena = context.arena;
    return &picture->texture;
}

ossa_texture *ossa_read_png(const void *data, size_t size, const ossa_options *options,
                            ossa_error *error)
{
    return ossa__read_png(data, size, options, NULL, error);
}
