/* SPDX-License-Identifier: MIT
 *
 * The meshes of glTF documents made by hand, and the places that buffers come from. */
#include "support/gltf_text.h"

#include <stdio.h>
#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"
#define ACCESSOR_OF(view, component, count, type)                                                  \
    "{'bufferView':" #view ",'componentType':" #component ",'count':" #count ",'type':'" #type "'" \
    "}"

/* ---- meshes -------------------------------------------------------------------------------- */

/* Two primitives of 2 and 1 vertices, with 2 targets each; weights of the mesh and of a node. */
static void meshes_with_targets(void **state)
{
    (void)state;
    struct bytes bin = {0};
    for (size_t i = 0; i < 12; i++) put_f32(&bin, (float)(i + 1)); /* at 0: 4 vertices */
    for (size_t i = 0; i < 4; i++) put_u16(&bin, i == 0 ? 65535 : (uint32_t)i); /* at 48 */
    for (size_t i = 0; i < 4; i++) put_u8(&bin, i == 0 ? 129 : 127);            /* at 56 */
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET
        "," VIEW_OF(60) ",'extensionsRequired':['KHR_mesh_quantization'],'accessors':"
                        "[" ACCESSOR_OF(
                            0, 5126, 2,
                            VEC3) "," /* 1 to 6 */
                                  "{'bufferView':0,'byteOffset':36,'componentType':5126,'count':"
                                  "1,'type':'VEC3'}"
                                  "," /* 10.. */
                                  "{'bufferView':0,'byteOffset':24,'componentType':5126,'count':"
                                  "2,'type':'VEC3'}"
                                  "," /* 7.. */
                                  "{'bufferView':0,'byteOffset':48,'componentType':5122,'count':"
                                  "1,'type':'VEC3'}"
                                  ","
                                  "{'bufferView':0,'byteOffset':56,'componentType':5120,'"
                                  "normalized':true,'"
                                  "count':1,"
                                  "'type':'VEC3'},{'bufferView':0,'byteOffset':0,'componentType':"
                                  "5126,'count':2,"
                                  "'type':'SCALAR'}],'meshes':[{'primitives':[{'attributes':{'"
                                  "POSITION':1}}]},"
                                  "{'name':'face','weights':[0.5,0],'primitives':["
                                  "{'attributes':{'POSITION':0,'NORMAL':99},'targets':[{'"
                                  "POSITION':2},{'NORMAL':"
                                  "99}]},"
                                  "{'attributes':{'POSITION':3},'targets':[{},{'POSITION':4}]}]},"
                                  "{'primitives':[{'attributes':{},'targets':[{}]}]}],"
                                  "'nodes':[{'mesh':0},{'mesh':1},{'mesh':1,'weights':[0,1]},{'"
                                  "mesh':1},{'mesh':"
                                  "2}],"
                                  "'animations':[{'samplers':[{'input':1,'output':5}],'channels':"
                                  "[]}]}",
        &bin);
    static const int32_t meshes[] = {-1, 0, 1, 0, 2};
    for (size_t i = 0; i < 5; i++) assert_int_equal(motion->nodes[i].mesh, meshes[i]);
    assert_int_equal(motion->mesh_count, 3);
    const struct ossa__motion_mesh *face = &motion->meshes[0];
    assert_string_equal(face->name, "face");
    assert_int_equal(face->vertex_count, 3);
    assert_int_equal(face->target_count, 2);
    gltf_require_floats(&face->positions[0][0], (const float[9]){1, 2, 3, 4, 5, 6, -1, 1, 2}, 9);
    gltf_require_floats(&face->targets[0][0], (const float[9]){7, 8, 9, 10, 11, 12, 0, 0, 0}, 9);
    gltf_require_floats(&face->targets[3][0], (const float[9]){0, 0, 0, 0, 0, 0, -1, 1, 1}, 9);
    gltf_require_floats(face->weights, (const float[2]){0.5F, 0.0F}, 2);
    gltf_require_floats(motion->meshes[1].weights, (const float[2]){0.0F, 1.0F}, 2);
    assert_ptr_equal(motion->meshes[1].targets, face->targets);
    assert_int_equal(motion->meshes[2].vertex_count, 0);
    assert_int_equal(motion->meshes[2].target_count, 1);
    gltf_require_floats(motion->meshes[2].weights, (const float[1]){0.0F}, 1);
    bytes_free(&bin);
    gltf_free(&reading);
}

static void weights_move_targets(void **state)
{
    (void)state;
    struct bytes bin = {0};
    for (size_t i = 0; i < 2; i++) put_f32(&bin, (float)i);
    for (size_t i = 0; i < 12; i++) put_u8(&bin, (uint32_t)i * 17);
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET "," VIEW_OF(20) ",'accessors':[" ACCESSOR_OF(
            0, 5126, 2,
            SCALAR) ","
                    "{'bufferView':0,'byteOffset':8,'componentType':5121,'normalized':true,'count':"
                    "4,"
                    "'type':'SCALAR'},{'bufferView':0,'byteOffset':8,'componentType':5121,"
                    "'normalized':true,'count':12,'type':'SCALAR'}],"
                    "'meshes':[{'primitives':[{'attributes':{},'targets':[{},{}]}]}],"
                    "'nodes':[{'mesh':0},{'mesh':0}],'animations':[{'samplers':[{'input':0,'output'"
                    ":1},"
                    "{'input':0,'output':2,'interpolation':'CUBICSPLINE'}],'channels':["
                    "{'sampler':0,'target':{'node':0,'path':'weights'}},"
                    "{'sampler':1,'target':{'node':1,'path':'weights'}}]}]}",
        &bin);
    const struct ossa__motion_curve *curves = motion->clips[0].curves;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(curves[i].target, OSSA__MOTION_WEIGHTS);
        assert_int_equal(curves[i].width, 2);
        assert_int_equal(curves[i].key_count, 2);
        for (size_t k = 0; k < (i == 0 ? 4 : 12); k++) {
            assert_true(curves[i].values[k] == (float)(k * 17) / 255.0F);
        }
    }
    bytes_free(&bin);
    gltf_free(&reading);
}

/* ---- buffers ------------------------------------------------------------------------------- */

#define KEYS                                                                                       \
    "'bufferViews':[{'buffer':0,'byteLength':12}],'accessors':[" ACCESSOR_OF(                      \
        0, 5126, 1,                                                                                \
        SCALAR) "," ACCESSOR_OF(0, 5126, 1,                                                        \
                                VEC3) "],'nodes':[{}],'animations':["                              \
                                      "{'samplers':[{'input':0,'output':1}],'channels':["          \
                                      "{'sampler':0,'target':{'node':0,"                           \
                                      "'path':'scale'}}]}]}"

static void require_keys(const struct ossa__motion *motion)
{
    gltf_require_floats(motion->clips[0].curves[0].times, (const float[1]){1.0F}, 1);
    gltf_require_floats(motion->clips[0].curves[0].values, (const float[3]){1.0F, 2.0F, -3.0F}, 3);
}

static void buffers_in_base64(void **state)
{
    (void)state;
    /* 1, 2, -3 as floats; with the escapes that some writers of JSON have, without padding, longer
     * than needed. */
    static const char *const uris[] = {
        "data:application/octet-stream;base64,AACAPwAAAEAAAEDA",
        "data:application\\/gltf-buffer;base64,AACAPwAAAEAAAEDA",
        "data:;base64,AACAPwAAAEAAAEDAAA==",
        "data:;base64,AACAPwAAAEAAAEDAAAA",
        "data:;base64,AACAPwAAAEAAAEDA++/=",
    };
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        struct gltf_reading reading = {0};
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "{" GLTF_ASSET ",'buffers':[{'byteLength':12,'uri':'%s'}]," KEYS, uris[i]);
        struct bytes document = gltf_quote(text);
        assert_non_null(gltf_read(&reading, document.data, document.size));
        require_keys(reading.motion);
        assert_int_equal(reading.fetches, 0);
        bytes_free(&document);
        gltf_free(&reading);
    }
}

static void buffers_in_files(void **state)
{
    (void)state;
    static const struct {
        const char *uri;
        const char *name;
    } cases[] = {
        {"walk.bin", "walk.bin"},       {"a%20b.bin", "a b.bin"},   {"100%25.bin", "100%.bin"},
        {"%25e2.bin", "%e2.bin"},       {"%zz%4.bin", "%zz%4.bin"}, {"%d0%B9.bin", "\xd0\xb9.bin"},
        {"..walk..bin", "..walk..bin"},
    };
    struct bytes bin = {0};
    put_f32(&bin, 1.0F);
    put_f32(&bin, 2.0F);
    put_f32(&bin, -3.0F);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gltf_reading reading = {.beside_name = cases[i].name, .beside = &bin};
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "{" GLTF_ASSET ",'buffers':[{'byteLength':12,'uri':'%s'},{'byteLength':12,"
                       "'uri':'not-needed.bin'}]," KEYS,
                       cases[i].uri);
        struct bytes document = gltf_quote(text);
        require(gltf_read(&reading, document.data, document.size) != NULL, cases[i].uri, "%s",
                reading.context.error.message);
        require_keys(reading.motion);
        assert_int_equal(reading.fetches, 1);
        bytes_free(&document);
        gltf_free(&reading);
    }
    bytes_free(&bin);
}

/* One file for two buffers is fetched once, and is input: the limit on memory grows with it. */
static void files_are_fetched_once(void **state)
{
    (void)state;
    enum { KEY_COUNT = 100000 };
    struct bytes bin = {0};
    for (uint32_t i = 0; i < KEY_COUNT; i++) put_f32(&bin, (float)i);
    struct gltf_reading reading = {.beside_name = "x", .beside = &bin};
    struct bytes document = gltf_quote(
        "{" GLTF_ASSET
        ",'buffers':[{'byteLength':400000,'uri':'x'},{'byteLength':400000,'uri':'%78'}],"
        "'bufferViews':[{'buffer':0,'byteLength':400000},{'buffer':1,'byteLength':400000}],"
        "'accessors':[" ACCESSOR_OF(0, 5126, 100000, SCALAR) "," ACCESSOR_OF(
            1, 5126, 33333,
            VEC3) ",{"
                  "'bufferView':1,'componentType':5126,'count':33333,'type':'SCALAR'},"
                  "{'componentType':5126,'count':100000,'type':'VEC3'}],"
                  "'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':3},{'input':2,'"
                  "output':1}],"
                  "'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}},"
                  "{'sampler':1,'target':{'node':0,'path':'translation'}}]}]}");
    assert_non_null(gltf_read(&reading, document.data, document.size));
    assert_int_equal(reading.fetches, 1);
    assert_int_equal(reading.context.options.max_memory,
                     (1 << 20) + 32 * (document.size + bin.size));
    assert_int_equal(reading.motion->clips[0].curves[0].key_count, KEY_COUNT);
    assert_true(reading.motion->clips[0].curves[1].values[99998] == 99998.0F);
    bytes_free(&document);
    bytes_free(&bin);
    gltf_free(&reading);
}

/* Chunks of other types, zeros behind the document, bytes behind the end. */
static void containers_with_more_in_them(void **state)
{
    (void)state;
    struct bytes bin = {0};
    put_f32(&bin, 1.0F);
    put_f32(&bin, 2.0F);
    put_f32(&bin, -3.0F);
    struct bytes glb = gltf_glb("{" GLTF_ASSET ",'buffers':[{'byteLength':12}]," KEYS, &bin);
    put_u32(&glb, 4);
    put_text(&glb, "MOREmore");
    set_u32(&glb, 8, (uint32_t)glb.size);
    size_t end = 19 + get_u32(&glb, 12);
    while (glb.data[end] == ' ') glb.data[end--] = 0;
    struct gltf_reading reading = {0};
    assert_non_null(gltf_read(&reading, glb.data, glb.size));
    require_keys(reading.motion);
    assert_int_equal(reading.log.count, 0);
    gltf_free(&reading);
    put_text(&glb, "tail");
    reading = (struct gltf_reading){0};
    assert_non_null(gltf_read(&reading, glb.data, glb.size));
    require_keys(reading.motion);
    assert_int_equal(reading.log.count, 1);
    assert_int_equal(reading.log.items[0].code, OSSA_CODE_TRAILING_BYTES);
    assert_int_equal(reading.log.items[0].offset, glb.size - 4);
    gltf_free(&reading);
    /* A second chunk of another type is not the buffer. */
    set_u8(&glb, 20 + get_u32(&glb, 12) + 4, 'b');
    reading = (struct gltf_reading){0};
    assert_null(gltf_read(&reading, glb.data, glb.size));
    assert_string_equal(reading.context.error.field, "buffers[0]");
    gltf_free(&reading);
    bytes_free(&glb);
    bytes_free(&bin);
}

TEST_GROUP(test_import_gltf_buffers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_with_targets),    cmocka_unit_test(weights_move_targets),
        cmocka_unit_test(buffers_in_base64),      cmocka_unit_test(buffers_in_files),
        cmocka_unit_test(files_are_fetched_once), cmocka_unit_test(containers_with_more_in_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
