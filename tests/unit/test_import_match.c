/* SPDX-License-Identifier: MIT
 *
 * Which nodes of an edit are bones of the figure, by their names. */
#include "import/import.h"
#include "support/gltf_text.h"
#include "support/scenes.h"

/* A mesh without vertices of its own. */
#define MESH                                                                                       \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"                                   \
    "'accessors':[{'componentType':5126,'type':'VEC3','count':3}]"

/* Import a glTF into a figure of two parts, `hp` and below it `bd`, both at the origin. The message
 * must be as wanted; NULL: it is accepted. */
static void require_match(const char *text, const char *wanted)
{
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    struct scene_files files = {0};
    struct gltf_reading reading = {0};
    const ossa_import_options options = {0};
    const ossa_scene_options usual = {0};
    const char *path = "edit.gltf";
    ossa_import result = {0};
    struct ossa__context context;
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "idle/hp.anm", "ei-anm", make_random_anm(3, 4));
    (void)add_file(&files, "idle/bd.anm", "ei-anm", make_random_anm(3, 5));
    struct ossa__motion *motion = gltf_read_text(&reading, text, NULL);
    const struct ossa__import_call call = {.options = &options,
                                           .scene = &usual,
                                           .inputs = files.inputs,
                                           .input_count = files.count,
                                           .motions = &motion,
                                           .motion_paths = &path,
                                           .motion_count = 1};
    ossa__context_init(&context, NULL, 1 << 20);
    bool ok = ossa__import(&context, &call, &result);
    if (wanted == NULL) require(ok, text, "%s", context.error.message);
    else assert_string_equal(ok ? "accepted" : context.error.message, wanted);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    gltf_free(&reading);
    free_files(&files);
}

static void bones_are_joints_or_other_nodes(void **state)
{
    (void)state;
    require_match("{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},{'name':'bd'}]}", NULL);
    /* Without a skin, the bones may have meshes. */
    require_match("{" GLTF_ASSET
                  ",'nodes':[{'name':'hp','mesh':0,'children':[1]},{'name':'bd','mesh':0}]," MESH
                  "}",
                  NULL);
    /* A skin may leave out bones that have no influence. */
    require_match("{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},{'name':'bd'}],"
                  "'skins':[{'joints':[0]}]}",
                  NULL);
    /* As Blender has them: the mesh of a stiff part is called like its bone. */
    require_match("{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},"
                  "{'name':'bd','children':[2]},{'name':'bd','mesh':0}],"
                  "'skins':[{'joints':[0,1]}]," MESH "}",
                  NULL);
}

static void the_mesh_of_a_renamed_bone_is_not_the_bone(void **state)
{
    (void)state;
    require_match("{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},"
                  "{'name':'chest','children':[2]},{'name':'bd','mesh':0}],"
                  "'skins':[{'joints':[0,1]}]," MESH "}",
                  "1 of 2 bones is missing, the first is 'bd'; bones are recognised by their names:"
                  " do not rename or delete them, and export the whole skeleton");
}

static void another_figure_is_recognised(void **state)
{
    (void)state;
    require_match(
        "{" GLTF_ASSET ",'nodes':[{'name':'root','children':[1]},{'name':'head'}]}",
        "2 of 2 bones of 't' are missing, the first is 'hp'; the originals must be those that "
        "were converted, with their skeleton");
}

TEST_GROUP(test_import_match)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_joints_or_other_nodes),
        cmocka_unit_test(the_mesh_of_a_renamed_bone_is_not_the_bone),
        cmocka_unit_test(another_figure_is_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
