/* SPDX-License-Identifier: MIT */
#include "archive/inflate.h"

#include "archive/inflate_plain.h"

#include <inttypes.h>
#include <string.h>

static bool fail(struct ossa__context *context, const struct ossa__deflated *packed,
                 const char *what)
{
    return ossa__fail_nowhere(context, OSSA_CODE_BAD_VALUE, packed->name, "cannot be unpacked: %s",
                              what);
}

static bool fail_size(struct ossa__context *context, const struct ossa__deflated *packed,
                      const char *more_or_less)
{
    return ossa__fail_nowhere(context, OSSA_CODE_SIZE_MISMATCH, packed->name,
                              "unpacks to %s than the %" PRIu64 " bytes that the archive says",
                              more_or_less, packed->unpacked_size);
}

static bool check_crc(struct ossa__context *context, const struct ossa__deflated *packed,
                      uint32_t crc)
{
    if (packed->crc == NULL || crc == *packed->crc) return true;
    return ossa__fail_nowhere(context, OSSA_CODE_BAD_VALUE, packed->name,
                              "its checksum is 0x%08" PRIx32 ", expected 0x%08" PRIx32
                              ": it is damaged",
                              crc, *packed->crc);
}

static const char ends_early[] = "its bytes end in the middle";

#ifdef OSSA_WITH_ZLIB

#include <zlib.h>

/* zlib's few kilobytes come from the call's arena, and go with it. */
static voidpf take(voidpf context, uInt count, uInt size)
{
    return ossa__take(context, count, size);
}

static void leave(voidpf context, voidpf memory)
{
    (void)context;
    (void)memory;
}

/* What it means that zlib did not get to the end with just the right number of bytes. */
static bool fail_at(struct ossa__context *context, const struct ossa__deflated *packed,
                    const z_stream *stream, int status)
{
    if (context->failed) return false; /* of memory */
    if (status == Z_MEM_ERROR) {
        return ossa__fail_nowhere(context, OSSA_CODE_OUT_OF_MEMORY, packed->name,
                                  "no memory for zlib");
    }
    if (status == Z_DATA_ERROR || status == Z_NEED_DICT) {
        return fail(context, packed, stream->msg == NULL ? "it is damaged" : stream->msg);
    }
    if (status != Z_STREAM_END && stream->avail_in == 0 && stream->avail_out > 0) {
        return fail(context, packed, ends_early);
    }
    return fail_size(context, packed, status == Z_STREAM_END ? "less" : "more");
}

bool ossa__inflate(struct ossa__context *context, const struct ossa__deflated *packed, uint8_t *out)
{
    if (packed->size > UINT32_MAX || packed->unpacked_size > UINT32_MAX) {
        return fail(context, packed, "it is larger than 4 GiB");
    }
    z_stream stream = {.zalloc = take, .zfree = leave, .opaque = context};
    stream.next_in = (z_const Bytef *)(uintptr_t)packed->bytes; /* zlib only reads it */
    stream.avail_in = (uInt)packed->size;
    stream.next_out = out;
    stream.avail_out = (uInt)packed->unpacked_size;
    int status = inflateInit2(&stream, -MAX_WBITS); /* no header before the stream */
    if (status == Z_OK) {
        status = inflate(&stream, Z_FINISH);
        (void)inflateEnd(&stream);
    }
    if (status != Z_STREAM_END || stream.avail_out > 0) {
        return fail_at(context, packed, &stream, status);
    }
    if (packed->crc == NULL) return true;
    return check_crc(context, packed, (uint32_t)crc32(0, out, (uInt)packed->unpacked_size));
}

#else

bool ossa__inflate(struct ossa__context *context, const struct ossa__deflated *packed, uint8_t *out)
{
    if (packed->size > SIZE_MAX || packed->unpacked_size > SIZE_MAX) {
        return fail(context, packed, "it is larger than the memory");
    }
    size_t size = (size_t)packed->unpacked_size;
    switch (ossa__inflate_plain(packed->bytes, (size_t)packed->size, out, size)) {
    case OSSA__INFLATE_DAMAGED: return fail(context, packed, "it is damaged");
    case OSSA__INFLATE_ENDS: return fail(context, packed, ends_early);
    case OSSA__INFLATE_LESS: return fail_size(context, packed, "less");
    case OSSA__INFLATE_MORE: return fail_size(context, packed, "more");
    case OSSA__INFLATED: break;
    }
    if (packed->crc == NULL) return true;
    return check_crc(context, packed, ossa__crc32(0, out, size));
}

#endif
