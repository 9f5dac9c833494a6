/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a packed stream: ours and zlib's, where that is there, must agree. The first two say
 * how many bytes are wanted. */
#include "target.h"

#include "archive/inflate_plain.h"

#include <stdbool.h>
#include <string.h>

#ifdef OSSA_WITH_ZLIB

#include <zlib.h>

/* Just as many as were wanted, and the end of the stream? */
static bool unpack(const uint8_t *bytes, size_t size, uint8_t *out, size_t wanted)
{
    z_stream stream = {0};
    REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib cannot be started");
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)wanted;
    int status = inflate(&stream, Z_FINISH);
    bool ok = status == Z_STREAM_END && stream.avail_out == 0;
    (void)inflateEnd(&stream);
    return ok;
}

static void compare(const uint8_t *bytes, size_t size, const uint8_t *out, size_t wanted, bool ok)
{
    uint8_t *theirs = malloc(wanted + 1);
    if (theirs == NULL) return;
    REQUIRE(unpack(bytes, size, theirs, wanted) == ok, "only one of two can unpack it");
    REQUIRE(!ok || memcmp(out, theirs, wanted) == 0, "unpacked to other bytes");
    REQUIRE(ossa__crc32(0, bytes, size) == crc32(0, bytes, (uInt)size), "another checksum");
    free(theirs);
}

#else

static void compare(const uint8_t *bytes, size_t size, const uint8_t *out, size_t wanted, bool ok)
{
    (void)bytes;
    (void)size;
    (void)out;
    (void)wanted;
    (void)ok;
}

#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    size_t wanted = (size_t)data[0] | (size_t)data[1] << 8;
    uint8_t *out = malloc(wanted + 1);
    if (out == NULL) return 0;
    bool ok = ossa__inflate_plain(data + 2, size - 2, out, wanted) == OSSA__INFLATED;
    compare(data + 2, size - 2, out, wanted, ok);
    free(out);
    return 0;
}
