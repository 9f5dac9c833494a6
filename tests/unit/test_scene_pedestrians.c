/* SPDX-License-Identifier: MIT
 *
 * Whole pedestrians with the properties of the games' own files: from files to a scene and to
 * glTF. */
#include "support/glb.h"
#include "support/mm_pedestrian.h"
#include "support/scenes.h"

#include <math.h>
#include <string.h>

/* ---- the first game ------------------------------------------------------------------------ */

static void add_mm1(struct scene_files *files)
{
    add_file(files, "officer.skel", NULL, make_mm1_skel());
    add_file(files, "officer.mod", NULL, make_mm1_mod());
    add_file(files, "officer.csv", NULL, make_mm1_csv());
    add_file(files, "officer.var", NULL, make_mm1_var());
    add_file(files, "officer_stand.anim", NULL, make_mm1_anim(1, 3));
    add_file(files, "officer_walk.anim", NULL, make_mm1_anim(2, 4));
}

/* Two bones of one name move by themselves, and get names of their own in a file. */
static void equal_names_are_told_apart(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_mm1(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, MM1_BONES);
    assert_string_equal(scene->bones[MM1_SPINE].name, "spine");
    assert_string_equal(scene->bones[MM1_SECOND_SPINE].name, "spine");
    const ossa_clip *walk = ossa_scene_find_clip(scene, "WALK");
    assert_non_null(walk);
    assert_int_equal(walk->frame_count, 4); /* one past the end is the end */
    assert_int_equal(walk->rotations.count, MM1_BONES);
    struct bytes file = glb_or_fail("first", scene, NULL);
    struct glb glb;
    glb_open(&glb, "first", &file);
    require_gltf_rules(&glb);
    assert_string_equal(glb.nodes[MM1_SPINE + 1].name, "spine");
    assert_string_equal(glb.nodes[MM1_SECOND_SPINE + 1].name, "spine_2");
    assert_string_equal(glb.nodes[MM1_SECOND_SPINE + 1].original, "spine");
    glb_close(&glb);
    bytes_free(&file);
    ossa_scene_free(scene);
    free_files(&files);
}

/* Around X first, then Z, then Y: bone by bone, by the number of the bone. */
static void angles_go_to_bones_by_number(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes anim = make_mm1_anim(7, 2);
    const float angles[3] = {0.5F, -0.25F, 0.125F};
    const size_t at = 8 + 4 * (3 + 3 * MM1_SECOND_SPINE);
    for (unsigned k = 0; k < 3; k++) set_f32(&anim, at + 4 * k, angles[k]);
    add_file(&files, "officer.skel", NULL, make_mm1_skel());
    add_file(&files, "x.anim", NULL, anim);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_clip *clip = ossa_scene_find_clip(scene, "x");
    assert_non_null(clip);
    double c[3];
    double s[3];
    for (unsigned k = 0; k < 3; k++) {
        c[k] = cos((double)angles[k] / 2);
        s[k] = sin((double)angles[k] / 2);
    }
    /* qy * qz * qx, written out. */
    const double expected[4] = {
        c[1] * c[2] * s[0] + s[1] * s[2] * c[0], s[1] * c[2] * c[0] + c[1] * s[2] * s[0],
        c[1] * s[2] * c[0] - s[1] * c[2] * s[0], c[1] * c[2] * c[0] - s[1] * s[2] * s[0]};
    const float *found = NULL;
    for (uint32_t i = 0; i < clip->rotations.count; i++) {
        if (clip->rotations.bones[i] == MM1_SECOND_SPINE) found = clip->rotations.keys + 4 * i;
    }
    assert_non_null(found);
    for (unsigned k = 0; k < 4 && found != NULL; k++) {
        assert_true(fabs((double)found[k] - expected[k]) < 1e-6);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

static const ossa_material *shown(const ossa_scene *scene, uint32_t variant, uint32_t material)
{
    const ossa_variant *v = &scene->variants[variant];
    for (uint32_t i = 0; i < v->replacement_count; i++) {
        if (v->replacements[i].material == material) {
            return &scene->materials[v->replacements[i].by];
        }
    }
    return &scene->materials[material];
}

/* Of a VAR that has not the colours of the mesh, the meshes show the first variant. */
static void clothes_of_the_first_game(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_mm1(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    const struct bytes *var = &files.bytes[3];
    assert_int_equal(scene->variant_count, MM1_VARIANTS);
    assert_string_equal(scene->variants[0].name, "variant 1");
    assert_int_equal(scene->variants[0].replacement_count, 0);
    for (uint32_t v = 0; v < MM1_VARIANTS; v++) {
        for (uint32_t m = 0; m < MM1_MATERIALS; m++) {
            const uint8_t *bytes = var->data + 8 + 4 * (MM1_MATERIALS * v + m);
            const ossa_material *material = shown(scene, v, m);
            for (unsigned k = 0; k < 3; k++) { /* stored blue first */
                assert_true(material->colour[k] == (float)bytes[2 - k] / 255.0F);
            }
            assert_true(material->colour[3] == 1.0F);
        }
    }
    /* The texture that version 1.06 names is kept. */
    assert_string_equal(scene->materials[1].name, "Officer:SHIRT (badge64)");
    assert_true(ossa_scene_validate(scene, NULL));
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- the second game ----------------------------------------------------------------------- */

static void add_mm2(struct scene_files *files)
{
    add_file(files, "man.skel", NULL, make_mm2_skel());
    add_file(files, "man.mod", NULL, make_mm2_mod());
    add_file(files, "man.csv", NULL, make_mm2_csv("man"));
    add_file(files, "man.shaders", NULL, make_mm2_shaders());
    add_file(files, "pedanim_manstand.anim", NULL, make_mm2_anim(1, 3));
    add_file(files, "pedanim_manwalk.anim", NULL, make_mm2_anim(2, 4));
}

/* One variant has the colours of the mesh: the meshes show it. */
static void clothes_of_the_second_game(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_mm2(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->variant_count, MM2_VARIANTS);
    for (uint32_t v = 0; v < MM2_VARIANTS; v++) {
        assert_int_equal(scene->variants[v].replacement_count == 0, v == MM2_OWN_VARIANT);
        assert_ptr_equal(shown(scene, v, 0), &scene->materials[0]); /* skin */
    }
    assert_true(scene->materials[1].colour[2] == 0.5F);
    struct bytes file = glb_or_fail("second", scene, NULL);
    struct glb glb;
    glb_open(&glb, "second", &file);
    require_gltf_rules(&glb);
    glb_close(&glb);
    bytes_free(&file);
    ossa_scene_free(scene);
    free_files(&files);
}

static void speeds_are_those_of_the_game(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_mm2(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_clip *walk = ossa_scene_find_clip(scene, "WALK");
    const ossa_clip *dive = ossa_scene_find_clip(scene, "WALK_LDIVE");
    assert_true(walk != NULL && dive != NULL);
    double forward = 0;
    double sideways = 0;
    for (uint32_t i = 0; walk != NULL && i < walk->extra_count; i++) {
        if (strcmp(walk->extras[i].key, "forward_speed") == 0) {
            forward = walk->extras[i].numbers[0];
        }
    }
    for (uint32_t i = 0; dive != NULL && i < dive->extra_count; i++) {
        if (strcmp(dive->extras[i].key, "sideways_speed") == 0) {
            sideways = dive->extras[i].numbers[0];
        }
    }
    /* All five frames that the table counts, though the animation has only four. */
    assert_true(fabs(forward - 0.1875 / (5 * 0.03333)) < 1e-6);
    assert_true(fabs(sideways - 2.25 / (3 * 0.03333)) < 1e-5);
    assert_true(walk != NULL && walk->loop);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- what does not fit --------------------------------------------------------------------- */

static void colours_of_another_mesh_are_left_out(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes var = {0};
    put_u32(&var, 1);
    put_u32(&var, MM2_MATERIALS + 1);
    for (unsigned i = 0; i < MM2_MATERIALS + 1; i++) put_u32(&var, 0xff102030);
    add_file(&files, "man.skel", NULL, make_mm2_skel());
    add_file(&files, "man.mod", NULL, make_mm2_mod());
    add_file(&files, "man.var", NULL, var);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->variant_count, 0);
    assert_int_equal(scene->warning_count, 1);
    assert_non_null(strstr(scene->issues[0].message, "colours for 4 materials"));
    ossa_scene_free(scene);
    free_files(&files);
}

static void too_many_variants_are_cut(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes var = {0};
    put_u32(&var, 1000);
    put_u32(&var, MM2_MATERIALS);
    for (uint32_t i = 0; i < 1000 * MM2_MATERIALS; i++) put_u32(&var, i * 2654435761U);
    add_file(&files, "man.skel", NULL, make_mm2_skel());
    add_file(&files, "man.mod", NULL, make_mm2_mod());
    add_file(&files, "man.var", "mm-var", var);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->variant_count, OSSA_MAX_VARIANTS);
    assert_int_equal(scene->warning_count, 1);
    ossa_scene_free(scene);
    free_files(&files);
}

/* Of several tables the one that is called like the skeleton is its own. */
static void the_table_of_the_same_name_is_taken(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_mm2(&files);
    add_file(&files, "woman.csv", NULL, make_mm2_csv("woman"));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->clip_count, 3);
    assert_int_equal(scene->warning_count, 1);
    ossa_scene_free(scene);
    free_files(&files);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_mm1(&files);
    assert_true(require_assembly_survives(&files, NULL) > 1);
    free_files(&files);
    files = (struct scene_files){0};
    add_mm2(&files);
    assert_true(require_assembly_survives(&files, NULL) > 1);
    free_files(&files);
}

TEST_GROUP(test_scene_pedestrians)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names_are_told_apart),
        cmocka_unit_test(angles_go_to_bones_by_number),
        cmocka_unit_test(clothes_of_the_first_game),
        cmocka_unit_test(clothes_of_the_second_game),
        cmocka_unit_test(speeds_are_those_of_the_game),
        cmocka_unit_test(colours_of_another_mesh_are_left_out),
        cmocka_unit_test(too_many_variants_are_cut),
        cmocka_unit_test(the_table_of_the_same_name_is_taken),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
