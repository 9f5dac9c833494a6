/* SPDX-License-Identifier: MIT
 *
 * Meshes in glTF, their materials and textures: number for number what the scene has. */
#include "support/counting.h"
#include "support/drawn.h"
#include "support/made_scene.h"
#include "support/scenes.h"
#include "ossa/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void open_made(const struct made_scene *made, const ossa_export_options *options,
                      struct bytes *file, struct glb *glb)
{
    *file = glb_with("made meshes", &made->scene, NULL, options);
    glb_open(glb, "made meshes", file);
    require_gltf_rules(glb);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void require_texcoords(const struct glb *glb, const json_t *attributes,
                              const ossa_mesh *mesh)
{
    const json_t *found = json_object_get(attributes, "TEXCOORD_0");
    assert_int_equal(found != NULL, mesh->texcoords != NULL);
    for (uint32_t v = 0; found != NULL && v < mesh->vertex_count; v++) {
        for (size_t k = 0; k < 2; k++) {
            assert_true(glb_number(glb, (size_t)json_integer_value(found), v, k) ==
                        (double)mesh->texcoords[v][k]);
        }
    }
}

/* The linear value of a part of a colour, as the standard of sRGB has it. */
static double linear_of(double part)
{
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static void require_extras(const json_t *material, const ossa_material *wanted)
{
    const json_t *extras = json_object_get(material, "extras");
    assert_int_equal(json_object_size(extras), wanted->extra_count);
    for (uint32_t i = 0; i < wanted->extra_count; i++) {
        const json_t *found = json_object_get(extras, wanted->extras[i].key);
        assert_true(json_number_value(found) == wanted->extras[i].numbers[0]);
    }
    assert_int_equal(json_is_true(json_object_get(material, "doubleSided")),
                     wanted->is_double_sided);
}

/* Every mesh of the scene that moves with one bone is a primitive of its bone's mesh, number for
 * number. (Of the others see test_gltf_skin.c.) */
static void require_same_meshes(const struct glb *glb, const ossa_scene *scene)
{
    size_t primitive = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        if (mesh->vertex_bones != NULL || mesh->joints != NULL) continue;
        primitive = m > 0 && scene->meshes[m - 1].bone == mesh->bone ? primitive + 1 : 0;
        const struct glb_node *node = &glb->nodes[mesh->bone + 1];
        require(node->mesh >= 0, glb->label, "'%s' has no mesh", node->name);
        const json_t *item = json_array_get(
            json_object_get(glb_item(glb, "meshes", (size_t)node->mesh), "primitives"), primitive);
        require(item != NULL, glb->label, "'%s' has no primitive %zu", node->name, primitive);
        const json_t *attributes = json_object_get(item, "attributes");
        assert_int_equal(glb_index(glb, item, "mode"), mesh->kind == OSSA_MESH_KIND_LINES ? 1 : 4);
        size_t positions = glb_index(glb, attributes, "POSITION");
        assert_int_equal(glb_index(glb, glb_item(glb, "accessors", positions), "count"),
                         mesh->vertex_count);
        assert_int_equal(json_object_get(attributes, "NORMAL") != NULL, mesh->normals != NULL);
        assert_int_equal(json_object_get(attributes, "COLOR_0") != NULL, mesh->colours != NULL);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            for (size_t k = 0; k < 3; k++) {
                assert_true(glb_number(glb, positions, v, k) == (double)mesh->positions[v][k]);
                if (mesh->normals == NULL) continue;
                size_t normals = glb_index(glb, attributes, "NORMAL");
                assert_true(glb_number(glb, normals, v, k) == (double)mesh->normals[v][k]);
            }
            for (size_t k = 0; k < 4 && mesh->colours != NULL; k++) {
                size_t colours = glb_index(glb, attributes, "COLOR_0");
                double wanted = mesh->colours[v][k] / 255.0;
                if (k < 3) wanted = linear_of(wanted);
                assert_true(fabs(glb_number(glb, colours, v, k) - wanted) < 0.50001 / 65535.0);
            }
        }
        size_t indices = glb_index(glb, item, "indices");
        assert_int_equal(glb_index(glb, glb_item(glb, "accessors", indices), "count"),
                         mesh->index_count);
        for (uint32_t i = 0; i < mesh->index_count; i++) {
            assert_int_equal((uint32_t)glb_number(glb, indices, i, 0), mesh->indices[i]);
        }
        require_texcoords(glb, attributes, mesh);
        /* Without a material colours shine by themselves, and boxes are plain. */
        const json_t *material = glb_item(glb, "materials", glb_index(glb, item, "material"));
        assert_string_equal(json_string_value(json_object_get(material, "name")),
                            material_name_of(scene, mesh));
        bool is_unlit =
            mesh->material < 0 ? mesh->colours != NULL : scene->materials[mesh->material].is_unlit;
        const json_t *extensions = json_object_get(material, "extensions");
        assert_int_equal(json_object_get(extensions, "KHR_materials_unlit") != NULL, is_unlit);
        if (mesh->material >= 0) require_extras(material, &scene->materials[mesh->material]);
    }
}

static void meshes_are_shown(void **state)
{
    (void)state;
    const ossa_scene_options options = {.boxes = true};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], &options);
        struct bytes file = glb_or_fail(samples[i].name, scene, NULL);
        struct glb glb;
        glb_open(&glb, samples[i].name, &file);
        require_gltf_rules(&glb);
        require_same_meshes(&glb, scene);
        glb_close(&glb);
        bytes_free(&file);
        ossa_scene_free(scene);
    }
    /* Both materials in one file, and two meshes on one bone. */
    struct made_scene made;
    const struct made_plan plan = {.seed = 6, .bones = 5, .has_mesh = true};
    struct bytes file;
    struct glb glb;
    make_scene(&made, &plan);
    open_made(&made, NULL, &file, &glb);
    require_same_meshes(&glb, &made.scene);
    assert_int_equal(glb_count(&glb, "materials"), 2);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* A PlayStation model with polygons of every kind: normals, texture coordinates and materials are
 * in the file, and bound to a skin it draws the same, fronts included. */
static void polygons_of_every_kind_are_shown(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const struct fixture *solid = fixture_find("vib-tmd/solid");
    (void)add_file(&files, "solid.tmd", NULL, bytes_copy(solid->bytes.data, solid->bytes.size));
    ossa_scene *scene = assemble_files(&files, NULL);
    struct bytes rigid = glb_or_fail("solid", scene, NULL);
    struct bytes skinned = glb_with("solid", scene, NULL, &(ossa_export_options){.skin = true});
    struct glb glb;
    struct glb bound;
    glb_open(&glb, "solid", &rigid);
    glb_open(&bound, "solid, bound", &skinned);
    require_gltf_rules(&glb);
    require_gltf_rules(&bound);
    require_same_meshes(&glb, scene);
    require_same_drawing(&glb, &bound, scene, NULL, 0.0);
    const json_t *used = json_object_get(glb.document, "extensionsUsed");
    assert_int_equal(json_array_size(used), 1);
    assert_int_equal(glb_count(&glb, "materials"), 8);
    glb_close(&bound);
    glb_close(&glb);
    bytes_free(&skinned);
    bytes_free(&rigid);
    ossa_scene_free(scene);
    free_files(&files);
}

/* All 256 values: black stays black, white stays white, the middle becomes a fifth, and no two
 * become the same. Alpha is linear already. */
static void colours_become_linear(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 6, .bones = 1, .has_mesh = true};
    make_scene(&made, &plan);
    float(*positions)[3] = made_memory(&made, 256 * sizeof *positions);
    uint8_t(*colours)[4] = made_memory(&made, 256 * sizeof *colours);
    for (unsigned i = 0; i < 256; i++) {
        for (unsigned k = 0; k < 4; k++) colours[i][k] = (uint8_t)(k == 1 ? 255 - i : i);
    }
    made.meshes[0].positions = (const float(*)[3])positions;
    made.meshes[0].colours = (const uint8_t(*)[4])colours;
    made.meshes[0].vertex_count = 256;
    made.meshes[0].normals = NULL;
    struct bytes file;
    struct glb glb;
    open_made(&made, NULL, &file, &glb);
    require_same_meshes(&glb, &made.scene);
    const json_t *primitive =
        json_array_get(json_object_get(glb_item(&glb, "meshes", 0), "primitives"), 0);
    size_t found = glb_index(&glb, json_object_get(primitive, "attributes"), "COLOR_0");
    assert_true(glb_number(&glb, found, 0, 0) == 0.0);
    assert_true(glb_number(&glb, found, 255, 0) == 1.0);
    assert_true(glb_number(&glb, found, 0, 1) == 1.0);
    assert_true(fabs(glb_number(&glb, found, 128, 0) - 0.21586) < 1e-5);
    assert_true(fabs(glb_number(&glb, found, 128, 3) - 128.0 / 255.0) < 1e-5);
    for (unsigned i = 1; i < 256; i++) {
        assert_true(glb_number(&glb, found, i, 2) > glb_number(&glb, found, i - 1, 2));
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* 16-bit indices as long as they hold; 65535 is none, it ends a strip. */
static void large_meshes_have_large_indices(void **state)
{
    (void)state;
    static const uint32_t counts[] = {65534, 65535, 65536};
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        struct made_scene made;
        const struct made_plan plan = {.seed = 6, .bones = 1, .has_mesh = true};
        make_scene(&made, &plan);
        float(*positions)[3] = made_memory(&made, counts[n] * sizeof *positions);
        uint32_t *indices = made_memory(&made, 3 * sizeof *indices);
        for (uint32_t i = 0; i < counts[n]; i++) positions[i][0] = (float)i;
        for (uint32_t i = 0; i < 3; i++) indices[i] = counts[n] - 1 - i;
        made.meshes[0].positions = (const float(*)[3])positions;
        made.meshes[0].vertex_count = counts[n];
        made.meshes[0].indices = indices;
        made.meshes[0].normals = NULL;
        struct bytes file = glb_or_fail("large", &made.scene, NULL);
        struct glb glb;
        glb_open(&glb, "large", &file);
        require_gltf_rules(&glb);
        const json_t *primitive =
            json_array_get(json_object_get(glb_item(&glb, "meshes", 0), "primitives"), 0);
        size_t accessor = glb_index(&glb, primitive, "indices");
        assert_int_equal(glb_index(&glb, glb_item(&glb, "accessors", accessor), "componentType"),
                         n == 0 ? 5123 : 5125);
        assert_true(glb_number(&glb, accessor, 0, 0) == (double)(counts[n] - 1));
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* ---- materials ----------------------------------------------------------------------------- */

static const struct made_plan with_materials = {
    .seed = 8, .bones = 16, .clips = 1, .frames = {2}, .has_mesh = true, .has_materials = true};

/* The materials of that name; of one that has a texture there may be two. */
static size_t find_materials(const struct glb *glb, const char *name, const json_t *found[2])
{
    size_t count = 0;
    for (size_t i = 0; i < glb_count(glb, "materials"); i++) {
        const json_t *material = glb_item(glb, "materials", i);
        if (strcmp(json_string_value(json_object_get(material, "name")), name) != 0) continue;
        assert_true(count < 2);
        found[count++] = material;
    }
    return count;
}

static const json_t *texture_of(const json_t *material)
{
    return json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorTexture");
}

/* The one of that name, with a texture if there are pictures, as it is when it is alone. */
static const json_t *shown_material(const struct glb *glb, const char *name)
{
    const json_t *found[2] = {NULL, NULL};
    size_t count = find_materials(glb, name, found);
    require(count > 0, glb->label, "there is no material '%s'", name);
    return count == 2 && texture_of(found[1]) != NULL ? found[1] : found[0];
}

static void require_factor(const json_t *material, const float *wanted)
{
    const json_t *factor =
        json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorFactor");
    assert_int_equal(json_array_size(factor), wanted == NULL ? 0 : 4);
    for (size_t k = 0; wanted != NULL && k < 4; k++) {
        assert_true((float)json_number_value(json_array_get(factor, k)) == wanted[k]);
    }
}

static const char *alpha_of(const json_t *material)
{
    const char *mode = json_string_value(json_object_get(material, "alphaMode"));
    return mode == NULL ? "OPAQUE" : mode;
}

static void materials_are_shown(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_scene(&made, &with_materials);
    open_made(&made, NULL, &file, &glb);
    require_same_meshes(&glb, &made.scene);
    const json_t *found[2];
    assert_int_equal(find_materials(&glb, "unused", found), 0);
    assert_int_equal(find_materials(&glb, "plain", found), 1);
    assert_int_equal(find_materials(&glb, "colours", found), 1);
    assert_int_equal(find_materials(&glb, "glass", found), 1);
    const json_t *skin = shown_material(&glb, "skin");
    const json_t *leaves = shown_material(&glb, "leaves");
    const json_t *glass = shown_material(&glb, "glass");
    const json_t *ghost = shown_material(&glb, "ghost");
    require_factor(skin, NULL); /* white is the default */
    require_factor(leaves, made.materials[1].colour);
    require_factor(glass, made.materials[2].colour);
    assert_null(json_object_get(skin, "doubleSided"));
    assert_true(json_is_true(json_object_get(leaves, "doubleSided")));
    assert_string_equal(alpha_of(skin), "OPAQUE");
    assert_string_equal(alpha_of(glass), "BLEND");
    assert_string_equal(alpha_of(leaves), "MASK");
    assert_string_equal(alpha_of(ghost), "BLEND");
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- textures ------------------------------------------------------------------------------ */

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The picture that a material shows is the scene's, by its name and size. */
static void require_picture(const struct glb *glb, const json_t *material,
                            const ossa_texture *texture)
{
    const json_t *shown = texture_of(material);
    require(shown != NULL, glb->label, "'%s' is not shown", texture->name);
    const json_t *item = glb_item(glb, "textures", glb_index(glb, shown, "index"));
    const json_t *image = glb_item(glb, "images", glb_index(glb, item, "source"));
    const json_t *view = glb_item(glb, "bufferViews", glb_index(glb, image, "bufferView"));
    const uint8_t *png = glb->bin + glb_index(glb, view, "byteOffset");
    assert_string_equal(json_string_value(json_object_get(image, "name")), texture->name);
    assert_int_equal(big_endian(png + 16), texture->width);
    assert_int_equal(big_endian(png + 20), texture->height);
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_true(ossa_write_png(texture, NULL, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(glb_index(glb, view, "byteLength"), buffer.size);
    assert_memory_equal(png, buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
}

static void textures_are_shown(void **state)
{
    (void)state;
    for (unsigned skin_option = 0; skin_option < 2; skin_option++) {
        const ossa_export_options options = {.skin = skin_option == 1};
        struct made_scene made;
        struct bytes file;
        struct glb glb;
        make_scene(&made, &with_materials);
        open_made(&made, &options, &file, &glb);
        assert_int_equal(glb_count(&glb, "images"), 3); /* the last is for nothing */
        require_picture(&glb, shown_material(&glb, "skin"), &made.textures[0]);
        require_picture(&glb, shown_material(&glb, "leaves"), &made.textures[1]);
        require_picture(&glb, shown_material(&glb, "ghost"), &made.textures[2]);
        /* One mesh with a texture has no texture coordinates: its material goes without. */
        size_t twice = 0;
        for (unsigned i = 0; i < MADE_MATERIALS; i++) {
            const json_t *found[2];
            if (find_materials(&glb, made.materials[i].name, found) < 2) continue;
            assert_int_equal((texture_of(found[0]) != NULL) + (texture_of(found[1]) != NULL), 1);
            twice++;
        }
        assert_true(twice > 0);
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* Two materials share a picture. */
static void a_picture_is_there_once(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_scene(&made, &with_materials);
    made.materials[1].texture = made.materials[3].texture = 0;
    open_made(&made, NULL, &file, &glb);
    assert_int_equal(glb_count(&glb, "images"), 1);
    require_picture(&glb, shown_material(&glb, "skin"), &made.textures[0]);
    require_picture(&glb, shown_material(&glb, "leaves"), &made.textures[0]);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* How the texture of a material goes on: the wraps of its sampler. */
static void require_wraps(const struct glb *glb, const json_t *material, size_t s, size_t t)
{
    const json_t *item = glb_item(glb, "textures", glb_index(glb, texture_of(material), "index"));
    const json_t *sampler = glb_item(glb, "samplers", glb_index(glb, item, "sampler"));
    assert_int_equal(glb_index(glb, sampler, "wrapS"), s);
    assert_int_equal(glb_index(glb, sampler, "wrapT"), t);
}

/* A texture is clamped where its material says so, also one that another material repeats. */
static void textures_are_clamped(void **state)
{
    (void)state;
    enum { REPEAT = 10497, CLAMP_TO_EDGE = 33071 };
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_scene(&made, &with_materials);
    made.materials[0].is_clamped[0] = true;
    made.materials[1].texture = 0;
    made.materials[1].is_clamped[1] = true;
    made.materials[2].texture = 0;
    made.materials[3].is_clamped[0] = true;
    open_made(&made, NULL, &file, &glb);
    require_wraps(&glb, shown_material(&glb, "skin"), CLAMP_TO_EDGE, REPEAT);
    require_wraps(&glb, shown_material(&glb, "leaves"), REPEAT, CLAMP_TO_EDGE);
    require_wraps(&glb, shown_material(&glb, "glass"), REPEAT, REPEAT);
    require_wraps(&glb, shown_material(&glb, "ghost"), CLAMP_TO_EDGE, REPEAT);
    require_picture(&glb, shown_material(&glb, "glass"), &made.textures[0]);
    require_picture(&glb, shown_material(&glb, "ghost"), &made.textures[2]);
    assert_int_equal(glb_count(&glb, "images"), 2);
    assert_int_equal(glb_count(&glb, "textures"), 4);
    assert_int_equal(glb_count(&glb, "samplers"), 3);
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

static void textures_are_cut_where_the_material_says(void **state)
{
    (void)state;
    struct made_scene made;
    struct bytes file;
    struct glb glb;
    make_scene(&made, &with_materials);
    made.materials[0].alpha_cutoff = 0.25F;
    open_made(&made, NULL, &file, &glb);
    const json_t *skin = shown_material(&glb, "skin");
    assert_string_equal(alpha_of(skin), "MASK");
    assert_true(json_number_value(json_object_get(skin, "alphaCutoff")) == 0.25);
    assert_null(json_object_get(shown_material(&glb, "leaves"), "alphaCutoff"));
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* Leaves are cut out, unless the game blends them. */
static void what_the_game_blends_is_blended(void **state)
{
    (void)state;
    for (unsigned blends = 0; blends < 2; blends++) {
        struct made_scene made;
        struct bytes file;
        struct glb glb;
        make_scene(&made, &with_materials);
        ossa_material *leaves = &made.materials[0];
        while (strcmp(leaves->name, "leaves") != 0) leaves++;
        leaves->is_blended = blends == 1;
        open_made(&made, NULL, &file, &glb);
        assert_string_equal(alpha_of(shown_material(&glb, "leaves")),
                            blends == 1 ? "BLEND" : "MASK");
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* Two sets of texture coordinates, of a mesh on a bone and of one in the skin. */
static void both_texture_coordinates_are_written(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &with_materials);
    ossa_mesh *mesh = &made.meshes[0];
    while (mesh->texcoords == NULL || mesh->kind != OSSA_MESH_KIND_TRIANGLES) mesh++;
    float(*second)[2] = made_memory(&made, mesh->vertex_count * sizeof *second);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) second[v][0] = second[v][1] = (float)v + 0.5F;
    mesh->texcoords2 = (const float(*)[2])second;
    for (unsigned skin = 0; skin < 2; skin++) {
        const ossa_export_options options = {.skin = skin == 1};
        struct bytes file;
        struct glb glb;
        size_t found = 0;
        open_made(&made, &options, &file, &glb);
        for (size_t m = 0; m < glb_count(&glb, "meshes"); m++) {
            for (size_t p = 0; p < glb_primitive_count(&glb, m); p++) {
                const json_t *attributes = json_object_get(glb_primitive(&glb, m, p), "attributes");
                if (json_object_get(attributes, "TEXCOORD_1") == NULL) continue;
                size_t accessor = glb_index(&glb, attributes, "TEXCOORD_1");
                for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                    assert_true(glb_number(&glb, accessor, v, 0) == v + 0.5);
                    assert_true(glb_number(&glb, accessor, v, 1) == v + 0.5);
                }
                found++;
            }
        }
        assert_int_equal(found, 1);
        glb_close(&glb);
        bytes_free(&file);
    }
    free_made_scene(&made);
}

/* ---- files --------------------------------------------------------------------------------- */

static const struct made_plan with_all = {.seed = 9,
                                          .bones = 13,
                                          .clips = 2,
                                          .frames = {3, 2},
                                          .cameras = 1,
                                          .has_mesh = true,
                                          .has_joints = true,
                                          .has_weights = true,
                                          .has_materials = true,
                                          .targets = 2};

static void a_gltf_and_its_buffer_are_the_glb(void **state)
{
    (void)state;
    for (unsigned skin = 0; skin < 2; skin++) {
        const ossa_export_options alone = {.skin = skin == 1};
        const ossa_export_options options = {.bin_uri = "x.bin", .skin = skin == 1};
        struct made_scene made;
        struct bytes file;
        struct glb one;
        struct glb two;
        ossa_buffer text = {0};
        ossa_buffer bin = {0};
        make_scene(&made, &with_all);
        open_made(&made, &alone, &file, &one);
        assert_true(ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&text),
                                    ossa_buffer_sink(&bin), NULL));
        struct bytes text_bytes = bytes_copy(text.data, text.size);
        struct bytes bin_bytes = bytes_copy(bin.data, bin.size);
        glb_open_pair(&two, "pair", &text_bytes, &bin_bytes);
        require_gltf_rules(&two);
        assert_int_equal(one.bin_size, two.bin_size);
        assert_memory_equal(one.bin, two.bin, one.bin_size);
        json_t *buffer = json_array_get(json_object_get(two.document, "buffers"), 0);
        assert_int_equal(json_object_del(buffer, "uri"), 0);
        assert_int_equal(json_equal(one.document, two.document), 1);
        glb_close(&one);
        glb_close(&two);
        bytes_free(&file);
        bytes_free(&text_bytes);
        bytes_free(&bin_bytes);
        ossa_buffer_free(&text);
        ossa_buffer_free(&bin);
        free_made_scene(&made);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (unsigned skin = 0; skin < 2; skin++) {
        struct made_scene made;
        struct counting counting = {0};
        make_scene(&made, &with_all);
        struct bytes whole =
            glb_with("whole", &made.scene, NULL, &(ossa_export_options){.skin = skin == 1});
        for (size_t n = 0; n == 0 || counting.failed; n++) {
            counting = (struct counting){.fail_at = n};
            const ossa_export_options options = {.skin = skin == 1,
                                                 .allocator = counting_allocator(&counting)};
            ossa_buffer buffer = {0};
            ossa_error error = {0};
            bool ok = ossa_write_gltf(&made.scene, &options, ossa_buffer_sink(&buffer),
                                      (ossa_sink){0}, &error);
            assert_int_equal(ok, !counting.failed);
            if (ok) {
                assert_int_equal(buffer.size, whole.size);
                assert_memory_equal(buffer.data, whole.data, whole.size);
            } else {
                assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            }
            assert_int_equal(counting.live, 0);
            assert_false(counting.wrong_release);
            ossa_buffer_free(&buffer);
        }
        bytes_free(&whole);
        free_made_scene(&made);
    }
}

TEST_GROUP(test_gltf_meshes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_shown),
        cmocka_unit_test(polygons_of_every_kind_are_shown),
        cmocka_unit_test(colours_become_linear),
        cmocka_unit_test(large_meshes_have_large_indices),
        cmocka_unit_test(materials_are_shown),
        cmocka_unit_test(textures_are_shown),
        cmocka_unit_test(a_picture_is_there_once),
        cmocka_unit_test(textures_are_clamped),
        cmocka_unit_test(textures_are_cut_where_the_material_says),
        cmocka_unit_test(what_the_game_blends_is_blended),
        cmocka_unit_test(both_texture_coordinates_are_written),
        cmocka_unit_test(a_gltf_and_its_buffer_are_the_glb),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
