/* SPDX-License-Identifier: MIT */
#include "archive/deflate.h"

#ifdef OSSA_WITH_ZLIB

#include <zlib.h>

/* zlib's memory is scratch memory of the call. */
static voidpf take(voidpf context, uInt count, uInt size)
{
    return ossa__take_scratch(context, count, size);
}

static void leave(voidpf context, voidpf memory)
{
    (void)context;
    (void)memory;
}

const uint8_t *ossa__deflate(struct ossa__context *context, const uint8_t *bytes, uint64_t size,
                             uint64_t *packed_size)
{
    enum { MOST_MEMORY = 9 };
    if (size < 2 || size > UINT32_MAX || context->failed) return NULL;
    struct ossa__mark mark = ossa__arena_mark(&context->scratch);
    uint8_t *out = ossa__take(context, size - 1, 1);
    z_stream stream = {.zalloc = take, .zfree = leave, .opaque = context};
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes; /* zlib only reads it */
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)(size - 1);
    bool is_smaller = false;
    if (out != NULL && deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS,
                                    MOST_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK) {
        is_smaller = deflate(&stream, Z_FINISH) == Z_STREAM_END;
        (void)deflateEnd(&stream);
    }
    ossa__arena_release(&context->scratch, mark);
    *packed_size = size - 1 - stream.avail_out;
    return is_smaller ? out : NULL;
}

#else

const uint8_t *ossa__deflate(struct ossa__context *context, const uint8_t *bytes, uint64_t size,
                             uint64_t *packed_size)
{
    (void)context;
    (void)bytes;
    (void)size;
    (void)packed_size;
    return NULL;
}

#endif
