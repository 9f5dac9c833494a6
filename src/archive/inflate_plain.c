/* SPDX-License-Identifier: MIT */
#include "archive/inflate_plain.h"

#include <stdbool.h>
#include <string.h>

enum {
    LONGEST_CODE = 15,
    LITERALS = 288, /* literals, the end of a block, and lengths; two of them are never used */
    DISTANCES = 32, /* two of them are never used */
    LENGTH_CODES = 19,
    END_OF_BLOCK = 256,
};

/* Where the unpacking is: the first failure stays, and what is read after it is 0. */
struct stream {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    uint32_t held; /* bits that were taken out of the bytes, the next one lowest */
    unsigned held_count;
    uint8_t *out;
    size_t wanted;
    size_t made;
    enum ossa__inflated status;
};

static bool is_fine(const struct stream *stream)
{
    return stream->status == OSSA__INFLATED;
}

static void fail(struct stream *stream, enum ossa__inflated status)
{
    if (is_fine(stream)) stream->status = status;
}

/* Up to 16 bits. */
static unsigned take_bits(struct stream *stream, unsigned count)
{
    while (stream->held_count < count) {
        if (stream->at == stream->size) fail(stream, OSSA__INFLATE_ENDS);
        if (!is_fine(stream)) return 0;
        stream->held |= (uint32_t)stream->bytes[stream->at++] << stream->held_count;
        stream->held_count += 8;
    }
    unsigned bits = stream->held & ((1U << count) - 1);
    stream->held >>= count;
    stream->held_count -= count;
    return bits;
}

/* ---- codes --------------------------------------------------------------------------------- */

/* A Huffman code is known by how many codes there are of each length, and by the symbols in the
 * order of their codes. */
struct code {
    uint16_t counts[LONGEST_CODE + 1];
    uint16_t symbols[LITERALS];
};

/* False for lengths that more codes have than there can be, or fewer. Where it may be single, one
 * code alone may have the length 1: its other half is never used. Of no codes at all none can be
 * met, so they do no harm. */
static bool make_code(struct code *code, const uint8_t *lengths, unsigned count, bool may_be_single)
{
    uint16_t next[LONGEST_CODE + 1] = {0};
    memset(code, 0, sizeof *code);
    for (unsigned i = 0; i < count; i++) code->counts[lengths[i]]++;
    unsigned used = count - code->counts[0];
    code->counts[0] = 0;
    int left = 1; /* codes of this length that are still free */
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        left = 2 * left - code->counts[length];
        if (left < 0) return false;
        next[length] = (uint16_t)(next[length - 1] + code->counts[length - 1]);
    }
    for (unsigned i = 0; i < count; i++) {
        if (lengths[i] != 0) code->symbols[next[lengths[i]]++] = (uint16_t)i;
    }
    return left == 0 || used == 0 || (may_be_single && used == 1 && code->counts[1] == 1);
}

static unsigned take_symbol(struct stream *stream, const struct code *code)
{
    unsigned bits = 0;  /* the code so far */
    unsigned first = 0; /* the first code of this length */
    unsigned index = 0; /* and its place among the symbols */
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        bits |= take_bits(stream, 1);
        unsigned count = code->counts[length];
        if (bits - first < count) return code->symbols[index + bits - first];
        index += count;
        first = (first + count) << 1;
        bits <<= 1;
    }
    fail(stream, OSSA__INFLATE_DAMAGED);
    return 0;
}

/* ---- blocks -------------------------------------------------------------------------------- */

static void put(struct stream *stream, uint8_t byte)
{
    if (stream->made == stream->wanted) fail(stream, OSSA__INFLATE_MORE);
    if (is_fine(stream)) stream->out[stream->made++] = byte;
}

static void take_stored(struct stream *stream)
{
    stream->held = 0; /* the rest of a byte; whole ones are never held here */
    stream->held_count = 0;
    unsigned size = take_bits(stream, 16);
    unsigned inverse = take_bits(stream, 16);
    if (size != (~inverse & 0xffff)) fail(stream, OSSA__INFLATE_DAMAGED);
    for (unsigned i = 0; i < size && is_fine(stream); i++) {
        put(stream, (uint8_t)take_bits(stream, 8));
    }
}

/* How many bytes are repeated: symbols from 257 on stand for ranges, which grow. */
static unsigned take_length(struct stream *stream, unsigned symbol)
{
    unsigned index = symbol - END_OF_BLOCK - 1;
    if (index < 8) return 3 + index;
    if (index == 28) return 258;
    if (index > 28) fail(stream, OSSA__INFLATE_DAMAGED);
    unsigned extra = index / 4 - 1;
    return 3 + ((4 + index % 4) << extra) + take_bits(stream, extra);
}

static size_t take_distance(struct stream *stream, const struct code *distances)
{
    unsigned symbol = take_symbol(stream, distances);
    if (symbol < 4) return symbol + 1;
    if (symbol > 29) fail(stream, OSSA__INFLATE_DAMAGED);
    unsigned extra = symbol / 2 - 1;
    return 1 + ((2 + symbol % 2) << extra) + take_bits(stream, extra);
}

static void take_packed(struct stream *stream, const struct code *literals,
                        const struct code *distances)
{
    while (is_fine(stream)) {
        unsigned symbol = take_symbol(stream, literals);
        if (symbol < END_OF_BLOCK) {
            put(stream, (uint8_t)symbol);
            continue;
        }
        if (symbol == END_OF_BLOCK) return;
        unsigned length = take_length(stream, symbol);
        size_t distance = take_distance(stream, distances);
        if (distance > stream->made) fail(stream, OSSA__INFLATE_DAMAGED);
        for (unsigned i = 0; i < length && is_fine(stream); i++) {
            put(stream, stream->out[stream->made - distance]);
        }
    }
}

static void take_fixed_block(struct stream *stream)
{
    uint8_t lengths[LITERALS];
    struct code literals;
    struct code distances;
    for (unsigned i = 0; i < LITERALS; i++) {
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    (void)make_code(&literals, lengths, LITERALS, false);
    memset(lengths, 5, DISTANCES);
    (void)make_code(&distances, lengths, DISTANCES, false);
    take_packed(stream, &literals, &distances);
}

/* The lengths of codes, packed themselves: some symbols repeat. */
static void take_lengths(struct stream *stream, const struct code *code, uint8_t *lengths,
                         unsigned count)
{
    for (unsigned i = 0; i < count && is_fine(stream);) {
        unsigned symbol = take_symbol(stream, code);
        unsigned times = 1;
        uint8_t length = (uint8_t)symbol;
        if (symbol == 16) {
            if (i == 0) fail(stream, OSSA__INFLATE_DAMAGED);
            length = i == 0 ? 0 : lengths[i - 1];
            times = 3 + take_bits(stream, 2);
        } else if (symbol > 16) {
            length = 0;
            times = symbol == 17 ? 3 + take_bits(stream, 3) : 11 + take_bits(stream, 7);
        }
        if (times > count - i) fail(stream, OSSA__INFLATE_DAMAGED);
        for (; times > 0 && is_fine(stream); times--) lengths[i++] = length;
    }
}

static void take_dynamic_block(struct stream *stream)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + DISTANCES] = {0};
    struct code literals;
    struct code distances;
    unsigned literal_count = 257 + take_bits(stream, 5);
    unsigned distance_count = 1 + take_bits(stream, 5);
    unsigned length_count = 4 + take_bits(stream, 4);
    if (literal_count > 286 || distance_count > 30) fail(stream, OSSA__INFLATE_DAMAGED);
    for (unsigned i = 0; i < length_count; i++) lengths[order[i]] = (uint8_t)take_bits(stream, 3);
    bool ok = make_code(&literals, lengths, LENGTH_CODES, false);
    if (!ok || !is_fine(stream)) {
        fail(stream, OSSA__INFLATE_DAMAGED);
        return;
    }
    memset(lengths, 0, sizeof lengths);
    take_lengths(stream, &literals, lengths, literal_count + distance_count);
    ok = lengths[END_OF_BLOCK] != 0 && make_code(&literals, lengths, literal_count, true) &&
         make_code(&distances, lengths + literal_count, distance_count, true);
    if (!ok) fail(stream, OSSA__INFLATE_DAMAGED);
    take_packed(stream, &literals, &distances);
}

enum ossa__inflated ossa__inflate_plain(const uint8_t *bytes, size_t size, uint8_t *out,
                                        size_t wanted)
{
    struct stream stream = {.bytes = bytes, .size = size, .wanted = wanted};
    stream.out = out;
    bool is_last = false;
    while (!is_last && is_fine(&stream)) {
        is_last = take_bits(&stream, 1) == 1;
        switch (take_bits(&stream, 2)) {
        case 0: take_stored(&stream); break;
        case 1: take_fixed_block(&stream); break;
        case 2: take_dynamic_block(&stream); break;
        default: fail(&stream, OSSA__INFLATE_DAMAGED); break;
        }
    }
    if (stream.made < wanted) fail(&stream, OSSA__INFLATE_LESS);
    return stream.status;
}

/* ---- the checksum -------------------------------------------------------------------------- */

uint32_t ossa__crc32(uint32_t before, const uint8_t *bytes, size_t size)
{
    /* Four bits at a time: the remainders of 0 to 15. */
    static const uint32_t remainders[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                            0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                            0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                            0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = ~before;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ remainders[crc & 15];
        crc = crc >> 4 ^ remainders[crc & 15];
    }
    return ~crc;
}
