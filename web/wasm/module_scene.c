/* SPDX-License-Identifier: MIT
 *
 * Scenes: made of words by the rules of the tool, told of in JSON, written as glTF. */
#include "module_scene.h"
#include "module.h"
#include "scene/extras.h"
#include "scene_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- how coarse rotations are -------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; path++) {
        if (*path == '/' || *path == '\\') name = path + 1;
    }
    return name;
}

/* A small turn by an angle changes a component of a quaternion by at most half of it. */
static float step_of(const ossa_sotc_bone *bone)
{
    switch (bone->flag) {
    case 0: return 0.0F;
    case 3:
    case 4:
    case 5:
    case 6:
    case 12: return (float)(2.0 * ossa_sotc_key_step(bone));
    case 13: return (float)ossa_sotc_key_step(bone);
    default: return NAN;
    }
}

static float *steps_of(const ossa_sotc_anb *anb)
{
    float *steps = calloc(anb->bone_count + 1U, sizeof *steps);
    for (uint32_t i = 0; steps != NULL && i < anb->bone_count; i++) {
        steps[i] = step_of(&anb->bones[i]);
    }
    return steps;
}

/* The animation that a clip was made of: each file is one clip, in the order of the inputs. NULL
 * for one that was joined of several. */
static const ossa_sotc_anb *find_anb(const struct web_scene *scene, const struct files *files,
                                     size_t *next, const ossa_clip *clip)
{
    while (*next < files->count) {
        const ossa_input *input = &files->inputs[(*next)++];
        const ossa_sotc_anb *anb = ossa_as_sotc_anb(input->file);
        if (anb == NULL) continue;
        bool is_it = strcmp(base_name(input->path), clip->source) == 0 &&
                     anb->bone_count == scene->scene->bone_count &&
                     anb->pose_count == clip->frame_count;
        if (is_it) return anb;
    }
    return NULL;
}

static void note_steps(struct web_scene *scene, const struct files *files)
{
    size_t next = 0;
    scene->steps = calloc(scene->scene->clip_count + 1U, sizeof *scene->steps);
    for (uint32_t i = 0; scene->steps != NULL && i < scene->scene->clip_count; i++) {
        const ossa_clip *clip = &scene->scene->clips[i];
        if (strcmp(clip->source_format, "sotc-anb") != 0) continue;
        const ossa_sotc_anb *anb = find_anb(scene, files, &next, clip);
        if (anb != NULL) scene->steps[i] = steps_of(anb);
    }
}

/* Radians; 0: floats; below 0: not known. */
WEB_EXPORT(scene_step)
double web_scene_step(const struct web_scene *scene, uint32_t clip, uint32_t bone);
double web_scene_step(const struct web_scene *scene, uint32_t clip, uint32_t bone)
{
    if (clip >= scene->scene->clip_count || bone >= scene->scene->bone_count) return -1.0;
    const char *format = scene->scene->clips[clip].source_format;
    const float *steps = scene->steps == NULL ? NULL : scene->steps[clip];
    if (strcmp(format, "ei-anm") == 0 || strcmp(format, "mm-anim") == 0) return 0.0;
    if (strcmp(format, "vib-anm") == 0) return 2.0 * 3.14159265358979323846 / 4096.0;
    return steps == NULL || isnan(steps[bone]) ? -1.0 : (double)steps[bone];
}

/* ---- making -------------------------------------------------------------------------------- */

static void on_issue(void *user, const ossa_issue *issue)
{
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    (void)ossa_issue_text(issue, text, sizeof text);
    complain("%s: %s", ossa_severity_name(issue->severity), text);
    web_on_issue(user, issue);
}

WEB_EXPORT(scene_free) void web_scene_free(struct web_scene *scene);
void web_scene_free(struct web_scene *scene)
{
    web_begin(NULL);
    for (uint32_t i = 0; scene->steps != NULL && i < scene->scene->clip_count; i++) {
        free(scene->steps[i]);
    }
    free(scene->steps);
    ossa_scene_free(scene->scene);
    free(scene);
}

static bool assemble(struct cli *cli, struct web_scene *scene)
{
    struct input_list list;
    struct files files = {.cli = cli};
    ossa_error error;
    if (!list_inputs(cli, true, &list)) return false;
    bool ok = read_files(&list, &files);
    if (ok) {
        scene->scene = ossa_assemble(files.inputs, files.count, &cli->scene, &error);
        ok = scene->scene != NULL;
        if (ok) note_steps(scene, &files);
        else (void)web_fail_error(NULL, &error);
    }
    free_files(&files);
    free_inputs(&list);
    return ok;
}

enum { FLAG_IN_PLACE = 1, FLAG_JOIN = 2, FLAG_BOXES = 4 };

/* The words follow each other, each with its NUL. */
WEB_EXPORT(scene_new)
struct web_scene *web_scene_new(struct web_disk *disk, char *words, size_t count, double fps,
                                double scale, float strength, float dexterity, float height,
                                uint32_t euler, uint32_t missing, uint32_t morphing, uint32_t flags,
                                uint32_t resample);
struct web_scene *web_scene_new(struct web_disk *disk, char *words, size_t count, double fps,
                                double scale, float strength, float dexterity, float height,
                                uint32_t euler, uint32_t missing, uint32_t morphing, uint32_t flags,
                                uint32_t resample)
{
    struct archives archives = {0};
    struct cli cli = {.archives = &archives, .input_count = count};
    web_begin(disk);
    cli.read.on_issue = web_on_issue;
    const ossa_ei_options ei = {.complexion = {strength, dexterity, height},
                                .morphing = (ossa_ei_morphing)morphing,
                                .resample = resample};
    const ossa_vib_options vib = {.euler = (ossa_vib_euler)euler,
                                  .missing = (ossa_vib_missing)missing};
    cli.scene = (ossa_scene_options){.fps = fps,
                                     .scale = scale,
                                     .in_place = (flags & FLAG_IN_PLACE) != 0,
                                     .join = (flags & FLAG_JOIN) != 0,
                                     .boxes = (flags & FLAG_BOXES) != 0,
                                     .ei = &ei,
                                     .vib = &vib,
                                     .on_issue = on_issue};
    struct web_scene *scene = calloc(1, sizeof *scene);
    cli.inputs = calloc(count + 1, sizeof *cli.inputs);
    bool ok = scene != NULL && cli.inputs != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        cli.inputs[i] = words;
        words += strlen(words) + 1;
    }
    if (ok) ok = assemble(&cli, scene);
    else (void)web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for a scene");
    archives_free(&archives);
    free(cli.inputs);
    if (ok) return scene;
    free(scene);
    return NULL;
}

/* ---- telling ------------------------------------------------------------------------------- */

static void write_signed(struct ossa__json *json, const char *key, int64_t number)
{
    ossa__json_key(json, key);
    ossa__json_int(json, number);
}

static void write_flag(struct ossa__json *json, const char *key, bool value)
{
    ossa__json_key(json, key);
    ossa__json_bool(json, value);
}

static void write_floats(struct ossa__json *json, const char *key, const float *values,
                         size_t count)
{
    ossa__json_key(json, key);
    ossa__json_floats(json, values, count);
}

static void write_bones(struct ossa__json *json, const ossa_scene *scene)
{
    ossa__json_key(json, "bones");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        ossa__json_begin_object(json);
        web_write_key(json, "name", scene->bones[i].name);
        write_signed(json, "parent", scene->bones[i].parent);
        web_write_address(json, "rest", &scene->bones[i].rest);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_extras(struct ossa__json *json, const ossa_clip *clip)
{
    ossa__json_key(json, "extras");
    ossa__json_begin_object(json);
    ossa__json_extras(json, clip->extras, clip->extra_count);
    ossa__json_end_object(json);
}

static void write_clips(struct ossa__json *json, const ossa_scene *scene)
{
    ossa__json_key(json, "clips");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        ossa__json_begin_object(json);
        web_write_key(json, "name", clip->name);
        web_write_key(json, "source", clip->source);
        web_write_key(json, "sourceFormat", clip->source_format);
        web_write_address(json, "fps", &clip->fps);
        web_write_number(json, "frameCount", clip->frame_count);
        web_write_number(json, "keysAFrame", clip->keys_per_frame);
        write_flag(json, "loop", clip->loop);
        write_flag(json, "inPlace", clip->in_place);
        write_floats(json, "velocity", clip->velocity, 3);
        write_extras(json, clip);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_meshes(struct ossa__json *json, const ossa_scene *scene)
{
    ossa__json_key(json, "meshes");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        ossa__json_begin_object(json);
        web_write_key(json, "name", mesh->name);
        web_write_number(json, "bone", mesh->bone);
        web_write_key(json, "kind", mesh->kind == OSSA_MESH_KIND_LINES ? "lines" : "triangles");
        web_write_number(json, "vertexCount", mesh->vertex_count);
        web_write_address(json, "positions", mesh->positions);
        web_write_address(json, "normals", mesh->normals);
        web_write_address(json, "colours", mesh->colours);
        web_write_address(json, "texcoords", mesh->texcoords);
        web_write_address(json, "vertexBones", mesh->vertex_bones);
        web_write_number(json, "indexCount", mesh->index_count);
        web_write_address(json, "indices", mesh->indices);
        write_signed(json, "material", mesh->material);
        web_write_number(json, "targetCount", mesh->target_count);
        web_write_address(json, "targets", mesh->targets);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_materials(struct ossa__json *json, const ossa_scene *scene)
{
    ossa__json_key(json, "materials");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const ossa_material *material = &scene->materials[i];
        ossa__json_begin_object(json);
        web_write_key(json, "name", material->name);
        write_signed(json, "texture", material->texture);
        write_floats(json, "colour", material->colour, 4);
        write_flag(json, "isTransparent", material->is_transparent);
        write_flag(json, "isDoubleSided", material->is_double_sided);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__json_key(json, "textures");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        const ossa_texture *texture = &scene->textures[i];
        ossa__json_begin_object(json);
        web_write_key(json, "name", texture->name);
        web_write_number(json, "width", texture->width);
        web_write_number(json, "height", texture->height);
        web_write_address(json, "pixels", texture->pixels);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_cameras(struct ossa__json *json, const ossa_scene *scene)
{
    ossa__json_key(json, "cameras");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const ossa_camera *camera = &scene->cameras[i];
        ossa__json_begin_object(json);
        web_write_key(json, "name", camera->name);
        web_write_key(json, "source", camera->source);
        web_write_key(json, "sourceFormat", camera->source_format);
        web_write_number(json, "keyCount", camera->key_count);
        ossa__json_key(json, "duration");
        ossa__json_float(json,
                         camera->key_count == 0 ? 0.0F : camera->times[camera->key_count - 1]);
        ossa__json_key(json, "aspect");
        ossa__json_float(json, camera->aspect);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

/* Large arrays, and what JSON would round, as addresses. */
WEB_EXPORT(scene_about) bool web_scene_about(const struct web_scene *handle);
bool web_scene_about(const struct web_scene *handle)
{
    const ossa_scene *scene = handle->scene;
    struct ossa__json json;
    web_begin(NULL);
    web_start_result(&json);
    ossa__json_begin_object(&json);
    web_write_key(&json, "name", scene->name);
    web_write_key(&json, "game", scene->game);
    write_bones(&json, scene);
    write_clips(&json, scene);
    write_meshes(&json, scene);
    write_materials(&json, scene);
    write_cameras(&json, scene);
    ossa__json_key(&json, "issues");
    web_write_issues(&json, scene->issues, scene->issue_count);
    ossa__json_end_object(&json);
    return web_finish_result(&json);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void on_lost(void *user, const ossa_issue *issue)
{
    (void)user;
    complain("warning: %s", issue->message);
}

/* As `ossa convert`, which makes no file of nothing. */
static bool check_scene(const ossa_scene *scene)
{
    if (scene->bone_count > 0 || scene->camera_count > 0) return true;
    return web_fail(OSSA_CODE_BAD_SCENE,
                    "there is not a single bone in the inputs: nothing to convert");
}

/* `clips`: a flag for each; NULL: all. */
WEB_EXPORT(scene_glb)
bool web_scene_glb(const struct web_scene *handle, const uint8_t *clips, bool skin);
bool web_scene_glb(const struct web_scene *handle, const uint8_t *clips, bool skin)
{
    ossa_error error;
    web_begin(NULL);
    if (!check_scene(handle->scene)) return false;
    const ossa_export_options options = {.clips = clips, .skin = skin, .on_issue = on_lost};
    return ossa_write_gltf(handle->scene, &options, ossa_buffer_sink(&web_result), (ossa_sink){0},
                           &error) ||
           web_fail_output(NULL, &error);
}

WEB_EXPORT(scene_json) bool web_scene_json(const struct web_scene *handle);
bool web_scene_json(const struct web_scene *handle)
{
    ossa_error error;
    web_begin(NULL);
    if (!check_scene(handle->scene)) return false;
    return ossa_write_scene_json(handle->scene, NULL, ossa_buffer_sink(&web_result), &error) ||
           web_fail_output(NULL, &error);
}
