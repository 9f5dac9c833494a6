/* SPDX-License-Identifier: MIT
 *
 * The binary half of a glTF: arrays of numbers and the accessors that describe them.
 *
 * The document comes first in the file and states every size, so the buffer goes through two
 * passes of the same calls. The first plans: it counts, and takes the bounds that the document
 * has. The second writes: numbers go through one block to the sink, and the buffer is never in
 * memory as a whole. */
#ifndef OSSA_EXPORT_GLTF_BUFFER_H
#define OSSA_EXPORT_GLTF_BUFFER_H

#include "codec/context.h"
#include "base/bytes.h"
#include "base/json.h"

enum {
    OSSA__GLTF_U8 = 5121,
    OSSA__GLTF_U16 = 5123,
    OSSA__GLTF_U32 = 5125,
    OSSA__GLTF_F32 = 5126,
    OSSA__GLTF_VERTICES = 34962, /* targets of views */
    OSSA__GLTF_INDICES = 34963,
    OSSA__GLTF_COLUMNS = 32,
};

/* An array in the buffer: a view, and the accessor that is all of it. A picture is a view alone. */
struct ossa__accessor {
    uint64_t offset;
    uint64_t count;     /* of elements; of a picture, its bytes */
    uint32_t bounds;    /* their number + 1; 0: min and max are not written */
    uint32_t listed;    /* of a sparse one: how many elements are not 0; 0: it is not sparse */
    uint16_t component; /* 0: a picture, which has no accessor */
    uint16_t target;    /* 0: none */
    uint8_t width;      /* numbers an element: 1, 2, 3, 4 or 16 */
    bool normalized;
};

/* Of elements of floats up to 4 wide. */
struct ossa__bounds {
    float least[4];
    float most[4];
};

/* What is left to write of elements that are apart where they come from. */
struct ossa__gltf_column {
    const float *next;
    const float *before; /* the one before it; of the first, itself */
    size_t stride;
    uint8_t *out;
    size_t left;
    unsigned width;
    uint32_t side; /* the sign bit, or 0 */
};

struct ossa__gltf_buffer {
    struct ossa__context *context;
    struct ossa__accessor *accessors; /* the pictures come last, so that an accessor has its view's
                                         number */
    size_t count;
    size_t picture_count;
    size_t capacity;
    struct ossa__bounds *bounds;
    size_t bounds_count;
    size_t bounds_capacity;
    uint64_t size; /* of the whole buffer */

    bool writes; /* in the second pass */
    ossa_sink sink;
    size_t current; /* the accessor last begun in this pass, + 1 */
    uint64_t taken; /* elements of it, while planning */
    uint8_t *block; /* what the sink gets at once */
    size_t block_size;
    size_t used;
    struct ossa__gltf_column
        columns[OSSA__GLTF_COLUMNS]; /* with room in the block, not yet filled */
    size_t column_count;
};

/* So many accessors and pictures at most, and so many of them with bounds. */
void ossa__gltf_plan_buffer(struct ossa__gltf_buffer *buffer, struct ossa__context *context,
                            uint64_t accessors, uint64_t bounds);
/* The second pass begins, with the same calls as the first. */
void ossa__gltf_write_buffer(struct ossa__gltf_buffer *buffer, ossa_sink sink);
/* The second pass has ended: the rest goes to the sink. */
void ossa__gltf_finish_buffer(struct ossa__gltf_buffer *buffer);

/* Begin an accessor of `count` elements, and give its index; then put its numbers. */
size_t ossa__gltf_begin(struct ossa__gltf_buffer *buffer, int component, unsigned width,
                        uint64_t count, bool has_bounds);
/* The same for floats of which all but `listed`, at least one, are 0: the indices of those as
 * 32-bit numbers follow, in ascending order, and then the floats. */
size_t ossa__gltf_begin_sparse(struct ossa__gltf_buffer *buffer, uint64_t count, uint32_t listed);
/* What the accessor just begun is for: vertices or indices. */
void ossa__gltf_aim(struct ossa__gltf_buffer *buffer, int target, bool normalized);
/* Whether its numbers matter in this pass: to be written, or for the bounds. Putting them all the
 * same does nothing. */
bool ossa__gltf_wants_numbers(const struct ossa__gltf_buffer *buffer);
/* The accessor is whole: pad to 4. */
void ossa__gltf_end(struct ossa__gltf_buffer *buffer);

/* Elements of floats that follow each other. */
void ossa__gltf_put(struct ossa__gltf_buffer *buffer, const float *elements, uint64_t count);
/* The same of elements that are `stride` floats apart, 3 or 4 wide and without bounds. Those of 4
 * are rotations: each is put on the same side as the one before. */
void ossa__gltf_put_column(struct ossa__gltf_buffer *buffer, const float *first, size_t stride,
                           uint64_t count);

/* Send the block, which is full. */
void ossa__gltf_flush(struct ossa__gltf_buffer *buffer);

/* Room for one element or a few, at most a block: only while writing. */
static inline uint8_t *ossa__gltf_room(struct ossa__gltf_buffer *buffer, size_t size)
{
    if (buffer->block_size - buffer->used < size) ossa__gltf_flush(buffer);
    uint8_t *room = buffer->block + buffer->used;
    buffer->used += size;
    return room;
}

/* A view of bytes, after the last accessor; gives its index. The bytes must stay until they are
 * written. */
size_t ossa__gltf_put_picture(struct ossa__gltf_buffer *buffer, const void *bytes, size_t size);

/* The members "accessors", "bufferViews" and "buffers". */
void ossa__gltf_buffer_json(const struct ossa__gltf_buffer *buffer, const char *uri,
                            struct ossa__json *json);

#endif
