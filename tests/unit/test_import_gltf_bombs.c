/* SPDX-License-Identifier: MIT
 *
 * glTF that was made to do harm: it takes neither more memory than the file is worth nor more time
 * than there is to read. No clock is asked: a quadratic reader would not end within the test's
 * patience. */
#include "support/gltf_text.h"

#include <stdio.h>
#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"
#define ACCESSOR_OF(view, component, count, type)                                                  \
    "{'bufferView':" #view ",'componentType':" #component ",'count':" #count ",'type':'" #type "'" \
    "}"

enum { MEBIBYTE = 1 << 20 };

static void put_items(struct bytes *text, const char *before, const char *behind, unsigned count)
{
    char item[512];
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(item, sizeof item, "%s%s%u%s", i == 0 ? "" : ",", before, i, behind);
        put_text(text, item);
    }
}

static void put_junk(struct bytes *text, unsigned count)
{
    put_items(text, "'j", "':0", count);
}

static void read_bomb(struct gltf_reading *reading, struct bytes *text, const struct bytes *bin)
{
    put_u8(text, 0);
    struct bytes glb = gltf_glb((const char *)text->data, bin);
    const struct ossa__motion *motion = gltf_read(reading, glb.data, glb.size);
    if (motion != NULL) gltf_require_sound(motion);
    assert_true(reading->counting.peak <= MEBIBYTE + 32 * glb.size);
    bytes_free(&glb);
    bytes_free(text);
}

/* One view, a hundred thousand accessors: memory ends at the limit. */
static void many_accessors_of_one_view(void **state)
{
    (void)state;
    enum { ACCESSORS = 20000, FLOATS = 3 * 1024 };
    struct bytes bin = {0};
    for (unsigned i = 0; i < FLOATS; i++) put_f32(&bin, (float)i);
    struct bytes text = {0};
    put_text(&text, "{" GLTF_ASSET "," VIEW_OF(12288) ",'nodes':[");
    put_items(&text, "{'name':'", "'}", ACCESSORS);
    put_text(&text, "],'accessors':[{'bufferView':0,'componentType':5126,'count':1024,"
                    "'type':'SCALAR'}");
    for (unsigned i = 0; i < ACCESSORS; i++) {
        put_text(&text, ",{'bufferView':0,'componentType':5126,'count':1024,'type':'VEC3'}");
    }
    put_text(&text, "],'animations':[{'samplers':[");
    for (unsigned i = 0; i < ACCESSORS; i++) {
        char item[64];
        (void)snprintf(item, sizeof item, "%s{'input':0,'output':%u}", i == 0 ? "" : ",", i + 1);
        put_text(&text, item);
    }
    put_text(&text, "],'channels':[");
    for (unsigned i = 0; i < ACCESSORS; i++) {
        char item[96];
        (void)snprintf(item, sizeof item, "%s{'sampler':%u,'target':{'node':%u,'path':'scale'}}",
                       i == 0 ? "" : ",", i, i);
        put_text(&text, item);
    }
    put_text(&text, "]}]}");
    struct gltf_reading reading = {0};
    read_bomb(&reading, &text, &bin);
    assert_null(reading.motion);
    assert_int_equal(reading.context.error.code, OSSA_CODE_LIMIT);
    gltf_free(&reading);
    bytes_free(&bin);
}

/* Elements without bytes. */
static void accessors_without_bytes(void **state)
{
    (void)state;
    static const char *const counts[] = {"1000000", "2147483648", "4294967295"};
    for (size_t i = 0; i < 3; i++) {
        struct bytes text = {0};
        struct bytes bin = {0};
        put_repeated(&bin, 0, 64);
        put_text(&text, "{" GLTF_ASSET "," VIEW_OF(
                            64) ",'nodes':[{}],'accessors':[{"
                                "'componentType':5126,'type':'MAT4','sparse':{'count':1,'indices':{"
                                "'bufferView':0,'componentType':5125},'values':{'bufferView':0}},"
                                "'count':");
        put_text(&text, counts[i]);
        put_text(&text, "}],'skins':[{'joints':[0],'inverseBindMatrices':0}]}");
        struct gltf_reading reading = {0};
        read_bomb(&reading, &text, &bin);
        assert_null(reading.motion);
        assert_int_equal(reading.context.error.code, OSSA_CODE_LIMIT);
        gltf_free(&reading);
        bytes_free(&bin);
    }
}

/* Targets and primitives that multiply. */
static void meshes_that_multiply(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        struct bytes text = {0};
        struct bytes bin = {0};
        put_repeated(&bin, 0, 12000);
        put_text(&text, "{" GLTF_ASSET "," VIEW_OF(
                            12000) ",'nodes':[{'mesh':0}],"
                                   "'accessors':[" ACCESSOR_OF(
                                       0, 5126, 1000, VEC3) "],"
                                                            "'meshes':[{'primitives':[{'attributes'"
                                                            ":{'POSITION':0},'targets':[");
        put_text(&text, "{}");
        for (unsigned i = 0; i < (kind == 0 ? 20000 : 0); i++) put_text(&text, ",{}");
        put_text(&text, "]}");
        for (unsigned i = 0; i < (kind == 1 ? 5000 : 0); i++) {
            put_text(&text, ",{'attributes':{'POSITION':0},'targets':[{}]}");
        }
        put_text(&text, "]}]}");
        struct gltf_reading reading = {0};
        read_bomb(&reading, &text, &bin);
        assert_null(reading.motion);
        assert_int_equal(reading.context.error.code, OSSA_CODE_LIMIT);
        gltf_free(&reading);
        bytes_free(&bin);
    }
}

/* Many members before those that are looked for, in things that all others refer to. */
static void things_that_are_hard_to_find(void **state)
{
    (void)state;
    enum { JUNK = 50000, NODES = 50000 };
    struct bytes bin = {0};
    put_repeated(&bin, 0, 4);
    put_repeated(&bin, 0, 12);
    struct bytes text = {0};
    put_text(&text, "{" GLTF_ASSET ",'cameras':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'type':'orthographic'}],'meshes':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'primitives':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'attributes':{},'targets':[{}]}]}],'buffers':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'byteLength':16}],'bufferViews':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'buffer':0,'byteLength':16}],'accessors':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'bufferView':0,'count':1,'componentType':5126,'type':'SCALAR'},{");
    put_junk(&text, JUNK);
    put_text(&text, ",'bufferView':0,'byteOffset':4,'count':1,'componentType':5126,"
                    "'type':'VEC3'}],'nodes':[");
    put_items(&text, "{'mesh':0,'camera':0,'name':'", "'}", NODES);
    put_text(&text, "],'animations':[{'samplers':[{");
    put_junk(&text, JUNK);
    put_text(&text, ",'input':0,'output':1}],'channels':[");
    put_items(&text, "{'sampler':0,'target':{'path':'scale','node':", "}}", NODES);
    put_text(&text, "]},{'samplers':[");
    put_items(&text, "{'input':0,'output':1,'j", "':0}", NODES);
    put_text(&text, "],'channels':[");
    for (unsigned i = 0; i < NODES; i++) { /* backwards */
        char item[96];
        (void)snprintf(item, sizeof item, "%s{'sampler':%u,'target':{'node':%u,'path':'scale'}}",
                       i == 0 ? "" : ",", NODES - 1 - i, NODES - 1 - i);
        put_text(&text, item);
    }
    put_text(&text, "]}]}");
    struct gltf_reading reading = {0};
    read_bomb(&reading, &text, &bin);
    require(reading.motion != NULL, "hard to find", "%s", reading.context.error.message);
    assert_int_equal(reading.motion->clips[1].curve_count, NODES);
    assert_ptr_equal(reading.motion->clips[1].curves[7].values,
                     reading.motion->clips[0].curves[3].values);
    gltf_free(&reading);
    bytes_free(&bin);
}

/* A chain whose leaf comes first, and one in which each is the child of the next but one cycle. */
static void deep_trees(void **state)
{
    (void)state;
    enum { NODES = 50000 };
    for (unsigned is_cycle = 0; is_cycle < 2; is_cycle++) {
        struct bytes text = {0};
        put_text(&text, "{" GLTF_ASSET ",'nodes':[{'name':'the first one of them all'");
        if (is_cycle) {
            char item[64];
            (void)snprintf(item, sizeof item, ",'children':[%d]", NODES);
            put_text(&text, item);
        }
        put_text(&text, "},");
        put_items(&text, "{'children':[", "]}", NODES);
        put_text(&text, "]}");
        struct gltf_reading reading = {0};
        read_bomb(&reading, &text, NULL);
        assert_int_equal(reading.motion == NULL, is_cycle);
        if (reading.motion != NULL) {
            assert_int_equal(reading.motion->node_count, NODES + 1);
            assert_int_equal(reading.motion->nodes[NODES].parent, NODES - 1);
            assert_string_equal(reading.motion->nodes[NODES].name, "the first one of them all");
        } else {
            assert_string_equal(reading.context.error.message,
                                "'the first one of them all' is below itself: it is a child of "
                                "nodes[1], which is below it");
        }
        gltf_free(&reading);
    }
}

static void deep_json(void **state)
{
    (void)state;
    for (unsigned depth = 2000; depth < 100000; depth += 97000) {
        struct bytes text = {0};
        put_text(&text, "{" GLTF_ASSET ",'extras':");
        put_repeated(&text, '[', depth);
        put_repeated(&text, ']', depth);
        put_text(&text, "}");
        struct gltf_reading reading = {0};
        read_bomb(&reading, &text, NULL);
        assert_int_equal(reading.motion != NULL, depth == 2000);
        gltf_free(&reading);
    }
}

TEST_GROUP(test_import_gltf_bombs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_accessors_of_one_view),
        cmocka_unit_test(accessors_without_bytes),
        cmocka_unit_test(meshes_that_multiply),
        cmocka_unit_test(things_that_are_hard_to_find),
        cmocka_unit_test(deep_trees),
        cmocka_unit_test(deep_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
