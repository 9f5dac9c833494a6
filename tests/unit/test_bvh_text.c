/* SPDX-License-Identifier: MIT
 *
 * BVH: the text itself, the names and ends in it, and what is told of all that is not. */
#include "support/bvh_reader.h"
#include "support/scenes.h"
#include "support/still_scene.h"

#include <stdio.h>
#include <string.h>

/* ---- the text ------------------------------------------------------------------------------ */

static void require_text(const struct made_scene *made, const char *text)
{
    struct bytes file = bvh_or_fail("text", &made->scene, &made->clips[0]);
    require_same("text", &file, text, strlen(text));
    struct bvh bvh;
    bvh_open(&bvh, "text", &file);
    bvh_close(&bvh);
    bytes_free(&file);
}

static void a_small_file(void **state)
{
    (void)state;
    static const double turns[2][3] = {{0.0, 0.0, 0.0}, {-90.0, 0.0, 0.0}};
    struct made_scene made;
    ossa_transform *constant = make_still_scene(&made, 3, 2);
    constant[0].translation[1] = 1.25F;
    made.bones[1].rest = constant[1] = still_at(-0.1F, 0.5F, 0.0F);
    made.bones[2].rest = constant[2] = still_at(0.0F, 0.0F, -2e-7F);
    constant[2].translation[0] = 12345678.0F;
    set_still_turns(&made, 1, turns);
    require_text(&made,
                 "HIERARCHY\n"
                 "ROOT b0\n"
                 "{\n"
                 "\tOFFSET 0.000000 0.000000 0.000000\n"
                 "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                 "\tJOINT b1\n"
                 "\t{\n"
                 "\t\tOFFSET -0.100000001 0.500000 0.000000\n"
                 "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                 "\t\tJOINT b2\n"
                 "\t\t{\n"
                 "\t\t\tOFFSET 0.000000 0.000000 0.000000\n"
                 "\t\t\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                 "\t\t\tEnd Site\n"
                 "\t\t\t{\n"
                 "\t\t\t\tOFFSET 0.000000 0.025000 0.000000\n"
                 "\t\t\t}\n"
                 "\t\t}\n"
                 "\t}\n"
                 "}\n"
                 "MOTION\n"
                 "Frames: 2\n"
                 "Frame Time: 0.0333333333\n"
                 "0.000000 1.250000 0.000000 0.000000 0.000000 0.000000 "
                 "0.000000 0.000000 0.000000 "
                 "12345678.000000 0.000000 -0.000000200000002 0.000000 0.000000 0.000000\n"
                 "0.000000 1.250000 0.000000 0.000000 0.000000 0.000000 "
                 "-90.000000 0.000000 0.000000 "
                 "12345678.000000 0.000000 -0.000000200000002 0.000000 0.000000 0.000000\n");
    free_made_scene(&made);
}

static void several_roots_get_one_above(void **state)
{
    (void)state;
    struct made_scene made;
    ossa_transform *constant = make_still_scene(&made, 3, 1);
    made.scene.name = "b1"; /* as a bone: that one keeps it */
    made.bones[2].parent = -1;
    made.bones[2].rest = constant[2] = still_at(0.0F, -4.0F, 0.0F);
    made.bones[1].rest = constant[1] = still_at(0.0F, 0.0F, 2.0F);
    require_text(&made,
                 "HIERARCHY\n"
                 "ROOT b1_2\n"
                 "{\n"
                 "\tOFFSET 0.000000 0.000000 0.000000\n"
                 "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                 "\tJOINT b0\n"
                 "\t{\n"
                 "\t\tOFFSET 0.000000 0.000000 0.000000\n"
                 "\t\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                 "\t\tJOINT b1\n"
                 "\t\t{\n"
                 "\t\t\tOFFSET 0.000000 0.000000 2.000000\n"
                 "\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                 "\t\t\tEnd Site\n"
                 "\t\t\t{\n"
                 "\t\t\t\tOFFSET 0.000000 0.000000 1.000000\n"
                 "\t\t\t}\n"
                 "\t\t}\n"
                 "\t}\n"
                 "\tJOINT b2\n"
                 "\t{\n"
                 "\t\tOFFSET 0.000000 0.000000 0.000000\n"
                 "\t\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                 "\t\tEnd Site\n"
                 "\t\t{\n"
                 "\t\t\tOFFSET 0.000000 0.200000 0.000000\n"
                 "\t\t}\n"
                 "\t}\n"
                 "}\n"
                 "MOTION\n"
                 "Frames: 1\n"
                 "Frame Time: 0.0333333333\n"
                 "0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 "
                 "0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 "
                 "0.000000 0.000000 0.000000 "
                 "0.000000 -4.000000 0.000000 0.000000 0.000000 0.000000\n");
    free_made_scene(&made);
}

/* The step of an end: of the rest pose's size, else of the first frame's, else of a metre. */
static void ends_have_a_length(void **state)
{
    (void)state;
    static const double steps[3] = {0.05, 0.4, 0.5};
    for (unsigned pass = 0; pass < 3; pass++) {
        struct made_scene made;
        ossa_transform *constant = make_still_scene(&made, 2, 1);
        made.bones[1].parent = -1;
        if (pass > 0) constant[1].translation[0] = -8.0F;
        if (pass > 1) made.bones[1].rest.translation[2] = 10.0F;
        struct bytes file = bvh_or_fail("ends", &made.scene, &made.clips[0]);
        struct bvh bvh;
        bvh_open(&bvh, "ends", &file);
        for (size_t j = 1; j < 3; j++) {
            const double *end = bvh.joints[j].end;
            assert_true(end[0] == 0.0 && end[1] == steps[pass] && end[2] == 0.0);
        }
        bvh_close(&bvh);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

static void names_are_words(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"a b", "a_b"},
        {"a_b", "a_b_2"},
        {"a\tb\n", "a_b_"},
        {"{x}", "x"},
        {"x", "x_2"},
        {"}", "node"},
        {"x", "x_3"},
        {"x_4", "x_4"},
        {"x", "x_5"},
        {"ru\xc2\xa0ka", "ru_ka"},                     /* a space that does not break */
        {"\xd1\x80\xd1\x83", "\xd1\x80\xd1\x83"},      /* Cyrillic stays */
        {"\xe3\x80\x80\xe9\xa6\x96", "_\xe9\xa6\x96"}, /* the wide space of Japanese */
        {"\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\x1f\x7f", "_____"},
        {"a.b:c/d[e]", "abcde"},
        {"\"q\\", "q"},
        {"End", "End"},
        {"node", "node_2"},
    };
    enum { COUNT = sizeof pairs / sizeof pairs[0] };
    struct made_scene made;
    (void)make_still_scene(&made, COUNT, 1);
    for (size_t b = 0; b < COUNT; b++) made.bones[b].name = pairs[b][0];
    struct bytes file = bvh_or_fail("names", &made.scene, &made.clips[0]);
    struct bvh bvh;
    bvh_open(&bvh, "names", &file);
    for (size_t b = 0; b < COUNT; b++) assert_string_equal(bvh.joints[b].name, pairs[b][1]);
    bvh_close(&bvh);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- what is lost -------------------------------------------------------------------------- */

struct warnings {
    size_t count;
    char texts[8][256];
};

static void note_warning(void *user, const ossa_issue *issue)
{
    struct warnings *warnings = user;
    assert_true(warnings->count < 8);
    assert_int_equal(issue->severity, OSSA_SEVERITY_WARNING);
    assert_int_equal(issue->code, OSSA_CODE_LOST);
    assert_string_equal(issue->path, "");
    assert_string_equal(issue->format, "bvh");
    assert_string_equal(issue->field, "");
    assert_false(issue->has_offset);
    (void)snprintf(warnings->texts[warnings->count++], 256, "%s", issue->message);
}

static void require_warnings(const ossa_scene *scene, const ossa_clip *clip,
                             const char *const *texts)
{
    struct warnings warnings = {0};
    const ossa_export_options options = {.on_issue = note_warning, .user = &warnings};
    ossa_buffer buffer = {0};
    assert_true(ossa_write_bvh(scene, clip, &options, ossa_buffer_sink(&buffer), NULL));
    ossa_buffer_free(&buffer);
    size_t count = 0;
    for (; texts[count] != NULL; count++) {
        require(count < warnings.count, "warnings", "'%s' is not told", texts[count]);
        assert_string_equal(warnings.texts[count], texts[count]);
    }
    assert_int_equal(warnings.count, count);
}

/* Too long for a line of a list. */
static const char eleven_turned[] = "11 bones are turned at rest; BVH has no rest rotation: the "
                                    "motion is right, the pose without it is not";
static const char one_turned[] = "1 bone is turned at rest; BVH has no rest rotation: the motion "
                                 "is right, the pose without it is not";

static void what_is_lost_is_told(void **state)
{
    (void)state;
    static const char *const hop[] = {
        "the clip 'hop' hides 2 bones; BVH cannot: what is hidden stays where it was last",
        "the clip 'hop' has 8 scaled bones; BVH has no scale: places are right, sizes are lost",
        eleven_turned, "BVH has no meshes; glTF has them", NULL};
    ossa_scene *rabbit = assemble_character(&samples[3], NULL);
    require_warnings(rabbit, ossa_scene_find_clip(rabbit, "hop"), hop);
    ossa_scene_free(rabbit);
    static const char *const none[] = {NULL};
    ossa_scene *troll = assemble_character(&samples[0], NULL);
    require_warnings(troll, &troll->clips[0], none);
    ossa_scene_free(troll);

    struct made_scene made;
    ossa_transform *constant = make_still_scene(&made, 3, 2);
    ossa_clip *clip = &made.clips[0];
    require_warnings(&made.scene, clip, none);
    static const char *const one[] = {
        "the clip 'clip0' hides 1 bone; BVH cannot: what is hidden stays where it was last",
        "the clip 'clip0' has 1 scaled bone; BVH has no scale: places are right, sizes are lost",
        one_turned, NULL};
    uint8_t *visible = made_memory(&made, 3);
    memset(visible, 1, 3);
    visible[2] = 0;
    clip->constant_visible = visible;
    constant[1].scale[2] = 0.5F;
    made.bones[0].rest.rotation[0] = 1.0F;
    made.bones[0].rest.rotation[3] = 0.0F;
    require_warnings(&made.scene, clip, one);
    /* A bone's curve counts and not its constant. */
    static const uint32_t hiding[1] = {2};
    static const uint8_t shown[2] = {1, 1};
    static const float whole[6] = {1, 1, 1, 1, 1, 1};
    static const uint32_t scaling[1] = {1};
    clip->visibilities = (ossa_flag_tracks){1, hiding, shown};
    clip->scales = (ossa_tracks){1, scaling, whole};
    made.bones[0].rest = still_origin;
    require_warnings(&made.scene, clip, none);
    made.bones[2].rest.scale[0] = 2.0F; /* at rest alone: it is lost all the same */
    const char *const resting[] = {one[1], NULL};
    require_warnings(&made.scene, clip, resting);
    made.bones[2].rest = still_origin;
    /* Meshes and cameras in one breath. */
    static const float times[1] = {0.0F};
    static const float places[1][3] = {{0.0F, 0.0F, 0.0F}};
    static const float rotations[1][4] = {{0.0F, 0.0F, 0.0F, 1.0F}};
    static const float views[1] = {1.0F};
    static const ossa_camera camera = {.name = "c",
                                       .source = "c",
                                       .source_format = "made",
                                       .key_count = 1,
                                       .times = times,
                                       .positions = places,
                                       .rotations = rotations,
                                       .fields_of_view = views};
    static const uint32_t indices[3] = {0, 0, 0};
    static const ossa_mesh mesh = {.name = "m",
                                   .vertex_count = 1,
                                   .positions = places,
                                   .material = -1,
                                   .index_count = 3,
                                   .indices = indices};
    static const char *const cameras[] = {"BVH has no cameras; glTF has them", NULL};
    static const char *const both[] = {"BVH has no meshes and no cameras; glTF has them", NULL};
    made.scene.cameras = &camera;
    made.scene.camera_count = 1;
    require_warnings(&made.scene, clip, cameras);
    made.scene.meshes = &mesh;
    made.scene.mesh_count = 1;
    require_warnings(&made.scene, clip, both);
    free_made_scene(&made);
}

TEST_GROUP(test_bvh_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_file),         cmocka_unit_test(several_roots_get_one_above),
        cmocka_unit_test(ends_have_a_length),   cmocka_unit_test(names_are_words),
        cmocka_unit_test(what_is_lost_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
