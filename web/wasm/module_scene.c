/* SPDX-License-Identifier: MIT
 *
 * Scenes: made from paths, described in JSON, written for other programs. */
#include "module.h"

#include <stdlib.h>

WEB_EXPORT(scene_free) void web_scene_free(ossa_scene *scene);
void web_scene_free(ossa_scene *scene)
{
    ossa_scene_free(scene);
}

/* The options as JavaScript numbers them. */
enum option {
    FPS,
    SCALE,
    IN_PLACE,
    JOIN,
    BOXES,
    TRACE_KEYS,
    FIRST,
    SECOND,
    HEIGHT,
    MORPH,
    RESAMPLE,
    ROOT,
    LOOK,
    EULER,
    MISSING,
    TWIST,
    VIEW,
    SIDES,
    PALETTE,
    UNLIT,
};

/* The paths follow each other, each with its NUL; so do the patterns of parts. */
WEB_EXPORT(scene_new)
ossa_scene *web_scene_new(ossa_workspace *workspace, const char *paths, size_t count,
                          const double *values, const char *parts, size_t part_count);
ossa_scene *web_scene_new(ossa_workspace *workspace, const char *paths, size_t count,
                          const double *values, const char *parts, size_t part_count)
{
    ossa_ei_options ei = {
        .complexion = {(float)values[FIRST], (float)values[SECOND], (float)values[HEIGHT]},
        .morphing = (ossa_ei_morphing)values[MORPH],
        .resample = (uint32_t)values[RESAMPLE],
        .root = (ossa_ei_root)values[ROOT],
        .look = (ossa_ei_look)values[LOOK],
        .part_count = part_count};
    const ossa_vib_options vib = {.euler = (ossa_vib_euler)values[EULER],
                                  .missing = (ossa_vib_missing)values[MISSING],
                                  .twist = (ossa_vib_twist)values[TWIST],
                                  .view = (ossa_vib_view)values[VIEW]};
    const ossa_sotc_options sotc = {.sides = (ossa_sotc_sides)values[SIDES],
                                    .palette = (ossa_sotc_palette)values[PALETTE],
                                    .unlit = values[UNLIT] != 0.0};
    const ossa_scene_options options = {.fps = values[FPS],
                                        .scale = values[SCALE],
                                        .in_place = values[IN_PLACE] != 0.0,
                                        .join = values[JOIN] != 0.0,
                                        .boxes = values[BOXES] != 0.0,
                                        .trace_keys = values[TRACE_KEYS] != 0.0,
                                        .ei = &ei,
                                        .vib = &vib,
                                        .sotc = &sotc};
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

static void write_events(struct web_json *json, const ossa_clip *clip)
{
    web_json_key(json, "events");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < clip->event_count; i++) {
        web_json_open(json, '{');
        web_member_number(json, "frame", clip->events[i].frame);
        web_member_text(json, "kind", clip->events[i].kind);
        web_member_text(json, "field", clip->events[i].field);
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
        web_member_address(json, "travel", clip->travel);
        web_member_address(json, "rotationSteps", clip->rotation_steps);
        web_member_text(json, "next", clip->next);
        write_events(json, clip);
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
        web_member_address(json, "positions", camera->positions);
        web_member_address(json, "rotations", camera->rotations);
        web_member_address(json, "fieldsOfView", camera->fields_of_view);
        web_member_address(json, "aspect", &camera->aspect);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_words(struct web_json *json, const ossa_option_info *option)
{
    web_json_key(json, "words");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < option->word_count; i++) {
        web_json_open(json, '{');
        web_member_text(json, "value", option->words[i].word);
        web_member_text(json, "text", option->words[i].text);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_options(struct web_json *json, const ossa_scene *scene)
{
    static const char *const kinds[] = {[OSSA_OPTION_KIND_FLAG] = "flag",
                                        [OSSA_OPTION_KIND_NUMBER] = "number",
                                        [OSSA_OPTION_KIND_CHOICE] = "choice",
                                        [OSSA_OPTION_KIND_VECTOR] = "vector"};
    web_json_key(json, "options");
    web_json_open(json, '[');
    for (uint32_t i = 0; i < scene->option_count; i++) {
        const ossa_option_info *option = &scene->options[i];
        web_json_open(json, '{');
        web_member_text(json, "name", option->name);
        web_member_text(json, "kind", kinds[option->kind]);
        web_member_text(json, "text", option->text);
        write_words(json, option);
        web_member_address(json, "least", &option->least);
        web_member_address(json, "most", &option->most);
        web_member_address(json, "initial", &option->initial);
        web_member_flag(json, "isWhole", option->is_whole);
        web_member_flag(json, "isOpen", option->is_open);
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
    write_options(&json, scene);
    web_write_issues(&json, "issues", scene->issues, scene->issue_count);
    web_json_close(&json, '}');
    return web_finish_result(&json);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Like `ossa convert`, which makes no file without contents. */
static bool check_scene(const ossa_scene *scene, bool is_motion)
{
    if (scene->bone_count > 0 || (scene->camera_count > 0 && !is_motion)) return true;
    return web_fail_with(OSSA_CODE_BAD_SCENE, "the inputs contain no bones: nothing to convert");
}

/* `clips`: a flag for each; NULL: all. `variant` -1: none. */
WEB_EXPORT(scene_glb)
bool web_scene_glb(const ossa_scene *scene, const uint8_t *clips, bool skin, int32_t variant);
bool web_scene_glb(const ossa_scene *scene, const uint8_t *clips, bool skin, int32_t variant)
{
    ossa_error error;
    web_begin();
    if (!check_scene(scene, false)) return false;
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
    if (!check_scene(scene, false)) return false;
    return ossa_write_scene_json(scene, NULL, ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(&error);
}

WEB_EXPORT(scene_bvh) bool web_scene_bvh(const ossa_scene *scene, uint32_t clip);
bool web_scene_bvh(const ossa_scene *scene, uint32_t clip)
{
    const ossa_export_options options = {.on_issue = web_on_issue};
    ossa_error error;
    web_begin();
    if (!check_scene(scene, true)) return false;
    if (clip >= scene->clip_count) {
        return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such clip");
    }
    return ossa_write_bvh(scene, &scene->clips[clip], &options, ossa_buffer_sink(&web_result),
                          &error) ||
           web_fail_output(&error);
}

/* `clips`: as for scene_glb. */
WEB_EXPORT(scene_csv)
bool web_scene_csv(const ossa_scene *scene, const uint8_t *clips, uint32_t space);
bool web_scene_csv(const ossa_scene *scene, const uint8_t *clips, uint32_t space)
{
    const ossa_export_options options = {
        .clips = clips, .space = (ossa_space)space, .on_issue = web_on_issue};
    ossa_error error;
    web_begin();
    if (!check_scene(scene, true)) return false;
    return ossa_write_csv(scene, &options, ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(&error);
}
