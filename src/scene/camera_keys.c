/* SPDX-License-Identifier: MIT */
#include "scene/camera_keys.h"

#include "scene/edit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool take_cameras(struct ossa__assembly *assembly, size_t count)
{
    struct ossa__context *context = &assembly->context;
    assembly->cameras = ossa__take(context, count, sizeof *assembly->cameras);
    assembly->scene->cameras = assembly->cameras;
    return assembly->cameras != NULL && ossa__names_start(&assembly->camera_names, context, count);
}

/* Add a camera, named after its file. */
static void add_camera(struct ossa__assembly *assembly, const struct ossa__part *part,
                       const ossa_camera *camera)
{
    struct ossa__context *context = &assembly->context;
    ossa_scene *scene = assembly->scene;
    if (scene->camera_count == OSSA_MAX_CLIPS) {
        ossa__blame(assembly, part);
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "a scene holds at most %d cameras",
                           OSSA_MAX_CLIPS);
    }
    if (context->failed) return;
    ossa_camera *added = &assembly->cameras[scene->camera_count];
    *added = *camera;
    added->name = ossa__names_add(&assembly->camera_names, context,
                                  part->stem[0] == '\0' ? "camera" : part->stem, "");
    added->source = ossa__source_name(assembly, part);
    added->source_format = part->format;
    if (!context->failed) scene->camera_count++;
}

bool ossa__take_cameras_of(struct ossa__assembly *assembly, const char *format)
{
    size_t count = 0;
    for (size_t i = 0; i < assembly->part_count; i++) {
        if (strcmp(assembly->parts[i].format, format) == 0) count++;
    }
    return count > 0 && !assembly->context.failed && take_cameras(assembly, count);
}

bool ossa__take_camera_keys(struct ossa__assembly *assembly, const struct ossa__part *part,
                            uint32_t count, struct ossa__camera_keys *keys)
{
    struct ossa__context *context = &assembly->context;
    *keys = (struct ossa__camera_keys){.assembly = assembly, .part = part, .count = count};
    if (count == 0) {
        ossa__assembly_warn(assembly, part, OSSA_CODE_UNUSUAL_VALUE,
                            "the camera '%s' has no keys and is left out", part->stem);
        return false;
    }
    keys->times = ossa__take(context, count, sizeof *keys->times);
    keys->positions = ossa__take(context, count, sizeof *keys->positions);
    keys->rotations = ossa__take(context, count, sizeof *keys->rotations);
    keys->views = ossa__take(context, count, sizeof *keys->views);
    keys->extras = ossa__take(context, OSSA__CAMERA_EXTRAS, sizeof *keys->extras);
    return keys->extras != NULL;
}

bool ossa__times_rise(const float *times, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(times[i]) || (i > 0 && times[i] <= times[i - 1])) return false;
    }
    return true;
}

void ossa__even_times(struct ossa__camera_keys *keys, double fps)
{
    for (uint32_t i = 0; i < keys->count; i++) keys->times[i] = (float)(i / fps);
    if (ossa__times_rise(keys->times, keys->count)) return;
    (void)ossa__misfit(keys->assembly, keys->part,
                       "the times of %" PRIu32 " keys at this rate are too large to be told apart",
                       keys->count);
}

void ossa__add_camera_extra(struct ossa__camera_keys *keys, const char *key, const double *numbers)
{
    bool are_same = true;
    if (keys->assembly->context.failed) return;
    for (uint32_t i = 0; i < keys->count; i++) {
        are_same = are_same && memcmp(&numbers[i], &numbers[0], sizeof *numbers) == 0;
        if (isfinite(numbers[i])) continue;
        ossa__assembly_warn(keys->assembly, keys->part, OSSA_CODE_NON_FINITE,
                            "keys[%" PRIu32 "].%s is not finite; '%s' is left out of the extras", i,
                            key, key);
        return;
    }
    keys->extras[keys->extra_count++] =
        (ossa_extra){.key = key, .number_count = are_same ? 1 : keys->count, .numbers = numbers};
}

void ossa__finish_camera(const struct ossa__camera_keys *keys, float aspect)
{
    if (keys->assembly->context.failed) return;
    const ossa_camera camera = {.key_count = keys->count,
                                .times = keys->times,
                                .positions = (const float(*)[3])keys->positions,
                                .rotations = (const float(*)[4])keys->rotations,
                                .fields_of_view = keys->views,
                                .aspect = aspect,
                                .extra_count = keys->extra_count,
                                .extras = keys->extras};
    add_camera(keys->assembly, keys->part, &camera);
    struct ossa__editing *editing = keys->assembly->editing;
    if (keys->assembly->context.failed || editing == NULL || editing->on_camera == NULL) return;
    editing->on_camera(editing, keys,
                       &keys->assembly->cameras[keys->assembly->scene->camera_count - 1]);
}
