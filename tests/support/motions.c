/* SPDX-License-Identifier: MIT */
#include "support/motions.h"
#include "support/counting.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ossa__motion *read_as_bvh(struct ossa__context *context, const uint8_t *data, size_t size)
{
    return ossa__read_bvh(context, data, size, "walk.bvh");
}

/* ---- rules --------------------------------------------------------------------------------- */

static bool is_text(const char *text)
{
    return text != NULL && ossa__utf8_is_valid(text, strlen(text));
}

static void check_nodes(const char *label, const struct ossa__motion *motion)
{
    for (uint32_t i = 0; i < motion->node_count; i++) {
        const struct ossa__motion_node *node = &motion->nodes[i];
        require(is_text(node->name), label, "node %u has no name", i);
        require(node->parent >= -1 && node->parent < (int64_t)i, label, "node %u: parent", i);
        double length = sqrt(ossa__quat_dot(node->rotation, node->rotation));
        require(fabs(length - 1.0) < 1e-12, label, "node %u: rotation of length %g", i, length);
        for (unsigned k = 0; k < 3; k++) {
            require(isfinite(node->translation[k]) && isfinite(node->scale[k]), label, "node %u",
                    i);
        }
        require(node->mesh >= -1 && node->mesh < (int64_t)motion->mesh_count, label,
                "node %u: mesh", i);
        require(isfinite(node->field_of_view), label, "node %u: view", i);
    }
}

static void check_curve(const char *label, const struct ossa__motion *motion,
                        const struct ossa__motion_curve *curve)
{
    require(curve->node < motion->node_count && curve->key_count > 0, label, "a curve of nothing");
    int32_t mesh = motion->nodes[curve->node].mesh;
    uint32_t width = curve->target == OSSA__MOTION_ROTATION ? 4 : 3;
    if (curve->target == OSSA__MOTION_WEIGHTS) {
        require(mesh >= 0, label, "weights of no mesh");
        width = motion->meshes[mesh].target_count;
    }
    require(curve->width == width, label, "a curve of width %u", curve->width);
    for (uint32_t k = 0; k < curve->key_count; k++) {
        bool rises = k == 0 ? curve->times[0] >= 0.0F : curve->times[k] > curve->times[k - 1];
        require(rises && isfinite(curve->times[k]), label, "time %u is %g", k,
                (double)curve->times[k]);
    }
    size_t parts = curve->interpolation == OSSA__MOTION_CUBIC ? 3 : 1;
    for (size_t i = 0; i < curve->key_count * parts * width; i++) {
        require(isfinite(curve->values[i]), label, "a value that is not finite");
    }
    for (size_t k = 0; k < curve->key_count && curve->target == OSSA__MOTION_ROTATION; k++) {
        const float *q = curve->values + k * 4;
        require(q[0] != 0.0F || q[1] != 0.0F || q[2] != 0.0F || q[3] != 0.0F, label, "no rotation");
    }
}

static void check_clip(const char *label, const struct ossa__motion *motion,
                       const struct ossa__motion_clip *clip)
{
    require(is_text(clip->name), label, "a clip without a name");
    require(clip->fps >= 0.0 && isfinite(clip->fps), label, "%g fps", clip->fps);
    uint8_t *seen = calloc(motion->node_count + 1, 1);
    if (seen == NULL) abort();
    for (uint32_t i = 0; i < clip->curve_count; i++) {
        const struct ossa__motion_curve *curve = &clip->curves[i];
        check_curve(label, motion, curve);
        require((seen[curve->node] & 1U << curve->target) == 0, label, "two curves of node %u",
                curve->node);
        seen[curve->node] |= (uint8_t)(1U << curve->target);
    }
    free(seen);
}

static void check_rules(const char *label, const struct ossa__motion *motion)
{
    check_nodes(label, motion);
    for (uint32_t i = 0; i < motion->clip_count; i++) check_clip(label, motion, &motion->clips[i]);
    for (uint32_t i = 0; i < motion->mesh_count; i++) {
        const struct ossa__motion_mesh *mesh = &motion->meshes[i];
        require(is_text(mesh->name) && mesh->target_count > 0, label, "a mesh without targets");
        size_t count = (size_t)mesh->target_count * mesh->vertex_count;
        for (size_t v = 0; v < 3 * count; v++) {
            require(isfinite(((const float *)mesh->targets)[v]), label, "a target");
        }
    }
    for (uint32_t i = 0; i < motion->option_count; i++) {
        require(is_text(motion->options[i].key), label, "an option without a key");
    }
}

/* ---- reading ------------------------------------------------------------------------------- */

void motion_open(struct motion_file *file, motion_reader *reader, const void *data, size_t size,
                 const ossa_options *options)
{
    uint8_t *copy = malloc(size > 0 ? size : 1); /* exact, so that the sanitizer sees more */
    if (copy == NULL) abort();
    if (size > 0) memcpy(copy, data, size);
    ossa__context_init(&file->context, options, size);
    file->motion = reader(&file->context, copy, size);
    free(copy);
    assert_int_equal(file->motion == NULL, file->context.failed);
}

void motion_close(struct motion_file *file)
{
    ossa__arena_free(&file->context.scratch);
    ossa__arena_free(&file->context.arena);
}

void motion_open_good(struct motion_file *file, const char *label, motion_reader *reader,
                      const struct bytes *bytes)
{
    motion_open(file, reader, bytes->data, bytes->size, NULL);
    require(file->motion != NULL, label, "%s: %s", file->context.error.field,
            file->context.error.message);
    check_rules(label, file->motion);
}

/* ---- values -------------------------------------------------------------------------------- */

uint32_t motion_node(const struct motion_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->motion->node_count; i++) {
        if (strcmp(file->motion->nodes[i].name, name) == 0) return i;
    }
    fail_msg("there is no node '%s'", name);
    return 0;
}

const struct ossa__motion_curve *motion_curve(const struct ossa__motion_clip *clip, uint32_t node,
                                              enum ossa__motion_target target)
{
    for (uint32_t i = 0; i < clip->curve_count; i++) {
        const struct ossa__motion_curve *curve = &clip->curves[i];
        if (curve->node == node && curve->target == target) return curve;
    }
    return NULL;
}

const float *motion_key(const struct ossa__motion_curve *curve, uint32_t frame)
{
    assert_true(curve->key_count == 1 || frame < curve->key_count);
    return curve->values + (curve->key_count == 1 ? 0 : (size_t)frame * curve->width);
}

static void take_key(const struct ossa__motion_clip *clip, uint32_t frame, uint32_t node,
                     enum ossa__motion_target target, double *out)
{
    const struct ossa__motion_curve *curve = motion_curve(clip, node, target);
    if (curve == NULL) return;
    require(curve->key_count == 1 || curve->key_count == clip->frame_count, clip->name, "%u keys",
            curve->key_count);
    for (uint32_t k = 0; k < curve->width; k++) out[k] = (double)motion_key(curve, frame)[k];
}

void motion_local(const struct motion_file *file, const struct ossa__motion_clip *clip,
                  uint32_t frame, uint32_t node, double translation[3], double rotation[4],
                  double scale[3])
{
    const struct ossa__motion_node *rest = &file->motion->nodes[node];
    const double q[4] = {rest->rotation.x, rest->rotation.y, rest->rotation.z, rest->rotation.w};
    memcpy(translation, rest->translation, sizeof rest->translation);
    memcpy(rotation, q, sizeof q);
    memcpy(scale, rest->scale, sizeof rest->scale);
    take_key(clip, frame, node, OSSA__MOTION_TRANSLATION, translation);
    take_key(clip, frame, node, OSSA__MOTION_ROTATION, rotation);
    take_key(clip, frame, node, OSSA__MOTION_SCALE, scale);
}

/* ---- refusals ------------------------------------------------------------------------------ */

void require_motion_refused(motion_reader *reader, const char *text, ossa_code code,
                            const char *field, const char *message)
{
    struct motion_file file;
    motion_open(&file, reader, text, strlen(text), NULL);
    const ossa_error *error = &file.context.error;
    require(file.motion == NULL, text, "is read");
    require(strcmp(error->message, message) == 0, text, "%s: %s", error->field, error->message);
    require(error->code == code, text, "%s", ossa_code_name(error->code));
    if (field != NULL) assert_string_equal(error->field, field);
    motion_close(&file);
}

/* Read it whatever it is; gives whether it was. */
static bool try_to_read(const char *label, motion_reader *reader, const uint8_t *data, size_t size)
{
    struct motion_file file;
    struct counting counting = {0};
    const ossa_options options = {.allocator = counting_allocator(&counting)};
    motion_open(&file, reader, data, size, &options);
    bool is_read = file.motion != NULL;
    if (is_read) check_rules(label, file.motion);
    else require(file.context.error.message[0] != '\0', label, "refused without a reason");
    motion_close(&file);
    require(counting.live == 0 && !counting.wrong_release, label, "leaks");
    return is_read;
}

static void require_failures_survived(const char *label, motion_reader *reader,
                                      const struct bytes *bytes)
{
    for (size_t n = 1;; n++) {
        struct motion_file file;
        struct counting counting = {.fail_at = n};
        const ossa_options options = {.allocator = counting_allocator(&counting)};
        motion_open(&file, reader, bytes->data, bytes->size, &options);
        bool is_read = file.motion != NULL;
        ossa_code code = file.context.error.code;
        motion_close(&file);
        require(counting.live == 0 && !counting.wrong_release, label, "leaks at %zu", n);
        require(is_read != counting.failed, label, "allocation %zu", n);
        if (!counting.failed) return;
        assert_int_equal(code, OSSA_CODE_OUT_OF_MEMORY);
    }
}

void require_motion_survives(const char *label, motion_reader *reader, const struct bytes *bytes)
{
    static const uint8_t patches[] = {0,   ' ', '\n', '9', '-', '.', '{',
                                      '}', '[', ']',  '"', ',', 'e', 0xff};
    require_failures_survived(label, reader, bytes);
    size_t refused = 0;
    for (size_t size = 0; size < bytes->size; size++) {
        refused += !try_to_read(label, reader, bytes->data, size);
    }
    require(refused + 16 > bytes->size, label, "%zu beginnings are read", bytes->size - refused);
    struct bytes copy = bytes_copy(bytes->data, bytes->size);
    for (size_t i = 0; i < copy.size; i++) {
        for (size_t k = 0; k < sizeof patches; k++) {
            copy.data[i] = patches[k];
            (void)try_to_read(label, reader, copy.data, copy.size);
        }
        copy.data[i] = bytes->data[i];
    }
    bytes_free(&copy);
}
