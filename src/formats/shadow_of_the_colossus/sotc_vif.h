/* SPDX-License-Identifier: MIT
 *
 * What a model sends to the graphics hardware: codes of 32 bits, most of them followed by data.
 *
 *     bits 0-15  immediate
 *     16-23      number, 0 for 256
 *     24-30      command
 *     31         interrupt
 *
 * What follows a code is padded to 4 bytes. The command UNPACK (0x60 to 0x7F) is followed by
 * `number` vectors: bits 0-1 of it are the width of a component (32, 16, 8 or 5 bits), bits 2-3
 * the number of components less 1. The vectors of one UNPACK are a *stream* of the strip that they
 * belong to, say its positions. */
#ifndef OSSA_SOTC_VIF_H
#define OSSA_SOTC_VIF_H

#include "codec/trace.h"

enum {
    OSSA__VIF_CYCLE = 0x01,
    OSSA__VIF_START_FIRST = 0x14, /* commands that start the program: a strip has ended */
    OSSA__VIF_START_LAST = 0x17,
    OSSA__VIF_DIRECT = 0x50,    /* 0x51 too */
    OSSA__VIF_UNPACK_TAG = 0x6C /* four components of 32 bits */
};

struct ossa__vif_code {
    uint32_t command; /* without the interrupt */
    uint32_t number;  /* 1 to 256 */
    uint32_t immediate;
    uint64_t payload;    /* bytes that follow, without padding */
    unsigned components; /* of an UNPACK; 0: it is something else */
    unsigned bits;       /* of a component: 32, 16, 8 or 5 */
};

/* False for a command that does not exist: nobody knows what follows it. */
bool ossa__vif_decode(uint32_t word, struct ossa__vif_code *code);
/* Bytes of the code and of all that follows it, in a chain with so many bytes left from the code
 * on. 0: they do not fit. */
uint64_t ossa__vif_size(const struct ossa__vif_code *code, uint64_t left);
/* Does it start the program, which draws the strip? */
bool ossa__vif_starts(const struct ossa__vif_code *code);

/* Does a strip begin with it? */
bool ossa__vif_is_tag(const struct ossa__vif_code *code);

/* What an UNPACK fills, in the order in which a strip has them. */
enum ossa__stream {
    OSSA__STREAM_TAG,
    OSSA__STREAM_POSITIONS,
    OSSA__STREAM_NORMALS,
    OSSA__STREAM_TEXCOORDS,
    OSSA__STREAM_COLOURS,
    OSSA__STREAM_SKIN,
    OSSA__STREAM_OTHERS,
    OSSA__STREAM_VALUES, /* nobody knows; also what follows other codes */
    OSSA__STREAM_COUNT,
};

/* In the JSON and in the trace. */
extern const char *const ossa__stream_names[OSSA__STREAM_COUNT];

/* The strip that a chain is at. */
struct ossa__strip_state {
    bool is_open;     /* it has a tag, and the program was not started */
    uint32_t seen;    /* bits: its streams so far */
    unsigned streams; /* the number of them, known or not */
};

/* What follows a code with a payload, in the strip that the chain is at. */
enum ossa__stream ossa__stream_next(struct ossa__strip_state *state,
                                    const struct ossa__vif_code *code, uint32_t surface_flags);
/* The vectors of a stream; not for OSSA__STREAM_SKIN, which has no single type. */
const struct ossa__shape *ossa__stream_shape(enum ossa__stream stream,
                                             const struct ossa__vif_code *code);
/* The number of them. */
uint64_t ossa__stream_length(const struct ossa__vif_code *code);

#endif
