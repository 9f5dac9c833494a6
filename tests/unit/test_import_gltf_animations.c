/* SPDX-License-Identifier: MIT
 *
 * The animations of glTF documents made by hand: every kind of curve and of accessor. */
#include "support/gltf_text.h"

#include <stdio.h>
#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"
#define ACCESSOR_OF(view, component, count, type)                                                  \
    "{'bufferView':" #view ",'componentType':" #component ",'count':" #count ",'type':'" #type "'" \
    "}"

/* ---- animations ---------------------------------------------------------------------------- */

static void every_kind_of_curve(void **state)
{
    (void)state;
    struct bytes bin = {0};
    for (size_t i = 0; i < 2; i++) put_f32(&bin, (float)i * 0.5F); /* times, at 0 */
    for (size_t i = 0; i < 24; i++) put_f32(&bin, (float)(i + 1)); /* at 8 */
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET ",'buffers':[{'byteLength':104}],'bufferViews':[{'buffer'"
        ":0,'byteLength':8},"
        "{'buffer':0,'byteOffset':8,'byteLength':96}],'accessors':"
        "[" ACCESSOR_OF(0, 5126, 2, SCALAR) "," ACCESSOR_OF(1, 5126, 2, VEC3) "," ACCESSOR_OF(
            1, 5126, 6, VEC4) ","
                              "{'bufferView':1,'byteOffset':4,'"
                              "componentType':5126,'count':2,'type':"
                              "'"
                              "VEC4'}],"
                              "'nodes':[{'children':[1]},{}],"
                              "'animations':[{'name':'walk','"
                              "samplers':"
                              "[{'input':0,'output':1},{'input':0,'"
                              "output':2,"
                              "'interpolation':'CUBICSPLINE'},{'"
                              "input':"
                              "0,'output':3,'interpolation':'STEP'},"
                              "{'"
                              "input':0,"
                              "'output':1,'interpolation':'LINEAR'}]"
                              ",'"
                              "channels':["
                              "{'sampler':0,'target':{'node':1,'"
                              "path':'"
                              "translation'}},"
                              "{'sampler':1,'target':{'node':1,'"
                              "path':'"
                              "rotation'}},"
                              "{'sampler':2,'target':{'node':0,'"
                              "path':'"
                              "rotation'}},"
                              "{'sampler':3,'target':{'node':0,'"
                              "path':'"
                              "scale'}}]},"
                              "{'samplers':[{'input':0,'output':1}],"
                              "'"
                              "channels':[{'sampler':0,'target':{'"
                              "node'"
                              ":1,"
                              "'path':'translation'}}],'extras':{'"
                              "frames':31,'fps':29.5}}]}",
        &bin);
    assert_int_equal(motion->clip_count, 2);
    const struct ossa__motion_clip *walk = &motion->clips[0];
    assert_string_equal(walk->name, "walk");
    assert_int_equal(walk->curve_count, 4);
    assert_true(walk->fps == 0.0 && walk->frame_count == 0);
    static const struct {
        uint32_t node, target, interpolation, width, first, count;
    } wanted[] = {
        {1, OSSA__MOTION_TRANSLATION, OSSA__MOTION_LINEAR, 3, 1, 6},
        {1, OSSA__MOTION_ROTATION, OSSA__MOTION_CUBIC, 4, 1, 24},
        {0, OSSA__MOTION_ROTATION, OSSA__MOTION_STEP, 4, 2, 8},
        {0, OSSA__MOTION_SCALE, OSSA__MOTION_LINEAR, 3, 1, 6},
    };
    for (size_t i = 0; i < 4; i++) {
        const struct ossa__motion_curve *curve = &walk->curves[i];
        assert_int_equal(curve->node, wanted[i].node);
        assert_int_equal(curve->target, wanted[i].target);
        assert_int_equal(curve->interpolation, wanted[i].interpolation);
        assert_int_equal(curve->width, wanted[i].width);
        assert_int_equal(curve->key_count, 2);
        gltf_require_floats(curve->times, (const float[2]){0.0F, 0.5F}, 2);
        for (uint32_t k = 0; k < wanted[i].count; k++) {
            assert_true(curve->values[k] == (float)(wanted[i].first + k));
        }
    }
    /* What is shared in the file is shared in memory. */
    assert_ptr_equal(walk->curves[0].times, walk->curves[1].times);
    assert_ptr_equal(walk->curves[0].values, walk->curves[3].values);
    const struct ossa__motion_clip *unnamed = &motion->clips[1];
    assert_string_equal(unnamed->name, "");
    assert_true(unnamed->fps == 29.5);
    assert_int_equal(unnamed->frame_count, 31);
    assert_ptr_equal(unnamed->curves[0].values, walk->curves[0].values);
    bytes_free(&bin);
    gltf_free(&reading);
}

/* Tangents are not rotations: those of a key that rests are 0. */
static void tangents_may_be_zero(void **state)
{
    (void)state;
    struct bytes bin = {0};
    put_repeated(&bin, 0, 12 * 4);
    for (size_t i = 4; i < 8; i++) set_f32(&bin, 4 * i, 0.5F);
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET
        "," VIEW_OF(48) ",'accessors':[" ACCESSOR_OF(0, 5126, 1, SCALAR) "," ACCESSOR_OF(
            0, 5126, 3, VEC4) "],'nodes':[{}],'animations':[{'samplers':[{'input':0,"
                              "'output':1,'interpolation':'CUBICSPLINE'}],'channels':[{'sampler':0,"
                              "'target':{'node':0,"
                              "'path':'rotation'}}]}]}",
        &bin);
    gltf_require_floats(motion->clips[0].curves[0].values + 4, (const float[4]){.5F, .5F, .5F, .5F},
                        4);
    bytes_free(&bin);
    gltf_free(&reading);
}

/* Extras of other programs are not ours. */
static void foreign_extras_are_ignored(void **state)
{
    (void)state;
    static const char *const extras[] = {
        "7",
        "{'frames':'many','fps':30}",
        "{'frames':0,'fps':30}",
        "{'frames':5000000000,'fps':30}",
        "{'frames':2.5,'fps':30}",
        "{'frames':3,'fps':0}",
        "{'frames':3,'fps':-30}",
        "{'frames':3,'fps':[30]}",
        "{'frames':3}",
    };
    for (size_t i = 0; i < sizeof extras / sizeof extras[0]; i++) {
        struct gltf_reading reading = {0};
        char text[256];
        (void)snprintf(text, sizeof text,
                       "{'asset':{'version':'2.0','extras':%s},'extras':%s,'animations':[{"
                       "'channels':[],'samplers':[],'extras':%s}]}",
                       extras[i], extras[i], extras[i]);
        const struct ossa__motion *motion = gltf_read_text(&reading, text, NULL);
        assert_true(motion->clips[0].fps == 0.0);
        assert_int_equal(motion->clips[0].frame_count, 0);
        assert_int_equal(motion->option_count, 0);
        gltf_free(&reading);
    }
}

/* Normalised integers, as the specification defines them. */
static void rotations_may_be_integers(void **state)
{
    (void)state;
    static const struct {
        int component;
        int values[4];
        float wanted[4];
    } cases[] = {
        {5120, {-128, -127, 0, 127}, {-1.0F, -1.0F, 0.0F, 1.0F}},
        {5121, {0, 51, 102, 255}, {0.0F, 0.2F, 0.4F, 1.0F}},
        {5122, {-32768, -32767, 16384, 1}, {-1.0F, -1.0F, 16384.0F / 32767.0F, 1.0F / 32767.0F}},
        {5123, {0, 65535, 13107, 1}, {0.0F, 1.0F, 0.2F, 1.0F / 65535.0F}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes bin = {0};
        struct gltf_reading reading = {0};
        char text[1024];
        put_f32(&bin, 2.0F);
        for (size_t k = 0; k < 4; k++) {
            uint32_t value = (uint32_t)cases[i].values[k];
            if (cases[i].component < 5122) put_u8(&bin, value & 255);
            else put_u16(&bin, value & 65535);
        }
        (void)snprintf(text, sizeof text,
                       "{" GLTF_ASSET ",'buffers':[{'byteLength':%u}],'bufferViews':[{'buffer':0,"
                       "'byteLength':%u}],'accessors':[{'bufferView':0,'componentType':5126,"
                       "'count':1,'type':'SCALAR'},{'bufferView':0,'byteOffset':4,"
                       "'componentType':%d,'normalized':true,'count':1,'type':'VEC4'}],"
                       "'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1}],"
                       "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]}",
                       (unsigned)bin.size, (unsigned)bin.size, cases[i].component);
        const struct ossa__motion *motion = gltf_read_text(&reading, text, &bin);
        const struct ossa__motion_curve *curve = &motion->clips[0].curves[0];
        assert_int_equal(curve->key_count, 1);
        assert_true(curve->times[0] == 2.0F);
        gltf_require_floats(curve->values, cases[i].wanted, 4);
        bytes_free(&bin);
        gltf_free(&reading);
    }
}

/* Elements that stand apart, and elements that are listed one by one. */
static void strides_and_sparse_accessors(void **state)
{
    (void)state;
    struct bytes bin = {0};
    for (size_t i = 0; i < 12; i++) put_f32(&bin, (float)i); /* 3 of 16 bytes */
    put_u16(&bin, 0);                                        /* at 48: indices */
    put_u16(&bin, 2);
    for (size_t i = 0; i < 6; i++) put_f32(&bin, 100.0F + (float)i); /* at 52 */
    put_u8(&bin, 1);                                                 /* at 76 */
    put_repeated(&bin, 0, 3);
    put_u32(&bin, 2); /* at 80 */
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET ",'buffers':[{'byteLength':84}],'bufferViews':[{'buffer':0,'byteLength':48,"
        "'byteStride':16},{'buffer':0,'byteOffset':48,'byteLength':36}],'accessors':["
        /* 0: the first of each four; 1: the others, with two replaced */
        "{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR'},"
        "{'bufferView':0,'byteOffset':4,'componentType':5126,'count':3,'type':'VEC3',"
        "'sparse':{'count':2,'indices':{'bufferView':1,'componentType':5123},"
        "'values':{'bufferView':1,'byteOffset':4}}},"
        /* 2: nothing but what is listed; 3: nothing */
        "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,'indices':{"
        "'bufferView':1,'byteOffset':28,'componentType':5121},'values':{'bufferView':1,"
        "'byteOffset':4}}},{'componentType':5126,'count':3,'type':'VEC3'},"
        /* 4: with an index of 32 bits */
        "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,'indices':{"
        "'bufferView':1,'byteOffset':32,'componentType':5125},'values':{'bufferView':1,"
        "'byteOffset':4}}}],"
        "'nodes':[{},{},{}],'animations':[{'samplers':[{'input':0,'output':1},{'input':0,"
        "'output':2},{'input':0,'output':3},{'input':0,'output':4}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'scale'}},"
        "{'sampler':1,'target':{'node':1,'path':'scale'}},"
        "{'sampler':2,'target':{'node':2,'path':'scale'}},"
        "{'sampler':3,'target':{'node':2,'path':'translation'}}]}]}",
        &bin);
    const struct ossa__motion_curve *curves = motion->clips[0].curves;
    gltf_require_floats(curves[0].times, (const float[3]){0, 4, 8}, 3);
    gltf_require_floats(curves[0].values, (const float[9]){100, 101, 102, 5, 6, 7, 103, 104, 105},
                        9);
    gltf_require_floats(curves[1].values, (const float[9]){0, 0, 0, 100, 101, 102, 0, 0, 0}, 9);
    gltf_require_floats(curves[2].values, (const float[9]){0}, 9);
    gltf_require_floats(curves[3].values, (const float[9]){0, 0, 0, 0, 0, 0, 100, 101, 102}, 9);
    bytes_free(&bin);
    gltf_free(&reading);
}

/* KHR_animation_pointer: those that lead to nodes. */
static void pointers_to_nodes(void **state)
{
    (void)state;
    static const char *const pointers[] = {"/nodes/1/rotation",
                                           "/nodes/0/scale",
                                           "/nodes/01/translation",
                                           "/nodes/2/scale",
                                           "/nodes//scale",
                                           "/nodes/1",
                                           "/nodes/1/",
                                           "/nodes/",
                                           "/materials/0/alphaCutoff",
                                           "/nodes/18446744073709551617/scale",
                                           "/nodes/1/scale/0"};
    struct bytes bin = {0};
    put_f32(&bin, 0.0F);
    for (size_t i = 0; i < 4; i++) put_f32(&bin, 1.0F);
    char text[4096];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "{" GLTF_ASSET "," VIEW_OF(
            20) ",'extensionsRequired':['KHR_animation_pointer'],"
                "'accessors':[" ACCESSOR_OF(0, 5126, 1, SCALAR) "," ACCESSOR_OF(
                    0, 5126, 1, VEC3) "," ACCESSOR_OF(0, 5126, 1,
                                                      VEC4) "],'nodes':[{},{}],'animations':[{'"
                                                            "samplers':[{'input'"
                                                            ":0,"
                                                            "'output':2},{'input':0,'output':1}],"
                                                            "'channels':[");
    const size_t count = sizeof pointers / sizeof pointers[0];
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s{'sampler':%d,'target':{'path':'pointer','extensions':{"
                                 "'KHR_animation_pointer':{'pointer':'%s'}}}}",
                                 i == 0 ? "" : ",", i > 0, pointers[i]);
    }
    (void)snprintf(text + used, sizeof text - used, "]}]}");
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(&reading, text, &bin);
    const struct ossa__motion_clip *clip = &motion->clips[0];
    assert_int_equal(clip->curve_count, 3);
    assert_int_equal(clip->curves[0].node, 1);
    assert_int_equal(clip->curves[0].target, OSSA__MOTION_ROTATION);
    assert_int_equal(clip->curves[1].node, 0);
    assert_int_equal(clip->curves[1].target, OSSA__MOTION_SCALE);
    assert_int_equal(clip->curves[2].target, OSSA__MOTION_TRANSLATION);
    assert_int_equal(reading.log.count, count - 3);
    gltf_require_remark(&reading, 0, "animations[0].channels[3]",
                        "moves something other than a node, and is left out");
    bytes_free(&bin);
    gltf_free(&reading);
}

static void channels_without_a_use_are_left_out(void **state)
{
    (void)state;
    struct bytes bin = {0};
    for (size_t i = 0; i < 3; i++) put_f32(&bin, 1.0F);
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET "," VIEW_OF(
            12) ",'extensionsRequired':['KHR_texture_transform',"
                "'KHR_mesh_quantization'],'scene':0,'scenes':[{'nodes':[0]}],"
                "'accessors':[" ACCESSOR_OF(0, 5126, 1, SCALAR) "," ACCESSOR_OF(
                    0, 5126, 1, VEC3) "],"
                                      "'nodes':[{},{}],'animations':[{'samplers':[{'input':0,'"
                                      "output':1}],'channels':["
                                      "{'sampler':0,'target':{'path':'scale'}},"
                                      "{'sampler':0,'target':{'node':0,'path':'colour'}},"
                                      "{'sampler':0,'target':{'node':0,'path':'weights'}},"
                                      "{'sampler':0,'target':{'node':1,'path':'scale'}},"
                                      "{'sampler':0,'target':{'node':0,'path':'scale'}}]}]}",
        &bin);
    assert_int_equal(motion->clips[0].curve_count, 1);
    assert_int_equal(motion->clips[0].curves[0].target, OSSA__MOTION_SCALE);
    assert_int_equal(reading.log.count, 6);
    gltf_require_remark(&reading, 0, "extensionsRequired", "'KHR_texture_transform' is not read");
    gltf_require_remark(&reading, 1, "nodes",
                        "1 of 2 are not in the scene that is shown, and are left out");
    gltf_require_remark(&reading, 2, "animations[0].channels[0]", "moves no node, and is left out");
    gltf_require_remark(&reading, 3, "animations[0].channels[1]",
                        "moves something other than a node, and is left out");
    gltf_require_remark(&reading, 4, "animations[0].channels[2]",
                        "weighs the morph targets of a node that has none, and is left out");
    gltf_require_remark(&reading, 5, "animations[0].channels[3]",
                        "moves a node that is not in the scene, and is left out");
    bytes_free(&bin);
    gltf_free(&reading);
}

TEST_GROUP(test_import_gltf_animations)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_curve),
        cmocka_unit_test(tangents_may_be_zero),
        cmocka_unit_test(foreign_extras_are_ignored),
        cmocka_unit_test(rotations_may_be_integers),
        cmocka_unit_test(strides_and_sparse_accessors),
        cmocka_unit_test(pointers_to_nodes),
        cmocka_unit_test(channels_without_a_use_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
