/* SPDX-License-Identifier: MIT */
#include "export/gltf_buffer.h"

#include "base/bytes.h"
#include "base/json.h"
#include "codec/reader.h"

#include <stdio.h>
#include <string.h>

void ossa__gltf_buffer_init(struct ossa__gltf_buffer *buffer, struct ossa__context *context)
{
    *buffer = (struct ossa__gltf_buffer){.context = context};
    buffer->bytes.allocator = context->arena.allocator;
}

void ossa__gltf_buffer_free(struct ossa__gltf_buffer *buffer)
{
    ossa_buffer_free(&buffer->bytes);
}

static void append(struct ossa__gltf_buffer *buffer, const void *bytes, size_t size)
{
    ossa_sink sink = ossa_buffer_sink(&buffer->bytes);
    if (buffer->context->failed) return;
    if (!sink.write(sink.user, bytes, size)) {
        ossa__fail_nowhere(buffer->context, OSSA_CODE_OUT_OF_MEMORY, "",
                           "no memory for the buffer");
    }
}

size_t ossa__gltf_begin(struct ossa__gltf_buffer *buffer, int component, unsigned width,
                        bool has_bounds)
{
    if (buffer->count == buffer->capacity) {
        size_t capacity = buffer->capacity == 0 ? 64 : buffer->capacity * 2;
        struct ossa__accessor *larger = ossa__take(buffer->context, capacity, sizeof *larger);
        if (larger == NULL) return 0;
        if (buffer->count > 0) memcpy(larger, buffer->accessors, buffer->count * sizeof *larger);
        buffer->accessors = larger;
        buffer->capacity = capacity;
    }
    buffer->accessors[buffer->count] = (struct ossa__accessor){.offset = buffer->bytes.size,
                                                               .component = component,
                                                               .width = width,
                                                               .has_bounds = has_bounds};
    return buffer->count++;
}

void ossa__gltf_aim(struct ossa__gltf_buffer *buffer, int target, bool normalized)
{
    if (buffer->context->failed) return;
    buffer->accessors[buffer->count - 1].target = target;
    buffer->accessors[buffer->count - 1].normalized = normalized;
}

void ossa__gltf_put(struct ossa__gltf_buffer *buffer, const float *element)
{
    if (buffer->context->failed) return;
    struct ossa__accessor *accessor = &buffer->accessors[buffer->count - 1];
    uint8_t bytes[64];
    for (unsigned i = 0; i < accessor->width; i++) {
        ossa__store_u32(bytes + (size_t)4 * i, ossa__bits_from_f32(element[i]));
        if (!accessor->has_bounds) continue;
        bool first = accessor->count == 0;
        if (first || element[i] < accessor->least[i]) accessor->least[i] = element[i];
        if (first || element[i] > accessor->most[i]) accessor->most[i] = element[i];
    }
    accessor->count++;
    append(buffer, bytes, (size_t)4 * accessor->width);
}

void ossa__gltf_put_halves(struct ossa__gltf_buffer *buffer, const uint16_t *element)
{
    if (buffer->context->failed) return;
    struct ossa__accessor *accessor = &buffer->accessors[buffer->count - 1];
    uint8_t bytes[8];
    for (unsigned i = 0; i < accessor->width; i++) {
        bytes[2 * i] = (uint8_t)element[i];
        bytes[2 * i + 1] = (uint8_t)(element[i] >> 8);
    }
    accessor->count++;
    append(buffer, bytes, (size_t)2 * accessor->width);
}

void ossa__gltf_put_index(struct ossa__gltf_buffer *buffer, uint32_t index)
{
    if (buffer->context->failed) return;
    struct ossa__accessor *accessor = &buffer->accessors[buffer->count - 1];
    uint8_t bytes[4];
    ossa__store_u32(bytes, index);
    accessor->count++;
    append(buffer, bytes, accessor->component == OSSA__GLTF_U16 ? 2 : 4);
}

void ossa__gltf_put_row(struct ossa__gltf_buffer *buffer, const float *values, size_t count)
{
    uint8_t bytes[1024];
    size_t used = 0;
    if (buffer->context->failed) return;
    buffer->accessors[buffer->count - 1].count += count;
    for (size_t i = 0; i < count; i++) {
        ossa__store_u32(bytes + used, ossa__bits_from_f32(values[i]));
        used += 4;
        if (used < sizeof bytes && i + 1 < count) continue;
        append(buffer, bytes, used);
        used = 0;
    }
}

void ossa__gltf_put_joint(struct ossa__gltf_buffer *buffer, uint32_t joint)
{
    if (buffer->context->failed) return;
    struct ossa__accessor *accessor = &buffer->accessors[buffer->count - 1];
    uint8_t bytes[8] = {(uint8_t)joint, 0};
    if (accessor->component == OSSA__GLTF_U16) bytes[1] = (uint8_t)(joint >> 8);
    accessor->count++;
    append(buffer, bytes, accessor->component == OSSA__GLTF_U16 ? 8 : 4);
}

void ossa__gltf_end(struct ossa__gltf_buffer *buffer)
{
    static const uint8_t zeros[4] = {0};
    append(buffer, zeros, (4 - buffer->bytes.size % 4) % 4);
}

/* ---- pictures ------------------------------------------------------------------------------ */

static bool append_picture(void *user, const void *bytes, size_t size)
{
    struct ossa__gltf_buffer *buffer = user;
    append(buffer, bytes, size);
    return !buffer->context->failed;
}

ossa_sink ossa__gltf_picture_sink(struct ossa__gltf_buffer *buffer)
{
    return (ossa_sink){append_picture, buffer};
}

size_t ossa__gltf_begin_picture(struct ossa__gltf_buffer *buffer)
{
    size_t view = ossa__gltf_begin(buffer, 0, 0, false);
    if (!buffer->context->failed) buffer->picture_count++;
    return view;
}

void ossa__gltf_end_picture(struct ossa__gltf_buffer *buffer)
{
    if (buffer->context->failed) return;
    struct ossa__accessor *picture = &buffer->accessors[buffer->count - 1];
    picture->count = buffer->bytes.size - picture->offset;
    ossa__gltf_end(buffer);
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

static void write_accessor(struct ossa__json *json, const struct ossa__accessor *accessor,
                           size_t view)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "bufferView", view);
    ossa__member_int(json, "componentType", accessor->component);
    if (accessor->normalized) {
        ossa__member_bool(json, "normalized", true);
    }
    ossa__member_uint(json, "count", accessor->count);
    ossa__member_text(json, "type", type_name(accessor->width));
    if (accessor->has_bounds) {
        ossa__member_floats(json, "min", accessor->least, accessor->width);
        ossa__member_floats(json, "max", accessor->most, accessor->width);
    }
    ossa__json_end_object(json);
}

static void write_view(struct ossa__json *json, const struct ossa__gltf_buffer *buffer,
                       size_t index)
{
    const struct ossa__accessor *accessor = &buffer->accessors[index];
    bool last = index + 1 == buffer->count;
    uint64_t end = last ? buffer->bytes.size : buffer->accessors[index + 1].offset;
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
        write_accessor(json, &buffer->accessors[i], i);
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
    ossa__member_uint(json, "byteLength", buffer->bytes.size);
    ossa__json_end_object(json);
    ossa__json_end_array(json);
}
