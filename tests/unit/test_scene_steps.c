/* SPDX-License-Identifier: MIT
 *
 * ossa_clip.rotation_steps: how finely the file of a clip can store the rotation of each bone. */
#include "support/scenes.h"

#include "ossa/games/shadow_of_the_colossus.h"

#include <math.h>

static void floats_have_no_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) { /* Evil Islands and Midtown Madness */
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        assert_true(scene->clip_count > 0);
        for (uint32_t c = 0; c < scene->clip_count; c++) {
            assert_null(scene->clips[c].rotation_steps);
        }
        ossa_scene_free(scene);
    }
}

static void vib_angles_are_4096ths(void **state)
{
    (void)state;
    const float expected = (float)(8.0 * atan(1.0) / 4096.0);
    ossa_scene *scene = assemble_character(&samples[3], NULL);
    assert_true(scene->clip_count > 0);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        assert_non_null(scene->clips[c].rotation_steps);
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            assert_true(scene->clips[c].rotation_steps[b] == expected);
        }
    }
    ossa_scene_free(scene);
}

/* By the page of the format: keys are eight or sixteen bits of a range. A component of a quaternion
 * changes by half the angle. */
static double expected_step(const ossa_sotc_bone *bone)
{
    double largest = 0.0;
    if (bone->flag == 0) return 0.0;
    if (bone->flag == 13) return fabs((double)bone->constants[1]) / 32768.0;
    for (unsigned k = 1; k < 6; k += 2) largest = fmax(largest, fabs((double)bone->constants[k]));
    return 2.0 * largest / (bone->flag == 12 ? 32768.0 : 256.0);
}

static void sotc_steps_follow_the_flags(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const struct fixture *fixture = fixture_find("sotc-anb/every-flag");
    ossa_file *file = add_file(&files, "clip.anb", "sotc-anb",
                               bytes_copy(fixture->bytes.data, fixture->bytes.size));
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, anb->bone_count);
    assert_non_null(scene->clips[0].rotation_steps);
    unsigned seen = 0;
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        assert_true(scene->clips[0].rotation_steps[b] == (float)expected_step(&anb->bones[b]));
        seen |= 1U << anb->bones[b].flag;
    }
    assert_int_equal(seen, 1U << 0 | 1U << 3 | 1U << 4 | 1U << 5 | 1U << 6 | 1U << 12 | 1U << 13);
    ossa_scene_free(scene);
    free_files(&files);
}

static void joined_clips_do_not_know_theirs(void **state)
{
    (void)state;
    const ossa_scene_options options = {.join = true};
    ossa_scene *bird = assemble_character(&samples[2], &options);
    assert_int_equal(bird->clip_count, 1);
    const ossa_clip *joined = &bird->clips[0];
    assert_non_null(joined->rotation_steps);
    for (uint32_t b = 0; b < bird->bone_count; b++) assert_true(joined->rotation_steps[b] < 0.0F);
    ossa_scene_free(bird);
    ossa_scene *troll = assemble_character(&samples[0], &options);
    assert_null(troll->clips[0].rotation_steps);
    ossa_scene_free(troll);
}

TEST_GROUP(test_scene_steps)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_have_no_steps),
        cmocka_unit_test(vib_angles_are_4096ths),
        cmocka_unit_test(sotc_steps_follow_the_flags),
        cmocka_unit_test(joined_clips_do_not_know_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
