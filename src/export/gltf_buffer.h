/* SPDX-License-Identifier: MIT
 *
 * The binary half of a glTF: arrays of numbers and the accessors that describe them. */
#ifndef OSSA_EXPORT_GLTF_BUFFER_H
#define OSSA_EXPORT_GLTF_BUFFER_H

#include "codec/context.h"
#include "base/json.h"

enum {
    OSSA__GLTF_U8 = 5121,
    OSSA__GLTF_U16 = 5123,
    OSSA__GLTF_U32 = 5125,
    OSSA__GLTF_F32 = 5126,
    OSSA__GLTF_VERTICES = 34962, /* targets of views */
    OSSA__GLTF_INDICES = 34963,
};

/* An array in the buffer: a view, and the accessor that is all of it. A picture is a view alone. */
struct ossa__accessor {
    uint64_t offset;
    uint64_t count;
    int component;  /* 0: a picture, which has no accessor */
    unsigned width; /* numbers an element: 1, 2, 3, 4 or 16 */
    int target;     /* 0: none */
    bool normalized;
    bool has_bounds; /* min and max are written; of float elements up to 4 wide */
    float least[4];
    float most[4];
};

struct ossa__gltf_buffer {
    struct ossa__context *context;
    ossa_buffer bytes;
    struct ossa__accessor *accessors; /* the pictures come last, so that an accessor has its view's
                                         number */
    size_t count;
    size_t picture_count;
    size_t capacity;
};

void ossa__gltf_buffer_init(struct ossa__gltf_buffer *buffer, struct ossa__context *context);
void ossa__gltf_buffer_free(struct ossa__gltf_buffer *buffer);

/* Begin an accessor, and give its index; then put its numbers. */
size_t ossa__gltf_begin(struct ossa__gltf_buffer *buffer, int component, unsigned width,
                        bool has_bounds);
/* What the accessor just begun is for: vertices or indices. */
void ossa__gltf_aim(struct ossa__gltf_buffer *buffer, int target, bool normalized);
void ossa__gltf_put(struct ossa__gltf_buffer *buffer, const float *element);
/* Of 16 bits each. */
void ossa__gltf_put_halves(struct ossa__gltf_buffer *buffer, const uint16_t *element);
void ossa__gltf_put_index(struct ossa__gltf_buffer *buffer, uint32_t index);
/* Elements of width 1, many at once. */
void ossa__gltf_put_row(struct ossa__gltf_buffer *buffer, const float *values, size_t count);
/* The joint that moves a vertex, alone; of 8 or 16 bits. */
void ossa__gltf_put_joint(struct ossa__gltf_buffer *buffer, uint32_t joint);
/* The accessor is whole: pad to 4. */
void ossa__gltf_end(struct ossa__gltf_buffer *buffer);

/* Begin a view of bytes, after the last accessor; give its index. What goes into the sink is the
 * view's; then end it. */
size_t ossa__gltf_begin_picture(struct ossa__gltf_buffer *buffer);
ossa_sink ossa__gltf_picture_sink(struct ossa__gltf_buffer *buffer);
void ossa__gltf_end_picture(struct ossa__gltf_buffer *buffer);

/* The members "accessors", "bufferViews" and "buffers". */
void ossa__gltf_buffer_json(const struct ossa__gltf_buffer *buffer, const char *uri,
                            struct ossa__json *json);

#endif
