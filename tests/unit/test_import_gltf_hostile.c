/* SPDX-License-Identifier: MIT
 *
 * glTF that was damaged in every way that can be counted: nothing crashes, leaks or takes more
 * memory than the file is worth. */
#include "support/gltf_text.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"
#define ACCESSOR_OF(view, component, count, type)                                                  \
    "{'bufferView':" #view ",'componentType':" #component ",'count':" #count ",'type':'" #type "'" \
    "}"

enum { MEBIBYTE = 1 << 20 };

/* Read it, whatever comes of it; gives whether it can be read. */
static bool try_bytes(const void *data, size_t size)
{
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read(&reading, data, size);
    assert_true(reading.counting.peak <= MEBIBYTE + 32 * size);
    if (motion != NULL) gltf_require_sound(motion);
    gltf_free(&reading);
    return motion != NULL;
}

/* ---- damage -------------------------------------------------------------------------------- */

/* Small, with everything in it. */
static struct bytes make_glb(void)
{
    struct made_scene made;
    const struct made_plan plan = {.seed = 8,
                                   .bones = 2,
                                   .clips = 1,
                                   .frames = {2},
                                   .cameras = 1,
                                   .has_mesh = true,
                                   .targets = 2};
    make_scene(&made, &plan);
    struct bytes glb = glb_or_fail("hostile", &made.scene, NULL);
    free_made_scene(&made);
    return glb;
}

/* What we never write: sparse accessors, integers, cubic splines. */
static struct bytes make_other_glb(void)
{
    struct bytes bin = {0};
    for (size_t i = 0; i < 2; i++) put_f32(&bin, (float)i);
    for (size_t i = 0; i < 24; i++) put_f32(&bin, (float)i * 0.25F - 1.0F); /* at 8 */
    for (size_t i = 0; i < 8; i++) put_u16(&bin, (uint32_t)i + 1);          /* at 104 */
    struct bytes glb = gltf_glb(
        "{" GLTF_ASSET "," VIEW_OF(120) ",'accessors':[" ACCESSOR_OF(
            0, 5126, 2,
            SCALAR) ","
                    "{'bufferView':0,'byteOffset':8,'componentType':5126,'count':6,'type':'VEC4'},"
                    "{'bufferView':0,'byteOffset':104,'componentType':5122,'normalized':true,'"
                    "count':2,"
                    "'type':'VEC4'},{'bufferView':0,'byteOffset':8,'componentType':5126,'count':2,"
                    "'type':'VEC3','sparse':{'count':1,'indices':{'bufferView':0,'byteOffset':104,"
                    "'componentType':5123},'values':{'bufferView':0,'byteOffset':24}}},"
                    "{'bufferView':0,'byteOffset':104,'componentType':5121,'normalized':true,'"
                    "count':2,"
                    "'type':'VEC3'},{'bufferView':0,'byteOffset':32,'componentType':5126,'count':1,"
                    "'type':'MAT4'},{'bufferView':0,'byteOffset':104,'componentType':5123,"
                    "'normalized':true,'count':4,'type':'SCALAR'}],"
                    "'scene':0,'scenes':[{'nodes':[2],'extras':{'ossa':{'scale':2,'euler':'zyx'}}}]"
                    ","
                    "'cameras':[{'type':'perspective','perspective':{'yfov':1}}],"
                    "'meshes':[{'weights':[1,0],'primitives':[{'attributes':{'POSITION':3},'"
                    "targets':["
                    "{'POSITION':4},{}]}]}],"
                    "'nodes':[{'name':'a','matrix':[0,1,0,0,-1,0,0,0,0,0,1,0,1,2,3,1],'camera':0},"
                    "{'rotation':[0,0,1,0],'mesh':0,'weights':[0.5,0.5]},{'children':[0,1]}],"
                    "'skins':[{'joints':[0],'inverseBindMatrices':5}],"
                    "'animations':[{'samplers':[{'input':0,'output':1,'interpolation':'CUBICSPLINE'"
                    "},"
                    "{'input':0,'output':2,'interpolation':'STEP'},{'input':0,'output':3},"
                    "{'input':0,'output':6}],'channels':["
                    "{'sampler':0,'target':{'node':0,'path':'rotation'}},"
                    "{'sampler':1,'target':{'node':1,'path':'rotation'}},"
                    "{'sampler':2,'target':{'path':'pointer','extensions':{'KHR_animation_pointer':"
                    "{"
                    "'pointer':'/nodes/0/scale'}}}},"
                    "{'sampler':3,'target':{'node':1,'path':'weights'}}]}]}",
        &bin);
    bytes_free(&bin);
    return glb;
}

static struct bytes (*const makers[])(void) = {make_glb, make_other_glb};
enum { MAKERS = 2 };

static void every_cut_is_survived(void **state)
{
    (void)state;
    for (size_t m = 0; m < MAKERS; m++) {
        struct bytes glb = makers[m]();
        assert_true(try_bytes(glb.data, glb.size));
        for (size_t size = 0; size < glb.size; size++) assert_false(try_bytes(glb.data, size));
        /* With a header that knows of it, and as the text alone. */
        for (size_t size = 12; size < glb.size; size++) {
            struct bytes cut = bytes_copy(glb.data, size);
            set_u32(&cut, 8, (uint32_t)size);
            (void)try_bytes(cut.data, cut.size);
            bytes_free(&cut);
        }
        size_t text_size = get_u32(&glb, 12);
        for (size_t size = 0; size <= text_size; size++) (void)try_bytes(glb.data + 20, size);
        bytes_free(&glb);
    }
}

static void every_changed_word_is_survived(void **state)
{
    (void)state;
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000};
    for (size_t m = 0; m < MAKERS; m++) {
        struct bytes glb = makers[m]();
        size_t readable = 0;
        size_t tried = 0;
        size_t text_end = 20 + get_u32(&glb, 12);
        for (size_t at = 0; at + 4 <= glb.size; at += 4) {
            if (at >= 20 && at < text_end) continue;
            uint32_t original = get_u32(&glb, at);
            for (size_t w = 0; w < sizeof words / sizeof words[0]; w++, tried++) {
                set_u32(&glb, at, words[w]);
                if (try_bytes(glb.data, glb.size)) readable++;
            }
            set_u32(&glb, at, original);
        }
        assert_true(readable > tried / 4 && readable < tried);
        bytes_free(&glb);
    }
}

/* Each number of the document replaced by others, each string by another. */
static void every_changed_number_is_survived(void **state)
{
    (void)state;
    static const char *const values[] = {"0",
                                         "1",
                                         "2",
                                         "-1",
                                         "4294967295",
                                         "9007199254740993",
                                         "9223372036854775807",
                                         "-0",
                                         "1e38",
                                         "0.5",
                                         "'text'",
                                         "null",
                                         "[]",
                                         "{}"};
    for (size_t m = 0; m < MAKERS; m++) {
        struct bytes glb = makers[m]();
        const char *text = (const char *)glb.data + 20;
        const size_t size = get_u32(&glb, 12);
        size_t readable = 0;
        size_t tried = 0;
        for (size_t at = 1; at < size; at++) {
            bool begins = text[at] >= '0' && text[at] <= '9' && strchr(":[,", text[at - 1]) != NULL;
            if (!begins) continue;
            size_t end = at;
            while (strchr(",]}", text[end]) == NULL) end++;
            for (size_t v = 0; v < sizeof values / sizeof values[0]; v++, tried++) {
                struct bytes value = gltf_quote(values[v]);
                struct bytes changed = bytes_copy(glb.data, 20 + at);
                put_bytes(&changed, value.data, value.size);
                put_bytes(&changed, text + end, glb.size - 20 - end);
                set_u32(&changed, 8, (uint32_t)changed.size);
                set_u32(&changed, 12, (uint32_t)(size + value.size - (end - at)));
                if (try_bytes(changed.data, changed.size)) readable++;
                bytes_free(&changed);
                bytes_free(&value);
            }
        }
        assert_true(tried > 1000);
        assert_true(readable > tried / 50 && readable < tried);
        bytes_free(&glb);
    }
}

static void every_changed_byte_is_survived(void **state)
{
    (void)state;
    static const char bytes[] = {'\0', '"', '{', '}', '9', '-', ','};
    for (size_t m = 0; m < MAKERS; m++) {
        struct bytes glb = makers[m]();
        for (size_t at = 0; at < glb.size; at++) {
            uint8_t original = glb.data[at];
            glb.data[at] = (uint8_t)bytes[at % sizeof bytes];
            (void)try_bytes(glb.data, glb.size);
            glb.data[at] = (uint8_t)(original ^ 1U << at % 8);
            (void)try_bytes(glb.data, glb.size);
            glb.data[at] = original;
        }
        bytes_free(&glb);
    }
}

/* ---- memory that runs out ------------------------------------------------------------------ */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t m = 0; m < MAKERS; m++) {
        struct bytes glb = makers[m]();
        size_t calls = 1;
        for (size_t n = 0; n <= calls; n++) {
            struct gltf_reading reading = {.counting = {.fail_at = n}};
            const struct ossa__motion *motion = gltf_read(&reading, glb.data, glb.size);
            assert_int_equal(motion != NULL, n == 0);
            assert_int_equal(reading.counting.failed, n > 0);
            if (n > 0) {
                assert_int_equal(reading.context.error.code, OSSA_CODE_OUT_OF_MEMORY);
            } else {
                calls = reading.counting.calls;
            }
            gltf_free(&reading);
        }
        assert_true(calls > 3);
        bytes_free(&glb);
    }
}

static void every_memory_limit_is_kept(void **state)
{
    (void)state;
    struct bytes glb = make_glb();
    bool is_read = false;
    for (uint64_t limit = 1; !is_read; limit += 1 + limit / 8) {
        struct gltf_reading reading = {.max_memory = limit};
        is_read = gltf_read(&reading, glb.data, glb.size) != NULL;
        assert_true(reading.counting.peak <= limit);
        if (!is_read) assert_int_equal(reading.context.error.code, OSSA_CODE_LIMIT);
        gltf_free(&reading);
    }
    bytes_free(&glb);
}

TEST_GROUP(test_import_gltf_hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(every_changed_word_is_survived),
        cmocka_unit_test(every_changed_number_is_survived),
        cmocka_unit_test(every_changed_byte_is_survived),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
