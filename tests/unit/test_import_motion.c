/* SPDX-License-Identifier: MIT
 *
 * Which format a file is of that is to be imported. */
#include "support/gltf_text.h"

#include <string.h>

/* Read it; the format, or NULL with the message in `why`. */
static const char *format_of(const void *data, size_t size, char why[OSSA_MESSAGE_CAPACITY])
{
    struct ossa__context context;
    ossa__context_init(&context, NULL, size);
    const struct ossa__motion *motion =
        ossa__read_motion(&context, data, size, "walk.bvh", NULL, NULL);
    const char *format = motion == NULL ? NULL : motion->format;
    assert_int_equal(context.failed, motion == NULL);
    memcpy(why, context.error.message, OSSA_MESSAGE_CAPACITY);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    return format;
}

static void require_format(const char *text, const char *format)
{
    char why[OSSA_MESSAGE_CAPACITY];
    struct bytes document = gltf_quote(text);
    const char *found = format_of(document.data, document.size, why);
    require(found != NULL && strcmp(found, format) == 0, text, "is %s, expected %s: %s",
            found == NULL ? "refused" : found, format, why);
    bytes_free(&document);
}

#define MOTION                                                                                     \
    "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"             \
    "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n"

static void files_are_told_apart(void **state)
{
    (void)state;
    require_format("{'asset':{'version':'2.0'}}", "gltf");
    require_format("\n\t{'nodes':[],'asset':{'version':'2.0'}}", "gltf");
    require_format("\xef\xbb\xbf{'asset':{'version':'2.0'}}", "gltf");
    /* Which one it is decides the asset, whatever else is there. */
    require_format("{'ossa':1,'bones':[],'asset':{'version':'2.0'}}", "gltf");
    require_format("HIERARCHY\n" MOTION, "bvh");
    require_format("\xef\xbb\xbf\r\nHierarchy\n" MOTION, "bvh");
    struct bytes glb = gltf_glb("{" GLTF_ASSET "}", NULL);
    char why[OSSA_MESSAGE_CAPACITY];
    assert_string_equal(format_of(glb.data, glb.size, why), "gltf");
    bytes_free(&glb);
}

static void require_refusal(const char *text, const char *message)
{
    char why[OSSA_MESSAGE_CAPACITY];
    struct bytes document = gltf_quote(text);
    require(format_of(document.data, document.size, why) == NULL, text, "is read");
    require(strncmp(why, message, strlen(message)) == 0, text, "says '%s', expected '%s'", why,
            message);
    bytes_free(&document);
}

static void others_are_refused(void **state)
{
    (void)state;
    static const char none[] = "is not a glTF (.glb, .gltf), a BVH or the scene JSON of Ossa";
    require_refusal("", "the file has no bytes");
    require_refusal("\xef\xbb\xbf", "the file has no bytes");
    require_refusal(" ", none);
    require_refusal("[]", none);
    require_refusal("{}", none);
    require_refusal("{'ossa':1,'format':'ei-anm'}", none);
    require_refusal("{'bones':[]}", none);
    require_refusal("HIERARCH", none);
    require_refusal("glT", none);
    require_refusal("{'asset'", "JSON line 1, column 9: the text ends, expected ':'");
    require_refusal("glTF", "needs 4 bytes, 0 left");
    require_refusal("Kaydara FBX Binary  ",
                    "is an FBX, which is not read; export glTF 2.0 (.glb) or BVH instead");
    require_refusal("BLENDER-v304",
                    "is a .blend, which is not read; export glTF 2.0 (.glb) or BVH instead");
}

TEST_GROUP(test_import_motion)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_told_apart),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
