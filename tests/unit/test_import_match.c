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

/* Import a glTF into a figure of parts, all of them at the origin: names and those of their
 * parents, of which the first moves. The message must be as wanted; NULL: it is accepted. */
static void require_match_of(const char *const *tree, const char *text, const char *wanted)
{
    struct scene_files files = {0};
    struct gltf_reading reading = {0};
    const ossa_import_options options = {0};
    const ossa_scene_options usual = {0};
    const char *path = "edit.gltf";
    ossa_import result = {0};
    struct ossa__context context;
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "idle/hp.anm", "ei-anm", make_random_anm(3, 4));
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

/* Into one of two parts, `hp` and below it `bd`. */
static void require_match(const char *text, const char *wanted)
{
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    require_match_of(tree, text, wanted);
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
    /* Wherever it stands. */
    require_match("{" GLTF_ASSET ",'nodes':[{'name':'hp','translation':[9,9,9],'mesh':0},"
                  "{'name':'hp','children':[2]},{'name':'bd'}],"
                  "'skins':[{'joints':[1,2]}]," MESH "}",
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

/* Blender cuts names after 63 bytes: what was cut from two is not both of them. */
#define CUT "a23456789b23456789c23456789d23456789e23456789f23456789g23456789"

static void a_node_is_one_bone(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", CUT "1", "hp", CUT "2", "hp", NULL};
    require_match_of(tree,
                     "{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1,2]},"
                     "{'name':'" CUT "'},{'name':'" CUT "2'}]}",
                     NULL);
    require_match_of(
        tree, "{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},{'name':'" CUT "'}]}",
        "1 of 3 bones is missing, the first is '" CUT "2'; bones are recognised by their names:"
        " do not rename or delete them, and export the whole skeleton");
}

/* Half a millimetre is rounding, two of them are not. */
static void the_rest_pose_stays_as_it_is(void **state)
{
    (void)state;
    require_match("{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},"
                  "{'name':'bd','translation':[0,0.0005,0]}]}",
                  NULL);
    require_match(
        "{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},"
        "{'name':'bd','translation':[0,0.002,0]}]}",
        "the rest pose of the skeleton was changed: 'bd' is 2 mm from where it was; move "
        "bones in Pose Mode, not in Edit Mode, and leave the armature object where it is; "
        "if nothing was moved, the originals or options are not those of the conversion");
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
        cmocka_unit_test(a_node_is_one_bone),
        cmocka_unit_test(the_rest_pose_stays_as_it_is),
        cmocka_unit_test(another_figure_is_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
