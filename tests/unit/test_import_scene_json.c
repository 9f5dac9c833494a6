/* SPDX-License-Identifier: MIT
 *
 * The JSON of a scene read back: every value that a clip shows is there to the last bit, what other
 * programs leave out has a meaning, and what nobody should write is refused. */
#include "support/made_scene.h"
#include "support/motions.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_text(struct motion_file *file, const char *text)
{
    struct bytes bytes = bytes_copy(text, strlen(text));
    motion_open_good(file, text, ossa__read_scene_json, &bytes);
    bytes_free(&bytes);
}

/* ---- our own documents --------------------------------------------------------------------- */

/* The node of a bone: the joint that stands where it does among the joints. */
static uint32_t node_of(const struct motion_file *file, uint32_t bone)
{
    uint32_t joint = 0;
    for (uint32_t i = 0; i < file->motion->node_count; i++) {
        if (file->motion->nodes[i].is_joint && joint++ == bone) return i;
    }
    fail_msg("there is no joint %u", (unsigned)bone);
    return 0;
}

/* The node that hides another one, or -1. */
static int32_t hiding_node(const struct motion_file *file, uint32_t node)
{
    int32_t parent = file->motion->nodes[node].parent;
    return parent >= 0 && !file->motion->nodes[parent].is_joint ? parent : -1;
}

static void require_nodes(const struct motion_file *file, const ossa_scene *scene)
{
    uint32_t joints = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const ossa_bone *bone = &scene->bones[b];
        const struct ossa__motion_node *node = &file->motion->nodes[node_of(file, b)];
        assert_string_equal(node->name, bone->name);
        int32_t parent = node->parent;
        int32_t hiding = hiding_node(file, node_of(file, b));
        if (hiding >= 0) {
            char name[256];
            (void)snprintf(name, sizeof name, "%s_visible", bone->name);
            assert_string_equal(file->motion->nodes[hiding].name, name);
            parent = file->motion->nodes[hiding].parent;
        }
        if (bone->parent < 0) assert_int_equal(parent, -1);
        else assert_int_equal(parent, node_of(file, (uint32_t)bone->parent));
        for (unsigned k = 0; k < 3; k++) {
            assert_true(node->translation[k] == (double)bone->rest.translation[k]);
            assert_true(node->scale[k] == (double)bone->rest.scale[k]);
        }
        struct ossa__quat rest = ossa__quat_load(bone->rest.rotation);
        assert_true(fabs(ossa__quat_dot(rest, node->rotation) - 1.0) < 1e-6);
    }
    for (uint32_t i = 0; i < file->motion->node_count; i++)
        joints += file->motion->nodes[i].is_joint;
    assert_int_equal(joints, scene->bone_count);
}

static void require_value(const struct ossa__motion_clip *clip, uint32_t frame, uint32_t node,
                          enum ossa__motion_target target, const float *wanted, const float *rest,
                          uint32_t width)
{
    const struct ossa__motion_curve *curve = motion_curve(clip, node, target);
    const float *found = curve == NULL ? rest : motion_key(curve, frame);
    if (curve != NULL) assert_int_equal(curve->interpolation, OSSA__MOTION_LINEAR);
    require(memcmp(found, wanted, width * sizeof *found) == 0, clip->name,
            "node %u frame %u target %d", node, frame, (int)target);
}

static void require_visible(const struct motion_file *file, const struct ossa__motion_clip *clip,
                            uint32_t frame, uint32_t node, bool is_visible)
{
    float scale = 1.0F;
    int32_t hiding = hiding_node(file, node);
    const struct ossa__motion_curve *curve =
        hiding < 0 ? NULL : motion_curve(clip, (uint32_t)hiding, OSSA__MOTION_SCALE);
    if (curve != NULL) {
        const float *key = motion_key(curve, frame);
        scale = key[0];
        assert_true(key[1] == scale && key[2] == scale);
        assert_int_equal(curve->interpolation, OSSA__MOTION_STEP);
    }
    assert_true(scale == (is_visible ? 1.0F : 0.0F));
}

/* The weights of a mesh: 1 for the target that the clip shows, in every frame. */
static void require_shapes(const struct motion_file *file, const ossa_scene *scene,
                           const ossa_clip *clip, const struct ossa__motion_clip *found)
{
    uint32_t curves = 0;
    for (uint32_t i = 0; i < found->curve_count; i++) {
        curves += found->curves[i].target == OSSA__MOTION_WEIGHTS;
    }
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < clip->morphs.count && clip->frame_count > 0; i++) {
        const ossa_mesh *mesh = &scene->meshes[clip->morphs.meshes[i]];
        uint32_t node = node_of(file, mesh->bone);
        const struct ossa__motion_curve *curve = motion_curve(found, node, OSSA__MOTION_WEIGHTS);
        if (mesh->target_count == 0) continue;
        wanted++;
        assert_non_null(curve);
        assert_int_equal(curve->width, mesh->target_count);
        assert_int_equal(curve->key_count, clip->frame_count);
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            int32_t target = clip->morphs.keys[(size_t)f * clip->morphs.count + i];
            for (uint32_t t = 0; t < curve->width; t++) {
                assert_true(motion_key(curve, f)[t] == ((int64_t)t == target ? 1.0F : 0.0F));
            }
        }
    }
    assert_int_equal(curves, wanted);
}

static void require_clip(const struct motion_file *file, const ossa_scene *scene,
                         const ossa_clip *clip, const struct ossa__motion_clip *found)
{
    assert_string_equal(found->name, clip->name);
    assert_true((float)found->fps == (float)clip->fps);
    assert_int_equal(found->frame_count, clip->frame_count);
    ossa_transform *pose = calloc(scene->bone_count + 1, sizeof *pose);
    uint8_t *visible = calloc(scene->bone_count + 1, 1);
    if (pose == NULL || visible == NULL) abort();
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        ossa_sample_frame(scene, clip, f, pose, visible);
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            uint32_t node = node_of(file, b);
            const ossa_transform *rest = &scene->bones[b].rest;
            require_value(found, f, node, OSSA__MOTION_ROTATION, pose[b].rotation, rest->rotation,
                          4);
            require_value(found, f, node, OSSA__MOTION_TRANSLATION, pose[b].translation,
                          rest->translation, 3);
            require_value(found, f, node, OSSA__MOTION_SCALE, pose[b].scale, rest->scale, 3);
            require_visible(file, found, f, node, visible[b] != 0);
        }
    }
    for (uint32_t i = 0; i < found->curve_count; i++) {
        const struct ossa__motion_curve *curve = &found->curves[i];
        assert_true(curve->key_count == 1 || curve->key_count == clip->frame_count);
        for (uint32_t k = 0; k < curve->key_count; k++) {
            assert_true(curve->times[k] == (float)(k / found->fps));
        }
    }
    require_shapes(file, scene, clip, found);
    free(pose);
    free(visible);
}

static void require_meshes(const struct motion_file *file, const ossa_scene *scene)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->target_count == 0) continue;
        assert_int_equal(file->motion->nodes[node_of(file, mesh->bone)].mesh, used);
        const struct ossa__motion_mesh *found = &file->motion->meshes[used++];
        assert_string_equal(found->name, mesh->name);
        assert_int_equal(found->vertex_count, mesh->vertex_count);
        assert_int_equal(found->target_count, mesh->target_count);
        size_t size = mesh->vertex_count * sizeof *mesh->positions;
        assert_memory_equal(found->positions, mesh->positions, size);
        assert_memory_equal(found->targets, mesh->targets, mesh->target_count * size);
        for (uint32_t t = 0; t < mesh->target_count; t++) assert_true(found->weights[t] == 0.0F);
    }
    assert_int_equal(file->motion->mesh_count, used);
}

static void require_cameras(const struct motion_file *file, const ossa_scene *scene,
                            uint32_t clip_count)
{
    uint32_t first = file->motion->node_count - scene->camera_count;
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const ossa_camera *camera = &scene->cameras[i];
        const struct ossa__motion_node *node = &file->motion->nodes[first + i];
        assert_true(node->is_camera && !node->is_joint);
        assert_int_equal(node->parent, -1);
        assert_string_equal(node->name, camera->name);
        assert_true(node->field_of_view == (double)camera->fields_of_view[0]);
        assert_true(node->translation[2] == (double)camera->positions[0][2]);
        if (camera->key_count == 1) continue;
        const struct ossa__motion_clip *clip = &file->motion->clips[clip_count++];
        assert_string_equal(clip->name, camera->name);
        assert_int_equal(clip->curve_count, 2);
        const struct ossa__motion_curve *moves =
            motion_curve(clip, first + i, OSSA__MOTION_TRANSLATION);
        const struct ossa__motion_curve *turns =
            motion_curve(clip, first + i, OSSA__MOTION_ROTATION);
        assert_int_equal(moves->key_count, camera->key_count);
        assert_int_equal(turns->key_count, camera->key_count);
        size_t keys = camera->key_count * sizeof(float);
        assert_memory_equal(moves->times, camera->times, keys);
        assert_memory_equal(turns->times, camera->times, keys);
        assert_memory_equal(moves->values, camera->positions, 3 * keys);
        assert_memory_equal(turns->values, camera->rotations, 4 * keys);
    }
    assert_int_equal(file->motion->clip_count, clip_count);
}

static void require_round_trip(const char *label, const ossa_scene *scene, const uint8_t *clips)
{
    for (unsigned style = 0; style < 2; style++) {
        struct bytes text = scene_json_or_fail(
            label, scene, clips, style == 0 ? OSSA_JSON_STYLE_LINE : OSSA_JSON_STYLE_PRETTY);
        struct motion_file file;
        motion_open_good(&file, label, ossa__read_scene_json, &text);
        assert_string_equal(file.motion->format, "json");
        assert_true(file.motion->has_rest);
        require_nodes(&file, scene);
        require_meshes(&file, scene);
        uint32_t written = 0;
        for (uint32_t c = 0; c < scene->clip_count; c++) {
            if (clips != NULL && clips[c] == 0) continue;
            require_clip(&file, scene, &scene->clips[c], &file.motion->clips[written++]);
        }
        require_cameras(&file, scene, written);
        motion_close(&file);
        bytes_free(&text);
    }
}

static void characters_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const ossa_scene_options options = {.boxes = i % 2 == 0};
        ossa_scene *scene = assemble_character(&samples[i], &options);
        require_round_trip(samples[i].name, scene, NULL);
        ossa_scene_free(scene);
    }
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        ossa_scene *scene = assemble_character(&pose_vectors[i], NULL);
        require_round_trip(pose_vectors[i].name, scene, NULL);
        ossa_scene_free(scene);
    }
}

static void made_scenes_come_back(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 9, .clips = 3, .frames = {4, 1, 0}, .has_mesh = true},
        {.seed = 2, .bones = 1, .clips = 1, .frames = {2}, .fps = 1000.0 / 55.0},
        {.seed = 3},
        {.seed = 4, .bones = 2, .clips = 1, .frames = {3}, .cameras = 3},
        {.seed = 5, .cameras = 2},
        {.seed = 6, .bones = 5, .has_mesh = true, .has_joints = true},
        {.seed = 8,
         .bones = 9,
         .clips = 1,
         .frames = {3},
         .has_mesh = true,
         .has_joints = true,
         .has_weights = true,
         .has_materials = true,
         .targets = 2},
        {.seed = 7,
         .bones = 17,
         .clips = 4,
         .frames = {4, 1, 0, 30},
         .has_mesh = true,
         .has_materials = true,
         .cameras = 1,
         .targets = 3},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        require_round_trip("made", &made.scene, NULL);
        if (plans[i].clips > 2) {
            const uint8_t chosen[4] = {0, 1, 1, 1};
            require_round_trip("chosen", &made.scene, chosen);
            uint8_t *hidden = made_memory(&made, plans[i].bones);
            memset(hidden, 1, plans[i].bones);
            hidden[1] = hidden[plans[i].bones - 1] = 0; /* in all of a clip */
            made.clips[1].constant_visible = hidden;
            require_round_trip("hidden", &made.scene, NULL);
        }
        free_made_scene(&made);
    }
}

/* ---- documents of others ------------------------------------------------------------------- */

static void little_is_needed(void **state)
{
    (void)state;
    struct motion_file file;
    open_text(&file, "{\"bones\":[],\"clips\":[]}");
    assert_int_equal(file.motion->node_count, 0);
    assert_int_equal(file.motion->clip_count, 0);
    motion_close(&file);
    open_text(
        &file,
        "{\"addon\":{\"x\":[1,{\"bones\":1}]},\"clips\":[{\"name\":\"walk\",\"fps\":25,\"frames\":"
        "2,"
        "\"mood\":null,\"translations\":[{\"bone\":1,\"keys\":[[1,2,3],[4,5,6]],\"of\":\"b\"}],"
        "\"constant\":[{},{\"scale\":[2,2,2],\"visible\":true}]},"
        "{\"name\":\"\",\"fps\":1,\"frames\":0},"
        "{\"name\":\"rest\",\"fps\":1,\"frames\":4000000000}],"
        "\"bones\":[{\"name\":\"a\",\"tail\":[0,0,1]},"
        "{\"parent\":0,\"name\":\"b\",\"rotation\":[0,0,0,2],\"translation\":[0,1,0]}],"
        "\"meshes\":null,\"cameras\":[{\"name\":\"walk\",\"times\":[0.5,1],"
        "\"positions\":[[1,2,3],[1,2,4]],\"rotations\":[[0,0,0,1],[0,1,0,0]]}]}");
    const struct ossa__motion *motion = file.motion;
    assert_int_equal(motion->node_count, 3);
    assert_true(motion->nodes[1].rotation.w == 1.0 && motion->nodes[1].translation[1] == 1.0);
    assert_int_equal(motion->nodes[1].parent, 0);
    assert_int_equal(motion->clip_count, 4);
    assert_int_equal(motion->clips[0].curve_count, 2); /* a track and a constant */
    assert_true(motion_key(motion_curve(&motion->clips[0], 1, OSSA__MOTION_SCALE), 0)[1] == 2.0F);
    assert_int_equal(motion->clips[2].frame_count, 4000000000U);
    assert_int_equal(motion->clips[2].curve_count, 0);
    assert_string_equal(motion->clips[3].name, "walk_camera");
    assert_true(motion->nodes[2].field_of_view == 0.0);
    motion_close(&file);
}

static void options_are_kept(void **state)
{
    (void)state;
    struct motion_file file;
    open_text(&file, "{\"bones\":[],\"clips\":[],\"options\":{\"version\":1,\"scale\":0.01,"
                     "\"euler\":\"zyx\",\"\\u0069n_place\":true,\"list\":[1,2],\"more\":{\"a\":1},"
                     "\"none\":null,\"fps\":-12.5e-1}}");
    const struct ossa__motion *motion = file.motion;
    assert_int_equal(motion->option_count, 4);
    assert_string_equal(motion->options[0].key, "scale");
    assert_null(motion->options[0].text);
    assert_true(motion->options[0].number == 0.01);
    assert_string_equal(motion->options[1].key, "euler");
    assert_string_equal(motion->options[1].text, "zyx");
    assert_string_equal(motion->options[2].key, "in_place");
    assert_true(motion->options[2].number == 1.0);
    assert_true(motion->options[3].number == -1.25);
    motion_close(&file);
    static const char *const others[] = {"{\"version\":2,\"scale\":2}",
                                         "{\"version\":\"1\",\"a\":2}"};
    for (size_t i = 0; i < 2; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "{\"bones\":[],\"clips\":[],\"options\":%s}", others[i]);
        open_text(&file, text);
        assert_int_equal(file.motion->option_count, 0);
        assert_int_equal(file.context.warning_count, 1);
        motion_close(&file);
    }
    open_text(&file, "{\"bones\":[],\"clips\":[],\"options\":[1]}");
    assert_int_equal(file.motion->option_count, 0);
    motion_close(&file);
}

/* ---- refusals ------------------------------------------------------------------------------ */

#define BONES   "\"bones\":[{\"name\":\"a\"},{\"name\":\"b\"}]"
#define CLIP(x) "{" BONES ",\"clips\":[{\"name\":\"c\",\"fps\":30,\"frames\":2," x "}]}"
#define MESH(x) "{" BONES ",\"clips\":[],\"meshes\":[" x "]}"
#define CAMERA(x)                                                                                  \
    "{" BONES ",\"clips\":[],\"cameras\":[{\"name\":\"c\",\"positions\":[[0,0,0]],"                \
    "\"rotations\":[[0,0,0,1]]," x "}]}"

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *field;
        const char *message;
    } cases[] = {
        {"", "", "JSON line 1, column 1: the text ends, expected '{' or '['"},
        {"[]", "", "found an array, expected an object"},
        {"{}", "bones", "is missing"},
        {"{\"bones\":[]}", "clips", "is missing"},
        {"{\"ossa\":2,\"bones\":[],\"clips\":[]}", "ossa", "found 2, expected 1"},
        {"{\"bones\":{},\"clips\":[]}", "bones", "found an object, expected an array"},
        {"{\"bones\":[{}],\"clips\":[]}", "bones[0].name", "is missing"},
        {"{\"bones\":[{\"name\":\"a\\u0000b\"}],\"clips\":[]}", "bones[0].name", "contains a NUL"},
        {"{\"bones\":[{\"name\":\"a\",\"parent\":0}],\"clips\":[]}", "bones[0].parent",
         "found 0, expected -1"},
        {"{\"bones\":[{\"name\":\"a\",\"scale\":[1,2]}],\"clips\":[]}", "bones[0].scale",
         "has 2 items, expected 3"},
        {"{\"bones\":[{\"name\":\"a\",\"scale\":[1,2,\"0x7f800000\"]}],\"clips\":[]}",
         "bones[0].scale", "is not finite"},
        {"{\"bones\":[{\"name\":\"a\",\"rotation\":[0,0,0,0]}],\"clips\":[]}", "bones[0].rotation",
         "is not a rotation"},
        {"{" BONES ",\"clips\":[{}]}", "clips[0].name", "is missing"},
        {"{" BONES ",\"clips\":[{\"name\":\"c\"}]}", "clips[0].fps", "is missing"},
        {"{" BONES ",\"clips\":[{\"name\":\"c\",\"fps\":30}]}", "clips[0].frames", "is missing"},
        {"{" BONES ",\"clips\":[{\"name\":\"c\",\"fps\":0,\"frames\":1}]}", "clips[0].fps",
         "is not a number of frames per second"},
        {"{" BONES ",\"clips\":[{\"name\":\"c\",\"fps\":\"0x7f800000\",\"frames\":1}]}",
         "clips[0].fps", "is not a number of frames per second"},
        {"{" BONES ",\"clips\":[{\"name\":\"c\",\"fps\":1e-40,\"frames\":2,\"scales\":[{\"bone\":0,"
         "\"keys\":[[1,1,1],[1,1,1]]}]}]}",
         "clips[0]", "2 frames at 9.99995e-41 fps are too many for 32-bit floats"},
        {CLIP("\"constant\":[{}]"), "clips[0].constant", "has 1 items, expected 2"},
        {CLIP("\"constant\":[{},{\"visible\":1}]"), "clips[0].constant[1].visible",
         "found an integer, expected true or false"},
        {CLIP("\"rotations\":[{\"keys\":[]}]"), "clips[0].rotations[0].bone", "is missing"},
        {CLIP("\"rotations\":[{\"bone\":0}]"), "clips[0].rotations[0].keys", "is missing"},
        {CLIP("\"rotations\":[{\"bone\":2,\"keys\":[]}]"), "clips[0].rotations[0].bone",
         "2 is not an integer from 0 to 1"},
        {CLIP("\"rotations\":[{\"bone\":0,\"keys\":[[0,0,0,1]]}]"), "clips[0].rotations[0].keys",
         "has 1 items, expected 2"},
        {CLIP("\"rotations\":[{\"bone\":0,\"keys\":[[0,0,0,1],[0,0,0,0]]}]"),
         "clips[0].rotations[0].keys[1]", "is not a rotation"},
        {CLIP("\"rotations\":[{\"bone\":0,\"keys\":[[0,0,0,1],[0,0,0,1e39]]}]"),
         "clips[0].rotations[0].keys[1][3]", "1e+39 is too large for a 32-bit float"},
        {CLIP("\"scales\":[{\"bone\":1,\"keys\":[[1,1,1],[1,1,1]]},{\"bone\":1,\"keys\":[]}]"),
         "clips[0].scales[1]", "is a second track of 'b'"},
        {CLIP("\"visibilities\":[{\"bone\":1,\"keys\":[true,0]}]"),
         "clips[0].visibilities[0].keys[1]", "found an integer, expected true or false"},
        {CLIP("\"visibilities\":[{\"bone\":-1,\"keys\":[true,true]}]"),
         "clips[0].visibilities[0].bone", "-1 is not an integer from 0 to 1"},
        {CLIP("\"morphs\":[{\"mesh\":0,\"keys\":[]}]"), "clips[0].morphs[0].mesh",
         "0 is not an integer from 0 to -1"},
        {MESH("{\"targets\":[[]]}"), "meshes[0].bone", "is missing"},
        {MESH("{\"targets\":[[]],\"bone\":0}"), "meshes[0].positions", "is missing"},
        {MESH("{\"targets\":[[]],\"bone\":0,\"positions\":[[1,2,3]]}"), "meshes[0].targets[0]",
         "has 0 items, expected 1"},
        {MESH("{\"targets\":[[]],\"bone\":0,\"positions\":[]},"
              "{\"targets\":[[]],\"bone\":0,\"positions\":[]}"),
         "meshes[1]", "is a second mesh with morph targets on 'a'"},
        {CAMERA("\"times\":[]"), "cameras[0].times", "has no keys, or too many"},
        {CAMERA("\"times\":[0,1]"), "cameras[0].positions", "has 1 items, expected 2"},
        {CAMERA("\"times\":[-1]"), "cameras[0].times[0]", "is not later than before"},
        {CAMERA("\"times\":[0],\"fields_of_view\":[]"), "cameras[0].fields_of_view",
         "has 0 items, expected 1"},
        {CAMERA("\"times\":[0],\"fields_of_view\":[\"0x7f800000\"]"),
         "cameras[0].fields_of_view[0]", "is not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        require_motion_refused(ossa__read_scene_json, cases[i].text, OSSA_CODE_BAD_JSON,
                               cases[i].field, cases[i].message);
    }
    require_motion_refused(ossa__read_scene_json,
                           "{" BONES ",\"clips\":[{\"name\":\"c\",\"fps\":30,\"frames\":2,"
                           "\"morphs\":[{\"mesh\":0,\"keys\":[0,2]}]}],\"meshes\":["
                           "{\"targets\":[[],[]],\"bone\":0,\"positions\":[]}]}",
                           OSSA_CODE_BAD_JSON, "clips[0].morphs[0].keys[1]",
                           "2 is not an integer from -1 to 1");
}

/* ---- limits and damage --------------------------------------------------------------------- */

/* A few bytes ask for as many weights as there are frames times targets. */
static void many_weights(void **state)
{
    (void)state;
    enum { TARGETS = 10000 };
    for (unsigned frames = 6000; frames <= 7000; frames += 1000) {
        struct bytes text = bytes_copy("", 0);
        char number[64];
        put_text(&text, "{\"bones\":[{\"name\":\"a\"}],\"meshes\":[{\"bone\":0,\"positions\":[],"
                        "\"targets\":[[]");
        for (unsigned t = 1; t < TARGETS; t++) put_text(&text, ",[]");
        (void)snprintf(number, sizeof number, "\"frames\":%u,", frames);
        put_text(&text, "]}],\"clips\":[{\"name\":\"c\",\"fps\":30,");
        put_text(&text, number);
        put_text(&text, "\"morphs\":[{\"mesh\":0,\"keys\":[-1");
        for (unsigned f = 1; f < frames; f++) put_text(&text, ",-1");
        put_text(&text, "]}]}]}");
        struct motion_file file;
        motion_open(&file, ossa__read_scene_json, text.data, text.size, NULL);
        assert_int_equal(file.context.error.code, OSSA_CODE_LIMIT); /* of memory for so few bytes */
        motion_close(&file);
        const ossa_options options = {.max_memory = UINT64_C(1) << 30};
        motion_open(&file, ossa__read_scene_json, text.data, text.size, &options);
        if (frames == 6000) {
            assert_non_null(file.motion);
            assert_int_equal(file.motion->clips[0].curves[0].width, TARGETS);
        } else {
            assert_string_equal(
                file.context.error.message,
                "the clips have more than 67108864 weights of morph targets, which "
                "is frames times targets; with fewer clips there are fewer of both");
        }
        motion_close(&file);
        bytes_free(&text);
    }
}

static void damaged_documents(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 11, .bones = 1, .clips = 2, .frames = {2, 1}},
        {.seed = 12, .bones = 1, .cameras = 2},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        struct bytes text = scene_json_or_fail("made", &made.scene, NULL, OSSA_JSON_STYLE_LINE);
        require_motion_survives("made", ossa__read_scene_json, &text);
        bytes_free(&text);
        free_made_scene(&made);
    }
    static const char small[] =
        "{\"bones\":[{\"name\":\"a\"},{\"name\":\"b\",\"parent\":0,\"translation\":[1,2,3]}],"
        "\"clips\":[{\"name\":\"c\",\"fps\":30,\"frames\":2,\"constant\":[{},{\"visible\":false,"
        "\"rotation\":[0,0,0,-1]}],\"scales\":[{\"bone\":1,\"keys\":[[1,1,1],[2,1,1]]}],"
        "\"visibilities\":[{\"bone\":0,\"keys\":[true,false]}],"
        "\"morphs\":[{\"mesh\":1,\"keys\":[-1,1]}]}],"
        "\"meshes\":[{\"bone\":0},{\"bone\":1,\"positions\":[[1,0,0]],\"targets\":[[[0,1,0]],"
        "[[0,0,1]]]}],\"options\":{\"scale\":2,\"euler\":\"zyx\"}}";
    struct bytes text = bytes_copy(small, strlen(small));
    require_motion_survives("small", ossa__read_scene_json, &text);
    bytes_free(&text);
}

TEST_GROUP(test_import_scene_json)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_come_back), cmocka_unit_test(made_scenes_come_back),
        cmocka_unit_test(little_is_needed),     cmocka_unit_test(options_are_kept),
        cmocka_unit_test(what_is_refused),      cmocka_unit_test(many_weights),
        cmocka_unit_test(damaged_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
