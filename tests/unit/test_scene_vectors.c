/* SPDX-License-Identifier: MIT
 *
 * Whole characters and their poses that others made, without a line of this library:
 * tests/vectors/pose/. They go in by the public interface, paths and all. */
#include "support/scenes.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double near = 1e-5;

/* The one "frame-N.json" of a character; its number is also inside. */
static json_t *load_expected(const struct character *character)
{
    char path[1024] = "";
    DIR *directory = opendir(character->folder);
    if (directory == NULL) {
        require(false, character->name, "has no folder");
        return NULL;
    }
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, "frame-", 6) != 0) continue;
        require(path[0] == '\0', character->name, "has two expected poses");
        (void)snprintf(path, sizeof path, "%s/%.200s", character->folder, entry->d_name);
    }
    (void)closedir(directory);
    json_error_t error;
    json_t *expected = json_load_file(path, 0, &error);
    require(expected != NULL, path, "line %d: %s", error.line, error.text);
    return expected;
}

static void require_numbers(const char *name, const json_t *bone, const char *key,
                            const float *found, size_t count)
{
    const json_t *wanted = json_object_get(bone, key);
    require(json_array_size(wanted) == count, name, "no %s is expected", key);
    for (size_t k = 0; k < count; k++) {
        double value = json_number_value(json_array_get(wanted, k));
        require(fabs(value - (double)found[k]) <= near, name, "%s[%zu] is %.9g, expected %.9g", key,
                k, (double)found[k], value);
    }
}

static void require_bone(const char *name, const json_t *wanted, const ossa_bone *bone,
                         const ossa_transform *pose, uint8_t visible)
{
    /* Vib-Ribbon's objects have numbers, no names and no parents. */
    const json_t *object = json_object_get(wanted, "object");
    char numbered[32];
    (void)snprintf(numbered, sizeof numbered, "object%d", (int)json_integer_value(object));
    const char *expected =
        object != NULL ? numbered : json_string_value(json_object_get(wanted, "name"));
    require(strcmp(bone->name, expected) == 0, name, "%s is called %s", expected, bone->name);
    int32_t parent =
        object != NULL ? -1 : (int32_t)json_integer_value(json_object_get(wanted, "parent"));
    require(bone->parent == parent, bone->name, "hangs on %d, expected %d", (int)bone->parent,
            (int)parent);
    bool shown = !json_is_false(json_object_get(wanted, "visible"));
    require(visible == (shown ? 1 : 0), bone->name, "is %s", visible ? "visible" : "hidden");
    if (!shown) return; /* where a hidden object is, nobody says */
    require_numbers(bone->name, wanted, "rotation", pose->rotation, 4);
    require_numbers(bone->name, wanted, "translation", pose->translation, 3);
    if (json_object_get(wanted, "scale") != NULL)
        require_numbers(bone->name, wanted, "scale", pose->scale, 3);
    else
        for (unsigned k = 0; k < 3; k++) require(pose->scale[k] == 1.0F, bone->name, "is scaled");
}

static void require_pose(const struct character *character)
{
    json_t *expected = load_expected(character);
    const json_t *complexion = json_object_get(expected, "complexion");
    /* The vector has the number of bit 0 first. */
    static const unsigned order[3] = {1, 0, 2};
    for (unsigned k = 0; k < 3 && complexion != NULL; k++) {
        require((double)character->complexion[order[k]] ==
                    json_number_value(json_array_get(complexion, k)),
                character->name, "another complexion");
    }
    ossa_scene *scene = assemble_character(character, NULL);
    require(scene->warning_count == 0, character->name, "%s",
            scene->issue_count > 0 ? scene->issues[0].message : "");
    assert_int_equal(scene->clip_count, 1);
    const ossa_clip *clip = &scene->clips[0];
    const json_t *bones = json_object_get(expected, "bones");
    uint32_t frame = (uint32_t)json_integer_value(json_object_get(expected, "frame"));
    assert_true(frame < clip->frame_count);
    assert_int_equal(json_array_size(bones), scene->bone_count);

    ossa_transform locals[64];
    ossa_transform models[64];
    uint8_t visible[64];
    assert_true(scene->bone_count <= 64);
    ossa_sample_frame(scene, clip, frame, locals, visible);
    ossa_model_pose(scene, locals, models);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        require_bone(character->name, json_array_get(bones, i), &scene->bones[i], &models[i],
                     visible[i]);
    }
    /* At its time a frame is the same frame. */
    ossa_transform at_time[64];
    ossa_sample(scene, clip, frame / clip->fps, OSSA_WRAP_CLAMP, at_time, NULL);
    assert_memory_equal(at_time, locals, scene->bone_count * sizeof *locals);
    ossa_scene_free(scene);
    json_decref(expected);
}

static void ei_troll(void **state)
{
    (void)state;
    require_pose(&pose_vectors[0]);
}

static void ei_complexion(void **state)
{
    (void)state;
    require_pose(&pose_vectors[1]);
}

static void mm_ped(void **state)
{
    (void)state;
    require_pose(&pose_vectors[2]);
}

static void sotc_bird(void **state)
{
    (void)state;
    require_pose(&pose_vectors[3]);
}

static void vib_rabbit(void **state)
{
    (void)state;
    require_pose(&pose_vectors[4]);
}

TEST_GROUP(test_scene_vectors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ei_troll),  cmocka_unit_test(ei_complexion), cmocka_unit_test(mm_ped),
        cmocka_unit_test(sotc_bird), cmocka_unit_test(vib_rabbit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
