/* SPDX-License-Identifier: MIT
 *
 * BVH read back: what we write, what other programs write, and what nobody should. */
#include "support/bvh_reader.h"
#include "support/made_scene.h"
#include "support/motions.h"
#include "support/scenes.h"
#include "support/still_scene.h"

#include "export/bvh_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bytes text_of(const char *text)
{
    return bytes_copy(text, strlen(text));
}

static void open_text(struct motion_file *file, const char *text)
{
    struct bytes bytes = text_of(text);
    motion_open_good(file, text, read_as_bvh, &bytes);
    bytes_free(&bytes);
}

/* ---- our own files ------------------------------------------------------------------------- */

/* The bones in the order of the file: depth first. */
static uint32_t *file_order(const ossa_scene *scene)
{
    uint32_t *order = calloc(scene->bone_count + 1, sizeof *order);
    int32_t *open = calloc(scene->bone_count + 1, sizeof *open);
    if (order == NULL || open == NULL) abort();
    uint32_t used = 0;
    uint32_t depth = 1;
    open[0] = -1;
    uint8_t *done = calloc(scene->bone_count + 1, 1);
    if (done == NULL) abort();
    while (depth > 0) {
        uint32_t b = 0;
        while (b < scene->bone_count && (done[b] || scene->bones[b].parent != open[depth - 1])) b++;
        if (b == scene->bone_count) {
            depth--;
            continue;
        }
        done[b] = 1;
        order[used++] = b;
        open[depth++] = (int32_t)b;
    }
    free(done);
    free(open);
    return order;
}

static void require_frame(const char *label, const struct motion_file *file,
                          const ossa_transform *pose, const uint32_t *order, uint32_t bone_count,
                          uint32_t frame)
{
    const struct ossa__motion_clip *clip = &file->motion->clips[0];
    uint32_t above = file->motion->node_count - bone_count;
    for (uint32_t i = 0; i < bone_count; i++) {
        double translation[3];
        double q[4];
        double scale[3];
        const ossa_transform *wanted = &pose[order[i]];
        motion_local(file, clip, frame, above + i, translation, q, scale);
        for (unsigned k = 0; k < 3; k++) { /* the digits are all of a float's */
            require((float)translation[k] == wanted->translation[k], label,
                    "bone %u frame %u: %.9g, expected %.9g", order[i], frame, translation[k],
                    (double)wanted->translation[k]);
        }
        double angle = rotation_distance((struct rotation){q[0], q[1], q[2], q[3]},
                                         rotation_unit(rotation_of(wanted->rotation)));
        require(angle < 2e-5, label, "bone %u frame %u: %g degrees off", order[i], frame, angle);
    }
}

static void require_round_trip(const char *label, const ossa_scene *scene)
{
    uint32_t *order = file_order(scene);
    ossa_transform *pose = calloc(scene->bone_count, sizeof *pose);
    if (pose == NULL) abort();
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        if (clip->frame_count == 0) continue;
        struct bytes bytes = bvh_or_fail(label, scene, clip);
        struct motion_file file;
        motion_open_good(&file, label, read_as_bvh, &bytes);
        const struct ossa__motion_clip *found = &file.motion->clips[0];
        assert_string_equal(file.motion->format, "bvh");
        assert_false(file.motion->has_rest);
        assert_int_equal(found->frame_count, clip->frame_count);
        require(fabs(found->fps / clip->fps - 1.0) < 1e-8, label, "%.17g fps", found->fps);
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            ossa_sample_frame(scene, clip, f, pose, NULL);
            ossa__bvh_take_scales(scene, pose);
            require_frame(label, &file, pose, order, scene->bone_count, f);
            float time = found->curves[0].times[f];
            assert_true(fabs((double)time * clip->fps - f) < 1e-4);
        }
        motion_close(&file);
        bytes_free(&bytes);
    }
    free(pose);
    free(order);
}

static void characters_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        require_round_trip(samples[i].name, scene);
        ossa_scene_free(scene);
    }
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        ossa_scene *scene = assemble_character(&pose_vectors[i], NULL);
        require_round_trip(pose_vectors[i].name, scene);
        ossa_scene_free(scene);
    }
}

static void made_scenes_come_back(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 9, .clips = 3, .frames = {4, 1, 0}},
        {.seed = 2, .bones = 40, .clips = 1, .frames = {7}, .is_rigid = true, .fps = 23.976},
        {.seed = 3, .bones = 5, .clips = 1, .frames = {3}, .is_flat = true, .fps = 1000.0 / 55.0},
        {.seed = 4, .bones = 1, .clips = 1, .frames = {2}, .fps = 60.0},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        require_round_trip("made", &made.scene);
        free_made_scene(&made);
    }
    struct made_scene made; /* gimbal lock, and rotations of more than a turn */
    static const double turns[6][3] = {{10, 90, 20},    {350, -90, 0},    {179.9, 0, -179.9},
                                       {-179.9, 45, 1}, {720.5, 1, -400}, {0, 0, 0}};
    (void)make_still_scene(&made, 3, 6);
    set_still_turns(&made, 1, turns);
    require_round_trip("turns", &made.scene);
    free_made_scene(&made);
}

/* ---- channels ------------------------------------------------------------------------------ */

static const char *const channel_names[6] = {"Xposition", "Yposition", "Zposition",
                                             "Xrotation", "Yrotation", "Zrotation"};
static const double channel_values[6] = {-1.5, 0.25, 40.0, 30.0, -115.0, 77.5};

/* A joint with these channels, behind a root that has a Z rotation. */
static void require_channels(const unsigned *channels, unsigned count)
{
    char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 1 Zrotation\n"
                                   "JOINT b\n{\nOFFSET 4 5 6\nCHANNELS %u",
                                   count);
    for (unsigned i = 0; i < count; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, " %s", channel_names[channels[i]]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n90");
    for (unsigned i = 0; i < count; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, " %g", channel_values[channels[i]]);
    }
    struct motion_file file;
    open_text(&file, text);
    double translation[3];
    double q[4];
    double scale[3];
    double place[3] = {4, 5, 6};
    struct rotation turn = {0, 0, 0, 1};
    for (unsigned i = 0; i < count; i++) {
        double value = channel_values[channels[i]];
        if (channels[i] < 3) place[channels[i]] = value;
        else
            turn =
                rotation_product(turn, rotation_about(channels[i] - 3, value * acos(-1.0) / 180.0));
    }
    motion_local(&file, &file.motion->clips[0], 0, 1, translation, q, scale);
    for (unsigned k = 0; k < 3; k++) require(translation[k] == place[k], text, "position %u", k);
    require(rotation_distance(turn, (struct rotation){q[0], q[1], q[2], q[3]}) < 1e-5, text,
            "another rotation");
    motion_local(&file, &file.motion->clips[0], 0, 0, translation, q, scale);
    require(fabs(q[2] - sqrt(0.5)) < 1e-7 && q[0] == 0.0, text, "the root");
    assert_int_equal(
        file.motion->clips[0].curve_count,
        1 + (motion_curve(&file.motion->clips[0], 1, OSSA__MOTION_ROTATION) != NULL) +
            (motion_curve(&file.motion->clips[0], 1, OSSA__MOTION_TRANSLATION) != NULL));
    motion_close(&file);
}

/* Every choice of channels in every order: 1957 of them. */
static unsigned try_channels(unsigned *channels, unsigned count)
{
    unsigned tried = 1;
    require_channels(channels, count);
    for (unsigned c = 0; c < 6; c++) {
        bool is_there = false;
        for (unsigned i = 0; i < count; i++) is_there = is_there || channels[i] == c;
        if (is_there) continue;
        channels[count] = c;
        tried += try_channels(channels, count + 1);
    }
    return tried;
}

static void all_orders_of_channels(void **state)
{
    (void)state;
    unsigned channels[7] = {0};
    assert_int_equal(try_channels(channels, 0), 1957);
}

/* ---- what other programs write ------------------------------------------------------------- */

static void layouts_differ(void **state)
{
    (void)state;
    struct motion_file file;
    /* Tabs, \r\n, a byte order mark, braces anywhere, other cases, names of several words. */
    open_text(&file,
              "\xef\xbb\xbfhierarchy\r\nRoot  Bip01 Pelvis \t{\r\n\tOffset\t0.0\t+1.5e0\t-.5\r\n"
              "Channels 3 zrotation XROTATION Yrotation\r\n"
              "joint \xd0\xb8{offset 5. 1E-1 0\r\n channels 0 End Site { offset 1 1 1 } } }"
              "\r\nROOT c\r\n{ CHANNELS 1 Yposition End Site a name\r\n{}\r\n}\r\n"
              "Motion\r\nFrames:2\r\nFrame  Time:\t.04\r\n\r\n1 2\t3 4 \r\n\r\n 5 6 7 8");
    const struct ossa__motion *motion = file.motion;
    assert_int_equal(motion->node_count, 3);
    assert_string_equal(motion->nodes[0].name, "Bip01 Pelvis");
    assert_string_equal(motion->nodes[1].name, "\xd0\xb8");
    assert_int_equal(motion->nodes[1].parent, 0);
    assert_int_equal(motion->nodes[2].parent, -1);
    assert_true(motion->nodes[0].translation[1] == 1.5 && motion->nodes[0].translation[2] == -0.5);
    assert_true(motion->nodes[1].translation[0] == 5.0 && motion->nodes[1].translation[1] == 0.1);
    assert_true(motion->nodes[2].is_joint);
    const struct ossa__motion_clip *clip = &motion->clips[0];
    assert_string_equal(clip->name, "walk");
    assert_true(clip->fps == 25.0);
    assert_int_equal(clip->frame_count, 2);
    assert_int_equal(clip->curve_count, 2);
    assert_true(clip->curves[0].times[1] == 0.04F);
    assert_true(motion_key(motion_curve(clip, 2, OSSA__MOTION_TRANSLATION), 1)[1] == 8.0F);
    motion_close(&file);
    /* Only \r, no names, and a name of an old code page. */
    open_text(&file, "HIERARCHY\rROOT\r{CHANNELS 1 Xposition\rJOINT \xc0\r{}}\rMOTION\rFrames: 1\r"
                     "Frame Time: 1\r7\r");
    assert_string_equal(file.motion->nodes[0].name, "");
    assert_string_equal(file.motion->nodes[1].name, "\xd0\x90");
    motion_close(&file);
}

static void names_of_clips(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"walk.bvh", "walk"},   {"a/b\\run fast.BVH", "run fast"},
        {"walk.v2", "walk.v2"}, {"walk.v2.bvh", "walk.v2"},
        {".bvh", ".bvh"},       {"", ""},
        {"folder.bvh/", ""},    {"\xc0.bvh", "\xd0\x90"},
    };
    static const char text[] = "HIERARCHY ROOT a\n{CHANNELS 1 Xposition} MOTION Frames: 1 "
                               "Frame Time: 1\n1";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct ossa__context context;
        ossa__context_init(&context, NULL, sizeof text);
        const struct ossa__motion *motion =
            ossa__read_bvh(&context, (const uint8_t *)text, strlen(text), names[i][0]);
        assert_non_null(motion);
        assert_string_equal(motion->clips[0].name, names[i][1]);
        ossa__arena_free(&context.arena);
    }
}

static void rates(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double fps;
    } rates[] = {
        {"0.0333333333333333", 30.0},
        {"0.033333", 30.0},
        {"0.0333333", 30.0},
        {"0.0333", 30.0},
        {"0.033366", 30.0 / 1.001},
        {"0.041708", 24.0 / 1.001},
        {"0.041667", 24.0},
        {".0083333", 120.0},
        {"0.016667", 60.0},
        {"0.055", 1.0 / 0.055},
        {"0.042", 1.0 / 0.042},
        {"1", 1.0},
        {"2.5", 0.4},
        {"0.03333000", 1.0 / 0.03333},
        {"4e-2", 25.0},
        {"3.3e-2", 1.0 / 0.033},
    };
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "HIERARCHY ROOT a\n{CHANNELS 1 Xposition} MOTION Frames: 3\nFrame Time: %s\n"
                       "1\n2\n3\n",
                       rates[i].time);
        struct motion_file file;
        open_text(&file, text);
        double fps = file.motion->clips[0].fps;
        require(fabs(fps / rates[i].fps - 1.0) < 1e-15, rates[i].time, "%.17g fps", fps);
        assert_true(file.motion->clips[0].curves[0].times[2] == (float)(2.0 / fps));
        motion_close(&file);
    }
}

/* A rotation of many turns is the same as of few, and keys do not change sides. */
static void rotations_stay_on_one_side(void **state)
{
    (void)state;
    struct bytes text = text_of("HIERARCHY ROOT a\n{CHANNELS 3 Zrotation Xrotation Yrotation} "
                                "MOTION Frames: 40 Frame Time: 0.1\n");
    for (unsigned f = 0; f < 40; f++) {
        char line[64];
        (void)snprintf(line, sizeof line, "%u %d 0\n", 100 * f, f % 2 == 0 ? 5 : -355);
        put_text(&text, line);
    }
    struct motion_file file;
    motion_open_good(&file, "turns", read_as_bvh, &text);
    const struct ossa__motion_curve *curve =
        motion_curve(&file.motion->clips[0], 0, OSSA__MOTION_ROTATION);
    for (uint32_t f = 1; f < 40; f++) {
        double dot = 0.0;
        for (unsigned k = 0; k < 4; k++) {
            dot += (double)motion_key(curve, f)[k] * (double)motion_key(curve, f - 1)[k];
        }
        require(fabs(dot - cos(50.0 * acos(-1.0) / 180.0)) < 1e-6, "turns", "frame %u: %g", f, dot);
    }
    motion_close(&file);
    bytes_free(&text);
}

/* ---- refusals ------------------------------------------------------------------------------ */

#define HEAD "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n"

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ossa_code code;
        const char *message;
    } cases[] = {
        {"", OSSA_CODE_TRUNCATED, "line 1: the text ends, expected HIERARCHY"},
        {"\n\nMOTION", OSSA_CODE_BAD_VALUE, "line 3: found 'MOTION', expected HIERARCHY"},
        {"HIERARCHY\nMOTION\n", OSSA_CODE_BAD_VALUE, "line 2: found 'MOTION', expected ROOT"},
        {"HIERARCHY\r\nROOT a\r\nOFFSET", OSSA_CODE_BAD_VALUE,
         "line 3: found 'OFFSET', expected '{'"},
        {"HIERARCHY\rROOT a\r{\rOFFSET 1 2 x", OSSA_CODE_BAD_VALUE,
         "line 4: found 'x', expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 2 1e", OSSA_CODE_BAD_VALUE,
         "line 3: found '1e', expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET 1,5 2 3", OSSA_CODE_BAD_VALUE,
         "line 3: found '1,5', expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET nan 2 3", OSSA_CODE_BAD_VALUE,
         "line 3: found 'nan', expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 +-2 3", OSSA_CODE_BAD_VALUE,
         "line 3: found '+-2', expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 . 3", OSSA_CODE_BAD_VALUE,
         "line 3: found '.', expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 1e39 3", OSSA_CODE_BAD_VALUE,
         "line 3: the number is too large for a 32-bit float"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 -3.5e38 3", OSSA_CODE_BAD_VALUE,
         "line 3: the number is too large for a 32-bit float"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 2", OSSA_CODE_TRUNCATED,
         "line 3: the text ends, expected a number"},
        {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nOFFSET 1 2 3}", OSSA_CODE_BAD_VALUE,
         "line 4: the joint has OFFSET twice"},
        {"HIERARCHY\nROOT a {\nCHANNELS 1 Xrotation\nCHANNELS 1 Yrotation", OSSA_CODE_BAD_VALUE,
         "line 4: the joint has CHANNELS twice"},
        {"HIERARCHY\nROOT a {\nCHANNELS 7", OSSA_CODE_BAD_VALUE,
         "line 3: 7 channels of a joint, at most 6 are known"},
        {"HIERARCHY\nROOT a {\nCHANNELS 1.5", OSSA_CODE_BAD_VALUE, "line 3: 1.5 is not a count"},
        {"HIERARCHY\nROOT a {\nCHANNELS -1", OSSA_CODE_BAD_VALUE, "line 3: -1 is not a count"},
        {"HIERARCHY\nROOT a {\nCHANNELS 1 Xscale", OSSA_CODE_BAD_VALUE,
         "line 3: found 'Xscale', expected a channel such as Xposition or Zrotation"},
        {"HIERARCHY\nROOT a {\nCHANNELS 2 Xrotation\nXrotation", OSSA_CODE_BAD_VALUE,
         "line 4: the joint has the channel Xrotation twice"},
        {"HIERARCHY\nROOT a {\nROOT b {", OSSA_CODE_BAD_VALUE,
         "line 3: found 'ROOT', expected JOINT, End Site, OFFSET, CHANNELS or '}'"},
        {"HIERARCHY\nROOT a {\nEnd Site {\nCHANNELS", OSSA_CODE_BAD_VALUE,
         "line 4: found 'CHANNELS', expected OFFSET or '}' of an End Site"},
        {"HIERARCHY\nROOT a {\n}\n}", OSSA_CODE_BAD_VALUE,
         "line 4: found '}', expected ROOT or "
         "MOTION"},
        {"HIERARCHY\nROOT a {", OSSA_CODE_TRUNCATED,
         "line 2: the text ends, expected JOINT, End Site, OFFSET, CHANNELS or '}'"},
        {HEAD "MOTION\nFrame Time: 1", OSSA_CODE_BAD_VALUE,
         "line 8: found 'Frame', expected "
         "Frames:"},
        {HEAD "MOTION\nFrames: x", OSSA_CODE_BAD_VALUE, "line 8: found 'x', expected a number"},
        {HEAD "MOTION\nFrames: 1\nFrames", OSSA_CODE_BAD_VALUE,
         "line 9: found 'Frames', expected Frame Time:"},
        {HEAD "MOTION\nFrames: 1\nFrame Time: 0\n1", OSSA_CODE_BAD_VALUE,
         "line 9: 0 s is not the time of a frame"},
        {HEAD "MOTION\nFrames: 1\nFrame Time: -1\n1", OSSA_CODE_BAD_VALUE,
         "line 9: -1 s is not the time of a frame"},
        {HEAD "MOTION\nFrames: 1\nFrame Time: 1e-30\n1", OSSA_CODE_BAD_VALUE,
         "line 9: 1e-30 s is not the time of a frame"},
        {HEAD "MOTION\nFrames: 0\nFrame Time: 1\n", OSSA_CODE_BAD_VALUE,
         "line 8: there is no motion: no frames"},
        {"HIERARCHY\nROOT a {}\nMOTION\nFrames: 4\nFrame Time: 1\n", OSSA_CODE_BAD_VALUE,
         "line 4: there is no motion: no joint has channels"},
        {HEAD "MOTION\nFrames: 4000000000\nFrame Time: 1\n1\n2\n3\n", OSSA_CODE_BAD_COUNT,
         "line 8: 4000000000 frames of 1 numbers each are more than the file has room for"},
        {HEAD "MOTION\nFrames: 5000000000\nFrame Time: 1\n1\n2\n3\n", OSSA_CODE_BAD_VALUE,
         "line 8: 5e+09 is not a count"},
        {HEAD "MOTION\nFrames: 3\nFrame Time: 1\n1.0\n2.0\n", OSSA_CODE_TRUNCATED,
         "line 12: the text ends after 2 of 3 frames"},
        {HEAD "MOTION\nFrames: 2\nFrame Time: 1\n1\n\n2 3\n", OSSA_CODE_BAD_COUNT,
         "line 12: frame 1 has more numbers than the joints have channels, 1"},
        {"HIERARCHY\nROOT a {CHANNELS 2 Xposition Yposition}\nMOTION\nFrames: 2\nFrame Time: 1\n"
         "1 2\n3  \n",
         OSSA_CODE_BAD_COUNT, "line 7: frame 1 has 1 numbers, but the joints have 2 channels"},
        {HEAD "MOTION\nFrames: 1\nFrame Time: 1\n1x\n", OSSA_CODE_BAD_VALUE,
         "line 10: found '1x', expected a number"},
        {HEAD "MOTION\nFrames: 1\nFrame Time: 1\n1\n2\n", OSSA_CODE_TRAILING_BYTES,
         "line 11: more text follows the 1 frames that 'Frames:' states"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        require_motion_refused(read_as_bvh, cases[i].text, cases[i].code, "", cases[i].message);
    }
    struct motion_file file;
    motion_open(&file, read_as_bvh, "HIERARCHY\nROOT a\0", 17, NULL);
    assert_string_equal(file.context.error.message, "line 2: a NUL, which is not text");
    assert_int_equal(file.context.error.code, OSSA_CODE_EMBEDDED_NUL);
    assert_true(file.context.error.has_offset);
    assert_int_equal(file.context.error.offset, 16);
    motion_close(&file);
}

/* ---- hostile files ------------------------------------------------------------------------- */

static void damaged_files(void **state)
{
    (void)state;
    struct bytes text =
        text_of("HIERARCHY\nROOT a\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition "
                "Zrotation Xrotation Yrotation\n JOINT b\n {\n  OFFSET 1 0 0\n  CHANNELS 3 "
                "Yrotation Xrotation Zrotation\n  End Site\n  {\n   OFFSET 1 0 0\n  }\n }\n}\n"
                "MOTION\nFrames: 2\nFrame Time: 0.04\n1 2 3 4 5 6 7 8 9\n-1 .5 1e1 4 5 6 7 8 0.25");
    require_motion_survives("small", read_as_bvh, &text);
    bytes_free(&text);
}

/* A joint in a joint in a joint: neither recursion nor quadratic time. */
static void deep_joints(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    struct bytes text = text_of("HIERARCHY ROOT r {");
    for (unsigned i = 0; i < DEPTH; i++) put_text(&text, "JOINT j {");
    put_text(&text, "CHANNELS 1 Xrotation");
    put_repeated(&text, '}', DEPTH + 1);
    put_text(&text, "MOTION Frames: 1 Frame Time: 1\n5");
    const ossa_options options = {.max_memory = UINT64_C(1) << 30};
    struct motion_file file;
    motion_open(&file, read_as_bvh, text.data, text.size, &options);
    assert_non_null(file.motion);
    assert_int_equal(file.motion->node_count, DEPTH + 1);
    assert_int_equal(file.motion->nodes[DEPTH].parent, DEPTH - 1);
    motion_close(&file);
    motion_open(&file, read_as_bvh, text.data, text.size - DEPTH, &options); /* open to the end */
    assert_null(file.motion);
    motion_close(&file);
    bytes_free(&text);
}

/* Memory is bounded by the size of the file, and a line without an end is only long. */
static void endless_lines(void **state)
{
    (void)state;
    enum { LENGTH = 4000000 };
    static const char *const starts[] = {"HIERARCHY ROOT ", "HIERARCHY ROOT a {OFFSET ",
                                         HEAD "MOTION Frames: 2000000 Frame Time: 1\n",
                                         HEAD "MOTION Frames: 1 Frame Time: 1\n"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        struct bytes text = text_of(starts[i]);
        put_repeated(&text, '1', LENGTH);
        struct motion_file file;
        motion_open(&file, read_as_bvh, text.data, text.size, NULL);
        assert_null(file.motion);
        assert_true(file.context.error.code == OSSA_CODE_TRUNCATED ||
                    file.context.error.code == OSSA_CODE_BAD_VALUE);
        motion_close(&file);
        bytes_free(&text);
    }
    struct bytes text = text_of("");
    put_repeated(&text, '{', LENGTH);
    struct motion_file file;
    motion_open(&file, read_as_bvh, text.data, text.size, NULL);
    assert_int_equal(file.context.error.code, OSSA_CODE_LIMIT);
    motion_close(&file);
    bytes_free(&text);
}

TEST_GROUP(test_import_bvh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_come_back),
        cmocka_unit_test(made_scenes_come_back),
        cmocka_unit_test(all_orders_of_channels),
        cmocka_unit_test(layouts_differ),
        cmocka_unit_test(names_of_clips),
        cmocka_unit_test(rates),
        cmocka_unit_test(rotations_stay_on_one_side),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(deep_joints),
        cmocka_unit_test(endless_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
