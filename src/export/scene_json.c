/* SPDX-License-Identifier: MIT
 *
 * A scene as JSON, for programs that want neither game files nor glTF. What a scene may go without
 * (textures, materials, morph targets) is there only where it has some. */
#include "ossa/export.h"

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"

#include "scene/extras.h"

#include <math.h>

static void write_transform(struct ossa__json *json, const ossa_transform *transform)
{
    ossa__member_floats(json, "translation", transform->translation, 3);
    ossa__member_floats(json, "rotation", transform->rotation, 4);
    ossa__member_floats(json, "scale", transform->scale, 3);
}

/* The digits of a float tell it from other floats; from 2^24 on that is less than a whole number
 * says. */
static void write_number(struct ossa__json *json, double value)
{
    double size = fabs(value);
    if (size >= 0x1p24 && size < 0x1p53 && floor(value) == value)
        ossa__json_int(json, (int64_t)value);
    else ossa__json_float(json, (float)value);
}

static void write_numbers(struct ossa__json *json, const double *values, uint32_t count)
{
    ossa__json_begin_row(json);
    for (uint32_t i = 0; i < count; i++) write_number(json, values[i]);
    ossa__json_end_array(json);
}

void ossa__json_extras(struct ossa__json *json, const ossa_extra *extras, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const ossa_extra *extra = &extras[i];
        ossa__json_key(json, extra->key);
        if (extra->text != NULL) ossa__json_string(json, extra->text);
        else if (extra->number_count == 1) write_number(json, extra->numbers[0]);
        else write_numbers(json, extra->numbers, extra->number_count);
    }
}

static void write_extras(struct ossa__json *json, const ossa_extra *extras, uint32_t count)
{
    ossa__json_key(json, "extras");
    ossa__json_begin_object(json);
    ossa__json_extras(json, extras, count);
    ossa__json_end_object(json);
}

/* How the scene was made. */
static void write_options(struct ossa__json *json, const ossa_scene *scene)
{
    if (scene->extra_count == 0) return;
    ossa__json_key(json, "options");
    ossa__json_begin_object(json);
    ossa__json_extras(json, scene->extras, scene->extra_count);
    ossa__json_end_object(json);
}

static void write_bones(struct ossa__json *json, const ossa_scene *scene)
{
    ossa__json_key(json, "bones");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        ossa__json_begin_object(json);
        ossa__member_text(json, "name", scene->bones[i].name);
        ossa__member_int(json, "parent", scene->bones[i].parent);
        write_transform(json, &scene->bones[i].rest);
        if (scene->bones[i].extra_count > 0) {
            write_extras(json, scene->bones[i].extras, scene->bones[i].extra_count);
        }
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

/* The curves of one kind: `{"bone":n,"keys":[[..]..]}`, a row a frame. */
static void write_tracks(struct ossa__json *json, const char *key, const ossa_clip *clip,
                         const ossa_tracks *tracks, unsigned width)
{
    ossa__json_key(json, key);
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < tracks->count; i++) {
        ossa__json_begin_object(json);
        ossa__member_uint(json, "bone", tracks->bones[i]);
        ossa__json_key(json, "keys");
        ossa__json_begin_array(json);
        for (size_t f = 0; f < clip->frame_count; f++) {
            ossa__json_floats(json, tracks->keys + (f * tracks->count + i) * width, width);
        }
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_visibilities(struct ossa__json *json, const ossa_clip *clip)
{
    const ossa_flag_tracks *tracks = &clip->visibilities;
    ossa__json_key(json, "visibilities");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < tracks->count; i++) {
        ossa__json_begin_object(json);
        ossa__member_uint(json, "bone", tracks->bones[i]);
        ossa__json_key(json, "keys");
        ossa__json_begin_row(json);
        for (size_t f = 0; f < clip->frame_count; f++) {
            ossa__json_bool(json, tracks->keys[f * tracks->count + i] != 0);
        }
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

/* Which target a mesh has in each frame: `{"mesh":n,"keys":[..]}`, -1 being none. */
static void write_morphs(struct ossa__json *json, const ossa_clip *clip)
{
    const ossa_morph_tracks *tracks = &clip->morphs;
    if (tracks->count == 0) return;
    ossa__json_key(json, "morphs");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < tracks->count; i++) {
        ossa__json_begin_object(json);
        ossa__member_uint(json, "mesh", tracks->meshes[i]);
        ossa__json_key(json, "keys");
        ossa__json_begin_row(json);
        for (size_t f = 0; f < clip->frame_count; f++) {
            ossa__json_int(json, tracks->keys[f * tracks->count + i]);
        }
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_clip(struct ossa__json *json, const ossa_scene *scene, const ossa_clip *clip)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "name", clip->name);
    ossa__member_text(json, "source", clip->source);
    ossa__member_text(json, "source_format", clip->source_format);
    ossa__member_float(json, "fps", (float)clip->fps);
    ossa__member_uint(json, "frames", clip->frame_count);
    ossa__member_bool(json, "loop", clip->loop);
    ossa__member_bool(json, "in_place", clip->in_place);
    ossa__member_floats(json, "velocity", clip->velocity, 3);
    write_extras(json, clip->extras, clip->extra_count);
    ossa__json_key(json, "constant");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        ossa__json_begin_object(json);
        write_transform(json, &clip->constant[i]);
        ossa__member_bool(json, "visible", clip->constant_visible[i] != 0);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    write_tracks(json, "rotations", clip, &clip->rotations, 4);
    write_tracks(json, "translations", clip, &clip->translations, 3);
    write_tracks(json, "scales", clip, &clip->scales, 3);
    write_visibilities(json, clip);
    write_morphs(json, clip);
    ossa__json_end_object(json);
}

/* What each target adds to the positions. */
static void write_targets(struct ossa__json *json, const ossa_mesh *mesh)
{
    ossa__json_key(json, "targets");
    ossa__json_begin_array(json);
    for (size_t t = 0; t < mesh->target_count; t++) {
        ossa__json_begin_array(json);
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            ossa__json_floats(json, mesh->targets[t * mesh->vertex_count + v], 3);
        }
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

/* Four bones per vertex and how much each counts. */
static void write_weights(struct ossa__json *json, const ossa_mesh *mesh)
{
    ossa__json_key(json, "joints");
    ossa__json_begin_array(json);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        ossa__json_begin_row(json);
        for (unsigned k = 0; k < 4; k++) ossa__json_uint(json, mesh->joints[v][k]);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    ossa__member_rows(json, "weights", (const float *)mesh->weights, mesh->vertex_count, 4);
}

static void write_mesh(struct ossa__json *json, const ossa_mesh *mesh)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "name", mesh->name);
    ossa__member_uint(json, "bone", mesh->bone);
    if (mesh->vertex_bones != NULL) {
        ossa__member_u32s(json, "vertex_bones", mesh->vertex_bones, mesh->vertex_count);
    }
    if (mesh->joints != NULL) write_weights(json, mesh);
    ossa__member_text(json, "kind", mesh->kind == OSSA_MESH_KIND_LINES ? "lines" : "triangles");
    ossa__member_rows(json, "positions", (const float *)mesh->positions, mesh->vertex_count, 3);
    if (mesh->normals != NULL) {
        ossa__member_rows(json, "normals", (const float *)mesh->normals, mesh->vertex_count, 3);
    }
    if (mesh->colours != NULL) {
        ossa__json_key(json, "colours");
        ossa__json_begin_array(json);
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            ossa__json_begin_row(json);
            for (unsigned k = 0; k < 4; k++) ossa__json_uint(json, mesh->colours[i][k]);
            ossa__json_end_array(json);
        }
        ossa__json_end_array(json);
    }
    if (mesh->texcoords != NULL) {
        ossa__member_rows(json, "texcoords", (const float *)mesh->texcoords, mesh->vertex_count, 2);
    }
    if (mesh->texcoords2 != NULL) {
        ossa__member_rows(json, "texcoords2", (const float *)mesh->texcoords2, mesh->vertex_count,
                          2);
    }
    if (mesh->material >= 0) ossa__member_int(json, "material", mesh->material);
    ossa__member_u32s(json, "indices", mesh->indices, mesh->index_count);
    if (mesh->target_count > 0) write_targets(json, mesh);
    ossa__json_end_object(json);
}

static void write_material(struct ossa__json *json, const ossa_material *material)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "name", material->name);
    ossa__member_int(json, "texture", material->texture);
    ossa__member_floats(json, "colour", material->colour, 4);
    ossa__member_bool(json, "transparent", material->is_transparent);
    ossa__member_bool(json, "double_sided", material->is_double_sided);
    ossa__member_bool(json, "unlit", material->is_unlit);
    if (material->is_clamped[0] || material->is_clamped[1]) {
        ossa__json_key(json, "clamped");
        ossa__json_begin_row(json);
        for (unsigned k = 0; k < 2; k++) ossa__json_bool(json, material->is_clamped[k]);
        ossa__json_end_array(json);
    }
    if (material->alpha_cutoff > 0.0F) {
        ossa__member_float(json, "alpha_cutoff", material->alpha_cutoff);
    }
    if (material->is_blended) ossa__member_bool(json, "blended", true);
    if (material->extra_count > 0) write_extras(json, material->extras, material->extra_count);
    ossa__json_end_object(json);
}

/* The pixels are a string for each row, of eight digits a pixel: red green blue alpha. That is
 * shorter than the vertices of a mesh are, byte for byte. */
static void write_texture(struct ossa__json *json, const ossa_texture *texture)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "name", texture->name);
    ossa__member_uint(json, "width", texture->width);
    ossa__member_uint(json, "height", texture->height);
    ossa__json_key(json, "pixels");
    ossa__json_begin_array(json);
    for (size_t y = 0; y < texture->height; y++) {
        const uint8_t(*row)[4] = texture->pixels + y * texture->width;
        ossa__json_hex(json, row[0], sizeof *row * texture->width);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static void write_materials(struct ossa__json *json, const ossa_scene *scene)
{
    if (scene->material_count > 0) {
        ossa__json_key(json, "materials");
        ossa__json_begin_array(json);
        for (uint32_t i = 0; i < scene->material_count; i++) {
            write_material(json, &scene->materials[i]);
        }
        ossa__json_end_array(json);
    }
    if (scene->texture_count > 0) {
        ossa__json_key(json, "textures");
        ossa__json_begin_array(json);
        for (uint32_t i = 0; i < scene->texture_count; i++) {
            write_texture(json, &scene->textures[i]);
        }
        ossa__json_end_array(json);
    }
}

/* What each variant replaces: `{"material":n,"by":n}`. */
static void write_variants(struct ossa__json *json, const ossa_scene *scene)
{
    if (scene->variant_count == 0) return;
    ossa__json_key(json, "variants");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->variant_count; i++) {
        const ossa_variant *variant = &scene->variants[i];
        ossa__json_begin_object(json);
        ossa__member_text(json, "name", variant->name);
        ossa__json_key(json, "replacements");
        ossa__json_begin_array(json);
        for (uint32_t k = 0; k < variant->replacement_count; k++) {
            ossa__json_begin_object(json);
            ossa__member_uint(json, "material", variant->replacements[k].material);
            ossa__member_uint(json, "by", variant->replacements[k].by);
            ossa__json_end_object(json);
        }
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_camera(struct ossa__json *json, const ossa_camera *camera)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "name", camera->name);
    ossa__member_text(json, "source", camera->source);
    ossa__member_text(json, "source_format", camera->source_format);
    ossa__member_float(json, "aspect", camera->aspect);
    write_extras(json, camera->extras, camera->extra_count);
    ossa__member_floats(json, "times", camera->times, camera->key_count);
    ossa__member_rows(json, "positions", (const float *)camera->positions, camera->key_count, 3);
    ossa__member_rows(json, "rotations", (const float *)camera->rotations, camera->key_count, 4);
    ossa__member_floats(json, "fields_of_view", camera->fields_of_view, camera->key_count);
    ossa__json_end_object(json);
}

bool ossa_write_scene_json(const ossa_scene *scene, const ossa_export_options *options,
                           ossa_sink sink, ossa_error *error)
{
    static const ossa_export_options defaults;
    if (options == NULL) options = &defaults;
    struct ossa__json json;
    if (!ossa__is_allocator(options->allocator)) {
        return ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL, OSSA__HALF_ALLOCATOR);
    }
    if (!ossa_scene_validate(scene, error)) return false;
    ossa__json_start(&json, sink, options->json_style);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "scene", scene->name);
    ossa__member_text(&json, "game", scene->game);
    write_options(&json, scene);
    write_bones(&json, scene);
    ossa__json_key(&json, "clips");
    ossa__json_begin_array(&json);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (options->clips == NULL || options->clips[i] != 0)
            write_clip(&json, scene, &scene->clips[i]);
    }
    ossa__json_end_array(&json);
    ossa__json_key(&json, "meshes");
    ossa__json_begin_array(&json);
    for (uint32_t i = 0; i < scene->mesh_count; i++) write_mesh(&json, &scene->meshes[i]);
    ossa__json_end_array(&json);
    write_materials(&json, scene);
    write_variants(&json, scene);
    ossa__json_key(&json, "cameras");
    ossa__json_begin_array(&json);
    for (uint32_t i = 0; i < scene->camera_count; i++) write_camera(&json, &scene->cameras[i]);
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    ossa__json_raw(&json, "\n");
    if (ossa__json_finish(&json)) return true;
    if (error != NULL) {
        *error = (ossa_error){.code = OSSA_CODE_IO, .message = "the output could not be written"};
    }
    return false;
}
