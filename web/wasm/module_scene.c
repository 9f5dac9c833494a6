/* SPDX-License-Identifier: MIT
 *
 * Scenes: made from paths, described in JSON, written as glTF. */
#include "module.h"

#include <stdlib.h>

WEB_EXPORT(scene_free) void web_scene_free(ossa_scene *scene);
void web_scene_free(ossa_scene *scene)
{
    ossa_scene_free(scene);
}

enum { FLAG_IN_PLACE = 1, FLAG_JOIN = 2, FLAG_BOXES = 4 };

/* The paths follow each other, each with its NUL; so do the patterns of parts. */
WEB_EXPORT(scene_new)
ossa_scene *web_scene_new(ossa_workspace *workspace, const char *paths, size_t count, double fps,
                          double scale, float first, float second, float height, uint32_t euler,
                          uint32_t missing, uint32_t morphing, uint32_t flags, uint32_t resample,
                          uint32_t root, const char *parts, size_t part_count);
ossa_scene *web_scene_new(ossa_workspace *workspace, const char *paths, size_t count, double fps,
                          double scale, float first, float second, float height, uint32_t euler,
                          uint32_t missing, uint32_t morphing, uint32_t flags, uint32_t resample,
                          uint32_t root, const char *parts, size_t part_count)
{
    ossa_ei_options ei = {.complexion = {first, second, height},
                          .morphing = (ossa_ei_morphing)morphing,
                          .resample = resample,
                          .root = (ossa_ei_root)root,
                          .part_count = part_count};
    const ossa_vib_options vib = {.euler = (ossa_vib_euler)euler,
                                  .missing = (ossa_vib_missing)missing};
    const ossa_scene_options options = {.fps = fps,
                                        .scale = scale,
                                        .in_place = (flags & FLAG_IN_PLACE) != 0,
                                        .join = (flags & FLAG_JOIN) != 0,
                                        .boxes = (flags & FLAG_BOXES) != 0,
                                        .ei = &ei,
                                        .vib = &vib};
    const ossa_load_options load = {.scene = &options, .on_issue = web_on_issue};
    ossa_error error;
    web_begin();
    const char **list = web_split_paths(paths, count);
    const char **patterns = list == NULL ? NULL : web_split_paths(parts, part_count);
    ossa_scene *scene = NULL;
    ei.parts = patterns;
    if (patterns != NULL) {
        scene = ossa_workspace_scene(workspace, list, count, &load, &error);
        if (scene == NULL) (void)web_fail(&error);
    }
    free(patterns);
    free(list);
    return scene;
}

/* ---- describing ---------------------------------------------------------------------------- */

static void write_bones(struct web_json *json, const ossa_scene *scene)
{
    web_json_key(json, "bones");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        web_json_open(json, '{');
        web_member_text(json, "name", scene->bones[i].name);
        web_member_index(json, "parent", scene->bones[i].parent);
        web_member_address(json, "rest", &scene->bones[i].rest);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_extras(struct web_json *json, const ossa_extra *extras, uint32_t count)
{
    web_json_key(json, "extras");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) {
        web_json_open(json, '{');
        web_member_text(json, "key", extras[i].key);
        web_member_text(json, "text", extras[i].text);
        web_member_number(json, "count", extras[i].number_count);
        web_member_address(json, "numbers", extras[i].numbers);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_clips(struct web_json *json, const ossa_scene *scene)
{
    web_json_key(json, "clips");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        web_json_open(json, '{');
        web_member_text(json, "name", clip->name);
        web_member_text(json, "source", clip->source);
        web_member_text(json, "sourceFormat", clip->source_format);
        web_member_address(json, "fps", &clip->fps);
        web_member_number(json, "frameCount", clip->frame_count);
        web_member_number(json, "keysPerFrame", clip->keys_per_frame);
        web_member_flag(json, "loop", clip->loop);
        web_member_flag(json, "inPlace", clip->in_place);
        web_member_address(json, "velocity", clip->velocity);
        web_member_address(json, "rotationSteps", clip->rotation_steps);
        write_extras(json, clip->extras, clip->extra_count);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_meshes(struct web_json *json, const ossa_scene *scene)
{
    web_json_key(json, "meshes");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        web_json_open(json, '{');
        web_member_text(json, "name", mesh->name);
        web_member_number(json, "bone", mesh->bone);
        web_member_text(json, "kind", mesh->kind == OSSA_MESH_KIND_LINES ? "lines" : "triangles");
        web_member_number(json, "vertexCount", mesh->vertex_count);
        web_member_address(json, "positions", mesh->positions);
        web_member_address(json, "normals", mesh->normals);
        web_member_address(json, "colours", mesh->colours);
        web_member_address(json, "texcoords", mesh->texcoords);
        web_member_address(json, "texcoords2", mesh->texcoords2);
        web_member_address(json, "vertexBones", mesh->vertex_bones);
        web_member_address(json, "joints", mesh->joints);
        web_member_address(json, "weights", mesh->weights);
        web_member_number(json, "indexCount", mesh->index_count);
        web_member_address(json, "indices", mesh->indices);
        web_member_index(json, "material", mesh->material);
        web_member_number(json, "targetCount", mesh->target_count);
        web_member_address(json, "targets", mesh->targets);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_materials(struct web_json *json, const ossa_scene *scene)
{
    web_json_key(json, "materials");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const ossa_material *material = &scene->materials[i];
        web_json_open(json, '{');
        web_member_text(json, "name", material->name);
        web_member_index(json, "texture", material->texture);
        web_member_address(json, "colour", material->colour);
        web_member_flag(json, "isTransparent", material->is_transparent);
        web_member_flag(json, "isDoubleSided", material->is_double_sided);
        web_member_flag(json, "isUnlit", material->is_unlit);
        web_member_address(json, "isClamped", material->is_clamped);
        web_member_address(json, "alphaCutoff", &material->alpha_cutoff);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
    web_json_key(json, "textures");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        const ossa_texture *texture = &scene->textures[i];
        web_json_open(json, '{');
        web_member_text(json, "name", texture->name);
        web_member_number(json, "width", texture->width);
        web_member_number(json, "height", texture->height);
        web_member_address(json, "pixels", texture->pixels);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

/* A replacement is a pair: the material of a mesh, and what is shown instead. */
static void write_variants(struct web_json *json, const ossa_scene *scene)
{
    web_json_key(json, "variants");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->variant_count; i++) {
        const ossa_variant *variant = &scene->variants[i];
        web_json_open(json, '{');
        web_member_text(json, "name", variant->name);
        web_member_number(json, "count", variant->replacement_count);
        web_member_address(json, "replacements", variant->replacements);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_cameras(struct web_json *json, const ossa_scene *scene)
{
    web_json_key(json, "cameras");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const ossa_camera *camera = &scene->cameras[i];
        web_json_open(json, '{');
        web_member_text(json, "name", camera->name);
        web_member_text(json, "source", camera->source);
        web_member_text(json, "sourceFormat", camera->source_format);
        web_member_number(json, "keyCount", camera->key_count);
        web_member_address(json, "times", camera->times);
        web_member_address(json, "aspect", &camera->aspect);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

/* Arrays, and numbers that JSON would round, as addresses. */
WEB_EXPORT(scene_about) bool web_scene_about(const ossa_scene *scene);
bool web_scene_about(const ossa_scene *scene)
{
    web_begin();
    struct web_json json = web_start_result();
    web_json_open(&json, '{');
    web_member_text(&json, "name", scene->name);
    web_member_text(&json, "game", scene->game);
    web_member_address(&json, "viewpoint", scene->viewpoint);
    write_bones(&json, scene);
    write_clips(&json, scene);
    write_meshes(&json, scene);
    write_materials(&json, scene);
    write_variants(&json, scene);
    write_cameras(&json, scene);
    web_write_issues(&json, "issues", scene->issues, scene->issue_count);
    web_json_close(&json, '}');
    return web_finish_result(&json);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Like `ossa convert`, which makes no file without contents. */
static bool check_scene(const ossa_scene *scene)
{
    if (scene->bone_count > 0 || scene->camera_count > 0) return true;
    return web_fail_with(OSSA_CODE_BAD_SCENE, "the inputs contain no bones: nothing to convert");
}

/* `clips`: a flag for each; NULL: all. `variant` -1: none. */
WEB_EXPORT(scene_glb)
bool web_scene_glb(const ossa_scene *scene, const uint8_t *clips, bool skin, int32_t variant);
bool web_scene_glb(const ossa_scene *scene, const uint8_t *clips, bool skin, int32_t variant)
{
    ossa_error error;
    web_begin();
    if (!check_scene(scene)) return false;
    const ossa_export_options options = {.clips = clips,
                                         .skin = skin,
                                         .on_issue = web_on_issue,
                                         .variant =
                                             variant < 0 ? NULL : scene->variants[variant].name};
    return ossa_write_gltf(scene, &options, ossa_buffer_sink(&web_result), (ossa_sink){0},
                           &error) ||
           web_fail_output(&error);
}

WEB_EXPORT(scene_json) bool web_scene_json(const ossa_scene *scene);
bool web_scene_json(const ossa_scene *scene)
{
    ossa_error error;
    web_begin();
    if (!check_scene(scene)) return false;
    return ossa_write_scene_json(scene, NULL, ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(&error);
}
