/* SPDX-License-Identifier: MIT
 *
 * glTF: what another program shows of our files is what the scene says, at frames and between
 * them, and every file keeps the rules of the format and those that importers add. */
#include "support/glb.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scene and the file show the same -------------------------------------------------- */

static double size_of(const ossa_scene *scene, const float (*matrices)[16])
{
    double size = 1e-3;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        for (unsigned k = 12; k < 15; k++) size = fmax(size, fabs((double)matrices[b][k]));
    }
    return size;
}

/* What the two show at one time; `shown_time` is the file's, whose times are float32. */
static void require_same_pose(const struct glb *glb, const ossa_scene *scene, const ossa_clip *clip,
                              int animation, double seconds, double shown_time)
{
    uint32_t count = scene->bone_count;
    ossa_transform *locals = calloc(count, sizeof *locals);
    ossa_transform *models = calloc(count, sizeof *models);
    uint8_t *visible = calloc(count, 1);
    float(*matrices)[16] = calloc(count, sizeof *matrices);
    struct glb_node *nodes = calloc(glb->node_count, sizeof *nodes);
    double(*worlds)[16] = calloc(glb->node_count, sizeof *worlds);
    bool *shown = calloc(glb->node_count, sizeof *shown);
    if (!locals || !models || !visible || !matrices || !nodes || !worlds || !shown) abort();
    if (clip == NULL) {
        ossa_rest_pose(scene, locals);
        memset(visible, 1, count);
    } else {
        ossa_sample(scene, clip, seconds, OSSA_WRAP_CLAMP, locals, visible);
    }
    ossa_model_pose(scene, locals, models);
    ossa_model_matrices(scene, locals, matrices);
    glb_sample(glb, animation, shown_time, nodes);
    glb_worlds(glb, (const struct glb_node *)nodes, worlds, shown);
    double size = size_of(scene, (const float(*)[16])matrices);
    for (uint32_t b = 0; b < count; b++) {
        const double *world = worlds[b + 1];
        bool is_rigid = true;
        for (unsigned k = 0; k < 16; k++) {
            double wanted = (double)matrices[b][k];
            double near = 1e-4 * (k < 12 ? fmax(1.0, fabs(wanted)) : size);
            require(fabs(world[k] - wanted) < near, glb->label,
                    "'%s' is elsewhere at %g s: [%u] is %.9g, expected %.9g", scene->bones[b].name,
                    seconds, k, world[k], wanted);
        }
        for (int32_t p = (int32_t)b; p >= 0; p = scene->bones[p].parent) {
            for (unsigned k = 0; k < 3; k++) is_rigid = is_rigid && locals[p].scale[k] == 1.0F;
        }
        if (is_rigid) {
            double degrees =
                rotation_distance(matrix_rotation(world), rotation_of(models[b].rotation));
            require(degrees < 1e-2, glb->label, "'%s' is turned by %g degrees at %g s",
                    scene->bones[b].name, degrees, seconds);
        }
        require(shown[b + 1] == (visible[b] != 0), glb->label, "'%s' is %s at %g s",
                scene->bones[b].name, shown[b + 1] ? "shown" : "hidden", seconds);
    }
    free(locals);
    free(models);
    free(visible);
    free(matrices);
    free(nodes);
    free(worlds);
    free(shown);
}

static void require_same_clip(const struct glb *glb, const ossa_scene *scene, const ossa_clip *clip,
                              uint32_t stride)
{
    static const double points[] = {0.0, 0.25, 0.5, 0.9};
    int animation = glb_find_animation(glb, clip->name);
    require(animation >= 0, glb->label, "the clip '%s' is missing", clip->name);
    for (uint32_t f = 0; f < clip->frame_count; f += stride) {
        for (size_t p = 0; p < sizeof points / sizeof points[0]; p++) {
            double seconds = (f + points[p]) / clip->fps;
            /* A step happens at the float32 nearest to the frame's time. */
            require_same_pose(glb, scene, clip, animation, seconds,
                              p == 0 ? (double)(float)seconds : seconds);
        }
    }
    require_same_pose(glb, scene, clip, animation, 1e6, 1e6); /* after the end */
}

static void require_extras_of(const struct glb *glb, const ossa_clip *clip)
{
    int animation = glb_find_animation(glb, clip->name);
    const json_t *extras =
        json_object_get(glb_item(glb, "animations", (size_t)animation), "extras");
    /* The game's frames and rate, whatever was written for each of them. */
    uint32_t steps = clip->keys_per_frame == 0 ? 1 : clip->keys_per_frame;
    assert_int_equal(json_integer_value(json_object_get(extras, "frames")),
                     (clip->frame_count - 1) / steps + 1);
    assert_true((float)json_number_value(json_object_get(extras, "fps")) ==
                (float)(clip->fps / steps));
    assert_int_equal(json_integer_value(json_object_get(extras, "resample")),
                     steps > 1 ? steps : 0);
    assert_int_equal(json_is_true(json_object_get(extras, "loop")), clip->loop);
    assert_string_equal(json_string_value(json_object_get(extras, "source")), clip->source);
    assert_string_equal(json_string_value(json_object_get(extras, "source_format")),
                        clip->source_format);
}

/* All of a scene's file against the scene; the file may be looked at afterwards. */
static void require_file_of(const char *label, const ossa_scene *scene, uint32_t stride,
                            struct bytes *file, struct glb *glb)
{
    *file = glb_or_fail(label, scene, NULL);
    glb_open(glb, label, file);
    require_gltf_rules(glb);
    assert_int_equal(glb->joint_count, scene->bone_count);
    assert_string_equal(
        json_string_value(json_object_get(
            json_object_get(json_object_get(glb->document, "asset"), "extras"), "game")),
        scene->game);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const struct glb_node *node = &glb->nodes[b + 1];
        const char *original = node->original == NULL ? node->name : node->original;
        assert_string_equal(original, scene->bones[b].name);
        /* Its parent is the parent's node, or the switch that is on it. */
        size_t parent = (size_t)node->parent;
        if (parent > glb->joint_count) parent = (size_t)glb->nodes[parent].parent;
        assert_int_equal(parent, scene->bones[b].parent + 1);
    }
    if (scene->bone_count > 0) require_same_pose(glb, scene, NULL, -1, 0.0, 0.0);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        if (scene->clips[c].frame_count == 0 || scene->bone_count == 0) continue;
        require_same_clip(glb, scene, &scene->clips[c], stride);
        require_extras_of(glb, &scene->clips[c]);
    }
}

static void require_character(const struct character *character, const ossa_scene_options *options,
                              uint32_t stride)
{
    struct bytes file;
    struct glb glb;
    ossa_scene *scene = assemble_character(character, options);
    require_file_of(character->name, scene, stride, &file, &glb);
    assert_int_equal(glb.animation_count, scene->clip_count);
    glb_close(&glb);
    bytes_free(&file);
    ossa_scene_free(scene);
}

static void pose_vectors_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        require_character(&pose_vectors[i], NULL, 1);
    }
}

static void samples_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        require_character(&samples[i], NULL, 1);
    }
}

static void options_of_the_scene_are_shown(void **state)
{
    (void)state;
    const ossa_scene_options options[] = {
        {.boxes = true},
        {.join = true, .scale = 100.0},
        {.ei = &(ossa_ei_options){.resample = 3}, .fps = 29.97},
        {.vib = &(ossa_vib_options){.euler = OSSA_VIB_EULER_ZYX, .missing = OSSA_VIB_MISSING_HOLD},
         .scale = 0.001},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
            require_character(&samples[i], &options[k], 11);
        }
    }
}

/* ---- odd scenes ---------------------------------------------------------------------------- */

static void require_made(const char *label, const struct made_plan *plan, size_t animations)
{
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_scene(&made, plan);
    require_file_of(label, &made.scene, plan->bones > 100 ? 5 : 1, &file, &glb);
    assert_int_equal(glb.animation_count, animations);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void odd_scenes_are_shown(void **state)
{
    (void)state;
    require_made("one bone", &(struct made_plan){.seed = 1, .bones = 1, .clips = 1, .frames = {5}},
                 1);
    require_made("one frame", &(struct made_plan){.seed = 2, .bones = 4, .clips = 1, .frames = {1}},
                 1);
    require_made("no frames", &(struct made_plan){.seed = 3, .bones = 4, .clips = 1, .frames = {0}},
                 0);
    require_made("no clips", &(struct made_plan){.seed = 4, .bones = 4, .clips = 0}, 0);
    require_made("no bones", &(struct made_plan){.seed = 5, .bones = 0, .clips = 0}, 0);
    require_made("no bones but clips",
                 &(struct made_plan){.seed = 6, .bones = 0, .clips = 2, .frames = {3, 1}}, 0);
    require_made(
        "300 bones",
        &(struct made_plan){.seed = 7, .bones = 300, .clips = 1, .frames = {6}, .is_rigid = true},
        1);
    require_made("lengths",
                 &(struct made_plan){.seed = 8, .bones = 7, .clips = 4, .frames = {9, 1, 2, 40}},
                 4);
    require_made(
        "slow",
        &(struct made_plan){.seed = 9, .bones = 5, .clips = 2, .frames = {3, 1}, .fps = 0.001}, 2);
    require_made(
        "fast",
        &(struct made_plan){.seed = 10, .bones = 5, .clips = 2, .frames = {30, 1}, .fps = 1e6}, 2);
    require_made(
        "flat",
        &(struct made_plan){.seed = 11, .bones = 20, .clips = 2, .frames = {5, 6}, .is_flat = true},
        2);
}

/* Nothing moves and nothing differs from the rest: an animation has a channel all the same. */
static void a_clip_in_which_nothing_moves_is_written(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    const struct made_plan plan = {.seed = 3, .bones = 1, .clips = 1, .frames = {8}};
    make_scene(&made, &plan);
    made.clips[0].constant = &made.bones[0].rest;
    require_file_of("still", &made.scene, 1, &file, &glb);
    assert_int_equal(glb.animation_count, 1);
    assert_int_equal(glb.animations[0].channel_count, 1);
    assert_int_equal(glb.animations[0].channels[0].count, 2); /* its ends */
    assert_true(glb_number(&glb, glb.animations[0].channels[0].input, 1, 0) ==
                (double)(float)(7.0 / 30.0));
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* What does not change costs two keys, whatever the clip's length. */
static void constants_cost_two_keys(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    const struct made_plan plan = {.seed = 3, .bones = 6, .clips = 2, .frames = {50, 20}};
    make_scene(&made, &plan);
    require_file_of("constants", &made.scene, 1, &file, &glb);
    size_t constants = 0;
    for (size_t c = 0; c < glb.animations[0].channel_count; c++) {
        size_t count = glb.animations[0].channels[c].count;
        assert_true(count == 2 || count == 50);
        if (count == 2) constants++;
    }
    /* The last bone in all three, every second's place, two of three's scale. */
    assert_int_equal(constants, 1 + 3 + 4);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void an_object_that_is_never_shown_is_hidden(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    const struct made_plan plan = {
        .seed = 3, .bones = 3, .clips = 2, .frames = {4, 1}, .is_rigid = true, .is_flat = true};
    make_scene(&made, &plan);
    uint8_t *hidden = made_memory(&made, 3);
    hidden[0] = 1;
    hidden[2] = 1;
    made.clips[1].constant_visible = hidden; /* shown in one clip, never in the other */
    require_file_of("hidden", &made.scene, 1, &file, &glb);
    assert_int_equal(glb.node_count, 5);
    assert_string_equal(glb.nodes[4].name, "b1_visible");
    assert_int_equal(glb.nodes[2].parent, 4);
    assert_int_equal(glb.nodes[4].parent, 0);
    glb_close(&glb);
    bytes_free(&file);
    /* Where it is always shown there is no switch. */
    const uint8_t first[2] = {1, 0};
    file = glb_or_fail("shown", &made.scene, first);
    glb_open(&glb, "shown", &file);
    require_gltf_rules(&glb);
    assert_int_equal(glb.node_count, 4);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* A bone that is scaled to nothing at rest has no inverse: it gets none that is not finite. */
static void a_bone_of_no_size_has_a_matrix(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 3, .bones = 3, .clips = 1, .frames = {4}};
    make_scene(&made, &plan);
    made.bones[1].rest.scale[2] = 0.0F;
    struct bytes file = glb_or_fail("flat", &made.scene, NULL);
    struct glb glb;
    glb_open(&glb, "flat", &file);
    size_t binds = glb_index(&glb, glb_item(&glb, "skins", 0), "inverseBindMatrices");
    for (size_t j = 0; j < 3; j++) {
        for (size_t k = 0; k < 16; k++) assert_true(isfinite(glb_number(&glb, binds, j, k)));
        assert_true(glb_number(&glb, binds, j, 15) == 1.0);
    }
    for (size_t k = 0; k < 16; k++) {
        assert_true(glb_number(&glb, binds, 1, k) == (k % 5 == 0 ? 1.0 : 0.0));
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* A number that rounding took past 1 is 1 in a node: the validator of the format is strict. */
static void rotations_of_nodes_stay_within_1(void **state)
{
    (void)state;
    static const float past[4][4] = {
        {1.000003F, 0, 0, 0}, {0, -1.000003F, 0, 0}, {0, 0, 1.000003F, 0}, {0, 0, 0, -1.000003F}};
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    const struct made_plan plan = {.seed = 3, .bones = 4, .clips = 1, .frames = {2}};
    make_scene(&made, &plan);
    for (unsigned b = 0; b < 4; b++) {
        memcpy(made.bones[b].rest.rotation, past[b], sizeof past[b]);
    }
    require_file_of("past 1", &made.scene, 1, &file, &glb);
    assert_true(glb.nodes[1].rotation.x == 1.0);
    assert_true(glb.nodes[4].rotation.w == -1.0);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- names --------------------------------------------------------------------------------- */

static void names_are_cleaned_and_unique(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        /* original, in the file */
        {"plain", "plain"},
        {"a b", "a_b"},
        {"a.b", "ab"},
        {"[x]:y/z", "xyz"},
        {"\xd0\xa2\xd0\xb5\xd0\xbb\xd0\xbe \xd0\xb4\xd0\xb2\xd0\xb0",
         "\xd0\xa2\xd0\xb5\xd0\xbb\xd0\xbe_\xd0\xb4\xd0\xb2\xd0\xb0"},
        {"ab", "ab_2"}, /* of "a.b" and "ab" the first has it */
        {"plain", "plain_3"},
        {"plain_2", "plain_2"}, /* a name that needs nothing stays */
        {"...", "node"},
        {"[]", "node_2"},
        {"made", "made_2"}, /* the scene's own */
        {"tab\there", "tab_here"},
        {"plain_3.", "plain_3_2"},
        {"b13_visible", "b13_visible"},
        {"b13", "b13"},
        {"say \"\\\" \x01", "say_\"\\\"_\x01"},
        {"plain", "plain_4"},
    };
    enum { COUNT = sizeof names / sizeof names[0] };
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    struct made_plan plan = {.seed = 3, .bones = COUNT, .clips = 1, .frames = {2}, .is_flat = true};
    make_scene(&made, &plan);
    for (unsigned i = 0; i < COUNT; i++) made.bones[i].name = names[i][0];
    require_file_of("names", &made.scene, 1, &file, &glb);
    for (unsigned i = 0; i < COUNT; i++) {
        const struct glb_node *node = &glb.nodes[i + 1];
        if (strcmp(names[i][0], names[i][1]) == 0) assert_null(node->original);
        else assert_string_equal(node->original, names[i][0]);
    }
    /* Which of equal names gets which number is not pinned here, only these: */
    static const unsigned pinned[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 15};
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
        assert_string_equal(glb.nodes[pinned[i] + 1].name, names[pinned[i]][1]);
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void the_name_of_a_scene_is_cleaned_too(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    const struct made_plan plan = {.seed = 3, .bones = 2, .clips = 1, .frames = {2}};
    make_scene(&made, &plan);
    made.scene.name = "v1.0 of it";
    made.clips[0].name = "run: [fast].1 \xd0\xb1"; /* of animations nobody changes the names */
    require_file_of("scene name", &made.scene, 1, &file, &glb);
    assert_string_equal(glb.nodes[0].name, "v10_of_it");
    assert_string_equal(glb.nodes[0].original, "v1.0 of it");
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- files --------------------------------------------------------------------------------- */

static void a_gltf_and_its_buffer_are_the_glb(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        struct bytes file = glb_or_fail(samples[i].name, scene, NULL);
        ossa_buffer text = {0};
        ossa_buffer bin = {0};
        ossa_error error;
        const ossa_export_options options = {.bin_uri = "my file#1.\xd0\xb1in"};
        assert_true(ossa_write_gltf(scene, &options, ossa_buffer_sink(&text),
                                    ossa_buffer_sink(&bin), &error));
        struct bytes text_bytes = bytes_copy(text.data, text.size);
        struct bytes bin_bytes = bytes_copy(bin.data, bin.size);
        struct glb one;
        struct glb two;
        glb_open(&one, samples[i].name, &file);
        glb_open_pair(&two, samples[i].name, &text_bytes, &bin_bytes);
        require_gltf_rules(&two);
        assert_int_equal(one.bin_size, two.bin_size);
        assert_memory_equal(one.bin, two.bin, one.bin_size);
        json_t *buffer = json_array_get(json_object_get(two.document, "buffers"), 0);
        assert_string_equal(json_string_value(json_object_get(buffer, "uri")),
                            "my%20file%231.%D0%B1in");
        assert_int_equal(json_object_del(buffer, "uri"), 0);
        assert_int_equal(json_equal(one.document, two.document), 1);
        glb_close(&one);
        glb_close(&two);
        bytes_free(&file);
        bytes_free(&text_bytes);
        bytes_free(&bin_bytes);
        ossa_buffer_free(&text);
        ossa_buffer_free(&bin);
        ossa_scene_free(scene);
    }
}

static void the_same_scene_is_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *one = assemble_character(&samples[i], NULL);
        ossa_scene *two = assemble_character(&samples[i], NULL);
        struct bytes first = glb_or_fail(samples[i].name, one, NULL);
        struct bytes again = glb_or_fail(samples[i].name, one, NULL);
        struct bytes other = glb_or_fail(samples[i].name, two, NULL);
        require_same(samples[i].name, &again, first.data, first.size);
        require_same(samples[i].name, &other, first.data, first.size);
        bytes_free(&first);
        bytes_free(&again);
        bytes_free(&other);
        ossa_scene_free(one);
        ossa_scene_free(two);
    }
}

static void clips_can_be_chosen(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        for (uint32_t choice = 0; choice < 1U << scene->clip_count; choice++) {
            uint8_t clips[8] = {0};
            size_t chosen = 0;
            for (uint32_t c = 0; c < scene->clip_count; c++) {
                clips[c] = choice >> c & 1;
                chosen += clips[c];
            }
            struct bytes file = glb_or_fail(samples[i].name, scene, clips);
            struct glb glb;
            glb_open(&glb, samples[i].name, &file);
            require_gltf_rules(&glb);
            assert_int_equal(glb.animation_count, chosen);
            for (uint32_t c = 0; c < scene->clip_count; c++) {
                assert_int_equal(glb_find_animation(&glb, scene->clips[c].name) >= 0, clips[c]);
                if (clips[c]) require_same_clip(&glb, scene, &scene->clips[c], 13);
            }
            glb_close(&glb);
            bytes_free(&file);
        }
        ossa_scene_free(scene);
    }
}

/* ---- warnings and errors ------------------------------------------------------------------- */

static void what_is_left_out_is_told(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 3, .bones = 2, .clips = 3, .frames = {2, 0, 4}};
    make_scene(&made, &plan);
    struct told told = {0};
    ossa_export_options options = {.on_issue = record_issue, .user = &told};
    ossa_buffer buffer = {0};
    assert_true(
        ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&buffer), (ossa_sink){0}, NULL));
    assert_int_equal(told.count, 1);
    assert_int_equal(told.code, OSSA_CODE_LOST);
    assert_string_equal(told.last, "the clip 'clip1' has nothing to show and is left out");
    /* Not of one that nobody asked for. */
    static const uint8_t others[3] = {1, 0, 1};
    told.count = 0;
    options.clips = others;
    assert_true(
        ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&buffer), (ossa_sink){0}, NULL));
    assert_int_equal(told.count, 0);
    ossa_buffer_free(&buffer);
    free_made_scene(&made);
}

/* Times are float32 in a glTF. */
static void times_that_do_not_rise_are_refused(void **state)
{
    (void)state;
    static const struct {
        double fps;
        uint32_t frames;
        const char *message;
    } cases[] = {
        {1e300, 3,
         "the clip 'clip0' is too long or too fast: frames 0 and 1 get the same time in "
         "a 32-bit float"},
        {1e-300, 2,
         "the clip 'clip0' is too long or too fast: frames 0 and 1 get the same time in "
         "a 32-bit float"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made_scene made;
        const struct made_plan plan = {
            .seed = 3, .bones = 2, .clips = 1, .frames = {cases[i].frames}, .fps = cases[i].fps};
        make_scene(&made, &plan);
        ossa_buffer buffer = {0};
        ossa_error error;
        assert_false(
            ossa_write_gltf(&made.scene, NULL, ossa_buffer_sink(&buffer), (ossa_sink){0}, &error));
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
        assert_int_equal(buffer.size, 0);
        ossa_buffer_free(&buffer);
        free_made_scene(&made);
    }
}

TEST_GROUP(test_gltf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pose_vectors_are_shown),
        cmocka_unit_test(samples_are_shown),
        cmocka_unit_test(options_of_the_scene_are_shown),
        cmocka_unit_test(odd_scenes_are_shown),
        cmocka_unit_test(a_clip_in_which_nothing_moves_is_written),
        cmocka_unit_test(constants_cost_two_keys),
        cmocka_unit_test(an_object_that_is_never_shown_is_hidden),
        cmocka_unit_test(a_bone_of_no_size_has_a_matrix),
        cmocka_unit_test(rotations_of_nodes_stay_within_1),
        cmocka_unit_test(names_are_cleaned_and_unique),
        cmocka_unit_test(the_name_of_a_scene_is_cleaned_too),
        cmocka_unit_test(a_gltf_and_its_buffer_are_the_glb),
        cmocka_unit_test(the_same_scene_is_the_same_bytes),
        cmocka_unit_test(clips_can_be_chosen),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(times_that_do_not_rise_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
