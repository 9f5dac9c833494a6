/* SPDX-License-Identifier: MIT
 *
 * Morph targets in glTF: a viewer shows every mesh in the shape that the clip says, at frames and
 * on the straight way between them, and nobody gets a huge file without being told. */
#include "support/counting.h"
#include "support/drawn.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <stdio.h>
#include <string.h>

static const struct made_plan plans[] = {
    {.seed = 1, .bones = 9, .clips = 3, .frames = {7, 1, 4}, .has_mesh = true, .targets = 3},
    {.seed = 2, .bones = 5, .clips = 1, .frames = {2}, .has_mesh = true, .targets = 1},
    {.seed = 3,
     .bones = 14,
     .clips = 4,
     .frames = {3, 9, 0, 2},
     .has_mesh = true,
     .has_materials = true,
     .targets = 5,
     .is_flat = true},
    {.seed = 4, .bones = 5, .clips = 0, .has_mesh = true, .targets = 2},
};

static void open_made(const struct made_scene *made, const uint8_t *clips,
                      const ossa_export_options *options, struct bytes *file, struct glb *glb)
{
    *file = glb_with("morphs", &made->scene, clips, options);
    glb_open(glb, "morphs", file);
    require_gltf_rules(glb);
}

static void require_clips(const struct glb *glb, const ossa_scene *scene)
{
    static const double points[] = {0.0, 0.25, 0.5, 0.875};
    require_drawn(glb, scene, NULL, 0.0);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            for (size_t p = 0; p < sizeof points / sizeof points[0]; p++) {
                double seconds = (f + points[p]) / clip->fps;
                /* Something is hidden from the float32 on that is nearest to the frame's time. */
                require_drawn(glb, scene, clip, p == 0 ? (double)(float)seconds : seconds);
            }
        }
    }
}

static void every_shape_is_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        for (unsigned skin = 0; skin < 2; skin++) {
            const ossa_export_options options = {.skin = skin == 1};
            struct made_scene made;
            struct bytes file;
            struct glb glb;
            make_scene(&made, &plans[i]);
            open_made(&made, NULL, &options, &file, &glb);
            require_clips(&glb, &made.scene);
            glb_close(&glb);
            bytes_free(&file);
            free_made_scene(&made);
        }
    }
}

/* Of many weights only those that are not 0 are written, and every shape is shown all the same. */
static void many_weights_are_sparse(void **state)
{
    (void)state;
    const struct made_plan plan = {.seed = 5,
                                   .bones = 9,
                                   .clips = 3,
                                   .frames = {301, 1, 40},
                                   .is_rigid = true,
                                   .has_mesh = true,
                                   .targets = 500};
    for (unsigned skin = 0; skin < 2; skin++) {
        const ossa_export_options options = {.skin = skin == 1};
        struct made_scene made;
        struct bytes file;
        struct glb glb;
        make_scene(&made, &plan);
        /* Bones keep still: their keys are far apart, and late times are not exact. */
        for (uint32_t c = 0; c < plan.clips; c++) {
            made.clips[c].rotations.count = made.clips[c].translations.count = 0;
        }
        open_made(&made, NULL, &options, &file, &glb);
        size_t sparse = 0;
        for (size_t i = 0; i < glb_count(&glb, "accessors"); i++) {
            sparse += json_object_get(glb_item(&glb, "accessors", i), "sparse") != NULL;
        }
        size_t channels = 0;
        for (size_t c = 0; c < glb.animations[0].channel_count; c++) {
            channels += glb.animations[0].channels[c].path == GLB_WEIGHTS;
        }
        assert_true(channels > 0);
        assert_int_equal(sparse, 3 * channels);
        for (uint32_t c = 0; c < made.scene.clip_count; c++) {
            const ossa_clip *clip = &made.clips[c];
            for (uint32_t f = 0; f < clip->frame_count; f += 17) {
                require_drawn(&glb, &made.scene, clip, (double)(float)(f / clip->fps));
                require_drawn(&glb, &made.scene, clip, (f + 0.25) / clip->fps);
            }
        }
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* The numbers of a target are the scene's own where the mesh is on its bone. */
static void targets_are_the_scenes(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_scene(&made, &plans[0]);
    open_made(&made, NULL, NULL, &file, &glb);
    size_t seen = 0;
    for (uint32_t m = 0; m < made.scene.mesh_count; m++) {
        const ossa_mesh *mesh = &made.meshes[m];
        size_t place = (size_t)glb.nodes[mesh->bone + 1].mesh;
        if (mesh->target_count == 0) continue;
        const json_t *targets = json_object_get(glb_primitive(&glb, place, 0), "targets");
        assert_int_equal(json_array_size(targets), mesh->target_count);
        for (uint32_t t = 0; t < mesh->target_count; t++) {
            size_t accessor = glb_index(&glb, json_array_get(targets, t), "POSITION");
            for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                for (size_t k = 0; k < 3; k++) {
                    float wanted = mesh->targets[(size_t)t * mesh->vertex_count + v][k];
                    assert_true(glb_number(&glb, accessor, v, k) == (double)wanted);
                    seen++;
                }
            }
        }
    }
    assert_true(seen > 50);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- names --------------------------------------------------------------------------------- */

/* A scene of two morphing triangles and a clip or two, with shapes of our choice. */
static void make_shapes(struct made_scene *made)
{
    static const int32_t walk[4][2] = {{-1, 1}, {0, 1}, {2, 1}, {0, -1}};
    static const int32_t run[2][1] = {{3}, {2}};
    const struct made_plan plan = {.seed = 9,
                                   .bones = 5,
                                   .clips = 3,
                                   .frames = {4, 2, 3},
                                   .has_mesh = true,
                                   .targets = 4,
                                   .is_rigid = true};
    make_scene(made, &plan);
    uint32_t *both = made_memory(made, 2 * sizeof *both);
    for (uint32_t i = 0, n = 0; i < made->scene.mesh_count; i++) {
        bool is_one =
            made->meshes[i].target_count > 0 && made->meshes[i].kind != OSSA_MESH_KIND_LINES;
        if (is_one) both[n++] = i;
    }
    made->clips[0].name = "walk \"\xd0\xb1\"";
    made->clips[1].name = "run";
    made->clips[0].morphs = (ossa_morph_tracks){2, both, walk[0]};
    made->clips[1].morphs = (ossa_morph_tracks){1, both, run[0]};
    made->clips[2].morphs = (ossa_morph_tracks){0};
}

static void require_names(const struct glb *glb, size_t mesh, const char *const *wanted)
{
    const json_t *names =
        json_object_get(json_object_get(glb_item(glb, "meshes", mesh), "extras"), "targetNames");
    for (size_t i = 0; i < json_array_size(names); i++) {
        require(wanted[i] != NULL, glb->label, "there are %zu names", json_array_size(names));
        assert_string_equal(json_string_value(json_array_get(names, i)), wanted[i]);
    }
    assert_null(wanted[json_array_size(names)]);
}

static void targets_are_named_by_what_they_show(void **state)
{
    (void)state;
    static const char *const first[] = {"walk \"\xd0\xb1\" 1", "target 1", "walk \"\xd0\xb1\" 2",
                                        "run 0", NULL};
    static const char *const together[] = {"b0 walk \"\xd0\xb1\" 1",
                                           "b0 target 1",
                                           "b0 walk \"\xd0\xb1\" 2",
                                           "b0 run 0",
                                           "b4 target 0",
                                           "b4 walk \"\xd0\xb1\" 0",
                                           "b4 target 2",
                                           "b4 target 3",
                                           "b4 target 4",
                                           "b4 target 5",
                                           NULL};
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_shapes(&made);
    open_made(&made, NULL, NULL, &file, &glb);
    require_names(&glb, (size_t)glb.nodes[1].mesh, first);
    glb_close(&glb);
    bytes_free(&file);
    /* Whichever clips are written. */
    static const uint8_t second[3] = {0, 1, 0};
    open_made(&made, second, NULL, &file, &glb);
    require_names(&glb, (size_t)glb.nodes[1].mesh, first);
    glb_close(&glb);
    bytes_free(&file);
    open_made(&made, NULL, &(ossa_export_options){.skin = true}, &file, &glb);
    int skin = glb_find_node(&glb, "made_skin");
    assert_true(skin >= 0);
    require_names(&glb, (size_t)glb.nodes[skin].mesh, together);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- channels ------------------------------------------------------------------------------ */

/* The keys of the weights of a node in an animation; 0: it has none. */
static size_t weight_keys(const struct glb *glb, size_t animation, size_t node)
{
    for (size_t c = 0; c < glb->animations[animation].channel_count; c++) {
        const struct glb_channel *channel = &glb->animations[animation].channels[c];
        if (channel->node == node && channel->path == GLB_WEIGHTS) return channel->count;
    }
    return 0;
}

static void what_does_not_change_costs_two_keys(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_shapes(&made);
    /* All clips have the channels of both meshes: the second keeps its shape in the third clip. */
    open_made(&made, NULL, NULL, &file, &glb);
    assert_int_equal(weight_keys(&glb, 0, 1), 4);
    assert_int_equal(weight_keys(&glb, 0, 5), 4);
    assert_int_equal(weight_keys(&glb, 1, 1), 2);
    assert_int_equal(weight_keys(&glb, 1, 5), 2);
    assert_int_equal(weight_keys(&glb, 2, 1), 2);
    assert_int_equal(weight_keys(&glb, 2, 5), 2);
    glb_close(&glb);
    bytes_free(&file);
    static const int32_t still[4] = {1, 1, 1, 1};
    made.clips[0].morphs.keys = still; /* two tracks, of which the first two frames are read */
    made.clips[0].frame_count = 2;
    open_made(&made, NULL, NULL, &file, &glb);
    require_drawn(&glb, &made.scene, &made.clips[0], 0.01);
    glb_close(&glb);
    bytes_free(&file);
    /* A mesh that no written clip morphs has its targets and no channel. */
    static const uint8_t third[3] = {0, 0, 1};
    open_made(&made, third, NULL, &file, &glb);
    assert_int_equal(weight_keys(&glb, 0, 1), 0);
    assert_int_equal(glb_target_count(&glb, (size_t)glb.nodes[1].mesh), 4);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* Nothing moves but a shape: the times of all frames are there, and for a shape that stays they are
 * not. */
static void a_clip_may_be_nothing_but_shapes(void **state)
{
    (void)state;
    static const int32_t keys[2][3] = {{-1, 0, 1}, {1, 1, 1}};
    for (unsigned i = 0; i < 4; i++) {
        struct made_scene made;
        struct bytes file;
        struct glb glb;
        const struct made_plan plan = {
            .seed = 4, .bones = 1, .clips = 1, .frames = {3}, .has_mesh = true, .targets = 2};
        const ossa_export_options options = {.skin = i % 2 == 1};
        make_scene(&made, &plan);
        static const uint32_t first = 0;
        made.clips[0].morphs = (ossa_morph_tracks){1, &first, keys[i / 2]};
        made.clips[0].constant = &made.bones[0].rest;
        open_made(&made, NULL, &options, &file, &glb);
        assert_int_equal(glb.animations[0].channel_count, 1);
        assert_int_equal(glb.animations[0].channels[0].count, i / 2 == 0 ? 3 : 2);
        require_clips(&glb, &made.scene);
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* ---- size ---------------------------------------------------------------------------------- */

static bool count_output(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

/* One vertex, and so many shapes of it. */
static void make_point(struct made_scene *made, uint32_t frames, uint32_t targets)
{
    const struct made_plan plan = {
        .seed = 4, .bones = 1, .clips = 1, .frames = {2}, .has_mesh = true};
    make_scene(made, &plan);
    float(*places)[3] = made_memory(made, targets * sizeof *places);
    int32_t *keys = made_memory(made, frames * sizeof *keys);
    for (uint32_t f = 0; f < frames; f++) keys[f] = (int32_t)(f % (targets + 1)) - 1;
    made->meshes[0].vertex_count = 1;
    made->meshes[0].indices = made_memory(made, 3 * sizeof(uint32_t));
    made->meshes[0].targets = (const float(*)[3])places;
    made->meshes[0].target_count = targets;
    static const uint32_t first = 0;
    made->clips[0].frame_count = frames;
    made->clips[0].morphs = (ossa_morph_tracks){1, &first, keys};
}

/* Write a file for nothing but its size; also the most memory that it took. */
static size_t write_size(const struct made_scene *made, bool skin, struct told *told, size_t *peak)
{
    struct counting counting = {0};
    const ossa_export_options options = {.skin = skin,
                                         .on_issue = record_issue,
                                         .user = told,
                                         .allocator = counting_allocator(&counting)};
    size_t size = 0;
    ossa_error error;
    assert_true(ossa_write_gltf(&made->scene, &options, (ossa_sink){count_output, &size},
                                (ossa_sink){0}, &error));
    assert_int_equal(counting.live, 0);
    *peak = counting.peak;
    return size;
}

static void a_large_file_is_told(void **state)
{
    (void)state;
    static const char large[] = "the morph targets take 64 MiB in a program that opens the file; "
                                "fewer clips with morph targets make it smaller";
    for (unsigned skin = 0; skin < 2; skin++) {
        struct made_scene made;
        struct told told = {0};
        size_t peak;
        make_point(&made, 262, 1000); /* up to 1 MiB all of them are written */
        size_t dense = write_size(&made, skin == 1, &told, &peak);
        assert_true(dense > 4 * 262 * 1000 && peak < dense);
        free_made_scene(&made);
        make_point(&made, 263, 1000);
        size_t sparse = write_size(&made, skin == 1, &told, &peak);
        assert_in_range(sparse, 8 * 262, dense - 4 * 262 * 1000 + 8 * 263 + 200);
        assert_int_equal(told.count, 0);
        free_made_scene(&made);
        make_point(&made, 17000, 1000);
        size_t large_size = write_size(&made, skin == 1, &told, &peak);
        assert_int_equal(told.count, 1);
        assert_string_equal(told.last, large);
        /* A time and what is listed of each frame that is added; memory for none of it. */
        assert_in_range(large_size, sparse, sparse + (17000 - 263) * 12 + 100);
        assert_true(peak < 700000);
        free_made_scene(&made);
    }
}

/* A file that no program opens is not begun, and little memory is taken for it. */
static void require_too_large(const ossa_scene *scene, bool skin, size_t most, const char *message)
{
    struct counting counting = {0};
    const ossa_export_options options = {.skin = skin, .allocator = counting_allocator(&counting)};
    size_t size = 0;
    ossa_error error;
    assert_false(
        ossa_write_gltf(scene, &options, (ossa_sink){count_output, &size}, (ossa_sink){0}, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_string_equal(error.message, message);
    assert_int_equal(size, 0);
    assert_true(counting.peak < most);
}

#define TOO_LARGE(size)                                                                            \
    "the morph targets would take " size                                                           \
    " MiB in a program that opens the file, at most 1024 are "                                     \
    "allowed; fewer clips with morph targets make it smaller"

static void a_huge_file_is_refused(void **state)
{
    (void)state;
    for (unsigned skin = 0; skin < 2; skin++) {
        struct made_scene made;
        make_point(&made, 20000, 20000);
        require_too_large(&made.scene, skin == 1, 1000000, TOO_LARGE("1526"));
        free_made_scene(&made);
    }
}

/* Each clip has weights for all targets, whether it shows them or not: two keys. */
static void clips_without_shapes_count_too(void **state)
{
    (void)state;
    enum { CLIPS = 9000 };
    for (unsigned skin = 0; skin < 2; skin++) {
        struct made_scene made;
        make_point(&made, 2, 20000);
        ossa_clip *clips = made_memory(&made, CLIPS * sizeof *clips);
        clips[0] = made.clips[0];
        for (uint32_t i = 1; i < CLIPS; i++) {
            char name[32];
            (void)snprintf(name, sizeof name, "clip%u", (unsigned)i);
            clips[i] = clips[0];
            clips[i].name = made_text(&made, name);
            clips[i].morphs = (ossa_morph_tracks){0};
        }
        made.scene.clips = clips;
        made.scene.clip_count = CLIPS;
        require_too_large(&made.scene, skin == 1, 10000000, TOO_LARGE("1374"));
        free_made_scene(&made);
    }
}

/* Each primitive of a skin lists the targets of all others. */
static void primitives_without_shapes_count_too(void **state)
{
    (void)state;
    enum { PARTS = 3000 };
    struct made_scene made;
    make_point(&made, 2, 20000);
    ossa_bone *bones = made_memory(&made, 2 * sizeof *bones);
    ossa_mesh *meshes = made_memory(&made, (PARTS + 1) * sizeof *meshes);
    ossa_material *materials = made_memory(&made, PARTS * sizeof *materials);
    bones[0] = bones[1] = made.bones[0];
    meshes[0] = made.meshes[0];
    for (uint32_t i = 0; i < PARTS; i++) {
        materials[i] = (ossa_material){.name = "m", .texture = -1};
        meshes[i + 1] = meshes[0];
        meshes[i + 1].bone = 1;
        meshes[i + 1].target_count = 0;
        meshes[i + 1].material = (int32_t)i;
    }
    made.scene.clip_count = 0;
    made.scene.bones = bones;
    made.scene.bone_count = 2;
    made.scene.meshes = meshes;
    made.scene.mesh_count = PARTS + 1;
    made.scene.materials = materials;
    made.scene.material_count = PARTS;
    require_too_large(&made.scene, true, 10000000, TOO_LARGE("1145"));
    free_made_scene(&made);
}

/* Each target repeats the name of the clip that shows it first, and in a skin that of its mesh. */
static void names_count_too(void **state)
{
    (void)state;
    enum { TARGETS = 2000, LENGTH = 600000 };
    static const struct {
        char letter;
        size_t length;
        bool skin;
        bool is_mesh;
        const char *message;
    } cases[] = {
        {'n', LENGTH, false, false, TOO_LARGE("1159")},
        {'n', LENGTH, true, false, TOO_LARGE("1159")},
        {'n', LENGTH, true, true, TOO_LARGE("1159")},
        {'\t', LENGTH / 2, false, false, TOO_LARGE("1159")}, /* two bytes each */
        {'\1', LENGTH / 6, false, false, TOO_LARGE("1159")}, /* six bytes each */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made_scene made;
        make_point(&made, TARGETS + 1, TARGETS);
        char *name = made_memory(&made, cases[i].length + 1);
        memset(name, cases[i].letter, cases[i].length);
        name[cases[i].length] = '\0';
        if (cases[i].is_mesh) made.meshes[0].name = name;
        else made.clips[0].name = name;
        require_too_large(&made.scene, cases[i].skin, 2000000, cases[i].message);
        free_made_scene(&made);
    }
    struct made_scene made;
    struct told told = {0};
    size_t peak;
    make_point(&made, TARGETS + 1, TARGETS);
    char *name = made_memory(&made, LENGTH + 1);
    memset(name, 'n', LENGTH);
    made.meshes[0].name = name; /* which is not in the names of targets without a skin */
    (void)write_size(&made, false, &told, &peak);
    assert_int_equal(told.count, 0);
    free_made_scene(&made);
}

TEST_GROUP(test_gltf_morphs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_shown),
        cmocka_unit_test(many_weights_are_sparse),
        cmocka_unit_test(targets_are_the_scenes),
        cmocka_unit_test(targets_are_named_by_what_they_show),
        cmocka_unit_test(what_does_not_change_costs_two_keys),
        cmocka_unit_test(a_clip_may_be_nothing_but_shapes),
        cmocka_unit_test(a_large_file_is_told),
        cmocka_unit_test(a_huge_file_is_refused),
        cmocka_unit_test(clips_without_shapes_count_too),
        cmocka_unit_test(primitives_without_shapes_count_too),
        cmocka_unit_test(names_count_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
