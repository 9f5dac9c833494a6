/* SPDX-License-Identifier: MIT */
#include "export/gltf_buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SMALL_BLOCK = 64 << 10, LARGEST_BLOCK = 1 << 20 };

void ossa__gltf_plan_buffer(struct ossa__gltf_buffer *buffer, struct ossa__context *context,
                            uint64_t accessors, uint64_t bounds)
{
    *buffer = (struct ossa__gltf_buffer){.context = context};
    buffer->accessors = ossa__take(context, accessors, sizeof *buffer->accessors);
    buffer->bounds = ossa__take(context, bounds, sizeof *buffer->bounds);
    if (context->failed) return;
    buffer->capacity = (size_t)accessors;
    buffer->bounds_capacity = (size_t)bounds;
}

void ossa__gltf_write_buffer(struct ossa__gltf_buffer *buffer, ossa_sink sink)
{
    buffer->writes = true;
    buffer->sink = sink;
    buffer->current = 0;
    buffer->block_size = buffer->size > 4 * (uint64_t)LARGEST_BLOCK ? LARGEST_BLOCK : SMALL_BLOCK;
    buffer->block = ossa__take(buffer->context, buffer->block_size, 1);
}

static void fill_columns(struct ossa__gltf_buffer *buffer);

static void send(struct ossa__gltf_buffer *buffer, const void *bytes, size_t size)
{
    if (buffer->context->failed || size == 0) return;
    if (!buffer->sink.write(buffer->sink.user, bytes, size)) {
        ossa__fail_nowhere(buffer->context, OSSA_CODE_IO, "", "the output could not be written");
    }
}

void ossa__gltf_flush(struct ossa__gltf_buffer *buffer)
{
    fill_columns(buffer);
    send(buffer, buffer->block, buffer->used);
    buffer->used = 0;
}

void ossa__gltf_finish_buffer(struct ossa__gltf_buffer *buffer)
{
    ossa__gltf_flush(buffer);
}

/* ---- accessors ----------------------------------------------------------------------------- */

static unsigned size_of(int component)
{
    switch (component) {
    case OSSA__GLTF_U16: return 2;
    case OSSA__GLTF_U32:
    case OSSA__GLTF_F32: return 4;
    default: return 1; /* and of a picture */
    }
}

static struct ossa__accessor *current_of(const struct ossa__gltf_buffer *buffer)
{
    return &buffer->accessors[buffer->current - 1];
}

size_t ossa__gltf_begin(struct ossa__gltf_buffer *buffer, int component, unsigned width,
                        uint64_t count, bool has_bounds)
{
    if (buffer->context->failed) return 0;
    if (buffer->writes) return buffer->current++;
    uint64_t size;
    bool fits = ossa__multiply(count, (uint64_t)size_of(component) * width, &size) &&
                size < UINT64_MAX / 2 - buffer->size && buffer->count < buffer->capacity &&
                buffer->bounds_count < buffer->bounds_capacity + !has_bounds;
    if (!fits) {
        ossa__fail_nowhere(buffer->context, OSSA_CODE_LIMIT, "", "the buffer is too large");
        return 0;
    }
    buffer->accessors[buffer->count] = (struct ossa__accessor){.offset = buffer->size,
                                                               .count = count,
                                                               .component = (uint16_t)component,
                                                               .width = (uint8_t)width};
    if (has_bounds) {
        buffer->bounds[buffer->bounds_count] = (struct ossa__bounds){{0}, {0}};
        buffer->accessors[buffer->count].bounds = (uint32_t)++buffer->bounds_count;
    }
    buffer->size += (size + 3) / 4 * 4;
    buffer->taken = 0;
    buffer->current = buffer->count + 1;
    return buffer->count++;
}

size_t ossa__gltf_begin_sparse(struct ossa__gltf_buffer *buffer, uint64_t count, uint32_t listed)
{
    size_t index = ossa__gltf_begin(buffer, OSSA__GLTF_F32, 1, 2 * (uint64_t)listed, false);
    if (buffer->context->failed) return 0;
    current_of(buffer)->count = count;
    current_of(buffer)->listed = listed;
    return index;
}

void ossa__gltf_aim(struct ossa__gltf_buffer *buffer, int target, bool normalized)
{
    if (buffer->context->failed) return;
    current_of(buffer)->target = (uint16_t)target;
    current_of(buffer)->normalized = normalized;
}

bool ossa__gltf_wants_numbers(const struct ossa__gltf_buffer *buffer)
{
    return !buffer->context->failed && (buffer->writes || current_of(buffer)->bounds != 0);
}

void ossa__gltf_end(struct ossa__gltf_buffer *buffer)
{
    size_t padding = (4 - buffer->used % 4) % 4; /* blocks are whole words */
    if (!buffer->context->failed && buffer->writes && padding > 0) {
        memset(ossa__gltf_room(buffer, padding), 0, padding);
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void take_bounds(struct ossa__gltf_buffer *buffer, const float *elements, uint64_t count)
{
    const unsigned width = current_of(buffer)->width;
    struct ossa__bounds *bounds = &buffer->bounds[current_of(buffer)->bounds - 1];
    if (buffer->taken == 0 && count > 0) {
        memcpy(bounds->least, elements, width * sizeof *elements);
        memcpy(bounds->most, elements, width * sizeof *elements);
    }
    buffer->taken += count;
    for (; count > 0; count--) {
        for (unsigned i = 0; i < width; i++, elements++) {
            if (*elements < bounds->least[i]) bounds->least[i] = *elements;
            if (*elements > bounds->most[i]) bounds->most[i] = *elements;
        }
    }
}

void ossa__gltf_put(struct ossa__gltf_buffer *buffer, const float *elements, uint64_t count)
{
    if (!ossa__gltf_wants_numbers(buffer)) return;
    if (!buffer->writes) {
        take_bounds(buffer, elements, count);
        return;
    }
    const size_t size = current_of(buffer)->width * sizeof *elements;
    const size_t most = buffer->block_size / size;
    while (count > 0) {
        size_t part = count < most ? (size_t)count : most;
        ossa__copy_scalars(ossa__gltf_room(buffer, part * size), elements, part * size,
                           sizeof *elements);
        elements += part * current_of(buffer)->width;
        count -= part;
    }
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Does a rotation point away from another one, exactly? */
static bool is_opposite(const float *a, const float *b)
{
    double dot = 0.0;
    for (unsigned k = 0; k < 4; k++) dot += (double)a[k] * (double)b[k];
    return dot < 0.0;
}

/* An object, because the constant may have more digits than a float where FLT_EVAL_METHOD is 1. */
static const float least_dot = 1e-5F;

/* A key changes sides where it points away from the one before as written: by the sign of the dot
 * product of both as stored, and the side of the one before. So no product waits for another.
 * Floats give the sign of rotations, which have length 1, unless it is very near 0. */
static void fill_rotations(struct ossa__gltf_column *column, size_t count)
{
    const uint32_t sign_bit = 0x80000000U;
    const float *before = column->before;
    const float *key = column->next;
    uint8_t *out = column->out;
    uint32_t side = column->side;
    for (size_t i = 0; i < count; i++, key += column->stride, out += 16) {
        float dot =
            key[0] * before[0] + key[1] * before[1] + key[2] * before[2] + key[3] * before[3];
        if (fabsf(dot) > least_dot) {
            side ^= ossa__bits_from_f32(dot) & sign_bit;
        } else {
            float written[4];
            for (unsigned k = 0; k < 4; k++) written[k] = side == 0 ? before[k] : -before[k];
            side = is_opposite(key, written) ? sign_bit : 0;
        }
        uint32_t bits[4];
        memcpy(bits, key, sizeof bits);
        for (unsigned k = 0; k < 4; k++) bits[k] ^= side;
        ossa__copy_scalars(out, bits, sizeof bits, sizeof bits[0]);
        before = key;
    }
    column->before = before;
    column->side = side;
}

static void fill_vectors(const struct ossa__gltf_column *column, size_t count)
{
    const float *key = column->next;
    uint8_t *out = column->out;
    for (size_t i = 0; i < count; i++, key += column->stride, out += 12) {
        ossa__copy_scalars(out, key, 12, sizeof *key);
    }
}

static void fill_some(struct ossa__gltf_column *column, size_t count)
{
    if (column->width == 4) fill_rotations(column, count);
    else fill_vectors(column, count);
    column->next += count * column->stride;
    column->out += count * column->width * sizeof(float);
    column->left -= count;
}

/* Columns of one frame lie side by side where they come from: they take turns, a few frames each,
 * so that what one has fetched is still in the cache for the next. */
static void fill_columns(struct ossa__gltf_buffer *buffer)
{
    enum { AT_ONCE = 16 };
    bool any = true;
    while (any) {
        any = false;
        for (size_t i = 0; i < buffer->column_count; i++) {
            struct ossa__gltf_column *column = &buffer->columns[i];
            fill_some(column, column->left < AT_ONCE ? column->left : AT_ONCE);
            any = any || column->left > 0;
        }
    }
    buffer->column_count = 0;
}

void ossa__gltf_put_column(struct ossa__gltf_buffer *buffer, const float *first, size_t stride,
                           uint64_t count)
{
    if (buffer->context->failed || !buffer->writes) return;
    const unsigned width = current_of(buffer)->width;
    const size_t most = buffer->block_size / (width * sizeof *first);
    struct ossa__gltf_column column = {first, first, stride, NULL, 0, width, 0};
    while (count > 0) {
        column.left = count < most ? (size_t)count : most;
        count -= column.left;
        column.out = ossa__gltf_room(buffer, column.left * width * sizeof *first);
        if (stride > 0 && column.left < most) { /* which is its end */
            if (buffer->column_count == OSSA__GLTF_COLUMNS) fill_columns(buffer);
            buffer->columns[buffer->column_count++] = column;
        } else {
            fill_some(&column, column.left);
        }
    }
}

/* ---- pictures ------------------------------------------------------------------------------ */

size_t ossa__gltf_put_picture(struct ossa__gltf_buffer *buffer, const void *bytes, size_t size)
{
    size_t view = ossa__gltf_begin(buffer, 0, 1, size, false);
    if (buffer->context->failed) return 0;
    if (buffer->writes) {
        ossa__gltf_flush(buffer);
        send(buffer, bytes, size);
        static const uint8_t zeros[4] = {0};
        send(buffer, zeros, (4 - size % 4) % 4);
    } else {
        buffer->picture_count++;
    }
    return view;
}

/* ---- the document -------------------------------------------------------------------------- */

static const char *type_name(unsigned width)
{
    switch (width) {
    case 1: return "SCALAR";
    case 2: return "VEC2";
    case 3: return "VEC3";
    case 4: return "VEC4";
    default: return "MAT4";
    }
}

/* Indices and values stand in one view. */
static void write_sparse(struct ossa__json *json, const struct ossa__accessor *accessor,
                         size_t view)
{
    ossa__json_key(json, "sparse");
    ossa__json_begin_object(json);
    ossa__member_uint(json, "count", accessor->listed);
    ossa__json_key(json, "indices");
    ossa__json_begin_object(json);
    ossa__member_uint(json, "bufferView", view);
    ossa__member_int(json, "componentType", OSSA__GLTF_U32);
    ossa__json_end_object(json);
    ossa__json_key(json, "values");
    ossa__json_begin_object(json);
    ossa__member_uint(json, "bufferView", view);
    ossa__member_uint(json, "byteOffset", 4 * (uint64_t)accessor->listed);
    ossa__json_end_object(json);
    ossa__json_end_object(json);
}

static void write_accessor(struct ossa__json *json, const struct ossa__gltf_buffer *buffer,
                           size_t view)
{
    const struct ossa__accessor *accessor = &buffer->accessors[view];
    ossa__json_begin_object(json);
    if (accessor->listed == 0) ossa__member_uint(json, "bufferView", view);
    ossa__member_int(json, "componentType", accessor->component);
    if (accessor->normalized) {
        ossa__member_bool(json, "normalized", true);
    }
    ossa__member_uint(json, "count", accessor->count);
    ossa__member_text(json, "type", type_name(accessor->width));
    if (accessor->bounds != 0) {
        const struct ossa__bounds *bounds = &buffer->bounds[accessor->bounds - 1];
        ossa__member_floats(json, "min", bounds->least, accessor->width);
        ossa__member_floats(json, "max", bounds->most, accessor->width);
    }
    if (accessor->listed != 0) write_sparse(json, accessor, view);
    ossa__json_end_object(json);
}

static void write_view(struct ossa__json *json, const struct ossa__gltf_buffer *buffer,
                       size_t index)
{
    const struct ossa__accessor *accessor = &buffer->accessors[index];
    bool last = index + 1 == buffer->count;
    uint64_t end = last ? buffer->size : buffer->accessors[index + 1].offset;
    if (accessor->component == 0) end = accessor->offset + accessor->count; /* without padding */
    ossa__json_begin_object(json);
    ossa__member_uint(json, "buffer", 0);
    ossa__member_uint(json, "byteOffset", accessor->offset);
    ossa__member_uint(json, "byteLength", end - accessor->offset);
    if (accessor->target != 0) {
        ossa__member_int(json, "target", accessor->target);
    }
    ossa__json_end_object(json);
}

/* A file name as part of a URI: what is not plain goes in percent escapes. */
static void write_uri(struct ossa__json *json, const char *name)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    ossa__json_begin_text(json);
    for (const char *c = name; *c != '\0'; c++) {
        char escape[4] = {*c, '\0', '\0', '\0'};
        if (strchr(plain, *c) == NULL) {
            (void)snprintf(escape, sizeof escape, "%%%02X", (unsigned)(uint8_t)*c);
        }
        for (const char *e = escape; *e != '\0'; e++) ossa__json_character(json, (uint8_t)*e);
    }
    ossa__json_end_text(json);
}

void ossa__gltf_buffer_json(const struct ossa__gltf_buffer *buffer, const char *uri,
                            struct ossa__json *json)
{
    if (buffer->count == 0) return;
    /* There is never a picture alone: it is for a mesh. */
    ossa__json_key(json, "accessors");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < buffer->count - buffer->picture_count; i++) {
        write_accessor(json, buffer, i);
    }
    ossa__json_end_array(json);
    ossa__json_key(json, "bufferViews");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < buffer->count; i++) write_view(json, buffer, i);
    ossa__json_end_array(json);
    ossa__json_key(json, "buffers");
    ossa__json_begin_array(json);
    ossa__json_begin_object(json);
    if (uri != NULL) {
        ossa__json_key(json, "uri");
        write_uri(json, uri);
    }
    ossa__member_uint(json, "byteLength", buffer->size);
    ossa__json_end_object(json);
    ossa__json_end_array(json);
}
