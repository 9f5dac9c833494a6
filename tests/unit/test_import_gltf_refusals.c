/* SPDX-License-Identifier: MIT
 *
 * glTF that is refused: the message names the place and says what was expected. */
#include "support/gltf_text.h"

#include <stdio.h>
#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"
#define ACCESSOR_OF(view, component, count, type)                                                  \
    "{'bufferView':" #view ",'componentType':" #component ",'count':" #count ",'type':'" #type "'" \
    "}"

struct refusal {
    const char *text; /* of the document behind its asset */
    const char *field;
    const char *message;
};

/* Floats 0, 1, 2, 3, ... */
static struct bytes count_up(size_t count)
{
    struct bytes bin = {0};
    for (size_t i = 0; i < count; i++) put_f32(&bin, (float)i);
    return bin;
}

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

/* ---- the document -------------------------------------------------------------------------- */

static void what_is_not_gltf_2(void **state)
{
    (void)state;
    gltf_require_refusal("{", NULL, "",
                         "JSON line 1, column 5: the text ends, expected a key or '}'");
    gltf_require_refusal("[]", NULL, "", "found an array, expected an object");
    gltf_require_refusal("{}", NULL, "asset", "is missing");
    gltf_require_refusal("{'asset':{}}", NULL, "asset.version", "is missing");
    gltf_require_refusal("{'asset':{'version':2}}", NULL, "asset.version",
                         "found an integer, expected a string");
    gltf_require_refusal("{'asset':{'version':'1.0'}}", NULL, "asset.version",
                         "is glTF '1.0', expected 2.0");
    gltf_require_refusal("{'asset':{'version':'20'}}", NULL, "asset.version",
                         "is glTF '20', expected 2.0");
    gltf_require_refusal("{'asset':{'version':'2.0'},'nodes':[],'nodes':[]}", NULL, "",
                         "JSON line 1, column 39: the object has the key 'nodes' twice");
}

static void compression(void **state)
{
    (void)state;
    static const char advice[] = "the file is compressed; export it again without compression";
    const struct refusal refusals[] = {
        {"'extensionsRequired':['KHR_materials_unlit','KHR_draco_mesh_compression']",
         "extensionsRequired[1]", advice},
        {"'extensionsRequired':['EXT_meshopt_compression']", "extensionsRequired[0]", advice},
        {"'extensionsRequired':['KHR_meshopt_compression']", "extensionsRequired[0]", advice},
        {"'extensionsRequired':[2]", "extensionsRequired[0]",
         "found an integer, expected a string"},
        /* Only used, but for what is needed. */
        {"'buffers':[{'byteLength':64}],'bufferViews':[{'buffer':0,'byteLength':64,'extensions':{"
         "'EXT_meshopt_compression':{}}}],'accessors':[" ACCESSOR_OF(
             0, 5126, 1, MAT4) "],'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]",
         "bufferViews[0].extensions.EXT_meshopt_compression", advice},
        {"'meshes':[{'primitives':[{'attributes':{},'targets':[{}],'extensions':{"
         "'KHR_draco_mesh_compression':{}}}]}],'nodes':[{'mesh':0}]",
         "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression", advice},
    };
    struct bytes bin = count_up(16);
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    /* For a mesh that is not needed it does not matter. */
    struct gltf_reading reading = {0};
    (void)gltf_read_text(&reading,
                         "{" GLTF_ASSET ",'meshes':[{'primitives':[{'attributes':{},'extensions':{"
                         "'KHR_draco_mesh_compression':{}}}]}],'nodes':[{'mesh':0}]}",
                         NULL);
    gltf_free(&reading);
    bytes_free(&bin);
}

/* ---- nodes --------------------------------------------------------------------------------- */

#define LONG "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xc3\xa9'"

static void nodes_that_form_no_trees(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"'nodes':{}", "nodes", "found an object, expected an array"},
        {"'nodes':[7]", "nodes[0]", "found an integer, expected an object"},
        {"'nodes':[null]", "nodes[0]", "found null, expected an object"},
        {"'nodes':[{'children':[1]}]", "nodes[0].children[0]",
         "1 is not an index of nodes, of which there are 1"},
        {"'nodes':[{'children':[-1]}]", "nodes[0].children[0]",
         "-1 is not an index of nodes, of which there are 1"},
        {"'nodes':[{'children':[9007199254740993]}]", "nodes[0].children[0]",
         "9007199254740993 is not an index of nodes, of which there are 1"},
        {"'nodes':[{'children':[0.5]}]", "nodes[0].children[0]",
         "found a number, expected an integer"},
        {"'nodes':[{'name':'hand'},{'name':'arm','children':[0]},{'children':[0]}]",
         "nodes[2].children[0]", "'hand' is a child of both 'arm' and nodes[2]"},
        {"'nodes':[{'name':" LONG "},{'children':[0,0]}]", "nodes[1].children[1]",
         "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is a child of both nodes[1] and nodes[1]"},
        {"'nodes':[{'name':'a','children':[0]}]", "nodes[0]",
         "'a' is below itself: it is a child of 'a', which is below it"},
        {"'nodes':[{},{'name':'a','children':[2]},{'name':'b','children':[3]},"
         "{'name':'c','children':[1]}]",
         "nodes[1]", "'a' is below itself: it is a child of 'c', which is below it"},
        {"'nodes':[{}],'scene':0", "scene", "0 is not an index of scenes, of which there are 0"},
        {"'nodes':[{}],'scene':0,'scenes':[{'nodes':[1]}]", "scenes[0].nodes[0]",
         "1 is not an index of nodes, of which there are 1"},
        {"'nodes':[{'name':'a\\u0000b'}]", "nodes[0].name", "contains a NUL"},
        {"'nodes':[{'name':5}]", "nodes[0].name", "found an integer, expected a string"},
    };
    require_refusals(refusals, COUNT_OF(refusals), NULL);
}

static void nodes_without_a_transform(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"'nodes':[{'translation':[1,2]}]", "nodes[0].translation", "has 2 items, expected 3"},
        {"'nodes':[{'translation':[1,2,'0x7fc00000']}]", "nodes[0].translation[2]",
         "found a string, expected a number"},
        {"'nodes':[{'scale':[1,2,1e39]}]", "nodes[0].scale[2]",
         "1e+39 is too large for a 32-bit float"},
        {"'nodes':[{'rotation':[0,0,0,0]}]", "nodes[0].rotation", "has the length 0, expected 1"},
        {"'nodes':[{'matrix':[1]}]", "nodes[0].matrix", "has 1 items, expected 16"},
        {"'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],'scale':[1,1,1]}]", "nodes[0].scale",
         "stands beside a matrix, which has it already"},
        {"'nodes':[{'matrix':[1,0,0,0,0.01,1,0,0,0,0,1,0,0,0,0,1]}]", "nodes[0].matrix",
         "the matrix shears, which no translation, rotation and scale do"},
        {"'nodes':[{'matrix':[1,0,0,0,0,1,0,0,-0.01,0,1,0,0,0,0,1]}]", "nodes[0].matrix",
         "the matrix shears, which no translation, rotation and scale do"},
        {"'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0.1,0,0,0,1]}]", "nodes[0].matrix",
         "the last row of the matrix is not 0 0 0 1"},
        {"'nodes':[{'camera':0}]", "nodes[0].camera",
         "0 is not an index of cameras, of which there are 0"},
        {"'nodes':[{'camera':0}],'cameras':[{}]", "cameras[0].type", "is missing"},
        {"'nodes':[{'camera':0}],'cameras':[{'type':'perspective'}]", "cameras[0].perspective",
         "is missing"},
        {"'nodes':[{'camera':0}],'cameras':[{'type':'perspective','perspective':{'yfov':0}}]",
         "cameras[0].perspective.yfov", "is not above 0"},
    };
    require_refusals(refusals, COUNT_OF(refusals), NULL);
}

/* ---- buffers ------------------------------------------------------------------------------- */

/* What refers to it: the matrix of a joint. */
#define JOINT  ",'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]"
#define MATRIX ",'accessors':[" ACCESSOR_OF(0, 5126, 1, MAT4) "]" JOINT
#define BUFFER(members)                                                                            \
    "'buffers':[{" members "}],'bufferViews':[{'buffer':0,'byteLength':64}]" MATRIX
#define URI(text) BUFFER("'byteLength':64,'uri':'" text "'")

static void buffers_without_bytes(void **state)
{
    (void)state;
    static const char name[] = "must be the name of a file beside this one, without folders";
    static const char field[] = "buffers[0].uri";
    const struct refusal refusals[] = {
        {BUFFER(""), "buffers[0].byteLength", "is missing"},
        {BUFFER("'byteLength':0"), "buffers[0].byteLength",
         "0 is not an integer from 1 to 9223372036854775807"},
        {BUFFER("'byteLength':9223372036854775807"), "buffers[0].byteLength",
         "9223372036854775807 bytes are needed, and there are 64"},
        {"'buffers':[{'byteLength':64},{'byteLength':64}],'bufferViews':[{'buffer':1,"
         "'byteLength':64}]" MATRIX,
         "buffers[1]", "has neither a uri nor the binary chunk of a GLB"},
        {URI("data:,abc"), field, "is a data URI that is not in base64"},
        {URI("data:;base64"), field, "is a data URI that is not in base64"},
        {URI("data:;base64,AA!A"), field, "character 2 of the base64 is not one of its digits"},
        {URI("data:;base64,A==="), field, "character 1 of the base64 is not one of its digits"},
        {URI("data:;base64,AAAA"), "buffers[0].byteLength", "64 bytes are needed, and there are 3"},
        {URI(""), field, name},
        {URI("."), field, name},
        {URI(".."), field, name},
        {URI("../secret"), field, name},
        {URI("%2e%2E%2fsecret"), field, name},
        {URI("a\\\\b"), field, name},
        {URI("c:b"), field, name},
        {URI("http://x/y"), field, name},
        {URI("a%00b"), field, name},
        {URI("a%0ab"), field, name},
        {URI("%ff"), field, name},
        {URI("%252e"), field, "'%2e' is missing or cannot be read; it belongs beside the file"},
        {BUFFER("'byteLength':64,'uri':5"), field, "found an integer, expected a string"},
    };
    struct bytes bin = count_up(16);
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

#define VIEW(members) "'buffers':[{'byteLength':64}],'bufferViews':[{" members "}]" MATRIX

static void views_outside_of_their_buffer(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {VIEW("'byteLength':64"), "bufferViews[0].buffer", "is missing"},
        {VIEW("'buffer':0"), "bufferViews[0].byteLength", "is missing"},
        {VIEW("'buffer':1,'byteLength':64"), "bufferViews[0].buffer",
         "1 is not an index of buffers, of which there are 1"},
        {VIEW("'buffer':0,'byteLength':65"), "bufferViews[0].byteLength",
         "65 bytes at 0 extend past the end of the buffer, which has 64"},
        {VIEW("'buffer':0,'byteOffset':4,'byteLength':61"), "bufferViews[0].byteLength",
         "61 bytes at 4 extend past the end of the buffer, which has 64"},
        {VIEW("'buffer':0,'byteOffset':9223372036854775807,'byteLength':9223372036854775807"),
         "bufferViews[0].byteLength",
         "9223372036854775807 bytes at 9223372036854775807 extend past the end of the buffer, "
         "which has 64"},
        {VIEW("'buffer':0,'byteLength':64,'byteStride':0"), "bufferViews[0].byteStride",
         "0 is not an integer from 4 to 252"},
        {VIEW("'buffer':0,'byteLength':64,'byteStride':256"), "bufferViews[0].byteStride",
         "256 is not an integer from 4 to 252"},
        {VIEW("'buffer':0,'byteLength':64,'byteStride':16"), "accessors[0].bufferView",
         "the view has a byteStride of 16, expected at least 64"},
    };
    struct bytes bin = count_up(16);
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

/* An item per index in an array of the document. */
static void put_array(struct bytes *text, const char *key, const char *before, const char *behind,
                      unsigned count)
{
    char item[256];
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(item, sizeof item, "%s%s%s%s%u%s", i == 0 ? ",'" : "", i == 0 ? key : "",
                       i == 0 ? "':[" : ",", before, i, behind);
        put_text(text, item);
    }
    put_text(text, "]");
}

/* As many joints as files, each of which needs one. */
static void too_many_files(void **state)
{
    (void)state;
    struct bytes bin = count_up(16);
    for (unsigned count = 16; count < 18; count++) {
        struct bytes text = {0};
        put_text(&text, "{" GLTF_ASSET ",'nodes':[{}]");
        put_array(&text, "buffers", "{'byteLength':64,'uri':'", "'}", count);
        put_array(&text, "bufferViews", "{'byteLength':64,'buffer':", "}", count);
        put_array(&text, "accessors",
                  "{'componentType':5126,'count':1,'type':'MAT4','bufferView':", "}", count);
        put_array(&text, "skins", "{'joints':[0],'inverseBindMatrices':", "}", count);
        put_bytes(&text, "}", 2);
        struct bytes document = gltf_quote((const char *)text.data);
        struct gltf_reading reading = {.beside = &bin};
        assert_int_equal(gltf_read(&reading, document.data, document.size) != NULL, count == 16);
        assert_int_equal(reading.fetches, 16);
        if (count == 17) {
            assert_string_equal(reading.context.error.field, "buffers[16].uri");
            assert_string_equal(reading.context.error.message, "is one of more than 16 files");
        }
        gltf_free(&reading);
        bytes_free(&document);
        bytes_free(&text);
    }
    bytes_free(&bin);
}

/* ---- accessors ----------------------------------------------------------------------------- */

#define ACCESSOR(members) VIEW_OF(64) ",'accessors':[{" members "}]" JOINT
#define SPARSE(members)                                                                            \
    ACCESSOR("'componentType':5126,'count':1,'type':'MAT4','sparse':{" members "}")

static void accessors_outside_of_their_view(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {ACCESSOR(""), "accessors[0].count", "is missing"},
        {ACCESSOR("'count':1,'componentType':5126"), "accessors[0].type", "is missing"},
        {ACCESSOR("'count':1,'componentType':5126,'type':'MAT5'"), "accessors[0].type",
         "is not a type of elements"},
        {ACCESSOR("'count':1,'type':'MAT4'"), "accessors[0].componentType", "is missing"},
        {ACCESSOR("'count':1,'componentType':5124,'type':'MAT4'"), "accessors[0].componentType",
         "found 5124, which is not a type of numbers"},
        {ACCESSOR("'count':0,'componentType':5126,'type':'MAT4'"), "accessors[0].count",
         "0 is not an integer from 1 to 4294967295"},
        {ACCESSOR("'count':4294967296,'componentType':5126,'type':'MAT4'"), "accessors[0].count",
         "4294967296 is not an integer from 1 to 4294967295"},
        {ACCESSOR("'count':1,'componentType':5126,'type':'MAT4','normalized':1"),
         "accessors[0].normalized", "found an integer, expected true or false"},
        {ACCESSOR("'count':1,'componentType':5126,'type':'MAT4','bufferView':1"),
         "accessors[0].bufferView", "1 is not an index of bufferViews, of which there are 1"},
        {ACCESSOR("'count':2,'componentType':5126,'type':'MAT4','bufferView':0"), "accessors[0]",
         "2 elements take 128 bytes at 0 of the view, which has 64"},
        {ACCESSOR("'count':4294967295,'componentType':5126,'type':'MAT4','bufferView':0,"
                  "'byteOffset':9223372036854775804"),
         "accessors[0]",
         "4294967295 elements take 274877906880 bytes at 9223372036854775804 of the view, which "
         "has 64"},
        {ACCESSOR("'count':1,'componentType':5126,'type':'MAT4','bufferView':0,'byteOffset':2"),
         "accessors[0].byteOffset", "2 is not a multiple of 4"},
        {ACCESSOR("'count':1,'componentType':5126,'type':'VEC4','bufferView':0"),
         "skins[0].inverseBindMatrices", "accessor 0 is of type VEC4, expected MAT4"},
        {ACCESSOR("'count':1,'componentType':5126,'type':'MAT2','bufferView':0"),
         "skins[0].inverseBindMatrices", "accessor 0 is of type MAT2, expected MAT4"},
        {ACCESSOR("'count':1,'componentType':5122,'normalized':true,'type':'MAT4','bufferView':0"),
         "skins[0].inverseBindMatrices",
         "accessor 0 has the componentType 5122 (normalized), expected 5126 (floats)"},
    };
    struct bytes bin = count_up(16);
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    bytes_free(&bin);
}

static void sparse_accessors_out_of_order(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {SPARSE(""), "accessors[0].sparse.count", "is missing"},
        {SPARSE("'count':2,'indices':{},'values':{}"), "accessors[0].sparse.count",
         "found 2, expected 1"},
        {SPARSE("'count':1,'indices':{},'values':{}"), "accessors[0].sparse.indices.componentType",
         "is missing"},
        {SPARSE("'count':1,'indices':{'componentType':5126},'values':{}"),
         "accessors[0].sparse.indices", "has the componentType 5126, expected an unsigned integer"},
        {SPARSE("'count':1,'indices':{'componentType':5121},'values':{}"),
         "accessors[0].sparse.indices.bufferView", "is missing"},
        {SPARSE("'count':1,'indices':{'componentType':5121,'bufferView':0},'values':{"
                "'bufferView':0,'byteOffset':4}"),
         "accessors[0].sparse.values", "1 elements take 64 bytes at 4 of the view, which has 64"},
        {SPARSE("'count':1,'indices':{'componentType':5121,'bufferView':0,'byteOffset':7},"
                "'values':{'bufferView':0}"),
         "accessors[0].sparse.indices", "index 0 is 63, expected one from 0 to 0"},
        {VIEW_OF(64) ",'accessors':[{'componentType':5126,'count':9,'type':'MAT4','sparse':{"
                     "'count':2,'indices':{'componentType':5121,'bufferView':0},'values':{"
                     "'bufferView':0}}}]" JOINT,
         "accessors[0].sparse.values", "2 elements take 128 bytes at 0 of the view, which has 64"},
        {"'buffers':[{'byteLength':64}],'bufferViews':[{'buffer':0,'byteLength':64,"
         "'byteStride':4}],'accessors':[{'componentType':5126,'count':1,'type':'SCALAR','sparse':{"
         "'count':1,'indices':{'componentType':5121,'bufferView':0},'values':{'bufferView':0}}}"
         "]" JOINT,
         "accessors[0].sparse", "refers to a view with a byteStride"},
    };
    struct bytes bin = count_up(16);
    require_refusals(refusals, COUNT_OF(refusals), &bin);
    /* Twice the same element. */
    gltf_require_refusal(
        "{" GLTF_ASSET
        "," VIEW_OF(64) ",'accessors':[{'componentType':5126,'count':5,'type':'SCALAR',"
                        "'sparse':{'count':2,'indices':{'componentType':5121,"
                        "'bufferView':0},'values':{'bufferView':0}}}]" JOINT "}",
        &bin, "accessors[0].sparse.indices", "index 1 is 0, expected one from 1 to 4");
    /* The first behind the last. */
    gltf_require_refusal(
        "{" GLTF_ASSET
        "," VIEW_OF(64) ",'accessors':[{'componentType':5126,'count':63,'type':'SCALAR',"
                        "'sparse':{'count':1,'indices':{'componentType':5121,"
                        "'bufferView':0,'byteOffset':7},'values':{'bufferView':0}}}]" JOINT "}",
        &bin, "accessors[0].sparse.indices", "index 0 is 63, expected one from 0 to 62");
    bytes_free(&bin);
}

static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    struct bytes bin = count_up(16);
    set_u32(&bin, 20, 0x7f800000);
    gltf_require_refusal("{" GLTF_ASSET "," VIEW_OF(64) MATRIX "}", &bin, "accessors[0]",
                         "number 5 of element 0 is not finite");
    set_u32(&bin, 20, 0xffc00001);
    gltf_require_refusal("{" GLTF_ASSET "," VIEW_OF(64) MATRIX "}", &bin, "accessors[0]",
                         "number 5 of element 0 is not finite");
    bytes_free(&bin);
}

TEST_GROUP(test_import_gltf_refusals)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_gltf_2),
        cmocka_unit_test(compression),
        cmocka_unit_test(nodes_that_form_no_trees),
        cmocka_unit_test(nodes_without_a_transform),
        cmocka_unit_test(buffers_without_bytes),
        cmocka_unit_test(views_outside_of_their_buffer),
        cmocka_unit_test(too_many_files),
        cmocka_unit_test(accessors_outside_of_their_view),
        cmocka_unit_test(sparse_accessors_out_of_order),
        cmocka_unit_test(numbers_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
