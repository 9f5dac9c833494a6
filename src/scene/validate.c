/* SPDX-License-Identifier: MIT
 *
 * The rules of a scene, stated by checking them. Those of meshes are in validate_meshes.c. */
#include "scene/validate.h"

#include "base/text.h"
#include "lanes/kernels.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct ossa__scene_item whole(const char *member)
{
    return (struct ossa__scene_item){member, OSSA__WHOLE};
}

bool ossa__refuse(ossa_error *error, struct ossa__scene_item field, const char *message, ...)
{
    if (error == NULL) return false;
    *error = (ossa_error){.code = OSSA_CODE_BAD_SCENE};
    if (field.index == OSSA__WHOLE) {
        (void)snprintf(error->field, sizeof error->field, "%s", field.member);
    } else {
        (void)snprintf(error->field, sizeof error->field, "%s[%" PRIu64 "]", field.member,
                       field.index);
    }
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(error->message, sizeof error->message, message, arguments);
    va_end(arguments);
    return false;
}

bool ossa__is_name(const char *name)
{
    return name != NULL && name[0] != '\0' && ossa__utf8_is_valid(name, strlen(name));
}

bool ossa__are_finite(const float *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static bool is_rotation(const float q[4])
{
    double sum = 0.0;
    for (unsigned i = 0; i < 4; i++) sum += (double)q[i] * (double)q[i];
    return fabs(sum - 1.0) < 1e-5;
}

static bool is_transform(const ossa_transform *t)
{
    return ossa__are_finite(t->translation, 3) && ossa__are_finite(t->scale, 3) &&
           ossa__are_finite(t->rotation, 4) && is_rotation(t->rotation);
}

/* Also as what they may be printed as. */
static bool are_numbers(const double *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabs(values[i]) <= (double)FLT_MAX)) return false;
    }
    return true;
}

static bool check_extras(const ossa_extra *extras, uint32_t count, struct ossa__scene_item field,
                         ossa_error *error)
{
    if (count > 0 && extras == NULL) return ossa__refuse(error, field, "lacks its extras");
    for (uint32_t i = 0; i < count; i++) {
        const ossa_extra *extra = &extras[i];
        if (!ossa__is_name(extra->key))
            return ossa__refuse(error, field, "has an extra without a key");
        if (extra->text == NULL && extra->number_count > 0 && extra->numbers == NULL) {
            return ossa__refuse(error, field, "the extra '%s' lacks its numbers", extra->key);
        }
        bool fine = extra->text == NULL ? are_numbers(extra->numbers, extra->number_count)
                                        : ossa__utf8_is_valid(extra->text, strlen(extra->text));
        if (fine) continue;
        return ossa__refuse(error, field, "the extra '%s' is not UTF-8, or not finite", extra->key);
    }
    return true;
}

static bool check_bones(const ossa_scene *scene, ossa_error *error)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const ossa_bone *bone = &scene->bones[i];
        const struct ossa__scene_item field = {"bones", i};
        if (!ossa__is_name(bone->name)) return ossa__refuse(error, field, "has no name in UTF-8");
        if (bone->parent < -1 || bone->parent >= (int64_t)i) {
            return ossa__refuse(error, field,
                                "'%s' has the parent %" PRId32 ", expected one before it",
                                bone->name, bone->parent);
        }
        if (!is_transform(&bone->rest)) {
            return ossa__refuse(error, field,
                                "'%s' has a rest pose that is not finite, or no rotation",
                                bone->name);
        }
        if (!check_extras(bone->extras, bone->extra_count, field, error)) return false;
    }
    return true;
}

/* The lists of bones and meshes rise, and name those there are. */
static bool is_rising(uint32_t count, const uint32_t *items, uint32_t end)
{
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] >= end || (i > 0 && items[i] <= items[i - 1])) return false;
    }
    return true;
}

/* Nearly all rotations are seen to be by floats; what is near the limit, or beyond it, is looked at
 * exactly. */
static bool are_rotations(const float *keys, uint64_t count)
{
    if (ossa__kernels()->are_rotations(keys, (size_t)count)) return true;
    for (; count > 0; count--, keys += 4) {
        if (!is_rotation(keys)) return false;
    }
    return true;
}

static bool check_tracks(const ossa_scene *scene, const ossa_clip *clip, const ossa_tracks *tracks,
                         unsigned width, struct ossa__scene_item field, ossa_error *error)
{
    if (!is_rising(tracks->count, tracks->bones, scene->bone_count)) {
        return ossa__refuse(error, field, "the clip '%s' has tracks of no bone, or out of order",
                            clip->name);
    }
    uint64_t keys = (uint64_t)clip->frame_count * tracks->count;
    if (width == 4 ? are_rotations(tracks->keys, keys)
                   : ossa__are_finite(tracks->keys, keys * width)) {
        return true;
    }
    for (uint64_t f = 0; f < clip->frame_count; f++) { /* which one is not? */
        for (uint32_t i = 0; i < tracks->count; i++) {
            const float *key = tracks->keys + (f * tracks->count + i) * width;
            bool fine = ossa__are_finite(key, width) && (width != 4 || is_rotation(key));
            if (fine) continue;
            return ossa__refuse(error, field,
                                "the clip '%s' has a key of '%s' in frame %" PRIu64
                                " that is not finite, or no rotation",
                                clip->name, scene->bones[tracks->bones[i]].name, f);
        }
    }
    return true;
}

static bool check_visibility(const ossa_scene *scene, const ossa_clip *clip,
                             struct ossa__scene_item field, ossa_error *error)
{
    const ossa_flag_tracks *tracks = &clip->visibilities;
    bool fine = is_rising(tracks->count, tracks->bones, scene->bone_count);
    uint64_t keys = (uint64_t)clip->frame_count * tracks->count;
    for (uint64_t i = 0; fine && i < keys; i++) fine = tracks->keys[i] <= 1;
    for (uint32_t b = 0; fine && b < scene->bone_count; b++) fine = clip->constant_visible[b] <= 1;
    return fine || ossa__refuse(error, field, "the clip '%s' has a visibility that is not 0 or 1",
                                clip->name);
}

static const char *clip_name(const ossa_scene *scene, uint32_t index)
{
    return scene->clips[index].name;
}

static const char *camera_name(const ossa_scene *scene, uint32_t index)
{
    return scene->cameras[index].name;
}

static const char *variant_name(const ossa_scene *scene, uint32_t index)
{
    return scene->variants[index].name;
}

/* There is a name for each of so many, and none occurs twice. */
static bool check_names(const ossa_scene *scene, const char *member, uint32_t count,
                        ossa__item_name name_of, ossa_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ossa__is_name(name_of(scene, i))) continue;
        return ossa__refuse(error, (struct ossa__scene_item){member, i}, "has no name in UTF-8");
    }
    uint32_t again = ossa__find_repeated(scene, count, name_of);
    if (again == count) return true;
    return ossa__refuse(error, (struct ossa__scene_item){member, again},
                        "the name '%s' occurs twice", name_of(scene, again));
}

static bool has_arrays(const ossa_clip *clip, uint32_t count, const void *bones, const void *keys)
{
    return count == 0 || (bones != NULL && (keys != NULL || clip->frame_count == 0));
}

/* A clip that somebody made by hand may have been left half done. */
static bool is_whole(const ossa_scene *scene, const ossa_clip *clip)
{
    const ossa_tracks *tracks[3] = {&clip->rotations, &clip->translations, &clip->scales};
    const ossa_flag_tracks *flags = &clip->visibilities;
    for (unsigned i = 0; i < 3; i++) {
        if (!has_arrays(clip, tracks[i]->count, tracks[i]->bones, tracks[i]->keys)) return false;
    }
    return has_arrays(clip, flags->count, flags->bones, flags->keys) &&
           has_arrays(clip, clip->morphs.count, clip->morphs.meshes, clip->morphs.keys) &&
           (scene->bone_count == 0 || (clip->constant != NULL && clip->constant_visible != NULL));
}

static bool check_events(const ossa_clip *clip, struct ossa__scene_item field, ossa_error *error)
{
    if (clip->next != NULL && !ossa__is_name(clip->next)) {
        return ossa__refuse(error, field, "'%s' is followed by a name that is not UTF-8",
                            clip->name);
    }
    for (uint32_t i = 0; i < clip->event_count; i++) {
        const ossa_event *event = clip->events == NULL ? NULL : &clip->events[i];
        bool fine = event != NULL && event->frame < clip->frame_count &&
                    ossa__is_name(event->kind) && ossa__is_name(event->field);
        if (fine && i > 0) fine = clip->events[i - 1].frame <= event->frame;
        if (fine) continue;
        return ossa__refuse(error, field,
                            "the event %" PRIu32 " of '%s' has no kind, no field or no frame, or "
                            "is out of order",
                            i, clip->name);
    }
    return true;
}

static bool check_clips(const ossa_scene *scene, ossa_error *error)
{
    if (scene->clip_count > OSSA_MAX_CLIPS) {
        return ossa__refuse(error, whole("clips"), "%" PRIu32 " clips, at most %d are allowed",
                            scene->clip_count, OSSA_MAX_CLIPS);
    }
    if (!check_names(scene, "clips", scene->clip_count, clip_name, error)) return false;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        const struct ossa__scene_item field = {"clips", i};
        if (clip->source == NULL || clip->source_format == NULL) {
            return ossa__refuse(error, field, "'%s' has no source", clip->name);
        }
        if (!ossa__are_finite(clip->velocity, 3)) {
            return ossa__refuse(error, field, "'%s' has a velocity that is not finite", clip->name);
        }
        if (!ossa__are_finite(clip->travel, 3)) {
            return ossa__refuse(error, field, "'%s' has a travel that is not finite", clip->name);
        }
        if (clip->rotation_steps != NULL &&
            !ossa__are_finite(clip->rotation_steps, scene->bone_count)) {
            return ossa__refuse(error, field, "'%s' has a rotation step that is not finite",
                                clip->name);
        }
        if (!(clip->fps > 0.0) || !isfinite(clip->fps)) {
            return ossa__refuse(error, field, "'%s' has no rate", clip->name);
        }
        if (!is_whole(scene, clip)) {
            return ossa__refuse(error, field, "'%s' lacks an array of constants or keys",
                                clip->name);
        }
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            if (is_transform(&clip->constant[b])) continue;
            return ossa__refuse(
                error, field,
                "the clip '%s' has a value of '%s' that is not finite, or no rotation", clip->name,
                scene->bones[b].name);
        }
        if (!check_events(clip, field, error)) return false;
        if (!check_tracks(scene, clip, &clip->rotations, 4, field, error) ||
            !check_tracks(scene, clip, &clip->translations, 3, field, error) ||
            !check_tracks(scene, clip, &clip->scales, 3, field, error) ||
            !check_visibility(scene, clip, field, error) ||
            !check_extras(clip->extras, clip->extra_count, field, error)) {
            return false;
        }
    }
    return true;
}

static bool check_textures(const ossa_scene *scene, ossa_error *error)
{
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        const ossa_texture *texture = &scene->textures[i];
        const struct ossa__scene_item field = {"textures", i};
        if (!ossa__is_name(texture->name))
            return ossa__refuse(error, field, "has no name in UTF-8");
        uint64_t pixels = (uint64_t)texture->width * texture->height;
        if (pixels == 0 || pixels > SIZE_MAX / sizeof *texture->pixels) {
            return ossa__refuse(error, field, "'%s' has %" PRIu32 " x %" PRIu32 " pixels",
                                texture->name, texture->width, texture->height);
        }
        if (texture->pixels == NULL) {
            return ossa__refuse(error, field, "'%s' lacks its pixels", texture->name);
        }
    }
    return true;
}

static bool check_materials(const ossa_scene *scene, ossa_error *error)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const ossa_material *material = &scene->materials[i];
        const struct ossa__scene_item field = {"materials", i};
        if (!ossa__is_name(material->name))
            return ossa__refuse(error, field, "has no name in UTF-8");
        if (material->texture < -1 || material->texture >= (int64_t)scene->texture_count) {
            return ossa__refuse(error, field, "'%s' has the texture %" PRId32 ", of %" PRIu32,
                                material->name, material->texture, scene->texture_count);
        }
        for (unsigned k = 0; k < 4; k++) {
            if (material->colour[k] >= 0.0F && material->colour[k] <= 1.0F) continue;
            return ossa__refuse(error, field, "'%s' has a colour that is not from 0 to 1",
                                material->name);
        }
        if (!(material->alpha_cutoff >= 0.0F && material->alpha_cutoff <= 1.0F)) {
            return ossa__refuse(error, field, "'%s' has an alpha cutoff that is not from 0 to 1",
                                material->name);
        }
        if (material->alpha_cutoff > 0.0F && material->is_transparent) {
            return ossa__refuse(error, field, "'%s' is transparent and has an alpha cutoff",
                                material->name);
        }
        if (!check_extras(material->extras, material->extra_count, field, error)) return false;
    }
    return true;
}

static bool check_variants(const ossa_scene *scene, ossa_error *error)
{
    if (scene->variant_count > OSSA_MAX_VARIANTS) {
        return ossa__refuse(error, whole("variants"),
                            "%" PRIu32 " variants, at most %d are allowed", scene->variant_count,
                            OSSA_MAX_VARIANTS);
    }
    if (!check_names(scene, "variants", scene->variant_count, variant_name, error)) return false;
    for (uint32_t i = 0; i < scene->variant_count; i++) {
        const ossa_variant *variant = &scene->variants[i];
        const struct ossa__scene_item field = {"variants", i};
        if (variant->replacement_count > 0 && variant->replacements == NULL) {
            return ossa__refuse(error, field, "'%s' lacks its replacements", variant->name);
        }
        for (uint32_t k = 0; k < variant->replacement_count; k++) {
            const ossa_replacement *replacement = &variant->replacements[k];
            bool rises = k == 0 || replacement->material > replacement[-1].material;
            bool exists = replacement->material < scene->material_count &&
                          replacement->by < scene->material_count;
            if (rises && exists) continue;
            return ossa__refuse(error, field,
                                "'%s' replaces materials that do not exist, or out of order",
                                variant->name);
        }
    }
    return true;
}

/* After the meshes, whose targets they name. */
static bool check_morphs(const ossa_scene *scene, ossa_error *error)
{
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        const ossa_morph_tracks *tracks = &clip->morphs;
        const struct ossa__scene_item field = {"clips", c};
        if (!is_rising(tracks->count, tracks->meshes, scene->mesh_count)) {
            return ossa__refuse(error, field,
                                "the clip '%s' has morphs of no mesh, or out of order", clip->name);
        }
        for (uint64_t f = 0; f < clip->frame_count; f++) {
            for (uint32_t i = 0; i < tracks->count; i++) {
                const ossa_mesh *mesh = &scene->meshes[tracks->meshes[i]];
                int32_t key = tracks->keys[f * tracks->count + i];
                if (key >= -1 && key < (int64_t)mesh->target_count) continue;
                return ossa__refuse(error, field,
                                    "the clip '%s' has the target %" PRId32
                                    " of '%s' in frame %" PRIu64 ", of %" PRIu32,
                                    clip->name, key, mesh->name, f, mesh->target_count);
            }
        }
    }
    return true;
}

static bool check_keys(const ossa_camera *camera, struct ossa__scene_item field, ossa_error *error)
{
    for (uint32_t k = 0; k < camera->key_count; k++) {
        float view = camera->fields_of_view[k];
        float time = camera->times[k];
        bool rises = k == 0 ? time == 0.0F : time > camera->times[k - 1];
        if (!rises || !isfinite(time)) {
            return ossa__refuse(error, field, "'%s': the times do not rise from 0, at key %" PRIu32,
                                camera->name, k);
        }
        if (!ossa__are_finite(camera->positions[k], 3) ||
            !ossa__are_finite(camera->rotations[k], 4) || !is_rotation(camera->rotations[k])) {
            return ossa__refuse(error, field, "'%s': key %" PRIu32 " is not finite, or no rotation",
                                camera->name, k);
        }
        if (!(view > 0.0F) || !((double)view < 3.14159265)) {
            return ossa__refuse(error, field, "'%s': key %" PRIu32 " has no field of view",
                                camera->name, k);
        }
    }
    return true;
}

static bool check_cameras(const ossa_scene *scene, ossa_error *error)
{
    if (scene->camera_count > OSSA_MAX_CLIPS) {
        return ossa__refuse(error, whole("cameras"), "%" PRIu32 " cameras, at most %d are allowed",
                            scene->camera_count, OSSA_MAX_CLIPS);
    }
    if (!check_names(scene, "cameras", scene->camera_count, camera_name, error)) return false;
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const ossa_camera *camera = &scene->cameras[i];
        const struct ossa__scene_item field = {"cameras", i};
        if (camera->source == NULL || camera->source_format == NULL) {
            return ossa__refuse(error, field, "'%s' has no source", camera->name);
        }
        if (camera->key_count == 0)
            return ossa__refuse(error, field, "'%s' has no key", camera->name);
        if (camera->times == NULL || camera->positions == NULL || camera->rotations == NULL ||
            camera->fields_of_view == NULL) {
            return ossa__refuse(error, field, "'%s' lacks an array of keys", camera->name);
        }
        if (!(camera->aspect >= 0.0F) || !isfinite(camera->aspect)) {
            return ossa__refuse(error, field, "'%s' has no aspect", camera->name);
        }
        if (!check_keys(camera, field, error) ||
            !check_extras(camera->extras, camera->extra_count, field, error)) {
            return false;
        }
    }
    return true;
}

/* A scene that somebody made by hand may have a count and no array. */
static bool check_arrays(const ossa_scene *scene, ossa_error *error)
{
    const struct {
        const char *member;
        uint64_t count;
        const void *items;
    } arrays[] = {
        {"bones", scene->bone_count, scene->bones},
        {"clips", scene->clip_count, scene->clips},
        {"meshes", scene->mesh_count, scene->meshes},
        {"materials", scene->material_count, scene->materials},
        {"textures", scene->texture_count, scene->textures},
        {"cameras", scene->camera_count, scene->cameras},
        {"variants", scene->variant_count, scene->variants},
        {"issues", scene->issue_count, scene->issues},
        {"key_files", scene->key_file_count, scene->key_files},
        {"options", scene->option_count, scene->options},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i].count == 0 || arrays[i].items != NULL) continue;
        return ossa__refuse(error, whole(arrays[i].member),
                            "the count is %" PRIu64 ", but the array is NULL", arrays[i].count);
    }
    return true;
}

bool ossa_scene_validate(const ossa_scene *scene, ossa_error *error)
{
    if (scene == NULL) return ossa__refuse(error, whole(""), "there is no scene");
    if (!ossa__is_name(scene->name))
        return ossa__refuse(error, whole("name"), "the scene has no name in UTF-8");
    if (scene->game == NULL) return ossa__refuse(error, whole("game"), "the scene has no game");
    if (!check_arrays(scene, error)) return false;
    if (!check_extras(scene->extras, scene->extra_count, whole("extras"), error)) return false;
    if (!ossa__check_about(scene, error) || !check_bones(scene, error) ||
        !check_clips(scene, error) || !check_textures(scene, error) ||
        !check_materials(scene, error) || !check_variants(scene, error) ||
        !ossa__check_meshes(scene, error) || !check_morphs(scene, error) ||
        !check_cameras(scene, error) || !ossa__check_key_runs(scene, error)) {
        return false;
    }
    if (error != NULL) *error = (ossa_error){0};
    return true;
}
