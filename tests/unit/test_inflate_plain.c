/* SPDX-License-Identifier: MIT
 *
 * Unpacking without zlib: what zlib packs comes back, and what it refuses is refused. */
#include "support/testing.h"

#include "archive/inflate_plain.h"

#include <stdlib.h>
#include <string.h>

/* ---- by hand ------------------------------------------------------------------------------- */

static void blocks_of_each_kind(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
    } streams[] = {
        {"\x01\x03\x00\xfc\xff"
         "abc",
         8, "abc"},                            /* stored */
        {"\x4b\x4c\x4a\x06\x00", 5, "abc"},    /* fixed */
        {"\x4b\x4c\x04\x01\x00", 5, "aaaaaa"}, /* a length and a distance */
        {"\x00\x01\x00\xfe\xff\x61\x01\x01\x00\xfe\xff\x62", 12, "ab"}, /* two blocks */
        {"\x03\x00", 2, ""},
    };
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        uint8_t out[16];
        size_t wanted = strlen(streams[i].text);
        const uint8_t *bytes = (const uint8_t *)streams[i].bytes;
        assert_int_equal(ossa__inflate_plain(bytes, streams[i].size, out, wanted), OSSA__INFLATED);
        assert_memory_equal(out, streams[i].text, wanted);
        assert_int_equal(ossa__inflate_plain(bytes, streams[i].size - 1, out, wanted),
                         OSSA__INFLATE_ENDS);
        assert_int_equal(ossa__inflate_plain(bytes, streams[i].size, out, wanted + 1),
                         OSSA__INFLATE_LESS);
        if (wanted == 0) continue;
        assert_int_equal(ossa__inflate_plain(bytes, streams[i].size, out, wanted - 1),
                         OSSA__INFLATE_MORE);
    }
}

static void what_is_no_stream(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } streams[] = {
        {"\x07", 1},                 /* a kind of block that there is not */
        {"\x01\x03\x00\xfc\xfe", 5}, /* a size that is not the other one inverted */
        {"\x43\x82\x00", 3},         /* from before the start */
        {"\xfd\xff\xff", 3},         /* too many codes */
    };
    uint8_t out[16];
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        const uint8_t *bytes = (const uint8_t *)streams[i].bytes;
        enum ossa__inflated status = ossa__inflate_plain(bytes, streams[i].size, out, sizeof out);
        require(status == OSSA__INFLATE_DAMAGED, "inflate", "stream %zu: %d", i, (int)status);
    }
    assert_int_equal(ossa__inflate_plain(NULL, 0, out, 1), OSSA__INFLATE_ENDS);
}

/* A stream that is made bit by bit: numbers from their lowest bit up, codes from their highest
 * down.
 */
struct bits {
    uint8_t *bytes; /* zeros at first */
    size_t used;
};

static void put_number(struct bits *bits, unsigned value, unsigned count)
{
    for (unsigned i = 0; i < count; i++, bits->used++) {
        bits->bytes[bits->used / 8] |= (uint8_t)((value >> i & 1) << bits->used % 8);
    }
}

static void put_code(struct bits *bits, unsigned code, unsigned count)
{
    while (count > 0) put_number(bits, code >> --count & 1, 1);
}

static size_t size_of(const struct bits *bits)
{
    return (bits->used + 7) / 8;
}

/* Literals and then the shortest match with each distance, in a fixed block. */
static size_t literals_and_a_match(unsigned literals, unsigned distance, uint8_t stream[16])
{
    struct bits bits = {stream, 0};
    memset(stream, 0, 16);
    put_number(&bits, 1, 1); /* the last block */
    put_number(&bits, 1, 2);
    for (unsigned i = 0; i < literals; i++) put_code(&bits, 0x30 + 'a', 8);
    put_code(&bits, 1, 7);            /* three bytes again */
    put_code(&bits, distance - 1, 5); /* 1 to 4 have codes of their own */
    put_code(&bits, 0, 7);            /* the end */
    return size_of(&bits);
}

/* The first byte is the furthest back that a match can begin; no byte before it is looked at. */
static void matches_begin_where_the_output_does(void **state)
{
    (void)state;
    for (unsigned literals = 0; literals < 5; literals++) {
        for (unsigned distance = 1; distance <= 4; distance++) {
            uint8_t stream[16];
            uint8_t out[1 + 16];
            size_t size = literals_and_a_match(literals, distance, stream);
            memset(out, 'x', sizeof out);
            enum ossa__inflated status = ossa__inflate_plain(stream, size, out + 1, literals + 3);
            require((status == OSSA__INFLATED) == (distance <= literals), "inflate",
                    "%u literals, distance %u: %d", literals, distance, (int)status);
            if (distance <= literals) assert_memory_equal(out + 1, "aaaaaaaa", literals + 3);
            else assert_int_equal(status, OSSA__INFLATE_DAMAGED);
        }
    }
}

/* The lengths of the codes of a block: 255 and 256 have one of one bit, and so have two distances,
 * or as many as the last symbol repeats. */
static size_t lengths_of_codes(bool repeats, uint8_t stream[64])
{
    struct bits bits = {stream, 0};
    memset(stream, 0, 64);
    put_number(&bits, 1, 1);
    put_number(&bits, 2, 2);
    put_number(&bits, 0, 5);  /* 257 literals */
    put_number(&bits, 1, 5);  /* 2 distances */
    put_number(&bits, 14, 4); /* 18 lengths of the codes of lengths: 16, 17, 18, ... 1 */
    for (unsigned i = 0; i < 18; i++) put_number(&bits, i == 0 || i == 2 ? 2 : i == 17, 3);
    put_code(&bits, 3, 2); /* zeros: 138 and 117 of them */
    put_number(&bits, 138 - 11, 7);
    put_code(&bits, 3, 2);
    put_number(&bits, 117 - 11, 7);
    put_code(&bits, 0, 1);
    put_code(&bits, 0, 1);
    if (repeats) {
        put_code(&bits, 2, 2); /* the one before, three times */
        put_number(&bits, 0, 2);
    } else {
        put_code(&bits, 0, 1);
        put_code(&bits, 0, 1);
    }
    put_code(&bits, 0, 1); /* the literal 255 */
    put_code(&bits, 1, 1); /* the end */
    return size_of(&bits);
}

static void lengths_end_where_they_should(void **state)
{
    (void)state;
    uint8_t stream[64];
    uint8_t out[1] = {0};
    size_t size = lengths_of_codes(false, stream);
    assert_int_equal(ossa__inflate_plain(stream, size, out, 1), OSSA__INFLATED);
    assert_int_equal(out[0], 255);
    size = lengths_of_codes(true, stream);
    assert_int_equal(ossa__inflate_plain(stream, size, out, 1), OSSA__INFLATE_DAMAGED);
}

/* Two codes of distances mean nothing, although there is enough before them. */
static void there_are_thirty_distances(void **state)
{
    (void)state;
    enum { BEFORE = 40000 };
    uint8_t *stream = calloc(BEFORE + 64, 1);
    uint8_t *out = malloc(BEFORE + 3);
    assert_non_null(stream);
    assert_non_null(out);
    for (unsigned symbol = 29; symbol < 32; symbol++) {
        memset(stream, 0, BEFORE + 64);
        stream[1] = stream[3] = 0xff & BEFORE;
        stream[2] = stream[4] = BEFORE >> 8;
        stream[3] ^= 0xff;
        stream[4] ^= 0xff;
        struct bits bits = {stream, (size_t)8 * (5 + BEFORE)}; /* behind a stored block */
        put_number(&bits, 1, 1);
        put_number(&bits, 1, 2);
        put_code(&bits, 1, 7);
        put_code(&bits, symbol, 5);
        put_number(&bits, 0, 14);
        put_code(&bits, 0, 7);
        assert_int_equal(ossa__inflate_plain(stream, size_of(&bits), out, BEFORE + 3),
                         symbol == 29 ? OSSA__INFLATED : OSSA__INFLATE_DAMAGED);
    }
    free(stream);
    free(out);
}

static void checksums(void **state)
{
    (void)state;
    const uint8_t *text = (const uint8_t *)"123456789";
    assert_int_equal(ossa__crc32(0, text, 9), 0xcbf43926); /* the check value of the standard */
    assert_int_equal(ossa__crc32(ossa__crc32(0, text, 4), text + 4, 5), 0xcbf43926);
    assert_int_equal(ossa__crc32(0, text, 0), 0);
}

/* ---- against zlib -------------------------------------------------------------------------- */

#ifdef OSSA_WITH_ZLIB

#include <zlib.h>

enum { MOST = 70000 };

/* From text that repeats itself to bytes of no meaning. */
static void make_data(uint8_t *data, size_t size, unsigned kind)
{
    struct random random = {77 + kind};
    for (size_t i = 0; i < size; i++) {
        uint32_t any = next_random(&random) >> 8;
        switch (kind) {
        case 0: data[i] = 0; break;
        case 1: data[i] = (uint8_t)any; break;
        case 2: data[i] = (uint8_t)(any % 4 == 0 ? any / 4 : i / 8); break;
        default: data[i] = i > 40000 ? data[i - 32768 + any % 2] : (uint8_t)(any % 20 + 'a'); break;
        }
    }
}

static size_t pack(const uint8_t *data, size_t size, int level, int strategy, uint8_t *packed,
                   size_t room)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t used = room - stream.avail_out;
    (void)deflateEnd(&stream);
    return used;
}

/* What zlib makes of it: does it end well, and with how many bytes? */
static bool unpack(const uint8_t *packed, size_t size, uint8_t *out, size_t room, size_t *made)
{
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, -MAX_WBITS), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)packed;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    int status = inflate(&stream, Z_FINISH);
    *made = room - stream.avail_out;
    (void)inflateEnd(&stream);
    return status == Z_STREAM_END;
}

static void what_zlib_packs_comes_back(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 300, 65535, MOST};
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE};
    uint8_t *data = malloc(MOST);
    uint8_t *packed = malloc(2 * MOST);
    uint8_t *out = malloc(MOST);
    if (data == NULL || packed == NULL || out == NULL) abort();
    for (unsigned kind = 0; kind < 4; kind++) {
        make_data(data, MOST, kind);
        for (size_t i = 0; i < 5; i++) {
            for (unsigned k = 0; k < 4 * 10; k++) {
                int level = (int)(k % 10);
                size_t size = pack(data, sizes[i], level, strategies[k / 10], packed, 2 * MOST);
                memset(out, 0xee, MOST);
                assert_int_equal(ossa__inflate_plain(packed, size, out, sizes[i]), OSSA__INFLATED);
                assert_memory_equal(out, data, sizes[i]);
            }
        }
        assert_int_equal(ossa__crc32(0, data, MOST), crc32(0, data, MOST));
    }
    free(data);
    free(packed);
    free(out);
}

/* Each byte of a stream is made some 36 other ones, and the stream is cut everywhere. */
static void both_agree_on_damage(void **state)
{
    (void)state;
    enum { SIZE = 600 };
    uint8_t data[SIZE];
    uint8_t packed[2 * SIZE];
    uint8_t ours[2 * SIZE];
    uint8_t theirs[2 * SIZE];
    size_t refused = 0;
    size_t accepted = 0;
    for (unsigned kind = 2; kind < 4; kind++) {
        for (int strategy = 0; strategy < 2; strategy++) {
            make_data(data, SIZE, kind);
            size_t size = pack(data, SIZE, 9, strategy == 0 ? Z_DEFAULT_STRATEGY : Z_FIXED, packed,
                               sizeof packed);
            for (size_t i = 0; i < size * 256; i += 7) {
                uint8_t before = packed[i / 256];
                packed[i / 256] = (uint8_t)i;
                size_t made;
                bool ok = unpack(packed, size, theirs, sizeof theirs, &made);
                memset(ours, 0xee, sizeof ours);
                enum ossa__inflated status = ossa__inflate_plain(packed, size, ours, made);
                packed[i / 256] = before;
                if (ok) accepted++;
                else refused++;
                require(ok == (status == OSSA__INFLATED), "inflate", "byte %zu = %zu: %d", i / 256,
                        i % 256, (int)status);
                if (ok) assert_memory_equal(ours, theirs, made);
            }
            for (size_t cut = 0; cut < size; cut++) {
                assert_int_equal(ossa__inflate_plain(packed, cut, ours, SIZE), OSSA__INFLATE_ENDS);
            }
        }
    }
    assert_true(refused > 1000 && accepted > 1000);
}

#endif

TEST_GROUP(test_inflate_plain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_each_kind),
        cmocka_unit_test(what_is_no_stream),
        cmocka_unit_test(matches_begin_where_the_output_does),
        cmocka_unit_test(lengths_end_where_they_should),
        cmocka_unit_test(there_are_thirty_distances),
        cmocka_unit_test(checksums),
#ifdef OSSA_WITH_ZLIB
        cmocka_unit_test(what_zlib_packs_comes_back),
        cmocka_unit_test(both_agree_on_damage),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
