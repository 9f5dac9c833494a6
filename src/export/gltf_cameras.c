/* SPDX-License-Identifier: MIT
 *
 * Cameras of a glTF: each is a node beside the skeleton, with an animation of its own. The format
 * cannot animate a field of view: the first one counts, all of them are in extras. */
#include "export/gltf_parts.h"

#include "scene/extras.h"
#include "codec/names.h"

#include <stdio.h>

/* Nearer than this nothing is seen; glTF asks for it and no file has it. */
static const float near_plane = 0.01F;

/* A camera that stands still needs no animation. */
static bool moves(const ossa_camera *camera)
{
    return camera->key_count > 1;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Like the camera, or "walk_camera" where a clip is called "walk". */
void ossa__gltf_name_cameras(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    struct ossa__context *context = &x->context;
    struct ossa__names names;
    x->camera_clips = ossa__take(context, scene->camera_count, sizeof *x->camera_clips);
    if (!ossa__names_start(&names, context, (size_t)scene->clip_count + scene->camera_count)) {
        return;
    }
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (ossa__names_add(&names, context, scene->clips[i].name, "") == NULL) return;
    }
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const char *name = scene->cameras[i].name;
        size_t size = strlen(name) + sizeof "_camera";
        char *longer = ossa__take(context, size, 1);
        if (longer == NULL) return;
        (void)snprintf(longer, size, "%s_camera", name);
        const char *wanted = ossa__names_has(&names, name) ? longer : name;
        x->camera_clips[i] = ossa__names_add(&names, context, wanted, "");
        if (x->camera_clips[i] == NULL) return;
    }
}

/* ---- data ---------------------------------------------------------------------------------- */

static size_t put_floats(struct ossa__gltf *x, const float *values, uint32_t count, unsigned width,
                         bool has_bounds)
{
    size_t accessor = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, width, count, has_bounds);
    ossa__gltf_put(&x->buffer, values, count);
    ossa__gltf_end(&x->buffer);
    return accessor;
}

static bool view_changes(const ossa_camera *camera)
{
    for (uint32_t k = 1; k < camera->key_count; k++) {
        if (camera->fields_of_view[k] != camera->fields_of_view[0]) return true;
    }
    return false;
}

void ossa__gltf_put_cameras(struct ossa__gltf *x)
{
    for (uint32_t i = 0; i < x->scene->camera_count && !x->context.failed; i++) {
        const ossa_camera *camera = &x->scene->cameras[i];
        size_t *accessors = x->camera_accessors + (size_t)3 * i;
        if (!x->buffer.writes && view_changes(camera)) {
            ossa__gltf_warn(x, OSSA_CODE_LOST,
                            "the field of view of the camera '%s' changes, which glTF cannot say: "
                            "the first is kept, all are in its extras",
                            camera->name);
        }
        if (!moves(camera)) continue;
        accessors[0] = put_floats(x, camera->times, camera->key_count, 1, true);
        accessors[1] = put_floats(x, camera->positions[0], camera->key_count, 3, false);
        accessors[2] = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 4, camera->key_count, false);
        ossa__gltf_put_column(&x->buffer, camera->rotations[0], 4, camera->key_count);
        ossa__gltf_end(&x->buffer);
    }
}

/* ---- document ------------------------------------------------------------------------------ */

static uint32_t camera_node(const struct ossa__gltf *x, uint32_t camera)
{
    return x->first_camera_node + camera;
}

void ossa__gltf_write_cameras(struct ossa__gltf *x)
{
    if (x->scene->camera_count == 0) return;
    ossa__json_key(&x->json, "cameras");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < x->scene->camera_count; i++) {
        const ossa_camera *camera = &x->scene->cameras[i];
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", x->names[camera_node(x, i)]);
        ossa__gltf_string(x, "type", "perspective");
        ossa__json_key(&x->json, "perspective");
        ossa__json_begin_object(&x->json);
        if (camera->aspect > 0.0F) ossa__gltf_float(x, "aspectRatio", camera->aspect);
        ossa__gltf_float(x, "yfov", camera->fields_of_view[0]);
        ossa__gltf_float(x, "znear", near_plane);
        ossa__json_end_object(&x->json);
        ossa__json_key(&x->json, "extras");
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "source", camera->source);
        ossa__gltf_string(x, "source_format", camera->source_format);
        if (view_changes(camera)) {
            ossa__gltf_floats(x, "yfov", camera->fields_of_view, camera->key_count);
        }
        ossa__json_extras(&x->json, camera->extras, camera->extra_count);
        ossa__json_end_object(&x->json);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_array(&x->json);
}

void ossa__gltf_write_camera_nodes(struct ossa__gltf *x)
{
    for (uint32_t i = 0; i < x->scene->camera_count; i++) {
        const ossa_camera *camera = &x->scene->cameras[i];
        ossa_transform place = {.scale = {1.0F, 1.0F, 1.0F}};
        memcpy(place.translation, camera->positions[0], sizeof place.translation);
        memcpy(place.rotation, camera->rotations[0], sizeof place.rotation);
        ossa__json_begin_object(&x->json);
        ossa__gltf_write_name(x, camera_node(x, i), camera->name);
        ossa__gltf_write_transform(x, &place);
        ossa__gltf_uint(x, "camera", i);
        ossa__json_end_object(&x->json);
    }
}

bool ossa__gltf_has_moving_camera(const struct ossa__gltf *x)
{
    for (uint32_t i = 0; i < x->scene->camera_count; i++) {
        if (moves(&x->scene->cameras[i])) return true;
    }
    return false;
}

void ossa__gltf_write_camera_clips(struct ossa__gltf *x)
{
    for (uint32_t i = 0; i < x->scene->camera_count; i++) {
        const ossa_camera *camera = &x->scene->cameras[i];
        const size_t *accessors = x->camera_accessors + (size_t)3 * i;
        if (!moves(camera)) continue;
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", x->camera_clips[i]);
        ossa__json_key(&x->json, "channels");
        ossa__json_begin_array(&x->json);
        ossa__gltf_write_channel(x, 0, camera_node(x, i), "translation");
        ossa__gltf_write_channel(x, 1, camera_node(x, i), "rotation");
        ossa__json_end_array(&x->json);
        ossa__json_key(&x->json, "samplers");
        ossa__json_begin_array(&x->json);
        ossa__gltf_write_sampler(x, accessors[0], accessors[1], false);
        ossa__gltf_write_sampler(x, accessors[0], accessors[2], false);
        ossa__json_end_array(&x->json);
        ossa__json_key(&x->json, "extras");
        ossa__json_begin_object(&x->json);
        ossa__gltf_uint(x, "keys", camera->key_count);
        ossa__gltf_string(x, "camera", camera->name);
        ossa__gltf_string(x, "source", camera->source);
        ossa__gltf_string(x, "source_format", camera->source_format);
        ossa__json_end_object(&x->json);
        ossa__json_end_object(&x->json);
    }
}
