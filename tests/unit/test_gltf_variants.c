/* SPDX-License-Identifier: MIT
 *
 * Variants of materials in glTF (KHR_materials_variants), and extras of bones. */
#include "support/counting.h"
#include "support/glb.h"
#include "support/made_scene.h"
#include "support/scenes.h"
#include "ossa/export.h"

#include <string.h>

static const struct made_plan plan = {
    .seed = 12, .bones = 9, .clips = 1, .frames = {3}, .has_mesh = true, .has_materials = true};

/* Material 0 becomes 3 in the second and fourth, 4 in the third; 1, which has a texture, becomes 3
 * in the third. */
static const ossa_replacement second[] = {{0, 3}};
static const ossa_replacement third[] = {{0, 4}, {1, 3}};
static const ossa_variant four[] = {
    {"plain", 0, NULL}, {"second", 1, second}, {"third", 2, third}, {"fourth", 1, second}};

static const json_t *member(const json_t *object, const char *a, const char *b)
{
    return json_object_get(json_object_get(object, a), b);
}

static const char *material_name(const struct glb *glb, const json_t *index)
{
    const json_t *material = glb_item(glb, "materials", (size_t)json_integer_value(index));
    return json_string_value(json_object_get(material, "name"));
}

/* What a viewer shows of a primitive in a variant. */
static const char *shown(const struct glb *glb, const json_t *primitive, size_t variant)
{
    const json_t *mappings =
        json_object_get(member(primitive, "extensions", "KHR_materials_variants"), "mappings");
    for (size_t i = 0; i < json_array_size(mappings); i++) {
        const json_t *mapping = json_array_get(mappings, i);
        const json_t *variants = json_object_get(mapping, "variants");
        for (size_t k = 0; k < json_array_size(variants); k++) {
            if ((size_t)json_integer_value(json_array_get(variants, k)) == variant) {
                return material_name(glb, json_object_get(mapping, "material"));
            }
        }
    }
    return material_name(glb, json_object_get(primitive, "material"));
}

static uint32_t expected(const ossa_variant *variant, uint32_t material)
{
    for (uint32_t i = 0; i < variant->replacement_count; i++) {
        if (variant->replacements[i].material == material) return variant->replacements[i].by;
    }
    return material;
}

static bool lists_extension(const struct glb *glb, const char *name)
{
    const json_t *used = json_object_get(glb->document, "extensionsUsed");
    for (size_t i = 0; i < json_array_size(used); i++) {
        if (strcmp(json_string_value(json_array_get(used, i)), name) == 0) return true;
    }
    return false;
}

static void each_variant_shows_its_materials(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plan);
    made.scene.variants = four;
    made.scene.variant_count = 4;
    struct bytes file = glb_with("variants", &made.scene, NULL, NULL);
    struct glb glb;
    glb_open(&glb, "variants", &file);
    require_gltf_rules(&glb);
    assert_true(lists_extension(&glb, "KHR_materials_variants"));
    const json_t *names =
        json_object_get(member(glb.document, "extensions", "KHR_materials_variants"), "variants");
    assert_int_equal(json_array_size(names), 4);
    for (size_t v = 0; v < 4; v++) {
        const json_t *name = json_object_get(json_array_get(names, v), "name");
        assert_string_equal(json_string_value(name), four[v].name);
    }
    size_t compared = 0;
    size_t primitive = 0;
    for (uint32_t m = 0; m < made.scene.mesh_count; m++) {
        const ossa_mesh *mesh = &made.meshes[m];
        primitive = m > 0 && made.meshes[m - 1].bone == mesh->bone ? primitive + 1 : 0;
        if (mesh->material < 0) continue;
        size_t whole = (size_t)glb.nodes[mesh->bone + 1].mesh;
        const json_t *item = json_array_get(
            json_object_get(glb_item(&glb, "meshes", whole), "primitives"), primitive);
        for (size_t v = 0; v < 4; v++) {
            uint32_t material = expected(&four[v], (uint32_t)mesh->material);
            assert_string_equal(shown(&glb, item, v), made.materials[material].name);
            compared += material != (uint32_t)mesh->material;
        }
    }
    assert_true(compared > 2);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* The materials of all primitives, in a program that does not know variants. */
static void require_shown(const struct made_scene *made, const char *variant, bool skin)
{
    const ossa_export_options options = {.skin = skin, .variant = variant};
    struct bytes file = glb_with("shown", &made->scene, NULL, &options);
    struct bytes plain =
        glb_with("plain", &made->scene, NULL, &(ossa_export_options){.skin = skin});
    struct glb glb;
    struct glb like;
    size_t changed = 0;
    glb_open(&glb, "shown", &file);
    glb_open(&like, "plain", &plain);
    require_gltf_rules(&glb);
    const json_t *meshes = json_object_get(glb.document, "meshes");
    for (size_t m = 0; m < json_array_size(meshes); m++) {
        const json_t *primitives = json_object_get(json_array_get(meshes, m), "primitives");
        const json_t *others = json_object_get(glb_item(&like, "meshes", m), "primitives");
        assert_int_equal(json_array_size(primitives), json_array_size(others));
        for (size_t i = 0; i < json_array_size(primitives); i++) {
            const json_t *item = json_array_get(primitives, i);
            const json_t *other = json_array_get(others, i);
            const char *name = material_name(&glb, json_object_get(item, "material"));
            assert_string_equal(name, shown(&like, other, 2));
            changed += strcmp(name, material_name(&like, json_object_get(other, "material"))) != 0;
            for (size_t v = 0; v < 4; v++) { /* the variants stay what they are */
                assert_string_equal(shown(&glb, item, v), shown(&like, other, v));
            }
        }
    }
    assert_true(changed > 0);
    glb_close(&glb);
    glb_close(&like);
    bytes_free(&file);
    bytes_free(&plain);
}

static void one_variant_can_be_shown_to_all_programs(void **state)
{
    (void)state;
    struct made_scene made;
    ossa_error error;
    make_scene(&made, &plan);
    made.scene.variants = four;
    made.scene.variant_count = 4;
    require_shown(&made, "third", false);
    require_shown(&made, "third", true);
    ossa_buffer buffer = {0};
    const ossa_export_options options = {.variant = "fifth"};
    assert_false(
        ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&buffer), (ossa_sink){0}, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_string_equal(error.message, "there is no variant 'fifth'");
    ossa_buffer_free(&buffer);
    free_made_scene(&made);
}

static void scenes_without_variants_say_nothing_of_them(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plan);
    struct bytes file = glb_with("no variants", &made.scene, NULL, NULL);
    struct glb glb;
    glb_open(&glb, "no variants", &file);
    assert_false(lists_extension(&glb, "KHR_materials_variants"));
    assert_null(json_object_get(glb.document, "extensions"));
    glb_close(&glb);
    bytes_free(&file);
    made.scene.variants = four; /* nor where no mesh is there to show them */
    made.scene.variant_count = 4;
    made.scene.mesh_count = 0;
    file = glb_with("no meshes", &made.scene, NULL, NULL);
    glb_open(&glb, "no meshes", &file);
    assert_false(lists_extension(&glb, "KHR_materials_variants"));
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void variants_are_checked(void **state)
{
    (void)state;
    static const ossa_replacement outside[] = {{0, MADE_MATERIALS}};
    static const ossa_replacement of_nothing[] = {{MADE_MATERIALS, 0}};
    static const ossa_replacement twice[] = {{1, 0}, {1, 2}};
    static const ossa_variant bad[][2] = {{{"a", 1, outside}, {"b", 0, NULL}},
                                          {{"a", 1, of_nothing}, {"b", 0, NULL}},
                                          {{"a", 2, twice}, {"b", 0, NULL}},
                                          {{"a", 0, NULL}, {"a", 0, NULL}},
                                          {{"", 0, NULL}, {"b", 0, NULL}}};
    struct made_scene made;
    ossa_error error;
    make_scene(&made, &plan);
    made.scene.variants = four;
    made.scene.variant_count = 4;
    assert_true(ossa_scene_validate(&made.scene, &error));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        made.scene.variants = bad[i];
        made.scene.variant_count = 2;
        assert_false(ossa_scene_validate(&made.scene, &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
    }
    made.scene.variant_count = OSSA_MAX_VARIANTS + 1;
    assert_false(ossa_scene_validate(&made.scene, &error));
    free_made_scene(&made);
}

static void bones_keep_their_extras(void **state)
{
    (void)state;
    static const double limits[3] = {-1.5, 0, 0.25};
    static const ossa_extra extras[] = {{.key = "rotmin", .number_count = 3, .numbers = limits}};
    struct made_scene made;
    make_scene(&made, &plan);
    made.bones[2].name = "a.b"; /* and the name that a node cannot have */
    made.bones[2].extras = extras;
    made.bones[2].extra_count = 1;
    struct bytes file = glb_with("extras", &made.scene, NULL, NULL);
    struct glb glb;
    glb_open(&glb, "extras", &file);
    const json_t *found = json_object_get(glb_item(&glb, "nodes", 3), "extras");
    assert_string_equal(json_string_value(json_object_get(found, "name")), "a.b");
    const json_t *numbers = json_object_get(found, "rotmin");
    assert_int_equal(json_array_size(numbers), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_number_value(json_array_get(numbers, i)) == limits[i]);
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plan);
    made.scene.variants = four;
    made.scene.variant_count = 4;
    struct counting counting = {.failed = true};
    for (size_t n = 1; counting.failed; n++) {
        counting = (struct counting){.fail_at = n};
        const ossa_export_options options = {.allocator = counting_allocator(&counting)};
        ossa_buffer buffer = {0};
        ossa_error error = {0};
        bool ok = ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&buffer), (ossa_sink){0},
                                  &error);
        assert_int_equal(ok, !counting.failed);
        if (!ok) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        assert_int_equal(counting.live, 0);
        ossa_buffer_free(&buffer);
    }
    free_made_scene(&made);
}

TEST_GROUP(test_gltf_variants)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_variant_shows_its_materials),
        cmocka_unit_test(one_variant_can_be_shown_to_all_programs),
        cmocka_unit_test(scenes_without_variants_say_nothing_of_them),
        cmocka_unit_test(variants_are_checked),
        cmocka_unit_test(bones_keep_their_extras),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
