/* SPDX-License-Identifier: MIT
 *
 * A whole figure, from the files of the game to what a viewer shows: every vertex of the sample's
 * GLB is where the game's own rule puts it, morphs included, with a mesh on each bone and with one
 * mesh bound to a skin. The rule is read off the files without the library's assembly. */
#include "support/drawn.h"
#include "support/ei_rule.h"

#include <math.h>

#define FOLDER OSSA_SAMPLE_DIR "/wyvern"

enum { MOST_PARTS = 16 };

struct shown {
    struct scene_files files;
    ossa_scene *scene;
    struct bytes bytes;
    struct glb glb;
    float complexion[3];
};

static void open_wyvern(struct shown *shown, uint32_t resample, bool skin)
{
    *shown = (struct shown){0};
    const ossa_ei_options ei = {.resample = resample};
    const ossa_scene_options options = {.ei = &ei};
    ossa_export_options gltf_options = {.skin = skin};
    add_folder(&shown->files, FOLDER);
    shown->scene = assemble_files(&shown->files, &options);
    assert_int_equal(shown->scene->issue_count, 0);
    assert_int_equal(shown->scene->bone_count, 9);
    assert_int_equal(shown->scene->mesh_count, 9);
    assert_int_equal(shown->scene->clip_count, 2);
    shown->bytes = glb_with("wyvern", shown->scene, NULL, &gltf_options);
    glb_open(&shown->glb, "wyvern", &shown->bytes);
    require_gltf_rules(&shown->glb);
}

static void close_wyvern(struct shown *shown)
{
    glb_close(&shown->glb);
    bytes_free(&shown->bytes);
    ossa_scene_free(shown->scene);
    free_files(&shown->files);
}

/* How far a mesh's vertices are from the game's, at most. Corners and vertices have the same
 * numbers here: the sample's triangles use every corner. */
static double mesh_distance(const struct shown *shown, const char *clip, double frame, uint32_t m,
                            const struct drawn_mesh *drawn, const struct glb_moment *moment,
                            const struct ei_place *places)
{
    const ossa_mesh *mesh = &shown->scene->meshes[m];
    const char *part = shown->scene->bones[mesh->bone].name;
    struct glb_shape shape;
    double worst = 0.0;
    glb_draw(&shown->glb, drawn->node, drawn->primitive, moment, &shape);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double expected[3];
        ei_rule_corner(&shown->files, clip, part, frame, shown->complexion, v, &places[mesh->bone],
                       expected);
        worst = fmax(worst, point_distance(shape.positions[drawn->first_vertex + v], expected));
    }
    glb_free_shape(&shape);
    return worst;
}

/* The same for all of them, at a time of a clip that is a frame of the game. */
static double distance_at(const struct shown *shown, const char *clip, double frame)
{
    struct drawn_mesh drawn[MOST_PARTS];
    struct ei_place places[MOST_PARTS];
    struct glb_moment moment;
    int animation = glb_find_animation(&shown->glb, clip);
    assert_true(animation >= 0);
    find_drawn(&shown->glb, shown->scene, drawn);
    glb_find_moment(&shown->glb, animation, frame / OSSA_EI_FPS, &moment);
    ei_rule_pose(&shown->files, shown->scene, clip, frame, places);
    double worst = 0.0;
    for (uint32_t m = 0; m < shown->scene->mesh_count; m++) {
        worst = fmax(worst, mesh_distance(shown, clip, frame, m, &drawn[m], &moment, places));
    }
    glb_free_moment(&moment);
    return worst;
}

/* From wing tip to wing tip. */
#define SIZE 4.1

static void require_near(const struct shown *shown, const char *clip, double frame, double most)
{
    double worst = distance_at(shown, clip, frame);
    require(worst <= most * SIZE, clip, "frame %g: %g away from the game's, of a size of %g", frame,
            worst, SIZE);
}

static void require_game(uint32_t resample, bool skin)
{
    struct shown shown;
    open_wyvern(&shown, resample, skin);
    for (uint32_t key = 0; key <= 23 * resample; key++) {
        require_near(&shown, "fly", (double)key / resample, 1e-4);
    }
    for (uint32_t key = 0; key <= 29 * resample; key += 3) {
        require_near(&shown, "rest", (double)key / resample, 1e-4);
    }
    close_wyvern(&shown);
}

static void every_frame_is_the_game_s(void **state)
{
    (void)state;
    require_game(1, false);
    require_game(1, true);
}

/* Between frames the game turns a part in the space of the model, a glTF in that of its parent. The
 * keys that --resample adds are the game's again. */
static void added_keys_are_the_game_s(void **state)
{
    (void)state;
    require_game(2, false);
    require_game(2, true);
    require_game(3, false);
}

static void between_frames_it_is_near(void **state)
{
    (void)state;
    struct shown shown;
    open_wyvern(&shown, 1, false);
    for (uint32_t f = 0; f < 23; f++) require_near(&shown, "fly", f + 0.4, 1e-3);
    for (uint32_t f = 0; f < 29; f += 4) require_near(&shown, "rest", f + 0.5, 1e-3);
    close_wyvern(&shown);
}

/* Each shape is one target, and what is flat needs none: 5 of 24 frames. */
static void shapes_are_shared(void **state)
{
    (void)state;
    struct shown shown;
    open_wyvern(&shown, 1, false);
    for (uint32_t m = 0; m < shown.scene->mesh_count; m++) {
        const ossa_mesh *mesh = &shown.scene->meshes[m];
        bool is_wing = shown.scene->bones[mesh->bone].name[1] == 'w';
        assert_int_equal(mesh->target_count, is_wing ? 5 : 0);
    }
    close_wyvern(&shown);
}

/* A membrane that did not move would be found: without its morphs the figure is far from it. */
static void the_rule_sees_morphs(void **state)
{
    (void)state;
    struct shown shown;
    open_wyvern(&shown, 1, false);
    double flat[3];
    double filled[3];
    double most = 0.0;
    for (uint32_t corner = 0; corner < 64; corner++) {
        ei_rule_corner(&shown.files, "fly", "lw1", 0.0, shown.complexion, corner, NULL, flat);
        ei_rule_corner(&shown.files, "fly", "lw1", 4.0, shown.complexion, corner, NULL, filled);
        most = fmax(most, point_distance(flat, filled));
    }
    assert_true(most > 0.2);
    close_wyvern(&shown);
}

TEST_GROUP(test_wyvern)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_the_game_s), cmocka_unit_test(added_keys_are_the_game_s),
        cmocka_unit_test(between_frames_it_is_near), cmocka_unit_test(shapes_are_shared),
        cmocka_unit_test(the_rule_sees_morphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
