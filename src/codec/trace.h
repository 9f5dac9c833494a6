/* SPDX-License-Identifier: MIT
 *
 * Tells a listener of every scalar that the reader meets, and of every byte that it does not.
 *
 * The reader announces what it reads as *claims*: a scalar or a whole array at once. A claim is
 * unfolded into scalars only here, so that reading an array costs nothing when nobody listens.
 * A format whose reader jumps about is *scattered*: its claims are kept and told in the order of
 * offsets when reading has ended. */
#ifndef OSSA_CODEC_TRACE_H
#define OSSA_CODEC_TRACE_H

#include "codec/claims.h"

/* What one element of an array is made of. Members without names are numbered. */
struct ossa__shape {
    ossa_field_type type; /* of every member */
    unsigned members;
    const char *names[9];
};

extern const struct ossa__shape ossa__shape_u8, ossa__shape_u16, ossa__shape_i16, ossa__shape_u32,
    ossa__shape_f32, ossa__shape_vec3;

/* Bytes of a scalar of the type; 1 for text and bytes. */
static inline size_t ossa__type_size(ossa_field_type type)
{
    switch (type) {
    case OSSA_FIELD_TYPE_U16:
    case OSSA_FIELD_TYPE_I16: return 2;
    case OSSA_FIELD_TYPE_U32:
    case OSSA_FIELD_TYPE_I32:
    case OSSA_FIELD_TYPE_F32: return 4;
    default: return 1;
    }
}

static inline size_t ossa__shape_size(const struct ossa__shape *shape)
{
    return ossa__type_size(shape->type) * shape->members;
}

struct ossa__trace {
    struct ossa__context *context;
    const uint8_t *data;
    uint64_t size;
    bool scattered;
    bool failed;                /* reading has */
    uint64_t told;              /* every byte before this offset has been told of */
    struct ossa__claims claims; /* of scattered formats */
};

/* Make `context` tell its options' on_field; nothing happens where that is NULL. */
void ossa__trace_start(struct ossa__context *context, struct ossa__trace *trace,
                       const uint8_t *data, uint64_t size, bool scattered);
void ossa__trace_claim(struct ossa__context *context, struct ossa__claim claim);
/* Tell what is kept and what nobody claimed. */
void ossa__trace_finish(struct ossa__context *context);

#endif
