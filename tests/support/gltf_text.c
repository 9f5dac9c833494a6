/* SPDX-License-Identifier: MIT */
#include "support/gltf_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fetch(void *user, const char *name, const uint8_t **data, size_t *size)
{
    struct gltf_reading *reading = user;
    reading->fetches++;
    if (reading->beside == NULL) return false;
    if (reading->beside_name != NULL && strcmp(name, reading->beside_name) != 0) return false;
    *data = reading->beside->data;
    *size = reading->beside->size;
    return true;
}

struct ossa__motion *gltf_read(struct gltf_reading *reading, const void *data, size_t size)
{
    /* Just as large, so that a sanitizer sees a byte too many. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0) memcpy(copy, data, size);
    const ossa_options options = {.allocator = counting_allocator(&reading->counting),
                                  .max_memory = reading->max_memory,
                                  .on_issue = log_issue,
                                  .user = &reading->log};
    ossa__context_init(&reading->context, &options, size);
    reading->motion = ossa__read_gltf(&reading->context, copy, size, fetch, reading);
    free(copy);
    assert_int_equal(reading->motion == NULL, reading->context.failed);
    assert_true(!reading->context.failed || reading->context.error.message[0] != '\0');
    return reading->motion;
}

void gltf_free(struct gltf_reading *reading)
{
    ossa__arena_free(&reading->context.scratch);
    ossa__arena_free(&reading->context.arena);
    assert_int_equal(reading->counting.live, 0);
    assert_false(reading->counting.wrong_release);
}

struct bytes gltf_quote(const char *text)
{
    struct bytes quoted = bytes_copy(text, strlen(text));
    for (size_t i = 0; i < quoted.size; i++) {
        if (quoted.data[i] == '\'') quoted.data[i] = '"';
    }
    return quoted;
}

struct bytes gltf_glb(const char *text, const struct bytes *bin)
{
    struct bytes json = gltf_quote(text);
    put_repeated(&json, ' ', (4 - json.size % 4) % 4);
    size_t bin_size = bin == NULL ? 0 : (bin->size + 3) / 4 * 4;
    struct bytes glb = {0};
    put_text(&glb, "glTF");
    put_u32(&glb, 2);
    put_u32(&glb, (uint32_t)(20 + json.size + (bin == NULL ? 0 : 8 + bin_size)));
    put_u32(&glb, (uint32_t)json.size);
    put_text(&glb, "JSON");
    put_bytes(&glb, json.data, json.size);
    if (bin != NULL) {
        put_u32(&glb, (uint32_t)bin_size);
        put_bytes(&glb, "BIN", 4);
        put_bytes(&glb, bin->data, bin->size);
        put_repeated(&glb, 0, bin_size - bin->size);
    }
    bytes_free(&json);
    return glb;
}

struct ossa__motion *gltf_read_text(struct gltf_reading *reading, const char *text,
                                    const struct bytes *bin)
{
    struct bytes glb = gltf_glb(text, bin);
    struct ossa__motion *motion = gltf_read(reading, glb.data, glb.size);
    bytes_free(&glb);
    const ossa_error *error = &reading->context.error;
    require(motion != NULL, text, "%s: %s", error->field, error->message);
    return motion;
}

void gltf_require_refusal(const char *text, const struct bytes *bin, const char *field,
                          const char *message)
{
    struct gltf_reading reading = {0};
    struct bytes glb = gltf_glb(text, bin);
    struct ossa__motion *motion = gltf_read(&reading, glb.data, glb.size);
    bytes_free(&glb);
    const ossa_error *error = &reading.context.error;
    require(motion == NULL, text, "is read, and not refused with '%s'", message);
    require(strcmp(error->message, message) == 0, text, "says '%s: %s', expected '%s: %s'",
            error->field, error->message, field, message);
    require(strcmp(error->field, field) == 0, text, "blames '%s', expected '%s' for '%s'",
            error->field, field, message);
    gltf_free(&reading);
}

void gltf_require_floats(const float *found, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        require(found[i] == wanted[i], "floats", "[%zu] is %.9g, expected %.9g", i,
                (double)found[i], (double)wanted[i]);
    }
}

void gltf_require_remark(const struct gltf_reading *reading, size_t index, const char *field,
                         const char *message)
{
    assert_true(index < reading->log.count);
    const struct logged_issue *issue = &reading->log.items[index];
    assert_int_equal(issue->severity, OSSA_SEVERITY_REMARK);
    assert_int_equal(issue->code, OSSA_CODE_PASSED_OVER);
    assert_string_equal(issue->field, field);
    assert_string_equal(issue->message, message);
}

void gltf_require_sound(const struct ossa__motion *motion)
{
    for (uint32_t i = 0; i < motion->node_count; i++) {
        const struct ossa__motion_node *node = &motion->nodes[i];
        assert_true(node->name != NULL && node->parent < (int32_t)i && node->parent >= -1);
        assert_true(node->mesh >= -1 && node->mesh < (int32_t)motion->mesh_count);
        assert_true(fabs(ossa__quat_dot(node->rotation, node->rotation) - 1.0) < 1e-9);
        for (unsigned k = 0; k < 3; k++) assert_true(isfinite(node->translation[k]));
        for (unsigned k = 0; k < 16 && node->has_bind; k++) assert_true(isfinite(node->bind[k]));
    }
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        const struct ossa__motion_clip *clip = &motion->clips[c];
        assert_non_null(clip->name);
        for (uint32_t i = 0; i < clip->curve_count; i++) {
            const struct ossa__motion_curve *curve = &clip->curves[i];
            assert_true(curve->node < motion->node_count && curve->key_count > 0);
            assert_true(curve->times[0] >= 0.0F);
            for (uint32_t k = 1; k < curve->key_count; k++) {
                assert_true(curve->times[k] > curve->times[k - 1]);
            }
            size_t rows =
                (size_t)curve->key_count * (curve->interpolation == OSSA__MOTION_CUBIC ? 3 : 1);
            for (size_t k = 0; k < rows * curve->width; k++) {
                assert_true(isfinite(curve->values[k]));
            }
        }
    }
    for (uint32_t i = 0; i < motion->mesh_count; i++) {
        const struct ossa__motion_mesh *mesh = &motion->meshes[i];
        size_t count = (size_t)mesh->vertex_count * (1 + mesh->target_count);
        for (size_t v = 0; v < count; v++) {
            const float *at =
                v < mesh->vertex_count ? mesh->positions[v] : mesh->targets[v - mesh->vertex_count];
            assert_true(isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]));
        }
        for (uint32_t t = 0; t < mesh->target_count; t++) assert_true(isfinite(mesh->weights[t]));
    }
}
