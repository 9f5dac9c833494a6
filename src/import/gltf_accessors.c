/* SPDX-License-Identifier: MIT
 *
 * Accessors: which bytes are numbers, and of what type. All become floats. Some elements, or all
 * that are not 0, may be listed one by one (`sparse`). Counts are compared with the bytes that
 * there are before memory is taken; where there are none, the limit on memory is what bounds them.
 */
#include "import/gltf_file.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
};

static uint32_t component_size(uint32_t component)
{
    switch (component) {
    case I8:
    case U8: return 1;
    case I16:
    case U16: return 2;
    case U32:
    case F32: return 4;
    default: return 0;
    }
}

static uint32_t read_component(const struct ossa__value *object)
{
    struct ossa__value member = ossa__value_member(object, "componentType");
    uint32_t component = ossa__value_u32(&member);
    if (object->context->failed || component_size(component) > 0) return component;
    ossa__value_fail(&member, "found %" PRIu32 ", which is not a type of numbers", component);
    return 0;
}

static const struct type {
    const char *name;
    uint32_t width;
} types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
             {"MAT2", 0},   {"MAT3", 0}, {"MAT4", 16}};
enum { TYPES = sizeof types / sizeof types[0] };

/* How many numbers an element has; 0 for small matrices, which nothing that is read here has. */
static uint32_t read_width(const struct ossa__value *object)
{
    struct ossa__value type = ossa__value_member(object, "type");
    for (size_t i = 0; i < TYPES; i++) {
        if (ossa__gltf_is(&type, types[i].name)) return types[i].width;
    }
    ossa__value_fail(&type, "is not a type of elements");
    return 0;
}

static const char *type_name(uint32_t width)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (types[i].width == width) return types[i].name;
    }
    return "a small matrix";
}

/* ---- the bytes ----------------------------------------------------------------------------- */

struct run {
    uint32_t count;
    uint32_t size;      /* of one */
    uint32_t component; /* what its offset must be a multiple of */
    uint32_t stride;    /* from one to the next: the view's, or the size */
};

/* Where `run` begins in the view of an object: all of it is there. NULL after a failure. */
static const uint8_t *find_run(struct ossa__gltf_file *file, const struct ossa__value *object,
                               struct run *run)
{
    struct ossa__value reference = ossa__value_member(object, "bufferView");
    struct ossa__value offset_value = ossa__value_optional(object, "byteOffset");
    uint64_t offset = (uint64_t)ossa__value_integer(&offset_value, 0, INT64_MAX);
    const struct ossa__gltf_view *view = ossa__gltf_view(file, &reference);
    if (view == NULL || file->context->failed) return NULL;
    uint32_t align = component_size(run->component);
    if ((offset & (align - 1)) != 0) { /* a power of two */
        ossa__value_fail(&offset_value, "%" PRIu64 " is not a multiple of %" PRIu32, offset, align);
        return NULL;
    }
    run->stride = view->stride == 0 ? run->size : view->stride;
    if (run->stride < run->size) {
        ossa__value_fail(&reference,
                         "the view has a byteStride of %" PRIu32 ", expected at least %" PRIu32,
                         run->stride, run->size);
        return NULL;
    }
    uint64_t needed = (uint64_t)(run->count - 1) * run->stride + run->size;
    if (offset > view->size || needed > view->size - offset) {
        ossa__value_fail(object,
                         "%" PRIu32 " elements take %" PRIu64 " bytes at %" PRIu64
                         " of the view, which has %" PRIu64,
                         run->count, needed, offset, view->size);
        return NULL;
    }
    return view->bytes + offset;
}

static uint32_t load_index(const uint8_t *indices, uint32_t component, uint32_t i)
{
    if (component == U8) return indices[i];
    if (component == U16) return ossa__load_u16(indices + 2 * (size_t)i);
    return ossa__load_u32(indices + 4 * (size_t)i);
}

/* Strictly rising, and below the count. */
static bool check_indices(const struct ossa__value *object,
                          const struct ossa__gltf_accessor *accessor)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < accessor->listed; i++) {
        uint32_t index = load_index(accessor->indices, accessor->listed_index, i);
        if (index < least || index >= accessor->count) {
            return ossa__value_fail(object,
                                    "index %" PRIu32 " is %" PRIu32 ", expected one from %" PRIu32
                                    " to %" PRIu32,
                                    i, index, least, accessor->count - 1);
        }
        least = index + 1;
    }
    return true;
}

static bool read_listed(struct ossa__gltf_file *file, const struct ossa__value *sparse,
                        struct ossa__gltf_accessor *accessor)
{
    struct ossa__value count = ossa__value_member(sparse, "count");
    int64_t listed = ossa__value_integer(&count, 1, accessor->count);
    struct ossa__value indices = ossa__value_member(sparse, "indices");
    struct ossa__value values = ossa__value_member(sparse, "values");
    uint32_t component = read_component(&indices);
    if (file->context->failed) return false;
    if (component != U8 && component != U16 && component != U32) {
        return ossa__value_fail(
            &indices, "has the componentType %" PRIu32 ", expected an unsigned integer", component);
    }
    accessor->listed = (uint32_t)listed;
    uint32_t index_size = component_size(component);
    uint32_t size = accessor->width * component_size(accessor->component);
    struct run index_run = {accessor->listed, index_size, component, 0};
    struct run value_run = {accessor->listed, size, accessor->component, 0};
    accessor->indices = find_run(file, &indices, &index_run);
    accessor->values = find_run(file, &values, &value_run);
    if (file->context->failed) return false;
    if (index_run.stride != index_size || value_run.stride != size) {
        return ossa__value_fail(sparse, "refers to a view with a byteStride");
    }
    accessor->listed_index = component;
    return check_indices(&indices, accessor);
}

/* ---- accessors ----------------------------------------------------------------------------- */

static struct ossa__gltf_accessor *parse(struct ossa__gltf_file *file, uint32_t index)
{
    if (file->accessors.parsed[index] != NULL) return file->accessors.parsed[index];
    struct ossa__value object = ossa__gltf_list_item(&file->accessors, index);
    struct ossa__gltf_accessor *accessor = ossa__take_scratch(file->context, 1, sizeof *accessor);
    if (accessor == NULL) return NULL;
    struct ossa__value count = ossa__value_member(&object, "count");
    struct ossa__value normalised = ossa__value_optional(&object, "normalized");
    struct ossa__value view = ossa__value_optional(&object, "bufferView");
    struct ossa__value sparse = ossa__value_optional(&object, "sparse");
    *accessor = (struct ossa__gltf_accessor){
        .index = index,
        .count = (uint32_t)ossa__value_integer(&count, 1, UINT32_MAX),
        .width = read_width(&object),
        .component = read_component(&object),
        .is_normalised = ossa__value_bool(&normalised),
    };
    if (file->context->failed) return NULL;
    if (accessor->width > 0 && view.node != NULL) {
        struct run run = {accessor->count, accessor->width * component_size(accessor->component),
                          accessor->component, 0};
        accessor->bytes = find_run(file, &object, &run);
        accessor->stride = run.stride;
    }
    if (accessor->width > 0 && sparse.node != NULL) (void)read_listed(file, &sparse, accessor);
    if (file->context->failed) return NULL;
    file->accessors.parsed[index] = accessor;
    return accessor;
}

static bool is_allowed(const struct ossa__gltf_accessor *accessor, enum ossa__gltf_numbers numbers)
{
    if (accessor->component == F32) return true;
    if (accessor->component == U32 || numbers == OSSA__GLTF_FLOATS) return false;
    return accessor->is_normalised || numbers == OSSA__GLTF_QUANTISED;
}

struct ossa__gltf_accessor *ossa__gltf_accessor(struct ossa__gltf_file *file,
                                                const struct ossa__value *reference, uint32_t width,
                                                enum ossa__gltf_numbers numbers)
{
    static const char *const expected[] = {
        [OSSA__GLTF_FLOATS] = "5126 (floats)",
        [OSSA__GLTF_FRACTIONS] = "5126 (floats), or normalized integers of 8 or 16 bits",
        [OSSA__GLTF_QUANTISED] = "5126 (floats), or integers of 8 or 16 bits",
    };
    uint32_t index;
    if (!ossa__gltf_list_index(&file->accessors, reference, &index)) return NULL;
    struct ossa__gltf_accessor *accessor = parse(file, index);
    if (accessor == NULL) return NULL;
    if (accessor->width != width) {
        ossa__value_fail(reference, "accessor %" PRIu32 " is of type %s, expected %s", index,
                         type_name(accessor->width), type_name(width));
        return NULL;
    }
    if (!is_allowed(accessor, numbers)) {
        ossa__value_fail(reference,
                         "accessor %" PRIu32 " has the componentType %" PRIu32 "%s, expected %s",
                         index, accessor->component, accessor->is_normalised ? " (normalized)" : "",
                         expected[numbers]);
        return NULL;
    }
    return accessor;
}

/* ---- the numbers --------------------------------------------------------------------------- */

static float load_signed(int32_t value, int32_t most, bool is_normalised)
{
    if (!is_normalised) return (float)value;
    return value < -most ? -1.0F : (float)value / (float)most;
}

static float load_unsigned(uint32_t value, uint32_t most, bool is_normalised)
{
    return is_normalised ? (float)value / (float)most : (float)value;
}

static float load(const struct ossa__gltf_accessor *accessor, const uint8_t *at)
{
    bool is_normalised = accessor->is_normalised;
    switch (accessor->component) {
    case I8: return load_signed((int8_t)at[0], INT8_MAX, is_normalised);
    case U8: return load_unsigned(at[0], UINT8_MAX, is_normalised);
    case I16: return load_signed((int16_t)ossa__load_u16(at), INT16_MAX, is_normalised);
    case U16: return load_unsigned(ossa__load_u16(at), UINT16_MAX, is_normalised);
    default: return ossa__f32_from_bits(ossa__load_u32(at));
    }
}

static bool check_finite(struct ossa__gltf_file *file, const struct ossa__gltf_accessor *accessor,
                         const float *element, uint32_t index)
{
    for (uint32_t i = 0; i < accessor->width; i++) {
        if (isfinite(element[i])) continue;
        char field[OSSA_FIELD_CAPACITY];
        (void)snprintf(field, sizeof field, "accessors[%" PRIu32 "]", accessor->index);
        return ossa__fail_nowhere(file->context, OSSA_CODE_NON_FINITE, field,
                                  "number %" PRIu32 " of element %" PRIu32 " is not finite", i,
                                  index);
    }
    return true;
}

static bool load_element(struct ossa__gltf_file *file, const struct ossa__gltf_accessor *accessor,
                         const uint8_t *bytes, uint32_t index, float *out)
{
    float *element = out + (size_t)index * accessor->width;
    uint32_t size = component_size(accessor->component);
    for (uint32_t i = 0; i < accessor->width; i++) {
        element[i] = load(accessor, bytes + (size_t)i * size);
    }
    return check_finite(file, accessor, element, index);
}

bool ossa__gltf_decode(struct ossa__gltf_file *file, const struct ossa__gltf_accessor *accessor,
                       float *out)
{
    const uint32_t size = accessor->width * component_size(accessor->component);
    if (accessor->bytes == NULL) {
        memset(out, 0, (size_t)accessor->count * accessor->width * sizeof *out);
    }
    for (uint32_t i = 0; i < accessor->count && accessor->bytes != NULL; i++) {
        const uint8_t *at = accessor->bytes + (size_t)i * accessor->stride;
        if (!load_element(file, accessor, at, i, out)) return false;
    }
    for (uint32_t i = 0; i < accessor->listed; i++) {
        uint32_t index = load_index(accessor->indices, accessor->listed_index, i);
        if (!load_element(file, accessor, accessor->values + (size_t)i * size, index, out))
            return false;
    }
    return true;
}

const float *ossa__gltf_accessor_floats(struct ossa__gltf_file *file,
                                        struct ossa__gltf_accessor *accessor)
{
    if (accessor->floats != NULL) return accessor->floats;
    uint64_t size = (uint64_t)accessor->width * sizeof *accessor->floats;
    float *floats = ossa__take(file->context, accessor->count, size);
    if (floats == NULL || !ossa__gltf_decode(file, accessor, floats)) return NULL;
    accessor->floats = floats;
    return floats;
}
