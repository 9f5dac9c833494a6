/* SPDX-License-Identifier: MIT
 *
 * The glTF that we write, read again: to the last bit it is what the scene says, and what the
 * tests' own reader finds in the file. */
#include "support/glb.h"
#include "support/gltf_text.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A scene, its file, and what is read from it. */
struct trip {
    const char *label;
    const ossa_scene *scene;
    struct glb glb;
    struct bytes file;
    struct gltf_reading reading;
    const struct ossa__motion *motion;
};

static uint32_t find_node(const struct trip *trip, const char *name)
{
    for (uint32_t i = 0; i < trip->motion->node_count; i++) {
        if (strcmp(trip->motion->nodes[i].name, name) == 0) return i;
    }
    require(false, trip->label, "there is no node '%s'", name);
    return 0;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void require_nodes(const struct trip *trip)
{
    const struct glb *glb = &trip->glb;
    assert_int_equal(trip->motion->node_count, glb->node_count);
    for (uint32_t i = 0; i < glb->node_count; i++) {
        const struct glb_node *wanted = &glb->nodes[i];
        uint32_t index = find_node(trip, wanted->name); /* names are unique */
        const struct ossa__motion_node *found = &trip->motion->nodes[index];
        assert_true(found->parent < (int32_t)index);
        assert_int_equal(found->parent < 0, wanted->parent < 0);
        if (wanted->parent >= 0) {
            assert_string_equal(trip->motion->nodes[found->parent].name,
                                glb->nodes[wanted->parent].name);
        }
        for (unsigned k = 0; k < 3; k++) {
            assert_true((float)found->translation[k] == (float)wanted->translation[k]);
            assert_true((float)found->scale[k] == (float)wanted->scale[k]);
        }
        assert_int_equal(found->is_camera, wanted->camera >= 0);
        bool is_joint = i > 0 && i <= glb->joint_count;
        assert_int_equal(found->is_joint, is_joint);
    }
}

static void require_bones(const struct trip *trip)
{
    const ossa_scene *scene = trip->scene;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const ossa_transform *rest = &scene->bones[b].rest;
        const struct ossa__motion_node *node =
            &trip->motion->nodes[find_node(trip, trip->glb.nodes[b + 1].name)];
        struct ossa__quat q = ossa__quat_load(rest->rotation);
        assert_true(ossa__quat_normalise(&q));
        for (unsigned k = 0; k < 3; k++) {
            assert_true(node->translation[k] == (double)rest->translation[k]);
            assert_true(node->scale[k] == (double)rest->scale[k]);
        }
        assert_true(ossa__quat_dot(q, node->rotation) > 1.0 - 1e-12);
    }
}

/* Where a joint was is where its matrix takes it back from. */
static void require_binds(const struct trip *trip)
{
    const struct glb *glb = &trip->glb;
    if (glb->joint_count == 0) return;
    size_t accessor = glb_index(glb, glb_item(glb, "skins", 0), "inverseBindMatrices");
    for (size_t j = 0; j < glb->joint_count; j++) {
        const struct ossa__motion_node *node =
            &trip->motion->nodes[find_node(trip, glb->nodes[j + 1].name)];
        assert_true(node->has_bind);
        for (unsigned c = 0; c < 4; c++) {
            for (unsigned r = 0; r < 3; r++) {
                double product = 0.0;
                for (unsigned k = 0; k < 4; k++) {
                    product += node->bind[4 * k + r] * glb_number(glb, accessor, j, 4 * c + k);
                }
                assert_true(fabs(product - (c == r ? 1.0 : 0.0)) < 1e-6);
            }
        }
    }
}

/* ---- curves -------------------------------------------------------------------------------- */

static void require_channel(const struct trip *trip, const struct glb_channel *wanted,
                            const struct ossa__motion_curve *found)
{
    static const enum ossa__motion_target targets[] = {
        [GLB_TRANSLATION] = OSSA__MOTION_TRANSLATION,
        [GLB_ROTATION] = OSSA__MOTION_ROTATION,
        [GLB_SCALE] = OSSA__MOTION_SCALE,
        [GLB_WEIGHTS] = OSSA__MOTION_WEIGHTS,
    };
    const struct glb *glb = &trip->glb;
    assert_string_equal(trip->motion->nodes[found->node].name, glb->nodes[wanted->node].name);
    assert_int_equal(found->target, targets[wanted->path]);
    assert_int_equal(found->interpolation, wanted->steps ? OSSA__MOTION_STEP : OSSA__MOTION_LINEAR);
    assert_int_equal(found->key_count, wanted->count);
    size_t width = glb_width(glb, wanted->output);
    size_t rows = wanted->path == GLB_WEIGHTS ? found->width : 1;
    assert_int_equal(found->width, width * rows);
    for (size_t i = 0; i < wanted->count; i++) {
        assert_true((double)found->times[i] == glb_number(glb, wanted->input, i, 0));
    }
    for (size_t i = 0; i < wanted->count * rows; i++) {
        for (size_t k = 0; k < width; k++) {
            assert_true((double)found->values[i * width + k] ==
                        glb_number(glb, wanted->output, i, k));
        }
    }
}

static const struct ossa__motion_curve *find_curve(const struct trip *trip,
                                                   const struct ossa__motion_clip *clip,
                                                   uint32_t bone, enum ossa__motion_target target)
{
    uint32_t node = find_node(trip, trip->glb.nodes[bone + 1].name);
    for (uint32_t i = 0; i < clip->curve_count; i++) {
        if (clip->curves[i].node == node && clip->curves[i].target == target) {
            return &clip->curves[i];
        }
    }
    require(false, trip->label, "'%s' of '%s' has no such curve", trip->scene->bones[bone].name,
            clip->name);
    return NULL;
}

static bool is_opposite(const float *a, const float *b)
{
    return ossa__quat_dot(ossa__quat_load(a), ossa__quat_load(b)) < 0.0;
}

static void require_tracks(const struct trip *trip, const ossa_clip *clip,
                           const struct ossa__motion_clip *found, const ossa_tracks *tracks,
                           enum ossa__motion_target target)
{
    unsigned width = target == OSSA__MOTION_ROTATION ? 4 : 3;
    for (uint32_t t = 0; t < tracks->count; t++) {
        const struct ossa__motion_curve *curve = find_curve(trip, found, tracks->bones[t], target);
        assert_int_equal(curve->key_count, clip->frame_count < 2 ? 2 : clip->frame_count);
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            const float *keys = tracks->keys + ((size_t)f * tracks->count + t) * width;
            const float *values = curve->values + (size_t)f * width;
            assert_true(curve->times[f] == (float)(f / clip->fps));
            /* Rotations may be written as -q, so that they change little from key to key. */
            bool is_other = target == OSSA__MOTION_ROTATION && is_opposite(values, keys);
            for (unsigned k = 0; k < width; k++) {
                assert_true(values[k] == (is_other ? -keys[k] : keys[k]));
            }
        }
    }
}

static void require_clips(const struct trip *trip)
{
    const struct glb *glb = &trip->glb;
    assert_int_equal(trip->motion->clip_count, glb->animation_count);
    for (uint32_t i = 0; i < glb->animation_count; i++) {
        const struct ossa__motion_clip *found = &trip->motion->clips[i];
        const struct glb_animation *wanted = &glb->animations[i];
        assert_string_equal(found->name, wanted->name);
        assert_int_equal(found->curve_count, wanted->channel_count);
        for (size_t k = 0; k < wanted->channel_count; k++) {
            require_channel(trip, &wanted->channels[k], &found->curves[k]);
        }
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < trip->scene->clip_count; i++) {
        const ossa_clip *clip = &trip->scene->clips[i];
        if (clip->frame_count == 0 || trip->scene->bone_count == 0) continue;
        const struct ossa__motion_clip *found = &trip->motion->clips[next++];
        assert_string_equal(found->name, clip->name);
        assert_int_equal(found->frame_count, clip->frame_count);
        assert_true((float)found->fps == (float)clip->fps);
        require_tracks(trip, clip, found, &clip->rotations, OSSA__MOTION_ROTATION);
        require_tracks(trip, clip, found, &clip->translations, OSSA__MOTION_TRANSLATION);
        require_tracks(trip, clip, found, &clip->scales, OSSA__MOTION_SCALE);
    }
}

/* ---- meshes -------------------------------------------------------------------------------- */

static void require_vertices(const struct trip *trip, size_t accessor, size_t count,
                             const float (*found)[3])
{
    for (size_t v = 0; v < count; v++) {
        for (size_t k = 0; k < 3; k++) {
            assert_true((double)found[v][k] == glb_number(&trip->glb, accessor, v, k));
        }
    }
}

static uint32_t require_mesh(const struct trip *trip, const struct glb_node *node)
{
    const struct glb *glb = &trip->glb;
    size_t targets = node->mesh < 0 ? 0 : glb_target_count(glb, (size_t)node->mesh);
    int32_t index = trip->motion->nodes[find_node(trip, node->name)].mesh;
    assert_int_equal(index >= 0, targets > 0);
    if (targets == 0) return 0;
    const struct ossa__motion_mesh *mesh = &trip->motion->meshes[index];
    assert_int_equal(mesh->target_count, targets);
    size_t first = 0;
    for (size_t p = 0; p < glb_primitive_count(glb, (size_t)node->mesh); p++) {
        const json_t *primitive = glb_primitive(glb, (size_t)node->mesh, p);
        size_t positions = glb_index(glb, json_object_get(primitive, "attributes"), "POSITION");
        size_t count = glb_index(glb, glb_item(glb, "accessors", positions), "count");
        require_vertices(trip, positions, count, mesh->positions + first);
        for (size_t t = 0; t < targets; t++) {
            const json_t *target = json_array_get(json_object_get(primitive, "targets"), t);
            size_t offsets = glb_index(glb, target, "POSITION");
            require_vertices(trip, offsets, count, mesh->targets + t * mesh->vertex_count + first);
        }
        first += count;
    }
    assert_int_equal(mesh->vertex_count, first);
    for (size_t t = 0; t < targets; t++) assert_true(mesh->weights[t] == 0.0F);
    return 1;
}

static void require_meshes(const struct trip *trip)
{
    uint32_t count = 0;
    for (size_t i = 0; i < trip->glb.node_count; i++) {
        count += require_mesh(trip, &trip->glb.nodes[i]);
    }
    assert_int_equal(trip->motion->mesh_count, count);
}

/* ---- scenes -------------------------------------------------------------------------------- */

/* Gives how many curves of weights there are. */
static size_t require_trip(const char *label, const ossa_scene *scene,
                           const ossa_export_options *options)
{
    struct trip trip = {.label = label, .scene = scene};
    trip.file = glb_with(label, scene, NULL, options);
    glb_open(&trip.glb, label, &trip.file);
    trip.motion = gltf_read(&trip.reading, trip.file.data, trip.file.size);
    const ossa_error *error = &trip.reading.context.error;
    require(trip.motion != NULL, label, "%s: %s", error->field, error->message);
    assert_int_equal(trip.reading.log.count, 0);
    require_nodes(&trip);
    require_bones(&trip);
    require_binds(&trip);
    require_clips(&trip);
    require_meshes(&trip);
    size_t weights = 0;
    for (uint32_t i = 0; i < trip.motion->clip_count; i++) {
        for (uint32_t k = 0; k < trip.motion->clips[i].curve_count; k++) {
            weights += trip.motion->clips[i].curves[k].target == OSSA__MOTION_WEIGHTS ? 1 : 0;
        }
    }
    glb_close(&trip.glb);
    gltf_free(&trip.reading);
    bytes_free(&trip.file);
    return weights;
}

static void every_sample(void **state)
{
    (void)state;
    const ossa_export_options skinned = {.skin = true};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        (void)require_trip(samples[i].name, scene, NULL);
        (void)require_trip(samples[i].name, scene, &skinned);
        ossa_scene_free(scene);
    }
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        ossa_scene *scene = assemble_character(&pose_vectors[i], NULL);
        (void)require_trip(pose_vectors[i].name, scene, NULL);
        ossa_scene_free(scene);
    }
}

/* All kinds of curves, cameras, meshes and morph targets. */
static void made_scenes(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 9, .clips = 2, .frames = {5, 1}, .cameras = 2},
        {.seed = 2, .bones = 14, .clips = 3, .frames = {3, 0, 4}, .has_mesh = true, .targets = 3},
        {.seed = 3,
         .bones = 14,
         .clips = 1,
         .frames = {7},
         .has_mesh = true,
         .has_joints = true,
         .has_materials = true,
         .targets = 2,
         .fps = 12.5},
        {.seed = 4, .bones = 40, .clips = 1, .frames = {2}, .is_flat = true},
        {.seed = 8,
         .bones = 9,
         .clips = 1,
         .frames = {3},
         .has_mesh = true,
         .has_joints = true,
         .has_weights = true,
         .has_materials = true,
         .targets = 2},
        {.seed = 5, .cameras = 1},
        /* So many weights that they are sparse. */
        {.seed = 6, .bones = 5, .clips = 1, .frames = {140}, .has_mesh = true, .targets = 2000},
    };
    const ossa_export_options skinned = {.skin = true};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        size_t weights = require_trip("made", &made.scene, NULL);
        assert_int_equal(weights > 0, plans[i].targets > 0);
        if (plans[i].bones > 0) (void)require_trip("made, in a skin", &made.scene, &skinned);
        free_made_scene(&made);
    }
}

/* The .gltf and its .bin are read to the same. */
static void text_and_buffer(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 6, .bones = 5, .clips = 1, .frames = {4}};
    make_scene(&made, &plan);
    ossa_buffer text = {0};
    ossa_buffer bin = {0};
    const ossa_export_options options = {.bin_uri = "made.bin"};
    assert_true(ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&text),
                                ossa_buffer_sink(&bin), NULL));
    struct bytes beside = bytes_copy(bin.data, bin.size);
    struct bytes glb = glb_or_fail("text", &made.scene, NULL);
    struct gltf_reading pair = {.beside_name = "made.bin", .beside = &beside};
    struct gltf_reading single = {0};
    const struct ossa__motion *a = gltf_read(&pair, text.data, text.size);
    const struct ossa__motion *b = gltf_read(&single, glb.data, glb.size);
    if (a == NULL || b == NULL) abort();
    assert_int_equal(pair.fetches, 1);
    assert_int_equal(a->clips[0].curve_count, b->clips[0].curve_count);
    for (uint32_t i = 0; i < a->clips[0].curve_count; i++) {
        const struct ossa__motion_curve *x = &a->clips[0].curves[i];
        const struct ossa__motion_curve *y = &b->clips[0].curves[i];
        assert_true(x->node == y->node && x->key_count == y->key_count);
        gltf_require_floats(x->values, y->values, (size_t)x->key_count * x->width);
    }
    gltf_free(&single);
    gltf_free(&pair);
    bytes_free(&glb);
    bytes_free(&beside);
    ossa_buffer_free(&bin);
    ossa_buffer_free(&text);
    free_made_scene(&made);
}

TEST_GROUP(test_import_gltf_written)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample),
        cmocka_unit_test(made_scenes),
        cmocka_unit_test(text_and_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
