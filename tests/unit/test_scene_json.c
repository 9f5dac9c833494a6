/* SPDX-License-Identifier: MIT
 *
 * A scene as JSON says everything that the scene says, to the last bit. */
#include "support/made_scene.h"
#include "support/scenes.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void require_floats(const json_t *row, const float *values, size_t count)
{
    assert_int_equal(json_array_size(row), count);
    for (size_t i = 0; i < count; i++) {
        float found = (float)json_number_value(json_array_get(row, i));
        assert_true(found == values[i] && signbit(found) == signbit(values[i]));
    }
}

static void require_text(const json_t *object, const char *key, const char *value)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), value);
}

static void require_transform(const json_t *object, const ossa_transform *t)
{
    require_floats(json_object_get(object, "translation"), t->translation, 3);
    require_floats(json_object_get(object, "rotation"), t->rotation, 4);
    require_floats(json_object_get(object, "scale"), t->scale, 3);
}

static void require_tracks(const json_t *clip, const char *key, const ossa_clip *wanted,
                           const ossa_tracks *tracks, unsigned width)
{
    const json_t *array = json_object_get(clip, key);
    assert_int_equal(json_array_size(array), tracks->count);
    for (uint32_t i = 0; i < tracks->count; i++) {
        const json_t *track = json_array_get(array, i);
        const json_t *keys = json_object_get(track, "keys");
        assert_int_equal(json_integer_value(json_object_get(track, "bone")), tracks->bones[i]);
        assert_int_equal(json_array_size(keys), wanted->frame_count);
        for (size_t f = 0; f < wanted->frame_count; f++) {
            require_floats(json_array_get(keys, f), tracks->keys + (f * tracks->count + i) * width,
                           width);
        }
    }
}

static void require_extras(const json_t *object, const ossa_extra *extras, uint32_t count)
{
    const json_t *found = json_object_get(object, "extras");
    assert_int_equal(json_object_size(found), count);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(found, extras[i].key);
        if (extras[i].text != NULL) {
            assert_string_equal(json_string_value(value), extras[i].text);
        } else if (extras[i].number_count == 1) {
            assert_true(json_number_value(value) == extras[i].numbers[0]);
        } else {
            assert_int_equal(json_array_size(value), extras[i].number_count);
            for (uint32_t k = 0; k < extras[i].number_count; k++) {
                double number = json_number_value(json_array_get(value, k));
                assert_true((float)number == (float)extras[i].numbers[k]);
            }
        }
    }
}

static void require_morphs(const json_t *clip, const ossa_clip *wanted)
{
    const ossa_morph_tracks *tracks = &wanted->morphs;
    const json_t *morphs = json_object_get(clip, "morphs");
    assert_int_equal(morphs != NULL, tracks->count > 0);
    assert_int_equal(json_array_size(morphs), tracks->count);
    for (uint32_t i = 0; i < tracks->count; i++) {
        const json_t *track = json_array_get(morphs, i);
        const json_t *keys = json_object_get(track, "keys");
        assert_int_equal(json_integer_value(json_object_get(track, "mesh")), tracks->meshes[i]);
        assert_int_equal(json_array_size(keys), wanted->frame_count);
        for (size_t f = 0; f < wanted->frame_count; f++) {
            assert_int_equal(json_integer_value(json_array_get(keys, f)),
                             tracks->keys[f * tracks->count + i]);
        }
    }
}

static void require_clip(const json_t *clip, const ossa_scene *scene, const ossa_clip *wanted)
{
    require_text(clip, "name", wanted->name);
    require_text(clip, "source", wanted->source);
    require_text(clip, "source_format", wanted->source_format);
    assert_true((float)json_number_value(json_object_get(clip, "fps")) == (float)wanted->fps);
    assert_int_equal(json_integer_value(json_object_get(clip, "frames")), wanted->frame_count);
    assert_int_equal(json_is_true(json_object_get(clip, "loop")), wanted->loop);
    assert_int_equal(json_is_true(json_object_get(clip, "in_place")), wanted->in_place);
    require_floats(json_object_get(clip, "velocity"), wanted->velocity, 3);
    require_extras(clip, wanted->extras, wanted->extra_count);
    const json_t *constant = json_object_get(clip, "constant");
    assert_int_equal(json_array_size(constant), scene->bone_count);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const json_t *bone = json_array_get(constant, b);
        require_transform(bone, &wanted->constant[b]);
        assert_int_equal(json_is_true(json_object_get(bone, "visible")),
                         wanted->constant_visible[b]);
    }
    require_tracks(clip, "rotations", wanted, &wanted->rotations, 4);
    require_tracks(clip, "translations", wanted, &wanted->translations, 3);
    require_tracks(clip, "scales", wanted, &wanted->scales, 3);
    const json_t *flags = json_object_get(clip, "visibilities");
    const ossa_flag_tracks *tracks = &wanted->visibilities;
    assert_int_equal(json_array_size(flags), tracks->count);
    for (uint32_t i = 0; i < tracks->count; i++) {
        const json_t *keys = json_object_get(json_array_get(flags, i), "keys");
        assert_int_equal(json_array_size(keys), wanted->frame_count);
        for (size_t f = 0; f < wanted->frame_count; f++) {
            assert_int_equal(json_is_true(json_array_get(keys, f)),
                             tracks->keys[f * tracks->count + i]);
        }
    }
    require_morphs(clip, wanted);
}

static void require_weights(const json_t *mesh, const ossa_mesh *wanted)
{
    const json_t *joints = json_object_get(mesh, "joints");
    const json_t *weights = json_object_get(mesh, "weights");
    size_t count = wanted->joints != NULL ? wanted->vertex_count : 0;
    assert_int_equal(joints != NULL, wanted->joints != NULL);
    assert_int_equal(weights != NULL, wanted->weights != NULL);
    assert_int_equal(json_array_size(joints), count);
    assert_int_equal(json_array_size(weights), count);
    for (size_t v = 0; v < count; v++) {
        const json_t *row = json_array_get(joints, v);
        assert_int_equal(json_array_size(row), 4);
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(json_integer_value(json_array_get(row, k)), wanted->joints[v][k]);
        }
        require_floats(json_array_get(weights, v), wanted->weights[v], 4);
    }
}

static void require_mesh(const json_t *mesh, const ossa_mesh *wanted)
{
    require_text(mesh, "name", wanted->name);
    require_text(mesh, "kind", wanted->kind == OSSA_MESH_KIND_LINES ? "lines" : "triangles");
    assert_int_equal(json_integer_value(json_object_get(mesh, "bone")), wanted->bone);
    const json_t *bones = json_object_get(mesh, "vertex_bones");
    assert_int_equal(bones != NULL, wanted->vertex_bones != NULL);
    assert_int_equal(json_array_size(bones), bones != NULL ? wanted->vertex_count : 0);
    for (uint32_t v = 0; bones != NULL && v < wanted->vertex_count; v++) {
        assert_int_equal(json_integer_value(json_array_get(bones, v)), wanted->vertex_bones[v]);
    }
    assert_int_equal(json_array_size(json_object_get(mesh, "positions")), wanted->vertex_count);
    assert_int_equal(json_object_get(mesh, "normals") != NULL, wanted->normals != NULL);
    assert_int_equal(json_object_get(mesh, "colours") != NULL, wanted->colours != NULL);
    for (uint32_t v = 0; v < wanted->vertex_count; v++) {
        require_floats(json_array_get(json_object_get(mesh, "positions"), v), wanted->positions[v],
                       3);
        if (wanted->normals != NULL) {
            require_floats(json_array_get(json_object_get(mesh, "normals"), v), wanted->normals[v],
                           3);
        }
        for (unsigned k = 0; k < 4 && wanted->colours != NULL; k++) {
            const json_t *row = json_array_get(json_object_get(mesh, "colours"), v);
            assert_int_equal(json_integer_value(json_array_get(row, k)), wanted->colours[v][k]);
        }
    }
    const json_t *indices = json_object_get(mesh, "indices");
    assert_int_equal(json_array_size(indices), wanted->index_count);
    for (uint32_t i = 0; i < wanted->index_count; i++) {
        assert_int_equal(json_integer_value(json_array_get(indices, i)), wanted->indices[i]);
    }
    const json_t *texcoords = json_object_get(mesh, "texcoords");
    assert_int_equal(texcoords != NULL, wanted->texcoords != NULL);
    assert_int_equal(json_array_size(texcoords), texcoords != NULL ? wanted->vertex_count : 0);
    for (size_t v = 0; wanted->texcoords != NULL && v < wanted->vertex_count; v++) {
        require_floats(json_array_get(texcoords, v), wanted->texcoords[v], 2);
    }
    const json_t *second = json_object_get(mesh, "texcoords2");
    assert_int_equal(second != NULL, wanted->texcoords2 != NULL);
    assert_int_equal(json_array_size(second), second != NULL ? wanted->vertex_count : 0);
    for (size_t v = 0; wanted->texcoords2 != NULL && v < wanted->vertex_count; v++) {
        require_floats(json_array_get(second, v), wanted->texcoords2[v], 2);
    }
    require_weights(mesh, wanted);
    const json_t *material = json_object_get(mesh, "material");
    assert_int_equal(material != NULL, wanted->material >= 0);
    if (material != NULL) assert_int_equal(json_integer_value(material), wanted->material);
    const json_t *targets = json_object_get(mesh, "targets");
    assert_int_equal(targets != NULL, wanted->target_count > 0);
    assert_int_equal(json_array_size(targets), wanted->target_count);
    for (size_t t = 0; t < wanted->target_count; t++) {
        const json_t *target = json_array_get(targets, t);
        assert_int_equal(json_array_size(target), wanted->vertex_count);
        for (size_t v = 0; v < wanted->vertex_count; v++) {
            require_floats(json_array_get(target, v), wanted->targets[t * wanted->vertex_count + v],
                           3);
        }
    }
}

static void require_material(const json_t *material, const ossa_material *wanted)
{
    require_text(material, "name", wanted->name);
    assert_int_equal(json_integer_value(json_object_get(material, "texture")), wanted->texture);
    require_floats(json_object_get(material, "colour"), wanted->colour, 4);
    assert_int_equal(json_is_true(json_object_get(material, "transparent")),
                     wanted->is_transparent);
    assert_int_equal(json_is_true(json_object_get(material, "double_sided")),
                     wanted->is_double_sided);
    assert_int_equal(json_is_true(json_object_get(material, "unlit")), wanted->is_unlit);
    const json_t *clamped = json_object_get(material, "clamped");
    bool is_clamped = wanted->is_clamped[0] || wanted->is_clamped[1];
    assert_int_equal(json_array_size(clamped), is_clamped ? 2 : 0);
    for (size_t k = 0; is_clamped && k < 2; k++) {
        assert_int_equal(json_is_true(json_array_get(clamped, k)), wanted->is_clamped[k]);
    }
    assert_int_equal(json_is_true(json_object_get(material, "blended")), wanted->is_blended);
    const json_t *cutoff = json_object_get(material, "alpha_cutoff");
    assert_int_equal(cutoff != NULL, wanted->alpha_cutoff > 0.0F);
    assert_true((float)json_number_value(cutoff) == wanted->alpha_cutoff);
}

static void require_texture(const json_t *texture, const ossa_texture *wanted)
{
    const json_t *rows = json_object_get(texture, "pixels");
    require_text(texture, "name", wanted->name);
    assert_int_equal(json_integer_value(json_object_get(texture, "width")), wanted->width);
    assert_int_equal(json_integer_value(json_object_get(texture, "height")), wanted->height);
    assert_int_equal(json_array_size(rows), wanted->height);
    for (size_t y = 0; y < wanted->height; y++) {
        const char *row = json_string_value(json_array_get(rows, y));
        assert_int_equal(strlen(row), 8 * (size_t)wanted->width);
        for (size_t x = 0; x < wanted->width; x++) {
            const uint8_t *pixel = wanted->pixels[y * wanted->width + x];
            char digits[9];
            (void)snprintf(digits, sizeof digits, "%02x%02x%02x%02x", pixel[0], pixel[1], pixel[2],
                           pixel[3]);
            assert_memory_equal(row + 8 * x, digits, 8);
        }
    }
}

static void require_camera(const json_t *camera, const ossa_camera *wanted)
{
    require_text(camera, "name", wanted->name);
    require_text(camera, "source", wanted->source);
    require_text(camera, "source_format", wanted->source_format);
    assert_true((float)json_number_value(json_object_get(camera, "aspect")) == wanted->aspect);
    require_floats(json_object_get(camera, "times"), wanted->times, wanted->key_count);
    require_floats(json_object_get(camera, "fields_of_view"), wanted->fields_of_view,
                   wanted->key_count);
    assert_int_equal(json_array_size(json_object_get(camera, "positions")), wanted->key_count);
    assert_int_equal(json_array_size(json_object_get(camera, "rotations")), wanted->key_count);
    for (uint32_t k = 0; k < wanted->key_count; k++) {
        require_floats(json_array_get(json_object_get(camera, "positions"), k),
                       wanted->positions[k], 3);
        require_floats(json_array_get(json_object_get(camera, "rotations"), k),
                       wanted->rotations[k], 4);
    }
    require_extras(camera, wanted->extras, wanted->extra_count);
}

static void require_document(const char *label, const ossa_scene *scene, const uint8_t *clips,
                             ossa_json_style style)
{
    struct bytes text = scene_json_or_fail(label, scene, clips, style);
    assert_int_equal(text.data[text.size - 1], '\n');
    const uint8_t *line = memchr(text.data, '\n', text.size);
    assert_int_equal(line == text.data + text.size - 1, style == OSSA_JSON_STYLE_LINE);
    json_error_t error;
    json_t *document =
        json_loadb((const char *)text.data, text.size, JSON_REJECT_DUPLICATES, &error);
    require(document != NULL, label, "%s", error.text);
    assert_int_equal(json_integer_value(json_object_get(document, "ossa")), 1);
    require_text(document, "scene", scene->name);
    require_text(document, "game", scene->game);
    const json_t *bones = json_object_get(document, "bones");
    assert_int_equal(json_array_size(bones), scene->bone_count);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const json_t *bone = json_array_get(bones, b);
        require_text(bone, "name", scene->bones[b].name);
        assert_int_equal(json_integer_value(json_object_get(bone, "parent")),
                         scene->bones[b].parent);
        require_transform(bone, &scene->bones[b].rest);
    }
    const json_t *found = json_object_get(document, "clips");
    size_t written = 0;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        if (clips != NULL && clips[c] == 0) continue;
        require_clip(json_array_get(found, written++), scene, &scene->clips[c]);
    }
    assert_int_equal(json_array_size(found), written);
    const json_t *meshes = json_object_get(document, "meshes");
    assert_int_equal(json_array_size(meshes), scene->mesh_count);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        require_mesh(json_array_get(meshes, m), &scene->meshes[m]);
    }
    const json_t *materials = json_object_get(document, "materials");
    assert_int_equal(materials != NULL, scene->material_count > 0);
    assert_int_equal(json_array_size(materials), scene->material_count);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        require_material(json_array_get(materials, m), &scene->materials[m]);
    }
    const json_t *textures = json_object_get(document, "textures");
    assert_int_equal(textures != NULL, scene->texture_count > 0);
    assert_int_equal(json_array_size(textures), scene->texture_count);
    for (uint32_t t = 0; t < scene->texture_count; t++) {
        require_texture(json_array_get(textures, t), &scene->textures[t]);
    }
    const json_t *cameras = json_object_get(document, "cameras");
    assert_int_equal(json_array_size(cameras), scene->camera_count);
    for (uint32_t c = 0; c < scene->camera_count; c++) {
        require_camera(json_array_get(cameras, c), &scene->cameras[c]);
    }
    json_decref(document);
    bytes_free(&text);
}

static void samples_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const ossa_scene_options options = {.boxes = i % 2 == 0};
        ossa_scene *scene = assemble_character(&samples[i], &options);
        require_document(samples[i].name, scene, NULL,
                         i % 2 == 0 ? OSSA_JSON_STYLE_LINE : OSSA_JSON_STYLE_PRETTY);
        ossa_scene_free(scene);
    }
}

static void made_scenes_are_told(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 9, .clips = 3, .frames = {4, 1, 0}, .has_mesh = true},
        {.seed = 6, .bones = 5, .has_mesh = true, .has_joints = true},
        {.seed = 7, .bones = 9, .has_mesh = true, .has_weights = true, .has_materials = true},
        {.seed = 2, .bones = 1, .clips = 1, .frames = {2}},
        {.seed = 3, .bones = 0, .clips = 0},
        {.seed = 4, .bones = 2, .clips = 1, .frames = {3}, .cameras = 3},
        {.seed = 5,
         .bones = 9,
         .clips = 3,
         .frames = {4, 1, 0},
         .has_mesh = true,
         .has_materials = true,
         .targets = 3},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        if (plans[i].cameras > 0) {
            made.clips[0].extras = made.cameras[0].extras;
            made.clips[0].extra_count = 3;
            made.clips[0].in_place = true;
            made.clips[0].velocity[0] = -0.5F;
        }
        made.scene.name = "\"quoted\" \xd0\xb8 \\ \n";
        require_document("made", &made.scene, NULL, OSSA_JSON_STYLE_LINE);
        require_document("made", &made.scene, NULL, OSSA_JSON_STYLE_PRETTY);
        if (plans[i].clips == 3) {
            const uint8_t chosen[3] = {0, 1, 1};
            require_document("chosen", &made.scene, chosen, OSSA_JSON_STYLE_LINE);
        }
        free_made_scene(&made);
    }
}

/* Whole numbers have all their digits where a double has them, and others those of a float. */
static void numbers_of_extras(void **state)
{
    (void)state;
    static const double numbers[] = {16777215.0, 16777217.0,         -16777217.0,        16777217.5,
                                     0.1,        9007199254740991.0, 9007199254740992.0, -1e20};
    const ossa_extra extra = {
        .key = "list", .numbers = numbers, .number_count = sizeof numbers / sizeof numbers[0]};
    struct made_scene made;
    const struct made_plan plan = {.seed = 7, .bones = 1, .clips = 1, .frames = {1}};
    make_scene(&made, &plan);
    made.clips[0].extras = &extra;
    made.clips[0].extra_count = 1;
    ossa_buffer buffer = {0};
    ossa_sink sink = ossa_buffer_sink(&buffer);
    assert_true(ossa_write_scene_json(&made.scene, NULL, sink, NULL));
    assert_true(sink.write(sink.user, "", 1));
    const char *found = strstr((const char *)buffer.data, "\"list\":");
    static const char expected[] = "\"list\":[16777215,16777217,-16777217,16777218,0.100000001,"
                                   "9007199254740991,9.00719925e+15,-1.00000002e+20]";
    assert_non_null(found);
    assert_memory_equal(found, expected, strlen(expected));
    ossa_buffer_free(&buffer);
    free_made_scene(&made);
}

TEST_GROUP(test_scene_json)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_told),
        cmocka_unit_test(made_scenes_are_told),
        cmocka_unit_test(numbers_of_extras),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
