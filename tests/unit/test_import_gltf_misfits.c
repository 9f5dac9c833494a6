/* SPDX-License-Identifier: MIT
 *
 * glTF whose parts do not fit together: skins, meshes and animations that are refused, and where
 * the message says that is. */
#include "support/gltf_text.h"

#include <stdio.h>
#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"

struct refusal {
    const char *text; /* of the document behind its asset */
    const char *field;
    const char *message;
};

static void require_refusals(const struct refusal *refusals, size_t count, const struct bytes *bin)
{
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        int n = snprintf(text, sizeof text, "{" GLTF_ASSET ",%s}", refusals[i].text);
        assert_true(n > 0 && (size_t)n < sizeof text);
        gltf_require_refusal(text, bin, refusals[i].field, refusals[i].message);
    }
}

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Floats, with 16 bits of integers behind them:
 *
 *     0   2 times: 0, 1         20  2 times that do not rise: 2, 2
 *     8   3 numbers             28  16 zeros
 */
static struct bytes make_numbers(void)
{
    static const float numbers[] = {0, 1, 7, 8, 9, 2, 2};
    struct bytes bin = {0};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) put_f32(&bin, numbers[i]);
    put_repeated(&bin, 0, 64);
    put_f32(&bin, -0.25F); /* at 92 */
    put_f32(&bin, 1.0F);
    return bin;
}

#define AT(offset, component, count, type)                                                         \
    "{'bufferView':0,'byteOffset':" #offset ",'componentType':" #component ",'count':" #count      \
    ",'type':'" #type "'}"

#define NUMBERS                                                                                    \
    VIEW_OF(100)                                                                                   \
    ",'accessors':[" AT(0, 5126, 2, SCALAR) "," /* 0: times */                                     \
        AT(8, 5126, 2, VEC3) ","                /* 1: values */                                    \
        AT(20, 5126, 2, SCALAR) ","             /* 2: times that do not rise */                    \
        AT(92, 5126, 2, SCALAR) ","             /* 3: times before 0 */                            \
        AT(28, 5126, 2, VEC4) ","               /* 4: rotations without a length */                \
        AT(8, 5122, 2, VEC3) ","                /* 5: integers */                                  \
        AT(0, 5126, 3, VEC3) ","                /* 6: one value too many */                        \
        AT(0, 5126, 1, MAT4) ","                /* 7 */                                            \
        AT(28, 5126, 6, SCALAR) ","             /* 8 */                                            \
        AT(0, 5126, 6, VEC4) "]"                /* 9: rotations that have tangents */

/* ---- skins and meshes ---------------------------------------------------------------------- */

static void skins_of_other_nodes(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"'nodes':[{}],'skins':[{}]", "skins[0].joints", "is missing"},
        {"'nodes':[{}],'skins':[{'joints':[0,1]}]", "skins[0].joints[1]",
         "1 is not an index of nodes, of which there are 1"},
        {"'nodes':[{}],'skins':[5]", "skins[0]", "found an integer, expected an object"},
        {"'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]",
         "skins[0].inverseBindMatrices", "0 is not an index of accessors, of which there are 0"},
        {NUMBERS ",'nodes':[{},{}],'skins':[{'joints':[0,1],'inverseBindMatrices':7}]",
         "skins[0].inverseBindMatrices", "accessor 7 has 1 elements, expected 2: one per joint"},
    };
    struct bytes bin = make_numbers();
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

#define MESH(members) NUMBERS ",'nodes':[{'mesh':0}],'meshes':[{" members "}]"

static void meshes_whose_targets_differ(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"'nodes':[{'mesh':0}]", "nodes[0].mesh",
         "0 is not an index of meshes, of which there are 0"},
        {MESH(""), "meshes[0].primitives", "is missing"},
        {MESH("'primitives':[{'targets':[{}]}]"), "meshes[0].primitives[0].attributes",
         "is missing"},
        {MESH("'primitives':[{'attributes':{},'targets':[{}]},{'attributes':{},"
              "'targets':[{},{}]}]"),
         "meshes[0].primitives[1]", "has 2 morph targets, and the first one 1"},
        {MESH("'primitives':[{'attributes':{}},{'attributes':{},'targets':[{}]}]"),
         "meshes[0].primitives[1]", "has 1 morph targets, and the first one 0"},
        {MESH("'primitives':[{'attributes':{'POSITION':1},'targets':[{'POSITION':6}]}]"),
         "meshes[0].primitives[0].targets[0]",
         "accessor 6 has 3 elements, expected 2: one per vertex"},
        {MESH("'primitives':[{'attributes':{'POSITION':0},'targets':[{}]}]"),
         "meshes[0].primitives[0].attributes.POSITION",
         "accessor 0 is of type SCALAR, expected VEC3"},
        {MESH("'weights':[1],'primitives':[{'attributes':{},'targets':[{},{}]}]"),
         "meshes[0].weights", "has 1 items, expected 2"},
        {NUMBERS ",'nodes':[{'mesh':0,'weights':[]}],'meshes':[{'primitives':[{'attributes':{},"
                 "'targets':[{}]}]}]",
         "nodes[0].weights", "has 0 items, expected 1"},
    };
    struct bytes bin = make_numbers();
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

/* ---- animations ---------------------------------------------------------------------------- */

#define TO(path) "{'sampler':0,'target':{'node':0,'path':'" path "'}}"
#define ANIMATION(samplers, channels)                                                              \
    NUMBERS ",'nodes':[{'name':'hand'}],'animations':[{'samplers':[" samplers                      \
            "],'channels':[" channels "]}]"
#define INPUT  "animations[0].samplers[0].input"
#define OUTPUT "animations[0].samplers[0].output"

static void channels_without_a_sampler(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"'animations':[{}]", "animations[0].channels", "is missing"},
        {ANIMATION("", "{}"), "animations[0].channels[0].target", "is missing"},
        {ANIMATION("", "{'target':{}}"), "animations[0].channels[0].target.path", "is missing"},
        {ANIMATION("", "{'target':{'node':0,'path':'scale'}}"), "animations[0].channels[0].sampler",
         "is missing"},
        {ANIMATION("", TO("scale")), "animations[0].channels[0].sampler",
         "0 is not an index of samplers, of which there are 0"},
        {ANIMATION("", "{'sampler':0,'target':{'node':1,'path':'scale'}}"),
         "animations[0].channels[0].target.node",
         "1 is not an index of nodes, of which there are 1"},
        {ANIMATION("", "{'sampler':0,'target':{'path':'pointer'}}"),
         "animations[0].channels[0].target.extensions", "is missing"},
        {ANIMATION("{'input':0,'output':1}", TO("scale") "," TO("translation") "," TO("scale")),
         "animations[0].channels[2]", "moves the scale of 'hand', as channels[0] does"},
        {ANIMATION("{'input':0,'output':1}",
                   TO("scale") ",{'sampler':0,'target':{'path':'pointer','extensions':{"
                               "'KHR_animation_pointer':{'pointer':'/nodes/0/scale'}}}}"),
         "animations[0].channels[1]", "moves the scale of 'hand', as channels[0] does"},
    };
    struct bytes bin = make_numbers();
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

static void keys_that_do_not_fit(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {ANIMATION("{}", TO("scale")), INPUT, "is missing"},
        {ANIMATION("{'input':0}", TO("scale")), OUTPUT, "is missing"},
        {ANIMATION("{'input':1,'output':1}", TO("scale")), INPUT,
         "accessor 1 is of type VEC3, expected SCALAR"},
        {ANIMATION("{'input':2,'output':1}", TO("scale")), INPUT,
         "accessor 2: key 1 is at 2 s, expected more than 2"},
        {ANIMATION("{'input':3,'output':1}", TO("scale")), INPUT,
         "accessor 3 begins at -0.25 s, expected 0 or more"},
        {ANIMATION("{'input':0,'output':1,'interpolation':'CURVY'}", TO("scale")),
         "animations[0].samplers[0].interpolation", "is none of LINEAR, STEP and CUBICSPLINE"},
        {ANIMATION("{'input':0,'output':1}", TO("rotation")), OUTPUT,
         "accessor 1 is of type VEC3, expected VEC4"},
        {ANIMATION("{'input':0,'output':4}", TO("rotation")), OUTPUT,
         "accessor 4: the rotation of key 0 has the length 0"},
        {ANIMATION("{'input':0,'output':9,'interpolation':'CUBICSPLINE'}", TO("rotation")), OUTPUT,
         "accessor 9: the rotation of key 1 has the length 0"},
        {ANIMATION("{'input':0,'output':5}", TO("scale")), OUTPUT,
         "accessor 5 has the componentType 5122, expected 5126 (floats)"},
        {ANIMATION("{'input':0,'output':6}", TO("scale")), OUTPUT,
         "accessor 6 has 3 elements, expected 2 for 2 keys"},
        {ANIMATION("{'input':0,'output':1,'interpolation':'CUBICSPLINE'}", TO("scale")), OUTPUT,
         "accessor 1 has 2 elements, expected 6 for 2 keys"},
        {NUMBERS ",'meshes':[{'primitives':[{'attributes':{},'targets':[{},{}]}]}],'nodes':[{"
                 "'mesh':0}],'animations':[{'samplers':[{'input':0,'output':8}],'channels':[" TO(
                     "weights") "]}]",
         OUTPUT, "accessor 8 has 6 elements, expected 4 for 2 keys"},
    };
    struct bytes bin = make_numbers();
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

/* ---- containers ---------------------------------------------------------------------------- */

static void require_glb_refused(const struct bytes *glb, ossa_code code, uint64_t offset,
                                const char *field, const char *message)
{
    struct gltf_reading reading = {0};
    assert_null(gltf_read(&reading, glb->data, glb->size));
    const ossa_error *error = &reading.context.error;
    assert_string_equal(error->message, message);
    assert_string_equal(error->field, field);
    assert_int_equal(error->code, code);
    assert_true(error->has_offset);
    assert_int_equal(error->offset, offset);
    gltf_free(&reading);
}

static void containers_with_wrong_sizes(void **state)
{
    (void)state;
    struct bytes glb = gltf_glb("{" GLTF_ASSET "}   ", NULL); /* 20 and 32 bytes */
    assert_int_equal(glb.size, 52);
    set_u32(&glb, 4, 1);
    require_glb_refused(&glb, OSSA_CODE_BAD_VALUE, 4, "version", "is glTF 1, expected 2");
    set_u32(&glb, 4, 2);
    set_u32(&glb, 8, 53);
    require_glb_refused(&glb, OSSA_CODE_SIZE_MISMATCH, 8, "length",
                        "says 53 bytes, and the file has 52");
    set_u32(&glb, 8, 11);
    require_glb_refused(&glb, OSSA_CODE_SIZE_MISMATCH, 8, "length",
                        "says 11 bytes, and the file has 52");
    set_u32(&glb, 8, 12);
    require_glb_refused(&glb, OSSA_CODE_TRUNCATED, 12, "chunks[0].size", "needs 4 bytes, 0 left");
    set_u32(&glb, 8, 52);
    set_u32(&glb, 12, 33);
    require_glb_refused(&glb, OSSA_CODE_TRUNCATED, 20, "chunks[0].bytes",
                        "needs 33 bytes, 32 left");
    set_u32(&glb, 12, 32);
    set_u8(&glb, 16, 'B');
    require_glb_refused(&glb, OSSA_CODE_BAD_VALUE, 16, "chunks[0].type",
                        "found 0x4e4f5342, expected 0x4e4f534a (JSON)");
    set_u8(&glb, 16, 'J');
    set_u32(&glb, 12, 30); /* then a chunk begins that is not there */
    require_glb_refused(&glb, OSSA_CODE_TRUNCATED, 50, "chunks[1].size", "needs 4 bytes, 2 left");
    bytes_free(&glb);
    struct gltf_reading reading = {0};
    glb = gltf_glb("", NULL);
    assert_null(gltf_read(&reading, glb.data, glb.size));
    assert_int_equal(reading.context.error.code, OSSA_CODE_EMPTY_FILE);
    gltf_free(&reading);
    bytes_free(&glb);
}

TEST_GROUP(test_import_gltf_misfits)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skins_of_other_nodes),
        cmocka_unit_test(meshes_whose_targets_differ),
        cmocka_unit_test(channels_without_a_sampler),
        cmocka_unit_test(keys_that_do_not_fit),
        cmocka_unit_test(containers_with_wrong_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
