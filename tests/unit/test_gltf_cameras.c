/* SPDX-License-Identifier: MIT
 *
 * Cameras in glTF: another program finds each where the scene has it, at its keys and between them.
 */
#include "support/glb.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int find_camera_node(const struct glb *glb, int camera)
{
    for (size_t i = 0; i < glb->node_count; i++) {
        if (glb->nodes[i].camera == camera) return (int)i;
    }
    return -1;
}

/* The node at a key: `animation` is -1 for a camera that stands still. */
static void require_key(const struct glb *glb, const ossa_camera *camera, int node, int animation,
                        uint32_t key)
{
    struct glb_node *nodes = calloc(glb->node_count, sizeof *nodes);
    if (nodes == NULL) abort();
    glb_sample(glb, animation, (double)camera->times[key], nodes);
    for (unsigned k = 0; k < 3; k++) {
        assert_true((float)nodes[node].translation[k] == camera->positions[key][k]);
        assert_true(nodes[node].scale[k] == 1.0);
    }
    double degrees = rotation_distance(nodes[node].rotation, rotation_of(camera->rotations[key]));
    require(degrees < 1e-4, glb->label, "'%s' is turned by %g degrees at key %u", camera->name,
            degrees, key);
    free(nodes);
}

static void require_camera(const struct glb *glb, const ossa_scene *scene, uint32_t index,
                           const char *animation_name)
{
    const ossa_camera *camera = &scene->cameras[index];
    const json_t *item = glb_item(glb, "cameras", index);
    const json_t *lens = json_object_get(item, "perspective");
    const json_t *extras = json_object_get(item, "extras");
    int node = find_camera_node(glb, (int)index);
    int animation = glb_find_animation(glb, animation_name);
    assert_true(node >= 0);
    assert_int_equal(glb->nodes[node].parent, -1);
    assert_true((float)json_number_value(json_object_get(lens, "yfov")) ==
                camera->fields_of_view[0]);
    assert_int_equal(json_object_get(lens, "aspectRatio") != NULL, camera->aspect > 0.0F);
    assert_int_equal(animation >= 0, camera->key_count > 1);
    for (uint32_t k = 0; k < camera->key_count; k++) require_key(glb, camera, node, animation, k);
    assert_string_equal(json_string_value(json_object_get(extras, "source")), camera->source);
    assert_string_equal(json_string_value(json_object_get(extras, "text")), camera->extras[2].text);
    assert_true(json_number_value(json_object_get(extras, "one")) == camera->extras[1].numbers[0]);
    bool changes = camera->key_count > 1 && camera->fields_of_view[1] != camera->fields_of_view[0];
    const json_t *views = json_object_get(extras, "yfov");
    assert_int_equal(json_array_size(views), changes ? camera->key_count : 0);
    for (size_t k = 0; k < json_array_size(views); k++) {
        assert_true((float)json_number_value(json_array_get(views, k)) ==
                    camera->fields_of_view[k]);
    }
}

static void every_camera_is_where_it_is(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 61, .bones = 5, .clips = 2, .frames = {3, 7}, .cameras = 5},
        {.seed = 62, .bones = 5, .clips = 2, .frames = {3, 7}, .cameras = 1, .has_mesh = true},
        {.seed = 63, .bones = 3, .clips = 0, .cameras = 2},
        {.seed = 64, .bones = 0, .clips = 0, .cameras = 3},
        {.seed = 65, .bones = 0, .clips = 0, .cameras = 1},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        struct bytes file = glb_or_fail("cameras", &made.scene, NULL);
        struct glb glb;
        glb_open(&glb, "cameras", &file);
        require_gltf_rules(&glb);
        assert_int_equal(glb_count(&glb, "cameras"), plans[i].cameras);
        for (uint32_t c = 0; c < plans[i].cameras; c++) {
            require_camera(&glb, &made.scene, c, made.cameras[c].name);
        }
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* A camera and a clip of one name are two animations. */
static void names_do_not_clash(void **state)
{
    (void)state;
    const struct made_plan plan = {
        .seed = 66, .bones = 2, .clips = 3, .frames = {2, 2, 2}, .cameras = 3};
    struct made_scene made;
    make_scene(&made, &plan);
    made.clips[0].name = "walk";
    made.clips[1].name = "walk_camera";
    made.cameras[0].name = "walk";
    made.cameras[2].name = "b1"; /* a bone's */
    struct bytes file = glb_or_fail("names", &made.scene, NULL);
    struct glb glb;
    glb_open(&glb, "names", &file);
    require_gltf_rules(&glb);
    require_camera(&glb, &made.scene, 0, "walk_camera2");
    require_camera(&glb, &made.scene, 2, "b1");
    assert_string_equal(glb.nodes[find_camera_node(&glb, 2)].name, "b1_2");
    assert_string_equal(glb.nodes[find_camera_node(&glb, 2)].original, "b1");
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void count_warning(void *user, const ossa_issue *issue)
{
    assert_int_equal(issue->code, OSSA_CODE_LOST);
    (void)snprintf(user, 256, "%s", issue->message);
}

static bool swallow(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

static void a_zoom_is_told(void **state)
{
    (void)state;
    const struct made_plan plan = {.seed = 67, .bones = 1, .cameras = 1};
    struct made_scene made;
    make_scene(&made, &plan);
    char message[256] = "";
    ossa_error error;
    const ossa_export_options options = {.on_issue = count_warning, .user = message};
    const ossa_sink sink = {swallow, NULL};
    assert_true(ossa_write_gltf(&made.scene, &options, sink, sink, &error));
    assert_string_equal(message,
                        "the field of view of the camera 'camera 0' changes, which glTF cannot "
                        "say: the first is kept, all are in its extras");
    message[0] = '\0';
    made.cameras[0].key_count = 1;
    assert_true(ossa_write_gltf(&made.scene, &options, sink, sink, &error));
    assert_string_equal(message, "");
    free_made_scene(&made);
}

TEST_GROUP(test_gltf_cameras)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_camera_is_where_it_is),
        cmocka_unit_test(names_do_not_clash),
        cmocka_unit_test(a_zoom_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
